//! Is a condition ever true of a loop that is worth one?
//!
//! Proofs find most that never are; conditions with products, like `3 * n >= n * n + 2`, they do not see through. So ordinary values are tried,
//! too: lengths, strides and offsets, small and large, of both signs. A condition that none of them fulfils together with what is known is not
//! worth its test. The values are the same in every run.
//!
//! What it cannot do: find the one value of many for which a strange condition holds. Such a condition is lost, never a program.

use ferry_symbolic::{Condition, Facts, Integer, Symbol};
use std::collections::BTreeMap;

/// Ordinary values of lengths, strides and offsets.
// 32 is the greatest length for which accesses 32 iterations apart keep away from one another, the nearest that are worth a condition.
const VALUES: [i64; 12] = [100, 1, 0, 1000, 64, 7, -1, 200, -100, 32, 100_000, -2000];

/// Most assignments that are tried.
const TRIALS: u64 = 2000;

/// True if the condition can hold together with the facts.
pub fn is_likely(condition: &Condition, facts: &Facts) -> bool {
    if facts.with(condition).infeasible() {
        return false;
    }
    let symbols = condition.symbols();
    let known: Vec<Condition> = facts.conditions().into_iter().map(|(known, _)| known).collect();
    let of_these = |known: &&Condition| known.symbols().iter().any(|symbol| symbols.contains(symbol));
    let known: Vec<&Condition> = known.iter().filter(of_these).collect();
    let mut all = symbols.clone();
    all.extend(known.iter().flat_map(|known| known.symbols()));
    let holds = |condition: &Condition, values: &BTreeMap<Symbol, Integer>| {
        condition.evaluate(&|symbol| values.get(&symbol).cloned())
    };
    (0..TRIALS).any(|trial| {
        let values: BTreeMap<Symbol, Integer> = all
            .iter()
            .enumerate()
            .map(|(at, symbol)| (*symbol, Integer::from(value(trial, at))))
            .collect();
        // What cannot be evaluated is not held against it.
        known.iter().all(|known| holds(known, &values) != Some(false))
            && holds(condition, &values) != Some(false)
    })
}

/// The value of the symbol with this number in one trial: of two symbols all pairs come up, of more some.
fn value(trial: u64, symbol: usize) -> i64 {
    let count = VALUES.len() as u64;
    let mixed = match symbol {
        0 => trial,
        1 => trial / count,
        _ => {
            (trial + 1)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(7 * symbol as u32)
                >> 20
        }
    };
    VALUES[(mixed % count) as usize]
}

#[cfg(test)]
mod tests {
    use super::is_likely;
    use ferry_symbolic::{Condition, Expr, Facts, Symbol};

    #[test]
    fn ordinary_values_decide() {
        let (n, k) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let mut facts = Facts::new();
        facts.assume_nonnegative(&n - &Expr::int(8));
        assert!(is_likely(&Condition::less_equal(&n, &k), &facts));
        assert!(is_likely(&Condition::zero(&k), &facts));
        assert!(!is_likely(&Condition::less_equal(&n, &Expr::int(3)), &facts));
        let square = &n * &n;
        assert!(!is_likely(
            &Condition::less_equal(&square, &(&n * &Expr::int(3))),
            &facts
        ));
        assert!(is_likely(&Condition::less_equal(&square, &k), &facts));
    }
}
