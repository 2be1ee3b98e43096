//! How do regions read? For each loop and each function what it reads, writes, needs and leaves behind.

use crate::names::Names;
use ferry_analysis::effects::Effects;
use ferry_analysis::regions::{Part, RegionSet, Regions, Touch, View};
use ferry_analysis::verdict::FunctionFacts;
use ferry_symbolic::Facts;
use std::fmt::Write;

/// The regions of a function and its loops.
pub fn text(
    names: Names<'_>,
    facts: &FunctionFacts,
    effects: &Effects,
    heading: &dyn Fn(usize) -> String,
    out: &mut String,
) {
    let Some(body) = &names.function.body else { return };
    let regions = Regions::of_function(names.unit, facts.function, effects, &facts.values);
    if let Some(blocked) = regions.blocked() {
        let _ = writeln!(out, "  upper bounds only: {}", blocked.why);
    }
    if let Some(own) = regions.of(body.id) {
        let leaves = regions.out(body.id).unwrap_or_default();
        all(names, &regions, &own, &leaves, 2, out);
    }
    for (number, of) in facts.values.loops.iter().enumerate() {
        let _ = writeln!(out, "{}", heading(number));
        if let Some(own) = regions.of(of.stmt) {
            let leaves = regions.out(of.stmt).unwrap_or_default();
            all(names, &regions, &own, &leaves, 2 * of.depth + 4, out);
        }
    }
}

fn all(
    names: Names<'_>,
    regions: &Regions<'_>,
    own: &RegionSet,
    leaves: &Touch,
    indent: usize,
    out: &mut String,
) {
    let indent = " ".repeat(indent);
    for (verb, touch) in [
        ("reads", &own.read),
        ("writes", &own.write),
        ("needs", &own.in_),
        ("leaves", leaves),
    ] {
        for line in lines(names, regions, touch) {
            let _ = writeln!(out, "{indent}{verb} {line}");
        }
    }
}

fn lines(names: Names<'_>, regions: &Regions<'_>, touch: &Touch) -> Vec<String> {
    let mut lines = Vec::new();
    for (root, part) in &touch.objects {
        let Some(view) = regions.view(*root) else { continue };
        let name = format!("{}{}", names.symbol(*root), shape(names, view));
        lines.extend(bounds(names, &name, part));
    }
    for (family, rows) in &touch.rows {
        let through = "behind the pointers ".repeat(family.pointers.saturating_sub(1));
        let table = names.symbol(family.table);
        let name = format!("{through}behind {table}{}", shape(names, &rows.view));
        lines.extend(bounds(names, &name, &rows.part));
    }
    if let Some(cause) = &touch.elsewhere {
        lines.push(format!("something that is not known: {}", cause.why));
    }
    lines
}

fn bounds(names: Names<'_>, name: &str, part: &Part) -> Vec<String> {
    let apart = match part.apart.is_empty() || part.must.is_plainly_empty() {
        true => String::new(),
        false => {
            let others: Vec<String> = part.apart.iter().map(|root| names.symbol(*root)).collect();
            format!(" (if {} is other storage)", others.join(", "))
        }
    };
    if part.exact {
        return vec![format!("{name} exactly {}{apart}", names.set(&part.may))];
    }
    let why = match &part.cause {
        Some(cause) => format!(": {}", cause.why),
        None => String::new(),
    };
    let mut lines = vec![format!("{name} at most {}{why}", names.set(&part.may))];
    if !part.must.is_plainly_empty() {
        lines.push(format!("{name} at least {}{apart}", names.set(&part.must)));
    }
    lines
}

/// What the coordinates count, where it is not the subscripts of the text.
fn shape(names: Names<'_>, view: &View) -> String {
    let part = match view.part {
        Some((first, size)) if !view.strides.is_empty() => {
            format!(
                " (bytes {first} to {} of each element)",
                u128::from(first) + u128::from(size)
            )
        }
        _ => String::new(),
    };
    if view.bytes {
        return format!("{part} (the last coordinate counts bytes)");
    }
    if view.declared {
        return part;
    }
    let strides: Vec<String> = view
        .strides
        .iter()
        .map(|stride| names.value(stride, &Facts::default()))
        .collect();
    let from = match view.origin.is_zero() {
        true => String::new(),
        false => format!(" from byte {} on", names.value(&view.origin, &Facts::default())),
    };
    match strides.as_slice() {
        [only] if *only != "1" => part,
        [_] => format!("{part} (bytes)"),
        _ => format!("{part} (in steps of {} bytes{from})", strides.join(", ")),
    }
}
