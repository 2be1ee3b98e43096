//! How far does a set reach? Least and greatest coordinates, lexicographic extremes, the smallest box around it, and when it has points at all.

use super::ask::{Columns, ask};
use super::piece::{Column, Floor, Piece, Sum};
use super::{Set, Unknown};
use crate::condition::Condition;
use crate::expr::Expr;
use crate::guarded::MAX_CASES;
use std::collections::BTreeSet;

/// The smallest box around a set: `low <= x < high` in each coordinate, wherever the set has points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rectangle {
    /// The ends of each coordinate: the least value, and past the greatest value.
    pub bounds: Vec<(Expr, Expr)>,
    /// Every point of the box is known to be in the set, wherever the set has points.
    pub exact: bool,
}

/// Which end of a coordinate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl Set {
    /// The least value of a coordinate, wherever the set has points. `None` if there is none: no lower bound for some values of the parameters, or no points at all.
    pub fn minimum(&self, dimension: usize) -> Result<Option<Expr>, Unknown> {
        self.extreme(dimension, End::Least)
    }

    /// The greatest value of a coordinate, wherever the set has points. `None` if there is none: no upper bound for some values of the parameters, or no points at all.
    pub fn maximum(&self, dimension: usize) -> Result<Option<Expr>, Unknown> {
        self.extreme(dimension, End::Greatest)
    }

    fn extreme(&self, dimension: usize, end: End) -> Result<Option<Expr>, Unknown> {
        if dimension >= self.dimensions {
            return Err(Unknown::DifferentDimensions);
        }
        let columns = Columns::new(&[self], &BTreeSet::new())?;
        let values = ask(|context| {
            let set = columns.set(context, self)?;
            match end {
                End::Least => set.minimum(dimension),
                End::Greatest => set.maximum(dimension),
            }
        });
        let values = match values {
            Err(Unknown::Unbounded) => return Ok(None),
            other => other?,
        };
        let mut cases: Vec<(Set, Expr)> = Vec::new();
        for found in &values {
            let value = columns.quotient(&found.value);
            let domain = columns.read(&found.domain, 0)?;
            if domain.is_plainly_empty() {
                continue;
            }
            match cases.iter_mut().find(|(_, other)| *other == value) {
                Some((joined, _)) => *joined = joined.union(&domain)?,
                None => cases.push((domain, value)),
            }
        }
        one_expression(cases)
    }

    /// The condition on the parameters under which there are points.
    pub fn nonempty(&self) -> Result<Condition, Unknown> {
        let all: Vec<usize> = (0..self.dimensions).collect();
        Ok(self.project_coordinates(&all)?.condition())
    }

    /// The constraints that mention no coordinate, as a condition: of a set without coordinates, when it has its one point.
    pub fn condition(&self) -> Condition {
        Condition::any(self.pieces.iter().map(Piece::condition))
    }

    /// For each value of the parameters the least point in lexicographic order.
    pub fn lexicographic_minimum(&self) -> Result<Set, Unknown> {
        self.changed(|set| set.lexicographic_minimum())
    }

    /// For each value of the parameters the greatest point in lexicographic order.
    pub fn lexicographic_maximum(&self) -> Result<Set, Unknown> {
        self.changed(|set| set.lexicographic_maximum())
    }

    /// The smallest box around the set. `None` if it is not bounded, or has no points at all.
    pub fn hull(&self) -> Result<Option<Rectangle>, Unknown> {
        let mut bounds = Vec::with_capacity(self.dimensions);
        for dimension in 0..self.dimensions {
            match (self.minimum(dimension)?, self.maximum(dimension)?) {
                (Some(low), Some(high)) => bounds.push((low, high + 1)),
                _ => return Ok(None),
            }
        }
        Ok(Some(Rectangle {
            exact: self.fills(&bounds).unwrap_or(false),
            bounds,
        }))
    }

    /// Is every point of the box in the set, wherever the set has points?
    fn fills(&self, bounds: &[(Expr, Expr)]) -> Result<bool, Unknown> {
        Set::rectangle(bounds)
            .constrain(&self.nonempty()?)
            .set
            .is_subset(self)
    }
}

