//! How are sets made? Of expressions for the coordinates, and conditions on the symbols.

use super::ask::piece_limit;
use super::expand::{Case, expand, positive};
use super::piece::{Column, Piece, Sum};
use super::{Constrained, MAX_FLOORS, Set};
use crate::atom::{Operation, Symbol};
use crate::condition::{Condition, ConditionKind, Relation};
use crate::expr::Expr;
use crate::integer::Integer;
use std::collections::{BTreeMap, BTreeSet};

impl Piece {
    /// An expression as a sum; quotients by constants become floors of the piece, everything that is not affine a parameter.
    fn sum(&mut self, expr: &Expr) -> Sum {
        let mut sum = Sum::default();
        for term in expr.terms() {
            if term.monomial.is_one() {
                sum = sum.add_constant(&term.coefficient);
                continue;
            }
            let part = match term.monomial.as_atom().and_then(|atom| atom.operation()) {
                Some(Operation::FloorDiv(a, d)) if positive(d).is_some() => self.quotient(a, d),
                Some(Operation::FloorMod(a, d)) if positive(d).is_some() => {
                    let quotient = self.quotient(a, d);
                    let divisor = positive(d).unwrap_or(Integer::ONE);
                    self.sum(a).add_scaled(&quotient, &-divisor)
                }
                _ => Sum::column(Column::Parameter(Expr::monomial(&term.monomial, Integer::ONE))),
            };
            sum = sum.add_scaled(&part, &term.coefficient);
        }
        sum
    }

    fn quotient(&mut self, a: &Expr, d: &Expr) -> Sum {
        match positive(d) {
            Some(divisor) if self.floors.len() < MAX_FLOORS => {
                let numerator = self.sum(a);
                Sum::column(self.floor(numerator, divisor))
            }
            _ => Sum::column(Column::Parameter(Expr::floor_div(a, d))),
        }
    }

    /// Adds the comparisons of a case.
    fn compare(&mut self, case: &Case) {
        for comparison in &case.comparisons {
            let sum = self.sum(&comparison.expr);
            match comparison.relation {
                Relation::NonNegative => self.inequalities.push(sum),
                Relation::Zero => self.equalities.push(sum),
                // Taken apart before.
                Relation::NonZero => {}
            }
        }
    }
}

impl Set {
    /// A set of these pieces, in canonical form.
    pub(super) fn of(dimensions: usize, pieces: impl IntoIterator<Item = Piece>) -> Set {
        Set::of_canonical(dimensions, pieces.into_iter().filter_map(Piece::canonical))
    }

    /// A set of pieces that are in canonical form each.
    pub(super) fn of_canonical(dimensions: usize, pieces: impl IntoIterator<Item = Piece>) -> Set {
        let pieces: BTreeSet<Piece> = pieces.into_iter().collect();
        if pieces.contains(&Piece::default()) {
            return Set::universe(dimensions);
        }
        Set {
            dimensions,
            pieces: pieces.into_iter().collect(),
        }
        .without_absorbed()
    }

    /// The one point with these coordinates. It is not there where a coordinate is undefined.
    pub fn point(coordinates: &[Expr]) -> Set {
        let cases = expand(&Condition::always(), coordinates, true)
            .or_else(|| expand(&Condition::always(), coordinates, false))
            .unwrap_or_default();
        Set::of(
            coordinates.len(),
            cases.iter().map(|case| {
                let mut piece = Piece::default();
                for (at, coordinate) in case.exprs.iter().enumerate() {
                    let sum = piece.sum(coordinate);
                    piece
                        .equalities
                        .push(sum.add_scaled(&Sum::column(Column::Coordinate(at)), &Integer::MINUS_ONE));
                }
                piece.compare(case);
                piece
            }),
        )
    }

    /// The points `low <= x < high` of one coordinate.
    pub fn interval(low: &Expr, high: &Expr) -> Set {
        Set::rectangle(&[(low.clone(), high.clone())])
    }

