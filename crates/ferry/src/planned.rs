//! What is known of each function of a unit, and what would be offloaded of it?
//!
//! All commands that plan go through the functions in one order: callers first, as what runs in a caller's kernel starts none itself.

use crate::names::Names;
use ferry_analysis::effects::Effects;
use ferry_analysis::verdict::{Detail, FunctionFacts};
use ferry_frontend::LoadedUnit;
use ferry_ir::{Function, FunctionRef, Unit};
use ferry_source::{FileId, Sources};
use ferry_transform::emit::Style;
use ferry_transform::existing::{Existing, callers_first};
use ferry_transform::links::Links;
use ferry_transform::plan::{Goals, Plan, Wanted, best};
use std::collections::BTreeSet;

/// How functions are planned.
#[derive(Clone, Copy)]
pub struct Wishes {
    /// How directives would be spelt.
    pub style: Style,
    /// What is offloaded.
    pub goals: Goals,
    /// How much is said of dependences.
    pub detail: Detail,
}

/// Visits each function that has a body and is wanted, with its facts and its plan. Returns the variables that are declared for the device.
pub fn each(
    loaded: &LoadedUnit,
    unit: &Unit,
    effects: &Effects,
    sources: &Sources,
    wishes: &Wishes,
    wanted: &dyn Fn(&Function) -> bool,
    visit: &mut dyn FnMut(FunctionRef, Names<'_>, Plan),
) -> Links {
    let declarations = loaded.declared();
    let mut links = Links::of(unit, &declarations, sources, wishes.style.version);
    let once = |links: &Links, take: &mut dyn FnMut(FunctionRef, FunctionFacts, Plan)| {
        let mut existing = Existing::of(unit, effects, &declarations, sources);
        for id in callers_first(unit) {
            let function = unit.function(id);
            if function.body.is_none() || !wanted(function) {
                continue;
            }
            let how = Wanted {
                goals: wishes.goals,
                style: &wishes.style,
                links,
            };
            let (facts, mut plan) = best(unit, id, effects, sources, how, wishes.detail);
            existing.withhold(unit, id, &facts, &mut plan);
            take(id, facts, plan);
        }
    };
    let mut give = |id: FunctionRef, facts: &FunctionFacts, plan: Plan| {
        let names = Names {
            unit,
            function: unit.function(id),
            facts,
            sources,
        };
        visit(id, names, plan);
    };
    if !links.may_be_declared() {
        once(&links, &mut |id, facts, plan| give(id, &facts, plan));
        return links;
    }
    // What a kernel needs declared, all kernels have to go by.
    loop {
        let mut planned = Vec::new();
        let mut needed = BTreeSet::new();
        once(&links, &mut |id, facts, plan| {
            let environments = plan.environments.iter();
            let kernels = environments.flat_map(|environment| &environment.kernels);
            kernels.for_each(|kernel| needed.extend(&kernel.links));
            planned.push((id, facts, plan));
        });
        if !links.declare(&needed) {
            planned
                .into_iter()
                .for_each(|(id, facts, plan)| give(id, &facts, plan));
            return links;
        }
    }
}

/// True if a function is written in one of these files.
pub fn is_in(function: &Function, wanted: &dyn Fn(FileId) -> bool) -> bool {
    function.origin.span().is_some_and(|span| wanted(span.file))
}
