//! Do the threads of a block touch what the tile of their reads has, and share as many bytes as is said? An observer that keeps every byte that each
//! iteration of a kernel's parallel loops reads; afterwards they are put into blocks of every size that is asked for.
//!
//! The kernel's data are variables of the file and its sizes constants, so that every symbol of a tile has a value.

use super::Analysed;
use super::watching::{Places, counts, kind_of, places};
use ferry_analysis::coalescing::Mapping;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::sharing::{Opportunity, Sharing, axis_of, of_kernel};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_gpu::Gpu;
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Observer, Options, View, run};
use ferry_ir::{FunctionRef, StmtId};
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Blocks whose bytes all lie in the tile.
        pub blocks: u64,
        /// Dimensions of tiles that are as large as what the threads of some block touch.
        pub tight: u64,
        /// Dimensions of tiles that are larger than that.
        pub loose: u64,
        /// Pairs of neighbours that share as many bytes as is said.
        pub exact: u64,
        /// Pairs of neighbours that share no more than is said.
        pub at_most: u64,
        /// Opportunities.
        pub opportunities: u64,
        /// Reads of which nothing is known.
        pub unknown: u64,
    }
}

/// The bytes that each thread, by its numbers along the axes, x first, touches by each access.
type Touched = BTreeMap<(usize, Vec<i128>), BTreeSet<i128>>;

/// A run of a kernel.
pub struct Run<'a> {
    analysed: &'a Analysed,
    function: FunctionRef,
    lanes: Vec<usize>,
    places: Places,
    running: Vec<(StmtId, u64)>,
    touched: Touched,
}

impl<'a> Run<'a> {
    /// Runs a program whose function `kernel` runs these loops, in text order, in parallel.
    pub fn new(analysed: &'a Analysed, function: FunctionRef, lanes: &[usize]) -> Run<'a> {
        let mut found = Run {
            analysed,
            function,
            lanes: lanes.to_vec(),
            places: places(analysed),
            running: Vec::new(),
            touched: Touched::new(),
        };
        let outcome = run(&analysed.units, &Options::default(), &mut found);
        assert_eq!(outcome.exit, interpret::Exit::Code(0), "{:?}", outcome.exit);
        found
    }

    fn facts(&self) -> &'a FunctionFacts {
        &self.analysed.facts[&(0, self.function)]
    }

    /// Compares what is said for blocks of a size.
    pub fn judge(&self, gpu: &Gpu, block: &[u64]) -> Counts {
        let lanes = self.lanes.iter().map(|number| LoopIndex(*number as u32));
        let mapping = Mapping::of(lanes.collect()).unwrap();
        let types = &self.analysed.units[0].types;
        let found: Sharing = of_kernel(&self.facts().values, types, &mapping, gpu, block);
        let mut counts = Counts {
            unknown: found.unknown.len() as u64,
            ..Counts::default()
        };
        for one in &found.opportunities {
            counts.opportunities += 1;
            self.judge_tile(one, block, &mut counts);
            self.judge_overlaps(one, block, &mut counts);
        }
        counts
    }

    /// The bytes that a thread touches by all accesses of an opportunity.
    fn of_thread(&self, one: &Opportunity, thread: &[i128]) -> BTreeSet<i128> {
        let mut all = BTreeSet::new();
        for (number, _) in &one.accesses {
            if let Some(bytes) = self.touched.get(&(*number, thread.to_vec())) {
                all.extend(bytes);
            }
        }
        all
    }

    /// All threads that touched anything by it.
    fn threads(&self, one: &Opportunity) -> BTreeSet<Vec<i128>> {
        let own = |number: &usize| one.accesses.iter().any(|(own, _)| own == number);
        let touched = self.touched.keys().filter(|(number, _)| own(number));
        touched.map(|(_, thread)| thread.clone()).collect()
    }

