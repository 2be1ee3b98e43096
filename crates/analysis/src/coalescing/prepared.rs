//! What is known of an access before it is asked for a mapping: it is asked for many.

use super::Tables;
use super::numbers::known;
use crate::access::Access;
use crate::value::Values;
use ferry_symbolic::{Condition, Expr};
use std::cell::RefCell;
use std::rc::Rc;

/// The address of an access, with definitions put in and numbers for constants that have names.
pub(super) fn address(values: &Values, access: &Access) -> Option<Expr> {
    let address = values.defined(access.address.as_ref()?);
    Some(known(values, &access.facts, &address))
}

/// An access, ready to be asked what it costs.
pub struct Prepared<'a> {
    pub(super) access: &'a Access,
    /// With numbers for constants that have names; `None` if unknown.
    pub(super) address: Option<Expr>,
    /// Conditions on its path that do not hold in every iteration anyway, as the tests of the loops do, each with the number of loops around it.
    pub(super) guards: Vec<(usize, Option<Condition>)>,
    /// Of expressions that were asked for: whether they are certainly positive.
    positive: RefCell<Vec<(Expr, bool)>>,
    /// Counts that accesses have in common.
    pub(super) tables: Rc<Tables>,
}

impl<'a> Prepared<'a> {
    /// Looks at an access. All accesses may share the tables.
    pub fn new(values: &Values, access: &'a Access, tables: Rc<Tables>) -> Prepared<'a> {
        let inside = access
            .loops
            .last()
            .map(|index| &values.loops[index.0 as usize].facts_inside);
        let always = |condition: &Condition| inside.is_some_and(|facts| facts.prove(condition));
        let guards = access
            .guards
            .iter()
            .map(|guard| (guard.loops, guard.known().cloned()));
        Prepared {
            access,
            address: address(values, access),
            guards: guards
                .filter(|(_, condition)| condition.as_ref().is_none_or(|condition| !always(condition)))
                .collect(),
            positive: RefCell::default(),
            tables,
        }
    }

    /// The access.
    pub fn access(&self) -> &'a Access {
        self.access
    }

    /// True if an expression is proved to be positive where the access happens.
    pub(super) fn is_positive(&self, expr: &Expr) -> bool {
        let asked = self
            .positive
            .borrow()
            .iter()
            .find(|(known, _)| known == expr)
            .map(|(_, answer)| *answer);
        asked.unwrap_or_else(|| {
            let answer = self.access.facts.prove(&Condition::positive(expr));
            self.positive.borrow_mut().push((expr.clone(), answer));
            answer
        })
    }
}
