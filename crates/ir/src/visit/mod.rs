//! Which parts does a program have, and in which order does it touch memory? The walks that all analyses share.

mod access;
mod mention;
mod rename;

pub use access::{
    AccessKind, AccessVisitor, Guard, StatementAccessVisitor, all_accesses, expression_accesses,
    place_accesses, statement_accesses,
};
pub use mention::{
    Call, assigned_variables, calls, directive_expressions, expression_variables, mentioned_variables,
};
pub use rename::{rename, replace};

use crate::{
    Callee, Expr, ExprKind, Function, FunctionRef, Loop, LoopKind, Place, Projection, Stmt, StmtId, StmtKind,
    Unit,
};
use ferry_directive::Directive;
use ferry_source::Origin;
use std::collections::{BTreeSet, HashMap};

impl Stmt {
    /// Calls `f` on the statements directly inside, in text order but for a `for`'s step, which comes after the body
    /// (as does the head of a `do`).
    pub fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        match &self.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(f),
            StmtKind::If { then, otherwise, .. } => {
                f(then);
                if let Some(otherwise) = otherwise {
                    f(otherwise);
                }
            }
            StmtKind::Loop(l) => l.for_each_child(f),
            StmtKind::Switch { body, .. } => f(body),
            StmtKind::Directive { body: Some(body), .. } => f(body),
            _ => {}
        }
    }

    /// The statements directly inside, in the order of [`Stmt::for_each_child`].
    pub fn children(&self) -> Vec<&Stmt> {
        let mut found = Vec::new();
        self.for_each_child(&mut |child| found.push(child));
        found
    }

    /// Calls `f` on this statement and everything below it, parents first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        f(self);
        self.for_each_child(&mut |child| child.walk(f));
    }

    /// The same, to change them.
    pub fn walk_mut(&mut self, f: &mut dyn FnMut(&mut Stmt)) {
        f(self);
        match &mut self.kind {
            StmtKind::Block { body, .. } => body.iter_mut().for_each(|child| child.walk_mut(f)),
            StmtKind::If { then, otherwise, .. } => {
                then.walk_mut(f);
                if let Some(otherwise) = otherwise {
                    otherwise.walk_mut(f);
                }
            }
            StmtKind::Loop(of) => {
                let parts = of.init.iter_mut().chain(&mut of.before_test).chain(&mut of.step);
                parts.for_each(|child| child.walk_mut(f));
                of.body.walk_mut(f);
            }
            StmtKind::Switch { body, .. } | StmtKind::Directive { body: Some(body), .. } => body.walk_mut(f),
            _ => {}
        }
    }

    /// Calls `f` on the expressions that this statement itself evaluates as a whole, in order of evaluation: values, conditions,
    /// arguments, and the pointers and indices of the place written. Mentions of an opaque statement are among them, clauses of
    /// directives are not ([`directive_expressions`]).
    pub fn for_each_expression<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            StmtKind::Assign { place, value } => {
                f(value);
                place.for_each_child(f);
            }
            StmtKind::Zero { place } => place.for_each_child(f),
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => {
                if let Callee::Pointer(pointer) = callee {
                    f(pointer);
                }
                arguments.iter().for_each(&mut *f);
                if let Some(place) = result {
                    place.for_each_child(f);
                }
            }
            StmtKind::If { condition, .. } => f(condition),
            StmtKind::Loop(l) => l.condition.iter().for_each(f),
            StmtKind::Switch { value, .. } => f(value),
            StmtKind::Return(value) => value.iter().for_each(f),
            StmtKind::Opaque { mentions, .. } => mentions.iter().for_each(f),
            _ => {}
        }
    }

    /// The place that this statement itself writes.
    pub fn written_place(&self) -> Option<&Place> {
        match &self.kind {
            StmtKind::Assign { place, .. } | StmtKind::Zero { place } => Some(place),
            StmtKind::Call { result, .. } => result.as_ref(),
            _ => None,
        }
    }
}

