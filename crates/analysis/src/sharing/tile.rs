//! Which memory does a whole block of threads touch?
//!
//! The box around the footprints of all its threads: the least of the low ends and the greatest of the high ends (Juravle's `block_mem`; for ends that are
//! no straight line in a thread's place, what can be proved for all places). It must be as large for one block as for any other, since shared memory
//! is given out that way.
//!
//! What it cannot do: leave out rows or bytes inside of the box that no thread touches. Blocks at the end of the data are taken to be full.

use super::footprint::Section;
use super::kernel::Kernel;
use crate::access::Access;
use crate::symbols::Cause;
use ferry_symbolic::{Condition, Expr, Facts};

/// A box of memory that a block of threads copies.
#[derive(Clone, PartialEq, Debug)]
pub struct Tile {
    /// Bytes from one row to the next in the program's memory, for all dimensions but the last.
    pub pitches: Vec<Expr>,
    /// Where it begins in each dimension, rows and then bytes, counted from the start of the storage, in terms of the counters of the block's first thread.
    pub start: Vec<Expr>,
    /// The same, counted from where the block's first thread is.
    pub from_first_thread: Vec<Expr>,
    /// How many rows, and last how many bytes of each, in terms of the sizes of the block ([`super::block_size`]).
    pub extents: Vec<Expr>,
    /// The same for the block that was asked about.
    pub extents_here: Vec<Expr>,
}

impl Tile {
    /// How many bytes it has, in terms of the sizes of the block.
    pub fn bytes(&self) -> Expr {
        product(&self.extents)
    }

    /// How many bytes it has for the block that was asked about.
    pub fn bytes_here(&self) -> Expr {
        product(&self.extents_here)
    }
}

fn product(extents: &[Expr]) -> Expr {
    extents.iter().fold(Expr::one(), |all, extent| all.times(extent))
}

/// The tile of a block whose threads touch these sections each; with an access for the reason if there is none.
pub(super) fn of_sections(
    kernel: &Kernel<'_>,
    pitches: &[Expr],
    sections: &[Section],
    access: &Access,
    facts: &Facts,
) -> Result<Tile, Cause> {
    let unknown = || {
        Cause::new(
            "what a block of threads touches by it is not known: it goes neither up nor down from thread to thread",
            access.origin,
        )
    };
    let mut tile = Tile {
        pitches: pitches.to_vec(),
        start: Vec::new(),
        from_first_thread: Vec::new(),
        extents: Vec::new(),
        extents_here: Vec::new(),
    };
    for section in sections {
        let low = kernel.least_of_block(&section.low, facts).ok_or_else(unknown)?;
        let high = kernel
            .greatest_of_block(&section.high, facts)
            .ok_or_else(unknown)?;
        let extent = kernel.for_all(&facts.simplify(&(&high - &low)), access, facts)?;
        tile.from_first_thread
            .push(facts.simplify(&kernel.of_first_thread(&low)));
        tile.start.push(low);
        tile.extents_here.push(kernel.numbered(&extent, facts));
        tile.extents.push(extent);
    }
    Ok(tile)
}

/// True if the columns of a tile do not reach into the next row; with what must hold for that where it is not known. Of pitches that are numbers
/// that must be proved: else they may be no rows at all, but steps of a window that moves.
pub(super) fn rows_fit(kernel: &Kernel<'_>, tile: &Tile, dimension: usize, facts: &Facts) -> Fit {
    let pitch = &tile.pitches[dimension];
    let mut reach = Expr::zero();
    for (inner, extent) in tile.extents_here.iter().enumerate().skip(dimension + 1) {
        reach = match tile.pitches.get(inner) {
            Some(pitch) => &reach + &(extent - &Expr::one()).times(pitch),
            None => &reach + extent,
        };
    }
    let fits = Condition::less_equal(&kernel.numbered(&reach, facts), pitch);
    if kernel.proves(&fits, facts) {
        return Fit::Certain;
    }
    match kernel.refutes(&fits, facts) || pitch.as_constant().is_some() {
        true => Fit::No,
        false => Fit::Assumed(fits),
    }
}

/// Whether columns stay within their rows.
pub(super) enum Fit {
    Certain,
    Assumed(Condition),
    No,
}
