//! Does a condition follow from the facts?
//!
//! A ladder, cheap to dear: constants and intervals; a fact about the same form; products counted from the least values of their factors on (`shifted`); a nonnegative combination of the relevant facts;
//! the same with products of facts; case distinctions on maxima, guarded sums, disequalities and disjunctions. Each step counts
//! its work, and past the limit the answer is "not shown". A "yes" is a proof for all integers; its tags name what it used.
//! Values that refute a question spare it the dear steps (`witness`).

use crate::atom::{Atom, Monomial, Operation};
use crate::collect::{self, Constraint};
use crate::condition::{Condition, ConditionKind, Relation};
use crate::congruence;
use crate::expr::Expr;
use crate::facts::{Fact, Rests, Store};
use crate::integer::Integer;
use crate::linear::Problem;
use crate::simplex::combination;
use crate::witness::{self, Values};
use std::cell::Cell;
use std::rc::Rc;

/// How much work one query may do, in units of about a nanosecond: a tableau cell is one.
const WORK: u64 = 250_000;
/// The work of looking at a fact.
const SCAN: usize = 20;
/// The work of collecting a constraint.
const CONSTRAINT: usize = 200;
/// The work of multiplying two constraints.
const PRODUCT: usize = 700;
/// The work of beginning a case distinction.
const CASE: usize = 3000;
/// The work of looking at a node of an expression, beyond so many that are looked at for nothing.
const NODE: usize = 100;
/// Expressions that people write have fewer nodes; what tools write may have thousands.
const USUAL: u32 = 60;
/// How many cases one query may look at.
const CASES: u32 = 24;

thread_local! {
    /// Work of all queries of this thread so far.
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// How much work the queries of this thread have done so far, in units of about a nanosecond. What one asks costs the difference of two readings; it is
/// counted, not measured, so that limits on it are the same on every machine.
pub fn work_done() -> u64 {
    DONE.with(Cell::get)
}

/// Counts work whose result is there already.
pub(crate) fn count_work(work: u64) {
    DONE.with(|done| done.set(done.get().wrapping_add(work)));
}

/// Work that several queries share; they stop when it is used up.
#[derive(Clone)]
pub(crate) struct Pool(Rc<Cell<u64>>);

impl Pool {
    /// As much as some single queries may use.
    pub(crate) fn new() -> Pool {
        Pool(Rc::new(Cell::new(3 * WORK)))
    }

    /// A query that draws on the pool.
    pub(crate) fn prover(&self) -> Prover {
        let mut prover = Prover::limited(self.0.get().min(WORK));
        prover.pool = Some(self.clone());
        prover
    }

    /// Counts the work of one more fact; false if there is nothing left.
    pub(crate) fn assumes(&self, condition: &Condition) -> bool {
        let work = CASE + large(condition.nodes());
        self.0.set(self.0.get().saturating_sub(work as u64));
        !self.is_empty()
    }

    /// True if there is as much left as one query may use.
    pub(crate) fn has_for_one(&self) -> bool {
        self.0.get() >= WORK
    }

    /// The same when so much more is used.
    pub(crate) fn has_for_one_behind(&self, work: u64) -> bool {
        self.0.get() >= WORK.saturating_add(work)
    }

    pub(crate) fn left(&self) -> u64 {
        self.0.get()
    }

    /// Takes work away that was done before.
    pub(crate) fn spend(&self, work: u64) {
        self.0.set(self.0.get().saturating_sub(work));
    }

    /// True if all is used up.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.get() == 0
    }

    /// A cheap attempt that draws on the pool, without case distinctions.
    pub(crate) fn quick(&self, store: &Store, e: &Expr) -> Option<Rests> {
        let prover = self.prover();
        prover.cases.set(0);
        prover.pairwise.set(false);
        prover.nonnegative(store, e, 0)
    }
}

/// The work of looking at an expression, or a condition, of so many nodes.
fn large(nodes: u32) -> usize {
    NODE * nodes.saturating_sub(USUAL) as usize
}

/// One query: its budget.
pub(crate) struct Prover {
    work: Cell<u64>,
    given: u64,
    cases: Cell<u32>,
    /// May facts be multiplied by facts?
    pairwise: Cell<bool>,
    pool: Option<Pool>,
    /// Part of another query, which counts its work.
    inside: bool,
}

