//! The rungs of the ladder, in order.

use super::digits;
use super::missing::Missing;
use super::prepared::Prepared;
use super::view;
use super::{Answer, Both};
use crate::access::Access;
use crate::quotient::exact_quotient;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Facts, Integer, Symbol};

/// A test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rung {
    /// The distance is a constant.
    Constant,
    /// No multiple of the common divisor lies in the distance.
    Gcd,
    /// One induction variable with one coefficient, a number.
    StrongSiv,
    /// The same with a coefficient that is not known and never zero.
    SymbolicSiv,
    /// A subscript of the declared shape differs.
    Subscript,
    /// The ranges of the addresses are apart.
    Range,
    /// A quotient or remainder by a stride differs.
    Delinearised,
    /// Each case of an address that depends on conditions is decided by one of the others.
    Cases,
    /// There are no iterations in which the two meet: integer sets are asked.
    Exact,
}

impl Rung {
    /// All of them, in the order in which they are asked.
    pub const ALL: [Rung; 9] = [
        Rung::Constant,
        Rung::Gcd,
        Rung::StrongSiv,
        Rung::SymbolicSiv,
        Rung::Subscript,
        Rung::Range,
        Rung::Delinearised,
        Rung::Cases,
        Rung::Exact,
    ];
}

/// What came of a pair of accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Updates of one element by one operation.
    Reduction,
    /// Never the same storage.
    OtherStorage,
    /// Other storage, if a test before the loop says so.
    OverlapTest,
    /// The ladder shows that different iterations never meet, in either order.
    Tests,
    /// Through a table of pointers: in different rows, or apart in the same.
    Rows,
    /// Each iteration can have the object for itself.
    Copies,
    /// Updates by one operation, in any order, if each of them is atomic.
    Atomic,
    /// Updates by one operation of the same elements, of which copies can be combined.
    Section,
    /// Apart if something holds of values before the loop.
    Condition,
    /// They certainly meet.
    Carried,
    /// They may meet.
    Open,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 11] = [
        Outcome::Reduction,
        Outcome::OtherStorage,
        Outcome::OverlapTest,
        Outcome::Tests,
        Outcome::Rows,
        Outcome::Copies,
        Outcome::Atomic,
        Outcome::Section,
        Outcome::Condition,
        Outcome::Carried,
        Outcome::Open,
    ];
}

/// What came of the pairs of accesses of a loop, and how often each rung decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Pairs of accesses, one of them a write, by what came of them, in the order of [`Outcome`].
    outcomes: [u64; Outcome::ALL.len()],
    /// Questions that are answered by no, in the order of [`Rung`].
    independent: [u64; Rung::ALL.len()],
    /// Questions that are answered by yes.
    dependent: [u64; Rung::ALL.len()],
    /// Not decided.
    pub unknown: u64,
}

impl Counters {
    /// Counts one answer.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Independent(rung) => self.independent[*rung as usize] += 1,
            Answer::Carried { rung, .. } => self.dependent[*rung as usize] += 1,
            Answer::Unknown => self.unknown += 1,
        }
    }

    /// Counts pairs of accesses.
    pub fn count_pairs(&mut self, outcome: Outcome, pairs: u64) {
        self.outcomes[outcome as usize] += pairs;
    }

    /// How many pairs there are of which this came.
    pub fn pairs(&self, outcome: Outcome) -> u64 {
        self.outcomes[outcome as usize]
    }

    /// To how many questions a rung found the answer: that the two do not meet, that they do.
    pub fn decided(&self, rung: Rung) -> (u64, u64) {
        (self.independent[rung as usize], self.dependent[rung as usize])
    }

    /// Questions: pairs that may reach one storage, in each order in which the two may come.
    pub fn asked(&self) -> u64 {
        self.independent.iter().chain(&self.dependent).sum::<u64>() + self.unknown
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
        self.facts.prove_nonzero(expr)
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
    let [source, sink] = [source, sink].map(|access| Prepared::new(symbols, of, access));
    carried_to(
        counter,
        &source,
        &sink,
        Effort::Full,
        &Both::new(symbols, of, counter),
    )
    .answer
}

