//! What can be asked about sets? Each operation of isl that Ferry uses, with its errors.

use crate::context::{Context, Error};
use crate::number::{Matrix, Number};
use crate::raw;
use crate::read::{Piece, Value, pieces, values};
use std::ffi::{c_int, c_uint};
use std::ptr::NonNull;

/// How many columns of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Coordinates.
    pub dimensions: usize,
    /// Parameters.
    pub parameters: usize,
}

/// The coefficients of a sum: the constant, then one for each coordinate, parameter and existential.
pub type Row = Vec<Number>;

/// A set of isl; freed when dropped.
pub struct Set<'c> {
    pub(crate) raw: NonNull<raw::RawSet>,
    pub(crate) context: &'c Context,
    shape: Shape,
}

/// A small number as isl takes it.
fn small(value: usize) -> Result<c_int, Error> {
    c_int::try_from(value).map_err(|_| Error::OutOfMemory)
}

fn unsigned(value: usize) -> Result<c_uint, Error> {
    small(value).map(|value| value as c_uint)
}

impl Context {
    fn space(&self, shape: Shape) -> Result<NonNull<raw::Space>, Error> {
        let (parameters, dimensions) = (unsigned(shape.parameters)?, unsigned(shape.dimensions)?);
        // SAFETY: the context lives.
        self.object(unsafe { raw::isl_space_set_alloc(self.raw.as_ptr(), parameters, dimensions) })
    }

    /// The set without points.
    pub fn empty(&self, shape: Shape) -> Result<Set<'_>, Error> {
        let space = self.space(shape)?;
        // SAFETY: isl takes the space.
        Set::own(self, shape, unsafe { raw::isl_set_empty(space.as_ptr()) })
    }

    /// The points for which there are `existentials` integers such that every equality is 0 and every inequality is not negative.
    pub fn basic(
        &self,
        shape: Shape,
        existentials: usize,
        equalities: &[Row],
        inequalities: &[Row],
    ) -> Result<Set<'_>, Error> {
        let columns = 1 + shape.dimensions + shape.parameters + existentials;
        let equalities = Matrix::new(self, equalities, columns)?;
        let inequalities = Matrix::new(self, inequalities, columns)?;
        let space = self.space(shape)?;
        // SAFETY: isl takes the space and both matrices; the columns beyond those of the space are existentials.
        let basic = self.object(unsafe {
            raw::isl_basic_set_from_constraint_matrices(
                space.as_ptr(),
                equalities.give(),
                inequalities.give(),
                raw::DIM_CONSTANT,
                raw::DIM_SET,
                raw::DIM_PARAMETER,
                raw::DIM_FLOOR,
            )
        })?;
        // SAFETY: isl takes the basic set.
        Set::own(self, shape, unsafe {
            raw::isl_set_from_basic_set(basic.as_ptr())
        })
    }
}

impl<'c> Set<'c> {
    pub(crate) fn own(context: &'c Context, shape: Shape, raw: *mut raw::RawSet) -> Result<Set<'c>, Error> {
        Ok(Set {
            raw: context.object(raw)?,
            context,
            shape,
        })
    }

    /// Its columns.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Hands the set to a function that takes it.
    fn give(self) -> *mut raw::RawSet {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// Another handle of the same set.
    pub fn duplicate(&self) -> Result<Set<'c>, Error> {
        // SAFETY: the set lives.
        Set::own(self.context, self.shape, unsafe {
            raw::isl_set_copy(self.raw.as_ptr())
        })
    }

    fn same_context(&self, other: &Set<'c>) -> Result<(), Error> {
        if std::ptr::eq(self.context, other.context) && self.shape == other.shape {
            Ok(())
        } else {
            Err(Error::Failed)
        }
    }

    fn with(
        self,
        other: Set<'c>,
        function: unsafe extern "C" fn(*mut raw::RawSet, *mut raw::RawSet) -> *mut raw::RawSet,
    ) -> Result<Set<'c>, Error> {
        self.same_context(&other)?;
        let (context, shape) = (self.context, self.shape);
        // SAFETY: every function that is given here takes both sets.
        Set::own(context, shape, unsafe { function(self.give(), other.give()) })
    }

