//! Ready observers: what was touched, and which iterations depend on which.

mod dependences;
mod touched;

pub use dependences::{Dependence, DependenceKind, Dependences, End, LoopReport, ObjectReport};
pub use touched::{ByteSet, Instance, Touched, Variable};
