//! Are there iterations at all in which two accesses meet? Integer sets are asked where no other test decides.
//!
//! The set has every value of the loop's counter `k`, of a later one `k'`, and of everything that varies with them, for which what is known of both accesses
//! holds and their bytes overlap. Remainders, quotients, steps, conditions and subscripts that belong together are all said in it, so no point means
//! that the two never meet (the exact test of Pugh, "The Omega Test", 1991, and of Feautrier, "Dataflow analysis", 1991). Products of two values are unknowns
//! of their own there, and what is too long to say is left out: that makes the set larger, never smaller, so "no point" is always true.
//!
//! The other way round, two accesses certainly meet if there is a point and everything has been said, of loops whose lengths are numbers: then all these
//! iterations run.
//!
//! What it cannot do: say that two accesses certainly meet in loops of other lengths (a point may need sizes that no call has), and know more of products
//! than that facts multiply.

use super::cases::Question;
use super::direction::meeting;
use super::ladder::{Pair, rename, renamed};
use crate::access::Access;
use crate::loops::LoopFacts;
use ferry_symbolic::set::{Set, Unknown, with_piece_limit, with_work_limit};
use ferry_symbolic::{Condition, ConditionKind, Expr, Relation, Symbol};
use std::collections::BTreeSet;

/// Most operations of the library of integer sets for the questions of one loop.
const MOST_OPERATIONS: u64 = 120_000;

/// Operations for one attempt: most questions need less than the first of these. An attempt counts as if it had used all.
const ATTEMPTS: [u64; 2] = [2_000, 12_000];

/// Most questions of one loop that have points: such a loop is not parallel anyway, but for conditions.
const MOST_IN_VAIN: usize = 12;

/// Most values that are one of two by a condition.
const MOST_DEFINITIONS: usize = 6;

/// Most conditions that have cases.
const MOST_CHOICES: usize = 6;

/// Most pieces of one set: each case of a condition may double them.
const MOST_PIECES: usize = 32;

/// What may still be asked of integer sets about one loop.
pub struct Left {
    operations: u64,
    in_vain: usize,
}

impl Left {
    /// All of it.
    pub fn everything() -> Left {
        Left {
            operations: MOST_OPERATIONS,
            in_vain: MOST_IN_VAIN,
        }
    }
}

