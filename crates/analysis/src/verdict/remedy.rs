//! What would remove an obstacle?
//!
//! Each answer is for one form of program that is looked for, and true of it; of everything else nothing is said. An answer is about its obstacle alone:
//! what else stands in the way stays.
//!
//! What it cannot do: say whether a rewrite is worth it, and see through calls and pointers to the forms that it knows.

use super::obstacle::{Found, Known, Remedy};
use super::{Dependence, DependenceKind, Detail, Judge, for_each_part, mentions};
use crate::alias::may_overlap;
use crate::dependence::{Direction, is_same_where_they_meet};
use crate::loops::{CallSite, LoopFacts};
use crate::reduction::{ReductionOp, Update, same_but_origin};
use crate::scalar::expr_mentions;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::{
    BinaryOp, Expr, ExprKind, Loop, Place, Stmt, StmtId, StmtKind, UnaryOp, Unit, VariableKind, VariableRef,
};
use ferry_symbolic::Symbol;
use std::collections::BTreeSet;

/// Of a way out of the loop: its iterations can all run if it is known how many there are.
pub(super) fn of_exit(facts: &LoopFacts, cause: &Cause) -> Option<Remedy> {
    let leaves = cause.why.ends_with("leaves the loop early");
    (leaves && facts.trip.is_ok()).then_some(Remedy::RunAll)
}

/// Of a number of iterations that is not known: `i < p->n`, where only a store of the loop could change the bound.
pub(super) fn of_bound(judge: &Judge<'_>, inner: &Loop) -> Option<Remedy> {
    let scalars = judge.scalars?;
    let ExprKind::Binary(op, a, b) = &inner.condition.as_ref()?.kind else {
        return None;
    };
    let moves_up = |expr: &Expr| {
        let value = match &expr.kind {
            ExprKind::Cast(value) => value,
            _ => expr,
        };
        let mut inductions = judge.facts.inductions.iter();
        let own = inductions.find(|one| value.as_variable() == Some(one.variable))?;
        let step = own.step()?.as_constant()?;
        (!step.is_zero()).then(|| !step.is_negative())
    };
    let bound = match op {
        BinaryOp::Lt | BinaryOp::Le => match (moves_up(a), moves_up(b)) {
            (Some(true), None) => b,
            (None, Some(false)) => a,
            _ => return None,
        },
        BinaryOp::Gt | BinaryOp::Ge => match (moves_up(a), moves_up(b)) {
            (Some(false), None) => b,
            (None, Some(true)) => a,
            _ => return None,
        },
        _ => return None,
    };
    let mut from_memory = false;
    let mut fixed = true;
    bound.walk(&mut |part| match &part.kind {
        ExprKind::Load(place) => match place.as_variable().filter(|one| judge.is_followed_by_name(*one)) {
            Some(variable) => fixed &= !scalars.assigned.contains(&variable),
            None => from_memory |= !place.volatile,
        },
        ExprKind::Opaque { .. } => fixed = false,
        _ => {}
    });
    (from_memory && fixed).then_some(Remedy::CopyBound(bound.origin))
}

/// Of a call of a function that is only declared.
pub(super) fn of_call(unit: &Unit, call: &CallSite) -> Option<Remedy> {
    let name = call.obstacle.as_ref()?.why.strip_prefix("nothing is known of ")?;
    let mut functions = unit.functions.iter();
    let only_declared = functions.any(|function| function.name == name && function.body.is_none());
    only_declared.then(|| Remedy::SayWhatItDoes(name.to_owned()))
}

/// Of a scalar that some iterations set and that is used after the loop.
pub(super) fn of_last_value(judge: &Judge<'_>, inner: &Loop, variable: VariableRef) -> Option<Remedy> {
    if judge.detail != Detail::Every || is_made(judge, variable) {
        return None;
    }
    place_of_an_extreme(inner, variable).or(Some(Remedy::KeepLast(variable)))
}

