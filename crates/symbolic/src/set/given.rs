//! What does a question become under facts? The set is restricted to where they hold.
//!
//! Besides the facts that are about the set's symbols, those that are connected with them, and what follows for products: the constant range of a
//! parameter that is not a symbol, and the product of two facts (both not negative) that mentions such a parameter and at most one that is new. Facts that
//! are left out make the answer "no" where it could be "yes", never the other way round.

use super::Set;
use crate::atom::Symbol;
use crate::condition::{Condition, Relation};
use crate::expr::Expr;
use crate::facts::Facts;
use crate::integer::Integer;
use std::collections::BTreeSet;

/// Most facts that are said.
const MAX_FACTS: usize = 32;
/// Most products of two facts that are said.
const MAX_PRODUCTS: usize = 24;

impl Set {
    /// The set where the facts hold: `a.given(&facts).is_subset(&b)` asks under the facts. Facts that are not said leave more points.
    pub fn given(&self, facts: &Facts) -> Set {
        if self.is_plainly_empty() {
            return self.clone();
        }
        self.constrain(&Condition::all(self.known(facts))).set
    }

    /// What the facts say about the set, as conditions one by one.
    pub fn known(&self, facts: &Facts) -> Vec<Condition> {
        let mut all: Vec<Condition> = Vec::new();
        let mut nonnegative: Vec<Expr> = Vec::new();
        for (condition, _) in connected(self.symbols(), facts) {
            if let Some(comparison) = condition.as_comparison()
                && comparison.relation == Relation::NonNegative
            {
                nonnegative.push(comparison.expr.clone());
            }
            all.push(condition);
        }
        let mut monomials = self.parameters();
        for condition in &all {
            if let Some(comparison) = condition.as_comparison() {
                add_monomials(&comparison.expr, &mut monomials);
            }
        }
        let products_matter = monomials.iter().any(|parameter| parameter.as_atom().is_none());
        for parameter in &monomials {
            let (low, high) = facts.constant_range(parameter);
            if parameter.as_symbol().is_some() {
                // Bounds of symbols follow from the facts: they are for the products.
                if products_matter {
                    let lowest = [parameter.add_constant(&Integer::MINUS_ONE), parameter.clone()];
                    let low = low.map(|low| parameter.add_constant(&-low));
                    let shown = || lowest.into_iter().find(|bound| facts.prove_nonnegative(bound));
                    nonnegative.extend(low.or_else(shown));
                }
                continue;
            }
            all.extend(low.map(|low| Condition::nonnegative(&parameter.add_constant(&-low))));
            all.extend(high.map(|high| Condition::nonnegative(&(-parameter).add_constant(&high))));
        }
        if products_matter {
            all.extend(products(&nonnegative, &monomials));
        }
        all
    }
}

/// Comparisons that are connected with the symbols, the nearest first.
fn connected(mut symbols: BTreeSet<Symbol>, facts: &Facts) -> Vec<(Condition, BTreeSet<Symbol>)> {
    let mut open: Vec<(Condition, BTreeSet<Symbol>)> = facts
        .conditions()
        .into_iter()
        .filter(|(condition, _)| {
            condition
                .as_comparison()
                .is_some_and(|own| own.relation != Relation::NonZero)
        })
        .map(|(condition, _)| {
            let own = condition.symbols();
            (condition, own)
        })
        .collect();
    let mut found = Vec::new();
    loop {
        let (near, far): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, own)| !own.is_disjoint(&symbols));
        if near.is_empty() {
            return found;
        }
        for (condition, own) in near {
            if found.len() == MAX_FACTS {
                return found;
            }
            symbols.extend(own.iter().copied());
            found.push((condition, own));
        }
        open = far;
    }
}

fn add_monomials(expr: &Expr, monomials: &mut BTreeSet<Expr>) {
    for term in expr.terms() {
        if !term.monomial.is_one() {
            monomials.insert(crate::divide::unit(&term.monomial));
        }
    }
}

/// Products of two facts that say something about one of these monomials, and at most one that is not there.
fn products(nonnegative: &[Expr], monomials: &BTreeSet<Expr>) -> Vec<Condition> {
    let mut found = Vec::new();
    for (at, first) in nonnegative.iter().enumerate() {
        for second in &nonnegative[..=at] {
            let product = first.times(second);
            let mut needed = BTreeSet::new();
            add_monomials(&product, &mut needed);
            needed.retain(|monomial| monomial.as_symbol().is_none());
            let new = needed
                .iter()
                .filter(|monomial| !monomials.contains(monomial))
                .count();
            if new <= 1 && needed.len() > new {
                found.push(Condition::nonnegative(&product));
                if found.len() == MAX_PRODUCTS {
                    return found;
                }
            }
        }
    }
    found
}
