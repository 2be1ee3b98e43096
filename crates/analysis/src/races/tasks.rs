//! Which target tasks touch what another task, or the host, touches, though nothing orders them?
//!
//! The host's program is walked in the order of its text. A target construct or an update with `nowait` is a task that is pending from there on, until a
//! `taskwait`, a barrier, the end of a `taskgroup`, or a task that is waited for and depends on it. Another task that has no dependence on it, not even
//! through others, and touches the same storage races with it; so does the host, where the task itself moves the data.
//!
//! What it cannot do: explicit tasks (`task`, `taskloop`), queues of OpenACC, several devices, data that are on the device before the task: then the host has
//! storage of its own.

use super::depend::{Dependence, dependences, in_order};
use super::touch::{self, Touch, in_later, is_fixed, is_plain};
use super::{Program, tests_first};
use crate::coherence::{Confidence, Defect};
use crate::symbols::SymbolKind;
use crate::verify::sharing::own_of;
use ferry_directive::{Direction, Directive, Language};
use ferry_ir::{Callee, Expr as Code, Stmt, StmtId, StmtKind, Type, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Most tasks that are pending at a time.
const MOST: usize = 40;

/// A task.
#[derive(Clone)]
struct Task {
    number: usize,
    stmt: StmtId,
    touches: Vec<Touch>,
    /// Storage that it copies from the host and to the host.
    copies: BTreeMap<Symbol, (bool, bool)>,
    dependences: Vec<Dependence>,
    /// The tasks that are done before it begins.
    after: BTreeSet<usize>,
    /// The number of its device, if it says one.
    device: Option<i128>,
    /// The conditions around it.
    conditions: Vec<StmtId>,
}

/// The walk through the host's program.
struct Walk<'a> {
    program: &'a Program<'a>,
    /// Storage that other directives put on the device, so that the host's is another one.
    mapped: BTreeSet<Symbol>,
    /// What each thread of the constructs around has a copy of.
    copied: BTreeSet<Symbol>,
    /// Nothing called the function from which the walk began.
    whole: bool,
    pending: Vec<Task>,
    numbers: usize,
    conditions: Vec<StmtId>,
    tests: usize,
    later: Vec<Symbol>,
    found: Vec<Defect>,
    /// What was said: the task, and the storage.
    said: BTreeSet<(StmtId, Symbol)>,
}

/// The defects of a function with all that it calls; `whole` if it is where the program begins.
pub(super) fn unordered(program: &Program<'_>, body: &Stmt, whole: bool) -> Vec<Defect> {
    let mut mapped = BTreeSet::new();
    let mut collect = |stmt: &Stmt| {
        let StmtKind::Directive { directive, .. } = &stmt.kind else {
            return;
        };
        let Some(at) = program.values.directives.get(&stmt.id) else {
            return;
        };
        if directive.is_data_environment() || directive.is_enter_data() || directive.name == "declare" {
            mapped.extend(
                at.items
                    .iter()
                    .flat_map(|item| [item.root, item.points_to])
                    .flatten(),
            );
        }
    };
    body.walk(&mut collect);
    for copy in program.values.bodies.values() {
        copy.stmt.walk(&mut collect);
    }
    for id in program.always {
        mapped.extend(program.values.addresses.get(&VariableRef::Global(*id)));
    }
    let mut walk = Walk {
        program,
        mapped,
        copied: BTreeSet::new(),
        whole,
        pending: Vec::new(),
        numbers: 0,
        conditions: Vec::new(),
        tests: 0,
        later: Vec::new(),
        found: Vec::new(),
        said: BTreeSet::new(),
    };
    walk.statement(body);
    walk.found
}

/// True for a directive that may begin a task.
pub(super) fn may_begin_task(directive: &Directive<Code>) -> bool {
    directive.language == Language::OpenMp
        && directive.has_clause("nowait")
        && (directive.is_target_construct() || directive.is_update())
}

