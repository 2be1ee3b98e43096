//! What do warps cost that run iterations of two rows?
//!
//! Where the loops that run together are numbered through and the innermost has no multiple of a warp's iterations, some warps end a row and begin the
//! next one. With numbers for all strides and trip counts there are few kinds of such warps: by where in its row the warp begins, and how many of the
//! loops further out begin anew there.

use super::Question;
use super::lanes::LaneAddress;
use super::mapping::trip;
use super::numbers::{gcd, number};
use super::requests::{self, Requests};

impl Question<'_> {
    /// The requests of all kinds of warps, if every stride and trip count is a number and a row is not shorter than a warp.
    pub(super) fn in_rows(&self, address: &LaneAddress<'_>) -> Option<Requests> {
        let loops: Vec<_> = self.mapping.loops(self.values).collect();
        let strides: Vec<i128> = loops
            .iter()
            .map(|of| number(&address.slope(of.counter)?))
            .collect::<Option<_>>()?;
        let trips: Vec<i128> = loops
            .iter()
            .skip(1)
            .map(|of| trip(self.values, of).map(i128::from))
            .collect::<Option<_>>()?;
        let (row, chunk) = (*trips.last()?, i128::from(self.mapping.chunk));
        let reach = i128::from(self.lanes) * chunk;
        if row < reach || address.moves_between_rows() {
            return None;
        }
        let within: Vec<i128> = (0..i128::from(self.lanes))
            .map(|lane| lane * chunk * strides[strides.len() - 1])
            .collect();
        let (size, first) = (self.access.size, self.first(address));
        let mut found = requests::of_offsets(self.gpu, &within, size, first, address.start(None, self.lanes));
        // Warps begin at multiples of what a warp and a row have in common.
        let step = gcd(row, reach);
        let mut begin = (row - reach + step).div_euclid(step) * step;
        while begin < row {
            if begin + reach > row {
                for carried in 1..loops.len() {
                    let offsets = across(&strides, &trips, begin, carried, self.lanes, chunk);
                    let start = address.start_in_column(begin);
                    let next = requests::of_offsets(self.gpu, &offsets, size, start, start);
                    found = found.widened(&next);
                }
            }
            begin += step;
        }
        Some(found)
    }
}

/// Distances from the first thread of a warp that begins in column `begin`, the last of its row, where `carried` of the loops further out go on.
fn across(
    strides: &[i128],
    trips: &[i128],
    begin: i128,
    carried: usize,
    lanes: u32,
    chunk: i128,
) -> Vec<i128> {
    let innermost = strides.len() - 1;
    // From the end of the last row to the start of the next: one step of the loop that goes on, and all the way back in those inside it.
    let next = innermost - carried;
    let back: i128 = (next + 1..innermost)
        .map(|level| strides[level] * (trips[level - 1] - 1))
        .sum();
    let jump = strides[next] - back;
    (0..i128::from(lanes))
        .map(|lane| {
            let column = begin + lane * chunk;
            let row = trips[innermost - 1];
            match column < row {
                true => (column - begin) * strides[innermost],
                false => jump + (column - row - begin) * strides[innermost],
            }
        })
        .collect()
}
