//! How are minimum and maximum written canonically? As `r + k * max(…)` with everything common taken out.
//!
//! Two operands: `max(a, b) = a + max(0, b - a)`, with the sign of `b - a` chosen, so that every minimum and maximum of two
//! expressions with the same difference has the same atom, and `min(a, b) + max(a, b)` is `a + b`. More operands: nested
//! maxima are joined, common terms and a common factor are taken out, and a constant operand is made 0.

use crate::atom::{Monomial, Operation};
use crate::expr::{Expr, Term};
use crate::integer::Integer;
use std::cmp::Ordering;

/// Most operands of one minimum or maximum; with more it is nested.
pub const MAX_EXTREMUM: usize = 8;

impl Expr {
    /// The greater of two.
    pub fn max(a: &Expr, b: &Expr) -> Expr {
        Expr::maximum_of(&[a.clone(), b.clone()])
    }

    /// The smaller of two.
    pub fn min(a: &Expr, b: &Expr) -> Expr {
        -Expr::maximum_of(&[-a, -b])
    }

    /// The greatest of some; 0 for none.
    pub fn maximum_of(operands: &[Expr]) -> Expr {
        let mut flat: Vec<Expr> = Vec::with_capacity(operands.len());
        for operand in operands {
            match nested_maximum(operand) {
                Some(inner) if inner.len() + flat.len() <= 2 * MAX_EXTREMUM => {
                    for part in inner {
                        insert(&mut flat, part);
                    }
                }
                _ => insert(&mut flat, operand.clone()),
            }
        }
        if flat.len() > MAX_EXTREMUM {
            let rest = flat.split_off(MAX_EXTREMUM / 2);
            let halves = [canonical(flat), Expr::maximum_of(&rest)];
            return canonical(halves.to_vec());
        }
        canonical(flat)
    }

    /// The smallest of some; 0 for none.
    pub fn minimum_of(operands: &[Expr]) -> Expr {
        let negated: Vec<Expr> = operands.iter().map(|operand| -operand).collect();
        -Expr::maximum_of(&negated)
    }

    /// The values of which it is the greatest, if it has one maximum and is no less where that is greater: of
    /// `n + 2*max(0, m)` these are `n` and `n + 2*m`.
    pub fn as_maximum_of(&self) -> Option<Vec<Expr>> {
        nested_maximum(self)
    }

    /// The absolute value.
    pub fn abs(&self) -> Expr {
        Expr::max(self, &-self)
    }
}

/// The operands `r + k*s` if the expression is `r + k*max(s…)` with one maximum, `k > 0`.
fn nested_maximum(e: &Expr) -> Option<Vec<Expr>> {
    let mut found: Option<(&Term, &[Expr])> = None;
    for term in e.term_slice() {
        if let Some(atom) = term.monomial.as_atom()
            && let Some(Operation::Max(operands)) = atom.operation()
            && term.coefficient.is_positive()
        {
            if found.is_some() {
                return None;
            }
            found = Some((term, operands));
        }
    }
    let (term, operands) = found?;
    let rest = e.add_scaled(&Expr::monomial(&term.monomial, Integer::ONE), &-&term.coefficient);
    Some(
        operands
            .iter()
            .map(|operand| rest.add_scaled(operand, &term.coefficient))
            .collect(),
    )
}

/// Adds an operand, unless one that differs by a constant is there: then the greater stays.
fn insert(operands: &mut Vec<Expr>, new: Expr) {
    for old in operands.iter_mut() {
        if old.variable_terms() == new.variable_terms() {
            if old.constant_term() < new.constant_term() {
                *old = new;
            }
            return;
        }
    }
    operands.push(new);
}

