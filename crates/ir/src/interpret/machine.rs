//! How does the program run? One loop over operations; calls push frames, so that deep recursion of the program is
//! no recursion here (only callbacks from library functions are).

use super::arithmetic;
use super::code::*;
use super::library::{Host, LibraryFunction, State};
use super::memory::{FUNCTION_BASE, Fault, Memory};
use super::observer::{Access, AccessKind, LoopEvent, Observer, View};

/// Library functions that call back into the program may be nested this deep.
const CALLBACKS: u32 = 64;

/// Why a run ends before the program's end.
#[derive(Debug)]
pub(super) struct Stop(pub(super) Box<StopKind>);

/// The reasons.
#[derive(Debug)]
pub(super) enum StopKind {
    Exit(i32),
    /// `abort`.
    Abort,
    Trap(String),
    StepLimit,
}

impl From<Fault> for Stop {
    fn from(why: Fault) -> Stop {
        Stop(Box::new(StopKind::Trap(why)))
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Stop {
        Stop::from(why.to_string())
    }
}

impl From<StopKind> for Stop {
    fn from(kind: StopKind) -> Stop {
        Stop(Box::new(kind))
    }
}

/// One call of a function of the program.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: u32,
    pc: u32,
    base: usize,
    /// Address of the variable arguments, 0 if there are none.
    arguments: u64,
    /// The register of the caller that gets the result, absolute.
    result: usize,
    result_kind: Option<Scalar>,
    /// How many objects `alloca` had given before.
    dynamic: usize,
    /// The caller is not code but [`Machine::call_code`].
    boundary: bool,
}

/// A loop that runs now.
#[derive(Clone, Copy, Debug)]
struct RunningLoop {
    info: u32,
    iterations: u64,
}

/// A running program.
pub(super) struct Machine<'p, O: Observer> {
    pub(super) program: &'p Program,
    pub(super) memory: Memory,
    pub(super) state: State,
    pub(super) observer: &'p mut O,
    library: Vec<Option<LibraryFunction>>,
    registers: Vec<u64>,
    frames: Vec<Frame>,
    loops: Vec<RunningLoop>,
    dynamic: Vec<u64>,
    /// Bytes of the record that was returned last, with their shadow.
    record: (Vec<u8>, Vec<u8>),
    returned: (u64, u64),
    pub(super) steps: u64,
    step_limit: u64,
    depth_limit: usize,
    callbacks: u32,
    wrapping: bool,
    /// The site of the operation that stopped.
    pub(super) stopped_at: u32,
}

macro_rules! stop_unless {
    ($condition:expr, $why:expr) => {
        if !$condition {
            return Err(Stop::from($why));
        }
    };
}