/// Of a scalar that carries a value from one iteration to the next.
pub(super) fn of_scalar(
    judge: &Judge<'_>,
    inner: &Loop,
    variable: VariableRef,
    updates: &[Update<'_>],
) -> Option<Remedy> {
    if judge.detail != Detail::Every || is_made(judge, variable) {
        return None;
    }
    place_of_an_extreme(inner, variable)
        .or_else(|| prefix(judge, inner, variable, updates))
        .or_else(|| recurrence_of_scalar(judge, inner, variable))
}

/// Of pairs of accesses.
pub(super) fn of_accesses(
    judge: &Judge<'_>,
    inner: &Loop,
    updates: &[Update<'_>],
    group: &[Found<'_>],
    dependences: &[Dependence],
) -> Option<Remedy> {
    recurrence_in_memory(judge, inner, group)
        .or_else(|| read_copy(dependences))
        .or_else(|| distinct(judge, updates, group))
        .or_else(|| groups(group, dependences))
}

fn is_made(judge: &Judge<'_>, variable: VariableRef) -> bool {
    match variable {
        VariableRef::Global(_) => false,
        VariableRef::Local(local) => judge.function.local(local).kind == VariableKind::Temporary,
    }
}

/// What is read is only written in later iterations, a fixed number of them on: never in the same one, nor in an earlier one.
fn read_copy(dependences: &[Dependence]) -> Option<Remedy> {
    let is_written_later = |one: &Dependence| {
        one.kind == DependenceKind::Anti && matches!(one.vector.first(), Some(Direction::Exactly(_)))
    };
    (!dependences.is_empty() && dependences.iter().all(is_written_later)).then_some(Remedy::ReadCopy)
}

/// All pairs lie at least so many iterations apart, and always a fixed number: that many can run at once.
fn groups(group: &[Found<'_>], dependences: &[Dependence]) -> Option<Remedy> {
    // A distance that no run may reach is true, and of no use.
    if group.iter().any(|found| !matches!(found.known, Known::Away(_))) {
        return None;
    }
    let distances = dependences.iter().map(|one| match one.vector.first() {
        Some(Direction::Exactly(distance)) => Some(*distance),
        _ => None,
    });
    let least = distances.collect::<Option<Vec<i64>>>()?.into_iter().min()?;
    (least > 1).then_some(Remedy::Groups(least))
}

/// `h[idx[i]] = …`: where two iterations meet, a value from memory is the same in both.
fn distinct(judge: &Judge<'_>, updates: &[Update<'_>], group: &[Found<'_>]) -> Option<Remedy> {
    let first = group.first()?;
    if group
        .iter()
        .any(|found| found.known != Known::Little || !found.same_storage)
    {
        return None;
    }
    let symbols = &judge.values.symbols;
    let from_memory = |symbol: &Symbol| {
        let info = symbols.info(*symbol);
        matches!(info.kind, SymbolKind::Loaded { .. })
            && !info.is_pointer(&judge.unit.types)
            && symbols.varies_in(*symbol, judge.facts.stmt)
    };
    let candidates = first.write.address.as_ref()?.symbols();
    let decides = |value: &Symbol| {
        group.iter().all(|found| {
            let (write, other) = (found.write, found.other);
            [(write, other), (other, write)].into_iter().all(|pair| {
                is_same_where_they_meet(symbols, judge.facts.stmt, judge.facts.counter, pair, *value)
            })
        })
    };
    let value = candidates.into_iter().filter(from_memory).find(decides)?;
    let of = |stmt: StmtId| updates.iter().find(|update| update.parts.contains(&stmt));
    let op = of(first.write.stmt).map(|update| update.op).filter(|op| {
        use ReductionOp::{BitAnd, BitOr, BitXor, Product, Sum};
        let is_it = |stmt: StmtId| of(stmt).is_some_and(|update| update.op == *op);
        matches!(op, Sum | Product | BitAnd | BitOr | BitXor)
            && group
                .iter()
                .all(|found| is_it(found.write.stmt) && is_it(found.other.stmt))
    });
    Some(Remedy::Distinct(symbols.info(value).at, op))
}

/// `if (x[i] > m) { m = x[i]; p = i; }`, where neither `m` nor `p` is used anywhere else in the loop.
fn place_of_an_extreme(inner: &Loop, variable: VariableRef) -> Option<Remedy> {
    let mut found = None;
    for_each_part(inner, &mut |stmt| {
        if let Some((extreme, places)) = extreme(stmt)
            && (extreme == variable || places.contains(&variable))
        {
            found = Some((stmt.id, extreme, places));
        }
    });
    let (whole, extreme, places) = found?;
    let mut own = BTreeSet::new();
    for_each_part(inner, &mut |stmt| {
        if stmt.id == whole {
            stmt.walk(&mut |part| own.extend([part.id]));
        }
    });
    let all = || std::iter::once(extreme).chain(places.iter().copied());
    let mut only = inner
        .condition
        .as_ref()
        .is_none_or(|test| all().all(|variable| !expr_mentions(test, variable)));
    for_each_part(inner, &mut |stmt| {
        only &= own.contains(&stmt.id) || all().all(|variable| !mentions(stmt, variable));
    });
    only.then_some(Remedy::FindThenPlace(extreme))
}

/// The extreme value, and the scalars that are set with it.
fn extreme(stmt: &Stmt) -> Option<(VariableRef, Vec<VariableRef>)> {
    let StmtKind::If {
        condition,
        then,
        otherwise: None,
    } = &stmt.kind
    else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Lt | BinaryOp::Gt, a, b) = &condition.kind else {
        return None;
    };
    let StmtKind::Block { body, .. } = &then.kind else {
        return None;
    };
    let mut set = Vec::new();
    for part in body {
        let StmtKind::Assign { place, value } = &part.kind else {
            return None;
        };
        set.push((place.as_variable()?, value));
    }
    let is_extreme = |(variable, value): &&(VariableRef, &Expr)| {
        let is_it = |expr: &Expr| expr.as_variable() == Some(*variable);
        (is_it(a) && same_but_origin(b, value)) || (is_it(b) && same_but_origin(a, value))
    };
    let (extreme, _) = set.iter().find(is_extreme)?;
    let places: Vec<VariableRef> = set
        .iter()
        .map(|(variable, _)| *variable)
        .filter(|variable| variable != extreme)
        .collect();
    // What is set must not be used in what is set.
    let is_free = |value: &Expr| set.iter().all(|(variable, _)| !expr_mentions(value, *variable));
    (!places.is_empty() && set.iter().all(|(_, value)| is_free(value))).then_some((*extreme, places))
}

/// `s += x[i]; y[i] = s;` and `a[k++] = x[i];`: the variable is updated by one operation, and otherwise only stored, or says where something is stored
/// that the loop does not read.
fn prefix(judge: &Judge<'_>, inner: &Loop, variable: VariableRef, updates: &[Update<'_>]) -> Option<Remedy> {
    let steps = steps_through_copies(judge, inner, variable);
    let own: Vec<&Update<'_>> = updates
        .iter()
        .filter(|update| update.place.as_variable() == Some(variable))
        .collect();
    let op = match own.first() {
        Some(first) => first.op,
        None if !steps.parts.is_empty() => ReductionOp::Sum,
        None => return None,
    };
    if own.iter().any(|update| update.op != op) || (op != ReductionOp::Sum && !steps.parts.is_empty()) {
        return None;
    }
    let mut parts = steps.parts;
    parts.extend(own.iter().flat_map(|update| update.parts.iter().copied()));
    let mut carriers = steps.copies;
    carriers.insert(variable);
    let of_carriers = |expr: &Expr| carriers.iter().any(|carrier| expr_mentions(expr, *carrier));
    let is_clean = inner.condition.as_ref().is_none_or(|test| !of_carriers(test))
        && judge.facts.opaque.is_empty()
        && judge.facts.calls.iter().all(|call| call.obstacle.is_none());
    let mut only = is_clean;
    for_each_part(inner, &mut |stmt| {
        if !only || parts.contains(&stmt.id) {
            return;
        }
        let used = carriers.iter().any(|carrier| mentions(stmt, *carrier));
        only = !used || is_store_that_nobody_reads(judge, stmt);
    });
    only.then_some(Remedy::PrefixSum(variable, op))
}

/// `t = k; k = t + c;` as the front end writes `k++` where its value is used.
struct Steps {
    parts: BTreeSet<StmtId>,
    copies: BTreeSet<VariableRef>,
}

fn steps_through_copies(judge: &Judge<'_>, inner: &Loop, variable: VariableRef) -> Steps {
    let mut steps = Steps {
        parts: BTreeSet::new(),
        copies: BTreeSet::new(),
    };
    for_each_part(inner, &mut |stmt| {
        let StmtKind::Block { body, .. } = &stmt.kind else {
            return;
        };
        for pair in body.windows(2) {
            let [first, second] = pair else { continue };
            let (StmtKind::Assign { place: copy, value }, StmtKind::Assign { place, value: next }) =
                (&first.kind, &second.kind)
            else {
                continue;
            };
            let (Some(copy), Some(own)) = (copy.as_variable(), place.as_variable()) else {
                continue;
            };
            let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, from, by) = &next.kind else {
                continue;
            };
            if own == variable
                && is_made(judge, copy)
                && value.as_variable() == Some(variable)
                && from.as_variable() == Some(copy)
                && by.as_int().is_some()
            {
                steps.parts.extend([first.id, second.id]);
                steps.copies.insert(copy);
            }
        }
    });
    steps
}

/// True for an assignment to storage that the loop only writes.
fn is_store_that_nobody_reads(judge: &Judge<'_>, stmt: &Stmt) -> bool {
    let StmtKind::Assign { place, .. } = &stmt.kind else {
        return false;
    };
    if place
        .as_variable()
        .is_some_and(|variable| judge.is_followed_by_name(variable))
    {
        return false;
    }
    let own: Vec<_> = inside(judge)
        .filter(|access| access.stmt == stmt.id && access.is_write())
        .collect();
    let reach = judge.reach();
    !own.is_empty()
        && own.iter().all(|write| {
            inside(judge)
                .filter(|access| !access.is_write())
                .all(|read| match (write.root, read.root) {
                    (Some(a), Some(b)) => a != b && !may_overlap(&reach, a, b),
                    _ => false,
                })
        })
}

/// The accesses in the loop.
fn inside<'j>(judge: &Judge<'j>) -> impl Iterator<Item = &'j crate::access::Access> {
    let index = judge.index;
    let accesses = judge.values.accesses.iter();
    accesses.filter(move |access| access.loops.contains(&index))
}

