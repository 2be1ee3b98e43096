//! Which two accesses of a region certainly race, and what is missing between them?
//!
//! Two accesses race if they touch the same shared bytes, one of them writes, different threads may be at them at the same time, and neither atomic operations nor
//! one lock keep them apart. What they do instead says which defect it is.
//!
//! What it cannot do: plain accesses of one worksharing loop in the function that is followed ([`crate::verify`] looks at those), accesses under conditions of which only one is in a
//! critical region or under a lock, values that every thread writes without a look at the old one, and two constructs that one thread each runs.

use super::Program;
use super::lock::may_exclude;
use super::meet::{Apart, Pair, Question};
use super::region::Region;
use super::spot::{Decision, Kind, Level, Spot, Worker};
use crate::coherence::{Confidence, Defect, Kind as What, Moved};
use ferry_ir::StmtId;
use ferry_source::{Origin, Span};
use ferry_symbolic::{Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs of accesses to one object that are looked at.
const MOST: usize = 20_000;
/// Most choices of iterations that are tried for all pairs of a region.
const CHOICES: usize = 6_000;

/// What was asked in a region, and how much may still be.
struct Asked {
    answers: BTreeMap<Question, bool>,
    choices: usize,
}

impl Asked {
    fn meets(&mut self, pair: &Pair, apart: Apart) -> bool {
        let question = pair.question(apart);
        if let Some(known) = self.answers.get(&question) {
            return *known;
        }
        let found = pair.meets(apart, &mut self.choices);
        self.answers.insert(question, found);
        found
    }
}

/// The races of a region, for each object and defect the first; true with them if not all pairs were looked at.
pub(super) fn races(program: &Program<'_>, region: &Region<'_>) -> (Vec<Defect>, bool) {
    let mut by_root: BTreeMap<Symbol, Vec<&Spot>> = BTreeMap::new();
    let mut alike = BTreeSet::new();
    let updates = updates(program, region);
    for spot in &region.spots {
        let access = &program.values.accesses[spot.access];
        // Two accesses that are alike in all this do not race with one another, and race with the same others: what reads alone does not stand for an update.
        let is_update = updates.contains(&(access.within, &spot.address));
        let (how, whose) = (
            (access.size, access.is_write(), is_update, spot.atomic, spot.phase),
            (&spot.levels, &spot.held, &spot.conditions, &spot.later),
        );
        if alike.insert((access.root, &spot.address, &access.loops, how, whose)) {
            by_root
                .entry(access.root.unwrap_or(Symbol(0)))
                .or_default()
                .push(spot);
        }
    }
    let mut found = Vec::new();
    let mut asked = Asked {
        answers: BTreeMap::new(),
        choices: CHOICES,
    };
    let mut cut_short = false;
    for (root, spots) in by_root {
        let mut said: BTreeMap<What, Confidence> = BTreeMap::new();
        let mut left = MOST;
        for (number, second) in spots.iter().enumerate() {
            for first in &spots[..number] {
                left = left.saturating_sub(1);
                if left == 0 || asked.choices == 0 {
                    cut_short = true;
                    break;
                }
                let Some((kind, confidence, construct)) =
                    race(program, region, [first, second], &said, &mut asked)
                else {
                    continue;
                };
                said.insert(kind, confidence);
                found.push(defect(
                    program,
                    [first, second],
                    root,
                    (kind, confidence),
                    construct,
                ));
            }
        }
    }
    (found, cut_short)
}

/// The statements that read and write one place, with its address.
fn updates<'a>(program: &Program<'_>, region: &'a Region<'_>) -> BTreeSet<(StmtId, &'a Expr)> {
    let places = |writes: bool| -> BTreeSet<(StmtId, &Expr)> {
        let all = region
            .spots
            .iter()
            .map(|spot| (spot, &program.values.accesses[spot.access]));
        let own = all.filter(|(_, access)| access.is_write() == writes);
        own.map(|(spot, access)| (access.within, &spot.address)).collect()
    };
    places(false).intersection(&places(true)).copied().collect()
}

fn race(
    program: &Program<'_>,
    region: &Region<'_>,
    spots: [&Spot; 2],
    said: &BTreeMap<What, Confidence>,
    asked: &mut Asked,
) -> Option<(What, Confidence, StmtId)> {
    let accesses = spots.map(|spot| &program.values.accesses[spot.access]);
    if !accesses.iter().any(|access| access.is_write()) {
        return None;
    }
    let [a, b] = spots;
    if may_exclude(&a.held, &b.held) || a.atomic && b.atomic {
        return None;
    }
    let kind = if a.atomic || b.atomic {
        What::AtomicAndPlain
    } else if !a.held.is_empty() && !b.held.is_empty() {
        What::DifferentLocks
    } else if a.held.is_empty() && b.held.is_empty() {
        What::MissingBarrier
    } else if a.conditions.is_empty() && b.conditions.is_empty() {
        What::OneLock
    } else {
        // Under a condition it may be asked for without the lock, and once more with it.
        return None;
    };
    let how = How {
        writes: accesses.map(crate::access::Access::is_write),
        updates: accesses[0].within == accesses[1].within && a.address == b.address,
        called: accesses.iter().any(|access| access.called.is_some()),
        same: a.address == b.address
            && accesses[0].loops.iter().any(|index| {
                let counter = program.values.loops[index.0 as usize].counter;
                a.address.mentions(counter)
            }),
    };
    let confidence = confidence(&a.conditions, &b.conditions)?;
    for level in [Kind::Teams, Kind::Threads] {
        let (Some(one), Some(other)) = (a.level(level), b.level(level)) else {
            continue;
        };
        // Nothing keeps teams in step.
        if one.instance != other.instance || level == Kind::Threads && a.phase != b.phase {
            continue;
        }
        let Some((kind, apart, construct)) = apart(kind, [one, other], &how) else {
            continue;
        };
        let confidence = match one.certain {
            true => confidence,
            false => confidence.max(Confidence::Likely),
        };
        // Where all threads set the same bits, none is lost.
        let sets_bits = program.sets_bits.contains(&accesses[0].within);
        let confidence = match kind == What::UnprotectedUpdate && sets_bits {
            true => Confidence::Possible,
            false => confidence,
        };
        // What is only possible does not hide what is surer.
        let surer = |said: &Confidence| *said == Confidence::Possible && confidence != Confidence::Possible;
        if said.get(&kind).is_some_and(|said| !surer(said)) {
            continue;
        }
        let pair = Pair::of(program, region, spots, [&one.worker, &other.worker]);
        if pair.is_some_and(|pair| accesses[0].size == accesses[1].size && asked.meets(&pair, apart)) {
            return Some((kind, confidence, construct.unwrap_or(region.stmt)));
        }
    }
    None
}

