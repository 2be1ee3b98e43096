//! May the loops of a nest run in another order?
//!
//! All dependences between iterations must be known as vectors over the loops of the nest, so that the verdicts of its loops may rest on nothing else: no
//! reductions, copies, conditions or atomic updates. Then an order is legal if no vector can become lexicographically negative. The heads of the loops
//! must mean the same in another order: bounds that the nest does not change, and whose evaluation cannot fail where it did not happen before.

use super::nest::{Nest, NestLoop};
use crate::kernel::{Context, name_of, type_of};
use ferry_analysis::canonical::Canonical;
use ferry_analysis::coalescing::known as numbers;
use ferry_analysis::dependence::{Direction, Outcome};
use ferry_analysis::symbols::Cause;
use ferry_analysis::verdict::Kind;
use ferry_ir::visit::mentioned_variables;
use ferry_ir::{BinaryOp, Expr, ExprKind, PlaceBase, Projection, StmtKind, VariableRef};
use std::collections::BTreeSet;

/// What is known of the order of a nest's iterations.
pub struct Legality {
    /// For each dependence, how far the later iteration is ahead in each loop of the nest; or why the dependences are not known so.
    vectors: Result<Vec<Vec<Direction>>, Cause>,
    /// Why the heads of the loops may not be exchanged, if they may not.
    heads: Result<(), Cause>,
}

impl Legality {
    /// True if a bound of the nest is a sum that is computed first in another order: that it does not overflow where the loop outside has no iteration is
    /// nobody's word.
    pub fn sums(context: Context<'_>, nest: &Nest<'_>) -> bool {
        let bounds = nest
            .loops
            .iter()
            .skip(1)
            .filter_map(|of| of.parts.condition.as_ref());
        let mut sums = bounds.map(|test| {
            let mut found = false;
            test.walk(&mut |inner| {
                found |= matches!(inner.kind, ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, _, _))
            });
            found
        });
        let root = nest
            .loops
            .first()
            .map(|of| &context.facts.values.loops[of.index.0 as usize]);
        let runs = root.is_some_and(|of| {
            of.trip
                .as_ref()
                .is_ok_and(|trip| of.before.facts.prove(&ferry_symbolic::Condition::positive(trip)))
        });
        !runs && sums.any(|sum| sum)
    }

    /// Looks at a nest.
    pub fn of(context: Context<'_>, nest: &Nest<'_>) -> Legality {
        Legality {
            vectors: vectors(context, nest),
            heads: heads(context, nest),
        }
    }

    /// That the loops may run in this order (places in the nest, the outermost first) and the first `together` of them at the same time.
    ///
    /// # Errors
    /// What stands in the way.
    pub fn prove(
        &self,
        context: Context<'_>,
        nest: &Nest<'_>,
        order: &[usize],
        together: usize,
    ) -> Result<(), Cause> {
        let vectors = self.vectors.as_ref().map_err(Clone::clone)?;
        let at = |place: usize| nest.loops[place].stmt.origin;
        if order.windows(2).any(|two| two[0] > two[1]) {
            self.heads.clone()?;
            if let Some(place) = vectors.iter().find_map(|vector| turned_round(vector, order)) {
                let name = loop_name(context, &nest.loops[place]);
                let why = format!(
                    "in that order an iteration would run before another one whose result it needs: {name} carries a dependence backwards"
                );
                return Err(Cause::new(why, at(place)));
            }
        }
        let carried = order
            .iter()
            .take(together)
            .find(|place| vectors.iter().any(|vector| !is_same(vector[**place])));
        match carried {
            Some(place) => {
                let name = loop_name(context, &nest.loops[*place]);
                Err(Cause::new(
                    format!("iterations of {name} depend on one another"),
                    at(*place),
                ))
            }
            None => Ok(()),
        }
    }
}

impl Legality {
    /// Why loops that stand in their order do not run together.
    pub fn against_collapsing(&self, context: Context<'_>, nest: &Nest<'_>, together: usize) -> Cause {
        let order: Vec<usize> = (0..nest.loops.len()).collect();
        let origin = nest.loops[together.saturating_sub(1).min(nest.loops.len() - 1)]
            .stmt
            .origin;
        let proved = self
            .prove(context, nest, &order, together)
            .and_then(|()| self.heads.clone());
        proved
            .err()
            .unwrap_or_else(|| Cause::new("the loops cannot be collapsed", origin))
    }
}

