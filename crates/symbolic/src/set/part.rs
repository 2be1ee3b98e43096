//! What can be said of a set by the form of its pieces, without asking isl?

use super::Set;
use crate::atom::Symbol;

impl Set {
    /// The points of either, put side by side: cheap, and not simplified.
    pub fn beside(&self, other: &Set) -> Option<Set> {
        (self.dimensions() == other.dimensions()).then(|| {
            let pieces = self.pieces().iter().chain(other.pieces());
            Set::of(self.dimensions(), pieces.cloned()).merged()
        })
    }

    /// Has it all points by its form?
    pub fn is_plainly_everything(&self) -> bool {
        self.pieces().contains(&super::Piece::default())
    }

    /// The pieces that do not depend on these symbols: points of the set for all their values, not all of them.
    pub fn independent_of(&self, symbols: &[Symbol]) -> Set {
        let free = |piece: &&super::Piece| !symbols.iter().any(|symbol| piece.mentions(*symbol));
        Set::of(self.dimensions(), self.pieces().iter().filter(free).cloned())
    }
}
