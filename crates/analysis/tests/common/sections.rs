//! Does what the analysis says of values and sections hold in a run? An observer that evaluates every statement about
//! a loop when it is entered, and compares it with what the loop then does.

use super::bindings::{Bindings, Moment, variable_value};
use super::watching::{Complaints, Places, Stack, counts, follows_by_name, kind_of, places};
use super::{Analysed, assigned_first};
use ferry_analysis::access::Access;
use ferry_analysis::joined::{self, Part};
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::path::Path;
use ferry_analysis::region::{self, Hull, Section, StridedBox};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::value::End;
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Object, Observer, Site, View};
use ferry_ir::{FunctionRef, LoopKind, StmtId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Executions of one loop that are followed: the first ones, and then fewer and fewer.
const FIRST: u64 = 6;

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Hulls compared with what was touched, by access and execution of a loop.
        pub hulls: u64,
        /// Of these, those that are exact.
        pub exact: u64,
        /// Accesses that are conditional, called exact, and whose ends were not touched.
        pub loose: u64,
        /// Hulls that mention symbols without a known value.
        pub skipped: u64,
        /// Paths through pointers compared with what was touched, by access and execution of a loop.
        pub paths: u64,
        /// Paths whose ends or pointers are not known, or whose pointers the loop changed.
        pub paths_skipped: u64,
        /// Boxes of certain elements.
        pub boxes: u64,
        /// Trip counts.
        pub trips: u64,
        /// Trip counts with symbols without a known value.
        pub trips_skipped: u64,
        /// Values of variables and memory.
        pub values: u64,
        /// Conditions that are said to hold.
        pub conditions: u64,
        /// Places where the program is whose accesses were looked for.
        pub sites: u64,
    }
}

/// What is said of one access while one loop runs.
struct Claim {
    access: usize,
    hull: Option<Hull>,
    /// The way to what is touched, where the access has no root that stays.
    path: Option<Path>,
    /// All accesses of the loop to the same storage, joined.
    joined: Option<Part>,
    section: Option<Section>,
    certain: Option<StridedBox>,
    /// Claims, by number, whose hulls are said to lie in the box.
    covers: Vec<usize>,
    unconditional: bool,
    /// Other accesses are at the same place in the text: it is not known which one a touch belongs to.
    ambiguous: bool,
}

/// What is said of one loop.
struct Plan<'a> {
    facts: &'a FunctionFacts,
    of: &'a LoopFacts,
    kind: LoopKind,
    changed: BTreeSet<VariableRef>,
    /// A jump back may run it more than once in a call.
    repeated: bool,
    claims: Vec<Claim>,
    /// Claims by access.
    by_access: HashMap<usize, usize>,
    entered: u64,
    next: u64,
}

/// What one access touched.
struct Touch {
    low: i128,
    high: i128,
    runs: Option<Vec<(i128, i128)>>,
}

struct Running {
    key: LoopKey,
    iterations: u64,
    bindings: Bindings,
    /// What was wrong at the test that just ran; it counts if an iteration follows.
    pending: Vec<String>,
    /// Followed only if something is to be checked.
    touches: Option<Vec<Option<Touch>>>,
    /// Where the paths lead, by claim, and what was touched that has one: addresses and their ends.
    led: HashMap<usize, (Targets, BTreeSet<(u64, u64)>)>,
}

/// Where the last pointers of a path point, and the bytes behind each that may be touched.
#[derive(Clone, PartialEq)]
struct Targets {
    pointers: BTreeSet<u64>,
    bytes: (i128, i128),
}

/// Most pointers and touches of one path that are followed.
const POINTERS: usize = 4_096;

struct Frame {
    unit: u32,
    function: FunctionRef,
    loops: Vec<Running>,
    /// Values of symbols that never change in this call.
    bindings: Bindings,
}

/// What a place in the program is.
#[derive(Clone)]
struct Spot {
    accesses: Rc<Vec<usize>>,
}

/// Judges one run.
pub struct Judge<'a> {
    program: &'a Analysed,
    plans: HashMap<LoopKey, Plan<'a>>,
    places: Places,
    spots: HashMap<(u32, interpret::AccessKind, FunctionRef, StmtId), Option<Spot>>,
    frames: Vec<Frame>,
    stack: Stack,
    pub counts: Counts,
    pub complaints: Complaints,
}

