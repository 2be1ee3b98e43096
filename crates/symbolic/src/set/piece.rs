//! What is one piece of a set? A conjunction of affine constraints, in a canonical order.

use crate::atom::Symbol;
use crate::expr::Expr;
use crate::integer::Integer;
use std::collections::BTreeSet;

/// What a coefficient belongs to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Column {
    /// A coordinate of the point.
    Coordinate(usize),
    /// An expression that is treated as one unknown.
    Parameter(Expr),
    /// A floor of the same piece, by its place.
    Floor(usize),
}

/// An affine sum: a constant, and columns with their coefficients.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sum {
    terms: Vec<(Column, Integer)>,
    constant: Integer,
}

/// `floor(numerator / divisor)`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Floor {
    /// What is divided. It mentions only floors that come before.
    pub numerator: Sum,
    /// By what: positive.
    pub divisor: Integer,
}

/// The points that satisfy every constraint.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Piece {
    /// Floors that the constraints mention.
    pub floors: Vec<Floor>,
    /// Sums that are 0.
    pub equalities: Vec<Sum>,
    /// Sums that are not negative.
    pub inequalities: Vec<Sum>,
}

impl Sum {
    /// A constant.
    pub fn constant(constant: Integer) -> Sum {
        Sum {
            terms: Vec::new(),
            constant,
        }
    }

    /// One column.
    pub fn column(column: Column) -> Sum {
        Sum {
            terms: vec![(column, Integer::ONE)],
            constant: Integer::ZERO,
        }
    }

    /// The columns with coefficients that are not 0, sorted.
    pub fn terms(&self) -> &[(Column, Integer)] {
        &self.terms
    }

    /// The constant summand.
    pub fn constant_term(&self) -> &Integer {
        &self.constant
    }

    /// The coefficient of a column, 0 if it is not there.
    pub fn coefficient(&self, column: &Column) -> Integer {
        self.terms
            .binary_search_by(|(own, _)| own.cmp(column))
            .map_or(Integer::ZERO, |at| self.terms[at].1.clone())
    }

    /// `self + factor * other`
    pub(super) fn add_scaled(&self, other: &Sum, factor: &Integer) -> Sum {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let (column, coefficient) = match order {
                std::cmp::Ordering::Less => match left.next() {
                    Some(term) => term.clone(),
                    None => break,
                },
                std::cmp::Ordering::Greater => match right.next() {
                    Some((column, coefficient)) => (column.clone(), coefficient * factor),
                    None => break,
                },
                std::cmp::Ordering::Equal => match (left.next(), right.next()) {
                    (Some((column, a)), Some((_, b))) => (column.clone(), a + &(b * factor)),
                    _ => break,
                },
            };
            if !coefficient.is_zero() {
                terms.push((column, coefficient));
            }
        }
        Sum {
            terms,
            constant: &self.constant + &(&other.constant * factor),
        }
    }

    pub(super) fn add_constant(&self, constant: &Integer) -> Sum {
        Sum {
            terms: self.terms.clone(),
            constant: &self.constant + constant,
        }
    }

    /// Are the terms those of the other, each with the opposite sign?
    pub(super) fn has_opposite_terms(&self, other: &Sum) -> bool {
        self.terms.len() == other.terms.len()
            && self
                .terms
                .iter()
                .zip(&other.terms)
                .all(|((own, a), (column, b))| own == column && *a == -b)
    }

    pub(super) fn negated(&self) -> Sum {
        self.times(&Integer::MINUS_ONE)
    }

    pub(super) fn times(&self, factor: &Integer) -> Sum {
        Sum::default().add_scaled(self, factor)
    }

    /// The sum with each column replaced.
    pub(super) fn map(&self, replace: &mut dyn FnMut(&Column) -> Option<Sum>) -> Sum {
        let mut kept = Sum {
            terms: Vec::new(),
            constant: self.constant.clone(),
        };
        let mut replaced = Vec::new();
        for (column, coefficient) in &self.terms {
            match replace(column) {
                Some(sum) => replaced.push((sum, coefficient)),
                None => kept.terms.push((column.clone(), coefficient.clone())),
            }
        }
        for (sum, coefficient) in replaced {
            kept = kept.add_scaled(&sum, coefficient);
        }
        kept
    }

    pub(super) fn add_parameters(&self, parameters: &mut BTreeSet<Expr>) {
        for (column, _) in &self.terms {
            if let Column::Parameter(expr) = column {
                parameters.insert(expr.clone());
            }
        }
    }

    fn divided(&self, common: &Integer, constant: Integer) -> Sum {
        Sum {
            terms: self
                .terms
                .iter()
                .filter_map(|(column, coefficient)| Some((column.clone(), coefficient.trunc_div(common)?)))
                .collect(),
            constant,
        }
    }

    fn common(&self) -> Integer {
        self.terms
            .iter()
            .fold(Integer::ZERO, |common, (_, coefficient)| common.gcd(coefficient))
    }
}

