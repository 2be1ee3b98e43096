//! Between which values must sizes lie, so that unsigned arithmetic does not wrap around?
//!
//! `a[i * m + j]` with `size_t` is any element at all, as far as C goes: the product may wrap around. With `n` and `m` below 2³¹ it does not. Nothing else
//! is changed by such a range: the function is analysed once more with it as a fact about its parameters, about what calls return and what lies in memory,
//! and everything that comes of that holds where these lie in it, which is tested before each kernel (`Values::taken`).
//!
//! The ranges are a guess, from the degree of what may wrap and its coefficients; that nothing wraps in them is for the analysis to prove. What it
//! cannot do: sizes that change in a loop (they could not be tested before it), and those of functions that are called.

use crate::loops::LoopFacts;
use crate::symbols::{SymbolInfo, SymbolKind};
use crate::value::Values;
use crate::verdict::FunctionFacts;
use ferry_ir::{StmtId, Type, Unit, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Integer, Symbol};
use std::collections::BTreeSet;

/// Where a value comes from that does not change while the function runs: found again when the function is walked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// It is what a parameter is when the function is entered.
    Parameter(VariableRef),
    /// A call returns it.
    Result(StmtId),
    /// A load finds it in memory.
    Loaded(Origin),
}

impl Size {
    /// Of a symbol; `None` if there may be another value in another iteration of a loop, or it comes from elsewhere.
    pub fn of(info: &SymbolInfo) -> Option<Size> {
        match info.kind {
            SymbolKind::Entry(variable) => Some(Size::Parameter(variable)),
            SymbolKind::Result(stmt) if info.loops.is_empty() => Some(Size::Result(stmt)),
            // Loads that come out of one use of a macro have one origin, whatever they find.
            SymbolKind::Loaded { .. } if info.loops.is_empty() && matches!(info.at, Origin::Text(_)) => {
                Some(Size::Loaded(info.at))
            }
            _ => None,
        }
    }
}

/// A size is not less than `least` and not more than `most`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The size.
    pub of: Size,
    /// Its least value.
    pub least: i128,
    /// Its greatest value.
    pub most: i128,
}

impl Bound {
    /// What it says of the value, without what its type says.
    pub fn conditions(&self, value: &Expr, (low, high): (i128, i128)) -> Vec<Condition> {
        let least = Condition::less_equal(&Expr::int(self.least), value);
        let most = Condition::less_equal(value, &Expr::int(self.most));
        let least = (self.least > low).then_some(least);
        let most = (self.most < high).then_some(most);
        least.into_iter().chain(most).collect()
    }
}

/// Most sizes that are bounded: a longer test is not cheap.
const MOST: usize = 8;

/// Least width of a range that is worth a test.
const ROOM: i128 = 100;

/// Greatest number that is subtracted from a size (`n - 2`) for which a range is looked for.
const MOST_LESS: i128 = 64;

/// Greatest end of a range: more elements than a memory has, and room for what is counted in bytes.
const GREATEST: i128 = 1 << 40;

/// How deep values that may wrap around lie in one another.
const DEPTH: usize = 8;

/// The ranges of a function's sizes that may help, by its facts without them; none if nothing of its loops may wrap around.
pub fn bounds(unit: &Unit, facts: &FunctionFacts) -> Vec<Bound> {
    let values = &facts.values;
    if values.wrapping.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Bound> = Vec::new();
    for symbol in relevant(values) {
        let Some((_, ty)) = values.wrapping.get(&symbol) else {
            continue;
        };
        let Type::Int { bits, signed: false } = *unit.types.get(*ty) else {
            continue;
        };
        let value = without_wrapping(values, &Expr::symbol(symbol));
        let most = greatest(&value, u32::from(bits));
        let less = subtracted(&value);
        for (of, symbol, direct) in sizes(values, &value) {
            let Some(ty) = values.symbols.info(symbol).ty else {
                continue;
            };
            let Type::Int { bits, signed } = *unit.types.get(ty) else {
                continue;
            };
            let bits = u32::from(bits.clamp(1, 64)) - u32::from(signed);
            let known = found.iter().position(|bound| bound.of == of);
            let number = known.unwrap_or_else(|| {
                let most = (1i128 << bits) - 1;
                found.push(Bound { of, least: 0, most });
                found.len() - 1
            });
            let bound = &mut found[number];
            bound.most = bound.most.min(most);
            if direct {
                bound.least = bound.least.max(less);
            }
        }
    }
    // A range without room is never taken, and with an empty one all would be proved.
    let is_wide = |bound: &Bound| bound.most - bound.least >= ROOM;
    match found.len() <= MOST && found.iter().all(is_wide) {
        true => found,
        false => Vec::new(),
    }
}

