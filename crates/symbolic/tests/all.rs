//! All tests of this crate in one program: it is linked once, and long ones run beside each other.

mod c_output;
mod canonical;
mod common;
mod proofs;
mod ranges;
mod sets;
