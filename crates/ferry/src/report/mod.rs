//! `ferry report`: every loop with its verdict and cause, every access with its section; or the whole story of one loop.

mod cached;
mod choose;
mod collect;
mod drawing;
mod fitness;
mod formula;
mod html;
mod interned;
mod kernel;
pub use collect::place_of;
pub use fitness::started;
pub use kernel::{advice, compared_with, share, the_order, together};
mod model;
mod parameters;
mod remedy;
mod rows;
mod scan;
mod sharing;
mod statistics;
mod story;
mod text;
mod verification;

pub use choose::{Wanted, wanted};
pub use model::FindingReport;

use crate::arguments::{Report, ReportFormat as Format};
use crate::input::{self, Files};
use crate::planned::Wishes;
use crate::{Status, json, terminal, units};
use ferry_analysis::verdict::Detail;
use ferry_source::{Finding, Severity};
use std::collections::BTreeSet;

/// Runs the command.
pub fn run(arguments: &Report) -> Status {
    let files = input::load_files(&arguments.input);
    let mut report = collect_all(arguments, &files);
    let chosen = arguments
        .one_loop
        .as_ref()
        .map(|wanted| choose::chosen(wanted, &report.loops, &files));
    let mut missing = None;
    let told = match chosen {
        None => Told::Everything,
        Some(Ok(numbers)) => Told::Loops(numbers),
        Some(Err(why)) => {
            missing = Some(why);
            Told::Nothing
        }
    };
    let failed = missing.is_some()
        || !report.errors.is_empty()
        || files.loaded.units.iter().any(|unit| unit.has_errors());
    let verified = arguments
        .verify_existing
        .then(|| verification::verify(arguments, &files));
    report.verification = verified.as_ref().map(|verified| verified.report(&files));
    if let Told::Loops(numbers) = &told {
        let chosen = numbers.iter().filter_map(|number| report.loops.get(*number));
        report.tests = model::TestsReport::total(chosen.map(|one| &one.tests));
    }
    let counted = match &told {
        Told::Loops(numbers) => numbers.len(),
        _ => report.loops.len(),
    };
    let tests = report.tests.clone();
    let more = || {
        let statistics = arguments.statistics.then(|| statistics::of_all(counted, &tests));
        let verified = verified.as_ref().map(|verified| verified.text(&files));
        statistics.into_iter().chain(verified).collect::<String>()
    };
    let print = |text: String| {
        terminal::print(text.as_bytes()).map_err(|error| format!("cannot write to standard output: {error}"))
    };
    let printed = match (arguments.format, &told) {
        (_, Told::Nothing) => Ok(()),
        (Format::Text, Told::Everything) => print(text::render(&report, &files) + &more()),
        (Format::Text, Told::Loops(numbers)) => {
            print(story::render(&report.loops, numbers, &files) + &more())
        }
        (Format::Html, _) => {
            if let Told::Loops(numbers) = &told {
                only(&mut report, numbers);
            }
            print(html::render(&report, &files))
        }
        (Format::Json, _) => {
            if let Told::Loops(numbers) = &told {
                only(&mut report, numbers);
            }
            json::print(&report)
        }
    };
    for finding in &files.findings {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    for finding in files.loaded.units.iter().flat_map(|unit| unit.all_findings()) {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    if let Some(why) = missing {
        terminal::complain(&format!("error: {why}"));
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

/// What is told.
enum Told {
    Everything,
    /// The loops with these numbers.
    Loops(Vec<usize>),
    Nothing,
}

/// Keeps the loops with these numbers, and the accesses in them, seen from before each.
fn only(report: &mut model::Report, numbers: &[usize]) {
    let mut accesses = Vec::new();
    let mut kept = Vec::new();
    for (number, mut one) in std::mem::take(&mut report.loops).into_iter().enumerate() {
        if numbers.contains(&number) {
            accesses.extend(one.story.take().unwrap_or_default().accesses);
            kept.push(one);
        }
    }
    report.loops = kept;
    report.accesses = accesses;
}

fn collect_all(arguments: &Report, files: &Files) -> model::Report {
    let wishes = Wishes {
        style: arguments.spelling.style(),
        goals: arguments.spelling.goals(),
        detail: Detail::Every,
    };
    let units = &files.loaded.units;
    let made = units::map(units, arguments.input.threads, |number, unit| {
        let stories = arguments.one_loop.is_some();
        collect::collect(
            unit,
            files.outside(number),
            &files.sources,
            &wishes,
            stories,
            &arguments.gpu,
        )
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
        tests: model::TestsReport::default(),
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
            report.errors.push(units::failed(unit).message);
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
                // What a macro writes of several members stands at one place, and reads the same.
                access.bytes.clone(),
                access.object.clone(),
            ))
        }));
    }
    report.tests = model::TestsReport::total(report.loops.iter().map(|one| &one.tests));
    report
}

/// A finding as the JSON has it.
pub fn described(files: &Files, finding: &Finding) -> model::FindingReport {
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
