//! Does an iteration set a variable before it reads it, by what its flags say?
//!
//! `ok = 0; if (a[i] > 0) { t = …; ok = 1; } if (ok) b[i] = t;`, or `place = -1; for (j …) if (…) { t = …; place = j; break; } if (place >= 0) b[i] = t;`: where the flag is another
//! number than the one it began with, `t` was set. A walk of one iteration as it runs keeps for each flag and each of these numbers whether that is so: whether the
//! variable is certainly set wherever the flag is not that number.
//!
//! What it cannot do: flags that are kept in memory, two flags of which only one says it, tests of other things than a variable and a constant, what a `switch`
//! does. Where there are labels or something that was not understood, nothing is known.

use crate::scalar::assigned_variables;
use crate::shape;
use ferry_ir::{
    BinaryOp, Expr, ExprKind, LogicalOp, Loop, LoopKind, Stmt, StmtKind, Type, Types, UnaryOp, VariableRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// Most flags and numbers of one iteration: with more, nothing is known.
const MOST: usize = 32;

/// Most statements that are looked at for one variable.
const WORK: usize = 20_000;

/// A variable, and a number that it may be.
type Number = (VariableRef, i128);

/// True if each iteration sets the variable before it reads it. `followed`: variables that are integers, and that only their own names change.
pub(super) fn sets_before_reading(
    types: &Types,
    inner: &Loop,
    variable: VariableRef,
    followed: &dyn Fn(VariableRef) -> bool,
) -> bool {
    let mut is_odd = |stmt: &Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Label(_)
                | StmtKind::Goto(_)
                | StmtKind::Opaque { .. }
                | StmtKind::Directive { body: Some(_), .. }
        )
    };
    if shape::iteration(inner).any(|part| shape::any(part, &mut is_odd)) {
        return false;
    }
    let numbers = numbers(inner, followed);
    if numbers.is_empty() || numbers.len() > MOST {
        return false;
    }
    let mut walk = Walk {
        types,
        variable,
        is_read: false,
        work: 0,
        targets: Vec::new(),
    };
    let begin = State {
        set: false,
        where_not: numbers.into_iter().map(|number| (number, false)).collect(),
    };
    walk.targets.push(Targets::default());
    walk.iteration(inner, begin);
    !walk.is_read && walk.work <= WORK
}

/// The constants that variables are given in the iteration, where a test asks for such a variable.
fn numbers(inner: &Loop, followed: &dyn Fn(VariableRef) -> bool) -> BTreeSet<Number> {
    let (mut given, mut tested) = (BTreeSet::new(), BTreeSet::new());
    for part in shape::iteration(inner) {
        part.walk(&mut |stmt| {
            if let StmtKind::Assign { place, value } = &stmt.kind
                && let (Some(variable), Some(number)) = (place.as_variable(), value.as_int())
                && followed(variable)
            {
                given.insert((variable, number));
            }
            // The variables of `for` loops count, and say nothing of what else was done.
            let test = match &stmt.kind {
                StmtKind::If { condition, .. } => Some(condition),
                StmtKind::Loop(of) if of.kind != LoopKind::For => of.condition.as_ref(),
                _ => None,
            };
            let mut add = |expr: &Expr| expr.walk(&mut |part| tested.extend(part.as_variable()));
            test.into_iter().for_each(&mut add);
            stmt.for_each_expression(&mut |expr| {
                expr.walk(&mut |part| match &part.kind {
                    ExprKind::Select(test, ..) | ExprKind::Logical(_, test, _) => add(test),
                    _ => {}
                });
            });
        });
    }
    given.retain(|(variable, _)| tested.contains(variable));
    given
}

/// What is known at one place.
#[derive(Clone, PartialEq)]
struct State {
    /// The variable is certainly set.
    set: bool,
    /// It is wherever the flag is not this number.
    where_not: BTreeMap<Number, bool>,
}

impl State {
    fn meet(mut self, other: State) -> State {
        let (set, theirs) = (self.set, other.set);
        for (number, known) in &mut self.where_not {
            *known = (*known || set) && (theirs || other.where_not.get(number) == Some(&true));
        }
        self.set &= theirs;
        self
    }

    /// A flag is given a number, or something else.
    fn give(&mut self, flag: VariableRef, value: Option<i128>) {
        let set = self.set;
        for ((variable, number), known) in &mut self.where_not {
            if *variable == flag {
                // Where it is this number, it is nowhere another one.
                *known = set || value == Some(*number);
            }
        }
    }

