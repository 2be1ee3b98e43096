//! Which iterations race only where data let them come to what they change: `if (a[i] > m) m = a[i];` with a shared `m`?
//!
//! Whether two iterations come there is in no text, but in the data: it is so for some, unless the condition is such that it holds once (`i == k`). So what is
//! found here is likely, not certain. It is said of updates (`if (a[i]) c++`), of a variable that the condition itself reads, of one that is set and read again
//! under the same condition (`if (a[i]) { t = b[i]; c[i] = t; }`), of what is set beside a minimum or maximum, and of elements that other iterations read without a condition.
//!
//! What it cannot do: variables that are only set (`if (a[i] == key) found = i`), since the data may let one iteration do that; conditions on the number of the
//! iteration or on what the loop does not change; `switch`, and statements behind labels; what a called function changes (`testpoint()`, which counts).

use super::nest::Way;
use super::sharing::{self, Sharing};
use super::{Check, One, at, loop_variables, may_run_in_two, nest, scratch, writes};
use crate::access::Access;
use crate::dependence::Tested;
use crate::scalar::{assigned_variables, expr_mentions};
use crate::shape::any;
use ferry_directive::{Directive, Language};
use ferry_ir::visit::expression_variables;
use ferry_ir::{
    BinaryOp, Callee, Expr as Code, ExprKind, LogicalOp, Stmt, StmtId, StmtKind, UnaryOp, VariableKind,
    VariableRef,
};
use ferry_source::{Finding, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// What lies between a loop and a statement in it.
type Around<'a> = BTreeMap<StmtId, Vec<&'a Directive<Code>>>;

impl Check<'_> {
    /// What is wrong if two iterations come to it: the first that is found. Loops inside of the outer one that belong to it are walked with it.
    pub(super) fn under_conditions(
        &self,
        outer: &One<'_>,
        loops: &[One<'_>],
        sharing: &Sharing<'_>,
        inside: &Around<'_>,
    ) -> Option<Finding> {
        if !outer.may_run_twice() {
            return None;
        }
        self.scalars_under_conditions(outer, loops, sharing, inside)
            .or_else(|| self.memory_under_conditions(outer, sharing, inside))
    }

    fn scalars_under_conditions(
        &self,
        one: &One<'_>,
        loops: &[One<'_>],
        sharing: &Sharing<'_>,
        inside: &Around<'_>,
    ) -> Option<Finding> {
        let own = loop_variables(loops);
        let compared = self.compared_by_clauses();
        let named = self.named_on_data();
        let counters = nest::counters_inside(one.stmt);
        let is_meant = |variable: &&VariableRef| {
            !own.contains(variable)
                && !one.scalars.declared.contains(variable)
                && sharing.variable(**variable)
                // Lanes that set it before they read it leave the last value.
                && (self.nest.way() != Way::Lanes || one.scalars.exposed.contains(variable))
                && (self.nest.directive.language == Language::OpenMp || named.contains(variable))
        };
        for variable in one.scalars.assigned.iter().filter(is_meant) {
            let (is_named, qualifiers, ty) = match *variable {
                VariableRef::Local(id) => {
                    let local = self.function.local(id);
                    let is_named = matches!(local.kind, VariableKind::Local | VariableKind::Parameter);
                    (is_named, &local.qualifiers, local.ty)
                }
                VariableRef::Global(id) => {
                    let global = self.unit.global(id);
                    (true, &global.qualifiers, global.ty)
                }
            };
            if !is_named || qualifiers.volatile || !self.unit.types.is_scalar(ty) {
                continue;
            }
            let name = self.name(*variable);
            let stores = writes(one.stmt, *variable);
            if stores
                .iter()
                .any(|store| is_apart(inside, &counters, store.id, *variable))
            {
                continue;
            }
            for store in &stores {
                let StmtKind::Assign { value, .. } = &store.kind else {
                    continue;
                };
                let Some(conditions) = self.conditions(one, sharing, store.id) else {
                    continue;
                };
                let asked = |variable| {
                    conditions
                        .iter()
                        .any(|condition| expr_mentions(condition, variable))
                };
                let message = if self.reads(one, value, *variable) {
                    format!("iterations read and set {name} where data let them, and it is shared")
                } else if asked(*variable) && !self.is_one_value(one, &stores) {
                    format!("iterations compare {name} with their values and set it, and it is shared")
                } else if compared.iter().any(|extreme| asked(*extreme))
                    && self.nest.way() == Way::Threads
                    && !self.is_one_value(one, &stores)
                {
                    format!(
                        "iterations set {name} where they find a new minimum or maximum, each thread one of its own, and {name} is shared"
                    )
                } else if scratch::is_read_behind(one.stmt, store.id, *variable)
                    && self.nest.way() == Way::Threads
                    && !self.is_one_value(one, &stores)
                {
                    format!("iterations set {name} and read it again where data let them, and it is shared")
                } else {
                    continue;
                };
                return Some(self.likely(&message, store.origin, &format!("{name} is set here"), None));
            }
        }
        None
    }

    /// True if a value is made from a variable, also through one without a name: `c++` within an expression.
    fn reads(&self, one: &One<'_>, value: &Code, variable: VariableRef) -> bool {
        let mut mentioned = BTreeSet::new();
        expression_variables(value, &mut mentioned);
        let made = mentioned.iter().filter(
            |inner| matches!(inner, VariableRef::Local(id) if self.function.local(*id).kind.is_made()),
        );
        let mut stores = made.flat_map(|inner| writes(one.stmt, *inner));
        mentioned.contains(&variable)
            || stores.any(
                |store| matches!(&store.kind, StmtKind::Assign { value, .. } if expr_mentions(value, variable)),
            )
    }

    /// Updates of one element under a condition, and elements that are written under one and read by other iterations without one.
    fn memory_under_conditions(
        &self,
        one: &One<'_>,
        sharing: &Sharing<'_>,
        inside: &Around<'_>,
    ) -> Option<Finding> {
        let values = &self.facts.values;
        let is_meant = |access: &&Access| {
            access.loops.contains(&one.index)
                && access.irregular.is_empty()
                && access
                    .address
                    .as_ref()
                    .is_some_and(|address| sharing.value(address))
                && !self.is_excused(one, sharing, inside, access)
        };
        let all: Vec<&Access> = values.accesses.iter().filter(is_meant).collect();
        let is_always = |access: &Access| access.conditional_depth <= one.facts.depth;
        let mut tested = Tested::new(&values.symbols, one.facts.stmt, one.facts.counter);
        for write in all
            .iter()
            .filter(|access| access.is_write() && !is_always(access))
        {
            if self.conditions(one, sharing, write.stmt).is_none() {
                continue;
            }
            for other in all.iter().filter(|other| other.root == write.root) {
                let updates = other.stmt == write.stmt
                    && !other.is_write()
                    && other.order < write.order
                    && other.address == write.address
                    && other.size == write.size;
                if updates && self.repeats(one, write) {
                    let message = "iterations update one element where data let them";
                    return Some(self.likely(message, write.origin, "updated here", None));
                }
                let mut unknown = false;
                if is_always(other)
                    && self
                        .dependence(one, [write, other], &mut tested, &mut unknown)
                        .is_some()
                    && !self.is_one_value(one, &at(one.stmt, write.stmt))
                {
                    let message = "an iteration touches what another one writes where data let it";
                    let second = (other.origin, "and touched here".to_owned());
                    return Some(self.likely(message, write.origin, "written here", Some(second)));
                }
            }
        }
        None
    }

    fn likely(&self, message: &str, at: Origin, what: &str, other: Option<(Origin, String)>) -> Finding {
        self.of_directive(message, at, what, other)
            .note("whenever two iterations come there, which data decide")
    }

    /// The variables that clauses of the directive make a minimum or maximum of.
    fn compared_by_clauses(&self) -> BTreeSet<VariableRef> {
        let all = self.nest.directive.reductions();
        let of_extremes = all
            .into_iter()
            .filter(|one| ["max", "min"].contains(&one.operator));
        of_extremes
            .filter_map(|one| one.object?.base.as_variable())
            .collect()
    }

    /// The conditions between a loop and a statement in it; `None` if one of them may hold in one iteration, or in none, or is not known.
    fn conditions<'s>(&self, one: &One<'s>, sharing: &Sharing<'_>, id: StmtId) -> Option<Vec<&'s Code>> {
        let StmtKind::Loop(inner) = &one.stmt.kind else {
            return None;
        };
        let mut found = Vec::new();
        let is_there = path(&inner.body, id, &mut found)?;
        let mut all = found.iter();
        let again = all.all(|(condition, holds)| self.may_hold_again(one, sharing, condition, *holds));
        (is_there && again && !self.is_entered_once(one, &inner.body, id))
            .then(|| found.into_iter().map(|(condition, _)| condition).collect())
    }

    /// True if a loop around a statement runs in one iteration at most of the one that is looked at, as its bounds say.
    fn is_entered_once(&self, one: &One<'_>, body: &Stmt, id: StmtId) -> bool {
        any(body, &mut |stmt| {
            let facts = || self.facts.values.loops.iter().find(|of| of.stmt == stmt.id);
            matches!(stmt.kind, StmtKind::Loop(_))
                && any(stmt, &mut |inner| inner.id == id)
                && facts().is_some_and(|facts| facts.trip.is_ok() && !may_run_in_two(one.facts, facts))
        })
    }

    /// True for a condition on data, or on a variable that iterations share and set, in all of its parts. The number of the iteration may fit once, that of the
    /// thread too, and what the loop does not change may never hold.
    /// Of `a || b` that has to hold, and of `a && b` that must not, one part is enough.
    fn may_hold_again(
        &self,
        one: &One<'_>,
        sharing: &Sharing<'_>,
        condition: &Code,
        holds: Option<bool>,
    ) -> bool {
        let part = |part: &Code, holds| self.may_hold_again(one, sharing, part, holds);
        match &condition.kind {
            ExprKind::Logical(operator, left, right) => {
                let enough = Some(*operator == LogicalOp::Or);
                match holds == enough {
                    true => part(left, holds) || part(right, holds),
                    false => part(left, holds) && part(right, holds),
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => part(inner, holds.map(|holds| !holds)),
            ExprKind::Cast(inner) => part(inner, holds),
            // A condition as a value: `(a && b) != 0`.
            ExprKind::Binary(operator @ (BinaryOp::Eq | BinaryOp::Ne), left, right)
                if right.as_int() == Some(0) && is_condition(left) =>
            {
                part(left, holds.map(|holds| holds == (*operator == BinaryOp::Ne)))
            }
            _ => self.is_on_data(one, condition, 0) || self.is_on_shared(one, sharing, condition),
        }
    }

    /// True for a value out of memory, or out of a function, that goes by the iteration, but not by its number alone.
    fn is_on_data(&self, one: &One<'_>, value: &Code, depth: u32) -> bool {
        let changes = |load: &Code| {
            let mut mentioned = BTreeSet::new();
            expression_variables(load, &mut mentioned);
            !mentioned.is_disjoint(&one.scalars.assigned)
        };
        let mut found = false;
        value.walk(&mut |inner| {
            let ExprKind::Load(place) = &inner.kind else {
                return;
            };
            found |= match place.as_variable() {
                None => changes(inner),
                Some(variable) => depth < 4 && self.is_set_from_data(one, variable, depth),
            };
        });
        found
    }

    /// True for a variable that the iteration sets from data, wherever it sets it.
    fn is_set_from_data(&self, one: &One<'_>, variable: VariableRef, depth: u32) -> bool {
        let stores = writes(one.stmt, variable);
        !stores.is_empty()
            && stores.iter().all(|store| match &store.kind {
                StmtKind::Assign { value, .. } => {
                    !expr_mentions(value, variable) && self.is_on_data(one, value, depth + 1)
                }
                StmtKind::Call {
                    callee: Callee::Function(id),
                    arguments,
                    ..
                } => {
                    // Which thread it is, the run time says.
                    let name = &self.unit.function(*id).name;
                    !arguments.is_empty() && !name.starts_with("omp_") && !name.starts_with("acc_")
                }
                _ => false,
            })
    }

    /// True for a condition on a variable that all iterations share, and some set.
    fn is_on_shared(&self, one: &One<'_>, sharing: &Sharing<'_>, condition: &Code) -> bool {
        let mut mentioned = BTreeSet::new();
        expression_variables(condition, &mut mentioned);
        let mut counters = BTreeSet::new();
        if let StmtKind::Loop(inner) = &one.stmt.kind {
            for part in inner.init.iter().chain(&inner.step) {
                assigned_variables(part, &mut counters);
            }
        }
        let changes = |variable: &VariableRef| {
            one.scalars.assigned.contains(variable)
                && sharing.variable(*variable)
                && !counters.contains(variable)
        };
        mentioned.iter().any(changes)
    }
}

/// True for a comparison, and what is made of several.
fn is_condition(value: &Code) -> bool {
    match &value.kind {
        ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(operator, ..) => operator.is_comparison(),
        _ => false,
    }
}

/// True if a directive inside of the loop keeps a statement apart from other iterations, or gives each thread its own of a variable, as the counters of a loop are its own.
pub(super) fn is_apart(
    inside: &Around<'_>,
    counters: &BTreeMap<StmtId, BTreeSet<VariableRef>>,
    id: StmtId,
    variable: VariableRef,
) -> bool {
    let chain = inside.get(&id).map(Vec::as_slice).unwrap_or_default();
    counters.get(&id).is_some_and(|own| own.contains(&variable))
        || chain
            .iter()
            .any(|directive| nest::keeps_apart(directive) || sharing::has_own(directive, variable))
}

/// Collects the conditions that decide whether a statement is reached, those of ways out of the iteration before it included. `Some(true)` if it is in here,
/// `None` if it is not known what decides. With each of them whether it has to hold, if only that decides.
fn path<'s>(stmt: &'s Stmt, id: StmtId, found: &mut Vec<(&'s Code, Option<bool>)>) -> Option<bool> {
    if stmt.id == id {
        return Some(true);
    }
    match &stmt.kind {
        StmtKind::Block { body, .. } => {
            for child in body {
                if path(child, id, found)? {
                    return Some(true);
                }
            }
            Some(false)
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            let before = found.len();
            found.push((condition, Some(true)));
            if path(then, id, found)? {
                return Some(true);
            }
            found[before].1 = Some(false);
            if let Some(otherwise) = otherwise
                && path(otherwise, id, found)?
            {
                return Some(true);
            }
            found[before].1 = None;
            let leaves = |inner: &Stmt| matches!(inner.kind, StmtKind::Continue | StmtKind::Break);
            if !any(stmt, &mut |inner| leaves(inner)) {
                found.truncate(before);
            }
            Some(false)
        }
        StmtKind::Loop(inner) if inner.init.iter().any(|part| part.id == id) => Some(true),
        StmtKind::Loop(inner) => path(&inner.body, id, found),
        StmtKind::Directive { body: Some(body), .. } => path(body, id, found),
        StmtKind::Switch { .. } | StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. } => None,
        _ => Some(false),
    }
}
