//! Is a loop parallel if something holds of values that it does not change?
//!
//! Asked only where nothing else keeps the iterations in order: for each pair of accesses that the dependence tests leave open, a condition under
//! which the two never meet (`dependence::Question::apart_if`). All of them together, in their simplest form, must be likely to hold.
//!
//! What it cannot do: conditions on the number of iterations (the sign of a step), on what is in memory, and of more than a few comparisons.

use super::Judge;
use crate::access::Access;
use crate::dependence::{Answer, is_likely, simplest};
use crate::loops::{LoopFacts, LoopIndex};
use crate::symbols::SymbolKind;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// A loop with fewer iterations is not worth a condition.
const FEW: i128 = 8;

/// Most conditions of one loop: a longer test is not cheap.
const MOST: usize = 8;

/// Most pairs of accesses of one loop for which a condition is looked for: a limit of work.
const MOST_PAIRS: usize = 300;

/// The conditions of one loop, gathered pair by pair.
pub(super) struct Conditions<'j, 'a> {
    judge: &'j Judge<'a>,
    /// Everything that varies in the loop, inner loops first.
    changing: OnceCell<Vec<Symbol>>,
    pairs: Vec<(&'j Access, &'j Access)>,
    found: Vec<Condition>,
    /// One of them is about what every iteration needs for itself.
    private: bool,
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
        }
    }

    /// True if there is a condition under which two accesses with one root never touch the same storage in different iterations; it is one of the loop now.
    pub fn add_pair(&mut self, write: &'j Access, other: &'j Access) -> bool {
        if self.pairs.len() >= MOST_PAIRS || write.root.is_none() || write.root != other.root {
            return false;
        }
        let Judge { values, facts, .. } = *self.judge;
        let question = self.judge.question();
        let changing = self.changing.get_or_init(|| values.varying(&[self.judge.index]));
        let mut found = self.found.clone();
        for (source, sink) in [(write, other), (other, write)] {
            if !matches!(
                question.carried(source, sink, question.later(sink).as_ref()),
                Answer::Independent(_)
            ) {
                let all = question.apart_if(changing, source, sink);
                let likely = all.into_iter().find(|condition| {
                    self.is_of_a_run(condition) && self.is_likely(condition, &[write, other])
                });
                let Some(condition) = likely else { return false };
                for part in condition.conjuncts() {
                    add(part, &mut found, &facts.before.facts);
                }
            }
            if std::ptr::eq(write, other) {
                break;
            }
        }
        self.take(found, (write, other))
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
