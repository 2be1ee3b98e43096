//! Can one loop run on the device, and what does that need?
//!
//! A kernel is a parallel loop in canonical form whose every access is bounded, whose every pointer can be named in a
//! `map` clause, and whose scalars have a clause that means the same. Anything else is a reason not to offload it.

use crate::atomic::{self, AtomicStatement};
use crate::counted::{self, Distance};
use crate::last_values::{self, LastValues};
use crate::links::{self, Links};
use crate::nested::{self, Found, Member};
use crate::promoted::{Promoted, promotion};
use crate::scope::Scope;
use crate::several::{self, Head};
use crate::stepped;
use crate::unset;
use crate::{addresses, called, constant_pointers, copied_structures, device_types, scratch};
use ferry_analysis::access::{Access, Choice};
use ferry_analysis::alias::Reach;
use ferry_analysis::joined::{self, Part, at_least_one};
use ferry_analysis::loops::{Induction, LoopFacts, LoopIndex};
use ferry_analysis::reduction::ReductionOp;
use ferry_analysis::region::{Hull, certain};
use ferry_analysis::shape;
use ferry_analysis::sorted::Sorted;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::verdict::{FunctionFacts, Object, OldValue, Reduction, SectionReduction, Whole};
use ferry_directive::{Language, Version};
use ferry_ir::visit::{expression_variables, mentioned_variables};
use ferry_ir::{
    BinaryOp, Expr as Code, ExprKind, Function, GlobalId, PlaceBase, Stmt, StmtId, StmtKind, Type, Unit,
    VariableRef,
};
use ferry_source::Span;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A loop that runs on the device.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The loop.
    pub index: LoopIndex,
    /// Its whole text.
    pub span: Span,
    /// The text of its body, and whether that is a block.
    pub body: Option<(Span, bool)>,
    /// How many perfectly nested loops run together.
    pub collapse: usize,
    /// Variables declared outside that every iteration has for itself.
    pub private: BTreeSet<VariableRef>,
    /// What must hold where it runs, each part only where those before it hold: that it has an iteration, if something
    /// is wrong without.
    pub runs: Vec<Condition>,
    /// Scalar variables that the host has again behind it, reduced or set.
    pub results: BTreeMap<VariableRef, Combined>,
    /// Reduced elements of arrays, by the root of their storage.
    pub elements: BTreeMap<Symbol, Element>,
    /// Elements that are reduced through scalars beside it.
    pub promoted: Vec<Promoted>,
    /// The same kernel without such scalars, if there are any and it can do without: they are read and written by the host.
    pub instead: Option<Box<Kernel>>,
    /// Statements that are atomic updates or writes.
    pub atomics: BTreeSet<AtomicStatement>,
    /// Variables that each iteration sets first, to what the iterations before would have left in them.
    pub stepped: Vec<Induction>,
    /// What is taken out of the loop's head, as its iterations compute it.
    pub head: Option<Head>,
    /// Variables that each iteration sets first to 0, which nothing reads.
    pub unset: Vec<VariableRef>,
    /// Variables of its loops of which is assumed that their bounds are no farther apart than their type can say ([`crate::counted`]).
    pub far: Vec<VariableRef>,
    /// Loop variables, and those that iterations set first, that are used later, with their value then.
    pub final_values: Vec<(VariableRef, Expr)>,
    /// What its last iteration leaves in variables that are used later.
    pub last: Option<LastValues>,
    /// What must hold before it, or its iterations are not independent.
    pub conditions: Vec<Condition>,
    /// Values that must be in order before it, or its iterations are not independent.
    pub sorted: Vec<Sorted>,
    /// Pairs of roots whose storage must not overlap.
    pub disjoint: BTreeSet<(Symbol, Symbol)>,
    /// Of these, the pairs that may also be the same pointer.
    pub equal: BTreeSet<(Symbol, Symbol)>,
    /// The roots that it touches, with the variable by which its text names each.
    pub bases: BTreeMap<Symbol, Base>,
    /// Variables of the file that functions name which it calls: they are declared for the device.
    pub links: BTreeSet<GlobalId>,
    /// Scalars that are declared for the device, and so have to be mapped.
    pub scalars: BTreeSet<VariableRef>,
    /// Objects that are declared for the device, and so have to be mapped as a whole.
    pub whole: BTreeSet<VariableRef>,
}

/// How iterations come to one value of a scalar variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combined {
    /// Each in a copy, which are reduced.
    By(ReductionOp),
    /// All of them set the variable itself, atomically, to one value.
    Set,
}

impl Kernel {
    /// The variables that are reduced, with the operation.
    pub fn operations(&self) -> impl Iterator<Item = (VariableRef, ReductionOp)> {
        self.results.iter().filter_map(|(variable, how)| match how {
            Combined::By(op) => Some((*variable, *op)),
            Combined::Set => None,
        })
    }

    /// True for a variable that each iteration sets first.
    pub fn steps(&self, variable: VariableRef) -> bool {
        self.stepped.iter().any(|one| one.variable == variable)
    }

    /// True for a variable that each iteration declares, which the loop's head does in the old text.
    pub fn declares(&self, variable: VariableRef) -> bool {
        self.head
            .as_ref()
            .is_some_and(|head| head.declared.contains(&variable))
    }

    /// True for what it does with a scalar in the place of memory.
    pub fn promotes(&self, access: &Access) -> bool {
        self.promoted.iter().any(|one| one.is(access))
    }
}

/// An element that a kernel reduces into, or a few in a row, and all that it touches of that storage.
#[derive(Clone, PartialEq, Debug)]
pub struct Element {
    /// How.
    pub op: ReductionOp,
    /// Bytes from the root to the first.
    pub offset: Expr,
    /// Its size in bytes.
    pub size: u64,
    /// How many there are.
    pub count: u64,
}

impl Element {
    /// Their bytes, as many behind the root as `shift` is before them.
    pub fn hull(&self, shift: &Expr) -> Hull {
        let low = &self.offset - shift;
        Hull {
            high: &low + &Expr::int(i128::from(self.size) * i128::from(self.count)),
            low,
            exact: true,
            whole: false,
        }
    }
}

/// Most elements of a section of which every thread has a copy.
const MOST_COPIES: u64 = 64;

