//! What does a tile cost, and what does it save?
//!
//! Saved are requests of lines: of all warps of a block, for each iteration of the loops that a thread runs by itself, as many as `coalescing` counts, against
//! once the lines of the tile's rows. That leaves caches out, which may save part of it without any tile: the figure orders opportunities, it is no time.
//! A warp whose threads are in several rows of the block counts each row by itself, unless all steps are numbers; conditions inside the kernel are taken to
//! hold. Where rows of the tile begin is known as it is for the first block, sizes that are not known being multiples of a line.
//!
//! Shared memory costs room, so that fewer blocks are on a multiprocessor at a time (`occupancy`), and turns where threads want different words of one
//! bank (`banks`).

use super::footprint::{Footprint, Section};
use super::kernel::Kernel;
use super::tile::Tile;
use crate::access::Access;
use crate::coalescing::{Answers, Common, LaneAddress, Mapping, Pattern, Prepared};
use crate::symbols::Cause;
use ferry_gpu::{Blocks, Bytes, Gpu};
use ferry_symbolic::{Expr, Facts, Integer};
use std::rc::Rc;

/// Threads of a block whose addresses are taken one by one.
const THREADS: u64 = 4096;

/// How a tile lies in the banks of the shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// Turns that the dearest access of the group takes for the first warp.
    pub turns: u64,
    /// Bytes to be added to each row of the tile so that there are fewer, and how many there are then.
    pub padded: Option<(u64, u64)>,
}

/// Warps along the rows of a block: those of the GPU, and warps of one row each, whose threads are in step with no others.
pub(super) struct Rows {
    mapping: Mapping,
    /// The GPU with as many threads in a warp as a row has, if these are fewer.
    gpu: Gpu,
}

impl Rows {
    /// None without a loop that runs in parallel.
    pub fn of(kernel: &Kernel<'_>) -> Option<Rows> {
        let innermost = kernel.mapping.innermost()?;
        let row = kernel.block.first().copied().unwrap_or(1);
        let lanes = row.min(u64::from(kernel.gpu.warp));
        Some(Rows {
            mapping: Mapping::within(innermost, vec![innermost]),
            gpu: Gpu {
                warp: u32::try_from(lanes).unwrap_or(kernel.gpu.warp),
                ..kernel.gpu.clone()
            },
        })
    }

    /// What accesses cost these warps: those that are alike are asked about once.
    pub fn answers<'a>(&'a self, kernel: &Kernel<'a>) -> OfRows<'a> {
        let answers = |gpu| Answers::new(kernel.values, kernel.types, &self.mapping, gpu);
        OfRows {
            common: Rc::default(),
            of_warp: answers(kernel.gpu),
            of_row: answers(&self.gpu),
        }
    }
}

/// What accesses cost warps along the rows of a block.
pub(super) struct OfRows<'a> {
    common: Rc<Common>,
    of_warp: Answers<'a>,
    of_row: Answers<'a>,
}

impl OfRows<'_> {
    /// An access, ready to be asked about.
    pub fn prepared<'b>(&self, kernel: &Kernel<'b>, access: &'b Access) -> Prepared<'b> {
        Prepared::new(kernel.values, access, self.common.clone())
    }
}

/// The requests of lines that an access costs all warps of a block now.
pub(super) fn requests_now(
    kernel: &Kernel<'_>,
    rows: &OfRows<'_>,
    prepared: &Prepared<'_>,
    facts: &Facts,
) -> Result<Expr, Cause> {
    let access = prepared.access();
    let mut all = match straight(kernel, access, facts) {
        Some(lines) => Expr::int(i128::from(lines)),
        None => by_rows(kernel, rows, prepared),
    };
    for index in kernel.inner(access) {
        let trip = kernel.facts_of(index).trip.clone()?;
        let trip = kernel.numbered(&kernel.for_all(&trip, access, facts)?, facts);
        all = all.times(&trip);
    }
    Ok(all)
}

/// The place of a thread in its block along each axis.
fn places(kernel: &Kernel<'_>, thread: u64) -> Vec<i128> {
    let mut rest = thread;
    let along = kernel.block.iter().map(|size| {
        let place = rest % size;
        rest /= size;
        i128::from(place)
    });
    along.collect()
}

/// The bytes between the threads of a block along each axis, if they are numbers.
fn steps(kernel: &Kernel<'_>, address: &Expr, facts: &Facts) -> Option<Vec<i128>> {
    let mut rest = address.clone();
    let mut found = Vec::new();
    for counter in kernel.counters() {
        let (step, left) = rest.linear_in(*counter)?;
        found.push(kernel.number(&step, facts)?);
        rest = left;
    }
    Some(found)
}

