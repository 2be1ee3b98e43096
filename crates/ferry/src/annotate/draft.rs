//! What would be written into one unit? Plans every function and collects what can be edited, with reasons for the rest.
//!
//! The result holds nothing that belongs to the analysis, so it may leave the thread on which the unit was analysed.

use super::routines;
use crate::names::Names;
use ferry_analysis::effects::Effects;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::{Detail, FunctionFacts, Kind};
use ferry_frontend::LoadedUnit;
use ferry_ir::Unit;
use ferry_source::{Edit, Origin, Preprocessor, Sources, Span};
use ferry_transform::emit::{self, Style};
use ferry_transform::environment::Environment;
use ferry_transform::existing::Existing;
use ferry_transform::kernel::Context;
use ferry_transform::plan::{Goals, best};
use ferry_transform::reread::{self, Intended};
use std::collections::{BTreeMap, BTreeSet};

/// A data environment that can be written.
pub struct Proposal {
    /// The text from its first to its last statement.
    pub span: Span,
    /// What is written, and where kernels are meant to be.
    pub intended: Intended,
    /// The functions that its kernels call, which must be declared for the device.
    pub declarations: Vec<Edit>,
    /// The text needs `uintptr_t`.
    pub uintptr: bool,
    /// What it rests on beyond the program text.
    pub assumptions: Vec<String>,
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
pub fn draft(loaded: &LoadedUnit, sources: &Sources, style: &Style, goals: Goals) -> Draft {
    let mut draft = Draft::default();
    let Ok(unit) = &loaded.unit else { return draft };
    let preprocessor = Preprocessor::new(sources.bytes(unit.file));
    let effects = Effects::of_unit(unit);
    let existing = Existing::of(unit, &effects, &loaded.declared(), sources);
    for (id, function) in unit.functions() {
        // What is not in this file is not edited with it, and has its own report.
        let here = function.origin.span().is_some_and(|span| span.file == unit.file);
        if function.body.is_none() || !here {
            continue;
        }
        let (facts, mut plan) = best(unit, id, &effects, sources, goals, style, Detail::First);
        existing.withhold(id, &facts, &mut plan);
        let context = Context {
            unit,
            function,
            facts: &facts,
        };
        let copies = reread::fallbacks(unit, function);
        for environment in std::mem::take(&mut plan.environments) {
            match propose(
                context,
                loaded,
                sources,
                &preprocessor,
                &environment,
                style,
                &copies,
            ) {
                Ok(proposal) => draft.proposals.push(proposal),
                Err(reason) => refuse(&facts, &mut plan.offloaded, &environment, &reason),
            }
        }
        record(unit, &facts, &plan.offloaded, &function.name, &mut draft);
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
    if copies.iter().any(|copy| copy.contains(environment.span)) {
        return Err(Reason::new(
            "it runs where a condition that was written before does not hold",
            at,
        ));
    }
    let edits = emit::edits(context, sources, environment, style)
        .map_err(|cause| Reason::new(cause.why, cause.at))?;
    edits
        .check(context.unit.file, preprocessor)
        .map_err(|error| Reason::new(format!("it cannot be written there: {error}"), at))?;
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
        for function in called {
            let before = context.function.origin.span().map_or(0, |span| span.start);
            let edits =
                routines::declaration(loaded, context.unit, sources, function, style.version, before)?;
            declarations.extend(edits);
        }
    }
    Ok(Proposal {
        declarations,
        span: environment.span,
        uintptr: emit::needs_uintptr(environment),
        assumptions: assumptions(context, sources, environment),
        intended: Intended {
            edits,
            kernels,
            conditional: environment.is_conditional(),
        },
    })
}

/// What the kernels rest on beyond the program text.
fn assumptions(context: Context<'_>, sources: &Sources, environment: &Environment) -> Vec<String> {
    let names = Names {
        unit: context.unit,
        function: context.function,
        facts: context.facts,
        sources,
    };
    let mut found = Vec::new();
    for kernel in &environment.kernels {
        let verdict = &context.facts.verdicts[kernel.index.0 as usize];
        for reduction in verdict.reductions.iter().filter(|reduction| reduction.floating) {
            let name = reduction.variable.map_or_else(
                || {
                    names
                        .text(reduction.at)
                        .unwrap_or_else(|| "an element".to_owned())
                },
                |variable| names.variable(variable),
            );
            found.push(format!(
                "floating-point operations on {name} may be done in another order"
            ));
        }
    }
    found.extend(values_of_this_build(context, sources, environment));
    found.dedup();
    found
}

/// Constants that were taken by their values, though the text has names for them. Bounds are written by those names
/// where that finds as much; otherwise what is written is right for these values only.
fn values_of_this_build(
    context: Context<'_>,
    sources: &Sources,
    environment: &Environment,
) -> Option<String> {
    let symbols = &context.facts.values.symbols;
    if symbols
        .iter()
        .any(|info| matches!(info.kind, SymbolKind::Named { .. }))
    {
        return None;
    }
    let bytes = sources.bytes(environment.span.file);
    let preprocessor = Preprocessor::new(bytes);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // Of a constant its name, of any other macro what it stands for.
    let mut constants = BTreeSet::new();
    let mut others: BTreeMap<&[u8], Vec<&[u8]>> = BTreeMap::new();
    for line in preprocessor
        .lines()
        .iter()
        .filter(|line| line.keyword == "define")
    {
        let text = bytes
            .get(line.hash as usize..line.end as usize)
            .unwrap_or_default();
        let behind = text
            .windows(6)
            .position(|window| window == b"define")
            .map_or(&[][..], |at| &text[at + 6..]);
        let behind = behind.trim_ascii_start();
        let length = behind.iter().take_while(|byte| is_word(byte)).count();
        let (name, rest) = behind.split_at(length);
        // A macro with parameters, or without a value, is no constant.
        let value = rest.trim_ascii();
        let constant = value
            .first()
            .is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'(' | b'-'));
        if !rest.starts_with(b"(") && constant {
            constants.insert(name);
        } else {
            others.entry(name).or_default().push(rest);
        }
    }
    let mut used: Vec<String> = Vec::new();
    let mut texts = vec![sources.text(environment.span)];
    while let Some(text) = texts.pop() {
        for word in text.split(|byte| !is_word(byte)) {
            let name = String::from_utf8_lossy(word).into_owned();
            if constants.contains(word) && !used.contains(&name) {
                used.push(name);
            }
            texts.extend(others.remove(word).unwrap_or_default());
        }
    }
    let verb = if used.len() == 1 {
        "has the value"
    } else {
        "have the values"
    };
    (!used.is_empty()).then(|| format!("{} {verb} of this build", used.join(", ")))
}

