//! How do pairs of accesses that stand in the way become obstacles, with direction vectors and what would remove them?
//!
//! What it cannot do: direction vectors of more than some pairs of one loop, and of pairs through pointers that change.

use super::obstacle::{Found, grouped};
use super::{Dependence, DependenceKind, Detail, Judge, Obstacle, remedy};
use crate::access::Access;
use crate::dependence::{Asked, Direction, anything};
use crate::loops::{LoopFacts, LoopIndex};
use crate::reduction::Update;
use crate::symbols::Cause;
use ferry_ir::Loop;
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol, work_done};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::rc::Rc;

/// Most pairs of accesses of one loop whose direction vectors are computed. Of others it is only said that the loop carries them.
const MOST_VECTORS: usize = 80;

/// Most work of proofs for the direction vectors of one loop, in the units of [`work_done`]: a few milliseconds.
const MOST_WORK: u64 = 2_000_000;

/// The same for vectors in a row that say nothing. The most that a program of the tests has before one that says something is 350,000.
const MOST_WORK_IN_VAIN: u64 = 700_000;

/// How much may still be asked about the direction vectors of a loop.
struct Left {
    vectors: usize,
    work: u64,
    /// Of work since the last vector that says something.
    in_vain: u64,
}

impl Left {
    /// One more vector, if that is not too much.
    fn vector(&mut self, ask: impl FnOnce() -> Vec<Direction>) -> Option<Vec<Direction>> {
        if self.vectors == 0 || self.work == 0 || self.in_vain == 0 {
            return None;
        }
        let before = work_done();
        let vector = ask();
        let work = work_done() - before;
        self.vectors -= 1;
        self.work = self.work.saturating_sub(work);
        self.in_vain = match vector == anything(vector.len()) {
            true => self.in_vain.saturating_sub(work),
            false => MOST_WORK_IN_VAIN,
        };
        Some(vector)
    }
}

/// The loops around both accesses of a pair, from the one that is judged inwards.
struct Around<'a> {
    /// The loops of the two, which others have, too.
    of: (&'a [LoopIndex], &'a [LoopIndex]),
    counters: Vec<Symbol>,
    /// The vector that says nothing, which all pairs share that have no other one.
    anything: Rc<[Direction]>,
}

impl Judge<'_> {
    /// Pairs of accesses that stand in the way as obstacles, with their direction vectors and what would remove them.
    pub(super) fn explained<'p>(
        &self,
        inner: &Loop,
        updates: &[Update<'_>],
        standing: Vec<Found<'p>>,
        asked: &mut Asked<'p>,
    ) -> Vec<Obstacle> {
        let mut left = Left {
            vectors: MOST_VECTORS,
            work: MOST_WORK,
            in_vain: MOST_WORK_IN_VAIN,
        };
        let mut obstacles = Vec::new();
        let mut around: Option<Around<'_>> = None;
        for group in grouped(standing) {
            let Some(first) = group.first() else { continue };
            let mut obstacle = Obstacle {
                cause: Cause::new(first.why.to_string(), first.write.origin),
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
                let mut seen = FxHashSet::with_capacity_and_hasher(2 * group.len(), FxBuildHasher);
                obstacle.dependences.reserve(2 * group.len());
                for found in &group {
                    // Pairs that follow one another lie in the same loops, mostly.
                    let of = (found.write.loops.as_slice(), found.other.loops.as_slice());
                    let around = match &mut around {
                        Some(known) if known.of == of => known,
                        other => other.insert(self.around(of)),
                    };
                    let of_pair = self.dependences(found, around, asked, &mut left);
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
    fn dependences<'p>(
        &self,
        found: &Found<'p>,
        around: &Around<'_>,
        asked: &mut Asked<'p>,
        left: &mut Left,
    ) -> impl Iterator<Item = Dependence> + use<'p> {
        let (write, other) = (found.write, found.other);
        let mut of = |source: &'p Access, sink: &'p Access| {
            let kind = match (source.is_write(), sink.is_write()) {
                (true, true) => DependenceKind::Output,
                (true, false) => DependenceKind::Flow,
                (false, _) => DependenceKind::Anti,
            };
            let mut new = |asked: &mut Asked<'p>| {
                let ask = || asked.vector(&around.counters, source, sink);
                let vector: Rc<[Direction]> = Rc::from(left.vector(ask)?);
                asked.keep_vector(source, sink, &vector);
                Some(vector)
            };
            let vector = match found.same_storage {
                true => asked.known_vector(source, sink).or_else(|| new(asked)),
                false => None,
            };
            Dependence {
                kind,
                source: (source.stmt, source.origin),
                sink: (sink.stmt, sink.origin),
                vector: vector.unwrap_or_else(|| Rc::clone(&around.anything)),
            }
        };
        let first = found.ways[0].then(|| of(write, other));
        let second = found.ways[1].then(|| of(other, write));
        first.into_iter().chain(second)
    }

    /// The loops of the function's text around two accesses, from this loop inwards.
    fn around<'l>(&self, of: (&'l [LoopIndex], &'l [LoopIndex])) -> Around<'l> {
        let inside = |loops: &'l [LoopIndex]| {
            let own = loops.iter().position(|index| *index == self.index);
            loops.split_at(own.unwrap_or(loops.len())).1
        };
        let both = inside(of.0).iter().zip(inside(of.1));
        let common = both.take_while(|(a, b)| a == b);
        let loops = common.filter_map(|(index, _)| self.values.loops.get(index.0 as usize));
        let own = loops.take_while(|of| of.is_own());
        let counters: Vec<Symbol> = own.map(|of| of.counter).collect();
        Around {
            of,
            anything: Rc::from(anything(counters.len())),
            counters,
        }
    }
}
