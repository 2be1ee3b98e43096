//! How does the whole story of one loop read? Its verdict and what it rests on, every obstacle with its places, direction vectors and remedy, how its
//! accesses were tested and what they touch, and the loops around it and in it.

use super::choose;
use super::model::{AccessReport, DependenceReport, LoopReport, Place};
use super::{statistics, text};
use crate::input::Files;
use std::fmt::Write;

/// The stories of the loops with these numbers.
pub fn render(loops: &[LoopReport], numbers: &[usize], files: &Files) -> String {
    let mut out = String::new();
    for number in numbers {
        if let Some(one) = loops.get(*number) {
            if !out.is_empty() {
                out.push('\n');
            }
            story(loops, *number, one, files, &mut out);
        }
    }
    out
}

fn story(loops: &[LoopReport], number: usize, one: &LoopReport, files: &Files, out: &mut String) {
    let _ = writeln!(out, "{}: function {}", one.place.file, one.function);
    let _ = writeln!(out, "  {}", text::headline(one));
    match &one.trip_count {
        Some(trip) => drop(writeln!(out, "    iterations: {trip}")),
        None => out.push_str("    iterations: not known before the loop\n"),
    }
    list(out, "last values of", &one.lastprivate);
    for induction in &one.inductions {
        let more = match &induction.growth {
            Some(growth) => format!(", and by {growth} more each time"),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "    {} begins at {} and moves by {}{more}",
            induction.variable, induction.start, induction.step
        );
    }
    for assumption in &one.assumptions {
        let _ = writeln!(out, "    assuming that {assumption}");
    }
    if let Some(remedy) = &one.remedy {
        let _ = writeln!(out, "    help: {remedy}");
    }
    for cause in &one.causes {
        let sure = if cause.proved { "certain" } else { "not excluded" };
        let _ = writeln!(out, "    obstacle, {sure}:");
        text::cause(cause, files, "      ", out);
        pairs(&cause.dependences, out);
    }
    statistics::of_loop(&one.tests, out);
    match &one.reason {
        None => out.push_str("    runs on the device\n"),
        Some(_) if one.on_device => out.push_str("    runs on the device, by directives that are there\n"),
        Some(reason) => drop(writeln!(out, "    stays on the host: {reason}")),
    }
    if let Some(fitness) = &one.fitness {
        let _ = writeln!(out, "    suits a GPU: {}", fitness.suits);
        text::fitness(fitness.reasons.iter(), "      ", out);
    }
    if let Some(kernel) = &one.kernel {
        super::kernel::text(kernel, true, "    ", out);
        titled(
            out,
            "what orders of the loops cost, those that run together first",
            &super::kernel::mapping_lines(kernel),
        );
    }
    if let Some(parameters) = &one.parameters {
        out.push_str("    what goes in and out:\n");
        text::kernel_parameters(parameters, out);
    }
    let accesses = one.story.iter().flat_map(|story| &story.accesses);
    let mut accesses: Vec<&AccessReport> = accesses.collect();
    accesses.sort_by(|a, b| a.place.cmp(&b.place));
    let mut lines: Vec<String> = Vec::new();
    for line in accesses.into_iter().map(text::access_line) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    titled(out, "accesses, seen from before the loop", &lines);
    let (around, inside) = choose::neighbours(loops, number);
    let headlines = |numbers: Vec<usize>| -> Vec<String> {
        let loops = numbers.into_iter().filter_map(|number| loops.get(number));
        loops.map(text::headline).collect()
    };
    titled(out, "loops around it", &headlines(around));
    titled(out, "loops in it", &headlines(inside));
}

fn list(out: &mut String, what: &str, names: &[String]) {
    if !names.is_empty() {
        let _ = writeln!(out, "    {what}: {}", names.join(", "));
    }
}

fn titled(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "    {title}:");
    for line in lines {
        let _ = writeln!(out, "      {line}");
    }
}

/// Every dependence of an obstacle that stands for several.
fn pairs(dependences: &[DependenceReport], out: &mut String) {
    if dependences.len() < 2 {
        return;
    }
    out.push_str("      each of its dependences, from the earlier iteration to the later one:\n");
    let place = |at: &Place| format!("{}:{}", at.line, at.column);
    for one in dependences {
        let _ = writeln!(
            out,
            "        {} to {}: {}",
            place(&one.source),
            place(&one.sink),
            one.text()
        );
    }
}
