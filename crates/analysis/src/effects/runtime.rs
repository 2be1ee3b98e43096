//! What do functions of the run time do to the data of a device (OpenMP 5.0 §3.6, OpenACC 2.7 §3.2)?
//!
//! In a program that is followed from its beginning on they are directives spelled as calls: on the sequential program a mapping does nothing, and a copy between memories is `memcpy`.
//!
//! What it cannot do: say which bytes of a rectangle are copied, and to which data an address on the device belongs that a function finds out; `acc_attach` and its like
//! may do anything.

use super::{Effect, Touch};

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// `enter data` of (pointer, bytes).
    Enter {
        /// With the values of the host.
        copies: bool,
    },
    /// `exit data` of (pointer, bytes).
    Exit {
        /// The values come to the host.
        copies: bool,
        /// However often it was mapped.
        finalize: bool,
    },
    /// `update` of (pointer, bytes).
    Update {
        /// Otherwise to the host.
        to_device: bool,
    },
    /// Gives memory of a device: (bytes), in OpenMP with its number.
    Allocate,
    /// Releases it.
    Free,
    /// (to, from, bytes, offset in to, offset in from, device of to, device of from)
    Copy,
    /// (to, from, bytes)
    CopyToDevice,
    /// (to, from, bytes)
    CopyFromDevice,
    /// Between two memories of the device: (to, from, bytes)
    CopyOnDevice,
    /// A part of an array of several dimensions: (to, from, bytes of an element, dimensions, volume, offsets in to, offsets in from, dimensions of to, dimensions of
    /// from, device of to, device of from)
    CopyRectangle,
    /// Says that memory of the device is the copy of data of the host: (data, memory, bytes), in OpenMP with an offset in the memory and the device.
    Associate,
    /// Ends that: (data).
    Disassociate,
    /// Gives the address that data have in the other memory: (pointer).
    Address,
    /// Something else that puts data on the device or moves them.
    NotFollowed,
}

/// What a function of the run time does to data of a device; `None` for all others.
pub fn verb(name: &str) -> Option<Verb> {
    if let Some(name) = name.strip_prefix("omp_target_") {
        return match name {
            "alloc" => Some(Verb::Allocate),
            "free" => Some(Verb::Free),
            // What is done later is followed as if it were waited for in time.
            "memcpy" | "memcpy_async" => Some(Verb::Copy),
            "memcpy_rect" | "memcpy_rect_async" => Some(Verb::CopyRectangle),
            _ if name.starts_with("memcpy_") => Some(Verb::NotFollowed),
            "associate_ptr" => Some(Verb::Associate),
            "disassociate_ptr" => Some(Verb::Disassociate),
            _ => None,
        };
    }
    if name == "omp_get_mapped_ptr" {
        return Some(Verb::Address);
    }
    let name = name.strip_prefix("acc_")?;
    let name = name.strip_suffix("_async").unwrap_or(name);
    let (name, finalize) = match name.strip_suffix("_finalize") {
        Some(name) => (name, true),
        None => (name, false),
    };
    Some(match name {
        "copyin" | "pcopyin" | "present_or_copyin" => Verb::Enter { copies: true },
        "create" | "pcreate" | "present_or_create" => Verb::Enter { copies: false },
        "copyout" => Verb::Exit {
            copies: true,
            finalize,
        },
        "delete" => Verb::Exit {
            copies: false,
            finalize,
        },
        "update_device" => Verb::Update { to_device: true },
        "update_self" | "update_host" => Verb::Update { to_device: false },
        "malloc" => Verb::Allocate,
        "free" => Verb::Free,
        "memcpy_to_device" => Verb::CopyToDevice,
        "memcpy_from_device" => Verb::CopyFromDevice,
        "memcpy_device" => Verb::CopyOnDevice,
        "map_data" => Verb::Associate,
        "unmap_data" => Verb::Disassociate,
        "deviceptr" | "hostptr" => Verb::Address,
        "attach" | "detach" => Verb::NotFollowed,
        _ => return None,
    })
}

/// What such a call does to the memory of the sequential program.
pub fn effect(name: &str) -> Option<Effect> {
    let verb = verb(name)?;
    let does_more = Effect {
        external: Some(format!("{name} works on the data of a device")),
        ..Effect::default()
    };
    let argument = |number: usize| Touch {
        arguments: [number].into(),
        ..Touch::default()
    };
    Some(match verb {
        Verb::NotFollowed => return None,
        Verb::Enter { .. }
        | Verb::Exit { .. }
        | Verb::Update { .. }
        | Verb::Free
        | Verb::Associate
        | Verb::Disassociate
        | Verb::Address => does_more,
        Verb::Allocate => Effect {
            allocates: true,
            ..does_more
        },
        Verb::Copy | Verb::CopyToDevice | Verb::CopyFromDevice | Verb::CopyOnDevice => Effect {
            writes: argument(0),
            reads: argument(1),
            ..does_more
        },
        // What is copied, and where it lies.
        Verb::CopyRectangle => Effect {
            writes: argument(0),
            reads: Touch {
                arguments: [1, 4, 5, 6, 7, 8].into(),
                ..Touch::default()
            },
            ..does_more
        },
    })
}

#[cfg(test)]
mod tests {
    use super::{Verb, effect, verb};

    #[test]
    fn variants_of_one_function_do_the_same() {
        for name in [
            "acc_copyin",
            "acc_pcopyin",
            "acc_present_or_copyin",
            "acc_copyin_async",
        ] {
            assert_eq!(verb(name), Some(Verb::Enter { copies: true }), "{name}");
        }
        let taken_off = |copies, finalize| Some(Verb::Exit { copies, finalize });
        assert_eq!(verb("acc_copyout_finalize_async"), taken_off(true, true));
        assert_eq!(verb("acc_delete"), taken_off(false, false));
        assert_eq!(
            verb("acc_update_self_async"),
            Some(Verb::Update { to_device: false })
        );
    }

    #[test]
    fn what_is_not_followed_may_do_anything() {
        for name in ["omp_target_memcpy_other", "acc_attach", "acc_detach_finalize"] {
            assert_eq!(verb(name), Some(Verb::NotFollowed), "{name}");
            assert_eq!(effect(name), None, "{name}");
        }
        assert_eq!(verb("omp_target_memcpy_rect_async"), Some(Verb::CopyRectangle));
        assert_eq!(verb("acc_map_data"), verb("omp_target_associate_ptr"));
        assert_eq!(verb("omp_target_is_present"), None);
        assert_eq!(verb("acc_copyin_all"), None);
    }
}
