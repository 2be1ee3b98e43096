//! Where do directives that the source has already keep new kernels away?
//!
//! A function that runs in a parallel region is run by several threads at a time, and one that runs on a device cannot
//! start a kernel; what the program keeps on the device by itself is *present*, so that a new mapping would move nothing;
//! `threadprivate` variables cannot be mapped. Which functions do not run alone is known from all files of the program ([`ferry_analysis::beside`]).
//!
//! A function that new kernels call starts none either: functions are planned after those that call them.
//! What other files move to the device is not seen.

use crate::called;
use crate::plan::Plan;
use ferry_analysis::beside::{self, Beside};
use ferry_analysis::declared;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::{FunctionRef, GlobalId, Stmt, StmtId, StmtKind, Unit, VariableRef};
use ferry_source::{Origin, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What is left alone because of directives in the source.
#[derive(Default)]
pub struct Existing {
    /// Functions in which no kernel may start.
    functions: BTreeMap<FunctionRef, Cause>,
    /// Variables that have a copy on the device.
    globals: BTreeMap<GlobalId, Cause>,
    /// Nothing may be offloaded.
    unit: Option<Cause>,
    /// Functions in which kernels start now.
    starting: BTreeSet<FunctionRef>,
}

impl Existing {
    /// Looks at the directives of a unit; `declarations` are those at no statement's place, with their names, `beside` the functions that do not
    /// run alone ([`ferry_analysis::beside`]).
    pub fn of(unit: &Unit, beside: &Beside, declarations: &[(Span, &str)], sources: &Sources) -> Existing {
        let mut found = Existing {
            functions: beside.clone(),
            ..Existing::default()
        };
        let mut declarations = declarations.to_vec();
        for body in unit
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
        {
            body.walk(&mut |stmt| {
                let StmtKind::Directive { directive, .. } = &stmt.kind else {
                    return;
                };
                let name = directive.name.as_str();
                if let ("threadprivate", Some(span)) = (name, stmt.origin.text()) {
                    declarations.push((span, "threadprivate"));
                }
                if matches!(
                    name,
                    "target enter data" | "target exit data" | "enter data" | "exit data" | "declare"
                ) {
                    let why =
                        "the program moves data to the device by itself, where a new mapping would find it";
                    found.unit.get_or_insert_with(|| Cause::new(why, stmt.origin));
                }
            });
        }
        if let Some(at) = ferry_directive::attribute(sources.bytes(unit.file)) {
            let why = "directives are written as attributes (`[[omp::…]]`), which are not read";
            let at = Origin::Text(Span::new(unit.file, at, at + 2));
            found.unit.get_or_insert_with(|| Cause::new(why, at));
        }
        if let Some(at) = declared::made_by_a_macro(unit.file, sources) {
            let why = "a macro may make directives that declare variables for the device, or for each thread";
            found
                .unit
                .get_or_insert_with(|| Cause::new(why, Origin::Text(at)));
        }
        found.declarations(unit, &declarations, sources);
        found
    }

    /// `declare target`, `acc routine`, `acc declare` outside functions.
    fn declarations(&mut self, unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) {
        for declared in declared::all(unit, declarations, sources) {
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
                self.globals.entry(id).or_insert(cause);
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
                let copied =
                    kernels().flat_map(|kernel| kernel.private.iter().chain(kernel.reductions.keys()));
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
            let cause = whole.clone().or_else(|| touched().next().cloned());
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