impl<'a> Walk<'a> {
    fn statement(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Directive { directive, body } => {
                return self.directive(stmt, directive, body.as_deref());
            }
            StmtKind::Opaque { .. } | StmtKind::Goto(_) | StmtKind::Label(_) => self.pending.clear(),
            _ => {}
        }
        let is_call = matches!(stmt.kind, StmtKind::Call { .. });
        self.host(stmt.id, |write| !(is_call && write));
        match &stmt.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(|inner| self.statement(inner)),
            StmtKind::If { then, otherwise, .. } => {
                let before = self.pending.clone();
                self.conditions.push(stmt.id);
                self.statement(then);
                let first = std::mem::replace(&mut self.pending, before);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
                self.conditions.pop();
                // What is pending on one path only is not sure to be.
                self.pending
                    .retain(|task| first.iter().any(|other| other.number == task.number));
            }
            StmtKind::Loop(inner) => {
                inner.init.iter().for_each(|part| self.statement(part));
                let facts = self.program.values.loops.iter().find(|one| one.stmt == stmt.id);
                let counter = facts
                    .filter(|facts| facts.trip.is_ok())
                    .map(|facts| facts.counter);
                let before: BTreeSet<usize> = self.pending.iter().map(|task| task.number).collect();
                self.iteration(inner);
                let new = self.pending.iter().any(|task| !before.contains(&task.number));
                match counter {
                    Some(counter) if new && self.later.is_empty() => {
                        self.later.push(counter);
                        self.iteration(inner);
                        self.later.pop();
                    }
                    // How often it runs is not known: perhaps never.
                    None => self.pending.retain(|task| before.contains(&task.number)),
                    _ => {}
                }
            }
            StmtKind::Switch { body, .. } => {
                self.pending.clear();
                self.statement(body);
                self.pending.clear();
            }
            StmtKind::Call { callee, .. } => {
                if let Some(body) = self.program.values.bodies.get(&stmt.id) {
                    self.statement(&body.stmt);
                    // Its result is kept when it is back.
                    return self.host(stmt.id, |write| write);
                }
                let known = match callee {
                    Callee::Function(id) => {
                        let effect = self.program.effects.get(*id);
                        let function = self.program.unit.function(*id);
                        !effect.reads.anything && !effect.writes.anything && function.body.is_none()
                    }
                    Callee::Pointer(_) => false,
                };
                // It may wait.
                if !known {
                    self.pending.clear();
                }
                self.host(stmt.id, |write| write);
            }
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

    fn directive(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: Option<&'a Stmt>) {
        if directive.language != Language::OpenMp {
            // Waits of the other language are not followed.
            self.pending.clear();
            if let Some(body) = body {
                self.statement(body);
            }
            return;
        }
        if directive.is_target_construct() || directive.is_update() {
            return self.task(stmt, directive, body);
        }
        let depends = directive.has_clause("depend");
        match directive.name.as_str() {
            "taskwait" if depends => {
                let (dependences, _) = dependences(self.program, stmt.id, directive, &self.later);
                self.wait_for(&dependences);
            }
            "taskwait" | "barrier" | "cancel" | "cancellation point" | "depobj" | "interop" => {
                self.pending.clear()
            }
            // OpenMP 6.0: it waits for the tasks that begin inside, unless it says that it does not.
            "target data" if !directive.has_clause("nogroup") && self.program.is_of_openmp60(stmt) => {
                self.group(body);
            }
            "taskgroup" => self.group(body),
            // What tasks do is not followed; one that runs at once waits for what it depends on.
            "task" | "taskloop" | "taskloop simd" | "target enter data" | "target exit data" => {
                let at_once = directive.has_clause("if") || !directive.name.starts_with("task");
                if depends && at_once {
                    let (dependences, _) = dependences(self.program, stmt.id, directive, &self.later);
                    self.wait_for(&dependences);
                }
                // Where data begin or end to be on the device, more is waited for than is followed.
                if !directive.name.starts_with("task") {
                    self.pending.clear();
                }
            }
            _ => {
                let Some(body) = body else { return };
                let outside = self.copied.clone();
                let own = own_of(directive).unwrap_or_default();
                let addresses = &self.program.values.addresses;
                self.copied
                    .extend(own.iter().filter_map(|variable| addresses.get(variable).copied()));
                self.statement(body);
                self.copied = outside;
                // All constructs with threads end with a barrier, but for a few, of which nothing is taken to be left.
                let threads = ["parallel", "for", "sections", "single", "scope", "workshare"];
                if threads.iter().any(|leaf| directive.has_leaf(leaf)) {
                    self.pending.clear();
                }
            }
        }
    }

