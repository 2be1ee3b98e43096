//! Which functions of isl are called? Declarations from the headers of isl 0.25 (`isl/ctx.h`, `val.h`, `mat.h`, `set.h`, `aff.h`).
//!
//! "take" in a comment: the function frees that argument, also when it fails.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

macro_rules! opaque {
    ($($name:ident),*) => { $(#[repr(C)] pub(crate) struct $name { _private: [u8; 0] })* };
}
opaque!(Ctx, Space, Val, Mat, BasicSet, RawSet, PwAff, Aff);

/// `isl_size` and `isl_bool`: negative is an error.
pub(crate) type Size = c_int;

pub(crate) const DIM_CONSTANT: c_uint = 0;
pub(crate) const DIM_PARAMETER: c_uint = 1;
pub(crate) const DIM_IN: c_uint = 2;
pub(crate) const DIM_SET: c_uint = 3;
pub(crate) const DIM_FLOOR: c_uint = 4;

pub(crate) const ON_ERROR_CONTINUE: c_int = 1;

pub(crate) const ERROR_NONE: c_int = 0;
pub(crate) const ERROR_ALLOCATION: c_int = 2;
pub(crate) const ERROR_QUOTA: c_int = 6;

unsafe extern "C" {
    pub(crate) fn isl_ctx_alloc() -> *mut Ctx;
    pub(crate) fn isl_ctx_free(ctx: *mut Ctx);
    pub(crate) fn isl_ctx_set_max_operations(ctx: *mut Ctx, most: c_ulong);
    pub(crate) fn isl_ctx_last_error(ctx: *mut Ctx) -> c_int;
    pub(crate) fn isl_ctx_last_error_msg(ctx: *mut Ctx) -> *const c_char;
    pub(crate) fn isl_options_set_on_error(ctx: *mut Ctx, what: c_int) -> c_int;

    pub(crate) fn isl_space_set_alloc(ctx: *mut Ctx, parameters: c_uint, dimensions: c_uint) -> *mut Space;

    pub(crate) fn isl_val_int_from_si(ctx: *mut Ctx, value: c_long) -> *mut Val;
    pub(crate) fn isl_val_int_from_chunks(
        ctx: *mut Ctx,
        count: usize,
        size: usize,
        chunks: *const c_void,
    ) -> *mut Val;
    pub(crate) fn isl_val_neg(take: *mut Val) -> *mut Val;
    pub(crate) fn isl_val_copy(keep: *mut Val) -> *mut Val;
    pub(crate) fn isl_val_free(take: *mut Val) -> *mut Val;
    pub(crate) fn isl_val_sgn(keep: *mut Val) -> c_int;
    pub(crate) fn isl_val_is_int(keep: *mut Val) -> Size;
    pub(crate) fn isl_val_n_abs_num_chunks(keep: *mut Val, size: usize) -> Size;
    pub(crate) fn isl_val_get_abs_num_chunks(keep: *mut Val, size: usize, chunks: *mut c_void) -> c_int;

    pub(crate) fn isl_mat_alloc(ctx: *mut Ctx, rows: c_uint, columns: c_uint) -> *mut Mat;
    pub(crate) fn isl_mat_free(take: *mut Mat) -> *mut Mat;
    pub(crate) fn isl_mat_rows(keep: *mut Mat) -> Size;
    pub(crate) fn isl_mat_cols(keep: *mut Mat) -> Size;
    pub(crate) fn isl_mat_set_element_si(take: *mut Mat, row: c_int, column: c_int, value: c_int)
    -> *mut Mat;
    pub(crate) fn isl_mat_set_element_val(
        take: *mut Mat,
        row: c_int,
        column: c_int,
        take_value: *mut Val,
    ) -> *mut Mat;
    pub(crate) fn isl_mat_get_element_val(keep: *mut Mat, row: c_int, column: c_int) -> *mut Val;

    pub(crate) fn isl_basic_set_from_constraint_matrices(
        take_space: *mut Space,
        take_equalities: *mut Mat,
        take_inequalities: *mut Mat,
        first: c_uint,
        second: c_uint,
        third: c_uint,
        fourth: c_uint,
    ) -> *mut BasicSet;
    pub(crate) fn isl_basic_set_equalities_matrix(
        keep: *mut BasicSet,
        first: c_uint,
        second: c_uint,
        third: c_uint,
        fourth: c_uint,
    ) -> *mut Mat;
    pub(crate) fn isl_basic_set_inequalities_matrix(
        keep: *mut BasicSet,
        first: c_uint,
        second: c_uint,
        third: c_uint,
        fourth: c_uint,
    ) -> *mut Mat;
    pub(crate) fn isl_basic_set_dim(keep: *mut BasicSet, kind: c_uint) -> Size;
    pub(crate) fn isl_basic_set_get_div(keep: *mut BasicSet, position: c_int) -> *mut Aff;
    pub(crate) fn isl_basic_set_free(take: *mut BasicSet) -> *mut BasicSet;

    pub(crate) fn isl_set_from_basic_set(take: *mut BasicSet) -> *mut RawSet;
    pub(crate) fn isl_set_empty(take: *mut Space) -> *mut RawSet;
    pub(crate) fn isl_set_copy(keep: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_free(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_union(take: *mut RawSet, take_other: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_intersect(take: *mut RawSet, take_other: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_subtract(take: *mut RawSet, take_other: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_is_empty(keep: *mut RawSet) -> Size;
    pub(crate) fn isl_set_is_subset(keep: *mut RawSet, keep_other: *mut RawSet) -> Size;
    pub(crate) fn isl_set_is_equal(keep: *mut RawSet, keep_other: *mut RawSet) -> Size;
    pub(crate) fn isl_set_involves_locals(keep: *mut RawSet) -> Size;
    pub(crate) fn isl_set_coalesce(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_compute_divs(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_remove_redundancies(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_detect_equalities(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_make_disjoint(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_project_out(
        take: *mut RawSet,
        kind: c_uint,
        first: c_uint,
        count: c_uint,
    ) -> *mut RawSet;
    pub(crate) fn isl_set_lexmin(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_lexmax(take: *mut RawSet) -> *mut RawSet;
    pub(crate) fn isl_set_dim_min(take: *mut RawSet, position: c_int) -> *mut PwAff;
    pub(crate) fn isl_set_dim_max(take: *mut RawSet, position: c_int) -> *mut PwAff;
    pub(crate) fn isl_set_dim_has_lower_bound(keep: *mut RawSet, kind: c_uint, position: c_uint) -> Size;
    pub(crate) fn isl_set_dim_has_upper_bound(keep: *mut RawSet, kind: c_uint, position: c_uint) -> Size;
    pub(crate) fn isl_set_foreach_basic_set(
        keep: *mut RawSet,
        each: extern "C" fn(take: *mut BasicSet, user: *mut c_void) -> c_int,
        user: *mut c_void,
    ) -> c_int;

    pub(crate) fn isl_pw_aff_free(take: *mut PwAff) -> *mut PwAff;
    pub(crate) fn isl_pw_aff_foreach_piece(
        keep: *mut PwAff,
        each: extern "C" fn(take: *mut RawSet, take_value: *mut Aff, user: *mut c_void) -> c_int,
        user: *mut c_void,
    ) -> c_int;

    pub(crate) fn isl_aff_copy(keep: *mut Aff) -> *mut Aff;
    pub(crate) fn isl_aff_free(take: *mut Aff) -> *mut Aff;
    pub(crate) fn isl_aff_dim(keep: *mut Aff, kind: c_uint) -> Size;
    pub(crate) fn isl_aff_is_nan(keep: *mut Aff) -> Size;
    pub(crate) fn isl_aff_scale_val(take: *mut Aff, take_factor: *mut Val) -> *mut Aff;
    pub(crate) fn isl_aff_get_constant_val(keep: *mut Aff) -> *mut Val;
    pub(crate) fn isl_aff_get_coefficient_val(keep: *mut Aff, kind: c_uint, position: c_int) -> *mut Val;
    pub(crate) fn isl_aff_get_denominator_val(keep: *mut Aff) -> *mut Val;
    pub(crate) fn isl_aff_get_div(keep: *mut Aff, position: c_int) -> *mut Aff;
}
