//! What would the subscripts of an address be if its array were declared with dimensions?
//!
//! `a[(i * n + j) * m + k]` is element `k` of row `j` of plane `i`, wherever `j` lies in `0 .. n` and `k` in `0 .. m`. Two such addresses are equal if all of these are, as numbers are if
//! their *digits* are, and only then: a comparison digit by digit says all that one of the addresses does, with differences that have no products. That the digits lie inside is
//! proved for each access by itself, digit by digit; no proof looks at a whole remainder.
//!
//! What it cannot do: strides that are sums (`n + 1`) or that no counter has, members of one element beside others, and digits of which one is not proved to lie inside.

use super::ladder::rename;
use super::prepared::Prepared;
use crate::access::Access;
use crate::quotient::exact_quotient;
use crate::symbols::{SymbolKind, Symbols};
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Integer, Term};
use std::rc::Rc;

/// Most strides of one address.
const MOST: usize = 8;

/// The digits of an address to some strides, the one of the largest stride first.
pub struct Digits {
    earlier: Vec<Expr>,
    /// The same in the later iteration.
    later: Vec<Expr>,
    /// Bytes between the beginning of the element and that of the access.
    rest: Integer,
}

/// By how much the digits of two addresses differ, if all of them are known: the two accesses overlap where all differences are zero, and nowhere else.
pub(super) fn differences(source: &Prepared<'_>, sink: &Prepared<'_>) -> Option<Vec<Expr>> {
    let (symbols, of) = source.asked();
    let (one, two) = (source.access(), sink.access());
    // The first digit counts from the root, which must be the same pointer in both iterations.
    if one.size != two.size || one.root != two.root || symbols.varies_in(one.root?, of) {
        return None;
    }
    let strides = match (source.strides()?, sink.strides()?) {
        (own, other) if own == other => Rc::clone(own),
        (own, other) => chain(own.iter().chain(other.iter()).cloned().collect())?,
    };
    let (from, to) = (source.digits(&strides)?, sink.digits(&strides)?);
    if from.rest != to.rest {
        return None;
    }
    let both = to.later.iter().zip(&from.earlier);
    Some(both.map(|(to, from)| to - from).collect())
}

/// True if a digit of which this is the difference is another one in every later iteration, for all that is known of the numbers of iterations alone: it moves by so many in each, and
/// the two begin apart by something that is no multiple of it, or that only earlier iterations reach.
pub(super) fn is_excluded(difference: &Expr, (k, k_later): (&Expr, &Expr)) -> bool {
    if let Some(constant) = difference.as_constant() {
        return !constant.is_zero();
    }
    let slope = k_later.as_symbol().and_then(|later| difference.slope_in(later));
    let Some(slope) = slope
        .and_then(|slope| slope.as_constant())
        .filter(|slope| !slope.is_zero())
    else {
        return false;
    };
    let ahead = &(k_later - k) * &Expr::constant(slope.clone());
    let Some(rest) = (&ahead - difference).as_constant() else {
        return false;
    };
    // Equal where `slope * (k' - k) = rest`, and `k' - k` is one at least.
    match rest.is_multiple_of(&slope).then(|| rest.floor_div(&slope)) {
        Some(Some(distance)) => distance < Integer::ONE,
        _ => true,
    }
}

