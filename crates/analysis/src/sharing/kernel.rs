//! Which threads make up a block, and what is an expression for all of them?
//!
//! The innermost of the loops that run in parallel is the x axis, the next one further out the y axis, and so on (Juravle §5.2). The counters of these
//! loops stand for the block's first thread where a block is meant, and for any thread where one is. The sizes of a block are symbols of their own, so
//! that a tile can be written for all of them; numbers take their place where one block is meant.

use crate::access::Access;
use crate::coalescing::{Mapping, known, number};
use crate::loops::{LoopFacts, LoopIndex};
use crate::symbols::Cause;
use crate::value::Values;
use ferry_gpu::Gpu;
use ferry_ir::{Type, Types};
use ferry_symbolic::{Condition, Expr, Facts, Integer, Symbol};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The size that is assumed for what is not known, only to put opportunities in an order.
const ASSUMED: i128 = 1024;

/// The symbol that stands for the number of threads of a block along an axis, x being 0. It is no symbol of the program.
pub fn block_size(axis: usize) -> Symbol {
    Symbol(u32::MAX - u32::try_from(axis).unwrap_or(u32::MAX).min(31))
}

/// The axis whose number of threads a symbol stands for, if it is one of these.
pub fn axis_of(symbol: Symbol) -> Option<usize> {
    let axis = u32::MAX - symbol.0;
    (axis < 32).then_some(axis as usize)
}

/// The place of a thread in its block along an axis: used within questions only.
fn place_in_block(axis: usize) -> Symbol {
    Symbol(block_size(axis).0 - 32)
}

/// The loops around an access, and the conditions on its path inside the kernel.
type Guarded = (Vec<LoopIndex>, Vec<Option<Condition>>);

/// What was known, and the greatest value then.
type Greatest = (Facts, Option<Expr>);

/// A kernel and the blocks in which it runs.
pub(super) struct Kernel<'a> {
    pub values: &'a Values,
    pub types: &'a Types,
    pub mapping: &'a Mapping,
    pub gpu: &'a Gpu,
    /// Threads along each axis, x first; one number for each loop that runs in parallel.
    pub block: Vec<u64>,
    /// The counters of the loops that run in parallel, x first.
    counters: Vec<Symbol>,
    /// What varies ([`Kernel::varying`]), for all accesses with these loops around them.
    varying: RefCell<HashMap<Vec<LoopIndex>, Rc<[Symbol]>>>,
    /// What a symbol does in the loops in which it changes is asked for each term of each address: the same as sets, with the counters.
    moving: RefCell<HashMap<Vec<LoopIndex>, Rc<FxHashSet<Symbol>>>>,
    /// Whether accesses with these loops around them and these conditions on their path are guarded.
    guarded: RefCell<HashMap<Guarded, bool>>,
    /// What holds inside of loops, with sizes of blocks that are positive.
    inside: RefCell<HashMap<LoopIndex, Facts>>,
    /// The greatest values over a block that were asked for, with what was known.
    greatest: RefCell<HashMap<Expr, Vec<Greatest>>>,
}

