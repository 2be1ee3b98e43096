//! Which variables of the file may functions on the device use?
//!
//! A function that a kernel calls finds a variable of the file there if that is declared `declare target link` (OpenMP 4.5 §2.10.6, 5.0
//! §2.12.7) and mapped: the device then has a pointer for it, which the mapping sets. Then *every* kernel of the file finds it so,
//! also those that name it themselves, and what is right for other variables is wrong for it:
//!
//! - a scalar is mapped, as no compiler makes it `firstprivate`;
//! - an array is mapped as a whole: gcc 12 takes the beginning of a section for the beginning of the array;
//! - a kernel has it by its name alone, and makes no copies of it: the functions would not use these.
//!
//! gcc 12 takes one such variable for another on NVIDIA's GPUs where a program has several: it numbers them in another order on the device than on the host. So the
//! directives, and those of data environments with kernels that need them, are for clang alone (`#ifdef __clang__`); gcc runs such loops on the host.
//!
//! So functions are planned with the variables that are declared (`declared`), again where there are more than was thought.
//!
//! What it cannot do: OpenACC, of which gcc 12 takes no `declare link` for what a `routine` uses; static variables of functions, pointers and what holds them, variables
//! that directives in the source speak of or that kernels which are there use, and those for which no place in the file comes before all functions that use them.

use crate::called::{callees, globals};
use crate::kernel::{Context, Kernel, collapsed_variables};
use crate::scope::Scope;
use crate::scratch;
use ferry_analysis::declared;
use ferry_analysis::scalar::{Variables, assigned_variables};
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::word;
use ferry_directive::{Language, Version};
use ferry_ir::visit::mentioned_variables;
use ferry_ir::{
    ExprKind, FunctionRef, Global, GlobalId, Place, PlaceBase, Stmt, StmtKind, Unit, VariableRef,
};
use ferry_source::{Origin, Preprocessor, Sources, Span, layout};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the variables that functions use which kernels may call.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Where the directive stands for each, in front of the first function that uses it, itself or by what it calls, or why it has no copy on the device.
    places: BTreeMap<GlobalId, Result<u32, String>>,
    /// Those that are declared for the device.
    declared: BTreeSet<GlobalId>,
}

impl Links {
    /// Looks at the variables that called functions of a unit name; `declarations` are the directives at no statement's place, with their names.
    pub fn of(unit: &Unit, declarations: &[(Span, &str)], sources: &Sources, version: Version) -> Links {
        let mut called = BTreeSet::new();
        for body in unit
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
        {
            called.extend(callees(body));
        }
        let mut candidates = BTreeSet::new();
        for id in called {
            if let Some(body) = &unit.function(id).body {
                candidates.extend(named(body).into_keys());
            }
        }
        if candidates.is_empty() {
            return Links::default();
        }
        let file = File {
            unit,
            sources,
            preprocessor: Preprocessor::new(sources.bytes(unit.file)),
            uses: uses(unit),
            taken: spoken_of(unit, declarations, sources),
            version,
        };
        let places = candidates.into_iter().map(|id| (id, file.place(id)));
        Links {
            places: places.collect(),
            declared: BTreeSet::new(),
        }
    }

    /// True if any variable could be declared.
    pub fn may_be_declared(&self) -> bool {
        self.places.values().any(Result::is_ok)
    }

    /// Declares more variables; true if some were not declared before.
    pub fn declare(&mut self, more: &BTreeSet<GlobalId>) -> bool {
        let before = self.declared.len();
        self.declared.extend(more);
        self.declared.len() > before
    }

    /// The place of the directive for a variable, or why there is none.
    pub fn place(&self, id: GlobalId) -> Result<u32, &str> {
        let unknown = Err("which has no copy on the device");
        self.places
            .get(&id)
            .map_or(unknown, |place| place.as_ref().copied().map_err(String::as_str))
    }
}

