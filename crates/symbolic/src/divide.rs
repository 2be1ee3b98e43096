//! How are division, remainder and shifts written canonically? What is divided exactly leaves the division.
//!
//! C's division truncates (ANSWERS §1.7: both papers' rules are wrong for negative operands); it is a term of its own that
//! becomes a floor division where the signs are known (see [`Expr::simplify`]). Shifts by constants are products and floor
//! divisions (DawnCC §4).

use crate::atom::{Atom, Monomial, Operation};
use crate::expr::{Expr, Term, gcd_of};
use crate::integer::Integer;

/// Constant shifts up to this become products and divisions.
const MAX_CONSTANT_SHIFT: i64 = 512;

impl Expr {
    /// The quotient rounded towards minus infinity. Undefined where `d` is 0.
    pub fn floor_div(e: &Expr, d: &Expr) -> Expr {
        match d.as_constant() {
            Some(divisor) if divisor.is_negative() => floor_div_constant(&-e, &-divisor),
            Some(divisor) if divisor.is_positive() => floor_div_constant(e, &divisor),
            Some(_) => Expr::operation(Operation::FloorDiv(e.clone(), d.clone())),
            None => floor_div_symbolic(e, d),
        }
    }

    /// The quotient rounded towards plus infinity. Undefined where `d` is 0.
    pub fn ceil_div(e: &Expr, d: &Expr) -> Expr {
        -Expr::floor_div(&-e, d)
    }

    /// `e - d * floor_div(e, d)`. Undefined where `d` is 0.
    pub fn floor_mod(e: &Expr, d: &Expr) -> Expr {
        match d.as_constant() {
            Some(divisor) if divisor.is_negative() => -floor_mod_constant(&-e, &-divisor),
            Some(divisor) if divisor.is_positive() => floor_mod_constant(e, &divisor),
            Some(_) => Expr::operation(Operation::FloorMod(e.clone(), d.clone())),
            None => {
                let (_, rest) = split_by_monomial(e, d);
                if rest.is_zero() {
                    return rest;
                }
                Expr::operation(Operation::FloorMod(rest, d.clone()))
            }
        }
    }

    /// The quotient rounded towards 0: `/` of C. Undefined where `b` is 0.
    pub fn trunc_div(a: &Expr, b: &Expr) -> Expr {
        if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant())
            && let Some(quotient) = x.trunc_div(&y)
        {
            return Expr::constant(quotient);
        }
        if let Some(quotient) = exact_quotient(a, b) {
            return quotient;
        }
        let (negated_a, a) = without_sign(a);
        let (negated_b, b) = without_sign(b);
        let common = a.content().gcd(&b.content());
        let (a, b) = match (a.divide_exactly(&common), b.divide_exactly(&common)) {
            (Some(x), Some(y)) => (x, y),
            _ => (a, b),
        };
        if b.as_constant().is_some_and(|divisor| divisor.is_one()) {
            return if negated_a == negated_b { a } else { -a };
        }
        // Nested: both truncate towards 0, so the divisors multiply.
        if let Some(divisor) = b.as_constant()
            && let Some(Operation::TruncDiv(inner, inner_divisor)) = a.as_atom().and_then(Atom::operation)
            && let Some(other) = inner_divisor.as_constant()
        {
            let joined = Expr::trunc_div(inner, &Expr::constant(&divisor * &other));
            return if negated_a == negated_b { joined } else { -joined };
        }
        let quotient = Expr::operation(Operation::TruncDiv(a, b));
        if negated_a == negated_b {
            quotient
        } else {
            -quotient
        }
    }

    /// `a - b * trunc_div(a, b)`: `%` of C, with the sign of `a`. Undefined where `b` is 0.
    pub fn trunc_rem(a: &Expr, b: &Expr) -> Expr {
        if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant())
            && let Some(remainder) = x.trunc_rem(&y)
        {
            return Expr::constant(remainder);
        }
        if exact_quotient(a, b).is_some() {
            return Expr::zero();
        }
        let (negated, a) = without_sign(a);
        let (_, b) = without_sign(b);
        let common = a.content().gcd(&b.content());
        let remainder = match (a.divide_exactly(&common), b.divide_exactly(&common)) {
            (Some(x), Some(y)) if !common.is_one() && !common.is_zero() => {
                Expr::trunc_rem(&x, &y).scale(&common)
            }
            _ => {
                // (x % kb) % b is x % b: the remainders have the same sign.
                if let Some(divisor) = b.as_constant()
                    && let Some(Operation::TruncRem(inner, inner_divisor)) =
                        a.as_atom().and_then(Atom::operation)
                    && let Some(other) = inner_divisor.as_constant()
                    && other.is_multiple_of(&divisor)
                    && !divisor.is_zero()
                {
                    Expr::trunc_rem(inner, &b)
                } else {
                    Expr::operation(Operation::TruncRem(a, b))
                }
            }
        };
        if negated { -remainder } else { remainder }
    }

    /// `a * 2^b`. Undefined where `b` is negative.
    pub fn shl(a: &Expr, b: &Expr) -> Expr {
        match constant_shift(b) {
            Some(factor) => a.scale(&factor),
            None => Expr::operation(Operation::ShiftLeft(a.clone(), b.clone())),
        }
    }

    /// `floor(a / 2^b)`, an arithmetic shift. Undefined where `b` is negative.
    pub fn shr(a: &Expr, b: &Expr) -> Expr {
        match constant_shift(b) {
            Some(factor) => floor_div_constant(a, &factor),
            None => Expr::operation(Operation::ShiftRight(a.clone(), b.clone())),
        }
    }
}

