//! How does a report read? Loop by loop, grouped by function, with the source lines of what stands in the way.

use super::kernel;
use super::model::{
    AccessReport, CauseReport, DependenceReport, FitnessReason, LoopReport, Parameters, Place, Report,
};
use crate::input::Files;
use crate::terminal;
use ferry_source::{Finding, Severity, Span};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

/// Most causes of one loop: what fits on a screen.
const MOST_CAUSES: usize = 4;

/// Most places of one cause that are named, beside the first.
const MOST_LINES: usize = 5;

/// Most reasons against a kernel.
const MOST_REASONS: usize = 3;

/// Most kinds of dependence of one cause.
const MOST_VECTORS: usize = 3;

/// The text of the whole report.
pub fn render(report: &Report, files: &Files) -> String {
    let mut out = String::new();
    let mut heading = (String::new(), String::new());
    for (number, one) in report.loops.iter().enumerate() {
        let own = (one.place.file.clone(), one.function.clone());
        if own != heading {
            if number > 0 {
                out.push('\n');
            }
            let _ = writeln!(out, "{}: function {}", own.0, own.1);
            heading = own;
        }
        one_loop(one, &mut out);
        // What is said once is enough for a first look.
        let mut shown: Vec<&CauseReport> = Vec::new();
        for cause in &one.causes {
            if shown.len() < MOST_CAUSES && shown.iter().all(|other| other.message != cause.message) {
                shown.push(cause);
                self::cause(cause, files, "      ", &mut out);
            }
        }
        let more = one.causes.len() - shown.len();
        if more > 0 {
            let Place { file, line, .. } = &one.place;
            let _ = writeln!(out, "      and {more} more: ferry report --loop {file}:{line}");
        }
        let next = report.loops.get(number + 1);
        let last = next.is_none_or(|next| next.place.file != one.place.file || next.function != one.function);
        if last {
            sections(report, one, &mut out);
        }
    }
    if report.loops.is_empty() && report.errors.is_empty() {
        out.push_str("there are no loops\n");
    }
    out
}

/// A cause with its places, how the iterations depend on one another, and what would remove it.
pub fn cause(cause: &CauseReport, files: &Files, indent: &str, out: &mut String) {
    let mut finding = Finding::new(Severity::Note, "cause", cause.message.clone());
    let (here, there) = labels(cause);
    if let Some(at) = span(files, &cause.place) {
        finding = finding.at(at, here);
    }
    let other = cause.other.as_ref().filter(|other| **other != cause.place);
    if let Some(at) = other.and_then(|place| span(files, place)) {
        finding = finding.related(at, there);
    }
    if let Some(also) = also(cause) {
        finding = finding.note(also);
    }
    if let Some(runs) = runs(cause) {
        finding = finding.note(runs);
    }
    if let Some(vectors) = vectors(cause) {
        finding = finding.note(vectors);
    }
    if let Some(remedy) = &cause.remedy {
        finding = finding.help(remedy.clone());
    }
    for line in terminal::finding(&files.sources, &finding).lines() {
        let _ = writeln!(out, "{indent}{line}");
    }
}

/// What happens at the two places of a cause.
fn labels(cause: &CauseReport) -> (&'static str, &'static str) {
    match &cause.other {
        None => ("", ""),
        Some(other) if *other == cause.place => ("", ""),
        // A scalar, which is written and read.
        Some(_) if cause.dependences.is_empty() => ("written here", "read here"),
        Some(other) => {
            let reads = |one: &DependenceReport| match one.kind {
                "flow" => *one.sink == *other && *one.source == cause.place,
                "anti" => *one.source == *other && *one.sink == cause.place,
                _ => false,
            };
            match cause.dependences.iter().any(reads) {
                true => ("written here", "read here"),
                false => ("written here", "and here"),
            }
        }
    }
}

