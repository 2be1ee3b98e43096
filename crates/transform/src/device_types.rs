//! Does a kernel use numbers that a device does not have?
//!
//! No NVIDIA device has `long double` (80 bits) or 128-bit floating point: gcc 12 refuses to compile the kernel ("80-bit-precision floating-point numbers
//! unsupported"), clang 19 refuses the function or gives the device another size than the host, so that mapped data would be misread. The x86 device that the
//! tests run on has both; so this is a rule of its own. Structures count with all their members, also those behind pointers: their layout differs, too.
//!
//! Products and quotients of complex numbers are calls (`__muldc3`), which clang 19 has for an NVIDIA device only where `complex.h` is included: else it does not
//! link. Sums, parts and conjugates need nothing.
//!
//! Of arrays of variable length clang 19 compiles none for NVIDIA: it refuses every such type in a kernel's own text, also where the length is a `const int` or the
//! array is only pointed to, and such an object in a called function ends in an error of the assembler.

use crate::called;
use ferry_analysis::symbols::Cause;
use ferry_ir::{
    BinaryOp, Callee, Expr, ExprKind, Function, Length, PlaceBase, Stmt, StmtKind, Type, TypeId, Types, Unit,
    VariableKind, VariableRef,
};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// Why a kernel of a function, with all that it calls, has no device, if that is so.
pub fn refused(unit: &Unit, function: &Function, stmt: &Stmt) -> Option<Cause> {
    let own = extent(function, stmt).or_else(|| used(unit, function, stmt));
    let own = own.map(|found| (found, None));
    let in_called = || {
        called::find(unit, stmt, |_, function, body| {
            let found = of_variable_length(&unit.types, function).or_else(|| used(unit, function, body))?;
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
            Use::VariableLength => format!(
                "it declares an array of variable length{place} which clang 19 compiles for no GPU; a number, a macro or an enumeration's constant would do as its length"
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
    /// An array whose length is no constant expression.
    VariableLength,
}

/// Where a statement evaluates the length of an array type.
fn extent(function: &Function, stmt: &Stmt) -> Option<(Use, Origin)> {
    let mut found = None;
    stmt.walk(&mut |one| {
        if let StmtKind::Assign { place, .. } = &one.kind
            && let Some(VariableRef::Local(id)) = place.as_variable()
            && function.local(id).kind == VariableKind::Extent
        {
            found.get_or_insert((Use::VariableLength, one.origin));
        }
    });
    found
}

/// The first local array of variable length.
fn of_variable_length(types: &Types, function: &Function) -> Option<(Use, Origin)> {
    let is_one = |ty: TypeId| {
        let mut ty = ty;
        while let Type::Array { element, length } = types.get(ty) {
            if matches!(length, Length::Variable(_)) {
                return true;
            }
            ty = *element;
        }
        false
    };
    let found = function.locals.iter().find(|local| is_one(local.ty))?;
    Some((Use::VariableLength, found.origin))
}

/// Where a statement of a function uses what no device has.
fn used(unit: &Unit, function: &Function, stmt: &Stmt) -> Option<(Use, Origin)> {
    let types = &unit.types;
    let type_of = |variable: VariableRef| match variable {
        VariableRef::Local(local) => function.local(local).ty,
        VariableRef::Global(global) => unit.global(global).ty,
    };
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
