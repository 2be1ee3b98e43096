//! What does an expression look like as a tree of our own? Each node's kind, children, place in the text, and whether
//! its evaluation has side effects, found once.

use super::Lower;
use super::origins::At;
use crate::clang::Cursor;
use clang_sys::*;

/// An expression of libclang's tree.
pub struct Node<'tu> {
    /// The cursor.
    pub cursor: Cursor<'tu>,
    /// Its kind.
    pub kind: CXCursorKind,
    /// The operands. Of a statement expression: none (its statements are lowered from the cursor).
    pub children: Vec<Node<'tu>>,
    /// Where it is.
    pub at: At,
    /// How many side effects (calls included) its evaluation may have.
    pub effects: u32,
}

/// What an expression that libclang does not expose is, as far as its shape tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unexposed {
    /// An implicit conversion of its only child.
    Conversion,
    /// GNU `a ?: b`: the first child is `a`, the last `b`.
    Elvis,
    /// `offsetof` and the like: only its value counts.
    OffsetOf,
    /// `__builtin_choose_expr`: condition and two branches.
    Choose,
    /// Something else.
    Other,
}

impl<'tu> Node<'tu> {
    /// The node without parentheses and `__extension__` around it.
    pub fn without_parentheses(&self) -> &Node<'tu> {
        let mut node = self;
        loop {
            let transparent = node.kind == CXCursor_ParenExpr
                || (node.kind == CXCursor_UnaryOperator
                    && node.cursor.unary_operator() == CXUnaryOperator_Extension);
            match node.children.as_slice() {
                [child] if transparent => node = child,
                _ => return node,
            }
        }
    }

    /// The node without parentheses and implicit conversions around it.
    pub fn stripped(&self) -> &Node<'tu> {
        let mut node = self.without_parentheses();
        while node.kind == CXCursor_UnexposedExpr && node.unexposed() == Unexposed::Conversion {
            node = node.children[0].without_parentheses();
        }
        node
    }

    /// For an unexposed expression: which form it has.
    pub fn unexposed(&self) -> Unexposed {
        match self.children.as_slice() {
            [child] if child.at.same_place(&self.at) && child.kind >= 100 && child.kind < 200 => {
                Unexposed::Conversion
            }
            [common, condition, value, _]
                if common.at.same_place(&condition.at) && common.at.same_place(&value.at) =>
            {
                Unexposed::Elvis
            }
            children if children.iter().any(|child| child.kind == CXCursor_MemberRef) => Unexposed::OffsetOf,
            [_, _, _] => Unexposed::Choose,
            _ => Unexposed::Other,
        }
    }

    /// True if this node itself, not an operand, has a side effect.
    pub fn is_effect(kind: CXCursorKind, cursor: Cursor<'tu>) -> bool {
        match kind {
            CXCursor_CallExpr | CXCursor_CompoundAssignOperator | CXCursor_StmtExpr => true,
            CXCursor_BinaryOperator => cursor.binary_operator() == CXBinaryOperator_Assign,
            CXCursor_UnaryOperator => matches!(
                cursor.unary_operator(),
                CXUnaryOperator_PostInc
                    | CXUnaryOperator_PostDec
                    | CXUnaryOperator_PreInc
                    | CXUnaryOperator_PreDec
            ),
            _ => false,
        }
    }
}

impl<'tu> Lower<'tu, '_> {
    /// Reads the expression below a cursor.
    pub(super) fn node(&mut self, cursor: Cursor<'tu>) -> Node<'tu> {
        let kind = cursor.kind();
        let leaf = matches!(
            kind,
            CXCursor_StmtExpr
                | CXCursor_DeclRefExpr
                | CXCursor_IntegerLiteral
                | CXCursor_FloatingLiteral
                | CXCursor_CharacterLiteral
                | CXCursor_StringLiteral
        );
        let children: Vec<Node<'tu>> = if leaf {
            Vec::new()
        } else {
            cursor
                .children()
                .into_iter()
                .map(|child| self.node(child))
                .collect()
        };
        let mut effects = u32::from(Node::is_effect(kind, cursor));
        if kind != CXCursor_UnaryExpr {
            for child in &children {
                effects = effects.saturating_add(child.effects);
            }
        }
        let at = self.at(cursor, kind, &children);
        Node {
            cursor,
            kind,
            children,
            at,
            effects,
        }
    }
}
