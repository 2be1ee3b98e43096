//! Does a loop that is called parallel carry dependences in a run? An observer that compares each execution of such a
//! loop with what its verdict excuses: private variables, reductions, induction variables, storage declared inside,
//! and under a condition those executions in which it does not hold.

use super::Analysed;
use super::bindings::{Bindings, Moment};
use super::watching::{Complaints, Places, Stack, counts, kind_of, places};
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::reduction::{Update, same_but_origin, same_place, updates};
use ferry_analysis::rows::{Other, Rows};
use ferry_analysis::sorted::Sorted;
use ferry_analysis::verdict::{self, FunctionFacts, Kind, Verdict, Whole};
use ferry_ir::interpret::observers::{Dependence, DependenceKind, Dependences, End, LoopReport};
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Object, Observer, Site, View};
use ferry_ir::{
    Expr, ExprKind, FunctionRef, Global, GlobalId, Linkage, LocalId, Place, StmtId, StmtKind, Type, Unit,
    VariableKind, VariableRef,
};
use ferry_source::Origin;
use ferry_symbolic::{Condition, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Loops called parallel, with or without a condition, that were entered.
        pub loops: u64,
        /// Executions of loops that are parallel without a condition.
        pub executions: u64,
        /// Executions in which the condition of a loop held.
        pub held: u64,
        /// Of these, executions in which it was on rows of tables.
        pub rows: u64,
        /// Of these, executions in which it was on values before the loop.
        pub tested: u64,
        /// Of these, executions in which it was on the order of values in memory.
        pub sorted: u64,
        /// Executions in which it did not.
        pub failed: u64,
        /// Objects in which a dependence was excused.
        pub excused: u64,
    }
}

/// Statements that belong to one reduction, or update elements of one object, with the place that they update.
struct Reduced {
    variable: Option<VariableRef>,
    parts: BTreeSet<StmtId>,
    places: BTreeSet<Span>,
    /// Of updates of elements: where each reads the old value, which nothing else may.
    reads: Option<BTreeSet<Span>>,
    /// Statements of called functions that make such updates, too.
    called: BTreeSet<(u32, FunctionRef, StmtId)>,
}

type Span = Option<(u32, u32, u32)>;

fn span(origin: Origin) -> Span {
    origin.span().map(|span| (span.file.0, span.start, span.end))
}

struct Plan<'a> {
    verdict: &'a Verdict,
    facts: &'a FunctionFacts,
    index: LoopIndex,
    at: Origin,
    reduced: Vec<Reduced>,
    steps: BTreeSet<VariableRef>,
    entered: bool,
}

/// Bytes touched through a root.
type Ranges = BTreeMap<Symbol, (u64, u64)>;

/// What each row of a table spans, as the test of a condition would compute it before the loop; `None` where it would not
/// be evaluated, or a value is not known.
type Spans = BTreeMap<Symbol, Option<Vec<(i128, i128)>>>;

/// What the condition of a loop says of the values before it.
#[derive(Default)]
struct Before {
    spans: Spans,
    /// Pairs of roots that are the same pointer.
    same: BTreeSet<(Symbol, Symbol)>,
    /// One of the conditions on values does not hold, or cannot be evaluated.
    fails: bool,
}

/// Judges one run.
pub struct Judge<'a> {
    program: &'a Analysed,
    dependences: Dependences,
    plans: HashMap<LoopKey, Plan<'a>>,
    places: Places,
    spots: HashMap<(u32, interpret::AccessKind, FunctionRef, StmtId), Rc<Vec<usize>>>,
    /// The loops that run, by call.
    frames: Vec<Vec<(LoopKey, Ranges, Before)>>,
    stack: Stack,
    /// What was read after loops: by loop and object, and whether another iteration than the last had written it.
    live: BTreeMap<(LoopKey, Object), bool>,
    /// Loops of which a condition did not hold once.
    failed: BTreeSet<LoopKey>,
    pub counts: Counts,
    pub complaints: Complaints,
}

