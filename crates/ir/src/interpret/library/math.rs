//! What do the functions of `math.h` give? The system's `libm` through Rust's standard library, in `f64` or `f32`.
//!
//! Functions that the standard library lacks or computes in its own way (`asinhf` and the like,
//! `tgamma`, `lgamma`, `erf`, Bessel functions, `exp10`) are not known: a program that calls them is not run to its end.

use super::{LibraryFunction, arg, double, write};

/// `f(x)` for `double`.
macro_rules! unary64 {
    ($function:expr) => {
        |_, a| {
            let function: fn(f64) -> f64 = $function;
            Ok(function(double(a, 0)).to_bits())
        }
    };
}

/// `f(x)` for `float`.
macro_rules! unary32 {
    ($function:expr) => {
        |_, a| {
            let function: fn(f32) -> f32 = $function;
            Ok(u64::from(function(single(a, 0)).to_bits()))
        }
    };
}

macro_rules! binary64 {
    ($function:expr) => {
        |_, a| {
            let function: fn(f64, f64) -> f64 = $function;
            Ok(function(double(a, 0), double(a, 1)).to_bits())
        }
    };
}

macro_rules! binary32 {
    ($function:expr) => {
        |_, a| {
            let function: fn(f32, f32) -> f32 = $function;
            Ok(u64::from(function(single(a, 0), single(a, 1)).to_bits()))
        }
    };
}

fn single(arguments: &[u64], index: usize) -> f32 {
    f32::from_bits(arg(arguments, index) as u32)
}

/// `long double` functions have the `double` ones' meaning here.
pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    find_double(name).or_else(|| find_single(name)).or_else(|| {
        let base = name.strip_suffix('l')?;
        if matches!(base, "ce" | "f" | "fre" | "mo") {
            None
        } else {
            find_double(base)
        }
    })
}