impl<'a> Judge<'a> {
    /// Everything that is said about the program's loops.
    pub fn new(program: &'a Analysed) -> Judge<'a> {
        let mut judge = Judge {
            program,
            plans: HashMap::new(),
            places: places(program),
            spots: HashMap::new(),
            frames: Vec::new(),
            stack: Stack::default(),
            counts: Counts::default(),
            complaints: Complaints::default(),
        };
        for (key, (facts, index)) in program.loops() {
            let statements = program.loop_statements(key.unit, key.function);
            let Some(inner) = statements.get(&key.statement) else {
                continue;
            };
            let plan = judge.plan(key, facts, index, inner);
            for claim in &plan.claims {
                let Some(hull) = &claim.hull else { continue };
                let fixed = |end: &Expr| facts.values.symbols.invariant_in(end, plan.of.stmt);
                if !fixed(&hull.low) || !fixed(&hull.high) {
                    let at = facts.values.accesses[claim.access].origin;
                    let detail = "an end changes from iteration to iteration".to_owned();
                    judge.complain("hull", at, detail);
                }
            }
            judge.plans.insert(key, plan);
        }
        judge
    }

    fn plan(
        &self,
        key: LoopKey,
        facts: &'a FunctionFacts,
        index: LoopIndex,
        inner: &ferry_ir::Loop,
    ) -> Plan<'a> {
        let values = &facts.values;
        let of = &values.loops[index.0 as usize];
        let types = &self.program.units[key.unit as usize].types;
        let mut claims = Vec::new();
        let mut by_access = HashMap::new();
        let mut parts: BTreeMap<Symbol, Vec<Part>> = BTreeMap::new();
        for (number, access) in values.accesses.iter().enumerate() {
            let Some(position) = access.loops.iter().position(|one| *one == index) else {
                continue;
            };
            let hull = values.hull(access, &[index]).ok();
            let certain = region::certain(&values.symbols, &values.loops, access, index);
            let size = Expr::int(i128::from(access.size));
            let section = hull
                .as_ref()
                .map(|hull| region::section(hull, &size, &access.facts));
            if let (Some(root), Some(hull)) = (access.root, &hull) {
                let inside = &access.loops[position..];
                let part = values.part(types, access, hull.clone(), inside, &of.before.facts);
                parts.entry(root).or_default().push(part);
            }
            let origins = access
                .summary
                .as_deref()
                .unwrap_or(std::slice::from_ref(&access.origin));
            let shared = |origin: &Origin| {
                let place = (key.unit, key.function, access.stmt, *origin, access.kind);
                self.places.get(&place).is_some_and(|numbers| numbers.len() > 1)
            };
            by_access.insert(number, claims.len());
            let moves = access
                .root
                .is_some_and(|root| values.varying(&[index]).contains(&root));
            let path = moves.then(|| values.path(access, &[index]).ok()).flatten();
            claims.push(Claim {
                access: number,
                hull,
                path,
                joined: None,
                section,
                certain,
                covers: Vec::new(),
                unconditional: access.conditional_depth <= position,
                ambiguous: origins.iter().any(shared),
            });
        }
        let covers = |one: &Claim| -> Vec<usize> {
            let Some(certain) = &one.certain else {
                return Vec::new();
            };
            let access = &values.accesses[one.access];
            let other = claims.iter().enumerate().filter(|(_, other)| {
                let hull = other.hull.as_ref();
                !other.ambiguous
                    && values.accesses[other.access].root == access.root
                    && hull.is_some_and(|hull| region::covers(certain, hull, &access.facts))
            });
            other.map(|(number, _)| number).collect()
        };
        let covered: Vec<Vec<usize>> = claims.iter().map(covers).collect();
        for (claim, covered) in claims.iter_mut().zip(covered) {
            claim.covers = covered;
            let root = values.accesses[claim.access].root;
            let parts = root.and_then(|root| parts.get(&root));
            claim.joined = parts.and_then(|parts| joined::join_all(parts, &of.before.facts));
        }
        Plan {
            facts,
            of,
            kind: inner.kind,
            changed: assigned_first(inner),
            repeated: self.has_labels(key),
            claims,
            by_access,
            entered: 0,
            next: 0,
        }
    }

