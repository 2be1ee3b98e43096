//! What does a statement do? Effects in order, jumps to labels, traps for what was not understood.

use super::*;
use crate::{Stmt, StmtKind};

impl Compiler<'_> {
    pub(super) fn stmts(&mut self, list: &[Stmt]) {
        list.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// Notes where the code that follows comes from.
    pub(super) fn at(&mut self, statement: StmtId, origin: Origin) {
        self.statement = statement;
        self.origin = origin;
        self.set_site(origin);
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        let mark = self.next_register;
        self.at(stmt.id, stmt.origin);
        match &stmt.kind {
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::Zero { place } => self.zero(place),
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => self.call(result.as_ref(), callee, arguments),
            StmtKind::Declare { local } => self.declare(*local),
            StmtKind::Block { body, .. } => self.stmts(body),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let no = self.new_label();
                self.jump_unless(condition, no);
                self.stmt(then);
                match otherwise {
                    None => self.bind(no),
                    Some(otherwise) => {
                        let end = self.new_label();
                        self.jump(end);
                        self.bind(no);
                        self.stmt(otherwise);
                        self.bind(end);
                    }
                }
            }
            StmtKind::Loop(looped) => self.loop_(stmt, looped),
            StmtKind::Switch { value, body } => self.switch(value, body),
            StmtKind::Case { low, high } => self.case(Some((*low, *high))),
            StmtKind::Default => self.case(None),
            StmtKind::Break => self.leave(self.breaks.last().copied()),
            StmtKind::Continue => self.leave(self.continues.last().copied()),
            StmtKind::Return(value) => self.return_(value.as_ref()),
            StmtKind::Goto(label) => self.goto(*label),
            StmtKind::Label(label) => {
                if let Some(&label) = self.gotos.get(label) {
                    self.bind(label);
                }
            }
            StmtKind::Directive { body, .. } => {
                if let Some(body) = body {
                    self.stmt(body);
                }
            }
            StmtKind::Opaque { why, .. } => self.trap(format!("a statement that was not understood: {why}")),
            StmtKind::Empty => {}
        }
        self.next_register = mark;
    }

    fn zero(&mut self, place: &crate::Place) {
        if let Some((register, kind)) = place
            .as_variable()
            .and_then(|variable| self.register_home(variable))
        {
            self.load_constant(register, 0);
            if kind.is_wide() {
                self.load_constant(register + 1, 0);
            }
            return;
        }
        let done = (|| {
            let size = self.size(place.ty)?;
            let a = self.place_address(place, None)?;
            let size = self.size_register(size);
            self.set_site(place.origin);
            self.emit(Op::Zero { a, size });
            Some(())
        })();
        if done.is_none() {
            self.trap("memory of unknown size is to be cleared");
        }
    }

    fn return_(&mut self, value: Option<&crate::Expr>) {
        let op = match value {
            None => Op::Return,
            Some(value) => match self.scalar(value.ty) {
                Some(kind) => {
                    let a = self.expr(value);
                    if kind.is_wide() {
                        Op::ReturnWide { a }
                    } else {
                        Op::ReturnValue { a }
                    }
                }
                None if matches!(self.unit.types.get(value.ty), Type::Void) => {
                    self.expr(value);
                    Op::Return
                }
                None => match (self.record(value), self.size(value.ty)) {
                    (Some(a), Some(size)) => {
                        let size = self.size_register(size);
                        if let crate::ExprKind::Load(place) = &value.kind {
                            self.set_site(place.origin);
                        }
                        Op::ReturnRecord { a, size }
                    }
                    _ => return self.trap("a returned value that the interpreter does not know"),
                },
            },
        };
        self.leave_loops(0);
        self.emit(op);
    }

    /// Says that loops are left, down to `open` ones.
    pub(super) fn leave_loops(&mut self, open: usize) {
        if self.observe {
            for index in (open..self.loops.len()).rev() {
                let info = self.loops[index];
                self.emit(Op::LoopExit { info });
            }
        }
    }

    fn leave(&mut self, target: Option<JumpTarget>) {
        match target {
            Some(target) => {
                self.leave_loops(target.loops);
                self.jump(target.label);
            }
            None => self.trap("a jump out of nothing"),
        }
    }

    fn goto(&mut self, label: crate::LabelId) {
        let Some(&target) = self.gotos.get(&label) else {
            return self.trap("a jump to no label");
        };
        let inside = self.label_loops.get(&label).cloned().unwrap_or_default();
        let common = inside.iter().zip(&self.loops).take_while(|(a, b)| a == b).count();
        self.leave_loops(common);
        self.enter_loops(&inside[common..]);
        self.jump(target);
    }

    /// Says that loops are entered by a jump into their bodies.
    pub(super) fn enter_loops(&mut self, loops: &[u32]) {
        if self.observe {
            for &info in loops {
                self.emit(Op::LoopEnter { info });
                self.emit(Op::LoopBody { info });
            }
        }
    }

    fn switch(&mut self, value: &crate::Expr, body: &Stmt) {
        let kind = self.scalar(value.ty).unwrap_or(Scalar::I32);
        let a = self.expr(value);
        let table = self.code.switches.len();
        let end = self.new_label();
        self.code.switches.push(SwitchTable {
            cases: Vec::new(),
            default: end,
        });
        self.emit(Op::Switch {
            wide: kind.is_wide(),
            signed: kind.is_signed(),
            a,
            table: table as u32,
        });
        self.switches.push(OpenSwitch {
            table,
            loops: self.loops.len(),
            entries: Vec::new(),
        });
        self.breaks.push(JumpTarget {
            label: end,
            loops: self.loops.len(),
        });
        self.stmt(body);
        self.breaks.pop();
        if let Some(switch) = self.switches.pop()
            && !switch.entries.is_empty()
        {
            self.jump(end);
            for (entry, label, loops) in switch.entries {
                self.bind(entry);
                self.enter_loops(&loops);
                self.jump(label);
            }
        }
        self.bind(end);
    }

    fn case(&mut self, values: Option<(i128, i128)>) {
        let label = self.new_label();
        self.bind(label);
        let Some(switch) = self.switches.last() else {
            return;
        };
        let (table, loops) = (
            switch.table,
            self.loops.get(switch.loops..).unwrap_or_default().to_vec(),
        );
        let target = if self.observe && !loops.is_empty() {
            let entry = self.new_label();
            if let Some(switch) = self.switches.last_mut() {
                switch.entries.push((entry, label, loops));
            }
            entry
        } else {
            label
        };
        match values {
            Some((low, high)) => self.code.switches[table].cases.push((low, high, target)),
            None => self.code.switches[table].default = target,
        }
    }
}
