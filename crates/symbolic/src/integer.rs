//! What is an integer? A mathematical one, of any size: 128 bits inline, a big integer past that.
//!
//! Invariant: a value that fits in 128 bits is always held inline, so derived equality and hashing are those of the value.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Value);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Value {
    Small(i128),
    Big(Box<BigInt>),
}

use Value::{Big, Small};

impl Integer {
    /// Zero.
    pub const ZERO: Integer = Integer(Small(0));
    /// One.
    pub const ONE: Integer = Integer(Small(1));
    /// Minus one.
    pub const MINUS_ONE: Integer = Integer(Small(-1));

    /// The integer with this value.
    pub const fn new(value: i128) -> Integer {
        Integer(Small(value))
    }

    pub(crate) fn from_big(value: BigInt) -> Integer {
        match value.to_i128() {
            Some(small) => Integer(Small(small)),
            None => Integer(Big(Box::new(value))),
        }
    }

    pub(crate) fn big(&self) -> BigInt {
        match &self.0 {
            Small(small) => BigInt::from(*small),
            Big(big) => (**big).clone(),
        }
    }

    /// The value, if it fits in 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Small(small) => Some(*small),
            Big(_) => None,
        }
    }

    /// The value, if it fits in 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        self.to_i128().and_then(|value| i64::try_from(value).ok())
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Small(small) => small.signum() as i32,
            Big(big) => {
                if big.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Is it 1?
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// Is it below 0?
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Is it above 0?
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The absolute value.
    pub fn abs(&self) -> Integer {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The quotient rounded towards minus infinity; `None` if `divisor` is 0.
    pub fn floor_div(&self, divisor: &Integer) -> Option<Integer> {
        if divisor.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = a.checked_div(*b)
        {
            let inexact = a % b != 0 && ((*a < 0) != (*b < 0));
            return Some(Integer(Small(quotient - i128::from(inexact))));
        }
        Some(Integer::from_big(self.big().div_floor(&divisor.big())))
    }

    /// `self - divisor * floor_div`: it has the sign of the divisor; `None` if `divisor` is 0.
    pub fn floor_mod(&self, divisor: &Integer) -> Option<Integer> {
        let quotient = self.floor_div(divisor)?;
        Some(self - &(&quotient * divisor))
    }

    /// The quotient rounded towards 0, as in C; `None` if `divisor` is 0.
    pub fn trunc_div(&self, divisor: &Integer) -> Option<Integer> {
        if divisor.is_zero() {
            return None;
        }
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let Some(quotient) = quotient(*a, *b)
        {
            return Some(Integer(Small(quotient)));
        }
        Some(Integer::from_big(self.big() / divisor.big()))
    }

    /// `self - divisor * trunc_div`: it has the sign of the dividend, as `%` in C; `None` if `divisor` is 0.
    pub fn trunc_rem(&self, divisor: &Integer) -> Option<Integer> {
        let quotient = self.trunc_div(divisor)?;
        Some(self - &(&quotient * divisor))
    }

    /// Is `self` a multiple of `divisor`? Only 0 is a multiple of 0.
    pub fn is_multiple_of(&self, divisor: &Integer) -> bool {
        if let (Small(a), Small(b)) = (&self.0, &divisor.0)
            && let (Ok(a), Ok(b)) = (i64::try_from(*a), i64::try_from(*b))
            && let Some(remainder) = a.checked_rem(b)
        {
            return remainder == 0;
        }
        match self.trunc_rem(divisor) {
            Some(remainder) => remainder.is_zero(),
            None => self.is_zero(),
        }
    }

    /// The greatest common divisor, never negative; `gcd(0, 0)` is 0.
    pub fn gcd(&self, other: &Integer) -> Integer {
        if let (Small(a), Small(b)) = (&self.0, &other.0) {
            if *a == 1 || *b == 1 || *a == -1 || *b == -1 {
                return Integer::ONE;
            }
            if let (Ok(a), Ok(b)) = (u64::try_from(a.unsigned_abs()), u64::try_from(b.unsigned_abs())) {
                let (mut a, mut b) = (a, b);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                return Integer(Small(i128::from(a)));
            }
        }
        Integer::from_big(self.big().gcd(&other.big()))
    }

    /// The least common multiple, never negative.
    pub fn lcm(&self, other: &Integer) -> Integer {
        if self.is_zero() || other.is_zero() {
            return Integer::ZERO;
        }
        match self.trunc_div(&self.gcd(other)) {
            Some(part) => (&part * other).abs(),
            None => Integer::ZERO,
        }
    }

    /// `self` to the power `exponent`.
    pub fn pow(&self, exponent: u32) -> Integer {
        let mut result = Integer::ONE;
        let mut base = self.clone();
        let mut exponent = exponent;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = &result * &base;
            }
            exponent >>= 1;
            if exponent > 0 {
                base = &base * &base;
            }
        }
        result
    }

    /// Two to the power `exponent`.
    pub fn power_of_two(exponent: u32) -> Integer {
        if exponent < 127 {
            Integer::new(1 << exponent)
        } else {
            Integer::from_big(BigInt::from(1) << exponent)
        }
    }

    /// The exponent, if this is a power of two.
    pub fn exponent_of_two(&self) -> Option<u32> {
        if !self.is_positive() {
            return None;
        }
        match &self.0 {
            Small(small) => (small.count_ones() == 1).then(|| small.trailing_zeros()),
            Big(big) => {
                let zeros = big.trailing_zeros()?;
                let exponent = u32::try_from(zeros).ok()?;
                (Integer::power_of_two(exponent) == *self).then_some(exponent)
            }
        }
    }

    /// Bitwise `and` in two's complement of infinite width.
    pub fn bit_and(&self, other: &Integer) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer(Small(a & b)),
            _ => Integer::from_big(self.big() & other.big()),
        }
    }

    /// Bitwise `or` in two's complement of infinite width.
    pub fn bit_or(&self, other: &Integer) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer(Small(a | b)),
            _ => Integer::from_big(self.big() | other.big()),
        }
    }

    /// Bitwise exclusive `or` in two's complement of infinite width.
    pub fn bit_xor(&self, other: &Integer) -> Integer {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Integer(Small(a ^ b)),
            _ => Integer::from_big(self.big() ^ other.big()),
        }
    }

    /// How many bits the absolute value has; 0 for 0.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small(small) => u64::from(128 - small.unsigned_abs().leading_zeros()),
            Big(big) => big.bits(),
        }
    }

    /// A number that depends only on the value, for structural hashes.
    pub(crate) fn hash_bits(&self) -> u64 {
        match &self.0 {
            Small(small) => (*small as u64) ^ ((*small >> 64) as u64).rotate_left(32),
            Big(big) => big.iter_u64_digits().fold(self.signum() as u64, |hash, digit| {
                (hash.rotate_left(7) ^ digit).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            }),
        }
    }
}

