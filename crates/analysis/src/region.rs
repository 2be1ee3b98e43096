//! Which bytes of an object does a piece of the program touch?
//!
//! Bounds come from the way the object is indexed, not from its declaration (DawnCC §3.1, backward analysis): the
//! least and greatest offset over all iterations, symbols that vary eliminated from the inside out. Beside the hull
//! there is what is certainly touched, as strided boxes (the linear memory access descriptors of Paek, Hoeflinger and
//! Padua): a start, and pairs of stride and count.

use crate::access::Access;
use crate::loops::{LoopFacts, LoopIndex};
use crate::quotient::exact_quotient;
use crate::symbols::{Cause, Symbols};
use crate::value::Values;
use ferry_ir::{StmtId, VariableRef};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Bytes `low .. high` of one object, counted from its root. Empty if `high <= low`.
#[derive(Clone, PartialEq, Debug)]
pub struct Hull {
    /// First byte that may be touched.
    pub low: Expr,
    /// Past the last byte that may be touched.
    pub high: Expr,
    /// Both ends are touched whenever the loops run.
    pub exact: bool,
    /// All of an object of constant size, for no other reason than that nothing lies outside it.
    pub whole: bool,
}

/// What is certainly touched: `start + sum of stride * i`, `0 <= i < count`, `size` bytes each.
#[derive(Clone, PartialEq, Debug)]
pub struct StridedBox {
    /// Offset of the first element, in bytes.
    pub start: Expr,
    /// Size of one element in bytes (grows while dense dimensions are merged).
    pub size: Expr,
    /// Strides in bytes, positive, and counts; dense ones are merged into `size`.
    pub dimensions: Vec<(Expr, Expr)>,
}

impl StridedBox {
    /// The bytes `start .. start + size`, if there are no gaps.
    pub fn contiguous(&self) -> Option<(Expr, Expr)> {
        self.dimensions
            .is_empty()
            .then(|| (self.start.clone(), &self.start + &self.size))
    }
}

/// Answers that are asked for again and again while environments are tried, by the access (its place in the order of
/// evaluation) and the loops that are not known from outside.
#[derive(Default)]
pub struct Memory {
    hulls: RefCell<BTreeMap<Question, Result<Hull, Cause>>>,
    rows: RefCell<BTreeMap<Question, Option<(Expr, Expr)>>>,
    /// The ends of what moves in offsets and subscripts: most accesses of a stencil have it in common.
    moving: RefCell<HashMap<Moving, Vec<(Facts, Ends)>>>,
    /// Without what none of an access's bytes is touched: most accesses of a nest happen together.
    happens: RefCell<HashMap<Path, Vec<Happens>>>,
    /// How often loops run, by their counters, if that is a number.
    trips: RefCell<HashMap<Symbol, Option<u64>>>,
    /// What varies in these loops: there may be thousands of symbols.
    varying: RefCell<BTreeMap<Vec<LoopIndex>, Rc<[Symbol]>>>,
    /// The same of single loops, of all at once.
    varying_by_loop: OnceCell<BTreeMap<StmtId, Vec<Symbol>>>,
    /// The variables by their addresses: each construct asks for those that it touches, among thousands.
    variables: OnceCell<BTreeMap<Symbol, VariableRef>>,
}

/// An access and the loops that are left out of its bounds.
type Question = (usize, Vec<LoopIndex>);

/// What of an expression changes in loops, with all symbols that it mentions and the loops.
type Moving = (Expr, Vec<Symbol>, Vec<LoopIndex>);

/// The least and the greatest value of an expression, each with whether it is attained.
type Ends = [(Expr, bool); 2];

/// Where an access is asked about: the loops around it, those of them that are not known from outside, numbers that tell apart what is known where it happens and what is
/// known before, and that its bytes are some at all.
type Path = (Vec<LoopIndex>, Vec<LoopIndex>, [u64; 2], Condition);

/// What was known outside and where the access is, and the condition that came of it.
type Happens = (Facts, Facts, Condition);

/// The same of one access: the access, the loops that are not known from outside, what is known before them, and that its bytes are some.
type Asked<'a> = (&'a Access, &'a [LoopIndex], &'a Facts, &'a Condition);

