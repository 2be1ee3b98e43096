//! One touch of storage by a task, or by who makes it: do two of them certainly meet?
//!
//! A walk that goes through a loop a second time, for what an iteration leaves to the next one, has the counters of such loops in `later`: what it finds there is
//! one iteration further on.
//!
//! What it cannot do: see that a touch is not of the same bytes each time, but by symbols that came up in a loop; see [`is_fixed`].

use super::Program;
use super::meet::{Apart, Pair, Sides};
use super::pair::first_byte;
use crate::access::Access;
use crate::coherence::{Confidence, Defect, Kind, Moved};
use crate::loops::LoopIndex;
use crate::value::Values;
use ferry_directive::Directive;
use ferry_ir::{Expr as Code, Stmt, StmtId};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// Most choices of iterations that are tried for a pair of accesses.
const CHOICES: usize = 2_000;

/// One touch of storage.
#[derive(Clone)]
pub(super) struct Touch {
    /// The storage.
    pub root: Symbol,
    /// The first byte.
    pub address: Expr,
    /// In bytes; `None`: so much as lies there.
    pub size: Option<u64>,
    pub write: bool,
    /// Made by an atomic operation.
    pub atomic: bool,
    pub loops: Vec<LoopIndex>,
    /// The loops in which this is the next iteration.
    pub later: Vec<Symbol>,
    pub at: Origin,
}

impl Touch {
    /// What an access touches, one iteration further on in the loops that are said.
    pub fn of(access: &Access, root: Symbol, address: &Expr, later: &[Symbol]) -> Touch {
        Touch {
            root,
            address: in_later(address, later),
            size: Some(access.size),
            write: access.is_write(),
            atomic: false,
            loops: access.loops.clone(),
            later: later.to_vec(),
            at: access.origin,
        }
    }

    /// True if one of the two writes, and they are of one size in one storage, as far as that is known, and no atomic operations.
    /// OpenMP 5.0 §2.17.7: atomic operations of all threads on a device exclude one another.
    pub fn may_conflict(&self, other: &Touch) -> bool {
        (self.write || other.write)
            && !(self.atomic && other.atomic)
            && self.root == other.root
            && (self.size == other.size || self.size.is_none() || other.size.is_none())
    }

    /// True if the two certainly touch the same bytes; `task` is the directive of which it is known what holds before both.
    pub fn meets(&self, other: &Touch, program: &Program<'_>, task: StmtId) -> bool {
        let Some(at) = program.values.directives.get(&task) else {
            return false;
        };
        let sides = Sides {
            addresses: [&self.address, &other.address],
            subscripts: [&[], &[]],
            loops: [&self.loops, &other.loops],
            shared: [None, None],
            later: [&self.later, &other.later],
        };
        let all: Vec<LoopIndex> = self.loops.iter().chain(&other.loops).copied().collect();
        let fixed = |value: &Expr| is_fixed(program.values, value, &all);
        let pair = Pair::between(program.values, at.facts.clone(), &sides, &fixed);
        pair.is_some_and(|pair| pair.meets(Apart::Always, &mut CHOICES.clone()))
    }
}

/// What is said of two touches of which the first is by a task that is made by the directive, and nothing orders them.
pub(super) fn unordered(
    program: &Program<'_>,
    task: StmtId,
    [first, second]: [&Touch; 2],
    confidence: Confidence,
) -> Defect {
    Defect {
        kind: Kind::UnorderedTasks,
        confidence,
        root: second.root,
        named: second.at,
        at: second.at,
        written: Some(first.at),
        directive: Some(Moved {
            stmt: task,
            at: program.first_line(task).map(first_byte),
            clause: None,
        }),
        bytes: None,
        there: None,
        around: first.later != second.later,
    }
}

/// What is said of storage that ends while a task that the directive makes may still touch it.
pub(super) fn outlives(
    program: &Program<'_>,
    task: StmtId,
    touch: &Touch,
    end: Origin,
    confidence: Confidence,
) -> Defect {
    Defect {
        kind: Kind::TaskOutlivesStorage,
        named: touch.at,
        at: end,
        around: false,
        ..unordered(program, task, [touch, touch], confidence)
    }
}

/// A value one iteration further on.
pub(super) fn in_later(value: &Expr, later: &[Symbol]) -> Expr {
    let mut value = value.clone();
    for counter in later {
        value = value.substitute(*counter, &(&Expr::symbol(*counter) + &Expr::one()));
    }
    value
}

/// True if nothing but counters of the loops around changes an address.
pub(super) fn is_fixed(values: &Values, address: &Expr, loops: &[LoopIndex]) -> bool {
    address.symbols().into_iter().all(|symbol| {
        let counts = |index: &LoopIndex| values.loops[index.0 as usize].counter == symbol;
        loops.iter().any(counts) || values.symbols.info(symbol).loops.is_empty()
    })
}

/// True for an access of whole bytes of which it is known that it is made.
pub(super) fn is_plain(access: &Access) -> bool {
    is_whole(access) && access.irregular.is_empty()
}

/// The same, but perhaps of another address each time.
pub(super) fn is_whole(access: &Access) -> bool {
    !access.volatile && !access.partial && access.summary.is_none()
}

/// The accesses that an atomic construct makes atomically: those to the storage that it is about. What else its statement touches is not.
pub(super) fn atomic(program: &Program<'_>, directive: &Directive<Code>, body: &Stmt) -> BTreeSet<usize> {
    let accesses = &program.values.accesses;
    let mut all = Vec::new();
    body.walk(&mut |inner| all.extend(program.accesses(inner.id)));
    let (writes, reads): (Vec<usize>, Vec<usize>) =
        all.into_iter().partition(|number| accesses[*number].is_write());
    let meets = |number: &usize, others: &[usize]| {
        let address = &accesses[*number].address;
        address.is_some() && others.iter().any(|other| accesses[*other].address == *address)
    };
    match (directive.has_clause("read"), directive.has_clause("write")) {
        (true, _) => reads.into_iter().collect(),
        (_, true) => writes.into_iter().collect(),
        _ => {
            let of_reads = reads.iter().filter(|number| meets(number, &writes));
            let of_writes = writes.iter().filter(|number| meets(number, &reads));
            of_reads.chain(of_writes).copied().collect()
        }
    }
}
