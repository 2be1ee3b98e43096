//! Does an expression have effects on one object that C does not sequence? (C11 6.5 paragraph 2.)
//!
//! Objects are told apart by how they are written: a variable, or the same lvalue text by structure (`a[i]` and `a[i]`).
//! Calls are sequenced indeterminately with everything beside them and never conflict here; two different lvalues
//! that happen to be one object are the program's own undefined behaviour.

use super::Lower;
use super::node::Node;
use crate::clang::Cursor;
use clang_sys::*;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What evaluating an expression touches.
#[derive(Default)]
struct Touched {
    reads: HashSet<u64>,
    /// Side effects anywhere in it.
    writes: HashSet<u64>,
    /// Side effects that are not sequenced before its value.
    open: HashSet<u64>,
    conflict: bool,
}

fn join(a: HashSet<u64>, b: HashSet<u64>) -> HashSet<u64> {
    let (mut large, small) = if a.len() < b.len() { (b, a) } else { (a, b) };
    large.extend(small);
    large
}

impl Touched {
    /// Both, in an order that C fixes.
    fn then(self, later: Touched) -> Touched {
        Touched {
            reads: join(self.reads, later.reads),
            writes: join(self.writes, later.writes),
            open: later.open,
            conflict: self.conflict || later.conflict,
        }
    }

    /// Both, in an order that C leaves open.
    fn beside(self, other: Touched) -> Touched {
        let conflict = !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes);
        Touched {
            conflict: conflict || self.conflict || other.conflict,
            reads: join(self.reads, other.reads),
            writes: join(self.writes, other.writes),
            open: join(self.open, other.open),
        }
    }

    fn write(mut self, key: u64) -> Touched {
        self.conflict |= self.open.contains(&key);
        self.writes.insert(key);
        self.open.insert(key);
        self
    }
}

fn hash(node: &Node<'_>, hasher: &mut DefaultHasher) {
    let node = node.stripped();
    node.kind.hash(hasher);
    match node.kind {
        CXCursor_DeclRefExpr | CXCursor_MemberRefExpr => {
            node.cursor.referenced().map(Cursor::key).hash(hasher)
        }
        CXCursor_UnaryOperator => node.cursor.unary_operator().hash(hasher),
        CXCursor_BinaryOperator => node.cursor.binary_operator().hash(hasher),
        CXCursor_IntegerLiteral | CXCursor_CharacterLiteral => {
            format!("{:?}", node.cursor.evaluate()).hash(hasher)
        }
        CXCursor_FloatingLiteral | CXCursor_StringLiteral => node.cursor.key().hash(hasher),
        _ => {}
    }
    node.children.len().hash(hasher);
    for child in &node.children {
        hash(child, hasher);
    }
}

fn key(node: &Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(node, &mut hasher);
    hasher.finish()
}

fn assigns_to(node: &Node<'_>, target: u64) -> bool {
    let node = node.stripped();
    match node.children.as_slice() {
        [place, _] => {
            node.kind == CXCursor_BinaryOperator
                && node.cursor.binary_operator() == CXBinaryOperator_Assign
                && key(place) == target
        }
        _ => false,
    }
}

/// The variables that the statements of a statement expression assign.
fn written_inside(cursor: Cursor<'_>) -> Touched {
    let mut all = Touched::default();
    let mut waiting = vec![cursor];
    while let Some(cursor) = waiting.pop() {
        let children = cursor.children();
        if Node::is_effect(cursor.kind(), cursor)
            && let Some(target) = children.first()
            && target.kind() == CXCursor_DeclRefExpr
        {
            let mut hasher = DefaultHasher::new();
            target.kind().hash(&mut hasher);
            target.referenced().map(Cursor::key).hash(&mut hasher);
            0usize.hash(&mut hasher);
            all.writes.insert(hasher.finish());
        }
        waiting.extend(children);
    }
    all
}

fn is_lvalue(node: &Node<'_>) -> bool {
    match node.kind {
        CXCursor_DeclRefExpr | CXCursor_ArraySubscriptExpr | CXCursor_MemberRefExpr => true,
        CXCursor_UnaryOperator => node.cursor.unary_operator() == CXUnaryOperator_Deref,
        _ => false,
    }
}

