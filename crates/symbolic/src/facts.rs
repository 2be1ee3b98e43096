//! What is known, and what follows from it?
//!
//! A set of conditions on the symbols, which the queries of [`crate::prove`] and [`crate::bound`] use. Every fact may carry a
//! number, its *tag*; a proof names the tags that it rests on. All statements are about the assignments of integers to symbols
//! for which every fact is true and the expression asked about is defined.

use crate::atom::{Atom, Symbol, mix};
use crate::condition::{Condition, ConditionKind, Relation};
use crate::congruence::{self, Congruence};
use crate::expr::Expr;
use crate::integer::Integer;
use crate::interval::{Bounds, tighten};
use crate::memo::Memo;
use crate::shared::SharedMap;
use crate::witness::{self, Followed, Values};
use std::borrow::Borrow;
use std::sync::Arc;

/// Which tags a conclusion rests on: one bit each, by position in the list of the facts' tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rests(u128);

impl Rests {
    pub(crate) const NONE: Rests = Rests(0);

    #[inline]
    pub(crate) fn union(self, other: Rests) -> Rests {
        Rests(self.0 | other.0)
    }

    /// How many tags; the fewer the better.
    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// A fact and what it rests on.
#[derive(Clone)]
pub(crate) struct Fact {
    pub(crate) expr: Expr,
    pub(crate) rests: Rests,
}

/// A set of known conditions. Cheap to clone; a clone can be extended without changing the original.
#[derive(Clone, Default)]
pub struct Facts(Arc<Store>);

/// The facts by kind.
#[derive(Clone, Default)]
pub(crate) struct Store {
    tags: Vec<u32>,
    /// `expr >= 0`, content 1.
    pub(crate) nonnegative: Vec<Fact>,
    /// `expr == 0`
    pub(crate) zero: Vec<Fact>,
    /// `expr != 0`
    pub(crate) nonzero: Vec<Fact>,
    /// Conditions that are disjunctions.
    pub(crate) disjunctions: Vec<(Condition, Rests)>,
    pub(crate) congruences: Vec<Congruence>,
    /// Constant bounds of atoms that follow from the facts.
    pub(crate) bounds: SharedMap<Atom, Bounds>,
    /// The facts contradict each other; what that rests on.
    pub(crate) contradiction: Option<Rests>,
    pub(crate) memo: Memo,
    /// Values for which all facts hold, as far as they were found while facts came.
    pub(crate) followed: Followed,
    /// It holds what a proof assumes for one of several cases.
    pub(crate) is_case: bool,
}

/// Most facts of one kind that are kept; later ones are ignored, which is sound.
const MAX_FACTS: usize = 512;

/// Constant bounds larger than this are not kept.
const MAX_BOUND_BITS: u64 = 160;

/// Most steps that bring constant bounds up to date after one new fact.
const MAX_STEPS: usize = 24;

impl Facts {
    /// Nothing is known.
    pub fn new() -> Facts {
        Facts::default()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0
    }

    /// What answers rest on is about to change.
    fn change(&mut self) -> &mut Store {
        let store = Arc::make_mut(&mut self.0);
        store.memo.forget();
        store
    }

    /// `e >= 0` is known.
    pub fn assume_nonnegative(&mut self, e: impl Borrow<Expr>) {
        self.assume(&Condition::nonnegative(e.borrow()));
    }

    /// `e >= 1` is known.
    pub fn assume_positive(&mut self, e: impl Borrow<Expr>) {
        self.assume(&Condition::positive(e.borrow()));
    }

    /// `e == 0` is known.
    pub fn assume_zero(&mut self, e: impl Borrow<Expr>) {
        self.assume(&Condition::zero(e.borrow()));
    }

    /// `e != 0` is known.
    pub fn assume_nonzero(&mut self, e: impl Borrow<Expr>) {
        self.assume(&Condition::nonzero(e.borrow()));
    }

    /// The condition is known to hold.
    pub fn assume(&mut self, condition: &Condition) {
        self.change().assume(condition, Rests::NONE);
    }

    /// The condition is known to hold; proofs that use it name `tag`.
    pub fn assume_tagged(&mut self, condition: &Condition, tag: u32) {
        let store = self.change();
        let rests = store.rests_of(tag);
        store.assume(condition, rests);
    }

