//! Which memory should the threads of a block copy to their shared memory, and what would that save?
//!
//! Juravle §5.2. There are two cases: threads of a block touch the same bytes, or they touch bytes in an order that memory gives out badly. For every read
//! of a kernel it is found what one thread touches (`footprint`, in several dimensions where the address has them: `view`), what neighbours share
//! (`overlap`), and what a whole block touches (`tile`); reads of one pointer are put together (`group`), and each group is weighed (`cost`). All of it is
//! said in the sizes of the program and of the block ([`block_size`]).
//!
//! What differs from the thesis: all intervals are half-open bytes; a tile has the rows and bytes that are touched, no more (its table 9.1 has two rows and
//! three bytes too many); gaps in what is touched are known, so that what is shared is exact where `exact` says so; any number of dimensions.
//!
//! What it cannot do: several iterations of the parallel loop in one thread (`chunk`), strips of inner loops (a matrix product's tile is a whole panel),
//! results that are gathered in shared memory, objects that the kernel writes. That different pointers do not lead to the same object is for the
//! verdict on the loops to say.

mod cost;
mod footprint;
mod group;
mod kernel;
mod overlap;
mod tile;
mod view;

use crate::access::Access;
use crate::coalescing::{Mapping, Prepared, number};
use crate::symbols::Cause;
use crate::value::Values;
pub use cost::Banks;
use ferry_gpu::Gpu;
use ferry_gpu::occupancy::{Occupancy, occupancy};
use ferry_ir::Types;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
pub use footprint::{Footprint, Grain, Section};
use group::Group;
pub use group::{Near, Scheme};
use kernel::Kernel;
pub use kernel::{axis_of, block_size};
pub use overlap::Overlap;
use std::collections::{BTreeMap, HashSet};
pub use tile::Tile;

/// What may be gained by shared memory in one kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sharing {
    /// Where there is something to gain, the most first.
    pub opportunities: Vec<Opportunity>,
    /// Reads of which it is not known, by number in the list of accesses.
    pub unknown: Vec<(usize, Cause)>,
}

/// Reads that may use one tile.
#[derive(Clone, PartialEq, Debug)]
pub struct Opportunity {
    /// The storage.
    pub root: Symbol,
    /// The reads, by number in the list of accesses, and what one thread touches by each.
    pub accesses: Vec<(usize, Footprint)>,
    /// How they were put together.
    pub scheme: Scheme,
    /// Bounds of what one thread touches by all of them.
    pub sections: Vec<Section>,
    /// What neighbours share, x first.
    pub overlaps: Vec<Overlap>,
    /// What a block must copy.
    pub tile: Tile,
    /// All threads touch the same memory.
    pub uniform: bool,
    /// Threads of a row do not touch memory one next to the other.
    pub uncoalesced: bool,
    /// What is taken to hold: that rows do not overlap, where their length is no number.
    pub assumed: Vec<Condition>,
    /// Requests of lines that a block makes now, in the sizes of the program.
    pub requests_now: Result<Expr, Cause>,
    /// The same to load the tile once.
    pub requests_once: Expr,
    /// The blocks that a multiprocessor holds with this tile in each, if its size is a number.
    pub occupancy: Option<Occupancy>,
    /// How the tile lies in the banks, if its rows are numbers.
    pub banks: Option<Banks>,
    /// Requests that are saved, with a size of 1024 for each that is not known: only for the order.
    pub rank: Option<i128>,
}

impl Opportunity {
    /// How many requests of lines a block saves, in the sizes of the program.
    pub fn saved(&self) -> Result<Expr, Cause> {
        Ok(self.requests_now.as_ref().map_err(Clone::clone)? - &self.requests_once)
    }

    /// True if threads of a block touch the same bytes.
    pub fn is_shared(&self) -> bool {
        self.overlaps.iter().any(|overlap| overlap.sections.is_some())
    }
}

/// What shared memory may gain in a kernel whose parallel loops are those of the mapping, in blocks with so many threads along each axis, x first.
///
/// Opportunities are in the order of the requests that they save; sizes of the program that are not known count as 1024 there.
pub fn of_kernel(values: &Values, types: &Types, mapping: &Mapping, gpu: &Gpu, block: &[u64]) -> Sharing {
    let near = Near {
        bytes: gpu.line,
        rows: 8,
    };
    of_kernel_near(values, types, mapping, gpu, block, near)
}

