//! Which storage is gone when a statement ends, so that nobody reads later what was written there?
//!
//! `free` ends the life of an object whatever other pointers lead to it. What a statement writes into an object is no part of
//! its OUT regions if on every path from a write in it to where control leaves it the object is released: work arrays that a
//! function allocates, uses and frees leave nothing behind, also where it returns early. A path on which the pointer is null
//! has no storage to release.
//!
//! A forward walk over the structured program with the objects that were written and not released since (*held*). A loop is
//! walked twice: what its first iterations hold is there when a later one begins. Of objects that are others in each iteration no
//! summary of the loop speaks, so that a `free` in a later iteration is of nothing that is asked about.
//!
//! What it cannot do: `realloc`, which may fail and release nothing; pointers that are one of several; functions with `goto`.

use super::Context;
use crate::symbols::SymbolKind;
use ferry_ir::{Callee, Loop, LoopKind, Stmt, StmtKind};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::BTreeSet;

/// Objects that were written and not released since; `None` where control does not come.
type Held = Option<BTreeSet<Symbol>>;

/// What is held where control leaves a statement, and what its body may have held when an iteration ended.
#[derive(Default)]
struct Exits {
    /// `break` of the loop or switch around.
    leave: Held,
    /// `continue` of the loop around.
    next: Held,
    /// `return`.
    stop: Held,
    /// Held in spite of what is released: control may come in behind that.
    for_good: BTreeSet<Symbol>,
}

fn join(a: &mut Held, b: &Held) {
    match (a.as_mut(), b) {
        (_, None) => {}
        (Some(a), Some(b)) => a.extend(b),
        (None, Some(b)) => *a = Some(b.clone()),
    }
}

