//! What would have to hold, besides what is known, for a proof to go through?
//!
//! A proof asks for expressions that are never negative. One of which that is not known has a least value over everything that
//! changes in the loop (`Facts::minimum`): that this is not negative is a condition on values that do not change there, which a
//! program can test before the loop.
//!
//! What it cannot do: conditions other than such inequalities; it gathers what one proof needs, all of it.

use ferry_symbolic::{Condition, Expr, Facts, Operation, Symbol};

/// Most inequalities of one condition: a test that is longer is not cheap, and hardly true.
const MOST: usize = 4;

/// What a proof has asked for that is not known.
pub struct Missing<'a> {
    /// Everything that changes in the loop, inner loops first; `None` if nothing may be missing.
    changing: Option<&'a [Symbol]>,
    found: Vec<Expr>,
}

impl<'a> Missing<'a> {
    /// Nothing may be missing: a proof without conditions.
    pub fn nothing() -> Missing<'a> {
        Missing {
            changing: None,
            found: Vec::new(),
        }
    }

    /// Conditions on what is not among these symbols may be missing.
    pub fn conditions(changing: &'a [Symbol]) -> Missing<'a> {
        Missing {
            changing: Some(changing),
            found: Vec::new(),
        }
    }

    /// True if the expression is never negative, or if that is a condition now.
    pub fn nonnegative(&mut self, facts: &Facts, expr: &Expr) -> bool {
        if facts.prove_nonnegative(expr) {
            return true;
        }
        let Some(least) = self.changing.and_then(|changing| least(facts, expr, changing)) else {
            return false;
        };
        for part in without_maxima(least) {
            if !self.found.contains(&part) {
                self.found.push(part);
            }
        }
        self.found.len() <= MOST
    }

    /// True if conditions may be missing.
    pub fn is_allowed(&self) -> bool {
        self.changing.is_some()
    }

    /// How many inequalities are missing so far.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Forgets all but the first ones: what came after them was asked for in vain.
    pub fn only(&mut self, count: usize) {
        self.found.truncate(count);
    }

    /// The facts where all that is missing holds.
    pub fn added_to(&self, facts: &Facts) -> Facts {
        let mut facts = facts.clone();
        for least in &self.found {
            facts.assume_nonnegative(least);
        }
        facts
    }

    /// The condition under which nothing is missing.
    pub fn condition(&self) -> Condition {
        Condition::all(self.found.iter().map(Condition::nonnegative))
    }
}

/// Expressions that are all not negative where the given one is not: `e - max(a, b)` is so if `e - a` and `e - b` are.
pub fn without_maxima(expr: Expr) -> Vec<Expr> {
    let mut found = vec![expr];
    // A maximum may have others in it; what is left after some steps stays as it is.
    for _ in 0..MOST {
        let step = found
            .iter()
            .enumerate()
            .find_map(|(at, expr)| Some((at, operands_of_a_maximum(expr)?)));
        let Some((at, operands)) = step else { break };
        found.splice(at..=at, operands);
    }
    found
}

/// For `e - c * max(a, b)` with a positive `c`: `e - c * a` and `e - c * b`.
fn operands_of_a_maximum(expr: &Expr) -> Option<Vec<Expr>> {
    expr.terms().find_map(|term| {
        let [(atom, 1)] = term.monomial.factors() else {
            return None;
        };
        let Some(Operation::Max(operands)) = atom.operation() else {
            return None;
        };
        let by = Expr::constant(term.coefficient.clone());
        let rest = expr - &(&by * &Expr::atom(atom.clone()));
        let each = operands.iter().map(|operand| &rest + &(&by * operand));
        term.coefficient.is_negative().then(|| each.collect())
    })
}

/// The least value of an expression whatever the `changing` symbols are, if it is known in terms of others.
pub fn least(facts: &Facts, expr: &Expr, changing: &[Symbol]) -> Option<Expr> {
    let least = facts.minimum(expr, changing)?.value;
    let free = !least.is_oversize() && changing.iter().all(|symbol| !least.mentions(*symbol));
    free.then_some(least)
}