/// The same, of accesses that are asked about again and again.
pub(super) fn carried_to(
    counter: Symbol,
    source: &Prepared<'_>,
    sink: &Prepared<'_>,
    effort: Effort,
    both: &Both<'_>,
) -> Decided {
    decided(counter, source, sink, None, effort, both)
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
    let [source, sink] = [source, sink].map(|access| Prepared::new(symbols, of, access));
    let both = Both::new(symbols, of, counter);
    match decided(counter, &source, &sink, Some(equal), Effort::Full, &both).answer {
        // That there are iterations in which they are equal is not known.
        Answer::Carried { .. } => Answer::Unknown,
        answer => answer,
    }
}

/// Which tests are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Those that look at one coefficient.
    Little,
    /// All.
    Full,
    /// All; but before the dear ones, values are looked for that show that these say nothing.
    ValuesFirst,
    /// All; and where they say nothing, values are looked for that show that nothing else does.
    ValuesLast,
}

/// An answer, and what was seen on the way to it.
pub(super) struct Decided {
    pub answer: Answer,
    /// Where values were looked for for which all holds that is known, and the two are the same element: whether there are some. Then nothing that is known keeps them apart.
    pub meet: Option<bool>,
}

impl From<Answer> for Decided {
    fn from(answer: Answer) -> Decided {
        Decided { answer, meet: None }
    }
}

