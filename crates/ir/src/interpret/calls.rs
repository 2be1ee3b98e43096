//! How does a call run? A frame of registers, objects for the locals in memory, arguments, and what a return ends.

use super::arithmetic;
use super::code::*;
use super::machine::{CALLBACKS, Frame, Machine, Stop};
use super::observer::{AccessKind, Observer};

/// Registers of all frames together; more is a trap.
const REGISTERS: usize = 1 << 26;

macro_rules! stop_unless {
    ($condition:expr, $why:expr) => {
        if !$condition {
            return Err(Stop::from($why));
        }
    };
}

impl<'p, O: Observer> Machine<'p, O> {
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
        self.enter(function, code, &values, top, top + arguments.len() * 2, None)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.boundary = true;
        }
        self.execute(code)?;
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
    pub(super) fn enter(
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
        stop_unless!(needed < REGISTERS, "calls are nested too deep");
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
                        site,
                    }) = argument
                    {
                        let source = self.registers[from + source as usize];
                        self.memory.copy(address, source, size.min(given))?;
                        if size.min(given) != 0 {
                            self.observe(AccessKind::Read, site, source, size.min(given));
                        }
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
                Argument::Record { address, size, .. } => {
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

    pub(super) fn new_object(&mut self, size: u64, local: u32) -> Result<u64, Stop> {
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
    pub(super) fn leave(&mut self, value: (u64, u64)) -> Result<bool, Stop> {
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
}
