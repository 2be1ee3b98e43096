//! All tests of this crate in one program: it is linked once, and long ones run beside each other.

mod called;
mod common;
mod conditional;
mod emit;
mod environment;
mod exchanged;
mod heads;
mod hoist;
mod kernel;
mod last_values;
mod nested;
mod promoted;
mod reread;
mod reshape;
mod scope;
mod several;
mod stepped;