impl<'a> Judge<'a> {
    /// All loops that are called parallel.
    pub fn new(program: &'a Analysed) -> Judge<'a> {
        let mut plans = HashMap::new();
        for (key, (facts, index)) in program.loops() {
            let verdict = &facts.verdicts[index.0 as usize];
            if matches!(verdict.kind, Kind::Parallel | Kind::ParallelIf) {
                plans.insert(key, plan(program, key, facts, index, verdict));
            }
        }
        Judge {
            program,
            dependences: Dependences::new(),
            plans,
            places: places(program),
            spots: HashMap::new(),
            frames: Vec::new(),
            stack: Stack::default(),
            live: BTreeMap::new(),
            failed: BTreeSet::new(),
            counts: Counts::default(),
            complaints: Complaints::default(),
        }
    }

    fn complain(&mut self, at: Origin, what: String) {
        let place = self.program.place(at);
        self.complaints
            .add(format!("{place} {what}"), format!("{place}: {what}"));
    }

    /// What is read after a loop is known only when the program has run.
    pub fn finish(&mut self) {
        let left: Vec<LoopKey> = self.dependences.loops.keys().copied().collect();
        for key in left {
            let report = self.dependences.loops.remove(&key).unwrap_or_default();
            self.note_live(key, &report);
        }
        let live = std::mem::take(&mut self.live);
        for ((key, object), earlier) in live {
            let Some(plan) = self.plans.get(&key) else {
                continue;
            };
            // Of which execution a value is that is read later is not known.
            if self.failed.contains(&key) {
                continue;
            }
            let Some(variable) = own_variable(self.program, key, object) else {
                continue;
            };
            if !plan.verdict.private.contains(&variable) || plan.steps.contains(&variable) {
                continue;
            }
            let at = plan.at;
            if !plan.verdict.last_private.contains(&variable) {
                let name = self.name(object);
                self.complain(at, format!("{name} is called private and read after the loop"));
            } else if earlier {
                let name = self.name(object);
                self.complain(
                    at,
                    format!("{name} has a last value that the last iteration did not write"),
                );
            }
        }
    }

    fn note_live(&mut self, key: LoopKey, report: &LoopReport) {
        for (object, seen) in &report.objects {
            if seen.live_out {
                *self.live.entry((key, *object)).or_default() |= seen.live_out_of_earlier;
            }
        }
    }

    fn name(&self, object: Object) -> String {
        match object {
            Object::Local(unit, function, local) => self.program.units[unit as usize]
                .function(function)
                .local(local)
                .name
                .clone(),
            Object::Global(unit, global) => self.program.units[unit as usize].global(global).name.clone(),
            other => format!("{other:?}"),
        }
    }

    fn exit(&mut self, key: LoopKey) {
        let (ranges, before) = self
            .frames
            .last_mut()
            .and_then(Vec::pop)
            .map(|(_, ranges, before)| (ranges, before))
            .unwrap_or_default();
        let Some(report) = self.dependences.loops.get_mut(&key).map(std::mem::take) else {
            return;
        };
        self.note_live(key, &report);
        let Some(plan) = self.plans.get_mut(&key) else {
            return;
        };
        if !plan.entered {
            plan.entered = true;
            self.counts.loops += 1;
        }
        let apart = |key: &(Symbol, Symbol)| match (ranges.get(&key.0), ranges.get(&key.1)) {
            (Some(a), Some(b)) => a.1 <= b.0 || b.1 <= a.0 || before.same.contains(key),
            _ => true,
        };
        if plan.verdict.kind == Kind::Parallel {
            self.counts.executions += 1;
        } else if !before.fails
            && plan.verdict.disjoint.iter().all(apart)
            && rows_apart(plan.verdict, &ranges, &before.spans)
        {
            self.counts.held += 1;
            self.counts.tested += u64::from(!plan.verdict.conditions.is_empty());
            self.counts.rows += u64::from(!plan.verdict.rows.is_empty());
            self.counts.sorted += u64::from(!plan.verdict.sorted.is_empty());
        } else {
            self.counts.failed += 1;
            self.failed.insert(key);
            return;
        }
        let plan = &self.plans[&key];
        let mut wrong = Vec::new();
        for (object, seen) in &report.objects {
            let variable = own_variable(self.program, key, *object);
            let excuse = variable.map_or(Excuse::None, |variable| self.excuse(plan, key, variable));
            if excuse == Excuse::Steps {
                continue;
            }
            if excuse == Excuse::Private {
                self.counts.excused += u64::from(!seen.dependences.is_empty());
                if seen.exposed {
                    wrong.push(format!(
                        "{} is private, but read before it is written",
                        self.name(*object)
                    ));
                }
                continue;
            }
            for ((kind, from, to), found) in &seen.dependences {
                if self.is_reduction(plan, key, variable, *kind, from, to) {
                    self.counts.excused += 1;
                    continue;
                }
                wrong.push(self.describe(*object, *kind, from, to, found));
            }
        }
        let at = plan.at;
        for what in wrong {
            self.complain(at, what);
        }
    }

    /// The pointers that may be the same one, and the rows of the tables on which a verdict rests, just before the loop.
    fn before(&mut self, key: LoopKey, view: &View<'_>) -> Before {
        let rests = |plan: &&Plan<'_>| {
            let verdict = plan.verdict;
            !verdict.rows.is_empty()
                || !verdict.equal.is_empty()
                || !verdict.conditions.is_empty()
                || !verdict.sorted.is_empty()
        };
        let Some(plan) = self.plans.get(&key).filter(rests) else {
            return Before::default();
        };
        let of = &plan.facts.values.loops[plan.index.0 as usize];
        let frame = self.frames.last();
        let around = frame.into_iter().flatten().map(|(key, ..)| key.statement);
        let running: Vec<StmtId> = around.chain([key.statement]).collect();
        let changed = BTreeSet::new();
        let moment = Moment {
            unit: &self.program.units[key.unit as usize],
            facts: plan.facts,
            of,
            running: &running,
            changed: &changed,
            view,
        };
        let mut bindings = Bindings::default();
        bindings.bind(&moment);
        let same =
            |(a, b): &&(Symbol, Symbol)| bindings.get(*a).is_some() && bindings.get(*a) == bindings.get(*b);
        let same = plan.verdict.equal.iter().filter(same).copied().collect();
        let holds = |condition: &Condition| condition.evaluate(&|symbol| bindings.get(symbol)) == Some(true);
        let mut fails = !plan.verdict.conditions.iter().all(holds);
        let mut beyond = None;
        // The values need be there only where all else holds, and the loop runs.
        // A length that cannot be told here does not say that it does not run.
        let runs = |of: &LoopFacts| {
            let trip = of.trip.as_ref().ok();
            trip.is_some_and(|trip| bindings.evaluate(trip).is_none_or(|count| count > 0))
        };
        if !fails && runs(of) {
            for sorted in &plan.verdict.sorted {
                match in_order(&self.program.units[key.unit as usize], sorted, &bindings, view) {
                    Ok(holds) => fails |= !holds,
                    Err(address) => beyond = Some(address),
                }
            }
        }
        let (at, tables) = (plan.at, plan.verdict.rows.tables.iter());
        let spans: BTreeMap<Symbol, Result<Option<_>, u64>> = tables
            .map(|(table, rows)| (*table, spans_of(rows, &bindings, view)))
            .collect();
        if let Some(address) = beyond {
            self.complain(
                at,
                format!("the test of an order reads a value at {address:#x}, where none is"),
            );
        }
        for address in spans.values().filter_map(|span| span.as_ref().err()) {
            self.complain(
                at,
                format!("the test of the rows reads a pointer at {address:#x}, where none is"),
            );
        }
        let spans = spans
            .into_iter()
            .map(|(table, span)| (table, span.unwrap_or_default()))
            .collect();
        Before { spans, same, fails }
    }

