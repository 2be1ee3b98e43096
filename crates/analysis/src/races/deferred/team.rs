//! What is known of a team of threads while it makes tasks: which are pending, which one runs, and which variables each has for itself?

use super::super::depend::Dependence;
use super::super::lock::Held;
use super::super::touch::Touch;
use crate::coherence::{Confidence, Defect};
use ferry_ir::StmtId;
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Most tasks that are pending at a time.
const MOST: usize = 40;
/// In the place of the task that made another one: a thread, perhaps not the one that is walked.
const ANY_THREAD: usize = usize::MAX;

/// A touch with all that decides whether it races.
#[derive(Clone)]
pub(super) struct Mine {
    pub touch: Touch,
    /// The task that has this storage for itself; `None`: all threads share it.
    pub home: Option<usize>,
    pub held: Held,
    /// The constant that is stored.
    pub constant: Option<i128>,
    /// The statement.
    pub stmt: StmtId,
    /// The conditions around it.
    pub conditions: BTreeSet<Passed>,
}

/// A condition on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Passed {
    pub stmt: StmtId,
    pub branch: Branch,
    /// In how many loops around this is the next iteration, in which it may come out otherwise.
    pub later: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Branch {
    Then,
    Otherwise,
    /// Behind one of which a branch may have left what is around it.
    Behind,
    /// In a loop of which it is not known how often it runs.
    Perhaps,
    /// In a loop of which it is known how often it runs, but not as a number; `later` does not count.
    Counted,
    /// In a task that runs later only if its clauses say so.
    Deferred,
}

/// A task that may not be done yet.
#[derive(Clone)]
pub(super) struct Task {
    pub number: usize,
    /// The task that made it; 0 is the thread, [`ANY_THREAD`] one of them.
    pub parent: usize,
    pub stmt: StmtId,
    pub touches: Vec<Mine>,
    pub dependences: Vec<Dependence>,
    /// Children of the same task that are done before it begins.
    pub after: BTreeSet<usize>,
}

/// A task whose statements are walked.
pub(super) struct Running {
    pub number: usize,
    pub touches: Vec<Mine>,
    /// Pending tasks that are done, if this one runs.
    pub done: BTreeSet<usize>,
    /// Its children run at once; `None` if that is not known.
    pub is_final: Option<bool>,
    /// Something in it may have waited in a way that is not followed.
    pub silent: bool,
}

/// A region of threads that is walked.
pub(super) struct Team {
    pub stmt: StmtId,
    /// How sure it is that there are several threads.
    pub sure: Confidence,
    /// One of them runs what is walked.
    pub of_one: bool,
    /// How many conditions are around it.
    pub conditions: usize,
    pub pending: Vec<Task>,
    pub running: Vec<Running>,
    /// Which task has a variable for itself.
    pub homes: BTreeMap<Symbol, usize>,
    pub held: Held,
    /// Accesses that are atomic.
    pub atomic: BTreeSet<usize>,
    /// It may order itself in ways that are not followed.
    pub by_hand: bool,
    /// Values have decided a condition, which may be others in each thread.
    pub chosen: bool,
    /// Loops of unknown length around.
    pub endless: usize,
    pub found: Vec<Defect>,
}

impl Team {
    /// At the beginning of a region of threads, with so many conditions around it.
    pub fn new(stmt: StmtId, sure: Confidence, conditions: usize) -> Team {
        Team {
            stmt,
            sure,
            of_one: false,
            conditions,
            pending: Vec::new(),
            running: Vec::new(),
            homes: BTreeMap::new(),
            held: Held::new(),
            atomic: BTreeSet::new(),
            by_hand: false,
            chosen: false,
            endless: 0,
            found: Vec::new(),
        }
    }

    /// The task that runs; 0 is the thread.
    pub fn current(&self) -> usize {
        self.running.last().map_or(0, |task| task.number)
    }

    /// The task that runs has waited for these, and so for what they depend on. Who made it has not: for others it is as if it had done itself what they did.
    pub fn remove(&mut self, is_done: impl Fn(&Task) -> bool) {
        let mut before: BTreeSet<usize> = BTreeSet::new();
        for task in self.pending.iter().filter(|task| is_done(task)) {
            before.extend(&task.after);
        }
        let is_done = |task: &Task| is_done(task) || before.contains(&task.number);
        let pending = std::mem::take(&mut self.pending);
        let (done, pending): (Vec<Task>, Vec<Task>) = pending.into_iter().partition(is_done);
        self.pending = pending;
        if let Some(running) = self.running.last_mut() {
            running
                .touches
                .extend(done.into_iter().flat_map(|task| task.touches));
        }
    }

    /// Waits for the children of the task that runs.
    pub fn wait(&mut self) {
        let current = self.current();
        self.remove(|task| task.parent == current);
    }

    /// It is not known what is done.
    pub fn forget(&mut self) {
        match self.running.last_mut() {
            Some(task) => task.silent = true,
            None => self.pending.clear(),
        }
    }

    /// Other threads go on, too, while tasks are pending that one of them has made: what each thread has for itself they do not share, and unless it is always the same
    /// thread, none of them need be the one for which `taskwait` and `depend` mean these tasks.
    pub fn pass_on(&mut self, is_one_thread: bool) {
        for task in &mut self.pending {
            task.touches.retain(|one| one.home.is_none());
            if !is_one_thread && task.parent == 0 {
                task.parent = ANY_THREAD;
            }
        }
    }

    /// The variable begins anew: what tasks do that are pending is done to another one.
    pub fn renew(&mut self, root: Symbol) {
        for task in &mut self.pending {
            task.touches.retain(|one| one.touch.root != root);
        }
    }

    /// It may be ordered in ways that are not followed.
    pub fn order_by_hand(&mut self) {
        self.by_hand = true;
    }

    /// It may run from here on.
    pub fn push(&mut self, task: Task) {
        self.pending.push(task);
        if self.pending.len() > MOST {
            self.pending.remove(0);
        }
    }
}