/// `the same in lines 7 and 9`; `the same at 2 more places`, where these are in one line or in other files.
fn also(cause: &CauseReport) -> Option<String> {
    let count = cause.also.len();
    let mut lines: Vec<u32> = cause.also.iter().map(|at| at.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let near = cause
        .also
        .iter()
        .all(|at| at.file == cause.place.file && at.line != cause.place.line);
    let places = if count == 1 { "place" } else { "places" };
    match near && lines.len() == count && count <= MOST_LINES {
        true => lines_in_words(&lines).map(|lines| format!("the same in {lines}")),
        false => (count > 0).then(|| format!("the same at {count} more {places}")),
    }
}

/// `line 7`, `lines 7, 8 and 9`
fn lines_in_words(lines: &[u32]) -> Option<String> {
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    in_words(&lines).map(|lines| format!("{word} {lines}"))
}

/// `a`, `a and b`, `a, b and c`; `None` of nothing.
pub fn in_words(names: &[String]) -> Option<String> {
    Some(match names {
        [] => return None,
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    })
}

/// `only where the loop in line 7 runs`
fn runs(cause: &CauseReport) -> Option<String> {
    let mut lines: Vec<u32> = cause.where_runs.iter().map(|at| at.line).collect();
    lines.dedup();
    let (loops, run) = if lines.len() == 1 {
        ("loop", "runs")
    } else {
        ("loops", "run")
    };
    lines_in_words(&lines).map(|lines| format!("only where the {loops} in {lines} {run}"))
}

/// `flow dependence (1, 0); anti dependence (<, *); 12 pairs of accesses`
fn vectors(cause: &CauseReport) -> Option<String> {
    let mut said: HashSet<(&str, &[String])> = HashSet::new();
    let mut kinds: Vec<&DependenceReport> = Vec::new();
    let mut pairs: HashSet<(&Place, &Place)> = HashSet::new();
    for one in &cause.dependences {
        if said.insert((one.kind, &one.vector)) {
            kinds.push(one);
        }
        pairs.insert(match one.source < one.sink {
            true => (&one.source, &one.sink),
            false => (&one.sink, &one.source),
        });
    }
    let more = kinds.len().saturating_sub(MOST_VECTORS);
    kinds.truncate(MOST_VECTORS);
    let kinds: Vec<String> = kinds.into_iter().map(DependenceReport::text).collect();
    let mut text = kinds
        .first()
        .map(|_| format!("dependences: {}", kinds.join("; ")))?;
    if more > 0 {
        let _ = write!(text, "; and {more} more");
    }
    if pairs.len() > 1 {
        let _ = write!(text, "; {} pairs of accesses", pairs.len());
    }
    Some(text)
}

/// The line of a loop's verdict, without its end.
pub fn headline(one: &LoopReport) -> String {
    let verdict = match one.verdict {
        "parallel_if" => format!(
            "parallel if {}",
            one.condition.as_deref().unwrap_or("a condition holds")
        ),
        "parallel_assuming" => match &one.condition {
            Some(condition) => format!("parallel, assuming what is listed, if {condition}"),
            None => "parallel, assuming what is listed".to_owned(),
        },
        other => other.to_owned(),
    };
    let mut line = format!("line {}: {} loop: {verdict}", one.place.line, one.keyword);
    for reduction in &one.reductions {
        let _ = write!(
            line,
            ", reduction({}: {})",
            reduction.operator, reduction.variable
        );
    }
    for object in &one.atomics {
        let _ = write!(line, ", atomic({}: {})", object.operator, object.object);
    }
    for section in &one.sections {
        let what = section.section.as_ref().unwrap_or(&section.object);
        let _ = write!(line, ", reduction({}: {what})", section.operator);
    }
    if !one.private.is_empty() {
        let _ = write!(line, ", private({})", one.private.join(", "));
    }
    if !one.lastprivate.is_empty() {
        let _ = write!(line, ", lastprivate({})", one.lastprivate.join(", "));
    }
    line
}

fn one_loop(one: &LoopReport, out: &mut String) {
    let _ = writeln!(out, "  {}", headline(one));
    if let Some(trip) = &one.trip_count {
        let _ = writeln!(out, "      {trip} iterations");
    }
    for assumption in &one.assumptions {
        let _ = writeln!(out, "      assuming that {assumption}");
    }
    if let Some(parameters) = one.parameters.as_ref().filter(|_| !one.inner) {
        kernel_parameters(parameters, out);
    }
    let is_parallel = one.verdict.starts_with("parallel");
    match &one.reason {
        None => out.push_str("      runs on the device\n"),
        Some(_) if one.kernel.as_ref().is_some_and(|kernel| kernel.by_directive) => {
            out.push_str("      runs on the device, by the directive before it\n");
        }
        Some(_) if one.on_device => {
            out.push_str("      runs on the device, in a region of directives that are there\n");
        }
        Some(reason) if is_parallel => {
            let _ = writeln!(out, "      stays on the host: {reason}");
        }
        Some(_) => {}
    }
    if let Some(fitness) = one.fitness.as_ref().filter(|_| !one.inner) {
        let against = fitness.reasons.iter().filter(|reason| reason.suits != "well");
        self::fitness(against.take(MOST_REASONS), "      ", out);
    }
    // Of loops that stay on the host the story of the loop tells.
    if let Some(kernel) = one
        .kernel
        .as_ref()
        .filter(|kernel| kernel.by_directive || kernel.planned)
    {
        kernel::text(kernel, false, "      ", out);
    }
}

/// What speaks for and against a kernel, a line each.
pub fn fitness<'a>(reasons: impl Iterator<Item = &'a FitnessReason>, indent: &str, out: &mut String) {
    for reason in reasons {
        let Place { line, .. } = &reason.place;
        let _ = writeln!(out, "{indent}on a GPU, line {line}: {}", reason.message);
    }
}

