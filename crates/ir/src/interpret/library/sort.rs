//! In which order does `qsort` compare? As glibc before 2.37 does: a merge sort, which is stable.

use super::{Host, LibraryFunction, Stop, arg};

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "qsort" | "qsort_r" => |host, a| {
            let (base, count, size, compare) = (arg(a, 0), arg(a, 1), arg(a, 2), arg(a, 3));
            if count < 2 {
                return Ok(0);
            }
            let total = count
                .checked_mul(size)
                .ok_or_else(|| Stop::from("qsort of too many bytes"))?;
            let extra = a.get(4).copied();
            // Padding need not have a value.
            host.memory().raw(base, total)?;
            host.touch(crate::interpret::observer::AccessKind::Read, base, total);
            let scratch = host
                .memory()
                .allocate(total, false, crate::interpret::code::Object::Environment);
            let scratch = scratch.ok_or_else(|| Stop::from("memory is exhausted"))?;
            let sort = Sort { size, compare, extra };
            sort.merge_sort(host, base, count, scratch)?;
            host.memory().release(scratch)?;
            host.touch(crate::interpret::observer::AccessKind::Write, base, total);
            Ok(0)
        },
        "bsearch" => |host, a| {
            let (key, base, count, size, compare) = (arg(a, 0), arg(a, 1), arg(a, 2), arg(a, 3), arg(a, 4));
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = (low + high) / 2;
                let element = base.wrapping_add(middle.wrapping_mul(size));
                match host.call_back(compare, &[key, element])? as i32 {
                    order if order < 0 => high = middle,
                    0 => return Ok(element),
                    _ => low = middle + 1,
                }
            }
            Ok(0)
        },
        _ => return None,
    })
}

struct Sort {
    size: u64,
    compare: u64,
    extra: Option<u64>,
}

impl Sort {
    /// Sorts `count` elements at `base` with as many at `scratch` to use. The depth is the logarithm of the count.
    fn merge_sort(&self, host: &mut dyn Host, base: u64, count: u64, scratch: u64) -> Result<(), Stop> {
        if count <= 1 {
            return Ok(());
        }
        let left = count / 2;
        let middle = base + left * self.size;
        self.merge_sort(host, base, left, scratch)?;
        self.merge_sort(host, middle, count - left, scratch)?;
        let (mut a, a_end, mut b, b_end, mut to) = (base, middle, middle, base + count * self.size, scratch);
        while a < a_end && b < b_end {
            let mut arguments = vec![a, b];
            arguments.extend(self.extra);
            let order = host.call_back(self.compare, &arguments)? as i32;
            let from = if order <= 0 { &mut a } else { &mut b };
            host.memory().copy(to, *from, self.size)?;
            *from += self.size;
            to += self.size;
        }
        // What is left of the second half is in its place already.
        host.memory().copy(to, a, a_end - a)?;
        host.memory()
            .copy(base, scratch, (count * self.size) - (b_end - b))?;
        Ok(())
    }
}
