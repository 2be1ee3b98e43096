//! Which objects does the program make and copy? `malloc` and its like, `memcpy` and its like.

use super::{Host, LibraryFunction, arg, read, write};
use crate::interpret::observer::AccessKind;

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "malloc" | "valloc" => |host, a| host.allocate(arg(a, 0), false),
        "aligned_alloc" | "memalign" | "_mm_malloc_aligned" => |host, a| host.allocate(arg(a, 1), false),
        "omp_alloc" | "_mm_malloc" | "omp_target_alloc" => |host, a| host.allocate(arg(a, 0), false),
        "calloc" => |host, a| {
            let size = arg(a, 0).checked_mul(arg(a, 1));
            size.map_or(Ok(0), |size| host.allocate(size, true))
        },
        "realloc" => realloc,
        "reallocarray" => |host, a| match arg(a, 1).checked_mul(arg(a, 2)) {
            Some(size) => realloc(host, &[arg(a, 0), size]),
            None => Ok(0),
        },
        "free" | "cfree" | "_mm_free" | "omp_free" | "omp_target_free" => |host, a| {
            if arg(a, 0) != 0 {
                host.release(arg(a, 0))?;
            }
            Ok(0)
        },
        "posix_memalign" => |host, a| match host.allocate(arg(a, 2), false)? {
            address @ 1.. => {
                write(host, arg(a, 0), &address.to_le_bytes())?;
                Ok(0)
            }
            0 => Ok(12),
        },
        "malloc_usable_size" => |host, a| Ok(host.memory().size_of(arg(a, 0)).unwrap_or(0)),
        "alloca" | "__alloca" | "alloca_with_align" => |host, a| host.allocate_in_frame(arg(a, 0)),
        "memset" | "__memset_chk" | "memset_explicit" => |host, a| {
            host.memory().fill(arg(a, 0), arg(a, 1) as u8, arg(a, 2))?;
            host.touch(AccessKind::Write, arg(a, 0), arg(a, 2));
            host.spend(arg(a, 2) / 8)?;
            Ok(arg(a, 0))
        },
        "bzero" => |host, a| {
            host.memory().fill(arg(a, 0), 0, arg(a, 1))?;
            host.touch(AccessKind::Write, arg(a, 0), arg(a, 1));
            host.spend(arg(a, 1) / 8)?;
            Ok(0)
        },
        "memcpy" | "__memcpy_chk" => |host, a| {
            let (to, from, size) = (arg(a, 0), arg(a, 1), arg(a, 2));
            if size != 0 && to.abs_diff(from) < size {
                return Err("memcpy of objects that overlap".into());
            }
            move_bytes(host, to, from, size)?;
            Ok(to)
        },
        "memmove" | "__memmove_chk" => |host, a| {
            move_bytes(host, arg(a, 0), arg(a, 1), arg(a, 2))?;
            Ok(arg(a, 0))
        },
        "mempcpy" => |host, a| {
            move_bytes(host, arg(a, 0), arg(a, 1), arg(a, 2))?;
            Ok(arg(a, 0).wrapping_add(arg(a, 2)))
        },
        "bcopy" => |host, a| {
            move_bytes(host, arg(a, 1), arg(a, 0), arg(a, 2))?;
            Ok(0)
        },
        "memcmp" | "bcmp" => |host, a| {
            let (x, y) = (
                read(host, arg(a, 0), arg(a, 2))?,
                read(host, arg(a, 1), arg(a, 2))?,
            );
            let difference = x
                .iter()
                .zip(&y)
                .map(|(x, y)| i64::from(*x) - i64::from(*y))
                .find(|&d| d != 0);
            Ok(difference.unwrap_or(0) as u64)
        },
        "memchr" => |host, a| {
            // Only the bytes up to the one that is found are read.
            // The search may be told a length past the end of the object where the byte is certainly there.
            let left = host
                .memory()
                .find(arg(a, 0))
                .map_or(0, |found| found.left(arg(a, 0)));
            let bytes = host.memory().raw(arg(a, 0), arg(a, 2).min(left))?.0;
            let found = bytes.iter().position(|&byte| byte == arg(a, 1) as u8);
            let touched = found.map_or(arg(a, 2), |at| at as u64 + 1);
            read(host, arg(a, 0), touched)?;
            Ok(found.map_or(0, |at| arg(a, 0) + at as u64))
        },
        _ => return None,
    })
}

fn move_bytes(host: &mut dyn Host, to: u64, from: u64, size: u64) -> Result<(), super::Stop> {
    host.memory().copy(to, from, size)?;
    host.touch(AccessKind::Read, from, size);
    host.touch(AccessKind::Write, to, size);
    host.spend(size / 8)
}

fn realloc(host: &mut dyn Host, a: &[u64]) -> Result<u64, super::Stop> {
    let (old, size) = (arg(a, 0), arg(a, 1));
    if old == 0 {
        return host.allocate(size, false);
    }
    let Some(old_size) = host.memory().size_of(old) else {
        return Err(host.memory().fault(old, 1, "realloc").into());
    };
    if size == 0 {
        host.release(old)?;
        return Ok(0);
    }
    let new = host.allocate(size, false)?;
    if new == 0 {
        return Ok(0);
    }
    move_bytes(host, new, old, size.min(old_size))?;
    host.release(old)?;
    Ok(new)
}
