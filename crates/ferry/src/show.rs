//! `ferry show`: what Ferry makes of a file. For people who look for the reason of an answer.

use crate::arguments::{Show, What};
use crate::input::{self, Files};
use crate::names::Names;
use crate::{Status, sections, show_regions, terminal, units};
use ferry_analysis::effects::{Effects, linked::Outside};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::verdict::{self, FunctionFacts};
use ferry_ir::{PrintOptions, Unit, print_unit};
use ferry_symbolic::Symbol;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Runs the command.
pub fn run(arguments: &Show) -> Status {
    let files = input::load_files(&arguments.input);
    let units = &files.loaded.units;
    let texts = units::map(units, arguments.input.threads, |number, unit| match &unit.unit {
        Ok(unit) => text(unit, files.outside(number), &files, arguments.what),
        Err(_) => String::new(),
    });
    let mut failed =
        units.iter().any(|unit| unit.has_errors()) || files.jobs.len() < arguments.input.files.len();
    for (unit, text) in units.iter().zip(texts) {
        let text = text.unwrap_or_else(|| {
            terminal::complain(&terminal::finding(&files.sources, &units::failed(unit)));
            failed = true;
            String::new()
        });
        if let Err(error) = terminal::print(text.as_bytes()) {
            terminal::complain(&format!("error: cannot write to standard output: {error}"));
            failed = true;
        }
    }
    let own = files.findings.iter();
    for finding in own.chain(units.iter().flat_map(|unit| unit.all_findings())) {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    if failed { Status::Failed } else { Status::Done }
}

fn text(unit: &Unit, outside: &Outside, files: &Files, what: What) -> String {
    if what == What::Ir {
        return print_unit(unit, PrintOptions::default());
    }
    let effects = Effects::of_linked(unit, outside);
    let mut out = String::new();
    for (id, function) in unit.functions() {
        let here = function.origin.span().is_some_and(|span| span.file == unit.file);
        if function.body.is_none() || !here {
            continue;
        }
        let facts = verdict::analyse(unit, id, &effects);
        let names = Names {
            unit,
            function,
            facts: &facts,
            sources: &files.sources,
        };
        let _ = writeln!(out, "function {}", function.name);
        if what == What::Regions {
            let heading = |number: usize| heading(names, &facts, number);
            show_regions::text(names, &facts, &effects, &heading, &mut out);
            continue;
        }
        for number in 0..facts.values.loops.len() {
            if !facts.values.loops[number].is_own() {
                continue;
            }
            match what {
                What::Values => values(names, &facts, number, &mut out),
                _ => nest(names, &facts, number, &mut out),
            }
        }
    }
    out
}

/// `line 12: for (…)`, indented by its depth.
fn heading(names: Names<'_>, facts: &FunctionFacts, number: usize) -> String {
    let of = &facts.values.loops[number];
    let line = of
        .keyword
        .map(|at| names.sources.line_column(at.file, at.start).0);
    let line = line.map_or_else(
        || "a loop that is in no line".to_owned(),
        |line| format!("line {line}"),
    );
    format!("{}{line}", "  ".repeat(of.depth + 1))
}

/// Trip count, induction variables, facts at the start of the body.
fn values(names: Names<'_>, facts: &FunctionFacts, number: usize, out: &mut String) {
    let of = &facts.values.loops[number];
    let indent = "  ".repeat(of.depth + 2);
    let _ = writeln!(out, "{}", heading(names, facts, number));
    match &of.trip {
        Ok(trip) => {
            let _ = writeln!(out, "{indent}runs {} times", names.value(trip, &of.before.facts));
        }
        Err(cause) => {
            let _ = writeln!(out, "{indent}runs an unknown number of times: {}", cause.why);
        }
    }
    for induction in &of.inductions {
        let start = names.value(&induction.start, &of.before.facts);
        let step = names.value(&induction.first_step, &of.before.facts);
        let more = match induction.step() {
            Some(_) => String::new(),
            None => {
                let growth = names.value(&induction.growth, &of.before.facts);
                format!(", and from then on by {growth} more each time")
            }
        };
        let _ = writeln!(
            out,
            "{indent}{} starts at {start} and steps by {step}{more}",
            names.variable(induction.variable)
        );
    }
    let before = of.before.variables.iter().filter(|(variable, value)| {
        let own = names.variable(**variable);
        !own.is_empty() && names.value(value, &of.before.facts) != own && !own.starts_with('%')
    });
    for (variable, value) in before {
        let value = names.value(value, &of.before.facts);
        let _ = writeln!(out, "{indent}before it, {} is {value}", names.variable(*variable));
    }
    for (fact, _) in of.facts_inside.conditions() {
        let _ = writeln!(out, "{indent}in it, {}", names.condition(&fact, &of.before.facts));
    }
}

/// What an outermost loop reads and writes, object by object.
fn nest(names: Names<'_>, facts: &FunctionFacts, number: usize, out: &mut String) {
    let of = &facts.values.loops[number];
    let index = LoopIndex(number as u32);
    if of.parent.is_some() {
        return;
    }
    let _ = writeln!(out, "{}", heading(names, facts, number));
    let mut objects: BTreeMap<(Option<Symbol>, bool), Vec<&ferry_analysis::access::Access>> = BTreeMap::new();
    for access in facts
        .values
        .accesses
        .iter()
        .filter(|access| access.loops.contains(&index))
    {
        objects
            .entry((access.root, access.is_write()))
            .or_default()
            .push(access);
    }
    for ((root, write), accesses) in objects {
        let verb = if write { "writes" } else { "reads" };
        let Some(root) = root else {
            let _ = writeln!(out, "    {verb} something through a pointer that is not known");
            continue;
        };
        match sections::of_object(names, accesses.iter().copied(), root, index) {
            Ok(described) => {
                let exact = if described.exact { "" } else { " (at most)" };
                let [low, high] = &described.bytes;
                let _ = writeln!(out, "    {verb} {}{exact}, bytes {low} to {high}", described.text);
            }
            Err(cause) => {
                let _ = writeln!(
                    out,
                    "    {verb} {}, which elements is not known: {}",
                    names.symbol(root),
                    cause.why
                );
            }
        }
    }
}
