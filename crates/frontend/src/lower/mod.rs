//! From libclang's syntax tree to the structured program.

pub mod probe;
