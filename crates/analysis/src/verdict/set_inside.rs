//! Which scalars has each iteration for itself if values are so that it sets them first?
//!
//! `for (i …) { for (j = 0; j < m; j++) t = …; b[i] = t; }`, with an `m` that stays: if `m > 0`, each iteration sets `t` before it reads it. (Where `m` is not, the loop inside
//! sets nothing, and what else sets `t` may be an earlier iteration.) So does `if (use) t = …; b[i] = t;`, if `use` is not 0, and none reads another one's where both stand under one
//! condition. What is asked for is the weakest condition that does. Asked only where nothing else keeps the iterations in order.
//!
//! What it cannot do: loops inside that run in some iterations, conditions on values in memory that the loop may change, conditions on nothing but constants that the text names.

use super::exposed::{Cases, Exposed, Way};
use super::one_value::OneValue;
use super::{Judge, Verdict};
use crate::joined::at_least_one;
use crate::reduction::Update;
use crate::scalar::LoopScalars;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::{Loop, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};

/// Most conditions for one variable: a longer test is not cheap.
const MOST: usize = 4;

/// The scalars of one loop.
#[derive(Default)]
pub(super) struct SetInside {
    found: Vec<Found>,
}

struct Found {
    variable: VariableRef,
    /// All of them.
    conditions: Vec<Condition>,
    /// It is used behind the loop.
    is_live: bool,
}

impl SetInside {
    /// Those that only this makes private.
    pub fn of<'a>(
        judge: &Judge<'a>,
        inner: &Loop,
        scalars: &LoopScalars,
        updates: &[Update<'a>],
    ) -> SetInside {
        // What the user's word is needed for is found without conditions.
        if judge.independent.is_some() {
            return SetInside::default();
        }
        let is_open = |variable: &&VariableRef| {
            scalars.exposed.contains(variable)
                || scalars.live_after.contains(variable) && !scalars.written.contains(variable)
        };
        let open = scalars.assigned.iter().filter(is_open);
        let mut found: Vec<Found> = Vec::new();
        for one in open.filter_map(|variable| found_of(judge, inner, scalars, updates, *variable)) {
            // What one needs may be what another one excludes.
            let all = found.iter().chain([&one]).flat_map(|one| &one.conditions);
            let all: Vec<Condition> = all.cloned().collect();
            if judge.facts.before.facts.can_hold_with(&all) {
                found.push(one);
            }
        }
        SetInside { found }
    }

    /// True for one of them.
    pub fn contains(&self, variable: VariableRef) -> bool {
        self.variables().any(|one| one == variable)
    }

    /// All of them.
    pub fn variables(&self) -> impl Iterator<Item = VariableRef> {
        self.found.iter().map(|one| one.variable)
    }

    /// Nothing keeps the iterations in order if all the conditions hold.
    pub fn note(self, known: &Facts, verdict: &mut Verdict) {
        let mut added = Vec::new();
        for one in self.found {
            verdict.private.insert(one.variable);
            if one.is_live {
                verdict.last_private.insert(one.variable);
            }
            for condition in one.conditions {
                if !verdict.conditions.contains(&condition) && !added.contains(&condition) {
                    added.push(condition);
                }
            }
        }
        // What one variable needs may follow from what another one does.
        let mut number = 0;
        while number < added.len() {
            let mut others = added.clone();
            others.remove(number);
            match known
                .with(&Condition::all(others.iter().cloned()))
                .prove(&added[number])
            {
                true => added = others,
                false => number += 1,
            }
        }
        verdict.conditions.extend(added);
    }
}

