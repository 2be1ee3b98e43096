//! What does the JSON of `ferry check` hold? The schema in `docs/check.schema.json` says the same.

use super::{Outcome, confidence, fingerprint, severity};
use crate::input::Files;
use crate::report::{self, described, place_of};
use ferry_checks::Checked;
use ferry_source::{Edit, Severity, Span};
use serde::Serialize;

#[derive(Serialize)]
struct Report {
    version: u32,
    schema: &'static str,
    files: Vec<FileReport>,
    findings: Vec<FindingReport>,
    not_said: NotSaid,
    unknown: Vec<UnknownReport>,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    read: bool,
    findings: Vec<report::FindingReport>,
}

#[derive(Serialize)]
struct NotSaid {
    allowed: usize,
    in_baseline: usize,
    possible: usize,
}

#[derive(Serialize)]
struct FindingReport {
    rule: String,
    severity: &'static str,
    confidence: &'static str,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    performance: bool,
    object: String,
    function: String,
    related: Vec<RelatedReport>,
    notes: Vec<String>,
    help: Option<String>,
    fixes: Vec<FixReport>,
    fingerprint: String,
}

#[derive(Serialize)]
struct RelatedReport {
    file: String,
    line: u32,
    column: u32,
    message: String,
}

#[derive(Serialize)]
struct FixReport {
    file: String,
    start: u32,
    end: u32,
    text: String,
}

#[derive(Serialize)]
struct UnknownReport {
    why: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

/// The JSON text.
///
/// # Errors
/// If it cannot be written as text.
pub fn render(outcome: &Outcome, files: &Files) -> Result<String, String> {
    let report = Report {
        version: 1,
        schema: "docs/check.schema.json",
        files: files
            .loaded
            .units
            .iter()
            .map(|unit| FileReport {
                file: unit.path.display().to_string(),
                read: unit.unit.is_ok(),
                findings: unit
                    .all_findings()
                    .map(|finding| described(files, finding))
                    .collect(),
            })
            .collect(),
        findings: outcome
            .findings
            .iter()
            .enumerate()
            .map(|(number, one)| finding(one, outcome.fixes.get(number), files))
            .collect(),
        not_said: NotSaid {
            allowed: outcome.allowed,
            in_baseline: outcome.known,
            possible: outcome.possible,
        },
        unknown: outcome
            .unknown
            .iter()
            .map(|(why, at)| {
                let (file, line, column) = place(*at, files);
                UnknownReport {
                    why: why.clone(),
                    file,
                    line,
                    column,
                }
            })
            .collect(),
        errors: outcome.errors.clone(),
    };
    let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn place(at: Option<Span>, files: &Files) -> (Option<String>, Option<u32>, Option<u32>) {
    match at.map(|at| place_of(&files.sources, at)) {
        Some(place) => (Some(place.file), Some(place.line), Some(place.column)),
        None => (None, None, None),
    }
}

fn finding(checked: &Checked, fixes: Option<&Vec<Edit>>, files: &Files) -> FindingReport {
    let one = &checked.finding;
    let (file, line, column) = place(one.primary.as_ref().map(|label| label.at), files);
    FindingReport {
        rule: one.rule.clone(),
        severity: match severity(checked) {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        confidence: confidence(checked),
        message: one.message.clone(),
        file,
        line,
        column,
        performance: checked.performance,
        object: checked.object.clone(),
        function: checked.function.clone(),
        related: one
            .related
            .iter()
            .map(|label| {
                let place = place_of(&files.sources, label.at);
                RelatedReport {
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    message: label.message.clone(),
                }
            })
            .collect(),
        notes: one.notes.clone(),
        help: one.help.clone(),
        fixes: fixes
            .into_iter()
            .flatten()
            .map(|fix| FixReport {
                file: files.sources.path(fix.at.file).display().to_string(),
                start: fix.at.start,
                end: fix.at.end,
                text: String::from_utf8_lossy(&fix.text).into_owned(),
            })
            .collect(),
        fingerprint: fingerprint(checked, files),
    }
}
