//! Where does control go by a condition? Comparisons and short circuits become jumps.

use super::*;
use crate::{Expr, ExprKind, LogicalOp, UnaryOp};

impl Compiler<'_> {
    /// Jumps to `target` if the condition is false, else falls through.
    pub(super) fn jump_unless(&mut self, condition: &Expr, target: Label) {
        self.branch(condition, target, false);
    }

    /// Jumps to `target` if the condition is true.
    pub(super) fn jump_if(&mut self, condition: &Expr, target: Label) {
        self.branch(condition, target, true);
    }

    fn branch(&mut self, condition: &Expr, target: Label, when: bool) {
        let mark = self.next_register;
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, target, !when),
            ExprKind::Logical(op, a, b) => {
                if (*op == LogicalOp::Or) == when {
                    self.branch(a, target, when);
                    self.branch(b, target, when);
                } else {
                    let past = self.new_label();
                    self.branch(a, past, !when);
                    self.branch(b, target, when);
                    self.bind(past);
                }
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let Some((compare, a, b)) = self.compared(*op, a, b) else {
                    let register = self.expr(condition);
                    self.jump_on(register, target, when);
                    self.next_register = mark;
                    return;
                };
                self.emit(if when {
                    Op::JumpIf {
                        compare,
                        a,
                        b,
                        target,
                    }
                } else {
                    Op::JumpUnless {
                        compare,
                        a,
                        b,
                        target,
                    }
                });
            }
            ExprKind::Cast(inner) if self.is_truth_preserving(inner, condition.ty) => {
                self.branch(inner, target, when);
            }
            _ => {
                let register = self.truth(condition);
                self.jump_on(register, target, when);
            }
        }
        self.next_register = mark;
    }

    /// A cast of a comparison's result to a wider type or to `_Bool` is true when the comparison is.
    fn is_truth_preserving(&self, inner: &Expr, to: TypeId) -> bool {
        let logical = match &inner.kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            _ => false,
        };
        logical && self.scalar(to).is_some()
    }

    fn jump_on(&mut self, a: Reg, target: Label, when: bool) {
        self.emit(if when {
            Op::JumpIfNonZero { a, target }
        } else {
            Op::JumpIfZero { a, target }
        });
    }

    /// A register that is not zero exactly if the scalar is true.
    pub(super) fn truth(&mut self, expr: &Expr) -> Reg {
        let register = self.expr(expr);
        match self.scalar(expr.ty) {
            Some(kind) if kind.is_float() || kind.is_wide() => {
                let d = self.temporary(1);
                self.emit(Op::Cast {
                    from: kind,
                    to: Scalar::Bool,
                    d,
                    a: register,
                });
                d
            }
            _ => register,
        }
    }

    /// The comparison of two operands, `None` for 128-bit integers, complex numbers and what cannot be compared.
    fn compared(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<(Compare, Reg, Reg)> {
        let kind = self.scalar(a.ty)?;
        if kind.is_wide() {
            return None;
        }
        let (a, b) = (self.expr(a), self.expr(b));
        use BinaryOp::*;
        let (op, a, b) = match op {
            Gt => (Lt, b, a),
            Ge => (Le, b, a),
            op => (op, a, b),
        };
        let compare = match (op, kind) {
            (Lt, Scalar::F32) => Compare::LtF32,
            (Le, Scalar::F32) => Compare::LeF32,
            (Eq, Scalar::F32) => Compare::EqF32,
            (Ne, Scalar::F32) => Compare::NeF32,
            (Lt, kind) if kind.is_float() => Compare::LtF64,
            (Le, kind) if kind.is_float() => Compare::LeF64,
            (Eq, kind) if kind.is_float() => Compare::EqF64,
            (Ne, kind) if kind.is_float() => Compare::NeF64,
            (Lt, kind) if kind.is_signed() => Compare::LtS,
            (Le, kind) if kind.is_signed() => Compare::LeS,
            (Lt, _) => Compare::LtU,
            (Le, _) => Compare::LeU,
            (Eq, _) => Compare::Eq,
            _ => Compare::Ne,
        };
        Some((compare, a, b))
    }

    /// The value 0 or 1 of a comparison.
    pub(super) fn comparison(
        &mut self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        want: Option<Reg>,
        mark: Reg,
    ) -> Option<Reg> {
        let kind = self.scalar(a.ty)?;
        if kind.is_wide() {
            let (a, b) = (self.expr(a), self.expr(b));
            self.next_register = mark;
            let d = want.unwrap_or_else(|| self.temporary(1));
            if kind.is_complex() {
                self.emit(Op::CompareComplex { op, d, a, b });
                return Some(d);
            }
            self.emit(Op::CompareWide {
                op,
                signed: kind.is_signed(),
                d,
                a,
                b,
            });
            return Some(d);
        }
        let (compare, a, b) = self.compared(op, a, b)?;
        self.next_register = mark;
        let d = want.unwrap_or_else(|| self.temporary(1));
        self.emit(Op::Compare { compare, d, a, b });
        Some(d)
    }
}
