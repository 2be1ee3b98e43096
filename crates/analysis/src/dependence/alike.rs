//! Which accesses of a loop are alike?
//!
//! In a body that touches `a[i][j]` in forty statements the same pair of addresses is asked about again and again: accesses with one address, of one size, of
//! which the same is known, are alike, and what is true of two of them is true of all. Nothing of that outlives the loop.

use super::ladder::{Effort, carried_to};
use super::{Answer, Both, Prepared, fixed_distances};
use crate::access::Access;
use crate::loops::{LoopFacts, LoopIndex};
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Symbol};
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// Accesses of a loop, each kind once.
pub struct Kinds<'a> {
    symbols: &'a Symbols,
    of: StmtId,
    /// The accesses of which no two are alike.
    kinds: Vec<Prepared<'a>>,
    /// Those with one address.
    by_address: HashMap<Option<&'a Expr>, Vec<usize>>,
    /// The kind of each access, by its place in memory: a key for looking up, which orders nothing.
    kind_of: FxHashMap<*const Access, usize>,
}

impl<'a> Kinds<'a> {
    /// None so far, of the loop `of`.
    pub fn new(symbols: &'a Symbols, of: StmtId) -> Kinds<'a> {
        Kinds {
            symbols,
            of,
            kinds: Vec::new(),
            by_address: HashMap::new(),
            kind_of: FxHashMap::default(),
        }
    }

    /// The number of an access' kind.
    pub fn of(&mut self, access: &'a Access) -> usize {
        if let Some(kind) = self.kind_of.get(&std::ptr::from_ref(access)) {
            return *kind;
        }
        let with_address = self.by_address.entry(access.address.as_ref()).or_default();
        let mut known = with_address.iter().copied();
        let known = known.find(|kind| is_alike(self.kinds[*kind].access(), access));
        let kind = known.unwrap_or_else(|| {
            let kind = self.kinds.len();
            self.kinds.push(Prepared::new(self.symbols, self.of, access));
            with_address.push(kind);
            kind
        });
        self.kind_of.insert(std::ptr::from_ref(access), kind);
        kind
    }

    /// The first access of a kind, for all of them.
    pub fn kind(&self, kind: usize) -> &Prepared<'a> {
        &self.kinds[kind]
    }
}

/// Most pairs of kinds of one loop that are asked about.
const MOST: usize = 20_000;

/// Most pairs of one loop for which distances are looked for at which they certainly meet.
const MOST_FIXED: usize = 1000;

/// What the tests say of the pairs of one loop, each pair of kinds once.
pub struct Tested<'a> {
    kinds: Kinds<'a>,
    counter: Symbol,
    both: Both<'a>,
    answers: FxHashMap<(usize, usize), Answer>,
    /// For how many pairs distances may still be looked for.
    fixed: usize,
}

impl<'a> Tested<'a> {
    /// Nothing so far, of the loop `of` with this counter.
    pub fn new(symbols: &'a Symbols, of: StmtId, counter: Symbol) -> Tested<'a> {
        Tested {
            kinds: Kinds::new(symbols, of),
            counter,
            both: Both::new(symbols, of, counter),
            answers: FxHashMap::default(),
            fixed: MOST_FIXED,
        }
    }

    /// See [`fixed_distances`]; of a loop with many such pairs the later ones are not looked at.
    pub fn fixed_distances(
        &mut self,
        loops: &[LoopFacts],
        index: LoopIndex,
        source: &Access,
        sink: &Access,
    ) -> Option<Vec<i64>> {
        self.fixed = self.fixed.checked_sub(1)?;
        fixed_distances(self.kinds.symbols, loops, index, source, sink)
    }

    /// As [`super::carried`]; of a loop with too many pairs that differ the later ones are not known.
    pub fn carried(&mut self, source: &'a Access, sink: &'a Access) -> Answer {
        let of = (self.kinds.of(source), self.kinds.of(sink));
        if let Some(answer) = self.answers.get(&of) {
            return answer.clone();
        }
        if self.answers.len() >= MOST {
            return Answer::Unknown;
        }
        let (first, second) = (self.kinds.kind(of.0), self.kinds.kind(of.1));
        let answer = carried_to(self.counter, first, second, Effort::Full, &self.both).answer;
        self.answers.insert(of, answer.clone());
        answer
    }
}

/// True if nothing that the tests look at differs.
fn is_alike(one: &Access, two: &Access) -> bool {
    one.address == two.address
        && one.root == two.root
        && one.size == two.size
        && one.subscripts == two.subscripts
        && one.loops == two.loops
        && one.facts.is_same(&two.facts)
}

#[cfg(test)]
mod tests {
    use super::{Kinds, is_alike};
    use crate::access::Access;
    use crate::symbols::Symbols;
    use ferry_ir::StmtId;
    use ferry_symbolic::{Expr, Facts, Symbol};

    fn access(offset: i128, size: u64, at_least: i128) -> Access {
        let mut facts = Facts::new();
        facts.assume_nonnegative(&Expr::symbol(Symbol(1)) - &Expr::int(at_least));
        Access {
            facts,
            ..Access::read_at(&Expr::symbol(Symbol(0)) + &Expr::int(offset), size)
        }
    }

    #[test]
    fn what_tests_look_at_makes_accesses_different() {
        let one = access(4, 8, 1);
        assert!(is_alike(&one, &access(4, 8, 1)));
        assert!(!is_alike(&one, &access(8, 8, 1)));
        assert!(!is_alike(&one, &access(4, 4, 1)));
        assert!(!is_alike(&one, &access(4, 8, 2)));
    }

    #[test]
    fn accesses_have_the_number_of_the_first_one_that_is_alike() {
        let all = [
            access(4, 8, 1),
            access(4, 8, 2),
            access(8, 8, 1),
            access(4, 8, 2),
            access(8, 8, 1),
            access(4, 4, 1),
        ];
        let symbols = Symbols::default();
        let mut kinds = Kinds::new(&symbols, StmtId(0));
        for _ in 0..2 {
            let found: Vec<usize> = all.iter().map(|access| kinds.of(access)).collect();
            assert_eq!(found, [0, 1, 2, 1, 2, 3]);
        }
        assert!(std::ptr::eq(kinds.kind(2).access(), &all[2]));
    }
}