fn canonical(mut operands: Vec<Expr>) -> Expr {
    match operands.len() {
        0 => return Expr::zero(),
        1 => return operands.swap_remove(0),
        2 => return of_two(&operands[0], &operands[1]),
        _ => {}
    }
    let common = common_terms(&operands);
    for operand in &mut operands {
        *operand = &*operand - &common;
    }
    let constant = match operands.iter().find_map(Expr::as_constant) {
        Some(constant) => constant,
        None => operands.iter().map(Expr::constant_term).min().unwrap_or_default(),
    };
    for operand in &mut operands {
        *operand = operand.add_constant(&-&constant);
    }
    let factor = operands
        .iter()
        .fold(Integer::ZERO, |gcd, operand| gcd.gcd(&operand.content()));
    if !factor.is_one() {
        for operand in &mut operands {
            if let Some(divided) = operand.divide_exactly(&factor) {
                *operand = divided;
            }
        }
    }
    operands.sort();
    let maximum = Expr::operation(Operation::Max(operands.into_boxed_slice()));
    common.add_constant(&constant).add_scaled(&maximum, &factor)
}

/// `max(a, b) = a + max(0, b - a) = b + max(0, a - b)`, whichever difference looks more positive.
fn of_two(a: &Expr, b: &Expr) -> Expr {
    let difference = b - a;
    if let Some(constant) = difference.as_constant() {
        return if constant.is_negative() {
            a.clone()
        } else {
            b.clone()
        };
    }
    let factor = difference.content();
    let Some(reduced) = difference.divide_exactly(&factor) else {
        return a.clone();
    };
    let (base, inner) = if prefers_positive(&reduced) {
        (a, reduced)
    } else {
        (b, -reduced)
    };
    base.add_scaled(
        &Expr::operation(Operation::Max(Box::new([Expr::zero(), inner]))),
        &factor,
    )
}

/// Of `e` and `-e` exactly one is preferred (unless they are equal).
fn prefers_positive(e: &Expr) -> bool {
    let positive = e
        .variable_terms()
        .iter()
        .filter(|term| term.coefficient.is_positive())
        .count();
    match (2 * positive).cmp(&e.variable_terms().len()) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => e
            .variable_terms()
            .last()
            .is_some_and(|term| term.coefficient.is_positive()),
    }
}

/// The terms, other than the constant, that all operands share with the same coefficient.
fn common_terms(operands: &[Expr]) -> Expr {
    let Some((first, others)) = operands.split_first() else {
        return Expr::zero();
    };
    let coefficient_in = |e: &Expr, monomial: &Monomial| {
        e.term_slice()
            .binary_search_by(|term| term.monomial.cmp(monomial))
            .ok()
            .map(|index| e.term_slice()[index].coefficient.clone())
    };
    let shared = first
        .variable_terms()
        .iter()
        .filter(|term| {
            others
                .iter()
                .all(|other| coefficient_in(other, &term.monomial).as_ref() == Some(&term.coefficient))
        })
        .cloned()
        .collect();
    Expr::from_terms(shared)
}

#[cfg(test)]
mod tests {
    use crate::{Expr, Symbol};

    fn s(index: u32) -> Expr {
        Expr::symbol(Symbol(index))
    }

    #[test]
    fn extrema_of_the_same_pair_share_their_form() {
        let (a, b) = (s(0), s(1));
        assert_eq!(Expr::min(&a, &b) + Expr::max(&a, &b), &a + &b);
        assert_eq!(Expr::max(&a, &b) + 1, Expr::max(&(&a + 1), &(&b + 1)));
        assert_eq!(Expr::max(&(&a * 2), &(&b * 2)), Expr::max(&a, &b) * 2);
        assert_eq!(
            Expr::max(&Expr::int(3), &(&a - 1)) - 3 + 1,
            Expr::max(&Expr::int(0), &(&a - 4)) + 1
        );
        assert_eq!(Expr::max(&a, &(&a + 5)), &a + 5);
        assert_eq!(Expr::max(&a, &Expr::max(&b, &a)), Expr::max(&b, &a));
        // Juravle, algorithm 4, has b here.
        assert_eq!(Expr::min(&a, &(&a + 1)), a);
    }

    #[test]
    fn three_operands_are_canonical_in_any_order() {
        let (a, b, c) = (s(0), s(1), s(2));
        let one = Expr::max(&Expr::max(&a, &b), &c);
        let other = Expr::max(&a, &Expr::max(&c, &b));
        assert_eq!(one, other);
        assert_eq!(
            &one + &a * &b,
            Expr::maximum_of(&[&a + &a * &b, &b + &a * &b, &c + &a * &b])
        );
    }
}