/// The lines of all warps of a block for one iteration of the loops inside, where threads are numbers of bytes apart.
fn straight(kernel: &Kernel<'_>, access: &Access, facts: &Facts) -> Option<u64> {
    if kernel.threads() > THREADS {
        return None;
    }
    let address = LaneAddress::of(kernel.values, kernel.types, kernel.mapping, access).ok()?;
    if address.moves_between_rows() {
        return None;
    }
    let steps = steps(kernel, &kernel.values.defined(access.address.as_ref()?), facts)?;
    let first = address.start(Some(0), 1).constant;
    let mut all = 0;
    let warp = u64::from(kernel.gpu.warp);
    for begin in (0..kernel.threads()).step_by(kernel.gpu.warp as usize) {
        let touched: Vec<Bytes> = (begin..kernel.threads().min(begin + warp))
            .map(|thread| Bytes {
                start: first + along(&steps, &places(kernel, thread)),
                size: access.size,
            })
            .collect();
        all += Blocks::of(kernel.gpu, &touched).lines;
    }
    Some(all)
}

fn along(steps: &[i128], places: &[i128]) -> i128 {
    steps.iter().zip(places).map(|(step, place)| step * place).sum()
}

/// The same with steps that are no numbers, each row of threads by itself; rows that touch the same bytes count once.
fn by_rows(kernel: &Kernel<'_>, rows: &OfRows<'_>, prepared: &Prepared<'_>) -> Expr {
    let warp = u64::from(kernel.gpu.warp);
    let (threads, row) = (kernel.threads(), kernel.block.first().copied().unwrap_or(1));
    let found = rows.of_row.of(prepared);
    let warps = threads.div_ceil(warp);
    let address = prepared.access().address.as_ref();
    let address = address.map(|address| kernel.values.defined(address));
    let same = |axis: usize| {
        let counter = kernel.counters().get(axis);
        let both = counter.zip(address.as_ref());
        both.is_some_and(|(counter, address)| !address.mentions(*counter))
    };
    let mut outer = (1..kernel.block.len()).filter(|axis| kernel.block[*axis] > 1);
    let rows = match outer.all(same) {
        true => warps,
        false => warps.saturating_mul(warp.div_ceil(row).min(threads.div_ceil(row))),
    };
    found.requests.lines.usual.scale(&Integer::from(i128::from(rows)))
}

/// True if a warp along the rows of the block takes more lines than it needs, and not only because it begins between two. Sizes that are not known are
/// assumed.
pub(super) fn is_uncoalesced(
    kernel: &Kernel<'_>,
    rows: &OfRows<'_>,
    prepared: &Prepared<'_>,
    facts: &Facts,
) -> bool {
    let found = rows.of_warp.of(prepared);
    if matches!(found.pattern, Pattern::Unit | Pattern::Uniform) {
        return false;
    }
    let needed = u64::from(kernel.gpu.warp)
        .saturating_mul(prepared.access().size)
        .div_ceil(kernel.gpu.line);
    let lines = kernel.assumed(&found.requests.lines.usual, facts);
    lines.is_none_or(|lines| lines > i128::from(needed))
}

/// The lines that the rows of a tile take, each loaded once.
pub(super) fn requests_once(kernel: &Kernel<'_>, tile: &Tile, facts: &Facts) -> Expr {
    if let Some(lines) = lines_of_rows(kernel, tile, facts) {
        return Expr::int(i128::from(lines));
    }
    let line = i128::from(kernel.gpu.line);
    let mut extents = tile.extents_here.clone();
    let Some(mut bytes) = extents.pop() else {
        return Expr::zero();
    };
    let mut offset = tile.from_first_thread.last().cloned().unwrap_or_else(Expr::zero);
    // Rows that follow each other without a gap are one piece.
    for pitch in tile.pitches.iter().rev() {
        let pitch = kernel.numbered(pitch, facts);
        if pitch != bytes {
            break;
        }
        let Some(rows) = extents.pop() else { break };
        bytes = bytes.times(&rows);
        if let Some(row) = tile.from_first_thread.get(extents.len()) {
            offset = &offset + &row.times(&pitch);
        }
    }
    // Sizes that are not known are multiples of a line.
    let begin = kernel.numbered(&offset, facts).constant_term();
    let begin = begin.floor_mod(&Integer::from(line)).unwrap_or(Integer::ZERO);
    let end = bytes.add_constant(&begin);
    let of_row = Expr::ceil_div(&end, &Expr::int(line));
    extents.iter().fold(of_row, |all, rows| all.times(rows))
}

