//! Which iterations do the directives that are there give to the threads of a warp?
//!
//! Those of the innermost loop directive in a kernel: `distribute` or `gang` around it shares iterations among teams, so that all threads of a warp are in
//! one. Inside of one that shares among threads (`for`, `vector`) there are none left: devices run a `parallel` there with one thread. `distribute`, `gang` or `worker` alone gives each iteration to one thread, whose neighbours in its warp have nothing to do. `simd` alone adds
//! nothing (clang 19 has one lane; gcc 12 shares what stands in the construct with it). A chunk in `schedule` counts if it is a number; what a schedule
//! leaves open is said.
//!
//! What it cannot do: kernels whose parallel region holds more than loops, functions that kernels call.

use super::nest::{Nest, NestLoop};
use crate::kernel::{Context, only_loop};
use ferry_analysis::coalescing::Mapping;
use ferry_directive::{Directive, Item, Language};
use ferry_ir::{Expr, Function, Stmt, StmtId, StmtKind};
use std::collections::BTreeSet;

/// A nest that directives run on a device.
pub struct Mapped<'a> {
    /// The directive before its first loop.
    pub directive: &'a Stmt,
    /// Its loops, as deep as the nest goes.
    pub nest: Nest<'a>,
    /// How they run.
    pub mapping: Mapping,
    /// One thread of each warp is at work: iterations are shared among teams (gangs, workers), and not among the threads of one.
    pub alone: bool,
    /// A loop around it is shared among teams (gangs): each of them runs this nest for iterations of its own.
    pub in_team: bool,
    /// What is taken for granted of that, if its `schedule` leaves something open.
    pub taken: Option<String>,
}

/// The nests of a function that run on a device by directives of their own.
pub fn mapped(context: Context<'_>) -> Vec<Mapped<'_>> {
    let mut found = Vec::new();
    if let Some(body) = &context.function.body {
        collect(context, body, false, &mut found);
    }
    found
}

/// The loops of a function that run on a device by directives around them, whether their iterations are shared or not.
pub fn on_device(function: &Function) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    function
        .body
        .iter()
        .for_each(|body| loops_on_device(body, false, &mut found));
    found
}

fn loops_on_device(stmt: &Stmt, inside: bool, found: &mut BTreeSet<StmtId>) {
    let inside = match &stmt.kind {
        StmtKind::Directive { directive, .. } => inside || directive.is_target_construct(),
        StmtKind::Loop(_) if inside => found.insert(stmt.id) || inside,
        _ => inside,
    };
    stmt.for_each_child(&mut |child| loops_on_device(child, inside, found));
}

fn collect<'a>(context: Context<'a>, stmt: &'a Stmt, on_device: bool, found: &mut Vec<Mapped<'a>>) {
    let StmtKind::Directive {
        directive,
        body: Some(body),
    } = &stmt.kind
    else {
        stmt.for_each_child(&mut |child| collect(context, child, on_device, found));
        return;
    };
    // One thread runs what is serial.
    let serial = directive.language == Language::OpenAcc && directive.has_leaf("serial");
    let on_device = (on_device || directive.is_target_construct()) && !serial;
    let shares = on_device && shares(directive);
    let before = found.len();
    if !(shares && takes_all_threads(directive)) {
        collect(context, body, on_device, found);
    }
    match found.get_mut(before..) {
        Some(inside) if shares && !inside.is_empty() => inside.iter_mut().for_each(|one| one.in_team = true),
        _ if shares => found.extend(behind(context, stmt, directive, body)),
        _ => {}
    }
}

/// True if no threads are left for directives inside of this one, which shares iterations.
fn takes_all_threads(directive: &Directive<Expr>) -> bool {
    match directive.language {
        Language::OpenMp => directive.has_leaf("for"),
        Language::OpenAcc => directive.has_clause("vector"),
    }
}

/// True if the directive shares the iterations of loops among threads.
pub(super) fn shares(directive: &Directive<Expr>) -> bool {
    match directive.language {
        Language::OpenMp => {
            let shared = ["for", "loop", "distribute"];
            shared.iter().any(|leaf| directive.has_leaf(leaf)) && !binds_to(directive, "thread")
        }
        Language::OpenAcc => {
            directive.has_leaf("loop") && !directive.has_clause("seq") && !directive.has_clause("auto")
        }
    }
}

