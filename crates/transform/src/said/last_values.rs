//! Does the last iteration of each kernel keep what it was meant to, and does the host get that?

use super::{Beside, Reader, Scalars, Written, is_set_to};
use crate::last_values::LastValues;
use crate::meaning::{Entry, KernelMeaning};
use crate::unset;
use ferry_ir::{BinaryOp, Expr as Code, ExprKind, Type, TypeId, VariableRef};
use ferry_symbolic::Condition;

/// Each variable is kept at the end of the iteration that was meant and no other, in a scalar that is declared in front of the kernel, begins with 0, and is what the variable is set to
/// behind it. The scalars are added to those that the kernels map.
///
/// # Errors
/// What was not meant.
pub fn check(
    reader: &Reader<'_>,
    written: &Written<'_>,
    (meant, runs): (&[KernelMeaning], &[Condition]),
    keywords: &[u32],
    scalars: &mut [Scalars],
) -> Result<(), String> {
    let number = |kernel: &KernelMeaning| kernel.last.as_ref().map_or(0, |last| last.variables.len());
    if written.kept.len() != meant.iter().map(number).sum::<usize>() {
        return Err("another number of last values is kept than was meant".to_owned());
    }
    let none = Beside::default();
    for ((kernel, keyword), scalars) in meant.iter().zip(keywords).zip(scalars) {
        let (Some(last), Some(before)) = (&kernel.last, &kernel.before) else {
            continue;
        };
        let beside = written.beside.get(keyword).unwrap_or(&none);
        for variable in &last.variables {
            let is_it = |from: &VariableRef| reader.old_of(*from) == Some(*variable);
            let mut kept = written
                .kept
                .iter()
                .filter(|(at, _, _, from)| *at == Some(*keyword) && is_it(from));
            let (Some((_, condition, held, from)), None) = (kept.next(), kept.next()) else {
                return Err("another last value is kept than was meant".to_owned());
            };
            is_last_iteration(reader, condition, last, (before, runs))?;
            let begins = written.constants.get(held);
            if !beside.loaded.contains(held) || !begins.is_some_and(|value| unset::is_zero(value)) {
                return Err("what holds a last value is not set in front of the loop".to_owned());
            }
            if reader.type_of(*held) != reader.type_of(*from) {
                return Err("what holds a last value has another type".to_owned());
            }
            let is_set = |(at, place, code): &&(u32, VariableRef, &Code)| {
                at > keyword && is_it(place) && code.as_variable() == Some(*held)
            };
            if written.assigned.iter().filter(is_set).count() != 1 {
                return Err("a last value is not set behind the loop".to_owned());
            }
            let is_other = |(scalar, _): &(VariableRef, _)| scalar != held;
            if !scalars.iter().all(is_other) {
                return Err("two last values are held in one place".to_owned());
            }
            scalars.push((*held, None));
        }
    }
    Ok(())
}

/// The condition compares the loop's own variable with what it is in the last iteration, where the kernel runs.
fn is_last_iteration(
    reader: &Reader<'_>,
    condition: &Code,
    last: &LastValues,
    (before, runs): (&Entry, &[Condition]),
) -> Result<(), String> {
    let wrong = || Err("a last value is kept under another condition than was meant".to_owned());
    let ExprKind::Binary(BinaryOp::Eq, own, number) = &condition.kind else {
        return wrong();
    };
    let mut own = &**own;
    // Wider types keep values apart.
    while let ExprKind::Cast(inner) = &own.kind {
        let widens = bits(reader, inner.ty).zip(bits(reader, own.ty));
        if widens.is_none_or(|(inner, outer)| inner > outer) {
            return wrong();
        }
        own = inner;
    }
    let counter = own.as_variable().and_then(|variable| reader.old_of(variable));
    if counter != Some(last.counter) {
        return wrong();
    }
    is_set_to(
        reader,
        (before, before),
        number,
        (last.counter, &last.number),
        "the number of the last iteration",
        runs,
    )
}

fn bits(reader: &Reader<'_>, ty: TypeId) -> Option<u16> {
    match reader.programs.new.types.get(ty) {
        Type::Int { bits, .. } => Some(*bits),
        Type::Bool => Some(8),
        _ => None,
    }
}
