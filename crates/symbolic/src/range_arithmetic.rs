//! What are the results of C's operations on ranges? Supersets of the exact results, with truncating division (ANSWERS §1.7).

use crate::expr::Expr;
use crate::facts::Facts;
use crate::integer::Integer;
use crate::range::{Range, Step, constant_of, greater, lesser, pick_end};

impl Range {
    /// Sums of a value of each.
    pub fn add(&self, other: &Range) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        let both = |a: &Option<Expr>, b: &Option<Expr>| Some(a.as_ref()? + b.as_ref()?);
        let mut sum = Range {
            low: both(&self.low, &other.low),
            high: both(&self.high, &other.high),
            step: None,
            empty: false,
        };
        let ((m, a), (n, b)) = (self.stride(), other.stride());
        let modulus = m.gcd(&n);
        if modulus > Integer::ONE {
            sum.step = Some(Step {
                modulus,
                residue: a + b,
            });
        }
        sum.normal_step()
    }

    /// As `normal`, with the step checked again.
    pub(crate) fn normal_step(mut self) -> Range {
        match self.step.take() {
            Some(step) => self.with_step(&step.modulus, &step.residue),
            None => self.normal(),
        }
    }

    /// The negated values.
    pub fn negate(&self) -> Range {
        Range {
            low: self.high.as_ref().map(|high| -high),
            high: self.low.as_ref().map(|low| -low),
            step: self.step.as_ref().map(|step| Step {
                modulus: step.modulus.clone(),
                residue: -&step.residue,
            }),
            empty: self.empty,
        }
        .normal_step()
    }

    /// Differences of a value of each.
    pub fn sub(&self, other: &Range) -> Range {
        self.add(&other.negate())
    }

    /// Products of a value of each.
    pub fn mul(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        if let Some(factor) = other.as_exact() {
            return self.times_value(factor, facts);
        }
        if let Some(factor) = self.as_exact() {
            return other.times_value(factor, facts);
        }
        let (own_sign, other_sign) = (self.at_least_zero(facts), other.at_least_zero(facts));
        if own_sign && other_sign {
            let both = |a: &Option<Expr>, b: &Option<Expr>| Some(a.as_ref()? * b.as_ref()?);
            return Range::new(both(&self.low, &other.low), both(&self.high, &other.high));
        }
        // Bilinear: the extremes are at the corners.
        match (&self.low, &self.high, &other.low, &other.high) {
            (Some(a), Some(b), Some(c), Some(d)) => {
                let corners = [a * c, a * d, b * c, b * d];
                Range::new(
                    Some(facts.simplify(&Expr::minimum_of(&corners))),
                    Some(facts.simplify(&Expr::maximum_of(&corners))),
                )
            }
            _ => Range::all(),
        }
    }

    fn at_least_zero(&self, facts: &Facts) -> bool {
        self.low.as_ref().is_some_and(|low| facts.prove_nonnegative(low))
    }

    fn times_value(&self, factor: &Expr, facts: &Facts) -> Range {
        let scale = |end: &Option<Expr>| end.as_ref().map(|end| end * factor);
        let (low, high) = if facts.prove_nonnegative(factor) {
            (scale(&self.low), scale(&self.high))
        } else if facts.prove_nonnegative(&-factor) {
            (scale(&self.high), scale(&self.low))
        } else {
            match (&self.low, &self.high) {
                (Some(low), Some(high)) => {
                    let (a, b) = (low * factor, high * factor);
                    (Some(Expr::min(&a, &b)), Some(Expr::max(&a, &b)))
                }
                _ => (None, None),
            }
        };
        let mut product = Range {
            low,
            high,
            step: None,
            empty: false,
        };
        if let Some(constant) = factor.as_constant() {
            let (modulus, residue) = self.stride();
            let modulus = &modulus * &constant.abs();
            if modulus > Integer::ONE {
                product.step = Some(Step {
                    modulus,
                    residue: residue.scale(&constant),
                });
            }
        }
        product.normal_step()
    }

    /// Quotients rounded towards 0. Divisors of 0 are left out: the division is undefined there.
    pub fn trunc_div(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact()) {
            return Range::exactly(&facts.simplify(&Expr::trunc_div(a, b)));
        }
        let positive = other.low.as_ref().is_some_and(|low| facts.prove_positive(low));
        let negative = other
            .high
            .as_ref()
            .is_some_and(|high| facts.prove_positive(&-high));
        if negative && !positive {
            return self.trunc_div(&other.negate(), facts).negate();
        }
        if !positive {
            // The size of the quotient is at most that of the dividend.
            let (low, high) = match (&self.low, &self.high) {
                (Some(low), Some(high)) => {
                    let size = facts.simplify(&Expr::maximum_of(&[-low, high.clone(), Expr::zero()]));
                    (Some(-&size), Some(size))
                }
                _ => (None, None),
            };
            return Range::new(low, high);
        }
        let divide = |a: &Expr, b: &Expr| facts.simplify(&Expr::trunc_div(a, b));
        // Rising in the dividend; falling in the divisor for dividends of at least 0, rising below.
        let low = self.low.as_ref().map(|a| {
            if facts.prove_nonnegative(a) {
                return other.high.as_ref().map_or_else(Expr::zero, |b| divide(a, b));
            }
            let least = other.low.as_ref().map_or_else(|| a.clone(), |b| divide(a, b));
            if facts.prove_nonnegative(&-a) {
                least
            } else {
                lesser(&least, &Expr::zero(), facts)
            }
        });
        let high = self.high.as_ref().map(|a| {
            if facts.prove_nonnegative(&-a) {
                return other.high.as_ref().map_or_else(Expr::zero, |b| divide(a, b));
            }
            let most = other.low.as_ref().map_or_else(|| a.clone(), |b| divide(a, b));
            if facts.prove_nonnegative(a) {
                most
            } else {
                greater(&most, &Expr::zero(), facts)
            }
        });
        Range::new(low, high)
    }

    /// Remainders with the sign of the dividend. Divisors of 0 are left out.
    pub fn trunc_rem(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact()) {
            return Range::exactly(&facts.simplify(&Expr::trunc_rem(a, b)));
        }
        // The remainder is smaller than the divisor in size.
        let size = match (&other.low, &other.high) {
            (Some(low), Some(high)) => {
                let most = if facts.prove_nonnegative(low) {
                    high.clone()
                } else if facts.prove_nonnegative(&-high) {
                    -low
                } else {
                    Expr::max(&-low, high)
                };
                Some(most.add_constant(&Integer::MINUS_ONE))
            }
            _ => None,
        };
        let rises = self.at_least_zero(facts);
        let falls = self
            .high
            .as_ref()
            .is_some_and(|high| facts.prove_nonnegative(&-high));
        let low = if rises {
            Some(Expr::zero())
        } else {
            let own = self.low.as_ref().map(|low| Expr::min(low, &Expr::zero()));
            pick_end(own, size.as_ref().map(|size| -size), greater, facts)
        };
        let high = if falls {
            Some(Expr::zero())
        } else {
            let own = self.high.as_ref().map(|high| {
                if rises {
                    high.clone()
                } else {
                    Expr::max(high, &Expr::zero())
                }
            });
            pick_end(own, size, lesser, facts)
        };
        Range::new(low, high)
    }

    /// Values shifted left by an amount of each.
    pub fn shl(&self, amount: &Range, facts: &Facts) -> Range {
        if self.empty || amount.empty {
            return Range::none();
        }
        match amount.as_exact() {
            Some(by) => self.mul(&Range::exactly(&Expr::shl(&Expr::one(), by)), facts),
            None => {
                let (Some(low), Some(high)) = (constant_of(&amount.low), constant_of(&amount.high)) else {
                    let low = self.low.clone().filter(|low| facts.prove_nonnegative(low));
                    return Range::new(low, None);
                };
                let factor = |by: Integer| Expr::shl(&Expr::one(), &Expr::constant(by));
                self.mul(
                    &Range::between(&factor(low.max(Integer::ZERO)), &factor(high.max(Integer::ZERO))),
                    facts,
                )
            }
        }
    }

    /// Values shifted right (rounding down) by an amount of each.
    pub fn shr(&self, amount: &Range, facts: &Facts) -> Range {
        if self.empty || amount.empty {
            return Range::none();
        }
        if let Some(by) = amount.as_exact() {
            let shift = |end: &Option<Expr>| end.as_ref().map(|end| facts.simplify(&Expr::shr(end, by)));
            return Range::new(shift(&self.low), shift(&self.high));
        }
        // Towards 0 for what is at least 0, towards -1 for what is below.
        let low = self
            .low
            .as_ref()
            .map(|low| facts.simplify(&Expr::min(low, &Expr::zero())));
        let high = self
            .high
            .as_ref()
            .map(|high| facts.simplify(&Expr::max(high, &Expr::int(-1))));
        Range::new(low, high)
    }

    /// Bitwise `and` of a value of each.
    pub fn bit_and(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact()) {
            return Range::exactly(&Expr::bit_and(a, b));
        }
        let mut result = Range::all();
        for side in [self, other] {
            if side.at_least_zero(facts) {
                result = result.meet(&Range::new(Some(Expr::zero()), side.high.clone()), facts);
            }
        }
        result
    }

    /// Bitwise `or` of a value of each.
    pub fn bit_or(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact()) {
            return Range::exactly(&Expr::bit_or(a, b));
        }
        if !self.at_least_zero(facts) || !other.at_least_zero(facts) {
            return Range::all();
        }
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(greater(a, b, facts)),
            _ => None,
        };
        Range::new(low, self.most_bits(other))
    }

    /// Bitwise exclusive `or` of a value of each.
    pub fn bit_xor(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        if let (Some(a), Some(b)) = (self.as_exact(), other.as_exact()) {
            return Range::exactly(&Expr::bit_xor(a, b));
        }
        if !self.at_least_zero(facts) || !other.at_least_zero(facts) {
            return Range::all();
        }
        Range::new(Some(Expr::zero()), self.most_bits(other))
    }

    /// For values of at least 0: what `a | b` and `a ^ b` cannot exceed.
    fn most_bits(&self, other: &Range) -> Option<Expr> {
        if let (Some(a), Some(b)) = (constant_of(&self.high), constant_of(&other.high)) {
            let bits = u32::try_from(a.bits().max(b.bits())).ok()?.min(4096);
            return Some(Expr::constant(Integer::power_of_two(bits) - Integer::ONE));
        }
        Some(self.high.as_ref()? + other.high.as_ref()?)
    }

    /// Bitwise complement of the values.
    pub fn bit_not(&self) -> Range {
        self.negate().add(&Range::exactly(&Expr::int(-1)))
    }

    /// The smaller of a value of each.
    pub fn minimum(&self, other: &Range, facts: &Facts) -> Range {
        self.negate().maximum(&other.negate(), facts).negate()
    }

    /// The greater of a value of each.
    pub fn maximum(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        let low = pick_end(self.low.clone(), other.low.clone(), greater, facts);
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(greater(a, b, facts)),
            _ => None,
        };
        let mut result = Range {
            low,
            high,
            step: None,
            empty: false,
        };
        if let Some((modulus, residue)) = self.joined_step(other) {
            result.step = Some(Step { modulus, residue });
        }
        result.normal()
    }
}