/// The file, and what was found in it.
struct File<'a> {
    unit: &'a Unit,
    sources: &'a Sources,
    preprocessor: Preprocessor,
    /// Which variables each function uses, itself or by what it calls: a kernel in it may name these.
    uses: Vec<(Origin, BTreeSet<GlobalId>)>,
    /// Variables that directives in the source speak of, or that are used under one.
    taken: BTreeSet<GlobalId>,
    version: Version,
}

impl File<'_> {
    /// Where the directive for a variable stands.
    fn place(&self, id: GlobalId) -> Result<u32, String> {
        let global = self.unit.global(id);
        if let Some(why) = self.refused(id, global) {
            return Err(format!("which has no copy on the device{why}"));
        }
        let nowhere = |why: &str| Err(format!("which has no copy on the device: {why}"));
        let mut first: Option<Span> = None;
        for (origin, uses) in &self.uses {
            if !uses.contains(&id) {
                continue;
            }
            match origin {
                Origin::Text(span) if span.file == self.unit.file => {
                    if first.is_none_or(|known| span.start < known.start) {
                        first = Some(*span);
                    }
                }
                _ => return nowhere("a function that uses it is in a header, or comes out of a macro"),
            }
        }
        let Some(first) = first else {
            return nowhere("no function names it");
        };
        let at = first.start;
        if !layout::is_first_on_line(self.sources.bytes(first.file), at as usize) {
            return nowhere("there is no line for a directive before the first function that uses it");
        }
        // Of a variable that is only declared there, and defined behind, gcc 12 links nothing.
        if let Some(own) = global.origin.span().filter(|own| own.file == self.unit.file)
            && (own.start > at || self.preprocessor.branch(own.start) != 0)
        {
            return nowhere("it is not certainly defined before the first function that uses it");
        }
        let Some(at) = self.in_front_of(at) else {
            return nowhere(
                "something stands before the first function that uses it that may belong to that",
            );
        };
        if self.preprocessor.branch(at) != 0 {
            return nowhere("the first function that uses it hangs on an #if");
        }
        Ok(at)
    }

    /// The place in front of a function, or of the comments on lines of their own that speak of it; `None` if a pragma, attributes or macros stand before it.
    fn in_front_of(&self, at: u32) -> Option<u32> {
        let bytes = &self.sources.bytes(self.unit.file)[..at as usize];
        let last = layout::last_code_before(bytes, bytes.len());
        if let Some(last) = last {
            let mut lines = self.preprocessor.lines().iter();
            let is_here =
                |line: &&ferry_source::DirectiveLine| (line.hash..line.end).contains(&(last as u32));
            let ends = match lines.find(is_here) {
                Some(line) => line.keyword != "pragma",
                None => matches!(bytes[last], b';' | b'}'),
            };
            if !ends {
                return None;
            }
        }
        let behind = |comment: &word::Comment| last.is_none_or(|last| comment.span.start > last);
        match word::comments(bytes).into_iter().find(behind) {
            Some(comment) if !comment.own_line => None,
            Some(comment) => u32::try_from(comment.span.start).ok(),
            None => Some(at),
        }
    }

    /// Why a variable cannot be declared wherever the directive stands.
    fn refused(&self, id: GlobalId, global: &Global) -> Option<String> {
        if self.version.language() == Language::OpenAcc {
            return Some(": gcc 12 takes no `declare link` for what a `routine` uses".to_owned());
        }
        let by_nature = global.inside.is_some() || global.string_literal || global.thread_local;
        if by_nature || global.qualifiers.volatile {
            return Some(String::new());
        }
        if !global.defined {
            return Some(": it is defined elsewhere".to_owned());
        }
        let size = self.unit.types.size(global.ty);
        if size.is_none_or(|size| size == 0) || !scratch::holds_numbers(&self.unit.types, global.ty) {
            return Some(": it holds more than numbers".to_owned());
        }
        if self.taken.contains(&id) {
            return Some(": directives that are there use it".to_owned());
        }
        if self.is_macro(&global.name) {
            return Some(": its name is that of a macro".to_owned());
        }
        let names_it = |(_, value): &(Place, ferry_ir::Expr)| {
            let mut found = false;
            value.walk(&mut |inner| {
                if let ExprKind::AddressOf(place) | ExprKind::Load(place) = &inner.kind {
                    found |= place.base == PlaceBase::Variable(VariableRef::Global(id));
                }
            });
            found
        };
        let initial = self
            .unit
            .globals
            .iter()
            .any(|other| other.initial.iter().any(names_it));
        initial.then(|| ": another variable begins with its address".to_owned())
    }

    /// True if some line of the file defines a macro of this name.
    fn is_macro(&self, name: &str) -> bool {
        let bytes = self.sources.bytes(self.unit.file);
        self.preprocessor.lines().iter().any(|line| {
            let text = bytes
                .get(line.start as usize..line.end as usize)
                .unwrap_or_default();
            let text = String::from_utf8_lossy(text);
            let defined = text.split_once("define").map(|(_, rest)| rest.trim_start());
            let word = defined.and_then(|rest| {
                rest.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                    .next()
            });
            line.keyword == "define" && word == Some(name)
        })
    }
}

