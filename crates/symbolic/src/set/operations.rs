//! What do sets have in common, and what is left of them? Union, intersection, difference, projection, inclusion.

use super::ask::{Columns, ask};
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
        let all = Set::of(self.dimensions, self.pieces.iter().chain(&other.pieces).cloned());
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
        // Only pieces that may meet are asked about.
        let mut apart = Vec::new();
        let mut asked = Vec::new();
        let mut removed = BTreeSet::new();
        for piece in &self.pieces {
            if other.pieces.iter().any(|outer| piece.implies(outer)) {
                continue;
            }
            let near: Vec<&Piece> = other.pieces.iter().filter(|own| !piece.excludes(own)).collect();
            if near.is_empty() {
                apart.push(piece.clone());
            } else {
                removed.extend(near.into_iter().cloned());
                asked.push(piece.clone());
            }
        }
        if asked.is_empty() {
            return Ok(Set::of(self.dimensions, apart));
        }
        let (asked, removed) = (Set::of(self.dimensions, asked), Set::of(self.dimensions, removed));
        let rest = answer(Question::Difference(asked.clone(), removed.clone()), || {
            asked.combined(&removed, |a, b| a.subtract(b))
        })?;
        let all = Set::of(self.dimensions, apart.into_iter().chain(rest.pieces)).merged();
        all.if_small(Unknown::TooLarge)
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
        if self.pieces.len() <= MAX_PIECES {
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

    /// The points for which there are values of these symbols. A parameter that mentions one and is not the symbol itself (`i*n`) may then have any value.
    pub fn project(&self, symbols: &[Symbol]) -> Result<Projected, Unknown> {
        let hidden: BTreeSet<Expr> = self
            .parameters()
            .into_iter()
            .filter(|parameter| symbols.iter().any(|symbol| parameter.mentions(*symbol)))
            .collect();
        let exact = hidden.iter().all(|parameter| parameter.as_symbol().is_some());
        if hidden.is_empty() {
            return Ok(Projected {
                set: self.clone(),
                exact,
            });
        }
        let plain = match self.plainly_without(&hidden) {
            Some((set, true)) => return Ok(Projected { set, exact }),
            Some((set, false)) => Some(Projected { set, exact: false }),
            None => None,
        };
        match (self.without(&hidden), plain) {
            (Ok(set), _) => Ok(Projected { set, exact }),
            (Err(_), Some(plain)) => Ok(plain),
            (Err(unknown), None) => Err(unknown),
        }
    }

    /// The points for some values of these parameters, by elimination in each piece, and whether there are no others. `None` if that becomes too large.
    fn plainly_without(&self, hidden: &BTreeSet<Expr>) -> Option<(Set, bool)> {
        let is_hidden = |column: &Column| matches!(column, Column::Parameter(expr) if hidden.contains(expr));
        let mut pieces = Vec::with_capacity(self.pieces.len());
        let mut exact = true;
        for piece in &self.pieces {
            let eliminated = piece.eliminated(&is_hidden)?;
            exact &= eliminated.exact;
            pieces.extend(eliminated.piece);
        }
        Some((Set::of(self.dimensions, pieces).merged(), exact))
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
