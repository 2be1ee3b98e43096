//! Does a kernel use numbers that a device does not have?
//!
//! No NVIDIA device has `long double` (80 bits) or 128-bit floating point: gcc 12 refuses to compile the kernel ("80-bit-precision floating-point numbers
//! unsupported"), clang 19 refuses the function or gives the device another size than the host, so that mapped data would be misread. The x86 device that the
//! tests run on has both; so this is a rule of its own. Structures count with all their members, also those behind pointers: their layout differs, too.
//!
//! Products and quotients of complex numbers are calls (`__muldc3`), which clang 19 has for an NVIDIA device only where `complex.h` is included: else it does not
//! link. Sums, parts and conjugates need nothing.

use crate::called;
use ferry_analysis::symbols::Cause;
use ferry_ir::{BinaryOp, Callee, Expr, ExprKind, PlaceBase, Stmt, Type, TypeId, Types, Unit, VariableRef};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// Why a kernel, with all that it calls, has no device, if that is so. `type_of` gives the type of a variable of the function around it.
pub fn refused(unit: &Unit, stmt: &Stmt, type_of: impl Fn(VariableRef) -> TypeId) -> Option<Cause> {
    let own = used(unit, stmt, &type_of).map(|found| (found, None));
    let in_called = || {
        called::functions(unit, stmt).into_iter().find_map(|id| {
            let function = unit.function(id);
            let types = |variable: VariableRef| match variable {
                VariableRef::Local(local) => function.local(local).ty,
                VariableRef::Global(global) => unit.global(global).ty,
            };
            let found = used(unit, function.body.as_ref()?, &types)?;
            Some((found, Some(function.name.clone())))
        })
    };
    own.or_else(in_called).map(|((use_, at), function)| {
        let place = function.map_or_else(String::new, |name| format!(" in {name}, which it calls,"));
        let why = match use_ {
            Use::Wide => format!("it uses `long double`{place} which no GPU has"),
            Use::Product => format!(
                "it multiplies or divides complex numbers{place} which clang 19 links for a GPU only where `complex.h` is included"
            ),
        };
        Cause::new(why, at)
    })
}

/// What a device may not have.
#[derive(Clone, Copy)]
enum Use {
    /// A type.
    Wide,
    /// A product or quotient of complex numbers.
    Product,
}

/// Where a statement uses what no device has.
fn used(unit: &Unit, stmt: &Stmt, type_of: &impl Fn(VariableRef) -> TypeId) -> Option<(Use, Origin)> {
    let types = &unit.types;
    let mut found = None;
    let mut note = |ty: TypeId, at: Origin| {
        if found.is_none() && is_wide(types, ty, &mut BTreeSet::new()) {
            found = Some((Use::Wide, at));
        }
    };
    let mut product = None;
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
                if !unit.dialect.complex_header && is_complex_product(types, inner) {
                    product.get_or_insert((Use::Product, inner.origin));
                }
                if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
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
    found.or(product)
}

/// True for products and quotients of complex numbers. A product with a real number, and a quotient by one, is computed part by part.
fn is_complex_product(types: &Types, expr: &Expr) -> bool {
    let ExprKind::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), left, right) = &expr.kind else {
        return false;
    };
    let is_real = |operand: &Expr| match &operand.kind {
        ExprKind::Cast(inner) => !matches!(types.get(inner.ty), Type::Complex { .. }),
        _ => false,
    };
    matches!(types.get(expr.ty), Type::Complex { .. })
        && !is_real(right)
        && (*op == BinaryOp::Div || !is_real(left))
}

fn is_wide(types: &Types, ty: TypeId, seen: &mut BTreeSet<TypeId>) -> bool {
    if !seen.insert(ty) {
        return false;
    }
    match types.get(ty) {
        Type::Float { bits } | Type::Complex { bits } => *bits > 64,
        Type::Pointer(inner) | Type::Array { element: inner, .. } => is_wide(types, *inner, seen),
        Type::Record(id) => {
            let fields = &types.record(*id).fields;
            fields.iter().any(|field| is_wide(types, field.ty, seen))
        }
        _ => false,
    }
}
