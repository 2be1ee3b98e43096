//! What was done, for people (on standard error) and for programs (on standard output).

use super::draft::{LoopPlan, Proposal};
use super::{Outcome, is_error};
use crate::arguments::{Annotate, Format};
use crate::input::Files;
use crate::output::{NewText, Written, patches};
use crate::{reshape, terminal};
use ferry_source::{Finding, Severity, Span};
use serde::Serialize;

/// Version of the JSON.
const VERSION: u32 = 1;
/// Where its schema is.
const SCHEMA: &str = "docs/annotate.schema.json";

#[derive(Serialize)]
struct Summary {
    version: u32,
    schema: &'static str,
    files: Vec<FileSummary>,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct FileSummary {
    file: String,
    changed: bool,
    failed: bool,
    /// What became of its loops before they were annotated.
    reshaped: Vec<String>,
    /// What was loaded before which of its loops.
    hoisted: Vec<String>,
    loops: usize,
    environments: usize,
    kernels: usize,
    not_offloaded: Vec<NotOffloaded>,
    assumptions: Vec<String>,
    launches: Vec<LaunchSummary>,
    findings: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Serialize)]
struct NotOffloaded {
    line: u32,
    column: u32,
    function: String,
    reason: String,
}

/// A kernel that is started again and again.
#[derive(Serialize)]
struct LaunchSummary {
    line: u32,
    column: u32,
    message: String,
}

#[derive(Serialize)]
struct Message {
    severity: &'static str,
    rule: String,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    notes: Vec<String>,
}

/// Says what was done.
pub fn write(arguments: &Annotate, files: &Files, outcomes: &[Outcome], written: &Written) {
    match arguments.format {
        Format::Text => people(arguments, files, outcomes, written),
        Format::Json => programs(arguments, files, outcomes, written),
    }
}