    fn has_labels(&self, key: LoopKey) -> bool {
        let function = self.program.units[key.unit as usize].function(key.function);
        !function.labels.is_empty()
    }

    fn complain(&mut self, what: &str, at: Origin, detail: String) {
        // Each kind of mistake once for each place.
        let place = self.program.place(at);
        self.complaints
            .add(format!("{what} {place}"), format!("{what}: {place}: {detail}"));
    }

    fn enter(&mut self, key: LoopKey, view: &View<'_>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let mut running: Vec<StmtId> = frame.loops.iter().map(|one| one.key.statement).collect();
        running.push(key.statement);
        let mut result = Running {
            key,
            iterations: 0,
            bindings: Bindings::default(),
            pending: Vec::new(),
            touches: None,
            led: HashMap::new(),
        };
        let Some(plan) = self.plans.get_mut(&key) else {
            frame.loops.push(result);
            return;
        };
        plan.entered += 1;
        let wanted = plan.entered <= FIRST || plan.entered > plan.next;
        if !wanted {
            frame.loops.push(result);
            return;
        }
        plan.next = plan.entered + plan.entered / 2;
        let mut bindings = match frame.loops.last() {
            Some(outer) => outer.bindings.clone(),
            None => frame.bindings.clone(),
        };
        for outer in &frame.loops {
            if let Some(plan) = self.plans.get(&outer.key) {
                bindings.set(plan.of.counter, i128::from(outer.iterations) - 1);
            }
        }
        let plan = &self.plans[&key];
        let moment = Moment {
            unit: &self.program.units[key.unit as usize],
            facts: plan.facts,
            of: plan.of,
            running: &running,
            changed: &plan.changed,
            view,
        };
        bindings.bind(&moment);
        let mut wrong = Vec::new();
        let mut counts = Counts::default();
        check_state(&moment, &bindings, &mut counts, &mut wrong);
        if frame.loops.is_empty() && !plan.repeated {
            // What is known before a loop that is in no other stays so in this call, unless a jump back repeats it.
            frame.bindings = bindings.clone();
            frame.bindings.next_iteration(plan.facts, plan.of.stmt);
        }
        result.touches = Some(plan.claims.iter().map(|_| None).collect());
        for (number, claim) in plan.claims.iter().enumerate() {
            let Some(path) = claim.path.as_ref().filter(|_| !claim.ambiguous) else {
                continue;
            };
            match targets(path, &bindings, view) {
                Some(targets) => {
                    result.led.insert(number, (targets, BTreeSet::new()));
                }
                None => counts.paths_skipped += 1,
            }
        }
        result.bindings = bindings;
        frame.loops.push(result);
        self.counts += counts;
        let at = plan.of.origin;
        for detail in wrong {
            self.complain("before the loop", at, detail);
        }
    }

    /// At the start of an iteration: the test of a `for` or `while`, the body of a `do`.
    fn iteration(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let Some(running) = frame.loops.last_mut().filter(|running| running.key == key) else {
            return;
        };
        if let LoopEvent::Body(number) = event {
            running.iterations = number + 1;
        }
        let Some(plan) = self.plans.get(&key).filter(|_| running.touches.is_some()) else {
            return;
        };
        if running.iterations > 16 && !running.iterations.is_multiple_of(13) {
            return;
        }
        let moment = Moment {
            unit: &self.program.units[key.unit as usize],
            facts: plan.facts,
            of: plan.of,
            running: &[],
            changed: &plan.changed,
            view,
        };
        let body = matches!(event, LoopEvent::Body(_));
        let number = running.iterations - u64::from(body);
        let mut wrong = std::mem::take(&mut running.pending);
        if body == (plan.kind == LoopKind::Do) {
            for induction in &plan.of.inductions {
                let start = running.bindings.evaluate(&induction.start);
                let step = running.bindings.evaluate(&induction.first_step);
                let growth = running.bindings.evaluate(&induction.growth);
                let (Some(start), Some(step), Some(growth)) = (start, step, growth) else {
                    continue;
                };
                let Some(actual) = variable_value(&moment, induction.variable) else {
                    continue;
                };
                self.counts.values += 1;
                let count = i128::from(number);
                let expected = start + step * count + growth * (count * (count - 1) / 2);
                if expected != actual {
                    wrong.push(format!(
                        "iteration {number}: an induction variable is {actual}, not {expected}"
                    ));
                }
            }
        }
        if body {
            let mut bindings = running.bindings.clone();
            bindings.next_iteration(plan.facts, plan.of.stmt);
            bindings.set(plan.of.counter, i128::from(number));
            for (condition, _) in plan.of.facts_inside.conditions() {
                match condition.evaluate(&|symbol| bindings.get(symbol)) {
                    Some(true) => self.counts.conditions += 1,
                    Some(false) => wrong.push(format!("iteration {number}: {condition:?} does not hold")),
                    None => {}
                }
            }
        }
        if !body {
            running.pending = wrong;
            return;
        }
        let at = plan.of.origin;
        for detail in wrong {
            self.complain("in the loop", at, detail);
        }
    }

