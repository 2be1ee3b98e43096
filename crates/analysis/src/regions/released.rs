//! Which storage is gone when a statement ends, so that nobody reads later what was written there?
//!
//! `free` ends the life of an object whatever other pointers lead to it. What a statement writes into an object is no part of
//! its OUT regions if every path from the first write in it to its end releases the object: work arrays that a function
//! allocates, uses and frees leave nothing behind. A path on which the pointer is null has no storage to release.
//!
//! What it cannot do: storage that is released in a loop or in one case of a switch; `realloc`, which may fail and release
//! nothing.

use super::Context;
use super::statements::Summary;
use crate::symbols::SymbolKind;
use ferry_ir::{Callee, Stmt, StmtKind};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::BTreeSet;

impl Context<'_> {
    /// The storage that is gone wherever control leaves a statement after writing to it.
    pub fn gone_after(&self, stmt: &Stmt) -> BTreeSet<Symbol> {
        let summary = self.summary(stmt);
        let StmtKind::Block { body, .. } = &stmt.kind else {
            return match summary.is_some_and(|summary| !jumps(&summary)) {
                true => self.released_at_end(stmt),
                false => BTreeSet::new(),
            };
        };
        let mut gone = BTreeSet::new();
        for root in self.released_at_end(stmt) {
            let all: Vec<Option<Summary>> = body.iter().map(|child| self.summary(child)).collect();
            let writes = |one: &Option<Summary>| {
                one.as_ref()
                    .is_none_or(|one| one.write.objects.contains_key(&root))
            };
            let first = all.iter().position(writes).unwrap_or(body.len());
            let last = body
                .iter()
                .rposition(|child| self.released_at_end(child).contains(&root));
            let between = last.map(|last| all.get(first..=last).unwrap_or_default());
            if between.is_some_and(|between| between.iter().flatten().all(|one| !jumps(one))) {
                gone.insert(root);
            }
        }
        gone
    }

    /// The storage that a statement releases whenever control falls out of its end, and does not write afterwards.
    pub fn released_at_end(&self, stmt: &Stmt) -> BTreeSet<Symbol> {
        if self.blocked.is_some() {
            return BTreeSet::new();
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => {
                let mut gone: BTreeSet<Symbol> = BTreeSet::new();
                for child in body {
                    if let (false, Some(summary)) = (gone.is_empty(), self.summary(child)) {
                        gone.retain(|root| !summary.write.objects.contains_key(root));
                    }
                    gone.extend(self.released_at_end(child));
                }
                gone
            }
            StmtKind::If { then, otherwise, .. } => {
                let yes = self.released_at_end(then);
                let no = otherwise
                    .as_ref()
                    .map(|no| self.released_at_end(no))
                    .unwrap_or_default();
                let test = self.values.conditions.get(&stmt.id);
                // Where the pointer is null nothing is there.
                let null = |root: &Symbol, when: Option<&Condition>| {
                    let known = when.map(|when| Facts::default().with(when));
                    known.is_some_and(|known| known.prove(&Condition::zero(&Expr::symbol(*root))))
                };
                let when_true = test.and_then(|test| test.when_true.as_ref());
                let when_false = test.and_then(|test| test.when_false.as_ref());
                let either = yes.union(&no).copied();
                either
                    .filter(|root| yes.contains(root) || null(root, when_true))
                    .filter(|root| no.contains(root) || null(root, when_false))
                    .collect()
            }
            StmtKind::Directive { body: Some(body), .. } => self.released_at_end(body),
            StmtKind::Call { callee, .. } => match self.values.bodies.get(&stmt.id) {
                // Every `return` of the function leads behind the call.
                Some(body) => match self.summary(&body.stmt) {
                    Some(summary) if summary.stop.is_never() => self.released_at_end(&body.stmt),
                    _ => BTreeSet::new(),
                },
                None => self.released_by(stmt, callee),
            },
            _ => BTreeSet::new(),
        }
    }

    fn released_by(&self, stmt: &Stmt, callee: &Callee) -> BTreeSet<Symbol> {
        let Callee::Function(callee) = callee else {
            return BTreeSet::new();
        };
        if !self.effects.get(*callee).releases {
            return BTreeSet::new();
        }
        let own = self.own_effects.get(&stmt.id).into_iter().flatten();
        let effects = own.filter_map(|number| self.values.effects.get(*number));
        effects
            .flat_map(|effect| effect.writes.clone().unwrap_or_default())
            .collect()
    }

    /// Storage that each iteration of a loop allocates and releases: none of it is there before the loop or behind it.
    pub fn of_one_iteration(&self, of: &crate::loops::LoopFacts, body: &Stmt) -> BTreeSet<Symbol> {
        let mut gone = self.gone_after(body);
        gone.retain(|root| {
            let info = self.values.symbols.info(*root);
            matches!(info.kind, SymbolKind::Allocated(_)) && info.loops.contains(&of.stmt)
        });
        gone
    }

    fn summary(&self, stmt: &Stmt) -> Option<Summary> {
        self.summaries.borrow().get(&stmt.id).cloned()
    }
}

/// True if control may leave a statement in another way than out of its end.
fn jumps(summary: &Summary) -> bool {
    !summary.stop.is_never() || !summary.next.is_never() || !summary.leave.is_never()
}
