//! What is a condition? A combination by `and` and `or` of comparisons of expressions with 0. Negation goes to the leaves.
//!
//! A condition that mentions an undefined expression (a division by 0) is still decided where the rest decides it, as the
//! operators of C do that stop at the first operand which decides.

use crate::atom::{Operation, Symbol, mix};
use crate::expr::{Digest, Expr, MAX_DEPTH, MAX_NODES, Mentioned, gcd_of};
use crate::integer::Integer;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// Most operands of one conjunction or disjunction.
pub const MAX_OPERANDS: usize = 64;

/// How an expression compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `e >= 0`
    NonNegative,
    /// `e == 0`
    Zero,
    /// `e != 0`
    NonZero,
}

/// A comparison of an expression with 0, in canonical form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Comparison {
    /// What is compared.
    pub expr: Expr,
    /// With 0, how.
    pub relation: Relation,
}

/// A canonical condition. Cheap to clone.
#[derive(Clone)]
pub struct Condition(Arc<Node>);

struct Node {
    hash: u64,
    mask: u64,
    nodes: u32,
    depth: u16,
    kind: ConditionKind,
}

/// The forms of conditions. Operands are sorted, different, and not of the same form as the whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionKind {
    /// Always false.
    False,
    /// Always true.
    True,
    /// A comparison that is neither always true nor always false by its form.
    Comparison(Comparison),
    /// All hold; at least two operands.
    And(Box<[Condition]>),
    /// At least one holds; at least two operands.
    Or(Box<[Condition]>),
}

