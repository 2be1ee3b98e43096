//! Which explicit tasks touch what other tasks, or who makes them, touch, though nothing orders them?
//!
//! A region of several threads is walked in the order of its text, as the thread goes that makes the tasks. A `task` is pending from where it is made: until a
//! `taskwait` of the task that made it, the end of a `taskgroup` around it, or a barrier. Its own tasks are pending by themselves, since `taskwait` waits for children
//! only, and `depend` orders only children of one task. What is touched while a task is pending that touches the same storage races with it.
//!
//! Which storage is the same: a task has copies of what its clauses say, and of variables that not all threads share (OpenMP 5.0 §2.19.1.1). Of each variable it is known which
//! task has it for itself (`homes`), and two touches count only if it is the same one's.
//!
//! What it cannot do: `taskloop` (see [`crate::verify`]), tasks that are made under conditions which differ, tasks of `section`s and iterations beside one another, those in nested
//! parallel regions, and what a function does that is made for tasks of its callers beside their other tasks. Of a region that orders itself by hand (`flush`, `cancel`, a loop that waits, `detach`) nothing is said.

mod conflict;
mod ended;
mod task;
mod team;

use super::depend::{Dependence, dependences, in_order};
use super::inside::Inside;
use super::lock;
use super::taken::Taken;
use super::touch;
use super::{Program, makes_threads, tests_first};
use crate::coherence::{Confidence, Defect};
use crate::shape::{self, any, is_case, is_unknown, may_leave};
use crate::verify::nest;
use crate::verify::sharing::own_of;
use ferry_directive::{Directive, Language};
use ferry_ir::flow::does_not_return;
use ferry_ir::{
    Callee, Expr as Code, FunctionRef, LocalId, Loop, Stmt, StmtId, StmtKind, VariableKind, VariableRef,
};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;
use team::{Branch, Passed, Task, Team};

/// Most pairs of touches of one function that are compared.
const PAIRS: usize = 40_000;

struct Walk<'a> {
    program: &'a Program<'a>,
    team: Option<Team>,
    conditions: Vec<Passed>,
    tests: usize,
    /// How many guards there were at the last directive, less the branches and tests around it.
    others: isize,
    /// What the run time says of threads, and what they have taken from one another.
    asked: Taken,
    later: Vec<Symbol>,
    numbers: usize,
    pairs: usize,
    found: Vec<Defect>,
    /// What was said: the task, and the storage.
    said: BTreeSet<(StmtId, Symbol)>,
    /// The variables of the functions that are walked, innermost last; not of one whose team is in it.
    functions: Vec<ended::Function>,
    /// Control does not come here: what was called never comes back, or a loop never ends.
    unreached: bool,
    /// Blocks behind which nothing comes before a barrier.
    before_a_barrier: BTreeSet<StmtId>,
}

fn has(body: &Stmt, wanted: impl Fn(&Directive<Code>) -> bool) -> bool {
    any(
        body,
        &mut |stmt| matches!(&stmt.kind, StmtKind::Directive { directive, .. } if wanted(directive)),
    )
}

/// True if explicit tasks are made in a function, or in what it calls.
pub(super) fn makes_tasks(program: &Program<'_>, body: &Stmt) -> bool {
    let bodies = program.values.bodies.values().map(|body| &body.stmt);
    bodies
        .chain([body])
        .any(|body| has(body, Directive::is_explicit_task))
}

/// The defects of a function with all that it calls. A function that makes tasks for a team of its callers is looked at as part of one, if it is said how sure it is that there is one.
pub(super) fn unordered(
    program: &Program<'_>,
    function: FunctionRef,
    body: &Stmt,
    in_team: Option<Confidence>,
) -> Vec<Defect> {
    let mut walk = Walk {
        program,
        team: None,
        conditions: Vec::new(),
        tests: 0,
        others: 0,
        asked: Taken::default(),
        later: Vec::new(),
        numbers: 0,
        pairs: PAIRS,
        found: Vec::new(),
        said: BTreeSet::new(),
        functions: Vec::new(),
        unreached: false,
        before_a_barrier: BTreeSet::new(),
    };
    match in_team {
        Some(sure) if !has(body, makes_threads) => {
            walk.begin(body, sure);
            // Its callers may be one thread, or all.
            walk.with_team(|team| team.of_one = true);
            for variable in program.values.addresses.keys() {
                if matches!(variable, VariableRef::Local(_)) {
                    walk.is_own(*variable);
                }
            }
            walk.enter(0..program.unit.function(function).locals.len() as u32);
            walk.statement(body);
            walk.leave(body);
            walk.end_of_team();
        }
        _ => walk.statement(body),
    }
    walk.found
}

