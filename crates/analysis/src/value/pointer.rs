//! Through which pointer in memory does an access go?
//!
//! Needed where memory has two copies: what a pointer leads to may be on the device while the pointer that is there holds an address of the host. Kept of
//! programs that are walked with their directives, of pointers that are loaded for the access (`x.v[i]`, `*(p->q + 1)`), and of variables that are known by
//! their names and were given one. What is chosen (`c ? p : q`) has none.

use super::Walker;
use crate::access::AccessKind;
use crate::state::State;
use ferry_ir::{Expr as Code, ExprKind, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::rc::Rc;

/// A pointer that lies in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Pointer {
    /// The storage that holds it.
    pub root: Symbol,
    /// Its first byte.
    pub address: Expr,
    /// Where it leads to in the sequential program, if that is known.
    pub value: Option<Expr>,
    /// Where it was loaded.
    pub at: Origin,
}

impl Walker<'_> {
    /// The pointer from which an address was computed, by a place in memory that was just read.
    pub(super) fn pointer_in(&mut self, code: &Code, state: &mut State) -> Option<Rc<Pointer>> {
        if !self.with_directives || !self.recording() {
            return None;
        }
        let mut code = code;
        let (place, load) = loop {
            code = match &code.kind {
                ExprKind::Load(place) => break (place, code),
                ExprKind::Offset(base, _) => base,
                ExprKind::Cast(operand) if self.unit.types.pointee(operand.ty).is_some() => operand,
                _ => return None,
            };
        };
        let is_it = |access: &&crate::access::Access| {
            access.kind == AccessKind::Read && access.within == self.current && access.origin == place.origin
        };
        // Its subscripts were read before it, and what was added to it behind it.
        let read = self.accesses.iter().rev().take(32).find(is_it)?;
        // One of several is none.
        if read.choice.is_some() {
            return None;
        }
        let (root, address) = (read.root?, read.address.clone()?);
        self.scanning += 1; // evaluated once already: not recorded again
        let value = self.value(load, state);
        self.scanning -= 1;
        Some(Rc::new(Pointer {
            root,
            address,
            value,
            at: place.origin,
        }))
    }

    /// A variable that is known by its name is given the value of an expression, or something else.
    pub(super) fn note_source(&mut self, variable: VariableRef, code: Option<&Code>, state: &mut State) {
        if !self.with_directives || !self.recording() {
            return;
        }
        if self.unit.types.pointee(self.type_of(variable)).is_some() {
            let source = code.and_then(|code| self.pointer_in(code, state));
            self.sources.entry(variable).or_default().push(source);
        }
    }
}