    fn exit(&mut self, key: LoopKey, view: &View<'_>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let Some(running) = frame.loops.pop() else { return };
        let Some(touches) = running.touches else { return };
        let Some(plan) = self.plans.get(&key) else { return };
        let mut wrong: Vec<(&str, Origin, String)> = Vec::new();
        match plan
            .of
            .trip
            .as_ref()
            .map(|trip| (trip, running.bindings.evaluate(trip)))
        {
            Ok((trip, Some(count))) => {
                self.counts.trips += 1;
                let actual = i128::from(running.iterations);
                // The program may end in it, too.
                let ends = |end: &End| {
                    end.loops
                        .iter()
                        .any(|index| plan.facts.values.loops[index.0 as usize].stmt == plan.of.stmt)
                };
                let early = !plan.of.early_exits.is_empty() || plan.facts.values.ends.iter().any(ends);
                if actual != count && !(early && actual < count) {
                    let detail = format!("{actual} iterations, not {trip:?} = {count}");
                    wrong.push(("trip count", plan.of.origin, detail));
                }
            }
            Ok((_, None)) => self.counts.trips_skipped += 1,
            Err(_) => {}
        }
        for (number, (before, touched)) in &running.led {
            let claim = &plan.claims[*number];
            let path = claim.path.as_ref();
            if path
                .and_then(|path| targets(path, &running.bindings, view))
                .as_ref()
                != Some(before)
            {
                self.counts.paths_skipped += 1;
                continue;
            }
            self.counts.paths += 1;
            let (low, high) = before.bytes;
            let leads = |(from, to): &&(u64, u64)| {
                before.pointers.iter().any(|pointer| {
                    let pointer = i128::from(*pointer);
                    pointer + low <= i128::from(*from) && i128::from(*to) <= pointer + high
                })
            };
            if let Some(lost) = touched.iter().find(|touch| !leads(touch)) {
                let detail = format!(
                    "{lost:?} is not {low} .. {high} behind one of {:?}",
                    before.pointers
                );
                let at = plan.facts.values.accesses[claim.access].origin;
                wrong.push(("path", at, detail));
            }
        }
        for (claim, touch) in plan.claims.iter().zip(&touches) {
            let Some(touch) = touch else { continue };
            let access = &plan.facts.values.accesses[claim.access];
            let mut say = |what: &'static str, detail: String| wrong.push((what, access.origin, detail));
            check_claim(
                claim,
                access,
                touch,
                &running.bindings,
                &mut self.counts,
                &mut say,
            );
            // A box that holds the hull of an access holds what it touches.
            let ends = claim.certain.as_ref().and_then(StridedBox::contiguous);
            let ends = ends.and_then(|(low, high)| {
                Some((
                    running.bindings.evaluate(&low)?,
                    running.bindings.evaluate(&high)?,
                ))
            });
            let Some((low, high)) = ends else { continue };
            for touched in claim.covers.iter().filter_map(|other| touches[*other].as_ref()) {
                if touched.low < low || touched.high > high {
                    say(
                        "covers",
                        format!(
                            "{low} .. {high} does not hold {} .. {}",
                            touched.low, touched.high
                        ),
                    );
                }
            }
        }
        for (what, at, detail) in wrong {
            self.complain(what, at, detail);
        }
    }

