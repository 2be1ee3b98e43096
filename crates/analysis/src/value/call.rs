//! What does a call change?

use super::copied::Member;
use super::{DirectCall, End, Kills, StatementEffect, Walker};
use crate::access::AccessKind;
use crate::effects::{Effect, Hidden, Touch, runtime};
use crate::expansion::takes;
use crate::loops::CallSite;
use crate::state::State;
use crate::symbols::{Cause, SymbolInfo, SymbolKind};
use ferry_ir::{Callee, Expr as Code, FunctionRef, Place, Stmt};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Facts, Symbol};

/// A call of a function of the run time that does what a directive does ([`crate::effects::runtime`]).
#[derive(Clone)]
pub struct AtCall {
    /// What is passed.
    pub arguments: Vec<Argument>,
    /// What is known there.
    pub facts: Facts,
}

/// An argument of a call.
#[derive(Clone)]
pub struct Argument {
    /// Its value, if it is known.
    pub value: Option<Expr>,
    /// The storage that it points into.
    pub root: Option<Symbol>,
    /// Where it is written.
    pub at: Origin,
}

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
        let given: Vec<(Option<Expr>, Vec<Member>)> = arguments
            .iter()
            .map(|argument| self.value_or_members(argument, &mut state))
            .collect();
        let values: Vec<Option<Expr>> = given.iter().map(|(value, _)| value.clone()).collect();
        let (name, effect, user, never_returns) = match callee {
            Callee::Function(id) => {
                let function = self.unit.function(*id);
                let effect = self.effects.of_call(self.unit, *id, arguments);
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
            self.note_arguments(stmt, *id, &values);
        }
        if let Some(function) = self.walks_into(stmt, callee, arguments) {
            self.note_expanded(stmt, name, function, &effect);
            let returned = self.expand(stmt, function, arguments, &given, state)?;
            let mut state = returned.state;
            self.assign_result(stmt, result, returned.value, &returned.members, &mut state);
            return (!never_returns).then_some(state);
        }
        // What is known where nothing ever comes to contradicts itself: the call stands in nobody's way, but in the text of a kernel.
        let happens = !self.recording() || !state.facts.infeasible();
        if effect.may_not_return && self.recording() && happens {
            self.ends_found.push(End {
                stmt: self.statement_in_text(stmt.id),
                loops: self.open_loops(),
                followed: never_returns,
                at: stmt.origin,
            });
        }
        if let Some(name) = name.as_deref().filter(|_| !user) {
            self.note_run_time(stmt, name, arguments, &values, &state);
        }
        let effects = self.effects;
        let known = match callee {
            Callee::Function(id) if takes(self.unit, self.unit.function(*id), arguments) => {
                effects.summary(self.unit, *id).map(|summary| (*id, summary))
            }
            _ => None,
        };
        let placed = known
            .as_ref()
            .and_then(|(id, summary)| Some((*id, summary, self.placed(summary, &values)?)));
        let bytes = match callee {
            Callee::Function(id) if !user && !effect.bytes.is_empty() => self
                .placed_bytes(&effect.bytes, arguments, &values, &mut state)
                .map(|bytes| (*id, bytes)),
            _ => None,
        };
        // What is known by its bytes is not touched as a whole.
        let rest = match (&placed, &bytes) {
            (Some((_, summary, _)), _) => Effect {
                reads: summary.reads.clone(),
                writes: summary.writes.clone(),
                ..effect.clone()
            },
            (None, Some(_)) => Effect {
                reads: effect.beside_bytes.0.clone(),
                writes: effect.beside_bytes.1.clone(),
                ..effect.clone()
            },
            (None, None) => effect.clone(),
        };
        let asked_for = name.as_deref().and_then(|name| bytes_asked_for(name, &values));
        self.note_call(stmt, name, &rest, user, happens);
        self.rests.extend(effect.rests.iter().cloned());
        let changed = match (&placed, &bytes) {
            (Some((_, summary, _)), _) => self.reached(&summary.written(), &values),
            (None, Some(_)) => self.reached(&rest.writes, &values),
            (None, None) => self.reached(&effect.writes, &values),
        };
        let reads = self.reached(&rest.reads, &values);
        let writes = self.reached(&rest.writes, &values);
        self.order += 1;
        let touches = !rest.reads.is_empty() || !rest.writes.is_empty();
        // What it may release has to be seen, too.
        let touches = touches || placed.is_some() && effect.external.is_some();
        let mut kills = Kills::default();
        if let Some((function, bytes)) = &bytes {
            let mut origins = vec![stmt.origin];
            origins.extend(self.effects.origins_called_back(self.unit, *function, arguments));
            self.touch_bytes(stmt, *function, bytes, &origins, &state);
            kills = self.killed_bytes(bytes);
        }
        if let Some((function, _, placed)) = placed {
            self.touch_sections(stmt, function, placed, &state);
        }
        if self.recording() && touches && happens {
            self.effects_found.push(StatementEffect {
                stmt: self.statement_in_text(stmt.id),
                within: stmt.id,
                loops: self.open_loops(),
                reads,
                writes,
                may_release: effect.releases || effect.external.is_some(),
                releases: effect.ends_storage(),
                cause: Cause::new(effect.external.clone().unwrap_or_default(), stmt.origin),
                order: self.order,
            });
        }
        kills.anything |= changed.is_none();
        kills.roots.extend(changed.into_iter().flatten());
        self.kill(&kills, &mut state);
        let returned = effect.returns.and_then(|number| values.get(number)?.clone());
        let fresh = result.filter(|_| effect.allocates).map(|place| {
            let symbol = self.fresh(SymbolKind::Allocated(stmt.id), Some(place.ty), stmt.origin);
            if let Some(bytes) = asked_for {
                self.extents.insert(symbol, bytes);
            }
            Expr::symbol(symbol)
        });
        self.assign_result(stmt, result, fresh.or(returned), &[], &mut state);
        self.ask_for_threads(callee, &values, &mut state);
        (!never_returns).then_some(state)
    }

    fn note_run_time(
        &mut self,
        stmt: &Stmt,
        name: &str,
        arguments: &[Code],
        values: &[Option<Expr>],
        state: &State,
    ) {
        if !self.with_directives || !self.recording() || runtime::verb(name).is_none() {
            return;
        }
        let argument = |(code, value): (&Code, &Option<Expr>)| Argument {
            value: value.clone(),
            root: value.as_ref().and_then(|value| self.root(value)),
            at: code.origin,
        };
        let found = AtCall {
            arguments: arguments.iter().zip(values).map(argument).collect(),
            facts: state.facts.clone(),
        };
        self.run_time.insert(stmt.id, found);
    }

    /// The value of a call goes where the statement says; one that is not known is a symbol of its own.
    fn assign_result(
        &mut self,
        stmt: &Stmt,
        result: Option<&Place>,
        known: Option<Expr>,
        members: &[Member],
        state: &mut State,
    ) {
        let Some(place) = result else { return };
        self.note_variable(AccessKind::Write, place, state);
        if let Some(variable) = place.as_variable() {
            self.note_source(variable, None, state);
        }
        let value = self.followed(place.ty).then(|| match known {
            Some(value) => value,
            None => {
                let symbol = self.fresh(SymbolKind::Result(stmt.id), Some(place.ty), stmt.origin);
                self.assume_type_range(state, symbol, place.ty);
                self.assume_bound(state, symbol);
                Expr::symbol(symbol)
            }
        });
        match place.as_variable() {
            Some(variable) if self.tracked(variable) => match value {
                Some(value) => state.set(variable, value),
                None => state.forget(variable),
            },
            _ => self.write_members(place, value, members, state),
        }
    }

    /// Keeps what the pointer arguments point to, for what is known of a static function's parameters.
    fn note_arguments(&mut self, stmt: &Stmt, callee: FunctionRef, values: &[Option<Expr>]) {
        // What a function that is walked into passes on is seen when it is analysed itself.
        if self.keeps_states() {
            let roots = values
                .iter()
                .map(|value| value.as_ref().and_then(|value| self.root(value)))
                .collect();
            self.calls_found.push(DirectCall {
                stmt: stmt.id,
                callee,
                roots,
            });
        }
    }

    /// A call that is walked into is no obstacle itself: what its function does is seen. If another file defines that, all that is said rests on it, and a device would
    /// not have the function.
    fn note_expanded(&mut self, stmt: &Stmt, name: Option<String>, function: FunctionRef, effect: &Effect) {
        let mut on_host = None;
        if self.effects.expansions().is_brought(function) {
            self.rests.extend(effect.rests.iter().cloned());
            on_host = why_on_host(name.as_deref().unwrap_or_default(), effect);
        }
        let site = CallSite {
            stmt: self.statement_in_text(stmt.id),
            name,
            obstacle: None,
            only_memory: false,
            on_host: on_host.map(|why| Cause::new(why, stmt.origin)),
            user: true,
            at: stmt.origin,
        };
        self.note_site(site);
    }

    fn note_site(&mut self, site: CallSite) {
        if self.recording() {
            for index in self.open_loops() {
                self.loops[index.0 as usize].calls.push(site.clone());
            }
        }
    }

    fn note_call(&mut self, stmt: &Stmt, name: Option<String>, effect: &Effect, user: bool, happens: bool) {
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
        } else {
            None
        };
        let host = why_on_host(&shown, effect);
        let (why, host) = match (why, happens) {
            (Some(_), false) => {
                let host = format!("{shown} is never called here, but a device would have to have it");
                (None, Some(host))
            }
            (why, _) => (why, host),
        };
        let site = CallSite {
            stmt: self.statement_in_text(stmt.id),
            name,
            obstacle: why.map(|why| Cause::new(why, stmt.origin)),
            only_memory: effect.external.is_none() && !effect.may_not_return,
            on_host: host.map(|why| Cause::new(why, stmt.origin)),
            user,
            at: stmt.origin,
        };
        self.note_site(site);
    }

    /// The roots that a call touches; `None` is any.
    pub(super) fn reached(&mut self, touch: &Touch, values: &[Option<Expr>]) -> Option<Vec<Symbol>> {
        if touch.anything {
            return None;
        }
        let mut roots = Vec::new();
        for global in &touch.globals {
            roots.push(self.address_of(ferry_ir::VariableRef::Global(*global)));
        }
        for hidden in &touch.hidden {
            roots.push(self.elsewhere(hidden));
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

    /// The symbol of the address of a variable of another file.
    fn elsewhere(&mut self, hidden: &Hidden) -> Symbol {
        if let Some(known) = self.hidden.get(hidden) {
            return *known;
        }
        let symbol = self.symbols.make(SymbolInfo {
            kind: SymbolKind::Elsewhere(hidden.clone()),
            ty: None,
            loops: Vec::new(),
            at: ferry_source::Origin::New,
            order: self.order,
        });
        self.hidden.insert(hidden.clone(), symbol);
        symbol
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
                stmt: self.statement_in_text(stmt.id),
                within: stmt.id,
                loops: self.open_loops(),
                reads: None,
                writes: None,
                may_release: true,
                releases: false,
                cause,
                order: self.order,
            });
        }
    }
}

/// Why a device cannot call a function with an effect; `None` if it can.
fn why_on_host(name: &str, effect: &Effect) -> Option<String> {
    match &effect.elsewhere {
        _ if effect.on_device => None,
        Some(other) => Some(format!(
            "{other} would have to be declared for the device in its own file, too"
        )),
        None => Some(format!("{name} is not available on a device")),
    }
}

/// How many bytes a call of a library function allocates.
fn bytes_asked_for(name: &str, arguments: &[Option<Expr>]) -> Option<Expr> {
    match (name, arguments) {
        ("malloc" | "acc_malloc", [Some(bytes)])
        | ("omp_target_alloc", [Some(bytes), _])
        | ("aligned_alloc" | "memalign" | "realloc", [_, Some(bytes)])
        | ("valloc", [Some(bytes)]) => Some(bytes.clone()),
        ("calloc", [Some(number), Some(size)]) | ("reallocarray", [_, Some(number), Some(size)]) => {
            Some(number * size)
        }
        _ => None,
    }
}
