//! What does a whole kernel cost, for a mapping of its iterations to threads?
//!
//! Each access counts as often as its thread makes it: the product of the trip counts of the loops that the thread runs alone. Mappings of one nest are
//! compared by the sum over all warps. Where sizes are not known, and a comparison needs numbers, each counts as [`SIZE`]; who uses that says so.
//!
//! What it cannot do: weigh conditions (an access under one counts as if it were always made), and caches.

use super::mapping::{Mapping, product, trip};
use super::{Answers, Coalescing, Prepared};
use crate::loops::{LoopFacts, LoopIndex};
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_gpu::Gpu;
use ferry_ir::Types;
use ferry_symbolic::{Expr, Integer, Symbol};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a size counts that is not known, where mappings are compared.
pub const SIZE: i64 = 1024;

/// One access of a kernel.
#[derive(Clone, Debug)]
pub struct AccessCost {
    /// Number of the access among [`Values::accesses`].
    pub access: usize,
    /// What it costs a warp; accesses that are alike have it in common.
    pub coalescing: Rc<Coalescing>,
    /// How often a thread makes it; `None` if a loop around it cannot be counted.
    pub times: Option<Expr>,
    /// The same in numbers, with [`SIZE`] for each loop whose trip count is not known.
    often: f64,
}

/// What a kernel costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Its accesses, in order of evaluation.
    pub accesses: Vec<AccessCost>,
    /// How many threads have an iteration, if that can be counted.
    pub threads: Option<Expr>,
    /// The same in numbers.
    about: f64,
}

impl Cost {
    /// The cost of a nest with these accesses, each with its number.
    pub fn of(
        values: &Values,
        types: &Types,
        mapping: &Mapping,
        gpu: &Gpu,
        accesses: &[(usize, Prepared<'_>)],
    ) -> Cost {
        let inside = accesses
            .iter()
            .filter(|(_, one)| mapping.lanes.iter().all(|index| one.access.loops.contains(index)))
            // The first alternative stands for all.
            .filter(|(_, one)| one.access.alternative() == 0);
        let answers = Answers::new(values, types, mapping, gpu);
        // Most accesses have the same loops around them.
        let mut counted: FxHashMap<&[LoopIndex], (Option<Expr>, f64)> = FxHashMap::default();
        let accesses = inside.map(|(number, one)| {
            let (times, often) = counted.entry(&one.access.loops).or_insert_with(|| {
                let alone = || mapping.alone(values, one.access);
                let often = alone().map(|of| assumed_trip(values, of));
                (product(values, alone()), often.product())
            });
            AccessCost {
                access: *number,
                coalescing: answers.of(one),
                times: times.clone(),
                often: *often,
            }
        });
        Cost {
            accesses: accesses.collect(),
            threads: mapping.threads(values),
            about: assumed_iterations(values, mapping),
        }
    }

    /// Lines and sectors that all warps take together, with [`SIZE`] for what is not known.
    pub fn total(&self, values: &Values, gpu: &Gpu) -> Total {
        // With these sizes a stride may come out otherwise than it was taken to be (`n - m` positive): then each thread counts by itself.
        let each = f64::from(gpu.warp);
        let count = |amount: &Expr| {
            let value = assumed(values, amount).filter(|value| *value > 0);
            value.map_or(each, |value| value as f64)
        };
        let warps = (self.about / f64::from(gpu.warp)).ceil().max(1.0);
        let mut total = Total {
            lines: 0.0,
            sectors: 0.0,
            threads: self.about,
        };
        let mut counted: FxHashMap<*const Coalescing, (f64, f64)> = FxHashMap::default();
        for one in &self.accesses {
            let requests = &one.coalescing.requests;
            let (lines, sectors) = *counted
                .entry(Rc::as_ptr(&one.coalescing))
                .or_insert_with(|| (count(&requests.lines.usual), count(&requests.sectors.usual)));
            total.lines += warps * one.often * lines;
            total.sectors += warps * one.often * sectors;
        }
        total
    }

    /// The accesses that are made the most often: those of the innermost loop.
    pub fn innermost(&self, values: &Values) -> Vec<&AccessCost> {
        let depth = |one: &AccessCost| values.accesses[one.access].loops.len();
        let deepest = self.accesses.iter().map(depth).max();
        self.accesses
            .iter()
            .filter(|one| Some(depth(one)) == deepest)
            .collect()
    }
}

/// What all warps of a kernel take together, for sizes that are numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Total {
    /// Lines.
    pub lines: f64,
    /// Sectors.
    pub sectors: f64,
    /// Threads.
    pub threads: f64,
}

/// An expression with [`SIZE`] for each value that is not known.
pub fn assumed(values: &Values, expr: &Expr) -> Option<i128> {
    let value = expr.evaluate(&|symbol| Some(size_of(values, symbol)));
    value.and_then(|value| value.to_i128())
}

/// How many iterations run together, with [`SIZE`] for each loop whose trip count is no number.
pub fn assumed_iterations(values: &Values, mapping: &Mapping) -> f64 {
    mapping.loops(values).map(|of| assumed_trip(values, of)).product()
}

/// The trip count of a loop, [`SIZE`] if it is no number: values of its bounds that are taken one by one would make differences of them nothing.
pub fn assumed_trip(values: &Values, of: &LoopFacts) -> f64 {
    trip(values, of).map_or(SIZE as f64, |trip| trip as f64)
}

fn size_of(values: &Values, symbol: Symbol) -> Integer {
    match &values.symbols.info(symbol).kind {
        SymbolKind::Named { value, .. } => Integer::from(*value),
        _ => Integer::from(i128::from(SIZE)),
    }
}
