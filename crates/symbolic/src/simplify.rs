//! How does an expression look once the facts are known? Extrema and selections that are decided disappear, truncating divisions
//! become floor divisions, remainders that do nothing vanish.

use crate::atom::{Atom, Operation};
use crate::condition::{Condition, ConditionKind};
use crate::expr::Expr;
use crate::facts::{Facts, Rests, Store};
use crate::integer::Integer;
use crate::memo::{Answer, DEAR, Form};
use crate::prover::{Pool, count_work, work_done};

/// How deep operands are simplified.
const DEPTH: u32 = 8;

impl Facts {
    /// An expression that is equal wherever the facts hold, and at least as simple.
    pub fn simplify(&self, e: &Expr) -> Expr {
        Simplifier {
            facts: self,
            pool: Pool::new(),
        }
        .expr(e, DEPTH)
        .0
    }

    /// As [`Facts::simplify`], with the tags of the facts that were used.
    pub fn simplify_explained(&self, e: &Expr) -> (Expr, Vec<u32>) {
        let (simple, rests) = Simplifier {
            facts: self,
            pool: Pool::new(),
        }
        .expr(e, DEPTH);
        (simple, self.store().tags_of(rests))
    }

    /// A condition that is equivalent wherever the facts hold, and at least as simple.
    pub fn simplify_condition(&self, condition: &Condition) -> Condition {
        Simplifier {
            facts: self,
            pool: Pool::new(),
        }
        .condition(condition, DEPTH)
        .0
    }
}

impl Expr {
    /// As [`Facts::simplify`].
    pub fn simplify(&self, facts: &Facts) -> Expr {
        facts.simplify(self)
    }
}

struct Simplifier<'a> {
    facts: &'a Facts,
    /// What all its proofs together may cost.
    pool: Pool,
}

