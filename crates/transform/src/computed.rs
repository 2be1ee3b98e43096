//! What does C compute for an expression, if its variables and memory have given values?
//!
//! With the types of C: what leaves a signed type is an error, unsigned values wrap around, an operand that is not
//! evaluated does no harm. What it cannot do: floating point, integers of more than 64 bits, calls.

use ferry_ir::{
    BinaryOp, Expr, ExprKind, Length, LogicalOp, Place, PlaceBase, Projection, Type, TypeId, UnaryOp, Unit,
    VariableRef,
};

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The expression is wrong for these values.
    Wrong(&'static str),
    /// The program cannot have these values there.
    Impossible,
}

/// The values of variables and memory.
pub trait Store {
    /// Value of a scalar variable.
    fn variable(&self, variable: VariableRef) -> Result<i128, Failure>;
    /// Address of a variable.
    fn address(&self, variable: VariableRef) -> Result<i128, Failure>;
    /// Value of some bytes in memory.
    fn memory(&self, address: i128, size: u64) -> Result<i128, Failure>;
    /// Type of a variable.
    fn type_of(&self, variable: VariableRef) -> Option<TypeId>;
}

/// Computes expressions of one unit.
pub struct Computer<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The values.
    pub store: &'a dyn Store,
}

use Failure::{Impossible, Wrong};

const NOT_FOLLOWED: Failure = Wrong("it holds something that is not followed");

