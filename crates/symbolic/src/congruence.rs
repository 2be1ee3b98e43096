//! What is known of an expression modulo a constant?
//!
//! Linear forms with known residues are eliminated from each other, so that `i - lo = 0 (mod 2)` and `k - lo = 1 (mod 2)` decide
//! `i - k` modulo 2.

use crate::atom::Monomial;
use crate::expr::Expr;
use crate::facts::Rests;
use crate::integer::Integer;

/// `expr = residue (mod modulus)`, where the term `pivot` of `expr` has the coefficient 1.
#[derive(Clone)]
pub(crate) struct Congruence {
    pub(crate) expr: Expr,
    pub(crate) pivot: Monomial,
    pub(crate) modulus: Integer,
    pub(crate) rests: Rests,
}

/// The congruence `expr = 0 (mod modulus)` made ready for elimination, reduced by the ones known before.
pub(crate) fn prepare(
    known: &[Congruence],
    expr: &Expr,
    modulus: &Integer,
    rests: Rests,
) -> Option<Congruence> {
    if *modulus <= Integer::ONE {
        return None;
    }
    let (reduced, used) = reduce(known, expr, modulus);
    let term = reduced
        .variable_terms()
        .iter()
        .rev()
        .find(|term| term.coefficient.is_one() || (&term.coefficient + &Integer::ONE) == *modulus)?;
    let pivot = term.monomial.clone();
    let expr = if term.coefficient.is_one() {
        reduced
    } else {
        modulo(&-reduced, modulus)
    };
    Some(Congruence {
        expr,
        pivot,
        modulus: modulus.clone(),
        rests: rests.union(used),
    })
}

/// The residue of the expression modulo `modulus`, in `[0, modulus)`, if it is the same wherever the congruences hold.
pub(crate) fn residue(known: &[Congruence], expr: &Expr, modulus: &Integer) -> Option<(Integer, Rests)> {
    if *modulus <= Integer::ONE {
        return None;
    }
    let (reduced, rests) = reduce(known, expr, modulus);
    Some((reduced.as_constant()?, rests))
}

/// Eliminates pivots, and reduces all coefficients into `[0, modulus)`.
fn reduce(known: &[Congruence], expr: &Expr, modulus: &Integer) -> (Expr, Rests) {
    let mut rests = Rests::NONE;
    let mut reduced = modulo(expr, modulus);
    for congruence in known {
        if !congruence.modulus.is_multiple_of(modulus) {
            continue;
        }
        let coefficient = reduced
            .variable_terms()
            .iter()
            .find(|term| term.monomial == congruence.pivot)
            .map(|term| term.coefficient.clone());
        if let Some(coefficient) = coefficient {
            reduced = modulo(&reduced.add_scaled(&congruence.expr, &-coefficient), modulus);
            rests = rests.union(congruence.rests);
        }
    }
    (reduced, rests)
}

fn modulo(expr: &Expr, modulus: &Integer) -> Expr {
    let terms = expr
        .terms()
        .filter_map(|term| {
            let coefficient = term.coefficient.floor_mod(modulus)?;
            (!coefficient.is_zero()).then(|| crate::expr::Term {
                monomial: term.monomial.clone(),
                coefficient,
            })
        })
        .collect();
    Expr::from_terms(terms)
}