    fn changed(
        self,
        function: unsafe extern "C" fn(*mut raw::RawSet) -> *mut raw::RawSet,
    ) -> Result<Set<'c>, Error> {
        let (context, shape) = (self.context, self.shape);
        // SAFETY: every function that is given here takes the set and keeps its space.
        Set::own(context, shape, unsafe { function(self.give()) })
    }

    /// Points of either.
    pub fn union(self, other: Set<'c>) -> Result<Set<'c>, Error> {
        self.with(other, raw::isl_set_union)
    }

    /// Points of both.
    pub fn intersect(self, other: Set<'c>) -> Result<Set<'c>, Error> {
        self.with(other, raw::isl_set_intersect)
    }

    /// Points of this one that are not in the other.
    pub fn subtract(self, other: Set<'c>) -> Result<Set<'c>, Error> {
        self.with(other, raw::isl_set_subtract)
    }

    /// The same points in fewer pieces, where pieces can be joined without becoming larger.
    ///
    /// isl 0.25 joins some pieces with floors though there are points between them (`0 <= x <= 1 <= n` and `x mod 9 = 0, 0 <= x <= 3*n - 3` become
    /// `0 <= x <= 9*floor(x/9) + 1, 3*floor(x/9) < n`, which has 10), so the answer is kept only if it is seen to have no other points.
    pub fn coalesce(self) -> Result<Set<'c>, Error> {
        // SAFETY: the set lives.
        let floors = self
            .context
            .truth(unsafe { raw::isl_set_involves_locals(self.raw.as_ptr()) })?;
        if !floors {
            return self.changed(raw::isl_set_coalesce);
        }
        let before = self.duplicate()?;
        let joined = self.changed(raw::isl_set_coalesce)?;
        match joined.is_subset(&before)? && before.is_subset(&joined)? {
            true => Ok(joined),
            false => Ok(before),
        }
    }

    /// The same points with every existential computed as a floor.
    pub fn with_floors(self) -> Result<Set<'c>, Error> {
        self.changed(raw::isl_set_compute_divs)
    }

    /// The same points without constraints that follow from others.
    pub fn without_redundancies(self) -> Result<Set<'c>, Error> {
        self.changed(raw::isl_set_remove_redundancies)
    }

    /// The same points with every equality that follows written as one.
    pub fn with_equalities(self) -> Result<Set<'c>, Error> {
        self.changed(raw::isl_set_detect_equalities)
    }

    /// The same points in pieces that do not overlap.
    pub fn disjoint(self) -> Result<Set<'c>, Error> {
        self.changed(raw::isl_set_make_disjoint)
    }

    /// For each value of the parameters the least point in lexicographic order. An error if there is none.
    pub fn lexicographic_minimum(self) -> Result<Set<'c>, Error> {
        self.changed(raw::isl_set_lexmin)
    }

    /// For each value of the parameters the greatest point in lexicographic order. An error if there is none.
    pub fn lexicographic_maximum(self) -> Result<Set<'c>, Error> {
        self.changed(raw::isl_set_lexmax)
    }

    /// The set without `count` coordinates from `first` on: the points for which there are values of these.
    pub fn project_out(self, first: usize, count: usize) -> Result<Set<'c>, Error> {
        let end = first.checked_add(count).ok_or(Error::Failed)?;
        if end > self.shape.dimensions {
            return Err(Error::Failed);
        }
        let (first, removed) = (unsigned(first)?, unsigned(count)?);
        let context = self.context;
        let shape = Shape {
            dimensions: self.shape.dimensions - count,
            ..self.shape
        };
        // SAFETY: isl takes the set; the coordinates are there.
        Set::own(context, shape, unsafe {
            raw::isl_set_project_out(self.give(), raw::DIM_SET, first, removed)
        })
    }

    /// The values of the parameters for which there are points: a set without coordinates.
    pub fn parameters(self) -> Result<Set<'c>, Error> {
        let count = self.shape.dimensions;
        self.project_out(0, count)
    }

    /// Has it no point, for no value of the parameters?
    pub fn is_empty(&self) -> Result<bool, Error> {
        // SAFETY: the set lives.
        self.context
            .truth(unsafe { raw::isl_set_is_empty(self.raw.as_ptr()) })
    }

    /// Is every point of this set in the other, for all values of the parameters?
    pub fn is_subset(&self, other: &Set<'c>) -> Result<bool, Error> {
        self.same_context(other)?;
        // SAFETY: both sets live.
        self.context
            .truth(unsafe { raw::isl_set_is_subset(self.raw.as_ptr(), other.raw.as_ptr()) })
    }

    /// Have both the same points, for all values of the parameters?
    pub fn is_equal(&self, other: &Set<'c>) -> Result<bool, Error> {
        self.same_context(other)?;
        // SAFETY: both sets live.
        self.context
            .truth(unsafe { raw::isl_set_is_equal(self.raw.as_ptr(), other.raw.as_ptr()) })
    }

    /// Does every piece have a constraint that bounds the coordinate from below?
    pub fn has_lower_bound(&self, dimension: usize) -> Result<bool, Error> {
        let dimension = self.dimension(dimension)?;
        // SAFETY: the set lives and has the coordinate.
        self.context.truth(unsafe {
            raw::isl_set_dim_has_lower_bound(self.raw.as_ptr(), raw::DIM_SET, dimension as c_uint)
        })
    }

    /// Does every piece have a constraint that bounds the coordinate from above?
    pub fn has_upper_bound(&self, dimension: usize) -> Result<bool, Error> {
        let dimension = self.dimension(dimension)?;
        // SAFETY: the set lives and has the coordinate.
        self.context.truth(unsafe {
            raw::isl_set_dim_has_upper_bound(self.raw.as_ptr(), raw::DIM_SET, dimension as c_uint)
        })
    }

    fn dimension(&self, dimension: usize) -> Result<c_int, Error> {
        if dimension < self.shape.dimensions {
            small(dimension)
        } else {
            Err(Error::Failed)
        }
    }

    /// The least value of a coordinate, in terms of the parameters. An error if there is none.
    pub fn minimum(self, dimension: usize) -> Result<Vec<Value>, Error> {
        let (position, context, shape) = (self.dimension(dimension)?, self.context, self.shape);
        // SAFETY: isl takes the set, which has the coordinate.
        values(context, shape, unsafe {
            raw::isl_set_dim_min(self.give(), position)
        })
    }

    /// The greatest value of a coordinate, in terms of the parameters. An error if there is none.
    pub fn maximum(self, dimension: usize) -> Result<Vec<Value>, Error> {
        let (position, context, shape) = (self.dimension(dimension)?, self.context, self.shape);
        // SAFETY: isl takes the set, which has the coordinate.
        values(context, shape, unsafe {
            raw::isl_set_dim_max(self.give(), position)
        })
    }

    /// The constraints of its pieces. Every existential is computed as a floor first.
    pub fn pieces(self) -> Result<Vec<Piece>, Error> {
        pieces(self.with_floors()?)
    }
}

impl Drop for Set<'_> {
    fn drop(&mut self) {
        // SAFETY: it is owned.
        unsafe { raw::isl_set_free(self.raw.as_ptr()) };
    }
}

/// Used by `read` for the shape of what has no coordinates.
pub(crate) fn only_parameters(shape: Shape) -> Shape {
    Shape {
        dimensions: 0,
        ..shape
    }
}
