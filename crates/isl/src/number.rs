//! How do integers of any size go to isl and back? Small ones as machine words, others in chunks of 64 bits.

use crate::context::{Context, Error};
use crate::raw;
use num_bigint::{BigInt, BigUint, Sign};
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// One that fits in 64 bits.
    Small(i64),
    /// One that does not.
    Large(BigInt),
}

impl Number {
    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        matches!(self, Number::Small(0))
    }

    /// As an integer of any size.
    pub fn to_big(&self) -> BigInt {
        match self {
            Number::Small(small) => BigInt::from(*small),
            Number::Large(large) => large.clone(),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::Small(value)
    }
}

impl From<BigInt> for Number {
    fn from(value: BigInt) -> Number {
        match i64::try_from(&value) {
            Ok(small) => Number::Small(small),
            Err(_) => Number::Large(value),
        }
    }
}

/// A value of isl; freed when dropped.
pub(crate) struct Val<'c> {
    raw: NonNull<raw::Val>,
    context: &'c Context,
}

impl<'c> Val<'c> {
    /// Takes over what isl returned.
    pub(crate) fn own(context: &'c Context, raw: *mut raw::Val) -> Result<Val<'c>, Error> {
        Ok(Val {
            raw: context.object(raw)?,
            context,
        })
    }

    pub(crate) fn new(context: &'c Context, value: &Number) -> Result<Val<'c>, Error> {
        match value {
            // SAFETY: the context lives.
            Number::Small(small) => Val::own(context, unsafe {
                raw::isl_val_int_from_si(context.raw.as_ptr(), *small)
            }),
            Number::Large(large) => {
                let (sign, digits) = large.to_u64_digits();
                // SAFETY: isl reads `digits.len()` chunks of 8 bytes, the least significant first.
                let magnitude = Val::own(context, unsafe {
                    raw::isl_val_int_from_chunks(
                        context.raw.as_ptr(),
                        digits.len(),
                        size_of::<u64>(),
                        digits.as_ptr().cast::<c_void>(),
                    )
                })?;
                if sign == Sign::Minus {
                    // SAFETY: isl takes the value.
                    Val::own(context, unsafe { raw::isl_val_neg(magnitude.give()) })
                } else {
                    Ok(magnitude)
                }
            }
        }
    }

    /// Hands the value to a function that takes it.
    pub(crate) fn give(self) -> *mut raw::Val {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    pub(crate) fn duplicate(&self) -> Result<Val<'c>, Error> {
        // SAFETY: the value lives.
        Val::own(self.context, unsafe { raw::isl_val_copy(self.raw.as_ptr()) })
    }

    /// The integer; an error for fractions, infinities and "not a number".
    pub(crate) fn read(&self) -> Result<Number, Error> {
        let raw = self.raw.as_ptr();
        // SAFETY: the value lives; isl writes exactly the number of chunks that it gave.
        unsafe {
            if !self.context.truth(raw::isl_val_is_int(raw))? {
                return Err(Error::Failed);
            }
            let count = self
                .context
                .size(raw::isl_val_n_abs_num_chunks(raw, size_of::<u64>()))?;
            let mut chunks = vec![0u64; count.max(1)];
            if raw::isl_val_get_abs_num_chunks(raw, size_of::<u64>(), chunks.as_mut_ptr().cast::<c_void>())
                < 0
            {
                return Err(self.context.error());
            }
            let negative = raw::isl_val_sgn(raw) < 0;
            if let [small] = chunks[..]
                && let Ok(small) = i64::try_from(small)
            {
                return Ok(Number::Small(if negative { -small } else { small }));
            }
            let words: Vec<u32> = chunks
                .iter()
                .flat_map(|chunk| [*chunk as u32, (*chunk >> 32) as u32])
                .collect();
            let sign = if negative { Sign::Minus } else { Sign::Plus };
            Ok(Number::from(BigInt::from_biguint(sign, BigUint::new(words))))
        }
    }
}

impl Drop for Val<'_> {
    fn drop(&mut self) {
        // SAFETY: it is owned.
        unsafe { raw::isl_val_free(self.raw.as_ptr()) };
    }
}

/// A matrix of isl; freed when dropped.
pub(crate) struct Matrix<'c> {
    raw: NonNull<raw::Mat>,
    context: &'c Context,
}

impl<'c> Matrix<'c> {
    pub(crate) fn own(context: &'c Context, raw: *mut raw::Mat) -> Result<Matrix<'c>, Error> {
        Ok(Matrix {
            raw: context.object(raw)?,
            context,
        })
    }

    /// The matrix of these rows, all of which must have as many numbers as there are columns.
    pub(crate) fn new(
        context: &'c Context,
        rows: &[Vec<Number>],
        columns: usize,
    ) -> Result<Matrix<'c>, Error> {
        let (Ok(row_count), Ok(column_count)) = (c_int::try_from(rows.len()), c_int::try_from(columns))
        else {
            return Err(Error::OutOfMemory);
        };
        if rows.iter().any(|row| row.len() != columns) {
            return Err(Error::Failed);
        }
        // SAFETY: the context lives; both sizes are not negative.
        let mut matrix = Matrix::own(context, unsafe {
            raw::isl_mat_alloc(context.raw.as_ptr(), row_count as u32, column_count as u32)
        })?;
        for (i, row) in (0..row_count).zip(rows) {
            for (j, number) in (0..column_count).zip(row) {
                let raw = if let Number::Small(small) = number
                    && let Ok(small) = c_int::try_from(*small)
                {
                    // SAFETY: `i` and `j` are within the matrix, which isl takes.
                    unsafe { raw::isl_mat_set_element_si(matrix.give(), i, j, small) }
                } else {
                    let value = Val::new(context, number)?;
                    // SAFETY: the same; isl takes the value too.
                    unsafe { raw::isl_mat_set_element_val(matrix.give(), i, j, value.give()) }
                };
                matrix = Matrix::own(context, raw)?;
            }
        }
        Ok(matrix)
    }

    /// Hands the matrix to a function that takes it.
    pub(crate) fn give(self) -> *mut raw::Mat {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    pub(crate) fn read(&self) -> Result<Vec<Vec<Number>>, Error> {
        let raw = self.raw.as_ptr();
        // SAFETY: the matrix lives.
        let (rows, columns) = unsafe { (raw::isl_mat_rows(raw), raw::isl_mat_cols(raw)) };
        self.context.size(rows)?;
        self.context.size(columns)?;
        (0..rows)
            .map(|row| {
                (0..columns)
                    .map(|column| {
                        // SAFETY: both are within the matrix.
                        let value = unsafe { raw::isl_mat_get_element_val(raw, row, column) };
                        Val::own(self.context, value)?.read()
                    })
                    .collect()
            })
            .collect()
    }
}

impl Drop for Matrix<'_> {
    fn drop(&mut self) {
        // SAFETY: it is owned.
        unsafe { raw::isl_mat_free(self.raw.as_ptr()) };
    }
}
