//! Which data does a group of kernels need on the device, and which of it moves where?
//!
//! One data environment around several kernels (DawnCC §5, copy fusion). For each object: the section that the kernels
//! may touch, seen from the place of the environment; *in* if something is read that the device has not certainly
//! written before, or if something goes back that is not certainly written; *out* if it is written and may be used
//! later. Host code between the kernels may touch the same objects only where an `update` keeps both copies alike.

use crate::kernel::{self, Base, Context, Kernel};
use crate::scope::Scope;
use ferry_analysis::access::Access;
use ferry_analysis::alias::{Reach, may_overlap};
use ferry_analysis::joined::{self, Part, at_least_one};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{self, Hull, Section};
use ferry_analysis::shape;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_directive::Direction;
use ferry_ir::{Stmt, StmtId, StmtKind, Type, TypeId, VariableRef};
use ferry_source::Span;
use ferry_symbolic::{Atom, Condition, Expr, Facts, Operation, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Kernels that share their data, and the statements around them.
#[derive(Clone)]
pub struct Group<'a> {
    /// The kernels in text order.
    pub kernels: Vec<Kernel>,
    /// Consecutive statements of one block, from the one that holds the first kernel to the one that holds the last.
    pub statements: &'a [Stmt],
    /// The loops around the group.
    pub outside: Vec<LoopIndex>,
}

/// One object of a data environment.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The storage.
    pub root: Symbol,
    /// How the text names it.
    pub base: Base,
    /// Which way it moves.
    pub direction: Direction,
    /// In elements of what the base points to or is an array of; `None` for an object that is no array.
    pub section: Option<Section>,
    /// Extents of the inner dimensions, in elements.
    pub inner: Vec<Expr>,
    /// Type of the innermost element.
    pub element: TypeId,
    /// The bytes that the section holds, counted from the root.
    pub bytes: Hull,
    /// The section does not begin where the base points to, or is a part of an array object: every kernel must name it.
    pub named_in_kernels: bool,
}

/// Host code and device copy are made alike again.
#[derive(Clone, Debug)]
pub struct Update {
    /// The text of the element: `R[k*N+k]`.
    pub item: Span,
    /// `To` after a host write, `From` before a host read.
    pub direction: Direction,
    /// The statement.
    pub at: Span,
}

/// A decided data environment.
#[derive(Clone)]
pub struct Environment {
    /// The kernels in text order.
    pub kernels: Vec<Kernel>,
    /// The text from the first to the last statement.
    pub span: Span,
    /// The statement before which everything is evaluated.
    pub at: StmtId,
    /// Its objects.
    pub mappings: Vec<Mapping>,
    /// Updates inside.
    pub updates: Vec<Update>,
    /// Pairs of objects whose bytes must not overlap.
    pub disjoint: Vec<(Mapping, Mapping)>,
    /// The roots of those that may also be the same storage: they are mapped alike, and no kernel minds.
    pub equal: BTreeSet<(Symbol, Symbol)>,
    /// What must hold besides: kernels that must run at least once.
    pub runs: Vec<Condition>,
    /// The group is one loop.
    pub single: bool,
    /// Names that other environments of the function declare.
    pub taken: BTreeSet<String>,
}

impl Environment {
    /// It is written under a condition, with the old text as the other branch.
    pub fn is_conditional(&self) -> bool {
        !self.disjoint.is_empty() || !self.runs.is_empty()
    }
}

