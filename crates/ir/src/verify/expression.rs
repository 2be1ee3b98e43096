//! Are expressions and places well typed?

use super::{Rule, Verifier};
use crate::typing::{expression_type, project, variable_type};
use crate::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Projection, Type, TypeId, UnaryOp, VariableRef};

/// What surrounds an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// An operator, a condition: the value must be scalar.
    Operator,
    /// The whole right side of an assignment, an argument, a returned value: it may be a record too.
    Whole,
    /// The pointer of a place: an address that is used to get at an element only.
    Subscript,
    /// An opaque node: the expression only names things.
    Mention,
    /// A clause of a directive: the same, and an address there is not taken.
    Clause,
}

impl Verifier<'_> {
    /// An expression whose value has to be scalar.
    pub(super) fn expression(&mut self, expr: &Expr) {
        self.check(expr, Around::Operator);
    }

    /// An expression whose value may be a record.
    pub(super) fn whole_value(&mut self, expr: &Expr) {
        self.check(expr, Around::Whole);
    }

    /// An expression in an opaque node.
    pub(super) fn mention(&mut self, expr: &Expr) {
        self.check(expr, Around::Mention);
    }

    /// An expression in a clause of a directive.
    pub(super) fn clause(&mut self, expr: &Expr) {
        self.check(expr, Around::Clause);
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: &Expr) {
        self.check(expr, Around::Operator);
        if !self.is_scalar(expr.ty) {
            let message = format!("a condition of type {}", self.name_of(expr.ty));
            self.wrong(Rule::Condition, expr.origin, message);
        }
    }

    /// A place that is written: a scalar or a record.
    pub(super) fn store_place(&mut self, place: &Place) {
        self.place(place);
        self.stored(place);
    }

    /// Only scalars and records are stored.
    pub(super) fn stored(&mut self, place: &Place) {
        if !self.is_scalar(place.ty) && !matches!(self.get(place.ty), Some(Type::Record(_)) | None) {
            self.wrong(
                Rule::Value,
                place.origin,
                format!("a store of type {}", self.name_of(place.ty)),
            );
        }
    }

    /// Any place.
    pub(super) fn place(&mut self, place: &Place) {
        let unit = self.unit;
        let mut ty = match &place.base {
            PlaceBase::Variable(variable) => {
                if self.is_volatile(*variable) && !place.volatile {
                    self.wrong(
                        Rule::Volatile,
                        place.origin,
                        "the variable is volatile, the access is not",
                    );
                }
                let ty = variable_type(unit, self.function, *variable);
                if ty.is_none() {
                    self.wrong(
                        Rule::Reference,
                        place.origin,
                        format!("there is no variable {variable:?}"),
                    );
                }
                ty
            }
            PlaceBase::Deref(pointer) => {
                self.check(pointer, Around::Subscript);
                if !self.is_pointer(pointer.ty) {
                    let message = format!("`*` of type {}", self.name_of(pointer.ty));
                    self.wrong(Rule::PlaceType, pointer.origin, message);
                }
                unit.types.pointee_checked(pointer.ty)
            }
        };
        for projection in &place.path {
            if let Projection::Index(index) = projection {
                self.check(index, Around::Operator);
                if !self.is_integer(index.ty) {
                    self.wrong(
                        Rule::Operand,
                        index.origin,
                        format!("an index of type {}", self.name_of(index.ty)),
                    );
                }
            }
            let Some(before) = ty else { return };
            if self.is_volatile_field(before, projection) && !place.volatile {
                self.wrong(
                    Rule::Volatile,
                    place.origin,
                    "the member is volatile, the access is not",
                );
            }
            ty = project(&unit.types, before, projection);
            if ty.is_none() {
                let step = match projection {
                    Projection::Field(number) => format!("member {number}"),
                    Projection::Index(_) => "an element".to_owned(),
                };
                return self.wrong(
                    Rule::PlaceType,
                    place.origin,
                    format!("{step} of {}", self.name_of(before)),
                );
            }
        }
        if let Some(ty) = ty.filter(|ty| *ty != place.ty) {
            let message = format!(
                "a place of type {} says {}",
                self.name_of(ty),
                self.name_of(place.ty)
            );
            self.wrong(Rule::PlaceType, place.origin, message);
        }
    }

    fn is_volatile(&self, variable: VariableRef) -> bool {
        match variable {
            VariableRef::Global(id) => self
                .unit
                .globals
                .get(id.0 as usize)
                .is_some_and(|global| global.qualifiers.volatile),
            VariableRef::Local(id) => self.local(id).is_some_and(|local| local.qualifiers.volatile),
        }
    }

    fn field_of(&self, record: TypeId, projection: &Projection) -> Option<&crate::Field> {
        match (self.get(record), projection) {
            (Some(Type::Record(record)), Projection::Field(number)) => {
                self.unit.types.try_record(*record)?.fields.get(*number as usize)
            }
            _ => None,
        }
    }

    fn is_volatile_field(&self, record: TypeId, projection: &Projection) -> bool {
        self.field_of(record, projection)
            .is_some_and(|field| field.volatile)
    }

    fn check(&mut self, expr: &Expr, around: Around) {
        let types = &self.unit.types;
        if self.get(expr.ty).is_none() {
            self.wrong(Rule::Reference, expr.origin, "an expression without type");
        } else if !expression_type(self.unit, expr).fits(types, expr.ty) {
            let message = format!("`{}`", self.text_of(expr));
            self.wrong(Rule::ExpressionType, expr.origin, message);
        }
        let value = match self.get(expr.ty) {
            Some(Type::Record(_)) => around == Around::Whole,
            _ => self.is_scalar(expr.ty),
        };
        let names = matches!(around, Around::Mention | Around::Clause);
        if !value && !names && self.get(expr.ty).is_some() {
            let message = format!(
                "`{}` as a value of type {}",
                self.text_of(expr),
                self.name_of(expr.ty)
            );
            self.wrong(Rule::Value, expr.origin, message);
        }
        let inner = if names { around } else { Around::Operator };
        match &expr.kind {
            ExprKind::Int(value) => self.integer(expr, *value),
            ExprKind::Float(bits) => self.float(expr, *bits),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => self.address_of(expr, place, around),
            ExprKind::Function(_) => {} // its type was looked at
            ExprKind::Unary(op, a) => {
                self.check(a, inner);
                let fits = match op {
                    UnaryOp::Negate => self.is_promoted(a.ty),
                    UnaryOp::Complement => {
                        self.is_promoted(a.ty) && !matches!(self.get(a.ty), Some(Type::Float { .. }))
                    }
                    UnaryOp::Not => self.is_scalar(a.ty),
                    UnaryOp::Imaginary => self.is_part(expr.ty, a.ty),
                    UnaryOp::TimesUnit => self.is_part(a.ty, expr.ty),
                };
                self.operand(fits, expr, a);
            }
            ExprKind::Binary(op, a, b) => {
                self.check(a, inner);
                self.check(b, inner);
                self.binary(expr, *op, a, b);
            }
            ExprKind::Logical(_, a, b) => {
                for operand in [a, b] {
                    self.check(operand, inner);
                    self.operand(self.is_scalar(operand.ty), expr, operand);
                }
            }
            ExprKind::Select(c, a, b) => {
                self.check(c, inner);
                if !self.is_scalar(c.ty) {
                    self.wrong(
                        Rule::Condition,
                        c.origin,
                        format!("a condition of type {}", self.name_of(c.ty)),
                    );
                }
                self.check(
                    a,
                    if around == Around::Subscript {
                        inner
                    } else {
                        around
                    },
                );
                self.check(
                    b,
                    if around == Around::Subscript {
                        inner
                    } else {
                        around
                    },
                );
                self.same(expr, a, b);
            }
            ExprKind::Cast(a) => {
                self.check(a, inner);
                let arithmetic = |ty: TypeId| self.is_integer(ty) || self.is_floating(ty);
                let fits = match (self.is_pointer(a.ty), self.is_pointer(expr.ty)) {
                    (true, true) => true,
                    (true, false) => self.is_integer(expr.ty),
                    (false, true) => self.is_integer(a.ty),
                    (false, false) => arithmetic(a.ty) && arithmetic(expr.ty),
                };
                if !fits {
                    let message = format!("from {} to {}", self.name_of(a.ty), self.name_of(expr.ty));
                    self.wrong(Rule::Cast, expr.origin, message);
                }
            }
            ExprKind::Offset(a, b) => {
                self.check(
                    a,
                    if around == Around::Subscript {
                        around
                    } else {
                        inner
                    },
                );
                self.check(b, inner);
                self.operand(self.steps(a.ty), expr, a);
                self.operand(self.is_integer(b.ty), expr, b);
            }
            ExprKind::Difference(a, b) => {
                self.check(a, inner);
                self.check(b, inner);
                self.operand(self.steps(a.ty), expr, a);
                self.operand(self.steps(b.ty), expr, b);
            }
            ExprKind::Opaque { mentions, .. } => mentions.iter().for_each(|mention| self.mention(mention)),
        }
    }

    /// True for a real type and the complex type whose parts have it.
    fn is_part(&self, part: TypeId, whole: TypeId) -> bool {
        match (self.get(part), self.get(whole)) {
            (Some(Type::Float { bits: part }), Some(Type::Complex { bits: whole })) => part == whole,
            _ => false,
        }
    }

    /// True for pointers to something with a size.
    fn steps(&self, ty: TypeId) -> bool {
        match self.unit.types.pointee_checked(ty).and_then(|to| self.get(to)) {
            Some(Type::Record(record)) => self
                .unit
                .types
                .try_record(*record)
                .is_some_and(|record| record.complete),
            Some(Type::Array { length, .. }) => *length != crate::Length::Unknown,
            Some(_) => true,
            None => false,
        }
    }

    fn operand(&mut self, fits: bool, expr: &Expr, operand: &Expr) {
        if !fits {
            let message = format!(
                "an operand of type {} in `{}`",
                self.name_of(operand.ty),
                self.text_of(expr)
            );
            self.wrong(Rule::Operand, operand.origin, message);
        }
    }

    fn same(&mut self, expr: &Expr, a: &Expr, b: &Expr) {
        if a.ty != b.ty {
            let message = format!(
                "{} and {} in `{}`",
                self.name_of(a.ty),
                self.name_of(b.ty),
                self.text_of(expr)
            );
            self.wrong(Rule::OperandsDiffer, expr.origin, message);
        }
    }

    fn binary(&mut self, expr: &Expr, op: BinaryOp, a: &Expr, b: &Expr) {
        use BinaryOp::*;
        let pointers = self.is_pointer(a.ty) && self.is_pointer(b.ty);
        if op.is_comparison() && pointers {
            return; // compatible types need not be equal
        }
        let integers_only = matches!(op, Rem | Shl | Shr | And | Or | Xor);
        for operand in [a, b] {
            let unordered = matches!(self.get(operand.ty), Some(Type::Complex { .. }));
            let fits = self.is_promoted(operand.ty)
                && (!integers_only || self.is_integer(operand.ty))
                && !(unordered && matches!(op, Lt | Le | Gt | Ge));
            self.operand(fits, expr, operand);
        }
        if !matches!(op, Shl | Shr) {
            self.same(expr, a, b);
        }
    }

    fn integer(&mut self, expr: &Expr, value: i128) {
        let fits = match self.get(expr.ty) {
            Some(Type::Bool) => (0..=1).contains(&value),
            Some(Type::Pointer(_)) => (0..1 << 64).contains(&value),
            Some(Type::Int { bits, signed }) => match (bits, signed) {
                (128.., true) => true,
                (128.., false) => value >= 0, // the upper half cannot be written as a constant
                (bits, true) => (-(1i128 << bits >> 1)..1i128 << bits >> 1).contains(&value),
                (bits, false) => (0..1i128 << bits).contains(&value),
            },
            None => true,
            Some(_) => false,
        };
        if !fits {
            self.wrong(
                Rule::Constant,
                expr.origin,
                format!("{value} of type {}", self.name_of(expr.ty)),
            );
        }
    }

    fn float(&mut self, expr: &Expr, bits: u64) {
        let value = f64::from_bits(bits);
        let fits = match self.get(expr.ty) {
            Some(Type::Float { bits: 32 }) => value.is_nan() || f64::from(value as f32) == value,
            Some(Type::Float { .. }) | None => true,
            Some(_) => false,
        };
        if !fits {
            self.wrong(
                Rule::Constant,
                expr.origin,
                format!("{value:?} of type {}", self.name_of(expr.ty)),
            );
        }
    }

    fn address_of(&mut self, expr: &Expr, place: &Place, around: Around) {
        self.place(place);
        if let PlaceBase::Variable(VariableRef::Local(id)) = place.base
            && let Some(local) = self.local(id)
            && !matches!(around, Around::Subscript | Around::Clause)
        {
            if local.kind.is_made() {
                // A temporary that is a record has members that are arrays.
                if !matches!(self.get(local.ty), Some(Type::Record(_))) {
                    self.wrong(
                        Rule::Address,
                        expr.origin,
                        format!("the address of `{}` is taken", local.name),
                    );
                }
            } else if !local.address_taken {
                let message = format!("`{}` is not marked as having its address taken", local.name);
                self.wrong(Rule::Address, expr.origin, message);
            }
        }
        // Not for a member of what does not exist, of which something else is wrong.
        if let Some(last) = place.path.last() {
            let before = Place {
                path: place.path[..place.path.len() - 1].to_vec(),
                ..place.clone()
            };
            let record = crate::typing::place_type(self.unit, self.function, &before);
            if record
                .and_then(|record| self.field_of(record, last))
                .is_some_and(|field| field.width.is_some())
            {
                self.wrong(Rule::Address, expr.origin, "the address of a bit-field");
            }
        }
    }
}
