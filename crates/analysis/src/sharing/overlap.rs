//! Which bytes do neighbouring threads share?
//!
//! What a thread touches is compared with what the next thread along an axis touches (Juravle §5.2, `share_x` and `share_y`): in each dimension the part
//! of both, and no bytes if it is empty in one. The thesis takes boxes for what is touched; here gaps count as far as they are known, and of several
//! accesses that fill no box (a stencil's cross) the union of all pairs is counted, if their places are numbers.
//!
//! What it cannot do: more than a bound (`exact` says which) where conditions or values decide what is touched.

use super::footprint::{Footprint, Grain, Section, volume};
use super::kernel::Kernel;
use ferry_symbolic::{Expr, Facts};
use std::collections::HashMap;

/// What a thread shares with the next one along an axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Overlap {
    /// 0 is x.
    pub axis: usize,
    /// Bounds of what both threads touch, in terms of the first one's counters; none if they are apart.
    pub sections: Option<Vec<Section>>,
    /// How many bytes both touch: none, too, where each lies in the gaps of the other, and threads further apart may share some.
    pub bytes: Expr,
    /// It is this number of bytes for all threads; otherwise it is not more.
    pub exact: bool,
}

impl Overlap {
    fn nothing(axis: usize) -> Overlap {
        Overlap {
            axis,
            sections: None,
            bytes: Expr::zero(),
            exact: true,
        }
    }
}

/// What the threads share of these footprints, which have the same pitches. `hull` lies around all.
pub(super) fn of_footprints(
    kernel: &Kernel<'_>,
    boxes: &[Footprint],
    hull: &[Section],
    axis: usize,
    facts: &Facts,
) -> Overlap {
    let moved: Vec<Section> = hull
        .iter()
        .map(|section| of_neighbour(kernel, section, axis))
        .collect();
    let Some(around) = intersection(kernel, hull, &moved, facts) else {
        return Overlap::nothing(axis);
    };
    let most = volume(&around);
    let found = |bytes: Expr, exact: bool| Overlap {
        axis,
        sections: Some(around.clone()),
        bytes: facts.simplify(&bytes),
        exact,
    };
    let one = match boxes {
        [one] => in_grain(kernel, one, &moved, &around, facts),
        _ => None,
    };
    match one.or_else(|| Some(Expr::int(pairs(kernel, boxes, axis, facts)?))) {
        Some(bytes) => found(bytes, true),
        None => found(most, false),
    }
}

fn of_neighbour(kernel: &Kernel<'_>, section: &Section, axis: usize) -> Section {
    Section {
        low: kernel.of_neighbour(&section.low, axis),
        high: kernel.of_neighbour(&section.high, axis),
    }
}

/// What is in both; `None` if that is nothing for certain.
fn intersection(
    kernel: &Kernel<'_>,
    one: &[Section],
    two: &[Section],
    facts: &Facts,
) -> Option<Vec<Section>> {
    let mut found = Vec::new();
    for (one, two) in one.iter().zip(two) {
        let low = kernel.greater(&one.low, &two.low, facts);
        let high = kernel.lesser(&one.high, &two.high, facts);
        if facts.prove_less_equal(&high, &low) {
            return None;
        }
        // Sizes may be such that nothing is shared: never less than nothing.
        let high = match facts.prove_less_equal(&low, &high) {
            true => high,
            false => Expr::max(&low, &high),
        };
        found.push(Section {
            low: facts.simplify(&low),
            high: facts.simplify(&high),
        });
    }
    Some(found)
}

/// The bytes that one pattern shares with itself, moved; `None` if its gaps are not known.
fn in_grain(
    kernel: &Kernel<'_>,
    own: &Footprint,
    moved: &[Section],
    around: &[Section],
    facts: &Facts,
) -> Option<Expr> {
    let grain = own.grain?;
    if grain.is_dense() {
        return Some(volume(around));
    }
    let (rows, bytes) = (&around[..around.len() - 1], around.last()?);
    let shift = kernel.difference(&moved.last()?.low, &own.sections.last()?.low, facts)?;
    count_in_grain(grain, shift, &bytes.extent()).map(|bytes| facts.simplify(&volume(rows).times(&bytes)))
}

/// Bytes of a pattern that meet the same pattern `shift` bytes further on, in a row of what both reach.
fn count_in_grain(grain: Grain, shift: i128, extent: &Expr) -> Option<Expr> {
    let (size, step) = (i128::from(grain.size), i128::from(grain.step));
    let within = shift.rem_euclid(step);
    if within >= size && within + size <= step {
        return Some(Expr::zero());
    }
    if within != 0 {
        return None;
    }
    let all = extent - &Expr::int(size);
    let times = all.divide_exactly(&step.into())?;
    Some((&times + &Expr::one()).times(&Expr::int(size)))
}

