//! Between which values does an integer lie, and in which steps? The lattice of ranges with symbolic ends.
//!
//! Symbolic range analysis after DawnCC §3.1 and Juravle §8.4, with the refinement rules of ANSWERS §1.5 and truncating division
//! of §1.7. A range is a set of integers for given values of the symbols: those between the ends (a missing end is
//! infinite) that are congruent to the residue. All operations give a superset of the exact result.

use crate::condition::Condition;
use crate::expr::Expr;
use crate::facts::Facts;
use crate::integer::Integer;

/// A set of integers: between symbolic ends, in steps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The least value, if it is bounded below.
    pub low: Option<Expr>,
    /// The greatest value, if it is bounded above.
    pub high: Option<Expr>,
    /// All values are `residue` modulo `modulus`; `None` is every integer.
    pub step: Option<Step>,
    /// No value at all.
    empty: bool,
}

/// All values are congruent to `residue` modulo `modulus`, which is at least 2.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The distance of neighbouring values.
    pub modulus: Integer,
    /// One of the values, or congruent to them.
    pub residue: Expr,
}

/// A comparison of two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparator {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparator {
    /// The comparison that holds where this one does not.
    pub fn negated(self) -> Comparator {
        match self {
            Comparator::Less => Comparator::GreaterEqual,
            Comparator::LessEqual => Comparator::Greater,
            Comparator::Greater => Comparator::LessEqual,
            Comparator::GreaterEqual => Comparator::Less,
            Comparator::Equal => Comparator::NotEqual,
            Comparator::NotEqual => Comparator::Equal,
        }
    }

    /// The comparison of the operands in the other order.
    pub fn swapped(self) -> Comparator {
        match self {
            Comparator::Less => Comparator::Greater,
            Comparator::LessEqual => Comparator::GreaterEqual,
            Comparator::Greater => Comparator::Less,
            Comparator::GreaterEqual => Comparator::LessEqual,
            same => same,
        }
    }

    /// The comparison as a condition.
    pub fn condition(self, a: &Expr, b: &Expr) -> Condition {
        match self {
            Comparator::Less => Condition::less(a, b),
            Comparator::LessEqual => Condition::less_equal(a, b),
            Comparator::Greater => Condition::less(b, a),
            Comparator::GreaterEqual => Condition::less_equal(b, a),
            Comparator::Equal => Condition::equal(a, b),
            Comparator::NotEqual => Condition::not_equal(a, b),
        }
    }
}

impl Range {
    /// All integers.
    pub fn all() -> Range {
        Range {
            low: None,
            high: None,
            step: None,
            empty: false,
        }
    }

    /// No integer: the value of unreachable code.
    pub fn none() -> Range {
        Range {
            low: None,
            high: None,
            step: None,
            empty: true,
        }
    }

    /// One value.
    pub fn exactly(value: &Expr) -> Range {
        Range {
            low: Some(value.clone()),
            high: Some(value.clone()),
            step: None,
            empty: false,
        }
    }

    /// The integers from `low` to `high`, both included. Empty where `low > high`.
    pub fn between(low: &Expr, high: &Expr) -> Range {
        Range {
            low: Some(low.clone()),
            high: Some(high.clone()),
            step: None,
            empty: false,
        }
        .normal()
    }

    /// The integers between ends that may be missing.
    pub fn new(low: Option<Expr>, high: Option<Expr>) -> Range {
        Range {
            low,
            high,
            step: None,
            empty: false,
        }
        .normal()
    }

    /// The same range, with all values congruent to `residue` modulo `modulus`.
    pub fn with_step(mut self, modulus: &Integer, residue: &Expr) -> Range {
        let modulus = modulus.abs();
        if modulus > Integer::ONE && !self.empty && self.as_exact().is_none() {
            let residue = match residue.as_constant().and_then(|value| value.floor_mod(&modulus)) {
                Some(value) => Expr::constant(value),
                None => residue.clone(),
            };
            self.step = Some(Step { modulus, residue });
        }
        self.normal()
    }

    /// Is it certainly empty, by its form?
    pub fn is_none(&self) -> bool {
        self.empty
    }

    /// Is nothing known?
    pub fn is_all(&self) -> bool {
        !self.empty && self.low.is_none() && self.high.is_none() && self.step.is_none()
    }

