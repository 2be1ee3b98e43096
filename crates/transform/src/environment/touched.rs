//! Which bytes of each object does a group of kernels touch, and which of them does the host touch in between?

use super::Group;
use super::conditional::left_out;
use crate::kernel::{self, Context};
use ferry_analysis::access::Access;
use ferry_analysis::joined::{self, Part};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{Hull, Section};
use ferry_analysis::symbols::Cause;
use ferry_ir::{Stmt, StmtId};
use ferry_symbolic::{Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What a group touches of one root.
pub(super) struct Touched {
    /// The bytes, and when any of them is.
    pub(super) part: Part,
    /// What the host touches is in it.
    pub(super) host: bool,
}

/// What the group touches of each root.
///
/// What the host touches between the kernels exists even where a kernel does not run, so that a section may reach as
/// far. It counts only if it is inside the kernels' section where all of them run: an element that the kernels never use
/// is no reason to keep both copies alike.
pub(super) fn touched(
    context: Context<'_>,
    group: &Group<'_>,
    inside: &[LoopIndex],
    facts: &Facts,
) -> Result<BTreeMap<Symbol, Touched>, Cause> {
    let (values, types) = (&context.facts.values, &context.unit.types);
    let mut all: BTreeMap<Symbol, Vec<Part>> = BTreeMap::new();
    for kernel in &group.kernels {
        for (root, part) in kernel::parts(context, kernel, inside, facts)? {
            all.entry(root).or_default().push(part);
        }
    }
    let mut host: BTreeMap<Symbol, Vec<Part>> = BTreeMap::new();
    for access in shared_by_host(context, group) {
        // What has no bounds is refused where the updates are decided.
        if let (Some(root), Ok(hull)) = (access.root, values.hull(access, inside)) {
            let part = values.part(types, access, hull, inside, facts);
            host.entry(root).or_default().push(part);
        }
    }
    let mut found = BTreeMap::new();
    for (root, mut own) in all {
        let running = own
            .iter()
            .fold(facts.clone(), |known, part| known.with(&part.happens));
        let mut shared = host.remove(&root).unwrap_or_default();
        let mut with_host = false;
        if let (false, Some(kernels)) = (shared.is_empty(), joined::join_all(&own, facts)) {
            let hull = |end: &Expr| end.simplify(&running);
            let (low, high) = (hull(&kernels.hull.low), hull(&kernels.hull.high));
            let inside = shared.iter().all(|part| {
                let here = running.with(&part.happens);
                here.prove_nonnegative(&(&part.hull.low - &low))
                    && here.prove_nonnegative(&(&high - &part.hull.high))
            });
            if inside {
                with_host = true;
                shared.append(&mut own);
                own = shared;
            }
        }
        if let Some(part) = joined::join_all(&own, facts) {
            found.insert(
                root,
                Touched {
                    part,
                    host: with_host,
                },
            );
        }
    }
    Ok(found)
}

/// The accesses of the host to the kernels' storage between them, where both copies must be made alike.
pub(super) fn shared_by_host<'a>(context: Context<'a>, group: &Group<'_>) -> Vec<&'a Access> {
    let (own, written) = (host_statements(context, group), written_roots(context, group));
    let shared = |access: &&Access| {
        access.root.is_some_and(|root| {
            own.contains(&access.stmt)
                && (access.is_write() || written.contains(&root))
                && group
                    .kernels
                    .iter()
                    .any(|kernel| kernel.bases.contains_key(&root))
        })
    };
    context.facts.values.accesses.iter().filter(shared).collect()
}

/// The storage that the kernels write.
pub(super) fn written_roots(context: Context<'_>, group: &Group<'_>) -> BTreeSet<Symbol> {
    let accesses = group.accesses(context);
    accesses
        .filter(|access| access.is_write())
        .filter_map(|access| access.root)
        .collect()
}

/// The statements of the group that the host executes where the kernels run.
pub(super) fn host_statements(context: Context<'_>, group: &Group<'_>) -> BTreeSet<StmtId> {
    let mut own: BTreeSet<StmtId> = BTreeSet::new();
    let mut kernels: BTreeSet<StmtId> = BTreeSet::new();
    let kernel_loops: BTreeSet<StmtId> = group
        .kernels
        .iter()
        .map(|kernel| context.facts.values.loops[kernel.index.0 as usize].stmt)
        .collect();
    for stmt in group.statements {
        collect(stmt, &kernel_loops, false, &mut own, &mut kernels);
    }
    for stmt in left_out(context, group) {
        stmt.walk(&mut |inner| {
            own.remove(&inner.id);
        });
    }
    own
}

/// Splits the statements into those of the host and those of kernels.
pub(super) fn collect(
    stmt: &Stmt,
    kernel_loops: &BTreeSet<StmtId>,
    inside: bool,
    own: &mut BTreeSet<StmtId>,
    kernels: &mut BTreeSet<StmtId>,
) {
    let inside = inside || kernel_loops.contains(&stmt.id);
    if inside {
        kernels.insert(stmt.id)
    } else {
        own.insert(stmt.id)
    };
    for child in stmt.children() {
        collect(child, kernel_loops, inside, own, kernels);
    }
}

/// The rows of an array of arrays that the kernels touch, from the first subscripts of its accesses. The others lie
/// inside their dimensions, as C demands.
pub(super) fn first_subscripts(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    row: &Expr,
    inside: &[LoopIndex],
    facts: &Facts,
    with_host: bool,
) -> Option<Section> {
    let (values, types) = (&context.facts.values, &context.unit.types);
    let mut found: Vec<Part> = Vec::new();
    let host = if with_host {
        shared_by_host(context, group)
    } else {
        Vec::new()
    };
    let accesses = group.accesses(context).chain(host);
    for access in accesses.filter(|access| access.root == Some(root)) {
        access
            .subscripts
            .first()
            .filter(|first| first.stride.as_ref() == Some(row))?;
        let (low, last) = values.rows(access, inside)?;
        let rows = Hull {
            low,
            high: &last + &Expr::one(),
            exact: false,
            whole: false,
        };
        found.push(values.part(types, access, rows, inside, facts));
    }
    let Hull { low, high, .. } = joined::join_all(&found, facts)?.hull;
    let length = (&high - &low).simplify(facts);
    Some(Section {
        length: Expr::max(&Expr::zero(), &length).simplify(facts),
        lower: low,
    })
}
