//! Where in memory is a place? Its root, its address in bytes, and its subscripts in the declared shape.

use super::Walker;
use super::pointer::Pointer;
use crate::access::Subscript;
use crate::state::State;
use ferry_ir::{Expr as Code, ExprKind, Place, PlaceBase, Projection, Type, TypeId};
use ferry_symbolic::{Expr, Symbol};
use std::rc::Rc;

/// A place as values.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub root: Option<Symbol>,
    pub address: Option<Expr>,
    pub subscripts: Vec<Subscript>,
    /// The pointer in memory that leads there, where that is kept ([`super::pointer`]).
    pub pointer: Option<Rc<Pointer>>,
}

impl Walker<'_> {
    /// Evaluates the pointer and the indices of a place, in order; loads in them are recorded, the place itself not.
    pub fn place(&mut self, place: &Place, state: &mut State) -> Target {
        let mut subscripts = Vec::new();
        let mut through = None;
        let (mut address, mut ty) = match &place.base {
            PlaceBase::Variable(variable) => {
                let symbol = self.address_of(*variable);
                let ty = match variable {
                    ferry_ir::VariableRef::Global(id) => self.unit.global(*id).ty,
                    ferry_ir::VariableRef::Local(id) => self.locals[id.0 as usize].ty,
                };
                (Some(Expr::symbol(symbol)), ty)
            }
            PlaceBase::Deref(pointer) => {
                let value = self.value(pointer, state);
                through = self.pointer_in(pointer, state);
                let to = self.unit.types.pointee(pointer.ty).unwrap_or(place.ty);
                // Of accesses that are not recorded nobody asks for it.
                if let Some(value) = value.as_ref().filter(|_| self.recording()) {
                    subscripts.push(self.first_subscript(pointer, value, to, state));
                }
                (value, to)
            }
        };
        for projection in &place.path {
            match projection {
                Projection::Field(number) => {
                    let Type::Record(record) = self.unit.types.get(ty) else {
                        address = None;
                        break;
                    };
                    let Some(field) = self.unit.types.record(*record).fields.get(*number as usize) else {
                        address = None;
                        break;
                    };
                    let first = match field.width {
                        None => field.offset_bits / 8,
                        Some(_) => bit_field_bytes(self.unit.types.record(*record), *number).0,
                    };
                    let bytes = Expr::int(i128::from(first));
                    address = address.map(|address| &address + &bytes);
                    ty = field.ty;
                }
                Projection::Index(index) => {
                    let index = self.value(index, state);
                    let Type::Array { element, length } = self.unit.types.get(ty).clone() else {
                        address = None;
                        break;
                    };
                    let stride = self.size_of(element, state);
                    let extent = self.length(&length, state);
                    address = match (address, &index, &stride) {
                        (Some(address), Some(index), Some(stride)) => Some(&address + &(index * stride)),
                        _ => None,
                    };
                    subscripts.push(Subscript {
                        index,
                        extent,
                        stride,
                    });
                    ty = element;
                }
            }
        }
        let root = address.as_ref().and_then(|address| self.root(address));
        Target {
            root,
            address,
            subscripts,
            pointer: through,
        }
    }

    /// How many bytes are read or written where a place is.
    pub fn size_of_place(&self, place: &Place) -> u64 {
        if let Some((Projection::Field(number), before)) = place.path.split_last()
            && let Some(record) = self.record_before(place, before)
            && self
                .unit
                .types
                .record(record)
                .fields
                .get(*number as usize)
                .is_some_and(|field| field.width.is_some())
        {
            return bit_field_bytes(self.unit.types.record(record), *number).1;
        }
        self.unit.types.size(place.ty).unwrap_or(0)
    }

    /// The structure that holds the last member of a place.
    fn record_before(&self, place: &Place, path: &[Projection]) -> Option<ferry_ir::RecordId> {
        let ty = self.type_along(place, path)?;
        match self.unit.types.get(ty) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// The type of what the first steps of a place lead to.
    pub fn type_along(&self, place: &Place, path: &[Projection]) -> Option<TypeId> {
        let mut ty = match &place.base {
            PlaceBase::Variable(variable) => self.type_of(*variable),
            PlaceBase::Deref(pointer) => self.unit.types.pointee(pointer.ty)?,
        };
        for projection in path {
            ty = match (projection, self.unit.types.get(ty)) {
                (Projection::Field(number), Type::Record(record)) => {
                    self.unit.types.record(*record).fields.get(*number as usize)?.ty
                }
                (Projection::Index(_), Type::Array { element, .. }) => *element,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// `p[i]` where `p` is as it was when its root was made: the index counts from the root. Through a pointer into the
    /// middle it is the difference from the root, where that is a whole number of elements.
    fn first_subscript(&mut self, pointer: &Code, value: &Expr, to: TypeId, state: &mut State) -> Subscript {
        let stride = self.size_of(to, state);
        let mut index = None;
        if let (Some(root), Some(stride)) = (self.root(value), &stride) {
            let offset = value - &Expr::symbol(root);
            index = crate::quotient::exact_quotient(&offset, stride);
            if index.is_none()
                && let ExprKind::Offset(base, count) = &pointer.kind
            {
                let recorded = (self.accesses.len(), self.order);
                self.scanning += 1; // evaluated once already: not recorded again
                let base = self.value(base, state);
                let count = self.value(count, state);
                self.scanning -= 1;
                debug_assert_eq!(recorded.0, self.accesses.len());
                if base == Some(Expr::symbol(root)) {
                    index = count;
                }
            }
        }
        Subscript {
            index,
            extent: None,
            stride,
        }
    }

    /// The one pointer in a sum.
    pub fn root(&self, address: &Expr) -> Option<Symbol> {
        self.symbols.root(&self.unit.types, address)
    }
}

/// First byte and number of bytes of the memory location of a bit-field: all bit-fields that are members next to each
/// other (C11 3.14). A compiler may write all of it for one of them.
fn bit_field_bytes(record: &ferry_ir::Record, number: u32) -> (u64, u64) {
    let is_bit_field = |field: &&ferry_ir::Field| field.width.is_some_and(|width| width > 0);
    let number = (number as usize).min(record.fields.len());
    let before = record.fields[..number].iter().rev().take_while(is_bit_field);
    let behind = record.fields[number..].iter().take_while(is_bit_field);
    let (mut low, mut high) = (u64::MAX, 0);
    for field in before.chain(behind) {
        low = low.min(field.offset_bits / 8);
        high = high.max((field.offset_bits + u64::from(field.width.unwrap_or(0))).div_ceil(8));
    }
    (low.min(high), high.saturating_sub(low))
}