    /// The accesses of the analysis at a place.
    fn spot(&mut self, access: &interpret::Access<'_>) -> Option<Spot> {
        let function = access.at.function?;
        let key = (access.site, access.kind, function, access.at.statement);
        if let Some(spot) = self.spots.get(&key) {
            return spot.clone();
        }
        let spot = self.find_spot(access.at, access);
        self.spots.insert(key, spot.clone());
        spot
    }

    /// What the analysis of a function that is not the innermost says of an access, which happens in the call `call`.
    fn spot_of_caller(
        &mut self,
        access: &interpret::Access<'_>,
        (place, unit, function, call): (usize, u32, FunctionRef, StmtId),
    ) -> Option<Spot> {
        let key = (access.site, access.kind, function, call);
        if let Some(spot) = self.spots.get(&key) {
            return spot.clone();
        }
        let facts = self.program.facts.get(&(unit, function))?;
        let kind = kind_of(access);
        let found = self
            .places
            .get(&(unit, function, call, access.at.origin, kind))
            .cloned();
        let also_whole = facts.values.effects.iter().any(|effect| effect.stmt == call);
        // What a call touches as a whole may be what is touched here, and not the section.
        let found =
            found.filter(|accesses| !also_whole || facts.values.accesses[accesses[0]].summary.is_none());
        let known = found.is_some() || also_whole || self.is_nobody_elses(access.object, place);
        if !known {
            let detail = format!(
                "{:?} of {:?} is no access of {} at its call",
                access.kind,
                access.object,
                self.program.units[unit as usize].function(function).name
            );
            self.complain("forgotten access of a call", access.at.origin, detail);
        }
        let spot = found.map(|accesses| Spot { accesses });
        self.spots.insert(key, spot.clone());
        spot
    }

    /// True for variables of functions that are called from the one at this place, and for constants.
    fn is_nobody_elses(&self, object: Object, place: usize) -> bool {
        match object {
            Object::Local(unit, function, _) => self.frames[place + 1..]
                .iter()
                .any(|frame| (frame.unit, frame.function) == (unit, function)),
            Object::Global(unit, global) => {
                self.program.units[unit as usize]
                    .global(global)
                    .qualifiers
                    .constant
            }
            _ => false,
        }
    }

    fn find_spot(&mut self, site: &Site, access: &interpret::Access<'_>) -> Option<Spot> {
        let function = site.function?;
        let kind = kind_of(access);
        self.counts.sites += 1;
        let facts = self.program.facts.get(&(site.unit, function))?;
        let key = (site.unit, function, site.statement, site.origin, kind);
        if let Some(accesses) = self.places.get(&key).cloned() {
            // The loops around it are those that run.
            let running: Vec<StmtId> = self
                .frames
                .last()?
                .loops
                .iter()
                .map(|running| running.key.statement)
                .collect();
            let around = &facts.values.accesses[accesses[0]].loops;
            // What counts the elements that a call touches is no loop of the program.
            let around: Vec<StmtId> = around
                .iter()
                .map(|index| &facts.values.loops[index.0 as usize])
                .filter(|of| !of.section)
                .map(|of| of.stmt)
                .collect();
            if around != running {
                self.complain(
                    "loops around an access",
                    site.origin,
                    format!("{around:?}, not {running:?}"),
                );
            }
            return Some(Spot { accesses });
        }
        let known = facts
            .values
            .effects
            .iter()
            .any(|effect| effect.stmt == site.statement);
        if !known {
            let detail = format!(
                "{:?} of {:?} is no access of the analysis",
                access.kind, access.object
            );
            self.complain("forgotten access", site.origin, detail);
        }
        None
    }
}

