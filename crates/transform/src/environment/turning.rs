//! Which pointers does a loop only exchange, so that their data can stay on the device around it?
//!
//! `next = step(now); swap(now, next)`: at the beginning of every iteration the pointers are those from before the loop in some order. Each of them may then be any of the buffers that take
//! turns with its own (of two pairs, never one of the other pair), so each buffer is mapped as if every kernel touched it in the place of each of these pointers: by the pointer that leads to it before the loop, with one section for all, in both directions where
//! any of them is written. Kernels name the section behind the pointers that they have then, which is there whichever buffer they lead to. Two buffers must never overlap: what is
//! *parallel if they do not* for one order of the pointers is so for every order.
//!
//! The decision itself is made as for any group, on facts in which an access through one of the pointers is an access to every buffer (`Turned::facts`).
//!
//! What it cannot do: pointers that are exchanged under a condition, that move, or that lead into one object; members and variables whose address is taken; buffers that take turns and whose
//! sections are not alike; kernels that reach them by copies of the pointers; reductions into their elements.

use super::existing_storage::{lies_in_its_object, size_of_object};
use super::{Environment, Group, Mapping, decide_plain, facts_at, inner_loops};
use crate::kernel::{Base, Context, Kernel, value_before};
use ferry_analysis::access::Access;
use ferry_analysis::alias::{Reach, may_overlap};
use ferry_analysis::joined::at_least;
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::scalar::{Variables, assigned_variables};
use ferry_analysis::shape;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::verdict::FunctionFacts;
use ferry_directive::Direction;
use ferry_ir::{ExprKind, Loop, LoopKind, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// One of the pointers that a loop exchanges.
#[derive(Clone, Debug)]
struct Pointer {
    variable: VariableRef,
    /// Its value before the loop.
    before: Expr,
    /// The storage that it leads to before the loop.
    root: Symbol,
    /// Those with which it takes turns have the same.
    cycle: Cycle,
}

/// Pointers of which each comes to have the value of each.
type Cycle = usize;

/// A loop that exchanges pointers, as an environment around it sees it.
pub struct Turned {
    /// The facts of the function, with an access to every buffer for each access through one of the pointers.
    pub(super) facts: FunctionFacts,
    /// The storage of the buffers, and which of them take turns.
    buffers: BTreeMap<Symbol, Cycle>,
    /// The loop runs so often that each buffer has the place of each; `None` if it may be left early, or nobody knows how often it runs.
    often: Option<Condition>,
}

impl Turned {
    /// Is it storage that is touched in the place of each pointer? Whether that happens to all of it hangs on the number of iterations.
    pub(super) fn is_buffer(&self, root: Symbol) -> bool {
        self.buffers.contains_key(&root)
    }
}

/// The loop as an environment around it sees it, and its kernels; `None` if no pointer of its kernels changes in it.
pub fn turned(
    context: Context<'_>,
    stmt: &Stmt,
    kernels: &[Kernel],
) -> Result<Option<(Turned, Vec<Kernel>)>, Cause> {
    let values = &context.facts.values;
    // A variable's value at the beginning of an iteration.
    let turning = |symbol: Symbol| match values.symbols.info(symbol).kind {
        SymbolKind::Varying { variable, of } if of == stmt.id => Some(variable),
        _ => None,
    };
    let roots = kernels.iter().flat_map(|kernel| kernel.bases.keys());
    let wanted: Variables = roots.filter_map(|root| turning(*root)).collect();
    let Some(of) = values.loops.iter().find(|of| of.stmt == stmt.id) else {
        return Ok(None);
    };
    if wanted.is_empty() {
        return Ok(None);
    }
    let refuse = |why: &str| Err(Cause::new(why, stmt.origin));
    let Some(variables) = exchanged(stmt, wanted) else {
        return refuse(
            "a pointer changes in the loop, and not only by being exchanged with others in every iteration",
        );
    };
    let Some(pointers) = pointers(context, &of.before, &variables) else {
        return refuse("the pointers that the loop exchanges do not lead to storage of their own before it");
    };
    // The walk of a loop may have made several symbols for one such value.
    let all = (0..values.symbols.len() as u32).map(Symbol);
    let changing: BTreeMap<Symbol, Cycle> = all
        .filter_map(|symbol| Some((symbol, *variables.get(&turning(symbol)?)?)))
        .collect();
    let buffers: BTreeMap<Symbol, Cycle> = pointers.iter().map(|one| (one.root, one.cycle)).collect();
    for kernel in kernels {
        let before = &values.loops[kernel.index.0 as usize].before;
        let now: Variables = pointers
            .iter()
            .filter_map(|one| turning(value_before(context, before, one.variable)?.as_symbol()?))
            .collect();
        if !now.iter().eq(variables.keys()) {
            return refuse(
                "two of the pointers that the loop exchanges may lead to the same storage at a kernel",
            );
        }
    }
    let inside = |access: &&Access| {
        access
            .loops
            .iter()
            .any(|index| values.loops[index.0 as usize].stmt == stmt.id)
    };
    let directly = |access: &&Access| access.root.is_some_and(|root| buffers.contains_key(&root));
    if let Some(access) = values.accesses.iter().filter(inside).find(directly) {
        let why = "storage of which the loop exchanges the pointers is reached by another name in it";
        return Err(Cause::new(why, access.origin));
    }
    let reach = context.reach();
    let mut changed = Vec::with_capacity(kernels.len());
    for kernel in kernels {
        changed
            .push(rewritten(&reach, kernel, &pointers, &changing).map_err(|why| Cause::new(why, of.origin))?);
    }
    let turned = Turned {
        facts: with_buffers(context, &pointers, &changing),
        often: often(of, &buffers),
        buffers,
    };
    Ok(Some((turned, changed)))
}

/// The loop runs as often as the most pointers that take turns, or more.
fn often(of: &LoopFacts, buffers: &BTreeMap<Symbol, Cycle>) -> Option<Condition> {
    let trip = of.trip.as_ref().ok().filter(|_| of.early_exits.is_empty())?;
    let number = |cycle: &Cycle| buffers.values().filter(|own| *own == cycle).count();
    let most = u32::try_from(buffers.values().map(number).max()?).ok()?;
    Some(at_least(trip, most))
}

/// Decides about the group around a loop that exchanges pointers, on its own facts ([`Group::context`]). Where it is not proved that each buffer has room for what is touched in the place of the others, the
/// environment is for loops that run often enough for each of them to have the place of each.
pub fn decide_turned(context: Context<'_>, group: &Group<'_>, turned: &Turned) -> Result<Environment, Cause> {
    let environment = decide_alike(context, group, turned)?;
    let mut buffers = environment
        .mappings
        .iter()
        .filter(|mapping| turned.is_buffer(mapping.root));
    let exist = buffers.all(|mapping| lies_in_its_object(context, group, mapping));
    if !exist && changes_in_time(context, group, turned) {
        let why = "what kernels touch of the buffers whose pointers the loop exchanges changes from step to step, and it is not known how long each of them is";
        return Err(Cause::new(why, ferry_source::Origin::Text(environment.span)));
    }
    let Some(often) = turned.often.as_ref().filter(|_| !exist) else {
        return Ok(environment);
    };
    let mut group = group.clone();
    if let Some(kernel) = group
        .kernels
        .first_mut()
        .filter(|kernel| !kernel.runs.contains(often))
    {
        kernel.runs.push(often.clone());
    }
    decide_alike(context, &group, turned)
}

/// May what one iteration touches of a buffer be other bytes than what another one touches of the buffer that has its place then?
fn changes_in_time(context: Context<'_>, group: &Group<'_>, turned: &Turned) -> bool {
    let values = &context.facts.values;
    let is_own = |stmt: StmtId| group.statements.iter().any(|own| own.id == stmt);
    let (own, inside): (Vec<LoopIndex>, Vec<LoopIndex>) = inner_loops(context, group)
        .into_iter()
        .partition(|index| is_own(values.loops[index.0 as usize].stmt));
    let stays = |end: &Expr| {
        let loops = own.iter().map(|index| values.loops[index.0 as usize].stmt);
        loops.into_iter().all(|of| values.symbols.invariant_in(end, of))
    };
    group
        .accesses(context)
        .filter(|access| access.root.is_some_and(|root| turned.is_buffer(root)))
        .any(|access| match values.hull(access, &inside) {
            Ok(hull) => !stays(&hull.low) || !stays(&hull.high),
            Err(_) => true,
        })
}

/// Decides about the group, with the same section for all that take turns.
fn decide_alike(context: Context<'_>, group: &Group<'_>, turned: &Turned) -> Result<Environment, Cause> {
    let mut environment = decide_plain(context, group)?;
    let at = ferry_source::Origin::Text(environment.span);
    let written: BTreeSet<Cycle> = group
        .accesses(context)
        .filter(|access| access.is_write())
        .filter_map(|access| turned.buffers.get(&access.root?).copied())
        .collect();
    environment
        .equal
        .retain(|(a, b)| !turned.is_buffer(*a) && !turned.is_buffer(*b));
    let mut alike = BTreeMap::new();
    let mut found = 0;
    for mapping in &mut environment.mappings {
        let Some(cycle) = turned.buffers.get(&mapping.root) else {
            continue;
        };
        let shape = (mapping.section.clone(), mapping.inner.clone(), mapping.element);
        if mapping.section.is_none() || *alike.entry(*cycle).or_insert_with(|| shape.clone()) != shape {
            return Err(Cause::new(
                "the buffers whose pointers the loop exchanges have different sections",
                at,
            ));
        }
        if is_longer_than_its_object(context, group, mapping) {
            return Err(Cause::new(
                "a buffer whose pointer the loop exchanges is smaller than what kernels may touch of the others",
                at,
            ));
        }
        // Which of them is read first, and which is written last, depends on the number of iterations.
        mapping.direction = if written.contains(cycle) {
            Direction::ToFrom
        } else {
            Direction::To
        };
        found += 1;
    }
    match found == turned.buffers.len() {
        true => Ok(environment),
        false => Err(Cause::new(
            "a buffer whose pointer the loop exchanges is not mapped",
            at,
        )),
    }
}

/// The pointers that the body of a loop exchanges, these among them: at its end each of them has the value that one of them had at its beginning, each another one. With which of them they take turns.
fn exchanged(stmt: &Stmt, wanted: Variables) -> Option<BTreeMap<VariableRef, Cycle>> {
    let StmtKind::Loop(own) = &stmt.kind else {
        return None;
    };
    let mut elsewhere = Variables::new();
    own.init
        .iter()
        .chain(&own.before_test)
        .chain(&own.step)
        .for_each(|part| assigned_variables(part, &mut elsewhere));
    // What goes on with the next iteration half way leaves some exchanged and others not.
    if jumps(&own.body, false) {
        return None;
    }
    // Whose value of the beginning each assigned variable has now; `None` where that is not known.
    let mut now: BTreeMap<VariableRef, Option<VariableRef>> = BTreeMap::new();
    follow(&own.body, &mut now);
    let mut all = wanted;
    loop {
        let mut found = Variables::new();
        for variable in &all {
            found.insert(now.get(variable).copied().unwrap_or(Some(*variable))?);
        }
        if found.len() != all.len() {
            return None;
        }
        if found == all {
            break;
        }
        // Those whose values come in are exchanged, too.
        found.extend(all.iter().copied());
        all = found;
    }
    if !all.is_disjoint(&elsewhere) {
        return None;
    }
    let mut cycles = BTreeMap::new();
    for (cycle, first) in all.into_iter().enumerate() {
        let mut variable = first;
        while !cycles.contains_key(&variable) {
            cycles.insert(variable, cycle);
            variable = now.get(&variable).copied().unwrap_or(Some(variable))?;
        }
    }
    Some(cycles)
}

/// May it go on elsewhere than behind it, but by leaving a loop inside?
fn jumps(stmt: &Stmt, inside: bool) -> bool {
    match stmt.kind {
        StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. } => true,
        StmtKind::Continue => !inside,
        StmtKind::Loop(_) => stmt.children().into_iter().any(|child| jumps(child, true)),
        _ => stmt.children().into_iter().any(|child| jumps(child, inside)),
    }
}

