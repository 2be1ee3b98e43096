//! C to IR, through libclang.
#![allow(unsafe_code)]

pub mod clang;
pub mod compilation_database;
mod declared;
pub mod directives;
pub mod flags;
mod input;
mod load;
pub mod lower;
mod messages;
mod other_names;
mod rounds;

pub use load::{DIRECTIVE_RULE, FLAG_RULE, Job, Loaded, LoadedUnit, Options, load};
