//! What does a statement look like with one variable, or a place, in the place of another variable?
//!
//! Directives keep their names: who renames in a statement that holds one must not expect its clauses to change.

use crate::{Callee, Expr, ExprKind, LocalId, Place, PlaceBase, Projection, Stmt, StmtKind, VariableRef};

/// Puts the local variable `new` wherever a statement and everything in it names `old`, declarations included.
pub fn rename(stmt: &mut Stmt, old: LocalId, new: LocalId) {
    let mut declared = |local: &mut LocalId| {
        if *local == old {
            *local = new;
        }
    };
    let mut place = |place: &mut Place| {
        if let PlaceBase::Variable(variable) = &mut place.base
            && *variable == VariableRef::Local(old)
        {
            *variable = VariableRef::Local(new);
        }
    };
    in_statement(stmt, &mut declared, &mut place);
}

/// Puts a place wherever a statement and everything in it names the whole scalar `old`. Each keeps where it is written, and the type that its value has.
pub fn replace(stmt: &mut Stmt, old: LocalId, by: &Place) {
    let mut place = |place: &mut Place| {
        if place.as_variable() == Some(VariableRef::Local(old)) {
            *place = Place {
                origin: place.origin,
                ..by.clone()
            };
        }
    };
    in_statement(stmt, &mut |_| {}, &mut place);
}

type Declared<'a> = &'a mut dyn FnMut(&mut LocalId);
type Changed<'a> = &'a mut dyn FnMut(&mut Place);

fn in_statement(stmt: &mut Stmt, declared: Declared<'_>, f: Changed<'_>) {
    match &mut stmt.kind {
        StmtKind::Assign { place, value } => {
            in_place(place, f);
            in_expression(value, f);
        }
        StmtKind::Zero { place } => in_place(place, f),
        StmtKind::Call {
            result,
            callee,
            arguments,
        } => {
            if let Some(place) = result {
                in_place(place, f);
            }
            if let Callee::Pointer(pointer) = callee {
                in_expression(pointer, f);
            }
            arguments.iter_mut().for_each(|one| in_expression(one, f));
        }
        StmtKind::Declare { local } => declared(local),
        StmtKind::Block { body, .. } => {
            for one in body {
                in_statement(one, declared, f);
            }
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            in_expression(condition, f);
            in_statement(then, declared, f);
            if let Some(otherwise) = otherwise {
                in_statement(otherwise, declared, f);
            }
        }
        StmtKind::Loop(of) => {
            of.condition.iter_mut().for_each(|one| in_expression(one, f));
            let parts = of.init.iter_mut().chain(&mut of.before_test).chain(&mut of.step);
            for one in parts {
                in_statement(one, declared, f);
            }
            in_statement(&mut of.body, declared, f);
        }
        StmtKind::Switch { value, body } => {
            in_expression(value, f);
            in_statement(body, declared, f);
        }
        StmtKind::Return(value) => value.iter_mut().for_each(|one| in_expression(one, f)),
        StmtKind::Opaque { mentions, .. } => mentions.iter_mut().for_each(|one| in_expression(one, f)),
        StmtKind::Directive { body, .. } => {
            if let Some(body) = body {
                in_statement(body, declared, f);
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

fn in_expression(expr: &mut Expr, f: Changed<'_>) {
    match &mut expr.kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => in_place(place, f),
        ExprKind::Unary(_, one) | ExprKind::Cast(one) => in_expression(one, f),
        ExprKind::Binary(_, one, two)
        | ExprKind::Logical(_, one, two)
        | ExprKind::Offset(one, two)
        | ExprKind::Difference(one, two) => {
            in_expression(one, f);
            in_expression(two, f);
        }
        ExprKind::Select(condition, one, two) => {
            in_expression(condition, f);
            in_expression(one, f);
            in_expression(two, f);
        }
        ExprKind::Opaque { mentions, .. } => mentions.iter_mut().for_each(|one| in_expression(one, f)),
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
    }
}

/// What is inside first, so that what is put in its place is not looked through.
fn in_place(place: &mut Place, f: Changed<'_>) {
    if let PlaceBase::Deref(pointer) = &mut place.base {
        in_expression(pointer, f);
    }
    for step in &mut place.path {
        if let Projection::Index(index) = step {
            in_expression(index, f);
        }
    }
    f(place);
}