    fn judge_tile(&self, one: &Opportunity, block: &[u64], counts: &mut Counts) {
        let threads = self.threads(one);
        let dimensions = one.tile.extents.len();
        let extents: Vec<i128> = one
            .tile
            .extents
            .iter()
            .map(|extent| self.value(extent, &[], block))
            .collect();
        let here: Vec<i128> = one
            .tile
            .extents_here
            .iter()
            .map(|extent| self.value(extent, &[], block))
            .collect();
        assert_eq!(extents, here, "the sizes of the block are numbers there");
        let pitches: Vec<i128> = one
            .tile
            .pitches
            .iter()
            .map(|pitch| self.value(pitch, &[], block))
            .collect();
        let mut most = vec![0; dimensions];
        let mut blocks: BTreeMap<Vec<i128>, BTreeSet<i128>> = BTreeMap::new();
        for thread in &threads {
            let first: Vec<i128> = thread
                .iter()
                .zip(block)
                .map(|(at, size)| at - at % i128::from(*size))
                .collect();
            blocks
                .entry(first)
                .or_default()
                .extend(self.of_thread(one, thread));
        }
        for (first, bytes) in blocks {
            let start: Vec<i128> = one
                .tile
                .start
                .iter()
                .map(|start| self.value(start, &first, block))
                .collect();
            let origin = start
                .iter()
                .zip(pitches.iter().chain([&1]))
                .map(|(at, pitch)| at * pitch)
                .sum::<i128>();
            let mut ends = vec![(i128::MAX, i128::MIN); dimensions];
            for byte in bytes {
                let mut rest = byte - origin;
                for dimension in 0..dimensions {
                    let at = match pitches.get(dimension) {
                        Some(pitch) => {
                            let row = rest.div_euclid(*pitch);
                            rest = rest.rem_euclid(*pitch);
                            row
                        }
                        None => rest,
                    };
                    assert!(
                        (0..extents[dimension]).contains(&at),
                        "byte {byte} of the block at {first:?} is at {at} in dimension {dimension} of {extents:?}, from {origin}"
                    );
                    ends[dimension] = (ends[dimension].0.min(at), ends[dimension].1.max(at));
                }
            }
            for (most, (low, high)) in most.iter_mut().zip(ends) {
                *most = (high - low + 1).max(*most);
            }
            counts.blocks += 1;
        }
        for (most, extent) in most.iter().zip(&extents) {
            match most == extent {
                true => counts.tight += 1,
                false => counts.loose += 1,
            }
        }
    }

    fn judge_overlaps(&self, one: &Opportunity, block: &[u64], counts: &mut Counts) {
        let threads = self.threads(one);
        for overlap in &one.overlaps {
            for thread in &threads {
                let mut next = thread.clone();
                next[overlap.axis] += 1;
                if !threads.contains(&next) {
                    continue;
                }
                let own = self.of_thread(one, thread);
                let both: BTreeSet<i128> = self.of_thread(one, &next).intersection(&own).copied().collect();
                let said = self.value(&overlap.bytes, thread, block);
                let real = both.len() as i128;
                let what = format!(
                    "thread {thread:?}, axis {}: {real} bytes, said {said}",
                    overlap.axis
                );
                assert!(overlap.sections.is_some() || real == 0, "{what}");
                match overlap.exact {
                    true => {
                        assert_eq!(real, said, "{what}");
                        counts.exact += 1;
                    }
                    false => {
                        assert!(real <= said, "{what}");
                        counts.at_most += 1;
                    }
                }
            }
        }
    }

    /// The value of an expression for a thread, in blocks of a size.
    fn value(&self, expr: &Expr, thread: &[i128], block: &[u64]) -> i128 {
        let values = &self.facts().values;
        let value = |symbol: Symbol| {
            if let Some(axis) = axis_of(symbol) {
                return Some(Integer::from(i128::from(block[axis])));
            }
            let counters = self.lanes.iter().rev().zip(thread);
            for (number, at) in counters {
                if values.loops[*number].counter == symbol {
                    return Some(Integer::from(*at));
                }
            }
            match values.symbols.info(symbol).kind {
                SymbolKind::Named { value, .. } => Some(Integer::from(value)),
                _ => None,
            }
        };
        let found = expr.evaluate(&value).and_then(|value| value.to_i128());
        found.unwrap_or_else(|| panic!("{expr:?} has no value"))
    }
}

impl Observer for Run<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        if access.at.function != Some(self.function) {
            return;
        }
        let place = (
            0,
            self.function,
            access.at.statement,
            access.at.origin,
            kind_of(access),
        );
        let Some(numbers) = self.places.get(&place).filter(|numbers| numbers.len() == 1) else {
            return;
        };
        let values = &self.facts().values;
        let thread: Option<Vec<i128>> = self
            .lanes
            .iter()
            .rev()
            .map(|number| {
                let stmt = values.loops[*number].stmt;
                let running = self.running.iter().find(|(own, _)| *own == stmt)?;
                Some(i128::from(running.1))
            })
            .collect();
        if let Some(thread) = thread {
            let start = i128::from(access.offset);
            let bytes = start..start + i128::from(access.size);
            self.touched
                .entry((numbers[0], thread))
                .or_default()
                .extend(bytes);
        }
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, _view: &View<'_>) {
        if key.function != self.function {
            return;
        }
        match event {
            LoopEvent::Enter => self.running.push((key.statement, 0)),
            LoopEvent::Body(number) => {
                if let Some(last) = self.running.last_mut() {
                    last.1 = number;
                }
            }
            LoopEvent::Exit => {
                self.running.pop();
            }
            LoopEvent::Test | LoopEvent::Step => {}
        }
    }
}
