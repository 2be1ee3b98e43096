//! Which static scalars does every function set before it reads them, so that none hands a value to another?
//!
//! Such a variable is scratch that several functions share: `#define SQR(a) ((t = (a)) == 0 ? 0 : t * t)` (Numerical Recipes). It holds nothing for
//! anybody when a function ends, when one is called, or when a call returns.
//!
//! A forward walk of each function: what certainly has been set since it began, and since the last call of code that may set it, too. Joins keep what is
//! set on both sides; a loop's body and the cases of a `switch` begin with what is set before, a label with nothing.
//!
//! What it cannot do: arrays and structures ([`super::written_before_read`]), variables that are set in parts, and values that are kept over a call that does not touch them.

use super::Effects;
use super::between_calls::is_private;
use ferry_ir::{
    Callee, Expr, ExprKind, GlobalId, LoopKind, Place, PlaceBase, Stmt, StmtKind, Unit, VariableRef, visit,
};
use std::collections::BTreeSet;

type Globals = BTreeSet<GlobalId>;

/// All of them.
pub(super) fn all(unit: &Unit, effects: &Effects) -> BTreeSet<GlobalId> {
    let ids = (0..unit.globals.len() as u32).map(GlobalId);
    let candidates: Globals = ids
        .filter(|id| {
            let own = unit.global(*id);
            unit.types.is_scalar(own.ty) && !own.qualifiers.constant && is_private(unit, effects, *id)
        })
        .collect();
    if candidates.is_empty() {
        return candidates;
    }
    let mut walk = Walk {
        effects,
        exposed: Globals::new(),
        at_cases: Vec::new(),
    };
    for (_, function) in unit.functions() {
        if let Some(body) = &function.body {
            walk.statement(body, Globals::new());
        }
    }
    let exposed = walk.exposed;
    candidates
        .into_iter()
        .filter(|id| !exposed.contains(id))
        .collect()
}

struct Walk<'a> {
    effects: &'a Effects,
    /// Read where they may hold what another call left there.
    exposed: Globals,
    /// What is set at the cases of each `switch` around.
    at_cases: Vec<Globals>,
}

impl Walk<'_> {
    fn read(&mut self, expr: &Expr, set: &Globals) {
        expr.walk(&mut |inner| {
            if let ExprKind::Load(place) = &inner.kind
                && let PlaceBase::Variable(VariableRef::Global(id)) = place.base
                && !set.contains(&id)
            {
                self.exposed.insert(id);
            }
        });
    }

    fn read_all(&mut self, stmt: &Stmt, set: &Globals) {
        stmt.for_each_expression(&mut |expr| self.read(expr, set));
    }

    /// What is set behind a statement, where it goes on there.
    fn statement(&mut self, stmt: &Stmt, mut set: Globals) -> Globals {
        match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Zero { place } => {
                self.read_all(stmt, &set);
                set.extend(whole(place));
                set
            }
            StmtKind::Call { result, callee, .. } => {
                self.read_all(stmt, &set);
                self.call(callee, &mut set);
                set.extend(result.as_ref().and_then(whole));
                set
            }
            StmtKind::Block { body, .. } => body.iter().fold(set, |set, stmt| self.statement(stmt, set)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.read(condition, &set);
                let first = self.statement(then, set.clone());
                let second = match otherwise {
                    Some(otherwise) => self.statement(otherwise, set),
                    None => set,
                };
                first.intersection(&second).copied().collect()
            }
            StmtKind::Loop(inner) => {
                let set = inner.init.iter().fold(set, |set, stmt| self.statement(stmt, set));
                let set = self.before_inner(stmt, set);
                let mut inside = set.clone();
                for stmt in &inner.before_test {
                    inside = self.statement(stmt, inside);
                }
                if let Some(condition) = &inner.condition {
                    self.read(condition, &inside);
                }
                // The test of a `do` stands behind its body.
                let first = if inner.kind == LoopKind::Do {
                    set.clone()
                } else {
                    inside
                };
                self.statement(&inner.body, first);
                for stmt in &inner.step {
                    self.statement(stmt, set.clone());
                }
                set
            }
            StmtKind::Switch { value, body } => {
                self.read(value, &set);
                let set = self.before_inner(stmt, set);
                self.at_cases.push(set.clone());
                self.statement(body, set.clone());
                self.at_cases.pop();
                set
            }
            StmtKind::Case { .. } | StmtKind::Default => self.at_cases.last().cloned().unwrap_or_default(),
            // Clauses may name it, and a thread have a copy.
            StmtKind::Directive { .. } => {
                let named = visit::mentioned_variables(stmt);
                self.exposed
                    .extend(named.into_iter().filter_map(VariableRef::as_global));
                set
            }
            StmtKind::Label(_) => Globals::new(),
            StmtKind::Opaque { .. } => {
                self.read_all(stmt, &Globals::new());
                Globals::new()
            }
            StmtKind::Return(_)
            | StmtKind::Declare { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Empty => {
                self.read_all(stmt, &set);
                set
            }
        }
    }

    /// Takes away what a call may set.
    fn call(&self, callee: &Callee, set: &mut Globals) {
        let known = match callee {
            Callee::Function(id) => Some(&self.effects.get(*id).writes),
            Callee::Pointer(_) => None,
        };
        match known.filter(|writes| !writes.anything) {
            Some(writes) => set.retain(|id| !writes.globals.contains(id)),
            None => set.clear(),
        }
    }

    /// What is set whichever way the inside of a statement is reached, in whichever iteration.
    fn before_inner(&self, stmt: &Stmt, mut set: Globals) -> Globals {
        stmt.walk(&mut |inner| match &inner.kind {
            StmtKind::Call { callee, .. } => self.call(callee, &mut set),
            StmtKind::Label(_) | StmtKind::Opaque { .. } => set.clear(),
            _ => {}
        });
        set
    }
}

/// The variable of the file that a place is, whole.
fn whole(place: &Place) -> Option<GlobalId> {
    place.as_variable()?.as_global()
}
