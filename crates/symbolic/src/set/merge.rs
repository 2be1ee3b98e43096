//! Which pieces are one together, by their form? Two that differ only in between which constants one sum lies, where the two intervals meet.
//!
//! The union of sets that differ in one interval is the set with the union of the intervals, if that is an interval again: `x < m` and `m <= x`, or `x = 3` and `x = 4`. It is the
//! commonest case of coalescing (Verdoolaege, "Integer set coalescing", IMPACT 2015); isl knows the others.

use super::Set;
use super::piece::{Column, Piece, Sum};
use crate::integer::Integer;
use std::collections::BTreeMap;

type Terms = Vec<(Column, Integer)>;

/// The least and the greatest value of a sum; `None` where there is none.
#[derive(Clone, PartialEq, Eq)]
struct Interval {
    low: Option<Integer>,
    high: Option<Integer>,
}

/// The constraints of a piece by the terms of their sum, the first coefficient of which is positive.
type Intervals = BTreeMap<Terms, Interval>;

impl Set {
    /// The same points, with pieces put together as far as their form shows how.
    pub(super) fn merged(self) -> Set {
        if self.pieces.len() < 2 {
            return self;
        }
        let dimensions = self.dimensions;
        let mut all: Vec<(Piece, Option<Intervals>)> = self
            .pieces
            .into_iter()
            .map(|piece| {
                let own = intervals(&piece);
                (piece, own)
            })
            .collect();
        let mut changed = false;
        let mut at = 0;
        while at < all.len() {
            let found = (0..all.len()).filter(|other| *other != at).find_map(|other| {
                let both = together(&all[at], &all[other])?;
                Some((other, both))
            });
            let Some((other, both)) = found else {
                at += 1;
                continue;
            };
            changed = true;
            let (first, last) = (at.min(other), at.max(other));
            all.remove(last);
            match both.canonical() {
                Some(both) => {
                    let own = intervals(&both);
                    all[first] = (both, own);
                }
                None => {
                    all.remove(first);
                }
            }
            at = 0;
        }
        let pieces = all.into_iter().map(|(piece, _)| piece);
        if changed {
            Set::of(dimensions, pieces)
        } else {
            Set {
                dimensions,
                pieces: pieces.collect(),
            }
        }
    }
}

fn intervals(piece: &Piece) -> Option<Intervals> {
    let mut found = Intervals::new();
    let mut narrow = |sum: &Sum, equality: bool| -> Option<()> {
        let negative = sum.terms().first()?.1.is_negative();
        let sum = if negative { sum.negated() } else { sum.clone() };
        let interval = found.entry(sum.terms().to_vec()).or_insert(Interval {
            low: None,
            high: None,
        });
        // T + c = 0, T + c >= 0, or -T + c >= 0 (of which `sum` is T - c).
        let value = -sum.constant_term();
        if equality || !negative {
            let low = interval.low.take();
            interval.low = Some(low.map_or(value.clone(), |low| low.max(value.clone())));
        }
        if equality || negative {
            let high = interval.high.take();
            interval.high = Some(high.map_or(value.clone(), |high| high.min(value)));
        }
        Some(())
    };
    for sum in &piece.equalities {
        narrow(sum, true)?;
    }
    for sum in &piece.inequalities {
        narrow(sum, false)?;
    }
    Some(found)
}

/// The union, if it is one piece.
fn together(one: &(Piece, Option<Intervals>), other: &(Piece, Option<Intervals>)) -> Option<Piece> {
    if one.0.floors != other.0.floors {
        return None;
    }
    let (a, b) = (one.1.as_ref()?, other.1.as_ref()?);
    if a.len().abs_diff(b.len()) > 1 {
        return None;
    }
    let mut different: Option<(&Terms, Interval)> = None;
    let everything = Interval {
        low: None,
        high: None,
    };
    for terms in a.keys().chain(b.keys().filter(|terms| !a.contains_key(*terms))) {
        let (x, y) = (
            a.get(terms).unwrap_or(&everything),
            b.get(terms).unwrap_or(&everything),
        );
        if x == y {
            continue;
        }
        if different.is_some() {
            return None;
        }
        different = Some((terms, touching(x, y)?));
    }
    let (terms, interval) = different?;
    let mut both = one.0.clone();
    let is_other = |sum: &Sum| sum.terms() != terms.as_slice() && sum.negated().terms() != terms.as_slice();
    both.equalities.retain(is_other);
    both.inequalities.retain(is_other);
    let sum = terms.iter().fold(Sum::default(), |all, (column, coefficient)| {
        all.add_scaled(&Sum::column(column.clone()), coefficient)
    });
    if let Some(low) = &interval.low {
        both.inequalities.push(sum.add_constant(&-low));
    }
    if let Some(high) = &interval.high {
        both.inequalities.push(sum.negated().add_constant(high));
    }
    Some(both)
}

/// The union of two intervals without a gap between them.
fn touching(x: &Interval, y: &Interval) -> Option<Interval> {
    let reaches = |high: &Option<Integer>, low: &Option<Integer>| match (high, low) {
        (Some(high), Some(low)) => *low <= high + &Integer::ONE,
        _ => true,
    };
    if !reaches(&x.high, &y.low) || !reaches(&y.high, &x.low) {
        return None;
    }
    let outer = |a: &Option<Integer>, b: &Option<Integer>, pick: fn(Integer, Integer) -> Integer| {
        Some(pick(a.clone()?, b.clone()?))
    };
    Some(Interval {
        low: outer(&x.low, &y.low, Integer::min),
        high: outer(&x.high, &y.high, Integer::max),
    })
}