/// A value by cases as one expression: the greatest or the least of the values, if it is that, or guarded.
fn one_expression(cases: Vec<(Set, Expr)>) -> Result<Option<Expr>, Unknown> {
    match &cases[..] {
        [] => return Ok(None),
        [(_, value)] => return Ok(Some(value.clone())),
        _ if cases.len() > MAX_CASES => return Err(Unknown::NotAnExpression),
        _ => {}
    }
    let values: Vec<Expr> = cases.iter().map(|(_, value)| value.clone()).collect();
    let extreme = |compare: fn(&Expr, &Expr) -> Condition| -> Result<bool, Unknown> {
        for (domain, value) in &cases {
            let beyond = Condition::any(values.iter().map(|other| compare(value, other)));
            let wrong = domain.constrain(&beyond);
            // A condition that cannot be said leaves the domain as it is, which is not empty.
            if !wrong.set.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if extreme(Condition::less)? {
        return Ok(Some(Expr::maximum_of(&values)));
    }
    if extreme(|value, other| Condition::less(other, value))? {
        return Ok(Some(Expr::minimum_of(&values)));
    }
    Ok(Some(Expr::guarded(simpler_guards(&cases)?)))
}

/// The conditions of the cases, without what all have in common if they still exclude each other then.
fn simpler_guards(cases: &[(Set, Expr)]) -> Result<Vec<(Condition, Expr)>, Unknown> {
    let mut everywhere = Set::empty(0);
    for (domain, _) in cases {
        everywhere = everywhere.union(domain)?;
    }
    let simpler: Vec<Set> = cases
        .iter()
        .map(|(domain, _)| domain.within(&everywhere))
        .collect::<Result<_, _>>()?;
    let mut exclusive = true;
    for (at, domain) in simpler.iter().enumerate() {
        for other in &simpler[..at] {
            exclusive &= domain.intersect(other)?.is_empty()?;
        }
    }
    Ok(cases
        .iter()
        .zip(&simpler)
        .map(|((domain, value), simpler)| {
            let domain = if exclusive { simpler } else { domain };
            (domain.condition(), value.clone())
        })
        .collect())
}

impl Piece {
    fn condition(&self) -> Condition {
        let floors = expressions(&self.floors);
        let equalities = self
            .equalities
            .iter()
            .filter_map(|sum| Some(Condition::zero(&sum.expr(&floors)?)));
        let inequalities = self
            .inequalities
            .iter()
            .filter_map(|sum| Some(Condition::nonnegative(&sum.expr(&floors)?)));
        Condition::all(equalities.chain(inequalities))
    }
}

/// Floors as expressions; `None` for those that depend on coordinates.
pub(super) fn expressions(floors: &[Floor]) -> Vec<Option<Expr>> {
    let mut all: Vec<Option<Expr>> = Vec::with_capacity(floors.len());
    for floor in floors {
        let value = floor
            .numerator
            .expr(&all)
            .map(|numerator| Expr::floor_div(&numerator, &Expr::constant(floor.divisor.clone())));
        all.push(value);
    }
    all
}

impl Sum {
    /// The sum as an expression; `None` if it depends on coordinates.
    pub(super) fn expr(&self, floors: &[Option<Expr>]) -> Option<Expr> {
        let mut total = Expr::constant(self.constant_term().clone());
        for (column, coefficient) in self.terms() {
            let value = match column {
                Column::Coordinate(_) => return None,
                Column::Parameter(expr) => expr,
                Column::Floor(at) => floors.get(*at)?.as_ref()?,
            };
            total = total.add_scaled(value, coefficient);
        }
        Some(total)
    }
}
