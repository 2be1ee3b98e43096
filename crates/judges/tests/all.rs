//! All tests of this crate in one program: it is linked once, and long ones run beside each other.

mod checks_run;
mod performance;
mod planted;
mod traced;
