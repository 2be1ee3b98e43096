//! Which conditions of an iteration are written alike?
//!
//! `if (c[i] > 2) x = …; a[i] = 9; if (c[i] > 2) … = x;`: if `a` is not `c`, both say the same, so that it is not certain that the iteration reads an `x` that it has not set. So do
//! two that ask the same of a floating-point number. Each part of a condition stands for an unknown of its own, the same one where it is written alike and nothing in between sets a
//! variable that it reads, or stores at a place that is written as one that it reads.
//!
//! What it cannot do: find conditions that ask the same in other words. Nothing follows from these unknowns but that a thing is not certain.

use crate::reduction::{mentions, same_but_origin};
use crate::shape;
use ferry_ir::{BinaryOp, Expr, ExprKind, LogicalOp, Loop, Place, Stmt, StmtId, StmtKind, UnaryOp};
use ferry_symbolic::{Condition, Expr as Value, Symbol};
use std::collections::BTreeMap;

/// Most parts of conditions that are compared: with more, none is the same as another one.
const MOST: usize = 64;

/// What the statements of a loop ask.
#[derive(Default)]
pub(super) struct Repeated {
    asked: BTreeMap<StmtId, Condition>,
}

/// A part of a condition, and how much had been written where it was asked last.
struct Part<'a> {
    expr: &'a Expr,
    writes: usize,
    unknown: Condition,
}

#[derive(Default)]
struct Walk<'a> {
    parts: Vec<Part<'a>>,
    writes: Vec<&'a Place>,
    asked: BTreeMap<StmtId, Condition>,
}

impl Repeated {
    pub fn of(inner: &Loop) -> Repeated {
        let mut walk = Walk::default();
        for part in shape::iteration(inner) {
            part.walk(&mut |stmt| walk.statement(stmt));
        }
        match walk.parts.len() > MOST {
            true => Repeated::default(),
            false => Repeated { asked: walk.asked },
        }
    }

    /// What the statement asks.
    pub fn asked(&self, stmt: &Stmt) -> Option<&Condition> {
        self.asked.get(&stmt.id)
    }
}

impl<'a> Walk<'a> {
    fn statement(&mut self, stmt: &'a Stmt) {
        if let StmtKind::If { condition, .. } = &stmt.kind
            && self.parts.len() <= MOST
        {
            let asked = self.condition(condition);
            self.asked.insert(stmt.id, asked);
        }
        self.writes.extend(stmt.written_place());
    }

    fn condition(&mut self, expr: &'a Expr) -> Condition {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, of) => self.condition(of).not(),
            ExprKind::Logical(LogicalOp::And, one, two) => self.condition(one).and(&self.condition(two)),
            ExprKind::Logical(LogicalOp::Or, one, two) => self.condition(one).or(&self.condition(two)),
            _ => self.part(expr),
        }
    }

    fn part(&mut self, expr: &'a Expr) -> Condition {
        let writes = &self.writes;
        let is_kept = |part: &Part<'_>| {
            !writes[part.writes..]
                .iter()
                .any(|place| mentions(part.expr, place))
        };
        for part in self.parts.iter_mut().rev().filter(|part| is_kept(part)) {
            if same_but_origin(part.expr, expr) {
                part.writes = writes.len();
                return part.unknown.clone();
            }
            if are_opposite(part.expr, expr) {
                return part.unknown.not();
            }
        }
        let unknown = Condition::nonnegative(&Value::symbol(Symbol(self.parts.len() as u32)));
        self.parts.push(Part {
            expr,
            writes: self.writes.len(),
            unknown: unknown.clone(),
        });
        unknown
    }
}

/// `c > 2` and `c <= 2`; where one is not a number, neither of them holds.
fn are_opposite(one: &Expr, two: &Expr) -> bool {
    let (ExprKind::Binary(one, a, b), ExprKind::Binary(two, c, d)) = (&one.kind, &two.kind) else {
        return false;
    };
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    let opposite = matches!(
        (one, two),
        (Lt, Ge) | (Ge, Lt) | (Gt, Le) | (Le, Gt) | (Eq, Ne) | (Ne, Eq)
    );
    opposite && same_but_origin(a, c) && same_but_origin(b, d)
}
