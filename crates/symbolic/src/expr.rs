//! What is a symbolic expression? A canonical sum of products of atoms, with integer coefficients of any size.
//!
//! Two expressions built in different ways are `==` when their expanded sums agree (DawnCC §4, IPDA §4.1: differences
//! must cancel). Equality of values that needs more than that is a question for [`crate::Facts`].
//! Every operation is defined on all sizes of operands: past the limits below the result is an *oversize* atom, which
//! stands for the same value and mentions the same symbols, but about which nothing else is known.

use crate::atom::{Atom, Monomial, Operation, Symbol, mix};
use crate::integer::Integer;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// Most terms that a sum may have.
pub const MAX_TERMS: usize = 160;
/// Highest degree of a product.
pub const MAX_DEGREE: u32 = 12;
/// How deep atoms may nest.
pub const MAX_DEPTH: u16 = 20;
/// Most nodes of an expression, counted as a tree.
pub const MAX_NODES: u32 = 4000;
/// Most bits of a coefficient.
const MAX_BITS: u64 = 4096;

/// A canonical sum of products. Cheap to clone.
#[derive(Clone)]
pub struct Expr(Arc<Sum>);

struct Sum {
    hash: u64,
    mask: u64,
    nodes: u32,
    depth: u16,
    terms: Box<[Term]>,
}

/// One summand: a coefficient that is not 0, and a product of atoms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// The product of atoms; empty for the constant term.
    pub monomial: Monomial,
    /// Its factor, not 0.
    pub coefficient: Integer,
}

static SMALL: LazyLock<Vec<Expr>> = LazyLock::new(|| {
    (-8..=32)
        .map(|value| Expr::constant_uncached(Integer::new(value)))
        .collect()
});

impl Expr {
    /// The constant `value`.
    pub fn int(value: i128) -> Expr {
        Expr::constant(Integer::new(value))
    }

    /// The constant `value`.
    pub fn constant(value: Integer) -> Expr {
        if let Some(small) = value.to_i64()
            && (-8..=32).contains(&small)
            && let Some(known) = SMALL.get((small + 8) as usize)
        {
            return known.clone();
        }
        Expr::constant_uncached(value)
    }

    fn constant_uncached(value: Integer) -> Expr {
        if value.is_zero() {
            return Expr::from_sorted_unlimited(Vec::new());
        }
        Expr::from_sorted_unlimited(vec![Term {
            monomial: Monomial::ONE,
            coefficient: value,
        }])
    }

    /// 0.
    pub fn zero() -> Expr {
        Expr::int(0)
    }

    /// 1.
    pub fn one() -> Expr {
        Expr::int(1)
    }

    /// A symbol.
    pub fn symbol(symbol: Symbol) -> Expr {
        Expr::atom(Atom::Symbol(symbol))
    }

    /// An atom as an expression.
    pub fn atom(atom: Atom) -> Expr {
        Expr::from_sorted_unlimited(vec![Term {
            monomial: Monomial::atom(atom),
            coefficient: Integer::ONE,
        }])
    }

    /// An operation as an expression; nothing is simplified. Oversize if its operands are too large together.
    pub(crate) fn operation(operation: Operation) -> Expr {
        let atom = operation.into_atom();
        if atom.depth() > MAX_DEPTH || atom.nodes() > MAX_NODES {
            let mut digest = Digest::new(1);
            digest.atom(&atom);
            return digest.finish();
        }
        Expr::atom(atom)
    }

    /// A product of atoms, times a number, as an expression.
    pub fn monomial(monomial: &Monomial, coefficient: Integer) -> Expr {
        if coefficient.is_zero() {
            return Expr::zero();
        }
        Expr::from_sorted_unlimited(vec![Term {
            monomial: monomial.clone(),
            coefficient,
        }])
    }

