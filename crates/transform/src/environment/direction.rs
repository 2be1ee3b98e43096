//! Which way does an object move?
//!
//! *In* if something is read that the device has not certainly written before, or if something goes back that is not
//! certainly written; *out* if it is written and may be used later.

use super::Group;
use crate::kernel::Context;
use ferry_analysis::access::{Access, Guard};
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{self, Hull};
use ferry_analysis::shape;
use ferry_analysis::symbols::SymbolKind;
use ferry_directive::Direction;
use ferry_ir::{StmtKind, VariableRef};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};

/// How the kernels use one object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    written: bool,
    /// Something is read that the kernels have not certainly written before.
    exposed: bool,
    /// Every byte of the hull is certainly written.
    covered: bool,
}

pub(super) fn usage(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    hull: &Hull,
    happens: &Condition,
    facts: &Facts,
) -> Usage {
    let accesses: Vec<&Access> = group.accesses(context).filter(|a| a.root == Some(root)).collect();
    let writes: Vec<&Access> = accesses
        .iter()
        .copied()
        .filter(|access| access.is_write())
        .collect();
    let exposed = accesses.iter().filter(|access| !access.is_write()).any(|read| {
        !writes
            .iter()
            .any(|write| written_before(context, group.outside.len(), write, read))
    });
    let outside = group.outside.len();
    let covered = writes.iter().any(|write| {
        if write.conditional_depth > outside {
            return false;
        }
        let inside = &write.loops[outside..];
        let values = &context.facts.values;
        let Some(certain) = region::certain_within(&values.symbols, &values.loops, write, inside) else {
            return false;
        };
        // Where the writing loops run, every byte is written; where they do not, the section is empty: where nothing is touched, it is made so.
        let runs = run_condition(context, inside);
        let is_empty = || {
            facts
                .with(&runs.not())
                .prove_nonnegative(&(&hull.low - &hull.high))
        };
        region::covers(&certain, hull, &facts.with(&runs)) && (facts.with(happens).prove(&runs) || is_empty())
    });
    Usage {
        written: !writes.is_empty(),
        exposed,
        covered,
    }
}

/// All of these loops run.
pub(super) fn run_condition(context: Context<'_>, loops: &[LoopIndex]) -> Condition {
    let trips = loops
        .iter()
        .filter_map(|index| context.facts.values.loops[index.0 as usize].trip.as_ref().ok());
    trips.fold(Condition::always(), |runs, trip| runs.and(&at_least_one(trip)))
}

/// True if what `read` reads has certainly been written by `write` before, in the same iteration of the first `outside`
/// loops around both: seen from one iteration of the loops that both are in, all of `write`'s elements are there when
/// `read` comes.
pub fn written_before(context: Context<'_>, outside: usize, write: &Access, read: &Access) -> bool {
    if write.order >= read.order {
        return false;
    }
    let common = write
        .loops
        .iter()
        .zip(&read.loops)
        .take_while(|(a, b)| a == b)
        .count();
    if common < outside || write.conditional_depth > common {
        return false;
    }
    let values = &context.facts.values;
    // Its conditions in the same iteration: passed on the way to the read too, or true there for another reason.
    let mut facts = read.facts.clone();
    values.symbols.assume_named(&mut facts);
    let passed = |guard: &Guard| {
        guard.loops > common
            || guard.point.is_some() && read.guards.iter().any(|other| other.point == guard.point)
            || guard.known().is_some_and(|condition| facts.prove(condition))
    };
    if !write.guards.iter().all(passed) {
        return false;
    }
    let Some(certain) = region::certain_within(&values.symbols, &values.loops, write, &write.loops[common..])
    else {
        return false;
    };
    // The box has its size only if the loops of the write run.
    if write.loops.len() > common && !facts.prove(&run_condition(context, &write.loops[common..])) {
        return false;
    }
    if let Ok(hull) = values.hull(read, &read.loops[common..])
        && region::covers(&certain, &hull, &read.facts)
    {
        return true;
    }
    if let Some(touched) = region::certain_within(&values.symbols, &values.loops, read, &read.loops[common..])
    {
        return region::contains(&certain, &touched, &read.facts);
    }
    // A single element read under a condition: the box must hold that element.
    let offset = read.offset();
    offset.is_some_and(|offset| {
        let element = region::StridedBox {
            start: offset,
            size: Expr::int(i128::from(read.size)),
            dimensions: Vec::new(),
        };
        certain.dimensions.is_empty() && region::contains(&certain, &element, &read.facts)
    })
}

/// Which way an object moves whose section holds the bytes `printed` where `happens` holds, and nothing elsewhere.
pub(super) fn direction(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    printed: &Hull,
    happens: &Condition,
    facts: &Facts,
) -> Direction {
    let usage = usage(context, group, root, printed, happens, facts);
    let to = usage.exposed || (usage.written && !usage.covered);
    let from = usage.written && live_after(context, group, root);
    match (to, from) {
        (true, true) => Direction::ToFrom,
        (true, false) => Direction::To,
        (false, true) => Direction::From,
        (false, false) => Direction::Alloc,
    }
}

/// False only if nobody can read the storage behind the group.
pub(super) fn live_after(context: Context<'_>, group: &Group<'_>, root: Symbol) -> bool {
    let values = &context.facts.values;
    let SymbolKind::Address(VariableRef::Local(local)) = values.symbols.info(root).kind else {
        return true;
    };
    if context.function.local(local).address_taken || !group.outside.is_empty() {
        return true;
    }
    // A jump back makes earlier text run later.
    let jumps = context.function.body.as_ref().is_none_or(|body| {
        shape::any(body, &mut |stmt| {
            matches!(
                stmt.kind,
                StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. }
            )
        })
    });
    if jumps {
        return true;
    }
    let last = last_order(context, group);
    values
        .accesses
        .iter()
        .any(|access| access.order > last && !access.is_write() && access.root.is_none_or(|r| r == root))
        || values.effects.iter().any(|effect| {
            effect.order > last && effect.reads.as_ref().is_none_or(|roots| roots.contains(&root))
        })
}

pub(super) fn last_order(context: Context<'_>, group: &Group<'_>) -> usize {
    group
        .accesses(context)
        .map(|access| access.order)
        .max()
        .unwrap_or(0)
}
