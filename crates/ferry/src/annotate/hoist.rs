//! Before loops are annotated: which of them run on the device if what they find in memory is loaded before them?
//!
//! Each loop that could run in parallel and stays on the host is tried with all that `ferry_transform::hoist` can load before it. The new text is read again, must be
//! the old program with other names for these values, and is planned like any other. Loops that stay on the host even so keep their text, and the loops inside them are
//! tried next.
//!
//! Places are those of the text in which the names are, as for all that is done before loops are annotated.

use super::draft::draft;
use super::text;
use crate::arguments::Annotate;
use crate::input::{self, Files};
use crate::names::Names;
use crate::planned::{self, Wishes};
use crate::units::map;
use ferry_analysis::effects::Effects;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::verdict::Verdict;
use ferry_frontend::LoadedUnit;
use ferry_ir::visit::Statements;
use ferry_source::{Edits, Finding, Severity, Side};
use ferry_transform::hoist::{self, Hoist};
use ferry_transform::plan::Plan;
use ferry_transform::reread;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The loops that are left as they are, by the first byte of their keyword.
type Left = BTreeMap<u32, Stays>;

/// A loop that stays on the host with what it finds in memory loaded before it, too.
struct Stays {
    /// Where it ends.
    end: u32,
    why: String,
    /// The pointer of which it would help to know how much storage it leads to.
    unbounded: Option<String>,
}

/// How often loops inside those that stay on the host are tried.
const MOST_ROUNDS: usize = 6;

/// What came of one file.
#[derive(Default)]
pub struct Hoisted {
    /// The file.
    pub path: PathBuf,
    /// What was loaded before which loop, a line each.
    pub done: Vec<String>,
    /// What that rests on.
    pub assumptions: Vec<String>,
    /// Loops that stay on the host even so, with the reason, a line each.
    pub left: Vec<String>,
    /// The pointers of which these would have to know how much storage they lead to.
    pub unbounded: Vec<String>,
    /// What was not done, because the text would be wrong. Without places: the text that they are in may be gone.
    pub warnings: Vec<Finding>,
}

/// A loop that could run in parallel and stays on the host, with what it could have before it.
struct Candidate {
    hoist: Hoist,
    /// The keywords of the loops around it, by their first bytes.
    around: Vec<u32>,
}

/// What is tried with one file.
#[derive(Default)]
struct Trial {
    hoists: Vec<Hoist>,
    edits: Edits,
    new: Option<Vec<u8>>,
    warnings: Vec<Finding>,
}

/// The files as they are with what was loaded before loops, and what that was.
pub fn before(arguments: &Annotate, files: Files, wishes: &Wishes) -> (Files, Vec<Hoisted>) {
    let units = &files.loaded.units;
    let candidates = map(units, arguments.input.threads, |number, unit| {
        candidates(unit, &files, number, wishes)
    });
    let candidates: Vec<Vec<Candidate>> = candidates.into_iter().map(Option::unwrap_or_default).collect();
    let mut left: Vec<Left> = units.iter().map(|_| Left::new()).collect();
    // Those that ran on the device in the last round; then nothing else is tried.
    let mut runs: Vec<BTreeSet<u32>> = Vec::new();
    for round in 0..=MOST_ROUNDS {
        let only = |number: usize| runs.get(number).filter(|_| round == MOST_ROUNDS);
        let trials = map(units, arguments.input.threads, |number, unit| {
            let chosen = chosen(&candidates[number], &left[number], only(number));
            trial(arguments, &files, number, unit, chosen)
        });
        let trials: Vec<Trial> = trials.into_iter().map(Option::unwrap_or_default).collect();
        let texts: Vec<(PathBuf, Vec<u8>)> = files
            .loaded
            .units
            .iter()
            .zip(&trials)
            .filter_map(|(unit, trial)| Some((unit.path.clone(), trial.new.clone()?)))
            .collect();
        let new = (!texts.is_empty()).then(|| input::load_with_texts(&arguments.input, texts));
        let stay = new
            .as_ref()
            .map(|new| staying(arguments, new, wishes, &trials))
            .unwrap_or_default();
        if stay.iter().all(Left::is_empty) {
            let tried = files.loaded.units.iter().zip(&trials).zip(&left);
            let done = tried.map(|((unit, trial), left)| said(&files, unit, trial, left));
            let done = done.collect();
            return (new.unwrap_or(files), done);
        }
        let ran = trials.iter().zip(&stay).map(|(trial, stays)| {
            let starts = trial.hoists.iter().map(|hoist| hoist.keyword.start);
            starts.filter(|start| !stays.contains_key(start)).collect()
        });
        runs = ran.collect();
        left.iter_mut()
            .zip(stay)
            .for_each(|(left, stays)| left.extend(stays));
    }
    (files, Vec::new())
}

