//! Is every element of a section known to exist?
//!
//! A directive names storage, and what it names must be there even if no iteration touches it: a section that follows from
//! the bounds of a loop may be longer than the object if a test on data keeps the loop from its end. It is known to exist
//! where the object's size is known, or where each end is touched whenever the loops run. Otherwise it is an assumption,
//! and is listed. Of buffers that a loop exchanges, each is touched in the place of the others only if the loop runs often enough.

use super::{Environment, Group, Mapping, facts_at, inner_loops};
use crate::kernel::Context;
use ferry_analysis::access::Access;
use ferry_analysis::joined::Part;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::Hull;
use ferry_analysis::symbols::SymbolKind;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::BTreeSet;

/// Notes on each mapping whether its section rests on an assumption.
pub fn note_existence(context: Context<'_>, group: &Group<'_>, environment: &mut Environment) {
    let values = &context.facts.values;
    let Some(mut facts) = facts_at(context, group) else {
        return;
    };
    for condition in &environment.runs {
        facts.assume(condition);
    }
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
        let always = |_: &Access| Some(Condition::always());
        mapping.assumed = !accesses.iter().all(sized)
            && !touches_its_ends(context, &inside, &accesses, mapping, &facts, &always);
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

/// The same where anything of it is touched: elsewhere the section has no elements.
pub(super) fn lies_in_its_object_if_touched(
    context: Context<'_>,
    inside: &[LoopIndex],
    own: &[&Access],
    mapping: &Mapping,
    facts: &Facts,
) -> bool {
    let values = &context.facts.values;
    let varying = values.varying(inside);
    let Some(size) = own
        .iter()
        .find_map(|access| values.certain_size(access, &varying))
    else {
        return false;
    };
    let Hull { low, high, .. } = &mapping.bytes;
    let somewhere = facts.with(&mapping.happens).with(&Condition::less(low, high));
    somewhere.prove_nonnegative(low) && somewhere.prove_nonnegative(&(size - high))
}

/// True if the first byte of the section and its last one are touched whenever it has any. `certain` says of an access under which condition it happens if
/// its loops run, and `None` if that is not known.
pub(super) fn touches_its_ends(
    context: Context<'_>,
    inside: &[LoopIndex],
    own: &[&Access],
    mapping: &Mapping,
    facts: &Facts,
    certain: &dyn Fn(&Access) -> Option<Condition>,
) -> bool {
    let values = &context.facts.values;
    let varying = values.varying(inside);
    let part = |access: &&Access| {
        let condition = certain(access).filter(|_| {
            values.reaches_its_ends(access, &varying)
                && happens_if_it_has_ends(context, access, inside)
                && !may_stop_before_its_ends(context, access, inside)
        })?;
        let hull = values.hull(access, inside).ok().filter(|hull| hull.exact)?;
        let part = values.part(&context.unit.types, access, hull, inside, facts);
        Some(Part {
            happens: part.happens.and(&condition),
            ..part
        })
    };
    let parts: Vec<Part> = own.iter().filter_map(part).collect();
    let Hull { low, high, .. } = &mapping.bytes;
    let somewhere = facts.with(&mapping.happens).with(&Condition::less(low, high));
    // Of several accesses each may touch the end in some cases.
    let touched = |is_end: &dyn Fn(&Part, &Facts) -> bool| {
        let mut cases: Vec<&Condition> = Vec::new();
        for part in &parts {
            if cases.contains(&&part.happens) || !is_end(part, &somewhere.with(&part.happens)) {
                continue;
            }
            if somewhere.prove(&part.happens) {
                return true;
            }
            cases.push(&part.happens);
        }
        somewhere.prove(&Condition::any(cases.into_iter().cloned()))
    };
    let below =
        |a: &Expr, b: &Expr, facts: &Facts| a == b || facts.prove_nonnegative(&(b - a).simplify(facts));
    touched(&|part, facts| below(&part.hull.low, low, facts))
        && touched(&|part, facts| below(high, &part.hull.high, facts))
}

/// May a call end the program in an iteration of a loop around the access, before the one in which the access comes to its ends?
pub(super) fn may_stop_before_its_ends(context: Context<'_>, access: &Access, inside: &[LoopIndex]) -> bool {
    let values = &context.facts.values;
    let Some(offset) = access.offset() else {
        return true;
    };
    let own = || access.loops.iter().filter(|index| inside.contains(index));
    let mut symbols = values.defined(&offset).symbols();
    for index in own() {
        if let Ok(trip) = &values.loops[index.0 as usize].trip {
            symbols.extend(values.defined(trip).symbols());
        }
    }
    own().any(|index| {
        let of = &values.loops[index.0 as usize];
        let moves = |symbol: &Symbol| match values.symbols.info(*symbol).kind {
            SymbolKind::Counter(_) => *symbol == of.counter,
            _ => values.symbols.varies_in(*symbol, of.stmt),
        };
        values.ends.iter().any(|end| end.loops.contains(index)) && symbols.iter().any(moves)
    })
}

/// Does the access happen in some iteration whenever its ends are not those of nothing, and the loops around it run that are known to run or not before them?
///
/// What counters must be for it to happen is in its ends if it has to do with counters on which its address hangs. `b[j]` in `if (i >= m) for (j < k)` happens only if some `i` is
/// not less than `m`, which no end of `j` says; so does `a[j]` in a loop that runs as often as the one around it has run.
fn happens_if_it_has_ends(context: Context<'_>, access: &Access, inside: &[LoopIndex]) -> bool {
    let values = &context.facts.values;
    let varying: BTreeSet<Symbol> = values.varying(inside).into_iter().collect();
    let moving = |symbols: BTreeSet<Symbol>| -> BTreeSet<Symbol> { &symbols & &varying };
    let Some(offset) = access.offset() else {
        return false;
    };
    let own = || access.loops.iter().filter(|index| inside.contains(index));
    // What is demanded of counters, and whether that is known before the loops by itself.
    let mut demands: Vec<(BTreeSet<Symbol>, bool)> = Vec::new();
    let mut tests: Vec<Condition> = Vec::new();
    for index in own() {
        let of = &values.loops[index.0 as usize];
        if let Ok(trip) = &of.trip {
            let mut symbols = moving(trip.symbols());
            let fixed = symbols.is_empty();
            symbols.insert(of.counter);
            demands.push((symbols, fixed));
        }
        let test = values.conditions.get(&of.stmt).and_then(|found| found.exact());
        tests.extend(test.into_iter().flat_map(|test| test.conjuncts()));
    }
    for condition in access.guards.iter().filter_map(|guard| guard.known()) {
        for one in condition.conjuncts() {
            let symbols = moving(one.symbols());
            if !symbols.is_empty() && !tests.contains(&one) {
                demands.push((symbols, false));
            }
        }
    }
    let mut connected = moving(values.defined(&offset).symbols());
    loop {
        let (with, without): (Vec<_>, Vec<_>) = demands
            .into_iter()
            .partition(|(symbols, _)| !symbols.is_disjoint(&connected));
        demands = without;
        if with.is_empty() {
            break;
        }
        with.into_iter()
            .for_each(|(symbols, _)| connected.extend(symbols));
    }
    demands.iter().all(|(_, fixed)| *fixed)
}
