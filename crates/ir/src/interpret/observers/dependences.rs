//! Which iterations depend on which? For every loop, the flow, anti and output dependences between different
//! iterations of one execution, by object and by the two places; and what privatisation needs to know.
//!
//! For each byte the last write and the reads of the last two iterations that read it are remembered, which finds for
//! every object whether there is a dependence of each kind, though not every pair of iterations. Iterations number
//! the executions of the body; the test and the step that follow a body belong to its iteration and are marked.
//! This judges verdicts (DESIGN.md, judge 3).

use crate::interpret::{Access, AccessKind, LoopEvent, LoopKey, Object, Observer, Site, View};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap};

/// What depends on what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependenceKind {
    /// A read of a value that an earlier iteration wrote.
    Flow,
    /// A write over a value that an earlier iteration read.
    Anti,
    /// A write over a value that an earlier iteration wrote.
    Output,
}

/// One end of a dependence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct End {
    /// The place in the program, a key of [`Dependences::sites`].
    pub site: u32,
    /// In the test or the step of the loop, not in its body.
    pub header: bool,
}

/// All dependences of one kind between two places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dependence {
    /// How often it was seen, in bytes.
    pub bytes: u64,
    /// Least distance in iterations, at least 1.
    pub least: u64,
    /// Greatest distance in iterations.
    pub greatest: u64,
}

/// One object in one loop, over all executions of the loop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectReport {
    /// Dependences between iterations: kind, earlier end, later end.
    pub dependences: BTreeMap<(DependenceKind, End, End), Dependence>,
    /// Read somewhere in the loop.
    pub read: bool,
    /// Written somewhere in the loop.
    pub written: bool,
    /// Some iteration reads, before it writes it, a byte that some iteration of the same execution writes: a private
    /// copy without a first value would be wrong.
    pub exposed: bool,
    /// After the loop a byte is read that the loop wrote last.
    pub live_out: bool,
    /// Such a byte was not written by the last iteration: `lastprivate` would be wrong.
    pub live_out_of_earlier: bool,
}

impl ObjectReport {
    /// True if there is a dependence of this kind. Those with an end in the header count if `header`.
    pub fn carries(&self, kind: DependenceKind, header: bool) -> bool {
        let mut keys = self.dependences.keys();
        keys.any(|(other, a, b)| *other == kind && (header || !(a.header || b.header)))
    }
}

/// One loop, over all its executions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopReport {
    /// How often the loop was entered.
    pub executions: u64,
    /// How often its body ran, in all.
    pub iterations: u64,
    /// The most that its body ran in one execution.
    pub most_iterations: u64,
    /// What it did to each object. Objects of different executions of one declaration are one object here.
    pub objects: BTreeMap<Object, ObjectReport>,
}

/// Iteration + 1, 0 for none.
type Stamp = u32;

const HEADER: u32 = 1 << 31;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Cell {
    write: Stamp,
    write_site: u32,
    read: Stamp,
    read_site: u32,
    earlier_read: Stamp,
    earlier_site: u32,
    exposed: bool,
}

/// One allocation in one execution of a loop.
struct Tracked {
    object: Object,
    cells: Vec<Cell>,
    report: ObjectReport,
}

struct Running {
    key: LoopKey,
    stamp: Stamp,
    in_body: bool,
    /// Number of the first allocation that was not yet born when the iteration began.
    began: u64,
    tracked: Numbered<Tracked>,
}

/// A map by allocation numbers.
type Numbered<T> = FxHashMap<u64, T>;

/// Values that loops left: for a set number, the loops (with whether their last iteration wrote it).
#[derive(Default)]
struct LeftBy {
    sets: Vec<Vec<(LoopKey, bool)>>,
    numbers: HashMap<Vec<(LoopKey, bool)>, u32>,
    sums: HashMap<(u32, LoopKey, bool), u32>,
}

impl LeftBy {
    fn add(&mut self, set: u32, key: LoopKey, last: bool) -> u32 {
        if let Some(&sum) = self.sums.get(&(set, key, last)) {
            return sum;
        }
        let mut loops = self.get(set).to_vec();
        loops.retain(|(other, _)| *other != key);
        loops.push((key, last));
        loops.sort();
        let next = self.sets.len() as u32 + 1;
        let sum = *self.numbers.entry(loops.clone()).or_insert(next);
        if sum == next {
            self.sets.push(loops);
        }
        self.sums.insert((set, key, last), sum);
        sum
    }

