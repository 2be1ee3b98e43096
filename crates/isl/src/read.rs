//! How are sets of isl read back? Piece by piece, as rows of coefficients, with each existential as a floor of a quotient.

use crate::context::{Context, Error};
use crate::number::{Matrix, Number, Val};
use crate::raw;
use crate::set::{Row, Set, Shape, only_parameters};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::NonNull;

/// `floor(numerator / divisor)`. The row ends before the first existential that it cannot mention.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floor {
    /// What is divided: constant, coordinates, parameters, earlier existentials.
    pub numerator: Row,
    /// By what: positive.
    pub divisor: Number,
}

/// The points that satisfy all of these constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The existentials, each in terms of earlier ones.
    pub floors: Vec<Floor>,
    /// Rows that are 0.
    pub equalities: Vec<Row>,
    /// Rows that are not negative.
    pub inequalities: Vec<Row>,
}

/// A sum over parameters and floors, divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotient {
    /// The floors that the numerator mentions, each in terms of earlier ones.
    pub floors: Vec<Floor>,
    /// What is divided: constant, parameters, floors.
    pub numerator: Row,
    /// By what: positive. The quotient is an integer wherever the value is taken.
    pub divisor: Number,
}

/// A value, and where it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The values of the parameters for which it holds.
    pub domain: Vec<Piece>,
    /// The value.
    pub value: Quotient,
}

struct Basic<'c> {
    raw: NonNull<raw::BasicSet>,
    context: &'c Context,
}

impl Drop for Basic<'_> {
    fn drop(&mut self) {
        // SAFETY: it is owned.
        unsafe { raw::isl_basic_set_free(self.raw.as_ptr()) };
    }
}

extern "C" fn collect_basic(basic: *mut raw::BasicSet, user: *mut c_void) -> c_int {
    // SAFETY: `user` is the list that `pieces` passed, which nothing else uses meanwhile.
    let list = unsafe { &mut *user.cast::<Vec<*mut raw::BasicSet>>() };
    list.push(basic);
    0
}

/// The pieces of a set whose existentials are all known.
pub(crate) fn pieces(set: Set<'_>) -> Result<Vec<Piece>, Error> {
    let context = set.context;
    let mut list: Vec<*mut raw::BasicSet> = Vec::new();
    // SAFETY: the set lives, and the list outlives the call.
    let status = unsafe {
        raw::isl_set_foreach_basic_set(set.raw.as_ptr(), collect_basic, (&raw mut list).cast::<c_void>())
    };
    let all: Vec<Basic<'_>> = list
        .into_iter()
        .filter_map(|raw| NonNull::new(raw).map(|raw| Basic { raw, context }))
        .collect();
    if status < 0 {
        return Err(context.error());
    }
    all.iter().map(|basic| piece(basic, set.shape())).collect()
}

fn piece(basic: &Basic<'_>, shape: Shape) -> Result<Piece, Error> {
    let (context, raw) = (basic.context, basic.raw.as_ptr());
    let order = (
        raw::DIM_CONSTANT,
        raw::DIM_SET,
        raw::DIM_PARAMETER,
        raw::DIM_FLOOR,
    );
    // SAFETY: the basic set lives.
    let (equalities, inequalities, count) = unsafe {
        (
            raw::isl_basic_set_equalities_matrix(raw, order.0, order.1, order.2, order.3),
            raw::isl_basic_set_inequalities_matrix(raw, order.0, order.1, order.2, order.3),
            raw::isl_basic_set_dim(raw, raw::DIM_FLOOR),
        )
    };
    let equalities = Matrix::own(context, equalities);
    let inequalities = Matrix::own(context, inequalities);
    let (equalities, inequalities) = (equalities?.read()?, inequalities?.read()?);
    let floors = (0..context.size(count)?)
        .map(|position| {
            let at = c_int::try_from(position).map_err(|_| Error::OutOfMemory)?;
            // SAFETY: the basic set lives and has this existential.
            let division = Division::own(context, unsafe { raw::isl_basic_set_get_div(raw, at) })?;
            let (numerator, divisor) = division.read(shape, true, position)?;
            Ok(Floor { numerator, divisor })
        })
        .collect::<Result<_, Error>>()?;
    Ok(Piece {
        floors,
        equalities,
        inequalities,
    })
}

/// An affine expression of isl, a quotient; freed when dropped.
struct Division<'c> {
    raw: NonNull<raw::Aff>,
    context: &'c Context,
}

