//! Under which condition is a place in the program reached?

use crate::access::Guard;
use crate::value::Outcomes;
use ferry_symbolic::{Condition, Symbol};
use std::collections::BTreeSet;

/// A condition on symbols, or what is known of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Gate {
    /// Holds whenever it is open; `None` if nothing is known.
    pub condition: Option<Condition>,
    /// It is open whenever the condition holds, too.
    pub exact: bool,
}

impl Gate {
    /// Always open.
    pub fn always() -> Gate {
        Gate::known(Condition::always())
    }

    /// Never open.
    pub fn never() -> Gate {
        Gate::known(Condition::never())
    }

    /// Nothing is known.
    pub fn unknown() -> Gate {
        Gate {
            condition: None,
            exact: false,
        }
    }

    /// Open exactly where the condition holds.
    pub fn known(condition: Condition) -> Gate {
        Gate {
            condition: Some(condition),
            exact: true,
        }
    }

    /// One outcome of a test.
    pub fn outcome(outcomes: Option<&Outcomes>, outcome: bool) -> Gate {
        let Some(outcomes) = outcomes else {
            return Gate::unknown();
        };
        let condition = if outcome {
            outcomes.when_true.clone()
        } else {
            outcomes.when_false.clone()
        };
        let exact = outcomes.exact && condition.is_some();
        Gate { condition, exact }
    }

    /// A condition on the path of an access.
    pub fn of_guard(guard: &Guard) -> Gate {
        Gate {
            condition: guard.condition.clone(),
            exact: guard.exact,
        }
    }

    /// True if it is certainly always open.
    pub fn is_always(&self) -> bool {
        self.exact && self.condition.as_ref().is_some_and(Condition::is_always)
    }

    /// True if it is certainly never open.
    pub fn is_never(&self) -> bool {
        self.condition.as_ref().is_some_and(Condition::is_never)
    }

    /// Open where both are.
    pub fn and(&self, other: &Gate) -> Gate {
        if self.is_never() || other.is_never() {
            return Gate::never();
        }
        let condition = match (&self.condition, &other.condition) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (one, two) => one.clone().or_else(|| two.clone()),
        };
        Gate {
            condition,
            exact: self.exact && other.exact,
        }
    }

    /// Open where one of them is.
    pub fn or(&self, other: &Gate) -> Gate {
        if self.is_never() {
            return other.clone();
        }
        if other.is_never() {
            return self.clone();
        }
        if self.is_always() || other.is_always() {
            return Gate::always();
        }
        let condition = match (&self.condition, &other.condition) {
            (Some(a), Some(b)) => Some(a.or(b)),
            _ => None,
        };
        Gate {
            exact: self.exact && other.exact && condition.is_some(),
            condition,
        }
    }

    /// The symbols of its condition.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.condition
            .as_ref()
            .map(Condition::symbols)
            .unwrap_or_default()
    }
}