    /// A sum of terms that are sorted by monomial, each once, of which it is known that they are not too many or too large.
    pub(crate) fn from_sorted_unlimited(terms: Vec<Term>) -> Expr {
        let mut hash = 0x5u64;
        let mut mask = 0;
        let mut nodes = 1u32;
        let mut depth = 0;
        for term in &terms {
            hash = mix(mix(hash, term.monomial.hash_bits()), term.coefficient.hash_bits());
            nodes = nodes.saturating_add(1);
            for (atom, _) in term.monomial.factors() {
                mask |= atom.mask();
                nodes = nodes.saturating_add(atom.nodes());
                depth = depth.max(atom.depth());
            }
        }
        Expr(Arc::new(Sum {
            hash,
            mask,
            nodes,
            depth,
            terms: terms.into_boxed_slice(),
        }))
    }

    /// A sum of terms that are sorted by monomial, each once, without zero coefficients.
    fn from_sorted(terms: Vec<Term>) -> Expr {
        let too_many = terms.len() > MAX_TERMS;
        let sum = Expr::from_sorted_unlimited(terms);
        if too_many || sum.0.nodes > MAX_NODES || sum.terms().any(Term::is_oversize) {
            let mut digest = Digest::new(2);
            digest.expr(&sum);
            return digest.finish();
        }
        sum
    }

    /// The sum of any terms.
    pub(crate) fn from_terms(mut terms: Vec<Term>) -> Expr {
        terms.sort_by(|a, b| a.monomial.cmp(&b.monomial));
        let mut merged: Vec<Term> = Vec::with_capacity(terms.len());
        for term in terms {
            match merged.last_mut() {
                Some(last) if last.monomial == term.monomial => {
                    last.coefficient = &last.coefficient + &term.coefficient;
                }
                _ => merged.push(term),
            }
        }
        merged.retain(|term| !term.coefficient.is_zero());
        Expr::from_sorted(merged)
    }