/// Decides about a group; the cause says why it cannot be one environment.
pub fn decide(context: Context<'_>, group: &Group<'_>) -> Result<Environment, Cause> {
    let [first, ..] = group.statements else {
        return Err(Cause::new("there is nothing to do", ferry_source::Origin::New));
    };
    let last = group.statements.last().unwrap_or(first);
    let (Some(start), Some(end)) = (first.origin.text(), last.origin.text()) else {
        return Err(Cause::new("the statements come out of a macro", first.origin));
    };
    let span = start
        .join(end)
        .ok_or_else(|| Cause::new("the statements are in two files", first.origin))?;
    let state = state_at(context, group).ok_or_else(|| {
        Cause::new(
            "what variables hold before the environment is not known",
            first.origin,
        )
    })?;
    let mut state = state.clone();
    context.facts.values.symbols.assume_named(&mut state.facts);
    let inner = inner_loops(context, group);
    let runs = conditions_to_run(context, group, &inner, &state.facts)?;
    for condition in &runs {
        state.facts.assume(condition);
    }
    let state = &state;
    let scope = Scope::at(context.unit, context.function, first.id);
    for kernel in &group.kernels {
        if let Some(variable) = kernel::visible(kernel, &scope)
            && kernel.bases.values().any(|base| base.variable == variable)
        {
            return Err(Cause::new(
                "an array is not visible where its data would be mapped",
                first.origin,
            ));
        }
    }
    let touched = touched(context, group, &inner, &state.facts)?;
    let mut bases: BTreeMap<Symbol, Base> = BTreeMap::new();
    for kernel in &group.kernels {
        for (root, base) in &kernel.bases {
            match bases.get(root) {
                Some(known) if known != base => {
                    return Err(Cause::new(
                        "kernels name the same storage differently",
                        first.origin,
                    ));
                }
                _ => {
                    bases.insert(*root, base.clone());
                }
            }
        }
    }
    let mut named: BTreeSet<VariableRef> = BTreeSet::new();
    for (root, base) in &bases {
        let holds = !base.pointer
            || kernel::value_before(context, state, base.variable)
                .is_some_and(|value| value == &Expr::symbol(*root) + &base.shift);
        if !holds || !named.insert(base.variable) {
            return Err(Cause::new("a pointer changes between the kernels", first.origin));
        }
    }
    let updates = host_accesses(context, group, &touched, &inner)?;
    let mut mappings = Vec::new();
    for (root, touched) in &touched {
        let Some(base) = bases.get(root) else { continue };
        let writes = || {
            group
                .kernels
                .iter()
                .flat_map(|kernel| context.accesses(kernel.index))
        };
        let written = writes().any(|access| access.is_write() && access.root == Some(*root));
        if context.is_scalar_object(*root).is_some() {
            if written && !reduced(group, base.variable) {
                return Err(Cause::new(
                    "a scalar in memory is written on the device",
                    first.origin,
                ));
            }
            continue;
        }
        if let Some(mapping) = mapping(context, group, *root, base, touched, state, &inner)? {
            mappings.push(mapping);
        }
    }
    sort_by_name(context, &mut mappings);
    let disjoint = pairs(context, group, &mappings, first)?;
    let equal = disjoint
        .iter()
        .filter(|(a, b)| updates.is_empty() && may_be_equal(context, group, a, b))
        .map(|(a, b)| (a.root, b.root))
        .collect();
    Ok(Environment {
        kernels: group.kernels.clone(),
        span,
        at: first.id,
        mappings,
        updates,
        disjoint,
        equal,
        runs,
        single: group.kernels.len() == 1 && group.statements.len() == 1 && group.kernels[0].span == span,
        taken: BTreeSet::new(),
    })
}

/// What is not known before the group of what its kernels need to run at least once.
fn conditions_to_run(
    context: Context<'_>,
    group: &Group<'_>,
    inner: &[LoopIndex],
    facts: &Facts,
) -> Result<Vec<Condition>, Cause> {
    let values = &context.facts.values;
    let mut found: Vec<Condition> = Vec::new();
    for kernel in &group.kernels {
        let of = &values.loops[kernel.index.0 as usize];
        let mut there = of.before.facts.clone();
        values.symbols.assume_named(&mut there);
        for condition in kernel.runs.conjuncts() {
            if facts.prove(&condition) || there.prove(&condition) || found.contains(&condition) {
                continue;
            }
            let varies = |symbol: &Symbol| {
                let inside = |index: &LoopIndex| {
                    values
                        .symbols
                        .varies_in(*symbol, values.loops[index.0 as usize].stmt)
                };
                inner.iter().any(inside)
            };
            if condition.symbols().iter().any(varies) {
                return Err(Cause::new(
                    "it may have no iteration, which is not known before the loops around it",
                    of.origin,
                ));
            }
            found.push(condition);
        }
    }
    Ok(found)
}

/// What variables hold just before the group.
pub fn state_at<'a>(context: Context<'a>, group: &Group<'_>) -> Option<&'a State> {
    let first = group.statements.first()?;
    let values = &context.facts.values;
    values.states.get(&first.id).or_else(|| {
        values
            .loops
            .iter()
            .find(|of| of.stmt == first.id)
            .map(|of| &of.before)
    })
}

