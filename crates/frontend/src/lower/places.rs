//! Which memory does an lvalue designate? Variables, members, subscripts and what pointers point to, as [`Place`]s.

use super::node::Node;
use super::{Lower, Lowered, load, members};
use clang_sys::*;
use ferry_ir::*;
use ferry_source::Origin;

/// True for a canonical type of these kinds.
pub fn is_array(kind: CXTypeKind) -> bool {
    matches!(
        kind,
        CXType_ConstantArray | CXType_IncompleteArray | CXType_VariableArray | CXType_DependentSizedArray
    )
}

impl<'tu> Lower<'tu, '_> {
    /// The memory that an lvalue designates. Effects in it are emitted first.
    pub(super) fn place(&mut self, node: &Node<'tu>) -> Lowered<Place> {
        let node = node.without_parentheses();
        let origin = self.origin_of(node);
        let place = match (node.kind, node.children.as_slice()) {
            (CXCursor_DeclRefExpr, _) => self.variable_place(node)?,
            (CXCursor_ArraySubscriptExpr, [a, b]) => {
                let a_is_base = {
                    let kind = a.cursor.ty().canonical().kind();
                    kind == CXType_Pointer || is_array(kind)
                };
                let (base, index) = if a_is_base { (a, b) } else { (b, a) };
                let inner = base.stripped();
                // libclang shows array parameters as arrays; only the place tells.
                let pointer = if self.is_lvalue(inner) {
                    let mut place = self.place(inner)?;
                    if matches!(self.types.get(place.ty), Type::Array { .. }) {
                        let index = self.rvalue(index)?;
                        self.subscript(&mut place, index)?;
                        return Ok(self.finished(place, node, origin));
                    }
                    self.value_of(place)?
                } else {
                    self.rvalue(base)?
                };
                let index = self.rvalue(index)?;
                let address = self.offset(pointer, index, false, origin)?;
                self.deref(address)?
            }
            (CXCursor_UnaryOperator, [operand]) if node.cursor.unary_operator() == CXUnaryOperator_Deref => {
                let pointer = self.rvalue(operand)?;
                self.deref(pointer)?
            }
            (CXCursor_MemberRefExpr, [base]) => {
                let arrow = base.cursor.ty().canonical().kind() == CXType_Pointer;
                if members::is_refused(base) {
                    self.refused_members.extend(origin.span());
                }
                let mut place = if arrow {
                    let pointer = self.rvalue(base)?;
                    self.deref(pointer)?
                } else {
                    self.place(base)?
                };
                let member = node.cursor.referenced().ok_or("a member without declaration")?;
                let Type::Record(record) = *self.types.get(place.ty) else {
                    return Err("a member of something that is no record".into());
                };
                for number in self.field_path(record, member)? {
                    let field = self.field_of(place.ty, number)?;
                    place.path.push(Projection::Field(number));
                    place.ty = field.ty;
                    place.volatile |= field.volatile;
                }
                place
            }
            (CXCursor_StringLiteral, _) => self.string_place(node)?,
            (CXCursor_CompoundLiteralExpr, _) => self.compound_literal(node)?,
            (CXCursor_UnexposedExpr, [inner])
                if node.is_conversion() && is_array(node.cursor.ty().canonical().kind()) =>
            {
                self.place(inner)?
            }
            _ => {
                let value = self.rvalue(node)?;
                if let ExprKind::Load(place) = value.kind {
                    return Ok(*place);
                }
                if !matches!(self.types.get(value.ty), Type::Record(_)) {
                    return Err("an lvalue of an unknown form".into());
                }
                let place = self.temporary(value.ty);
                self.emit(StmtKind::Assign {
                    place: place.clone(),
                    value,
                });
                place
            }
        };
        Ok(self.finished(place, node, origin))
    }

    fn finished(&mut self, mut place: Place, node: &Node<'tu>, origin: Origin) -> Place {
        place.origin = origin;
        place.volatile |= self.qualified(node.cursor.ty()).1;
        place
    }

    /// True if [`Lower::place`] knows the form as memory (and not as a value without memory).
    pub(super) fn is_lvalue(&self, node: &Node<'tu>) -> bool {
        match node.kind {
            CXCursor_DeclRefExpr
            | CXCursor_ArraySubscriptExpr
            | CXCursor_MemberRefExpr
            | CXCursor_StringLiteral
            | CXCursor_CompoundLiteralExpr => true,
            CXCursor_UnaryOperator => node.cursor.unary_operator() == CXUnaryOperator_Deref,
            _ => false,
        }
    }

    fn variable_place(&mut self, node: &Node<'tu>) -> Lowered<Place> {
        let declaration = node.cursor.referenced().ok_or("a name without declaration")?;
        if !matches!(declaration.kind(), CXCursor_VarDecl | CXCursor_ParmDecl) {
            return Err(format!("a name that is no variable: {}", node.cursor.spelling()));
        }
        if let Some(&local) = self.body.local_keys.get(&declaration.key()) {
            let variable = self
                .body
                .locals
                .get(local.0 as usize)
                .ok_or("a variable out of nowhere")?;
            let mut place = Place::local(local, variable.ty, Origin::New);
            place.volatile = variable.qualifiers.volatile;
            return Ok(place);
        }
        let global = self.global_reference(declaration)?;
        let variable = self
            .globals
            .get(global.0 as usize)
            .ok_or("a variable out of nowhere")?;
        let mut place = Place::variable(VariableRef::Global(global), variable.ty, Origin::New);
        place.volatile = variable.qualifiers.volatile;
        Ok(place)
    }

    /// The member with this number.
    pub(super) fn field_of(&self, ty: TypeId, number: u32) -> Lowered<Field> {
        match self.types.get(ty) {
            Type::Record(record) => {
                let record = self.types.record(*record);
                record
                    .fields
                    .get(number as usize)
                    .cloned()
                    .ok_or_else(|| "a member that does not exist".into())
            }
            _ => Err("a member of something that is no record".into()),
        }
    }

    /// Width of the bit-field that a place ends in.
    pub(super) fn bit_width(&self, place: &Place) -> Option<u16> {
        let (last, before) = place.path.split_last()?;
        let Projection::Field(number) = last else {
            return None;
        };
        let ty = self.type_at(place, before)?;
        self.field_of(ty, *number).ok()?.width
    }

    fn type_at(&self, place: &Place, path: &[Projection]) -> Option<TypeId> {
        let mut ty = match &place.base {
            PlaceBase::Variable(VariableRef::Local(local)) => self.body.locals.get(local.0 as usize)?.ty,
            PlaceBase::Variable(VariableRef::Global(global)) => self.globals.get(global.0 as usize)?.ty,
            PlaceBase::Deref(pointer) => self.types.pointee(pointer.ty)?,
        };
        for step in path {
            ty = match (step, self.types.get(ty)) {
                (Projection::Field(number), _) => self.field_of(ty, *number).ok()?.ty,
                (Projection::Index(_), Type::Array { element, .. }) => *element,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// `place[index]` of an array.
    pub(super) fn subscript(&mut self, place: &mut Place, index: Expr) -> Lowered<()> {
        let Type::Array { element, .. } = *self.types.get(place.ty) else {
            return Err("a subscript of something that is no array".into());
        };
        if !self.types.is_integer(index.ty) {
            return Err("a subscript that is no integer".into());
        }
        place.path.push(Projection::Index(index));
        place.ty = element;
        Ok(())
    }

    /// `*pointer`; `*(array + i)` is `array[i]`.
    pub(super) fn deref(&mut self, pointer: Expr) -> Lowered<Place> {
        let ty = self
            .types
            .pointee(pointer.ty)
            .ok_or("a dereference of something that is no pointer")?;
        let origin = pointer.origin;
        match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == ty => Ok(*place),
            ExprKind::Offset(base, index) if is_decayed(&base) => match base.kind {
                ExprKind::AddressOf(mut place) => {
                    place.path.pop();
                    place.path.push(Projection::Index(*index));
                    Ok(*place)
                }
                _ => Err("an array that is no place".into()),
            },
            kind => Ok(Place {
                base: PlaceBase::Deref(Box::new(Expr { kind, ..pointer })),
                path: Vec::new(),
                ty,
                volatile: false,
                origin,
            }),
        }
    }

    /// `&place`
    pub(super) fn address_of(&mut self, place: Place, origin: Origin) -> Expr {
        let ty = self.pointer_to(place.ty);
        match place.base {
            PlaceBase::Deref(pointer) if place.path.is_empty() && pointer.ty == ty => {
                Expr { origin, ..*pointer }
            }
            _ => Expr {
                kind: ExprKind::AddressOf(Box::new(place)),
                ty,
                origin,
            },
        }
    }

    /// The value of a place as an expression has it: arrays decay.
    pub(super) fn value_of(&mut self, mut place: Place) -> Lowered<Expr> {
        if matches!(self.types.get(place.ty), Type::Array { .. }) {
            let origin = place.origin;
            let zero = Expr::int(0, self.long());
            self.subscript(&mut place, zero)?;
            return Ok(self.address_of(place, origin));
        }
        if matches!(
            self.types.get(place.ty),
            Type::Opaque { .. } | Type::Void | Type::Function { .. }
        ) {
            return Err("a value of a type that is not modelled".into());
        }
        Ok(load(place))
    }
}

/// True for the decay of an array, which [`Lower::value_of`] makes with an index that is in no text. The address of
/// a written `a[0]` is another thing: what is added to it may be meant to leave the row.
fn is_decayed(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::AddressOf(place) => matches!(
            place.path.last(),
            Some(Projection::Index(Expr {
                kind: ExprKind::Int(0),
                origin: Origin::New,
                ..
            }))
        ),
        _ => false,
    }
}
