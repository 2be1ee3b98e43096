//! What would be written into one unit? Plans every function and collects what can be edited, with reasons for the rest.
//!
//! The result holds nothing that belongs to the analysis, so it may leave the thread on which the unit was analysed.

use super::{routines, unbounded};
use crate::assumptions;
use crate::names::Names;
use crate::planned::{self, Wishes};
use crate::report::started;
use ferry_analysis::effects::{Effects, linked::Outside};
use ferry_analysis::verdict::{FunctionFacts, Verdict};
use ferry_frontend::LoadedUnit;
use ferry_ir::{GlobalId, Unit};
use ferry_source::{Edit, Edits, Origin, Preprocessor, Sources, Span};
use ferry_transform::emit::{self, Style};
use ferry_transform::environment::Environment;
use ferry_transform::fitness;
use ferry_transform::kernel::Context;
use ferry_transform::links::named;
use ferry_transform::meaning;
use ferry_transform::reread::{self, Intended};
use std::collections::{BTreeMap, BTreeSet};

/// A data environment that can be written.
pub struct Proposal {
    /// The text from its first to its last statement.
    pub span: Span,
    /// What is written, and where kernels are meant to be.
    pub intended: Intended,
    /// What is written if that is not the intended program: longer, as it tests whether anything is touched.
    pub guarded: Option<Intended>,
    /// The functions that its kernels call, which must be declared for the device.
    pub declarations: Vec<Edit>,
    /// The variables that these functions use, by the place of the directive that declares them.
    pub links: BTreeMap<u32, BTreeSet<String>>,
    /// The text needs `uintptr_t`.
    pub uintptr: bool,
    /// What it rests on beyond the program text.
    pub assumptions: Vec<String>,
    /// Kernels of it that are started again and again.
    pub launches: Vec<Repeated>,
}

/// A kernel of which something is to be said: it is inside a loop that stays on the host, or not for every compiler.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// Its keyword.
    pub keyword: Span,
    /// How often it is started, and what is copied each time; or who makes it.
    pub message: String,
}

/// Why something is not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// In plain words.
    pub why: String,
    /// The place to blame.
    pub at: Option<Span>,
}

impl Reason {
    fn new(why: impl Into<String>, at: Origin) -> Reason {
        Reason {
            why: why.into(),
            at: at.span(),
        }
    }
}

/// A loop that may run in parallel, and whether it runs on the device.
pub struct LoopPlan {
    /// Place of the keyword.
    pub keyword: Span,
    /// Name of the function.
    pub function: String,
    /// Why it does not.
    pub offloaded: Result<(), Reason>,
    /// The pointer of which it would help to know how much storage it leads to, as it is written.
    pub unbounded: Option<String>,
    /// It is inside a loop that may run in parallel too.
    pub inside_parallel: bool,
}

/// What would be written into one unit.
#[derive(Default)]
pub struct Draft {
    /// In text order.
    pub proposals: Vec<Proposal>,
    /// The parallel loops, in text order.
    pub parallel: Vec<LoopPlan>,
    /// How many loops there are.
    pub loops: usize,
}

