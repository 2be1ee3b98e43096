//! Which whole variables are read before they are written, always written, and used later?
//!
//! Follows scalars and records by name, integers and floating-point alike. Liveness is a backward walk over the
//! structured program (with the jumps that leave loops and switches), loops and labels until nothing changes. In a function
//! with jumps that nobody can follow (computed `goto`) every variable counts as used later.

use ferry_ir::{
    Expr, ExprKind, LabelId, Loop, LoopKind, Place, PlaceBase, Stmt, StmtId, StmtKind, VariableRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// A set of variables.
pub type Variables = BTreeSet<VariableRef>;

/// All whole variables that the statement may assign.
pub fn assigned_variables(stmt: &Stmt, found: &mut Variables) {
    stmt.walk(&mut |inner| {
        if let Some(place) = inner.written_place() {
            found.extend(place.as_variable());
        }
        if let StmtKind::Opaque { mentions, .. } = &inner.kind {
            for mention in mentions {
                mention.walk(&mut |expr| found.extend(expr.as_variable()));
            }
        }
        if let StmtKind::Declare { local } = &inner.kind {
            found.insert(VariableRef::Local(*local));
        }
    });
}

/// What each loop does to whole variables.
#[derive(Clone, Debug, Default)]
pub struct LoopScalars {
    /// Assigned in the loop (body, step, test), declarations inside it included.
    pub assigned: Variables,
    /// Read in an iteration before that iteration has certainly written them.
    pub exposed: Variables,
    /// Of these, those that are so also where every loop inside runs at least once.
    pub exposed_where_loops_run: Variables,
    /// Those that are exposed for all that a compiler sees: it knows of loops that run a fixed number of times, not of others that certainly run.
    pub exposed_to_compilers: Variables,
    /// Variables that every iteration that comes to its end has set, for all that compilers see.
    pub written_for_compilers: Variables,
    /// Certainly written in every iteration that ends.
    pub written: Variables,
    /// Declared inside the body.
    pub declared: Variables,
    /// May be read behind the loop (or in a later run of it) before they are written again.
    pub live_after: Variables,
    /// May be read in the loop or behind it before they are written again, seen from before the loop.
    pub live_before: Variables,
}

/// Whether a loop runs at least once whenever it is come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// It may not.
    Perhaps,
    /// It does, as is proved.
    Certainly,
    /// It runs a fixed number of times.
    ByConstants,
}

/// Computes the facts of all loops of a function body.
pub fn loops(body: &Stmt, runs: &dyn Fn(StmtId) -> Runs) -> BTreeMap<StmtId, LoopScalars> {
    let anywhere = crate::shape::any(body, &mut |stmt| {
        matches!(stmt.kind, StmtKind::Opaque { jumps: true, .. })
    });
    let jumps = match anywhere {
        true => {
            let mut all = Variables::new();
            body.walk(&mut |stmt| stmt.for_each_expression(&mut |expr| Liveness::read(expr, &mut all)));
            Jumps::Anywhere(all)
        }
        false => Jumps::To(BTreeMap::new()),
    };
    let mut liveness = Liveness::new(jumps, &never);
    loop {
        let known = liveness.jumps.clone();
        liveness.statement(body, Variables::new(), &Targets::default());
        // What is live at a label is live at each jump to it, also at those that come later.
        if liveness.jumps == known {
            break;
        }
    }
    let mut result = BTreeMap::new();
    body.walk(&mut |stmt| {
        let StmtKind::Loop(inner) = &stmt.kind else { return };
        let mut facts = LoopScalars::default();
        for part in inner
            .before_test
            .iter()
            .chain(&inner.step)
            .chain(std::iter::once(&inner.body))
        {
            assigned_variables(part, &mut facts.assigned);
            part.walk(&mut |nested| {
                if let StmtKind::Declare { local } = &nested.kind {
                    facts.declared.insert(VariableRef::Local(*local));
                }
            });
        }
        facts.exposed = exposed_in_iteration(inner, &|stmt| runs(stmt) != Runs::Perhaps);
        facts.exposed_where_loops_run = exposed_in_iteration(inner, &|_| true);
        facts.exposed_to_compilers = exposed_in_iteration(inner, &|stmt| runs(stmt) == Runs::ByConstants);
        facts.written = certainly_written(inner, &|stmt| runs(stmt) != Runs::Perhaps);
        facts.written_for_compilers = certainly_written(inner, &|stmt| runs(stmt) == Runs::ByConstants);
        facts.live_after = liveness.after.remove(&stmt.id).unwrap_or_default();
        facts.live_before = liveness.before.remove(&stmt.id).unwrap_or_default();
        result.insert(stmt.id, facts);
    });
    result
}

/// Liveness takes every loop for one that may not run: what it says of others than the loop itself is asked by more than this page.
fn never(_: StmtId) -> bool {
    false
}

