//! Where does a pointer point that moves on in a loop, in the iteration that is followed?
//!
//! The first iterations of a loop are followed one by one. There a pointer that is exchanged with another one, or set from it, points where it pointed before the
//! loop, then where the first iteration left it, and so on.
//!
//! What it cannot do: pointers in memory, and iterations that are followed together; there such a pointer may lead anywhere.

use super::construct::Construct;
use super::copies::Extent;
use super::touches::varies;
use crate::loops::LoopFacts;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::Types;
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeMap;

/// What symbols of pointers stand for, in the iterations that are followed.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Bound {
    values: BTreeMap<Symbol, Expr>,
}

impl Bound {
    /// What a symbol stands for: a root, and how many bytes behind it.
    pub fn root(&self, values: &Values, types: &Types, symbol: Symbol) -> Option<(Symbol, Expr)> {
        let value = self.values.get(&symbol)?;
        let root = value.symbols().into_iter().find(|symbol| {
            let info = values.symbols.info(*symbol);
            info.is_pointer(types) || matches!(info.kind, SymbolKind::CalleeVariable { .. })
        })?;
        let offset = value - &Expr::symbol(root);
        (!offset.mentions(root)).then_some((root, offset))
    }

    /// The pointers of a loop before its first iteration.
    pub fn enter(&mut self, values: &Values, types: &Types, of: &LoopFacts) {
        let mut next = BTreeMap::new();
        for open in &of.open {
            if let Some(symbol) = open
                .value
                .as_symbol()
                .filter(|symbol| is_pointer(values, types, *symbol))
            {
                self.set(values, of, (symbol, &open.start), &mut next);
            }
        }
        self.leave(of);
        self.values.extend(next);
    }

    /// The same behind one more iteration.
    pub fn go_on(&mut self, values: &Values, types: &Types, of: &LoopFacts) {
        let mut next = BTreeMap::new();
        for open in &of.open {
            let symbol = open
                .value
                .as_symbol()
                .filter(|symbol| is_pointer(values, types, *symbol));
            if let (Some(symbol), Some(value)) = (symbol, &open.next) {
                self.set(values, of, (symbol, value), &mut next);
            }
        }
        self.leave(of);
        self.values.extend(next);
    }

    /// Nothing is known of them any more.
    pub fn leave(&mut self, of: &LoopFacts) {
        for open in &of.open {
            if let Some(symbol) = open.value.as_symbol() {
                self.values.remove(&symbol);
            }
        }
    }

    fn set(
        &self,
        values: &Values,
        of: &LoopFacts,
        (symbol, value): (Symbol, &Expr),
        next: &mut BTreeMap<Symbol, Expr>,
    ) {
        let value = value.substitute_all(&|symbol| self.values.get(&symbol).cloned());
        // What else changes in the loop is another value in the next iteration.
        if !varies(values, &value, of.stmt) {
            next.insert(symbol, value);
        }
    }

    /// The sections of a construct by the storage that is meant in this iteration.
    pub fn resolve(&self, values: &Values, types: &Types, construct: &mut Construct) {
        if self.values.is_empty() {
            return;
        }
        for section in &mut construct.sections {
            if let Some((root, offset)) = self.root(values, types, section.root) {
                section.root = root;
                section.extent = moved(&section.extent, &offset);
            }
        }
        let known = |symbol: &Symbol| self.root(values, types, *symbol).map(|(root, _)| root);
        let also: Vec<Symbol> = construct.device_addresses.iter().filter_map(known).collect();
        construct.device_addresses.extend(also);
        let bare = construct.bare_pointers.iter();
        let also: Vec<_> = bare
            .filter_map(|(symbol, by)| Some((known(symbol)?, *by)))
            .collect();
        construct.bare_pointers.extend(also);
    }
}

/// An extent as it is seen from another root.
pub fn moved(extent: &Extent, offset: &Expr) -> Extent {
    let moved = |end: &Option<Expr>| end.as_ref().map(|end| end + offset);
    Extent {
        low: moved(&extent.low),
        high: moved(&extent.high),
    }
}

fn is_pointer(values: &Values, types: &Types, symbol: Symbol) -> bool {
    values.symbols.info(symbol).is_pointer(types)
}
