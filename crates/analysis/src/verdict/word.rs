//! What of a verdict is the user's word?
//!
//! A loop that is said to be independent has no obstacles that are only *not excluded*: dependences through memory that
//! could not be decided. What is proved stays, and contradicts; so does everything else: exits, calls, values of scalars.
//! Pointers that may overlap are tested at run time all the same, as what is mapped must not overlap.

use super::{FunctionFacts, Verdict};
use crate::rows;
use crate::word::Independent;

/// Believes that a loop is independent; conditions that are left say that what every iteration has for itself is filled as far as it is used. Its obstacles from `scalars` on are about scalars, from `memory` on about memory.
pub(super) fn believe(verdict: &mut Verdict, said: &Independent, scalars: usize, memory: usize) {
    let of_memory = verdict.obstacles.split_off(memory);
    let count = of_memory.len();
    let kept: Vec<_> = of_memory.into_iter().filter(|obstacle| obstacle.proved).collect();
    let of_scalars = verdict.obstacles.get(scalars..).unwrap_or_default().iter();
    verdict.against = of_scalars.filter(|obstacle| obstacle.proved).cloned().collect();
    // A volatile access has an order of its own, and no partner.
    let pairs = kept.iter().filter(|obstacle| obstacle.other.is_some());
    verdict.against.extend(pairs.cloned());
    let believed = kept.len() < count || !verdict.rows.is_empty();
    verdict.obstacles.extend(kept);
    if believed {
        verdict.rows = rows::Apart::default();
        verdict.assuming.push(said.rests.clone());
    }
}

/// Notes on each loop whose verdict would be another one without the assumptions that it rests on them.
pub(super) fn compare(with: &mut FunctionFacts, without: &FunctionFacts) {
    let said: Vec<String> = with.values.said.iter().cloned().collect();
    with.each_that_needs_more(without, |verdict| verdict.assuming.extend(said.iter().cloned()));
}
