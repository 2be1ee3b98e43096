//! What is a statement? The only things with effects, as trees: loops, ifs and switches keep their shape.

use crate::{Expr, FunctionRef, LocalId, Place};
use ferry_directive::Directive;
use ferry_source::{Origin, Span};

/// A statement of one function. Numbers are unique in their function and given in text order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StmtId(pub u32);

/// A label of one function, the target of `goto`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// Its number.
    pub id: StmtId,
    /// What it does.
    pub kind: StmtKind,
    /// The whole statement with its `;` or braces. Statements that the front end split from one C statement share its origin.
    pub origin: Origin,
}

/// The forms of statements.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `place = value`, of scalars and records. The value is computed first.
    Assign {
        /// Where to.
        place: Place,
        /// What.
        value: Expr,
    },
    /// All bytes of the place become 0 (the rest of a partly initialised aggregate).
    Zero {
        /// Which memory.
        place: Place,
    },
    /// `result = callee(arguments)`; a call whose value is used inside an expression goes to a temporary first.
    Call {
        /// Where the returned value goes.
        result: Option<Place>,
        /// Who is called.
        callee: Callee,
        /// Arguments, converted to the parameter types (default promotions where there is no prototype).
        arguments: Vec<Expr>,
    },
    /// The life of a local variable begins here; its value is indeterminate.
    Declare {
        /// Which.
        local: LocalId,
    },
    /// `{ … }`, a scope. Also made by the front end for one C statement that became several (`scope` false).
    Block {
        /// The statements.
        body: Vec<Stmt>,
        /// True if the text has braces here.
        scope: bool,
    },
    /// `if`. The condition is scalar, true if not 0.
    If {
        /// Condition.
        condition: Expr,
        /// Then.
        then: Box<Stmt>,
        /// Else.
        otherwise: Option<Box<Stmt>>,
    },
    /// `for`, `while`, `do`.
    Loop(Box<Loop>),
    /// `switch`: the body runs from the label `Case` or `Default` inside it that fits; without one, nothing runs.
    Switch {
        /// Integer.
        value: Expr,
        /// Holds `Case` and `Default` statements at any depth.
        body: Box<Stmt>,
    },
    /// `case low:` or GNU `case low ... high:`; a position inside the nearest enclosing `Switch`.
    Case {
        /// First value.
        low: i128,
        /// Last value.
        high: i128,
    },
    /// `default:`
    Default,
    /// Leaves the nearest enclosing loop or switch.
    Break,
    /// Goes on with the step of the nearest enclosing loop.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
    /// Goes to a label of the function.
    Goto(LabelId),
    /// A position.
    Label(LabelId),
    /// A directive that is in the source, with the statement that it governs, if it governs one.
    Directive {
        /// The directive, its expressions typed.
        directive: Box<Directive<Expr>>,
        /// The statement.
        body: Option<Box<Stmt>>,
    },
    /// Not understood (inline assembly, unsequenced effects, an error nearby, …). It may read and write everything that
    /// it mentions and, if `escapes`, anything reachable; it may also jump anywhere if `jumps`.
    Opaque {
        /// Why.
        why: String,
        /// Expressions and variables inside it that were understood.
        mentions: Vec<Expr>,
        /// Memory that was not mentioned may change too.
        escapes: bool,
        /// May leave by a jump.
        jumps: bool,
    },
    /// `;`
    Empty,
}

/// Why a call is [`StmtKind::Opaque`] whose function may return again, when another one jumps back to it (`setjmp`).
pub const MAY_RETURN_TWICE: &str = "a function that may return twice";

/// Who is called.
#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A known name.
    Function(FunctionRef),
    /// The value of a function pointer.
    Pointer(Expr),
}

/// Which keyword the loop has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoopKind {
    /// `for`
    For,
    /// `while`
    While,
    /// `do … while`
    Do,
}

/// A part of the head of a `for`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeadPart {
    /// What sets the loop variable.
    First,
    /// What is tested.
    Condition,
    /// What steps the loop variable.
    Last,
    /// The loop variable's type.
    Variable,
}

/// Any C loop. Meaning, with `break` leaving and `continue` jumping to `step`:
/// ```text
/// init
/// forever {
///     if kind != Do { before_test; if (!condition) break }
///     body
///     step
///     if kind == Do { before_test; if (!condition) break }
/// }
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Keyword.
    pub kind: LoopKind,
    /// First part of a `for`, declarations included.
    pub init: Vec<Stmt>,
    /// What the condition does besides being tested: `while (i-- > 0)`, `while ((c = f()) != 0)`.
    pub before_test: Vec<Stmt>,
    /// Scalar, true if not 0; `None` is true.
    pub condition: Option<Expr>,
    /// Last part of a `for`.
    pub step: Vec<Stmt>,
    /// A part of a `for` that compilers refuse in a loop with a directive, though it is lowered to what they take: how it
    /// is spelled (parentheses, casts, commas) is not seen in the parts.
    pub refused: Option<HeadPart>,
    /// Body.
    pub body: Stmt,
    /// Places in the text, if no part of the loop but its whole head is inside a macro expansion.
    pub spans: Option<LoopSpans>,
    /// The keyword's place in the physical file (of the expansion, if the loop comes out of a macro).
    pub keyword: Option<Span>,
}

/// Places of a loop's parts in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopSpans {
    /// `for`, `while` or `do`.
    pub keyword: Span,
    /// From the keyword to the closing parenthesis (of the head).
    pub head: Span,
    /// The body statement.
    pub body: Span,
}
