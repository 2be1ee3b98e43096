//! Which parallel loop inside does each thread of a kernel run alone, and what keeps the two loops apart?
//!
//! Loops run together where nothing lies between their heads. Juravle (§4.1, figure 4.1) moves what lies there into the inner loop, and calls that
//! always safe. It is not: `mean[i] /= n` would be done once for each iteration of the inner loop. What can be moved must be pure, private and idempotent: the
//! assignment of a value to a variable that each iteration has for itself, from nothing that the nest changes. Only what stands in front of the inner loop is
//! looked at; a direct child, and the only loop on its level.

use crate::kernel::Context;
use ferry_analysis::loops::LoopIndex;
use ferry_ir::visit::{assigned_variables, expression_variables};
use ferry_ir::{Expr, ExprKind, PlaceBase, Stmt, StmtKind};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// A parallel loop that each thread runs alone.
#[derive(Clone, Debug)]
pub struct Alone {
    /// The loop.
    pub inner: LoopIndex,
    /// Why.
    pub why: WhyAlone,
    /// There are many threads without it.
    pub enough: bool,
}

impl Alone {
    /// True where nobody would want the loops together.
    pub fn is_by_choice(&self) -> bool {
        self.enough || matches!(self.why, WhyAlone::Reduces)
    }
}

/// Why two loops do not run together.
#[derive(Clone, Debug)]
pub enum WhyAlone {
    /// The inner one sums up.
    Reduces,
    /// How often the inner one runs depends on the outer one.
    Bounds,
    /// There are several loops in the outer one.
    Several,
    /// Statements lie between the heads, or behind the inner loop.
    Between(Vec<Between>),
    /// What one of them needs: conditions, last values.
    Other,
}

/// A statement beside the inner loop.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// Where.
    pub at: Origin,
    /// It could be done in each iteration of the inner loop.
    pub movable: bool,
}

/// The parallel loop that is a direct child of the body of a kernel's innermost loop, if there is one. `enough`: there are many threads already.
pub fn alone(context: Context<'_>, body: &Stmt, outer: LoopIndex, enough: bool) -> Option<Alone> {
    let mut children = Vec::new();
    flatten(body, &mut children);
    let loops: Vec<(usize, LoopIndex)> = children
        .iter()
        .enumerate()
        .filter_map(|(position, child)| {
            let loops = &context.facts.values.loops;
            let found = loops.iter().position(|of| of.stmt == child.id && of.is_own())?;
            Some((position, LoopIndex(found as u32)))
        })
        .collect();
    let is_parallel = |index: LoopIndex| context.facts.verdicts[index.0 as usize].is_free();
    let (position, inner) = *loops.iter().find(|(_, index)| is_parallel(*index))?;
    let of = &context.facts.values.loops[inner.0 as usize];
    let outer = &context.facts.values.loops[outer.0 as usize];
    let verdict = &context.facts.verdicts[inner.0 as usize];
    let symbols = &context.facts.values.symbols;
    let why = if !verdict.reductions.is_empty() {
        WhyAlone::Reduces
    } else if loops.len() > 1 {
        WhyAlone::Several
    } else if children.len() > 1 {
        let own = children
            .iter()
            .enumerate()
            .filter(|(at, child)| *at != position && !is_nothing(child));
        let between = own.map(|(at, child)| Between {
            at: child.origin,
            movable: at < position && is_movable(context, child, body, outer.stmt),
        });
        WhyAlone::Between(between.collect())
    } else if !of
        .trip
        .as_ref()
        .is_ok_and(|trip| symbols.invariant_in(trip, outer.stmt))
    {
        WhyAlone::Bounds
    } else {
        WhyAlone::Other
    };
    Some(Alone { inner, why, enough })
}

/// The statements of a body, blocks taken apart.
fn flatten<'a>(stmt: &'a Stmt, into: &mut Vec<&'a Stmt>) {
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().for_each(|one| flatten(one, into)),
        _ => into.push(stmt),
    }
}

fn is_nothing(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Declare { .. } | StmtKind::Empty)
}

/// Pure, private and idempotent.
fn is_movable(context: Context<'_>, stmt: &Stmt, body: &Stmt, of: ferry_ir::StmtId) -> bool {
    let StmtKind::Assign { place, value } = &stmt.kind else {
        return false;
    };
    let Some(variable) = place.as_variable() else {
        return false;
    };
    let loops = &context.facts.values.loops;
    let verdict = loops
        .iter()
        .position(|one| one.stmt == of)
        .map(|position| &context.facts.verdicts[position]);
    let private = verdict
        .is_some_and(|verdict| verdict.inside.contains(&variable) || verdict.private.contains(&variable));
    // Set once, here, and from what nothing in the nest sets.
    let mut writes = 0;
    body.walk(&mut |one| writes += usize::from(one.written_place().is_some_and(|at| at.base == place.base)));
    let mut names = BTreeSet::new();
    expression_variables(value, &mut names);
    private && writes == 1 && names.is_disjoint(&assigned_variables(body)) && !reads_memory(value)
}

/// True if it loads anything but whole variables: the nest may change what it loads.
fn reads_memory(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= match &inner.kind {
            ExprKind::Load(place) => {
                matches!(place.base, PlaceBase::Deref(_)) || !place.path.is_empty() || place.volatile
            }
            ExprKind::Opaque { .. } => true,
            _ => false,
        };
    });
    found
}
