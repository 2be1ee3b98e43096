//! Which values in memory may be read again at the entry of an environment, by the text that read them before?
//!
//! A bound like `s->n` is written as the program writes it. That is right only if the memory still holds the value, the
//! names in the text mean what they meant, and the program itself would have read it there: a pointer may be null where
//! a loop does not run. What the user says how much storage a member leads to promises that the member can be read, too.

use crate::environment::Environment;
use crate::kernel::{Context, type_of};
use ferry_analysis::access::Access;
use ferry_analysis::alias::may_overlap;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::state::{Cell, State};
use ferry_analysis::symbols::SymbolKind;
use ferry_ir::flow::Flow;
use ferry_ir::visit::Statements;
use ferry_ir::{
    Expr as Code, ExprKind, LoopKind, Place, PlaceBase, Projection, StmtId, StmtKind, Type, TypeId,
    VariableRef,
};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The symbols of loads that may be written at the entry.
pub fn allowed(context: Context<'_>, environment: &Environment, state: &State) -> BTreeSet<Symbol> {
    let symbols = &context.facts.values.symbols;
    let all = (0..symbols.len() as u32).map(Symbol);
    let before = OnceCell::new();
    let is_touched = |address: &Expr, size: u64| {
        let before = before.get_or_init(|| Before::of(context));
        before.touches(address, size, environment.at)
    };
    let members = OnceCell::new();
    let is_beside = |at: Origin| {
        let members: &Members = members.get_or_init(|| Members::of(context, environment));
        members.is_beside_one_in_first_test(at)
    };
    all.filter(|symbol| is_allowed(context, environment, state, *symbol, &is_touched, &is_beside))
        .collect()
}

/// `is_touched` is asked whether the program has certainly touched what is known of memory, `is_beside` for what [`Members::is_beside_one_in_first_test`] says, if nothing else allows the load.
fn is_allowed(
    context: Context<'_>,
    environment: &Environment,
    state: &State,
    symbol: Symbol,
    is_touched: &dyn Fn(&Expr, u64) -> bool,
    is_beside: &dyn Fn(Origin) -> bool,
) -> bool {
    let values = &context.facts.values;
    let info = values.symbols.info(symbol);
    let SymbolKind::Loaded { address, size } = &info.kind else {
        return false;
    };
    // Pointers in structures were looked at when the environment was decided.
    let nested = |kernel: &crate::kernel::Kernel| {
        let base = kernel.bases.get(&symbol);
        base.is_some_and(|base| {
            base.member
                .as_ref()
                .is_some_and(|member| member.address == *address)
        })
    };
    if environment.kernels.iter().any(nested) {
        return true;
    }
    let direct = is_variable(context, address);
    let in_object = || is_in_object(context, address, *size) && has_stable_text(context, info.at);
    let Some(ty) = info.ty else { return false };
    let cell = Cell::new(&context.unit.types, address.clone(), *size, ty);
    if state.cells.get(&cell) == Some(&Expr::symbol(symbol)) {
        // That it is known does not say that it is there: an earlier loop may have read it that did not run.
        let is_there =
            || is_in_object(context, address, *size) || is_touched(address, *size) || is_beside(info.at);
        // What only the user has named so far is no more stable than what the user said.
        let read = values
            .symbols
            .promise(symbol)
            .is_none_or(|promised| !promised.first);
        return direct
            || values.symbols.promised(symbol, state).is_some()
            || read && has_stable_text(context, info.at) && is_there();
    }
    let kernels = || environment.kernels.iter().map(|kernel| kernel.index);
    let mut of_kernels = kernels().flat_map(|index| context.accesses(index));
    // What the host reads between the kernels is nothing that they touch, and nobody else looks whether it changes.
    if !of_kernels.any(|access| access.origin == info.at) {
        return direct && stays_from_the_entry(context, environment, symbol, address);
    }
    // Found in memory by a kernel, in a loop that does not change it.
    let first = kernels()
        .flat_map(|index| context.accesses(index))
        .map(|access| access.order)
        .min();
    let outside = environment
        .kernels
        .first()
        .map_or(0, |kernel| values.loops[kernel.index.0 as usize].depth);
    if first.is_none_or(|first| info.order < first) || info.loops.len() > outside {
        return false;
    }
    let root = root_of(context, address);
    let unwritten = kernels()
        .flat_map(|index| context.accesses(index))
        .filter(|access| access.is_write())
        .all(|write| root.is_some_and(|root| left_alone(context, ty, root, write).is_some()));
    let single = environment.kernels.len() == 1;
    if !(unwritten || single) {
        return false;
    }
    // A variable, and a part of one, can always be read; anything else only where the program certainly reads it, or a part of the same structure.
    direct
        || in_object()
        || (single
            && (in_first_test(context, environment, info.at) || is_beside(info.at))
            && has_stable_text(context, info.at))
}

