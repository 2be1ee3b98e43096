//! Which variables hold what a thread has taken from the others: the number of a ticket, the old value of a counter?
//!
//! The values of the program are those of one thread after the other, and say the same of all of them: of `mine` behind `#pragma omp atomic capture` and
//! `mine = next++` that it is the first number. What is set in an atomic construct, in a critical region or under a lock, and what is computed from that,
//! is another value in each thread for all that is known.
//!
//! What it cannot do: follow such values through memory, or know what a thread reads without any of these, which is a race itself.

use super::Program;
use super::lock::{self, Call};
use ferry_ir::visit::{expression_variables, mentioned_variables};
use ferry_ir::{Callee, Expr, ExprKind, LocalId, Place, PlaceBase, Stmt, StmtKind, VariableRef};
use std::collections::BTreeSet;

/// The variables of a region that hold such values somewhere in it.
#[derive(Default)]
pub(super) struct Taken {
    variables: BTreeSet<VariableRef>,
    /// What the run time says of teams counts, too.
    and_what_is_asked: bool,
}

/// Whether a function of the run time says something of the team: not which of its threads runs.
fn asks(name: &str) -> bool {
    name.starts_with("omp_") && name != "omp_get_thread_num"
}

impl Taken {
    /// What a region takes, in the functions that it calls, too.
    pub fn of(program: &Program<'_>, region: &Stmt) -> Taken {
        Taken::default().in_region(program, region)
    }

    /// The same, with what the run time says of the team: `omp_in_parallel`, `omp_get_num_threads`.
    pub fn with_what_is_asked(program: &Program<'_>, region: &Stmt) -> Taken {
        let taken = Taken {
            and_what_is_asked: true,
            ..Taken::default()
        };
        taken.in_region(program, region)
    }

    fn in_region(mut self, program: &Program<'_>, region: &Stmt) -> Taken {
        let taken = &mut self;
        // What is computed from it may stand in front of it, in a loop.
        loop {
            let before = taken.variables.len();
            taken.statement(program, region, &mut 0);
            if taken.variables.len() == before {
                return self;
            }
        }
    }

    /// True if an element or a pointer that the statement itself goes to depends on such a value.
    pub fn leads(&self, stmt: &Stmt) -> bool {
        if self.variables.is_empty() {
            return false;
        }
        let place_depends = |place: &Place| {
            let mut found = false;
            place.for_each_child(&mut |part| found |= self.decides(part));
            found
        };
        let mut found = stmt.written_place().is_some_and(place_depends);
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |part| {
                if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &part.kind {
                    found |= place_depends(place);
                }
            });
        });
        found
    }

    /// True if the expression depends on such a value.
    pub fn decides(&self, expr: &Expr) -> bool {
        // Most regions take nothing, and all of their expressions are asked for.
        if self.variables.is_empty() {
            return false;
        }
        let mut mentioned = BTreeSet::new();
        expression_variables(expr, &mut mentioned);
        !mentioned.is_disjoint(&self.variables)
    }

    /// `alone` counts what keeps other threads away.
    fn statement(&mut self, program: &Program<'_>, stmt: &Stmt, alone: &mut usize) {
        match &stmt.kind {
            StmtKind::Directive {
                directive,
                body: Some(body),
            } if matches!(directive.name.as_str(), "atomic" | "critical") => {
                *alone += 1;
                self.statement(program, body, alone);
                *alone = alone.saturating_sub(1);
                return;
            }
            StmtKind::Call {
                callee: Callee::Function(id),
                arguments,
                result,
            } => {
                if let Some(body) = program.values.bodies.get(&stmt.id) {
                    let parameters = (body.base..).map(|number| VariableRef::Local(LocalId(number)));
                    let given = parameters.zip(arguments);
                    let given = given.filter(|(_, argument)| self.decides(argument));
                    let given: Vec<VariableRef> = given.map(|(parameter, _)| parameter).collect();
                    self.variables.extend(given);
                    self.statement(program, &body.stmt, alone);
                    let inside = || mentioned_variables(&body.stmt);
                    let takes =
                        *alone > 0 || !self.variables.is_empty() && !inside().is_disjoint(&self.variables);
                    self.set(result.as_ref().filter(|_| takes));
                    return;
                }
                let name = &program.unit.function(*id).name;
                self.set(result.as_ref().filter(|_| self.and_what_is_asked && asks(name)));
                match lock::call(program, stmt.id, name) {
                    Some(Call::Takes(_)) => *alone += 1,
                    Some(Call::Releases(_)) => *alone = alone.saturating_sub(1),
                    _ => {}
                }
            }
            _ => {}
        }
        // What counts by itself, like a loop's variable, takes nothing from anyone.
        let own = stmt.written_place().and_then(Place::as_variable);
        let mut depends = false;
        stmt.for_each_expression(&mut |expr| {
            depends |= self.decides(expr);
            expr.walk(&mut |part| {
                let other = |place: &Place| own.is_none() || place.as_variable() != own;
                depends |= *alone > 0 && matches!(&part.kind, ExprKind::Load(place) if other(place));
            });
        });
        self.set(stmt.written_place().filter(|_| depends));
        stmt.for_each_child(&mut |child| self.statement(program, child, alone));
    }

    fn set(&mut self, place: Option<&Place>) {
        if let Some(PlaceBase::Variable(variable)) = place.map(|place| &place.base) {
            self.variables.insert(*variable);
        }
    }
}
