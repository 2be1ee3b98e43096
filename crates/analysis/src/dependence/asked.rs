//! Which questions about a loop were asked before, and how many more may be?
//!
//! What is true of two accesses is true of all that are like them ([`Kinds`]).
//!
//! Work is limited, in questions and in what proofs do: of a loop with many pairs that no test decides, the later ones are asked by the cheap tests alone, and
//! at last by none. Integer sets are asked last, and only so often. Where most questions are not decided, values are looked for first for which the two meet: they show in
//! little time that no test would say that they do not.
//! Such a loop is not parallel anyway, but for conditions, of which there is one for some hundred pairs at most.

use super::alike::Kinds;
use super::exact::Left;
use super::ladder::{Decided, Effort};
use super::{Answer, Direction, Question, Rung, fixed_distances};
use crate::access::Access;
use crate::loops::LoopIndex;
use ferry_symbolic::{Symbol, work_done};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most questions of one loop that no test decides.
const MOST_UNDECIDED: usize = 100;

/// Most work of proofs for questions of one loop that no test decides, in the units of [`work_done`]: a few milliseconds.
const MOST_WORK: u64 = 2_000_000;

/// Most pairs of one loop for which distances are looked for at which they certainly meet.
const MOST_FIXED: usize = 20;

/// Most questions of one loop that are not alike.
const MOST_QUESTIONS: usize = 20_000;

/// What was asked about one loop.
pub struct Asked<'a> {
    question: Question<'a>,
    /// Accesses with a greater `conditional_depth` stand under conditions inside of the loop.
    depth: usize,
    kinds: Kinds<'a>,
    answers: FxHashMap<(usize, usize), Answer>,
    /// Direction vectors, as far as they were asked for.
    vectors: FxHashMap<(usize, usize), Rc<[Direction]>>,
    undecided: usize,
    /// Work for these.
    in_vain: u64,
    /// For how many pairs distances may still be looked for.
    fixed: usize,
    /// What integer sets may still be asked.
    left: Left,
    values: Values,
}

/// Is it worth to look for values for which two accesses meet before the dear tests are asked? Where most questions are decided it is work in vain, where most are not, it is the
/// least work.
#[derive(Default)]
struct Values {
    /// Questions that were not decided, or in which values were found.
    useful: usize,
    /// Questions that tests decided after values had been looked for.
    in_vain: usize,
}

impl Values {
    fn effort(&self) -> Effort {
        match self.useful > self.in_vain {
            true => Effort::ValuesFirst,
            false => Effort::ValuesLast,
        }
    }

    fn note(&mut self, decided: &Decided) {
        let is_open = decided.answer == Answer::Unknown || decided.meet == Some(true);
        self.useful += usize::from(is_open);
        self.in_vain += usize::from(!is_open && decided.meet == Some(false));
    }
}

