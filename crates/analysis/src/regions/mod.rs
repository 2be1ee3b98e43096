//! Which elements does each piece of a program read and write, which does it need, and which are needed from it?
//!
//! READ, WRITE, IN and OUT regions (Triolet, Irigoin and Feautrier 1986; Creusillet and Irigoin, "Interprocedural array
//! region analyses", 1996; Guelton, Amini and Creusillet, "Beyond do loops", sections 2 to 4) of every statement, loop
//! and function: for each object a set that contains all that is touched (`may`), one of elements that certainly are
//! (`must`), and whether both are the same. The sets are unions of integer points, not convex hulls, in terms of the
//! store before the statement.
//!
//! `must` is about executions of the statement that come to its end; for a whole function, about those that return.
//! IN treats the storage of different roots as apart only where it says so ([`Part::apart`]); `may` always holds.
//!
//! What it cannot do: scalars that only their name can reach (`scalar` follows them); objects reached through pointers
//! that change in a loop are together "elsewhere".

mod gate;
mod iterate;
mod live;
mod part;
mod place;
mod statements;
mod view;

pub use part::{Part, Touch};
pub use view::View;

use crate::access::Access;
use crate::alias::{Reach, may_overlap};
use crate::effects::Effects;
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
use ferry_ir::{Function, FunctionRef, StmtId, StmtKind, Unit};
use ferry_symbolic::set::Set;
use ferry_symbolic::{Expr, Symbol};
use gate::Gate;
use statements::Summary;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The four regions of one statement.
#[derive(Clone, Debug, Default)]
pub struct RegionSet {
    /// What it reads.
    pub read: Touch,
    /// What it writes.
    pub write: Touch,
    /// What it reads before it writes it: the values that it imports.
    pub in_: Touch,
    /// What it writes and may be read later, in the function or by its caller: the values that it exports.
    pub out: Touch,
}

/// The regions of one function.
pub struct Regions {
    statements: BTreeMap<StmtId, RegionSet>,
    views: BTreeMap<Symbol, View>,
    /// Why there are only upper bounds, if so.
    pub blocked: Option<Cause>,
}

impl Regions {
    /// Computes the regions of a function with a body.
    pub fn of_function(unit: &Unit, function: FunctionRef, effects: &Effects, values: &Values) -> Regions {
        let context = Context::new(unit, function, effects, values);
        let mut statements = BTreeMap::new();
        if let Some(body) = &context.function.body {
            let whole = context.statement(body);
            let out = context.live_out(body);
            for (stmt, summary) in context.summaries.borrow().iter() {
                statements.insert(*stmt, context.seen_from_before(*stmt, summary, out.get(stmt)));
            }
            drop(whole);
        }
        Regions {
            statements,
            views: context.views,
            blocked: context.blocked,
        }
    }

    /// The regions of a statement; `None` if it is not in the function.
    pub fn of(&self, stmt: StmtId) -> Option<&RegionSet> {
        self.statements.get(&stmt)
    }

    /// How the points of an object are counted.
    pub fn view(&self, root: Symbol) -> Option<&View> {
        self.views.get(&root)
    }

    /// All statements with their regions.
    pub fn iter(&self) -> impl Iterator<Item = (StmtId, &RegionSet)> {
        self.statements.iter().map(|(stmt, regions)| (*stmt, regions))
    }
}

/// What the computation needs to know, and what it has found.
struct Context<'a> {
    unit: &'a Unit,
    function: &'a Function,
    effects: &'a Effects,
    values: &'a Values,
    views: BTreeMap<Symbol, View>,
    /// Accesses of each statement's own expressions, in order.
    own_accesses: BTreeMap<StmtId, Vec<usize>>,
    own_effects: BTreeMap<StmtId, Vec<usize>>,
    /// Jumps that are not followed.
    blocked: Option<Cause>,
    /// The next symbol that nothing else uses.
    next_symbol: Cell<u32>,
    summaries: RefCell<BTreeMap<StmtId, Summary>>,
}