impl Context<'_> {
    /// The storage that is gone wherever control leaves a statement after writing to it.
    pub fn gone_after(&self, stmt: &Stmt) -> BTreeSet<Symbol> {
        self.gone(stmt, false)
    }

    /// The storage that is gone wherever control leaves a statement, also if it was written before.
    pub fn released_after(&self, stmt: &Stmt) -> BTreeSet<Symbol> {
        self.gone(stmt, true)
    }

    fn gone(&self, stmt: &Stmt, held_before: bool) -> BTreeSet<Symbol> {
        let mut gone = BTreeSet::new();
        if self.blocked.is_some() {
            return gone;
        }
        self.released_in(stmt, &mut gone);
        if gone.is_empty() {
            return gone;
        }
        let before = match held_before {
            true => gone.clone(),
            false => BTreeSet::new(),
        };
        let mut exits = Exits::default();
        let end = self.held_after(stmt, Some(before), &mut exits);
        let ends = [&end, &exits.leave, &exits.next, &exits.stop];
        gone.retain(|root| {
            !exits.for_good.contains(root)
                && !ends
                    .iter()
                    .any(|end| end.as_ref().is_some_and(|held| held.contains(root)))
        });
        gone
    }

    /// The storage that some call in a statement releases.
    fn released_in(&self, stmt: &Stmt, found: &mut BTreeSet<Symbol>) {
        if let StmtKind::Call { callee, .. } = &stmt.kind {
            match self.values.bodies.get(&stmt.id) {
                Some(body) => self.released_in(&body.stmt, found),
                None => found.extend(self.released_by(stmt, callee)),
            }
        }
        stmt.for_each_child(&mut |child| self.released_in(child, found));
    }

    fn held_after(&self, stmt: &Stmt, before: Held, exits: &mut Exits) -> Held {
        let mut held = before?;
        match &stmt.kind {
            StmtKind::Block { body, .. } => self.held_after_all(body, Some(held), exits),
            StmtKind::If { then, otherwise, .. } => {
                let test = self.values.conditions.get(&stmt.id);
                // Where the pointer is null nothing is there.
                let null = |when: Option<&Condition>| -> BTreeSet<Symbol> {
                    let known = when.map(|when| Facts::default().with(when));
                    let null = |root: &&Symbol| {
                        known
                            .as_ref()
                            .is_some_and(|known| known.prove(&Condition::zero(&Expr::symbol(**root))))
                    };
                    held.iter().filter(|root| !null(root)).copied().collect()
                };
                let yes = null(test.and_then(|test| test.when_true.as_ref()));
                let no = null(test.and_then(|test| test.when_false.as_ref()));
                let mut end = self.held_after(then, Some(yes), exits);
                match otherwise {
                    Some(otherwise) => join(&mut end, &self.held_after(otherwise, Some(no), exits)),
                    None => join(&mut end, &Some(no)),
                }
                end
            }
            StmtKind::Loop(inner) => self.held_after_loop(inner, held, exits),
            StmtKind::Switch { body, .. } => {
                let mut own = Exits::default();
                // Every label is entered with what is held here.
                let entered = Some(held);
                let mut end = self.held_after_switch(body, &entered, None, &mut own);
                // A value may fit no label.
                if !has_label(body, |label| matches!(label, StmtKind::Default)) {
                    join(&mut end, &entered);
                }
                join(&mut end, &own.leave);
                join(&mut exits.next, &own.next);
                join(&mut exits.stop, &own.stop);
                exits.for_good.extend(own.for_good);
                end
            }
            StmtKind::Directive { body: Some(body), .. } => self.held_after(body, Some(held), exits),
            StmtKind::Break => {
                join(&mut exits.leave, &Some(held));
                None
            }
            StmtKind::Continue => {
                join(&mut exits.next, &Some(held));
                None
            }
            StmtKind::Return(_) => {
                join(&mut exits.stop, &Some(held));
                None
            }
            StmtKind::Call { callee, .. } => match self.values.bodies.get(&stmt.id) {
                // Every `return` of the function leads behind the call.
                Some(body) => {
                    let mut own = Exits::default();
                    let mut end = self.held_after(&body.stmt, Some(held), &mut own);
                    join(&mut end, &own.stop);
                    exits.for_good.extend(own.for_good);
                    // The value that comes back is stored.
                    if let Some(end) = &mut end {
                        end.extend(self.own(stmt.id).write.objects.into_keys());
                    }
                    end
                }
                None => {
                    held.extend(self.written_by(stmt));
                    for root in self.released_by(stmt, callee) {
                        held.remove(&root);
                    }
                    Some(held)
                }
            },
            _ => {
                held.extend(self.written_by(stmt));
                Some(held)
            }
        }
    }

    fn held_after_all(&self, body: &[Stmt], mut held: Held, exits: &mut Exits) -> Held {
        for stmt in body {
            held = self.held_after(stmt, held, exits);
        }
        held
    }

    /// The body of a `switch`: at a label control comes from above and from the head.
    fn held_after_switch(&self, stmt: &Stmt, entered: &Held, mut held: Held, exits: &mut Exits) -> Held {
        match &stmt.kind {
            StmtKind::Case { .. } | StmtKind::Default => {
                join(&mut held, entered);
                held
            }
            StmtKind::Block { body, .. } => {
                for stmt in body {
                    held = self.held_after_switch(stmt, entered, held, exits);
                }
                held
            }
            _ => {
                // A label inside of another statement: it may begin anywhere.
                if has_label(stmt, |_| true) {
                    join(&mut held, entered);
                    exits.for_good.extend(self.written_by(stmt));
                }
                self.held_after(stmt, held, exits)
            }
        }
    }

    fn held_after_loop(&self, inner: &Loop, held: BTreeSet<Symbol>, exits: &mut Exits) -> Held {
        let mut own = Exits::default();
        let mut begins = self.held_after_all(&inner.init, Some(held), &mut own);
        let mut end: Held = None;
        // What an iteration may find grows once, by what the others leave.
        for _ in 0..2 {
            let mut at = begins.clone();
            if inner.kind != LoopKind::Do {
                at = self.held_after_all(&inner.before_test, at, &mut own);
                join(&mut end, &at);
            }
            at = self.held_after(&inner.body, at, &mut own);
            join(&mut at, &own.next);
            at = self.held_after_all(&inner.step, at, &mut own);
            if inner.kind == LoopKind::Do {
                at = self.held_after_all(&inner.before_test, at, &mut own);
                join(&mut end, &at);
            }
            join(&mut begins, &at);
        }
        if inner.kind != LoopKind::Do {
            join(
                &mut end,
                &self.held_after_all(&inner.before_test, begins, &mut own),
            );
        }
        if inner.condition.is_none() {
            end = None;
        }
        join(&mut end, &own.leave);
        join(&mut exits.stop, &own.stop);
        exits.for_good.extend(own.for_good);
        end
    }

    /// What a statement writes, with what is inside of it.
    fn written_by(&self, stmt: &Stmt) -> BTreeSet<Symbol> {
        let summaries = self.found.summaries.borrow();
        let written = summaries.get(&stmt.id).into_iter();
        written
            .flat_map(|one| one.write.objects.keys().copied())
            .collect()
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
        // Of a pointer that is one of several only one object is gone.
        let written = effects.filter_map(|effect| effect.writes.as_ref());
        let one = written.filter(|written| written.len() == 1);
        one.flatten().copied().collect()
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
}

/// True if there is such a label of the `switch` around inside of a statement.
fn has_label(stmt: &Stmt, wanted: fn(&StmtKind) -> bool) -> bool {
    match &stmt.kind {
        StmtKind::Case { .. } | StmtKind::Default => wanted(&stmt.kind),
        StmtKind::Switch { .. } => false,
        _ => {
            let mut found = false;
            stmt.for_each_child(&mut |child| found = found || has_label(child, wanted));
            found
        }
    }
}