/// Drafts one unit; one that has errors is left alone.
pub fn draft(loaded: &LoadedUnit, outside: &Outside, sources: &Sources, wishes: &Wishes) -> Draft {
    let mut draft = Draft::default();
    let Ok(unit) = &loaded.unit else { return draft };
    let preprocessor = sources.preprocessor(unit.file);
    let effects = Effects::of_linked(unit, outside);
    let style = &wishes.style;
    // What is not in this file is not edited with it, and has its own report.
    let own = |file| file == unit.file;
    let mut linked: Vec<BTreeSet<GlobalId>> = Vec::new();
    let links = planned::each(
        loaded,
        unit,
        &effects,
        sources,
        wishes,
        &|function| planned::is_in(function, &own),
        &mut |_, names, mut plan| {
            let context = names.context();
            let copies = reread::fallbacks(unit, names.function);
            for environment in std::mem::take(&mut plan.environments) {
                match propose(
                    context,
                    loaded,
                    sources,
                    preprocessor,
                    &environment,
                    style,
                    &copies,
                ) {
                    Ok(proposal) => {
                        draft.proposals.push(proposal);
                        let kernels = environment.kernels.iter();
                        linked.push(kernels.flat_map(|kernel| &kernel.links).copied().collect());
                    }
                    Err(reason) => refuse(names.facts, &mut plan.offloaded, &environment, &reason),
                }
            }
            record(unit, names, &plan.offloaded, &mut draft);
        },
    );
    for (proposal, ids) in draft.proposals.iter_mut().zip(linked) {
        for id in ids {
            // A kernel that uses one that has no place was not planned.
            let Ok(at) = links.place(id) else { continue };
            let names = proposal.links.entry(at).or_default();
            names.insert(unit.global(id).name.clone());
        }
    }
    draft
        .proposals
        .sort_by_key(|proposal| (proposal.span.start, proposal.span.end));
    draft
        .parallel
        .sort_by_key(|one| (one.keyword.file, one.keyword.start));
    draft
}

fn propose(
    context: Context<'_>,
    loaded: &LoadedUnit,
    sources: &Sources,
    preprocessor: &Preprocessor,
    environment: &Environment,
    style: &Style,
    copies: &[Span],
) -> Result<Proposal, Reason> {
    let at = Origin::Text(environment.span);
    if environment.span.file != context.unit.file {
        return Err(Reason::new("it is in a header", at));
    }
    // A template that is included several times, with other macros: each of its functions would write into it.
    let place = context.function.origin.span();
    let mut others = context.unit.functions.iter();
    let is_of_text = |other: &ferry_ir::Function| {
        other.name != context.function.name && other.body.is_some() && other.origin.span() == place
    };
    if place.is_some() && others.any(is_of_text) {
        return Err(Reason::new("its text is that of several functions", at));
    }
    if copies.iter().any(|copy| copy.contains(environment.span)) {
        return Err(Reason::new(
            "it runs where a condition that was written before does not hold",
            at,
        ));
    }
    let edits = edits_of(context, sources, preprocessor, environment, style)?;
    if preprocessor.crosses(environment.span.start, environment.span.end) {
        return Err(Reason::new(
            "it begins and ends in different branches of an #if",
            at,
        ));
    }
    let loops = &context.facts.values.loops;
    let kernels = environment
        .kernels
        .iter()
        .map(|kernel| {
            let facts = &loops[kernel.index.0 as usize];
            facts
                .keyword
                .ok_or_else(|| Reason::new("the loop's keyword has no place in the text", facts.origin))
        })
        .collect::<Result<Vec<Span>, Reason>>()?;
    let mut declarations = Vec::new();
    if routines::are_declared(style.version) {
        let called = routines::called(context.unit, context.function, context.facts, environment);
        for function in &called {
            let before = routines::first_use(context.unit, context.function, &called, *function);
            let body = context.unit.function(*function).body.as_ref();
            let uses = body.is_some_and(|body| {
                !named(body).is_empty() || !ferry_transform::called::globals(context.unit, body).is_empty()
            });
            let kind = (style.version, uses && environment.is_for_clang());
            let edits = routines::declaration(loaded, context.unit, sources, *function, kind, before)?;
            declarations.extend(edits);
        }
    }
    let meant = |environment: &Environment| meaning::of(context, environment, style.version);
    let meaning =
        meant(environment).ok_or_else(|| Reason::new("what its directives mean could not be checked", at))?;
    let conditional = environment.is_conditional();
    let guarded = environment.guarded(context).and_then(|environment| {
        Some(Intended {
            edits: edits_of(context, sources, preprocessor, &environment, style).ok()?,
            kernels: kernels.clone(),
            conditional,
            meaning: meant(&environment)?,
        })
    });
    let names = Names {
        unit: context.unit,
        function: context.function,
        facts: context.facts,
        sources,
    };
    Ok(Proposal {
        declarations,
        links: BTreeMap::new(),
        span: environment.span,
        uintptr: emit::needs_uintptr(environment),
        assumptions: assumptions::of_environment(names, environment),
        launches: repeated(names, environment),
        intended: Intended {
            edits,
            kernels,
            conditional,
            meaning,
        },
        guarded,
    })
}

