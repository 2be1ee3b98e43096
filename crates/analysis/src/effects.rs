//! What does a call read and write, and may a device run it?
//!
//! Library functions are known by a table; functions defined in the unit by a summary of their text, in terms of their
//! parameters and the globals, composed over calls until nothing changes; functions of other files of the program by
//! theirs ([`linked`]). Everything else may do anything.

pub mod at_exit;
mod between_calls;
pub mod brought;
pub mod bytes;
pub(crate) mod callback;
mod callers;
mod carried;
pub mod format;
mod lent;
pub(crate) mod library;
pub mod linked;
pub mod runtime;
mod sections;
mod set_before_read;
pub mod summary;
pub mod vouched;
mod written_before_read;

use bytes::Bytes;
pub use callers::Passed;
pub use lent::Lent;
use lent::Loans;
use linked::Outside;
use sections::Sections;
use summary::Summary;

use crate::beside::Beside;
use crate::expansion::Expansions;
use crate::word::{Word, Words};
use ferry_ir::{
    Callee, Expr, ExprKind, Function, FunctionRef, GlobalId, LocalId, Place, PlaceBase, Stmt, StmtKind, Unit,
    VariableRef,
};
use ferry_source::Origin;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// Storage that a function touches, seen by its caller.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touch {
    /// What these arguments (from 0) point to.
    pub arguments: BTreeSet<usize>,
    /// What every pointer argument points to.
    pub all_arguments: bool,
    /// These globals.
    pub globals: BTreeSet<GlobalId>,
    /// Variables of other files that have no name in this one.
    pub hidden: BTreeSet<Hidden>,
    /// Anything that the function could find.
    pub anything: bool,
}

/// A variable of another file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hidden {
    /// Its name.
    pub name: String,
    /// The file (by its number in the program) and the variable, if it is private to that file.
    pub private: Option<(usize, GlobalId)>,
    /// Pointers may lead to it.
    pub escapes: bool,
}

impl Touch {
    /// True if nothing is touched.
    pub fn is_empty(&self) -> bool {
        *self == Touch::default()
    }

    fn add(&mut self, other: &Touch) {
        self.arguments.extend(&other.arguments);
        self.all_arguments |= other.all_arguments;
        self.globals.extend(&other.globals);
        self.hidden.extend(other.hidden.iter().cloned());
        self.anything |= other.anything;
    }
}

/// What a call does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    /// Memory that it reads.
    pub reads: Touch,
    /// Memory that it writes.
    pub writes: Touch,
    /// It does something besides touching memory: input, output, allocation, time, randomness.
    pub external: Option<String>,
    /// It returns fresh storage.
    pub allocates: bool,
    /// It releases the storage that its first argument points to.
    pub releases: bool,
    /// It may put that storage elsewhere: its old name means nothing any more, unless the call fails.
    pub moves: bool,
    /// It may end the program or not return.
    pub may_not_return: bool,
    /// OpenMP and OpenACC compilers let a kernel call it.
    pub on_device: bool,
    /// The function of another file that keeps it from that, if this is the reason.
    pub elsewhere: Option<String>,
    /// What this rests on besides the text of the file.
    pub rests: BTreeSet<String>,
    /// What it writes depends on a format among its arguments ([`mod@format`]); `writes` has all that it may be.
    pub formatted: bool,
    /// What of all this is known by its bytes.
    pub bytes: Vec<Bytes>,
    /// What it reads and writes beside these bytes.
    pub beside_bytes: (Touch, Touch),
    /// It returns this argument.
    pub returns: Option<usize>,
}

impl Effect {
    /// What is assumed of a function of which nothing is known.
    pub fn unknown(name: &str) -> Effect {
        let anything = Touch {
            anything: true,
            ..Touch::default()
        };
        Effect {
            reads: anything.clone(),
            writes: anything,
            external: Some(format!("nothing is known of {name}")),
            may_not_return: true,
            ..Effect::default()
        }
    }

    /// True if the value of the call depends on its arguments alone and nothing else happens.
    pub fn is_pure(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && self.external.is_none() && !self.may_not_return
    }

    /// True if what its first argument points to is not there any more when it is back, under that name.
    pub fn ends_storage(&self) -> bool {
        self.releases || self.moves
    }
}

