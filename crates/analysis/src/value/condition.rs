//! What does a condition say about values? Both of its outcomes, as far as they can be expressed.

use super::Walker;
use crate::access::Guard;
use crate::state::State;
use ferry_ir::{BinaryOp, Expr as Code, ExprKind, LogicalOp, UnaryOp};
use ferry_symbolic::{Atom, Condition, Expr, Operation};

/// What is known where a condition is true, and where it is false. Where one outcome cannot be expressed it is
/// `None`, and nothing is learned there.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// Holds whenever the condition is true.
    pub when_true: Option<Condition>,
    /// Holds whenever the condition is false.
    pub when_false: Option<Condition>,
    /// True if `when_true` holds exactly when the condition is true.
    pub exact: bool,
}

impl Outcomes {
    /// One outcome as a condition on what follows, inside this many loops.
    pub(crate) fn guard(&self, outcome: bool, loops: usize) -> Guard {
        let known = if outcome {
            &self.when_true
        } else {
            &self.when_false
        };
        Guard {
            condition: known.clone(),
            exact: self.exact && known.is_some(),
            loops,
            point: None,
        }
    }

    pub(crate) fn known(condition: Condition) -> Outcomes {
        Outcomes {
            when_false: Some(condition.not()),
            when_true: Some(condition),
            exact: true,
        }
    }

    /// The condition itself, if it is fully known.
    pub fn exact(&self) -> Option<Condition> {
        if self.exact { self.when_true.clone() } else { None }
    }

    /// The outcome, if what is known leaves only one.
    pub fn decided(&self, state: &State) -> Option<bool> {
        let condition = self.exact()?;
        if state.facts.prove(&condition) {
            Some(true)
        } else if state.facts.prove(&condition.not()) {
            Some(false)
        } else {
            None
        }
    }

    /// Adds to the facts of a state what an outcome says.
    pub fn assume_in(&self, state: &mut State, outcome: bool) {
        let known = if outcome {
            &self.when_true
        } else {
            &self.when_false
        };
        if let Some(condition) = known {
            state.facts.assume(condition);
        }
    }

    pub(crate) fn not(self) -> Outcomes {
        Outcomes {
            when_true: self.when_false,
            when_false: self.when_true,
            exact: self.exact,
        }
    }

    /// Both.
    pub fn and(self, other: Outcomes) -> Outcomes {
        let when_true = match (self.when_true, other.when_true) {
            (Some(a), Some(b)) => Some(a.and(&b)),
            (one, two) => one.or(two),
        };
        let when_false = match (self.when_false, other.when_false) {
            (Some(a), Some(b)) => Some(a.or(&b)),
            _ => None,
        };
        Outcomes {
            when_true,
            when_false,
            exact: self.exact && other.exact,
        }
    }

    /// Either.
    pub fn or(self, other: Outcomes) -> Outcomes {
        self.not().and(other.not()).not()
    }
}

/// A comparison of two values. Where one is a number and the other one of several numbers, it says which of the cases it is: `off` is 0 where the condition
/// did not hold whose value it has.
pub(crate) fn comparison(op: BinaryOp, a: &Expr, b: &Expr) -> Condition {
    if let (Some(Operation::Guarded(cases)), Some(_)) =
        (a.as_atom().and_then(Atom::operation), b.as_constant())
        && cases.iter().all(|(_, value)| value.as_constant().is_some())
    {
        let holding = cases
            .iter()
            .filter(|(_, value)| comparison(op, value, b).is_always());
        return Condition::any(holding.map(|(condition, _)| condition.clone()));
    }
    match op {
        BinaryOp::Lt => Condition::less(a, b),
        BinaryOp::Le => Condition::less_equal(a, b),
        BinaryOp::Gt => Condition::less(b, a),
        BinaryOp::Ge => Condition::less_equal(b, a),
        BinaryOp::Eq => Condition::equal(a, b),
        _ => Condition::not_equal(a, b),
    }
}

impl Walker<'_> {
    /// What a condition says. All loads inside are recorded.
    pub fn condition(&mut self, code: &Code, state: &mut State) -> Outcomes {
        match &code.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.condition(operand, state).not(),
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let (a, b) = (self.value(left, state), self.value(right, state));
                match (a, b) {
                    (Some(a), Some(b)) => Outcomes::known(comparison(*op, &a, &b)),
                    _ => Outcomes::default(),
                }
            }
            ExprKind::Logical(op, left, right) => {
                let first = self.condition(left, state);
                let mut branch = state.clone();
                first.assume_in(&mut branch, *op == LogicalOp::And);
                let taken = first.guard(*op == LogicalOp::And, self.frames.len());
                let second = self.guarded(taken, |walker| walker.condition(right, &mut branch));
                match op {
                    LogicalOp::And => first.and(second),
                    LogicalOp::Or => first.or(second),
                }
            }
            ExprKind::Cast(operand) if self.followed(operand.ty) && self.followed(code.ty) => {
                match self.value(code, state) {
                    Some(value) => Outcomes::known(comparison(BinaryOp::Ne, &value, &Expr::zero())),
                    None => Outcomes::default(),
                }
            }
            _ => match self.value(code, state) {
                Some(value) => Outcomes::known(comparison(BinaryOp::Ne, &value, &Expr::zero())),
                None => Outcomes::default(),
            },
        }
    }
}
