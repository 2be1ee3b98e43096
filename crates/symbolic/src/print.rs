//! How is an expression read? As mathematics: `max(0, n - 1)`, `i*n + j`. For C see [`crate::c_text`].
//!
//! `a/b` and `a%b` are those of C; `floor(a/b)` and `a mod b` round down.

use crate::atom::{Atom, Operation, Symbol};
use crate::condition::{Condition, ConditionKind};
use crate::expr::Expr;
use crate::layout::{Tree, arrange, cases_in_order, constants_last, sides};

/// The name of a symbol.
type Names<'a> = dyn Fn(Symbol) -> String + 'a;

/// The mathematical text of an expression.
pub fn text(expr: &Expr, name: &Names<'_>) -> String {
    sum_text(&arrange(expr), name)
}

fn sum_text(tree: &Tree, name: &Names<'_>) -> String {
    let Tree::Sum(parts) = tree else {
        return product_text(tree, name);
    };
    let mut out = String::new();
    for (index, (minus, part)) in parts.iter().enumerate() {
        out.push_str(match (index, minus) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        out.push_str(&product_text(part, name));
    }
    out
}

fn product_text(tree: &Tree, name: &Names<'_>) -> String {
    let Tree::Product(factors) = tree else {
        return factor_text(tree, name);
    };
    factors
        .iter()
        .map(|factor| factor_text(factor, name))
        .collect::<Vec<_>>()
        .join("*")
}

fn factor_text(tree: &Tree, name: &Names<'_>) -> String {
    match tree {
        Tree::Number(value) => value.to_string(),
        Tree::Atom(atom) => atom_text(atom, name),
        Tree::Sum(_) => format!("({})", sum_text(tree, name)),
        Tree::Product(_) => format!("({})", product_text(tree, name)),
        Tree::Extremum { greatest, operands } => {
            let mut operands = constants_last(operands);
            if *greatest {
                let constant_last = operands.last().is_some_and(|last| last.as_constant().is_some());
                operands.rotate_right(usize::from(constant_last));
            }
            let parts: Vec<String> = operands.iter().map(|operand| text(operand, name)).collect();
            format!("{}({})", if *greatest { "max" } else { "min" }, parts.join(", "))
        }
    }
}

/// An operand of an operator that binds more tightly than sums and products.
fn operand_text(e: &Expr, name: &Names<'_>) -> String {
    match arrange(e) {
        tree @ (Tree::Sum(_) | Tree::Product(_)) => format!("({})", sum_text(&tree, name)),
        tree => factor_text(&tree, name),
    }
}

fn atom_text(atom: &Atom, name: &Names<'_>) -> String {
    let Some(operation) = atom.operation() else {
        return atom.as_symbol().map(name).unwrap_or_default();
    };
    let two = |a: &Expr, operator: &str, b: &Expr| {
        format!("({}{operator}{})", operand_text(a, name), operand_text(b, name))
    };
    match operation {
        Operation::Max(_) => factor_text(&arrange(&Expr::atom(atom.clone())), name),
        Operation::FloorDiv(a, b) => format!("floor({}/{})", operand_text(a, name), operand_text(b, name)),
        Operation::FloorMod(a, b) => two(a, " mod ", b),
        Operation::TruncDiv(a, b) => two(a, "/", b),
        Operation::TruncRem(a, b) => two(a, "%", b),
        Operation::And(a, b) => two(a, " & ", b),
        Operation::Or(a, b) => two(a, " | ", b),
        Operation::Xor(a, b) => two(a, " ^ ", b),
        Operation::ShiftLeft(a, b) => two(a, " << ", b),
        Operation::ShiftRight(a, b) => two(a, " >> ", b),
        Operation::Guarded(cases) => {
            let parts: Vec<String> = cases_in_order(cases)
                .iter()
                .map(|(condition, value)| {
                    format!("{} if {}", text(value, name), condition_text(condition, name))
                })
                .collect();
            format!("({})", parts.join("; "))
        }
        Operation::Oversize { symbols, .. } => {
            let mut names: Vec<String> = symbols.iter().take(4).map(|symbol| name(*symbol)).collect();
            if symbols.len() > 4 {
                names.push("...".to_string());
            }
            format!("large({})", names.join(", "))
        }
    }
}

/// The mathematical text of a condition, with the operators of C.
pub fn condition_text(condition: &Condition, name: &Names<'_>) -> String {
    let join = |operands: &[Condition], operator: &str| {
        let parts: Vec<String> = operands
            .iter()
            .map(|operand| match operand.kind() {
                ConditionKind::And(_) | ConditionKind::Or(_) => {
                    format!("({})", condition_text(operand, name))
                }
                _ => condition_text(operand, name),
            })
            .collect();
        parts.join(operator)
    };
    match condition.kind() {
        ConditionKind::True => "true".to_string(),
        ConditionKind::False => "false".to_string(),
        ConditionKind::Comparison(comparison) => {
            let (left, operator, right) = sides(&comparison.expr, comparison.relation);
            format!("{} {operator} {}", text(&left, name), text(&right, name))
        }
        ConditionKind::And(operands) => join(operands, " && "),
        ConditionKind::Or(operands) => join(operands, " || "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(symbol: Symbol) -> String {
        ["i", "j", "m", "n"]
            .get(symbol.0 as usize)
            .map_or_else(|| format!("s{}", symbol.0), |name| name.to_string())
    }

    fn shown(e: &Expr) -> String {
        text(e, &name)
    }

    #[test]
    fn reads_as_a_person_writes() {
        let [i, j, m, n] = [0, 1, 2, 3].map(|index| Expr::symbol(Symbol(index)));
        assert_eq!(shown(&(&n - 1)), "n - 1");
        assert_eq!(shown(&(Expr::int(3) - &n)), "3 - n");
        assert_eq!(shown(&(&i * &n + &j)), "i*n + j");
        assert_eq!(shown(&((&i - 1) * &n + &j)), "(i - 1)*n + j");
        assert_eq!(shown(&(&m * &n - 1)), "m*n - 1");
        assert_eq!(shown(&(-&n - 1)), "-n - 1");
        assert_eq!(shown(&Expr::zero()), "0");
        assert_eq!(shown(&Expr::max(&Expr::zero(), &(&n - 1))), "max(0, n - 1)");
        assert_eq!(shown(&(Expr::max(&Expr::zero(), &(&n - 1)) + 1)), "max(1, n)");
        assert_eq!(shown(&Expr::min(&n, &m)), "min(m, n)");
        assert_eq!(shown(&Expr::min(&n, &Expr::int(3))), "min(n, 3)");
        assert_eq!(shown(&(Expr::min(&n, &Expr::int(3)) - 1)), "min(n, 3) - 1");
        assert_eq!(shown(&Expr::max(&Expr::zero(), &(&n - &m))), "max(0, n - m)");
        assert_eq!(shown(&Expr::max(&Expr::zero(), &(&m - &n))), "max(0, m - n)");
        assert_eq!(shown(&(&j - Expr::max(&Expr::zero(), &n))), "j - max(0, n)");
        assert_eq!(shown(&Expr::trunc_rem(&i, &n)), "(i%n)");
        assert_eq!(
            shown(&Expr::floor_div(&(&n + 1), &Expr::int(2))),
            "floor((n + 1)/2)"
        );
        let condition = Condition::less(&i, &n).and(&Condition::not_equal(&j, &Expr::zero()));
        assert_eq!(condition_text(&condition, &name), "n > i && j != 0");
    }
}