    /// The summands, in a fixed order: the constant first.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = &Term> {
        self.0.terms.iter()
    }

    pub(crate) fn term_slice(&self) -> &[Term] {
        &self.0.terms
    }

    /// Is it (or has it within) an operation that was too large to keep? Then little can be known about it.
    pub fn is_oversize(&self) -> bool {
        self.atoms().iter().any(|atom| match atom.operation() {
            Some(Operation::Oversize { .. }) => true,
            Some(operation) => operation.operands().iter().any(|operand| operand.is_oversize()),
            None => false,
        })
    }

    /// The value, if it is constant.
    pub fn as_constant(&self) -> Option<Integer> {
        match &*self.0.terms {
            [] => Some(Integer::ZERO),
            [term] if term.monomial.is_one() => Some(term.coefficient.clone()),
            _ => None,
        }
    }

    /// Is it the constant 0?
    pub fn is_zero(&self) -> bool {
        self.0.terms.is_empty()
    }

    /// The symbol, if it is just one.
    pub fn as_symbol(&self) -> Option<Symbol> {
        self.as_atom().and_then(Atom::as_symbol)
    }

    /// The atom, if it is just one.
    pub fn as_atom(&self) -> Option<&Atom> {
        match &*self.0.terms {
            [term] if term.coefficient.is_one() => term.monomial.as_atom(),
            _ => None,
        }
    }

    /// The constant summand, 0 if there is none.
    pub fn constant_term(&self) -> Integer {
        match self.0.terms.first() {
            Some(term) if term.monomial.is_one() => term.coefficient.clone(),
            _ => Integer::ZERO,
        }
    }

    /// The sum without its constant summand.
    pub fn without_constant(&self) -> Expr {
        match self.0.terms.first() {
            Some(term) if term.monomial.is_one() => Expr::from_sorted_unlimited(self.0.terms[1..].to_vec()),
            _ => self.clone(),
        }
    }

    /// The summands of which something is true, each seen as an expression.
    pub fn summands(&self, wanted: impl Fn(&Expr) -> bool) -> Expr {
        let terms = self.0.terms.iter();
        let wanted = terms.filter(|term| wanted(&Expr::from_sorted_unlimited(vec![(*term).clone()])));
        Expr::from_sorted_unlimited(wanted.cloned().collect())
    }

    /// Is it a sum of products of symbols, without other operations?
    pub fn is_plain(&self) -> bool {
        let mut factors = self.terms().flat_map(|term| term.monomial.factors());
        factors.all(|(atom, _)| atom.as_symbol().is_some())
    }

    /// The sum of the terms that mention one of the symbols, and that of the others.
    pub fn parted(&self, wanted: &dyn Fn(Symbol) -> bool) -> (Expr, Expr) {
        let mentions = |term: &&Term| {
            let mut factors = term.monomial.factors().iter();
            factors.any(|(atom, _)| match atom {
                Atom::Symbol(symbol) => wanted(*symbol),
                Atom::Compound(_) => Expr::atom(atom.clone()).symbols().into_iter().any(wanted),
            })
        };
        let (one, other): (Vec<&Term>, Vec<&Term>) = self.terms().partition(mentions);
        let sum = |terms: Vec<&Term>| Expr::from_sorted_unlimited(terms.into_iter().cloned().collect());
        (sum(one), sum(other))
    }

    /// The terms that are not constant.
    pub(crate) fn variable_terms(&self) -> &[Term] {
        match self.0.terms.first() {
            Some(term) if term.monomial.is_one() => &self.0.terms[1..],
            _ => &self.0.terms,
        }
    }

    /// The greatest common divisor of all coefficients, the constant included; 0 for the expression 0.
    pub fn content(&self) -> Integer {
        gcd_of(self.term_slice())
    }

    /// The same without the constant.
    pub fn variable_content(&self) -> Integer {
        gcd_of(self.variable_terms())
    }

    /// The different atoms that are factors of terms (not those within other atoms), sorted.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut atoms: Vec<Atom> = Vec::new();
        for term in self.terms() {
            for (atom, _) in term.monomial.factors() {
                if !atoms.contains(atom) {
                    atoms.push(atom.clone());
                }
            }
        }
        atoms.sort();
        atoms
    }

    /// All symbols that the value may depend on.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut symbols = Mentioned::default();
        self.add_symbols(&mut symbols);
        symbols.into_set()
    }

    pub(crate) fn add_symbols(&self, symbols: &mut Mentioned) {
        for term in self.terms() {
            for (atom, _) in term.monomial.factors() {
                atom.add_symbols(symbols);
            }
        }
    }

    /// May the value depend on a symbol of which this is true?
    pub fn any_symbol(&self, wanted: &dyn Fn(Symbol) -> bool) -> bool {
        let mut factors = self.terms().flat_map(|term| term.monomial.factors());
        factors.any(|(atom, _)| atom.any_symbol(wanted))
    }

    /// May the value depend on the symbol?
    pub fn mentions(&self, symbol: Symbol) -> bool {
        self.0.mask & crate::atom::symbol_bit(symbol) != 0
            && self.terms().any(|term| {
                term.monomial
                    .factors()
                    .iter()
                    .any(|(atom, _)| atom.mentions(symbol))
            })
    }

    pub(crate) fn hash_bits(&self) -> u64 {
        self.0.hash
    }

    pub(crate) fn mask(&self) -> u64 {
        self.0.mask
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.0.nodes
    }

    pub(crate) fn depth(&self) -> u16 {
        self.0.depth
    }

    /// `self * factor`.
    pub fn scale(&self, factor: &Integer) -> Expr {
        if factor.is_one() {
            return self.clone();
        }
        if factor.is_zero() {
            return Expr::zero();
        }
        Expr::from_sorted(
            self.terms()
                .map(|term| Term {
                    monomial: term.monomial.clone(),
                    coefficient: &term.coefficient * factor,
                })
                .collect(),
        )
    }

    /// `self + constant`.
    pub fn add_constant(&self, constant: &Integer) -> Expr {
        if constant.is_zero() {
            return self.clone();
        }
        let sum = &self.constant_term() + constant;
        let rest = self.variable_terms();
        let mut terms = Vec::with_capacity(rest.len() + 1);
        if !sum.is_zero() {
            terms.push(Term {
                monomial: Monomial::ONE,
                coefficient: sum,
            });
        }
        terms.extend_from_slice(rest);
        Expr::from_sorted(terms)
    }

    /// `self / divisor`, if every coefficient is a multiple of it.
    pub fn divide_exactly(&self, divisor: &Integer) -> Option<Expr> {
        if divisor.is_one() {
            return Some(self.clone());
        }
        let mut terms = Vec::with_capacity(self.0.terms.len());
        for term in self.terms() {
            if divisor.is_zero() || !term.coefficient.is_multiple_of(divisor) {
                return None;
            }
            terms.push(Term {
                monomial: term.monomial.clone(),
                coefficient: term.coefficient.trunc_div(divisor)?,
            });
        }
        Some(Expr::from_sorted_unlimited(terms))
    }

    /// `self / divisor`, if every term has the divisor, one product, as a factor.
    pub fn divide_by_term(&self, divisor: &Term) -> Option<Expr> {
        let quotient = |term: &Term| {
            if divisor.coefficient.is_zero() || !term.coefficient.is_multiple_of(&divisor.coefficient) {
                return None;
            }
            Some(Term {
                monomial: term.monomial.divided_by(&divisor.monomial)?,
                coefficient: term.coefficient.trunc_div(&divisor.coefficient)?,
            })
        };
        Some(Expr::from_terms(
            self.terms().map(quotient).collect::<Option<_>>()?,
        ))
    }

    /// `self + factor * other` in one pass.
    pub fn add_scaled(&self, other: &Expr, factor: &Integer) -> Expr {
        if factor.is_zero() || other.is_zero() {
            return self.clone();
        }
        if self.is_zero() {
            return other.scale(factor);
        }
        let (left, right) = (self.term_slice(), other.term_slice());
        let mut sum = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        let (adds, subtracts) = (factor.is_one(), *factor == Integer::MINUS_ONE);
        let scaled = |term: &Term| Term {
            monomial: term.monomial.clone(),
            coefficient: match (adds, subtracts) {
                (true, _) => term.coefficient.clone(),
                (_, true) => -&term.coefficient,
                _ => &term.coefficient * factor,
            },
        };
        while i < left.len() && j < right.len() {
            match left[i].monomial.cmp(&right[j].monomial) {
                Ordering::Less => {
                    sum.push(left[i].clone());
                    i += 1;
                }
                Ordering::Greater => {
                    sum.push(scaled(&right[j]));
                    j += 1;
                }
                Ordering::Equal => {
                    let coefficient = match (adds, subtracts) {
                        (true, _) => &left[i].coefficient + &right[j].coefficient,
                        (_, true) => &left[i].coefficient - &right[j].coefficient,
                        _ => &left[i].coefficient + &(&right[j].coefficient * factor),
                    };
                    if !coefficient.is_zero() {
                        sum.push(Term {
                            monomial: left[i].monomial.clone(),
                            coefficient,
                        });
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        sum.extend_from_slice(&left[i..]);
        sum.extend(right[j..].iter().map(scaled));
        Expr::from_sorted(sum)
    }

    /// `self * monomial`.
    pub(crate) fn times_monomial(&self, monomial: &Monomial) -> Expr {
        if monomial.is_one() {
            return self.clone();
        }
        Expr::from_terms(
            self.terms()
                .map(|term| Term {
                    monomial: term.monomial.times(monomial),
                    coefficient: term.coefficient.clone(),
                })
                .collect(),
        )
    }

    /// `self * other`.
    pub fn times(&self, other: &Expr) -> Expr {
        if let Some(factor) = other.as_constant() {
            return self.scale(&factor);
        }
        if let Some(factor) = self.as_constant() {
            return other.scale(&factor);
        }
        if self.0.terms.len() * other.0.terms.len() > 16 * MAX_TERMS {
            let mut digest = Digest::new(3);
            let (first, second) = if self <= other {
                (self, other)
            } else {
                (other, self)
            };
            digest.expr(first);
            digest.expr(second);
            return digest.finish();
        }
        let mut terms = Vec::with_capacity(self.0.terms.len() * other.0.terms.len());
        for left in self.terms() {
            for right in other.terms() {
                terms.push(Term {
                    monomial: left.monomial.times(&right.monomial),
                    coefficient: &left.coefficient * &right.coefficient,
                });
            }
        }
        Expr::from_terms(terms)
    }

    /// `self` to the power `exponent`; 1 if the exponent is 0.
    pub fn power(&self, exponent: u32) -> Expr {
        if let Some(value) = self.as_constant() {
            let bits = value.bits().saturating_mul(u64::from(exponent));
            if bits <= MAX_BITS {
                return Expr::constant(value.pow(exponent));
            }
        }
        if exponent > MAX_DEGREE {
            let mut digest = Digest::new(4);
            digest.number(u64::from(exponent));
            digest.expr(self);
            return digest.finish();
        }
        let mut result = Expr::one();
        for _ in 0..exponent {
            result = result.times(self);
        }
        result
    }
}

impl Term {
    fn is_oversize(&self) -> bool {
        match self.monomial.factors() {
            [] | [(_, 1)] => {}
            _ if self.monomial.degree() > MAX_DEGREE => return true,
            _ => {}
        }
        self.coefficient.to_i128().is_none() && self.coefficient.bits() > MAX_BITS
    }
}

/// The greatest common divisor of the coefficients; 0 for none.
pub(crate) fn gcd_of(terms: &[Term]) -> Integer {
    let mut gcd = Integer::ZERO;
    for term in terms {
        gcd = gcd.gcd(&term.coefficient);
        if gcd.is_one() {
            break;
        }
    }
    gcd
}

/// Symbols that are collected. A sum mentions few of them many times, which a list is quicker to see than a tree.
#[derive(Default)]
pub(crate) struct Mentioned(Vec<Symbol>);

impl Mentioned {
    /// Up to so many are looked through for one that is there already.
    const FEW: usize = 24;

    pub(crate) fn add(&mut self, symbol: Symbol) {
        if self.0.len() > Mentioned::FEW || !self.0.contains(&symbol) {
            self.0.push(symbol);
        }
    }

    pub(crate) fn into_set(self) -> BTreeSet<Symbol> {
        self.0.into_iter().collect()
    }
}

impl Atom {
    pub(crate) fn add_symbols(&self, symbols: &mut Mentioned) {
        match self.operation() {
            None => self
                .as_symbol()
                .into_iter()
                .for_each(|symbol| symbols.add(symbol)),
            Some(Operation::Oversize { symbols: own, .. }) => {
                own.iter().for_each(|symbol| symbols.add(*symbol))
            }
            Some(operation) => {
                for operand in operation.operands() {
                    operand.add_symbols(symbols);
                }
                if let Operation::Guarded(cases) = operation {
                    for (condition, _) in cases {
                        condition.add_symbols(symbols);
                    }
                }
            }
        }
    }
}

/// A digest of operations that are too large to keep: equal operations give equal digests.
pub(crate) struct Digest {
    low: u64,
    high: u64,
    symbols: Vec<Symbol>,
}

impl Digest {
    pub(crate) fn new(code: u64) -> Digest {
        Digest {
            low: code,
            high: !code,
            symbols: Vec::new(),
        }
    }

    pub(crate) fn number(&mut self, value: u64) {
        self.low = mix(self.low, value);
        self.high = (self.high.rotate_left(23) ^ value).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.high ^= self.high >> 32;
    }

    fn integer(&mut self, value: &Integer) {
        match value.to_i128() {
            Some(small) => {
                self.number(small as u64);
                self.number((small >> 64) as u64);
            }
            None => {
                for byte in value.to_string().bytes() {
                    self.number(u64::from(byte));
                }
            }
        }
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        self.number(expr.0.terms.len() as u64);
        for term in expr.terms() {
            self.integer(&term.coefficient);
            self.number(term.monomial.factors().len() as u64);
            for (atom, power) in term.monomial.factors() {
                self.number(u64::from(*power));
                self.atom(atom);
            }
        }
    }

    pub(crate) fn atom(&mut self, atom: &Atom) {
        match atom.operation() {
            None => {
                if let Some(symbol) = atom.as_symbol() {
                    self.number(u64::from(symbol.0));
                    self.symbols.push(symbol);
                }
            }
            Some(Operation::Oversize { id, symbols }) => {
                self.number(*id as u64);
                self.number((*id >> 64) as u64);
                self.symbols.extend(symbols.iter().copied());
            }
            Some(operation) => {
                self.number(operation.code());
                self.number(operation.operands().len() as u64);
                for operand in operation.operands() {
                    self.expr(operand);
                }
                if let Operation::Guarded(cases) = operation {
                    for (condition, _) in cases {
                        self.condition(condition);
                    }
                }
            }
        }
    }

    pub(crate) fn condition(&mut self, condition: &crate::Condition) {
        condition.digest(self);
    }

    pub(crate) fn finish(self) -> Expr {
        let id = (u128::from(self.high) << 64) | u128::from(self.low);
        let mut symbols = self.symbols;
        symbols.sort();
        symbols.dedup();
        let symbols = symbols.into_boxed_slice();
        Expr::atom(Operation::Oversize { id, symbols }.into_atom())
    }
}

impl PartialEq for Expr {
    #[inline]
    fn eq(&self, other: &Expr) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.terms == other.0.terms)
    }
}

impl Eq for Expr {}

impl Ord for Expr {
    fn cmp(&self, other: &Expr) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            Ordering::Equal
        } else {
            self.0.terms.cmp(&other.0.terms)
        }
    }
}

