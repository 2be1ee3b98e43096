//! Which integer points belong together? Sets of points of a few coordinates, in terms of symbols, exactly where the constraints are affine.
//!
//! A [`Set`] is a union of pieces; a piece is a conjunction of equalities and inequalities between sums of coordinates, *parameters* and floors of
//! quotients by constants (Pugh, "The Omega Test", 1991; Verdoolaege, "isl", ICMS 2010). A parameter is an expression that the set treats as one unknown: a symbol, a
//! product of symbols, a quotient by a symbol. All operations mean the points for each assignment of values to the symbols.
//!
//! What it cannot do: know how parameters are related (`n*m` and `n`). So "yes" of [`Set::is_empty`], [`Set::is_subset`] and [`Set::is_equal`] is always true, and
//! "no" means "not for all values of the parameters, taken as independent". Facts about symbols are given as conditions on the set that is asked about ([`Set::given`]).
//!
//! Sets are plain data. What their form shows is answered by plain code: unknowns are eliminated (`eliminate`), pieces put together (`merge`), inclusions seen (`plain`). Other
//! questions build sets of isl, ask, and read the answer back; a limit on isl's operations makes the cost bounded and the same everywhere.
//! Sets of two coordinates with a stride take 0.03 to 0.1 ms for one question to isl (0.4 ms for a difference or a hull); random unions of a dozen pieces
//! take milliseconds, and the limit is reached after some 100 ms.

mod ask;
mod build;
mod eliminate;
mod evaluate;
mod expand;
mod extreme;
mod given;
mod merge;
mod operations;
mod part;
mod piece;
mod plain;
mod print;
mod remember;

pub use ask::{WORK_LIMIT, with_piece_limit, with_work_limit};
pub use extreme::Rectangle;
pub use piece::{Column, Floor, Piece, Sum};

use std::fmt;

/// Most pieces of one set.
pub const MAX_PIECES: usize = 100;
/// Most floors of one piece.
pub const MAX_FLOORS: usize = 24;
/// Most different parameters of the sets of one question.
pub const MAX_PARAMETERS: usize = 40;

/// Integer points in terms of symbols.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Set {
    dimensions: usize,
    pieces: Vec<Piece>,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unknown {
    /// The limit of operations was reached.
    TooMuchWork,
    /// A set would have more pieces, floors or parameters than are kept.
    TooLarge,
    /// Sets of different numbers of coordinates were put together, or a coordinate was asked for that is not there.
    DifferentDimensions,
    /// The answer is not an expression: too many cases.
    NotAnExpression,
    /// There is no least or greatest point.
    Unbounded,
    /// isl failed.
    Failed,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unknown::TooMuchWork => "the question about integer sets takes too many operations",
            Unknown::TooLarge => "the integer set has too many pieces",
            Unknown::DifferentDimensions => "the integer sets have different numbers of coordinates",
            Unknown::NotAnExpression => "the answer has too many cases",
            Unknown::Unbounded => "the integer set has no bound",
            Unknown::Failed => "the integer set library cannot answer",
        })
    }
}

impl std::error::Error for Unknown {}

/// A set with a condition; or more points, if the condition could not be said whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constrained {
    /// Every point of the set for which the condition holds.
    pub set: Set,
    /// No other points.
    pub exact: bool,
}

/// A set without some symbols; or more points, if a parameter is a function of one of them that is not affine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projected {
    /// Every point for which there are values of the symbols.
    pub set: Set,
    /// No other points.
    pub exact: bool,
}

impl Set {
    /// No points.
    pub fn empty(dimensions: usize) -> Set {
        Set {
            dimensions,
            pieces: Vec::new(),
        }
    }

    /// All points.
    pub fn universe(dimensions: usize) -> Set {
        Set {
            dimensions,
            pieces: vec![Piece::default()],
        }
    }

    /// The number of coordinates.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The pieces of which it is the union. They may overlap.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Has it no pieces? Then it has no points; it may have none in spite of pieces ([`Set::is_empty`]).
    pub fn is_plainly_empty(&self) -> bool {
        self.pieces.is_empty()
    }
}
