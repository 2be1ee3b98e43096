//! Which linear problem asks whether a goal is a combination of constraints? One row for each monomial, without the columns that
//! cannot help: those with a monomial that nothing cancels.

use crate::atom::Monomial;
use crate::collect::Constraint;
use crate::expr::Expr;
use crate::simplex::Column;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Monomials hash by their structure already. Only look-ups, so no order depends on it.
type Structural = BuildHasherDefault<StructuralHasher>;

#[derive(Default)]
struct StructuralHasher(u64);

impl Hasher for StructuralHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = crate::atom::mix(self.0, u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The linear problem: one row for each monomial, one column for each useful constraint.
pub(crate) struct Problem {
    pub(crate) columns: Vec<Column>,
    /// Which constraint a column is.
    pub(crate) origin: Vec<usize>,
    /// The coefficients of the goal by row.
    pub(crate) goal: Vec<i128>,
}

impl Problem {
    /// `None`: no combination of the constraints can be the goal, or a coefficient is too large.
    pub(crate) fn new(goal: &Expr, constraints: &[Constraint]) -> Option<Problem> {
        let mut rows: HashMap<&Monomial, usize, Structural> = HashMap::default();
        let mut target: Vec<i128> = Vec::new();
        for term in goal.variable_terms() {
            rows.insert(&term.monomial, target.len());
            target.push(term.coefficient.to_i128()?);
        }
        let goal_rows = rows.len();
        let mut columns: Vec<(usize, Column)> = Vec::with_capacity(constraints.len() + 4);
        'constraints: for (index, constraint) in constraints.iter().enumerate() {
            let Some(constant) = constraint.expr.constant_term().to_i128() else {
                continue;
            };
            let mut entries = Vec::with_capacity(constraint.expr.variable_terms().len());
            for term in constraint.expr.variable_terms() {
                let Some(value) = term
                    .coefficient
                    .to_i128()
                    .filter(|value| value.checked_neg().is_some())
                else {
                    continue 'constraints;
                };
                let next = rows.len();
                let row = *rows.entry(&term.monomial).or_insert(next);
                entries.push((row, value));
            }
            if constraint.equality {
                let Some(negated) = constant.checked_neg() else {
                    continue;
                };
                let opposite = entries.iter().map(|(row, value)| (*row, -value)).collect();
                columns.push((
                    index,
                    Column {
                        entries: opposite,
                        constant: negated,
                    },
                ));
            }
            columns.push((index, Column { entries, constant }));
        }
        target.resize(rows.len(), 0);
        // A monomial outside the goal that occurs with one sign only cannot cancel: such columns are useless.
        let mut alive = vec![true; columns.len()];
        loop {
            let mut positive = vec![false; rows.len()];
            let mut negative = vec![false; rows.len()];
            for ((_, column), _) in columns.iter().zip(&alive).filter(|(_, alive)| **alive) {
                for (row, value) in &column.entries {
                    if *value > 0 {
                        positive[*row] = true;
                    } else {
                        negative[*row] = true;
                    }
                }
            }
            for row in 0..goal_rows {
                if (target[row] > 0 && !positive[row]) || (target[row] < 0 && !negative[row]) {
                    return None;
                }
            }
            let mut changed = false;
            for ((_, column), alive) in columns.iter().zip(&mut alive).filter(|(_, alive)| **alive) {
                if column
                    .entries
                    .iter()
                    .any(|(row, _)| *row >= goal_rows && positive[*row] != negative[*row])
                {
                    *alive = false;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Renumber the rows that are left.
        let mut number: Vec<Option<usize>> = vec![None; rows.len()];
        let mut count = goal_rows;
        for (row, slot) in number.iter_mut().enumerate().take(goal_rows) {
            *slot = Some(row);
        }
        let mut kept = Vec::new();
        let mut origin = Vec::new();
        for ((index, mut column), alive) in columns.into_iter().zip(alive) {
            if !alive || (column.entries.is_empty() && column.constant >= 0) {
                continue;
            }
            for (row, _) in &mut column.entries {
                let new = match number[*row] {
                    Some(new) => new,
                    None => {
                        number[*row] = Some(count);
                        count += 1;
                        count - 1
                    }
                };
                *row = new;
            }
            kept.push(column);
            origin.push(index);
        }
        target.truncate(goal_rows);
        target.resize(count, 0);
        Some(Problem {
            columns: kept,
            origin,
            goal: target,
        })
    }
}
