//! Where do directives that the source has already keep new kernels away?
//!
//! A function that runs in a parallel region is run by several threads at a time, and one that runs on a device cannot
//! start a kernel; what the program keeps on the device by itself is *present*, so that a new mapping would move nothing;
//! `threadprivate` variables cannot be mapped. Which functions do not run alone is known from all files of the program ([`ferry_analysis::beside`]).
//!
//! A function that new kernels call starts none either: functions are planned after those that call them.
//! What other files move to the device is not seen.

use crate::called;
use crate::links::named;
use crate::plan::Plan;
use ferry_analysis::beside;
use ferry_analysis::declared;
use ferry_analysis::effects::Effects;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::verdict::FunctionFacts;
use ferry_directive::Language;
use ferry_ir::{
    Callee, Declaring, ExprKind, FunctionRef, GlobalId, Linkage, PlaceBase, Stmt, StmtId, StmtKind, Unit,
    VariableRef,
};
use ferry_source::{Origin, Sources, Span, mentions};
use ferry_symbolic::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// What is left alone because of directives in the source.
#[derive(Default)]
pub struct Existing {
    /// Functions in which no kernel may start.
    functions: BTreeMap<FunctionRef, Cause>,
    /// Variables that have a copy on the device.
    globals: BTreeMap<GlobalId, Cause>,
    /// Another file moves data to the device.
    moves_elsewhere: bool,
    /// One of these to which a pointer may lead.
    led_to: Option<Cause>,
    /// Nothing may be offloaded.
    unit: Option<Cause>,
    /// Functions in which kernels start now.
    starting: BTreeSet<FunctionRef>,
}

impl Existing {
    /// Looks at the directives of a unit; `declarations` are those at no statement's place, with their names, `effects` know the functions that do not
    /// run alone ([`ferry_analysis::beside`]), and what other files declare.
    pub fn of(unit: &Unit, effects: &Effects, declarations: &[(Span, &str)], sources: &Sources) -> Existing {
        let mut found = Existing {
            functions: effects.beside().clone(),
            ..Existing::default()
        };
        let forks = |name: &str| FORKS.contains(&name);
        if let Some(at) = unit.first_call(&forks).or_else(|| named_otherwise(unit, &forks)) {
            let why = "a process that the program forks cannot use the device of its parent";
            found.unit.get_or_insert_with(|| Cause::new(why, at));
        }
        if let Some(at) = moves_data(unit) {
            let why = "the program moves data to the device by itself, where a new mapping would find it";
            found.unit.get_or_insert_with(|| Cause::new(why, at));
        }
        if let Some(at) = unit.directive(&|directive| directive.is_chosen_by_context()) {
            let why = "what a `metadirective` becomes is not known";
            found.unit.get_or_insert_with(|| Cause::new(why, at));
        }
        found.moves_elsewhere = effects.moves_elsewhere();
        if let Some(at) = ferry_directive::attribute(sources.bytes(unit.file)) {
            let why = "directives are written as attributes (`[[omp::…]]`), which are not read";
            let at = Origin::Text(Span::new(unit.file, at, at + 2));
            found.unit.get_or_insert_with(|| Cause::new(why, at));
        }
        if let Some(at) = declared::made_by_a_macro(unit.file, sources) {
            let why =
                "a macro may make directives of OpenACC that declare variables or functions for the device";
            found
                .unit
                .get_or_insert_with(|| Cause::new(why, Origin::Text(at)));
        }
        found.declarations(unit, declarations, sources);
        for (global, number) in unit.globals.iter().zip(0u32..) {
            if global.linkage == Linkage::External && effects.declared_elsewhere().contains(&global.name) {
                let why = format!(
                    "{} is declared for the device, or for each thread, in another file",
                    global.name
                );
                let cause = Cause::new(why, global.origin);
                found.globals.entry(GlobalId(number)).or_insert(cause);
            }
        }
        found.led_to = address_taken(unit, &|id| found.globals.contains_key(&id)).map(|(id, at)| {
            let name = &unit.global(id).name;
            let why = format!(
                "a pointer may lead to {name}, which is on the device already, or of which each thread has its own"
            );
            Cause::new(why, at)
        });
        if effects.points_elsewhere() {
            let why = "a pointer of another file may lead to a variable that is on the device already, or of which each thread has its own";
            let at = Origin::Text(Span::new(unit.file, 0, 0));
            found.led_to.get_or_insert_with(|| Cause::new(why, at));
        }
        found
    }

