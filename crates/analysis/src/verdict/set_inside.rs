//! Which scalars has each iteration for itself if loops inside run, of which it is the same in all iterations whether they do?
//!
//! `for (i …) { for (j = 0; j < m; j++) t = …; b[i] = t; }`, with an `m` that stays: if `m > 0`, each iteration sets `t` before it reads it. (Where `m` is not, the loop inside
//! sets nothing, and what else sets `t` may be an earlier iteration.) Asked only where nothing else keeps the iterations in order.
//!
//! What it cannot do: loops inside that run in some iterations, conditions on nothing but constants that the text names.

use super::{Judge, Verdict};
use crate::joined::at_least_one;
use crate::scalar::LoopScalars;
use crate::symbols::SymbolKind;
use ferry_ir::VariableRef;
use ferry_symbolic::{Condition, Symbol};

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
    /// Those that only such conditions make private.
    pub fn of(judge: &Judge<'_>, scalars: &LoopScalars) -> SetInside {
        // What the user's word is needed for is found without conditions.
        if judge.independent.is_some() {
            return SetInside::default();
        }
        let found = scalars.set_if_run.keys();
        SetInside {
            found: found
                .filter_map(|variable| found_of(judge, scalars, *variable))
                .collect(),
        }
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
    pub fn note(self, verdict: &mut Verdict) {
        for one in self.found {
            verdict.private.insert(one.variable);
            if one.is_live {
                verdict.last_private.insert(one.variable);
            }
            for condition in one.conditions {
                if !verdict.conditions.contains(&condition) {
                    verdict.conditions.push(condition);
                }
            }
        }
    }
}

fn found_of(judge: &Judge<'_>, scalars: &LoopScalars, variable: VariableRef) -> Option<Found> {
    let needed = scalars.set_if_run.get(&variable)?;
    let is_live = scalars.live_after.contains(&variable);
    let is_counted = judge.facts.inductions.iter().any(|one| one.variable == variable);
    if scalars.declared.contains(&variable) || !judge.is_followed_by_name(variable) || is_counted {
        return None;
    }
    let values = judge.values;
    let mut conditions: Vec<Condition> = Vec::new();
    for stmt in needed {
        let of = values
            .loops
            .iter()
            .find(|one| one.stmt == *stmt && one.is_own())?;
        for part in at_least_one(of.trip.as_ref().ok()?).conjuncts() {
            if !conditions.contains(&part) && !judge.facts.before.facts.prove(&part) {
                conditions.push(part);
            }
        }
    }
    let is_named = |symbol: &Symbol| matches!(values.symbols.info(*symbol).kind, SymbolKind::Named { .. });
    let is_of_a_run = |part: &Condition| !part.symbols().iter().all(is_named);
    let can_hold = judge.facts.before.facts.can_hold_with(&conditions);
    let fine = can_hold && conditions.len() <= MOST && conditions.iter().all(is_of_a_run);
    fine.then_some(Found {
        variable,
        conditions,
        is_live,
    })
}
