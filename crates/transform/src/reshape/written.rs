//! May a directive that is there govern the same loops in another order, or more of them together?
//!
//! Clauses speak of variables and iterations: `linear`, `ordered` and `tile` of the number of an iteration, data-sharing clauses of variables that must not be loop
//! variables, and a loop variable that is declared outside is private only while its loop belongs to the directive. Bounds of loops that run together are
//! evaluated before the kernel starts, on the host. Only clauses that are known not to mind are let through.

use super::nest::Nest;
use crate::kernel::Context;
use ferry_analysis::symbols::Cause;
use ferry_directive::{Clause, Directive, Item, Language};
use ferry_ir::visit::expression_variables;
use ferry_ir::{Expr, ExprKind, PlaceBase, Projection, Stmt, StmtKind, VariableRef};
use ferry_source::Origin;
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
    let refused = |why: &str| Err(Cause::new(why, begin(nest)));
    clauses_are(context, directive, nest, |name| HARMLESS.contains(&name))?;
    stay_private(context, nest, old, order.get(..together).unwrap_or(order))?;
    let verdicts = &context.facts.verdicts;
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
            || !verdict.sorted.is_empty()
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

/// That fewer loops of a nest may run together behind its directive: so many, of `old`.
///
/// That loops run together is the word of who wrote the directive; that fewer do needs no other proof than that nothing else hangs on their number.
///
/// # Errors
/// What stands in the way.
pub fn may_shrink(
    context: Context<'_>,
    directive: &Directive<Expr>,
    nest: &Nest<'_>,
    old: usize,
    together: usize,
) -> Result<(), Cause> {
    clauses_are(context, directive, nest, |name| {
        // Sums are added up in no order that is fixed, and the last iteration stays the last one.
        HARMLESS.contains(&name) || ["reduction", "lastprivate", "order"].contains(&name)
    })?;
    // These must stand in the innermost loop that belongs to the directive.
    let mut bound = false;
    if let Some(root) = nest.loops.first() {
        root.stmt.walk(&mut |stmt| {
            if let StmtKind::Directive { directive, .. } = &stmt.kind {
                bound |= directive.has_leaf("scan") || directive.has_leaf("ordered");
            }
        });
    }
    if bound {
        return Err(Cause::new(
            "a directive in it is about the innermost of its loops",
            begin(nest),
        ));
    }
    let places: Vec<usize> = (0..together).collect();
    stay_private(context, nest, old, &places)
}

fn begin(nest: &Nest<'_>) -> Origin {
    nest.loops.first().map_or(Origin::New, |root| root.stmt.origin)
}

/// That all clauses are of some, and name no loop variable but as private.
fn clauses_are(
    context: Context<'_>,
    directive: &Directive<Expr>,
    nest: &Nest<'_>,
    is_harmless: impl Fn(&str) -> bool,
) -> Result<(), Cause> {
    let other = |clause: &&Clause<Expr>| !is_harmless(&clause.name);
    if let Some(clause) = directive.clauses.iter().find(other) {
        let why = format!(
            "the clause {} of its directive may be about the order or number of its iterations",
            clause.name
        );
        return Err(Cause::new(why, begin(nest)));
    }
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
                return Err(Cause::new(
                    "a clause of its directive names a loop variable",
                    begin(nest),
                ));
            }
        }
    }
    Ok(())
}

/// That no loop that belongs to the directive now, and not then, has a variable that is declared outside: that is private by its loop alone.
fn stay_private(context: Context<'_>, nest: &Nest<'_>, old: usize, then: &[usize]) -> Result<(), Cause> {
    let outside = nest.loops.iter().enumerate().any(|(place, of)| {
        let inside = of
            .canonical(context)
            .is_ok_and(|canonical| canonical.declared_inside);
        !inside && place < old && !then.contains(&place)
    });
    match outside {
        true => Err(Cause::new(
            "a loop variable that is declared outside would not be private any more",
            begin(nest),
        )),
        false => Ok(()),
    }
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
