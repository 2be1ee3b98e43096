//! Is a loop parallel if something holds of values that it does not change?
//!
//! Asked only where nothing else keeps the iterations in order: for each pair of accesses that the dependence tests leave open, a condition under
//! which the two never meet (`dependence::Question::apart_if`). All of them together, in their simplest form, must be likely to hold.
//!
//! What it cannot do: conditions on the number of iterations (the sign of a step), on what is in memory, and of more than a few comparisons.

use super::Judge;
use crate::access::Access;
use crate::dependence::{Answer, in_order, is_likely, simplest};
use crate::loops::{LoopFacts, LoopIndex};
use crate::sorted::{self, Lane, Lanes, Sorted};
use crate::symbols::SymbolKind;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A loop with fewer iterations is not worth a condition.
const FEW: i128 = 8;

/// Most conditions of one loop: a longer test is not cheap.
const MOST: usize = 8;

/// Most pairs of accesses of one loop for which a condition is looked for: a limit of work.
const MOST_PAIRS: usize = 300;

/// Most places at which values in order are read, of one access and what is known of it: each is set beside each of the other.
const MOST_LANES: usize = 4;

/// The conditions of one loop, gathered pair by pair.
pub(super) struct Conditions<'j, 'a> {
    judge: &'j Judge<'a>,
    /// Everything that varies in the loop, inner loops first.
    changing: OnceCell<Vec<Symbol>>,
    pairs: Vec<(&'j Access, &'j Access)>,
    found: Vec<Condition>,
    /// One of them is about what every iteration needs for itself.
    private: bool,
    /// Where values are read that symbols stand for, as far as that was asked.
    lanes: RefCell<BTreeMap<Symbol, Option<Lane>>>,
    /// What must be in order: the places at which it is read, by the root.
    in_order: BTreeMap<Symbol, InOrder>,
}

/// Values of one root that must be in order.
#[derive(Clone, Default)]
struct InOrder {
    lanes: Vec<Lane>,
    strictly: bool,
}

impl<'j, 'a> Conditions<'j, 'a> {
    /// None so far.
    pub fn new(judge: &'j Judge<'a>) -> Conditions<'j, 'a> {
        Conditions {
            judge,
            changing: OnceCell::new(),
            pairs: Vec::new(),
            found: Vec::new(),
            private: false,
            lanes: RefCell::default(),
            in_order: BTreeMap::new(),
        }
    }

    /// True if there is a condition under which two accesses with one root never touch the same storage in different iterations; it is one of the loop now.
    pub fn add_pair(&mut self, write: &'j Access, other: &'j Access) -> bool {
        if self.pairs.len() >= MOST_PAIRS || write.root.is_none() || write.root != other.root {
            return false;
        }
        let mut found = self.found.clone();
        for (source, sink) in [(write, other), (other, write)] {
            if !self.keeps_apart((source, sink), &[write, other], true, &mut found) {
                return false;
            }
            if std::ptr::eq(write, other) {
                break;
            }
        }
        self.take(found, (write, other))
    }

    /// True if what the first access of a pair touches in an iteration is not what the second one touches in a later one: in any case, or under conditions, if there may be some, which are added.
    /// `accesses` are those that say which values are likely.
    fn keeps_apart(
        &self,
        (source, sink): (&Access, &Access),
        accesses: &[&Access],
        conditions: bool,
        found: &mut Vec<Condition>,
    ) -> bool {
        let question = self.judge.question();
        if matches!(
            question.carried(&question.prepared(source), &question.prepared(sink)),
            Answer::Independent(_)
        ) {
            return true;
        }
        if !conditions {
            return false;
        }
        let Judge { values, facts, .. } = *self.judge;
        let changing = self.changing.get_or_init(|| values.varying(&[self.judge.index]));
        let all = question.apart_if(changing, source, sink);
        let likely = all
            .into_iter()
            .find(|condition| self.is_of_a_run(condition) && self.is_likely(condition, accesses));
        let Some(condition) = likely else { return false };
        for part in condition.conjuncts() {
            add(part, found, &facts.before.facts);
        }
        true
    }

