//! In which form does a person read a sum best? The order of terms, common factors taken out, and minima and maxima with what was
//! taken out of them for canonicity put back. The value stays; only the text becomes shorter.

use crate::atom::{Atom, Monomial, Operation};
use crate::condition::{Condition, Relation};
use crate::expr::{Expr, Term};
use crate::integer::Integer;
use std::cmp::Reverse;

/// An expression arranged for reading.
pub(crate) enum Tree {
    /// A constant of at least 0.
    Number(Integer),
    /// A symbol or an operation that is not an extremum.
    Atom(Atom),
    /// Signed summands; `true` is minus. At least two, or one with minus.
    Sum(Vec<(bool, Tree)>),
    /// At least two factors.
    Product(Vec<Tree>),
    /// A minimum or maximum of at least two.
    Extremum {
        /// Maximum, else minimum.
        greatest: bool,
        /// Among these.
        operands: Vec<Expr>,
    },
}

/// Past this many terms nothing is rearranged.
const MAX_REARRANGED: usize = 24;

/// Arranges an expression.
pub(crate) fn arrange(e: &Expr) -> Tree {
    let mut parts = Vec::new();
    summands(e, &mut parts);
    // What is added comes before what is subtracted, a constant last; the order within stays.
    let constant = |tree: &Tree| matches!(tree, Tree::Number(_));
    parts.sort_by_key(|(minus, tree)| (constant(tree), *minus));
    if parts.first().is_some_and(|(minus, _)| *minus)
        && let Some(last) = parts.pop()
    {
        // Only the constant may be positive now: it goes first.
        if last.0 {
            parts.push(last)
        } else {
            parts.insert(0, last)
        }
    }
    if parts.len() == 1 && parts.first().is_some_and(|(minus, _)| !minus) {
        return parts.pop().map_or(Tree::Number(Integer::ZERO), |(_, tree)| tree);
    }
    if parts.is_empty() {
        return Tree::Number(Integer::ZERO);
    }
    Tree::Sum(parts)
}

fn summands(e: &Expr, parts: &mut Vec<(bool, Tree)>) {
    let mut left = e.clone();
    if e.terms().len() <= MAX_REARRANGED {
        while let Some((piece, rest)) = take_extremum(&left) {
            parts.push(piece);
            left = rest;
        }
        while let Some((piece, rest)) = take_factor(&left) {
            parts.push(piece);
            left = rest;
        }
    }
    let mut terms: Vec<&Term> = left.terms().collect();
    terms.sort_by_key(|term| (Reverse(term.monomial.degree()), term.monomial.clone()));
    let mut plain: Vec<(bool, Tree)> = terms
        .into_iter()
        .map(|term| (term.coefficient.is_negative(), product(term)))
        .collect();
    // Plain terms read better before extrema and factored parts of lower degree, but after what was factored out of products.
    if parts.iter().all(|(_, tree)| !matches!(tree, Tree::Product(_))) {
        plain.append(parts);
        *parts = plain;
    } else {
        parts.append(&mut plain);
    }
}

fn product(term: &Term) -> Tree {
    let mut factors = Vec::new();
    let size = term.coefficient.abs();
    if !size.is_one() || term.monomial.is_one() {
        factors.push(Tree::Number(size));
    }
    push_factors(&term.monomial, &mut factors);
    single_or_product(factors)
}

fn push_factors(monomial: &Monomial, factors: &mut Vec<Tree>) {
    for (atom, power) in monomial.factors() {
        for _ in 0..*power {
            factors.push(match atom.operation() {
                Some(Operation::Max(_)) => arrange(&Expr::atom(atom.clone())),
                _ => Tree::Atom(atom.clone()),
            });
        }
    }
}

fn single_or_product(mut factors: Vec<Tree>) -> Tree {
    match factors.len() {
        1 => factors.pop().unwrap_or(Tree::Number(Integer::ONE)),
        _ => Tree::Product(factors),
    }
}

