//! How large can `rest + c*d*floor(a / d)` be, where `rest` falls as the quotient rises?
//!
//! That is the last element of a loop with a step which begins at another loop's counter: `for (j = i; j < n; j += d)` ends at
//! `i + d*floor((n - 1 - i) / d)`. Bounded apart, the two parts add up to nearly `2*n`; but `a - d + 1 <= d*floor(a / d) <= a` holds
//! for each `a`, and with it the counter cancels: the end is at most `n - 1`.
//!
//! The bound is not attained for every `d`. It cannot be used where the quotient is multiplied by something else than a multiple of
//! its divisor.

use super::{Ends, Partial, Search};
use crate::atom::{Atom, Operation, Symbol};
use crate::expr::Expr;
use crate::facts::{Facts, Rests};
use crate::integer::Integer;

impl Search<'_> {
    /// The better one of this bound and `apart`, in which the quotient is bounded by itself. `raises`: does the quotient, of which
    /// `slope` is the factor in `e`, raise `e`?
    #[allow(clippy::too_many_arguments)]
    pub(super) fn with_dividend(
        &self,
        facts: &Facts,
        e: &Expr,
        (atom, slope, raises): (&Atom, &Expr, bool),
        symbol: Symbol,
        ends: &Ends,
        depth: u32,
        apart: Option<Partial>,
    ) -> Option<Partial> {
        let dividend = || {
            let (replacement, rests) = self.dividend(facts, atom, slope, raises)?;
            let without = e.replace_atom(atom, &Expr::zero());
            // Without the symbol in the rest, the quotient's own bound is the best.
            if !without.mentions(symbol) {
                return None;
            }
            let bound = self.eliminate_one(facts, &(without + replacement), symbol, ends, depth - 1)?;
            Some(Partial {
                rests: bound.rests.union(rests),
                exact: false,
                ..bound
            })
        };
        let Some(together) = dividend() else {
            return apart;
        };
        let Some(apart) = apart else {
            return Some(together);
        };
        // Both hold. Where it is not known which one is lower, it is nearly always the one that has no quotient any more.
        let margin = &together.value - &apart.value;
        match self.pool.prover().nonnegative(facts.store(), &margin, 1) {
            Some(_) => Some(apart),
            None => Some(together),
        }
    }

    /// What `slope` times the quotient is at most, without a division.
    fn dividend(&self, facts: &Facts, atom: &Atom, slope: &Expr, raises: bool) -> Option<(Expr, Rests)> {
        let store = facts.store();
        let (a, d, floored) = match atom.operation()? {
            Operation::FloorDiv(a, d) => (a, d, true),
            Operation::TruncDiv(a, d) => (a, d, false),
            _ => return None,
        };
        let times = multiple(slope, d)?;
        let prover = self.pool.prover();
        let mut rests = prover.nonnegative(store, &d.add_constant(&Integer::MINUS_ONE), 1)?;
        if !floored {
            rests = rests.union(prover.nonnegative(store, a, 1)?);
        }
        let end = match raises {
            true => a.clone(),
            false => (a - d).add_constant(&Integer::ONE),
        };
        Some((times * end, rests))
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
