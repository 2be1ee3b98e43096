//! Which accesses race although no loop carries a dependence between them?
//!
//! [`crate::verify`] looks at one worksharing loop at a time. Here are the races that it does not see: accesses under different locks or critical regions
//! (`lock`), atomic beside plain ones, worksharing constructs without a barrier between them, target tasks that nothing waits for (`tasks`), and explicit tasks (`deferred`). A `region`
//! is walked once and gives its accesses with who makes them (`spot`), `shared` says which storage and values are common to its threads, `taken` which values
//! are not although they seem so, `pair` which two accesses race, `meet` whether they certainly touch the same bytes. `scratch` finds variables that each thread should have for itself.
//!
//! It stands on the values of the program as if its directives were comments ([`crate::value::walk_program`]), and says only what is certain to race, or
//! under one condition that is not decided.
//!
//! What it cannot do: show that there is no race.

mod deferred;
mod depend;
mod inside;
mod lock;
pub(crate) mod meet;
mod pair;
mod region;
mod scratch;
mod shared;
mod spot;
mod taken;
mod tasks;
mod touch;

use crate::coherence::{Confidence, Defect, Found, History, Reading};
use crate::effects::{Effects, OfProgram};
use crate::symbols::SymbolKind;
use crate::value::{StatementEffect, Values, walk_program};
use crate::verify::bits_of;
use crate::verify::{OfThreads, of_threads};
use ferry_directive::{Language, Version};
use ferry_ir::{
    Callee, FunctionRef, GlobalId, Loop, LoopKind, PlaceBase, Projection, Stmt, StmtId, StmtKind, Unit,
};
use ferry_source::{Sources, Span};
use ferry_symbolic::{Expr, Facts};
use region::{Region, makes_threads};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// Why races may be missed in a region that is too large.
pub const CUT_SHORT: &str = "so many accesses are in this region that not all of them are compared";

/// What came of a unit.
#[derive(Default)]
pub struct Races {
    /// For each function that data were followed from, in the same order.
    pub followed: Vec<Vec<Defect>>,
    /// From further functions.
    pub more: Vec<Found>,
    /// Regions in which not all pairs of accesses were compared.
    pub cut_short: BTreeSet<Span>,
}

/// A function with all that it calls.
struct Program<'a> {
    unit: &'a Unit,
    effects: &'a Effects,
    values: &'a Values,
    of_threads: &'a OfThreads,
    /// Variables that live on both sides.
    always: &'a BTreeSet<GlobalId>,
    accesses: BTreeMap<StmtId, Vec<usize>>,
    effects_at: BTreeMap<StmtId, usize>,
    places: BTreeMap<StmtId, Span>,
    /// Statements that set, or clear, bits which are constants: `x |= 1`.
    sets_bits: BTreeSet<StmtId>,
    /// Statements that set a variable by its name, or a part of it that is always the same.
    sets_variables: BTreeSet<StmtId>,
    /// Statements that store a constant.
    constants: BTreeMap<StmtId, i128>,
    /// The edition of OpenMP by which directives are read.
    openmp: Version,
    sources: &'a Sources,
}

impl<'a> Program<'a> {
    fn of(
        unit: &'a Unit,
        effects: &'a Effects,
        values: &'a Values,
        (of_threads, always): (&'a OfThreads, &'a BTreeSet<GlobalId>),
        (openmp, sources): (Version, &'a Sources),
        body: &Stmt,
    ) -> Program<'a> {
        let mut accesses: BTreeMap<StmtId, Vec<usize>> = BTreeMap::new();
        for (number, access) in values.accesses.iter().enumerate() {
            accesses.entry(access.within).or_default().push(number);
        }
        let effects_at = values
            .effects
            .iter()
            .zip(0..)
            .map(|(one, number)| (one.within, number));
        let (mut places, mut sets_bits) = (BTreeMap::new(), BTreeSet::new());
        let (mut constants, mut sets_variables) = (BTreeMap::new(), BTreeSet::new());
        let bodies = values.bodies.values().map(|body| &body.stmt);
        for root in bodies.chain([body]) {
            root.walk(&mut |stmt| {
                if let (StmtKind::Directive { .. }, Some(span)) = (&stmt.kind, stmt.origin.span()) {
                    places.insert(stmt.id, span);
                }
                if let StmtKind::Assign { place, value } = &stmt.kind
                    && bits_of(place, value).is_some_and(|bits| bits.as_int().is_some())
                {
                    sets_bits.insert(stmt.id);
                }
                if let StmtKind::Assign { place, value } = &stmt.kind {
                    let is_fixed = |step: &Projection| match step {
                        Projection::Field(_) => true,
                        Projection::Index(index) => index.as_int().is_some(),
                    };
                    if matches!(place.base, PlaceBase::Variable(_)) && place.path.iter().all(is_fixed) {
                        sets_variables.insert(stmt.id);
                    }
                    constants.extend(value.as_int().map(|value| (stmt.id, value)));
                }
            });
        }
        Program {
            unit,
            effects,
            values,
            of_threads,
            always,
            accesses,
            effects_at: effects_at.collect(),
            places,
            sets_bits,
            sets_variables,
            constants,
            openmp,
            sources,
        }
    }

