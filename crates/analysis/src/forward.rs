//! Which sizes must be positive, so that rows lie one behind the other?
//!
//! With an `int m`, the rows of `a[i * m + j]` may as well lie one before the other, for all that C says, and where the elements end that a loop touches
//! depends on the sign of every length in the address. Hardly a program means that, and none says so. Like the ranges of `bounded` this is a guess:
//! the function is analysed once more with positive sizes, and everything that comes of that holds where they are, which is tested before each
//! kernel (`Values::taken`).
//!
//! What it cannot do: sizes that change in a loop, lengths that are differences of sizes (`m - n`) or products of differences, and sizes of functions that are called.

use crate::access::Access;
use crate::bounded::{Bound, Size};
use crate::loops::LoopIndex;
use crate::value::Values;
use crate::verdict::FunctionFacts;
use ferry_ir::{Type, Unit};
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Most sizes that are guessed: a longer test is not cheap.
const MOST: usize = 8;

/// Greatest number that is subtracted from a size (`n - 2`) for which there is a guess.
const MOST_LESS: i128 = 64;

/// The sizes in the lengths of rows that `loops` touch whose sign is not known, with values at which rows lie one behind the other.
pub fn lengths(unit: &Unit, facts: &FunctionFacts, loops: &BTreeSet<LoopIndex>) -> Vec<Bound> {
    let values = &facts.values;
    let mut least: BTreeMap<Symbol, i128> = BTreeMap::new();
    let mut seen: BTreeSet<Expr> = BTreeSet::new();
    let touched = |access: &&Access| access.loops.iter().any(|index| loops.contains(index));
    for access in values.accesses.iter().filter(touched) {
        for length in lengths_of(values, access) {
            if seen.insert(length.clone())
                && let Some(sizes) = positive(unit, values, access, &length)
            {
                for (symbol, from) in sizes {
                    let known = least.entry(symbol).or_insert(from);
                    *known = from.max(*known);
                }
            }
        }
    }
    let mut bounds: Vec<Bound> = Vec::new();
    for (symbol, least) in least {
        let info = values.symbols.info(symbol);
        let (Some(of), Some(most)) = (Size::of(info), greatest(unit, values, symbol)) else {
            continue;
        };
        match bounds.iter_mut().find(|bound| bound.of == of) {
            Some(bound) => bound.least = bound.least.max(least),
            None => bounds.push(Bound { of, least, most }),
        }
    }
    match bounds.len() <= MOST {
        true => bounds,
        false => Vec::new(),
    }
}

/// By what the counters of loops are multiplied in an address, where the sign of that is not known; of both signs the one of a plain length.
fn lengths_of(values: &Values, access: &Access) -> Vec<Expr> {
    let Some(offset) = access.offset() else {
        return Vec::new();
    };
    let varies = |symbol: &Symbol| !values.symbols.info(*symbol).loops.is_empty();
    let mut found = Vec::new();
    for symbol in offset.symbols().into_iter().filter(varies) {
        let Some(slope) = offset
            .slope_in(symbol)
            .filter(|slope| slope.as_constant().is_none())
        else {
            continue;
        };
        let is_minus = leading(&slope).is_some_and(|coefficient| coefficient.is_negative());
        let length = if is_minus { -&slope } else { slope };
        if !access.facts.prove_nonnegative(&length) && !access.facts.prove_nonnegative(&-&length) {
            found.push(length);
        }
    }
    found
}

/// From which value on each size in a length has to be, so that the length is not negative; nor is it zero by them, as a product with that may overflow in C on the
/// way to nothing.
fn positive(unit: &Unit, values: &Values, access: &Access, length: &Expr) -> Option<Vec<(Symbol, i128)>> {
    let is_open = |symbol: &Symbol| !access.facts.prove_nonnegative(&Expr::symbol(*symbol));
    let sizes: Vec<Symbol> = length.symbols().into_iter().filter(is_open).collect();
    let is_size = |symbol: &Symbol| {
        let info = values.symbols.info(*symbol);
        Size::of(info).is_some() && greatest(unit, values, *symbol).is_some()
    };
    if sizes.is_empty() || !sizes.iter().all(is_size) {
        return None;
    }
    // Of `(n - 2) * m` both have to be 3. Written as sums, products of several differences overflow where their values do not.
    let by = leading(length)?;
    let subtracted = || length.terms().filter(|term| term.coefficient.is_negative());
    if subtracted().filter(|term| !term.monomial.is_one()).count() > 1 {
        return None;
    }
    let subtracted = subtracted().filter_map(|term| term.coefficient.abs().floor_div(&by)?.to_i128());
    [0].into_iter().chain(subtracted.max()).find_map(|from| {
        let mut facts = access.facts.clone();
        for symbol in &sizes {
            facts.assume_nonnegative(&Expr::symbol(*symbol) - &Expr::int(from + 1));
        }
        let is_one =
            (0..=MOST_LESS).contains(&from) && !facts.infeasible() && facts.prove_nonnegative(length);
        is_one.then(|| sizes.iter().map(|symbol| (*symbol, from + 1)).collect())
    })
}

/// What the product of most factors is multiplied by.
fn leading(length: &Expr) -> Option<Integer> {
    let term = length.terms().max_by_key(|term| term.monomial.degree())?;
    Some(term.coefficient.clone())
}

/// The greatest value of the type of a size, if that is a signed integer.
fn greatest(unit: &Unit, values: &Values, symbol: Symbol) -> Option<i128> {
    match *unit.types.get(values.symbols.info(symbol).ty?) {
        Type::Int { bits, signed: true } => Some((1i128 << (u32::from(bits.clamp(1, 64)) - 1)) - 1),
        _ => None,
    }
}
