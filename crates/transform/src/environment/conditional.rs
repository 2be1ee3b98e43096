//! Which kernels of a group may not run, and is what is mapped for them there even so?
//!
//! A data environment around a loop maps the data of a kernel in it whether or not the condition around the kernel ever holds. So what is mapped must exist in any
//! case: where the condition does not hold the section has no elements (a condition that the loop does not change is a part of its length), or it lies in an object
//! whose size is known, or both of its ends are touched by kernels that run for certain. What is not certainly written moves in before it comes back
//! (`direction`), and what the host touches in between has an `update` beside it, on its own path (`host`).
//!
//! What it cannot do: storage of unknown size that only kernels touch which may not run.

use super::existing_storage::{lies_in_its_object_if_touched, may_stop_before_its_ends, touches_its_ends};
use super::touched::shared_by_host;
use super::{Group, Mapping, facts_at, inner_loops};
use crate::kernel::{Context, Kernel};
use ferry_analysis::access::Access;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::shape;
use ferry_analysis::state::State;
use ferry_analysis::symbols::Cause;
use ferry_ir::{Stmt, StmtId, StmtKind};
use ferry_symbolic::{Condition, Integer};

/// Does a kernel run in each iteration of the loops of its group that are around it?
enum Runs {
    /// Nothing leaves it out.
    Always,
    /// If all of these hold, which no loop of the group changes, in the order in which they are tested.
    If(Vec<Condition>),
    /// It hangs on what changes, or is not known.
    Perhaps,
}

/// True if no condition and no jump inside of the statement leaves the kernel out.
pub fn runs_always(context: Context<'_>, stmt: &Stmt, kernel: &Kernel) -> bool {
    let target = context.facts.values.loops[kernel.index.0 as usize].stmt;
    let mut conditions = Vec::new();
    !jumps_before(stmt, target) && path(context, stmt, target, &mut conditions) && conditions.is_empty()
}

/// Whether a kernel of a group runs; `inside` are the loops of the group.
fn runs(context: Context<'_>, group: &Group<'_>, inside: &[LoopIndex], kernel: &Kernel) -> Runs {
    let values = &context.facts.values;
    let target = values.loops[kernel.index.0 as usize].stmt;
    let is_around = |stmt: &&Stmt| shape::any(stmt, &mut |inner| inner.id == target);
    let Some(stmt) = group.statements.iter().find(is_around) else {
        return Runs::Perhaps;
    };
    let mut conditions = Vec::new();
    if jumps_before(stmt, target) || !path(context, stmt, target, &mut conditions) {
        return Runs::Perhaps;
    }
    if conditions.is_empty() {
        return Runs::Always;
    }
    let conditions: Option<Vec<Condition>> = conditions.into_iter().collect();
    match conditions.filter(|all| !all.iter().any(|one| changes(context, inside, one))) {
        Some(all) => Runs::If(all),
        None => Runs::Perhaps,
    }
}

/// What can be tested before the statement, so that only kernels are left in it that run, and nothing of the host's that runs where they do not: for each condition that the
/// statement's loops do not change, it with the kernels that may run then.
pub fn under_conditions<'a>(context: Context<'_>, group: &Group<'a>) -> Vec<Group<'a>> {
    let inside = inner_loops(context, group);
    let all: Vec<Runs> = group
        .kernels
        .iter()
        .map(|kernel| runs(context, group, &inside, kernel))
        .collect();
    let Some(facts) = facts_at(context, group) else {
        return Vec::new();
    };
    let mut found: Vec<Group<'a>> = Vec::new();
    for (kernel, one) in group.kernels.iter().zip(&all) {
        let Runs::If(conditions) = one else { continue };
        if found.iter().any(|group| group.given.ends_with(conditions)) {
            continue;
        }
        let all_of = |conditions: &[Condition]| Condition::all(conditions.iter().cloned());
        let here = facts.with(&all_of(conditions));
        let may_run = |runs: &Runs| match runs {
            Runs::If(others) => !here.with(&all_of(others)).infeasible(),
            Runs::Always | Runs::Perhaps => true,
        };
        let kernels = group.kernels.iter().zip(&all);
        let kernels = kernels.filter(|(_, runs)| may_run(runs));
        // A condition may be evaluated only where the loop reaches it.
        let mut given = Vec::new();
        let mut may_not_run = false;
        for index in around(context, &inside, kernel) {
            let trip = context.facts.values.loops[index.0 as usize].trip.as_ref();
            match trip.map(at_least_one) {
                Ok(runs) if facts.prove(&runs) => {}
                Ok(runs) if !changes(context, &inside, &runs) => given.push(runs),
                _ => may_not_run = true,
            }
        }
        if may_not_run && !conditions.iter().all(needs_no_arithmetic) {
            continue;
        }
        given.extend(conditions.iter().cloned());
        found.push(Group {
            kernels: kernels.map(|(kernel, _)| kernel.clone()).collect(),
            given,
            ..group.clone()
        });
    }
    found
}

