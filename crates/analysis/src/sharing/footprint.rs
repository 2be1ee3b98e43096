//! Which bytes does one thread touch by one access, or by several?
//!
//! A box: in each dimension from one end to the other, as functions of the thread's counters; the counters of the loops that the thread runs by itself
//! are eliminated (Juravle's symbolic range analysis). All ends are half open. Within the box there may be gaps; where the steps of the loops are numbers
//! it is known which (the *grain*), so that accesses that fill each other's gaps, as the three colours of a pixel do, become one box without any.
//!
//! What it cannot do: gaps between rows, or of two steps at once. Conditions inside the kernel are not looked at: the box may be too large for them.

use super::kernel::Kernel;
use super::view;
use crate::access::Access;
use crate::coalescing::LaneAddress;
use crate::symbols::Cause;
use ferry_symbolic::{Expr, Facts, Symbol};

/// From one place to another, half open: rows in outer dimensions, bytes in the last.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// The first.
    pub low: Expr,
    /// Past the last.
    pub high: Expr,
}

impl Section {
    /// How many there are.
    pub fn extent(&self) -> Expr {
        &self.high - &self.low
    }
}

/// Of the bytes of each row, which are touched: `size` bytes at the start, and again after every `step`. The same number if there are no gaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grain {
    /// Bytes without a gap.
    pub size: u64,
    /// Bytes to the next ones.
    pub step: u64,
}

impl Grain {
    /// No gaps.
    pub const DENSE: Grain = Grain { size: 1, step: 1 };

    /// True if there are no gaps.
    pub fn is_dense(self) -> bool {
        self.size >= self.step
    }
}

/// What one thread touches.
#[derive(Clone, PartialEq, Debug)]
pub struct Footprint {
    /// Bytes from one row to the next for all dimensions but the last, the greatest first.
    pub pitches: Vec<Expr>,
    /// Bounds in each dimension, counted from the start of the storage, in terms of the thread's counters.
    pub sections: Vec<Section>,
    /// Which bytes inside the bounds are touched; `None` if that is not known. Where it is known, every thread touches all of them.
    pub grain: Option<Grain>,
}

impl Footprint {
    /// How many bytes lie in it, gaps included.
    pub fn bytes(&self) -> Expr {
        volume(&self.sections)
    }
}

/// The product of all extents.
pub(super) fn volume(sections: &[Section]) -> Expr {
    sections
        .iter()
        .fold(Expr::one(), |all, section| all.times(&section.extent()))
}

/// The offset of an access, with the choices by conditions that its symbols stand for.
pub(super) fn offset(kernel: &Kernel<'_>, access: &Access) -> Result<Expr, Cause> {
    let unknown = |why: &str| Err(Cause::new(why, access.origin));
    if access.summary.is_some() {
        return unknown("it happens in a called function that is known as a whole only");
    }
    let (Some(offset), Some(root)) = (access.offset(), access.root) else {
        return unknown("it is not known what the pointer points to");
    };
    if kernel.varying(access).contains(&root) {
        return unknown("the pointer changes inside the kernel");
    }
    Ok(kernel.values.defined(&offset))
}

/// The bytes that one thread touches by one access, with these pitches if they fit its address; none otherwise.
pub(super) fn of_access(kernel: &Kernel<'_>, access: &Access, pitches: &[Expr]) -> Result<Footprint, Cause> {
    let offset = offset(kernel, access)?;
    let facts = kernel.facts(access);
    let varying = kernel.varying(access);
    let split = view::split(kernel, access, &offset, pitches);
    let (pitches, positions) = match split {
        Some(view) => (view.pitches, view.positions),
        None => (Vec::new(), vec![offset]),
    };
    let last = positions.len() - 1;
    let mut sections = Vec::new();
    for (dimension, position) in positions.iter().enumerate() {
        let size = match dimension == last {
            true => i128::from(access.size),
            false => 1,
        };
        let Some((low, high)) = ends(position, &varying, &facts)
            // What is loaded inside may be bounded by its type or by a condition.
            .or_else(|| ends(position, &varying, &kernel.facts_of_values(access)))
        else {
            return Err(why_unbounded(kernel, access));
        };
        sections.push(Section {
            low,
            high: facts.simplify(&(&high + &Expr::int(size))),
        });
    }
    let grain = match kernel.is_guarded(access) || access.partial {
        true => None,
        false => grain(kernel, access, &positions, &facts),
    };
    Ok(Footprint {
        pitches,
        sections,
        grain,
    })
}

fn ends(position: &Expr, varying: &[Symbol], facts: &Facts) -> Option<(Expr, Expr)> {
    if position.is_plain() && !varying.iter().any(|symbol| position.mentions(*symbol)) {
        return Some((position.clone(), position.clone()));
    }
    let low = facts.minimum(position, varying)?.value;
    let high = facts.maximum(position, varying)?.value;
    Some((low, high))
}

/// Why what a thread touches has no bounds.
fn why_unbounded(kernel: &Kernel<'_>, access: &Access) -> Cause {
    match LaneAddress::of(kernel.values, kernel.types, kernel.mapping, access) {
        Err(cause) => cause,
        Ok(_) => Cause::new(
            "what one thread touches by it has no bounds that are known",
            access.origin,
        ),
    }
}