impl<'a> Walk<'a> {
    fn statement(&mut self, stmt: &'a Stmt) {
        // Control may come to a label from elsewhere.
        let is_label = |inner: &Stmt| matches!(inner.kind, StmtKind::Label(_)) || is_case(inner);
        if self.unreached && !any(stmt, &mut |inner| is_label(inner)) {
            return;
        }
        self.unreached = false;
        match &stmt.kind {
            StmtKind::Directive { directive, body } => {
                return self.directive(stmt, directive, body.as_deref());
            }
            StmtKind::Opaque { .. } | StmtKind::Goto(_) | StmtKind::Label(_) => {
                self.with_team(Team::order_by_hand)
            }
            StmtKind::Declare { local } => self.begins(VariableRef::Local(*local)),
            _ if is_unknown(stmt) => self.with_team(Team::order_by_hand),
            _ => {}
        }
        let is_call = matches!(stmt.kind, StmtKind::Call { .. });
        let leads = self.team.is_some() && self.asked.leads(stmt);
        self.touches(stmt.id, |write| !(leads || is_call && write));
        match &stmt.kind {
            StmtKind::Block { body, .. } => self.block(stmt, body),
            StmtKind::Return(_) => self.returns(stmt.origin),
            // Of what the number of threads, or what others have done, decides nothing is known.
            StmtKind::If { condition, .. } if self.team.is_some() && self.asked.decides(condition) => {
                self.skip(stmt);
            }
            StmtKind::If { then, otherwise, .. } => self.branches(stmt, then, otherwise.as_deref()),
            StmtKind::Loop(inner) => self.repeated(stmt, inner),
            // Which of its statements run together is not followed.
            StmtKind::Switch { body, .. } => match self.team.is_some() {
                true => self.skip(stmt),
                false => self.statement(body),
            },
            StmtKind::Call { callee, .. } => {
                self.call(stmt, callee);
                // Its result is kept when it is back.
                self.touches(stmt.id, |write| !leads && write);
            }
            _ => {}
        }
    }

    /// What comes behind a conditional way out is under that condition.
    fn block(&mut self, stmt: &'a Stmt, body: &'a [Stmt]) {
        let before = self.conditions.len();
        for inner in body {
            self.statement(inner);
            if matches!(inner.kind, StmtKind::If { .. })
                && self.program.decided(inner.id).is_none()
                && may_leave(inner)
            {
                self.pass(inner.id, Branch::Behind);
            }
        }
        self.end_of_block(stmt, body);
        self.conditions.truncate(before);
    }

    fn branches(&mut self, stmt: &'a Stmt, then: &'a Stmt, otherwise: Option<&'a Stmt>) {
        if let Some(branch) = self.program.decided(stmt.id) {
            let branch = if branch { Some(then) } else { otherwise };
            self.with_team(|team| team.chosen = true);
            return branch.into_iter().for_each(|branch| self.statement(branch));
        }
        let pending = |walk: &Walk<'a>| walk.team.as_ref().map(|team| team.pending.clone());
        let before = pending(self);
        self.pass(stmt.id, Branch::Then);
        self.statement(then);
        self.conditions.pop();
        let first = pending(self);
        let first_stops = std::mem::take(&mut self.unreached);
        if let (Some(team), Some(before)) = (&mut self.team, before.clone()) {
            team.pending = before;
        }
        if let Some(otherwise) = otherwise {
            self.pass(stmt.id, Branch::Otherwise);
            self.statement(otherwise);
            self.conditions.pop();
        }
        let second_stops = self.unreached;
        self.unreached &= first_stops;
        let (Some(team), Some(first), Some(before)) = (&mut self.team, first, before) else {
            return;
        };
        // What comes behind comes from the other one.
        if first_stops || second_stops {
            if second_stops {
                team.pending = first;
            }
            return;
        }
        // What one of the paths has waited for is not sure to be pending; what one of them has made may be.
        let is_old = |task: &Task| before.iter().any(|old| old.number == task.number);
        let is_in = |tasks: &[Task], task: &Task| tasks.iter().any(|other| other.number == task.number);
        team.pending.retain(|task| !is_old(task) || is_in(&first, task));
        team.pending
            .extend(first.into_iter().filter(|task| !is_old(task)));
    }

