//! How does it read what the threads of a block could share?

use super::cached;
use super::collect::place_of;
use super::model::{CacheReport, SharingReport, TileShape};
use crate::names::Names;
use ferry_analysis::coalescing::{Mapping, number};
use ferry_analysis::sharing::{self, Opportunity, Tile, axis_of, block_size};
use ferry_gpu::Gpu;
use ferry_symbolic::{Expr, Symbol};

/// Names of the sizes of a block.
const AXES: [&str; 3] = ["BX", "BY", "BZ"];

/// Opportunities that are listed.
const MOST: usize = 8;

/// What the blocks of a kernel could share. Blocks are those that programmers of such kernels take: 128 threads in a row, 16 x 16, 8 x 8 x 4.
pub fn of_kernel(names: Names<'_>, mapping: &Mapping, gpu: &Gpu) -> Vec<SharingReport> {
    let block: &[u64] = match mapping.lanes.len() {
        1 => &[128],
        2 => &[16, 16],
        _ => &[8, 8, 4],
    };
    let values = &names.facts.values;
    let found = sharing::of_kernel(values, &names.unit.types, mapping, gpu, block);
    let worth = found
        .opportunities
        .iter()
        .filter(|one| one.rank.is_none_or(|saved| saved > 0));
    worth
        .take(MOST)
        .map(|one| report(names, mapping, one, block))
        .collect()
}

fn report(names: Names<'_>, mapping: &Mapping, one: &Opportunity, block: &[u64]) -> SharingReport {
    let values = &names.facts.values;
    let text = |expr: &Expr| mathematics(names, expr);
    let reads = one
        .accesses
        .iter()
        .filter_map(|(number, _)| values.accesses[*number].origin.span());
    let conditions = one.assumed.iter();
    SharingReport {
        object: names.symbol(one.root),
        reads: reads.map(|at| place_of(names.sources, at)).collect(),
        block: block.to_vec(),
        tile: one.tile.extents.iter().map(text).collect(),
        from: one.tile.from_first_thread.iter().map(text).collect(),
        bytes: text(&one.tile.bytes_here()),
        shape: shape(&one.tile, block.len()),
        overlaps: one.overlaps.iter().map(|overlap| text(&overlap.bytes)).collect(),
        uniform: one.uniform,
        uncoalesced: one.uncoalesced,
        requests: one.requests_now.as_ref().ok().map(text),
        requests_once: text(&one.requests_once),
        blocks: one.occupancy.map(|occupancy| occupancy.blocks),
        bank_turns: one.banks.as_ref().map(|banks| banks.turns),
        padding: one
            .banks
            .as_ref()
            .and_then(|banks| banks.padded)
            .map(|(bytes, _)| bytes),
        cache: cached::directive(names, mapping, one).map(|(directive, of)| CacheReport {
            directive,
            place: values.loops[of.0 as usize]
                .keyword
                .map(|at| place_of(names.sources, at)),
        }),
        assumptions: conditions
            .map(|condition| names.condition(condition, &ferry_symbolic::Facts::new()))
            .collect(),
    }
}

/// The last two dimensions of a tile in numbers; a tile of one dimension is one row.
fn shape(tile: &Tile, axes: usize) -> Option<TileShape> {
    let last = tile.extents.len().checked_sub(1)?;
    let in_both = |of: &dyn Fn(usize) -> Option<i64>, one_row: i64| {
        let rows = last.checked_sub(1).map_or(Some(one_row), of);
        Some([rows?, of(last)?])
    };
    let small = |expr: &Expr| i64::try_from(number(expr)?).ok();
    // How much longer the tile is with one thread more along an axis.
    let step = |dimension: usize, axis: usize| {
        let extent = tile.extents.get(dimension)?;
        small(&extent.linear_in(block_size(axis))?.0)
    };
    let steps = (0..axes).map(|axis| in_both(&|dimension| step(dimension, axis), 0));
    Some(TileShape {
        whole: in_both(&|dimension| small(tile.extents_here.get(dimension)?), 1)?,
        first: in_both(
            &|dimension| Some(small(tile.from_first_thread.get(dimension)?)?.min(0).abs()),
            0,
        )?,
        steps: steps.collect::<Option<_>>()?,
    })
}

/// A value in which sizes of blocks may stand.
fn mathematics(names: Names<'_>, expr: &Expr) -> String {
    if number(expr).is_some() {
        return names.mathematics(expr);
    }
    let name = |symbol: Symbol| match axis_of(symbol) {
        Some(axis) => (*AXES.get(axis).unwrap_or(&"B")).to_owned(),
        None => names.symbol(symbol),
    };
    ferry_symbolic::text(expr, &name)
}

/// In one sentence, without a full stop.
pub fn sentence(one: &SharingReport) -> String {
    let block: Vec<String> = one.block.iter().map(u64::to_string).collect();
    let lines: Vec<u32> = one.reads.iter().map(|place| place.line).collect();
    let mut named: Vec<String> = lines.iter().map(u32::to_string).collect();
    named.dedup();
    let place = match named.len() {
        1 => format!("line {}", named[0]),
        _ => format!("lines {}", named.join(", ")),
    };
    let why = match (one.uniform, one.uncoalesced) {
        (true, _) => "all threads read the same",
        (false, true) => "threads of a row read memory that lies apart",
        (false, false) => "neighbours read the same in part",
    };
    let tile = match one.tile.as_slice() {
        [bytes] => format!("{bytes} bytes"),
        rows => rows.join(" x ") + " bytes",
    };
    let mut text = format!(
        "{} ({place}), {why}: {tile} for a block, {} bytes for {} threads",
        one.object,
        one.bytes,
        block.join(" x ")
    );
    if let Some(requests) = &one.requests {
        text += &format!(
            "; its requests: {requests} now, {} to load it once",
            one.requests_once
        );
    }
    match one.blocks {
        Some(0) => text += "; it does not fit into the shared memory of a block",
        Some(blocks) => text += &format!("; a multiprocessor holds {blocks} such blocks"),
        None => {}
    }
    if let (Some(turns @ 2..), Some(bytes)) = (one.bank_turns, one.padding) {
        text += &format!("; its banks take {turns} turns unless each row is {bytes} bytes longer");
    }
    if let Some(CacheReport {
        directive,
        place: Some(place),
    }) = &one.cache
    {
        text += &format!(
            "; OpenACC: {directive} at the top of the body of line {}",
            place.line
        );
    }
    text
}
