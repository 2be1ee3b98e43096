//! What would be done to the nests of a unit, what does it gain, and what would gain something and is not done?

use super::processor;
use crate::input::Files;
use crate::names::Names;
use crate::planned::{self, Wishes};
use crate::report;
use ferry_analysis::effects::Effects;
use ferry_analysis::symbols::Cause;
use ferry_frontend::LoadedUnit;
use ferry_gpu::Gpu;
use ferry_ir::visit::Statements;
use ferry_ir::{FunctionRef, Stmt, StmtKind, Unit};
use ferry_source::Span;
use ferry_transform::plan::Plan;
use ferry_transform::reshape::{
    self, Alternative, Alternatives, Exchange, Nest, Processor, Profit, alternatives, mapped,
};

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

/// A nest that stays as it is, though another order would gain something.
#[derive(Clone)]
pub struct Left {
    /// The keyword of its first loop.
    pub keyword: Span,
    /// What would gain something, and why it is not done.
    pub message: String,
}

/// What becomes of the nests of a unit.
#[derive(Clone, Default)]
pub struct Changes {
    /// What would be done.
    pub made: Vec<Change>,
    /// What would not.
    pub left: Vec<Left>,
}

impl Changes {
    /// Those of another function, too.
    pub fn extend(&mut self, other: Changes) {
        self.made.extend(other.made);
        self.left.extend(other.left);
    }

    /// Puts them in text order.
    pub fn sort(&mut self) {
        self.made.sort_by_key(|change| change.exchange.keyword.start);
        self.left.sort_by_key(|left| left.keyword.start);
    }
}

/// What would be done to a unit, in text order.
pub fn changes(
    wishes: &Wishes,
    target: &Target,
    files: &Files,
    number: usize,
    loaded: &LoadedUnit,
    unit: &Unit,
) -> Changes {
    let mut found = Changes::default();
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
            let of_function = match target {
                Target::Gpu(gpu) => for_gpu(gpu, names, id, &plan),
                Target::Processor(processor) => Changes {
                    made: processor::changes(names, id, *processor),
                    left: Vec::new(),
                },
            };
            found.extend(of_function);
        },
    );
    found.sort();
    found
}

/// The directive of a nest, and what its schedule leaves open.
type Written<'a> = (&'a Stmt, Option<String>);

/// What would be done to the nests of a function for a GPU.
pub fn for_gpu(gpu: &Gpu, names: Names<'_>, id: FunctionRef, plan: &Plan) -> Changes {
    let mut found = Changes::default();
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
    let written = mapped(context)
        .into_iter()
        .filter(|one| one.mapping.chunk == 1 && !one.alone);
    nests.extend(written.map(|one| {
        let together = one.mapping.lanes.len();
        (one.nest, together, Some((one.directive, one.taken)))
    }));
    for (nest, together, directive) in nests {
        let asked = Asked {
            gpu,
            names,
            id,
            nest: &nest,
            together,
            directive: directive.as_ref(),
        };
        match asked.answered() {
            Ok(change) => found.made.push(change),
            Err(left) => found.left.extend(left),
        }
    }
    found
}

/// One nest, of which so many loops run together.
struct Asked<'a> {
    gpu: &'a Gpu,
    names: Names<'a>,
    id: FunctionRef,
    nest: &'a Nest<'a>,
    together: usize,
    directive: Option<&'a Written<'a>>,
}