    fn describe(
        &self,
        object: Object,
        kind: DependenceKind,
        from: &End,
        to: &End,
        found: &Dependence,
    ) -> String {
        let place = |end: &End| match self.dependences.sites.get(&end.site) {
            Some(site) => self.program.place(site.origin),
            None => "?".into(),
        };
        let (least, greatest) = (found.least, found.greatest);
        let name = self.name(object);
        format!(
            "{kind:?} dependence on {name}, {least} to {greatest} apart, from {} to {}",
            place(from),
            place(to)
        )
    }

    fn excuse(&self, plan: &Plan<'_>, key: LoopKey, variable: VariableRef) -> Excuse {
        let function = self.program.units[key.unit as usize].function(key.function);
        let is_temporary = |id| function.local(id).kind == VariableKind::Temporary;
        if plan.steps.contains(&variable) {
            Excuse::Steps
        } else if plan.verdict.private.contains(&variable)
            || plan.verdict.inside.contains(&variable)
            || matches!(variable, VariableRef::Local(id) if is_temporary(id))
        {
            Excuse::Private
        } else {
            Excuse::None
        }
    }

    /// Both ends belong to updates of one reduction, and what is written is the reduced place.
    fn is_reduction(
        &self,
        plan: &Plan<'_>,
        key: LoopKey,
        variable: Option<VariableRef>,
        kind: DependenceKind,
        from: &End,
        to: &End,
    ) -> bool {
        let sites = &self.dependences.sites;
        let (Some(from), Some(to)) = (sites.get(&from.site), sites.get(&to.site)) else {
            return false;
        };
        let own = |site: &Site| (site.unit, site.function) == (key.unit, Some(key.function));
        plan.reduced.iter().any(|reduced| {
            let belongs = |site: &Site| match own(site) {
                true => reduced.parts.contains(&site.statement),
                false => {
                    let called = |function| reduced.called.contains(&(site.unit, function, site.statement));
                    site.function.is_some_and(called)
                }
            };
            let writes: &[&Site] = match kind {
                DependenceKind::Flow => &[from],
                DependenceKind::Anti => &[to],
                DependenceKind::Output => &[from, to],
            };
            let reads: &[&Site] = match kind {
                DependenceKind::Flow => &[to],
                DependenceKind::Anti => &[from],
                DependenceKind::Output => &[],
            };
            let is_own = |known: &BTreeSet<Span>| reads.iter().all(|site| known.contains(&span(site.origin)));
            (reduced.variable.is_none() || reduced.variable == variable)
                && reduced.reads.as_ref().is_none_or(is_own)
                && belongs(from)
                && belongs(to)
                && writes
                    .iter()
                    .all(|site| reduced.places.contains(&span(site.origin)))
        })
    }

