//! The structured program: what it is, its text form, its verifier and its interpreter.
//!
//! Expressions are pure; statements have the effects; loops, ifs and switches are trees. The IR holds no results of
//! any analysis. `SPECIFICATION.md` beside `src` says in prose what every form means.

pub mod compare;
mod expr;
pub mod flow;
pub mod interpret;
pub mod join;
mod stmt;
mod text;
mod types;
pub mod typing;
mod unit;
pub mod verify;
pub mod visit;

pub use expr::{BinaryOp, Expr, ExprKind, LogicalOp, Place, PlaceBase, Projection, UnaryOp};
pub use stmt::{
    Callee, HeadPart, LabelId, Loop, LoopKind, LoopSpans, MAY_RETURN_TWICE, Stmt, StmtId, StmtKind,
};
pub use text::{
    ParseError, PrintOptions, parse_unit, print_expression, print_function, print_place, print_statement,
    print_type, print_unit,
};
pub use types::{Field, Length, Record, RecordId, Type, TypeId, Types};
pub use unit::{
    Declared, Declaring, Dialect, Function, FunctionRef, Global, GlobalId, Linkage, Local, LocalId,
    Qualifiers, Undeclared, Unit, VariableKind, VariableRef,
};
