//! What is every integer and pointer at every point, and which memory does every statement touch?
//!
//! One walk over the structured program, forward, with symbolic values (DawnCC §3.1; Rugina and Rinard's symbolic
//! intervals; the refinement rules as printed in the paper are wrong and are not used). A value is an exact expression
//! over symbols; what cannot be written so becomes a fresh symbol with the facts that are known of it. Loops are walked
//! twice: a scan finds what changes and how, then the closed forms are put in and everything is recorded. Widening is
//! the step from the scan to a fresh symbol, narrowing are the bounds that are proved for that symbol.
//!
//! C arithmetic becomes mathematics here and nowhere else: signed overflow is undefined and so does not happen (unless
//! `-fwrapv`); unsigned results and narrowing conversions are used only where they are proved to fit.
//!
//! What it cannot do: floating-point values, values behind pointers to pointers that change, `goto` (everything that a
//! function assigns is forgotten at a label).

mod alternatives;
mod asked;
mod bytes;
mod call;
mod condition;
mod copied;
mod counted;
mod directive;
mod evaluate;
mod expand;
mod loops;
mod memory;
mod place;
mod pointer;
mod summarized;
mod table;
mod walk;
mod word;
mod workers;

pub use call::AtCall;
pub use condition::Outcomes;
pub(crate) use condition::comparison;
pub use directive::{AtDirective, NamedStorage};
pub use pointer::Pointer;
pub use workers::Workers;
pub(crate) use workers::decided;

use crate::access::{Access, Guard};
use crate::bounded::{Bound, Size};
use crate::effects::{Effects, Hidden, Passed};
use crate::expansion::Body;
use crate::loops::{LoopFacts, LoopIndex};
use crate::region::Memory;
use crate::state::{AskedThreads, Cell, State};
use crate::symbols::{Cause, SymbolInfo, SymbolKind, Symbols};
use crate::word::{Assumption, Word};
pub(crate) use evaluate::type_range;
use expand::Inside;
use ferry_ir::{
    Function, FunctionRef, GlobalId, Local, Stmt, StmtId, Type, TypeId, Unit, VariableKind, VariableRef,
};
use ferry_source::{Origin, Sources};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Everything that the walk found out about one function.
#[derive(Clone)]
pub struct Values {
    /// The symbols of all expressions here.
    pub symbols: Symbols,
    /// Loops in text order.
    pub loops: Vec<LoopFacts>,
    /// Accesses in order of evaluation.
    pub accesses: Vec<Access>,
    /// What calls and opaque statements outside the accesses touch, by statement.
    pub effects: Vec<StatementEffect>,
    /// Calls that may not come back.
    pub ends: Vec<End>,
    /// Every direct call.
    pub calls: Vec<DirectCall>,
    /// What is known of the pointers that all callers pass.
    pub passed: Passed,
    /// Constant pointers of the file that were read, with the places in variables of the file that they lead to for ever.
    pub constant_pointers: BTreeMap<GlobalId, Expr>,
    /// The symbol of each variable's address.
    pub addresses: BTreeMap<VariableRef, Symbol>,
    /// Value of each variable just before each statement of a block that holds a loop, to print bounds there.
    pub states: BTreeMap<StmtId, State>,
    /// What the condition of each `if` and each loop says, by statement.
    pub conditions: BTreeMap<StmtId, Outcomes>,
    /// Symbols that are one of two values by a condition that is known: what they are.
    pub definitions: BTreeMap<Symbol, Expr>,
    /// How many bytes objects have, by the symbol of their address, in terms of values where they come into being.
    pub extents: BTreeMap<Symbol, Expr>,
    /// The first symbol that may have come up inside each statement.
    pub first_symbols: BTreeMap<StmtId, u32>,
    /// The value of each `switch`, where it is known.
    pub switched: BTreeMap<StmtId, Expr>,
    /// The copies of the bodies that were walked at calls, by the call.
    pub bodies: BTreeMap<StmtId, Rc<Body>>,
    /// What all this rests on besides the text of the file: what is known of functions that are called.
    pub rests: BTreeSet<String>,
    /// Of this, what the user says of values.
    pub said: BTreeSet<String>,
    /// What the user says of values, and cannot be so or cannot be used, and why.
    pub contradicted: Vec<(Assumption, String)>,
    /// The function's variables; for a program behind them those of the functions that were walked at calls, as their copies number them.
    pub locals: Vec<Local>,
    /// The symbols of unsigned results that may wrap around: what they are where they do not, and their type.
    pub wrapping: BTreeMap<Symbol, (Expr, TypeId)>,
    /// What was taken to hold of parameters, results of calls and values in memory.
    pub taken: Vec<Condition>,
    /// Which variables hold a size before a statement whether it lies in its range or not: only they can be asked whether it does.
    pub held: BTreeMap<StmtId, Vec<(Size, VariableRef)>>,
    /// What the clauses of directives name, where that was asked for.
    pub directives: BTreeMap<StmtId, AtDirective>,
    /// The calls of functions of the run time that do what directives do, where that was asked for.
    pub run_time: BTreeMap<StmtId, AtCall>,
    /// What each variable that is a pointer and known by its name was given, where that was asked for: in the order of the text, the pointer in memory that was loaded.
    pub sources: BTreeMap<VariableRef, Vec<Option<Rc<Pointer>>>>,
    /// Bounds that were asked for before.
    pub memory: Memory,
}

