//! Values for which all facts hold, for those who look at a question with numbers before they look for a proof: what does not hold for them has none.

use crate::atom::Symbol;
use crate::expr::Expr;
use crate::facts::Facts;
use crate::integer::Integer;
use crate::witness::{self, Values};

/// Values of all symbols for which some facts hold.
pub struct Example(Values);

impl Facts {
    /// Values for which all facts hold, if some are found. These symbols are as large as they may be, up to some thousands, and differ: where strides of arrays are small,
    /// much lies at one place that is apart for nearly all others.
    pub fn example(&self, large: impl IntoIterator<Item = Symbol>) -> Option<Example> {
        let store = self.store();
        let mut values = store.example()?.clone();
        for (number, symbol) in (0..).zip(large) {
            witness::set_if_all_hold(store, &mut values, symbol, Integer::from(1009 + 1009 * number));
        }
        Some(Example(values))
    }
}

impl Example {
    /// The value of an expression. Symbols that the facts do not mention, and that need not be large, are 0, as good as any other. `None` where it is undefined.
    pub fn value_of(&self, expr: &Expr) -> Option<Integer> {
        expr.evaluate(&|symbol: Symbol| Some(self.0.of(symbol).unwrap_or(Integer::ZERO)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Condition, Expr, Facts, Integer, Symbol};

    #[test]
    fn all_facts_hold_for_the_values() {
        let [a, b, c] = [0, 1, 2].map(|number| Expr::symbol(Symbol(number)));
        let mut facts = Facts::new();
        facts.assume_nonnegative(&a - &Expr::int(8));
        facts.assume(&Condition::less(&(&a + &a), &b));
        let example = facts.example([]);
        let value = |expr: &Expr| example.as_ref().and_then(|example| example.value_of(expr));
        assert!(value(&(&a - &Expr::int(8))).is_some_and(|value| !value.is_negative()));
        assert!(value(&(&b - &(&a + &a))).is_some_and(|value| value.is_positive()));
        assert_eq!(value(&(&c + &Expr::one())), Some(Integer::ONE));
        facts.assume(&Condition::less(&b, &a));
        assert!(facts.example([]).is_none());
    }

    #[test]
    fn symbols_are_large_where_they_may_be() {
        let [a, b, c] = [0, 1, 2].map(|number| Expr::symbol(Symbol(number)));
        let mut facts = Facts::new();
        facts.assume(&Condition::less_equal(&a, &Expr::int(50)));
        facts.assume(&Condition::less_equal(&a, &b));
        let example = facts.example([0, 1, 2].map(Symbol));
        let value = |expr: &Expr| {
            example
                .as_ref()
                .and_then(|example| example.value_of(expr)?.to_i128())
        };
        assert!(value(&a).is_some_and(|value| value <= 50) && value(&b) == Some(2018));
        assert_eq!(value(&c), Some(3027));
    }
}