impl<'p, O: Observer> Machine<'p, O> {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        program: &'p Program,
        memory: Memory,
        state: State,
        observer: &'p mut O,
        step_limit: u64,
        depth_limit: usize,
        wrapping: bool,
    ) -> Machine<'p, O> {
        let library = program
            .functions
            .iter()
            .map(|callable| {
                if callable.code.is_some() {
                    None
                } else {
                    super::library::find(&callable.name)
                }
            })
            .collect();
        Machine {
            program,
            memory,
            state,
            observer,
            library,
            registers: Vec::new(),
            frames: Vec::new(),
            loops: Vec::new(),
            dynamic: Vec::new(),
            record: (Vec::new(), Vec::new()),
            returned: (0, 0),
            steps: 0,
            step_limit,
            depth_limit,
            callbacks: 0,
            wrapping,
            stopped_at: 0,
        }
    }

    /// Runs code that belongs to no function, to its return.
    pub(super) fn run_initial(&mut self, code: &'p Code) -> Result<(), Stop> {
        self.registers.resize(code.registers as usize + 8, 0);
        self.frames.push(Frame {
            function: u32::MAX,
            pc: code.entry,
            base: 0,
            arguments: 0,
            result: 0,
            result_kind: None,
            dynamic: 0,
            boundary: true,
        });
        self.execute(code)
    }

    /// Calls function number `function` with canonical arguments, and gives the registers that it returns.
    pub(super) fn call_code(
        &mut self,
        function: u32,
        arguments: &[(u64, Scalar)],
    ) -> Result<(u64, u64), Stop> {
        let program = self.program;
        let Some(callable) = program.functions.get(function as usize) else {
            return Err("a call of what is not a function".into());
        };
        let Some(code) = &callable.code else {
            let values: Vec<u64> = arguments.iter().map(|&(value, _)| value).collect();
            return Ok((self.call_library(function, &values)?, 0));
        };
        stop_unless!(self.callbacks < CALLBACKS, "callbacks are nested too deep");
        self.callbacks += 1;
        let top = self
            .frames
            .last()
            .map_or(0, |frame| frame.base + self.frame_size(frame.function));
        // The arguments lie in registers above the caller's, as those of a call site do.
        self.registers
            .resize((top + arguments.len() * 2 + 8).max(self.registers.len()), 0);
        let mut values = Vec::new();
        for (number, &(value, kind)) in arguments.iter().enumerate() {
            self.registers[top + 2 * number] = value;
            values.push(Argument::Scalar {
                register: 2 * number as u32,
                kind,
            });
        }
        let saved = self.frames.last().map(|frame| frame.pc);
        self.enter(function, code, &values, top, top + arguments.len() * 2, None)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.boundary = true;
        }
        self.execute(code)?;
        if let (Some(frame), Some(pc)) = (self.frames.last_mut(), saved) {
            frame.pc = pc;
        }
        self.callbacks -= 1;
        Ok(self.returned)
    }

    fn frame_size(&self, function: u32) -> usize {
        let code = self
            .program
            .functions
            .get(function as usize)
            .and_then(|callable| callable.code.as_ref());
        // Initial values run in a frame of their own, at the bottom, and call nothing.
        code.map_or(0, |code| code.registers as usize) + 2
    }

    /// Pushes a frame; the arguments' registers are relative to `from`.
    fn enter(
        &mut self,
        function: u32,
        code: &'p Code,
        arguments: &[Argument],
        from: usize,
        base: usize,
        result: Option<(Reg, Scalar)>,
    ) -> Result<(), Stop> {
        stop_unless!(self.frames.len() < self.depth_limit, "calls are nested too deep");
        let needed = base + code.registers as usize + 8;
        if self.registers.len() < needed {
            self.registers.resize(needed + needed / 2, 0);
        }
        for &slot in &code.slots {
            self.registers[base + slot as usize] = 0;
        }
        for (number, &parameter) in code.parameters.iter().enumerate() {
            let argument = arguments.get(number).copied();
            match (parameter, argument) {
                (Parameter::Register { register, kind }, Some(argument)) => {
                    let (low, high) = self.argument(argument, kind, from)?;
                    self.registers[base + register as usize] = low;
                    if kind.is_wide() {
                        self.registers[base + register as usize + 1] = high;
                    }
                }
                (Parameter::Memory { slot, kind, local }, argument) => {
                    let address = self.new_object(kind.size(), local)?;
                    self.registers[base + slot as usize] = address;
                    if let Some(argument) = argument {
                        let (low, high) = self.argument(argument, kind, from)?;
                        self.store_scalar(kind, address, low, high)?;
                    }
                }
                (Parameter::Record { slot, size, local }, argument) => {
                    let address = self.new_object(size, local)?;
                    self.registers[base + slot as usize] = address;
                    if let Some(Argument::Record {
                        address: source,
                        size: given,
                    }) = argument
                    {
                        let source = self.registers[from + source as usize];
                        self.memory.copy(address, source, size.min(given))?;
                    }
                }
                (Parameter::Register { register, .. }, None) => self.registers[base + register as usize] = 0,
            }
        }
        let mut area = 0;
        if code.variadic && arguments.len() > code.parameters.len() {
            area = self.variable_arguments(&arguments[code.parameters.len()..], from)?;
        }
        self.frames.push(Frame {
            function,
            pc: code.entry,
            base,
            arguments: area,
            result: from + result.map_or(0, |(register, _)| register as usize),
            result_kind: result.map(|(_, kind)| kind),
            dynamic: self.dynamic.len(),
            boundary: false,
        });
        if area != 0 {
            self.dynamic.push(area);
        }
        if O::ENABLED {
            let callable = &self.program.functions[function as usize];
            let site = &self.program.sites[self.stopped_at as usize];
            self.observer.call(callable.unit, callable.function, site);
        }
        Ok(())
    }

    fn argument(&self, argument: Argument, kind: Scalar, from: usize) -> Result<(u64, u64), Stop> {
        match argument {
            Argument::Scalar {
                register,
                kind: given,
            } => {
                let low = self.registers[from + register as usize];
                let high = if given.is_wide() {
                    self.registers[from + register as usize + 1]
                } else {
                    0
                };
                if given == kind {
                    Ok((low, high))
                } else {
                    Ok(arithmetic::cast(given, kind, low, high)?)
                }
            }
            Argument::Record { .. } => Err("a record is given for a scalar parameter".into()),
        }
    }

    /// Stores variable arguments as the System V ABI does in the overflow area: 8 bytes each, 16 for wide ones.
    fn variable_arguments(&mut self, arguments: &[Argument], from: usize) -> Result<u64, Stop> {
        let mut bytes: Vec<u8> = Vec::new();
        for &argument in arguments {
            match argument {
                Argument::Scalar { register, kind } => {
                    let low = self.registers[from + register as usize];
                    if kind.size() == 16 {
                        bytes.resize(bytes.len().next_multiple_of(16), 0);
                    }
                    match kind {
                        Scalar::F80 => bytes.extend(arithmetic::to_f80(f64::from_bits(low))),
                        kind if kind.is_wide() => {
                            bytes.extend(low.to_le_bytes());
                            bytes.extend(self.registers[from + register as usize + 1].to_le_bytes());
                        }
                        _ => bytes.extend(low.to_le_bytes()),
                    }
                }
                Argument::Record { address, size } => {
                    let address = self.registers[from + address as usize];
                    bytes.extend(self.memory.raw(address, size)?.0);
                    bytes.resize(bytes.len().next_multiple_of(8), 0);
                }
            }
        }
        let area = self
            .memory
            .allocate(bytes.len() as u64, true, Object::Environment)
            .ok_or_else(|| Stop::from("memory is exhausted"))?;
        self.memory.write(area, &bytes)?;
        Ok(area)
    }

    fn new_object(&mut self, size: u64, local: u32) -> Result<u64, Stop> {
        let object = self.program.locals[local as usize];
        let Some(address) = self.memory.allocate(size, false, object) else {
            return Err("memory is exhausted".into());
        };
        self.born(address, size);
        Ok(address)
    }

    /// Tells the observer of a new object.
    pub(super) fn born(&mut self, address: u64, size: u64) {
        if O::ENABLED
            && let Some(allocation) = self.memory.find(address)
        {
            self.observer
                .allocated(allocation.serial, allocation.object, size);
        }
    }

    pub(super) fn release(&mut self, address: u64) -> Result<(), Stop> {
        let serial = self.memory.find(address).map(|allocation| allocation.serial);
        self.memory.release(address)?;
        if O::ENABLED
            && let Some(serial) = serial
        {
            self.observer.released(serial);
        }
        Ok(())
    }

    /// Pops the frame. True if its caller is not code.
    fn leave(&mut self, value: (u64, u64)) -> Result<bool, Stop> {
        let Some(frame) = self.frames.pop() else {
            return Ok(true);
        };
        if let Some(callable) = self.program.functions.get(frame.function as usize) {
            if let Some(code) = &callable.code {
                for &slot in &code.slots {
                    let address = self.registers[frame.base + slot as usize];
                    if address != 0 {
                        self.release(address)?;
                    }
                }
            }
            if O::ENABLED {
                self.observer.leave(callable.unit, callable.function);
            }
        }
        while self.dynamic.len() > frame.dynamic {
            if let Some(address) = self.dynamic.pop() {
                self.release(address)?;
            }
        }
        self.returned = value;
        if let Some(kind) = frame.result_kind
            && !frame.boundary
        {
            self.registers[frame.result] = value.0;
            if kind.is_wide() {
                self.registers[frame.result + 1] = value.1;
            }
        }
        Ok(frame.boundary)
    }

    /// Tells the observer of an access that was allowed.
    #[inline(always)]
    fn observe(&mut self, kind: AccessKind, site: u32, address: u64, size: u64) {
        if O::ENABLED
            && let Some(allocation) = self.memory.find(address)
        {
            self.observer.access(&Access {
                kind,
                site,
                at: &self.program.sites[site as usize],
                address,
                size,
                allocation: allocation.serial,
                object: allocation.object,
                offset: address & 0xffff_ffff,
            });
        }
    }

    fn load_scalar(&self, kind: Scalar, address: u64) -> Result<(u64, u64), Fault> {
        use Scalar::*;
        let memory = &self.memory;
        Ok(match kind {
            Bool => match memory.load::<1>(address)?[0] {
                value @ 0..=1 => (u64::from(value), 0),
                value => return Err(format!("a _Bool that holds {value}")),
            },
            I8 => (memory.load::<1>(address)?[0] as i8 as u64, 0),
            U8 => (u64::from(memory.load::<1>(address)?[0]), 0),
            I16 => (i16::from_le_bytes(memory.load(address)?) as u64, 0),
            U16 => (u64::from(u16::from_le_bytes(memory.load(address)?)), 0),
            I32 => (i32::from_le_bytes(memory.load(address)?) as u64, 0),
            U32 | F32 => (u64::from(u32::from_le_bytes(memory.load(address)?)), 0),
            I64 | U64 | F64 => (u64::from_le_bytes(memory.load(address)?), 0),
            I128 | U128 => {
                let value = u128::from_le_bytes(memory.load(address)?);
                (value as u64, (value >> 64) as u64)
            }
            F80 => {
                // The last six bytes are padding, which a copy of a part may leave without a value.
                let mut bytes = [0; 16];
                bytes[..10].copy_from_slice(&memory.load::<10>(address)?);
                (arithmetic::from_f80(bytes).to_bits(), 0)
            }
        })
    }

    fn store_scalar(&mut self, kind: Scalar, address: u64, low: u64, high: u64) -> Result<(), Fault> {
        use Scalar::*;
        let memory = &mut self.memory;
        match kind {
            Bool | I8 | U8 => memory.store(address, [low as u8]),
            I16 | U16 => memory.store(address, (low as u16).to_le_bytes()),
            I32 | U32 | F32 => memory.store(address, (low as u32).to_le_bytes()),
            I64 | U64 | F64 => memory.store(address, low.to_le_bytes()),
            I128 | U128 => memory.store(address, (u128::from(low) | u128::from(high) << 64).to_le_bytes()),
            F80 => memory.store(address, arithmetic::to_f80(f64::from_bits(low))),
        }
    }

    /// Calls a library function.
    fn call_library(&mut self, function: u32, arguments: &[u64]) -> Result<u64, Stop> {
        match self.library.get(function as usize).copied().flatten() {
            Some(entry) => entry(self, arguments),
            None => {
                let name = self
                    .program
                    .functions
                    .get(function as usize)
                    .map_or("?", |callable| &callable.name);
                Err(format!("the function {name} is neither in the program nor in the library").into())
            }
        }
    }

    /// Runs until the frame on top returns, which must be a boundary.
    fn execute(&mut self, first: &'p Code) -> Result<(), Stop> {
        let program = self.program;
        let mut code = first;
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let mut pc = frame.pc as usize;
        let mut base = frame.base;
        let mut steps = 0u64;

        macro_rules! r {
            ($register:expr) => {
                self.registers[base + $register as usize]
            };
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => {
                        self.stopped_at = code.sites[pc - 1];
                        self.steps += steps;
                        return Err(Stop::from(stop));
                    }
                }
            };
        }
        macro_rules! checked {
            ($d:expr, $value:expr) => {
                match $value {
                    Some(value) => r!($d) = value as i64 as u64,
                    None => attempt!(Err("signed integer overflow")),
                }
            };
        }
        macro_rules! f64_op {
            ($d:expr, $a:expr, $b:expr, $op:tt) => {
                r!($d) = (f64::from_bits(r!($a)) $op f64::from_bits(r!($b))).to_bits()
            };
        }
        macro_rules! f32_op {
            ($d:expr, $a:expr, $b:expr, $op:tt) => {
                r!($d) = u64::from((f32::from_bits(r!($a) as u32) $op f32::from_bits(r!($b) as u32)).to_bits())
            };
        }
        macro_rules! load {
            ($d:expr, $address:expr, $size:literal, $convert:expr) => {{
                let address: u64 = $address;
                let bytes = attempt!(self.memory.load::<$size>(address));
                self.observe(AccessKind::Read, code.sites[pc - 1], address, $size);
                #[allow(clippy::redundant_closure_call)]
                {
                    r!($d) = $convert(bytes);
                }
            }};
        }
        macro_rules! jump {
            ($target:expr) => {{
                pc = $target as usize;
                if steps > 0xffff {
                    self.steps += steps;
                    steps = 0;
                    if self.steps > self.step_limit {
                        self.stopped_at = code.sites.get(pc).copied().unwrap_or(0);
                        return Err(StopKind::StepLimit.into());
                    }
                }
            }};
        }
        macro_rules! resume {
            ($boundary:expr) => {{
                if $boundary {
                    self.steps += steps;
                    return Ok(());
                }
                let Some(frame) = self.frames.last() else {
                    return Ok(());
                };
                pc = frame.pc as usize;
                base = frame.base;
                match program
                    .functions
                    .get(frame.function as usize)
                    .and_then(|callable| callable.code.as_ref())
                {
                    Some(next) => code = next,
                    None => return Err("a return to nowhere".into()),
                }
            }};
        }

        loop {
            let Some(&op) = code.ops.get(pc) else {
                return Err("the end of the code was passed".into());
            };
            pc += 1;
            steps += 1;
            match op {
                Op::Move { d, a } => r!(d) = r!(a),
                Op::MoveWide { d, a } => {
                    let (low, high) = (r!(a), r!(a + 1));
                    r!(d) = low;
                    r!(d + 1) = high;
                }
                Op::Const { d, low, high } => r!(d) = u64::from(low) | u64::from(high) << 32,
                Op::AddI32 { d, a, b } => checked!(d, (r!(a) as i32).checked_add(r!(b) as i32)),
                Op::SubI32 { d, a, b } => checked!(d, (r!(a) as i32).checked_sub(r!(b) as i32)),
                Op::MulI32 { d, a, b } => checked!(d, (r!(a) as i32).checked_mul(r!(b) as i32)),
                Op::AddI64 { d, a, b } => checked!(d, (r!(a) as i64).checked_add(r!(b) as i64)),
                Op::SubI64 { d, a, b } => checked!(d, (r!(a) as i64).checked_sub(r!(b) as i64)),
                Op::MulI64 { d, a, b } => checked!(d, (r!(a) as i64).checked_mul(r!(b) as i64)),
                Op::AddU32 { d, a, b } => r!(d) = u64::from((r!(a) as u32).wrapping_add(r!(b) as u32)),
                Op::SubU32 { d, a, b } => r!(d) = u64::from((r!(a) as u32).wrapping_sub(r!(b) as u32)),
                Op::MulU32 { d, a, b } => r!(d) = u64::from((r!(a) as u32).wrapping_mul(r!(b) as u32)),
                Op::AddU64 { d, a, b } => r!(d) = r!(a).wrapping_add(r!(b)),
                Op::SubU64 { d, a, b } => r!(d) = r!(a).wrapping_sub(r!(b)),
                Op::MulU64 { d, a, b } => r!(d) = r!(a).wrapping_mul(r!(b)),
                Op::And { d, a, b } => r!(d) = r!(a) & r!(b),
                Op::Or { d, a, b } => r!(d) = r!(a) | r!(b),
                Op::Xor { d, a, b } => r!(d) = r!(a) ^ r!(b),
                Op::AddF64 { d, a, b } => f64_op!(d, a, b, +),
                Op::SubF64 { d, a, b } => f64_op!(d, a, b, -),
                Op::MulF64 { d, a, b } => f64_op!(d, a, b, *),
                Op::DivF64 { d, a, b } => f64_op!(d, a, b, /),
                Op::AddF32 { d, a, b } => f32_op!(d, a, b, +),
                Op::SubF32 { d, a, b } => f32_op!(d, a, b, -),
                Op::MulF32 { d, a, b } => f32_op!(d, a, b, *),
                Op::DivF32 { d, a, b } => f32_op!(d, a, b, /),
                Op::Integer { op, kind, d, a, b } => {
                    let wide = kind.is_wide();
                    let (x, y) = if wide {
                        ((r!(a), r!(a + 1)), (r!(b), r!(b + 1)))
                    } else {
                        ((r!(a), 0), (r!(b), 0))
                    };
                    let (low, high) = attempt!(arithmetic::integer_binary(op, kind, x, y, self.wrapping));
                    r!(d) = low;
                    if wide {
                        r!(d + 1) = high;
                    }
                }
                Op::Shift { op, kind, d, a, b } => {
                    let wide = kind.is_wide();
                    let x = (r!(a), if wide { r!(a + 1) } else { 0 });
                    let (low, high) = attempt!(arithmetic::shift(op, kind, x, r!(b), self.wrapping));
                    r!(d) = low;
                    if wide {
                        r!(d + 1) = high;
                    }
                }
                Op::CompareWide { op, signed, d, a, b } => {
                    let (x, y) = ((r!(a), r!(a + 1)), (r!(b), r!(b + 1)));
                    r!(d) = u64::from(arithmetic::compare_wide(op, signed, x, y));
                }
                Op::Compare { compare, d, a, b } => r!(d) = u64::from(holds(compare, r!(a), r!(b))),
                Op::NegateF64 { d, a } => r!(d) = r!(a) ^ (1 << 63),
                Op::NegateF32 { d, a } => r!(d) = r!(a) ^ (1 << 31),
                Op::IsZero { d, a } => r!(d) = u64::from(r!(a) == 0),
                Op::SignExtend32 { d, a } => r!(d) = r!(a) as i32 as u64,
                Op::ZeroExtend32 { d, a } => r!(d) = r!(a) & 0xffff_ffff,
                Op::ZeroExtend8 { d, a } => r!(d) = r!(a) & 0xff,
                Op::IntToF64 { d, a } => r!(d) = (r!(a) as i64 as f64).to_bits(),
                Op::F32ToF64 { d, a } => r!(d) = f64::from(f32::from_bits(r!(a) as u32)).to_bits(),
                Op::F64ToF32 { d, a } => r!(d) = u64::from((f64::from_bits(r!(a)) as f32).to_bits()),
                Op::Cast { from, to, d, a } => {
                    let high = if from.is_wide() { r!(a + 1) } else { 0 };
                    let (low, high) = attempt!(arithmetic::cast(from, to, r!(a), high));
                    r!(d) = low;
                    if to.is_wide() {
                        r!(d + 1) = high;
                    }
                }
                Op::Index { scale, d, a, b } => {
                    r!(d) = r!(a).wrapping_add(r!(b).wrapping_mul(u64::from(scale)));
                }
                Op::PointerDifference { size, d, a, b } => {
                    r!(d) = ((r!(a).wrapping_sub(r!(b)) as i64) / i64::from(size.max(1))) as u64;
                }
                Op::LoadI32 { d, a, offset } => {
                    load!(
                        d,
                        r!(a).wrapping_add_signed(i64::from(offset)),
                        4,
                        |b| i32::from_le_bytes(b) as u64
                    )
                }
                Op::LoadU32 { d, a, offset } => {
                    load!(d, r!(a).wrapping_add_signed(i64::from(offset)), 4, |b| u64::from(
                        u32::from_le_bytes(b)
                    ))
                }
                Op::Load64 { d, a, offset } => {
                    load!(
                        d,
                        r!(a).wrapping_add_signed(i64::from(offset)),
                        8,
                        u64::from_le_bytes
                    )
                }
                Op::LoadI32At { scale, d, a, b } => {
                    let address = r!(a).wrapping_add(r!(b).wrapping_mul(u64::from(scale)));
                    load!(d, address, 4, |b| i32::from_le_bytes(b) as u64)
                }
                Op::LoadU32At { scale, d, a, b } => {
                    let address = r!(a).wrapping_add(r!(b).wrapping_mul(u64::from(scale)));
                    load!(d, address, 4, |b| u64::from(u32::from_le_bytes(b)))
                }
                Op::Load64At { scale, d, a, b } => {
                    let address = r!(a).wrapping_add(r!(b).wrapping_mul(u64::from(scale)));
                    load!(d, address, 8, u64::from_le_bytes)
                }
                Op::Load { kind, d, a, offset } => {
                    let address = r!(a).wrapping_add_signed(i64::from(offset));
                    let (low, high) = attempt!(self.load_scalar(kind, address));
                    self.observe(AccessKind::Read, code.sites[pc - 1], address, kind.size());
                    r!(d) = low;
                    if kind.is_wide() {
                        r!(d + 1) = high;
                    }
                }
                Op::Store32 { a, offset, b } => {
                    let address = r!(a).wrapping_add_signed(i64::from(offset));
                    attempt!(self.memory.store(address, (r!(b) as u32).to_le_bytes()));
                    self.observe(AccessKind::Write, code.sites[pc - 1], address, 4);
                }
                Op::Store64 { a, offset, b } => {
                    let address = r!(a).wrapping_add_signed(i64::from(offset));
                    attempt!(self.memory.store(address, r!(b).to_le_bytes()));
                    self.observe(AccessKind::Write, code.sites[pc - 1], address, 8);
                }
                Op::Store { kind, a, offset, b } => {
                    let address = r!(a).wrapping_add_signed(i64::from(offset));
                    let high = if kind.is_wide() { r!(b + 1) } else { 0 };
                    attempt!(self.store_scalar(kind, address, r!(b), high));
                    self.observe(AccessKind::Write, code.sites[pc - 1], address, kind.size());
                }
                Op::LoadBits { d, a, field } => {
                    let field = program.bit_fields[field as usize];
                    let address = r!(a).wrapping_add(field.byte);
                    let bytes = attempt!(self.memory.read(address, field.bytes() as u64));
                    let (low, high) = field.extract(bytes);
                    self.observe(
                        AccessKind::Read,
                        code.sites[pc - 1],
                        address,
                        field.bytes() as u64,
                    );
                    r!(d) = low;
                    if field.kind.is_wide() {
                        r!(d + 1) = high;
                    }
                }
                Op::StoreBits { a, b, field } => {
                    let field = program.bit_fields[field as usize];
                    let address = r!(a).wrapping_add(field.byte);
                    let mut bytes = attempt!(self.memory.raw(address, field.bytes() as u64))
                        .0
                        .to_vec();
                    let high = if field.kind.is_wide() { r!(b + 1) } else { 0 };
                    field.insert(&mut bytes, r!(b), high);
                    attempt!(self.memory.write(address, &bytes));
                    self.observe(
                        AccessKind::Write,
                        code.sites[pc - 1],
                        address,
                        field.bytes() as u64,
                    );
                }
                Op::Copy { a, b, size } => {
                    let (to, from, size) = (r!(a), r!(b), r!(size));
                    attempt!(self.memory.copy(to, from, size));
                    if size != 0 {
                        self.observe(AccessKind::Read, code.sites[pc - 1], from, size);
                        self.observe(AccessKind::Write, code.sites[pc - 1], to, size);
                    }
                }
                Op::Zero { a, size } => {
                    let (to, size) = (r!(a), r!(size));
                    attempt!(self.memory.fill(to, 0, size));
                    if size != 0 {
                        self.observe(AccessKind::Write, code.sites[pc - 1], to, size);
                    }
                }
                Op::Jump { target } => jump!(target),
                Op::JumpIfZero { a, target } => {
                    if r!(a) == 0 {
                        jump!(target);
                    }
                }
                Op::JumpIfNonZero { a, target } => {
                    if r!(a) != 0 {
                        jump!(target);
                    }
                }
                Op::JumpIf {
                    compare,
                    a,
                    b,
                    target,
                } => {
                    if holds(compare, r!(a), r!(b)) {
                        jump!(target);
                    }
                }
                Op::JumpUnless {
                    compare,
                    a,
                    b,
                    target,
                } => {
                    if !holds(compare, r!(a), r!(b)) {
                        jump!(target);
                    }
                }
                Op::Switch {
                    wide,
                    signed,
                    a,
                    table,
                } => {
                    let value = match (wide, signed) {
                        (true, _) => arithmetic::integer(Scalar::I128, r!(a), r!(a + 1)),
                        (false, true) => i128::from(r!(a) as i64),
                        (false, false) => i128::from(r!(a)),
                    };
                    let table = &code.switches[table as usize];
                    let after = table.cases.partition_point(|&(low, ..)| low <= value);
                    let target = match after.checked_sub(1).and_then(|index| table.cases.get(index)) {
                        Some(&(_, high, target)) if value <= high => target,
                        _ => table.default,
                    };
                    jump!(target);
                }
                Op::Declare { slot, size, local } => {
                    let old = r!(slot);
                    if old != 0 {
                        attempt!(self.release(old));
                    }
                    let size = r!(size);
                    let address = attempt!(self.new_object(size, local));
                    r!(slot) = address;
                }
                Op::Call { site } => {
                    self.stopped_at = code.sites[pc - 1];
                    let site = &code.calls[site as usize];
                    let number = match site.target {
                        Target::Function(number) => number,
                        Target::Pointer(register) => {
                            let address = r!(register);
                            if address < FUNCTION_BASE || !address.is_multiple_of(16) {
                                attempt!(Err(format!(
                                    "a call through {address:#x}, which is not a function"
                                )));
                            }
                            ((address - FUNCTION_BASE) / 16).min(u64::from(u32::MAX)) as u32
                        }
                    };
                    match program
                        .functions
                        .get(number as usize)
                        .map(|callable| &callable.code)
                    {
                        Some(Some(callee)) => {
                            if let Some(frame) = self.frames.last_mut() {
                                frame.pc = pc as u32;
                            }
                            let next = base + code.registers as usize + 2;
                            let entered =
                                self.enter(number, callee, &site.arguments, base, next, site.result);
                            attempt!(entered);
                            code = callee;
                            base = next;
                            jump!(callee.entry);
                        }
                        _ => {
                            if let Some(frame) = self.frames.last_mut() {
                                frame.pc = pc as u32;
                            }
                            let mut buffer = [0u64; 16];
                            let count = site.arguments.len();
                            let mut many = Vec::new();
                            let values = if count <= 16 {
                                &mut buffer[..count]
                            } else {
                                many.resize(count, 0);
                                &mut many[..]
                            };
                            for (value, argument) in values.iter_mut().zip(&site.arguments) {
                                *value = match *argument {
                                    Argument::Scalar { register, .. } => r!(register),
                                    Argument::Record { address, .. } => r!(address),
                                };
                            }
                            self.steps += steps;
                            steps = 0;
                            let value = attempt!(self.call_library(number, values));
                            if let Some((register, kind)) = site.result {
                                let value = if kind.is_float() || kind.is_wide() {
                                    (value, 0)
                                } else {
                                    arithmetic::canonical(kind, i128::from(value as i64))
                                };
                                r!(register) = value.0;
                                if kind.is_wide() {
                                    r!(register + 1) = value.1;
                                }
                            }
                        }
                    }
                }
                Op::Return => {
                    let boundary = attempt!(self.leave((0, 0)));
                    resume!(boundary);
                }
                Op::ReturnValue { a } => {
                    let value = r!(a);
                    let boundary = attempt!(self.leave((value, 0)));
                    resume!(boundary);
                }
                Op::ReturnWide { a } => {
                    let value = (r!(a), r!(a + 1));
                    let boundary = attempt!(self.leave(value));
                    resume!(boundary);
                }
                Op::ReturnRecord { a, size } => {
                    let (address, size) = (r!(a), r!(size));
                    let (bytes, shadow) = attempt!(self.memory.raw(address, size));
                    self.record = (bytes.to_vec(), shadow.to_vec());
                    if size != 0 {
                        self.observe(AccessKind::Read, code.sites[pc - 1], address, size);
                    }
                    let boundary = attempt!(self.leave((0, 0)));
                    resume!(boundary);
                }
                Op::TakeRecord { a, size } => {
                    let (bytes, shadow) = std::mem::take(&mut self.record);
                    let (to, size) = (r!(a), r!(size));
                    if bytes.len() as u64 != size {
                        attempt!(Err("no record of this size was returned"));
                    }
                    attempt!(self.memory.write_raw(to, &bytes, &shadow));
                    if size != 0 {
                        self.observe(AccessKind::Write, code.sites[pc - 1], to, size);
                    }
                }
                Op::LoopEnter { info } => {
                    self.loops.push(RunningLoop { info, iterations: 0 });
                    self.loop_event(info, LoopEvent::Enter);
                }
                Op::LoopTest { info } => self.loop_event(info, LoopEvent::Test),
                Op::LoopStep { info } => self.loop_event(info, LoopEvent::Step),
                Op::LoopBody { info } => {
                    let number = match self.loops.last_mut() {
                        Some(running) if running.info == info => {
                            running.iterations += 1;
                            running.iterations - 1
                        }
                        _ => 0,
                    };
                    self.loop_event(info, LoopEvent::Body(number));
                }
                Op::LoopExit { info } => {
                    self.loops.pop();
                    self.loop_event(info, LoopEvent::Exit);
                }
                Op::Trap { message } => {
                    attempt!(Err(program.messages[message as usize].as_str()));
                }
            }
        }
    }

    fn loop_event(&mut self, info: u32, event: LoopEvent) {
        if O::ENABLED
            && let Some(frame) = self.frames.last()
            && let Some(callable) = self.program.functions.get(frame.function as usize)
            && let Some(code) = &callable.code
        {
            let view = View {
                memory: &self.memory,
                program: self.program,
                unit: callable.unit,
                code,
                registers: &self.registers[frame.base..],
            };
            self.observer
                .loop_event(self.program.loops[info as usize], event, &view);
        }
    }
}

