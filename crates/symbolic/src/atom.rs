//! What are expressions made of? Symbols and indivisible operations on expressions (*atoms*), and products of them
//! (*monomials*).

use crate::condition::Condition;
use crate::expr::Expr;
use std::cmp::Ordering;
use std::sync::Arc;

/// Something whose value is an unknown integer. What it stands for is known only to its creator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub u32);

/// One factor of a product.
#[derive(Clone)]
pub enum Atom {
    /// A symbol.
    Symbol(Symbol),
    /// An operation that sums and products do not express.
    Compound(Arc<Compound>),
}

/// An operation that is not a sum or product, with what is precomputed about it.
pub struct Compound {
    pub(crate) hash: u64,
    pub(crate) mask: u64,
    pub(crate) nodes: u32,
    pub(crate) depth: u16,
    pub(crate) kind: Operation,
}

/// The operations that are atoms. Operands are canonical, and the operation could not be simplified further.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// The greatest of at least two operands, sorted. A minimum is written `-max(-a, -b)`.
    Max(Box<[Expr]>),
    /// Quotient rounded towards minus infinity. Undefined if the divisor is 0.
    FloorDiv(Expr, Expr),
    /// `a - b * floor_div(a, b)`. Undefined if the divisor is 0.
    FloorMod(Expr, Expr),
    /// Quotient rounded towards zero, as `/` in C. Undefined if the divisor is 0.
    TruncDiv(Expr, Expr),
    /// Remainder with the sign of the dividend, as `%` in C. Undefined if the divisor is 0.
    TruncRem(Expr, Expr),
    /// Bitwise `and`, in two's complement of infinite width; operands sorted.
    And(Expr, Expr),
    /// Bitwise `or`; operands sorted.
    Or(Expr, Expr),
    /// Bitwise exclusive `or`; operands sorted.
    Xor(Expr, Expr),
    /// `a * 2^b`. Undefined if `b` is negative.
    ShiftLeft(Expr, Expr),
    /// `floor(a / 2^b)`. Undefined if `b` is negative.
    ShiftRight(Expr, Expr),
    /// Two to eight disjoint cases; the value of the one whose condition holds. Undefined if none holds.
    Guarded(Box<[(Condition, Expr)]>),
    /// Some function of these symbols that was too large to keep. Equal numbers mean the same function.
    Oversize {
        /// A digest of the operation and its operands.
        id: u128,
        /// All symbols that it may depend on, sorted.
        symbols: Box<[Symbol]>,
    },
}

impl Atom {
    /// The symbol, if it is one.
    pub fn as_symbol(&self) -> Option<Symbol> {
        match self {
            Atom::Symbol(symbol) => Some(*symbol),
            Atom::Compound(_) => None,
        }
    }

    /// The operation, if it is one.
    pub fn operation(&self) -> Option<&Operation> {
        match self {
            Atom::Symbol(_) => None,
            Atom::Compound(compound) => Some(&compound.kind),
        }
    }

    /// May its value depend on the symbol?
    pub fn mentions(&self, symbol: Symbol) -> bool {
        match self {
            Atom::Symbol(own) => *own == symbol,
            Atom::Compound(compound) => {
                compound.mask & symbol_bit(symbol) != 0 && compound.kind.mentions(symbol)
            }
        }
    }

    /// May its value depend on a symbol of which this is true?
    pub(crate) fn any_symbol(&self, wanted: &dyn Fn(Symbol) -> bool) -> bool {
        match self.operation() {
            None => self.as_symbol().is_some_and(wanted),
            Some(Operation::Oversize { symbols, .. }) => symbols.iter().any(|symbol| wanted(*symbol)),
            Some(Operation::Guarded(cases)) => cases
                .iter()
                .any(|(condition, value)| condition.any_symbol(wanted) || value.any_symbol(wanted)),
            Some(other) => other.operands().iter().any(|operand| operand.any_symbol(wanted)),
        }
    }

    pub(crate) fn hash_bits(&self) -> u64 {
        match self {
            Atom::Symbol(symbol) => mix(0x51, u64::from(symbol.0)),
            Atom::Compound(compound) => compound.hash,
        }
    }

    pub(crate) fn mask(&self) -> u64 {
        match self {
            Atom::Symbol(symbol) => symbol_bit(*symbol),
            Atom::Compound(compound) => compound.mask,
        }
    }

    pub(crate) fn nodes(&self) -> u32 {
        match self {
            Atom::Symbol(_) => 1,
            Atom::Compound(compound) => compound.nodes,
        }
    }

