//! What does the user say of values at a statement?
//!
//! An assumption becomes facts of the state, in terms of the values that variables have there. What the facts contradict
//! already is kept, to be said. A function that is walked where it is called brings no assumptions with it.

use super::Walker;
use crate::state::State;
use crate::word::Assumption;
use ferry_ir::{LocalId, StmtId, VariableRef};

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
                self.believe(assumption, state);
            }
        }
    }

    /// What is said of the place before a statement.
    pub fn assume_before(&mut self, stmt: StmtId, state: &mut State) {
        let Some(word) = self.word.filter(|_| self.inside.is_empty()) else {
            return;
        };
        for assumption in word.before.get(&stmt).into_iter().flatten() {
            self.believe(assumption, state);
        }
    }

    fn believe(&mut self, assumption: &'a Assumption, state: &mut State) {
        let conditions = assumption.conditions(&|variable| state.get(variable).cloned());
        for condition in conditions {
            // Where nothing can be, everything is proved.
            if self.recording() && state.facts.prove(&condition.not()) && !state.facts.infeasible() {
                self.contradicted.push(assumption.clone());
                return;
            }
            state.facts.assume(&condition);
            self.said.insert(assumption.rests.clone());
            self.rests.insert(assumption.rests.clone());
        }
    }
}