    /// `declare target`, `threadprivate`, `acc routine`, `acc declare` outside functions.
    fn declarations(&mut self, unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) {
        let nowhere = Span::new(unit.file, 0, 0);
        match &unit.declared {
            Err(refused) => {
                let why = format!(
                    "what directives declare for the device could not be read: {}",
                    refused.why
                );
                let at = Origin::Text(refused.at.unwrap_or(nowhere));
                self.unit.get_or_insert_with(|| Cause::new(why, at));
            }
            Ok(all) => {
                for one in all {
                    let why = match one.how {
                        Declaring::Variant => VARIANT,
                        Declaring::Mapper => MAPPER,
                        Declaring::Device | Declaring::Linked | Declaring::Private => continue,
                    };
                    let at = Origin::Text(one.at.unwrap_or(nowhere));
                    self.unit.get_or_insert_with(|| Cause::new(why, at));
                }
            }
        }
        for (span, name) in declarations {
            let why = match *name {
                _ if name.ends_with("declare variant") => VARIANT,
                "declare target" | "begin declare target" if mentions(sources.text(*span), "host") => {
                    "a function may be for the host alone (`device_type(host)`)"
                }
                _ => continue,
            };
            self.unit
                .get_or_insert_with(|| Cause::new(why, Origin::Text(*span)));
        }
        let declared = declared::all(unit, declarations, sources);
        let for_device = declared.iter().flat_map(|one| one.functions.iter().copied());
        self.used_on_device(unit, for_device.collect());
        for declared in declared {
            for id in declared.functions {
                let cause = Cause::new("its function is made for the device", Origin::Text(declared.at));
                self.functions.entry(id).or_insert(cause);
            }
            for id in declared.globals {
                let name = &unit.global(id).name;
                let why = match declared.private {
                    true => format!("every thread has its own {name}"),
                    false => format!("{name} has its own copy on the device"),
                };
                let cause = Cause::new(why, Origin::Text(declared.at));
                self.globals.insert(id, cause);
            }
        }
    }

    /// Variables that functions for the device use, declared or called in a target region, may live there without a directive of their own: where the function is
    /// compiled for the device (OpenMP 5.0 §2.12.7), gcc 12 makes them for it. Directives of variables come later, and have the better reason.
    fn used_on_device(&mut self, unit: &Unit, mut functions: BTreeSet<FunctionRef>) {
        let bodies = || {
            unit.functions
                .iter()
                .filter_map(|function| function.body.as_ref())
        };
        for body in bodies() {
            body.walk(&mut |stmt| {
                if let StmtKind::Directive {
                    directive,
                    body: Some(body),
                } = &stmt.kind
                    && directive.language == Language::OpenMp
                    && directive.is_target_construct()
                {
                    functions.extend(called::functions(unit, body));
                }
            });
        }
        let body_of = |id: &FunctionRef| unit.function(*id).body.as_ref();
        let called: Vec<FunctionRef> = functions
            .iter()
            .filter_map(body_of)
            .flat_map(|body| called::functions(unit, body))
            .collect();
        functions.extend(called);
        for id in functions {
            for global in body_of(&id).into_iter().flat_map(|body| named(body).into_keys()) {
                let why = format!(
                    "{}, which is for the device, uses {}, which may live there then",
                    unit.function(id).name,
                    unit.global(global).name
                );
                self.globals
                    .insert(global, Cause::new(why, unit.function(id).origin));
            }
        }
    }

    /// Takes out of a plan what may not be written, and takes account of the rest: functions that its kernels call are
    /// left alone from here on. Functions come after those that call them ([`callers_first`]).
    pub fn withhold(&mut self, unit: &Unit, function: FunctionRef, facts: &FunctionFacts, plan: &mut Plan) {
        let whole = self.functions.get(&function).or(self.unit.as_ref()).cloned();
        let mut kept = Vec::new();
        let mut bodies: BTreeMap<StmtId, &Stmt> = BTreeMap::new();
        if let Some(body) = &unit.function(function).body {
            body.walk(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Loop(_)) {
                    bodies.insert(stmt.id, stmt);
                }
            });
        }
        for environment in std::mem::take(&mut plan.environments) {
            let touched = || {
                let kernels = || environment.kernels.iter();
                let mapped = kernels().flat_map(|kernel| kernel.bases.keys());
                let mapped = mapped.filter_map(|root| match facts.values.symbols.info(*root).kind {
                    SymbolKind::Address(variable) => Some(variable),
                    _ => None,
                });
                // Of these there are copies, which a `threadprivate` variable cannot have.
                let copied = kernels().flat_map(|kernel| kernel.private.iter().chain(kernel.results.keys()));
                mapped
                    .chain(copied.copied())
                    .filter_map(|variable| match variable {
                        VariableRef::Global(id) => self.globals.get(&id),
                        VariableRef::Local(_) => None,
                    })
            };
            let mut called = BTreeMap::new();
            for kernel in &environment.kernels {
                let of = facts.values.loops.get(kernel.index.0 as usize);
                if let Some(stmt) = of.and_then(|of| bodies.get(&of.stmt)) {
                    let functions = called::functions(unit, stmt);
                    called.extend(functions.into_iter().map(|id| (id, stmt.origin)));
                }
            }
            let itself_starts = || {
                let (id, at) = called
                    .iter()
                    .find(|(id, _)| **id == function || self.starting.contains(*id))?;
                let why = format!("it calls {}, in which kernels start", unit.function(*id).name);
                Some(Cause::new(why, *at))
            };
            let by_pointer = || {
                let mut roots = environment.kernels.iter().flat_map(|kernel| kernel.bases.keys());
                let is_pointer =
                    |root: &Symbol| !matches!(facts.values.symbols.info(*root).kind, SymbolKind::Address(_));
                roots.any(is_pointer).then(|| self.led_to.clone()).flatten()
            };
            let by_another_file = || {
                let mut roots = environment.kernels.iter().flat_map(|kernel| kernel.bases.keys());
                let root =
                    roots.find(|root| self.moves_elsewhere && is_reached(unit, function, facts, **root))?;
                let why =
                    "another file moves data to the device by itself, where a new mapping would find it";
                Some(Cause::new(why, facts.values.symbols.info(*root).at))
            };
            let cause = whole
                .clone()
                .or_else(|| touched().next().cloned())
                .or_else(by_pointer)
                .or_else(by_another_file);
            match cause.or_else(itself_starts) {
                None => {
                    for (id, at) in called {
                        let cause = Cause::new("a kernel calls its function", at);
                        self.functions.entry(id).or_insert(cause);
                    }
                    kept.push(environment);
                }
                Some(cause) => {
                    for (index, outcome) in plan.offloaded.iter_mut() {
                        if environment.runs_in_kernel(&facts.values, *index) {
                            *outcome = Err(cause.clone());
                        }
                    }
                }
            }
        }
        if !kept.is_empty() {
            self.starting.insert(function);
        }
        plan.environments = kept;
    }
}

