//! What would be done to the nests of a unit, and what does it gain?

use super::processor;
use crate::input::Files;
use crate::names::Names;
use crate::planned::{self, Wishes};
use crate::report;
use ferry_analysis::effects::Effects;
use ferry_frontend::LoadedUnit;
use ferry_gpu::Gpu;
use ferry_ir::visit::Statements;
use ferry_ir::{FunctionRef, Stmt, StmtKind, Unit};
use ferry_transform::plan::Plan;
use ferry_transform::reshape::{self, Exchange, Nest, Processor, alternatives, mapped};

/// What the loops are put into order for.
pub enum Target {
    /// The warps of a GPU.
    Gpu(Gpu),
    /// The cores of a processor.
    Processor(Processor),
}

/// A change to one nest.
#[derive(Clone)]
pub struct Change {
    /// What is written.
    pub exchange: Exchange,
    /// What is done, and what it gains.
    pub message: String,
    /// What it rests on.
    pub assumptions: Vec<String>,
}

/// What would be done to a unit, in text order.
pub fn changes(
    wishes: &Wishes,
    target: &Target,
    files: &Files,
    number: usize,
    loaded: &LoadedUnit,
    unit: &Unit,
) -> Vec<Change> {
    let mut found = Vec::new();
    let sources = &files.sources;
    let effects = Effects::of_linked(unit, files.outside(number));
    let own = |file| file == unit.file;
    planned::each(
        loaded,
        unit,
        &effects,
        sources,
        wishes,
        &|function| planned::is_in(function, &own),
        &mut |id, names, plan| {
            found.extend(match target {
                Target::Gpu(gpu) => for_gpu(gpu, names, id, &plan),
                Target::Processor(processor) => processor::changes(names, id, *processor),
            });
        },
    );
    found.sort_by_key(|change| change.exchange.keyword.start);
    found
}

/// The directive of a nest, and what its schedule leaves open.
type Written<'a> = (&'a Stmt, Option<String>);

/// What would be done to the nests of a function for a GPU.
pub fn for_gpu(gpu: &Gpu, names: Names<'_>, id: FunctionRef, plan: &Plan) -> Vec<Change> {
    let mut found = Vec::new();
    let context = names.context();
    let statements = Statements::of(names.function);
    let planned = plan.environments.iter().flat_map(|one| &one.kernels);
    let mut nests: Vec<(Nest<'_>, usize, Option<Written<'_>>)> = planned
        .filter_map(|kernel| {
            let stmt = statements.get(names.facts.values.loops[kernel.index.0 as usize].stmt)?;
            Some((Nest::of(context, stmt), kernel.collapse, None))
        })
        .collect();
    // Costs are those of neighbouring iterations in neighbouring threads.
    let written = mapped(context).into_iter().filter(|one| one.mapping.chunk == 1);
    nests.extend(written.map(|one| {
        let together = one.mapping.lanes.len();
        (one.nest, together, Some((one.directive, one.taken)))
    }));
    for (nest, together, directive) in nests {
        found.extend(change(gpu, names, id, &nest, together, directive));
    }
    found
}

fn change(
    gpu: &Gpu,
    names: Names<'_>,
    id: FunctionRef,
    nest: &Nest<'_>,
    together: usize,
    directive: Option<Written<'_>>,
) -> Option<Change> {
    let context = names.context();
    let choices = {
        let accesses = reshape::shared_accesses(context, nest.loops.first()?.index);
        alternatives(context, nest, together, &accesses, gpu)?
    };
    let (chosen, profit) = choices.best(gpu)?;
    // Without a directive, how many loops run together is decided when one is written.
    if chosen.as_written && directive.is_none() {
        return None;
    }
    let mut exchange = reshape::exchange(names.unit, id, nest, &chosen.order, names.sources).ok()?;
    if let Some((stmt, _)) = directive
        && let StmtKind::Directive { directive: own, .. } = &stmt.kind
    {
        let order = exchange.order.clone();
        reshape::fits(context, own, nest, together, &order, chosen.together).ok()?;
        if chosen.together != together {
            exchange
                .edits
                .add(reshape::with_collapse(stmt, chosen.together, names.sources)?)
                .ok()?;
            exchange.collapse = Some((stmt.id, chosen.together));
        }
    }
    let message = report::advice(names, gpu, chosen, profit, &choices.present);
    let mut assumptions = report::compared_with(names, &choices.present.cost);
    if !chosen.as_written && reshape::have_sums(context, nest) {
        assumptions.push(
            "the bounds of its loops do not overflow where a loop around them has no iteration".to_owned(),
        );
    }
    if let Some((_, taken)) = directive {
        assumptions.extend(taken);
        let overlapping = nest
            .loops
            .iter()
            .flat_map(|of| &context.facts.verdicts[of.index.0 as usize].disjoint);
        let mut told: Vec<String> = overlapping
            .map(|(one, two)| {
                let (one, two) = (names.symbol(*one), names.symbol(*two));
                format!("{one} and {two} do not overlap in part: what the directive maps must not")
            })
            .collect();
        told.sort();
        told.dedup();
        assumptions.extend(told);
    }
    Some(Change {
        exchange,
        message,
        assumptions,
    })
}
