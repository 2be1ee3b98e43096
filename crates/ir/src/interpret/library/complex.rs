//! What do the functions of `complex.h` give? Their definitions in `f64`, of finite arguments: the special values of
//! C11 annex G are not kept. `creal`, `cimag` and `conj` are no calls in the program; the inverse and hyperbolic
//! functions and `cpow` are not known: a program that calls them is not run to its end.

use super::{Host, LibraryFunction, double};
use crate::interpret::machine::Stop;

/// The real part as the result, the imaginary part where the machine fetches it.
fn parts(host: &mut dyn Host, real: f64, imaginary: f64) -> Result<u64, Stop> {
    host.state().imaginary = imaginary.to_bits();
    Ok(real.to_bits())
}

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    let single = name.strip_suffix('f');
    let stem = single.or_else(|| name.strip_suffix('l')).unwrap_or(name);
    Some(match (stem, single.is_some()) {
        ("cabs", false) => |_, a| Ok(double(a, 0).hypot(double(a, 1)).to_bits()),
        ("carg", false) => |_, a| Ok(double(a, 1).atan2(double(a, 0)).to_bits()),
        ("cabs", true) => |_, a| Ok(u64::from((double(a, 0).hypot(double(a, 1)) as f32).to_bits())),
        ("carg", true) => |_, a| Ok(u64::from((double(a, 1).atan2(double(a, 0)) as f32).to_bits())),
        ("cexp", _) => |host, a| {
            let (length, angle) = (double(a, 0).exp(), double(a, 1));
            parts(host, length * angle.cos(), length * angle.sin())
        },
        ("clog", _) => |host, a| {
            let (x, y) = (double(a, 0), double(a, 1));
            parts(host, x.hypot(y).ln(), y.atan2(x))
        },
        ("csqrt", _) => |host, a| {
            let (x, y) = (double(a, 0), double(a, 1));
            let length = x.hypot(y);
            let imaginary = ((length - x) / 2.0).sqrt().copysign(y);
            parts(host, ((length + x) / 2.0).sqrt(), imaginary)
        },
        _ => return None,
    })
}
