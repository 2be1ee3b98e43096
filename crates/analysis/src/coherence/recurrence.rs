//! Which part of what a loop reads does it not write itself in the iteration before?
//!
//! Of `for (i = 1; i < n; i++) a[i] = a[i - 1] / 2;` only the first iteration reads what is from before the loop: `a[0]`.
//!
//! What it cannot do: values from two or more iterations before, and reads or writes under conditions.

use crate::access::Access;
use crate::value::Values;
use ferry_symbolic::Expr;

/// A read as it is in the first iteration of the loop that writes, in the iteration before, what it reads; `None` if there is none of the loops inside the first
/// `around`.
pub fn from_before(values: &Values, read: &Access, around: usize) -> Option<Access> {
    let is_plain = |access: &Access| {
        access.conditional_depth <= around && access.summary.is_none() && access.irregular.is_empty()
    };
    let address = read
        .address
        .as_ref()
        .filter(|_| !read.is_write() && is_plain(read))?;
    let inside = read.loops.get(around..)?;
    for (place, index) in inside.iter().enumerate() {
        let of = &values.loops[index.0 as usize];
        let before = &Expr::symbol(of.counter) - &Expr::one();
        let writes_it = |write: &&Access| {
            let own = write.address.as_ref();
            write.is_write()
                && write.root == read.root
                && write.loops == read.loops
                && write.size >= read.size
                && !write.partial
                && is_plain(write)
                && own.is_some_and(|own| own.substitute(of.counter, &before) == *address)
        };
        // Otherwise the iteration before may have had another range in them.
        let is_apart = |other: &crate::loops::LoopIndex| {
            let other = &values.loops[other.0 as usize];
            other.early_exits.is_empty() && other.trip.as_ref().is_ok_and(|trip| !trip.mentions(of.counter))
        };
        if address.mentions(of.counter)
            && inside.iter().all(is_apart)
            && values.accesses.iter().any(|write| writes_it(&write))
        {
            let mut first = read.clone();
            first.address = Some(address.substitute(of.counter, &Expr::int(0)));
            first.loops.remove(around + place);
            return Some(first);
        }
    }
    None
}
