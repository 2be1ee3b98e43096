//! What does every variable hold at one point of the program?

use ferry_ir::{StmtId, Type, TypeId, Types, VariableRef};
use ferry_symbolic::{Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A piece of memory with a known value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// First byte.
    pub address: Expr,
    /// How many bytes.
    pub size: u64,
    /// How the bytes are read as an integer: the same bytes may be another number as another type. `None`: a pointer.
    pub signed: Option<bool>,
}

impl Cell {
    /// Memory that is read as a value of type `ty`.
    pub fn new(types: &Types, address: Expr, size: u64, ty: TypeId) -> Cell {
        let signed = match types.get(ty) {
            Type::Int { signed, .. } => Some(*signed),
            Type::Bool => Some(false),
            _ => None,
        };
        Cell {
            address,
            size,
            signed,
        }
    }
}

/// Size of a pointer in bytes.
pub const POINTER: u64 = 8;

/// Pointers side by side in memory, of which each is known by its number.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// The first byte of the first one.
    pub start: Expr,
    /// How many there are.
    pub count: Expr,
    /// The number of a pointer, counted from 0, in `value`.
    pub number: Symbol,
    /// What each one is.
    pub value: Filled,
}

/// What a loop has put into a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Filled {
    /// A value in terms of the number.
    Known(Expr),
    /// Storage of its own for each, that one statement allocated.
    Fresh(StmtId),
}

/// How much storage there is where the user says it.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// How many bytes.
    pub bytes: Expr,
    /// From which point of the order of evaluation on.
    pub since: usize,
}

/// How many threads the program has asked the run time for, for regions that do not say it themselves (nthreads-var of OpenMP).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum AskedThreads {
    /// More than one, or nothing was asked for.
    #[default]
    Several,
    /// One, so that there are no others.
    One,
    /// One or more.
    Undecided,
}

impl AskedThreads {
    /// What holds where two paths meet.
    pub fn join(self, other: AskedThreads) -> AskedThreads {
        match self == other {
            true => self,
            false => AskedThreads::Undecided,
        }
    }

    /// True if there are several, false if there is one, `None` if that is not decided.
    pub fn several(self) -> Option<bool> {
        match self {
            AskedThreads::Several => Some(true),
            AskedThreads::One => Some(false),
            AskedThreads::Undecided => None,
        }
    }
}

/// Values at one point. Variables that are missing are unknown.
#[derive(Clone, Default)]
pub struct State {
    /// Integer and pointer variables that only their own name can reach. Pointers count in bytes.
    pub variables: Rc<BTreeMap<VariableRef, Expr>>,
    /// Memory.
    pub cells: Rc<BTreeMap<Cell, Expr>>,
    /// Tables of pointers in memory.
    pub tables: Rc<Vec<Table>>,
    /// How many bytes of storage there are, by its root, where the user says it.
    pub extents: Rc<BTreeMap<Symbol, Said>>,
    /// Values in memory of which the user says that they can be read.
    pub promised: Rc<BTreeSet<Symbol>>,
    /// Threads of the regions that begin here; followed where directives are walked only.
    pub threads: AskedThreads,
    /// Conditions that hold here.
    pub facts: Facts,
}

impl State {
    /// Value of a variable.
    pub fn get(&self, variable: VariableRef) -> Option<&Expr> {
        self.variables.get(&variable)
    }

    /// The variable holds this from here on.
    pub fn set(&mut self, variable: VariableRef, value: Expr) {
        Rc::make_mut(&mut self.variables).insert(variable, value);
    }

    /// The variable is unknown from here on.
    pub fn forget(&mut self, variable: VariableRef) {
        if self.variables.contains_key(&variable) {
            Rc::make_mut(&mut self.variables).remove(&variable);
        }
    }
}
