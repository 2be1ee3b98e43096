//! The same program in two files: what other functions than `main` call is in the second.

use ferry_ir::{Callee, FunctionRef, Linkage, StmtKind, Unit};
use std::collections::BTreeSet;

/// The two halves; `None` if nothing would move.
///
/// What is static is seen by both, under a name of its own where it is declared in a function. Texts are in both.
pub fn apart(unit: &Unit) -> Option<[Unit; 2]> {
    let mut called = BTreeSet::new();
    let callers = unit.functions().filter(|(_, function)| function.name != "main");
    for (id, body) in callers.filter_map(|(id, function)| Some((id, function.body.as_ref()?))) {
        body.walk(&mut |stmt| {
            if let StmtKind::Call {
                callee: Callee::Function(callee),
                ..
            } = &stmt.kind
                && *callee != id
            {
                called.insert(*callee);
            }
        });
    }
    let moves = |id: &FunctionRef| {
        let function = unit.function(*id);
        function.body.is_some() && function.name != "main"
    };
    let moved: BTreeSet<FunctionRef> = called.into_iter().filter(moves).collect();
    if moved.is_empty() {
        return None;
    }
    let mut first = unit.clone();
    for function in first
        .functions
        .iter_mut()
        .filter(|function| function.body.is_some())
    {
        function.linkage = Linkage::External;
    }
    for (number, global) in first.globals.iter_mut().enumerate() {
        if global.linkage == Linkage::Internal && !global.string_literal {
            global.linkage = Linkage::External;
            if global.inside.take().is_some() {
                global.name = format!("{}_{number}", global.name);
            }
        }
    }
    let mut second = first.clone();
    for (id, _) in unit.functions() {
        let half = if moved.contains(&id) {
            &mut first
        } else {
            &mut second
        };
        half.functions[id.0 as usize].body = None;
    }
    let seen_by_both = |global: &&mut ferry_ir::Global| global.linkage == Linkage::External;
    for global in second.globals.iter_mut().filter(seen_by_both) {
        global.defined = false;
        global.initial.clear();
    }
    Some([first, second])
}
