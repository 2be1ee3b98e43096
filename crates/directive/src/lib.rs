//! OpenMP and OpenACC directives: one model, one table, a parser and a printer.
//!
//! The crate knows no C beyond "an expression": it cuts expressions out of a pragma by balanced brackets, and carries
//! them as a type parameter. The parser gives `Directive<Text>`; the program holds `Directive<Expr>`.

mod clean;
mod model;
mod parse;
mod suggest;
mod table;
mod version;

pub use model::{Arguments, Clause, Directive, Item, IteratorSpecifier, ListItem, Modifier, Subscript, Text};
pub use parse::{Dialect, ParseError, Parsed, language_of, parse, read};
pub use table::{Association, Specification, directive_names, leaves, specification};
pub use version::{Language, Version};
