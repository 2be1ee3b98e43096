//! Which objects does a loop only update, by one operation, so that its iterations may meet in an element if each update is made as a whole?
//!
//! `h[idx[i]]++` with elements that may repeat: the operation is associative and commutative, so the order of updates does not matter, if none of them reads
//! and writes an element while another one does. Every access to the object in the loop must be the write or the one read of such an update: a value that is
//! read elsewhere, or kept, would be the one that the order gives.
//!
//! What it cannot do: minimum, maximum, `&&` and `||`, bit-fields, updates in called functions, and objects that are another one in each iteration.

use super::{Judge, Verdict};
use crate::access::Access;
use crate::reduction::{ReductionOp, Update};
use ferry_ir::{StmtId, TypeId};
use ferry_source::Origin;
use ferry_symbolic::{Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// An object whose elements are updated by one operation, each update as a whole.
#[derive(Clone, PartialEq, Debug)]
pub struct Atomic {
    /// How.
    pub op: ReductionOp,
    /// Its root.
    pub root: Symbol,
    /// The place that the first update names, for its text.
    pub at: Origin,
    /// The statements, each of which is one update.
    pub updates: BTreeSet<StmtId>,
    /// Its operations on floating-point numbers are reordered.
    pub floating: bool,
}

/// An object that is updated, as far as its accesses have been looked at.
struct Candidate {
    atomic: Atomic,
    ty: TypeId,
    size: u64,
    /// How often each update reads and writes the object.
    seen: BTreeMap<StmtId, (usize, usize)>,
}

/// True for the operations of atomic updates.
pub fn is_atomic(op: ReductionOp) -> bool {
    use ReductionOp::{BitAnd, BitOr, BitXor, Product, Sum};
    matches!(op, Sum | Product | BitAnd | BitOr | BitXor)
}

impl Judge<'_> {
    /// The objects that nothing in the loop touches but updates by one operation.
    pub(super) fn updated_objects(
        &self,
        accesses: &[&Access],
        updates: &[Update<'_>],
    ) -> BTreeMap<Symbol, Atomic> {
        let mut candidates: BTreeMap<Symbol, Option<Candidate>> = BTreeMap::new();
        for access in accesses {
            let Some(root) = access.root else { continue };
            let candidate = candidates.entry(root).or_insert_with(|| {
                let update = self.update_of(access, updates)?;
                let fixed = !self.values.symbols.varies_in(root, self.facts.stmt);
                fixed.then(|| Candidate {
                    atomic: Atomic {
                        op: update.op,
                        root,
                        at: update.place.origin,
                        updates: BTreeSet::new(),
                        floating: self.unit.types.is_floating(update.place.ty),
                    },
                    ty: access.ty,
                    size: access.size,
                    seen: BTreeMap::new(),
                })
            });
            let same = |known: &&mut Candidate| {
                // Two types in the same bytes are no elements of one object.
                self.update_of(access, updates)
                    .is_some_and(|update| update.op == known.atomic.op)
                    && known.ty == access.ty
                    && known.size == access.size
            };
            match candidate.as_mut().filter(same) {
                Some(_) if !is_element(access) => *candidate = None,
                Some(known) => {
                    known.atomic.updates.insert(access.stmt);
                    let seen = known.seen.entry(access.stmt).or_default();
                    match access.is_write() {
                        true => seen.1 += 1,
                        false => seen.0 += 1,
                    }
                }
                None => *candidate = None,
            }
        }
        let whole = |known: &Candidate| known.seen.values().all(|seen| *seen == (1, 1));
        let found = candidates.into_values().flatten().filter(whole);
        found.map(|known| (known.atomic.root, known.atomic)).collect()
    }

    /// True if the element is another one from iteration to iteration, or may be: it does not depend on inner loops alone.
    pub(super) fn scatters(&self, access: &Access) -> bool {
        let Some(address) = &access.address else {
            return true;
        };
        let mut symbols = address.symbols().into_iter();
        symbols.any(|symbol| self.values.moves(symbol, self.facts))
    }

    /// The update that an access is a part of, if it can be atomic.
    fn update_of<'u, 'a>(&self, access: &Access, updates: &'u [Update<'a>]) -> Option<&'u Update<'a>> {
        let plain =
            !access.volatile && !access.partial && access.called.is_none() && access.summary.is_none();
        let mut all = updates.iter().filter(|_| plain && access.within == access.stmt);
        all.find(|update| is_atomic(update.op) && update.parts == [access.stmt])
    }
}

/// True if the access begins a multiple of its size behind the root: two such are at the same bytes, or have none in common. Updates of bytes that overlap in part
/// (`*(unaligned *)(bytes + k)`) do not commute, as carries go from one into the other.
pub(super) fn is_element(access: &Access) -> bool {
    let size = Integer::from(i128::from(access.size));
    access
        .offset()
        .is_some_and(|offset| offset.divide_exactly(&size).is_some())
}

/// Notes that an object is updated atomically.
pub(super) fn note(verdict: &mut Verdict, object: &Atomic) {
    if !verdict.atomics.contains(object) {
        verdict.atomics.push(object.clone());
    }
}
