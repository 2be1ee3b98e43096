//! What does each statement touch, put together from its parts?
//!
//! Bottom-up over the structured program. Beside the regions a summary says under which condition control falls out of
//! the end of the statement, goes on with the next iteration, or leaves the loop or the function: what follows a
//! conditional jump is touched only under the opposite condition.
//!
//! What it cannot do: follow `goto`; a function that has one, or a statement that was not understood and may jump, has
//! only upper bounds.

use super::Context;
use super::about::Wanted;
use super::gate::Gate;
use super::iterate::{Iteration, Reached};
use super::part::{Part, Touch};
use crate::shape::labels_inside;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::{Loop, LoopKind, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::BTreeSet;

/// What one statement touches, in terms of symbols, and how control leaves it.
#[derive(Clone, Debug)]
pub struct Summary {
    /// READ.
    pub read: Touch,
    /// WRITE.
    pub write: Touch,
    /// IN: read before it is written here.
    pub exposed: Touch,
    /// Control falls out of its end.
    pub normal: Gate,
    /// `continue` of the loop around.
    pub next: Gate,
    /// `break` of the loop or switch around.
    pub leave: Gate,
    /// `return`, or anything else that leaves the function.
    pub stop: Gate,
}

impl Summary {
    /// Touches nothing and ends.
    pub fn nothing() -> Summary {
        Summary {
            read: Touch::default(),
            write: Touch::default(),
            exposed: Touch::default(),
            normal: Gate::always(),
            next: Gate::never(),
            leave: Gate::never(),
            stop: Gate::never(),
        }
    }

    fn jump(read: Summary) -> Summary {
        Summary {
            normal: Gate::never(),
            ..read
        }
    }

    fn gated(&self, gate: &Gate) -> Summary {
        if gate.is_always() {
            return self.clone();
        }
        Summary {
            read: self.read.gated(gate),
            write: self.write.gated(gate),
            exposed: self.exposed.gated(gate),
            normal: self.normal.and(gate),
            next: self.next.and(gate),
            leave: self.leave.and(gate),
            stop: self.stop.and(gate),
        }
    }
}

impl Context<'_> {
    /// What is left of what is read, after writes: those through other roots may reach the same storage.
    pub fn after(&self, exposed: &Touch, written: &Touch) -> Touch {
        if exposed.is_nothing() || written.is_nothing() {
            return exposed.clone();
        }
        let mut result = Touch {
            objects: Default::default(),
            rows: exposed.rows.clone(),
            elsewhere: exposed.elsewhere.clone(),
        };
        result.rows_may_overlap(written);
        for (root, part) in &exposed.objects {
            let left = match written.objects.get(root) {
                Some(written) => part.without(written),
                None => part.clone(),
            };
            let left = self.with_others(*root, left, written);
            if !left.is_nothing() {
                result.objects.insert(*root, left);
            }
        }
        result
    }

    /// Takes account of writes through other roots.
    pub fn with_others(&self, root: Symbol, mut part: Part, written: &Touch) -> Part {
        if part.is_nothing() {
            return part;
        }
        let reach = self.reach();
        if written.goes_beyond()
            && reach.escapes(root)
            && let Some(cause) = written.beyond()
        {
            return Part::at_most(part.may, cause);
        }
        for other in written.objects.keys() {
            if *other != root && crate::alias::may_overlap(&reach, root, *other) {
                part.apart.insert(*other);
            }
        }
        part
    }

    fn then(&self, first: Summary, second: &Summary) -> Summary {
        let second = second.gated(&first.normal);
        let exposed = self.after(&second.exposed, &first.write);
        Summary {
            exposed: first.exposed.or(&exposed),
            read: first.read.or(&second.read),
            write: first.write.or(&second.write),
            normal: second.normal,
            next: first.next.or(&second.next),
            leave: first.leave.or(&second.leave),
            stop: first.stop.or(&second.stop),
        }
    }

    /// One of two, by a condition. What both certainly touch is touched even if the condition is not known.
    fn choice(&self, gate: &Gate, opposite: &Gate, yes: &Summary, no: &Summary) -> Summary {
        let both = |a: &Touch, b: &Touch| -> Touch {
            let mut joined = a.gated(gate).or(&b.gated(opposite));
            if gate.exact && opposite.exact {
                return joined;
            }
            for (root, part) in &mut joined.objects {
                if let (Some(a), Some(b)) = (a.objects.get(root), b.objects.get(root))
                    && !a.must.is_plainly_empty()
                    && !b.must.is_plainly_empty()
                    && let Ok(common) = a.must.intersect(&b.must)
                    && let Some(must) = super::part::together(&part.must, &common)
                {
                    part.must = must;
                    part.apart.extend(a.apart.iter().chain(&b.apart));
                    part.exact = part.may.is_subset(&part.must) == Ok(true);
                }
            }
            joined
        };
        let (a, b) = (yes, no);
        let joined = |a: &Gate, b: &Gate| {
            if a.is_always() && b.is_always() {
                return Gate::always();
            }
            gate.and(a).or(&opposite.and(b))
        };
        Summary {
            read: both(&a.read, &b.read),
            write: both(&a.write, &b.write),
            exposed: both(&a.exposed, &b.exposed),
            normal: joined(&a.normal, &b.normal),
            next: joined(&a.next, &b.next),
            leave: joined(&a.leave, &b.leave),
            stop: joined(&a.stop, &b.stop),
        }
    }

    /// Computes and keeps the summaries of a statement and everything inside it, if that was not done before.
    pub fn statement(&self, stmt: &Stmt) -> Summary {
        if let Some(known) = self.found.summaries.borrow().get(&stmt.id) {
            return known.clone();
        }
        if self.is_beside(stmt) {
            return Summary::nothing();
        }
        let summary = self.compute(stmt);
        self.found.summaries.borrow_mut().insert(stmt.id, summary.clone());
        summary
    }

    fn compute(&self, stmt: &Stmt) -> Summary {
        match &stmt.kind {
            StmtKind::Block { body, scope } => {
                let all = self.statements(body);
                if *scope {
                    self.without_locals(all, body)
                } else {
                    all
                }
            }
            StmtKind::If { then, otherwise, .. } => {
                let test = self.conditions_of(stmt.id);
                let (gate, opposite) = (self.outcome(test, true), self.outcome(test, false));
                let first = self.own(stmt.id);
                let yes = self.statement(then);
                let no = match otherwise {
                    Some(otherwise) => self.statement(otherwise),
                    None => Summary::nothing(),
                };
                self.then(first, &self.choice(&gate, &opposite, &yes, &no))
            }
            StmtKind::Loop(inner) => self.loop_summary(stmt, inner),
            StmtKind::Switch { body, .. } => {
                let first = self.own(stmt.id);
                self.then(first, &self.switch(stmt.id, body))
            }
            StmtKind::Directive { body: Some(body), .. } => {
                let own = self.own(stmt.id);
                let body = self.statement(body);
                self.then(own, &body)
            }
            StmtKind::Break => Summary {
                leave: Gate::always(),
                ..Summary::jump(Summary::nothing())
            },
            StmtKind::Continue => Summary {
                next: Gate::always(),
                ..Summary::jump(Summary::nothing())
            },
            StmtKind::Return(_) => Summary {
                stop: Gate::always(),
                ..Summary::jump(self.own(stmt.id))
            },
            StmtKind::Goto(_) => Summary {
                stop: Gate::unknown(),
                ..Summary::jump(Summary::nothing())
            },
            StmtKind::Call { .. } => self.call(stmt),
            _ => self.own(stmt.id),
        }
    }

    fn statements(&self, body: &[Stmt]) -> Summary {
        let mut all = Summary::nothing();
        for stmt in body {
            let next = self.statement(stmt);
            all = self.then(all, &next);
        }
        all
    }

    /// Storage that is declared inside a scope is not seen from outside.
    fn without_locals(&self, mut all: Summary, body: &[Stmt]) -> Summary {
        let mut declared = Vec::new();
        for stmt in body {
            declarations(stmt, &mut declared);
        }
        let is_declared = |root: &Symbol| {
            let kind = &self.values.symbols.info(*root).kind;
            matches!(kind, SymbolKind::Address(variable) if declared.contains(variable))
        };
        for touch in [&mut all.read, &mut all.write, &mut all.exposed] {
            touch.objects.retain(|root, _| !is_declared(root));
            let elsewhere = &mut touch.elsewhere;
            touch.rows.retain(|family, _| {
                let gone = is_declared(&family.table);
                if gone {
                    elsewhere.get_or_insert_with(|| self.pointer_inside(family.table));
                }
                !gone
            });
        }
        all
    }

    /// Storage of which nothing is there before or behind.
    fn without_objects(&self, mut all: Summary, gone: &BTreeSet<Symbol>) -> Summary {
        for touch in [&mut all.read, &mut all.write, &mut all.exposed] {
            touch.objects.retain(|root, _| !gone.contains(root));
        }
        all
    }

    fn outcome(&self, outcomes: Option<&crate::value::Outcomes>, outcome: bool) -> Gate {
        self.defined_gate(Gate::outcome(outcomes, outcome))
    }

    /// Reads all this and ends.
    fn reading(&self, touches: Vec<Touch>) -> Summary {
        let exposed = Touch::any(touches);
        Summary {
            read: self.if_read_is_wanted(|| exposed.clone()),
            exposed,
            ..Summary::nothing()
        }
    }

    fn if_read_is_wanted(&self, read: impl FnOnce() -> Touch) -> Touch {
        match self.wanted {
            Wanted::Everything => read(),
            Wanted::Needed | Wanted::PerhapsNeeded => Touch::default(),
        }
    }

    pub(super) fn conditions_of(&self, stmt: StmtId) -> Option<&crate::value::Outcomes> {
        self.values
            .conditions
            .get(&stmt)
            .filter(|_| self.blocked.is_none())
    }

    /// The accesses and effects of the statement itself: of its expressions, not of statements inside it.
    pub(super) fn own(&self, stmt: StmtId) -> Summary {
        self.own_between(stmt, 0, usize::MAX)
    }

    /// A call: the arguments, then the body of the function if it was walked here, then the place for the result.
    fn call(&self, stmt: &Stmt) -> Summary {
        let Some(body) = self.values.bodies.get(&stmt.id) else {
            return self.own(stmt.id);
        };
        let first = self.first_order(&body.stmt);
        let inside = self.statement(&body.stmt);
        // Every `return` leads behind the call.
        let inside = Summary {
            normal: Gate::always(),
            next: Gate::never(),
            leave: Gate::never(),
            stop: Gate::never(),
            ..inside
        };
        let arguments = self.own_between(stmt.id, 0, first);
        let called = self.then(arguments, &inside);
        self.then(called, &self.own_between(stmt.id, first, usize::MAX))
    }

    /// The place in the order of evaluation of the first access in a body, those of calls in it included.
    fn first_order(&self, body: &Stmt) -> usize {
        let mut first = usize::MAX;
        body.walk(&mut |inner| {
            for number in self.own_accesses.get(&inner.id).into_iter().flatten() {
                let access = self.values.accesses.get(*number);
                first = access.map_or(first, |access| access.order.min(first));
            }
            for number in self.own_effects.get(&inner.id).into_iter().flatten() {
                let effect = self.values.effects.get(*number);
                first = effect.map_or(first, |effect| effect.order.min(first));
            }
            if let Some(body) = self.values.bodies.get(&inner.id) {
                first = first.min(self.first_order(&body.stmt));
            }
        });
        first
    }

    fn own_between(&self, stmt: StmtId, from: usize, to: usize) -> Summary {
        let mut all = Summary::nothing();
        // Reads between two writes.
        let mut reads = Vec::new();
        for number in self.own_accesses.get(&stmt).into_iter().flatten() {
            let Some(access) = self.values.accesses.get(*number) else {
                continue;
            };
            if access.order < from || access.order >= to {
                continue;
            }
            let gate = if self.blocked.is_some() {
                Gate::always()
            } else {
                self.own_gate(access).and(&self.counted(access))
            };
            // The counter of a section is taken away with what is known of it.
            let touch = self.all_elements(access, self.access(access).gated(&gate));
            if !access.is_write() {
                reads.push(touch);
                continue;
            }
            all = self.then(all, &self.reading(std::mem::take(&mut reads)));
            let written = Summary {
                write: touch,
                ..Summary::nothing()
            };
            all = self.then(all, &written);
        }
        all = self.then(all, &self.reading(reads));
        for number in self.own_effects.get(&stmt).into_iter().flatten() {
            let Some(effect) = self.values.effects.get(*number) else {
                continue;
            };
            if effect.order < from || effect.order >= to {
                continue;
            }
            let cause = match effect.cause.why.is_empty() {
                true => Cause::new("a function that is called touches it", effect.cause.at),
                false => effect.cause.clone(),
            };
            let touch = |roots: &Option<Vec<Symbol>>| match roots {
                None => Touch::unknown(cause.clone()),
                Some(roots) => roots.iter().fold(Touch::default(), |all, root| {
                    let Some(view) = self.views.get(root) else {
                        return all.or(&Touch::unknown(cause.clone()));
                    };
                    all.or(&Touch::one(
                        *root,
                        Part::at_most(self.whole(*root, view), cause.clone()),
                    ))
                }),
            };
            let one = Summary {
                read: self.if_read_is_wanted(|| touch(&effect.reads)),
                exposed: touch(&effect.reads),
                write: touch(&effect.writes),
                ..Summary::nothing()
            };
            all = self.then(all, &one);
        }
        all
    }

    /// The counters of the loops around are not negative. Without this many pieces of a difference would be kept that have no points.
    fn counted(&self, access: &crate::access::Access) -> Gate {
        let loops = access
            .loops
            .iter()
            .filter_map(|index| self.values.loops.get(index.0 as usize));
        let counters = loops.map(|of| Condition::nonnegative(&Expr::symbol(of.counter)));
        Gate::known(Condition::all(counters))
    }

    /// All elements of a section that a call touches.
    fn all_elements(&self, access: &crate::access::Access, touch: Touch) -> Touch {
        let innermost = access.loops.last();
        let innermost = innermost.and_then(|index| self.values.loops.get(index.0 as usize));
        let Some(of) = innermost.filter(|of| of.section) else {
            return touch;
        };
        let trip = of.trip.as_ref().ok();
        let counts = trip.map(|trip| runs(&Expr::symbol(of.counter), trip));
        let touch = touch.gated(&counts.map_or_else(Gate::unknown, Gate::known));
        let reached = Reached {
            of,
            last: None,
            ends: Gate::never(),
            stops: Gate::never(),
            varying: self.varying_in(of),
            past: Default::default(),
        };
        self.all_of(&reached, &touch)
    }

    fn switch(&self, stmt: StmtId, body: &Stmt) -> Summary {
        let value = self.values.switched.get(&stmt).filter(|_| self.blocked.is_none());
        let StmtKind::Block { body, .. } = &body.kind else {
            let inside = self.statement(body);
            return ended_by_break(inside.gated(&Gate::unknown()), true);
        };
        let nested = body.iter().any(|stmt| match &stmt.kind {
            StmtKind::Case { .. } | StmtKind::Default => false,
            _ => labels_inside(stmt),
        });
        let mut labels = Vec::new();
        for stmt in body {
            if let (StmtKind::Case { low, high }, Some(value)) = (&stmt.kind, value) {
                labels.push(Condition::in_range(value, *low, *high));
            }
        }
        let none = Condition::any(labels).not();
        let mut all = Summary::nothing();
        // What comes before the first label is never reached.
        let mut here = Gate::never();
        for stmt in body {
            match (&stmt.kind, value) {
                (StmtKind::Case { low, high }, Some(value)) if !nested => {
                    here = here.or(&Gate::known(Condition::in_range(value, *low, *high)));
                }
                (StmtKind::Default, Some(_)) if !nested => here = here.or(&Gate::known(none.clone())),
                (StmtKind::Case { .. } | StmtKind::Default, _) => here = Gate::unknown(),
                _ if nested => here = Gate::unknown(),
                _ => {}
            }
            let one = self.statement(stmt).gated(&here);
            let before = Summary {
                normal: Gate::always(),
                ..all.clone()
            };
            here = one.normal.clone();
            all = self.then(before, &one);
        }
        all.normal = here;
        let all = self.without_locals(all, body);
        ended_by_break(all, nested || value.is_none())
    }

    fn loop_summary(&self, stmt: &Stmt, inner: &Loop) -> Summary {
        let init = self.statements(&inner.init);
        let before_test = self.statements(&inner.before_test);
        let test = self.then(before_test, &self.own(stmt.id));
        let body = self.statement(&inner.body);
        let step = self.statements(&inner.step);
        let Some(of) = self.values.loops.iter().find(|of| of.stmt == stmt.id) else {
            // It is never reached.
            return init;
        };
        let body = self.without_objects(body, &self.of_one_iteration(of, &inner.body));
        let k = Expr::symbol(of.counter);
        let leave = body.leave.or(&body.stop);
        let stop = body.stop.clone();
        let outcomes = self.conditions_of(stmt.id);
        let opaque = self.blocked.is_some();
        let trip = of.trip.as_ref().ok().filter(|_| !opaque);
        let (mut goes_on, mut fails) = match (&inner.condition, trip) {
            (None, _) => (Gate::always(), Gate::never()),
            (_, Some(trip)) => {
                let runs = runs(&k, trip);
                (Gate::known(runs.clone()), Gate::known(runs.not()))
            }
            _ => (self.outcome(outcomes, true), self.outcome(outcomes, false)),
        };
        if opaque {
            (goes_on, fails) = (Gate::unknown(), Gate::unknown());
        }
        // A jump to the next iteration does not leave out the step.
        let ended = Summary {
            normal: body.normal.or(&body.next),
            next: Gate::never(),
            leave: Gate::never(),
            stop: Gate::never(),
            ..body.clone()
        };
        let varying = self.varying_in(of);
        let reached = |last: Option<Expr>, ends: Gate, stops: Gate| Reached {
            of,
            last,
            ends,
            stops,
            varying: varying.clone(),
            past: Default::default(),
        };
        let iteration = |summary: Summary| Iteration {
            read: summary.read,
            write: summary.write,
            exposed: summary.exposed,
        };
        let keep = |one: &Iteration| {
            self.found.iterations.borrow_mut().insert(stmt.id, one.clone());
        };
        let all = if inner.kind == LoopKind::Do {
            let whole = iteration(self.then(self.then(ended, &step), &test));
            keep(&whole);
            let last = trip.map(|trip| trip - &Expr::one());
            let ends = if trip.is_some() { leave } else { leave.or(&fails) };
            self.all_iterations(&reached(last, ends, Gate::never()), &whole, None)
        } else {
            let rest = self.then(ended, &step);
            let tested = iteration(self.then(test.clone(), &rest.gated(&goes_on)));
            keep(&tested);
            let ends = if trip.is_some() {
                leave.clone()
            } else {
                leave.or(&fails)
            };
            // The iteration in which the test fails counts only for what the test touches.
            let silent = [&test.read, &test.exposed, &test.write]
                .into_iter()
                .all(Touch::is_nothing);
            let here = reached(trip.filter(|_| !silent).cloned(), ends, Gate::never());
            if trip.is_some() || inner.condition.is_none() {
                self.all_iterations(&here, &tested, None)
            } else {
                let sure = reached(None, leave, fails);
                let untested = self.then(test, &rest);
                self.all_iterations(&here, &tested, Some((&sure, &iteration(untested))))
            }
        };
        let all = self.without_locals(
            Summary {
                read: all.read,
                write: all.write,
                exposed: all.exposed,
                // A loop that is not left by a jump out of it ends.
                normal: if stop.is_never() {
                    Gate::always()
                } else {
                    Gate::unknown()
                },
                next: Gate::never(),
                leave: Gate::never(),
                stop: if stop.is_never() {
                    Gate::never()
                } else {
                    Gate::unknown()
                },
            },
            std::slice::from_ref(&inner.body),
        );
        let all = self.then(init, &all);
        self.without_locals(all, &inner.init)
    }
}

