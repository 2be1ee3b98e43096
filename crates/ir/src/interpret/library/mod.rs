//! Which functions of the C library does the interpreter know? A table by name; arguments and results are registers.
//!
//! One thread, the "C" locale, no files: `fopen` fails, standard input is empty. Time is made of counted operations,
//! so that runs are repeatable. `long double` functions compute in `f64`.

mod bits;
mod characters;
mod complex;
mod format;
mod input;
mod math;
mod numbers;
mod objects;
mod output;
mod process;
mod random;
mod sort;
mod strings;

use super::code::Site;
use super::machine::Stop;
use super::memory::Memory;
use super::observer::AccessKind;
pub(super) use process::{environment_object, lose_buffered};

/// A library function: argument registers in, result register out (made canonical by the caller). A complex number is
/// two registers in, and the real part out; the imaginary part of a result is left in [`State::imaginary`].
pub(super) type LibraryFunction = fn(&mut dyn Host, &[u64]) -> Result<u64, Stop>;

/// What a library function may use of the machine.
pub(super) trait Host {
    /// All objects.
    fn memory(&mut self) -> &mut Memory;
    /// What the library remembers between calls.
    fn state(&mut self) -> &mut State;
    /// Tells the observer of an access.
    fn touch(&mut self, kind: AccessKind, address: u64, size: u64);
    /// The call.
    fn site(&self) -> Site;
    /// Calls a function of the program by its address.
    fn call_back(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Stop>;
    /// A new object on the heap; 0 where no machine has so much memory.
    fn allocate(&mut self, size: u64, defined: bool) -> Result<u64, Stop>;
    /// The end of an object on the heap.
    fn release(&mut self, address: u64) -> Result<(), Stop>;
    /// A new object that lives until the calling function returns.
    fn allocate_in_frame(&mut self, size: u64) -> Result<u64, Stop>;
    /// Address of the variable arguments of the calling function.
    fn variable_arguments(&self) -> u64;
    /// The bytes of the record that is returned.
    fn return_record(&mut self, bytes: Vec<u8>);
    /// Operations so far.
    fn steps(&self) -> u64;
    /// Counts work.
    fn spend(&mut self, steps: u64) -> Result<(), Stop>;
}

/// What the library remembers between calls.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) stdout: Vec<u8>,
    /// How much of `stdout` the program has certainly flushed.
    pub(super) flushed: usize,
    pub(super) stderr: Vec<u8>,
    /// Addresses of the `FILE` objects of the standard streams: input, output, error.
    pub(super) streams: [u64; 3],
    pub(super) random: random::Random,
    pub(super) exit_functions: Vec<u64>,
    pub(super) strtok: u64,
    pub(super) error_number: u64,
    /// The imaginary part of a complex result, until it is fetched: the bits of an `f64`, like the real part.
    pub(super) imaginary: u64,
    pub(super) character_tables: [u64; 3],
    pub(super) program_name: String,
    /// At most so many bytes of output are kept; more is a trap.
    pub(super) output_limit: usize,
}

/// The function with this name.
pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    let name = name
        .strip_prefix("__builtin___")
        .map(|rest| rest.strip_suffix("_chk").unwrap_or(rest))
        .unwrap_or(name);
    let name = match name.strip_prefix("__builtin_") {
        Some(rest) if !rest.starts_with("va_") => rest,
        _ => name,
    };
    output::find(name)
        .or_else(|| objects::find(name))
        .or_else(|| strings::find(name))
        .or_else(|| math::find(name))
        .or_else(|| complex::find(name))
        .or_else(|| numbers::find(name))
        .or_else(|| random::find(name))
        .or_else(|| sort::find(name))
        .or_else(|| process::find(name))
        .or_else(|| characters::find(name))
        .or_else(|| bits::find(name))
        .or_else(|| input::find(name))
}

/// Argument number `index`, 0 if it is missing.
fn arg(arguments: &[u64], index: usize) -> u64 {
    arguments.get(index).copied().unwrap_or(0)
}

/// Argument as `int`.
fn int(arguments: &[u64], index: usize) -> i32 {
    arg(arguments, index) as i32
}

/// Argument as `double`.
fn double(arguments: &[u64], index: usize) -> f64 {
    f64::from_bits(arg(arguments, index))
}

/// Reads bytes and tells the observer.
fn read(host: &mut dyn Host, address: u64, size: u64) -> Result<Vec<u8>, Stop> {
    let bytes = host.memory().read(address, size)?.to_vec();
    host.touch(AccessKind::Read, address, size);
    host.spend(size / 8)?;
    Ok(bytes)
}

/// Reads a string, without its zero, and tells the observer.
fn string(host: &mut dyn Host, address: u64) -> Result<Vec<u8>, Stop> {
    let bytes = host.memory().c_string(address)?.to_vec();
    host.touch(AccessKind::Read, address, bytes.len() as u64 + 1);
    host.spend(bytes.len() as u64 / 8)?;
    Ok(bytes)
}

/// Writes bytes and tells the observer.
fn write(host: &mut dyn Host, address: u64, bytes: &[u8]) -> Result<(), Stop> {
    host.memory().write(address, bytes)?;
    host.touch(AccessKind::Write, address, bytes.len() as u64);
    host.spend(bytes.len() as u64 / 8)
}

/// Address of an object of the library's own, made at the first use.
fn own_object(host: &mut dyn Host, bytes: &[u8]) -> Result<u64, Stop> {
    let memory = host.memory();
    let address = memory
        .allocate(bytes.len() as u64, true, super::code::Object::Environment)
        .ok_or_else(|| Stop::from("memory is exhausted"))?;
    memory.write(address, bytes)?;
    Ok(address)
}