/// Where a path leads at one moment; `None` if that cannot be said, or is too much.
fn targets(path: &Path, bindings: &Bindings, view: &View<'_>) -> Option<Targets> {
    let mut found = BTreeSet::from([u64::try_from(bindings.get(path.root)?.to_i128()?).ok()?]);
    for pointer in &path.pointers {
        let (low, high) = (
            bindings.evaluate(&pointer.hull.low)?,
            bindings.evaluate(&pointer.hull.high)?,
        );
        let mut next = BTreeSet::new();
        for base in found {
            let mut at = i128::from(base) + low;
            while at + 8 <= i128::from(base) + high {
                // What lies between the pointers need not have a value.
                next.extend(u64::try_from(at).ok().and_then(|at| view.bits(at, 8)));
                at += 8;
                if next.len() > POINTERS {
                    return None;
                }
            }
        }
        found = next;
    }
    let bytes = (
        bindings.evaluate(&path.bytes.low)?,
        bindings.evaluate(&path.bytes.high)?,
    );
    Some(Targets {
        pointers: found,
        bytes,
    })
}

/// The values and conditions before a loop.
fn check_state(moment: &Moment<'_>, bindings: &Bindings, counts: &mut Counts, wrong: &mut Vec<String>) {
    for (variable, expr) in moment.of.before.variables.iter() {
        if moment.changed.contains(variable) {
            continue;
        }
        if let (Some(expected), Some(actual)) = (bindings.evaluate(expr), variable_value(moment, *variable)) {
            counts.values += 1;
            if expected != actual {
                wrong.push(format!("{variable:?} is {actual}, not {expr:?} = {expected}"));
            }
        }
    }
    for (cell, expr) in moment.of.before.cells.iter() {
        let (Some(address), Some(expected)) = (bindings.evaluate(&cell.address), bindings.evaluate(expr))
        else {
            continue;
        };
        let Some(bits) = u64::try_from(address)
            .ok()
            .and_then(|at| moment.view.bits(at, cell.size))
        else {
            continue;
        };
        counts.values += 1;
        let mask = if cell.size >= 8 {
            u64::MAX
        } else {
            (1 << (8 * cell.size)) - 1
        };
        if bits & mask != expected as u64 & mask {
            wrong.push(format!(
                "memory at {:?} holds {bits}, not {expr:?} = {expected}",
                cell.address
            ));
        }
    }
    for (condition, _) in moment.of.before.facts.conditions() {
        match condition.evaluate(&|symbol| bindings.get(symbol)) {
            Some(true) => counts.conditions += 1,
            Some(false) => wrong.push(format!("{condition:?} does not hold")),
            None => {}
        }
    }
}

