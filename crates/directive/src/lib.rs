//! OpenMP and OpenACC directives: one model, one table, a parser and a printer.

/// A directive whose expressions are of type `E` (text spans, or typed expressions of the program).
#[derive(Clone, PartialEq, Debug)]
pub struct Directive<E> {
    /// Expressions, for now.
    pub expressions: Vec<E>,
}