    /// At the end of a group, all is done that began in it.
    fn group(&mut self, body: Option<&'a Stmt>) {
        let before: BTreeSet<usize> = self.pending.iter().map(|task| task.number).collect();
        if let Some(body) = body {
            self.statement(body);
        }
        self.pending.retain(|task| before.contains(&task.number));
    }

    /// Removes what is done when something with these dependences has run.
    fn wait_for(&mut self, dependences: &[Dependence]) {
        let done = self.before(dependences);
        self.pending.retain(|task| !done.contains(&task.number));
    }

    /// The pending tasks that are done before something with these dependences begins.
    fn before(&self, dependences: &[Dependence]) -> BTreeSet<usize> {
        let mut done = BTreeSet::new();
        for task in &self.pending {
            let ordered = in_order(self.program, task.stmt, &task.dependences, dependences);
            if ordered {
                done.insert(task.number);
                done.extend(&task.after);
            }
        }
        done
    }

    /// A target construct or an update.
    fn task(&mut self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: Option<&'a Stmt>) {
        let (dependences, understood) = dependences(self.program, stmt.id, directive, &self.later);
        let after = self.before(&dependences);
        let device = directive.value("device").map(Code::as_int);
        // OpenMP 6.0: `nowait(c)`; where `c` does not hold it is waited for.
        let nowait = directive.has_clause("nowait");
        let deferred = directive.value("nowait").map_or(Some(nowait), |condition| {
            condition.as_int().map(|condition| condition != 0)
        });
        let simple = understood && device != Some(None) && !directive.has_clause("if") && deferred.is_some();
        if !simple {
            // It may run elsewhere, or at once: nothing that is pending is sure to be so behind it.
            self.pending.clear();
            return;
        }
        self.numbers += 1;
        let mut task = Task {
            number: self.numbers,
            stmt: stmt.id,
            touches: Vec::new(),
            copies: BTreeMap::new(),
            dependences,
            after,
            device: device.flatten(),
            conditions: self.conditions.clone(),
        };
        match body {
            Some(body) => self.touched(stmt, directive, body, &mut task),
            None => self.moved(stmt, directive, &mut task),
        }
        for other in &self.pending {
            if !task.after.contains(&other.number)
                && other.device == task.device
                && let Some((a, b)) = self.conflict(other, &task.touches)
            {
                let extra = self.extra(other);
                self.found.extend(defect(self.program, other, a, b, extra));
                break;
            }
        }
        match deferred == Some(true) {
            true => {
                self.pending.push(task);
                if self.pending.len() > MOST {
                    self.pending.remove(0);
                }
            }
            false => self.pending.retain(|other| !task.after.contains(&other.number)),
        }
    }

    /// How many conditions are around that were not around the task.
    fn extra(&self, task: &Task) -> usize {
        let all = self.conditions.iter();
        all.filter(|stmt| !task.conditions.contains(stmt)).count()
    }

    /// What an update touches on the device: of each section the first element.
    fn moved(&self, stmt: &Stmt, directive: &Directive<Code>, task: &mut Task) {
        let Some(at) = self.program.values.directives.get(&stmt.id) else {
            return;
        };
        for data in directive.data() {
            let Some(storage) = at.item(data.clause, data.item) else {
                continue;
            };
            let (Some(root), Some((low, _))) = (storage.root, &storage.bytes) else {
                continue;
            };
            if !matches!(data.direction, Direction::To | Direction::From)
                || !is_fixed(self.program.values, low, &[])
            {
                continue;
            }
            task.touches.push(Touch {
                root,
                address: &Expr::symbol(root) + &in_later(low, &self.later),
                size: None,
                write: data.direction == Direction::To,
                atomic: false,
                loops: Vec::new(),
                later: self.later.clone(),
                at: data.object.map_or(stmt.origin, |object| object.base.origin),
            });
        }
    }