impl Memory {
    /// The variable with an address, of these.
    pub(crate) fn variable_at(
        &self,
        root: Symbol,
        addresses: &BTreeMap<VariableRef, Symbol>,
    ) -> Option<VariableRef> {
        let by_address = || {
            addresses
                .iter()
                .map(|(variable, root)| (*root, *variable))
                .collect()
        };
        self.variables.get_or_init(by_address).get(&root).copied()
    }

    /// How often the loop with a counter runs, if that is a number.
    pub(crate) fn trip(&self, counter: Symbol, find: impl FnOnce() -> Option<u64>) -> Option<u64> {
        *self.trips.borrow_mut().entry(counter).or_insert_with(find)
    }

    fn path((access, inside, entry, runs): Asked<'_>) -> Path {
        let digests = [access.facts.digest(), entry.digest()];
        (access.loops.clone(), inside.to_vec(), digests, runs.clone())
    }

    /// The condition without which an access does not happen ([`Values::part`]), if it was asked for at another access for which it is the same.
    pub(crate) fn happens(&self, asked: Asked<'_>) -> Option<Condition> {
        let known = self.happens.borrow();
        let mut alike = known.get(&Memory::path(asked))?.iter();
        let (_, _, happens) =
            alike.find(|(here, before, _)| here.is_same(&asked.0.facts) && before.is_same(asked.2))?;
        Some(happens.clone())
    }

    /// Keeps the condition.
    pub(crate) fn keep_happens(&self, asked: Asked<'_>, happens: &Condition) {
        let mut known = self.happens.borrow_mut();
        let alike = known.entry(Memory::path(asked)).or_default();
        alike.push((asked.0.facts.clone(), asked.2.clone(), happens.clone()));
    }
}

/// A copy knows nothing yet: it is made to be changed, and its accesses may be others.
impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory::default()
    }
}

impl Values {
    /// The bytes that an access may touch while the loops `inside` run.
    pub fn hull(&self, access: &Access, inside: &[LoopIndex]) -> Result<Hull, Cause> {
        let question = (access.order, inside.to_vec());
        if let Some(known) = self.memory.hulls.borrow().get(&question) {
            return known.clone();
        }
        let eliminate = self.varying_in(inside);
        // With the conditions that choose between values, bounds do not reach past what is chosen.
        let chosen = access.address.as_ref().map(|address| self.defined(address));
        let found = match chosen == access.address {
            true => self
                .hull_by_steps(access, inside, &eliminate)
                .unwrap_or_else(|| hull(access, &eliminate)),
            false => {
                let with_choices = Access {
                    address: chosen,
                    ..access.clone()
                };
                hull(&with_choices, &eliminate).or_else(|_| hull(access, &eliminate))
            }
        };
        let found = match found {
            Ok(hull) => self.inside_object(access, hull, &eliminate),
            Err(cause) => self.whole_object(access, &eliminate).ok_or(cause),
        };
        self.memory.hulls.borrow_mut().insert(question, found.clone());
        found
    }

    /// The hull of an access whose offset moves in these loops; what is asked for once for accesses that move alike is in [`Values::span`].
    fn hull_by_steps(
        &self,
        access: &Access,
        inside: &[LoopIndex],
        eliminate: &[Symbol],
    ) -> Option<Result<Hull, Cause>> {
        if access.root.is_none_or(|root| eliminate.contains(&root)) {
            return None;
        }
        let offset = access.offset()?;
        if !offset
            .symbols()
            .into_iter()
            .any(|symbol| self.varies_in_one_of(symbol, inside))
        {
            return None;
        }
        let size = Expr::int(i128::from(access.size));
        let ends = self.ends(access, &offset, inside, eliminate);
        Some(ends.map(|ends| spanned(access, ends, &size, eliminate)))
    }

    /// The least and the greatest value of an expression where an access happens, over these loops.
    pub fn span(&self, access: &Access, expr: &Expr, inside: &[LoopIndex]) -> Option<(Expr, Expr)> {
        let [(low, _), (high, _)] = self.ends(access, expr, inside, &self.varying_in(inside)).ok()?;
        Some((low, high))
    }

