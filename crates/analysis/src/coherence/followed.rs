//! Of which objects does it matter where their newest copy is?
//!
//! Of those that may be on the device: that a clause names, or that something touches there. All others have their newest copy on the host whatever happens, so that
//! nothing is kept of them and nobody asks which of their bytes are touched. Most objects of a program are like this: the variables of its functions, at each of their calls.
//!
//! Where something on the device may write what is not known, all objects are followed that it may be.

use super::touches::{Index, is_one_object};
use crate::access::Access;
use crate::alias::{Reach, may_overlap};
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::{FunctionRef, Stmt, StmtId, StmtKind, Unit};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// The objects that are followed.
pub struct Followed(Option<Vec<bool>>);

impl Followed {
    /// All of them.
    pub fn everything() -> Followed {
        Followed(None)
    }

    /// Those that may be on the device in a program from one function on.
    pub fn of(unit: &Unit, function: FunctionRef, values: &Values) -> Followed {
        let on_device = statements_on_device(unit, function, values);
        let mut followed = vec![false; values.symbols.len()];
        for root in perhaps_written(unit, function, values, &on_device) {
            followed[root.0 as usize] = true;
        }
        let mut follow = |root: Symbol| followed[root.0 as usize] = true;
        let accesses = values.accesses.iter();
        let touched = accesses.filter(|access| on_device.contains(&access.within));
        touched.filter_map(|access| access.root).for_each(&mut follow);
        let named = values.directives.values().flat_map(|at| &at.items);
        for item in named {
            let holder = item.pointer.as_ref().map(|(holder, _)| *holder);
            let all = [item.root, item.points_to, holder];
            all.into_iter().flatten().for_each(&mut follow);
        }
        let passed = values.run_time.values().flat_map(|at| &at.arguments);
        passed.filter_map(|argument| argument.root).for_each(&mut follow);
        // What is released is no object any more to which a pointer on the device may lead.
        let released = values
            .effects
            .iter()
            .filter(|effect| effect.releases || effect.may_release);
        let roots = released.filter_map(|effect| effect.writes.as_ref()).flatten();
        roots.copied().for_each(&mut follow);
        // Pointers that move on in loops lead from one object to the next.
        for open in values.loops.iter().flat_map(|of| &of.open) {
            let all = [Some(&open.value), Some(&open.start), open.next.as_ref()];
            let symbols = all.into_iter().flatten().flat_map(Expr::symbols);
            symbols.for_each(&mut follow);
        }
        for (number, info) in (0u32..).zip(values.symbols.iter()) {
            if matches!(info.kind, SymbolKind::Allocated(_) | SymbolKind::Result(_)) {
                follow(Symbol(number));
            }
        }
        Followed(Some(followed))
    }

    /// True if it matters where the newest copy of the object is.
    pub fn contains(&self, root: Symbol) -> bool {
        match &self.0 {
            // One that came up later is not known to be on the host alone.
            Some(followed) => followed.get(root.0 as usize).copied().unwrap_or(true),
            None => true,
        }
    }
}

/// The statements that may run on the device.
fn statements_on_device(unit: &Unit, function: FunctionRef, values: &Values) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    let mut add = |stmt: &Stmt| {
        stmt.walk(&mut |inner| {
            if let StmtKind::Directive {
                directive,
                body: Some(body),
            } = &inner.kind
                && directive.is_target_construct()
            {
                found.extend(Index::statements(values, body));
            }
        });
    };
    unit.function(function).body.iter().for_each(&mut add);
    values.bodies.values().for_each(|body| add(&body.stmt));
    found
}

/// The storage that something on the device may write under another name.
fn perhaps_written(
    unit: &Unit,
    function: FunctionRef,
    values: &Values,
    on_device: &BTreeSet<StmtId>,
) -> BTreeSet<Symbol> {
    let is_there = |stmt: &StmtId| on_device.contains(stmt);
    let is_unclear = |access: &&Access| {
        let root = access.root;
        is_there(&access.within)
            && access.is_write()
            && root.is_none_or(|root| !is_one_object(values, root, &access.loops))
    };
    let mut anything = values.run_time.keys().any(is_there);
    let mut names = BTreeSet::new();
    for access in values.accesses.iter().filter(is_unclear) {
        anything |= access.root.is_none();
        names.extend(access.root);
    }
    for effect in values.effects.iter().filter(|effect| is_there(&effect.within)) {
        anything |= effect.writes.is_none();
        names.extend(effect.writes.iter().flatten());
    }
    let reach = Reach {
        unit,
        function: unit.function(function),
        symbols: &values.symbols,
        passed: &values.passed,
    };
    let all: BTreeSet<Symbol> = values.accesses.iter().filter_map(|access| access.root).collect();
    let may_be = |root: &Symbol| {
        anything && reach.escapes(*root) || names.iter().any(|name| may_overlap(&reach, *name, *root))
    };
    all.into_iter().filter(may_be).collect()
}
