//! Which data does a group of kernels need on the device, and which of it moves where?
//!
//! One data environment around several kernels (DawnCC §5, copy fusion). For each object: the section that the kernels
//! may touch, seen from the place of the environment; *in* if something is read that the device has not certainly
//! written before, or if something goes back that is not certainly written; *out* if it is written and may be used
//! later. Host code between the kernels may touch the same objects only where an `update` keeps both copies alike.

mod apart;
mod conditional;
mod direction;
mod existing_storage;
mod host;
mod in_order;
mod mapping;
mod promoted;
mod sharpen;
mod touched;
mod turning;

use crate::kernel::{self, Base, Context, Kernel};
use crate::nested;
use crate::scope::Scope;
use apart::{may_be_equal, pairs};
use conditional::{certain_to_exist, pass_is_certain};
pub use conditional::{runs_always, under_conditions};
pub use direction::written_before;
pub use existing_storage::note_existence;
use ferry_analysis::access::Access;
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::region::{Hull, Section};
use ferry_analysis::state::State;
use ferry_analysis::symbols::Cause;
use ferry_analysis::value::Values;
use ferry_directive::Direction;
use ferry_ir::{Stmt, StmtId, StmtKind, TypeId, VariableRef};
use ferry_source::Span;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use host::host_accesses;
pub use in_order::Pass;
use in_order::passes;
pub use mapping::size_of;
use mapping::{mapping, zero_elsewhere};
pub use sharpen::sharpen;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use touched::touched;
pub use turning::{Turned, turned};

/// Kernels that share their data, and the statements around them.
#[derive(Clone)]
pub struct Group<'a> {
    /// The kernels in text order.
    pub kernels: Vec<Kernel>,
    /// Consecutive statements of one block, from the one that holds the first kernel to the one that holds the last.
    pub statements: &'a [Stmt],
    /// The loops around the group.
    pub outside: Vec<LoopIndex>,
    /// It is a loop that exchanges the pointers of its kernels.
    pub turned: Option<Rc<Turned>>,
    /// Its kernels run only if this holds before it, each part only where those before it hold; the host does all of it else.
    pub given: Vec<Condition>,
}

impl Group<'_> {
    /// What is decided about the group goes by these facts.
    pub fn context<'c>(&'c self, context: Context<'c>) -> Context<'c> {
        match &self.turned {
            Some(turned) => Context {
                facts: &turned.facts,
                ..context
            },
            None => context,
        }
    }

    /// The accesses inside the kernels to storage that is on the device, kernel by kernel.
    pub fn accesses<'c>(&self, context: Context<'c>) -> impl Iterator<Item = &'c Access> {
        let kernels = self.kernels.iter();
        kernels.flat_map(move |kernel| {
            let accesses = context.accesses(kernel.index);
            accesses.filter(|access| !kernel.promotes(access))
        })
    }
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
    /// It holds whenever one of them is touched; elsewhere the section has no elements.
    pub happens: Condition,
    /// The section does not begin where the base points to, or is a part of an array object: every kernel must name it.
    pub named_in_kernels: bool,
    /// Nothing shows that all of the section exists.
    pub assumed: bool,
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
    /// What must hold besides: kernels that must run at least once, and what makes their iterations independent.
    pub runs: Vec<Condition>,
    /// Values that must be in order, where all else holds.
    pub passes: Vec<Pass>,
    /// The group is one loop.
    pub single: bool,
    /// Names that other environments of the function declare.
    pub taken: BTreeSet<String>,
}

impl Environment {
    /// It is written under a condition, with the old text as the other branch.
    pub fn is_conditional(&self) -> bool {
        !self.disjoint.is_empty() || !self.runs.is_empty() || !self.passes.is_empty()
    }

    /// True if functions that its kernels call use variables of the file, which gcc 12 confuses on NVIDIA's GPUs ([`crate::links`]).
    pub fn is_for_clang(&self) -> bool {
        self.kernels.iter().any(|kernel| !kernel.links.is_empty())
    }

