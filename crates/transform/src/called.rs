//! Which functions does a kernel call, and can they run on the device as they are?
//!
//! A function that a kernel calls is compiled for the device too (OpenMP 5.0 §2.12.7 declares it by itself; for others
//! a directive is written). Its own variables live there; a variable of the file needs a directive too ([`crate::links`]), or compilers leave
//! its name undefined. A function that calls itself, however indirectly, stays on the host: a device's stack is small, and how deep it goes is not known.

use crate::addresses;
use crate::links::{Links, named};
use ferry_analysis::symbols::Cause;
use ferry_ir::visit::calls;
use ferry_ir::{Callee, Function, FunctionRef, GlobalId, LocalId, Stmt, StmtKind, Type, Unit, VariableRef};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// The functions with a body that a statement calls, directly or not.
pub fn functions(unit: &Unit, stmt: &Stmt) -> BTreeSet<FunctionRef> {
    let mut found = BTreeSet::new();
    let mut open = callees(stmt);
    while let Some(next) = open.pop() {
        let Some(body) = unit
            .functions
            .get(next.0 as usize)
            .and_then(|function| function.body.as_ref())
        else {
            continue;
        };
        if found.insert(next) {
            open.extend(callees(body));
        }
    }
    found
}

/// The first thing that is found in one of the functions that a statement calls, directly or not; each is given with its body.
pub fn find<T>(
    unit: &Unit,
    stmt: &Stmt,
    look: impl Fn(FunctionRef, &Function, &Stmt) -> Option<T>,
) -> Option<T> {
    functions(unit, stmt).into_iter().find_map(|id| {
        let function = unit.function(id);
        look(id, function, function.body.as_ref()?)
    })
}

/// The functions that a statement calls by their names.
pub fn callees(stmt: &Stmt) -> Vec<FunctionRef> {
    let all = calls(stmt);
    all.into_iter()
        .filter_map(|call| match call.callee {
            Callee::Function(function) => Some(*function),
            Callee::Pointer(_) => None,
        })
        .collect()
}

/// The variables of the file that the functions name which a statement calls, directly or not.
pub fn globals(unit: &Unit, stmt: &Stmt) -> BTreeSet<GlobalId> {
    let called = functions(unit, stmt);
    let bodies = called.iter().filter_map(|id| unit.function(*id).body.as_ref());
    bodies.flat_map(|body| named(body).into_keys()).collect()
}

/// Why the functions that a kernel calls cannot run on the device, if they cannot.
pub fn refused(unit: &Unit, stmt: &Stmt, links: &Links) -> Option<Cause> {
    find(unit, stmt, |id, function, body| {
        if let Some(at) = calls_itself(unit, id, body) {
            let why = format!(
                "{}, which it calls, calls itself: a device's stack is small, and how deep it goes is not known",
                function.name
            );
            return Some(Cause::new(why, at));
        }
        if takes_any_number(unit, function) {
            let why = format!("{}, which it calls, takes any number of arguments", function.name);
            return Some(Cause::new(why, function.origin));
        }
        // A region in a region, and loops that the threads of the kernel would share out among them.
        if let Some(at) = first_directive(body) {
            let why = format!("{}, which it calls, has directives already", function.name);
            return Some(Cause::new(why, at));
        }
        for (used, at) in named(body) {
            let Err(without) = links.place(used) else { continue };
            let used = unit.global(used);
            let what = match used.inside {
                _ if used.string_literal => "a string".to_owned(),
                Some(_) => format!("the static variable {} of the file", used.name),
                None => format!("the variable {} of the file", used.name),
            };
            let why = format!("{}, which it calls, uses {what}, {without}", function.name);
            return Some(Cause::new(why, at));
        }
        let own = (0..function.locals.len() as u32).map(|id| VariableRef::Local(LocalId(id)));
        addresses::used_as_values_in_function(&unit.types, body, &own.collect(), &pointers(unit, function))
    })
}

fn first_directive(body: &Stmt) -> Option<Origin> {
    let mut found = None;
    body.walk(&mut |stmt| {
        if matches!(stmt.kind, StmtKind::Directive { .. }) {
            found.get_or_insert(stmt.origin);
        }
    });
    found
}

/// Where a function calls itself, or one that leads back to it.
fn calls_itself(unit: &Unit, id: FunctionRef, body: &Stmt) -> Option<Origin> {
    let leads_back = |callee: FunctionRef| {
        let further = unit.functions.get(callee.0 as usize)?.body.as_ref()?;
        (callee == id || functions(unit, further).contains(&id)).then_some(())
    };
    calls(body).into_iter().find_map(|call| match call.callee {
        Callee::Function(callee) => leads_back(*callee).map(|()| call.statement.origin),
        Callee::Pointer(_) => None,
    })
}

/// True for a function with `...`; `f()` is written alike in old C, and takes none.
fn takes_any_number(unit: &Unit, function: &Function) -> bool {
    let variadic = matches!(unit.types.get(function.ty), Type::Function { variadic: true, .. });
    variadic && function.parameters > 0
}

/// The parameters through which a function is given storage.
fn pointers(unit: &Unit, function: &Function) -> BTreeSet<VariableRef> {
    (0..function.parameters)
        .map(LocalId)
        .filter(|local| {
            let ty = unit.types.get(function.local(*local).ty);
            matches!(ty, Type::Pointer(_) | Type::Record(_))
        })
        .map(VariableRef::Local)
        .collect()
}