impl<'a> Asked<'a> {
    /// Nothing so far. Accesses with a greater `conditional_depth` than `depth` do not happen in every iteration.
    pub fn new(question: Question<'a>, depth: usize) -> Asked<'a> {
        Asked {
            question,
            depth,
            kinds: Kinds::new(question.symbols, question.of),
            answers: FxHashMap::default(),
            vectors: FxHashMap::default(),
            undecided: 0,
            in_vain: 0,
            fixed: MOST_FIXED,
            left: Left::everything(),
            values: Values::default(),
        }
    }

    /// As [`Question::carried`], and where that is not known, what integer sets say.
    pub fn carried(&mut self, source: &'a Access, sink: &'a Access) -> Answer {
        let of = (self.kinds.of(source), self.kinds.of(sink));
        if let Some(answer) = self.answers.get(&of) {
            return answer.clone();
        }
        let before = work_done();
        let is_enough = self.undecided >= MOST_UNDECIDED || self.in_vain >= MOST_WORK;
        let (first, second) = (self.kinds.kind(of.0), self.kinds.kind(of.1));
        let effort = match self.answers.len() {
            MOST_QUESTIONS.. => return Answer::Unknown,
            _ if is_enough => Effort::Little,
            _ => self.values.effort(),
        };
        let decided = self.question.carried_with(first, second, effort);
        // Integer sets have limits of their own.
        let work = work_done() - before;
        let answer = match is_enough {
            true => decided.answer,
            false => {
                self.values.note(&decided);
                self.exactly(source, sink, decided)
            }
        };
        if answer == Answer::Unknown {
            self.undecided += 1;
            self.in_vain += work;
        }
        self.answers.insert(of, answer.clone());
        answer
    }

    /// See [`fixed_distances`], of accesses that happen in every iteration; of a loop with many such pairs the later ones are not looked at.
    pub fn fixed_distances(&mut self, index: LoopIndex, source: &Access, sink: &Access) -> Option<Vec<i64>> {
        if source.conditional_depth.max(sink.conditional_depth) > self.depth {
            return None;
        }
        self.fixed = self.fixed.checked_sub(1)?;
        fixed_distances(self.question.symbols, self.question.loops, index, source, sink)
    }

    /// The direction vector of two accesses in loops with these counters, as [`Question::vector`].
    pub fn vector(&mut self, counters: &[Symbol], source: &'a Access, sink: &'a Access) -> Vec<Direction> {
        let of = (self.kinds.of(source), self.kinds.of(sink));
        self.question
            .vector(counters, self.kinds.kind(of.0), self.kinds.kind(of.1))
    }

    /// The direction vector of two accesses, if one of two like these was kept.
    pub fn known_vector(&mut self, source: &'a Access, sink: &'a Access) -> Option<Rc<[Direction]>> {
        let of = (self.kinds.of(source), self.kinds.of(sink));
        self.vectors.get(&of).cloned()
    }

    /// Keeps the direction vector of two accesses for all that are like them.
    pub fn keep_vector(&mut self, source: &'a Access, sink: &'a Access, vector: &Rc<[Direction]>) {
        let of = (self.kinds.of(source), self.kinds.of(sink));
        self.vectors.insert(of, Rc::clone(vector));
    }

    /// What integer sets say, where the other tests did not find what is certain.
    fn exactly(&mut self, source: &Access, sink: &Access, decided: Decided) -> Answer {
        let Decided { answer, meet } = decided;
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
        if self
            .question
            .never_meet(source, sink, meet == Some(true), &mut self.left)
        {
            return Answer::Independent(rung);
        }
        match answer {
            Answer::Unknown if self.question.certainly_meet(source, sink, &mut self.left) => {
                Answer::Carried { rung, distance: None }
            }
            answer => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, Effort};
    use crate::access::{Access, Subscript};
    use crate::dependence::{Answer, Both, Question};
    use crate::symbols::Symbols;
    use ferry_ir::StmtId;
    use ferry_symbolic::{Expr, Facts, Symbol};
    use std::collections::BTreeMap;

    const OF: StmtId = StmtId(3);

    /// The root, the counter, some values that do not change, and another counter.
    fn symbols() -> Symbols {
        let is_counter = |number| matches!(number, 1 | 6);
        Symbols::of_counters(
            OF,
            (0..7).map(|number| if is_counter(number) { vec![OF] } else { vec![] }),
        )
    }

    fn question<'a>(
        symbols: &'a Symbols,
        definitions: &'a BTreeMap<Symbol, Expr>,
        both: &'a Both<'a>,
    ) -> Question<'a> {
        Question {
            symbols,
            definitions,
            of: OF,
            counter: Symbol(1),
            loops: &[],
            both,
        }
    }

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    fn facts() -> Facts {
        let mut facts = Facts::new();
        let [k, n, m, p, q, j] = [1, 2, 3, 4, 5, 6].map(x);
        for least in [
            k.clone(),
            &(&n - &k) - &Expr::one(),
            p.clone(),
            &(&m - &q) - &Expr::one(),
            &q - &p,
            j.clone(),
            &(&m - &j) - &Expr::int(2),
        ] {
            facts.assume_nonnegative(least);
        }
        facts
    }

