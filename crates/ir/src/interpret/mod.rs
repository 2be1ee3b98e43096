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
mod code;
mod compile;
mod library;
mod machine;
mod memory;
mod observer;
pub mod observers;
#[cfg(test)]
mod tests;

use crate::{FunctionRef, StmtId, Unit};
pub use code::{LoopKey, Object, Site};
use code::{Program, Scalar};
use ferry_source::Origin;
use library::State;
use machine::{Machine, Stop, StopKind};
use memory::Memory;
pub use observer::{Access, AccessKind, LoopEvent, Observer, Silent, View};

/// Stack of the thread that resolves the program: deep nesting of expressions is deep recursion there.
const STACK: usize = 1 << 30;

/// How a program runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program's name and arguments, as `argv` has them.
    pub arguments: Vec<String>,
    /// Operations before the run is given up.
    pub step_limit: u64,
    /// Nested calls before the run is a trap.
    pub depth_limit: usize,
    /// Bytes of memory alive at once; allocation fails beyond.
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
    with_program(units, options, observer, |machine| {
        let Some(main) = machine.program.main else {
            return Err("the program has no main function".into());
        };
        let arguments = command_line(&mut machine.memory, &options.arguments)
            .ok_or_else(|| Stop::from("the arguments do not fit in memory"))?;
        let status = machine.call_code(main, &arguments)?;
        Err(StopKind::Exit(status.0 as i32 & 0xff).into())
    })
}

/// Runs one function of external linkage. The buffers are objects of their own, whose bytes all have values; when
/// the function has returned they hold what it left there.
pub fn call(
    units: &[Unit],
    function: &str,
    arguments: &[Argument],
    buffers: &mut [Vec<u8>],
    options: &Options,
    observer: &mut impl Observer,
) -> Outcome {
    let mut left = Vec::new();
    let outcome = with_program(units, options, observer, |machine| {
        let number = machine
            .program
            .functions
            .iter()
            .position(|callable| callable.name == function);
        let Some(number) = number else {
            return Err(format!("there is no function {function}").into());
        };
        let mut addresses = Vec::new();
        for (number, buffer) in buffers.iter().enumerate() {
            let size = buffer.len() as u64;
            let address = machine
                .memory
                .allocate(size, true, Object::Buffer(number as u32))
                .ok_or_else(|| Stop::from("memory is exhausted"))?;
            machine.memory.write(address, buffer)?;
            machine.born(address, size);
            addresses.push(address);
        }
        let mut values = Vec::new();
        for &argument in arguments {
            values.push(match argument {
                Argument::Int(value) => (value as u64, Scalar::I64),
                Argument::Float(value) => (value.to_bits(), Scalar::F64),
                Argument::Buffer(number, offset) => match addresses.get(number) {
                    Some(address) => (address.wrapping_add(offset), Scalar::U64),
                    None => return Err("there is no such buffer".into()),
                },
            });
        }
        let result = machine.call_code(number as u32, &values);
        for (address, buffer) in addresses.iter().zip(buffers.iter()) {
            left.push(machine.memory.read(*address, buffer.len() as u64)?.to_vec());
        }
        result.map(Some)
    });
    for (buffer, bytes) in buffers.iter_mut().zip(left) {
        *buffer = bytes;
    }
    let kind = units.iter().find_map(|unit| {
        let function = unit
            .functions
            .iter()
            .find(|candidate| candidate.name == function)?;
        match unit.types.get(function.ty) {
            crate::Type::Function { result, .. } => compile::scalar_of(unit, *result),
            _ => None,
        }
    });
    let returned = outcome.returned.and_then(|value| {
        let (low, high) = (value as u64, (value >> 64) as u64);
        let kind = kind?;
        Some(match kind.is_float() {
            true => i128::from(arithmetic::float(kind, low).to_bits()),
            false => arithmetic::integer(kind, low, high),
        })
    });
    Outcome { returned, ..outcome }
}