    pub(crate) fn assume_resting(&mut self, condition: &Condition, rests: Rests) {
        self.change().assume(condition, rests);
    }

    /// `e` leaves the remainder `residue` when divided by `modulus` (rounded down).
    pub fn congruent(
        &mut self,
        e: impl Borrow<Expr>,
        modulus: impl Into<Integer>,
        residue: impl Into<Integer>,
    ) {
        let store = self.change();
        store.congruent(e.borrow(), &modulus.into(), &residue.into(), Rests::NONE);
    }

    /// As [`Facts::congruent`]; proofs that use it name `tag`.
    pub fn congruent_tagged(
        &mut self,
        e: impl Borrow<Expr>,
        modulus: impl Into<Integer>,
        residue: impl Into<Integer>,
        tag: u32,
    ) {
        let store = self.change();
        let rests = store.rests_of(tag);
        store.congruent(e.borrow(), &modulus.into(), &residue.into(), rests);
    }

    /// These facts and one more condition.
    pub fn with(&self, condition: &Condition) -> Facts {
        let mut more = self.clone();
        more.assume(condition);
        more
    }

    /// True if something is known only as one of several cases.
    pub fn has_cases(&self) -> bool {
        !self.store().disjunctions.is_empty()
    }

    /// All that is known, as conditions with their tags (one tag set for each).
    pub fn conditions(&self) -> Vec<(Condition, Vec<u32>)> {
        let store = self.store();
        let mut all = Vec::new();
        for (facts, relation) in [
            (&store.nonnegative, Relation::NonNegative),
            (&store.zero, Relation::Zero),
            (&store.nonzero, Relation::NonZero),
        ] {
            for fact in facts {
                all.push((
                    Condition::comparison(relation, &fact.expr),
                    store.tags_of(fact.rests),
                ));
            }
        }
        for (condition, rests) in &store.disjunctions {
            all.push((condition.clone(), store.tags_of(*rests)));
        }
        for congruence in &store.congruences {
            let modulus = Expr::constant(congruence.modulus.clone());
            let condition = Condition::zero(&Expr::floor_mod(&congruence.expr, &modulus));
            all.push((condition, store.tags_of(congruence.rests)));
        }
        if let Some(rests) = store.contradiction {
            all.push((Condition::never(), store.tags_of(rests)));
        }
        all
    }

    /// True if the same is known in the same form, whatever the tags: every question has the same answer then.
    pub fn is_same(&self, other: &Facts) -> bool {
        let (a, b) = (self.store(), other.store());
        let same = |a: &[Fact], b: &[Fact]| {
            a.len() == b.len() && a.iter().zip(b).all(|(one, two)| one.expr == two.expr)
        };
        let same_disjunctions = || {
            let both = a.disjunctions.iter().zip(&b.disjunctions);
            a.disjunctions.len() == b.disjunctions.len() && both.into_iter().all(|(one, two)| one.0 == two.0)
        };
        let same_congruences = || {
            let mut both = a.congruences.iter().zip(&b.congruences);
            a.congruences.len() == b.congruences.len()
                && both.all(|(one, two)| one.expr == two.expr && one.modulus == two.modulus)
        };
        let same_bounds = || {
            fn value(end: &Option<(Integer, Rests)>) -> Option<&Integer> {
                end.as_ref().map(|(value, _)| value)
            }
            let same = |one: &Bounds, two: &Bounds| {
                value(&one.low) == value(&two.low) && value(&one.high) == value(&two.high)
            };
            let mut both = a.bounds.iter().zip(b.bounds.iter());
            a.bounds.len() == b.bounds.len() && both.all(|(one, two)| one.0 == two.0 && same(one.1, two.1))
        };
        Arc::ptr_eq(&self.0, &other.0)
            || same(&a.nonnegative, &b.nonnegative)
                && same(&a.zero, &b.zero)
                && same(&a.nonzero, &b.nonzero)
                && same_disjunctions()
                && same_congruences()
                && same_bounds()
                && a.contradiction.is_some() == b.contradiction.is_some()
    }