/// `s = a * s + b` in every iteration, where neither `a` nor `b` depends on what the loop computes.
fn recurrence_of_scalar(judge: &Judge<'_>, inner: &Loop, variable: VariableRef) -> Option<Remedy> {
    let mut assignments = Vec::new();
    for_each_part(inner, &mut |stmt| {
        if stmt.written_place().and_then(Place::as_variable) == Some(variable) {
            assignments.push(stmt);
        }
    });
    let [only] = assignments.as_slice() else {
        return None;
    };
    let StmtKind::Assign { value, .. } = &only.kind else {
        return None;
    };
    let every_time = directly_in(&inner.body, only.id);
    let is_it = |expr: &Expr| expr.as_variable() == Some(variable);
    (every_time && linear(judge, value, &is_it) == Linear::Once).then_some(Remedy::Scan)
}

/// `x[i] = a * x[i - 1] + b`, the same.
fn recurrence_in_memory(judge: &Judge<'_>, inner: &Loop, group: &[Found<'_>]) -> Option<Remedy> {
    let [found] = group else { return None };
    let (write, read) = (found.write, found.other);
    if found.known != Known::Away(1)
        || !found.proved
        || read.is_write()
        || write.stmt != read.stmt
        || write.called.is_some()
        || found.ways != [true, false]
        || write.loops.last() != Some(&judge.index)
    {
        return None;
    }
    let alone = inside(judge)
        .filter(|access| access.is_write())
        .all(|access| std::ptr::eq(access, write) || access.root.is_some() && access.root != write.root);
    let mut stored = None;
    for_each_part(inner, &mut |stmt| {
        if stmt.id == write.stmt
            && let StmtKind::Assign { value, .. } = &stmt.kind
        {
            stored = Some(value);
        }
    });
    let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Load(place) if place.origin == read.origin);
    let is_linear = linear(judge, stored?, &is_it) == Linear::Once;
    (alone && is_linear && directly_in(&inner.body, write.stmt)).then_some(Remedy::Scan)
}