/// Can the condition be evaluated whatever its variables hold? A comparison of two of them, or of one with 0, can.
fn needs_no_arithmetic(condition: &Condition) -> bool {
    condition.conjuncts().iter().all(|one| {
        one.as_comparison().is_some_and(|comparison| {
            let value = &comparison.expr;
            let alone = value.without_constant();
            let least = value.constant_term().abs() <= Integer::from(1);
            let plain = alone.terms().all(|term| {
                let is_variable = term.monomial.degree() == 1 && term.coefficient.abs() == Integer::from(1);
                is_variable && value.is_plain()
            });
            least && plain && alone.terms().count() <= 2
        })
    })
}

/// The loops of the group around a kernel, outermost first.
fn around(context: Context<'_>, inside: &[LoopIndex], kernel: &Kernel) -> Vec<LoopIndex> {
    let enclosing = context.facts.values.enclosing(kernel.index).skip(1);
    let mut found: Vec<LoopIndex> = enclosing.filter(|index| inside.contains(index)).collect();
    found.reverse();
    found
}

/// True if a loop of the group may change the condition.
fn changes(context: Context<'_>, inside: &[LoopIndex], condition: &Condition) -> bool {
    let values = &context.facts.values;
    condition.symbols().iter().any(|symbol| {
        let mut loops = inside.iter();
        loops.any(|index| {
            values
                .symbols
                .varies_in(*symbol, values.loops[index.0 as usize].stmt)
        })
    })
}

/// The branches inside of the group that are not taken where its kernels run.
pub(super) fn left_out<'a>(context: Context<'_>, group: &Group<'a>) -> Vec<&'a Stmt> {
    let mut found = Vec::new();
    if group.given.is_empty() {
        return found;
    }
    let Some(facts) = facts_at(context, group) else {
        return found;
    };
    for stmt in group.statements {
        stmt.walk(&mut |inner| {
            let StmtKind::If { then, otherwise, .. } = &inner.kind else {
                return;
            };
            let exact = context.facts.values.conditions.get(&inner.id);
            let Some(condition) = exact.and_then(|found| found.exact()) else {
                return;
            };
            if facts.prove(&condition) {
                found.extend(otherwise.as_deref());
            } else if facts.prove(&condition.not()) {
                found.push(&**then);
            }
        });
    }
    found
}

/// The conditions on the way from a statement to one inside of it, `None` for what is not known exactly. False if it is not inside.
fn path(context: Context<'_>, stmt: &Stmt, target: StmtId, conditions: &mut Vec<Option<Condition>>) -> bool {
    if stmt.id == target {
        return true;
    }
    let is_in = |part: &Stmt| shape::any(part, &mut |inner| inner.id == target);
    let Some(next) = stmt.children().into_iter().find(|child| is_in(child)) else {
        return false;
    };
    match &stmt.kind {
        StmtKind::If { then, .. } => {
            let found = context.facts.values.conditions.get(&stmt.id);
            let exact = found.and_then(|found| found.exact());
            conditions.push(match next.id == then.id {
                true => exact,
                false => exact.map(|condition| condition.not()),
            });
        }
        StmtKind::Switch { .. } => conditions.push(None),
        _ => {}
    }
    path(context, next, target, conditions)
}