fn exposed_in_iteration(inner: &Loop, runs: &dyn Fn(StmtId) -> bool) -> Variables {
    let mut local = Liveness::new(Jumps::Inside, runs);
    let nothing = Variables::new();
    match inner.kind {
        LoopKind::Do => {
            let test = local.test(inner, nothing.clone(), nothing);
            local.body_and_step(inner, test, &Variables::new())
        }
        _ => {
            let body = local.body_and_step(inner, nothing.clone(), &nothing);
            local.test(inner, body, nothing)
        }
    }
}

/// The variable that a load reads, whole or in part.
fn read_variable(expr: &Expr) -> Option<VariableRef> {
    match &expr.kind {
        ExprKind::Load(place) => base_variable(place),
        // The address may be used to read it.
        ExprKind::AddressOf(place) => base_variable(place),
        _ => None,
    }
}

fn base_variable(place: &Place) -> Option<VariableRef> {
    match place.base {
        PlaceBase::Variable(variable) => Some(variable),
        PlaceBase::Deref(_) => None,
    }
}

/// Where jumps go: what is live there.
#[derive(Clone, Default)]
struct Targets {
    at_break: Variables,
    at_continue: Variables,
}

/// Where a `goto` goes on.
#[derive(Clone, PartialEq)]
enum Jumps {
    /// Only a part of the function is looked at: behind the `goto`, for all that is asked. Nothing is asked of loops with labels.
    Inside,
    /// At its label, with what is live there as far as that was found.
    To(BTreeMap<LabelId, Variables>),
    /// Nobody knows: all variables that the function reads are live.
    Anywhere(Variables),
}

struct Liveness<'r> {
    /// Loops that run at least once.
    runs: &'r dyn Fn(StmtId) -> bool,
    after: BTreeMap<StmtId, Variables>,
    before: BTreeMap<StmtId, Variables>,
    /// What is live before an iteration of each loop, as far as that was found. A loop is looked at again only for more that is live behind it, so that is where it goes on:
    /// from nothing each time, a nest would be walked twice for each of its loops, one in the other.
    at_top: BTreeMap<StmtId, Variables>,
    jumps: Jumps,
}

impl<'r> Liveness<'r> {
    fn new(jumps: Jumps, runs: &'r dyn Fn(StmtId) -> bool) -> Liveness<'r> {
        Liveness {
            runs,
            after: BTreeMap::new(),
            before: BTreeMap::new(),
            at_top: BTreeMap::new(),
            jumps,
        }
    }

    fn read(expr: &Expr, live: &mut Variables) {
        expr.walk(&mut |inner| live.extend(read_variable(inner)));
    }

    fn statement(&mut self, stmt: &Stmt, mut live: Variables, targets: &Targets) -> Variables {
        match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Zero { place } => {
                if let Some(variable) = place.as_variable() {
                    live.remove(&variable);
                }
                stmt.for_each_expression(&mut |expr| Self::read(expr, &mut live));
                live
            }
            StmtKind::Call { result, .. } => {
                if let Some(variable) = result.as_ref().and_then(Place::as_variable) {
                    live.remove(&variable);
                }
                stmt.for_each_expression(&mut |expr| Self::read(expr, &mut live));
                live
            }
            StmtKind::Declare { local } => {
                live.remove(&VariableRef::Local(*local));
                live
            }
            StmtKind::Block { body, .. } => body
                .iter()
                .rev()
                .fold(live, |live, stmt| self.statement(stmt, live, targets)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let mut result = self.statement(then, live.clone(), targets);
                match otherwise {
                    Some(otherwise) => result.extend(self.statement(otherwise, live, targets)),
                    None => result.extend(live),
                }
                Self::read(condition, &mut result);
                result
            }
            StmtKind::Loop(inner) => self.loop_statement(stmt.id, inner, live),
            StmtKind::Switch { value, body } => {
                let inside = Targets {
                    at_break: live.clone(),
                    at_continue: targets.at_continue.clone(),
                };
                if let Some(cases) = crate::shape::cases(body) {
                    let mut result = self.cases(cases, live, &inside);
                    Self::read(value, &mut result);
                    return result;
                }
                // Any case may be the first: what is live at any place of the body may be live before it.
                let mut result = live.clone();
                result.extend(self.statement(body, live, &inside));
                body.walk(&mut |inner| {
                    inner.for_each_expression(&mut |expr| Self::read(expr, &mut result));
                });
                Self::read(value, &mut result);
                result
            }
            StmtKind::Break => targets.at_break.clone(),
            StmtKind::Continue => targets.at_continue.clone(),
            StmtKind::Return(value) => {
                let mut live = Variables::new();
                if let Some(value) = value {
                    Self::read(value, &mut live);
                }
                live
            }
            StmtKind::Goto(label) => match &self.jumps {
                Jumps::Inside => live,
                Jumps::To(labels) => labels.get(label).cloned().unwrap_or_default(),
                Jumps::Anywhere(all) => all.clone(),
            },
            StmtKind::Label(label) => {
                match &mut self.jumps {
                    Jumps::Inside => {}
                    Jumps::To(labels) => labels.entry(*label).or_default().extend(live.iter().copied()),
                    Jumps::Anywhere(all) => live.extend(all.iter().copied()),
                }
                live
            }
            // A variable that the body writes may be a private copy: the one outside lives on.
            StmtKind::Directive { body: Some(body), .. } => {
                let mut result = self.statement(body, live.clone(), targets);
                result.extend(live);
                result
            }
            StmtKind::Directive { body: None, .. } => live,
            StmtKind::Opaque { .. } => {
                stmt.for_each_expression(&mut |expr| Self::read(expr, &mut live));
                live
            }
            StmtKind::Case { .. } | StmtKind::Default | StmtKind::Empty => live,
        }
    }

