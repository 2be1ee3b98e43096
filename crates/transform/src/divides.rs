//! Can a value be computed where the program itself may not compute it?
//!
//! What is written in front of a loop is evaluated also where the loop does not run, or does not come to the place that divides. There a divisor may be 0.
//!
//! What it cannot do: know that the loop's own head divides before anything else, so that a divisor is not 0 wherever the loop is reached.

use ferry_symbolic::{Atom, Condition, ConditionKind, Expr, Facts, Operation};

/// True if no divisor is 0 where `facts` hold, as the value is written.
pub fn is_computable(value: &Expr, facts: &Facts) -> bool {
    value.terms().all(|term| {
        let factors = term.monomial.factors().iter();
        let mut operations = factors.filter_map(|(atom, _)| Atom::operation(atom));
        operations.all(|operation| is_operation_computable(operation, facts))
    })
}

fn is_operation_computable(operation: &Operation, facts: &Facts) -> bool {
    match operation {
        Operation::FloorDiv(_, divisor)
        | Operation::FloorMod(_, divisor)
        | Operation::TruncDiv(_, divisor)
        | Operation::TruncRem(_, divisor)
            if !facts.prove(&Condition::zero(divisor).not()) =>
        {
            false
        }
        // The first of the cases that holds is chosen, and the last one without a test.
        Operation::Guarded(cases) => {
            let mut here = facts.clone();
            cases.iter().enumerate().all(|(number, (condition, value))| {
                let is_last = number + 1 == cases.len();
                let computable =
                    (is_last || is_testable(condition, &here)) && is_computable(value, &here.with(condition));
                here.assume(&condition.not());
                computable
            })
        }
        _ => operation
            .operands()
            .into_iter()
            .all(|operand| is_computable(operand, facts)),
    }
}

/// The same for a condition, whose parts are tested one after the other.
pub fn is_testable(condition: &Condition, facts: &Facts) -> bool {
    let in_turn = |parts: &[Condition], goes_on_if: bool| {
        let mut here = facts.clone();
        parts.iter().all(|part| {
            let testable = is_testable(part, &here);
            match goes_on_if {
                true => here.assume(part),
                false => here.assume(&part.not()),
            }
            testable
        })
    };
    match condition.kind() {
        ConditionKind::True | ConditionKind::False => true,
        ConditionKind::Comparison(comparison) => is_computable(&comparison.expr, facts),
        ConditionKind::And(parts) => in_turn(parts, true),
        ConditionKind::Or(parts) => in_turn(parts, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferry_symbolic::Symbol;

    #[test]
    fn a_divisor_must_be_known_not_to_be_zero_before_it_divides() {
        let (n, d) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let quotient = Expr::floor_div(&n, &d);
        let facts = Facts::new();
        assert!(!is_computable(&quotient, &facts));
        assert!(!is_computable(
            &(&n + &Expr::max(&Expr::zero(), &quotient)),
            &facts
        ));
        let positive = Condition::positive(&d);
        assert!(is_computable(&quotient, &facts.with(&positive)));
        assert!(is_computable(
            &Expr::select(&positive, &quotient, &Expr::zero()),
            &facts
        ));
        assert!(!is_computable(
            &Expr::select(&Condition::positive(&n), &quotient, &Expr::zero()),
            &facts
        ));
        assert!(!is_testable(&Condition::positive(&quotient), &facts));
        assert!(is_computable(&Expr::floor_div(&n, &Expr::int(2)), &facts));
    }
}