    fn get(&self, set: u32) -> &[(LoopKey, bool)] {
        (set as usize)
            .checked_sub(1)
            .and_then(|index| self.sets.get(index))
            .map_or(&[], Vec::as_slice)
    }
}

/// Records dependences between iterations of all loops.
#[derive(Default)]
pub struct Dependences {
    /// What was seen in each loop that was entered.
    pub loops: BTreeMap<LoopKey, LoopReport>,
    /// What each site is.
    pub sites: HashMap<u32, Site>,
    running: Vec<Running>,
    seen: Vec<bool>,
    /// Number of the first allocation that is not yet born.
    born: u64,
    left: Numbered<Vec<u32>>,
    left_by: LeftBy,
}

impl Dependences {
    /// Nothing seen yet.
    pub fn new() -> Dependences {
        Dependences::default()
    }

    fn note_live_out(&mut self, access: &Access<'_>) {
        let Some(left) = self.left.get_mut(&access.allocation) else {
            return;
        };
        let start = (access.offset as usize).min(left.len());
        let end = (start + access.size as usize).min(left.len());
        let mut last = 0;
        for set in &mut left[start..end] {
            if access.kind == AccessKind::Write {
                *set = 0;
            } else if *set != 0 && *set != last {
                last = *set;
                for &(key, of_last) in self.left_by.get(*set) {
                    let report = self
                        .loops
                        .entry(key)
                        .or_default()
                        .objects
                        .entry(access.object)
                        .or_default();
                    report.live_out = true;
                    report.live_out_of_earlier |= !of_last;
                }
            }
        }
    }

    fn leave(&mut self, running: Running) {
        let report = self.loops.entry(running.key).or_default();
        report.iterations += u64::from(running.stamp);
        report.most_iterations = report.most_iterations.max(u64::from(running.stamp));
        for (allocation, tracked) in running.tracked {
            report
                .objects
                .entry(tracked.object)
                .or_default()
                .add(&tracked.report);
            let left = self.left.entry(allocation).or_default();
            if left.len() < tracked.cells.len() {
                left.resize(tracked.cells.len(), 0);
            }
            for (set, cell) in left.iter_mut().zip(&tracked.cells) {
                if cell.write != 0 {
                    *set = self
                        .left_by
                        .add(*set, running.key, cell.write == running.stamp + 1);
                }
            }
        }
    }
}

fn end(site: u32) -> End {
    End {
        site: site & !HEADER,
        header: site & HEADER != 0,
    }
}

impl Running {
    /// Adds what one access means for this loop.
    fn record(&mut self, access: &Access<'_>) {
        let site = access.site | if self.in_body { 0 } else { HEADER };
        // The test before the first body counts as a part of the first iteration's past.
        let now = self.stamp + 1;
        let fresh = access.allocation >= self.began;
        let tracked = self.tracked.entry(access.allocation).or_insert_with(|| Tracked {
            object: access.object,
            cells: Vec::new(),
            report: ObjectReport::default(),
        });
        let report = &mut tracked.report;
        report.read |= access.kind == AccessKind::Read;
        report.written |= access.kind == AccessKind::Write;
        let start = access.offset as usize;
        let stop = start + access.size as usize;
        if tracked.cells.len() < stop {
            tracked.cells.resize(stop, Cell::default());
        }
        let mut rest = &mut tracked.cells[start..stop];
        // Neighbouring bytes mostly have the same past.
        while let Some(&old) = rest.first() {
            let same = rest.iter().take_while(|cell| **cell == old).count();
            let new = match access.kind {
                AccessKind::Read => report.read(old, now, site, fresh, same as u64),
                AccessKind::Write => report.write(old, now, site, same as u64),
            };
            rest[..same].fill(new);
            rest = &mut rest[same..];
        }
    }
}