    /// True if all that is the same rests on the same tags, too: every answer names the same tags then.
    pub(crate) fn is_identical(&self, other: &Facts) -> bool {
        let (a, b) = (self.store(), other.store());
        let same = |a: &[Fact], b: &[Fact]| a.iter().zip(b).all(|(one, two)| one.rests == two.rests);
        let end = |end: &Option<(Integer, Rests)>| end.as_ref().map(|(_, rests)| *rests);
        let alike =
            |one: &Bounds, two: &Bounds| end(&one.low) == end(&two.low) && end(&one.high) == end(&two.high);
        Arc::ptr_eq(&self.0, &other.0)
            || a.tags == b.tags
                && a.contradiction == b.contradiction
                && self.is_same(other)
                && same(&a.nonnegative, &b.nonnegative)
                && same(&a.zero, &b.zero)
                && same(&a.nonzero, &b.nonzero)
                && a.disjunctions
                    .iter()
                    .zip(&b.disjunctions)
                    .all(|(one, two)| one.1 == two.1)
                && a.congruences
                    .iter()
                    .zip(&b.congruences)
                    .all(|(one, two)| one.rests == two.rests)
                && a.bounds
                    .values()
                    .zip(b.bounds.values())
                    .all(|(one, two)| alike(one, two))
    }

    /// A number that facts have in common that are the same ([`Facts::is_same`]): a key for looking them up.
    pub fn digest(&self) -> u64 {
        let store = self.store();
        store.memo.digest(|| {
            let kinds = [&store.nonnegative, &store.zero, &store.nonzero];
            kinds.into_iter().fold(0, |digest, facts| {
                let of_kind = mix(digest, facts.len() as u64);
                facts
                    .iter()
                    .fold(of_kind, |digest, fact| mix(digest, fact.expr.hash_bits()))
            })
        })
    }

    /// The constant bounds of `e` that follow at once, without a proof search.
    pub fn constant_range(&self, e: &Expr) -> (Option<Integer>, Option<Integer>) {
        let bounds = self.store().bounds_of(e);
        (
            bounds.low.map(|(value, _)| value),
            bounds.high.map(|(value, _)| value),
        )
    }

    /// What is left of the facts if nothing is known about the symbol any more: those that do not mention it.
    pub fn without_symbol(&self, symbol: Symbol) -> Facts {
        let old = self.store();
        let mut facts = Facts(Arc::new(Store {
            tags: old.tags.clone(),
            // Where all facts hold, those of them that are left do.
            followed: old.followed.clone(),
            ..Store::default()
        }));
        let store = Arc::make_mut(&mut facts.0);
        let free = |fact: &&Fact| !fact.expr.mentions(symbol);
        store.zero = old.zero.iter().filter(free).cloned().collect();
        store.nonzero = old.nonzero.iter().filter(free).cloned().collect();
        store.disjunctions = old
            .disjunctions
            .iter()
            .filter(|(c, _)| !c.mentions(symbol))
            .cloned()
            .collect();
        store.congruences = old
            .congruences
            .iter()
            .filter(|congruence| !congruence.expr.mentions(symbol))
            .cloned()
            .collect();
        // The constant bounds of the other atoms stay: they follow from facts that may mention the symbol.
        store.bounds = old.bounds.filtered(|atom| !atom.mentions(symbol));
        store.contradiction = old.contradiction;
        store.nonnegative = old.nonnegative.iter().filter(free).cloned().collect();
        facts
    }
}

impl Store {
    /// Values for which all facts hold, if some are found.
    pub(crate) fn example(&self) -> Option<&Values> {
        match self.followed_example() {
            Some(values) => Some(values),
            None => self.memo.example(|| witness::find(self)),
        }
    }

    /// The same, if they are there without a search.
    pub(crate) fn followed_example(&self) -> Option<&Values> {
        match self.contradiction.is_some() || witness::has_too_many(self) {
            true => None,
            false => self.followed.values(),
        }
    }

    fn rests_of(&mut self, tag: u32) -> Rests {
        let position = match self.tags.iter().position(|own| *own == tag) {
            Some(position) => position,
            None => {
                self.tags.push(tag);
                self.tags.len() - 1
            }
        };
        // The last bit stands for all tags that have no bit of their own.
        Rests(1 << position.min(127))
    }

