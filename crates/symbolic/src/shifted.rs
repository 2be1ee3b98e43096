//! Is an expression positive or 0 for a reason that is plain to see, once each value is counted from its least one on?
//!
//! `n*m - m - 6` is, where `n` and `m` are at least 3: with `n = 3 + x` and `m = 3 + y` it is `x*y + 3*x + 2*y`, and where no coefficient is negative no proof is needed.
//! Sizes of arrays and offsets between their elements are of this kind.
//!
//! What it cannot do: squares, more than [`MOST`] different factors, and anything that rests on how two values compare. "No" says nothing.

use crate::atom::Atom;
use crate::expr::Expr;
use crate::facts::{Facts, Rests, Store};

/// Most different factors: all products of some of them are counted.
const MOST: usize = 7;

impl Facts {
    /// True if `e >= 0` for all values that are not below the constants that are known to bound them.
    pub fn plainly_nonnegative(&self, e: &Expr) -> bool {
        self.store().plainly_nonnegative(e).is_some()
    }
}

impl Store {
    /// What `e >= 0` rests on, if it holds for all values that are not below the constants that are known to bound them.
    pub(crate) fn plainly_nonnegative(&self, e: &Expr) -> Option<Rests> {
        let mut factors: Vec<&Atom> = Vec::new();
        let mut terms: Vec<(usize, i128)> = Vec::new();
        for term in e.terms() {
            let mut product = 0;
            for (atom, power) in term.monomial.factors() {
                let place = match factors.iter().position(|known| *known == atom) {
                    Some(place) => place,
                    None => {
                        factors.push(atom);
                        factors.len() - 1
                    }
                };
                if *power > 1 || factors.len() > MOST {
                    return None;
                }
                product |= 1 << place;
            }
            terms.push((product, term.coefficient.to_i128()?));
        }
        let mut coefficients = vec![0i128; 1 << factors.len()];
        for (product, coefficient) in terms {
            coefficients[product] = coefficient;
        }
        let mut rests = Rests::NONE;
        for (place, factor) in factors.into_iter().enumerate() {
            let (low, own) = self.atom_bounds(factor).low?;
            let low = low.to_i128()?;
            rests = rests.union(own);
            for product in (0..coefficients.len()).filter(|product| product >> place & 1 == 1) {
                let rest = product & !(1 << place);
                let more = coefficients[product].checked_mul(low)?;
                coefficients[rest] = coefficients[rest].checked_add(more)?;
            }
        }
        coefficients
            .iter()
            .all(|coefficient| *coefficient >= 0)
            .then_some(rests)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Expr, Facts, Symbol};

    /// Every answer for sums of products of three values, against the values that are allowed.
    #[test]
    fn what_is_plain_holds() {
        let values: Vec<Expr> = (0..3).map(|number| Expr::symbol(Symbol(number))).collect();
        let lows = [3i128, 0, -2];
        let mut facts = Facts::new();
        for (value, low) in values.iter().zip(lows) {
            facts.assume_nonnegative(value - &Expr::int(low));
        }
        let (mut plain, mut all) = (0, 0);
        for number in 0..4096i128 {
            // The coefficients of 1, a, b, c, ab and abc: from -3 to 3, by the number's digits.
            let digit = |place: u32| Expr::int(number / 4i128.pow(place) % 4 * 2 - 3);
            let (a, b, c) = (&values[0], &values[1], &values[2]);
            let products = [Expr::one(), a.clone(), b.clone(), c.clone(), a * b, &(a * b) * c];
            let e: Expr = (0..)
                .zip(&products)
                .map(|(place, product)| &digit(place) * product)
                .sum();
            let negative = (0..216i128).any(|choice| {
                let of = |symbol: Symbol| {
                    let place = symbol.0 as usize;
                    let step = choice / 6i128.pow(symbol.0) % 6;
                    Some((lows[place] + step).into())
                };
                e.evaluate(&of).unwrap().is_negative()
            });
            let said = facts.plainly_nonnegative(&e);
            assert!(!(said && negative), "{e:?}");
            plain += usize::from(said);
            all += usize::from(!negative);
        }
        assert!(plain > 40 && all > 100, "{plain} of {all}");
    }

    #[test]
    fn a_row_is_longer_than_its_parts() {
        let [n, m] = [0, 1].map(|number| Expr::symbol(Symbol(number)));
        let mut facts = Facts::new();
        facts.assume_nonnegative(&n - &Expr::int(3));
        let e = &(&(&n * &m) - &m) - &Expr::int(2);
        assert!(!facts.plainly_nonnegative(&e), "m has no least value");
        facts.assume_nonnegative(&m - &Expr::int(1));
        assert!(facts.plainly_nonnegative(&e));
        assert!(!facts.plainly_nonnegative(&(&e - &Expr::int(1))));
        assert!(!facts.plainly_nonnegative(&(&e * &n)), "squares");
    }
}