fn check_claim(
    claim: &Claim,
    access: &Access,
    touch: &Touch,
    bindings: &Bindings,
    counts: &mut Counts,
    say: &mut dyn FnMut(&'static str, String),
) {
    let Some(hull) = &claim.hull else { return };
    let ends = |low: &Expr, high: &Expr| Some((bindings.evaluate(low)?, bindings.evaluate(high)?));
    let Some((low, high)) = ends(&hull.low, &hull.high) else {
        counts.skipped += 1;
        return;
    };
    counts.hulls += 1;
    let touched = format!("touched {} .. {}", touch.low, touch.high);
    if touch.low < low || touch.high > high {
        if !claim.ambiguous {
            say(
                "hull",
                format!(
                    "{touched}, not inside {:?} .. {:?} = {low} .. {high}",
                    hull.low, hull.high
                ),
            );
        }
    } else if hull.exact && !claim.ambiguous {
        let tight = touch.low == low && touch.high == high;
        if claim.unconditional {
            counts.exact += 1;
            if !tight {
                say(
                    "exact hull",
                    format!(
                        "{touched} only, of {:?} .. {:?} = {low} .. {high}",
                        hull.low, hull.high
                    ),
                );
            }
        } else if !tight {
            counts.loose += 1;
        }
    }
    if let Some(Part { hull, happens }) = &claim.joined {
        if let Some((first, end)) = ends(&hull.low, &hull.high)
            && (first > low || end < high)
        {
            say(
                "joined hull",
                format!("{first} .. {end} does not hold {low} .. {high}"),
            );
        }
        if happens.evaluate(&|symbol| bindings.get(symbol)) == Some(false) {
            say("joined hull", format!("{touched}, but {happens:?} does not hold"));
        }
    }
    if let Some(section) = &claim.section
        && let Some((lower, length)) = ends(&section.lower, &section.length)
    {
        let size = i128::from(access.size);
        if lower * size > low || (lower + length) * size < high {
            say(
                "section",
                format!("[{lower}:{length}] of {size} bytes does not hold {low} .. {high}"),
            );
        }
    }
    if !claim.ambiguous {
        check_box(claim, touch, bindings, counts, say);
    }
}

fn check_box(
    claim: &Claim,
    touch: &Touch,
    bindings: &Bindings,
    counts: &mut Counts,
    say: &mut dyn FnMut(&'static str, String),
) {
    let (Some(certain), Some(runs)) = (&claim.certain, &touch.runs) else {
        return;
    };
    let (Some(start), Some(size)) = (
        bindings.evaluate(&certain.start),
        bindings.evaluate(&certain.size),
    ) else {
        return;
    };
    let mut starts = vec![start];
    for (stride, count) in &certain.dimensions {
        let (Some(stride), Some(count)) = (bindings.evaluate(stride), bindings.evaluate(count)) else {
            return;
        };
        if count.saturating_mul(starts.len() as i128) > 1 << 18 {
            return;
        }
        starts = starts
            .iter()
            .flat_map(|at| (0..count).map(move |number| at + number * stride))
            .collect();
    }
    counts.boxes += 1;
    let mut sorted: Vec<(i128, i128)> = runs.clone();
    sorted.sort_unstable();
    let mut merged: Vec<(i128, i128)> = Vec::new();
    for (low, high) in sorted {
        match merged.last_mut() {
            Some(last) if last.1 >= low => last.1 = last.1.max(high),
            _ => merged.push((low, high)),
        }
    }
    for at in &starts {
        let place = merged.partition_point(|(low, _)| low <= at);
        let inside = place > 0 && merged[place - 1].1 >= at + size;
        if !inside {
            say(
                "certain box",
                format!("{at} .. {} of {certain:?} is not touched", at + size),
            );
            break;
        }
    }
}

impl Observer for Judge<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        if follows_by_name(self.program, access.object) {
            return;
        }
        let callers: Vec<_> = self.stack.callers().collect();
        for caller in callers {
            if let Some(spot) = self.spot_of_caller(access, caller) {
                self.touch(access, &spot, caller.0);
            }
        }
        let Some(spot) = self.spot(access) else { return };
        let Some(frame) = self.frames.last() else {
            return;
        };
        if (access.at.unit, access.at.function) == (frame.unit, Some(frame.function)) {
            self.touch(access, &spot, self.frames.len() - 1);
        }
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        match event {
            LoopEvent::Enter => self.enter(key, view),
            LoopEvent::Test | LoopEvent::Body(_) => self.iteration(key, event, view),
            LoopEvent::Step => {}
            LoopEvent::Exit => self.exit(key, view),
        }
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.stack.call(unit, function, site);
        self.frames.push(Frame {
            unit,
            function,
            loops: Vec::new(),
            bindings: Bindings::default(),
        });
    }

    fn leave(&mut self, _unit: u32, _function: FunctionRef) {
        self.stack.leave();
        self.frames.pop();
    }
}