    /// What a kernel touches for certain of storage that it does not have for itself.
    fn touched(&self, stmt: &'a Stmt, directive: &'a Directive<Code>, body: &'a Stmt, task: &mut Task) {
        let values = self.program.values;
        let Some(at) = values.directives.get(&stmt.id) else {
            return;
        };
        let mut named: BTreeSet<Symbol> = BTreeSet::new();
        for data in directive.data() {
            let storage = at.item(data.clause, data.item);
            let Some(root) = storage.and_then(|storage| storage.root) else {
                continue;
            };
            named.insert(root);
            let copies = match data.direction {
                Direction::To => (true, false),
                Direction::From => (false, true),
                Direction::ToFrom => (true, true),
                _ => continue,
            };
            let known = task.copies.entry(root).or_default();
            *known = (known.0 || copies.0, known.1 || copies.1);
        }
        let mut own = BTreeSet::new();
        let mut numbers = Vec::new();
        let mut atomic = BTreeSet::new();
        let mut kernel = Kernel {
            program: self.program,
            own: &mut own,
            numbers: &mut numbers,
            atomic: &mut atomic,
            understood: true,
        };
        kernel.clauses(directive);
        kernel.statement(body, self.conditions.len() + self.tests);
        if !kernel.understood {
            return;
        }
        for number in numbers {
            let access = &values.accesses[number];
            let (Some(root), Some(address)) = (access.root, &access.address) else {
                continue;
            };
            let own = own.contains(&root);
            let variable = values.addresses.iter().find(|(_, symbol)| **symbol == root);
            let aggregate = variable.is_none_or(|(variable, _)| {
                let ty = values.type_of(self.program.unit, *variable);
                matches!(
                    self.program.unit.types.get(ty),
                    Type::Array { .. } | Type::Record(_)
                )
            });
            // A scalar that no clause maps is copied when the task is made.
            if own || !aggregate && !named.contains(&root) || !is_fixed(values, address, &access.loops) {
                continue;
            }
            // So is the pointer; an array is mapped both ways.
            if variable.is_some() && !named.contains(&root) {
                task.copies.insert(root, (true, true));
            }
            task.touches.push(Touch {
                atomic: atomic.contains(&number),
                ..Touch::of(access, root, address, &self.later)
            });
        }
    }

    /// A touch of a task that meets one of these, one of them a write.
    fn conflict(&self, task: &Task, touches: &[Touch]) -> Option<(Touch, Touch)> {
        for a in &task.touches {
            for b in touches {
                if a.may_conflict(b) && a.meets(b, self.program, task.stmt) {
                    return Some((a.clone(), b.clone()));
                }
            }
        }
        None
    }

    /// The host's accesses of a statement against the tasks that are pending.
    fn host(&mut self, stmt: StmtId, is_meant: impl Fn(bool) -> bool) {
        if self.pending.is_empty() {
            return;
        }
        let values = self.program.values;
        for number in self.program.accesses(stmt) {
            let access = &values.accesses[number];
            let (Some(root), Some(address)) = (access.root, &access.address) else {
                continue;
            };
            if access.guards.len() > self.conditions.len() + self.tests
                || !is_meant(access.is_write())
                || !is_plain(access)
                || self.mapped.contains(&root)
                || self.copied.contains(&root)
                || !self.whole && !self.is_made_here(root)
                || !is_fixed(values, address, &access.loops)
            {
                continue;
            }
            let touch = Touch::of(access, root, address, &self.later);
            for task in &self.pending {
                let Some((copies_in, copies_out)) = task.copies.get(&root).copied() else {
                    continue;
                };
                let meant: Vec<Touch> = task
                    .touches
                    .iter()
                    .filter(|own| own.write && copies_out || touch.write && !own.write && copies_in)
                    .cloned()
                    .collect();
                let part = Task {
                    touches: meant,
                    ..task.clone()
                };
                if let Some((a, b)) = self.conflict(&part, std::slice::from_ref(&touch)) {
                    let extra = self.extra(task);
                    if self.said.insert((task.stmt, root)) {
                        self.found.extend(defect(self.program, task, a, b, extra));
                    }
                    break;
                }
            }
        }
    }

