//! Which static storage do no two calls share?
//!
//! A `static` variable that only one function names, whose address nobody takes, and whose function is not called again
//! while it runs, holds values for later only if that function begins by reading them: Fortran programs that became C
//! keep their work arrays so.
//!
//! What it cannot do: arrays and structures that several functions use as scratch (these: [`super::written_before_read`]; scalars: [`super::set_before_read`]).

use super::Effects;
use ferry_ir::{Callee, ExprKind, FunctionRef, GlobalId, Linkage, StmtKind, Unit, VariableRef, visit};
use std::collections::{BTreeMap, BTreeSet};

/// The one function that names each such variable.
pub fn only_users(unit: &Unit, effects: &Effects) -> BTreeMap<GlobalId, FunctionRef> {
    let mut users: BTreeMap<GlobalId, BTreeSet<FunctionRef>> = BTreeMap::new();
    for (id, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        for named in visit::mentioned_variables(body)
            .into_iter()
            .filter_map(VariableRef::as_global)
        {
            users.entry(named).or_default().insert(id);
        }
    }
    let mut alone = BTreeMap::new();
    for (global, users) in users {
        if users.len() == 1 && is_private(unit, effects, global) {
            alone.extend(users.first().map(|user| (global, *user)));
        }
    }
    let candidates: BTreeSet<FunctionRef> = alone.values().copied().collect();
    let again: BTreeSet<FunctionRef> = candidates
        .into_iter()
        .filter(|user| may_run_again(unit, effects, *user))
        .collect();
    alone.retain(|_, user| !again.contains(user));
    alone
}

/// True for static variables that are reached by their names only, and hold what the text says.
pub(super) fn is_private(unit: &Unit, effects: &Effects, id: GlobalId) -> bool {
    let own = unit.global(id);
    own.linkage == Linkage::Internal
        && !own.thread_local
        && !own.qualifiers.volatile
        && !effects.pointed_to.contains(&id)
}

/// True if a function may be called while it runs: by what it calls, through a pointer, or by code of which nothing is known.
fn may_run_again(unit: &Unit, effects: &Effects, function: FunctionRef) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![function];
    while let Some(id) = open.pop() {
        let Some(body) = &unit.function(id).body else {
            let known = effects.get(id);
            if known.reads.anything || known.writes.anything {
                return true;
            }
            continue;
        };
        let mut again = false;
        body.walk(&mut |stmt| {
            if let StmtKind::Call { callee, .. } = &stmt.kind {
                match callee {
                    Callee::Function(callee) => {
                        again |= *callee == function;
                        if seen.insert(*callee) {
                            open.push(*callee);
                        }
                    }
                    Callee::Pointer(_) => again = true,
                }
            }
            again |= matches!(stmt.kind, StmtKind::Opaque { .. });
            // Handed to a function that may call it back (`qsort`).
            stmt.for_each_expression(&mut |expr| {
                expr.walk(&mut |inner| {
                    again |= matches!(inner.kind, ExprKind::Function(_) | ExprKind::Opaque { .. });
                });
            });
        });
        if again {
            return true;
        }
    }
    false
}
