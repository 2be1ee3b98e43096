//! How do values change from one iteration of a loop to the next, and how often does it run?
//!
//! A scan walks one iteration with a symbol for the start value of everything that the loop assigns. A variable that
//! ends the iteration at its start value plus something that the loop does not change, or that grows by the same in each
//! iteration, is an induction variable; for the others, bounds that every iteration keeps are proved. Then the iteration is walked again with that knowledge.
//!
//! Inside the scan of an outer loop, a loop is not walked again: the closed forms are put into what its scan found, so
//! that the work grows with the square of the depth, not with its power of two.

use super::table::Recorded;
use super::{Frame, Kills, Outcomes, Walker};
use crate::access::Guard;
use crate::loops::{Induction, LoopFacts, LoopIndex, Open};
use crate::state::{AskedThreads, Cell, State};
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::{Expr as Code, ExprKind, Loop, LoopKind, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Condition, Expr, Facts, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// One iteration, walked.
struct Iteration {
    /// Where the next iteration would begin.
    end: Option<State>,
    /// Behind the loop, the condition false.
    exit: Option<State>,
    /// The condition at its test, if it is known as a whole.
    test: Option<Condition>,
    /// At `break`.
    breaks: Vec<State>,
}

impl Walker<'_> {
    /// Walks a loop; gives the state behind it.
    pub fn loop_statement(&mut self, stmt: &Stmt, inner: &Loop, state: State) -> Option<State> {
        let before = state.clone();
        let mut state = self.statements(&inner.init, state)?;
        if self.asks_for_threads(stmt) {
            state.threads = AskedThreads::Undecided;
        }
        let assigned = self.assigned_in(inner);
        for variable in &assigned {
            let ty = self.type_of(*variable);
            if self.followed(ty) && state.get(*variable).is_none() {
                let value = self.unknown(&mut state, ty, "no value before the loop", stmt.origin);
                state.set(*variable, value);
            }
        }
        let index = self.open_loop(stmt, inner, before);
        let counter = match index {
            Some(index) => self.loops[index.0 as usize].counter,
            None => self.counter(stmt),
        };
        let scanned = self.recurrences(stmt, inner, &state, &assigned, counter);
        let (values, kills) = (&scanned.values, &scanned.kills);
        let recorded = Recorded {
            accesses: self.accesses.len(),
            effects: self.effects_found.len(),
        };
        let (iteration, hoisted) = if self.recording() {
            let mut start = state.clone();
            self.forget_cells(kills, &mut start);
            start.facts.assume_nonnegative(Expr::symbol(counter));
            for (variable, value) in values {
                self.set_at_start(
                    &mut start,
                    *variable,
                    value.at(counter),
                    scanned.most.get(variable),
                );
                for fact in value.facts() {
                    start.facts.assume_nonnegative(fact.clone());
                }
            }
            if inner.kind == LoopKind::Do {
                self.assume_do_count(stmt, inner, &state, kills, counter, &mut start);
            }
            let mut frame = Frame::new(stmt.id, index.unwrap_or(LoopIndex(u32::MAX)));
            frame.kills = Some(kills.clone());
            self.frames.push(frame);
            let iteration = self.iterate(stmt, inner, start, index);
            let hoisted = self.frames.pop().map(|frame| frame.hoisted);
            (iteration, hoisted.unwrap_or_default())
        } else {
            (scanned.iteration, scanned.hoisted)
        };
        let trip = self.trip(inner, &iteration, counter, &state, stmt);
        let filled = match (index, &trip) {
            (Some(index), Ok(trip)) => {
                self.filled_tables(index, trip, iteration.end.as_ref(), &state, recorded)
            }
            _ => Vec::new(),
        };
        if let Some(index) = index {
            let facts = &mut self.loops[index.0 as usize];
            facts.trip = trip.clone();
            facts.open = values
                .iter()
                .filter_map(|(variable, value)| match value {
                    Recurrence::Closed { .. } => None,
                    Recurrence::Open { value, start, facts } => Some(Open {
                        variable: *variable,
                        value: value.clone(),
                        start: start.clone(),
                        next: iteration.end.as_ref().and_then(|end| end.get(*variable)).cloned(),
                        facts: facts.clone(),
                    }),
                })
                .collect();
            // Variables of called functions mean nothing to those who ask.
            let own = facts.call.is_none();
            facts.inductions = values
                .iter()
                .filter(|_| own)
                .filter_map(|(variable, value)| match value {
                    Recurrence::Closed {
                        start,
                        first_step,
                        growth,
                    } => Some(Induction {
                        variable: *variable,
                        start: start.clone(),
                        first_step: first_step.clone(),
                        growth: growth.clone(),
                    }),
                    Recurrence::Open { .. } => None,
                })
                .collect();
        }
        self.kill(kills, &mut state);
        let mut behind = Vec::new();
        if let Some(exit) = iteration.exit {
            let last = match trip {
                Ok(trip) => trip,
                Err(cause) => {
                    let symbol = Expr::symbol(self.fresh(SymbolKind::Unknown(cause), None, stmt.origin));
                    state.facts.assume_nonnegative(symbol.clone());
                    match inner.kind {
                        LoopKind::Do => &symbol + &Expr::one(),
                        _ => symbol,
                    }
                }
            };
            // A `while` leaves at the test before an iteration that does not come, a `do` in its last iteration.
            let last = match inner.kind {
                LoopKind::Do => &last - &Expr::one(),
                _ => last,
            };
            behind.push(self.leave(stmt, &state, exit, &assigned, Some((counter, &last))));
        }
        for at_break in iteration.breaks {
            behind.push(self.leave(stmt, &state, at_break, &assigned, None));
        }
        let mut result = self.join_all(&state, behind, stmt.origin)?;
        if !filled.is_empty() {
            Rc::make_mut(&mut result.tables).extend(filled);
        }
        // What the loop loaded and did not change is still there.
        if !hoisted.is_empty() {
            let cells = Rc::make_mut(&mut result.cells);
            for (cell, value) in hoisted {
                cells.entry(cell).or_insert(value);
            }
        }
        Some(result)
    }

    /// The test of a `do` comes behind its body: that the counter stays below the number of iterations is found out by
    /// walking the body once more.
    fn assume_do_count(
        &mut self,
        stmt: &Stmt,
        inner: &Loop,
        before: &State,
        kills: &Kills,
        counter: Symbol,
        start: &mut State,
    ) {
        let mut frame = Frame::new(stmt.id, LoopIndex(u32::MAX));
        frame.kills = Some(kills.clone());
        self.frames.push(frame);
        let copy = start.clone();
        let (iteration, _) = self.scan(|walker| walker.iterate(stmt, inner, copy, None));
        self.frames.pop();
        if let Ok(trip) = self.trip(inner, &iteration, counter, before, stmt) {
            let last = &trip - &Expr::one();
            start.facts.assume_nonnegative(&last - &Expr::symbol(counter));
        }
    }

    fn counter(&mut self, stmt: &Stmt) -> Symbol {
        let counter = self.fresh(SymbolKind::Counter(stmt.id), None, stmt.origin);
        self.symbols.add_loop(counter, stmt.id);
        counter
    }

    fn open_loop(&mut self, stmt: &Stmt, inner: &Loop, before: State) -> Option<LoopIndex> {
        if !self.recording() {
            return None;
        }
        let index = LoopIndex(self.loops.len() as u32);
        let counter = self.counter(stmt);
        let call = self.inside.first().map(|inside| inside.call);
        let before = match call {
            None => before,
            // Variables of called functions mean nothing to those who ask.
            Some(_) => State {
                variables: Rc::default(),
                ..before
            },
        };
        self.loops.push(LoopFacts {
            stmt: stmt.id,
            keyword: inner.keyword,
            origin: stmt.origin,
            parent: self.frames.last().map(|frame| frame.index),
            depth: self.frames.len(),
            counter,
            trip: Err(Cause::new("the loop is never reached", stmt.origin)),
            inductions: Vec::new(),
            open: Vec::new(),
            early_exits: crate::shape::early_exits(inner),
            opaque: Vec::new(),
            calls: Vec::new(),
            facts_inside: before.facts.clone(),
            before,
            call,
            section: false,
        });
        Some(index)
    }

    fn assigned_in(&self, inner: &Loop) -> BTreeSet<VariableRef> {
        let mut found = BTreeSet::new();
        for stmt in inner
            .before_test
            .iter()
            .chain(&inner.step)
            .chain(std::iter::once(&inner.body))
        {
            found.extend(self.assigned(stmt));
        }
        found
    }

    /// Scans until the closed forms are found; gives the value of every assigned variable in iteration `counter`, and
    /// the last scan with these values in it.
    fn recurrences(
        &mut self,
        stmt: &Stmt,
        inner: &Loop,
        state: &State,
        assigned: &BTreeSet<VariableRef>,
        counter: Symbol,
    ) -> Scanned {
        let mut known: BTreeMap<VariableRef, Recurrence> = BTreeMap::new();
        let mut kills: Option<Kills> = None;
        // The greatest values of unsigned counters.
        let mut most: BTreeMap<VariableRef, Integer> = BTreeMap::new();
        let depth = self.frames.len();
        // A second scan knows what memory the loop keeps, and the first closed forms. Deep inside other scans one must do.
        let may_repeat = self.scanning <= 1;
        loop {
            let mut frame = Frame::new(stmt.id, LoopIndex(u32::MAX));
            frame.kills = kills.clone();
            self.frames.push(frame);
            let mut start = state.clone();
            match &kills {
                Some(kills) => self.forget_cells(kills, &mut start),
                None => {
                    start.cells = Rc::default();
                    start.tables = Rc::default();
                }
            }
            start.facts.assume_nonnegative(Expr::symbol(counter));
            let mut symbols = BTreeMap::new();
            for variable in assigned {
                let ty = self.type_of(*variable);
                if !self.followed(ty) {
                    continue;
                }
                if let Some(closed @ Recurrence::Closed { .. }) = known.get(variable) {
                    self.set_at_start(&mut start, *variable, closed.at(counter), most.get(variable));
                    continue;
                }
                let kind = match self.inside.is_empty() {
                    true => SymbolKind::Varying {
                        variable: *variable,
                        of: stmt.id,
                    },
                    false => SymbolKind::Unknown(Cause::new(
                        "it changes in a loop of a called function",
                        stmt.origin,
                    )),
                };
                let symbol = self.fresh(kind, Some(ty), stmt.origin);
                self.assume_type_range(&mut start, symbol, ty);
                if let Some(greatest) = self.most_of_counter(stmt, inner, *variable, depth) {
                    start
                        .facts
                        .assume_nonnegative(&Expr::constant(greatest.clone()) - &Expr::symbol(symbol));
                    most.insert(*variable, greatest);
                }
                start.set(*variable, Expr::symbol(symbol));
                symbols.insert(*variable, symbol);
            }
            // For the case that what is taken of them is not proved.
            let closed_before = (!most.is_empty()).then(|| known.clone());
            let (mut iteration, mut written) = self.scan(|walker| walker.iterate(stmt, inner, start, None));
            let hoisted = self.frames.pop().map(|frame| frame.hoisted);
            let first = kills.is_none();
            let mut found_closed = false;
            let mut may_close = written.stores.iter().any(|store| store.root.is_none())
                || !self.recording() && self.is_bounded_by_memory(&iteration, stmt.id);
            let mut forms = BTreeMap::new();
            let end = iteration.end.as_ref();
            let mut ends = Ends {
                stmt,
                counter,
                end,
                taken: BTreeMap::new(),
            };
            for (variable, symbol) in &symbols {
                let (variable, symbol) = (*variable, *symbol);
                let from = state
                    .get(variable)
                    .cloned()
                    .unwrap_or_else(|| Expr::symbol(symbol));
                let recurrence = self.recurrence(&mut ends, symbol, &from, variable);
                match recurrence {
                    Recurrence::Closed { .. } => {
                        found_closed = true;
                        forms.insert(symbol, recurrence.at(counter));
                    }
                    Recurrence::Open { .. } => {
                        may_close |= self.may_close(end.and_then(|end| end.get(variable)), symbol, stmt.id);
                    }
                }
                known.insert(variable, recurrence);
            }
            // Where one of them is not proved, nothing that was found holds.
            let taken = most.iter().filter(|(variable, _)| symbols.contains_key(variable));
            let wrong: Vec<VariableRef> = taken
                .filter(|(variable, most)| !self.stays_below(**variable, most, &known, counter, state))
                .map(|(variable, _)| *variable)
                .collect();
            if !wrong.is_empty() {
                self.no_counters
                    .extend(wrong.iter().map(|variable| (stmt.id, *variable)));
                most.retain(|variable, _| !symbols.contains_key(variable));
                known = closed_before.unwrap_or_default();
                continue;
            }
            let all_closed = known
                .values()
                .all(|value| matches!(value, Recurrence::Closed { .. }));
            let repeat = first
                && may_repeat
                && (may_close
                    && !(all_closed && self.recording())
                    && (found_closed || !state.cells.is_empty())
                    || self.loses_by_loaded_pointers(&written, state));
            if repeat {
                kills = Some(written);
                continue;
            }
            // They are known at the start of the iteration that is walked behind the scans: inside another scan there is none, and nobody asks.
            if let Some(end) = end.filter(|_| self.recording()) {
                for (variable, symbol) in &symbols {
                    if let (Some(recurrence), Some(next)) = (known.get_mut(variable), end.get(*variable)) {
                        recurrence.keep_bounds(&end.facts, *symbol, next, counter);
                    }
                }
            }
            let filled = |expr: &Expr| expr.substitute_all(&|symbol| forms.get(&symbol).cloned());
            if !self.recording() && !forms.is_empty() {
                for store in &mut written.stores {
                    store.address = store.address.as_ref().map(filled);
                }
                iteration.test = iteration
                    .test
                    .map(|test| test.substitute_all(&|symbol| forms.get(&symbol).cloned()));
                if let Some(exit) = &mut iteration.exit {
                    for variable in assigned {
                        if let Some(value) = exit.get(*variable) {
                            exit.set(*variable, filled(value));
                        }
                    }
                }
            }
            return Scanned {
                values: known,
                kills: written,
                iteration,
                hoisted: hoisted.unwrap_or_default(),
                most,
            };
        }
    }

    /// Gives a variable its value at the start of an iteration. That an unsigned one is not negative is no news where it counts upwards; where it counts
    /// down, `while (i--)` tells no more than that it is not 0.
    ///
    /// `most` is what it is at most, if that is known of an unsigned counter.
    fn set_at_start(&self, start: &mut State, variable: VariableRef, value: Expr, most: Option<&Integer>) {
        if let Some(most) = most {
            start
                .facts
                .assume_nonnegative(&Expr::constant(most.clone()) - &value);
        }
        if self.is_unsigned(variable) && value.as_constant().is_none() {
            start.facts.assume_nonnegative(value.clone());
        }
        start.set(variable, value);
    }

    /// Could an open variable turn out to be closed if more were known of memory and of the other variables? Not if its
    /// value at the end of an iteration is known and does not come from its value at the start.
    fn may_close(&self, next: Option<&Expr>, own: Symbol, of: StmtId) -> bool {
        next.is_none_or(|next| {
            next.symbols().into_iter().any(|symbol| {
                let kind = &self.symbols.info(symbol).kind;
                let loaded = matches!(kind, SymbolKind::Loaded { .. } | SymbolKind::Unknown(_));
                symbol == own || loaded && self.symbols.varies_in(symbol, of)
            })
        })
    }

    /// True if what is known of memory is lost only since the first scan does not know where pointers in memory point to (`s->data[i] = 0`). A program that is
    /// followed from its beginning on knows what it has put there.
    fn loses_by_loaded_pointers(&self, written: &Kills, state: &State) -> bool {
        let is_loaded = |root: Symbol| matches!(self.symbols.info(root).kind, SymbolKind::Loaded { .. });
        self.with_directives
            && !written.anything
            && written
                .stores
                .iter()
                .any(|store| store.root.is_some_and(is_loaded))
            && state
                .cells
                .keys()
                .any(|cell| self.killed_by(cell, self.root(&cell.address), written))
    }

    /// True if the condition depends on a load that may only seem to change.
    fn is_bounded_by_memory(&self, iteration: &Iteration, of: StmtId) -> bool {
        iteration.test.as_ref().is_some_and(|test| {
            test.symbols().into_iter().any(|symbol| {
                let loaded = matches!(self.symbols.info(symbol).kind, SymbolKind::Loaded { .. });
                loaded && self.symbols.varies_in(symbol, of)
            })
        })
    }

    fn recurrence(
        &mut self,
        ends: &mut Ends<'_>,
        symbol: Symbol,
        from: &Expr,
        variable: VariableRef,
    ) -> Recurrence {
        let of = ends.stmt.id;
        let value = Expr::symbol(symbol);
        if let Some(end) = ends.end
            && let Some(next) = end.get(variable)
        {
            let step = next - &value;
            if self.symbols.invariant_in(&step, of) {
                return Recurrence::Closed {
                    start: from.clone(),
                    first_step: step,
                    growth: Expr::zero(),
                };
            }
            // By a counter of the loop, as an inner loop runs whose bound it is: `for (j = 0; j <= i; j++) k++;`.
            if let Some((growth, first_step)) = step.linear_in(ends.counter)
                && self.symbols.invariant_in(&growth, of)
                && self.symbols.invariant_in(&first_step, of)
            {
                return Recurrence::Closed {
                    start: from.clone(),
                    first_step,
                    growth,
                };
            }
            if let Some((value, mut facts)) = self.by_paths(ends, from, &step) {
                if self.is_unsigned(variable) {
                    facts.push(value.clone());
                }
                return Recurrence::Open {
                    value,
                    start: from.clone(),
                    facts,
                };
            }
        }
        Recurrence::Open {
            value,
            start: from.clone(),
            facts: Vec::new(),
        }
    }

    /// Steps that depend on paths only, as in `if (c) x += 2; else x++, y++;`: the value is a sum of how often each path
    /// was taken in the iterations before, and so are those of other variables that the same paths change.
    fn by_paths(&mut self, ends: &mut Ends<'_>, from: &Expr, step: &Expr) -> Option<(Expr, Vec<Expr>)> {
        let stmt = ends.stmt;
        let varies = |walker: &Self, symbol: &Symbol| walker.symbols.varies_in(*symbol, stmt.id);
        let mut paths: Vec<Symbol> = step.symbols().into_iter().collect();
        paths.retain(|symbol| varies(self, symbol));
        let mut every = step.clone();
        let mut parts = Vec::new();
        for path in paths {
            let (slope, rest) = every.linear_in(path)?;
            if !self.paths.contains(&path) || slope.as_constant().is_none() {
                return None;
            }
            parts.push((path, slope));
            every = rest;
        }
        let count = Expr::symbol(ends.counter);
        let mut value = from + &(&every * &count);
        let mut facts = Vec::new();
        for (path, slope) in parts {
            let times = match ends.taken.get(&path) {
                Some(times) => *times,
                None => {
                    let cause = Cause::new("how often a path was taken in a loop", stmt.origin);
                    let times = self.fresh(SymbolKind::Unknown(cause), None, stmt.origin);
                    self.symbols.add_loop(times, stmt.id);
                    ends.taken.insert(path, times);
                    times
                }
            };
            let times = Expr::symbol(times);
            value = &value + &(&slope * &times);
            facts.push(times.clone());
            facts.push(&count - &times);
        }
        Some((value, facts))
    }

    /// Walks one iteration from the state at its start.
    fn iterate(&mut self, stmt: &Stmt, inner: &Loop, state: State, index: Option<LoopIndex>) -> Iteration {
        let depth = self.conditional_depth;
        let jumps = self.jumps;
        let guards = self.guards.len();
        if self.recording() && !crate::shape::early_exits(inner).is_empty() {
            self.open_guard(Guard::unknown(self.frames.len()));
        }
        self.breaks.push(Vec::new());
        let mut result = if inner.kind == LoopKind::Do {
            self.iterate_do(stmt, inner, state, index)
        } else {
            self.iterate_while(stmt, inner, state, index)
        };
        result.breaks = self.breaks.pop().unwrap_or_default();
        self.conditional_depth = depth;
        // Its own `break` and `continue` do not leave the loop; a `return` or `goto` does.
        let leaves = crate::shape::any(stmt, &mut |inner| {
            matches!(inner.kind, StmtKind::Return(_) | StmtKind::Goto(_))
        });
        self.guards.truncate(guards);
        if !leaves {
            self.jumps = jumps;
        } else {
            self.open_guard(Guard::unknown(self.frames.len().saturating_sub(1)));
        }
        result
    }

    fn iterate_while(
        &mut self,
        stmt: &Stmt,
        inner: &Loop,
        state: State,
        index: Option<LoopIndex>,
    ) -> Iteration {
        let Some((state, outcomes, exit)) = self.tested(stmt, inner, state) else {
            return Iteration {
                end: None,
                exit: None,
                test: None,
                breaks: Vec::new(),
            };
        };
        let test = outcomes.exact();
        if inner.condition.is_some() {
            self.open_guard(outcomes.guard(true, self.frames.len()));
        }
        let guards = self.guards.len();
        let end = self.body(stmt, inner, state, index);
        // `continue` does not leave out the step.
        self.guards.truncate(guards);
        let end = end.and_then(|end| self.statements(&inner.step, end));
        Iteration {
            end,
            exit,
            test,
            breaks: Vec::new(),
        }
    }

    fn iterate_do(&mut self, stmt: &Stmt, inner: &Loop, state: State, index: Option<LoopIndex>) -> Iteration {
        let nothing = Iteration {
            end: None,
            exit: None,
            test: None,
            breaks: Vec::new(),
        };
        let guards = self.guards.len();
        let Some(state) = self.body(stmt, inner, state, index) else {
            return nothing;
        };
        self.guards.truncate(guards);
        let Some(state) = self.statements(&inner.step, state) else {
            return nothing;
        };
        let Some((state, outcomes, exit)) = self.tested(stmt, inner, state) else {
            return nothing;
        };
        Iteration {
            end: Some(state),
            exit,
            test: outcomes.exact(),
            breaks: Vec::new(),
        }
    }

    /// What stands before the test, and the test: what is known where it is true, its outcomes, and what is known where it is false.
    ///
    /// What stands before it is computed before its outcome is known: in `i-- > 0` with an unsigned `i`, `i - 1` may wrap around. Where the test is true it
    /// did not, so the values are computed once more with that knowledge. Facts are about symbols, not about moments, so what the outcome says also holds of
    /// what came before.
    fn tested(
        &mut self,
        stmt: &Stmt,
        inner: &Loop,
        state: State,
    ) -> Option<(State, Outcomes, Option<State>)> {
        let mut assignments = Vec::new();
        let again = inner.condition.is_some()
            && self.plain_assignments(&inner.before_test, &mut assignments)
            && !assignments.is_empty();
        let before = again.then(|| state.clone());
        let mut state = self.statements(&inner.before_test, state)?;
        self.current = stmt.id;
        let (outcomes, exit) = self.test(inner, &mut state);
        if let Some(before) = before {
            self.assign_again(&assignments, before, &mut state);
        }
        Some((state, outcomes, exit))
    }

    /// The values of assignments with what is known behind them; `state` has those of the first time.
    fn assign_again(&mut self, assignments: &[(VariableRef, &Code)], before: State, state: &mut State) {
        let mut again = before;
        again.facts = state.facts.clone();
        self.scan(|walker| {
            for (variable, value) in assignments {
                match walker.value(value, &mut again) {
                    Some(value) => {
                        again.set(*variable, value.clone());
                        state.set(*variable, value);
                    }
                    None => again.forget(*variable),
                }
            }
        });
        state.facts = again.facts;
    }

    /// Tests the condition: `state` becomes what is known when it is true; gives it and the state when it is false.
    fn test(&mut self, inner: &Loop, state: &mut State) -> (Outcomes, Option<State>) {
        let Some(condition) = &inner.condition else {
            return (Outcomes::default(), None);
        };
        if self.inside.is_empty() {
            self.guards_outside = self.guards.len();
        }
        let guard = self.condition(condition, state);
        if self.recording() {
            self.conditions_found.insert(self.current, guard.clone());
        }
        let mut exit = state.clone();
        guard.assume_in(&mut exit, false);
        guard.assume_in(state, true);
        (guard, Some(exit))
    }

    /// Collects the assignments if there is nothing else: of followed local variables, from such variables.
    fn plain_assignments<'a>(&self, body: &'a [Stmt], found: &mut Vec<(VariableRef, &'a Code)>) -> bool {
        body.iter().all(|stmt| match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let mut loads_memory = false;
                value.walk(&mut |part| match &part.kind {
                    ExprKind::Load(from) => {
                        loads_memory |= from.as_variable().is_none_or(|variable| !self.tracked(variable));
                    }
                    ExprKind::Opaque { .. } => loads_memory = true,
                    _ => {}
                });
                match place.as_variable() {
                    Some(variable) if !loads_memory && self.tracked(variable) && self.followed(place.ty) => {
                        found.push((variable, value));
                        true
                    }
                    _ => false,
                }
            }
            StmtKind::Block { body, .. } => self.plain_assignments(body, found),
            StmtKind::Empty => true,
            _ => false,
        })
    }

    fn body(&mut self, stmt: &Stmt, inner: &Loop, state: State, index: Option<LoopIndex>) -> Option<State> {
        if let Some(index) = index {
            let facts = &mut self.loops[index.0 as usize];
            facts.facts_inside = state.facts.clone();
            if !facts.early_exits.is_empty() {
                self.conditional_depth = self.frames.len();
            }
        }
        let entry = state.clone();
        let mut ends: Vec<State> = self.statement(&inner.body, state).into_iter().collect();
        if let Some(frame) = self.frames.last_mut() {
            let continues = std::mem::take(&mut frame.continues);
            ends.extend(continues);
        }
        self.join_all(&entry, ends, stmt.origin)
    }

    /// A state at the end of a loop, seen from behind it: what differs from iteration to iteration is the value in the
    /// last one, or unknown.
    fn leave(
        &mut self,
        stmt: &Stmt,
        before: &State,
        at: State,
        assigned: &BTreeSet<VariableRef>,
        last: Option<(Symbol, &Expr)>,
    ) -> State {
        let mut result = before.clone();
        for variable in assigned {
            let ty = self.type_of(*variable);
            if !self.followed(ty) {
                continue;
            }
            let value = at.get(*variable).map(|value| match last {
                Some((counter, last)) => value.substitute(counter, last),
                None => value.clone(),
            });
            match value {
                Some(value) if self.symbols.invariant_in(&value, stmt.id) => result.set(*variable, value),
                _ => {
                    let value = self.unknown(&mut result, ty, "its last value in a loop", stmt.origin);
                    result.set(*variable, value);
                }
            }
        }
        result
    }

    /// How often the body runs if nothing leaves it early.
    fn trip(
        &mut self,
        inner: &Loop,
        iteration: &Iteration,
        counter: Symbol,
        before: &State,
        stmt: &Stmt,
    ) -> Result<Expr, Cause> {
        let at = inner
            .condition
            .as_ref()
            .map_or(stmt.origin, |condition| condition.origin);
        if inner.condition.is_none() {
            return Err(Cause::new("the loop has no condition", at));
        }
        let Some(test) = &iteration.test else {
            return Err(Cause::new(
                "the condition depends on values that are not followed",
                at,
            ));
        };
        let mut facts = before.facts.clone();
        self.symbols.assume_named(&mut facts);
        let leaves = !crate::shape::early_exits(inner).is_empty();
        let count = crate::trip::count(test, counter, &facts, leaves, |expr| {
            self.symbols.invariant_in(expr, stmt.id)
        });
        match (count, inner.kind) {
            (Some(count), LoopKind::Do) => Ok(&count + &Expr::one()),
            (Some(count), _) => Ok(count),
            (None, _) => Err(Cause::new(
                "the condition is not a bound on a variable that moves by a fixed step",
                at,
            )),
        }
    }
}

