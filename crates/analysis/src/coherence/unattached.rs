//! Does a pointer that the device follows lead into its own memory?
//!
//! A copy of a structure brings the addresses that its pointers have on the host. They lead into the memory of the device where a section is mapped through
//! them while the structure is there (OpenMP 5.0 §2.19.7.1, OpenACC 2.7 §2.7.2: attachment), or where a kernel sets them. That what they lead to is mapped under another name
//! (`map(to: x, v[0:n])` with `x.v == v`) changes nothing in the structure: the device follows the address of the host.
//!
//! What it cannot do: pointers in what a caller may have mapped, those of which is not clear which they are, copies of structures that one region has (`firstprivate`),
//! which of the paths to a place have set a pointer, and the order of a section and its structure; nothing is said of them.

use super::construct::{Construct, pointer_at};
use super::copies::Extent;
use super::defect::{Confidence, Defect, Kind};
use super::ledger::Side;
use super::object::{Before, Object, Presence};
use super::state::State;
use super::touches::{Touched, is_one_object, varies};
use super::walk::{OnDevice, Walk};
use crate::loops::LoopIndex;
use crate::state::POINTER;
use crate::value::Pointer;
use ferry_directive::Directive;
use ferry_ir::{Expr as Code, Type};
use ferry_symbolic::{Expr, Symbol};
use std::rc::Rc;

/// Clauses that give the host addresses of the device, or take such addresses from it.
pub(super) const ADDRESSES: [&str; 6] = [
    "use_device_ptr",
    "use_device_addr",
    "use_device",
    "is_device_ptr",
    "has_device_addr",
    "deviceptr",
];

/// Most variables through which a pointer is followed to where it lay in memory.
const VARIABLES: usize = 8;

