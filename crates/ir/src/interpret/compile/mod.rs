//! How does a program become resolved code? Globals get addresses, functions numbers, expressions registers, jumps
//! targets. What cannot be run becomes a trap at its place, so that only a run that reaches it ends there.
//!
//! Recursion is as deep as the program's nesting: callers give a thread with a large stack.

mod calls;
mod conditions;
mod expressions;
mod function;
mod homes;
mod link;
mod loops;
mod places;
mod statements;

use super::code::*;
use crate::{Function, Length, StmtId, Type, TypeId, Unit};
use ferry_source::Origin;
pub(super) use link::{Linked, link};
use std::collections::HashMap;

/// Registers of each frame that hold constants.
const CONSTANTS: u32 = 48;

/// Where a local variable lives.
#[derive(Clone, Copy, Debug)]
enum Home {
    Register(Reg, Scalar),
    /// The register holds the address.
    Memory(Reg),
}

/// Size of a type, in bytes.
#[derive(Clone, Copy, Debug)]
enum Size {
    Constant(u64),
    Register(Reg),
}

/// A jump target that gets its place later.
type Label = u32;

/// Tables that all functions share while they are compiled.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) program: Program,
    sites: HashMap<Site, u32>,
    loops: HashMap<LoopKey, u32>,
    fields: HashMap<BitField, u32>,
    locals: HashMap<Object, u32>,
}

/// Compiles one function, or the initial values of one unit.
struct Compiler<'a> {
    linked: &'a Linked<'a>,
    tables: &'a mut Tables,
    unit_number: u32,
    unit: &'a Unit,
    function: Option<(crate::FunctionRef, &'a Function)>,
    /// Every local is in memory, and loops say where they are.
    observe: bool,
    wrapping: bool,
    code: Code,
    homes: Vec<Home>,
    constants: HashMap<u64, Reg>,
    constant_base: Reg,
    next_register: Reg,
    labels: Vec<u32>,
    statement: StmtId,
    origin: Origin,
    site: u32,
    breaks: Vec<JumpTarget>,
    continues: Vec<JumpTarget>,
    switches: Vec<OpenSwitch>,
    /// The loops around the current statement.
    loops: Vec<u32>,
    gotos: HashMap<crate::LabelId, Label>,
    label_loops: HashMap<crate::LabelId, Vec<u32>>,
}

/// Where `break` or `continue` goes, and how many loops are still open there.
#[derive(Clone, Copy)]
struct JumpTarget {
    label: Label,
    loops: usize,
}

struct OpenSwitch {
    table: usize,
    loops: usize,
    /// Entries into loops from the switch, emitted behind it: label of the entry, the case's label, loops to enter.
    entries: Vec<(Label, Label, Vec<u32>)>,
}