    pub(crate) fn tags_of(&self, rests: Rests) -> Vec<u32> {
        let mut tags: Vec<u32> = self
            .tags
            .iter()
            .enumerate()
            .filter(|(position, _)| rests.0 >> (*position).min(127) & 1 == 1)
            .map(|(_, tag)| *tag)
            .collect();
        tags.sort_unstable();
        tags
    }

    pub(crate) fn assume(&mut self, condition: &Condition, rests: Rests) {
        self.learn(condition, rests);
        witness::follow(self, condition);
    }

    fn learn(&mut self, condition: &Condition, rests: Rests) {
        match condition.kind() {
            ConditionKind::True => {}
            ConditionKind::False => self.contradict(rests),
            ConditionKind::And(operands) => {
                for operand in operands {
                    self.learn(operand, rests);
                }
            }
            ConditionKind::Or(_) => {
                if self.disjunctions.len() < MAX_FACTS
                    && !self.disjunctions.iter().any(|(own, _)| own == condition)
                {
                    self.disjunctions.push((condition.clone(), rests));
                }
            }
            ConditionKind::Comparison(comparison) => match comparison.relation {
                Relation::NonNegative => self.add_nonnegative(&comparison.expr, rests),
                Relation::Zero => self.add_zero(&comparison.expr, rests),
                Relation::NonZero => self.add_nonzero(&comparison.expr, rests),
            },
        }
    }

    fn contradict(&mut self, rests: Rests) {
        if self.contradiction.is_none_or(|old| rests.count() < old.count()) {
            self.contradiction = Some(rests);
        }
    }

    fn add_nonnegative(&mut self, expr: &Expr, rests: Rests) {
        let variable = expr.variable_terms();
        let mut replaced = None;
        for (index, fact) in self.nonnegative.iter_mut().enumerate() {
            if fact.expr.variable_terms() != variable {
                continue;
            }
            // Of two facts about one form the stronger one stays, and a weaker one that rests on less.
            let weaker = expr.constant_term() >= fact.expr.constant_term();
            if weaker && fact.rests.count() <= rests.count() {
                return;
            }
            if expr.constant_term() <= fact.expr.constant_term() && rests.count() <= fact.rests.count() {
                *fact = Fact {
                    expr: expr.clone(),
                    rests,
                };
                replaced = Some(index);
                break;
            }
        }
        if replaced.is_some() {
            self.exclude_ends(expr, rests);
            self.propagate(expr, rests, false);
            return;
        }
        if self.nonnegative.len() >= MAX_FACTS {
            return;
        }
        self.nonnegative.push(Fact {
            expr: expr.clone(),
            rests,
        });
        self.exclude_ends(expr, rests);
        self.propagate(expr, rests, false);
    }

    /// `e >= 0` and a known `e != 0` give `e >= 1`.
    fn exclude_ends(&mut self, expr: &Expr, rests: Rests) {
        let normal = Condition::nonzero(expr);
        let Some(comparison) = normal.as_comparison() else {
            return;
        };
        let found = self
            .nonzero
            .iter()
            .find(|fact| fact.expr == comparison.expr)
            .map(|fact| fact.rests);
        if let Some(other) = found {
            self.add_nonnegative(&expr.add_constant(&Integer::MINUS_ONE), rests.union(other));
        }
    }

    fn add_zero(&mut self, expr: &Expr, rests: Rests) {
        if self.zero.iter().any(|fact| fact.expr == *expr) || self.zero.len() >= MAX_FACTS {
            return;
        }
        self.zero.push(Fact {
            expr: expr.clone(),
            rests,
        });
        self.propagate(expr, rests, true);
    }

    fn add_nonzero(&mut self, expr: &Expr, rests: Rests) {
        if self.nonzero.iter().any(|fact| fact.expr == *expr) || self.nonzero.len() >= MAX_FACTS {
            return;
        }
        self.nonzero.push(Fact {
            expr: expr.clone(),
            rests,
        });
        for side in [expr.clone(), -expr] {
            let known = self
                .nonnegative
                .iter()
                .find(|fact| fact.expr == side)
                .map(|fact| fact.rests)
                .or_else(|| {
                    self.bounds_of(&side)
                        .low
                        .filter(|(low, _)| low.is_zero())
                        .map(|(_, rests)| rests)
                });
            if let Some(other) = known {
                self.learn(&Condition::positive(&side), rests.union(other));
            }
        }
    }