/// Follows copies of whole variables through statements that run in every iteration, one after the other.
fn follow(stmt: &Stmt, now: &mut BTreeMap<VariableRef, Option<VariableRef>>) {
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().for_each(|one| follow(one, now)),
        StmtKind::Loop(own) if runs_once(own) => follow(&own.body, now),
        StmtKind::Assign { place, value } => {
            let Some(variable) = place.as_variable() else {
                return;
            };
            let copied = match &value.kind {
                ExprKind::Load(from) if from.ty == place.ty && !from.volatile => from.as_variable(),
                _ => None,
            };
            let value = copied.and_then(|from| now.get(&from).copied().unwrap_or(Some(from)));
            now.insert(variable, value);
        }
        _ => {
            let mut assigned = Variables::new();
            assigned_variables(stmt, &mut assigned);
            now.extend(assigned.into_iter().map(|variable| (variable, None)));
        }
    }
}

/// True for `do { … } while (0)`, as macros have it, if nothing leaves it early.
fn runs_once(own: &Loop) -> bool {
    let never = own
        .condition
        .as_ref()
        .is_some_and(|condition| condition.kind == ExprKind::Int(0));
    let leaves = |stmt: &Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)
        )
    };
    own.kind == LoopKind::Do
        && never
        && own.before_test.is_empty()
        && !shape::any(&own.body, &mut |stmt| leaves(stmt))
}