    fn pass(&mut self, stmt: StmtId, branch: Branch) {
        let later = match branch {
            Branch::Counted => 0,
            _ => self.later.len(),
        };
        self.conditions.push(Passed { stmt, branch, later });
    }

    fn repeated(&mut self, stmt: &'a Stmt, inner: &'a Loop) {
        inner.init.iter().for_each(|part| self.statement(part));
        let facts = self.program.values.loops.iter().find(|one| one.stmt == stmt.id);
        let known = facts.filter(|facts| facts.trip.is_ok());
        let endless = usize::from(known.is_none());
        let before = self.conditions.len();
        match known.map(|facts| facts.trip.as_ref().ok().and_then(Expr::as_constant)) {
            None => self.pass(stmt.id, Branch::Perhaps),
            Some(None) => self.pass(stmt.id, Branch::Counted),
            Some(Some(_)) => {}
        }
        let numbers = self.numbers;
        self.with_team(|team| team.endless += endless);
        self.iteration(inner);
        let is_new = |task: &Task| task.number > numbers;
        let made = self
            .team
            .as_ref()
            .is_some_and(|team| team.pending.iter().any(is_new));
        let stops = std::mem::take(&mut self.unreached);
        let leaves = stops || facts.is_none_or(|facts| !facts.early_exits.is_empty());
        // Of a loop of unknown length it is not known whether there is another iteration that does the same.
        if let Some(facts) = known.filter(|_| made && !leaves && self.later.is_empty()) {
            self.later.push(facts.counter);
            self.iteration(inner);
            self.later.pop();
        }
        self.conditions.truncate(before);
        if leaves {
            // It may be left before it makes any.
            self.with_team(|team| team.pending.retain(|task| !is_new(task)));
        }
        self.with_team(|team| team.endless -= endless);
        let for_ever = inner
            .condition
            .as_ref()
            .is_none_or(|test| test.as_int().is_some_and(|value| value != 0));
        let goes_on = |body: &Stmt| any(body, &mut |inner| inner.kind == StmtKind::Continue);
        let is_left = !for_ever && (!stops || tests_first(inner) > 0 || goes_on(&inner.body));
        // A `return` leaves the function, too.
        self.unreached = !is_left && shape::early_exits(inner).iter().all(shape::returns);
    }

    fn iteration(&mut self, inner: &'a Loop) {
        inner.before_test.iter().for_each(|part| self.statement(part));
        let tests = tests_first(inner);
        self.tests += tests;
        self.statement(&inner.body);
        inner.step.iter().for_each(|part| self.statement(part));
        self.tests -= tests;
    }

    fn call(&mut self, stmt: &'a Stmt, callee: &Callee) {
        let function = match callee {
            Callee::Function(id) => Some(*id),
            Callee::Pointer(_) => None,
        };
        if let (Some(id), Some(body)) = (function, self.program.values.bodies.get(&stmt.id)) {
            let number = self.program.unit.function(id).locals.len() as u32;
            for local in body.base..=body.base + number {
                self.begins(VariableRef::Local(LocalId(local)));
            }
            self.enter(body.base..body.base + number);
            self.statement(&body.stmt);
            return self.leave(&body.stmt);
        }
        if function.is_some_and(|id| self.program.effects.get(id).ends_storage()) {
            self.frees(stmt);
        }
        self.unreached |= function.is_some_and(|id| does_not_return(self.program.unit, id));
        let Some(team) = &mut self.team else { return };
        let inside = function.map_or(Inside::Anything, |id| {
            let name = &self.program.unit.function(id).name;
            match lock::call(self.program, stmt.id, name) {
                Some(call) => {
                    team.by_hand |= call.change(&mut team.held) && team.endless > 0;
                    Inside::Nothing
                }
                None => Inside::of(self.program, id),
            }
        });
        match inside {
            Inside::Nothing => {}
            // It waits for what the task that runs has made, perhaps.
            Inside::OwnTasks => self.with_team(Team::wait),
            Inside::Anything => self.with_team(Team::forget),
        }
    }

