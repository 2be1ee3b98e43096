//! Does storage end while a task that works on it is pending: a variable at the end of its block, function or task, or what is freed?
//!
//! OpenMP 5.0 §2.10.1: who makes a task must see to it that storage which the task shares does not reach the end of its lifetime before the task is done.
//!
//! What it cannot do: follow `break`, `continue` and `goto` out of a block, and tell apart what is allocated in the iterations of one loop.

use super::super::touch::{Touch, outlives};
use super::Walk;
use super::team::Team;
use crate::coherence::Confidence;
use crate::shape::any;
use ferry_ir::{LocalId, Stmt, StmtId, StmtKind, VariableKind, VariableRef};
use ferry_source::{Origin, Span};
use ferry_symbolic::Symbol;
use std::collections::BTreeSet;

/// Where a block, or what a directive governs, ends: its last byte.
fn last_byte(block: &Stmt) -> Origin {
    match block.origin {
        Origin::Text(span) if span.end > span.start => {
            Origin::Text(Span::new(span.file, span.end - 1, span.end))
        }
        other => other,
    }
}

/// The variables that a block declares; one statement of the text may be several.
fn declared_in(body: &[Stmt], found: &mut Vec<LocalId>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Declare { local } => found.push(*local),
            StmtKind::Block { body, scope: false } => declared_in(body, found),
            _ => {}
        }
    }
}

/// A function that is walked.
pub(super) struct Function {
    /// Its variables.
    storage: BTreeSet<Symbol>,
    /// It comes to its end, or to a `return`.
    returns: bool,
}

impl<'a> Walk<'a> {
    fn storage_of(&self, locals: impl Iterator<Item = LocalId>) -> BTreeSet<Symbol> {
        let values = self.program.values;
        let named = locals.filter(|local| {
            values
                .locals
                .get(local.0 as usize)
                .is_some_and(|local| matches!(local.kind, VariableKind::Parameter | VariableKind::Local))
        });
        named
            .filter_map(|local| values.addresses.get(&VariableRef::Local(local)).copied())
            .collect()
    }

    /// A function begins whose variables have these numbers.
    pub(super) fn enter(&mut self, locals: std::ops::Range<u32>) {
        let storage = self.storage_of(locals.map(LocalId));
        self.functions.push(Function {
            storage,
            returns: false,
        });
    }

    /// The function that runs ends with its body, if control gets there.
    pub(super) fn leave(&mut self, body: &Stmt) {
        if !self.unreached {
            self.returns(last_byte(body));
        }
        if let Some(function) = self.functions.pop() {
            self.unreached = !function.returns;
        }
    }

    /// The function that runs ends.
    pub(super) fn returns(&mut self, at: Origin) {
        let Some(function) = self.functions.last_mut() else {
            return;
        };
        function.returns = true;
        let storage = function.storage.clone();
        self.end(&storage, at, Confidence::Proven);
    }

    /// What a statement does is not followed; the function may end in it.
    pub(super) fn skip(&mut self, stmt: &Stmt) {
        let returns = any(stmt, &mut |inner| matches!(inner.kind, StmtKind::Return(_)));
        if let Some(function) = self.functions.last_mut() {
            function.returns |= returns;
        }
        self.with_team(Team::forget);
    }

    /// A block ends.
    pub(super) fn end_of_block(&mut self, block: &Stmt, body: &[Stmt]) {
        let is_scope = matches!(block.kind, StmtKind::Block { scope: true, .. });
        if is_scope && self.is_any_pending() {
            let mut declared = Vec::new();
            declared_in(body, &mut declared);
            let storage = self.storage_of(declared.into_iter());
            // Nothing else gets the storage before the tasks are done: it is wrong, but nobody sees it.
            let most = match self.before_a_barrier.contains(&block.id) {
                true => Confidence::Possible,
                false => Confidence::Proven,
            };
            self.end(&storage, last_byte(block), most);
        }
    }

    /// A task ends, and what it has for itself.
    pub(super) fn end_of_task(&mut self, number: usize, body: &Stmt) {
        let Some(team) = &self.team else { return };
        let homes = team.homes.iter().filter(|(_, home)| **home == number);
        let storage = homes.map(|(root, _)| *root).collect();
        self.end(&storage, last_byte(body), Confidence::Proven);
    }

    /// A call of a function that frees.
    pub(super) fn frees(&mut self, stmt: &Stmt) {
        if !self.is_any_pending() {
            return;
        }
        let effects = self.program.values.effects.iter();
        let released = effects
            .filter(|effect| effect.within == stmt.id && effect.releases)
            // Of several it is not known which.
            .filter_map(|effect| match effect.writes.as_deref() {
                Some([root]) => Some(*root),
                _ => None,
            })
            .collect();
        self.end(&released, stmt.origin, Confidence::Proven);
    }

    fn is_any_pending(&self) -> bool {
        self.team.as_ref().is_some_and(|team| !team.pending.is_empty())
    }

    /// Storage ends, of which a defect is so sure at most.
    fn end(&mut self, storage: &BTreeSet<Symbol>, at: Origin, most: Confidence) {
        for (task, touch, confidence) in self.works_on(storage) {
            self.say(
                task,
                outlives(self.program, task, &touch, at, confidence.max(most)),
            );
        }
    }

    /// The tasks that are pending and touch this storage for certain, with how sure it is that they do so beside what comes here.
    fn works_on(&self, storage: &BTreeSet<Symbol>) -> Vec<(StmtId, Touch, Confidence)> {
        let Some(team) = &self.team else {
            return Vec::new();
        };
        let nothing = BTreeSet::new();
        let running = team.running.last();
        let done = running.map_or(&nothing, |task| &task.done);
        if self.unreached || running.is_some_and(|task| task.silent) || storage.is_empty() {
            return Vec::new();
        }
        let here: BTreeSet<_> = self.conditions.iter().copied().collect();
        let mut found = Vec::new();
        for task in team.pending.iter().filter(|task| !done.contains(&task.number)) {
            let touches = task.touches.iter().filter(|one| {
                let root = one.touch.root;
                // As if all of it were written at its end.
                let mut last = Touch {
                    write: true,
                    atomic: false,
                    later: Vec::new(),
                    ..one.touch.clone()
                };
                let loops = &self.program.values.loops;
                last.loops.retain(|index| {
                    let counter = loops[index.0 as usize].counter;
                    last.address.any_symbol(&|symbol| symbol == counter)
                });
                storage.contains(&root)
                    && one.home == team.homes.get(&root).copied()
                    && one.touch.meets(&last, self.program, task.stmt)
            });
            // The one that is said is the surest, and a write if there is one.
            let sure = touches.filter_map(|one| Some((self.how_sure(&one.conditions, &here)?, one)));
            found.extend(
                sure.min_by_key(|(confidence, one)| (*confidence, !one.touch.write))
                    .map(|(confidence, one)| (task.stmt, one.touch.clone(), confidence)),
            );
        }
        found
    }
}