/// What is known of each of the variables, if each leads to storage of its own before the loop.
fn pointers(
    context: Context<'_>,
    before: &State,
    variables: &BTreeMap<VariableRef, Cycle>,
) -> Option<Vec<Pointer>> {
    let values = &context.facts.values;
    let mut found: Vec<Pointer> = Vec::with_capacity(variables.len());
    for (variable, cycle) in variables {
        let VariableRef::Local(local) = variable else {
            return None;
        };
        if context.function.local(*local).address_taken {
            return None;
        }
        let value = before.get(*variable)?.clone();
        let root = values.symbols.root(&context.unit.types, &value)?;
        found.push(Pointer {
            variable: *variable,
            before: value,
            root,
            cycle: *cycle,
        });
    }
    let roots: BTreeSet<Symbol> = found.iter().map(|one| one.root).collect();
    (roots.len() == found.len() && found.len() > 1).then_some(found)
}

/// Is it known that the section ends behind the object? One that never takes the place of another may be smaller.
fn is_longer_than_its_object(context: Context<'_>, group: &Group<'_>, mapping: &Mapping) -> bool {
    let size = size_of_object(context, group, mapping);
    size.zip(facts_at(context, group))
        .is_some_and(|(size, facts)| facts.prove(&Condition::less(size, &mapping.bytes.high)))
}

