//! What does the machine run? The resolved form of a program: registers, offsets and jumps instead of names and trees.
//!
//! A register holds 64 bits. Integers of at most 64 bits are kept *canonical*: sign-extended if their type is signed,
//! else zero-extended. `float` is kept as its 32 bits, `double` and `long double` as the bits of an `f64`. A 128-bit
//! integer takes two registers, low half first, and so does a complex number, real part first: each part as the bits of
//! an `f64`, whatever its width.

use crate::{FunctionRef, GlobalId, LocalId, StmtId};
use ferry_source::Origin;

/// A register of the current frame.
pub(super) type Reg = u32;

/// What a scalar in memory or in a register is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    I128,
    U128,
    F32,
    F64,
    F80,
    C32,
    C64,
    C80,
}

impl Scalar {
    pub(super) fn size(self) -> u64 {
        use Scalar::*;
        match self {
            Bool | I8 | U8 => 1,
            I16 | U16 => 2,
            I32 | U32 | F32 => 4,
            I64 | U64 | F64 => 8,
            C32 => 8,
            I128 | U128 | F80 | C64 => 16,
            C80 => 32,
        }
    }

    /// How many registers a value takes.
    pub(super) fn registers(self) -> u32 {
        if self.is_wide() { 2 } else { 1 }
    }

    pub(super) fn is_wide(self) -> bool {
        matches!(self, Scalar::I128 | Scalar::U128) || self.is_complex()
    }

    pub(super) fn is_complex(self) -> bool {
        matches!(self, Scalar::C32 | Scalar::C64 | Scalar::C80)
    }

    /// The type of one part of a complex number; other types are their own.
    pub(super) fn part(self) -> Scalar {
        match self {
            Scalar::C32 => Scalar::F32,
            Scalar::C64 => Scalar::F64,
            Scalar::C80 => Scalar::F80,
            other => other,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64 | Scalar::F80)
    }

    pub(super) fn is_signed(self) -> bool {
        use Scalar::*;
        matches!(self, I8 | I16 | I32 | I64 | I128)
    }

    /// Width in bits of an integer type.
    pub(super) fn bits(self) -> u32 {
        use Scalar::*;
        match self {
            Bool => 1,
            I8 | U8 => 8,
            I16 | U16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 | C32 => 64,
            I128 | U128 | F80 | C64 => 128,
            C80 => 256,
        }
    }
}

/// Integer and floating operations that are too rare for an operation of their own.
pub(super) use crate::BinaryOp;

/// Comparison of two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    Eq,
    Ne,
    LtS,
    LeS,
    LtU,
    LeU,
    LtF64,
    LeF64,
    EqF64,
    NeF64,
    LtF32,
    LeF32,
    EqF32,
    NeF32,
}

