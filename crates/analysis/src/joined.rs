//! Which bytes do several accesses touch together, if some of them may not happen?
//!
//! The hull of two hulls is not just the least and the greatest end: an access in a loop that does not run, or under a
//! condition that is false, touches nothing, and its ends may then lie anywhere, also outside the object. Every part
//! comes with a condition without which it does not happen; where an end would count though its access does not
//! happen, the joined end is chosen by that condition. Ends are simplified with what is known where they are
//! evaluated and that something is touched at all, never with what is known where one of the accesses happens: who uses
//! them must look at `happens` first.

use crate::access::Access;
use crate::loops::LoopIndex;
use crate::region::Hull;
use crate::value::Values;
use ferry_ir::{Type, Types};
use ferry_symbolic::{Condition, Expr, Facts, Integer, Operation};

/// Bytes that may be touched, and the condition without which none of them is.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The bytes, where the condition holds.
    pub hull: Hull,
    /// It holds whenever one of them is touched.
    pub happens: Condition,
}

impl Values {
    /// The part of an access, seen from before the loops `inside`, where `entry` is known.
    pub fn part(
        &self,
        types: &Types,
        access: &Access,
        hull: Hull,
        inside: &[LoopIndex],
        entry: &Facts,
    ) -> Part {
        let fixed = |condition: &Condition| {
            condition.symbols().iter().all(|symbol| {
                let varies =
                    |index: &LoopIndex| self.symbols.varies_in(*symbol, self.loops[index.0 as usize].stmt);
                !inside.iter().any(varies)
            })
        };
        // Inner loops that are seen to be empty by their ends only.
        let runs = Condition::less(&hull.low, &hull.high);
        let asked = (access, inside, entry, &runs);
        if let Some(happens) = self.memory.happens(asked) {
            return Part { hull, happens };
        }
        let mut happens = Condition::always();
        let mut known = entry.clone();
        let mut add = |condition: Condition| {
            if !known.prove(&condition) {
                known.assume(&condition);
                happens = happens.and(&condition);
            }
        };
        for index in access.loops.iter().filter(|index| inside.contains(index)) {
            if let Ok(trip) = &self.loops[index.0 as usize].trip {
                let runs = at_least_one(trip);
                // A loop's test is evaluated even where its body never runs: nothing of that is known there.
                if fixed(&runs) && access.facts.prove(&runs) {
                    add(runs);
                }
            }
        }
        // The conditions around it that do not change while the loops run.
        for (condition, _) in access.facts.conditions() {
            if fixed(&condition) && !self.is_true_by_type(types, &condition) {
                add(condition);
            }
        }
        add(runs.clone());
        self.memory.keep_happens(asked, &happens);
        Part { hull, happens }
    }

    /// An unsigned value is not negative.
    fn is_true_by_type(&self, types: &Types, condition: &Condition) -> bool {
        condition.symbols().into_iter().any(|symbol| {
            let ty = self.symbols.info(symbol).ty.map(|ty| types.get(ty));
            matches!(ty, Some(Type::Int { signed: false, .. } | Type::Bool))
                && *condition == Condition::nonnegative(&Expr::symbol(symbol))
        })
    }
}

/// `max(0, e) >= 1` is `e >= 1`.
pub fn at_least_one(trip: &Expr) -> Condition {
    at_least(trip, 1)
}

/// The same for a number of iterations that is not 0: of `max(0, e) + 1`, which a `do` loop has, that is `e >= number - 1`; of `max(a, b) - a` it is `b - a >= number`, if that has no
/// extremum itself: of the lesser of two sizes, the lengths that are chosen by the condition are written without overflow only as it stands.
pub fn at_least(trip: &Expr, number: u32) -> Condition {
    let more = trip.add_constant(&Integer::new(-i128::from(number)));
    for atom in more.atoms() {
        let Some(Operation::Max(operands)) = atom.operation() else {
            continue;
        };
        let rest = &more - &Expr::atom(atom.clone());
        let [a, b] = &**operands else { continue };
        if rest.atoms().contains(&atom) {
            continue;
        }
        for (known, other) in [(a, b), (b, a)] {
            // `max(known, other) + rest >= 0` where `known + rest` is below 0.
            let end = other + &rest;
            let is_plain = || end.atoms().iter().all(|atom| atom.operation().is_none());
            let least = (known + &rest).as_constant();
            if least.is_some_and(|least| least.is_negative()) && (known.is_zero() || is_plain()) {
                return Condition::nonnegative(&end);
            }
        }
    }
    Condition::nonnegative(&more)
}