fn loop_name(context: Context<'_>, of: &NestLoop<'_>) -> String {
    match &context.facts.verdicts[of.index.0 as usize].canonical {
        Ok(canonical) => format!("the loop over {}", name_of(context, canonical.variable)),
        Err(_) => "a loop".to_owned(),
    }
}

fn is_same(direction: Direction) -> bool {
    !can_be(direction, 1) && !can_be(direction, -1)
}

fn can_be(direction: Direction, sign: i128) -> bool {
    match direction {
        Direction::Exactly(distance) => i128::from(distance).signum() == sign,
        Direction::Among { .. } => direction.covers(sign),
    }
}

/// The loop in which a vector may come out negative in another order, if one may.
fn turned_round(vector: &[Direction], order: &[usize]) -> Option<usize> {
    for place in order {
        if can_be(vector[*place], -1) {
            return Some(*place);
        }
        if !can_be(vector[*place], 0) {
            return None;
        }
    }
    None
}

/// The vectors of all dependences between iterations of a nest.
fn vectors(context: Context<'_>, nest: &Nest<'_>) -> Result<Vec<Vec<Direction>>, Cause> {
    let mut found: Vec<Vec<Direction>> = Vec::new();
    let depth = nest.loops.len();
    for (place, of) in nest.loops.iter().enumerate() {
        let verdict = &context.facts.verdicts[of.index.0 as usize];
        let refused = |why: &str| Err(Cause::new(why, of.stmt.origin));
        // Pairs that are apart for another reason than where they lie may meet in another order.
        let others = [
            (
                Outcome::Reduction,
                "it sums up, and in another order the sum may round otherwise",
            ),
            (
                Outcome::OverlapTest,
                "whether its arrays overlap would have to be tested first",
            ),
            (
                Outcome::Condition,
                "its iterations are independent only if a condition holds",
            ),
            (Outcome::Rows, "its data lie in rows of a table of pointers"),
            (Outcome::Copies, "its iterations need copies of an array"),
            (Outcome::Atomic, "its iterations meet in updates"),
        ];
        if let Some((_, why)) = others
            .iter()
            .find(|(outcome, _)| verdict.counters.pairs(*outcome) > 0)
        {
            return refused(why);
        }
        if verdict.kind == Kind::ParallelIf || !verdict.conditions.is_empty() || !verdict.disjoint.is_empty()
        {
            return refused("its iterations are independent only if a condition holds");
        }
        if !verdict.assuming.is_empty() {
            return refused("that its iterations are independent rests on the user's word");
        }
        if !verdict.reductions.is_empty() {
            return refused("it sums up, and in another order the sum may round otherwise");
        }
        if !verdict.inductions.is_empty() || !verdict.last_private.is_empty() || !verdict.rows.is_empty() {
            return refused("a value of it counts its iterations, or is used after it");
        }
        let in_memory = verdict.private.iter().find(|variable| {
            !context.unit.types.is_scalar(type_of(context, **variable))
                || context.facts.values.addresses.contains_key(variable)
        });
        if let Some(variable) = in_memory {
            let name = name_of(context, *variable);
            return refused(&format!("its iterations need copies of {name}"));
        }
        if verdict.kind == Kind::Parallel {
            continue;
        }
        if verdict.obstacles.is_empty() {
            return refused("what keeps its iterations in order is not known");
        }
        for obstacle in &verdict.obstacles {
            if obstacle.dependences.is_empty() {
                return Err(obstacle.cause.clone());
            }
            for dependence in &obstacle.dependences {
                if dependence.vector.len() < depth - place {
                    return Err(obstacle.cause.clone());
                }
                let outer = std::iter::repeat_n(Direction::Exactly(0), place);
                let own = dependence.vector.iter().take(depth - place).copied();
                let vector: Vec<Direction> = outer.chain(own).collect();
                if !found.contains(&vector) {
                    found.push(vector);
                }
            }
        }
    }
    Ok(found)
}

