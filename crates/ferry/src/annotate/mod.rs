//! `ferry annotate`: writes directives into the user's source, and proves that what it writes is what it meant.
//!
//! Everything is computed before anything is written. The text that would be written is read again; an environment
//! whose text is not the intended program is left out, with a warning.

pub mod draft;
mod headers;
pub mod output;
mod routines;
mod summary;
pub mod text;

use crate::arguments::{Annotate, Format};
use crate::input::{self, Files};
use crate::{Status, reshape, terminal, units};
use draft::{Draft, draft};
use ferry_source::{Finding, Severity};
use ferry_transform::emit::Style;
use ferry_transform::plan::Goals;
use text::Text;

/// Bytes of a line, past which directives are continued.
const WIDTH: usize = 100;

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

/// Runs the command.
pub fn run(arguments: &Annotate) -> Status {
    let output = &arguments.output;
    if arguments.input.files.len() > 1
        && arguments.format == Format::Text
        && !(output.diff || output.in_place || output.check || output.folder.is_some())
    {
        terminal::complain(
            "error: with several files, say what to write: --diff, --in-place, -o DIR or --check",
        );
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
    let written = output::write(output, arguments.format, &files, &outcomes);
    reshape::say(&reshaped);
    summary::write(arguments, &files, &outcomes, &written);
    status.max(written.status)
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

fn outcomes(arguments: &Annotate, files: &Files) -> Vec<Outcome> {
    let style = Style {
        version: arguments.spelling.version(),
        width: WIDTH,
    };
    let goals = Goals {
        all: arguments.spelling.all,
    };
    let units = &files.loaded.units;
    let made = units::map(units, arguments.input.threads, |number, unit| {
        let mut findings: Vec<Finding> = unit.all_findings().cloned().collect();
        let mut failed = unit.has_errors();
        let drafted = if failed {
            Draft::default()
        } else {
            draft(unit, files.outside(number), &files.sources, &style, goals)
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
        outcome.unwrap_or_else(|| {
            let message = format!("{}: the analysis failed; please report this", unit.path.display());
            Outcome {
                draft: Draft::default(),
                text: Text::default(),
                findings: vec![Finding::new(Severity::Error, "internal", message)],
                failed: true,
            }
        })
    };
    made.into_iter().zip(units).map(replace).collect()
}