/// The comparison's value.
#[inline(always)]
fn holds(compare: Compare, a: u64, b: u64) -> bool {
    let double = || (f64::from_bits(a), f64::from_bits(b));
    let single = || (f32::from_bits(a as u32), f32::from_bits(b as u32));
    match compare {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::LtS => (a as i64) < b as i64,
        Compare::LeS => a as i64 <= b as i64,
        Compare::LtU => a < b,
        Compare::LeU => a <= b,
        Compare::LtF64 => double().0 < double().1,
        Compare::LeF64 => double().0 <= double().1,
        Compare::EqF64 => double().0 == double().1,
        Compare::NeF64 => double().0 != double().1,
        Compare::LtF32 => single().0 < single().1,
        Compare::LeF32 => single().0 <= single().1,
        Compare::EqF32 => single().0 == single().1,
        Compare::NeF32 => single().0 != single().1,
    }
}

impl<O: Observer> Host for Machine<'_, O> {
    fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    fn state(&mut self) -> &mut State {
        &mut self.state
    }

    fn touch(&mut self, kind: AccessKind, address: u64, size: u64) {
        if size != 0 {
            self.observe(kind, self.stopped_at, address, size);
        }
    }

    fn site(&self) -> Site {
        self.program.sites[self.stopped_at as usize]
    }

    fn call_back(&mut self, function: u64, arguments: &[u64]) -> Result<u64, Stop> {
        if function < FUNCTION_BASE || !function.is_multiple_of(16) {
            return Err(format!("a call through {function:#x}, which is not a function").into());
        }
        let site = self.stopped_at;
        let number = ((function - FUNCTION_BASE) / 16).min(u64::from(u32::MAX)) as u32;
        let arguments: Vec<(u64, Scalar)> = arguments.iter().map(|&value| (value, Scalar::U64)).collect();
        let result = self.call_code(number, &arguments)?;
        self.stopped_at = site;
        Ok(result.0)
    }

    fn allocate(&mut self, size: u64, defined: bool) -> Option<u64> {
        let site = self.site();
        let object = Object::Heap(site.unit, site.function, site.statement);
        let address = self.memory.allocate(size, defined, object)?;
        self.born(address, size);
        Some(address)
    }

    fn release(&mut self, address: u64) -> Result<(), Stop> {
        Machine::release(self, address)
    }

    fn allocate_in_frame(&mut self, size: u64) -> Result<u64, Stop> {
        let address = Host::allocate(self, size, false).ok_or_else(|| Stop::from("memory is exhausted"))?;
        self.dynamic.push(address);
        Ok(address)
    }

    fn variable_arguments(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.arguments)
    }

    fn return_record(&mut self, bytes: Vec<u8>) {
        self.record = (bytes, Vec::new());
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.step_limit {
            Err(StopKind::StepLimit.into())
        } else {
            Ok(())
        }
    }
}
