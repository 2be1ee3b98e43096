//! Which points of a set are there whatever some symbols are?

use super::Set;
use crate::atom::Symbol;

impl Set {
    /// The pieces that do not depend on these symbols: points of the set for all their values, not all of them.
    pub fn independent_of(&self, symbols: &[Symbol]) -> Set {
        let free = |piece: &&super::Piece| !symbols.iter().any(|symbol| piece.mentions(*symbol));
        Set::of(self.dimensions(), self.pieces().iter().filter(free).cloned())
    }
}
