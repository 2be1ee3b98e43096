//! `ferry annotate`: writes directives into the user's source, and proves that what it writes is what it meant.
//!
//! Everything is computed before anything is written. The text that would be written is read again; an environment
//! whose text is not the intended program is left out, with a warning.

pub mod draft;
mod headers;
mod routines;
mod summary;
pub mod text;

use crate::arguments::{Annotate, Format};
use crate::input::{self, Files};
use crate::output::{self, NewText};
use crate::planned::Wishes;
use crate::reshape::Reshaped;
use crate::{Status, reshape, units};
use draft::{Draft, draft};
use ferry_analysis::verdict::Detail;
use ferry_source::{Finding, Severity};
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
    let outcomes = outcomes(arguments, &files);
    let mut status = Status::Done;
    if outcomes.iter().any(|outcome| outcome.failed) || files.findings.iter().any(is_error) {
        status = Status::Failed;
    }
    let texts: Vec<NewText<'_>> = outcomes.iter().map(Outcome::text).collect();
    let written = output::write(&arguments.output, arguments.format, &files, &texts);
    let is_written = |one: &&Reshaped| {
        let mut units = files.loaded.units.iter().zip(&outcomes);
        units.any(|(unit, outcome)| unit.path == one.path && outcome.text.new.is_some())
    };
    reshape::say(reshaped.iter().filter(is_written));
    summary::write(arguments, &files, &outcomes, &written);
    status.max(written.status)
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

fn outcomes(arguments: &Annotate, files: &Files) -> Vec<Outcome> {
    let wishes = Wishes {
        style: arguments.spelling.style(),
        goals: arguments.spelling.goals(),
        detail: Detail::First,
    };
    let units = &files.loaded.units;
    let made = units::map(units, arguments.input.threads, |number, unit| {
        let mut findings: Vec<Finding> = unit.all_findings().cloned().collect();
        let mut failed = unit.has_errors();
        let drafted = if failed {
            Draft::default()
        } else {
            draft(unit, files.outside(number), &files.sources, &wishes)
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
        }
    });
    let replace = |(outcome, unit): (Option<Outcome>, &ferry_frontend::LoadedUnit)| {
        outcome.unwrap_or_else(|| Outcome {
            draft: Draft::default(),
            text: Text::default(),
            findings: vec![units::failed(unit)],
            failed: true,
        })
    };
    made.into_iter().zip(units).map(replace).collect()
}
