//! Was this asked before? Regions ask for the same unions and differences again and again, so the last answers of each thread are kept.
//!
//! An answer depends on nothing but the question and the limits on work and pieces, so what is remembered changes the cost alone.

use super::ask::{piece_limit, work_limit};
use super::{Set, Unknown};
use crate::expr::Expr;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// Answers that are kept; past that all are forgotten.
const MOST: usize = 4_000;

/// A question whose answer is a set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// The points of the first that are not in the second.
    Difference(Set, Set),
    /// The same points in simpler pieces, where these parameters may have any value.
    Simplified(Set, BTreeSet<Expr>),
}

/// A question, and the limits on work and pieces.
type Key = (Question, u64, usize);

thread_local! {
    static ANSWERS: RefCell<HashMap<Key, Result<Set, Unknown>>> = RefCell::new(HashMap::new());
}

/// The answer, which is computed only if it is not remembered.
pub(super) fn answer(
    question: Question,
    compute: impl FnOnce() -> Result<Set, Unknown>,
) -> Result<Set, Unknown> {
    let key = (question, work_limit(), piece_limit());
    let known = ANSWERS.try_with(|answers| answers.try_borrow().ok()?.get(&key).cloned());
    if let Ok(Some(known)) = known {
        return known;
    }
    let found = compute();
    // At the end of a thread nothing is kept.
    let _ = ANSWERS.try_with(|answers| {
        if let Ok(mut answers) = answers.try_borrow_mut() {
            if answers.len() >= MOST {
                answers.clear();
            }
            answers.insert(key, found.clone());
        }
    });
    found
}
