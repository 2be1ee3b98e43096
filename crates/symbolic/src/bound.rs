//! How large and how small can an expression be, for all values of some symbols that the facts allow?
//!
//! The symbols are eliminated one after the other, innermost loop counter first. The facts that bound a symbol give its ends;
//! an expression that is monotone in the symbol, or convex, has its extreme value at an end. Where neither is shown, the atoms that
//! depend on the symbol are bounded by themselves. Eliminating a symbol leaves what its having a value says of the others
//! (every lower end is at most every upper end: Fourier-Motzkin), so the bound of an outer counter knows that the inner
//! loop runs.

use crate::atom::{Atom, Operation, Symbol};
use crate::collect::Constraint;
use crate::condition::Condition;
use crate::expr::Expr;
use crate::facts::{Facts, Rests, Store};
use crate::integer::Integer;
use crate::prover::Pool;
use crate::recall;
use std::cell::Cell;
use std::collections::BTreeSet;

mod quotient;

/// A bound of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The bound, free of the symbols that were eliminated.
    pub value: Expr,
    /// Is it attained, for all values of the other symbols for which the facts can be fulfilled?
    pub exact: bool,
    /// The tags of the facts that it rests on, sorted.
    pub tags: Vec<u32>,
}

/// How deep atoms within atoms are bounded.
const DEPTH: u32 = 4;
/// How many expressions one query looks at.
const MAX_STEPS: u32 = 100;
/// Most ends of one symbol that are taken into account.
const MAX_ENDS: usize = 6;

impl Facts {
    /// The least upper bound of `e` that is found, free of the symbols in `eliminate` (innermost first). `None` if none is found.
    pub fn maximum(&self, e: &Expr, eliminate: &[Symbol]) -> Option<Bound> {
        let eliminate = &self.connected(e, eliminate)[..];
        recall::greatest(self, e, eliminate, || self.greatest(e, eliminate))
    }

    fn greatest(&self, e: &Expr, eliminate: &[Symbol]) -> Option<Bound> {
        let search = Search {
            eliminate,
            pool: Pool::new(),
            steps: Cell::new(MAX_STEPS),
        };
        let mut bound = search.maximum(self, e, eliminate, DEPTH)?;
        bound.value = self.simplify(&bound.value);
        Some(bound.publish(self))
    }

    /// Those of the symbols in `eliminate` that `e` mentions or that facts link to them by others of these.
    fn connected(&self, e: &Expr, eliminate: &[Symbol]) -> Vec<Symbol> {
        let candidates: BTreeSet<Symbol> = eliminate.iter().copied().collect();
        let found = self.linked_among(&e.symbols(), &|symbol| candidates.contains(&symbol));
        let is_found = |symbol: &Symbol| found.contains(symbol);
        eliminate.iter().copied().filter(is_found).collect()
    }

    /// The greatest lower bound of `e` that is found, free of the symbols in `eliminate` (innermost first).
    pub fn minimum(&self, e: &Expr, eliminate: &[Symbol]) -> Option<Bound> {
        let mut bound = self.maximum(&-e, eliminate)?;
        bound.value = -bound.value;
        Some(bound)
    }

    /// What the facts say of the other symbols once those in `eliminate` (innermost first) are eliminated: the facts that do not
    /// mention them, and that there are values for them. `true`: nothing more can be said; every solution of the result
    /// extends to one of these facts.
    pub fn projected(&self, eliminate: &[Symbol]) -> (Facts, bool) {
        let search = Search {
            eliminate,
            pool: Pool::new(),
            steps: Cell::new(MAX_STEPS),
        };
        let mut facts = self.clone();
        let mut exact = true;
        let mut left = eliminate;
        while let Some((symbol, rest)) = left.split_first() {
            let ends = search.ends(&facts, *symbol, rest);
            let (outer, complete) = project(&facts, *symbol, &ends);
            facts = outer;
            exact &= complete;
            left = rest;
        }
        (facts, exact)
    }

