//! Which variables do all threads of a region use as scratch, though there is one for all of them?
//!
//! `#pragma omp parallel` and, in it, `for (i = first; i < last; i++) { t = a[i]; b[i] = t; }` with `i` and `t` from outside: every thread sets what the others are about
//! to read. Said of a variable that all threads set and read again with no barrier in between, and that holds other values at other times, or in other threads:
//! what all of them set to one value harms nobody.
//!
//! A function that is not seen may take a lock, or let a thread wait for its turn. But what comes before the first such call is under no lock, and neither is
//! what comes behind the last one: nobody would ever release it. The same holds for critical regions and atomic operations, so only those two ends of a region are looked at.
//!
//! What it cannot do: variables that are set in called functions, under conditions, or in loops that may be those of one thread; elements and members.

use super::{Program, lock};
use crate::coherence::{Confidence, Defect, Kind, Moved};
use crate::shape::{any, is_unknown};
use crate::verify::sharing::own_of;
use ferry_directive::{Directive, Language};
use ferry_ir::visit::{calls, expression_variables};
use ferry_ir::{
    BinaryOp, Callee, Expr as Code, ExprKind, Loop, LoopKind, Place, Stmt, StmtKind, VariableKind,
    VariableRef,
};
use ferry_source::Origin;
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Constructs inside of which nothing is asked, and behind which threads may have waited for one another.
const APART: [&str; 12] = [
    "for",
    "for simd",
    "simd",
    "loop",
    "sections",
    "section",
    "single",
    "master",
    "masked",
    "scope",
    "distribute",
    "workshare",
];
/// Functions in functions that are followed.
const DEPTH: usize = 6;
/// So many iterations may be those of one thread.
const FEW: i128 = 16;

/// What a thread comes to, in the order of the text.
enum Event {
    /// It may wait for others here, or take a lock.
    Stop,
    /// A barrier, for all that is known.
    Fence,
    /// What is inside of a loop begins, or ends.
    Enter,
    Leave,
    Set {
        variable: VariableRef,
        /// The value is not the same for all threads at all times.
        differs: bool,
        at: Origin,
        depth: usize,
    },
    Read {
        variable: VariableRef,
        at: Origin,
        depth: usize,
    },
}

/// A walk through the text of a region.
struct Scan<'a> {
    program: &'a Program<'a>,
    own: BTreeSet<VariableRef>,
    /// Variables whose values are others in other threads, or in other iterations of a loop that each thread runs at its own pace.
    varying: BTreeSet<VariableRef>,
    events: Vec<Event>,
    /// Loops around.
    depth: usize,
    /// Behind a way out that some threads may have taken.
    behind_a_jump: bool,
}

/// The variables that a region uses so, without those of which something is said already.
pub(super) fn defects(program: &Program<'_>, region: &Stmt, said: &BTreeSet<Symbol>) -> Vec<Defect> {
    let StmtKind::Directive {
        directive,
        body: Some(body),
    } = &region.kind
    else {
        return Vec::new();
    };
    // What `parallel for`, `parallel masked` and their like govern is not run by all threads.
    let by_all = |word: &str| ["target", "teams", "parallel"].contains(&word);
    if directive.language != Language::OpenMp
        || !directive.has_leaf("parallel")
        || !directive.name.split(' ').all(by_all)
    {
        return Vec::new();
    }
    let several = program
        .values
        .directives
        .get(&region.id)
        .map(|at| at.workers.threads);
    let (Some(several), Some(own)) = (
        several.filter(|several| *several != Some(false)),
        own_of(directive),
    ) else {
        return Vec::new();
    };
    let mut scan = Scan {
        program,
        own,
        varying: BTreeSet::new(),
        events: Vec::new(),
        depth: 0,
        behind_a_jump: false,
    };
    loop {
        let before = scan.varying.len();
        scan.find_varying(body);
        if scan.varying.len() == before {
            break;
        }
    }
    scan.statement(body);
    let line = program.first_line(region.id).map(super::pair::first_byte);
    let mut found = Vec::new();
    for (variable, chain) in chains(&scan.events) {
        let Some(root) = scan.shared(variable).filter(|root| !said.contains(root)) else {
            continue;
        };
        found.push(Defect {
            kind: Kind::SharedScratch,
            confidence: match several.is_some() && chain.depth == 0 {
                true => Confidence::Proven,
                false => Confidence::Likely,
            },
            root,
            named: chain.read,
            at: chain.read,
            written: Some(chain.set),
            directive: Some(Moved {
                stmt: region.id,
                at: line,
                clause: None,
            }),
            bytes: None,
            there: None,
            around: false,
        });
    }
    found
}