/// The loops of the group, those of its kernels included.
fn inner_loops(context: Context<'_>, group: &Group<'_>) -> Vec<LoopIndex> {
    let mut found = Vec::new();
    for stmt in group.statements {
        stmt.walk(&mut |inner| {
            if matches!(inner.kind, StmtKind::Loop(_)) {
                let position = context
                    .facts
                    .values
                    .loops
                    .iter()
                    .position(|of| of.stmt == inner.id);
                found.extend(position.map(|position| LoopIndex(position as u32)));
            }
        });
    }
    found
}

fn reduced(group: &Group<'_>, variable: VariableRef) -> bool {
    group
        .kernels
        .iter()
        .any(|kernel| kernel.reductions.contains_key(&variable))
}

/// How the kernels use one object.
#[derive(Clone, Copy, Debug)]
struct Usage {
    written: bool,
    /// Something is read that the kernels have not certainly written before.
    exposed: bool,
    /// Every byte of the hull is certainly written.
    covered: bool,
}

fn usage(context: Context<'_>, group: &Group<'_>, root: Symbol, hull: &Hull, facts: &Facts) -> Usage {
    let accesses: Vec<&Access> = group
        .kernels
        .iter()
        .flat_map(|kernel| context.accesses(kernel.index))
        .filter(|a| a.root == Some(root))
        .collect();
    let writes: Vec<&Access> = accesses
        .iter()
        .copied()
        .filter(|access| access.is_write())
        .collect();
    let exposed = accesses.iter().filter(|access| !access.is_write()).any(|read| {
        !writes
            .iter()
            .any(|write| written_before(context, group, write, read))
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
        // Where the writing loops run, every byte is written; where they do not, the section is empty.
        let runs = run_condition(context, inside);
        region::covers(&certain, hull, &facts.with(&runs))
            && facts
                .with(&runs.not())
                .prove_nonnegative(&(&hull.low - &hull.high))
    });
    Usage {
        written: !writes.is_empty(),
        exposed,
        covered,
    }
}

/// All of these loops run.
fn run_condition(context: Context<'_>, loops: &[LoopIndex]) -> Condition {
    let trips = loops
        .iter()
        .filter_map(|index| context.facts.values.loops[index.0 as usize].trip.as_ref().ok());
    trips.fold(Condition::always(), |runs, trip| runs.and(&at_least_one(trip)))
}

