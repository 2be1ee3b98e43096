//! The same addresses seen as several subscripts.

use super::ladder::{Pair, apart, is_fixed};
use super::missing::{Missing, least};
use super::prepared::Prepared;
use crate::access::{Access, Subscript};
use crate::quotient::exact_quotient;
use ferry_symbolic::{Condition, Expr, Facts, Integer, Symbol};

/// True if the accesses have the same declared shape and one subscript can never be equal, with the differences of these. Subscripts inside declared
/// dimensions are used as C has them: an index past the end of its dimension is undefined.
pub fn subscripts_differ(pair: &Pair<'_>, distance: &Expr, differences: Option<&[Expr]>) -> bool {
    let Some(differences) = differences.filter(|found| !is_said_by(distance, found, pair)) else {
        return false;
    };
    never_all_zero(pair, differences)
}

/// True if these cannot all be zero at once.
pub fn never_all_zero(pair: &Pair<'_>, differences: &[Expr]) -> bool {
    let mut together = pair.facts.clone();
    for difference in differences.iter().filter(|one| !one.is_zero()) {
        if pair.never_zero(difference) {
            return true;
        }
        together.assume_zero(difference);
    }
    // Each may be by itself, and still not all at once.
    together.infeasible()
}

/// True if the addresses say the same in other words: those of the elements of an array with one dimension. Of them more is asked.
fn is_said_by(distance: &Expr, differences: &[Expr], pair: &Pair<'_>) -> bool {
    let ([difference], [subscript]) = (differences, pair.source.subscripts.as_slice()) else {
        return false;
    };
    let size = Expr::int(i128::from(pair.source.size));
    pair.source.size == pair.sink.size
        && subscript.stride.as_ref() == Some(&size)
        && (difference * &size) == *distance
}

/// By how much the subscripts differ, if they can be compared one by one: all differences are zero where the two accesses meet.
pub fn differences_of_subscripts(source: &Prepared<'_>, sink: &Prepared<'_>) -> Option<Vec<Expr>> {
    let (a, b) = (&source.access().subscripts, &sink.access().subscripts);
    if a.is_empty() || a.len() != b.len() {
        return None;
    }
    // The first subscript counts from the root, which must be the same pointer in both iterations.
    let (symbols, of) = source.asked();
    let varies = |root| symbols.varies_in(root, of);
    if source.access().root.is_none_or(varies) || !same_shape(a, b) {
        return None;
    }
    if !source.is_inside_elements() || !sink.is_inside_elements() {
        return None;
    }
    let both = a.iter().zip(sink.subscripts_later());
    let known = both.filter_map(|(one, later)| Some(later.as_ref()? - one.index.as_ref()?));
    Some(known.collect())
}

/// True if two accesses meet wherever their subscripts are equal, and nowhere else, so that another view of the same addresses tells nothing more:
/// those of two dimensions or more, all known.
pub fn are_their_subscripts(pair: &Pair<'_>, distance: &Expr, differences: Option<&[Expr]>) -> bool {
    let count = pair.source.subscripts.len();
    let Some(differences) = differences.filter(|found| count >= 2 && found.len() == count) else {
        return false;
    };
    let strides = pair
        .source
        .subscripts
        .iter()
        .filter_map(|one| one.stride.as_ref());
    let moved = differences
        .iter()
        .zip(strides)
        .map(|(difference, stride)| difference * stride);
    let rest = moved.fold(distance.clone(), |rest, moved| &rest - &moved);
    // Not other members of the elements.
    rest.is_zero()
}

