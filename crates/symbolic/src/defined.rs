//! Where is an expression defined? Not where it divides by 0, shifts by a negative amount, or no guard holds.

use crate::atom::{Atom, Operation};
use crate::condition::{Condition, ConditionKind};
use crate::expr::Expr;
use crate::facts::Facts;

/// How deep operands are looked into; deeper ones count as possibly undefined.
const DEPTH: u32 = 20;

impl Facts {
    /// Is `e` certainly defined where the facts hold: no division by 0, no negative shift, some guard true? A text that is evaluated
    /// where the program did not evaluate the expression needs this.
    pub fn prove_defined(&self, e: &Expr) -> bool {
        defined(self, e, DEPTH)
    }

    /// Is the condition certainly defined where the facts hold? `a && b` is, if `b` is wherever `a` holds, in any order.
    pub fn prove_condition_defined(&self, condition: &Condition) -> bool {
        match condition.kind() {
            ConditionKind::True | ConditionKind::False => true,
            ConditionKind::Comparison(comparison) => self.prove_defined(&comparison.expr),
            ConditionKind::And(operands) => {
                evaluation_order(self, operands, true).is_some_and(|(_, all)| all)
            }
            ConditionKind::Or(operands) => {
                evaluation_order(self, operands, false).is_some_and(|(_, all)| all)
            }
        }
    }
}

impl Expr {
    /// Is it defined for all values of its symbols, by its form?
    pub fn is_total(&self) -> bool {
        self.atoms().iter().all(|atom| match atom.operation() {
            None => true,
            Some(_) => defined(&Facts::new(), &Expr::atom(atom.clone()), 4),
        })
    }
}

impl Condition {
    /// Is it defined for all values of its symbols, by its form?
    pub fn is_total(&self) -> bool {
        match self.kind() {
            ConditionKind::True | ConditionKind::False => true,
            ConditionKind::Comparison(comparison) => comparison.expr.is_total(),
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                operands.iter().all(Condition::is_total)
            }
        }
    }
}

/// An order of the operands of a conjunction (or disjunction) in which each is defined where the ones before it do not decide,
/// and whether that is so for the last one too. `None`: there is none.
pub(crate) fn evaluation_order(
    facts: &Facts,
    operands: &[Condition],
    conjunction: bool,
) -> Option<(Vec<Condition>, bool)> {
    let mut known = facts.clone();
    let mut left: Vec<&Condition> = operands.iter().collect();
    let mut order = Vec::with_capacity(operands.len());
    while !left.is_empty() {
        let next = left
            .iter()
            .position(|operand| operand.is_total() || known.prove_condition_defined(operand));
        let Some(next) = next else {
            // The last one alone is undefined just where the whole is.
            return match left[..] {
                [last] => {
                    order.push(last.clone());
                    Some((order, false))
                }
                _ => None,
            };
        };
        let operand = left.remove(next);
        known.assume(&if conjunction {
            operand.clone()
        } else {
            operand.not()
        });
        order.push(operand.clone());
    }
    Some((order, true))
}

fn defined(facts: &Facts, e: &Expr, depth: u32) -> bool {
    e.atoms().iter().all(|atom| atom_defined(facts, atom, depth))
}

fn atom_defined(facts: &Facts, atom: &Atom, depth: u32) -> bool {
    let Some(operation) = atom.operation() else {
        return true;
    };
    if depth == 0 {
        return false;
    }
    let both = |a: &Expr, b: &Expr| defined(facts, a, depth - 1) && defined(facts, b, depth - 1);
    match operation {
        Operation::Max(operands) => operands.iter().all(|operand| defined(facts, operand, depth - 1)),
        Operation::And(a, b) | Operation::Or(a, b) | Operation::Xor(a, b) => both(a, b),
        Operation::FloorDiv(a, b)
        | Operation::FloorMod(a, b)
        | Operation::TruncDiv(a, b)
        | Operation::TruncRem(a, b) => both(a, b) && facts.prove_nonzero(b),
        // A shift by too much is no integer of any machine.
        Operation::ShiftLeft(a, b) | Operation::ShiftRight(a, b) => both(a, b) && facts.prove_nonnegative(b),
        Operation::Guarded(cases) => {
            let some = Condition::any(cases.iter().map(|(condition, _)| condition.clone()));
            cases.iter().all(|(condition, value)| {
                facts.prove_condition_defined(condition) && defined(&facts.with(condition), value, depth - 1)
            }) && facts.prove(&some)
        }
        Operation::Oversize { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::Symbol;

    #[test]
    fn divisors_must_not_be_zero() {
        let (n, m) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let quotient = Expr::trunc_div(&n, &m);
        let mut facts = Facts::new();
        assert!(!facts.prove_defined(&quotient) && !quotient.is_total());
        assert!(Expr::trunc_div(&n, &Expr::int(4)).is_total());
        // m != 0 && n / m > 1, whichever comes first in the canonical order.
        let guarded = Condition::nonzero(&m).and(&Condition::less(&Expr::one(), &quotient));
        assert!(facts.prove_condition_defined(&guarded));
        assert!(!facts.prove_condition_defined(&guarded.not().and(&Condition::positive(&quotient))));
        assert!(facts.prove_defined(&Expr::select(&Condition::nonzero(&m), &quotient, &Expr::zero())));
        facts.assume_positive(&m);
        assert!(facts.prove_defined(&quotient));
    }
}