/// The effects of all functions of a unit.
#[derive(Clone, Debug)]
pub struct Effects {
    effects: Arc<[Effect]>,
    passed: BTreeMap<FunctionRef, Passed>,
    lent: OnceLock<Loans>,
    expansions: Expansions,
    /// The sections that functions of other files touch.
    summaries: BTreeMap<FunctionRef, Arc<Summary>>,
    /// Those that functions of the unit touch, where they are asked for.
    sections: Sections,
    only_users: BTreeMap<GlobalId, FunctionRef>,
    set_before_read: BTreeSet<GlobalId>,
    /// For each variable of the file, once it was asked.
    written_before_read: Vec<OnceLock<bool>>,
    words: Words,
    beside: Beside,
    declared_elsewhere: BTreeSet<String>,
    moves_elsewhere: bool,
    points_elsewhere: bool,
    /// Found once for the unit: aliasing asks for it again and again.
    pointed_to: Arc<BTreeSet<GlobalId>>,
}

/// The effects of a unit as a program ([`Effects::of_program`]), found when they are first asked for.
pub struct OfProgram<'a> {
    unit: &'a Unit,
    outside: &'a Outside,
    found: OnceLock<Effects>,
}

impl<'a> OfProgram<'a> {
    /// Nothing has been asked yet.
    pub fn new(unit: &'a Unit, outside: &'a Outside) -> OfProgram<'a> {
        OfProgram {
            unit,
            outside,
            found: OnceLock::new(),
        }
    }

    /// The effects.
    pub fn get(&self) -> &Effects {
        self.found
            .get_or_init(|| Effects::of_program(self.unit, self.outside))
    }
}

impl Effects {
    /// Summarizes a unit of which nothing else is known.
    pub fn of_unit(unit: &Unit) -> Effects {
        Effects::of_linked(unit, &Outside::default())
    }

    /// Summarizes a unit, with what is known of the functions of other files.
    pub fn of_linked(unit: &Unit, outside: &Outside) -> Effects {
        Effects::summarized(unit, outside, false)
    }

    fn summarized(unit: &Unit, outside: &Outside, with_run_time: bool) -> Effects {
        let mut summary = Effects::unsummarized(unit, outside, with_run_time);
        summary.summaries = carried::shared(&outside.summaries);
        // A program is walked as far as possible: what is left is called in loops, if it matters.
        summary.sections = Sections::of_unit(unit, &summary, with_run_time);
        // What functions do for their callers does not rest on what the user says of them.
        summary.words = outside.words.clone();
        summary.beside.clone_from(&outside.beside);
        summary.declared_elsewhere.clone_from(&outside.declared);
        summary.moves_elsewhere = outside.moves;
        summary.points_elsewhere = outside.points;
        summary
    }

    /// All but sections, and what the user says.
    fn unsummarized(unit: &Unit, outside: &Outside, with_run_time: bool) -> Effects {
        let mut summary = Effects {
            effects: composed(unit, &outlines(unit, outside), outside, with_run_time).into(),
            passed: BTreeMap::new(),
            lent: OnceLock::new(),
            expansions: Expansions::default(),
            summaries: BTreeMap::new(),
            sections: Sections::default(),
            only_users: BTreeMap::new(),
            set_before_read: BTreeSet::new(),
            written_before_read: vec![OnceLock::new(); unit.globals.len()],
            words: Words::new(),
            beside: Beside::new(),
            declared_elsewhere: BTreeSet::new(),
            moves_elsewhere: false,
            points_elsewhere: false,
            pointed_to: Arc::new(pointed_to(unit)),
        };
        summary.only_users = between_calls::only_users(unit, &summary);
        summary.set_before_read = set_before_read::all(unit, &summary);
        // What callers pass is seen without walking into what they call.
        callers::look_at_arguments(unit, &mut summary);
        summary.expansions = Expansions::of_unit(unit, &outside.replaceable, &outside.bodies);
        summary
    }

    /// The same, for questions about what happens between the beginning and the end of a program: calls are walked into as far as possible, and functions of the
    /// run time that move data are the directives that they stand for.
    pub fn of_program(unit: &Unit, outside: &Outside) -> Effects {
        let mut effects = Effects::summarized(unit, outside, true);
        effects.expansions = Expansions::of_program(unit, &outside.replaceable, &outside.bodies);
        effects
    }

    /// What is known of the pointers that all callers of a static function pass.
    pub fn passed(&self, function: FunctionRef) -> Passed {
        self.passed.get(&function).cloned().unwrap_or_default()
    }