impl Default for Integer {
    fn default() -> Integer {
        Integer::ZERO
    }
}

macro_rules! from_primitive {
    ($($type:ty)*) => { $(impl From<$type> for Integer {
        fn from(value: $type) -> Integer { Integer(Small(i128::from(value))) }
    })* };
}
from_primitive!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

impl From<usize> for Integer {
    fn from(value: usize) -> Integer {
        Integer(Small(value as i128))
    }
}

impl From<u128> for Integer {
    fn from(value: u128) -> Integer {
        Integer::from_big(BigInt::from(value))
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $checked:path, $op:tt) => {
        impl std::ops::$trait<&Integer> for &Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: &Integer) -> Integer {
                if let (Small(a), Small(b)) = (&self.0, &other.0)
                    && let Some(value) = $checked(*a, *b)
                {
                    return Integer(Small(value));
                }
                Integer::from_big(self.big() $op other.big())
            }
        }
        impl std::ops::$trait<Integer> for Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: Integer) -> Integer { std::ops::$trait::$method(&self, &other) }
        }
        impl std::ops::$trait<&Integer> for Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: &Integer) -> Integer { std::ops::$trait::$method(&self, other) }
        }
        impl std::ops::$trait<Integer> for &Integer {
            type Output = Integer;
            #[inline]
            fn $method(self, other: Integer) -> Integer { std::ops::$trait::$method(self, &other) }
        }
    };
}
binary!(Add, add, i128::checked_add, +);
binary!(Sub, sub, i128::checked_sub, -);
binary!(Mul, mul, product, *);

/// The quotient rounded towards 0, if there is one that fits: that of two that fit in 64 bits is quick to compute.
#[inline]
fn quotient(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(short), Ok(divisor)) => match short.checked_div(divisor) {
            Some(quotient) => Some(i128::from(quotient)),
            None => a.checked_div(b),
        },
        _ => a.checked_div(b),
    }
}

/// The product of two, if it fits: that of two that fit in 64 bits always does, and is quick to compute.
#[inline]
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

impl std::ops::Neg for &Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        if let Small(a) = &self.0
            && let Some(value) = a.checked_neg()
        {
            return Integer(Small(value));
        }
        Integer::from_big(-self.big())
    }
}

impl std::ops::Neg for Integer {
    type Output = Integer;
    fn neg(self) -> Integer {
        -&self
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Integer) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Integer) -> Ordering {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => (self.big() - other.big()).cmp(&BigInt::zero()),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(small) => fmt::Display::fmt(small, f),
            Big(big) => fmt::Display::fmt(big, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edge() -> impl Strategy<Value = i128> {
        prop_oneof![
            any::<i128>(),
            (-20i128..20),
            Just(i128::MIN),
            Just(i128::MAX),
            Just(i128::from(i64::MIN)),
            Just(i128::from(i64::MAX)),
            any::<i64>().prop_map(i128::from),
            Just(i128::from(u64::MAX))
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_big_integers(a in edge(), b in edge()) {
            let (x, y) = (Integer::new(a), Integer::new(b));
            let (bx, by) = (BigInt::from(a), BigInt::from(b));
            prop_assert_eq!((&x + &y).big(), &bx + &by);
            prop_assert_eq!((&x - &y).big(), &bx - &by);
            prop_assert_eq!((&x * &y).big(), &bx * &by);
            prop_assert_eq!((-&x).big(), -&bx);
            prop_assert_eq!(x.cmp(&y), bx.cmp(&by));
            prop_assert_eq!(x.gcd(&y).big(), bx.gcd(&by));
            prop_assert_eq!(&(&x * &y) - &(&x * &y), Integer::ZERO);
            if b != 0 {
                prop_assert_eq!(x.floor_div(&y).unwrap().big(), bx.div_floor(&by));
                prop_assert_eq!(x.floor_mod(&y).unwrap().big(), bx.mod_floor(&by));
                prop_assert_eq!(x.trunc_div(&y).unwrap().big(), &bx / &by);
                prop_assert_eq!(x.trunc_rem(&y).unwrap().big(), &bx % &by);
            } else {
                prop_assert!(x.floor_div(&y).is_none() && x.trunc_rem(&y).is_none());
            }
        }
    }

    #[test]
    fn comes_back_inline_after_being_big() {
        let large = Integer::power_of_two(200);
        assert_eq!(large.exponent_of_two(), Some(200));
        assert_eq!(&large - &(&large - &Integer::new(7)), Integer::new(7));
        assert_eq!((&large - &(&large - &Integer::new(7))).to_i128(), Some(7));
        assert_eq!(Integer::new(-7).pow(3), Integer::new(-343));
    }
}