fn constant_shift(amount: &Expr) -> Option<Integer> {
    let amount = amount
        .as_constant()?
        .to_i64()
        .filter(|amount| (0..=MAX_CONSTANT_SHIFT).contains(amount))?;
    Some(Integer::power_of_two(u32::try_from(amount).ok()?))
}

/// Makes the first coefficient positive; says whether that took a negation.
fn without_sign(e: &Expr) -> (bool, Expr) {
    let lead = e.variable_terms().first().or(e.term_slice().first());
    if lead.is_some_and(|term| term.coefficient.is_negative()) {
        (true, -e)
    } else {
        (false, e.clone())
    }
}

/// `e = d * q` exactly, for every value for which the division is defined.
fn exact_quotient(e: &Expr, d: &Expr) -> Option<Expr> {
    if let Some(divisor) = d.as_constant() {
        return if divisor.is_zero() {
            None
        } else {
            e.divide_exactly(&divisor)
        };
    }
    if e == d {
        return Some(Expr::one());
    }
    let (quotient, rest) = split_by_monomial(e, d);
    rest.is_zero().then_some(quotient)
}

/// `(q, r)` with `e = d * q + r`: the terms that a divisor of one term divides; for a longer divisor a quotient of constant
/// ratio, or nothing.
fn split_by_monomial(e: &Expr, d: &Expr) -> (Expr, Expr) {
    if let [divisor] = d.term_slice() {
        let mut quotient = Vec::new();
        let mut rest = Vec::new();
        for term in e.term_slice() {
            if term.coefficient.is_multiple_of(&divisor.coefficient)
                && let Some(monomial) = term.monomial.divided_by(&divisor.monomial)
                && let Some(coefficient) = term.coefficient.trunc_div(&divisor.coefficient)
            {
                quotient.push(Term {
                    monomial,
                    coefficient,
                });
            } else {
                rest.push(term.clone());
            }
        }
        return (Expr::from_terms(quotient), Expr::from_terms(rest));
    }
    // Long division by the last term: it divides the others away if the quotient is exact.
    let Some(lead) = d.term_slice().last() else {
        return (Expr::zero(), e.clone());
    };
    let mut rest = e.clone();
    let mut quotient = Expr::zero();
    for _ in 0..8 {
        let step = rest.term_slice().iter().rev().find_map(|term| {
            let monomial = term.monomial.divided_by(&lead.monomial)?;
            if !term.coefficient.is_multiple_of(&lead.coefficient) {
                return None;
            }
            Some(Expr::monomial(
                &monomial,
                term.coefficient.trunc_div(&lead.coefficient)?,
            ))
        });
        let Some(step) = step else { break };
        rest = rest - d.times(&step);
        quotient = quotient + step;
        if rest.is_zero() {
            return (quotient, rest);
        }
    }
    (Expr::zero(), e.clone())
}

