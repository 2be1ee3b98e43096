//! What does a call do, if the body of the function is walked where it stands?
//!
//! The parameters hold the values of the arguments, the function's variables are new ones, and each `return` is a way to
//! the end of the call. A `return` inside a loop leaves the loop in an iteration that is not known: what is known behind
//! such a call is what was known before it and not written by it.

use super::copied::Member;
use super::{Kills, Walker};
use crate::expansion::{Body, takes};
use crate::state::State;
use crate::symbols::SymbolKind;
use ferry_ir::{
    Callee, Expr as Code, FunctionRef, Local, LocalId, Qualifiers, Stmt, StmtId, Type, VariableKind,
    VariableRef,
};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::rc::Rc;

/// A call that is being walked into.
pub(crate) struct Inside {
    /// The statement in the text of the function that is analysed.
    pub call: StmtId,
    /// The function that is called.
    pub function: FunctionRef,
    /// What is added to the numbers of its variables.
    pub base: u32,
    /// Number of loops around the call.
    depth: usize,
    /// What is known where it returns, and exactly when it does, as far as that can be said.
    returned: Vec<(State, Option<Condition>)>,
    /// Number of conditions on the path to the call.
    guards: usize,
    /// The variable for the value that it returns.
    result: VariableRef,
}

/// What is known behind a call.
pub(crate) struct Returned {
    pub state: State,
    /// The value, if it is an integer or a pointer that is known.
    pub value: Option<Expr>,
    /// What is known of its members, if it is a structure.
    pub members: Vec<Member>,
}

