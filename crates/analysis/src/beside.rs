//! Which functions run beside others, or before or after all others?
//!
//! A function that is called under a directive may be run by several threads at a time, or on a device; so is one that belongs to a construct of its caller (an
//! `omp for` alone). A thread that the program starts itself (`pthread_create`, `thrd_create`) runs beside the one that has started it. What the program
//! registers for its end (`atexit`), and what is called before it begins (attributes), runs when the run time of a language may not be there.
//! Everything that these call runs so, too.
//!
//! Calls are followed through all files of the program, by the names of functions that files share, however many of them define one. A call through a
//! pointer may be of any function of these files whose address is taken. A function that is given to another one of which nothing is seen may be called by that at any time.
//!
//! What it cannot do: files that are not seen; tell when the thread has ended that runs a function.

use crate::effects::linked::{self, Definition};
use crate::effects::{at_exit, callback};
use crate::symbols::Cause;
use ferry_ir::{Callee, FunctionRef, MAY_RETURN_TWICE, Stmt, StmtKind, Unit};
use ferry_source::{Origin, Sources};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The functions of one unit, with why.
pub type Beside = BTreeMap<FunctionRef, Cause>;

/// Directives that belong to a construct around them; where there is none in the function, it is in the caller.
const ORPHANS: [&str; 14] = [
    "for",
    "for simd",
    "sections",
    "section",
    "single",
    "master",
    "masked",
    "scope",
    "barrier",
    "critical",
    "atomic",
    "ordered",
    "distribute",
    "loop",
];

/// Words of attributes that make a function one that is called before or after all others.
const BY_ATTRIBUTE: [&str; 4] = ["constructor", "__constructor__", "destructor", "__destructor__"];

/// Sections of the program whose pointers are called before or after all others.
const BY_SECTION: [&str; 3] = ["preinit_array", "init_array", "fini_array"];

/// Functions of the library that run a function in a thread, with its position among their arguments.
const STARTS: [(&str, usize); 2] = [("pthread_create", 2), ("thrd_create", 1)];

const DIRECTIVE: &str = "its function is called under a directive";
const ENDS: &str =
    "its function is called when the program begins or ends, when the run time may not have the device";
const THREAD: &str =
    "its function runs in a thread that the program starts, beside others that may use the same data";

/// The words that a text has whose program starts threads itself.
pub fn starting() -> impl Iterator<Item = &'static str> {
    STARTS.into_iter().map(|(name, _)| name)
}

/// The functions of all units of a program.
pub fn of_program(units: &[Option<&Unit>], sources: &Sources) -> Vec<Beside> {
    let by_attribute = linked::declared_with(sources, &BY_ATTRIBUTE);
    let definitions = linked::definitions(units);
    let mut found = vec![Beside::new(); units.len()];
    // What is said of a function itself comes before what is said of its callers.
    let mut open: VecDeque<(usize, FunctionRef, Cause)> = VecDeque::new();
    for (number, unit) in units.iter().enumerate() {
        let Some(unit) = unit else { continue };
        let mut begins = directives_of(unit, &mut found[number]);
        begins.extend(called_otherwise(unit, sources));
        returning_twice(unit, &mut found[number]);
        for (id, function) in unit.functions() {
            if by_attribute.contains(function.name.as_bytes()) {
                begins.push((id, Cause::new(ENDS, function.origin)));
            }
        }
        open.extend(begins.into_iter().map(|(id, cause)| (number, id, cause)));
    }
    let mut pointed_to: Option<Vec<Definition>> = None;
    let mut seen = BTreeSet::new();
    while let Some((number, id, cause)) = open.pop_front() {
        let Some(unit) = units[number].filter(|_| seen.insert((number, id))) else {
            continue;
        };
        let function = unit.function(id);
        let Some(body) = &function.body else {
            let others = definitions.get(function.name.as_str()).into_iter().flatten();
            open.extend(others.map(|(other, id)| (*other, *id, cause.clone())));
            continue;
        };
        let mut reach = |next: (usize, FunctionRef)| open.push_back((next.0, next.1, cause.clone()));
        let through_pointer = calls(body, &mut |next| reach((number, next)));
        if through_pointer {
            let all = pointed_to.get_or_insert_with(|| {
                let each = units.iter().enumerate();
                let each = each.filter_map(|(number, unit)| Some((number, (*unit)?)));
                let each = each.flat_map(|(number, unit)| {
                    let all = unit.functions_pointed_to().into_iter();
                    all.map(move |id| (number, id))
                });
                each.collect()
            });
            all.iter().for_each(|next| reach(*next));
        }
        found[number].entry(id).or_insert(cause);
    }
    found
}