impl<'a> Context<'a> {
    fn new(unit: &'a Unit, function: FunctionRef, effects: &'a Effects, values: &'a Values) -> Context<'a> {
        let mut objects: BTreeMap<Symbol, Vec<&Access>> = BTreeMap::new();
        let mut own_accesses: BTreeMap<StmtId, Vec<usize>> = BTreeMap::new();
        for (number, access) in values.accesses.iter().enumerate() {
            own_accesses.entry(access.within).or_default().push(number);
            if let Some(root) = access.root {
                objects.entry(root).or_default().push(access);
            }
        }
        let mut own_effects: BTreeMap<StmtId, Vec<usize>> = BTreeMap::new();
        for (number, effect) in values.effects.iter().enumerate() {
            own_effects.entry(effect.within).or_default().push(number);
            for root in effect.reads.iter().chain(&effect.writes).flatten() {
                objects.entry(*root).or_default();
            }
        }
        let views = objects
            .into_iter()
            .map(|(root, accesses)| (root, view::choose(&values.symbols, &accesses)))
            .collect();
        let own = unit.function(function);
        let mut blocked = None;
        if let Some(body) = &own.body {
            body.walk(&mut |stmt| {
                let why = match &stmt.kind {
                    StmtKind::Goto(_) | StmtKind::Label(_) => "the function has a goto",
                    StmtKind::Opaque { jumps: true, .. } => "a statement that was not understood may jump",
                    _ => return,
                };
                blocked.get_or_insert_with(|| Cause::new(why, stmt.origin));
            });
        }
        Context {
            unit,
            function: own,
            effects,
            values,
            views,
            own_accesses,
            own_effects,
            blocked,
            next_symbol: Cell::new(values.symbols.len() as u32),
            summaries: RefCell::default(),
        }
    }

    /// A symbol that nothing else uses. It is projected away before anyone sees it.
    fn fresh(&self) -> Symbol {
        let number = self.next_symbol.get();
        self.next_symbol.set(number.saturating_add(1));
        Symbol(number)
    }

    /// An expression with what is known of the symbols that are chosen by conditions.
    fn defined(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        for _ in 0..4 {
            let next = expr.substitute_all(&|symbol| self.values.definitions.get(&symbol).cloned());
            if next == expr || next.is_oversize() {
                break;
            }
            expr = next;
        }
        expr
    }

    /// A gate with what is known of the symbols that are chosen by conditions.
    fn defined_gate(&self, gate: Gate) -> Gate {
        let Gate { condition, exact } = gate;
        let condition = condition.map(|condition| {
            let next = condition.map(&mut |expr| self.defined(expr));
            if next.is_oversize() { condition } else { next }
        });
        Gate { condition, exact }
    }

    fn reach(&self) -> Reach<'_> {
        Reach {
            unit: self.unit,
            function: self.function,
            symbols: &self.values.symbols,
            distinct: &self.values.distinct,
        }
    }

    /// The regions in terms of the store before the statement: values that came up inside it are taken away, but for
    /// what it finds in memory that it does not write.
    fn seen_from_before(&self, stmt: StmtId, summary: &Summary, out: Option<&Touch>) -> RegionSet {
        let before = |touch: &Touch| -> Touch {
            let mut result = Touch {
                elsewhere: touch.elsewhere.clone(),
                ..Touch::default()
            };
            for (root, part) in &touch.objects {
                if self.comes_up_inside(stmt, *root, &summary.write) {
                    let allocated = matches!(self.values.symbols.info(*root).kind, SymbolKind::Allocated(_));
                    if !allocated {
                        let at = self.values.symbols.info(*root).at;
                        let cause = Cause::new("the pointer comes up inside", at);
                        result.elsewhere = result.elsewhere.or(Some(cause));
                        continue;
                    }
                }
                let part = self.part_from_before(stmt, part, &summary.write);
                result.objects.insert(*root, part);
            }
            result
        };
        RegionSet {
            read: before(&summary.read),
            write: before(&summary.write),
            in_: before(&summary.exposed),
            out: out.map(before).unwrap_or_default(),
        }
    }

    fn part_from_before(&self, stmt: StmtId, part: &Part, written: &Touch) -> Part {
        let mut symbols = part.may.symbols();
        symbols.extend(part.must.symbols());
        let inside: Vec<Symbol> = symbols
            .into_iter()
            .filter(|symbol| self.comes_up_inside(stmt, *symbol, written))
            .collect();
        if inside.is_empty() {
            return part.clone().settled();
        }
        let dimensions = part.may.dimensions();
        let may = part.may.project(&inside).map(|projected| projected.set);
        let first = inside.first().map(|symbol| self.values.symbols.info(*symbol));
        let cause = first.map(|info| match &info.kind {
            SymbolKind::Unknown(cause) => cause.clone(),
            _ => Cause::new("it depends on a value that comes up inside", info.at),
        });
        let part = Part {
            may: may.unwrap_or_else(|_| Set::universe(dimensions)),
            must: part.must.independent_of(&inside),
            exact: false,
            cause: part.cause.clone().or(cause),
            apart: part.apart.clone(),
        };
        part.settled()
    }

    /// True if the value is not the same in the store before the statement, or not known there.
    fn comes_up_inside(&self, stmt: StmtId, symbol: Symbol, written: &Touch) -> bool {
        let Some(first) = self.values.first_symbols.get(&stmt) else {
            return true;
        };
        if symbol.0 < *first || symbol.0 as usize >= self.values.symbols.len() {
            return false;
        }
        match &self.values.symbols.info(symbol).kind {
            SymbolKind::Named { .. } | SymbolKind::Address(_) | SymbolKind::Entry(_) => false,
            SymbolKind::Loaded { address, .. } => {
                let reach = self.reach();
                let roots = address.symbols();
                roots
                    .iter()
                    .any(|symbol| self.comes_up_inside(stmt, *symbol, written))
                    || written.elsewhere.is_some()
                    || written
                        .objects
                        .keys()
                        .any(|root| roots.iter().any(|own| may_overlap(&reach, *own, *root)))
            }
            _ => true,
        }
    }
}