    /// The same, with whether they are attained. Of a sum of plain products the ends of what moves are asked for once for all accesses that have it in common, and what
    /// does not move is added to them.
    fn ends(
        &self,
        access: &Access,
        expr: &Expr,
        inside: &[LoopIndex],
        eliminate: &[Symbol],
    ) -> Result<Ends, Cause> {
        if !expr.is_plain() {
            return ends(access, expr, eliminate);
        }
        let mentioned = expr.symbols();
        let varies = |symbol: &Symbol| self.varies_in_one_of(*symbol, inside);
        let varies: Vec<Symbol> = mentioned.iter().copied().filter(varies).collect();
        let (moving, rest) = expr.parted(&|symbol| varies.contains(&symbol));
        let key = (moving, mentioned.into_iter().collect(), inside.to_vec());
        let asked = self.memory.moving.borrow().get(&key).and_then(|alike| {
            let (_, ends) = alike.iter().find(|(facts, _)| facts.is_same(&access.facts))?;
            Some(ends.clone())
        });
        if let Some(moving) = asked {
            return Ok(moving.map(|(end, exact)| (&end + &rest, exact)));
        }
        let found = ends(access, expr, eliminate)?;
        if found.iter().all(|(end, _)| end.is_plain()) {
            let moving = found.clone().map(|(end, exact)| (&end - &rest, exact));
            let mut known = self.memory.moving.borrow_mut();
            let alike = known.entry(key).or_default();
            alike.push((access.facts.clone(), moving));
        }
        Ok(found)
    }

    /// The least and greatest value of the first subscript of an access while the loops `inside` run.
    pub fn rows(&self, access: &Access, inside: &[LoopIndex]) -> Option<(Expr, Expr)> {
        let question = (access.order, inside.to_vec());
        if let Some(known) = self.memory.rows.borrow().get(&question) {
            return known.clone();
        }
        let found = access.subscripts.first().and_then(|first| {
            let (index, eliminate) = (first.index.as_ref()?, self.varying_in(inside));
            let ends = |index: &Expr| {
                let low = access.facts.minimum(index, &eliminate)?.value;
                let high = access.facts.maximum(index, &eliminate)?.value;
                Some((low, high))
            };
            let found = ends(&self.defined(index)).or_else(|| ends(index))?;
            self.rows_of_object(access, found, &eliminate)
        });
        self.memory.rows.borrow_mut().insert(question, found.clone());
        found
    }

    /// An expression with the choices by conditions that its symbols stand for.
    pub fn defined(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        for _ in 0..4 {
            let next = expr.substitute_all(&|symbol| self.definitions.get(&symbol).cloned());
            if next == expr || next.is_oversize() {
                break;
            }
            expr = next;
        }
        expr
    }

    /// Everything that varies in one of the loops, inner and later symbols first.
    pub fn varying(&self, loops: &[LoopIndex]) -> Vec<Symbol> {
        self.varying_in(loops).to_vec()
    }

    /// True if a symbol is one of those that vary in one of the loops: there may be thousands of these, and an expression mentions few.
    fn varies_in_one_of(&self, symbol: Symbol, loops: &[LoopIndex]) -> bool {
        let varies = |index: &LoopIndex| self.symbols.varies_in(symbol, self.loops[index.0 as usize].stmt);
        loops.iter().any(varies)
    }

    /// Everything that varies in one of these loops.
    pub fn varying_in_any(&self, loops: impl IntoIterator<Item = StmtId>) -> BTreeSet<Symbol> {
        let by_loop = self.memory.varying_by_loop.get_or_init(|| {
            let mut by_loop: BTreeMap<StmtId, Vec<Symbol>> = BTreeMap::new();
            for (number, info) in self.symbols.iter().enumerate() {
                for of in &info.loops {
                    by_loop.entry(*of).or_default().push(Symbol(number as u32));
                }
            }
            by_loop
        });
        let found = loops.into_iter().filter_map(|stmt| by_loop.get(&stmt));
        found.flatten().copied().collect()
    }

    fn varying_in(&self, loops: &[LoopIndex]) -> Rc<[Symbol]> {
        if let Some(known) = self.memory.varying.borrow().get(loops) {
            return known.clone();
        }
        let statements = loops.iter().map(|index| self.loops[index.0 as usize].stmt);
        let found: Rc<[Symbol]> = self.varying_in_any(statements).into_iter().rev().collect();
        self.memory
            .varying
            .borrow_mut()
            .insert(loops.to_vec(), found.clone());
        found
    }
}

