//! Which calls does the analysis walk into, as if the function's body stood at the call?
//!
//! What a function touches depends on what it is given: offsets, shapes, pointers into the middle, values that decide
//! branches (Juravle's `getIndex`, §8.7). Walking its body with the values of the arguments answers all of that at once,
//! and loops inside it are loops like others. It is done for functions of the file that are small together with all
//! that they call, and do nothing that would have to be understood at another place: no recursion, labels, directives
//! or code that was not understood. All other calls are known by their summary ([`crate::effects`]).
//!
//! Functions of other files are walked into where their bodies were brought here ([`crate::effects::brought`]).
//!
//! The choice is made before anything is walked and depends on the text alone, so that a scan of a loop and the walk that
//! records see the same program.

mod copy;

pub use copy::Body;

use ferry_ir::{Callee, Expr, Function, FunctionRef, Stmt, StmtId, StmtKind, Type, TypeId, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How far calls are walked into.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Most statements of a function, those of the functions that it calls included.
    largest: u32,
    /// Most statements that are walked at calls in one function.
    together: u32,
    /// Most statements of a function that is walked into where no loop is around the call.
    outside_loops: u32,
    /// Functions with directives are walked into.
    directives: bool,
}

/// For questions about single loops: little depends on a call that no loop is around.
const FOR_LOOPS: Limits = Limits {
    largest: 200,
    together: 1500,
    outside_loops: 8,
    directives: false,
};

/// For questions about what happens between the beginning and the end of a program.
const FOR_PROGRAMS: Limits = Limits {
    largest: 4000,
    together: 8000,
    outside_loops: 4000,
    directives: true,
};

impl Default for Limits {
    fn default() -> Limits {
        FOR_LOOPS
    }
}

/// The functions that may be walked into.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    limits: Limits,
    /// Statements of each, with all that is walked inside it.
    sizes: BTreeMap<FunctionRef, u32>,
    /// Functions of other files, with their bodies.
    brought: Bodies,
}

/// Functions that a unit only declares, with their bodies in its terms.
pub type Bodies = Arc<BTreeMap<FunctionRef, Function>>;

/// A function with its body, wherever that is.
fn with_body<'a>(unit: &'a Unit, brought: &'a Bodies, id: FunctionRef) -> &'a Function {
    let own = unit.function(id);
    match (&own.body, brought.get(&id)) {
        (None, Some(brought)) => brought,
        _ => own,
    }
}

impl Expansions {
    /// Looks at all functions of a unit but those that the linker may replace.
    pub fn of_unit(unit: &Unit, replaceable: &BTreeSet<FunctionRef>, brought: &Bodies) -> Expansions {
        Expansions::within(FOR_LOOPS, unit, replaceable, brought)
    }

    /// The same, as far as possible, those with directives included.
    pub fn of_program(unit: &Unit, replaceable: &BTreeSet<FunctionRef>, brought: &Bodies) -> Expansions {
        Expansions::within(FOR_PROGRAMS, unit, replaceable, brought)
    }

    fn within(
        limits: Limits,
        unit: &Unit,
        replaceable: &BTreeSet<FunctionRef>,
        brought: &Bodies,
    ) -> Expansions {
        let mut found = Sizes {
            limits,
            unit,
            brought,
            sizes: replaceable.iter().map(|id| (*id, None)).collect(),
            open: BTreeSet::new(),
        };
        for (id, _) in unit.functions() {
            found.size(id);
        }
        let sizes = found.sizes.into_iter();
        Expansions {
            limits,
            sizes: sizes.filter_map(|(id, size)| Some((id, size?))).collect(),
            brought: brought.clone(),
        }
    }

    /// A function with its body, also if that is in another file and was brought here.
    pub fn function<'a>(&'a self, unit: &'a Unit, id: FunctionRef) -> &'a Function {
        with_body(unit, &self.brought, id)
    }

    /// True for a function of another file of which the body was brought here.
    pub fn is_brought(&self, id: FunctionRef) -> bool {
        self.brought.contains_key(&id)
    }

    /// True if calls of the function may be walked into.
    pub fn is_possible(&self, function: FunctionRef) -> bool {
        self.sizes.contains_key(&function)
    }

    /// The calls of one function that are walked into, in text order until there are too many.
    pub fn chosen(&self, function: &Function) -> BTreeSet<StmtId> {
        let mut chosen = BTreeSet::new();
        let mut left = self.limits.together;
        if let Some(body) = &function.body {
            self.choose(body, false, &mut left, &mut chosen);
        }
        chosen
    }

