//! Where does each local variable live? In a register if its address is never taken, it is a scalar, and every read
//! certainly comes after an assignment; else in memory, where every access is checked.
//!
//! The analysis is the definite assignment of structured programs. After a label it knows only the parameters.

use crate::{Callee, Expr, ExprKind, Function, LocalId, Loop, Place, Stmt, StmtKind, VariableKind};

/// One bit per local; `None`: not reached.
type Assigned = Option<Vec<u64>>;

/// True for each local that must be in memory. Only locals for which `scalar` holds can be in registers.
pub(super) fn in_memory(function: &Function, scalar: &dyn Fn(LocalId) -> bool) -> Vec<bool> {
    let mut start = vec![0u64; function.locals.len() / 64 + 1];
    for (number, local) in function.locals.iter().enumerate() {
        if number < function.parameters as usize || local.kind == VariableKind::Parameter {
            start[number / 64] |= 1 << (number % 64);
        }
    }
    let mut walk = Walk {
        memory: (0..function.locals.len())
            .map(|number| !scalar(LocalId(number as u32)))
            .collect(),
        now: Some(start.clone()),
        start,
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
    };
    if let Some(body) = &function.body {
        walk.stmt(body);
    }
    walk.memory
}

struct Walk {
    memory: Vec<bool>,
    now: Assigned,
    start: Vec<u64>,
    breaks: Vec<Assigned>,
    continues: Vec<Assigned>,
    /// State at the head of each switch, and whether a default was seen.
    switches: Vec<(Assigned, bool)>,
}

fn meet(a: &mut Assigned, b: &Assigned) {
    match (a.as_mut(), b) {
        (None, _) => *a = b.clone(),
        (_, None) => {}
        (Some(a), Some(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a &= b),
    }
}

impl Walk {
    fn set_memory(&mut self, local: LocalId) {
        if let Some(flag) = self.memory.get_mut(local.0 as usize) {
            *flag = true;
        }
    }

    fn read(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => {
                if let Some(crate::VariableRef::Local(local)) = place.as_variable() {
                    let (word, bit) = (local.0 as usize / 64, 1u64 << (local.0 % 64));
                    if self
                        .now
                        .as_ref()
                        .is_some_and(|now| now.get(word).is_none_or(|now| now & bit == 0))
                    {
                        self.set_memory(local);
                    }
                } else {
                    self.place(place);
                }
            }
            ExprKind::AddressOf(place) => {
                if let Some(crate::VariableRef::Local(local)) = place.as_variable() {
                    self.set_memory(local);
                } else {
                    self.place(place);
                }
            }
            _ => expr.for_each_child(&mut |child| self.read(child)),
        }
    }

    fn place(&mut self, place: &Place) {
        if let crate::PlaceBase::Variable(crate::VariableRef::Local(local)) = place.base
            && !place.path.is_empty()
        {
            self.set_memory(local);
        }
        place.for_each_child(&mut |child| self.read(child));
    }

    fn write(&mut self, place: &Place) {
        if let Some(crate::VariableRef::Local(local)) = place.as_variable() {
            if let Some(word) = self
                .now
                .as_mut()
                .and_then(|now| now.get_mut(local.0 as usize / 64))
            {
                *word |= 1 << (local.0 % 64);
            }
        } else {
            self.place(place);
        }
    }

    fn list(&mut self, list: &[Stmt]) {
        list.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                self.read(value);
                self.write(place);
            }
            StmtKind::Zero { place } => self.write(place),
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => {
                if let Callee::Pointer(pointer) = callee {
                    self.read(pointer);
                }
                arguments.iter().for_each(|argument| self.read(argument));
                if let Some(place) = result {
                    self.write(place);
                }
            }
            StmtKind::Declare { local } => {
                if let Some(word) = self
                    .now
                    .as_mut()
                    .and_then(|now| now.get_mut(local.0 as usize / 64))
                {
                    *word &= !(1 << (local.0 % 64));
                }
            }
            StmtKind::Block { body, .. } => self.list(body),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.read(condition);
                let before = self.now.clone();
                self.stmt(then);
                let after_then = std::mem::replace(&mut self.now, before);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
                meet(&mut self.now, &after_then);
            }
            StmtKind::Loop(looped) => self.loop_(looped),
            StmtKind::Switch { value, body } => {
                self.read(value);
                let before = self.now.take();
                self.switches.push((before, false));
                self.breaks.push(None);
                self.stmt(body);
                let breaks = self.breaks.pop().unwrap_or_default();
                meet(&mut self.now, &breaks);
                if let Some((before, false)) = self.switches.pop() {
                    meet(&mut self.now, &before);
                }
            }
            StmtKind::Case { .. } | StmtKind::Default => {
                if let Some((before, default)) = self.switches.last_mut() {
                    *default |= matches!(stmt.kind, StmtKind::Default);
                    meet(&mut self.now, before);
                }
            }
            StmtKind::Break => {
                if let Some(last) = self.breaks.last_mut() {
                    meet(last, &self.now);
                }
                self.now = None;
            }
            StmtKind::Continue => {
                if let Some(last) = self.continues.last_mut() {
                    meet(last, &self.now);
                }
                self.now = None;
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.read(value);
                }
                self.now = None;
            }
            StmtKind::Goto(_) => self.now = None,
            StmtKind::Label(_) => self.now = Some(self.start.clone()),
            StmtKind::Directive { body, .. } => {
                if let Some(body) = body {
                    self.stmt(body);
                }
            }
            StmtKind::Opaque { .. } | StmtKind::Empty => {}
        }
    }

    fn loop_(&mut self, looped: &Loop) {
        self.list(&looped.init);
        self.breaks.push(None);
        self.continues.push(None);
        let mut exit = None;
        let is_do = looped.kind == crate::LoopKind::Do;
        if !is_do {
            exit = self.test(looped);
        }
        self.stmt(&looped.body);
        let continues = self.continues.pop().unwrap_or_default();
        meet(&mut self.now, &continues);
        self.list(&looped.step);
        if is_do {
            exit = self.test(looped);
        }
        self.now = exit;
        let breaks = self.breaks.pop().unwrap_or_default();
        meet(&mut self.now, &breaks);
    }

    /// Evaluates the test; the result is the state where the condition is false.
    fn test(&mut self, looped: &Loop) -> Assigned {
        self.list(&looped.before_test);
        let condition = looped.condition.as_ref()?;
        self.read(condition);
        self.now.clone()
    }
}
