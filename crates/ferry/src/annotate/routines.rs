//! Which functions do kernels call, and how are they declared for the device?
//!
//! OpenMP since 5.0 does it by itself for functions of the same file (5.0 §2.12.7); OpenMP 4.5 and OpenACC (2.7 §2.15.1; gcc 12 insists)
//! want it said, before the first use in a kernel, in OpenACC before the first use at all: where functions above the definition name the function,
//! gcc takes only a directive that names it, in front of the first of these (`routine(f) seq`). The variables of the file that they use are declared `link` (`ferry_transform::links`), in front of the
//! first function that names them.

use super::draft::{Proposal, Reason};
use ferry_analysis::declared;
use ferry_analysis::verdict::FunctionFacts;
use ferry_directive::{Directive, Language, Layout, Version};
use ferry_frontend::LoadedUnit;
use ferry_ir::{Expr, ExprKind, FunctionRef, GlobalId, Unit};
use ferry_source::{Edit, FileId, LineEnd, Origin, Sources, Span, layout};
use ferry_transform::emit::{Style, for_clang};
use ferry_transform::environment::Environment;
use std::collections::{BTreeMap, BTreeSet};

/// The functions with a body that the kernels of an environment call, directly or not.
pub fn called(
    unit: &Unit,
    function: &ferry_ir::Function,
    facts: &FunctionFacts,
    environment: &Environment,
) -> BTreeSet<FunctionRef> {
    let loops = &facts.values.loops;
    let kernels: BTreeSet<_> = environment
        .kernels
        .iter()
        .filter_map(|kernel| loops.get(kernel.index.0 as usize))
        .map(|of| of.stmt)
        .collect();
    let mut found = BTreeSet::new();
    if let Some(body) = &function.body {
        body.walk(&mut |stmt| {
            if kernels.contains(&stmt.id) {
                found.extend(ferry_transform::called::functions(unit, stmt));
            }
        });
    }
    found
}

/// Where a function is used first: in the function with the kernel, or in one that the kernel calls too.
pub fn first_use(
    unit: &Unit,
    function: &ferry_ir::Function,
    called: &BTreeSet<FunctionRef>,
    used: FunctionRef,
) -> u32 {
    let start = |function: &ferry_ir::Function| function.origin.span().map_or(0, |span| span.start);
    let others = called.iter().filter(|other| **other != used);
    let users = others.map(|other| unit.function(*other)).filter(|other| {
        let body = other.body.as_ref();
        body.is_some_and(|body| ferry_transform::called::callees(body).contains(&used))
    });
    users.map(start).fold(start(function), u32::min)
}

/// True if functions have to be declared for the device.
pub fn are_declared(version: Version) -> bool {
    version.language() == Language::OpenAcc || version == Version::OpenMp45
}

/// The edits that declare one function for the device; none if it is declared already. `before` is the first use. What uses variables that only clang has there is
/// declared for clang alone.
pub fn declaration(
    loaded: &LoadedUnit,
    unit: &Unit,
    sources: &Sources,
    function: FunctionRef,
    (version, only_clang): (Version, bool),
    before: u32,
) -> Result<Vec<Edit>, Reason> {
    let definition = unit.function(function);
    let wrong = |why: String| {
        Err(Reason {
            why,
            at: definition.origin.span(),
        })
    };
    let Origin::Text(span) = definition.origin else {
        return wrong(format!(
            "it calls {}, whose definition comes out of a macro",
            definition.name
        ));
    };
    let user = first_user(unit, function).filter(|user| user.start < span.start);
    let is_named = version.language() == Language::OpenAcc && user.is_some();
    if version.language() == Language::OpenAcc && is_in_a_value_above(unit, function, span) {
        return wrong(format!(
            "it calls {}, which would have to be declared for the device before a variable gets its address",
            definition.name
        ));
    }
    if span.file != unit.file || (span.start > before && !is_named) {
        return wrong(format!(
            "it calls {}, which would have to be declared for the device before",
            definition.name
        ));
    }
    let bytes = sources.bytes(span.file);
    if is_declared(loaded, bytes, span) {
        return Ok(Vec::new());
    }
    let at = match user {
        Some(user) if is_named => user.start,
        _ => span.start,
    };
    let governed = user.is_some_and(|user| is_named && is_declared(loaded, bytes, user));
    if governed || !layout::is_first_on_line(bytes, at as usize) {
        return wrong(format!(
            "there is no line for a directive before {}",
            definition.name
        ));
    }
    let end = LineEnd::of(bytes).as_str();
    let insert = |at: u32, text: String| Edit {
        at: Span {
            start: at,
            end: at,
            ..span
        },
        text: text.into_bytes(),
    };
    if version.language() == Language::OpenAcc {
        let name = match is_named {
            true => format!("({})", definition.name),
            false => String::new(),
        };
        return Ok(vec![insert(at, format!("#pragma acc routine{name} seq{end}"))]);
    }
    let [begin, close] =
        ["#pragma omp declare target", "#pragma omp end declare target"].map(|text| match only_clang {
            true => for_clang(text, "", end),
            false => text.to_owned(),
        });
    Ok(vec![
        insert(span.start, format!("{begin}{end}")),
        insert(span.end, format!("{end}{close}{end}")),
    ])
}

