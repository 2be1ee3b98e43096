//! Which pieces are one together, by their form? Two that differ only in between which constants one sum lies, where the two intervals meet.
//!
//! The union of sets that differ in one interval is the set with the union of the intervals, if that is an interval again: `x < m` and `m <= x`, or `x = 3` and `x = 4`. It is the
//! commonest case of coalescing (Verdoolaege, "Integer set coalescing", IMPACT 2015); isl knows the others.

use super::Set;
use super::piece::{Column, Piece, Sum};
use crate::integer::Integer;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

type Terms = Vec<(Column, Integer)>;

/// The least and the greatest value of a sum; `None` where there is none.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Interval {
    low: Option<Integer>,
    high: Option<Integer>,
}

/// The constraints of a piece by the terms of their sum, the first coefficient of which is positive.
type Intervals = BTreeMap<Terms, Interval>;

/// From so many pieces on they are looked up by numbers: of fewer, comparing all is quicker.
const MANY: usize = 16;

/// A piece with its intervals.
struct Shaped {
    piece: Piece,
    intervals: Option<Intervals>,
}

impl Shaped {
    fn new(piece: Piece) -> Shaped {
        let intervals = intervals(&piece);
        Shaped { piece, intervals }
    }

    /// Two that differ in one interval only, or of which one has an interval more, share one of these: the sum of the numbers of the floors and of all intervals, and
    /// the same without each of these. Equal numbers of different pieces cost time, no more.
    fn numbers(&self) -> Vec<u64> {
        let number = |of: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            of(&mut hasher);
            hasher.finish()
        };
        let own = self.intervals.iter().flatten();
        let own: Vec<u64> = own.map(|one| number(&|hasher| one.hash(hasher))).collect();
        let floors = number(&|hasher| self.piece.floors.hash(hasher));
        let all = own.iter().fold(floors, |all, one| all.wrapping_add(*one));
        let without_one = own.iter().map(|one| all.wrapping_sub(*one));
        std::iter::once(all).chain(without_one).collect()
    }
}

/// Pieces at their places; where there are many, by their numbers.
struct Shelf {
    pieces: Vec<Option<Shaped>>,
    by_number: Option<HashMap<u64, BTreeSet<usize>>>,
}

impl Shelf {
    fn new(pieces: Vec<Piece>) -> Shelf {
        let mut shelf = Shelf {
            by_number: (pieces.len() >= MANY).then(HashMap::new),
            pieces: pieces.iter().map(|_| None).collect(),
        };
        for (at, piece) in pieces.into_iter().enumerate() {
            shelf.put(at, piece);
        }
        shelf
    }

    fn put(&mut self, at: usize, piece: Piece) {
        let piece = Shaped::new(piece);
        if let Some(by_number) = &mut self.by_number {
            for number in piece.numbers() {
                by_number.entry(number).or_default().insert(at);
            }
        }
        self.pieces[at] = Some(piece);
    }

    fn take(&mut self, at: usize) {
        let piece = self.pieces[at].take();
        if let Some(by_number) = &mut self.by_number {
            for number in piece.iter().flat_map(Shaped::numbers) {
                if let Some(all) = by_number.get_mut(&number) {
                    all.remove(&at);
                }
            }
        }
    }

    /// The first other piece with which one is one together, and that.
    fn partner(&self, at: usize) -> Option<(usize, Piece)> {
        let one = self.pieces[at].as_ref()?;
        let joined = |other: usize| {
            let both = together(one, self.pieces[other].as_ref()?)?;
            Some((other, both))
        };
        let Some(by_number) = &self.by_number else {
            let others = (0..self.pieces.len()).filter(|other| *other != at);
            return others.filter_map(joined).next();
        };
        let numbers = one.numbers();
        let others = numbers.iter().filter_map(|number| by_number.get(number));
        let others: BTreeSet<usize> = others.flatten().copied().filter(|other| *other != at).collect();
        others.into_iter().find_map(joined)
    }
}

impl Set {
    /// The same points, with pieces put together as far as their form shows how.
    pub(super) fn merged(self) -> Set {
        if self.pieces.len() < 2 {
            return self;
        }
        let dimensions = self.dimensions;
        let mut shelf = Shelf::new(self.pieces);
        let mut changed = false;
        let mut at = 0;
        while at < shelf.pieces.len() {
            let Some((other, both)) = shelf.partner(at) else {
                at += 1;
                continue;
            };
            changed = true;
            shelf.take(at);
            shelf.take(other);
            if let Some(both) = both.canonical() {
                shelf.put(at.min(other), both);
            }
            at = 0;
        }
        let pieces = shelf.pieces.into_iter().flatten().map(|one| one.piece);
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
fn together(one: &Shaped, other: &Shaped) -> Option<Piece> {
    if one.piece.floors != other.piece.floors {
        return None;
    }
    let (a, b) = (one.intervals.as_ref()?, other.intervals.as_ref()?);
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
    let mut both = one.piece.clone();
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