impl<'a> Compiler<'a> {
    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.sites.push(self.site);
    }

    fn set_site(&mut self, origin: Origin) {
        let site = Site {
            unit: self.unit_number,
            function: self.function.map(|(number, _)| number),
            statement: self.statement,
            origin,
        };
        let sites = &mut self.tables.program.sites;
        self.site = *self.tables.sites.entry(site).or_insert_with(|| {
            sites.push(site);
            (sites.len() - 1) as u32
        });
    }

    fn trap(&mut self, why: impl Into<String>) {
        let messages = &mut self.tables.program.messages;
        messages.push(why.into());
        let message = (messages.len() - 1) as u32;
        self.emit(Op::Trap { message });
    }

    /// New registers, until `next_register` is put back.
    fn temporary(&mut self, registers: u32) -> Reg {
        let register = self.next_register;
        self.next_register += registers;
        self.code.registers = self.code.registers.max(self.next_register);
        register
    }

    fn new_label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        (self.labels.len() - 1) as u32
    }

    fn bind(&mut self, label: Label) {
        self.labels[label as usize] = self.code.ops.len() as u32;
    }

    fn jump(&mut self, target: Label) {
        self.emit(Op::Jump { target });
    }

    /// A register that holds a constant: one of the frame's, or a temporary.
    fn constant(&mut self, value: u64) -> Reg {
        if let Some(&register) = self.constants.get(&value) {
            return register;
        }
        let number = self.constants.len() as u32;
        if number < CONSTANTS {
            self.constants.insert(value, self.constant_base + number);
            return self.constant_base + number;
        }
        let d = self.temporary(1);
        self.load_constant(d, value);
        d
    }

    fn load_constant(&mut self, d: Reg, value: u64) {
        self.emit(Op::Const {
            d,
            low: value as u32,
            high: (value >> 32) as u32,
        });
    }

    /// The scalar that a type is.
    fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        scalar_of(self.unit, ty)
    }

    /// Size of a type; the code that computes it is emitted where it is not a constant.
    fn size(&mut self, ty: TypeId) -> Option<Size> {
        if let Some(size) = self.unit.types.size(ty) {
            return Some(Size::Constant(size));
        }
        match self.unit.types.get(ty) {
            Type::Array {
                element,
                length: Length::Variable(local),
            } => {
                let (element, local) = (*element, *local);
                let element = self.size(element)?;
                let element = self.size_register(element);
                let extent = self.local_value(local)?;
                let d = self.temporary(1);
                self.emit(Op::MulU64 {
                    d,
                    a: element,
                    b: extent,
                });
                Some(Size::Register(d))
            }
            Type::Array {
                element,
                length: Length::Constant(length),
            } => {
                let (element, length) = (*element, *length);
                let element = self.size(element)?;
                let element = self.size_register(element);
                let length = self.constant(length);
                let d = self.temporary(1);
                self.emit(Op::MulU64 {
                    d,
                    a: element,
                    b: length,
                });
                Some(Size::Register(d))
            }
            _ => None,
        }
    }

    fn size_register(&mut self, size: Size) -> Reg {
        match size {
            Size::Constant(size) => self.constant(size),
            Size::Register(register) => register,
        }
    }

    /// Replaces label numbers by places in the code, and adds the prologue.
    fn finish(&mut self, prologue: Vec<Op>) {
        self.set_site(self.origin);
        let start = self.code.ops.len() as u32;
        let mut constants: Vec<(u64, Reg)> = self
            .constants
            .iter()
            .map(|(&value, &register)| (value, register))
            .collect();
        constants.sort_by_key(|&(_, register)| register);
        for (value, register) in constants {
            self.load_constant(register, value);
        }
        for op in prologue {
            self.emit(op);
        }
        let labels = std::mem::take(&mut self.labels);
        for op in &mut self.code.ops {
            if let Some(target) = op.target_mut() {
                *target = labels.get(*target as usize).copied().unwrap_or(u32::MAX);
            }
        }
        for table in &mut self.code.switches {
            for (_, _, target) in &mut table.cases {
                *target = labels.get(*target as usize).copied().unwrap_or(u32::MAX);
            }
            table.default = labels.get(table.default as usize).copied().unwrap_or(u32::MAX);
            table.cases.sort();
        }
        self.emit(Op::Jump { target: 0 });
        self.code.entry = start;
    }
}

/// The scalar that a type is, `None` for aggregates, functions, `void` and opaque types.
pub(super) fn scalar_of(unit: &Unit, ty: TypeId) -> Option<Scalar> {
    Some(match unit.types.get(ty) {
        Type::Bool => Scalar::Bool,
        Type::Int { bits: 8, signed } => {
            if *signed {
                Scalar::I8
            } else {
                Scalar::U8
            }
        }
        Type::Int { bits: 16, signed } => {
            if *signed {
                Scalar::I16
            } else {
                Scalar::U16
            }
        }
        Type::Int { bits: 32, signed } => {
            if *signed {
                Scalar::I32
            } else {
                Scalar::U32
            }
        }
        Type::Int { bits: 64, signed } => {
            if *signed {
                Scalar::I64
            } else {
                Scalar::U64
            }
        }
        Type::Int { bits: 128, signed } => {
            if *signed {
                Scalar::I128
            } else {
                Scalar::U128
            }
        }
        Type::Float { bits: 32 } => Scalar::F32,
        Type::Float { bits: 64 } => Scalar::F64,
        Type::Float { bits: 80 | 128 } => Scalar::F80,
        Type::Complex { bits: 32 } => Scalar::C32,
        Type::Complex { bits: 64 } => Scalar::C64,
        Type::Complex { bits: 80 | 128 } => Scalar::C80,
        Type::Pointer(_) => Scalar::U64,
        _ => return None,
    })
}