/// One operation. `d` is written; `a` and `b` are read before `d` is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Move {
        d: Reg,
        a: Reg,
    },
    MoveWide {
        d: Reg,
        a: Reg,
    },
    Const {
        d: Reg,
        low: u32,
        high: u32,
    },

    AddI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulI32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulI64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddU32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubU32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulU32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Modulo 2^64.
    AddU64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubU64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulU64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Any other integer operation (division, shifts, 8, 16 and 128 bits), not comparisons.
    Integer {
        op: BinaryOp,
        kind: Scalar,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Shift: the count in `b` is at most 64 bits wide and canonical; `signed` is about the count.
    Shift {
        op: BinaryOp,
        kind: Scalar,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// An operation on complex numbers, not comparisons.
    Complex {
        op: BinaryOp,
        kind: Scalar,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `-z`, `~z`, the imaginary part of `z` of type `kind`, or a number of type `kind` times the imaginary unit.
    ComplexUnary {
        op: crate::UnaryOp,
        kind: Scalar,
        d: Reg,
        a: Reg,
    },
    /// Whether two complex numbers are equal, or are not.
    CompareComplex {
        op: BinaryOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Comparison of 128-bit integers.
    CompareWide {
        op: BinaryOp,
        signed: bool,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Compare {
        compare: Compare,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NegateF64 {
        d: Reg,
        a: Reg,
    },
    NegateF32 {
        d: Reg,
        a: Reg,
    },
    /// `d = (a == 0)`.
    IsZero {
        d: Reg,
        a: Reg,
    },

    SignExtend32 {
        d: Reg,
        a: Reg,
    },
    ZeroExtend32 {
        d: Reg,
        a: Reg,
    },
    ZeroExtend8 {
        d: Reg,
        a: Reg,
    },
    IntToF64 {
        d: Reg,
        a: Reg,
    },
    F32ToF64 {
        d: Reg,
        a: Reg,
    },
    F64ToF32 {
        d: Reg,
        a: Reg,
    },
    Cast {
        from: Scalar,
        to: Scalar,
        d: Reg,
        a: Reg,
    },

    /// `d = a + b * scale`, at most 2 GiB away.
    Index {
        scale: u16,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `d = (a - b) / size`.
    PointerDifference {
        size: u16,
        d: Reg,
        a: Reg,
        b: Reg,
    },

    LoadI32 {
        d: Reg,
        a: Reg,
        offset: i32,
    },
    LoadU32 {
        d: Reg,
        a: Reg,
        offset: i32,
    },
    Load64 {
        d: Reg,
        a: Reg,
        offset: i32,
    },
    LoadI32At {
        scale: u16,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LoadU32At {
        scale: u16,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Load64At {
        scale: u16,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Load {
        kind: Scalar,
        d: Reg,
        a: Reg,
        offset: i32,
    },
    Store32 {
        a: Reg,
        offset: i32,
        b: Reg,
    },
    Store64 {
        a: Reg,
        offset: i32,
        b: Reg,
    },
    Store {
        kind: Scalar,
        a: Reg,
        offset: i32,
        b: Reg,
    },
    /// Bit-field number `field` of the program's table, in the record at `a`.
    LoadBits {
        d: Reg,
        a: Reg,
        field: u32,
    },
    StoreBits {
        a: Reg,
        b: Reg,
        field: u32,
    },
    /// Says to the observer where the next copy reads.
    CopyFrom {
        site: u32,
    },
    /// Copies a scalar in memory as it is, whether it has a value or not, from the address in `b` to that in `a`.
    CopyScalar {
        a: Reg,
        b: Reg,
        size: u32,
    },
    /// Copy `size` register bytes from the address in `b` to that in `a`; they may overlap.
    Copy {
        a: Reg,
        b: Reg,
        size: Reg,
    },
    Zero {
        a: Reg,
        size: Reg,
    },

    Jump {
        target: u32,
    },
    JumpIfZero {
        a: Reg,
        target: u32,
    },
    JumpIfNonZero {
        a: Reg,
        target: u32,
    },
    JumpIf {
        compare: Compare,
        a: Reg,
        b: Reg,
        target: u32,
    },
    /// The opposite of a comparison, which is not a comparison where an operand is not a number.
    JumpUnless {
        compare: Compare,
        a: Reg,
        b: Reg,
        target: u32,
    },
    Switch {
        wide: bool,
        signed: bool,
        a: Reg,
        table: u32,
    },

    /// A new object for local `local`; `slot` gets its address. `size` is a register.
    Declare {
        slot: Reg,
        size: Reg,
        local: u32,
    },
    /// Call site of the function's table.
    Call {
        site: u32,
    },
    Return,
    ReturnValue {
        a: Reg,
    },
    ReturnWide {
        a: Reg,
    },
    /// Returns the record of `size` register bytes at address `a`.
    ReturnRecord {
        a: Reg,
        size: Reg,
    },
    /// Stores the record that the last call returned.
    TakeRecord {
        a: Reg,
        size: Reg,
    },

    LoopEnter {
        info: u32,
    },
    LoopTest {
        info: u32,
    },
    LoopBody {
        info: u32,
    },
    LoopStep {
        info: u32,
    },
    LoopExit {
        info: u32,
    },
    Trap {
        message: u32,
    },
}

impl Op {
    /// The jump target, a label number until the function is finished.
    pub(super) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Jump { target }
            | Op::JumpIfZero { target, .. }
            | Op::JumpIfNonZero { target, .. }
            | Op::JumpIf { target, .. }
            | Op::JumpUnless { target, .. } => Some(target),
            _ => None,
        }
    }
}

/// A bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct BitField {
    /// From the start of the record.
    pub(super) byte: u64,
    /// From that byte, 0 to 7.
    pub(super) shift: u32,
    pub(super) width: u32,
    pub(super) kind: Scalar,
}

/// How a switch goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct SwitchTable {
    /// Sorted by the first value, disjoint.
    pub(super) cases: Vec<(i128, i128, u32)>,
    pub(super) default: u32,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A function of [`Program::functions`].
    Function(u32),
    /// The address in a register.
    Pointer(Reg),
}

/// One argument of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Scalar {
        register: Reg,
        kind: Scalar,
    },
    /// Address of a record, its size, and the place in the text at which it is read.
    Record {
        address: Reg,
        size: u64,
        site: u32,
    },
}

/// One call in the text.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    pub(super) target: Target,
    pub(super) arguments: Vec<Argument>,
    /// Where a scalar result goes.
    pub(super) result: Option<(Reg, Scalar)>,
}

/// How a parameter arrives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parameter {
    /// In a register of the frame.
    Register {
        register: Reg,
        kind: Scalar,
    },
    /// In memory: the slot gets the address of a new object.
    Memory {
        slot: Reg,
        kind: Scalar,
        local: u32,
    },
    Record {
        slot: Reg,
        size: u64,
        local: u32,
    },
}

/// Code of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) ops: Vec<Op>,
    /// The site of each operation.
    pub(super) sites: Vec<u32>,
    pub(super) entry: u32,
    pub(super) registers: u32,
    pub(super) parameters: Vec<Parameter>,
    pub(super) variadic: bool,
    /// Registers that hold addresses of objects to be released at the end, 0 where there is none yet.
    pub(super) slots: Vec<Reg>,
    /// For each local the register that holds its address, `u32::MAX` if it lives in a register.
    pub(super) homes: Vec<Reg>,
    pub(super) switches: Vec<SwitchTable>,
    pub(super) calls: Vec<CallSite>,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) name: String,
    pub(super) unit: u32,
    pub(super) function: FunctionRef,
    /// `None`: not defined in the program; the library may have it.
    pub(super) code: Option<Code>,
}

