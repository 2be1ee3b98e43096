//! What do operations on complex numbers compute? The formulas of the algebra, part by part.
//!
//! Where a part is infinite or no number, compiled programs may give another result (C11 annex G). A quotient is
//! computed without scaling: where the squares of the divisor's parts leave the range, it differs.

use super::arithmetic;
use super::code::{BinaryOp, Scalar};
use super::memory::Fault;
use crate::UnaryOp;

/// The two registers of a complex number.
type Parts = (u64, u64);

fn values((real, imaginary): Parts) -> (f64, f64) {
    (f64::from_bits(real), f64::from_bits(imaginary))
}

/// The registers, each part rounded to the type's format.
fn rounded(kind: Scalar, real: f64, imaginary: f64) -> Parts {
    let round = |part: f64| match kind {
        Scalar::C32 => f64::from(part as f32),
        _ => part,
    };
    (round(real).to_bits(), round(imaginary).to_bits())
}

/// `a op b` for sums, differences, products and quotients.
pub(super) fn binary(op: BinaryOp, kind: Scalar, a: Parts, b: Parts) -> Parts {
    let ((a, b), (c, d)) = (values(a), values(b));
    let (real, imaginary) = match op {
        BinaryOp::Add => (a + c, b + d),
        BinaryOp::Sub => (a - c, b - d),
        BinaryOp::Mul => (a * c - b * d, a * d + b * c),
        _ => {
            let square = c * c + d * d;
            ((a * c + b * d) / square, (b * c - a * d) / square)
        }
    };
    rounded(kind, real, imaginary)
}

/// An operation on a number of type `kind`, which is complex, or real where it is multiplied by the imaginary unit.
pub(super) fn unary(op: UnaryOp, kind: Scalar, low: u64, high: u64) -> Parts {
    let (real, imaginary) = values((low, high));
    match op {
        UnaryOp::Complement => (real.to_bits(), (-imaginary).to_bits()),
        UnaryOp::Imaginary => match kind {
            Scalar::C32 => (u64::from((imaginary as f32).to_bits()), 0),
            _ => (imaginary.to_bits(), 0),
        },
        UnaryOp::TimesUnit => (0, arithmetic::float(kind, low).to_bits()),
        UnaryOp::Negate | UnaryOp::Not => ((-real).to_bits(), (-imaginary).to_bits()),
    }
}

/// True if both parts are equal.
pub(super) fn are_equal(a: Parts, b: Parts) -> bool {
    values(a) == values(b)
}

/// A conversion from or to a complex type, as a C cast: a real number gets the imaginary part 0, a complex one loses it.
pub(super) fn cast(from: Scalar, to: Scalar, low: u64, high: u64) -> Result<Parts, Fault> {
    if from.is_complex() {
        let (real, imaginary) = values((low, high));
        return match to {
            to if to.is_complex() => Ok(rounded(to, real, imaginary)),
            Scalar::Bool => Ok((u64::from(real != 0.0 || imaginary != 0.0), 0)),
            to => arithmetic::cast(Scalar::F64, to, low, 0),
        };
    }
    let (real, _) = arithmetic::cast(from, to.part(), low, high)?;
    Ok((arithmetic::float(to.part(), real).to_bits(), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(real: f64, imaginary: f64) -> Parts {
        (real.to_bits(), imaginary.to_bits())
    }

    #[test]
    fn products_and_quotients_are_those_of_the_algebra() {
        let (a, b) = (number(1.0, 2.0), number(3.0, -4.0));
        let product = number(11.0, 2.0);
        assert_eq!(binary(BinaryOp::Mul, Scalar::C64, a, b), product);
        assert_eq!(binary(BinaryOp::Div, Scalar::C64, product, b), a);
        assert_eq!(binary(BinaryOp::Sub, Scalar::C64, a, b), number(-2.0, 6.0));
    }

    #[test]
    fn each_part_has_its_format() {
        let third = binary(BinaryOp::Div, Scalar::C32, number(1.0, 2.0), number(3.0, 0.0));
        assert_eq!(third, number(f64::from(1.0f32 / 3.0), f64::from(2.0f32 / 3.0)));
    }

    #[test]
    fn conversions_keep_or_lose_the_imaginary_part() {
        let z = number(2.5, -1.0);
        assert_eq!(cast(Scalar::C64, Scalar::I32, z.0, z.1), Ok((2, 0)));
        assert_eq!(
            cast(Scalar::C64, Scalar::Bool, 0, z.1),
            Ok((1, 0)),
            "an imaginary number is not zero"
        );
        let three = cast(Scalar::I32, Scalar::C32, 3, 0);
        assert_eq!(three, Ok(number(3.0, 0.0)));
        let half = u64::from(0.5f32.to_bits());
        assert_eq!(unary(UnaryOp::TimesUnit, Scalar::F32, half, 0), number(0.0, 0.5));
        assert_eq!(
            unary(UnaryOp::Imaginary, Scalar::C64, z.0, z.1).0,
            (-1f64).to_bits()
        );
    }
}
