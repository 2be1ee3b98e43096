//! Does a kernel use addresses as values?
//!
//! On the device a mapped object has another address than on the host, and a pointer that names one holds that address.
//! Storage is reached through it as before, but an address that is stored, made an integer, or compared with one that
//! came from memory is not the one that the program means. What it cannot do: see that an address is used again on the
//! device only.

use ferry_analysis::symbols::Cause;
use ferry_ir::{
    BinaryOp, Expr, ExprKind, Place, PlaceBase, Stmt, StmtKind, Type, TypeId, Types, VariableRef,
};
use ferry_source::Origin;
use std::collections::{BTreeMap, BTreeSet};

/// Whose address a pointer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The null pointer.
    Null,
    /// What the host stored in memory.
    Host,
    /// That of mapped storage, on the device.
    Device,
    /// Either.
    Either,
}

impl Kind {
    fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Null, kind) | (kind, Kind::Null) => kind,
            (a, b) if a == b => a,
            _ => Kind::Either,
        }
    }
}

/// Why the kernel cannot run on the device, if it uses addresses as values. `own` are the variables that each iteration
/// has for itself, of which `walking` begin with an address of mapped storage, `bases` the pointers by which mapped storage is named, `nested` says that pointers
/// in mapped structures are set on the device.
pub fn used_as_values(
    types: &Types,
    stmt: &Stmt,
    own: &BTreeSet<VariableRef>,
    walking: &BTreeSet<VariableRef>,
    bases: &BTreeSet<VariableRef>,
    nested: bool,
) -> Option<Cause> {
    let in_memory = if nested { Kind::Either } else { Kind::Host };
    let held = walking.iter().map(|variable| (*variable, Kind::Device)).collect();
    misuse(types, stmt, own, bases, in_memory, held)
}

/// The same for a function that a kernel calls: its parameters `given`, and pointers in memory, may hold addresses of
/// either side.
pub fn used_as_values_in_function(
    types: &Types,
    body: &Stmt,
    own: &BTreeSet<VariableRef>,
    given: &BTreeSet<VariableRef>,
) -> Option<Cause> {
    let held = given.iter().map(|variable| (*variable, Kind::Either)).collect();
    misuse(types, body, own, &BTreeSet::new(), Kind::Either, held)
}

fn misuse(
    types: &Types,
    stmt: &Stmt,
    own: &BTreeSet<VariableRef>,
    bases: &BTreeSet<VariableRef>,
    in_memory: Kind,
    held: BTreeMap<VariableRef, Kind>,
) -> Option<Cause> {
    let mut kernel = Addresses {
        types,
        own,
        bases,
        in_memory,
        held,
    };
    // What variables of the kernel hold, wherever it was assigned: grows until nothing changes.
    loop {
        let before = kernel.held.clone();
        stmt.walk(&mut |inner| kernel.assignment(inner));
        if kernel.held == before {
            break;
        }
    }
    let mut found = None;
    stmt.walk(&mut |inner| {
        if found.is_none() {
            found = kernel.misuse(inner);
        }
    });
    let at = found?;
    Some(Cause::new(
        "it uses addresses as values, which are others on the device",
        at,
    ))
}

struct Addresses<'a> {
    types: &'a Types,
    own: &'a BTreeSet<VariableRef>,
    bases: &'a BTreeSet<VariableRef>,
    /// What is found in memory.
    in_memory: Kind,
    held: BTreeMap<VariableRef, Kind>,
}

