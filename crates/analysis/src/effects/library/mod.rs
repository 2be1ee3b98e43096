//! The effects of the C library's functions, by name.
//!
//! The tables are by header: values ([`math`]), memory ([`memory`]), files, time and randomness ([`stdio`]), the run time of
//! directives ([`omp`]); what allocates, releases and ends the program is here.

mod math;
mod memory;
mod omp;
mod stdio;

pub use omp::lock_verb;

use super::bytes::{Bytes, Count};
use super::{Effect, Touch, format};
use crate::access::AccessKind;

/// What a function does to what its arguments point to.
#[derive(Clone, Copy)]
struct Known {
    /// What is known by its bytes.
    bytes: &'static [Bytes],
    /// What it reads through these arguments, beside that.
    reads: &'static [usize],
    /// What it writes through these arguments, beside that.
    writes: &'static [usize],
    /// It returns this argument.
    returns: Option<usize>,
}

impl Known {
    /// These bytes, and nothing else.
    const fn bytes(bytes: &'static [Bytes]) -> Known {
        Known {
            bytes,
            reads: &[],
            writes: &[],
            returns: None,
        }
    }

    const fn returning(self, argument: usize) -> Known {
        Known {
            returns: Some(argument),
            ..self
        }
    }

    const fn also(self, reads: &'static [usize], writes: &'static [usize]) -> Known {
        Known {
            reads,
            writes,
            ..self
        }
    }

    /// A text becomes a number; the end of what was read is stored where the second argument points to, if that is not null.
    const fn number() -> Known {
        const END: &[Bytes] = &[Bytes::written(1, Count::Value).perhaps()];
        Known::bytes(END).also(&[0], &[])
    }

    fn effect(&self) -> Effect {
        let touch = |kind: AccessKind, others: &[usize]| Touch {
            arguments: self
                .bytes
                .iter()
                .filter(|bytes| bytes.kind == kind)
                .map(|bytes| bytes.argument)
                .chain(others.iter().copied())
                .collect(),
            ..Touch::default()
        };
        let rest = |others: &[usize]| Touch {
            arguments: others.iter().copied().collect(),
            ..Touch::default()
        };
        Effect {
            reads: touch(AccessKind::Read, self.reads),
            writes: touch(AccessKind::Write, self.writes),
            bytes: self.bytes.to_vec(),
            beside_bytes: (rest(self.reads), rest(self.writes)),
            returns: self.returns,
            ..Effect::default()
        }
    }
}

/// The effect of a library function; `None` if the name is not known.
pub fn effect(name: &str) -> Option<Effect> {
    if let Some(effect) = omp::on_a_lock(name) {
        return Some(effect);
    }
    if math::is_mathematics(name) {
        return Some(Effect {
            on_device: true,
            ..Effect::default()
        });
    }
    if math::is_pure(name) {
        let measured = math::PURE.contains(&name);
        return Some(Effect {
            on_device: measured
                && (name.starts_with("__builtin") || name.ends_with("abs") && name != "imaxabs"),
            ..Effect::default()
        });
    }
    if let Some(known) = memory::find(name).or_else(|| math::find(name)) {
        return Some(known.effect());
    }
    if let Some((writes, reads)) = memory::of_objects(name) {
        let touch = |arguments: &[usize]| Touch {
            arguments: arguments.iter().copied().collect(),
            ..Touch::default()
        };
        return Some(Effect {
            reads: touch(reads),
            writes: touch(writes),
            ..Effect::default()
        });
    }
    with_effects_on_the_world(name).or_else(|| of_storage(name))
}

fn with_effects_on_the_world(name: &str) -> Option<Effect> {
    let all = Touch {
        all_arguments: true,
        ..Touch::default()
    };
    if let Some((known, why)) = stdio::of_files(name) {
        return Some(Effect {
            external: Some(why.to_owned()),
            ..known.effect()
        });
    }
    if let Some(why) = stdio::why_external(name) {
        let formatted = format::takes_one(name);
        return Some(Effect {
            writes: if formatted { all.clone() } else { Touch::default() },
            reads: all,
            external: Some(why.to_owned()),
            formatted,
            ..Effect::default()
        });
    }
    if let Some(why) = omp::why_external(name) {
        return Some(Effect {
            reads: all,
            external: Some(why),
            ..Effect::default()
        });
    }
    if let Some(why) = stdio::why_stateful(name) {
        return Some(Effect {
            reads: all.clone(),
            writes: all,
            external: Some(why.to_owned()),
            formatted: format::takes_one(name),
            ..Effect::default()
        });
    }
    let why = stdio::why_keeping(name)?;
    let anything = Touch {
        anything: true,
        ..Touch::default()
    };
    Some(Effect {
        reads: anything.clone(),
        writes: anything,
        external: Some(why.to_owned()),
        ..Effect::default()
    })
}

/// A pointer may be stored where the first argument points to.
const POINTER: Known = Known::bytes(&[Bytes::written(0, Count::Value).perhaps()]);

/// What allocates and releases storage, and what ends the program.
fn of_storage(name: &str) -> Option<Effect> {
    let through = |argument: usize| Touch {
        arguments: [argument].into(),
        ..Touch::default()
    };
    let allocates = Effect {
        external: Some(format!("{name} allocates storage")),
        allocates: true,
        ..Effect::default()
    };
    Some(match name {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" => allocates,
        "strdup" | "strndup" => Effect {
            reads: through(0),
            ..allocates
        },
        // The old storage is released where this does not fail, which is not certain.
        "realloc" | "reallocarray" => Effect {
            reads: through(0),
            writes: through(0),
            moves: true,
            ..allocates
        },
        // Where it finds room it stores a pointer.
        "posix_memalign" => Effect {
            external: Some(format!("{name} allocates storage")),
            ..POINTER.effect()
        },
        "free" => Effect {
            writes: through(0),
            external: Some("free releases storage".to_owned()),
            releases: true,
            ..Effect::default()
        },
        "exit"
        | "abort"
        | "_Exit"
        | "_exit"
        | "quick_exit"
        | "__assert_fail"
        | "__assert"
        | "__assert_perror_fail" => Effect {
            external: Some(format!("{name} ends the program")),
            may_not_return: true,
            ..Effect::default()
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_what_they_do() {
        let known = |name: &str| effect(name).unwrap_or_default();
        assert_eq!(known("memcpy").bytes.len(), 2);
        assert_eq!(known("memcpy").returns, Some(0));
        assert!(known("memcmp").bytes.iter().all(|bytes| !bytes.certain));
        // Both spellings of a suffix.
        for name in [
            "frexp",
            "frexpf",
            "modfl",
            "remquof",
            "sincosf",
            "lgamma_r",
            "lgammaf_r",
        ] {
            assert!(!known(name).bytes.is_empty(), "{name}");
            assert!(known(name).reads.is_empty() && !known(name).on_device, "{name}");
        }
        for name in [
            "scalbn",
            "ilogbf",
            "__builtin_isnan",
            "__builtin_isfinite",
            "__signbit",
            "__finitef",
            "isxdigit",
        ] {
            assert!(effect(name).is_some_and(|effect| effect.is_pure()), "{name}");
        }
        // A failed `realloc` has released nothing.
        assert!(known("realloc").allocates && !known("realloc").releases);
        assert!(known("strtok").writes.anything);
        assert!(known("fread").external.is_some() && !known("fread").bytes.is_empty());
        for name in ["scalb_n", "frexp_r", "lgamma_rr", "memcpyf", "isnano"] {
            assert_eq!(effect(name), None, "{name}");
        }
    }
}
