//! May a directive that is there govern the same loops in another order, or more of them together?
//!
//! Clauses speak of variables and iterations: `linear`, `ordered` and `tile` of the number of an iteration, data-sharing clauses of variables that must not be loop
//! variables, and a loop variable that is declared outside is private only while its loop belongs to the directive. Bounds of loops that run together are
//! evaluated before the kernel starts, on the host. Only clauses that are known not to mind are let through.

use super::nest::Nest;
use crate::kernel::Context;
use ferry_analysis::symbols::Cause;
use ferry_directive::{Directive, Item, Language};
use ferry_ir::visit::expression_variables;
use ferry_ir::{Expr, ExprKind, PlaceBase, Projection, Stmt, VariableRef};
use std::collections::BTreeSet;

/// Clauses that say nothing of the order or number of iterations.
const HARMLESS: [&str; 38] = [
    "schedule",
    "dist_schedule",
    "map",
    "private",
    "shared",
    "firstprivate",
    "default",
    "defaultmap",
    "device",
    "if",
    "nowait",
    "depend",
    "num_teams",
    "thread_limit",
    "num_threads",
    "proc_bind",
    "is_device_ptr",
    "has_device_addr",
    "collapse",
    "copy",
    "copyin",
    "copyout",
    "create",
    "present",
    "no_create",
    "deviceptr",
    "attach",
    "async",
    "wait",
    "num_gangs",
    "num_workers",
    "vector_length",
    "gang",
    "worker",
    "vector",
    "independent",
    "self",
    "bind",
];

/// That the loops of a nest may stand in this order behind its directive, so many of them together.
///
/// # Errors
/// What stands in the way.
pub fn fits(
    context: Context<'_>,
    directive: &Directive<Expr>,
    nest: &Nest<'_>,
    old: usize,
    order: &[usize],
    together: usize,
) -> Result<(), Cause> {
    let at = nest
        .loops
        .first()
        .map_or(ferry_source::Origin::New, |root| root.stmt.origin);
    let refused = |why: &str| Err(Cause::new(why, at));
    if let Some(clause) = directive
        .clauses
        .iter()
        .find(|clause| !HARMLESS.contains(&clause.name.as_str()))
    {
        return refused(&format!(
            "the clause {} of its directive may be about the order or number of its iterations",
            clause.name
        ));
    }
    let verdicts = &context.facts.verdicts;
    let counters: BTreeSet<VariableRef> = nest
        .loops
        .iter()
        .filter_map(|of| Some(of.canonical(context).ok()?.variable))
        .collect();
    for clause in directive.clauses.iter().filter(|clause| clause.name != "private") {
        for item in clause.items() {
            let mut named = BTreeSet::new();
            match item {
                Item::Object(object) => expression_variables(&object.base, &mut named),
                Item::Value(value) => expression_variables(value, &mut named),
                _ => {}
            }
            if !named.is_disjoint(&counters) {
                return refused("a clause of its directive names a loop variable");
            }
        }
    }
    // A variable that is declared outside is private by its loop alone.
    let outside = nest.loops.iter().enumerate().any(|(place, of)| {
        let inside = of
            .canonical(context)
            .is_ok_and(|canonical| canonical.declared_inside);
        let before = place < old;
        let after = order.iter().take(together).any(|one| *one == place);
        !inside && before && !after
    });
    if outside {
        return refused("a loop variable that is declared outside would not be private any more");
    }
    for place in order.iter().take(together) {
        let of = &nest.loops[*place];
        let facts = &context.facts.values.loops[of.index.0 as usize];
        let mut loads = false;
        let mut look = |expr: &Expr| loads |= reads_memory(expr);
        of.parts.condition.iter().for_each(&mut look);
        of.parts
            .init
            .iter()
            .for_each(|part: &Stmt| part.walk(&mut |stmt| stmt.for_each_expression(&mut look)));
        if together > 1 && loads {
            return refused(
                "bounds of loops that run together are read on the host, and one lies behind a pointer",
            );
        }
        let verdict = &verdicts[of.index.0 as usize];
        // Storage that clauses map must not overlap in part; that two pointers are the same is allowed.
        if !verdict.disjoint.is_subset(&verdict.equal)
            || !verdict.conditions.is_empty()
            || !verdict.rows.is_empty()
        {
            return refused("it is independent only under a condition that its directive does not imply");
        }
        let named = |root: ferry_symbolic::Symbol| {
            let mapped = directive.data().into_iter().filter_map(|data| data.object);
            let mut mapped = mapped.filter_map(|object| match &object.base.kind {
                ExprKind::Load(place) => place.as_variable(),
                _ => None,
            });
            mapped.any(|variable| {
                crate::kernel::value_before(context, &facts.before, variable)
                    .is_some_and(|value| value.mentions(root))
            })
        };
        if !verdict
            .disjoint
            .iter()
            .all(|(one, two)| named(*one) && named(*two))
        {
            return refused("its arrays may overlap, and its directive does not map them");
        }
    }
    // gcc 12 multiplies the spans of collapsed OpenACC loops as they are, two negative ones to a positive number.
    let unknown = order.iter().take(together).filter(|place| {
        let trip = &context.facts.values.loops[nest.loops[**place].index.0 as usize].trip;
        !trip.as_ref().is_ok_and(|trip| trip.as_constant().is_some())
    });
    if directive.language == Language::OpenAcc && together > 1 && unknown.count() > 1 {
        return refused("gcc 12 runs collapsed OpenACC loops wrongly if two of them may have no iteration");
    }
    Ok(())
}

fn reads_memory(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        if let ExprKind::Load(place) = &inner.kind {
            found |= matches!(place.base, PlaceBase::Deref(_))
                || place.path.iter().any(|step| matches!(step, Projection::Index(_)));
        }
    });
    found
}