/// How much there is to read.
fn cost(e: &Expr) -> u32 {
    let mut sum = 0u32;
    let mut positive = e.is_zero();
    for term in e.terms() {
        positive |= term.coefficient.is_positive();
        sum += 1 + u32::from(!term.monomial.is_one() && !term.coefficient.abs().is_one());
        for (atom, power) in term.monomial.factors() {
            sum = sum.saturating_add(atom.nodes().saturating_mul(*power));
        }
    }
    sum.saturating_add(u32::from(!positive)).max(1)
}

/// One extremum of the sum in its shortest form, and the rest: `n - max(0, n - m)` is `min(n, m)`.
fn take_extremum(e: &Expr) -> Option<((bool, Tree), Expr)> {
    let (term, operands) = e
        .terms()
        .find_map(|term| match term.monomial.as_atom()?.operation()? {
            Operation::Max(operands) => Some((term, operands)),
            _ => None,
        })?;
    let own = Expr::monomial(&term.monomial, term.coefficient.clone());
    let rest = e - &own;
    let among = |term: &Term| {
        operands
            .iter()
            .any(|operand| operand.terms().any(|other| other.monomial == term.monomial))
    };
    let constant = Expr::constant(rest.constant_term());
    let shared = Expr::from_terms(rest.terms().filter(|term| among(term)).cloned().collect());
    let shared_variable = shared.without_constant();
    let size = term.coefficient.abs();
    // Nothing put back: the factor stays in front.
    let mut best_cost = operands.iter().map(cost).sum::<u32>() + cost(&rest) + u32::from(!size.is_one());
    let mut best = None;
    // With this put back an operand has no constant any more.
    let offset = operands
        .iter()
        .map(Expr::constant_term)
        .find(|constant| !constant.is_zero());
    let plain = Expr::constant(-(offset.unwrap_or_default() * &term.coefficient));
    let plain = if constant.is_zero() { Expr::zero() } else { plain };
    for back in [
        Expr::zero(),
        plain,
        shared_variable,
        shared,
        constant,
        rest.clone(),
    ] {
        if back.is_zero() && size.is_one() {
            continue;
        }
        let raised: Vec<Expr> = operands
            .iter()
            .map(|operand| back.add_scaled(operand, &term.coefficient))
            .collect();
        let left = &rest - &back;
        let total = raised.iter().map(cost).sum::<u32>()
            + if left.is_zero() {
                0
            } else {
                cost(&left).min(cost(&-&left))
            };
        if total < best_cost {
            best_cost = total;
            best = Some((raised, left));
        }
    }
    Some(match best {
        Some((operands, left)) => (
            (
                false,
                Tree::Extremum {
                    greatest: term.coefficient.is_positive(),
                    operands,
                },
            ),
            left,
        ),
        None => {
            let extremum = Tree::Extremum {
                greatest: true,
                operands: operands.to_vec(),
            };
            let tree = if size.is_one() {
                extremum
            } else {
                Tree::Product(vec![Tree::Number(size), extremum])
            };
            ((term.coefficient.is_negative(), tree), rest)
        }
    })
}

/// A factor that several terms share: `i*n - n` is `(i - 1)*n`. That form does not overflow either where `i*n` would.
fn take_factor(e: &Expr) -> Option<((bool, Tree), Expr)> {
    let mut best: Option<(usize, Atom)> = None;
    for atom in e.atoms() {
        let sharing = e.terms().filter(|term| term.monomial.power_of(&atom) > 0);
        let (count, products) = sharing.fold((0, 0), |(count, products), term| {
            (count + 1, products + usize::from(term.monomial.degree() > 1))
        });
        if count >= 2 && products >= 1 && best.as_ref().is_none_or(|(most, _)| count > *most) {
            best = Some((count, atom));
        }
    }
    let (_, atom) = best?;
    let mut common: Option<Monomial> = None;
    let mut inner: Vec<&Term> = Vec::new();
    for term in e.terms().filter(|term| term.monomial.power_of(&atom) > 0) {
        inner.push(term);
        common = Some(match common {
            None => term.monomial.clone(),
            Some(common) => common_part(&common, &term.monomial),
        });
    }
    let common = common?;
    let factor = crate::expr::gcd_of(&inner.iter().map(|term| (*term).clone()).collect::<Vec<_>>());
    let mut quotient = Vec::new();
    for term in &inner {
        quotient.push(Term {
            monomial: term.monomial.divided_by(&common)?,
            coefficient: term.coefficient.trunc_div(&factor)?,
        });
    }
    let mut quotient = Expr::from_terms(quotient);
    let minus = quotient.terms().all(|term| term.coefficient.is_negative());
    if minus {
        quotient = -quotient;
    }
    let rest = Expr::from_terms(
        e.terms()
            .filter(|term| term.monomial.power_of(&atom) == 0)
            .cloned()
            .collect(),
    );
    let mut factors = Vec::new();
    if !factor.is_one() {
        factors.push(Tree::Number(factor));
    }
    factors.push(arrange(&quotient));
    push_factors(&common, &mut factors);
    Some(((minus, Tree::Product(factors)), rest))
}