impl Piece {
    /// All sums, of floors too.
    pub(super) fn sums(&self) -> impl Iterator<Item = &Sum> {
        let floors = self.floors.iter().map(|floor| &floor.numerator);
        floors.chain(&self.equalities).chain(&self.inequalities)
    }

    /// The piece with each column of its sums replaced.
    pub(super) fn map(&self, replace: &mut dyn FnMut(&Column) -> Option<Sum>) -> Piece {
        let floors = self
            .floors
            .iter()
            .map(|floor| Floor {
                numerator: floor.numerator.map(replace),
                divisor: floor.divisor.clone(),
            })
            .collect();
        Piece {
            floors,
            equalities: self.equalities.iter().map(|sum| sum.map(replace)).collect(),
            inequalities: self.inequalities.iter().map(|sum| sum.map(replace)).collect(),
        }
    }

    /// The points of both pieces.
    pub(super) fn and(&self, other: &Piece) -> Piece {
        let offset = self.floors.len();
        let moved = other.map(&mut |column| match column {
            Column::Floor(at) => Some(Sum::column(Column::Floor(at + offset))),
            _ => None,
        });
        let mut all = self.clone();
        all.floors.extend(moved.floors);
        all.equalities.extend(moved.equalities);
        all.inequalities.extend(moved.inequalities);
        all
    }

    /// The place of a floor, which is added if it is not there.
    pub(super) fn floor(&mut self, numerator: Sum, divisor: Integer) -> Column {
        let floor = Floor { numerator, divisor };
        let at = self
            .floors
            .iter()
            .position(|own| *own == floor)
            .unwrap_or_else(|| {
                self.floors.push(floor);
                self.floors.len() - 1
            });
        Column::Floor(at)
    }

    /// All parameters.
    pub(super) fn add_parameters(&self, parameters: &mut BTreeSet<Expr>) {
        for sum in self.sums() {
            sum.add_parameters(parameters);
        }
    }

    /// May it depend on the symbol?
    pub(super) fn mentions(&self, symbol: Symbol) -> bool {
        self.sums().any(|sum| {
            sum.terms()
                .iter()
                .any(|(column, _)| matches!(column, Column::Parameter(expr) if expr.mentions(symbol)))
        })
    }

    /// The same points in canonical form; `None` if there are plainly none.
    pub(super) fn canonical(mut self) -> Option<Piece> {
        self.sort_floors();
        let defining: BTreeSet<Sum> = self
            .floors
            .iter()
            .enumerate()
            .flat_map(|(at, floor)| floor.bounds(at))
            .collect();
        let mut equalities = BTreeSet::new();
        for sum in &self.equalities {
            let common = sum.common();
            if common.is_zero() {
                if sum.constant.is_zero() {
                    continue;
                }
                return None;
            }
            if !sum.constant.is_multiple_of(&common) {
                return None;
            }
            let common = match sum.terms.first() {
                Some((_, first)) if first.is_negative() => -common,
                _ => common,
            };
            let constant = sum.constant.trunc_div(&common)?;
            equalities.insert(sum.divided(&common, constant));
        }
        let mut inequalities: BTreeSet<Sum> = BTreeSet::new();
        for sum in &self.inequalities {
            if defining.contains(sum) {
                continue;
            }
            let common = sum.common();
            if common.is_zero() {
                if sum.constant.is_negative() {
                    return None;
                }
                continue;
            }
            let constant = sum.constant.floor_div(&common)?;
            inequalities.insert(sum.divided(&common, constant));
        }
        // Of inequalities that differ in the constant, the tightest: it comes first in their order.
        let mut kept: Vec<Sum> = Vec::with_capacity(inequalities.len());
        for sum in inequalities {
            if kept.last().is_none_or(|last| last.terms != sum.terms) && !defining.contains(&sum) {
                kept.push(sum);
            }
        }
        self.equalities = equalities.into_iter().collect();
        self.inequalities = kept;
        self.drop_unused_floors();
        if self.contradicts_itself() {
            None
        } else {
            Some(self)
        }
    }

