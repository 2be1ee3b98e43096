//! How does an expression depend on a symbol? Degree, linear form, substitution, and evaluation for given values.

use crate::atom::{Atom, Monomial, Operation, Symbol};
use crate::expr::{Expr, Term};
use crate::integer::Integer;

/// Shift amounts past this are not evaluated: the result would not fit in memory.
const MAX_SHIFT: i64 = 4096;

impl Expr {
    /// The highest power of the symbol as a factor of a term. `None` if it (also) occurs within an atom.
    pub fn degree(&self, symbol: Symbol) -> Option<u32> {
        let mut degree = 0;
        for term in self.terms() {
            for (atom, power) in term.monomial.factors() {
                match atom {
                    Atom::Symbol(own) if *own == symbol => degree = degree.max(*power),
                    Atom::Symbol(_) => {}
                    Atom::Compound(_) if atom.mentions(symbol) => return None,
                    Atom::Compound(_) => {}
                }
            }
        }
        Some(degree)
    }

    /// `(c, r)` with `self == c * symbol + r`, both free of the symbol, also inside atoms. `c` may be 0.
    pub fn linear_in(&self, symbol: Symbol) -> Option<(Expr, Expr)> {
        self.linear_in_atom(&Atom::Symbol(symbol), &|atom| atom.mentions(symbol))
    }

    /// The `c` of [`Expr::linear_in`].
    pub fn slope_in(&self, symbol: Symbol) -> Option<Expr> {
        let target = Atom::Symbol(symbol);
        let mut slope = Vec::new();
        for term in self.terms() {
            match term.monomial.power_of(&target) {
                0 => {}
                1 => slope.push(Term {
                    monomial: term.monomial.divided_by(&Monomial::atom(target.clone()))?,
                    coefficient: term.coefficient.clone(),
                }),
                _ => return None,
            }
            let mut factors = term.monomial.factors().iter();
            if factors.any(|(atom, _)| *atom != target && atom.mentions(symbol)) {
                return None;
            }
        }
        Some(Expr::from_terms(slope))
    }

    /// `(c, r)` with `self == c * target + r`, neither with an atom for which `depends` says yes.
    pub(crate) fn linear_in_atom(
        &self,
        target: &Atom,
        depends: &dyn Fn(&Atom) -> bool,
    ) -> Option<(Expr, Expr)> {
        let mut coefficient = Vec::new();
        let mut rest: Vec<&Term> = Vec::new();
        for term in self.terms() {
            let mut found = false;
            for (atom, power) in term.monomial.factors() {
                if atom == target {
                    if *power > 1 {
                        return None;
                    }
                    found = true;
                } else if depends(atom) {
                    return None;
                }
            }
            match found {
                true => coefficient.push(Term {
                    monomial: term.monomial.divided_by(&Monomial::atom(target.clone()))?,
                    coefficient: term.coefficient.clone(),
                }),
                false => rest.push(term),
            }
        }
        if coefficient.is_empty() {
            return Some((Expr::zero(), self.clone()));
        }
        // What is left of the sum is in its order.
        let rest = Expr::from_sorted_unlimited(rest.into_iter().cloned().collect());
        Some((Expr::from_terms(coefficient), rest))
    }

    /// The expression with `value` for the symbol, everywhere.
    pub fn substitute(&self, symbol: Symbol, value: &Expr) -> Expr {
        if !self.mentions(symbol) {
            return self.clone();
        }
        self.substitute_all(&|own| (own == symbol).then(|| value.clone()))
    }

    /// The expression with other expressions for all symbols for which `value_of` gives one, at the same time.
    pub fn substitute_all(&self, value_of: &dyn Fn(Symbol) -> Option<Expr>) -> Expr {
        self.map_atoms(&mut |atom| match atom {
            Atom::Symbol(symbol) => value_of(*symbol),
            Atom::Compound(compound) => {
                let replaced = compound
                    .kind
                    .map_operands(&mut |operand| operand.substitute_all(value_of));
                match &compound.kind {
                    Operation::Oversize { id, symbols } => {
                        let mut digest = crate::expr::Digest::new(7);
                        digest.number(*id as u64);
                        digest.number((*id >> 64) as u64);
                        let mut changed = false;
                        for symbol in symbols {
                            match value_of(*symbol) {
                                Some(value) => {
                                    changed |= value.as_symbol() != Some(*symbol);
                                    digest.expr(&value);
                                }
                                None => digest.expr(&Expr::symbol(*symbol)),
                            }
                        }
                        changed.then(|| digest.finish())
                    }
                    _ => replaced,
                }
            }
        })
    }

