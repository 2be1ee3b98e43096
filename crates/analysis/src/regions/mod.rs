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
//! What it cannot do: scalars that only their name can reach (`scalar` follows them); of objects reached through pointers
//! that change in a loop, only rows of a table are kept apart (`behind`); the others are together "elsewhere".

mod about;
mod alike;
mod behind;
mod gate;
mod iterate;
mod live;
mod padding;
mod part;
mod place;
mod released;
mod scratch;
mod statements;
mod view;

pub use behind::{Family, Rows};
pub use part::{Part, Touch};
pub use scratch::{Later, Scratch};
pub use view::View;

use crate::access::Access;
use crate::alias::{Reach, may_overlap};
use crate::effects::Effects;
use crate::state::POINTER;
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
use about::Wanted;
use ferry_ir::{Function, FunctionRef, Stmt, StmtId, StmtKind, Type, TypeId, Unit};
use ferry_symbolic::set::{Set, with_work_limit};
use ferry_symbolic::{Expr, Symbol};
use gate::Gate;
use iterate::{Iteration, Sums};
use live::Asked;
use statements::Summary;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Operations of isl for one question.
const WORK: u64 = 30_000;

/// Three regions of one statement; the fourth is [`Regions::out`].
#[derive(Clone, Debug, Default)]
pub struct RegionSet {
    /// What it reads.
    pub read: Touch,
    /// What it writes.
    pub write: Touch,
    /// What it reads before it writes it: the values that it imports.
    pub in_: Touch,
}

/// The regions of one function.
pub struct Regions<'a> {
    context: Context<'a>,
    live: OnceCell<BTreeMap<StmtId, Touch>>,
    /// The same, of single objects, by what of them is asked.
    about: RefCell<BTreeMap<(Symbol, Wanted), about::Kept>>,
    /// Whether nothing is needed of an object, by all that this rests on.
    needs_nothing: RefCell<HashMap<alike::Form, bool>>,
    /// Where values may lie that something is counted by.
    counted_by: OnceCell<BTreeSet<Symbol>>,
}

impl<'a> Regions<'a> {
    /// Computes the regions of a function with a body.
    pub fn of_function(
        unit: &'a Unit,
        function: FunctionRef,
        effects: &'a Effects,
        values: &'a Values,
    ) -> Regions<'a> {
        let regions = Regions::asked_for(unit, function, effects, values);
        if let Some(body) = &regions.context.function.body {
            with_work_limit(WORK, || regions.context.statement(body));
        }
        regions
    }

    /// The regions of single statements of a function, computed where [`Regions::of_statement`] asks for them.
    pub fn asked_for(
        unit: &'a Unit,
        function: FunctionRef,
        effects: &'a Effects,
        values: &'a Values,
    ) -> Regions<'a> {
        Regions::in_context(Context::new(unit, function, effects, values, false))
    }

    fn in_context(context: Context<'a>) -> Regions<'a> {
        Regions {
            context,
            live: OnceCell::new(),
            about: RefCell::default(),
            needs_nothing: RefCell::default(),
            counted_by: OnceCell::new(),
        }
    }

    /// The same of objects that the function writes: what it reads of others is left out of READ and IN. For those who ask
    /// what is written before it is read; most of what a kernel touches it only reads.
    pub fn asked_of_written(
        unit: &'a Unit,
        function: FunctionRef,
        effects: &'a Effects,
        values: &'a Values,
    ) -> Regions<'a> {
        let mut regions = Regions::in_context(Context::new(unit, function, effects, values, true));
        regions.context.leave_out_what_is_only_read();
        regions
    }

    /// The same for those who ask only what is written: READ and IN hold pointers alone. What of it was written before is not looked at, which is dear.
    pub fn asked_for_writes(
        unit: &'a Unit,
        function: FunctionRef,
        effects: &'a Effects,
        values: &'a Values,
    ) -> Regions<'a> {
        let mut regions = Regions::asked_for(unit, function, effects, values);
        regions.context.leave_out_reads();
        regions
    }

    /// READ, WRITE and IN of a statement of the function.
    pub fn of_statement(&self, stmt: &Stmt) -> Option<RegionSet> {
        self.compute(stmt);
        self.of(stmt.id)
    }

    fn compute(&self, stmt: &Stmt) {
        with_work_limit(WORK, || self.context.statement(stmt));
    }

    /// READ, WRITE and IN of a statement; `None` if it is not in the function.
    pub fn of(&self, stmt: StmtId) -> Option<RegionSet> {
        let summary = self.context.found.summaries.borrow().get(&stmt)?.clone();
        let before = |touch: &Touch| self.context.seen_from_before(stmt, touch, &summary.write);
        Some(RegionSet {
            read: before(&summary.read),
            write: before(&summary.write),
            in_: before(&summary.exposed),
        })
    }

    /// OUT of a statement: what it writes and may be read later, in the function or by its caller; the values that it
    /// exports. `None` if it is not in the function, or never reached.
    pub fn out(&self, stmt: StmtId) -> Option<Touch> {
        let live = self.live.get_or_init(|| match &self.context.function.body {
            Some(body) => {
                self.compute(body);
                with_work_limit(WORK, || self.context.live_out(body, &Asked::Everything))
            }
            None => BTreeMap::new(),
        });
        let write = self.context.found.summaries.borrow().get(&stmt)?.write.clone();
        Some(self.context.seen_from_before(stmt, live.get(&stmt)?, &write))
    }

    /// How the points of an object are counted.
    pub fn view(&self, root: Symbol) -> Option<&View> {
        self.context.views.get(&root)
    }

    /// Why there are only upper bounds, if so.
    pub fn blocked(&self) -> Option<&Cause> {
        self.context.blocked.as_ref()
    }
}

