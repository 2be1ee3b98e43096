//! `ferry annotate`: writes directives into the user's source, and proves that what it writes is what it meant.
//!
//! Everything is computed before anything is written. The text that would be written is read again; an environment
//! whose text is not the intended program is left out, with a warning.

pub mod draft;
mod headers;
mod hoist;
mod routines;
mod summary;
pub mod text;
mod unbounded;

use crate::arguments::{Annotate, Format};
use crate::input::{self, Files};
use crate::output::{self, NewText};
use crate::planned::Wishes;
use crate::reshape::Reshaped;
use crate::{Status, reshape, units};
use draft::{Draft, draft};
use ferry_analysis::verdict::Detail;
use ferry_source::{Finding, Severity};
use hoist::Hoisted;
use text::Text;

/// What came of one file.
pub struct Outcome {
    /// What was planned.
    pub draft: Draft,
    /// The text that is written.
    pub text: Text,
    /// What is to be said about the file.
    pub findings: Vec<Finding>,
    /// Nothing could be done with it.
    pub failed: bool,
    /// What became of its loops before they were annotated, a line each.
    pub reshaped: Vec<String>,
    /// What was loaded before which of its loops, a line each.
    pub hoisted: Vec<String>,
    /// What that rests on.
    pub assumptions: Vec<String>,
    /// Nests that were left as they are though another order would be cheaper, a line each.
    pub left: Vec<String>,
    /// Pointers of which it would help to know how much storage they lead to, where what is loaded before loops does not help alone.
    pub unbounded: Vec<String>,
}

impl Outcome {
    /// What becomes of the file.
    fn text(&self) -> NewText<'_> {
        NewText {
            new: self.text.new.as_deref(),
            failed: self.failed,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Annotate) -> Status {
    if arguments.format == Format::Text && !output::is_clear(&arguments.input, &arguments.output) {
        return Status::Failed;
    }
    let mut files = input::load_to_edit(&arguments.input);
    let mut reshaped = Vec::new();
    if arguments.reshape {
        (files, reshaped) = reshape::before(arguments, files);
    }
    let wishes = wishes(arguments);
    let mut hoisted = Vec::new();
    if arguments.hoist {
        (files, hoisted) = hoist::before(arguments, files, &wishes);
    }
    let mut outcomes = outcomes(arguments, &files, &wishes);
    add_reshaped(&files, &mut outcomes, &reshaped);
    add_hoisted(&files, &mut outcomes, hoisted);
    let mut status = Status::Done;
    if outcomes.iter().any(|outcome| outcome.failed) || files.findings.iter().any(is_error) {
        status = Status::Failed;
    }
    let texts: Vec<NewText<'_>> = outcomes.iter().map(Outcome::text).collect();
    let written = output::write(&arguments.output, arguments.format, &files, &texts);
    summary::write(arguments, &files, &outcomes, &written);
    status.max(written.status)
}

/// What was done to loops before is written with the directives, or alone if there are none.
fn add_reshaped(files: &Files, outcomes: &mut [Outcome], reshaped: &[Reshaped]) {
    for (unit, outcome) in files.loaded.units.iter().zip(outcomes) {
        let Some(one) = reshaped.iter().find(|one| one.path == unit.path) else {
            continue;
        };
        outcome.findings.extend_from_slice(one.warnings());
        outcome.left = one.left().to_vec();
        let (Some(file), false) = (unit.file, outcome.failed || one.done().is_empty()) else {
            continue;
        };
        outcome.reshaped = one.done().to_vec();
        let text = || files.sources.bytes(file).to_vec();
        outcome.text.new.get_or_insert_with(text);
    }
}

/// What was loaded before loops is written with the directives.
fn add_hoisted(files: &Files, outcomes: &mut [Outcome], hoisted: Vec<Hoisted>) {
    for one in hoisted {
        let units = files.loaded.units.iter().zip(outcomes.iter_mut());
        let Some((unit, outcome)) = units.into_iter().find(|(unit, _)| unit.path == one.path) else {
            continue;
        };
        outcome.findings.extend(one.warnings);
        outcome.left.extend(one.left);
        outcome.unbounded = one.unbounded;
        let (Some(file), false) = (unit.file, outcome.failed || one.done.is_empty()) else {
            continue;
        };
        outcome.hoisted = one.done;
        outcome.assumptions = one.assumptions;
        let text = || files.sources.bytes(file).to_vec();
        outcome.text.new.get_or_insert_with(text);
    }
}

fn wishes(arguments: &Annotate) -> Wishes {
    Wishes {
        style: arguments.spelling.style(),
        goals: arguments.spelling.goals(),
        detail: Detail::First,
    }
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

fn outcomes(arguments: &Annotate, files: &Files, wishes: &Wishes) -> Vec<Outcome> {
    let units = &files.loaded.units;
    let made = units::map(units, arguments.input.threads, |number, unit| {
        let mut findings: Vec<Finding> = unit.all_findings().cloned().collect();
        let mut failed = unit.has_errors();
        let drafted = if failed {
            Draft::default()
        } else {
            draft(unit, files.outside(number), &files.sources, wishes)
        };
        let text = match (&unit.unit, &files.jobs.get(number)) {
            (Ok(unit), Some(job)) if !failed => {
                text::verified(unit, job, files, &drafted, arguments, &mut findings)
            }
            _ => Text::default(),
        };
        failed |= findings.iter().any(is_error);
        Outcome {
            draft: drafted,
            text,
            findings,
            failed,
            reshaped: Vec::new(),
            hoisted: Vec::new(),
            assumptions: Vec::new(),
            left: Vec::new(),
            unbounded: Vec::new(),
        }
    });
    let replace = |(outcome, unit): (Option<Outcome>, &ferry_frontend::LoadedUnit)| {
        outcome.unwrap_or_else(|| Outcome {
            draft: Draft::default(),
            text: Text::default(),
            findings: vec![units::failed(unit)],
            failed: true,
            reshaped: Vec::new(),
            hoisted: Vec::new(),
            assumptions: Vec::new(),
            left: Vec::new(),
            unbounded: Vec::new(),
        })
    };
    made.into_iter().zip(units).map(replace).collect()
}