    /// How all callers of a static function lend it the storage behind a parameter; `None` if what it leaves there may be read by others. Looked for when it is
    /// first asked.
    pub fn lent(&self, unit: &Unit, function: FunctionRef, parameter: LocalId) -> Option<Lent> {
        let loans = self.lent.get_or_init(|| {
            // What callers do behind a call is seen without walking into what they call.
            let plain = Effects {
                expansions: Expansions::default(),
                summaries: BTreeMap::new(),
                sections: Sections::default(),
                lent: OnceLock::new(),
                words: Words::new(),
                beside: Beside::new(),
                ..self.clone()
            };
            lent::all_loans(unit, &plain)
        });
        loans.get(&(function, parameter)).copied()
    }

    /// The variables whose addresses are taken anywhere in the unit other than for subscripting them.
    pub fn pointed_to(&self) -> Arc<BTreeSet<GlobalId>> {
        self.pointed_to.clone()
    }

    /// The functions of the unit that run beside others, or before or after all others.
    pub fn beside(&self) -> &Beside {
        &self.beside
    }

    /// The variables of other files that directives there declare for the device, or for each thread, by their names.
    pub fn declared_elsewhere(&self) -> &BTreeSet<String> {
        &self.declared_elsewhere
    }

    /// True if another file moves data to the device by itself.
    pub fn moves_elsewhere(&self) -> bool {
        self.moves_elsewhere
    }

    /// True if another file takes the address of a variable that has its own copy on the device, or for each thread.
    pub fn points_elsewhere(&self) -> bool {
        self.points_elsewhere
    }

    /// What the user says of functions of the unit.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// What the user says of one function.
    pub fn word(&self, function: FunctionRef) -> Option<&Word> {
        self.words.get(&function)
    }

    /// The functions whose bodies are walked where they are called.
    pub fn expansions(&self) -> &Expansions {
        &self.expansions
    }

    /// The sections that a function touches, where that was asked for and is known.
    pub fn summary(&self, unit: &Unit, function: FunctionRef) -> Option<Arc<Summary>> {
        let known = self.summaries.get(&function).cloned();
        known.or_else(|| self.sections.of_function(unit, function))
    }

    /// The function that has a static variable for itself: no other names it or reaches it through a pointer, and it is not called while it runs.
    pub fn only_user(&self, global: GlobalId) -> Option<FunctionRef> {
        self.only_users.get(&global).copied()
    }

    /// True for a static scalar that holds nothing for anybody when a function ends or a call returns: every function sets it before it reads it.
    pub fn is_set_before_read(&self, global: GlobalId) -> bool {
        self.set_before_read.contains(&global)
    }

    /// The same of a static array or structure, which every function writes before it reads it. Looked for when it is first asked.
    pub fn is_written_before_read(&self, unit: &Unit, global: GlobalId) -> bool {
        let known = self.written_before_read.get(global.0 as usize);
        let look = || written_before_read::is_written_before_read(unit, self, global);
        known.is_some_and(|known| *known.get_or_init(look))
    }

    /// The effect of one function.
    pub fn get(&self, function: FunctionRef) -> &Effect {
        &self.effects[function.0 as usize]
    }

    /// Where a function touches what it is given that a function of the library calls back, if it is given one that is known by its sections.
    pub fn origins_called_back(&self, unit: &Unit, function: FunctionRef, arguments: &[Expr]) -> Vec<Origin> {
        let call = callback::of_call(unit, function, arguments);
        let summary = call.and_then(|call| self.summary(unit, call.function()));
        let sections = summary.iter().flat_map(|summary| &summary.sections);
        let given = sections.filter(|section| matches!(section.base, summary::Base::Argument(_)));
        given
            .flat_map(|section| section.origins.iter().copied())
            .collect()
    }

    /// The effect of one call of a function, which may depend on what it is given: a format, a function that it calls.
    pub fn of_call(&self, unit: &Unit, function: FunctionRef, arguments: &[Expr]) -> Effect {
        match callback::of_call(unit, function, arguments) {
            Some(call) => {
                let effect = call.effect(&self.effects);
                match self.summary(unit, call.function()) {
                    Some(summary) => call.within_elements(effect, &summary, arguments),
                    None => effect,
                }
            }
            None => {
                let written = format::writes(unit, function, arguments);
                self.get(function).with_format(written)
            }
        }
    }
}

/// The effects of all functions of a unit, composed over calls until nothing changes.
fn composed(
    unit: &Unit,
    outlines: &[Option<Outline>],
    outside: &Outside,
    with_run_time: bool,
) -> Vec<Effect> {
    let first = |(id, function): (FunctionRef, &Function)| {
        if outside.replaceable.contains(&id) {
            let why = format!(
                "nothing is known of {}: it is weak, the linker may take another one",
                function.name
            );
            return Effect {
                external: Some(why),
                ..Effect::unknown(&function.name)
            };
        }
        if function.body.is_some() {
            return Effect {
                on_device: true,
                ..Effect::default()
            };
        }
        let known = outside.functions.get(&id).cloned();
        known
            .or_else(|| library::effect(&function.name))
            .or_else(|| runtime::effect(&function.name).filter(|_| with_run_time))
            .unwrap_or_else(|| declared(function))
    };
    compose(unit.functions().map(first).collect(), outlines)
}