/// What may wrap around and matters to a loop: it is part of an address, of a number of iterations, or of a condition of a loop.
fn relevant(values: &Values) -> BTreeSet<Symbol> {
    let mut mentioned: BTreeSet<Symbol> = BTreeSet::new();
    for access in values.accesses.iter().filter(|access| !access.loops.is_empty()) {
        mentioned.extend(access.address.iter().flat_map(Expr::symbols));
    }
    for of in &values.loops {
        mentioned.extend(of_head(values, of));
        for induction in &of.inductions {
            mentioned.extend(induction.start.symbols());
            mentioned.extend(induction.first_step.symbols());
            mentioned.extend(induction.growth.symbols());
        }
    }
    let mut open: Vec<Symbol> = mentioned.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(symbol) = open.pop() {
        if let Some((value, _)) = values.wrapping.get(&symbol)
            && found.insert(symbol)
        {
            open.extend(value.symbols());
        }
    }
    found
}

/// The symbols of how often a loop runs, and of its condition.
fn of_head(values: &Values, of: &LoopFacts) -> BTreeSet<Symbol> {
    let test = values.conditions.get(&of.stmt).and_then(|test| test.exact());
    let trip = of.trip.iter().flat_map(Expr::symbols);
    trip.chain(test.iter().flat_map(Condition::symbols)).collect()
}

/// The value that there is if nothing wraps around.
fn without_wrapping(values: &Values, value: &Expr) -> Expr {
    let mut value = value.clone();
    for _ in 0..DEPTH {
        let next = value.substitute_all(&|symbol| Some(values.wrapping.get(&symbol)?.0.clone()));
        if next == value {
            break;
        }
        value = next;
    }
    value
}

/// The greatest value of each of its factors with which a value of so many bits certainly fits: the root of what there is room for.
fn greatest(value: &Expr, bits: u32) -> i128 {
    let mut degree = 1;
    let mut terms = Integer::from(1);
    for term in value.terms().filter(|term| !term.monomial.is_one()) {
        degree = degree.max(term.monomial.degree());
        terms = &terms + &term.coefficient.abs();
    }
    let room = (1i128 << bits.min(64)) / terms.to_i128().unwrap_or(i128::MAX).max(1);
    // A power of two where there is enough of them: who reads the condition knows the number.
    let is_small = bits < 64;
    let fits = |root: i128| {
        let mut product = Some(1i128);
        for _ in 0..degree {
            product = product.and_then(|product| product.checked_mul(root));
        }
        product.is_some_and(|product| product <= room)
    };
    let mut root = 1i128;
    while root < GREATEST && fits(root * 2) {
        root *= 2;
    }
    let mut step = if is_small { root } else { 0 };
    while step > 0 {
        if fits(root + step) {
            root += step;
        }
        step /= 2;
    }
    root
}

/// What is subtracted from a size, as 2 in `n - 2`.
fn subtracted(value: &Expr) -> i128 {
    let less = value.constant_term().to_i128().map_or(0, |constant| -constant);
    match less {
        1..=MOST_LESS => less,
        _ => 0,
    }
}

/// The sizes that a value comes from, each with its symbol, and whether it is a term of the value by itself: else a factor, or how often a loop
/// runs whose counter is in it.
fn sizes(values: &Values, value: &Expr) -> Vec<(Size, Symbol, bool)> {
    let alone = |symbol: Symbol| {
        let term = |term: &ferry_symbolic::Term| {
            term.coefficient.is_positive() && {
                let mut factors = term.monomial.factors().iter();
                let own = factors.next().map(|(atom, power)| (atom.as_symbol(), *power));
                own == Some((Some(symbol), 1)) && factors.next().is_none()
            }
        };
        value.terms().any(term)
    };
    let mut open: Vec<Symbol> = value.symbols().into_iter().collect();
    let mut seen: BTreeSet<Symbol> = open.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(symbol) = open.pop() {
        let info = values.symbols.info(symbol);
        if let Some(of) = Size::of(info) {
            found.push((of, symbol, alone(symbol)));
        }
        if let SymbolKind::Counter(stmt) = info.kind {
            let of = values.loops.iter().filter(|of| of.stmt == stmt);
            let mentioned = of
                .flat_map(|of| of_head(values, of))
                .flat_map(|symbol| without_wrapping(values, &Expr::symbol(symbol)).symbols());
            open.extend(mentioned.filter(|symbol| seen.insert(*symbol)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{greatest, subtracted};
    use ferry_symbolic::{Expr, Symbol};

    #[test]
    fn ranges_leave_room() {
        let [i, m, j] = [0, 1, 2].map(|number| Expr::symbol(Symbol(number)));
        let row = &(&i * &m) + &j;
        // 1 + 1 + 1 terms of 2 factors.
        assert_eq!(greatest(&row, 32), 37_837);
        assert_eq!(greatest(&row, 64), 1 << 31);
        assert_eq!(greatest(&(&row * &m), 64), 1 << 20);
        assert_eq!(greatest(&i.scale(&3.into()), 32), 1 << 30);
        assert_eq!(greatest(&Expr::int(7), 32), 1 << 32);
    }

    #[test]
    fn what_is_subtracted_must_be_there() {
        let n = Expr::symbol(Symbol(0));
        assert_eq!(subtracted(&(&n - &Expr::int(2))), 2);
        assert_eq!(subtracted(&(&n + &Expr::int(2))), 0);
        assert_eq!(subtracted(&(&n - &Expr::int(1000))), 0);
    }
}
