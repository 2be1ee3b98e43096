//! Does a statement write the same values whenever it runs, so that host and device agree on them once both have run it?
//!
//! Programs set tables on both sides by the same function (`fill()`, and again in a region): what the host has then is not what the device wrote last, but it is
//! equal. Such a function gets nothing but pointers, and reads nothing but what it writes. What it reads of that before it writes it comes from before; where that
//! differs on the two sides, the read is a defect of its own.
//!
//! What it cannot do: arguments that are numbers, and statements outside of functions that are called.

use crate::access::Access;
use crate::effects::Effects;
use ferry_ir::{Type, Unit};

/// True if the write gives the same values on both sides wherever its function is called.
pub fn repeats(unit: &Unit, effects: &Effects, access: &Access) -> bool {
    let Some(id) = access.called else {
        return false;
    };
    let function = unit.function(id);
    let parameters = function.locals.iter().take(function.parameters as usize);
    let mut types = parameters.map(|parameter| unit.types.get(parameter.ty));
    if !types.all(|ty| matches!(ty, Type::Pointer(_))) {
        return false;
    }
    let effect = effects.get(id);
    let (reads, writes) = (&effect.reads, &effect.writes);
    effect.external.is_none()
        && !(reads.anything || reads.all_arguments)
        && reads.hidden.is_subset(&writes.hidden)
        && reads.globals.is_subset(&writes.globals)
        && reads.arguments.is_subset(&writes.arguments)
}
