//! What can be wrong with the data of a device? Facts only; how they are said is the business of the rules.

use ferry_ir::StmtId;
use ferry_source::{Origin, Span};
use ferry_symbolic::{Expr, Symbol};

/// How sure it is, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// Whenever the last place is reached, the value is not the one of the sequential program.
    Proven,
    /// On a path through conditions that are not decided.
    Likely,
    /// It depends on something that is not known.
    Possible,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The device reads what the host wrote; the data were allocated there, never copied in.
    NeverCopiedIn,
    /// The device reads what the host wrote after the data were copied.
    StaleDeviceRead,
    /// The host reads what the device wrote, which is still on the device only.
    StaleHostRead,
    /// The host reads what the device wrote; the mapping ended without a copy.
    NeverCopiedBack,
    /// Newer values of the host were lost when old ones were copied back over them.
    HostWriteOverwritten,
    /// Newer values of the device were lost when old ones of the host were moved over them.
    DeviceWriteOverwritten,
    /// Device memory that nothing was written to was copied over the values of the host.
    CopiedBackUnwritten,
    /// Elements outside the section that is on the device.
    SectionTooShort,
    /// The section reaches outside its object.
    SectionBeyondObject,
    /// A pointer is followed on the device, and nothing of what it points to is there.
    NotOnTheDevice,
    /// The pointer itself is mapped, not what it points to.
    PointerWithoutSection,
    /// A pointer in a mapped structure is followed on the device, and what it points to is not there.
    ShallowStruct,
    /// A pointer is followed on the device that holds an address of the host there; what it leads to is there all the same.
    UnattachedPointer,
    /// A copy of a variable is changed, and the variable is read later.
    ChangeLost,
    /// The section overlaps one that is on the device, and is not inside it.
    PartialOverlap,
    /// The data stay on the device.
    EnterWithoutExit,
    /// The data are not on the device.
    ExitWithoutEnter,
    /// Data that are not on the device are released, which does nothing.
    ExitOfNothing,
    /// Storage is released while it is mapped.
    FreedWhileMapped,
    /// Data must be on the device, and are not.
    PresentMissing,
    /// The host touches memory that a function of the run time gave on the device.
    HostAccessThroughDevicePointer,
    /// Two statements that touch the same are kept apart from others by different locks.
    DifferentLocks,
    /// One of two statements that touch the same is under a lock, the other under none.
    OneLock,
    /// Every thread updates the same, and nothing keeps them apart.
    UnprotectedUpdate,
    /// Every thread sets a variable and reads it again, and there is one for all.
    SharedScratch,
    /// Iterations that run at a time depend on one another.
    IterationsDepend,
    /// What is updated atomically is touched by a plain access, too.
    AtomicAndPlain,
    /// Two phases of a parallel region that touch the same are not kept apart.
    MissingBarrier,
    /// Two tasks, or a task and the host, touch the same in no order.
    UnorderedTasks,
    /// A variable ends, or memory is freed, while a task that nothing has waited for works on it.
    TaskOutlivesStorage,
    /// Both copies are the same before it.
    RedundantTransfer,
    /// What is copied to the device is not read there.
    DeadCopyIn,
    /// What is copied to the host is not read there.
    DeadCopyBack,
    /// What is copied to the host at the end of a mapping is there already.
    UnchangedCopyBack,
    /// A transfer in every iteration, between which only the device touches the data.
    TransferInLoop,
    /// A section is copied of which the device touches a part only.
    SectionLongerThanUsed,
    /// The same, of a clause that names several sections, in one call one, in another one another.
    SectionsLongerThanUsed,
}

/// One defect.
#[derive(Clone, PartialEq, Debug)]
pub struct Defect {
    /// What.
    pub kind: Kind,
    /// How sure.
    pub confidence: Confidence,
    /// The storage.
    pub root: Symbol,
    /// An expression that names it: `c[i]`, or the item of a clause.
    pub named: Origin,
    /// Where it shows: the read that misses a value, or the directive.
    pub at: Origin,
    /// Where the value was written that is missed.
    pub written: Option<Origin>,
    /// The directive, or its clause, that should have done otherwise, with its statement.
    pub directive: Option<Moved>,
    /// Bytes that are meant: those touched, or those of the section.
    pub bytes: Option<(Expr, Expr)>,
    /// Bytes that are there: of the mapping, or of the object; of a section that is too long, those that are touched.
    pub there: Option<(Expr, Expr)>,
    /// The last iteration of a loop wrote what the next one reads.
    pub around: bool,
}

/// A clause, or a whole directive, that moves data or fails to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Moved {
    /// The directive's statement.
    pub stmt: StmtId,
    /// The clause if there is one, otherwise the directive.
    pub at: Option<Span>,
    /// The index of the clause in the directive; `None` for data that no clause names.
    pub clause: Option<usize>,
}
