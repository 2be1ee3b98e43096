//! How is one object mapped: its section in elements, and how long that is where the loops do not run?

use super::direction::direction;
use super::touched::{Touched, first_subscripts};
use super::{Group, Mapping};
use crate::kernel::{Base, Context};
use crate::{divides, nested};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{self, Hull, Section};
use ferry_analysis::state::State;
use ferry_analysis::symbols::Cause;
use ferry_ir::{Type, TypeId, VariableRef};
use ferry_symbolic::{Atom, Condition, Expr, Facts, Integer, Operation, Symbol};

pub(super) fn mapping(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    base: &Base,
    touched: &Touched,
    state: &State,
    inside: &[LoopIndex],
) -> Result<Option<Mapping>, Cause> {
    let Touched { part, host } = touched;
    let hull = &part.hull;
    let at = context.facts.values.symbols.info(root).at;
    let ty = nested::type_of_base(context, base);
    let types = &context.unit.types;
    let (element, array) = match types.get(ty) {
        Type::Pointer(to) => (*to, false),
        Type::Array { element, .. } => (*element, true),
        _ => return whole_object(context, group, root, base, touched, state).map(Some),
    };
    // Functions find what is declared for the device where it begins.
    let linked = group
        .kernels
        .iter()
        .any(|kernel| kernel.whole.contains(&base.variable));
    if array && (hull.whole || linked) {
        return whole_object(context, group, root, base, touched, state).map(Some);
    }
    let Some(size) = size_of(context, element, state) else {
        return Err(Cause::new("the size of its elements is not known", at));
    };
    let shifted = Hull {
        low: &hull.low - &base.shift,
        high: &hull.high - &base.shift,
        exact: hull.exact,
        whole: false,
    };
    let rows = match base.shift.is_zero() && matches!(types.get(element), Type::Array { .. }) {
        true => first_subscripts(context, group, root, &size, inside, &state.facts, *host),
        false => None,
    };
    let mut section = rows.unwrap_or_else(|| region::section(&shifted, &size, &state.facts));
    // What goes back is the section as it is printed, whole elements and rows.
    let printed = Hull {
        low: &(&section.lower * &size) + &base.shift,
        high: &(&(&section.lower + &section.length) * &size) + &base.shift,
        exact: hull.exact,
        whole: false,
    };
    let direction = direction(context, group, root, &printed, &part.happens, &state.facts);
    section.length = guarded_length(&part.happens, &section.length, &state.facts);
    // Where nothing is touched there are no elements, and it does not matter where they begin.
    section.lower =
        region::with_signs(&state.facts.with(&part.happens), &section.lower).simplify(&section.lower);
    // But compilers warn of an element that a declared array does not have, and sanitizers stop there.
    let begins_outside = array && !begins_inside(types.get(ty), &section.lower, &state.facts);
    if begins_outside || !divides::is_computable(&section.lower, &state.facts) {
        let happens = state.facts.simplify_condition(&part.happens);
        section.lower = Expr::select(&happens, &section.lower, &Expr::zero());
    }
    if array && is_outside(types.get(ty), &section) {
        // What the program does there is undefined, and gcc 12 refuses such a section.
        return Err(Cause::new("it reaches past the end of the array", at));
    }
    let mut inner = Vec::new();
    let mut innermost = element;
    while let Type::Array { element, length } = types.get(innermost) {
        let length = match length {
            ferry_ir::Length::Constant(length) => Some(Expr::int(i128::from(*length))),
            ferry_ir::Length::Variable(local) => state.get(VariableRef::Local(*local)).cloned(),
            ferry_ir::Length::Unknown => None,
        };
        inner.push(length.ok_or_else(|| Cause::new("an extent of the array is not known", at))?);
        innermost = *element;
    }
    let whole_array = array && is_whole(types.get(ty), &section);
    let named_in_kernels = if array {
        !whole_array
    } else {
        // A kernel finds the pointer in the structure's copy.
        !section.lower.is_zero() && base.member.is_none()
    };
    Ok(Some(Mapping {
        root,
        base: base.clone(),
        direction,
        section: Some(section),
        inner,
        element: innermost,
        bytes: hull.clone(),
        happens: part.happens.clone(),
        named_in_kernels,
        assumed: false,
    }))
}