/// The bytes that one access may touch while a loop runs, seen from just before it.
pub fn hull(access: &Access, eliminate: &[Symbol]) -> Result<Hull, Cause> {
    let unknown = |why: &str| Cause::new(why, access.origin);
    let offset = access
        .offset()
        .ok_or_else(|| unknown("it is not known what the pointer points to"))?;
    if let Some(root) = access.root
        && eliminate.contains(&root)
    {
        return Err(unknown("the pointer changes in the loop"));
    }
    within(access, &offset, access.size, eliminate)
}

/// The bytes in which `size` bytes at an offset lie, which is evaluated where the access is, over all values of what is eliminated.
pub fn within(access: &Access, offset: &Expr, size: u64, eliminate: &[Symbol]) -> Result<Hull, Cause> {
    let mentioned = offset.symbols();
    let size = Expr::int(i128::from(size));
    if !eliminate.iter().any(|symbol| mentioned.contains(symbol)) {
        return Ok(Hull {
            low: offset.clone(),
            high: offset + &size,
            exact: !access.partial,
            whole: false,
        });
    }
    let ends = ends(access, offset, eliminate)?;
    Ok(spanned(access, ends, &size, eliminate))
}

/// The least and the greatest value of an offset.
fn ends(access: &Access, offset: &Expr, eliminate: &[Symbol]) -> Result<Ends, Cause> {
    let unknown = |why: &str| Cause::new(why, access.origin);
    let low = access
        .facts
        .minimum(offset, eliminate)
        .ok_or_else(|| unknown("its subscript has no lower bound"))?;
    let high = access
        .facts
        .maximum(offset, eliminate)
        .ok_or_else(|| unknown("its subscript has no upper bound"))?;
    Ok([(low.value, low.exact), (high.value, high.exact)])
}

/// The bytes from the least offset to the end of the greatest.
fn spanned(access: &Access, [low, high]: Ends, size: &Expr, eliminate: &[Symbol]) -> Hull {
    let regular = eliminate.iter().all(|symbol| !access.irregular.contains(symbol));
    Hull {
        low: low.0,
        high: &high.0 + size,
        exact: low.1 && high.1 && regular && !access.partial,
        whole: false,
    }
}

/// What the access certainly touches in each run of the loop `of`, if it happens in every iteration of it and of the
/// loops inside, all of which run a number of times that is known before. `loops` are those of the function.
pub fn certain(symbols: &Symbols, loops: &[LoopFacts], access: &Access, of: LoopIndex) -> Option<StridedBox> {
    let position = access.loops.iter().position(|index| *index == of)?;
    if access.conditional_depth > position {
        return None;
    }
    certain_within(symbols, loops, access, &access.loops[position..])
}

/// The same for a list of loops, outermost first, whose iterations all happen.
pub fn certain_within(
    symbols: &Symbols,
    loops: &[LoopFacts],
    access: &Access,
    inside: &[LoopIndex],
) -> Option<StridedBox> {
    // A bit-field leaves the other bits of its bytes as they were.
    if access.partial {
        return None;
    }
    let mut start = access.offset()?;
    let mut dimensions = Vec::new();
    let fixed = |expr: &Expr| {
        inside
            .iter()
            .all(|index| symbols.invariant_in(expr, loops[index.0 as usize].stmt))
    };
    for index in inside.iter().rev() {
        let facts = &loops[index.0 as usize];
        let counter = facts.counter;
        let count = facts.trip.as_ref().ok()?.clone();
        let (stride, rest) = start.linear_in(counter)?;
        start = rest;
        if stride.is_zero() {
            // The same element again: at least one iteration must be sure. What is known at the access holds only
            // where it happens; that is enough if the count is the same everywhere.
            let once = &count - &Expr::one();
            let positive = fixed(&count)
                && (access.facts.prove_nonnegative(&once) || true_inside(access, &count))
                || facts.before.facts.prove_nonnegative(&once);
            if positive {
                continue;
            }
            return None;
        }
        dimensions.push((stride, count));
    }
    // Everything left must be fixed while these loops run, and so must every count and stride.
    if !fixed(&start)
        || !dimensions
            .iter()
            .all(|(stride, count)| fixed(stride) && fixed(count))
    {
        return None;
    }
    Some(merge(start, access, dimensions))
}

