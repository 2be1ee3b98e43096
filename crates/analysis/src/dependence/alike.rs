//! Which accesses of a loop are alike?
//!
//! In a body that touches `a[i][j]` in forty statements the same pair of addresses is asked about again and again: accesses with one address, of one size, of
//! which the same is known, are alike, and what is true of two of them is true of all. Nothing of that outlives the loop.

use super::Answer;
use super::ladder::{Effort, address_later, carried_to};
use crate::access::Access;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeMap;

/// Accesses of a loop, each kind once.
pub struct Kinds<'a> {
    symbols: &'a Symbols,
    of: StmtId,
    /// The accesses of which no two are alike.
    kinds: Vec<&'a Access>,
    /// Where each kind is in the later iteration.
    later: Vec<Option<Expr>>,
    /// The kind of each access, by its place in memory: a key for looking up, which orders nothing.
    kind_of: BTreeMap<*const Access, usize>,
}

impl<'a> Kinds<'a> {
    /// None so far, of the loop `of`.
    pub fn new(symbols: &'a Symbols, of: StmtId) -> Kinds<'a> {
        Kinds {
            symbols,
            of,
            kinds: Vec::new(),
            later: Vec::new(),
            kind_of: BTreeMap::new(),
        }
    }

    /// The number of an access' kind.
    pub fn of(&mut self, access: &'a Access) -> usize {
        if let Some(kind) = self.kind_of.get(&std::ptr::from_ref(access)) {
            return *kind;
        }
        let known = self.kinds.iter().position(|kind| is_alike(kind, access));
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(access);
            self.later.push(address_later(self.symbols, self.of, access));
            self.kinds.len() - 1
        });
        self.kind_of.insert(std::ptr::from_ref(access), kind);
        kind
    }

    /// The address of a kind in the later iteration.
    pub fn later(&self, kind: usize) -> Option<&Expr> {
        self.later[kind].as_ref()
    }
}

/// Most pairs of kinds of one loop that are asked about.
const MOST: usize = 20_000;

/// What the tests say of the pairs of one loop, each pair of kinds once.
pub struct Tested<'a> {
    kinds: Kinds<'a>,
    counter: Symbol,
    answers: BTreeMap<(usize, usize), Answer>,
}

impl<'a> Tested<'a> {
    /// Nothing so far, of the loop `of` with this counter.
    pub fn new(symbols: &'a Symbols, of: StmtId, counter: Symbol) -> Tested<'a> {
        Tested {
            kinds: Kinds::new(symbols, of),
            counter,
            answers: BTreeMap::new(),
        }
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
        let sink = (sink, self.kinds.later(of.1));
        let (symbols, within) = (self.kinds.symbols, self.kinds.of);
        let answer = carried_to(symbols, within, self.counter, source, sink, Effort::Full);
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
    use super::is_alike;
    use crate::access::{Access, AccessKind};
    use ferry_ir::{StmtId, TypeId};
    use ferry_source::Origin;
    use ferry_symbolic::{Expr, Facts, Symbol};

    fn access(offset: i128, size: u64, at_least: i128) -> Access {
        let mut facts = Facts::new();
        facts.assume_nonnegative(&Expr::symbol(Symbol(1)) - &Expr::int(at_least));
        Access {
            kind: AccessKind::Read,
            stmt: StmtId(0),
            within: StmtId(0),
            origin: Origin::New,
            root: Some(Symbol(0)),
            address: Some(&Expr::symbol(Symbol(0)) + &Expr::int(offset)),
            size,
            partial: false,
            ty: TypeId(0),
            subscripts: Vec::new(),
            facts,
            loops: Vec::new(),
            conditional_depth: 0,
            guards: Vec::new(),
            guards_outside: 0,
            order: 0,
            volatile: false,
            called: None,
            irregular: Default::default(),
            summary: None,
            choice: None,
            extent: None,
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
}