/// Most boxes whose pairs are counted.
const BOXES: usize = 64;

/// A box of numbers: rows, and last bytes.
type Numbers = Vec<(i128, i128)>;

/// The bytes that are in one of the boxes of a thread and in one of its neighbour's, if all are numbers, seen from the first box.
fn pairs(kernel: &Kernel<'_>, boxes: &[Footprint], axis: usize, facts: &Facts) -> Option<i128> {
    let origin: Vec<&Expr> = boxes
        .first()?
        .sections
        .iter()
        .map(|section| &section.low)
        .collect();
    // Boxes of a stencil have most ends in common.
    let mut known: HashMap<(usize, Expr), Option<i128>> = HashMap::new();
    let mut from_origin = |dimension: usize, end: &Expr| {
        let found = known.entry((dimension, end.clone()));
        *found.or_insert_with(|| kernel.difference(end, origin.get(dimension)?, facts))
    };
    let mut pieces = |sections: &[Section], grain: Grain| -> Option<Vec<Numbers>> {
        let ends = sections.iter().take(origin.len()).enumerate();
        let ends = ends.map(|(dimension, section)| {
            let low = from_origin(dimension, &section.low)?;
            Some((low, from_origin(dimension, &section.high)?))
        });
        without_gaps(&ends.collect::<Option<Numbers>>()?, grain)
    };
    let (mut own, mut next) = (Vec::new(), Vec::new());
    for one in boxes {
        let grain = one.grain?;
        let moved: Vec<Section> = one
            .sections
            .iter()
            .map(|section| of_neighbour(kernel, section, axis))
            .collect();
        own.extend(pieces(&one.sections, grain)?);
        next.extend(pieces(&moved, grain)?);
        if own.len() > BOXES {
            return None;
        }
    }
    let mut met: Vec<Numbers> = Vec::new();
    for one in &own {
        for two in &next {
            let both: Numbers = one
                .iter()
                .zip(two)
                .map(|(one, two)| (one.0.max(two.0), one.1.min(two.1)))
                .collect();
            if both.iter().all(|(low, high)| low < high) && !met.contains(&both) {
                met.push(both);
            }
        }
    }
    union(&met)
}

/// The pieces of a box between its gaps, if there are few.
fn without_gaps(whole: &Numbers, grain: Grain) -> Option<Vec<Numbers>> {
    if grain.is_dense() {
        return Some(vec![whole.clone()]);
    }
    let (size, step) = (i128::from(grain.size), i128::from(grain.step));
    let ((low, high), rows) = whole.split_last()?;
    let count = (high - low - size).checked_div(step)? + 1;
    if !(0..=BOXES as i128).contains(&count) {
        return None;
    }
    let piece = |number: i128| {
        let start = low + number * step;
        [rows, &[(start, start + size)]].concat()
    };
    Some((0..count).map(piece).collect())
}

/// The number of points in one of these boxes at least: dimension by dimension, between all ends.
fn union(boxes: &[Numbers]) -> Option<i128> {
    let Some(first) = boxes.first() else {
        return Some(0);
    };
    if first.is_empty() {
        return Some(1);
    }
    let mut ends: Vec<i128> = boxes.iter().flat_map(|one| [one[0].0, one[0].1]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut count = 0i128;
    for slab in ends.windows(2) {
        let inside = boxes
            .iter()
            .filter(|one| one[0].0 <= slab[0] && slab[1] <= one[0].1);
        let rest: Vec<Numbers> = inside.map(|one| one[1..].to_vec()).collect();
        if rest.is_empty() {
            continue;
        }
        count = count.checked_add((slab[1] - slab[0]).checked_mul(union(&rest)?)?)?;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_several_boxes_count_once() {
        assert_eq!(union(&[]), Some(0));
        let cross = [vec![(1, 2), (0, 3)], vec![(0, 3), (1, 2)]];
        assert_eq!(union(&cross), Some(5));
        assert_eq!(union(&[vec![(0, 10)], vec![(5, 15)], vec![(20, 21)]]), Some(16));
    }

    #[test]
    fn gaps_do_not_meet() {
        let colour = Grain { size: 1, step: 3 };
        let extent = Expr::int(4);
        assert_eq!(count_in_grain(colour, 3, &extent), Some(Expr::int(2)));
        assert_eq!(count_in_grain(colour, 1, &extent), Some(Expr::zero()));
        assert_eq!(count_in_grain(Grain { size: 2, step: 3 }, 1, &extent), None);
    }
}