fn true_inside(access: &Access, count: &Expr) -> bool {
    count
        .simplify(&access.facts)
        .as_constant()
        .is_some_and(|count| count.is_positive())
}

/// Makes strides positive and merges dense dimensions.
fn merge(mut start: Expr, access: &Access, dimensions: Vec<(Expr, Expr)>) -> StridedBox {
    let facts = &access.facts;
    let mut left = Vec::new();
    for (stride, count) in dimensions {
        // Inside the loops every count is positive: max(0, n) is n there.
        let count = count.simplify(facts);
        if facts.prove_nonnegative(&stride) {
            left.push((stride, count));
        } else {
            start = &start + &(&stride * &(&count - &Expr::one()));
            left.push((-&stride, count));
        }
    }
    let mut size = Expr::int(i128::from(access.size));
    while let Some(at) = left
        .iter()
        .position(|(stride, _)| *stride == size || stride.simplify(facts) == size)
    {
        let (_, count) = left.remove(at);
        size = &size * &count;
    }
    left.sort();
    StridedBox {
        start,
        size,
        dimensions: left,
    }
}

/// True if everything in the hull is certainly in the box.
pub fn covers(bounds: &StridedBox, hull: &Hull, facts: &Facts) -> bool {
    let Some((low, high)) = bounds.contiguous() else {
        return false;
    };
    facts.prove_nonnegative(&(&hull.low - &low).simplify(facts))
        && facts.prove_nonnegative(&(&high - &hull.high).simplify(facts))
}

/// True if the elements of `inner` are all in `outer`: the same strides, and the ends inside.
pub fn contains(outer: &StridedBox, inner: &StridedBox, facts: &Facts) -> bool {
    if outer.dimensions.len() != inner.dimensions.len() {
        return false;
    }
    let mut slack = &inner.start - &outer.start;
    for ((stride, count), (other, fewer)) in outer.dimensions.iter().zip(&inner.dimensions).rev() {
        if stride != other {
            return false;
        }
        // Where the starts differ by whole strides, the counts must make up for it.
        let Some(steps) = exact_quotient(&slack, stride) else {
            if facts.prove_nonnegative(&(count - fewer)) {
                continue;
            }
            return false;
        };
        if !facts.prove_nonnegative(&steps) || !facts.prove_nonnegative(&(&(count - fewer) - &steps)) {
            return false;
        }
        slack = Expr::zero();
    }
    facts.prove_nonnegative(&slack) && facts.prove_nonnegative(&(&(&outer.size - &inner.size) - &slack))
}

/// A section of an object as a directive writes it, in elements of the declared type.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// First element.
    pub lower: Expr,
    /// Number of elements, not negative.
    pub length: Expr,
}

/// The facts with the signs of the values in an expression that follow from them: products are simplified only by signs that are plain to see.
pub fn with_signs(facts: &Facts, expr: &Expr) -> Facts {
    let mut with_signs = facts.clone();
    for symbol in expr.symbols() {
        let value = Expr::symbol(symbol);
        if facts.prove_nonnegative(&value) {
            with_signs.assume_nonnegative(&value);
        }
    }
    with_signs
}

/// The elements of `size` bytes that hold the bytes of a hull.
pub fn section(hull: &Hull, size: &Expr, facts: &Facts) -> Section {
    // Of a structure often a part is touched that depends on what runs: it is the first element all the same.
    let in_first = |byte: &Expr| facts.prove_nonnegative(byte) && facts.prove_positive(&(size - byte));
    let lower = match exact_quotient(&hull.low, size) {
        Some(exact) => exact,
        None if in_first(&hull.low) => Expr::zero(),
        None => Expr::floor_div(&hull.low, size).simplify(facts),
    };
    let upper = match exact_quotient(&hull.high, size) {
        Some(exact) => exact,
        None if in_first(&(&hull.high - &Expr::one())) => Expr::one(),
        None => Expr::ceil_div(&hull.high, size).simplify(facts),
    };
    let length = (&upper - &lower).simplify(facts);
    let length = Expr::max(&Expr::zero(), &length).simplify(facts);
    Section {
        lower: lower.simplify(facts),
        length,
    }
}