impl Walk<'_> {
    /// The directive names addresses of the device: the host may have put them into any structure.
    pub(super) fn notes_addresses(&mut self, directive: &Directive<Code>) {
        self.gives_addresses |= ADDRESSES.iter().any(|name| directive.has_clause(name));
    }

    /// The pointers through which a construct maps sections lead to them on the device.
    pub(super) fn sets_pointers(&self, construct: &Construct, state: &mut State) {
        let followed = |root: &Symbol| is_one_object(self.values, *root, &self.loops);
        for (holder, bytes) in construct.led.iter().filter(|(root, _)| followed(root)) {
            self.object(state, *holder).set_pointers(bytes);
        }
        let is_led = |root: &Symbol| construct.led.iter().any(|(holder, _)| holder == root);
        // What is meant by a bare name, or a member, is not followed pointer by pointer; nor is which object it is.
        let others = construct.attached.iter().filter(|root| !is_led(root));
        let unclear = construct.led.iter().map(|(root, _)| root);
        let unclear = unclear.filter(|root| !followed(root));
        for root in others.chain(unclear).chain(&construct.in_parts) {
            self.object(state, *root).set_pointers(&Extent::everything());
        }
    }

    /// What a construct has set is gone behind it, where what holds the pointers is not on the device any more.
    pub(super) fn forgets_pointers(&self, construct: &Construct, state: &mut State) {
        let holders = construct.led.iter().map(|(root, _)| root);
        for root in holders.chain(&construct.attached).chain(&construct.in_parts) {
            if let Some(object) = state.get_mut(root) {
                object.forget_pointers();
            }
        }
    }

    /// The device has written pointers, or what may hold some: they may come back, and be anywhere then.
    pub(super) fn wrote_pointers(&mut self, touched: &Touched, root: Symbol) {
        let is_copy = |device: &OnDevice| device.construct.copies.contains_key(&root);
        if self.device.as_ref().is_none_or(is_copy) {
            return;
        }
        let ty = self.values.accesses[touched.access].ty;
        let may_hold = match self.unit.types.get(ty) {
            Type::Float { .. } | Type::Complex { .. } | Type::Bool => false,
            // An address as a number.
            Type::Int { bits, signed } => !signed && u64::from(*bits) == 8 * POINTER,
            _ => true,
        };
        self.gives_addresses |= may_hold;
    }

    /// True if no pointer in a storage leads into the memory of the device, as far as clauses and kernels are seen.
    pub(super) fn has_no_pointers(&self, holder: Symbol, state: &State) -> bool {
        let set = |object: &Object| object.before != Before::Absent || !object.set_there.is_empty();
        !self.gives_addresses && !self.by_members.contains(&holder) && !state.get(&holder).is_some_and(set)
    }

    /// Something that is certainly on the device is touched there through a pointer that certainly holds an address of the host.
    pub(super) fn unattached(&mut self, touched: &Touched, root: Symbol, state: &mut State) {
        let Some(device) = &self.device else { return };
        let construct = &device.construct;
        let access = &self.values.accesses[touched.access];
        let Some(pointer) = self.pointer_of(access.pointer.as_ref(), construct) else {
            return;
        };
        let unsure = self.opaque
            || self.unclear_mapping
            || self.gives_addresses
            || !self.device_memory.is_empty()
            || !self.associations.is_empty();
        let holder = pointer.root;
        let its_own = construct.copies.contains_key(&holder)
            || construct.inner.contains(&holder)
            || construct.device_addresses.contains(&holder)
            || self.threads_own.contains(&holder)
            || self.by_members.contains(&holder)
            || construct.device_addresses.contains(&root);
        if unsure || its_own || holder == root || !is_one_object(self.values, holder, &self.loops) {
            return;
        }
        let bytes = pointer_at(holder, &pointer.address);
        let facts = access.facts.clone();
        let is_set = |object: &Object| !object.set_there.is_empty();
        let names = |other: &Symbol| state.get(other).is_some_and(is_set);
        if self.others(holder, state).iter().any(names) {
            return;
        }
        let Some(object) = state.get(&holder) else { return };
        let mapped = object.before == Before::Absent
            && object.present(&bytes, &facts) == Presence::There(Confidence::Proven)
            && object.mappings.iter().all(|mapping| mapping.is_certain());
        if !mapped
            || object.is_wrong(Side::Device)
            || object
                .set_there
                .iter()
                .any(|other| !other.is_apart(&bytes, &facts))
        {
            return;
        }
        // Where the mapping of the structure that is followed there began.
        let by = object
            .mappings
            .iter()
            .find(|one| one.extent.contains(&bytes, &facts));
        let defect = Defect {
            kind: Kind::UnattachedPointer,
            confidence: Confidence::Proven,
            root,
            named: pointer.at,
            at: touched.at,
            written: None,
            directive: by.map(|mapping| mapping.by),
            bytes: self.behind(touched, root, &pointer),
            there: None,
            around: false,
        };
        // Said once.
        self.object(state, holder).set_pointers(&bytes);
        self.note(vec![defect]);
    }

    /// The bytes that are touched, counted from where the pointer leads to, if that is one place for the region.
    fn behind(&self, touched: &Touched, root: Symbol, pointer: &Pointer) -> Option<(Expr, Expr)> {
        let start = pointer.value.as_ref()? - &Expr::symbol(root);
        let inside = &self.values.accesses[touched.access].loops;
        let inside = inside.get(self.loops.len()..).unwrap_or_default();
        let moves = |index: &LoopIndex| varies(self.values, &start, self.values.loops[index.0 as usize].stmt);
        let (low, high) = self.index.touch(self.values, touched)?.extent.bytes()?;
        (!inside.iter().any(moves)).then(|| (&low - &start, &high - &start))
    }

    /// The pointer in memory from which an access comes, through variables of the region that were given one value only.
    fn pointer_of(&self, pointer: Option<&Rc<Pointer>>, construct: &Construct) -> Option<Rc<Pointer>> {
        let mut pointer = pointer?;
        for _ in 0..VARIABLES {
            let variable = self.values.variable_at(pointer.root);
            let given = variable.and_then(|variable| self.values.sources.get(&variable));
            let (Some(given), true) = (given, construct.inner.contains(&pointer.root)) else {
                return Some(pointer.clone());
            };
            let [Some(source)] = given.as_slice() else {
                return None;
            };
            pointer = source;
        }
        None
    }
}