/// All parts together; `None` if there are none.
pub fn join_all(parts: &[Part], facts: &Facts) -> Option<Part> {
    let parts = gathered(parts, facts);
    let (first, rest) = parts.split_first()?;
    Some(
        rest.iter()
            .fold(first.clone(), |joined, part| join(&joined, part, facts)),
    )
}

/// The same bytes in fewer parts: those that happen together and of whose ends it is plain which is the outer one, as of `a[i - 1][j]` and `a[i][j + 1]`, are one. That needs
/// no proof, and most accesses of a stencil are of this kind.
fn gathered(parts: &[Part], facts: &Facts) -> Vec<Part> {
    let mut all: Vec<(Part, Facts, bool)> = Vec::new();
    for part in parts {
        let found = all
            .iter_mut()
            .find_map(|(known, here, changed)| Some((outer(known, part, here)?, known, changed)));
        match found {
            Some((hull, known, changed)) => {
                *changed |= known.hull != hull;
                known.hull = hull;
            }
            None => {
                let alike = all.iter().find(|(known, ..)| known.happens == part.happens);
                let here = alike.map_or_else(|| facts.with(&part.happens), |(_, here, _)| here.clone());
                all.push((part.clone(), here, false));
            }
        }
    }
    let simple = |(mut part, here, changed): (Part, Facts, bool)| {
        if changed {
            part.hull.low = part.hull.low.simplify(&here);
            part.hull.high = part.hull.high.simplify(&here);
        }
        part
    };
    all.into_iter().map(simple).collect()
}

/// The hull of two parts that happen together, if it is plain which of their ends are the outer ones; `here` holds where they happen.
fn outer(a: &Part, b: &Part, here: &Facts) -> Option<Hull> {
    if a.hull.whole || b.hull.whole || a.happens != b.happens {
        return None;
    }
    if a.hull == b.hull {
        return Some(a.hull.clone());
    }
    let below = is_less(&b.hull.low, &a.hull.low, here)?;
    let above = is_less(&a.hull.high, &b.hull.high, here)?;
    Some(Hull {
        low: if below { &b.hull.low } else { &a.hull.low }.clone(),
        high: if above { &b.hull.high } else { &a.hull.high }.clone(),
        exact: a.hull.exact && b.hull.exact,
        whole: false,
    })
}

/// True if the first is less than the second, false if it is not; `None` where that is not plain to see.
fn is_less(a: &Expr, b: &Expr, facts: &Facts) -> Option<bool> {
    let apart = a - b;
    match apart.as_constant() {
        Some(constant) => Some(constant.is_negative()),
        None if facts.plainly_nonnegative(&apart) => Some(false),
        None => facts.plainly_nonnegative(&-apart).then_some(true),
    }
}

/// Both parts together; `facts` hold where the ends are evaluated.
fn join(a: &Part, b: &Part, facts: &Facts) -> Part {
    let happens = either(&a.happens, &b.happens, facts);
    if a.hull == b.hull {
        return Part {
            hull: a.hull.clone(),
            happens,
        };
    }
    if let Some(whole) = [a, b].into_iter().find(|part| part.hull.whole) {
        let hull = whole.hull.clone();
        return Part { hull, happens };
    }
    let exact = a.hull.exact && b.hull.exact;
    // Where only one of the two happens, the other's ends do not count, unless they are inside anyway.
    let if_a = (!stands_for(b, a, facts)).then_some(&a.happens);
    let if_b = (!stands_for(a, b, facts)).then_some(&b.happens);
    let counted: Vec<&Condition> = if_a.into_iter().chain(if_b).collect();
    let both = match counted.as_slice() {
        [] => facts.with(&happens),
        some => some
            .iter()
            .fold(facts.clone(), |known, condition| known.with(condition)),
    };
    let (only_a, only_b) = (facts.with(&a.happens), facts.with(&b.happens));
    let end = |of_a: &Expr, of_b: &Expr, extreme: &dyn Fn(&Expr, &Expr) -> Expr| {
        let together = extreme(of_a, of_b).simplify(&both);
        let where_b = choose(
            if_a,
            &together,
            &of_b.simplify(&only_b),
            &facts.with(if_b.unwrap_or(&happens)),
        );
        choose(if_b, &where_b, &of_a.simplify(&only_a), &facts.with(&happens))
    };
    Part {
        hull: Hull {
            low: end(&a.hull.low, &b.hull.low, &Expr::min),
            high: end(&a.hull.high, &b.hull.high, &Expr::max),
            exact,
            whole: false,
        },
        happens,
    }
}

