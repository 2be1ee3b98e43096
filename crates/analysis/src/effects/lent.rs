//! Which parameters of a static function lead to storage that nobody reads when the call is over?
//!
//! Each caller passes storage of its own (an array, storage that it allocates and releases, or what it was lent itself) and does
//! not read it behind the call. If it passes it again, in a loop or to another call of the same function, that function is
//! the only one to read it: what is left there is then dead if the function reads nothing that it has not written
//! before, which the regions know.
//!
//! What it cannot do: storage that is released on some paths only, or behind a place where the caller may return; callers with labels; storage of which
//! only a part is read later.

use super::Effects;
use super::callers::{callers_of, only_called, pointers};
use crate::alias::{Reach, may_overlap};
use crate::symbols::SymbolKind;
use crate::value::{DirectCall, Values};
use ferry_ir::{Function, FunctionRef, LocalId, Stmt, StmtId, StmtKind, Unit, VariableRef};
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Storage that a caller gives for one call, or for calls of one function only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lent {
    /// Nobody reads it behind the call.
    Once,
    /// Only later calls of the same function read it, through the same parameter.
    Again,
}

/// What is lent to each parameter.
pub(super) type Loans = BTreeMap<(FunctionRef, LocalId), Lent>;

/// Most rounds over the callers: what is lent is handed on this deep.
const ROUNDS: usize = 4;

/// What all callers of static functions lend them.
pub(super) fn all_loans(unit: &Unit, effects: &Effects) -> Loans {
    let mut callees = only_called(unit);
    callees.retain(|id| !pointers(unit, *id).is_empty());
    let callers: Vec<(FunctionRef, Values, Places)> = callers_of(unit, &callees)
        .into_iter()
        .map(|id| {
            let values = crate::value::walk(unit, id, effects, None);
            (id, values, Places::of_function(unit.function(id)))
        })
        .collect();
    let mut known = Loans::new();
    for _ in 0..ROUNDS {
        let mut all: BTreeMap<(FunctionRef, LocalId), Option<Lent>> = BTreeMap::new();
        for (id, values, places) in &callers {
            let caller = Caller {
                unit,
                effects,
                known: &known,
                id: *id,
                values,
                places,
            };
            for call in values.calls.iter().filter(|call| callees.contains(&call.callee)) {
                for parameter in pointers(unit, call.callee) {
                    let own = caller.lends(call, parameter);
                    all.entry((call.callee, parameter))
                        .and_modify(|all| *all = all.and_then(|all| own.map(|own| all.max(own))))
                        .or_insert(own);
                }
            }
        }
        let found: Loans = all
            .into_iter()
            .filter_map(|(parameter, lent)| Some((parameter, lent?)))
            .collect();
        if found == known {
            break;
        }
        known = found;
    }
    known
}

/// Where the statements of a function stand.
struct Places {
    /// Position in the text, and the loops around.
    of: BTreeMap<StmtId, (usize, BTreeSet<StmtId>)>,
    /// Which statement of the function's body holds each statement, and whether it is that one.
    part: BTreeMap<StmtId, (usize, bool)>,
    /// The statements of the body from which the function may return.
    returns: BTreeSet<usize>,
    /// It jumps in ways that the text does not show.
    jumps: bool,
}

impl Places {
    fn of_function(function: &Function) -> Places {
        let mut places = Places {
            of: BTreeMap::new(),
            part: BTreeMap::new(),
            returns: BTreeSet::new(),
            jumps: !function.labels.is_empty(),
        };
        let Some(body) = &function.body else { return places };
        places.add(body, &BTreeSet::new());
        let parts: &[Stmt] = match &body.kind {
            StmtKind::Block { body, .. } => body,
            _ => std::slice::from_ref(body),
        };
        for (number, part) in parts.iter().enumerate() {
            part.walk(&mut |stmt| {
                places.part.insert(stmt.id, (number, stmt.id == part.id));
                if matches!(stmt.kind, StmtKind::Return(_)) {
                    places.returns.insert(number);
                }
            });
        }
        places
    }

    fn add(&mut self, stmt: &Stmt, around: &BTreeSet<StmtId>) {
        self.of.insert(stmt.id, (self.of.len(), around.clone()));
        self.jumps |= matches!(stmt.kind, StmtKind::Opaque { .. });
        let mut inside = around.clone();
        if matches!(stmt.kind, StmtKind::Loop(_)) {
            inside.insert(stmt.id);
        }
        stmt.for_each_child(&mut |child| self.add(child, &inside));
    }

