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
use ferry_source::Origin;
use std::collections::BTreeSet;

/// Functions that end the program by way of what was registered.
const ENDS: [&str; 2] = ["exit", "quick_exit"];

/// Functions that end it by a signal, whose handler may have been registered.
const ABORTS: [&str; 4] = ["abort", "__assert_fail", "__assert", "__assert_perror_fail"];

/// Functions that register their first argument.
const REGISTERS: [&str; 3] = ["atexit", "on_exit", "at_quick_exit"];

/// Functions of the library that call what they are given, and keep nothing.
const CALL_BACK: [&str; 4] = ["qsort", "bsearch", "pthread_create", "thrd_create"];

/// Words that make a function one that is called when the program ends, where they stand in an attribute.
pub(super) const ATTRIBUTES: [&str; 3] = ["destructor", "__destructor__", "fini_array"];

/// A function that a unit registers, or gives to one that may do that.
#[derive(Clone)]
pub struct Registered {
    /// `None`: it is not known by its name.
    pub function: Option<FunctionRef>,
    /// The function of which nothing is seen that it is given to; none where it is registered.
    pub to: Option<String>,
    /// Where.
    pub at: Origin,
}

/// All of them, in the order of the text.
fn all(unit: &Unit) -> Vec<Registered> {
    let mut found = Vec::new();
    let without_body = |id: &FunctionRef| {
        let function = unit.function(*id);
        function.body.is_none().then_some(function.name.as_str())
    };
    let registers = |id: &FunctionRef| without_body(id).is_some_and(|name| REGISTERS.contains(&name));
    // Called through a pointer, it may register anything.
    if let Some(id) = unit.functions_pointed_to().into_iter().find(registers) {
        found.push(Registered {
            function: None,
            to: None,
            at: unit.function(id).origin,
        });
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
            if let Callee::Function(id) = callee
                && registers(id)
            {
                found.push(Registered {
                    function: arguments.first().and_then(callback::function),
                    to: None,
                    at: stmt.origin,
                });
                return;
            }
            let to = match callee {
                Callee::Function(id) => without_body(id).filter(|name| !CALL_BACK.contains(name)),
                Callee::Pointer(_) => Some("a function behind a pointer"),
            };
            let Some(to) = to else { return };
            let given = arguments.iter().filter_map(callback::function);
            found.extend(given.map(|function| Registered {
                function: Some(function),
                to: Some(to.to_owned()),
                at: stmt.origin,
            }));
        });
    }
    found
}

/// The functions that a unit registers, as far as it is known, or gives to functions that may do that; `None` is one that is not known by its name.
pub(super) fn registered(unit: &Unit) -> BTreeSet<Option<FunctionRef>> {
    all(unit).into_iter().map(|one| one.function).collect()
}

/// Each function that may be among those that are registered, with what says so: all whose addresses are taken, where one is that is not known by its name.
pub fn may_be_registered(unit: &Unit) -> Vec<(FunctionRef, Registered)> {
    let mut found = Vec::new();
    for one in all(unit) {
        match one.function {
            Some(function) => found.push((function, one)),
            None => found.extend(
                unit.functions_pointed_to()
                    .into_iter()
                    .map(|id| (id, one.clone())),
            ),
        }
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