    /// `a[row][column]` of rows of ten elements.
    fn element(row: &Expr, column: &Expr) -> Access {
        let subscript = |index: &Expr, stride: i128| Subscript {
            index: Some(index.clone()),
            extent: None,
            stride: Some(Expr::int(stride)),
        };
        let offset = &(&Expr::int(80) * row) + &(&Expr::int(8) * column);
        Access {
            subscripts: vec![subscript(row, 80), subscript(column, 8)],
            facts: facts(),
            root: Some(Symbol(0)),
            ..Access::read_at(&x(0) + &offset, 8)
        }
    }

    /// `a[at]`
    fn at(at: &Expr) -> Access {
        Access {
            facts: facts(),
            root: Some(Symbol(0)),
            ..Access::read_at(&x(0) + &(&Expr::int(8) * at), 8)
        }
    }

    #[test]
    fn values_show_what_the_tests_would_have_said() {
        let symbols = symbols();
        let both = Both::new(&symbols, OF, Symbol(1));
        let definitions = BTreeMap::new();
        let question = question(&symbols, &definitions, &both);
        let [k, n, m, p, q, j] = [1, 2, 3, 4, 5, 6].map(x);
        let (zero, one) = (Expr::zero(), Expr::one());
        let mut all = Vec::new();
        for row in [&k, &(&k - &Expr::one()), &(&k + &m), &zero, &n] {
            // That `m` is more than `p` follows from two facts: the columns differ, though the addresses need not.
            for column in [&zero, &m, &p, &k] {
                all.push(element(row, column));
            }
        }
        for index in [&k, &(&k + &n), &(&k * &m), &(&(&k * &m) + &q), &(&k + &p)] {
            all.push(at(index));
        }
        // Digits of which not all can be equal at once, whatever the first is.
        for (row, column) in [
            (&k - &one, zero.clone()),
            (&k + &one, j.clone()),
            (k.clone(), &j + &one),
        ] {
            all.push(at(&(&(&row * &m) + &column)));
        }
        let (mut met, mut apart) = (0, 0);
        for source in &all {
            for sink in &all {
                let (source, sink) = (question.prepared(source), question.prepared(sink));
                let proved = question.carried_with(&source, &sink, Effort::Full);
                let seen = question.carried_with(&source, &sink, Effort::ValuesFirst);
                assert_eq!(proved.answer, seen.answer);
                let is_apart = matches!(proved.answer, Answer::Independent(_));
                assert!(!(is_apart && seen.meet == Some(true)));
                met += usize::from(seen.meet == Some(true));
                apart += usize::from(is_apart);
            }
        }
        assert!(met > 50 && apart > 100, "{met} meet, {apart} do not");
    }

    #[test]
    fn a_vector_is_that_of_its_two_accesses_in_their_order() {
        let symbols = symbols();
        let both = Both::new(&symbols, OF, Symbol(1));
        let definitions = BTreeMap::new();
        let question = question(&symbols, &definitions, &both);
        let k = x(1);
        let all = [
            at(&k),
            at(&(&k - &Expr::one())),
            at(&(&k - &Expr::int(2))),
            at(&k),
        ];
        let mut asked = Asked::new(question, 0);
        for _ in 0..2 {
            for source in &all {
                for sink in &all {
                    let anew = asked.vector(&[Symbol(1)], source, sink);
                    match asked.known_vector(source, sink) {
                        Some(known) => assert_eq!(*known, *anew),
                        None => asked.keep_vector(source, sink, &anew.into()),
                    }
                }
            }
        }
        assert_eq!(asked.vectors.len(), 9);
    }
}
