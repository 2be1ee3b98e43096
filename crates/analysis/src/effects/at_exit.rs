//! What does a program do when `exit` ends it?
//!
//! It calls the functions that were registered before (`atexit`, `on_exit`, `at_quick_exit`): a call that ends the program touches what
//! any function that the program registers somewhere touches. Which of them are registered when it ends is not looked at. A function that is given to
//! another one of which nothing is seen (`__cxa_atexit`, `signal`) may be registered, too, and `abort` may call it.
//!
//! Where a text speaks of destructors, which are called then, too, such a call may touch anything ([`super::linked`]).
//!
//! What it cannot do: functions that are registered by files that are not seen.

use super::{Outline, Step, callback};
use ferry_ir::{Callee, FunctionRef, StmtKind, Unit};
use std::collections::BTreeSet;

/// Functions that end the program by way of what was registered.
const ENDS: [&str; 2] = ["exit", "quick_exit"];

/// Functions that end it by a signal, whose handler may have been registered.
const ABORTS: [&str; 4] = ["abort", "__assert_fail", "__assert", "__assert_perror_fail"];

/// Functions that register their first argument.
const REGISTERS: [&str; 3] = ["atexit", "on_exit", "at_quick_exit"];

/// Functions of the library that call what they are given, and keep nothing.
const CALL_BACK: [&str; 3] = ["qsort", "bsearch", "pthread_create"];

/// Words that make a function one that is called when the program ends, where they stand in an attribute.
pub(super) const ATTRIBUTES: [&str; 3] = ["destructor", "__destructor__", "fini_array"];

/// The functions that a unit registers, as far as it is known, or gives to functions that may do that; `None` is one that is not known by its name.
pub(super) fn registered(unit: &Unit) -> BTreeSet<Option<FunctionRef>> {
    let mut found = BTreeSet::new();
    let without_body = |id: &FunctionRef| {
        let function = unit.function(*id);
        function.body.is_none().then_some(function.name.as_str())
    };
    let registers = |id: &FunctionRef| without_body(id).is_some_and(|name| REGISTERS.contains(&name));
    // Called through a pointer, it may register anything.
    if unit.functions_pointed_to().iter().any(registers) {
        found.insert(None);
    }
    let bodies = unit.functions.iter();
    for body in bodies.filter_map(|function| function.body.as_ref()) {
        body.walk(&mut |stmt| {
            let StmtKind::Call {
                callee, arguments, ..
            } = &stmt.kind
            else {
                return;
            };
            let keeps = match callee {
                Callee::Function(id) => without_body(id).is_some_and(|name| !CALL_BACK.contains(&name)),
                Callee::Pointer(_) => true,
            };
            let given = arguments.iter().filter_map(callback::function).filter(|_| keeps);
            found.extend(given.map(Some));
            if let Callee::Function(id) = callee
                && registers(id)
            {
                found.insert(arguments.first().and_then(callback::function));
            }
        });
    }
    found
}

/// The functions that may be among those that are registered: all whose addresses are taken, where one is that is not known by its name.
pub fn all_registered(unit: &Unit) -> BTreeSet<FunctionRef> {
    let registered = registered(unit);
    let mut found: BTreeSet<FunctionRef> = registered.iter().copied().flatten().collect();
    if registered.contains(&None) {
        found.extend(unit.functions_pointed_to());
    }
    found
}

/// The functions of a unit that end the program by way of what was registered.
pub(super) fn ending(unit: &Unit) -> impl Iterator<Item = FunctionRef> + '_ {
    named(unit, |name| ENDS.contains(&name) || ABORTS.contains(&name))
}

/// True if a unit may end the program by way of what was registered by other files.
pub fn ends(unit: &Unit) -> bool {
    named(unit, |name| ENDS.contains(&name)).next().is_some()
}

fn named(unit: &Unit, is_one: impl Fn(&str) -> bool) -> impl Iterator<Item = FunctionRef> {
    let wanted = unit
        .functions()
        .filter(move |(_, function)| function.body.is_none() && is_one(&function.name));
    wanted.map(|(id, _)| id)
}

/// The calls that each function that ends the program makes, of what the unit itself registers.
pub(super) fn outline(registered: &BTreeSet<Option<FunctionRef>>) -> Outline {
    let call = |callee: &Option<FunctionRef>| Step::Call {
        callee: *callee,
        formatted: None,
        back: None,
        arguments: Vec::new(),
    };
    Outline {
        steps: registered.iter().map(call).collect(),
        ..Outline::default()
    }
}