/// An iteration that was scanned to its end.
struct Ends<'a> {
    stmt: &'a Stmt,
    counter: Symbol,
    /// Where the next iteration would begin.
    end: Option<&'a State>,
    /// How often each path was taken in the iterations before.
    taken: BTreeMap<Symbol, Symbol>,
}

/// What the scan of a loop found.
struct Scanned {
    /// Of every variable that the loop assigns.
    values: BTreeMap<VariableRef, Recurrence>,
    /// What it may write.
    kills: Kills,
    /// The last iteration that was scanned; inside another scan, in terms of the loop's counter.
    iteration: Iteration,
    /// Loads that the loop does not change.
    hoisted: BTreeMap<Cell, Expr>,
    /// The greatest values of unsigned counters at the start of an iteration.
    most: BTreeMap<VariableRef, Integer>,
}

/// Value of a variable at the start of each iteration.
#[derive(Clone)]
pub(super) enum Recurrence {
    /// See [`Induction`].
    Closed {
        start: Expr,
        first_step: Expr,
        growth: Expr,
    },
    /// A value with symbols, and facts about these, each an expression that is not negative.
    Open {
        value: Expr,
        start: Expr,
        facts: Vec<Expr>,
    },
}

impl Recurrence {
    pub(super) fn at(&self, counter: Symbol) -> Expr {
        match self {
            Recurrence::Closed {
                start,
                first_step,
                growth,
            } => crate::loops::after(start, first_step, growth, &Expr::symbol(counter)),
            Recurrence::Open { value, .. } => value.clone(),
        }
    }