    /// The same, with sections that are empty wherever nothing is touched, though nothing shows that they need it: where sizes are at the ends of their types,
    /// and no loop runs, neither the first element nor the length may have a value. `None` if there is no such section.
    pub fn guarded(&self, context: Context<'_>) -> Option<Environment> {
        let mut facts = facts_before(context, self.at)?;
        self.runs.iter().for_each(|condition| facts.assume(condition));
        let mut other = self.clone();
        let mut differs = false;
        for mapping in &mut other.mappings {
            let happens = facts.simplify_condition(&mapping.happens);
            let Some(section) = &mut mapping.section else {
                continue;
            };
            for bound in [&mut section.lower, &mut section.length] {
                if bound.as_constant().is_none() {
                    let guarded = zero_elsewhere(&happens, bound, &facts);
                    differs |= guarded != *bound;
                    *bound = guarded;
                }
            }
        }
        differs.then_some(other)
    }

    /// True for the loops of its kernels, and those in them.
    pub fn runs_in_kernel(&self, values: &Values, index: LoopIndex) -> bool {
        let is_kernel = |one: LoopIndex| self.kernels.iter().any(|kernel| kernel.index == one);
        values.enclosing(index).any(is_kernel)
    }
}

/// Decides about a group; the cause says why it cannot be one environment.
pub fn decide(context: Context<'_>, group: &Group<'_>) -> Result<Environment, Cause> {
    match &group.turned {
        Some(_) if group.kernels.iter().any(|kernel| !kernel.whole.is_empty()) => {
            let why = "a function that kernels call uses a variable of the file, and a loop around exchanges the pointers of its kernels";
            let at = group
                .statements
                .first()
                .map_or(ferry_source::Origin::New, |first| first.origin);
            Err(Cause::new(why, at))
        }
        Some(turned) => turning::decide_turned(group.context(context), group, turned),
        None => decide_plain(context, group),
    }
}

fn decide_plain(context: Context<'_>, group: &Group<'_>) -> Result<Environment, Cause> {
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
    for condition in &group.given {
        state.facts.assume(condition);
    }
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
    let mut named: BTreeSet<(VariableRef, Option<u32>)> = BTreeSet::new();
    // A pointer variable in memory is not mapped itself: what it leads to goes by its name.
    let mapped = |root: &Symbol| context.is_scalar_object(*root).is_none();
    for (root, base) in bases.iter().filter(|(root, _)| mapped(root)) {
        let holds = match &base.member {
            Some(member) => nested::holds(context, *root, base, member, state),
            None => {
                !base.pointer
                    || kernel::value_before(context, state, base.variable)
                        .is_some_and(|value| value == &Expr::symbol(*root) + &base.shift)
            }
        };
        let name = (base.variable, base.member.as_ref().map(|member| member.field));
        if !holds && base.member.is_some() {
            return Err(Cause::new(
                "its pointer is set in the function, or may be another one where its data would be mapped",
                first.origin,
            ));
        }
        if !holds || !named.insert(name) {
            return Err(Cause::new("a pointer changes between the kernels", first.origin));
        }
    }
    let single = group.kernels.len() == 1 && group.statements.len() == 1 && group.kernels[0].span == span;
    if !single && bases.values().any(|base| base.walks) {
        return Err(Cause::new(
            "a pointer walks in a kernel, which maps what it leads to by itself",
            first.origin,
        ));
    }
    if !single && let Some(cause) = last_value_in_memory(context, group) {
        return Err(cause);
    }
    nested_stay(context, group, &bases, single, first)?;
    let updates = host_accesses(context, group, &touched, &bases, &inner)?;
    let mut mappings = Vec::new();
    for (root, touched) in &touched {
        let Some(base) = bases.get(root) else { continue };
        let written = group
            .accesses(context)
            .any(|access| access.is_write() && access.root == Some(*root));
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
    certain_to_exist(context, group, &inner, &mappings, state)?;
    sort_by_name(context, &mut mappings);
    let mut runs = runs;
    nested_exist(context, &mappings, state, &mut runs)?;
    elements_exist(group, &mappings, state, &mut runs);
    let beside = promoted::objects(context, group, state)?;
    if !single {
        promoted::stay(context, group, &inner)?;
    }
    let disjoint = pairs(context, group, &mappings, &beside, first)?;
    pass_is_certain(context, group)?;
    let passes = passes(context, group, &inner, &bases, &mappings, state)?;
    let in_order = |root: Symbol| passes.iter().any(|pass| pass.root == root);
    let equal = disjoint
        .iter()
        .filter(|(a, b)| updates.is_empty() && may_be_equal(context, group, a, b))
        // The host reads and writes these beside their kernels.
        .filter(|(a, b)| !beside.iter().any(|one| one.root == a.root || one.root == b.root))
        // What is written would be what was tested.
        .filter(|(a, b)| !in_order(a.root) && !in_order(b.root))
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
        passes,
        single,
        taken: BTreeSet::new(),
    })
}

