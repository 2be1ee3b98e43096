//! Who reaches each access of a region of teams or threads, in which phase, and holding what?
//!
//! The region is walked in the order of its text, with the functions that it calls. Barriers, those at the end of worksharing constructs included, begin a new
//! phase. A loop that has barriers inside is walked twice, so that the end of one iteration meets the beginning of the next.
//!
//! What it cannot do: tasks, nested parallel regions and kernels inside of a region: their accesses are left out. A region with `flush`, `cancel`, jumps, calls
//! of functions of which nothing is known, or a loop of unknown length that waits for something atomic orders itself by hand; nothing is said of it.

use super::lock::{self, Held};
use super::shared::Own;
use super::spot::{Decision, Kind, Level, Shared, Spot, Worker};
use super::taken::Taken;
use super::{Program, tests_first};
use crate::value::Workers;
use crate::verify::nest;
use ferry_directive::{Directive, Item, Language};
use ferry_ir::{Callee, Expr as Code, ExprKind, LocalId, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// Most accesses of one region that are looked at.
const MOST: usize = 3000;
/// So deep loops with barriers inside are walked twice each.
const TWICE: usize = 2;

/// What a region does.
pub(super) struct Region<'a> {
    program: &'a Program<'a>,
    pub stmt: StmtId,
    pub spots: Vec<Spot>,
    /// The number of conditions around it.
    guards: usize,
    own: Own,
    taken: Taken,
    /// Parameters of functions that are called inside, which all threads give the same.
    given: BTreeSet<VariableRef>,
    levels: Vec<Level>,
    instances: u32,
    phase: u32,
    held: Held,
    conditions: Vec<Decision>,
    /// Loops around, inside the region, whose test is passed where they go on.
    tests: usize,
    later: Vec<Symbol>,
    /// What is walked is not understood, or is run by others than the threads of the region.
    silent: usize,
    /// Parallel regions inside of the one that is followed.
    nested: usize,
    /// Loops of unknown length around.
    endless: usize,
    twice: usize,
    /// It may order itself in ways that are not followed.
    by_hand: bool,
    /// It has more accesses than are looked at.
    pub cut_short: bool,
}

/// True for a directive that makes teams or threads.
pub(super) fn makes_threads(directive: &Directive<Code>) -> bool {
    directive.language == Language::OpenMp && (directive.has_leaf("parallel") || directive.has_leaf("teams"))
}

impl<'a> Region<'a> {
    /// The accesses of a region; `None` if it was not understood.
    pub fn of(program: &'a Program<'a>, stmt: &'a Stmt) -> Option<Region<'a>> {
        let mut region = Region {
            program,
            stmt: stmt.id,
            spots: Vec::new(),
            guards: program.values.directives.get(&stmt.id)?.guards,
            own: Own::of(program, stmt.id),
            taken: Taken::of(program, stmt),
            given: BTreeSet::new(),
            levels: Vec::new(),
            instances: 0,
            phase: 0,
            held: Held::new(),
            conditions: Vec::new(),
            tests: 0,
            later: Vec::new(),
            silent: 0,
            nested: 0,
            endless: 0,
            twice: 0,
            by_hand: false,
            cut_short: false,
        };
        region.statement(stmt);
        // What comes behind may order it by hand.
        region.cut_short = region.spots.len() > MOST;
        if region.cut_short {
            region.spots.clear();
        }
        (!region.by_hand).then_some(region)
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        if self.by_hand || self.spots.len() > MOST {
            return;
        }
        match &stmt.kind {
            StmtKind::Directive { directive, body } => {
                return self.directive(stmt, directive, body.as_deref());
            }
            StmtKind::Opaque { .. } | StmtKind::Goto(_) | StmtKind::Label(_) => self.by_hand = true,
            StmtKind::Declare { local } => self.own.add(self.program, VariableRef::Local(*local)),
            _ => {}
        }
        self.note(stmt, false);
        match &stmt.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(|inner| self.statement(inner)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                // Of what a thread has taken from the others the values say what the first one has.
                let differs = self.taken.decides(condition);
                if let Some(branch) = self.program.decided(stmt.id).filter(|_| !differs) {
                    let branch = if branch { Some(then) } else { otherwise.as_ref() };
                    if let Some(branch) = branch {
                        self.statement(branch);
                    }
                    return;
                }
                let common = !differs && self.is_common(condition);
                let mut decision = Decision {
                    stmt: stmt.id,
                    branch: true,
                    common,
                };
                let before = self.held.clone();
                self.conditions.push(decision);
                self.statement(then);
                self.conditions.pop();
                let mut after = std::mem::replace(&mut self.held, before);
                if let Some(otherwise) = otherwise {
                    decision.branch = false;
                    self.conditions.push(decision);
                    self.statement(otherwise);
                    self.conditions.pop();
                }
                self.held.append(&mut after);
            }
            StmtKind::Loop(inner) => {
                let mut assigned = BTreeSet::new();
                for part in &inner.init {
                    crate::scalar::assigned_variables(part, &mut assigned);
                }
                for variable in assigned {
                    self.own.add(self.program, variable);
                }
                inner.init.iter().for_each(|part| self.statement(part));
                let facts = self.program.values.loops.iter().find(|one| one.stmt == stmt.id);
                let counter = facts.map(|facts| facts.counter);
                let endless = usize::from(facts.is_none_or(|facts| facts.trip.is_err()));
                self.endless += endless;
                let phase = self.phase;
                self.iteration(inner);
                if let (true, true, Some(counter)) = (self.phase != phase, self.twice < TWICE, counter) {
                    self.twice += 1;
                    self.later.push(counter);
                    self.iteration(inner);
                    self.later.pop();
                    self.twice -= 1;
                }
                self.endless -= endless;
            }
            StmtKind::Switch { body, .. } => {
                self.silent += 1;
                self.statement(body);
                self.silent -= 1;
            }
            StmtKind::Call {
                callee, arguments, ..
            } => self.call(stmt, callee, arguments),
            _ => {}
        }
    }

