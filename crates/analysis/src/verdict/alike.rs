//! Which conditions of a loop may say the same in all of its iterations?
//!
//! `if (flag) x = i;`: what is under such a condition happens in every iteration or in none, so that nothing is certain that takes an iteration in which it does, and one in which it
//! does not, or one at all. Conditions on what moves with the iterations, and on elements that are others in each, are taken for some that hold in some of them.
//!
//! What it cannot do: look into memory. What is read at a place that does not move is taken to stay.

use super::exposed::{Cases, Exposed, Way};
use super::repeated::Repeated;
use crate::scalar::{Variables, expr_mentions};
use crate::shape;
use ferry_ir::{Expr, Loop, Place, Stmt, StmtId, StmtKind, VariableRef};
use ferry_source::Origin;
use std::collections::BTreeSet;

/// The conditions of one loop.
pub(super) struct Alike<'a> {
    inner: &'a Loop,
    moving: Variables,
}

impl<'a> Alike<'a> {
    /// Of the variables that the loop sets, these are read in an iteration before it has set them, for all that is known.
    pub fn of(inner: &'a Loop, assigned: &Variables, exposed: &Variables) -> Alike<'a> {
        let both = |stmt: &Stmt| match stmt.kind {
            StmtKind::Loop(_) => Way::Always,
            _ => Way::Both,
        };
        // Set and read whatever conditions say.
        let certainly = |variable: &&VariableRef| {
            let asked = Exposed::at_least(**variable, &both);
            !asked.in_iteration(inner, &Cases::never()).is_never() && sets(inner, **variable, &|_| true)
        };
        let carried = assigned.intersection(exposed).filter(certainly);
        let mut found = Alike {
            inner,
            moving: carried.copied().collect(),
        };
        loop {
            let before = found.moving.len();
            let mut more = Variables::new();
            for part in shape::iteration(inner) {
                found.moved(part, false, &mut more);
            }
            found.moving.extend(more);
            if found.moving.len() == before {
                return found;
            }
        }
    }

    /// An expression may have the same value whenever it is come to, or the same values one after the other, in all iterations.
    fn may_stay(&self, expr: &Expr) -> bool {
        !self.moving.iter().any(|one| expr_mentions(expr, *one))
    }

    /// A statement goes the same way in all iterations, for all that is known.
    fn decides(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::If { condition, .. } => self.may_stay(condition),
            StmtKind::Switch { value, .. } => self.may_stay(value),
            _ => false,
        }
    }

    /// Adds the variables that get another value in each iteration, by what is known of others. `under`: below something that moves.
    fn moved(&self, stmt: &Stmt, under: bool, found: &mut Variables) {
        if let Some(variable) = stmt.written_place().and_then(Place::as_variable) {
            let mut stays = !under;
            stmt.for_each_expression(&mut |expr| stays &= self.may_stay(expr));
            if !stays {
                found.insert(variable);
            }
        }
        let under = under
            || match &stmt.kind {
                StmtKind::If { .. } | StmtKind::Switch { .. } => !self.decides(stmt),
                StmtKind::Loop(inner) => inner.condition.as_ref().is_some_and(|test| !self.may_stay(test)),
                _ => false,
            };
        stmt.for_each_child(&mut |child| self.moved(child, under, found));
    }

    /// When an iteration reads what an earlier one has left in a variable, of those that it may read first.
    pub fn carries(&self, variable: VariableRef) -> Carries {
        let sets = sets(self.inner, variable, &|stmt| self.decides(stmt));
        if !sets || !self.reads_first(variable, &Repeated::default()) {
            return Carries::WhereConditionsDiffer;
        }
        match self.reads_first(variable, &Repeated::of(self.inner)) {
            true => Carries::Certainly,
            false => Carries::WhereWordsDiffer,
        }
    }

