//! Is a point in a set? Computed from the constraints, without isl: what the judges stand on.

use super::Set;
use super::piece::{Column, Piece, Sum};
use crate::atom::Symbol;
use crate::expr::Expr;
use crate::integer::Integer;
use std::collections::BTreeMap;

impl Set {
    /// Is the point in the set for these values of the symbols? `None` if that depends on a symbol without a value, or on an undefined expression
    /// (a quotient by 0); or if the point has another number of coordinates.
    pub fn contains(&self, point: &[Integer], value_of: &dyn Fn(Symbol) -> Option<Integer>) -> Option<bool> {
        if point.len() != self.dimensions {
            return None;
        }
        let mut known = BTreeMap::new();
        let mut undecided = false;
        for piece in &self.pieces {
            match piece.contains(point, value_of, &mut known) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => undecided = true,
            }
        }
        if undecided { None } else { Some(false) }
    }
}

type Known = BTreeMap<Expr, Option<Integer>>;

impl Piece {
    fn contains(
        &self,
        point: &[Integer],
        value_of: &dyn Fn(Symbol) -> Option<Integer>,
        known: &mut Known,
    ) -> Option<bool> {
        let mut floors: Vec<Option<Integer>> = Vec::with_capacity(self.floors.len());
        for floor in &self.floors {
            let value = value_of_sum(&floor.numerator, point, &floors, value_of, known)
                .and_then(|numerator| numerator.floor_div(&floor.divisor));
            floors.push(value);
        }
        let mut undecided = false;
        let equalities = self.equalities.iter().map(|sum| (sum, true));
        for (sum, equality) in equalities.chain(self.inequalities.iter().map(|sum| (sum, false))) {
            match value_of_sum(sum, point, &floors, value_of, known) {
                Some(value) if equality && !value.is_zero() || !equality && value.is_negative() => {
                    return Some(false);
                }
                Some(_) => {}
                None => undecided = true,
            }
        }
        if undecided { None } else { Some(true) }
    }
}

fn value_of_sum(
    sum: &Sum,
    point: &[Integer],
    floors: &[Option<Integer>],
    value_of: &dyn Fn(Symbol) -> Option<Integer>,
    known: &mut Known,
) -> Option<Integer> {
    let mut total = sum.constant_term().clone();
    for (column, coefficient) in sum.terms() {
        let value = match column {
            Column::Coordinate(at) => point.get(*at)?.clone(),
            Column::Floor(at) => floors.get(*at)?.clone()?,
            Column::Parameter(expr) => match known.get(expr) {
                Some(value) => value.clone()?,
                None => {
                    let value = expr.evaluate(value_of);
                    known.insert(expr.clone(), value.clone());
                    value?
                }
            },
        };
        total = &total + &(coefficient * &value);
    }
    Some(total)
}
