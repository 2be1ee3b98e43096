//! `ferry check`: are the directives that are there right, and if not, why not?

mod allow;
mod baseline;
mod data;
mod fix;
mod model;
mod sarif;
mod text;

pub use baseline::{Baseline, baseline};

use crate::arguments::{Check, CheckFormat};
use crate::input::{self, Files};
use crate::{Status, terminal, units};
use ferry_checks::{Checked, Confidence, Part, Surroundings, check, together};
use ferry_directive::Language;
use ferry_source::{Edit, Finding, Severity, Span};
use std::collections::BTreeSet;

/// What is said of all files.
struct Outcome {
    /// What is wrong, by place.
    findings: Vec<Checked>,
    /// What mends each of them: all edits together, in a file as it is; none where nothing was found, or not looked for.
    fixes: Vec<Vec<Edit>>,
    /// How many findings were not said: allowed in the text, in the baseline, only possible.
    allowed: usize,
    known: usize,
    possible: usize,
    /// From where on nothing is sure, and why.
    unknown: Vec<(String, Option<Span>)>,
    /// What could not be done.
    errors: Vec<String>,
    /// Comments that allow what is no rule.
    wrong: Vec<Finding>,
}

/// Runs the command.
pub fn run(arguments: &Check) -> Status {
    if let Some(wanted) = &arguments.explain_data {
        return data::run(arguments, wanted);
    }
    let mut files = input::load_files(&arguments.input);
    let mut outcome = look(arguments, &files);
    let mut patch = None;
    if arguments.fix || arguments.diff {
        let mended = fix::mend_files(arguments, &files, &outcome);
        fix::say(&mended, &files, arguments.diff.then_some(&outcome));
        if arguments.diff {
            patch = Some(fix::patch(&mended, &files));
        } else {
            match fix::write(&mended, &files) {
                Ok(()) => {
                    files = input::load_files(&arguments.input);
                    outcome = look(arguments, &files);
                }
                Err(why) => outcome.errors.push(why),
            }
        }
    }
    let printed = match (patch, arguments.format) {
        (Some(patch), _) => Ok(patch),
        (None, CheckFormat::Text) => Ok(text::render(&outcome, &files).into_bytes()),
        (None, format) => {
            fix::each(arguments, &files, &mut outcome);
            let text = match format {
                CheckFormat::Sarif => sarif::render(&outcome, &files),
                _ => model::render(&outcome, &files),
            };
            text.map(String::into_bytes)
        }
    };
    let printed = printed.and_then(|text| {
        terminal::print(&text).map_err(|error| format!("cannot write to standard output: {error}"))
    });
    for finding in files.findings.iter().chain(&outcome.wrong) {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    for finding in files.loaded.units.iter().flat_map(|unit| unit.all_findings()) {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    if let Err(why) = &printed {
        terminal::complain(&format!("error: {why}"));
    }
    let unread = files.loaded.units.iter().any(|unit| unit.has_errors());
    if unread || printed.is_err() || !outcome.errors.is_empty() {
        Status::Failed
    } else if outcome.findings.is_empty() {
        Status::Done
    } else {
        Status::Found
    }
}

/// `ferry explain`: the page of a rule.
pub fn explain(name: &str) -> Status {
    match ferry_checks::named(name) {
        Some(rule) => match terminal::print(rule.page.as_bytes()) {
            Ok(()) => Status::Done,
            Err(_) => Status::Failed,
        },
        None => {
            let known: Vec<&str> = ferry_checks::ALL.iter().map(|rule| rule.name).collect();
            terminal::complain(&format!(
                "error: there is no rule {name}; known are {}",
                known.join(", ")
            ));
            Status::Failed
        }
    }
}

/// What the rules say of each unit; `None` if that failed.
fn checked(arguments: &Check, files: &Files) -> Vec<Option<ferry_checks::Result>> {
    let units = &files.loaded.units;
    let programs: Vec<_> = units.iter().map(|unit| unit.unit.as_ref().ok()).collect();
    let elsewhere = ferry_checks::moving_elsewhere(&programs);
    let declared: Vec<_> = units.iter().map(|unit| unit.declared()).collect();
    let part = |number: usize| {
        Some(Part {
            unit: programs[number]?,
            declarations: &declared[number],
            outside: files.outside(number),
            language: language(files, number),
        })
    };
    let parts: Vec<Option<Part<'_>>> = (0..units.len()).map(part).collect();
    units::map(units, arguments.input.threads, |number, unit| {
        let Ok(program) = &unit.unit else {
            return ferry_checks::Result::default();
        };
        let joined = together(&parts, number, &elsewhere[number], &files.sources);
        let nothing = BTreeSet::new();
        let program = joined.as_ref().map_or(program, |joined| &joined.unit);
        let surroundings = Surroundings {
            outside: joined
                .as_ref()
                .map_or(files.outside(number), |joined| &joined.outside),
            declarations: joined
                .as_ref()
                .map_or(&declared[number], |joined| &joined.declarations),
            elsewhere: &elsewhere[number],
            always: joined.as_ref().map_or(&nothing, |joined| &joined.always),
            language: language(files, number),
            openmp: arguments.openmp,
            mend: arguments.fix || arguments.diff || arguments.format != CheckFormat::Text,
            performance: arguments.performance,
        };
        check(program, surroundings, &files.sources)
    })
}

fn look(arguments: &Check, files: &Files) -> Outcome {
    let units = &files.loaded.units;
    let made = checked(arguments, files);
    let mut outcome = Outcome {
        findings: Vec::new(),
        fixes: Vec::new(),
        allowed: 0,
        known: 0,
        possible: 0,
        unknown: Vec::new(),
        errors: Vec::new(),
        wrong: Vec::new(),
    };
    let errors = files
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    outcome
        .errors
        .extend(errors.map(|finding| finding.message.clone()));
    let mut seen = BTreeSet::new();
    let mut allowed = allow::Allowed::new(&files.sources);
    let mut found: Vec<Checked> = Vec::new();
    for (unit, one) in units.iter().zip(made) {
        for (at, rule) in unit.file.into_iter().flat_map(|file| allowed.unknown(file)) {
            let message = format!("there is no rule {rule:?} that a comment could allow");
            outcome.errors.push(message.clone());
            outcome
                .wrong
                .push(Finding::new(Severity::Error, "allow", message).at(at, ""));
        }
        let Some(one) = one else {
            let wrong = units::failed(unit);
            outcome.errors.push(wrong.message.clone());
            outcome.wrong.push(wrong);
            continue;
        };
        outcome.unknown.extend(one.unknown);
        found.extend(one.findings);
    }
    // A file may be followed by itself and with others: what is surest counts.
    found.sort_by_key(|checked| checked.confidence);
    for checked in found {
        let at = checked.finding.primary.as_ref().map(|label| label.at);
        // One finding in a header that several files include is one finding.
        if !seen.insert((at, checked.finding.rule.clone(), checked.object.clone())) {
            continue;
        }
        if allowed.covers(&checked) {
            outcome.allowed += 1;
        } else if arguments
            .baseline
            .as_ref()
            .is_some_and(|known| known.has(&fingerprint(&checked, files)))
        {
            outcome.known += 1;
        } else if checked.confidence == Confidence::Possible && !arguments.pedantic {
            outcome.possible += 1;
        } else {
            outcome.findings.push(checked);
        }
    }
    outcome
        .findings
        .sort_by(|a, b| a.finding.order().cmp(&b.finding.order()));
    outcome.unknown.sort_by_key(|(_, at)| *at);
    outcome.unknown.dedup();
    outcome
}

/// The language whose directives the flags of a file turn on, if it is one of the two.
fn language(files: &Files, number: usize) -> Option<Language> {
    let flags = &files.jobs.get(number)?.arguments;
    let on = |names: &[&str]| flags.iter().any(|flag| names.contains(&flag.as_str()));
    match (
        on(&["-fopenmp", "-qopenmp", "-fiopenmp"]),
        on(&["-fopenacc", "-acc"]),
    ) {
        (true, false) => Some(Language::OpenMp),
        (false, true) => Some(Language::OpenAcc),
        _ => None,
    }
}

/// What a finding is known by from one version of the text to the next: rule, function, object and the text of its line, white space aside.
fn fingerprint(checked: &Checked, files: &Files) -> String {
    let line = checked.finding.primary.as_ref().map(|label| {
        let (line, _) = files.sources.line_column(label.at.file, label.at.start);
        let start = files.sources.line_start(label.at.file, line).unwrap_or(0);
        let end = files.sources.line_start(label.at.file, line + 1);
        let end = end.unwrap_or(files.sources.bytes(label.at.file).len() as u32);
        let text = files.sources.text(Span::new(label.at.file, start, end));
        let words = text
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(&b' ')
    });
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let line = line.unwrap_or_default();
    for part in [
        checked.finding.rule.as_bytes(),
        checked.function.as_bytes(),
        checked.object.as_bytes(),
        &line,
    ] {
        // FNV-1a: the same on every machine and in every version of the compiler.
        for byte in part.iter().chain(&[0]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// How sure, in one word.
fn confidence(checked: &Checked) -> &'static str {
    match checked.confidence {
        Confidence::Proven => "proven",
        Confidence::Likely => "likely",
        Confidence::Possible => "possible",
    }
}

/// How bad: what is only possible is a note.
fn severity(checked: &Checked) -> Severity {
    match checked.confidence {
        Confidence::Possible => Severity::Note,
        _ => checked.finding.severity,
    }
}
