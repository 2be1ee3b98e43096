//! What does a call of a function of the run time do to the data of the device?
//!
//! `acc_copyin(p, bytes)` is `enter data copyin(p[0:bytes])`, and so on; memory of the device that a function gives belongs to the device alone, and a copy between the two
//! memories reads and writes the host's part as it stands. A call of which it is not clear what it does may do anything: from there on everything is only possible.

use super::construct::{Construct, Section};
use super::copies::{Defined, Extent};
use super::defect::{Confidence, Defect, Kind, Moved};
use super::history::Act;
use super::object::{Before, Motion, Now, Object, Touch};
use super::state::State;
use super::touches::is_one_object;
use super::walk::{Walk, calls_of};
use crate::effects::runtime::{Verb, verb};
use crate::symbols::SymbolKind;
use crate::value::AtCall;
use ferry_directive::Direction;
use ferry_ir::{Callee, Stmt, StmtKind, Unit};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};

/// A side of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Host,
    Device,
}

/// What a call does, if it is one of a function of the run time that puts data on the device or moves them.
pub fn of_call(unit: &Unit, stmt: &Stmt) -> Option<Verb> {
    let StmtKind::Call {
        callee: Callee::Function(id),
        ..
    } = &stmt.kind
    else {
        return None;
    };
    let function = unit.function(*id);
    verb(&function.name).filter(|_| function.body.is_none())
}

/// The section that a call names by its first argument.
fn section(
    stmt: &Stmt,
    at: &AtCall,
    (root, extent): (Symbol, Extent),
    direction: Direction,
    motion: Motion,
) -> Section {
    Section {
        root,
        extent,
        direction,
        motion,
        by: Moved {
            stmt: stmt.id,
            at: stmt.origin.span(),
            clause: Some(0),
        },
        at: stmt.origin,
        holes: false,
        named: at.arguments[0].at,
        variable: String::new(),
    }
}