/// The same, with another measure of what is near enough to go into one tile.
pub fn of_kernel_near(
    values: &Values,
    types: &Types,
    mapping: &Mapping,
    gpu: &Gpu,
    block: &[u64],
    near: Near,
) -> Sharing {
    let kernel = Kernel::new(values, types, mapping, gpu, block);
    let mut found = Sharing::default();
    let Some(rows) = cost::Rows::of(&kernel) else {
        return found;
    };
    let rows = rows.answers(&kernel);
    let mut by_root: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
    for (number, access) in values.accesses.iter().enumerate() {
        if access.is_write() || !kernel.has(access) {
            continue;
        }
        match (why_not(&kernel, access), access.root) {
            (Some(Candidate::No), _) => {}
            (Some(Candidate::Unknown(cause)), _) => found.unknown.push((number, cause)),
            (None, Some(root)) => by_root.entry(root).or_default().push(number),
            (None, None) => {}
        }
    }
    for (root, numbers) in by_root {
        let (footprints, assumed) = of_root(&kernel, &numbers, &mut found.unknown);
        for (group, scheme) in groups(&kernel, &footprints, near) {
            match weigh(&kernel, &rows, root, &group, scheme, &assumed) {
                Ok(Some(opportunity)) => found.opportunities.push(opportunity),
                Ok(None) => {}
                // What cannot be one tile for the whole pointer may still be several.
                Err(_) if scheme == Scheme::Pointer => {}
                Err(cause) => {
                    let causes = group.members.iter().map(|(number, _)| (*number, cause.clone()));
                    found.unknown.extend(causes);
                }
            }
        }
    }
    found.unknown.sort_by_key(|(number, _)| *number);
    found.opportunities.sort_by_key(|one| {
        (
            std::cmp::Reverse(one.rank),
            one.accesses.first().map(|(number, _)| *number),
        )
    });
    found
}

enum Candidate {
    /// For certain not.
    No,
    Unknown(Cause),
}

/// Why an access is none that may read a copy.
fn why_not(kernel: &Kernel<'_>, access: &Access) -> Option<Candidate> {
    let unknown = |why: &str| Some(Candidate::Unknown(Cause::new(why, access.origin)));
    if kernel.mapping.chunk != 1 {
        return unknown("each thread runs several iterations in a row");
    }
    if access.volatile {
        return Some(Candidate::No);
    }
    let Some(root) = access.root else {
        return unknown("it is not known what the pointer points to");
    };
    let outermost = *kernel.mapping.lanes.first()?;
    let inside = |other: &&Access| other.is_write() && other.loops.contains(&outermost);
    for write in kernel.values.accesses.iter().filter(inside) {
        match write.root {
            Some(other) if other == root => return Some(Candidate::No),
            Some(_) => {}
            None => return unknown("the kernel writes to a place that is not known"),
        }
    }
    let effects = kernel
        .values
        .effects
        .iter()
        .filter(|effect| effect.loops.contains(&outermost));
    for effect in effects {
        if effect.writes.as_ref().is_none_or(|roots| roots.contains(&root)) {
            return Some(Candidate::Unknown(effect.cause.clone()));
        }
    }
    None
}

/// What holds wherever all of these accesses happen.
fn facts_of(kernel: &Kernel<'_>, numbers: &[usize]) -> Facts {
    let accesses: Vec<&Access> = numbers
        .iter()
        .filter_map(|number| kernel.values.accesses.get(*number))
        .collect();
    let Some(first) = accesses.first() else {
        return Facts::new();
    };
    // The loops around all of them.
    let common = first.loops.iter().enumerate().take_while(|(depth, index)| {
        accesses
            .iter()
            .all(|access| access.loops.get(*depth) == Some(*index))
    });
    match common.last() {
        Some((_, innermost)) => kernel.facts_inside(*innermost),
        None => kernel.with_block(&first.facts),
    }
}

