//! Which accesses cost the warps of every mapping the same?
//!
//! The accesses of a stencil differ by constants: how far the threads of a warp are from each other is the same for all of them, and where they begin matters
//! modulo a line only. So each kind of access is asked once for a mapping, not each access.
//!
//! What it cannot do: accesses under conditions, pointers that are one of several, and addresses that are more than a sum of counters, each times something that is the
//! same in all iterations. Each of these is asked by itself.

use super::mapping::trip;
use super::numbers::{gcd, number};
use super::{Base, Coalescing, Mapping, Prepared, is_in_part, of_lanes};
use crate::loops::LoopIndex;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_gpu::Gpu;
use ferry_ir::Types;
use ferry_symbolic::{Atom, Expr, Facts, Symbol};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// All of an access that an answer may depend on.
struct Kind {
    loops: Vec<LoopIndex>,
    size: u64,
    align: u64,
    /// Bytes from one element of the innermost dimension to the next.
    element: Option<i128>,
    /// What a step of each of the loops adds to the address.
    slopes: Vec<Expr>,
    /// The number in the address.
    constant: i128,
    /// Of the other terms, those of each counter and those without one: what all their coefficients are multiples of.
    steps: BTreeMap<Option<Symbol>, i128>,
    /// The start of storage is among the terms.
    on_base: bool,
    /// What is known where the access happens.
    facts: Facts,
}

impl Kind {
    /// The kind of an access, if what it costs depends on nothing else.
    fn of(values: &Values, types: &Types, prepared: &Prepared<'_>) -> Option<Kind> {
        let access = prepared.access;
        let by_itself =
            access.summary.is_some() || !prepared.alternatives.is_empty() || !prepared.guards.is_empty();
        let address = prepared.address.as_ref().filter(|_| !by_itself)?;
        let loops = || access.loops.iter().map(|index| &values.loops[index.0 as usize]);
        let info = |symbol: Symbol| values.symbols.info(symbol);
        let changes = |symbol: &Symbol| {
            !matches!(info(*symbol).kind, SymbolKind::Counter(_))
                && loops().any(|of| values.symbols.varies_in(*symbol, of.stmt))
        };
        if address.symbols().iter().any(changes) || loops().any(|of| info(of.counter).is_pointer(types)) {
            return None;
        }
        let mut found = Kind {
            loops: access.loops.clone(),
            size: access.size,
            align: types.align(access.ty),
            element: access
                .subscripts
                .last()
                .and_then(|last| number(last.stride.as_ref()?)),
            slopes: Vec::new(),
            constant: 0,
            steps: BTreeMap::new(),
            on_base: false,
            facts: access.facts.clone(),
        };
        for term in address.terms() {
            let factor = term.coefficient.to_i128()?;
            let mut counter = None;
            for (atom, power) in term.monomial.factors() {
                match atom {
                    Atom::Symbol(symbol) if loops().any(|of| of.counter == *symbol) => {
                        if *power > 1 || counter.is_some() {
                            return None;
                        }
                        counter = Some(*symbol);
                    }
                    Atom::Symbol(_) => {}
                    Atom::Compound(_) if loops().any(|of| atom.mentions(of.counter)) => return None,
                    Atom::Compound(_) => {}
                }
            }
            match term.monomial.factors() {
                [] => found.constant = factor,
                [(Atom::Symbol(symbol), 1)]
                    if factor == 1
                        && counter.is_none()
                        && (Some(*symbol) == access.root || info(*symbol).is_pointer(types)) =>
                {
                    found.on_base = true;
                }
                _ => {
                    let steps = found.steps.entry(counter).or_default();
                    *steps = gcd(*steps, factor);
                }
            }
        }
        for of in loops() {
            found.slopes.push(address.slope_in(of.counter)?);
        }
        Some(found)
    }

    fn is_same(&self, other: &Kind) -> bool {
        self.constant == other.constant
            && (self.size, self.align) == (other.size, other.align)
            && (self.element, self.on_base) == (other.element, other.on_base)
            && self.steps == other.steps
            && self.loops == other.loops
            && self.slopes == other.slopes
            && self.facts.is_same(&other.facts)
    }
}