/// What the computation needs to know, and what it has found.
struct Context<'a> {
    unit: &'a Unit,
    function: &'a Function,
    id: FunctionRef,
    effects: &'a Effects,
    values: &'a Values,
    views: Rc<BTreeMap<Symbol, View>>,
    /// The object that is asked about alone, if it is one: what has nothing to do with it is left out.
    about: Option<Symbol>,
    wanted: Wanted,
    /// What all iterations of loops touch together, found for other objects that are touched alike.
    sums: Rc<Sums>,
    /// Accesses of each statement's own expressions, in order.
    own_accesses: BTreeMap<StmtId, Vec<usize>>,
    own_effects: Rc<BTreeMap<StmtId, Vec<usize>>>,
    /// Jumps that are not followed.
    blocked: Option<Cause>,
    found: Found,
}

/// What a computation has found.
struct Found {
    /// The next symbol that nothing else uses.
    next_symbol: Cell<u32>,
    summaries: RefCell<BTreeMap<StmtId, Summary>>,
    /// One iteration of each loop, in terms of its counter.
    iterations: RefCell<BTreeMap<StmtId, Iteration>>,
    /// The points inside the extents of each object, by its coordinates.
    boxes: RefCell<BTreeMap<Symbol, Set>>,
    /// Where the pointers that were loaded lie.
    tables: RefCell<BTreeMap<Symbol, Option<Symbol>>>,
    /// Whether a loop, or the function, leaves the pointers of a table as they are.
    unchanged: RefCell<BTreeMap<(StmtId, Symbol), bool>>,
}

impl Found {
    fn nothing(values: &Values) -> Found {
        Found {
            next_symbol: Cell::new(values.symbols.len() as u32),
            summaries: RefCell::default(),
            iterations: RefCell::default(),
            boxes: RefCell::default(),
            tables: RefCell::default(),
            unchanged: RefCell::default(),
        }
    }
}