/// True if there are values for which all facts hold, and differences of subscripts and addresses are zero: no test shows that the two are apart then. Addresses that are sums over rows
/// and columns are equal where the coefficients of all products of what does not change are: these are tried first. The values are looked for where the `roomy` facts hold, which
/// contain those of the pair. `None` where it is plain that there are none.
pub fn may_be_equal(pair: &Pair<'_>, roomy: &dyn Fn() -> Facts, differences: &[&Expr]) -> Option<bool> {
    let all = || differences.iter().copied().filter(|one| !one.is_zero());
    if all().any(|one| pair.facts.plainly_nonzero(one)) {
        return None;
    }
    let facts = roomy();
    let are_zero = |all: &[Condition]| facts.can_hold_with(all);
    let each: Vec<Condition> = all().map(Condition::zero).collect();
    let parts: Vec<Expr> = all().flat_map(|one| coefficients(pair, one)).collect();
    let are_parts_zero = || are_zero(&parts.iter().map(Condition::zero).collect::<Vec<_>>());
    Some(parts.len() > each.len() && are_parts_zero() || are_zero(&each))
}

/// What the products of values that do not change are multiplied by in a sum.
fn coefficients(pair: &Pair<'_>, sum: &Expr) -> Vec<Expr> {
    let mut found: Vec<(Expr, Expr)> = Vec::new();
    for term in sum.terms() {
        let (mut fixed, mut moved) = (Expr::one(), Expr::constant(term.coefficient.clone()));
        for (atom, power) in term.monomial.factors() {
            let factor = Expr::atom(atom.clone());
            let product = match is_fixed(pair.symbols, pair.of, &factor) {
                true => &mut fixed,
                false => &mut moved,
            };
            for _ in 0..*power {
                *product = &*product * &factor;
            }
        }
        match found.iter_mut().find(|(of, _)| *of == fixed) {
            Some((_, coefficient)) => *coefficient = &*coefficient + &moved,
            None => found.push((fixed, moved)),
        }
    }
    found.into_iter().map(|(_, coefficient)| coefficient).collect()
}

/// Assumes that the subscripts of an access lie inside their declared dimensions; `of` gives them the iteration that is meant.
pub fn assume_inside(facts: &mut Facts, access: &Access, of: &dyn Fn(&Expr) -> Expr) {
    for subscript in &access.subscripts {
        if let (Some(index), Some(extent)) = (&subscript.index, &subscript.extent) {
            let index = of(index);
            facts.assume_nonnegative(&(&of(extent) - &index) - &Expr::one());
            facts.assume_nonnegative(index);
        }
    }
}

/// Expressions that are zero wherever the two accesses meet: differences of subscripts, of quotients by a stride, of what is left of these.
pub fn equal_where_they_meet(pair: &Pair<'_>, source: &Prepared<'_>, sink: &Prepared<'_>) -> Vec<Expr> {
    let differences = differences_of_subscripts(source, sink);
    if let (Some(a), Some(b)) = (&pair.source.address, sink.later())
        && are_their_subscripts(pair, &(b - a), differences.as_deref())
    {
        return differences.unwrap_or_default();
    }
    let mut found = differences.unwrap_or_default();
    let root = pair.source.root.filter(|root| pair.sink.root == Some(*root));
    if root.is_some_and(|root| !pair.symbols.varies_in(root, pair.of))
        && let (Some(a), Some(b)) = (pair.source.offset(), pair.sink.offset())
    {
        split_where_they_meet(pair, &a, &b, &strides(pair, &a, &b), &mut found);
    }
    found
}

/// Of two offsets that split by a stride into quotients and remainders inside of it, the quotients are equal; and so on with the remainders.
fn split_where_they_meet(pair: &Pair<'_>, a: &Expr, b: &Expr, strides: &[Expr], found: &mut Vec<Expr>) {
    let (source, sink) = (pair.source.size, pair.sink.size);
    let nothing = &mut Missing::nothing();
    let first_inside = |access: &Access, offset: &Expr, stride: &Expr, nothing: &mut Missing<'_>| {
        let mut all = splits(offset, stride).into_iter();
        all.find(|(_, rest)| inside(&access.facts, rest, access.size, stride, nothing))
    };
    for (number, stride) in strides.iter().enumerate() {
        let Some((qa, ra)) = first_inside(pair.source, a, stride, nothing) else {
            continue;
        };
        let Some((qb, rb)) = first_inside(pair.sink, b, stride, nothing) else {
            continue;
        };
        found.push(&pair.rename(&qb) - &qa);
        let rest = &pair.rename(&rb) - &ra;
        if source == sink && exact_quotient(&rest, &Expr::int(i128::from(source))).is_some() {
            found.push(rest);
        }
        split_where_they_meet(pair, &ra, &rb, &strides[number + 1..], found);
        return;
    }
}

