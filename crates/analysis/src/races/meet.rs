//! Do two accesses certainly touch the same bytes in iterations that different threads run?
//!
//! Asked by looking for one pair of iterations: all counters but one are set to the first, second or last iteration, and the equation of the two addresses is
//! solved for the last one. What is found is put in and holds; what is not found says nothing. Numbers for which no choice makes them meet spare the search (`numbers`).
//!
//! What it cannot do: find every pair of iterations that there is, or accesses of different sizes that overlap.

mod numbers;

use super::Program;
use super::region::Region;
use super::spot::{Spot, Worker};
use crate::loops::LoopIndex;
use crate::quotient::exact_quotient;
use crate::value::Values;
use ferry_symbolic::{Expr, Facts, Symbol};
use std::collections::BTreeMap;

/// A loop whose length is not a number is taken to run at least so often.
const ENOUGH: i128 = 8;
/// Most counters whose iterations are chosen.
const MOST: usize = 5;

/// A counter whose iteration may be chosen.
struct Free {
    symbol: Symbol,
    trip: Expr,
}

/// Two accesses with the iterations that can be chosen for them.
pub(crate) struct Pair {
    /// Zero where they touch the same.
    difference: Expr,
    /// Zero there, too: the differences of the subscripts.
    also: Vec<Expr>,
    free: Vec<Free>,
    facts: Facts,
    /// Whose iterations they are, in the counters of each.
    work: [Vec<Expr>; 2],
    /// The loops around both, in the same iterations.
    common: Vec<LoopIndex>,
    later: [Vec<Symbol>; 2],
}

/// All that the answer for two accesses rests on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Question {
    difference: Expr,
    free: Vec<(Symbol, Expr)>,
    work: [Vec<Expr>; 2],
    /// The loops around both, in the same iterations, and those of which one side is in the next one.
    common: Vec<LoopIndex>,
    later: [Vec<Symbol>; 2],
    apart: Apart,
}

/// Which iterations count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Apart {
    /// Any.
    Always,
    /// Those of different numbers.
    OtherIteration,
    /// Of a loop against one thread: not the first one.
    NotTheFirst,
}

/// False for facts of which some hold only in cases, and for which no values are found: that the loops run long enough may be what the condition around them
/// excludes (`if (a + n <= b || b + n <= a)`, where `b` is `a + 1`).
fn can_hold(facts: &Facts) -> bool {
    !facts.has_cases() || facts.can_hold_with(&[])
}

