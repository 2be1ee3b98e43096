//! Which values in memory does the user say can be read, and by which text?
//!
//! Who says that `s->atoms->r` leads to `s->boxes->count` elements says that these members are there. So they can be read again, by the same text, as long as
//! everything that the text reads is what it was: the variable where it begins, and each pointer on the way.
//!
//! What it cannot do: follow a value to another text when the way to it changes.

use crate::state::{Cell, State};
use crate::symbols::Symbols;
use ferry_ir::VariableRef;
use ferry_symbolic::{Expr, Symbol};

/// How the user writes a value in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Promised {
    /// `s->atoms->r`
    pub text: String,
    /// The variable where it begins.
    pub variable: VariableRef,
    /// What that holds, where its value is followed by its name.
    pub held: Option<Expr>,
    /// What the text reads in memory, the value itself as the last one.
    pub way: Vec<(Cell, Expr)>,
    /// No read of the program's came before.
    pub first: bool,
}

impl Promised {
    fn holds(&self, state: &State) -> bool {
        let same = |(cell, value): &(Cell, Expr)| state.cells.get(cell) == Some(value);
        state.get(self.variable) == self.held.as_ref() && self.way.iter().all(same)
    }
}

impl Symbols {
    /// The text by which the user promises a value, if it means the value where `state` holds, and was said on all paths there.
    pub fn promised(&self, symbol: Symbol, state: &State) -> Option<&Promised> {
        let promised = self.promise(symbol)?;
        (state.promised.contains(&symbol) && promised.holds(state)).then_some(promised)
    }
}