/// Composes effects over calls. They only grow, and there are finitely many: the rounds end. Deep call chains need as
/// many rounds as they are deep at worst.
fn compose(mut effects: Vec<Effect>, outlines: &[Option<Outline>]) -> Vec<Effect> {
    loop {
        let mut changed = false;
        for (number, outline) in outlines.iter().enumerate() {
            let Some(outline) = outline else { continue };
            let Some(mut effect) = effects.get(number).cloned() else {
                continue;
            };
            outline.add_to(&mut effect, &effects);
            if effect != effects[number] {
                effects[number] = effect;
                changed = true;
            }
        }
        if !changed {
            return effects;
        }
    }
}

/// What the text of a function says of its effects, looked at once.
#[derive(Default)]
pub(crate) struct Outline {
    /// What it touches itself.
    reads: Touch,
    writes: Touch,
    may_not_return: bool,
    not_understood: bool,
    /// Causes and calls, in text order.
    steps: Vec<Step>,
}

enum Step {
    External(String),
    Call {
        /// `None`: through a pointer.
        callee: Option<FunctionRef>,
        /// What is written if the function takes a format.
        formatted: Option<Touch>,
        /// The function that it calls itself, if it is given one.
        back: Option<callback::Call>,
        /// What each argument points into.
        arguments: Vec<Touch>,
    },
}

impl Outline {
    fn add_to(&self, effect: &mut Effect, effects: &[Effect]) {
        effect.reads.add(&self.reads);
        effect.writes.add(&self.writes);
        effect.may_not_return |= self.may_not_return;
        effect.on_device &= !self.not_understood;
        for step in &self.steps {
            match step {
                Step::External(why) => {
                    effect.external.get_or_insert_with(|| why.clone());
                }
                Step::Call {
                    callee,
                    formatted,
                    back,
                    arguments,
                } => {
                    let called = match callee.and_then(|id| effects.get(id.0 as usize)) {
                        Some(called) => match back {
                            Some(back) => back.effect(effects),
                            None => called.with_format(formatted.clone()),
                        },
                        None => Effect::unknown("a function that is called through a pointer"),
                    };
                    effect.called(&called, arguments);
                }
            }
        }
    }
}

impl Effect {
    fn called(&mut self, called: &Effect, arguments: &[Touch]) {
        translate(&called.reads, arguments, &mut self.reads);
        translate(&called.writes, arguments, &mut self.writes);
        if self.external.is_none() {
            self.external.clone_from(&called.external);
        }
        self.may_not_return |= called.may_not_return;
        self.on_device &= called.on_device;
        if self.elsewhere.is_none() {
            self.elsewhere.clone_from(&called.elsewhere);
        }
        self.rests.extend(called.rests.iter().cloned());
    }
}

/// The outlines of all functions of a unit that have a body and stay what they are, and of those that end the program.
pub(crate) fn outlines(unit: &Unit, outside: &Outside) -> Vec<Option<Outline>> {
    let ending: BTreeSet<FunctionRef> = at_exit::ending(unit).collect();
    // Most units never end the program, and need not be looked through.
    let registered = match ending.is_empty() {
        true => BTreeSet::new(),
        false => at_exit::registered(unit),
    };
    let outline = |(id, function): (FunctionRef, &Function)| match &function.body {
        Some(body) => (!outside.replaceable.contains(&id)).then(|| outline(unit, function, body)),
        None => (!registered.is_empty() && ending.contains(&id)).then(|| at_exit::outline(&registered)),
    };
    unit.functions().map(outline).collect()
}

fn declared(function: &Function) -> Effect {
    if function.pure {
        let reads = Touch {
            anything: true,
            ..Touch::default()
        };
        let rests = format!("{} has no effects, as its declaration says", function.name);
        return Effect {
            reads,
            rests: [rests].into(),
            ..Effect::default()
        };
    }
    Effect {
        may_not_return: true,
        ..Effect::unknown(&function.name)
    }
}