impl Simplifier<'_> {
    fn store(&self) -> &Store {
        self.facts.store()
    }

    fn shows(&self, e: &Expr) -> Option<Rests> {
        let store = self.store();
        // With less than all that one proof may use the answer may be another one.
        let whole = self.pool.has_for_one();
        if whole && let Some(known) = store.memo.simple(e) {
            count_work(known.work);
            self.pool.spend(known.work);
            return known.rests;
        }
        let before = work_done();
        let rests = self.pool.prover().nonnegative(store, e, 1);
        let work = work_done().wrapping_sub(before);
        if whole && work >= DEAR {
            store.memo.keep_simple(e, Answer { rests, work });
        }
        rests
    }

    /// As `shows` that the second is not above the first, but for what is plainly above: no proof is looked for that it is not.
    fn shows_below(&self, other: &Expr, operand: &Expr) -> Option<Rests> {
        let above = (operand - other).add_constant(&Integer::MINUS_ONE);
        let store = self.store();
        match store.contradiction.is_none() && self.pool.prover().at_once(store, &above).is_some() {
            true => None,
            false => self.shows(&(other - operand)),
        }
    }

    fn expr(&self, e: &Expr, depth: u32) -> (Expr, Rests) {
        let mut rests = Rests::NONE;
        if depth == 0
            || self.pool.is_empty()
            || e.terms().all(|term| {
                term.monomial
                    .factors()
                    .iter()
                    .all(|(atom, _)| atom.as_symbol().is_some())
            })
        {
            return (e.clone(), rests);
        }
        let simple = e.map_atoms(&mut |atom| {
            let (value, own) = match depth {
                DEPTH => self.known_atom(atom)?,
                _ => self.operation(atom.operation()?, depth - 1)?,
            };
            rests = rests.union(own);
            Some(value)
        });
        (simple, rests)
    }

    /// An operation that nothing is around; accesses that are alike ask about the same ones. `None` if nothing changes.
    fn known_atom(&self, atom: &Atom) -> Option<(Expr, Rests)> {
        let operation = atom.operation()?;
        let memo = &self.store().memo;
        if let Some(known) = memo.form(atom)
            && self.pool.has_for_one_behind(known.shared)
        {
            count_work(known.work);
            self.pool.spend(known.shared);
            return known.simple;
        }
        let (before, left) = (work_done(), self.pool.left());
        let simple = self.operation(operation, DEPTH - 1);
        let (work, shared) = (work_done().wrapping_sub(before), left - self.pool.left());
        // With less than all that one proof may use the answer may be another one.
        if work >= DEAR && self.pool.has_for_one() {
            let form = Form {
                simple: simple.clone(),
                work,
                shared,
            };
            memo.keep_form(atom, form);
        }
        simple
    }

    /// `None` if nothing changes.
    fn operation(&self, operation: &Operation, depth: u32) -> Option<(Expr, Rests)> {
        if let Operation::Guarded(cases) = operation {
            return self.guarded(cases, depth);
        }
        let mut rests = Rests::NONE;
        let inner = operation.map_operands(&mut |operand| {
            let (value, own) = self.expr(operand, depth);
            rests = rests.union(own);
            value
        });
        let (changed, whole) = match inner {
            Some(inner) => (true, inner),
            None => (false, Expr::operation(operation.clone())),
        };
        let mut decided = false;
        let result = whole.map_atoms(&mut |atom| {
            let (value, own) = self.decide(atom.operation()?)?;
            decided = true;
            rests = rests.union(own);
            Some(value)
        });
        (changed || decided).then_some((result, rests))
    }

    fn decide(&self, operation: &Operation) -> Option<(Expr, Rests)> {
        match operation {
            Operation::Max(operands) => {
                let mut kept: Vec<Expr> = Vec::new();
                let mut rests = Rests::NONE;
                for (index, operand) in operands.iter().enumerate() {
                    let below = kept
                        .iter()
                        .chain(&operands[index + 1..])
                        .find_map(|other| self.shows_below(other, operand));
                    match below {
                        Some(own) => rests = rests.union(own),
                        None => kept.push(operand.clone()),
                    }
                }
                (kept.len() < operands.len()).then(|| (Expr::maximum_of(&kept), rests))
            }
            Operation::TruncDiv(a, d) => {
                let positive = self.shows(&d.add_constant(&Integer::MINUS_ONE))?;
                if let Some(own) = self.shows(a) {
                    return Some(self.floor_div(a, d, positive.union(own)));
                }
                let own = self.shows(&-a)?;
                let (quotient, rests) = self.floor_div(&-a, d, positive.union(own));
                Some((-quotient, rests))
            }
            Operation::TruncRem(a, d) => {
                let positive = self.shows(&d.add_constant(&Integer::MINUS_ONE))?;
                if let Some(own) = self.shows(a) {
                    return Some(self.floor_mod(a, d, positive.union(own)));
                }
                let own = self.shows(&-a)?;
                let (remainder, rests) = self.floor_mod(&-a, d, positive.union(own));
                Some((-remainder, rests))
            }
            Operation::FloorDiv(a, d) => {
                let (quotient, rests) = self.floor_div(a, d, Rests::NONE);
                (quotient.as_atom().and_then(|atom| atom.operation()) != Some(operation))
                    .then_some((quotient, rests))
            }
            Operation::FloorMod(a, d) => {
                let (remainder, rests) = self.floor_mod(a, d, Rests::NONE);
                (remainder.as_atom().and_then(|atom| atom.operation()) != Some(operation))
                    .then_some((remainder, rests))
            }
            _ => None,
        }
    }

    /// `floor(a / d)`; 0 where `0 <= a < d`, -1 where `-d <= a < 0`.
    fn floor_div(&self, a: &Expr, d: &Expr, rests: Rests) -> (Expr, Rests) {
        if let Some(below) = self.shows(&(d - a).add_constant(&Integer::MINUS_ONE)) {
            if let Some(own) = self.shows(a) {
                return (Expr::zero(), rests.union(below).union(own));
            }
            if let Some(own) = self.shows(&(-a).add_constant(&Integer::MINUS_ONE))
                && let Some(more) = self.shows(&(a + d))
            {
                return (Expr::int(-1), rests.union(own).union(more));
            }
        }
        (Expr::floor_div(a, d), rests)
    }

    /// `a mod d`; `a` where `0 <= a < d`.
    fn floor_mod(&self, a: &Expr, d: &Expr, rests: Rests) -> (Expr, Rests) {
        if let Some(below) = self.shows(&(d - a).add_constant(&Integer::MINUS_ONE))
            && let Some(own) = self.shows(a)
        {
            return (a.clone(), rests.union(below).union(own));
        }
        (Expr::floor_mod(a, d), rests)
    }

    /// Cases that cannot be are dropped; each value is simplified under its condition.
    fn guarded(&self, cases: &[(Condition, Expr)], depth: u32) -> Option<(Expr, Rests)> {
        let mut rests = Rests::NONE;
        let mut changed = false;
        let mut kept = Vec::new();
        for (condition, value) in cases {
            if let Some(own) = self.pool.prover().condition(self.store(), condition, 1) {
                let (value, more) = self.expr(value, depth);
                return Some((value, own.union(more)));
            }
            if let Some(own) = self.pool.prover().condition(self.store(), &condition.not(), 1) {
                rests = rests.union(own);
                changed = true;
                continue;
            }
            if !self.pool.assumes(condition) {
                kept.push((condition.clone(), value.clone()));
                continue;
            }
            // What a value rests on beyond its own condition cannot be told apart, so all facts used count.
            let inside = self.facts.with(condition);
            let (simple, own) = Simplifier {
                facts: &inside,
                pool: self.pool.clone(),
            }
            .expr(value, depth);
            rests = rests.union(own);
            changed |= simple != *value;
            kept.push((condition.clone(), simple));
        }
        changed.then(|| (Expr::guarded(kept), rests))
    }

    fn condition(&self, condition: &Condition, depth: u32) -> (Condition, Rests) {
        if let Some(rests) = self.pool.prover().condition(self.store(), condition, 1) {
            return (Condition::always(), rests);
        }
        if let Some(rests) = self.pool.prover().condition(self.store(), &condition.not(), 1) {
            return (Condition::never(), rests);
        }
        if depth == 0 || self.pool.is_empty() {
            return (condition.clone(), Rests::NONE);
        }
        let mut rests = Rests::NONE;
        let simple = match condition.kind() {
            ConditionKind::And(operands) => {
                // Each operand is simplified under those that were kept before it.
                let mut inside = self.facts.clone();
                let mut kept = Vec::new();
                for operand in operands {
                    let (simple, own) = Simplifier {
                        facts: &inside,
                        pool: self.pool.clone(),
                    }
                    .condition(operand, depth - 1);
                    rests = rests.union(own);
                    // Where an operand is undefined it says nothing of the others.
                    if simple.is_total() {
                        inside.assume(&simple);
                    }
                    kept.push(simple);
                }
                Condition::all(kept)
            }
            ConditionKind::Or(operands) => {
                let mut inside = self.facts.clone();
                let mut kept = Vec::new();
                for operand in operands {
                    let (simple, own) = Simplifier {
                        facts: &inside,
                        pool: self.pool.clone(),
                    }
                    .condition(operand, depth - 1);
                    rests = rests.union(own);
                    if simple.is_total() {
                        inside.assume(&simple.not());
                    }
                    kept.push(simple);
                }
                Condition::any(kept)
            }
            _ => condition.map(&mut |e| {
                let (simple, own) = self.expr(e, depth);
                rests = rests.union(own);
                simple
            }),
        };
        (simple, rests)
    }
}

