//! Which answers about some facts are there already?
//!
//! The same is asked of the same facts again and again: by every access of a nest, in every pass over a loop. Answers that were dear are kept with the facts, until
//! something is added to these. An answer that is kept counts as much work as it did at first ([`crate::work_done`]), so that what rests on the
//! count is the same whoever asked before.

use crate::atom::Atom;
use crate::expr::Expr;
use crate::facts::Rests;
use crate::witness::Values;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// What a proof of `e >= 0` has come to.
#[derive(Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) rests: Option<Rests>,
    /// The work that it took.
    pub(crate) work: u64,
}

/// What an operation has become while something was simplified.
#[derive(Clone)]
pub(crate) struct Form {
    /// What it is, and what that rests on; `None` if nothing changes.
    pub(crate) simple: Option<(Expr, Rests)>,
    /// The work that it took.
    pub(crate) work: u64,
    /// How much of that several questions shared.
    pub(crate) shared: u64,
}

/// Most answers that are kept with some facts.
const MOST: usize = 256;

/// The least work of an answer that is kept.
pub(crate) const DEAR: u64 = 3000;

/// Answers by what was asked. A copy of the facts begins with none: something will be added to it.
#[derive(Default)]
pub(crate) struct Memo {
    answers: Mutex<HashMap<Expr, Answer>>,
    /// The same of what was asked while something was simplified: with fewer case distinctions.
    simple: Mutex<HashMap<Expr, Answer>>,
    /// What operations became while something was simplified.
    forms: Mutex<HashMap<Atom, Form>>,
    example: OnceLock<Option<Values>>,
    digest: OnceLock<u64>,
}

impl Memo {
    pub(crate) fn get(&self, e: &Expr) -> Option<Answer> {
        self.answers.lock().ok()?.get(e).copied()
    }

    /// What a proof of `e >= 0` came to while something was simplified.
    pub(crate) fn simple(&self, e: &Expr) -> Option<Answer> {
        self.simple.lock().ok()?.get(e).copied()
    }

    pub(crate) fn keep_simple(&self, e: &Expr, answer: Answer) {
        if let Ok(mut answers) = self.simple.lock()
            && answers.len() < MOST
        {
            answers.insert(e.clone(), answer);
        }
    }

    /// What an operation has become while something was simplified.
    pub(crate) fn form(&self, atom: &Atom) -> Option<Form> {
        self.forms.lock().ok()?.get(atom).cloned()
    }

    pub(crate) fn keep_form(&self, atom: &Atom, form: Form) {
        if let Ok(mut forms) = self.forms.lock()
            && forms.len() < MOST
        {
            forms.insert(atom.clone(), form);
        }
    }

    /// Values for which all facts hold, if some are found; they are looked for once.
    pub(crate) fn example(&self, find: impl FnOnce() -> Option<Values>) -> Option<&Values> {
        self.example.get_or_init(find).as_ref()
    }

    /// A number for what is known, which is computed once.
    pub(crate) fn digest(&self, compute: impl FnOnce() -> u64) -> u64 {
        *self.digest.get_or_init(compute)
    }

    pub(crate) fn keep(&self, e: &Expr, answer: Answer) {
        if let Ok(mut answers) = self.answers.lock()
            && answers.len() < MOST
        {
            answers.insert(e.clone(), answer);
        }
    }

    pub(crate) fn forget(&mut self) {
        *self = Memo::default();
    }
}

impl Clone for Memo {
    fn clone(&self) -> Memo {
        Memo::default()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{Expr, Facts, Symbol, work_done};

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    /// No numbers are like this, which takes more than a proof to see: nothing that is asked of the facts is refuted.
    pub(crate) fn without_example(facts: &mut Facts) {
        let (a, b) = (x(20), x(21));
        facts.assume_zero(&(&a * &a) - &(&Expr::int(2) * &(&b * &b)));
        facts.assume_positive(b);
    }

    /// Facts of a chain of maxima, and what does not follow from them, which takes many cases to see.
    fn facts() -> (Facts, Expr) {
        let mut facts = Facts::new();
        for number in 0..6 {
            let greatest = Expr::max(&x(number + 1), &x(number + 2));
            facts.assume_nonnegative(&x(number) - &greatest);
        }
        without_example(&mut facts);
        (facts, &(&x(0) - &x(7)) - &Expr::int(5))
    }

    fn work(ask: impl FnOnce() -> bool) -> (bool, u64) {
        let before = work_done();
        (ask(), work_done() - before)
    }

    #[test]
    fn an_answer_that_is_kept_is_the_same_and_counts_the_same_work() {
        let (facts, e) = facts();
        let first = work(|| facts.prove_nonnegative(&e));
        assert!(first.1 >= super::DEAR, "{first:?}");
        assert!(facts.store().memo.get(&e).is_some());
        assert_eq!(work(|| facts.prove_nonnegative(&e)), first);
        assert_eq!(work(|| facts.clone().prove_nonnegative(&e)), first);
    }

    #[test]
    fn an_answer_does_not_outlive_the_facts() {
        let (mut facts, e) = facts();
        assert!(!facts.prove_nonnegative(&e));
        assert!(facts.store().memo.get(&e).is_some());
        facts.assume_nonnegative(&e - &x(9));
        facts.assume_nonnegative(x(9));
        assert!(facts.prove_nonnegative(&e));
    }

    #[test]
    fn a_number_for_what_is_known_goes_with_it() {
        let facts = |numbers: &[u32]| {
            let mut facts = Facts::new();
            numbers
                .iter()
                .for_each(|number| facts.assume_nonnegative(x(*number)));
            facts
        };
        let mut one = facts(&[1]);
        let first = one.digest();
        one.assume_nonnegative(x(2));
        assert_eq!(one.digest(), facts(&[1, 2]).digest());
        assert!(one.digest() != first && facts(&[1]).digest() == first);
        assert_eq!(one.without_symbol(Symbol(2)).digest(), first);
    }
}
