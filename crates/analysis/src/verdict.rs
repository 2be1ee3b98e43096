//! May the iterations of a loop run in any order, and if not, why?
//!
//! Everything that could stand in the way is asked for, and every obstacle is kept with its places: early exits, code
//! that was not understood, calls, scalars that carry values, memory. A failed proof about two pointers that may
//! overlap leaves a condition that a run-time test can decide.

mod alike;
mod atomic;
mod conditions;
mod explain;
mod exposed;
mod first_read;
mod flags;
mod obstacle;
mod on_demand;
mod one_value;
mod remedy;
mod repeated;
mod scratch;
mod section;
mod set_inside;
mod word;

use crate::access::Access;
use crate::alias::{Reach, may_overlap};
use crate::bounded::Bound;
use crate::canonical::{Canonical, Several, canonical, several};
use crate::dependence::{
    Answer, Asked, Both, Counters, Outcome, Question, Rung, carried, carried_where, chosen_distance,
};
use crate::effects::Effects;
use crate::joined::at_least_one;
use crate::loops::{Induction, LoopFacts, LoopIndex};
use crate::reduction::{ReductionOp, Update, updates_in, updates_of_body};
use crate::regions::{Regions, Scratch};
use crate::rows::{self, Other, Row, Tables};
use crate::scalar::{LoopScalars, Runs, Variables};
use crate::sorted::Sorted;
use crate::symbols::{Cause, SymbolKind};
use crate::value::{Values, walk_within};
use crate::word::{Independent, Word};
use alike::{Alike, Carries, LeftOut};
pub use atomic::{Atomic, Object, Whole, is_atomic};
use conditions::Conditions;
use ferry_ir::{
    Callee, ExprKind, Function, FunctionRef, LocalId, Loop, Place, Stmt, StmtId, StmtKind, Unit, VariableRef,
};
use ferry_source::{Origin, Sources};
use ferry_symbolic::{Atom, Condition, Expr, Facts, Operation, Symbol};
use first_read::first_read;
use obstacle::{About, Found, Known, smallest};
pub use obstacle::{Dependence, DependenceKind, Obstacle, Remedy};
pub use on_demand::OnDemand;
pub use one_value::OldValue;
use one_value::OneValue;
use scratch::Private;
pub use section::SectionReduction;
use set_inside::SetInside;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The answer for one loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any order.
    Parallel,
    /// Any order if the conditions hold.
    ParallelIf,
    /// In order, because of a named dependence.
    Sequential,
    /// Could not be decided.
    Unknown,
}

/// A variable or place that is reduced.
#[derive(Clone, PartialEq, Debug)]
pub struct Reduction {
    /// How.
    pub op: ReductionOp,
    /// The variable, if it is a whole variable.
    pub variable: Option<VariableRef>,
    /// The place in memory otherwise: its root.
    pub root: Option<Symbol>,
    /// The updating statement's place, for its text.
    pub at: Origin,
    /// The statements that update a place in memory, or set a variable to one value.
    pub updates: BTreeSet<StmtId>,
    /// Functions update it that are walked where they are called: statements of theirs, by copies of the bodies.
    pub called: bool,
    /// Its operations on floating-point numbers are reordered.
    pub floating: bool,
}

impl Reduction {
    /// True if all that the loop does with the variable is to set it to one value: it reads nothing that an earlier iteration wrote.
    pub fn is_only_set(&self) -> bool {
        self.root.is_none() && !self.updates.is_empty()
    }
}

/// All about one loop.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The answer.
    pub kind: Kind,
    /// What stands in the way; empty for parallel loops.
    pub obstacles: Vec<Obstacle>,
    /// Pairs of roots whose storage must not overlap, for `ParallelIf`.
    pub disjoint: BTreeSet<(Symbol, Symbol)>,
    /// Of these, the pairs that may also be the same pointer: what they share then is touched in one iteration only.
    pub equal: BTreeSet<(Symbol, Symbol)>,
    /// Conditions on storage that is found through tables of pointers, for `ParallelIf`.
    pub rows: rows::Apart,
    /// Conditions on values before the loop, which it does not change, for `ParallelIf`.
    pub conditions: Vec<Condition>,
    /// Values in memory that must be in order, for `ParallelIf`.
    pub sorted: Vec<Sorted>,
    /// Variables that every iteration writes before it reads them, and that are declared outside: scalars, and objects in memory that would otherwise keep the
    /// iterations in order.
    pub private: Variables,
    /// Of these, those whose last value is used later.
    pub last_private: Variables,
    /// Reductions.
    pub reductions: Vec<Reduction>,
    /// Objects in whose elements iterations may meet, if each update is made as a whole.
    pub atomics: Vec<Atomic>,
    /// Sections of objects that iterations update, each in a copy of which all are combined afterwards, or each update as a whole.
    pub sections: Vec<SectionReduction>,
    /// Variables besides the loop variable that move by a fixed step.
    pub inductions: Vec<Induction>,
    /// The form that directives demand, or what it lacks.
    pub canonical: Result<Canonical, Cause>,
    /// It has that form without other variables that its head sets.
    pub several: Option<Several>,
    /// Storage that is private because it is declared inside.
    pub inside: Variables,
    /// What was asked about pairs of accesses.
    pub counters: Counters,
    /// What the user says without which it would not be parallel, or not without a condition.
    pub assuming: Vec<String>,
    /// What is proved against the user's word that the iterations are independent.
    pub against: Vec<Obstacle>,
}

impl Verdict {
    /// The form that directives demand, or that the loop has without other variables that its head sets.
    ///
    /// # Errors
    /// What it lacks.
    pub fn form(&self) -> Result<&Canonical, Cause> {
        match (&self.canonical, &self.several) {
            (Ok(canonical), _) => Ok(canonical),
            (Err(_), Some(several)) => Ok(&several.canonical),
            (Err(cause), None) => Err(cause.clone()),
        }
    }

    /// Nothing has to be tested before the loop.
    pub fn is_unconditional(&self) -> bool {
        self.disjoint.is_empty()
            && self.rows.is_empty()
            && self.conditions.is_empty()
            && self.sorted.is_empty()
    }
}

/// All facts about one function.
#[derive(Clone)]
pub struct FunctionFacts {
    /// Which.
    pub function: FunctionRef,
    /// Values, loops, accesses.
    pub values: Values,
    /// Scalars of each loop.
    pub scalars: BTreeMap<StmtId, LoopScalars>,
    /// One for each loop of `values.loops`.
    pub verdicts: Vec<Verdict>,
}

/// How much is asked about a loop that is not parallel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Every obstacle.
    Every,
    /// The first obstacle that is found is enough.
    First,
}

/// Analyses one function with a body.
pub fn analyse(unit: &Unit, function: FunctionRef, effects: &Effects) -> FunctionFacts {
    analyse_named(unit, function, effects, None, Detail::Every)
}

/// The same; with `names`, constants that the text writes by a name are kept by that name.
pub fn analyse_named(
    unit: &Unit,
    function: FunctionRef,
    effects: &Effects,
    names: Option<&Sources>,
    detail: Detail,
) -> FunctionFacts {
    analyse_within(unit, function, effects, names, detail, &[])
}

