//! How is isl asked? With lists of constraints, one question at a time, and a limit on the work (Verdoolaege, "isl: An Integer Set
//! Library for the Polyhedral Model", ICMS 2010; the manual of isl 0.25).
//!
//! [`ask`] gives a question a [`Context`]; sets live only as long as the question. Sets are made of matrices of constraints and read back as such
//! ([`Piece`]), never as text. Every failure of isl is an [`Error`]: nothing is printed and nothing ends the process.
//! Existentials of sets that are read back are always floors of quotients, so that membership can be computed.
//!
//! The only crate beside `frontend` with `unsafe`. It knows no symbols: parameters, coordinates and existentials are columns.
#![allow(unsafe_code)]

mod context;
mod number;
mod raw;
mod read;
mod set;

pub use context::{Context, Error, ask};
pub use number::Number;
pub use read::{Floor, Piece, Quotient, Value};
pub use set::{Row, Set, Shape};