    /// The only value, if there is just one.
    pub fn as_exact(&self) -> Option<&Expr> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low == high && !self.empty => Some(low),
            _ => None,
        }
    }

    /// Ends moved onto the steps, where all are constants; certain emptiness noticed.
    fn normal(mut self) -> Range {
        if self.empty {
            return Range::none();
        }
        if let Some(step) = &self.step
            && let Some(residue) = step.residue.as_constant()
        {
            if let Some(low) = self.low.as_ref().and_then(Expr::as_constant)
                && let Some(distance) = (&residue - &low).floor_mod(&step.modulus)
            {
                self.low = Some(Expr::constant(low + distance));
            }
            if let Some(high) = self.high.as_ref().and_then(Expr::as_constant)
                && let Some(distance) = (&high - &residue).floor_mod(&step.modulus)
            {
                self.high = Some(Expr::constant(high - distance));
            }
        }
        if let (Some(low), Some(high)) = (&self.low, &self.high) {
            if let Some(width) = (high - low).as_constant()
                && width.is_negative()
            {
                return Range::none();
            }
            if low == high {
                self.step = None;
            }
        }
        self
    }

    /// The condition that `value` is in the range.
    pub fn contains_condition(&self, value: &Expr) -> Condition {
        if self.empty {
            return Condition::never();
        }
        let mut condition = Condition::always();
        if let Some(low) = &self.low {
            condition = condition.and(&Condition::less_equal(low, value));
        }
        if let Some(high) = &self.high {
            condition = condition.and(&Condition::less_equal(value, high));
        }
        if let Some(step) = &self.step {
            let distance = Expr::floor_mod(&(value - &step.residue), &Expr::constant(step.modulus.clone()));
            condition = condition.and(&Condition::zero(&distance));
        }
        condition
    }

    /// Tells the facts that `value` is in the range.
    pub fn assume_contains(&self, facts: &mut Facts, value: &Expr) {
        if self.empty {
            facts.assume(&Condition::never());
        }
        if let Some(low) = &self.low {
            facts.assume(&Condition::less_equal(low, value));
        }
        if let Some(high) = &self.high {
            facts.assume(&Condition::less_equal(value, high));
        }
        if let Some(step) = &self.step {
            facts.congruent(value - &step.residue, step.modulus.clone(), Integer::ZERO);
        }
    }

    /// Is `value` certainly in the range?
    pub fn contains(&self, value: &Expr, facts: &Facts) -> bool {
        facts.prove(&self.contains_condition(value))
    }

    /// Is every value of `other` certainly in this range?
    pub fn includes(&self, other: &Range, facts: &Facts) -> bool {
        if other.empty || self == other {
            return true;
        }
        if self.empty {
            return other.is_certainly_empty(facts);
        }
        let low = match (&self.low, &other.low) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(theirs)) => facts.prove_less_equal(own, theirs),
        };
        let high = match (&self.high, &other.high) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(theirs)) => facts.prove_less_equal(theirs, own),
        };
        let step = match &self.step {
            None => true,
            Some(own) => {
                let (modulus, residue) = match (&other.step, other.as_exact()) {
                    (_, Some(value)) => (Integer::ZERO, value),
                    (Some(theirs), None) => (theirs.modulus.clone(), &theirs.residue),
                    (None, None) => return false,
                };
                modulus.is_multiple_of(&own.modulus)
                    && Expr::floor_mod(&(residue - &own.residue), &Expr::constant(own.modulus.clone()))
                        .is_zero()
            }
        };
        low && high && step
    }

    /// Does the range certainly have no value where the facts hold?
    pub fn is_certainly_empty(&self, facts: &Facts) -> bool {
        self.empty
            || match (&self.low, &self.high) {
                (Some(low), Some(high)) => facts.prove_less(high, low),
                _ => false,
            }
    }

    /// The least range that contains both, as far as it can be told.
    pub fn join(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty {
            return other.clone();
        }
        if other.empty || self == other {
            return self.clone();
        }
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(lesser(a, b, facts)),
            _ => None,
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(greater(a, b, facts)),
            _ => None,
        };
        let mut joined = Range {
            low,
            high,
            step: None,
            empty: false,
        };
        if let Some((modulus, residue)) = self.joined_step(other) {
            joined.step = Some(Step { modulus, residue });
        }
        joined.normal()
    }

    /// The step as a modulus (0 for one value) and residue.
    fn stride(&self) -> (Integer, Expr) {
        if let Some(value) = self.as_exact() {
            return (Integer::ZERO, value.clone());
        }
        match &self.step {
            Some(step) => (step.modulus.clone(), step.residue.clone()),
            None => (Integer::ONE, Expr::zero()),
        }
    }

    fn joined_step(&self, other: &Range) -> Option<(Integer, Expr)> {
        let ((m, a), (n, b)) = (self.stride(), other.stride());
        let distance = (&a - &b).content();
        let modulus = m.gcd(&n).gcd(&distance);
        (modulus > Integer::ONE).then_some((modulus, a))
    }

    /// What both contain. A superset, where the steps cannot be combined.
    pub fn meet(&self, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        // One value stays one value: what it is says more than an end that may exclude it.
        for (one, all) in [(self, other), (other, self)] {
            if let Some(value) = one.as_exact() {
                let excluded = facts.prove(&all.contains_condition(value).not());
                return if excluded { Range::none() } else { one.clone() };
            }
        }
        let pick = |a: &Option<Expr>, b: &Option<Expr>, choose: fn(&Expr, &Expr, &Facts) -> Expr| match (a, b)
        {
            (Some(a), Some(b)) => Some(choose(a, b, facts)),
            (Some(one), None) | (None, Some(one)) => Some(one.clone()),
            (None, None) => None,
        };
        let low = pick(&self.low, &other.low, greater);
        let high = pick(&self.high, &other.high, lesser);
        let step = match (&self.step, &other.step) {
            (Some(a), Some(b)) => {
                if a.modulus.is_multiple_of(&b.modulus) {
                    Some(a.clone())
                } else if b.modulus.is_multiple_of(&a.modulus) {
                    Some(b.clone())
                } else {
                    Some(if a.modulus >= b.modulus {
                        a.clone()
                    } else {
                        b.clone()
                    })
                }
            }
            (Some(step), None) | (None, Some(step)) => Some(step.clone()),
            (None, None) => None,
        };
        Range {
            low,
            high,
            step,
            empty: false,
        }
        .normal()
    }

    /// Widening: an end that moved becomes infinite; steps only grow finer. Chains are finite: each end is given up once, and
    /// moduli divide each other.
    pub fn widen(&self, next: &Range, facts: &Facts) -> Range {
        if self.empty {
            return next.clone();
        }
        if next.empty {
            return self.clone();
        }
        let low = match (&self.low, &next.low) {
            (Some(own), Some(new)) if own == new || facts.prove_less_equal(own, new) => Some(own.clone()),
            _ => None,
        };
        let high = match (&self.high, &next.high) {
            (Some(own), Some(new)) if own == new || facts.prove_less_equal(new, own) => Some(own.clone()),
            _ => None,
        };
        let mut wide = Range {
            low,
            high,
            step: None,
            empty: false,
        };
        if let Some((modulus, residue)) = self.joined_step(next) {
            wide.step = Some(Step { modulus, residue });
        }
        wide.normal()
    }

    /// Narrowing: an infinite end takes the value that one more step of the analysis gives; finite ends stay.
    pub fn narrow(&self, next: &Range) -> Range {
        if self.empty || next.empty {
            return Range::none();
        }
        Range {
            low: self.low.clone().or_else(|| next.low.clone()),
            high: self.high.clone().or_else(|| next.high.clone()),
            step: next.step.clone().or_else(|| self.step.clone()),
            empty: false,
        }
        .normal()
    }

    /// What is left of this range where `self OP other` holds, for some value of `other`.
    pub fn refine(&self, comparator: Comparator, other: &Range, facts: &Facts) -> Range {
        if self.empty || other.empty {
            return Range::none();
        }
        let one = Integer::ONE;
        let bound = match comparator {
            // a < b: a <= b_high - 1; a <= b: a <= b_high; and likewise for the low end.
            Comparator::Less => Range::new(None, other.high.as_ref().map(|high| high.add_constant(&-&one))),
            Comparator::LessEqual => Range::new(None, other.high.clone()),
            Comparator::Greater => Range::new(other.low.as_ref().map(|low| low.add_constant(&one)), None),
            Comparator::GreaterEqual => Range::new(other.low.clone(), None),
            Comparator::Equal => other.clone(),
            Comparator::NotEqual => {
                let Some(value) = other.as_exact() else {
                    return self.clone();
                };
                let mut left = self.clone();
                let stride = self.step.as_ref().map_or(one, |step| step.modulus.clone());
                if left.as_exact() == Some(value) {
                    return Range::none();
                }
                if left.low.as_ref() == Some(value) {
                    // The next value is a step away only if the end itself is on a step.
                    let distance = if left.low_is_on_step() {
                        stride.clone()
                    } else {
                        Integer::ONE
                    };
                    left.low = Some(value.add_constant(&distance));
                }
                if left.high.as_ref() == Some(value) {
                    left.high = Some(value.add_constant(&Integer::MINUS_ONE));
                }
                return left.normal();
            }
        };
        self.meet(&bound, facts)
    }

    fn low_is_on_step(&self) -> bool {
        match (&self.step, &self.low) {
            (Some(step), Some(low)) => {
                Expr::floor_mod(&(low - &step.residue), &Expr::constant(step.modulus.clone())).is_zero()
            }
            _ => true,
        }
    }

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

    fn normal_step(mut self) -> Range {
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

    /// The range with `replace` applied to its ends and residue.
    pub fn map(&self, replace: &dyn Fn(&Expr) -> Expr) -> Range {
        Range {
            low: self.low.as_ref().map(replace),
            high: self.high.as_ref().map(replace),
            step: self.step.as_ref().map(|step| Step {
                modulus: step.modulus.clone(),
                residue: replace(&step.residue),
            }),
            empty: self.empty,
        }
        .normal_step()
    }
}

fn constant_of(end: &Option<Expr>) -> Option<Integer> {
    end.as_ref().and_then(Expr::as_constant)
}

fn pick_end(
    a: Option<Expr>,
    b: Option<Expr>,
    choose: fn(&Expr, &Expr, &Facts) -> Expr,
    facts: &Facts,
) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(choose(&a, &b, facts)),
        (one, other) => one.or(other),
    }
}

fn lesser(a: &Expr, b: &Expr, facts: &Facts) -> Expr {
    facts.simplify(&Expr::min(a, b))
}

fn greater(a: &Expr, b: &Expr, facts: &Facts) -> Expr {
    facts.simplify(&Expr::max(a, b))
}
