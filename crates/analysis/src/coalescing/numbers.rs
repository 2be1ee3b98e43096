//! What is a number in this build? Constants that the source spells by a name, and symbols of which the facts leave one value.

use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_symbolic::{Expr, Facts};

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
