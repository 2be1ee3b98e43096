//! Which calls does the analysis walk into, as if the function's body stood at the call?
//!
//! What a function touches depends on what it is given: offsets, shapes, pointers into the middle, values that decide
//! branches (Juravle's `getIndex`, §8.7). Walking its body with the values of the arguments answers all of that at once,
//! and loops inside it are loops like others. It is done for functions of the file that are small together with all
//! that they call, and do nothing that would have to be understood at another place: no recursion, labels, directives
//! or code that was not understood. All other calls are known by their summary ([`crate::effects`]).
//!
//! The choice is made before anything is walked and depends on the text alone, so that a scan of a loop and the walk that
//! records see the same program.

mod copy;

pub use copy::Body;

use ferry_ir::{Callee, Expr, Function, FunctionRef, Stmt, StmtId, StmtKind, Type, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Most statements of a function, those of the functions that it calls included.
const LARGEST: u32 = 200;

/// Most statements that are walked at calls in one function.
const TOGETHER: u32 = 1500;

/// Most statements of a function that is walked into where no loop is around the call: little depends on it there.
const OUTSIDE_LOOPS: u32 = 8;

/// The functions that may be walked into.
#[derive(Clone, Debug, Default)]
pub struct Expansions {
    /// Statements of each, with all that is walked inside it.
    sizes: BTreeMap<FunctionRef, u32>,
}

impl Expansions {
    /// Looks at all functions of a unit but those that the linker may replace.
    pub fn of_unit(unit: &Unit, replaceable: &BTreeSet<FunctionRef>) -> Expansions {
        let mut found = Sizes {
            unit,
            sizes: replaceable.iter().map(|id| (*id, None)).collect(),
            open: BTreeSet::new(),
        };
        for (id, _) in unit.functions() {
            found.size(id);
        }
        let sizes = found.sizes.into_iter();
        Expansions {
            sizes: sizes.filter_map(|(id, size)| Some((id, size?))).collect(),
        }
    }

    /// True if calls of the function may be walked into.
    pub fn is_possible(&self, function: FunctionRef) -> bool {
        self.sizes.contains_key(&function)
    }

    /// The calls of one function that are walked into, in text order until there are too many.
    pub fn chosen(&self, function: &Function) -> BTreeSet<StmtId> {
        let mut chosen = BTreeSet::new();
        let mut left = TOGETHER;
        if let Some(body) = &function.body {
            self.choose(body, false, &mut left, &mut chosen);
        }
        chosen
    }

    fn choose(&self, stmt: &Stmt, in_loop: bool, left: &mut u32, chosen: &mut BTreeSet<StmtId>) {
        let most = if in_loop { LARGEST } else { OUTSIDE_LOOPS };
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
    unit: &'a Unit,
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
        if self.open.len() > LARGEST as usize || !self.open.insert(id) {
            return None;
        }
        let size = self.own(id);
        self.open.remove(&id);
        self.sizes.insert(id, size);
        size
    }

    fn own(&mut self, id: FunctionRef) -> Option<u32> {
        let function = self.unit.function(id);
        let body = function.body.as_ref()?;
        if function.statements > LARGEST || !has_prototype(self.unit, function) {
            return None;
        }
        let mut size = 1u32;
        let mut called = Vec::new();
        let mut fine = true;
        body.walk(&mut |stmt| {
            size = size.saturating_add(1);
            fine &= is_followed(stmt);
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
            if self.unit.function(callee).body.is_none() || !takes(self.unit, callee, arguments) {
                continue;
            }
            // A function that calls itself, however indirectly, is left to its summary, and all that lead to it.
            if self.open.contains(&callee) {
                return None;
            }
            size = size.saturating_add(self.size(callee).unwrap_or(0));
        }
        (size <= LARGEST).then_some(size)
    }
}

/// True if nothing in the statement has to be understood at another place.
fn is_followed(stmt: &Stmt) -> bool {
    let mut fine = !matches!(
        stmt.kind,
        StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Directive { .. } | StmtKind::Opaque { .. }
    );
    stmt.for_each_expression(&mut |expr| {
        expr.walk(&mut |inner| fine &= !matches!(inner.kind, ferry_ir::ExprKind::Opaque { .. }));
    });
    fine
}

/// True if a call converts its arguments to the types of the parameters.
fn has_prototype(unit: &Unit, function: &Function) -> bool {
    matches!(
        unit.types.get(function.ty),
        Type::Function { variadic: false, .. }
    )
}

/// True if the arguments are what the parameters are declared as; old C lets a call pass anything.
pub fn takes(unit: &Unit, callee: FunctionRef, arguments: &[Expr]) -> bool {
    let function = unit.function(callee);
    let fits = |(number, argument): (usize, &Expr)| {
        let parameter = function.locals[number].ty;
        argument.ty == parameter
            || match (unit.types.get(argument.ty), unit.types.get(parameter)) {
                (Type::Pointer(_), Type::Pointer(_)) => true,
                (one, other) => one == other,
            }
    };
    arguments.len() == function.parameters as usize && arguments.iter().enumerate().all(fits)
}
