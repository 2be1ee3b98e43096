//! Which elements did the device leave unwritten in memory that nothing was copied to, and does the host read one of them after it was copied back?
//!
//! The pieces of an object are ranges; what a kernel writes of a triangle, or of every second row, has holes. So beside them, for an object that was
//! allocated on the device as a whole, the union of all that may have been written there is kept as an exact set, up to the copy back, and compared with what a statement
//! of the host certainly reads.
//!
//! What it cannot do: kernels in functions that are called, sections of a part of an object, sizes that are no numbers, objects of which anything happens to the mapping under a condition, and values that
//! the host writes in between.

use super::copies::Extent;
use super::defect::Moved;
use crate::regions::Touch as Region;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_symbolic::set::Set;
use ferry_symbolic::{Expr, Symbol};

/// Most pieces of a set that is kept.
const PIECES: usize = 40;

/// What is known of an object that was allocated on the device without a copy.
#[derive(Clone, PartialEq, Debug)]
pub struct Holes {
    /// All that may have been written there; `None` if nothing was.
    written: Option<Set>,
    /// By which it was copied back, if it was.
    back: Option<Moved>,
}

impl Holes {
    /// Nothing was written yet to an object of which all of `range` was allocated; `None` if that is not all of the object, or not known.
    pub fn of(range: &Extent, size: Option<&Expr>) -> Option<Holes> {
        let (low, high) = range.bytes()?;
        let all = low.is_zero() && Some(&high) == size && high.as_constant().is_some();
        all.then_some(Holes {
            written: None,
            back: None,
        })
    }

    /// The same, copied back.
    pub fn came_back(self, by: Moved) -> Holes {
        Holes {
            back: Some(by),
            ..self
        }
    }

    /// By which it was copied back, if it was.
    pub fn back(&self) -> Option<Moved> {
        self.back
    }

    /// The same, with what a statement writes on the device; `None` if that is not known as a set of numbers.
    pub fn with(self, values: &Values, root: Symbol, write: &Region) -> Option<Holes> {
        if self.back.is_some() || write.elsewhere.is_some() || !write.rows.is_empty() {
            return None;
        }
        let more = numbers(values, &write.objects.get(&root)?.may)?;
        let written = match self.written {
            None => more,
            Some(own) => own.union(&more).ok()?,
        };
        (written.pieces().len() <= PIECES).then_some(Holes {
            written: Some(written),
            ..self
        })
    }

    /// True if a statement certainly reads an element that was not written.
    pub fn are_read(&self, values: &Values, root: Symbol, read: &Region) -> bool {
        let Some(written) = &self.written else {
            return false;
        };
        let read = read.objects.get(&root).and_then(|part| {
            let plain = part.apart.is_empty();
            numbers(values, &part.must).filter(|_| plain)
        });
        let missed = read.and_then(|read| read.subtract(written).ok());
        missed.is_some_and(|missed| missed.is_empty() == Ok(false))
    }
}

/// A set without symbols: constants that the source names have their values of this build.
fn numbers(values: &Values, set: &Set) -> Option<Set> {
    let set = set.substitute(&|symbol| match values.symbols.info(symbol).kind {
        SymbolKind::Named { value, .. } => Some(Expr::int(value)),
        _ => None,
    });
    set.symbols().is_empty().then_some(set)
}