fn outline(unit: &Unit, function: &Function, body: &Stmt) -> Outline {
    // Loops end (C11 6.8.5p6), jumps back need not.
    let mut outline = Outline {
        may_not_return: crate::shape::jumps_back(body),
        ..Outline::default()
    };
    let mut assigned = BTreeSet::new();
    crate::scalar::assigned_variables(body, &mut assigned);
    let own = Own {
        unit,
        function,
        assigned,
    };
    body.walk(&mut |stmt| {
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner| {
                if let ExprKind::Load(place) = &inner.kind {
                    own.touch(place, &mut outline.reads);
                }
                if let ExprKind::Opaque { why, .. } = &inner.kind {
                    outline.steps.push(Step::External(not_understood(function, why)));
                    outline.reads.anything = true;
                }
            });
        });
        match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Zero { place } => {
                own.touch(place, &mut outline.writes);
            }
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => {
                if let Some(place) = result {
                    own.touch(place, &mut outline.writes);
                }
                let reached = |argument: &Expr| {
                    let mut touch = Touch::default();
                    own.reach(argument, &mut touch);
                    touch
                };
                outline.steps.push(Step::Call {
                    callee: match callee {
                        Callee::Function(id) => Some(*id),
                        Callee::Pointer(_) => None,
                    },
                    formatted: match callee {
                        Callee::Function(id) => format::writes(unit, *id, arguments),
                        Callee::Pointer(_) => None,
                    },
                    back: match callee {
                        Callee::Function(id) => callback::of_call(unit, *id, arguments),
                        Callee::Pointer(_) => None,
                    },
                    arguments: arguments.iter().map(reached).collect(),
                });
            }
            StmtKind::Opaque { why, .. } => {
                outline.reads.anything = true;
                outline.writes.anything = true;
                outline.steps.push(Step::External(not_understood(function, why)));
                outline.may_not_return = true;
                outline.not_understood = true;
            }
            _ => {}
        }
    });
    outline
}

fn not_understood(function: &Function, why: &str) -> String {
    format!("nothing is known of {}: {why}", function.name)
}

/// What a callee touches, in terms of the caller: `arguments` is what each argument points into.
fn translate(called: &Touch, arguments: &[Touch], touch: &mut Touch) {
    touch.anything |= called.anything;
    touch.globals.extend(&called.globals);
    touch.hidden.extend(called.hidden.iter().cloned());
    for (number, argument) in arguments.iter().enumerate() {
        if called.all_arguments || called.arguments.contains(&number) {
            touch.add(argument);
        }
    }
}

/// A function that is being looked at.
struct Own<'a> {
    unit: &'a Unit,
    function: &'a Function,
    assigned: BTreeSet<VariableRef>,
}

impl Own<'_> {
    /// Takes account of one access.
    fn touch(&self, place: &Place, touch: &mut Touch) {
        match &place.base {
            PlaceBase::Variable(VariableRef::Global(id)) => {
                // A constant table is no state.
                if !self.unit.global(*id).qualifiers.constant {
                    touch.globals.insert(*id);
                }
            }
            PlaceBase::Variable(VariableRef::Local(_)) => {}
            PlaceBase::Deref(pointer) => self.reach(pointer, touch),
        }
    }

    /// Takes account of the storage that a pointer points into.
    fn reach(&self, pointer: &Expr, touch: &mut Touch) {
        match &pointer.kind {
            ExprKind::Offset(base, _) => self.reach(base, touch),
            ExprKind::Cast(base) => self.reach(base, touch),
            ExprKind::AddressOf(place) => match &place.base {
                PlaceBase::Variable(VariableRef::Global(id)) => {
                    touch.globals.insert(*id);
                }
                PlaceBase::Variable(VariableRef::Local(_)) => {}
                PlaceBase::Deref(inner) => self.reach(inner, touch),
            },
            ExprKind::Load(place) => match place.as_variable() {
                Some(VariableRef::Local(local)) if self.is_as_given(local) => {
                    touch.arguments.insert(local.0 as usize);
                }
                _ => touch.anything = true,
            },
            ExprKind::Int(0) => {}
            _ => touch.anything = true,
        }
    }

    /// True for a parameter that holds the argument all the time.
    fn is_as_given(&self, local: LocalId) -> bool {
        local.0 < self.function.parameters
            && !self.function.local(local).address_taken
            && !self.assigned.contains(&VariableRef::Local(local))
    }
}

/// The variables whose addresses are taken anywhere in the unit other than for subscripting them.
fn pointed_to(unit: &Unit) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    unit.walk_expressions(&mut |expr| {
        if let ExprKind::AddressOf(place) = &expr.kind
            && let PlaceBase::Variable(VariableRef::Global(global)) = place.base
        {
            found.insert(global);
        }
    });
    found
}
