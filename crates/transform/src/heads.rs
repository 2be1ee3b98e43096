//! Which sums does the program certainly compute where an environment begins?
//!
//! The loops that follow one another there test their bounds before anything can leave. What a test computes in a signed type
//! does not leave that type, or the program has no meaning: bounds that are written before the loop (`n + m`) may be
//! computed as the loop computes them. Only arithmetic on variables that nothing has changed since is looked at.

use ferry_ir::visit::assigned_variables;
use ferry_ir::{BinaryOp, Expr as Code, ExprKind, LoopKind, Stmt, StmtId, StmtKind, Type, Unit, VariableRef};
use ferry_symbolic::{Condition, Expr};
use std::collections::{BTreeMap, BTreeSet};

/// That the results fit their types, as conditions over the values of variables at the statement `at` of `body`.
pub fn computed(
    unit: &Unit,
    body: &Stmt,
    at: StmtId,
    variables: &BTreeMap<VariableRef, Expr>,
) -> Vec<Condition> {
    let mut found = Vec::new();
    if unit.dialect.wrapping {
        return found;
    }
    body.walk(&mut |stmt| {
        let StmtKind::Block { body, .. } = &stmt.kind else {
            return;
        };
        let Some(first) = body.iter().position(|stmt| stmt.id == at) else {
            return;
        };
        let mut heads = Heads {
            unit,
            variables,
            changed: BTreeSet::new(),
            found: &mut found,
        };
        for stmt in &body[first..] {
            if !heads.pass(stmt) {
                break;
            }
        }
    });
    found
}

struct Heads<'a> {
    unit: &'a Unit,
    variables: &'a BTreeMap<VariableRef, Expr>,
    changed: BTreeSet<VariableRef>,
    found: &'a mut Vec<Condition>,
}

impl Heads<'_> {
    /// Collects what a statement computes first. False if the statement behind it may not be reached.
    fn pass(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Loop(of) => {
                self.changed.extend(of.init.iter().flat_map(assigned_variables));
                // A `do` tests behind its body, which may change anything.
                if let Some(condition) = &of.condition
                    && of.kind != LoopKind::Do
                    && of.before_test.is_empty()
                {
                    self.collect(condition);
                }
            }
            StmtKind::Assign { .. } | StmtKind::Zero { .. } | StmtKind::Empty => {}
            _ => return false,
        }
        self.changed.extend(assigned_variables(stmt));
        !may_leave(stmt)
    }

    /// What is evaluated whenever the expression is.
    fn collect(&mut self, code: &Code) {
        match &code.kind {
            ExprKind::Logical(_, first, _) | ExprKind::Select(first, ..) => self.collect(first),
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.collect(inner),
            ExprKind::Binary(_, left, right) => {
                self.collect(left);
                self.collect(right);
                if let Type::Int { bits, signed: true } = *self.unit.types.get(code.ty)
                    && bits <= 64
                    && let Some(value) = self.value(code)
                    && value.as_constant().is_none()
                {
                    let end = 1i128 << (bits - 1);
                    self.found.push(Condition::in_range(&value, -end, end - 1));
                }
            }
            _ => {}
        }
    }

    /// The value of a sum or product of variables of signed types.
    fn value(&self, code: &Code) -> Option<Expr> {
        let signed = |code: &Code| match *self.unit.types.get(code.ty) {
            Type::Int { bits, signed: true } if bits <= 64 => Some(bits),
            _ => None,
        };
        let bits = signed(code)?;
        match &code.kind {
            ExprKind::Int(value) => Some(Expr::int(*value)),
            ExprKind::Load(place) => {
                let variable = place.as_variable().filter(|_| !place.volatile)?;
                match self.changed.contains(&variable) {
                    true => None,
                    false => self.variables.get(&variable).cloned(),
                }
            }
            ExprKind::Cast(inner) if signed(inner)? <= bits => self.value(inner),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match op {
                    BinaryOp::Add => Some(&left + &right),
                    BinaryOp::Sub => Some(&left - &right),
                    BinaryOp::Mul => Some(&left * &right),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// True if what is behind a statement may not be reached, other than because a loop goes on for ever.
fn may_leave(stmt: &Stmt) -> bool {
    let mut leaves = false;
    stmt.walk(&mut |inner| {
        leaves |= matches!(
            inner.kind,
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Call { .. } | StmtKind::Opaque { .. }
        );
    });
    leaves
}