/// A call of a function by its name.
#[derive(Clone, Debug)]
pub struct DirectCall {
    /// The statement.
    pub stmt: StmtId,
    /// Who.
    pub callee: FunctionRef,
    /// What each argument points into, if that is known.
    pub roots: Vec<Option<Symbol>>,
}

/// A statement that touches memory in ways that are not in the list of accesses.
#[derive(Clone, Debug)]
pub struct StatementEffect {
    /// The statement.
    pub stmt: StmtId,
    /// The same, or a statement of the copy of a function's body that was walked at it.
    pub within: StmtId,
    /// The loops around it.
    pub loops: Vec<LoopIndex>,
    /// Roots whose storage it may read; `None` is any.
    pub reads: Option<Vec<Symbol>>,
    /// Roots whose storage it may write; `None` is any.
    pub writes: Option<Vec<Symbol>>,
    /// It may release storage that it writes.
    pub may_release: bool,
    /// It is known to be a function that releases, or moves, what it writes.
    pub releases: bool,
    /// Why.
    pub cause: Cause,
    /// Text order of evaluation.
    pub order: usize,
}

/// A call that may end the program, or never come back.
#[derive(Clone, Debug)]
pub struct End {
    /// The statement.
    pub stmt: StmtId,
    /// The loops around it.
    pub loops: Vec<LoopIndex>,
    /// It never comes back, and the way to it was followed: behind it in these loops it is known that the way was not taken.
    pub followed: bool,
    /// Its place.
    pub at: Origin,
}

impl Values {
    /// The root of the storage in which a value was read that lies at this address.
    pub fn root_read_at(&self, address: &Expr) -> Option<Symbol> {
        let mut reads = self.accesses.iter().filter(|access| !access.is_write());
        reads
            .find(|access| access.address.as_ref() == Some(address))?
            .root
    }

    /// The type of a variable, also of a copy of a function that was walked at a call.
    pub fn type_of(&self, unit: &Unit, variable: VariableRef) -> TypeId {
        match variable {
            VariableRef::Global(id) => unit.global(id).ty,
            VariableRef::Local(id) => self.locals[id.0 as usize].ty,
        }
    }

    /// The variable that lies at an address.
    pub fn variable_at(&self, root: Symbol) -> Option<VariableRef> {
        self.memory.variable_at(root, &self.addresses)
    }

