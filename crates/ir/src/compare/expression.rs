//! Are two expressions or places equal?

use super::{Comparison, Equal};
use crate::{Expr, ExprKind, Place, PlaceBase, Projection, Unit};
use ferry_source::Origin;

impl Comparison<'_> {
    /// Two expressions, with their types.
    ///
    /// # Errors
    /// The first difference.
    pub fn expression(&mut self, a: &Expr, b: &Expr) -> Equal {
        self.inside(a.origin, b.origin, |comparison| {
            comparison.expression_kind(&a.kind, &b.kind)?;
            comparison.same_type(a.ty, b.ty)
        })
    }

    /// Two lists of expressions.
    ///
    /// # Errors
    /// The first difference.
    pub fn expressions(&mut self, a: &[Expr], b: &[Expr]) -> Equal {
        self.demand(a.len() == b.len(), "more expressions in one program")?;
        a.iter().zip(b).try_for_each(|(a, b)| self.expression(a, b))
    }

    /// Two places, with their types.
    ///
    /// # Errors
    /// The first difference.
    pub fn place(&mut self, a: &Place, b: &Place) -> Equal {
        self.inside(a.origin, b.origin, |comparison| comparison.place_inside(a, b))
    }

    fn place_inside(&mut self, a: &Place, b: &Place) -> Equal {
        match (&a.base, &b.base) {
            (PlaceBase::Variable(a), PlaceBase::Variable(b)) => self.variable(*a, *b)?,
            (PlaceBase::Deref(a), PlaceBase::Deref(b)) => self.expression(a, b)?,
            _ => return self.differ("a variable and something that a pointer points to"),
        }
        self.demand(
            a.path.len() == b.path.len(),
            "a member or element of it in one program",
        )?;
        for steps in a.path.iter().zip(&b.path) {
            match steps {
                (Projection::Field(a), Projection::Field(b)) => self.demand(a == b, "different members")?,
                (Projection::Index(a), Projection::Index(b)) => self.expression(a, b)?,
                _ => return self.differ("a member and an element"),
            }
        }
        self.demand(
            a.volatile == b.volatile,
            "an access that is volatile in only one program",
        )?;
        self.same_type(a.ty, b.ty)
    }

    fn expression_kind(&mut self, a: &ExprKind, b: &ExprKind) -> Equal {
        match (a, b) {
            (ExprKind::Int(a), ExprKind::Int(b)) => {
                self.demand(a == b || self.are_lines(*a, *b), "different numbers")
            }
            (ExprKind::Float(a), ExprKind::Float(b)) => self.demand(a == b, "different numbers"),
            (ExprKind::Load(a), ExprKind::Load(b)) | (ExprKind::AddressOf(a), ExprKind::AddressOf(b)) => {
                self.place(a, b)
            }
            (ExprKind::Function(a), ExprKind::Function(b)) => self.function_name(*a, *b),
            (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => {
                self.demand(op == other, "different operators")?;
                self.expression(a, b)
            }
            (ExprKind::Cast(a), ExprKind::Cast(b)) => self.expression(a, b),
            (ExprKind::Binary(op, a1, a2), ExprKind::Binary(other, b1, b2)) => {
                self.demand(op == other, "different operators")?;
                self.both(a1, b1, a2, b2)
            }
            (ExprKind::Logical(op, a1, a2), ExprKind::Logical(other, b1, b2)) => {
                self.demand(op == other, "different operators")?;
                self.both(a1, b1, a2, b2)
            }
            (ExprKind::Offset(a1, a2), ExprKind::Offset(b1, b2))
            | (ExprKind::Difference(a1, a2), ExprKind::Difference(b1, b2)) => self.both(a1, b1, a2, b2),
            (ExprKind::Select(a1, a2, a3), ExprKind::Select(b1, b2, b3)) => {
                self.expression(a1, b1)?;
                self.both(a2, b2, a3, b3)
            }
            (
                ExprKind::Opaque {
                    why: why_a,
                    mentions: a,
                },
                ExprKind::Opaque {
                    why: why_b,
                    mentions: b,
                },
            ) => {
                self.demand(
                    why_a == why_b,
                    "expressions that were not understood for different reasons",
                )?;
                self.expressions(a, b)
            }
            _ => self.differ("different expressions"),
        }
    }

    /// True for two numbers that are as many lines behind the beginnings of their macro uses: out of one text, only `__LINE__` gives different ones.
    fn are_lines(&self, a: i128, b: i128) -> bool {
        let behind = |number: i128, origin: Origin, unit: &Unit| {
            let Origin::Expanded(span) = origin else {
                return None;
            };
            Some(number - i128::from(*unit.lines.get(&span)?))
        };
        let [first, second] = self.around;
        let a = behind(a, first, self.units[0]);
        a.is_some() && a == behind(b, second, self.units[1])
    }

    fn both(&mut self, a1: &Expr, b1: &Expr, a2: &Expr, b2: &Expr) -> Equal {
        self.expression(a1, b1)?;
        self.expression(a2, b2)
    }
}