/// What is not known before the group of what its kernels need: to run at least once, and to have independent iterations.
fn conditions_to_run(
    context: Context<'_>,
    group: &Group<'_>,
    inner: &[LoopIndex],
    facts: &Facts,
) -> Result<Vec<Condition>, Cause> {
    let values = &context.facts.values;
    // All facts of the function rest on these, which are among them and would prove themselves.
    let mut found: Vec<Condition> = values.taken.clone();
    found.extend(group.given.iter().cloned());
    for kernel in &group.kernels {
        let of = &values.loops[kernel.index.0 as usize];
        let mut there = of.before.facts.clone();
        values.symbols.assume_named(&mut there);
        let to_run = kernel.runs.iter().map(|condition| (condition, true));
        let apart = kernel.conditions.iter().map(|condition| (condition, false));
        let all = to_run.chain(apart);
        for (condition, to_run) in
            all.flat_map(|(all, why)| all.conjuncts().into_iter().map(move |one| (one, why)))
        {
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
                let why = match to_run {
                    true => "it may have no iteration, which is not known before the loops around it",
                    false => "it is parallel under a condition that is not known before the loops around it",
                };
                return Err(Cause::new(why, of.origin));
            }
            found.push(condition);
        }
    }
    Ok(found)
}

/// What variables hold just before the group.
pub fn state_at<'a>(context: Context<'a>, group: &Group<'_>) -> Option<&'a State> {
    let first = group.statements.first()?;
    state_before(&context.facts.values, first.id)
}

/// What variables hold just before a statement.
pub fn state_before(values: &Values, at: StmtId) -> Option<&State> {
    let before = |of: &&LoopFacts| of.stmt == at;
    let of_loop = || values.loops.iter().find(before).map(|of| &of.before);
    values.states.get(&at).or_else(of_loop)
}

/// What is known just before the group.
fn facts_at(context: Context<'_>, group: &Group<'_>) -> Option<Facts> {
    let mut facts = facts_before(context, group.statements.first()?.id)?;
    group.given.iter().for_each(|condition| facts.assume(condition));
    Some(facts)
}

/// What is known just before a statement.
fn facts_before(context: Context<'_>, at: StmtId) -> Option<Facts> {
    let values = &context.facts.values;
    let mut facts = state_before(values, at)?.facts.clone();
    values.symbols.assume_named(&mut facts);
    Some(facts)
}

/// The loops of the group, those of its kernels included.
fn inner_loops(context: Context<'_>, group: &Group<'_>) -> Vec<LoopIndex> {
    let mut statements = BTreeSet::new();
    for stmt in group.statements {
        stmt.walk(&mut |inner| {
            if matches!(inner.kind, StmtKind::Loop(_) | StmtKind::Call { .. }) {
                statements.insert(inner.id);
            }
        });
    }
    // Those of called functions belong to the call.
    let inside = |of: &LoopFacts| statements.contains(&of.call.unwrap_or(of.stmt));
    let loops = context.facts.values.loops.iter().enumerate();
    loops
        .filter(|(_, of)| inside(of))
        .map(|(number, _)| LoopIndex(number as u32))
        .collect()
}

