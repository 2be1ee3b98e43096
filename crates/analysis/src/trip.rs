//! How many iterations does a loop condition allow?
//!
//! The condition is one over the iteration counter `k`. For `a*k + b >= 0` with `a < 0` it holds for
//! `k <= floor(b / -a)`, and so the body runs `max(0, floor(b / -a) + 1)` times. `a*k + b != 0` holds until the counter
//! meets the zero; that it meets it at all is proved, or, where nothing else ends the loop, follows because a signed
//! variable or a pointer would have to overflow otherwise, which is undefined. (The papers' normalisation `aux = max(0, 2n)` with `j <= aux` runs once for
//! n < 0; here the whole count is clipped.)

use ferry_symbolic::{Condition, Expr, Facts, Symbol};

/// Number of iterations before the condition is false for the first time, never negative. `invariant` tells whether an
/// expression keeps its value during the loop; `leaves`, whether something else may end it. `None` if it cannot be said.
pub fn count(
    condition: &Condition,
    counter: Symbol,
    facts: &Facts,
    leaves: bool,
    invariant: impl Fn(&Expr) -> bool,
) -> Option<Expr> {
    let mut count: Option<Expr> = None;
    let parts = condition.conjuncts();
    let alone = !leaves && parts.len() == 1;
    for part in parts {
        let one = part_count(part.as_comparison()?, counter, facts, alone, &invariant)?;
        count = Some(match count {
            Some(count) => Expr::min(&count, &one),
            None => one,
        });
    }
    count.map(|count| count.simplify(facts))
}

fn part_count(
    part: &ferry_symbolic::Comparison,
    counter: Symbol,
    facts: &Facts,
    alone: bool,
    invariant: &impl Fn(&Expr) -> bool,
) -> Option<Expr> {
    use ferry_symbolic::Relation;
    let equality = match part.relation {
        Relation::NonNegative => false,
        Relation::NonZero => true,
        Relation::Zero => return None,
    };
    let (slope, rest) = part.expr.linear_in(counter)?;
    if !invariant(&slope) || !invariant(&rest) {
        return None;
    }
    let one = Expr::one();
    if equality {
        // Towards zero by steps that divide the distance: the sign of the distance is the opposite of the slope's.
        let quotient = crate::quotient::exact_quotient(&-&rest, &slope)?;
        if !alone && !facts.prove_nonnegative(&quotient) {
            return None;
        }
        return Some(Expr::max(&Expr::zero(), &quotient));
    }
    let down = -&slope;
    if facts.prove_nonnegative(&(&down - &one)) {
        let last = Expr::floor_div(&rest, &down);
        return Some(Expr::max(&Expr::zero(), &(&last + &one)));
    }
    None
}
