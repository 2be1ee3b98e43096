//! What do the rarer operations compute? Integers of every width, shifts, conversions, bit-fields, the 80-bit format.
//!
//! `long double` is computed as `f64` (a documented approximation); in memory it has the 80-bit format in 16 bytes.

use super::code::{BinaryOp, BitField, Scalar};

/// The mathematical value of a canonical integer register (pair).
pub(super) fn integer(kind: Scalar, low: u64, high: u64) -> i128 {
    match kind {
        Scalar::I128 | Scalar::U128 => (u128::from(low) | u128::from(high) << 64) as i128,
        _ if kind.is_signed() => i128::from(low as i64),
        _ => i128::from(low),
    }
}

/// The canonical register (pair) of a value taken modulo the type's size.
pub(super) fn canonical(kind: Scalar, value: i128) -> (u64, u64) {
    use Scalar::*;
    match kind {
        Bool => (u64::from(value != 0), 0),
        I8 => (value as i8 as u64, 0),
        U8 => (value as u8 as u64, 0),
        I16 => (value as i16 as u64, 0),
        U16 => (value as u16 as u64, 0),
        I32 => (value as i32 as u64, 0),
        U32 => (value as u32 as u64, 0),
        I128 | U128 => (value as u64, (value >> 64) as u64),
        _ => (value as u64, 0),
    }
}

/// `a op b` on integers of one type. Not for comparisons and shifts.
pub(super) fn integer_binary(
    op: BinaryOp,
    kind: Scalar,
    a: (u64, u64),
    b: (u64, u64),
    wrapping: bool,
) -> Result<(u64, u64), String> {
    let (x, y) = (integer(kind, a.0, a.1), integer(kind, b.0, b.1));
    let unsigned = kind == Scalar::U128;
    let exact = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div | BinaryOp::Rem if y == 0 => return Err("division by zero".into()),
        BinaryOp::Div if unsigned => Some((x as u128 / y as u128) as i128),
        BinaryOp::Rem if unsigned => Some((x as u128 % y as u128) as i128),
        BinaryOp::Div => x.checked_div(y),
        // The remainder overflows where the quotient does.
        BinaryOp::Rem => match x.checked_div(y) {
            Some(quotient) if fits(kind, quotient) => x.checked_rem(y),
            _ => None,
        },
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
        _ => return Err("an operation that integers do not have".into()),
    };
    if let Some(value) = exact
        && (!kind.is_signed() || fits(kind, value))
        && kind != Scalar::U128
    {
        return Ok(canonical(kind, value));
    }
    let division = matches!(op, BinaryOp::Div | BinaryOp::Rem);
    if kind.is_signed() && (!wrapping || division) {
        return Err("signed integer overflow".into());
    }
    Ok(canonical(
        kind,
        match op {
            BinaryOp::Add => x.wrapping_add(y),
            BinaryOp::Sub => x.wrapping_sub(y),
            BinaryOp::Mul => x.wrapping_mul(y),
            _ => exact.unwrap_or(0),
        },
    ))
}

fn fits(kind: Scalar, value: i128) -> bool {
    let (low, high) = canonical(kind, value);
    integer(kind, low, high) == value
}

/// `a << count` and `a >> count`.
pub(super) fn shift(
    op: BinaryOp,
    kind: Scalar,
    a: (u64, u64),
    count: u64,
    wrapping: bool,
) -> Result<(u64, u64), String> {
    if count >= u64::from(kind.bits()) {
        return Err(format!("shift of {} bits by {}", kind.bits(), count as i64));
    }
    let value = integer(kind, a.0, a.1);
    if op == BinaryOp::Shr {
        let result = if kind == Scalar::U128 {
            ((value as u128) >> count) as i128
        } else {
            value >> count
        };
        return Ok(canonical(kind, result));
    }
    // Shifting into or past the sign bit is undefined in C but defined by gcc and clang: the bits are moved.
    let _ = wrapping;
    Ok(canonical(kind, ((value as u128) << count) as i128))
}

