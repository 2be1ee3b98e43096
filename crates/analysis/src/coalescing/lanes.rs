//! How far from the address of the first thread of a warp are those of the others?
//!
//! IPDA §3 and §6: the symbolic addresses of two threads are subtracted, and what both have in common cancels. Where the address is a straight line
//! in the counter of the loop that runs in parallel, the difference is a multiple of one stride, a number or not; else the difference is taken thread by
//! thread, with numbers for the counters, so that remainders, conditions on the counter and ends of rows come out as they are.

use super::mapping::{Mapping, trip};
use super::numbers::{gcd, known, number};
use super::prepared;
use crate::access::Access;
use crate::loops::LoopFacts;
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
use ferry_ir::Types;
use ferry_symbolic::{Atom, Condition, Expr, Integer, Monomial, Operation, Symbol};
use std::cell::OnceCell;

/// The address of one access, ready to be asked for each thread.
#[derive(Clone)]
pub struct LaneAddress<'a> {
    values: &'a Values,
    types: &'a Types,
    mapping: &'a Mapping,
    access: &'a Access,
    /// With numbers for constants that have names.
    address: Expr,
    base: Base,
    /// The answer to [`LaneAddress::is_straight`], once it was asked for.
    straight: OnceCell<bool>,
}

/// Where storage may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// At a multiple of a line, as device memory is given out.
    Line,
    /// At any multiple of so many bytes: a part of an array that is passed as one, or a list item of its own in a larger allocation.
    MultipleOf(u64),
}

impl Base {
    /// The most pieces of `unit` bytes in which storage of so many bytes may lie.
    pub(super) fn pieces(self, extent: u64, unit: u64) -> u64 {
        let last_place = match self {
            Base::Line => 0,
            Base::MultipleOf(bytes) => {
                let step = gcd(i128::from(bytes), i128::from(unit));
                u64::try_from(step).map_or(0, |step| unit - step)
            }
        };
        (last_place + extent).div_ceil(unit).max(1)
    }
}

/// What is known of the first byte that the first thread of a warp touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Start {
    /// Bytes from the start of the storage, what is not a number left out.
    pub constant: i128,
    /// What is left out is a multiple of this; 0 if nothing is.
    pub multiple: i128,
}