/// True if a variable is read inside of the environment, nothing of which changes it: it has that value at the entry. A condition around a kernel reads it before the kernel does.
fn stays_from_the_entry(
    context: Context<'_>,
    environment: &Environment,
    symbol: Symbol,
    address: &Expr,
) -> bool {
    let values = &context.facts.values;
    let info = values.symbols.info(symbol);
    let is_inside = |at: Origin| at.text().is_some_and(|at| environment.span.contains(at));
    let Some(root) = address.as_symbol().filter(|_| is_inside(info.at)) else {
        return false;
    };
    let mut inside: BTreeSet<StmtId> = BTreeSet::new();
    if let Some(body) = &context.function.body {
        body.walk(&mut |stmt| {
            // Parts of a statement may come out of macros, which have no place of their own.
            if is_inside(stmt.origin) {
                stmt.walk(&mut |part| {
                    inside.insert(part.id);
                });
            }
        });
    }
    let reach = context.reach();
    let may_be = |other: Symbol| other == root || may_overlap(&reach, other, root);
    let mut writes = values.accesses.iter().filter(|access| access.is_write());
    let mut effects = values.effects.iter();
    !info.loops.iter().any(|of| inside.contains(of))
        && !writes.any(|write| inside.contains(&write.stmt) && write.root.is_none_or(may_be))
        && !effects.any(|effect| {
            let writes = effect.writes.as_ref();
            inside.contains(&effect.stmt) && writes.is_none_or(|all| all.iter().copied().any(may_be))
        })
}

/// True if a write leaves a value of this type, somewhere in the storage of a root, alone for no other reason than its type; `None` if it may change it.
pub(crate) fn left_alone(context: Context<'_>, ty: TypeId, root: Symbol, write: &Access) -> Option<bool> {
    if !may_overlap(&context.reach(), root, write.root?) {
        return Some(false);
    }
    scalars_apart(context, ty, write.ty).then_some(true)
}

/// Objects of a pointer or integer type are not changed by stores of a floating type (C11 6.5p7), and so on.
fn scalars_apart(context: Context<'_>, a: TypeId, b: TypeId) -> bool {
    let types = &context.unit.types;
    if context.unit.dialect.no_strict_aliasing {
        return false;
    }
    match (types.get(a), types.get(b)) {
        (Type::Int { bits, .. }, Type::Float { .. } | Type::Complex { .. }) => *bits != 8,
        (Type::Pointer(_), Type::Float { .. } | Type::Complex { .. }) => true,
        (Type::Pointer(_), Type::Int { bits, .. }) => *bits != 8,
        _ => false,
    }
}

/// What a function has certainly done before.
pub(crate) struct Before<'a> {
    context: Context<'a>,
    flow: Flow<'a>,
    statements: Statements<'a>,
}