/// True if what is left of the address beside the subscripts lies inside one innermost element: a member of it. Arrays
/// that overlay each other at different offsets do not pass.
pub fn inside_elements(access: &Access) -> bool {
    let Some(mut rest) = access.offset() else {
        return false;
    };
    let mut innermost = None;
    for subscript in &access.subscripts {
        let (Some(index), Some(stride)) = (&subscript.index, &subscript.stride) else {
            return false;
        };
        rest = &rest - &(index * stride);
        innermost = Some(stride);
    }
    let (Some(rest), Some(innermost)) = (rest.as_constant(), innermost) else {
        return false;
    };
    let end = &Expr::constant(rest.clone()) + &Expr::int(i128::from(access.size));
    !rest.is_negative() && access.facts.prove_nonnegative(&(innermost - &end))
}

fn same_shape(a: &[Subscript], b: &[Subscript]) -> bool {
    a.iter()
        .zip(b)
        .all(|(a, b)| a.stride.is_some() && a.stride == b.stride && a.extent == b.extent)
}

/// True if both addresses split into `q * stride + r` with `0 <= r`, `r + size <= stride`, and quotients or remainders
/// that cannot be equal at once; remainders are split again by smaller strides.
///
/// What is missing for the remainders to lie inside is asked of `missing`. That the addresses as a whole are apart was asked before.
pub fn delinearised_differ(pair: &Pair<'_>, missing: &mut Missing<'_>) -> bool {
    let Some((a, b)) = offsets(pair) else {
        return false;
    };
    // What neither changes nor differs is of no use in a condition.
    let (a, b) = match missing.is_allowed() {
        true => {
            let common = unchanging(pair, &a);
            (&a - &common, &b - &common)
        }
        false => (a, b),
    };
    let strides = strides(pair, &a, &b);
    differ(pair, &pair.facts, &a, &b, &strides, missing)
}

/// The same, with rows that begin in the first column that one of the two touches: `a[i * ld + j + 12]` with `j < n` stays in such rows if `ld >= n`, in those from `a[0]` on only if
/// `ld >= n + 12`. Both addresses are counted from another place, which does not change in the loop, so that they are as far apart as before.
pub fn differ_from_first_column(pair: &Pair<'_>, missing: &mut Missing<'_>, changing: &[Symbol]) -> bool {
    let Some((a, b)) = offsets(pair) else {
        return false;
    };
    let strides = strides(pair, &a, &b);
    let Some(first) = strides
        .first()
        .and_then(|row| first_column(pair, (&a, &b), row, changing))
    else {
        return false;
    };
    differ(
        pair,
        &pair.facts,
        &(&a - &first),
        &(&b - &first),
        &strides,
        missing,
    )
}

/// Bytes from the one pointer that both addresses count from, which is the same in both iterations.
fn offsets(pair: &Pair<'_>) -> Option<(Expr, Expr)> {
    let root = pair.source.root?;
    if pair.sink.root != Some(root) || pair.symbols.varies_in(root, pair.of) {
        return None;
    }
    Some((pair.source.offset()?, pair.sink.offset()?))
}