/// The same, where sizes lie in ranges: all of it holds where [`Values::taken`] does.
pub fn analyse_within(
    unit: &Unit,
    function: FunctionRef,
    effects: &Effects,
    names: Option<&Sources>,
    detail: Detail,
    bounds: &[Bound],
) -> FunctionFacts {
    let said = effects.word(function);
    let mut facts = analyse_believing(unit, function, effects, names, detail, said, bounds);
    if !facts.values.said.is_empty() {
        let values_alone = said.map(|said| Word {
            independent: said.independent.clone(),
            ..Word::default()
        });
        let plain = analyse_believing(
            unit,
            function,
            effects,
            names,
            detail,
            values_alone.as_ref(),
            bounds,
        );
        word::compare(&mut facts, &plain);
    }
    facts
}

fn analyse_believing(
    unit: &Unit,
    function: FunctionRef,
    effects: &Effects,
    names: Option<&Sources>,
    detail: Detail,
    said: Option<&Word>,
    bounds: &[Bound],
) -> FunctionFacts {
    let values = walk_within(unit, function, effects, names, said, bounds);
    let scalars = scalars_of(unit, function, &values);
    let statements = loop_statements(unit, function);
    let regions = OnceCell::new();
    let copies = |stmt: &Stmt, root: Symbol, facts: &Facts| {
        let make = || Regions::asked_for(unit, function, effects, &values);
        regions.get_or_init(make).scratch(stmt, root, facts)
    };
    let verdicts = (0..values.loops.len())
        .map(|number| {
            let facts = &values.loops[number];
            let independent = said.and_then(|said| said.independent.get(&facts.stmt));
            let judge = Judge {
                unit,
                function: unit.function(function),
                values: &values,
                copies: &copies,
                facts,
                index: LoopIndex(number as u32),
                scalars: scalars.get(&facts.stmt),
                stmt: statements.get(&facts.stmt).copied(),
                // The first obstacle may be one that the user excludes.
                detail: if independent.is_some() {
                    Detail::Every
                } else {
                    detail
                },
                independent,
                both: Both::among(&values.symbols, facts.stmt, facts.counter, &values.loops),
                alike: OnceCell::new(),
            };
            judge.verdict()
        })
        .collect::<Vec<Verdict>>();
    FunctionFacts {
        function,
        values,
        scalars,
        verdicts,
    }
}

/// The scalars of each loop of a function.
fn scalars_of(unit: &Unit, function: FunctionRef, values: &Values) -> BTreeMap<StmtId, LoopScalars> {
    let named = |symbol: &Symbol| matches!(values.symbols.info(*symbol).kind, SymbolKind::Named { .. });
    let runs = |of: &LoopFacts| match &of.trip {
        Ok(trip) if of.before.facts.prove(&at_least_one(trip)) => match trip.symbols().iter().all(named) {
            true => Runs::ByConstants,
            false => Runs::Certainly,
        },
        _ => Runs::Perhaps,
    };
    let own = values.loops.iter().filter(|one| one.is_own());
    let known: BTreeMap<StmtId, Runs> = own.map(|one| (one.stmt, runs(one))).collect();
    let of = |stmt: StmtId| known.get(&stmt).copied().unwrap_or(Runs::Perhaps);
    let body = unit.function(function).body.as_ref();
    body.map(|body| crate::scalar::loops(body, &of))
        .unwrap_or_default()
}

/// The loops of a function.
fn loop_statements(unit: &Unit, function: FunctionRef) -> BTreeMap<StmtId, &Stmt> {
    let mut statements = BTreeMap::new();
    if let Some(body) = &unit.function(function).body {
        body.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::Loop(_)) {
                statements.insert(stmt.id, stmt);
            }
        });
    }
    statements
}

impl FunctionFacts {
    /// Adds what was taken to hold of sizes to the conditions of each loop that is not as parallel without it, by the facts `without` it, and keeps of
    /// these which variables hold the sizes.
    pub fn name_what_was_taken(&mut self, without: &FunctionFacts) {
        self.values.held = without.values.holders();
        let taken = self.values.taken.clone();
        self.each_that_needs_more(without, |verdict| {
            verdict.kind = Kind::ParallelIf;
            verdict.conditions.splice(0..0, taken.iter().cloned());
        });
    }

    /// Visits the verdicts on parallel loops that are others by the facts `without` something that is taken to hold here.
    fn each_that_needs_more(&mut self, without: &FunctionFacts, mut visit: impl FnMut(&mut Verdict)) {
        for (facts, verdict) in self.values.loops.iter().zip(&mut self.verdicts) {
            if !verdict.is_parallel() {
                continue;
            }
            let mut others = without.values.loops.iter().zip(&without.verdicts);
            let same = others.any(|(other, plain)| {
                other.stmt == facts.stmt
                    && plain.kind == verdict.kind
                    && plain.disjoint.len() == verdict.disjoint.len()
                    && plain.conditions.len() == verdict.conditions.len()
                    && plain.sorted.len() == verdict.sorted.len()
                    && plain.atomics.len() == verdict.atomics.len()
                    && plain.sections.len() == verdict.sections.len()
                    && plain.rows.each.len() == verdict.rows.each.len()
                    && plain.rows.others.len() == verdict.rows.others.len()
            });
            if !same {
                visit(verdict);
            }
        }
    }
}

type AskCopies<'a> = dyn Fn(&Stmt, Symbol, &Facts) -> Option<Scratch> + 'a;

struct Judge<'a> {
    unit: &'a Unit,
    function: &'a Function,
    values: &'a Values,
    /// How every iteration of a loop can have an object for itself ([`Regions::scratch`]).
    copies: &'a AskCopies<'a>,
    facts: &'a LoopFacts,
    index: LoopIndex,
    scalars: Option<&'a LoopScalars>,
    stmt: Option<&'a Stmt>,
    detail: Detail,
    /// The user's word that its iterations are independent.
    independent: Option<&'a Independent>,
    /// What its accesses know together.
    both: Both<'a>,
    /// Its conditions, once they are asked for.
    alike: OnceCell<Alike<'a>>,
}

impl<'a> Judge<'a> {
    fn is_decided(&self, verdict: &Verdict) -> bool {
        self.detail == Detail::First && !verdict.obstacles.is_empty()
    }

    /// The loop, with its scalars; `None` if it is in a function that was walked where it is called.
    fn parts(&self) -> Option<(&'a Stmt, &'a Loop, &'a LoopScalars)> {
        match &self.stmt?.kind {
            StmtKind::Loop(inner) => Some((self.stmt?, inner, self.scalars?)),
            _ => None,
        }
    }

    /// Nothing has been asked yet.
    fn unjudged(&self) -> Verdict {
        Verdict {
            kind: Kind::Unknown,
            obstacles: Vec::new(),
            disjoint: BTreeSet::new(),
            equal: BTreeSet::new(),
            rows: rows::Apart::default(),
            conditions: Vec::new(),
            sorted: Vec::new(),
            private: Variables::new(),
            last_private: Variables::new(),
            reductions: Vec::new(),
            atomics: Vec::new(),
            sections: Vec::new(),
            inductions: Vec::new(),
            canonical: Err(Cause::new("not a loop", self.facts.origin)),
            several: None,
            inside: Variables::new(),
            counters: Counters::default(),
            assuming: Vec::new(),
            against: Vec::new(),
        }
    }

