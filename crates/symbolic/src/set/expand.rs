//! How do conditions and expressions become affine? Cases: a minimum is one of its operands, where that is the least.
//!
//! Exact: the cases cover all assignments for which everything is defined, and differ in their comparisons. What has too many cases stays one unknown.

use crate::atom::{Atom, Operation};
use crate::condition::{Comparison, Condition, ConditionKind, Relation};
use crate::expr::Expr;
use crate::integer::Integer;

/// Expressions without maxima, selections and truncating quotients by constants, and the comparisons for which they are the values.
#[derive(Clone)]
pub(super) struct Case {
    /// Comparisons with `>=` and `==` only.
    pub(super) comparisons: Vec<Comparison>,
    /// The expressions.
    pub(super) exprs: Vec<Expr>,
}

struct Open {
    pending: Vec<Condition>,
    case: Case,
}

/// Most cases.
const MAX_CASES: usize = 64;

/// The cases of a condition and expressions. `None` if there are too many.
pub(super) fn expand(condition: &Condition, exprs: &[Expr], split: bool) -> Option<Vec<Case>> {
    let mut open = vec![Open {
        pending: vec![condition.clone()],
        case: Case {
            comparisons: Vec::new(),
            exprs: exprs.to_vec(),
        },
    }];
    let mut done = Vec::new();
    let mut steps = 0;
    while let Some(mut state) = open.pop() {
        steps += 1;
        if open.len() + done.len() >= MAX_CASES || steps > 8 * MAX_CASES {
            return None;
        }
        if let Some(next) = state.pending.pop() {
            match next.kind() {
                ConditionKind::True => open.push(state),
                ConditionKind::False => {}
                ConditionKind::And(operands) => {
                    state.pending.extend(operands.iter().cloned());
                    open.push(state);
                }
                ConditionKind::Or(operands) => {
                    for operand in operands.iter().rev() {
                        open.push(state.and(operand.clone()));
                    }
                }
                ConditionKind::Comparison(comparison) if comparison.relation == Relation::NonZero => {
                    open.push(state.and(Condition::negative(&comparison.expr)));
                    open.push(state.and(Condition::positive(&comparison.expr)));
                }
                ConditionKind::Comparison(comparison) => {
                    state.case.comparisons.push(comparison.clone());
                    open.push(state);
                }
            }
            continue;
        }
        let found = if split { state.case.splitting() } else { None };
        let Some((atom, choices)) = found else {
            done.push(state.case);
            continue;
        };
        for (condition, value) in choices.into_iter().rev() {
            // Comparisons may become true or false by their form, so they are looked at again.
            let mut pending = vec![condition];
            for comparison in &state.case.comparisons {
                let expr = replace(&comparison.expr, &atom, &value);
                pending.push(Condition::comparison(comparison.relation, &expr));
            }
            let exprs = state.case.exprs.iter().map(|expr| replace(expr, &atom, &value));
            open.push(Open {
                pending,
                case: Case {
                    comparisons: Vec::new(),
                    exprs: exprs.collect(),
                },
            });
        }
    }
    Some(done)
}

impl Open {
    fn and(&self, condition: Condition) -> Open {
        let mut pending = self.pending.clone();
        pending.push(condition);
        Open {
            pending,
            case: self.case.clone(),
        }
    }
}

/// Conditions that exclude each other, with the value of an atom under each.
type Choices = Vec<(Condition, Expr)>;

impl Case {
    /// An atom with cases, innermost first.
    fn splitting(&self) -> Option<(Atom, Choices)> {
        let compared = self.comparisons.iter().map(|comparison| &comparison.expr);
        compared.chain(&self.exprs).find_map(splitting)
    }
}

fn splitting(expr: &Expr) -> Option<(Atom, Choices)> {
    for term in expr.terms() {
        for (atom, _) in term.monomial.factors() {
            let Some(operation) = atom.operation() else {
                continue;
            };
            // Operands of other operations are hidden in one unknown.
            let inner = match operation {
                Operation::Max(_) | Operation::Guarded(_) => operation.operands(),
                Operation::FloorDiv(a, d)
                | Operation::FloorMod(a, d)
                | Operation::TruncDiv(a, d)
                | Operation::TruncRem(a, d)
                    if positive(d).is_some() =>
                {
                    vec![a]
                }
                _ => continue,
            };
            if let Some(found) = inner.into_iter().find_map(splitting) {
                return Some(found);
            }
            if let Some(choices) = choices(operation) {
                return Some((atom.clone(), choices));
            }
        }
    }
    None
}

/// A divisor that is a positive constant.
pub(super) fn positive(divisor: &Expr) -> Option<Integer> {
    divisor.as_constant().filter(Integer::is_positive)
}

fn choices(operation: &Operation) -> Option<Choices> {
    match operation {
        Operation::Max(operands) => Some(
            operands
                .iter()
                .enumerate()
                .map(|(at, operand)| {
                    // The first of the greatest, so that cases exclude each other.
                    let greatest = operands.iter().enumerate().filter(|(other, _)| *other != at).map(
                        |(other, value)| {
                            if other < at {
                                Condition::less(value, operand)
                            } else {
                                Condition::less_equal(value, operand)
                            }
                        },
                    );
                    (Condition::all(greatest), operand.clone())
                })
                .collect(),
        ),
        Operation::Guarded(cases) => Some(cases.to_vec()),
        Operation::TruncDiv(a, d) if positive(d).is_some() => Some(truncated(a, d)),
        Operation::TruncRem(a, d) if positive(d).is_some() => Some(
            truncated(a, d)
                .into_iter()
                .map(|(condition, quotient)| (condition, a - &(d * &quotient)))
                .collect(),
        ),
        _ => None,
    }
}

/// C's quotient rounds towards 0.
fn truncated(a: &Expr, d: &Expr) -> Choices {
    vec![
        (Condition::nonnegative(a), Expr::floor_div(a, d)),
        (Condition::negative(a), -Expr::floor_div(&-a, d)),
    ]
}

/// The expression with a value for an atom, within the operations that are taken apart too.
fn replace(expr: &Expr, target: &Atom, value: &Expr) -> Expr {
    expr.map_atoms(&mut |atom| {
        if atom == target {
            return Some(value.clone());
        }
        match atom.operation()? {
            operation @ (Operation::Max(_)
            | Operation::Guarded(_)
            | Operation::FloorDiv(..)
            | Operation::FloorMod(..)
            | Operation::TruncDiv(..)
            | Operation::TruncRem(..)) => {
                operation.map_operands(&mut |operand| replace(operand, target, value))
            }
            _ => None,
        }
    })
}
