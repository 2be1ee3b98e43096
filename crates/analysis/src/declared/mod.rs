//! Which functions and variables do directives outside of functions speak of?
//!
//! Of OpenMP's (`declare target`, `threadprivate`) the compiler tells ([`Unit::declared`]); its directives are read from their text only where it could not, and inside of functions.
//! Of OpenACC's, `declare` and `routine` (with a name, or for the next definition), the text is read.
//!
//! OpenACC's directives that a macro makes out of its parameters are not seen; [`made_by_a_macro`] says where there may be one.

mod names;

pub use names::{Listed, made_by_a_macro};

use ferry_ir::{Declaring, FunctionRef, GlobalId, StmtKind, Unit};
use ferry_source::{Origin, Sources, Span};
use std::collections::BTreeMap;

/// What one directive speaks of.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The directive, or a place in it.
    pub at: Span,
    /// `threadprivate`: every thread has its own.
    pub private: bool,
    /// Functions that are made for the device.
    pub functions: Vec<FunctionRef>,
    /// Variables.
    pub globals: Vec<GlobalId>,
    /// Of these, those that live on the device from the beginning; others (`link`) only while they are mapped.
    pub always: Vec<GlobalId>,
}

/// All of a unit; `declarations` are the directives at no statement's place, with their names.
pub fn all(unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) -> Vec<Declared> {
    let is_known = |name: &str| {
        unit.globals.iter().any(|global| global.name == name)
            || unit.functions().any(|(_, function)| function.name == name)
    };
    let speaks = |(span, name): (Span, &str)| match name {
        "declare" | "routine" => true,
        "threadprivate" | "declare target" | "begin declare target" => {
            unit.declared.is_err() || unit.function_at(span).is_some()
        }
        _ => false,
    };
    let mut all = by_compiler(unit, declarations);
    let in_functions = private_in_functions(unit).into_iter();
    let in_functions = in_functions.map(|span| (span, "threadprivate"));
    for directive in declarations.iter().copied().chain(in_functions) {
        if speaks(directive) {
            let listed = Listed::of(sources.text(directive.0)).replaced(&is_known, sources);
            all.push(one(unit, directive, &listed));
        }
    }
    all
}

/// `threadprivate` of static variables of functions stands at a statement's place.
fn private_in_functions(unit: &Unit) -> Vec<Span> {
    let mut found = Vec::new();
    for body in unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
    {
        body.walk(&mut |stmt| {
            if let StmtKind::Directive { directive, .. } = &stmt.kind
                && directive.name == "threadprivate"
            {
                found.extend(stmt.origin.span());
            }
        });
    }
    found
}

/// What the compiler tells, each directive once.
fn by_compiler(unit: &Unit, declarations: &[(Span, &str)]) -> Vec<Declared> {
    let mut found: BTreeMap<(Span, bool), Declared> = BTreeMap::new();
    for spoken in unit.declared.iter().flatten() {
        if matches!(spoken.how, Declaring::Variant | Declaring::Mapper) {
            continue;
        }
        let place = spoken.at.unwrap_or(Span::new(unit.file, 0, 0));
        let directive = declarations.iter().find(|(span, _)| span.contains(place));
        let at = directive.map_or(place, |(span, _)| *span);
        let private = spoken.how == Declaring::Private;
        let one = found.entry((at, private)).or_insert_with(|| Declared {
            at,
            private,
            functions: Vec::new(),
            globals: Vec::new(),
            always: Vec::new(),
        });
        one.functions.extend(spoken.function);
        one.globals.extend(spoken.variable);
        let always = spoken.variable.filter(|_| spoken.how == Declaring::Device);
        one.always.extend(always);
    }
    found.into_values().collect()
}

fn one(unit: &Unit, (span, name): (Span, &str), listed: &Listed) -> Declared {
    let has = |own: &str| listed.may_name(own);
    // Without a name `routine` means the next definition.
    let next = unit
        .functions()
        .filter_map(|(_, function)| function.origin.span())
        .filter(|own| name == "routine" && !listed.has_list && own.file == span.file && own.start >= span.end)
        .map(|own| own.start)
        .min();
    let is_next = |origin: Origin| {
        origin
            .span()
            .is_some_and(|own| own.file == span.file && Some(own.start) == next)
    };
    let functions = unit
        .functions()
        .filter(|(_, function)| has(&function.name) || is_next(function.origin));
    let functions = functions.map(|(id, _)| id).collect();
    let private = name == "threadprivate";
    // OpenACC: in a function it is up to the end of that.
    let is_local = name == "declare" && unit.function_at(span).is_some();
    let (mut globals, mut always) = (Vec::new(), Vec::new());
    for (global, number) in unit.globals.iter().zip(0u32..) {
        if !has(&global.name) {
            continue;
        }
        globals.push(GlobalId(number));
        if !is_local && !private && !listed.linked.contains(&global.name) {
            always.push(GlobalId(number));
        }
    }
    Declared {
        at: span,
        private,
        functions,
        globals,
        always,
    }
}
