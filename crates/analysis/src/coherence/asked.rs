//! Which proofs does a walk over a program ask for again and again?
//!
//! Loops are walked several times, functions at each of their calls, and the accesses of one nest know the same: what a proof has said of facts, of a loop, or of a
//! condition in a loop does not change while the walk goes on.

use crate::loops::LoopIndex;
use crate::value::Values;
use ferry_symbolic::{Condition, Expr, Facts};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// What was asked, with the answers.
#[derive(Default)]
pub struct Asked {
    /// By a number that facts have in common that are the same.
    contradictions: RefCell<BTreeMap<u64, Vec<(Facts, bool)>>>,
    runs: RefCell<BTreeMap<(LoopIndex, i128), bool>>,
    in_loops: RefCell<HashMap<(LoopIndex, Condition), bool>>,
    /// Whether the second condition holds where the first one does.
    follows: RefCell<HashMap<(Condition, Condition), bool>>,
}

impl Asked {
    /// True if facts contradict each other: what they hold of never happens.
    pub fn contradict(&self, facts: &Facts) -> bool {
        let mut known = self.contradictions.borrow_mut();
        let alike = known.entry(facts.digest()).or_default();
        if let Some((_, answer)) = alike.iter().find(|(one, _)| one.is_same(facts)) {
            return *answer;
        }
        let answer = facts.infeasible();
        alike.push((facts.clone(), answer));
        answer
    }

    /// True if a loop certainly runs so often, or more often.
    pub fn runs(&self, values: &Values, index: LoopIndex, times: i128) -> bool {
        let proved = || {
            let of = &values.loops[index.0 as usize];
            let trip = of.trip.as_ref();
            trip.is_ok_and(|trip| of.before.facts.prove_nonnegative(&(trip - &Expr::int(times))))
        };
        let mut known = self.runs.borrow_mut();
        *known.entry((index, times)).or_insert_with(proved)
    }

    /// True if it is proved that a condition holds wherever another one does, with nothing else known.
    pub fn follows(&self, condition: &Condition, from: &Condition) -> bool {
        let proved = || {
            let mut facts = Facts::new();
            facts.assume(from);
            facts.prove(condition)
        };
        let mut known = self.follows.borrow_mut();
        let question = (from.clone(), condition.clone());
        *known.entry(question).or_insert_with(proved)
    }

    /// True if a condition holds in each iteration of a loop, because of the loop itself.
    pub fn holds_in(&self, values: &Values, index: LoopIndex, condition: &Condition) -> bool {
        let mut known = self.in_loops.borrow_mut();
        let question = (index, condition.clone());
        let proved = || values.loops[index.0 as usize].facts_inside.prove(condition);
        *known.entry(question).or_insert_with(proved)
    }
}

#[cfg(test)]
mod tests {
    use super::Asked;
    use ferry_symbolic::{Condition, Expr, Symbol};

    #[test]
    fn what_follows_goes_by_both_conditions() {
        let at_least = |least: i128| Condition::less_equal(&Expr::int(least), &Expr::symbol(Symbol(0)));
        let asked = Asked::default();
        for _ in 0..2 {
            assert!(asked.follows(&at_least(3), &at_least(5)));
            assert!(!asked.follows(&at_least(5), &at_least(3)));
            assert!(!asked.follows(&at_least(3), &at_least(2)));
            assert!(asked.follows(&at_least(2), &at_least(2)));
        }
    }
}
