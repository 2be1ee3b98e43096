//! C to IR, through libclang.
#![allow(unsafe_code)]

pub mod clang;
pub mod compilation_database;
pub mod directives;
pub mod flags;
pub mod lower;