/// One place of the program that does something: for traps and observers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// Number of the unit among those given.
    pub unit: u32,
    /// Function, `None` for the initial values of globals.
    pub function: Option<FunctionRef>,
    /// Statement; for a loop's condition the loop itself.
    pub statement: StmtId,
    /// The place that is read or written, else the statement.
    pub origin: Origin,
}

/// A loop of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopKey {
    /// Number of the unit among those given.
    pub unit: u32,
    /// Function.
    pub function: FunctionRef,
    /// The loop statement.
    pub statement: StmtId,
}

/// What an object in memory is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A global, static or string literal of the unit that defines it.
    Global(u32, GlobalId),
    /// A parameter, local or temporary.
    Local(u32, FunctionRef, LocalId),
    /// From `malloc` and its like, by the call's unit, function and statement.
    Heap(u32, Option<FunctionRef>, StmtId),
    /// `argv` and other objects that the environment gives.
    Environment,
    /// A buffer that the caller of [`super::call`] gave, by its number.
    Buffer(u32),
}

/// A program ready to run.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) functions: Vec<Callable>,
    pub(super) sites: Vec<Site>,
    pub(super) loops: Vec<LoopKey>,
    pub(super) bit_fields: Vec<BitField>,
    pub(super) messages: Vec<String>,
    pub(super) locals: Vec<Object>,
    /// Code that stores the initial values, one per unit.
    pub(super) initial: Vec<Code>,
    pub(super) main: Option<u32>,
    /// Address of each global of each unit.
    pub(super) globals: Vec<Vec<u64>>,
}