/// How a kernel's text names a piece of storage.
#[derive(Clone, PartialEq, Debug)]
pub struct Base {
    /// The pointer variable or the object itself.
    pub variable: VariableRef,
    /// A pointer (else the object itself).
    pub pointer: bool,
    /// Bytes from the root to where the pointer points before the kernel.
    pub shift: Expr,
    /// The pointer is a member of the structure that the variable is or points to.
    pub member: Option<Member>,
    /// The pointer walks in the kernel: its text goes by the value that it has before.
    pub walks: bool,
}

/// Everything that deciding about kernels looks at.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The function.
    pub function: &'a Function,
    /// Its facts.
    pub facts: &'a FunctionFacts,
}

impl<'a> Context<'a> {
    /// What is asked about overlapping storage.
    pub fn reach(self) -> Reach<'a> {
        let values = &self.facts.values;
        Reach {
            unit: self.unit,
            function: self.function,
            symbols: &values.symbols,
            passed: &values.passed,
        }
    }

    /// The accesses inside a loop to storage that its iterations share.
    pub fn accesses(self, index: LoopIndex) -> impl Iterator<Item = &'a Access> {
        let accesses = self.facts.values.accesses.iter();
        accesses.filter(move |access| {
            access.loops.contains(&index) && !access.root.is_some_and(|root| self.is_inside(root, index))
        })
    }

    /// True for storage that each iteration has for itself.
    pub fn is_inside(&self, root: Symbol, index: LoopIndex) -> bool {
        match &self.facts.values.symbols.info(root).kind {
            SymbolKind::Address(variable) => {
                let verdict = &self.facts.verdicts[index.0 as usize];
                verdict.inside.contains(variable) || verdict.private.contains(variable)
            }
            _ => false,
        }
    }

    /// True for a scalar global (or scalar whose address is taken), which a kernel reads as a copy.
    pub fn is_scalar_object(&self, root: Symbol) -> Option<VariableRef> {
        let SymbolKind::Address(variable) = self.facts.values.symbols.info(root).kind else {
            return None;
        };
        let ty = type_of(*self, variable);
        self.unit.types.is_scalar(ty).then_some(variable)
    }
}

/// Decides about one loop, which may combine copies of sections only if it is said so.
pub fn candidate(
    context: Context<'_>,
    stmt: &Stmt,
    index: LoopIndex,
    version: Version,
    combine: bool,
    links: &Links,
) -> Result<Kernel, Cause> {
    let sections = &context.facts.verdicts[index.0 as usize].sections;
    if let Some(section) = sections.first().filter(|_| !combine) {
        let why = "copies of a section of an array would have to be combined after it, and loops inside of it run on the device";
        return Err(Cause::new(why, section.at));
    }
    let written = |promote: bool| {
        let mut kernel = written_as(context, stmt, index, version, promote, links)?;
        links::link(context, &mut kernel, stmt, links, version)?;
        Ok(kernel)
    };
    let mut kernel: Kernel = written(true)?;
    if !kernel.promoted.is_empty() {
        let instead: Result<Kernel, Cause> = written(false);
        kernel.instead = instead.ok().map(Box::new);
    }
    Ok(kernel)
}