    /// It is certain that an iteration does before it sets it, if what is `repeated` says the same.
    fn reads_first(&self, variable: VariableRef, repeated: &Repeated) -> bool {
        let way = |stmt: &Stmt| match (&stmt.kind, self.decides(stmt)) {
            (StmtKind::Loop(_), _) => Way::Always,
            (_, true) => Way::Both,
            (_, false) => repeated.asked(stmt).cloned().map_or(Way::Either, Way::Where),
        };
        let asked = Exposed::at_least(variable, &way);
        !asked.in_iteration(self.inner, &Cases::never()).is_never()
    }

    /// The statements that run in no iteration for all that is known.
    pub fn left_out(&self) -> LeftOut {
        let mut found = LeftOut::default();
        let mut open = false;
        for part in shape::iteration(self.inner) {
            self.leave_out(part, &mut open, &mut found);
        }
        found
    }

    /// `open`: under such a condition, or behind a jump under one.
    fn leave_out(&self, stmt: &Stmt, open: &mut bool, found: &mut LeftOut) {
        if *open {
            found.stmts.insert(stmt.id);
            found.places.push(stmt.origin);
        }
        let before = *open;
        let decides = self.decides(stmt) && !is_entered(stmt);
        *open |= decides;
        stmt.for_each_child(&mut |child| self.leave_out(child, open, found));
        // What jumps out of a loop or a `switch` inside leaves nothing behind it out.
        let is_switch = matches!(stmt.kind, StmtKind::Switch { .. });
        let mut jumps = |part: &Stmt| match part.kind {
            StmtKind::Break => !is_switch,
            StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto(_) => true,
            _ => false,
        };
        *open = match stmt.kind {
            StmtKind::Loop(_) => before,
            _ if decides => before || shape::any(stmt, &mut jumps),
            _ => *open,
        };
    }
}

/// When an iteration reads what an earlier one has left in a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Carries {
    /// Some certainly do.
    Certainly,
    /// If a condition does not say the same in all iterations.
    WhereConditionsDiffer,
    /// If conditions of one iteration that are written alike do not say the same.
    WhereWordsDiffer,
    /// If conditions on the number of the iteration come out so, which sizes decide.
    WhereSizesLet,
}

/// What [`Alike::left_out`] finds.
#[derive(Default)]
pub(super) struct LeftOut {
    stmts: BTreeSet<StmtId>,
    places: Vec<Origin>,
}

impl LeftOut {
    /// It is one of them.
    pub fn contains(&self, stmt: StmtId) -> bool {
        self.stmts.contains(&stmt)
    }

    /// One of them stands there.
    pub fn is_at(&self, place: Origin) -> bool {
        self.places.contains(&place)
    }
}

/// A label or a case inside is another way into it.
fn is_entered(stmt: &Stmt) -> bool {
    shape::labels_inside(stmt) || shape::any(stmt, &mut |part| matches!(part.kind, StmtKind::Label(_)))
}

/// Some iteration sets the variable, whichever way the statements go that `decide`.
fn sets(inner: &Loop, variable: VariableRef, decides: &dyn Fn(&Stmt) -> bool) -> bool {
    shape::iteration(inner).any(|part| sets_in(part, variable, decides))
}

fn sets_in(stmt: &Stmt, variable: VariableRef, decides: &dyn Fn(&Stmt) -> bool) -> bool {
    if stmt.written_place().and_then(Place::as_variable) == Some(variable) {
        return true;
    }
    match &stmt.kind {
        StmtKind::If { then, otherwise, .. } if decides(stmt) => {
            let otherwise = otherwise.as_ref();
            sets_in(then, variable, decides)
                && otherwise.is_some_and(|otherwise| sets_in(otherwise, variable, decides))
        }
        StmtKind::Switch { .. } if decides(stmt) => false,
        _ => {
            let mut found = false;
            stmt.for_each_child(&mut |child| found |= sets_in(child, variable, decides));
            found
        }
    }
}