/// That the heads mean the same in any order.
fn heads(context: Context<'_>, nest: &Nest<'_>) -> Result<(), Cause> {
    let values = &context.facts.values;
    let Some(root) = nest.loops.first() else {
        return Ok(());
    };
    let own: BTreeSet<VariableRef> = nest.loops.iter().filter_map(|of| variable(context, of)).collect();
    let root_facts = &values.loops[root.index.0 as usize];
    let root_runs = root_facts.trip.as_ref().is_ok_and(|trip| {
        let before = &root_facts.before.facts;
        before.prove(&ferry_symbolic::Condition::positive(&numbers(
            values, before, trip,
        )))
    });
    // What the first head follows may be followed by all: it is evaluated first in any case.
    let mut followed = BTreeSet::new();
    for part in root.parts.condition.iter() {
        pointers(part, &mut followed);
    }
    for of in &nest.loops {
        let facts = &values.loops[of.index.0 as usize];
        let verdict = &context.facts.verdicts[of.index.0 as usize];
        let refused = |why: String| Err(Cause::new(why, of.stmt.origin));
        let canonical = verdict.canonical.as_ref().map_err(Clone::clone)?;
        let name = name_of(context, canonical.variable);
        let fixed = |expr: &ferry_symbolic::Expr| values.symbols.invariant_in(expr, root.stmt.id);
        let trip = facts.trip.as_ref().map_err(Clone::clone)?;
        if !fixed(trip)
            || facts
                .inductions
                .iter()
                .any(|one| !fixed(&one.start) || !fixed(&one.step))
        {
            return refused(format!(
                "the bounds of {name} depend on a loop around it, or change"
            ));
        }
        if !facts.early_exits.is_empty() {
            return refused(format!("the loop over {name} may be left early"));
        }
        if !facts.opaque.is_empty() {
            return refused(format!("the loop over {name} holds code that was not understood"));
        }
        let live = context
            .facts
            .scalars
            .get(&of.stmt.id)
            .is_none_or(|scalars| scalars.live_after.contains(&canonical.variable));
        if live && !canonical.declared_inside {
            return refused(format!("{name} is used after the loop"));
        }
        if context
            .unit
            .types
            .pointee(type_of(context, canonical.variable))
            .is_some()
        {
            return refused(format!("{name} is a pointer"));
        }
        if own.len() < nest.loops.len() {
            return refused("two loops have one variable".to_owned());
        }
        let mut mentioned = BTreeSet::new();
        for part in of.parts.init.iter().chain(&of.parts.step) {
            mentioned.extend(mentioned_variables(part));
            if !matches!(
                part.kind,
                StmtKind::Assign { .. } | StmtKind::Declare { .. } | StmtKind::Block { .. } | StmtKind::Empty
            ) {
                return refused(format!("the head of the loop over {name} does more than count"));
            }
        }
        let mut safe = true;
        let mut ask = |expr: &Expr| safe &= cannot_fail(expr, &followed);
        of.parts.condition.iter().for_each(&mut ask);
        for part in of.parts.init.iter().chain(&of.parts.step) {
            part.walk(&mut |stmt| stmt.for_each_expression(&mut ask));
        }
        if !safe {
            return refused(format!(
                "evaluating the bounds of {name} could fail where it did not happen before"
            ));
        }
        if let Some(test) = &of.parts.condition {
            ferry_ir::visit::expression_variables(test, &mut mentioned);
        }
        mentioned.remove(&canonical.variable);
        // A name in a head must mean the same in another place.
        let hidden = mentioned.iter().find(|variable| {
            let name = name_of(context, **variable);
            own.iter()
                .any(|other| other != *variable && name_of(context, *other) == name)
        });
        if let Some(hidden) = hidden {
            let hidden = name_of(context, *hidden);
            return refused(format!(
                "the bounds of {name} are written with a {hidden} that another loop's variable hides"
            ));
        }
        if let Some(other) = mentioned.iter().find(|variable| own.contains(variable)) {
            let other = name_of(context, *other);
            return refused(format!("the bounds of {name} are written with {other}"));
        }
        // Where the first loop has no iteration, the others were not begun.
        let runs = root_runs || of.index == root.index;
        if !runs && let Some(why) = may_not_end(context, of, canonical, &name) {
            return refused(why);
        }
        if of.parts.spans.is_none() {
            return refused(format!("the head of the loop over {name} comes out of a macro"));
        }
    }
    Ok(())
}

