//! Do the heads of a nest's loops mean the same in another order?
//!
//! Bounds must not change in the nest, nor be written with its variables. A head may be evaluated, and its loop begun, where that did not happen before: where a
//! loop that stood around it has no iteration. So its evaluation must not fail, and the loop must come to an end whatever its bounds are.

use super::nest::{Nest, NestLoop};
use crate::kernel::{Context, name_of, type_of};
use ferry_analysis::canonical::Canonical;
use ferry_analysis::coalescing::{known as numbers, trip};
use ferry_analysis::symbols::Cause;
use ferry_ir::visit::{expression_variables, mentioned_variables};
use ferry_ir::{BinaryOp, Expr, ExprKind, Loop, PlaceBase, Projection, StmtKind, VariableRef};
use ferry_symbolic::Condition;
use std::collections::BTreeSet;

/// The variables that a head names.
pub fn mentioned(of: &Loop) -> BTreeSet<VariableRef> {
    let parts = of.init.iter().chain(&of.step);
    let mut found: BTreeSet<VariableRef> = parts.flat_map(mentioned_variables).collect();
    if let Some(test) = &of.condition {
        expression_variables(test, &mut found);
    }
    found
}

/// That the heads mean the same in any order.
pub fn mean_the_same(context: Context<'_>, nest: &Nest<'_>) -> Result<(), Cause> {
    let values = &context.facts.values;
    let Some(root) = nest.loops.first() else {
        return Ok(());
    };
    let own: BTreeSet<VariableRef> = nest
        .loops
        .iter()
        .filter_map(|of| Some(of.canonical(context).ok()?.variable))
        .collect();
    // What the first head follows may be followed by all: it is evaluated first in any case.
    let mut followed = BTreeSet::new();
    for part in root.parts.condition.iter() {
        pointers(part, &mut followed);
    }
    let mut all_run = true;
    for of in &nest.loops {
        // Where a loop around it has no iteration, it was not begun.
        let begun = all_run;
        all_run &= runs(context, of);
        let facts = &values.loops[of.index.0 as usize];
        let refused = |why: String| Err(Cause::new(why, of.stmt.origin));
        let canonical = of.canonical(context).map_err(Clone::clone)?;
        let name = name_of(context, canonical.variable);
        let fixed = |expr: &ferry_symbolic::Expr| values.symbols.invariant_in(expr, root.stmt.id);
        let trip = facts.trip.as_ref().map_err(Clone::clone)?;
        if !fixed(trip)
            || facts
                .inductions
                .iter()
                .any(|one| !fixed(&one.start) || !one.step().is_some_and(fixed))
        {
            return refused(format!(
                "the bounds of {name} depend on a loop around it, or change"
            ));
        }
        if !facts.early_exits.is_empty() {
            return refused(format!("the loop over {name} may be left early"));
        }
        if !facts.opaque.is_empty() {
            return refused(format!("the loop over {name} holds code that was not understood"));
        }
        let live = context
            .facts
            .scalars
            .get(&of.stmt.id)
            .is_none_or(|scalars| scalars.live_after.contains(&canonical.variable));
        if live && !canonical.declared_inside {
            return refused(format!("{name} is used after the loop"));
        }
        if context
            .unit
            .types
            .pointee(type_of(context, canonical.variable))
            .is_some()
        {
            return refused(format!("{name} is a pointer"));
        }
        if own.len() < nest.loops.len() {
            return refused("two loops have one variable".to_owned());
        }
        for part in of.parts.init.iter().chain(&of.parts.step) {
            if !matches!(
                part.kind,
                StmtKind::Assign { .. } | StmtKind::Declare { .. } | StmtKind::Block { .. } | StmtKind::Empty
            ) {
                return refused(format!("the head of the loop over {name} does more than count"));
            }
        }
        let mut safe = true;
        let mut ask = |expr: &Expr| safe &= cannot_fail(expr, &followed);
        of.parts.condition.iter().for_each(&mut ask);
        for part in of.parts.init.iter().chain(&of.parts.step) {
            part.walk(&mut |stmt| stmt.for_each_expression(&mut ask));
        }
        if !safe {
            return refused(format!(
                "evaluating the bounds of {name} could fail where it did not happen before"
            ));
        }
        let mut mentioned = mentioned(of.parts);
        mentioned.remove(&canonical.variable);
        // A name in a head must mean the same in another place.
        let hidden = mentioned.iter().find(|variable| {
            let name = name_of(context, **variable);
            own.iter()
                .any(|other| other != *variable && name_of(context, *other) == name)
        });
        if let Some(hidden) = hidden {
            let hidden = name_of(context, *hidden);
            return refused(format!(
                "the bounds of {name} are written with a {hidden} that another loop's variable hides"
            ));
        }
        if let Some(other) = mentioned.iter().find(|variable| own.contains(variable)) {
            let other = name_of(context, *other);
            return refused(format!("the bounds of {name} are written with {other}"));
        }
        if !begun && let Some(why) = may_not_end(context, of, canonical, &name) {
            return refused(why);
        }
        if of.parts.spans.is_none() {
            return refused(format!("the head of the loop over {name} comes out of a macro"));
        }
    }
    Ok(())
}

/// True if a loop certainly has an iteration.
fn runs(context: Context<'_>, of: &NestLoop<'_>) -> bool {
    let facts = &context.facts.values.loops[of.index.0 as usize];
    let before = &facts.before.facts;
    facts.trip.as_ref().is_ok_and(|trip| {
        before.prove(&Condition::positive(&numbers(
            &context.facts.values,
            before,
            trip,
        )))
    })
}

