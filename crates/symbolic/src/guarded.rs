//! How are values that depend on conditions written? As guarded sums (IPDA §4): a few disjoint cases with their values.
//!
//! Selections that are really minima and maxima become those (DawnCC §4, static resolution of conditionals).

use crate::atom::{Atom, Operation};
use crate::condition::{Condition, Relation};
use crate::expr::{Digest, Expr};
use crate::integer::Integer;

/// Most cases of one guarded sum.
pub const MAX_CASES: usize = 8;

impl Expr {
    /// `condition ? a : b`.
    pub fn select(condition: &Condition, a: &Expr, b: &Expr) -> Expr {
        if condition.is_always() || a == b {
            return a.clone();
        }
        if condition.is_never() {
            return b.clone();
        }
        if let Some(extremum) = as_extremum(condition, a, b) {
            return extremum;
        }
        let opposite = condition.not();
        let mut cases = Vec::new();
        add_cases(&mut cases, condition, a);
        add_cases(&mut cases, &opposite, b);
        if cases.len() > MAX_CASES {
            cases = vec![(condition.clone(), a.clone()), (opposite, b.clone())];
        }
        Expr::guarded(cases)
    }

    /// The value of the case whose condition holds. The conditions must exclude each other; where none holds the value is
    /// undefined, so that a single case with an arbitrary condition is its value.
    pub fn guarded(cases: Vec<(Condition, Expr)>) -> Expr {
        let mut kept: Vec<(Condition, Expr)> = Vec::with_capacity(cases.len());
        for (condition, value) in cases {
            if condition.is_always() {
                return value;
            }
            if condition.is_never() {
                continue;
            }
            match kept.iter_mut().find(|(_, other)| *other == value) {
                Some((joined, _)) => *joined = joined.or(&condition),
                None => kept.push((condition, value)),
            }
        }
        if kept.iter().any(|(condition, _)| condition.is_always()) || kept.len() == 1 {
            if let Some(position) = kept.iter().position(|(condition, _)| condition.is_always()) {
                return kept.swap_remove(position).1;
            }
            return kept.swap_remove(0).1;
        }
        if kept.is_empty() {
            return Expr::zero();
        }
        if let [(condition, a), (other, b)] = &kept[..]
            && condition.not() == *other
            && let Some(extremum) = as_extremum(condition, a, b)
        {
            return extremum;
        }
        if kept.len() > MAX_CASES {
            let mut digest = Digest::new(8);
            for (condition, value) in &kept {
                digest.condition(condition);
                digest.expr(value);
            }
            return digest.finish();
        }
        kept.sort();
        Expr::operation(Operation::Guarded(kept.into_boxed_slice()))
    }
}

/// Adds the value under the condition, with its own cases joined if it is itself a guarded sum.
fn add_cases(cases: &mut Vec<(Condition, Expr)>, condition: &Condition, value: &Expr) {
    for term in value.term_slice() {
        if let Some(atom) = term.monomial.as_atom()
            && let Some(Operation::Guarded(inner)) = atom.operation()
        {
            let rest = value.add_scaled(&Expr::atom(Atom::clone(atom)), &-&term.coefficient);
            for (own, part) in inner {
                cases.push((condition.and(own), rest.add_scaled(part, &term.coefficient)));
            }
            return;
        }
    }
    cases.push((condition.clone(), value.clone()));
}

/// `c >= 0 ? a : b` is an extremum if `a - b` is `c`, `c + 1`, `-c` or `-c - 1`.
fn as_extremum(condition: &Condition, a: &Expr, b: &Expr) -> Option<Expr> {
    let comparison = condition.as_comparison()?;
    if comparison.relation != Relation::NonNegative {
        return None;
    }
    let difference = a - b;
    let reduced = difference.divide_exactly(&difference.content())?;
    let c = &comparison.expr;
    let above = c.add_constant(&Integer::ONE);
    if reduced == *c || reduced == above {
        Some(Expr::max(a, b))
    } else if reduced == -c || reduced == -above {
        Some(Expr::min(a, b))
    } else {
        None
    }
}
