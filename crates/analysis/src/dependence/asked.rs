//! Which questions about a loop were asked before, and how many more may be?
//!
//! What is true of two accesses is true of all that are like them ([`Kinds`]).
//!
//! Work is limited, in questions and in what proofs do: of a loop with many pairs that no test decides, the later ones are asked by the cheap tests alone, and
//! at last by none. Integer sets are asked last, and only so often.
//! Such a loop is not parallel anyway, but for conditions, of which there is one for some hundred pairs at most.

use super::alike::Kinds;
use super::exact::Left;
use super::{Answer, Question, Rung};
use crate::access::Access;
use ferry_symbolic::work_done;
use rustc_hash::FxHashMap;

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
    kinds: Kinds<'a>,
    answers: FxHashMap<(usize, usize), Answer>,
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
            kinds: Kinds::new(question.symbols, question.of),
            answers: FxHashMap::default(),
            undecided: 0,
            in_vain: 0,
            left: Left::everything(),
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
        let answer = match self.answers.len() {
            MOST_QUESTIONS.. => return Answer::Unknown,
            _ if is_enough => self.question.carried_at_once(first, second),
            _ => self.question.carried(first, second),
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
}