/// What goes in and out, a line for each object.
pub fn kernel_parameters(parameters: &Parameters, out: &mut String) {
    let lists = [
        ("in", &parameters.inbound),
        ("out", &parameters.outbound),
        ("nested in", &parameters.nested_inbound),
        ("nested out", &parameters.nested_outbound),
    ];
    for (way, objects) in lists {
        for object in objects {
            let _ = write!(
                out,
                "      {way}: {}",
                object.section.as_ref().unwrap_or(&object.object)
            );
            match (&object.bytes, &object.cause) {
                (Some([low, high]), _) => {
                    let _ = write!(out, ", bytes [{low}, {high})");
                }
                (None, Some(cause)) => {
                    let _ = write!(out, ": {cause}");
                }
                (None, None) => {}
            }
            if !object.members.is_empty() {
                let _ = write!(out, ", of it {}", object.members.join(", "));
            }
            out.push('\n');
        }
    }
    for (way, names) in [("in", &parameters.scalars), ("out", &parameters.results)] {
        if !names.is_empty() {
            let _ = writeln!(out, "      {way}, by value: {}", names.join(", "));
        }
    }
}

/// What the loops of a function touch, object by object.
fn sections(report: &Report, one: &LoopReport, out: &mut String) {
    let own = |access: &&AccessReport| access.place.file == one.place.file && access.function == one.function;
    let mut lines: Vec<String> = Vec::new();
    for access in report.accesses.iter().filter(own) {
        let line = access_line(access);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if let Some(condition) = report
        .accesses
        .iter()
        .filter(own)
        .find_map(|one| one.holds_if.as_ref())
    {
        let _ = writeln!(out, "    where {condition}:");
    }
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
}

/// `line 7: writes a[0:n]`
pub fn access_line(access: &AccessReport) -> String {
    let verb = if access.kind == "write" { "writes" } else { "reads" };
    let what = match (&access.section, &access.cause) {
        (Some(section), _) => section.clone(),
        (None, cause) => format!(
            "{}: {}",
            access
                .text
                .as_deref()
                .or(access.object.as_deref())
                .unwrap_or("memory"),
            cause.as_deref().unwrap_or("its section is not known")
        ),
    };
    format!("line {}: {verb} {what}", access.place.line)
}

/// The place as a span of one byte, to show its line.
fn span(files: &Files, place: &Place) -> Option<Span> {
    let file = files.sources.find(Path::new(&place.file))?;
    let start = files.sources.line_start(file, place.line)? + place.column.saturating_sub(1);
    Some(Span {
        file,
        start,
        end: start + 1,
    })
}