fn common_part(a: &Monomial, b: &Monomial) -> Monomial {
    let mut common = Monomial::ONE;
    for (atom, power) in a.factors() {
        for _ in 0..(*power).min(b.power_of(atom)) {
            common = common.times(&Monomial::atom(atom.clone()));
        }
    }
    common
}

/// A comparison with its terms on the sides where they are positive: `(left, operator, right)`.
pub(crate) fn sides(e: &Expr, relation: Relation) -> (Expr, &'static str, Expr) {
    let constant = e.constant_term();
    let part = |positive: bool| {
        let chosen = e
            .variable_terms()
            .iter()
            .filter(|term| term.coefficient.is_positive() == positive);
        let sum = Expr::from_terms(chosen.cloned().collect());
        if positive { sum } else { -sum }
    };
    let (left, right) = (part(true), part(false));
    match relation {
        Relation::Zero | Relation::NonZero => {
            let operator = if relation == Relation::Zero { "==" } else { "!=" };
            if left.is_zero() {
                return (right, operator, Expr::constant(constant));
            }
            if constant.is_negative() || right.is_zero() {
                return (left, operator, right.add_constant(&-constant));
            }
            (left.add_constant(&constant), operator, right)
        }
        Relation::NonNegative => {
            let below = &constant + &Integer::ONE;
            if left.is_zero() {
                // right <= constant
                if below.is_zero() {
                    return (right, "<", Expr::zero());
                }
                return (right, "<=", Expr::constant(constant));
            }
            if below.is_zero() {
                return (left, ">", right);
            }
            if constant.is_negative() || right.is_zero() {
                return (left, ">=", right.add_constant(&-constant));
            }
            (left.add_constant(&constant), ">=", right)
        }
    }
}

/// `a > b` in the same way, without a comparison that is off by one.
pub(crate) fn strict_sides(a: &Expr, b: &Expr) -> (Expr, &'static str, Expr) {
    let difference = a - b;
    let positive = difference
        .variable_terms()
        .iter()
        .any(|term| term.coefficient.is_positive());
    let part = |sign: bool| {
        let chosen = difference
            .variable_terms()
            .iter()
            .filter(|term| term.coefficient.is_positive() == sign);
        let sum = Expr::from_terms(chosen.cloned().collect());
        if sign { sum } else { -sum }
    };
    let constant = difference.constant_term();
    if !positive {
        return (part(false), "<", Expr::constant(constant));
    }
    let (left, right) = (part(true), part(false));
    if constant.is_positive() && !right.is_zero() {
        return (left.add_constant(&constant), ">", right);
    }
    (left, ">", right.add_constant(&-constant))
}

/// The operands of an extremum in reading order: constants last.
pub(crate) fn constants_last(operands: &[Expr]) -> Vec<Expr> {
    let mut sorted = operands.to_vec();
    sorted.sort_by_key(|operand| (operand.as_constant().is_some(), operand.clone()));
    sorted
}

/// The opposite side of a selection: all cases but the last need their conditions.
pub(crate) fn cases_in_order(cases: &[(Condition, Expr)]) -> Vec<(Condition, Expr)> {
    let mut sorted = cases.to_vec();
    // The hardest condition to read is the one left out.
    sorted.sort_by_key(|(condition, _)| (condition.nodes(), condition.clone()));
    sorted
}