/// The kernel as if it touched every buffer behind each of the pointers.
fn rewritten(
    reach: &Reach<'_>,
    kernel: &Kernel,
    pointers: &[Pointer],
    changing: &BTreeMap<Symbol, Cycle>,
) -> Result<Kernel, &'static str> {
    let mut kernel = kernel.clone();
    let reduced = kernel.elements.keys().any(|root| changing.contains_key(root));
    if reduced || !kernel.promoted.is_empty() {
        return Err("a kernel reduces into an element, and the loop exchanges pointers");
    }
    // Clauses name the exchanged pointers. Compilers do not find one that points in front of the section, and in OpenACC none that no clause names.
    let otherwise = |root: &Symbol, base: &Base| {
        changing.contains_key(root) && !pointers.iter().any(|one| one.variable == base.variable)
    };
    if kernel.bases.iter().any(|(root, base)| otherwise(root, base)) {
        return Err("a kernel reaches a buffer by a copy of a pointer that the loop exchanges");
    }
    if !kernel.sorted.is_empty() {
        return Err(
            "values that a kernel needs in order would have to be tested, and the loop exchanges pointers",
        );
    }
    let conditions = kernel.runs.iter().chain(&kernel.conditions);
    if conditions
        .flat_map(|one| one.symbols())
        .any(|symbol| changing.contains_key(&symbol))
    {
        return Err("what a kernel needs depends on a pointer that the loop exchanges");
    }
    let cycles: BTreeSet<Cycle> = kernel
        .bases
        .keys()
        .filter_map(|root| changing.get(root).copied())
        .collect();
    kernel.bases.retain(|root, _| !changing.contains_key(root));
    for pointer in pointers.iter().filter(|one| cycles.contains(&one.cycle)) {
        let base = Base {
            variable: pointer.variable,
            pointer: true,
            shift: &pointer.before - &Expr::symbol(pointer.root),
            member: None,
            walks: false,
        };
        kernel.bases.insert(pointer.root, base);
    }
    let meant = |root: Symbol| -> Vec<Symbol> {
        match changing.get(&root) {
            Some(cycle) => of_cycle(pointers, *cycle).map(|one| one.root).collect(),
            None => vec![root],
        }
    };
    let mut apart: BTreeSet<(Symbol, Symbol)> = BTreeSet::new();
    let mut add = |a: Symbol, b: Symbol| {
        if a != b && may_overlap(reach, a, b) {
            apart.insert((a.min(b), a.max(b)));
        }
    };
    let (about, others): (Vec<_>, Vec<_>) = std::mem::take(&mut kernel.disjoint)
        .into_iter()
        .partition(|(a, b)| changing.contains_key(a) || changing.contains_key(b));
    for (a, b) in about {
        for one in meant(a) {
            meant(b).into_iter().for_each(|other| add(one, other));
        }
    }
    kernel.disjoint = apart.into_iter().chain(others).collect();
    kernel
        .equal
        .retain(|(a, b)| !changing.contains_key(a) && !changing.contains_key(b));
    kernel.instead = None;
    Ok(kernel)
}

