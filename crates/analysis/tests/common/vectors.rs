//! Do the direction vectors of obstacles cover every dependence between the accesses that they name? An observer that remembers, in each execution of a loop
//! that has obstacles, in which iterations those accesses touched each byte.
//!
//! Of each byte and access the first and the last few iterations are kept; sections of functions that are not walked into are not looked at.

use super::Analysed;
use super::pairs::Named;
use super::watching::{Complaints, Stack, counts, kind_of};
use ferry_analysis::access::AccessKind;
use ferry_analysis::dependence::Direction;
use ferry_analysis::verdict::{DependenceKind, Obstacle};
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Object, Observer, Site, View};
use ferry_ir::{FunctionRef, LoopKind, StmtId};
use ferry_source::Origin;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Loops with obstacles in memory that were entered.
        pub loops: u64,
        /// Vectors of these loops.
        pub vectors: u64,
        /// Of these, vectors that say more than that the loop carries something.
        pub sharp: u64,
        /// Pairs of iterations of a named pair that were compared with its vectors.
        pub compared: u64,
        /// Pairs that are said to be certain.
        pub certain: u64,
        /// Of these, pairs that really met.
        pub met: u64,
        /// Loops that are marked sequential, of which nothing is said to be certain, and a pair that is named really met.
        pub named: u64,
        /// Loops that are marked unknown, and in which a pair that is named was looked for.
        pub open: u64,
        /// Of these, those in which one really met.
        pub open_met: u64,
    }
}

/// An access of the analysis, as a run can find it: statement, place, read or write.
type End = (StmtId, Option<(u32, u32, u32)>, AccessKind);

fn end((stmt, origin): (StmtId, Origin), kind: AccessKind) -> End {
    let span = origin.span().map(|span| (span.file.0, span.start, span.end));
    (stmt, span, kind)
}

/// The ends of a kind of dependence.
fn kinds(kind: DependenceKind) -> (AccessKind, AccessKind) {
    match kind {
        DependenceKind::Flow => (AccessKind::Write, AccessKind::Read),
        DependenceKind::Anti => (AccessKind::Read, AccessKind::Write),
        DependenceKind::Output => (AccessKind::Write, AccessKind::Write),
    }
}

/// What a loop says of its dependences.
struct Plan<'a> {
    at: Origin,
    ends: Vec<End>,
    /// The vectors by earlier and later end.
    given: BTreeMap<(usize, usize), Vec<&'a [Direction]>>,
    /// Pairs of ends of obstacles, at the two places that are named, and what they say.
    named: BTreeMap<(usize, usize), &'a Obstacle>,
    /// The loop is marked sequential, and nothing else than these pairs is said to be certain: one of them must be true.
    must_meet: bool,
    /// The loop is marked unknown.
    open: bool,
    met: BTreeSet<(usize, usize)>,
    entered: bool,
}

impl<'a> Plan<'a> {
    fn of(
        at: Origin,
        (must_meet, open): (bool, bool),
        obstacles: impl Iterator<Item = &'a Obstacle>,
    ) -> Plan<'a> {
        let mut plan = Plan {
            at,
            ends: Vec::new(),
            given: BTreeMap::new(),
            named: BTreeMap::new(),
            must_meet,
            open,
            met: BTreeSet::new(),
            entered: false,
        };
        for obstacle in obstacles {
            for one in &obstacle.dependences {
                let (first, second) = kinds(one.kind);
                let source = plan.number(end(one.source, first));
                let sink = plan.number(end(one.sink, second));
                plan.given.entry((source, sink)).or_default().push(&one.vector);
                // The first dependences are those of the pair that is named.
                let named = [one.source.1, one.sink.1];
                // One place is that of an access that touches what it touched before.
                let other = obstacle.other.unwrap_or(obstacle.cause.at);
                let is_named = named == [obstacle.cause.at, other] || named == [other, obstacle.cause.at];
                if is_named {
                    plan.named
                        .entry((source.min(sink), source.max(sink)))
                        .or_insert(obstacle);
                }
            }
        }
        plan
    }

    fn number(&mut self, end: End) -> usize {
        match self.ends.iter().position(|known| *known == end) {
            Some(number) => number,
            None => {
                self.ends.push(end);
                self.ends.len() - 1
            }
        }
    }
}

/// The loops of one function around an access, from one of them inwards, with their iterations.
type Iterations = Rc<[(LoopKey, i128)]>;

struct Running {
    key: LoopKey,
    iteration: u64,
    bodies: u64,
    /// Of each byte, what touched it.
    touched: HashMap<(u64, u64), Vec<(usize, Iterations)>>,
}

/// Most iterations that are remembered of one access and byte.
const MOST: usize = 4;