    /// The name of a variable, also of a copy of a function that was walked at a call.
    pub fn name_of<'a>(&'a self, unit: &'a Unit, variable: VariableRef) -> &'a str {
        match variable {
            VariableRef::Global(id) => &unit.global(id).name,
            VariableRef::Local(id) => &self.locals[id.0 as usize].name,
        }
    }

    /// Which variables hold sizes before each statement that a place is known of.
    pub fn holders(&self) -> BTreeMap<StmtId, Vec<(Size, VariableRef)>> {
        let own = |state: &State| -> Vec<(Size, VariableRef)> {
            let all = state.variables.iter();
            all.filter_map(|(variable, value)| {
                Some((Size::of(self.symbols.info(value.as_symbol()?))?, *variable))
            })
            .collect()
        };
        let loops = self.loops.iter().map(|of| (of.stmt, own(&of.before)));
        let states = self.states.iter().map(|(stmt, state)| (*stmt, own(state)));
        loops.chain(states).collect()
    }

    /// A loop and the loops around it, innermost first.
    pub fn enclosing(&self, index: LoopIndex) -> impl Iterator<Item = LoopIndex> + '_ {
        let parent = |index: &LoopIndex| self.loops.get(index.0 as usize)?.parent;
        std::iter::successors(Some(index), parent)
    }

    /// True if a symbol takes other values in other iterations of a loop. The counters of the loops in it do not count: they take the same values again in each.
    pub fn moves(&self, symbol: Symbol, of: &LoopFacts) -> bool {
        let counts_inside = |other: &LoopFacts| other.counter == symbol && other.stmt != of.stmt;
        self.symbols.varies_in(symbol, of.stmt) && !self.loops.iter().any(counts_inside)
    }
}

/// Walks one function that has a body. With `names`, constants that the text writes by a name are kept by that name.
pub fn walk(unit: &Unit, function: FunctionRef, effects: &Effects, names: Option<&Sources>) -> Values {
    walk_believing(unit, function, effects, names, effects.word(function))
}

/// The same, with these words of the user instead of those that the effects hold.
pub fn walk_believing(
    unit: &Unit,
    function: FunctionRef,
    effects: &Effects,
    names: Option<&Sources>,
    word: Option<&Word>,
) -> Values {
    walk_within(unit, function, effects, names, word, &[])
}

/// The same, where sizes lie in ranges.
pub fn walk_within(
    unit: &Unit,
    function: FunctionRef,
    effects: &Effects,
    names: Option<&Sources>,
    word: Option<&Word>,
    bounds: &[Bound],
) -> Values {
    let mut walker = Walker::new(unit, unit.function(function), effects);
    walker.names = names;
    walker.word = word;
    walker.bounds = bounds.to_vec();
    walker.walked(function)
}

/// Walks a program from one function on, as if its directives were comments, but with what they name, and with the accesses of variables that are known by
/// their names. The effects should be those of a program ([`Effects::of_program`]).
pub fn walk_program(unit: &Unit, function: FunctionRef, effects: &Effects) -> Values {
    let mut walker = Walker::new(unit, unit.function(function), effects);
    walker.with_directives = true;
    walker.word = effects.word(function);
    walker.walked(function)
}

impl Walker<'_> {
    fn walked(self, function: FunctionRef) -> Values {
        let mut walker = self;
        let unit = walker.unit;
        walker.passed = walker.effects.passed(function);
        if let Some(body) = &unit.function(function).body {
            let mut state = walker.entry_state();
            walker.assume_at_entry(&mut state);
            walker.statement(body, state);
        }
        walker.note_irregular();
        Values {
            symbols: walker.symbols,
            loops: walker.loops,
            accesses: walker.accesses,
            effects: walker.effects_found,
            ends: walker.ends_found,
            calls: walker.calls_found,
            passed: walker.passed,
            constant_pointers: walker.constant_pointers,
            addresses: match walker.with_directives {
                true => walker.addresses,
                false => own_addresses(walker.addresses, unit.function(function)),
            },
            locals: walker.locals,
            states: walker.states,
            conditions: walker.conditions_found,
            switched: walker.switched,
            definitions: walker.definitions,
            extents: walker.extents,
            bodies: walker.bodies,
            first_symbols: walker.first_symbols,
            rests: walker.rests,
            said: walker.said,
            contradicted: walker.contradicted,
            wrapping: wrapping(walker.conversions, unit),
            taken: walker.taken.into_iter().flat_map(|(_, taken)| taken).collect(),
            held: BTreeMap::new(),
            directives: walker.directives,
            run_time: walker.run_time,
            sources: walker.sources,
            memory: Memory::default(),
        }
    }
}