    /// What a test says where it comes out so.
    fn assume(mut self, types: &Types, test: &Expr, outcome: bool) -> State {
        match &test.kind {
            ExprKind::Unary(UnaryOp::Not, of) => return self.assume(types, of, !outcome),
            ExprKind::Logical(op, one, two) => {
                return match (op, outcome) {
                    (LogicalOp::And, true) | (LogicalOp::Or, false) => {
                        self.assume(types, one, outcome).assume(types, two, outcome)
                    }
                    // One of the two came out so, the second one behind the first one.
                    _ => {
                        let first = self.clone().assume(types, one, outcome);
                        first.meet(self.assume(types, one, !outcome).assume(types, two, outcome))
                    }
                };
            }
            _ => {}
        }
        let Some((flag, op, with)) = compared(types, test) else {
            return self;
        };
        let mut set = self.set;
        for ((variable, number), known) in &mut self.where_not {
            if *variable != flag {
                continue;
            }
            // It is another number than this one.
            if holds(*number, op, with) != outcome {
                set |= *known;
            }
            // It is this one, and no other.
            let is_equal = matches!((op, outcome), (BinaryOp::Eq, true) | (BinaryOp::Ne, false));
            *known |= is_equal && *number == with;
        }
        self.set = set;
        self
    }
}

/// A variable that is compared with a constant. The variable itself is compared with 0.
fn compared(types: &Types, test: &Expr) -> Option<(VariableRef, BinaryOp, i128)> {
    let variable = |expr| kept(types, expr).as_variable();
    if let ExprKind::Binary(op, one, two) = &test.kind
        && op.is_comparison()
    {
        return match (variable(one), two.as_int(), one.as_int(), variable(two)) {
            (Some(flag), Some(with), ..) => Some((flag, *op, with)),
            (_, _, Some(with), Some(flag)) => Some((flag, op.swapped(), with)),
            _ => None,
        };
    }
    Some((variable(test)?, BinaryOp::Ne, 0))
}

/// An expression without the casts that leave its number as it is.
fn kept<'e>(types: &Types, expr: &'e Expr) -> &'e Expr {
    let ExprKind::Cast(of) = &expr.kind else {
        return expr;
    };
    let stays = match (types.get(of.ty), types.get(expr.ty)) {
        (Type::Bool, Type::Int { .. }) => true,
        (
            Type::Int {
                bits: from,
                signed: one,
            },
            Type::Int {
                bits: to,
                signed: two,
            },
        ) => (one == two && from <= to) || (!one && from < to),
        _ => false,
    };
    match stays {
        true => kept(types, of),
        false => expr,
    }
}

fn holds(number: i128, op: BinaryOp, with: i128) -> bool {
    match op {
        BinaryOp::Lt => number < with,
        BinaryOp::Le => number <= with,
        BinaryOp::Gt => number > with,
        BinaryOp::Ge => number >= with,
        BinaryOp::Eq => number == with,
        _ => number != with,
    }
}

/// What comes to the places to which jumps go.
#[derive(Default)]
struct Targets {
    at_break: Option<State>,
    at_continue: Option<State>,
}

struct Walk<'a> {
    types: &'a Types,
    variable: VariableRef,
    /// It is read where it is not certainly set.
    is_read: bool,
    work: usize,
    /// Of the loops and switches around, innermost last.
    targets: Vec<Targets>,
}

