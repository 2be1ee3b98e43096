//! The rungs of the ladder, in order.

use super::Answer;
use super::missing::Missing;
use super::view;
use crate::access::Access;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Facts, Integer, Symbol};

/// A test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rung {
    /// The distance is a constant.
    Constant,
    /// One induction variable with one coefficient.
    StrongSiv,
    /// No multiple of the common divisor lies in the distance.
    Gcd,
    /// A subscript of the declared shape differs.
    Subscript,
    /// The ranges of the addresses are apart.
    Range,
    /// A quotient or remainder by a stride differs.
    Delinearised,
}

/// How often each rung decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Pairs asked.
    pub asked: u64,
    /// Decided, by rung in the order of [`Rung`].
    pub decided: [u64; 6],
    /// Not decided.
    pub unknown: u64,
}

impl Counters {
    /// Counts one answer.
    pub fn count(&mut self, answer: &Answer) {
        self.asked += 1;
        match answer {
            Answer::Independent(rung) => self.decided[*rung as usize] += 1,
            Answer::Carried { .. } => self.decided[Rung::StrongSiv as usize] += 1,
            Answer::Unknown => self.unknown += 1,
        }
    }
}

/// Everything that the rungs look at.
pub(super) struct Pair<'a> {
    pub symbols: &'a Symbols,
    pub of: StmtId,
    pub source: &'a Access,
    pub sink: &'a Access,
    /// What holds at the source, at the sink (renamed), and between the iterations.
    pub facts: Facts,
}

impl Pair<'_> {
    /// An expression of the sink's iteration.
    pub fn rename(&self, expr: &Expr) -> Expr {
        rename(self.symbols, self.of, expr)
    }

    /// True if the expression cannot be zero.
    pub fn never_zero(&self, expr: &Expr) -> bool {
        if let Some(constant) = expr.as_constant() {
            return !constant.is_zero();
        }
        let one = Expr::one();
        self.facts.prove_nonnegative(&(expr - &one)) || self.facts.prove_nonnegative(&(&-expr - &one))
    }
}

/// What stands for a symbol that varies, in the later iteration.
pub(super) fn renamed(symbols: &Symbols, symbol: Symbol) -> Symbol {
    Symbol(symbol.0 + symbols.len() as u32)
}

/// The symbols that vary in the loop become others, for the later iteration.
pub(super) fn rename(symbols: &Symbols, of: StmtId, expr: &Expr) -> Expr {
    expr.substitute_all(&|symbol| {
        symbols
            .varies_in(symbol, of)
            .then(|| Expr::symbol(renamed(symbols, symbol)))
    })
}

/// What holds at the source, at the sink of a later iteration (renamed), and between the iterations.
pub(super) fn facts_of_both(
    symbols: &Symbols,
    of: StmtId,
    counter: Symbol,
    source: &Access,
    sink: &Access,
) -> Facts {
    let mut facts = source.facts.clone();
    for (condition, _) in sink.facts.conditions() {
        facts.assume(&condition.substitute_all(&|symbol| {
            symbols
                .varies_in(symbol, of)
                .then(|| Expr::symbol(renamed(symbols, symbol)))
        }));
    }
    let apart = &Expr::symbol(renamed(symbols, counter)) - &Expr::symbol(counter);
    facts.assume_nonnegative(&apart - &Expr::one());
    facts
}

/// Does `sink` in a later iteration touch what `source` touched in an earlier one? Both have the same root, or none
/// whose storage could differ.
pub fn carried(symbols: &Symbols, of: StmtId, counter: Symbol, source: &Access, sink: &Access) -> Answer {
    decided(symbols, of, counter, source, sink, None)
}

/// The same for iterations in which two expressions are equal, the first at the source, the second at the sink.
pub fn carried_where(
    symbols: &Symbols,
    of: StmtId,
    counter: Symbol,
    source: &Access,
    sink: &Access,
    equal: (&Expr, &Expr),
) -> Answer {
    match decided(symbols, of, counter, source, sink, Some(equal)) {
        // That there are iterations in which they are equal is not known.
        Answer::Carried { .. } => Answer::Unknown,
        answer => answer,
    }
}