/// The footprints of all reads of one pointer, seen with the same pitches as far as possible, and what is assumed of these.
fn of_root(
    kernel: &Kernel<'_>,
    numbers: &[usize],
    unknown: &mut Vec<(usize, Cause)>,
) -> (Vec<(usize, Footprint)>, Vec<Condition>) {
    let accesses = || {
        numbers
            .iter()
            .map(|number| (*number, &kernel.values.accesses[*number]))
    };
    let mut pitches: Vec<Expr> = Vec::new();
    for (_, access) in accesses() {
        if let Ok(offset) = footprint::offset(kernel, access) {
            pitches.extend(view::candidates(kernel, access, &offset));
        }
    }
    view::sort(&mut pitches);
    pitches.dedup();
    view::keep_nested(&mut pitches);
    loop {
        let mut found = Vec::new();
        let mut causes = Vec::new();
        let mut assumed: Vec<Condition> = Vec::new();
        let mut wrong = None;
        let mut fits = Vec::new();
        for (number, access) in accesses() {
            match footprint::of_access(kernel, access, &pitches) {
                Ok(footprint) => {
                    match fit(kernel, access, &footprint, &mut fits) {
                        Ok(conditions) => assumed.extend(conditions),
                        Err(dimension) => wrong = wrong.or(Some(dimension)),
                    }
                    found.push((number, footprint));
                }
                Err(cause) => causes.push((number, cause)),
            }
        }
        match wrong {
            Some(dimension) => {
                pitches.remove(dimension);
            }
            None => {
                unknown.extend(causes);
                assumed.sort();
                assumed.dedup();
                return (found, assumed);
            }
        }
    }
}

/// Of tiles with these pitches and extents, where these facts hold: what must hold so that rows do not overlap.
type Fits = Vec<(Vec<Expr>, Vec<Expr>, Facts, Result<Vec<Condition>, usize>)>;

/// What must hold so that rows do not overlap; the dimension of a pitch that is none, if there is one. Footprints of the same form are asked about once.
fn fit(
    kernel: &Kernel<'_>,
    access: &Access,
    footprint: &Footprint,
    known: &mut Fits,
) -> Result<Vec<Condition>, usize> {
    let facts = kernel.facts(access);
    let tile = tile::of_sections(kernel, &footprint.pitches, &footprint.sections, access, &facts);
    let Ok(tile) = tile else {
        return Ok(Vec::new());
    };
    let alike = known.iter().find(|(pitches, extents, here, _)| {
        *pitches == tile.pitches && *extents == tile.extents_here && here.is_same(&facts)
    });
    if let Some((.., found)) = alike {
        return found.clone();
    }
    let mut assumed = Vec::new();
    let mut found = Ok(());
    for dimension in (0..footprint.pitches.len()).rev() {
        match tile::rows_fit(kernel, &tile, dimension, &facts) {
            tile::Fit::Certain => {}
            tile::Fit::Assumed(condition) => assumed.push(condition),
            tile::Fit::No => {
                found = Err(dimension);
                break;
            }
        }
    }
    let found = found.map(|()| assumed);
    known.push((tile.pitches, tile.extents_here, facts, found.clone()));
    found
}

/// The groups of both schemes, those of the second only if they are others.
fn groups(kernel: &Kernel<'_>, footprints: &[(usize, Footprint)], near: Near) -> Vec<(Group, Scheme)> {
    let facts = |numbers: &[usize]| facts_of(kernel, numbers);
    let mut found: Vec<(Group, Scheme)> = group::near(kernel, footprints, near, &facts)
        .into_iter()
        .map(|group| (group, Scheme::Near))
        .collect();
    match &mut found[..] {
        [] => {}
        [(_, scheme)] => *scheme = Scheme::Both,
        _ => {
            let members = footprints.to_vec();
            found.push((Group { members }, Scheme::Pointer));
        }
    }
    found
}

