//! Which static arrays and structures does every function write before it reads them, so that none hands a value to another?
//!
//! Such an object is scratch that several functions share: `static double cv[N]` (NAS SP), which each solver fills and reads for a line of the grid. It holds nothing for anybody when one of
//! them ends, so that the loops in which they do so can give each iteration its own. For scalars see [`super::set_before_read`], for objects of one function [`super::between_calls`].
//!
//! A function begins by writing an object if its IN region has nothing of it. What it reads is then its own, unless something that it calls has written in between: no function that names the object
//! may call one that writes it.
//!
//! What it cannot do: objects that two functions hand on to each other on purpose in one place, and are scratch in others; those whose elements are written only for sizes that are large enough.

use super::Effects;
use super::between_calls::is_private;
use crate::regions::Regions;
use crate::value::walk;
use ferry_ir::{Callee, FunctionRef, GlobalId, Stmt, StmtKind, Unit, VariableRef, visit};

/// Most functions that are walked to find out.
const MOST_USERS: usize = 8;

/// True if the object is one of them.
pub(super) fn is_written_before_read(unit: &Unit, effects: &Effects, id: GlobalId) -> bool {
    let own = unit.global(id);
    if unit.types.is_scalar(own.ty) || own.qualifiers.constant || !is_private(unit, effects, id) {
        return false;
    }
    let mut users: Vec<(FunctionRef, &Stmt)> = Vec::new();
    for (user, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        if !visit::mentioned_variables(body).contains(&VariableRef::Global(id)) {
            continue;
        }
        if users.len() == MOST_USERS || hands_on(body, effects, id) {
            return false;
        }
        users.push((user, body));
    }
    users
        .into_iter()
        .all(|(user, body)| begins_by_writing(unit, effects, user, body, id))
}

/// True if something in a function may write the object for it, or read it in a way that is not followed.
fn hands_on(body: &Stmt, effects: &Effects, id: GlobalId) -> bool {
    crate::shape::any(body, &mut |stmt| match &stmt.kind {
        StmtKind::Call {
            callee: Callee::Function(callee),
            ..
        } => {
            let writes = &effects.get(*callee).writes;
            writes.anything || writes.globals.contains(&id)
        }
        StmtKind::Call {
            callee: Callee::Pointer(_),
            ..
        }
        | StmtKind::Opaque { .. } => true,
        // Clauses may name it, and a thread have a copy.
        StmtKind::Directive { .. } => visit::mentioned_variables(stmt).contains(&VariableRef::Global(id)),
        _ => false,
    })
}

fn begins_by_writing(unit: &Unit, effects: &Effects, user: FunctionRef, body: &Stmt, id: GlobalId) -> bool {
    let values = walk(unit, user, effects, None);
    let Some(root) = values.addresses.get(&VariableRef::Global(id)).copied() else {
        return false;
    };
    let regions = Regions::asked_for(unit, user, effects, &values);
    regions.blocked().is_none() && regions.needs_nothing_of(body, root)
}