fn decided(
    symbols: &Symbols,
    of: StmtId,
    counter: Symbol,
    source: &Access,
    sink: &Access,
    equal: Option<(&Expr, &Expr)>,
) -> Answer {
    let (Some(a), Some(b)) = (&source.address, &sink.address) else {
        return Answer::Unknown;
    };
    let later = rename(symbols, of, b);
    let distance = &later - a;
    let difference = equal.map(|(first, second)| &rename(symbols, of, second) - first);
    // Constant: neither address varies.
    let constant = distance.as_constant();
    if let Some(constant) = &constant {
        if !overlaps(constant, source.size, sink.size) {
            return Answer::Independent(Rung::Constant);
        }
        if difference.is_none() {
            return Answer::Carried { distance: None };
        }
    }
    let k = Expr::symbol(counter);
    let k_later = Expr::symbol(renamed(symbols, counter));
    if constant.is_none() && gcd_excludes(&distance, source.size, sink.size) {
        return Answer::Independent(Rung::Gcd);
    }
    let mut facts = facts_of_both(symbols, of, counter, source, sink);
    if let Some(difference) = difference {
        facts.assume_zero(difference);
        if facts.infeasible() {
            return Answer::Independent(Rung::Subscript);
        }
        if constant.is_some() {
            return Answer::Unknown;
        }
    }
    let single = single_variable(&distance, &k, &k_later, source, sink).map(|distances| {
        // Only distances that the loop is long enough for.
        distances.into_iter().find(|apart| {
            let mut at = facts.clone();
            at.assume_zero(&(&k_later - &k) - apart);
            !at.infeasible()
        })
    });
    if let Some(None) = single {
        return Answer::Independent(Rung::StrongSiv);
    }
    let pair = Pair {
        symbols,
        of,
        source,
        sink,
        facts,
    };
    // Also where addresses would meet: past the end of its dimension a subscript reaches nothing.
    if view::subscripts_differ(&pair) {
        return Answer::Independent(Rung::Subscript);
    }
    if let Some(distance) = single {
        return Answer::Carried { distance };
    }
    if apart(&pair.facts, &distance, source.size, sink.size) {
        return Answer::Independent(Rung::Range);
    }
    if view::delinearised_differ(&pair, &mut Missing::nothing()) {
        return Answer::Independent(Rung::Delinearised);
    }
    Answer::Unknown
}

/// `later - earlier` in bytes, a constant: do the two overlap?
fn overlaps(distance: &Integer, source: u64, sink: u64) -> bool {
    let low = Integer::from(-i128::from(sink));
    let high = Integer::from(i128::from(source));
    low < *distance && *distance < high
}

/// True if the distance is always at least the size of the one that lies below.
fn apart(facts: &Facts, distance: &Expr, source: u64, sink: u64) -> bool {
    facts.prove_nonnegative(&(distance - &Expr::int(i128::from(source))))
        || facts.prove_nonnegative(&(&-distance - &Expr::int(i128::from(sink))))
}

/// `c * (k' - k) + d` with constants, the strong single-index-variable test: the distances at which the two overlap.
fn single_variable(
    distance: &Expr,
    k: &Expr,
    k_later: &Expr,
    source: &Access,
    sink: &Access,
) -> Option<Vec<Expr>> {
    let (slope, rest) = distance.linear_in(k_later.as_symbol()?)?;
    let slope = slope.as_constant()?;
    if slope.is_zero() {
        return None;
    }
    let rest = &rest + &(&Expr::constant(slope.clone()) * k);
    let rest = rest.as_constant()?;
    // Overlap needs -sink < slope * n + rest < source for some n >= 1.
    let mut found = Vec::new();
    let size = Integer::from(i128::from(source.size.max(sink.size)));
    let center = Integer::from(0) - rest.clone();
    let first = (center.clone() - size.clone()).floor_div(&slope)?;
    let last = (center + size).floor_div(&slope)?;
    let (mut n, end) = if first <= last {
        (first, last)
    } else {
        (last, first)
    };
    n = n - Integer::from(1);
    let end = end + Integer::from(1);
    let mut steps = 0;
    while n <= end {
        if n >= Integer::from(1)
            && overlaps(
                &(slope.clone() * n.clone() + rest.clone()),
                source.size,
                sink.size,
            )
        {
            found.push(Expr::constant(n.clone()));
        }
        n = n + Integer::from(1);
        steps += 1;
        if steps > 64 {
            return None;
        }
    }
    Some(found)
}

/// All coefficients are constants with a common divisor `g`, and no multiple of `g` brings the two together.
fn gcd_excludes(distance: &Expr, source: u64, sink: u64) -> bool {
    let constant = distance.constant_term();
    let divisor = distance.without_constant().content();
    if divisor.is_zero() || divisor.is_one() {
        return false;
    }
    // The distances that occur are constant mod divisor; the nearest to zero from both sides must not overlap.
    let Some(above) = constant.floor_mod(&divisor) else {
        return false;
    };
    let below = above.clone() - divisor;
    !overlaps(&above, source, sink) && !overlaps(&below, source, sink)
}
