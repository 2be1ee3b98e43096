//! Who watches a run? An observer is told every access, loop, call and object; one that does nothing costs nothing.

use super::code::{Code, LoopKey, Object, Program, Site};
use super::memory::Memory;
use crate::{FunctionRef, GlobalId, LocalId, VariableRef};

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
    /// The loop is left, by its condition, by a jump or `return`, or because the run ends inside it.
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

    /// Something happens in a loop. The view is of the moment: reading through it is no access.
    fn loop_event(&mut self, _loop: LoopKey, _event: LoopEvent, _view: &View<'_>) {}

    /// A function with a body begins. `site` is the call.
    fn call(&mut self, _unit: u32, _function: FunctionRef, _site: &Site) {}

    /// A function with a body ends, or the run ends inside it.
    fn leave(&mut self, _unit: u32, _function: FunctionRef) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const ENABLED: bool = false;
}

/// [`Observer`] behind a pointer.
pub(super) trait Watch {
    fn access(&mut self, access: &Access<'_>);
    fn allocated(&mut self, allocation: u64, object: Object, size: u64);
    fn released(&mut self, allocation: u64);
    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>);
    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site);
    fn leave(&mut self, unit: u32, function: FunctionRef);
}

impl<O: Observer> Watch for O {
    fn access(&mut self, access: &Access<'_>) {
        Observer::access(self, access);
    }

    fn allocated(&mut self, allocation: u64, object: Object, size: u64) {
        Observer::allocated(self, allocation, object, size);
    }

    fn released(&mut self, allocation: u64) {
        Observer::released(self, allocation);
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        Observer::loop_event(self, key, event, view);
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        Observer::call(self, unit, function, site);
    }

    fn leave(&mut self, unit: u32, function: FunctionRef) {
        Observer::leave(self, unit, function);
    }
}

/// Any observer, for the one machine that has one.
pub(super) struct Dynamic<'a>(pub(super) &'a mut dyn Watch);

impl Observer for Dynamic<'_> {
    fn access(&mut self, access: &Access<'_>) {
        self.0.access(access);
    }

    fn allocated(&mut self, allocation: u64, object: Object, size: u64) {
        self.0.allocated(allocation, object, size);
    }

    fn released(&mut self, allocation: u64) {
        self.0.released(allocation);
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        self.0.loop_event(key, event, view);
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.0.call(unit, function, site);
    }

    fn leave(&mut self, unit: u32, function: FunctionRef) {
        self.0.leave(unit, function);
    }
}

/// The memory of the program at one moment, seen from the function that runs.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) memory: &'a Memory,
    pub(super) program: &'a Program,
    pub(super) unit: u32,
    /// Code of the function and the registers of its frame.
    pub(super) code: &'a Code,
    pub(super) registers: &'a [u64],
}

impl View<'_> {
    /// The variables that exist now: the function's own and the globals of its unit.
    pub fn variables(&self) -> Vec<VariableRef> {
        let locals = (0..self.code.homes.len()).map(|number| VariableRef::Local(LocalId(number as u32)));
        let globals = self.program.globals.get(self.unit as usize).map_or(0, Vec::len);
        let globals = (0..globals).map(|number| VariableRef::Global(GlobalId(number as u32)));
        locals
            .chain(globals)
            .filter(|&variable| self.address(variable).is_some())
            .collect()
    }

    /// Where a variable is.
    pub fn address(&self, variable: VariableRef) -> Option<u64> {
        let address = match variable {
            VariableRef::Local(local) => {
                let slot = *self.code.homes.get(local.0 as usize)?;
                *self.registers.get(slot as usize)?
            }
            VariableRef::Global(global) => *self
                .program
                .globals
                .get(self.unit as usize)?
                .get(global.0 as usize)?,
        };
        (address != 0).then_some(address)
    }

    /// The bits of a variable of at most 8 bytes that has a value.
    pub fn scalar(&self, variable: VariableRef) -> Option<u64> {
        let address = self.address(variable)?;
        let size = self.memory.size_of(address).filter(|size| *size <= 8)?;
        self.bits(address, size)
    }

    /// The little-endian number in at most 8 bytes that all have values.
    pub fn bits(&self, address: u64, size: u64) -> Option<u64> {
        let bytes = self.memory.read(address, size.min(8)).ok()?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |bits, &byte| bits << 8 | u64::from(byte)),
        )
    }

    /// The living object that an address points into (or just behind): its allocation and the offset.
    pub fn object_at(&self, address: u64) -> Option<(u64, u64)> {
        let start = address & !0xffff_ffff;
        let size = self.memory.size_of(start)?;
        let offset = address & 0xffff_ffff;
        let allocation = self.memory.find(start)?;
        (offset <= size).then_some((allocation.serial, offset))
    }
}
