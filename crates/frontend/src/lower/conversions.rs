//! How does a value change its type? C's conversions on typed expressions, constants folded.

use super::{Lower, Lowered};
use ferry_ir::*;

impl Lower<'_, '_> {
    /// The value modulo the range of an integer type.
    pub(super) fn wrap(&self, value: i128, ty: TypeId) -> i128 {
        match *self.types.get(ty) {
            Type::Bool => i128::from(value != 0),
            Type::Int { bits, signed } if bits < 128 => {
                let low = value & ((1i128 << bits) - 1);
                if signed && low >> (bits - 1) & 1 == 1 {
                    low - (1i128 << bits)
                } else {
                    low
                }
            }
            _ => value,
        }
    }

    /// The value converted to another type, as by a cast.
    pub(super) fn convert(&mut self, value: Expr, to: TypeId) -> Lowered<Expr> {
        if value.ty == to {
            return Ok(value);
        }
        let origin = value.origin;
        let from_scalar = self.types.is_scalar(value.ty);
        if !from_scalar || !self.types.is_scalar(to) {
            return Err(format!(
                "a conversion between types that are not arithmetic: {:?} to {:?}",
                self.types.get(value.ty),
                self.types.get(to)
            ));
        }
        let target = self.types.get(to).clone();
        if let Type::Complex { bits } = target
            && self.types.is_integer(value.ty)
        {
            let part = self.types.intern(Type::Float { bits });
            let value = self.convert(value, part)?;
            return self.convert(value, to);
        }
        if let ExprKind::Int(number) = value.kind
            && self.types.is_integer(value.ty)
        {
            match target {
                Type::Int { .. } | Type::Bool => {
                    let kind = ExprKind::Int(self.wrap(number, to));
                    return Ok(Expr { kind, ty: to, origin });
                }
                Type::Float { bits } if number.unsigned_abs() <= 1 << if bits == 32 { 24 } else { 53 } => {
                    let kind = ExprKind::Float((number as f64).to_bits());
                    return Ok(Expr { kind, ty: to, origin });
                }
                Type::Pointer(_) if number == 0 => {
                    return Ok(Expr {
                        kind: ExprKind::Int(0),
                        ty: to,
                        origin,
                    });
                }
                _ => {}
            }
        }
        if let (ExprKind::Int(0), Type::Pointer(_)) = (&value.kind, &target) {
            return Ok(Expr {
                kind: ExprKind::Int(0),
                ty: to,
                origin,
            });
        }
        if let (ExprKind::Float(bits), Type::Float { bits: width }) = (&value.kind, &target) {
            let number = f64::from_bits(*bits);
            let narrowed = if *width == 32 {
                f64::from(number as f32)
            } else {
                number
            };
            if *width >= 64 || *width == 32 {
                return Ok(Expr {
                    kind: ExprKind::Float(narrowed.to_bits()),
                    ty: to,
                    origin,
                });
            }
        }
        Ok(Expr {
            kind: ExprKind::Cast(Box::new(value)),
            ty: to,
            origin,
        })
    }

    /// The value as a condition of type `int`, 0 or 1.
    pub(super) fn truth(&mut self, value: Expr) -> Lowered<Expr> {
        let int = self.int();
        let is_truth = match &value.kind {
            ExprKind::Binary(operator, ..) => operator.is_comparison(),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            _ => false,
        };
        if is_truth && value.ty == int {
            return Ok(value);
        }
        let zero = match self.types.get(value.ty) {
            Type::Float { .. } => ExprKind::Float(0),
            Type::Complex { .. } => {
                let int = self.int();
                self.convert(Expr::int(0, int), value.ty)?.kind
            }
            Type::Int { .. } | Type::Bool | Type::Pointer(_) => ExprKind::Int(0),
            _ => return Err("a condition that is not scalar".into()),
        };
        let zero = Expr {
            kind: zero,
            ty: value.ty,
            origin: ferry_source::Origin::New,
        };
        let origin = value.origin;
        Ok(Expr {
            kind: ExprKind::Binary(BinaryOp::Ne, Box::new(value), Box::new(zero)),
            ty: int,
            origin,
        })
    }

    /// The type after the integer promotions; `width` is that of a bit-field.
    pub(super) fn promoted(&mut self, ty: TypeId, width: Option<u16>) -> TypeId {
        match *self.types.get(ty) {
            Type::Bool => self.int(),
            Type::Int { bits, .. } if bits < 32 => self.int(),
            Type::Int {
                bits: 32,
                signed: false,
            } if width.is_some_and(|width| width < 32) => self.int(),
            Type::Int { .. } if width.is_some_and(|width| width < 32) => self.int(),
            _ => ty,
        }
    }

    /// The address `pointer + index`, or `pointer - index`, in elements.
    pub(super) fn offset(
        &mut self,
        pointer: Expr,
        index: Expr,
        minus: bool,
        origin: ferry_source::Origin,
    ) -> Lowered<Expr> {
        if !matches!(self.types.get(pointer.ty), Type::Pointer(_)) || !self.types.is_integer(index.ty) {
            return Err("pointer arithmetic on other types".into());
        }
        let index = if minus {
            let long = self.long();
            let unsigned_wide =
                matches!(self.types.get(index.ty), Type::Int { bits, signed: false } if *bits >= 64);
            let place = index.origin;
            let index = self.convert(index, long)?;
            match index.kind {
                ExprKind::Int(number) if !unsigned_wide && number != i128::from(i64::MIN) => Expr {
                    kind: ExprKind::Int(-number),
                    ty: long,
                    origin: ferry_source::Origin::New,
                },
                _ => Expr {
                    kind: ExprKind::Unary(UnaryOp::Negate, Box::new(index)),
                    ty: long,
                    origin: place,
                },
            }
        } else {
            index
        };
        let ty = pointer.ty;
        Ok(Expr {
            kind: ExprKind::Offset(Box::new(pointer), Box::new(index)),
            ty,
            origin,
        })
    }
}
