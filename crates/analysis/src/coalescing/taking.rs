//! What does an access take that not all threads of a warp make, or not all at the same object?
//!
//! A condition that is a function of the thread (`i % 2`, `i < 5`, `threadInRow < 5`) is tested for each thread of a warp, with numbers for the counters, and
//! what is counted are the bytes of the threads that make the access. The usual figures are those of the first warp in which a thread does. The least and the
//! most are taken over all warps where there are few, or where conditions are periodic (remainders of the counter by numbers), so that few kinds of warps stand
//! for all; else the least is one request, and the most what all threads take together. A pointer that is one of several has a part of the threads for each: the parts
//! add up where they lie in different objects.
//!
//! What it cannot do: conditions that need the value of a size (`i < n / 2`), several iterations in one thread (`chunk`), loops inside whose length depends on the
//! thread.

use super::lanes::{Base, LaneAddress, Start, parts_threads};
use super::numbers::{gcd, known, number};
use super::requests::{self, LEAST, Requests};
use super::{Coalescing, Question, WARPS};
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
use ferry_ir::VariableRef;
use ferry_symbolic::{Condition, Expr, Operation, Symbol};

/// Longest period of conditions, in iterations.
const PERIOD: i128 = 1 << 13;

/// An access by some of the threads.
pub(super) struct Part<'a> {
    question: Question<'a>,
    address: Result<LaneAddress<'a>, Cause>,
    /// What the threads fulfil that make it, as far as it differs from thread to thread; `None` if that is not known.
    conditions: Option<Vec<Condition>>,
}

/// What a warp takes, and how its first thread that takes part is told.
struct OfWarp {
    requests: Requests,
    /// Of the first byte that is touched, what is a number.
    begins: i128,
    /// What was not proved and is taken to hold.
    assumed: Vec<Condition>,
    /// The count is of this warp alone, not of all that have the same threads taking part.
    alone: bool,
}

impl<'a> Part<'a> {
    /// The threads that fulfil the conditions on the path, and one more: `Some(Err(()))` if that is not known.
    pub fn new(
        question: Question<'a>,
        address: Result<LaneAddress<'a>, Cause>,
        own: Option<Result<Condition, ()>>,
    ) -> Part<'a> {
        let (values, mapping) = (question.values, question.mapping);
        let root = &values.loops[mapping.root.0 as usize];
        let depth = root.depth;
        let inner_parts = mapping.alone(values, question.access).any(|of| match &of.trip {
            Ok(trip) => parts_threads(values, mapping, &Condition::zero(trip)),
            Err(_) => true,
        });
        let on_path = question.prepared.guards.iter();
        let on_path = on_path
            .filter(|(loops, _)| *loops > depth)
            .map(|(_, condition)| condition.clone().ok_or(()));
        let differs = |condition: &Result<Condition, ()>| {
            condition
                .as_ref()
                .map_or(true, |condition| parts_threads(values, mapping, condition))
        };
        let in_numbers = |condition: Result<Condition, ()>| {
            // What is known where the access happens has the conditions themselves in it.
            let numbers = |expr: &Expr| known(values, &root.before.facts, &values.defined(expr));
            condition.map(|condition| condition.map(&mut |expr| numbers(expr)))
        };
        // What decides between pointers is needed also where it is the same for all.
        let all = on_path.filter(differs).chain(own).map(in_numbers);
        let conditions: Result<Vec<Condition>, ()> = all.collect();
        Part {
            question,
            address,
            conditions: conditions.ok().filter(|_| !inner_parts && mapping.chunk == 1),
        }
    }

    /// Which of so many threads make the access, the first running iteration `first`; `None` if that is not known of one.
    fn takes(&self, first: u64, lanes: u32) -> Option<Vec<bool>> {
        let conditions = self.conditions.as_ref()?;
        let one = |lane: u32| {
            let iteration = first.checked_add(u64::from(lane))?;
            let counters = self.question.mapping.counters(self.question.values, iteration);
            let value = |symbol: Symbol| {
                let (_, value) = counters.iter().find(|(counter, _)| *counter == symbol)?;
                value.as_constant()
            };
            let mut all = true;
            for condition in conditions {
                all &= condition.evaluate(&value)?;
            }
            Some(all)
        };
        (0..lanes).map(one).collect()
    }

    /// How many iterations later all conditions are again what they are, and the threads as far from each other.
    fn period(&self) -> Option<i128> {
        let mut loops = self.question.mapping.loops(self.question.values);
        let counter = loops.next()?.counter;
        if loops.next().is_some() {
            return None;
        }
        number(&self.address.as_ref().ok()?.stride()?)?;
        let mut found = Some(1);
        for condition in self.conditions.as_ref()? {
            condition.map(&mut |expr| {
                found = found.and_then(|found| common(found, period(expr, counter)?));
                expr.clone()
            });
        }
        found
    }
}

