//! May the loops of a nest run in another order?
//!
//! All dependences between iterations must be known as vectors over the loops of the nest, so that the verdicts of its loops may rest on nothing else: no
//! reductions, copies, conditions or atomic updates. Then an order is legal if no vector can become lexicographically negative, and the heads of the loops
//! mean the same in it (`heads`).

use super::heads;
use super::nest::{Nest, NestLoop};
use crate::kernel::{Context, name_of, type_of};
use ferry_analysis::dependence::{Direction, Outcome};
use ferry_analysis::symbols::Cause;
use ferry_analysis::verdict::Kind;

/// What is known of the order of a nest's iterations.
pub struct Legality {
    /// For each dependence, how far the later iteration is ahead in each loop of the nest; or why the dependences are not known so.
    vectors: Result<Vec<Vec<Direction>>, Cause>,
    /// Why the heads of the loops may not be exchanged, if they may not.
    heads: Result<(), Cause>,
}

impl Legality {
    /// Looks at a nest.
    pub fn of(context: Context<'_>, nest: &Nest<'_>) -> Legality {
        Legality {
            vectors: vectors(context, nest),
            heads: heads::mean_the_same(context, nest),
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
    match of.canonical(context) {
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
        rests_on_nothing_else(context, of)?;
        if !verdict.reductions.is_empty() {
            return refused("it sums up, and in another order the sum may round otherwise");
        }
        if !verdict.inductions.is_empty() || !verdict.last_private.is_empty() {
            return refused("a value of it counts its iterations, or is used after it");
        }
        if verdict.kind == Kind::Parallel && verdict.is_free() {
            continue;
        }
        known(context, of)?;
        // Nothing is combined in another order than the program's: a sum may round otherwise then.
        for obstacle in verdict.uncombined() {
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

/// That what is known of a loop's dependences rests on where its accesses lie, and on nothing else.
pub(super) fn rests_on_nothing_else(context: Context<'_>, of: &NestLoop<'_>) -> Result<(), Cause> {
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
        (Outcome::Copies, "its iterations need copies of an object"),
        (Outcome::Atomic, "its iterations meet in updates"),
    ];
    if let Some((_, why)) = others
        .iter()
        .find(|(outcome, _)| verdict.counters.pairs(*outcome) > 0)
    {
        return refused(why);
    }
    if verdict.kind == Kind::ParallelIf || !verdict.conditions.is_empty() || !verdict.disjoint.is_empty() {
        return refused("its iterations are independent only if a condition holds");
    }
    if !verdict.assuming.is_empty() {
        return refused("that its iterations are independent rests on the user's word");
    }
    if !verdict.rows.is_empty() {
        return refused("its data lie in rows of a table of pointers");
    }
    let in_memory = verdict.private.iter().find(|variable| {
        !context.unit.types.is_scalar(type_of(context, **variable))
            || context.facts.values.addresses.contains_key(variable)
    });
    match in_memory {
        Some(variable) => {
            let name = name_of(context, *variable);
            refused(&format!("its iterations need copies of {name}"))
        }
        None => Ok(()),
    }
}

/// That all dependences between iterations of a loop are known one by one.
pub(super) fn known(context: Context<'_>, of: &NestLoop<'_>) -> Result<(), Cause> {
    let verdict = &context.facts.verdicts[of.index.0 as usize];
    if verdict.kind == Kind::Parallel && verdict.is_free() {
        return Ok(());
    }
    if verdict.uncombined().next().is_none() {
        return Err(Cause::new(
            "what keeps its iterations in order is not known",
            of.stmt.origin,
        ));
    }
    let other = verdict
        .uncombined()
        .find(|obstacle| obstacle.dependences.is_empty());
    match other {
        Some(obstacle) => Err(obstacle.cause.clone()),
        None => Ok(()),
    }
}
