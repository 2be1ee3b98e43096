//! Do two accesses meet whose addresses depend on conditions?
//!
//! A variable that is one value where a condition holds and another where not is one symbol after the paths have met, and what it is stands
//! in its definition (`Values::definitions`), a guarded sum as in IPDA (sections 3 and 5.4: the difference of two conditional values is taken case by case).
//! Where the ladder does not decide, each address becomes its cases, of which those that contradict what is known where the access happens fall away
//! (section 9.4: what is set and used under one condition has one value), and each case of one access is asked against each of the other.
//!
//! What it cannot do: more than a few cases of one address, and say that a meeting in one of several cases is certain.

use super::ladder::{Decided, Effort, carried_to};
use super::{Answer, Both, Direction, Prepared, Rung, apart_if, carried, join, vector};
use crate::access::{Access, Subscript};
use crate::loops::LoopFacts;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Atom, Condition, Expr, Operation, Symbol};
use std::collections::BTreeMap;

/// Most cases of one access: each is asked against each of the other.
const MOST_CASES: usize = 4;

/// What is asked: about which loop, and what its symbols are.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The symbols.
    pub symbols: &'a Symbols,
    /// What symbols are that are one of two values by a condition.
    pub definitions: &'a BTreeMap<Symbol, Expr>,
    /// The loop.
    pub of: StmtId,
    /// Its counter.
    pub counter: Symbol,
    /// All loops of the function.
    pub loops: &'a [LoopFacts],
    /// What its accesses know together.
    pub both: &'a Both<'a>,
}

/// The access as its cases, each with what is known in it; `None` if its address depends on no condition that is known, or on too many.
fn cases(definitions: &BTreeMap<Symbol, Expr>, access: &Access) -> Option<Vec<Access>> {
    let defined = |access: &Access| {
        let mut symbols = access.address.as_ref()?.symbols().into_iter().rev();
        symbols.find_map(|symbol| Some((symbol, definitions.get(&symbol)?)))
    };
    defined(access)?;
    let mut open = vec![access.clone()];
    let mut found = Vec::new();
    while let Some(one) = open.pop() {
        if found.len() + open.len() >= MOST_CASES {
            return None;
        }
        let Some((symbol, definition)) = defined(&one) else {
            found.push(one);
            continue;
        };
        let definition = one.facts.simplify(definition);
        if definition.mentions(symbol) {
            return None;
        }
        match definition.as_atom().and_then(Atom::operation) {
            Some(Operation::Guarded(guarded)) => {
                let possible = guarded.iter().filter_map(|(condition, value)| {
                    let case = with(&one, symbol, value, condition);
                    (!case.facts.infeasible()).then_some(case)
                });
                open.extend(possible);
            }
            _ => open.push(with(&one, symbol, &definition, &Condition::always())),
        }
    }
    Some(found)
}

/// The access where the condition holds, and the symbol is that value.
fn with(access: &Access, symbol: Symbol, value: &Expr, condition: &Condition) -> Access {
    let is_value = |expr: &Expr| expr.substitute(symbol, value);
    let mut case = access.clone();
    case.facts.assume(condition);
    case.facts.assume_zero(&Expr::symbol(symbol) - value);
    case.address = access.address.as_ref().map(is_value);
    let subscript = |one: &Subscript| Subscript {
        index: one.index.as_ref().map(is_value),
        ..one.clone()
    };
    case.subscripts = access.subscripts.iter().map(subscript).collect();
    case
}

impl<'a> Question<'a> {
    /// As [`carried`], case by case where that alone decides.
    pub fn carried(&self, source: &Prepared<'_>, sink: &Prepared<'_>) -> Answer {
        self.carried_with(source, sink, Effort::Full).answer
    }

