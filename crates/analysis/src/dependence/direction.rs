//! How do the iterations lie to each other in which two accesses meet?
//!
//! For each loop around both accesses, from the one that is asked about inwards: by how many iterations the later access is ahead of the earlier one,
//! where that is one number, else which of *later*, *the same* and *earlier* are possible. What must hold where the two meet is gathered first (equal
//! subscripts, quotients and remainders of strides, equal addresses); a direction that contradicts it is impossible. The loop that is asked about
//! comes out *later*: only what it carries is asked.
//!
//! The vector covers all meetings of the pair, never less. What it cannot do: say that a direction that it allows really comes up.

use super::digits;
use super::ladder::{Pair, facts_of_both, renamed};
use super::view;
use super::{Both, Prepared};
use crate::access::Access;
use crate::quotient::exact_quotient;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Condition, Expr, Symbol};
use std::fmt;

/// Where the later access is in one loop, counted in iterations from the earlier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Always so many iterations on.
    Exactly(i64),
    /// One of the directions that are true.
    Among {
        /// In a later iteration.
        later: bool,
        /// In the same.
        same: bool,
        /// In an earlier one.
        earlier: bool,
    },
}

impl Direction {
    /// Nothing is known.
    pub const ANY: Direction = Direction::Among {
        later: true,
        same: true,
        earlier: true,
    };

    /// In a later iteration.
    pub const LATER: Direction = Direction::Among {
        later: true,
        same: false,
        earlier: false,
    };

    /// True if a dependence between iterations that far apart is among those that are meant.
    pub fn covers(self, distance: i128) -> bool {
        match self {
            Direction::Exactly(exactly) => i128::from(exactly) == distance,
            Direction::Among { later, same, earlier } => match distance {
                0 => same,
                _ if distance > 0 => later,
                _ => earlier,
            },
        }
    }
}

/// As the books write it: a number, or `<` for *later*, `=` for *the same*, `>` for *earlier*, `*` for anything.
impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Direction::Exactly(distance) => write!(f, "{distance}"),
            Direction::Among { later, same, earlier } => f.write_str(match (later, same, earlier) {
                (true, false, false) => "<",
                (true, true, false) => "<=",
                (true, false, true) => "!=",
                (false, true, false) => "=",
                (false, true, true) => ">=",
                (false, false, true) => ">",
                _ => "*",
            }),
        }
    }
}

/// Everything that either of the two covers.
pub fn join(one: Direction, two: Direction) -> Direction {
    if one == two {
        return one;
    }
    let signs = |direction: Direction| match direction {
        Direction::Exactly(distance) => (distance > 0, distance == 0, distance < 0),
        Direction::Among { later, same, earlier } => (later, same, earlier),
    };
    let (one, two) = (signs(one), signs(two));
    Direction::Among {
        later: one.0 || two.0,
        same: one.1 || two.1,
        earlier: one.2 || two.2,
    }
}

/// What is known of nothing but that the loop carries it.
pub fn anything(loops: usize) -> Vec<Direction> {
    let inner = std::iter::repeat_n(Direction::ANY, loops.saturating_sub(1));
    std::iter::once(Direction::LATER).chain(inner).collect()
}

/// The vector of the meetings of `source` in an iteration of the loop with `sink` in a later one. `counters` are those of the loops around both, the
/// loop itself first. Both have the same root, whose storage is meant.
pub fn vector(
    counters: &[Symbol],
    first: &Prepared<'_>,
    second: &Prepared<'_>,
    both: &Both<'_>,
) -> Vec<Direction> {
    if counters.is_empty() {
        return Vec::new();
    }
    let (symbols, of) = first.asked();
    let (source, sink) = (first.access(), second.access());
    let mut pair = Pair {
        symbols,
        of,
        source,
        sink,
        facts: both.of(source, sink),
    };
    let mut equations = meeting(&mut pair, first, second);
    let moved: Vec<Symbol> = (0..counters.len())
        .map(|place| Symbol((2 * symbols.len() + place) as u32))
        .collect();
    let later = |symbol: Symbol| {
        let place = counters
            .iter()
            .position(|counter| renamed(symbols, *counter) == symbol)?;
        Some(&Expr::symbol(counters[place]) + &Expr::symbol(moved[place]))
    };
    for equation in &mut equations {
        *equation = equation.substitute_all(&later);
    }
    let mut exact: Vec<Option<i64>> = vec![None; counters.len()];
    // Each round finds one distance, in an equation or, in a short loop, because all others are impossible.
    while let Some((place, distance)) = solve(&pair, &moved, &equations)
        .or_else(|| {
            counters.iter().enumerate().find_map(|(place, counter)| {
                let open = exact[place].is_none();
                Some((place, open.then(|| only_distance(&pair, *counter))??))
            })
        })
        .filter(|(place, _)| exact[*place].is_none())
    {
        exact[place] = Some(distance);
        let distance = Expr::int(i128::from(distance));
        for equation in &mut equations {
            *equation = equation.substitute(moved[place], &distance);
        }
        pair.facts.assume_zero(&ahead(&pair, counters[place]) - &distance);
    }
    let all = counters.iter().zip(exact).enumerate();
    let found: Vec<Direction> = all
        .map(|(place, (counter, exact))| match exact {
            Some(distance) => Direction::Exactly(distance),
            None if place == 0 => Direction::LATER,
            None => possible(&pair, *counter),
        })
        .collect();
    // A distance that cannot be, as where the loop is too short for it: nothing is said then.
    match found.first() {
        Some(Direction::Exactly(distance)) if *distance < 1 => anything(counters.len()),
        _ => found,
    }
}