    /// What a statement itself touches.
    fn accesses(&self, stmt: StmtId) -> impl Iterator<Item = usize> + '_ {
        self.accesses.get(&stmt).into_iter().flatten().copied()
    }

    /// True for a function of which so little is known that it may hold a barrier, or a lock.
    fn is_unseen(&self, id: FunctionRef) -> bool {
        let effect = self.effects.get(id);
        effect.reads.anything || effect.writes.anything || self.unit.function(id).body.is_some()
    }

    /// The branch that is taken, if what a function was given says it.
    fn decided(&self, stmt: StmtId) -> Option<bool> {
        let known = self.values.conditions.get(&stmt)?.exact()?;
        let nothing = Facts::new();
        let never = known.not();
        if nothing.prove(&known) {
            Some(true)
        } else {
            nothing.prove(&never).then_some(false)
        }
    }

    /// True for an address in storage that each thread has for itself by `threadprivate`.
    fn is_of_a_thread(&self, address: &Expr) -> bool {
        address.symbols().into_iter().any(|symbol| {
            let info = self.values.symbols.info(symbol);
            let variable = match &info.kind {
                SymbolKind::Address(variable) | SymbolKind::Entry(variable) => variable.as_global(),
                _ => None,
            };
            variable.is_some_and(|id| self.of_threads.has(id)) || self.of_threads.is_set_at(info.at)
        })
    }

    /// What a call touches beside that.
    fn effect(&self, stmt: StmtId) -> Option<&StatementEffect> {
        self.effects_at
            .get(&stmt)
            .map(|number| &self.values.effects[*number])
    }

    /// True if a directive is read by OpenMP 6.0: by the option, or since older editions do not know its name with `_` in it.
    fn is_of_openmp60(&self, stmt: &Stmt) -> bool {
        let text = self.first_line(stmt.id).map(|span| self.sources.text(span));
        let line = text.and_then(|text| text.split(|byte| *byte == b'\n' || *byte == b'(').next());
        let name = |line: &[u8]| line.windows(11).any(|word| word == b"target_data");
        self.openmp >= Version::OpenMp60 || line.is_some_and(name)
    }

    /// Where a directive stands.
    fn first_line(&self, stmt: StmtId) -> Option<Span> {
        self.places.get(&stmt).copied()
    }
}