    /// The condition on the other symbols under which there are values for those in `eliminate` (innermost first). It is always
    /// necessary; `true`: it is sufficient too. Facts that never mentioned those symbols are not repeated in it.
    pub fn nonempty(&self, eliminate: &[Symbol]) -> (Condition, bool) {
        let (facts, exact) = self.projected(eliminate);
        if facts.store().contradiction.is_some() {
            return (Condition::never(), exact);
        }
        let own: Vec<Condition> = self
            .conditions()
            .into_iter()
            .map(|(condition, _)| condition)
            .collect();
        let new = facts.conditions().into_iter().map(|(condition, _)| condition);
        (
            Condition::all(new.filter(|condition| !own.contains(condition))),
            exact,
        )
    }
}

/// A bound during the search.
#[derive(Clone)]
struct Partial {
    value: Expr,
    exact: bool,
    rests: Rests,
}

impl Partial {
    fn publish(self, facts: &Facts) -> Bound {
        Bound {
            value: self.value,
            exact: self.exact,
            tags: facts.store().tags_of(self.rests),
        }
    }
}

/// The ends of a symbol, from the facts.
struct Ends {
    low: Vec<(Expr, Rests)>,
    high: Vec<(Expr, Rests)>,
    /// Are these all the facts about the symbol, so that every integer between the ends is a value of it?
    complete: bool,
    /// The symbols that are eliminated after this one.
    later: Vec<Symbol>,
}

struct Search<'a> {
    eliminate: &'a [Symbol],
    /// What all its proofs together may cost.
    pool: Pool,
    /// How many expressions it may still look at.
    steps: Cell<u32>,
}

