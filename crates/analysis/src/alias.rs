//! Can two pointers reach the same storage?
//!
//! A root is a symbol that is an address: of a variable, of fresh storage, or a pointer whose origin is not known
//! (a parameter, a pointer found in memory). Points-to within one function, with `restrict` and with what a static
//! function's callers in the file pass. What it cannot do: follow pointers through memory.

use crate::effects::Passed;
use crate::symbols::{SymbolKind, Symbols};
use ferry_ir::{Function, Linkage, Unit, VariableRef};
use ferry_symbolic::Symbol;

/// What aliasing questions need to know.
pub struct Reach<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The function whose symbols these are.
    pub function: &'a Function,
    /// The symbols.
    pub symbols: &'a Symbols,
    /// What is known of the pointers that all callers pass.
    pub passed: &'a Passed,
}

impl Reach<'_> {
    /// True if code outside the function, or a pointer found in memory, may reach the storage of this root.
    pub fn escapes(&self, root: Symbol) -> bool {
        match &self.symbols.info(root).kind {
            SymbolKind::Address(VariableRef::Local(local)) => self.function.local(*local).address_taken,
            SymbolKind::CalleeVariable { escapes, .. } => *escapes,
            _ => true,
        }
    }

    fn restrict(&self, root: Symbol) -> bool {
        match &self.symbols.info(root).kind {
            SymbolKind::Entry(VariableRef::Local(local)) => self.function.local(*local).qualifiers.restrict,
            _ => false,
        }
    }
}

/// False only if the storage of two different roots can never overlap. For a `restrict` pointer this means: not if one
/// of the two accesses writes (C11 6.7.3.1), so ask only about such pairs.
pub fn may_overlap(reach: &Reach<'_>, a: Symbol, b: Symbol) -> bool {
    use SymbolKind::{
        Address, Allocated, CalleeVariable, Elsewhere, Entry, Loaded, Result, Unknown, Varying,
    };
    if a == b {
        return true;
    }
    if reach.restrict(a) && based_elsewhere(reach, b) || reach.restrict(b) && based_elsewhere(reach, a) {
        return false;
    }
    if let Some(apart) = fresh_storage(reach, a, b).or_else(|| fresh_storage(reach, b, a)) {
        return !apart;
    }
    match (&reach.symbols.info(a).kind, &reach.symbols.info(b).kind) {
        (Address(VariableRef::Global(one)), Address(VariableRef::Global(two))) => {
            reach.unit.global(*one).renamed || reach.unit.global(*two).renamed
        }
        (Address(_), Address(_)) => false,
        (Elsewhere(one), Elsewhere(two)) => one == two,
        (Elsewhere(_), Address(VariableRef::Global(one)))
        | (Address(VariableRef::Global(one)), Elsewhere(_))
            if reach.unit.global(*one).renamed =>
        {
            true
        }
        // Two variables, or a variable and storage that was allocated.
        (Elsewhere(_), Address(_) | Allocated(_) | CalleeVariable { .. })
        | (Address(_) | Allocated(_) | CalleeVariable { .. }, Elsewhere(_)) => false,
        (Elsewhere(hidden), _) | (_, Elsewhere(hidden)) => hidden.escapes,
        (CalleeVariable { .. }, Address(_) | Allocated(_) | Entry(_) | CalleeVariable { .. })
        | (Address(_) | Allocated(_) | Entry(_), CalleeVariable { .. }) => false,
        (CalleeVariable { escapes, .. }, _) | (_, CalleeVariable { escapes, .. }) => *escapes,
        (Allocated(_), Allocated(_)) => false,
        (Address(_), Allocated(_)) | (Allocated(_), Address(_)) => false,
        (Entry(VariableRef::Local(one)), Entry(VariableRef::Local(two))) => {
            !reach.passed.are_apart(*one, *two)
        }
        // What was allocated in this call, or lives in it, cannot be what a parameter pointed to before.
        (Address(VariableRef::Local(_)) | Allocated(_), Entry(_))
        | (Entry(_), Address(VariableRef::Local(_)) | Allocated(_)) => false,
        // A variable whose address nobody takes is reached by its own name only.
        (Address(VariableRef::Local(_)), _) => reach.escapes(a),
        (_, Address(VariableRef::Local(_))) => reach.escapes(b),
        (Address(VariableRef::Global(global)), Entry(VariableRef::Local(parameter)))
        | (Entry(VariableRef::Local(parameter)), Address(VariableRef::Global(global)))
            if reach.passed.is_elsewhere(reach.unit, *parameter, *global) =>
        {
            false
        }
        (
            Address(VariableRef::Global(g)),
            Entry(_) | Loaded { .. } | Result(_) | Unknown(_) | Varying { .. },
        )
        | (
            Entry(_) | Loaded { .. } | Result(_) | Unknown(_) | Varying { .. },
            Address(VariableRef::Global(g)),
        ) => {
            let global = reach.unit.global(*g);
            global.linkage == Linkage::External || reach.symbols.is_pointed_to(*g)
        }
        _ => true,
    }
}

/// Whether the storage of a root that is apart from all that was there before the call, found in a table that the call has
/// filled, is apart from another root's; `None` if that is not such a root.
fn fresh_storage(reach: &Reach<'_>, root: Symbol, other: Symbol) -> Option<bool> {
    use SymbolKind::{Address, Allocated, CalleeVariable, Entry};
    let allocation = reach.symbols.fresh(root)?;
    if let Some(second) = reach.symbols.fresh(other) {
        return Some(allocation != second);
    }
    Some(match &reach.symbols.info(other).kind {
        Address(_) | Entry(_) | CalleeVariable { .. } => true,
        Allocated(second) => allocation != *second,
        _ => false,
    })
}

/// True for pointers that are certainly not computed from a given `restrict` parameter: other parameters, variables,
/// fresh storage.
fn based_elsewhere(reach: &Reach<'_>, root: Symbol) -> bool {
    matches!(
        reach.symbols.info(root).kind,
        SymbolKind::Entry(_)
            | SymbolKind::Address(_)
            | SymbolKind::Allocated(_)
            | SymbolKind::CalleeVariable { .. }
    )
}
