//! What do two accesses know together, one of an iteration and one of a later one?
//!
//! Most accesses of a loop know the same: the loops around them. Put together anew for each pair it is dearer than what is asked of it, and nothing that was found about it would be
//! kept. It depends on what the two know and on the loop alone; nothing of it outlives the loop.

use super::ladder::facts_of_both;
use crate::access::Access;
use crate::loops::LoopFacts;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Facts, Symbol};
use std::cell::RefCell;

/// Most that are kept; of loops with more the others are put together anew.
const MOST: usize = 24;

/// A loop with so many iterations has room for accesses that lie a few iterations apart.
const ROOM: i128 = 12;

/// What pairs of accesses of one loop know together.
pub struct Both<'a> {
    symbols: &'a Symbols,
    of: StmtId,
    counter: Symbol,
    /// All loops of the function, where those around accesses matter.
    loops: &'a [LoopFacts],
    known: RefCell<Vec<Known>>,
}

/// What is known of pairs.
struct Known {
    source: Facts,
    sink: Facts,
    both: Facts,
    /// The same in loops that have room, if that was asked.
    roomy: Option<Facts>,
}

impl<'a> Both<'a> {
    /// Nothing so far, of the loop `of` with this counter.
    pub fn new(symbols: &'a Symbols, of: StmtId, counter: Symbol) -> Both<'a> {
        Both::among(symbols, of, counter, &[])
    }

    /// The same, of one of these loops.
    pub fn among(symbols: &'a Symbols, of: StmtId, counter: Symbol, loops: &'a [LoopFacts]) -> Both<'a> {
        Both {
            symbols,
            of,
            counter,
            loops,
            known: RefCell::default(),
        }
    }

    /// What holds at the source, at the sink of a later iteration (renamed), and between the iterations.
    pub(super) fn of(&self, source: &Access, sink: &Access) -> Facts {
        self.about(source, sink, |known| known.both.clone())
    }

    /// The same, and that the loops around them have some iterations, as far as their numbers do not change: where values are looked for, nothing lies so near to the ends of a loop
    /// that the next iteration has to be made room for first. Less is known where it does not hold, never more.
    pub(super) fn with_room(&self, source: &Access, sink: &Access) -> Facts {
        self.about(source, sink, |known| {
            let roomy = known.roomy.get_or_insert_with(|| {
                let mut facts = known.both.clone();
                let mut around: Vec<_> = source.loops.iter().chain(&sink.loops).collect();
                around.sort_unstable();
                around.dedup();
                for of in around
                    .into_iter()
                    .filter_map(|index| self.loops.get(index.0 as usize))
                {
                    if let Ok(trip) = &of.trip
                        && self.symbols.invariant_in(trip, self.of)
                    {
                        facts.assume_nonnegative(trip - &Expr::int(ROOM));
                    }
                }
                facts
            });
            roomy.clone()
        })
    }

    fn about(&self, source: &Access, sink: &Access, tell: impl FnOnce(&mut Known) -> Facts) -> Facts {
        let mut known = self.known.borrow_mut();
        let mut all = known.iter_mut();
        let is_it = |one: &&mut Known| one.source.is_same(&source.facts) && one.sink.is_same(&sink.facts);
        if let Some(known) = all.find(is_it) {
            return tell(known);
        }
        let mut new = Known {
            source: source.facts.clone(),
            sink: sink.facts.clone(),
            both: facts_of_both(self.symbols, self.of, self.counter, source, sink),
            roomy: None,
        };
        let told = tell(&mut new);
        if known.len() < MOST {
            known.push(new);
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::Both;
    use crate::access::Access;
    use crate::dependence::ladder::facts_of_both;
    use crate::symbols::Symbols;
    use ferry_ir::StmtId;
    use ferry_symbolic::{Expr, Facts, Symbol};

    #[test]
    fn it_is_what_the_two_know_in_each_order() {
        let of = StmtId(3);
        let symbols = Symbols::of_counters(of, [vec![], vec![of]]);
        let counter = Symbol(1);
        let access = |at_least: i128| {
            let mut facts = Facts::new();
            facts.assume_nonnegative(&Expr::symbol(counter) - &Expr::int(at_least));
            Access {
                facts,
                ..Access::read_at(Expr::symbol(Symbol(0)), 8)
            }
        };
        let all = [access(1), access(5), access(1)];
        let both = Both::new(&symbols, of, counter);
        for _ in 0..2 {
            for source in &all {
                for sink in &all {
                    let anew = facts_of_both(&symbols, of, counter, source, sink);
                    assert!(both.of(source, sink).is_same(&anew));
                }
            }
        }
        assert_eq!(both.known.borrow().len(), 4);
    }
}
