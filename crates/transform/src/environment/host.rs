//! What may the host do between the kernels of one data environment?
//!
//! It may touch what no kernel uses, and read what none writes. One element that a plain assignment writes or reads is
//! made alike by an `update`; anything else keeps the kernels apart.

use super::touched::{Touched, host_statements, written_roots};
use super::{Group, Update};
use crate::kernel::{Base, Context, Kernel};
use ferry_analysis::access::Access;
use ferry_analysis::alias::may_overlap;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::value::End;
use ferry_directive::Direction;
use ferry_ir::{Linkage, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Checks what the host does between the kernels.
pub(super) fn host_accesses(
    context: Context<'_>,
    group: &Group<'_>,
    touched: &BTreeMap<Symbol, Touched>,
    bases: &BTreeMap<Symbol, Base>,
    inside: &[LoopIndex],
) -> Result<Vec<Update>, Cause> {
    let values = &context.facts.values;
    let own = host_statements(context, group);
    let kernels = group.kernels.iter();
    let kernels: BTreeSet<StmtId> = kernels
        .map(|kernel| values.loops[kernel.index.0 as usize].stmt)
        .collect();
    let outside = Inside {
        is_loop: false,
        is_kernel: false,
    };
    for stmt in group.statements {
        if let Some(cause) = leaves(stmt, outside, &kernels) {
            return Err(cause);
        }
    }
    let reach = context.reach();
    let written = written_roots(context, group);
    for effect in &values.effects {
        if !own.contains(&effect.stmt) {
            continue;
        }
        let touches = |roots: &Option<Vec<Symbol>>, root: Symbol| {
            roots
                .as_ref()
                .is_none_or(|roots| roots.iter().any(|other| may_overlap(&reach, *other, root)))
        };
        for root in touched.keys() {
            if context.is_scalar_object(*root).is_some() && !written.contains(root) {
                continue;
            }
            if touches(&effect.writes, *root) || (written.contains(root) && touches(&effect.reads, *root)) {
                let why = format!(
                    "a call between the kernels may touch their data: {}",
                    effect.cause.why
                );
                return Err(Cause::new(why, effect.cause.at));
            }
        }
    }
    if let Some(end) = values
        .ends
        .iter()
        .find(|end| own.contains(&end.stmt) && !is_followed(context, group, end))
    {
        let why = "a call between the kernels may end the program before data are there that would be mapped by then";
        return Err(Cause::new(why, end.at));
    }
    let mut updates = Vec::new();
    for access in values.accesses.iter().filter(|access| own.contains(&access.stmt)) {
        for root in touched.keys() {
            let harmless = !access.is_write() && !written.contains(root);
            let overlaps = access.root.is_none_or(|other| may_overlap(&reach, other, *root));
            if harmless || !overlaps {
                continue;
            }
            if context.is_scalar_object(*root).is_some() && !access.is_write() && !written.contains(root) {
                continue;
            }
            let conflict = || {
                let verb = if access.is_write() { "writes" } else { "reads" };
                Err(Cause::new(
                    format!("the host {verb} data of the kernels between them"),
                    access.origin,
                ))
            };
            // An element of another mapped object: the condition of the environment keeps the two apart.
            let known = access
                .root
                .and_then(|other| touched.get(&other))
                .map(|touched| &touched.part.hull);
            let inside = known.is_some_and(|known| {
                values.hull(access, inside).is_ok_and(|own| {
                    access.facts.prove_nonnegative(&(&own.low - &known.low))
                        && access.facts.prove_nonnegative(&(&known.high - &own.high))
                })
            });
            if access.root != Some(*root) && inside {
                continue;
            }
            let nested = bases.get(root).is_some_and(|base| base.member.is_some());
            if !inside || nested || context.is_scalar_object(*root).is_some() {
                return conflict();
            }
            if no_update(context, group, access) {
                let why = "the host would have to make an element of a static variable alike that functions use which kernels call, and clang 19 takes no update of that";
                return Err(Cause::new(why, access.origin));
            }
            let Some(update) = update(group, access) else {
                return conflict();
            };
            if goes_over_elements(context, group, access) {
                let verb = if access.is_write() { "writes" } else { "reads" };
                let why = format!(
                    "between the kernels the host {verb} data of theirs in a loop, where each element would be copied by itself"
                );
                return Err(Cause::new(why, access.origin));
            }
            updates.push(update);
        }
    }
    updates.dedup_by(|a, b| a.item == b.item && a.direction == b.direction && a.at == b.at);
    Ok(updates)
}

/// True for an access in a loop of the host's own, which no kernel is in: one transfer for each element takes longer than all that the kernels save. Not in loops of a few iterations.
fn goes_over_elements(context: Context<'_>, group: &Group<'_>, access: &Access) -> bool {
    let values = &context.facts.values;
    let kernels = group.kernels.iter();
    let around_kernels: Vec<LoopIndex> = kernels
        .flat_map(|kernel| values.enclosing(kernel.index))
        .collect();
    let is_own = |index: &&LoopIndex| !group.outside.contains(index) && !around_kernels.contains(index);
    let mut total = Some(1_i64);
    for index in access.loops.iter().filter(is_own) {
        let trip = values.loops[index.0 as usize].trip.as_ref().ok();
        let count = trip.and_then(Expr::as_constant).and_then(|count| count.to_i64());
        total = total
            .zip(count)
            .and_then(|(total, count)| total.checked_mul(count));
    }
    total.is_none_or(|total| total > FEW)
}

/// Most iterations of loops of the host with a transfer in each.
const FEW: i64 = 8;

/// True for variables of this file alone that are declared for the device: "the host cannot update a declare target variable that is not externally visible".
fn no_update(context: Context<'_>, group: &Group<'_>, access: &Access) -> bool {
    let symbols = &context.facts.values.symbols;
    let Some(SymbolKind::Address(variable)) = access.root.map(|root| &symbols.info(root).kind) else {
        return false;
    };
    let VariableRef::Global(id) = *variable else {
        return false;
    };
    let is_linked = group.kernels.iter().any(|kernel| kernel.whole.contains(variable));
    is_linked && context.unit.global(id).linkage == Linkage::Internal
}

/// True if every kernel behind a call that may end the program is known to run only if it does not: what is mapped at the beginning may hang on that (`if (n > 50) exit(2);` before a kernel
/// over `n` elements). Behind a loop around the call nothing is known of it.
fn is_followed(context: Context<'_>, group: &Group<'_>, end: &End) -> bool {
    let values = &context.facts.values;
    let is_around =
        |kernel: &Kernel, around: LoopIndex| values.enclosing(kernel.index).any(|index| index == around);
    let is_around_all = |around: &LoopIndex| group.kernels.iter().all(|kernel| is_around(kernel, *around));
    end.followed && end.loops.iter().all(is_around_all)
}

/// An update for one element that a plain assignment of the host writes or reads.
pub(super) fn update(group: &Group<'_>, access: &Access) -> Option<Update> {
    // The text has no name for what a call touches.
    if access.summary.is_some() {
        return None;
    }
    let item = access.origin.text()?;
    let mut found = None;
    for stmt in group.statements {
        stmt.walk(&mut |inner| {
            if let StmtKind::Block { body, scope: true } = &inner.kind {
                for child in body {
                    if child.id == access.stmt
                        && matches!(child.kind, StmtKind::Assign { .. } | StmtKind::Call { .. })
                    {
                        found = child.origin.text();
                    }
                    // A statement that became several: its parts share its text.
                    if let StmtKind::Block { body, scope: false } = &child.kind
                        && body.iter().any(|part| part.id == access.stmt)
                        && body.iter().all(|part| {
                            matches!(
                                part.kind,
                                StmtKind::Assign { .. } | StmtKind::Call { .. } | StmtKind::Declare { .. }
                            )
                        })
                    {
                        found = child.origin.text();
                    }
                }
            }
        });
    }
    let at = found?;
    // The text is evaluated once more: it must be evaluated whenever the statement is.
    if access.guards_outside < access.guards.len() {
        return None;
    }
    at.contains(item).then_some(())?;
    let direction = if access.is_write() {
        Direction::To
    } else {
        Direction::From
    };
    Some(Update { item, direction, at })
}

/// What a statement of the group is in.
#[derive(Clone, Copy)]
struct Inside {
    /// A loop: `break` and `continue` stay in the group.
    is_loop: bool,
    /// A kernel, in which a `switch` may be: nothing leaves it.
    is_kernel: bool,
}

/// A jump out of the group, or into it.
fn leaves(stmt: &Stmt, inside: Inside, kernels: &BTreeSet<StmtId>) -> Option<Cause> {
    let in_children = |inside: Inside| {
        let mut children = stmt.children().into_iter();
        children.find_map(|child| leaves(child, inside, kernels))
    };
    match &stmt.kind {
        StmtKind::Return(_) => Some(Cause::new(
            "a return would leave the data environment",
            stmt.origin,
        )),
        StmtKind::Case { .. } | StmtKind::Default if inside.is_kernel => None,
        StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default => Some(
            Cause::new("a jump could cross the data environment's border", stmt.origin),
        ),
        StmtKind::Break | StmtKind::Continue if !inside.is_loop => {
            Some(Cause::new("a jump would leave the data environment", stmt.origin))
        }
        StmtKind::Opaque { why, .. } => Some(Cause::new(why.clone(), stmt.origin)),
        StmtKind::Switch { .. } if !inside.is_kernel => {
            Some(Cause::new("a switch between the kernels", stmt.origin))
        }
        StmtKind::Loop(_) => in_children(Inside {
            is_loop: true,
            is_kernel: inside.is_kernel || kernels.contains(&stmt.id),
        }),
        _ => in_children(inside),
    }
}
