//! Which points does one access touch, each time it happens?
//!
//! Symbols that vary stay symbols here; the loops take them away (`iterate`). A subscript that is no affine function of
//! them is replaced by the interval that the prover finds for it, or by the whole dimension.

use super::Context;
use super::gate::Gate;
use super::part::{Part, Touch};
use super::view::{Coordinate, View};
use crate::access::Access;
use crate::region;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::StmtId;
use ferry_symbolic::set::Set;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
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
            return Touch::one(root, Part::at_most(self.whole(view), blocked.clone()));
        }
        Touch::one(root, self.points(access, view))
    }

    /// Every point that an object may have.
    pub fn whole(&self, view: &View) -> Set {
        let set = Set::universe(view.dimensions());
        self.inside_extents(&set, view)
    }

    /// The points that lie in the dimensions whose extents are known.
    pub fn inside_extents(&self, set: &Set, view: &View) -> Set {
        let coordinates: Vec<Symbol> = (0..view.dimensions()).map(|_| self.fresh()).collect();
        let mut conditions = Vec::new();
        for (symbol, extent) in coordinates.iter().zip(&view.extents) {
            if let Some(extent) = extent {
                let at = Expr::symbol(*symbol);
                conditions.push(Condition::nonnegative(&at));
                conditions.push(Condition::less(&at, extent));
            }
        }
        if conditions.is_empty() {
            return set.clone();
        }
        let exprs: Vec<Expr> = coordinates.iter().copied().map(Expr::symbol).collect();
        let all = Set::point(&exprs).constrain(&Condition::all(conditions)).set;
        let inside = all.project(&coordinates).map(|projected| projected.set);
        inside
            .and_then(|inside| set.intersect(&inside))
            .unwrap_or_else(|_| set.clone())
    }

    fn points(&self, access: &Access, view: &View) -> Part {
        let Some(coordinates) = view.coordinates(access) else {
            let why = "its subscript is not known";
            return Part::at_most(self.whole(view), Cause::new(why, access.origin));
        };
        let varying: BTreeSet<Symbol> = self.varying(access);
        let mut bound = Vec::new();
        let mut exprs = Vec::new();
        let mut conditions = Vec::new();
        let mut cause = None;
        for coordinate in coordinates {
            let coordinate = match coordinate {
                Coordinate::At(at) => Coordinate::At(self.defined(&at)),
                Coordinate::Span(low, high) => Coordinate::Span(self.defined(&low), self.defined(&high)),
            };
            let (low, high) = match &coordinate {
                Coordinate::At(at) if is_affine(at, &varying) => {
                    exprs.push(at.clone());
                    continue;
                }
                Coordinate::At(at) => {
                    cause = Some(Cause::new("its subscript is not affine", access.origin));
                    let mut eliminate =
                        region::varying(&self.values.symbols, &self.statements_around(access));
                    let own = access.facts.linked(&at.symbols());
                    eliminate.retain(|symbol| own.contains(symbol));
                    let low = access.facts.minimum(at, &eliminate).map(|bound| bound.value);
                    let high = access
                        .facts
                        .maximum(at, &eliminate)
                        .map(|bound| &bound.value + &Expr::one());
                    (low, high)
                }
                Coordinate::Span(low, high) if is_affine(low, &varying) && is_affine(high, &varying) => {
                    (Some(low.clone()), Some(high.clone()))
                }
                Coordinate::Span(..) => {
                    cause = Some(Cause::new("its subscript is not affine", access.origin));
                    (None, None)
                }
            };
            let symbol = self.fresh();
            let at = Expr::symbol(symbol);
            conditions.extend(low.map(|low| Condition::less_equal(&low, &at)));
            conditions.extend(high.map(|high| Condition::less(&at, &high)));
            bound.push(symbol);
            exprs.push(at);
        }
        if access.partial {
            cause = cause.or_else(|| Some(Cause::new("only some bits of it are touched", access.origin)));
        }
        let mut set = Set::point(&exprs);
        for condition in &conditions {
            set = set.constrain(condition).set;
        }
        // What is known of values that are not counted by a loop.
        for condition in self.known_of(&access.facts, &set.symbols(), &varying) {
            set = set.constrain(&condition).set;
        }
        let set = match set.project(&bound) {
            Ok(projected) => projected.set,
            Err(_) => {
                let why = "the set of its elements is too large to compute";
                return Part::at_most(self.whole(view), Cause::new(why, access.origin));
            }
        };
        match cause {
            None => Part::exactly(set),
            Some(cause) => Part::at_most(self.inside_extents(&set, view), cause),
        }
    }

    /// The facts that are about values which vary in a loop and are not its counter, and what these are linked to.
    pub fn known_of(
        &self,
        facts: &Facts,
        symbols: &BTreeSet<Symbol>,
        varying: &BTreeSet<Symbol>,
    ) -> Vec<Condition> {
        let irregular = |symbol: &Symbol| {
            let known = self.values.symbols.len() as u32;
            symbol.0 < known
                && varying.contains(symbol)
                && !matches!(self.values.symbols.info(*symbol).kind, SymbolKind::Counter(_))
        };
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

    fn statements_around(&self, access: &Access) -> Vec<StmtId> {
        let loops = access.loops.iter();
        loops
            .map(|index| self.values.loops[index.0 as usize].stmt)
            .collect()
    }

    /// The symbols that vary in a loop around an access.
    fn varying(&self, access: &Access) -> BTreeSet<Symbol> {
        let loops = self.statements_around(access);
        region::varying(&self.values.symbols, &loops)
            .into_iter()
            .collect()
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
