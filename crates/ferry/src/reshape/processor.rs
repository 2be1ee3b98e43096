//! What would be done to the nests of a function for a processor: a `collapse` that hurts there becomes shallower, or goes.

use super::change::Change;
use crate::names::Names;
use crate::report;
use ferry_analysis::coalescing::{number, trip};
use ferry_ir::{FunctionRef, StmtKind};
use ferry_transform::reshape::{self, Mapped, Processor, collapsed, shallower, shared_accesses};

/// What would be done to a function.
pub fn changes(names: Names<'_>, id: FunctionRef, processor: Processor) -> Vec<Change> {
    let nests = collapsed(names.context());
    nests
        .iter()
        .filter_map(|one| change(names, id, one, processor))
        .collect()
}

fn change(names: Names<'_>, id: FunctionRef, mapped: &Mapped<'_>, processor: Processor) -> Option<Change> {
    let context = names.context();
    let (nest, stmt) = (&mapped.nest, mapped.directive);
    let accesses = shared_accesses(context, nest.loops.first()?.index);
    let found = shallower(context, nest, &mapped.mapping, &accesses, processor)?;
    let StmtKind::Directive { directive, .. } = &stmt.kind else {
        return None;
    };
    let present = mapped.mapping.lanes.len();
    reshape::may_shrink(context, directive, nest, present, found.together).ok()?;
    let mut exchange = reshape::exchange(names.unit, id, nest, &nest.indices(), names.sources).ok()?;
    let clause = reshape::with_collapse(stmt, found.together, names.sources)?;
    exchange.edits.add(clause).ok()?;
    exchange.collapse = Some((stmt.id, found.together));

    let write = &context.facts.values.accesses[found.write];
    let object = names
        .text(write.origin)
        .or_else(|| Some(names.symbol(write.root?)));
    let (before, after) = (names.mathematics(&found.before), names.mathematics(&found.after));
    let loops = report::together(names, &nest.indices()[..found.together]);
    let message = format!(
        "{loops}, not {present}: neighbouring iterations write {} {after} bytes apart instead of {before} (a line of the cache has {})",
        object.as_deref().unwrap_or("memory"),
        processor.line
    );
    let mut assumptions = Vec::new();
    if number(&found.after).is_none() {
        assumptions.push(format!("{after} bytes are at least a line of {}", processor.line));
    }
    let values = &context.facts.values;
    let counted = nest.loops[..found.together]
        .iter()
        .all(|of| trip(values, &values.loops[of.index.0 as usize]).is_some());
    if !counted {
        let iterations = match &found.iterations {
            Some(iterations) => format!("{} iterations", names.mathematics(iterations)),
            None => "the iterations".to_owned(),
        };
        assumptions.push(format!("{iterations} are enough for {} cores", processor.cores));
    }
    Some(Change {
        exchange,
        message,
        assumptions,
    })
}