    /// What is known without a look at memory: the form of the loop, its control flow, and variables that are followed by their names. How many of the
    /// obstacles are those of control flow comes with it.
    ///
    /// Nothing is said of the variables that are `left`.
    fn by_name(&self, updates: &[Update<'a>], left: &SetInside) -> (Verdict, usize) {
        let mut verdict = self.unjudged();
        let Some((stmt, inner, scalars)) = self.parts() else {
            return (verdict, 0);
        };
        verdict.canonical = canonical(self.unit, self.function, stmt, inner);
        if verdict.canonical.is_err() {
            match several(self.unit, self.function, stmt, inner) {
                Some(Ok(several)) => verdict.several = Some(several),
                Some(Err(cause)) => verdict.canonical = Err(cause),
                None => {}
            }
        }
        verdict.inside = scalars.declared.clone();
        self.control(inner, &mut verdict);
        let control = verdict.obstacles.len();
        for variable in &scalars.assigned {
            if !left.contains(*variable) {
                self.scalar(inner, scalars, updates, *variable, &mut verdict);
            }
        }
        (verdict, control)
    }

    /// The updates in the loop's own text.
    fn updates(&self, inner: &'a Loop, scalars: &LoopScalars) -> Vec<Update<'a>> {
        let locals = |id: LocalId| self.function.locals.get(id.0 as usize);
        updates_in(self.unit, &locals, inner, &scalars.live_after)
    }

    fn verdict(&self) -> Verdict {
        let Some((_, inner, scalars)) = self.parts() else {
            return self.unjudged();
        };
        let updates = self.updates(inner, scalars);
        let set_inside = SetInside::of(self, inner, scalars, &updates);
        let (mut verdict, control) = self.by_name(&updates, &set_inside);
        let of_scalars = verdict.obstacles.len();
        if !self.is_decided(&verdict) {
            let mut counters = Counters::default();
            self.memory(inner, scalars, &updates, &mut verdict, &mut counters);
            verdict.counters = counters;
        }
        match verdict.obstacles.is_empty() {
            true => set_inside.note(&self.facts.before.facts, &mut verdict),
            false => {
                for variable in set_inside.variables() {
                    self.scalar(inner, scalars, &updates, variable, &mut verdict);
                }
            }
        }
        // What was not understood may be what sets a variable anew, or leaves the loop.
        if !self.facts.opaque.is_empty() {
            for obstacle in &mut verdict.obstacles[control..] {
                obstacle.proved = false;
            }
        }
        if let Some(said) = self.independent {
            word::believe(&mut verdict, said, control, of_scalars);
        }
        verdict.obstacles = smallest(std::mem::take(&mut verdict.obstacles));
        verdict.kind = if verdict.obstacles.is_empty() {
            match verdict.is_unconditional() {
                true => Kind::Parallel,
                false => Kind::ParallelIf,
            }
        } else if verdict.obstacles.iter().any(|obstacle| obstacle.proved) {
            Kind::Sequential
        } else {
            Kind::Unknown
        };
        // In a loop that stays in order there is nothing to make atomic, nor to combine.
        if !verdict.obstacles.is_empty() {
            verdict.atomics.clear();
            verdict.sections.clear();
        }
        verdict
    }

    /// True if each iteration sets a variable before it reads it, as its flags tell.
    fn is_set_by_flags(&self, inner: &Loop, variable: VariableRef) -> bool {
        let is_flag = |flag: VariableRef| {
            let VariableRef::Local(id) = flag else {
                return false;
            };
            self.is_followed_by_name(flag) && self.unit.types.is_integer(self.function.local(id).ty)
        };
        flags::sets_before_reading(&self.unit.types, inner, variable, &is_flag)
    }

    /// Which of its conditions may say the same in all iterations.
    fn alike(&self) -> Option<&Alike<'a>> {
        let (_, inner, scalars) = self.parts()?;
        let alike = || Alike::of(inner, &scalars.assigned, &scalars.exposed);
        Some(self.alike.get_or_init(alike))
    }

    /// What runs in no iteration, for all that is known.
    fn left_out(&self) -> LeftOut {
        self.alike().map(Alike::left_out).unwrap_or_default()
    }

    fn control(&self, inner: &Loop, verdict: &mut Verdict) {
        let may_matter = !self.facts.early_exits.is_empty() || !self.facts.calls.is_empty();
        let left_out = match may_matter {
            true => self.left_out(),
            false => LeftOut::default(),
        };
        let exits = self.facts.early_exits.iter();
        verdict.obstacles.extend(exits.map(|cause| {
            let proved = crate::shape::certainly_leaves(cause) && !left_out.is_at(cause.at);
            Obstacle::new(cause.clone(), proved).with(remedy::of_exit(self.facts, cause))
        }));
        let opaque = self.facts.opaque.iter();
        verdict
            .obstacles
            .extend(opaque.map(|cause| Obstacle::new(cause.clone(), false)));
        for call in &self.facts.calls {
            if let Some(cause) = &call.obstacle {
                if call.only_memory && self.reads_apart(call.stmt) {
                    continue;
                }
                let known = call.name.as_deref().is_some_and(|_| {
                    !cause.why.starts_with("nothing is known") && !cause.why.contains("memory")
                });
                let known = known && !left_out.contains(call.stmt);
                let remedy = remedy::of_call(self.unit, call);
                verdict
                    .obstacles
                    .push(Obstacle::new(cause.clone(), known).with(remedy));
            }
        }
        if let Err(cause) = &self.facts.trip {
            let why = format!(
                "the number of iterations is not known before the loop: {}",
                cause.why
            );
            verdict
                .obstacles
                .push(Obstacle::new(Cause::new(why, cause.at), false).with(remedy::of_bound(self, inner)));
        }
    }

    fn scalar(
        &self,
        inner: &Loop,
        scalars: &LoopScalars,
        updates: &[Update<'a>],
        variable: VariableRef,
        verdict: &mut Verdict,
    ) {
        let own = verdict.form().ok().map(|canonical| canonical.variable);
        let VariableRef::Local(id) = variable else {
            return;
        };
        let local = self.function.local(id);
        if scalars.declared.contains(&variable)
            || Some(variable) == own
            || !self.is_followed_by_name(variable)
        {
            return;
        }
        if !scalars.exposed.contains(&variable) || self.is_set_by_flags(inner, variable) {
            let live = scalars.live_after.contains(&variable);
            if live && let Some(one) = OneValue::of(self, inner, scalars, variable) {
                one.note(self, verdict);
                return;
            }
            // The value that is used may be an earlier iteration's: no clause keeps that one.
            if live && !scalars.written.contains(&variable) {
                let why = format!(
                    "{} is used after the loop, and not every iteration sets it",
                    named(local)
                );
                let at = self.first_write(inner, variable).unwrap_or(local.origin);
                let remedy = remedy::of_last_value(self, inner, variable);
                verdict
                    .obstacles
                    .push(Obstacle::new(Cause::new(why, at), false).with(remedy));
                return;
            }
            verdict.private.insert(variable);
            if live {
                verdict.last_private.insert(variable);
            }
            return;
        }
        if let Some(induction) = self
            .facts
            .inductions
            .iter()
            .find(|found| found.variable == variable)
            // A sum of the numbers of iterations that nothing else uses needs no closed form: what compilers combine fits wherever it does.
            .filter(|found| {
                found.step().is_some() || self.reduced_variable(inner, variable, updates).is_none()
            })
        {
            if induction.step().is_some_and(Expr::is_zero) {
                // Changed and restored: shared it would be a race, and no clause keeps its first value for all.
                let why = format!(
                    "{} is changed in an iteration and has its old value again at the end",
                    local.name
                );
                let cause = Cause::new(why, self.facts.origin);
                verdict
                    .obstacles
                    .push(Obstacle::new(cause, false).with(Some(Remedy::CopyInside(variable))));
            } else {
                verdict.inductions.push(induction.clone());
            }
            return;
        }
        let reduced = self.reduced_variable(inner, variable, updates);
        if reduced.is_none()
            && let Some(one) = OneValue::of(self, inner, scalars, variable)
        {
            one.note(self, verdict);
            return;
        }
        match reduced {
            Some((op, at)) => verdict.reductions.push(self.reduction_of(variable, op, at)),
            None => {
                let at = self.last_write(inner, variable).unwrap_or(self.facts.origin);
                // Where the loops inside run, each iteration sets it before it reads it.
                let is_exposed = scalars.exposed_where_loops_run.contains(&variable);
                let carries = match (is_exposed, self.alike()) {
                    (true, Some(alike)) => Some(alike.carries(variable)),
                    (true, None) => Some(Carries::WhereConditionsDiffer),
                    (false, _) => None,
                };
                let carries = match carries {
                    Some(Carries::Certainly) if set_inside::sizes_decide(self, inner, variable) => {
                        Some(Carries::WhereSizesLet)
                    }
                    known => known,
                };
                // What counts the iterations has a number in each of them, unless it wraps around (`i + 1 < n` of unsigned ones).
                let counts = matches!(
                    self.unit.types.get(local.ty),
                    ferry_ir::Type::Int { signed: false, .. }
                ) && crate::shape::is_stepped(inner, variable);
                let proved = carries == Some(Carries::Certainly) && !counts;
                let why = match carries {
                    Some(Carries::Certainly) => {
                        format!("an iteration reads {}, which an earlier one wrote", named(local))
                    }
                    Some(Carries::WhereConditionsDiffer) => format!(
                        "an iteration reads {}, which an earlier one wrote, if a condition lets it that may be the same in all iterations",
                        named(local)
                    ),
                    Some(Carries::WhereSizesLet) => format!(
                        "an iteration reads {}, which an earlier one wrote, if the conditions on its number come out so",
                        named(local)
                    ),
                    Some(Carries::WhereWordsDiffer) => format!(
                        "an iteration reads {}, which an earlier one wrote, if conditions that are written alike do not say the same in it",
                        named(local)
                    ),
                    None => format!(
                        "an iteration reads {}, which an earlier one wrote, if the loop that sets it runs in that one and not in this one",
                        named(local)
                    ),
                };
                let remedy = remedy::of_scalar(self, inner, variable, updates);
                verdict.obstacles.push(Obstacle {
                    other: first_read(inner, variable),
                    ..Obstacle::new(Cause::new(why, at), proved).with(remedy)
                });
            }
        }
    }

    /// The reduction of a variable that is followed by its name.
    fn reduction_of(&self, variable: VariableRef, op: ReductionOp, at: Origin) -> Reduction {
        Reduction {
            op,
            variable: Some(variable),
            root: None,
            at,
            updates: BTreeSet::new(),
            called: false,
            floating: self
                .unit
                .types
                .is_floating(self.values.type_of(self.unit, variable)),
        }
    }

    /// True if a call writes nothing and reads only storage that the loop does not write.
    fn reads_apart(&self, stmt: StmtId) -> bool {
        let reach = self.reach();
        let inside = |loops: &[LoopIndex]| loops.contains(&self.index);
        let effects = || self.values.effects.iter().filter(|effect| inside(&effect.loops));
        if effects().any(|effect| effect.writes.as_ref().is_none_or(|roots| !roots.is_empty())) {
            return false;
        }
        effects().filter(|effect| effect.stmt == stmt).all(|effect| {
            let apart = |root: Symbol| match &effect.reads {
                Some(reads) => reads.iter().all(|read| !may_overlap(&reach, *read, root)),
                None => !reach.escapes(root),
            };
            let accesses = self.values.accesses.iter();
            let mut writes = accesses.filter(|access| access.is_write() && inside(&access.loops));
            writes.all(|write| write.root.is_some_and(apart))
        })
    }

    /// True if two accesses to one object never touch the same bytes while the loop runs.
    fn never_same(&self, a: &Access, b: &Access) -> bool {
        // Else both directly in this loop: inner loops would bring them to the same place at different times.
        let direct = |access: &Access| access.loops.last() == Some(&self.index);
        let (Some(one), Some(two)) = (&a.address, &b.address) else {
            return false;
        };
        let distance = two - one;
        // Neither moves: how far they lie apart is a number, or the same in all iterations.
        let fixed = |address: &Expr| self.values.symbols.invariant_in(address, self.facts.stmt);
        let fixed = fixed(one) && fixed(two);
        if !(fixed || direct(a) && direct(b)) {
            return false;
        }
        let mut facts = a.facts.clone();
        for (condition, _) in b.facts.conditions() {
            facts.assume(&condition);
        }
        let now = facts.prove_nonnegative(&(&distance - &Expr::int(i128::from(a.size))))
            || facts.prove_nonnegative(&(&-&distance - &Expr::int(i128::from(b.size))));
        if fixed {
            return now;
        }
        let (symbols, of, counter) = (&self.values.symbols, self.facts.stmt, self.facts.counter);
        let apart = |source, sink| {
            matches!(
                carried(symbols, of, counter, source, sink),
                Answer::Independent(_)
            )
        };
        now && apart(a, b) && apart(b, a)
    }

    /// What is asked of pairs of accesses.
    fn question(&self) -> Question<'_> {
        Question {
            symbols: &self.values.symbols,
            definitions: &self.values.definitions,
            of: self.facts.stmt,
            counter: self.facts.counter,
            loops: &self.values.loops,
            both: &self.both,
        }
    }

    fn reach(&self) -> Reach<'a> {
        Reach {
            unit: self.unit,
            function: self.function,
            symbols: &self.values.symbols,
            passed: &self.values.passed,
        }
    }

