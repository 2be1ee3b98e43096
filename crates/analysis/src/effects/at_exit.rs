//! What does a program do when `exit` ends it?
//!
//! It calls the functions that were registered before (`atexit`, `on_exit`, `at_quick_exit`): a call that ends the program touches what
//! any function that the program registers somewhere touches. Which of them are registered when it ends is not looked at.
//!
//! Where a text speaks of destructors, which are called then, too, such a call may touch anything ([`super::linked`]).
//!
//! What it cannot do: functions that are registered by files that are not seen, and handlers of signals, which `abort` may
//! call.

use super::{Effect, Outline, Step, Touch, callback};
use ferry_ir::{Callee, ExprKind, FunctionRef, StmtKind, Unit};
use std::collections::BTreeSet;

/// Functions that end the program by way of what was registered.
const ENDS: [&str; 2] = ["exit", "quick_exit"];

/// Functions that register their first argument.
const REGISTERS: [&str; 3] = ["atexit", "on_exit", "at_quick_exit"];

/// Words that make a function one that is called when the program ends, where they stand in an attribute.
pub(super) const ATTRIBUTES: [&str; 2] = ["destructor", "__destructor__"];

/// The functions that a unit registers; `None` is one that is not known by its name.
pub(super) fn registered(unit: &Unit) -> BTreeSet<Option<FunctionRef>> {
    let mut found = BTreeSet::new();
    let is_one = |id: &FunctionRef| {
        let function = unit.function(*id);
        function.body.is_none() && REGISTERS.contains(&function.name.as_str())
    };
    let bodies = unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref());
    for body in bodies {
        body.walk(&mut |stmt| {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                arguments,
                ..
            } = &stmt.kind
                && is_one(id)
            {
                found.insert(arguments.first().and_then(callback::function));
            }
            // Called through a pointer, it may register anything.
            stmt.for_each_expression(&mut |expr| {
                expr.walk(&mut |inner| {
                    if matches!(&inner.kind, ExprKind::Function(id) if is_one(id)) {
                        found.insert(None);
                    }
                });
            });
        });
    }
    found
}

/// The functions of a unit that end the program by way of what was registered.
pub(super) fn ending(unit: &Unit) -> impl Iterator<Item = FunctionRef> + '_ {
    let ends = unit
        .functions()
        .filter(|(_, function)| function.body.is_none() && ENDS.contains(&function.name.as_str()));
    ends.map(|(id, _)| id)
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

/// What a function that ends the program does beside, where another unit registers a function that is not known by its name.
pub(super) fn anything() -> Effect {
    let anything = Touch {
        anything: true,
        ..Touch::default()
    };
    Effect {
        reads: anything.clone(),
        writes: anything,
        ..Effect::default()
    }
}