    /// True for storage of which no caller knows.
    fn is_made_here(&self, root: Symbol) -> bool {
        matches!(
            self.program.values.symbols.info(root).kind,
            SymbolKind::Address(VariableRef::Local(_))
                | SymbolKind::Allocated(_)
                | SymbolKind::CalleeVariable { .. }
        )
    }
}

/// The certain accesses of a kernel.
struct Kernel<'a, 'b> {
    program: &'a Program<'a>,
    own: &'b mut BTreeSet<Symbol>,
    numbers: &'b mut Vec<usize>,
    /// Those that are made by an atomic operation.
    atomic: &'b mut BTreeSet<usize>,
    understood: bool,
}

impl<'a> Kernel<'a, '_> {
    fn clauses(&mut self, directive: &Directive<Code>) {
        match own_of(directive) {
            Some(own) => {
                let all = &self.program.values.addresses;
                self.own
                    .extend(own.iter().filter_map(|variable| all.get(variable).copied()));
            }
            None => self.understood = false,
        }
    }

    /// Keeps what a statement touches on every path; `passed` conditions and tests of loops are around it.
    fn statement(&mut self, stmt: &'a Stmt, passed: usize) {
        let values = self.program.values;
        let address = |variable: VariableRef| values.addresses.get(&variable).copied();
        let certain = |number: &usize| {
            let access = &values.accesses[*number];
            is_plain(access) && access.guards.len() <= passed && !access.facts.infeasible()
        };
        if !matches!(stmt.kind, StmtKind::Directive { .. }) {
            self.numbers
                .extend(self.program.accesses(stmt.id).filter(certain));
        }
        match &stmt.kind {
            StmtKind::Declare { local } => self.own.extend(address(VariableRef::Local(*local))),
            StmtKind::Directive { directive, body } => {
                self.clauses(directive);
                if let ("atomic", Some(body)) = (directive.name.as_str(), body) {
                    self.atomic.extend(touch::atomic(self.program, directive, body));
                }
            }
            StmtKind::Opaque { .. } | StmtKind::Goto(_) | StmtKind::Label(_) => self.understood = false,
            StmtKind::If { .. } | StmtKind::Switch { .. } => return,
            StmtKind::Loop(inner) => {
                let mut assigned = BTreeSet::new();
                for part in &inner.init {
                    crate::scalar::assigned_variables(part, &mut assigned);
                }
                self.own.extend(assigned.into_iter().filter_map(address));
                let tests = tests_first(inner);
                inner.init.iter().for_each(|part| self.statement(part, passed));
                self.statement(&inner.body, passed + tests);
                return;
            }
            StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } => {
                if let Some(body) = values.bodies.get(&stmt.id) {
                    let number = self.program.unit.function(*id).locals.len() as u32;
                    let locals = body.base..=body.base + number;
                    let all = locals.map(|local| VariableRef::Local(ferry_ir::LocalId(local)));
                    self.own.extend(all.filter_map(address));
                    self.statement(&body.stmt, passed);
                }
            }
            _ => {}
        }
        for child in stmt.children() {
            self.statement(child, passed);
        }
    }
}

fn defect(program: &Program<'_>, task: &Task, a: Touch, b: Touch, conditions: usize) -> Option<Defect> {
    let confidence = match conditions {
        0 => Confidence::Proven,
        1 => Confidence::Likely,
        _ => return None,
    };
    Some(touch::unordered(program, task.stmt, [&a, &b], confidence))
}