/// Which of the loops that were tried stay on the host, by their places in the old text.
fn staying(arguments: &Annotate, new: &Files, wishes: &Wishes, trials: &[Trial]) -> Vec<Left> {
    let of_unit = |number: usize, unit: &LoadedUnit| -> Left {
        let trial = &trials[number];
        if trial.new.is_none() {
            return Left::new();
        }
        let drafted = draft(unit, new.outside(number), &new.sources, wishes);
        // What is not the intended program when it is read again is not written.
        let written = match (&unit.unit, new.jobs.get(number)) {
            (Ok(own), Some(job)) => {
                text::verified(own, job, new, &drafted, arguments, &mut Vec::new()).written
            }
            _ => Vec::new(),
        };
        let stays = |hoist: &Hoist| {
            let at = trial
                .edits
                .new_offset(hoist.keyword.file, hoist.keyword.start, Side::After);
            let mut same = drafted
                .parallel
                .iter()
                .filter(|one| Some(one.keyword.start) == at && Ok(one.keyword.file) == unit_file(unit));
            let mut dropped = drafted.proposals.iter().zip(&written).filter(|(_, yes)| !**yes);
            let is_dropped = dropped.any(|(proposal, _)| {
                at.is_some_and(|at| (proposal.span.start..proposal.span.end).contains(&at))
            });
            let same = same.next();
            // As the old text names it.
            let unbounded = same.and_then(|one| one.unbounded.clone()).map(|pointer| {
                let mut loads = hoist.loads.iter();
                match loads.find(|(_, name)| *name == pointer) {
                    Some((text, _)) => text.clone(),
                    None => pointer,
                }
            });
            let why = match same.map(|one| &one.offloaded) {
                Some(Ok(())) if is_dropped => "the written text was not the intended program".to_owned(),
                Some(Ok(())) => return None,
                Some(Err(reason)) => reason.why.clone(),
                None => "it is not parallel then".to_owned(),
            };
            let end = hoist.end;
            Some((hoist.keyword.start, Stays { end, why, unbounded }))
        };
        trial.hoists.iter().filter_map(stays).collect()
    };
    let all = map(&new.loaded.units, arguments.input.threads, of_unit);
    // A loop of which nothing is known is left as it is.
    let unknown = |trial: &Trial| {
        let failed = |hoist: &Hoist| {
            let stays = Stays {
                end: hoist.end,
                why: "the analysis failed".to_owned(),
                unbounded: None,
            };
            (hoist.keyword.start, stays)
        };
        trial.hoists.iter().map(failed).collect()
    };
    let all = all.into_iter().zip(trials);
    all.map(|(one, trial)| one.unwrap_or_else(|| unknown(trial)))
        .collect()
}

fn unit_file(unit: &LoadedUnit) -> Result<ferry_source::FileId, ()> {
    unit.unit.as_ref().map(|unit| unit.file).map_err(|_| ())
}

fn said(files: &Files, unit: &LoadedUnit, trial: &Trial, left: &Left) -> Hoisted {
    let mut found = Hoisted {
        path: unit.path.clone(),
        warnings: trial.warnings.clone(),
        ..Hoisted::default()
    };
    if let Ok(file) = unit_file(unit) {
        // What is said of a loop is enough for those inside it.
        let mut behind = 0;
        for (start, stays) in left {
            if *start < behind {
                continue;
            }
            behind = stays.end;
            let why = &stays.why;
            found.unbounded.extend(stays.unbounded.clone());
            let (line, _) = files.sources.line_column(file, *start);
            found.left.push(format!(
                "line {line}: left as it is: with what it finds in memory loaded before it, it stays on the host too: {why}"
            ));
        }
    }
    for hoist in &trial.hoists {
        let (line, _) = files.sources.line_column(hoist.keyword.file, hoist.keyword.start);
        let loads = hoist.loads.iter().map(|(text, name)| format!("{text} as {name}"));
        let loads: Vec<String> = loads.collect();
        found.done.push(format!(
            "line {line}: loaded before the loop: {}",
            loads.join(", ")
        ));
        for assumption in &hoist.assumptions {
            if !found.assumptions.contains(assumption) {
                found.assumptions.push(assumption.clone());
            }
        }
    }
    found
}