/// How many values later an expression is again what it is: 1 if it does not depend on the counter.
fn period(expr: &Expr, counter: Symbol) -> Option<i128> {
    let mut found = 1;
    for (atom, _) in expr.terms().flat_map(|term| term.monomial.factors()) {
        if !atom.mentions(counter) {
            continue;
        }
        let (divided, divisor, floor) = match atom.operation()? {
            Operation::FloorMod(divided, divisor) => (divided, number(divisor)?, true),
            Operation::TruncRem(divided, divisor) => (divided, number(divisor)?, false),
            _ => return None,
        };
        let (slope, rest) = divided.linear_in(counter)?;
        let slope = number(&slope)?;
        // Rounded towards zero, the rule is another one below it.
        let same_rule = floor || slope >= 0 && number(&rest).is_some_and(|rest| rest >= 0);
        if divisor <= 0 || !same_rule {
            return None;
        }
        found = common(found, divisor)?;
    }
    Some(found)
}

/// The least common multiple, if it is not too long.
fn common(one: i128, two: i128) -> Option<i128> {
    let found = (one / gcd(one, two).max(1)).checked_mul(two)?;
    (1..=PERIOD).contains(&found).then_some(found)
}

/// What an access takes that is made by parts of the threads; `None` if it is not known which threads these are. `whole` is what is said without that.
pub(super) fn thinned(parts: &[Part<'_>], whole: &Coalescing) -> Option<Coalescing> {
    let question = &parts.first()?.question;
    let per_warp = u64::from(question.lanes);
    let iterations = question.mapping.iterations(question.values);
    let warps = iterations.map(|all| all.div_ceil(per_warp).max(1));
    let kinds = || {
        let mut periods = parts.iter().map(Part::period);
        let period = periods.try_fold(1, |found, period| common(found, period?))?;
        let kinds = period / gcd(period, i128::from(per_warp));
        u64::try_from(kinds).ok().filter(|kinds| *kinds <= WARPS)
    };
    // The warps that stand for all others.
    let few = warps.filter(|warps| *warps <= WARPS).or_else(kinds);
    let mut found: Option<(u64, OfWarp)> = None;
    let mut complete = few.is_some();
    for warp in 0..few.unwrap_or(WARPS) {
        let left = iterations.map_or(per_warp, |all| all.saturating_sub(warp * per_warp));
        let lanes = u32::try_from(left.min(per_warp)).ok()?;
        let Some(next) = of_warp(parts, warp * per_warp, lanes, warps.is_some()) else {
            // Before the first warp that takes part it is not known which one that is.
            found.as_ref()?;
            complete = false;
            break;
        };
        let Some(next) = next else { continue };
        complete &= !next.alone;
        match &mut found {
            Some((_, known)) if lanes < question.lanes => {
                known.requests = known.requests.at_worst(&next.requests);
            }
            Some((_, known)) => known.requests = known.requests.widened(&next.requests),
            none => *none = Some((warp * per_warp, next)),
        }
        if !complete {
            break;
        }
    }
    let (first, found) = found?;
    let mut requests = found.requests;
    if !complete {
        // Of warps that were not looked at: one request at least, and not more than all their threads take.
        let least = Requests::numbers(LEAST, LEAST, LEAST);
        requests = requests.between(&least, &whole.requests);
    }
    let mut assumed = [whole.assumed.clone(), found.assumed].concat();
    assumed.extend(question.shorter_rows());
    Some(Coalescing {
        requests,
        in_part: true,
        usual_warp: Some((first, found.begins)),
        assumed,
        ..whole.clone()
    })
}

/// What the warp takes whose first thread runs iteration `first`: `Some(None)` if no thread makes the access, `None` if that is not known.
fn of_warp(parts: &[Part<'_>], first: u64, lanes: u32, counted: bool) -> Option<Option<OfWarp>> {
    // The threads that take part, each part by itself.
    let mut taking = Vec::new();
    for part in parts {
        let takes = part.takes(first, lanes)?;
        let own: Vec<u32> = (0..lanes).filter(|lane| takes[*lane as usize]).collect();
        if !own.is_empty() {
            taking.push((part, own));
        }
    }
    let mut found: Option<(OfWarp, Vec<Symbol>)> = None;
    for (part, own) in &taking {
        let next = part.of_threads(first, lanes, own, counted)?;
        let root = part.question.access.root?;
        found = Some(match found {
            None => (next, vec![root]),
            Some((known, mut roots)) => {
                let values = part.question.values;
                // Storage that begins anywhere may have a part of a line of other storage.
                let apart = part.question.base == Base::Line
                    && roots.iter().all(|other| are_apart(values, *other, root));
                roots.push(root);
                let most = requests::most(part.question.gpu, lanes, part.question.access.size);
                let both = known.requests.and(&next.requests, apart).at_most(most);
                // Which of the parts the first thread belongs to.
                let begins = match taking[0].1.first() <= own.first() {
                    true => known.begins,
                    false => next.begins,
                };
                let joined = OfWarp {
                    requests: both,
                    begins,
                    assumed: [known.assumed, next.assumed].concat(),
                    alone: known.alone || next.alone,
                };
                (joined, roots)
            }
        });
    }
    Some(found.map(|(found, _)| found))
}

impl Part<'_> {
    /// What these of the threads take.
    fn of_threads(&self, first: u64, lanes: u32, own: &[u32], counted: bool) -> Option<OfWarp> {
        let address = self.address.as_ref().ok()?;
        let (gpu, size) = (self.question.gpu, self.question.access.size);
        let lane = *own.first()?;
        let begins = address.start_of(&address.in_iteration(first.checked_add(u64::from(lane))?)?);
        let usual = Start {
            multiple: 0,
            ..begins
        };
        if let Some(offsets) = address.offsets(first, lanes) {
            let at = |lane: &u32| offsets.get(*lane as usize).copied();
            let start = at(&lane)?;
            let touched: Vec<i128> = own
                .iter()
                .map(|lane| Some(at(lane)? - start))
                .collect::<Option<_>>()?;
            let any = match counted {
                true => begins,
                false => {
                    let any = address.start(None, self.question.lanes);
                    let constant = any.constant + start;
                    Start { constant, ..any }
                }
            };
            return Some(OfWarp {
                requests: requests::of_offsets(gpu, &touched, size, usual, any),
                begins: usual.constant,
                assumed: Vec::new(),
                alone: false,
            });
        }
        // One stride that is no number, from one of the threads to the next.
        let stride = address
            .stride()
            .filter(|_| self.question.mapping.lanes.len() == 1)?;
        let step = match own {
            [one, two, ..] => two - one,
            _ => 1,
        };
        if !own.windows(2).all(|two| two[1] - two[0] == step) {
            return None;
        }
        let apart = stride.scale(&ferry_symbolic::Integer::from(i128::from(step)));
        let threads = u32::try_from(own.len()).ok()?;
        let (requests, assumed) = match threads {
            1 => (requests::of_offsets(gpu, &[0], size, usual, usual), Vec::new()),
            _ => self.question.of_symbolic(&apart, threads, usual, usual),
        };
        Some(OfWarp {
            requests,
            begins: usual.constant,
            assumed,
            alone: true,
        })
    }
}

/// True for roots of storage of which no line belongs to both.
fn are_apart(values: &Values, one: Symbol, two: Symbol) -> bool {
    use SymbolKind::{Address, Allocated, Entry};
    let kind = |root: Symbol| &values.symbols.info(root).kind;
    one != two
        && match (kind(one), kind(two)) {
            (Address(_) | Allocated(_), Address(_) | Allocated(_)) => true,
            (Entry(VariableRef::Local(one)), Entry(VariableRef::Local(two))) => {
                values.passed.are_apart(*one, *two)
            }
            _ => false,
        }
}