    fn iteration(&mut self, inner: &'a ferry_ir::Loop) {
        inner.before_test.iter().for_each(|part| self.statement(part));
        let tests = tests_first(inner);
        self.tests += tests;
        self.statement(&inner.body);
        inner.step.iter().for_each(|part| self.statement(part));
        self.tests -= tests;
    }

    /// Keeps the accesses of a statement that are to storage that is certainly shared, and certainly made.
    fn note(&mut self, stmt: &Stmt, atomic: bool) {
        if self.silent > 0 || self.endless > 0 || self.levels.is_empty() || self.taken.leads(stmt) {
            return;
        }
        for number in self.program.accesses(stmt.id) {
            let access = &self.program.values.accesses[number];
            let (Some(root), Some(address)) = (access.root, &access.address) else {
                continue;
            };
            let conditions = access.guards.len().saturating_sub(self.guards);
            if access.volatile
                || access.partial
                || access.summary.is_some()
                || !access.irregular.is_empty()
                || conditions > self.conditions.len() + self.tests
                || access.facts.infeasible()
                || !self.own.is_shared(self.program, root)
                || !self.own.is_same(self.program, address)
            {
                continue;
            }
            let mut address = address.clone();
            for counter in &self.later {
                let next = &Expr::symbol(*counter) + &Expr::one();
                address = address.substitute(*counter, &next);
            }
            self.spots.push(Spot {
                access: number,
                address,
                levels: self.levels.clone(),
                phase: self.phase,
                held: self.held.clone(),
                atomic,
                conditions: self.conditions.clone(),
                later: self.later.clone(),
                at: access.origin,
            });
        }
    }