fn decided(
    counter: Symbol,
    first: &Prepared<'_>,
    second: &Prepared<'_>,
    equal: Option<(&Expr, &Expr)>,
    effort: Effort,
    both: &Both<'_>,
) -> Decided {
    let (symbols, of) = first.asked();
    let (source, sink) = (first.access(), second.access());
    let (Some(a), Some(later)) = (&source.address, second.later()) else {
        return Answer::Unknown.into();
    };
    let distance = later - a;
    let difference = equal.map(|(first, second)| &rename(symbols, of, second) - first);
    // Constant: neither address varies.
    let constant = distance.as_constant();
    if let Some(constant) = &constant {
        if !overlaps(constant, source.size, sink.size) {
            return Answer::Independent(Rung::Constant).into();
        }
        if difference.is_none() {
            let rung = Rung::Constant;
            return Answer::Carried { rung, distance: None }.into();
        }
    }
    let k = Expr::symbol(counter);
    let k_later = Expr::symbol(renamed(symbols, counter));
    if constant.is_none() && gcd_excludes(&distance, source.size, sink.size) {
        return Answer::Independent(Rung::Gcd).into();
    }
    // What both iterations know is gathered for what needs it.
    let mut pair = Pair {
        symbols,
        of,
        source,
        sink,
        facts: Facts::new(),
    };
    let subscripts = match effort {
        Effort::Full | Effort::ValuesFirst | Effort::ValuesLast => {
            view::differences_of_subscripts(first, second)
        }
        Effort::Little => None,
    };
    let is_another = |difference: &Expr| difference.as_constant().is_some_and(|number| !number.is_zero());
    if subscripts.iter().flatten().any(is_another) {
        return Answer::Independent(Rung::Subscript).into();
    }
    // Declared dimensions say all that digits could.
    let digits = match &subscripts {
        Some(declared) if declared.len() >= 2 => None,
        _ => digits::differences(first, second),
    };
    let is_excluded = |digit: &Expr| digits::is_excluded(digit, (&k, &k_later));
    let is_another_digit = || digits.iter().flatten().any(is_excluded);
    let size = source.size.max(sink.size);
    let slope = slope(&distance, (&k, &k_later));
    let rest = |slope: &Expr| &distance - &(slope * &(&k_later - &k));
    let number = slope.as_ref().and_then(Expr::as_constant);
    let (numeric, symbolic) = match (slope, number) {
        (Some(slope), Some(number)) => (single_variable(number, &rest(&slope), source, sink), None),
        (Some(slope), None) => (None, single_symbolic(symbols, of, slope, &rest)),
        (None, _) => (None, None),
    };
    let has_single = numeric.is_some() || symbolic.is_some();
    // Where nothing else is as cheap, no facts are needed for it.
    if !has_single && is_another_digit() {
        return Answer::Independent(Rung::Delinearised).into();
    }
    if effort == Effort::Little && !has_single {
        return Answer::Unknown.into();
    }
    let mut facts = both.of(source, sink);
    if let Some(difference) = difference {
        facts.assume_zero(difference);
        if facts.infeasible() {
            return Answer::Independent(Rung::Subscript).into();
        }
        if constant.is_some() {
            return Answer::Unknown.into();
        }
    }
    let at = |facts: &Facts, apart: &Expr| {
        let mut at = facts.clone();
        at.assume_zero(&(&k_later - &k) - apart);
        at
    };
    let mut sure = None;
    let single = numeric.map(|distances| (Rung::StrongSiv, distances)).or_else(|| {
        let (slope, distances) = symbolic?;
        spans(&facts, &slope, size).then_some((Rung::SymbolicSiv, distances))
    });
    if let Some((rung, distances)) = single {
        // Only distances that the loop is long enough for.
        let mut possible = distances
            .into_iter()
            .filter(|apart| !at(&facts, apart).infeasible())
            .peekable();
        if possible.peek().is_none() {
            return Answer::Independent(rung).into();
        }
        // Where the two would meet only past the end of a declared dimension, nothing is certain.
        let nearest = possible.find(|apart| {
            let mut at = at(&facts, apart);
            view::assume_inside(&mut at, source, &|index| index.clone());
            view::assume_inside(&mut at, sink, &|index| rename(symbols, of, index));
            !at.infeasible()
        });
        sure = nearest.map(|apart| (rung, apart));
    }
    if has_single && is_another_digit() {
        return Answer::Independent(Rung::Delinearised).into();
    }
    if effort == Effort::Little {
        return Answer::Unknown.into();
    }
    pair.facts = facts;
    let certain = |(rung, apart)| Answer::Carried {
        rung,
        distance: Some(apart),
    };
    let seen = Seen {
        distance: &distance,
        subscripts: subscripts.as_deref(),
        digits: digits.as_deref(),
    };
    let are_values_known = || seen.may_be_equal(&pair, &|| both.with_room(source, sink));
    let mut meet = None;
    if effort == Effort::ValuesFirst {
        meet = are_values_known();
    }
    if meet == Some(true) {
        let answer = sure.map_or(Answer::Unknown, certain);
        return Decided { answer, meet };
    }
    let cheap = seen.cheap_proofs(&pair, sure.map(certain));
    if let Some(answer) = cheap {
        return Decided { answer, meet };
    }
    // The dear proofs would say of the whole address what was asked of its digits.
    if digits.is_some() && meet.is_none() {
        meet = are_values_known();
    }
    let answer = match meet {
        Some(true) => Answer::Unknown,
        _ => seen.dear_proofs(&pair),
    };
    if effort == Effort::ValuesLast && answer == Answer::Unknown && meet.is_none() {
        meet = are_values_known();
    }
    Decided { answer, meet }
}

/// By how much two accesses are apart, in all views of them that there are.
struct Seen<'a> {
    /// In bytes.
    distance: &'a Expr,
    /// In their declared dimensions.
    subscripts: Option<&'a [Expr]>,
    /// In their digits, which say all of the distance.
    digits: Option<&'a [Expr]>,
}

impl Seen<'_> {
    /// See [`view::may_be_equal`].
    fn may_be_equal(&self, pair: &Pair<'_>, roomy: &dyn Fn() -> Facts) -> Option<bool> {
        let address = self.digits.unwrap_or(std::slice::from_ref(self.distance));
        // One declared dimension is the whole address in other words.
        let subscripts = match self.digits {
            Some(_) => &[],
            None => self.subscripts.unwrap_or_default(),
        };
        let all: Vec<&Expr> = subscripts.iter().chain(address).collect();
        view::may_be_equal(pair, roomy, &all)
    }

    /// What the proofs find that look at no product, of two accesses that meet for certain, if that is known.
    fn cheap_proofs(&self, pair: &Pair<'_>, certain: Option<Answer>) -> Option<Answer> {
        if view::subscripts_differ(pair, self.distance, self.subscripts) {
            return Some(Answer::Independent(Rung::Subscript));
        }
        if certain.is_some() {
            return certain;
        }
        if view::are_their_subscripts(pair, self.distance, self.subscripts) {
            return Some(Answer::Unknown);
        }
        let are_apart = self
            .digits
            .is_some_and(|digits| view::never_all_zero(pair, digits));
        are_apart.then_some(Answer::Independent(Rung::Delinearised))
    }

    /// What the others find.
    fn dear_proofs(&self, pair: &Pair<'_>) -> Answer {
        if apart(&pair.facts, self.distance, pair.source.size, pair.sink.size) {
            return Answer::Independent(Rung::Range);
        }
        if view::delinearised_differ(pair, &mut Missing::nothing()) {
            return Answer::Independent(Rung::Delinearised);
        }
        Answer::Unknown
    }
}

