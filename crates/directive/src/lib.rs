//! OpenMP and OpenACC directives: one model, one table, a parser and a printer.
//!
//! The crate knows no C beyond "an expression": it cuts expressions out of a pragma by balanced brackets, and carries
//! them as a type parameter. The parser gives `Directive<Text>`; the program holds `Directive<Expr>`.

mod build;
mod clean;
mod model;
mod parse;
mod print;
mod problems;
mod query;
#[cfg(test)]
mod round_trip;
mod suggest;
mod table;
mod version;
mod visit;
mod written;

pub use build::Inexpressible;
pub use model::{Arguments, Clause, Directive, Item, IteratorSpecifier, ListItem, Modifier, Subscript, Text};
pub use parse::{Dialect, ParseError, Parsed, language_of, parse, read};
pub use print::Layout;
pub use problems::{Problem, problems};
pub use query::{DataItem, Direction, Reduction};
pub use table::{Association, Specification, directive_names, leaves, specification};
pub use version::{Language, Version};
pub use visit::{Role, Site};
pub use written::{attribute, lines, written};