    /// The points `low <= x < high` in each coordinate.
    pub fn rectangle(bounds: &[(Expr, Expr)]) -> Set {
        let exprs: Vec<Expr> = bounds
            .iter()
            .flat_map(|(low, high)| [low.clone(), high.clone()])
            .collect();
        let cases = expand(&Condition::always(), &exprs, true)
            .or_else(|| expand(&Condition::always(), &exprs, false))
            .unwrap_or_default();
        Set::of(
            bounds.len(),
            cases.iter().map(|case| {
                let mut piece = Piece::default();
                for (at, pair) in case.exprs.chunks(2).enumerate() {
                    let coordinate = Sum::column(Column::Coordinate(at));
                    if let [low, high] = pair {
                        let low = piece.sum(low);
                        piece
                            .inequalities
                            .push(coordinate.add_scaled(&low, &Integer::MINUS_ONE));
                        let high = piece.sum(high).add_constant(&Integer::MINUS_ONE);
                        piece
                            .inequalities
                            .push(high.add_scaled(&coordinate, &Integer::MINUS_ONE));
                    }
                }
                piece.compare(case);
                piece
            }),
        )
    }

    /// The set where a condition on the symbols holds. What has too many cases is left out: then there are more points.
    pub fn constrain(&self, condition: &Condition) -> Constrained {
        if let Some(set) = self.with_condition(condition) {
            return Constrained { set, exact: true };
        }
        let conjuncts = match condition.kind() {
            ConditionKind::And(operands) => operands.to_vec(),
            _ => {
                return Constrained {
                    set: self.clone(),
                    exact: false,
                };
            }
        };
        let mut set = self.clone();
        let mut exact = true;
        for conjunct in &conjuncts {
            match set.with_condition(conjunct) {
                Some(smaller) => set = smaller.tidy(),
                None => exact = false,
            }
        }
        Constrained { set, exact }
    }

    fn with_condition(&self, condition: &Condition) -> Option<Set> {
        let cases = expand(condition, &[], true)
            .filter(|cases| cases.len() * self.pieces.len() <= piece_limit())
            .or_else(|| expand(condition, &[], false))
            .filter(|cases| cases.len() * self.pieces.len() <= piece_limit())?;
        let both = self.pieces.iter().flat_map(|piece| {
            cases.iter().map(|case| {
                let mut piece = piece.clone();
                piece.compare(case);
                piece
            })
        });
        Some(Set::of(self.dimensions, both))
    }

    /// What is treated as one unknown, sorted.
    pub fn parameters(&self) -> BTreeSet<Expr> {
        let mut parameters = BTreeSet::new();
        for piece in &self.pieces {
            piece.add_parameters(&mut parameters);
        }
        parameters
    }

    /// The symbols on which the points may depend.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::new();
        for parameter in self.parameters() {
            symbols.extend(parameter.symbols());
        }
        symbols
    }

    /// May the points depend on the symbol?
    pub fn mentions(&self, symbol: Symbol) -> bool {
        self.pieces.iter().any(|piece| piece.mentions(symbol))
    }

    /// The set with expressions for all symbols for which `value_of` gives one, at the same time.
    pub fn substitute(&self, value_of: &dyn Fn(Symbol) -> Option<Expr>) -> Set {
        let replaced: Vec<(Expr, Expr)> = self
            .parameters()
            .into_iter()
            .map(|parameter| {
                let value = parameter.substitute_all(value_of);
                (parameter, value)
            })
            .filter(|(parameter, value)| parameter != value)
            .collect();
        if replaced.is_empty() {
            return self.clone();
        }
        let values: Vec<Expr> = replaced.iter().map(|(_, value)| value.clone()).collect();
        let cases = expand(&Condition::always(), &values, true)
            .filter(|cases| cases.len() * self.pieces.len() <= piece_limit())
            .or_else(|| expand(&Condition::always(), &values, false))
            .unwrap_or_default();
        let pieces = self.pieces.iter().flat_map(|piece| {
            cases.iter().map(|case| {
                let mut new = Piece::default();
                let sums: BTreeMap<&Expr, Sum> = replaced
                    .iter()
                    .map(|(parameter, _)| parameter)
                    .zip(case.exprs.iter().map(|value| new.sum(value)))
                    .collect();
                new.compare(case);
                // The floors of the values come first, so that floors of the piece may mention them.
                let offset = new.floors.len();
                let old = piece.map(&mut |column| match column {
                    Column::Parameter(parameter) => sums.get(parameter).cloned(),
                    Column::Floor(at) => Some(Sum::column(Column::Floor(at + offset))),
                    Column::Coordinate(_) => None,
                });
                new.floors.extend(old.floors);
                new.equalities.extend(old.equalities);
                new.inequalities.extend(old.inequalities);
                new
            })
        });
        Set::of(self.dimensions, pieces)
    }
}
