//! How many bits, and where? The builtins of compilers that count them, of `int`, `long` and `long long`.

use super::{LibraryFunction, arg};

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    // Without `__builtin_`, which the caller takes off. Arguments of 32 bits come extended by their sign.
    Some(match name {
        "popcount" => |_, a| Ok(u64::from((arg(a, 0) as u32).count_ones())),
        "popcountl" | "popcountll" => |_, a| Ok(u64::from(arg(a, 0).count_ones())),
        "parity" => |_, a| Ok(u64::from((arg(a, 0) as u32).count_ones() % 2)),
        "parityl" | "parityll" => |_, a| Ok(u64::from(arg(a, 0).count_ones() % 2)),
        "ffs" => |_, a| Ok(first(u64::from(arg(a, 0) as u32))),
        "ffsl" | "ffsll" => |_, a| Ok(first(arg(a, 0))),
        "clz" => |_, a| match arg(a, 0) as u32 {
            0 => Err("__builtin_clz of 0".into()),
            value => Ok(u64::from(value.leading_zeros())),
        },
        "clzl" | "clzll" => |_, a| match arg(a, 0) {
            0 => Err("__builtin_clzl of 0".into()),
            value => Ok(u64::from(value.leading_zeros())),
        },
        "ctz" => |_, a| match arg(a, 0) as u32 {
            0 => Err("__builtin_ctz of 0".into()),
            value => Ok(u64::from(value.trailing_zeros())),
        },
        "ctzl" | "ctzll" => |_, a| match arg(a, 0) {
            0 => Err("__builtin_ctzl of 0".into()),
            value => Ok(u64::from(value.trailing_zeros())),
        },
        _ => return None,
    })
}

/// The number of the lowest bit that is set, from 1; 0 if none is.
fn first(value: u64) -> u64 {
    match value {
        0 => 0,
        _ => u64::from(value.trailing_zeros()) + 1,
    }
}