/// The least number of bytes by which one of the two lies behind the beginning of its row, whatever changes in the loop; `None` if it is not known which of them.
fn first_column(pair: &Pair<'_>, (a, b): (&Expr, &Expr), row: &Expr, changing: &[Symbol]) -> Option<Expr> {
    let least_of = |access: &Access, offset: &Expr| {
        let (_, within) = splits(offset, row).into_iter().next()?;
        least(&access.facts, &within, changing)
    };
    let (one, two) = (least_of(pair.source, a)?, least_of(pair.sink, b)?);
    let ahead = &two - &one;
    let first = match pair.facts.prove_nonnegative(&ahead) {
        true => one,
        false if pair.facts.prove_nonnegative(&-&ahead) => two,
        false => return None,
    };
    pair.symbols.invariant_in(&first, pair.of).then_some(first)
}

/// The terms that do not change in the loop, but for the constant.
fn unchanging(pair: &Pair<'_>, offset: &Expr) -> Expr {
    offset.summands(|term| term.as_constant().is_none() && pair.symbols.invariant_in(term, pair.of))
}

/// Most strides that are tried.
const MAX_STRIDES: usize = 4;

/// Coefficients of what varies, the largest first where that is known.
fn strides(pair: &Pair<'_>, a: &Expr, b: &Expr) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    let size = Expr::int(i128::from(pair.source.size.max(pair.sink.size)));
    let mut add = |coefficient: Expr| {
        if !pair.symbols.invariant_in(&coefficient, pair.of) || coefficient.is_zero() {
            return;
        }
        // Of a sign that is not known, a condition takes the one of a plain length: `ld`, not `-ld`.
        let first = leading(&coefficient);
        let minus = first.is_some_and(|first| first.terms().any(|term| term.coefficient.is_negative()));
        let negative = pair.facts.prove_nonnegative(&-&coefficient)
            || (minus && !pair.facts.prove_nonnegative(&coefficient));
        let positive = if negative { -&coefficient } else { coefficient };
        if positive != size && !found.contains(&positive) {
            found.push(positive);
        }
    };
    for expr in [a, b] {
        for symbol in expr.symbols() {
            if pair.symbols.varies_in(symbol, pair.of)
                && let Some((coefficient, _)) = expr.linear_in(symbol)
            {
                add(coefficient);
            }
        }
        // Quotients and remainders: `n * (i % 3)`.
        for term in expr.terms() {
            for (atom, power) in term.monomial.factors() {
                let atom = Expr::atom(atom.clone());
                if *power == 1 && atom.as_symbol().is_none() && !pair.symbols.invariant_in(&atom, pair.of) {
                    let term = Expr::monomial(&term.monomial, term.coefficient.clone());
                    exact_quotient(&term, &atom).into_iter().for_each(&mut add);
                }
            }
        }
    }
    found.sort_by(|x, y| {
        let degree = |expr: &Expr| expr.terms().map(|term| term.monomial.degree()).max().unwrap_or(0);
        degree(y)
            .cmp(&degree(x))
            .then_with(|| y.as_constant().cmp(&x.as_constant()))
            .then_with(|| x.cmp(y))
    });
    found.truncate(MAX_STRIDES);
    found
}

/// `a` of the source and `b` of the sink (not renamed), which may not be apart as a whole, can never be equal under the facts.
fn differ(
    pair: &Pair<'_>,
    facts: &Facts,
    a: &Expr,
    b: &Expr,
    strides: &[Expr],
    missing: &mut Missing<'_>,
) -> bool {
    let (source, sink) = (pair.source.size, pair.sink.size);
    for (number, stride) in strides.iter().enumerate() {
        let asked_before = missing.count();
        for (qa, ra) in splits(a, stride) {
            missing.only(asked_before);
            if !inside(&pair.source.facts, &ra, source, stride, missing) {
                continue;
            }
            let asked_of_source = missing.count();
            for (qb, rb) in splits(b, stride) {
                missing.only(asked_of_source);
                if !inside(&pair.sink.facts, &rb, sink, stride, missing) {
                    continue;
                }
                let facts = &missing.added_to(facts);
                let quotient = &pair.rename(&qb) - &qa;
                if facts.prove_nonzero(&quotient) {
                    return true;
                }
                let mut together = facts.clone();
                together.assume_zero(quotient);
                let rest = &strides[number + 1..];
                if together.infeasible()
                    || apart(&together, &(&pair.rename(&rb) - &ra), source, sink)
                    || differ(pair, &together, &ra, &rb, rest, missing)
                {
                    return true;
                }
                // One way to split is enough: the others say the same.
                if missing.count() == asked_before {
                    return false;
                }
            }
        }
        missing.only(asked_before);
    }
    // Elements of one size in one grid overlap only if they are the same.
    let size = Expr::int(i128::from(source));
    let distance = &pair.rename(b) - a;
    if source == sink && exact_quotient(&distance, &size).is_some() {
        let mut together = facts.clone();
        together.assume_zero(distance);
        return together.infeasible();
    }
    false
}

