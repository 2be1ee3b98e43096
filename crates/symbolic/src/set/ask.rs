//! How is isl asked about sets? Columns are numbered, constraints become matrices, and the answer is read back.

use super::extreme::expressions;
use super::piece::{Column, Floor, Piece, Sum};
use super::{MAX_FLOORS, MAX_PARAMETERS, MAX_PIECES, Set, Unknown};
use crate::expr::Expr;
use crate::integer::Integer;
use ferry_isl::{Context, Error, Number, Row, Shape};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Most operations of isl for one question.
pub const WORK_LIMIT: u64 = 50_000;

thread_local! {
    static LIMIT: Cell<u64> = const { Cell::new(WORK_LIMIT) };
    static PIECES: Cell<usize> = const { Cell::new(MAX_PIECES) };
}

/// Does something with another limit on the pieces that a set may have in a question and its answer, on this thread.
pub fn with_piece_limit<T>(limit: usize, work: impl FnOnce() -> T) -> T {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            PIECES.set(self.0);
        }
    }
    let _restore = Restore(PIECES.replace(limit.max(1)));
    work()
}

/// The limit on pieces that holds now.
pub(super) fn piece_limit() -> usize {
    PIECES.get()
}

/// Does something with another limit on the operations of isl for one question (at least 1), on this thread.
pub fn with_work_limit<T>(limit: u64, work: impl FnOnce() -> T) -> T {
    struct Restore(u64);
    impl Drop for Restore {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let _restore = Restore(LIMIT.replace(limit.max(1)));
    work()
}

impl From<Error> for Unknown {
    fn from(error: Error) -> Unknown {
        match error {
            Error::TooMuchWork => Unknown::TooMuchWork,
            Error::OutOfMemory => Unknown::TooLarge,
            Error::Unbounded => Unknown::Unbounded,
            Error::Failed => Unknown::Failed,
        }
    }
}

/// The parameters of one question, each with its column; those that are projected have columns of existentials.
pub(super) struct Columns {
    dimensions: usize,
    parameters: Vec<Expr>,
    place: BTreeMap<Expr, usize>,
    hidden: usize,
}

impl Columns {
    /// The columns of a question about these sets; parameters in `hidden` are existentials.
    pub(super) fn new(sets: &[&Set], hidden: &BTreeSet<Expr>) -> Result<Columns, Unknown> {
        let mut all = BTreeSet::new();
        let dimensions = sets.first().map_or(0, |set| set.dimensions);
        for set in sets {
            if set.dimensions != dimensions {
                return Err(Unknown::DifferentDimensions);
            }
            if set.pieces.len() > piece_limit()
                || set.pieces.iter().any(|piece| piece.floors.len() > 2 * MAX_FLOORS)
            {
                return Err(Unknown::TooLarge);
            }
            all.extend(set.parameters());
        }
        if all.len() > MAX_PARAMETERS {
            return Err(Unknown::TooLarge);
        }
        let (hidden, parameters): (Vec<Expr>, Vec<Expr>) =
            all.into_iter().partition(|expr| hidden.contains(expr));
        let place = parameters
            .iter()
            .chain(&hidden)
            .enumerate()
            .map(|(at, expr)| (expr.clone(), 1 + dimensions + at))
            .collect();
        Ok(Columns {
            dimensions,
            parameters,
            place,
            hidden: hidden.len(),
        })
    }

    pub(super) fn shape(&self) -> Shape {
        Shape {
            dimensions: self.dimensions,
            parameters: self.parameters.len(),
        }
    }

    fn row(&self, sum: &Sum, floors: usize) -> Result<Row, Error> {
        let before_floors = 1 + self.dimensions + self.place.len();
        let mut row = vec![Number::Small(0); before_floors + floors];
        row[0] = sum.constant_term().to_number();
        for (column, coefficient) in sum.terms() {
            let at = match column {
                Column::Coordinate(at) => 1 + at,
                Column::Parameter(expr) => self.place.get(expr).copied().ok_or(Error::Failed)?,
                Column::Floor(at) => before_floors + at,
            };
            *row.get_mut(at).ok_or(Error::Failed)? = coefficient.to_number();
        }
        Ok(row)
    }

    /// The set as one of isl.
    pub(super) fn set<'c>(&self, context: &'c Context, set: &Set) -> Result<ferry_isl::Set<'c>, Error> {
        let mut all: Option<ferry_isl::Set<'c>> = None;
        for piece in &set.pieces {
            let floors = piece.floors.len();
            let bounds = piece
                .floors
                .iter()
                .enumerate()
                .flat_map(|(at, floor)| floor.bounds(at));
            let equalities = piece.equalities.iter().map(|sum| self.row(sum, floors));
            let inequalities = piece.inequalities.iter().cloned().chain(bounds);
            let basic = context.basic(
                self.shape(),
                self.hidden + floors,
                &equalities.collect::<Result<Vec<_>, _>>()?,
                &inequalities
                    .map(|sum| self.row(&sum, floors))
                    .collect::<Result<Vec<_>, _>>()?,
            )?;
            all = Some(match all {
                Some(all) => all.union(basic)?,
                None => basic,
            });
        }
        match all {
            Some(all) => Ok(all),
            None => context.empty(self.shape()),
        }
    }

    fn sum(&self, row: &Row, dimensions: usize) -> Sum {
        let mut sum = Sum::default();
        for (at, number) in row.iter().enumerate() {
            if number.is_zero() {
                continue;
            }
            let coefficient = Integer::from_number(number);
            if at == 0 {
                sum = sum.add_constant(&coefficient);
                continue;
            }
            let at = at - 1;
            let column = if at < dimensions {
                Column::Coordinate(at)
            } else if let Some(expr) = self.parameters.get(at - dimensions) {
                Column::Parameter(expr.clone())
            } else {
                Column::Floor(at - dimensions - self.parameters.len())
            };
            sum = sum.add_scaled(&Sum::column(column), &coefficient);
        }
        sum
    }

    /// A quotient over the parameters.
    pub(super) fn quotient(&self, quotient: &ferry_isl::Quotient) -> Expr {
        let floors = expressions(&self.floors(&quotient.floors, 0));
        let numerator = self.sum(&quotient.numerator, 0).expr(&floors).unwrap_or_default();
        Expr::floor_div(
            &numerator,
            &Expr::constant(Integer::from_number(&quotient.divisor)),
        )
    }

    fn floors(&self, floors: &[ferry_isl::Floor], dimensions: usize) -> Vec<Floor> {
        floors
            .iter()
            .map(|floor| Floor {
                numerator: self.sum(&floor.numerator, dimensions),
                divisor: Integer::from_number(&floor.divisor),
            })
            .collect()
    }

    /// The answer as plain data, with this many coordinates.
    pub(super) fn read(&self, pieces: &[ferry_isl::Piece], dimensions: usize) -> Result<Set, Unknown> {
        if pieces.len() > piece_limit() || pieces.iter().any(|piece| piece.floors.len() > MAX_FLOORS) {
            return Err(Unknown::TooLarge);
        }
        let pieces = pieces.iter().map(|piece| Piece {
            floors: self.floors(&piece.floors, dimensions),
            equalities: piece
                .equalities
                .iter()
                .map(|row| self.sum(row, dimensions))
                .collect(),
            inequalities: piece
                .inequalities
                .iter()
                .map(|row| self.sum(row, dimensions))
                .collect(),
        });
        Ok(Set::of(dimensions, pieces))
    }
}

/// The limit on the operations of isl that holds now.
pub(super) fn work_limit() -> u64 {
    LIMIT.get()
}

/// Asks one question within the limit.
pub(super) fn ask<T>(question: impl FnOnce(&Context) -> Result<T, Error>) -> Result<T, Unknown> {
    Ok(ferry_isl::ask(work_limit(), question)?)
}

impl Integer {
    fn to_number(&self) -> Number {
        match self.to_i64() {
            Some(small) => Number::Small(small),
            None => Number::from(self.big()),
        }
    }

    fn from_number(number: &Number) -> Integer {
        match number {
            Number::Small(small) => Integer::new(i128::from(*small)),
            Number::Large(large) => Integer::from_big(large.clone()),
        }
    }
}
