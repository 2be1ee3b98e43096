//! Who watches a run? An observer is told every access, loop, call and object; one that does nothing costs nothing.

use super::code::{LoopKey, Object, Site};
use crate::FunctionRef;

/// Reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Memory is read.
    Read,
    /// Memory is written.
    Write,
}

/// One access to memory while the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Read or write.
    pub kind: AccessKind,
    /// Number of the place in the program, the same for the same place.
    pub site: u32,
    /// That place.
    pub at: &'a Site,
    /// First byte.
    pub address: u64,
    /// How many bytes.
    pub size: u64,
    /// Number of the object, never used twice in a run.
    pub allocation: u64,
    /// What the object is.
    pub object: Object,
    /// First byte, counted from the start of the object.
    pub offset: u64,
}

/// What happens in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopEvent {
    /// Its `init` has run (that belongs to what surrounds the loop) and the first test comes.
    Enter,
    /// The condition is about to be evaluated.
    Test,
    /// The body begins, for the `n`-th time, counted from 0.
    Body(u64),
    /// The step begins.
    Step,
    /// The loop is left, by its condition or by a jump or `return`.
    Exit,
}

/// Watches a run. All methods do nothing by default.
pub trait Observer {
    /// False if no method does anything: the program then runs without calling them.
    const ENABLED: bool = true;

    /// Memory is read or written by the program or by a library function that it calls. A bit-field access
    /// is said to touch all the bytes that hold some of its bits.
    fn access(&mut self, _access: &Access<'_>) {}

    /// A new object begins its life. Arguments are stored in parameters without an access.
    fn allocated(&mut self, _allocation: u64, _object: Object, _size: u64) {}

    /// An object ends its life.
    fn released(&mut self, _allocation: u64) {}

    /// Something happens in a loop.
    fn loop_event(&mut self, _loop: LoopKey, _event: LoopEvent) {}

    /// A function with a body begins. `site` is the call.
    fn call(&mut self, _unit: u32, _function: FunctionRef, _site: &Site) {}

    /// A function with a body ends.
    fn leave(&mut self, _unit: u32, _function: FunctionRef) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const ENABLED: bool = false;
}
