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
    pub(crate) empty: bool,
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
    pub(crate) fn normal(mut self) -> Range {
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
    pub(crate) fn stride(&self) -> (Integer, Expr) {
        if let Some(value) = self.as_exact() {
            return (Integer::ZERO, value.clone());
        }
        match &self.step {
            Some(step) => (step.modulus.clone(), step.residue.clone()),
            None => (Integer::ONE, Expr::zero()),
        }
    }

    pub(crate) fn joined_step(&self, other: &Range) -> Option<(Integer, Expr)> {
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

/// The end, if it is a constant.
pub(crate) fn constant_of(end: &Option<Expr>) -> Option<Integer> {
    end.as_ref().and_then(Expr::as_constant)
}

/// Of two ends the chosen one; the only one, if the other is missing.
pub(crate) fn pick_end(
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

/// The minimum, resolved where the facts decide it.
pub(crate) fn lesser(a: &Expr, b: &Expr, facts: &Facts) -> Expr {
    facts.simplify(&Expr::min(a, b))
}

/// The maximum, resolved where the facts decide it.
pub(crate) fn greater(a: &Expr, b: &Expr, facts: &Facts) -> Expr {
    facts.simplify(&Expr::max(a, b))
}