impl Drop for Prover {
    fn drop(&mut self) {
        let used = self.given.saturating_sub(self.work.get());
        if !self.inside {
            count_work(used);
        }
        if let Some(pool) = &self.pool {
            pool.0.set(pool.0.get().saturating_sub(used));
        }
    }
}

impl Prover {
    pub(crate) fn new() -> Prover {
        Prover::limited(WORK)
    }

    fn limited(work: u64) -> Prover {
        Prover {
            work: Cell::new(work),
            given: work,
            cases: Cell::new(CASES),
            pairwise: Cell::new(true),
            pool: None,
            inside: false,
        }
    }

    /// Counts work that is about to be done. `false`: there is not enough left.
    fn charge(&self, work: usize) -> bool {
        let work = work as u64;
        let left = self.work.get();
        self.work.set(left.saturating_sub(work));
        left >= work
    }

    /// A cheap attempt out of the same budget, without products of facts and case distinctions.
    fn quick(&self, store: &Store, e: &Expr) -> Option<Rests> {
        let allowed = self.pairwise.replace(false);
        let result = self.nonnegative(store, e, 0);
        self.pairwise.set(allowed);
        result
    }

    pub(crate) fn nonnegative(&self, store: &Store, e: &Expr, splits: u32) -> Option<Rests> {
        if !self.charge(large(e.nodes())) {
            return None;
        }
        if let Some(rests) = self.at_once(store, e) {
            return Some(rests);
        }
        if e.as_constant().is_some() {
            return self.infeasible(store, splits);
        }
        if hopeless(store, e) || self.has_counterexample(store, splits, || Condition::nonnegative(e)) {
            return None;
        }
        // An extremum or a guarded sum in the goal is resolved first: nothing linear bounds it from the needed side.
        if splits > 0
            && let Some(atom) = goal_split(e)
        {
            if self.is_refuted(store, splits, || Condition::nonnegative(e)) {
                return None;
            }
            return self.split_atom(store, &atom, splits, &|prover, store, value| {
                prover.nonnegative(store, &e.replace_atom(&atom, value), splits - 1)
            });
        }
        let (result, constraints) = self.linear(store, e);
        if result.is_some() || splits == 0 {
            return result;
        }
        // Values that refute it spare case distinctions: they are looked for only if there are any.
        let hypotheses = Hypotheses::of(store, e, &constraints);
        if hypotheses.is_empty() || self.is_refuted(store, splits, || Condition::nonnegative(e)) {
            return None;
        }
        self.by_hypotheses(store, hypotheses, splits, &|prover, store| {
            prover.nonnegative(store, e, splits - 1)
        })
    }