/// An object that is mapped by its name alone.
fn whole_object(
    context: Context<'_>,
    group: &Group<'_>,
    root: Symbol,
    base: &Base,
    touched: &Touched,
    state: &State,
) -> Result<Mapping, Cause> {
    let at = context.facts.values.symbols.info(root).at;
    let ty = nested::type_of_base(context, base);
    let size = context.unit.types.size(ty).map(i128::from).map(Expr::int);
    let size = size.ok_or_else(|| Cause::new("the size of an object is not known", at))?;
    let printed = Hull {
        low: Expr::zero(),
        high: size,
        exact: false,
        whole: true,
    };
    Ok(Mapping {
        root,
        base: base.clone(),
        direction: direction(context, group, root, &printed, &Condition::always(), &state.facts),
        section: None,
        inner: Vec::new(),
        element: ty,
        bytes: touched.part.hull.clone(),
        happens: touched.part.happens.clone(),
        named_in_kernels: false,
        assumed: false,
    })
}

pub(super) fn is_whole(ty: &Type, section: &Section) -> bool {
    let length = constant_length(ty).map(Expr::int);
    section.lower.is_zero() && length.is_some_and(|length| section.length == length)
}

/// True if this is certainly an element of the array, or the end of it, which is not known of all arrays.
fn begins_inside(ty: &Type, lower: &Expr, facts: &Facts) -> bool {
    let ends = |length| facts.prove_nonnegative(&(&Expr::int(length) - lower));
    facts.prove_nonnegative(lower) && constant_length(ty).is_none_or(ends)
}

/// True of numbers that are not all in the array.
fn is_outside(ty: &Type, section: &Section) -> bool {
    let Some(length) = constant_length(ty) else {
        return false;
    };
    let numbers = section.lower.as_constant().zip(section.length.as_constant());
    numbers.is_some_and(|(first, number)| first.is_negative() || &first + &number > Integer::new(length))
}

/// How many elements an array has, if that is a number.
fn constant_length(ty: &Type) -> Option<i128> {
    match ty {
        Type::Array {
            length: ferry_ir::Length::Constant(length),
            ..
        } => Some(i128::from(*length)),
        _ => None,
    }
}

/// Size in bytes of a type, with what the extents of variable-length arrays hold.
pub fn size_of(context: Context<'_>, ty: TypeId, state: &State) -> Option<Expr> {
    if let Some(size) = context.unit.types.size(ty) {
        return Some(Expr::int(i128::from(size)));
    }
    match context.unit.types.get(ty) {
        Type::Array {
            element,
            length: ferry_ir::Length::Variable(local),
        } => {
            let length = state.get(VariableRef::Local(*local))?.clone();
            Some(&length * &size_of(context, *element, state)?)
        }
        Type::Array {
            element,
            length: ferry_ir::Length::Constant(length),
        } => Some(&Expr::int(i128::from(*length)) * &size_of(context, *element, state)?),
        _ => None,
    }
}

/// A length that may be positive where the loops do not run: two negative trip counts multiply to something positive,
/// and a section may be wider than the loop that touches it is long. It then counts only if all loops around some
/// access run.
pub(super) fn guarded_length(happens: &Condition, length: &Expr, facts: &Facts) -> Expr {
    let runs = facts.simplify_condition(happens);
    // Where the length is positive only if the loops run, it needs no test.
    let bare = match length.as_atom().and_then(Atom::operation) {
        Some(Operation::Max(operands)) => match &**operands {
            [zero, other] | [other, zero] if zero.is_zero() => other.clone(),
            _ => length.clone(),
        },
        _ => length.clone(),
    };
    if facts.with(&Condition::positive(&bare)).prove(&runs) {
        return length.clone();
    }
    zero_elsewhere(&runs, length, facts)
}

/// A bound of a section where something of it is touched, and zero elsewhere.
pub(super) fn zero_elsewhere(happens: &Condition, bound: &Expr, facts: &Facts) -> Expr {
    let inside = region::with_signs(&facts.with(happens), bound).simplify(bound);
    Expr::select(happens, &inside, &Expr::zero())
}
