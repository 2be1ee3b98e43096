//! When may an iteration read a variable that it has not set?
//!
//! A walk of one iteration from its end to its beginning. It gives cases, in one of which the iteration is where that happens: what the conditions say on the way from the
//! beginning to the reading, as far as it is known. Asked for the cases that are certain instead, it says only whether there is one.
//!
//! What it cannot do: follow jumps to labels; keep more than a few cases apart.

use crate::scalar::expr_mentions;
use ferry_ir::{Expr, Loop, LoopKind, Place, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Condition, ConditionKind, Facts};
use std::cell::Cell;

/// Most cases, and most conditions of one: with more, every iteration counts.
const MOST: usize = 16;

/// Most statements that are looked at for one question.
const WORK: usize = 20_000;

/// Which way an `if` goes, or whether a loop runs.
pub(super) enum Way {
    /// The first one, or it runs, exactly where this holds.
    Where(Condition),
    /// It runs.
    Always,
    /// One or the other, of which no more is known.
    Either,
    /// It may be the same in all iterations: only what happens on both counts.
    Both,
}

/// Cases of which one holds; each is what holds in it together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cases(Vec<Vec<Condition>>);

impl Cases {
    pub fn never() -> Cases {
        Cases(Vec::new())
    }

    pub fn always() -> Cases {
        Cases(vec![Vec::new()])
    }

    pub fn is_never(&self) -> bool {
        self.0.is_empty()
    }

    /// The same, less the cases that hold only where another one does.
    fn of(mut cases: Vec<Vec<Condition>>) -> Cases {
        for case in &mut cases {
            case.sort();
            case.dedup();
        }
        cases.sort_by_key(Vec::len);
        let mut kept: Vec<Vec<Condition>> = Vec::new();
        for case in cases {
            let is_in = |other: &Vec<Condition>| other.iter().all(|one| case.contains(one));
            if !kept.iter().any(is_in) {
                kept.push(case);
            }
        }
        let is_long = kept.len() > MOST || kept.iter().any(|case| case.len() > MOST);
        match is_long {
            true => Cases::always(),
            false => Cases(kept),
        }
    }

    fn or(self, other: &Cases) -> Cases {
        let mut all = self.0;
        all.extend(other.0.iter().cloned());
        Cases::of(all)
    }

    fn and(&self, other: &Cases) -> Cases {
        let together = |one: &Vec<Condition>, two: &Vec<Condition>| one.iter().chain(two).cloned().collect();
        let all = self.0.iter();
        Cases::of(
            all.flat_map(|one| other.0.iter().map(move |two| together(one, two)))
                .collect(),
        )
    }

    fn where_holds(condition: &Condition) -> Cases {
        let all = match condition.kind() {
            ConditionKind::False => Vec::new(),
            ConditionKind::Or(operands) => operands.iter().map(Condition::conjuncts).collect(),
            _ => vec![condition.conjuncts()],
        };
        Cases::of(all)
    }

    /// The same, without those that are not `possible`.
    pub fn possible(mut self, possible: &dyn Fn(&Condition) -> bool) -> Cases {
        self.0
            .retain(|case| possible(&Condition::all(case.iter().cloned())));
        self
    }

    /// The same, with nothing of what is not `kept`.
    pub fn only(self, kept: &dyn Fn(&Condition) -> bool) -> Cases {
        let all = self.0.into_iter();
        Cases::of(
            all.map(|case| case.into_iter().filter(|one| kept(one)).collect())
                .collect(),
        )
    }

    /// What has to hold so that none of them does. `m <= 0 || !c` is left of `c && m <= 0 || !c`.
    pub fn none(self) -> Vec<Condition> {
        let mut cases = self.0;
        for at in 0..cases.len() {
            let mut number = 0;
            while let Some(one) = cases[at].get(number).cloned() {
                // Where the rest of the case holds without this one, it is another case.
                let mut turned: Vec<Condition> = cases[at].clone();
                turned.remove(number);
                turned.extend(one.not().conjuncts());
                let is_there = cases.iter().enumerate().any(|(other, case)| {
                    other != at && case.iter().all(|condition| turned.contains(condition))
                });
                match is_there {
                    true => drop(cases[at].remove(number)),
                    false => number += 1,
                }
            }
        }
        let all = Cases::of(cases).0.into_iter();
        all.map(|case| Condition::any(case.iter().map(Condition::not)))
            .collect()
    }
}

