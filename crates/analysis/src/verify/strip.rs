//! What is the program without its directives? Every statement keeps its number, so that facts about it fit the program with them.

use ferry_ir::{Stmt, StmtKind, Unit};

/// The unit with each directive replaced by what it governs.
pub fn without_directives(unit: &Unit) -> Unit {
    let mut unit = unit.clone();
    for function in &mut unit.functions {
        if let Some(body) = &mut function.body {
            strip(body);
        }
    }
    unit
}

fn strip(stmt: &mut Stmt) {
    while let StmtKind::Directive { body, .. } = &mut stmt.kind {
        match body.take() {
            Some(body) => *stmt = *body,
            None => stmt.kind = StmtKind::Empty,
        }
    }
    match &mut stmt.kind {
        StmtKind::Block { body, .. } => body.iter_mut().for_each(strip),
        StmtKind::If { then, otherwise, .. } => {
            strip(then);
            if let Some(otherwise) = otherwise {
                strip(otherwise);
            }
        }
        StmtKind::Loop(inner) => {
            let parts = inner.init.iter_mut().chain(&mut inner.before_test);
            parts.chain(&mut inner.step).for_each(strip);
            strip(&mut inner.body);
        }
        StmtKind::Switch { body, .. } => strip(body),
        _ => {}
    }
}