/// The strides by which the counters of loops move an address, the largest first; `None` if one of them is no product of values that do not change, or if they do not divide each other.
pub(super) fn strides(symbols: &Symbols, of: StmtId, access: &Access) -> Option<Rc<[Expr]>> {
    let offset = access.offset()?;
    let mut found = Vec::new();
    for symbol in offset.symbols() {
        let info = symbols.info(symbol);
        if !matches!(info.kind, SymbolKind::Counter(_)) || info.loops.is_empty() {
            continue;
        }
        let slope = offset.slope_in(symbol)?;
        let mut terms = slope.terms();
        let (Some(term), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let stride = Expr::monomial(&term.monomial, term.coefficient.abs());
        if !symbols.invariant_in(&stride, of) {
            return None;
        }
        found.push(stride);
    }
    chain(found)
}

/// Strides of which each divides the one before it, without repetitions; `None` if they do not.
fn chain(mut all: Vec<Expr>) -> Option<Rc<[Expr]>> {
    let degree = |stride: &Expr| stride.terms().map(|term| term.monomial.degree()).max();
    let coefficient = |stride: &Expr| stride.terms().next().map(|term| term.coefficient.clone());
    all.sort_by(|a, b| {
        let by_size = degree(b)
            .cmp(&degree(a))
            .then_with(|| coefficient(b).cmp(&coefficient(a)));
        by_size.then_with(|| a.cmp(b))
    });
    all.dedup();
    let divide = |pair: &[Expr]| matches!(pair, [large, small] if exact_quotient(large, small).is_some());
    (all.len() <= MOST && all.windows(2).all(divide)).then(|| all.into())
}

/// The digits of an access to these strides, if they are two or more, and all digits but the first are proved to lie inside.
pub(super) fn digits(symbols: &Symbols, of: StmtId, access: &Access, strides: &[Expr]) -> Option<Digits> {
    if strides.len() < 2 {
        return None;
    }
    let mut rest = access.offset()?;
    let mut earlier = Vec::with_capacity(strides.len());
    for (number, stride) in strides.iter().enumerate() {
        let is_last = number + 1 == strides.len();
        let digit = multiples(&rest, stride.terms().next()?, is_last);
        rest = &rest - &(&digit * stride);
        earlier.push(digit);
    }
    let rest = rest.as_constant().filter(|rest| !rest.is_negative())?;
    let smallest = strides.last()?;
    let is_less = |value: &Expr, than: &Expr| access.facts.prove_less(value, than);
    let end = &Expr::constant(rest.clone()) + &Expr::int(i128::from(access.size) - 1);
    let is_inside = is_less(&end, smallest)
        && strides.windows(2).zip(&earlier[1..]).all(|(pair, digit)| {
            let count = exact_quotient(&pair[0], &pair[1]);
            count.is_some_and(|count| is_less(digit, &count) && access.facts.prove_nonnegative(digit))
        });
    is_inside.then(|| Digits {
        later: earlier.iter().map(|digit| rename(symbols, of, digit)).collect(),
        earlier,
        rest,
    })
}

/// How often a stride is contained in a sum: in each product that it divides; in the constant to the nearest multiple, or, of the last stride, to the one below.
fn multiples(sum: &Expr, stride: &Term, is_last: bool) -> Expr {
    let mut found = Expr::zero();
    for term in sum.terms() {
        let Some(factor) = term.monomial.divided_by(&stride.monomial) else {
            continue;
        };
        let times = match term.monomial.is_one() {
            true if is_last => term.coefficient.floor_div(&stride.coefficient),
            true => {
                let doubled = &(&term.coefficient + &term.coefficient) + &stride.coefficient;
                doubled.floor_div(&(&stride.coefficient + &stride.coefficient))
            }
            false if term.coefficient.is_multiple_of(&stride.coefficient) => {
                term.coefficient.floor_div(&stride.coefficient)
            }
            false => None,
        };
        if let Some(times) = times {
            found = &found + &Expr::monomial(&factor, times);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{chain, differences, is_excluded};
    use crate::access::Access;
    use crate::dependence::Prepared;
    use crate::symbols::Symbols;
    use ferry_ir::StmtId;
    use ferry_symbolic::{Expr, Facts, Integer, Symbol};

    const OF: StmtId = StmtId(3);
    const SYMBOLS: u32 = 6;

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    /// The root, three counters, and two values that do not change.
    fn symbols() -> Symbols {
        Symbols::of_counters(
            OF,
            (0..SYMBOLS).map(|number| match number {
                1..=3 => vec![OF],
                _ => vec![],
            }),
        )
    }

    fn access(offset: &Expr, size: u64, facts: &Facts) -> Access {
        Access {
            facts: facts.clone(),
            root: Some(Symbol(0)),
            ..Access::read_at(&x(0) + offset, size)
        }
    }

    /// How many pairs of accesses have digits, of which all differences are zero where the two overlap, and nowhere else, for all small values.
    fn compared(all: &[Access]) -> (usize, usize) {
        let symbols = symbols();
        let prepared: Vec<Prepared<'_>> = all.iter().map(|one| Prepared::new(&symbols, OF, one)).collect();
        let (mut known, mut meetings) = (0, 0);
        for (source, sink) in prepared
            .iter()
            .flat_map(|source| prepared.iter().map(move |sink| (source, sink)))
        {
            let Some(found) = differences(source, sink) else {
                continue;
            };
            known += 1;
            let (from, to) = (source.access(), sink.access());
            let sides = [source, sink].map(|side| side.access().facts.conditions());
            for number in 0..3_i128.pow(8) {
                let digit = |place: u32| number / 3_i128.pow(place) % 3;
                // Counters are from 0 on, in both iterations; the sizes from 1 on.
                let of = |symbol: Symbol, is_later: bool| {
                    Some(Integer::from(match symbol.0 {
                        0 => 0,
                        1..=3 if !is_later => digit(symbol.0 - 1),
                        1..=3 => digit(symbol.0 + 2),
                        4..=5 => 1 + digit(symbol.0 + 2),
                        later => digit(later - SYMBOLS + 2),
                    }))
                };
                let holds = |is_later: bool| {
                    let mut all = sides[usize::from(is_later)].iter();
                    all.all(|(fact, _)| fact.evaluate(&|symbol| of(symbol, is_later)) == Some(true))
                };
                if !holds(false) || !holds(true) {
                    continue;
                }
                let at = |access: &Access, is_later: bool| {
                    let address = access.address.as_ref().expect("it has an address");
                    address
                        .evaluate(&|symbol| of(symbol, is_later))
                        .expect("it is defined")
                };
                let distance = &at(to, true) - &at(from, false);
                let overlap = distance.abs() < Integer::from(i128::from(from.size));
                let is_zero = |one: &Expr| one.evaluate(&|symbol| of(symbol, false)) == Some(Integer::ZERO);
                assert_eq!(found.iter().all(is_zero), overlap, "{found:?}");
                meetings += usize::from(overlap);
            }
        }
        (known, meetings)
    }

    #[test]
    fn addresses_overlap_where_their_digits_are_equal() {
        let [i, j, k, n, m] = [1, 2, 3, 4, 5].map(x);
        let one = Expr::one();
        let mut facts = Facts::new();
        for (counter, end) in [(&i, Expr::int(4)), (&j, n.clone()), (&k, m.clone())] {
            facts.assume_nonnegative(counter);
            facts.assume_nonnegative(&(&end - counter) - &one);
        }
        let mut inner = facts.clone();
        for (counter, end) in [(&j, &n), (&k, &m)] {
            inner.assume_nonnegative(counter - &one);
            inner.assume_nonnegative(&(end - counter) - &Expr::int(2));
        }
        let element = |i: &Expr, j: &Expr, k: &Expr| &Expr::int(8) * &(&(&(&(i * &n) + j) * &m) + k);
        let all = [
            access(&element(&i, &j, &k), 8, &facts),
            access(&element(&(&i - &one), &j, &k), 8, &facts),
            access(&element(&i, &(&j + &one), &k), 8, &inner),
            access(&element(&(&i + &one), &(&j - &one), &(&k - &one)), 8, &inner),
            access(&element(&i, &j, &Expr::zero()), 8, &facts),
        ];
        let (known, meetings) = compared(&all);
        assert!(known == 25 && meetings > 1000, "{known} known, {meetings} meet");
        // These may reach the next row, or the one before.
        let outside = [
            access(&element(&i, &j, &(&k + &one)), 8, &facts),
            access(&element(&i, &(&j - &one), &k), 8, &facts),
            access(&element(&i, &k, &j), 8, &facts),
        ];
        assert_eq!(compared(&outside).0, 0);
    }

    #[test]
    fn numbers_are_strides_too() {
        let [i, j] = [1, 2].map(x);
        let mut facts = Facts::new();
        for counter in [&i, &j] {
            facts.assume_nonnegative(counter);
            facts.assume_nonnegative(&Expr::int(3) - counter);
        }
        let at = |row: i128, bytes: i128| {
            &(&(&Expr::int(80) * &i) + &(&Expr::int(16) * &j)) + &Expr::int(80 * row + bytes)
        };
        let all = [
            access(&at(0, 0), 8, &facts),
            access(&at(0, 8), 8, &facts),
            access(&at(-1, 16), 8, &facts),
            access(&at(1, 0), 8, &facts),
            access(&at(0, 0), 4, &facts),
            access(&at(0, 12), 8, &facts),
        ];
        // Other members, and other sizes, are not compared. The last is in two elements.
        let (known, meetings) = compared(&all);
        assert!(
            known == 3 * 3 + 1 + 1 && meetings > 100,
            "{known} known, {meetings} meet"
        );
    }

    #[test]
    fn digits_that_no_later_iteration_reaches_are_excluded() {
        let (k, later) = (x(1), x(1 + SYMBOLS));
        let ahead = &later - &k;
        let excluded = |difference: &Expr| is_excluded(difference, (&k, &later));
        let plus = |by: i128| &ahead + &Expr::int(by);
        let twice = |by: i128| &(&ahead + &ahead) + &Expr::int(by);
        for (difference, expected) in [
            (Expr::zero(), false),
            (Expr::int(2), true),
            (plus(0), true),
            (plus(1), true),
            (plus(-1), false),
            (-plus(-1), false),
            (-plus(1), true),
            (twice(-2), false),
            (twice(-3), true),
            (twice(-1), true),
            (&ahead + &x(4), false),
            (&later + &k, false),
            (x(2), false),
        ] {
            assert_eq!(excluded(&difference), expected, "{difference:?}");
        }
    }

    #[test]
    fn strides_divide_each_other() {
        let (n, m) = (x(4), x(5));
        let eight = Expr::int(8);
        let [rows, planes, others] = [&eight * &m, &(&eight * &n) * &m, &eight * &n];
        let found = chain(vec![eight.clone(), planes.clone(), rows.clone(), eight.clone()]);
        assert_eq!(found.as_deref(), Some(&[planes, rows.clone(), eight.clone()][..]));
        assert!(chain(vec![rows, others, eight]).is_none());
        assert!(chain(vec![Expr::int(24), Expr::int(16)]).is_none());
    }
}
