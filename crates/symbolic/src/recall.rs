//! Was the same asked of other facts that are the same?
//!
//! An analysis puts the same facts together again and again: for each pair of accesses, for each step of a walk. What was dear to answer is kept with the facts that it was
//! asked of, and holds for all that are known in the same form and rest on the same tags. It counts as much work as it did at first.

use crate::atom::Symbol;
use crate::bound::Bound;
use crate::expr::Expr;
use crate::facts::Facts;
use crate::memo::{Answer, DEAR};
use crate::prover::{count_work, work_done};
use std::cell::RefCell;
use std::collections::HashMap;

/// Most facts with which answers are kept; past that all are forgotten.
const MOST: usize = 600;

/// The least work of an answer that is kept.
const LEAST: u64 = 2 * DEAR;

/// The least upper bound of an expression over these symbols.
type Question = (Expr, Vec<Symbol>);

/// Some facts with what was asked of them.
struct Known {
    facts: Facts,
    nonnegative: HashMap<Expr, Answer>,
    greatest: HashMap<Question, (Option<Bound>, u64)>,
}

thread_local! {
    /// By a number that facts have in common that are the same.
    static KNOWN: RefCell<HashMap<u64, Vec<Known>>> = RefCell::new(HashMap::new());
}

/// Does something with what is kept for the same facts; with `add`, these are added if they are not there.
fn with<T>(facts: &Facts, add: bool, work: impl FnOnce(&mut Known) -> Option<T>) -> Option<T> {
    let asked = KNOWN.try_with(|known| {
        let mut known = known.try_borrow_mut().ok()?;
        if add && known.len() >= MOST {
            known.clear();
        }
        let digest = facts.digest();
        let alike = match add {
            true => known.entry(digest).or_default(),
            false => known.get_mut(&digest)?,
        };
        let place = alike.iter().position(|one| one.facts.is_identical(facts));
        match place {
            Some(place) => work(&mut alike[place]),
            None if add => {
                alike.push(Known {
                    facts: facts.clone(),
                    nonnegative: HashMap::new(),
                    greatest: HashMap::new(),
                });
                work(alike.last_mut()?)
            }
            None => None,
        }
    });
    // At the end of a thread nothing is kept.
    asked.ok().flatten()
}

/// What a proof of `e >= 0` came to.
pub(crate) fn nonnegative(facts: &Facts, e: &Expr) -> Option<Answer> {
    with(facts, false, |known| known.nonnegative.get(e).copied())
}

/// Keeps what a proof of `e >= 0` came to, if it was dear.
pub(crate) fn keep_nonnegative(facts: &Facts, e: &Expr, answer: Answer) {
    if answer.work >= LEAST {
        with(facts, true, |known| known.nonnegative.insert(e.clone(), answer));
    }
}

/// An upper bound, which is computed only if it is not known.
pub(crate) fn greatest(
    facts: &Facts,
    e: &Expr,
    eliminate: &[Symbol],
    compute: impl FnOnce() -> Option<Bound>,
) -> Option<Bound> {
    let question = (e.clone(), eliminate.to_vec());
    if let Some((bound, work)) = with(facts, false, |known| known.greatest.get(&question).cloned()) {
        count_work(work);
        return bound;
    }
    let before = work_done();
    let bound = compute();
    let work = work_done().wrapping_sub(before);
    if work >= LEAST {
        with(facts, true, |known| {
            known.greatest.insert(question, (bound.clone(), work))
        });
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::{keep_nonnegative, nonnegative};
    use crate::memo::Answer;
    use crate::memo::tests::without_example;
    use crate::{Condition, Expr, Facts, Symbol, work_done};

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    /// Facts of a chain of maxima, put together anew, each with its tag; and what does not follow from them.
    fn facts(first_tag: u32) -> (Facts, Expr) {
        let mut facts = Facts::new();
        for number in 0..6 {
            let greatest = Expr::max(&x(number + 1), &x(number + 2));
            let condition = Condition::less_equal(&greatest, &x(number));
            facts.assume_tagged(&condition, first_tag + number);
        }
        without_example(&mut facts);
        (facts, &(&x(0) - &x(7)) - &Expr::int(5))
    }

    fn work(ask: impl FnOnce() -> bool) -> (bool, u64) {
        let before = work_done();
        (ask(), work_done() - before)
    }

    #[test]
    fn other_facts_that_are_the_same_have_the_same_answer() {
        let (one, e) = facts(0);
        let (two, _) = facts(0);
        assert!(nonnegative(&two, &e).is_none());
        let first = work(|| one.prove_nonnegative(&e));
        assert!(
            nonnegative(&two, &e).is_some_and(|known| known.work == first.1),
            "{first:?}"
        );
        assert_eq!(work(|| two.prove_nonnegative(&e)), first);
        let mut more = two.clone();
        more.assume_nonnegative(&e - &Expr::max(&x(9), &Expr::zero()));
        assert!(more.prove_nonnegative(&e));
    }

    #[test]
    fn an_answer_rests_on_the_tags_of_its_own_facts() {
        let (one, e) = facts(10);
        let answer = Answer {
            rests: None,
            work: super::LEAST,
        };
        keep_nonnegative(&one, &e, answer);
        assert!(nonnegative(&facts(10).0, &e).is_some());
        assert!(nonnegative(&facts(20).0, &e).is_none());
    }
}
