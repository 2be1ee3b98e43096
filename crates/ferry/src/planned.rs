//! What is known of each function of a unit, and what would be offloaded of it?
//!
//! All commands that plan go through the functions in one order: callers first, as what runs in a caller's kernel starts none itself.

use crate::names::Names;
use ferry_analysis::effects::Effects;
use ferry_analysis::verdict::Detail;
use ferry_frontend::LoadedUnit;
use ferry_ir::{Function, FunctionRef, Unit};
use ferry_source::{FileId, Sources};
use ferry_transform::emit::Style;
use ferry_transform::existing::{Existing, callers_first};
use ferry_transform::plan::{Goals, Plan, best};

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

/// Visits each function that has a body and is wanted, with its facts and its plan.
pub fn each(
    loaded: &LoadedUnit,
    unit: &Unit,
    effects: &Effects,
    sources: &Sources,
    wishes: &Wishes,
    wanted: &dyn Fn(&Function) -> bool,
    visit: &mut dyn FnMut(FunctionRef, Names<'_>, Plan),
) {
    let mut existing = Existing::of(unit, &loaded.declared(), sources);
    for id in callers_first(unit) {
        let function = unit.function(id);
        if function.body.is_none() || !wanted(function) {
            continue;
        }
        let (goals, style) = (wishes.goals, &wishes.style);
        let (facts, mut plan) = best(unit, id, effects, sources, goals, style, wishes.detail);
        existing.withhold(unit, id, &facts, &mut plan);
        let names = Names {
            unit,
            function,
            facts: &facts,
            sources,
        };
        visit(id, names, plan);
    }
}

/// True if a function is written in one of these files.
pub fn is_in(function: &Function, wanted: &dyn Fn(FileId) -> bool) -> bool {
    function.origin.span().is_some_and(|span| wanted(span.file))
}