/// The gaps of a footprint, if every thread touches the same pattern.
fn grain(kernel: &Kernel<'_>, access: &Access, positions: &[Expr], facts: &Facts) -> Option<Grain> {
    let inner = kernel.inner(access);
    let mut steps: Vec<Vec<(i128, Expr)>> = vec![Vec::new(); positions.len()];
    for index in inner {
        let of = kernel.facts_of(index);
        let trip = of.trip.as_ref().ok()?;
        // A loop that is left early, or whose ends differ, does not fill its box.
        if !of.early_exits.is_empty() || kernel.moves(trip, access) {
            return None;
        }
        for (dimension, position) in positions.iter().enumerate() {
            let (step, _) = position.linear_in(of.counter)?;
            if !step.is_zero() {
                let step = kernel.number(&step, facts)?;
                steps[dimension].push((step.abs(), trip.clone()));
            }
        }
    }
    let moving = kernel.moving(access);
    let is_counter = |symbol: &Symbol| {
        let mut loops = access.loops.iter();
        loops.any(|index| kernel.facts_of(*index).counter == *symbol)
    };
    let mut mentioned = positions.iter().flat_map(Expr::symbols);
    if mentioned.any(|symbol| moving.contains(&symbol) && !is_counter(&symbol)) {
        return None;
    }
    let bytes = steps.pop()?;
    // Every row in between.
    for rows in steps {
        if !filled(kernel, rows, 1, facts)?.is_dense() {
            return None;
        }
    }
    filled(kernel, bytes, i128::from(access.size), facts)
}

/// What loops with these steps and numbers of iterations fill, beginning with `size` places.
fn filled(kernel: &Kernel<'_>, mut steps: Vec<(i128, Expr)>, size: i128, facts: &Facts) -> Option<Grain> {
    steps.sort();
    let mut size = size;
    let last = steps.len().saturating_sub(1);
    for (place, (step, trip)) in steps.iter().enumerate() {
        match (*step <= size, place == last) {
            (true, true) => {}
            (true, false) => {
                let trip = kernel.number(trip, facts)?;
                size = size.checked_add(step.checked_mul(trip - 1)?)?;
            }
            // Gaps of one step, the greatest.
            (false, true) => {
                return Some(Grain {
                    size: u64::try_from(size).ok()?,
                    step: u64::try_from(*step).ok()?,
                });
            }
            (false, false) => return None,
        }
    }
    Some(Grain::DENSE)
}

/// Two footprints as one, if together they fill a box: the same rows, and bytes that lie in each other's gaps or next to each other; or the same bytes of
/// rows next to each other.
pub(super) fn joined(
    kernel: &Kernel<'_>,
    one: &Footprint,
    two: &Footprint,
    facts: &Facts,
) -> Option<Footprint> {
    if one.pitches != two.pitches {
        return None;
    }
    let (first, second) = (one.grain?, two.grain?);
    // The one dimension in which they differ, and by how much.
    let mut apart = None;
    for (dimension, (own, other)) in one.sections.iter().zip(&two.sections).enumerate() {
        if own == other {
            continue;
        }
        let low = kernel.difference(&other.low, &own.low, facts)?;
        if low != 0 && apart.is_some() {
            return None;
        }
        let high = kernel.difference(&other.high, &own.high, facts)?;
        match ((low, high), apart) {
            ((0, 0), _) => {}
            (ends, None) => apart = Some((dimension, ends)),
            _ => return None,
        }
    }
    let Some((dimension, (low, high))) = apart else {
        return (first == second).then(|| one.clone());
    };
    if low < 0 || low == 0 && high < 0 {
        return joined(kernel, two, one, facts);
    }
    let last = dimension + 1 == one.sections.len();
    let (own, other) = (&one.sections[dimension], &two.sections[dimension]);
    let ends = |high: &Expr| Section {
        low: own.low.clone(),
        high: high.clone(),
    };
    let with = |section: Section, grain: Grain| {
        let mut found = one.clone();
        found.sections[dimension] = section;
        found.grain = Some(grain);
        Some(found)
    };
    if last && !(first.is_dense() && second.is_dense()) {
        // Into the gaps: the same pattern moved by some bytes.
        let (size, step) = (i128::from(first.size), i128::from(first.step));
        let fits = first.step == second.step && low <= size && high >= 0 && low < step;
        let end = low + i128::from(second.size);
        let same_count = high - low == i128::from(second.size) - size;
        if !fits || !same_count || end < size {
            return None;
        }
        let grain = match end >= step {
            true => Grain::DENSE,
            false => Grain {
                size: u64::try_from(end).ok()?,
                step: first.step,
            },
        };
        return with(ends(&other.high), grain);
    }
    if first != second {
        return None;
    }
    // Side by side, without a gap between them.
    let touches = facts.prove_less_equal(&other.low, &own.high)
        || kernel
            .difference(&own.high, &other.low, facts)
            .is_some_and(|left| left >= 0);
    if !touches {
        return None;
    }
    with(ends(if high >= 0 { &other.high } else { &own.high }), first)
}

/// The bounds around several footprints with the same pitches.
pub(super) fn hull(kernel: &Kernel<'_>, all: &[Footprint], facts: &Facts) -> Option<Vec<Section>> {
    let (first, rest) = all.split_first()?;
    let mut found = first.sections.clone();
    for other in rest {
        if other.pitches != first.pitches {
            return None;
        }
        widen(kernel, &mut found, &other.sections, facts);
    }
    Some(found)
}

/// Bounds around what they bound and other sections.
pub(super) fn widen(kernel: &Kernel<'_>, around: &mut [Section], other: &[Section], facts: &Facts) {
    for (own, other) in around.iter_mut().zip(other) {
        own.low = kernel.lesser(&own.low, &other.low, facts);
        own.high = kernel.greater(&own.high, &other.high, facts);
    }
}