/// The nest behind a directive that shares its iterations, if it has as many loops as the directive takes.
pub(super) fn behind<'a>(
    context: Context<'_>,
    stmt: &'a Stmt,
    directive: &Directive<Expr>,
    body: &'a Stmt,
) -> Option<Mapped<'a>> {
    let nest = Nest::of(context, only_loop(body)?);
    let together = match directive.value("collapse") {
        Some(count) => usize::try_from(count.as_int()?).ok()?,
        None => 1,
    };
    let lanes: Vec<_> = nest
        .loops
        .iter()
        .take(together)
        .map(|of: &NestLoop<'_>| of.index)
        .collect();
    if lanes.len() < together {
        return None;
    }
    let mut mapping = Mapping::of(lanes)?;
    mapping.chunk = chunk(directive).unwrap_or(1);
    Some(Mapped {
        directive: stmt,
        nest,
        mapping,
        alone: is_alone(directive),
        in_team: false,
        taken: taken(directive).or_else(|| left_to_the_compiler(directive, body)),
    })
}

/// True for a `loop` that says so to what it binds.
fn binds_to(directive: &Directive<Expr>, what: &str) -> bool {
    let mut clauses = directive.clauses_named("bind");
    clauses.any(|clause| {
        clause
            .items()
            .iter()
            .any(|item| matches!(item, Item::Word(word) if word == what))
    })
}

/// What directives leave to the compiler, and is taken to be done in the usual way.
fn left_to_the_compiler(directive: &Directive<Expr>, body: &Stmt) -> Option<String> {
    match directive.language {
        Language::OpenMp => (directive.has_leaf("loop") && !directive.has_leaf("parallel")).then(|| {
            "the compiler shares the iterations of `loop` among the threads of each team".to_owned()
        }),
        Language::OpenAcc => {
            has_auto(body).then(|| "each thread runs the loops under `auto` inside by itself".to_owned())
        }
    }
}

fn has_auto(stmt: &Stmt) -> bool {
    let mut found =
        matches!(&stmt.kind, StmtKind::Directive { directive, .. } if directive.has_clause("auto"));
    stmt.for_each_child(&mut |child| found |= has_auto(child));
    found
}

/// True if the directive shares iterations, but not among the threads of a warp.
fn is_alone(directive: &Directive<Expr>) -> bool {
    match directive.language {
        Language::OpenMp => {
            directive.has_leaf("distribute")
                && !["for", "loop", "simd"]
                    .iter()
                    .any(|leaf| directive.has_leaf(leaf))
        }
        // Without any of the three the compiler chooses.
        Language::OpenAcc => {
            ["gang", "worker"].iter().any(|level| directive.has_clause(level))
                && !directive.has_clause("vector")
        }
    }
}

fn chunk(directive: &Directive<Expr>) -> Option<u32> {
    let schedule = directive.clauses_named("schedule").next()?;
    schedule.items().iter().find_map(|item| match item {
        Item::Value(value) => u32::try_from(value.as_int()?).ok().filter(|chunk| *chunk > 0),
        _ => None,
    })
}

/// What a `schedule` leaves open about the iterations of neighbouring threads.
fn taken(directive: &Directive<Expr>) -> Option<String> {
    let items = directive.clauses_named("schedule").next()?.items();
    let kind = items.iter().find_map(|item| match item {
        Item::Word(word) => Some(word.as_str()),
        _ => None,
    })?;
    let has_chunk = items.iter().any(|item| matches!(item, Item::Value(_)));
    match (kind, has_chunk) {
        ("static", false) => Some(
            "there are as many threads as iterations: to fewer, schedule(static) gives blocks of iterations"
                .to_owned(),
        ),
        ("static", true) if chunk(directive).is_none() => Some("the chunk of the schedule is 1".to_owned()),
        ("static", true) => None,
        (kind, _) => Some(format!(
            "neighbouring threads take iterations one after the other, which schedule({kind}) leaves open"
        )),
    }
}
