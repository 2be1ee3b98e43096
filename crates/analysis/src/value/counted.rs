//! Which unsigned counters do not wrap around, as the loop ends before?
//!
//! `size_t k = 0; for (int i = 0; i < n; i++) a[k++] = …;`: no iteration has a `k` that is too great, as an `int` counts them. That is taken to hold when an iteration is scanned,
//! and proved of the closed form that comes out: where it holds of the first iterations, what they do is known, and so it holds of the next one. Counters of loops inside may be greater
//! by what an `int` counts there.
//!
//! What it cannot do: counters of three loops whose lengths are of `int`, which may count further, and counters in loops that unsigned variables count.

use super::Walker;
use super::loops::Recurrence;
use crate::scalar::expr_mentions;
use crate::shape;
use crate::state::State;
use ferry_ir::{Loop, Place, Stmt, Type, VariableRef};
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::BTreeMap;

/// Most loops around one that are looked at.
const DEEPEST: usize = 8;

impl Walker<'_> {
    /// The greatest value that an unsigned variable is taken to have at the start of an iteration of a loop inside so many others, if it looks like a counter.
    pub(super) fn most_of_counter(
        &self,
        stmt: &Stmt,
        inner: &Loop,
        variable: VariableRef,
        depth: usize,
    ) -> Option<Integer> {
        let Type::Int { bits, signed: false } = *self.unit.types.get(self.type_of(variable)) else {
            return None;
        };
        let deeper = Integer::new(depth as i128);
        let most = match (bits, depth) {
            // A triangle of `int` has less than 2^62 elements, and what an `int` counts by small steps is less than 2^58.
            (64, 0..DEEPEST) => &Integer::power_of_two(62) + &(&deeper * &Integer::power_of_two(58)),
            (32, 0..2) => &(&Integer::power_of_two(31) - &Integer::new(1)) * &(&deeper + &Integer::new(1)),
            _ => return None,
        };
        let is_tested = inner.condition.iter().any(|test| expr_mentions(test, variable));
        let fits =
            !is_tested && !self.no_counters.contains(&(stmt.id, variable)) && is_stepped(inner, variable);
        fits.then_some(most)
    }

    /// True if the closed form is never greater than that, nor negative, in any iteration that comes before a counter of the loop would leave its type.
    pub(super) fn stays_below(
        &self,
        variable: VariableRef,
        most: &Integer,
        known: &BTreeMap<VariableRef, Recurrence>,
        counter: Symbol,
        before: &State,
    ) -> bool {
        let Some(closed @ Recurrence::Closed { .. }) = known.get(&variable) else {
            return false;
        };
        let mut facts = before.facts.clone();
        facts.assume_nonnegative(Expr::symbol(counter));
        for (other, value) in known {
            // What is to be proved says nothing of itself.
            let counts =
                *other != variable && matches!(value, Recurrence::Closed { growth, .. } if growth.is_zero());
            if let Some((low, high)) = self.type_range(self.type_of(*other)).filter(|_| counts) {
                let signed = low.is_negative();
                let value = value.at(counter);
                if signed && !self.unit.dialect.wrapping {
                    facts.assume_nonnegative(&value - &Expr::constant(low));
                    facts.assume_nonnegative(&Expr::constant(high) - &value);
                }
            }
        }
        let value = closed.at(counter);
        let state = State {
            facts,
            ..State::default()
        };
        self.lies_between(&value, Integer::new(0), most.clone(), &state)
    }
}

/// The loop changes the variable from what it was, perhaps through another one (`t = k; k = t + 1;`), and sets it to nothing else.
fn is_stepped(inner: &Loop, variable: VariableRef) -> bool {
    let mut copies = vec![variable];
    for_each_set(inner, &mut |set, stmt| {
        if set != variable && mentions(stmt, &[variable]) {
            copies.push(set);
        }
    });
    let mut stepped = true;
    for_each_set(inner, &mut |set, stmt| {
        stepped &= set != variable || mentions(stmt, &copies);
    });
    stepped
}

fn for_each_set(inner: &Loop, visit: &mut dyn FnMut(VariableRef, &Stmt)) {
    for part in shape::iteration(inner) {
        part.walk(&mut |stmt| {
            if let Some(variable) = stmt.written_place().and_then(Place::as_variable) {
                visit(variable, stmt);
            }
        });
    }
}

fn mentions(stmt: &Stmt, variables: &[VariableRef]) -> bool {
    let mut found = false;
    stmt.for_each_expression(&mut |expr| {
        found |= variables.iter().any(|variable| expr_mentions(expr, *variable));
    });
    found
}