    /// Bounds of a value of which nothing is known but its symbol that every iteration keeps, by what is known at the end of one: never below the start,
    /// never above it, and by how much at most.
    fn keep_bounds(&mut self, known: &Facts, symbol: Symbol, next: &Expr, counter: Symbol) {
        let Recurrence::Open {
            value,
            start: from,
            facts,
        } = self
        else {
            return;
        };
        if value.as_symbol() != Some(symbol) {
            return;
        }
        let (value, from) = (&*value, &*from);
        let step = next - value;
        if known.prove_nonnegative(&step) {
            facts.push(value - from);
            if known.prove_nonnegative(&(&Expr::one() - &step)) {
                facts.push(&(from + &Expr::symbol(counter)) - value);
            }
        } else if known.prove_nonnegative(&-&step) {
            facts.push(from - value);
        } else if known.prove_nonnegative(next) && known.prove_nonnegative(from) {
            facts.push(value.clone());
        }
    }

    fn facts(&self) -> &[Expr] {
        match self {
            Recurrence::Closed { .. } => &[],
            Recurrence::Open { facts, .. } => facts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recurrence;
    use ferry_symbolic::{Expr, Facts, Symbol};

    /// What is kept of a value that ends an iteration at itself and a step, of which this is not negative.
    fn kept(step: &Expr, known: &[Expr]) -> Vec<Expr> {
        let [value, start] = [0, 1].map(|number| Expr::symbol(Symbol(number)));
        let mut facts = Facts::new();
        for fact in known {
            facts.assume_nonnegative(fact.clone());
        }
        let next = &value + step;
        let mut recurrence = Recurrence::Open {
            value,
            start,
            facts: Vec::new(),
        };
        recurrence.keep_bounds(&facts, Symbol(0), &next, Symbol(2));
        recurrence.facts().to_vec()
    }

    #[test]
    fn every_iteration_keeps_what_its_step_shows() {
        let [value, start, counter, step] = [0, 1, 2, 3].map(|number| Expr::symbol(Symbol(number)));
        assert_eq!(kept(&step, &[]), []);
        assert_eq!(kept(&step, std::slice::from_ref(&step)), [&value - &start]);
        let at_most_one = [step.clone(), &Expr::one() - &step];
        let bounds = [&value - &start, &(&start + &counter) - &value];
        assert_eq!(kept(&step, &at_most_one), bounds);
        assert_eq!(kept(&-&step, std::slice::from_ref(&step)), [&start - &value]);
        let never_below = [&value + &step, start];
        assert_eq!(kept(&step, &never_below), [value]);
    }
}