impl Computer<'_> {
    /// The value of an integer or pointer expression.
    ///
    /// # Errors
    /// If C does not define it, or it holds what is not followed.
    pub fn value(&self, code: &Expr) -> Result<i128, Failure> {
        match &code.kind {
            ExprKind::Int(value) => Ok(*value),
            ExprKind::Float(_) | ExprKind::Function(_) | ExprKind::Opaque { .. } => Err(NOT_FOLLOWED),
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Unary(op, operand) => {
                let value = self.value(operand)?;
                match op {
                    UnaryOp::Negate => self.arithmetic(-value, code.ty),
                    UnaryOp::Complement => self.arithmetic(-value - 1, code.ty),
                    UnaryOp::Not => Ok(i128::from(value == 0)),
                    UnaryOp::Imaginary | UnaryOp::TimesUnit => Err(NOT_FOLLOWED),
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, code.ty),
            ExprKind::Logical(op, left, right) => {
                let first = self.value(left)? != 0;
                let decided = match op {
                    LogicalOp::And => !first,
                    LogicalOp::Or => first,
                };
                if decided {
                    return Ok(i128::from(first));
                }
                Ok(i128::from(self.value(right)? != 0))
            }
            ExprKind::Select(condition, then, otherwise) => {
                if self.value(condition)? != 0 {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            ExprKind::Cast(operand) => {
                if self.unit.types.is_floating(operand.ty) {
                    return Err(NOT_FOLLOWED);
                }
                self.convert(self.value(operand)?, code.ty)
            }
            ExprKind::Offset(pointer, index) => {
                let element = self.unit.types.pointee(code.ty).ok_or(NOT_FOLLOWED)?;
                let pointer = self.value(pointer)?;
                let bytes = self.value(index)?.checked_mul(self.size(element)?);
                bytes
                    .and_then(|bytes| pointer.checked_add(bytes))
                    .ok_or(Impossible)
            }
            ExprKind::Difference(left, right) => {
                let element = self.unit.types.pointee(left.ty).ok_or(NOT_FOLLOWED)?;
                let difference = self.value(left)? - self.value(right)?;
                difference.checked_div(self.size(element)?).ok_or(Impossible)
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, ty: TypeId) -> Result<i128, Failure> {
        if self.unit.types.is_floating(left.ty) {
            return Err(NOT_FOLLOWED);
        }
        let (a, b) = (self.value(left)?, self.value(right)?);
        let value = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Wrong("it divides by zero")),
            BinaryOp::Div => a.checked_div(b),
            BinaryOp::Rem => a.checked_rem(b),
            BinaryOp::Shl | BinaryOp::Shr if !(0..64).contains(&b) => {
                return Err(Wrong("it shifts by more bits than there are"));
            }
            BinaryOp::Shl => a.checked_mul(1 << b),
            BinaryOp::Shr => Some(a >> b),
            BinaryOp::And => Some(a & b),
            BinaryOp::Or => Some(a | b),
            BinaryOp::Xor => Some(a ^ b),
            BinaryOp::Lt => return Ok(i128::from(a < b)),
            BinaryOp::Le => return Ok(i128::from(a <= b)),
            BinaryOp::Gt => return Ok(i128::from(a > b)),
            BinaryOp::Ge => return Ok(i128::from(a >= b)),
            BinaryOp::Eq => return Ok(i128::from(a == b)),
            BinaryOp::Ne => return Ok(i128::from(a != b)),
        };
        self.arithmetic(value.ok_or(Wrong("it overflows"))?, ty)
    }

    /// The result of an operation of a type.
    fn arithmetic(&self, value: i128, ty: TypeId) -> Result<i128, Failure> {
        let converted = self.convert(value, ty)?;
        let defined = !matches!(self.unit.types.get(ty), Type::Int { signed: true, .. });
        if converted != value && !defined && !self.unit.dialect.wrapping {
            return Err(Wrong("it overflows"));
        }
        Ok(converted)
    }

    fn convert(&self, value: i128, ty: TypeId) -> Result<i128, Failure> {
        match *self.unit.types.get(ty) {
            Type::Bool => Ok(i128::from(value != 0)),
            Type::Int { bits, signed } if bits <= 64 => {
                let size = 1i128 << bits;
                let low = value.rem_euclid(size);
                Ok(if signed && low >= size / 2 {
                    low - size
                } else {
                    low
                })
            }
            Type::Pointer(_) => Ok(value.rem_euclid(1 << 64)),
            _ => Err(NOT_FOLLOWED),
        }
    }

    fn load(&self, place: &Place) -> Result<i128, Failure> {
        if place.volatile {
            return Err(Wrong("it reads what may change at any time"));
        }
        if let Some(variable) = place.as_variable() {
            return self.store.variable(variable);
        }
        let size = self.unit.types.size(place.ty).ok_or(NOT_FOLLOWED)?;
        let value = self.store.memory(self.address(place)?, size)?;
        // A value that its type does not hold was never there.
        if self.convert(value, place.ty)? == value {
            Ok(value)
        } else {
            Err(Impossible)
        }
    }

    /// The address of a place.
    ///
    /// # Errors
    /// As [`Computer::value`].
    pub fn address(&self, place: &Place) -> Result<i128, Failure> {
        let (mut address, mut ty) = match &place.base {
            PlaceBase::Variable(variable) => (
                self.store.address(*variable)?,
                self.store.type_of(*variable).ok_or(NOT_FOLLOWED)?,
            ),
            PlaceBase::Deref(pointer) => (
                self.value(pointer)?,
                self.unit.types.pointee(pointer.ty).ok_or(NOT_FOLLOWED)?,
            ),
        };
        for projection in &place.path {
            match (projection, self.unit.types.get(ty)) {
                (Projection::Field(number), Type::Record(record)) => {
                    let record = self.unit.types.record(*record);
                    let field = record.fields.get(*number as usize).ok_or(NOT_FOLLOWED)?;
                    if field.width.is_some() {
                        return Err(NOT_FOLLOWED);
                    }
                    address += i128::from(field.offset_bits / 8);
                    ty = field.ty;
                }
                (Projection::Index(index), Type::Array { element, .. }) => {
                    let bytes = self.value(index)?.checked_mul(self.size(*element)?);
                    address = bytes
                        .and_then(|bytes| address.checked_add(bytes))
                        .ok_or(Impossible)?;
                    ty = *element;
                }
                _ => return Err(NOT_FOLLOWED),
            }
        }
        Ok(address)
    }

    /// Size of a type in bytes, variable-length arrays included.
    fn size(&self, ty: TypeId) -> Result<i128, Failure> {
        if let Some(size) = self.unit.types.size(ty) {
            return Ok(i128::from(size));
        }
        match self.unit.types.get(ty) {
            Type::Array { element, length } => {
                let length = match length {
                    Length::Constant(length) => i128::from(*length),
                    Length::Variable(local) => self.store.variable(VariableRef::Local(*local))?,
                    Length::Unknown => return Err(NOT_FOLLOWED),
                };
                length.checked_mul(self.size(*element)?).ok_or(Impossible)
            }
            _ => Err(NOT_FOLLOWED),
        }
    }
}
