//! Where is the valid copy of every section of every object, host or device, and who reads the other one?
//!
//! The principle (OmpSan, §1.2): a program means the same with its directives as without. The program is walked as if its directives were comments, from
//! `main` on, and from every function that nothing in the file calls; beside that, each piece of each object is followed in two memories (`copies`,
//! `object`). A read that finds another value than the sequential program has is a defect, with the write that it misses and the clause that did not
//! move it.
//!
//! What it rests on: pointers that are parameters of one function, or come out of memory, do not lead to the same storage under two names, and functions of
//! other files have no directives for the data of this one.
//!
//! It shares nothing with the part that places transfers but the facts, and judges it.

mod around;
mod asked;
mod book;
mod bound;
mod construct;
mod copies;
mod defect;
mod followed;
mod history;
mod holes;
mod ledger;
mod lent;
mod object;
mod recurrence;
mod repeated;
mod runtime;
mod state;
mod switch;
mod touches;
mod unattached;
mod walk;

pub use defect::{Confidence, Defect, Kind, Moved};
pub use history::{Act, History, Step, There};
pub use walk::moves as is_data_directive;

use crate::effects::OfProgram;
use crate::symbols::Cause;
use crate::value::{Values, walk_program};
use book::Judged;
use ferry_directive::{Language, Version};
use ferry_ir::{FunctionRef, GlobalId, Linkage, Stmt, StmtKind, Unit};
use ferry_source::{Origin, Span};
use ferry_symbolic::Symbol;
use std::collections::BTreeSet;
use walk::Walk;

/// How directives are read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// With a language, directives of the other one are comments.
    pub language: Option<Language>,
    /// The edition of OpenMP: before 5.0 a reduction variable is not mapped by its clause (4.5 §2.15.5, 5.0 §2.19.7).
    pub openmp: Version,
}

/// What was found from one function on.
pub struct Found {
    /// The function.
    pub function: FunctionRef,
    /// Its values, to name symbols by.
    pub values: Values,
    /// What is wrong.
    pub defects: Vec<Defect>,
    /// At how many places it is not known whether data are on the device. More of them in a changed program are things that nobody looked at.
    pub unsure: usize,
    /// From where on nothing is sure.
    pub blind: Option<Cause>,
    /// What the directive that was asked for does.
    pub history: History,
    /// A call of a function of the run time that moves data, of which it is not clear what it does.
    pub not_followed: Option<Origin>,
    /// Transfers that could be left out or done less often, if that was asked.
    pub advice: Vec<Defect>,
}

/// Follows the data of a unit, and gives advice on transfers only: those that change nothing, in any of the walks. What is wrong with an object keeps it from advice.
pub fn advise(
    unit: &Unit,
    effects: &OfProgram<'_>,
    always: &BTreeSet<GlobalId>,
    reading: Reading,
) -> Vec<Found> {
    walked(unit, effects, always, reading, None, true)
}

/// Follows the data of a unit. `always` are variables that live on both sides (`declare target`).
/// Of the directive at `wanted`, if one is asked for, its history is kept.
pub fn follow(
    unit: &Unit,
    effects: &OfProgram<'_>,
    always: &BTreeSet<GlobalId>,
    reading: Reading,
    wanted: Option<Span>,
) -> Vec<Found> {
    walked(unit, effects, always, reading, wanted, false)
}