    /// True for variables that the accesses do not follow: scalars whose address is not taken.
    fn is_followed_by_name(&self, variable: VariableRef) -> bool {
        match variable {
            VariableRef::Global(_) => false,
            VariableRef::Local(local) => {
                let local = self.function.local(local);
                !local.address_taken && !local.qualifiers.volatile && self.unit.types.is_scalar(local.ty)
            }
        }
    }

    /// The operation, if the variable occurs in the loop only in updates with one operation.
    fn reduced_variable(
        &self,
        inner: &Loop,
        variable: VariableRef,
        updates: &[Update<'a>],
    ) -> Option<(ReductionOp, Origin)> {
        let own: Vec<&Update> = updates
            .iter()
            .filter(|update| update.place.as_variable() == Some(variable))
            .collect();
        let first = own.first()?;
        if own.iter().any(|update| update.op != first.op) {
            return None;
        }
        let parts: BTreeSet<StmtId> = own
            .iter()
            .flat_map(|update| update.parts.iter().copied())
            .collect();
        if inner
            .condition
            .as_ref()
            .is_some_and(|test| crate::scalar::expr_mentions(test, variable))
        {
            return None;
        }
        let mut only = true;
        for_each_part(inner, &mut |stmt| {
            only &= parts.contains(&stmt.id) || !mentions(stmt, variable);
        });
        only.then_some((first.op, first.place.origin))
    }

    /// Of several places that set it, the last one is what the next iteration sees.
    fn last_write(&self, inner: &Loop, variable: VariableRef) -> Option<Origin> {
        let mut found = None;
        for part in crate::shape::iteration(inner) {
            part.walk(&mut |stmt| {
                if stmt.written_place().and_then(Place::as_variable) == Some(variable) {
                    found = Some(stmt.origin);
                }
            });
        }
        found
    }

    fn first_write(&self, inner: &Loop, variable: VariableRef) -> Option<Origin> {
        let mut found = None;
        for_each_part(inner, &mut |stmt| {
            let place = stmt.written_place();
            if found.is_none() && place.is_some_and(|place| place.as_variable() == Some(variable)) {
                found = Some(stmt.origin);
            }
        });
        found
    }

    fn memory(
        &self,
        inner: &Loop,
        scalars: &LoopScalars,
        updates: &[Update<'a>],
        verdict: &mut Verdict,
        counters: &mut Counters,
    ) {
        let accesses: Vec<&Access> = self
            .values
            .accesses
            .iter()
            .filter(|access| access.loops.contains(&self.index) && !self.is_private(access, scalars))
            .collect();
        let volatile = || accesses.iter().filter(|access| access.volatile);
        if volatile().next().is_some() {
            let left_out = self.left_out();
            for access in volatile() {
                let cause = Cause::new("a volatile access must happen in order", access.origin);
                verdict
                    .obstacles
                    .push(Obstacle::new(cause, !left_out.contains(access.stmt)));
            }
        }
        let mut of_memory = updates.to_vec();
        self.updates_in_calls(inner, &mut of_memory);
        let reductions = self.memory_reductions(inner, &accesses, &of_memory, verdict);
        let (updated, swept) = match self.independent {
            None => (
                self.updated_objects(inner, scalars, &accesses, updates),
                self.updated_sections(&accesses, updates),
            ),
            // The user says that the elements differ.
            Some(_) => Default::default(),
        };
        // Pairs of updates that may meet, by object.
        let mut meeting: BTreeMap<Symbol, Vec<Found<'_>>> = BTreeMap::new();
        let mut standing: Vec<Found<'_>> = Vec::new();
        let mut conditional: BTreeMap<(Symbol, Symbol), Vec<(&Access, &Access)>> = BTreeMap::new();
        let mut private = Private::new(self);
        let mut conditions = Conditions::new(self);
        // What the pairs are that have one, if it is of no use.
        let mut without_conditions: Vec<Found<'_>> = Vec::new();
        let reach = self.reach();
        let tables = Tables {
            unit: self.unit,
            reach: &reach,
            values: self.values,
            index: self.index,
        };
        let mut asked = Asked::new(self.question(), self.facts.depth);
        let rows: Vec<Option<Row>> = accesses.iter().map(|access| tables.row(access)).collect();
        let with_rows = || accesses.iter().zip(rows.iter().map(Option::as_ref));
        for (write, one) in with_rows().filter(|(access, _)| access.is_write()) {
            for (access, two) in with_rows() {
                // Two writes are asked once.
                if access.is_write() && access.order < write.order {
                    continue;
                }
                let same_root = write.root.is_some() && write.root == access.root;
                if same_root && reductions.contains(&write.within) && reductions.contains(&access.within) {
                    counters.count_pairs(Outcome::Reduction, 1);
                    continue;
                }
                let found = match one.is_some() || two.is_some() {
                    true => self.pair_of_rows(
                        &tables,
                        (*write, one),
                        (*access, two),
                        &mut verdict.rows,
                        (&mut asked, counters),
                    ),
                    false => self.pair(write, access, &mut asked, counters),
                };
                match found {
                    Pair::Apart(outcome) => counters.count_pairs(outcome, 1),
                    Pair::ApartIf(a, b) => {
                        counters.count_pairs(Outcome::OverlapTest, 1);
                        let key = if a < b { (a, b) } else { (b, a) };
                        verdict.disjoint.insert(key);
                        conditional.entry(key).or_default().push((*write, *access));
                    }
                    Pair::Obstacle(found) => {
                        let object = write.root.filter(|_| same_root);
                        let is_updated = |root: &Symbol| match updated.get(root) {
                            // Copies wait for nobody.
                            Some(of) if of.is_between(write, access) => !private.is_private(*root),
                            _ => swept.contains_key(root),
                        };
                        if let Some(root) = object.filter(is_updated) {
                            meeting.entry(root).or_default().push(found);
                            continue;
                        }
                        if object.is_some_and(|root| private.is_private(root)) {
                            counters.count_pairs(Outcome::Copies, 1);
                            continue;
                        }
                        // A condition is of no use beside something else that keeps the iterations in order.
                        let alone = verdict.obstacles.is_empty() && standing.is_empty();
                        let mut has_condition = || {
                            let pair = (*write, *access);
                            ((!found.proved || is_far(&found))
                                && self.independent.is_none()
                                && conditions.add_pair(write, access))
                                || object
                                    .is_some_and(|root| private.is_private_if(root, &mut conditions, pair))
                                || (!found.proved
                                    && self.independent.is_none()
                                    && conditions.add_pair_in_order(write, access))
                        };
                        if alone && has_condition() {
                            without_conditions.push(found);
                            continue;
                        }
                        standing.push(found);
                        if self.detail == Detail::First {
                            count_standing(&standing, counters);
                            verdict
                                .obstacles
                                .extend(self.explained(inner, updates, standing, &mut asked));
                            return;
                        }
                    }
                }
            }
        }
        self.test_rows(&tables, verdict);
        let mut sections: Vec<(&SectionReduction, Vec<Found<'_>>)> = Vec::new();
        for (root, pairs) in meeting {
            // Where every iteration updates the same elements, one would wait for the other.
            let atomic = updated.get(&root);
            let is_set = atomic.is_some_and(|object| object.how == Whole::Write);
            let is_own = |access: &&&Access| {
                access.root == Some(root) && atomic.is_none_or(|object| object.updates.contains(&access.stmt))
            };
            let mut own = accesses.iter().filter(is_own);
            let repeats = match is_set {
                true => !own.all(|access| self.scatters(access) || self.sets_little(access)),
                false => !own.any(|access| self.scatters(access)),
            };
            let alone = verdict.obstacles.is_empty() && standing.is_empty();
            let open = pairs.iter().all(|found| !found.proved);
            if alone && open && conditions.add_pairs(pairs.iter().map(|found| (found.write, found.other))) {
                without_conditions.extend(pairs);
            } else if repeats {
                match swept
                    .get(&root)
                    .filter(|_| self.has_known_section(&accesses, root))
                {
                    Some(section) => sections.push((section, pairs)),
                    None => standing.extend(pairs),
                }
            } else if let Some(object) = updated.get(&root) {
                counters.count_pairs(Outcome::Atomic, pairs.len() as u64);
                atomic::note(verdict, object);
            }
        }
        let alone = verdict.obstacles.is_empty() && standing.is_empty();
        let together = conditions.together().filter(|_| alone);
        private.note(verdict, together.is_some());
        let mut in_order = Vec::new();
        match together {
            Some(together) => {
                counters.count_pairs(Outcome::Condition, without_conditions.len() as u64);
                verdict.conditions = together;
                in_order = conditions.in_order();
            }
            None => {
                for found in without_conditions {
                    match found.write.root.and_then(|root| updated.get(&root)) {
                        Some(object) if found.same_storage && object.is_between(found.write, found.other) => {
                            counters.count_pairs(Outcome::Atomic, 1);
                            atomic::note(verdict, object);
                        }
                        _ => standing.push(found),
                    }
                }
            }
        }
        let is_open = verdict.obstacles.is_empty() && standing.is_empty();
        for (section, pairs) in sections {
            // Copies are of no use where something else keeps the iterations in order.
            if !is_open {
                standing.extend(pairs);
                continue;
            }
            counters.count_pairs(Outcome::Section, pairs.len() as u64);
            verdict.sections.push(SectionReduction {
                uncombined: smallest(self.explained(inner, updates, pairs, &mut asked)),
                ..section.clone()
            });
        }
        count_standing(&standing, counters);
        verdict
            .obstacles
            .extend(self.explained(inner, updates, standing, &mut asked));
        if verdict.obstacles.is_empty() {
            let harmless = |pairs: &[(&Access, &Access)]| {
                pairs.iter().all(|(one, two)| self.harmless_if_equal(one, two))
            };
            verdict.equal = conditional
                .into_iter()
                .filter(|(_, pairs)| harmless(pairs))
                .map(|(key, _)| key)
                .collect();
            self.sorted(in_order, verdict);
        }
    }

    /// Takes over what must be in order. What the loop writes, if it may overlap the values, must be apart from them by a condition, which is not that both are
    /// the same pointer: they would not stay as they are.
    fn sorted(&self, in_order: Vec<(Sorted, Vec<Condition>)>, verdict: &mut Verdict) {
        for (sorted, runs) in in_order {
            verdict
                .equal
                .retain(|(one, two)| *one != sorted.root && *two != sorted.root);
            for condition in runs.into_iter().flat_map(|runs| runs.conjuncts()) {
                if !verdict.conditions.contains(&condition) && !self.facts.before.facts.prove(&condition) {
                    verdict.conditions.push(condition);
                }
            }
            verdict.sorted.push(sorted);
        }
    }

    /// True if two accesses with different roots would not touch the same storage in different iterations if the roots
    /// were the same pointer.
    fn harmless_if_equal(&self, one: &Access, two: &Access) -> bool {
        let (Some(a), Some(b), Some(address)) = (one.root, two.root, &two.address) else {
            return false;
        };
        let symbols = &self.values.symbols;
        // The declared shapes may be different.
        let mut first = one.clone();
        first.subscripts.clear();
        let mut second = two.clone();
        second.subscripts.clear();
        second.root = Some(a);
        second.address = Some(address.substitute(b, &Expr::symbol(a)));
        let apart = |source: &Access, sink: &Access| {
            let answer = carried(symbols, self.facts.stmt, self.facts.counter, source, sink);
            matches!(answer, Answer::Independent(_))
        };
        apart(&first, &second) && apart(&second, &first)
    }

    /// Storage that each iteration has for itself: declared, or allocated, inside the loop.
    fn is_private(&self, access: &Access, scalars: &LoopScalars) -> bool {
        access
            .root
            .is_some_and(|root| self.is_own_storage(root, scalars, MOST_CHOICES))
    }

    /// The same of what a pointer leads to, which may be one of several, and null: through that nothing is accessed.
    fn is_own_storage(&self, root: Symbol, scalars: &LoopScalars, left: u32) -> bool {
        let symbols = &self.values.symbols;
        let varies = symbols.varies_in(root, self.facts.stmt);
        match &symbols.info(root).kind {
            SymbolKind::Address(variable) => scalars.declared.contains(variable),
            SymbolKind::Allocated(_) => varies,
            _ => {
                let chosen = self.values.definitions.get(&root).filter(|_| varies && left > 0);
                let Some(Operation::Guarded(cases)) =
                    chosen.and_then(Expr::as_atom).and_then(Atom::operation)
                else {
                    return false;
                };
                let is_own = |value: &Expr| {
                    let of = symbols.root(&self.unit.types, value);
                    of.is_some_and(|of| self.is_own_storage(of, scalars, left - 1))
                };
                cases.iter().all(|(_, value)| value.is_zero() || is_own(value))
            }
        }
    }

    /// The updates in the functions that are walked where the loop calls them, by the copies of their bodies.
    fn updates_in_calls(&self, inner: &Loop, found: &mut Vec<Update<'a>>) {
        let mut open = Vec::new();
        let note = |stmt: &Stmt, open: &mut Vec<(StmtId, FunctionRef)>| {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } = stmt.kind
            {
                open.push((stmt.id, id));
            }
        };
        for_each_part(inner, &mut |stmt| note(stmt, &mut open));
        while let Some((call, function)) = open.pop() {
            let Some(body) = self.values.bodies.get(&call) else {
                continue;
            };
            let function = self.unit.function(function);
            let locals = |id: LocalId| {
                let own = id.0.checked_sub(body.base)?;
                function.locals.get(own as usize)
            };
            found.extend(updates_of_body(self.unit, &locals, &body.stmt));
            body.stmt.walk(&mut |stmt| note(stmt, &mut open));
        }
    }

    /// The scalar variable of which an access is to the whole.
    fn whole_variable(&self, access: &Access) -> Option<VariableRef> {
        let SymbolKind::Address(variable) = self.values.symbols.info(access.root?).kind else {
            return None;
        };
        let ty = match variable {
            VariableRef::Global(id) => self.unit.global(id).ty,
            VariableRef::Local(id) => self.function.locals.get(id.0 as usize)?.ty,
        };
        let whole = access.offset()?.is_zero()
            && self.unit.types.is_scalar(ty)
            && self.unit.types.size(ty) == Some(access.size);
        whole.then_some(variable)
    }

    /// Where a call names what a function updates through a parameter: the one lvalue of that type of which it is given the address.
    fn argument_that_names(&self, inner: &Loop, access: &Access) -> Option<Origin> {
        let mut found = Vec::new();
        for_each_part(inner, &mut |stmt| {
            if let StmtKind::Call { arguments, .. } = &stmt.kind
                && stmt.id == access.stmt
            {
                found.extend(arguments.iter().filter_map(|argument| match &argument.kind {
                    ExprKind::AddressOf(place) => (place.ty == access.ty).then_some(place.origin),
                    _ => None,
                }));
            }
        });
        match found.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Statements that reduce into memory that does not move in the loop, and which nothing else in the loop touches.
    fn memory_reductions(
        &self,
        inner: &Loop,
        accesses: &[&Access],
        updates: &[Update<'a>],
        verdict: &mut Verdict,
    ) -> BTreeSet<StmtId> {
        let mut found = BTreeSet::new();
        // The elements, each with its place among the reductions.
        let mut elements: Vec<(Symbol, ReductionOp, Expr, usize)> = Vec::new();
        for update in updates {
            let followed = |variable| match variable {
                // A variable of a called function.
                VariableRef::Local(id) if self.function.locals.get(id.0 as usize).is_none() => true,
                _ => self.is_followed_by_name(variable),
            };
            if update.place.as_variable().is_some_and(followed) {
                continue;
            }
            let own: Vec<&&Access> = accesses
                .iter()
                .filter(|access| update.parts.contains(&access.within) && access.is_write())
                .collect();
            let [write] = own.as_slice() else { continue };
            // Its neighbours in the same bytes would be taken for the same element.
            if write.partial {
                continue;
            }
            let (Some(root), Some(address)) = (write.root, &write.address) else {
                continue;
            };
            if !self.values.symbols.invariant_in(address, self.facts.stmt) {
                continue;
            }
            // Every other access to this storage belongs to an update of the same element by the same operation, which
            // reads it once: as an operand it would be read in the middle of the sum.
            let is_it = |access: &&&Access| {
                access.root == Some(root)
                    && access.address.as_ref() == Some(address)
                    && access.size == write.size
            };
            let updates_it = |other: &Update<'_>| {
                let inside = || {
                    accesses
                        .iter()
                        .filter(|access| other.parts.contains(&access.within))
                };
                other.op == update.op
                    && inside().filter(is_it).any(|access| access.is_write())
                    && inside().filter(is_it).filter(|access| !access.is_write()).count() <= other.reads
            };
            if !updates_it(update) {
                continue;
            }
            let others = accesses.iter().all(|access| {
                if access.root != Some(root) {
                    return true;
                }
                // Another element, in this and in every other iteration.
                if self.never_same(write, access) {
                    return true;
                }
                let partner = updates
                    .iter()
                    .any(|other| other.parts.contains(&access.within) && updates_it(other));
                is_it(&access) && partner
            });
            if !others {
                continue;
            }
            found.extend(update.parts.iter().copied());
            let called = write.called.is_some();
            let variable = match called {
                true => self.whole_variable(write),
                false => update.place.as_variable(),
            };
            let argument = || self.argument_that_names(inner, write);
            let reduction = Reduction {
                op: update.op,
                variable,
                root: Some(root),
                at: match called {
                    true => argument().unwrap_or(update.place.origin),
                    false => update.place.origin,
                },
                updates: update.parts.iter().copied().collect(),
                called,
                floating: self.unit.types.is_floating(update.place.ty),
            };
            let mut known = elements.iter();
            let known = known.find(|(of, op, at, _)| *of == root && *op == update.op && at == address);
            match known.and_then(|(.., number)| verdict.reductions.get_mut(*number)) {
                Some(known) => {
                    known.updates.extend(update.parts.iter().copied());
                    known.called |= called;
                    known.variable = known.variable.or(variable);
                }
                None => {
                    elements.push((root, update.op, address.clone(), verdict.reductions.len()));
                    verdict.reductions.push(reduction);
                }
            }
        }
        found
    }

    fn pair<'p>(
        &self,
        write: &'p Access,
        other: &'p Access,
        asked: &mut Asked<'p>,
        counters: &mut Counters,
    ) -> Pair<'p> {
        let symbols = &self.values.symbols;
        let does = |reads: &'static str, writes: &'static str| match other.is_write() {
            true => Cow::Borrowed(writes),
            false => Cow::Borrowed(reads),
        };
        let (Some(a), Some(b)) = (write.root, other.root) else {
            let why = "it is not known what storage is written or read";
            let nowhere = if write.root.is_none() { write } else { other };
            return Pair::open(write, other, why, About::Nowhere(nowhere.stmt));
        };
        if a != b {
            let reach = self.reach();
            if !may_overlap(&reach, a, b) {
                return Pair::Apart(Outcome::OtherStorage);
            }
            if symbols.varies_in(a, self.facts.stmt) || symbols.varies_in(b, self.facts.stmt) {
                let why = "a pointer that changes in the loop may point to the same storage";
                let about = match symbols.varies_in(a, self.facts.stmt) {
                    true => About::Pointers(a, b),
                    false => About::Pointers(b, a),
                };
                return Pair::open(write, other, why, about);
            }
            return Pair::ApartIf(a, b);
        }
        let mut distances = Vec::new();
        let mut ways = [false, false];
        for (way, (source, sink)) in [(write, other), (other, write)].into_iter().enumerate() {
            let answer = asked.carried(source, sink);
            counters.count(&answer);
            ways[way] = !matches!(answer, Answer::Independent(_));
            match answer {
                Answer::Independent(_) => {}
                Answer::Carried { rung, distance } => {
                    let certain = source.conditional_depth <= self.facts.depth
                        && sink.conditional_depth <= self.facts.depth;
                    let (why, known) = match distance.as_ref().and_then(Expr::as_constant) {
                        Some(distance) => {
                            let kind = does("reads", "writes");
                            let why =
                                format!("an iteration {kind} what another one, {distance} away, writes");
                            (
                                Cow::Owned(why),
                                distance.to_i64().map_or(Known::Always, Known::Away),
                            )
                        }
                        None if rung == Rung::Exact => (
                            does(
                                "an iteration reads what another one writes",
                                "an iteration writes what another one writes",
                            ),
                            Known::Somewhere,
                        ),
                        None => (
                            does(
                                "every iteration reads what others write",
                                "every iteration writes what others write",
                            ),
                            Known::Always,
                        ),
                    };
                    distances.push((why, certain, known));
                }
                Answer::Unknown if std::ptr::eq(write, other) && self.repeats(write) => {
                    let why = Cow::Borrowed("every iteration writes the same elements again");
                    distances.push((why, true, Known::Again));
                }
                Answer::Unknown if let Some(distance) = self.meets_again(source, sink, asked) => {
                    let kind = does("reads", "writes");
                    let why = format!("an iteration {kind} what another one, {distance} away, writes");
                    distances.push((Cow::Owned(why), true, Known::Away(distance)));
                }
                Answer::Unknown => {
                    let why = does(
                        "an iteration may read what another one writes",
                        "an iteration may write what another one writes",
                    );
                    distances.push((why, false, Known::Little));
                }
            }
            if std::ptr::eq(write, other) {
                break;
            }
        }
        match distances.into_iter().max_by_key(|(_, proved, _)| *proved) {
            Some((why, proved, known)) => Pair::Obstacle(Found {
                write,
                other,
                why,
                proved,
                ways,
                same_storage: true,
                about: About::Object(a),
                known,
            }),
            None => Pair::Apart(Outcome::Tests),
        }
    }
}

impl Judge<'_> {
    /// Two accesses of which one at least is to a row: what they touch is apart in different iterations, if rows are.
    fn pair_of_rows<'p>(
        &self,
        tables: &Tables<'_>,
        (write, one): (&'p Access, Option<&Row>),
        (other, two): (&'p Access, Option<&Row>),
        needed: &mut rows::Apart,
        (asked, counters): (&mut Asked<'p>, &mut Counters),
    ) -> Pair<'p> {
        let symbols = &self.values.symbols;
        let (Some(a), Some(b)) = (write.root, other.root) else {
            return self.pair(write, other, asked, counters);
        };
        if a != b && !may_overlap(tables.reach, a, b) {
            return Pair::Apart(Outcome::OtherStorage);
        }
        match (one, two) {
            (Some(one), Some(two)) if one.table == two.table => {
                let (Some(first), Some(second)) = (tables.in_row(write, one), tables.in_row(other, two))
                else {
                    let why = "it is not known what part of a row is written or read";
                    return Pair::open(write, other, why, About::Object(one.table));
                };
                for (source, sink, cells) in [
                    (&first, &second, (&one.cell, &two.cell)),
                    (&second, &first, (&two.cell, &one.cell)),
                ] {
                    let answer =
                        carried_where(symbols, self.facts.stmt, self.facts.counter, source, sink, cells);
                    counters.count(&answer);
                    if !matches!(answer, Answer::Independent(_)) {
                        let why = match other.is_write() {
                            true => "an iteration may write what another one writes in the same row",
                            false => "an iteration may read what another one writes in the same row",
                        };
                        return Pair::open(write, other, why, About::Object(one.table));
                    }
                }
                if !tables.are_fresh(write, other, one.table) {
                    needed.each.insert(one.table);
                }
            }
            (Some(one), Some(two)) => {
                let (first, second) = (one.table.min(two.table), one.table.max(two.table));
                needed.others.insert((first, Other::Rows(second)));
            }
            (Some(row), None) | (None, Some(row)) => {
                let object = if one.is_some() { b } else { a };
                if symbols.varies_in(object, self.facts.stmt) {
                    return self.pair(write, other, asked, counters);
                }
                needed.others.insert((row.table, Other::Object(object)));
            }
            (None, None) => return self.pair(write, other, asked, counters),
        }
        Pair::Apart(Outcome::Rows)
    }

    /// Conditions on rows are conditions only if they can be tested before the loop.
    fn test_rows(&self, tables: &Tables<'_>, verdict: &mut Verdict) {
        let mut wanted = verdict.rows.each.clone();
        for (table, other) in &verdict.rows.others {
            wanted.insert(*table);
            if let Other::Rows(second) = other {
                wanted.insert(*second);
            }
        }
        for table in wanted {
            match tables.rows(table) {
                Ok(rows) => drop(verdict.rows.tables.insert(table, rows)),
                Err(cause) => {
                    let why = format!(
                        "a pointer that changes in the loop may point to the same storage, and that cannot be tested before: {}",
                        cause.why
                    );
                    verdict
                        .obstacles
                        .push(Obstacle::new(Cause::new(why, cause.at), false));
                }
            }
        }
    }

    /// How many iterations apart two accesses certainly meet, wherever the loops inside run.
    fn meets_again(&self, source: &Access, sink: &Access, asked: &mut Asked<'_>) -> Option<i64> {
        let Some(found) = asked.fixed_distances(self.index, source, sink) else {
            let of = (self.index, self.facts);
            return chosen_distance(&self.values.symbols, &self.values.definitions, of, source, sink);
        };
        let (own, inner) = found.split_first()?;
        let loops = source.loops.iter().rev().zip(inner.iter().rev());
        let mut long_enough = loops.map(|(index, distance)| {
            let Some(of) = self.values.loops.get(index.0 as usize) else {
                return false;
            };
            let more = |trip: &Expr| trip - &Expr::int(i128::from(distance.unsigned_abs()) + 1);
            *distance == 0
                || of
                    .trip
                    .as_ref()
                    .is_ok_and(|trip| of.before.facts.prove_nonnegative(&more(trip)))
        });
        long_enough.all(|one| one).then_some(*own)
    }

    /// True if the access touches the same elements in every iteration: its address depends on inner loops only, whose
    /// trip counts do not change.
    fn repeats(&self, access: &Access) -> bool {
        let Some(address) = &access.address else {
            return false;
        };
        let values = self.values;
        let fixed = |expr: &Expr| values.symbols.invariant_in(expr, self.facts.stmt);
        access.conditional_depth <= self.facts.depth
            && address.symbols().iter().all(|symbol| {
                !values.symbols.varies_in(*symbol, self.facts.stmt)
                    || values.loops.iter().any(|inner| {
                        inner.counter == *symbol
                            && inner.stmt != self.facts.stmt
                            && inner.trip.as_ref().is_ok_and(fixed)
                    })
            })
    }
}

/// Counts the pairs that keep the iterations in order.
fn count_standing(standing: &[Found<'_>], counters: &mut Counters) {
    for found in standing {
        counters.count_pairs(found.outcome(), 1);
    }
}

enum Pair<'p> {
    Apart(Outcome),
    ApartIf(Symbol, Symbol),
    Obstacle(Found<'p>),
}

impl<'p> Pair<'p> {
    /// Nothing shows that the two are apart, in either order.
    fn open(write: &'p Access, other: &'p Access, why: &'static str, about: About) -> Pair<'p> {
        Pair::Obstacle(Found {
            write,
            other,
            why: Cow::Borrowed(why),
            proved: false,
            ways: [true, !std::ptr::eq(write, other)],
            same_storage: false,
            about,
            known: Known::Little,
        })
    }
}

/// What a variable is called; what the front end made has no name that anyone knows.
fn named(local: &ferry_ir::Local) -> &str {
    match local.kind {
        ferry_ir::VariableKind::Temporary => "a part of this expression",
        _ => &local.name,
    }
}

/// True for accesses so many iterations apart that loops with fewer are worth a condition: whether this one has fewer is another question. Of `a[i + 1] = a[i]` nobody
/// wants to hear that it is parallel if `n <= 1`.
fn is_far(found: &Found<'_>) -> bool {
    matches!(found.known, Known::Away(distance) if distance.unsigned_abs() >= FAR)
}

/// Most choices of a pointer, one behind the other.
const MOST_CHOICES: u32 = 4;

/// As many iterations as a warp has threads.
const FAR: u64 = 32;

fn for_each_part<'a>(inner: &'a Loop, f: &mut dyn FnMut(&'a Stmt)) {
    for part in inner
        .before_test
        .iter()
        .chain(&inner.step)
        .chain(std::iter::once(&inner.body))
    {
        part.walk(f);
    }
}

/// True if the statement by itself, without those inside, names the variable.
fn mentions(stmt: &Stmt, variable: VariableRef) -> bool {
    let mut found = stmt.written_place().is_some_and(|place| base_is(place, variable));
    stmt.for_each_expression(&mut |expr| found |= crate::scalar::expr_mentions(expr, variable));
    found
}

fn base_is(place: &Place, variable: VariableRef) -> bool {
    place.base == ferry_ir::PlaceBase::Variable(variable)
}