/// The kinds of accesses that a kernel has, by number.
#[derive(Default)]
pub(super) struct Kinds(RefCell<Vec<Kind>>);

impl Kinds {
    /// The number of an access's kind; `None` for one that is like no other.
    pub(super) fn number(&self, values: &Values, types: &Types, prepared: &Prepared<'_>) -> Option<usize> {
        let own = Kind::of(values, types, prepared)?;
        let mut known = self.0.borrow_mut();
        let found = known.iter().position(|other| other.is_same(&own));
        Some(found.unwrap_or_else(|| {
            known.push(own);
            known.len() - 1
        }))
    }

    /// True if no step of a loop adds anything but a number.
    fn moves_by_numbers(&self, kind: usize) -> bool {
        let known = self.0.borrow();
        known
            .get(kind)
            .is_some_and(|kind| kind.slopes.iter().all(|slope| number(slope).is_some()))
    }
}

/// What accesses cost for one mapping; those of a kind are asked once.
pub struct Answers<'a> {
    values: &'a Values,
    types: &'a Types,
    mapping: &'a Mapping,
    gpu: &'a Gpu,
    /// The threads of a warp that have an iteration.
    lanes: u32,
    /// Storage may begin at any place that its elements allow.
    any_base: bool,
    /// The loops that run together have the same number of iterations each time.
    even: bool,
    /// By the number of the kind.
    known: RefCell<Vec<Option<Rc<Coalescing>>>>,
}

impl<'a> Answers<'a> {
    /// Where storage begins at a multiple of a line.
    pub fn new(values: &'a Values, types: &'a Types, mapping: &'a Mapping, gpu: &'a Gpu) -> Answers<'a> {
        Answers {
            values,
            types,
            mapping,
            gpu,
            lanes: mapping.threads_of_a_warp(values, gpu),
            any_base: false,
            even: mapping.uneven(values).is_none(),
            known: RefCell::default(),
        }
    }

    /// Where storage may begin at any place that its elements allow: the least and the most count, the usual figures are those of [`Answers::new`].
    pub fn of_any_base(
        values: &'a Values,
        types: &'a Types,
        mapping: &'a Mapping,
        gpu: &'a Gpu,
    ) -> Answers<'a> {
        Answers {
            any_base: true,
            ..Answers::new(values, types, mapping, gpu)
        }
    }

    /// What an access costs.
    pub fn of(&self, prepared: &Prepared<'_>) -> Rc<Coalescing> {
        let kind = prepared.kind(self.values, self.types);
        if let Some(kind) = kind
            && let Some(Some(known)) = self.known.borrow().get(kind)
        {
            return known.clone();
        }
        let found = Rc::new(self.ask(prepared));
        if let Some(kind) = kind.filter(|kind| self.is_shared(*kind, prepared)) {
            let mut known = self.known.borrow_mut();
            if known.len() <= kind {
                known.resize(kind + 1, None);
            }
            known[kind] = Some(found.clone());
        }
        found
    }

    fn ask(&self, prepared: &Prepared<'_>) -> Coalescing {
        let base = match self.any_base {
            true => Base::MultipleOf(self.types.align(prepared.access.ty)),
            false => Base::Line,
        };
        let start = (self.lanes, base);
        of_lanes(self.values, self.types, self.mapping, prepared, self.gpu, start)
    }

    /// True if all accesses of a kind cost this mapping the same. Not where the end of a loop decides which threads take part, nor where addresses are written down with
    /// numbers for the counters: a step that is no number may cancel with what stands in one of the addresses.
    fn is_shared(&self, kind: usize, prepared: &Prepared<'_>) -> bool {
        let row_is_number = || {
            let innermost = self.mapping.loops(self.values).next_back();
            innermost.is_some_and(|of| trip(self.values, of).is_some())
        };
        self.even
            && !is_in_part(self.values, self.mapping, prepared)
            && (self.mapping.lanes.len() == 1
                || prepared.common.kinds.moves_by_numbers(kind)
                || !row_is_number())
    }
}