/// Refuses the group if something would be mapped that may not be there, because a kernel or a statement of the host runs under a condition.
pub(super) fn certain_to_exist(
    context: Context<'_>,
    group: &Group<'_>,
    inside: &[LoopIndex],
    mappings: &[Mapping],
    state: &State,
) -> Result<(), Cause> {
    let values = &context.facts.values;
    let all: Vec<(&Kernel, Runs)> = group
        .kernels
        .iter()
        .map(|kernel| (kernel, runs(context, group, inside, kernel)))
        .collect();
    let outside = group.outside.len();
    let of_host: Vec<&Access> = shared_by_host(context, group)
        .into_iter()
        .filter(|access| access.conditional_depth > outside || access.guards_outside < access.guards.len())
        .collect();
    if of_host.is_empty() && all.iter().all(|(_, runs)| matches!(runs, Runs::Always)) {
        return Ok(());
    }
    let kernel_of = |access: &Access| {
        let mut kernels = all.iter();
        kernels.find(|(kernel, _)| access.loops.contains(&kernel.index))
    };
    // Under a condition that is a part of the section's length, and so of what says that it is touched at all.
    let is_empty_else = |access: &Access, condition: &Condition| {
        values.hull(access, inside).is_ok_and(|hull| {
            let part = values.part(&context.unit.types, access, hull, inside, &state.facts);
            state.facts.with(&part.happens).prove(condition)
        })
    };
    // A loop of which it is not known how often it runs may not run at all.
    let may_not_run = |kernel: &Kernel| {
        let mut loops = around(context, inside, kernel).into_iter();
        loops.any(|index| values.loops[index.0 as usize].trip.is_err())
    };
    let certain = |access: &Access| match kernel_of(access) {
        Some((kernel, _)) if may_not_run(kernel) => None,
        Some((_, Runs::Always)) => Some(Condition::always()),
        Some((_, Runs::If(conditions))) => Some(Condition::all(conditions.iter().cloned())),
        _ => None,
    };
    for mapping in mappings.iter().filter(|mapping| mapping.section.is_some()) {
        let own: Vec<&Access> = group
            .accesses(context)
            .filter(|access| access.root == Some(mapping.root))
            .collect();
        let open = own.iter().find(|access| match kernel_of(access) {
            Some((kernel, _)) if may_not_run(kernel) || may_stop_before_its_ends(context, access, inside) => {
                true
            }
            Some((_, Runs::Always)) => false,
            Some((_, Runs::If(conditions))) => !conditions.iter().all(|one| is_empty_else(access, one)),
            _ => true,
        });
        let of_host = of_host.iter().find(|access| access.root == Some(mapping.root));
        let Some(open) = open.or(of_host) else { continue };
        if !lies_in_its_object_if_touched(context, inside, &own, mapping, &state.facts)
            && !touches_its_ends(context, inside, &own, mapping, &state.facts, &certain)
        {
            let why = "a kernel in it runs under a condition, and it is not known that all of the storage that it needs is there where it does not run";
            return Err(Cause::new(why, open.origin));
        }
    }
    Ok(())
}

/// Refuses the group if values would have to be read before it, to find out whether they are in order, that nothing may read in it.
pub(super) fn pass_is_certain(context: Context<'_>, group: &Group<'_>) -> Result<(), Cause> {
    for kernel in group.kernels.iter().filter(|kernel| !kernel.sorted.is_empty()) {
        let always = group
            .statements
            .iter()
            .any(|stmt| runs_always(context, stmt, kernel));
        if !always {
            let why = "it is parallel if values increase, and it runs under a condition, without which these may not be there";
            return Err(Cause::new(
                why,
                context.facts.values.loops[kernel.index.0 as usize].origin,
            ));
        }
    }
    Ok(())
}

/// A jump inside of a statement, outside of inner loops that do not hold the target, in text before the target: that may not be reached.
fn jumps_before(stmt: &Stmt, target: StmtId) -> bool {
    fn search(stmt: &Stmt, target: StmtId, found: &mut bool, done: &mut bool) {
        if *done || stmt.id == target {
            *done = true;
            return;
        }
        match stmt.kind {
            StmtKind::Continue | StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_) => *found = true,
            StmtKind::Loop(_) if !shape::any(stmt, &mut |inner| inner.id == target) => {
                *found |= shape::any(stmt, &mut |inner| {
                    matches!(inner.kind, StmtKind::Return(_) | StmtKind::Goto(_))
                });
            }
            _ => stmt
                .children()
                .into_iter()
                .for_each(|child| search(child, target, found, done)),
        }
    }
    let (mut found, mut done) = (false, false);
    search(stmt, target, &mut found, &mut done);
    found
}