/// True if a value that varies in the loop is the same wherever `source` in an iteration and `sink` in a later one meet: if it is another one in every
/// iteration, they never do.
pub fn is_same_where_they_meet(
    symbols: &Symbols,
    of: StmtId,
    counter: Symbol,
    (source, sink): (&Access, &Access),
    value: Symbol,
) -> bool {
    let mut pair = Pair {
        symbols,
        of,
        source,
        sink,
        facts: facts_of_both(symbols, of, counter, source, sink),
    };
    let [first, second] = [source, sink].map(|access| Prepared::new(symbols, of, access));
    meeting(&mut pair, &first, &second);
    possible(&pair, value) == Direction::Exactly(0)
}

/// Adds to the facts what holds where the two meet; the equations among it.
pub(super) fn meeting(pair: &mut Pair<'_>, source: &Prepared<'_>, sink: &Prepared<'_>) -> Vec<Expr> {
    let (Some(a), Some(b)) = (&pair.source.address, sink.later()) else {
        return Vec::new();
    };
    // That all digits are equal says all that the distance does, without its products.
    if let Some(digits) = digits::differences(source, sink) {
        for digit in &digits {
            pair.facts.assume_zero(digit);
        }
        return digits;
    }
    let distance = b - a;
    let (first, second) = (pair.source.size, pair.sink.size);
    let mut equations = view::equal_where_they_meet(pair, source, sink);
    // Elements of one size in one grid overlap only if they are the same.
    if first == second && exact_quotient(&distance, &Expr::int(i128::from(first))).is_some() {
        equations.push(distance);
    } else {
        let last = |size: u64| Expr::int(i128::from(size) - 1);
        pair.facts.assume_nonnegative(&distance + &last(second));
        pair.facts.assume_nonnegative(&last(first) - &distance);
    }
    for equation in &equations {
        pair.facts.assume_zero(equation);
    }
    equations
}

/// A distance that follows from one equation by itself, and the place of its loop: `moved` stands for the distances.
fn solve(pair: &Pair<'_>, moved: &[Symbol], equations: &[Expr]) -> Option<(usize, i64)> {
    equations.iter().find_map(|equation| {
        let mut open = (0..moved.len()).filter(|place| equation.mentions(moved[*place]));
        let (Some(place), None) = (open.next(), open.next()) else {
            return None;
        };
        let (slope, rest) = equation.linear_in(moved[place])?;
        let distance = exact_quotient(&-&rest, &slope)?.as_constant()?.to_i64()?;
        pair.never_zero(&slope).then_some((place, distance))
    })
}

/// How many iterations the later access is ahead in one loop.
fn ahead(pair: &Pair<'_>, counter: Symbol) -> Expr {
    &Expr::symbol(renamed(pair.symbols, counter)) - &Expr::symbol(counter)
}

/// Most distances in one loop that are tried one by one.
const MOST_DISTANCES: i64 = 12;

/// The only distance in a short loop that does not contradict what is known where the two meet.
fn only_distance(pair: &Pair<'_>, counter: Symbol) -> Option<i64> {
    let ahead = ahead(pair, counter);
    let (Some(low), Some(high)) = pair.facts.constant_range(&ahead) else {
        return None;
    };
    let (low, high) = (low.to_i64()?, high.to_i64()?);
    if high.checked_sub(low)? >= MOST_DISTANCES {
        return None;
    }
    let mut possible = (low..=high).filter(|distance| {
        let condition = Condition::zero(&(&ahead - &Expr::int(i128::from(*distance))));
        !pair.facts.with(&condition).infeasible()
    });
    match (possible.next(), possible.next()) {
        (Some(distance), None) => Some(distance),
        _ => None,
    }
}

/// The directions in one loop that do not contradict what is known where the two meet.
fn possible(pair: &Pair<'_>, counter: Symbol) -> Direction {
    let ahead = ahead(pair, counter);
    let one = Expr::one();
    // Values for which it holds are found faster than it is shown that nothing contradicts it.
    let can_be = |condition: Condition| {
        pair.facts.can_hold_with(std::slice::from_ref(&condition))
            || !pair.facts.with(&condition).infeasible()
    };
    let later = can_be(Condition::nonnegative(&(&ahead - &one)));
    let same = can_be(Condition::zero(&ahead));
    let earlier = can_be(Condition::nonnegative(&(&-&ahead - &one)));
    match (later, same, earlier) {
        (false, true, false) => Direction::Exactly(0),
        // The two never meet: that is not for a direction to say.
        (false, false, false) => Direction::ANY,
        _ => Direction::Among { later, same, earlier },
    }
}

#[cfg(test)]
mod tests {
    use super::Direction;

    #[test]
    fn directions_cover_what_they_say() {
        let among = |later, same, earlier| Direction::Among { later, same, earlier };
        for (direction, text, covered) in [
            (Direction::Exactly(-2), "-2", [-2].as_slice()),
            (Direction::LATER, "<", &[1, 2, 3]),
            (Direction::ANY, "*", &[-3, -2, -1, 0, 1, 2, 3]),
            (among(true, false, true), "!=", &[-3, -2, -1, 1, 2, 3]),
            (among(false, true, true), ">=", &[-3, -2, -1, 0]),
            (among(true, true, false), "<=", &[0, 1, 2, 3]),
            (among(false, false, true), ">", &[-3, -2, -1]),
        ] {
            assert_eq!(direction.to_string(), text);
            for distance in -3..=3 {
                assert_eq!(
                    direction.covers(distance),
                    covered.contains(&distance),
                    "{direction} {distance}"
                );
            }
        }
    }
}