/// What two accesses are to one another.
struct How {
    writes: [bool; 2],
    /// The statement reads what it writes.
    updates: bool,
    /// One of them is in a function that is called.
    called: bool,
    /// Both touch the same bytes, which are others in each iteration.
    same: bool,
}

/// What it is, and which iterations of two workers different threads may run at a time; with the construct that lets them. `None` if it is not known that there
/// are any.
fn apart(kind: What, levels: [&Level; 2], how: &How) -> Option<(What, Apart, Option<StmtId>)> {
    let plain = kind == What::MissingBarrier;
    let writes = how.writes;
    let one_writes = writes[0] != writes[1];
    match (&levels[0].worker, &levels[1].worker) {
        (Worker::Iterations(a), Worker::Iterations(b)) if plain && a.construct == b.construct => {
            let found = (What::IterationsDepend, Apart::OtherIteration, Some(a.construct));
            (how.called && one_writes && !how.same).then_some(found)
        }
        (Worker::All, Worker::All) if plain => {
            (how.updates && one_writes).then_some((What::UnprotectedUpdate, Apart::Always, None))
        }
        _ => meeting(kind, levels, writes).map(|(apart, construct)| (kind, apart, construct)),
    }
}

fn meeting(kind: What, levels: [&Level; 2], writes: [bool; 2]) -> Option<(Apart, Option<StmtId>)> {
    let plain = kind == What::MissingBarrier;
    match (&levels[0].worker, &levels[1].worker) {
        (Worker::Iterations(a), Worker::Iterations(b)) if a.construct == b.construct => {
            Some((Apart::OtherIteration, Some(a.construct)))
        }
        (Worker::Iterations(a), Worker::Iterations(b)) => match a.dynamic || b.dynamic {
            true => Some((Apart::Always, Some(a.construct))),
            false => Some((Apart::OtherIteration, Some(a.construct))),
        },
        (Worker::All, Worker::All) => Some((Apart::Always, None)),
        // What all threads write, often the same value, is not looked at.
        (Worker::All, _) if plain && writes[0] => None,
        (_, Worker::All) if plain && writes[1] => None,
        (Worker::Iterations(loops), Worker::All) | (Worker::All, Worker::Iterations(loops)) => {
            Some((Apart::Always, Some(loops.construct)))
        }
        (Worker::One | Worker::Section(..), Worker::Iterations(_))
        | (Worker::Iterations(_), Worker::One | Worker::Section(..)) => Some((Apart::NotTheFirst, None)),
        (Worker::One | Worker::Section(..), Worker::All)
        | (Worker::All, Worker::One | Worker::Section(..)) => Some((Apart::Always, None)),
        (Worker::Section(a, one), Worker::Section(b, other)) => {
            (a == b && one != other).then_some((Apart::Always, Some(*a)))
        }
        (Worker::One, Worker::One | Worker::Section(..)) | (Worker::Section(..), Worker::One) => None,
    }
}

/// How sure it is that both are reached: without a condition, or with one that all threads ask alike.
fn confidence(a: &[Decision], b: &[Decision]) -> Option<Confidence> {
    let all: BTreeSet<Decision> = a.iter().chain(b).copied().collect();
    let statements: BTreeSet<StmtId> = all.iter().map(|decision| decision.stmt).collect();
    if statements.len() != all.len() || all.iter().any(|decision| !decision.common) {
        return None;
    }
    match all.len() {
        0 => Some(Confidence::Proven),
        1 => Some(Confidence::Likely),
        _ => None,
    }
}

fn defect(
    program: &Program<'_>,
    [first, second]: [&Spot; 2],
    root: Symbol,
    (kind, confidence): (What, Confidence),
    construct: StmtId,
) -> Defect {
    let line = program.first_line(construct).map(first_byte);
    // Said of the directive.
    let at = match kind {
        What::IterationsDepend => line.map_or(second.at, Origin::Text),
        _ => second.at,
    };
    Defect {
        kind,
        confidence,
        root,
        named: second.at,
        at,
        written: Some(first.at),
        directive: Some(Moved {
            stmt: construct,
            at: line,
            clause: None,
        }),
        bytes: None,
        there: None,
        around: first.later != second.later,
    }
}

/// A directive's statement has what it governs, too: its first line is meant.
pub(super) fn first_byte(span: Span) -> Span {
    Span::new(span.file, span.start, span.start + 1)
}