type Offloaded =
    std::collections::BTreeMap<ferry_analysis::loops::LoopIndex, Result<(), ferry_analysis::symbols::Cause>>;

/// The loops of an environment that is not written do not run on the device.
fn refuse(facts: &FunctionFacts, offloaded: &mut Offloaded, environment: &Environment, reason: &Reason) {
    let at = reason.at.map_or(Origin::New, Origin::Expanded);
    for (index, outcome) in offloaded.iter_mut() {
        let mut current = Some(*index);
        while let Some(one) = current {
            if environment.kernels.iter().any(|kernel| kernel.index == one) {
                *outcome = Err(ferry_analysis::symbols::Cause::new(reason.why.clone(), at));
                break;
            }
            current = facts.values.loops.get(one.0 as usize).and_then(|of| of.parent);
        }
    }
}

fn record(unit: &Unit, facts: &FunctionFacts, offloaded: &Offloaded, function: &str, draft: &mut Draft) {
    let is_parallel = |number: usize| {
        facts
            .verdicts
            .get(number)
            .is_some_and(|verdict| matches!(verdict.kind, Kind::Parallel | Kind::ParallelIf))
    };
    for (number, of) in facts.values.loops.iter().enumerate() {
        let Some(keyword) = of.keyword.filter(|keyword| keyword.file == unit.file) else {
            continue;
        };
        draft.loops += 1;
        if !is_parallel(number) {
            continue;
        }
        let index = ferry_analysis::loops::LoopIndex(number as u32);
        let outcome = match offloaded.get(&index) {
            Some(Ok(())) => Ok(()),
            Some(Err(cause)) => Err(Reason::new(cause.why.clone(), cause.at)),
            None => Err(Reason::new("it was not looked at", of.origin)),
        };
        let mut parent = of.parent;
        let mut inside_parallel = false;
        while let Some(one) = parent {
            inside_parallel |= is_parallel(one.0 as usize);
            parent = facts.values.loops.get(one.0 as usize).and_then(|of| of.parent);
        }
        draft.parallel.push(LoopPlan {
            keyword,
            function: function.to_owned(),
            offloaded: outcome,
            inside_parallel,
        });
    }
}
