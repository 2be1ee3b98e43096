//! What may a function do that is called, and whose body is not walked, to the order of tasks?
//!
//! What it cannot do: tell a lock that is released again from one that is kept.

use super::Program;
use crate::effects::library::lock_verb;
use crate::shape::is_unknown;
use ferry_ir::{Callee, FunctionRef, StmtKind};
use std::collections::BTreeSet;

/// In the order of how little is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Inside {
    /// It waits for nothing, and makes nothing wait.
    Nothing,
    /// It makes tasks, and may wait for those of the task that calls it.
    OwnTasks,
    /// Anything.
    Anything,
}

impl Inside {
    /// Of a function with all that it calls.
    pub fn of(program: &Program<'_>, function: FunctionRef) -> Inside {
        let mut seen = BTreeSet::new();
        let mut open = vec![function];
        let mut all = Inside::Nothing;
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let one = program.unit.function(id);
            let Some(body) = &one.body else {
                let effect = program.effects.get(id);
                if effect.reads.anything || effect.writes.anything || lock_verb(&one.name).is_some() {
                    return Inside::Anything;
                }
                continue;
            };
            body.walk(&mut |stmt| match &stmt.kind {
                StmtKind::Directive { directive, .. } => {
                    let known = ["task", "taskwait", "taskgroup", "taskyield", "taskloop"];
                    let inside = match known.contains(&directive.name.as_str()) {
                        true => Inside::OwnTasks,
                        false => Inside::Anything,
                    };
                    all = all.max(inside);
                }
                StmtKind::Call {
                    callee: Callee::Function(id),
                    ..
                } => open.push(*id),
                StmtKind::Call { .. } | StmtKind::Opaque { .. } => all = Inside::Anything,
                _ if is_unknown(stmt) => all = Inside::Anything,
                _ => {}
            });
        }
        all
    }
}
