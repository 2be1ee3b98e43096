//! Does a kernel copy a structure that holds pointers of the host?
//!
//! What a member leads to is mapped through the member as the text names it (`s.to[i]`), and the run time puts the device's address there. A copy that the kernel
//! makes of the structure (`t = s`, a structure that is passed by value or returned) is another variable: where the member leads to is known by its value, but what
//! the copy holds on the device is the address of the host, unless just this member is mapped. Structures that the kernel itself has put together hold the device's
//! addresses.

use crate::called;
use ferry_analysis::symbols::Cause;
use ferry_ir::{
    Expr, ExprKind, Function, PlaceBase, Stmt, StmtKind, Type, TypeId, Types, Unit, VariableKind, VariableRef,
};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// Why a kernel of a function, with all that it calls, would find addresses of the host in its copies, if it may; `inside` are the variables that it declares.
pub fn refused(
    unit: &Unit,
    function: &Function,
    stmt: &Stmt,
    inside: &BTreeSet<VariableRef>,
) -> Option<Cause> {
    let in_text = |variable: VariableRef| match variable {
        VariableRef::Global(_) => false,
        VariableRef::Local(id) => {
            inside.contains(&variable) || function.local(id).kind == VariableKind::Temporary
        }
    };
    let own = || copied(&unit.types, stmt, &in_text);
    // All variables of a called function are of the device.
    let of_device = |variable: VariableRef| matches!(variable, VariableRef::Local(_));
    let in_called = || called::find(unit, stmt, |_, _, body| copied(&unit.types, body, &of_device));
    own().or_else(in_called).map(|at| {
        let why = "it copies a structure that holds pointers: the copy would have addresses of the host on the device";
        Cause::new(why, at)
    })
}

/// Where a structure with pointers is read as a whole that is none of the kernel's own.
fn copied(types: &Types, stmt: &Stmt, is_own: &dyn Fn(VariableRef) -> bool) -> Option<Origin> {
    let mut found = None;
    let mut look = |expr: &Expr| {
        if let ExprKind::Load(place) = &expr.kind
            && found.is_none()
            && holds_pointers(types, place.ty)
        {
            let own = match place.base {
                PlaceBase::Variable(variable) => is_own(variable),
                PlaceBase::Deref(_) => false,
            };
            found = (!own).then_some(expr.origin);
        }
    };
    stmt.walk(&mut |one| match &one.kind {
        StmtKind::Assign { value, .. } | StmtKind::Return(Some(value)) => look(value),
        StmtKind::Call { arguments, .. } => arguments.iter().for_each(&mut look),
        _ => {}
    });
    found
}

/// True for structures and unions with a pointer among their members.
fn holds_pointers(types: &Types, ty: TypeId) -> bool {
    let Type::Record(record) = types.get(ty) else {
        return false;
    };
    let record = types.record(*record);
    record.fields.iter().any(|field| {
        let mut ty = field.ty;
        while let Type::Array { element, .. } = types.get(ty) {
            ty = *element;
        }
        types.pointee(ty).is_some() || holds_pointers(types, ty)
    })
}