fn find_double(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "sin" => unary64!(f64::sin),
        "cos" => unary64!(f64::cos),
        "tan" => unary64!(f64::tan),
        "asin" => unary64!(f64::asin),
        "acos" => unary64!(f64::acos),
        "atan" => unary64!(f64::atan),
        "sinh" => unary64!(f64::sinh),
        "cosh" => unary64!(f64::cosh),
        "tanh" => unary64!(f64::tanh),
        "asinh" => unary64!(asinh),
        "acosh" => unary64!(acosh),
        "atanh" => unary64!(atanh),
        "exp" => unary64!(f64::exp),
        "exp2" => unary64!(f64::exp2),
        "expm1" => unary64!(f64::exp_m1),
        "log" => unary64!(f64::ln),
        "log2" => unary64!(f64::log2),
        "log10" => unary64!(f64::log10),
        "log1p" => unary64!(f64::ln_1p),
        "sqrt" => unary64!(f64::sqrt),
        "cbrt" => unary64!(cbrt),
        "fabs" => unary64!(f64::abs),
        "floor" => unary64!(f64::floor),
        "ceil" => unary64!(f64::ceil),
        "trunc" => unary64!(f64::trunc),
        "round" => unary64!(f64::round),
        "rint" | "nearbyint" | "roundeven" => unary64!(f64::round_ties_even),
        "logb" => unary64!(|x| match x {
            0.0 => f64::NEG_INFINITY,
            x if x.is_finite() => f64::from(exponent(x)),
            x => x.abs(),
        }),
        "pow" => binary64!(f64::powf),
        "fmod" => binary64!(|x, y| x % y),
        "atan2" => binary64!(f64::atan2),
        "hypot" => binary64!(f64::hypot),
        "fmin" => binary64!(f64::min),
        "fmax" => binary64!(f64::max),
        "fdim" => binary64!(|x, y| if x > y {
            x - y
        } else if x <= y {
            0.0
        } else {
            f64::NAN
        }),
        "copysign" => binary64!(f64::copysign),
        "remainder" | "drem" => binary64!(remainder),
        "nextafter" | "nexttoward" => binary64!(next_after),
        "fma" => |_, a| Ok(double(a, 0).mul_add(double(a, 1), double(a, 2)).to_bits()),
        "ldexp" | "scalbn" | "scalbln" => {
            |_, a| Ok(scale(double(a, 0), (arg(a, 1) as i64).clamp(-9999, 9999) as i32).to_bits())
        }
        "lround" | "llround" => |_, a| whole(double(a, 0).round()),
        "lrint" | "llrint" => |_, a| whole(double(a, 0).round_ties_even()),
        "ilogb" => |_, a| match double(a, 0) {
            0.0 => Ok(i64::from(i32::MIN) as u64),
            x if x.is_finite() => Ok(i64::from(exponent(x)) as u64),
            x => Ok(i64::from(if x.is_nan() { i32::MIN } else { i32::MAX }) as u64),
        },
        "frexp" => |host, a| {
            let x = double(a, 0);
            let (fraction, power) = if x == 0.0 || !x.is_finite() {
                (x, 0)
            } else {
                let power = exponent(x) + 1;
                (scale(x, -power), power)
            };
            write(host, arg(a, 1), &power.to_le_bytes())?;
            Ok(fraction.to_bits())
        },
        "modf" => |host, a| {
            let x = double(a, 0);
            write(host, arg(a, 1), &x.trunc().to_le_bytes())?;
            let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
            Ok(fraction.copysign(x).to_bits())
        },
        "sincos" => |host, a| {
            write(host, arg(a, 1), &double(a, 0).sin().to_le_bytes())?;
            write(host, arg(a, 2), &double(a, 0).cos().to_le_bytes())?;
            Ok(0)
        },
        "isnan" | "__isnan" => |_, a| Ok(u64::from(double(a, 0).is_nan())),
        "isinf" | "__isinf" => |_, a| {
            let x = double(a, 0);
            Ok(if x.is_infinite() {
                if x > 0.0 { 1 } else { u64::MAX }
            } else {
                0
            })
        },
        "isinf_sign" => |_, a| {
            let x = double(a, 0);
            Ok(if x.is_infinite() {
                if x > 0.0 { 1 } else { u64::MAX }
            } else {
                0
            })
        },
        "finite" | "__finite" | "isfinite" => |_, a| Ok(u64::from(double(a, 0).is_finite())),
        "isnormal" => |_, a| Ok(u64::from(double(a, 0).is_normal())),
        "signbit" | "__signbit" => |_, a| Ok(u64::from(double(a, 0).is_sign_negative())),
        "__fpclassify" => |_, a| Ok(classify(double(a, 0).classify())),
        "isgreater" => |_, a| Ok(u64::from(double(a, 0) > double(a, 1))),
        "isgreaterequal" => |_, a| Ok(u64::from(double(a, 0) >= double(a, 1))),
        "isless" => |_, a| Ok(u64::from(double(a, 0) < double(a, 1))),
        "islessequal" => |_, a| Ok(u64::from(double(a, 0) <= double(a, 1))),
        "isunordered" => |_, a| Ok(u64::from(double(a, 0).is_nan() || double(a, 1).is_nan())),
        "inf" | "huge_val" => |_, _| Ok(f64::INFINITY.to_bits()),
        "nan" => |_, _| Ok(f64::NAN.to_bits()),
        _ => return None,
    })
}