    /// The expression with other expressions for its direct atoms, where `replace` gives one.
    pub(crate) fn map_atoms(&self, replace: &mut dyn FnMut(&Atom) -> Option<Expr>) -> Expr {
        let mut known: Vec<(Atom, Option<Expr>)> = Vec::new();
        let mut changed = false;
        for term in self.terms() {
            for (atom, _) in term.monomial.factors() {
                if !known.iter().any(|(own, _)| own == atom) {
                    let value = replace(atom);
                    changed |= value.is_some();
                    known.push((atom.clone(), value));
                }
            }
        }
        if !changed {
            return self.clone();
        }
        let mut sum = Vec::with_capacity(self.terms().len());
        'terms: for term in self.terms() {
            let mut kept = Vec::new();
            let mut product: Option<Expr> = None;
            for (atom, power) in term.monomial.factors() {
                let value = known
                    .iter()
                    .find(|(own, _)| own == atom)
                    .and_then(|(_, value)| value.as_ref());
                match value {
                    Some(value) if value.is_zero() => continue 'terms,
                    Some(value) => {
                        let factor = value.power(*power);
                        product = Some(match product {
                            Some(product) => product.times(&factor),
                            None => factor,
                        });
                    }
                    None => kept.push((atom.clone(), *power)),
                }
            }
            match product {
                None => sum.push(term.clone()),
                Some(product) => {
                    let product = product.times_monomial(&Monomial::from_sorted(kept));
                    sum.extend_from_slice(product.scale(&term.coefficient).term_slice());
                }
            }
        }
        Expr::from_terms(sum)
    }

    /// The expression with `value` for an atom wherever it is a factor of a term (not within other atoms).
    pub fn replace_atom(&self, target: &Atom, value: &Expr) -> Expr {
        self.map_atoms(&mut |atom| (atom == target).then(|| value.clone()))
    }

    /// The value for given values of the symbols. `None` where it is undefined (division by 0, negative shift, no guard
    /// holds), where a symbol has no value, or where it is too large to compute.
    pub fn evaluate(&self, value_of: &dyn Fn(Symbol) -> Option<Integer>) -> Option<Integer> {
        let mut sum = Integer::ZERO;
        for term in self.terms() {
            let mut product = term.coefficient.clone();
            for (atom, power) in term.monomial.factors() {
                let value = match atom {
                    Atom::Symbol(symbol) => value_of(*symbol)?,
                    Atom::Compound(compound) => compound.kind.evaluate(value_of)?,
                };
                product = match power {
                    1 => &product * &value,
                    _ => &product * &value.pow(*power),
                };
            }
            sum = &sum + &product;
        }
        Some(sum)
    }
}

impl Operation {
    fn evaluate(&self, value_of: &dyn Fn(Symbol) -> Option<Integer>) -> Option<Integer> {
        match self {
            Operation::Max(operands) => {
                let mut greatest: Option<Integer> = None;
                for operand in operands {
                    let value = operand.evaluate(value_of)?;
                    greatest = Some(match greatest {
                        Some(greatest) => greatest.max(value),
                        None => value,
                    });
                }
                greatest
            }
            Operation::FloorDiv(a, b) => a.evaluate(value_of)?.floor_div(&b.evaluate(value_of)?),
            Operation::FloorMod(a, b) => a.evaluate(value_of)?.floor_mod(&b.evaluate(value_of)?),
            Operation::TruncDiv(a, b) => a.evaluate(value_of)?.trunc_div(&b.evaluate(value_of)?),
            Operation::TruncRem(a, b) => a.evaluate(value_of)?.trunc_rem(&b.evaluate(value_of)?),
            Operation::And(a, b) => Some(a.evaluate(value_of)?.bit_and(&b.evaluate(value_of)?)),
            Operation::Or(a, b) => Some(a.evaluate(value_of)?.bit_or(&b.evaluate(value_of)?)),
            Operation::Xor(a, b) => Some(a.evaluate(value_of)?.bit_xor(&b.evaluate(value_of)?)),
            Operation::ShiftLeft(a, b) => {
                Some(&a.evaluate(value_of)? * &shift_factor(&b.evaluate(value_of)?)?)
            }
            Operation::ShiftRight(a, b) => a
                .evaluate(value_of)?
                .floor_div(&shift_factor(&b.evaluate(value_of)?)?),
            Operation::Guarded(cases) => {
                for (condition, value) in cases {
                    if condition.evaluate(value_of)? {
                        return value.evaluate(value_of);
                    }
                }
                None
            }
            Operation::Oversize { .. } => None,
        }
    }

    /// The operation on other operands, simplified; `None` if nothing changed.
    pub(crate) fn map_operands(&self, replace: &mut dyn FnMut(&Expr) -> Expr) -> Option<Expr> {
        let mut two = |a: &Expr, b: &Expr, build: fn(&Expr, &Expr) -> Expr| {
            let (x, y) = (replace(a), replace(b));
            if x == *a && y == *b {
                None
            } else {
                Some(build(&x, &y))
            }
        };
        match self {
            Operation::FloorDiv(a, b) => two(a, b, Expr::floor_div),
            Operation::FloorMod(a, b) => two(a, b, Expr::floor_mod),
            Operation::TruncDiv(a, b) => two(a, b, Expr::trunc_div),
            Operation::TruncRem(a, b) => two(a, b, Expr::trunc_rem),
            Operation::And(a, b) => two(a, b, Expr::bit_and),
            Operation::Or(a, b) => two(a, b, Expr::bit_or),
            Operation::Xor(a, b) => two(a, b, Expr::bit_xor),
            Operation::ShiftLeft(a, b) => two(a, b, Expr::shl),
            Operation::ShiftRight(a, b) => two(a, b, Expr::shr),
            Operation::Max(operands) => {
                let replaced: Vec<Expr> = operands.iter().map(&mut *replace).collect();
                if replaced[..] == operands[..] {
                    None
                } else {
                    Some(Expr::maximum_of(&replaced))
                }
            }
            Operation::Guarded(cases) => {
                let mut changed = false;
                let mut replaced = Vec::with_capacity(cases.len());
                for (condition, value) in cases {
                    let new_condition = condition.map(replace);
                    let new_value = replace(value);
                    changed |= new_condition != *condition || new_value != *value;
                    replaced.push((new_condition, new_value));
                }
                changed.then(|| Expr::guarded(replaced))
            }
            Operation::Oversize { .. } => None,
        }
    }
}

fn shift_factor(amount: &Integer) -> Option<Integer> {
    let amount = amount
        .to_i64()
        .filter(|amount| (0..=MAX_SHIFT).contains(amount))?;
    Some(Integer::power_of_two(u32::try_from(amount).ok()?))
}
