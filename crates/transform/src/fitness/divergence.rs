//! Where may neighbouring threads of a kernel part: conditions and inner loops that depend on the iteration, or on data?
//!
//! Threads of a warp run in step. Where some take a branch, or run a loop longer, the others wait. A value is the same for all threads unless it is
//! computed from the counters of the loops that run together, or loaded from a place that is: a forward flow over the body to a fixed point, by variable.
//! Where several loops run together, threads of a warp have consecutive iterations of the innermost one: what hangs on the others alone parts them where a row ends
//! only, unless rows are known to be shorter than a warp (then it parts any of them) or to be whole warps (then none).
//! Conditions on a few plain assignments are left out: compilers turn them into instructions that take effect or do not (predication), and nobody waits.
//! Not looked at: called functions, and `?:`, `&&` and `||` inside expressions.

use crate::kernel::Context;
use ferry_analysis::coalescing::trip;
use ferry_analysis::loops::LoopIndex;
use ferry_ir::{Expr, ExprKind, Place, PlaceBase, Projection, Stmt, StmtKind, VariableRef};
use ferry_source::Origin;
use std::collections::{BTreeMap, BTreeSet};

/// The most assignments under a condition for which no thread waits.
const PREDICATED: usize = 4;

/// Threads of the widest warp of any GPU that is known; narrower ones divide it.
const WIDEST: u64 = 64;

/// What parts the threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fork {
    /// `if` or `switch`.
    Branch,
    /// A loop that some threads run longer than others.
    Loop,
}

/// On what it depends whether a thread does as its neighbours do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Varies {
    /// All do the same.
    Not,
    /// On iterations of loops around the innermost of those that run together: only threads of different rows part.
    Rows,
    /// On which iteration it is: neighbours often do the same (`i > 0`), or nearly (`j < i`).
    Iteration,
    /// On what was loaded.
    Data,
}

/// A place at which threads part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Branch or loop.
    pub fork: Fork,
    /// On what it depends; never [`Varies::Not`].
    pub varies: Varies,
    /// The statement.
    pub at: Origin,
}

/// The places in a body at which the threads part that run these loops together. The body is that of the innermost of them, or inside it; of loops around it that
/// are not among them all threads run the same iteration. Each thread has so many consecutive iterations (`chunk`).
pub fn of_body(context: Context<'_>, body: &Stmt, together: &[LoopIndex], chunk: u32) -> Vec<Divergence> {
    let loops = &context.facts.values.loops;
    let innermost = together.last().map(|index| &loops[index.0 as usize]);
    let row = innermost.and_then(|of| trip(&context.facts.values, of));
    let chunk = u64::from(chunk);
    let between_rows = match row {
        Some(row) if row < WIDEST * chunk => Varies::Iteration,
        Some(row) if row.is_multiple_of(WIDEST * chunk) => Varies::Not,
        _ => Varies::Rows,
    };
    // What else changes from one iteration to the next is set in each of them before it is used, or they would not be parallel.
    let counters = together.iter().flat_map(|index| {
        let of = &loops[index.0 as usize];
        let varies = match together.last() == Some(index) {
            true => Varies::Iteration,
            false => between_rows,
        };
        of.inductions.iter().map(move |one| (one.variable, varies))
    });
    let mut written = BTreeSet::new();
    body.walk(&mut |stmt| {
        if let Some(Place {
            base: PlaceBase::Variable(variable),
            ..
        }) = stmt.written_place()
        {
            written.insert(*variable);
        }
    });
    let mut flow = Flow {
        values: counters.collect(),
        written,
        found: Vec::new(),
    };
    // Each pass raises at least one of the variables that the body writes, by one of three steps, or is the last.
    for _ in 0..=3 * flow.written.len() {
        let before = flow.values.clone();
        flow.found.clear();
        flow.statement(body, Varies::Not);
        if flow.values == before {
            break;
        }
    }
    flow.found
}

struct Flow {
    /// Of variables, the worst value that they take anywhere.
    values: BTreeMap<VariableRef, Varies>,
    /// What the body writes: of arrays among them each thread has its own, or they are not read.
    written: BTreeSet<VariableRef>,
    found: Vec<Divergence>,
}

