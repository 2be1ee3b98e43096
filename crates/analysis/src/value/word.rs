//! What does the user say of values at a statement?
//!
//! An assumption becomes facts of the state, in terms of the values that variables have there. What the facts contradict
//! already is kept, to be said. How much storage a pointer leads to is kept for its root: from the function's beginning on for everything that asks for
//! sizes, else for the accesses to which the state comes. A function that is walked where it is called brings no assumptions with it.

use super::Walker;
use crate::state::State;
use crate::word::Assumption;
use ferry_ir::{LocalId, Place, PlaceBase, StmtId, Type, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known where an assumption is made, and is not what it says.
const CONTRADICTS: &str = "what is known here contradicts it";

impl<'a> Walker<'a> {
    /// What is said of the beginning of the function.
    pub fn assume_at_entry(&mut self, state: &mut State) {
        // C11 5.1.2.2.1: the number of a program's arguments is not negative.
        if self.function.name == "main"
            && let Some(number) = state.get(VariableRef::Local(LocalId(0))).cloned()
            && self.function.parameters > 0
        {
            state.facts.assume_nonnegative(number);
        }
        if let Some(word) = self.word {
            for assumption in &word.entry {
                self.believe(assumption, state, true);
            }
        }
    }

    /// What is said of the place before a statement.
    pub fn assume_before(&mut self, stmt: StmtId, state: &mut State) {
        let Some(word) = self.word.filter(|_| self.inside.is_empty()) else {
            return;
        };
        for assumption in word.before.get(&stmt).into_iter().flatten() {
            self.believe(assumption, state, false);
        }
    }

    fn believe(&mut self, assumption: &'a Assumption, state: &mut State, at_entry: bool) {
        let conditions = assumption.conditions(&|variable| state.get(variable).cloned());
        for condition in conditions {
            // Where nothing can be, everything is proved.
            if self.recording() && state.facts.prove(&condition.not()) && !state.facts.infeasible() {
                self.contradicted
                    .push((assumption.clone(), CONTRADICTS.to_owned()));
                return;
            }
            state.facts.assume(&condition);
            self.said.insert(assumption.rests.clone());
            self.rests.insert(assumption.rests.clone());
        }
        let mut values: BTreeMap<VariableRef, Expr> = BTreeMap::new();
        for variable in assumption.variables_of_extents() {
            if let Some(value) = self.value_unseen(variable, state) {
                values.insert(variable, value);
            }
        }
        for (pointer, length) in assumption.extents(&|variable| values.get(&variable).cloned()) {
            let storage = self.storage_behind(pointer, values.get(&pointer), length, state);
            match storage {
                Ok((root, bytes)) => {
                    self.said.insert(assumption.rests.clone());
                    self.rests.insert(assumption.rests.clone());
                    if at_entry {
                        self.extents.entry(root).or_insert(bytes);
                    } else {
                        Rc::make_mut(&mut state.extents).insert(root, bytes);
                    }
                }
                Err(why) if self.recording() => {
                    self.contradicted.push((assumption.clone(), why));
                    return;
                }
                Err(_) => return,
            }
        }
    }

    /// The value of a variable, without an access of the program's.
    fn value_unseen(&mut self, variable: VariableRef, state: &mut State) -> Option<Expr> {
        if self.tracked(variable) {
            return state.get(variable).cloned();
        }
        let place = Place {
            base: PlaceBase::Variable(variable),
            path: Vec::new(),
            ty: self.type_of(variable),
            volatile: false,
            origin: Origin::New,
        };
        self.scanning += 1;
        let value = self.read(&place, state);
        self.scanning -= 1;
        value
    }

    /// The storage that a pointer with this value leads to, and how many bytes it has if it goes on for so many elements.
    fn storage_behind(
        &self,
        pointer: VariableRef,
        value: Option<&Expr>,
        length: Option<Expr>,
        state: &State,
    ) -> Result<(Symbol, Expr), String> {
        let types = &self.unit.types;
        let not_known = || "what the pointer leads to is not known here".to_owned();
        let value = value.ok_or_else(not_known)?;
        let length = length.ok_or("the length is not known here")?;
        let Type::Pointer(element) = *types.get(self.type_of(pointer)) else {
            return Err(not_known());
        };
        let size = types.size(element).ok_or_else(not_known)?;
        let root = self.root(value).ok_or_else(not_known)?;
        if self.choices.contains_key(&root) {
            return Err("the pointer is one of several here".to_owned());
        }
        let before = value - &Expr::symbol(root);
        let known = self.extents.get(&root);
        // Where it begins decides how lengths are written, which could overflow.
        if !(before.is_zero() || known.is_some() && state.facts.prove_nonnegative(&before)) {
            return Err("the pointer may lead to the middle of its storage here".to_owned());
        }
        let bytes = &before + &(&length * &Expr::int(i128::from(size)));
        let is_longer = known.is_some_and(|known| state.facts.prove_positive(&(&bytes - known)));
        if (is_longer || state.facts.prove_positive(&-&length)) && !state.facts.infeasible() {
            return Err(CONTRADICTS.to_owned());
        }
        Ok((root, bytes))
    }
}
