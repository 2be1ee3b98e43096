//! Which objects can every iteration of a loop have for itself, so that what they hold does not keep the iterations in order?
//!
//! Asked only of objects in which a dependence between iterations could not be excluded ([`crate::regions::Scratch`]).

use super::conditions::Conditions;
use super::{Judge, Verdict};
use crate::access::Access;
use crate::regions::{Later, Scratch};
use crate::symbols::SymbolKind;
use ferry_ir::VariableRef;
use ferry_symbolic::Symbol;
use std::collections::BTreeMap;

/// The answers for one loop.
pub(super) struct Private<'j, 'a> {
    judge: &'j Judge<'a>,
    asked: BTreeMap<Symbol, Option<Object>>,
}

struct Object {
    variable: VariableRef,
    scratch: Scratch,
    /// Its condition is one of the loop's, or there is none.
    taken: bool,
}

impl Judge<'_> {
    /// True if a function that the loop calls, and of which only sections are known, may reach a variable of the file by its name: it would not see the copy of an iteration.
    fn is_named_by_called(&self, root: Symbol, variable: VariableRef) -> bool {
        let of_user = |access: &Access| {
            let called = access.called.map(|id| self.unit.function(id));
            access.summary.is_some() && called.is_some_and(|function| function.body.is_some())
        };
        let mut own = self
            .values
            .accesses
            .iter()
            .filter(|access| access.root == Some(root));
        matches!(variable, VariableRef::Global(_))
            && own.any(|access| access.loops.contains(&self.index) && of_user(access))
    }
}

impl<'j, 'a> Private<'j, 'a> {
    /// Nothing has been asked yet.
    pub fn new(judge: &'j Judge<'a>) -> Private<'j, 'a> {
        Private {
            judge,
            asked: BTreeMap::new(),
        }
    }

    fn object(&mut self, root: Symbol) -> Option<&mut Object> {
        let judge = self.judge;
        let ask = || {
            let SymbolKind::Address(variable) = judge.values.symbols.info(root).kind else {
                return None;
            };
            if judge.is_named_by_called(root, variable) {
                return None;
            }
            let scratch = (judge.copies)(judge.stmt?, root, &judge.facts.before.facts)?;
            Some(Object {
                variable,
                taken: scratch.needs.is_always(),
                scratch,
            })
        };
        self.asked.entry(root).or_insert_with(ask).as_mut()
    }

    /// True if every iteration can have the object for itself, under the loop's conditions as they are.
    pub fn is_private(&mut self, root: Symbol) -> bool {
        self.object(root).is_some_and(|object| object.taken)
    }

    /// True if every iteration can have the object for itself under a condition, which is one of the loop's now.
    pub fn is_private_if(
        &mut self,
        root: Symbol,
        conditions: &mut Conditions<'j, 'a>,
        pair: (&'j Access, &'j Access),
    ) -> bool {
        self.object(root).is_some_and(|object| {
            object.taken = conditions.add_private(&object.scratch.needs, pair);
            object.taken
        })
    }

    /// Puts them among the private variables of a verdict; with its conditions, those too that rest on one.
    pub fn note(&self, verdict: &mut Verdict, with_conditions: bool) {
        let objects = self.asked.values().flatten();
        let taken =
            objects.filter(|object| object.taken && (with_conditions || object.scratch.needs.is_always()));
        for object in taken {
            verdict.private.insert(object.variable);
            if object.scratch.later == Later::Last {
                verdict.last_private.insert(object.variable);
            }
        }
    }
}
