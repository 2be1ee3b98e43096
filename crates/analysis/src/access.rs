//! Which memory does the program read and write, where, and under which conditions?
//!
//! Scalars whose address is never taken are not here (`scalar` follows them by name); everything else is, with a
//! symbolic address in bytes.

use crate::loops::LoopIndex;
use crate::state::Said;
use crate::value::Pointer;
use ferry_ir::{FunctionRef, StmtId, TypeId};
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Of an access through a pointer that is one of several: which of the alternatives it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// Its number. Those of one access follow one another in the list of accesses, from 0 on.
    pub number: usize,
    /// How many there are: one, if what is known leaves no other.
    pub of: usize,
    /// The symbols of the pointers that were one of several.
    pub through: Vec<Symbol>,
}

/// Read or write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
}

/// One subscript of an access to an array type, outermost first.
#[derive(Clone, PartialEq, Debug)]
pub struct Subscript {
    /// The index, in elements; `None` if unknown.
    pub index: Option<Expr>,
    /// How many elements the dimension has; `None` for the first dimension of a pointer and where unknown.
    pub extent: Option<Expr>,
    /// Size in bytes of one element of this dimension.
    pub stride: Option<Expr>,
}

/// A condition on the path to an access, in terms of symbols.
#[derive(Clone, PartialEq, Debug)]
pub struct Guard {
    /// Holds whenever the path is taken; `None` if nothing is known of it (floating point, `volatile`, …).
    pub condition: Option<Condition>,
    /// The path is taken whenever the condition holds, too.
    pub exact: bool,
    /// Number of loops around the test.
    pub loops: usize,
    /// Which point of the program this is: what has it on its path comes behind the same point. `None` within a `switch`,
    /// where what comes behind may be another case.
    pub point: Option<u32>,
}

impl Guard {
    /// A test of which nothing is known, with this number of loops around it.
    pub fn unknown(loops: usize) -> Guard {
        Guard {
            condition: None,
            exact: false,
            loops,
            point: None,
        }
    }

    /// The condition, if it is exactly the one on which the path is taken.
    pub fn known(&self) -> Option<&Condition> {
        self.condition.as_ref().filter(|_| self.exact)
    }
}

/// One read or write of memory.
#[derive(Clone)]
pub struct Access {
    /// Read or write.
    pub kind: AccessKind,
    /// The statement.
    pub stmt: StmtId,
    /// The statement whose expressions it belongs to: `stmt`, or a statement of the copy of a function's body that was
    /// walked at the call.
    pub within: StmtId,
    /// Where it is written.
    pub origin: Origin,
    /// The symbol of the storage it lies in: an address, an entry value or a load that is a pointer. `None`: not known.
    pub root: Option<Symbol>,
    /// First byte, as a sum of the root and an offset; `None` if unknown.
    pub address: Option<Expr>,
    /// How many bytes.
    pub size: u64,
    /// Only some bits of these bytes: a bit-field.
    pub partial: bool,
    /// Type of what is read or written.
    pub ty: TypeId,
    /// The subscripts in the shape in which the program declares the storage, with a constant rest in bytes
    /// (a member inside an element) left out.
    pub subscripts: Vec<Subscript>,
    /// What is known where it happens, the conditions on its path included.
    pub facts: Facts,
    /// The loops around it, outermost first.
    pub loops: Vec<LoopIndex>,
    /// It happens in every iteration of the loops deeper than this (number of loops, 0 is the function).
    pub conditional_depth: usize,
    /// The conditions on its path, outermost first. Where a loop may be left early, a condition that is not known
    /// stands for that.
    pub guards: Vec<Guard>,
    /// How many of these are tested before its statement begins; the others are within it (`a && b[i]`).
    pub guards_outside: usize,
    /// Text order of evaluation in the function.
    pub order: usize,
    /// `volatile`.
    pub volatile: bool,
    /// The function whose body holds it, if it happens inside a call (then `stmt` is the call).
    pub called: Option<FunctionRef>,
    /// Symbols on which the address depends (the trip counts of the loops around included) that do not run through
    /// all values between their bounds: values without a closed form, and counters of loops whose trip count is not
    /// known.
    pub irregular: BTreeSet<Symbol>,
    /// It stands for these accesses of a called function: its innermost loop counts the elements that they may touch.
    pub summary: Option<Rc<[Origin]>>,
    /// It goes through a pointer that leads here or there by a condition. If there are several alternatives, its last guard says when it is this one.
    pub choice: Option<Rc<Choice>>,
    /// The pointer in memory through which it goes, of programs that are walked with their directives.
    pub pointer: Option<Rc<Pointer>>,
    /// How many bytes its storage has, where the user says so of the place of the access.
    pub extent: Option<Said>,
}

#[cfg(test)]
impl Access {
    /// A read of so many bytes in the storage of symbol 0, of which nothing else is known.
    pub(crate) fn read_at(address: Expr, size: u64) -> Access {
        Access {
            kind: AccessKind::Read,
            stmt: StmtId(0),
            within: StmtId(0),
            origin: Origin::New,
            root: Some(Symbol(0)),
            address: Some(address),
            size,
            partial: false,
            ty: TypeId(0),
            subscripts: Vec::new(),
            facts: Facts::new(),
            loops: Vec::new(),
            conditional_depth: 0,
            guards: Vec::new(),
            guards_outside: 0,
            order: 0,
            volatile: false,
            called: None,
            irregular: Default::default(),
            pointer: None,
            summary: None,
            choice: None,
            extent: None,
        }
    }
}

impl Access {
    /// Offset in bytes from the root, if both are known.
    pub fn offset(&self) -> Option<Expr> {
        Some(self.address.as_ref()? - &Expr::symbol(self.root?))
    }

    /// Its number among the alternatives of one access; 0 for one without any.
    pub fn alternative(&self) -> usize {
        self.choice.as_ref().map_or(0, |choice| choice.number)
    }

    /// True for a write.
    pub fn is_write(&self) -> bool {
        self.kind == AccessKind::Write
    }
}
