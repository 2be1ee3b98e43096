//! What does a whole kernel cost, for a mapping of its iterations to threads?
//!
//! Each access counts as often as its thread makes it: the product of the trip counts of the loops that the thread runs alone. Mappings of one nest are
//! compared by the sum over all warps. Where sizes are not known, and a comparison needs numbers, each counts as [`SIZE`]; who uses that says so.
//!
//! What it cannot do: weigh conditions (an access under one counts as if it were always made), and caches.

use super::mapping::{Mapping, trip};
use super::numbers::known;
use super::{Coalescing, of_access};
use crate::access::Access;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_gpu::Gpu;
use ferry_ir::Types;
use ferry_symbolic::{Expr, Integer, Symbol};

/// What a size counts that is not known, where mappings are compared.
pub const SIZE: i64 = 1024;

/// One access of a kernel.
#[derive(Clone, Debug)]
pub struct AccessCost {
    /// Number of the access among [`Values::accesses`].
    pub access: usize,
    /// What it costs a warp.
    pub coalescing: Coalescing,
    /// How often a thread makes it; `None` if a loop around it cannot be counted.
    pub times: Option<Expr>,
}

/// What a kernel costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Its accesses, in order of evaluation.
    pub accesses: Vec<AccessCost>,
    /// How many threads have an iteration, if that can be counted.
    pub threads: Option<Expr>,
}

impl Cost {
    /// The cost of the accesses of a nest; `counts` says which go to memory that the threads share (the others are registers, or memory of each thread).
    pub fn of(
        values: &Values,
        types: &Types,
        mapping: &Mapping,
        gpu: &Gpu,
        counts: &dyn Fn(&Access) -> bool,
    ) -> Cost {
        let accesses = values.accesses.iter().enumerate();
        let inside = accesses.filter(|(_, access)| {
            access.size > 0
                && mapping.lanes.iter().all(|index| access.loops.contains(index))
                && counts(access)
        });
        let accesses = inside.map(|(number, access)| {
            let times = mapping.alone(values, access).try_fold(Expr::one(), |all, of| {
                let trip = known(values, &of.before.facts, of.trip.as_ref().ok()?);
                Some(all.times(&trip))
            });
            AccessCost {
                access: number,
                coalescing: of_access(values, types, mapping, access, gpu),
                times,
            }
        });
        let threads = mapping.loops(values).try_fold(Expr::one(), |all, of| {
            let trip = known(values, &of.before.facts, of.trip.as_ref().ok()?);
            Some(all.times(&trip))
        });
        Cost {
            accesses: accesses.collect(),
            threads,
        }
    }

    /// Lines and sectors that all warps take together, with [`SIZE`] for what is not known.
    pub fn total(&self, values: &Values, gpu: &Gpu) -> Total {
        let size = |expr: &Expr| of_size(values, expr, 0);
        let threads = self.threads.as_ref().map_or(SIZE as f64, size);
        let warps = (threads / f64::from(gpu.warp)).ceil().max(1.0);
        let mut total = Total {
            lines: 0.0,
            sectors: 0.0,
            threads,
        };
        for one in &self.accesses {
            let times = one.times.as_ref().map_or(SIZE as f64, size);
            let requests = &one.coalescing.requests;
            total.lines += warps * times * size(&requests.lines.usual);
            total.sectors += warps * times * size(&requests.sectors.usual);
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

/// The value with [`SIZE`] for each symbol that is not known, and the middle of its range for each counter.
fn of_size(values: &Values, expr: &Expr, depth: usize) -> f64 {
    let value_of = |symbol: Symbol| {
        let middle = match &values.symbols.info(symbol).kind {
            SymbolKind::Named { value, .. } => *value,
            SymbolKind::Counter(of) if depth < 4 => {
                let of = values.loops.iter().find(|one| one.stmt == *of);
                let count = of.and_then(|of| match trip(values, of) {
                    Some(trip) => Some(trip as f64),
                    None => of.trip.as_ref().ok().map(|trip| of_size(values, trip, depth + 1)),
                });
                (count.unwrap_or(SIZE as f64) / 2.0) as i128
            }
            _ => i128::from(SIZE),
        };
        Some(Integer::from(middle))
    };
    let value = expr.evaluate(&value_of).and_then(|value| value.to_i128());
    value.map_or(SIZE as f64, |value| (value as f64).max(0.0))
}