/// The kernel with elements reduced through scalars, where that can be written, or without.
fn written_as(
    context: Context<'_>,
    stmt: &Stmt,
    index: LoopIndex,
    version: Version,
    promote: bool,
    links: &Links,
) -> Result<Kernel, Cause> {
    let facts = &context.facts.values.loops[index.0 as usize];
    let verdict = &context.facts.verdicts[index.0 as usize];
    if !matches!(stmt.kind, StmtKind::Loop(_)) {
        return Err(Cause::new("not a loop", stmt.origin));
    }
    if !verdict.is_parallel() {
        return Err(Cause::new("it is not parallel", facts.origin));
    }
    let canonical = verdict.form()?;
    if canonical.comparison == BinaryOp::Ne && !may_end_at_ne(version) {
        let why = "it ends at `!=`, which OpenMP takes from 5.0 on, and gcc 12 not with OpenACC";
        return Err(Cause::new(why, facts.origin));
    }
    // Whatever is known of such a place holds of nothing: its sections would be anything.
    if facts.before.facts.infeasible() || facts.facts_inside.infeasible() {
        return Err(Cause::new("it never runs", facts.origin));
    }
    if !verdict.rows.is_empty() {
        let why = "its data are nested: each row of a table of pointers would have to be mapped by itself";
        return Err(Cause::new(why, facts.origin));
    }
    let Some(span) = stmt.origin.text() else {
        return Err(Cause::new(
            "the loop comes out of a macro that does not begin or end with it",
            stmt.origin,
        ));
    };
    if shape::any(stmt, &mut |inner| {
        matches!(inner.kind, StmtKind::Directive { .. })
    }) {
        return Err(Cause::new("it has directives already", stmt.origin));
    }
    let own_distance = counted::distance(context, index, canonical, version.language())?;
    let mut stepped = stepped::stepped(context, stmt, index, canonical)?;
    let left_out = several::of_head_alone(stmt, verdict.several.as_ref(), &mut stepped);
    if let Some(call) = facts.calls.iter().find(|call| call.obstacle.is_some()) {
        return Err(Cause::new(
            "it calls a function that cannot run on a device",
            call.at,
        ));
    }
    if let Some(cause) = facts.calls.iter().find_map(|call| call.on_host.as_ref()) {
        return Err(cause.clone());
    }
    if !facts.calls.is_empty()
        && let Some(cause) = called::refused(context.unit, stmt, links)
    {
        return Err(cause);
    }
    if let Some(cause) = device_types::refused(context.unit, context.function, stmt) {
        return Err(cause);
    }
    if version.language() == Language::OpenMp {
        let mut members = context.unit.refused_members.iter();
        if let Some(member) = members.find(|member| span.contains(**member)) {
            let why = "it uses a member of something that is no variable, element or pointer by itself (`(&s)->n`, `f(x).n`), which clang 19 refuses in a kernel";
            return Err(Cause::new(why, ferry_source::Origin::Text(*member)));
        }
    }
    if let Some(cause) = constant_pointers::refused(context.unit, context.function, stmt, version.language())
    {
        return Err(cause);
    }
    let unset = unset::variables(context, index, stmt)?;
    let mut kernel = Kernel {
        index,
        span,
        body: stepped::body_of(stmt),
        collapse: 1,
        private: verdict
            .private
            .iter()
            .copied()
            .filter(|v| !verdict.inside.contains(v))
            .collect(),
        runs: Vec::new(),
        results: BTreeMap::new(),
        elements: BTreeMap::new(),
        promoted: Vec::new(),
        instead: None,
        atomics: BTreeSet::new(),
        stepped,
        head: None,
        unset,
        far: Vec::new(),
        final_values: Vec::new(),
        last: last_values::of(context, stmt, index, canonical)?,
        conditions: verdict.conditions.clone(),
        sorted: verdict.sorted.clone(),
        disjoint: verdict.disjoint.clone(),
        equal: verdict.equal.clone(),
        bases: BTreeMap::new(),
        links: BTreeSet::new(),
        scalars: BTreeSet::new(),
        whole: BTreeSet::new(),
    };
    if let Some(several) = &verdict.several {
        kernel.head = Some(Head::of(context, &kernel, left_out, stmt, several)?);
    }
    for reduction in &verdict.reductions {
        if reduction.called && version.language() == Language::OpenAcc {
            return Err(Cause::new(
                "a function that it calls updates what it reduces, which OpenACC's copies are not known to allow",
                reduction.at,
            ));
        }
        // Elements are asked below: how they are written hangs on how their storage is named.
        let Some(variable) = reduction.variable else {
            continue;
        };
        // gcc 12 links neither a reduction of one or two bytes nor two scalars in one directive for NVIDIA's devices.
        let is_linked = verdict.reductions.len() == 1 && !is_short(context, variable);
        if version.language() == Language::OpenMp
            && !is_linked
            && reduction.is_only_set()
            && let Ok(found) = atomic::statements(context, stmt, Whole::Write, &reduction.updates)
        {
            kernel.atomics.extend(found);
            kernel.results.insert(variable, Combined::Set);
            continue;
        }
        if !is_plain(context, type_of(context, variable)) {
            let why = not_reduced(context, type_of(context, variable));
            return Err(Cause::new(why, reduction.at));
        }
        if overflows_when_combined(context, type_of(context, variable), reduction.op) {
            return Err(Cause::new(OVERFLOWS, reduction.at));
        }
        if is_logical(reduction.op) && !is_truth_value(context, index, variable) {
            let name = name_of(context, variable);
            return Err(Cause::new(not_a_truth_value(&name), reduction.at));
        }
        kernel.results.insert(variable, Combined::By(reduction.op));
    }
    for object in &verdict.atomics {
        let found = atomic::statements(context, stmt, object.how, &object.updates)?;
        kernel.atomics.extend(found);
        let variable = match object.object {
            Object::Variable(variable) => Some(variable),
            Object::Root(root) => context.is_scalar_object(root),
        };
        kernel
            .results
            .extend(variable.map(|variable| (variable, Combined::Set)));
    }
    // With no iteration, an element need not be there, and a variable has its old value.
    let elements =
        verdict.reductions.iter().any(|one| one.variable.is_none()) || !verdict.sections.is_empty();
    if elements || kernel.last.is_some() {
        kernel
            .runs
            .push(at_least_one(facts.trip.as_ref().map_err(Clone::clone)?));
    }
    loop_variable(context, &mut kernel, canonical, index)?;
    stepped_variables(context, &mut kernel, index)?;
    bases(context, &mut kernel, stmt)?;
    stepped::lead_to_storage(context, &kernel)?;
    if let Some(cause) = in_a_register(context, &kernel).or_else(|| of_each_thread(context, &kernel)) {
        return Err(cause);
    }
    let walking: BTreeSet<VariableRef> = kernel.stepped.iter().map(|one| one.variable).collect();
    let own = verdict.inside.union(&verdict.private).chain(&walking);
    let own = own.copied().collect();
    let pointers = kernel.bases.values().filter(|base| base.pointer);
    let pointers = pointers.map(|base| base.variable).collect();
    let nested = kernel.bases.values().any(|base| base.member.is_some());
    if let Some(cause) =
        addresses::used_as_values(&context.unit.types, stmt, &own, &walking, &pointers, nested)
    {
        return Err(cause);
    }
    if let Some(cause) = copied_structures::refused(context.unit, context.function, stmt, &verdict.inside) {
        return Err(cause);
    }
    Found::of(context, index)?.lead_to(context, &kernel.bases)?;
    if let Some(cause) = begins_in_memory(context, index, stmt) {
        return Err(cause);
    }
    reduced_elements(context, &mut kernel, stmt, version, promote)?;
    reduced_sections(context, &mut kernel, version)?;
    let mut collapsed = collapse(context, stmt, index);
    if !kernel.stepped.is_empty() || !kernel.unset.is_empty() || kernel.last.is_some() {
        // The first and last statements of its iterations stand beside the loop inside.
        collapsed.truncate(1);
    }
    let ends_well = |index: &LoopIndex| {
        let canonical = context.facts.verdicts[index.0 as usize].form();
        may_end_at_ne(version) || canonical.is_ok_and(|canonical| canonical.comparison != BinaryOp::Ne)
    };
    let taken = collapsed.iter().take_while(|index| ends_well(index)).count();
    collapsed.truncate(taken);
    let fine = loops_with_fixed_bounds(context, &kernel, stmt, &collapsed);
    if fine == 0 {
        let why = "its bounds are written with a variable of which every thread gets a copy";
        return Err(Cause::new(why, facts.origin));
    }
    collapsed.truncate(fine);
    let counts = |inner: &LoopIndex| {
        let canonical = context.facts.verdicts[inner.0 as usize].form().ok()?;
        let distance = match *inner == index {
            true => own_distance,
            false => counted::distance(context, *inner, canonical, version.language()).ok()?,
        };
        Some((canonical.variable, distance))
    };
    let counted: Vec<(VariableRef, Distance)> = collapsed.iter().map_while(counts).collect();
    collapsed.truncate(counted.len());
    let far = counted
        .iter()
        .filter(|(_, distance)| *distance == Distance::Assumed);
    kernel.far = far.map(|(variable, _)| *variable).collect();
    kernel.collapse = collapsed.len();
    // Between iterations of an inner loop, too, where those run together.
    for index in collapsed {
        let inner = &context.facts.verdicts[index.0 as usize];
        kernel
            .equal
            .retain(|pair| !inner.disjoint.contains(pair) || inner.equal.contains(pair));
    }
    Ok(kernel)
}

