//! Which part of what a loop reads does it not write itself in the iteration before?
//!
//! Of `for (i = 1; i < n; i++) a[i] = a[i - 1] / 2;` only the first iteration reads what is from before the loop: `a[0]`.
//!
//! What it cannot do: values from two or more iterations before, and reads or writes under conditions.

use crate::access::Access;
use crate::value::Values;
use ferry_symbolic::Expr;

/// A read as it is in the first iteration of the loop that writes, in the iteration before, what it reads; `None` if there is none of the loops inside the first
/// `around`. `writes` are the accesses that write to its storage.
pub fn from_before(values: &Values, read: &Access, writes: &[usize], around: usize) -> Option<Access> {
    let is_plain = |access: &Access| {
        access.conditional_depth <= around && access.summary.is_none() && access.irregular.is_empty()
    };
    let address = read
        .address
        .as_ref()
        .filter(|_| !read.is_write() && !writes.is_empty() && is_plain(read))?;
    let inside = read.loops.get(around..)?;
    for (place, index) in inside.iter().enumerate() {
        let of = &values.loops[index.0 as usize];
        if !address.mentions(of.counter) {
            continue;
        }
        // What the next iteration reads is what this one writes.
        let next = address.substitute(of.counter, &(&Expr::symbol(of.counter) + &Expr::one()));
        let writes_it = |write: &Access| {
            write.address.as_ref() == Some(&next)
                && write.loops == read.loops
                && write.size >= read.size
                && !write.partial
                && is_plain(write)
        };
        // Otherwise the iteration before may have had another range in them.
        let is_apart = |other: &crate::loops::LoopIndex| {
            let other = &values.loops[other.0 as usize];
            other.early_exits.is_empty() && other.trip.as_ref().is_ok_and(|trip| !trip.mentions(of.counter))
        };
        let mut writes = writes.iter();
        if writes.any(|number| writes_it(&values.accesses[*number])) && inside.iter().all(is_apart) {
            let mut first = read.clone();
            first.address = Some(address.substitute(of.counter, &Expr::int(0)));
            first.loops.remove(around + place);
            return Some(first);
        }
    }
    None
}
