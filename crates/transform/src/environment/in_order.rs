//! Which values must a pass find in order before the kernels run?
//!
//! A kernel may be parallel only if values in memory increase (`analysis/sorted`). The host tests that where it enters the environment, once, over what the
//! kernel certainly reads if it runs: around loops that do not change the values that is one pass for all their iterations.

use super::mapping::guarded_length;
use super::touched::host_statements;
use super::{Group, Mapping};
use crate::kernel::{Base, Context};
use crate::nested;
use ferry_analysis::alias::may_overlap;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{self, Hull, Section};
use ferry_analysis::sorted::Sorted;
use ferry_analysis::state::State;
use ferry_analysis::symbols::Cause;
use ferry_ir::Type;
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::BTreeMap;

/// A test that values are in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Pass {
    /// The storage of the values.
    pub root: Symbol,
    /// How the text names it.
    pub base: Base,
    /// The values, in elements from where the base points; none where the kernels do not run.
    pub section: Section,
    /// Bytes of each.
    pub size: u64,
    /// Each must be greater than the one before it; else none may be less.
    pub strictly: bool,
}

/// The tests that the kernels of a group need.
pub(super) fn passes(
    context: Context<'_>,
    group: &Group<'_>,
    inside: &[LoopIndex],
    bases: &BTreeMap<Symbol, Base>,
    mappings: &[Mapping],
    state: &State,
) -> Result<Vec<Pass>, Cause> {
    let mut found: Vec<Pass> = Vec::new();
    for kernel in &group.kernels {
        for sorted in &kernel.sorted {
            stays(context, group, mappings, sorted)?;
            let pass = pass(context, kernel.index, inside, bases, mappings, state, sorted)?;
            let same = |known: &&mut Pass| known.root == pass.root && known.section == pass.section;
            match found.iter_mut().find(same) {
                Some(known) => known.strictly |= pass.strictly,
                None => found.push(pass),
            }
        }
    }
    Ok(found)
}

fn pass(
    context: Context<'_>,
    kernel: LoopIndex,
    inside: &[LoopIndex],
    bases: &BTreeMap<Symbol, Base>,
    mappings: &[Mapping],
    state: &State,
    sorted: &Sorted,
) -> Result<Pass, Cause> {
    let values = &context.facts.values;
    let at = values.symbols.info(sorted.root).at;
    let cannot = |why: &str| Cause::new(why, at);
    let base = bases.get(&sorted.root);
    let base = base.ok_or_else(|| cannot("it is not known what holds the values that have to increase"))?;
    let types = &context.unit.types;
    let element = match types.get(nested::type_of_base(context, base)) {
        Type::Pointer(element) | Type::Array { element, .. } => Some(types.get(*element)),
        _ => None,
    };
    if base.walks || element != Some(types.get(sorted.ty)) {
        let why = "values that have to increase are not read as the elements of an array or behind a pointer";
        return Err(cannot(why));
    }
    let size = Expr::int(i128::from(sorted.size));
    let low = &sorted.first - &base.shift;
    let hull = Hull {
        high: &low + &(&sorted.count * &size),
        low,
        exact: true,
        whole: false,
    };
    let own = values.enclosing(kernel).filter(|index| inside.contains(index));
    let mut happens = Condition::always();
    for index in own {
        let trip = values.loops[index.0 as usize]
            .trip
            .as_ref()
            .map_err(Clone::clone)?;
        happens = Condition::all([happens, at_least_one(trip)]);
    }
    let changes = |symbol: Symbol| {
        let mut loops = inside.iter();
        loops.any(|index| {
            values
                .symbols
                .varies_in(symbol, values.loops[index.0 as usize].stmt)
        })
    };
    let mut symbols = happens.symbols();
    symbols.extend(hull.low.symbols());
    symbols.extend(hull.high.symbols());
    if symbols.into_iter().any(changes) {
        let why =
            "it is parallel if values increase, and which these are is not known before the loops around it";
        return Err(cannot(why));
    }
    let inside = state.facts.with(&happens);
    let mut section = region::section(&hull, &size, &inside);
    section.lower = region::with_signs(&inside, &section.lower).simplify(&section.lower);
    // As the clauses write it, if that is the same where the kernel runs.
    let alike = |mapped: &&Section| {
        let equal = |one: &Expr, two: &Expr| inside.prove(&Condition::zero(&(one - two)));
        equal(&mapped.lower, &section.lower) && equal(&mapped.length, &section.length)
    };
    let mapping = mappings.iter().find(|mapping| mapping.root == sorted.root);
    let mapped = mapping.and_then(|mapping| mapping.section.as_ref()).filter(alike);
    let section = match mapped {
        Some(mapped) => mapped.clone(),
        None => Section {
            length: guarded_length(&happens, &section.length, &state.facts),
            ..section
        },
    };
    Ok(Pass {
        root: sorted.root,
        base: base.clone(),
        section,
        size: sorted.size,
        strictly: sorted.strictly,
    })
}

/// Nothing in the group changes the values: what other kernels write is apart from them by the condition of the environment, if both are mapped.
fn stays(
    context: Context<'_>,
    group: &Group<'_>,
    mappings: &[Mapping],
    sorted: &Sorted,
) -> Result<(), Cause> {
    let values = &context.facts.values;
    let reach = context.reach();
    let changed = |at: Origin| {
        let why = "it is parallel if values increase, and they may be changed between the kernels";
        Err(Cause::new(why, at))
    };
    let host = host_statements(context, group);
    for effect in values.effects.iter().filter(|effect| host.contains(&effect.stmt)) {
        let touches = |other: &Symbol| may_overlap(&reach, *other, sorted.root);
        if effect
            .writes
            .as_ref()
            .is_none_or(|roots| roots.iter().any(touches))
        {
            return changed(effect.cause.at);
        }
    }
    let writes = || values.accesses.iter().filter(|access| access.is_write());
    let of_host = writes().filter(|write| host.contains(&write.stmt)).find(|write| {
        write
            .root
            .is_none_or(|other| may_overlap(&reach, other, sorted.root))
    });
    if let Some(write) = of_host {
        return changed(write.origin);
    }
    let is_mapped = |root: Symbol| mappings.iter().any(|mapping| mapping.root == root);
    let apart = |write: Symbol, kernel: &crate::kernel::Kernel| {
        let pair = (write.min(sorted.root), write.max(sorted.root));
        write != sorted.root
            && (!may_overlap(&reach, write, sorted.root)
                || is_mapped(write) && is_mapped(sorted.root)
                || kernel.disjoint.contains(&pair) && !kernel.equal.contains(&pair))
    };
    for kernel in &group.kernels {
        let mut of_kernel = writes().filter(|write| write.loops.contains(&kernel.index));
        if let Some(write) = of_kernel.find(|write| !write.root.is_some_and(|root| apart(root, kernel))) {
            return changed(write.origin);
        }
    }
    Ok(())
}
