//! Which variables does a piece of program name, and which calls does it make?

use super::access::all_accesses;
use crate::{Callee, Expr, ExprKind, Place, PlaceBase, Stmt, StmtKind, VariableRef};
use ferry_directive::{Arguments, Directive, Item, Modifier, Subscript};
use std::collections::BTreeSet;

/// Calls `f` on the expressions in a directive's arguments and clauses, in text order.
pub fn directive_expressions<'a>(directive: &'a Directive<Expr>, f: &mut dyn FnMut(&'a Expr)) {
    let arguments = directive.arguments.iter();
    for arguments in arguments.chain(
        directive
            .clauses
            .iter()
            .filter_map(|clause| clause.arguments.as_ref()),
    ) {
        argument_expressions(arguments, f);
    }
}

fn argument_expressions<'a>(arguments: &'a Arguments<Expr>, f: &mut dyn FnMut(&'a Expr)) {
    arguments
        .modifiers
        .iter()
        .for_each(|modifier| modifier_expressions(modifier, f));
    for item in &arguments.items {
        match item {
            Item::Object(object) => {
                object.shape.iter().for_each(&mut *f);
                f(&object.base);
                for subscript in &object.subscripts {
                    match subscript {
                        Subscript::Index(index) => f(index),
                        Subscript::Section {
                            lower,
                            length,
                            stride,
                        } => {
                            [lower, length, stride].into_iter().flatten().for_each(&mut *f);
                        }
                    }
                }
            }
            Item::Value(value) => f(value),
            Item::Named { value, .. } => value.iter().for_each(&mut *f),
            Item::Word(_) | Item::Raw(_) => {}
        }
    }
    arguments
        .trailing
        .iter()
        .for_each(|modifier| modifier_expressions(modifier, f));
}

fn modifier_expressions<'a>(modifier: &'a Modifier<Expr>, f: &mut dyn FnMut(&'a Expr)) {
    match modifier {
        Modifier::Named { value, .. } | Modifier::Value(value) => f(value),
        Modifier::Iterator(iterators) => {
            for iterator in iterators {
                f(&iterator.begin);
                f(&iterator.end);
                iterator.step.iter().for_each(&mut *f);
            }
        }
        Modifier::Word(_) | Modifier::Mapper(_) | Modifier::Raw(_) => {}
    }
}

/// The variables that a statement and everything in it may write directly, as a whole or in part, not through pointers or in callees.
/// A declaration writes (the value becomes indeterminate); so may an opaque statement write what it mentions.
pub fn assigned_variables(statement: &Stmt) -> BTreeSet<VariableRef> {
    let mut assigned = BTreeSet::new();
    statement.walk(&mut |inner| {
        if let StmtKind::Declare { local } = inner.kind {
            assigned.insert(VariableRef::Local(local));
        }
    });
    all_accesses(statement, &mut |_, place, kind, _| {
        if let (PlaceBase::Variable(variable), true) = (&place.base, kind.writes()) {
            assigned.insert(*variable);
        }
    });
    assigned
}

/// The variables whose name occurs in a statement or anything in it: read, written, with their address taken, declared, or in a clause.
pub fn mentioned_variables(statement: &Stmt) -> BTreeSet<VariableRef> {
    let mut mentioned = BTreeSet::new();
    statement.walk(&mut |inner| {
        match &inner.kind {
            StmtKind::Declare { local } => {
                mentioned.insert(VariableRef::Local(*local));
            }
            StmtKind::Directive { directive, .. } => {
                directive_expressions(directive, &mut |expr| expression_variables(expr, &mut mentioned));
            }
            _ => {}
        }
        if let Some(Place {
            base: PlaceBase::Variable(variable),
            ..
        }) = inner.written_place()
        {
            mentioned.insert(*variable);
        }
        inner.for_each_expression(&mut |expr| expression_variables(expr, &mut mentioned));
    });
    mentioned
}

/// Adds the variables whose name occurs in `expr` to `into`.
pub fn expression_variables(expr: &Expr, into: &mut BTreeSet<VariableRef>) {
    expr.walk(&mut |inner| {
        if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
            && let PlaceBase::Variable(variable) = place.base
        {
            into.insert(variable);
        }
    });
}

/// A call: the statement, who is called, with what.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Call<'a> {
    /// The call statement.
    pub statement: &'a Stmt,
    /// Who is called.
    pub callee: &'a Callee,
    /// The arguments.
    pub arguments: &'a [Expr],
}

/// All calls in a statement and everything in it, in the order of [`Stmt::walk`].
pub fn calls(statement: &Stmt) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    statement.walk(&mut |inner| {
        if let StmtKind::Call {
            callee, arguments, ..
        } = &inner.kind
        {
            calls.push(Call {
                statement: inner,
                callee,
                arguments,
            });
        }
    });
    calls
}
