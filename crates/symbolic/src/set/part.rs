//! What can be said of a set by the form of its pieces, without asking isl?

use super::Set;
use crate::atom::Symbol;
use std::collections::BTreeSet;

impl Set {
    /// The points of either, put side by side: cheap, and not simplified.
    pub fn beside(&self, other: &Set) -> Option<Set> {
        Set::side_by_side([self, other])
    }

    /// The points of any, put side by side at once; `None` if there are none to say how many coordinates they have, or if these differ.
    pub fn side_by_side<'a>(sets: impl IntoIterator<Item = &'a Set> + Clone) -> Option<Set> {
        let dimensions = sets.clone().into_iter().next()?.dimensions();
        let alike = sets.clone().into_iter().all(|set| set.dimensions() == dimensions);
        alike.then(|| {
            let pieces = sets.into_iter().flat_map(|set| set.pieces());
            Set::of_canonical(dimensions, pieces.cloned()).merged()
        })
    }

    /// Has it all points by its form?
    pub fn is_plainly_everything(&self) -> bool {
        self.pieces().contains(&super::Piece::default())
    }

    /// The pieces that do not depend on these symbols: points of the set for all their values, not all of them.
    pub fn independent_of(&self, symbols: &[Symbol]) -> Set {
        let symbols: BTreeSet<Symbol> = symbols.iter().copied().collect();
        let free = |piece: &&super::Piece| {
            let mut parameters = BTreeSet::new();
            piece.add_parameters(&mut parameters);
            parameters
                .iter()
                .all(|parameter| parameter.symbols().is_disjoint(&symbols))
        };
        Set {
            dimensions: self.dimensions,
            pieces: self.pieces.iter().filter(free).cloned().collect(),
        }
    }
}