/// A clause that maps a variable takes its address, which gcc 12 refuses of one that is declared `register`.
fn in_a_register(context: Context<'_>, kernel: &Kernel) -> Option<Cause> {
    let through_pointer = |base: &&Base| match &base.member {
        Some(member) => member.arrow,
        None => base.pointer,
    };
    let own = kernel.bases.values().filter(|base| !through_pointer(base));
    let mut mapped = own
        .map(|base| base.variable)
        .chain(kernel.results.keys().copied());
    mapped.find_map(|variable| {
        let VariableRef::Local(id) = variable else {
            return None;
        };
        let local = context.function.local(id);
        let why = || {
            format!(
                "{} is declared `register`, so that no clause can map it",
                local.name
            )
        };
        local.qualifiers.register.then(|| Cause::new(why(), local.origin))
    })
}

/// Compilers make no copies of variables that each thread has already.
fn of_each_thread(context: Context<'_>, kernel: &Kernel) -> Option<Cause> {
    let mut own = kernel.private.iter().filter_map(|variable| variable.as_global());
    let global = own.find(|id| context.unit.global(*id).thread_local)?;
    let global = context.unit.global(global);
    let why = format!(
        "each iteration needs its own {}, which is declared thread-local, so that no clause can make copies",
        global.name
    );
    Some(Cause::new(why, global.origin))
}

/// May a loop with a directive end at `!=`? OpenMP 4.5 knows only the four orders, and gcc 12 refuses others in loops of OpenACC.
fn may_end_at_ne(version: Version) -> bool {
    version.language() != Language::OpenAcc && version != Version::OpenMp45
}

/// Why the loop's first value cannot be computed on the device: its head reads it from memory which nothing in the loop touches, so that it is not mapped.
fn begins_in_memory(context: Context<'_>, index: LoopIndex, stmt: &Stmt) -> Option<Cause> {
    let StmtKind::Loop(inner) = &stmt.kind else {
        return None;
    };
    let mut head = BTreeSet::new();
    let mut by_name = Vec::new();
    for part in &inner.init {
        part.walk(&mut |inner| {
            head.insert(inner.id);
            inner.for_each_expression(&mut |expr| {
                expr.walk(&mut |code| {
                    if let ExprKind::Load(place) = &code.kind
                        && matches!(place.base, PlaceBase::Variable(_))
                    {
                        by_name.push(place.origin);
                    }
                });
            });
        });
    }
    let mut reads = context.facts.values.accesses.iter();
    let read = reads.find(|read| {
        // A kernel has a copy of a scalar, which a pointer (`*p`) does not lead to.
        let is_scalar = by_name.contains(&read.origin)
            && read
                .root
                .is_some_and(|root| context.is_scalar_object(root).is_some());
        let is_mapped = || {
            let mut own = context.accesses(index);
            own.any(|other| other.root == read.root && other.address == read.address)
        };
        head.contains(&read.stmt) && !is_scalar && !is_mapped()
    })?;
    let why = "where it begins is read from memory in its head, which the device would have to do, and nothing in the loop touches that";
    Some(Cause::new(why, read.origin))
}

/// A type of which clauses can make copies. Wider ones need support that device libraries do not have.
pub(crate) fn is_plain(context: Context<'_>, ty: ferry_ir::TypeId) -> bool {
    matches!(
        context.unit.types.get(ty),
        Type::Int { bits: 8..=64, .. } | Type::Float { bits: 32 | 64 } | Type::Bool
    )
}

/// True for variables of one or two bytes.
fn is_short(context: Context<'_>, variable: VariableRef) -> bool {
    let ty = type_of(context, variable);
    matches!(
        context.unit.types.get(ty),
        Type::Int { bits: 8 | 16, .. } | Type::Bool
    )
}