impl<'a> Before<'a> {
    pub(crate) fn of(context: Context<'a>) -> Before<'a> {
        Before {
            context,
            flow: Flow::of(context.unit, context.function),
            statements: Statements::of(context.function),
        }
    }

    /// True if the program has certainly read or written a place in memory whenever it comes to a statement, or does so there first.
    pub(crate) fn touches(&self, address: &Expr, size: u64, at: StmtId) -> bool {
        let values = &self.context.facts.values;
        let is_it = |access: &&Access| {
            access.address.as_ref() == Some(address)
                && access.size >= size
                && access.called.is_none()
                && access.summary.is_none()
                && access.guards_outside == access.guards.len()
        };
        let mut touched = values.accesses.iter().filter(is_it);
        touched.any(|access| self.is_first(access) && self.flow.is_always_before(access.stmt, at))
    }

    /// True if nothing of its statement comes before it that may be left, or come to other statements: not for the test of a `do`.
    fn is_first(&self, access: &Access) -> bool {
        match self.statements.get(access.stmt).map(|stmt| &stmt.kind) {
            Some(StmtKind::Loop(of)) => {
                let index = access.loops.last();
                of.kind != LoopKind::Do && index.is_some_and(|index| is_in_test(self.context, *index, access))
            }
            Some(_) => true,
            None => false,
        }
    }
}

/// True for what the test of a loop evaluates: at least once, whenever the loop is reached.
pub(crate) fn is_in_test(context: Context<'_>, index: LoopIndex, access: &Access) -> bool {
    let of = &context.facts.values.loops[index.0 as usize];
    access.stmt == of.stmt && access.loops.last() == Some(&index) && access.conditional_depth <= of.depth
}

fn root_of(context: Context<'_>, address: &Expr) -> Option<Symbol> {
    let symbols = &context.facts.values.symbols;
    let mut pointers = address
        .symbols()
        .into_iter()
        .filter(|symbol| symbols.info(*symbol).is_pointer(&context.unit.types));
    let root = pointers.next()?;
    pointers.next().is_none().then_some(root)
}

/// True for a scalar variable: its name is its text.
fn is_variable(context: Context<'_>, address: &Expr) -> bool {
    address.as_symbol().is_some_and(|symbol| {
        let types = &context.unit.types;
        matches!(context.facts.values.symbols.info(symbol).kind, SymbolKind::Address(variable)
            if types.is_scalar(type_of(context, variable)))
    })
}

/// True for bytes that certainly lie in a variable: an element with a constant subscript, a member.
fn is_in_object(context: Context<'_>, address: &Expr, size: u64) -> bool {
    let symbols = address.symbols();
    let Some(root) = symbols.iter().next().filter(|_| symbols.len() == 1) else {
        return false;
    };
    let SymbolKind::Address(variable) = context.facts.values.symbols.info(*root).kind else {
        return false;
    };
    let offset = (address - &Expr::symbol(*root))
        .as_constant()
        .and_then(|offset| offset.to_i64());
    let whole = context.unit.types.size(type_of(context, variable));
    match (offset.and_then(|offset| u64::try_from(offset).ok()), whole) {
        (Some(offset), Some(whole)) => offset.checked_add(size).is_some_and(|end| end <= whole),
        _ => false,
    }
}

/// True if the load is evaluated by the test of the environment's first loop: at least once, whenever it is reached.
fn in_first_test(context: Context<'_>, environment: &Environment, at: Origin) -> bool {
    let values = &context.facts.values;
    let Some(kernel) = environment.kernels.first() else {
        return false;
    };
    let of = &values.loops[kernel.index.0 as usize];
    if of.stmt != environment.at {
        return false;
    }
    let mut accesses = values.accesses.iter();
    accesses.any(|access| access.origin == at && is_in_test(context, kernel.index, access))
}

/// Members of what pointer variables point to (`p->stride`), as a function reads them.
struct Members {
    /// Where each is read, and by which variable.
    reads: Vec<(Origin, VariableRef)>,
    /// The variables by which the test of the environment's first loop reads one.
    in_first_test: BTreeSet<VariableRef>,
}

impl Members {
    fn of(context: Context<'_>, environment: &Environment) -> Members {
        let mut reads: Vec<(Origin, VariableRef)> = Vec::new();
        let mut add = |inner: &Code| {
            if let ExprKind::Load(place) = &inner.kind
                && let PlaceBase::Deref(pointer) = &place.base
                && let Some(variable) = pointer.as_variable()
                && !place.path.is_empty()
                && place.path.iter().all(|step| matches!(step, Projection::Field(_)))
            {
                reads.push((place.origin, variable));
            }
        };
        if let Some(body) = &context.function.body {
            body.walk(&mut |stmt| stmt.for_each_expression(&mut |expr| expr.walk(&mut add)));
        }
        let first = reads
            .iter()
            .filter(|(origin, _)| in_first_test(context, environment, *origin));
        let in_first_test = first.map(|(_, variable)| *variable).collect();
        Members { reads, in_first_test }
    }

    /// True for a read of a member if the test of the environment's first loop reads a member of the same structure, by the same variable: then the whole
    /// structure is there.
    fn is_beside_one_in_first_test(&self, at: Origin) -> bool {
        let own = self.reads.iter().find(|(origin, _)| *origin == at);
        own.is_some_and(|(_, variable)| self.in_first_test.contains(variable))
    }
}

/// True if every variable in the text of a load keeps one value in the function: parameters that are never assigned,
/// and variables that are assigned once, outside loops.
fn has_stable_text(context: Context<'_>, at: Origin) -> bool {
    let Some(body) = &context.function.body else {
        return false;
    };
    let mut mentioned: Option<BTreeSet<VariableRef>> = None;
    body.walk(&mut |stmt| {
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner: &Code| {
                if let ExprKind::Load(place) = &inner.kind
                    && place.origin == at
                {
                    mentioned.get_or_insert_with(|| variables(place));
                }
            });
        });
    });
    let Some(mentioned) = mentioned else { return false };
    mentioned.iter().all(|variable| {
        let VariableRef::Local(local) = variable else {
            return true;
        };
        let mut assignments = 0;
        let mut loops = Vec::new();
        count_assignments(body, *variable, false, &mut assignments, &mut loops);
        let parameter = local.0 < context.function.parameters;
        !context.function.local(*local).address_taken
            && loops.is_empty()
            && (assignments == 0 || (assignments == 1 && !parameter))
    })
}

fn variables(place: &Place) -> BTreeSet<VariableRef> {
    let mut found = BTreeSet::new();
    place.for_each_child(&mut |expr| {
        expr.walk(&mut |inner| found.extend(inner.as_variable()));
    });
    found
}

fn count_assignments(
    stmt: &ferry_ir::Stmt,
    variable: VariableRef,
    in_loop: bool,
    count: &mut usize,
    loops: &mut Vec<StmtId>,
) {
    if stmt.written_place().and_then(Place::as_variable) == Some(variable) {
        *count += 1;
        if in_loop {
            loops.push(stmt.id);
        }
    }
    let in_loop = in_loop || matches!(stmt.kind, StmtKind::Loop(_));
    for child in stmt.children() {
        count_assignments(child, variable, in_loop, count, loops);
    }
}
