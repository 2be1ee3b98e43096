//! Which pieces are one together, by their form? Two that differ only in between which constants one sum lies, where the two intervals meet.
//!
//! The union of sets that differ in one interval is the set with the union of the intervals, if that is an interval again: `x < m` and `m <= x`, or `x = 3` and `x = 4`. It is the
//! commonest case of coalescing (Verdoolaege, "Integer set coalescing", IMPACT 2015); isl knows the others.

use super::Set;
use super::piece::{Column, Piece, Sum};
use crate::integer::Integer;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

type Terms = Vec<(Column, Integer)>;

/// The least and the greatest value of a sum; `None` where there is none.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Interval {
    low: Option<Integer>,
    high: Option<Integer>,
}

/// Between which constants a sum lies, whose first coefficient is positive.
struct Bounded {
    /// A number of the terms: other numbers mean other terms, and numbers are quick to compare.
    number: u64,
    terms: Terms,
    interval: Interval,
}

impl Bounded {
    fn order(&self, other: &Bounded) -> Ordering {
        let by_number = self.number.cmp(&other.number);
        by_number.then_with(|| self.terms.cmp(&other.terms))
    }
}

/// The constraints of a piece, in order, each sum once.
type Intervals = Vec<Bounded>;

/// From so many pieces on they are looked up by numbers: of fewer, comparing all is quicker.
const MANY: usize = 16;

/// A piece with its intervals.
struct Shaped {
    piece: Piece,
    intervals: Option<Intervals>,
    numbers: Vec<u64>,
}

impl Shaped {
    fn new(piece: Piece, many: bool) -> Shaped {
        let intervals = intervals(&piece);
        let numbers = match many {
            true => numbers(&piece, intervals.as_deref().unwrap_or_default()),
            false => Vec::new(),
        };
        Shaped {
            piece,
            intervals,
            numbers,
        }
    }
}

fn number_of(one: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    one.hash(&mut hasher);
    hasher.finish()
}

/// Two that differ in one interval only, or of which one has an interval more, share one of these: the sum of the numbers of the floors and of all intervals, and
/// the same without each of these. Equal numbers of different pieces cost time, no more.
fn numbers(piece: &Piece, intervals: &[Bounded]) -> Vec<u64> {
    let own = intervals.iter();
    let own: Vec<u64> = own.map(|one| number_of(&(one.number, &one.interval))).collect();
    let floors = number_of(&piece.floors);
    let all = own.iter().fold(floors, |all, one| all.wrapping_add(*one));
    let without_one = own.iter().map(|one| all.wrapping_sub(*one));
    std::iter::once(all).chain(without_one).collect()
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
        let piece = Shaped::new(piece, self.by_number.is_some());
        if let Some(by_number) = &mut self.by_number {
            for number in &piece.numbers {
                by_number.entry(*number).or_default().insert(at);
            }
        }
        self.pieces[at] = Some(piece);
    }

    fn take(&mut self, at: usize) {
        let piece = self.pieces[at].take();
        if let Some(by_number) = &mut self.by_number {
            for number in piece.iter().flat_map(|piece| &piece.numbers) {
                if let Some(all) = by_number.get_mut(number) {
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
        let others = one.numbers.iter().filter_map(|number| by_number.get(number));
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
            // The pieces before it have no partner but, perhaps, the new one, which is asked next.
            at = at.min(other);
            if let Some(both) = both.canonical() {
                shelf.put(at, both);
            }
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
    let equalities = piece.equalities.iter().map(|sum| (sum, true));
    for (sum, equality) in equalities.chain(piece.inequalities.iter().map(|sum| (sum, false))) {
        let negative = sum.terms().first()?.1.is_negative();
        let terms = match negative {
            true => sum.negated().terms().to_vec(),
            false => sum.terms().to_vec(),
        };
        // T + c >= 0 says that T is at least -c, -T + c >= 0 that T is at most c, and equalities say both.
        let value = match negative {
            true => sum.constant_term().clone(),
            false => -sum.constant_term(),
        };
        found.push(Bounded {
            number: number_of(&terms),
            terms,
            interval: Interval {
                low: (equality || !negative).then(|| value.clone()),
                high: (equality || negative).then_some(value),
            },
        });
    }
    found.sort_by(Bounded::order);
    found.dedup_by(|next, kept| {
        let same = kept.order(next) == Ordering::Equal;
        if same {
            kept.interval.narrow(&next.interval);
        }
        same
    });
    Some(found)
}

impl Interval {
    /// What lies in another one, too.
    fn narrow(&mut self, other: &Interval) {
        if let Some(low) = &other.low {
            let own = self.low.take();
            self.low = Some(own.map_or(low.clone(), |own| own.max(low.clone())));
        }
        if let Some(high) = &other.high {
            let own = self.high.take();
            self.high = Some(own.map_or(high.clone(), |own| own.min(high.clone())));
        }
    }
}

/// The union, if it is one piece.
fn together(one: &Shaped, other: &Shaped) -> Option<Piece> {
    let (a, b) = (one.intervals.as_ref()?, other.intervals.as_ref()?);
    if a.len().abs_diff(b.len()) > 1 || one.piece.floors != other.piece.floors {
        return None;
    }
    let mut different: Option<(&Terms, Interval)> = None;
    let everything = Interval::default();
    let (mut own, mut theirs) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let order = match (own.peek(), theirs.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => x.order(y),
        };
        let x = if order.is_le() { own.next() } else { None };
        let y = if order.is_ge() { theirs.next() } else { None };
        let Some(terms) = x.or(y).map(|bounded| &bounded.terms) else {
            break;
        };
        let x = x.map_or(&everything, |bounded| &bounded.interval);
        let y = y.map_or(&everything, |bounded| &bounded.interval);
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

#[cfg(test)]
mod tests {
    use crate::Expr;
    use crate::set::Set;

    fn rectangle((left, right): (i128, i128), (low, high): (i128, i128)) -> Set {
        let side = |from: i128, to: i128| (Expr::int(from), Expr::int(to));
        Set::rectangle(&[side(left, right), side(low, high)])
    }

    #[test]
    fn what_two_pieces_are_together_joins_one_before_them() {
        let column = rectangle((0, 1), (0, 4));
        let (lower, upper) = (rectangle((1, 2), (0, 2)), rectangle((1, 2), (2, 4)));
        let all = Set::side_by_side([&column, &lower, &upper]);
        assert_eq!(all, Some(rectangle((0, 2), (0, 4))));
    }
}
