//! How do directives reach the lowering? Through probes: the parsed copy of a file has, in place of each pragma line,
//! a statement that holds the directive's expressions, so that libclang types them.
//!
//! The two forms of a probe, both on the pragma's own line(s):
//! - a directive that governs the next statement: `if (0 && ((void)(e1), (void)(e2), 0)) ; else` (`if (0) ; else` without
//!   expressions): the governed statement becomes the `else` branch;
//! - a stand-alone one: `{ (void)(e1); (void)(e2); }` (`{ }` without expressions).
//!
//! The lowering recognises a probe by the offset of its first byte (`if` or `{`) in the parsed copy, lowers the operands of
//! the `(void)` casts in order, and hands them to [`Pragmas::directive`]. An operand that is an lvalue arrives as a
//! `Load` of its place, whatever its type (arrays and records too); any other as its value.
//! A probe in a macro definition is recognised by a string, its first operand, as libclang tells only where the macro is used.
//! An operand with an effect, or one that was not understood, arrives as an `Opaque` expression.

use ferry_directive::Directive;
use ferry_ir::Expr;
use ferry_source::{FileId, Span};

/// One pragma line that was replaced by a probe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Which one, for [`Pragmas::directive`].
    pub number: usize,
    /// The pragma in the physical file, from `#` to the end of its last line.
    pub span: Span,
    /// True for the form that governs a statement.
    pub governs: bool,
    /// How many expressions it holds.
    pub expressions: usize,
}

/// The directives of a translation unit, and how offsets of the parsed copies become physical ones.
/// A file that has no copy has offsets that are physical already.
pub trait Pragmas {
    /// The physical offset of a byte of the parsed copy of `file`. Bytes inside a probe give the pragma's own place.
    fn physical(&self, file: FileId, parsed: u32) -> u32;

    /// The probe that starts at this byte of the parsed copy.
    fn probe(&self, file: FileId, parsed: u32) -> Option<&Probe>;

    /// The probe that stands in a macro definition and names itself so: the file's tag, and its number there.
    fn defined(&self, tag: usize, number: usize) -> Option<&Probe>;

    /// The directive with its expressions filled in; `expressions` are as many as the probe holds, or fewer if libclang
    /// dropped some (then those that remain cannot be told apart, and the directive should keep its text only).
    /// `None` for a line that is to be left out of the program.
    fn directive(&self, number: usize, expressions: Vec<Expr>) -> Option<Directive<Expr>>;
}

/// No directives: the files are parsed as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPragmas;

impl Pragmas for NoPragmas {
    fn physical(&self, _: FileId, parsed: u32) -> u32 {
        parsed
    }

    fn probe(&self, _: FileId, _: u32) -> Option<&Probe> {
        None
    }

    fn defined(&self, _: usize, _: usize) -> Option<&Probe> {
        None
    }

    fn directive(&self, _: usize, _: Vec<Expr>) -> Option<Directive<Expr>> {
        None
    }
}
