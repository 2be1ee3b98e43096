//! Which two accesses of a region certainly race, and what is missing between them?
//!
//! Two accesses race if they touch the same shared bytes, one of them writes, different threads may be at them at the same time, and neither atomic operations nor
//! one lock keep them apart. What they do instead says which defect it is.
//!
//! What it cannot do: plain accesses of one worksharing loop ([`crate::verify`] looks at those), accesses of which only one is in a critical region or under
//! a lock, writes that every thread makes, and two constructs that one thread each runs.

use super::Program;
use super::lock::may_exclude;
use super::meet::{Apart, Pair};
use super::region::Region;
use super::spot::{Decision, Kind, Level, Spot, Worker};
use crate::coherence::{Confidence, Defect, Kind as What, Moved};
use ferry_ir::StmtId;
use ferry_source::Span;
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Most pairs of accesses to one object that are looked at.
const MOST: usize = 20_000;
/// Most choices of iterations that are tried for all pairs of a region.
const CHOICES: usize = 20_000;

/// The races of a region, for each object and defect the first.
pub(super) fn races(program: &Program<'_>, region: &Region<'_>) -> Vec<Defect> {
    let mut by_root: BTreeMap<Symbol, Vec<&Spot>> = BTreeMap::new();
    let mut alike = BTreeSet::new();
    for spot in &region.spots {
        let access = &program.values.accesses[spot.access];
        // Two accesses that are alike in all this do not race with one another, and race with the same others.
        let (how, whose) = (
            (access.size, access.is_write(), spot.atomic, spot.phase),
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
    let mut choices = CHOICES;
    for (root, spots) in by_root {
        let mut said: BTreeSet<What> = BTreeSet::new();
        let mut left = MOST;
        for (number, second) in spots.iter().enumerate() {
            for first in &spots[..number] {
                left = left.saturating_sub(1);
                if left == 0 {
                    break;
                }
                let Some((kind, confidence, construct)) =
                    race(program, region, [first, second], &said, &mut choices)
                else {
                    continue;
                };
                said.insert(kind);
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
    found
}

fn race(
    program: &Program<'_>,
    region: &Region<'_>,
    spots: [&Spot; 2],
    said: &BTreeSet<What>,
    choices: &mut usize,
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
    } else {
        return None;
    };
    if said.contains(&kind) {
        return None;
    }
    let confidence = confidence(&a.conditions, &b.conditions)?;
    for level in [Kind::Teams, Kind::Threads] {
        let (Some(one), Some(other)) = (a.level(level), b.level(level)) else {
            continue;
        };
        // Nothing keeps teams in step.
        if one.instance != other.instance || level == Kind::Threads && a.phase != b.phase {
            continue;
        }
        let writes = accesses.map(crate::access::Access::is_write);
        let Some((apart, construct)) = apart(kind, [one, other], writes) else {
            continue;
        };
        let pair = Pair::of(program, region, spots, [&one.worker, &other.worker]);
        if pair.is_some_and(|pair| accesses[0].size == accesses[1].size && pair.meets(apart, choices)) {
            return Some((kind, confidence, construct.unwrap_or(region.stmt)));
        }
    }
    None
}

/// Which iterations of two workers different threads may run at a time; with the construct that lets them. `None` if it is not known that there are any.
fn apart(kind: What, levels: [&Level; 2], writes: [bool; 2]) -> Option<(Apart, Option<StmtId>)> {
    let plain = kind == What::MissingBarrier;
    match (&levels[0].worker, &levels[1].worker) {
        (Worker::Iterations(a), Worker::Iterations(b)) if a.construct == b.construct => {
            (!plain).then_some((Apart::OtherIteration, Some(a.construct)))
        }
        (Worker::Iterations(a), Worker::Iterations(b)) => match a.dynamic || b.dynamic {
            true => Some((Apart::Always, Some(a.construct))),
            false => Some((Apart::OtherIteration, Some(a.construct))),
        },
        // What all threads write, often the same value, is not looked at.
        (Worker::All, Worker::All) => (!plain).then_some((Apart::Always, None)),
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
            (a == b && one != other && !plain).then_some((Apart::Always, Some(*a)))
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
    Defect {
        kind,
        confidence,
        root,
        named: second.at,
        at: second.at,
        written: Some(first.at),
        directive: Some(Moved {
            stmt: construct,
            at: program.first_line(construct).map(first_byte),
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