impl Question<'_> {
    /// True if `sink` in a later iteration never touches what `source` touched in an earlier one, as far as `left` allows to ask. Where values are known for which the two
    /// `meet`, as far as facts tell, nothing is asked: they are a point of the set. It counts as a question all the same, so that what comes later has no more time for it.
    pub(super) fn never_meet(&self, source: &Access, sink: &Access, meet: bool, left: &mut Left) -> bool {
        if left.in_vain == 0 {
            return false;
        }
        if meet && !self.is_defined(source) && !self.is_defined(sink) {
            left.in_vain -= 1;
            left.operations = left.operations.saturating_sub(ATTEMPTS[0]);
            return false;
        }
        let Some(meetings) = self.meetings(source, sink) else {
            return false;
        };
        let never = meetings.are_none(left);
        left.in_vain -= usize::from(!never);
        never
    }

    /// True if `sink` in a later iteration touches what `source` touched in an earlier one, as far as the two happen in every iteration of the loops around
    /// them in this one. All these loops have lengths that are numbers, or depend on each other alone.
    pub fn certainly_meet(&self, source: &Access, sink: &Access, left: &mut Left) -> bool {
        let Some(operations) = ATTEMPTS.last().copied().filter(|most| *most <= left.operations) else {
            return false;
        };
        let Some(all) = self.certain_meetings(source, sink) else {
            return false;
        };
        left.operations -= operations;
        let (meet, exact) = restricted(Set::universe(0), &all);
        // Every unknown must be a counter of one of the loops: what is not affine is none.
        let is_counter = |unknown: &Expr| unknown.as_symbol().is_some();
        let is_said = exact && meet.parameters().iter().all(is_counter);
        is_said && with_work_limit(operations, || meet.is_empty()) == Ok(false)
    }

    /// When the two meet, in terms of the counters of the loops around them alone.
    fn certain_meetings(&self, source: &Access, sink: &Access) -> Option<Vec<Condition>> {
        let (symbols, of) = (self.symbols, self.of);
        let later = |expr: &Expr| rename(symbols, of, expr);
        let mut all = Vec::new();
        let mut counters: BTreeSet<Symbol> = BTreeSet::new();
        let mut inside = |expr: &Expr, length: &Expr| {
            all.push(Condition::nonnegative(expr));
            all.push(Condition::less(expr, length));
        };
        for (access, is_later) in [(source, false), (sink, true)] {
            let at = |expr: &Expr| if is_later { later(expr) } else { expr.clone() };
            let loops = access.loops.iter().map(|index| self.loops.get(index.0 as usize));
            let loops: Vec<&LoopFacts> = loops.collect::<Option<_>>()?;
            let own = loops.iter().position(|one| one.stmt == of)?;
            for one in loops.get(own..)? {
                if !one.early_exits.is_empty() || !one.opaque.is_empty() {
                    return None;
                }
                let counter = at(&Expr::symbol(one.counter));
                let length = at(one.trip.as_ref().ok()?);
                // It may depend on loops further out. Of other lengths nothing more is looked at.
                if !length.symbols().is_subset(&counters) {
                    return None;
                }
                counters.insert(counter.as_symbol()?);
                inside(&counter, &length);
            }
            for subscript in &access.subscripts {
                // Past the end of a declared dimension nothing is certain.
                if let Some(extent) = &subscript.extent {
                    inside(&at(subscript.index.as_ref()?), &at(extent));
                }
            }
        }
        let distance = &later(sink.address.as_ref()?) - source.address.as_ref()?;
        inside(
            &(&distance + &Expr::int(i128::from(sink.size) - 1)),
            &Expr::int(i128::from(source.size) + i128::from(sink.size) - 1),
        );
        let counter = Expr::symbol(self.counter);
        all.push(Condition::less(&counter, &later(&counter)));
        let only_counters = |condition: &Condition| condition.symbols().is_subset(&counters);
        all.iter().all(only_counters).then_some(all)
    }

    /// What must hold where the two meet.
    fn meetings(&self, source: &Access, sink: &Access) -> Option<Meetings> {
        let (symbols, of) = (self.symbols, self.of);
        let (first, second) = (source.address.as_ref()?, sink.address.as_ref()?);
        let distance = &rename(symbols, of, second) - first;
        let mut pair = Pair {
            symbols,
            of,
            source,
            sink,
            facts: self.both.of(source, sink),
        };
        let mut all: Vec<Condition> = meeting(&mut pair, &self.prepared(source), &self.prepared(sink))
            .iter()
            .map(Condition::zero)
            .collect();
        let last = |size: u64| Expr::int(i128::from(size) - 1);
        all.push(Condition::nonnegative(&(&distance + &last(sink.size))));
        all.push(Condition::nonnegative(&(&last(source.size) - &distance)));
        let apart = &Expr::symbol(renamed(symbols, self.counter)) - &Expr::symbol(self.counter);
        all.push(Condition::positive(&apart));
        let mut known: BTreeSet<Symbol> = BTreeSet::new();
        while let Some((symbol, definition)) = all.iter().flat_map(Condition::symbols).find_map(|symbol| {
            let definition = self.definition(symbol)?;
            let is_new = known.len() < MOST_DEFINITIONS && !known.contains(&symbol);
            (is_new && !definition.mentions(symbol)).then_some((symbol, definition))
        }) {
            known.insert(symbol);
            all.push(Condition::zero(&(&Expr::symbol(symbol) - &definition)));
        }
        Some(Meetings {
            all,
            facts: pair.facts,
        })
    }

    /// True if something in the address or the subscripts of an access is one of two values by a condition: of that the set says more than facts do.
    fn is_defined(&self, access: &Access) -> bool {
        let subscripts = access.subscripts.iter();
        let indices = subscripts.flat_map(|one| [&one.index, &one.extent, &one.stride]);
        let mut all = std::iter::once(&access.address).chain(indices).flatten();
        let is_defined = |symbol: &Symbol| self.definitions.contains_key(symbol);
        !self.definitions.is_empty() && all.any(|expr| expr.symbols().iter().any(is_defined))
    }

    /// What a symbol is that is one of two values by a condition, also in the later iteration.
    fn definition(&self, symbol: Symbol) -> Option<Expr> {
        if let Some(definition) = self.definitions.get(&symbol) {
            return Some(definition.clone());
        }
        let earlier = Symbol(symbol.0.checked_sub(self.symbols.len() as u32)?);
        let definition = self.definitions.get(&earlier)?;
        Some(rename(self.symbols, self.of, definition))
    }
}

/// What holds where two accesses meet.
struct Meetings {
    /// That they do.
    all: Vec<Condition>,
    /// What is known of both iterations.
    facts: ferry_symbolic::Facts,
}

impl Meetings {
    /// True if there are none, as far as `left` allows to ask.
    fn are_none(&self, left: &mut Left) -> bool {
        let (meet, _) = restricted(Set::universe(0), &self.all);
        let (set, _) = restricted(meet.clone(), &meet.known(&self.facts));
        if left.is_empty(&set) {
            return true;
        }
        // What has cases comes last: without it there are fewer.
        let has_cases = |condition: &Condition| match condition.kind() {
            ConditionKind::Comparison(comparison) => comparison.relation == Relation::NonZero,
            _ => true,
        };
        let concerns = |condition: &Condition| condition.symbols().into_iter().any(|one| set.mentions(one));
        let all = self
            .facts
            .conditions()
            .into_iter()
            .map(|(condition, _)| condition);
        let choices = all
            .filter(|one| has_cases(one) && concerns(one))
            .take(MOST_CHOICES);
        let choices: Vec<Condition> = choices.collect();
        !choices.is_empty() && left.is_empty(&restricted(set, &choices).0)
    }
}

/// The set where these hold, one after the other; and whether all could be said. The library is not asked for that: what is not simplified costs less than
/// what is, and a limit that is reached while it simplifies is not safe.
fn restricted(mut set: Set, conditions: &[Condition]) -> (Set, bool) {
    let mut exact = true;
    for condition in conditions {
        let smaller = with_piece_limit(MOST_PIECES, || set.constrain(condition));
        exact &= smaller.exact;
        set = smaller.set;
    }
    (set, exact)
}

impl Left {
    /// True if the set has no point, as far as that can still be asked.
    fn is_empty(&mut self, set: &Set) -> bool {
        for operations in ATTEMPTS {
            if self.operations < operations {
                return false;
            }
            self.operations -= operations;
            match with_work_limit(operations, || set.is_empty()) {
                Err(Unknown::TooMuchWork) => {}
                answer => return answer == Ok(true),
            }
        }
        false
    }
}
