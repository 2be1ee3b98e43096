//! What can be asked of the facts: does a condition follow, from which of them, how do two expressions compare?
//!
//! A "yes" is a proof for all integers, and its tags name what it used; "no" says only that none was found (see `prover`).

use crate::condition::Condition;
use crate::expr::Expr;
use crate::facts::{Facts, Rests};
use crate::integer::Integer;
use crate::memo::{Answer, DEAR};
use crate::prover::{Prover, count_work, work_done};
use crate::recall;
use crate::witness;
use std::cmp::Ordering;

/// How deep case distinctions nest.
const SPLITS: u32 = 3;
/// What is known of the sign of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Below 0.
    Negative,
    /// At most 0.
    NonPositive,
    /// Equal to 0.
    Zero,
    /// At least 0.
    NonNegative,
    /// Above 0.
    Positive,
    /// Not 0.
    NonZero,
    /// Nothing.
    Unknown,
}

/// How two expressions compare, as far as the facts tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a == b`
    Equal,
    /// `a >= b`
    GreaterEqual,
    /// `a > b`
    Greater,
    /// `a != b`
    NotEqual,
}

impl Order {
    /// The definite order, if it is one.
    pub fn definite(self) -> Option<Ordering> {
        match self {
            Order::Less => Some(Ordering::Less),
            Order::Equal => Some(Ordering::Equal),
            Order::Greater => Some(Ordering::Greater),
            _ => None,
        }
    }
}

impl Facts {
    /// Does `e >= 0` follow?
    pub fn prove_nonnegative(&self, e: &Expr) -> bool {
        self.nonnegative(e).is_some()
    }

    fn nonnegative(&self, e: &Expr) -> Option<Rests> {
        let store = self.store();
        // Which negative number it is does not matter: the facts contradict each other, or not.
        let least = Expr::int(-1);
        let e = match e.as_constant() {
            Some(value) if value.is_negative() => &least,
            _ => e,
        };
        if let Some(known) = store.memo.get(e) {
            count_work(known.work);
            return known.rests;
        }
        if let Some(known) = recall::nonnegative(self, e) {
            count_work(known.work);
            store.memo.keep(e, known);
            return known.rests;
        }
        let before = work_done();
        let rests = Prover::new().nonnegative(store, e, SPLITS);
        let work = work_done().wrapping_sub(before);
        if work >= DEAR {
            let answer = Answer { rests, work };
            store.memo.keep(e, answer);
            recall::keep_nonnegative(self, e, answer);
        }
        rests
    }

    /// Does `e >= 1` follow?
    pub fn prove_positive(&self, e: &Expr) -> bool {
        self.prove_nonnegative(&e.add_constant(&Integer::MINUS_ONE))
    }

    /// Does `a <= b` follow?
    pub fn prove_less_equal(&self, a: &Expr, b: &Expr) -> bool {
        self.prove_nonnegative(&(b - a))
    }

    /// Does `a < b` follow?
    pub fn prove_less(&self, a: &Expr, b: &Expr) -> bool {
        self.prove_positive(&(b - a))
    }

    /// Does `e == 0` follow?
    pub fn prove_zero(&self, e: &Expr) -> bool {
        match e.as_constant() {
            Some(value) => value.is_zero() || self.infeasible(),
            None => Prover::new().zero(self.store(), e, SPLITS).is_some(),
        }
    }

    /// Does `a == b` follow?
    pub fn prove_equal(&self, a: &Expr, b: &Expr) -> bool {
        a == b || self.prove_zero(&(a - b))
    }

    /// Does `e != 0` follow?
    pub fn prove_nonzero(&self, e: &Expr) -> bool {
        match e.as_constant() {
            Some(value) => !value.is_zero() || self.infeasible(),
            None => Prover::new().nonzero(self.store(), e, SPLITS).is_some(),
        }
    }