/// The symbols of unsigned results among those of conversions.
fn wrapping(conversions: BTreeMap<(Expr, TypeId), Symbol>, unit: &Unit) -> BTreeMap<Symbol, (Expr, TypeId)> {
    let unsigned = |ty: TypeId| matches!(unit.types.get(ty), Type::Int { signed: false, .. });
    let all = conversions.into_iter().filter(|((_, ty), _)| unsigned(*ty));
    all.map(|(key, symbol)| (symbol, key)).collect()
}

/// The addresses of the function's own variables and of globals.
fn own_addresses(
    mut addresses: BTreeMap<VariableRef, Symbol>,
    function: &Function,
) -> BTreeMap<VariableRef, Symbol> {
    addresses.retain(|variable, _| match variable {
        VariableRef::Local(local) => (local.0 as usize) < function.locals.len(),
        VariableRef::Global(_) => true,
    });
    addresses
}

pub(crate) struct Walker<'a> {
    pub unit: &'a Unit,
    pub function: &'a Function,
    pub effects: &'a Effects,
    /// The files, if constants are kept by name.
    pub names: Option<&'a Sources>,
    /// Directives are comments, but what they name is kept.
    pub with_directives: bool,
    pub directives: BTreeMap<StmtId, AtDirective>,
    /// Who runs what the directives around govern.
    pub workers: Workers,
    pub run_time: BTreeMap<StmtId, AtCall>,
    pub sources: BTreeMap<VariableRef, Vec<Option<Rc<Pointer>>>>,
    /// The symbols of constants.
    pub named: BTreeMap<(String, i128), Symbol>,
    pub symbols: Symbols,
    pub addresses: BTreeMap<VariableRef, Symbol>,
    /// The symbols of variables of other files.
    pub hidden: BTreeMap<Hidden, Symbol>,
    /// What the effects of calls rest on.
    pub rests: BTreeSet<String>,
    /// What the user says of the function.
    pub word: Option<&'a Word>,
    /// What of that was used.
    pub said: BTreeSet<String>,
    /// What of that cannot be.
    pub contradicted: Vec<(Assumption, String)>,
    /// The ranges in which sizes lie.
    pub bounds: Vec<Bound>,
    /// What these say of each size that came up.
    pub taken: Vec<(Size, Vec<Condition>)>,
    pub loops: Vec<LoopFacts>,
    pub accesses: Vec<Access>,
    pub effects_found: Vec<StatementEffect>,
    pub ends_found: Vec<End>,
    pub calls_found: Vec<DirectCall>,
    pub passed: Passed,
    /// Constant pointers of the file that were read.
    pub constant_pointers: BTreeMap<GlobalId, Expr>,
    /// The variables of the function, and behind them those of the functions that are walked at calls.
    pub locals: Vec<Local>,
    /// The calls of the function that are walked into.
    pub chosen: BTreeSet<StmtId>,
    /// The copies that were made of called functions, by the call.
    pub bodies: BTreeMap<StmtId, Rc<Body>>,
    /// The calls that are being walked into, outermost first.
    pub inside: Vec<Inside>,
    /// The first number that no statement has.
    pub free_statement: u32,
    pub states: BTreeMap<StmtId, State>,
    pub conditions_found: BTreeMap<StmtId, Outcomes>,
    pub switched: BTreeMap<StmtId, Expr>,
    pub first_symbols: BTreeMap<StmtId, u32>,
    pub definitions: BTreeMap<Symbol, Expr>,
    /// Pointers that are one of two.
    pub choices: BTreeMap<Symbol, alternatives::OneOfTwo>,
    pub extents: BTreeMap<Symbol, Expr>,
    /// The condition on which the first of two paths that meet next was taken, if it is known.
    pub meeting: Option<Condition>,
    /// The loops that are being walked, outermost first.
    pub frames: Vec<Frame>,
    /// Number of loops around the innermost condition that is open.
    pub conditional_depth: usize,
    /// Unsigned variables that were taken for counters of a loop which do not wrap around, and may.
    pub no_counters: BTreeSet<(StmtId, VariableRef)>,
    /// The conditions on the path, outermost first.
    pub guards: Vec<Guard>,
    /// The next point of the program that gets a number.
    pub points: u32,
    /// How many there were when the current statement began.
    pub guards_outside: usize,
    /// Symbols that are 1 on one of two paths and 0 on the other.
    pub paths: BTreeSet<Symbol>,
    /// Jumps met so far, to see whether a statement holds one that leaves it.
    pub jumps: usize,
    /// Above 0 while a loop is scanned: nothing is recorded but what may be written.
    pub scanning: usize,
    /// True while a value is looked up that the program does not read.
    pub unseen: bool,
    pub order: usize,
    /// The statement that is being walked.
    pub current: StmtId,
    /// What has been written in memory since the scan in progress began.
    pub written: Kills,
    /// Conversions that may change the value, so that the same conversion gives the same symbol.
    pub conversions: BTreeMap<(Expr, TypeId), Symbol>,
    /// States at `break` of the innermost enclosing switches and loops.
    pub breaks: Vec<Vec<State>>,
    /// The parameters that the function never assigns.
    pub given: OnceCell<BTreeSet<VariableRef>>,
    /// Where the file asks for threads.
    pub asking: OnceCell<asked::Asking>,
}

