//! Do two texts stand for the same program? Compares functions of two units whose numbers of types, variables, labels and
//! statements may differ, by structure and by names, whatever the places in the text. This is how Ferry proves that the text
//! it is about to write, read again, is the program that it meant.
//!
//! Temporaries, extents and compound literals have no names that count; they correspond by where they are used. Blocks that are no scopes and
//! empty statements do not count either. What is opaque is the same if it mentions the same things for the same reason;
//! that its text is the same too is not seen here.

mod directive;
mod expression;
mod variables;

use crate::{Callee, Expr, Function, GlobalId, LabelId, LocalId, Loop, Stmt, StmtKind, TypeId, Unit};
use ferry_source::Origin;
use std::collections::HashMap;

/// The first thing in which two programs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is, in words.
    pub what: String,
    /// Where in the first program; of the smallest thing around it that has a place.
    pub first: Origin,
    /// Where in the second.
    pub second: Origin,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Difference {}

/// Whether two functions are equal, or what differs first.
pub type Equal = Result<(), Difference>;

/// Compares an expression in a clause of the first program with that of the second: [`Comparison::expression`] demands equal types,
/// a looser comparison may be what is wanted where a number was printed and got its type from reading it.
pub type CompareClause<'c> = &'c mut dyn FnMut(&mut Comparison<'_>, &Expr, &Expr) -> Equal;

/// Whether `a` (of `unit_a`) and `b` (of `unit_b`) are the same function.
///
/// # Errors
/// The first difference.
pub fn equal_modulo_origins(a: &Function, unit_a: &Unit, b: &Function, unit_b: &Unit) -> Equal {
    equal_modulo_origins_with(a, unit_a, b, unit_b, &mut |comparison, a, b| {
        comparison.expression(a, b)
    })
}

/// The same, with another idea of when expressions in clauses of directives are equal.
///
/// # Errors
/// The first difference.
pub fn equal_modulo_origins_with(
    a: &Function,
    unit_a: &Unit,
    b: &Function,
    unit_b: &Unit,
    clause: CompareClause<'_>,
) -> Equal {
    let mut comparison = Comparison::new(unit_a, Some(a), unit_b, Some(b));
    comparison.function(a, b, clause)
}

/// Whether two units have the same globals and functions, in any order. What is only declared counts where it is used.
///
/// # Errors
/// The first difference.
pub fn equal_units_modulo_origins(a: &Unit, b: &Unit, clause: CompareClause<'_>) -> Equal {
    equal_units_and_then(a, b, clause, &mut |_, _, _| {})
}

/// What is asked about two functions that are equal, while it is known what corresponds to what in them.
pub type ThenAsk<'c> = &'c mut dyn FnMut(&mut Comparison<'_>, &Function, &Function);

/// The same, and calls `then` with every pair of functions that is equal.
///
/// # Errors
/// The first difference.
pub fn equal_units_and_then(a: &Unit, b: &Unit, clause: CompareClause<'_>, then: ThenAsk<'_>) -> Equal {
    Comparison::new(a, None, b, None).globals()?;
    let defined = |unit: &Unit| {
        unit.functions
            .iter()
            .filter(|function| function.body.is_some())
            .count()
    };
    for function in a.functions.iter().filter(|function| function.body.is_some()) {
        // Several of one name, told apart by their parameters (clang's `overloadable`), are compared with each.
        let mut others = b
            .functions
            .iter()
            .filter(|other| other.body.is_some() && other.name == function.name);
        let mut difference = Some(Difference {
            what: format!("`{}` is missing", function.name),
            first: function.origin,
            second: Origin::New,
        });
        while let (Some(_), Some(other)) = (&difference, others.next()) {
            let mut comparison = Comparison::new(a, Some(function), b, Some(other));
            difference = comparison.function(function, other, clause).err();
            if difference.is_none() {
                then(&mut comparison, function, other);
            }
        }
        if let Some(difference) = difference {
            return Err(difference);
        }
    }
    if defined(a) != defined(b) {
        let what = "there are more functions in the second program".to_owned();
        return Err(Difference {
            what,
            first: Origin::New,
            second: Origin::New,
        });
    }
    Ok(())
}

/// What corresponds to what so far.
pub struct Comparison<'a> {
    units: [&'a Unit; 2],
    functions: [Option<&'a Function>; 2],
    locals: Pairs<LocalId>,
    labels: Pairs<LabelId>,
    globals: Pairs<GlobalId>,
    /// Pairs of types that were found equal, or whose comparison is under way.
    types: HashMap<(TypeId, TypeId), bool>,
    /// The smallest things around that have a place.
    around: [Origin; 2],
}

/// A one-to-one correspondence.
struct Pairs<T> {
    forth: HashMap<T, T>,
    back: HashMap<T, T>,
}

impl<T: Copy + Eq + std::hash::Hash> Pairs<T> {
    fn new() -> Pairs<T> {
        Pairs {
            forth: HashMap::new(),
            back: HashMap::new(),
        }
    }

    /// Whether the two correspond; `None` if neither was seen before.
    fn get(&self, a: T, b: T) -> Option<bool> {
        match (self.forth.get(&a), self.back.get(&b)) {
            (None, None) => None,
            (forth, _) => Some(forth == Some(&b)),
        }
    }

    fn add(&mut self, a: T, b: T) {
        self.forth.insert(a, b);
        self.back.insert(b, a);
    }
}

impl<'a> Comparison<'a> {
    fn new(
        unit_a: &'a Unit,
        a: Option<&'a Function>,
        unit_b: &'a Unit,
        b: Option<&'a Function>,
    ) -> Comparison<'a> {
        Comparison {
            units: [unit_a, unit_b],
            functions: [a, b],
            locals: Pairs::new(),
            labels: Pairs::new(),
            globals: Pairs::new(),
            types: HashMap::new(),
            around: [Origin::New; 2],
        }
    }

    fn differ<T>(&self, what: impl Into<String>) -> Result<T, Difference> {
        Err(Difference {
            what: what.into(),
            first: self.around[0],
            second: self.around[1],
        })
    }

    fn demand(&self, equal: bool, what: &str) -> Equal {
        if equal { Ok(()) } else { self.differ(what) }
    }

    /// Runs `work` with the places of two things as the smallest around.
    fn inside(&mut self, a: Origin, b: Origin, work: impl FnOnce(&mut Self) -> Equal) -> Equal {
        let outside = self.around;
        for (slot, origin) in self.around.iter_mut().zip([a, b]) {
            if origin != Origin::New {
                *slot = origin;
            }
        }
        let result = work(self);
        self.around = outside;
        result
    }

    fn function(&mut self, a: &Function, b: &Function, clause: CompareClause<'_>) -> Equal {
        self.around = [a.origin, b.origin];
        self.demand(a.name == b.name, "functions of different names")?;
        let flags = |f: &Function| {
            (
                f.linkage,
                f.inline,
                f.pure,
                f.noreturn,
                f.parameters,
                f.body.is_some(),
            )
        };
        self.demand(
            flags(a) == flags(b),
            "functions of different linkage or attributes",
        )?;
        for number in 0..a.parameters {
            self.local(LocalId(number), LocalId(number))?;
        }
        self.same_type(a.ty, b.ty)?;
        match (&a.body, &b.body) {
            (Some(a), Some(b)) => self.lists(std::slice::from_ref(a), std::slice::from_ref(b), clause),
            _ => Ok(()),
        }
    }

    /// Two lists of statements, without what does not count in them.
    fn lists(&mut self, a: &[Stmt], b: &[Stmt], clause: CompareClause<'_>) -> Equal {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        flatten(a, &mut first);
        flatten(b, &mut second);
        for (a, b) in first.iter().zip(&second) {
            self.inside(a.origin, b.origin, |comparison| {
                comparison.kind(&a.kind, &b.kind, clause)
            })?;
        }
        let more =
            |list: &[&Stmt], from: usize| list.get(from).map_or(Origin::New, |statement| statement.origin);
        let common = first.len().min(second.len());
        self.inside(more(&first, common), more(&second, common), |comparison| {
            comparison.demand(first.len() == second.len(), "a statement more in one program")
        })
    }

    fn single(&mut self, a: &Stmt, b: &Stmt, clause: CompareClause<'_>) -> Equal {
        self.lists(std::slice::from_ref(a), std::slice::from_ref(b), clause)
    }

    fn kind(&mut self, a: &StmtKind, b: &StmtKind, clause: CompareClause<'_>) -> Equal {
        match (a, b) {
            (
                StmtKind::Assign { place, value },
                StmtKind::Assign {
                    place: other_place,
                    value: other,
                },
            ) => {
                self.expression(value, other)?;
                self.place(place, other_place)
            }
            (StmtKind::Zero { place: a }, StmtKind::Zero { place: b }) => self.place(a, b),
            (
                StmtKind::Call {
                    result: result_a,
                    callee: callee_a,
                    arguments: arguments_a,
                },
                StmtKind::Call {
                    result: result_b,
                    callee: callee_b,
                    arguments: arguments_b,
                },
            ) => {
                match (callee_a, callee_b) {
                    (Callee::Function(a), Callee::Function(b)) => self.function_name(*a, *b)?,
                    (Callee::Pointer(a), Callee::Pointer(b)) => self.expression(a, b)?,
                    _ => return self.differ("a call by name and a call through a pointer"),
                }
                self.expressions(arguments_a, arguments_b)?;
                match (result_a, result_b) {
                    (Some(a), Some(b)) => self.place(a, b),
                    (None, None) => Ok(()),
                    _ => self.differ("only one program uses the result of the call"),
                }
            }
            (StmtKind::Declare { local: a }, StmtKind::Declare { local: b }) => self.local(*a, *b),
            (
                StmtKind::Block { body: a, scope },
                StmtKind::Block {
                    body: b,
                    scope: other,
                },
            ) => {
                self.demand(scope == other, "a scope in one program")?;
                self.lists(a, b, clause)
            }
            (
                StmtKind::If {
                    condition: condition_a,
                    then: then_a,
                    otherwise: otherwise_a,
                },
                StmtKind::If {
                    condition: condition_b,
                    then: then_b,
                    otherwise: otherwise_b,
                },
            ) => {
                self.expression(condition_a, condition_b)?;
                self.single(then_a, then_b, clause)?;
                match (otherwise_a, otherwise_b) {
                    (Some(a), Some(b)) => self.single(a, b, clause),
                    (None, None) => Ok(()),
                    _ => self.differ("an `else` in only one program"),
                }
            }
            (StmtKind::Loop(a), StmtKind::Loop(b)) => self.loops(a, b, clause),
            (
                StmtKind::Switch {
                    value: a,
                    body: body_a,
                },
                StmtKind::Switch {
                    value: b,
                    body: body_b,
                },
            ) => {
                self.expression(a, b)?;
                self.single(body_a, body_b, clause)
            }
            (StmtKind::Return(None), StmtKind::Return(None)) => Ok(()),
            (StmtKind::Return(Some(a)), StmtKind::Return(Some(b))) => self.expression(a, b),
            (StmtKind::Goto(a), StmtKind::Goto(b)) | (StmtKind::Label(a), StmtKind::Label(b)) => {
                self.label(*a, *b)
            }
            (
                StmtKind::Directive {
                    directive: a,
                    body: body_a,
                },
                StmtKind::Directive {
                    directive: b,
                    body: body_b,
                },
            ) => {
                self.directive(a, b, clause)?;
                match (body_a, body_b) {
                    (Some(a), Some(b)) => self.single(a, b, clause),
                    (None, None) => Ok(()),
                    _ => self.differ("a directive governs a statement in only one program"),
                }
            }
            (
                StmtKind::Opaque {
                    why: why_a,
                    mentions: a,
                    escapes: escapes_a,
                    jumps: jumps_a,
                },
                StmtKind::Opaque {
                    why: why_b,
                    mentions: b,
                    escapes: escapes_b,
                    jumps: jumps_b,
                },
            ) => {
                let same = (why_a, escapes_a, jumps_a) == (why_b, escapes_b, jumps_b);
                self.demand(same, "statements that were not understood for different reasons")?;
                self.expressions(a, b)
            }
            (StmtKind::Case { .. }, StmtKind::Case { .. }) => self.demand(a == b, "different cases"),
            (StmtKind::Default, StmtKind::Default)
            | (StmtKind::Break, StmtKind::Break)
            | (StmtKind::Continue, StmtKind::Continue)
            | (StmtKind::Empty, StmtKind::Empty) => Ok(()),
            _ => self.differ("different statements"),
        }
    }

    fn loops(&mut self, a: &Loop, b: &Loop, clause: CompareClause<'_>) -> Equal {
        self.demand(a.kind == b.kind, "loops of different kinds")?;
        self.lists(&a.init, &b.init, clause)?;
        self.lists(&a.before_test, &b.before_test, clause)?;
        match (&a.condition, &b.condition) {
            (Some(a), Some(b)) => self.expression(a, b)?,
            (None, None) => {}
            _ => return self.differ("a loop with a condition in only one program"),
        }
        self.single(&a.body, &b.body, clause)?;
        self.lists(&a.step, &b.step, clause)
    }
}

/// The statements of a list that count.
fn flatten<'s>(list: &'s [Stmt], into: &mut Vec<&'s Stmt>) {
    for statement in list {
        match &statement.kind {
            StmtKind::Block { body, scope: false } => flatten(body, into),
            StmtKind::Empty => {}
            _ => into.push(statement),
        }
    }
}

#[cfg(test)]
mod tests;
