//! Verdicts of those loops alone that somebody asks for.
//!
//! `verify` reads the verdicts of loops with directives, and most of what it says needs no more of them than the names of variables: pairs of accesses
//! and regions, which are dear, are asked for where a verdict decides something.
//!
//! What it cannot do: say every obstacle of a loop; the first one that is found is enough.

use super::set_inside::SetInside;
use super::{Detail, FunctionFacts, Judge, Verdict, analyse, loop_statements, scalars_of};
use crate::dependence::Both;
use crate::effects::Effects;
use crate::loops::LoopIndex;
use crate::regions::Regions;
use crate::value::walk_within;
use ferry_ir::{FunctionRef, Stmt, StmtId, Unit};
use ferry_symbolic::{Facts, Symbol};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The verdicts on the loops of a function.
pub struct OnDemand<'a> {
    unit: &'a Unit,
    effects: &'a Effects,
    facts: &'a FunctionFacts,
    statements: BTreeMap<StmtId, &'a Stmt>,
    regions: OnceCell<Regions<'a>>,
    by_name: Vec<OnceCell<Verdict>>,
    whole: Vec<OnceCell<Verdict>>,
}

impl<'a> OnDemand<'a> {
    /// The facts of a function without verdicts. Where the user says something of the function they are there: what they rest on is found by a comparison of all.
    pub fn facts(unit: &Unit, function: FunctionRef, effects: &Effects) -> FunctionFacts {
        if effects.word(function).is_some() {
            return analyse(unit, function, effects);
        }
        let values = walk_within(unit, function, effects, None, None, &[]);
        FunctionFacts {
            function,
            scalars: scalars_of(unit, function, &values),
            values,
            verdicts: Vec::new(),
        }
    }

    /// Nothing has been asked yet.
    pub fn new(unit: &'a Unit, effects: &'a Effects, facts: &'a FunctionFacts) -> OnDemand<'a> {
        let empty = || facts.values.loops.iter().map(|_| OnceCell::new()).collect();
        OnDemand {
            unit,
            effects,
            facts,
            statements: loop_statements(unit, facts.function),
            regions: OnceCell::new(),
            by_name: empty(),
            whole: empty(),
        }
    }

    /// A verdict as far as it is known without a look at memory: the form of the loop, and what becomes of variables that are followed by their names.
    pub fn by_name(&self, index: LoopIndex) -> Option<&Verdict> {
        self.asked(index, &self.by_name, |judge| match judge.parts() {
            Some((_, inner, scalars)) => {
                judge
                    .by_name(&judge.updates(inner, scalars), &SetInside::default())
                    .0
            }
            None => judge.unjudged(),
        })
    }

    /// A verdict, with one obstacle if there are any.
    pub fn verdict(&self, index: LoopIndex) -> Option<&Verdict> {
        self.asked(index, &self.whole, |judge| judge.verdict())
    }

    fn asked<'s>(
        &'s self,
        index: LoopIndex,
        kept: &'s [OnceCell<Verdict>],
        ask: impl FnOnce(&Judge<'_>) -> Verdict,
    ) -> Option<&'s Verdict> {
        let number = index.0 as usize;
        if let Some(known) = self.facts.verdicts.get(number) {
            return Some(known);
        }
        let of = self.facts.values.loops.get(number)?;
        let copies = |stmt: &Stmt, root: Symbol, facts: &Facts| {
            let make =
                || Regions::asked_for(self.unit, self.facts.function, self.effects, &self.facts.values);
            self.regions.get_or_init(make).scratch(stmt, root, facts)
        };
        Some(kept.get(number)?.get_or_init(|| {
            ask(&Judge {
                unit: self.unit,
                function: self.unit.function(self.facts.function),
                values: &self.facts.values,
                copies: &copies,
                facts: of,
                index,
                scalars: self.facts.scalars.get(&of.stmt),
                stmt: self.statements.get(&of.stmt).copied(),
                detail: Detail::First,
                independent: None,
                both: Both::among(
                    &self.facts.values.symbols,
                    of.stmt,
                    of.counter,
                    &self.facts.values.loops,
                ),
                alike: OnceCell::new(),
            })
        }))
    }
}
