//! Which objects does a loop only update, by one operation, or only set, to one value, so that its iterations may meet in an element if each statement is carried out as a whole?
//!
//! `h[idx[i]]++` with elements that may repeat: the operation is associative and commutative, so the order of updates does not matter, if none of them reads
//! and writes an element while another one does. Every access to the same elements in the loop must be the write or the one read of such an update: a value that is
//! read elsewhere, or kept, would be the one that the order gives.
//!
//! `seen[idx[i]] = 1`, `if (a[i] > limit) *failed = 1`: all iterations that set an element set it to the same value, whichever comes last. Every access to the object in the loop must be
//! such a write, or apart from all of them.
//!
//! What it cannot do: minimum, maximum, `&&` and `||`, bit-fields, updates in called functions, values that are read from memory, and objects that are another one in each iteration.

use super::{Judge, Verdict, for_each_part};
use crate::access::Access;
use crate::reduction::{ReductionOp, Update, same_but_origin};
use crate::scalar::LoopScalars;
use ferry_ir::{Expr as Code, ExprKind, Loop, Place, StmtId, StmtKind, TypeId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What is done as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// Elements are updated by this operation.
    Update(ReductionOp),
    /// Elements are set, all to one value.
    Write,
}

impl Whole {
    /// The operation as reductions write it, or `write`.
    pub fn spelling(self) -> &'static str {
        match self {
            Whole::Update(op) => op.spelling(),
            Whole::Write => "write",
        }
    }
}

/// An object whose elements are updated by one operation, or set to one value, each time as a whole.
#[derive(Clone, PartialEq, Debug)]
pub struct Atomic {
    /// How.
    pub how: Whole,
    /// What it is.
    pub object: Object,
    /// The place that the first statement names, for its text.
    pub at: Origin,
    /// The statements, each of which is one update or write.
    pub updates: BTreeSet<StmtId>,
    /// Its operations on floating-point numbers are reordered.
    pub floating: bool,
}

/// What is updated or set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// Elements of storage, by its root.
    Root(Symbol),
    /// A scalar variable that is followed by its name.
    Variable(VariableRef),
}

/// A statement that sets a place to a value that is the same in all iterations.
pub(super) struct Written<'a> {
    place: &'a Place,
    value: &'a Code,
}

/// The part that an access has in a statement that may be carried out as a whole.
struct Part<'a> {
    how: Whole,
    place: &'a Place,
    /// What is written.
    value: Option<&'a Code>,
}

/// An object that is updated or set, as far as its accesses have been looked at.
struct Candidate<'a> {
    atomic: Atomic,
    value: Option<&'a Code>,
    ty: TypeId,
    size: u64,
    /// How often each update reads and writes the object.
    seen: BTreeMap<StmtId, (usize, usize)>,
}