/// The races of a unit, of which the data were followed from these functions. `always` are variables that live on both sides (`declare target`); with a language to
/// read, directives of the other one are comments.
pub fn find(
    unit: &Unit,
    effects: &OfProgram<'_>,
    followed: &[Found],
    (declarations, sources): (&[(Span, &str)], &Sources),
    always: &BTreeSet<GlobalId>,
    reading: Reading,
) -> Races {
    let mut races = Races {
        followed: followed.iter().map(|_| Vec::new()).collect(),
        more: Vec::new(),
        cut_short: BTreeSet::new(),
    };
    let bodies = || unit.functions().filter(|(_, function)| function.body.is_some());
    let matters = |body: &Stmt| !places(body).is_empty();
    if reading.language == Some(Language::OpenAcc)
        || !bodies().any(|(_, function)| function.body.as_ref().is_some_and(matters))
    {
        return races;
    }
    let effects = effects.get();
    let of_threads = of_threads(unit, declarations, sources);
    // A directive that was seen with the values of a caller is not looked at again without them.
    let mut unseen: BTreeSet<Span> = bodies()
        .filter_map(|(_, function)| function.body.as_ref())
        .flat_map(places)
        .collect();
    let mut cut_short = BTreeSet::new();
    let in_teams = LazyCell::new(|| in_teams(unit));
    let mut of = |values: &Values, function: FunctionRef, unseen: &mut BTreeSet<Span>| {
        let Some(body) = &unit.function(function).body else {
            return Vec::new();
        };
        let program = Program::of(
            unit,
            effects,
            values,
            (&of_threads, always),
            (reading.openmp, sources),
            body,
        );
        unseen.retain(|place| !program.places.values().any(|seen| seen == place));
        let mut found = Vec::new();
        regions(&program, body, &mut found, &mut cut_short);
        let whole = unit.function(function).name == "main";
        found.extend(tasks::unordered(&program, body, whole));
        if deferred::makes_tasks(&program, body) {
            let in_team = (!whole).then(|| match in_teams.contains(&function) {
                true => Confidence::Likely,
                false => Confidence::Possible,
            });
            found.extend(deferred::unordered(&program, function, body, in_team));
        }
        found
    };
    for (found, races) in followed.iter().zip(&mut races.followed) {
        *races = of(&found.values, found.function, &mut unseen);
    }
    let called = crate::coherence::called(unit);
    let is_entry = |id: &FunctionRef| unit.function(*id).name == "main" || !called.contains(id);
    let mut rest: Vec<FunctionRef> = bodies().map(|(id, _)| id).collect();
    rest.retain(|id| followed.iter().all(|found| found.function != *id));
    rest.sort_by_key(|id| (unit.function(*id).name != "main", !is_entry(id)));
    for function in rest {
        let own = unit
            .function(function)
            .body
            .as_ref()
            .map(places)
            .unwrap_or_default();
        let matters = own.iter().any(|place| unseen.contains(place));
        if unseen.is_empty() || !matters && !is_entry(&function) {
            continue;
        }
        let values = walk_program(unit, function, effects);
        let defects = of(&values, function, &mut unseen);
        races.more.push(Found {
            function,
            values,
            defects,
            unsure: 0,
            blind: None,
            history: History::default(),
            not_followed: None,
            advice: Vec::new(),
        });
    }
    races.cut_short = cut_short;
    races
}

/// The functions that are called in a region of threads, in the text or by what is called there.
fn in_teams(unit: &Unit) -> BTreeSet<FunctionRef> {
    let calls = |body: &Stmt, open: &mut Vec<FunctionRef>| {
        body.walk(&mut |stmt| {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } = &stmt.kind
            {
                open.push(*id);
            }
        });
    };
    let mut open = Vec::new();
    let bodies = || {
        unit.functions()
            .filter_map(|(_, function)| function.body.as_ref())
    };
    for body in bodies() {
        body.walk(&mut |stmt| {
            if let StmtKind::Directive {
                directive,
                body: Some(body),
            } = &stmt.kind
                && makes_threads(directive)
            {
                calls(body, &mut open);
            }
        });
    }
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id)
            && let Some(body) = &unit.function(id).body
        {
            calls(body, &mut open);
        }
    }
    found
}

/// How many conditions an iteration passes before its body: the test of the loop, unless that comes behind it.
fn tests_first(inner: &Loop) -> usize {
    usize::from(inner.kind != LoopKind::Do && inner.condition.is_some())
}

/// Where directives stand that this is about.
fn places(body: &Stmt) -> BTreeSet<Span> {
    let mut found = BTreeSet::new();
    body.walk(&mut |stmt| {
        if let StmtKind::Directive { directive, .. } = &stmt.kind
            && (makes_threads(directive) || tasks::may_begin_task(directive) || directive.is_explicit_task())
        {
            found.extend(stmt.origin.span());
        }
    });
    found
}

/// The outermost regions of a function and of what it calls.
fn regions<'a>(
    program: &'a Program<'a>,
    stmt: &'a Stmt,
    found: &mut Vec<Defect>,
    cut_short: &mut BTreeSet<Span>,
) {
    if let StmtKind::Directive { directive, .. } = &stmt.kind
        && makes_threads(directive)
    {
        let mut said = BTreeSet::new();
        if let Some(region) = Region::of(program, stmt) {
            let (races, cut) = pair::races(program, &region);
            said.extend(races.iter().map(|race| race.root));
            found.extend(races);
            if cut || region.cut_short {
                cut_short.extend(program.first_line(stmt.id).map(pair::first_byte));
            }
        }
        found.extend(scratch::defects(program, stmt, &said));
        return;
    }
    if let Some(body) = program.values.bodies.get(&stmt.id) {
        regions(program, &body.stmt, found, cut_short);
    }
    for child in stmt.children() {
        regions(program, child, found, cut_short);
    }
}