    /// Orders floors by what they are, as far as they do not mention each other.
    fn sort_floors(&mut self) {
        if self.floors.len() < 2 {
            return;
        }
        let mut place: Vec<Option<usize>> = vec![None; self.floors.len()];
        let mut sorted: Vec<Floor> = Vec::with_capacity(self.floors.len());
        for _ in 0..self.floors.len() {
            let next = self
                .floors
                .iter()
                .enumerate()
                .filter(|(at, _)| place[*at].is_none())
                .filter_map(|(at, floor)| Some((renumbered(&floor.numerator, &place)?, &floor.divisor, at)))
                .min();
            // Every floor mentions only earlier ones, so there is always a next.
            let Some((numerator, divisor, at)) = next else {
                return;
            };
            let floor = Floor {
                numerator,
                divisor: divisor.clone(),
            };
            match sorted.last() {
                Some(last) if *last == floor => {}
                _ => sorted.push(floor),
            }
            place[at] = Some(sorted.len() - 1);
        }
        let moved = |sum: &Sum| renumbered(sum, &place);
        let equalities: Option<Vec<Sum>> = self.equalities.iter().map(moved).collect();
        let inequalities: Option<Vec<Sum>> = self.inequalities.iter().map(moved).collect();
        if let (Some(equalities), Some(inequalities)) = (equalities, inequalities) {
            self.floors = sorted;
            self.equalities = equalities;
            self.inequalities = inequalities;
        }
    }

    fn drop_unused_floors(&mut self) {
        loop {
            let used: BTreeSet<usize> = self
                .sums()
                .flat_map(|sum| sum.terms())
                .filter_map(|(column, _)| match column {
                    Column::Floor(at) => Some(*at),
                    _ => None,
                })
                .collect();
            if used.len() >= self.floors.len() {
                return;
            }
            let mut place = vec![None; self.floors.len()];
            let mut kept = Vec::new();
            for (at, floor) in self.floors.iter().enumerate() {
                if used.contains(&at) {
                    place[at] = Some(kept.len());
                    kept.push(floor.clone());
                }
            }
            self.floors = kept;
            *self = self.map(&mut |column| match column {
                Column::Floor(at) => place
                    .get(*at)
                    .copied()
                    .flatten()
                    .map(|at| Sum::column(Column::Floor(at))),
                _ => None,
            });
        }
    }
}

/// The sum with floors at new places; `None` if one has none yet.
fn renumbered(sum: &Sum, place: &[Option<usize>]) -> Option<Sum> {
    let mut complete = true;
    let renumbered = sum.map(&mut |column| match column {
        Column::Floor(at) => match place.get(*at).copied().flatten() {
            Some(new) => Some(Sum::column(Column::Floor(new))),
            None => {
                complete = false;
                None
            }
        },
        _ => None,
    });
    complete.then_some(renumbered)
}

impl Floor {
    /// The two inequalities that say that the floor at this place is this one.
    pub(super) fn bounds(&self, at: usize) -> [Sum; 2] {
        let rest = self
            .numerator
            .add_scaled(&Sum::column(Column::Floor(at)), &-&self.divisor);
        let below = rest
            .negated()
            .add_constant(&(&self.divisor + &Integer::MINUS_ONE));
        [rest, below]
    }
}