    /// Does `e != 0` follow from one fact or from constant bounds? That is soon asked.
    pub fn plainly_nonzero(&self, e: &Expr) -> bool {
        let prover = Prover::new();
        let is_positive = |side: &Expr| {
            let least = side.add_constant(&Integer::MINUS_ONE);
            prover.at_once(self.store(), &least).is_some()
        };
        is_positive(e) || is_positive(&-e)
    }

    /// Does the condition follow?
    pub fn prove(&self, condition: &Condition) -> bool {
        if condition.is_never() {
            return self.infeasible();
        }
        Prover::new().condition(self.store(), condition, SPLITS).is_some()
    }

    /// Does the condition follow, and from which tagged facts? The tags are sorted; untagged facts are not named.
    pub fn explain(&self, condition: &Condition) -> Option<Vec<u32>> {
        let rests = Prover::new().condition(self.store(), condition, SPLITS)?;
        Some(self.store().tags_of(rests))
    }

    /// As [`Facts::explain`] for `e >= 0`.
    pub fn explain_nonnegative(&self, e: &Expr) -> Option<Vec<u32>> {
        let rests = self.nonnegative(e)?;
        Some(self.store().tags_of(rests))
    }

    /// As [`Facts::explain`] for `e != 0`.
    pub fn explain_nonzero(&self, e: &Expr) -> Option<Vec<u32>> {
        let rests = Prover::new().nonzero(self.store(), e, SPLITS)?;
        Some(self.store().tags_of(rests))
    }

    /// Can the facts not hold together? (No proof of it does not mean that they can.)
    pub fn infeasible(&self) -> bool {
        self.contradiction().is_some()
    }

    /// True if values are found for which all facts and these conditions hold: nothing that contradicts that follows from the facts. (That none are found says nothing.)
    pub fn can_hold_with(&self, conditions: &[Condition]) -> bool {
        let store = self.store();
        let example = store.example();
        example.is_some_and(|values| witness::hold_together(store, values, conditions))
    }

    /// The tags that a proof of [`Facts::infeasible`] rests on.
    pub fn explain_infeasible(&self) -> Option<Vec<u32>> {
        let rests = self.contradiction()?;
        Some(self.store().tags_of(rests))
    }

    /// What contradicts itself proves everything.
    fn contradiction(&self) -> Option<Rests> {
        self.nonnegative(&Expr::int(-1))
    }

    /// What is known of the sign of `e`.
    pub fn sign(&self, e: &Expr) -> Sign {
        let store = self.store();
        if let Some(value) = e.as_constant() {
            return match value.signum() {
                -1 => Sign::Negative,
                0 => Sign::Zero,
                _ => Sign::Positive,
            };
        }
        let prover = Prover::new();
        let lower = prover.nonnegative(store, e, SPLITS).is_some();
        let upper = Prover::new().nonnegative(store, &-e, SPLITS).is_some();
        match (lower, upper) {
            (true, true) => Sign::Zero,
            (true, false) => match self.prove_nonzero(e) {
                true => Sign::Positive,
                false => Sign::NonNegative,
            },
            (false, true) => match self.prove_nonzero(e) {
                true => Sign::Negative,
                false => Sign::NonPositive,
            },
            (false, false) => match self.prove_nonzero(e) {
                true => Sign::NonZero,
                false => Sign::Unknown,
            },
        }
    }

    /// How `a` and `b` compare; `None` if nothing is known.
    pub fn compare(&self, a: &Expr, b: &Expr) -> Option<Order> {
        match self.sign(&(a - b)) {
            Sign::Negative => Some(Order::Less),
            Sign::NonPositive => Some(Order::LessEqual),
            Sign::Zero => Some(Order::Equal),
            Sign::NonNegative => Some(Order::GreaterEqual),
            Sign::Positive => Some(Order::Greater),
            Sign::NonZero => Some(Order::NotEqual),
            Sign::Unknown => None,
        }
    }
}
