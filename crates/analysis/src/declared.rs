//! Which functions and variables do directives outside of functions speak of?
//!
//! `declare target` with a list or up to its end, `threadprivate`, OpenACC's `declare` and `routine` (with a name, or for the next definition). Names are
//! found as words of the directive's text.

use ferry_ir::{FunctionRef, GlobalId, Unit};
use ferry_source::{Origin, Sources, Span};
use std::collections::BTreeSet;

/// What one directive speaks of.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The directive.
    pub at: Span,
    /// `threadprivate`: every thread has its own.
    pub private: bool,
    /// Functions that are made for the device.
    pub functions: Vec<FunctionRef>,
    /// Variables.
    pub globals: Vec<GlobalId>,
    /// Of these, those that live on the device from the beginning; the others (`link`) only while they are mapped.
    pub always: Vec<GlobalId>,
}

/// All of a unit; `declarations` are the directives at no statement's place, with their names.
pub fn all(unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) -> Vec<Declared> {
    let speaks = |name: &str| {
        matches!(
            name,
            "threadprivate" | "declare target" | "begin declare target" | "declare" | "routine"
        )
    };
    let numbered = declarations.iter().enumerate();
    numbered
        .filter(|(_, (_, name))| speaks(name))
        .map(|(number, (span, name))| one(unit, *span, name, &declarations[number + 1..], sources))
        .collect()
}

fn one(unit: &Unit, span: Span, name: &str, later: &[(Span, &str)], sources: &Sources) -> Declared {
    let text = String::from_utf8_lossy(sources.text(span));
    let words = words_of(&text);
    // Without names: `routine` means the next definition, `declare target` all up to its end.
    let end = later
        .iter()
        .find(|(other, name)| other.file == span.file && *name == "end declare target")
        .map(|(other, _)| other.start);
    let next = unit
        .functions()
        .filter_map(|(_, function)| function.origin.span())
        .filter(|own| own.file == span.file && own.start >= span.end)
        .map(|own| own.start)
        .min();
    let within = |origin: Origin| {
        origin.span().is_some_and(|own| {
            own.file == span.file
                && own.start >= span.end
                && match name {
                    "routine" => Some(own.start) == next,
                    "declare" | "threadprivate" => false,
                    _ => end.is_some_and(|end| own.start < end),
                }
        })
    };
    let functions = unit.functions();
    let functions = functions
        .filter(|(_, function)| words.contains(function.name.as_str()) || within(function.origin))
        .map(|(id, _)| id);
    let globals = unit.globals.iter().zip(0u32..).filter(|(global, _)| {
        words.contains(global.name.as_str()) || (name != "routine" && within(global.origin))
    });
    let globals: Vec<GlobalId> = globals.map(|(_, number)| GlobalId(number)).collect();
    let linked = text
        .split_once("link(")
        .map(|(_, list)| words_of(list.split(')').next().unwrap_or_default()));
    let linked = linked.unwrap_or_default();
    let private = name == "threadprivate";
    Declared {
        at: span,
        private,
        functions: functions.collect(),
        always: globals
            .iter()
            .copied()
            .filter(|id| !private && !linked.contains(unit.global(*id).name.as_str()))
            .collect(),
        globals,
    }
}

fn words_of(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .collect()
}