/// What is tried with one file, and its text then.
fn trial(
    arguments: &Annotate,
    files: &Files,
    number: usize,
    loaded: &LoadedUnit,
    mut hoists: Vec<Hoist>,
) -> Trial {
    let mut trial = Trial::default();
    let (Ok(unit), Some(job), false) = (&loaded.unit, files.jobs.get(number), hoists.is_empty()) else {
        return trial;
    };
    let attempt = |hoists: &[Hoist]| -> Result<(Edits, Vec<u8>), String> {
        let mut edits = Edits::new();
        for hoist in hoists {
            edits
                .extend(hoist.edits.clone())
                .map_err(|error| error.to_string())?;
        }
        let again = input::read_edited(&arguments.input, files, job, unit.file, &edits)?;
        reread::verify(unit, again.unit()?, &edits, &[]).map_err(|mismatch| mismatch.why)?;
        Ok((edits, again.text))
    };
    // A test that does not mean what the loop's does (a counter of another type than what it is compared with) is left out, and what it showed is assumed.
    let attempt_either = |hoist: &mut Hoist| -> Result<(), String> {
        let first = attempt(std::slice::from_ref(hoist)).map(|_| ());
        let Some(untested) = hoist.untested.take().filter(|_| first.is_err()) else {
            return first;
        };
        *hoist = *untested;
        attempt(std::slice::from_ref(hoist)).map(|_| ())
    };
    let made = attempt(&hoists).or_else(|_| {
        // Each by itself; what is wrong is left out, and said.
        hoists.retain_mut(|hoist| match attempt_either(hoist) {
            Ok(()) => true,
            Err(why) => {
                let (line, _) = files
                    .sources
                    .line_column(hoist.keyword.file, hoist.keyword.start);
                let message = format!(
                    "{}: line {line}: nothing is loaded before the loop: the new text would not be the intended program",
                    loaded.path.display()
                );
                trial
                    .warnings
                    .push(Finding::new(Severity::Warning, "internal", message).note(why));
                false
            }
        });
        attempt(&hoists)
    });
    if let Ok((edits, new)) = made
        && !hoists.is_empty()
    {
        trial.hoists = hoists;
        trial.edits = edits;
        trial.new = Some(new);
    }
    trial
}

/// Those of the candidates that are tried together: the outermost ones that are not left as they are, or only some.
fn chosen(candidates: &[Candidate], left: &Left, only: Option<&BTreeSet<u32>>) -> Vec<Hoist> {
    let mut tried: BTreeSet<u32> = BTreeSet::new();
    let mut found = Vec::new();
    for one in candidates {
        let start = one.hoist.keyword.start;
        if left.contains_key(&start) || one.around.iter().any(|around| tried.contains(around)) {
            continue;
        }
        tried.insert(start);
        if only.is_none_or(|only| only.contains(&start)) {
            found.push(one.hoist.clone());
        }
    }
    found
}

/// The loops of a file that could run in parallel and stay on the host, with what they could have before them, in the order of the text.
fn candidates(loaded: &LoadedUnit, files: &Files, number: usize, wishes: &Wishes) -> Vec<Candidate> {
    let mut found = Vec::new();
    let Some(unit) = loaded.unit.as_ref().ok().filter(|_| !loaded.has_errors()) else {
        return found;
    };
    let sources = &files.sources;
    let effects = Effects::of_linked(unit, files.outside(number));
    let preprocessor = sources.preprocessor(unit.file);
    planned::each(
        loaded,
        unit,
        &effects,
        sources,
        wishes,
        &|function| planned::is_in(function, &|file| file == unit.file),
        &mut |_, names, plan| {
            of_function(names, &plan, &mut |candidate| {
                let edits = &candidate.hoist.edits;
                let first = edits.iter().map(|edit| edit.at.start).min().unwrap_or(0);
                let last = edits.iter().map(|edit| edit.at.end).max().unwrap_or(0);
                if edits.check(unit.file, preprocessor).is_ok() && !preprocessor.crosses(first, last) {
                    found.push(candidate);
                }
            });
        },
    );
    found.sort_by_key(|candidate| candidate.hoist.keyword.start);
    found
}

fn of_function(names: Names<'_>, plan: &Plan, add: &mut dyn FnMut(Candidate)) {
    let context = names.context();
    let statements = Statements::of(names.function);
    let values = &names.facts.values;
    let own = |index: LoopIndex| {
        let keyword = values.loops[index.0 as usize].keyword;
        keyword.filter(|keyword| keyword.file == context.unit.file)
    };
    for (number, of) in values.loops.iter().enumerate() {
        let index = LoopIndex(number as u32);
        let is_parallel = names.facts.verdicts.get(number).is_some_and(Verdict::is_free);
        let runs = plan.offloaded.get(&index).is_some_and(Result::is_ok);
        if !of.is_own() || !is_parallel || runs || own(index).is_none() {
            continue;
        }
        let Some(stmt) = statements.get(of.stmt) else {
            continue;
        };
        if let Ok(Some(hoist)) = hoist::of_loop(context, names.sources, stmt, index) {
            let around = values.enclosing(index).skip(1).filter_map(own);
            let around = around.map(|keyword| keyword.start).collect();
            add(Candidate { hoist, around });
        }
    }
}