impl Addresses<'_> {
    fn is_pointer(&self, expr: &Expr) -> bool {
        matches!(self.types.get(expr.ty), Type::Pointer(_))
    }

    /// The variable of the kernel that a place is part of.
    fn own_variable(&self, place: &Place) -> Option<VariableRef> {
        match place.base {
            PlaceBase::Variable(variable) if self.own.contains(&variable) => Some(variable),
            _ => None,
        }
    }

    fn assignment(&mut self, stmt: &Stmt) {
        let Some(variable) = stmt.written_place().and_then(|place| self.own_variable(place)) else {
            return;
        };
        let kind = match &stmt.kind {
            StmtKind::Assign { value, .. } => self.value(value),
            StmtKind::Call { .. } => Kind::Either,
            _ => Kind::Null,
        };
        let held = self.held.entry(variable).or_insert(Kind::Null);
        *held = held.join(kind);
    }

    /// What a value holds, if it is a pointer or a structure.
    fn value(&self, expr: &Expr) -> Kind {
        match &expr.kind {
            _ if is_plain_record(self.types, expr.ty) => Kind::Null,
            ExprKind::Load(place) if matches!(self.types.get(expr.ty), Type::Record(_)) => self.found(place),
            _ if !self.is_pointer(expr) => Kind::Null,
            ExprKind::Int(_) => Kind::Null,
            ExprKind::Load(place) => self.found(place),
            ExprKind::AddressOf(place) => match &place.base {
                PlaceBase::Deref(pointer) => self.value(pointer),
                PlaceBase::Variable(variable) if self.own.contains(variable) => Kind::Either,
                PlaceBase::Variable(_) => Kind::Device,
            },
            ExprKind::Offset(pointer, _) => self.value(pointer),
            ExprKind::Select(_, a, b) => self.value(a).join(self.value(b)),
            ExprKind::Cast(inner) if self.is_pointer(inner) => self.value(inner),
            // An integer that was one on the host.
            ExprKind::Cast(_) => Kind::Host,
            _ => Kind::Either,
        }
    }

    /// What is found in a place.
    fn found(&self, place: &Place) -> Kind {
        if let Some(variable) = self.own_variable(place) {
            return self.held.get(&variable).copied().unwrap_or(Kind::Null);
        }
        match &place.base {
            PlaceBase::Variable(variable) if place.path.is_empty() => match self.bases.contains(variable) {
                true => Kind::Device,
                // A pointer to storage that another name maps is changed too.
                false => Kind::Either,
            },
            PlaceBase::Variable(_) => self.in_memory,
            PlaceBase::Deref(pointer) => match self.value(pointer) {
                Kind::Either => Kind::Either,
                _ => self.in_memory,
            },
        }
    }

    fn misuse(&self, stmt: &Stmt) -> Option<Origin> {
        let fine = |kind: Kind| matches!(kind, Kind::Null | Kind::Host);
        if let Some(place) = stmt.written_place()
            && self.own_variable(place).is_none()
        {
            let stored = match &stmt.kind {
                StmtKind::Assign { value, .. } => self.value(value),
                StmtKind::Call { .. } if matches!(self.types.get(place.ty), Type::Pointer(_)) => Kind::Either,
                _ => Kind::Null,
            };
            if !fine(stored) {
                return Some(stmt.origin);
            }
        }
        let mut found = None;
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner| {
                let wrong = match &inner.kind {
                    ExprKind::Cast(operand) if self.is_pointer(operand) && !self.is_pointer(inner) => {
                        !matches!(self.types.get(inner.ty), Type::Bool) && !fine(self.value(operand))
                    }
                    ExprKind::Binary(op, a, b) if op.is_comparison() && self.is_pointer(a) => {
                        self.are_incomparable(*op, a, b)
                    }
                    ExprKind::Difference(a, b) => self.are_incomparable(BinaryOp::Sub, a, b),
                    _ => false,
                };
                if wrong && found.is_none() {
                    found = Some(inner.origin);
                }
            });
        });
        found
    }

    fn are_incomparable(&self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        let null = |kind: Kind| kind == Kind::Null && matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        let (a, b) = (self.value(a), self.value(b));
        let alike = a == b && a != Kind::Either;
        !(alike || null(a) || null(b))
    }
}

/// True for a structure or union in which there is no address.
fn is_plain_record(types: &Types, ty: TypeId) -> bool {
    let holds_none = |ty: TypeId| {
        let mut ty = ty;
        while let Type::Array { element, .. } = types.get(ty) {
            ty = *element;
        }
        match types.get(ty) {
            Type::Record(_) => is_plain_record(types, ty),
            _ => types.is_scalar(ty) && types.pointee(ty).is_none(),
        }
    };
    match types.get(ty) {
        Type::Record(id) => {
            let record = types.record(*id);
            record.complete && !record.union && record.fields.iter().all(|field| holds_none(field.ty))
        }
        _ => false,
    }
}