impl Walker<'_> {
    /// The function that a call walks into, if it does.
    pub fn walks_into(&self, stmt: &Stmt, callee: &Callee, arguments: &[Code]) -> Option<FunctionRef> {
        let Callee::Function(id) = callee else { return None };
        // Inside a body that was chosen, everything is walked that can be: its size was counted.
        let chosen = !self.inside.is_empty() || self.chosen.contains(&stmt.id);
        let expansions = self.effects.expansions();
        let possible =
            expansions.is_possible(*id) && takes(self.unit, expansions.function(self.unit, *id), arguments);
        // A function that is open is not entered again, whatever the choice said.
        let open = self.inside.iter().any(|inside| inside.function == *id);
        (chosen && possible && !open).then_some(*id)
    }

    /// Walks the body of a called function; `None` if it never returns.
    pub fn expand(
        &mut self,
        stmt: &Stmt,
        function: FunctionRef,
        codes: &[Code],
        arguments: &[(Option<Expr>, Vec<Member>)],
        state: State,
    ) -> Option<Returned> {
        let called = self.effects.expansions().function(self.unit, function);
        let Some(body) = self.copy_for(stmt, function) else {
            // Cannot be: what is not copied is not chosen. Nothing is known then.
            let mut state = state;
            let all = Kills {
                anything: true,
                ..Kills::default()
            };
            self.kill(&all, &mut state);
            return Some(Returned {
                state,
                value: None,
                members: Vec::new(),
            });
        };
        let mut start = state.clone();
        for (number, (value, members)) in (0..called.parameters).zip(arguments) {
            let variable = VariableRef::Local(LocalId(body.base + number));
            if let (true, Some(value)) = (self.tracked(variable), value) {
                start.set(variable, value.clone());
            }
            self.give_structure(variable, members, &mut start);
        }
        for (number, code) in (0..called.parameters).zip(codes) {
            self.note_source(
                VariableRef::Local(LocalId(body.base + number)),
                Some(code),
                &mut start,
            );
        }
        let result = VariableRef::Local(LocalId(body.base + called.locals.len() as u32));
        self.give_structure(result, &[], &mut start);
        let (depth, jumps, current) = (self.conditional_depth, self.jumps, self.current);
        let guards = self.guards.len();
        if body.returns_in_loops {
            self.conditional_depth = depth.max(self.frames.len());
        }
        self.inside.push(Inside {
            call: self.inside.first().map_or(stmt.id, |outermost| outermost.call),
            function,
            base: body.base,
            depth: self.frames.len(),
            returned: Vec::new(),
            guards,
            result,
        });
        let returned = if body.returns_in_loops {
            let ((), written) = self.scan(|walker| {
                walker.statement(&body.stmt, start.clone());
            });
            if self.recording() {
                self.statement(&body.stmt, start);
            }
            self.inside.pop();
            let mut state = state;
            self.kill(&written, &mut state);
            Some(state)
        } else {
            let end = self.statement(&body.stmt, start);
            let inside = self.inside.pop();
            let mut ends = inside.map(|inside| inside.returned).unwrap_or_default();
            ends.extend(end.map(|end| (end, None)));
            let chosen = choice(&ends, result);
            let ends = ends.into_iter().map(|(end, _)| end).collect();
            let joined = self.join_all(&state, ends, stmt.origin);
            if let (Some(joined), Some(chosen)) = (&joined, chosen)
                && let Some(symbol) = joined.get(result).and_then(Expr::as_symbol)
                && self.is_made_now(symbol)
            {
                self.definitions.insert(symbol, chosen);
            }
            joined
        };
        (self.conditional_depth, self.jumps, self.current) = (depth, jumps, current);
        // Returning early from the function leaves out nothing behind the call.
        self.guards.truncate(guards);
        let mut state = returned?;
        let value = state.get(result).cloned();
        let members = self.known_members(result, &state);
        let own = body.base..=body.base + called.locals.len() as u32;
        let is_own =
            |variable: &VariableRef| matches!(variable, VariableRef::Local(id) if own.contains(&id.0));
        if state.variables.keys().any(is_own) {
            Rc::make_mut(&mut state.variables).retain(|variable, _| !is_own(variable));
        }
        Some(Returned {
            state,
            value,
            members,
        })
    }

    /// The copy of a function's body for one call; the same each time that the call is walked.
    fn copy_for(&mut self, stmt: &Stmt, function: FunctionRef) -> Option<Rc<Body>> {
        if let Some(known) = self.bodies.get(&stmt.id) {
            return Some(known.clone());
        }
        let called = self.effects.expansions().function(self.unit, function);
        let base = self.locals.len() as u32;
        let (body, free) = Body::of(called, base, self.free_statement)?;
        self.free_statement = free;
        self.locals.extend(called.locals.iter().cloned());
        let ty = match self.unit.types.get(called.ty) {
            Type::Function { result, .. } => *result,
            _ => called.ty,
        };
        self.locals.push(Local {
            name: called.name.clone(),
            ty,
            kind: VariableKind::Temporary,
            qualifiers: Qualifiers::default(),
            address_taken: false,
            origin: called.origin,
        });
        let body = Rc::new(body);
        self.bodies.insert(stmt.id, body.clone());
        Some(body)
    }

    /// A `return`: the end of the call that is being walked, if there is one.
    pub fn note_return(&mut self, value: Option<Expr>, members: &[Member], mut state: State) {
        let loops = self.frames.len();
        let Some(result) = self.inside.last().map(|inside| inside.result) else {
            return;
        };
        self.give_structure(result, members, &mut state);
        let Some(inside) = self.inside.last_mut() else {
            return;
        };
        // Behind a loop that it leaves, the values of an iteration mean nothing.
        if inside.depth != loops {
            return;
        }
        match value {
            Some(value) => state.set(inside.result, value),
            None => state.forget(inside.result),
        }
        let path = self.guards.get(inside.guards..).unwrap_or_default();
        let when = path
            .iter()
            .try_fold(Condition::always(), |when, guard| Some(when.and(guard.known()?)));
        inside.returned.push((state, when));
    }

    /// True for a symbol that stands for values that were joined.
    fn is_made_now(&self, symbol: Symbol) -> bool {
        symbol.0 as usize + 1 == self.symbols.len()
    }

    /// The statement of the analysed function to which something belongs: itself, or the call that is walked into.
    pub fn statement_in_text(&self, own: StmtId) -> StmtId {
        self.inside.first().map_or(own, |inside| inside.call)
    }

    /// True where the values of variables are kept for those who print bounds.
    pub fn keeps_states(&self) -> bool {
        self.recording() && self.inside.is_empty()
    }

    /// True for the variables of a called function.
    pub fn is_callee_variable(&self, root: Option<Symbol>) -> bool {
        root.is_some_and(|root| matches!(self.symbols.info(root).kind, SymbolKind::CalleeVariable { .. }))
    }
}

/// The value of a variable where several paths meet, by the conditions of all paths but the last.
fn choice(ends: &[(State, Option<Condition>)], variable: VariableRef) -> Option<Expr> {
    let ((last, _), others) = ends.split_last()?;
    let mut chosen = last.get(variable)?.clone();
    for (state, when) in others.iter().rev() {
        chosen = Expr::select(when.as_ref()?, state.get(variable)?, &chosen);
    }
    (!others.is_empty() && !chosen.is_oversize()).then_some(chosen)
}
