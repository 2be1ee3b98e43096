//! Questions about the shape of the program that need no values.

use ferry_ir::{
    ExprKind, Field, Local, Loop, Place, PlaceBase, Projection, Stmt, StmtKind, Type, Unit, VariableRef,
};

use crate::symbols::Cause;
use std::collections::BTreeSet;

/// True if the statement or one inside it satisfies `test`.
pub fn any(stmt: &Stmt, test: &mut dyn FnMut(&Stmt) -> bool) -> bool {
    let mut found = test(stmt);
    stmt.for_each_child(&mut |child| found = found || any(child, test));
    found
}

/// True if the statement itself, not those inside it, evaluates an expression of which nothing is known.
pub fn is_unknown(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.for_each_expression(&mut |expr| {
        expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Opaque { .. }));
    });
    found
}

/// True if something in a statement may leave it before its end, or what is around it, or it is not known where control goes.
pub fn may_leave(stmt: &Stmt) -> bool {
    any(stmt, &mut |inner| {
        matches!(
            inner.kind,
            StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto(_)
                | StmtKind::Label(_)
                | StmtKind::Return(_)
                | StmtKind::Switch { .. }
                | StmtKind::Opaque { .. }
        )
    })
}

/// True if a label of the switch around is inside a statement.
pub fn labels_inside(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Case { .. } | StmtKind::Default => true,
        StmtKind::Switch { .. } => false,
        _ => {
            let mut found = false;
            stmt.for_each_child(&mut |child| found |= labels_inside(child));
            found
        }
    }
}

/// The statements of a switch's body, if all of its labels are among them.
pub fn cases(body: &Stmt) -> Option<&[Stmt]> {
    let StmtKind::Block { body, .. } = &body.kind else {
        return None;
    };
    let hides_one = |stmt: &Stmt| !is_case(stmt) && labels_inside(stmt);
    (!body.iter().any(hides_one)).then_some(body)
}

/// True for a label of a switch.
pub fn is_case(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default)
}

/// The statements that an iteration runs: what precedes the test, the body, the step.
pub fn iteration(inner: &Loop) -> impl Iterator<Item = &Stmt> {
    let body = std::iter::once(&inner.body);
    inner.before_test.iter().chain(body).chain(&inner.step)
}

/// A `goto` whose label is in the loop, too: it does not leave the loop, but is not followed.
const JUMPS_INSIDE: &str = "a goto goes on elsewhere in the loop, which is not followed";
/// A label in the loop.
const LABEL: &str = "a label in the loop may be jumped to";

/// A way out of the function.
const RETURN: &str = "return leaves the loop early";

/// The jumps that leave the loop other than by its condition, and those of which it is not followed where they go.
pub fn early_exits(inner: &Loop) -> Vec<Cause> {
    let mut found = Vec::new();
    collect_exits(&inner.body, true, inner, &mut found);
    for stmt in inner.before_test.iter().chain(&inner.step) {
        collect_exits(stmt, true, inner, &mut found);
    }
    found
}

/// True if one of the [`early_exits`] certainly leaves the loop.
pub fn certainly_leaves(exit: &Cause) -> bool {
    ![JUMPS_INSIDE, LABEL].contains(&exit.why.as_str())
}

/// True if one of the [`early_exits`] leaves the function, too.
pub fn returns(exit: &Cause) -> bool {
    exit.why == RETURN
}

fn collect_exits(stmt: &Stmt, break_leaves: bool, of: &Loop, found: &mut Vec<Cause>) {
    match &stmt.kind {
        StmtKind::Break if break_leaves => found.push(Cause::new("break leaves the loop early", stmt.origin)),
        StmtKind::Return(_) => found.push(Cause::new(RETURN, stmt.origin)),
        StmtKind::Goto(label) => {
            let is_label = |inside: &Stmt| inside.kind == StmtKind::Label(*label);
            let why = match iteration(of).any(|part| any(part, &mut |inside| is_label(inside))) {
                true => JUMPS_INSIDE,
                false => "goto may leave the loop",
            };
            found.push(Cause::new(why, stmt.origin));
        }
        StmtKind::Label(_) => found.push(Cause::new(LABEL, stmt.origin)),
        StmtKind::Opaque { why, jumps: true, .. } => found.push(Cause::new(why.clone(), stmt.origin)),
        StmtKind::Loop(_) | StmtKind::Switch { .. } => {
            stmt.for_each_child(&mut |child| collect_exits(child, false, of, found));
        }
        _ => {
            stmt.for_each_child(&mut |child| collect_exits(child, break_leaves, of, found));
        }
    }
}

/// True if nothing but the last part of the head assigns a variable, which the condition tests.
pub fn is_stepped(inner: &Loop, variable: VariableRef) -> bool {
    let assigned = |stmts: &[Stmt]| {
        let mut found = BTreeSet::new();
        let mut into = |stmt: &Stmt| crate::scalar::assigned_variables(stmt, &mut found);
        stmts.iter().for_each(&mut into);
        found.contains(&variable)
    };
    let tested = inner.condition.iter();
    assigned(&inner.step)
        && !assigned(std::slice::from_ref(&inner.body))
        && !assigned(&inner.before_test)
        && tested
            .into_iter()
            .any(|test| crate::scalar::expr_mentions(test, variable))
}

/// True if a `goto` of a body goes back to a label before it.
pub fn jumps_back(body: &Stmt) -> bool {
    let (mut passed, mut back) = (BTreeSet::new(), false);
    body.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Label(label) => {
            passed.insert(*label);
        }
        StmtKind::Goto(label) => back |= passed.contains(label),
        _ => {}
    });
    back
}

/// The field at the end of a place's path.
pub fn last_field<'a>(unit: &'a Unit, locals: &[Local], place: &Place) -> Option<&'a Field> {
    let mut ty = match &place.base {
        PlaceBase::Variable(VariableRef::Global(id)) => unit.global(*id).ty,
        PlaceBase::Variable(VariableRef::Local(id)) => locals.get(id.0 as usize)?.ty,
        PlaceBase::Deref(pointer) => unit.types.pointee(pointer.ty)?,
    };
    let mut last = None;
    for projection in &place.path {
        match (projection, unit.types.get(ty)) {
            (Projection::Field(number), Type::Record(record)) => {
                let field = unit.types.record(*record).fields.get(*number as usize)?;
                ty = field.ty;
                last = Some(field);
            }
            (Projection::Index(_), Type::Array { element, .. }) => {
                ty = *element;
                last = None;
            }
            _ => return None,
        }
    }
    last
}
