//! In which order does a statement touch memory, and under which conditions?
//!
//! The order is that of evaluation, which `SPECIFICATION.md` fixes; the conditions are those inside the same statement
//! (`&&`, `||`, `?:`). Two things are not accesses here: the clause expressions of directives, which the sequential program
//! never evaluates, and the extents that subscripts of variable-length arrays multiply by, which never change.

use crate::{Callee, Expr, ExprKind, LogicalOp, Place, Stmt, StmtKind};

/// What happens to a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Its value is read.
    Load,
    /// A value is written to it.
    Store,
    /// All its bytes become 0.
    Zero,
    /// Its address is computed; no memory is touched.
    Address,
    /// It is mentioned in an opaque expression: it may be read there.
    MayRead,
    /// It is mentioned in an opaque statement: it may be read and written there.
    MayTouch,
}

impl AccessKind {
    /// True if memory is written, or may be.
    pub fn writes(self) -> bool {
        matches!(self, AccessKind::Store | AccessKind::Zero | AccessKind::MayTouch)
    }

    /// True if memory is read, or may be.
    pub fn reads(self) -> bool {
        matches!(
            self,
            AccessKind::Load | AccessKind::MayRead | AccessKind::MayTouch
        )
    }
}

/// A condition inside a statement under which a part of it is evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guard<'a> {
    /// The left side of `&&` or `||`, or the condition of `?:`.
    pub condition: &'a Expr,
    /// Whether it has to be true (not 0) or false (0).
    pub holds: bool,
}

/// One place that is touched, with how, and under which guards (outermost first).
pub type AccessVisitor<'v, 'a> = &'v mut dyn FnMut(&'a Place, AccessKind, &[Guard<'a>]);

/// The same with the statement to which the access belongs.
pub type StatementAccessVisitor<'v, 'a> = &'v mut dyn FnMut(&'a Stmt, &'a Place, AccessKind, &[Guard<'a>]);

/// The accesses of evaluating `expr`.
pub fn expression_accesses<'a>(expr: &'a Expr, f: AccessVisitor<'_, 'a>) {
    AccessWalk {
        guards: Vec::new(),
        inside: None,
        f,
    }
    .expression(expr);
}

/// The accesses of finding out where `place` is: those of its pointer and its indices, not of the place itself.
pub fn place_accesses<'a>(place: &'a Place, f: AccessVisitor<'_, 'a>) {
    AccessWalk {
        guards: Vec::new(),
        inside: None,
        f,
    }
    .address(place);
}

/// The accesses of the statement itself: for statements with parts, only of the condition or value that it tests (those of
/// the parts belong to them). What a callee does is not in them. A loop's condition is touched once per test.
pub fn statement_accesses<'a>(statement: &'a Stmt, f: AccessVisitor<'_, 'a>) {
    let mut walk = AccessWalk {
        guards: Vec::new(),
        inside: None,
        f,
    };
    match &statement.kind {
        StmtKind::Assign { place, value } => {
            walk.expression(value);
            walk.address(place);
            (walk.f)(place, AccessKind::Store, &[]);
        }
        StmtKind::Zero { place } => {
            walk.address(place);
            (walk.f)(place, AccessKind::Zero, &[]);
        }
        StmtKind::Call {
            result,
            callee,
            arguments,
        } => {
            if let Callee::Pointer(pointer) = callee {
                walk.expression(pointer);
            }
            for argument in arguments {
                walk.expression(argument);
            }
            if let Some(place) = result {
                walk.address(place);
                (walk.f)(place, AccessKind::Store, &[]);
            }
        }
        StmtKind::If { condition, .. } => walk.expression(condition),
        StmtKind::Loop(l) => l
            .condition
            .iter()
            .for_each(|condition| walk.expression(condition)),
        StmtKind::Switch { value, .. } => walk.expression(value),
        StmtKind::Return(value) => value.iter().for_each(|value| walk.expression(value)),
        StmtKind::Opaque { mentions, .. } => {
            walk.inside = Some(AccessKind::MayTouch);
            mentions.iter().for_each(|mention| walk.expression(mention));
        }
        StmtKind::Declare { .. }
        | StmtKind::Block { .. }
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Directive { .. }
        | StmtKind::Empty => {}
    }
}

/// The accesses of the statement and of everything in it, in text order of the statements, each with the statement it belongs to.
pub fn all_accesses<'a>(statement: &'a Stmt, f: StatementAccessVisitor<'_, 'a>) {
    statement.walk(&mut |inner| {
        statement_accesses(inner, &mut |place, kind, guards| f(inner, place, kind, guards));
    });
}

/// A walk over an expression that knows under which conditions it is.
struct AccessWalk<'v, 'a> {
    guards: Vec<Guard<'a>>,
    /// Set inside an opaque node: what may happen to the places there.
    inside: Option<AccessKind>,
    f: AccessVisitor<'v, 'a>,
}

impl<'a> AccessWalk<'_, 'a> {
    fn touch(&mut self, place: &'a Place, kind: AccessKind) {
        self.address(place);
        (self.f)(place, self.inside.unwrap_or(kind), &self.guards);
    }

    fn address(&mut self, place: &'a Place) {
        place.for_each_child(&mut |child| self.expression(child));
    }

    fn guarded(&mut self, condition: &'a Expr, holds: bool, part: &'a Expr) {
        self.guards.push(Guard { condition, holds });
        self.expression(part);
        self.guards.pop();
    }

    fn expression(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.touch(place, AccessKind::Load),
            ExprKind::AddressOf(place) => self.touch(place, AccessKind::Address),
            ExprKind::Logical(op, a, b) => {
                self.expression(a);
                self.guarded(a, *op == LogicalOp::And, b);
            }
            ExprKind::Select(c, a, b) => {
                self.expression(c);
                self.guarded(c, true, a);
                self.guarded(c, false, b);
            }
            ExprKind::Opaque { mentions, .. } => {
                let outside = self.inside;
                self.inside = Some(outside.unwrap_or(AccessKind::MayRead));
                for mention in mentions {
                    self.expression(mention);
                }
                self.inside = outside;
            }
            _ => expr.for_each_child(&mut |child| self.expression(child)),
        }
    }
}