/// Two accesses as they stand in the program.
pub(crate) struct Sides<'b> {
    /// The addresses, in the iterations that are meant.
    pub addresses: [&'b Expr; 2],
    /// Subscripts that have to be the same, too, in this order.
    pub subscripts: [&'b [Expr]; 2],
    /// The loops whose iterations matter, outermost first.
    pub loops: [&'b [LoopIndex]; 2],
    /// The counters of loops that are shared out, each for one side.
    pub shared: [Option<&'b [Symbol]>; 2],
    /// The loops in which one side is in the next iteration.
    pub later: [&'b [Symbol]; 2],
}

impl Pair {
    /// Two accesses of a region, at the level with these workers; `None` if something of them is not known.
    pub(super) fn of(
        program: &Program<'_>,
        region: &Region<'_>,
        spots: [&Spot; 2],
        workers: [&Worker; 2],
    ) -> Option<Pair> {
        let around = program.values.directives.get(&region.stmt)?;
        let sides = Sides {
            addresses: spots.map(|spot| &spot.address),
            subscripts: [&[], &[]],
            loops: spots.map(|spot| {
                let all = &program.values.accesses[spot.access].loops;
                all.get(around.loops.len()..).unwrap_or_default()
            }),
            shared: workers.map(|worker| match worker {
                Worker::Iterations(shared) => Some(shared.counters.as_slice()),
                _ => None,
            }),
            later: spots.map(|spot| spot.later.as_slice()),
        };
        Pair::between(program.values, around.facts.clone(), &sides, &|value| {
            region.is_same(value)
        })
    }

    /// Two accesses, with what is known before both, and what the number of iterations may rest on.
    pub fn between(
        values: &Values,
        mut facts: Facts,
        sides: &Sides<'_>,
        is_same: &dyn Fn(&Expr) -> bool,
    ) -> Option<Pair> {
        let (loops, shared) = (sides.loops, sides.shared);
        let counter = |index: &LoopIndex| values.loops[index.0 as usize].counter;
        let is_shared_out = |index: &LoopIndex| {
            let of = |one: &Option<&[Symbol]>| one.is_some_and(|one| one.contains(&counter(index)));
            shared.iter().any(of)
        };
        let common = loops[0]
            .iter()
            .zip(loops[1])
            .take_while(|(a, b)| a == b && !is_shared_out(a))
            .count();
        let trip = |index: &LoopIndex| {
            let trip = values.loops[index.0 as usize].trip.as_ref().ok()?;
            is_same(trip).then(|| trip.clone())
        };
        for index in &loops[0][..common] {
            let at = Expr::symbol(counter(index));
            facts.assume_nonnegative(&at);
            let mut last = &trip(index)? - &Expr::one();
            if sides.later.iter().any(|later| later.contains(&counter(index))) {
                last = &last - &Expr::one();
            }
            facts.assume_nonnegative(&last - &at);
        }
        let mut free: Vec<Free> = Vec::new();
        let mut renamed: BTreeMap<Symbol, Expr> = BTreeMap::new();
        for index in &loops[0][common..] {
            free.push(Free {
                symbol: counter(index),
                trip: trip(index)?,
            });
        }
        for index in &loops[1][common..] {
            let own = counter(index);
            let mut symbol = own;
            if free.iter().any(|other| other.symbol == own) {
                symbol = Symbol((values.symbols.len() + renamed.len()) as u32);
                renamed.insert(own, Expr::symbol(symbol));
            }
            let trip = trip(index)?.substitute_all(&|of| renamed.get(&of).cloned());
            free.push(Free { symbol, trip });
        }
        for one in &free {
            let depends = free.iter().any(|other| one.trip.mentions(other.symbol));
            if one.trip.as_constant().is_none() && !depends {
                facts.assume_nonnegative(&one.trip - &Expr::int(ENOUGH));
            }
        }
        let second = sides.addresses[1].substitute_all(&|symbol| renamed.get(&symbol).cloned());
        let of = |shared: Option<&[Symbol]>| -> Vec<Expr> {
            let counters = shared.unwrap_or_default();
            counters.iter().map(|counter| Expr::symbol(*counter)).collect()
        };
        let rename = |value: &Expr| value.substitute_all(&|symbol| renamed.get(&symbol).cloned());
        (free.len() <= MOST && !facts.infeasible() && can_hold(&facts)).then(|| Pair {
            difference: sides.addresses[0] - &second,
            also: sides.subscripts[0]
                .iter()
                .zip(sides.subscripts[1])
                .map(|(a, b)| a - &rename(b))
                .collect(),
            work: [of(shared[0]), of(shared[1]).iter().map(rename).collect()],
            common: loops[0][..common].to_vec(),
            later: sides.later.map(<[Symbol]>::to_vec),
            free,
            facts,
        })
    }

    /// What two pairs of one region have in common that have one answer.
    pub(super) fn question(&self, apart: Apart) -> Question {
        let free = self.free.iter().map(|one| (one.symbol, one.trip.clone()));
        Question {
            difference: self.difference.clone(),
            free: free.collect(),
            work: self.work.clone(),
            common: self.common.clone(),
            later: self.later.clone(),
            apart,
        }
    }

    /// True if there are such iterations, whenever the loops run long enough; so many choices may be tried, then nothing is known.
    pub fn meets(&self, apart: Apart, left: &mut usize) -> bool {
        let moves = self.free.iter().any(|one| self.difference.mentions(one.symbol));
        if !moves && !self.difference.is_zero() {
            return false;
        }
        if self.never_meets(apart) {
            *left = left.saturating_sub(self.choices());
            return false;
        }
        self.search(apart, left)
    }

    /// The counters that the difference mentions: the equation may be solved for each of them.
    fn solvable(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.free.len()).filter(|number| self.difference.mentions(self.free[*number].symbol))
    }

    /// How many choices there are to try.
    fn choices(&self) -> usize {
        let of = |counters: usize| 3_usize.saturating_pow(counters as u32);
        let solved = self.solvable().count();
        of(self.free.len()).saturating_add(solved.saturating_mul(of(self.free.len().saturating_sub(1))))
    }

    /// Tries the choices.
    fn search(&self, apart: Apart, left: &mut usize) -> bool {
        let all = &self.difference;
        if self.choose(0, None, (&mut BTreeMap::new(), all), (apart, left)) {
            return true;
        }
        self.solvable()
            .any(|last| self.choose(0, Some(last), (&mut BTreeMap::new(), all), (apart, left)))
    }

    /// Chooses the counters from `number` on, all but the last one; `difference` is what is left of it with those before put in.
    fn choose(
        &self,
        number: usize,
        last: Option<usize>,
        (chosen, difference): (&mut BTreeMap<Symbol, Expr>, &Expr),
        (apart, left): (Apart, &mut usize),
    ) -> bool {
        if *left == 0 {
            return false;
        }
        let open = self.free.get(number..).unwrap_or_default();
        let lasts = last.map(|last| &self.free[last]);
        let moves = open
            .iter()
            .chain(lasts)
            .any(|one| difference.mentions(one.symbol));
        // Whatever is chosen, they stay apart: all of these choices are tried in vain.
        if !moves && !difference.is_zero() {
            let skipped = usize::from(last.is_some_and(|last| last >= number));
            let choices = 3_usize.saturating_pow((open.len() - skipped) as u32);
            *left = left.saturating_sub(choices);
            return false;
        }
        let Some(one) = open.first() else {
            *left -= 1;
            return self.closes(last, (chosen, difference), apart);
        };
        if Some(number) == last {
            return self.choose(number + 1, last, (chosen, difference), (apart, left));
        }
        let values = [Expr::zero(), Expr::one(), &one.trip - &Expr::one()];
        for value in values {
            // A trip count may depend on the counters outside of it.
            let value = value.substitute_all(&|symbol| chosen.get(&symbol).cloned());
            let next = difference.substitute(one.symbol, &value);
            chosen.insert(one.symbol, value);
            if self.choose(number + 1, last, (chosen, &next), (apart, left)) {
                return true;
            }
            chosen.remove(&one.symbol);
        }
        false
    }

    /// All but one counter are chosen: is there an iteration of it, and are all of them iterations that run?
    fn closes(
        &self,
        last: Option<usize>,
        (chosen, difference): (&BTreeMap<Symbol, Expr>, &Expr),
        apart: Apart,
    ) -> bool {
        // A trip count may depend on the counters outside of it: put in until nothing changes.
        let put = |value: &Expr, chosen: &BTreeMap<Symbol, Expr>| {
            let mut value = value.clone();
            for _ in 0..3 {
                if !value.any_symbol(&|symbol| chosen.contains_key(&symbol)) {
                    break;
                }
                value = value.substitute_all(&|symbol| chosen.get(&symbol).cloned());
            }
            value
        };
        let mut chosen = chosen.clone();
        match last {
            None => {
                if !difference.is_zero() {
                    return false;
                }
            }
            Some(last) => {
                let symbol = self.free[last].symbol;
                let Some((slope, rest)) = difference.linear_in(symbol) else {
                    return false;
                };
                if slope.is_zero() {
                    return false;
                }
                let Some(value) = exact_quotient(&-&rest, &slope) else {
                    return false;
                };
                chosen.insert(symbol, value);
            }
        }
        let values: BTreeMap<Symbol, Expr> = chosen
            .iter()
            .map(|(symbol, value)| (*symbol, put(value, &chosen)))
            .collect();
        let runs = |one: &Free| {
            let Some(value) = values.get(&one.symbol) else {
                return false;
            };
            let left = &(&put(&one.trip, &values) - value) - &Expr::one();
            self.facts.prove_nonnegative(value) && self.facts.prove_nonnegative(&left)
        };
        put(&self.difference, &values).is_zero()
            && self.also.iter().all(|also| put(also, &values).is_zero())
            && self.is_apart(&values, apart)
            && self.free.iter().all(runs)
    }

    fn is_apart(&self, values: &BTreeMap<Symbol, Expr>, apart: Apart) -> bool {
        let put = |value: &Expr| value.substitute_all(&|symbol| values.get(&symbol).cloned());
        match apart {
            Apart::Always => true,
            Apart::OtherIteration => {
                self.work[0].len() == self.work[1].len()
                    && self.work[0]
                        .iter()
                        .zip(&self.work[1])
                        .any(|(a, b)| self.facts.prove_nonzero(&(&put(a) - &put(b))))
            }
            Apart::NotTheFirst => self
                .work
                .iter()
                .flatten()
                .any(|own| self.facts.prove_nonzero(&put(own))),
        }
    }
}