/// Of accesses with more bytes, some are looked at between the first and the last one: one of each so many.
const WORD: u64 = 8;

/// Most of these: a limit of work.
const MOST_BETWEEN: usize = 512;

/// Judges one run.
pub struct Judge<'a> {
    program: &'a Analysed,
    plans: HashMap<LoopKey, Plan<'a>>,
    ends_last: BTreeSet<LoopKey>,
    /// Calls that are known by sections: whatever happens in them happens at the call.
    by_sections: HashMap<(u32, FunctionRef, StmtId), Origin>,
    frames: Vec<Vec<Running>>,
    stack: Stack,
    pub counts: Counts,
    pub complaints: Complaints,
}

impl<'a> Judge<'a> {
    /// All loops with obstacles.
    pub fn new(program: &'a Analysed) -> Judge<'a> {
        let mut plans = HashMap::new();
        let mut ends_last = BTreeSet::new();
        for (key, (facts, index)) in program.loops() {
            let verdict = &facts.verdicts[index.0 as usize];
            let at = facts.values.loops[index.0 as usize].origin;
            let keyword = facts.values.loops[index.0 as usize].keyword;
            let line = keyword.map(|span| program.line(span)).unwrap_or_default();
            let marked = line.split_once("// loop:").map(|(_, said)| said.trim());
            let is_marked = marked.is_some_and(|said| said.starts_with("sequential"));
            let is_open = marked.is_some_and(|said| said.starts_with("unknown"));
            let is_clear = verdict.obstacles.iter().any(|one| one.proved);
            let plan = Plan::of(at, (is_marked && !is_clear, is_open), verdict.uncombined());
            if !plan.given.is_empty() {
                plans.insert(key, plan);
            }
            let loops = program.loop_statements(key.unit, key.function);
            if loops
                .get(&key.statement)
                .is_some_and(|of| of.kind == LoopKind::Do)
            {
                ends_last.insert(key);
            }
        }
        let mut by_sections = HashMap::new();
        for ((unit, function), facts) in &program.facts {
            for access in facts
                .values
                .accesses
                .iter()
                .filter(|access| access.summary.is_some())
            {
                by_sections.insert((*unit, *function, access.stmt), access.origin);
            }
        }
        Judge {
            program,
            plans,
            ends_last,
            by_sections,
            frames: Vec::new(),
            stack: Stack::default(),
            counts: Counts::default(),
            complaints: Complaints::default(),
        }
    }

    /// The pairs that are named of loops that ran.
    pub fn named(&self) -> Vec<Named> {
        let plans = self.plans.iter().filter(|(_, plan)| plan.entered);
        let pairs = plans.flat_map(|(key, plan)| {
            plan.named.iter().map(|(pair, obstacle)| Named {
                of: *key,
                places: [obstacle.cause.at, obstacle.other.unwrap_or(obstacle.cause.at)],
                met: plan.met.contains(pair),
            })
        });
        pairs.collect()
    }

    /// Whether pairs that are said to be certain met, and one of those that are named of each loop that is marked sequential; those that did not, with their places.
    pub fn finish(&mut self) -> Vec<String> {
        let mut unmet = Vec::new();
        for plan in self.plans.values().filter(|plan| plan.entered) {
            self.counts.loops += 1;
            for vectors in plan.given.values() {
                self.counts.vectors += vectors.len() as u64;
                let is_sharp = |vector: &&&[Direction]| {
                    vector.first() != Some(&Direction::LATER)
                        || vector.iter().skip(1).any(|one| *one != Direction::ANY)
                };
                self.counts.sharp += vectors.iter().filter(is_sharp).count() as u64;
            }
            let is_met = plan.named.keys().any(|pair| plan.met.contains(pair));
            self.counts.named += u64::from(plan.must_meet && is_met);
            self.counts.open += u64::from(plan.open && !plan.named.is_empty());
            self.counts.open_met += u64::from(plan.open && is_met);
            let open = |obstacle: &Obstacle| plan.must_meet && !is_met && !obstacle.proved;
            for (pair, obstacle) in plan.named.iter().filter(|(_, one)| one.proved || open(one)) {
                self.counts.certain += u64::from(obstacle.proved);
                match plan.met.contains(pair) {
                    true => self.counts.met += 1,
                    false => unmet.push(format!(
                        "{}: {}",
                        self.program.place(obstacle.cause.at),
                        obstacle.cause.why
                    )),
                }
            }
        }
        unmet
    }

    /// An access, seen from one of the functions that run: it is at `statement`, and at `origin` in the text.
    fn note(&mut self, place: usize, (statement, origin): (StmtId, Origin), access: &interpret::Access<'_>) {
        let own = end((statement, origin), kind_of(access));
        let Some(frame) = self.frames.get_mut(place) else {
            return;
        };
        let now: Vec<(LoopKey, i128)> = frame
            .iter()
            .map(|running| (running.key, i128::from(running.iteration)))
            .collect();
        for (depth, running) in frame.iter_mut().enumerate() {
            let Some(plan) = self.plans.get_mut(&running.key) else {
                continue;
            };
            let Some(number) = plan.ends.iter().position(|end| *end == own) else {
                continue;
            };
            let now: Iterations = now.get(depth..).unwrap_or_default().into();
            let last = access.offset + access.size.max(1) - 1;
            // What moves many bytes may meet another one anywhere between its ends.
            let between = (access.offset + 1..last).filter(|offset| offset % WORD == 0);
            let between = between.take(MOST_BETWEEN);
            for offset in BTreeSet::from_iter(between.chain([access.offset, last])) {
                let touched = running.touched.entry((access.allocation, offset)).or_default();
                for (earlier, then) in touched.iter() {
                    if let Some(wrong) = plan.wrong((*earlier, then), (number, &now), &mut self.counts) {
                        let at = self.program.place(plan.at);
                        let (from, to) = (plan.ends[*earlier], plan.ends[number]);
                        let message = format!("{at}: from {from:?} to {to:?}: {wrong}");
                        self.complaints.add(format!("{at} {from:?} {to:?}"), message);
                    }
                }
                let same: Vec<usize> = (0..touched.len()).filter(|at| touched[*at].0 == number).collect();
                if let (true, Some(oldest)) = (same.len() >= MOST, same.get(1)) {
                    touched.remove(*oldest);
                }
                if same
                    .last()
                    .is_none_or(|newest| touched.get(*newest).is_none_or(|(_, then)| *then != now))
                {
                    touched.push((number, now.clone()));
                }
            }
        }
    }
}

impl Plan<'_> {
    /// What is wrong if these two touched the same byte.
    fn wrong(
        &mut self,
        (earlier, then): (usize, &Iterations),
        (later, now): (usize, &Iterations),
        counts: &mut Counts,
    ) -> Option<String> {
        let common = then.iter().zip(now.iter()).take_while(|(a, b)| a.0 == b.0);
        let distances: Vec<i128> = common.map(|(a, b)| b.1 - a.1).collect();
        // Only what the loop itself carries.
        if distances.first().is_none_or(|distance| *distance < 1) {
            return None;
        }
        let pair = (earlier, later);
        let is_named = self.given.contains_key(&pair) || self.given.contains_key(&(later, earlier));
        if !is_named {
            return None;
        }
        counts.compared += 1;
        self.met.insert((earlier.min(later), earlier.max(later)));
        let given = self.given.get(&pair).map(Vec::as_slice).unwrap_or_default();
        let covers = |vector: &&[Direction]| {
            let both = vector.iter().zip(&distances);
            vector.len() <= distances.len() && both.into_iter().all(|(one, distance)| one.covers(*distance))
        };
        match given.iter().any(covers) {
            true => None,
            false => {
                let given: Vec<String> = given
                    .iter()
                    .map(|vector| vector.iter().map(|one| format!("{one} ")).collect())
                    .collect();
                Some(format!("{distances:?} is in none of {given:?}"))
            }
        }
    }
}

