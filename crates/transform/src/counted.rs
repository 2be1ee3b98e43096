//! Can compilers count the iterations of a loop before it runs?
//!
//! They take the difference of its bounds in the type of the loop variable, as OpenMP lets them (5.0 §2.9.1: where that does not fit, anything may
//! happen). gcc 12 runs no iteration of `for (signed char i = -100; i < 100; i++)`, clang 19 none of
//! `for (int i = -2000000000; i < 2000000000; i += 500000000)`, though C runs both.
//!
//! A difference of two values of one sign fits. Else it has to be proved; for `int` it is assumed where it cannot be, for narrower types the loop stays on
//! the host. What is as long as a type of 64 bits can say has no storage: there only what certainly does not fit is refused.
//!
//! In unsigned types narrower than `int` gcc 12 takes a range without iterations for one that wraps around: `for (unsigned char i = 3; i < n; i++)` runs 253 times
//! for an `n` of 0 with OpenACC, and where `n` is an `int` below 0 with OpenMP, too. Such loops need a first value of 0, and a bound that its type keeps from being
//! negative, unless they certainly run.

use crate::kernel::{self, Context};
use ferry_analysis::canonical::Canonical;
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::symbols::Cause;
use ferry_directive::Language;
use ferry_ir::{BinaryOp, Expr as Code, ExprKind, Type, Unit};
use ferry_source::Origin;
use ferry_symbolic::Expr;

/// Bits of `int`, in which narrower types are computed with.
const INT: u32 = 32;

/// Whether the distance of a loop's bounds fits into the type of its variable.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Distance {
    /// It does.
    Fits,
    /// Nothing is known that says so.
    Assumed,
}

/// What is known of it.
///
/// # Errors
/// It does not fit, or may not fit into a narrow type.
pub fn distance(
    context: Context<'_>,
    index: LoopIndex,
    canonical: &Canonical,
    language: Language,
) -> Result<Distance, Cause> {
    let of = &context.facts.values.loops[index.0 as usize];
    let ty = context
        .unit
        .types
        .get(kernel::type_of(context, canonical.variable));
    let bits = match *ty {
        Type::Int { bits, signed: true } => bits,
        Type::Int { bits, signed: false } if u32::from(bits) < INT => {
            return match never_wraps(context, of, canonical, language) {
                true => Ok(Distance::Fits),
                false => Err(wraps(of.origin)),
            };
        }
        _ => return Ok(Distance::Fits),
    };
    if bits > 64 {
        return Ok(Distance::Fits);
    }
    let facts = &of.facts_inside;
    let mut inductions = of.inductions.iter();
    let own = inductions.find(|one| one.variable == canonical.variable);
    if let Some((first, step)) = own.and_then(|one| Some((&one.start, one.step()?))) {
        let rises = facts.prove_nonnegative(step);
        if rises && facts.prove_nonnegative(first) {
            return Ok(Distance::Fits);
        }
        if let Ok(trip) = &of.trip {
            let walked = step * trip;
            let falls = facts.prove_nonnegative(&-step);
            if falls && facts.prove_nonnegative(&(&(first + &walked) - step)) {
                return Ok(Distance::Fits);
            }
            let most = Expr::int((1i128 << (bits - 1)) - 1);
            let is_most = |distance: &Expr| facts.prove_less_equal(distance, &most);
            if is_most(&walked) && is_most(&-&walked) {
                return Ok(Distance::Fits);
            }
            let exceeds = |distance: &Expr| facts.prove_less(&most, distance);
            if exceeds(&walked) || exceeds(&-&walked) {
                return Err(too_far(of.origin));
            }
        }
    }
    match bits {
        64 => Ok(Distance::Fits),
        32 => Ok(Distance::Assumed),
        _ => Err(too_far(of.origin)),
    }
}

/// True if the bounds of a loop that counts in an unsigned type narrower than `int` are in order also where it has no iteration.
fn never_wraps(context: Context<'_>, of: &LoopFacts, canonical: &Canonical, language: Language) -> bool {
    let runs = |trip: &Expr| of.before.facts.prove_less(&Expr::zero(), trip);
    if of.trip.as_ref().is_ok_and(runs) {
        return true;
    }
    let least = match canonical.comparison {
        BinaryOp::Gt | BinaryOp::Ge => &canonical.bound,
        _ => &canonical.lower,
    };
    let in_order = language == Language::OpenMp || least.as_int() == Some(0);
    in_order && is_unsigned(context.unit, &canonical.bound)
}

/// True if a value cannot be negative by the type in which it is found, before it is widened.
fn is_unsigned(unit: &Unit, value: &Code) -> bool {
    let bits = |value: &Code| match *unit.types.get(value.ty) {
        Type::Int { bits, .. } => Some(bits),
        _ => None,
    };
    if matches!(unit.types.get(value.ty), Type::Int { signed: false, .. }) {
        return true;
    }
    match &value.kind {
        ExprKind::Cast(inner) if bits(inner) < bits(value) => is_unsigned(unit, inner),
        _ => value.as_int().is_some_and(|value| value >= 0),
    }
}

fn wraps(at: Origin) -> Cause {
    let why = "where it has no iteration, gcc 12 counts those of a range that wraps around in the type of its variable";
    Cause::new(why, at)
}

fn too_far(at: Origin) -> Cause {
    let why = "its bounds may be farther apart than the type of its variable can say, in which compilers count its iterations";
    Cause::new(why, at)
}
