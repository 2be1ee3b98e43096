//! How are masks and other bit operations written canonically? As remainders where the mask is a run of ones.
//!
//! Values are two's complement of infinite width, which agrees with every C type for the values that it holds.

use crate::atom::Operation;
use crate::expr::Expr;
use crate::integer::Integer;

impl Expr {
    /// Bitwise `and`.
    pub fn bit_and(a: &Expr, b: &Expr) -> Expr {
        if a == b {
            return a.clone();
        }
        match (a.as_constant(), b.as_constant()) {
            (Some(x), Some(y)) => Expr::constant(x.bit_and(&y)),
            (Some(mask), None) => and_mask(b, &mask),
            (None, Some(mask)) => and_mask(a, &mask),
            (None, None) => Expr::operation(ordered(a, b, Operation::And)),
        }
    }

    /// Bitwise `or`.
    pub fn bit_or(a: &Expr, b: &Expr) -> Expr {
        if a == b {
            return a.clone();
        }
        match (a.as_constant(), b.as_constant()) {
            (Some(x), Some(y)) => Expr::constant(x.bit_or(&y)),
            (Some(mask), None) | (None, Some(mask)) if mask.is_zero() => {
                if a.is_zero() {
                    b.clone()
                } else {
                    a.clone()
                }
            }
            (Some(mask), None) | (None, Some(mask)) if mask == Integer::MINUS_ONE => Expr::int(-1),
            _ => Expr::operation(ordered(a, b, Operation::Or)),
        }
    }

    /// Bitwise exclusive `or`.
    pub fn bit_xor(a: &Expr, b: &Expr) -> Expr {
        if a == b {
            return Expr::zero();
        }
        match (a.as_constant(), b.as_constant()) {
            (Some(x), Some(y)) => Expr::constant(x.bit_xor(&y)),
            (Some(mask), None) | (None, Some(mask)) if mask.is_zero() => {
                if a.is_zero() {
                    b.clone()
                } else {
                    a.clone()
                }
            }
            (Some(mask), None) if mask == Integer::MINUS_ONE => Expr::bit_not(b),
            (None, Some(mask)) if mask == Integer::MINUS_ONE => Expr::bit_not(a),
            _ => Expr::operation(ordered(a, b, Operation::Xor)),
        }
    }

    /// Bitwise complement: `-e - 1`.
    pub fn bit_not(e: &Expr) -> Expr {
        (-e).add_constant(&Integer::MINUS_ONE)
    }
}

fn ordered(a: &Expr, b: &Expr, build: fn(Expr, Expr) -> Operation) -> Operation {
    if a <= b {
        build(a.clone(), b.clone())
    } else {
        build(b.clone(), a.clone())
    }
}

/// `e & mask`: a run of ones from bit `low` to below bit `high` is `e mod 2^high - e mod 2^low`.
fn and_mask(e: &Expr, mask: &Integer) -> Expr {
    if mask.is_zero() {
        return Expr::zero();
    }
    let lowest = mask.bit_and(&-mask);
    let carried = mask + &lowest;
    if carried.is_zero() {
        return e - &Expr::floor_mod(e, &Expr::constant(lowest));
    }
    if carried.exponent_of_two().is_some() {
        let upper = Expr::floor_mod(e, &Expr::constant(carried));
        return upper - Expr::floor_mod(e, &Expr::constant(lowest));
    }
    Expr::operation(ordered(e, &Expr::constant(mask.clone()), Operation::And))
}