    fn note_range(&mut self, access: &interpret::Access<'_>) {
        if let Some(function) = access.at.function {
            let innermost = self.frames.len().saturating_sub(1);
            self.note_range_in(innermost, access.at.unit, function, access.at.statement, access);
        }
        let callers: Vec<_> = self.stack.callers().collect();
        for (place, unit, function, call) in callers {
            self.note_range_in(place, unit, function, call, access);
        }
    }

    /// The same, seen from one of the functions that run: it is at `statement`.
    fn note_range_in(
        &mut self,
        place: usize,
        unit: u32,
        function: FunctionRef,
        statement: StmtId,
        access: &interpret::Access<'_>,
    ) {
        let Some(loops) = self.frames.get_mut(place) else {
            return;
        };
        let wanted = |key: &LoopKey, plans: &HashMap<LoopKey, Plan<'_>>| {
            plans
                .get(key)
                .is_some_and(|plan| plan.verdict.kind == Kind::ParallelIf)
        };
        if !loops.iter().any(|(key, ..)| wanted(key, &self.plans)) {
            return;
        }
        let Some(facts) = self.program.facts.get(&(unit, function)) else {
            return;
        };
        let spot = self
            .spots
            .entry((access.site, access.kind, function, statement))
            .or_insert_with(|| {
                let key = (unit, function, statement, access.at.origin, kind_of(access));
                self.places.get(&key).cloned().unwrap_or_default()
            });
        for number in spot.iter() {
            let own = &facts.values.accesses[*number];
            let Some(root) = own.root else { continue };
            for (key, ranges, _) in loops.iter_mut() {
                if let Some(plan) = self.plans.get(key)
                    && plan.facts.function == function
                    && own.loops.contains(&plan.index)
                {
                    let end = access.address + access.size;
                    let range = ranges.entry(root).or_insert((access.address, end));
                    *range = (range.0.min(access.address), range.1.max(end));
                }
            }
        }
    }
}