impl Walk<'_> {
    /// One iteration, from its test on; what is known where the next one begins, and where the test fails.
    fn iteration(&mut self, inner: &Loop, state: State) -> (Option<State>, Option<State>) {
        if inner.kind == LoopKind::Do {
            let behind = self.body(inner, state);
            let Some(behind) = behind.and_then(|behind| self.all(&inner.step, behind)) else {
                return (None, None);
            };
            return self.test(inner, behind);
        }
        let (inside, past) = self.test(inner, state);
        let behind = inside.and_then(|inside| self.body(inner, inside));
        (behind.and_then(|behind| self.all(&inner.step, behind)), past)
    }

    fn body(&mut self, inner: &Loop, state: State) -> Option<State> {
        let behind = self.statement(&inner.body, state);
        let continued = self
            .targets
            .last_mut()
            .and_then(|targets| targets.at_continue.take());
        either(behind, continued)
    }

    fn test(&mut self, inner: &Loop, state: State) -> (Option<State>, Option<State>) {
        let Some(tested) = self.all(&inner.before_test, state) else {
            return (None, None);
        };
        let Some(condition) = &inner.condition else {
            return (Some(tested), None);
        };
        self.read(condition, &tested);
        (
            Some(tested.clone().assume(self.types, condition, true)),
            Some(tested.assume(self.types, condition, false)),
        )
    }

    fn all(&mut self, body: &[Stmt], state: State) -> Option<State> {
        body.iter()
            .try_fold(state, |state, stmt| self.statement(stmt, state))
    }

    /// What is known behind a statement; `None` if it is not gone on behind it.
    fn statement(&mut self, stmt: &Stmt, mut state: State) -> Option<State> {
        self.work += 1;
        if self.work > WORK {
            return None;
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => self.all(body, state),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.read(condition, &state);
                let yes = self.statement(then, state.clone().assume(self.types, condition, true));
                let no = state.assume(self.types, condition, false);
                let no = match otherwise {
                    Some(otherwise) => self.statement(otherwise, no),
                    None => Some(no),
                };
                either(yes, no)
            }
            StmtKind::Loop(inner) => self.inner_loop(inner, state),
            StmtKind::Switch { .. } => {
                let mut assigned = BTreeSet::new();
                assigned_variables(stmt, &mut assigned);
                // What its cases read is asked of what is known in front of all of them, and what they jump to of the same.
                self.read_inside(stmt, &state);
                assigned.iter().for_each(|flag| state.give(*flag, None));
                let continues = shape::any(stmt, &mut |part| matches!(part.kind, StmtKind::Continue));
                if let (true, Some(targets)) = (continues, self.targets.last_mut()) {
                    targets.at_continue = either(targets.at_continue.take(), Some(state.clone()));
                }
                Some(state)
            }
            StmtKind::Break | StmtKind::Continue => {
                if let Some(targets) = self.targets.last_mut() {
                    let target = match stmt.kind {
                        StmtKind::Break => &mut targets.at_break,
                        _ => &mut targets.at_continue,
                    };
                    *target = either(target.take(), Some(state));
                }
                None
            }
            StmtKind::Return(_) => {
                stmt.for_each_expression(&mut |expr| self.read(expr, &state));
                None
            }
            _ => {
                stmt.for_each_expression(&mut |expr| self.read(expr, &state));
                let mut assigned = BTreeSet::new();
                assigned_variables(stmt, &mut assigned);
                let value = match &stmt.kind {
                    StmtKind::Assign { value, .. } => value.as_int(),
                    _ => None,
                };
                let declared = matches!(stmt.kind, StmtKind::Declare { .. });
                for variable in assigned {
                    if variable == self.variable && !declared {
                        state.set = true;
                    }
                    state.give(variable, value);
                }
                Some(state)
            }
        }
    }

    fn inner_loop(&mut self, inner: &Loop, state: State) -> Option<State> {
        let mut head = self.all(&inner.init, state)?;
        let mut left = None;
        loop {
            self.targets.push(Targets::default());
            let (next, past) = self.iteration(inner, head.clone());
            let targets = self.targets.pop().unwrap_or_default();
            left = either(left, either(past, targets.at_break));
            let met = match next {
                Some(next) => head.clone().meet(next),
                None => break,
            };
            // Less and less is known, so that it ends.
            if met == head || self.work > WORK {
                break;
            }
            head = met;
        }
        left
    }

    /// The variable is read in an expression.
    fn read(&mut self, expr: &Expr, state: &State) {
        if state.set || self.is_read {
            return;
        }
        match &expr.kind {
            ExprKind::Logical(op, one, two) => {
                self.read(one, state);
                let goes_on = state.clone().assume(self.types, one, *op == LogicalOp::And);
                self.read(two, &goes_on);
            }
            ExprKind::Select(test, one, two) => {
                self.read(test, state);
                self.read(one, &state.clone().assume(self.types, test, true));
                self.read(two, &state.clone().assume(self.types, test, false));
            }
            _ => {
                self.is_read |= expr.as_variable() == Some(self.variable);
                expr.for_each_child(&mut |child| self.read(child, state));
            }
        }
    }

    /// The same of all that stands in a statement.
    fn read_inside(&mut self, stmt: &Stmt, state: &State) {
        stmt.walk(&mut |part| part.for_each_expression(&mut |expr| self.read(expr, state)));
    }
}

/// What is known where both ways meet, of which one may not come there.
fn either(one: Option<State>, two: Option<State>) -> Option<State> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.meet(two)),
        (one, two) => one.or(two),
    }
}
