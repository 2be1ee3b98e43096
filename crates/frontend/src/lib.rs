//! C to IR, through libclang.
#![allow(unsafe_code)]

pub mod clang;
pub mod flags;
pub mod lower;
