//! Can a clause give every thread its own copy of the objects that each iteration has for itself?
//!
//! `private(t)` means the name `t`: all that a loop does with the object must be said by that name, and a thread of a
//! GPU must have room for it. Nothing of such an object is mapped.
//!
//! What it cannot do: arrays whose length is not a constant, and objects that hold pointers.

use crate::kernel::{self, Context};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_ir::{Stmt, Type, TypeId, Types, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeMap;

/// Most bytes of such objects for one iteration. A GPU reserves them for all threads that it could run at once: on one with 2,048
/// for each of 132 multiprocessors this is 4 GiB.
pub const MOST_BYTES: u64 = 16 * 1024;

/// Why a clause cannot make the objects private, if so; `pointers` are the pointer variables of outside that the loop reads.
pub fn refused(
    context: Context<'_>,
    index: LoopIndex,
    stmt: &Stmt,
    pointers: &[(VariableRef, Expr)],
) -> Result<(), Cause> {
    let values = &context.facts.values;
    let private = &context.facts.verdicts[index.0 as usize].private;
    let mut objects: BTreeMap<Symbol, VariableRef> = BTreeMap::new();
    let own = values
        .accesses
        .iter()
        .filter(|access| access.loops.contains(&index));
    for root in own.filter_map(|access| access.root) {
        if let SymbolKind::Address(variable) = values.symbols.info(root).kind
            && private.contains(&variable)
        {
            objects.insert(root, variable);
        }
    }
    let at = values.loops[index.0 as usize].origin;
    let mentioned = ferry_ir::visit::mentioned_variables(stmt);
    let mut bytes = 0u64;
    for (root, variable) in objects {
        let name = kernel::name_of(context, variable);
        if pointers.iter().any(|(_, value)| value.mentions(root)) || !mentioned.contains(&variable) {
            let why =
                format!("each iteration needs its own {name}, which the loop reaches by another name, too");
            return Err(Cause::new(why, at));
        }
        if is_declared_in(context, variable, stmt) {
            let why =
                format!("each iteration needs its own {name}, which is static, and declared in the loop");
            return Err(Cause::new(why, at));
        }
        let ty = kernel::type_of(context, variable);
        let Some(size) = context
            .unit
            .types
            .size(ty)
            .filter(|_| holds_numbers(&context.unit.types, ty))
        else {
            let why = format!(
                "each iteration needs its own {name}, of which no clause makes copies that all compilers understand"
            );
            return Err(Cause::new(why, at));
        };
        bytes = bytes.saturating_add(size);
        if bytes > MOST_BYTES {
            let why = format!(
                "each iteration needs {bytes} bytes for itself ({name} among them), and a thread of a GPU has little room"
            );
            return Err(Cause::new(why, at));
        }
    }
    Ok(())
}

/// True for static variables whose declaration lies in a statement: a clause in front of it cannot name them.
fn is_declared_in(context: Context<'_>, variable: VariableRef, stmt: &Stmt) -> bool {
    let VariableRef::Global(id) = variable else {
        return false;
    };
    let whole = stmt.origin.text();
    let own = context.unit.global(id).origin.text();
    whole.zip(own).is_some_and(|(whole, own)| whole.contains(own))
}

/// True for numbers, and arrays and structures of a known size of nothing else.
pub fn holds_numbers(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Int { bits: 8..=64, .. }
        | Type::Float { bits: 32 | 64 }
        | Type::Complex { bits: 32 | 64 }
        | Type::Bool => true,
        Type::Array { element, .. } => holds_numbers(types, *element),
        Type::Record(record) => types
            .record(*record)
            .fields
            .iter()
            .all(|field| holds_numbers(types, field.ty)),
        _ => false,
    }
}