impl<'c> Division<'c> {
    fn own(context: &'c Context, raw: *mut raw::Aff) -> Result<Division<'c>, Error> {
        Ok(Division {
            raw: context.object(raw)?,
            context,
        })
    }

    fn count(&self, kind: c_uint) -> Result<usize, Error> {
        // SAFETY: the expression lives.
        self.context
            .size(unsafe { raw::isl_aff_dim(self.raw.as_ptr(), kind) })
    }

    /// The numerator over the constant, the coordinates (if `coordinates`), the parameters and the first `floors` floors; and the divisor.
    /// An error if it mentions a later floor, or is not a number.
    fn read(&self, shape: Shape, coordinates: bool, floors: usize) -> Result<(Row, Number), Error> {
        let (context, raw) = (self.context, self.raw.as_ptr());
        // SAFETY: the expression lives.
        if context.truth(unsafe { raw::isl_aff_is_nan(raw) })? {
            return Err(Error::Failed);
        }
        // SAFETY: the same.
        let divisor = Val::own(context, unsafe { raw::isl_aff_get_denominator_val(raw) })?;
        let scaled = {
            let factor = divisor.duplicate()?;
            // SAFETY: the expression lives.
            let copy = Division::own(context, unsafe { raw::isl_aff_copy(raw) })?;
            // SAFETY: isl takes both.
            Division::own(context, unsafe {
                raw::isl_aff_scale_val(copy.give(), factor.give())
            })?
        };
        let dimensions = if coordinates { shape.dimensions } else { 0 };
        let mut row = Vec::with_capacity(1 + dimensions + shape.parameters + floors);
        // SAFETY: the expression lives.
        row.push(
            Val::own(context, unsafe {
                raw::isl_aff_get_constant_val(scaled.raw.as_ptr())
            })?
            .read()?,
        );
        // The coordinates of an expression are its inputs.
        let kinds = [
            (raw::DIM_IN, dimensions, dimensions),
            (raw::DIM_PARAMETER, shape.parameters, shape.parameters),
            (raw::DIM_FLOOR, floors, scaled.count(raw::DIM_FLOOR)?),
        ];
        for (kind, wanted, present) in kinds {
            for position in 0..wanted.max(present) {
                if position >= present {
                    row.push(Number::Small(0));
                    continue;
                }
                let at = c_int::try_from(position).map_err(|_| Error::OutOfMemory)?;
                // SAFETY: the expression lives and has the column.
                let value = unsafe { raw::isl_aff_get_coefficient_val(scaled.raw.as_ptr(), kind, at) };
                let value = Val::own(context, value)?.read()?;
                if position < wanted {
                    row.push(value);
                } else if !value.is_zero() {
                    return Err(Error::Failed);
                }
            }
        }
        Ok((row, divisor.read()?))
    }

    fn give(self) -> *mut raw::Aff {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }
}

impl Drop for Division<'_> {
    fn drop(&mut self) {
        // SAFETY: it is owned.
        unsafe { raw::isl_aff_free(self.raw.as_ptr()) };
    }
}

extern "C" fn collect_value(domain: *mut raw::RawSet, value: *mut raw::Aff, user: *mut c_void) -> c_int {
    // SAFETY: `user` is the list that `values` passed, which nothing else uses meanwhile.
    let list = unsafe { &mut *user.cast::<Vec<(*mut raw::RawSet, *mut raw::Aff)>>() };
    list.push((domain, value));
    0
}

/// The values of a function of the parameters, which is taken over.
pub(crate) fn values(context: &Context, shape: Shape, raw: *mut raw::PwAff) -> Result<Vec<Value>, Error> {
    let function = context.object(raw)?;
    let mut list: Vec<(*mut raw::RawSet, *mut raw::Aff)> = Vec::new();
    // SAFETY: the function lives, and the list outlives the call. Then the function is not needed any more.
    let status = unsafe {
        let status =
            raw::isl_pw_aff_foreach_piece(function.as_ptr(), collect_value, (&raw mut list).cast::<c_void>());
        raw::isl_pw_aff_free(function.as_ptr());
        status
    };
    let shape = only_parameters(shape);
    // Both are owned before anything can fail.
    let owned: Vec<_> = list
        .into_iter()
        .map(|(domain, value)| (Set::own(context, shape, domain), Division::own(context, value)))
        .collect();
    if status < 0 {
        return Err(context.error());
    }
    owned
        .into_iter()
        .map(|(domain, value)| {
            let (domain, value) = (domain?, value?);
            let count = value.count(raw::DIM_FLOOR)?;
            let (numerator, divisor) = value.read(shape, false, count)?;
            let floors = (0..count)
                .map(|position| {
                    let at = c_int::try_from(position).map_err(|_| Error::OutOfMemory)?;
                    // SAFETY: the expression lives and has this floor.
                    let floor = unsafe { raw::isl_aff_get_div(value.raw.as_ptr(), at) };
                    let (numerator, divisor) = Division::own(context, floor)?.read(shape, false, position)?;
                    Ok(Floor { numerator, divisor })
                })
                .collect::<Result<_, Error>>()?;
            Ok(Value {
                domain: domain.pieces()?,
                value: Quotient {
                    floors,
                    numerator,
                    divisor,
                },
            })
        })
        .collect()
}