/// `a op b` for a comparison of 128-bit integers.
pub(super) fn compare_wide(op: BinaryOp, signed: bool, a: (u64, u64), b: (u64, u64)) -> bool {
    let (x, y) = (integer(Scalar::I128, a.0, a.1), integer(Scalar::I128, b.0, b.1));
    let order = if signed {
        x.cmp(&y)
    } else {
        (x as u128).cmp(&(y as u128))
    };
    match op {
        BinaryOp::Lt => order.is_lt(),
        BinaryOp::Le => order.is_le(),
        BinaryOp::Gt => order.is_gt(),
        BinaryOp::Ge => order.is_ge(),
        BinaryOp::Eq => order.is_eq(),
        _ => order.is_ne(),
    }
}

/// The value of a floating register as `f64`.
pub(super) fn float(kind: Scalar, register: u64) -> f64 {
    match kind {
        Scalar::F32 => f64::from(f32::from_bits(register as u32)),
        _ => f64::from_bits(register),
    }
}

/// Conversion of a value, as a C cast. From floating to integer the value must fit.
pub(super) fn cast(from: Scalar, to: Scalar, low: u64, high: u64) -> Result<(u64, u64), String> {
    if from.is_complex() || to.is_complex() {
        return super::complex::cast(from, to, low, high);
    }
    if from.is_float() {
        let value = float(from, low);
        return Ok(match to {
            Scalar::Bool => (u64::from(value != 0.0), 0),
            Scalar::F32 => (u64::from((value as f32).to_bits()), 0),
            Scalar::F64 | Scalar::F80 => (value.to_bits(), 0),
            _ => {
                let whole = value.trunc();
                let out_of_range =
                    || format!("{value:?} does not fit the integer type that it is converted to");
                if to == Scalar::U128 {
                    if !(whole >= 0.0 && whole < 2f64.powi(128)) {
                        return Err(out_of_range());
                    }
                    return Ok(canonical(to, whole as u128 as i128));
                }
                let in_range = whole >= -(2f64.powi(127)) && whole < 2f64.powi(127);
                if !in_range || !fits(to, whole as i128) {
                    return Err(out_of_range());
                }
                canonical(to, whole as i128)
            }
        });
    }
    let value = integer(from, low, high);
    Ok(match to {
        Scalar::F32 if from == Scalar::U128 => (u64::from((value as u128 as f32).to_bits()), 0),
        Scalar::F32 => (u64::from((value as f32).to_bits()), 0),
        Scalar::F64 | Scalar::F80 if from == Scalar::U128 => ((value as u128 as f64).to_bits(), 0),
        Scalar::F64 | Scalar::F80 => ((value as f64).to_bits(), 0),
        _ => canonical(to, value),
    })
}

impl BitField {
    /// How many bytes hold some of its bits; at most 17.
    pub(super) fn bytes(&self) -> usize {
        (self.shift + self.width).div_ceil(8) as usize
    }

    /// The value in those bytes.
    pub(super) fn extract(&self, bytes: &[u8]) -> (u64, u64) {
        let mut value = 0u128;
        for bit in 0..self.width {
            let at = self.shift + bit;
            if bytes
                .get(at as usize / 8)
                .is_some_and(|byte| byte >> (at % 8) & 1 != 0)
            {
                value |= 1 << bit;
            }
        }
        let unused = 128 - self.width.clamp(1, 128);
        let value = if self.kind.is_signed() {
            (value as i128) << unused >> unused
        } else {
            value as i128
        };
        canonical(self.kind, value)
    }

    /// Puts a value into those bytes.
    pub(super) fn insert(&self, bytes: &mut [u8], low: u64, high: u64) {
        let value = u128::from(low) | u128::from(high) << 64;
        for bit in 0..self.width {
            let at = self.shift + bit;
            if let Some(byte) = bytes.get_mut(at as usize / 8) {
                let mask = 1u8 << (at % 8);
                if value >> bit & 1 != 0 {
                    *byte |= mask
                } else {
                    *byte &= !mask
                }
            }
        }
    }
}