/// True if a bound of the nest is a sum that may be computed in another order where it was not before: that it does not overflow there is an assumption.
pub fn have_sums(context: Context<'_>, nest: &Nest<'_>) -> bool {
    let begun = nest.loops.iter().take_while(|of| runs(context, of)).count() + 1;
    let tests = nest
        .loops
        .iter()
        .skip(begun)
        .filter_map(|of| of.parts.condition.as_ref());
    let mut found = false;
    tests.for_each(|test| {
        test.walk(&mut |inner| {
            found |= matches!(inner.kind, ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, _, _))
        });
    });
    found
}

/// Why a loop, begun with any values of its variables, may not come to an end, or its bounds not be computed. Bounds are constants, or variables with
/// a constant added or subtracted: that these sums do not overflow is listed as an assumption ([`have_sums`]).
fn may_not_end(context: Context<'_>, of: &NestLoop<'_>, canonical: &Canonical, name: &str) -> Option<String> {
    let types = &context.unit.types;
    let test = of.parts.condition.as_ref()?;
    let ExprKind::Binary(comparison, left, right) = &test.kind else {
        return Some(format!("whether the loop over {name} ends is not known"));
    };
    let is_counter = |side: &Expr| mentions(side, canonical.variable);
    let (counter, bound, comparison) = match (is_counter(left), is_counter(right)) {
        (true, false) => (left, right, *comparison),
        (false, true) => (right, left, comparison.swapped()),
        _ => return Some(format!("whether the loop over {name} ends is not known")),
    };
    let own = types.size(type_of(context, canonical.variable));
    // Neither side may be widened before it is compared: a narrow counter never reaches a wide bound.
    let narrow =
        types.size(counter.ty) != own || types.size(bound.ty) != own || own.is_none_or(|bytes| bytes < 4);
    let constant = |expr: &Expr| uncast(expr).as_int().is_some();
    let facts = &context.facts.values.loops[of.index.0 as usize];
    let counted = trip(&context.facts.values, facts).is_some();
    if constant(bound) && constant(&canonical.lower) && counted {
        return None;
    }
    let (sum, lower) = (summand(bound), summand(&canonical.lower));
    let why = || {
        Some(format!(
            "the loop over {name} would be begun where {name} may never reach its bound, or the bound overflows"
        ))
    };
    if narrow || lower.is_none() {
        return why();
    }
    match (comparison, canonical.step, sum) {
        (BinaryOp::Lt, Some(1), Some(_)) | (BinaryOp::Gt, Some(-1), Some(_)) => None,
        // One below the greatest number at least.
        (BinaryOp::Le, Some(1), Some(added)) if added < 0 => None,
        (BinaryOp::Ge, Some(-1), Some(added)) if added > 0 => None,
        (BinaryOp::Le, Some(1), Some(_)) | (BinaryOp::Ge, Some(-1), Some(_)) if constant(bound) => None,
        _ => why(),
    }
}

fn mentions(expr: &Expr, variable: VariableRef) -> bool {
    let mut found = BTreeSet::new();
    ferry_ir::visit::expression_variables(expr, &mut found);
    found.contains(&variable)
}

fn uncast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => uncast(inner),
        _ => expr,
    }
}

/// The constant that is added in a constant, a variable, or a variable with a constant added or subtracted; `None` for anything else.
fn summand(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Load(_) => Some(0),
        ExprKind::Binary(BinaryOp::Add, a, b) if matches!(a.kind, ExprKind::Load(_)) => b.as_int(),
        ExprKind::Binary(BinaryOp::Sub, a, b) if matches!(a.kind, ExprKind::Load(_)) => {
            b.as_int().map(|value| -value)
        }
        _ => None,
    }
}

/// The pointer variables that an expression follows whenever it is evaluated.
fn pointers(expr: &Expr, found: &mut BTreeSet<VariableRef>) {
    match &expr.kind {
        ExprKind::Load(place) => {
            if let PlaceBase::Deref(pointer) = &place.base
                && let ExprKind::Load(inner) = &pointer.kind
            {
                found.extend(inner.as_variable());
            }
        }
        ExprKind::Binary(_, a, b) => {
            pointers(a, found);
            pointers(b, found);
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => pointers(a, found),
        _ => {}
    }
}

/// True if evaluating an expression has a value wherever the pointers in `followed` point to an object.
fn cannot_fail(expr: &Expr, followed: &BTreeSet<VariableRef>) -> bool {
    let mut safe = true;
    expr.walk(&mut |inner| {
        safe &= match &inner.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                let indexed = place.path.iter().any(|step| matches!(step, Projection::Index(_)));
                let base = match &place.base {
                    PlaceBase::Variable(_) => true,
                    PlaceBase::Deref(pointer) => match &pointer.kind {
                        ExprKind::Load(inner) => inner
                            .as_variable()
                            .is_some_and(|variable| followed.contains(&variable)),
                        _ => false,
                    },
                };
                !indexed && base
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr, _, by) => {
                by.as_int().is_some_and(|by| by > 0 && by < 32)
                    || matches!(inner.kind, ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, _))
                        && by.as_int().is_some_and(|by| by > 0)
            }
            ExprKind::Opaque { .. } => false,
            _ => true,
        };
    });
    safe
}