impl Observer for Judge<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        if access.at.function.is_some() {
            let innermost = self.frames.len().saturating_sub(1);
            self.note(innermost, (access.at.statement, access.at.origin), access);
        }
        let callers: Vec<_> = self.stack.callers().collect();
        for (place, unit, function, call) in callers {
            let of_call = self.by_sections.get(&(unit, function, call)).copied();
            self.note(place, (call, of_call.unwrap_or(access.at.origin)), access);
        }
    }

    fn allocated(&mut self, _allocation: u64, _object: Object, _size: u64) {}

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, _view: &View<'_>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match event {
            LoopEvent::Enter => {
                if let Some(plan) = self.plans.get_mut(&key) {
                    plan.entered = true;
                }
                frame.push(Running {
                    key,
                    iteration: 0,
                    bodies: 0,
                    touched: HashMap::new(),
                });
            }
            LoopEvent::Exit => drop(frame.pop()),
            LoopEvent::Test => {
                if let Some(running) = frame.last_mut()
                    && !self.ends_last.contains(&key)
                {
                    running.iteration = running.bodies;
                }
            }
            LoopEvent::Body(number) => {
                if let Some(running) = frame.last_mut() {
                    running.iteration = number;
                    running.bodies = number + 1;
                }
            }
            LoopEvent::Step => {}
        }
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.stack.call(unit, function, site);
        self.frames.push(Vec::new());
    }

    fn leave(&mut self, _unit: u32, _function: FunctionRef) {
        self.stack.leave();
        self.frames.pop();
    }
}
