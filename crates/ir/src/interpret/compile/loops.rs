//! How does a loop run? As `stmt.rs` says: init, test, body, step; the test is repeated behind the step, so that an
//! iteration takes one jump.

use super::*;
use crate::{Loop, LoopKind, Stmt};

impl Compiler<'_> {
    pub(super) fn loop_(&mut self, stmt: &Stmt, looped: &Loop) {
        self.stmts(&looped.init);
        self.at(stmt.id, stmt.origin);
        let info = self.loop_number(stmt.id);
        self.event(Op::LoopEnter { info });
        self.loops.push(info);
        let (body, next, end) = (self.new_label(), self.new_label(), self.new_label());
        let top = self.new_label();
        self.bind(top);
        let repeat_test = looped.before_test.is_empty();
        if looped.kind != LoopKind::Do {
            self.test(stmt, looped, info, None, end);
        }
        self.bind(body);
        self.event(Op::LoopBody { info });
        // `continue` stays inside the loop, `break` goes to the exit event, which closes it.
        self.breaks.push(JumpTarget {
            label: end,
            loops: self.loops.len(),
        });
        self.continues.push(JumpTarget {
            label: next,
            loops: self.loops.len(),
        });
        self.stmt(&looped.body);
        self.breaks.pop();
        self.continues.pop();
        self.bind(next);
        self.at(stmt.id, stmt.origin);
        self.event(Op::LoopStep { info });
        self.stmts(&looped.step);
        self.at(stmt.id, stmt.origin);
        if looped.kind == LoopKind::Do || repeat_test {
            self.test(stmt, looped, info, Some(body), end);
        } else {
            self.jump(top);
        }
        self.bind(end);
        self.loops.pop();
        self.event(Op::LoopExit { info });
    }

    /// The test: to `yes` (or on) if the condition is true, to `end` (or on) if it is false.
    fn test(&mut self, stmt: &Stmt, looped: &Loop, info: u32, yes: Option<Label>, end: Label) {
        self.event(Op::LoopTest { info });
        self.stmts(&looped.before_test);
        self.at(stmt.id, stmt.origin);
        match (&looped.condition, yes) {
            (None, None) => {}
            (None, Some(yes)) => self.jump(yes),
            (Some(condition), None) => self.jump_unless(condition, end),
            (Some(condition), Some(yes)) => self.jump_if(condition, yes),
        }
    }

    fn event(&mut self, op: Op) {
        if self.observe {
            self.emit(op);
        }
    }
}
