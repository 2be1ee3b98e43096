//! What can be said of pieces by their form? Contradictions and inclusions of constraints on the same sum: most questions need no more, and isl is not asked then.

use super::Set;
use super::piece::{Column, Piece, Sum};
use crate::integer::Integer;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// From so many pieces on they are compared by numbers first.
const MANY: usize = 16;

impl Piece {
    /// Does every point of this piece satisfy the constraints of the other, by their form?
    pub(super) fn implies(&self, other: &Piece) -> bool {
        if self == other || *other == Piece::default() {
            return true;
        }
        // Floors mean the same only at the same place.
        if !other.floors.is_empty() && !self.floors.starts_with(&other.floors) {
            return false;
        }
        let equal = |sum: &Sum| self.equalities.binary_search(sum).is_ok();
        other.equalities.iter().all(equal)
            && other.inequalities.iter().all(|sum| {
                self.least_constant(sum)
                    .is_some_and(|own| own <= *sum.constant_term())
            })
    }

    /// A bit for the terms of each constraint, whatever their sign: a piece with a bit that another lacks has a constraint on terms that the other has none on.
    fn bits_of_terms(&self) -> u64 {
        let bit = |sum: &Sum| {
            let mut hasher = DefaultHasher::new();
            let negative = sum.terms().first().is_some_and(|(_, first)| first.is_negative());
            for (column, coefficient) in sum.terms() {
                column.hash(&mut hasher);
                match negative {
                    true => (-coefficient).hash(&mut hasher),
                    false => coefficient.hash(&mut hasher),
                }
            }
            1_u64 << (hasher.finish() % 64)
        };
        self.equalities
            .iter()
            .chain(&self.inequalities)
            .fold(0, |all, sum| all | bit(sum))
    }

    /// The least `c` of which the piece says, by its form, that the terms of `sum` and `c` together are not negative.
    fn least_constant(&self, sum: &Sum) -> Option<Integer> {
        let at = self.inequalities.partition_point(|own| own.terms() < sum.terms());
        let bound = self
            .inequalities
            .get(at)
            .filter(|own| own.terms() == sum.terms())
            .map(|own| own.constant_term().clone());
        let fixed = self.equalities.iter().find_map(|own| {
            if own.terms() == sum.terms() {
                Some(own.constant_term().clone())
            } else if own.has_opposite_terms(sum) {
                Some(-own.constant_term())
            } else {
                None
            }
        });
        match (bound, fixed) {
            (Some(bound), Some(fixed)) => Some(bound.min(fixed)),
            (bound, fixed) => bound.or(fixed),
        }
    }

    /// Do constraints contradict each other by their form? The piece must be canonical.
    pub(super) fn contradicts_itself(&self) -> bool {
        let pairs = self.equalities.windows(2);
        if pairs.into_iter().any(|pair| pair[0].terms() == pair[1].terms()) {
            return true;
        }
        self.contradicts(self)
    }

    /// Have the pieces no point in common, by their form? Both must be canonical.
    pub(super) fn excludes(&self, other: &Piece) -> bool {
        if self.floors.is_empty() && other.floors.is_empty() {
            return self.contradicts(other) || other.contradicts(self);
        }
        // Which floors are the same shows when both are one piece.
        !self.shares_nothing(other) && self.and(other).canonical().is_none()
    }

    /// Do their constraints mention different coordinates and parameters?
    fn shares_nothing(&self, other: &Piece) -> bool {
        let own: BTreeSet<&Column> = self
            .sums()
            .flat_map(|sum| sum.terms())
            .map(|(column, _)| column)
            .collect();
        !other
            .sums()
            .flat_map(|sum| sum.terms())
            .any(|(column, _)| own.contains(column))
    }

    /// Does a constraint of this piece leave no value that one on the same terms of the other allows?
    fn contradicts(&self, other: &Piece) -> bool {
        self.inequalities.iter().chain(&self.equalities).any(|sum| {
            // T + c >= 0 and -T + d >= 0
            let other = other.least_constant(&sum.negated());
            other.is_some_and(|other| (&other + sum.constant_term()).is_negative())
        })
    }
}

impl Set {
    /// Contains the points that are not in the other set: pieces that are plainly within it are left out.
    pub fn outside(&self, other: &Set) -> Set {
        let within = |piece: &&Piece| other.pieces.iter().any(|outer| piece.implies(outer));
        Set {
            dimensions: self.dimensions,
            pieces: self
                .pieces
                .iter()
                .filter(|piece| !within(piece))
                .cloned()
                .collect(),
        }
    }

    /// Only points that are not in the other set: pieces that plainly have none of its points.
    pub fn apart_from(&self, other: &Set) -> Set {
        let apart = |piece: &&Piece| other.pieces.iter().all(|other| piece.excludes(other));
        Set {
            dimensions: self.dimensions,
            pieces: self.pieces.iter().filter(apart).cloned().collect(),
        }
    }

    /// Is every point in the other set by the form of the pieces?
    pub(super) fn is_plainly_within(&self, other: &Set) -> bool {
        self.pieces
            .iter()
            .all(|piece| other.pieces.iter().any(|outer| piece.implies(outer)))
    }

    /// The set without pieces that are plainly within others.
    pub(super) fn without_absorbed(self) -> Set {
        // One that has a constraint on other terms than those of a piece is not implied by it: where there are many, that is seen by a number for most.
        let many = self.pieces.len() >= MANY;
        let implies =
            |one: &(Piece, u64), other: &(Piece, u64)| other.1 & !one.1 == 0 && one.0.implies(&other.0);
        let mut kept: Vec<(Piece, u64)> = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces {
            let bits = if many { piece.bits_of_terms() } else { 0 };
            let piece = (piece, bits);
            if kept.iter().any(|outer| implies(&piece, outer)) {
                continue;
            }
            kept.retain(|inner| !implies(inner, &piece));
            kept.push(piece);
        }
        Set {
            dimensions: self.dimensions,
            pieces: kept.into_iter().map(|(piece, _)| piece).collect(),
        }
    }
}
