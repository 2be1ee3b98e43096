//! The same addresses seen as several subscripts.

use super::ladder::Pair;
use crate::access::Subscript;
use crate::quotient::exact_quotient;
use ferry_symbolic::{Expr, Facts};

/// True if the accesses have the same declared shape and one subscript can never be equal. Subscripts inside declared
/// dimensions are used as C has them: an index past the end of its dimension is undefined.
pub fn subscripts_differ(pair: &Pair<'_>) -> bool {
    let (a, b) = (&pair.source.subscripts, &pair.sink.subscripts);
    if a.is_empty() || a.len() != b.len() || !same_shape(a, b) {
        return false;
    }
    let mut together = pair.facts.clone();
    for (one, two) in a.iter().zip(b) {
        let (Some(one), Some(two)) = (&one.index, &two.index) else {
            continue;
        };
        let difference = &pair.rename(two) - one;
        if pair.never_zero(&difference) {
            return true;
        }
        together.assume_zero(difference);
    }
    // Each may be equal by itself, and still not all at once.
    together.infeasible()
}

fn same_shape(a: &[Subscript], b: &[Subscript]) -> bool {
    a.iter()
        .zip(b)
        .all(|(a, b)| a.stride.is_some() && a.stride == b.stride && a.extent == b.extent)
}

/// True if both addresses split into `q * stride + r` with `0 <= r`, `r + size <= stride`, and quotients or remainders
/// that cannot be equal at once.
pub fn delinearised_differ(pair: &Pair<'_>) -> bool {
    let Some(root) = pair.source.root else {
        return false;
    };
    if pair.sink.root != Some(root) {
        return false;
    }
    let (Some(a), Some(b)) = (pair.source.offset(), pair.sink.offset()) else {
        return false;
    };
    strides(pair, &a, &b)
        .iter()
        .any(|stride| split_differ(pair, &a, &b, stride))
}

/// Coefficients of what varies that are not constant, those with most factors first.
fn strides(pair: &Pair<'_>, a: &Expr, b: &Expr) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for expr in [a, b] {
        for symbol in expr.symbols() {
            if !pair.symbols.varies_in(symbol, pair.of) {
                continue;
            }
            let Some((coefficient, _)) = expr.linear_in(symbol) else {
                continue;
            };
            let varies = coefficient
                .symbols()
                .iter()
                .any(|symbol| pair.symbols.varies_in(*symbol, pair.of));
            if !varies && coefficient != Expr::zero() {
                let size = Expr::int(i128::from(pair.source.size));
                let positive = if pair.facts.prove_nonnegative(&(-&coefficient)) {
                    -&coefficient
                } else {
                    coefficient
                };
                if positive != size && !found.contains(&positive) {
                    found.push(positive);
                }
            }
        }
    }
    found.truncate(4);
    found
}

fn split_differ(pair: &Pair<'_>, a: &Expr, b: &Expr, stride: &Expr) -> bool {
    let Some((qa, ra)) = split(a, stride) else {
        return false;
    };
    let Some((qb, rb)) = split(b, stride) else {
        return false;
    };
    if !inside(&pair.source.facts, &ra, pair.source.size, stride)
        || !inside(&pair.sink.facts, &rb, pair.sink.size, stride)
    {
        return false;
    }
    let quotient = &pair.rename(&qb) - &qa;
    if pair.never_zero(&quotient) {
        return true;
    }
    let mut together = pair.facts.clone();
    together.assume_zero(quotient);
    let remainder = &pair.rename(&rb) - &ra;
    if together.prove_nonnegative(&(&remainder - &Expr::int(i128::from(pair.source.size))))
        || together.prove_nonnegative(&(&-&remainder - &Expr::int(i128::from(pair.sink.size))))
    {
        return true;
    }
    // Elements of one size in one grid overlap only if they are the same.
    let size = Expr::int(i128::from(pair.source.size));
    if pair.source.size == pair.sink.size && exact_quotient(&remainder, &size).is_some() {
        together.assume_zero(remainder);
        return together.infeasible();
    }
    false
}

/// `expr = q * stride + r`: the terms that the stride divides, and the others.
fn split(expr: &Expr, stride: &Expr) -> Option<(Expr, Expr)> {
    // A stride of one product is looked for term by term; a sum by its leading term, as in j * (m + 1).
    let mut quotient = Expr::zero();
    let mut rest = expr.clone();
    for _ in 0..16 {
        let step = rest.terms().find_map(|term| {
            let mut product = Expr::constant(term.coefficient.clone());
            for (atom, power) in term.monomial.factors() {
                product = &product * &Expr::atom(atom.clone()).power(*power);
            }
            let first = leading(stride)?;
            let candidate = exact_quotient(&product, &first)?;
            let next = &rest - &(&candidate * stride);
            (!candidate.is_zero()
                && next.terms().len() < rest.terms().len() + usize::from(stride.terms().len() == 1))
            .then_some((candidate, next))
        });
        match step {
            Some((candidate, next)) => {
                quotient = &quotient + &candidate;
                rest = next;
            }
            None => break,
        }
    }
    (!quotient.is_zero()).then_some((quotient, rest))
}

/// The term of highest degree.
fn leading(expr: &Expr) -> Option<Expr> {
    let term = expr.terms().max_by_key(|term| term.monomial.degree())?;
    let mut product = Expr::constant(term.coefficient.clone());
    for (atom, power) in term.monomial.factors() {
        product = &product * &Expr::atom(atom.clone()).power(*power);
    }
    Some(product)
}

fn inside(facts: &Facts, remainder: &Expr, size: u64, stride: &Expr) -> bool {
    facts.prove_nonnegative(remainder)
        && facts.prove_nonnegative(&(&(stride - remainder) - &Expr::int(i128::from(size))))
}
