//! Functions of a value: math.h, complex.h, and what the compiler computes itself.

use super::Known;
use crate::effects::bytes::{Bytes, Count};

/// Functions of math.h without the suffixes `f` and `l`: a value from values. (They may set `errno`, which no device
/// has and few programs read: not an effect here.)
pub(super) const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "nearbyint",
    "pow",
    "remainder",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "lround",
    "llround",
    "lrint",
    "llrint",
];

/// Functions of complex.h without the suffixes `f` and `l`. They may set `errno` too. No device library is sure to have them.
const COMPLEX: &[&str] = &[
    "cabs", "cacos", "cacosh", "carg", "casin", "casinh", "catan", "catanh", "ccos", "ccosh", "cexp",
    "cimag", "clog", "conj", "cpow", "cproj", "creal", "csin", "csinh", "csqrt", "ctan", "ctanh",
];

/// More of these, of which it was not measured whether compilers let a kernel call them.
const MORE: &[&str] = &[
    "scalbn",
    "scalbln",
    "logb",
    "ilogb",
    "nextafter",
    "nexttoward",
    "exp10",
    "pow10",
    "significand",
    "drem",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
];

/// Functions of math.h, without suffix, that also store a result where an argument points to.
const STORING: &[(&str, Known)] = &[
    ("frexp", Known::bytes(&[Bytes::written(1, Count::Value)])),
    ("modf", Known::bytes(&[Bytes::written(1, Count::Value)])),
    ("remquo", Known::bytes(&[Bytes::written(2, Count::Value)])),
    (
        "sincos",
        Known::bytes(&[Bytes::written(1, Count::Value), Bytes::written(2, Count::Value)]),
    ),
];

/// Functions of one value that no device library is sure to have, or integers'.
pub(super) const PURE: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "__builtin_expect",
    "__builtin_abs",
    "__builtin_popcount",
    "__builtin_popcountl",
    "__builtin_popcountll",
    "__builtin_clz",
    "__builtin_clzl",
    "__builtin_clzll",
    "__builtin_ctz",
    "__builtin_ctzl",
    "__builtin_ctzll",
    "__builtin_ffs",
    "__builtin_ffsl",
    "__builtin_ffsll",
    "__builtin_parity",
    "__builtin_parityl",
    "__builtin_parityll",
    "__builtin_fabs",
    "__builtin_sqrt",
    "__builtin_isnan",
    "__builtin_isinf",
    "__builtin_inff",
    "__builtin_inf",
    "__builtin_huge_val",
    "__builtin_nan",
    "__builtin_nanf",
    "isalpha",
    "isdigit",
    "isspace",
    "isupper",
    "islower",
    "isalnum",
    "isblank",
    "iscntrl",
    "isgraph",
    "isprint",
    "ispunct",
    "isxdigit",
    "isascii",
    "div",
    "ldiv",
    "lldiv",
    "imaxabs",
    "toupper",
    "tolower",
];

/// `lgamma_r`, which stores a sign.
const LGAMMA: Known = Known::bytes(&[Bytes::written(1, Count::Value)]);

/// What the macros of math.h ask of a value, whatever the compiler's or the library's function is called.
const CLASSES: &[&str] = &[
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "finite",
    "isnormal",
    "signbit",
    "fpclassify",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
];

/// True for functions of math.h that compilers let a kernel call.
pub fn is_mathematics(name: &str) -> bool {
    MATHEMATICS.contains(&name) || without_suffix(name).is_some_and(|stem| MATHEMATICS.contains(&stem))
}

/// True for other functions of a value.
pub fn is_pure(name: &str) -> bool {
    let stem = name.trim_start_matches('_');
    let class = stem.strip_prefix("builtin_").unwrap_or(stem);
    PURE.contains(&name)
        || MORE.contains(&name)
        || without_suffix(name).is_some_and(|stem| MORE.contains(&stem) || COMPLEX.contains(&stem))
        || COMPLEX.contains(&name)
        || CLASSES.contains(&class)
        || without_suffix(class).is_some_and(|class| CLASSES.contains(&class))
}

/// A function that stores a part of its result.
pub fn find(name: &str) -> Option<Known> {
    if let Some(stem) = name.strip_suffix("_r") {
        let is_lgamma = stem == "lgamma" || without_suffix(stem) == Some("lgamma");
        return is_lgamma.then_some(LGAMMA);
    }
    let of = |name: &str| STORING.iter().find(|(known, _)| *known == name);
    let (_, known) = of(name).or_else(|| of(without_suffix(name)?))?;
    Some(*known)
}

fn without_suffix(name: &str) -> Option<&str> {
    name.strip_suffix(['f', 'l'])
}