/// The ways to write `expr = q * stride + r` that are worth trying: every coefficient goes to the nearest multiple of
/// the stride, the constant to the one below or above; of a stride that is not a number, what is left may count back from the end of the row before.
pub(crate) fn splits(expr: &Expr, stride: &Expr) -> Vec<(Expr, Expr)> {
    match stride.as_constant() {
        Some(stride) => numeric_splits(expr, &stride),
        None => symbolic_splits(expr, stride),
    }
}

fn numeric_splits(expr: &Expr, stride: &Integer) -> Vec<(Expr, Expr)> {
    let whole = Expr::constant(stride.clone());
    let mut quotient = Expr::zero();
    for term in expr.terms() {
        if term.monomial.is_one() {
            continue;
        }
        let doubled = &(&term.coefficient + &term.coefficient) + stride;
        let Some(nearest) = doubled.floor_div(&(stride + stride)) else {
            return Vec::new();
        };
        quotient = &quotient + &Expr::monomial(&term.monomial, nearest);
    }
    let Some(below) = expr.constant_term().floor_div(stride) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for constant in [below.clone(), &below + &Integer::from(1)] {
        let quotient = &quotient + &Expr::constant(constant);
        let rest = expr - &(&quotient * &whole);
        found.push((quotient, rest));
    }
    found
}

fn symbolic_splits(expr: &Expr, stride: &Expr) -> Vec<(Expr, Expr)> {
    let Some((quotient, rest)) = symbolic_split(expr, stride) else {
        return Vec::new();
    };
    // `(i + 1) * m - k` lies in row `i`, `m - k` elements from its beginning.
    let counts_back = rest.terms().any(|term| term.coefficient.is_negative());
    let before = counts_back.then(|| (&quotient - &Expr::one(), &rest + stride));
    std::iter::once((quotient, rest)).chain(before).collect()
}

/// The terms that the stride divides, and the others. A stride that is a sum is taken out by its leading term, as in
/// `j * (m + 1)`.
fn symbolic_split(expr: &Expr, stride: &Expr) -> Option<(Expr, Expr)> {
    let first = leading(stride)?;
    let mut quotient = Expr::zero();
    let mut rest = expr.clone();
    for _ in 0..16 {
        let step = rest.terms().find_map(|term| {
            let candidate =
                exact_quotient(&Expr::monomial(&term.monomial, term.coefficient.clone()), &first)?;
            (!candidate.is_zero()).then_some(candidate)
        });
        let Some(candidate) = step else { break };
        rest = &rest - &(&candidate * stride);
        quotient = &quotient + &candidate;
    }
    (!quotient.is_zero()).then_some((quotient, rest))
}

/// The term of highest degree.
fn leading(expr: &Expr) -> Option<Expr> {
    let term = expr.terms().max_by_key(|term| term.monomial.degree())?;
    Some(Expr::monomial(&term.monomial, term.coefficient.clone()))
}

fn inside(facts: &Facts, remainder: &Expr, size: u64, stride: &Expr, missing: &mut Missing<'_>) -> bool {
    let left = &(stride - remainder) - &Expr::int(i128::from(size));
    missing.nonnegative(facts, remainder) && missing.nonnegative(facts, &left)
}
