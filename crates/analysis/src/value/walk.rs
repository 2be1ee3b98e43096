//! How does each statement change what is known?

use super::copied::Member;
use super::{Kills, Outcomes, Walker};
use crate::access::{AccessKind, Guard};
use crate::state::{Said, State};
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::{Expr as Code, LocalId, Place, Stmt, StmtKind, Type, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Walker<'_> {
    /// Walks one statement; `None` if control does not go on behind it.
    pub fn statement(&mut self, stmt: &Stmt, mut state: State) -> Option<State> {
        self.current = stmt.id;
        self.assume_before(stmt.id, &mut state);
        if self.inside.is_empty() {
            self.guards_outside = self.guards.len();
        }
        if self.recording() {
            self.first_symbols.insert(stmt.id, self.symbols.len() as u32);
        }
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let (known, members) = self.value_or_members(value, &mut state);
                if let Some(variable) = place.as_variable() {
                    self.note_source(variable, Some(value), &mut state);
                }
                self.assign(place, known, &members, &mut state, stmt.origin);
                Some(state)
            }
            StmtKind::Zero { place } => {
                self.write(place, Some(Expr::zero()), &mut state);
                Some(state)
            }
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => self.call(stmt, result.as_ref(), callee, arguments, state),
            StmtKind::Declare { local } => {
                let variable = VariableRef::Local(*local);
                state.forget(variable);
                self.note_extent(variable, &mut state);
                Some(state)
            }
            StmtKind::Block { body, .. } => self.statements(body, state),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise.as_deref(), state),
            StmtKind::Loop(inner) => self.loop_statement(stmt, inner, state),
            StmtKind::Switch { value, body } => self.switch(value, body, state),
            StmtKind::Empty => Some(state),
            StmtKind::Break => {
                self.jumps += 1;
                if let Some(breaks) = self.breaks.last_mut() {
                    breaks.push(state);
                }
                None
            }
            StmtKind::Continue => {
                self.jumps += 1;
                if let Some(frame) = self.frames.last_mut() {
                    frame.continues.push(state);
                }
                None
            }
            StmtKind::Return(value) => {
                self.jumps += 1;
                let (value, members) = match value {
                    Some(value) => self.value_or_members(value, &mut state),
                    None => (None, Vec::new()),
                };
                self.note_return(value, &members, state);
                None
            }
            // What runs behind a label is walked when the label is reached, with nothing known.
            StmtKind::Goto(_) => {
                self.jumps += 1;
                None
            }
            // A case that is not in the outermost block of its switch is entered from the head, too.
            StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default => {
                Some(self.forget_everything(&state, stmt.origin))
            }
            StmtKind::Directive { directive, body } => {
                self.directive(stmt, directive, body.as_deref(), state)
            }
            StmtKind::Opaque {
                why,
                mentions,
                escapes,
                ..
            } => {
                self.opaque(stmt, why, mentions, *escapes, &mut state);
                Some(state)
            }
        }
    }

    /// Walks statements in order. Behind a jump only a label or case brings control back, with nothing known.
    pub fn statements(&mut self, body: &[Stmt], state: State) -> Option<State> {
        let fallback = state.clone();
        let mut current = Some(state);
        for stmt in body {
            if contains_loop(stmt)
                && self.keeps_states()
                && let Some(state) = &current
            {
                self.states.insert(stmt.id, state.clone());
            }
            current = match current {
                Some(state) => self.statement(stmt, state),
                None if has_entry(stmt) => {
                    let state = self.forget_everything(&fallback, stmt.origin);
                    self.statement(stmt, state)
                }
                None => None,
            };
        }
        current
    }

    fn assign(
        &mut self,
        place: &Place,
        value: Option<Expr>,
        members: &[Member],
        state: &mut State,
        at: Origin,
    ) {
        self.note_variable(AccessKind::Write, place, state);
        match place.as_variable() {
            Some(variable) if self.tracked(variable) => match value {
                Some(value) if self.followed(place.ty) => state.set(variable, value),
                _ if self.followed(place.ty) => {
                    let unknown = self.unknown(state, place.ty, "its value is not followed", at);
                    state.set(variable, unknown);
                }
                _ => {}
            },
            _ => self.write_members(place, value, members, state),
        }
    }

    fn branch(
        &mut self,
        condition: &Code,
        then: &Stmt,
        otherwise: Option<&Stmt>,
        mut state: State,
    ) -> Option<State> {
        let guard = self.condition(condition, &mut state);
        // What a function is given decides which of its branches there are (Juravle §8.7, context sensitivity).
        if !self.inside.is_empty()
            && let Some(certain) = guard.decided(&state)
        {
            if self.recording() {
                let decided = Outcomes::known(Condition::constant(certain));
                self.conditions_found.insert(self.current, decided);
            }
            return match (certain, otherwise) {
                (true, _) => self.statement(then, state),
                (false, Some(otherwise)) => self.statement(otherwise, state),
                (false, None) => Some(state),
            };
        }
        let (mut yes, mut no) = (state.clone(), state.clone());
        guard.assume_in(&mut yes, true);
        guard.assume_in(&mut no, false);
        if self.recording() {
            self.conditions_found.insert(self.current, guard.clone());
        }
        let jumps = self.jumps;
        let before = self.conditional_depth;
        let (guards, loops) = (self.guards.len(), self.frames.len());
        self.conditional_depth = loops;
        self.open_guard(guard.guard(true, loops));
        let yes = self.statement(then, yes);
        let deep_yes = self.guards.len() > guards + 1;
        self.guards.truncate(guards);
        self.open_guard(guard.guard(false, loops));
        let no = match otherwise {
            Some(otherwise) => self.statement(otherwise, no),
            None => Some(no),
        };
        let deep_no = self.guards.len() > guards + 1;
        self.guards.truncate(guards);
        // What follows runs where a path did not jump away. Jumps deeper inside a path leave conditions of their own
        // behind, which only that path knows.
        match (&yes, &no) {
            (None, Some(_)) => self.open_guard(guard.guard(false, loops)),
            (Some(_), None) => self.open_guard(guard.guard(true, loops)),
            _ => {}
        }
        if deep_yes || deep_no {
            self.open_guard(Guard::unknown(loops));
        }
        // Where one path jumped away, however deep inside, what follows runs only under the other's condition.
        self.conditional_depth = match self.jumps == jumps {
            true => before,
            false => before.max(self.frames.len()),
        };
        match (yes, no) {
            (Some(yes), Some(no)) => {
                // Only where no path jumped away from inside does the condition say which one was taken.
                self.meeting = guard.exact().filter(|_| !deep_yes && !deep_no);
                Some(self.join(&state, yes, no, condition.origin))
            }
            (one, two) => {
                self.conditional_depth = self.conditional_depth.max(self.frames.len());
                one.or(two)
            }
        }
    }

    /// Two paths meet. What they agree on stays; `before` is a state that both come from.
    pub fn join(&mut self, before: &State, a: State, b: State, at: Origin) -> State {
        let mut joined = State {
            facts: before.facts.clone(),
            threads: a.threads.join(b.threads),
            ..State::default()
        };
        // Variables that differ by constants are joined by one symbol for all of them, 1 on the first path and 0 on the
        // second: what the paths do to them together stays known.
        let condition = self.meeting.take();
        let mut first_path: Option<Expr> = None;
        for (variable, value) in a.variables.iter() {
            let Some(other) = b.variables.get(variable) else {
                continue;
            };
            let value = if value == other {
                value.clone()
            } else if let Some(distance) = (value - other).as_constant() {
                let which = first_path.get_or_insert_with(|| self.which_path(&mut joined, at));
                if let (Some(condition), Some(which)) = (&condition, which.as_symbol()) {
                    let chosen = Expr::select(condition, &Expr::one(), &Expr::zero());
                    self.definitions.insert(which, chosen);
                }
                let value = other + &which.scale(&distance);
                if self.is_unsigned(*variable) {
                    joined.facts.assume_nonnegative(value.clone());
                }
                value
            } else {
                let ty = self.type_of(*variable);
                self.one_of(condition.as_ref(), [value, other], ty, &mut joined, at)
            };
            joined.set(*variable, value);
        }
        if !a.tables.is_empty() && !b.tables.is_empty() {
            let both = a.tables.iter().filter(|table| b.tables.contains(table));
            joined.tables = Rc::new(both.cloned().collect());
        }
        if !a.extents.is_empty() && !b.extents.is_empty() {
            let both = a.extents.iter().filter_map(|(root, said)| {
                let other = b.extents.get(root).filter(|other| other.bytes == said.bytes)?;
                let since = said.since.min(other.since);
                let bytes = said.bytes.clone();
                Some((*root, Said { bytes, since }))
            });
            joined.extents = Rc::new(both.collect());
        }
        if !a.promised.is_empty() && !b.promised.is_empty() {
            joined.promised = Rc::new(a.promised.intersection(&b.promised).copied().collect());
        }
        if !a.cells.is_empty() && !b.cells.is_empty() {
            let cells: Vec<_> = a
                .cells
                .iter()
                .filter(|(cell, value)| b.cells.get(*cell) == Some(*value))
                .map(|(cell, value)| (cell.clone(), value.clone()))
                .collect();
            joined.cells = Rc::new(cells.into_iter().collect());
        }
        joined
    }

    /// 1 on one path, 0 on the other.
    fn which_path(&mut self, state: &mut State, at: Origin) -> Expr {
        let cause = Cause::new("it depends on a condition", at);
        let which = self.fresh(SymbolKind::Unknown(cause), None, at);
        self.paths.insert(which);
        let which = Expr::symbol(which);
        state.facts.assume_nonnegative(which.clone());
        state.facts.assume_nonnegative(&Expr::one() - &which);
        which
    }

    /// True for variables whose values are never negative.
    pub fn is_unsigned(&self, variable: VariableRef) -> bool {
        let ty = self.type_of(variable);
        matches!(
            self.unit.types.get(ty),
            Type::Int { signed: false, .. } | Type::Bool
        )
    }

    /// Several paths meet.
    pub fn join_all(&mut self, before: &State, states: Vec<State>, at: Origin) -> Option<State> {
        let mut states = states.into_iter();
        let first = states.next()?;
        Some(states.fold(first, |joined, next| self.join(before, joined, next, at)))
    }

    fn switch(&mut self, value: &Code, body: &Stmt, mut state: State) -> Option<State> {
        let switched = self.value(value, &mut state);
        if let Some(switched) = switched.as_ref().filter(|_| self.recording()) {
            self.switched.insert(self.current, switched.clone());
        }
        let guards = self.guards.len();
        let unknown = Guard::unknown(self.frames.len());
        self.guards.push(unknown.clone());
        let before = self.conditional_depth;
        let jumps = self.jumps;
        self.conditional_depth = self.frames.len();
        self.breaks.push(Vec::new());
        let mut behind: Vec<State> = self
            .switch_body(switched.as_ref(), body, &state)
            .into_iter()
            .collect();
        behind.extend(self.breaks.pop().unwrap_or_default());
        if !has_default(body) {
            behind.push(state.clone());
        }
        self.guards.truncate(guards);
        if self.jumps != jumps {
            self.open_guard(unknown);
        }
        // `break` ends the switch, but `continue` and `return` are counted alike: anything may be skipped behind it.
        self.conditional_depth = match self.jumps == jumps {
            true => before,
            false => before.max(self.frames.len()),
        };
        self.join_all(&state, behind, body.origin)
    }

    /// Walks the body of a switch, which begins with the given state; gives the state at its end. A case is entered from
    /// the head, where the value fits its label, or from the case before it.
    fn switch_body(&mut self, value: Option<&Expr>, body: &Stmt, start: &State) -> Option<State> {
        let StmtKind::Block { body, .. } = &body.kind else {
            return self.statement(body, start.clone());
        };
        let mut current: Option<State> = None;
        let guards = self.guards.len();
        for stmt in body {
            if matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default) {
                // What a jump left behind in the case above does not hold for who comes from the head.
                self.guards.truncate(guards);
                let mut entered = start.clone();
                if let (StmtKind::Case { low, high }, Some(value)) = (&stmt.kind, value) {
                    entered.facts.assume(&Condition::in_range(value, *low, *high));
                }
                current = Some(match current {
                    Some(above) => self.join(start, entered, above, stmt.origin),
                    None => entered,
                });
                continue;
            }
            if contains_loop(stmt)
                && self.keeps_states()
                && let Some(state) = &current
            {
                self.states.insert(stmt.id, state.clone());
            }
            current = match current {
                Some(state) => self.statement(stmt, state),
                // A label or case deeper inside, where everything is forgotten.
                None if has_entry(stmt) => self.statement(stmt, start.clone()),
                None => None,
            };
        }
        current
    }

    /// Runs `f` without recording; gives its result and what it may write. Orders, depths and the accounts of the loops
    /// around are as before.
    pub fn scan<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (T, Kills) {
        let (order, depth, current) = (self.order, self.conditional_depth, self.current);
        let (guards, guards_outside) = (self.guards.len(), self.guards_outside);
        let outer = std::mem::take(&mut self.written);
        self.scanning += 1;
        let result = f(self);
        self.scanning -= 1;
        self.guards.truncate(guards);
        self.guards_outside = guards_outside;
        let written = std::mem::replace(&mut self.written, outer);
        (self.order, self.conditional_depth, self.current) = (order, depth, current);
        (result, written)
    }

    /// The variables are unknown.
    pub fn forget_variables(
        &mut self,
        variables: &BTreeSet<VariableRef>,
        state: &State,
        why: &str,
        at: Origin,
    ) -> State {
        let mut state = state.clone();
        for variable in variables {
            let ty = self.type_of(*variable);
            if self.followed(ty) {
                let value = self.unknown(&mut state, ty, why, at);
                state.set(*variable, value);
            }
        }
        state
    }

    /// Control may come from anywhere: variables, memory and conditions are unknown; what is true of symbols by their
    /// type alone is learned again when they are used.
    fn forget_everything(&mut self, state: &State, at: Origin) -> State {
        // Who jumps here has not come past the conditions above.
        for guard in &mut self.guards {
            *guard = Guard::unknown(guard.loops);
        }
        let as_given = |variable: &VariableRef| {
            let symbol = state.get(*variable)?.as_symbol()?;
            let is_given = self.symbols.info(symbol).kind == SymbolKind::Entry(*variable);
            is_given.then_some((*variable, symbol))
        };
        let kept: Vec<(VariableRef, Symbol)> = self.given().iter().filter_map(as_given).collect();
        let mut variables: BTreeSet<VariableRef> = state.variables.keys().copied().collect();
        let mut bare = State {
            threads: self.threads_from_elsewhere(),
            ..State::default()
        };
        for (variable, symbol) in kept {
            variables.remove(&variable);
            self.assume_type_range(&mut bare, symbol, self.type_of(variable));
            bare.set(variable, Expr::symbol(symbol));
        }
        self.forget_variables(&variables, &bare, "a label: control may come from elsewhere", at)
    }

    /// The parameters that the function never assigns: wherever control comes from, they are what was passed.
    fn given(&self) -> &BTreeSet<VariableRef> {
        self.given.get_or_init(|| {
            let mut assigned = BTreeSet::new();
            if let Some(body) = &self.function.body {
                crate::scalar::assigned_variables(body, &mut assigned);
            }
            let parameters = (0..self.function.parameters).map(|number| VariableRef::Local(LocalId(number)));
            parameters
                .filter(|parameter| self.tracked(*parameter) && !assigned.contains(parameter))
                .collect()
        })
    }

    /// The type of a variable.
    pub fn type_of(&self, variable: VariableRef) -> ferry_ir::TypeId {
        match variable {
            VariableRef::Global(id) => self.unit.global(id).ty,
            VariableRef::Local(id) => self.locals[id.0 as usize].ty,
        }
    }

    fn opaque(&mut self, stmt: &Stmt, why: &str, mentions: &[Code], escapes: bool, state: &mut State) {
        let mut assigned = BTreeSet::new();
        for mention in mentions {
            self.value(mention, state);
            mention.walk(&mut |code| {
                if let Some(variable) = code.as_variable() {
                    assigned.insert(variable);
                }
            });
        }
        assigned.retain(|variable| self.tracked(*variable));
        *state = self.forget_variables(&assigned, state, why, stmt.origin);
        let kills = Kills {
            anything: true,
            ..Kills::default()
        };
        self.kill(&kills, state);
        let _ = escapes;
        let cause = Cause::new(why, stmt.origin);
        if self.recording() {
            for index in self.open_loops() {
                self.loops[index.0 as usize].opaque.push(cause.clone());
            }
        }
        self.touches_anything(stmt, cause);
    }
}

/// True if there is a loop inside.
pub(crate) fn contains_loop(stmt: &Stmt) -> bool {
    crate::shape::any(stmt, &mut |inner| matches!(inner.kind, StmtKind::Loop(_)))
}

/// True if a switch with this body always enters it.
fn has_default(body: &Stmt) -> bool {
    match &body.kind {
        StmtKind::Block { body, .. } => body.iter().any(|stmt| matches!(stmt.kind, StmtKind::Default)),
        _ => false,
    }
}

/// True if control can enter the statement other than at its top.
fn has_entry(stmt: &Stmt) -> bool {
    crate::shape::any(stmt, &mut |inner| {
        matches!(
            inner.kind,
            StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default
        )
    })
}