/// The variables of the file that a statement names, each with a place where it does.
pub fn named(body: &Stmt) -> BTreeMap<GlobalId, Origin> {
    let mut found = BTreeMap::new();
    let mut note = |place: &Place| {
        if let PlaceBase::Variable(VariableRef::Global(id)) = place.base {
            found.entry(id).or_insert(place.origin);
        }
    };
    body.walk(&mut |stmt| {
        if let Some(place) = stmt.written_place() {
            note(place);
        }
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner| {
                if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind {
                    note(place);
                }
            });
        });
    });
    found
}

/// The variables that each function with a body uses, itself or by what it calls.
fn uses(unit: &Unit) -> Vec<(Origin, BTreeSet<GlobalId>)> {
    let names: BTreeMap<FunctionRef, (BTreeSet<GlobalId>, BTreeSet<FunctionRef>)> = unit
        .functions()
        .filter_map(|(id, function)| {
            let body = function.body.as_ref()?;
            let calls = callees(body).into_iter().collect();
            Some((id, (named(body).into_keys().collect(), calls)))
        })
        .collect();
    let reached = |first: &FunctionRef| {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![*first]);
        while let Some(next) = open.pop() {
            if let Some((own, calls)) = names.get(&next).filter(|_| seen.insert(next)) {
                found.extend(own);
                open.extend(calls);
            }
        }
        found
    };
    names
        .keys()
        .map(|id| (unit.function(*id).origin, reached(id)))
        .collect()
}

/// The variables that directives of the source speak of, or that are used under one, or by functions that directives make for the device.
fn spoken_of(unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<FunctionRef> = Vec::new();
    for one in declared::all(unit, declarations, sources) {
        found.extend(one.globals);
        open.extend(one.functions);
    }
    let mut texts: Vec<Span> = declarations.iter().map(|(span, _)| *span).collect();
    for body in unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
    {
        body.walk(&mut |stmt| {
            if let StmtKind::Directive { body, .. } = &stmt.kind {
                texts.extend(stmt.origin.span());
                if let Some(body) = body {
                    found.extend(named(body).into_keys());
                    open.extend(callees(body));
                }
            }
        });
    }
    for id in open {
        if let Some(body) = &unit.function(id).body {
            found.extend(named(body).into_keys());
            found.extend(globals(unit, body));
        }
    }
    let mut words = BTreeSet::new();
    for span in texts {
        let text = sources.text(span);
        let letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        words.extend(text.split(|byte| !letter(byte)));
    }
    let globals = unit.globals.iter().zip(0u32..);
    found.extend(
        globals
            .filter(|(global, _)| words.contains(global.name.as_bytes()))
            .map(|(_, number)| GlobalId(number)),
    );
    found
}

