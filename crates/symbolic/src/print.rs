//! How is an expression read? As mathematics: `max(0, n - 1)`, `i*n + j`. For C see [`crate::c_text`].

use crate::atom::{Atom, Operation, Symbol};
use crate::condition::{Condition, ConditionKind, Relation};
use crate::expr::Expr;

/// The mathematical text of an expression.
pub fn text(expr: &Expr, name: &dyn Fn(Symbol) -> String) -> String {
    let mut out = String::new();
    for (index, term) in expr.terms().enumerate() {
        if index > 0 {
            out.push_str(" + ");
        }
        let mut parts = Vec::new();
        if !term.coefficient.is_one() || term.monomial.is_one() {
            parts.push(term.coefficient.to_string());
        }
        for (atom, power) in term.monomial.factors() {
            for _ in 0..*power {
                parts.push(atom_text(atom, name));
            }
        }
        out.push_str(&parts.join("*"));
    }
    if out.is_empty() { "0".to_string() } else { out }
}

fn atom_text(atom: &Atom, name: &dyn Fn(Symbol) -> String) -> String {
    match atom.operation() {
        None => atom.as_symbol().map(name).unwrap_or_default(),
        Some(Operation::Guarded(cases)) => format!(
            "({})",
            cases
                .iter()
                .map(|(c, v)| format!("{} if {}", text(v, name), condition_text(c, name)))
                .collect::<Vec<_>>()
                .join("; ")
        ),
        Some(operation) => format!(
            "op{}({})",
            operation.code(),
            operation
                .operands()
                .iter()
                .map(|o| text(o, name))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

/// The mathematical text of a condition.
pub fn condition_text(condition: &Condition, name: &dyn Fn(Symbol) -> String) -> String {
    match condition.kind() {
        ConditionKind::True => "true".into(),
        ConditionKind::False => "false".into(),
        ConditionKind::Comparison(c) => {
            let op = match c.relation {
                Relation::NonNegative => ">=",
                Relation::Zero => "==",
                Relation::NonZero => "!=",
            };
            format!("{} {op} 0", text(&c.expr, name))
        }
        ConditionKind::And(o) => {
            format!(
                "({})",
                o.iter()
                    .map(|c| condition_text(c, name))
                    .collect::<Vec<_>>()
                    .join(" && ")
            )
        }
        ConditionKind::Or(o) => {
            format!(
                "({})",
                o.iter()
                    .map(|c| condition_text(c, name))
                    .collect::<Vec<_>>()
                    .join(" || ")
            )
        }
    }
}
