//! What do the members of a structure hold that is copied: assigned, passed by value, or returned?
//!
//! Members that hold integers or pointers keep their values in the copy, so that what is reached through a copy is what is reached through the original.
//!
//! What it cannot do: unions, members that are arrays, bit-fields, and structures with more members than [`MOST`]: their copies hold values of their own.

use super::memory::Held;
use super::place::Target;
use super::{Kills, Store, Walker};
use crate::access::AccessKind;
use crate::state::{Cell, State};
use ferry_ir::{Expr as Code, ExprKind, Field, Type, TypeId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::Expr;
use std::rc::Rc;

/// Most members that are followed.
const MOST: usize = 24;

/// A member that holds an integer or a pointer.
#[derive(Clone)]
pub(crate) struct Member {
    /// Bytes from the beginning of the structure.
    offset: u64,
    ty: TypeId,
    value: Expr,
}

impl Walker<'_> {
    /// The value of an expression; of a structure in memory, what its members hold.
    pub fn value_or_members(&mut self, code: &Code, state: &mut State) -> (Option<Expr>, Vec<Member>) {
        let ExprKind::Load(place) = &code.kind else {
            return (self.value(code, state), Vec::new());
        };
        if !matches!(self.unit.types.get(place.ty), Type::Record(_)) {
            return (self.value(code, state), Vec::new());
        }
        let target = self.place(place, state);
        let size = self.size_of_place(place);
        self.record(AccessKind::Read, place, &target, size, state);
        let members = match place.volatile {
            true => Vec::new(),
            false => self.members(place.ty, &target, place.origin, state),
        };
        (None, members)
    }

    /// What the members of a structure hold.
    fn members(&mut self, record: TypeId, from: &Target, at: Origin, state: &mut State) -> Vec<Member> {
        let Some(address) = &from.address else {
            return Vec::new();
        };
        // The text is that of the whole structure.
        let at = at.span().map_or(at, Origin::Expanded);
        let followed = self.followed_members(record);
        let read = |(offset, ty): (u64, TypeId)| {
            let address = address + &Expr::int(i128::from(offset));
            let size = self.unit.types.size(ty)?;
            let cell = Cell::new(&self.unit.types, address, size, ty);
            let held = Held { cell, ty, at };
            let value = self.held(held, from.root, state);
            Some(Member { offset, ty, value })
        };
        let members = followed.into_iter().filter_map(read);
        members.collect()
    }

    /// What is known of the members of a variable that holds a structure, without reading any.
    pub(super) fn known_members(&mut self, variable: VariableRef, state: &State) -> Vec<Member> {
        let VariableRef::Local(local) = variable else {
            return Vec::new();
        };
        let ty = self.locals[local.0 as usize].ty;
        let start = Expr::symbol(self.address_of(variable));
        let known = |(offset, ty): (u64, TypeId)| {
            let address = &start + &Expr::int(i128::from(offset));
            let size = self.unit.types.size(ty)?;
            let cell = Cell::new(&self.unit.types, address, size, ty);
            let value = state.cells.get(&cell)?.clone();
            Some(Member { offset, ty, value })
        };
        self.followed_members(ty).into_iter().filter_map(known).collect()
    }

    /// Where the members are that hold integers or pointers, in bytes; none for what is no structure.
    fn followed_members(&self, record: TypeId) -> Vec<(u64, TypeId)> {
        let mut found = Vec::new();
        self.collect_members(record, 0, &mut found);
        match found.len() <= MOST {
            true => found,
            false => Vec::new(),
        }
    }

    fn collect_members(&self, ty: TypeId, start: u64, found: &mut Vec<(u64, TypeId)>) {
        let Type::Record(record) = self.unit.types.get(ty) else {
            if self.followed(ty) {
                found.push((start, ty));
            }
            return;
        };
        let record = self.unit.types.record(*record);
        if record.union || !record.complete {
            return;
        }
        let plain = |field: &&Field| field.width.is_none() && !field.volatile;
        for field in record.fields.iter().filter(plain) {
            // With more than these none is followed.
            if found.len() <= MOST {
                self.collect_members(field.ty, start.saturating_add(field.offset_bits / 8), found);
            }
        }
    }

    /// Members of what begins at an address hold values.
    pub(super) fn set_members(&self, address: &Expr, members: &[Member], state: &mut State) {
        if members.is_empty() {
            return;
        }
        let cells = Rc::make_mut(&mut state.cells);
        for member in members {
            let Some(size) = self.unit.types.size(member.ty) else {
                continue;
            };
            let address = address + &Expr::int(i128::from(member.offset));
            let cell = Cell::new(&self.unit.types, address, size, member.ty);
            cells.insert(cell, member.value.clone());
        }
    }

    /// A variable of a called function gets a structure: nothing is left of what an earlier call had there.
    pub(super) fn give_structure(&mut self, variable: VariableRef, members: &[Member], state: &mut State) {
        let VariableRef::Local(local) = variable else {
            return;
        };
        let ty = self.locals[local.0 as usize].ty;
        if !matches!(self.unit.types.get(ty), Type::Record(_)) {
            return;
        }
        let root = self.address_of(variable);
        let address = Expr::symbol(root);
        let kills = Kills {
            stores: vec![Store {
                root: Some(root),
                address: Some(address.clone()),
                size: self.unit.types.size(ty).unwrap_or(0),
                ty,
            }],
            ..Kills::default()
        };
        self.kill(&kills, state);
        self.set_members(&address, members, state);
    }
}
