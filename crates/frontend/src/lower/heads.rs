//! Is the head of a `for` spelled as compilers take it for a loop with a directive? What lowers to the same assignment,
//! comparison and step may be refused by them: gcc 12 wants no parentheses around the first part and the condition,
//! clang 19 no casts of the loop variable, both no further expressions behind commas. gcc 12 dies of a loop variable of an
//! enumerated type.

use super::Lower;
use super::node::Node;
use crate::clang::Cursor;
use clang_sys::*;
use ferry_ir::HeadPart;

/// A part that is spelled otherwise, of those that are there: the condition before others, as several variables in the first
/// and last parts can be taken apart. Of a first part that is a list nobody knows which is the loop's variable; its condition casts none.
pub(super) fn refused<'tu>(
    lower: &mut Lower<'tu, '_>,
    init: Option<Cursor<'tu>>,
    condition: Option<Cursor<'tu>>,
    step: Option<Cursor<'tu>>,
) -> Option<HeadPart> {
    let mut variable = None;
    let mut is_list = false;
    if let Some(init) = init {
        if init.kind() == CXCursor_DeclStmt {
            variable = init.children().first().copied();
        } else {
            let init = lower.node(init);
            let place = init
                .children
                .first()
                .filter(|place| place.kind == CXCursor_DeclRefExpr);
            is_list = !is_assignment(&init) || place.is_none();
            variable = place
                .and_then(|place| place.cursor.referenced())
                .filter(|_| !is_list);
        }
    }
    if variable.is_some_and(|variable| variable.ty().canonical().kind() == CXType_Enum) {
        return Some(HeadPart::Variable);
    }
    // An explicit conversion of the loop variable; that of a bound is left alone by compilers.
    let is_cast_variable = |node: &Node<'tu>| {
        let node = node.stripped();
        node.kind == CXCursor_CStyleCastExpr
            && node.children.last().is_some_and(|inner| {
                let named = inner.stripped().cursor.referenced();
                named.is_some() && (is_list || named.map(Cursor::key) == variable.map(Cursor::key))
            })
    };
    let is_condition = |condition: &Node<'tu>| {
        condition.kind == CXCursor_BinaryOperator && !condition.children.iter().any(is_cast_variable)
    };
    if condition.is_some_and(|condition| !is_condition(&lower.node(condition))) {
        return Some(HeadPart::Condition);
    }
    if is_list {
        return Some(HeadPart::First);
    }
    let is_step = |step: &Node<'tu>| match step.kind {
        CXCursor_UnaryOperator | CXCursor_CompoundAssignOperator => true,
        _ if !is_assignment(step) => false,
        _ => step.children.get(1).map(Node::stripped).is_some_and(|value| {
            value.kind == CXCursor_BinaryOperator && !value.children.iter().any(is_cast_variable)
        }),
    };
    let is_refused = step.is_some_and(|step| !is_step(lower.node(step).without_parentheses()));
    is_refused.then_some(HeadPart::Last)
}

fn is_assignment(node: &Node<'_>) -> bool {
    node.kind == CXCursor_BinaryOperator && node.cursor.binary_operator() == CXBinaryOperator_Assign
}
