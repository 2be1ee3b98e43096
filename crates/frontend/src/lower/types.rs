//! Which type of the program is a type of libclang? Widths, signs and layouts as the compiler has them.
//!
//! Types with a variable length have no meaning apart from their declaration: [`Lower::ty`] refuses them, and the
//! declaration lowers them with [`Lower::declared_type`], which takes the sizes in libclang's order (inner first).

use super::node::Node;
use super::{Cause, Lower, Lowered};
use crate::clang::{ClangType, Constant, Cursor};
use clang_sys::*;
use ferry_ir::*;
use ferry_source::Origin;

/// What is remembered of a type of libclang.
#[derive(Clone)]
pub struct Cached {
    ty: Lowered<TypeId>,
    volatile: bool,
}

/// What [`Lower::ty`] answers for a type with a variable length.
pub const VARIABLE_LENGTH: &str = "a type of variable length outside of its declaration";

impl<'tu> Lower<'tu, '_> {
    /// The type, without its qualifiers.
    pub(super) fn ty(&mut self, ty: ClangType<'tu>) -> Lowered<TypeId> {
        self.cached(ty).ty
    }

    /// The type, and whether it is `volatile`.
    pub(super) fn qualified(&mut self, ty: ClangType<'tu>) -> (Lowered<TypeId>, bool) {
        let cached = self.cached(ty);
        (cached.ty, cached.volatile)
    }

    fn cached(&mut self, ty: ClangType<'tu>) -> Cached {
        if let Some(cached) = self.type_cache.get(&ty.key()) {
            return cached.clone();
        }
        let canonical = ty.canonical();
        let cached = Cached {
            ty: self.canonical_type(canonical),
            volatile: canonical.is_volatile(),
        };
        self.type_cache.insert(ty.key(), cached.clone());
        cached
    }

    /// The type of an expression.
    pub(super) fn type_of(&mut self, node: &Node<'tu>) -> Lowered<TypeId> {
        self.ty(node.cursor.ty())
    }

    pub(super) fn int(&mut self) -> TypeId {
        self.types.intern(Type::Int {
            bits: 32,
            signed: true,
        })
    }

    pub(super) fn long(&mut self) -> TypeId {
        self.types.intern(Type::Int {
            bits: 64,
            signed: true,
        })
    }

    pub(super) fn unsigned_long(&mut self) -> TypeId {
        self.types.intern(Type::Int {
            bits: 64,
            signed: false,
        })
    }

    pub(super) fn pointer_to(&mut self, ty: TypeId) -> TypeId {
        self.types.intern(Type::Pointer(ty))
    }

    fn opaque_type(&mut self, ty: ClangType<'tu>) -> TypeId {
        self.types.intern(Type::Opaque {
            spelling: ty.spelling(),
            size: ty.size().unwrap_or(0),
        })
    }

    fn canonical_type(&mut self, ty: ClangType<'tu>) -> Lowered<TypeId> {
        let signed = match ty.kind() {
            CXType_Void => return Ok(self.types.intern(Type::Void)),
            CXType_Bool => return Ok(self.types.intern(Type::Bool)),
            CXType_Float => return Ok(self.types.intern(Type::Float { bits: 32 })),
            CXType_Double => return Ok(self.types.intern(Type::Float { bits: 64 })),
            CXType_LongDouble if ty.size() == Some(8) => {
                return Ok(self.types.intern(Type::Float { bits: 64 }));
            }
            CXType_LongDouble => return Ok(self.types.intern(Type::Float { bits: 80 })),
            CXType_Float128 => return Ok(self.types.intern(Type::Float { bits: 128 })),
            CXType_Char_U | CXType_UChar | CXType_Char16 | CXType_Char32 | CXType_UShort | CXType_UInt
            | CXType_ULong | CXType_ULongLong | CXType_UInt128 => Some(false),
            CXType_Char_S | CXType_SChar | CXType_WChar | CXType_Short | CXType_Int | CXType_Long
            | CXType_LongLong | CXType_Int128 => Some(true),
            _ => None,
        };
        if let Some(signed) = signed {
            let size = ty.size().ok_or("an integer type without size")?;
            return Ok(self.types.intern(Type::Int {
                bits: (size * 8) as u16,
                signed,
            }));
        }
        match ty.kind() {
            CXType_Pointer => {
                if ty.size() != Some(8) {
                    return Err("a pointer that has not 64 bits".into());
                }
                let to = self.ty(ty.pointee())?;
                Ok(self.pointer_to(to))
            }
            CXType_Enum => {
                let declaration = ty.declaration().ok_or("an enumeration without declaration")?;
                let definition = declaration.definition().unwrap_or(declaration);
                let integer = definition.enum_integer_type();
                if integer.kind() == CXType_Invalid {
                    Ok(self.int())
                } else {
                    self.ty(integer)
                }
            }
            CXType_Record => self.record_type(ty),
            CXType_ConstantArray => {
                let element = self.ty(ty.element())?;
                let length = ty.array_length().ok_or("an array without length")?;
                Ok(self.types.intern(Type::Array {
                    element,
                    length: Length::Constant(length),
                }))
            }
            CXType_IncompleteArray => {
                let element = self.ty(ty.element())?;
                Ok(self.types.intern(Type::Array {
                    element,
                    length: Length::Unknown,
                }))
            }
            CXType_Complex => {
                let part = self.ty(ty.element())?;
                Ok(match *self.types.get(part) {
                    Type::Float { bits } => self.types.intern(Type::Complex { bits }),
                    // GNU C has complex integers.
                    _ => self.opaque_type(ty),
                })
            }
            CXType_VariableArray => Err(VARIABLE_LENGTH.into()),
            CXType_FunctionProto | CXType_FunctionNoProto => {
                let result = self.ty(ty.result())?;
                let parameters = ty
                    .parameters()
                    .into_iter()
                    .map(|p| self.ty(p))
                    .collect::<Lowered<Vec<_>>>()?;
                let variadic = ty.kind() == CXType_FunctionNoProto || ty.is_variadic();
                Ok(self.types.intern(Type::Function {
                    result,
                    parameters,
                    variadic,
                }))
            }
            CXType_Invalid => Err("an expression without type".into()),
            _ => Ok(self.opaque_type(ty)),
        }
    }

    fn record_type(&mut self, ty: ClangType<'tu>) -> Lowered<TypeId> {
        let declaration = ty.declaration().ok_or("a record without declaration")?;
        let key = declaration.canonical().key();
        if let Some(&record) = self.records.get(&key) {
            return Ok(self.types.intern(Type::Record(record)));
        }
        let id = RecordId(self.types.records.len() as u32);
        self.records.insert(key, id);
        let definition = declaration.definition();
        let place = definition.unwrap_or(declaration);
        let at = self.at(place, place.kind(), &[]);
        let origin = self.origin(at);
        let name = if declaration.is_anonymous() || place.spelling().contains(' ') {
            String::new()
        } else {
            place.spelling()
        };
        self.types.records.push(Record {
            name,
            union: place.kind() == CXCursor_UnionDecl,
            size: 0,
            align: 0,
            fields: Vec::new(),
            complete: false,
            origin,
        });
        let interned = self.types.intern(Type::Record(id));
        if let (Some(_), Some(size), Some(align)) = (definition, ty.size(), ty.align()) {
            let fields = self.record_fields(id, ty)?;
            let record = &mut self.types.records[id.0 as usize];
            record.size = size;
            record.align = align;
            record.fields = fields;
            record.complete = true;
        }
        Ok(interned)
    }

    fn record_fields(&mut self, record: RecordId, ty: ClangType<'tu>) -> Lowered<Vec<Field>> {
        let mut fields = Vec::new();
        for cursor in ty.fields() {
            let name = if cursor.is_anonymous_field() {
                String::new()
            } else {
                cursor.spelling()
            };
            let width = cursor.bit_width();
            if name.is_empty() && width.is_some() {
                continue; // padding: no member
            }
            let (field_type, volatile) = self.qualified(cursor.ty());
            let offset_bits = cursor.field_offset().ok_or("a member without offset")?;
            self.fields
                .insert(cursor.canonical().key(), (record, fields.len() as u32));
            fields.push(Field {
                name,
                ty: field_type?,
                offset_bits,
                width,
                volatile,
            });
        }
        Ok(fields)
    }

    /// The way from an object of record type to a member that may be inside of unnamed members.
    pub(super) fn field_path(&mut self, record: RecordId, member: Cursor<'tu>) -> Lowered<Vec<u32>> {
        let &(owner, number) = self
            .fields
            .get(&member.canonical().key())
            .ok_or("a member of an unknown record")?;
        self.path_to(record, owner)
            .map(|mut path| {
                path.push(number);
                path
            })
            .ok_or_else(|| "a member of another record".into())
    }

    fn path_to(&self, from: RecordId, owner: RecordId) -> Option<Vec<u32>> {
        if from == owner {
            return Some(Vec::new());
        }
        let fields = &self.types.record(from).fields;
        fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.name.is_empty())
            .find_map(|(number, field)| {
                let Type::Record(inner) = self.types.get(field.ty) else {
                    return None;
                };
                let mut path = self.path_to(*inner, owner)?;
                path.insert(0, number as u32);
                Some(path)
            })
    }

    /// True if a type has a variable length in it.
    pub(super) fn is_variably_modified(&mut self, ty: ClangType<'tu>) -> bool {
        matches!(self.ty(ty), Err(why) if why == VARIABLE_LENGTH)
    }

    /// The type of a declaration; `sizes` are the length expressions in libclang's order. Makes the extents of variable
    /// lengths and the statements that assign them.
    pub(super) fn declared_type(&mut self, ty: ClangType<'tu>, sizes: &[Cursor<'tu>]) -> Lowered<TypeId> {
        if !self.is_variably_modified(ty) {
            return self.ty(ty);
        }
        let mut sizes = sizes.iter().copied();
        let lowered = self.variable_type(ty, &mut sizes)?;
        if sizes.next().is_some() {
            Err("more array lengths than dimensions".into())
        } else {
            Ok(lowered)
        }
    }

    fn variable_type(
        &mut self,
        ty: ClangType<'tu>,
        sizes: &mut dyn Iterator<Item = Cursor<'tu>>,
    ) -> Lowered<TypeId> {
        let none = || -> Cause { "fewer array lengths than dimensions".into() };
        match ty.kind() {
            CXType_Elaborated => self.variable_type(ty.named(), sizes),
            CXType_Typedef => {
                let declaration = ty.declaration().ok_or("a typedef without declaration")?;
                match self.body.typedefs.get(&declaration.canonical().key()) {
                    Some(&known) => Ok(known),
                    None => self.ty(ty),
                }
            }
            CXType_Pointer => {
                let to = self.variable_type(ty.pointee(), sizes)?;
                Ok(self.pointer_to(to))
            }
            CXType_ConstantArray => {
                let element = self.variable_type(ty.element(), sizes)?;
                sizes.next().ok_or_else(none)?;
                let length = Length::Constant(ty.array_length().ok_or_else(none)?);
                Ok(self.types.intern(Type::Array { element, length }))
            }
            CXType_IncompleteArray => {
                let element = self.variable_type(ty.element(), sizes)?;
                Ok(self.types.intern(Type::Array {
                    element,
                    length: Length::Unknown,
                }))
            }
            CXType_VariableArray => {
                let element = self.variable_type(ty.element(), sizes)?;
                let size = sizes.next().ok_or_else(none)?;
                let extent = self.extent(size)?;
                Ok(self.types.intern(Type::Array {
                    element,
                    length: Length::Variable(extent),
                }))
            }
            CXType_FunctionProto | CXType_FunctionNoProto => Err(VARIABLE_LENGTH.into()),
            _ => self.ty(ty),
        }
    }

    /// The variable that holds an array length from here on.
    fn extent(&mut self, size: Cursor<'tu>) -> Lowered<LocalId> {
        let node = self.node(size);
        let value = self.rvalue(&node)?;
        let long = self.long();
        let value = self.convert(value, long)?;
        if self.body.entering
            && let Some((_, extent)) = self
                .body
                .parameter_extents
                .iter()
                .find(|(known, _)| same(known, &value))
        {
            return Ok(*extent);
        }
        let mut place = self.fresh(long, VariableKind::Extent, "extent");
        let Some(VariableRef::Local(extent)) = place.as_variable() else {
            return Err("no variable for an array length".into());
        };
        place.origin = value.origin;
        if self.body.entering {
            self.body.parameter_extents.push((value.clone(), extent));
        }
        self.emit(StmtKind::Assign { place, value });
        Ok(extent)
    }

    /// The value of an expression that the compiler can compute, as an integer of the expression's type.
    pub(super) fn constant(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        let ty = self.type_of(node)?;
        let origin = self.origin(node.at);
        match node.cursor.evaluate() {
            Some(Constant::Int(value)) if self.types.is_integer(ty) => {
                let value = self.wrap(value, ty);
                if let Origin::Expanded(span) = origin {
                    let line = |at: u32| self.sources.line_column(span.file, at).0;
                    let (first, last) = (line(span.start), line(span.end));
                    let is_written = node.at.spelled().is_some_and(|(file, at)| {
                        let text = self.tu.contents(file);
                        text.get(at as usize).is_some_and(u8::is_ascii_digit)
                    });
                    if !is_written && (i128::from(first)..=i128::from(last)).contains(&value) {
                        self.lines.insert(span, first);
                    }
                }
                Ok(Expr {
                    kind: ExprKind::Int(value),
                    ty,
                    origin,
                })
            }
            Some(Constant::Float(value)) if matches!(self.types.get(ty), Type::Float { .. }) => Ok(Expr {
                kind: ExprKind::Float(value.to_bits()),
                ty,
                origin,
            }),
            _ => Err("an expression whose constant value the compiler does not tell".into()),
        }
    }
}

/// Equal but for the places.
fn same(a: &Expr, b: &Expr) -> bool {
    let mut a = a.clone();
    let mut b = b.clone();
    forget_origins(&mut a);
    forget_origins(&mut b);
    a == b
}

fn forget_origins(expr: &mut Expr) {
    expr.origin = Origin::New;
    match &mut expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => {
            place.origin = Origin::New;
            if let PlaceBase::Deref(pointer) = &mut place.base {
                forget_origins(pointer);
            }
            for step in &mut place.path {
                if let Projection::Index(index) = step {
                    forget_origins(index);
                }
            }
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => forget_origins(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Logical(_, a, b)
        | ExprKind::Offset(a, b)
        | ExprKind::Difference(a, b) => {
            forget_origins(a);
            forget_origins(b);
        }
        ExprKind::Select(c, a, b) => {
            forget_origins(c);
            forget_origins(a);
            forget_origins(b);
        }
        ExprKind::Opaque { mentions, .. } => mentions.iter_mut().for_each(forget_origins),
    }
}
