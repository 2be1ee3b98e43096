//! Is every element of a section known to exist?
//!
//! A directive names storage, and what it names must be there even if no iteration touches it: a section that follows from
//! the bounds of a loop may be longer than the object if a test on data keeps the loop from its end. It is known to exist
//! where the object's size is known, or where each end is touched whenever the loops run. Otherwise it is an assumption,
//! and is listed. Of buffers that a loop exchanges, each is touched in the place of the others only if the loop runs often enough.

use super::{Environment, Group, Mapping, facts_at, inner_loops};
use crate::kernel::Context;
use ferry_analysis::access::Access;
use ferry_analysis::region::Hull;
use ferry_symbolic::{Condition, Expr, Facts};

/// Notes on each mapping whether its section rests on an assumption.
pub fn note_existence(context: Context<'_>, group: &Group<'_>, environment: &mut Environment) {
    let values = &context.facts.values;
    let Some(facts) = facts_at(context, group) else {
        return;
    };
    let inside = inner_loops(context, group);
    let varying = values.varying(&inside);
    for mapping in environment
        .mappings
        .iter_mut()
        .filter(|one| one.section.is_some())
    {
        let accesses: Vec<&Access> = group
            .accesses(context)
            .filter(|access| access.root == Some(mapping.root))
            .collect();
        if group
            .turned
            .as_ref()
            .is_some_and(|turned| turned.is_buffer(mapping.root))
        {
            mapping.assumed = !lies_in_its_object(context, group, mapping);
            continue;
        }
        let sized = |access: &&Access| values.certain_size(access, &varying).is_some();
        let reached: Vec<Hull> = accesses
            .iter()
            .filter(|access| values.reaches_its_ends(access, &varying))
            .filter_map(|access| values.hull(access, &inside).ok())
            .filter(|hull| hull.exact)
            .collect();
        mapping.assumed = !accesses.iter().all(sized) && !ends_are_touched(mapping, &reached, &facts);
    }
}

/// Is it proved that the section lies in the object, whatever is touched of it?
pub(super) fn lies_in_its_object(context: Context<'_>, group: &Group<'_>, mapping: &Mapping) -> bool {
    let size = size_of_object(context, group, mapping);
    size.zip(facts_at(context, group)).is_some_and(|(size, facts)| {
        facts.prove_nonnegative(&mapping.bytes.low) && facts.prove_nonnegative(&(size - &mapping.bytes.high))
    })
}

/// How many bytes the object has in which the section is, where that is known and stays.
pub(super) fn size_of_object<'a>(
    context: Context<'a>,
    group: &Group<'_>,
    mapping: &Mapping,
) -> Option<&'a Expr> {
    let values = &context.facts.values;
    let varying = values.varying(&inner_loops(context, group));
    let mut own = group
        .accesses(context)
        .filter(|access| access.root == Some(mapping.root));
    own.find_map(|access| values.certain_size(access, &varying))
}

/// True if some access touches the first byte, and some access the last one.
fn ends_are_touched(mapping: &Mapping, reached: &[Hull], facts: &Facts) -> bool {
    let Hull { low, high, .. } = &mapping.bytes;
    let somewhere = facts.with(&Condition::less(low, high));
    let below = |a: &Expr, b: &Expr| a == b || somewhere.prove_nonnegative(&(b - a).simplify(&somewhere));
    reached.iter().any(|hull| below(&hull.low, low)) && reached.iter().any(|hull| below(high, &hull.high))
}
