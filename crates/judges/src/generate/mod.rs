//! Which small functions could an analysis be wrong about? A generator of C functions that nobody wrote, each with
//! arguments for several calls that stay in bounds by construction.
//!
//! A [`Nest`] has loops with affine and other bounds, guards, steps, early exits, `switch`, walked pointers, indirect
//! subscripts, linearised and declared arrays, structs, calls of helpers. Ranges of all integer expressions are known
//! while it is made ([`scope`]); what they do not see (signed overflow in stored values, say) a run has to tell, and
//! such a call is left out. [`program()`] makes one C file of many nests. Everything depends on the seed alone.
//!
//! What it cannot do: `union`, function pointers, recursion but of one kind, floating-point subscripts, C++.

mod expressions;
mod helpers;
mod idioms;
mod maker;
mod program;
pub mod random;
pub mod scope;
pub mod tree;

pub use program::{Nest, Program, nest, program};
