//! Which points does one access touch, each time it happens?
//!
//! Symbols that vary stay symbols here; the loops take them away (`iterate`). A subscript that is no affine function of
//! them is replaced by the interval that the prover finds for it, or by the whole dimension.

use super::Context;
use super::gate::Gate;
use super::part::{Part, Touch};
use super::view::{Coordinate, View};
use crate::access::Access;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::Type;
use ferry_symbolic::set::Set;
use ferry_symbolic::{Condition, Expr, Facts, Integer, Symbol};
use std::collections::BTreeSet;

impl Context<'_> {
    /// What one access touches, with what it knows of itself.
    pub fn access(&self, access: &Access) -> Touch {
        let Some(root) = access.root else {
            let why = "it is not known what the pointer points to";
            return Touch::unknown(Cause::new(why, access.origin));
        };
        let Some(view) = self.views.get(&root) else {
            return Touch::unknown(Cause::new("it is not known how it is counted", access.origin));
        };
        if let Some(blocked) = &self.blocked {
            return Touch::one(root, Part::at_most(self.whole(root, view), blocked.clone()));
        }
        Touch::one(root, self.points(access, root, view))
    }

    /// Every point that an object may have.
    pub fn whole(&self, root: Symbol, view: &View) -> Set {
        if let Some(known) = self.found.boxes.borrow().get(&root) {
            return known.clone();
        }
        let found = self.inside_extents(view);
        self.found.boxes.borrow_mut().insert(root, found.clone());
        found
    }

    /// The points that lie in the dimensions whose extents are known.
    fn inside_extents(&self, view: &View) -> Set {
        let coordinates: Vec<Symbol> = (0..view.dimensions()).map(|_| self.fresh()).collect();
        let mut conditions = Vec::new();
        for (symbol, extent) in coordinates.iter().zip(&view.extents) {
            if let Some(extent) = extent {
                let at = Expr::symbol(*symbol);
                conditions.push(Condition::nonnegative(&at));
                conditions.push(Condition::less(&at, extent));
            }
        }
        let all = Set::universe(view.dimensions());
        if conditions.is_empty() || self.blocked.is_some() {
            return all;
        }
        let exprs: Vec<Expr> = coordinates.iter().copied().map(Expr::symbol).collect();
        let inside = Set::point(&exprs).constrain(&Condition::all(conditions)).set;
        inside
            .project(&coordinates)
            .map_or(all, |projected| projected.set)
    }

    fn points(&self, access: &Access, root: Symbol, view: &View) -> Part {
        let Some(coordinates) = view.coordinates(access) else {
            let why = "its subscript is not known";
            return Part::at_most(self.whole(root, view), Cause::new(why, access.origin));
        };
        let varying: BTreeSet<Symbol> = self.varying(access);
        let coordinates: Vec<Coordinate> = coordinates
            .into_iter()
            .map(|coordinate| match coordinate {
                Coordinate::At(at) => Coordinate::At(self.defined(&at)),
                Coordinate::Span(low, high) => Coordinate::Span(self.defined(&low), self.defined(&high)),
                bounded => bounded,
            })
            .collect();
        let too_large = || {
            let why = "the set of its elements is too large to compute";
            Part::at_most(self.whole(root, view), Cause::new(why, access.origin))
        };
        let Some(set) = self.set_of(access, &coordinates, &varying) else {
            return too_large();
        };
        // Of a subscript from memory nothing may be known but that it lies in its object.
        let mut symbols = set.symbols().into_iter();
        let set = match symbols.any(|symbol| varying.contains(&symbol) && self.is_irregular(symbol)) {
            true => set.intersect(&self.whole(root, view)).unwrap_or(set),
            false => set,
        };
        let mut part = Part::exactly(set);
        if access.partial {
            let why = match access.summary.is_some() {
                true => "a call may touch it",
                false => "only some bits of it are touched",
            };
            part = Part::at_most(part.may, Cause::new(why, access.origin));
        }
        let affine = |coordinate: &Coordinate| match coordinate {
            Coordinate::At(at) => is_affine(at, &varying),
            Coordinate::Span(low, high) => is_affine(low, &varying) && is_affine(high, &varying),
            Coordinate::Bounded(..) => true,
        };
        if !coordinates.iter().all(affine) {
            let bounded: Vec<Coordinate> = coordinates
                .into_iter()
                .map(|coordinate| match affine(&coordinate) {
                    true => coordinate,
                    false => self.between(access, coordinate),
                })
                .collect();
            let whole = self.whole(root, view);
            let bounded = self.set_of(access, &bounded, &varying);
            let bounded = bounded.and_then(|bounded| bounded.intersect(&whole).ok());
            part.bounded = Some(bounded.unwrap_or(whole));
            part.cause = part
                .cause
                .or_else(|| Some(Cause::new("its subscript is not affine", access.origin)));
        }
        part
    }

    /// The interval in which a coordinate that is no affine function lies.
    fn between(&self, access: &Access, coordinate: Coordinate) -> Coordinate {
        let (low, high) = match coordinate {
            Coordinate::At(at) => (at.clone(), at.add_constant(&Integer::from(1))),
            Coordinate::Span(low, high) => (low, high),
            bounded => return bounded,
        };
        let all = self.values.varying(&access.loops);
        let linked = |expr: &Expr| -> Vec<Symbol> {
            let own = access.facts.linked(&expr.symbols());
            all.iter()
                .copied()
                .filter(|symbol| own.contains(symbol))
                .collect()
        };
        let low = access.facts.minimum(&low, &linked(&low)).map(|bound| bound.value);
        let high = access
            .facts
            .maximum(&high, &linked(&high))
            .map(|bound| bound.value);
        Coordinate::Bounded(low, high)
    }

    /// The points with these coordinates, with what is known of values that are not counted by a loop.
    fn set_of(&self, access: &Access, coordinates: &[Coordinate], varying: &BTreeSet<Symbol>) -> Option<Set> {
        let mut bound = Vec::new();
        let mut exprs = Vec::new();
        let mut conditions = Vec::new();
        for coordinate in coordinates {
            let (low, high) = match coordinate {
                Coordinate::At(at) => {
                    exprs.push(at.clone());
                    continue;
                }
                Coordinate::Span(low, high) => (Some(low), Some(high)),
                Coordinate::Bounded(low, high) => (low.as_ref(), high.as_ref()),
            };
            let symbol = self.fresh();
            let at = Expr::symbol(symbol);
            conditions.extend(low.map(|low| Condition::less_equal(low, &at)));
            conditions.extend(high.map(|high| Condition::less(&at, high)));
            bound.push(symbol);
            exprs.push(at);
        }
        let mut set = Set::point(&exprs);
        let mut exact = true;
        for condition in &conditions {
            let constrained = set.constrain(condition);
            exact &= constrained.exact;
            set = constrained.set;
        }
        let spans = coordinates
            .iter()
            .any(|coordinate| matches!(coordinate, Coordinate::Span(..)));
        if !exact && spans {
            return None;
        }
        let symbols = set.symbols();
        let known = self.known_of(&access.facts, &symbols, varying);
        for condition in known.iter().chain(&self.known_by_type(&symbols, varying)) {
            set = set.constrain(condition).set;
        }
        set.project(&bound).ok().map(|projected| projected.set)
    }

    /// The facts that are about values which vary in a loop and are not its counter, and what these are linked to.
    pub fn known_of(
        &self,
        facts: &Facts,
        symbols: &BTreeSet<Symbol>,
        varying: &BTreeSet<Symbol>,
    ) -> Vec<Condition> {
        let irregular = |symbol: &Symbol| varying.contains(symbol) && self.is_irregular(*symbol);
        let mut about: BTreeSet<Symbol> = symbols.iter().copied().filter(irregular).collect();
        let mut found: Vec<Condition> = Vec::new();
        if about.is_empty() {
            return found;
        }
        let all: Vec<Condition> = facts
            .conditions()
            .into_iter()
            .map(|(condition, _)| condition)
            .collect();
        for _ in 0..3 {
            let before = found.len();
            for condition in &all {
                let own = condition.symbols();
                if own.iter().any(|symbol| about.contains(symbol)) && !found.contains(condition) {
                    about.extend(own.into_iter().filter(irregular));
                    found.push(condition.clone());
                }
            }
            if found.len() == before {
                break;
            }
        }
        found.truncate(24);
        found
    }

    /// True for values of the program that no loop counts.
    fn is_irregular(&self, symbol: Symbol) -> bool {
        let known = self.values.symbols.len() as u32;
        symbol.0 < known && !matches!(self.values.symbols.info(symbol).kind, SymbolKind::Counter(_))
    }

    /// The values that small integers have which are found in memory anew in a loop: a byte subscripts no more than 256 elements.
    fn known_by_type(&self, symbols: &BTreeSet<Symbol>, varying: &BTreeSet<Symbol>) -> Vec<Condition> {
        let irregular = |symbol: &&Symbol| varying.contains(symbol) && self.is_irregular(**symbol);
        let mut found = Vec::new();
        for symbol in symbols.iter().filter(irregular) {
            let info = self.values.symbols.info(*symbol);
            let ty = info.ty.map(|ty| self.unit.types.get(ty));
            let (low, high) = match (&info.kind, ty) {
                (SymbolKind::Loaded { .. }, Some(Type::Bool)) => (0, 1),
                (
                    SymbolKind::Loaded { .. },
                    Some(Type::Int {
                        bits: bits @ (8 | 16),
                        signed,
                    }),
                ) => {
                    let half = 1i128 << (bits - 1);
                    if *signed {
                        (-half, half - 1)
                    } else {
                        (0, 2 * half - 1)
                    }
                }
                _ => continue,
            };
            let value = Expr::symbol(*symbol);
            found.push(Condition::less_equal(&Expr::int(low), &value));
            found.push(Condition::less_equal(&value, &Expr::int(high)));
        }
        found
    }

    /// The symbols that vary in a loop around an access.
    fn varying(&self, access: &Access) -> BTreeSet<Symbol> {
        self.values.varying(&access.loops).into_iter().collect()
    }

    /// The gate of the conditions within the statement of an access.
    pub fn own_gate(&self, access: &Access) -> Gate {
        let own = access.guards.get(access.guards_outside..).unwrap_or_default();
        own.iter()
            .map(|guard| self.defined_gate(Gate::of_guard(guard)))
            .fold(Gate::always(), |all, gate| all.and(&gate))
    }
}

/// True if a set can say the expression in terms of these symbols: no product or other operation mentions one.
fn is_affine(expr: &Expr, varying: &BTreeSet<Symbol>) -> bool {
    let parameters = Set::point(std::slice::from_ref(expr)).parameters();
    parameters.iter().all(|parameter| {
        parameter.as_symbol().is_some() || parameter.symbols().iter().all(|symbol| !varying.contains(symbol))
    })
}