/// The first function of the file, in the order of the text, whose body names a function.
fn first_user(unit: &Unit, function: FunctionRef) -> Option<Span> {
    let names_it = |user: &&ferry_ir::Function| {
        let Some(body) = &user.body else { return false };
        let mut found = ferry_transform::called::callees(body).contains(&function);
        body.walk(&mut |stmt| stmt.for_each_expression(&mut |expr| found |= mentions(expr, function)));
        found
    };
    let spans = unit.functions.iter().filter(names_it);
    let spans = spans.filter_map(|user| user.origin.text().filter(|span| span.file == unit.file));
    spans.min_by_key(|span| span.start)
}

/// True if the first value of a variable of the file, above a definition, names the function.
fn is_in_a_value_above(unit: &Unit, function: FunctionRef, definition: Span) -> bool {
    let mut variables = unit.globals.iter().filter(|global| {
        let at = global.origin.span();
        at.is_some_and(|at| at.file == definition.file && at.start < definition.start)
    });
    variables.any(|global| global.initial.iter().any(|(_, value)| mentions(value, function)))
}

/// True if the address of a function is a part of an expression.
fn mentions(expr: &Expr, function: FunctionRef) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= part.kind == ExprKind::Function(function));
    found
}

/// True if a directive names the function itself. Those have to stand in front of the ones that govern what follows them.
pub fn names_its_function(edit: &Edit) -> bool {
    edit.text.starts_with(b"#pragma acc routine(")
}

/// True if a directive is right before the definition.
fn is_declared(loaded: &LoadedUnit, bytes: &[u8], definition: Span) -> bool {
    loaded.declarations.iter().any(|declaration| {
        let name = declaration.directive.name.as_str();
        let between = bytes.get(declaration.span.end as usize..definition.start as usize);
        declaration.span.file == definition.file
            && matches!(name, "routine" | "declare target" | "begin declare target")
            && between.is_some_and(|between| between.trim_ascii().is_empty())
    })
}

/// The variables that are declared, by the places of the directives.
pub type Linked = BTreeMap<u32, BTreeSet<String>>;

/// What some proposals need declared.
pub fn links(chosen: &[&Proposal]) -> Linked {
    let mut found = Linked::new();
    for (at, names) in chosen.iter().flat_map(|proposal| &proposal.links) {
        found.entry(*at).or_default().extend(names.iter().cloned());
    }
    found
}

/// The directives that declare them, each with its place.
pub fn link_lines(
    sources: &Sources,
    file: FileId,
    links: &Linked,
    style: Style,
) -> impl Iterator<Item = (u32, String)> {
    let bytes = sources.bytes(file);
    let end = LineEnd::of(bytes).as_str();
    links.iter().map(move |(at, names)| {
        let before = layout::indentation(bytes, *at as usize);
        let indentation = String::from_utf8_lossy(before).into_owned();
        let layout = Layout {
            indentation: &indentation,
            width: style.width,
            line_end: end,
        };
        let directive: Directive<String> = Directive::linked(style.version, names.iter().cloned());
        let text = directive.print(&layout, String::clone);
        let text = for_clang(&text, &indentation, end);
        (*at, format!("{text}{end}{indentation}"))
    })
}

/// Are the variables declared in the text that was read again?
///
/// # Errors
/// Which one is not.
pub fn are_linked(loaded: &LoadedUnit, unit: &Unit, sources: &Sources, links: &Linked) -> Result<(), String> {
    if links.is_empty() {
        return Ok(());
    }
    let declared = declared::all(unit, &loaded.declared(), sources);
    for name in links.values().flatten() {
        let mut globals = unit.globals.iter().zip(0u32..);
        let is_it = |global: &ferry_ir::Global| global.name == *name && global.inside.is_none();
        let id = globals
            .find(|(global, _)| is_it(global))
            .map(|(_, number)| GlobalId(number));
        let mut all = declared.iter();
        let is_linked = id.is_some_and(|id| {
            all.any(|one| !one.private && one.globals.contains(&id) && !one.always.contains(&id))
        });
        if !is_linked {
            return Err(format!("{name} is not declared for the device"));
        }
    }
    Ok(())
}
