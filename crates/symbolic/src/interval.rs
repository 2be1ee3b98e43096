//! Which constants bound an expression? Interval arithmetic over its terms, with the constant bounds known for atoms.

use crate::atom::{Atom, Monomial, Operation};
use crate::expr::{Expr, Term};
use crate::facts::{Rests, Store};
use crate::integer::Integer;

/// One constant end, with what it rests on.
pub(crate) type End = Option<(Integer, Rests)>;

/// Constant bounds; a missing end is infinite.
#[derive(Clone, Default)]
pub(crate) struct Bounds {
    pub(crate) low: End,
    pub(crate) high: End,
}

/// How deep operands of operations are looked into.
const DEPTH: u32 = 6;

/// Replaces an end if the new one is tighter. Says whether it did.
pub(crate) fn tighten(end: &mut End, value: Integer, rests: Rests, low: bool) -> bool {
    let better = match end {
        None => true,
        Some((old, _)) => {
            if low {
                value > *old
            } else {
                value < *old
            }
        }
    };
    if better {
        *end = Some((value, rests));
    }
    better
}

impl Bounds {
    fn exactly(value: Integer) -> Bounds {
        Bounds {
            low: Some((value.clone(), Rests::NONE)),
            high: Some((value, Rests::NONE)),
        }
    }

    fn at_least(value: i128, rests: Rests) -> Bounds {
        Bounds {
            low: Some((Integer::new(value), rests)),
            high: None,
        }
    }

    fn negated(self) -> Bounds {
        Bounds {
            low: self.high.map(|(v, r)| (-v, r)),
            high: self.low.map(|(v, r)| (-v, r)),
        }
    }

    /// The rests of a proof that it is at least `value`.
    pub(crate) fn low_at_least(&self, value: i128) -> Option<Rests> {
        self.low
            .as_ref()
            .filter(|(low, _)| *low >= Integer::new(value))
            .map(|(_, rests)| *rests)
    }

    /// The rests of a proof that it is at most `value`.
    pub(crate) fn high_at_most(&self, value: i128) -> Option<Rests> {
        self.high
            .as_ref()
            .filter(|(high, _)| *high <= Integer::new(value))
            .map(|(_, rests)| *rests)
    }

    fn plus(self, other: Bounds) -> Bounds {
        let add = |a: End, b: End| match (a, b) {
            (Some((x, p)), Some((y, q))) => Some((x + y, p.union(q))),
            _ => None,
        };
        Bounds {
            low: add(self.low, other.low),
            high: add(self.high, other.high),
        }
    }

    pub(crate) fn scaled(self, factor: &Integer) -> Bounds {
        let scale = |end: End| end.map(|(value, rests)| (&value * factor, rests));
        if factor.is_negative() {
            Bounds {
                low: scale(self.high),
                high: scale(self.low),
            }
        } else if factor.is_zero() {
            Bounds::exactly(Integer::ZERO)
        } else {
            Bounds {
                low: scale(self.low),
                high: scale(self.high),
            }
        }
    }

    fn times(self, other: Bounds) -> Bounds {
        // The common cases by sign, which allow infinite ends.
        if let (Some(p), Some(q)) = (self.low_at_least(0), other.low_at_least(0)) {
            let rests = p.union(q);
            let low = match (&self.low, &other.low) {
                (Some((x, _)), Some((y, _))) => Some((x * y, rests)),
                _ => None,
            };
            let high = match (&self.high, &other.high) {
                (Some((x, a)), Some((y, b))) => Some((x * y, rests.union(*a).union(*b))),
                (Some((x, a)), None) | (None, Some((x, a))) if x.is_zero() => {
                    Some((Integer::ZERO, rests.union(*a)))
                }
                _ => None,
            };
            return Bounds { low, high };
        }
        if self.high_at_most(0).is_some() {
            if self.low_at_least(0).is_none()
                && (other.low_at_least(0).is_some() || other.high_at_most(0).is_some())
            {
                return self.negated().times(other).negated();
            }
        } else if other.high_at_most(0).is_some() && self.low_at_least(0).is_some() {
            return self.times(other.negated()).negated();
        }
        match (self.low, self.high, other.low, other.high) {
            (Some((a, p)), Some((b, q)), Some((c, r)), Some((d, s))) => {
                let rests = p.union(q).union(r).union(s);
                let corners = [&a * &c, &a * &d, &b * &c, &b * &d];
                let low = corners.iter().min().cloned();
                let high = corners.iter().max().cloned();
                Bounds {
                    low: low.map(|v| (v, rests)),
                    high: high.map(|v| (v, rests)),
                }
            }
            _ => Bounds::default(),
        }
    }