/// A variable is set, and then read.
struct Chain {
    set: Origin,
    read: Origin,
    /// The most loops that are around one of them, and around what makes it differ.
    depth: usize,
}

/// The first chain of each variable whose values differ.
fn chains(events: &[Event]) -> BTreeMap<VariableRef, Chain> {
    let is_stop = |event: &Event| matches!(event, Event::Stop);
    let first = events.iter().position(is_stop).unwrap_or(events.len());
    let behind = events
        .iter()
        .rposition(is_stop)
        .map_or(events.len(), |last| last + 1);
    let mut found = BTreeMap::new();
    for window in [&events[..first], &events[behind..]] {
        for part in window.split(|event| matches!(event, Event::Fence)) {
            of_part(part, &mut found);
        }
    }
    found
}

/// Those of events without a barrier.
fn of_part(events: &[Event], found: &mut BTreeMap<VariableRef, Chain>) {
    let mut differing: BTreeMap<VariableRef, usize> = BTreeMap::new();
    for event in events {
        if let Event::Set {
            variable,
            differs: true,
            depth,
            ..
        } = event
        {
            let least = differing.entry(*variable).or_insert(*depth);
            *least = (*least).min(*depth);
        }
    }
    let mut set: BTreeMap<VariableRef, (Origin, usize)> = BTreeMap::new();
    let mut around = Vec::new();
    for event in events {
        match event {
            Event::Enter => around.push(set.clone()),
            Event::Leave => set = around.pop().unwrap_or_default(),
            Event::Set {
                variable, at, depth, ..
            } => {
                set.insert(*variable, (*at, *depth));
            }
            Event::Read { variable, at, depth } => {
                if let (Some((place, outer)), Some(least)) = (set.get(variable), differing.get(variable)) {
                    found.entry(*variable).or_insert(Chain {
                        set: *place,
                        read: *at,
                        depth: *depth.max(outer).max(least),
                    });
                }
            }
            Event::Stop | Event::Fence => {}
        }
    }
}

