//! Which parameters of a static function never point into the same object?
//!
//! A static function whose address is never taken is called only from its file. Where every call passes pointers into
//! different objects for two parameters, the two are apart. Callers are looked at before and after their own parameters
//! are known to be apart, until nothing changes.

use super::Effects;
use crate::alias::{Reach, may_overlap};
use ferry_ir::{Callee, FunctionRef, Linkage, LocalId, StmtKind, Type, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Most rounds over the callers: chains of static functions are followed this deep.
const ROUNDS: usize = 4;

/// Fills in the table.
pub(super) fn distinct_parameters(unit: &Unit, effects: &mut Effects) {
    let mut candidates = only_called(unit);
    candidates.retain(|id| pairs(unit, *id).next().is_some());
    if candidates.is_empty() {
        return;
    }
    let callers = callers_of(unit, &candidates);
    // What a caller passes goes by its own parameters that are apart, of all that changes from round to round: most callers are looked at once.
    let mut passed: BTreeMap<FunctionRef, (BTreeSet<(LocalId, LocalId)>, Together)> = BTreeMap::new();
    for _ in 0..ROUNDS {
        for caller in &callers {
            let own = effects.distinct(*caller);
            if passed.get(caller).is_none_or(|(known, _)| *known != own) {
                let together = passed_together(unit, *caller, effects, &candidates);
                passed.insert(*caller, (own, together));
            }
        }
        let mut together = Together::new();
        for (callee, pairs) in passed.values().flat_map(|(_, together)| together) {
            together.entry(*callee).or_default().extend(pairs);
        }
        let mut distinct = BTreeMap::new();
        for (callee, shared) in &together {
            let apart: BTreeSet<_> = pairs(unit, *callee)
                .filter(|pair| !shared.contains(pair))
                .collect();
            distinct.insert(*callee, apart);
        }
        if distinct == effects.distinct {
            break;
        }
        effects.distinct = distinct;
    }
}

/// Of called functions, the pairs of parameters for which a call may pass pointers into the same object.
type Together = BTreeMap<FunctionRef, BTreeSet<(LocalId, LocalId)>>;

/// What one caller passes to these functions.
fn passed_together(
    unit: &Unit,
    caller: FunctionRef,
    effects: &Effects,
    candidates: &BTreeSet<FunctionRef>,
) -> Together {
    let values = crate::value::walk(unit, caller, effects, None);
    let reach = Reach {
        unit,
        function: unit.function(caller),
        symbols: &values.symbols,
        distinct: &values.distinct,
    };
    let mut together = Together::new();
    let calls = values.calls.iter();
    for call in calls.filter(|call| candidates.contains(&call.callee)) {
        let shared = together.entry(call.callee).or_default();
        for (a, b) in pairs(unit, call.callee) {
            let root = |local: LocalId| call.roots.get(local.0 as usize).copied().flatten();
            let apart = match (root(a), root(b)) {
                (Some(a), Some(b)) => a != b && !may_overlap(&reach, a, b),
                _ => false,
            };
            if !apart {
                shared.insert((a, b));
            }
        }
    }
    together
}

/// The functions that call one of these.
pub(super) fn callers_of(unit: &Unit, callees: &BTreeSet<FunctionRef>) -> Vec<FunctionRef> {
    unit.functions()
        .filter(|(_, function)| {
            let mut calls = false;
            if let Some(body) = &function.body {
                body.walk(&mut |stmt| {
                    if let StmtKind::Call {
                        callee: Callee::Function(id),
                        ..
                    } = &stmt.kind
                    {
                        calls |= callees.contains(id);
                    }
                });
            }
            calls
        })
        .map(|(id, _)| id)
        .collect()
}

/// Static functions that are only ever called directly.
pub(super) fn only_called(unit: &Unit) -> BTreeSet<FunctionRef> {
    let pointed_to = unit.functions_pointed_to();
    unit.functions()
        .filter(|(id, function)| {
            function.linkage == Linkage::Internal && function.body.is_some() && !pointed_to.contains(id)
        })
        .map(|(id, _)| id)
        .collect()
}

/// The pointer parameters of a function.
pub(super) fn pointers(unit: &Unit, function: FunctionRef) -> Vec<LocalId> {
    let function = unit.function(function);
    (0..function.parameters)
        .map(LocalId)
        .filter(|local| matches!(unit.types.get(function.local(*local).ty), Type::Pointer(_)))
        .collect()
}

/// The pairs of pointer parameters of a function.
fn pairs(unit: &Unit, function: FunctionRef) -> impl Iterator<Item = (LocalId, LocalId)> + '_ {
    let pointers = pointers(unit, function);
    let all: Vec<(LocalId, LocalId)> = pointers
        .iter()
        .enumerate()
        .flat_map(|(number, a)| pointers[number + 1..].iter().map(|b| (*a, *b)))
        .collect();
    all.into_iter()
}