/// What is asked of one variable.
pub(super) struct Exposed<'a> {
    pub variable: VariableRef,
    /// Which way statements go.
    pub way: &'a dyn Fn(&Stmt) -> Way,
    /// A condition says the same in all iterations of a loop.
    pub fixed: &'a dyn Fn(&Condition, StmtId) -> bool,
    /// The answer where nothing is known.
    pub open: Cases,
    /// Conditions may hold together.
    pub possible: &'a dyn Fn(&Condition) -> bool,
    /// Work that was done.
    pub work: Cell<usize>,
}

/// Where jumps go: what happens from there on.
struct Targets {
    at_break: Cases,
    at_continue: Cases,
}

impl<'a> Exposed<'a> {
    /// All cases, at least.
    pub fn at_most(
        variable: VariableRef,
        way: &'a dyn Fn(&Stmt) -> Way,
        fixed: &'a dyn Fn(&Condition, StmtId) -> bool,
    ) -> Exposed<'a> {
        Exposed {
            variable,
            way,
            fixed,
            open: Cases::always(),
            possible: &|_| true,
            work: Cell::new(0),
        }
    }

    /// Only what is certain.
    pub fn at_least(variable: VariableRef, way: &'a dyn Fn(&Stmt) -> Way) -> Exposed<'a> {
        Exposed {
            variable,
            way,
            fixed: &|_, _| false,
            open: Cases::never(),
            possible: &|all| !Facts::default().with(all).infeasible(),
            work: Cell::new(0),
        }
    }

    /// The cases in which an iteration does. At its `end` it is read behind the loop, or it is not.
    pub fn in_iteration(&self, of: &Loop, end: &Cases) -> Cases {
        let nowhere = Cases::never();
        let cases = match of.kind {
            LoopKind::Do => {
                let test = self.test(of, end.clone(), &nowhere);
                self.body_and_step(of, test, &nowhere)
            }
            _ => {
                let body = self.body_and_step(of, end.clone(), &nowhere);
                self.test(of, body, &nowhere)
            }
        };
        cases.possible(self.possible)
    }

    fn reads(&self, expr: &Expr) -> bool {
        expr_mentions(expr, self.variable)
    }

    fn unless_read(&self, stmt: &Stmt, behind: Cases) -> Cases {
        let mut read = false;
        stmt.for_each_expression(&mut |expr| read |= self.reads(expr));
        match read {
            true => Cases::always(),
            false => behind,
        }
    }

    fn statement(&self, stmt: &Stmt, behind: Cases, targets: &Targets) -> Cases {
        self.work.set(self.work.get() + 1);
        if self.work.get() > WORK {
            return self.open.clone();
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => {
                let all = body.iter().rev();
                all.fold(behind, |behind, stmt| self.statement(stmt, behind, targets))
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.reads(condition) {
                    return Cases::always();
                }
                let yes = self.statement(then, behind.clone(), targets);
                let no = match otherwise {
                    Some(otherwise) => self.statement(otherwise, behind, targets),
                    None => behind,
                };
                match (self.way)(stmt) {
                    Way::Where(condition) => self.by(&condition, &yes, &no),
                    Way::Always => yes,
                    Way::Either => yes.or(&no),
                    Way::Both => yes.and(&no),
                }
            }
            StmtKind::Loop(inner) => self.inner_loop(stmt, inner, behind),
            StmtKind::Switch { value, body } => self.switch(stmt, value, body, behind, targets),
            StmtKind::Break => targets.at_break.clone(),
            StmtKind::Continue => targets.at_continue.clone(),
            StmtKind::Return(_) => self.unless_read(stmt, Cases::never()),
            StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. } => self.open.clone(),
            // What the body writes may be a private copy.
            StmtKind::Directive { body: Some(body), .. } => {
                self.statement(body, behind.clone(), targets).or(&behind)
            }
            StmtKind::Declare { local } if VariableRef::Local(*local) == self.variable => Cases::never(),
            _ => {
                let sets = stmt.written_place().and_then(Place::as_variable) == Some(self.variable);
                let behind = match sets {
                    true => Cases::never(),
                    false => behind,
                };
                self.unless_read(stmt, behind)
            }
        }
    }

    fn by(&self, condition: &Condition, yes: &Cases, no: &Cases) -> Cases {
        let yes = Cases::where_holds(condition).and(yes);
        yes.or(&Cases::where_holds(&condition.not()).and(no))
    }

    /// Any case may be the first.
    fn switch(&self, stmt: &Stmt, value: &Expr, body: &Stmt, behind: Cases, targets: &Targets) -> Cases {
        let (mut read, mut set) = (self.reads(value), false);
        body.walk(&mut |part| {
            part.for_each_expression(&mut |expr| read |= self.reads(expr));
            set |= part.written_place().and_then(Place::as_variable) == Some(self.variable);
        });
        if matches!((self.way)(stmt), Way::Both) {
            return match (self.reads(value), read || set) {
                (true, _) => Cases::always(),
                (false, true) => Cases::never(),
                (false, false) => behind,
            };
        }
        if read {
            return Cases::always();
        }
        let inside = Targets {
            at_break: behind.clone(),
            at_continue: targets.at_continue.clone(),
        };
        self.statement(body, behind.clone(), &inside).or(&behind)
    }

    fn sequence(&self, body: &[Stmt], behind: Cases) -> Cases {
        let targets = Targets {
            at_break: self.open.clone(),
            at_continue: self.open.clone(),
        };
        let all = body.iter().rev();
        all.fold(behind, |behind, stmt| self.statement(stmt, behind, &targets))
    }

    /// From before the test on: it is followed by `inside` where it holds, and by `behind` else.
    fn test(&self, inner: &Loop, inside: Cases, behind: &Cases) -> Cases {
        let after = match &inner.condition {
            Some(condition) if self.reads(condition) => Cases::always(),
            Some(_) => inside.or(behind),
            None => inside,
        };
        self.sequence(&inner.before_test, after)
    }

    fn body_and_step(&self, inner: &Loop, next: Cases, behind: &Cases) -> Cases {
        let step = self.sequence(&inner.step, next);
        let targets = Targets {
            at_break: behind.clone(),
            at_continue: step.clone(),
        };
        self.statement(&inner.body, step, &targets)
    }

    fn inner_loop(&self, stmt: &Stmt, inner: &Loop, behind: Cases) -> Cases {
        let nowhere = Cases::never();
        // What a condition says in one iteration it need not say in another one.
        let forget = |cases: Cases| {
            let possible = cases.possible(self.possible);
            possible.only(&|condition| (self.fixed)(condition, stmt.id))
        };
        // From any iteration on: what the iterations behind it do adds nothing to what one does.
        let any = forget(match inner.kind {
            LoopKind::Do => {
                let test = self.test(inner, nowhere.clone(), &behind);
                self.body_and_step(inner, test, &behind)
            }
            _ => {
                let body = self.body_and_step(inner, nowhere.clone(), &behind);
                self.test(inner, body, &behind)
            }
        });
        let begun = || {
            let body = self.body_and_step(inner, any.clone(), &behind);
            forget(self.test(inner, body, &nowhere))
        };
        let first = match (inner.kind, (self.way)(stmt)) {
            (LoopKind::Do, _) | (_, Way::Either | Way::Both) => any,
            (_, Way::Always) => begun(),
            (_, Way::Where(condition)) => {
                let left = forget(self.test(inner, nowhere.clone(), &behind));
                self.by(&condition, &begun(), &left)
            }
        };
        self.sequence(&inner.init, first)
    }
}