    /// Values for which all facts hold. With what is assumed for a case they are not looked for: the question itself was asked without it.
    fn example<'a>(&self, store: &'a Store, splits: u32) -> Option<&'a Values> {
        match splits > 0 && !store.is_case {
            true => store.example(),
            false => None,
        }
    }

    /// True if those values refute the question already.
    fn has_counterexample(&self, store: &Store, splits: u32, question: impl FnOnce() -> Condition) -> bool {
        if store.is_case {
            return false;
        }
        // They are looked for only where one question may be dear.
        let values = match self.pool.is_none() {
            true => self.example(store, splits),
            false => None,
        };
        let values = values.or_else(|| store.followed_example());
        values.is_some_and(|values| witness::is_counterexample(values, &question()))
    }

    /// True if there are values that show that there is no proof.
    fn is_refuted(&self, store: &Store, splits: u32, question: impl FnOnce() -> Condition) -> bool {
        self.example(store, splits)
            .is_some_and(|values| witness::refutes(store, values, &question()))
    }

    /// Constants, intervals, a fact about the same form, and products of values that are counted from their least ones on.
    pub(crate) fn at_once(&self, store: &Store, e: &Expr) -> Option<Rests> {
        if let Some(value) = e.as_constant()
            && !value.is_negative()
        {
            return Some(Rests::NONE);
        }
        if let Some(rests) = store.contradiction {
            return Some(rests);
        }
        if let Some(rests) = store.bounds_of(e).low_at_least(0) {
            return Some(rests);
        }
        let variable = e.variable_terms();
        if variable.is_empty() {
            return None;
        }
        let constant = e.constant_term();
        for fact in &store.nonnegative {
            if fact.expr.variable_terms() == variable && fact.expr.constant_term() <= constant {
                return Some(fact.rests);
            }
        }
        // Of sums without products the bounds say as much.
        let has_products = variable.iter().any(|term| term.monomial.degree() > 1);
        has_products.then(|| store.plainly_nonnegative(e)).flatten()
    }

    /// Is it a nonnegative combination of relevant facts, or with products of them? Gives back those facts too.
    fn linear(&self, store: &Store, e: &Expr) -> (Option<Rests>, Vec<Constraint>) {
        self.linear_any(store, std::slice::from_ref(e))
    }

    /// The same for the first of some goals for which it is so. They have the same monomials.
    fn linear_any(&self, store: &Store, goals: &[Expr]) -> (Option<Rests>, Vec<Constraint>) {
        let Some(first) = goals.first() else {
            return (None, Vec::new());
        };
        let signs = |operand: &Expr| {
            let mut inner = Prover::limited(self.work.get().min(WORK / 16));
            inner.inside = true;
            let result = inner.shallow(store, operand);
            self.charge(inner.given.saturating_sub(inner.work.get()) as usize);
            result
        };
        if !self.charge(SCAN * (store.nonnegative.len() + store.zero.len())) {
            return (None, Vec::new());
        }
        let mut constraints = collect::relevant(store, first, &signs);
        if !self.charge(CONSTRAINT * constraints.len()) {
            return (None, Vec::new());
        }
        let thresholds: Vec<_> = goals.iter().map(|goal| self.threshold(store, goal)).collect();
        let attempt = |constraints: &[Constraint]| {
            goals
                .iter()
                .zip(&thresholds)
                .find_map(|(goal, threshold)| self.combine(goal, constraints, threshold))
        };
        let mut result = attempt(&constraints);
        if result.is_some() {
            return (result, constraints);
        }
        let nonlinear = |expr: &Expr| expr.terms().any(|term| term.monomial.degree() > 1);
        if nonlinear(first) || constraints.iter().any(|constraint| nonlinear(&constraint.expr)) {
            let plain = constraints.len();
            let mut made = 0;
            for pairwise in [false, true] {
                if pairwise && !self.pairwise.get() {
                    break;
                }
                let products = collect::products(store, first, &constraints[..plain], pairwise);
                if !self.charge(PRODUCT * products.len()) {
                    break;
                }
                if products.len() <= made {
                    continue;
                }
                made = products.len();
                constraints.truncate(plain);
                constraints.extend(products);
                result = attempt(&constraints);
                if result.is_some() {
                    break;
                }
            }
            constraints.truncate(plain);
        }
        (result, constraints)
    }

    /// The linear step alone, without looking into the signs of operands again.
    fn shallow(&self, store: &Store, e: &Expr) -> Option<Rests> {
        if let Some(rests) = self.at_once(store, e) {
            return Some(rests);
        }
        if !self.charge(SCAN * (store.nonnegative.len() + store.zero.len())) {
            return None;
        }
        let constraints = collect::relevant(store, e, &|_| None);
        if !self.charge(CONSTRAINT * constraints.len()) {
            return None;
        }
        self.combine(e, &constraints, &(Integer::MINUS_ONE, Rests::NONE))
    }

    /// `e >= 0` holds as soon as `e` is more than this: -1, or less where a residue of `e` is known.
    fn threshold(&self, store: &Store, e: &Expr) -> (Integer, Rests) {
        for known in &store.congruences {
            if let Some((residue, rests)) = congruence::residue(&store.congruences, e, &known.modulus) {
                return (residue - known.modulus.clone(), rests);
            }
        }
        (Integer::MINUS_ONE, Rests::NONE)
    }

    fn combine(
        &self,
        goal: &Expr,
        constraints: &[Constraint],
        threshold: &(Integer, Rests),
    ) -> Option<Rests> {
        let problem = Problem::new(goal, constraints)?;
        let used = combination(
            &problem.columns,
            &problem.goal,
            goal.constant_term().to_i128()?,
            threshold.0.to_i128()?,
            &self.work,
        )?;
        let rests = used.iter().fold(threshold.1, |all, column| {
            all.union(constraints[problem.origin[*column]].rests)
        });
        Some(rests)
    }

    /// Tries each value of an extremum or guarded sum, with what its being the value means.
    fn split_atom(
        &self,
        store: &Store,
        atom: &Atom,
        _splits: u32,
        attempt: &dyn Fn(&Prover, &Store, &Expr) -> Option<Rests>,
    ) -> Option<Rests> {
        let own = Expr::atom(atom.clone());
        let cases: Vec<(Condition, Expr)> = match atom.operation()? {
            Operation::Max(operands) => operands
                .iter()
                .map(|chosen| {
                    let greatest =
                        Condition::all(operands.iter().map(|other| Condition::less_equal(other, chosen)));
                    (greatest, chosen.clone())
                })
                .collect(),
            Operation::Guarded(cases) => cases.to_vec(),
            _ => return None,
        };
        let mut rests = Rests::NONE;
        for (condition, value) in cases {
            let condition = condition.and(&Condition::equal(&own, &value));
            let case = self.case(store, &condition)?;
            rests = rests.union(attempt(self, &case, &value)?);
        }
        Some(rests)
    }

    /// The facts with one more condition, if the limit on cases allows.
    fn case(&self, store: &Store, condition: &Condition) -> Option<Store> {
        let left = self.cases.get();
        // One more fact is compared with all that are there.
        let facts = store.nonnegative.iter().chain(&store.zero);
        let facts: usize = facts.map(|fact| large(fact.expr.nodes())).sum();
        let known = SCAN * (store.nonnegative.len() + store.bounds.len()) + facts / 2;
        if left == 0 || !self.charge(CASE + known + 4 * large(condition.nodes())) {
            return None;
        }
        self.cases.set(left - 1);
        let mut case = store.clone();
        case.is_case = true;
        case.assume(condition, Rests::NONE);
        Some(case)
    }

    /// Case distinctions on what the relevant facts say.
    fn by_hypotheses(
        &self,
        store: &Store,
        hypotheses: Hypotheses<'_>,
        splits: u32,
        attempt: &dyn Fn(&Prover, &Store) -> Option<Rests>,
    ) -> Option<Rests> {
        for atom in &hypotheses.atoms {
            let result = self.split_atom(store, atom, splits, &|prover, store, _| attempt(prover, store));
            if result.is_some() {
                return result;
            }
        }
        for (fact, cases) in hypotheses.nonzero {
            let result = self.all_cases(store, &cases, attempt);
            if let Some(rests) = result {
                return Some(rests.union(fact.rests));
            }
        }
        for index in hypotheses.disjunctions {
            let (condition, rests) = &store.disjunctions[index];
            let ConditionKind::Or(operands) = condition.kind() else {
                continue;
            };
            let mut without = store.clone();
            without.disjunctions.remove(index);
            if let Some(own) = self.all_cases(&without, operands, attempt) {
                return Some(own.union(*rests));
            }
        }
        None
    }

    fn all_cases(
        &self,
        store: &Store,
        cases: &[Condition],
        attempt: &dyn Fn(&Prover, &Store) -> Option<Rests>,
    ) -> Option<Rests> {
        let mut rests = Rests::NONE;
        for condition in cases {
            let case = self.case(store, condition)?;
            rests = rests.union(attempt(self, &case)?);
        }
        Some(rests)
    }

    pub(crate) fn zero(&self, store: &Store, e: &Expr, splits: u32) -> Option<Rests> {
        if e.is_zero() {
            return Some(Rests::NONE);
        }
        if let Some(rests) = store.contradiction {
            return Some(rests);
        }
        if e.as_constant().is_some() {
            return self.infeasible(store, splits);
        }
        if let Some(comparison) = Condition::zero(e).as_comparison()
            && let Some(fact) = store.zero.iter().find(|fact| fact.expr == comparison.expr)
        {
            return Some(fact.rests);
        }
        if self.has_counterexample(store, splits, || Condition::zero(e)) {
            return None;
        }
        let lower = self.nonnegative(store, e, splits)?;
        Some(lower.union(self.nonnegative(store, &-e, splits)?))
    }

    pub(crate) fn nonzero(&self, store: &Store, e: &Expr, splits: u32) -> Option<Rests> {
        if let Some(value) = e.as_constant() {
            return if value.is_zero() {
                self.infeasible(store, splits)
            } else {
                Some(Rests::NONE)
            };
        }
        if let Some(rests) = store.contradiction {
            return Some(rests);
        }
        let normal = Condition::nonzero(e);
        let Some(comparison) = normal.as_comparison() else {
            return normal.is_always().then_some(Rests::NONE);
        };
        if let Some(fact) = store.nonzero.iter().find(|fact| fact.expr == comparison.expr) {
            return Some(fact.rests);
        }
        for known in &store.congruences {
            if let Some((residue, rests)) = congruence::residue(&store.congruences, e, &known.modulus)
                && !residue.is_zero()
            {
                return Some(rests);
            }
        }
        if self.has_counterexample(store, splits, || normal.clone()) {
            return None;
        }
        let e = &comparison.expr;
        // One term: none of its factors is 0. Several with a common factor: neither that nor the rest.
        if let Some((factor, rest)) = common_factor(e) {
            let mut rests = self.nonzero(store, &factor, splits)?;
            if let Some(rest) = rest {
                rests = rests.union(self.nonzero(store, &rest, splits)?);
            }
            return Some(rests);
        }
        // The cases of the facts are distinguished below, once for both sides.
        let sides = [
            e.add_constant(&Integer::MINUS_ONE),
            (-e).add_constant(&Integer::MINUS_ONE),
        ];
        for side in &sides {
            if let Some(rests) = self.at_once(store, side) {
                return Some(rests);
            }
        }
        if let Some(rests) = self.linear_any(store, &sides).0 {
            return Some(rests);
        }
        if splits == 0 || self.is_refuted(store, splits, || normal.clone()) {
            return None;
        }
        if has_cases(store) || e.atoms().iter().any(is_split) {
            for side in [e.clone(), -e] {
                if let Some(rests) = self.nonnegative(store, &side.add_constant(&Integer::MINUS_ONE), 1) {
                    return Some(rests);
                }
            }
        }
        if let Some(atom) = e.atoms().into_iter().find(is_split)
            && let Some(rests) = self.split_atom(store, &atom, splits, &|prover, store, value| {
                prover.nonzero(store, &e.replace_atom(&atom, value), splits - 1)
            })
        {
            return Some(rests);
        }
        for fact in &store.nonzero {
            if fact.expr.mask() & e.mask() == 0 {
                continue;
            }
            let cases = [Condition::positive(&fact.expr), Condition::negative(&fact.expr)];
            let result = self.all_cases(store, &cases, &|prover, store| {
                prover.nonzero(store, e, splits - 1)
            });
            if let Some(rests) = result {
                return Some(rests.union(fact.rests));
            }
        }
        for (index, (condition, rests)) in store.disjunctions.iter().enumerate() {
            let ConditionKind::Or(operands) = condition.kind() else {
                continue;
            };
            if condition.mask() & e.mask() == 0 {
                continue;
            }
            let mut without = store.clone();
            without.disjunctions.remove(index);
            let attempt = |prover: &Prover, store: &Store| prover.nonzero(store, e, splits - 1);
            if let Some(own) = self.all_cases(&without, operands, &attempt) {
                return Some(own.union(*rests));
            }
        }
        None
    }

    pub(crate) fn condition(&self, store: &Store, condition: &Condition, splits: u32) -> Option<Rests> {
        match condition.kind() {
            ConditionKind::True => Some(Rests::NONE),
            ConditionKind::False => self.infeasible(store, splits),
            ConditionKind::Comparison(comparison) => match comparison.relation {
                Relation::NonNegative => self.nonnegative(store, &comparison.expr, splits),
                Relation::Zero => self.zero(store, &comparison.expr, splits),
                Relation::NonZero => self.nonzero(store, &comparison.expr, splits),
            },
            ConditionKind::And(operands) => {
                let mut rests = Rests::NONE;
                for operand in operands {
                    rests = rests.union(self.condition(store, operand, splits)?);
                }
                Some(rests)
            }
            ConditionKind::Or(operands) => {
                if let Some((_, rests)) = store.disjunctions.iter().find(|(own, _)| own == condition) {
                    return Some(*rests);
                }
                if self.is_refuted(store, splits, || condition.clone()) {
                    return None;
                }
                for operand in operands {
                    if let Some(rests) = self.condition(store, operand, splits.min(1)) {
                        return Some(rests);
                    }
                }
                // Where all others fail, the last must hold.
                if splits > 0
                    && let Some((last, others)) = operands.split_last()
                {
                    let failing = Condition::all(others.iter().map(Condition::not));
                    let case = self.case(store, &failing)?;
                    return self.condition(&case, last, splits - 1);
                }
                None
            }
        }
    }

    pub(crate) fn infeasible(&self, store: &Store, splits: u32) -> Option<Rests> {
        if let Some(rests) = store.contradiction {
            return Some(rests);
        }
        if store.nonnegative.is_empty() && store.zero.is_empty() || self.example(store, splits).is_some() {
            return None;
        }
        let goal = Expr::int(-1);
        let (result, constraints) = self.linear(store, &goal);
        if result.is_some() {
            return result;
        }
        // A disequality whose expression must be 0.
        for fact in &store.nonzero {
            let lower = self.quick(store, &fact.expr);
            if let Some(lower) = lower
                && let Some(upper) = self.quick(store, &-&fact.expr)
            {
                return Some(lower.union(upper).union(fact.rests));
            }
        }
        if splits == 0 {
            return None;
        }
        let hypotheses = Hypotheses::of(store, &goal, &constraints);
        self.by_hypotheses(store, hypotheses, splits, &|prover, store| {
            prover.infeasible(store, splits - 1)
        })
    }
}

