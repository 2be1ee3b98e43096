//! The sections that functions touch, each found when it is first asked for.
//!
//! Most functions of a program are walked where they are called, or called where nobody looks. What a summary says does not depend on when it is asked: a function is
//! summarized by what was known before the user's words and a program's expansions came in, and by the summaries of those that come before it.

use super::Effects;
use super::summary::{Summary, in_order, of_function};
use ferry_ir::{FunctionRef, Unit};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};

/// The summaries of a unit's functions.
#[derive(Clone, Debug, Default)]
pub(super) enum Sections {
    /// There are none.
    #[default]
    Nowhere,
    /// Where others ask.
    Known(Arc<Unfinished>),
    /// Where a function is summarized itself.
    Within(Weak<Unfinished>),
}

#[derive(Debug)]
pub(super) struct Unfinished {
    effects: Effects,
    order: BTreeMap<FunctionRef, usize>,
    found: Vec<OnceLock<Option<Arc<Summary>>>>,
}

thread_local! {
    /// The places in the order of the functions that are being summarized, with whose they are.
    static OPEN: RefCell<Vec<(*const Unfinished, usize)>> = const { RefCell::new(Vec::new()) };
}

impl Sections {
    /// Nothing has been asked yet.
    pub fn of_unit(unit: &Unit, effects: &Effects, only_in_loops: bool) -> Sections {
        let order = in_order(unit, effects, only_in_loops);
        if order.is_empty() {
            return Sections::Nowhere;
        }
        Sections::Known(Arc::new_cyclic(|own| Unfinished {
            effects: Effects {
                sections: Sections::Within(own.clone()),
                ..effects.clone()
            },
            found: order.iter().map(|_| OnceLock::new()).collect(),
            order: order.into_iter().zip(0..).collect(),
        }))
    }

    /// What a function touches, if it is one of those that are summarized, and that is known.
    pub fn of_function(&self, unit: &Unit, function: FunctionRef) -> Option<Arc<Summary>> {
        match self {
            Sections::Nowhere => None,
            Sections::Known(unfinished) => unfinished.of_function(unit, function),
            Sections::Within(unfinished) => unfinished.upgrade()?.of_function(unit, function),
        }
    }
}

impl Unfinished {
    fn of_function(&self, unit: &Unit, function: FunctionRef) -> Option<Arc<Summary>> {
        let place = *self.order.get(&function)?;
        let own: *const Unfinished = self;
        // One that is summarized knows those that come before it: no function waits for itself.
        let open = OPEN.with_borrow(|open| open.iter().rev().find(|(of, _)| *of == own).copied());
        if open.is_some_and(|(_, asking)| asking <= place) {
            return None;
        }
        let found = self.found.get(place)?.get_or_init(|| {
            OPEN.with_borrow_mut(|open| open.push((own, place)));
            let found = of_function(unit, function, &self.effects).map(Arc::new);
            OPEN.with_borrow_mut(Vec::pop);
            found
        });
        found.clone()
    }
}