    fn sequence(&mut self, body: &[Stmt], live: Variables) -> Variables {
        let targets = Targets::default();
        body.iter()
            .rev()
            .fold(live, |live, stmt| self.statement(stmt, live, &targets))
    }

    /// Before the test: it is followed by `inside` when true and `behind` when false.
    fn test(&mut self, inner: &Loop, inside: Variables, behind: Variables) -> Variables {
        let mut live = inside;
        if inner.condition.is_some() {
            live.extend(behind);
        }
        if let Some(condition) = &inner.condition {
            Self::read(condition, &mut live);
        }
        self.sequence(&inner.before_test, live)
    }

    fn body_and_step(&mut self, inner: &Loop, next: Variables, behind: &Variables) -> Variables {
        let step = self.sequence(&inner.step, next);
        let targets = Targets {
            at_break: behind.clone(),
            at_continue: step.clone(),
        };
        self.statement(&inner.body, step, &targets)
    }

    /// What is live before a switch with these statements: what is at the labels, and behind it where no label need fit.
    fn cases(&mut self, cases: &[Stmt], behind: Variables, targets: &Targets) -> Variables {
        let mut result = Variables::new();
        let is_default = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Default);
        if !cases.iter().any(is_default) {
            result.extend(behind.iter().copied());
        }
        let mut live = behind;
        for stmt in cases.iter().rev() {
            live = self.statement(stmt, live, targets);
            if crate::shape::is_case(stmt) {
                result.extend(live.iter().copied());
            }
        }
        result
    }

    fn loop_statement(&mut self, id: StmtId, inner: &Loop, behind: Variables) -> Variables {
        let after = self.after.entry(id).or_default();
        after.extend(behind.iter().copied());
        match &self.jumps {
            Jumps::Inside => {}
            // Most functions have none, and loops are looked at more than once.
            Jumps::To(labels) if labels.is_empty() => {}
            Jumps::To(labels) => inner.body.walk(&mut |stmt| {
                if let StmtKind::Goto(label) = &stmt.kind {
                    after.extend(labels.get(label).into_iter().flatten().copied());
                }
            }),
            Jumps::Anywhere(all) => after.extend(all.iter().copied()),
        }
        let mut at_top = self.at_top.remove(&id).unwrap_or_default();
        loop {
            let new = if inner.kind == LoopKind::Do {
                let test = self.test(inner, at_top.clone(), behind.clone());
                self.body_and_step(inner, test, &behind)
            } else {
                let body = self.body_and_step(inner, at_top.clone(), &behind);
                self.test(inner, body, behind.clone())
            };
            if new.is_subset(&at_top) {
                break;
            }
            at_top.extend(new);
        }
        self.at_top.insert(id, at_top.clone());
        // The first test does not lead behind the loop.
        let first = match inner.kind != LoopKind::Do && (self.runs)(id) {
            true => {
                let body = self.body_and_step(inner, at_top, &behind);
                self.test(inner, body, Variables::new())
            }
            false => at_top,
        };
        let before = self.sequence(&inner.init, first);
        let known = self.before.entry(id).or_default();
        known.extend(before.iter().copied());
        if let Jumps::Anywhere(all) = &self.jumps {
            known.extend(all.iter().copied());
        }
        before
    }
}

/// The variables that every iteration of a loop writes, if it ends by reaching its step.
fn certainly_written(inner: &Loop, runs: &dyn Fn(StmtId) -> bool) -> Variables {
    let mut written = Variables::new();
    for stmt in &inner.before_test {
        written_by(stmt, runs, &mut written);
    }
    // The body may be left in the middle.
    if !may_miss_the_end(&inner.body) {
        written_by(&inner.body, runs, &mut written);
    }
    for stmt in &inner.step {
        written_by(stmt, runs, &mut written);
    }
    written
}

