//! Under which condition on values that a loop does not change do two accesses never touch the same memory in different iterations?
//!
//! Where the ladder does not decide, an inequality is often all that is missing: `a[i * stride + j]` with `j < width` needs
//! `stride >= width`, and `a[i + k] = a[i]` that `k >= n` or `k <= 0`. Such a condition can be tested before the loop.
//!
//! What it cannot do: conditions on what is in memory (`in_order` does, of values that increase), and say whether a condition is ever true; what
//! is only true of loops with next to no iterations is left to whoever asks.

use super::Both;
use super::ladder::{Pair, rename, renamed};
use super::likely::is_likely;
use super::missing::{Missing, least, without_maxima};
use super::view;
use crate::access::Access;
use crate::quotient::exact_quotient;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Condition, ConditionKind, Expr, Facts, Operation, Relation, Symbol};

/// Conditions under each of which no later iteration touches with `sink` what an earlier one touched with `source`; the one that is likelier to
/// hold first. `changing` is everything that varies in the loop, inner loops first.
pub fn apart_if(
    symbols: &Symbols,
    of: StmtId,
    counter: Symbol,
    changing: &[Symbol],
    (source, sink): (&Access, &Access),
    known: &Both<'_>,
) -> Vec<Condition> {
    let (Some(a), Some(b)) = (&source.address, &sink.address) else {
        return Vec::new();
    };
    let both: Vec<Symbol> = changing
        .iter()
        .flat_map(|symbol| [renamed(symbols, *symbol), *symbol])
        .collect();
    let distance = &rename(symbols, of, b) - a;
    let pair = Pair {
        symbols,
        of,
        source,
        sink,
        facts: known.of(source, sink),
    };
    let mut found: Vec<Condition> = moves(&pair, counter, &distance).into_iter().collect();
    let mut missing = Missing::conditions(&both);
    if view::differ_from_first_column(&pair, &mut missing, &both) {
        found.extend(Some(missing.condition()).filter(is_plain));
    }
    let mut missing = Missing::conditions(&both);
    if view::delinearised_differ(&pair, &mut missing) {
        found.extend(Some(missing.condition()).filter(is_plain));
    }
    let sizes = [source.size, sink.size].map(|size| Expr::int(i128::from(size)));
    let sides = [&distance - &sizes[0], &-&distance - &sizes[1]];
    let sides = sides.iter().filter_map(|side| least(&pair.facts, side, &both));
    let nonnegative = |side| Condition::all(without_maxima(side).iter().map(Condition::nonnegative));
    let apart = Condition::any(sides.map(nonnegative).filter(is_plain));
    if !apart.is_never() {
        found.push(apart);
    }
    found
}

/// Most terms of one comparison.
const MOST_TERMS: usize = 6;

/// True for comparisons that can be read: a few terms, and no maxima. They come up where the sign of something is not known, and say that nothing
/// simple would do.
fn is_plain(condition: &Condition) -> bool {
    let has_maximum = |expr: &Expr| {
        let mut factors = expr.terms().flat_map(|term| term.monomial.factors());
        factors.any(|(atom, _)| matches!(atom.operation(), Some(Operation::Max(_))))
    };
    match condition.kind() {
        ConditionKind::True | ConditionKind::False => true,
        ConditionKind::Comparison(comparison) => {
            comparison.expr.terms().count() <= MOST_TERMS && !has_maximum(&comparison.expr)
        }
        ConditionKind::And(parts) | ConditionKind::Or(parts) => parts.iter().all(is_plain),
    }
}

/// `stride` elements on in each iteration, and so many iterations ahead as the loop never has: another element each time if the stride is not zero
/// (figure 3 of IPDA, where the rows are eight apart and the loop has six iterations).
fn moves(pair: &Pair<'_>, counter: Symbol, distance: &Expr) -> Option<Condition> {
    let later = renamed(pair.symbols, counter);
    let (stride, _) = distance.linear_in(later)?;
    let fixed = |symbol: &Symbol| {
        // Not what stands for a value of the later iteration.
        (symbol.0 as usize) < pair.symbols.len() && !pair.symbols.varies_in(*symbol, pair.of)
    };
    if !stride.symbols().iter().all(fixed)
        || pair.source.size != pair.sink.size
        || !pair.never_zero(&exact_quotient(distance, &stride)?)
    {
        return None;
    }
    let elements = exact_quotient(&stride, &Expr::int(i128::from(pair.source.size)))?;
    Some(Condition::nonzero(&elements))
}

/// A condition with as few comparisons as the facts allow, under which all parts hold: as cases of which each is likely, and in none of which one
/// comparison follows from the others. Of many parts the condition stays as it is.
pub fn simplest(parts: &[Condition], facts: &Facts) -> Condition {
    let whole = Condition::all(parts.iter().cloned());
    let mut cases: Vec<Vec<Condition>> = vec![Vec::new()];
    for part in whole.conjuncts() {
        let alternatives = match part.kind() {
            ConditionKind::Or(alternatives) => alternatives.to_vec(),
            _ => vec![part],
        };
        if cases.len() * alternatives.len() > MOST_CASES {
            return whole;
        }
        let with = |case: &Vec<Condition>, one: &Condition| {
            let mut case = case.clone();
            case.extend(one.conjuncts());
            case
        };
        cases = cases
            .iter()
            .flat_map(|case| alternatives.iter().map(move |one| with(case, one)))
            .collect();
    }
    let all = |case: &[Condition]| Condition::all(case.iter().cloned());
    cases.retain(|case| is_likely(&all(case), facts));
    for case in &mut cases {
        let mut at = 0;
        while at < case.len() {
            let mut others = case.clone();
            let one = others.remove(at);
            match facts.with(&all(&others)).prove(&one) {
                true => *case = others,
                false => at += 1,
            }
        }
    }
    // What all cases demand is demanded once.
    let (first, others) = cases
        .split_first()
        .map_or((&[][..], &[][..]), |(first, others)| (first.as_slice(), others));
    let in_all = |one: &Condition| others.iter().all(|case| case.contains(one));
    let common: Vec<Condition> = match others.is_empty() {
        true => Vec::new(),
        false => first.iter().filter(|one| in_all(one)).cloned().collect(),
    };
    for case in &mut cases {
        case.retain(|one| !common.contains(one));
    }
    let cases = Condition::any(cases.iter().map(|case| equal(case)));
    Condition::all(common.into_iter().chain([cases]))
}

/// Two opposite inequalities are an equation.
fn equal(case: &[Condition]) -> Condition {
    let expr = |one: &Condition| match one.as_comparison() {
        Some(comparison) if comparison.relation == Relation::NonNegative => Some(comparison.expr.clone()),
        _ => None,
    };
    match case {
        [one, two] => match (expr(one), expr(two)) {
            (Some(one), Some(two)) if one == -&two => Condition::zero(&one),
            _ => Condition::all(case.iter().cloned()),
        },
        _ => Condition::all(case.iter().cloned()),
    }
}

/// Most cases of one condition.
const MOST_CASES: usize = 8;