/// `later - earlier` in bytes, a constant: do the two overlap?
fn overlaps(distance: &Integer, source: u64, sink: u64) -> bool {
    let low = Integer::from(-i128::from(sink));
    let high = Integer::from(i128::from(source));
    low < *distance && *distance < high
}

/// True if the distance is always at least the size of the one that lies below.
pub(super) fn apart(facts: &Facts, distance: &Expr, source: u64, sink: u64) -> bool {
    // Elements of one size in one grid overlap only if they are the same: that both sides are asked about together costs half.
    let elements = (source == sink)
        .then(|| exact_quotient(distance, &Expr::int(i128::from(source))))
        .flatten();
    if let Some(elements) = elements {
        return facts.prove_nonzero(&elements);
    }
    facts.prove_nonnegative(&(distance - &Expr::int(i128::from(source))))
        || facts.prove_nonnegative(&(&-distance - &Expr::int(i128::from(sink))))
}

/// The `c` of a distance `c * (k' - k) + d` in which both iterations of the loop are mentioned.
fn slope(distance: &Expr, (k, k_later): (&Expr, &Expr)) -> Option<Expr> {
    let (k, k_later) = (k.as_symbol()?, k_later.as_symbol()?);
    match distance.mentions(k) && distance.mentions(k_later) {
        true => distance.slope_in(k_later),
        false => None,
    }
}

/// `c * (k' - k) + d` with constants `c` and `d`, the strong single-index-variable test: the distances at which the two overlap.
fn single_variable(slope: Integer, rest: &Expr, source: &Access, sink: &Access) -> Option<Vec<Expr>> {
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

/// `c * (k' - k + m)` with a number `m`, and a coefficient that does not change, which comes first: where it is never less than an element, the two overlap
/// at the distance `-m` only. The strong test with its symbolic coefficient (figure 3 of IPDA).
fn single_symbolic(
    symbols: &Symbols,
    of: StmtId,
    slope: Expr,
    rest: &dyn Fn(&Expr) -> Expr,
) -> Option<(Expr, Vec<Expr>)> {
    if !is_fixed(symbols, of, &slope) {
        return None;
    }
    let apart = exact_quotient(&-rest(&slope), &slope)?.as_constant()?;
    let is_later = apart >= Integer::from(1);
    Some((
        slope,
        is_later.then(|| Expr::constant(apart)).into_iter().collect(),
    ))
}

/// True if a coefficient, in bytes, is never less than an element in size.
fn spans(facts: &Facts, slope: &Expr, size: u64) -> bool {
    let size = Expr::int(i128::from(size));
    facts.prove_nonnegative(&(slope - &size)) || facts.prove_nonnegative(&(&-slope - &size))
}

/// True if an expression is the same in both iterations.
pub(super) fn is_fixed(symbols: &Symbols, of: StmtId, expr: &Expr) -> bool {
    // Also what stands for a value of the later iteration is another one.
    let is_another = |symbol: Symbol| (symbol.0 as usize) >= symbols.len() || symbols.varies_in(symbol, of);
    !expr.any_symbol(&is_another)
}

/// All coefficients are constants with a common divisor `g`, and no multiple of `g` brings the two together.
fn gcd_excludes(distance: &Expr, source: u64, sink: u64) -> bool {
    let constant = distance.constant_term();
    let divisor = distance.variable_content();
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
