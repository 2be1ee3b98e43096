//! `ferry report`: every loop with its verdict and cause, every access with its section.

mod collect;
mod model;
mod parameters;
mod rows;
mod scan;
mod text;
mod verification;

use crate::arguments::{Format, Report};
use crate::input::{self, Files};
use crate::{Status, terminal, units};
use ferry_source::{Finding, Severity};
use ferry_transform::emit::Style;
use ferry_transform::plan::Goals;
use std::collections::BTreeSet;

/// Runs the command.
pub fn run(arguments: &Report) -> Status {
    let files = input::load_files(&arguments.input);
    let mut report = collect_all(arguments, &files);
    let failed = !report.errors.is_empty() || files.loaded.units.iter().any(|unit| unit.has_errors());
    let verified = arguments
        .verify_existing
        .then(|| verification::verify(arguments, &files));
    report.verification = verified.as_ref().map(|verified| verified.report(&files));
    let printed = match arguments.format {
        Format::Json => serde_json::to_string_pretty(&report).map(|mut text| {
            text.push('\n');
            text
        }),
        Format::Text => {
            let more = verified.as_ref().map(|verified| verified.text(&files));
            Ok(text::render(&report, &files) + more.as_deref().unwrap_or_default())
        }
    };
    let printed = printed.map_err(|error| error.to_string()).and_then(|text| {
        terminal::print(text.as_bytes()).map_err(|error| format!("cannot write to standard output: {error}"))
    });
    for finding in &files.findings {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    for finding in files.loaded.units.iter().flat_map(|unit| unit.all_findings()) {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    if let Err(message) = &printed {
        terminal::complain(&format!("error: {message}"));
    }
    if failed || printed.is_err() {
        Status::Failed
    } else if verified.is_some_and(|verified| !verified.findings.is_empty()) {
        Status::Found
    } else {
        Status::Done
    }
}

fn collect_all(arguments: &Report, files: &Files) -> model::Report {
    let style = Style {
        version: arguments.spelling.version(),
        width: 100,
    };
    let goals = Goals {
        all: arguments.spelling.all,
    };
    let units = &files.loaded.units;
    let made = units::map(units, arguments.input.threads, |number, unit| {
        collect::collect(unit, files.outside(number), &files.sources, &style, goals)
    });
    let errors = files
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let mut report = model::Report {
        version: model::VERSION,
        schema: model::SCHEMA,
        files: Vec::new(),
        loops: Vec::new(),
        accesses: Vec::new(),
        verification: None,
        errors: errors.map(|finding| finding.message.clone()).collect(),
    };
    // A header that several units include is reported once.
    let mut loops: BTreeSet<model::Place> = BTreeSet::new();
    let mut accesses = BTreeSet::new();
    for (unit, one) in units.iter().zip(made) {
        report.files.push(model::FileReport {
            file: unit.path.display().to_string(),
            read: unit.unit.is_ok(),
            findings: unit
                .all_findings()
                .map(|finding| described(files, finding))
                .collect(),
        });
        let Some(one) = one else {
            report.errors.push(format!(
                "{}: the analysis failed; please report this",
                unit.path.display()
            ));
            continue;
        };
        let mut one = one;
        one.loops.sort_by(|a, b| a.place.cmp(&b.place));
        one.accesses.sort_by(|a, b| a.place.cmp(&b.place));
        report
            .loops
            .extend(one.loops.into_iter().filter(|of| loops.insert(of.place.clone())));
        report.accesses.extend(one.accesses.into_iter().filter(|access| {
            accesses.insert((
                access.place.clone(),
                access.kind,
                access.section.clone(),
                access.object.clone(),
            ))
        }));
    }
    report
}

fn described(files: &Files, finding: &Finding) -> model::FindingReport {
    let at = finding.primary.as_ref().map(|label| label.at);
    model::FindingReport {
        severity: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        rule: finding.rule.clone(),
        message: finding.message.clone(),
        place: at.map(|at| collect::place_of(&files.sources, at)),
        related: finding
            .related
            .iter()
            .map(|label| model::RelatedReport {
                place: collect::place_of(&files.sources, label.at),
                message: label.message.clone(),
            })
            .collect(),
        notes: finding.notes.clone(),
    }
}
