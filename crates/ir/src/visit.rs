//! Which parts does a program have, and in which order does it touch memory? The walks that all analyses share.
//!
//! Accesses come in the order of evaluation that `SPECIFICATION.md` fixes, each with the conditions inside the same statement
//! under which it happens (`&&`, `||`, `?:`). Two things are not accesses here: the clause expressions of directives, which the
//! sequential program never evaluates, and the extents that subscripts of variable-length arrays multiply by, which never change.

use crate::{
    Callee, Expr, ExprKind, Function, Loop, LoopKind, Place, PlaceBase, Stmt, StmtId, StmtKind, VariableRef,
};
use crate::{LogicalOp, Projection};
use ferry_directive::{Arguments, Directive, Item, Modifier, Subscript};
use std::collections::{BTreeSet, HashMap};

/// What happens to a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// Its value is read.
    Load,
    /// A value is written to it.
    Store,
    /// All its bytes become 0.
    Zero,
    /// Its address is computed; no memory is touched.
    Address,
    /// It is mentioned in an opaque expression: it may be read there.
    MayRead,
    /// It is mentioned in an opaque statement: it may be read and written there.
    MayTouch,
}

impl AccessKind {
    /// True if memory is written, or may be.
    pub fn writes(self) -> bool {
        matches!(self, AccessKind::Store | AccessKind::Zero | AccessKind::MayTouch)
    }

    /// True if memory is read, or may be.
    pub fn reads(self) -> bool {
        matches!(
            self,
            AccessKind::Load | AccessKind::MayRead | AccessKind::MayTouch
        )
    }
}

/// A condition inside a statement under which a part of it is evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guard<'a> {
    /// The left side of `&&` or `||`, or the condition of `?:`.
    pub condition: &'a Expr,
    /// Whether it has to be true (not 0) or false (0).
    pub holds: bool,
}

/// One place that is touched, with how, and under which guards (outermost first).
pub type AccessVisitor<'v, 'a> = &'v mut dyn FnMut(&'a Place, AccessKind, &[Guard<'a>]);

/// The same with the statement to which the access belongs.
pub type StatementAccessVisitor<'v, 'a> = &'v mut dyn FnMut(&'a Stmt, &'a Place, AccessKind, &[Guard<'a>]);

/// The accesses of evaluating `expr`.
pub fn expression_accesses<'a>(expr: &'a Expr, f: AccessVisitor<'_, 'a>) {
    AccessWalk {
        guards: Vec::new(),
        inside: None,
        f,
    }
    .expression(expr);
}

/// The accesses of finding out where `place` is: those of its pointer and its indices, not of the place itself.
pub fn place_accesses<'a>(place: &'a Place, f: AccessVisitor<'_, 'a>) {
    AccessWalk {
        guards: Vec::new(),
        inside: None,
        f,
    }
    .address(place);
}

/// The accesses of the statement itself: for statements with parts, only of the condition or value that it tests (those of
/// the parts belong to them). What a callee does is not in them. A loop's condition is touched once per test.
pub fn statement_accesses<'a>(statement: &'a Stmt, f: AccessVisitor<'_, 'a>) {
    let mut walk = AccessWalk {
        guards: Vec::new(),
        inside: None,
        f,
    };
    match &statement.kind {
        StmtKind::Assign { place, value } => {
            walk.expression(value);
            walk.address(place);
            (walk.f)(place, AccessKind::Store, &[]);
        }
        StmtKind::Zero { place } => {
            walk.address(place);
            (walk.f)(place, AccessKind::Zero, &[]);
        }
        StmtKind::Call {
            result,
            callee,
            arguments,
        } => {
            if let Callee::Pointer(pointer) = callee {
                walk.expression(pointer);
            }
            for argument in arguments {
                walk.expression(argument);
            }
            if let Some(place) = result {
                walk.address(place);
                (walk.f)(place, AccessKind::Store, &[]);
            }
        }
        StmtKind::If { condition, .. } => walk.expression(condition),
        StmtKind::Loop(l) => l
            .condition
            .iter()
            .for_each(|condition| walk.expression(condition)),
        StmtKind::Switch { value, .. } => walk.expression(value),
        StmtKind::Return(value) => value.iter().for_each(|value| walk.expression(value)),
        StmtKind::Opaque { mentions, .. } => {
            walk.inside = Some(AccessKind::MayTouch);
            mentions.iter().for_each(|mention| walk.expression(mention));
        }
        StmtKind::Declare { .. }
        | StmtKind::Block { .. }
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Directive { .. }
        | StmtKind::Empty => {}
    }
}

/// The accesses of the statement and of everything in it, in text order of the statements, each with the statement it belongs to.
pub fn all_accesses<'a>(statement: &'a Stmt, f: StatementAccessVisitor<'_, 'a>) {
    statement.walk(&mut |inner| {
        statement_accesses(inner, &mut |place, kind, guards| f(inner, place, kind, guards));
    });
}

/// A walk over an expression that knows under which conditions it is.
struct AccessWalk<'v, 'a> {
    guards: Vec<Guard<'a>>,
    /// Set inside an opaque node: what may happen to the places there.
    inside: Option<AccessKind>,
    f: AccessVisitor<'v, 'a>,
}

