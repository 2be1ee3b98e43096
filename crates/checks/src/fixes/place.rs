//! Where can a directive of its own line stand so that it is executed directly before or after what happens at a place of the text?
//!
//! Before the outermost statement around the place in which nothing is moved between the memories: a loop on the host, a whole target construct. A directive
//! must stand among the statements of a block, so that it never takes the place of a statement behind `if` or another directive.
//!
//! What it cannot do: several statements on one line.

use ferry_analysis::coherence::{is_data_directive, moves_data, moving};
use ferry_ir::visit::expression_variables;
use ferry_ir::{
    BinaryOp, Callee, ExprKind, FunctionRef, LocalId, Loop, Place, Stmt, StmtKind, Unit, VariableKind,
    VariableRef,
};
use ferry_source::layout::{LineEnd, indentation, is_first_on_line, line_begin, line_end};
use ferry_source::{Edit, Sources, Span};
use std::collections::BTreeSet;

/// The side of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Directly before it.
    Before,
    /// Directly after it.
    After,
}

/// The text of the statement beside which a line can stand for what happens at a place; `None` if there is no room for one.
pub fn room(unit: &Unit, at: Span) -> Option<Span> {
    anchor(unit, at)?.origin.span()
}

/// The part of a statement in whose text a place is.
fn child_at(stmt: &Stmt, place: Span) -> Option<&Stmt> {
    let holds = |child: &&Stmt| child.origin.span().is_some_and(|span| span.contains(place));
    stmt.children().into_iter().find(holds)
}

/// The innermost statement around a place that is wanted.
fn around(unit: &Unit, at: Span, wanted: impl Fn(&Stmt) -> bool) -> Option<&Stmt> {
    let mut here = unit.function_at(at)?.1.body.as_ref()?;
    let mut found = None;
    loop {
        found = if wanted(here) { Some(here) } else { found };
        match child_at(here, at) {
            Some(child) => here = child,
            None => return found,
        }
    }
}

/// The block whose last byte is at a place.
pub fn block_that_ends(unit: &Unit, at: Span) -> Option<&Stmt> {
    around(unit, at, |stmt| {
        let ends = stmt.origin.text().is_some_and(|span| span.end == at.end);
        ends && at.end == at.start + 1 && matches!(stmt.kind, StmtKind::Block { scope: true, .. })
    })
}

/// The `return` at a place, if a line may stand before it.
pub fn return_in_a_block(unit: &Unit, at: Span) -> Option<Span> {
    // One statement of the text may be several.
    fn is_here(stmt: &Stmt, at: Span) -> bool {
        match &stmt.kind {
            StmtKind::Return(_) => stmt.origin.span() == Some(at),
            StmtKind::Block { body, scope: false } => body.iter().any(|inner| is_here(inner, at)),
            _ => false,
        }
    }
    let block = around(
        unit,
        at,
        |stmt| matches!(&stmt.kind, StmtKind::Block { body, scope: true } if body.iter().any(|inner| is_here(inner, at))),
    );
    block.map(|_| at)
}

/// Inserts a line at the end of a block, before its last `return`.
pub fn last_line(sources: &Sources, body: &Stmt, text: &str) -> Option<Edit> {
    let StmtKind::Block { body: inside, .. } = &body.kind else {
        return None;
    };
    let last = inside.last()?;
    let beside = match last.kind {
        StmtKind::Return(_) => Beside::Before,
        _ => Beside::After,
    };
    line(sources, last.origin.text()?, beside, text)
}

/// Inserts a line beside a statement; `None` if something else is on its line.
pub fn line(sources: &Sources, of: Span, beside: Beside, text: &str) -> Option<Edit> {
    let bytes = sources.bytes(of.file);
    let (start, end) = (of.start as usize, of.end as usize);
    if !is_first_on_line(bytes, start) {
        return None;
    }
    let indent = String::from_utf8_lossy(indentation(bytes, start)).into_owned();
    let newline = LineEnd::of(bytes).as_str();
    let insertion = |at: usize, text: String| {
        let at = u32::try_from(at).ok()?;
        Some(Edit {
            at: Span::new(of.file, at, at),
            text: text.into_bytes(),
        })
    };
    match beside {
        Beside::Before => insertion(line_begin(bytes, start), format!("{indent}{text}{newline}")),
        Beside::After => {
            let line = line_end(bytes, end);
            let rest = bytes[end..line].trim_ascii();
            let alone = rest.is_empty() || rest.starts_with(b"//");
            alone.then(|| insertion(line, format!("{newline}{indent}{text}")))?
        }
    }
}

/// What bounds the loops around a place, outermost first, as the text says it: `n` of `i < n`, `n + 1` of `i <= n`.
pub fn loop_bounds(unit: &Unit, sources: &Sources, at: Span) -> Vec<String> {
    let mut bounds = Vec::new();
    for (_, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        body.walk(&mut |stmt| {
            let around = stmt.origin.span().is_some_and(|span| span.contains(at));
            if let (true, StmtKind::Loop(of)) = (around, &stmt.kind) {
                bounds.extend(bound(of, sources));
            }
        });
    }
    bounds
}

