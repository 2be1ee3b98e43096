//! How are the smallest pieces of the text form spelled: quoted strings, operators and their precedence?
//! The printer and the parser share these tables, so they cannot disagree.

use crate::{BinaryOp, LogicalOp};

/// How tightly an expression binds, as in C: a larger number binds tighter.
pub(super) mod level {
    pub(crate) const SELECT: u8 = 1;
    pub(crate) const LOGICAL_OR: u8 = 2;
    pub(crate) const LOGICAL_AND: u8 = 3;
    pub(crate) const UNARY: u8 = 12;
    pub(crate) const POSTFIX: u8 = 13;
}

/// Spelling and level of the operators that evaluate both operands.
pub(super) const BINARY: [(BinaryOp, &str, u8); 16] = [
    (BinaryOp::Or, "|", 4),
    (BinaryOp::Xor, "^", 5),
    (BinaryOp::And, "&", 6),
    (BinaryOp::Eq, "==", 7),
    (BinaryOp::Ne, "!=", 7),
    (BinaryOp::Lt, "<", 8),
    (BinaryOp::Le, "<=", 8),
    (BinaryOp::Gt, ">", 8),
    (BinaryOp::Ge, ">=", 8),
    (BinaryOp::Shl, "<<", 9),
    (BinaryOp::Shr, ">>", 9),
    (BinaryOp::Add, "+", 10),
    (BinaryOp::Sub, "-", 10),
    (BinaryOp::Mul, "*", 11),
    (BinaryOp::Div, "/", 11),
    (BinaryOp::Rem, "%", 11),
];

/// Spelling and level of an operator.
pub(super) fn binary(op: BinaryOp) -> (&'static str, u8) {
    BINARY
        .iter()
        .find(|row| row.0 == op)
        .map_or(("?", 0), |row| (row.1, row.2))
}

/// Spelling and level of a short-circuit operator.
pub(super) fn logical(op: LogicalOp) -> (&'static str, u8) {
    match op {
        LogicalOp::And => ("&&", level::LOGICAL_AND),
        LogicalOp::Or => ("||", level::LOGICAL_OR),
    }
}

/// Appends `text` between two `delimiter`s, with `\\`, `\n`, `\u{…}` and the escaped delimiter.
pub(super) fn quote(out: &mut String, text: &str, delimiter: char) {
    out.push(delimiter);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c == delimiter => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(delimiter);
}
