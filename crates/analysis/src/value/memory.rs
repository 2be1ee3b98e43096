//! What is in memory, and what do stores and calls change of it?

use super::copied::Member;
use super::{Frame, Kills, Store, Walker};
use crate::access::{Access, AccessKind};
use crate::alias::{Reach, may_overlap};
use crate::state::{Cell, Filled, State};
use crate::symbols::{SymbolInfo, SymbolKind};
use ferry_ir::{
    BinaryOp, Expr as Code, ExprKind, Linkage, Place, PlaceBase, Projection, Type, TypeId, VariableRef,
};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::rc::Rc;

/// Memory that is read.
pub(super) struct Held {
    pub cell: Cell,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it is read.
    pub at: Origin,
}

impl Walker<'_> {
    /// Reads memory: records the access, and gives the value if it is an integer or a pointer.
    pub fn read(&mut self, place: &Place, state: &mut State) -> Option<Expr> {
        // A scan looks for what changes values that are followed.
        if !self.recording() && !self.followed(place.ty) && self.only_computes(place, state) {
            self.order += 1;
            return None;
        }
        let target = self.place(place, state);
        let size = self.size_of_place(place);
        self.record(AccessKind::Read, place, &target, size, state);
        if !self.followed(place.ty) {
            return None;
        }
        let Some(address) = target
            .address
            .filter(|_| !place.volatile && !self.is_bit_field(place))
        else {
            return Some(self.unknown(
                state,
                place.ty,
                "a value in memory that is not followed",
                place.origin,
            ));
        };
        let cell = Cell::new(&self.unit.types, address, size, place.ty);
        let known = self.kept(&cell, place.ty, place.origin, state);
        if known.is_some() {
            return known;
        }
        if let Some(value) = self.constant_pointer(place, state) {
            return Some(value);
        }
        let held = Held {
            cell,
            ty: place.ty,
            at: place.origin,
        };
        Some(self.filled_or_fresh(held, target.root, state))
    }

    /// What memory holds, without an access.
    pub(super) fn held(&mut self, held: Held, root: Option<Symbol>, state: &mut State) -> Expr {
        match self.kept(&held.cell, held.ty, held.at, state) {
            Some(value) => value,
            None => self.filled_or_fresh(held, root, state),
        }
    }

    /// What was written to memory or read from it before.
    fn kept(&mut self, cell: &Cell, ty: TypeId, at: Origin, state: &mut State) -> Option<Expr> {
        if let Some(value) = state.cells.get(cell) {
            return Some(value.clone());
        }
        // The same bytes were written or read with the other sign.
        let other = Cell {
            signed: cell.signed.map(|signed| !signed),
            ..cell.clone()
        };
        if cell.signed.is_some()
            && let Some(value) = state.cells.get(&other).cloned()
        {
            return Some(self.convert(value, ty, state, at));
        }
        let frames = self.frames.iter().rev();
        frames.filter_map(|frame| frame.hoisted.get(cell)).next().cloned()
    }

    /// What a table of pointers holds there, or a value of which nothing is known yet.
    fn filled_or_fresh(&mut self, held: Held, root: Option<Symbol>, state: &mut State) -> Expr {
        let cell = held.cell.clone();
        let filled = self.held_by_tables(&cell, root, &state.tables, &state.facts);
        if let Some(Filled::Known(value)) = filled {
            return value;
        }
        let value = self.load_fresh(held, root, state);
        if let (Some(Filled::Fresh(allocation)), Some(symbol)) = (filled, value.as_symbol()) {
            // A load that is kept for a whole loop may be met again where less is known.
            let level = self.symbols.info(symbol).loops.len();
            let kept = match self.frames.get(level) {
                None => true,
                Some(frame) => self.loops.get(frame.index.0 as usize).is_some_and(|of| {
                    let known = self.held_by_tables(&cell, root, &state.tables, &of.before.facts);
                    known == Some(Filled::Fresh(allocation))
                }),
            };
            if kept {
                self.symbols.set_fresh(symbol, allocation);
            }
        }
        value
    }

    /// What a constant pointer of the file was given where it is defined, if that is a place in a variable of the file: nobody may change it (C11 6.7.3). Texts have
    /// no name that could stand for them.
    fn constant_pointer(&mut self, place: &Place, state: &mut State) -> Option<Expr> {
        let unit = self.unit;
        let Some(VariableRef::Global(id)) = place.as_variable() else {
            return None;
        };
        let global = unit.global(id);
        let is_fixed = global.qualifiers.constant && !global.qualifiers.volatile && global.defined;
        let [(first, value)] = global.initial.as_slice() else {
            return None;
        };
        unit.types.pointee(place.ty)?;
        if !is_fixed || global.linkage != Linkage::Internal || global.renamed || !first.path.is_empty() {
            return None;
        }
        let in_variable = |place: &Place| match place.base {
            PlaceBase::Variable(VariableRef::Global(to)) => !unit.global(to).string_literal,
            _ => false,
        };
        let (mut leads, mut plain) = (false, true);
        value.walk(&mut |part| match &part.kind {
            ExprKind::AddressOf(place) if in_variable(place) => leads = true,
            ExprKind::AddressOf(_) | ExprKind::Load(_) | ExprKind::Function(_) | ExprKind::Opaque { .. } => {
                plain = false;
            }
            _ => {}
        });
        let value = (leads && plain).then(|| self.value(value, state)).flatten()?;
        self.constant_pointers.insert(id, value.clone());
        Some(value)
    }

    /// True if finding the address of a place reads no memory, and nothing that is not known: it computes with variables whose values are there.
    fn only_computes(&self, place: &Place, state: &State) -> bool {
        let indices = || {
            place.path.iter().filter_map(|projection| match projection {
                Projection::Index(index) => Some(index),
                Projection::Field(_) => None,
            })
        };
        match &place.base {
            PlaceBase::Variable(_) => indices().all(|index| self.is_arithmetic(index, state)),
            PlaceBase::Deref(pointer) => {
                self.is_arithmetic(pointer, state) && indices().all(|index| self.is_arithmetic(index, state))
            }
        }
    }

    /// Sums, differences and products of constants and variables with values, which do not wrap.
    fn is_arithmetic(&self, code: &Code, state: &State) -> bool {
        let never_wraps = || match self.unit.types.get(code.ty) {
            Type::Int { signed, .. } => *signed && !self.unit.dialect.wrapping,
            Type::Pointer(_) => true,
            _ => false,
        };
        match &code.kind {
            ExprKind::Int(_) => true,
            ExprKind::Load(place) => place
                .as_variable()
                .is_some_and(|variable| self.tracked(variable) && state.get(variable).is_some()),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, left, right)
            | ExprKind::Offset(left, right) => {
                never_wraps() && self.is_arithmetic(left, state) && self.is_arithmetic(right, state)
            }
            ExprKind::Cast(operand) => {
                self.is_within(operand.ty, code.ty) && self.is_arithmetic(operand, state)
            }
            _ => false,
        }
    }

    /// A value that is not known yet: one symbol for all iterations of the loops that do not change it.
    fn load_fresh(&mut self, held: Held, root: Option<Symbol>, state: &mut State) -> Expr {
        let Held { cell, ty, at } = held;
        let mut level = self.frames.len();
        while level > 0 {
            let frame = &self.frames[level - 1];
            let Some(kills) = &frame.kills else { break };
            let varies = !self.symbols.invariant_in(&cell.address, frame.stmt);
            if varies || self.killed_by(&cell, root, kills) {
                break;
            }
            level -= 1;
        }
        let loops = self.frames[..level].iter().map(|frame| frame.stmt).collect();
        let kind = SymbolKind::Loaded {
            address: cell.address.clone(),
            size: cell.size,
        };
        let symbol = self.symbols.make(SymbolInfo {
            kind,
            ty: Some(ty),
            loops,
            at,
            order: self.order,
        });
        let value = Expr::symbol(symbol);
        self.assume_type_range(state, symbol, ty);
        self.assume_bound(state, symbol);
        // What the user says is there is said for the paths that come by, not for all of a loop.
        if level < self.frames.len() && !self.unseen {
            self.frames[level].hoisted.insert(cell.clone(), value.clone());
        }
        Rc::make_mut(&mut state.cells).insert(cell, value.clone());
        value
    }

    /// Writes memory: records the access and forgets what it may change.
    pub fn write(&mut self, place: &Place, value: Option<Expr>, state: &mut State) {
        self.write_members(place, value, &[], state);
    }

    /// The same for what may be a structure whose members are known.
    pub fn write_members(
        &mut self,
        place: &Place,
        value: Option<Expr>,
        members: &[Member],
        state: &mut State,
    ) {
        let target = self.place(place, state);
        let size = self.size_of_place(place);
        self.record(AccessKind::Write, place, &target, size, state);
        let to = |root: Option<Symbol>, address: Option<Expr>| Store {
            root,
            address,
            size,
            ty: place.ty,
        };
        let stores = match self.alternatives(&target, state) {
            Some(all) => all
                .into_iter()
                .map(|one| to(Some(one.root), Some(one.address)))
                .collect(),
            None => vec![to(target.root, target.address.clone())],
        };
        let kills = Kills {
            stores,
            ..Kills::default()
        };
        self.kill(&kills, state);
        if let Some(address) = target.address.as_ref().filter(|_| !place.volatile) {
            self.set_members(address, members, state);
        }
        if let (Some(address), Some(value)) = (target.address, value)
            && self.followed(place.ty)
            && !place.volatile
            && !self.is_bit_field(place)
        {
            let cell = Cell::new(&self.unit.types, address, size, place.ty);
            Rc::make_mut(&mut state.cells).insert(cell, value);
        }
    }

    /// For whole programs, also the accesses of variables that are known by their names are kept.
    pub fn note_variable(&mut self, kind: AccessKind, place: &Place, state: &State) {
        let Some(variable) = place.as_variable() else {
            return;
        };
        if !self.with_directives || !self.recording() || !self.tracked(variable) {
            return;
        }
        let root = self.address_of(variable);
        let target = super::place::Target {
            root: Some(root),
            address: Some(Expr::symbol(root)),
            subscripts: Vec::new(),
            pointer: None,
        };
        let size = self.size_of_place(place);
        self.record(kind, place, &target, size, state);
    }

    pub(super) fn record(
        &mut self,
        kind: AccessKind,
        place: &Place,
        target: &super::place::Target,
        size: u64,
        state: &State,
    ) {
        if self.recording()
            && let Some(all) = self.alternatives(target, state)
        {
            self.record_alternatives(kind, place, target, size, state, all);
            return;
        }
        self.order += 1;
        // What a called function keeps in its own variables is gone when it returns, and each call has its own.
        if !self.recording() || !self.with_directives && self.is_callee_variable(target.root) {
            return;
        }
        let access = self.access(kind, place, target, size, state);
        self.accesses.push(access);
    }

    /// The access that happens here.
    pub(super) fn access(
        &self,
        kind: AccessKind,
        place: &Place,
        target: &super::place::Target,
        size: u64,
        state: &State,
    ) -> Access {
        Access {
            kind,
            stmt: self.statement_in_text(self.current),
            within: self.current,
            origin: place.origin,
            root: target.root,
            address: target.address.clone(),
            size,
            partial: self.is_bit_field(place),
            ty: place.ty,
            subscripts: target.subscripts.clone(),
            pointer: target.pointer.clone(),
            facts: state.facts.clone(),
            loops: self.open_loops(),
            conditional_depth: self.conditional_depth,
            guards: self.guards.clone(),
            guards_outside: self.guards_outside,
            order: self.order,
            volatile: place.volatile,
            called: self.inside.last().map(|inside| inside.function),
            irregular: Default::default(),
            summary: None,
            choice: None,
            extent: target.root.and_then(|root| state.extents.get(&root).cloned()),
        }
    }

    /// Forgets what may have changed, and takes account of it for the scan in progress.
    pub fn kill(&mut self, kills: &Kills, state: &mut State) {
        if self.scanning > 0 {
            self.written.add(kills);
        }
        self.forget_cells(kills, state);
    }

    /// Forgets what may have changed, in this state only.
    pub fn forget_cells(&self, kills: &Kills, state: &mut State) {
        self.forget_tables(kills, state);
        let is_nothing = !kills.anything && kills.roots.is_empty() && kills.stores.is_empty();
        if is_nothing || state.cells.is_empty() {
            return;
        }
        let killed: Vec<Cell> = state
            .cells
            .keys()
            .filter(|cell| self.killed_by(cell, self.root(&cell.address), kills))
            .cloned()
            .collect();
        if !killed.is_empty() {
            let cells = Rc::make_mut(&mut state.cells);
            for cell in killed {
                cells.remove(&cell);
            }
        }
    }

    pub(super) fn killed_by(&self, cell: &Cell, root: Option<Symbol>, kills: &Kills) -> bool {
        self.reached_by_calls(root, kills)
            || kills
                .stores
                .iter()
                .any(|store| self.store_overlaps(cell, root, store))
    }

    pub(super) fn reach(&self) -> Reach<'_> {
        Reach {
            unit: self.unit,
            function: self.function,
            symbols: &self.symbols,
            passed: &self.passed,
        }
    }

    pub(super) fn reached_by_calls(&self, root: Option<Symbol>, kills: &Kills) -> bool {
        let reach = self.reach();
        if kills.anything && root.is_none_or(|root| reach.escapes(root)) {
            return true;
        }
        kills.roots.iter().any(|killed| match root {
            Some(root) => may_overlap(&reach, root, *killed),
            None => true,
        })
    }

    fn store_overlaps(&self, cell: &Cell, root: Option<Symbol>, store: &Store) -> bool {
        let may_alias = self.cell_may_be(cell, store.ty);
        let (Some(root), Some(other)) = (root, store.root) else {
            return may_alias;
        };
        let reach = self.reach();
        if root != other {
            return may_alias && may_overlap(&reach, root, other);
        }
        // The same storage: a distance that is a constant says whether they are apart, whatever their types (members of
        // a union have different ones).
        let Some(address) = &store.address else {
            return may_alias;
        };
        let Some(distance) = (address - &cell.address).as_constant() else {
            return may_alias;
        };
        let distance = Expr::constant(distance);
        let facts = ferry_symbolic::Facts::default();
        let after = &distance - &Expr::int(i128::from(cell.size));
        let before = &-&distance - &Expr::int(i128::from(store.size));
        !(facts.prove_nonnegative(&after) || facts.prove_nonnegative(&before))
    }

    /// True if a store of this type may change the cell: by C's effective types (C11 6.5p7). What the cell holds may
    /// have come from an object of another type.
    pub(super) fn cell_may_be(&self, cell: &Cell, stored: TypeId) -> bool {
        let types = &self.unit.types;
        if self.unit.dialect.no_strict_aliasing || cell.size == 1 {
            return true;
        }
        match types.get(stored) {
            Type::Int { bits: 8, .. } => true,
            Type::Int { bits, .. } => {
                cell.signed.is_some() && cell.size.checked_mul(8) == Some(u64::from(*bits))
            }
            Type::Float { .. } | Type::Complex { .. } | Type::Bool => false,
            Type::Pointer(_) => cell.signed.is_none(),
            _ => true,
        }
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let Some(ferry_ir::Projection::Field(_)) = place.path.last() else {
            return false;
        };
        crate::shape::last_field(self.unit, &self.locals, place).is_some_and(|field| field.width.is_some())
    }
}

impl Kills {
    /// Adds what another may write.
    pub fn add(&mut self, other: &Kills) {
        self.stores.extend(other.stores.iter().cloned());
        self.roots.extend(other.roots.iter().copied());
        self.anything |= other.anything;
    }
}

impl Frame {
    /// The loops that are open below this one see its loads.
    pub fn new(stmt: ferry_ir::StmtId, index: crate::loops::LoopIndex) -> Frame {
        Frame {
            stmt,
            index,
            kills: None,
            hoisted: Default::default(),
            continues: Vec::new(),
        }
    }
}