impl Condition {
    fn new(kind: ConditionKind) -> Condition {
        let mut hash: u64;
        let (mut mask, mut nodes, mut depth) = (0, 1u32, 0u16);
        match &kind {
            ConditionKind::False => hash = 11,
            ConditionKind::True => hash = 12,
            ConditionKind::Comparison(comparison) => {
                hash = mix(13 + comparison.relation as u64, comparison.expr.hash_bits());
                mask = comparison.expr.mask();
                nodes = comparison.expr.nodes();
                depth = comparison.expr.depth();
            }
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                hash = if matches!(kind, ConditionKind::And(_)) {
                    17
                } else {
                    19
                };
                for operand in operands {
                    hash = mix(hash, operand.0.hash);
                    mask |= operand.0.mask;
                    nodes = nodes.saturating_add(operand.0.nodes);
                    depth = depth.max(operand.0.depth.saturating_add(1));
                }
            }
        }
        let condition = Condition(Arc::new(Node {
            hash,
            mask,
            nodes,
            depth,
            kind,
        }));
        if nodes > MAX_NODES || depth > MAX_DEPTH {
            let mut digest = Digest::new(5);
            digest.condition(&condition);
            return Condition::nonzero(&digest.finish());
        }
        condition
    }

    /// The condition that always holds.
    pub fn always() -> Condition {
        Condition::new(ConditionKind::True)
    }

    /// The condition that never holds.
    pub fn never() -> Condition {
        Condition::new(ConditionKind::False)
    }

    /// `true` or `false`.
    pub fn constant(value: bool) -> Condition {
        if value {
            Condition::always()
        } else {
            Condition::never()
        }
    }

    /// The form of the condition.
    pub fn kind(&self) -> &ConditionKind {
        &self.0.kind
    }

    /// Does it always hold by its form?
    pub fn is_always(&self) -> bool {
        matches!(self.0.kind, ConditionKind::True)
    }

    /// Does it never hold by its form?
    pub fn is_never(&self) -> bool {
        matches!(self.0.kind, ConditionKind::False)
    }

    /// The comparison, if it is one.
    pub fn as_comparison(&self) -> Option<&Comparison> {
        match &self.0.kind {
            ConditionKind::Comparison(comparison) => Some(comparison),
            _ => None,
        }
    }

    /// The conditions whose conjunction it is: its operands, or itself alone; none if it always holds.
    pub fn conjuncts(&self) -> Vec<Condition> {
        match &self.0.kind {
            ConditionKind::True => Vec::new(),
            ConditionKind::And(operands) => operands.to_vec(),
            _ => vec![self.clone()],
        }
    }

    /// `e >= 0`
    pub fn nonnegative(e: &Expr) -> Condition {
        if let Some(value) = e.as_constant() {
            return Condition::constant(!value.is_negative());
        }
        let gcd = gcd_of(e.variable_terms());
        let expr = if gcd.is_one() {
            e.clone()
        } else {
            let constant = e.constant_term().floor_div(&gcd).unwrap_or_default();
            match e.without_constant().divide_exactly(&gcd) {
                Some(rest) => rest.add_constant(&constant),
                None => e.clone(),
            }
        };
        if let Some(without) = without_floor(&expr) {
            return Condition::nonnegative(&without);
        }
        Condition::new(ConditionKind::Comparison(Comparison {
            expr,
            relation: Relation::NonNegative,
        }))
    }

    /// `e == 0`
    pub fn zero(e: &Expr) -> Condition {
        Condition::equation(e, Relation::Zero)
    }

    /// `e != 0`
    pub fn nonzero(e: &Expr) -> Condition {
        Condition::equation(e, Relation::NonZero)
    }

    fn equation(e: &Expr, relation: Relation) -> Condition {
        let equal = relation == Relation::Zero;
        if let Some(value) = e.as_constant() {
            return Condition::constant(value.is_zero() == equal);
        }
        let mut gcd = gcd_of(e.variable_terms());
        if !e.constant_term().is_multiple_of(&gcd) {
            return Condition::constant(!equal);
        }
        if e.variable_terms()
            .first()
            .is_some_and(|term| term.coefficient.is_negative())
        {
            gcd = -gcd;
        }
        let expr = e.divide_exactly(&gcd).unwrap_or_else(|| e.clone());
        Condition::new(ConditionKind::Comparison(Comparison { expr, relation }))
    }

    /// `e >= 1`
    pub fn positive(e: &Expr) -> Condition {
        Condition::nonnegative(&e.add_constant(&Integer::MINUS_ONE))
    }

    /// `e < 0`
    pub fn negative(e: &Expr) -> Condition {
        Condition::positive(&-e)
    }

    /// `a < b`
    pub fn less(a: &Expr, b: &Expr) -> Condition {
        Condition::positive(&(b - a))
    }

    /// `a <= b`
    pub fn less_equal(a: &Expr, b: &Expr) -> Condition {
        Condition::nonnegative(&(b - a))
    }

    /// `low <= value && value <= high`
    pub fn in_range(value: &Expr, low: i128, high: i128) -> Condition {
        Condition::less_equal(&Expr::int(low), value).and(&Condition::less_equal(value, &Expr::int(high)))
    }

    /// `a == b`
    pub fn equal(a: &Expr, b: &Expr) -> Condition {
        Condition::zero(&(a - b))
    }

    /// `a != b`
    pub fn not_equal(a: &Expr, b: &Expr) -> Condition {
        Condition::nonzero(&(a - b))
    }

    /// Both hold.
    pub fn and(&self, other: &Condition) -> Condition {
        if self.is_always() || other.is_never() || self == other {
            return other.clone();
        }
        if other.is_always() || self.is_never() {
            return self.clone();
        }
        Condition::all([self.clone(), other.clone()])
    }

    /// At least one holds.
    pub fn or(&self, other: &Condition) -> Condition {
        if self.is_never() || other.is_always() || self == other {
            return other.clone();
        }
        if other.is_never() || self.is_always() {
            return self.clone();
        }
        Condition::any([self.clone(), other.clone()])
    }

    /// All hold. True for none.
    pub fn all(operands: impl IntoIterator<Item = Condition>) -> Condition {
        let mut flat = BTreeSet::new();
        for operand in operands {
            match &operand.0.kind {
                ConditionKind::True => {}
                ConditionKind::False => return operand,
                ConditionKind::And(inner) => flat.extend(inner.iter().cloned()),
                _ => {
                    flat.insert(operand);
                }
            }
        }
        let Some(mut merged) = merge_comparisons(flat) else {
            return Condition::never();
        };
        if merged.len() == 1 {
            return merged.pop_first().unwrap_or_else(Condition::always);
        }
        if merged.is_empty() {
            return Condition::always();
        }
        // x and not x; x and (x or y).
        for operand in &merged {
            if let ConditionKind::Or(_) = operand.0.kind
                && merged.contains(&operand.not())
            {
                return Condition::never();
            }
        }
        let all: Vec<Condition> = merged
            .iter()
            .filter(|operand| match &operand.0.kind {
                ConditionKind::Or(inner) => !inner.iter().any(|part| merged.contains(part)),
                _ => true,
            })
            .cloned()
            .collect();
        match all.len() {
            1 => all.into_iter().next().unwrap_or_else(Condition::always),
            0..=MAX_OPERANDS => Condition::new(ConditionKind::And(all.into_boxed_slice())),
            _ => {
                let mut digest = Digest::new(6);
                for operand in &all {
                    digest.condition(operand);
                }
                Condition::nonzero(&digest.finish())
            }
        }
    }

    /// At least one holds. False for none.
    pub fn any(operands: impl IntoIterator<Item = Condition>) -> Condition {
        Condition::all(operands.into_iter().map(|operand| operand.not())).not()
    }

    /// The opposite.
    pub fn not(&self) -> Condition {
        match &self.0.kind {
            ConditionKind::False => Condition::always(),
            ConditionKind::True => Condition::never(),
            ConditionKind::Comparison(comparison) => match comparison.relation {
                Relation::NonNegative => Condition::negative(&comparison.expr),
                Relation::Zero => Condition::new(ConditionKind::Comparison(Comparison {
                    expr: comparison.expr.clone(),
                    relation: Relation::NonZero,
                })),
                Relation::NonZero => Condition::new(ConditionKind::Comparison(Comparison {
                    expr: comparison.expr.clone(),
                    relation: Relation::Zero,
                })),
            },
            ConditionKind::And(operands) => {
                Condition::new(ConditionKind::Or(sorted(operands.iter().map(Condition::not))))
            }
            ConditionKind::Or(operands) => {
                Condition::new(ConditionKind::And(sorted(operands.iter().map(Condition::not))))
            }
        }
    }

    /// Its truth for the given values; `None` where undefined.
    pub fn evaluate(&self, value_of: &dyn Fn(Symbol) -> Option<Integer>) -> Option<bool> {
        match &self.0.kind {
            ConditionKind::False => Some(false),
            ConditionKind::True => Some(true),
            ConditionKind::Comparison(comparison) => {
                let value = comparison.expr.evaluate(value_of)?;
                Some(match comparison.relation {
                    Relation::NonNegative => !value.is_negative(),
                    Relation::Zero => value.is_zero(),
                    Relation::NonZero => !value.is_zero(),
                })
            }
            ConditionKind::And(operands) => combine(operands, value_of, false),
            ConditionKind::Or(operands) => combine(operands, value_of, true),
        }
    }

    /// The condition with every expression in it replaced by what `replace` gives.
    pub fn map(&self, replace: &mut dyn FnMut(&Expr) -> Expr) -> Condition {
        match &self.0.kind {
            ConditionKind::False | ConditionKind::True => self.clone(),
            ConditionKind::Comparison(comparison) => {
                let expr = replace(&comparison.expr);
                if expr == comparison.expr {
                    return self.clone();
                }
                Condition::comparison(comparison.relation, &expr)
            }
            ConditionKind::And(operands) => {
                Condition::all(operands.iter().map(|operand| operand.map(replace)))
            }
            ConditionKind::Or(operands) => {
                Condition::any(operands.iter().map(|operand| operand.map(replace)))
            }
        }
    }

    /// The comparison of an expression with 0.
    pub fn comparison(relation: Relation, expr: &Expr) -> Condition {
        match relation {
            Relation::NonNegative => Condition::nonnegative(expr),
            Relation::Zero => Condition::zero(expr),
            Relation::NonZero => Condition::nonzero(expr),
        }
    }

    /// The condition with an expression for a symbol.
    pub fn substitute(&self, symbol: Symbol, value: &Expr) -> Condition {
        if !self.mentions(symbol) {
            return self.clone();
        }
        self.map(&mut |expr| expr.substitute(symbol, value))
    }

    /// The condition with expressions for all symbols for which `value_of` gives one.
    pub fn substitute_all(&self, value_of: &dyn Fn(Symbol) -> Option<Expr>) -> Condition {
        self.map(&mut |expr| expr.substitute_all(value_of))
    }

    /// All symbols that it may depend on.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut symbols = Mentioned::default();
        self.add_symbols(&mut symbols);
        symbols.into_set()
    }

    /// May its truth depend on a symbol of which this is true?
    pub fn any_symbol(&self, wanted: &dyn Fn(Symbol) -> bool) -> bool {
        match &self.0.kind {
            ConditionKind::False | ConditionKind::True => false,
            ConditionKind::Comparison(comparison) => comparison.expr.any_symbol(wanted),
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                operands.iter().any(|operand| operand.any_symbol(wanted))
            }
        }
    }

    pub(crate) fn add_symbols(&self, symbols: &mut Mentioned) {
        match &self.0.kind {
            ConditionKind::False | ConditionKind::True => {}
            ConditionKind::Comparison(comparison) => comparison.expr.add_symbols(symbols),
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                for operand in operands {
                    operand.add_symbols(symbols);
                }
            }
        }
    }

    /// May its truth depend on the symbol?
    pub fn mentions(&self, symbol: Symbol) -> bool {
        if self.0.mask & crate::atom::symbol_bit(symbol) == 0 {
            return false;
        }
        match &self.0.kind {
            ConditionKind::False | ConditionKind::True => false,
            ConditionKind::Comparison(comparison) => comparison.expr.mentions(symbol),
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                operands.iter().any(|operand| operand.mentions(symbol))
            }
        }
    }

    /// Is a comparison in it about something too large to keep?
    pub fn is_oversize(&self) -> bool {
        match &self.0.kind {
            ConditionKind::False | ConditionKind::True => false,
            ConditionKind::Comparison(comparison) => comparison.expr.is_oversize(),
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                operands.iter().any(Condition::is_oversize)
            }
        }
    }

    pub(crate) fn digest(&self, digest: &mut Digest) {
        match &self.0.kind {
            ConditionKind::False => digest.number(1),
            ConditionKind::True => digest.number(2),
            ConditionKind::Comparison(comparison) => {
                digest.number(3 + comparison.relation as u64);
                digest.expr(&comparison.expr);
            }
            ConditionKind::And(operands) | ConditionKind::Or(operands) => {
                digest.number(if matches!(self.0.kind, ConditionKind::And(_)) {
                    7
                } else {
                    8
                });
                digest.number(operands.len() as u64);
                for operand in operands {
                    operand.digest(digest);
                }
            }
        }
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
}

