//! Which pairs of mapped objects must not overlap, and which may be the same?

use super::{Group, Mapping};
use crate::kernel::{self, Base, Context};
use ferry_analysis::alias::{Reach, may_overlap};
use ferry_analysis::region::Hull;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_directive::Direction;
use ferry_ir::{Stmt, VariableRef};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::BTreeSet;

/// The pairs of mapped objects that must be apart: those on which a verdict rests, and those whose mappings would
/// overlap on the device. What is reduced through scalars is `beside` them: the host reads and writes it, while the device has
/// copies of the others.
pub(super) fn pairs(
    context: Context<'_>,
    group: &Group<'_>,
    mappings: &[Mapping],
    beside: &[Mapping],
    first: &Stmt,
) -> Result<Vec<(Mapping, Mapping)>, Cause> {
    let reach = context.reach();
    let needed: BTreeSet<(Symbol, Symbol)> = group
        .kernels
        .iter()
        .flat_map(|kernel| kernel.disjoint.iter().copied())
        .collect();
    let mut found: Vec<(Mapping, Mapping)> = Vec::new();
    for (number, a) in mappings.iter().enumerate() {
        for b in &mappings[number + 1..] {
            let key = if a.root < b.root {
                (a.root, b.root)
            } else {
                (b.root, a.root)
            };
            // `restrict` says nothing about two pointers that only read, but their sections may still overlap on the
            // device; then what the first maps is there for the second only in part.
            let both_read = a.direction == Direction::To && b.direction == Direction::To;
            let overlap =
                may_overlap(&reach, a.root, b.root) || (both_read && may_share(&reach, a.root, b.root));
            if needed.contains(&key) || overlap {
                found.push((a.clone(), b.clone()));
            }
        }
    }
    let mut add = |a: &Mapping, b: &Mapping| {
        let alike = |one: &Mapping, two: &Mapping| one.root == two.root && one.section == two.section;
        let known = found
            .iter()
            .any(|(one, two)| alike(one, a) && alike(two, b) || alike(one, b) && alike(two, a));
        if !known {
            found.push((a.clone(), b.clone()));
        }
    };
    for (number, a) in beside.iter().enumerate() {
        for b in mappings.iter().chain(&beside[number + 1..]) {
            let key = (a.root.min(b.root), a.root.max(b.root));
            if a.root != b.root && (needed.contains(&key) || may_overlap(&reach, a.root, b.root)) {
                add(b, a);
            }
        }
    }
    // What functions on the device use is mapped, too: a pointer may lead to a part of it, or beyond it.
    let scalars: BTreeSet<VariableRef> = group
        .kernels
        .iter()
        .flat_map(|kernel| kernel.scalars.iter().copied())
        .collect();
    for variable in scalars {
        // One that only its name can reach has no address.
        let root = context.facts.values.addresses.get(&variable);
        let Some(scalar) = root.and_then(|root| scalar(context, *root)) else {
            continue;
        };
        let meets =
            |array: &&Mapping| array.root != scalar.root && may_overlap(&reach, array.root, scalar.root);
        mappings
            .iter()
            .filter(meets)
            .for_each(|array| add(array, &scalar));
    }
    for (a, b) in needed {
        let named = |root: Symbol| -> Vec<&Mapping> {
            let all = mappings.iter().chain(beside);
            all.filter(|mapping| mapping.root == root).collect()
        };
        match (named(a).as_slice(), named(b).as_slice()) {
            ([_, ..], [_, ..]) => {}
            // A scalar is not mapped, but it may lie in what is written.
            (arrays @ [_, ..], []) if scalar(context, b).is_some() => {
                let scalar = scalar(context, b);
                let pairs = arrays.iter().zip(scalar.iter().cycle());
                pairs.for_each(|(array, scalar)| add(array, scalar));
            }
            ([], arrays @ [_, ..]) if scalar(context, a).is_some() => {
                let scalar = scalar(context, a);
                let pairs = arrays.iter().zip(scalar.iter().cycle());
                pairs.for_each(|(array, scalar)| add(array, scalar));
            }
            _ => {
                return Err(Cause::new(
                    "a scalar in memory may lie in an array that is written",
                    first.origin,
                ));
            }
        }
    }
    Ok(found)
}

/// True if two objects may be the same storage: the same bytes move the same way, so that one mapping finds the other
/// present and the last one ends both, and no kernel touches one place in two iterations then.
pub(super) fn may_be_equal(context: Context<'_>, group: &Group<'_>, a: &Mapping, b: &Mapping) -> bool {
    let size = |mapping: &Mapping| context.unit.types.size(mapping.element);
    let alike = a.section.is_some()
        && a.section == b.section
        && a.inner == b.inner
        && size(a).is_some()
        && size(a) == size(b)
        && a.base.pointer
        && b.base.pointer
        && a.base.shift == b.base.shift
        && a.direction == b.direction;
    let key = if a.root < b.root {
        (a.root, b.root)
    } else {
        (b.root, a.root)
    };
    alike
        && group
            .kernels
            .iter()
            .all(|kernel| !kernel.disjoint.contains(&key) || kernel.equal.contains(&key))
}

/// A scalar object, as if it were mapped as a whole.
pub(super) fn scalar(context: Context<'_>, root: Symbol) -> Option<Mapping> {
    let variable = context.is_scalar_object(root)?;
    let element = kernel::type_of(context, variable);
    let size = context.unit.types.size(element)?;
    let base = Base {
        variable,
        pointer: false,
        shift: Expr::zero(),
        member: None,
        walks: false,
    };
    Some(Mapping {
        root,
        base,
        direction: Direction::To,
        section: None,
        inner: Vec::new(),
        element,
        bytes: Hull {
            low: Expr::zero(),
            high: Expr::int(i128::from(size)),
            exact: true,
            whole: false,
        },
        happens: Condition::always(),
        named_in_kernels: false,
        assumed: false,
    })
}

/// True for two pointers that may point to the same storage if nobody writes it.
pub(super) fn may_share(reach: &Reach<'_>, a: Symbol, b: Symbol) -> bool {
    // Pointers that every caller in the file points into different objects.
    if let (SymbolKind::Entry(VariableRef::Local(one)), SymbolKind::Entry(VariableRef::Local(two))) =
        (&reach.symbols.info(a).kind, &reach.symbols.info(b).kind)
        && reach.passed.are_apart(*one, *two)
    {
        return false;
    }
    let unknown = |root: Symbol| {
        !matches!(
            reach.symbols.info(root).kind,
            SymbolKind::Address(_) | SymbolKind::Allocated(_) | SymbolKind::Elsewhere(_)
        )
    };
    unknown(a) && unknown(b)
}
