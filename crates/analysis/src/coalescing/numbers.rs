//! What is a number in this build? Constants that the source spells by a name, and symbols of which the facts leave one value.

use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_symbolic::{Expr, Facts, Integer};

/// The expression with numbers for all symbols that stand for one.
pub fn known(values: &Values, facts: &Facts, expr: &Expr) -> Expr {
    if expr.as_constant().is_some() {
        return expr.clone();
    }
    expr.substitute_all(&|symbol| match values.symbols.info(symbol).kind {
        SymbolKind::Named { value, .. } => Some(Expr::int(value)),
        SymbolKind::Counter(_) | SymbolKind::Address(_) | SymbolKind::Allocated(_) => None,
        _ => match facts.constant_range(&Expr::symbol(symbol)) {
            (Some(low), Some(high)) if low == high => Some(Expr::constant(low)),
            _ => None,
        },
    })
}

/// The value of a constant expression.
pub fn number(expr: &Expr) -> Option<i128> {
    expr.as_constant()?.to_i128()
}

/// The greatest common divisor, never negative; that of 0 and a number is the number.
pub fn gcd(a: i128, b: i128) -> i128 {
    let found = Integer::from(a).gcd(&Integer::from(b));
    found.to_i128().unwrap_or(1)
}
