//! How is a function called? Arguments are computed in order into registers, then the call site says where they are.

use super::expressions::is_plain;
use super::*;
use crate::{Callee, Expr, ExprKind, Place};

impl Compiler<'_> {
    pub(super) fn call(&mut self, result: Option<&Place>, callee: &Callee, arguments: &[Expr]) {
        if self.try_call(result, callee, arguments).is_none() {
            self.trap("a call that the interpreter does not know");
        }
    }

    fn try_call(&mut self, result: Option<&Place>, callee: &Callee, arguments: &[Expr]) -> Option<()> {
        let (target, function_type) = match callee {
            Callee::Function(function) => {
                let number = *self
                    .linked
                    .functions
                    .get(self.unit_number as usize)?
                    .get(function.0 as usize)?;
                (
                    Target::Function(number),
                    self.unit.functions.get(function.0 as usize)?.ty,
                )
            }
            Callee::Pointer(pointer) => {
                let register = self.expr(pointer);
                (
                    Target::Pointer(register),
                    self.unit.types.pointee(pointer.ty).unwrap_or(pointer.ty),
                )
            }
        };
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match self.scalar(argument.ty) {
                Some(kind) => Argument::Scalar {
                    register: self.expr(argument),
                    kind,
                },
                None => {
                    let size = self.unit.types.size(argument.ty)?;
                    let address = self.record(argument)?;
                    self.set_site(match &argument.kind {
                        ExprKind::Load(place) => place.origin,
                        _ => argument.origin,
                    });
                    Argument::Record {
                        address,
                        size,
                        site: self.site,
                    }
                }
            });
        }
        let returned = match self.unit.types.get(function_type) {
            Type::Function { result, .. } => Some(*result),
            _ => result.map(|place| place.ty),
        };
        let kind = returned.and_then(|ty| self.scalar(ty));
        let mut site = CallSite {
            target,
            arguments: values,
            result: None,
        };
        // Where the result is a variable in a register, it goes there at once.
        let home = result
            .and_then(|place| place.as_variable())
            .and_then(|variable| self.register_home(variable));
        let mut stored = result.is_none();
        let mut register = 0;
        if let Some(kind) = kind {
            register = match home {
                Some((register, home)) if home == kind => {
                    stored = true;
                    register
                }
                _ => self.temporary(kind.registers()),
            };
            site.result = Some((register, kind));
        }
        self.set_site(self.origin);
        self.code.calls.push(site);
        let number = (self.code.calls.len() - 1) as u32;
        self.emit(Op::Call { site: number });
        if stored {
            return Some(());
        }
        let place = result?;
        match (kind, self.scalar(place.ty)) {
            (Some(from), Some(to)) => {
                if !is_plain(from, to) {
                    let d = self.temporary(to.registers());
                    self.convert(from, to, d, register);
                    register = d;
                }
                self.store_place(place, register)
            }
            (None, None) => {
                let size = self.size(place.ty)?;
                let a = self.place_address(place, None)?;
                let size = self.size_register(size);
                self.set_site(place.origin);
                self.emit(Op::TakeRecord { a, size });
                Some(())
            }
            _ => None,
        }
    }
}