/// What bounds the loops that a directive governs, outermost first, as the text says it.
pub fn bounds_inside(unit: &Unit, sources: &Sources, directive: Span) -> Vec<String> {
    let mut bounds = Vec::new();
    for (_, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        body.walk(&mut |stmt| {
            let begins = |span: Span| (span.file, span.start) == (directive.file, directive.start);
            let StmtKind::Directive {
                body: Some(governed), ..
            } = &stmt.kind
            else {
                return;
            };
            if stmt.origin.span().is_some_and(begins) {
                governed.walk(&mut |inner| {
                    if let StmtKind::Loop(of) = &inner.kind {
                        bounds.extend(bound(of, sources));
                    }
                });
            }
        });
    }
    bounds
}

fn bound(of: &Loop, sources: &Sources) -> Option<String> {
    let ExprKind::Binary(operator, _, bound) = &of.condition.as_ref()?.kind else {
        return None;
    };
    // Parts of macros have no text of their own.
    let text = String::from_utf8_lossy(sources.text(bound.origin.text()?)).into_owned();
    let is_word = text.bytes().all(ferry_source::is_word);
    match operator {
        BinaryOp::Lt | BinaryOp::Ne if is_word => Some(text),
        BinaryOp::Lt | BinaryOp::Ne => Some(format!("({text})")),
        BinaryOp::Le => Some(format!("({text} + 1)")),
        _ => None,
    }
}

/// The outermost statement of a block around the place that moves nothing itself, or is one construct that runs on the device or moves data.
fn anchor(unit: &Unit, at: Span) -> Option<&Stmt> {
    let body = unit.function_at(at)?.1.body.as_ref()?;
    let moving = moving(unit);
    let (mut here, mut in_block, mut found) = (body, false, None);
    loop {
        if in_block {
            found = Some(here);
            if is_one_step(unit, here, &moving) {
                return found;
            }
        }
        let is_block = matches!(here.kind, StmtKind::Block { scope: true, .. });
        let joined = in_block && matches!(here.kind, StmtKind::Block { scope: false, .. });
        let Some(inside) = child_at(here, at) else {
            return found;
        };
        (here, in_block) = (inside, is_block || joined);
    }
}

/// The statement around a place before which something must wait that began at another place: both are in one block, in different statements of it, this one later.
/// None where a directive shares out the first one to threads of which only one would have to wait.
pub fn behind(unit: &Unit, began: Span, at: Span) -> Option<Span> {
    let mut here = unit.function_at(at)?.1.body.as_ref()?;
    loop {
        let (first, second) = (child_at(here, began)?, child_at(here, at)?);
        if first.id == second.id {
            here = first;
            continue;
        }
        let is_block = matches!(here.kind, StmtKind::Block { scope: true, .. });
        let is_shared_out =
            matches!(&first.kind, StmtKind::Directive { directive, .. } if !directive.is_explicit_task());
        let span = second.origin.span()?;
        return (is_block && !is_shared_out && span.start > began.start).then_some(span);
    }
}

/// True if a variable of the function around a directive is set or read outside of what that governs; `None` if no local variable has that name, or several have.
pub fn is_known_outside(unit: &Unit, directive: Span, name: &str) -> Option<bool> {
    let (_, function) = unit.function_at(directive)?;
    let named = (0u32..)
        .zip(&function.locals)
        .filter(|(_, local)| local.name == name);
    let [(number, local)] = named.collect::<Vec<_>>()[..] else {
        return None;
    };
    let variable = VariableRef::Local(LocalId(number));
    let known = local.address_taken || local.kind != VariableKind::Local;
    Some(known || is_mentioned_beside(function.body.as_ref()?, directive, variable))
}

fn is_mentioned_beside(stmt: &Stmt, directive: Span, variable: VariableRef) -> bool {
    let governed = |span: Span| (span.file, span.start) == (directive.file, directive.start);
    if matches!(stmt.kind, StmtKind::Directive { .. }) && stmt.origin.span().is_some_and(governed) {
        return false;
    }
    let mut mentioned = BTreeSet::new();
    stmt.for_each_expression(&mut |expr| expression_variables(expr, &mut mentioned));
    mentioned.extend(stmt.written_place().and_then(Place::as_variable));
    mentioned.contains(&variable)
        || stmt
            .children()
            .iter()
            .any(|child| is_mentioned_beside(child, directive, variable))
}

/// True if nothing is moved between the memories inside of the statement, except by the statement as a whole.
fn is_one_step(unit: &Unit, stmt: &Stmt, moving: &BTreeSet<FunctionRef>) -> bool {
    match &stmt.kind {
        StmtKind::Directive { directive, .. } if directive.is_data_environment() => false,
        StmtKind::Directive { directive, .. } if is_data_directive(directive) => true,
        // Its own text may move data around the place.
        _ => {
            let mut calls = false;
            stmt.walk(&mut |inner| {
                if let StmtKind::Call {
                    callee: Callee::Function(id),
                    ..
                } = &inner.kind
                {
                    calls |= moving.contains(id) && inner.id != stmt.id;
                }
            });
            !calls && !moves_data(unit, stmt)
        }
    }
}
