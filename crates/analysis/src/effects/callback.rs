//! What do `qsort` and `bsearch` touch, which call a function that they are given?
//!
//! If it is one of the unit, they do what that function does to what it is given, which lies in the array (or is the key), and
//! `qsort` moves the elements. One that is known to stay inside of the elements that it is given ([`super::summary`]) touches no
//! more than the elements that the call is about. Else anything may happen.
//!
//! What it cannot do: functions that a variable holds; which elements are compared.

use super::bytes::{Bytes, Count};
use super::summary::{Base, Summary};
use super::{Effect, Touch, translate};
use crate::access::AccessKind;
use ferry_ir::{Callee, Expr, ExprKind, FunctionRef, Stmt, StmtKind, Unit};

/// A function of the library that calls back.
struct Caller {
    name: &'static str,
    /// The position of the function among its arguments.
    function: usize,
    /// Where each argument of that function points into, by the arguments of this one.
    given: &'static [usize],
    /// What it touches itself.
    bytes: &'static [Bytes],
}

/// All bytes of an array of so many elements.
const ELEMENTS: Count = Count::Product(1, 2);

/// The position of the size of an element among the arguments of `qsort`, the only one that touches elements itself.
const SIZE: usize = 2;

const CALLERS: &[Caller] = &[
    Caller {
        name: "qsort",
        function: 3,
        given: &[0, 0],
        bytes: &[
            Bytes::read(0, ELEMENTS).perhaps(),
            Bytes::written(0, ELEMENTS).perhaps(),
        ],
    },
    Caller {
        name: "bsearch",
        function: 4,
        given: &[0, 1],
        bytes: &[],
    },
];

/// A call of such a function with a function that is known.
pub(super) struct Call {
    caller: &'static Caller,
    function: FunctionRef,
}

/// The call, if it is one.
pub(super) fn of_call(unit: &Unit, callee: FunctionRef, arguments: &[Expr]) -> Option<Call> {
    let called = unit.function(callee);
    let caller = CALLERS
        .iter()
        .find(|caller| caller.name == called.name && called.body.is_none())?;
    let function = function(arguments.get(caller.function)?)?;
    Some(Call { caller, function })
}

/// The functions with a body that functions of the library call back somewhere in a statement.
pub(super) fn called_back(unit: &Unit, body: &Stmt) -> Vec<FunctionRef> {
    let mut found = Vec::new();
    body.walk(&mut |stmt| {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            arguments,
            ..
        } = &stmt.kind
            && let Some(call) = of_call(unit, *id, arguments)
            && unit.function(call.function).body.is_some()
        {
            found.push(call.function);
        }
    });
    found
}

/// The function that an argument names.
pub(crate) fn function(expr: &Expr) -> Option<FunctionRef> {
    match &expr.kind {
        ExprKind::Function(id) => Some(*id),
        ExprKind::Cast(inner) => function(inner),
        _ => None,
    }
}

impl Call {
    /// What it does, by the effects of functions that are known so far.
    pub fn effect(&self, effects: &[Effect]) -> Effect {
        let into = |argument: &usize| Touch {
            arguments: [*argument].into(),
            ..Touch::default()
        };
        let mut effect = Effect::default();
        let given: Vec<Touch> = self.caller.given.iter().map(into).collect();
        match effects.get(self.function.0 as usize) {
            Some(called) => effect.called(called, &given),
            None => return Effect::unknown(self.caller.name),
        }
        // Its elements are compared on the host: no device has `qsort`.
        effect.on_device = false;
        effect.beside_bytes = (effect.reads.clone(), effect.writes.clone());
        effect.bytes = self.caller.bytes.to_vec();
        for bytes in self.caller.bytes {
            let touch = match bytes.kind {
                AccessKind::Read => &mut effect.reads,
                AccessKind::Write => &mut effect.writes,
            };
            touch.arguments.insert(bytes.argument);
        }
        effect
    }

    /// The function that is called back.
    pub fn function(&self) -> FunctionRef {
        self.function
    }

    /// The same effect, if the function that is called back touches only the elements that it is given; `summary` says what it touches.
    pub fn within_elements(&self, effect: Effect, summary: &Summary, arguments: &[Expr]) -> Effect {
        let size = arguments.get(SIZE).and_then(Expr::as_int);
        let inside = |low: i128, high: i128| 0 <= low && size.is_some_and(|size| high <= size);
        let into = |argument: &usize| Touch {
            arguments: [*argument].into(),
            ..Touch::default()
        };
        let given: Vec<Touch> = self.caller.given.iter().map(into).collect();
        let (mut reads, mut writes) = (Touch::default(), Touch::default());
        translate(&summary.reads, &given, &mut reads);
        translate(&summary.writes, &given, &mut writes);
        for section in &summary.sections {
            let number = |end: &ferry_symbolic::Expr| end.as_constant()?.to_i128();
            let ends = number(&section.hull.0).zip(number(&section.hull.1));
            let (touch, argument) = match (section.kind, section.base) {
                (AccessKind::Read, Base::Global(id)) => {
                    reads.globals.insert(id);
                    continue;
                }
                (AccessKind::Write, Base::Global(id)) => {
                    writes.globals.insert(id);
                    continue;
                }
                (AccessKind::Read, Base::Argument(number)) => (&mut reads, number),
                (AccessKind::Write, Base::Argument(number)) => (&mut writes, number),
            };
            let Some(argument) = self.caller.given.get(argument) else {
                return effect;
            };
            let own = |bytes: &&Bytes| bytes.argument == *argument && bytes.kind == section.kind;
            let known = self.caller.bytes.iter().any(|bytes| own(&bytes));
            if !(known && ends.is_some_and(|(low, high)| inside(low, high))) {
                touch.arguments.insert(*argument);
            }
        }
        Effect {
            beside_bytes: (reads, writes),
            ..effect
        }
    }
}