/// True if values in memory are in the order that a condition asks for, false also if it cannot be evaluated; an address that cannot be read, if there is one.
fn in_order(unit: &Unit, sorted: &Sorted, bindings: &Bindings, view: &View<'_>) -> Result<bool, u64> {
    let ends = || {
        let first = bindings.get(sorted.root)?.to_i128()? + bindings.evaluate(&sorted.first)?;
        let count = bindings.evaluate(&sorted.count)?;
        Some((u64::try_from(first).ok()?, u64::try_from(count).ok()?))
    };
    let Some((first, count)) = ends() else {
        return Ok(false);
    };
    let Type::Int { signed, .. } = *unit.types.get(sorted.ty) else {
        return Ok(false);
    };
    let mut last = None;
    for number in 0..count {
        let address = first + number * sorted.size;
        let bits = view.bits(address, sorted.size).ok_or(address)?;
        let unused = 64 - 8 * sorted.size as u32;
        let value = match signed {
            true => i128::from(((bits << unused) as i64) >> unused),
            false => i128::from(bits),
        };
        let holds = match (last, sorted.strictly) {
            (None, _) => true,
            (Some(last), true) => last < value,
            (Some(last), false) => last <= value,
        };
        if !holds {
            return Ok(false);
        }
        last = Some(value);
    }
    Ok(true)
}

/// What each row of one table spans; an address that cannot be read, if there is one.
fn spans_of(rows: &Rows, bindings: &Bindings, view: &View<'_>) -> Result<Option<Vec<(i128, i128)>>, u64> {
    let ends = || {
        for condition in &rows.runs {
            if !condition.evaluate(&|symbol| bindings.get(symbol))? {
                return None;
            }
        }
        let table = bindings.get(rows.table)?.to_i128()?;
        let value = |expr| bindings.evaluate(expr);
        let first = u64::try_from(table + value(&rows.pointers.0)?).ok()?;
        let end = u64::try_from(table + value(&rows.pointers.1)?).ok()?;
        Some((first, end, value(&rows.bytes.0)?, value(&rows.bytes.1)?))
    };
    let Some((first, end, low, high)) = ends() else {
        return Ok(None);
    };
    let pointers = (first..end).step_by(8);
    let rows = pointers.map(|at| {
        let pointer = i128::from(view.bits(at, 8).ok_or(at)?);
        Ok((pointer + low, pointer + high))
    });
    rows.collect::<Result<Vec<_>, u64>>().map(Some)
}

/// The conditions on rows hold: every table's own rows come one after the other, in either order.
fn rows_apart(verdict: &Verdict, ranges: &Ranges, spans: &Spans) -> bool {
    let rows = |table: &Symbol| spans.get(table).and_then(Option::as_ref);
    let whole = |table: &Symbol| {
        let rows = rows(table)?;
        let low = rows.iter().map(|row| row.0).min()?;
        Some((low, rows.iter().map(|row| row.1).max()?))
    };
    let each = verdict.rows.each.iter().all(|table| {
        rows(table).is_some_and(|rows| {
            let pairs = || rows.windows(2);
            pairs().all(|two| two[0].1 <= two[1].0) || pairs().all(|two| two[1].1 <= two[0].0)
        })
    });
    each && verdict.rows.others.iter().all(|(table, other)| {
        let other = match other {
            Other::Rows(second) => whole(second),
            Other::Object(root) => ranges
                .get(root)
                .map(|(low, high)| (i128::from(*low), i128::from(*high))),
        };
        match (whole(table), other) {
            (Some(a), Some(b)) => a.1 <= b.0 || b.1 <= a.0,
            _ => false,
        }
    })
}

#[derive(PartialEq, Eq)]
enum Excuse {
    None,
    /// Its value in each iteration is known.
    Steps,
    /// Each iteration has its own.
    Private,
}

/// The variable of the loop's function or file that an object is.
fn own_variable(program: &Analysed, key: LoopKey, object: Object) -> Option<VariableRef> {
    match object {
        Object::Local(unit, function, local) if (unit, function) == (key.unit, key.function) => {
            Some(VariableRef::Local(local))
        }
        Object::Global(unit, global) if unit == key.unit => Some(VariableRef::Global(global)),
        // What another file defines has a number of its own in this one.
        Object::Global(unit, global) => {
            let defined = program.units[unit as usize].global(global);
            let is_same =
                |own: &Global| own.linkage == Linkage::External && !own.defined && own.name == defined.name;
            let mut own = program.units[key.unit as usize].globals.iter();
            let number = own
                .position(is_same)
                .filter(|_| defined.linkage == Linkage::External)?;
            Some(VariableRef::Global(GlobalId(number as u32)))
        }
        _ => None,
    }
}