/// True if the statement is a part of a block that is run as a whole.
fn directly_in(body: &Stmt, wanted: StmtId) -> bool {
    if body.id == wanted {
        return true;
    }
    match &body.kind {
        StmtKind::Block { body, .. } => body.iter().any(|stmt| directly_in(stmt, wanted)),
        _ => false,
    }
}

/// How a value depends on another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Linear {
    /// Not at all, nor on anything that the loop computes.
    Free,
    /// It is that value times something, plus something.
    Once,
    /// Nothing is said.
    No,
}

fn linear(judge: &Judge<'_>, expr: &Expr, is_it: &dyn Fn(&Expr) -> bool) -> Linear {
    use Linear::{Free, No, Once};
    if is_it(expr) {
        return Once;
    }
    let types = &judge.unit.types;
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => Free,
        ExprKind::Load(place) => match is_untouched(judge, place) {
            true => Free,
            false => No,
        },
        ExprKind::Unary(UnaryOp::Negate, value) => linear(judge, value, is_it),
        ExprKind::Cast(value) => match linear(judge, value, is_it) {
            // Between floating-point types a conversion rounds, as every operation of a scan does.
            // One that loses the imaginary part is linear as well.
            Once if !types.is_floating(expr.ty) || !types.is_floating(value.ty) => No,
            known => known,
        },
        ExprKind::Binary(op, a, b) => match (op, linear(judge, a, is_it), linear(judge, b, is_it)) {
            (_, Free, Free) => Free,
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Once, Free)
            | (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Free, Once) => Once,
            (BinaryOp::Div, Once, Free) if types.is_floating(expr.ty) => Once,
            _ => No,
        },
        _ => No,
    }
}