/// `k < trip` for a counter that is not negative: the maximum that keeps the trip count from being negative is left out,
/// which would make two cases of each set.
fn runs(k: &Expr, trip: &Expr) -> Condition {
    let not_positive = |value: &Expr| value.as_constant().is_some_and(|value| !value.is_positive());
    match trip.as_maximum_of() {
        Some(values) => {
            let others = values.iter().filter(|value| !not_positive(value));
            Condition::any(others.map(|value| Condition::less(k, value)))
        }
        None => Condition::less(k, trip),
    }
}

/// Behind a switch control goes on after `break`, too.
fn ended_by_break(inside: Summary, unknown: bool) -> Summary {
    let jumps = !inside.next.is_never() || !inside.stop.is_never();
    let weak = |gate: &Gate| {
        if gate.is_never() {
            Gate::never()
        } else if unknown {
            Gate::unknown()
        } else {
            gate.clone()
        }
    };
    let others = weak(&inside.next).or(&weak(&inside.stop));
    let normal = match (jumps, &others.condition) {
        (false, _) => Gate::always(),
        (true, Some(condition)) if others.exact => Gate::known(condition.not()),
        _ => Gate::unknown(),
    };
    Summary {
        normal,
        next: weak(&inside.next),
        stop: weak(&inside.stop),
        leave: Gate::never(),
        ..inside
    }
}

/// The variables whose life begins in these statements, not in scopes inside them.
fn declarations(stmt: &Stmt, found: &mut Vec<VariableRef>) {
    match &stmt.kind {
        StmtKind::Declare { local } => found.push(VariableRef::Local(*local)),
        StmtKind::Block { body, scope: false } => {
            for stmt in body {
                declarations(stmt, found);
            }
        }
        _ => {}
    }
}