/// What is written for an environment.
fn edits_of(
    context: Context<'_>,
    sources: &Sources,
    preprocessor: &Preprocessor,
    environment: &Environment,
    style: &Style,
) -> Result<Edits, Reason> {
    let at = Origin::Text(environment.span);
    let edits = emit::edits(context, sources, environment, style)
        .map_err(|cause| Reason::new(cause.why, cause.at))?;
    edits
        .check(context.unit.file, preprocessor)
        .map_err(|error| Reason::new(format!("it cannot be written there: {error}"), at))?;
    Ok(edits)
}

/// The kernels of an environment around which loops are left on the host.
fn repeated(names: Names<'_>, environment: &Environment) -> Vec<Repeated> {
    let loops = &names.facts.values.loops;
    let kernels = environment.kernels.iter().filter_map(|kernel| {
        let launches = fitness::launches(names.context(), kernel.index, environment)?;
        Some(Repeated {
            keyword: loops[kernel.index.0 as usize].keyword?,
            message: started(names, &launches),
        })
    });
    let linked = environment.kernels.iter().filter(|_| environment.is_for_clang());
    let linked = linked.filter_map(|kernel| {
        Some(Repeated {
            keyword: loops[kernel.index.0 as usize].keyword?,
            message: "only clang makes a kernel of it: it, or one with the same data, calls functions that use variables of the file, and gcc 12 takes one variable of `declare target link` for another on NVIDIA's GPUs".to_owned(),
        })
    });
    kernels.chain(linked).collect()
}

type Offloaded = BTreeMap<ferry_analysis::loops::LoopIndex, Result<(), ferry_analysis::symbols::Cause>>;

/// The loops of an environment that is not written do not run on the device.
fn refuse(facts: &FunctionFacts, offloaded: &mut Offloaded, environment: &Environment, reason: &Reason) {
    let at = reason.at.map_or(Origin::New, Origin::Expanded);
    for (index, outcome) in offloaded.iter_mut() {
        if environment.runs_in_kernel(&facts.values, *index) {
            *outcome = Err(ferry_analysis::symbols::Cause::new(reason.why.clone(), at));
        }
    }
}

fn record(unit: &Unit, names: Names<'_>, offloaded: &Offloaded, draft: &mut Draft) {
    let facts = names.facts;
    // What is inside of a loop that would have to combine copies of sections is looked at by itself.
    let is_free = |number: usize| facts.verdicts.get(number).is_some_and(Verdict::is_free);
    for (number, of) in facts.values.loops.iter().enumerate() {
        let here = |keyword: &Span| of.is_own() && keyword.file == unit.file;
        let Some(keyword) = of.keyword.filter(here) else {
            continue;
        };
        draft.loops += 1;
        if !facts.verdicts.get(number).is_some_and(Verdict::is_parallel) {
            continue;
        }
        let index = ferry_analysis::loops::LoopIndex(number as u32);
        let outcome = match offloaded.get(&index) {
            Some(Ok(())) => Ok(()),
            Some(Err(cause)) => Err(Reason::new(cause.why.clone(), cause.at)),
            None => Err(Reason::new("it was not looked at", of.origin)),
        };
        let mut around = facts.values.enclosing(index).skip(1);
        let inside_parallel = around.any(|one| is_free(one.0 as usize));
        draft.parallel.push(LoopPlan {
            keyword,
            function: names.function.name.clone(),
            unbounded: match offloaded.get(&index) {
                Some(Err(cause)) => unbounded::pointer(names, cause),
                _ => None,
            },
            offloaded: outcome,
            inside_parallel,
        });
    }
}
