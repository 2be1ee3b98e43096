//! How does a report read? Loop by loop, grouped by function, with the source lines of what stands in the way.

use super::model::{AccessReport, LoopReport, Parameters, Place, Report};
use crate::input::Files;
use crate::terminal;
use ferry_source::{Finding, Severity, Span};
use std::fmt::Write;
use std::path::Path;

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
        for cause in &one.causes {
            let mut finding = Finding::new(Severity::Note, "cause", cause.message.clone());
            if let Some(at) = span(files, &cause.place) {
                finding = finding.at(at, "");
            }
            if let Some(at) = cause.other.as_ref().and_then(|place| span(files, place)) {
                finding = finding.related(at, "the other access");
            }
            for line in terminal::finding(&files.sources, &finding).lines() {
                let _ = writeln!(out, "      {line}");
            }
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

fn one_loop(one: &LoopReport, out: &mut String) {
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
    let _ = write!(out, "  line {}: {} loop: {verdict}", one.place.line, one.keyword);
    for reduction in &one.reductions {
        let _ = write!(out, ", reduction({}: {})", reduction.operator, reduction.variable);
    }
    if !one.private.is_empty() {
        let _ = write!(out, ", private({})", one.private.join(", "));
    }
    out.push('\n');
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
        Some(reason) if is_parallel => {
            let _ = writeln!(out, "      stays on the host: {reason}");
        }
        Some(_) => {}
    }
}

/// What goes in and out, a line for each object.
fn kernel_parameters(parameters: &Parameters, out: &mut String) {
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
        let verb = if access.kind == "write" { "writes" } else { "reads" };
        let line = match (&access.section, &access.cause) {
            (Some(section), _) => format!("{verb} {section}"),
            (None, cause) => format!(
                "{verb} {}: {}",
                access
                    .text
                    .as_deref()
                    .or(access.object.as_deref())
                    .unwrap_or("memory"),
                cause.as_deref().unwrap_or("its section is not known")
            ),
        };
        let line = format!("line {}: {line}", access.place.line);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
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
