//! Which parameters of a static function never point into the same object, and into which variables of the file may one point?
//!
//! A static function whose address is never taken is called only from its file. Where every call passes pointers into
//! different objects for two parameters, the two are apart. Where every call passes a variable of the file, or storage that is certainly none, a parameter
//! is apart from all other variables of the file. Callers are looked at before and after this is known of their own parameters, until nothing changes.
//!
//! What it cannot do: pointers that callers find in memory.

use super::Effects;
use crate::alias::{Reach, may_overlap};
use crate::symbols::{SymbolKind, Symbols};
use ferry_ir::visit::mentioned_variables;
use ferry_ir::{Callee, FunctionRef, GlobalId, Linkage, LocalId, StmtKind, Type, Unit, VariableRef};
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Most rounds over the callers: chains of static functions are followed this deep.
const ROUNDS: usize = 4;

/// What is known of the pointers that all callers of a function pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passed {
    /// Pairs of parameters that never point into the same object, the lower one first.
    apart: BTreeSet<(LocalId, LocalId)>,
    /// The variables of the file that a parameter may point into. Of a parameter that is not here nothing is known.
    into: BTreeMap<LocalId, BTreeSet<GlobalId>>,
}

impl Passed {
    /// True if two parameters never point into the same object.
    pub fn are_apart(&self, one: LocalId, two: LocalId) -> bool {
        self.apart.contains(&(one.min(two), one.max(two)))
    }

    /// True if a parameter never points into a variable of the file.
    pub fn is_elsewhere(&self, unit: &Unit, parameter: LocalId, global: GlobalId) -> bool {
        let renamed = |global: &GlobalId| unit.global(*global).renamed;
        self.into
            .get(&parameter)
            .is_some_and(|into| !into.contains(&global) && !renamed(&global) && !into.iter().any(renamed))
    }
}

/// Fills in the table.
pub(super) fn look_at_arguments(unit: &Unit, effects: &mut Effects) {
    let called = only_called(unit);
    let mut candidates = called.clone();
    candidates.retain(|id| {
        pairs(unit, *id).next().is_some() || !pointers(unit, *id).is_empty() && uses_variables(unit, *id)
    });
    // And those that hand on what they are given.
    let with_pointers = |id: &FunctionRef| called.contains(id) && !pointers(unit, *id).is_empty();
    loop {
        let further = callers_of(unit, &candidates).into_iter().filter(with_pointers);
        let known = candidates.len();
        candidates.extend(further);
        if candidates.len() == known {
            break;
        }
    }
    if candidates.is_empty() {
        return;
    }
    let callers = callers_of(unit, &candidates);
    // What a caller passes goes by what is known of its own parameters, of all that changes from round to round: most callers are looked at once.
    let mut passed: BTreeMap<FunctionRef, (Passed, Together)> = BTreeMap::new();
    for _ in 0..ROUNDS {
        for caller in &callers {
            let own = effects.passed(*caller);
            if passed.get(caller).is_none_or(|(known, _)| *known != own) {
                let together = passed_together(unit, *caller, effects, &candidates);
                passed.insert(*caller, (own, together));
            }
        }
        let mut together = Together::new();
        for (callee, shared) in passed.values().flat_map(|(_, together)| together) {
            together.entry(*callee).or_default().add(shared);
        }
        let mut all = BTreeMap::new();
        for (callee, shared) in together {
            let apart = pairs(unit, callee).filter(|pair| !shared.pairs.contains(pair));
            let (apart, mut into) = (apart.collect(), shared.into);
            into.retain(|parameter, _| !shared.anywhere.contains(parameter));
            all.insert(callee, Passed { apart, into });
        }
        if all == effects.passed {
            break;
        }
        effects.passed = all;
    }
}

/// True if a function names a variable of the file that pointers may lead to.
fn uses_variables(unit: &Unit, function: FunctionRef) -> bool {
    let body = unit.function(function).body.as_ref();
    let mentioned = body.map(mentioned_variables).unwrap_or_default();
    let mut globals = mentioned.into_iter().filter_map(VariableRef::as_global);
    globals.any(|global| !unit.global(global).string_literal)
}

/// What calls of a function may pass.
#[derive(Default)]
struct Arguments {
    /// Pairs of parameters for which a call may pass pointers into the same object.
    pairs: BTreeSet<(LocalId, LocalId)>,
    /// The variables of the file into which pointers are passed.
    into: BTreeMap<LocalId, BTreeSet<GlobalId>>,
    /// Parameters for which a call passes what is not known.
    anywhere: BTreeSet<LocalId>,
}

impl Arguments {
    fn add(&mut self, other: &Arguments) {
        self.pairs.extend(&other.pairs);
        self.anywhere.extend(&other.anywhere);
        for (parameter, into) in &other.into {
            self.into.entry(*parameter).or_default().extend(into);
        }
    }
}

/// What is passed to functions that are called.
type Together = BTreeMap<FunctionRef, Arguments>;

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
        passed: &values.passed,
    };
    let mut together = Together::new();
    let calls = values.calls.iter();
    for call in calls.filter(|call| candidates.contains(&call.callee)) {
        let shared = together.entry(call.callee).or_default();
        let root = |local: LocalId| call.roots.get(local.0 as usize).copied().flatten();
        for (a, b) in pairs(unit, call.callee) {
            let apart = match (root(a), root(b)) {
                (Some(a), Some(b)) => a != b && !may_overlap(&reach, a, b),
                _ => false,
            };
            if !apart {
                shared.pairs.insert((a, b));
            }
        }
        for parameter in pointers(unit, call.callee) {
            match root(parameter).and_then(|root| variables(&values.symbols, &values.passed, root)) {
                Some(into) => shared.into.entry(parameter).or_default().extend(into),
                None => _ = shared.anywhere.insert(parameter),
            }
        }
    }
    together
}

/// The variables of the file that a caller's root may be in, if that is known.
fn variables(symbols: &Symbols, own: &Passed, root: Symbol) -> Option<BTreeSet<GlobalId>> {
    match &symbols.info(root).kind {
        SymbolKind::Address(VariableRef::Global(global)) => Some(BTreeSet::from([*global])),
        SymbolKind::Address(VariableRef::Local(_)) | SymbolKind::Allocated(_) => Some(BTreeSet::new()),
        SymbolKind::Entry(VariableRef::Local(parameter)) => own.into.get(parameter).cloned(),
        _ => None,
    }
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