impl Search<'_> {
    fn maximum(&self, facts: &Facts, e: &Expr, order: &[Symbol], depth: u32) -> Option<Partial> {
        let Some((symbol, rest)) = order.split_first() else {
            return Some(Partial {
                value: e.clone(),
                exact: true,
                rests: Rests::NONE,
            });
        };
        let ends = self.ends(facts, *symbol, rest);
        let (outer, projected) = project(facts, *symbol, &ends);
        let (value, exact, rests) = if e.mentions(*symbol) {
            let one = self.eliminate_one(facts, e, *symbol, &ends, depth)?;
            (one.value, one.exact && ends.complete, one.rests)
        } else {
            (e.clone(), ends.complete, Rests::NONE)
        };
        let inner = self.maximum(&outer, &value, rest, depth)?;
        Some(Partial {
            value: inner.value,
            exact: inner.exact && exact && projected,
            rests: inner.rests.union(rests),
        })
    }

    /// An upper bound without the symbol; it may mention symbols that are eliminated later.
    fn eliminate_one(
        &self,
        facts: &Facts,
        e: &Expr,
        symbol: Symbol,
        ends: &Ends,
        depth: u32,
    ) -> Option<Partial> {
        if !e.mentions(symbol) {
            return Some(Partial {
                value: e.clone(),
                exact: true,
                rests: Rests::NONE,
            });
        }
        self.steps.set(self.steps.get().checked_sub(1)?);
        if let Some(bound) = self.by_slope(facts, e, symbol, ends) {
            return Some(bound);
        }
        if depth == 0 {
            return None;
        }
        self.by_cases(facts, e, symbol, ends, depth)
            .or_else(|| self.by_atoms(facts, e, symbol, ends, depth))
    }

    /// Whether an expression is plainly not negative, or plainly not positive.
    fn plain_sign(&self, store: &Store, e: &Expr) -> Option<(Rests, bool)> {
        let prover = self.pool.prover();
        match prover.at_once(store, e) {
            Some(rests) => Some((rests, true)),
            None => Some((prover.at_once(store, &-e)?, false)),
        }
    }

    /// The same by a proof.
    fn sign(&self, store: &Store, e: &Expr) -> Option<(Rests, bool)> {
        let proved = |e: &Expr| self.pool.prover().nonnegative(store, e, 1);
        self.plain_sign(store, e)
            .or_else(|| Some((proved(e)?, true)))
            .or_else(|| Some((proved(&-e)?, false)))
    }

    /// Monotone or convex: the greatest value is at an end.
    fn by_slope(&self, facts: &Facts, e: &Expr, symbol: Symbol, ends: &Ends) -> Option<Partial> {
        let at = |end: &(Expr, Rests)| e.substitute(symbol, &end.0);
        let store = facts.store();
        let linear = e.linear_in(symbol);
        // Plainly monotone, as nearly all offsets are: only one of the ends is asked for, and no proof is looked for that it is not.
        if let Some((slope, _)) = &linear
            && let Some((rests, rises)) = self.plain_sign(store, slope)
        {
            let end = match rises {
                true => self.extreme(facts, &ends.high, true),
                false => self.extreme(facts, &ends.low, false),
            };
            if let Some(end) = end {
                return Some(Partial {
                    value: at(&end),
                    exact: true,
                    rests: rests.union(end.1),
                });
            }
        }
        let low = self.extreme(facts, &ends.low, false);
        let high = self.extreme(facts, &ends.high, true);
        if let Some((slope, _)) = linear {
            if let Some(high) = &high
                && let Some(rests) = self.pool.prover().nonnegative(store, &slope, 1)
            {
                return Some(Partial {
                    value: at(high),
                    exact: true,
                    rests: rests.union(high.1),
                });
            }
            if let Some(low) = &low
                && let Some(rests) = self.pool.prover().nonnegative(store, &-&slope, 1)
            {
                return Some(Partial {
                    value: at(low),
                    exact: true,
                    rests: rests.union(low.1),
                });
            }
            let (low, high) = (low?, high?);
            let value = Expr::max(&at(&low), &at(&high));
            return Some(Partial {
                value,
                exact: true,
                rests: low.1.union(high.1),
            });
        }
        // The step from each value to the next, where both are allowed.
        let next = Expr::symbol(symbol).add_constant(&Integer::ONE);
        let difference = e.substitute(symbol, &next) - e;
        // The steps lead through values between the ends for which other facts about the symbol may fail, so that only the
        // ends may be used of all that is known of it.
        let own = Expr::symbol(symbol);
        let mut between = facts.without_symbol(symbol);
        for (end, rests) in &ends.low {
            between.assume_resting(&Condition::less_equal(end, &own), *rests);
        }
        for (end, rests) in &ends.high {
            between.assume_resting(&Condition::less_equal(&own, end), *rests);
        }
        let mut inside = between.clone();
        for (end, rests) in &ends.high {
            inside.assume_resting(&Condition::less(&own, end), *rests);
        }
        let mut rests = ends
            .high
            .iter()
            .chain(&ends.low)
            .fold(Rests::NONE, |all, end| all.union(end.1));
        if let Some(high) = &high
            && let Some(own) = self.pool.prover().nonnegative(inside.store(), &difference, 2)
        {
            rests = rests.union(own);
            return Some(Partial {
                value: at(high),
                exact: true,
                rests,
            });
        }
        if let Some(low) = &low
            && let Some(own) = self.pool.prover().nonnegative(inside.store(), &-&difference, 2)
        {
            rests = rests.union(own);
            return Some(Partial {
                value: at(low),
                exact: true,
                rests,
            });
        }
        let (low, high) = (low?, high?);
        let bend = difference.substitute(symbol, &next) - &difference;
        if e.degree(symbol).is_some()
            && let Some(own) = self.pool.prover().nonnegative(between.store(), &bend, 1)
        {
            let value = Expr::max(&at(&low), &at(&high));
            return Some(Partial {
                value,
                exact: true,
                rests: rests.union(own),
            });
        }
        None
    }

    /// A maximum that raises the expression, and a guarded sum, are bounded case by case.
    fn by_cases(&self, facts: &Facts, e: &Expr, symbol: Symbol, ends: &Ends, depth: u32) -> Option<Partial> {
        for atom in e.atoms() {
            if !atom.mentions(symbol) {
                continue;
            }
            let Some((slope, _)) = e.linear_in_atom(&atom, &|other| *other == atom) else {
                continue;
            };
            match atom.operation() {
                Some(Operation::Max(operands)) => {
                    let Some((rests, raises)) = self.sign(facts.store(), &slope) else {
                        continue;
                    };
                    let mut parts = Vec::new();
                    let mut all = Partial {
                        value: Expr::zero(),
                        exact: raises,
                        rests,
                    };
                    let mut complete = true;
                    for operand in operands {
                        let part = e.replace_atom(&atom, operand);
                        match self.eliminate_one(facts, &part, symbol, ends, depth - 1) {
                            Some(bound) => {
                                all.exact &= bound.exact;
                                all.rests = all.rests.union(bound.rests);
                                parts.push(bound.value);
                            }
                            None => complete = false,
                        }
                    }
                    // Where the maximum lowers the expression, each operand gives a bound of its own.
                    if parts.is_empty() || (raises && !complete) {
                        continue;
                    }
                    all.value = if raises {
                        Expr::maximum_of(&parts)
                    } else {
                        Expr::minimum_of(&parts)
                    };
                    return Some(all);
                }
                Some(Operation::Guarded(cases)) => {
                    let mut parts = Vec::new();
                    let mut all = Partial {
                        value: Expr::zero(),
                        exact: true,
                        rests: Rests::NONE,
                    };
                    let mut complete = true;
                    let free = cases.iter().all(|(condition, _)| !condition.mentions(symbol));
                    for (condition, value) in cases {
                        let case = facts.with(condition);
                        if case.store().contradiction.is_some() {
                            continue;
                        }
                        let part = e.replace_atom(&atom, value);
                        let narrower;
                        let own_ends = if free {
                            ends
                        } else {
                            narrower = self.ends(&case, symbol, &ends.later);
                            &narrower
                        };
                        let Some(bound) = self.eliminate_one(&case, &part, symbol, own_ends, depth - 1)
                        else {
                            complete = false;
                            break;
                        };
                        all.exact &= bound.exact && free;
                        all.rests = all.rests.union(bound.rests);
                        parts.push((condition.clone(), bound.value));
                    }
                    if !complete || parts.is_empty() {
                        continue;
                    }
                    all.value = if free {
                        Expr::guarded(parts)
                    } else {
                        let values: Vec<Expr> = parts.into_iter().map(|(_, value)| value).collect();
                        Expr::maximum_of(&values)
                    };
                    return Some(all);
                }
                _ => {}
            }
        }
        None
    }

    /// Replaces an atom, or one factor of the symbol's products, by a bound of its own.
    fn by_atoms(&self, facts: &Facts, e: &Expr, symbol: Symbol, ends: &Ends, depth: u32) -> Option<Partial> {
        for atom in e.atoms() {
            if !atom.mentions(symbol) || atom.as_symbol().is_some() {
                continue;
            }
            let Some((slope, _)) = e.linear_in_atom(&atom, &|other| *other == atom) else {
                continue;
            };
            let store = facts.store();
            // The slope itself may depend on the symbol; its sign is what counts.
            let Some((rests, upper)) = self.sign(store, &slope) else {
                continue;
            };
            let bounded = |replaced: &Expr, own: Rests| {
                let bound = self.eliminate_one(facts, replaced, symbol, ends, depth - 1)?;
                Some(Partial {
                    value: bound.value,
                    exact: false,
                    rests: bound.rests.union(rests).union(own),
                })
            };
            let range = self.atom_end(facts, &atom, symbol, ends, upper, depth);
            let apart = range.and_then(|range| {
                let replaced = e.replace_atom(&atom, &range.value);
                match replaced.atoms().contains(&atom) {
                    true => None,
                    false => bounded(&replaced, range.rests),
                }
            });
            let together = self
                .without_quotient(facts, e, (&atom, &slope, upper), symbol)
                .and_then(|(replaced, own)| bounded(&replaced, own));
            if let Some(bound) = self.lower(facts, apart, together) {
                return Some(bound);
            }
        }
        // Term by term: each term alone may be monotone.
        if e.term_slice().len() > 1 {
            let mut sum = Partial {
                value: Expr::zero(),
                exact: false,
                rests: Rests::NONE,
            };
            for term in e.terms() {
                let own = Expr::monomial(&term.monomial, term.coefficient.clone());
                let bound = self.eliminate_one(facts, &own, symbol, ends, depth - 1)?;
                sum.value = sum.value + bound.value;
                sum.rests = sum.rests.union(bound.rests);
            }
            return Some(sum);
        }
        // One term of which the sign of the other factors is not known.
        let bounds = facts.store().bounds_of(e);
        let (high, rests) = bounds.high?;
        Some(Partial {
            value: Expr::constant(high),
            exact: false,
            rests,
        })
    }

    /// An upper or lower bound of an atom, free of the symbol.
    fn atom_end(
        &self,
        facts: &Facts,
        atom: &Atom,
        symbol: Symbol,
        ends: &Ends,
        upper: bool,
        depth: u32,
    ) -> Option<Partial> {
        let mut found = self.atom_end_of_form(facts, atom, symbol, ends, upper, depth);
        if found.is_none() {
            let bounds = facts.store().atom_bounds(atom);
            let end = if upper { bounds.high } else { bounds.low };
            found = end.map(|(value, rests)| Partial {
                value: Expr::constant(value),
                exact: false,
                rests,
            });
        }
        found.filter(|bound| !bound.value.mentions(symbol))
    }

    fn atom_end_of_form(
        &self,
        facts: &Facts,
        atom: &Atom,
        symbol: Symbol,
        ends: &Ends,
        upper: bool,
        depth: u32,
    ) -> Option<Partial> {
        let store = facts.store();
        let positive = |e: &Expr| {
            self.pool
                .prover()
                .nonnegative(store, &e.add_constant(&Integer::MINUS_ONE), 1)
        };
        let sign = |e: &Expr| self.pool.prover().nonnegative(store, e, 1);
        let inner = |e: &Expr, upper: bool| {
            if upper {
                self.eliminate_one(facts, e, symbol, ends, depth - 1)
            } else {
                self.eliminate_one(facts, &-e, symbol, ends, depth - 1)
                    .map(|bound| Partial {
                        value: -bound.value,
                        ..bound
                    })
            }
        };
        let made = |value: Expr, rests: Rests| {
            Some(Partial {
                value,
                exact: false,
                rests,
            })
        };
        match atom.operation()? {
            Operation::FloorMod(a, d) if !d.mentions(symbol) => {
                let rests = positive(d)?;
                if !upper {
                    return made(Expr::zero(), rests);
                }
                made(d.add_constant(&Integer::MINUS_ONE), rests)
            }
            Operation::TruncRem(a, d) if !d.mentions(symbol) => {
                let rests = positive(d)?;
                let most = d.add_constant(&Integer::MINUS_ONE);
                match (sign(a), upper) {
                    (Some(own), false) => made(Expr::zero(), rests.union(own)),
                    (None, false) => made(-most, rests),
                    (Some(own), true) => {
                        // Not more than the dividend either, where that is a closer bound.
                        match inner(a, true) {
                            Some(bound)
                                if self
                                    .pool
                                    .prover()
                                    .nonnegative(store, &(&most - &bound.value), 1)
                                    .is_some() =>
                            {
                                made(bound.value, rests.union(own).union(bound.rests))
                            }
                            _ => made(most, rests.union(own)),
                        }
                    }
                    (None, true) => match sign(&-a) {
                        Some(own) => made(Expr::zero(), own),
                        None => made(most, rests),
                    },
                }
            }
            Operation::FloorDiv(a, d) if !d.mentions(symbol) => {
                let rests = positive(d)?;
                let bound = inner(a, upper)?;
                made(Expr::floor_div(&bound.value, d), rests.union(bound.rests))
            }
            Operation::TruncDiv(a, d) if !d.mentions(symbol) => {
                let rests = positive(d)?;
                let bound = inner(a, upper)?;
                made(Expr::trunc_div(&bound.value, d), rests.union(bound.rests))
            }
            Operation::And(a, b) => {
                if !upper {
                    let rests = sign(a).or_else(|| sign(b))?;
                    return made(Expr::zero(), rests);
                }
                for side in [a, b] {
                    if let Some(rests) = sign(side)
                        && let Some(bound) = inner(side, true)
                    {
                        return made(bound.value, rests.union(bound.rests));
                    }
                }
                None
            }
            Operation::Or(a, b) | Operation::Xor(a, b) => {
                let rests = sign(a)?.union(sign(b)?);
                if !upper {
                    return made(Expr::zero(), rests);
                }
                let (x, y) = (inner(a, true)?, inner(b, true)?);
                made(x.value + y.value, rests.union(x.rests).union(y.rests))
            }
            Operation::ShiftRight(a, _) => {
                let rests = sign(a)?;
                if !upper {
                    return made(Expr::zero(), rests);
                }
                let bound = inner(a, true)?;
                made(bound.value, rests.union(bound.rests))
            }
            Operation::ShiftLeft(a, b) if !b.mentions(symbol) => {
                let bound = inner(a, upper)?;
                made(Expr::shl(&bound.value, b), bound.rests)
            }
            Operation::Max(operands) => {
                let mut parts = Vec::new();
                let mut rests = Rests::NONE;
                for operand in operands {
                    match inner(operand, upper) {
                        Some(bound) => {
                            rests = rests.union(bound.rests);
                            parts.push(bound.value);
                        }
                        None if upper => return None,
                        None => {}
                    }
                }
                if parts.is_empty() {
                    None
                } else {
                    made(Expr::maximum_of(&parts), rests)
                }
            }
            Operation::Guarded(cases) => {
                let mut parts = Vec::new();
                let mut rests = Rests::NONE;
                for (_, value) in cases {
                    let bound = inner(value, upper)?;
                    rests = rests.union(bound.rests);
                    parts.push(bound.value);
                }
                if upper {
                    made(Expr::maximum_of(&parts), rests)
                } else {
                    made(Expr::minimum_of(&parts), rests)
                }
            }
            _ => None,
        }
    }

    /// The ends of a symbol that mention only symbols which are eliminated later or not at all.
    fn ends(&self, facts: &Facts, symbol: Symbol, later: &[Symbol]) -> Ends {
        let store = facts.store();
        let mut ends = Ends {
            low: Vec::new(),
            high: Vec::new(),
            complete: true,
            later: later.to_vec(),
        };
        let gone = |e: &Expr| {
            self.eliminate
                .iter()
                .any(|own| !later.contains(own) && e.mentions(*own))
        };
        let mut facts_about: Vec<Constraint> = Vec::new();
        for fact in store.nonnegative.iter().filter(|fact| fact.expr.mentions(symbol)) {
            facts_about.push(Constraint {
                expr: fact.expr.clone(),
                equality: false,
                rests: fact.rests,
            });
        }
        for fact in store.zero.iter().filter(|fact| fact.expr.mentions(symbol)) {
            facts_about.push(Constraint {
                expr: fact.expr.clone(),
                equality: false,
                rests: fact.rests,
            });
            facts_about.push(Constraint {
                expr: -&fact.expr,
                equality: false,
                rests: fact.rests,
            });
            ends.complete = false;
        }
        ends.complete &= !store.nonzero.iter().any(|fact| fact.expr.mentions(symbol))
            && !store
                .disjunctions
                .iter()
                .any(|(condition, _)| condition.mentions(symbol))
            && !store
                .congruences
                .iter()
                .any(|congruence| congruence.expr.mentions(symbol));
        for constraint in facts_about {
            let Some((slope, rest)) = constraint.expr.linear_in(symbol) else {
                ends.complete = false;
                continue;
            };
            if gone(&constraint.expr.substitute(symbol, &Expr::zero())) {
                ends.complete = false;
                continue;
            }
            match slope.as_constant() {
                Some(factor) if factor.is_positive() => {
                    ends.low
                        .push((Expr::ceil_div(&-rest, &Expr::constant(factor)), constraint.rests));
                }
                Some(factor) => {
                    ends.high
                        .push((Expr::floor_div(&rest, &Expr::constant(-factor)), constraint.rests));
                }
                None => {
                    let above = self.pool.quick(store, &slope.add_constant(&Integer::MINUS_ONE));
                    let opposite = -&slope;
                    if let Some(rests) = above {
                        ends.low
                            .push((Expr::ceil_div(&-rest, &slope), constraint.rests.union(rests)));
                    } else if let Some(rests) = self
                        .pool
                        .quick(store, &opposite.add_constant(&Integer::MINUS_ONE))
                    {
                        ends.high
                            .push((Expr::floor_div(&rest, &opposite), constraint.rests.union(rests)));
                    } else {
                        ends.complete = false;
                    }
                }
            }
        }
        // Constant bounds serve where no fact does.
        let bounds = store.atom_bounds(&Atom::Symbol(symbol));
        if ends.low.is_empty()
            && let Some((low, rests)) = bounds.low
        {
            ends.low.push((Expr::constant(low), rests));
            ends.complete = false;
        }
        if ends.high.is_empty()
            && let Some((high, rests)) = bounds.high
        {
            ends.high.push((Expr::constant(high), rests));
            ends.complete = false;
        }
        for side in [&mut ends.low, &mut ends.high] {
            if side.len() > MAX_ENDS {
                side.truncate(MAX_ENDS);
                ends.complete = false;
            }
        }
        ends
    }

    /// The greatest of the low ends, or the smallest of the high ends; ends that others make superfluous are dropped.
    fn extreme(&self, facts: &Facts, ends: &[(Expr, Rests)], high: bool) -> Option<(Expr, Rests)> {
        let mut kept: Vec<&(Expr, Rests)> = Vec::new();
        for end in ends {
            // `a` makes `b` superfluous if it is always at least as tight.
            let tighter = |a: &Expr, b: &Expr| {
                let margin = if high { b - a } else { a - b };
                self.pool.quick(facts.store(), &margin).is_some()
            };
            if kept.iter().any(|old| tighter(&old.0, &end.0)) {
                continue;
            }
            kept.retain(|old| !tighter(&end.0, &old.0));
            kept.push(end);
        }
        let rests = ends.iter().fold(Rests::NONE, |all, end| all.union(end.1));
        let values: Vec<Expr> = kept.into_iter().map(|end| end.0.clone()).collect();
        if values.is_empty() {
            return None;
        }
        Some((
            if high {
                Expr::minimum_of(&values)
            } else {
                Expr::maximum_of(&values)
            },
            rests,
        ))
    }
}

/// What the facts say of the other symbols, once this one is eliminated; and whether nothing is lost by it.
fn project(facts: &Facts, symbol: Symbol, ends: &Ends) -> (Facts, bool) {
    let mut outer = facts.without_symbol(symbol);
    for (low, p) in &ends.low {
        for (high, q) in &ends.high {
            outer.assume_resting(&Condition::less_equal(low, high), p.union(*q));
        }
    }
    (outer, ends.complete)
}