/// The 80-bit format of a value, in 16 bytes.
pub(super) fn to_f80(value: f64) -> [u8; 16] {
    let bits = value.to_bits();
    let sign = (bits >> 63) as u16;
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, mantissa) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, fraction) => {
            let shift = fraction.leading_zeros();
            (16383 - 1022 + 11 - shift as i32, fraction << shift)
        }
        (0x7ff, fraction) => (0x7fff, 1 << 63 | fraction << 11),
        (exponent, fraction) => (exponent - 1023 + 16383, 1 << 63 | fraction << 11),
    };
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
    bytes[8..10].copy_from_slice(&(exponent as u16 | sign << 15).to_le_bytes());
    bytes
}

/// The nearest `f64` of the 80-bit format.
pub(super) fn from_f80(bytes: [u8; 16]) -> f64 {
    let mut mantissa = [0; 8];
    mantissa.copy_from_slice(&bytes[..8]);
    let mantissa = u64::from_le_bytes(mantissa);
    let head = u16::from_le_bytes([bytes[8], bytes[9]]);
    let exponent = i32::from(head & 0x7fff);
    let magnitude = match exponent {
        0x7fff if mantissa << 1 == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        _ => {
            // Two exact steps: the second rounds only where the result is subnormal or overflows.
            let value = mantissa as f64;
            let power = exponent - 16383 - 63;
            if power < -1000 {
                value * 2f64.powi(-1000) * 2f64.powi((power + 1000).max(-1000))
            } else {
                value * 2f64.powi(power.min(1023))
            }
        }
    };
    if head >> 15 != 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_overflows_where_c_does() {
        let int = |value: i32| (value as i64 as u64, 0);
        let add = |a, b| integer_binary(BinaryOp::Add, Scalar::I32, int(a), int(b), false);
        assert_eq!(add(i32::MAX, -1), Ok(int(i32::MAX - 1)));
        assert!(add(i32::MAX, 1).is_err());
        assert!(integer_binary(BinaryOp::Div, Scalar::I32, int(i32::MIN), int(-1), true).is_err());
        assert!(integer_binary(BinaryOp::Rem, Scalar::I32, int(i32::MIN), int(-1), false).is_err());
        assert_eq!(
            integer_binary(BinaryOp::Rem, Scalar::I32, int(-7), int(3), false),
            Ok(int(-1))
        );
        let most = (u64::MAX, u64::MAX);
        assert_eq!(
            integer_binary(BinaryOp::Add, Scalar::U128, most, (1, 0), false),
            Ok((0, 0))
        );
        assert_eq!(
            integer_binary(BinaryOp::Div, Scalar::U128, most, (2, 0), false),
            Ok((u64::MAX, u64::MAX >> 1))
        );
        assert!(
            integer_binary(
                BinaryOp::Add,
                Scalar::I128,
                (u64::MAX, u64::MAX >> 1),
                (1, 0),
                false
            )
            .is_err()
        );
    }

    #[test]
    fn the_80_bit_format_keeps_every_double() {
        for value in [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e300,
            -1e-300,
            5e-324,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::INFINITY,
        ] {
            assert_eq!(from_f80(to_f80(value)).to_bits(), value.to_bits(), "{value:e}");
        }
        assert!(from_f80(to_f80(f64::NAN)).is_nan());
    }

    #[test]
    fn bit_fields_keep_their_neighbours() {
        let field = BitField {
            byte: 0,
            shift: 6,
            width: 5,
            kind: Scalar::I32,
        };
        let mut bytes = [0xff; 2];
        field.insert(&mut bytes, (-3i64) as u64, 0);
        assert_eq!(field.extract(&bytes), ((-3i64) as u64, 0));
        assert_eq!(bytes[0] & 0x3f, 0x3f);
        assert_eq!(bytes[1] >> 3, 0x1f);
    }

    #[test]
    fn floats_must_fit_the_integer() {
        let cast = |value: f64, to| cast(Scalar::F64, to, value.to_bits(), 0);
        assert_eq!(cast(-1.9, Scalar::I32), Ok(((-1i64) as u64, 0)));
        assert_eq!(cast(-0.9, Scalar::U32), Ok((0, 0)));
        assert!(cast(2147483648.0, Scalar::I32).is_err());
        assert!(cast(f64::NAN, Scalar::I64).is_err());
        assert_eq!(cast(0.5, Scalar::Bool), Ok((1, 0)));
    }
}
