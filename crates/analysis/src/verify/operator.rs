//! Does a `reduction` clause combine the copies of a variable as the loop does?
//!
//! `reduction(*: s)` of a loop that adds begins with 1 in each thread and multiplies the threads' sums.
//!
//! What it cannot do: operators that a program declares itself, `&&` beside `&` and their like, which agree on 0 and 1, and variables that the loop changes
//! otherwise than by one operator.

use super::{Check, One, writes};
use crate::reduction::ReductionOp;
use ferry_source::Finding;

/// Which operators may stand for one another: the bits and the truth of values are not told apart, and a difference is added up.
fn class(operator: &str) -> Option<u8> {
    match operator {
        "+" | "-" => Some(0),
        "*" => Some(1),
        "max" => Some(2),
        "min" => Some(3),
        "&" | "&&" => Some(4),
        "|" | "||" | "^" => Some(5),
        _ => None,
    }
}

impl Check<'_> {
    /// The clauses with another operator than the loop has.
    pub(super) fn operators(&self, one: &One<'_>, found: &mut Vec<Finding>) {
        for clause in self.nest.directive.reductions() {
            let whole = clause.object.and_then(|object| object.base.as_variable());
            let (Some(variable), Some(by_clause)) = (whole, class(clause.operator)) else {
                continue;
            };
            let own = |op: ReductionOp| class(op.spelling()).is_some_and(|own| own != by_clause);
            // Of one value several operators make the same.
            let mut reductions = one.by_name.reductions.iter().filter(|one| !one.is_only_set());
            let Some(other) =
                reductions.find(|reduction| reduction.variable == Some(variable) && own(reduction.op))
            else {
                continue;
            };
            let Some(first) = writes(one.stmt, variable).first().copied() else {
                continue;
            };
            let name = self.name(variable);
            let message = format!(
                "the loop combines {name} by `{}`, and the clause by `{}`",
                other.op.spelling(),
                clause.operator
            );
            found.push(self.finding(&message, first.origin, &format!("{name} is set here"), None));
        }
    }
}