fn found_of<'a>(
    judge: &Judge<'a>,
    inner: &Loop,
    scalars: &LoopScalars,
    updates: &[Update<'a>],
    variable: VariableRef,
) -> Option<Found> {
    let is_live = scalars.live_after.contains(&variable);
    let is_counted = judge.facts.inductions.iter().any(|one| one.variable == variable);
    if scalars.declared.contains(&variable)
        || !judge.is_followed_by_name(variable)
        || is_counted
        || judge.reduced_variable(inner, variable, updates).is_some()
        || OneValue::of(judge, inner, scalars, variable).is_some()
    {
        return None;
    }
    let values = judge.values;
    let known = &judge.facts.before.facts;
    let way = |stmt: &Stmt| way(judge, stmt);
    let fixed = |condition: &Condition, of: StmtId| is_fixed(values, condition, of);
    let end = match is_live {
        true => Cases::always(),
        false => Cases::never(),
    };
    let cases = Exposed::at_most(variable, &way, &fixed).in_iteration(inner, &end);
    // What is the same in all iterations can be asked before them.
    let cases = cases
        .possible(&|all| !known.with(all).infeasible())
        .only(&|condition| fixed(condition, judge.facts.stmt));
    let conditions: Vec<Condition> = cases
        .none()
        .into_iter()
        .flat_map(|one| one.conjuncts())
        .filter(|one| !known.prove(one))
        .collect();
    let is_named = |symbol: &Symbol| matches!(values.symbols.info(*symbol).kind, SymbolKind::Named { .. });
    let is_of_a_run = |part: &Condition| !part.symbols().iter().all(is_named);
    let can_hold = known.can_hold_with(&conditions);
    let fine = can_hold && conditions.len() <= MOST && conditions.iter().all(is_of_a_run);
    fine.then_some(Found {
        variable,
        conditions,
        is_live,
    })
}

/// True if an iteration that comes behind another one need not read the variable before it has set it: where sizes decide how far conditions on the number of the
/// iteration hold (`if (i < m) t = …; if (i < k) b[i] = t;`), or it is the first one alone (`if (i > 0) t = …;`).
pub(super) fn sizes_decide(judge: &Judge<'_>, inner: &Loop, variable: VariableRef) -> bool {
    let (values, counter) = (judge.values, judge.facts.counter);
    let Ok(trip) = &judge.facts.trip else { return false };
    let later = Condition::nonnegative(&(trip - &Expr::int(2)));
    let known = judge.facts.before.facts.with(&later);
    let varies = |symbol: Symbol| values.symbols.varies_in(symbol, judge.facts.stmt);
    let decided = |condition: &Condition| {
        let is_of_sizes = condition.mentions(counter)
            && !condition.any_symbol(&|symbol| symbol != counter && varies(symbol));
        let is_named = |symbol: Symbol| matches!(values.symbols.info(symbol).kind, SymbolKind::Named { .. });
        let has_sizes = condition.any_symbol(&|symbol| symbol != counter && !is_named(symbol));
        let at = |number: &Expr| known.prove(&condition.substitute(counter, number));
        match has_sizes {
            true => is_of_sizes && !at(&Expr::one()) && !at(&(trip - &Expr::one())),
            false => {
                let behind = Condition::positive(&Expr::symbol(counter));
                is_of_sizes && known.with(&behind).with(condition).infeasible()
            }
        }
    };
    // Loops inside are taken to run.
    let way = |stmt: &Stmt| match stmt.kind {
        StmtKind::Loop(_) => Way::Always,
        _ => way(judge, stmt),
    };
    let fixed = |condition: &Condition, of: StmtId| is_fixed(values, condition, of);
    let cases = Exposed::at_most(variable, &way, &fixed).in_iteration(inner, &Cases::never());
    cases
        .possible(&|all| !all.conjuncts().iter().any(decided))
        .is_never()
}

/// The condition says the same in all iterations of a loop.
fn is_fixed(values: &Values, condition: &Condition, of: StmtId) -> bool {
    !condition.any_symbol(&|symbol| values.symbols.varies_in(symbol, of))
}

/// What is known of the way that a statement of the loop goes.
fn way(judge: &Judge<'_>, stmt: &Stmt) -> Way {
    let values = judge.values;
    match stmt.kind {
        StmtKind::If { .. } => {
            let known = values.conditions.get(&stmt.id).and_then(|known| known.exact());
            known.map_or(Way::Either, Way::Where)
        }
        StmtKind::Loop(_) => {
            let mut own = values.loops.iter();
            let of = own.find(|one| one.stmt == stmt.id && one.is_own());
            let Some((of, trip)) = of.and_then(|of| Some((of, of.trip.as_ref().ok()?))) else {
                return Way::Either;
            };
            let runs = at_least_one(trip);
            match of.before.facts.prove(&runs) {
                true => Way::Always,
                false => Way::Where(runs),
            }
        }
        _ => Way::Either,
    }
}
