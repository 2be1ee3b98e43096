//! How is a value computed? Each expression becomes operations that leave it in a register.

use super::places::Location;
use super::*;
use crate::{Expr, ExprKind, Place, UnaryOp};

impl Compiler<'_> {
    /// The value of a scalar expression, in a register that may belong to a variable.
    pub(super) fn expr(&mut self, expr: &Expr) -> Reg {
        self.expr_in(expr, None)
    }

    /// As [`Compiler::expr`]; in `want` if it is given.
    pub(super) fn expr_in(&mut self, expr: &Expr, want: Option<Reg>) -> Reg {
        let mark = self.next_register;
        match self.try_expr(expr, want, mark) {
            Some(register) => register,
            None => {
                self.trap("an expression that the interpreter does not know");
                self.next_register = mark;
                want.unwrap_or_else(|| self.temporary(2))
            }
        }
    }

    /// The register for a result: temporaries from `mark` on are free again, since operations read before they write.
    fn target(&mut self, want: Option<Reg>, mark: Reg, kind: Scalar) -> Reg {
        self.next_register = mark;
        match want {
            Some(register) => register,
            None => self.temporary(kind.registers()),
        }
    }

    /// Keeps `register` if it is a temporary from `mark` on, and gives back those behind it.
    fn keep(&mut self, register: Reg, registers: u32, mark: Reg) {
        self.next_register = if register >= mark {
            register + registers
        } else {
            mark
        };
    }

    fn try_expr(&mut self, expr: &Expr, want: Option<Reg>, mark: Reg) -> Option<Reg> {
        let kind = match &expr.kind {
            ExprKind::Cast(_) => self.scalar(expr.ty).unwrap_or(Scalar::I32),
            ExprKind::Opaque { why, .. } => {
                self.trap(format!("an expression that was not understood: {why}"));
                return Some(want.unwrap_or_else(|| self.temporary(2)));
            }
            _ => self.scalar(expr.ty)?,
        };
        Some(match &expr.kind {
            ExprKind::Int(value) => match (want, kind.is_wide()) {
                (_, true) => {
                    let d = want.unwrap_or_else(|| self.temporary(2));
                    self.load_constant(d, *value as u64);
                    self.load_constant(d + 1, (*value >> 64) as u64);
                    d
                }
                (None, false) => self.constant(*value as u64),
                (Some(d), false) => {
                    self.load_constant(d, *value as u64);
                    d
                }
            },
            ExprKind::Float(bits) => {
                let value = match kind {
                    Scalar::F32 => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                    _ => *bits,
                };
                match want {
                    None => self.constant(value),
                    Some(d) => {
                        self.load_constant(d, value);
                        d
                    }
                }
            }
            ExprKind::Load(place) => {
                let register = self.load_place(place, want)?;
                if want.is_some() {
                    self.next_register = mark;
                } else {
                    return Some(self.settle(register, kind, mark));
                }
                register
            }
            ExprKind::AddressOf(place) => {
                let register = self.place_address(place, want)?;
                if want.is_some() {
                    self.next_register = mark;
                }
                register
            }
            ExprKind::Function(function) => {
                let address = self.linked.function_address(self.unit_number, *function)?;
                match want {
                    None => self.constant(address),
                    Some(d) => {
                        self.load_constant(d, address);
                        d
                    }
                }
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, kind, want, mark)?,
            ExprKind::Binary(op, a, b) if op.is_comparison() => self.comparison(*op, a, b, want, mark)?,
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, kind, want, mark)?,
            ExprKind::Logical(..) => {
                let d = want.unwrap_or_else(|| self.temporary(1));
                let inner = self.next_register;
                let (no, end) = (self.new_label(), self.new_label());
                self.jump_unless(expr, no);
                self.next_register = inner;
                self.load_constant(d, 1);
                self.jump(end);
                self.bind(no);
                self.load_constant(d, 0);
                self.bind(end);
                d
            }
            ExprKind::Select(condition, a, b) => {
                // The result may not be written before the condition and the other operand have been read.
                let d = want.unwrap_or_else(|| self.temporary(kind.registers()));
                let inner = self.next_register;
                let (no, end) = (self.new_label(), self.new_label());
                self.jump_unless(condition, no);
                self.next_register = inner;
                self.expr_in(a, Some(d));
                self.next_register = inner;
                self.jump(end);
                self.bind(no);
                self.expr_in(b, Some(d));
                self.next_register = inner;
                self.bind(end);
                d
            }
            ExprKind::Cast(a) => self.cast(a, expr.ty, want, mark)?,
            ExprKind::Offset(..) => {
                let pointer = Place {
                    base: crate::PlaceBase::Deref(Box::new(expr.clone())),
                    path: Vec::new(),
                    ty: self.unit.types.pointee(expr.ty)?,
                    volatile: false,
                    origin: expr.origin,
                };
                let register = self.place_address(&pointer, want)?;
                if want.is_some() {
                    self.next_register = mark;
                }
                register
            }
            ExprKind::Difference(a, b) => {
                let pointee = self.unit.types.pointee(a.ty)?;
                let size = self.size(pointee)?;
                let (a, b) = (self.expr(a), self.expr(b));
                match size {
                    Size::Constant(size @ 1..=0xffff) => {
                        let d = self.target(want, mark, kind);
                        self.emit(Op::PointerDifference {
                            size: size as u16,
                            d,
                            a,
                            b,
                        });
                        d
                    }
                    size => {
                        let difference = self.temporary(1);
                        self.emit(Op::SubU64 { d: difference, a, b });
                        let size = self.size_register(size);
                        let d = self.target(want, mark, kind);
                        self.emit(Op::Integer {
                            op: BinaryOp::Div,
                            kind: Scalar::I64,
                            d,
                            a: difference,
                            b: size,
                        });
                        d
                    }
                }
            }
            ExprKind::Opaque { .. } => return None,
        })
    }

    /// Frees the temporaries of an address when the value sits behind them.
    fn settle(&mut self, register: Reg, kind: Scalar, mark: Reg) -> Reg {
        self.keep(register, kind.registers(), mark);
        register
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, kind: Scalar, want: Option<Reg>, mark: Reg) -> Option<Reg> {
        let from = self.scalar(a.ty)?;
        if op == UnaryOp::Not {
            let value = self.truth(a);
            let d = self.target(want, mark, kind);
            self.emit(Op::IsZero { d, a: value });
            return Some(d);
        }
        let value = self.expr(a);
        if from.is_complex() || kind.is_complex() {
            let d = self.target(want, mark, kind);
            self.emit(Op::ComplexUnary {
                op,
                kind: from,
                d,
                a: value,
            });
            return Some(d);
        }
        match (op, from) {
            (UnaryOp::Negate, Scalar::F64 | Scalar::F80) => {
                let d = self.target(want, mark, kind);
                self.emit(Op::NegateF64 { d, a: value });
                Some(d)
            }
            (UnaryOp::Negate, Scalar::F32) => {
                let d = self.target(want, mark, kind);
                self.emit(Op::NegateF32 { d, a: value });
                Some(d)
            }
            (UnaryOp::Negate, _) => {
                let zero = self.wide_constant(0, from);
                let d = self.target(want, mark, kind);
                self.integer_op(BinaryOp::Sub, from, d, zero, value);
                Some(d)
            }
            (UnaryOp::Complement, from) if from.is_float() => None,
            (UnaryOp::Complement, _) => {
                let ones = match from {
                    Scalar::U8 => 0xff,
                    Scalar::U16 => 0xffff,
                    Scalar::U32 => 0xffff_ffff,
                    _ => u64::MAX,
                };
                let ones = self.wide_constant(ones, from);
                let d = self.target(want, mark, kind);
                self.integer_op(BinaryOp::Xor, from, d, value, ones);
                Some(d)
            }
            (UnaryOp::Not | UnaryOp::Imaginary | UnaryOp::TimesUnit, _) => None,
        }
    }

    /// A constant for an operation on `kind`: in two registers, both halves the same, if it is wide.
    fn wide_constant(&mut self, value: u64, kind: Scalar) -> Reg {
        if kind.is_wide() {
            let d = self.temporary(2);
            self.load_constant(d, value);
            self.load_constant(d + 1, value);
            d
        } else {
            self.constant(value)
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        kind: Scalar,
        want: Option<Reg>,
        mark: Reg,
    ) -> Option<Reg> {
        let count = self.scalar(b.ty)?;
        let (a, b) = (self.expr(a), self.expr(b));
        let d = self.target(want, mark, kind);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            if kind.is_float() || count.is_float() || kind.is_complex() {
                return None;
            }
            self.emit(Op::Shift { op, kind, d, a, b });
            return Some(d);
        }
        use BinaryOp::*;
        match kind {
            Scalar::F64 | Scalar::F80 => self.emit(match op {
                Add => Op::AddF64 { d, a, b },
                Sub => Op::SubF64 { d, a, b },
                Mul => Op::MulF64 { d, a, b },
                Div => Op::DivF64 { d, a, b },
                _ => return None,
            }),
            Scalar::F32 => self.emit(match op {
                Add => Op::AddF32 { d, a, b },
                Sub => Op::SubF32 { d, a, b },
                Mul => Op::MulF32 { d, a, b },
                Div => Op::DivF32 { d, a, b },
                _ => return None,
            }),
            kind if kind.is_complex() => match op {
                Add | Sub | Mul | Div => self.emit(Op::Complex { op, kind, d, a, b }),
                _ => return None,
            },
            _ => self.integer_op(op, kind, d, a, b),
        }
        Some(d)
    }

    fn integer_op(&mut self, op: BinaryOp, kind: Scalar, d: Reg, a: Reg, b: Reg) {
        use BinaryOp::*;
        use Scalar::*;
        let special = match (op, kind) {
            (Add, I32) if !self.wrapping => Op::AddI32 { d, a, b },
            (Sub, I32) if !self.wrapping => Op::SubI32 { d, a, b },
            (Mul, I32) if !self.wrapping => Op::MulI32 { d, a, b },
            (Add, I64) if !self.wrapping => Op::AddI64 { d, a, b },
            (Sub, I64) if !self.wrapping => Op::SubI64 { d, a, b },
            (Mul, I64) if !self.wrapping => Op::MulI64 { d, a, b },
            (Add, U64 | I64) => Op::AddU64 { d, a, b },
            (Sub, U64 | I64) => Op::SubU64 { d, a, b },
            (Mul, U64 | I64) => Op::MulU64 { d, a, b },
            (Add, U32) => Op::AddU32 { d, a, b },
            (Sub, U32) => Op::SubU32 { d, a, b },
            (Mul, U32) => Op::MulU32 { d, a, b },
            (Add | Sub | Mul, I32) => {
                self.emit(match op {
                    Add => Op::AddU64 { d, a, b },
                    Sub => Op::SubU64 { d, a, b },
                    _ => Op::MulU64 { d, a, b },
                });
                Op::SignExtend32 { d, a: d }
            }
            (And, kind) if !kind.is_wide() => Op::And { d, a, b },
            (Or, kind) if !kind.is_wide() => Op::Or { d, a, b },
            (Xor, kind) if !kind.is_wide() => Op::Xor { d, a, b },
            _ => Op::Integer { op, kind, d, a, b },
        };
        self.emit(special);
    }

    fn cast(&mut self, a: &Expr, to: TypeId, want: Option<Reg>, mark: Reg) -> Option<Reg> {
        if matches!(self.unit.types.get(to), Type::Void) {
            return Some(if self.scalar(a.ty).is_some() {
                self.expr(a)
            } else {
                self.constant(0)
            });
        }
        let (from, to) = (self.scalar(a.ty)?, self.scalar(to)?);
        if is_plain(from, to) {
            return Some(self.expr_in(a, want));
        }
        let value = self.expr(a);
        let d = self.target(want, mark, to);
        self.convert(from, to, d, value);
        Some(d)
    }

    /// `d` becomes `a` converted.
    pub(super) fn convert(&mut self, from: Scalar, to: Scalar, d: Reg, a: Reg) {
        use Scalar::*;
        if is_plain(from, to) {
            return self.move_to(to, d, a);
        }
        let op = match (from, to) {
            (I64 | U64 | U32, I32) => Op::SignExtend32 { d, a },
            (I8 | I16 | I32 | I64 | U64, U32) => Op::ZeroExtend32 { d, a },
            (I8 | I16 | U16 | I32 | U32 | I64 | U64, U8) => Op::ZeroExtend8 { d, a },
            (Bool | I8 | U8 | I16 | U16 | I32 | U32 | I64, F64 | F80) => Op::IntToF64 { d, a },
            (F32, F64 | F80) => Op::F32ToF64 { d, a },
            (F64 | F80, F32) => Op::F64ToF32 { d, a },
            _ => Op::Cast { from, to, d, a },
        };
        self.emit(op);
    }

    /// The address of a record value.
    pub(super) fn record(&mut self, expr: &Expr) -> Option<Reg> {
        match &expr.kind {
            ExprKind::Load(place) => self.place_address(place, None),
            ExprKind::Cast(inner) => self.record(inner),
            ExprKind::Select(condition, a, b) => {
                let d = self.temporary(1);
                let (no, end) = (self.new_label(), self.new_label());
                self.jump_unless(condition, no);
                let a = self.record(a)?;
                self.move_to(Scalar::U64, d, a);
                self.jump(end);
                self.bind(no);
                let b = self.record(b)?;
                self.move_to(Scalar::U64, d, b);
                self.bind(end);
                Some(d)
            }
            ExprKind::Opaque { why, .. } => {
                self.trap(format!("an expression that was not understood: {why}"));
                Some(self.temporary(1))
            }
            _ => None,
        }
    }

    /// `place = value`.
    pub(super) fn assign(&mut self, place: &Place, value: &Expr) {
        if self.try_assign(place, value).is_none() {
            self.trap("an assignment that the interpreter does not know");
        }
    }

    /// Notes for an observer where the copy that follows reads.
    fn copy_from(&mut self, source: &Place) {
        if self.observe {
            self.set_site(source.origin);
            let site = self.site;
            self.emit(Op::CopyFrom { site });
        }
    }

    /// `place = source` where both are in memory: as in compiled code, a value that is only moved need not exist.
    fn copy_scalar(&mut self, kind: Scalar, place: &Place, source: &Place) -> Option<()> {
        let in_memory = |compiler: &Self, place: &Place| {
            let variable = place.as_variable();
            variable.is_none_or(|variable| compiler.register_home(variable).is_none())
                && !compiler.is_bits(place)
        };
        if !in_memory(self, place) || !in_memory(self, source) {
            return None;
        }
        let b = self.place_address(source, None)?;
        let a = self.place_address(place, None)?;
        self.copy_from(source);
        self.set_site(place.origin);
        self.emit(Op::CopyScalar {
            a,
            b,
            size: kind.size() as u32,
        });
        Some(())
    }

    fn try_assign(&mut self, place: &Place, value: &Expr) -> Option<()> {
        if let Some(kind) = self.scalar(place.ty) {
            if let Some((register, _)) = place
                .as_variable()
                .and_then(|variable| self.register_home(variable))
            {
                let from = self.scalar(value.ty)?;
                if is_plain(from, kind) {
                    self.expr_in(value, Some(register));
                } else {
                    let value = self.expr(value);
                    self.convert(from, kind, register, value);
                }
                return Some(());
            }
            let from = self.scalar(value.ty)?;
            if from == kind
                && let ExprKind::Load(source) = &value.kind
                && let Some(()) = self.copy_scalar(kind, place, source)
            {
                return Some(());
            }
            let mut register = self.expr(value);
            if !is_plain(from, kind) {
                let d = self.temporary(kind.registers());
                self.convert(from, kind, d, register);
                register = d;
            }
            return self.store_place(place, register);
        }
        let from = self.record(value)?;
        let size = self.size(place.ty)?;
        let Location::Memory(to) = self.location(place)? else {
            return None;
        };
        let a = self.address(to, None);
        let size = self.size_register(size);
        if let ExprKind::Load(source) = &value.kind {
            self.copy_from(source);
        }
        self.set_site(place.origin);
        self.emit(Op::Copy { a, b: from, size });
        Some(())
    }
}

/// True if the register of a value needs no operation to become a value of the other type.
pub(super) fn is_plain(from: Scalar, to: Scalar) -> bool {
    use Scalar::*;
    if from == to {
        return true;
    }
    match (from, to) {
        (F64, F80) | (F80, F64) => true,
        (I64, U64) | (U64, I64) => true,
        (_, Bool) => false,
        _ if from.is_float() || to.is_float() || from.is_wide() || to.is_wide() => false,
        // Canonical forms: zero-extended values fit every wider type, sign-extended ones every wider signed type
        // and the unsigned type that fills the register.
        _ if from.is_signed() => (to.is_signed() && to.bits() > from.bits()) || to == U64,
        _ => to.bits() > from.bits(),
    }
}