/// A loop that is being walked.
pub(crate) struct Frame {
    pub stmt: StmtId,
    pub index: LoopIndex,
    /// What the loop may write; known after the scan.
    pub kills: Option<Kills>,
    /// Loads that do not change in the loop, kept at its level.
    pub hoisted: BTreeMap<Cell, Expr>,
    pub continues: Vec<State>,
}

/// What a loop may write in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kills {
    /// Stores: where, how many bytes, of which type.
    pub stores: Vec<Store>,
    /// Storage that calls may write.
    pub roots: BTreeSet<Symbol>,
    /// Anything that is not private to the function may be written.
    pub anything: bool,
}

/// One store as far as it kills what is known of memory.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub root: Option<Symbol>,
    pub address: Option<Expr>,
    pub size: u64,
    pub ty: TypeId,
}

impl<'a> Walker<'a> {
    fn new(unit: &'a Unit, function: &'a Function, effects: &'a Effects) -> Walker<'a> {
        Walker {
            unit,
            function,
            effects,
            names: None,
            with_directives: false,
            sources: BTreeMap::new(),
            directives: BTreeMap::new(),
            workers: Workers::UNSAID,
            run_time: BTreeMap::new(),
            named: BTreeMap::new(),
            symbols: Symbols::of_unit(effects.pointed_to()),
            addresses: BTreeMap::new(),
            hidden: BTreeMap::new(),
            rests: BTreeSet::new(),
            word: None,
            said: BTreeSet::new(),
            contradicted: Vec::new(),
            bounds: Vec::new(),
            taken: Vec::new(),
            loops: Vec::new(),
            accesses: Vec::new(),
            effects_found: Vec::new(),
            ends_found: Vec::new(),
            calls_found: Vec::new(),
            passed: Passed::default(),
            constant_pointers: BTreeMap::new(),
            locals: function.locals.clone(),
            chosen: effects.expansions().chosen(function),
            bodies: BTreeMap::new(),
            inside: Vec::new(),
            free_statement: function.statements,
            states: BTreeMap::new(),
            conditions_found: BTreeMap::new(),
            switched: BTreeMap::new(),
            first_symbols: BTreeMap::new(),
            definitions: BTreeMap::new(),
            choices: BTreeMap::new(),
            extents: BTreeMap::new(),
            meeting: None,
            frames: Vec::new(),
            conditional_depth: 0,
            no_counters: BTreeSet::new(),
            guards: Vec::new(),
            points: 0,
            paths: BTreeSet::new(),
            guards_outside: 0,
            jumps: 0,
            scanning: 0,
            unseen: false,
            order: 0,
            current: StmtId(0),
            written: Kills::default(),
            conversions: BTreeMap::new(),
            breaks: Vec::new(),
            given: OnceCell::new(),
            asking: OnceCell::new(),
        }
    }

    fn entry_state(&mut self) -> State {
        let mut state = State {
            threads: match self.function.name.as_str() {
                "main" => AskedThreads::default(),
                _ => self.threads_from_elsewhere(),
            },
            ..State::default()
        };
        for number in 0..self.function.parameters {
            let variable = VariableRef::Local(ferry_ir::LocalId(number));
            let local = &self.function.locals[number as usize];
            if self.tracked(variable) {
                let symbol = self.fresh(SymbolKind::Entry(variable), Some(local.ty), local.origin);
                self.assume_type_range(&mut state, symbol, local.ty);
                self.assume_bound(&mut state, symbol);
                state.set(variable, Expr::symbol(symbol));
            }
        }
        state
    }

    /// A size lies in its range, if it has one. Of those that are made at one place of the text, as a loop is walked again and again, the last stands for
    /// all: they have one value.
    pub fn assume_bound(&mut self, state: &mut State, symbol: Symbol) {
        if self.bounds.is_empty() || !self.inside.is_empty() {
            return;
        }
        let info = self.symbols.info(symbol);
        let (Some(of), Some((low, high))) = (Size::of(info), info.ty.and_then(|ty| self.type_range(ty)))
        else {
            return;
        };
        let Some(bound) = self.bounds.iter().find(|bound| bound.of == of) else {
            return;
        };
        let ends = (
            low.to_i128().unwrap_or(i128::MIN),
            high.to_i128().unwrap_or(i128::MAX),
        );
        let conditions = bound.conditions(&Expr::symbol(symbol), ends);
        for condition in &conditions {
            state.facts.assume(condition);
        }
        self.taken.retain(|(other, _)| *other != of);
        self.taken.push((of, conditions));
    }

    /// A new symbol of the loops that are open now.
    pub fn fresh(&mut self, kind: SymbolKind, ty: Option<TypeId>, at: Origin) -> Symbol {
        let loops = self.frames.iter().map(|frame| frame.stmt).collect();
        self.symbols.make(SymbolInfo {
            kind,
            ty,
            loops,
            at,
            order: self.order,
        })
    }

    /// A new symbol for a value that is not known, with the range of its type.
    pub fn unknown(&mut self, state: &mut State, ty: TypeId, why: &str, at: Origin) -> Expr {
        let symbol = self.fresh(SymbolKind::Unknown(Cause::new(why, at)), Some(ty), at);
        self.assume_type_range(state, symbol, ty);
        Expr::symbol(symbol)
    }

    /// Unsigned values are not negative: the one fact of the type's range that proofs need all the time.
    pub fn assume_type_range(&mut self, state: &mut State, symbol: Symbol, ty: TypeId) {
        match self.unit.types.get(ty) {
            Type::Int { signed: false, .. } | Type::Bool => {
                state.facts.assume_nonnegative(Expr::symbol(symbol));
            }
            _ => {}
        }
    }

    /// True for scalars whose value only their own name can change.
    pub fn tracked(&self, variable: VariableRef) -> bool {
        match variable {
            VariableRef::Global(_) => false,
            VariableRef::Local(local) => {
                let local = &self.locals[local.0 as usize];
                (local.kind == VariableKind::Temporary || !local.address_taken)
                    && !local.qualifiers.volatile
                    && self.unit.types.is_scalar(local.ty)
            }
        }
    }

    /// True for types whose values are followed: integers and pointers.
    pub fn followed(&self, ty: TypeId) -> bool {
        self.unit.types.is_integer(ty) || self.unit.types.pointee(ty).is_some()
    }

    /// The symbol of the address of a variable.
    pub fn address_of(&mut self, variable: VariableRef) -> Symbol {
        if let Some(symbol) = self.addresses.get(&variable) {
            return *symbol;
        }
        let (origin, kind) = match variable {
            VariableRef::Global(id) => (self.unit.global(id).origin, SymbolKind::Address(variable)),
            VariableRef::Local(id) => {
                let local = &self.locals[id.0 as usize];
                let kind = match (id.0 as usize) < self.function.locals.len() {
                    true => SymbolKind::Address(variable),
                    false => SymbolKind::CalleeVariable {
                        name: local.name.clone(),
                        escapes: local.address_taken,
                    },
                };
                (local.origin, kind)
            }
        };
        // The address of a variable is the same in every iteration; storage that is declared inside a loop is found
        // by its name when dependences are tested.
        let info = SymbolInfo {
            kind,
            ty: None,
            loops: Vec::new(),
            at: origin,
            order: self.order,
        };
        let symbol = self.symbols.make(info);
        self.addresses.insert(variable, symbol);
        let ty = self.type_of(variable);
        if let (Type::Array { .. }, Some(size)) = (self.unit.types.get(ty), self.unit.types.size(ty)) {
            self.extents.insert(symbol, Expr::int(i128::from(size)));
        }
        symbol
    }

    /// Keeps the size of a variable-length array where it is declared.
    pub fn note_extent(&mut self, variable: VariableRef, state: &mut State) {
        let ty = self.type_of(variable);
        let Type::Array { .. } = self.unit.types.get(ty) else {
            return;
        };
        let symbol = self.address_of(variable);
        match self.size_of(ty, state) {
            Some(size) => self.extents.insert(symbol, size),
            None => self.extents.remove(&symbol),
        };
    }

    /// Notes on every access which symbols do not run through all values between their bounds.
    fn note_irregular(&mut self) {
        let symbols = &self.symbols;
        let irregular = |expr: &Expr| {
            let jumps = |symbol: &Symbol| {
                let info = symbols.info(*symbol);
                !info.loops.is_empty() && !matches!(info.kind, SymbolKind::Counter(_))
            };
            expr.symbols()
                .into_iter()
                .filter(jumps)
                .collect::<BTreeSet<Symbol>>()
        };
        for access in &mut self.accesses {
            access.irregular = access.address.as_ref().map(irregular).unwrap_or_default();
            for index in &access.loops {
                let facts = &self.loops[index.0 as usize];
                match &facts.trip {
                    Ok(trip) => access.irregular.extend(irregular(trip)),
                    Err(_) => {
                        access.irregular.insert(facts.counter);
                    }
                }
            }
        }
    }

    /// From here on there is one more condition on the path.
    pub fn open_guard(&mut self, guard: Guard) {
        let point = Some(self.points);
        self.points = self.points.saturating_add(1);
        self.guards.push(Guard { point, ..guard });
    }

    /// The loops that are open, by their numbers.
    pub fn open_loops(&self) -> Vec<LoopIndex> {
        self.frames.iter().map(|frame| frame.index).collect()
    }

    /// True while what is found is kept.
    pub fn recording(&self) -> bool {
        self.scanning == 0
    }

    /// All whole variables that a statement may assign.
    pub fn assigned(&self, stmt: &Stmt) -> BTreeSet<VariableRef> {
        let mut found = BTreeSet::new();
        crate::scalar::assigned_variables(stmt, &mut found);
        found.retain(|variable| self.tracked(*variable));
        found
    }
}
