//! Which `collapse` of a directive hurts on a processor, and how many loops should run together there?
//!
//! A processor wants the opposite of a GPU (IPDA §8.2): iterations that are neighbours should not write one line of a cache, which would travel between the
//! threads that run them, and a thread should have a whole inner loop, which compilers vectorise; the number of an iteration of collapsed loops must be divided to
//! find their counters. So the fewest loops run together that still give each core something to do, where that takes writes of neighbours apart.
//!
//! What it cannot do: exchange loops for a processor, or add a `collapse` where one loop is too short for the cores. Which thread runs which iteration depends on
//! `schedule`; with one large piece for each thread, neighbours meet at the ends of the pieces only, and what is gained is the inner loop.

use super::mapped::{Mapped, behind, shares};
use super::nest::Nest;
use crate::kernel::Context;
use ferry_analysis::access::Access;
use ferry_analysis::coalescing::{LaneAddress, Mapping, Prepared, assumed, assumed_iterations};
use ferry_ir::{Stmt, StmtKind};
use ferry_symbolic::Expr;

/// What is known of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Processor {
    /// Cores: loops that run together should have as many iterations.
    pub cores: u64,
    /// Bytes of a line of its caches.
    pub line: u64,
}

/// Fewer loops to run together.
pub struct Shallower {
    /// How many.
    pub together: usize,
    /// Number of the first write of which neighbouring iterations share lines now, and not then.
    pub write: usize,
    /// Bytes between these writes now.
    pub before: Expr,
    /// Bytes between them then.
    pub after: Expr,
    /// Iterations that run together then, if they can be counted.
    pub iterations: Option<Expr>,
}

/// The nests of a function of which directives run more than one loop together, on whatever device.
pub fn collapsed(context: Context<'_>) -> Vec<Mapped<'_>> {
    let mut found = Vec::new();
    if let Some(body) = &context.function.body {
        collect(context, body, &mut found);
    }
    found
}

fn collect<'a>(context: Context<'_>, stmt: &'a Stmt, found: &mut Vec<Mapped<'a>>) {
    found.extend(collapsed_by(context, stmt));
    stmt.for_each_child(&mut |child| collect(context, child, found));
}

fn collapsed_by<'a>(context: Context<'_>, stmt: &'a Stmt) -> Option<Mapped<'a>> {
    let StmtKind::Directive {
        directive,
        body: Some(body),
    } = &stmt.kind
    else {
        return None;
    };
    let found = shares(directive).then(|| behind(context, stmt, directive, body))??;
    (found.mapping.lanes.len() > 1).then_some(found)
}

/// How many loops of a nest should run together on a processor, if fewer than do.
pub fn shallower(
    context: Context<'_>,
    nest: &Nest<'_>,
    mapping: &Mapping,
    accesses: &[(usize, Prepared<'_>)],
    processor: Processor,
) -> Option<Shallower> {
    let values = &context.facts.values;
    let line = i128::from(processor.line);
    let present = mapping.lanes.len();
    let at = |together: usize| Mapping {
        lanes: nest.loops.iter().take(together).map(|of| of.index).collect(),
        ..mapping.clone()
    };
    let stride = |access: &Access, mapping: &Mapping| {
        let address = LaneAddress::of(values, &context.unit.types, mapping, access).ok()?;
        let bytes = address.stride()?;
        let about = assumed(values, &bytes)?.abs();
        Some((bytes, about))
    };
    let writes = accesses.iter().filter(|(_, one)| one.access().is_write());
    // Of the others it is not known that they share lines.
    let shared: Vec<(usize, &Access, Expr)> = writes
        .filter_map(|(number, one)| {
            let (bytes, about) = stride(one.access(), mapping)?;
            (about > 0 && about < line).then(|| (*number, one.access(), bytes))
        })
        .collect();
    let parted = |together: usize| {
        let mapping = at(together);
        let apart = shared.iter().filter_map(|(number, access, before)| {
            let (after, about) = stride(access, &mapping)?;
            (about >= line).then(|| (*number, before.clone(), after))
        });
        apart.collect::<Vec<_>>()
    };
    let enough = |together: &usize| assumed_iterations(values, &at(*together)) >= processor.cores as f64;
    let choices = (1..present)
        .filter(enough)
        .map(|together| (together, parted(together)));
    // The most writes, and of as many the fewest loops.
    let (together, apart) = choices.rev().max_by_key(|(_, apart)| apart.len())?;
    let (write, before, after) = apart.into_iter().next()?;
    Some(Shallower {
        together,
        write,
        before,
        after,
        iterations: at(together).threads(values),
    })
}