    /// True for a condition on nothing but variables that all threads share and constants.
    fn is_common(&self, condition: &Code) -> bool {
        match &condition.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Load(place) => place.as_variable().is_some_and(|variable| {
                let address = self.program.values.addresses.get(&variable);
                self.given.contains(&variable)
                    || address.is_some_and(|address| self.own.is_shared(self.program, *address))
            }),
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.is_common(inner),
            ExprKind::Binary(_, a, b) => self.is_common(a) && self.is_common(b),
            _ => false,
        }
    }

    fn call(&mut self, stmt: &'a Stmt, callee: &Callee, arguments: &[Code]) {
        let Callee::Function(id) = callee else {
            self.by_hand = true;
            return;
        };
        let function = self.program.unit.function(*id);
        if let Some(body) = self.program.values.bodies.get(&stmt.id) {
            self.own
                .add_function(self.program, body.base, function.locals.len());
            let mut assigned = BTreeSet::new();
            crate::scalar::assigned_variables(&body.stmt, &mut assigned);
            let parameters = (body.base..).map(|number| VariableRef::Local(LocalId(number)));
            for (parameter, argument) in parameters.zip(arguments).take(function.parameters as usize) {
                if !assigned.contains(&parameter) && self.is_common(argument) {
                    self.given.insert(parameter);
                }
            }
            return self.statement(&body.stmt);
        }
        match lock::call(self.program, stmt.id, &function.name) {
            Some(call) => self.by_hand |= call.change(&mut self.held) && self.endless > 0,
            None => self.by_hand |= self.program.is_unseen(*id),
        }
    }

    fn directive(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: Option<&'a Stmt>) {
        let Some(body) = body else {
            return self.stand_alone(directive);
        };
        if directive.language != Language::OpenMp {
            return self.silently(body);
        }
        match directive.name.as_str() {
            "critical" => {
                let lock = lock::critical(directive);
                self.by_hand |= self.endless > 0;
                let new = self.held.insert(lock.clone());
                self.statement(body);
                if new {
                    self.held.remove(&lock);
                }
                return;
            }
            "atomic" => {
                self.by_hand |= self.endless > 0;
                return self.atomic(directive, body);
            }
            // Iterations go through it one after the other.
            "ordered" => return self.silently(body),
            "taskgroup" => {
                self.phase += 1;
                self.statement(body);
                self.phase += 1;
                return;
            }
            "simd" | "target data" => return self.with_clauses(stmt, directive, body),
            _ => {}
        }
        self.region(stmt, directive, body);
    }

    /// A construct that makes teams or threads, or shares out work.
    fn region(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: &'a Stmt) {
        let has = |leaf: &str| directive.has_leaf(leaf);
        let understood = [
            "target",
            "teams",
            "parallel",
            "distribute",
            "for",
            "simd",
            "loop",
            "sections",
            "section",
            "single",
            "master",
            "masked",
        ];
        let known = directive.name.split(' ').all(|word| understood.contains(&word));
        let inside = !self.levels.is_empty();
        // A kernel works in another memory than the threads of the host.
        let understood = known && !(has("target") && inside);
        if !understood {
            self.silently(body);
            // Its end may be a barrier.
            self.phase += 1;
            return;
        }
        let depth = self.enter(stmt, directive);
        let nested = has("parallel") && depth.nested;
        self.nested += usize::from(nested);
        let shares = ["distribute", "for", "loop"].iter().any(|leaf| has(leaf));
        let kept = self.levels.clone();
        let mut left_out = 0;
        if shares {
            let loops = nest::loops(directive, body);
            match self.iterations(stmt, directive, &loops) {
                Some(shared) => self.share(directive, &shared),
                None => left_out = 1,
            }
        }
        if ["single", "master", "masked"].iter().any(|leaf| has(leaf)) {
            self.work(Kind::Threads, &Worker::One);
        }
        self.silent += left_out;
        match has("sections") {
            true => self.sections(stmt, directive, body),
            false => self.with_clauses(stmt, directive, body),
        }
        self.silent -= left_out;
        self.levels = kept;
        self.nested -= usize::from(nested);
        self.levels.truncate(depth.levels);
        // Threads wait at the end of what they share out, and where they end.
        let waits = ["for", "sections", "single"].iter().any(|leaf| has(leaf))
            || has("loop") && self.levels.iter().any(|level| level.kind == Kind::Threads);
        if has("parallel") || waits && !directive.has_clause("nowait") {
            self.phase += 1;
        }
    }

    /// Opens the levels that a directive makes: of those that are one team or one thread, none.
    fn enter(&mut self, stmt: &Stmt, directive: &Directive<Code>) -> Depth {
        let levels = self.levels.len();
        let has = |leaf: &str| directive.has_leaf(leaf);
        let at = self.program.values.directives.get(&stmt.id);
        let workers = at.map_or(Workers::UNSAID, |at| at.workers);
        if has("teams") && workers.teams != Some(false) {
            self.open(Kind::Teams, workers.teams.is_some());
        }
        let nested = has("parallel") && self.levels.iter().any(|level| level.kind == Kind::Threads);
        if has("parallel") && !nested && workers.threads != Some(false) {
            self.open(Kind::Threads, workers.threads.is_some());
        }
        Depth { levels, nested }
    }

    fn open(&mut self, kind: Kind, certain: bool) {
        self.instances += 1;
        self.levels.push(Level {
            kind,
            certain,
            instance: self.instances,
            worker: Worker::All,
        });
        self.phase += 1;
    }

    /// The loops that a directive shares out.
    fn iterations(&self, stmt: &Stmt, directive: &Directive<Code>, loops: &[&'a Stmt]) -> Option<Shared> {
        let counter = |stmt: &&Stmt| {
            let facts = self.program.values.loops.iter().find(|one| one.stmt == stmt.id)?;
            facts.trip.is_ok().then_some(facts.counter)
        };
        let counters: Option<Vec<Symbol>> = loops.iter().map(counter).collect();
        let schedule: Vec<&str> = directive
            .clauses_named("schedule")
            .flat_map(|clause| clause.items())
            .filter_map(|item| match item {
                Item::Word(word) => Some(word.as_str()),
                _ => None,
            })
            .collect();
        Some(Shared {
            construct: stmt.id,
            counters: counters.filter(|counters| !counters.is_empty())?,
            dynamic: schedule.iter().any(|word| matches!(*word, "dynamic" | "guided")),
        })
    }

    /// Whose iterations they are.
    fn share(&mut self, directive: &Directive<Code>, shared: &Shared) {
        let has = |leaf: &str| directive.has_leaf(leaf);
        let work = Worker::Iterations(shared.clone());
        let threads = self.levels.iter().any(|level| level.kind == Kind::Threads);
        if has("distribute") || has("loop") && (has("teams") || !threads) {
            self.work(Kind::Teams, &work);
        }
        if has("for") || has("loop") && (threads || has("parallel")) {
            self.work(Kind::Threads, &work);
        }
    }

    fn work(&mut self, kind: Kind, worker: &Worker) {
        // What a nested region shares out, it shares among its own threads.
        if self.nested > 0 && kind == Kind::Threads {
            return;
        }
        for level in self.levels.iter_mut().filter(|level| level.kind == kind) {
            level.worker = worker.clone();
        }
    }

    fn sections(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: &'a Stmt) {
        let Some(added) = self.own.add_clauses(self.program, stmt.id, directive) else {
            return self.silently(body);
        };
        let StmtKind::Block { body: parts, .. } = &body.kind else {
            return self.silently(body);
        };
        let mut number = 0;
        for part in parts {
            let section =
                matches!(&part.kind, StmtKind::Directive { directive, .. } if directive.name == "section");
            number += u32::from(section);
            let kept = self.levels.clone();
            self.work(Kind::Threads, &Worker::Section(stmt.id, number));
            match &part.kind {
                StmtKind::Directive {
                    body: Some(inner), ..
                } if section => self.statement(inner),
                _ => self.statement(part),
            }
            self.levels = kept;
        }
        self.own.remove(&added);
    }

    fn with_clauses(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: &'a Stmt) {
        // One copy for a whole kernel is shared by its threads.
        if matches!(directive.name.as_str(), "target" | "target data") {
            return self.statement(body);
        }
        match self.own.add_clauses(self.program, stmt.id, directive) {
            Some(added) => {
                self.statement(body);
                self.own.remove(&added);
            }
            None => self.silently(body),
        }
    }

    fn silently(&mut self, body: &'a Stmt) {
        self.silent += 1;
        self.statement(body);
        self.silent -= 1;
    }

    fn stand_alone(&mut self, directive: &Directive<Code>) {
        match directive.name.as_str() {
            // A wait for tasks orders what they did; it is not asked how.
            "barrier" | "taskwait" => self.phase += 1,
            "flush" | "cancel" | "cancellation point" | "ordered" | "depobj" | "interop" => {
                self.by_hand = true
            }
            _ => {}
        }
    }

    /// The one storage that an atomic construct updates is touched atomically; what else its statements read is not.
    fn atomic(&mut self, directive: &Directive<Code>, body: &'a Stmt) {
        let reads_only = directive.has_clause("read");
        let all = directive.has_clause("capture") || directive.has_clause("compare");
        let mut statements = Vec::new();
        body.walk(&mut |inner| statements.push(inner));
        let accesses = &self.program.values.accesses;
        let written: Vec<&Expr> = statements
            .iter()
            .flat_map(|stmt| self.program.accesses(stmt.id))
            .filter(|number| accesses[*number].is_write())
            .filter_map(|number| accesses[number].address.as_ref())
            .collect();
        for stmt in &statements {
            let before = self.spots.len();
            self.note(stmt, true);
            let spots = self.spots.split_off(before);
            let touched = |spot: &Spot| {
                let access = &accesses[spot.access];
                let updated = access
                    .address
                    .as_ref()
                    .is_some_and(|address| written.contains(&address));
                all || if reads_only { !access.is_write() } else { updated }
            };
            // What is beside it is left out, not taken for plain.
            self.spots.extend(spots.into_iter().filter(touched));
        }
    }

    /// True if a value is the same for all threads in corresponding iterations.
    pub fn is_same(&self, value: &Expr) -> bool {
        self.own.is_same(self.program, value)
    }
}

/// Where the levels were before a directive.
struct Depth {
    levels: usize,
    nested: bool,
}
