//! Do two touches race: one of a task that is pending, one of who goes on?

use super::super::lock::may_exclude;
use super::super::touch::{Touch, is_fixed, is_whole, unordered};
use super::Walk;
use super::team::{Branch, Mine, Passed, Task};
use crate::access::Access;
use crate::coherence::{Confidence, Defect};
use crate::loops::LoopIndex;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// The loops around an access of which it is known how often they run.
fn counted(values: &Values, access: &Access) -> Vec<LoopIndex> {
    let mut all = access.loops.clone();
    all.retain(|index| values.loops[index.0 as usize].trip.is_ok());
    all
}

/// True for a plain access whose address does not go by the iteration of a loop of unknown length: in such a loop it is compared within one iteration.
fn is_certain(values: &Values, access: &Access, counted: &[LoopIndex]) -> bool {
    let open = access.loops.iter().filter(|index| !counted.contains(index));
    let open: BTreeSet<Symbol> = open.map(|index| values.loops[index.0 as usize].counter).collect();
    is_whole(access)
        && access.irregular.is_subset(&open)
        && !access
            .address
            .as_ref()
            .is_some_and(|address| address.any_symbol(&|symbol| open.contains(&symbol)))
}

impl Walk<'_> {
    /// What a statement itself touches for certain, against the tasks that are pending.
    pub(super) fn touches(&mut self, stmt: StmtId, is_meant: impl Fn(bool) -> bool) {
        let values = self.program.values;
        let most = self.others + self.passed();
        for number in self.program.accesses(stmt) {
            let access = &values.accesses[number];
            let Some(team) = &mut self.team else { return };
            if access.volatile && team.endless > 0 {
                team.by_hand = true;
            }
            if team.running.last().is_some_and(|task| task.silent) || !is_meant(access.is_write()) {
                continue;
            }
            let (Some(root), Some(address)) = (access.root, &access.address) else {
                continue;
            };
            let loops = counted(values, access);
            if access.guards.len() as isize > most
                || !is_certain(values, access, &loops)
                || access.facts.infeasible()
                || !is_fixed(values, address, &loops)
                || self.program.is_of_a_thread(address)
            {
                continue;
            }
            let mine = Mine {
                touch: Touch {
                    atomic: team.atomic.contains(&number),
                    loops,
                    ..Touch::of(access, root, address, &self.later)
                },
                home: team.homes.get(&root).copied(),
                held: team.held.clone(),
                constant: self.program.constants.get(&access.within).copied(),
                stmt: access.within,
                conditions: self.conditions.iter().copied().collect(),
            };
            self.against_pending(&mine);
            if let Some(task) = self.team.as_mut().and_then(|team| team.running.last_mut()) {
                task.touches.push(mine);
            }
        }
    }

    /// Says the last task that is pending and touches the same.
    pub(super) fn against_pending(&mut self, mine: &Mine) {
        let Some(team) = &self.team else { return };
        let nothing = BTreeSet::new();
        let done = team.running.last().map_or(&nothing, |task| &task.done);
        let mut pairs = self.pairs;
        let pending = team.pending.iter().rev();
        let pending = pending.filter(|task| !done.contains(&task.number));
        let found = pending
            .filter(|task| !self.said.contains(&(task.stmt, mine.touch.root)))
            .find_map(|task| {
                let other = task.touches.iter().find(|other| {
                    let may = other.home == mine.home
                        && other.touch.may_conflict(&mine.touch)
                        && !may_exclude(&other.held, &mine.held)
                        && !(other.constant.is_some() && other.constant == mine.constant);
                    if !may || pairs == 0 {
                        return false;
                    }
                    pairs -= 1;
                    other.touch.meets(&mine.touch, self.program, task.stmt)
                })?;
                Some((task.stmt, other.clone()))
            });
        self.pairs = pairs;
        if let Some((task, other)) = found {
            self.report(task, &other, mine);
        }
    }

    fn report(&mut self, task: StmtId, first: &Mine, second: &Mine) {
        let Some(confidence) = self.how_sure(&first.conditions, &second.conditions) else {
            return;
        };
        let both = [&first.touch, &second.touch];
        self.say(task, unordered(self.program, task, both, confidence));
    }

    /// Keeps a defect of a task, unless something was said of it with this storage.
    pub(super) fn say(&mut self, task: StmtId, defect: Defect) {
        let new = self.said.insert((task, defect.root));
        if let (true, Some(team)) = (new, &mut self.team) {
            team.found.push(defect);
        }
    }

    /// How sure it is that two things happen under these conditions; `None`: not sure enough to be said. A loop of counted length is taken to run, as for all races,
    /// but not where a condition differs, too: that it does not run may be what is asked (`if (n == 0) return`).
    pub(super) fn how_sure(&self, first: &BTreeSet<Passed>, second: &BTreeSet<Passed>) -> Option<Confidence> {
        let differ = first.symmetric_difference(second);
        let (loops, others): (Vec<&Passed>, Vec<&Passed>) =
            differ.partition(|one| one.branch == Branch::Counted);
        match (others.len(), self.team.as_ref()?.sure) {
            (0, sure) => Some(sure),
            (1, Confidence::Proven) if loops.is_empty() => Some(Confidence::Likely),
            _ => None,
        }
    }

    /// Where all threads make a task: it races with that of another thread if it updates what all share.
    pub(super) fn beside_itself(&mut self, task: &Task) {
        let Some(team) = &self.team else { return };
        if team.of_one || team.chosen || task.parent != 0 || !team.held.is_empty() {
            return;
        }
        let first = self
            .program
            .values
            .first_symbols
            .get(&team.stmt)
            .copied()
            .unwrap_or(0);
        // Values that came up inside of the region may be others in each thread.
        let is_same = |address: &Expr| {
            address.symbols().into_iter().all(|symbol| {
                symbol.0 < first
                    || matches!(
                        self.program.values.symbols.info(symbol).kind,
                        SymbolKind::Address(_) | SymbolKind::Entry(_)
                    )
            })
        };
        let updates = task.touches.iter().find_map(|write| {
            let read = task.touches.iter().find(|read| {
                !read.touch.write && read.stmt == write.stmt && read.touch.address == write.touch.address
            })?;
            // Which element it is may be another one for each thread.
            let plain = self.program.sets_variables.contains(&write.stmt)
                && write.touch.write
                && !write.touch.atomic
                && write.held.is_empty()
                && write.conditions.len() <= team.conditions;
            (plain && write.home.is_none() && write.touch.loops.is_empty() && is_same(&write.touch.address))
                .then(|| (read.clone(), write.clone()))
        });
        if let Some((read, write)) = updates {
            self.report(task.stmt, &write, &read);
        }
    }
}