    pub(crate) fn depth(&self) -> u16 {
        match self {
            Atom::Symbol(_) => 0,
            Atom::Compound(compound) => compound.depth,
        }
    }
}

impl PartialEq for Atom {
    #[inline]
    fn eq(&self, other: &Atom) -> bool {
        match (self, other) {
            (Atom::Symbol(a), Atom::Symbol(b)) => a == b,
            (Atom::Compound(a), Atom::Compound(b)) => {
                Arc::ptr_eq(a, b) || (a.hash == b.hash && a.kind == b.kind)
            }
            _ => false,
        }
    }
}

impl Eq for Atom {}

impl Ord for Atom {
    #[inline]
    fn cmp(&self, other: &Atom) -> Ordering {
        match (self, other) {
            (Atom::Symbol(a), Atom::Symbol(b)) => a.cmp(b),
            (Atom::Symbol(_), Atom::Compound(_)) => Ordering::Less,
            (Atom::Compound(_), Atom::Symbol(_)) => Ordering::Greater,
            (Atom::Compound(a), Atom::Compound(b)) => {
                if Arc::ptr_eq(a, b) {
                    Ordering::Equal
                } else {
                    a.kind.cmp(&b.kind)
                }
            }
        }
    }
}

impl PartialOrd for Atom {
    fn partial_cmp(&self, other: &Atom) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::hash::Hash for Atom {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash_bits());
    }
}

impl Operation {
    /// The operand expressions, without those of conditions.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Operation::Max(operands) => operands.iter().collect(),
            Operation::FloorDiv(a, b)
            | Operation::FloorMod(a, b)
            | Operation::TruncDiv(a, b)
            | Operation::TruncRem(a, b)
            | Operation::And(a, b)
            | Operation::Or(a, b)
            | Operation::Xor(a, b)
            | Operation::ShiftLeft(a, b)
            | Operation::ShiftRight(a, b) => vec![a, b],
            Operation::Guarded(cases) => cases.iter().map(|(_, value)| value).collect(),
            Operation::Oversize { .. } => Vec::new(),
        }
    }

    fn mentions(&self, symbol: Symbol) -> bool {
        match self {
            Operation::Oversize { symbols, .. } => symbols.binary_search(&symbol).is_ok(),
            Operation::Guarded(cases) => cases
                .iter()
                .any(|(condition, value)| condition.mentions(symbol) || value.mentions(symbol)),
            other => other.operands().iter().any(|operand| operand.mentions(symbol)),
        }
    }

    /// A number for the kind of operation.
    pub(crate) fn code(&self) -> u64 {
        match self {
            Operation::Max(_) => 2,
            Operation::FloorDiv(..) => 3,
            Operation::FloorMod(..) => 4,
            Operation::TruncDiv(..) => 5,
            Operation::TruncRem(..) => 6,
            Operation::And(..) => 7,
            Operation::Or(..) => 8,
            Operation::Xor(..) => 9,
            Operation::ShiftLeft(..) => 10,
            Operation::ShiftRight(..) => 11,
            Operation::Guarded(_) => 12,
            Operation::Oversize { .. } => 13,
        }
    }

    pub(crate) fn into_atom(self) -> Atom {
        let mut hash = self.code();
        let mut mask = 0;
        let mut nodes = 1u32;
        let mut depth = 0u16;
        let mut visit = |part_hash: u64, part_mask: u64, part_nodes: u32, part_depth: u16| {
            hash = mix(hash, part_hash);
            mask |= part_mask;
            nodes = nodes.saturating_add(part_nodes);
            depth = depth.max(part_depth);
        };
        match &self {
            Operation::Oversize { id, symbols } => {
                visit(
                    *id as u64,
                    symbols.iter().fold(0, |all, symbol| all | symbol_bit(*symbol)),
                    1,
                    0,
                );
            }
            Operation::Guarded(cases) => {
                for (condition, value) in cases {
                    visit(
                        condition.hash_bits(),
                        condition.mask(),
                        condition.nodes(),
                        condition.depth(),
                    );
                    visit(value.hash_bits(), value.mask(), value.nodes(), value.depth());
                }
            }
            other => {
                for operand in other.operands() {
                    visit(
                        operand.hash_bits(),
                        operand.mask(),
                        operand.nodes(),
                        operand.depth(),
                    );
                }
            }
        }
        Atom::Compound(Arc::new(Compound {
            hash,
            mask,
            nodes,
            depth: depth.saturating_add(1),
            kind: self,
        }))
    }
}

