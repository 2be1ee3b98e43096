//! Where is a place? Its address as a base register, at most one scaled index, and a constant offset.

use super::*;
use crate::{Expr, ExprKind, LocalId, Place, PlaceBase, Projection, VariableRef};

/// `base + index * scale + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    base: Reg,
    index: Option<(Reg, u16)>,
    offset: i64,
}

/// What a place is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Location {
    Register(Reg, Scalar),
    Memory(Address),
    Bits(Address, u32),
}

impl Compiler<'_> {
    /// The home of a local; a trap if it does not exist.
    fn home(&mut self, local: LocalId) -> Option<Home> {
        self.homes.get(local.0 as usize).copied()
    }

    /// The value of a scalar local.
    pub(super) fn local_value(&mut self, local: LocalId) -> Option<Reg> {
        match self.home(local)? {
            Home::Register(register, _) => Some(register),
            Home::Memory(slot) => {
                let (_, function) = self.function?;
                let kind = self.scalar(function.locals.get(local.0 as usize)?.ty)?;
                Some(self.load(
                    kind,
                    Address {
                        base: slot,
                        index: None,
                        offset: 0,
                    },
                    None,
                ))
            }
        }
    }

    pub(super) fn location(&mut self, place: &Place) -> Option<Location> {
        let (mut address, mut ty) = match &place.base {
            PlaceBase::Variable(VariableRef::Local(local)) => {
                let ty = self.function?.1.locals.get(local.0 as usize)?.ty;
                match self.home(*local)? {
                    Home::Register(register, kind) => {
                        return place
                            .path
                            .is_empty()
                            .then_some(Location::Register(register, kind));
                    }
                    Home::Memory(slot) => (
                        Address {
                            base: slot,
                            index: None,
                            offset: 0,
                        },
                        ty,
                    ),
                }
            }
            PlaceBase::Variable(VariableRef::Global(global)) => {
                let address = *self
                    .linked
                    .globals
                    .get(self.unit_number as usize)?
                    .get(global.0 as usize)?;
                let base = self.constant(address);
                (
                    Address {
                        base,
                        index: None,
                        offset: 0,
                    },
                    self.unit.globals.get(global.0 as usize)?.ty,
                )
            }
            PlaceBase::Deref(pointer) => {
                let address = self.pointer(pointer);
                (address, self.unit.types.pointee(pointer.ty).unwrap_or(place.ty))
            }
        };
        let mut bits = None;
        for projection in &place.path {
            match projection {
                Projection::Index(index) => {
                    let Type::Array { element, .. } = *self.unit.types.get(ty) else {
                        return None;
                    };
                    let size = self.size(element)?;
                    address = self.indexed(address, index, size);
                    ty = element;
                }
                Projection::Field(number) => {
                    let Type::Record(record) = *self.unit.types.get(ty) else {
                        return None;
                    };
                    let field = self
                        .unit
                        .types
                        .records
                        .get(record.0 as usize)?
                        .fields
                        .get(*number as usize)?;
                    if let Some(width) = field.width {
                        bits = Some(BitField {
                            byte: field.offset_bits / 8,
                            shift: (field.offset_bits % 8) as u32,
                            width: u32::from(width),
                            kind: self.scalar(field.ty)?,
                        });
                    } else {
                        address.offset = address.offset.wrapping_add_unsigned(field.offset_bits / 8);
                    }
                    ty = field.ty;
                }
            }
        }
        Some(match bits {
            None => Location::Memory(address),
            Some(bits) => {
                let fields = &mut self.tables.program.bit_fields;
                let number = *self.tables.fields.entry(bits).or_insert_with(|| {
                    fields.push(bits);
                    (fields.len() - 1) as u32
                });
                Location::Bits(address, number)
            }
        })
    }

    /// A pointer's value as an address, sums kept apart.
    fn pointer(&mut self, pointer: &Expr) -> Address {
        match &pointer.kind {
            ExprKind::Offset(base, index) => {
                let size = self
                    .unit
                    .types
                    .pointee(base.ty)
                    .and_then(|pointee| self.size(pointee));
                if let Some(size) = size {
                    let base = self.pointer(base);
                    return self.indexed(base, index, size);
                }
            }
            ExprKind::AddressOf(place) => {
                if let Some(Location::Memory(address)) = self.location(place) {
                    return address;
                }
            }
            ExprKind::Cast(inner) if self.unit.types.pointee(inner.ty).is_some() => {
                return self.pointer(inner);
            }
            _ => {}
        }
        Address {
            base: self.expr(pointer),
            index: None,
            offset: 0,
        }
    }

    fn indexed(&mut self, mut address: Address, index: &Expr, size: Size) -> Address {
        if let (Some(index), Size::Constant(size)) = (index.as_int(), size)
            && let Some(bytes) = i128::from(size).checked_mul(index)
        {
            address.offset = address.offset.wrapping_add(bytes as i64);
            return address;
        }
        let index = self.expr(index);
        if address.index.is_some() {
            address = self.collapsed(address);
        }
        match size {
            Size::Constant(size) if size <= u64::from(u16::MAX) => {
                address.index = Some((index, size as u16));
            }
            size => {
                let size = self.size_register(size);
                let d = self.temporary(1);
                self.emit(Op::MulU64 { d, a: index, b: size });
                address.index = Some((d, 1));
            }
        }
        address
    }

    /// The same address without an index.
    fn collapsed(&mut self, address: Address) -> Address {
        match address.index {
            None => address,
            Some((index, scale)) => {
                let d = self.temporary(1);
                self.emit(Op::Index {
                    scale,
                    d,
                    a: address.base,
                    b: index,
                });
                Address {
                    base: d,
                    index: None,
                    offset: address.offset,
                }
            }
        }
    }

    /// The same address as a register and an offset of 32 bits.
    fn base_and_offset(&mut self, address: Address) -> (Reg, i32) {
        let address = self.collapsed(address);
        match i32::try_from(address.offset) {
            Ok(offset) => (address.base, offset),
            Err(_) => {
                let offset = self.constant(address.offset as u64);
                let d = self.temporary(1);
                self.emit(Op::AddU64 {
                    d,
                    a: address.base,
                    b: offset,
                });
                (d, 0)
            }
        }
    }

    /// The address in one register.
    pub(super) fn address(&mut self, address: Address, want: Option<Reg>) -> Reg {
        match (address.index, address.offset) {
            (None, 0) => match want {
                Some(d) => {
                    self.emit(Op::Move { d, a: address.base });
                    d
                }
                None => address.base,
            },
            (Some((index, scale)), 0) => {
                let d = want.unwrap_or_else(|| self.temporary(1));
                self.emit(Op::Index {
                    scale,
                    d,
                    a: address.base,
                    b: index,
                });
                d
            }
            (_, offset) => {
                let base = self.collapsed(address).base;
                let offset = self.constant(offset as u64);
                let d = want.unwrap_or_else(|| self.temporary(1));
                self.emit(Op::AddU64 {
                    d,
                    a: base,
                    b: offset,
                });
                d
            }
        }
    }

    /// Reads a scalar.
    pub(super) fn load(&mut self, kind: Scalar, address: Address, want: Option<Reg>) -> Reg {
        use Scalar::*;
        if let (Some((b, scale)), 0) = (address.index, address.offset)
            && matches!(kind, I32 | U32 | F32 | I64 | U64 | F64)
        {
            let a = address.base;
            let d = want.unwrap_or_else(|| self.temporary(1));
            self.emit(match kind {
                I32 => Op::LoadI32At { scale, d, a, b },
                U32 | F32 => Op::LoadU32At { scale, d, a, b },
                _ => Op::Load64At { scale, d, a, b },
            });
            return d;
        }
        let (a, offset) = self.base_and_offset(address);
        let d = want.unwrap_or_else(|| self.temporary(kind.registers()));
        self.emit(match kind {
            I32 => Op::LoadI32 { d, a, offset },
            U32 | F32 => Op::LoadU32 { d, a, offset },
            I64 | U64 | F64 => Op::Load64 { d, a, offset },
            _ => Op::Load { kind, d, a, offset },
        });
        d
    }

    /// Writes a scalar.
    pub(super) fn store(&mut self, kind: Scalar, address: Address, b: Reg) {
        use Scalar::*;
        let (a, offset) = self.base_and_offset(address);
        self.emit(match kind {
            I32 | U32 | F32 => Op::Store32 { a, offset, b },
            I64 | U64 | F64 => Op::Store64 { a, offset, b },
            _ => Op::Store { kind, a, offset, b },
        });
    }

    /// The value of a place of scalar type.
    pub(super) fn load_place(&mut self, place: &Place, want: Option<Reg>) -> Option<Reg> {
        let location = self.location(place)?;
        let site = self.site;
        let result = match location {
            Location::Register(register, kind) => match want {
                None => Some(register),
                Some(d) => {
                    self.move_to(kind, d, register);
                    Some(d)
                }
            },
            Location::Memory(address) => {
                self.set_site(place.origin);
                let kind = self.scalar(place.ty)?;
                Some(self.load(kind, address, want))
            }
            Location::Bits(address, field) => {
                self.set_site(place.origin);
                let a = self.address(address, None);
                let kind = self.scalar(place.ty)?;
                let d = want.unwrap_or_else(|| self.temporary(kind.registers()));
                self.emit(Op::LoadBits { d, a, field });
                Some(d)
            }
        };
        self.site = site;
        result
    }

    /// Writes a register to a place of scalar type.
    pub(super) fn store_place(&mut self, place: &Place, value: Reg) -> Option<()> {
        let location = self.location(place)?;
        let site = self.site;
        match location {
            Location::Register(register, kind) => self.move_to(kind, register, value),
            Location::Memory(address) => {
                let kind = self.scalar(place.ty)?;
                self.set_site(place.origin);
                self.store(kind, address, value);
            }
            Location::Bits(address, field) => {
                let a = self.address(address, None);
                self.set_site(place.origin);
                self.emit(Op::StoreBits { a, b: value, field });
            }
        }
        self.site = site;
        Some(())
    }

    pub(super) fn move_to(&mut self, kind: Scalar, d: Reg, a: Reg) {
        if d != a {
            self.emit(if kind.is_wide() {
                Op::MoveWide { d, a }
            } else {
                Op::Move { d, a }
            });
        }
    }

    /// True if the place is a bit-field, or cannot be found.
    pub(super) fn is_bits(&self, place: &Place) -> bool {
        let mut ty = match &place.base {
            PlaceBase::Variable(VariableRef::Local(local)) => self
                .function
                .and_then(|(_, function)| function.locals.get(local.0 as usize))
                .map(|local| local.ty),
            PlaceBase::Variable(VariableRef::Global(global)) => {
                self.unit.globals.get(global.0 as usize).map(|global| global.ty)
            }
            PlaceBase::Deref(pointer) => self.unit.types.pointee(pointer.ty),
        };
        for projection in &place.path {
            ty = match (projection, ty.map(|ty| self.unit.types.get(ty))) {
                (Projection::Index(_), Some(Type::Array { element, .. })) => Some(*element),
                (Projection::Field(number), Some(Type::Record(record))) => {
                    let record = self.unit.types.records.get(record.0 as usize);
                    match record.and_then(|record| record.fields.get(*number as usize)) {
                        Some(field) if field.width.is_none() => Some(field.ty),
                        _ => return true,
                    }
                }
                _ => return true,
            };
        }
        ty.is_none()
    }

    /// The address of a place that is not a bit-field.
    pub(super) fn place_address(&mut self, place: &Place, want: Option<Reg>) -> Option<Reg> {
        match self.location(place)? {
            Location::Memory(address) => Some(self.address(address, want)),
            _ => None,
        }
    }
}
