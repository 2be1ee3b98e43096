//! How is storage named that a kernel reaches through a pointer in a structure, and when can it be mapped?
//!
//! `c->data[i]` is mapped as two objects: the structure, `c[0:1]`, and what its member points to, `c->data[0:n]`. Both
//! compilers then set the member of the device's copy to the device's copy of the data ("attachment", OpenMP 5.0 2.19.7.1,
//! OpenACC 2.6 2.6.4), and do not bring that address back. What was tried with clang 19 and gcc 12, each on a second memory,
//! bounds what is done here:
//! - without the whole structure, gcc 12 sets no pointer, or a wrong one (`map(to: c->size)`, or none of `c`);
//! - a section of no elements ends the program ("pointer target not mapped for attach", gcc 12): there must be one;
//! - elements of arrays (`c[k].data`), arrays of pointers (`c->p[1]`), members of members (`c->in.data`), and structures
//!   behind a global pointer are compiled to wrong programs by one or both;
//! - gcc 12 dies of `target data` and `acc data` with data behind a pointer variable (`c->data`), not of a structure's own
//!   name (`s.data`); of OpenACC, it rejects `s` beside `s.data`.
//!
//! What it cannot do: rows that are found by a load in the loop (`pp[i][j]`), and more than one level.

use crate::kernel::{Base, Context, Kernel, type_of};
use ferry_analysis::access::Access;
use ferry_analysis::alias::may_overlap;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::state::{Cell, State};
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_ir::visit::Statements;
use ferry_ir::{Expr as Code, ExprKind, RecordId, Stmt, StmtKind, Type, TypeId, Types, UnaryOp, VariableRef};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The member by which storage is reached, of a structure that a variable is or points to.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The structure's storage.
    pub parent: Symbol,
    /// Where the pointer is.
    pub address: Expr,
    /// The structure's type.
    pub record: RecordId,
    /// Number of the member.
    pub field: u32,
    /// The variable points to the structure (else it is the structure).
    pub arrow: bool,
}

const NOT_KNOWN: &str = "it is not known where a pointer in memory points to";

/// True if pointers that a statement finds in memory are stored in memory again, or compared: nothing follows them.
fn only_moves(types: &Types, stmt: &Stmt) -> bool {
    let kept = match &stmt.kind {
        StmtKind::Assign { place, value } => (place.as_variable().is_none()).then_some(value),
        StmtKind::If { condition, .. } => Some(condition),
        StmtKind::Loop(of) => of.condition.as_ref(),
        _ => None,
    };
    let mut moves = true;
    stmt.for_each_expression(&mut |code| {
        moves &= is_kept(types, code, kept.is_some_and(|kept| std::ptr::eq(kept, code)));
    });
    moves
}

/// True if each pointer in memory that an expression reads is its value, where that `may_be` one, or is compared.
fn is_kept(types: &Types, code: &Code, may_be: bool) -> bool {
    match &code.kind {
        ExprKind::Cast(operand) => is_kept(types, operand, may_be),
        ExprKind::Unary(UnaryOp::Not, operand) => is_kept(types, operand, true),
        ExprKind::Logical(_, left, right) => is_kept(types, left, true) && is_kept(types, right, true),
        ExprKind::Binary(op, left, right) if op.is_comparison() => {
            is_kept(types, left, true) && is_kept(types, right, true)
        }
        ExprKind::Select(condition, left, right) => {
            is_kept(types, condition, true) && is_kept(types, left, may_be) && is_kept(types, right, may_be)
        }
        kind => {
            let is_found = matches!(kind, ExprKind::Load(place) if place.as_variable().is_none())
                && matches!(types.get(code.ty), Type::Pointer(_));
            let mut kept = !is_found || may_be;
            code.for_each_child(&mut |child| kept &= is_kept(types, child, false));
            kept
        }
    }
}

/// Pointers that a kernel finds in memory: by the address of each, the values and the reads.
pub struct Found<'a> {
    pointers: Vec<(&'a Access, Vec<Expr>)>,
}