/// Most rows whose lines are taken one by one.
const ROWS: i128 = 1 << 14;

/// The same where all is numbers: rows that are shorter than a line may lie in one.
fn lines_of_rows(kernel: &Kernel<'_>, tile: &Tile, facts: &Facts) -> Option<u64> {
    let numbers =
        |all: &[Expr]| -> Option<Vec<i128>> { all.iter().map(|one| kernel.number(one, facts)).collect() };
    let (extents, pitches) = (numbers(&tile.extents_here)?, numbers(&tile.pitches)?);
    let start = numbers(&tile.from_first_thread)?;
    let (bytes, rows) = extents.split_last()?;
    let count = rows.iter().try_fold(1i128, |all, rows| all.checked_mul(*rows))?;
    if count > ROWS || rows.iter().any(|rows| *rows < 1) {
        return None;
    }
    let pitches_and_bytes = || pitches.iter().chain([&1]);
    let origin: i128 = start
        .iter()
        .zip(pitches_and_bytes())
        .map(|(at, pitch)| at * pitch)
        .sum();
    let mut starts = vec![origin];
    for (rows, pitch) in rows.iter().zip(&pitches) {
        let with = |start: &i128| {
            let start = *start;
            (0..*rows).map(move |row| start + row * pitch)
        };
        starts = starts.iter().flat_map(with).collect();
    }
    let size = u64::try_from(*bytes).ok()?;
    let touched: Vec<Bytes> = starts.into_iter().map(|start| Bytes { start, size }).collect();
    Some(Blocks::of(kernel.gpu, &touched).lines)
}

/// The turns that the first warp takes to read its tile, if its rows are numbers of bytes long.
pub(super) fn banks(
    kernel: &Kernel<'_>,
    tile: &Tile,
    sections: &[Section],
    members: &[(&Access, &Footprint)],
    facts: &Facts,
) -> Option<Banks> {
    let extents: Vec<i128> = tile
        .extents_here
        .iter()
        .map(|extent| kernel.number(extent, facts))
        .collect::<Option<_>>()?;
    // No shared memory is that large.
    let bytes = extents
        .iter()
        .try_fold(1i128, |all, extent| all.checked_mul(*extent))?;
    if bytes > 1 << 32 {
        return None;
    }
    let row = *extents.last()?;
    let with = |padding: i128| -> Option<u64> {
        let of_member = |(access, footprint): &(&Access, &Footprint)| -> Option<u64> {
            // Bytes from one row of the tile to the next in each dimension, the smallest last.
            let mut size = 1i128;
            let mut pitches = vec![0; extents.len()];
            for (dimension, extent) in extents.iter().enumerate().rev() {
                pitches[dimension] = size;
                let padded = if dimension + 1 == extents.len() {
                    row + padding
                } else {
                    *extent
                };
                size *= padded;
            }
            // Of addresses that depend on what is loaded nothing is said.
            let offset = super::footprint::offset(kernel, access).ok()?;
            super::view::steps(kernel, access, &offset)?;
            let mut start = 0;
            let mut step = vec![0i128; kernel.block.len()];
            for (dimension, pitch) in pitches.iter().enumerate() {
                let low = &footprint.sections[dimension].low;
                let first = kernel.difference(low, &sections[dimension].low, facts)?;
                start += first * pitch;
                for (own, step) in step.iter_mut().zip(steps(kernel, low, facts)?) {
                    *own += step * pitch;
                }
            }
            let count = kernel.threads().min(u64::from(kernel.gpu.warp));
            let touched: Vec<Bytes> = (0..count)
                .map(|thread| Bytes {
                    start: start + along(&step, &places(kernel, thread)),
                    size: access.size,
                })
                .collect();
            Some(ferry_gpu::banks::turns(kernel.gpu, &touched))
        };
        members
            .iter()
            .map(of_member)
            .try_fold(0, |most, turns| Some(turns?.max(most)))
    };
    let turns = with(0)?;
    let word = i128::from(kernel.gpu.bank_bytes);
    // A row that is one word longer is the usual remedy; words must be filled up first.
    let fill = (-row).rem_euclid(word);
    let padded = [fill, fill + word]
        .into_iter()
        .filter(|padding| *padding > 0 && extents.len() > 1)
        .filter_map(|padding| Some((u64::try_from(padding).ok()?, with(padding)?)))
        .find(|(_, fewer)| *fewer < turns);
    Some(Banks { turns, padded })
}