impl<'a> LaneAddress<'a> {
    /// The address of an access; an error if it depends on what may be another value in each thread.
    ///
    /// # Errors
    /// The value that is to blame.
    pub fn of(
        values: &'a Values,
        types: &'a Types,
        mapping: &'a Mapping,
        access: &'a Access,
    ) -> Result<LaneAddress<'a>, Cause> {
        let address = prepared::address(values, access);
        LaneAddress::at(values, types, mapping, access, address, Base::Line)
    }

    /// The same, with numbers for constants that have names in the address already, and storage that begins at `base`.
    pub(super) fn at(
        values: &'a Values,
        types: &'a Types,
        mapping: &'a Mapping,
        access: &'a Access,
        address: Option<Expr>,
        base: Base,
    ) -> Result<LaneAddress<'a>, Cause> {
        let Some(address) = address else {
            return Err(Cause::new("the address is not known", access.origin));
        };
        let found = LaneAddress {
            values,
            types,
            mapping,
            access,
            address,
            base,
            straight: OnceCell::new(),
        };
        match found.varying() {
            Some(symbol) => Err(Cause::new(
                why_varying(values, symbol),
                values.symbols.info(symbol).at,
            )),
            None => Ok(found),
        }
    }

    /// The same access at another address.
    pub fn with_address(&self, address: Expr) -> LaneAddress<'a> {
        LaneAddress {
            address,
            straight: OnceCell::new(),
            ..self.clone()
        }
    }

    /// A symbol of the address that may be another value in each thread, and is no counter.
    fn varying(&self) -> Option<Symbol> {
        let innermost = self.mapping.loops(self.values).next_back()?;
        let mut symbols = self.address.symbols().into_iter();
        symbols.find(|symbol| changes_in(self.values, *symbol, innermost))
    }

    /// Bytes from one thread to the next within a row of the innermost loop, if that is the same for all.
    pub fn stride(&self) -> Option<Expr> {
        let innermost = self.mapping.loops(self.values).next_back()?;
        let slope = self.slope(innermost.counter)?;
        Some(slope.scale(&Integer::from(i128::from(self.mapping.chunk))))
    }

    /// Bytes from one iteration of a loop to the next, if that is the same everywhere.
    pub fn slope(&self, counter: Symbol) -> Option<Expr> {
        self.address.slope_in(counter)
    }

    /// True if the address depends on what may be another value in each iteration of a loop further out, besides the counters.
    pub fn moves_between_rows(&self) -> bool {
        let symbols = self.address.symbols();
        let mut loops = self.mapping.loops(self.values);
        loops.any(|of| symbols.iter().any(|symbol| changes_in(self.values, *symbol, of)))
    }

    /// The first byte of a warp whose first thread is in this iteration of the innermost loop, in any row.
    pub fn start_in_column(&self, column: i128) -> Start {
        match self.mapping.loops(self.values).next_back() {
            Some(innermost) => self.start_of(&self.address.substitute(innermost.counter, &Expr::int(column))),
            None => self.start_of(&self.address),
        }
    }

    /// True if the threads go on as within a row where one iteration of a loop further out follows another.
    pub fn is_straight(&self) -> bool {
        *self.straight.get_or_init(|| self.goes_on_between_rows())
    }

    fn goes_on_between_rows(&self) -> bool {
        let loops: Vec<_> = self.mapping.loops(self.values).collect();
        !self.moves_between_rows()
            && loops.windows(2).all(|two| {
                let (Some(outer), Some(inner), Ok(trip)) = (
                    self.slope(two[0].counter),
                    self.slope(two[1].counter),
                    &two[1].trip,
                ) else {
                    return false;
                };
                let trip = known(self.values, &two[1].before.facts, trip);
                let rest = &outer - &inner.times(&trip);
                rest.is_zero() || self.access.facts.simplify(&rest).is_zero()
            })
    }

    /// Bytes from the address of the first of these threads to that of each, the first thread of the warp running iteration `first`; `None` where a
    /// difference is no number.
    pub fn offsets(&self, first: u64, lanes: u32) -> Option<Vec<i128>> {
        let at = |lane: u32| {
            let iteration = first.checked_add(u64::from(lane) * u64::from(self.mapping.chunk))?;
            self.in_iteration(iteration)
        };
        let start = at(0)?;
        (0..lanes).map(|lane| number(&(&at(lane)? - &start))).collect()
    }

    /// Bytes from the address of the first thread of the first warp to that of each, where that is a number.
    pub fn distances(&self, lanes: u32) -> Vec<Option<i128>> {
        let at = |lane: u32| self.in_iteration(u64::from(lane) * u64::from(self.mapping.chunk));
        let start = at(0);
        let one = |lane| number(&(&at(lane)? - start.as_ref()?));
        (0..lanes).map(one).collect()
    }

    /// The address in the iteration with a number.
    pub(super) fn in_iteration(&self, iteration: u64) -> Option<Expr> {
        let counters = self.mapping.counters(self.values, iteration);
        // The innermost comes first.
        if self.moves_between_rows() && counters.iter().skip(1).any(|(_, value)| !value.is_zero()) {
            return None;
        }
        Some(self.address.substitute_all(&|symbol| {
            counters
                .iter()
                .find(|(counter, _)| *counter == symbol)
                .map(|(_, value)| value.clone())
        }))
    }

    /// True if the first threads of all touch bytes whose distances are known, but for multiples of a line.
    pub fn begin_alike(all: &[LaneAddress<'_>], line: u64) -> bool {
        let Some((first, others)) = all.split_first() else {
            return true;
        };
        let begin = |one: &LaneAddress<'_>| one.in_iteration(0);
        others.iter().all(|other| {
            let apart = begin(other)
                .zip(begin(first))
                .map(|(other, first)| &other - &first);
            apart.is_some_and(|apart| first.start_of(&apart).multiple % i128::from(line) == 0)
        })
    }

    /// The first byte of a warp whose first thread runs iteration `first`; any warp, if none is given.
    pub fn start(&self, first: Option<u64>, lanes: u32) -> Start {
        if first == Some(0)
            && let Some(start) = self.start_where(&|symbol| self.has_counter(symbol).then_some(0))
        {
            return start;
        }
        match first.and_then(|first| self.in_iteration(first)) {
            Some(address) => self.start_of(&address),
            None => self.start_of_any_warp(lanes),
        }
    }

    /// True for the counter of a loop whose iterations go to threads.
    fn has_counter(&self, symbol: Symbol) -> bool {
        self.mapping.loops(self.values).any(|of| of.counter == symbol)
    }

    /// The same as [`LaneAddress::start_of`] of the address with multiples of themselves in the place of symbols, 0 for some: then no two terms of it become alike, and nothing has
    /// to be added up. `None` where such a symbol is within another operation.
    fn start_where(&self, multiple: &dyn Fn(Symbol) -> Option<u64>) -> Option<Start> {
        let mut found = Start {
            constant: 0,
            multiple: 0,
        };
        'terms: for term in self.address.terms() {
            let mut coefficient = term.coefficient.clone();
            for (atom, power) in term.monomial.factors() {
                match atom {
                    Atom::Symbol(symbol) => match multiple(*symbol) {
                        Some(0) => continue 'terms,
                        Some(1) | None => {}
                        Some(times) => coefficient = &coefficient * &Integer::from(times).pow(*power),
                    },
                    Atom::Compound(_) => {
                        let mut inside = Expr::atom(atom.clone()).symbols().into_iter();
                        if inside.any(|symbol| multiple(symbol).is_some()) {
                            return None;
                        }
                    }
                }
            }
            if !self.add_to_start(&mut found, &term.monomial, &coefficient) {
                return Some(Start {
                    constant: 0,
                    multiple: 1,
                });
            }
        }
        Some(found)
    }

    pub(super) fn start_of(&self, address: &Expr) -> Start {
        let mut found = Start {
            constant: 0,
            multiple: 0,
        };
        for term in address.terms() {
            if !self.add_to_start(&mut found, &term.monomial, &term.coefficient) {
                return Start {
                    constant: 0,
                    multiple: 1,
                };
            }
        }
        found
    }

    /// With one more term; false if its coefficient is too large.
    fn add_to_start(&self, found: &mut Start, monomial: &Monomial, coefficient: &Integer) -> bool {
        let Some(factor) = coefficient.to_i128() else {
            return false;
        };
        if monomial.is_one() {
            found.constant = factor;
            return true;
        }
        let steps = match (factor == 1 && self.is_base(monomial), self.base) {
            (true, Base::Line) => return true,
            (true, Base::MultipleOf(bytes)) => i128::from(bytes),
            (false, _) => factor,
        };
        found.multiple = gcd(found.multiple, steps);
        true
    }

    /// Where the first thread of any warp begins, in terms of the warp's number where that tells more than the counters.
    fn start_of_any_warp(&self, lanes: u32) -> Start {
        let Some(innermost) = self.mapping.loops(self.values).next_back() else {
            return self.start_of(&self.address);
        };
        let step = u64::from(lanes) * u64::from(self.mapping.chunk);
        let every = |columns: u64| Expr::symbol(innermost.counter).scale(&Integer::from(i128::from(columns)));
        let all = self.mapping.iterations(self.values);
        if let Some(only) = all.filter(|all| *all <= step).and_then(|_| self.in_iteration(0)) {
            return self.start_of(&only);
        }
        let in_columns = |columns: u64| {
            let multiple = |symbol: Symbol| (symbol == innermost.counter).then_some(columns);
            let substituted = || self.start_of(&self.address.substitute(innermost.counter, &every(columns)));
            self.start_where(&multiple).unwrap_or_else(substituted)
        };
        if self.mapping.rows_are_whole(self.values, lanes) {
            return in_columns(step);
        }
        if !self.is_straight() {
            // Warps begin anywhere in a row, or at multiples of what a warp and a row have in common.
            let row = trip(self.values, innermost).filter(|row| *row > 0);
            let common = row.map_or(1, |row| gcd(i128::from(row), i128::from(step)));
            return in_columns(u64::try_from(common).unwrap_or(1));
        }
        let outer: Vec<Symbol> = self
            .mapping
            .loops(self.values)
            .rev()
            .skip(1)
            .map(|of| of.counter)
            .collect();
        let multiple = |symbol: Symbol| match symbol == innermost.counter {
            true => Some(step),
            false => outer.contains(&symbol).then_some(0),
        };
        self.start_where(&multiple).unwrap_or_else(|| {
            let value = |symbol: Symbol| match symbol == innermost.counter {
                true => Some(every(step)),
                false => outer.contains(&symbol).then(Expr::zero),
            };
            self.start_of(&self.address.substitute_all(&value))
        })
    }

    /// True for the start of storage.
    fn is_base(&self, monomial: &ferry_symbolic::Monomial) -> bool {
        let [(Atom::Symbol(symbol), 1)] = monomial.factors() else {
            return false;
        };
        Some(*symbol) == self.access.root || self.values.symbols.info(*symbol).is_pointer(self.types)
    }

    /// The address in each case of its first choice by a condition, with the condition.
    pub fn cases(&self) -> Option<Vec<(Condition, LaneAddress<'a>)>> {
        let choice = self
            .address
            .atoms()
            .into_iter()
            .find_map(|atom| match atom.operation() {
                Some(Operation::Guarded(cases)) => Some((atom.clone(), cases.clone())),
                _ => None,
            })?;
        let (atom, cases) = choice;
        let case = |(condition, value): &(Condition, Expr)| {
            let address = self.address.replace_atom(&atom, value);
            (condition.clone(), self.with_address(address))
        };
        Some(cases.iter().map(case).collect())
    }
}

/// True if a condition may hold for some threads of a warp and not for others.
pub fn parts_threads(values: &Values, mapping: &Mapping, condition: &Condition) -> bool {
    let mentioned = condition.symbols();
    let mut loops = mapping.loops(values);
    loops.any(|of| {
        mentioned
            .iter()
            .any(|symbol| *symbol == of.counter || changes_in(values, *symbol, of))
    })
}

/// True if a symbol, no counter, may stand for another value in each iteration of a loop.
fn changes_in(values: &Values, symbol: Symbol, of: &LoopFacts) -> bool {
    !matches!(values.symbols.info(symbol).kind, SymbolKind::Counter(_))
        && values.symbols.varies_in(symbol, of.stmt)
}

/// Why a value differs from thread to thread.
fn why_varying(values: &Values, symbol: Symbol) -> String {
    match &values.symbols.info(symbol).kind {
        SymbolKind::Loaded { .. } => "it depends on a value that each thread loads".to_owned(),
        SymbolKind::Unknown(cause) => format!("it depends on a value that is not known: {}", cause.why),
        SymbolKind::Result(_) => "it depends on what a function returns".to_owned(),
        _ => "it depends on a value that changes from iteration to iteration without a rule".to_owned(),
    }
}
