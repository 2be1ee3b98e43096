//! What may be read later? OUT regions: of what a statement writes, that which is live behind it.
//!
//! A backward walk. At the end of the function everything is live that the caller can reach: what parameters and
//! globals lead to, and storage that was allocated and not released; not what is declared in the function, nor static variables
//! that it has for itself and begins by writing, nor static scalars, and where one object is asked about arrays and structures, that every function sets before it reads them, nor what its callers lend it only ([`Lent`]). Inside a loop everything is live that it reads, but for objects that each of its iterations
//! writes before it reads them. What reads through another root that may be the same storage makes all of it
//! live.
//!
//! What it cannot do: a lower bound of what is read later, except where the caller may read all of it, which counts as
//! being read.

use super::part::{Part, Touch};
use super::{Context, WORK};
use crate::alias::may_overlap;
use crate::effects::Lent;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::{Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::Symbol;
use ferry_symbolic::set::{Set, with_work_limit};
use std::collections::{BTreeMap, BTreeSet};

/// What may be read later, of each object.
type Live = BTreeMap<Symbol, LivePart>;

/// Whose OUT regions are asked for. What is live behind one statement needs no look into the loops that it is not in, and each object is a question of its own: of a
/// function that writes a hundred elements one by one all regions together are a hundred times as much work.
pub enum Asked {
    /// Those of all statements, of all objects.
    Everything,
    /// One object's of one statement.
    One {
        /// The object.
        root: Symbol,
        /// The statement.
        stmt: StmtId,
        /// The statements that it is in.
        around: BTreeSet<StmtId>,
    },
}

impl Asked {
    /// What a statement leaves of an object.
    pub fn one(body: &Stmt, stmt: StmtId, root: Symbol) -> Asked {
        let mut around = BTreeSet::new();
        holds(body, stmt, &mut around);
        Asked::One { root, stmt, around }
    }

    fn is_about(&self, object: Symbol) -> bool {
        match self {
            Asked::Everything => true,
            Asked::One { root, .. } => *root == object,
        }
    }

    fn wants(&self, own: &Stmt) -> bool {
        match self {
            Asked::Everything => true,
            Asked::One { stmt, .. } => *stmt == own.id,
        }
    }

    fn goes_into(&self, own: &Stmt) -> bool {
        match self {
            Asked::Everything => true,
            Asked::One { around, .. } => around.contains(&own.id),
        }
    }
}

/// True if a statement is inside of another one; `around` is what lies between them, with the outer one.
fn holds(outer: &Stmt, inner: StmtId, around: &mut BTreeSet<StmtId>) -> bool {
    let mut found = false;
    outer.for_each_child(&mut |child| found = found || child.id == inner || holds(child, inner, around));
    if found {
        around.insert(outer.id);
    }
    found
}

/// The walk: what is asked, and what was found.
pub struct Leaves<'q> {
    asked: &'q Asked,
    found: BTreeMap<StmtId, Touch>,
}

impl Leaves<'_> {
    fn keep(&mut self, stmt: &Stmt, exported: impl FnOnce() -> Touch) {
        if self.asked.wants(stmt) {
            self.found.insert(stmt.id, exported());
        }
    }
}

#[derive(Clone)]
struct LivePart {
    may: Set,
    /// All of it, because the caller can reach it.
    all: bool,
}

/// What is live where jumps lead.
#[derive(Clone)]
struct Targets {
    leave: Live,
    next: Live,
    stop: Live,
}