/// Where the address of one of some variables is taken, with the variable: pointers may lead to it.
pub fn address_taken(unit: &Unit, is_one: &dyn Fn(GlobalId) -> bool) -> Option<(GlobalId, Origin)> {
    let mut found = None;
    unit.walk_expressions(&mut |code| {
        if let ExprKind::AddressOf(place) = &code.kind
            && let PlaceBase::Variable(VariableRef::Global(id)) = place.base
            && is_one(id)
        {
            found.get_or_insert((id, code.origin));
        }
    });
    found
}

/// What functions of the run time put on the device.
const MOVE: [&str; 10] = [
    "acc_copyin",
    "acc_copyin_async",
    "acc_present_or_copyin",
    "acc_pcopyin",
    "acc_create",
    "acc_create_async",
    "acc_present_or_create",
    "acc_pcreate",
    "acc_map_data",
    "omp_target_associate_ptr",
];

const VARIANT: &str = "which function a call calls goes by the context (`declare variant`)";
const MAPPER: &str = "a type has a mapper (`declare mapper`), by which it is mapped";

const FORKS: [&str; 3] = ["fork", "vfork", "daemon"];

/// Where a unit puts data on the device that stay there, or takes them off: by directives, or by functions of the run time.
pub fn moves_data(unit: &Unit) -> Option<Origin> {
    let mut found = None;
    for body in unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
    {
        body.walk(&mut |stmt| {
            let moves = match &stmt.kind {
                StmtKind::Call {
                    callee: Callee::Function(id),
                    ..
                } => MOVE.contains(&unit.function(*id).name.as_str()),
                StmtKind::Directive { directive, .. } => {
                    matches!(
                        directive.name.as_str(),
                        "target enter data" | "target exit data" | "enter data" | "exit data" | "declare"
                    ) || directive.may_become_target()
                }
                _ => false,
            };
            if moves {
                found.get_or_insert(stmt.origin);
            }
        });
    }
    found.or_else(|| named_otherwise(unit, &|name| MOVE.contains(&name)))
}

/// A function of a name that a pointer may lead to: who has it may call it.
fn named_otherwise(unit: &Unit, is_one: &dyn Fn(&str) -> bool) -> Option<Origin> {
    let mut all = unit
        .functions_pointed_to()
        .into_iter()
        .map(|id| unit.function(id));
    all.find(|function| is_one(&function.name))
        .map(|function| function.origin)
}

/// True for storage that other files may know: not variables of this one, or of the function, whose address it keeps for itself.
fn is_reached(unit: &Unit, function: FunctionRef, facts: &FunctionFacts, root: Symbol) -> bool {
    match facts.values.symbols.info(root).kind {
        SymbolKind::Address(VariableRef::Global(id)) => unit.global(id).linkage == Linkage::External,
        SymbolKind::Address(VariableRef::Local(id)) => unit.function(function).local(id).address_taken,
        _ => true,
    }
}

/// All functions, each after those that call it, as far as they do not call each other in turn.
pub fn callers_first(unit: &Unit) -> Vec<FunctionRef> {
    enum Step {
        Enter(FunctionRef),
        Leave(FunctionRef),
    }
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    for (first, _) in unit.functions() {
        let mut open = vec![Step::Enter(first)];
        while let Some(step) = open.pop() {
            match step {
                Step::Enter(id) => {
                    if !seen.insert(id) {
                        continue;
                    }
                    open.push(Step::Leave(id));
                    if let Some(body) = &unit.function(id).body {
                        calls(unit, body, &mut |next| open.push(Step::Enter(next)));
                    }
                }
                Step::Leave(id) => order.push(id),
            }
        }
    }
    order.reverse();
    order
}

/// The functions that a statement calls, or may call through a pointer.
fn calls(unit: &Unit, stmt: &Stmt, f: &mut dyn FnMut(FunctionRef)) {
    if beside::calls(stmt, f) {
        unit.functions_pointed_to().into_iter().for_each(f);
    }
}
