//! How do pairs of accesses that stand in the way become obstacles, with direction vectors and what would remove them?
//!
//! What it cannot do: direction vectors of more than some pairs of one loop, and of pairs through pointers that change.

use super::obstacle::{Found, grouped};
use super::{Dependence, DependenceKind, Detail, Judge, Obstacle, remedy};
use crate::access::Access;
use crate::dependence::{Direction, anything};
use crate::loops::{LoopFacts, LoopIndex};
use crate::reduction::Update;
use crate::symbols::Cause;
use ferry_ir::Loop;
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol, work_done};
use std::collections::HashSet;

/// Most pairs of accesses of one loop whose direction vectors are computed. Of others it is only said that the loop carries them.
const MOST_VECTORS: usize = 80;

/// Most work of proofs for the direction vectors of one loop, in the units of [`work_done`]: a few milliseconds.
const MOST_WORK: u64 = 2_000_000;

/// How much may still be asked about the direction vectors of a loop.
struct Left {
    vectors: usize,
    work: u64,
}

impl Left {
    /// One more vector, if that is not too much.
    fn vector(&mut self, ask: impl FnOnce() -> Vec<Direction>) -> Option<Vec<Direction>> {
        if self.vectors == 0 || self.work == 0 {
            return None;
        }
        let before = work_done();
        let vector = ask();
        self.vectors -= 1;
        self.work = self.work.saturating_sub(work_done() - before);
        Some(vector)
    }
}

impl Judge<'_> {
    /// Pairs of accesses that stand in the way as obstacles, with their direction vectors and what would remove them.
    pub(super) fn explained(
        &self,
        inner: &Loop,
        updates: &[Update<'_>],
        standing: Vec<Found<'_>>,
    ) -> Vec<Obstacle> {
        let mut left = Left {
            vectors: MOST_VECTORS,
            work: MOST_WORK,
        };
        let mut obstacles = Vec::new();
        for group in grouped(standing) {
            let Some(first) = group.first() else { continue };
            let mut obstacle = Obstacle {
                cause: Cause::new(first.why.clone(), first.write.origin),
                other: Some(first.other.origin),
                also: Vec::new(),
                proved: first.proved,
                runs: match first.proved {
                    true => self.must_run(first),
                    false => Vec::new(),
                },
                dependences: Vec::new(),
                remedy: None,
            };
            if self.detail == Detail::Every {
                let mut seen = HashSet::new();
                for found in &group {
                    let of_pair = self.dependences(found, &mut left).into_iter();
                    obstacle
                        .dependences
                        .extend(of_pair.filter(|one| seen.insert(one.clone())));
                }
                obstacle.remedy = remedy::of_accesses(self, inner, updates, &group, &obstacle.dependences);
            }
            obstacles.push(obstacle);
        }
        obstacles
    }

    /// The loops inside of this one around the accesses that are not known to run.
    fn must_run(&self, found: &Found<'_>) -> Vec<Origin> {
        let mut loops: Vec<LoopIndex> = Vec::new();
        for access in [found.write, found.other] {
            let own = access.loops.iter().position(|index| *index == self.index);
            let inside = access
                .loops
                .iter()
                .skip(own.map_or(access.loops.len(), |own| own + 1));
            loops.extend(inside);
        }
        loops.sort_unstable();
        loops.dedup();
        let facts = loops
            .iter()
            .filter_map(|index| self.values.loops.get(index.0 as usize));
        let may_be_empty = |of: &&LoopFacts| {
            let runs = |trip: &Expr| of.before.facts.prove_positive(trip);
            !of.trip.as_ref().is_ok_and(runs)
        };
        facts.filter(may_be_empty).map(|of| of.origin).collect()
    }

    /// The dependences of one pair.
    fn dependences(&self, found: &Found<'_>, left: &mut Left) -> Vec<Dependence> {
        let mut all = Vec::new();
        let (write, other) = (found.write, found.other);
        let counters = self.common_counters(write, other);
        for (way, (source, sink)) in [(write, other), (other, write)].into_iter().enumerate() {
            if !found.ways[way] {
                continue;
            }
            let kind = match (source.is_write(), sink.is_write()) {
                (true, true) => DependenceKind::Output,
                (true, false) => DependenceKind::Flow,
                (false, _) => DependenceKind::Anti,
            };
            let vector = found
                .same_storage
                .then(|| left.vector(|| self.question().vector(&counters, source, sink)))
                .flatten()
                .unwrap_or_else(|| anything(counters.len()));
            all.push(Dependence {
                kind,
                source: (source.stmt, source.origin),
                sink: (sink.stmt, sink.origin),
                vector,
            });
        }
        all
    }

    /// The counters of the loops of the function's text around both accesses, from this loop inwards.
    fn common_counters(&self, one: &Access, two: &Access) -> Vec<Symbol> {
        let inside = |access: &Access| {
            let own = access.loops.iter().position(|index| *index == self.index);
            access
                .loops
                .split_at(own.unwrap_or(access.loops.len()))
                .1
                .to_vec()
        };
        let both = inside(one).into_iter().zip(inside(two));
        let common = both.take_while(|(a, b)| a == b);
        let loops = common.filter_map(|(index, _)| self.values.loops.get(index.0 as usize));
        loops.take_while(|of| of.is_own()).map(|of| of.counter).collect()
    }
}
