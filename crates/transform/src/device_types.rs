//! Does a kernel use numbers that a device does not have?
//!
//! No NVIDIA device has `long double` (80 bits) or 128-bit floating point: gcc 12 refuses to compile the kernel ("80-bit-precision floating-point numbers
//! unsupported"), clang 19 refuses the function or gives the device another size than the host, so that mapped data would be misread. The x86 device that the
//! tests run on has both; so this is a rule of its own. Structures count with all their members, also those behind pointers: their layout differs, too.

use crate::called;
use ferry_analysis::symbols::Cause;
use ferry_ir::{Callee, Expr, PlaceBase, Stmt, Type, TypeId, Types, Unit, VariableRef};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// Why a kernel, with all that it calls, has no device, if that is so. `type_of` gives the type of a variable of the function around it.
pub fn refused(unit: &Unit, stmt: &Stmt, type_of: impl Fn(VariableRef) -> TypeId) -> Option<Cause> {
    let own = used(&unit.types, stmt, &type_of).map(|at| (at, None));
    let in_called = || {
        called::functions(unit, stmt).into_iter().find_map(|id| {
            let function = unit.function(id);
            let types = |variable: VariableRef| match variable {
                VariableRef::Local(local) => function.local(local).ty,
                VariableRef::Global(global) => unit.global(global).ty,
            };
            let found = used(&unit.types, function.body.as_ref()?, &types)?;
            Some((found, Some(function.name.clone())))
        })
    };
    own.or_else(in_called).map(|(at, function)| {
        let place = function.map_or_else(String::new, |name| format!(" in {name}, which it calls,"));
        Cause::new(format!("it uses `long double`{place} which no GPU has"), at)
    })
}

/// Where a statement uses a type that no device has.
fn used(types: &Types, stmt: &Stmt, type_of: &impl Fn(VariableRef) -> TypeId) -> Option<Origin> {
    let mut found = None;
    let mut note = |ty: TypeId, at: Origin| {
        if found.is_none() && is_wide(types, ty, &mut BTreeSet::new()) {
            found = Some(at);
        }
    };
    stmt.walk(&mut |one| {
        if let Some(place) = one.written_place() {
            note(place.ty, place.origin);
            if let PlaceBase::Variable(variable) = place.base {
                note(type_of(variable), place.origin);
            }
        }
        one.for_each_expression(&mut |expr: &Expr| {
            expr.walk(&mut |inner| {
                note(inner.ty, inner.origin);
                if let ferry_ir::ExprKind::Load(place) | ferry_ir::ExprKind::AddressOf(place) = &inner.kind
                    && let PlaceBase::Variable(variable) = place.base
                {
                    note(type_of(variable), place.origin);
                }
            });
        });
        if let ferry_ir::StmtKind::Call {
            callee: Callee::Pointer(pointer),
            ..
        } = &one.kind
        {
            note(pointer.ty, pointer.origin);
        }
    });
    found
}

fn is_wide(types: &Types, ty: TypeId, seen: &mut BTreeSet<TypeId>) -> bool {
    if !seen.insert(ty) {
        return false;
    }
    match types.get(ty) {
        Type::Float { bits } => *bits > 64,
        Type::Pointer(inner) | Type::Array { element: inner, .. } => is_wide(types, *inner, seen),
        Type::Record(id) => {
            let fields = &types.record(*id).fields;
            fields.iter().any(|field| is_wide(types, field.ty, seen))
        }
        _ => false,
    }
}