impl Judge<'_> {
    /// Notes what an access touches, for the loops that run in the function at one place of the stack.
    fn touch(&mut self, access: &interpret::Access<'_>, spot: &Spot, place: usize) {
        let Some(frame) = self.frames.get_mut(place) else {
            return;
        };
        let own_statements = self.program.units[frame.unit as usize]
            .function(frame.function)
            .statements;
        let mut wrong = None;
        // Of an access through a pointer that is one of several, the alternative that is made.
        let made: Vec<usize> = spot
            .accesses
            .iter()
            .copied()
            .filter(|number| is_made(&self.plans, &frame.loops, access, *number, &spot.accesses))
            .collect();
        for running in &mut frame.loops {
            let Some(touches) = &mut running.touches else {
                continue;
            };
            let Some(plan) = self.plans.get(&running.key) else {
                continue;
            };
            for number in &made {
                let Some(slot) = plan.by_access.get(number).copied() else {
                    continue;
                };
                if let Some((_, touched)) = running.led.get_mut(&slot)
                    && touched.len() < POINTERS
                {
                    touched.insert((access.address, access.address + access.size));
                }
                let own = &plan.facts.values.accesses[*number];
                let Some(root) = own.root else { continue };
                let symbols = &plan.facts.values.symbols;
                let mut is = |right: bool| {
                    if !right && !plan.claims[slot].ambiguous {
                        wrong = Some((own.origin, access.object));
                    }
                    right
                };
                let low = match &symbols.info(root).kind {
                    SymbolKind::Address(variable) => {
                        if !is(is_object(
                            self.program,
                            plan,
                            *variable,
                            access.object,
                            running.key,
                        )) {
                            continue;
                        }
                        i128::from(access.offset)
                    }
                    // Which call of an allocation function inside a called function it was is not looked up.
                    SymbolKind::Allocated(stmt) if stmt.0 >= own_statements => continue,
                    SymbolKind::Allocated(stmt) => {
                        if !is(matches!(access.object, Object::Heap(_, _, at) if at == *stmt)) {
                            continue;
                        }
                        i128::from(access.offset)
                    }
                    _ => match running.bindings.get(root).and_then(|root| root.to_i128()) {
                        Some(root) => i128::from(access.address) - root,
                        None => continue,
                    },
                };
                let high = low + i128::from(access.size);
                let wants_runs = plan.claims[slot].certain.is_some();
                match &mut touches[slot] {
                    Some(touch) => {
                        touch.low = touch.low.min(low);
                        touch.high = touch.high.max(high);
                        if let Some(runs) = &mut touch.runs {
                            match runs.last_mut() {
                                Some(last) if last.1 == low => last.1 = high,
                                Some(last) if *last == (low, high) => {}
                                _ => runs.push((low, high)),
                            }
                        }
                    }
                    none => {
                        *none = Some(Touch {
                            low,
                            high,
                            runs: wants_runs.then(|| vec![(low, high)]),
                        })
                    }
                }
            }
        }
        if let Some((origin, object)) = wrong {
            self.complain("root", origin, format!("the object is {object:?}"));
        }
    }
}

/// True if the object is the variable; a global of another unit is found by its name.
/// True if an access is the one that is made, of several at one place.
fn is_made(
    plans: &HashMap<LoopKey, Plan<'_>>,
    loops: &[Running],
    access: &interpret::Access<'_>,
    number: usize,
    all: &[usize],
) -> bool {
    let Some((innermost, plan)) = loops
        .last()
        .and_then(|running| Some((running, plans.get(&running.key)?)))
    else {
        return true;
    };
    let Some(values) = Some(&plan.facts.values).filter(|values| number < values.accesses.len()) else {
        return true;
    };
    let own = &values.accesses[number];
    if own.choice.as_ref().is_none_or(|choice| choice.of == 1) {
        return true;
    }
    let value = |symbol: Symbol| {
        let counter = loops.iter().find_map(|running| {
            let plan = plans.get(&running.key)?;
            (plan.of.counter == symbol).then(|| Integer::from(i128::from(running.iterations) - 1))
        });
        counter.or_else(|| innermost.bindings.get(symbol))
    };
    let condition = own.guards.last().and_then(|guard| guard.known());
    if let Some(made) = condition.and_then(|condition| condition.evaluate(&value)) {
        return made;
    }
    // Which one depends on data: the one whose pointer leads into the object.
    let begin = i128::from(access.address) - i128::from(access.offset);
    let root = |number: &usize| innermost.bindings.get(values.accesses[*number].root?)?.to_i128();
    let roots: Option<Vec<i128>> = all.iter().map(root).collect();
    let Some(roots) = roots else { return true };
    let nearest = roots.iter().filter(|root| **root >= begin).min();
    let mut same = roots.iter().filter(|root| Some(*root) == nearest);
    root(&number) == nearest.copied() && same.next().is_some() && same.next().is_none()
}

fn is_object(
    program: &Analysed,
    plan: &Plan<'_>,
    variable: VariableRef,
    object: Object,
    key: LoopKey,
) -> bool {
    match (variable, object) {
        (VariableRef::Local(local), Object::Local(unit, function, other)) => {
            (key.unit, plan.facts.function, local) == (unit, function, other)
        }
        (VariableRef::Global(global), Object::Global(unit, other)) => {
            let name = |unit: u32, global| &program.units[unit as usize].global(global).name;
            name(key.unit, global) == name(unit, other)
        }
        _ => false,
    }
}
