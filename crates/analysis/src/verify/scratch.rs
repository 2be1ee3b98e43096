//! Is a variable scratch: set by an iteration, and read by it again?
//!
//! Where all iterations share such a variable, one may read what another one has set. It is asked of places in the text that come one after the other: what is
//! said is certain as soon as control comes there.
//!
//! What it cannot do: see reads in called functions, and what comes behind a jump, a directive or a `switch`.

use crate::scalar::expr_mentions;
use crate::shape::{any, is_unknown, may_leave};
use ferry_ir::{Expr as Code, Stmt, StmtId, StmtKind, VariableRef};

/// True if a statement behind a store, in the same block, reads the variable, or the test of the loop that it begins.
pub(super) fn is_read_behind(around: &Stmt, store: StmtId, variable: VariableRef) -> bool {
    let mut found = false;
    around.walk(&mut |stmt| {
        if let StmtKind::Loop(inner) = &stmt.kind
            && inner.init.iter().any(|part| part.id == store)
        {
            let tested = inner.condition.as_ref();
            found |= tested.is_some_and(|tested| expr_mentions(tested, variable));
        }
        if let StmtKind::Block { body, .. } = &stmt.kind
            && let Some(place) = body.iter().position(|inner| inner.id == store)
        {
            let mut behind = body[place + 1..].iter().take_while(|inner| !jumps(inner));
            found |= behind.any(|inner| reads(inner, variable));
        }
    });
    found
}

/// True if an iteration of a loop sets a variable and reads it, whatever its data are, before it calls any function.
pub(super) fn is_read_before_calls(around: &Stmt, variable: VariableRef) -> bool {
    let StmtKind::Loop(inner) = &around.kind else {
        return false;
    };
    let mut set = false;
    in_order(&inner.body, variable, &mut set) == Some(true)
}

/// `Some(true)` if it is read after it was set, `Some(false)` if it is not known what comes next.
fn in_order(stmt: &Stmt, variable: VariableRef, set: &mut bool) -> Option<bool> {
    // What waits for another thread is not modelled (`__atomic_exchange_n`).
    if is_unknown(stmt) {
        return Some(false);
    }
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().find_map(|inner| in_order(inner, variable, set)),
        StmtKind::Declare { .. } => None,
        StmtKind::Assign { place, value } => {
            if *set && expr_mentions(value, variable) {
                return Some(true);
            }
            *set |= place.as_variable() == Some(variable);
            None
        }
        // Arguments are evaluated before the call.
        StmtKind::Call { arguments, .. } => Some(*set && any_mentions(arguments, variable)),
        StmtKind::If { condition, .. } if *set && expr_mentions(condition, variable) => Some(true),
        // What is in a branch, or in the body of a loop, need not run.
        StmtKind::If { .. } if !jumps(stmt) && !calls(stmt) => None,
        StmtKind::Loop(inner) if !jumps(stmt) && !calls(stmt) => {
            let begins = inner.init.iter().chain(&inner.before_test);
            let begins = begins.map(|part| in_order(part, variable, set));
            let first = begins.flatten().next();
            let tested = inner.condition.as_ref();
            let is_tested = *set && tested.is_some_and(|tested| expr_mentions(tested, variable));
            first.or(is_tested.then_some(true))
        }
        _ => Some(false),
    }
}

fn any_mentions(arguments: &[Code], variable: VariableRef) -> bool {
    arguments.iter().any(|argument| expr_mentions(argument, variable))
}

/// True if an expression in there has its value.
fn reads(stmt: &Stmt, variable: VariableRef) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| inner.for_each_expression(&mut |expr| found |= expr_mentions(expr, variable)));
    found
}

fn calls(stmt: &Stmt) -> bool {
    any(stmt, &mut |inner| {
        is_unknown(inner) || matches!(inner.kind, StmtKind::Call { .. })
    })
}

/// True if control may go elsewhere, or a directive says who goes on.
fn jumps(stmt: &Stmt) -> bool {
    may_leave(stmt)
        || any(stmt, &mut |inner| {
            matches!(inner.kind, StmtKind::Directive { .. })
        })
}