impl ObjectReport {
    fn found(&mut self, kind: DependenceKind, from: u32, to: u32, distance: Stamp, bytes: u64) {
        let distance = u64::from(distance);
        let found = self
            .dependences
            .entry((kind, end(from), end(to)))
            .or_insert(Dependence {
                bytes: 0,
                least: distance,
                greatest: distance,
            });
        found.bytes += bytes;
        found.least = found.least.min(distance);
        found.greatest = found.greatest.max(distance);
    }

    fn read(&mut self, old: Cell, now: Stamp, site: u32, fresh: bool, bytes: u64) -> Cell {
        let mut cell = old;
        if cell.write != 0 && cell.write != now {
            self.found(
                DependenceKind::Flow,
                cell.write_site,
                site,
                now - cell.write,
                bytes,
            );
        }
        if cell.write != now && !fresh {
            cell.exposed = true;
            self.exposed |= cell.write != 0;
        }
        if cell.read != now {
            cell.earlier_read = cell.read;
            cell.earlier_site = cell.read_site;
        }
        cell.read = now;
        cell.read_site = site;
        cell
    }

    fn write(&mut self, old: Cell, now: Stamp, site: u32, bytes: u64) -> Cell {
        let mut cell = old;
        if cell.write != 0 && cell.write != now {
            self.found(
                DependenceKind::Output,
                cell.write_site,
                site,
                now - cell.write,
                bytes,
            );
        }
        if cell.read != 0 && cell.read != now {
            self.found(DependenceKind::Anti, cell.read_site, site, now - cell.read, bytes);
        } else if cell.read == now && cell.earlier_read != 0 {
            self.found(
                DependenceKind::Anti,
                cell.earlier_site,
                site,
                now - cell.earlier_read,
                bytes,
            );
        }
        self.exposed |= cell.exposed;
        cell.write = now;
        cell.write_site = site;
        cell
    }

    /// Adds what another execution of the loop, or another object of the same declaration, did.
    fn add(&mut self, other: &ObjectReport) {
        for (&(kind, from, to), &more) in &other.dependences {
            let found = self
                .dependences
                .entry((kind, from, to))
                .or_insert(Dependence { bytes: 0, ..more });
            found.bytes += more.bytes;
            found.least = found.least.min(more.least);
            found.greatest = found.greatest.max(more.greatest);
        }
        self.read |= other.read;
        self.written |= other.written;
        self.exposed |= other.exposed;
        self.live_out |= other.live_out;
        self.live_out_of_earlier |= other.live_out_of_earlier;
    }
}

impl Observer for Dependences {
    fn access(&mut self, access: &Access<'_>) {
        let site = access.site as usize;
        if self.seen.get(site) != Some(&true) {
            self.seen.resize(self.seen.len().max(site + 1), false);
            self.seen[site] = true;
            self.sites.insert(access.site, *access.at);
        }
        self.note_live_out(access);
        self.running.iter_mut().for_each(|running| running.record(access));
    }

    fn allocated(&mut self, allocation: u64, _object: Object, _size: u64) {
        self.born = self.born.max(allocation + 1);
    }

    fn released(&mut self, allocation: u64) {
        self.left.remove(&allocation);
        for running in &mut self.running {
            if let Some(tracked) = running.tracked.remove(&allocation) {
                let report = self.loops.entry(running.key).or_default();
                report
                    .objects
                    .entry(tracked.object)
                    .or_default()
                    .add(&tracked.report);
            }
        }
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, _view: &View<'_>) {
        match event {
            LoopEvent::Enter => {
                self.loops.entry(key).or_default().executions += 1;
                self.running.push(Running {
                    key,
                    stamp: 0,
                    in_body: false,
                    began: self.born,
                    tracked: Numbered::default(),
                });
            }
            LoopEvent::Body(number) => {
                if let Some(running) = self.running.last_mut() {
                    running.stamp = u32::try_from(number + 1).unwrap_or(HEADER - 1).min(HEADER - 1);
                    running.in_body = true;
                    running.began = self.born;
                }
            }
            LoopEvent::Test | LoopEvent::Step => {
                if let Some(running) = self.running.last_mut() {
                    running.in_body = false;
                }
            }
            LoopEvent::Exit => {
                if let Some(running) = self.running.pop() {
                    self.leave(running);
                }
            }
        }
    }
}
