//! What does a call change?

use super::{Kills, StatementEffect, Walker};
use crate::effects::{Effect, Touch};
use crate::loops::CallSite;
use crate::state::State;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::{Callee, Expr as Code, Place, Stmt};
use ferry_symbolic::{Expr, Symbol};

impl Walker<'_> {
    /// Walks a call; `None` if it never returns.
    pub fn call(
        &mut self,
        stmt: &Stmt,
        result: Option<&Place>,
        callee: &Callee,
        arguments: &[Code],
        mut state: State,
    ) -> Option<State> {
        let values: Vec<Option<Expr>> = arguments
            .iter()
            .map(|argument| self.value(argument, &mut state))
            .collect();
        let (name, effect, user, never_returns) = match callee {
            Callee::Function(id) => {
                let function = self.unit.function(*id);
                let effect = self.effects.get(*id).clone();
                (
                    Some(function.name.clone()),
                    effect,
                    function.body.is_some(),
                    function.noreturn,
                )
            }
            Callee::Pointer(pointer) => {
                self.value(pointer, &mut state);
                (
                    None,
                    Effect::unknown("a function that is called through a pointer"),
                    true,
                    false,
                )
            }
        };
        if let Callee::Function(id) = callee {
            self.note_arguments(*id, &values);
        }
        self.note_call(stmt, name, &effect, user);
        let reads = self.reached(&effect.reads, &values);
        let writes = self.reached(&effect.writes, &values);
        self.order += 1;
        let touches = !effect.reads.is_empty() || !effect.writes.is_empty();
        if self.recording() && touches {
            self.effects_found.push(StatementEffect {
                stmt: stmt.id,
                loops: self.open_loops(),
                reads,
                writes: writes.clone(),
                cause: Cause::new(effect.external.clone().unwrap_or_default(), stmt.origin),
                order: self.order,
            });
        }
        let kills = Kills {
            anything: writes.is_none(),
            roots: writes.into_iter().flatten().collect(),
            ..Kills::default()
        };
        self.kill(&kills, &mut state);
        if let Some(place) = result {
            let value = self.followed(place.ty).then(|| {
                let kind = match effect.allocates {
                    true => SymbolKind::Allocated(stmt.id),
                    false => SymbolKind::Result(stmt.id),
                };
                let symbol = self.fresh(kind, Some(place.ty), stmt.origin);
                self.assume_type_range(&mut state, symbol, place.ty);
                Expr::symbol(symbol)
            });
            match place.as_variable() {
                Some(variable) if self.tracked(variable) => match value {
                    Some(value) => state.set(variable, value),
                    None => state.forget(variable),
                },
                _ => self.write(place, value, &mut state),
            }
        }
        (!never_returns).then_some(state)
    }

    /// Keeps what the pointer arguments point to, for the aliasing of a static function's parameters.
    fn note_arguments(&mut self, callee: ferry_ir::FunctionRef, values: &[Option<Expr>]) {
        if self.recording() {
            let roots = values
                .iter()
                .map(|value| value.as_ref().and_then(|value| self.root(value)))
                .collect();
            self.calls_found.push((callee, roots));
        }
    }

    fn note_call(&mut self, stmt: &Stmt, name: Option<String>, effect: &Effect, user: bool) {
        if !self.recording() {
            return;
        }
        let shown = name
            .clone()
            .unwrap_or_else(|| "a function that is called through a pointer".to_owned());
        let why = if let Some(external) = &effect.external {
            Some(external.clone())
        } else if !effect.writes.is_empty() {
            Some(format!("{shown} writes memory"))
        } else if !effect.reads.is_empty() {
            Some(format!("{shown} reads memory"))
        } else if effect.may_not_return {
            Some(format!("{shown} may not return"))
        } else if !effect.on_device {
            Some(format!("{shown} is not available on a device"))
        } else {
            None
        };
        let site = CallSite {
            stmt: stmt.id,
            name,
            obstacle: why.map(|why| Cause::new(why, stmt.origin)),
            only_memory: effect.external.is_none() && !effect.may_not_return && effect.on_device,
            user,
            at: stmt.origin,
        };
        for index in self.open_loops() {
            self.loops[index.0 as usize].calls.push(site.clone());
        }
    }

    /// The roots that a call touches; `None` is any.
    fn reached(&mut self, touch: &Touch, values: &[Option<Expr>]) -> Option<Vec<Symbol>> {
        if touch.anything {
            return None;
        }
        let mut roots = Vec::new();
        for global in &touch.globals {
            roots.push(self.address_of(ferry_ir::VariableRef::Global(*global)));
        }
        for (number, value) in values.iter().enumerate() {
            if !(touch.all_arguments || touch.arguments.contains(&number)) {
                continue;
            }
            // An argument that is not followed is no pointer (a floating-point number).
            let Some(value) = value else { continue };
            match self.root(value) {
                Some(root) => roots.push(root),
                None if value.as_constant().is_some() => {}
                None if touch.all_arguments && !self.mentions_pointer(value) => {}
                None => return None,
            }
        }
        Some(roots)
    }

    fn mentions_pointer(&self, value: &Expr) -> bool {
        value.symbols().iter().any(|symbol| {
            let symbol = Expr::symbol(*symbol);
            self.root(&symbol).is_some()
        })
    }

    /// An opaque statement.
    pub fn touches_anything(&mut self, stmt: &Stmt, cause: Cause) {
        self.order += 1;
        if self.recording() {
            self.effects_found.push(StatementEffect {
                stmt: stmt.id,
                loops: self.open_loops(),
                reads: None,
                writes: None,
                cause,
                order: self.order,
            });
        }
    }
}