/// Notes which variables of a kernel are declared for the device, or says why it cannot have them so.
pub fn link(
    context: Context<'_>,
    kernel: &mut Kernel,
    stmt: &Stmt,
    links: &Links,
    version: Version,
) -> Result<(), Cause> {
    let facts = &context.facts.values.loops[kernel.index.0 as usize];
    let symbols = &context.facts.values.symbols;
    let called = globals(context.unit, stmt);
    let mut linked = called.clone();
    let roots = kernel.bases.keys();
    let objects = roots.filter_map(|root| match symbols.info(*root).kind {
        SymbolKind::Address(VariableRef::Global(id)) => Some(id),
        _ => None,
    });
    let mentioned = mentioned_variables(stmt);
    let mentioned = mentioned.iter().filter_map(|variable| variable.as_global());
    linked.extend(objects.chain(mentioned).filter(|id| links.declared.contains(id)));
    let others = links.declared.iter().filter(|id| !linked.contains(id));
    let others = others.filter(|id| may_be_named(context, kernel, **id));
    let others: Vec<GlobalId> = others.copied().collect();
    if linked.is_empty() && others.is_empty() {
        return Ok(());
    }
    let mut copied: Variables = kernel.private.iter().copied().collect();
    copied.extend(kernel.results.keys());
    copied.extend(kernel.stepped.iter().map(|one| one.variable));
    copied.extend(kernel.final_values.iter().map(|(variable, _)| *variable));
    copied.extend(collapsed_variables(context, kernel, version));
    copied.extend(&context.facts.verdicts[kernel.index.0 as usize].private);
    let mut assigned = Variables::new();
    assigned_variables(stmt, &mut assigned);
    let scope = Scope::at(context.unit, context.function, facts.stmt);
    for variable in others.into_iter().map(VariableRef::Global) {
        let is_set = assigned.contains(&variable) || is_written(context, kernel, variable);
        if scope.sees(variable) && !copied.contains(&variable) && !is_set {
            kernel.scalars.insert(variable);
        }
    }
    for id in linked {
        let variable = VariableRef::Global(id);
        let global = context.unit.global(id);
        let wrong = |why: &str| {
            let whose = match called.contains(&id) {
                true => "a function that it calls uses",
                false => "a function that another kernel calls uses",
            };
            let why = format!("{whose} the variable {} of the file, {why}", global.name);
            Err(Cause::new(why, facts.origin))
        };
        if copied.contains(&variable) {
            return wrong("of which the loop has copies");
        }
        if !scope.sees(variable) {
            return wrong("which is hidden by another of its name where it would be mapped");
        }
        if kernel.elements.keys().any(|root| is_it(context, *root, variable))
            || kernel
                .promoted
                .iter()
                .any(|one| is_it(context, one.root, variable))
        {
            return wrong("into which the loop reduces");
        }
        if context.unit.types.is_scalar(global.ty) {
            if assigned.contains(&variable) || is_written(context, kernel, variable) {
                return wrong("which the loop sets");
            }
            kernel.scalars.insert(variable);
            continue;
        }
        let base = kernel
            .bases
            .iter()
            .find(|(root, _)| is_it(context, **root, variable))
            .map(|(_, base)| base);
        match base {
            Some(base) if !base.pointer && base.member.is_none() && base.variable == variable => {
                kernel.whole.insert(variable);
            }
            Some(_) => return wrong("which the loop reaches by another name"),
            // It is named, and not touched.
            None if !called.contains(&id) => {}
            None => return wrong("of which it is not known what is touched"),
        }
    }
    kernel.links = called;
    Ok(())
}

/// True for a scalar by which the text of a kernel's iterations, or of its clauses, may say what its own text says otherwise.
fn may_be_named(context: Context<'_>, kernel: &Kernel, id: GlobalId) -> bool {
    let own = !kernel.stepped.is_empty() || !kernel.elements.is_empty();
    own && context.unit.types.is_scalar(context.unit.global(id).ty)
}

fn is_it(context: Context<'_>, root: ferry_symbolic::Symbol, variable: VariableRef) -> bool {
    context.facts.values.symbols.info(root).kind == SymbolKind::Address(variable)
}

fn is_written(context: Context<'_>, kernel: &Kernel, variable: VariableRef) -> bool {
    let mut accesses = context.accesses(kernel.index);
    accesses.any(|access| access.is_write() && access.root.is_none_or(|root| is_it(context, root, variable)))
}