fn walked(
    unit: &Unit,
    effects: &OfProgram<'_>,
    always: &BTreeSet<GlobalId>,
    reading: Reading,
    wanted: Option<Span>,
    with_book: bool,
) -> Vec<Found> {
    let has_directives = |id: FunctionRef| {
        unit.function(id)
            .body
            .as_ref()
            .is_some_and(|body| moves_data(unit, body))
    };
    if !unit.functions().any(|(id, _)| has_directives(id)) {
        return Vec::new();
    }
    let effects = effects.get();
    let called = called(unit);
    let moving = moving(unit);
    let mut entries: Vec<FunctionRef> = Vec::new();
    let bodies = || unit.functions().filter(|(_, function)| function.body.is_some());
    entries.extend(bodies().filter(|(_, one)| one.name == "main").map(|(id, _)| id));
    entries.extend(
        bodies()
            .map(|(id, _)| id)
            .filter(|id| !called.contains(id) && !entries.contains(id))
            .collect::<Vec<_>>(),
    );
    let mut entered = BTreeSet::new();
    let mut found = Vec::new();
    let mut judged = Vec::new();
    let is_whole = std::cell::Cell::new(false);
    let mut follow = |function: FunctionRef, entered: &mut BTreeSet<FunctionRef>| {
        let values = walk_program(unit, function, effects);
        let mut walk = Walk::new(unit, function, effects, &values, always, reading, &moving);
        walk.history.wanted = wanted;
        if with_book {
            walk = walk.with_book();
        }
        walk.run();
        judged.push(walk.judged());
        if unit.function(function).name == "main" && !walk.is_opaque() {
            is_whole.set(true);
        }
        entered.append(&mut walk.entered);
        let (defects, blind) = (std::mem::take(&mut walk.defects), walk.blind.take());
        let (unsure, not_followed) = (walk.unsure.len(), walk.not_followed);
        let history = std::mem::take(&mut walk.history);
        drop(walk);
        found.push(Found {
            function,
            values,
            defects,
            unsure,
            blind,
            history,
            not_followed,
            advice: Vec::new(),
        });
    };
    for function in entries {
        follow(function, &mut entered);
    }
    // What no entry could be followed into is looked at by itself.
    for (id, _) in bodies() {
        if has_directives(id) && !entered.contains(&id) {
            follow(id, &mut entered);
        }
    }
    if !with_book {
        return found;
    }
    // What other files may call is looked at by itself, too: with other data.
    if !is_whole.get() {
        for (id, one) in bodies() {
            if one.linkage == Linkage::External && called.contains(&id) && moving.contains(&id) {
                follow(id, &mut entered);
            }
        }
    }
    // Where one walk is not sure of anything, nothing is needed for sure.
    let judged: Option<Vec<Judged>> = judged.into_iter().collect();
    let Some(mut judged) = judged else { return found };
    for (one, advice) in found.iter_mut().zip(book::agreed(&mut judged)) {
        let wrong: BTreeSet<Symbol> = one
            .defects
            .iter()
            .filter(|defect| spoils(defect))
            .map(|defect| defect.root)
            .collect();
        one.advice = advice
            .into_iter()
            .filter(|defect| !wrong.contains(&defect.root))
            .collect();
    }
    found
}

/// True for defects that have to be mended before transfers of the object are looked at.
fn spoils(defect: &Defect) -> bool {
    defect.confidence != Confidence::Possible
        && !matches!(defect.kind, Kind::EnterWithoutExit | Kind::ExitOfNothing)
}

/// True if something in a statement puts data on the device, moves them, or runs there.
pub fn moves_data(unit: &Unit, body: &Stmt) -> bool {
    let mut found = false;
    body.walk(&mut |stmt| {
        found |= matches!(&stmt.kind, StmtKind::Directive { directive, .. } if walk::moves(directive))
            || runtime::of_call(unit, stmt).is_some();
    });
    found
}

/// The functions that move data, themselves or by what they call.
pub fn moving(unit: &Unit) -> BTreeSet<FunctionRef> {
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (id, function) in unit.functions() {
            let Some(body) = &function.body else { continue };
            let mut moves = moves_data(unit, body);
            body.walk(&mut |stmt| {
                if let StmtKind::Call {
                    callee: ferry_ir::Callee::Function(callee),
                    ..
                } = &stmt.kind
                {
                    moves |= found.contains(callee);
                }
            });
            if moves {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The functions that something in the unit calls.
pub(crate) fn called(unit: &Unit) -> BTreeSet<FunctionRef> {
    let mut found = BTreeSet::new();
    for (_, function) in unit.functions() {
        if let Some(body) = &function.body {
            body.walk(&mut |stmt| {
                if let StmtKind::Call {
                    callee: ferry_ir::Callee::Function(id),
                    ..
                } = &stmt.kind
                {
                    found.insert(*id);
                }
            });
        }
    }
    found
}