impl<'a> Context<'a> {
    /// With `written`, without views of objects of which every access is left out then ([`Context::leave_out_what_is_only_read`]): to find one, all accesses are looked at.
    fn new(
        unit: &'a Unit,
        function: FunctionRef,
        effects: &'a Effects,
        values: &'a Values,
        written: bool,
    ) -> Context<'a> {
        let mut objects: BTreeMap<Symbol, Vec<&Access>> = BTreeMap::new();
        let mut own_accesses: BTreeMap<StmtId, Vec<usize>> = BTreeMap::new();
        for (number, access) in values.accesses.iter().enumerate() {
            own_accesses.entry(access.within).or_default().push(number);
            if let Some(root) = access.root {
                objects.entry(root).or_default().push(access);
            }
        }
        let mut own_effects: BTreeMap<StmtId, Vec<usize>> = BTreeMap::new();
        let mut by_calls: BTreeSet<Symbol> = BTreeSet::new();
        for (number, effect) in values.effects.iter().enumerate() {
            own_effects.entry(effect.within).or_default().push(number);
            for root in effect.reads.iter().chain(&effect.writes).flatten() {
                objects.entry(*root).or_default();
                by_calls.insert(*root);
            }
        }
        let is_kept = |access: &&Access| access.is_write() || unit.types.pointee(access.ty).is_some();
        let views = objects
            .into_iter()
            .filter(|(root, accesses)| !written || by_calls.contains(root) || accesses.iter().any(is_kept))
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
            id: function,
            effects,
            values,
            views: Rc::new(views),
            about: None,
            wanted: Wanted::Everything,
            sums: Rc::default(),
            own_accesses,
            own_effects: Rc::new(own_effects),
            blocked,
            found: Found::nothing(values),
        }
    }

    /// Forgets reads of objects that no statement writes, but for those of pointers, through which others are reached.
    fn leave_out_what_is_only_read(&mut self) {
        let accesses = &self.values.accesses;
        let written: BTreeSet<Symbol> = accesses
            .iter()
            .filter(|access| access.is_write())
            .filter_map(|access| access.root)
            .collect();
        self.leave_out_reads_of(|access| access.root.is_some_and(|root| !written.contains(&root)));
    }

    /// Forgets all reads, but for those of pointers.
    fn leave_out_reads(&mut self) {
        self.leave_out_reads_of(|_| true);
    }

    fn leave_out_reads_of(&mut self, meant: impl Fn(&Access) -> bool) {
        let accesses = &self.values.accesses;
        let is_left_out = |access: &Access| {
            !access.is_write() && meant(access) && self.unit.types.pointee(access.ty).is_none()
        };
        for own in self.own_accesses.values_mut() {
            own.retain(|number| !is_left_out(&accesses[*number]));
        }
    }

    /// A symbol that nothing else uses. It is projected away before anyone sees it.
    fn fresh(&self) -> Symbol {
        let number = self.found.next_symbol.get();
        self.found.next_symbol.set(number.saturating_add(1));
        Symbol(number)
    }

    /// An expression with what is known of the symbols that are chosen by conditions.
    fn defined(&self, expr: &Expr) -> Expr {
        self.values.defined(expr)
    }

    /// The symbols in an address that may mean the storage that it lies in: not those that count iterations, or that are too narrow for an address, if there are others.
    fn storage_of(&self, address: &Expr) -> BTreeSet<Symbol> {
        let is_too_narrow = |ty: TypeId| match self.unit.types.get(ty) {
            Type::Int { bits, .. } => u64::from(*bits) < 8 * POINTER,
            ty => matches!(ty, Type::Bool),
        };
        let symbols = address.symbols();
        let mut storage = symbols.clone();
        storage.retain(|symbol| {
            let info = self.values.symbols.info(*symbol);
            !matches!(info.kind, SymbolKind::Counter(_)) && !info.ty.is_some_and(is_too_narrow)
        });
        match storage.is_empty() {
            true => symbols,
            false => storage,
        }
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
            passed: &self.values.passed,
        }
    }

    /// The regions in terms of the store before the statement: values that came up inside it are taken away, but for
    /// what it finds in memory that it does not write.
    fn seen_from_before(&self, stmt: StmtId, touch: &Touch, written: &Touch) -> Touch {
        let mut result = Touch {
            elsewhere: touch.elsewhere.clone(),
            ..Touch::default()
        };
        for (root, part) in &touch.objects {
            let info = self.values.symbols.info(*root);
            let allocated = matches!(info.kind, SymbolKind::Allocated(_));
            if !allocated && self.comes_up_inside(stmt, *root, written) {
                result.may_be_elsewhere(self.pointer_inside(*root));
                continue;
            }
            result
                .objects
                .insert(*root, self.part_from_before(stmt, part, written));
        }
        self.rows_from_before(stmt, touch, written, &mut result);
        result
    }

    /// Why it is not known what is touched through a pointer that has no value before the statement.
    fn pointer_inside(&self, root: Symbol) -> Cause {
        Cause::new("the pointer comes up inside", self.values.symbols.info(root).at)
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
        let hidden: BTreeSet<Symbol> = inside.iter().copied().collect();
        let (may, precise) = self.without_symbols(&part.may, &hidden, part.exact);
        let may = match &part.bounded {
            Some(bounded) if !precise => self.without_symbols(bounded, &hidden, false).0,
            _ => may,
        };
        let first = inside.first().map(|symbol| self.values.symbols.info(*symbol));
        let cause = first.map(|info| match &info.kind {
            SymbolKind::Unknown(cause) => cause.clone(),
            _ => Cause::new("it depends on a value that comes up inside", info.at),
        });
        let part = Part {
            may,
            bounded: None,
            must: part::whatever(&part.must, &inside),
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
                let symbols = address.symbols();
                if symbols
                    .iter()
                    .any(|symbol| self.comes_up_inside(stmt, *symbol, written))
                {
                    return true;
                }
                let roots = self.storage_of(address);
                let overlaps = |root: &Symbol| roots.iter().any(|own| may_overlap(&reach, *own, *root));
                let may_change = written.goes_beyond() || written.objects.keys().any(overlaps);
                may_change
                    && !self
                        .table_of(symbol)
                        .is_some_and(|table| self.is_unchanged(stmt, table))
            }
            _ => true,
        }
    }
}
