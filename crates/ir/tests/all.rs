//! All tests of this crate in one program: it is linked once, and long ones run beside each other.

mod flow_by_running;
mod generated;
mod text;
mod visit;