/// What cases may be distinguished by.
struct Hypotheses<'a> {
    /// Extrema and guarded sums: which of their values they are.
    atoms: Vec<Atom>,
    /// What is not 0: above it, or below.
    nonzero: Vec<(&'a Fact, [Condition; 2])>,
    /// Disjunctions among the facts, by their places.
    disjunctions: Vec<usize>,
}

impl<'a> Hypotheses<'a> {
    /// Those that may say something of a goal with the facts that are relevant to it.
    fn of(store: &'a Store, goal: &Expr, constraints: &[Constraint]) -> Hypotheses<'a> {
        let mut atoms: Vec<Atom> = goal.atoms();
        for constraint in constraints {
            for atom in constraint.expr.atoms() {
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
        let mask = atoms.iter().fold(0, |mask, atom| mask | atom.mask());
        // Extrema of the same symbols may say something too, by cases.
        for fact in store
            .nonnegative
            .iter()
            .chain(&store.zero)
            .filter(|fact| fact.expr.mask() & mask != 0)
        {
            for term in fact.expr.terms() {
                for (atom, _) in term.monomial.factors() {
                    if is_split(atom) && atom.mask() & mask != 0 && !atoms.contains(atom) {
                        atoms.push(atom.clone());
                    }
                }
            }
        }
        atoms.retain(|atom| {
            let bounds_it = |expr: &Expr| {
                expr.terms()
                    .any(|term| term.monomial.power_of(atom) > 0 && term.coefficient.is_positive())
            };
            let wanted = match atom.operation() {
                Some(Operation::Guarded(_)) => true,
                // A fact `max(…) - x >= 0` says something only by cases.
                Some(Operation::Max(_)) => {
                    store.nonnegative.iter().any(|fact| bounds_it(&fact.expr))
                        || store.zero.iter().any(|fact| fact.expr.atoms().contains(atom))
                }
                _ => false,
            };
            let resolved = || {
                store.zero.iter().any(|fact| {
                    fact.expr
                        .linear_in_atom(atom, &|other| other == atom)
                        .is_some_and(|(factor, _)| {
                            factor.as_constant().is_some_and(|factor| factor.abs().is_one())
                        })
                })
            };
            wanted && !resolved()
        });
        let mut nonzero = Vec::new();
        for fact in &store.nonzero {
            if fact.expr.mask() & mask == 0 {
                continue;
            }
            let above = Condition::positive(&fact.expr);
            let below = Condition::negative(&fact.expr);
            if store.nonnegative.iter().any(|known| {
                above.as_comparison().is_some_and(|c| c.expr == known.expr)
                    || below.as_comparison().is_some_and(|c| c.expr == known.expr)
            }) {
                continue;
            }
            nonzero.push((fact, [above, below]));
        }
        let is_meant = |(condition, _): &(Condition, Rests)| {
            condition.mask() & mask != 0 && matches!(condition.kind(), ConditionKind::Or(_))
        };
        let disjunctions = store.disjunctions.iter().enumerate();
        Hypotheses {
            atoms,
            nonzero,
            disjunctions: disjunctions
                .filter(|(_, one)| is_meant(one))
                .map(|(place, _)| place)
                .collect(),
        }
    }

    /// True if there is nothing to distinguish cases by.
    fn is_empty(&self) -> bool {
        self.atoms.is_empty() && self.nonzero.is_empty() && self.disjunctions.is_empty()
    }
}

/// Is the goal linear in an atom about which nothing is known at all? Then nothing bounds it.
fn hopeless(store: &Store, e: &Expr) -> bool {
    if !store.disjunctions.is_empty() || store.contradiction.is_some() {
        return false;
    }
    e.terms().any(|term| {
        let Some(Atom::Symbol(symbol)) = term.monomial.as_atom() else {
            return false;
        };
        // Alone in the goal, in no other term, and in no fact.
        let elsewhere = e.terms().any(|other| {
            other.monomial != term.monomial
                && other
                    .monomial
                    .factors()
                    .iter()
                    .any(|(atom, _)| atom.mentions(*symbol))
        });
        let mask = crate::atom::symbol_bit(*symbol);
        let known = |facts: &[Fact]| {
            facts
                .iter()
                .any(|fact| fact.expr.mask() & mask != 0 && fact.expr.mentions(*symbol))
        };
        !elsewhere
            && !known(&store.nonnegative)
            && !known(&store.zero)
            && !known(&store.nonzero)
            && !store.bounds.contains_key(&Atom::Symbol(*symbol))
            && !possibly_infeasible(store)
    })
}

/// Facts that contradict each other prove everything; that is looked for only where asked.
fn possibly_infeasible(store: &Store) -> bool {
    store.contradiction.is_some()
}

fn is_split(atom: &Atom) -> bool {
    matches!(atom.operation(), Some(Operation::Max(_) | Operation::Guarded(_)))
}

/// Do the facts mention extrema or guarded sums?
fn has_cases(store: &Store) -> bool {
    let mut facts = store.nonnegative.iter().chain(&store.zero);
    facts.any(|fact| {
        fact.expr
            .terms()
            .any(|term| term.monomial.factors().iter().any(|(atom, _)| is_split(atom)))
    })
}

/// An extremum that lowers the goal, or that is a factor of a product, or any guarded sum.
fn goal_split(e: &Expr) -> Option<Atom> {
    for term in e.terms() {
        for (atom, power) in term.monomial.factors() {
            match atom.operation() {
                Some(Operation::Max(_))
                    if term.coefficient.is_negative() || *power > 1 || term.monomial.as_atom().is_none() =>
                {
                    return Some(atom.clone());
                }
                Some(Operation::Guarded(_)) => return Some(atom.clone()),
                _ => {}
            }
        }
    }
    None
}

/// `(factor, rest)` with `e = factor * rest`: an atom that divides all terms. No rest if the factor is all.
fn common_factor(e: &Expr) -> Option<(Expr, Option<Expr>)> {
    let (first, others) = e.term_slice().split_first()?;
    let (atom, _) = first
        .monomial
        .factors()
        .iter()
        .find(|(atom, _)| others.iter().all(|term| term.monomial.power_of(atom) > 0))?;
    let divisor = Monomial::atom(atom.clone());
    let mut terms = Vec::new();
    for term in e.terms() {
        terms.push(crate::expr::Term {
            monomial: term.monomial.divided_by(&divisor)?,
            coefficient: term.coefficient.clone(),
        });
    }
    let rest = Expr::from_terms(terms);
    match rest.as_constant() {
        // The atom alone: nothing was taken apart.
        Some(_) => None,
        None => Some((Expr::atom(atom.clone()), Some(rest))),
    }
}