fn find_single(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "sinf" => unary32!(f32::sin),
        "cosf" => unary32!(f32::cos),
        "tanf" => unary32!(f32::tan),
        "asinf" => unary32!(f32::asin),
        "acosf" => unary32!(f32::acos),
        "atanf" => unary32!(f32::atan),
        "sinhf" => unary32!(f32::sinh),
        "coshf" => unary32!(f32::cosh),
        "tanhf" => unary32!(f32::tanh),
        "expf" => unary32!(f32::exp),
        "exp2f" => unary32!(f32::exp2),
        "expm1f" => unary32!(f32::exp_m1),
        "logf" => unary32!(f32::ln),
        "log2f" => unary32!(f32::log2),
        "log10f" => unary32!(f32::log10),
        "log1pf" => unary32!(f32::ln_1p),
        "sqrtf" => unary32!(f32::sqrt),
        "cbrtf" => unary32!(cbrt_single),
        "fabsf" => unary32!(f32::abs),
        "floorf" => unary32!(f32::floor),
        "ceilf" => unary32!(f32::ceil),
        "truncf" => unary32!(f32::trunc),
        "roundf" => unary32!(f32::round),
        "rintf" | "nearbyintf" | "roundevenf" => unary32!(f32::round_ties_even),
        "powf" => binary32!(f32::powf),
        "fmodf" => binary32!(|x, y| x % y),
        "atan2f" => binary32!(f32::atan2),
        "hypotf" => binary32!(f32::hypot),
        "fminf" => binary32!(f32::min),
        "fmaxf" => binary32!(f32::max),
        "fdimf" => binary32!(|x, y| if x > y {
            x - y
        } else if x <= y {
            0.0
        } else {
            f32::NAN
        }),
        "copysignf" => binary32!(f32::copysign),
        "fmaf" => |_, a| {
            Ok(u64::from(
                single(a, 0).mul_add(single(a, 1), single(a, 2)).to_bits(),
            ))
        },
        "ldexpf" | "scalbnf" => |_, a| {
            let power = (arg(a, 1) as i64).clamp(-9999, 9999) as i32;
            Ok(u64::from(
                (scale(f64::from(single(a, 0)), power) as f32).to_bits(),
            ))
        },
        "lroundf" | "llroundf" => |_, a| whole(f64::from(single(a, 0)).round()),
        "lrintf" | "llrintf" => |_, a| whole(f64::from(single(a, 0)).round_ties_even()),
        "sincosf" => |host, a| {
            write(host, arg(a, 1), &single(a, 0).sin().to_le_bytes())?;
            write(host, arg(a, 2), &single(a, 0).cos().to_le_bytes())?;
            Ok(0)
        },
        "isnanf" | "__isnanf" => |_, a| Ok(u64::from(single(a, 0).is_nan())),
        "isinff" | "__isinff" => |_, a| {
            let x = single(a, 0);
            Ok(if x.is_infinite() {
                if x > 0.0 { 1 } else { u64::MAX }
            } else {
                0
            })
        },
        "finitef" | "__finitef" => |_, a| Ok(u64::from(single(a, 0).is_finite())),
        "signbitf" | "__signbitf" => |_, a| Ok(u64::from(single(a, 0).is_sign_negative())),
        "__fpclassifyf" => |_, a| Ok(classify(single(a, 0).classify())),
        "inff" | "huge_valf" => |_, _| Ok(u64::from(f32::INFINITY.to_bits())),
        "nanf" => |_, _| Ok(u64::from(f32::NAN.to_bits())),
        _ => return None,
    })
}

fn whole(value: f64) -> Result<u64, super::Stop> {
    if value >= -(2f64.powi(63)) && value < 2f64.powi(63) {
        Ok(value as i64 as u64)
    } else {
        Err(format!("{value:?} does not fit the integer type that it is rounded to").into())
    }
}