    /// The same as [`Conditions::add_pair`], with values that the iterations read in order: that they never decrease, if that is enough, else that each is greater than the one before it.
    pub fn add_pair_in_order(&mut self, write: &'j Access, other: &'j Access) -> bool {
        if self.pairs.len() >= MOST_PAIRS || write.root.is_none() || write.root != other.root {
            return false;
        }
        let (one, two) = (self.lanes_of(write), self.lanes_of(other));
        if one.is_empty() || two.is_empty() {
            return false;
        }
        let ways = [(false, false), (true, false), (false, true), (true, true)];
        ways.into_iter().any(|(strictly, conditions)| {
            self.add_with_lanes((write, &one), (other, &two), strictly, conditions)
        })
    }

    fn add_with_lanes(
        &mut self,
        (write, one): (&'j Access, &[(Symbol, Lane)]),
        (other, two): (&'j Access, &[(Symbol, Lane)]),
        strictly: bool,
        conditions: bool,
    ) -> bool {
        let Judge { values, facts, .. } = *self.judge;
        let mut found = self.found.clone();
        let mut in_order = self.in_order.clone();
        let ways = [((write, one), (other, two)), ((other, two), (write, one))];
        for ((source, before), (sink, later)) in ways {
            let mut source = source.clone();
            for ((symbol, lane), (second, next)) in before
                .iter()
                .flat_map(|one| later.iter().map(move |two| (one, two)))
            {
                let Some(ahead) = lane.ahead(next) else { continue };
                let known = in_order::fact(
                    &values.symbols,
                    facts.counter,
                    (*symbol, *second),
                    (ahead, lane.backwards),
                    strictly,
                );
                let Some(known) = known else { continue };
                source.facts.assume_nonnegative(known);
                let needed: &mut InOrder = in_order.entry(lane.root).or_default();
                needed.strictly |= strictly;
                for lane in [lane, next] {
                    if !needed.lanes.contains(lane) {
                        needed.lanes.push(lane.clone());
                    }
                }
            }
            if !self.keeps_apart((&source, sink), &[write, other], conditions, &mut found) {
                return false;
            }
            if std::ptr::eq(write, other) {
                break;
            }
        }
        let Ok(trip) = &facts.trip else { return false };
        let testable = |one: &InOrder| sorted::together(&one.lanes, one.strictly, trip).is_some();
        if !in_order.values().all(testable) || !self.take(found, (write, other)) {
            return false;
        }
        self.in_order = in_order;
        true
    }

    /// The symbols in the address of an access, and in what is known where it happens, that stand for values which are read in order.
    fn lanes_of(&self, access: &Access) -> Vec<(Symbol, Lane)> {
        let mut symbols = access.address.as_ref().map(Expr::symbols).unwrap_or_default();
        for (condition, _) in access.facts.conditions() {
            symbols.extend(condition.symbols());
        }
        let reach = self.judge.reach();
        let scalars = self.judge.scalars;
        let is_private =
            |access: &Access| scalars.is_none_or(|scalars| self.judge.is_private(access, scalars));
        let lanes = Lanes {
            unit: self.judge.unit,
            reach: &reach,
            values: self.judge.values,
            index: self.judge.index,
            is_private: &is_private,
        };
        let mut known = self.lanes.borrow_mut();
        let found = symbols.into_iter().filter_map(|symbol| {
            let lane = known.entry(symbol).or_insert_with(|| lanes.of(symbol));
            Some((symbol, lane.clone()?))
        });
        found.take(MOST_LANES).collect()
    }

    /// The values that must be in order, and what must hold so that the loop certainly reads them.
    pub fn in_order(&self) -> Vec<(Sorted, Vec<Condition>)> {
        let Ok(trip) = &self.judge.facts.trip else {
            return Vec::new();
        };
        let sorted = self.in_order.values().filter_map(|one| {
            let runs = one.lanes.iter().flat_map(|lane| lane.runs.iter().cloned());
            let sorted = sorted::together(&one.lanes, one.strictly, trip)?;
            Some((sorted, runs.collect()))
        });
        sorted.collect()
    }

    /// The same for several pairs: all of them, or none.
    pub fn add_pairs(&mut self, pairs: impl Iterator<Item = (&'j Access, &'j Access)>) -> bool {
        let (found, count) = (self.found.clone(), self.pairs.len());
        for (write, other) in pairs {
            if !self.add_pair(write, other) {
                self.found = found;
                self.pairs.truncate(count);
                return false;
            }
        }
        true
    }

    /// True if a condition under which every iteration can have for itself what two accesses touch is of use; it is one of the loop now.
    pub fn add_private(&mut self, condition: &Condition, (write, other): (&'j Access, &'j Access)) -> bool {
        if !self.is_of_a_run(condition) || !self.is_likely(condition, &[write, other]) {
            return false;
        }
        let mut found = self.found.clone();
        for part in condition.conjuncts() {
            add(part, &mut found, &self.judge.facts.before.facts);
        }
        let taken = self.take(found, (write, other));
        self.private |= taken;
        taken
    }

    fn take(&mut self, found: Vec<Condition>, pair: (&'j Access, &'j Access)) -> bool {
        if found.len() > MOST {
            return false;
        }
        self.found = found;
        self.pairs.push(pair);
        true
    }

    /// The conditions for all pairs as one, in its simplest form; `None` if it is not likely to hold.
    pub fn together(&self) -> Option<Vec<Condition>> {
        let accesses: Vec<&Access> = self.pairs.iter().flat_map(|(one, two)| [*one, *two]).collect();
        let Some((first, others)) = accesses.split_first() else {
            return Some(Vec::new());
        };
        let own = self.judge.index;
        let facts = match self.private {
            // A copy without a value is wrong in a loop of one iteration, too, whatever the loops in it do.
            true => {
                let mut facts = self.facts_if_run(std::iter::once(&own), &|_| 1);
                self.judge.values.symbols.assume_named(&mut facts);
                facts
            }
            // Where one of the loops around all of them does not run, nothing is touched, whatever the condition says.
            false => {
                let around = first.loops.iter();
                let around = around.filter(|index| others.iter().all(|access| access.loops.contains(index)));
                let stmt = self.judge.facts.stmt;
                self.facts_if_run(around, &|of| if of.stmt == stmt { 2 } else { 1 })
            }
        };
        let simplest = simplest(&self.found, &facts);
        (self.is_of_a_run(&simplest) && self.is_likely(&simplest, &accesses)).then(|| simplest.conjuncts())
    }

    /// False for conditions on nothing but constants that the text names: they are decided when the program is built.
    fn is_of_a_run(&self, condition: &Condition) -> bool {
        let symbols = &self.judge.values.symbols;
        let is_named = |symbol: &Symbol| matches!(symbols.info(*symbol).kind, SymbolKind::Named { .. });
        condition.conjuncts().iter().all(|part| {
            let symbols = part.symbols();
            symbols.is_empty() || !symbols.iter().all(is_named)
        })
    }

    /// False for conditions that hold only where the loops around the accesses, this one and those in it, have next to no iterations, or never.
    fn is_likely(&self, condition: &Condition, accesses: &[&Access]) -> bool {
        let inner: BTreeSet<LoopIndex> = accesses
            .iter()
            .flat_map(|access| access.loops.iter().copied())
            .collect();
        let facts = self.facts_if_run(inner.iter(), &|_| FEW);
        match facts.infeasible() {
            // Loops that are that short anyway.
            true => is_likely(condition, &self.judge.facts.before.facts),
            false => is_likely(condition, &facts),
        }
    }

    /// What is known before the loop if these loops, of which those around it do not count, have so many iterations.
    fn facts_if_run<'i>(
        &self,
        loops: impl Iterator<Item = &'i LoopIndex>,
        iterations: &dyn Fn(&LoopFacts) -> i128,
    ) -> Facts {
        let Judge {
            values, facts: own, ..
        } = *self.judge;
        let mut facts = own.before.facts.clone();
        let loops = loops.filter_map(|index| values.loops.get(index.0 as usize));
        for of in loops.filter(|of| of.depth >= own.depth) {
            if let Ok(trip) = &of.trip
                && values.symbols.invariant_in(trip, own.stmt)
            {
                facts.assume_nonnegative(trip - &Expr::int(iterations(of)));
            }
        }
        facts
    }
}

/// Adds a condition to others: of `ld >= 3` and `ld >= 7` the second is enough.
fn add(new: Condition, to: &mut Vec<Condition>, facts: &Facts) {
    if to.contains(&new) || to.iter().any(|known| facts.with(known).prove(&new)) {
        return;
    }
    let with_new = facts.with(&new);
    to.retain(|known| !with_new.prove(known));
    to.push(new);
}
