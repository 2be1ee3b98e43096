//! Where does an iteration read a variable that it has not certainly set?
//!
//! A walk of the iteration as it runs, until the first such place: what one branch sets, a loop inside that may not run, or one case of a `switch`, is not certainly set behind it.
//!
//! What it cannot do: it takes every loop inside for one that may not run, and what stands behind a label for something that is come to with nothing set.

use ferry_ir::{Expr, Loop, LoopKind, Place, Stmt, StmtKind, VariableRef};
use ferry_source::Origin;

/// The place, if there is one.
pub(super) fn first_read(inner: &Loop, variable: VariableRef) -> Option<Origin> {
    let mut search = Search {
        variable,
        found: None,
    };
    search.iteration(inner, false);
    search.found
}

struct Search {
    variable: VariableRef,
    found: Option<Origin>,
}

impl Search {
    /// Each of these says whether the variable is certainly set behind what it walks, from whether it is before; what does not go on there counts as set.
    fn iteration(&mut self, inner: &Loop, set: bool) -> bool {
        if inner.kind == LoopKind::Do {
            let behind = self.statement(&inner.body, set);
            let behind = self.all(&inner.step, behind);
            let behind = self.all(&inner.before_test, behind);
            self.condition(inner, behind);
            return behind;
        }
        let tested = self.all(&inner.before_test, set);
        self.condition(inner, tested);
        let behind = self.statement(&inner.body, tested);
        self.all(&inner.step, behind);
        tested
    }

    fn condition(&mut self, inner: &Loop, set: bool) {
        if let Some(condition) = &inner.condition {
            self.read(condition, set);
        }
    }

    fn read(&mut self, expr: &Expr, set: bool) {
        if set {
            return;
        }
        expr.walk(&mut |part| {
            if self.found.is_none() && part.as_variable() == Some(self.variable) {
                self.found = Some(part.origin);
            }
        });
    }

    fn all(&mut self, body: &[Stmt], set: bool) -> bool {
        body.iter().fold(set, |set, stmt| self.statement(stmt, set))
    }

    fn statement(&mut self, stmt: &Stmt, set: bool) -> bool {
        match &stmt.kind {
            StmtKind::Block { body, .. } => self.all(body, set),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.read(condition, set);
                let yes = self.statement(then, set);
                let no = match otherwise {
                    Some(otherwise) => self.statement(otherwise, set),
                    None => set,
                };
                yes && no
            }
            StmtKind::Loop(inner) => {
                let begun = self.all(&inner.init, set);
                let behind = self.iteration(inner, begun);
                let leaves = crate::shape::any(&inner.body, &mut |part| {
                    matches!(
                        part.kind,
                        StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_)
                    )
                });
                match leaves {
                    true => begun,
                    false => behind,
                }
            }
            StmtKind::Switch { value, body } => {
                self.read(value, set);
                self.cases(body, set);
                set
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto(_) => {
                stmt.for_each_expression(&mut |expr| self.read(expr, set));
                true
            }
            StmtKind::Label(_) => false,
            StmtKind::Directive { body: Some(body), .. } => {
                self.statement(body, set);
                set
            }
            _ => {
                stmt.for_each_expression(&mut |expr| self.read(expr, set));
                set || stmt.written_place().and_then(Place::as_variable) == Some(self.variable)
            }
        }
    }

    /// The body of a `switch`: each case may be come to from its head.
    fn cases(&mut self, body: &Stmt, set: bool) {
        let StmtKind::Block { body, .. } = &body.kind else {
            self.statement(body, set);
            return;
        };
        let mut now = true;
        for stmt in body {
            let is_entry = crate::shape::any(stmt, &mut |part| {
                matches!(part.kind, StmtKind::Case { .. } | StmtKind::Default)
            });
            now = self.statement(stmt, now && (set || !is_entry));
            if matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default) {
                now = set;
            }
        }
    }
}