    fn power(self, exponent: u32) -> Bounds {
        let mut result = self.clone();
        for _ in 1..exponent {
            result = result.times(self.clone());
        }
        if exponent.is_multiple_of(2) {
            // An even power; the least is at 0 or at the end nearer to 0.
            let least = if let Some((low, rests)) = self.low.clone().filter(|(low, _)| !low.is_negative()) {
                (low.pow(exponent), rests)
            } else if let Some((high, rests)) = self.high.clone().filter(|(high, _)| !high.is_positive()) {
                (high.pow(exponent), rests)
            } else {
                (Integer::ZERO, Rests::NONE)
            };
            tighten(&mut result.low, least.0, least.1, true);
        }
        result
    }

    /// Applies a function that never decreases to both ends.
    fn monotone(self, apply: impl Fn(&Integer) -> Option<Integer>) -> Bounds {
        let end = |end: End| end.and_then(|(value, rests)| Some((apply(&value)?, rests)));
        Bounds {
            low: end(self.low),
            high: end(self.high),
        }
    }

    pub(crate) fn meet(&mut self, other: Bounds) {
        if let Some((value, rests)) = other.low {
            tighten(&mut self.low, value, rests, true);
        }
        if let Some((value, rests)) = other.high {
            tighten(&mut self.high, value, rests, false);
        }
    }

    fn hull(self, other: Bounds) -> Bounds {
        let low = match (self.low, other.low) {
            (Some((x, p)), Some((y, q))) => Some((x.min(y), p.union(q))),
            _ => None,
        };
        let high = match (self.high, other.high) {
            (Some((x, p)), Some((y, q))) => Some((x.max(y), p.union(q))),
            _ => None,
        };
        Bounds { low, high }
    }
}

impl Store {
    /// Constant bounds of an expression.
    pub(crate) fn bounds_of(&self, e: &Expr) -> Bounds {
        self.bounds_within(e, DEPTH)
    }

    fn bounds_within(&self, e: &Expr, depth: u32) -> Bounds {
        let mut sum = Bounds::exactly(Integer::ZERO);
        for term in e.terms() {
            let own = self.term_within(term, depth);
            sum = sum.plus(own);
            if sum.low.is_none() && sum.high.is_none() {
                break;
            }
        }
        sum
    }

    pub(crate) fn term_bounds(&self, term: &Term) -> Bounds {
        self.term_within(term, DEPTH)
    }

    fn term_within(&self, term: &Term, depth: u32) -> Bounds {
        self.monomial_within(&term.monomial, depth)
            .scaled(&term.coefficient)
    }

    pub(crate) fn monomial_bounds(&self, monomial: &Monomial) -> Bounds {
        self.monomial_within(monomial, DEPTH)
    }

    fn monomial_within(&self, monomial: &Monomial, depth: u32) -> Bounds {
        let mut product: Option<Bounds> = None;
        for (atom, power) in monomial.factors() {
            let own = self.atom_within(atom, depth);
            let own = if *power > 1 { own.power(*power) } else { own };
            product = Some(match product {
                Some(product) => product.times(own),
                None => own,
            });
        }
        product.unwrap_or_else(|| Bounds::exactly(Integer::ONE))
    }

    pub(crate) fn atom_bounds(&self, atom: &Atom) -> Bounds {
        self.atom_within(atom, DEPTH)
    }

    fn atom_within(&self, atom: &Atom, depth: u32) -> Bounds {
        let mut bounds = self.bounds.get(atom).cloned().unwrap_or_default();
        if depth > 0
            && let Some(operation) = atom.operation()
        {
            bounds.meet(self.operation_bounds(operation, depth - 1));
        }
        bounds
    }

