//! What do sets have in common, and what is left of them? Union, intersection, difference, projection, inclusion.

use super::ask::{Columns, ask, piece_limit};
use super::eliminate::Eliminated;
use super::piece::{Column, Piece, Sum};
use super::remember::{Question, answer};
use super::{MAX_PIECES, Projected, Set, Unknown};
use crate::atom::Symbol;
use crate::expr::Expr;
use std::collections::BTreeSet;

/// Pieces that are kept without asking isl whether fewer would do.
const FEW: usize = 4;

impl Set {
    fn same_dimensions(&self, other: &Set) -> Result<(), Unknown> {
        if self.dimensions == other.dimensions {
            Ok(())
        } else {
            Err(Unknown::DifferentDimensions)
        }
    }

    /// The points of either.
    pub fn union(&self, other: &Set) -> Result<Set, Unknown> {
        self.same_dimensions(other)?;
        if other.pieces.is_empty() || self == other {
            return Ok(self.clone());
        }
        if self.pieces.is_empty() {
            return Ok(other.clone());
        }
        let all = Set::of_canonical(self.dimensions, self.pieces.iter().chain(&other.pieces).cloned());
        if all == *self || all == *other {
            return Ok(all);
        }
        all.few()
    }

    /// The points of both.
    pub fn intersect(&self, other: &Set) -> Result<Set, Unknown> {
        self.same_dimensions(other)?;
        if self == other {
            return Ok(self.clone());
        }
        if self.pieces.len() * other.pieces.len() > MAX_PIECES {
            return self.combined(other, |a, b| a.intersect(b));
        }
        let both = self
            .pieces
            .iter()
            .flat_map(|piece| other.pieces.iter().map(|other| piece.and(other)));
        let both = Set::of(self.dimensions, both);
        if both.pieces.is_empty() || both == *self || both == *other {
            return Ok(both);
        }
        both.few()
    }

    /// The same points, put together by their form; isl is asked for fewer pieces only where there are many.
    fn few(self) -> Result<Set, Unknown> {
        let all = self.merged();
        if all.pieces.len() <= FEW {
            return Ok(all);
        }
        all.simplified().or_else(|unknown| all.if_small(unknown))
    }

    /// The points of this set that are not in the other.
    pub fn subtract(&self, other: &Set) -> Result<Set, Unknown> {
        self.same_dimensions(other)?;
        if self.pieces.is_empty() || other.pieces.is_empty() {
            return Ok(self.clone());
        }
        // Each piece is a question of its own, about those pieces alone that it may meet.
        let mut left = Vec::new();
        for piece in &self.pieces {
            if other.pieces.iter().any(|outer| piece.implies(outer)) {
                continue;
            }
            let near = other.pieces.iter().filter(|own| !piece.excludes(own)).cloned();
            let near = Set::of_canonical(self.dimensions, near);
            if near.pieces.is_empty() {
                left.push(piece.clone());
                continue;
            }
            let asked = Set::of_canonical(self.dimensions, [piece.clone()]);
            let rest = answer(Question::Difference(asked.clone(), near.clone()), || {
                asked.difference(&near)
            })?;
            left.extend(rest.pieces);
        }
        Set::of(self.dimensions, left).few()
    }

    /// What isl leaves of these points. Its pieces do not overlap and are not joined: seeing that joined pieces have the same points costs far more than the difference.
    fn difference(&self, other: &Set) -> Result<Set, Unknown> {
        let columns = Columns::new(&[self, other], &BTreeSet::new())?;
        let pieces = ask(|context| {
            let (left, right) = (columns.set(context, self)?, columns.set(context, other)?);
            left.subtract(right)?.pieces()
        })?;
        Ok(columns.read(&pieces, self.dimensions)?.merged())
    }

