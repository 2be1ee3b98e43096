//! Which objects does a loop only update, by one operation, the same elements in many of its iterations, so that copies of the elements can be combined afterwards?
//!
//! `for (i …) for (j …) y[j] += a[i][j] * x[i];` in the loop over `i`: the operation is associative and commutative, so each group of iterations may update a copy
//! of the section that they touch, and the copies are combined at the end. Every access to the object in the loop must be the write or a read of such an update: a
//! value that is read elsewhere, or kept, would be the one that the order gives. Other pointers that may lead to the object are asked about as anywhere else.
//!
//! What it cannot do: bit-fields, updates in called functions, objects that are another one in each iteration, sections that are not known before the loop, and
//! objects of which other elements are used in another way.

use super::{Judge, Obstacle, Verdict, atomic};
use crate::access::Access;
use crate::reduction::{ReductionOp, Update};
use ferry_ir::{StmtId, TypeId};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A section of an object whose elements are updated by one operation.
#[derive(Clone, PartialEq, Debug)]
pub struct SectionReduction {
    /// How.
    pub op: ReductionOp,
    /// The object's root.
    pub root: Symbol,
    /// The place that the first update names, for its text.
    pub at: Origin,
    /// The statements, each of which is one update (the `if` for a guarded minimum or maximum).
    pub updates: BTreeSet<StmtId>,
    /// Its operations on floating-point numbers are reordered.
    pub floating: bool,
    /// What keeps the iterations in order where nothing is combined.
    pub uncombined: Vec<Obstacle>,
}

/// An object that is updated, as far as its accesses have been looked at.
struct Candidate {
    reduction: SectionReduction,
    ty: TypeId,
    size: u64,
    seen: BTreeMap<StmtId, Seen>,
}

/// What one update does with the object.
struct Seen {
    address: Option<Expr>,
    reads: usize,
    writes: usize,
    /// How many reads an update of this form has.
    allowed: usize,
}

impl Judge<'_> {
    /// The objects that nothing in the loop touches but updates by one operation, of elements that do not depend on which iteration it is.
    pub(super) fn updated_sections(
        &self,
        accesses: &[&Access],
        updates: &[Update<'_>],
    ) -> BTreeMap<Symbol, SectionReduction> {
        let mut candidates: BTreeMap<Symbol, Option<Candidate>> = BTreeMap::new();
        for access in accesses {
            let Some(root) = access.root else { continue };
            let update = section_update(access, updates);
            let candidate = candidates
                .entry(root)
                .or_insert_with(|| update.and_then(|update| self.section_of(root, access, update)));
            let fits = |known: &mut Candidate| {
                let update = update.filter(|update| update.op == known.reduction.op)?;
                // Two types in the same bytes are no elements of one object.
                let same = known.ty == access.ty && known.size == access.size;
                (same && atomic::is_element(access) && !self.scatters(access)).then_some(())?;
                known.reduction.updates.insert(update.stmt);
                let seen = known.seen.entry(update.stmt).or_insert_with(|| Seen {
                    address: access.address.clone(),
                    reads: 0,
                    writes: 0,
                    allowed: update.reads,
                });
                match access.is_write() {
                    true => seen.writes += 1,
                    false => seen.reads += 1,
                }
                (seen.address == access.address).then_some(())
            };
            if candidate.as_mut().and_then(fits).is_none() {
                *candidate = None;
            }
        }
        let whole = |known: &Candidate| {
            let mut all = known.seen.values();
            all.all(|seen| seen.writes == 1 && (1..=seen.allowed).contains(&seen.reads))
        };
        let found = candidates.into_values().flatten().filter(whole);
        found
            .map(|known| (known.reduction.root, known.reduction))
            .collect()
    }

    fn section_of(&self, root: Symbol, access: &Access, update: &Update<'_>) -> Option<Candidate> {
        let fixed = !self.values.symbols.varies_in(root, self.facts.stmt);
        fixed.then(|| Candidate {
            reduction: SectionReduction {
                op: update.op,
                root,
                at: update.place.origin,
                updates: BTreeSet::new(),
                floating: self.unit.types.is_floating(update.place.ty),
                uncombined: Vec::new(),
            },
            ty: access.ty,
            size: access.size,
            seen: BTreeMap::new(),
        })
    }

    /// True if it is known before the loop between which bytes all accesses to an object lie.
    pub(super) fn has_known_section(&self, accesses: &[&Access], root: Symbol) -> bool {
        let mut own = accesses.iter().filter(|access| access.root == Some(root));
        own.all(|access| self.values.hull(access, &[self.index]).is_ok())
    }
}

/// The update that an access is a part of.
fn section_update<'u, 'a>(access: &Access, updates: &'u [Update<'a>]) -> Option<&'u Update<'a>> {
    let plain = !access.volatile && !access.partial && access.called.is_none() && access.summary.is_none();
    let mut all = updates.iter().filter(|_| plain && access.within == access.stmt);
    all.find(|update| update.parts.contains(&access.stmt))
}

impl Verdict {
    /// What keeps the iterations in order where no copies of sections are combined.
    pub fn uncombined(&self) -> impl Iterator<Item = &Obstacle> {
        let sections = self.sections.iter();
        self.obstacles
            .iter()
            .chain(sections.flat_map(|section| &section.uncombined))
    }

    /// True if the iterations may run in any order, perhaps under a condition.
    pub fn is_parallel(&self) -> bool {
        matches!(self.kind, super::Kind::Parallel | super::Kind::ParallelIf)
    }

    /// True if the iterations may run in any order without copies of sections that are combined afterwards.
    pub fn is_free(&self) -> bool {
        self.is_parallel() && self.sections.is_empty()
    }
}