    /// The same, by such tests. That two may be the same element is not said of those that have cases.
    pub(super) fn carried_with(&self, source: &Prepared<'_>, sink: &Prepared<'_>, effort: Effort) -> Decided {
        let decided = carried_to(self.counter, source, sink, effort, self.both);
        if decided.answer != Answer::Unknown || effort == Effort::Little {
            return decided;
        }
        let Some((sources, sinks)) = self.cases(source.access(), sink.access()) else {
            return decided;
        };
        let answer = match (&*sources, &*sinks) {
            ([one], [two]) => self.carried_in_one_case(one, two),
            _ => {
                let apart = |one: &Access, two: &Access| {
                    matches!(self.carried_in_one_case(one, two), Answer::Independent(_))
                };
                match sources.iter().all(|one| sinks.iter().all(|two| apart(one, two))) {
                    true => Answer::Independent(Rung::Cases),
                    false => Answer::Unknown,
                }
            }
        };
        answer.into()
    }

    /// An access as it is asked about.
    pub fn prepared<'b>(&self, access: &'b Access) -> Prepared<'b>
    where
        'a: 'b,
    {
        Prepared::new(self.symbols, self.of, access)
    }

    fn carried_in_one_case(&self, source: &Access, sink: &Access) -> Answer {
        carried(self.symbols, self.of, self.counter, source, sink)
    }

    /// The cases of both; `None` if neither has any but itself.
    fn cases(&self, source: &Access, sink: &Access) -> Option<(Vec<Access>, Vec<Access>)> {
        match (cases(self.definitions, source), cases(self.definitions, sink)) {
            (None, None) => None,
            (sources, sinks) => Some((
                sources.unwrap_or_else(|| vec![source.clone()]),
                sinks.unwrap_or_else(|| vec![sink.clone()]),
            )),
        }
    }

    /// The cases in which the two may meet; of two that have no cases, themselves.
    fn meeting(&self, source: &Access, sink: &Access) -> Vec<(Access, Access)> {
        match self.cases(source, sink) {
            None => vec![(source.clone(), sink.clone())],
            Some((sources, sinks)) => self.meeting_cases(&sources, &sinks),
        }
    }

    /// Those of these cases in which the two may meet.
    fn meeting_cases(&self, sources: &[Access], sinks: &[Access]) -> Vec<(Access, Access)> {
        let pairs = sources
            .iter()
            .flat_map(|one| sinks.iter().map(move |two| (one.clone(), two.clone())));
        let may_meet = |(one, two): &(Access, Access)| {
            !matches!(self.carried_in_one_case(one, two), Answer::Independent(_))
        };
        pairs.filter(may_meet).collect()
    }

    /// As [`apart_if`], of all cases together.
    pub fn apart_if(&self, changing: &[Symbol], source: &Access, sink: &Access) -> Vec<Condition> {
        let of_pair = |one: &Access, two: &Access| {
            apart_if(
                self.symbols,
                self.of,
                self.counter,
                changing,
                (one, two),
                self.both,
            )
        };
        match &*self.meeting(source, sink) {
            [] => Vec::new(),
            [(one, two)] => of_pair(one, two),
            several => {
                // Of several cases the likeliest of each.
                let each = several
                    .iter()
                    .map(|(one, two)| of_pair(one, two).into_iter().next());
                let all: Option<Vec<Condition>> = each.collect();
                all.map(Condition::all).into_iter().collect()
            }
        }
    }

    /// As [`vector`], of all cases together.
    pub fn vector(&self, counters: &[Symbol], source: &Prepared<'_>, sink: &Prepared<'_>) -> Vec<Direction> {
        let of_pair = |one: &Prepared<'_>, two: &Prepared<'_>| vector(counters, one, two, self.both);
        let Some((sources, sinks)) = self.cases(source.access(), sink.access()) else {
            return of_pair(source, sink);
        };
        let each = self.meeting_cases(&sources, &sinks).into_iter();
        let each = each.map(|(one, two)| of_pair(&self.prepared(&one), &self.prepared(&two)));
        each.reduce(|one, two| {
            one.into_iter()
                .zip(two)
                .map(|(one, two)| join(one, two))
                .collect()
        })
        .unwrap_or_else(|| of_pair(source, sink))
    }
}