/// True if an iteration of the loop with this body may go on to the next one without coming to its end.
pub fn may_miss_the_end(body: &Stmt) -> bool {
    match &body.kind {
        StmtKind::Continue | StmtKind::Goto(_) => true,
        StmtKind::Loop(_) => false,
        _ => body.children().into_iter().any(may_miss_the_end),
    }
}

/// Adds what the statement certainly writes when control falls out of it.
fn written_by(stmt: &Stmt, runs: &dyn Fn(StmtId) -> bool, written: &mut Variables) {
    if let Some(variable) = stmt.written_place().and_then(Place::as_variable) {
        written.insert(variable);
    }
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().for_each(|stmt| written_by(stmt, runs, written)),
        StmtKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } => {
            let (mut yes, mut no) = (Variables::new(), Variables::new());
            written_by(then, runs, &mut yes);
            written_by(otherwise, runs, &mut no);
            written.extend(yes.intersection(&no));
        }
        StmtKind::Loop(inner) => {
            let all = |parts: &[Stmt], written: &mut Variables| {
                parts.iter().for_each(|part| written_by(part, runs, written));
            };
            let (last, whole) = (inner.kind == LoopKind::Do, !crate::shape::may_leave(&inner.body));
            all(&inner.init, written);
            // A test that comes last is not reached by what leaves the body before.
            if !last || whole {
                all(&inner.before_test, written);
            }
            if whole && (last || runs(stmt.id)) {
                written_by(&inner.body, runs, written);
            }
        }
        // What a directive's body writes may be a private copy.
        _ => {}
    }
}

/// True if an index or pointer inside the place mentions the variable.
pub fn place_mentions(place: &Place, variable: VariableRef) -> bool {
    let mut found = false;
    place.for_each_child(&mut |expr| found |= expr_mentions(expr, variable));
    found
}

/// True if the expression mentions the variable anywhere.
pub fn expr_mentions(expr: &Expr, variable: VariableRef) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= match &inner.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => base_variable(place) == Some(variable),
            _ => false,
        };
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferry_ir::{LocalId, parse_unit};

    /// A variable that is read at a label is used later where something jumps there, also from behind the loop back to before it; others are not.
    #[test]
    fn what_is_read_at_a_label_is_used_where_something_jumps_there() {
        let used = |before: &str, behind: &str| {
            let text = format!(
                "unit 0
                function f: fn<void(i32)> external {{
                    parameter n: i32;
                    local t: i32;
                    local u: i32;
                    label l;
                    body {{ [1] declare t; [2] declare u; {before}
                        [4] while (n) [5] {{ [6] t = n; }}
                        [7] if (n > 3) [8] goto l;
                        {behind} }}
                }}"
            );
            let unit = parse_unit(&text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]));
            let function = unit.functions().next().unwrap().1;
            let found = loops(function.body.as_ref().unwrap(), &|_| Runs::Perhaps);
            found[&StmtId(4)]
                .live_after
                .contains(&VariableRef::Local(LocalId(1)))
        };
        assert!(!used("", "[9] return; [10] label l; [11] u = n;"));
        assert!(used("", "[9] return; [10] label l; [11] u = t;"));
        assert!(!used("", "[9] t = n; [10] label l; [11] t = n; [12] u = t;"));
        assert!(used("[3] label l; [10] u = t;", "[9] return;"));
        assert!(!used("[3] label l; [10] t = u;", "[9] return;"));
    }

    /// What is read behind the innermost loop only in the next iteration of the outermost one is used later, however often the loops between them were looked at before that was
    /// known.
    #[test]
    fn a_loop_is_looked_at_again_for_more_that_is_read_behind_it() {
        let text = "unit 0
            function f: fn<void(i32)> external {
                parameter n: i32;
                local t: i32;
                local u: i32;
                body { [1] declare t; [2] t = 0; [3] declare u;
                    [4] while (n) [5] { [6] u = t; [7] while (n) [8] while (n > 1) [9] while (n > 2) [10] { [11] t = n; } }
                    [12] empty; }
            }";
        let unit = parse_unit(text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]));
        let function = unit.functions().next().unwrap().1;
        let found = loops(function.body.as_ref().unwrap(), &|_| Runs::Perhaps);
        let t = VariableRef::Local(LocalId(1));
        for inner in [7, 8, 9] {
            assert!(found[&StmtId(inner)].live_after.contains(&t), "[{inner}]");
        }
        assert!(!found[&StmtId(4)].live_after.contains(&t));
        assert!(
            !found[&StmtId(9)]
                .live_after
                .contains(&VariableRef::Local(LocalId(2)))
        );
    }
}