impl<'a> AccessWalk<'_, 'a> {
    fn touch(&mut self, place: &'a Place, kind: AccessKind) {
        self.address(place);
        (self.f)(place, self.inside.unwrap_or(kind), &self.guards);
    }

    fn address(&mut self, place: &'a Place) {
        place.for_each_child(&mut |child| self.expression(child));
    }

    fn guarded(&mut self, condition: &'a Expr, holds: bool, part: &'a Expr) {
        self.guards.push(Guard { condition, holds });
        self.expression(part);
        self.guards.pop();
    }

    fn expression(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Load(place) => self.touch(place, AccessKind::Load),
            ExprKind::AddressOf(place) => self.touch(place, AccessKind::Address),
            ExprKind::Logical(op, a, b) => {
                self.expression(a);
                self.guarded(a, *op == LogicalOp::And, b);
            }
            ExprKind::Select(c, a, b) => {
                self.expression(c);
                self.guarded(c, true, a);
                self.guarded(c, false, b);
            }
            ExprKind::Opaque { mentions, .. } => {
                let outside = self.inside;
                self.inside = Some(outside.unwrap_or(AccessKind::MayRead));
                for mention in mentions {
                    self.expression(mention);
                }
                self.inside = outside;
            }
            _ => expr.for_each_child(&mut |child| self.expression(child)),
        }
    }
}

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

    /// Calls `f` on this statement and everything below it, parents first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Stmt)) {
        f(self);
        self.for_each_child(&mut |child| child.walk(f));
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

/// Calls `f` on the expressions in a directive's arguments and clauses, in text order.
pub fn directive_expressions<'a>(directive: &'a Directive<Expr>, f: &mut dyn FnMut(&'a Expr)) {
    let arguments = directive.arguments.iter();
    for arguments in arguments.chain(
        directive
            .clauses
            .iter()
            .filter_map(|clause| clause.arguments.as_ref()),
    ) {
        argument_expressions(arguments, f);
    }
}

fn argument_expressions<'a>(arguments: &'a Arguments<Expr>, f: &mut dyn FnMut(&'a Expr)) {
    arguments
        .modifiers
        .iter()
        .for_each(|modifier| modifier_expressions(modifier, f));
    for item in &arguments.items {
        match item {
            Item::Object(object) => {
                object.shape.iter().for_each(&mut *f);
                f(&object.base);
                for subscript in &object.subscripts {
                    match subscript {
                        Subscript::Index(index) => f(index),
                        Subscript::Section {
                            lower,
                            length,
                            stride,
                        } => {
                            [lower, length, stride].into_iter().flatten().for_each(&mut *f);
                        }
                    }
                }
            }
            Item::Value(value) => f(value),
            Item::Named { value, .. } => value.iter().for_each(&mut *f),
            Item::Word(_) | Item::Raw(_) => {}
        }
    }
    arguments
        .trailing
        .iter()
        .for_each(|modifier| modifier_expressions(modifier, f));
}

fn modifier_expressions<'a>(modifier: &'a Modifier<Expr>, f: &mut dyn FnMut(&'a Expr)) {
    match modifier {
        Modifier::Named { value, .. } | Modifier::Value(value) => f(value),
        Modifier::Iterator(iterators) => {
            for iterator in iterators {
                f(&iterator.begin);
                f(&iterator.end);
                iterator.step.iter().for_each(&mut *f);
            }
        }
        Modifier::Word(_) | Modifier::Mapper(_) | Modifier::Raw(_) => {}
    }
}

/// The variables that a statement and everything in it may write directly, as a whole or in part, not through pointers or in callees.
/// A declaration writes (the value becomes indeterminate); so may an opaque statement write what it mentions.
pub fn assigned_variables(statement: &Stmt) -> BTreeSet<VariableRef> {
    let mut assigned = BTreeSet::new();
    statement.walk(&mut |inner| {
        if let StmtKind::Declare { local } = inner.kind {
            assigned.insert(VariableRef::Local(local));
        }
    });
    all_accesses(statement, &mut |_, place, kind, _| {
        if let (PlaceBase::Variable(variable), true) = (&place.base, kind.writes()) {
            assigned.insert(*variable);
        }
    });
    assigned
}

/// The variables whose name occurs in a statement or anything in it: read, written, with their address taken, declared, or in a clause.
pub fn mentioned_variables(statement: &Stmt) -> BTreeSet<VariableRef> {
    let mut mentioned = BTreeSet::new();
    statement.walk(&mut |inner| {
        match &inner.kind {
            StmtKind::Declare { local } => {
                mentioned.insert(VariableRef::Local(*local));
            }
            StmtKind::Directive { directive, .. } => {
                directive_expressions(directive, &mut |expr| expression_variables(expr, &mut mentioned));
            }
            _ => {}
        }
        if let Some(Place {
            base: PlaceBase::Variable(variable),
            ..
        }) = inner.written_place()
        {
            mentioned.insert(*variable);
        }
        inner.for_each_expression(&mut |expr| expression_variables(expr, &mut mentioned));
    });
    mentioned
}

/// Adds the variables whose name occurs in `expr` to `into`.
pub fn expression_variables(expr: &Expr, into: &mut BTreeSet<VariableRef>) {
    expr.walk(&mut |inner| {
        if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind
            && let PlaceBase::Variable(variable) = place.base
        {
            into.insert(variable);
        }
    });
}

/// A call: the statement, who is called, with what.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Call<'a> {
    /// The call statement.
    pub statement: &'a Stmt,
    /// Who is called.
    pub callee: &'a Callee,
    /// The arguments.
    pub arguments: &'a [Expr],
}

/// All calls in a statement and everything in it, in the order of [`Stmt::walk`].
pub fn calls(statement: &Stmt) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    statement.walk(&mut |inner| {
        if let StmtKind::Call {
            callee, arguments, ..
        } = &inner.kind
        {
            calls.push(Call {
                statement: inner,
                callee,
                arguments,
            });
        }
    });
    calls
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
