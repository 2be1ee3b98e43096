//! All tests of this crate in one program: it is linked once, and long ones run beside each other.

mod bad_input;
mod deep;
mod directive_origins;
mod directives;
mod interpret;
mod interpreter;
mod lowering;
mod origins;
