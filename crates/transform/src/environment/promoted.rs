//! Where is what kernels reduce through scalars, and may the host read and write it beside its kernel?
//!
//! Such an element is not on the device for its kernel: the host reads it before and writes it behind. So nothing else on the device may
//! be a copy of it: storage that may overlap it is kept apart by the condition, and other kernels of the group may only read other elements of the same
//! storage, whose copy does not come back.

use super::{Group, Mapping, size_of};
use crate::kernel::{Context, Kernel};
use crate::nested;
use crate::promoted::Promoted;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{self, Hull};
use ferry_analysis::state::State;
use ferry_analysis::symbols::Cause;
use ferry_directive::Direction;
use ferry_ir::Type;
use ferry_symbolic::{Condition, Expr};

/// The elements, as if they were mapped.
pub(super) fn objects(context: Context<'_>, group: &Group<'_>, state: &State) -> Result<Vec<Mapping>, Cause> {
    let mut found: Vec<Mapping> = Vec::new();
    for kernel in &group.kernels {
        for one in &kernel.promoted {
            let at = context.facts.values.symbols.info(one.root).at;
            let object = object(context, kernel, one, state);
            let object = object.ok_or_else(|| Cause::new("it is not known what element is reduced", at))?;
            found.push(object);
        }
    }
    Ok(found)
}

fn object(context: Context<'_>, kernel: &Kernel, one: &Promoted, state: &State) -> Option<Mapping> {
    let base = kernel.bases.get(&one.root)?;
    let ty = nested::type_of_base(context, base);
    let bytes = Hull {
        low: one.offset.clone(),
        high: &one.offset + &Expr::int(i128::from(one.size)),
        exact: true,
        whole: false,
    };
    let (element, section) = match context.unit.types.get(ty) {
        Type::Pointer(element) | Type::Array { element, .. } => {
            let shifted = Hull {
                low: &bytes.low - &base.shift,
                high: &bytes.high - &base.shift,
                ..bytes.clone()
            };
            let size = size_of(context, *element, state)?;
            (*element, Some(region::section(&shifted, &size, &state.facts)))
        }
        _ => (ty, None),
    };
    Some(Mapping {
        root: one.root,
        base: base.clone(),
        direction: Direction::ToFrom,
        section,
        inner: Vec::new(),
        element,
        bytes,
        happens: Condition::always(),
        named_in_kernels: false,
        assumed: false,
    })
}

/// In an environment around more than one kernel alone: the copies that it keeps on the device are of other bytes, for all the time.
pub(super) fn stay(context: Context<'_>, group: &Group<'_>, inner: &[LoopIndex]) -> Result<(), Cause> {
    let values = &context.facts.values;
    for one in group.kernels.iter().flat_map(|kernel| &kernel.promoted) {
        let moves = one.offset.symbols().iter().any(|symbol| {
            let mut loops = inner.iter();
            loops.any(|index| {
                values
                    .symbols
                    .varies_in(*symbol, values.loops[index.0 as usize].stmt)
            })
        });
        for access in group
            .accesses(context)
            .filter(|access| access.root == Some(one.root))
        {
            let apart = access.offset().is_some_and(|offset| {
                let distance = &offset - &one.offset;
                let (own, other) = (i128::from(one.size), i128::from(access.size));
                access.facts.prove_nonnegative(&(&distance - &Expr::int(own)))
                    || access.facts.prove_nonnegative(&(&-&distance - &Expr::int(other)))
            });
            if moves || access.is_write() || !apart {
                return Err(Cause::new(
                    "an element is reduced through a scalar of the host while its array is on the device",
                    access.origin,
                ));
            }
        }
    }
    Ok(())
}