fn floor_div_constant(e: &Expr, d: &Integer) -> Expr {
    if d.is_one() {
        return e.clone();
    }
    // Whole multiples leave the division; the rest has coefficients in [0, d).
    let mut whole = Vec::new();
    let mut rest = Vec::new();
    for term in e.term_slice() {
        let (Some(quotient), Some(remainder)) =
            (term.coefficient.floor_div(d), term.coefficient.floor_mod(d))
        else {
            return Expr::operation(Operation::FloorDiv(e.clone(), Expr::constant(d.clone())));
        };
        if !quotient.is_zero() {
            whole.push(Term {
                monomial: term.monomial.clone(),
                coefficient: quotient,
            });
        }
        if !remainder.is_zero() {
            rest.push(Term {
                monomial: term.monomial.clone(),
                coefficient: remainder,
            });
        }
    }
    let whole = Expr::from_terms(whole);
    let rest = Expr::from_terms(rest);
    if rest.as_constant().is_some() {
        return whole;
    }
    // floor((g*x + c) / (g*d)) = floor((x + floor(c/g)) / d)
    let common = gcd_of(rest.variable_terms()).gcd(d);
    let (rest, d) = if common.is_one() {
        (rest, d.clone())
    } else {
        let constant = rest.constant_term().floor_div(&common).unwrap_or_default();
        match (
            rest.without_constant().divide_exactly(&common),
            d.trunc_div(&common),
        ) {
            (Some(variable), Some(divisor)) => (variable.add_constant(&constant), divisor),
            _ => (rest, d.clone()),
        }
    };
    if d.is_one() {
        return whole + rest;
    }
    // floor(floor(x / a) / b) = floor(x / (a*b)), also with a constant beside the inner quotient.
    if let [term] = rest.variable_terms()
        && term.coefficient.is_one()
        && let Some(Operation::FloorDiv(inner, divisor)) = term.monomial.as_atom().and_then(Atom::operation)
        && let Some(divisor) = divisor.as_constant().filter(Integer::is_positive)
    {
        let shifted = inner.add_constant(&(&rest.constant_term() * &divisor));
        return whole + floor_div_constant(&shifted, &(&divisor * &d));
    }
    whole + Expr::operation(Operation::FloorDiv(rest, Expr::constant(d)))
}

fn floor_div_symbolic(e: &Expr, d: &Expr) -> Expr {
    let (whole, rest) = split_by_monomial(e, d);
    if rest.is_zero() {
        return whole;
    }
    let common = rest.content().gcd(&d.content());
    let (rest, d) = match (rest.divide_exactly(&common), d.divide_exactly(&common)) {
        (Some(x), Some(y)) => (x, y),
        _ => (rest, d.clone()),
    };
    whole + Expr::operation(Operation::FloorDiv(rest, d))
}

fn floor_mod_constant(e: &Expr, d: &Integer) -> Expr {
    if d.is_one() {
        return Expr::zero();
    }
    // Remainders by a multiple of d, and multiples of d, do not matter.
    let e = e.map_atoms(&mut |atom| match atom.operation() {
        Some(Operation::FloorMod(inner, divisor)) => divisor
            .as_constant()
            .filter(|divisor| divisor.is_multiple_of(d))
            .map(|_| inner.clone()),
        _ => None,
    });
    let mut rest = Vec::new();
    for term in e.term_slice() {
        let Some(remainder) = term.coefficient.floor_mod(d) else {
            return Expr::operation(Operation::FloorMod(e.clone(), Expr::constant(d.clone())));
        };
        if !remainder.is_zero() {
            rest.push(Term {
                monomial: term.monomial.clone(),
                coefficient: remainder,
            });
        }
    }
    let rest = Expr::from_terms(rest);
    if rest.as_constant().is_some() {
        return rest;
    }
    // (g*x + g*q + c) mod (g*d) = g * ((x + q) mod d) + c, for 0 <= c < g
    let common = gcd_of(rest.variable_terms()).gcd(d);
    if !common.is_one()
        && let (Some(quotient), Some(left), Some(variable), Some(divisor)) = (
            rest.constant_term().floor_div(&common),
            rest.constant_term().floor_mod(&common),
            rest.without_constant().divide_exactly(&common),
            d.trunc_div(&common),
        )
    {
        return floor_mod_constant(&variable.add_constant(&quotient), &divisor)
            .scale(&common)
            .add_constant(&left);
    }
    Expr::operation(Operation::FloorMod(rest, Expr::constant(d.clone())))
}

/// The product of one term as an expression, for callers that need a unit coefficient.
pub(crate) fn unit(monomial: &Monomial) -> Expr {
    Expr::monomial(monomial, Integer::ONE)
}