    /// The branches and tests of loops around.
    fn passed(&self) -> isize {
        let branches = self.conditions.iter();
        let branches = branches.filter(|one| matches!(one.branch, Branch::Then | Branch::Otherwise));
        (branches.count() + self.tests) as isize
    }

    fn directive(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: Option<&'a Stmt>) {
        // Ways out of what is around before it are among its guards; of those that come behind it more guards are left.
        if let Some(at) = self.program.values.directives.get(&stmt.id) {
            self.others = at.guards as isize - self.passed();
        }
        if self.team.is_none() {
            let Some(body) = body else { return };
            let threads = directive.language == Language::OpenMp && directive.has_leaf("parallel");
            let several = self
                .program
                .values
                .directives
                .get(&stmt.id)
                .map(|at| at.workers.threads);
            match several {
                Some(several) if threads && several != Some(false) => {
                    let sure = several.map_or(Confidence::Likely, |_| Confidence::Proven);
                    self.begin(stmt, sure);
                    self.shared_out(directive, body, false);
                    self.end_of_team();
                }
                _ => self.statement(body),
            }
            return;
        }
        if directive.language != Language::OpenMp {
            return self.with_team(Team::order_by_hand);
        }
        let data = directive.is_enter_data() || directive.is_exit_data() || directive.is_update();
        if directive.is_target_construct() || data {
            return self.on_a_device(stmt, directive);
        }
        let (dependences, understood) = dependences(self.program, stmt.id, directive, &self.later);
        match (directive.name.as_str(), body) {
            ("taskwait", None) if directive.has_clause("depend") => {
                if !understood || directive.has_clause("nowait") {
                    return self.with_team(Team::order_by_hand);
                }
                let done = self.before(&dependences);
                self.with_team(|team| team.remove(|task| done.contains(&task.number)));
            }
            ("taskwait", None) => self.with_team(Team::wait),
            ("barrier", None) => self.with_team(|team| team.remove(|_| true)),
            ("taskyield", None) => {}
            ("taskgroup", Some(body)) => {
                let numbers = self.numbers;
                self.statement(body);
                self.with_team(|team| team.remove(|task| task.number > numbers));
            }
            ("critical", Some(body)) => self.critical(directive, body),
            ("atomic", Some(body)) => {
                let numbers = touch::atomic(self.program, directive, body);
                if let Some(team) = &mut self.team {
                    team.by_hand |= team.endless > 0;
                    team.atomic.extend(numbers);
                }
                self.statement(body);
            }
            ("task", Some(body)) if understood => self.task(stmt, directive, body, dependences),
            // It waits for its own.
            (name, Some(_)) if name.starts_with("taskloop") && !directive.has_clause("nogroup") => {}
            (_, Some(body)) => self.shared_out(directive, body, true),
            (_, None) => self.with_team(Team::order_by_hand),
        }
    }

    /// The outermost region of threads begins.
    fn begin(&mut self, stmt: &Stmt, sure: Confidence) {
        self.asked = Taken::with_what_is_asked(self.program, stmt);
        let values = self.program.values;
        let is_temporary = |variable: &VariableRef| {
            let VariableRef::Local(id) = variable else {
                return false;
            };
            let local = values.locals.get(id.0 as usize);
            local.is_some_and(|local| local.kind == VariableKind::Temporary)
        };
        let temporary = values
            .addresses
            .iter()
            .filter(|(variable, _)| is_temporary(variable));
        self.team = Some(Team::new(stmt.id, sure, self.conditions.len()));
        self.with_team(|team| team.homes.extend(temporary.map(|(_, root)| (*root, 0))));
    }

    fn end_of_team(&mut self) {
        if let Some(team) = self.team.take()
            && !team.by_hand
        {
            self.found.extend(team.found);
        }
    }