/// Links, resolves and initialises, then runs `body`.
fn with_program<O: Observer>(
    units: &[Unit],
    options: &Options,
    observer: &mut O,
    body: impl FnOnce(&mut Machine<'_, O>) -> Result<Option<(u64, u64)>, Stop>,
) -> Outcome {
    let mut memory = Memory::new(options.memory_limit, options.check_uninitialised);
    let mut state = State {
        output_limit: options.output_limit,
        program_name: options.arguments.first().cloned().unwrap_or_default(),
        ..State::default()
    };
    let wrapping = options.wrapping || units.iter().any(|unit| unit.dialect.wrapping);
    let prepared = prepare(units, &mut memory, &mut state, O::ENABLED, wrapping);
    let (program, constants) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => {
            let exit = Exit::Trap(Trap {
                why,
                unit: 0,
                function: None,
                statement: StmtId(0),
                origin: Origin::New,
            });
            return Outcome {
                stdout: Vec::new(),
                stderr: Vec::new(),
                exit,
                steps: 0,
                returned: None,
            };
        }
    };
    let mut machine = Machine::new(
        &program,
        memory,
        state,
        observer,
        options.step_limit,
        options.depth_limit,
        wrapping,
    );
    let mut result = program
        .initial
        .iter()
        .try_for_each(|code| machine.run_initial(code))
        .map(|()| None);
    if result.is_ok() {
        constants
            .iter()
            .for_each(|&address| machine.memory.protect(address));
        result = body(&mut machine);
    }
    if let Err(Stop(kind)) = &result
        && let StopKind::Exit(status) = **kind
    {
        let status = StopKind::Exit(status).into();
        result = Err(run_exit_functions(&mut machine).err().unwrap_or(status));
    }
    let mut returned = None;
    let exit = match result {
        Ok(value) => {
            returned = value.map(|(low, high)| (u128::from(low) | u128::from(high) << 64) as i128);
            Exit::Code(0)
        }
        Err(Stop(kind)) => match *kind {
            StopKind::Exit(status) => Exit::Code(status),
            StopKind::Abort => {
                library::lose_buffered(&mut machine);
                Exit::Code(134)
            }
            StopKind::StepLimit => Exit::StepLimit,
            StopKind::Trap(why) => {
                let site = program.sites.get(machine.stopped_at as usize);
                Exit::Trap(Trap {
                    why,
                    unit: site.map_or(0, |site| site.unit),
                    function: site.and_then(|site| site.function),
                    statement: site.map_or(StmtId(0), |site| site.statement),
                    origin: site.map_or(Origin::New, |site| site.origin),
                })
            }
        },
    };
    let steps = machine.steps;
    let State { stdout, stderr, .. } = machine.state;
    Outcome {
        stdout,
        stderr,
        exit,
        steps,
        returned,
    }
}

fn run_exit_functions<O: Observer>(machine: &mut Machine<'_, O>) -> Result<(), Stop> {
    use library::Host;
    while let Some(function) = machine.state.exit_functions.pop() {
        machine.call_back(function, &[])?;
    }
    Ok(())
}

/// Links and compiles on a thread with a large stack, since nesting can be deep.
fn prepare(
    units: &[Unit],
    memory: &mut Memory,
    state: &mut State,
    observe: bool,
    wrapping: bool,
) -> Result<(Program, Vec<u64>), String> {
    std::thread::scope(|scope| {
        let work = move || {
            let mut tables = compile::Tables::default();
            let mut environment =
                |memory: &mut Memory, name: &str| library::environment_object(memory, state, name);
            let linked = compile::link(units, memory, &mut tables, &mut environment)?;
            linked.compile(&mut tables, observe, wrapping);
            Ok((tables.program, linked.constants()))
        };
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("no thread for the interpreter: {error}"))?;
        thread
            .join()
            .unwrap_or_else(|_| Err("the program could not be resolved".into()))
    })
}

/// `argc`, `argv`, `envp`.
fn command_line(memory: &mut Memory, arguments: &[String]) -> Option<Vec<(u64, Scalar)>> {
    let mut pointers = Vec::new();
    for argument in arguments {
        let mut bytes = argument.clone().into_bytes();
        bytes.push(0);
        let address = memory.allocate(bytes.len() as u64, true, Object::Environment)?;
        memory.write(address, &bytes).ok()?;
        pointers.extend(address.to_le_bytes());
    }
    pointers.extend([0; 8]);
    let list = memory.allocate(pointers.len() as u64, true, Object::Environment)?;
    memory.write(list, &pointers).ok()?;
    let environment = memory.allocate(8, true, Object::Environment)?;
    let count = arguments.len() as u64;
    Some(vec![
        (count, Scalar::I32),
        (list, Scalar::U64),
        (environment, Scalar::U64),
    ])
}
