//! How are complex numbers made and taken apart? C11 6.3.1.8 and 7.3.9, and GNU C's operators.

use super::node::Node;
use super::{Lower, Lowered};
use ferry_ir::*;
use ferry_source::Origin;

/// A conjugated complex number, `~z` in GNU C; of an integer its complement.
pub(super) fn conjugate(value: Expr, origin: Origin) -> Expr {
    let ty = value.ty;
    Expr {
        kind: ExprKind::Unary(UnaryOp::Complement, Box::new(value)),
        ty,
        origin,
    }
}

impl<'tu> Lower<'tu, '_> {
    fn part_bits(&self, ty: TypeId) -> Option<u16> {
        match *self.types.get(ty) {
            Type::Complex { bits } => Some(bits),
            _ => None,
        }
    }

    /// The type in which C computes with a target of type `left` and an operand of type `right`, to which the usual
    /// conversions were applied: they leave a real operand real beside a complex one (C11 6.3.1.8).
    pub(super) fn common_with_complex(&mut self, left: TypeId, right: TypeId) -> TypeId {
        match (self.part_bits(left), self.types.get(right)) {
            (Some(_), Type::Float { bits }) => {
                let bits = *bits;
                self.types.intern(Type::Complex { bits })
            }
            _ => right,
        }
    }

    /// Operands, the real one of which becomes complex if the other one is.
    pub(super) fn both_complex(&mut self, left: Expr, right: Expr) -> Lowered<(Expr, Expr)> {
        match (self.part_bits(left.ty), self.part_bits(right.ty)) {
            (Some(_), None) => {
                let right = self.convert(right, left.ty)?;
                Ok((left, right))
            }
            (None, Some(_)) => {
                let left = self.convert(left, right.ty)?;
                Ok((left, right))
            }
            _ => Ok((left, right)),
        }
    }

    /// A real number times the imaginary unit.
    pub(super) fn imaginary(&mut self, value: Expr) -> Lowered<Expr> {
        let Type::Float { bits } = *self.types.get(value.ty) else {
            return Err("an imaginary number that is no floating number".into());
        };
        let ty = self.types.intern(Type::Complex { bits });
        let origin = value.origin;
        Ok(Expr {
            kind: ExprKind::Unary(UnaryOp::TimesUnit, Box::new(value)),
            ty,
            origin,
        })
    }

    /// The complex number with these parts, of one floating type.
    pub(super) fn complex_of(&mut self, real: Expr, imaginary: Expr) -> Lowered<Expr> {
        if real.ty != imaginary.ty {
            return Err("a complex number of parts of two types".into());
        }
        let origin = real.origin;
        let imaginary = self.imaginary(imaginary)?;
        self.combine(BinaryOp::Add, real, imaginary, origin)
    }

    /// The real part of a number, or its imaginary part, which is 0 where it is not complex.
    pub(super) fn part_of(&mut self, value: Expr, real: bool, origin: Origin) -> Lowered<Expr> {
        let Some(bits) = self.part_bits(value.ty) else {
            let zero = Expr::int(0, self.int());
            return if real {
                Ok(value)
            } else {
                self.convert(zero, value.ty)
            };
        };
        let ty = self.types.intern(Type::Float { bits });
        let kind = match real {
            true => ExprKind::Cast(Box::new(value)),
            false => ExprKind::Unary(UnaryOp::Imaginary, Box::new(value)),
        };
        Ok(Expr { kind, ty, origin })
    }

    /// True for a call of `creal`, `cimag` or `conj`, which every compiler computes in place, unless the program has a
    /// function of its own with that name.
    pub(super) fn is_part_function(&self, node: &Node<'tu>, name: &str) -> bool {
        let callee = || node.children.first()?.stripped().cursor.referenced();
        part_function(name).is_some() && callee().is_some_and(|callee| callee.definition().is_none())
    }

    /// The value of such a call.
    pub(super) fn part_function(&mut self, node: &Node<'tu>, name: &str) -> Lowered<Expr> {
        let origin = self.origin(node.at);
        let [_, argument] = node.children.as_slice() else {
            return Err("a part of a complex number without argument".into());
        };
        let value = self.rvalue(argument)?;
        match part_function(name) {
            _ if self.part_bits(value.ty).is_none() => Err("a part of a number that is not complex".into()),
            Some("conj") => Ok(conjugate(value, origin)),
            part => self.part_of(value, part == Some("creal"), origin),
        }
    }
}

/// `creal`, `cimag` or `conj`, without the suffix of a type.
fn part_function(name: &str) -> Option<&str> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    ["creal", "cimag", "conj"]
        .into_iter()
        .find(|stem| matches!(name.strip_prefix(stem), Some("" | "f" | "l")))
}