/// True if what `read` reads has certainly been written by `write` before, in the same run of the group: seen from one
/// iteration of the loops that both are in, all of `write`'s elements are there when `read` comes.
fn written_before(context: Context<'_>, group: &Group<'_>, write: &Access, read: &Access) -> bool {
    if write.order >= read.order {
        return false;
    }
    let common = write
        .loops
        .iter()
        .zip(&read.loops)
        .take_while(|(a, b)| a == b)
        .count();
    if common < group.outside.len() || write.conditional_depth > common {
        return false;
    }
    let values = &context.facts.values;
    let Some(certain) = region::certain_within(&values.symbols, &values.loops, write, &write.loops[common..])
    else {
        return false;
    };
    // The box has its size only if the loops of the write run.
    let mut facts = read.facts.clone();
    values.symbols.assume_named(&mut facts);
    if write.loops.len() > common + 1 && !facts.prove(&run_condition(context, &write.loops[common..])) {
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

fn mapping(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    base: &Base,
    touched: &Touched,
    state: &State,
    inside: &[LoopIndex],
) -> Result<Option<Mapping>, Cause> {
    let Touched { part, host } = touched;
    let hull = &part.hull;
    let at = context.facts.values.symbols.info(root).at;
    let ty = match base.variable {
        VariableRef::Global(id) => context.unit.global(id).ty,
        VariableRef::Local(id) => context.function.local(id).ty,
    };
    let types = &context.unit.types;
    let (element, array) = match types.get(ty) {
        Type::Pointer(to) => (*to, false),
        Type::Array { element, .. } => (*element, true),
        _ => {
            let size = context.unit.types.size(ty).map(i128::from).map(Expr::int);
            let size = size.ok_or_else(|| Cause::new("the size of an object is not known", at))?;
            let printed = Hull {
                low: Expr::zero(),
                high: size,
                exact: false,
            };
            let whole = Mapping {
                root,
                base: base.clone(),
                direction: direction(context, group, root, &printed, &state.facts),
                section: None,
                inner: Vec::new(),
                element: ty,
                bytes: hull.clone(),
                named_in_kernels: false,
            };
            return Ok(Some(whole));
        }
    };
    let Some(size) = size_of(context, element, state) else {
        return Err(Cause::new("the size of its elements is not known", at));
    };
    let shifted = Hull {
        low: &hull.low - &base.shift,
        high: &hull.high - &base.shift,
        exact: hull.exact,
    };
    let rows = match base.shift.is_zero() && matches!(types.get(element), Type::Array { .. }) {
        true => first_subscripts(context, group, root, &size, inside, &state.facts, *host),
        false => None,
    };
    let mut section = rows.unwrap_or_else(|| region::section(&shifted, &size, &state.facts));
    // What goes back is the section as it is printed, whole elements and rows.
    let printed = Hull {
        low: &(&section.lower * &size) + &base.shift,
        high: &(&(&section.lower + &section.length) * &size) + &base.shift,
        exact: hull.exact,
    };
    let direction = direction(context, group, root, &printed, &state.facts);
    section.length = guarded_length(&part.happens, &section.length, &state.facts);
    let mut inner = Vec::new();
    let mut innermost = element;
    while let Type::Array { element, length } = types.get(innermost) {
        let length = match length {
            ferry_ir::Length::Constant(length) => Some(Expr::int(i128::from(*length))),
            ferry_ir::Length::Variable(local) => state.get(VariableRef::Local(*local)).cloned(),
            ferry_ir::Length::Unknown => None,
        };
        inner.push(length.ok_or_else(|| Cause::new("an extent of the array is not known", at))?);
        innermost = *element;
    }
    let whole_array = array && is_whole(types.get(ty), &section);
    let named_in_kernels = if array {
        !whole_array
    } else {
        !section.lower.is_zero()
    };
    Ok(Some(Mapping {
        root,
        base: base.clone(),
        direction,
        section: Some(section),
        inner,
        element: innermost,
        bytes: hull.clone(),
        named_in_kernels,
    }))
}

/// Which way an object moves whose section holds the bytes `printed`.
fn direction(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    printed: &Hull,
    facts: &Facts,
) -> Direction {
    let usage = usage(context, group, root, printed, facts);
    let to = usage.exposed || (usage.written && !usage.covered);
    let from = usage.written && live_after(context, group, root);
    match (to, from) {
        (true, true) => Direction::ToFrom,
        (true, false) => Direction::To,
        (false, true) => Direction::From,
        (false, false) => Direction::Alloc,
    }
}

/// The rows of an array of arrays that the kernels touch, from the first subscripts of its accesses. The others lie
/// inside their dimensions, as C demands.
fn first_subscripts(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    row: &Expr,
    inside: &[LoopIndex],
    facts: &Facts,
    with_host: bool,
) -> Option<Section> {
    let (values, types) = (&context.facts.values, &context.unit.types);
    let mut found: Option<Part> = None;
    let host = if with_host {
        shared_by_host(context, group)
    } else {
        Vec::new()
    };
    let accesses = group
        .kernels
        .iter()
        .flat_map(|kernel| context.accesses(kernel.index))
        .chain(host);
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
        };
        let part = values.part(types, access, rows, inside, facts);
        found = Some(match found {
            None => part,
            Some(known) => joined::join(&known, &part, facts),
        });
    }
    let Hull { low, high, .. } = found?.hull;
    let length = (&high - &low).simplify(facts);
    Some(Section {
        length: Expr::max(&Expr::zero(), &length).simplify(facts),
        lower: low,
    })
}

fn is_whole(ty: &Type, section: &Section) -> bool {
    match ty {
        Type::Array {
            length: ferry_ir::Length::Constant(length),
            ..
        } => section.lower.is_zero() && section.length == Expr::int(i128::from(*length)),
        _ => false,
    }
}

/// Size in bytes of a type, with what the extents of variable-length arrays hold.
pub fn size_of(context: Context<'_>, ty: TypeId, state: &State) -> Option<Expr> {
    if let Some(size) = context.unit.types.size(ty) {
        return Some(Expr::int(i128::from(size)));
    }
    match context.unit.types.get(ty) {
        Type::Array {
            element,
            length: ferry_ir::Length::Variable(local),
        } => {
            let length = state.get(VariableRef::Local(*local))?.clone();
            Some(&length * &size_of(context, *element, state)?)
        }
        Type::Array {
            element,
            length: ferry_ir::Length::Constant(length),
        } => Some(&Expr::int(i128::from(*length)) * &size_of(context, *element, state)?),
        _ => None,
    }
}