    fn congruent(&mut self, expr: &Expr, modulus: &Integer, residue: &Integer, rests: Rests) {
        let modulus = modulus.abs();
        if modulus.is_zero() {
            self.assume(&Condition::zero(&expr.add_constant(&-residue)), rests);
            return;
        }
        if self.congruences.len() >= MAX_FACTS {
            return;
        }
        let form = expr.add_constant(&-residue);
        if let Some((value, used)) = congruence::residue(&self.congruences, &form, &modulus) {
            if !value.is_zero() {
                self.contradict(rests.union(used));
            }
            return;
        }
        if let Some(congruence) = congruence::prepare(&self.congruences, &form, &modulus, rests) {
            self.congruences.push(congruence);
        }
        let remainder = Expr::floor_mod(&form, &Expr::constant(modulus));
        witness::follow(self, &Condition::zero(&remainder));
    }

    /// Brings the constant bounds of the atoms up to date after a new fact, for a limited number of steps.
    fn propagate(&mut self, expr: &Expr, rests: Rests, equal: bool) {
        let mut changed = self.propagate_fact(expr, rests);
        if equal {
            changed |= self.propagate_fact(&-expr, rests);
        }
        let mut steps = 0;
        while changed != 0 && steps < MAX_STEPS {
            let now = std::mem::take(&mut changed);
            for index in 0..self.nonnegative.len() {
                let fact = &self.nonnegative[index];
                if fact.expr.mask() & now != 0 && fact.expr.term_slice().len() > 1 {
                    let fact = fact.clone();
                    changed |= self.propagate_fact(&fact.expr, fact.rests);
                    steps += 1;
                }
            }
            for index in 0..self.zero.len() {
                let fact = &self.zero[index];
                if fact.expr.mask() & now != 0 {
                    let fact = fact.clone();
                    changed |= self.propagate_fact(&fact.expr, fact.rests);
                    changed |= self.propagate_fact(&-&fact.expr, fact.rests);
                    steps += 2;
                }
            }
        }
    }

    /// From `c*a + rest >= 0`: `a >= ceil(-max(rest) / c)` for `c > 0`, `a <= floor(max(rest) / -c)` for `c < 0`.
    /// The result is the mask of the atoms whose bounds changed.
    fn propagate_fact(&mut self, expr: &Expr, rests: Rests) -> u64 {
        let terms = expr.term_slice();
        // The upper bound of each term; at most one may be missing for anything to follow.
        let mut sum = Integer::ZERO;
        let mut used = rests;
        let mut missing = None;
        let mut highs = Vec::with_capacity(terms.len());
        for (index, term) in terms.iter().enumerate() {
            let high = self.term_bounds(term).high;
            match &high {
                Some((value, own)) => {
                    sum = &sum + value;
                    used = used.union(*own);
                }
                None if missing.is_some() => return 0,
                None => missing = Some(index),
            }
            highs.push(high);
        }
        let mut changed = 0;
        for (index, term) in terms.iter().enumerate() {
            let Some(atom) = term.monomial.as_atom() else {
                continue;
            };
            if missing.is_some_and(|missing| missing != index) {
                continue;
            }
            let rest = match &highs[index] {
                Some((value, _)) => &sum - value,
                None => sum.clone(),
            };
            let Some(quotient) = rest.floor_div(&term.coefficient.abs()) else {
                continue;
            };
            // Facts of higher degree can square a bound in every step; such bounds are of no use.
            if quotient.bits() > MAX_BOUND_BITS {
                continue;
            }
            let bounds = self.bounds.entry(atom, Bounds::default);
            let tightened = if term.coefficient.is_positive() {
                tighten(&mut bounds.low, -quotient, used, true)
            } else {
                tighten(&mut bounds.high, quotient, used, false)
            };
            if tightened {
                changed |= atom.mask();
            }
            if let (Some((low, a)), Some((high, b))) = (&bounds.low, &bounds.high)
                && low > high
            {
                let both = a.union(*b);
                self.contradict(both);
                return 0;
            }
        }
        changed
    }
}
