//! Which symbols can facts link to a given one?
//!
//! Two symbols are linked if one fact mentions both, or if a chain of such facts leads from one to the other. What is not
//! linked has its values whatever the other has, so that proofs and eliminations may leave it out.

use crate::atom::Symbol;
use crate::facts::Facts;
use std::collections::BTreeSet;

impl Facts {
    /// The symbols of `from`, and those that facts link to them.
    pub fn linked(&self, from: &BTreeSet<Symbol>) -> BTreeSet<Symbol> {
        self.linked_among(from, &|_| true)
    }

    /// As [`Facts::linked`], but chains lead only over symbols of which `candidate` is true.
    pub(crate) fn linked_among(
        &self,
        from: &BTreeSet<Symbol>,
        candidate: &dyn Fn(Symbol) -> bool,
    ) -> BTreeSet<Symbol> {
        let among = |symbols: BTreeSet<Symbol>| -> Vec<Symbol> {
            symbols.into_iter().filter(|symbol| candidate(*symbol)).collect()
        };
        let mut found: BTreeSet<Symbol> = from.iter().copied().filter(|own| candidate(*own)).collect();
        if found.is_empty() {
            return found;
        }
        let store = self.store();
        let mut links: Vec<Vec<Symbol>> = Vec::new();
        for facts in [&store.nonnegative, &store.zero, &store.nonzero] {
            links.extend(facts.iter().map(|fact| among(fact.expr.symbols())));
        }
        for (condition, _) in &store.disjunctions {
            links.push(among(condition.symbols()));
        }
        for congruence in &store.congruences {
            links.push(among(congruence.expr.symbols()));
        }
        links.retain(|link| link.len() > 1);
        loop {
            let before = found.len();
            links.retain(|link| {
                let linked = link.iter().any(|symbol| found.contains(symbol));
                if linked {
                    found.extend(link.iter().copied());
                }
                !linked
            });
            if found.len() == before {
                return found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Condition, Expr, Facts, Symbol};
    use std::collections::BTreeSet;

    fn set(numbers: &[u32]) -> BTreeSet<Symbol> {
        numbers.iter().copied().map(Symbol).collect()
    }

    #[test]
    fn chains_are_followed_and_the_rest_left_out() {
        let s = |number| Expr::symbol(Symbol(number));
        let mut facts = Facts::new();
        facts.assume(&Condition::less(&s(3), &s(2)));
        facts.assume(&Condition::equal(&s(1), &s(2)));
        facts.assume(&Condition::less(&s(4), &s(5)));
        facts.assume_nonnegative(s(6));
        assert_eq!(facts.linked(&set(&[1])), set(&[1, 2, 3]));
        assert_eq!(facts.linked(&set(&[6])), set(&[6]));
        // Without the one in the middle there is no chain.
        let found = facts.linked_among(&set(&[1]), &|symbol| symbol != Symbol(2));
        assert_eq!(found, set(&[1]));
    }

    #[test]
    fn a_disjunction_links_too() {
        let s = |number| Expr::symbol(Symbol(number));
        let mut facts = Facts::new();
        facts.assume(&Condition::negative(&s(1)).or(&Condition::positive(&s(2))));
        assert_eq!(facts.linked(&set(&[2])), set(&[1, 2]));
    }
}