/// Those that take turns.
fn of_cycle(pointers: &[Pointer], cycle: Cycle) -> impl Iterator<Item = &Pointer> {
    pointers.iter().filter(move |one| one.cycle == cycle)
}

/// The facts of the function in which each access through one of the pointers is one to every buffer.
fn with_buffers(
    context: Context<'_>,
    pointers: &[Pointer],
    changing: &BTreeMap<Symbol, Cycle>,
) -> FunctionFacts {
    let mut facts = context.facts.clone();
    let number = pointers.len();
    let mut accesses = Vec::with_capacity(facts.values.accesses.len());
    for access in std::mem::take(&mut facts.values.accesses) {
        let order = access.order * number;
        let turning = access.root.and_then(|root| Some((root, *changing.get(&root)?)));
        let Some((turning, cycle)) = turning else {
            accesses.push(Access { order, ..access });
            continue;
        };
        for (at, pointer) in of_cycle(pointers, cycle).enumerate() {
            accesses.push(Access {
                root: Some(pointer.root),
                address: access
                    .address
                    .as_ref()
                    .map(|address| address.substitute(turning, &pointer.before)),
                irregular: access
                    .irregular
                    .iter()
                    .copied()
                    .filter(|symbol| !changing.contains_key(symbol))
                    .collect(),
                order: order + at,
                // What is said of the storage is said of that of one step.
                extent: None,
                ..access.clone()
            });
        }
    }
    facts.values.accesses = accesses;
    for effect in &mut facts.values.effects {
        effect.order *= number;
        for roots in [&mut effect.reads, &mut effect.writes].into_iter().flatten() {
            let cycles: BTreeSet<Cycle> = roots
                .iter()
                .filter_map(|root| changing.get(root).copied())
                .collect();
            let meant = |one: &&Pointer| cycles.contains(&one.cycle);
            roots.extend(pointers.iter().filter(meant).map(|one| one.root));
        }
    }
    facts
}