impl Flow {
    fn statement(&mut self, stmt: &Stmt, under: Varies) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => {
                let value = self.expression(value);
                self.assign(place, value.max(under));
            }
            StmtKind::Call {
                result, arguments, ..
            } => {
                let all = arguments.iter().map(|one| self.expression(one)).max();
                // What a function returns for different arguments may be anything.
                let value = match all {
                    None | Some(Varies::Not) => Varies::Not,
                    Some(Varies::Rows) => Varies::Rows,
                    Some(_) => Varies::Data,
                };
                if let Some(place) = result {
                    self.assign(place, value.max(under));
                }
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let varies = self.expression(condition);
                let work = weight(then) + otherwise.as_deref().map_or(0, weight);
                if varies > Varies::Not && work > PREDICATED {
                    self.note(Fork::Branch, varies, stmt);
                }
                self.statement(then, under.max(varies));
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, under.max(varies));
                }
            }
            StmtKind::Switch { value, body } => {
                let varies = self.expression(value);
                if varies > Varies::Not && weight(body) > PREDICATED {
                    self.note(Fork::Branch, varies, stmt);
                }
                self.statement(body, under.max(varies));
            }
            StmtKind::Loop(inner) => {
                for one in inner.init.iter().chain(&inner.before_test) {
                    self.statement(one, under);
                }
                let varies = inner
                    .condition
                    .as_ref()
                    .map_or(Varies::Not, |test| self.expression(test));
                if varies > Varies::Not {
                    self.note(Fork::Loop, varies, stmt);
                }
                // How long a thread is in the loop decides what its variables hold behind it, not in it: there, all that are in the loop
                // have run as many iterations.
                self.statement(&inner.body, under);
                for one in &inner.step {
                    self.statement(one, under);
                }
                if varies > Varies::Not {
                    stmt.walk(&mut |one| {
                        if let Some(place) = one.written_place()
                            && !inner.step.iter().any(|step| step.written_place() == Some(place))
                        {
                            self.assign(place, varies);
                        }
                    });
                }
            }
            _ => stmt.for_each_child(&mut |child| self.statement(child, under)),
        }
    }

    fn note(&mut self, fork: Fork, varies: Varies, stmt: &Stmt) {
        self.found.push(Divergence {
            fork,
            varies,
            at: stmt.origin,
        });
    }

    fn assign(&mut self, place: &Place, value: Varies) {
        if let PlaceBase::Variable(variable) = place.base {
            let old = self.values.entry(variable).or_insert(Varies::Not);
            *old = (*old).max(value);
        }
    }

    fn expression(&self, expr: &Expr) -> Varies {
        let mut worst = Varies::Not;
        expr.walk(&mut |inner| {
            worst = worst.max(match &inner.kind {
                ExprKind::Load(place) => self.load(place),
                ExprKind::Opaque { .. } => Varies::Data,
                _ => Varies::Not,
            });
        });
        worst
    }

    /// What is loaded from a place that differs from thread to thread is data; the variables in its subscripts are walked by themselves, too.
    fn load(&self, place: &Place) -> Varies {
        let subscripts = place.path.iter().filter_map(|step| match step {
            Projection::Index(index) => Some(self.expression(index)),
            Projection::Field(_) => None,
        });
        let pointer = match &place.base {
            PlaceBase::Deref(pointer) => self.expression(pointer),
            PlaceBase::Variable(_) => Varies::Not,
        };
        let at = subscripts.chain([pointer]).max().unwrap_or(Varies::Not);
        if at > Varies::Rows {
            return Varies::Data;
        }
        let held = match place.base {
            PlaceBase::Variable(variable) if place.path.is_empty() => {
                self.values.get(&variable).copied().unwrap_or(Varies::Not)
            }
            PlaceBase::Variable(variable) if self.written.contains(&variable) => {
                self.values.get(&variable).copied().unwrap_or(Varies::Not)
            }
            _ => Varies::Not,
        };
        held.max(at)
    }
}

/// How many statements wait; loops and calls count as many.
fn weight(stmt: &Stmt) -> usize {
    let mut found = 0;
    stmt.walk(&mut |inner| {
        found += match inner.kind {
            StmtKind::Assign { .. } | StmtKind::Zero { .. } => 1,
            StmtKind::Loop(_) | StmtKind::Call { .. } | StmtKind::Opaque { .. } => PREDICATED + 1,
            _ => 0,
        };
    });
    found
}