fn sorted(operands: impl Iterator<Item = Condition>) -> Box<[Condition]> {
    let mut all: Vec<Condition> = operands.collect();
    all.sort();
    all.into_boxed_slice()
}

fn combine(
    operands: &[Condition],
    value_of: &dyn Fn(Symbol) -> Option<Integer>,
    deciding: bool,
) -> Option<bool> {
    let mut undefined = false;
    for operand in operands {
        match operand.evaluate(value_of) {
            Some(value) if value == deciding => return Some(deciding),
            Some(_) => {}
            None => undefined = true,
        }
    }
    if undefined { None } else { Some(!deciding) }
}

/// What is known of one linear form: an interval without some values.
#[derive(Default)]
struct Interval {
    low: Option<Integer>,
    high: Option<Integer>,
    excluded: BTreeSet<Integer>,
}

/// Joins the comparisons of a conjunction that are about the same form up to sign and constant. `None`: contradictory.
fn merge_comparisons(operands: BTreeSet<Condition>) -> Option<BTreeSet<Condition>> {
    if operands.len() < 2 {
        return Some(operands);
    }
    let mut intervals: BTreeMap<Expr, Interval> = BTreeMap::new();
    let mut rest = BTreeSet::new();
    for operand in operands {
        let Some(comparison) = operand.as_comparison() else {
            rest.insert(operand);
            continue;
        };
        let constant = comparison.expr.constant_term();
        let form = comparison.expr.without_constant();
        let flipped = form
            .variable_terms()
            .first()
            .is_some_and(|term| term.coefficient.is_negative());
        let interval = intervals.entry(if flipped { -&form } else { form }).or_default();
        let value = if flipped { constant.clone() } else { -&constant };
        match comparison.relation {
            Relation::NonNegative if flipped => {
                interval.high = Some(interval.high.take().map_or(value.clone(), |high| high.min(value)));
            }
            Relation::NonNegative => {
                interval.low = Some(interval.low.take().map_or(value.clone(), |low| low.max(value)));
            }
            Relation::Zero => {
                interval.high = Some(
                    interval
                        .high
                        .take()
                        .map_or(value.clone(), |high| high.min(value.clone())),
                );
                interval.low = Some(interval.low.take().map_or(value.clone(), |low| low.max(value)));
            }
            Relation::NonZero => {
                interval.excluded.insert(value);
            }
        }
    }
    for (form, mut interval) in intervals {
        while let Some(low) = &interval.low
            && interval.excluded.contains(low)
        {
            interval.low = Some(low + &Integer::ONE);
        }
        while let Some(high) = &interval.high
            && interval.excluded.contains(high)
        {
            interval.high = Some(high - &Integer::ONE);
        }
        if let (Some(low), Some(high)) = (&interval.low, &interval.high) {
            match low.cmp(high) {
                Ordering::Greater => return None,
                Ordering::Equal => {
                    rest.insert(Condition::zero(&form.add_constant(&-low)));
                    continue;
                }
                Ordering::Less => {}
            }
        }
        for value in &interval.excluded {
            let inside = interval.low.as_ref().is_none_or(|low| low <= value)
                && interval.high.as_ref().is_none_or(|high| value <= high);
            if inside {
                rest.insert(Condition::nonzero(&form.add_constant(&-value)));
            }
        }
        if let Some(low) = &interval.low {
            rest.insert(Condition::nonnegative(&form.add_constant(&-low)));
        }
        if let Some(high) = &interval.high {
            rest.insert(Condition::nonnegative(&(-&form).add_constant(high)));
        }
    }
    Some(rest)
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.kind == other.0.kind)
    }
}

impl Eq for Condition {}

impl Ord for Condition {
    fn cmp(&self, other: &Condition) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            Ordering::Equal
        } else {
            self.0.kind.cmp(&other.0.kind)
        }
    }
}

impl PartialOrd for Condition {
    fn partial_cmp(&self, other: &Condition) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::hash::Hash for Condition {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::print::condition_text(self, &|symbol| {
            format!("s{}", symbol.0)
        }))
    }
}

/// `floor(a/c) + k >= 0` is `a + k*c >= 0`, and `k - floor(a/c) >= 0` is `k*c + c - 1 - a >= 0`, for a positive number `c`.
fn without_floor(e: &Expr) -> Option<Expr> {
    let [term] = e.variable_terms() else { return None };
    let Operation::FloorDiv(a, c) = term.monomial.as_atom()?.operation()? else {
        return None;
    };
    let c = c.as_constant().filter(Integer::is_positive)?;
    let bound = Expr::constant(&e.constant_term() * &c);
    if term.coefficient.is_one() {
        return Some(a + &bound);
    }
    let last = Expr::constant(&c - &Integer::from(1));
    (-&term.coefficient).is_one().then(|| &(&bound + &last) - a)
}