/// Why clauses make no copies of a type.
pub(crate) fn not_reduced(context: Context<'_>, ty: ferry_ir::TypeId) -> &'static str {
    match context.unit.types.get(ty) {
        Type::Complex { .. } => {
            "it reduces a complex number, whose copies clang 19 combines with functions that only libatomic has"
        }
        _ => "it reduces a type that a device cannot reduce",
    }
}

const OVERFLOWS: &str = "it sums in a signed type narrower than int, whose copies gcc 12 combines without the conversions of the program";

/// True for sums and products in signed types narrower than int. The program computes with `int` and converts, which never overflows; gcc 12 combines the
/// copies in the type itself.
fn overflows_when_combined(context: Context<'_>, ty: ferry_ir::TypeId, op: ReductionOp) -> bool {
    let adds = matches!(op, ReductionOp::Sum | ReductionOp::Product);
    let ty = context.unit.types.get(ty);
    adds && matches!(
        ty,
        Type::Int {
            bits: ..32,
            signed: true
        }
    )
}

pub(crate) fn is_logical(op: ReductionOp) -> bool {
    matches!(op, ReductionOp::And | ReductionOp::Or)
}

/// True if the variable is 0 or 1 before the loop. The clauses for `&&` and `||` combine it with what the iterations give also where no iteration changes
/// it: 7 would become 1.
fn is_truth_value(context: Context<'_>, index: LoopIndex, variable: VariableRef) -> bool {
    let before = &context.facts.values.loops[index.0 as usize].before;
    let function = context.unit.function(context.facts.function);
    OldValue::of(context.unit, function, before, variable).is_truth_value()
}

pub(crate) fn not_a_truth_value(name: &str) -> String {
    format!(
        "a reduction clause makes {name} 0 or 1, which it need not be before, and stays where no iteration changes it"
    )
}

/// The element that a loop reduces into: nothing else of its storage may be touched, as the section of the clause is all
/// that a thread has of it.
fn element(
    context: Context<'_>,
    index: LoopIndex,
    reduction: &Reduction,
) -> Result<(Symbol, Element), Cause> {
    let wrong = |why: &str| Err(Cause::new(why, reduction.at));
    let unknown = "it reduces into an element whose place is not known";
    let Some(root) = reduction.root else {
        return wrong(unknown);
    };
    let mut found: Option<Element> = None;
    for access in context.accesses(index).filter(|access| access.root == Some(root)) {
        let Some(offset) = access.offset() else {
            return wrong(unknown);
        };
        if !is_plain(context, access.ty) {
            return wrong(not_reduced(context, access.ty));
        }
        if overflows_when_combined(context, access.ty, reduction.op) {
            return wrong(OVERFLOWS);
        }
        if is_logical(reduction.op) && !matches!(context.unit.types.get(access.ty), Type::Bool) {
            return wrong(&not_a_truth_value("the element"));
        }
        let element = Element {
            op: reduction.op,
            offset,
            size: access.size,
            count: 1,
        };
        if found.as_ref().is_some_and(|known| *known != element) {
            return wrong("it reduces into an element of storage of which it uses more");
        }
        found = Some(element);
    }
    match found {
        Some(element) => Ok((root, element)),
        None => wrong(unknown),
    }
}

/// Writes reductions into elements through scalars, as clauses where compilers take them, or else as atomic updates.
///
/// A clause takes elements of what a pointer variable of the function points to: sections of arrays in `reduction` are not
/// compiled right by clang 19, members by no compiler, and neither in OpenACC.
fn reduced_elements(
    context: Context<'_>,
    kernel: &mut Kernel,
    stmt: &Stmt,
    version: Version,
    promote: bool,
) -> Result<(), Cause> {
    let verdict = &context.facts.verdicts[kernel.index.0 as usize];
    for reduction in verdict.reductions.iter().filter(|one| one.variable.is_none()) {
        let promotion = promotion(context, kernel, stmt, reduction);
        let refused = match promotion {
            Ok((promoted, runs)) if promote => {
                kernel.promoted.push(promoted);
                kernel.runs.extend(runs);
                continue;
            }
            Ok(_) => None,
            Err(cause) => Some(cause),
        };
        if reduction.called {
            return Err(Cause::new(
                "a function that it calls updates the element that it reduces",
                reduction.at,
            ));
        }
        let clause = element(context, kernel.index, reduction).and_then(|(root, element)| {
            let named = is_named(context, kernel, root, &element) && !kernel.elements.contains_key(&root);
            match named && version.language() == Language::OpenMp {
                true => Ok((root, element)),
                false => {
                    let why = "it reduces into a member, or into an element that is not reached through a pointer variable of the function";
                    Err(Cause::new(why, reduction.at))
                }
            }
        });
        match clause {
            Ok((root, element)) => drop(kernel.elements.insert(root, element)),
            // No atomic update: what keeps it from being a clause says more.
            Err(cause) if !ferry_analysis::verdict::is_atomic(reduction.op) => {
                return Err(refused.unwrap_or(cause));
            }
            Err(_) => kernel.atomics.extend(atomic::statements(
                context,
                stmt,
                Whole::Update(reduction.op),
                &reduction.updates,
            )?),
        }
    }
    Ok(())
}

/// Writes reductions over sections as clauses: each thread has a copy of all elements, so there may be only a few, and all of them must be there.
fn reduced_sections(context: Context<'_>, kernel: &mut Kernel, version: Version) -> Result<(), Cause> {
    for section in &context.facts.verdicts[kernel.index.0 as usize].sections {
        let wrong = |why: &str| Err(Cause::new(why, section.at));
        if version.language() != Language::OpenMp {
            return wrong(
                "copies of a section of an array would have to be combined after it, which OpenACC does not do",
            );
        }
        let element = few_elements(context, kernel.index, section)?;
        if !is_named(context, kernel, section.root, &element) || kernel.elements.contains_key(&section.root) {
            return wrong(
                "it updates a section of an array that is not reached through a pointer variable of the function: of others no clause makes copies",
            );
        }
        kernel.elements.insert(section.root, element);
    }
    Ok(())
}

/// The elements that a loop updates, all of them whenever it runs, if a clause can make copies of them.
fn few_elements(
    context: Context<'_>,
    index: LoopIndex,
    section: &SectionReduction,
) -> Result<Element, Cause> {
    let wrong = |why: &str| Cause::new(why, section.at);
    let values = &context.facts.values;
    let mut found: Option<Element> = None;
    let accesses = context.accesses(index);
    for access in accesses.filter(|access| access.root == Some(section.root)) {
        if !is_plain(context, access.ty) {
            return Err(wrong(not_reduced(context, access.ty)));
        }
        if overflows_when_combined(context, access.ty, section.op) {
            return Err(wrong(OVERFLOWS));
        }
        if is_logical(section.op) && !matches!(context.unit.types.get(access.ty), Type::Bool) {
            return Err(wrong(&not_a_truth_value("an element")));
        }
        let bytes = certain(&values.symbols, &values.loops, access, index).and_then(|all| all.contiguous());
        let (low, high) =
            bytes.ok_or_else(|| wrong("it updates a section of an array, and perhaps not all of it"))?;
        let count = (&high - &low).as_constant().and_then(|bytes| bytes.to_i128());
        let count = count.and_then(|bytes| u64::try_from(bytes).ok());
        let count = count.and_then(|bytes| bytes.checked_div(access.size));
        let count = count.filter(|count| (1..=MOST_COPIES).contains(count)).ok_or_else(|| {
            wrong("it updates a section of an array of which each thread would need a copy, and that is long, or of unknown length")
        })?;
        let element = Element {
            op: section.op,
            offset: low,
            size: access.size,
            count,
        };
        if found.as_ref().is_some_and(|known| *known != element) {
            return Err(wrong("it updates several sections of one array"));
        }
        found = Some(element);
    }
    found.ok_or_else(|| wrong("it is not known what section it updates"))
}

/// True for an element of what a pointer variable of the function points to.
fn is_named(context: Context<'_>, kernel: &Kernel, root: Symbol, element: &Element) -> bool {
    let pointee = kernel
        .bases
        .get(&root)
        .filter(|base| base.pointer && base.member.is_none() && !base.walks)
        .and_then(|base| match base.variable {
            VariableRef::Local(id) => context.unit.types.pointee(context.function.local(id).ty),
            VariableRef::Global(_) => None,
        });
    pointee.is_some_and(|ty| {
        is_plain(context, ty) && context.unit.types.size(ty).map(i128::from) == Some(element.size.into())
    })
}

/// The name of a variable.
pub fn name_of(context: Context<'_>, variable: VariableRef) -> String {
    context.unit.name_of(context.function, variable).to_owned()
}

/// A loop variable that is used later is set after the kernel: its value on the host is not specified there.
fn loop_variable(
    context: Context<'_>,
    kernel: &mut Kernel,
    canonical: &ferry_analysis::canonical::Canonical,
    index: LoopIndex,
) -> Result<(), Cause> {
    let facts = &context.facts.values.loops[index.0 as usize];
    kernel.private.remove(&canonical.variable);
    if canonical.declared_inside {
        return Ok(());
    }
    if !is_used_after(context, facts.stmt, canonical.variable) {
        return Ok(());
    }
    let induction = facts
        .inductions
        .iter()
        .find(|found| found.variable == canonical.variable);
    let (Some(induction), Ok(trip)) = (induction, &facts.trip) else {
        return Err(Cause::new(
            "the value of the loop variable after the loop is not known",
            facts.origin,
        ));
    };
    if matches!(
        context.unit.types.get(type_of(context, canonical.variable)),
        Type::Pointer(_)
    ) {
        return Err(Cause::new(
            "the loop variable is a pointer that is used after the loop",
            facts.origin,
        ));
    }
    let value = induction.after(trip);
    if !is_held_by_host(context, index, canonical.variable, &value) {
        kernel.final_values.push((canonical.variable, value));
    }
    Ok(())
}

/// True where the host has this value in a variable before a kernel, and so behind it, as the kernel works on a copy. What another loop left there the host has not, where that is a kernel and
/// its last value was not used.
fn is_held_by_host(context: Context<'_>, index: LoopIndex, variable: VariableRef, value: &Expr) -> bool {
    let values = &context.facts.values;
    let of = &values.loops[index.0 as usize];
    let is_beside = |number: usize| {
        let other = LoopIndex(number as u32);
        !values.enclosing(index).any(|around| around == other)
            && !values.enclosing(other).any(|around| around == index)
    };
    let assigns = |other: &LoopFacts| match context.facts.scalars.get(&other.stmt) {
        Some(scalars) => scalars.assigned.contains(&variable),
        // One of a called function has no name of this one's variables.
        None => other.is_own(),
    };
    let mut others = values.loops.iter().enumerate();
    of.before.get(variable) == Some(value)
        && !others.any(|(number, other)| is_beside(number) && assigns(other))
}

/// What each iteration sets first is its own; the host sets it after the kernel, if it is used later.
fn stepped_variables(context: Context<'_>, kernel: &mut Kernel, index: LoopIndex) -> Result<(), Cause> {
    let facts = &context.facts.values.loops[index.0 as usize];
    let left_out = kernel.head.iter().flat_map(|head| &head.left_out);
    for one in kernel.stepped.iter().chain(left_out) {
        if kernel.steps(one.variable) && !kernel.declares(one.variable) {
            kernel.private.insert(one.variable);
        }
        if is_used_after(context, facts.stmt, one.variable) {
            let trip = facts.trip.as_ref().map_err(Clone::clone)?;
            let value = one.after(trip);
            if !is_held_by_host(context, index, one.variable, &value) {
                kernel.final_values.push((one.variable, value));
            }
        }
    }
    Ok(())
}

/// The type of a variable.
pub fn type_of(context: Context<'_>, variable: VariableRef) -> ferry_ir::TypeId {
    match variable {
        VariableRef::Global(id) => context.unit.global(id).ty,
        VariableRef::Local(id) => context.function.local(id).ty,
    }
}

/// Names every piece of storage that the kernel touches by one variable.
fn bases(context: Context<'_>, kernel: &mut Kernel, stmt: &Stmt) -> Result<(), Cause> {
    let values = &context.facts.values;
    let facts = &values.loops[kernel.index.0 as usize];
    let mut touched: BTreeMap<Symbol, ferry_source::Origin> = BTreeMap::new();
    for access in context.accesses(kernel.index) {
        let Some(root) = access.root else {
            return Err(Cause::new(
                "it is not known what storage is touched",
                access.origin,
            ));
        };
        // A pointer that was chosen before the loop is another variable than those that name what it may lead to, and would stay the host's.
        let chosen_before = |choice: &Choice| {
            let mut through = choice.through.iter();
            through.any(|symbol| !values.symbols.varies_in(*symbol, facts.stmt))
        };
        if access.choice.as_deref().is_some_and(chosen_before) {
            return Err(Cause::new(
                "a pointer leads to one object or another, and was chosen before the loop",
                access.origin,
            ));
        }
        touched.entry(root).or_insert(access.origin);
    }
    for (root, at) in &touched {
        if let SymbolKind::Address(VariableRef::Global(id)) = values.symbols.info(*root).kind
            && context.unit.global(id).thread_local
        {
            return Err(Cause::new(
                "it uses a variable that every thread has for itself",
                *at,
            ));
        }
    }
    let pointers = pointers_used(context, stmt, kernel.index);
    scratch::refused(context, kernel.index, stmt, &pointers)?;
    let mut mentioned = mentioned_variables(stmt);
    mentioned.extend(
        called::globals(context.unit, stmt)
            .into_iter()
            .map(VariableRef::Global),
    );
    let nested = Found::of(context, kernel.index)?;
    for (root, at) in touched {
        if values.symbols.varies_in(root, facts.stmt) {
            return Err(changing(context, root, at));
        }
        let mut reaching = pointers.iter().filter(|(_, value)| value.mentions(root));
        let base = nested.base(context, root, &pointers)?;
        if let SymbolKind::Address(variable) = values.symbols.info(root).kind {
            let by_name = mentioned.contains(&variable);
            let by_pointer = base.is_some() || reaching.clone().next().is_some();
            if by_pointer && (by_name || context.is_scalar_object(root).is_some()) {
                return Err(another_name(at));
            }
            if !by_pointer {
                // A pointer variable in memory is read as a copy; what it points to has its own root.
                let base = Base {
                    variable,
                    pointer: false,
                    shift: Expr::zero(),
                    member: None,
                    walks: false,
                };
                kernel.bases.insert(root, base);
                continue;
            }
        }
        if let Some(base) = base {
            kernel.bases.insert(root, base);
            continue;
        }
        let Some((variable, value)) = reaching.next() else {
            return Err(Cause::new(
                "it is reached through a pointer that no variable holds",
                at,
            ));
        };
        if reaching.next().is_some() {
            return Err(another_name(at));
        }
        let base = Base {
            variable: *variable,
            pointer: true,
            shift: value - &Expr::symbol(root),
            member: None,
            walks: kernel.steps(*variable),
        };
        kernel.bases.insert(root, base);
    }
    for (root, base) in &kernel.bases {
        let types = &context.unit.types;
        let to = types
            .pointee(nested::type_of_base(context, base))
            .filter(|_| base.pointer);
        if to.is_some_and(|to| matches!(types.get(to), Type::Void)) {
            let why = "it is reached through a pointer to void, of which no clause can name a section";
            return Err(Cause::new(why, values.symbols.info(*root).at));
        }
    }
    let runs = nested::conditions(context, kernel, &nested)?;
    kernel.runs.extend(runs);
    Ok(())
}

/// A clause names storage once. gcc 12 looks up other pointers before it maps what the clause names, and neither compiler
/// finds one that points in front of the section.
fn another_name(at: ferry_source::Origin) -> Cause {
    Cause::new("the same storage is reached by different names", at)
}

/// Why storage cannot be mapped whose pointer is another one in each iteration.
fn changing(context: Context<'_>, root: Symbol, at: ferry_source::Origin) -> Cause {
    let why = match context.facts.values.symbols.info(root).kind {
        SymbolKind::Loaded { .. } => {
            "a pointer is loaded in the loop, and may be another one in each iteration: the data behind it are nested"
        }
        _ => "a pointer is another one in each iteration",
    };
    Cause::new(why, at)
}

/// The pointer variables of outside that the loop reads, with their values before it.
fn pointers_used(context: Context<'_>, stmt: &Stmt, index: LoopIndex) -> Vec<(VariableRef, Expr)> {
    let facts = &context.facts.values.loops[index.0 as usize];
    let verdict = &context.facts.verdicts[index.0 as usize];
    let mut variables = BTreeSet::new();
    stmt.walk(&mut |inner| {
        inner.for_each_expression(&mut |expr| {
            expr.walk(&mut |code: &Code| {
                let ExprKind::Load(place) = &code.kind else { return };
                let Some(variable) = place.as_variable() else {
                    return;
                };
                if matches!(context.unit.types.get(place.ty), Type::Pointer(_)) {
                    variables.insert(variable);
                }
            });
        });
    });
    let mut found = Vec::new();
    for variable in variables {
        if verdict.inside.contains(&variable) {
            continue;
        }
        if let Some(value) = value_before(context, &facts.before, variable) {
            found.push((variable, value));
        }
    }
    found
}

/// Value of a pointer variable at a state, from the variable or from memory.
pub fn value_before(context: Context<'_>, state: &State, variable: VariableRef) -> Option<Expr> {
    if let Some(value) = state.get(variable) {
        return Some(value.clone());
    }
    if let VariableRef::Global(global) = variable
        && let Some(value) = context.facts.values.constant_pointers.get(&global)
    {
        return Some(value.clone());
    }
    let address = context.facts.values.addresses.get(&variable)?;
    let address = Expr::symbol(*address);
    let symbols = &context.facts.values.symbols;
    let cell = ferry_analysis::state::Cell {
        address: address.clone(),
        size: 8,
        signed: None,
    };
    if let Some(value) = state.cells.get(&cell) {
        return Some(value.clone());
    }
    // Loaded for the first time in the loop and not changed there: the loop found what was there before.
    let found = (0..symbols.len() as u32).map(Symbol).filter(|symbol| {
        matches!(&symbols.info(*symbol).kind, SymbolKind::Loaded { address: at, .. } if *at == address)
            && context
                .facts
                .values
                .loops
                .iter()
                .all(|of| !symbols.varies_in(*symbol, of.stmt))
    });
    // Others are left from scans of loops, in which nothing was kept but what changes.
    let leads = |symbol: &Symbol| {
        let mut accesses = context.facts.values.accesses.iter();
        accesses.any(|access| access.root == Some(*symbol))
    };
    let found: Vec<Symbol> = found.collect();
    let used = found.iter().find(|symbol| leads(symbol));
    used.or(found.first()).map(|symbol| Expr::symbol(*symbol))
}

/// The loops of a perfect rectangular nest of parallel loops that starts here.
pub fn collapse(context: Context<'_>, stmt: &Stmt, index: LoopIndex) -> Vec<LoopIndex> {
    let facts = &context.facts.values.loops[index.0 as usize];
    let mut nest = vec![index];
    let mut current = stmt;
    loop {
        let StmtKind::Loop(inner) = &current.kind else {
            return nest;
        };
        let Some(next) = only_loop(&inner.body) else {
            return nest;
        };
        let position = context
            .facts
            .values
            .loops
            .iter()
            .position(|other| other.stmt == next.id);
        let Some(position) = position else { return nest };
        let other = &context.facts.values.loops[position];
        let verdict = &context.facts.verdicts[position];
        let rectangular = other
            .trip
            .as_ref()
            .is_ok_and(|trip| context.facts.values.symbols.invariant_in(trip, facts.stmt))
            && other.inductions.iter().all(|induction| {
                context
                    .facts
                    .values
                    .symbols
                    .invariant_in(&induction.start, facts.stmt)
            });
        let is_reduced_around = |reduction: &Reduction| {
            let mut around = context.facts.verdicts[index.0 as usize].reductions.iter();
            reduction.variable.is_some()
                && around.any(|one| one.variable == reduction.variable && one.op == reduction.op)
        };
        let plain = verdict.is_free()
            && verdict.reductions.iter().all(is_reduced_around)
            && verdict.inductions.is_empty()
            && verdict.canonical.as_ref().is_ok_and(|canonical| {
                canonical.declared_inside || !is_used_after(context, next.id, canonical.variable)
            })
            && next.origin.span().is_some();
        // Conditions of the inner loop must be among those of the kernel.
        let outer = &context.facts.verdicts[index.0 as usize];
        let is_atomic = |stmt: &StmtId| outer.atomics.iter().any(|object| object.updates.contains(stmt));
        let covered = verdict.disjoint.is_subset(&outer.disjoint)
            && verdict
                .atomics
                .iter()
                .all(|object| object.updates.iter().all(is_atomic))
            && verdict
                .conditions
                .iter()
                .all(|own| outer.conditions.contains(own))
            && verdict.sorted.is_empty()
            && verdict.rows.is_empty();
        // What its iterations need copies of, the clauses of the kernel must have: copies for the outer loop alone are not enough.
        let counter = verdict.canonical.as_ref().map(|canonical| canonical.variable);
        let is_own = |variable: &&VariableRef| {
            Ok(**variable) == counter || outer.private.contains(variable) || outer.inside.contains(variable)
        };
        let copied =
            verdict.private.iter().all(|variable| is_own(&variable)) && verdict.last_private.is_empty();
        let covered = covered && copied;
        // Bounds that do not change, but are written with an outer counter (`j < i` that never holds, `j < m + i * 0`): compilers
        // go by the text.
        let named = named_in_head(current, next.id);
        let by_itself = nest.iter().all(|around| {
            let canonical = context.facts.verdicts[around.0 as usize].form();
            canonical.is_ok_and(|canonical| !named.contains(&canonical.variable))
        });
        if !rectangular || !by_itself || !plain || !covered {
            return nest;
        }
        nest.push(LoopIndex(position as u32));
        current = next;
    }
}

/// How many of the loops that run together have bounds without the variables that clauses make copies of: compilers take the copy, which holds nothing yet
/// (`for (i = n - 1; …) n = i;` with `private(n)`).
fn loops_with_fixed_bounds(
    context: Context<'_>,
    kernel: &Kernel,
    stmt: &Stmt,
    collapsed: &[LoopIndex],
) -> usize {
    let counters: BTreeSet<VariableRef> = collapsed
        .iter()
        .filter_map(|index| context.facts.verdicts[index.0 as usize].form().ok())
        .map(|canonical| canonical.variable)
        .collect();
    let copies: BTreeSet<VariableRef> = kernel
        .private
        .iter()
        .chain(kernel.results.keys())
        .filter(|variable| !counters.contains(variable))
        .copied()
        .collect();
    let is_fixed = |index: &LoopIndex| {
        let of = &context.facts.values.loops[index.0 as usize];
        let taken = kernel.head.as_ref().filter(|_| *index == kernel.index);
        let mut named = named_in_head(stmt, of.stmt);
        named.retain(|variable| !taken.is_some_and(|head| head.others.contains(variable)));
        named.is_disjoint(&copies)
    };
    collapsed.iter().take_while(|index| is_fixed(index)).count()
}

/// The variables that the head of one loop in a statement names.
fn named_in_head(stmt: &Stmt, of: StmtId) -> BTreeSet<VariableRef> {
    let mut named = BTreeSet::new();
    stmt.walk(&mut |inner| {
        if let StmtKind::Loop(own) = &inner.kind
            && inner.id == of
        {
            for part in own.init.iter().chain(&own.before_test).chain(&own.step) {
                named.extend(mentioned_variables(part));
            }
            if let Some(test) = &own.condition {
                expression_variables(test, &mut named);
            }
        }
    });
    named
}

/// How many loops a kernel's directive collapses.
///
/// gcc 12 multiplies the spans of collapsed OpenACC loops as they are: two negative ones make a positive number of
/// iterations. So all spans but one must be constants there. OpenMP loops do not have that fault.
pub fn collapsed(context: Context<'_>, kernel: &Kernel, version: Version) -> usize {
    if version.language() != Language::OpenAcc {
        return kernel.collapse;
    }
    let loops = &context.facts.values.loops;
    let (mut unknown, mut current) = (0, kernel.index);
    for _ in 0..kernel.collapse {
        let trip = loops[current.0 as usize].trip.as_ref();
        if !trip.is_ok_and(|trip| trip.as_constant().is_some()) {
            unknown += 1;
        }
        match loops
            .iter()
            .position(|of| of.is_own() && of.parent == Some(current))
        {
            Some(position) => current = LoopIndex(position as u32),
            None => break,
        }
    }
    if unknown > 1 { 1 } else { kernel.collapse }
}

/// Loop variables of the collapsed loops: private by themselves.
pub fn collapsed_variables(context: Context<'_>, kernel: &Kernel, version: Version) -> Vec<VariableRef> {
    let loops = &context.facts.values.loops;
    let mut found = Vec::new();
    let mut current = kernel.index;
    for _ in 0..collapsed(context, kernel, version) {
        if let Ok(canonical) = context.facts.verdicts[current.0 as usize].form() {
            found.push(canonical.variable);
        }
        match loops
            .iter()
            .position(|of| of.is_own() && of.parent == Some(current))
        {
            Some(position) => current = LoopIndex(position as u32),
            None => break,
        }
    }
    found
}

/// True for a variable that may be reached by more than its name in the function.
pub(crate) fn is_in_memory(context: Context<'_>, variable: VariableRef) -> bool {
    match variable {
        VariableRef::Local(id) => context.function.local(id).address_taken,
        VariableRef::Global(_) => true,
    }
}

/// True for what the front end made and the text does not know.
pub fn is_temporary(context: Context<'_>, variable: VariableRef) -> bool {
    matches!(variable, VariableRef::Local(id) if context.function.local(id).kind.is_made())
}

/// True if the value that a variable has behind a loop is used.
pub(crate) fn is_used_after(context: Context<'_>, of: StmtId, variable: VariableRef) -> bool {
    context
        .facts
        .scalars
        .get(&of)
        .is_some_and(|scalars| scalars.live_after.contains(&variable))
}

/// The loop that is all there is in a body, without braces between as gcc demands (a block with one statement is
/// fine for both compilers).
pub(crate) fn only_loop(body: &Stmt) -> Option<&Stmt> {
    match &body.kind {
        StmtKind::Loop(_) => Some(body),
        StmtKind::Block { body, .. } => match body.as_slice() {
            [one] => only_loop(one),
            _ => None,
        },
        _ => None,
    }
}

/// The bytes of each root that a kernel may touch, seen from before the loops `inside`, where `facts` hold.
pub fn parts(
    context: Context<'_>,
    kernel: &Kernel,
    inside: &[LoopIndex],
    facts: &Facts,
) -> Result<BTreeMap<Symbol, Part>, Cause> {
    let values = &context.facts.values;
    let mut found: BTreeMap<Symbol, Vec<Part>> = BTreeMap::new();
    for access in context.accesses(kernel.index) {
        let Some(root) = access.root.filter(|_| !kernel.promotes(access)) else {
            continue;
        };
        let hull = values.hull(access, inside)?;
        let part = values.part(&context.unit.types, access, hull, inside, facts);
        found.entry(root).or_default().push(part);
    }
    let joined = |(root, parts): (Symbol, Vec<Part>)| Some((root, joined::join_all(&parts, facts)?));
    Ok(found.into_iter().filter_map(joined).collect())
}

/// Whether all names that a kernel's clauses need are visible.
pub fn visible(kernel: &Kernel, scope: &Scope) -> Option<VariableRef> {
    let scalars = kernel.private.iter().chain(kernel.results.keys());
    let bases = kernel.bases.values().map(|base| &base.variable);
    scalars
        .chain(bases)
        .copied()
        .find(|variable| !scope.sees(*variable))
}
