//! Do the kernels of an environment write all of an object before they read it, so that it need not move in?
//!
//! `direction` answers by single writes whose strided box covers what is read or mapped. Where that does not do (two
//! branches that write together, a border and an inner part, triangles), the regions of the kernels are asked: IN says what
//! they read of what was there before, WRITE (`must`) what they certainly write (convex-array-regions paper, section 3).
//! Asked once, for an environment that is decided: exact sets cost much more than boxes.
//!
//! What it cannot do: environments with updates, kernels that are not among the statements of the environment themselves
//! (they may run more than once, or not), objects that may be the same as another one.

use super::direction::live_after;
use super::{Environment, Group, Mapping, facts_at};
use crate::kernel::Context;
use ferry_analysis::access::Access;
use ferry_analysis::quotient::exact_quotient;
use ferry_analysis::regions::{RegionSet, Regions, View};
use ferry_directive::Direction;
use ferry_ir::Types;
use ferry_symbolic::set::Set;
use ferry_symbolic::{Expr, Facts, Symbol};

/// Drops `to` from what the kernels of the group do not need.
pub fn sharpen<'a>(
    context: Context<'_>,
    regions: &impl Fn() -> &'a Regions<'a>,
    group: &Group<'_>,
    environment: &mut Environment,
) {
    let Some(mut facts) = facts_at(context, group).filter(|_| environment.updates.is_empty()) else {
        return;
    };
    environment
        .runs
        .iter()
        .for_each(|condition| facts.assume(condition));
    let mut kernels: Option<Vec<RegionSet>> = None;
    for mapping in &mut environment.mappings {
        let root = mapping.root;
        let equal = environment.equal.iter().any(|(a, b)| *a == root || *b == root);
        if equal || !may_be_written_first(context, group, mapping) {
            continue;
        }
        let regions = regions();
        if kernels.is_none() {
            kernels = regions_of(context, regions, group);
        }
        let (Some(kernels), Some(view)) = (&kernels, regions.view(root)) else {
            return;
        };
        let Some(section) = section_points(&context.unit.types, mapping, view) else {
            continue;
        };
        if written_first(kernels, root, &section, &facts) {
            mapping.direction = match live_after(context, group, root) {
                true => Direction::From,
                false => Direction::Alloc,
            };
        }
    }
}

/// True if the object moves in and is written, and the kernels do not begin by reading it: what is read first was
/// there before.
fn may_be_written_first(context: Context<'_>, group: &Group<'_>, mapping: &Mapping) -> bool {
    let mut accesses: Vec<&Access> = group
        .accesses(context)
        .filter(|access| access.root == Some(mapping.root))
        .collect();
    accesses.sort_by_key(|access| access.order);
    matches!(mapping.direction, Direction::To | Direction::ToFrom)
        && mapping.section.is_some()
        && accesses.first().is_some_and(|access| access.is_write())
}

/// The regions of each kernel; `None` if one of them is not itself among the statements.
fn regions_of(context: Context<'_>, regions: &Regions<'_>, group: &Group<'_>) -> Option<Vec<RegionSet>> {
    let of_kernel = |kernel: &crate::kernel::Kernel| {
        let stmt = context.facts.values.loops[kernel.index.0 as usize].stmt;
        let stmt = group.statements.iter().find(|own| own.id == stmt)?;
        regions.of_statement(stmt)
    };
    group.kernels.iter().map(of_kernel).collect()
}

/// True if the kernels, one after the other, read nothing of the object that they have not written, and write all of the
/// section.
fn written_first(kernels: &[RegionSet], root: Symbol, section: &Set, facts: &Facts) -> bool {
    let mut written = Set::empty(section.dimensions());
    for kernel in kernels {
        if kernel.in_.goes_beyond() {
            return false;
        }
        if let Some(needed) = kernel.in_.objects.get(&root)
            && needed.may.given(facts).is_subset(&written) != Ok(true)
        {
            return false;
        }
        if let Some(part) = kernel
            .write
            .objects
            .get(&root)
            .filter(|part| part.apart.is_empty())
        {
            match written.union(&part.must) {
                Ok(both) => written = both,
                Err(_) => return false,
            }
        }
    }
    section.given(facts).is_subset(&written) == Ok(true)
}

/// The elements of the section as the directive names them, in the coordinates of the object; `None` if they are not a box
/// of whole elements.
fn section_points(types: &Types, mapping: &Mapping, view: &View) -> Option<Set> {
    let section = mapping.section.as_ref()?;
    if view.part.is_some() {
        return None;
    }
    let innermost = types.size(mapping.element).map(i128::from).map(Expr::int)?;
    let element = mapping.inner.iter().fold(innermost, |all, next| &all * next);
    // The view counts from its origin, the section from where the base points to.
    let first = &(&(&section.lower * &element) + &mapping.base.shift) - &view.origin;
    let (outermost, rest) = view.strides.split_first()?;
    let low = exact_quotient(&first, outermost)?;
    let length = exact_quotient(&(&section.length * &element), outermost)?;
    let mut bounds = vec![(low.clone(), &low + &length)];
    let mut outer = outermost;
    for stride in rest {
        bounds.push((Expr::zero(), exact_quotient(outer, stride)?));
        outer = stride;
    }
    if view.bytes {
        bounds.push((Expr::zero(), Expr::int(i128::from(view.element))));
    }
    (bounds.len() == view.dimensions()).then(|| Set::rectangle(&bounds))
}