    /// A construct of threads that share out work, or of one of them; the directive that makes the team is not inside of it.
    fn shared_out(&mut self, directive: &'a Directive<Code>, body: &'a Stmt, is_inside: bool) {
        let known = [
            "target",
            "teams",
            "distribute",
            "parallel",
            "for",
            "loop",
            "simd",
            "sections",
            "section",
            "single",
            "master",
            "masked",
            "scope",
        ];
        let is_known = directive.name.split(' ').all(|word| known.contains(&word));
        let (true, Some(mut own)) = (is_known, own_of(directive)) else {
            return self.with_team(Team::order_by_hand);
        };
        let has_one_of = |leaves: &[&str]| leaves.iter().any(|leaf| directive.has_leaf(leaf));
        if has_one_of(&["for", "loop", "simd", "distribute"]) {
            own.extend(nest::counters(directive, body));
        }
        // Threads of a region inside of this one make tasks of their own.
        if has_one_of(&["parallel"]) && is_inside {
            return;
        }
        let Some(team) = &mut self.team else { return };
        let of_one = team.of_one;
        team.of_one |= has_one_of(&["single", "master", "masked", "section", "sections", "for", "loop"]);
        let outside = team.homes.clone();
        own.into_iter().for_each(|variable| self.is_own(variable));
        let ends_with_barrier = ["for", "sections", "single", "scope", "loop"];
        let waits = has_one_of(&ends_with_barrier) && !directive.has_clause("nowait");
        let waits = waits || has_one_of(&["parallel", "teams", "distribute"]);
        if waits {
            self.before_a_barrier.insert(body.id);
        }
        self.statement(body);
        if let Some(team) = &mut self.team {
            team.homes = outside;
            team.of_one = of_one;
            if waits {
                team.pending.clear();
            } else if !has_one_of(&["simd"]) {
                team.pass_on(has_one_of(&["master", "masked"]));
            }
        }
    }

    fn critical(&mut self, directive: &'a Directive<Code>, body: &'a Stmt) {
        let lock = lock::critical(directive);
        let Some(team) = &mut self.team else { return };
        team.by_hand |= team.endless > 0;
        let new = team.held.insert(lock.clone());
        self.statement(body);
        if let Some(team) = &mut self.team
            && new
        {
            team.held.remove(&lock);
        }
    }

    /// A target construct, an update, or a directive on data: a task that works in another memory, and may stand between two others.
    fn on_a_device(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>) {
        let (dependences, understood) = dependences(self.program, stmt.id, directive, &self.later);
        if !understood {
            return self.with_team(Team::order_by_hand);
        }
        let after = self.before(&dependences);
        if directive.has_clause("nowait") {
            self.numbers += 1;
            let task = Task {
                number: self.numbers,
                parent: self.current(),
                stmt: stmt.id,
                touches: Vec::new(),
                dependences,
                after,
            };
            self.with_team(|team| team.push(task));
        } else {
            self.with_team(|team| team.remove(|task| after.contains(&task.number)));
        }
    }

    /// A variable that belongs to the task that runs begins to live.
    fn begins(&mut self, variable: VariableRef) {
        if let Some(root) = self.program.values.addresses.get(&variable) {
            self.with_team(|team| team.renew(*root));
        }
        self.is_own(variable);
    }

    /// The variable belongs to the task that runs.
    fn is_own(&mut self, variable: VariableRef) {
        let current = self.current();
        if let (Some(team), Some(root)) = (&mut self.team, self.program.values.addresses.get(&variable)) {
            team.homes.insert(*root, current);
        }
    }

    /// The children of the task that runs that are done before something with these dependences begins.
    fn before(&self, dependences: &[Dependence]) -> BTreeSet<usize> {
        let current = self.current();
        let mut done = BTreeSet::new();
        for task in self.team.iter().flat_map(|team| &team.pending) {
            if task.parent == current && in_order(self.program, task.stmt, &task.dependences, dependences) {
                done.insert(task.number);
                done.extend(&task.after);
            }
        }
        done
    }

    /// The task that runs; 0 is the thread.
    fn current(&self) -> usize {
        self.team.as_ref().map_or(0, Team::current)
    }

    fn with_team(&mut self, change: impl FnOnce(&mut Team)) {
        if let Some(team) = &mut self.team {
            change(team);
        }
    }
}
