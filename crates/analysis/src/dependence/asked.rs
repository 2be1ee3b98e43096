//! Which questions about a loop were asked before, and how many more may be?
//!
//! In a body that touches `a[i][j]` in forty statements the same pair of addresses is asked about again and again: accesses with one address, of one size, of
//! which the same is known, are alike, and what is true of two of them is true of all. Nothing of that outlives the loop.
//!
//! Work is limited, in questions and in what proofs do: of a loop with many pairs that no test decides, the later ones are asked by the cheap tests alone, and
//! at last by none. Integer sets are asked last, and only so often.
//! Such a loop is not parallel anyway, but for conditions, of which there is one for some hundred pairs at most.

use super::exact::Left;
use super::{Answer, Question, Rung};
use crate::access::Access;
use ferry_symbolic::{Expr, work_done};
use std::collections::BTreeMap;

/// Most questions of one loop that no test decides.
const MOST_UNDECIDED: usize = 100;

/// Most work of proofs for questions of one loop that no test decides, in the units of [`work_done`]: a few milliseconds.
const MOST_WORK: u64 = 2_000_000;

/// Most questions of one loop that are not alike.
const MOST_QUESTIONS: usize = 20_000;

/// What was asked about one loop.
pub struct Asked<'a> {
    question: Question<'a>,
    /// Accesses with a greater `conditional_depth` stand under conditions inside of the loop.
    depth: usize,
    /// The accesses of which no two are alike.
    kinds: Vec<&'a Access>,
    /// Where each kind is in the later iteration.
    later: Vec<Option<Expr>>,
    /// The kind of each access, by its place in memory: a key for looking up, which orders nothing.
    kind_of: BTreeMap<*const Access, usize>,
    answers: BTreeMap<(usize, usize), Answer>,
    undecided: usize,
    /// Work for these.
    in_vain: u64,
    /// What integer sets may still be asked.
    left: Left,
}

impl<'a> Asked<'a> {
    /// Nothing so far. Accesses with a greater `conditional_depth` than `depth` do not happen in every iteration.
    pub fn new(question: Question<'a>, depth: usize) -> Asked<'a> {
        Asked {
            question,
            depth,
            kinds: Vec::new(),
            later: Vec::new(),
            kind_of: BTreeMap::new(),
            answers: BTreeMap::new(),
            undecided: 0,
            in_vain: 0,
            left: Left::everything(),
        }
    }

    /// As [`Question::carried`], and where that is not known, what integer sets say.
    pub fn carried(&mut self, source: &'a Access, sink: &'a Access) -> Answer {
        let of = (self.kind(source), self.kind(sink));
        if let Some(answer) = self.answers.get(&of) {
            return answer.clone();
        }
        let before = work_done();
        let is_enough = self.undecided >= MOST_UNDECIDED || self.in_vain >= MOST_WORK;
        let later = self.later[of.1].as_ref();
        let answer = match self.answers.len() {
            MOST_QUESTIONS.. => return Answer::Unknown,
            _ if is_enough => self.question.carried_at_once(source, sink, later),
            _ => self.question.carried(source, sink, later),
        };
        // Integer sets have limits of their own.
        let work = work_done() - before;
        let answer = match is_enough {
            true => answer,
            false => self.exactly(source, sink, answer),
        };
        if answer == Answer::Unknown {
            self.undecided += 1;
            self.in_vain += work;
        }
        self.answers.insert(of, answer.clone());
        answer
    }

    /// What integer sets say, where the other tests did not find what is certain.
    fn exactly(&mut self, source: &Access, sink: &Access, answer: Answer) -> Answer {
        let is_certain = match &answer {
            Answer::Independent(_) => true,
            // Under a condition it only may be: what the tests found need not satisfy it.
            Answer::Carried { .. } => source.conditional_depth.max(sink.conditional_depth) <= self.depth,
            Answer::Unknown => false,
        };
        if is_certain {
            return answer;
        }
        let rung = Rung::Exact;
        if self.question.never_meet(source, sink, &mut self.left) {
            return Answer::Independent(rung);
        }
        match answer {
            Answer::Unknown if self.question.certainly_meet(source, sink, &mut self.left) => {
                Answer::Carried { rung, distance: None }
            }
            answer => answer,
        }
    }

    fn kind(&mut self, access: &'a Access) -> usize {
        if let Some(kind) = self.kind_of.get(&std::ptr::from_ref(access)) {
            return *kind;
        }
        let known = self.kinds.iter().position(|kind| is_alike(kind, access));
        let kind = known.unwrap_or_else(|| {
            self.kinds.push(access);
            self.later.push(self.question.later(access));
            self.kinds.len() - 1
        });
        self.kind_of.insert(std::ptr::from_ref(access), kind);
        kind
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