fn classify(class: std::num::FpCategory) -> u64 {
    match class {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

/// `e` with `1 <= |x| / 2^e < 2`; `x` is finite and not 0.
fn exponent(x: f64) -> i32 {
    let biased = (x.to_bits() >> 52 & 0x7ff) as i32;
    if biased == 0 {
        let fraction = x.to_bits() & ((1 << 52) - 1);
        -1011 - fraction.leading_zeros() as i32
    } else {
        biased - 1023
    }
}

/// `x * 2^power`, rounded once.
pub(super) fn scale(x: f64, power: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let target = i64::from(exponent(x)) + i64::from(power);
    if target > 1023 {
        return f64::INFINITY.copysign(x);
    }
    if target < -1080 {
        return 0f64.copysign(x);
    }
    // Exact while the result is normal; the last step rounds where it is not.
    let normal = x * 2f64.powi(if exponent(x) < -1022 { 60 } else { 0 });
    let mut left = power - if exponent(x) < -1022 { 60 } else { 0 };
    let mut value = normal;
    while left > 1000 {
        value *= 2f64.powi(1000);
        left -= 1000;
    }
    if left < -1022 {
        let first = -1022 - exponent(value).min(0);
        let first = first.clamp(left, 0);
        value *= power_of_two(first);
        left -= first;
    }
    value * power_of_two(left)
}

/// `2^power`, subnormal ones too.
fn power_of_two(power: i32) -> f64 {
    match power {
        1024.. => f64::INFINITY,
        -1022..=1023 => f64::from_bits(((power + 1023) as u64) << 52),
        -1074..=-1023 => f64::from_bits(1 << (power + 1074)),
        _ => 0.0,
    }
}

/// As glibc computes it.
fn asinh(x: f64) -> f64 {
    let a = x.abs();
    if a < 2f64.powi(-28) || !x.is_finite() {
        return x;
    }
    let value = if a >= 2f64.powi(28) {
        a.ln() + std::f64::consts::LN_2
    } else if a > 2.0 {
        (2.0 * a + 1.0 / ((a * a + 1.0).sqrt() + a)).ln()
    } else {
        let square = a * a;
        (a + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    value.copysign(x)
}

/// As glibc computes it.
fn acosh(x: f64) -> f64 {
    if x.is_nan() || x < 1.0 {
        f64::NAN
    } else if x >= 2f64.powi(28) {
        x.ln() + std::f64::consts::LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let above = x - 1.0;
        (above + (2.0 * above + above * above).sqrt()).ln_1p()
    }
}

/// As glibc computes it.
fn atanh(x: f64) -> f64 {
    let a = x.abs();
    let value = if a < 0.5 {
        if a < 2f64.powi(-28) {
            return x;
        }
        let twice = a + a;
        0.5 * (twice + twice * a / (1.0 - a)).ln_1p()
    } else if a < 1.0 {
        0.5 * ((a + a) / (1.0 - a)).ln_1p()
    } else if a == 1.0 {
        f64::INFINITY
    } else {
        return f64::NAN;
    };
    value.copysign(x)
}

/// `frexp` of a finite number that is not 0.
fn split(x: f64) -> (f64, i32) {
    let power = exponent(x) + 1;
    (scale(x, -power), power)
}

const CBRT2: f64 = 1.259_921_049_894_873_2;
const SQUARED_CBRT2: f64 = 1.587_401_051_968_199_5;
const CBRT_FACTORS: [f64; 5] = [1.0 / SQUARED_CBRT2, 1.0 / CBRT2, 1.0, CBRT2, SQUARED_CBRT2];

/// As glibc before 2.41 computes it, which is not the nearest value.
fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x + x;
    }
    let (m, power) = split(x.abs());
    let polynomial = [
        0.354_895_765_043_919_86,
        1.508_191_937_815_849,
        2.114_994_941_673_713,
        2.446_931_225_635_344_4,
        1.834_692_774_836_130_8,
        0.784_932_344_976_639_2,
        0.145_263_899_385_486_38,
    ];
    let [c0, c1, c2, c3, c4, c5, c6] = polynomial;
    let u = c0 + ((c1 - ((c2 - ((c3 - ((c4 - (c5 - c6 * m) * m) * m)) * m)) * m)) * m);
    let cube = u * u * u;
    let y = u * (cube + 2.0 * m) / (2.0 * cube + m) * CBRT_FACTORS[(2 + power % 3) as usize];
    scale(y.copysign(x), power / 3)
}

/// As glibc before 2.41 computes it.
fn cbrt_single(x: f32) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return x + x;
    }
    let (m, power) = split(f64::from(x.abs()));
    let u = (0.492_659_620_528_969_55 + (0.697_570_460_207_922_8 - 0.191_502_161_678_719_07 * m) * m) as f32;
    let cube = u * u * u;
    let (u, cube) = (f64::from(u), f64::from(cube));
    let y = (u * (cube + 2.0 * m) / (2.0 * cube + m) * CBRT_FACTORS[(2 + power % 3) as usize]) as f32;
    scale(f64::from(y.copysign(x)), power / 3) as f32
}

/// IEEE remainder: the quotient is rounded to the nearest, ties to even.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // Modulo 2y is exact, and keeps the parity of the quotient.
    let mut rest = if y <= f64::MAX / 2.0 {
        x.abs() % (2.0 * y)
    } else {
        x.abs()
    };
    if y < 2f64.powi(-1021) {
        if rest + rest > y {
            rest -= y;
            if rest + rest >= y {
                rest -= y;
            }
        }
    } else {
        let half = y * 0.5;
        if rest > half {
            rest -= y;
            if rest >= half {
                rest -= y;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn next_after(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if x < y {
        x.next_up()
    } else {
        x.next_down()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scale(1.0, -1074), 5e-324);
        assert_eq!(scale(1.0, -1075), 0.0);
        assert_eq!(scale(1.5, -1074), 1e-323);
        assert_eq!(scale(5e-324, 1074), 1.0);
        assert_eq!(scale(1.0, 1024), f64::INFINITY);
        assert_eq!(scale(3.0, 10), 3072.0);
    }

    #[test]
    fn remainders_are_to_the_nearest() {
        assert_eq!(remainder(5.0, 3.0), -1.0);
        assert_eq!(remainder(7.5, 5.0), -2.5);
        assert_eq!(remainder(2.5, 5.0), 2.5);
        assert_eq!(remainder(-1.0, 4.0), -1.0);
    }
}
