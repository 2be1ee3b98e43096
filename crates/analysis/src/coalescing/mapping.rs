//! Which iterations do the threads of a warp run at a time?
//!
//! GPU compilers give consecutive iterations of the loop that runs in parallel to consecutive threads, and number the iterations of loops that run together
//! through, the innermost first. All other loops inside are run by each thread alone, in step with its neighbours: what is compared is one access of all
//! threads in iterations with the same numbers.

use super::numbers;
use crate::access::Access;
use crate::loops::{LoopFacts, LoopIndex};
use crate::symbols::Cause;
use crate::value::Values;
use ferry_gpu::Gpu;
use ferry_symbolic::{Expr, Symbol};

/// How iterations go to threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// The outermost loop of what each thread runs a part of: of `lanes`, or one further out that each thread runs alone.
    pub root: LoopIndex,
    /// The loops whose iterations are numbered through, outermost first; at least one. Threads of a warp run iterations with consecutive numbers.
    pub lanes: Vec<LoopIndex>,
    /// How many iterations one thread runs in a row before those of the next thread begin: 1, unless a `schedule` says otherwise.
    pub chunk: u32,
}

impl Mapping {
    /// Consecutive iterations of these loops, outermost first, in consecutive threads; `None` without a loop.
    pub fn of(lanes: Vec<LoopIndex>) -> Option<Mapping> {
        Some(Mapping::within(*lanes.first()?, lanes))
    }

    /// The same in a nest that begins with `root`, one of them or a loop around them that each thread runs alone.
    pub fn within(root: LoopIndex, lanes: Vec<LoopIndex>) -> Mapping {
        Mapping {
            root,
            lanes,
            chunk: 1,
        }
    }

    /// The loops that each thread runs alone around an access, outermost first.
    pub fn alone<'a>(
        &'a self,
        values: &'a Values,
        access: &'a Access,
    ) -> impl Iterator<Item = &'a LoopFacts> {
        let depth = values.loops[self.root.0 as usize].depth;
        let own = access.loops.iter().filter(|index| !self.lanes.contains(index));
        own.map(|index| &values.loops[index.0 as usize])
            .filter(move |of| of.depth >= depth)
    }

    /// The loop whose iterations differ from thread to thread.
    pub fn innermost(&self) -> Option<LoopIndex> {
        self.lanes.last().copied()
    }

    /// The facts about its loops, outermost first.
    pub fn loops<'a>(&'a self, values: &'a Values) -> impl DoubleEndedIterator<Item = &'a LoopFacts> {
        self.lanes.iter().map(|index| &values.loops[index.0 as usize])
    }

    /// How many iterations there are in all, if that is a number. Constants with a name count with their value in this build.
    pub fn iterations(&self, values: &Values) -> Option<u64> {
        self.loops(values)
            .try_fold(1u64, |all, of| all.checked_mul(trip(values, of)?))
    }

    /// How many threads have an iteration, if that can be counted.
    pub fn threads(&self, values: &Values) -> Option<Expr> {
        let iterations = product(values, self.loops(values))?;
        Some(Expr::ceil_div(&iterations, &Expr::int(i128::from(self.chunk))))
    }

    /// The threads of a full warp that have an iteration: all of them, unless there are fewer iterations in all.
    pub fn threads_of_a_warp(&self, values: &Values, gpu: &Gpu) -> u32 {
        let threads = self
            .iterations(values)
            .map(|all| all.div_ceil(u64::from(self.chunk)).max(1));
        let threads = threads.and_then(|threads| u32::try_from(threads).ok());
        threads.map_or(gpu.warp, |threads| threads.min(gpu.warp))
    }

    /// True if no warp of so many threads runs iterations of two rows.
    pub fn rows_are_whole(&self, values: &Values, threads: u32) -> bool {
        let innermost = self.loops(values).next_back();
        let trip = innermost.and_then(|of| trip(values, of));
        let step = u64::from(threads) * u64::from(self.chunk);
        self.lanes.len() == 1 || trip.is_some_and(|trip| trip.is_multiple_of(step))
    }

    /// Why the numbers of iterations say nothing of the counters: a loop that runs together with those around it has not the same number of iterations in
    /// all of theirs, or one that is not known.
    pub fn uneven(&self, values: &Values) -> Option<Cause> {
        let loops: Vec<_> = self.loops(values).collect();
        loops.iter().enumerate().skip(1).find_map(|(place, of)| {
            let why = match &of.trip {
                Err(cause) => return Some(cause.clone()),
                Ok(trip) => loops[..place]
                    .iter()
                    .any(|outer| !values.symbols.invariant_in(trip, outer.stmt))
                    .then_some("how often this loop runs depends on the loops that it runs together with"),
            };
            why.map(|why| Cause::new(why, of.origin))
        })
    }

    /// The counters of the loops in the iteration with a number, innermost first. A loop whose trip count is not known takes all that is left, as the
    /// outermost does: of the iterations near the first one it is taken to have enough. (A nest without iterations is treated as one that has some.)
    pub fn counters(&self, values: &Values, number: u64) -> Vec<(Symbol, Expr)> {
        let mut rest = number;
        let mut found = Vec::new();
        for (place, index) in self.lanes.iter().enumerate().rev() {
            let of = &values.loops[index.0 as usize];
            let count = if place == 0 { None } else { trip(values, of) };
            let count = count.unwrap_or(u64::MAX).max(1);
            found.push((of.counter, Expr::int(i128::from(rest % count))));
            rest /= count;
        }
        found
    }
}

/// The number of iterations of loops that run together, if each can be counted. Constants with a name count with their value in this build.
pub fn product<'a>(values: &Values, mut loops: impl Iterator<Item = &'a LoopFacts>) -> Option<Expr> {
    loops.try_fold(Expr::one(), |all, of| {
        let trip = numbers::known(values, &of.before.facts, of.trip.as_ref().ok()?);
        Some(all.times(&trip))
    })
}

/// The trip count of a loop, if it is a number in this build.
pub fn trip(values: &Values, of: &LoopFacts) -> Option<u64> {
    values.memory.trip(of.counter, || {
        let trip = of.trip.as_ref().ok()?;
        let count = numbers::known(values, &of.before.facts, trip)
            .as_constant()?
            .to_i128()?;
        u64::try_from(count).ok()
    })
}
