//! Regions of one object alone.
//!
//! Who asks whether an iteration can have an object for itself, or whether a kernel needs what was in it before, asks about one object of many. Each object of a region is
//! computed for itself but for what others that may be the same storage do to it, and for the values in memory that it is counted by; so what is touched of
//! all others is left out.

use super::gate::Gate;
use super::{Context, Found, Regions, WORK};
use crate::access::Access;
use crate::alias::may_overlap;
use crate::symbols::SymbolKind;
use ferry_ir::{Stmt, StmtId, StmtKind};
use ferry_symbolic::Symbol;
use ferry_symbolic::set::with_work_limit;
use std::collections::{BTreeMap, BTreeSet};

/// What matters to one object, and what was found of it, between two questions.
pub(super) struct Kept {
    own_accesses: BTreeMap<StmtId, Vec<usize>>,
    found: Found,
}

/// What of statements is computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wanted {
    /// READ, WRITE and IN, both bounds of each.
    Everything,
    /// WRITE and IN: READ is empty.
    Needed,
    /// WRITE and what contains IN; lower bounds of IN may be smaller than they need be. Where all conditions inside are known, upper bounds do not rest on them.
    PerhapsNeeded,
}

impl Regions<'_> {
    /// Asks what these regions say of one object; nothing of any other. What is found is kept for the next question.
    pub(super) fn about<T>(&self, root: Symbol, wanted: Wanted, ask: impl FnOnce(&Context<'_>) -> T) -> T {
        let written = self
            .counted_by
            .get_or_init(|| self.context.roots_that_are_counted_by());
        let question = (root, wanted);
        let kept = self.about.borrow_mut().remove(&question);
        let context = self.context.about(
            question,
            kept.unwrap_or_else(|| self.context.nothing_of(root, written)),
        );
        let answer = ask(&context);
        let kept = Kept {
            own_accesses: context.own_accesses,
            found: context.found,
        };
        self.about.borrow_mut().insert(question, kept);
        answer
    }

    /// True if IN of a statement has nothing of an object, or it is not known of which pointer it has something.
    pub fn needs_nothing_of(&self, stmt: &Stmt, root: Symbol) -> bool {
        let wanted = match self.context.all_conditions_are_known(stmt) {
            true => Wanted::PerhapsNeeded,
            false => Wanted::Needed,
        };
        self.about(root, wanted, |context| {
            let form = context.form(stmt, root);
            let known = form
                .as_ref()
                .and_then(|form| self.needs_nothing.borrow().get(form).copied());
            known.unwrap_or_else(|| {
                let answer = context.needs_nothing_of(stmt, root);
                self.needs_nothing
                    .borrow_mut()
                    .extend(form.map(|form| (form, answer)));
                answer
            })
        })
    }
}

impl<'a> Context<'a> {
    fn needs_nothing_of(&self, stmt: &Stmt, root: Symbol) -> bool {
        let summary = with_work_limit(WORK, || self.statement(stmt));
        let Some(part) = summary.exposed.objects.get(&root) else {
            return true;
        };
        let allocated = matches!(self.values.symbols.info(root).kind, SymbolKind::Allocated(_));
        !allocated && self.comes_up_inside(stmt.id, root, &summary.write)
            || self.part_from_before(stmt.id, part, &summary.write).is_nothing()
    }

    /// True if of each `if` in a statement it is known when it comes out which way. Only where one is not, what both of its branches certainly touch is of use.
    fn all_conditions_are_known(&self, stmt: &Stmt) -> bool {
        let is_known = |test: StmtId| {
            let test = self.conditions_of(test);
            [true, false]
                .into_iter()
                .all(|outcome| Gate::outcome(test, outcome).exact)
        };
        let mut known = true;
        stmt.walk(&mut |inner| {
            known = known && (!matches!(inner.kind, StmtKind::If { .. }) || is_known(inner.id));
            let body = self.values.bodies.get(&inner.id).filter(|_| known);
            known = known && body.is_none_or(|body| self.all_conditions_are_known(&body.stmt));
        });
        known
    }

    /// The storage in which there may be values that something is counted by: that it is written changes regions of other objects.
    fn roots_that_are_counted_by(&self) -> BTreeSet<Symbol> {
        let reach = self.reach();
        let loaded = self.values.symbols.iter().filter_map(|info| match &info.kind {
            SymbolKind::Loaded { address, .. } => Some(self.storage_of(address)),
            _ => None,
        });
        let places: BTreeSet<Symbol> = loaded.flatten().collect();
        let counts = |root: &Symbol| places.iter().any(|place| may_overlap(&reach, *place, *root));
        self.views.keys().copied().filter(counts).collect()
    }

    /// What matters to one object, and nothing found yet; `counted_by` is storage that matters where it is written.
    fn nothing_of(&self, root: Symbol, counted_by: &BTreeSet<Symbol>) -> Kept {
        let reach = self.reach();
        let is_near = |other: Symbol| {
            let is_fixed = matches!(
                self.values.symbols.info(other).kind,
                SymbolKind::Address(_) | SymbolKind::Entry(_) | SymbolKind::CalleeVariable { .. }
            );
            other == root || !is_fixed || may_overlap(&reach, root, other)
        };
        let near: BTreeSet<Symbol> = self
            .views
            .keys()
            .copied()
            .filter(|other| is_near(*other))
            .collect();
        let is_kept = |access: &Access| {
            let matters =
                |root: Symbol| near.contains(&root) || access.is_write() && counted_by.contains(&root);
            access.root.is_none_or(matters)
        };
        let mut own_accesses = self.own_accesses.clone();
        own_accesses.retain(|_, own| {
            own.retain(|number| is_kept(&self.values.accesses[*number]));
            !own.is_empty()
        });
        Kept {
            own_accesses,
            found: Found::nothing(self.values),
        }
    }

    /// The same, asked about one object, with what was found before.
    fn about(&self, (root, wanted): (Symbol, Wanted), kept: Kept) -> Context<'a> {
        Context {
            unit: self.unit,
            function: self.function,
            id: self.id,
            effects: self.effects,
            values: self.values,
            views: self.views.clone(),
            about: Some(root),
            wanted,
            sums: self.sums.clone(),
            own_accesses: kept.own_accesses,
            own_effects: self.own_effects.clone(),
            blocked: self.blocked.clone(),
            found: kept.found,
        }
    }

    /// True if an object is asked about with which a statement has nothing to do: nothing in it touches what matters, calls, or jumps.
    pub(super) fn is_beside(&self, stmt: &Stmt) -> bool {
        if self.about.is_none() || self.own_accesses.contains_key(&stmt.id) {
            return false;
        }
        let jumps_or_calls = matches!(
            stmt.kind,
            StmtKind::Call { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Goto(_)
                | StmtKind::Label(_)
                | StmtKind::Switch { .. }
                | StmtKind::Opaque { .. }
        );
        if jumps_or_calls || self.own_effects.contains_key(&stmt.id) {
            return false;
        }
        let mut beside = true;
        stmt.for_each_child(&mut |child| beside = beside && self.is_beside(child));
        beside
    }
}