impl Unit {
    /// Calls `f` on every expression of the unit and all parts of it: those of its variables' first values, and those of its functions.
    pub fn walk_expressions<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        for (_, value) in self.globals.iter().flat_map(|global| &global.initial) {
            value.walk(f);
        }
        for body in self
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
        {
            body.walk(&mut |stmt| stmt.for_each_expression(&mut |expr| expr.walk(f)));
        }
    }

    /// Where a function with such a name is first called, by its name.
    pub fn first_call(&self, is_meant: &dyn Fn(&str) -> bool) -> Option<Origin> {
        let bodies = self
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref());
        let mut all = bodies.flat_map(calls);
        let is_one = |call: &Call<'_>| match call.callee {
            Callee::Function(id) => is_meant(&self.function(*id).name),
            _ => false,
        };
        all.find(is_one).map(|call| call.statement.origin)
    }

    /// Where a directive of some kind first stands.
    pub fn directive(&self, is_meant: &dyn Fn(&Directive<Expr>) -> bool) -> Option<Origin> {
        let mut found = None;
        for body in self
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
        {
            body.walk(&mut |stmt| {
                if let StmtKind::Directive { directive, .. } = &stmt.kind
                    && is_meant(directive)
                {
                    found.get_or_insert(stmt.origin);
                }
            });
        }
        found
    }

    /// The functions that are named other than to call them: pointers may lead to them.
    pub fn functions_pointed_to(&self) -> BTreeSet<FunctionRef> {
        let mut found = self.also_named.clone();
        self.walk_expressions(&mut |expr| {
            if let ExprKind::Function(id) = expr.kind {
                found.insert(id);
            }
        });
        found
    }
}

impl Loop {
    /// Calls `f` on the statements directly inside: first part, what precedes the test, body, step; for a `do` the body is before the test.
    pub fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        self.init.iter().for_each(&mut *f);
        if self.kind != LoopKind::Do {
            self.before_test.iter().for_each(&mut *f);
        }
        f(&self.body);
        self.step.iter().for_each(&mut *f);
        if self.kind == LoopKind::Do {
            self.before_test.iter().for_each(f);
        }
    }
}

/// The statements of one function by their numbers.
pub struct Statements<'a> {
    by_number: HashMap<StmtId, (&'a Stmt, Option<StmtId>)>,
}

impl<'a> Statements<'a> {
    /// The statements of `function`. Of two statements with one number (in a broken function) the first is taken.
    pub fn of(function: &'a Function) -> Statements<'a> {
        let mut by_number = HashMap::new();
        if let Some(body) = &function.body {
            collect(body, None, &mut by_number);
        }
        Statements { by_number }
    }

    /// The statement with this number.
    pub fn get(&self, id: StmtId) -> Option<&'a Stmt> {
        self.entry(id).map(|entry| entry.0)
    }

    /// The statement around this one; `None` for the body of the function.
    pub fn parent(&self, id: StmtId) -> Option<StmtId> {
        self.entry(id).and_then(|entry| entry.1)
    }

    /// The statements around this one, innermost first.
    pub fn ancestors(&self, id: StmtId) -> impl Iterator<Item = StmtId> + '_ {
        std::iter::successors(self.parent(id), |outer| self.parent(*outer))
    }

    /// True if the statement `inner` is `outer` or in it.
    pub fn contains(&self, outer: StmtId, inner: StmtId) -> bool {
        outer == inner || self.ancestors(inner).any(|around| around == outer)
    }

    /// The loops around this statement, innermost first.
    pub fn loops_around(&self, id: StmtId) -> impl Iterator<Item = (StmtId, &'a Loop)> + '_ {
        self.ancestors(id)
            .filter_map(|outer| match &self.get(outer)?.kind {
                StmtKind::Loop(l) => Some((outer, &**l)),
                _ => None,
            })
    }

    fn entry(&self, id: StmtId) -> Option<(&'a Stmt, Option<StmtId>)> {
        self.by_number.get(&id).copied()
    }
}

fn collect<'a>(
    statement: &'a Stmt,
    parent: Option<StmtId>,
    into: &mut HashMap<StmtId, (&'a Stmt, Option<StmtId>)>,
) {
    into.entry(statement.id).or_insert((statement, parent));
    statement.for_each_child(&mut |child| collect(child, Some(statement.id), into));
}

impl Place {
    /// Calls `f` on the index expressions of the path, not on a pointer.
    pub fn for_each_index<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        for projection in &self.path {
            if let Projection::Index(index) = projection {
                f(index);
            }
        }
    }
}