#[cfg(test)]
mod tests {
    use crate::memo::tests::without_example;
    use crate::{Expr, Facts, Symbol, work_done};

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    /// Facts from which it takes much work to see that nothing can be said of a maximum.
    fn facts() -> (Facts, Expr) {
        let mut facts = Facts::new();
        for number in 0..6 {
            facts.assume_nonnegative(&x(number) - &Expr::max(&x(number + 1), &x(number + 2)));
        }
        without_example(&mut facts);
        (facts, Expr::max(&x(0), &(&x(7) + &Expr::int(5))))
    }

    #[test]
    fn what_an_operation_has_become_is_known_the_next_time_and_counts_the_same_work() {
        let (facts, e) = facts();
        let simple = |of: &Expr| {
            let before = work_done();
            (facts.simplify_explained(of), work_done() - before)
        };
        let first = simple(&e);
        assert_eq!(first.0.0, e);
        let known = |atom| facts.store().memo.form(atom).is_some();
        assert!(e.atoms().iter().any(known), "{first:?}");
        assert_eq!(simple(&e), first);
        // Beside something else it is the same.
        assert_eq!(simple(&(&e + &x(9))).0.0, &e + &x(9));
    }

    #[test]
    fn it_does_not_outlive_the_facts() {
        let (mut facts, e) = facts();
        assert_eq!(facts.simplify(&e), e);
        facts.assume_nonnegative(&(&x(0) - &x(7)) - &Expr::int(5));
        assert_eq!(facts.simplify(&e), x(0));
    }
}