/// What finding the object of an lvalue touches, the object itself excepted.
fn designate(node: &Node<'_>) -> Touched {
    let node = node.without_parentheses();
    match (node.kind, node.children.as_slice()) {
        (CXCursor_DeclRefExpr, _) => Touched::default(),
        (CXCursor_MemberRefExpr, [base]) if base.cursor.ty().canonical().kind() != CXType_Pointer => {
            designate(base)
        }
        (CXCursor_ArraySubscriptExpr | CXCursor_MemberRefExpr | CXCursor_UnaryOperator, children) => {
            beside(children)
        }
        _ => touched(node),
    }
}

fn beside(nodes: &[Node<'_>]) -> Touched {
    nodes
        .iter()
        .map(touched)
        .fold(Touched::default(), Touched::beside)
}

fn touched(node: &Node<'_>) -> Touched {
    let node = node.without_parentheses();
    if is_lvalue(node) {
        let mut all = designate(node);
        all.reads.insert(key(node));
        return all;
    }
    match (node.kind, node.children.as_slice()) {
        (CXCursor_UnaryExpr | CXCursor_GenericSelectionExpr, _) => Touched::default(),
        (CXCursor_StmtExpr, _) => written_inside(node.cursor),
        (CXCursor_BinaryOperator, [a, b]) => match node.cursor.binary_operator() {
            // `x = (type)(x = e)` stores one value twice: no order of the two makes a difference.
            CXBinaryOperator_Assign if assigns_to(b, key(a)) => designate(a).beside(touched(b)),
            CXBinaryOperator_Assign => designate(a).beside(touched(b)).write(key(a)),
            CXBinaryOperator_Comma | CXBinaryOperator_LAnd | CXBinaryOperator_LOr => {
                touched(a).then(touched(b))
            }
            _ => touched(a).beside(touched(b)),
        },
        (CXCursor_CompoundAssignOperator, [a, b]) => touched(a).beside(touched(b)).write(key(a)),
        (CXCursor_ConditionalOperator, [condition, a, b]) => {
            let (a, b) = (touched(a), touched(b));
            let either = Touched {
                conflict: a.conflict || b.conflict,
                reads: join(a.reads, b.reads),
                writes: join(a.writes, b.writes),
                open: join(a.open, b.open),
            };
            touched(condition).then(either)
        }
        (CXCursor_UnaryOperator, [operand]) => match node.cursor.unary_operator() {
            CXUnaryOperator_PostInc
            | CXUnaryOperator_PostDec
            | CXUnaryOperator_PreInc
            | CXUnaryOperator_PreDec => touched(operand).write(key(operand)),
            CXUnaryOperator_AddrOf => designate(operand),
            _ => touched(operand),
        },
        (CXCursor_UnexposedExpr, [common, _, _, otherwise]) => touched(common).then(touched(otherwise)),
        (CXCursor_CallExpr, children) => Touched {
            open: HashSet::new(),
            ..beside(children)
        },
        (_, children) => beside(children),
    }
}

impl<'tu> Lower<'tu, '_> {
    /// True if a full expression has effects that C does not sequence.
    pub(super) fn is_unsequenced(&self, node: &Node<'tu>) -> bool {
        let root = node.without_parentheses();
        let own = u32::from(root.kind != CXCursor_UnexposedExpr && root.kind != CXCursor_CStyleCastExpr);
        // One effect at the root, and calls alone, cannot conflict.
        if root.effects == 0 || (root.effects == 1 && own == 1 && is_simple_effect(root)) {
            return false;
        }
        touched(root).conflict
    }
}

fn is_simple_effect(node: &Node<'_>) -> bool {
    match node.kind {
        CXCursor_CallExpr | CXCursor_CompoundAssignOperator | CXCursor_StmtExpr => true,
        CXCursor_BinaryOperator => node.cursor.binary_operator() == CXBinaryOperator_Assign,
        CXCursor_UnaryOperator => {
            node.children.len() == 1
                && node.children[0].effects == 0
                && matches!(
                    node.cursor.unary_operator(),
                    CXUnaryOperator_PostInc
                        | CXUnaryOperator_PostDec
                        | CXUnaryOperator_PreInc
                        | CXUnaryOperator_PreDec
                )
        }
        _ => false,
    }
}
