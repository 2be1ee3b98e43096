//! What does a statement look like with one variable in the place of another?
//!
//! Directives keep their names: who renames in a statement that holds one must not expect its clauses to change.

use crate::{Callee, Expr, ExprKind, LocalId, Place, PlaceBase, Projection, Stmt, StmtKind, VariableRef};

/// Puts the local variable `new` wherever a statement and everything in it names `old`, declarations included.
pub fn rename(stmt: &mut Stmt, old: LocalId, new: LocalId) {
    let expression = |expr: &mut Expr| in_expression(expr, old, new);
    match &mut stmt.kind {
        StmtKind::Assign { place, value } => {
            in_place(place, old, new);
            expression(value);
        }
        StmtKind::Zero { place } => in_place(place, old, new),
        StmtKind::Call {
            result,
            callee,
            arguments,
        } => {
            if let Some(place) = result {
                in_place(place, old, new);
            }
            if let Callee::Pointer(pointer) = callee {
                expression(pointer);
            }
            arguments.iter_mut().for_each(expression);
        }
        StmtKind::Declare { local } => {
            if *local == old {
                *local = new;
            }
        }
        StmtKind::Block { body, .. } => body.iter_mut().for_each(|one| rename(one, old, new)),
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            expression(condition);
            rename(then, old, new);
            if let Some(otherwise) = otherwise {
                rename(otherwise, old, new);
            }
        }
        StmtKind::Loop(of) => {
            of.condition.iter_mut().for_each(expression);
            let parts = of.init.iter_mut().chain(&mut of.before_test).chain(&mut of.step);
            parts.for_each(|one| rename(one, old, new));
            rename(&mut of.body, old, new);
        }
        StmtKind::Switch { value, body } => {
            expression(value);
            rename(body, old, new);
        }
        StmtKind::Return(value) => value.iter_mut().for_each(expression),
        StmtKind::Opaque { mentions, .. } => mentions.iter_mut().for_each(expression),
        StmtKind::Directive { body, .. } => {
            if let Some(body) = body {
                rename(body, old, new);
            }
        }
        StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Empty => {}
    }
}

fn in_expression(expr: &mut Expr, old: LocalId, new: LocalId) {
    match &mut expr.kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => in_place(place, old, new),
        ExprKind::Unary(_, one) | ExprKind::Cast(one) => in_expression(one, old, new),
        ExprKind::Binary(_, one, two)
        | ExprKind::Logical(_, one, two)
        | ExprKind::Offset(one, two)
        | ExprKind::Difference(one, two) => {
            in_expression(one, old, new);
            in_expression(two, old, new);
        }
        ExprKind::Select(condition, one, two) => {
            in_expression(condition, old, new);
            in_expression(one, old, new);
            in_expression(two, old, new);
        }
        ExprKind::Opaque { mentions, .. } => {
            mentions.iter_mut().for_each(|one| in_expression(one, old, new));
        }
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
    }
}

fn in_place(place: &mut Place, old: LocalId, new: LocalId) {
    match &mut place.base {
        PlaceBase::Variable(variable) => {
            if *variable == VariableRef::Local(old) {
                *variable = VariableRef::Local(new);
            }
        }
        PlaceBase::Deref(pointer) => in_expression(pointer, old, new),
    }
    for step in &mut place.path {
        if let Projection::Index(index) = step {
            in_expression(index, old, new);
        }
    }
}