/// `condition ? yes : no`, where `facts` hold; `yes` without a condition.
fn choose(condition: Option<&Condition>, yes: &Expr, no: &Expr, facts: &Facts) -> Expr {
    match condition {
        Some(condition) if yes != no => Expr::select(&facts.simplify_condition(condition), yes, no),
        _ => yes.clone(),
    }
}

/// True if the joined ends are those of `a` where `a` happens and `b` does not.
fn stands_for(a: &Part, b: &Part, facts: &Facts) -> bool {
    let here = facts.with(&a.happens);
    let inside = |known: &Facts| {
        known.prove_nonnegative(&(&b.hull.low - &a.hull.low))
            && known.prove_nonnegative(&(&a.hull.high - &b.hull.high))
    };
    // Where one of the conditions of `b` fails.
    let conjuncts = b.happens.conjuncts();
    conjuncts.iter().all(|condition| {
        if here.prove(condition) {
            return true;
        }
        let without = here.with(&condition.not());
        without.infeasible() || inside(&without)
    })
}

/// One of the two conditions; a condition that says more than the other is left out.
fn either(a: &Condition, b: &Condition, facts: &Facts) -> Condition {
    if a == b || facts.with(b).prove(a) {
        return a.clone();
    }
    if facts.with(a).prove(b) {
        return b.clone();
    }
    a.or(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferry_symbolic::Symbol;

    #[test]
    fn of_the_greater_of_two_values_one_that_is_too_small_does_not_count() {
        let [a, b] = [0, 1].map(|number| Expr::symbol(Symbol(number)));
        let beyond = &Expr::max(&a, &b) - &a;
        let less = |low: &Expr, high: &Expr| Condition::less(low, high);
        assert_eq!(at_least_one(&beyond), less(&a, &b));
        assert_eq!(
            at_least_one(&Expr::max(&Expr::zero(), &b)),
            less(&Expr::zero(), &b)
        );
        // A `do` loop runs once in any case.
        let once_more = Expr::max(&Expr::zero(), &b).add_constant(&Integer::ONE);
        assert_eq!(at_least(&once_more, 3), less(&Expr::int(1), &b));
        assert_eq!(
            at_least_one(&Expr::max(&a, &b)),
            Condition::positive(&Expr::max(&a, &b))
        );
    }

    #[test]
    fn what_happens_together_and_is_constants_apart_is_one_part() {
        let (k, n, m) = (Symbol(0), Symbol(1), Symbol(2));
        let part = |from: i128, runs: Symbol| {
            let low = &(&Expr::symbol(k) * &Expr::int(8)) + &Expr::int(from);
            let high = &low + &Expr::int(8);
            let hull = Hull {
                low,
                high,
                exact: true,
                whole: false,
            };
            let happens = Condition::positive(&Expr::symbol(runs));
            Part { hull, happens }
        };
        let stencil = [part(0, n), part(-8, n), part(8, n)];
        let both = |low, high| (part(low, n).hull.low, part(high, n).hull.high);
        let facts = Facts::default();
        let found = gathered(&stencil, &facts);
        let [one] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!((one.hull.low.clone(), one.hull.high.clone()), both(-8, 8));
        // Where the second does not happen its ends do not count.
        assert_eq!(gathered(&[part(0, n), part(8, m)], &facts).len(), 2);
    }
}