/// The statements that are said to set an object to one value: assignments of one constant, or of one expression that reads no memory.
fn set_to_one_value(program: &Analysed, key: LoopKey, verdict: &Verdict) -> Vec<Reduced> {
    let mut sets: Vec<(Option<VariableRef>, &BTreeSet<StmtId>)> = Vec::new();
    for object in &verdict.atomics {
        match (object.how, object.object) {
            (Whole::Write, verdict::Object::Variable(variable)) => {
                sets.push((Some(variable), &object.updates))
            }
            (Whole::Write, verdict::Object::Root(_)) => sets.push((None, &object.updates)),
            _ => {}
        }
    }
    for reduction in verdict.reductions.iter().filter(|one| one.root.is_none()) {
        sets.push((reduction.variable, &reduction.updates));
    }
    let mut found = Vec::new();
    for (variable, statements) in sets.into_iter().filter(|(_, statements)| !statements.is_empty()) {
        let mut one = Reduced {
            variable,
            parts: statements.clone(),
            places: BTreeSet::new(),
            reads: Some(BTreeSet::new()),
            called: BTreeSet::new(),
        };
        let mut known: Option<Expr> = None;
        program.statements(key.unit, key.function, &mut |stmt| {
            let StmtKind::Assign { place, value } = &stmt.kind else {
                return;
            };
            if !statements.contains(&stmt.id) {
                return;
            }
            assert!(variable.is_none() || place.as_variable() == variable);
            one.places.insert(span(place.origin));
            let mut own = Vec::new();
            given(value, place, &mut own, &mut one);
            for value in own {
                let first = known.get_or_insert_with(|| value.clone());
                assert!(
                    same_but_origin(first, value),
                    "two values are called one: {stmt:?}"
                );
            }
        });
        assert!(!one.places.is_empty(), "nothing sets what is called set");
        found.push(one);
    }
    found
}

/// What a value may be besides the old one of the place, which may only be read where that is what it stays.
fn given<'e>(value: &'e Expr, place: &Place, found: &mut Vec<&'e Expr>, one: &mut Reduced) {
    match &value.kind {
        ExprKind::Select(_, yes, no) => [yes, no]
            .into_iter()
            .for_each(|part| given(part, place, found, one)),
        ExprKind::Cast(inner) => given(inner, place, found, one),
        ExprKind::Load(from) if same_place(from, place) => {
            one.reads.get_or_insert_default().insert(span(from.origin));
        }
        _ => found.push(value),
    }
}

