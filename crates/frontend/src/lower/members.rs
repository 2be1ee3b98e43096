//! Of which structures does clang 19 refuse to take a member in a kernel?
//!
//! It looks for the variable that a member in a `target` region is part of, to map that, and ends in an error ("expected addressable lvalue in 'map'
//! clause") where it meets an expression that it does not know on the way: `(&s)->n`, `f(x).n`, `(table + 1)->n` of an array, `(c ? p : q)->n`. Other members are
//! captured with what they are part of. The forms are those of `MapBaseChecker` in clang's `SemaOpenMP.cpp`, each tried with clang 19 and gcc 12, which takes them all.

use super::node::Node;
use clang_sys::*;

/// True if clang refuses a member of this expression.
pub(super) fn is_refused(base: &Node<'_>) -> bool {
    let mut base = base.stripped();
    // Casts around the whole are looked through, those inside are not.
    while let (CXCursor_CStyleCastExpr, Some(inner)) = (base.kind, base.children.last()) {
        base = inner.stripped();
    }
    !leads_to_variable(base)
}

fn leads_to_variable(node: &Node<'_>) -> bool {
    let node = node.stripped();
    match (node.kind, node.children.as_slice()) {
        // A member looks for its own variable.
        (CXCursor_DeclRefExpr | CXCursor_MemberRefExpr, _) => true,
        (CXCursor_ArraySubscriptExpr, [base, _]) => leads_to_variable(base),
        (CXCursor_UnaryOperator, [operand]) => {
            node.cursor.unary_operator() == CXUnaryOperator_Deref && leads_to_variable(operand)
        }
        // Of a sum it is the pointer; an array on the left is none there.
        (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, [left, right]) => {
            let is_pointer = left.stripped().cursor.ty().canonical().kind() == CXType_Pointer;
            leads_to_variable(if is_pointer { left } else { right })
        }
        _ => false,
    }
}
