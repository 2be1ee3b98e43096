//! Do temporaries and extents have exactly one value where they are read?
//!
//! They are made by the front end inside one C statement, so paths through the structure of the text are all there
//! is to look at: a value that only a `goto` into the middle skips is not found missing.

use super::{Rule, Verifier};
use crate::visit::statement_accesses;
use crate::{
    Function, Length, LocalId, Loop, LoopKind, PlaceBase, Stmt, StmtKind, Type, TypeId, VariableRef,
};
use std::collections::HashSet;

/// What is known where control is. Values only come, but for [`State::take_back`], so a log of what came makes branches cheap.
struct State {
    /// By number of the local: has a value on every path.
    certainly: Vec<bool>,
    /// Has one on some path.
    perhaps: Vec<bool>,
    log: Vec<Gain>,
    /// Control does not get here.
    dead: bool,
}

/// One entry of `certainly` (or of `perhaps`) that became true.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Gain {
    local: LocalId,
    certainly: bool,
}

impl State {
    fn mark(&mut self, gain: Gain) -> Option<&mut bool> {
        let marks = if gain.certainly {
            &mut self.certainly
        } else {
            &mut self.perhaps
        };
        marks.get_mut(gain.local.0 as usize)
    }

    fn gain(&mut self, gain: Gain) {
        if let Some(mark) = self.mark(gain)
            && !*mark
        {
            *mark = true;
            self.log.push(gain);
        }
    }

    fn has(&mut self, local: LocalId, certainly: bool) -> bool {
        self.mark(Gain { local, certainly }).is_some_and(|mark| *mark)
    }

    /// Forgets what came since the log was `length` long, and returns it.
    fn take_back(&mut self, length: usize) -> Vec<Gain> {
        let gains = self.log.split_off(length);
        for gain in &gains {
            if let Some(mark) = self.mark(*gain) {
                *mark = false;
            }
        }
        gains
    }

    /// Behind two branches: what came in both is certain, what came in one is possible.
    fn join(&mut self, first: (Vec<Gain>, bool), second: (Vec<Gain>, bool)) {
        self.dead = first.1 && second.1;
        match (first, second) {
            ((_, true), (gains, _)) | ((gains, _), (_, true)) => {
                gains.into_iter().for_each(|gain| self.gain(gain))
            }
            ((first, _), (second, _)) => {
                let in_first: HashSet<Gain> = first.iter().copied().collect();
                for gain in first.into_iter().filter(|gain| !gain.certainly) {
                    self.gain(gain);
                }
                for gain in second
                    .into_iter()
                    .filter(|gain| !gain.certainly || in_first.contains(gain))
                {
                    self.gain(gain);
                }
            }
        }
    }
}

impl<'a> Verifier<'a> {
    pub(super) fn assigned(&mut self, function: &'a Function, body: &'a Stmt) {
        let made = |local: &crate::Local| local.kind.is_made();
        if function.locals.iter().any(made) {
            let none = vec![false; function.locals.len()];
            let mut state = State {
                certainly: none.clone(),
                perhaps: none,
                log: Vec::new(),
                dead: false,
            };
            self.flow(body, &mut state);
        }
        self.statement = None;
    }

    /// The state behind the statement. Jumps are taken to go where no temporary that is alive matters.
    fn flow(&mut self, statement: &'a Stmt, state: &mut State) {
        self.statement = Some(statement);
        match &statement.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(|inner| self.flow(inner, state)),
            StmtKind::If { then, otherwise, .. } => {
                self.own(statement, state);
                let (start, dead) = (state.log.len(), state.dead);
                self.flow(then, state);
                let first = (state.take_back(start), std::mem::replace(&mut state.dead, dead));
                if let Some(otherwise) = otherwise {
                    self.flow(otherwise, state);
                }
                let second = (state.take_back(start), state.dead);
                state.join(first, second);
            }
            StmtKind::Loop(l) => self.loop_flow(statement, l, state),
            StmtKind::Switch { body, .. } => {
                self.own(statement, state);
                let (start, dead) = (state.log.len(), state.dead);
                self.flow(body, state);
                let inside = (state.take_back(start), state.dead);
                state.join(inside, (Vec::new(), dead));
            }
            StmtKind::Directive { body: Some(body), .. } => self.flow(body, state),
            StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => state.dead = true,
            StmtKind::Return(_) => {
                self.own(statement, state);
                state.dead = true;
            }
            // Control comes here from elsewhere too.
            StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default => state.dead = false,
            _ => self.own(statement, state),
        }
    }

    fn loop_flow(&mut self, statement: &'a Stmt, l: &'a Loop, state: &mut State) {
        l.init.iter().for_each(|inner| self.flow(inner, state));
        let test = |verifier: &mut Self, state: &mut State| {
            l.before_test.iter().for_each(|inner| verifier.flow(inner, state));
            verifier.statement = Some(statement);
            verifier.own(statement, state);
        };
        if l.kind != LoopKind::Do {
            test(self, state);
            // What is made inside is made anew each time round.
            let start = state.log.len();
            self.flow(&l.body, state);
            state.dead = false;
            l.step.iter().for_each(|inner| self.flow(inner, state));
            state.take_back(start);
        } else {
            self.flow(&l.body, state);
            state.dead = false;
            l.step.iter().for_each(|inner| self.flow(inner, state));
            test(self, state);
        }
        state.dead = false;
    }

    /// Reads and writes of the statement itself.
    fn own(&mut self, statement: &'a Stmt, state: &mut State) {
        let mut read = Vec::new();
        let mut written = Vec::new();
        statement_accesses(statement, &mut |place, kind, _| {
            if let PlaceBase::Variable(VariableRef::Local(local)) = place.base {
                let whole = place.path.is_empty();
                if kind.reads() {
                    read.push((local, place.origin));
                } else if kind.writes() {
                    written.push((local, whole, place.origin));
                }
            }
        });
        if let StmtKind::Declare { local } = statement.kind
            && let Some(declared) = self.local(local)
        {
            self.lengths(declared.ty, &mut |local| read.push((local, statement.origin)), 0);
        }
        for (local, origin) in read {
            if self.is_made(local) && !state.has(local, true) && !state.dead {
                let name = self
                    .local(local)
                    .map(|local| local.name.clone())
                    .unwrap_or_default();
                self.wrong(Rule::Temporary, origin, format!("`{name}` may have no value"));
                state.gain(Gain {
                    local,
                    certainly: true,
                }); // said once
            }
        }
        for (local, whole, origin) in written {
            if self.is_made(local) {
                if whole && state.has(local, false) && !state.dead {
                    let name = self
                        .local(local)
                        .map(|local| local.name.clone())
                        .unwrap_or_default();
                    self.wrong(Rule::Temporary, origin, format!("`{name}` has a value already"));
                }
                state.gain(Gain {
                    local,
                    certainly: true,
                });
                state.gain(Gain {
                    local,
                    certainly: false,
                });
            }
        }
    }

    fn is_made(&self, local: LocalId) -> bool {
        self.local(local).is_some_and(|local| local.kind.is_made())
    }

    /// The extents that the size of `ty` depends on.
    fn lengths(&self, ty: TypeId, f: &mut dyn FnMut(LocalId), depth: u32) {
        if let (Some(Type::Array { element, length }), true) = (self.get(ty), depth < 100) {
            if let Length::Variable(local) = length {
                f(*local);
            }
            self.lengths(*element, f, depth + 1);
        }
    }
}