/// What is called under directives of a unit; functions that belong to a construct of their callers are put among those that were found.
fn directives_of(unit: &Unit, found: &mut Beside) -> Vec<(FunctionRef, Cause)> {
    let mut called = Vec::new();
    for (id, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        directives(body, false, &mut |stmt, name, is_inside| {
            if !is_inside && ORPHANS.contains(&name) {
                let why = "its function runs in a construct of the caller, as a directive in it shows";
                found.entry(id).or_insert_with(|| Cause::new(why, stmt.origin));
            }
            let StmtKind::Directive { body: Some(body), .. } = &stmt.kind else {
                return;
            };
            let mut take = |id| called.push((id, Cause::new(DIRECTIVE, stmt.origin)));
            if calls(body, &mut take) {
                unit.functions_pointed_to().into_iter().for_each(take);
            }
        });
    }
    called
}

/// Functions to which the program may jump back. gcc 12 compiles kernels in them wrong where they have a computed `goto`, too.
fn returning_twice(unit: &Unit, found: &mut Beside) {
    for (id, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        body.walk(&mut |stmt| {
            if let StmtKind::Opaque { why, .. } = &stmt.kind
                && why == MAY_RETURN_TWICE
            {
                let why = "the program may jump back into its function, which calls one that may return twice (`setjmp`)";
                found.entry(id).or_insert_with(|| Cause::new(why, stmt.origin));
            }
        });
    }
}

/// What a unit gives to functions that call it beside others, or at the end of the program.
fn called_otherwise(unit: &Unit, sources: &Sources) -> Vec<(FunctionRef, Cause)> {
    let mut found = Vec::new();
    let starts = |id: FunctionRef| {
        let function = unit.function(id);
        let known = STARTS.iter().find(|(name, _)| *name == function.name)?;
        function.body.is_none().then_some(known.1)
    };
    let any = |why: &str, at: Origin, found: &mut Vec<(FunctionRef, Cause)>| {
        let all = unit.functions_pointed_to().into_iter();
        found.extend(all.map(|id| (id, Cause::new(why, at))));
    };
    let bodies = unit.functions.iter();
    for body in bodies.filter_map(|function| function.body.as_ref()) {
        body.walk(&mut |stmt| {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                arguments,
                ..
            } = &stmt.kind
                && let Some(position) = starts(*id)
            {
                match arguments.get(position).and_then(callback::function) {
                    Some(one) => found.push((one, Cause::new(THREAD, stmt.origin))),
                    None => any(THREAD, stmt.origin, &mut found),
                }
            }
        });
    }
    // Called through a pointer, it may be given any function.
    let starters = unit.functions_pointed_to().into_iter();
    for id in starters.filter(|id| starts(*id).is_some()) {
        any(THREAD, unit.function(id).origin, &mut found);
    }
    for (function, given) in at_exit::may_be_registered(unit) {
        let why = match given.to {
            None => ENDS.to_owned(),
            Some(name) => format!(
                "its function is given to {name}, of which nothing is seen: it may be called beside others, or when the program ends"
            ),
        };
        found.push((function, Cause::new(why, given.at)));
    }
    if BY_SECTION.iter().any(|word| linked::has_word(sources, word)) {
        for id in unit.functions_pointed_to() {
            found.push((id, Cause::new(ENDS, unit.function(id).origin)));
        }
    }
    found
}

/// Calls `f` for every directive with its name, and whether there is another one around it.
fn directives<'a>(stmt: &'a Stmt, is_inside: bool, f: &mut dyn FnMut(&'a Stmt, &'a str, bool)) {
    let mut inner = is_inside;
    if let StmtKind::Directive { directive, .. } = &stmt.kind {
        f(stmt, directive.name.as_str(), is_inside);
        inner = true;
    }
    for child in stmt.children() {
        directives(child, inner, f);
    }
}

/// The functions that a statement calls by their names; true if it may call others through pointers.
pub fn calls(stmt: &Stmt, f: &mut dyn FnMut(FunctionRef)) -> bool {
    let mut pointer = false;
    stmt.walk(&mut |inner| match &inner.kind {
        StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } => f(*id),
        StmtKind::Call { .. } | StmtKind::Opaque { .. } => pointer = true,
        _ => {}
    });
    pointer
}
