//! Does a kernel use a constant pointer to a variable of the file?
//!
//! Where a `const` pointer begins with an address that the linker knows (`double *const q = x;`, `x` a variable of the file or static), clang 19 puts the address
//! of `x` into the kernel instead of reading `q`. The device's part then names a variable that the device does not have, and does not link, whatever is mapped.
//! gcc 12 does the same from `-O1` on, and then maps all of `x` beside the section that is mapped through `q`: where these differ the program ends with
//! "already mapped", with OpenACC as with OpenMP. Members of constant structures, elements of constant tables, and string literals are not concerned (all tried
//! with clang; structures with gcc).

use crate::called;
use ferry_analysis::symbols::Cause;
use ferry_directive::Language;
use ferry_ir::{Expr, ExprKind, Function, Place, PlaceBase, Stmt, StmtKind, Unit, VariableKind, VariableRef};
use ferry_source::Origin;

/// How many constants are followed, one set from the other.
const DEPTH: usize = 8;

/// Why a kernel of a function, with all that it calls, does not link, or finds too much mapped, if that is so.
pub fn refused(unit: &Unit, function: &Function, stmt: &Stmt, language: Language) -> Option<Cause> {
    let compiler = match language {
        Language::OpenMp => "clang 19",
        Language::OpenAcc => "gcc 12",
    };
    let own = used(unit, function, stmt);
    let in_called = || called::find(unit, stmt, |_, function, body| used(unit, function, body));
    own.or_else(in_called).map(|(name, at)| {
        let why = format!(
            "{name} is a constant pointer to a variable of the file, whose address {compiler} puts into the kernel: without `const` it would be read"
        );
        Cause::new(&why, at)
    })
}

/// The first use of such a pointer in a statement of a function, with its name.
fn used(unit: &Unit, function: &Function, stmt: &Stmt) -> Option<(String, Origin)> {
    let mut found = None;
    stmt.walk(&mut |one| {
        one.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner| {
                if found.is_none()
                    && let ExprKind::Load(place) = &inner.kind
                    && unit.types.pointee(inner.ty).is_some()
                    && let Some(variable) = place.as_variable()
                    && let Some(first) = first_value(unit, function, variable)
                    && constant(unit, function, first, DEPTH) == Some(Constant::Address)
                {
                    found = Some((unit.name_of(function, variable).to_owned(), inner.origin));
                }
            });
        });
    });
    found
}

/// What a constant variable begins with.
fn first_value<'u>(unit: &'u Unit, function: &'u Function, variable: VariableRef) -> Option<&'u Expr> {
    match variable {
        VariableRef::Global(global) => {
            let global = unit.global(global);
            let (place, value) = global.initial.first()?;
            (global.qualifiers.constant && place.path.is_empty()).then_some(value)
        }
        VariableRef::Local(id) => {
            let local = function.local(id);
            if !local.qualifiers.constant || local.kind != VariableKind::Local {
                return None;
            }
            let mut first = None;
            function.body.as_ref()?.walk(&mut |stmt| {
                if let StmtKind::Assign { place, value } = &stmt.kind
                    && place.as_variable() == Some(variable)
                {
                    first.get_or_insert(value);
                }
            });
            first
        }
    }
}

/// What a compiler knows a value by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Constant {
    /// Numbers alone.
    Number,
    /// The address of a variable of the file, or of a static one, is in it.
    Address,
}

/// What a compiler knows the value by: constants, addresses of variables, and other variables that are such; `None` if it does not know it.
fn constant(unit: &Unit, function: &Function, value: &Expr, depth: usize) -> Option<Constant> {
    let mut known = (depth > 0).then_some(Constant::Number);
    value.walk(&mut |inner| {
        let part = match &inner.kind {
            ExprKind::Load(place) => place
                .as_variable()
                .and_then(|variable| first_value(unit, function, variable))
                .filter(|_| known.is_some())
                .and_then(|first| constant(unit, function, first, depth - 1)),
            ExprKind::AddressOf(place) => is_outside(unit, place).then_some(Constant::Address),
            ExprKind::Function(_) | ExprKind::Opaque { .. } => None,
            _ => Some(Constant::Number),
        };
        known = known.zip(part).map(|(known, part)| known.max(part));
    });
    known
}

/// True of the storage of a variable of the file or a static one.
fn is_outside(unit: &Unit, place: &Place) -> bool {
    match &place.base {
        PlaceBase::Variable(VariableRef::Global(global)) => !unit.global(*global).string_literal,
        _ => false,
    }
}
