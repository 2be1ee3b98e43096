//! Which directives are already in the source, and what do their expressions mean?

pub mod copy;
pub mod fill;
pub mod find;
