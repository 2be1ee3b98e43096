//! Do two accesses certainly meet in iterations that lie a fixed number apart in each loop around both?
//!
//! The numbers are looked for in what must be equal where the two meet, subscript by subscript, and put into all of it: where nothing is left of the difference
//! of the addresses, whatever the sizes and the iterations are, the two touch one element that far apart, if each loop runs longer than that. So
//! `a[i * m + j] = a[(i - 2) * m + j]` meets two iterations of `i` apart, in the same iteration of `j`.
//!
//! What it cannot do: find numbers that only several equations together give, and look into loops whose length is another one in the later iteration, or that
//! may be left early.

use super::digits;
use super::ladder::{facts_of_both, rename, renamed};
use super::prepared::Prepared;
use super::view;
use crate::access::Access;
use crate::loops::{LoopFacts, LoopIndex};
use crate::quotient::exact_quotient;
use crate::symbols::Symbols;
use ferry_symbolic::{Expr, Symbol};

/// By how many iterations `sink` is ahead of `source` where the two certainly meet, in each loop around both: that of `index` first, which is always one or more. Both
/// happen in every iteration of these loops.
pub fn fixed_distances(
    symbols: &Symbols,
    loops: &[LoopFacts],
    index: LoopIndex,
    source: &Access,
    sink: &Access,
) -> Option<Vec<i64>> {
    let inside = |access: &Access| -> Option<Vec<LoopIndex>> {
        let own = access.loops.iter().position(|one| *one == index)?;
        access.loops.get(own..).map(<[LoopIndex]>::to_vec)
    };
    let around = inside(source)?;
    if source.size != sink.size || inside(sink)? != around {
        return None;
    }
    let around: Vec<&LoopFacts> = around
        .iter()
        .map(|one| loops.get(one.0 as usize))
        .collect::<Option<_>>()?;
    let (own, inner) = around.split_first()?;
    let of = own.stmt;
    if !inner.iter().all(|one| one.early_exits.is_empty()) {
        return None;
    }
    let moved: Vec<Symbol> = (0..around.len())
        .map(|place| Symbol((2 * symbols.len() + place) as u32))
        .collect();
    let ahead = |symbol: Symbol| {
        let of_symbol = |one: &&LoopFacts| renamed(symbols, one.counter) == symbol;
        let place = around.iter().position(of_symbol)?;
        Some(&Expr::symbol(around[place].counter) + &Expr::symbol(moved[place]))
    };
    let [first, second] = [source, sink].map(|access| Prepared::new(symbols, of, access));
    let distance = second.later()? - source.address.as_ref()?;
    let subscripts = match source.subscripts.is_empty() && sink.subscripts.is_empty() {
        true => Vec::new(),
        false => view::differences_of_subscripts(&first, &second)?,
    };
    // Of a subscript that is not known it is not known whether it is inside of its dimension.
    if subscripts.len() != source.subscripts.len() {
        return None;
    }
    // What must be zero where they meet, and what may help to find out where that is.
    let mut equal: Vec<Expr> = vec![distance];
    equal.extend(subscripts);
    for one in inner {
        let length = one.trip.as_ref().ok()?;
        equal.push(&rename(symbols, of, length) - length);
    }
    let mut hints = digits::differences(&first, &second).unwrap_or_default();
    for equation in equal.iter_mut().chain(&mut hints) {
        *equation = equation.substitute_all(&ahead);
    }
    let mut found: Vec<Option<i64>> = vec![None; moved.len()];
    while let Some((place, number)) = next(&moved, &found, equal.iter().chain(&hints)) {
        found[place] = Some(number);
        let number = Expr::int(i128::from(number));
        for equation in equal.iter_mut().chain(&mut hints) {
            *equation = equation.substitute(moved[place], &number);
        }
    }
    let found: Vec<i64> = found.into_iter().collect::<Option<_>>()?;
    if found.first().is_none_or(|own| *own < 1) || !equal.iter().all(Expr::is_zero) {
        return None;
    }
    // Not where a loop is known to be too short.
    let mut facts = facts_of_both(symbols, of, own.counter, source, sink);
    for (one, number) in around.iter().zip(&found) {
        let later = Expr::symbol(renamed(symbols, one.counter));
        let ahead = &later - &Expr::symbol(one.counter);
        facts.assume_zero(&ahead - &Expr::int(i128::from(*number)));
    }
    (!facts.infeasible()).then_some(found)
}

/// The next number that an equation gives, and the place of its loop. Where none does, the innermost loop that is open is taken to be in the same iteration: what comes of it
/// is looked at in the end. The outermost loop is not guessed.
fn next<'e>(
    moved: &[Symbol],
    found: &[Option<i64>],
    mut equations: impl Iterator<Item = &'e Expr>,
) -> Option<(usize, i64)> {
    let solved = equations.find_map(|equation| {
        let mut open = (0..moved.len()).filter(|place| equation.mentions(moved[*place]));
        let (Some(place), None) = (open.next(), open.next()) else {
            return None;
        };
        let (slope, rest) = equation.linear_in(moved[place])?;
        let number = exact_quotient(&-&rest, &slope)?.as_constant()?.to_i64()?;
        Some((place, number))
    });
    let guessed = || (1..moved.len()).rev().find(|place| found[*place].is_none());
    solved.or_else(|| Some((guessed()?, 0)))
}