fn plan<'a>(
    program: &'a Analysed,
    key: LoopKey,
    facts: &'a FunctionFacts,
    index: LoopIndex,
    verdict: &'a Verdict,
) -> Plan<'a> {
    let unit = &program.units[key.unit as usize];
    let function = unit.function(key.function);
    let locals = |id: LocalId| function.locals.get(id.0 as usize);
    let mut own_updates = Vec::new();
    program.statements(key.unit, key.function, &mut |stmt| {
        if stmt.id == key.statement {
            stmt.walk(&mut |inner| own_updates.extend(updates(unit, &locals, inner)));
        }
    });
    let written = |stmt: StmtId| {
        let mut accesses = facts.values.accesses.iter();
        accesses
            .find(|access| access.stmt == stmt && access.is_write())
            .and_then(|access| access.root)
    };
    // In the functions that are called, by their own texts, in whichever file.
    let mut in_calls: Vec<(u32, FunctionRef, Update<'_>)> = Vec::new();
    if verdict.reductions.iter().any(|reduction| reduction.called) {
        for (number, unit) in (0..).zip(&program.units) {
            for (id, function) in unit.functions() {
                let Some(body) = function
                    .body
                    .as_ref()
                    .filter(|_| (number, id) != (key.unit, key.function))
                else {
                    continue;
                };
                let locals = |id: LocalId| function.locals.get(id.0 as usize);
                body.walk(&mut |stmt| {
                    let found = updates(unit, &locals, stmt).into_iter();
                    in_calls.extend(found.map(|one| (number, id, one)))
                });
            }
        }
    }
    let mut reduced = Vec::new();
    for reduction in &verdict.reductions {
        let in_calls = in_calls
            .iter()
            .filter(|(_, _, update)| reduction.called && update.op == reduction.op);
        let in_calls: Vec<_> = in_calls.collect();
        let own = own_updates
            .iter()
            .filter(|update| update.op == reduction.op)
            .filter(|update| match reduction.root {
                Some(root) => update.parts.iter().any(|part| written(*part) == Some(root)),
                None => update.place.as_variable() == reduction.variable,
            });
        let own: Vec<_> = own.collect();
        reduced.push(Reduced {
            variable: reduction
                .variable
                .filter(|variable| matches!(variable, VariableRef::Local(_))),
            parts: own
                .iter()
                .flat_map(|update| update.parts.iter().copied())
                .collect(),
            places: own
                .iter()
                .copied()
                .chain(in_calls.iter().map(|(_, _, update)| update))
                .map(|update| span(update.place.origin))
                .collect(),
            reads: None,
            called: in_calls
                .iter()
                .flat_map(|(unit, id, update)| update.parts.iter().map(|part| (*unit, *id, *part)))
                .collect(),
        });
    }
    reduced.extend(set_to_one_value(program, key, verdict));
    let atomics = verdict
        .atomics
        .iter()
        .filter_map(|object| match (object.how, object.object) {
            (Whole::Update(op), verdict::Object::Root(root)) => Some((op, root)),
            _ => None,
        });
    let sections = verdict.sections.iter().map(|section| (section.op, section.root));
    for (op, root) in atomics.chain(sections) {
        let own = own_updates
            .iter()
            .filter(|update| update.op == op && update.parts.iter().any(|part| written(*part) == Some(root)));
        let own: Vec<_> = own.collect();
        let mut reads = BTreeSet::new();
        program.statements(key.unit, key.function, &mut |stmt| {
            let here = own.iter().filter(|update| update.parts.contains(&stmt.id));
            for update in here {
                stmt.for_each_expression(&mut |expr| {
                    expr.walk(&mut |part| {
                        if let ExprKind::Load(place) = &part.kind
                            && same_place(place, update.place)
                        {
                            reads.insert(span(place.origin));
                        }
                    });
                });
            }
        });
        reduced.push(Reduced {
            variable: None,
            parts: own
                .iter()
                .flat_map(|update| update.parts.iter().copied())
                .collect(),
            places: own.iter().map(|update| span(update.place.origin)).collect(),
            reads: Some(reads),
            called: BTreeSet::new(),
        });
    }
    let canonical = verdict.form().ok().map(|canonical| canonical.variable);
    let steps = verdict
        .inductions
        .iter()
        .map(|one| one.variable)
        .chain(canonical)
        .collect();
    let at = facts.values.loops[index.0 as usize].origin;
    Plan {
        verdict,
        facts,
        index,
        at,
        reduced,
        steps,
        entered: false,
    }
}

impl Observer for Judge<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        self.dependences.access(access);
        self.note_range(access);
    }

    fn allocated(&mut self, allocation: u64, object: Object, size: u64) {
        self.dependences.allocated(allocation, object, size);
    }

    fn released(&mut self, allocation: u64) {
        self.dependences.released(allocation);
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        // Only the loops that are called parallel are of interest.
        if self.plans.contains_key(&key) {
            self.dependences.loop_event(key, event, view);
        }
        match event {
            LoopEvent::Enter => {
                let before = self.before(key, view);
                if let Some(frame) = self.frames.last_mut() {
                    frame.push((key, Ranges::new(), before));
                }
            }
            LoopEvent::Exit => self.exit(key),
            _ => {}
        }
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.dependences.call(unit, function, site);
        self.stack.call(unit, function, site);
        self.frames.push(Vec::new());
    }

    fn leave(&mut self, unit: u32, function: FunctionRef) {
        self.dependences.leave(unit, function);
        self.stack.leave();
        self.frames.pop();
    }
}
