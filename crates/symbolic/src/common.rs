//! Which parts of some expressions occur more than once, and deserve a name (DawnCC §4)?
//!
//! Only operations are named, not sums: they are what is long in C. What stands under a condition is not taken out of it: it may be
//! undefined (a division by 0) where the condition does not hold.

use crate::atom::{Atom, Operation, Symbol};
use crate::expr::Expr;
use std::collections::BTreeMap;

/// Names for the operations that occur more than once: `(definitions, expressions)`. A definition mentions only symbols defined
/// before it; the expressions use the new symbols, which `fresh` makes. With them substituted the expressions are the given ones.
pub fn name_common(
    expressions: &[Expr],
    fresh: &mut dyn FnMut() -> Symbol,
) -> (Vec<(Symbol, Expr)>, Vec<Expr>) {
    let mut counts: BTreeMap<Atom, (usize, u16)> = BTreeMap::new();
    for expression in expressions {
        count(expression, 1, &mut counts);
    }
    let mut repeated: Vec<(u16, Atom)> = counts
        .into_iter()
        .filter(|(_, (count, _))| *count > 1)
        .map(|(atom, (_, depth))| (depth, atom))
        .collect();
    // Inner operations first, so that the outer ones are defined by them.
    repeated.sort();
    let mut names: Vec<(Atom, Symbol)> = Vec::new();
    let mut definitions = Vec::new();
    for (_, atom) in repeated {
        let Some(operation) = atom.operation() else {
            continue;
        };
        let definition = operation
            .map_operands(&mut |operand| rename(operand, &names))
            .unwrap_or_else(|| Expr::atom(atom.clone()));
        let symbol = fresh();
        definitions.push((symbol, definition));
        names.push((atom, symbol));
    }
    let renamed = expressions
        .iter()
        .map(|expression| rename(expression, &names))
        .collect();
    (definitions, renamed)
}

/// Counts how often each operation will be written. Operands of an extremum are written twice in C.
fn count(expression: &Expr, times: usize, counts: &mut BTreeMap<Atom, (usize, u16)>) {
    for term in expression.terms() {
        for (atom, power) in term.monomial.factors() {
            let Some(operation) = atom.operation() else {
                continue;
            };
            let written = times.saturating_mul(*power as usize);
            let entry = counts.entry(atom.clone()).or_insert((0, atom.depth()));
            let seen = entry.0 > 0;
            entry.0 = entry.0.saturating_add(written);
            // Once named, it is written once, and so is what is within.
            if seen {
                continue;
            }
            match operation {
                Operation::Guarded(_) | Operation::Oversize { .. } => {}
                Operation::Max(operands) => {
                    for operand in operands {
                        count(operand, 2, counts);
                    }
                }
                other => {
                    for operand in other.operands() {
                        count(operand, 1, counts);
                    }
                }
            }
        }
    }
}

fn rename(expression: &Expr, names: &[(Atom, Symbol)]) -> Expr {
    expression.map_atoms(&mut |atom| {
        if let Some((_, symbol)) = names.iter().find(|(own, _)| own == atom) {
            return Some(Expr::symbol(*symbol));
        }
        match atom.operation()? {
            Operation::Guarded(_) => None,
            operation => operation.map_operands(&mut |operand| rename(operand, names)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_occurs_twice() {
        let (n, m) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let length = Expr::max(&Expr::zero(), &Expr::trunc_div(&n, &m));
        let given = [&length + 1, &length * &m, n.clone()];
        let mut next = 100;
        let (definitions, renamed) = name_common(&given, &mut || {
            next += 1;
            Symbol(next)
        });
        assert_eq!(definitions.len(), 2);
        assert_eq!(renamed[1], Expr::symbol(Symbol(102)) * &m);
        let mut back = renamed.clone();
        for (symbol, value) in definitions.iter().rev() {
            back = back.iter().map(|e| e.substitute(*symbol, value)).collect();
        }
        assert_eq!(back, given);
    }
}