impl<'a> Candidate<'a> {
    fn of(judge: &Judge<'_>, root: Symbol, access: &Access, part: &Part<'a>) -> Candidate<'a> {
        let floating = judge.unit.types.is_floating(part.place.ty);
        Candidate {
            atomic: Atomic {
                how: part.how,
                object: Object::Root(root),
                at: part.place.origin,
                updates: BTreeSet::new(),
                floating: floating && part.how != Whole::Write,
            },
            value: part.value,
            ty: access.ty,
            size: access.size,
            seen: BTreeMap::new(),
        }
    }

    /// True if an access is of this kind, too: two types in the same bytes are no elements of one object.
    fn takes(&self, access: &Access, part: &Part<'_>) -> bool {
        let same_value = match (part.value, self.value) {
            (Some(a), Some(b)) => same_but_origin(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        let same_type = self.ty == access.ty && self.size == access.size;
        part.how == self.atomic.how && same_value && same_type && is_element(access)
    }
}

impl Atomic {
    /// True if both accesses are parts of its statements.
    pub(super) fn is_between(&self, one: &Access, two: &Access) -> bool {
        self.updates.contains(&one.stmt) && self.updates.contains(&two.stmt)
    }
}

/// True for the operations of atomic updates.
pub fn is_atomic(op: ReductionOp) -> bool {
    use ReductionOp::{BitAnd, BitOr, BitXor, Product, Sum};
    matches!(op, Sum | Product | BitAnd | BitOr | BitXor)
}

impl Judge<'_> {
    /// The objects that the loop updates by one operation, or writes one value to. What else it does with them is not looked at: of such accesses pairs stand for themselves.
    pub(super) fn updated_objects(
        &self,
        inner: &Loop,
        scalars: &LoopScalars,
        accesses: &[&Access],
        updates: &[Update<'_>],
    ) -> BTreeMap<Symbol, Atomic> {
        let writes = self.fixed_writes(inner, scalars);
        // `None` where an object is handled in several ways.
        let mut candidates: BTreeMap<Symbol, Option<Candidate>> = BTreeMap::new();
        for access in accesses {
            let Some(root) = access.root else { continue };
            let Some(part) = part_of(access, updates, &writes) else {
                continue;
            };
            let candidate = candidates.entry(root).or_insert_with(|| {
                let fixed = !self.values.symbols.varies_in(root, self.facts.stmt);
                fixed.then(|| Candidate::of(self, root, access, &part))
            });
            match candidate.as_mut().filter(|known| known.takes(access, &part)) {
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
        let whole = |known: &Candidate| {
            let reads = usize::from(known.atomic.how != Whole::Write);
            known.seen.values().all(|seen| *seen == (reads, 1))
        };
        let found = candidates
            .into_iter()
            .filter_map(|(root, known)| Some((root, known?)));
        let found = found.filter(|(_, known)| whole(known));
        found.map(|(root, known)| (root, known.atomic)).collect()
    }

    /// The assignments in the loop's own text whose value is the same in all iterations.
    fn fixed_writes<'a>(&self, inner: &'a Loop, scalars: &LoopScalars) -> BTreeMap<StmtId, Written<'a>> {
        let mut found = BTreeMap::new();
        for_each_part(inner, &mut |stmt| {
            if let StmtKind::Assign { place, value } = &stmt.kind
                && place
                    .as_variable()
                    .is_none_or(|variable| !self.is_followed_by_name(variable))
                && self.is_fixed(value, scalars)
            {
                found.insert(stmt.id, Written { place, value });
            }
        });
        found
    }

    /// True for values of constants, and of variables that are followed by their names and not set in the loop.
    pub(super) fn is_fixed(&self, value: &Code, scalars: &LoopScalars) -> bool {
        match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Load(place) => place.as_variable().is_some_and(|variable| {
                self.is_followed_by_name(variable) && !scalars.assigned.contains(&variable)
            }),
            ExprKind::Cast(inner) | ExprKind::Unary(_, inner) => self.is_fixed(inner, scalars),
            ExprKind::Binary(_, a, b) => self.is_fixed(a, scalars) && self.is_fixed(b, scalars),
            _ => false,
        }
    }

    /// True if iterations that set one place set it seldom, or that is all that they set: not where each of them sets all elements of an object, which would better be done once.
    pub(super) fn sets_little(&self, access: &Access) -> bool {
        let address = access.address.as_ref();
        access.conditional_depth > self.facts.depth
            || address.is_some_and(|address| self.values.symbols.invariant_in(address, self.facts.stmt))
    }

    /// True if the element is another one from iteration to iteration, or may be: it does not depend on inner loops alone.
    pub(super) fn scatters(&self, access: &Access) -> bool {
        let Some(address) = &access.address else {
            return true;
        };
        let mut symbols = address.symbols().into_iter();
        symbols.any(|symbol| self.values.moves(symbol, self.facts))
    }
}

/// The update or write that an access is a part of, if it can be atomic.
fn part_of<'u>(
    access: &Access,
    updates: &'u [Update<'_>],
    writes: &BTreeMap<StmtId, Written<'u>>,
) -> Option<Part<'u>> {
    let plain = !access.volatile && !access.partial && access.called.is_none() && access.summary.is_none();
    if !plain || access.within != access.stmt {
        return None;
    }
    let mut all = updates.iter();
    if let Some(update) = all.find(|update| is_atomic(update.op) && update.parts == [access.stmt]) {
        return Some(Part {
            how: Whole::Update(update.op),
            place: update.place,
            value: None,
        });
    }
    // A read of the object is one in a subscript, which is counted.
    let written = writes.get(&access.stmt)?;
    Some(Part {
        how: Whole::Write,
        place: written.place,
        value: Some(written.value),
    })
}

/// True if the access begins a multiple of its size behind the root: two such are at the same bytes, or have none in common. Updates of bytes that overlap in part
/// (`*(unaligned *)(bytes + k)`) do not commute, as carries go from one into the other.
pub(super) fn is_element(access: &Access) -> bool {
    let size = Integer::from(i128::from(access.size));
    access
        .offset()
        .is_some_and(|offset| offset.divide_exactly(&size).is_some())
}

/// Notes that an object is updated or set atomically.
pub(super) fn note(verdict: &mut Verdict, object: &Atomic) {
    if !verdict.atomics.contains(object) {
        verdict.atomics.push(object.clone());
    }
}
