//! How large can `rest + c*d*floor(a / d)` be, where `rest` falls as the quotient rises?
//!
//! That is the last element of a loop with a step which begins at another loop's counter: `for (j = i; j < n; j += d)` ends at
//! `i + d*floor((n - 1 - i) / d)`. Bounded apart, the two parts add up to nearly `2*n`; but `a - d + 1 <= d*floor(a / d) <= a` holds
//! for each `a`, and with it the counter cancels: the end is at most `n - 1`.
//!
//! The bound is not attained for every `d`. It cannot be used where the quotient is multiplied by something else than a multiple of
//! its divisor.

use super::{Partial, Search};
use crate::atom::{Atom, Operation, Symbol};
use crate::expr::Expr;
use crate::facts::{Facts, Rests};
use crate::integer::Integer;

impl Search<'_> {
    /// `e` with a quotient replaced by what it is at most without a division, for bounds of `symbol`, and what that rests on. `slope` is
    /// the factor of the quotient in `e`; `raises`: it is not negative.
    pub(super) fn without_quotient(
        &self,
        facts: &Facts,
        e: &Expr,
        (atom, slope, raises): (&Atom, &Expr, bool),
        symbol: Symbol,
    ) -> Option<(Expr, Rests)> {
        let (a, d, floored) = match atom.operation()? {
            Operation::FloorDiv(a, d) => (a, d, true),
            Operation::TruncDiv(a, d) => (a, d, false),
            _ => return None,
        };
        let rest = e.replace_atom(atom, &Expr::zero());
        // Without the symbol in the rest, the quotient's own bound is the best.
        if !rest.mentions(symbol) {
            return None;
        }
        let times = multiple(slope, d)?;
        let store = facts.store();
        let prover = self.pool.prover();
        let mut rests = prover.nonnegative(store, &d.add_constant(&Integer::MINUS_ONE), 1)?;
        if !floored {
            rests = rests.union(prover.nonnegative(store, a, 1)?);
        }
        let end = match raises {
            true => a.clone(),
            false => (a - d).add_constant(&Integer::ONE),
        };
        Some((rest + times * end, rests))
    }

    /// Of two bounds, of which both hold, the one with the quotient bounded apart if it is known to be the lower one: nearly always that is
    /// the one that has no quotient any more.
    pub(super) fn lower(
        &self,
        facts: &Facts,
        apart: Option<Partial>,
        together: Option<Partial>,
    ) -> Option<Partial> {
        let (Some(one), Some(other)) = (&apart, &together) else {
            return together.or(apart);
        };
        let margin = &other.value - &one.value;
        match self.pool.prover().nonnegative(facts.store(), &margin, 1) {
            Some(_) => apart,
            None => together,
        }
    }
}

/// `c` with `slope == c*d`.
fn multiple(slope: &Expr, d: &Expr) -> Option<Expr> {
    if let Some(d) = d.as_constant() {
        return slope.divide_exactly(&d);
    }
    let mut terms = d.terms();
    let (first, second) = (terms.next()?, terms.next());
    match second {
        None => slope.divide_by_term(first),
        Some(_) if slope == d => Some(Expr::int(1)),
        Some(_) if *slope == -d => Some(Expr::int(-1)),
        Some(_) => None,
    }
}