    /// True unless the first statement certainly does not run once the second one has begun.
    fn may_follow(&self, stmt: StmtId, call: StmtId) -> bool {
        let (Some((position, loops)), Some((begins, around))) = (self.of.get(&stmt), self.of.get(&call))
        else {
            return true;
        };
        position > begins || !loops.is_disjoint(around)
    }
}

/// A function that calls others.
struct Caller<'a> {
    unit: &'a Unit,
    effects: &'a Effects,
    /// What was found in the round before.
    known: &'a Loans,
    id: FunctionRef,
    values: &'a Values,
    places: &'a Places,
}

impl Caller<'_> {
    /// How the storage behind one parameter is lent to this call.
    fn lends(&self, call: &DirectCall, parameter: LocalId) -> Option<Lent> {
        let root = call.roots.get(parameter.0 as usize).copied().flatten()?;
        if self.places.jumps || !self.owns(root, call.stmt) {
            return None;
        }
        let reach = Reach {
            unit: self.unit,
            function: self.unit.function(self.id),
            symbols: &self.values.symbols,
            passed: &self.values.passed,
        };
        let overlaps = |other: Symbol| may_overlap(&reach, root, other);
        let reads = self.values.accesses.iter().any(|access| {
            !access.is_write()
                && access.root.is_none_or(overlaps)
                && self.places.may_follow(access.stmt, call.stmt)
        });
        if reads {
            return None;
        }
        let mut lent = Lent::Once;
        for effect in &self.values.effects {
            if !self.places.may_follow(effect.stmt, call.stmt) {
                continue;
            }
            let moves = effect.releases
                && self
                    .callee(effect.stmt)
                    .is_none_or(|callee| self.effects.get(callee).moves);
            let reads = effect.reads.as_ref();
            if !moves && reads.is_some_and(|reads| !reads.iter().copied().any(overlaps)) {
                continue;
            }
            let only_itself =
                reads.is_some_and(|reads| reads.iter().all(|read| *read == root || !overlaps(*read)));
            if moves || !only_itself || !self.passes(effect.stmt, call, parameter, root) {
                return None;
            }
            lent = Lent::Again;
        }
        Some(lent)
    }

    /// True if a statement calls the same function with the same object for the same parameter, and for no other one.
    fn passes(&self, stmt: StmtId, call: &DirectCall, parameter: LocalId, root: Symbol) -> bool {
        let mut calls = self
            .values
            .calls
            .iter()
            .filter(|other| other.stmt == stmt)
            .peekable();
        calls.peek().is_some()
            && calls.all(|other| {
                let mut roots = other.roots.iter().enumerate();
                other.callee == call.callee
                    && roots.all(|(number, own)| (number == parameter.0 as usize) == (*own == Some(root)))
            })
    }

    /// True if the storage is gone, or nobody reads it, when the caller ends.
    fn owns(&self, root: Symbol, call: StmtId) -> bool {
        match &self.values.symbols.info(root).kind {
            SymbolKind::Address(VariableRef::Local(_)) => true,
            SymbolKind::Allocated(_) => self.is_released(root, call),
            SymbolKind::Entry(VariableRef::Local(local)) => {
                self.known.get(&(self.id, *local)) == Some(&Lent::Once)
            }
            _ => false,
        }
    }

    /// True if the caller certainly releases the storage behind a call.
    fn is_released(&self, root: Symbol, call: StmtId) -> bool {
        let Some((from, _)) = self.places.part.get(&call) else {
            return false;
        };
        self.values.effects.iter().any(|effect| {
            let releases = effect.releases
                && effect.writes.as_deref() == Some(&[root])
                && self.callee(effect.stmt).is_some_and(|callee| {
                    let known = self.effects.get(callee);
                    known.releases && !known.moves
                });
            // In no other statement, so that no condition decides.
            let to = self.places.part.get(&effect.stmt).filter(|(_, alone)| *alone);
            releases
                && to.is_some_and(|(to, _)| from < to && self.places.returns.range(from..to).next().is_none())
        })
    }

    /// The function that a statement calls by its name.
    fn callee(&self, stmt: StmtId) -> Option<FunctionRef> {
        let mut calls = self.values.calls.iter();
        calls.find(|call| call.stmt == stmt).map(|call| call.callee)
    }
}
