//! How does the program run? One loop over operations; calls push frames, so that deep recursion of the program is
//! no recursion here (only callbacks from library functions are).

use super::arithmetic;
use super::code::*;
use super::complex;
use super::library::{LibraryFunction, State};
use super::memory::{self, FUNCTION_BASE, Fault, Memory};
use super::observer::{AccessKind, LoopEvent, Observer};

/// Library functions that call back into the program may be nested this deep.
pub(super) const CALLBACKS: u32 = 64;

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
pub(super) struct Frame {
    pub(super) function: u32,
    pub(super) pc: u32,
    pub(super) base: usize,
    /// Address of the variable arguments, 0 if there are none.
    pub(super) arguments: u64,
    /// The register of the caller that gets the result, absolute.
    pub(super) result: usize,
    pub(super) result_kind: Option<Scalar>,
    /// How many objects `alloca` had given before.
    pub(super) dynamic: usize,
    /// The caller is not code but [`Machine::call_code`].
    pub(super) boundary: bool,
}

/// A loop that runs now.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunningLoop {
    pub(super) info: u32,
    iterations: u64,
    /// Frames when it was entered.
    pub(super) depth: usize,
}

/// A running program.
pub(super) struct Machine<'p, O: Observer> {
    pub(super) program: &'p Program,
    pub(super) memory: Memory,
    pub(super) state: State,
    pub(super) observer: &'p mut O,
    pub(super) library: Vec<Option<LibraryFunction>>,
    pub(super) registers: Vec<u64>,
    pub(super) frames: Vec<Frame>,
    pub(super) loops: Vec<RunningLoop>,
    pub(super) dynamic: Vec<u64>,
    /// Bytes of the record that was returned last, with their shadow.
    pub(super) record: (Vec<u8>, Vec<u8>),
    pub(super) returned: (u64, u64),
    pub(super) steps: u64,
    pub(super) step_limit: u64,
    pub(super) depth_limit: usize,
    pub(super) callbacks: u32,
    wrapping: bool,
    /// The site of the operation that stopped.
    pub(super) stopped_at: u32,
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
            C32 | C64 | C80 => {
                let part = kind.part();
                let load = |address| -> Result<u64, Fault> {
                    let (bits, _) = self.load_scalar(part, address)?;
                    Ok(arithmetic::float(part, bits).to_bits())
                };
                (load(address)?, load(address.wrapping_add(part.size()))?)
            }
        })
    }

    pub(super) fn store_scalar(
        &mut self,
        kind: Scalar,
        address: u64,
        low: u64,
        high: u64,
    ) -> Result<(), Fault> {
        use Scalar::*;
        let memory = &mut self.memory;
        match kind {
            Bool | I8 | U8 => memory.store(address, [low as u8]),
            I16 | U16 => memory.store(address, (low as u16).to_le_bytes()),
            I32 | U32 | F32 => memory.store(address, (low as u32).to_le_bytes()),
            I64 | U64 | F64 => memory.store(address, low.to_le_bytes()),
            I128 | U128 => memory.store(address, (u128::from(low) | u128::from(high) << 64).to_le_bytes()),
            F80 => memory.store(address, arithmetic::to_f80(f64::from_bits(low))),
            C32 | C64 | C80 => {
                let part = kind.part();
                let (real, _) = arithmetic::cast(F64, part, low, 0)?;
                let (imaginary, _) = arithmetic::cast(F64, part, high, 0)?;
                self.store_scalar(part, address, real, 0)?;
                self.store_scalar(part, address.wrapping_add(part.size()), imaginary, 0)
            }
        }
    }

    /// Calls a library function.
    pub(super) fn call_library(&mut self, function: u32, arguments: &[u64]) -> Result<u64, Stop> {
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
    pub(super) fn execute(&mut self, first: &'p Code) -> Result<(), Stop> {
        let program = self.program;
        let mut code = first;
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let mut pc = frame.pc as usize;
        let mut base = frame.base;
        let mut steps = 0u64;
        let mut copied_at = None;

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
                Op::Complex { op, kind, d, a, b } => {
                    let (x, y) = ((r!(a), r!(a + 1)), (r!(b), r!(b + 1)));
                    let (real, imaginary) = complex::binary(op, kind, x, y);
                    r!(d) = real;
                    r!(d + 1) = imaginary;
                }
                Op::ComplexUnary { op, kind, d, a } => {
                    let high = if kind.is_complex() { r!(a + 1) } else { 0 };
                    let (real, imaginary) = complex::unary(op, kind, r!(a), high);
                    r!(d) = real;
                    if op != crate::UnaryOp::Imaginary {
                        r!(d + 1) = imaginary;
                    }
                }
                Op::CompareComplex { op, d, a, b } => {
                    let (x, y) = ((r!(a), r!(a + 1)), (r!(b), r!(b + 1)));
                    r!(d) = u64::from(complex::are_equal(x, y) == (op == BinaryOp::Eq));
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
                    let by = attempt!(memory::step(r!(b) as i64, scale));
                    r!(d) = r!(a).wrapping_add_signed(by);
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
                    let by = attempt!(memory::step(r!(b) as i64, scale));
                    let address = r!(a).wrapping_add_signed(by);
                    load!(d, address, 4, |b| i32::from_le_bytes(b) as u64)
                }
                Op::LoadU32At { scale, d, a, b } => {
                    let by = attempt!(memory::step(r!(b) as i64, scale));
                    let address = r!(a).wrapping_add_signed(by);
                    load!(d, address, 4, |b| u64::from(u32::from_le_bytes(b)))
                }
                Op::Load64At { scale, d, a, b } => {
                    let by = attempt!(memory::step(r!(b) as i64, scale));
                    let address = r!(a).wrapping_add_signed(by);
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
                Op::CopyFrom { site } => copied_at = Some(site),
                Op::CopyScalar { a, b, size } => {
                    let (to, from) = (r!(a), r!(b));
                    attempt!(match size {
                        4 => self.memory.copy_scalar::<4>(to, from),
                        8 => self.memory.copy_scalar::<8>(to, from),
                        size => self.memory.copy(to, from, u64::from(size)),
                    });
                    let site = copied_at.take().unwrap_or(code.sites[pc - 1]);
                    self.observe(AccessKind::Read, site, from, u64::from(size));
                    self.observe(AccessKind::Write, code.sites[pc - 1], to, u64::from(size));
                }
                Op::Copy { a, b, size } => {
                    let (to, from, size) = (r!(a), r!(b), r!(size));
                    attempt!(self.memory.copy(to, from, size));
                    let site = copied_at.take().unwrap_or(code.sites[pc - 1]);
                    if size != 0 {
                        self.observe(AccessKind::Read, site, from, size);
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
                            let registers = |argument: &Argument| match argument {
                                Argument::Scalar { kind, .. } => kind.registers() as usize,
                                Argument::Record { .. } => 1,
                            };
                            let count = site.arguments.iter().map(registers).sum();
                            let mut many = Vec::new();
                            let values = if count <= 16 {
                                &mut buffer[..count]
                            } else {
                                many.resize(count, 0);
                                &mut many[..]
                            };
                            let mut free = values.iter_mut();
                            for argument in &site.arguments {
                                let first = match *argument {
                                    Argument::Scalar { register, .. } => register,
                                    Argument::Record { address, .. } => address,
                                };
                                let range = first..first + registers(argument) as u32;
                                for (register, value) in range.zip(&mut free) {
                                    *value = r!(register);
                                }
                            }
                            self.steps += steps;
                            steps = 0;
                            let value = attempt!(self.call_library(number, values));
                            if let Some((register, kind)) = site.result {
                                let value = if kind.is_float() || kind.is_wide() {
                                    (value, std::mem::take(&mut self.state.imaginary))
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
                    self.loops.push(RunningLoop {
                        info,
                        iterations: 0,
                        depth: self.frames.len(),
                    });
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