/// A product of atoms with powers, sorted by atom. The empty product is 1.
#[derive(Clone)]
pub struct Monomial(Factors);

#[derive(Clone)]
enum Factors {
    None,
    One([(Atom, u32); 1]),
    Many(Arc<[(Atom, u32)]>),
}

impl Monomial {
    /// The empty product.
    pub(crate) const ONE: Monomial = Monomial(Factors::None);

    pub(crate) fn atom(atom: Atom) -> Monomial {
        Monomial(Factors::One([(atom, 1)]))
    }

    /// The product of atoms that are sorted, each once.
    pub(crate) fn from_sorted(mut factors: Vec<(Atom, u32)>) -> Monomial {
        match factors.len() {
            0 => Monomial::ONE,
            1 => match factors.pop() {
                Some(factor) => Monomial(Factors::One([factor])),
                None => Monomial::ONE,
            },
            _ => Monomial(Factors::Many(factors.into())),
        }
    }

    /// The atoms with their powers, which are at least 1.
    #[inline]
    pub fn factors(&self) -> &[(Atom, u32)] {
        match &self.0 {
            Factors::None => &[],
            Factors::One(one) => one,
            Factors::Many(many) => many,
        }
    }

    /// Is it the empty product?
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Factors::None)
    }

    /// The atom, if the product is one atom to the power 1.
    pub fn as_atom(&self) -> Option<&Atom> {
        match &self.0 {
            Factors::One([(atom, 1)]) => Some(atom),
            _ => None,
        }
    }

    /// The sum of the powers.
    pub fn degree(&self) -> u32 {
        self.factors()
            .iter()
            .fold(0u32, |sum, (_, power)| sum.saturating_add(*power))
    }

    /// The power of the atom; 0 if it is not a factor.
    pub fn power_of(&self, atom: &Atom) -> u32 {
        self.factors()
            .iter()
            .find(|(own, _)| own == atom)
            .map_or(0, |(_, power)| *power)
    }

    /// The product of two.
    pub fn times(&self, other: &Monomial) -> Monomial {
        if self.is_one() {
            return other.clone();
        }
        if other.is_one() {
            return self.clone();
        }
        let (left, right) = (self.factors(), other.factors());
        let mut product = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            match left[i].0.cmp(&right[j].0) {
                Ordering::Less => {
                    product.push(left[i].clone());
                    i += 1;
                }
                Ordering::Greater => {
                    product.push(right[j].clone());
                    j += 1;
                }
                Ordering::Equal => {
                    product.push((left[i].0.clone(), left[i].1.saturating_add(right[j].1)));
                    i += 1;
                    j += 1;
                }
            }
        }
        product.extend_from_slice(&left[i..]);
        product.extend_from_slice(&right[j..]);
        Monomial::from_sorted(product)
    }

    /// The other factor, if `divisor` divides this product.
    pub fn divided_by(&self, divisor: &Monomial) -> Option<Monomial> {
        if divisor.is_one() {
            return Some(self.clone());
        }
        let mut rest = Vec::new();
        let mut matched = 0;
        for (atom, power) in self.factors() {
            let removed = divisor.power_of(atom);
            if removed > *power {
                return None;
            }
            if removed > 0 {
                matched += 1;
            }
            if power - removed > 0 {
                rest.push((atom.clone(), power - removed));
            }
        }
        (matched == divisor.factors().len()).then(|| Monomial::from_sorted(rest))
    }

    pub(crate) fn hash_bits(&self) -> u64 {
        self.factors().iter().fold(1, |hash, (atom, power)| {
            mix(mix(hash, atom.hash_bits()), u64::from(*power))
        })
    }
}

impl PartialEq for Monomial {
    #[inline]
    fn eq(&self, other: &Monomial) -> bool {
        self.factors() == other.factors()
    }
}

impl Eq for Monomial {}

impl Ord for Monomial {
    #[inline]
    fn cmp(&self, other: &Monomial) -> Ordering {
        self.factors().cmp(other.factors())
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Monomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::hash::Hash for Monomial {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash_bits());
    }
}

/// The bit of a symbol in the summaries that make "does it mention" quick.
#[inline]
pub(crate) fn symbol_bit(symbol: Symbol) -> u64 {
    1 << (symbol.0 % 64)
}

/// One step of a structural hash. Deterministic, so orders and output are too.
#[inline]
pub(crate) fn mix(hash: u64, part: u64) -> u64 {
    let mixed = (hash.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}