/// What a group gains; nothing if its threads neither share bytes nor touch them in a bad order, or no request is saved.
fn weigh(
    kernel: &Kernel<'_>,
    rows: &cost::OfRows<'_>,
    root: Symbol,
    group: &Group,
    scheme: Scheme,
    assumed: &[Condition],
) -> Result<Option<Opportunity>, Cause> {
    let numbers: Vec<usize> = group.members.iter().map(|(number, _)| *number).collect();
    let facts = facts_of(kernel, &numbers);
    let members: Vec<(&Access, &Footprint)> = group
        .members
        .iter()
        .map(|(number, footprint)| (&kernel.values.accesses[*number], footprint))
        .collect();
    let Some((first, shape)) = members.first().copied() else {
        return Ok(None);
    };
    let all: Vec<Footprint> = group
        .members
        .iter()
        .map(|(_, footprint)| footprint.clone())
        .collect();
    let Some(sections) = footprint::hull(kernel, &all, &facts) else {
        return Err(Cause::new(
            "reads of the same pointer have rows of different lengths",
            first.origin,
        ));
    };
    let tile = tile::of_sections(kernel, &shape.pitches, &sections, first, &facts)?;
    let boxes = joined(kernel, all, &facts);
    let overlaps: Vec<Overlap> = (0..kernel.block.len())
        .map(|axis| overlap::of_footprints(kernel, &boxes, &sections, axis, &facts))
        .collect();
    let shared = overlaps
        .iter()
        .any(|overlap| overlap.sections.is_some() && kernel.block[overlap.axis] > 1);
    let prepared = members.iter().map(|(access, _)| rows.prepared(kernel, access));
    let prepared: Vec<Prepared<'_>> = prepared.collect();
    let uncoalesced = prepared
        .iter()
        .any(|access| cost::is_uncoalesced(kernel, rows, access, &facts));
    let mut requests_now = Ok(Expr::zero());
    for access in &prepared {
        let own = cost::requests_now(kernel, rows, access, &kernel.facts(access.access()));
        requests_now = requests_now.and_then(|all: Expr| Ok(&all + &own?));
    }
    let requests_once = cost::requests_once(kernel, &tile, &facts);
    let saved = requests_now.as_ref().ok().map(|now| now - &requests_once);
    let rank = saved.as_ref().and_then(|saved| kernel.assumed(saved, &facts));
    let certainly = saved.as_ref().and_then(number);
    let gains = match shared {
        true => certainly.is_none_or(|saved| saved > 0),
        false => uncoalesced && rank.is_some_and(|saved| saved > 0),
    };
    if !gains {
        return Ok(None);
    }
    let bytes = number(&tile.bytes_here()).and_then(|bytes| u64::try_from(bytes).ok());
    let mut assumed = assumed.to_vec();
    assumed.retain(|_| !shape.pitches.is_empty());
    Ok(Some(Opportunity {
        root,
        scheme,
        uniform: !sections
            .iter()
            .any(|section| kernel.differs(&section.low) || kernel.differs(&section.high)),
        banks: cost::banks(kernel, &tile, &sections, &members, &facts),
        occupancy: bytes.map(|bytes| occupancy(kernel.gpu, kernel.threads(), bytes)),
        accesses: group.members.clone(),
        sections,
        overlaps,
        tile,
        uncoalesced,
        assumed,
        requests_now,
        requests_once,
        rank,
    }))
}

/// The footprints, those that fill a box together as one. Two that do not are asked about once, however many others are put together meanwhile.
fn joined(kernel: &Kernel<'_>, all: Vec<Footprint>, facts: &Facts) -> Vec<Footprint> {
    // Each with a number of its own: what two make up is a new one.
    let mut next = all.len();
    let mut all: Vec<(usize, Footprint)> = all.into_iter().enumerate().collect();
    let mut apart: HashSet<(usize, usize)> = HashSet::new();
    loop {
        let pair = (0..all.len()).find_map(|one| {
            let mut rest = one + 1..all.len();
            rest.find_map(|two| {
                let numbers = (all[one].0, all[two].0);
                if apart.contains(&numbers) {
                    return None;
                }
                let both = footprint::joined(kernel, &all[one].1, &all[two].1, facts);
                if both.is_none() {
                    apart.insert(numbers);
                }
                Some((one, two, both?))
            })
        });
        let Some((one, two, both)) = pair else {
            return all.into_iter().map(|(_, footprint)| footprint).collect();
        };
        all.remove(two);
        all[one] = (next, both);
        next += 1;
    }
}