impl Scan<'_> {
    /// The storage of a variable, if there is one for all threads.
    fn shared(&self, variable: VariableRef) -> Option<Symbol> {
        let types = &self.program.unit.types;
        let fits = match variable {
            VariableRef::Local(id) => {
                let local = self.program.values.locals.get(id.0 as usize)?;
                let named = matches!(local.kind, VariableKind::Local | VariableKind::Parameter);
                named && !local.qualifiers.volatile && types.is_scalar(local.ty)
            }
            VariableRef::Global(id) => {
                let global = self.program.unit.global(id);
                !self.program.of_threads.has(id) && !global.qualifiers.volatile && types.is_scalar(global.ty)
            }
        };
        let root = self.program.values.addresses.get(&variable).copied();
        root.filter(|_| fits && !self.own.contains(&variable))
    }

    fn is_varying(&self, value: &Code) -> bool {
        !variables(value).is_disjoint(&self.varying)
    }

    fn find_varying(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Loop(inner) if !self.waits(stmt) => self.varying.extend(stepped(inner)),
            StmtKind::Assign { place, value } if self.is_varying(value) => {
                self.varying.extend(place.as_variable());
            }
            StmtKind::Call {
                result: Some(place),
                callee,
                arguments,
            } => {
                let is_number = matches!(callee, Callee::Function(id) if self.program.unit.function(*id).name == "omp_get_thread_num");
                if is_number || arguments.iter().any(|argument| self.is_varying(argument)) {
                    self.varying.extend(place.as_variable());
                }
            }
            _ => {}
        }
        stmt.for_each_child(&mut |child| self.find_varying(child));
    }

    fn statement(&mut self, stmt: &Stmt) {
        // It may wait until somebody else changes it.
        if self.touches_volatile(stmt) || is_unknown(stmt) {
            self.events.push(Event::Stop);
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(|inner| self.statement(inner)),
            StmtKind::Declare { local } => {
                self.own.insert(VariableRef::Local(*local));
            }
            StmtKind::Assign { place, value } => {
                place.for_each_child(&mut |part| self.reads(part));
                self.reads(value);
                if let Some(variable) = place.as_variable() {
                    self.set(variable, self.is_varying(value), stmt.origin);
                }
            }
            StmtKind::Call {
                callee,
                arguments,
                result,
            } => {
                arguments.iter().for_each(|argument| self.reads(argument));
                if self.may_wait(stmt, callee, 0) {
                    self.events.push(Event::Stop);
                } else if let Some(variable) = result.as_ref().and_then(Place::as_variable) {
                    self.set(variable, self.varying.contains(&variable), stmt.origin);
                }
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.reads(condition);
                // Who comes there, whether the number of threads decides it, and whether anybody does, is in no text.
                for branch in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                    self.leave_out(branch);
                }
                self.behind_a_jump |= jumps(stmt);
            }
            StmtKind::Loop(inner) => self.a_loop(stmt, inner),
            StmtKind::Directive { directive, body } => self.directive(directive, body.as_deref()),
            StmtKind::Continue | StmtKind::Break => self.behind_a_jump = true,
            StmtKind::Return(_)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Switch { .. }
            | StmtKind::Opaque { .. } => {
                self.leave_out(stmt);
                self.events.push(Event::Stop);
            }
            _ => {}
        }
    }

    fn a_loop(&mut self, stmt: &Stmt, inner: &Loop) {
        inner.init.iter().for_each(|part| self.statement(part));
        let outside = self.behind_a_jump;
        let test = |scan: &mut Self| {
            inner.before_test.iter().for_each(|part| scan.statement(part));
            inner.condition.iter().for_each(|test| scan.reads(test));
        };
        if inner.kind != LoopKind::Do {
            test(self);
        }
        let first = self.events.len();
        if self.is_for_all(inner) {
            self.inside(|scan| {
                scan.statement(&inner.body);
                inner.step.iter().for_each(|part| scan.statement(part));
                test(scan);
            });
        } else {
            self.leave_out(stmt);
        }
        self.behind_a_jump = outside || leaves(stmt);
        // Behind its last one comes the first one of the next iteration.
        let within = &self.events[first..];
        let stops = within.iter().any(|event| matches!(event, Event::Stop));
        let fences = within.iter().any(|event| matches!(event, Event::Fence));
        self.events.extend(stops.then_some(Event::Stop));
        self.events.extend(fences.then_some(Event::Fence));
    }

    fn directive(&mut self, directive: &Directive<Code>, body: Option<&Stmt>) {
        let name = directive.name.as_str();
        let waits_only = match body {
            None => name == "barrier",
            Some(body) => APART.contains(&name) && !self.may_stop(body, 0),
        };
        self.events
            .push(match directive.language == Language::OpenMp && waits_only {
                true => Event::Fence,
                false => Event::Stop,
            });
    }

    /// What not all threads come to.
    fn leave_out(&mut self, stmt: &Stmt) {
        if self.may_stop(stmt, 0) {
            self.events.push(Event::Stop);
        } else if has_directive(stmt) {
            self.events.push(Event::Fence);
        }
    }

    fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
        self.events.push(Event::Enter);
        self.depth += 1;
        walk(self);
        self.depth -= 1;
        self.events.push(Event::Leave);
    }

    fn set(&mut self, variable: VariableRef, differs: bool, at: Origin) {
        if !self.behind_a_jump && self.shared(variable).is_some() {
            let depth = self.depth;
            self.events.push(Event::Set {
                variable,
                differs,
                at,
                depth,
            });
        }
    }

    fn reads(&mut self, value: &Code) {
        if self.behind_a_jump {
            return;
        }
        let mut found = Vec::new();
        certainly_evaluated(value, &mut |part| {
            if let ExprKind::Load(place) = &part.kind
                && let Some(variable) = place.as_variable()
            {
                found.push((variable, part.origin));
            }
        });
        for (variable, at) in found {
            if self.shared(variable).is_some() {
                let depth = self.depth;
                self.events.push(Event::Read { variable, at, depth });
            }
        }
    }

    /// True for a loop that all threads run, or several of them: with bounds that are the same for all, from one bound of the thread's own to another one, or
    /// from one's own on with a step that is no number. A loop whose test asks for the thread may let only one of them in.
    fn is_for_all(&self, inner: &Loop) -> bool {
        let stepped = stepped(inner);
        let Some(ExprKind::Binary(operator, left, right)) = inner.condition.as_ref().map(|test| &test.kind)
        else {
            return false;
        };
        let counts = |side: &Code| {
            let mentioned = variables(side);
            mentioned.len() == 1 && !mentioned.is_disjoint(&stepped)
        };
        let bound = match (counts(left), counts(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return false,
        };
        let is_bound = operator.is_comparison() && *operator != BinaryOp::Eq;
        // What a call gives is the thread's own.
        let begin = inner.init.iter().find_map(|part| {
            let place = part.written_place()?;
            place
                .as_variable()
                .filter(|variable| stepped.contains(variable))?;
            Some(match &part.kind {
                StmtKind::Assign { value, .. } => Some(value),
                _ => None,
            })
        });
        let Some(begin) = begin.filter(|_| is_bound && inner.kind == LoopKind::For) else {
            return false;
        };
        let by_numbers = inner.step.iter().all(|part| match &part.kind {
            StmtKind::Assign { value, .. } => variables(value).is_subset(&stepped),
            _ => false,
        });
        match (
            begin.is_some_and(|begin| self.is_common(begin)),
            self.is_common(bound),
        ) {
            (true, true) => match (begin.and_then(Code::as_int), bound.as_int()) {
                (Some(first), Some(last)) => first.abs_diff(last) > 1,
                _ => true,
            },
            (false, false) => true,
            (false, true) => !by_numbers && bound.as_int().is_none_or(|most| most > FEW),
            (true, false) => false,
        }
    }

    /// True for a value of nothing but constants and what threads share and none of them changes at its own pace.
    fn is_common(&self, value: &Code) -> bool {
        let mut plain = true;
        value.walk(&mut |part| {
            plain &= match &part.kind {
                ExprKind::Load(place) => place.as_variable().is_some_and(|variable| {
                    self.shared(variable).is_some() && !self.varying.contains(&variable)
                }),
                ExprKind::Opaque { .. } => false,
                _ => true,
            };
        });
        plain
    }

    /// True if a call may take a lock, or wait for other threads.
    fn may_wait(&self, stmt: &Stmt, callee: &Callee, depth: usize) -> bool {
        let Callee::Function(id) = callee else { return true };
        let function = self.program.unit.function(*id);
        if let Some(body) = self.program.values.bodies.get(&stmt.id) {
            return depth > DEPTH || has_directive(&body.stmt) || self.may_stop(&body.stmt, depth + 1);
        }
        lock::call(self.program, stmt.id, &function.name).is_some() || self.program.is_unseen(*id)
    }

    fn touches_volatile(&self, stmt: &Stmt) -> bool {
        let accesses = &self.program.values.accesses;
        self.program
            .accesses(stmt.id)
            .any(|number| accesses[number].volatile)
    }

    /// True if something in a statement may.
    fn may_stop(&self, stmt: &Stmt, depth: usize) -> bool {
        any(stmt, &mut |inner| match &inner.kind {
            _ if self.touches_volatile(inner) || is_unknown(inner) => true,
            StmtKind::Call { callee, .. } => self.may_wait(inner, callee, depth),
            StmtKind::Directive { directive, body } => {
                let name = directive.name.as_str();
                !(APART.contains(&name) || body.is_none() && name == "barrier")
            }
            StmtKind::Goto(_) | StmtKind::Label(_) | StmtKind::Opaque { .. } => true,
            _ => false,
        })
    }

    /// True if threads may have waited for one another in a statement, so that they are in step.
    fn waits(&self, stmt: &Stmt) -> bool {
        let mut calls = calls(stmt).into_iter();
        has_directive(stmt) || calls.any(|call| self.may_wait(call.statement, call.callee, 0))
    }
}