impl Context<'_> {
    /// The OUT regions that are asked for.
    pub fn live_out(&self, body: &Stmt, asked: &Asked) -> BTreeMap<StmtId, Touch> {
        let mut end = self.live_at_end();
        end.retain(|root, _| asked.is_about(*root));
        let targets = Targets {
            leave: end.clone(),
            next: end.clone(),
            stop: end.clone(),
        };
        let found = BTreeMap::new();
        let mut leaves = Leaves { asked, found };
        self.live_before(body, end, &targets, &mut leaves);
        leaves.found
    }

    /// OUT of a statement, of one object with an address; no points if it leaves nothing of it. `None` if the statement is not in the function, or never reached.
    pub fn out_of(&self, stmt: StmtId, root: Symbol) -> Option<Option<Part>> {
        let body = self.function.body.as_ref()?;
        with_work_limit(WORK, || self.statement(body));
        let asked = Asked::one(body, stmt, root);
        let mut found = with_work_limit(WORK, || self.live_out(body, &asked));
        let Some(part) = found.remove(&stmt)?.objects.remove(&root) else {
            return Some(None);
        };
        let write = self.found.summaries.borrow().get(&stmt)?.write.clone();
        Some(Some(self.part_from_before(stmt, &part, &write)))
    }

    fn live_at_end(&self) -> Live {
        // Of others nothing is known where one object is asked about.
        let is_asked = |root: &Symbol| self.about.is_none_or(|about| about == *root);
        let asked = self.views.iter().filter(|(root, _)| is_asked(root));
        let all = asked.map(|(root, view)| {
            let part = match self.ends_here(*root) && self.blocked.is_none() {
                true => LivePart {
                    may: Set::empty(view.dimensions()),
                    all: false,
                },
                false => LivePart {
                    may: Set::universe(view.dimensions()),
                    all: true,
                },
            };
            (*root, part)
        });
        all.collect()
    }

    /// True if nobody reads after this call what is in an object then: variables of the function, static ones, too, if it is the only one to use them and begins
    /// by writing them, or all who use them set them first.
    fn ends_here(&self, root: Symbol) -> bool {
        match self.values.symbols.info(root).kind {
            SymbolKind::Address(VariableRef::Local(_)) => true,
            SymbolKind::Address(VariableRef::Global(global)) => {
                // Others are walked for it: not for all objects of a function.
                self.effects.is_set_before_read(global)
                    || (self.about == Some(root) && self.effects.is_written_before_read(self.unit, global))
                    || (self.effects.only_user(global) == Some(self.id) && self.begins_by_writing(root))
            }
            SymbolKind::Entry(VariableRef::Local(parameter)) => {
                match self.effects.lent(self.unit, self.id, parameter) {
                    Some(Lent::Once) => true,
                    Some(Lent::Again) => self.begins_by_writing(root),
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// True if a call of the function reads nothing of an object that was there before it.
    fn begins_by_writing(&self, root: Symbol) -> bool {
        let body = self.function.body.as_ref();
        let summaries = self.found.summaries.borrow();
        let summary = body.and_then(|body| summaries.get(&body.id));
        summary.is_some_and(|summary| !summary.exposed.objects.contains_key(&root))
    }

    /// What later iterations of a loop may read of what is there when one ends: nothing of objects that every iteration writes before it reads them.
    fn read_in_later_iterations(&self, stmt: &Stmt, read: &Touch) -> Touch {
        let mut read = read.clone();
        if let Some(one) = self.found.iterations.borrow().get(&stmt.id) {
            read.objects
                .retain(|root, _| one.exposed.objects.contains_key(root));
        }
        read
    }

    /// What is live before a statement, given what is live behind it; keeps its OUT region.
    fn live_before(&self, stmt: &Stmt, after: Live, targets: &Targets, found: &mut Leaves<'_>) -> Live {
        let Some(summary) = self.found.summaries.borrow().get(&stmt.id).cloned() else {
            return after;
        };
        match &stmt.kind {
            StmtKind::Block { body, .. } => {
                let mut out = after.clone();
                if !summary.next.is_never() {
                    out = either(out, &targets.next);
                }
                if !summary.leave.is_never() {
                    out = either(out, &targets.leave);
                }
                if !summary.stop.is_never() {
                    out = either(out, &targets.stop);
                }
                found.keep(stmt, || self.left_behind(stmt, &summary.write, out));
                let mut live = after;
                for stmt in body.iter().rev() {
                    live = self.live_before(stmt, live, targets, found);
                }
                live
            }
            StmtKind::Break => targets.leave.clone(),
            StmtKind::Continue => targets.next.clone(),
            StmtKind::Return(_) => self.with_reads(targets.stop.clone(), &summary.exposed),
            StmtKind::If { then, otherwise, .. } => {
                let yes = self.live_before(then, after.clone(), targets, found);
                let no = match otherwise {
                    Some(otherwise) => self.live_before(otherwise, after.clone(), targets, found),
                    None => after.clone(),
                };
                let mut out = after;
                for (gate, target) in [
                    (&summary.next, &targets.next),
                    (&summary.leave, &targets.leave),
                    (&summary.stop, &targets.stop),
                ] {
                    if !gate.is_never() {
                        out = either(out, target);
                    }
                }
                found.keep(stmt, || self.left_behind(stmt, &summary.write, out));
                self.with_reads(either(yes, &no), &summary.exposed)
            }
            StmtKind::Loop(inner) => {
                let mut out = after.clone();
                if !summary.stop.is_never() {
                    out = either(out, &targets.stop);
                }
                found.keep(stmt, || self.left_behind(stmt, &summary.write, out.clone()));
                if found.asked.goes_into(stmt) {
                    let inside =
                        self.with_reads(after.clone(), &self.read_in_later_iterations(stmt, &summary.read));
                    let own = Targets {
                        leave: after.clone(),
                        next: inside.clone(),
                        stop: targets.stop.clone(),
                    };
                    for part in inner
                        .init
                        .iter()
                        .chain(&inner.before_test)
                        .chain(&inner.step)
                        .chain(std::iter::once(&inner.body))
                    {
                        self.live_before(part, inside.clone(), &own, found);
                    }
                }
                let left = self.unwritten(without(out, &self.released_after(stmt)), &summary.write);
                self.with_reads(left, &summary.exposed)
            }
            StmtKind::Switch { body, .. } => {
                let mut out = after.clone();
                for (gate, target) in [(&summary.next, &targets.next), (&summary.stop, &targets.stop)] {
                    if !gate.is_never() {
                        out = either(out, target);
                    }
                }
                found.keep(stmt, || self.left_behind(stmt, &summary.write, out.clone()));
                let out = without(out, &self.released_after(stmt));
                let own = Targets {
                    leave: after.clone(),
                    ..targets.clone()
                };
                if found.asked.goes_into(stmt) {
                    self.live_before(body, after, &own, found);
                }
                let left = match summary.next.is_never() && summary.stop.is_never() {
                    true => self.unwritten(out, &summary.write),
                    false => out,
                };
                self.with_reads(left, &summary.exposed)
            }
            StmtKind::Directive { body: Some(body), .. } => {
                let live = self.live_before(body, after.clone(), targets, found);
                found.keep(stmt, || self.left_behind(stmt, &summary.write, after));
                self.with_reads(live, &summary.exposed)
            }
            _ => {
                let after = without(after, &self.released_after(stmt));
                found.keep(stmt, || self.exported(&summary.write, &after));
                let left = self.unwritten(after, &summary.write);
                self.with_reads(left, &summary.exposed)
            }
        }
    }

    /// What is live behind a statement of what it writes, but for storage that it releases after that.
    fn left_behind(&self, stmt: &Stmt, write: &Touch, after: Live) -> Touch {
        self.exported(write, &without(after, &self.gone_after(stmt)))
    }

    fn exported(&self, write: &Touch, after: &Live) -> Touch {
        let mut result = Touch {
            rows: write.rows.clone(),
            elsewhere: write.elsewhere.clone(),
            ..Touch::default()
        };
        for (root, part) in &write.objects {
            let Some(live) = after.get(root) else { continue };
            if live.all {
                result.objects.insert(*root, part.clone());
                continue;
            }
            let may = part.may.intersect(&live.may).unwrap_or_else(|_| part.may.clone());
            if may.is_plainly_empty() || may.is_empty() == Ok(true) {
                continue;
            }
            let at = self.values.symbols.info(*root).at;
            let cause = Cause::new("it may be read later", at);
            result.objects.insert(*root, Part::at_most(may, cause));
        }
        result
    }

    fn unwritten(&self, mut live: Live, write: &Touch) -> Live {
        for (root, part) in &write.objects {
            if let Some(own) = live.get_mut(root)
                && !own.may.is_plainly_empty()
                && !part.must.is_plainly_empty()
                && let Ok(left) = own.may.subtract(&part.must)
            {
                own.may = left;
                own.all = false;
            }
        }
        live
    }

    fn with_reads(&self, mut live: Live, read: &Touch) -> Live {
        let reach = self.reach();
        for (root, part) in &mut live {
            let through_another = || {
                let mut others = read.objects.keys().filter(|other| *other != root);
                others.any(|other| may_overlap(&reach, *root, *other))
            };
            let whole = read.goes_beyond() && reach.escapes(*root) || through_another();
            if whole {
                part.may = Set::universe(part.may.dimensions());
            } else if let Some(own) = read.objects.get(root) {
                let universe = Set::universe(part.may.dimensions());
                part.may = part.may.union(&own.may).unwrap_or(universe);
            }
        }
        live
    }
}

/// Nobody reads what is in these objects.
fn without(mut live: Live, gone: &BTreeSet<Symbol>) -> Live {
    for root in gone {
        if let Some(part) = live.get_mut(root) {
            part.may = Set::empty(part.may.dimensions());
            part.all = false;
        }
    }
    live
}

fn either(mut a: Live, b: &Live) -> Live {
    for (root, part) in &mut a {
        if let Some(other) = b.get(root) {
            let universe = Set::universe(part.may.dimensions());
            part.may = part.may.union(&other.may).unwrap_or(universe);
            part.all |= other.all;
        }
    }
    a
}