/// True for a place that the loop does not write: its value does not depend on what the loop computes.
fn is_untouched(judge: &Judge<'_>, place: &Place) -> bool {
    let Some(scalars) = judge.scalars else {
        return false;
    };
    let moves = |variable: VariableRef| judge.facts.inductions.iter().any(|one| one.variable == variable);
    if let Some(variable) = place.as_variable()
        && judge.is_followed_by_name(variable)
    {
        return !scalars.assigned.contains(&variable) || moves(variable);
    }
    let mut free = true;
    place.for_each_child(&mut |child| {
        child.walk(&mut |part| match &part.kind {
            ExprKind::Load(place) => free &= is_untouched(judge, place),
            ExprKind::Opaque { .. } => free = false,
            _ => {}
        });
    });
    let reach = judge.reach();
    let mut reads = inside(judge)
        .filter(|access| access.origin == place.origin && !access.is_write())
        .peekable();
    let known = reads.peek().is_some();
    free && known
        && judge.facts.calls.iter().all(|call| call.obstacle.is_none())
        && reads.all(|read| {
            inside(judge)
                .filter(|access| access.is_write())
                .all(|write| match (write.root, read.root) {
                    (Some(a), Some(b)) => a != b && !may_overlap(&reach, a, b),
                    _ => false,
                })
        })
}
