//! Which type do the parts of an expression or place give the whole? The one place with the IR's typing rules:
//! the printer leaves out the types that follow from them, the parser puts them back, the verifier demands them.
//! It says nothing about whether the operands are right; that is the verifier's part.

use crate::{
    Expr, ExprKind, Function, Place, PlaceBase, Projection, Type, TypeId, Types, UnaryOp, Unit, VariableRef,
};

/// The type that the rules give to an expression, without the need to intern it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Implied {
    /// This type.
    Exactly(TypeId),
    /// A pointer to this type.
    PointerTo(TypeId),
    /// This integer type.
    Int {
        /// Width in bits.
        bits: u16,
        /// Signedness.
        signed: bool,
    },
    /// The expression states its own type (constants, casts, opaque expressions).
    Free,
    /// The parts are broken: a reference out of range, a field of something that is no record.
    Broken,
}

impl Implied {
    /// True if `ty` is what is implied.
    pub fn fits(&self, types: &Types, ty: TypeId) -> bool {
        match self {
            Implied::Exactly(other) => ty == *other,
            Implied::PointerTo(to) => types.try_get(ty) == Some(&Type::Pointer(*to)),
            Implied::Int { bits, signed } => {
                types.try_get(ty)
                    == Some(&Type::Int {
                        bits: *bits,
                        signed: *signed,
                    })
            }
            Implied::Free => true,
            Implied::Broken => false,
        }
    }
}

/// The type that the base and path of `place` lead to; `None` if one of the steps is impossible.
/// `function` is the function whose locals are meant, if any.
pub fn place_type(unit: &Unit, function: Option<&Function>, place: &Place) -> Option<TypeId> {
    let mut ty = match &place.base {
        PlaceBase::Variable(variable) => variable_type(unit, function, *variable)?,
        PlaceBase::Deref(pointer) => match unit.types.try_get(pointer.ty)? {
            Type::Pointer(to) => *to,
            _ => return None,
        },
    };
    for projection in &place.path {
        ty = project(&unit.types, ty, projection)?;
    }
    Some(ty)
}

/// The type after one step from `ty`; `None` if the step is impossible.
pub fn project(types: &Types, ty: TypeId, projection: &Projection) -> Option<TypeId> {
    match (projection, types.try_get(ty)?) {
        (Projection::Field(number), Type::Record(record)) => types
            .try_record(*record)?
            .fields
            .get(*number as usize)
            .map(|field| field.ty),
        (Projection::Index(_), Type::Array { element, .. }) => Some(*element),
        _ => None,
    }
}

/// The declared type of a variable; `None` if there is no such variable.
pub fn variable_type(unit: &Unit, function: Option<&Function>, variable: VariableRef) -> Option<TypeId> {
    match variable {
        VariableRef::Global(id) => unit.globals.get(id.0 as usize).map(|global| global.ty),
        VariableRef::Local(id) => function?.locals.get(id.0 as usize).map(|local| local.ty),
    }
}

/// The type of `expr` that follows from its parts, whose own types are believed.
pub fn expression_type(unit: &Unit, expr: &Expr) -> Implied {
    const INT: Implied = Implied::Int {
        bits: 32,
        signed: true,
    };
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Cast(_)
        | ExprKind::Unary(UnaryOp::Imaginary | UnaryOp::TimesUnit, _)
        | ExprKind::Opaque { .. } => Implied::Free,
        ExprKind::Load(place) => Implied::Exactly(place.ty),
        ExprKind::AddressOf(place) => Implied::PointerTo(place.ty),
        ExprKind::Function(function) => match unit.functions.get(function.0 as usize) {
            Some(function) => Implied::PointerTo(function.ty),
            None => Implied::Broken,
        },
        ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Logical(..) => INT,
        ExprKind::Unary(_, a) => Implied::Exactly(a.ty),
        ExprKind::Binary(op, _, _) if op.is_comparison() => INT,
        ExprKind::Binary(_, a, _) | ExprKind::Offset(a, _) | ExprKind::Select(_, a, _) => {
            Implied::Exactly(a.ty)
        }
        ExprKind::Difference(..) => Implied::Int {
            bits: 64,
            signed: true,
        },
    }
}