fn people(arguments: &Annotate, files: &Files, outcomes: &[Outcome], written: &Written) {
    for finding in &files.findings {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    for (unit, outcome) in files.loaded.units.iter().zip(outcomes) {
        for finding in &outcome.findings {
            terminal::complain(&terminal::finding(&files.sources, finding));
        }
        reshape::say(&unit.path, &outcome.reshaped);
        reshape::say(&unit.path, &outcome.left);
        reshape::say(&unit.path, &outcome.hoisted);
        let path = unit.path.display();
        if outcome.failed {
            terminal::complain(&format!("{path}: not annotated"));
            continue;
        }
        let (environments, kernels) = counts(outcome);
        terminal::complain(&format!(
            "{path}: {} in {}, of {}",
            number(kernels, "kernel", "kernels"),
            number(environments, "data environment", "data environments"),
            number(outcome.draft.loops, "loop", "loops"),
        ));
        let stay = not_offloaded(outcome);
        for (one, why) in &stay {
            let (line, column) = files.sources.line_column(one.keyword.file, one.keyword.start);
            terminal::complain(&format!(
                "  {path}:{line}:{column}: parallel, not offloaded: {why}"
            ));
        }
        let unbounded = unbounded(&stay, outcome);
        if let Some(first) = unbounded.first() {
            let extents: Vec<String> = unbounded
                .iter()
                .map(|pointer| format!("{pointer}[0:n]"))
                .collect();
            terminal::complain(&format!(
                "  help: `// ferry: extent({})` in front of the function says that {first} leads to n elements: then subscripts without bounds have some",
                extents.join(", ")
            ));
        }
        if !arguments.hoist && stay.iter().any(|(_, why)| is_nested(why)) {
            terminal::complain(
                "  help: `--hoist` loads such pointers before the loop, where it can run on the device then",
            );
        }
        for launches in launches(files, outcome) {
            terminal::complain(&format!(
                "  {path}:{}:{}: kernel: {}",
                launches.line, launches.column, launches.message
            ));
        }
        for assumption in assumptions(outcome) {
            terminal::complain(&format!("  assuming that {assumption}"));
        }
    }
    for error in &written.errors {
        terminal::complain(&format!("error: {error}"));
    }
}

fn programs(arguments: &Annotate, files: &Files, outcomes: &[Outcome], written: &Written) {
    let patches = if arguments.output.diff {
        written.patches.clone()
    } else {
        let texts: Vec<NewText<'_>> = outcomes.iter().map(Outcome::text).collect();
        patches(files, &texts)
    };
    let place = |at: Option<Span>| {
        at.map(|at| files.sources.line_column(at.file, at.start))
            .map_or((None, None), |(l, c)| (Some(l), Some(c)))
    };
    let message = |finding: &Finding| {
        let (line, column) = place(finding.primary.as_ref().map(|label| label.at));
        Message {
            severity: match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            rule: finding.rule.clone(),
            message: finding.message.clone(),
            line,
            column,
            notes: finding.notes.clone(),
        }
    };
    let summaries = files
        .loaded
        .units
        .iter()
        .zip(outcomes)
        .zip(patches)
        .map(|((unit, outcome), patch)| {
            let (environments, kernels) = counts(outcome);
            let not_offloaded = not_offloaded(outcome).into_iter().map(|(one, why)| {
                let (line, column) = files.sources.line_column(one.keyword.file, one.keyword.start);
                NotOffloaded {
                    line,
                    column,
                    function: one.function.clone(),
                    reason: why.to_owned(),
                }
            });
            FileSummary {
                file: unit.path.display().to_string(),
                changed: outcome.text.new.is_some(),
                failed: outcome.failed,
                reshaped: outcome
                    .reshaped
                    .iter()
                    .map(|line| line.trim().to_owned())
                    .collect(),
                hoisted: outcome.hoisted.clone(),
                loops: outcome.draft.loops,
                environments,
                kernels,
                not_offloaded: not_offloaded.collect(),
                assumptions: assumptions(outcome),
                launches: launches(files, outcome),
                findings: outcome.findings.iter().map(message).collect(),
                diff: arguments
                    .output
                    .diff
                    .then(|| String::from_utf8_lossy(&patch).into_owned()),
            }
        });
    let errors = files
        .findings
        .iter()
        .filter(|finding| is_error(finding))
        .map(|finding| finding.message.clone());
    let summary = Summary {
        version: VERSION,
        schema: SCHEMA,
        files: summaries.collect(),
        errors: errors.chain(written.errors.iter().cloned()).collect(),
    };
    if let Ok(mut text) = serde_json::to_string_pretty(&summary) {
        text.push('\n');
        if let Err(error) = terminal::print(text.as_bytes()) {
            terminal::complain(&format!("error: cannot write to standard output: {error}"));
        }
    }
}

fn number(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The proposals that were written, or those that were dropped.
fn proposals(outcome: &Outcome, written: bool) -> impl Iterator<Item = &Proposal> {
    let all = outcome.draft.proposals.iter().zip(&outcome.text.written);
    all.filter(move |(_, yes)| **yes == written).map(|(one, _)| one)
}

/// Environments and kernels that are written.
fn counts(outcome: &Outcome) -> (usize, usize) {
    proposals(outcome, true).fold((0, 0), |(environments, kernels), one| {
        (environments + 1, kernels + one.intended.kernels.len())
    })
}

/// The pointers of which it would help to know how much storage they lead to, each once.
fn unbounded<'a>(stay: &[(&'a LoopPlan, &str)], outcome: &'a Outcome) -> Vec<&'a str> {
    let plain = stay.iter().filter_map(|(one, _)| one.unbounded.as_deref());
    let mut found: Vec<&str> = Vec::new();
    for pointer in plain.chain(outcome.unbounded.iter().map(String::as_str)) {
        if !found.contains(&pointer) {
            found.push(pointer);
        }
    }
    found
}

/// True for the reasons that may go away where pointers in memory are loaded before the loop.
fn is_nested(why: &str) -> bool {
    let reasons = [
        "its pointer is ",
        "its structure is reached ",
        "a pointer in memory may be another one before the loop",
    ];
    reasons.iter().any(|reason| why.starts_with(reason))
}

/// Parallel loops that are not offloaded, but for those inside a parallel loop: one of both is enough.
fn not_offloaded(outcome: &Outcome) -> Vec<(&LoopPlan, &str)> {
    let dropped =
        |one: &LoopPlan| proposals(outcome, false).any(|proposal| proposal.span.contains(one.keyword));
    let reasons = outcome
        .draft
        .parallel
        .iter()
        .filter(|one| !one.inside_parallel)
        .filter_map(|one| match &one.offloaded {
            Err(reason) => Some((one, reason.why.as_str())),
            Ok(()) if dropped(one) => Some((one, "the written text was not the intended program")),
            Ok(()) => None,
        });
    reasons.collect()
}

fn assumptions(outcome: &Outcome) -> Vec<String> {
    let mut found = outcome.assumptions.clone();
    for assumption in proposals(outcome, true).flat_map(|one| &one.assumptions) {
        if !found.contains(assumption) {
            found.push(assumption.clone());
        }
    }
    found
}

/// The kernels that are started in each iteration of a loop on the host.
fn launches(files: &Files, outcome: &Outcome) -> Vec<LaunchSummary> {
    let all = proposals(outcome, true).flat_map(|one| &one.launches);
    all.map(|one| {
        let (line, column) = files.sources.line_column(one.keyword.file, one.keyword.start);
        LaunchSummary {
            line,
            column,
            message: one.message.clone(),
        }
    })
    .collect()
}