/// A length that may be positive where the loops do not run: two negative trip counts multiply to something positive,
/// and a section may be wider than the loop that touches it is long. It then counts only if all loops around some
/// access run.
fn guarded_length(happens: &Condition, length: &Expr, facts: &Facts) -> Expr {
    let runs = facts.simplify_condition(happens);
    // Where the length is positive only if the loops run, it needs no test.
    let bare = match length.as_atom().and_then(Atom::operation) {
        Some(Operation::Max(operands)) => match &**operands {
            [zero, other] | [other, zero] if zero.is_zero() => other.clone(),
            _ => length.clone(),
        },
        _ => length.clone(),
    };
    if facts.with(&Condition::positive(&bare)).prove(&runs) {
        return length.clone();
    }
    let inside = facts.with(&runs).simplify(length);
    Expr::select(&runs, &inside, &Expr::zero())
}

/// False only if nobody can read the storage behind the group.
fn live_after(context: Context<'_>, group: &Group<'_>, root: Symbol) -> bool {
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

fn last_order(context: Context<'_>, group: &Group<'_>) -> usize {
    group
        .kernels
        .iter()
        .flat_map(|kernel| context.accesses(kernel.index))
        .map(|access| access.order)
        .max()
        .unwrap_or(0)
}

/// The storage that the kernels write.
fn written_roots(context: Context<'_>, group: &Group<'_>) -> BTreeSet<Symbol> {
    let accesses = group
        .kernels
        .iter()
        .flat_map(|kernel| context.accesses(kernel.index));
    accesses
        .filter(|access| access.is_write())
        .filter_map(|access| access.root)
        .collect()
}

/// The statements of the group that the host executes.
fn host_statements(context: Context<'_>, group: &Group<'_>) -> BTreeSet<StmtId> {
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
    own
}

/// The accesses of the host to the kernels' storage between them, where both copies must be made alike.
fn shared_by_host<'a>(context: Context<'a>, group: &Group<'_>) -> Vec<&'a Access> {
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

/// What a group touches of one root.
struct Touched {
    part: Part,
    /// What the host touches is in it.
    host: bool,
}

/// What the group touches of each root.
///
/// What the host touches between the kernels exists even where a kernel does not run, so that a section may reach as
/// far. It counts only if it is inside the kernels' section where all of them run: an element that the kernels never use
/// is no reason to keep both copies alike.
fn touched(
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

/// Checks what the host does between the kernels.
fn host_accesses(
    context: Context<'_>,
    group: &Group<'_>,
    touched: &BTreeMap<Symbol, Touched>,
    inside: &[LoopIndex],
) -> Result<Vec<Update>, Cause> {
    let values = &context.facts.values;
    let own = host_statements(context, group);
    for stmt in group.statements {
        if let Some(cause) = leaves(stmt, true) {
            return Err(cause);
        }
    }
    let reach = Reach {
        unit: context.unit,
        function: context.function,
        symbols: &values.symbols,
        distinct: &context.facts.values.distinct,
    };
    let written = written_roots(context, group);
    for effect in &values.effects {
        if !own.contains(&effect.stmt) {
            continue;
        }
        let touches = |roots: &Option<Vec<Symbol>>, root: Symbol| {
            roots
                .as_ref()
                .is_none_or(|roots| roots.iter().any(|other| may_overlap(&reach, *other, root)))
        };
        for root in touched.keys() {
            if context.is_scalar_object(*root).is_some() && !written.contains(root) {
                continue;
            }
            if touches(&effect.writes, *root) || (written.contains(root) && touches(&effect.reads, *root)) {
                let why = format!(
                    "a call between the kernels may touch their data: {}",
                    effect.cause.why
                );
                return Err(Cause::new(why, effect.cause.at));
            }
        }
    }
    let mut updates = Vec::new();
    for access in values.accesses.iter().filter(|access| own.contains(&access.stmt)) {
        for root in touched.keys() {
            let harmless = !access.is_write() && !written.contains(root);
            let overlaps = access.root.is_none_or(|other| may_overlap(&reach, other, *root));
            if harmless || !overlaps {
                continue;
            }
            if context.is_scalar_object(*root).is_some() && !access.is_write() && !written.contains(root) {
                continue;
            }
            let conflict = || {
                let verb = if access.is_write() { "writes" } else { "reads" };
                Err(Cause::new(
                    format!("the host {verb} data of the kernels between them"),
                    access.origin,
                ))
            };
            // An element of another mapped object: the condition of the environment keeps the two apart.
            let known = access
                .root
                .and_then(|other| touched.get(&other))
                .map(|touched| &touched.part.hull);
            let inside = known.is_some_and(|known| {
                values.hull(access, inside).is_ok_and(|own| {
                    access.facts.prove_nonnegative(&(&own.low - &known.low))
                        && access.facts.prove_nonnegative(&(&known.high - &own.high))
                })
            });
            if access.root != Some(*root) && inside {
                continue;
            }
            if !inside || context.is_scalar_object(*root).is_some() {
                return conflict();
            }
            match update(context, group, access) {
                Some(update) => updates.push(update),
                None => return conflict(),
            }
        }
    }
    updates.dedup_by(|a, b| a.item == b.item && a.direction == b.direction && a.at == b.at);
    Ok(updates)
}

/// An update for one element that a plain assignment of the host writes or reads.
fn update(context: Context<'_>, group: &Group<'_>, access: &Access) -> Option<Update> {
    let item = access.origin.text()?;
    let mut found = None;
    for stmt in group.statements {
        stmt.walk(&mut |inner| {
            if let StmtKind::Block { body, scope: true } = &inner.kind {
                for child in body {
                    if child.id == access.stmt
                        && matches!(child.kind, StmtKind::Assign { .. } | StmtKind::Call { .. })
                    {
                        found = child.origin.text();
                    }
                    // A statement that became several: its parts share its text.
                    if let StmtKind::Block { body, scope: false } = &child.kind
                        && body.iter().any(|part| part.id == access.stmt)
                        && body.iter().all(|part| {
                            matches!(
                                part.kind,
                                StmtKind::Assign { .. } | StmtKind::Call { .. } | StmtKind::Declare { .. }
                            )
                        })
                    {
                        found = child.origin.text();
                    }
                }
            }
        });
    }
    let at = found?;
    // The text is evaluated once more: it must be evaluated whenever the statement is.
    let conditional = access.conditional_depth == access.loops.len() && !access.loops.is_empty();
    if conditional {
        return None;
    }
    at.contains(item).then_some(())?;
    let _ = context;
    let direction = if access.is_write() {
        Direction::To
    } else {
        Direction::From
    };
    Some(Update { item, direction, at })
}

/// Splits the statements into those of the host and those of kernels.
fn collect(
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

/// A jump out of the group, or into it.
fn leaves(stmt: &Stmt, break_leaves: bool) -> Option<Cause> {
    match &stmt.kind {
        StmtKind::Return(_) => Some(Cause::new(
            "a return would leave the data environment",
            stmt.origin,
        )),
        StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Case { .. } | StmtKind::Default => Some(
            Cause::new("a jump could cross the data environment's border", stmt.origin),
        ),
        StmtKind::Break | StmtKind::Continue if break_leaves => {
            Some(Cause::new("a jump would leave the data environment", stmt.origin))
        }
        StmtKind::Opaque { why, .. } => Some(Cause::new(why.clone(), stmt.origin)),
        StmtKind::Switch { .. } => Some(Cause::new("a switch between the kernels", stmt.origin)),
        StmtKind::Loop(_) => stmt.children().into_iter().find_map(|child| leaves(child, false)),
        _ => stmt
            .children()
            .into_iter()
            .find_map(|child| leaves(child, break_leaves)),
    }
}

/// The pairs of mapped objects that must be apart: those on which a verdict rests, and those whose mappings would
/// overlap on the device.
fn pairs(
    context: Context<'_>,
    group: &Group<'_>,
    mappings: &[Mapping],
    first: &Stmt,
) -> Result<Vec<(Mapping, Mapping)>, Cause> {
    let reach = Reach {
        unit: context.unit,
        function: context.function,
        symbols: &context.facts.values.symbols,
        distinct: &context.facts.values.distinct,
    };
    let needed: BTreeSet<(Symbol, Symbol)> = group
        .kernels
        .iter()
        .flat_map(|kernel| kernel.disjoint.iter().copied())
        .collect();
    let mut found = Vec::new();
    for (number, a) in mappings.iter().enumerate() {
        for b in &mappings[number + 1..] {
            let key = if a.root < b.root {
                (a.root, b.root)
            } else {
                (b.root, a.root)
            };
            // `restrict` says nothing about two pointers that only read, but their sections may still overlap on the
            // device; then what the first maps is there for the second only in part.
            let both_read = a.direction == Direction::To && b.direction == Direction::To;
            let overlap =
                may_overlap(&reach, a.root, b.root) || (both_read && may_share(&reach, a.root, b.root));
            if needed.contains(&key) || overlap {
                found.push((a.clone(), b.clone()));
            }
        }
    }
    for (a, b) in needed {
        let mapped = |root: Symbol| mappings.iter().find(|mapping| mapping.root == root).cloned();
        match (mapped(a), mapped(b)) {
            (Some(_), Some(_)) => {}
            // A scalar is not mapped, but it may lie in what is written.
            (Some(array), None) if scalar(context, b).is_some() => {
                found.extend(scalar(context, b).map(|scalar| (array, scalar)));
            }
            (None, Some(array)) if scalar(context, a).is_some() => {
                found.extend(scalar(context, a).map(|scalar| (array, scalar)));
            }
            _ => {
                return Err(Cause::new(
                    "a scalar in memory may lie in an array that is written",
                    first.origin,
                ));
            }
        }
    }
    Ok(found)
}

/// True if two objects may be the same storage: the same bytes move the same way, so that one mapping finds the other
/// present and the last one ends both, and no kernel touches one place in two iterations then.
fn may_be_equal(context: Context<'_>, group: &Group<'_>, a: &Mapping, b: &Mapping) -> bool {
    let size = |mapping: &Mapping| context.unit.types.size(mapping.element);
    let alike = a.section.is_some()
        && a.section == b.section
        && a.inner == b.inner
        && size(a).is_some()
        && size(a) == size(b)
        && a.base.pointer
        && b.base.pointer
        && a.base.shift == b.base.shift
        && a.direction == b.direction;
    let key = if a.root < b.root {
        (a.root, b.root)
    } else {
        (b.root, a.root)
    };
    alike
        && group
            .kernels
            .iter()
            .all(|kernel| !kernel.disjoint.contains(&key) || kernel.equal.contains(&key))
}

/// A scalar object, as if it were mapped as a whole.
fn scalar(context: Context<'_>, root: Symbol) -> Option<Mapping> {
    let variable = context.is_scalar_object(root)?;
    let element = match variable {
        VariableRef::Global(id) => context.unit.global(id).ty,
        VariableRef::Local(id) => context.function.local(id).ty,
    };
    let size = context.unit.types.size(element)?;
    let base = Base {
        variable,
        pointer: false,
        shift: Expr::zero(),
    };
    Some(Mapping {
        root,
        base,
        direction: Direction::To,
        section: None,
        inner: Vec::new(),
        element,
        bytes: Hull {
            low: Expr::zero(),
            high: Expr::int(i128::from(size)),
            exact: true,
        },
        named_in_kernels: false,
    })
}

/// True for two pointers that may point to the same storage if nobody writes it.
fn may_share(reach: &Reach<'_>, a: Symbol, b: Symbol) -> bool {
    // Pointers that every caller in the file points into different objects.
    if let (SymbolKind::Entry(VariableRef::Local(one)), SymbolKind::Entry(VariableRef::Local(two))) =
        (&reach.symbols.info(a).kind, &reach.symbols.info(b).kind)
        && reach.distinct.contains(&(*one.min(two), *one.max(two)))
    {
        return false;
    }
    let unknown = |root: Symbol| {
        !matches!(
            reach.symbols.info(root).kind,
            SymbolKind::Address(_) | SymbolKind::Allocated(_)
        )
    };
    unknown(a) && unknown(b)
}

fn sort_by_name(context: Context<'_>, mappings: &mut [Mapping]) {
    mappings.sort_by_key(|mapping| match mapping.base.variable {
        VariableRef::Local(id) => (0, id.0, context.function.local(id).name.clone()),
        VariableRef::Global(id) => (1, id.0, context.unit.global(id).name.clone()),
    });
}
