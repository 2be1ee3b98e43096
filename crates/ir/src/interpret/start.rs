//! How does a run begin and end? Links, resolves, initialises, runs a task, and says how it ended.

use super::code::{Object, Program, Scalar};
use super::library::{self, Host, State};
use super::machine::{Machine, Stop, StopKind};
use super::memory::Memory;
use super::observer::{Dynamic, Observer, Silent, Watch};
use super::{Argument, Exit, Options, Outcome, Trap, arithmetic, compile};
use crate::{StmtId, Unit};
use ferry_source::Origin;

/// Stack of the thread that resolves the program: deep nesting of expressions is deep recursion there.
const STACK: usize = 1 << 30;

/// What is to be run.
pub(super) enum Task<'a> {
    /// `main` with the arguments of the options.
    Main,
    /// One function.
    Function {
        name: &'a str,
        arguments: &'a [Argument],
        /// Read before and written after the run.
        buffers: &'a mut [Vec<u8>],
    },
}

/// Runs without an observer.
pub(super) fn perform_silently(units: &[Unit], task: Task<'_>, options: &Options) -> Outcome {
    perform(units, task, options, &mut Silent)
}

/// Runs with an observer.
pub(super) fn perform_watched(
    units: &[Unit],
    task: Task<'_>,
    options: &Options,
    observer: &mut dyn Watch,
) -> Outcome {
    perform(units, task, options, &mut Dynamic(observer))
}

fn perform<O: Observer>(units: &[Unit], mut task: Task<'_>, options: &Options, observer: &mut O) -> Outcome {
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
        result = begin(&mut machine, units, &mut task, &options.arguments);
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
            returned = value;
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
    machine.leave_everything();
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
    while let Some(function) = machine.state.exit_functions.pop() {
        machine.call_back(function, &[])?;
    }
    Ok(())
}

/// Runs the task in a program whose globals have their initial values.
fn begin<O: Observer>(
    machine: &mut Machine<'_, O>,
    units: &[Unit],
    task: &mut Task<'_>,
    command: &[String],
) -> Result<Option<i128>, Stop> {
    match task {
        Task::Main => {
            let Some(main) = machine.program.main else {
                return Err("the program has no main function".into());
            };
            let arguments = command_line(&mut machine.memory, command)
                .ok_or_else(|| Stop::from("the arguments do not fit in memory"))?;
            let status = machine.call_code(main, &arguments)?;
            Err(StopKind::Exit(status.0 as i32 & 0xff).into())
        }
        Task::Function {
            name,
            arguments,
            buffers,
        } => {
            let number = machine
                .program
                .functions
                .iter()
                .position(|callable| callable.name == *name);
            let Some(number) = number else {
                return Err(format!("there is no function {name}").into());
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
            for &argument in arguments.iter() {
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
            for (&address, buffer) in addresses.iter().zip(buffers.iter_mut()) {
                // The function may have freed a buffer: then it keeps its old bytes.
                if let Ok((bytes, _)) = machine.memory.raw(address, buffer.len() as u64) {
                    buffer.copy_from_slice(bytes);
                }
            }
            let (low, high) = result?;
            let callable = &machine.program.functions[number];
            let unit = &units[callable.unit as usize];
            let kind = match unit.types.get(unit.function(callable.function).ty) {
                crate::Type::Function { result, .. } => compile::scalar_of(unit, *result),
                _ => None,
            };
            Ok(kind.map(|kind| match kind.is_float() {
                true => i128::from(arithmetic::float(kind, low).to_bits()),
                false => arithmetic::integer(kind, low, high),
            }))
        }
    }
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