    fn combined(
        &self,
        other: &Set,
        operation: for<'c> fn(
            ferry_isl::Set<'c>,
            ferry_isl::Set<'c>,
        ) -> Result<ferry_isl::Set<'c>, ferry_isl::Error>,
    ) -> Result<Set, Unknown> {
        let columns = Columns::new(&[self, other], &BTreeSet::new())?;
        let pieces = ask(|context| {
            let (left, right) = (columns.set(context, self)?, columns.set(context, other)?);
            operation(left, right)?.coalesce()?.pieces()
        })?;
        columns.read(&pieces, self.dimensions)
    }

    /// The points that one operation of isl makes of these.
    pub(super) fn changed(
        &self,
        operation: for<'c> fn(ferry_isl::Set<'c>) -> Result<ferry_isl::Set<'c>, ferry_isl::Error>,
    ) -> Result<Set, Unknown> {
        let columns = Columns::new(&[self], &BTreeSet::new())?;
        let pieces = ask(|context| operation(columns.set(context, self)?)?.coalesce()?.pieces())?;
        columns.read(&pieces, self.dimensions)
    }

    /// A set that has the same points as this one where `context` has points, without the constraints that follow there.
    pub fn within(&self, context: &Set) -> Result<Set, Unknown> {
        // Not isl's own operation for this (gist): that of 0.25 crashes for some sets.
        self.same_dimensions(context)?;
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let mut kept = piece.clone();
            for at in (0..piece.equalities.len() + piece.inequalities.len()).rev() {
                let mut fewer = kept.clone();
                if at < piece.equalities.len() {
                    fewer.equalities.remove(at);
                } else {
                    fewer.inequalities.remove(at - piece.equalities.len());
                }
                let without = Set::of(self.dimensions, [fewer.clone()]);
                let with = Set::of(self.dimensions, [kept.clone()]);
                if context.intersect(&without)?.is_subset(&with)? {
                    kept = fewer;
                }
            }
            pieces.push(kept);
        }
        Ok(Set::of(self.dimensions, pieces))
    }

    /// The same points in fewer and simpler pieces.
    pub fn simplified(&self) -> Result<Set, Unknown> {
        self.without(&BTreeSet::new())
    }

    /// The points for some values of these parameters, in simple pieces.
    fn without(&self, hidden: &BTreeSet<Expr>) -> Result<Set, Unknown> {
        answer(Question::Simplified(self.clone(), hidden.clone()), || {
            let columns = Columns::new(&[self], hidden)?;
            let pieces = ask(|context| {
                columns
                    .set(context, self)?
                    .with_floors()?
                    .coalesce()?
                    .without_redundancies()?
                    .pieces()
            })?;
            columns.read(&pieces, self.dimensions)
        })
    }

    /// The same points, simpler if that is possible.
    pub(super) fn tidy(self) -> Set {
        self.simplified().unwrap_or(self)
    }

    /// An exact answer that could not be simplified, if it is not too large.
    fn if_small(&self, unknown: Unknown) -> Result<Set, Unknown> {
        if self.pieces.len() <= piece_limit() {
            Ok(self.clone())
        } else {
            Err(unknown)
        }
    }

    /// Has it no points, whatever the parameters are? "No" does not mean that there are points: parameters may be related.
    pub fn is_empty(&self) -> Result<bool, Unknown> {
        if self.pieces.is_empty() {
            return Ok(true);
        }
        let columns = Columns::new(&[self], &BTreeSet::new())?;
        ask(|context| columns.set(context, self)?.is_empty())
    }

    /// Is every point of this set in the other, whatever the parameters are? "No" means only that this does not follow.
    pub fn is_subset(&self, other: &Set) -> Result<bool, Unknown> {
        self.same_dimensions(other)?;
        if self.is_plainly_within(other) {
            return Ok(true);
        }
        let columns = Columns::new(&[self, other], &BTreeSet::new())?;
        ask(|context| {
            columns
                .set(context, self)?
                .is_subset(&columns.set(context, other)?)
        })
    }

    /// Have both sets the same points, whatever the parameters are? "No" means only that this does not follow.
    pub fn is_equal(&self, other: &Set) -> Result<bool, Unknown> {
        self.same_dimensions(other)?;
        if self == other || self.is_plainly_within(other) && other.is_plainly_within(self) {
            return Ok(true);
        }
        let columns = Columns::new(&[self, other], &BTreeSet::new())?;
        ask(|context| {
            columns
                .set(context, self)?
                .is_equal(&columns.set(context, other)?)
        })
    }

    /// Is one of these symbols part of what is treated as one unknown (`i*n`)? Then no work makes its projection exact.
    pub fn has_products_of(&self, symbols: &[Symbol]) -> bool {
        let mut parameters = self.parameters().into_iter();
        parameters.any(|parameter| {
            parameter.as_symbol().is_none() && symbols.iter().any(|symbol| parameter.mentions(*symbol))
        })
    }

    /// The points for which there are values of these symbols. A parameter that mentions one and is not the symbol itself (`i*n`) may then have any value.
    pub fn project(&self, symbols: &[Symbol]) -> Result<Projected, Unknown> {
        let hidden: BTreeSet<Expr> = self
            .parameters()
            .into_iter()
            .filter(|parameter| symbols.iter().any(|symbol| parameter.mentions(*symbol)))
            .collect();
        let exact = !self.has_products_of(symbols);
        if hidden.is_empty() {
            return Ok(Projected {
                set: self.clone(),
                exact,
            });
        }
        // Only the pieces whose unknowns plain elimination does not take away exactly are asked about, one by one.
        let is_hidden = |column: &Column| matches!(column, Column::Parameter(expr) if hidden.contains(expr));
        let mut pieces = Vec::with_capacity(self.pieces.len());
        let mut all = true;
        for piece in &self.pieces {
            let plain = piece.eliminated(&is_hidden);
            if let Some(Eliminated { piece, exact: true }) = plain {
                pieces.extend(piece);
                continue;
            }
            match Set::of(self.dimensions, [piece.clone()]).without(&hidden) {
                Ok(set) => pieces.extend(set.pieces),
                Err(unknown) => match (piece.by_remainders(&is_hidden), plain) {
                    (Some(cases), _) => pieces.extend(cases),
                    (None, Some(plain)) => {
                        all = false;
                        pieces.extend(plain.piece);
                    }
                    (None, None) => return Err(unknown),
                },
            }
        }
        Ok(Projected {
            set: Set::of(self.dimensions, pieces).merged(),
            exact: exact && all,
        })
    }

    /// The set without some coordinates: the points for which there are values of these.
    pub fn project_coordinates(&self, removed: &[usize]) -> Result<Set, Unknown> {
        if removed.iter().any(|at| *at >= self.dimensions) {
            return Err(Unknown::DifferentDimensions);
        }
        let mut removed = removed.to_vec();
        removed.sort_unstable();
        removed.dedup();
        let columns = Columns::new(&[self], &BTreeSet::new())?;
        let pieces = ask(|context| {
            let mut set = columns.set(context, self)?;
            for at in removed.iter().rev() {
                set = set.project_out(*at, 1)?;
            }
            set.coalesce()?.without_redundancies()?.pieces()
        })?;
        columns.read(&pieces, self.dimensions - removed.len())
    }

    /// The points with all coordinates of the first and then those of the second.
    pub fn product(&self, other: &Set) -> Result<Set, Unknown> {
        if self.pieces.len() * other.pieces.len() > MAX_PIECES {
            return Err(Unknown::TooLarge);
        }
        let offset = self.dimensions;
        let moved: Vec<Piece> = other
            .pieces
            .iter()
            .map(|piece| {
                piece.map(&mut |column| match column {
                    Column::Coordinate(at) => Some(Sum::column(Column::Coordinate(at + offset))),
                    _ => None,
                })
            })
            .collect();
        let both = self
            .pieces
            .iter()
            .flat_map(|piece| moved.iter().map(|other| piece.and(other)));
        Ok(Set::of(self.dimensions + other.dimensions, both))
    }
}
