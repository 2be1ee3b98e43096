//! Which accesses may use one tile?
//!
//! Juravle §5.2.2: accesses of one pointer whose footprints begin and end near each other (three colours of one pixel, the neighbours of a stencil), or
//! all accesses of one pointer, whatever lies between. As there, an access that is too far from what is gathered so far waits for the next round.
//!
//! What differs: nearness counts in rows and bytes, each for itself, and a group of the second kind whose bounds cannot be compared is still one, with
//! bounds that are the lesser and the greater of both, if that is as large for each block.

use super::footprint::{Footprint, Section, hull, widen};
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
        let mut around: Option<Around> = None;
        for (access, footprint) in left {
            let numbers: Vec<usize> = members.iter().map(|(own, _)| *own).chain([access]).collect();
            let here = facts(&numbers);
            let own = around
                .take()
                .filter(|around| around.count == members.len() && around.facts.is_same(&here))
                .or_else(|| Around::of(kernel, &members, &here));
            let fits = members.is_empty()
                || own
                    .as_ref()
                    .is_some_and(|own| is_near(kernel, &members, own, &footprint, near, &here));
            around = own.map(|own| match fits {
                true => own.with(kernel, &footprint),
                false => own,
            });
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

/// What is around the members of a group, kept while it grows.
struct Around {
    /// How many members they are.
    count: usize,
    /// What holds where they happen.
    facts: Facts,
    sections: Vec<Section>,
}

impl Around {
    /// Around some footprints with the same pitches; `None` without any.
    fn of(kernel: &Kernel<'_>, members: &[(usize, Footprint)], facts: &Facts) -> Option<Around> {
        let own: Vec<Footprint> = members.iter().map(|(_, footprint)| footprint.clone()).collect();
        Some(Around {
            count: own.len(),
            facts: facts.clone(),
            sections: hull(kernel, &own, facts)?,
        })
    }

    /// The same with one more, which has the same pitches.
    fn with(mut self, kernel: &Kernel<'_>, next: &Footprint) -> Around {
        widen(kernel, &mut self.sections, &next.sections, &self.facts);
        self.count += 1;
        self
    }
}

/// True if a footprint begins and ends near what is around the others.
fn is_near(
    kernel: &Kernel<'_>,
    members: &[(usize, Footprint)],
    around: &Around,
    next: &Footprint,
    near: Near,
    facts: &Facts,
) -> bool {
    if members.iter().any(|(_, one)| one.pitches != next.pitches) {
        return false;
    }
    let last = around.sections.len() - 1;
    around
        .sections
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