impl Asked<'_> {
    /// The best order that can be written, or why none is that would be better in something.
    fn answered(&self) -> Result<Change, Vec<Left>> {
        let context = self.names.context();
        let first = self.nest.loops.first().ok_or_else(Vec::new)?;
        let choices = {
            let accesses = reshape::shared_accesses(context, first.index);
            let choices = alternatives(context, self.nest, self.together, &accesses, self.gpu);
            choices.ok_or_else(Vec::new)?
        };
        let advice = |chosen, profit| report::advice(self.names, self.gpu, chosen, profit, &choices.present);
        let mut refused: Option<(String, Cause)> = None;
        for (chosen, profit) in choices.better(self.gpu) {
            // Without a directive, how many loops run together is decided when one is written.
            if chosen.as_written && self.directive.is_none() {
                return Err(Vec::new());
            }
            match self.exchange(chosen) {
                Ok(exchange) => {
                    return Ok(Change {
                        exchange,
                        message: advice(chosen, profit),
                        assumptions: self.assumptions(chosen, &choices.present),
                    });
                }
                Err(cause) => {
                    refused.get_or_insert_with(|| (gains(profit, &advice(chosen, profit)), cause));
                }
            }
        }
        Err(self.left(&choices, refused))
    }

    /// Why a nest stays as it is: what would be cheaper and cannot be done, and what would have more threads that find no room.
    fn left(&self, choices: &Alternatives, refused: Option<(String, Cause)>) -> Vec<Left> {
        let forbidden = || {
            let (one, cause) = choices.forbidden()?;
            let advice = report::advice(self.names, self.gpu, one, Profit::Requests, &choices.present);
            Some((gains(Profit::Requests, &advice), cause.clone()))
        };
        let better = refused.or_else(forbidden);
        let better = better.map(|(would, cause)| format!("{would}: {}", cause.why));
        // Without a directive, nobody chose how many loops run together.
        let more = choices.needless(self.gpu).filter(|_| self.directive.is_some());
        let more = more.map(|more| {
            format!(
                "{} would have more threads: {} holds {}, and there are {}",
                report::the_order(self.names, more),
                self.gpu.name,
                self.gpu.resident_threads(),
                choices.present.total.threads
            )
        });
        let first = self.nest.loops.first().map(|of| of.index.0 as usize);
        let keyword = first.and_then(|first| self.names.facts.values.loops[first].keyword);
        let left = better.into_iter().chain(more).filter_map(|message| {
            Some(Left {
                keyword: keyword?,
                message: format!("left as it is, though {message}"),
            })
        });
        left.collect()
    }

    fn exchange(&self, chosen: &Alternative) -> Result<Exchange, Cause> {
        let names = self.names;
        let mut exchange = reshape::exchange(names.unit, self.id, self.nest, &chosen.order, names.sources)?;
        if let Some((stmt, _)) = self.directive
            && let StmtKind::Directive { directive: own, .. } = &stmt.kind
        {
            let (context, order) = (names.context(), exchange.order.clone());
            reshape::fits(context, own, self.nest, self.together, &order, chosen.together)?;
            if chosen.together != self.together {
                let refused = || Cause::new("the text of its directive comes out of a macro", stmt.origin);
                let clause = reshape::with_collapse(stmt, chosen.together, names.sources);
                exchange
                    .edits
                    .add(clause.ok_or_else(refused)?)
                    .map_err(|error| Cause::new(error.to_string(), stmt.origin))?;
                exchange.collapse = Some((stmt.id, chosen.together));
            }
        }
        Ok(exchange)
    }

    fn assumptions(&self, chosen: &Alternative, present: &Alternative) -> Vec<String> {
        let (names, context) = (self.names, self.names.context());
        let mut found = report::compared_with(names, &present.cost);
        if !chosen.as_written && reshape::have_sums(context, self.nest) {
            found.push(
                "the bounds of its loops do not overflow where a loop around them has no iteration"
                    .to_owned(),
            );
        }
        if let Some((_, taken)) = self.directive {
            found.extend(taken.clone());
            let loops = self.nest.loops.iter();
            let overlapping = loops.flat_map(|of| &context.facts.verdicts[of.index.0 as usize].disjoint);
            let mut told: Vec<String> = overlapping
                .map(|(one, two)| {
                    let (one, two) = (names.symbol(*one), names.symbol(*two));
                    format!("{one} and {two} do not overlap in part: what the directive maps must not")
                })
                .collect();
            told.sort();
            told.dedup();
            found.extend(told);
        }
        found
    }
}

/// What another order would do, as the reason why one asks for it.
fn gains(profit: Profit, advice: &str) -> String {
    match profit {
        Profit::Requests => format!("cheaper would be {advice}"),
        Profit::Threads => format!("more threads would have {advice}"),
    }
}