/// Pointers in structures are the same ones for all kernels of the group.
fn nested_stay(
    context: Context<'_>,
    group: &Group<'_>,
    bases: &BTreeMap<Symbol, Base>,
    single: bool,
    first: &Stmt,
) -> Result<(), Cause> {
    if single {
        return Ok(());
    }
    let values = &context.facts.values;
    let host = touched::host_statements(context, group);
    for member in bases.values().filter_map(|base| base.member.as_ref()) {
        if member.arrow {
            return Err(Cause::new(
                "its data are nested behind a pointer, and gcc 12 dies of such data around several kernels",
                first.origin,
            ));
        }
        let kernels = group.accesses(context);
        let own = values
            .accesses
            .iter()
            .filter(|access| host.contains(&access.stmt));
        let calls = values.effects.iter().any(|effect| {
            host.contains(&effect.stmt)
                && effect
                    .writes
                    .as_ref()
                    .is_none_or(|roots| roots.contains(&member.parent))
        });
        if calls || nested::may_change(context, member, kernels.chain(own)) {
            return Err(Cause::new(
                "a pointer in a structure may change between the kernels",
                first.origin,
            ));
        }
    }
    Ok(())
}

/// A pointer in a structure is set on the device only if the structure is mapped as a whole, and one element of its data
/// at least: what is not known of that becomes a condition.
fn nested_exist(
    context: Context<'_>,
    mappings: &[Mapping],
    state: &State,
    runs: &mut Vec<Condition>,
) -> Result<(), Cause> {
    for mapping in mappings {
        let Some(member) = &mapping.base.member else {
            continue;
        };
        let at = context.facts.values.symbols.info(mapping.root).at;
        let parent = mappings.iter().find(|other| other.root == member.parent);
        let whole = parent.is_some_and(|parent| match &parent.section {
            None => true,
            Some(section) => {
                section.lower.is_zero()
                    && section.length.simplify(&state.facts) == Expr::one()
                    && parent.inner.is_empty()
            }
        });
        if !whole {
            return Err(Cause::new(
                "its structure is one of several, whose pointers compilers do not set on the device",
                at,
            ));
        }
        let Some(section) = mapping.section.as_ref().filter(|_| mapping.inner.is_empty()) else {
            return Err(Cause::new("its data are no row of elements", at));
        };
        let exists = ferry_analysis::joined::at_least_one(&section.length);
        if !state.facts.prove(&exists) && !runs.contains(&exists) {
            runs.push(exists);
        }
    }
    Ok(())
}

/// A kernel combines its copies of the elements that it reduces into also where nothing was added: then these have to be there, and be mapped.
fn elements_exist(group: &Group<'_>, mappings: &[Mapping], state: &State, runs: &mut Vec<Condition>) {
    for mapping in mappings {
        let is_reduced = |kernel: &Kernel| kernel.elements.contains_key(&mapping.root);
        let Some(section) = &mapping.section else { continue };
        let exists = ferry_analysis::joined::at_least_one(&section.length);
        if group.kernels.iter().any(is_reduced) && !state.facts.prove(&exists) {
            for one in mapping.happens.conjuncts() {
                if !state.facts.prove(&one) && !runs.contains(&one) {
                    runs.push(one);
                }
            }
        }
    }
}

/// A variable in memory that the host sets behind a kernel, to what the last iteration left: other kernels may be given its value, or storage that it is found in, from before.
fn last_value_in_memory(context: Context<'_>, group: &Group<'_>) -> Option<Cause> {
    group.kernels.iter().find_map(|kernel| {
        let last = kernel.last.as_ref()?;
        let mut variables = last.variables.iter();
        let variable = variables.find(|variable| kernel::is_in_memory(context, **variable))?;
        let why = format!(
            "the host sets {} behind a kernel, which is in memory, and other kernels share its data environment",
            kernel::name_of(context, *variable)
        );
        let at = context.facts.values.loops[kernel.index.0 as usize].origin;
        Some(Cause::new(why, at))
    })
}

fn reduced(group: &Group<'_>, variable: VariableRef) -> bool {
    group
        .kernels
        .iter()
        .any(|kernel| kernel.results.contains_key(&variable))
}

/// Structures first, then what their members point to.
fn sort_by_name(context: Context<'_>, mappings: &mut [Mapping]) {
    let field = |mapping: &Mapping| mapping.base.member.as_ref().map(|member| member.field);
    mappings.sort_by_key(|mapping| match mapping.base.variable {
        VariableRef::Local(id) => (0, id.0, context.function.local(id).name.clone(), field(mapping)),
        VariableRef::Global(id) => (1, id.0, context.unit.global(id).name.clone(), field(mapping)),
    });
}
