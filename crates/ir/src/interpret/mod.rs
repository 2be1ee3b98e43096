//! What does the program do? Runs linked units exactly as the compiled original would on x86-64 with gcc: the same
//! bytes on standard output, the same exit status. A program that is not well defined ends in a [`Trap`], never in a
//! wrong answer and never in a panic.
//!
//! Checked: bounds and lifetime of every object, bytes that were never written, null, signed overflow (unless it
//! wraps), shifts and conversions out of range, division by zero. Not checked: strict aliasing, unsequenced effects
//! (the front end makes those opaque), use of an object after its block but before its function or the next
//! iteration ends. Known approximations: `long double` has the precision of `double`; addresses differ from a real
//! run's; a bit-field that was never written is not noticed beside one that was; directives run as if absent, on one
//! thread. Functions of the library are in `library`; any other function without a body is a trap.

mod arithmetic;
mod calls;
mod code;
mod compile;
mod complex;
mod host;
mod library;
mod machine;
mod memory;
mod observer;
pub mod observers;
mod start;
#[cfg(test)]
mod tests;

use crate::{FunctionRef, StmtId, Unit};
pub use code::{LoopKey, Object, Site};
use ferry_source::Origin;
pub use observer::{Access, AccessKind, LoopEvent, Observer, Silent, View};
use start::Task;

/// How a program runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program's name and arguments, as `argv` has them.
    pub arguments: Vec<String>,
    /// Operations before the run is given up.
    pub step_limit: u64,
    /// Nested calls before the run is a trap.
    pub depth_limit: usize,
    /// Bytes of memory alive at once before the run is a trap; one object is smaller than 4 GiB.
    pub memory_limit: u64,
    /// Bytes of output before the run is a trap.
    pub output_limit: usize,
    /// Signed arithmetic wraps, whatever the unit says.
    pub wrapping: bool,
    /// Reading bytes that were never written is a trap; else they are zeros.
    pub check_uninitialised: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            arguments: vec!["a.out".into()],
            step_limit: 10_000_000_000,
            depth_limit: 100_000,
            memory_limit: 4 << 30,
            output_limit: 256 << 20,
            wrapping: false,
            check_uninitialised: true,
        }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Exit {
    /// With this status, 0 to 255. `abort` gives 134, as a shell says it.
    Code(i32),
    /// The program did what C does not define, or what the interpreter does not know.
    Trap(Trap),
    /// More operations than allowed.
    StepLimit,
}

/// Where and why a run could not go on.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// In words.
    pub why: String,
    /// Number of the unit among those given.
    pub unit: u32,
    /// The function, `None` for the initial values of globals.
    pub function: Option<FunctionRef>,
    /// The statement.
    pub statement: StmtId,
    /// The place that was read or written, or the statement.
    pub origin: Origin,
}

/// What a run gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub exit: Exit,
    /// Operations that were run. With an observer there are more than without one.
    pub steps: u64,
    /// What the function gave that [`call`] called: an integer or pointer as its value, a floating value as the
    /// bits of an `f64`.
    pub returned: Option<i128>,
}

/// An argument of [`call`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Argument {
    /// An integer.
    Int(i128),
    /// A floating value.
    Float(f64),
    /// The address of the byte at an offset in a buffer, by the buffer's number.
    Buffer(usize, u64),
}

/// Runs the program's `main`.
pub fn run(units: &[Unit], options: &Options, observer: &mut impl Observer) -> Outcome {
    perform(units, Task::Main, options, observer)
}

/// Runs one function of external linkage. The buffers are objects of their own, whose bytes all have values; when
/// the run ends they hold what it left there.
pub fn call(
    units: &[Unit],
    function: &str,
    arguments: &[Argument],
    buffers: &mut [Vec<u8>],
    options: &Options,
    observer: &mut impl Observer,
) -> Outcome {
    let task = Task::Function {
        name: function,
        arguments,
        buffers,
    };
    perform(units, task, options, observer)
}

/// Chooses between two machines that are compiled here, and not anew (perhaps without optimisation) in each crate
/// that has an observer.
fn perform<O: Observer>(units: &[Unit], task: Task<'_>, options: &Options, observer: &mut O) -> Outcome {
    if O::ENABLED {
        start::perform_watched(units, task, options, observer)
    } else {
        start::perform_silently(units, task, options)
    }
}