impl PartialOrd for Expr {
    fn partial_cmp(&self, other: &Expr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::hash::Hash for Expr {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl Default for Expr {
    fn default() -> Expr {
        Expr::zero()
    }
}

impl From<Symbol> for Expr {
    fn from(symbol: Symbol) -> Expr {
        Expr::symbol(symbol)
    }
}

impl From<Integer> for Expr {
    fn from(value: Integer) -> Expr {
        Expr::constant(value)
    }
}

impl From<i128> for Expr {
    fn from(value: i128) -> Expr {
        Expr::int(value)
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::int(i128::from(value))
    }
}

impl From<i32> for Expr {
    fn from(value: i32) -> Expr {
        Expr::int(i128::from(value))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl std::ops::$trait<&Expr> for &Expr {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                let ($a, $b) = (self, other);
                $body
            }
        }
        impl std::ops::$trait<Expr> for Expr {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                std::ops::$trait::$method(&self, &other)
            }
        }
        impl std::ops::$trait<&Expr> for Expr {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                std::ops::$trait::$method(&self, other)
            }
        }
        impl std::ops::$trait<Expr> for &Expr {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                std::ops::$trait::$method(self, &other)
            }
        }
        impl std::ops::$trait<i128> for &Expr {
            type Output = Expr;
            fn $method(self, other: i128) -> Expr {
                std::ops::$trait::$method(self, &Expr::int(other))
            }
        }
        impl std::ops::$trait<i128> for Expr {
            type Output = Expr;
            fn $method(self, other: i128) -> Expr {
                std::ops::$trait::$method(&self, &Expr::int(other))
            }
        }
    };
}
operator!(Add, add, |a, b| a.add_scaled(b, &Integer::ONE));
operator!(Sub, sub, |a, b| a.add_scaled(b, &Integer::MINUS_ONE));
operator!(Mul, mul, |a, b| a.times(b));

impl std::ops::Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        self.scale(&Integer::MINUS_ONE)
    }
}

impl std::ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        -&self
    }
}

impl std::iter::Sum for Expr {
    fn sum<I: Iterator<Item = Expr>>(iter: I) -> Expr {
        iter.fold(Expr::zero(), |sum, next| sum + next)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::print::text(self, &|symbol| format!("s{}", symbol.0)))
    }
}
