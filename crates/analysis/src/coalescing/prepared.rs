//! What is known of an access before it is asked for a mapping: it is asked for many.

use super::Tables;
use super::alike::Kinds;
use super::numbers::known;
use crate::access::{Access, Guard};
use crate::value::Values;
use ferry_ir::Types;
use ferry_symbolic::{Condition, Expr};
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// The address of an access, with definitions put in and numbers for constants that have names.
pub(super) fn address(values: &Values, access: &Access) -> Option<Expr> {
    let address = values.defined(access.address.as_ref()?);
    Some(known(values, &access.facts, &address))
}

/// What the accesses of a kernel have in common.
#[derive(Default)]
pub struct Common {
    /// Counts.
    pub(super) tables: Tables,
    /// Which of them are alike.
    pub(super) kinds: Kinds,
}

/// An access, ready to be asked what it costs.
pub struct Prepared<'a> {
    pub(super) access: &'a Access,
    /// With numbers for constants that have names; `None` if unknown.
    pub(super) address: Option<Expr>,
    /// Conditions on its path that do not hold in every iteration anyway, as the tests of the loops do, each with the number of loops around it.
    pub(super) guards: Vec<(usize, Option<Condition>)>,
    /// All accesses of which it is the first, if its pointer is one of several, each with the condition on which it is made instead of the others, if known.
    /// What they have in common is in `guards`.
    pub(super) alternatives: Vec<(Prepared<'a>, Option<Condition>)>,
    /// Of expressions that were asked for: whether they are certainly positive.
    positive: RefCell<Vec<(Expr, bool)>>,
    /// What it has in common with others.
    pub(super) common: Rc<Common>,
    /// The number of its kind, once that was asked for.
    kind: OnceCell<Option<usize>>,
}

impl<'a> Prepared<'a> {
    /// Looks at an access, together with its alternatives if it is the first of several. All accesses may share what they have in common.
    pub fn new(values: &'a Values, access: &'a Access, common: Rc<Common>) -> Prepared<'a> {
        let several = access
            .choice
            .as_ref()
            .filter(|choice| choice.of > 1 && choice.number == 0);
        let all = several.and_then(|choice| {
            let first = values.accesses.iter().position(|one| one.order == access.order)?;
            values.accesses.get(first..first + choice.of)
        });
        let Some(all) = all else {
            return Prepared::of(values, access, &access.guards, common);
        };
        let own = all.iter().map(|one| {
            let (last, shared) = one.guards.split_last()?;
            let prepared = Prepared::of(values, one, shared, common.clone());
            Some((prepared, last.known().cloned()))
        });
        let shared = access.guards.split_last().map_or(&[][..], |(_, shared)| shared);
        Prepared {
            alternatives: own.flatten().collect(),
            ..Prepared::of(values, access, shared, common.clone())
        }
    }

    /// The same for an access by itself, with some of the conditions on its path.
    fn of(values: &Values, access: &'a Access, guards: &[Guard], common: Rc<Common>) -> Prepared<'a> {
        let inside = access
            .loops
            .last()
            .map(|index| &values.loops[index.0 as usize].facts_inside);
        let always = |condition: &Condition| inside.is_some_and(|facts| facts.prove(condition));
        let guards = guards.iter().map(|guard| (guard.loops, guard.known().cloned()));
        Prepared {
            access,
            address: address(values, access),
            guards: guards
                .filter(|(_, condition)| condition.as_ref().is_none_or(|condition| !always(condition)))
                .collect(),
            alternatives: Vec::new(),
            positive: RefCell::default(),
            common,
            kind: OnceCell::new(),
        }
    }

    /// The access.
    pub fn access(&self) -> &'a Access {
        self.access
    }

    /// The number of its kind: those that have the same cost warps the same (see [`super::Answers`]). `None` for one that is like no other.
    pub fn kind(&self, values: &Values, types: &Types) -> Option<usize> {
        *self
            .kind
            .get_or_init(|| self.common.kinds.number(values, types, self))
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
