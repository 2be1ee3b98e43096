//! What keeps a statement apart from others: which critical regions is it in, which locks are held?
//!
//! A lock is known by its object. Two locks are taken for different only where they are different variables or allocations; elements of one array, members of
//! one structure, and what pointers of unknown origin lead to may be one lock. A lock that is taken on one of two paths counts as held behind both.
//!
//! What it cannot do: locks made of anything else, of atomic operations for example. `omp_test_lock` counts as if it always took the lock.

use super::Program;
use crate::effects::library::lock_verb;
use crate::symbols::SymbolKind;
use ferry_directive::{Directive, Item};
use ferry_ir::{Expr as Code, StmtId};
use ferry_symbolic::Symbol;
use std::collections::BTreeSet;

/// Something that only one thread can have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lock {
    /// The critical regions of a name; empty without one.
    Critical(String),
    /// A lock variable.
    Object(Symbol),
    /// It may be any.
    Any,
}

/// What a statement holds.
pub(super) type Held = BTreeSet<Lock>;

/// What a call does to a lock.
pub(super) enum Call {
    Takes(Lock),
    Releases(Lock),
    /// It only makes or destroys one.
    Prepares,
}

impl Call {
    /// Changes what is held; true if it takes a lock. What of several it may release counts as held on.
    pub fn change(self, held: &mut Held) -> bool {
        match self {
            Call::Takes(lock) => {
                held.insert(lock);
                true
            }
            Call::Releases(Lock::Any) | Call::Prepares => false,
            Call::Releases(lock) => {
                held.remove(&lock);
                false
            }
        }
    }
}

/// The lock of a critical region.
pub(super) fn critical(directive: &Directive<Code>) -> Lock {
    let items = directive
        .arguments
        .as_ref()
        .map(|arguments| arguments.items.as_slice());
    match items {
        None | Some([]) => Lock::Critical(String::new()),
        Some([Item::Word(name) | Item::Raw(name)]) => Lock::Critical(name.clone()),
        Some(_) => Lock::Any,
    }
}

/// What a call of one of OpenMP's functions does; `None` for other functions.
pub(super) fn call(program: &Program<'_>, stmt: StmtId, name: &str) -> Option<Call> {
    match lock_verb(name)? {
        "set" | "test" => Some(Call::Takes(object(program, stmt))),
        "unset" => Some(Call::Releases(object(program, stmt))),
        "init" | "destroy" => Some(Call::Prepares),
        _ => None,
    }
}

/// The lock that a call is given.
fn object(program: &Program<'_>, call: StmtId) -> Lock {
    let Some(effect) = program.effect(call) else {
        return Lock::Any;
    };
    match effect.reads.as_deref() {
        Some([root]) => match program.values.symbols.info(*root).kind {
            SymbolKind::Address(_) | SymbolKind::Allocated(_) | SymbolKind::CalleeVariable { .. } => {
                Lock::Object(*root)
            }
            _ => Lock::Any,
        },
        _ => Lock::Any,
    }
}

/// True if two statements may hold one lock.
pub(super) fn may_exclude(a: &Held, b: &Held) -> bool {
    let any = |one: &Held, other: &Held| one.contains(&Lock::Any) && !other.is_empty();
    any(a, b) || any(b, a) || a.intersection(b).next().is_some()
}