    fn operation_bounds(&self, operation: &Operation, depth: u32) -> Bounds {
        match operation {
            Operation::Max(operands) => {
                let mut result = Bounds::default();
                let mut high: End = None;
                let mut all = true;
                for operand in operands {
                    let own = self.bounds_within(operand, depth);
                    if let Some((value, rests)) = own.low {
                        tighten(&mut result.low, value, rests, true);
                    }
                    match (own.high, high.take()) {
                        (Some((x, p)), Some((y, q))) => high = Some((x.max(y), p.union(q))),
                        (Some(end), None) => high = Some(end),
                        (None, _) => all = false,
                    }
                    if !all {
                        high = None;
                    }
                }
                if all {
                    result.high = high;
                }
                result
            }
            Operation::FloorDiv(a, b) => {
                let dividend = self.bounds_within(a, depth);
                match b.as_constant() {
                    Some(d) if d.is_positive() => dividend.monotone(|value| value.floor_div(&d)),
                    _ => match self.bounds_within(b, depth).low_at_least(1) {
                        Some(rests) => shrink(dividend, rests, true),
                        None => Bounds::default(),
                    },
                }
            }
            Operation::FloorMod(_, b) => {
                let divisor = self.bounds_within(b, depth);
                match divisor.low_at_least(1) {
                    Some(rests) => Bounds {
                        low: Some((Integer::ZERO, rests)),
                        high: divisor
                            .high
                            .map(|(value, own)| (value - Integer::ONE, own.union(rests))),
                    },
                    None => Bounds::default(),
                }
            }
            Operation::TruncDiv(a, b) => {
                let dividend = self.bounds_within(a, depth);
                match b.as_constant() {
                    Some(d) if d.is_positive() => dividend.monotone(|value| value.trunc_div(&d)),
                    _ => match self.bounds_within(b, depth).low_at_least(1) {
                        Some(rests) => shrink(dividend, rests, false),
                        None => Bounds::default(),
                    },
                }
            }
            Operation::TruncRem(a, b) => self.remainder_bounds(a, b, depth),
            Operation::And(a, b) => {
                let (x, y) = (self.bounds_within(a, depth), self.bounds_within(b, depth));
                let mut result = Bounds::default();
                for side in [x, y] {
                    if let Some(rests) = side.low_at_least(0) {
                        result.meet(Bounds::at_least(0, rests));
                        if let Some((value, own)) = side.high {
                            tighten(&mut result.high, value, own.union(rests), false);
                        }
                    }
                }
                result
            }
            Operation::Or(a, b) | Operation::Xor(a, b) => {
                let (x, y) = (self.bounds_within(a, depth), self.bounds_within(b, depth));
                let (Some(p), Some(q)) = (x.low_at_least(0), y.low_at_least(0)) else {
                    return Bounds::default();
                };
                let rests = p.union(q);
                let mut result = Bounds::at_least(0, rests);
                if let (Some((m, p)), Some((n, q))) = (&x.high, &y.high) {
                    let bits = m.bits().max(n.bits());
                    if let Ok(bits) = u32::try_from(bits) {
                        let most = Integer::power_of_two(bits.min(4096)) - Integer::ONE;
                        result.high = Some((most, rests.union(*p).union(*q)));
                    }
                }
                if matches!(operation, Operation::Or(..)) {
                    for (low, own) in [x.low, y.low].into_iter().flatten() {
                        tighten(&mut result.low, low, own.union(rests), true);
                    }
                }
                result
            }
            Operation::ShiftLeft(a, _) => {
                let value = self.bounds_within(a, depth);
                match (value.low_at_least(0), value.high_at_most(0)) {
                    (Some(_), _) => Bounds {
                        low: value.low,
                        high: None,
                    },
                    (_, Some(_)) => Bounds {
                        low: None,
                        high: value.high,
                    },
                    _ => Bounds::default(),
                }
            }
            Operation::ShiftRight(a, _) => shrink(self.bounds_within(a, depth), Rests::NONE, true),
            Operation::Guarded(cases) => {
                let mut result: Option<Bounds> = None;
                for (_, value) in cases {
                    let own = self.bounds_within(value, depth);
                    result = Some(match result {
                        Some(result) => result.hull(own),
                        None => own,
                    });
                }
                result.unwrap_or_default()
            }
            Operation::Oversize { .. } => Bounds::default(),
        }
    }

    /// `a % b` of C: the sign of `a`, smaller than `b` in size, and not larger than `a` in size.
    fn remainder_bounds(&self, a: &Expr, b: &Expr, depth: u32) -> Bounds {
        let divisor = self.bounds_within(b, depth);
        let dividend = self.bounds_within(a, depth);
        let most: End = match (divisor.low, divisor.high) {
            (Some((low, p)), Some((high, q))) => Some((low.abs().max(high.abs()) - Integer::ONE, p.union(q)))
                .filter(|(value, _)| !value.is_negative()),
            _ => None,
        };
        let mut result = Bounds {
            low: most.clone().map(|(value, rests)| (-value, rests)),
            high: most,
        };
        if let Some(rests) = dividend.low_at_least(0) {
            tighten(&mut result.low, Integer::ZERO, rests, true);
        }
        if let Some(rests) = dividend.high_at_most(0) {
            tighten(&mut result.high, Integer::ZERO, rests, false);
        }
        if let Some((high, rests)) = dividend.high {
            tighten(&mut result.high, high.max(Integer::ZERO), rests, false);
        }
        if let Some((low, rests)) = dividend.low {
            tighten(&mut result.low, low.min(Integer::ZERO), rests, true);
        }
        result
    }
}

/// The bounds of a quotient by some integer of at least 1. Rounded down, what is negative stays negative.
fn shrink(dividend: Bounds, rests: Rests, floor: bool) -> Bounds {
    let low = dividend
        .low
        .map(|(value, own)| (value.min(Integer::ZERO), own.union(rests)));
    let least = if floor { Integer::MINUS_ONE } else { Integer::ZERO };
    let high = dividend.high.map(|(value, own)| {
        let most = if value.is_negative() { least.clone() } else { value };
        (most, own.union(rests))
    });
    Bounds { low, high }
}