    fn choose(&self, stmt: &Stmt, in_loop: bool, left: &mut u32, chosen: &mut BTreeSet<StmtId>) {
        let most = match in_loop {
            true => self.limits.largest,
            false => self.limits.outside_loops,
        };
        if let StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } = &stmt.kind
            && let Some(size) = self.sizes.get(id)
            && *size <= most.min(*left)
        {
            *left -= size;
            chosen.insert(stmt.id);
        }
        let in_loop = in_loop || matches!(stmt.kind, StmtKind::Loop(_));
        stmt.for_each_child(&mut |child| self.choose(child, in_loop, left, chosen));
    }
}

struct Sizes<'a> {
    limits: Limits,
    unit: &'a Unit,
    brought: &'a Bodies,
    sizes: BTreeMap<FunctionRef, Option<u32>>,
    /// The functions that are being looked at: one that is met again calls itself.
    open: BTreeSet<FunctionRef>,
}

impl Sizes<'_> {
    fn size(&mut self, id: FunctionRef) -> Option<u32> {
        if let Some(known) = self.sizes.get(&id) {
            return *known;
        }
        // A chain of calls that is longer than the limit is too large anyway.
        if self.open.len() > self.limits.largest as usize || !self.open.insert(id) {
            return None;
        }
        let size = self.own(id);
        self.open.remove(&id);
        self.sizes.insert(id, size);
        size
    }

    fn own(&mut self, id: FunctionRef) -> Option<u32> {
        let function = with_body(self.unit, self.brought, id);
        let body = function.body.as_ref()?;
        if function.statements > self.limits.largest || !has_prototype(self.unit, function) {
            return None;
        }
        let mut size = 1u32;
        let mut called = Vec::new();
        let mut fine = true;
        body.walk(&mut |stmt| {
            size = size.saturating_add(1);
            fine &= is_followed(stmt)
                && (self.limits.directives || !matches!(stmt.kind, StmtKind::Directive { .. }));
            if let StmtKind::Call {
                callee: Callee::Function(id),
                arguments,
                ..
            } = &stmt.kind
            {
                called.push((*id, arguments.as_slice()));
            }
        });
        if !fine {
            return None;
        }
        for (callee, arguments) in called {
            let called = with_body(self.unit, self.brought, callee);
            if called.body.is_none() || !takes(self.unit, called, arguments) {
                continue;
            }
            // A function that calls itself, however indirectly, is left to its summary, and all that lead to it.
            if self.open.contains(&callee) {
                return None;
            }
            size = size.saturating_add(self.size(callee).unwrap_or(0));
        }
        (size <= self.limits.largest).then_some(size)
    }
}

/// True if nothing in the statement has to be understood at another place.
pub(crate) fn is_followed(stmt: &Stmt) -> bool {
    let elsewhere = matches!(
        stmt.kind,
        StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. }
    );
    !elsewhere && !crate::shape::is_unknown(stmt)
}

/// True if a call converts its arguments to the types of the parameters. A definition `f()` has none, and a function of old C with parameters is like one that
/// takes any number.
pub(crate) fn has_prototype(unit: &Unit, function: &Function) -> bool {
    let fixed = matches!(
        unit.types.get(function.ty),
        Type::Function { variadic: false, .. }
    );
    fixed || function.parameters == 0
}

/// True if the arguments are what the parameters are declared as; old C lets a call pass anything.
pub fn takes(unit: &Unit, function: &Function, arguments: &[Expr]) -> bool {
    let parameters: Vec<TypeId> = match (&function.body, unit.types.get(function.ty)) {
        (Some(_), _) => {
            let all = function.locals.iter().take(function.parameters as usize);
            all.map(|local| local.ty).collect()
        }
        // One that is only declared has no variables; without a prototype it takes anything.
        (
            None,
            Type::Function {
                parameters,
                variadic: false,
                ..
            },
        ) => parameters.clone(),
        (None, _) => return false,
    };
    let fits = |(argument, parameter): (&Expr, &TypeId)| {
        argument.ty == *parameter
            || match (unit.types.get(argument.ty), unit.types.get(*parameter)) {
                (Type::Pointer(_), Type::Pointer(_)) => true,
                (one, other) => one == other,
            }
    };
    arguments.len() == parameters.len() && arguments.iter().zip(&parameters).all(fits)
}