impl<'a> Kernel<'a> {
    pub fn new(
        values: &'a Values,
        types: &'a Types,
        mapping: &'a Mapping,
        gpu: &'a Gpu,
        block: &[u64],
    ) -> Kernel<'a> {
        let size = |axis: usize| block.get(axis).copied().unwrap_or(1).max(1);
        Kernel {
            values,
            types,
            mapping,
            gpu,
            block: (0..mapping.lanes.len()).map(size).collect(),
            counters: mapping.loops(values).rev().map(|of| of.counter).collect(),
            varying: RefCell::default(),
            moving: RefCell::default(),
            guarded: RefCell::default(),
            inside: RefCell::default(),
            greatest: RefCell::default(),
        }
    }

    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        self.block
            .iter()
            .fold(1u64, |all, size| all.saturating_mul(*size))
    }

    /// The counters of the loops that run in parallel, x first.
    pub fn counters(&self) -> &[Symbol] {
        &self.counters
    }

    pub fn facts_of(&self, index: LoopIndex) -> &'a LoopFacts {
        &self.values.loops[index.0 as usize]
    }

    /// True if every thread may make the access: it is inside all loops that run in parallel.
    pub fn has(&self, access: &Access) -> bool {
        self.mapping.lanes.iter().all(|lane| access.loops.contains(lane))
    }

    /// The loops around an access that each thread runs by itself, outermost first.
    pub fn inner(&self, access: &Access) -> Vec<LoopIndex> {
        let lanes = &self.mapping.lanes;
        let inside = access.loops.iter().skip_while(|index| !lanes.contains(index));
        inside.filter(|index| !lanes.contains(index)).copied().collect()
    }

    /// Everything but the threads' own counters that may be another value in another thread or at another time: inner symbols first.
    pub fn varying(&self, access: &Access) -> Rc<[Symbol]> {
        if let Some(known) = self.varying.borrow().get(&access.loops) {
            return known.clone();
        }
        let loops = [self.mapping.lanes.clone(), self.inner(access)].concat();
        let found = self.values.varying(&loops).into_iter();
        let found: Rc<[Symbol]> = found.filter(|symbol| !self.counters.contains(symbol)).collect();
        let mut known = self.varying.borrow_mut();
        known.entry(access.loops.clone()).or_insert(found).clone()
    }

    /// The same and the threads' own counters, as a set.
    pub fn moving(&self, access: &Access) -> Rc<FxHashSet<Symbol>> {
        if let Some(known) = self.moving.borrow().get(&access.loops) {
            return known.clone();
        }
        let symbols = [&*self.varying(access), self.counters()].concat();
        let found: Rc<FxHashSet<Symbol>> = Rc::new(symbols.into_iter().collect());
        let mut known = self.moving.borrow_mut();
        known.entry(access.loops.clone()).or_insert(found).clone()
    }

    /// True if an expression may be another value in another thread or at another time.
    pub fn moves(&self, expr: &Expr, access: &Access) -> bool {
        let moving = self.moving(access);
        expr.symbols().iter().any(|symbol| moving.contains(symbol))
    }

    /// What holds where the innermost loop around an access runs, whether or not the access happens: conditions inside that loop would cut off the
    /// footprints at the ends of the data, where blocks are the exception.
    pub fn facts(&self, access: &Access) -> Facts {
        match access.loops.last() {
            Some(innermost) => self.facts_inside(*innermost),
            None => self.with_block(&access.facts),
        }
    }

    /// The same for all that happens in a loop.
    pub fn facts_inside(&self, index: LoopIndex) -> Facts {
        let mut known = self.inside.borrow_mut();
        let facts = || self.with_block(&self.facts_of(index).facts_inside);
        known.entry(index).or_insert_with(facts).clone()
    }

    /// What holds somewhere, with sizes of blocks that are positive.
    pub fn with_block(&self, facts: &Facts) -> Facts {
        let mut facts = facts.clone();
        for axis in 0..self.block.len() {
            facts.assume_positive(Expr::symbol(block_size(axis)));
        }
        facts
    }

    /// The expression for the next thread along an axis.
    pub fn of_neighbour(&self, expr: &Expr, axis: usize) -> Expr {
        match self.counters().get(axis) {
            Some(counter) => expr.substitute(*counter, &(&Expr::symbol(*counter) + &Expr::one())),
            None => expr.clone(),
        }
    }

    /// The expression for a block that begins with the first thread of all.
    pub fn of_first_thread(&self, expr: &Expr) -> Expr {
        let counters = self.counters();
        expr.substitute_all(&|symbol| counters.contains(&symbol).then(Expr::zero))
    }

    /// True if an expression may be another value in another thread.
    pub fn differs(&self, expr: &Expr) -> bool {
        self.counters().iter().any(|counter| expr.mentions(*counter))
    }

    /// The least value over the threads of a block, in terms of the counters of its first one.
    pub fn least_of_block(&self, expr: &Expr, facts: &Facts) -> Option<Expr> {
        Some(-self.greatest_of_block(&-expr, facts)?)
    }

    /// The greatest value over the threads of a block, in terms of the counters of its first one. Many accesses have their ends in common.
    pub fn greatest_of_block(&self, expr: &Expr, facts: &Facts) -> Option<Expr> {
        let known = |alike: &Vec<(Facts, Option<Expr>)>| {
            let (_, found) = alike.iter().find(|(here, _)| here.is_same(facts))?;
            Some(found.clone())
        };
        if let Some(found) = self.greatest.borrow().get(expr).and_then(known) {
            return found;
        }
        let found = self.greatest_over_threads(expr, facts);
        let mut asked = self.greatest.borrow_mut();
        let alike = asked.entry(expr.clone()).or_default();
        alike.push((facts.clone(), found.clone()));
        found
    }

    fn greatest_over_threads(&self, expr: &Expr, facts: &Facts) -> Option<Expr> {
        let (mut found, mut facts) = (expr.clone(), facts.clone());
        let mut left = Vec::new();
        for (axis, counter) in self.counters.iter().copied().enumerate() {
            let last = &Expr::symbol(block_size(axis)) - &Expr::one();
            let slope = expr.linear_in(counter).map(|(slope, _)| slope);
            match slope {
                Some(slope) if facts.prove_nonnegative(&-&slope) => {}
                Some(slope) if facts.prove_nonnegative(&slope) => found = &found + &slope.times(&last),
                // Not a straight line, or which way it goes is not known.
                _ => {
                    let place = Expr::symbol(place_in_block(axis));
                    facts.assume_nonnegative(&place);
                    facts.assume_nonnegative(&last - &place);
                    found = found.substitute(counter, &(&Expr::symbol(counter) + &place));
                    left.push(place_in_block(axis));
                }
            }
        }
        if left.is_empty() {
            return Some(facts.simplify(&found));
        }
        Some(facts.maximum(&found, &left)?.value)
    }

    /// An upper bound that is the same for all threads, and at all times while the kernel runs.
    pub fn for_all(&self, expr: &Expr, access: &Access, facts: &Facts) -> Result<Expr, Cause> {
        if !self.moves(expr, access) {
            return Ok(expr.clone());
        }
        let varying = [&*self.varying(access), self.counters()].concat();
        match facts.maximum(expr, &varying) {
            Some(bound) => Ok(bound.value),
            None => Err(Cause::new(
                "its size differs from thread to thread, and no bound is known",
                access.origin,
            )),
        }
    }

    /// The expression with numbers for the sizes of the block and for all that is a number in this build.
    pub fn numbered(&self, expr: &Expr, facts: &Facts) -> Expr {
        let sized = expr.substitute_all(&|symbol| {
            let size = axis_of(symbol).and_then(|axis| self.block.get(axis))?;
            Some(Expr::int(i128::from(*size)))
        });
        facts.simplify(&known(self.values, facts, &sized))
    }

    /// A number for an expression, of assumed sizes for what is not known.
    pub fn assumed(&self, expr: &Expr, facts: &Facts) -> Option<i128> {
        let expr = self.numbered(expr, facts);
        number(&expr).or_else(|| expr.evaluate(&|_| Some(Integer::from(ASSUMED)))?.to_i128())
    }

    /// The number that an expression is, if it is one that a machine could have: products of two stay far from the ends of the type.
    pub fn number(&self, expr: &Expr, facts: &Facts) -> Option<i128> {
        let found = match number(expr) {
            Some(found) => found,
            None => number(&self.numbered(expr, facts))?,
        };
        (found.unsigned_abs() < 1 << 60).then_some(found)
    }

    /// `a - b`, if that is a number.
    pub fn difference(&self, a: &Expr, b: &Expr, facts: &Facts) -> Option<i128> {
        self.number(&(a - b), facts)
    }

    /// The lesser of two, without asking at run time if it is known which one that is.
    pub fn lesser(&self, a: &Expr, b: &Expr, facts: &Facts) -> Expr {
        if facts.prove_less_equal(a, b) {
            return a.clone();
        }
        match facts.prove_less_equal(b, a) {
            true => b.clone(),
            false => Expr::min(a, b),
        }
    }

    /// The greater of two.
    pub fn greater(&self, a: &Expr, b: &Expr, facts: &Facts) -> Expr {
        -self.lesser(&-a, &-b, facts)
    }

    /// True if an access is made under a condition that is tested inside the kernel, besides those of the loops.
    pub fn is_guarded(&self, access: &Access) -> bool {
        let Some(outermost) = self.mapping.loops(self.values).next() else {
            return true;
        };
        let inside = access.guards.iter().filter(|guard| guard.loops > outermost.depth);
        let conditions: Vec<Option<Condition>> = inside.map(|guard| guard.known().cloned()).collect();
        let ask = |(loops, conditions): &Guarded| {
            let ends = self.ends_of_loops(loops, &outermost.before.facts);
            let mut tested = conditions.iter();
            tested.any(|condition| condition.as_ref().is_none_or(|condition| !ends.prove(condition)))
        };
        let asked = (access.loops.clone(), conditions);
        if let Some(known) = self.guarded.borrow().get(&asked) {
            return *known;
        }
        let found = ask(&asked);
        self.guarded.borrow_mut().insert(asked, found);
        found
    }

    /// What is known before, and that each of these loops runs the iteration that its counter says.
    fn ends_of_loops(&self, loops: &[LoopIndex], before: &Facts) -> Facts {
        let mut ends = before.clone();
        for index in loops {
            let of = self.facts_of(*index);
            let counter = Expr::symbol(of.counter);
            ends.assume_nonnegative(&counter);
            if let Ok(trip) = &of.trip {
                ends.assume(&Condition::less(&counter, &where_it_runs(trip)));
            }
        }
        ends
    }

    /// What holds where an access happens, with the bounds of small types for what is loaded inside the kernel.
    pub fn facts_of_values(&self, access: &Access) -> Facts {
        let mut facts = access.facts.clone();
        for symbol in self.varying(access).iter().copied() {
            let Some(ty) = self.values.symbols.info(symbol).ty else {
                continue;
            };
            let (Type::Int { signed, .. }, Some(size @ 1..=2)) = (self.types.get(ty), self.types.size(ty))
            else {
                continue;
            };
            let values = 1i128 << (8 * size);
            let least = if *signed { -values / 2 } else { 0 };
            let value = Expr::symbol(symbol);
            facts.assume_nonnegative(&value - &Expr::int(least));
            facts.assume_nonnegative(&Expr::int(least + values - 1) - &value);
        }
        facts
    }

    /// True if it is certain that a condition does not hold for this block.
    pub fn refutes(&self, condition: &Condition, facts: &Facts) -> bool {
        let numbered = match condition.as_comparison() {
            Some(comparison) => {
                Condition::comparison(comparison.relation, &self.numbered(&comparison.expr, facts))
            }
            None => condition.clone(),
        };
        numbered.is_never() || facts.prove(&numbered.not())
    }

    /// True if it is certain that a condition holds for this block.
    pub fn proves(&self, condition: &Condition, facts: &Facts) -> bool {
        self.refutes(&condition.not(), facts)
    }
}

/// The number of iterations of a loop that runs: `n` for `max(0, n)`.
fn where_it_runs(trip: &Expr) -> Expr {
    match trip.as_maximum_of().as_deref() {
        Some([one, two]) if one.is_zero() => two.clone(),
        Some([one, two]) if two.is_zero() => one.clone(),
        _ => trip.clone(),
    }
}