impl<'a> Found<'a> {
    /// Those of one kernel. Pointer variables in memory have their own names and are not among them.
    pub fn of(context: Context<'a>, index: LoopIndex) -> Result<Found<'a>, Cause> {
        let values = &context.facts.values;
        let before = &values.loops[index.0 as usize].before;
        let orders = || context.accesses(index).map(|access| access.order);
        let (first, last) = (orders().min().unwrap_or(0), orders().max().unwrap_or(0));
        let mut loaded: BTreeMap<&Expr, Vec<Symbol>> = BTreeMap::new();
        for (number, info) in values.symbols.iter().enumerate() {
            if let SymbolKind::Loaded { address, .. } = &info.kind
                && (first..=last).contains(&info.order)
            {
                loaded.entry(address).or_default().push(Symbol(number as u32));
            }
        }
        let mut pointers: Vec<(&Access, Vec<Expr>)> = Vec::new();
        for access in context.accesses(index) {
            let is_pointer = matches!(context.unit.types.get(access.ty), Type::Pointer(_));
            let own = access
                .root
                .is_some_and(|root| context.is_scalar_object(root).is_some());
            if access.is_write() || !is_pointer || own {
                continue;
            }
            let Some(address) = &access.address else {
                return Err(Cause::new(
                    "it is not known where a pointer is found",
                    access.origin,
                ));
            };
            let cell = Cell::new(&context.unit.types, address.clone(), access.size, access.ty);
            let mut held: Vec<Expr> = before.cells.get(&cell).cloned().into_iter().collect();
            held.extend(
                loaded
                    .get(address)
                    .into_iter()
                    .flatten()
                    .copied()
                    .map(Expr::symbol),
            );
            if held.is_empty() {
                return Err(Cause::new(NOT_KNOWN, access.origin));
            }
            pointers.push((access, held));
        }
        Ok(Found { pointers })
    }

    /// Each pointer leads to storage that the kernel touches by this name, as far as its values tell, or is only moved. Else an element of a table of pointers was found to lead into an
    /// object that the loop reaches otherwise, and the device would follow the host's address.
    pub fn lead_to(&self, context: Context<'_>, bases: &BTreeMap<Symbol, Base>) -> Result<(), Cause> {
        let statements = OnceCell::new();
        for (access, held) in &self.pointers {
            let mut values = held.iter();
            let followed = values.any(|value| bases.keys().any(|root| value.mentions(*root)));
            let is_moved = || {
                let statements = statements.get_or_init(|| Statements::of(context.function));
                let stmt = statements.get(access.stmt).filter(|_| access.called.is_none());
                stmt.is_some_and(|stmt| only_moves(&context.unit.types, stmt))
            };
            if !followed && !is_moved() {
                return Err(Cause::new(NOT_KNOWN, access.origin));
            }
        }
        Ok(())
    }

    /// The reads of pointers to the storage of a root.
    fn to(&self, root: Symbol) -> impl Iterator<Item = (&'a Access, &Expr)> {
        self.pointers.iter().filter_map(move |(access, held)| {
            let value = held.iter().find(|value| value.mentions(root))?;
            Some((*access, value))
        })
    }

    /// How the storage is named, if a pointer to it is found in memory. `variables` are the pointers of outside that the
    /// loop reads, with their values.
    pub fn base(
        &self,
        context: Context<'_>,
        root: Symbol,
        variables: &[(VariableRef, Expr)],
    ) -> Result<Option<Base>, Cause> {
        let mut base: Option<Base> = None;
        for (access, value) in self.to(root) {
            if variables.iter().any(|(_, held)| held.mentions(root)) {
                return Err(Cause::new(
                    "the same storage is reached through a pointer variable and through a pointer in memory",
                    access.origin,
                ));
            }
            let own = member_base(context, root, access, value, variables)?;
            match &base {
                Some(known) if *known != own => {
                    return Err(Cause::new(
                        "the same storage is reached through two pointers in memory",
                        access.origin,
                    ));
                }
                _ => base = Some(own),
            }
        }
        Ok(base)
    }
}

/// The name of storage that a pointer in memory reaches.
fn member_base(
    context: Context<'_>,
    root: Symbol,
    access: &Access,
    value: &Expr,
    variables: &[(VariableRef, Expr)],
) -> Result<Base, Cause> {
    let wrong = |why: &str| Err(Cause::new(why, access.origin));
    let (Some(parent), Some(address)) = (access.root, &access.address) else {
        return wrong("it is not known where a pointer is found");
    };
    let offset = (address - &Expr::symbol(parent))
        .as_constant()
        .and_then(|offset| offset.to_i64());
    let array = "its pointer is found in an array, whose elements compilers do not set on the device";
    let Some(offset) = offset.and_then(|offset| u64::try_from(offset).ok()) else {
        return wrong(array);
    };
    let (variable, record, arrow) = match context.facts.values.symbols.info(parent).kind {
        SymbolKind::Address(variable) => (variable, type_of(context, variable), false),
        _ => {
            let mut holders = variables
                .iter()
                .filter(|(_, held)| *held == Expr::symbol(parent))
                .map(|(variable, _)| *variable);
            let Some(variable) = holders.next() else {
                return wrong("its pointer is in a structure to which no variable points");
            };
            if matches!(variable, VariableRef::Global(_)) {
                return wrong(
                    "its structure is reached through a global pointer, for which compilers set no pointers on the device",
                );
            }
            let Some(pointee) = context.unit.types.pointee(type_of(context, variable)) else {
                return wrong(array);
            };
            (variable, pointee, true)
        }
    };
    let Type::Record(record) = *context.unit.types.get(record) else {
        return wrong(array);
    };
    let Some(field) = field_at(context, record, offset) else {
        return wrong(
            "its pointer is a member of a member, of a union, or of an array, which compilers do not set on the device",
        );
    };
    Ok(Base {
        variable,
        pointer: true,
        shift: value - &Expr::symbol(root),
        member: Some(Member {
            parent,
            address: address.clone(),
            record,
            field,
            arrow,
        }),
        walks: false,
    })
}

/// The pointer that begins at a byte of a structure.
fn field_at(context: Context<'_>, record: RecordId, offset: u64) -> Option<u32> {
    let types = &context.unit.types;
    let record = types.record(record);
    let position = record.fields.iter().position(|field| {
        field.offset_bits == offset * 8
            && offset.is_multiple_of(8)
            && field.width.is_none()
            && !field.volatile
            && !field.name.is_empty()
            && matches!(types.get(field.ty), Type::Pointer(_))
    })?;
    (!record.union && record.complete).then_some(position as u32)
}

/// The type by which a base names its storage: of the variable, or of the member.
pub fn type_of_base(context: Context<'_>, base: &Base) -> TypeId {
    let Some(member) = &base.member else {
        return type_of(context, base.variable);
    };
    let fields = &context.unit.types.record(member.record).fields;
    match fields.get(member.field as usize) {
        Some(field) => field.ty,
        None => type_of(context, base.variable),
    }
}

/// What is written behind the variable: `->data`.
pub fn suffix(context: Context<'_>, base: &Base) -> String {
    let Some(member) = &base.member else {
        return String::new();
    };
    let fields = &context.unit.types.record(member.record).fields;
    let name = fields
        .get(member.field as usize)
        .map_or("", |field| field.name.as_str());
    format!("{}{name}", if member.arrow { "->" } else { "." })
}

/// The structures of a kernel's nested data are mapped by the same names, and their pointers are certainly read: each loop
/// around the first read runs, in the order of the loops.
pub fn conditions(context: Context<'_>, kernel: &Kernel, found: &Found<'_>) -> Result<Vec<Condition>, Cause> {
    let values = &context.facts.values;
    let mut all: Vec<Condition> = Vec::new();
    for (root, base) in &kernel.bases {
        let Some(member) = &base.member else { continue };
        let at = values.symbols.info(*root).at;
        let own = kernel.bases.get(&member.parent);
        if own.is_none_or(|own| own.member.is_some() || own.variable != base.variable || !own.shift.is_zero())
        {
            return Err(Cause::new("its structure is reached in another way too", at));
        }
        // That its value is known does not say that it is there.
        if !member.arrow {
            continue;
        }
        let certain = found.to(*root).find_map(|(access, _)| {
            let position = access.loops.iter().position(|index| *index == kernel.index)?;
            (access.conditional_depth <= position).then(|| &access.loops[position..])
        });
        let Some(loops) = certain else {
            return Err(Cause::new(
                "the pointer in its structure is read under a condition, and may not be there before the loop",
                at,
            ));
        };
        for index in loops {
            let trip = values.loops[index.0 as usize]
                .trip
                .as_ref()
                .map_err(Clone::clone)?;
            let runs = at_least_one(trip);
            if !all.contains(&runs) {
                all.push(runs);
            }
        }
    }
    Ok(all)
}

/// True if the member points to the storage where `state` holds, as far as its own kernels know.
pub fn holds(context: Context<'_>, root: Symbol, base: &Base, member: &Member, state: &State) -> bool {
    let parent = match member.arrow {
        true => crate::kernel::value_before(context, state, base.variable)
            .is_some_and(|value| value == Expr::symbol(member.parent)),
        false => true,
    };
    let ty = type_of_base(context, base);
    let cell = Cell::new(&context.unit.types, member.address.clone(), 8, ty);
    let value = &Expr::symbol(root) + &base.shift;
    parent
        && match state.cells.get(&cell) {
            Some(held) => *held == value,
            None => {
                let kind = &context.facts.values.symbols.info(root).kind;
                base.shift.is_zero()
                    && matches!(kind, SymbolKind::Loaded { address, .. } if *address == member.address)
            }
        }
}

/// True if one of these accesses may change the pointer.
pub fn may_change<'a>(
    context: Context<'_>,
    member: &Member,
    accesses: impl Iterator<Item = &'a Access>,
) -> bool {
    let reach = context.reach();
    let mut writes = accesses.filter(|access| access.is_write());
    writes.any(|write| {
        !context.unit.leaves_pointers(write.ty)
            && write
                .root
                .is_none_or(|root| may_overlap(&reach, root, member.parent))
    })
}