/// Why a loop, begun with any values of its variables, may not come to an end, or its bounds not be computed. Bounds are constants, or variables with
/// a constant added or subtracted: that these sums do not overflow is listed as an assumption ([`Legality::sums`]).
fn may_not_end(context: Context<'_>, of: &NestLoop<'_>, canonical: &Canonical, name: &str) -> Option<String> {
    let types = &context.unit.types;
    let test = of.parts.condition.as_ref()?;
    let ExprKind::Binary(comparison, left, right) = &test.kind else {
        return Some(format!("whether the loop over {name} ends is not known"));
    };
    let is_counter = |side: &Expr| mentions(side, canonical.variable);
    let (counter, bound, comparison) = match (is_counter(left), is_counter(right)) {
        (true, false) => (left, right, *comparison),
        (false, true) => (right, left, turned(*comparison)),
        _ => return Some(format!("whether the loop over {name} ends is not known")),
    };
    let own = types.size(type_of(context, canonical.variable));
    // Neither side may be widened before it is compared: a narrow counter never reaches a wide bound.
    let narrow =
        types.size(counter.ty) != own || types.size(bound.ty) != own || own.is_none_or(|bytes| bytes < 4);
    let constant = |expr: &Expr| uncast(expr).as_int().is_some();
    if constant(bound) && constant(&canonical.lower) && of_constants(context, of) {
        return None;
    }
    let (sum, lower) = (summand(bound), summand(&canonical.lower));
    let why = || {
        Some(format!(
            "the loop over {name} would be begun where {name} may never reach its bound, or the bound overflows"
        ))
    };
    if narrow || lower.is_none() {
        return why();
    }
    match (comparison, canonical.step, sum) {
        (BinaryOp::Lt, Some(1), Some(_)) | (BinaryOp::Gt, Some(-1), Some(_)) => None,
        // One below the greatest number at least.
        (BinaryOp::Le, Some(1), Some(added)) if added < 0 => None,
        (BinaryOp::Ge, Some(-1), Some(added)) if added > 0 => None,
        (BinaryOp::Le, Some(1), Some(_)) | (BinaryOp::Ge, Some(-1), Some(_)) if constant(bound) => None,
        _ => why(),
    }
}

/// Its trip count is a number.
fn of_constants(context: Context<'_>, of: &NestLoop<'_>) -> bool {
    let facts = &context.facts.values.loops[of.index.0 as usize];
    facts.trip.as_ref().is_ok_and(|trip| {
        numbers(&context.facts.values, &facts.before.facts, trip)
            .as_constant()
            .is_some()
    })
}

fn turned(comparison: BinaryOp) -> BinaryOp {
    match comparison {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

fn mentions(expr: &Expr, variable: VariableRef) -> bool {
    let mut found = BTreeSet::new();
    ferry_ir::visit::expression_variables(expr, &mut found);
    found.contains(&variable)
}

fn uncast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => uncast(inner),
        _ => expr,
    }
}

/// The constant that is added in a constant, a variable, or a variable with a constant added or subtracted; `None` for anything else.
fn summand(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Load(_) => Some(0),
        ExprKind::Binary(BinaryOp::Add, a, b) if matches!(a.kind, ExprKind::Load(_)) => b.as_int(),
        ExprKind::Binary(BinaryOp::Sub, a, b) if matches!(a.kind, ExprKind::Load(_)) => {
            b.as_int().map(|value| -value)
        }
        _ => None,
    }
}

fn variable(context: Context<'_>, of: &NestLoop<'_>) -> Option<VariableRef> {
    let canonical = context.facts.verdicts[of.index.0 as usize]
        .canonical
        .as_ref()
        .ok()?;
    Some(canonical.variable)
}

/// The pointer variables that an expression follows whenever it is evaluated.
fn pointers(expr: &Expr, found: &mut BTreeSet<VariableRef>) {
    match &expr.kind {
        ExprKind::Load(place) => {
            if let PlaceBase::Deref(pointer) = &place.base
                && let ExprKind::Load(inner) = &pointer.kind
            {
                found.extend(inner.as_variable());
            }
        }
        ExprKind::Binary(_, a, b) => {
            pointers(a, found);
            pointers(b, found);
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => pointers(a, found),
        _ => {}
    }
}

/// True if evaluating an expression has a value wherever the pointers in `followed` point to an object.
fn cannot_fail(expr: &Expr, followed: &BTreeSet<VariableRef>) -> bool {
    let mut safe = true;
    expr.walk(&mut |inner| {
        safe &= match &inner.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                let indexed = place.path.iter().any(|step| matches!(step, Projection::Index(_)));
                let base = match &place.base {
                    PlaceBase::Variable(_) => true,
                    PlaceBase::Deref(pointer) => match &pointer.kind {
                        ExprKind::Load(inner) => inner
                            .as_variable()
                            .is_some_and(|variable| followed.contains(&variable)),
                        _ => false,
                    },
                };
                !indexed && base
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr, _, by) => {
                by.as_int().is_some_and(|by| by > 0 && by < 32)
                    || matches!(inner.kind, ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, _))
                        && by.as_int().is_some_and(|by| by > 0)
            }
            ExprKind::Opaque { .. } => false,
            _ => true,
        };
    });
    safe
}
