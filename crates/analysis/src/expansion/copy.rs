//! A function's body with numbers of its own: its variables and statements are told apart from those of the function
//! that calls it, and from those of other calls.

use ferry_ir::{
    Callee, Expr, ExprKind, Function, LocalId, Loop, Place, PlaceBase, Projection, Stmt, StmtId, StmtKind,
    VariableRef,
};

/// A copy of a body for one call.
pub struct Body {
    /// The statement.
    pub stmt: Stmt,
    /// What is added to the numbers of the function's variables; their types still count from 0.
    pub base: u32,
    /// A `return` inside a loop: where control goes behind it is not followed.
    pub returns_in_loops: bool,
}

impl Body {
    /// Copies the body of `function` with variables from `base` and statements from `first`; gives it and the first
    /// number that is free. `None` if there is no body, or a statement that cannot be copied.
    pub fn of(function: &Function, base: u32, first: u32) -> Option<(Body, u32)> {
        let original = function.body.as_ref()?;
        let mut copy = Copy { base, next: first };
        let stmt = copy.stmt(original)?;
        let mut returns_in_loops = false;
        original.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::Loop(_)) {
                returns_in_loops |=
                    crate::shape::any(stmt, &mut |inner| matches!(inner.kind, StmtKind::Return(_)));
            }
        });
        let body = Body {
            stmt,
            base,
            returns_in_loops,
        };
        Some((body, copy.next))
    }
}

struct Copy {
    base: u32,
    next: u32,
}

impl Copy {
    fn local(&self, local: LocalId) -> LocalId {
        LocalId(local.0 + self.base)
    }

    fn statements(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        body.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let id = StmtId(self.next);
        self.next = self.next.checked_add(1)?;
        let kind = match &stmt.kind {
            StmtKind::Assign { place, value } => StmtKind::Assign {
                place: self.place(place),
                value: self.expr(value),
            },
            StmtKind::Zero { place } => StmtKind::Zero {
                place: self.place(place),
            },
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => StmtKind::Call {
                result: result.as_ref().map(|place| self.place(place)),
                callee: match callee {
                    Callee::Function(id) => Callee::Function(*id),
                    Callee::Pointer(pointer) => Callee::Pointer(self.expr(pointer)),
                },
                arguments: arguments.iter().map(|argument| self.expr(argument)).collect(),
            },
            StmtKind::Declare { local } => StmtKind::Declare {
                local: self.local(*local),
            },
            StmtKind::Block { body, scope } => StmtKind::Block {
                body: self.statements(body)?,
                scope: *scope,
            },
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => StmtKind::If {
                condition: self.expr(condition),
                then: Box::new(self.stmt(then)?),
                otherwise: match otherwise {
                    Some(otherwise) => Some(Box::new(self.stmt(otherwise)?)),
                    None => None,
                },
            },
            StmtKind::Loop(inner) => StmtKind::Loop(Box::new(Loop {
                kind: inner.kind,
                refused: inner.refused,
                init: self.statements(&inner.init)?,
                before_test: self.statements(&inner.before_test)?,
                condition: inner.condition.as_ref().map(|condition| self.expr(condition)),
                step: self.statements(&inner.step)?,
                body: self.stmt(&inner.body)?,
                spans: inner.spans,
                keyword: inner.keyword,
            })),
            StmtKind::Switch { value, body } => StmtKind::Switch {
                value: self.expr(value),
                body: Box::new(self.stmt(body)?),
            },
            StmtKind::Return(value) => StmtKind::Return(value.as_ref().map(|value| self.expr(value))),
            StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Empty => stmt.kind.clone(),
            StmtKind::Directive { directive, body } => StmtKind::Directive {
                directive: Box::new(directive.map_expressions(|expr, _| self.expr(expr))),
                body: match body {
                    Some(body) => Some(Box::new(self.stmt(body)?)),
                    None => None,
                },
            },
            StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. } => return None,
        };
        Some(Stmt {
            id,
            kind,
            origin: stmt.origin,
        })
    }

    fn place(&self, place: &Place) -> Place {
        let base = match &place.base {
            PlaceBase::Variable(VariableRef::Local(local)) => {
                PlaceBase::Variable(VariableRef::Local(self.local(*local)))
            }
            PlaceBase::Variable(global) => PlaceBase::Variable(*global),
            PlaceBase::Deref(pointer) => PlaceBase::Deref(Box::new(self.expr(pointer))),
        };
        let path = place.path.iter().map(|projection| match projection {
            Projection::Field(number) => Projection::Field(*number),
            Projection::Index(index) => Projection::Index(self.expr(index)),
        });
        Place {
            base,
            path: path.collect(),
            ..place.clone()
        }
    }

    fn boxed(&self, expr: &Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => expr.kind.clone(),
            ExprKind::Load(place) => ExprKind::Load(Box::new(self.place(place))),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(Box::new(self.place(place))),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, self.boxed(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, self.boxed(a), self.boxed(b)),
            ExprKind::Logical(op, a, b) => ExprKind::Logical(*op, self.boxed(a), self.boxed(b)),
            ExprKind::Select(a, b, c) => ExprKind::Select(self.boxed(a), self.boxed(b), self.boxed(c)),
            ExprKind::Cast(a) => ExprKind::Cast(self.boxed(a)),
            ExprKind::Offset(a, b) => ExprKind::Offset(self.boxed(a), self.boxed(b)),
            ExprKind::Difference(a, b) => ExprKind::Difference(self.boxed(a), self.boxed(b)),
            ExprKind::Opaque { why, mentions } => ExprKind::Opaque {
                why: why.clone(),
                mentions: mentions.iter().map(|mention| self.expr(mention)).collect(),
            },
        };
        Expr {
            kind,
            ty: expr.ty,
            origin: expr.origin,
        }
    }
}
