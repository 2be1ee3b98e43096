//! What is known of the values that two iterations read, if those in memory are in order?
//!
//! Values that are read one element further in each iteration: those of a later iteration lie behind, and are as much greater at least as they are elements
//! apart, if each is greater than the one before it (they are integers); no less, if none is less.

use super::ladder::renamed;
use crate::symbols::Symbols;
use ferry_symbolic::{Expr, Symbol};

/// What is not negative if the values are in order: of the value `first` that an iteration reads, and `second` that a later one reads, from a place that
/// is so many elements `ahead` in the same iteration. `None` where the two may lie in either order.
pub fn fact(
    symbols: &Symbols,
    counter: Symbol,
    (first, second): (Symbol, Symbol),
    (ahead, backwards): (i64, bool),
    strictly: bool,
) -> Option<Expr> {
    let (earlier, later) = (Expr::symbol(first), Expr::symbol(renamed(symbols, second)));
    let ahead = match backwards {
        false => ahead,
        true => -ahead,
    };
    // The later iteration is one further at least.
    if ahead < -1 {
        return None;
    }
    let rise = match backwards {
        false => &later - &earlier,
        true => &earlier - &later,
    };
    let iterations = &Expr::symbol(renamed(symbols, counter)) - &Expr::symbol(counter);
    let elements = &iterations + &Expr::int(i128::from(ahead));
    Some(match strictly {
        true => &rise - &elements,
        false => rise,
    })
}
