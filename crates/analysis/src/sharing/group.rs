//! Which accesses may use one tile?
//!
//! Juravle §5.2.2: accesses of one pointer whose footprints begin and end near each other (three colours of one pixel, the neighbours of a stencil), or
//! all accesses of one pointer, whatever lies between. As there, an access that is too far from what is gathered so far waits for the next round.
//!
//! What differs: nearness counts in rows and bytes, each for itself, and a group of the second kind whose bounds cannot be compared is still one, with
//! bounds that are the lesser and the greater of both, if that is as large for each block.

use super::footprint::{Footprint, hull};
use super::kernel::Kernel;
use ferry_symbolic::Facts;

/// How accesses were put together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scheme {
    /// Those that begin and end near each other.
    Near,
    /// All of one pointer.
    Pointer,
    /// Both ways give the same.
    Both,
}

/// What is near: less than this far apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near {
    /// In a row.
    pub bytes: u64,
    /// In each other dimension.
    pub rows: u64,
}

/// A group's accesses, by number, and their footprints.
#[derive(Clone)]
pub(super) struct Group {
    pub members: Vec<(usize, Footprint)>,
}

/// Groups of footprints that are near each other, in the order of their first accesses.
pub(super) fn near(
    kernel: &Kernel<'_>,
    all: &[(usize, Footprint)],
    near: Near,
    facts: &dyn Fn(&[usize]) -> Facts,
) -> Vec<Group> {
    let mut left: Vec<(usize, Footprint)> = all.to_vec();
    let mut found = Vec::new();
    while !left.is_empty() {
        let mut members: Vec<(usize, Footprint)> = Vec::new();
        let mut waiting = Vec::new();
        for (access, footprint) in left {
            let numbers: Vec<usize> = members.iter().map(|(own, _)| *own).chain([access]).collect();
            let fits = members.is_empty() || is_near(kernel, &members, &footprint, near, &facts(&numbers));
            match fits {
                true => members.push((access, footprint)),
                false => waiting.push((access, footprint)),
            }
        }
        found.push(Group { members });
        left = waiting;
    }
    found
}

/// True if a footprint begins and ends near what is around the others.
fn is_near(
    kernel: &Kernel<'_>,
    members: &[(usize, Footprint)],
    next: &Footprint,
    near: Near,
    facts: &Facts,
) -> bool {
    let own: Vec<Footprint> = members.iter().map(|(_, footprint)| footprint.clone()).collect();
    if own.iter().any(|one| one.pitches != next.pitches) {
        return false;
    }
    let Some(around) = hull(kernel, &own, facts) else {
        return false;
    };
    let last = around.len() - 1;
    around
        .iter()
        .zip(&next.sections)
        .enumerate()
        .all(|(dimension, (own, next))| {
            let limit = if dimension == last { near.bytes } else { near.rows };
            let within = |one, two| {
                let difference = kernel.difference(one, two, facts);
                difference.is_some_and(|difference| difference.unsigned_abs() < u128::from(limit))
            };
            within(&own.low, &next.low) && within(&own.high, &next.high)
        })
}
