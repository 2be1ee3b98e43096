//! What does the machine show to observers and to library functions?

use super::code::*;
use super::library::{Host, State};
use super::machine::{Machine, Stop, StopKind};
use super::memory::{FUNCTION_BASE, Memory};
use super::observer::{Access, AccessKind, LoopEvent, Observer, View};

impl<O: Observer> Machine<'_, O> {
    /// Tells the observer of an access that was allowed.
    #[inline(always)]
    pub(super) fn observe(&mut self, kind: AccessKind, site: u32, address: u64, size: u64) {
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

    /// Tells the observer that the run ends inside loops and functions, innermost first.
    pub(super) fn leave_everything(&mut self) {
        if !O::ENABLED {
            return;
        }
        while let Some(frame) = self.frames.last().copied() {
            while let Some(running) = self.loops.pop_if(|running| running.depth >= self.frames.len()) {
                self.loop_event(running.info, LoopEvent::Exit);
            }
            if let Some(callable) = self.program.functions.get(frame.function as usize) {
                self.observer.leave(callable.unit, callable.function);
            }
            self.frames.pop();
        }
    }

    pub(super) fn loop_event(&mut self, info: u32, event: LoopEvent) {
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

    fn allocate(&mut self, size: u64, defined: bool) -> Result<u64, Stop> {
        if size >> 46 != 0 {
            return Ok(0);
        }
        let site = self.site();
        let object = Object::Heap(site.unit, site.function, site.statement);
        // A machine with more memory would go on, so failing as `malloc` does would be a guess.
        let address = self.memory.allocate(size, defined, object);
        let address = address.ok_or_else(|| Stop::from("more memory is asked for than the run may use"))?;
        self.born(address, size);
        Ok(address)
    }

    fn release(&mut self, address: u64) -> Result<(), Stop> {
        Machine::release(self, address)
    }

    fn allocate_in_frame(&mut self, size: u64) -> Result<u64, Stop> {
        let address = Host::allocate(self, size, false)?;
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