impl Walk<'_> {
    /// Walks such a call.
    pub(super) fn at_run_time(&mut self, stmt: &Stmt, verb: Verb, state: State) -> State {
        let mut state = self.touched_by(stmt, &[stmt.id], state);
        self.unordered = true;
        let at = self.values.run_time.get(&stmt.id).cloned();
        let done = match at {
            Some(at) if self.device.is_none() => self.done_by(stmt, verb, &at, &mut state),
            _ => None,
        };
        if done.is_none() {
            self.lost_by_call(stmt, &mut state);
        }
        state
    }

    /// `None` if it is not clear what it does.
    fn done_by(&mut self, stmt: &Stmt, verb: Verb, at: &AtCall, state: &mut State) -> Option<()> {
        let (direction, act) = match verb {
            Verb::Enter { copies: true } => (Direction::To, Act::Enter),
            Verb::Enter { copies: false } => (Direction::Alloc, Act::Enter),
            Verb::Exit { copies: true, .. } => (Direction::From, Act::Exit),
            Verb::Exit { .. } => (Direction::Release, Act::Exit),
            Verb::Update { to_device: true } => (Direction::To, Act::Update),
            Verb::Update { to_device: false } => (Direction::From, Act::Update),
            Verb::Allocate => return self.allocated_on_device(stmt, at, state),
            Verb::Free => return Some(()),
            Verb::Copy => {
                let side = |number: usize| self.memory_of(at.arguments.get(number)?.value.as_ref()?);
                let (to, from) = (side(5)?, side(6)?);
                return self.copied(at, to, from, state);
            }
            Verb::CopyRectangle => {
                let side = |number: usize| self.memory_of(at.arguments.get(number)?.value.as_ref()?);
                let (to, from) = (side(9)?, side(10)?);
                return self.rectangle_copied(at, to, from, state);
            }
            Verb::CopyOnDevice => return self.copied(at, Memory::Device, Memory::Device, state),
            Verb::Associate => return self.associated(stmt, at, state),
            Verb::Disassociate => return self.disassociated(stmt, at, state),
            // What is reached by such an address may be any data.
            Verb::Address => return Some(()),
            Verb::CopyToDevice => return self.copied(at, Memory::Device, Memory::Host, state),
            Verb::CopyFromDevice => return self.copied(at, Memory::Host, Memory::Device, state),
            Verb::NotFollowed => return None,
        };
        let (root, extent) = self.part(at, 0, None, 1)?;
        let motion = Motion {
            copy_in: direction == Direction::To,
            copy_out: direction == Direction::From,
            always: act == Act::Update,
            present: act == Act::Update,
            delete: matches!(verb, Verb::Exit { finalize: true, .. }),
            unstructured: act != Act::Update,
            counts_apart: act != Act::Update,
        };
        let section = section(stmt, at, (root, extent), direction, motion);
        let construct = Construct::of_call(section, &at.facts);
        self.beyond(&construct.sections[0], &construct.facts);
        self.each_section(&construct, state, act);
        Some(())
    }

    /// Memory of the device becomes the copy of data of the host, with whatever is in it, up to the call that ends it.
    fn associated(&mut self, stmt: &Stmt, at: &AtCall, state: &mut State) -> Option<()> {
        if let Some(device) = at.arguments.get(4)
            && self.memory_of(device.value.as_ref()?)? != Memory::Device
        {
            return None;
        }
        let (root, extent) = self.part(at, 0, None, 2)?;
        let memory = at.arguments.get(1)?.root?;
        if !self.is_device_memory(memory, state) || self.is_device_memory(root, state) {
            return None;
        }
        let motion = Motion {
            copy_in: false,
            copy_out: false,
            always: false,
            present: false,
            delete: false,
            unstructured: false,
            counts_apart: false,
        };
        let section = section(stmt, at, (root, extent), Direction::Alloc, motion);
        if self.is_unclear(&section, state) {
            return None;
        }
        self.beyond(&section, &at.facts);
        let empty = self.object(state, memory).pieces.is_nowhere_defined();
        self.object(state, root).associate(&section, empty, &at.facts);
        self.associations.insert(memory, root);
        self.doubt_mappings(root, state);
        Some(())
    }

    fn disassociated(&mut self, stmt: &Stmt, at: &AtCall, state: &mut State) -> Option<()> {
        let pointer = at.arguments.first()?;
        let root = pointer.root?;
        let low = pointer.value.as_ref()? - &Expr::symbol(root);
        if !is_one_object(self.values, root, &self.loops) {
            return None;
        }
        let by = Moved {
            stmt: stmt.id,
            at: stmt.origin.span(),
            clause: Some(0),
        };
        let first = Extent::new(low.clone(), &low + &Expr::one());
        self.object(state, root).disassociate(&first, &at.facts, by);
        self.doubt_mappings(root, state);
        Some(())
    }

    /// Memory of the device is touched by its own name while it is the copy of data of the host.
    pub(super) fn doubt_associated(&mut self, memory: Symbol, state: &mut State) {
        if let Some(object) = self
            .associations
            .get(&memory)
            .and_then(|root| state.get_mut(root))
        {
            object.lose();
        }
    }

    /// The bytes that the argument `number` points to, so many as the argument `bytes` says.
    fn part(
        &self,
        at: &AtCall,
        number: usize,
        offset: Option<usize>,
        bytes: usize,
    ) -> Option<(Symbol, Extent)> {
        let pointer = at.arguments.get(number)?;
        let root = pointer.root?;
        let value = |number: usize| at.arguments.get(number)?.value.clone();
        let mut low = pointer.value.as_ref()? - &Expr::symbol(root);
        if let Some(offset) = offset {
            low = &low + &value(offset)?;
        }
        let bytes = value(bytes)?;
        let is_host = !self.at_device_address.contains(&root);
        is_host.then(|| (root, Extent::new(low.clone(), &low + &bytes)))
    }

    fn allocated_on_device(&mut self, stmt: &Stmt, at: &AtCall, state: &mut State) -> Option<()> {
        let memory = match at.arguments.get(1) {
            None => Memory::Device,
            Some(device) => self.memory_of(device.value.as_ref()?)?,
        };
        let root = *self.allocations.get(&stmt.id)?;
        self.forget(root, state, true);
        let before = match memory {
            Memory::Device => Before::OnDevice,
            Memory::Host => Before::Absent,
        };
        state.insert(root, self.opened(root, Object::new(before, Defined::No)));
        Some(())
    }

    /// The memory of a device with this number: the initial device is the host.
    fn memory_of(&self, device: &Expr) -> Option<Memory> {
        if let Some(number) = device.as_constant() {
            return number
                .to_i64()
                .filter(|number| *number >= 0)
                .map(|_| Memory::Device);
        }
        let symbols = device.symbols();
        let symbol = *symbols.iter().next()?;
        if symbols.len() != 1 || *device != Expr::symbol(symbol) {
            return None;
        }
        let SymbolKind::Result(stmt) = self.values.symbols.info(symbol).kind else {
            return None;
        };
        let calls = |names: &[&str]| calls_of(self.unit, self.function, self.values, names).contains(&stmt);
        if calls(&["omp_get_initial_device"]) {
            return Some(Memory::Host);
        }
        (self.chosen.is_none() && calls(&["omp_get_default_device"])).then_some(Memory::Device)
    }

    /// True for memory that a function of the run time gave, on the device.
    pub(super) fn is_device_memory(&self, root: Symbol, state: &State) -> bool {
        let given = matches!(self.values.symbols.info(root).kind, SymbolKind::Allocated(stmt) if self.device_memory.contains(&stmt));
        given
            && state
                .get(&root)
                .is_some_and(|object| object.before == Before::OnDevice)
    }

    /// A copy of so many bytes from one memory to another: what is on the host is read and written, in this order.
    fn copied(&mut self, at: &AtCall, to: Memory, from: Memory, state: &mut State) -> Option<()> {
        // Those of OpenMP have offsets and devices; the fourth argument of one of OpenACC is a queue.
        let offset = |number: usize| (at.arguments.len() > 6).then_some(number);
        let (to_root, to_part) = self.part(at, 0, offset(3), 2)?;
        let (from_root, from_part) = self.part(at, 1, offset(4), 2)?;
        self.sides_fit([(to_root, to), (from_root, from)], state)?;
        let touch = |root, extent, at_argument: Origin| Touch {
            root,
            extent,
            all: Confidence::Proven,
            some: Confidence::Proven,
            ends: true,
            somewhere: false,
            happens: true,
            at: at_argument,
            facts: at.facts.clone(),
        };
        if from == Memory::Host {
            let touch = touch(from_root, from_part, at.arguments[1].at);
            let path = self.path.clone();
            let mut found = Vec::new();
            let mut now = Now {
                path: &path,
                defects: &mut found,
            };
            self.object(state, from_root)
                .host_read(&touch, &|| Some(true), &mut now);
            self.note(found);
        }
        let touch = touch(to_root, to_part, at.arguments[0].at);
        match to {
            Memory::Host => self.object(state, to_root).host_write(&touch, &|| false),
            Memory::Device => self.object(state, to_root).device_write(&touch, &|| false),
        }
        self.doubt_others(to_root, state);
        for root in [to_root, from_root] {
            self.doubt_associated(root, state);
        }
        Some(())
    }

    /// `None` where an address on the device of data that are mapped, or a memory on the wrong side, is copied.
    fn sides_fit(&self, sides: [(Symbol, Memory); 2], state: &State) -> Option<()> {
        let fits = |(root, memory): &(Symbol, Memory)| {
            !self.at_device_address.contains(root)
                && is_one_object(self.values, *root, &self.loops)
                && self.is_device_memory(*root, state) == (*memory == Memory::Device)
        };
        sides.iter().all(fits).then_some(())
    }

    /// A part of an array is copied, it is not asked which.
    fn rectangle_copied(&mut self, at: &AtCall, to: Memory, from: Memory, state: &mut State) -> Option<()> {
        let root = |number: usize| at.arguments.get(number)?.root;
        let (to_root, from_root) = (root(0)?, root(1)?);
        self.sides_fit([(to_root, to), (from_root, from)], state)?;
        let touch = |root, at_argument: Origin| Touch {
            root,
            extent: Extent::everything(),
            all: Confidence::Possible,
            some: Confidence::Possible,
            ends: false,
            somewhere: false,
            happens: false,
            at: at_argument,
            facts: at.facts.clone(),
        };
        if from == Memory::Host {
            let touch = touch(from_root, at.arguments[1].at);
            let path = self.path.clone();
            let mut found = Vec::new();
            let mut now = Now {
                path: &path,
                defects: &mut found,
            };
            self.object(state, from_root)
                .host_read(&touch, &|| None, &mut now);
            self.note(found);
        }
        let touch = touch(to_root, at.arguments[0].at);
        match to {
            Memory::Host => self.object(state, to_root).host_write(&touch, &|| false),
            Memory::Device => self.object(state, to_root).device_write(&touch, &|| false),
        }
        self.object(state, to_root).doubt_all();
        self.doubt_others(to_root, state);
        for root in [to_root, from_root] {
            self.doubt_associated(root, state);
        }
        Some(())
    }

    /// The host touches memory of the device.
    pub(super) fn host_on_device_memory(&mut self, touch: &Touch) {
        // Wrong in whatever iteration it is reached.
        self.defects.push(Defect {
            kind: Kind::HostAccessThroughDevicePointer,
            // Whether a construct with a condition is left to the host is not known.
            confidence: match self.supposed.is_empty() && self.blind.is_none() {
                true => Confidence::Proven,
                false => Confidence::Possible,
            },
            root: touch.root,
            named: touch.at,
            at: touch.at,
            written: None,
            directive: None,
            bytes: touch.extent.bytes(),
            there: None,
            around: false,
        });
    }

    fn lost_by_call(&mut self, stmt: &Stmt, state: &mut State) {
        self.not_followed.get_or_insert(stmt.origin);
        self.perhaps_read(None, state);
        self.anything_done(stmt.origin, state);
        // What its name says it gives is memory of which nothing is known.
        if let Some(root) = self.allocations.get(&stmt.id) {
            self.forget(*root, state, true);
            state.insert(
                *root,
                self.opened(*root, Object::new(Before::Unknown, Defined::Yes)),
            );
        }
    }
}
