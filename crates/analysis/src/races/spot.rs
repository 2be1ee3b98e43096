//! One access inside a region: who makes it, in which phase, and what it holds.

use super::lock::Held;
use ferry_ir::StmtId;
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};

/// How a region is shared out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Among teams, which nothing keeps in step.
    Teams,
    /// Among the threads of one team, which barriers keep in step.
    Threads,
}

/// Who of a team, or which team, gets to an access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Worker {
    /// All of them.
    All,
    /// One, in this construct: `single`, `masked`, `master`.
    One,
    /// One, in a section of this construct.
    Section(StmtId, u32),
    /// Each takes iterations of the loops of this construct.
    Iterations(Shared),
}

/// Loops whose iterations are shared out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Shared {
    /// The directive.
    pub construct: StmtId,
    /// The loops, outermost first, by their counters.
    pub counters: Vec<Symbol>,
    /// Iterations of one number may go to different threads in two loops: the schedule is chosen while it runs.
    pub dynamic: bool,
}

/// A level of sharing out with who is at work.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Level {
    pub kind: Kind,
    /// The construct that makes the teams or threads, each time that it is reached another one.
    pub instance: u32,
    /// There are several of them: not where the `if` of the construct is not decided.
    pub certain: bool,
    pub worker: Worker,
}

/// One access.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Its place in the list of accesses.
    pub access: usize,
    /// The address, in the iteration of the loops around that is meant.
    pub address: Expr,
    /// Outermost first.
    pub levels: Vec<Level>,
    /// Accesses of different phases are kept apart by barriers.
    pub phase: u32,
    pub held: Held,
    pub atomic: bool,
    /// The conditions on its path in the region, each with the branch.
    pub conditions: Vec<Decision>,
    /// The loops in which this is the next iteration.
    pub later: Vec<Symbol>,
    pub at: Origin,
}

/// A branch of an `if`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Decision {
    pub stmt: StmtId,
    pub branch: bool,
    /// All threads in all iterations ask the same.
    pub common: bool,
}

impl Spot {
    pub fn level(&self, kind: Kind) -> Option<&Level> {
        self.levels.iter().find(|level| level.kind == kind)
    }
}