fn has_directive(stmt: &Stmt) -> bool {
    any(stmt, &mut |inner| {
        matches!(inner.kind, StmtKind::Directive { .. })
    })
}

fn variables(value: &Code) -> BTreeSet<VariableRef> {
    let mut found = BTreeSet::new();
    expression_variables(value, &mut found);
    found
}

/// The variables that the last part of a loop's head sets.
fn stepped(inner: &Loop) -> BTreeSet<VariableRef> {
    let places = inner.step.iter().filter_map(Stmt::written_place);
    places.filter_map(Place::as_variable).collect()
}

/// The parts of an expression that are evaluated whatever their values are.
fn certainly_evaluated(value: &Code, visit: &mut dyn FnMut(&Code)) {
    visit(value);
    match &value.kind {
        ExprKind::Logical(_, first, _) | ExprKind::Select(first, ..) => certainly_evaluated(first, visit),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => {
            place.for_each_child(&mut |part| certainly_evaluated(part, visit));
        }
        ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => certainly_evaluated(inner, visit),
        ExprKind::Binary(_, a, b) => {
            certainly_evaluated(a, visit);
            certainly_evaluated(b, visit);
        }
        _ => {}
    }
}

/// True if control may leave what is around a statement.
fn jumps(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Continue | StmtKind::Break | StmtKind::Return(_) | StmtKind::Goto(_) => true,
        StmtKind::Loop(_) => leaves(stmt),
        _ => {
            let mut found = false;
            stmt.for_each_child(&mut |child| found = found || jumps(child));
            found
        }
    }
}

/// True if control may leave what is around a loop from inside of it.
fn leaves(stmt: &Stmt) -> bool {
    any(stmt, &mut |inner| {
        matches!(inner.kind, StmtKind::Return(_) | StmtKind::Goto(_))
    })
}
