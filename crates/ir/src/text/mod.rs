//! What does the program look like as text? A complete notation, close to C, that can be read back.
//!
//! `SPECIFICATION.md` has the grammar. Where a type follows from the parts of an expression it is not written;
//! conversions, constants' types and everything else that does not follow are.

mod lex;
mod names;
mod parse;
mod print;
mod spell;

pub use lex::ParseError;
pub use parse::parse_unit;
pub use print::{
    PrintOptions, print_expression, print_function, print_place, print_statement, print_type, print_unit,
};
