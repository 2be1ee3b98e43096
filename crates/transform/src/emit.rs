//! How is a decided data environment written into the user's text?
//!
//! Insertions, and names of scalars in the place of elements that a kernel reduces (`promoted`): text that did not have to change stays byte for byte, and the
//! false branch of a condition is a copy of the user's own text. Everything is evaluated at the entry of the environment; what is tested value by value is in
//! `passes`.

mod before;
mod passes;

use crate::atomic;
use crate::divides;
use crate::environment::{Environment, Mapping};
use crate::express::Place;
use crate::kernel::{self, Base, Context, Element, Kernel};
use crate::last_values;
use crate::nested;
use crate::promoted::{self, Promoted};
use crate::scope::Scope;
use crate::stepped;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region;
use ferry_analysis::scalar::Variables;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_directive::{Direction, Directive, Language, Layout, ListItem, Version};
use ferry_ir::{Stmt, StmtKind, VariableRef};
use ferry_source::{Edits, FileId, LineEnd, Origin, Sources, Span, layout};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// How directives are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The language and its edition.
    pub version: Version,
    /// Bytes of a line, past which directives are continued.
    pub width: usize,
}

/// The edits of one environment.
pub fn edits(
    context: Context<'_>,
    sources: &Sources,
    environment: &Environment,
    style: &Style,
) -> Result<Edits, Cause> {
    writer(context, sources, environment, style)?.write()
}

fn writer<'a>(
    context: Context<'a>,
    sources: &'a Sources,
    environment: &'a Environment,
    style: &'a Style,
) -> Result<Writer<'a>, Cause> {
    let values = &context.facts.values;
    let first = environment.at;
    let state = values
        .states
        .get(&first)
        .or_else(|| {
            values
                .loops
                .iter()
                .find(|of| of.stmt == first)
                .map(|of| &of.before)
        })
        .ok_or_else(|| {
            Cause::new(
                "what variables hold before the loop is not known",
                Origin::Text(environment.span),
            )
        })?;
    // What is assumed of constants' names is used in their texts too.
    let mut state = state.clone();
    values.symbols.assume_named(&mut state.facts);
    let loads = crate::loads::allowed(context, environment, &state);
    let mut writer = Writer {
        context,
        sources,
        environment,
        style,
        state,
        names: Vec::new(),
        scalars: Vec::new(),
        stepped: BTreeMap::new(),
        last: BTreeMap::new(),
        passes: None,
        loads,
        stale: crate::express::stale(context, first),
        changed: changed(context, environment),
    };
    writer.names = writer.name_lengths()?;
    writer.scalars = writer.name_scalars()?;
    writer.stepped = writer.for_kernels(stepped::text, |text| &text.declarations)?;
    writer.last = writer.for_kernels(last_values::text, |text| &text.declarations)?;
    writer.passes = writer.write_passes()?;
    Ok(writer)
}

/// A directive that only clang reads; the indentation of the first line is there already, and there is no end of the last one.
pub fn for_clang(directive: &str, indentation: &str, line_end: &str) -> String {
    format!("#ifdef __clang__{line_end}{directive}{line_end}{indentation}#endif")
}

/// The names of variables that are assigned or declared inside an environment of several statements.
fn changed(context: Context<'_>, environment: &Environment) -> BTreeSet<String> {
    let mut found = Variables::new();
    if let Some(body) = context.function.body.as_ref().filter(|_| !environment.single) {
        body.walk(&mut |stmt| {
            if stmt
                .origin
                .text()
                .is_some_and(|span| environment.span.contains(span))
            {
                ferry_analysis::scalar::assigned_variables(stmt, &mut found);
            }
        });
    }
    found
        .iter()
        .map(|variable| kernel::name_of(context, *variable))
        .collect()
}

/// The names that the environment's text declares.
pub fn names(
    context: Context<'_>,
    sources: &Sources,
    environment: &Environment,
    style: &Style,
) -> Vec<String> {
    let writer = writer(context, sources, environment, style);
    let all = |writer: Writer<'_>| {
        let scalars = writer.scalars.into_iter().map(|scalar| scalar.name);
        let lengths = writer.names.into_iter().map(|(name, _)| name);
        let stepped = writer.stepped.into_values().flat_map(|text| text.declarations);
        let lasts = writer.last.into_values().flat_map(|text| text.declarations);
        let firsts = stepped.chain(lasts).map(|(name, _)| name);
        let passes = writer.passes.into_iter().flat_map(|passes| passes.names);
        lengths.chain(scalars).chain(firsts).chain(passes).collect()
    };
    writer.map(all).unwrap_or_default()
}

/// True if the text of the environment needs `uintptr_t`.
pub fn needs_uintptr(environment: &Environment) -> bool {
    !environment.disjoint.is_empty()
}

struct Writer<'a> {
    context: Context<'a>,
    sources: &'a Sources,
    environment: &'a Environment,
    style: &'a Style,
    state: State,
    /// Values that are written more than once, with the names that are declared for them.
    names: Vec<(String, Expr)>,
    /// The scalars beside the kernels, in the order of the kernels and of the elements that they stand for.
    scalars: Vec<Scalar<'a>>,
    /// What the iterations of each kernel set first.
    stepped: BTreeMap<LoopIndex, stepped::Text>,
    /// What the last iteration of each kernel keeps.
    last: BTreeMap<LoopIndex, last_values::Text>,
    /// The tests that values are in order.
    passes: Option<passes::Text>,
    /// Loads that may be written at the entry.
    loads: BTreeSet<ferry_symbolic::Symbol>,
    /// Variables that kernels before the entry may have left with an old value.
    stale: Variables,
    /// Names that mean or hold something else at some kernel than at the entry.
    changed: BTreeSet<String>,
}

/// Gives a name that the file does not have, from the one that is wanted and those that a text has been given.
type Unused<'a> = &'a dyn Fn(&str, &BTreeSet<String>) -> String;

/// A scalar that stands for an element in the text of a kernel.
struct Scalar<'a> {
    kernel: LoopIndex,
    element: &'a Promoted,
    name: String,
    /// The lvalue.
    text: &'a str,
    ty: &'static str,
}

impl<'a> Writer<'a> {
    fn place(&self) -> Place<'_> {
        Place {
            unit: self.context.unit,
            function: self.context.function,
            symbols: &self.context.facts.values.symbols,
            sources: self.sources,
            scope: Scope::at(self.context.unit, self.context.function, self.environment.at),
            state: &self.state,
            loads: self.loads.clone(),
            stale: self.stale.clone(),
            reads_memory: true,
        }
    }

    fn write(&self) -> Result<Edits, Cause> {
        let environment = self.environment;
        let mut edits = Edits::new();
        let span = environment.span;
        let indentation = indentation(self.sources, span.file, span.start);
        let line_end = line_end(self.sources, span.file);
        if let Some(cause) = self.pragma_before(span) {
            return Err(cause);
        }
        self.is_computable()?;
        let condition = self.condition(&indentation, line_end)?;
        let mut opening = String::new();
        if !starts_line(self.sources, span.file, span.start) {
            opening.push_str(&format!("{line_end}{indentation}"));
        }
        let mut closing = String::new();
        // Kernels without data need nothing around them.
        let bare = !environment.single
            && environment.mappings.is_empty()
            && self.names.is_empty()
            && condition.is_none();
        let next = format!("{line_end}{indentation}");
        let kernel = environment.single.then(|| &environment.kernels[0]);
        let final_values = match kernel {
            Some(kernel) => self.behind(kernel, &indentation, line_end)?,
            None => String::new(),
        };
        let beside = !final_values.is_empty() || kernel.is_some_and(|kernel| self.declares(kernel));
        // Names need a block of their own where a declaration cannot stand; a value set after the loop stays with it.
        let declares = !self.names.is_empty() || self.passes.is_some();
        let braces =
            (declares && !self.in_block()) || (condition.is_none() && self.passes.is_none() && beside);
        // Compilers ask whose `else` it is.
        let is_conditional = condition.is_some() || self.passes.is_some();
        let braces = braces || (is_conditional && self.is_branch());
        if braces {
            opening.push_str(&format!("{{{next}"));
        }
        // What rests on it that the kernels run may overflow where they do not.
        let runs = self.runs()?.join(" && ");
        for (name, value) in &self.names {
            let value = self.place().expression(value)?;
            let value = match runs.as_str() {
                "" => unwrap(&value),
                runs => format!("{runs} ? {value} : 0"),
            };
            // Where only clang reads the clauses, other compilers find no use of it.
            let unused = match environment.is_for_clang() {
                true => " __attribute__((unused))",
                false => "",
            };
            opening.push_str(&format!("const long {name}{unused} = {value};{next}"));
        }
        // The passes read memory that need be there only where all else holds.
        let condition = match &self.passes {
            Some(passes) => {
                let before = condition.as_deref().unwrap_or("1");
                opening.push_str(&format!("int {} = {before};{next}", passes.flag));
                for line in &passes.lines {
                    opening.push_str(&format!("{line}{next}"));
                }
                Some(passes.flag.clone())
            }
            None => condition,
        };
        if let Some(condition) = &condition {
            opening.push_str(&format!("if ({condition}) {{{next}"));
        }
        match kernel {
            Some(kernel) => {
                let directive = self.kernel_directive(kernel, &environment.mappings)?;
                opening.push_str(&self.loads_before(kernel, &next));
                opening.push_str(&self.pragma(&directive, &indentation));
                opening.push_str(&next);
                closing.push_str(&final_values);
            }
            None => {
                if let Some(directive) = self.data_directive()? {
                    opening.push_str(&self.pragma(&directive, &indentation));
                    opening.push_str(&next);
                }
                opening.push_str(&format!("{{{next}"));
                closing.push_str(&format!("{next}}}"));
            }
        }
        if condition.is_some() {
            let Ok(original) = std::str::from_utf8(self.sources.text(span)) else {
                return Err(Cause::new(
                    "text that is not UTF-8 would have to be copied",
                    Origin::Text(span),
                ));
            };
            closing.push_str(&format!("{next}}} else {{{next}{original}{next}}}"));
        }
        if braces {
            closing.push_str(&format!("{next}}}"));
        }
        let place = |error: ferry_source::EditError| Cause::new(error.to_string(), Origin::Text(span));
        let opening = if bare { String::new() } else { opening };
        let closing = if bare { String::new() } else { closing };
        edits.insert(span.file, span.start, opening).map_err(place)?;
        for kernel in &environment.kernels {
            self.body_edits(kernel, &mut edits, line_end)?;
            if let Some(head) = &kernel.head {
                head.edit(self.sources, &mut edits)?;
            }
        }
        if kernel.is_none() {
            for kernel in &environment.kernels {
                self.kernel_edits(kernel, &mut edits, line_end)?;
            }
            self.update_edits(&mut edits, line_end)?;
        }
        for kernel in &environment.kernels {
            self.atomic_edits(kernel, &mut edits, line_end)?;
            self.scalar_edits(kernel, &mut edits)?;
        }
        if !closing.is_empty() {
            let end = end_of_line(self.sources, span);
            edits.insert(span.file, end, closing).map_err(place)?;
        }
        Ok(edits)
    }

    /// The directives in front of a kernel's atomic updates and writes.
    fn atomic_edits(&self, kernel: &Kernel, edits: &mut Edits, line_end: &str) -> Result<(), Cause> {
        for update in &kernel.atomics {
            if let Some(cause) = atomic::refused(self.sources, kernel.span, update) {
                return Err(cause);
            }
            let (file, start) = (update.span.file, update.span.start);
            let indentation = indentation(self.sources, file, start);
            let directive = match update.is_write() {
                true => Directive::atomic_write(self.style.version),
                false => Directive::atomic_update(self.style.version),
            };
            let pragma = self.pragma(&directive, &indentation);
            let before = match starts_line(self.sources, file, start) {
                true => String::new(),
                false => format!("{line_end}{indentation}"),
            };
            edits
                .insert(file, start, format!("{before}{pragma}{line_end}{indentation}"))
                .map_err(|error| Cause::new(error.to_string(), Origin::Text(update.span)))?;
        }
        Ok(())
    }

    /// The names of the scalars in the place of the elements that a kernel reduces.
    fn scalar_edits(&self, kernel: &Kernel, edits: &mut Edits) -> Result<(), Cause> {
        for scalar in self.scalars_of(kernel) {
            for span in &scalar.element.uses {
                let replaced = edits.replace(*span, scalar.name.as_str());
                replaced.map_err(|error| Cause::new(error.to_string(), Origin::Text(*span)))?;
            }
        }
        Ok(())
    }

    fn scalars_of(&self, kernel: &Kernel) -> impl Iterator<Item = &Scalar<'a>> {
        let index = kernel.index;
        self.scalars.iter().filter(move |scalar| scalar.kernel == index)
    }

    /// A name for each scalar, and the text of what it stands for.
    fn name_scalars(&self) -> Result<Vec<Scalar<'a>>, Cause> {
        let mut found: Vec<Scalar<'a>> = Vec::new();
        for kernel in &self.environment.kernels {
            for element in &kernel.promoted {
                let wrong = |why: &str| Cause::new(why, Origin::Text(kernel.span));
                let Some(ty) = promoted::spelled(self.context, element.ty) else {
                    return Err(wrong("it reduces a type that a device cannot reduce"));
                };
                let text = element.item().and_then(|item| self.lvalue(kernel, element, item));
                let text = text.ok_or_else(|| {
                    wrong("the element that it reduces is not written where a name could be")
                })?;
                let wanted = promoted::name_from(text);
                let known = |name: &str| {
                    let lengths = self.names.iter().map(|(name, _)| name);
                    lengths
                        .chain(found.iter().map(|scalar| &scalar.name))
                        .any(|one| one == name)
                };
                let name = self.unused_name_but(&wanted, &known);
                found.push(Scalar {
                    kernel: kernel.index,
                    element,
                    name,
                    text,
                    ty,
                });
            }
        }
        Ok(found)
    }

    /// The text of an lvalue, if a name can be written wherever it is.
    fn lvalue(&self, kernel: &Kernel, element: &Promoted, item: Span) -> Option<&'a str> {
        let is_replaceable = |span: &Span| is_replaceable(self.sources, kernel.span, *span);
        let text = repeatable(self.sources, item)?;
        element.uses.iter().all(is_replaceable).then_some(text)
    }

    /// Declarations of the scalars of a kernel, of what its iterations count from, and of what the last one keeps, in front of its directive.
    fn loads_before(&self, kernel: &Kernel, next: &str) -> String {
        let scalars = self.scalars_of(kernel);
        let scalars = scalars.map(|Scalar { name, text, ty, .. }| format!("{ty} {name} = {text};{next}"));
        let stepped = self.stepped.get(&kernel.index);
        let firsts = stepped.into_iter().flat_map(|text| &text.declarations);
        let last = self.last.get(&kernel.index);
        let lasts = last.into_iter().flat_map(|text| &text.declarations);
        let lines = firsts.chain(lasts).map(|(_, line)| format!("{line}{next}"));
        scalars.chain(lines).collect()
    }

    /// True if something is declared in front of a kernel's directive.
    fn declares(&self, kernel: &Kernel) -> bool {
        let stepped = self.stepped.get(&kernel.index);
        stepped.is_some_and(|text| !text.declarations.is_empty())
            || kernel.last.is_some()
            || self.scalars_of(kernel).next().is_some()
    }

    /// What is written for each kernel, with names that are not given yet; `declared` are those of a text.
    fn for_kernels<T>(
        &self,
        text: impl Fn(Context<'_>, &Kernel, &Place<'_>, Unused<'_>) -> Result<T, Cause>,
        declared: impl Fn(&T) -> &[(String, String)],
    ) -> Result<BTreeMap<LoopIndex, T>, Cause> {
        let mut given: BTreeSet<String> = self.names.iter().map(|(name, _)| name.clone()).collect();
        given.extend(self.scalars.iter().map(|scalar| scalar.name.clone()));
        let firsts = self.stepped.values().flat_map(|text| &text.declarations);
        given.extend(firsts.map(|(name, _)| name.clone()));
        let mut found = BTreeMap::new();
        for kernel in &self.environment.kernels {
            let unused = |wanted: &str, own: &BTreeSet<String>| {
                self.unused_name_but(wanted, &|name| own.contains(name) || given.contains(name))
            };
            let text = text(self.context, kernel, &self.at_kernel(kernel), &unused)?;
            given.extend(declared(&text).iter().map(|(name, _)| name.clone()));
            found.insert(kernel.index, text);
        }
        Ok(found)
    }

    /// The first and the last statements of a kernel's iterations.
    fn body_edits(&self, kernel: &Kernel, edits: &mut Edits, line_end: &str) -> Result<(), Cause> {
        let first = self.stepped.get(&kernel.index).map(|text| &text.statements);
        let first: &[String] = first.map_or(&[], Vec::as_slice);
        let last = self.last.get(&kernel.index).map(|text| &text.lines);
        let last: &[String] = last.map_or(&[], Vec::as_slice);
        if first.is_empty() && last.is_empty() {
            return Ok(());
        }
        let wrong = |why: &str| Cause::new(why, Origin::Text(kernel.span));
        let (body, is_block) = kernel.body.ok_or_else(|| wrong("the loop's body has no place"))?;
        let place = |error: ferry_source::EditError| Cause::new(error.to_string(), Origin::Text(kernel.span));
        let file = kernel.span.file;
        let outer = indentation(self.sources, file, kernel.span.start);
        let opens = self.sources.bytes(file).get(body.start as usize) == Some(&b'{');
        if is_block != opens {
            return Err(wrong(
                "the loop's body comes out of a macro, and has no place for what each iteration sets first or last",
            ));
        }
        if let Some(cause) = self.pragma_before(body) {
            return Err(cause);
        }
        let mut lines = self.sources.text(kernel.span).split(|byte| *byte == b'\n');
        let is_condition = |line: &[u8]| {
            let word = line.trim_ascii().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
            word.is_some_and(|word| {
                [&b"if"[..], b"el", b"endif"]
                    .iter()
                    .any(|one| word.starts_with(one))
            })
        };
        if lines.any(is_condition) {
            return Err(wrong(
                "an iteration would have to set first or last what hangs on an #if inside of the loop",
            ));
        }
        let closes = self.sources.bytes(file).get((body.end as usize).wrapping_sub(1)) == Some(&b'}');
        if is_block && !closes {
            return Err(wrong("the end of the loop's body comes out of a macro"));
        }
        let own_line = starts_line(self.sources, file, body.start);
        let inner = match own_line && !is_block {
            true => indentation(self.sources, file, body.start),
            false => format!("{outer}    "),
        };
        let last = last.iter().map(|line| format!("{inner}{line}{line_end}"));
        let last: String = last.collect();
        if is_block {
            if !first.is_empty() {
                let open = Span {
                    end: body.start + 1,
                    ..body
                };
                let at = end_of_line(self.sources, open);
                let text: String = first
                    .iter()
                    .map(|statement| format!("{line_end}{inner}{statement}"))
                    .collect();
                edits.insert(file, at, text).map_err(place)?;
            }
            if last.is_empty() {
                return Ok(());
            }
            let end = body.end - 1;
            let (at, text) = match starts_line(self.sources, file, end) {
                true => {
                    let blanks = indentation(self.sources, file, end).len() as u32;
                    (end - blanks, last)
                }
                false => (end, format!("{line_end}{last}{outer}")),
            };
            return edits.insert(file, at, text).map_err(place);
        }
        let lines: String = first
            .iter()
            .map(|statement| format!("{inner}{statement}{line_end}"))
            .collect();
        let (at, text) = match own_line {
            true => {
                let blanks = indentation(self.sources, file, body.start).len() as u32;
                (body.start - blanks, format!("{outer}{{{line_end}{lines}"))
            }
            false => (body.start, format!("{{{line_end}{lines}{inner}")),
        };
        edits.insert(file, at, text).map_err(place)?;
        let end = end_of_line(self.sources, kernel.span);
        edits
            .insert(file, end, format!("{line_end}{last}{outer}}}"))
            .map_err(place)
    }

    /// What is set behind a kernel: loop variables that are used later, what the last iteration has kept, and the elements that scalars stand for.
    fn behind(&self, kernel: &Kernel, indentation: &str, line_end: &str) -> Result<String, Cause> {
        let mut text = self.final_values(kernel, indentation, line_end)?;
        for (variable, held) in self
            .last
            .get(&kernel.index)
            .into_iter()
            .flat_map(|text| &text.held)
        {
            text.push_str(&format!("{line_end}{indentation}{variable} = {held};"));
        }
        for scalar in self.scalars_of(kernel) {
            text.push_str(&format!(
                "{line_end}{indentation}{} = {};",
                scalar.text, scalar.name
            ));
        }
        Ok(text)
    }

    /// True if a declaration can stand where the environment begins: it is a statement of a block, and not behind a label.
    fn in_block(&self) -> bool {
        let Some(body) = &self.context.function.body else {
            return false;
        };
        let mut found = false;
        body.walk(&mut |stmt| {
            if let StmtKind::Block { body, scope: true } = &stmt.kind
                && let Some(at) = body.iter().position(|child| child.id == self.environment.at)
            {
                let label = |stmt: &Stmt| {
                    matches!(
                        stmt.kind,
                        StmtKind::Case { .. } | StmtKind::Default | StmtKind::Label(_)
                    )
                };
                found = at == 0 || !label(&body[at - 1]);
            }
        });
        found
    }

    /// True if the environment begins with the whole of a branch of an `if`, without braces.
    fn is_branch(&self) -> bool {
        let Some(body) = &self.context.function.body else {
            return false;
        };
        let mut found = false;
        body.walk(&mut |stmt| {
            if let StmtKind::If { then, otherwise, .. } = &stmt.kind {
                let is_it = |branch: &Stmt| branch.id == self.environment.at;
                found |= is_it(then) || otherwise.as_deref().is_some_and(is_it);
            }
        });
        found
    }

    /// The text of a value, by its name if it has one.
    fn text(&self, value: &Expr, place: &Place<'_>) -> Result<String, Cause> {
        match self.names.iter().find(|(_, named)| named == value) {
            Some((name, _)) => Ok(name.clone()),
            None => place.expression(value),
        }
    }

    fn pragma(&self, directive: &Directive<String>, indentation: &str) -> String {
        let layout = Layout {
            indentation,
            width: self.style.width,
            line_end: line_end(self.sources, self.environment.span.file),
        };
        let text = directive.print(&layout, String::clone);
        // The indentation of the first line is there already.
        match self.environment.is_for_clang() {
            true => for_clang(&text, indentation, layout.line_end),
            false => text.strip_prefix(indentation).map(str::to_owned).unwrap_or(text),
        }
    }

    /// The condition under which the environment may be used; `None` if always.
    fn condition(&self, indentation: &str, line_end: &str) -> Result<Option<String>, Cause> {
        let place = self.place();
        let mut parts = Vec::new();
        parts.extend(self.runs()?);
        for (a, b) in &self.environment.disjoint {
            let (a_low, a_high) = self.ends(a, &place)?;
            let (b_low, b_high) = self.ends(b, &place)?;
            let equal = match self.environment.equal.contains(&(a.root, b.root)) {
                true => format!("{a_low} == {b_low} || "),
                false => String::new(),
            };
            parts.push(format!("({equal}{a_high} <= {b_low} || {b_high} <= {a_low})"));
        }
        Ok(match parts.as_slice() {
            [] => None,
            [one] => Some(one[1..one.len() - 1].to_owned()),
            _ => Some(parts.join(&format!("{line_end}{indentation}    && "))),
        })
    }

    /// What must hold for the kernels to run, each part in parentheses.
    fn runs(&self) -> Result<Vec<String>, Cause> {
        let place = self.place();
        let values = &self.context.facts.values;
        let text = |condition: &Condition| match values.taken.contains(condition) {
            true => place.taken(condition, values, self.environment.at),
            false => place.condition(condition),
        };
        let parts = self.environment.runs.iter();
        parts
            .map(|condition| Ok(format!("({})", unwrap(&text(condition)?))))
            .collect()
    }

    /// Whether no divisor may be 0 in what is evaluated at the entry, where the program itself may not come to the division.
    fn is_computable(&self) -> Result<(), Cause> {
        let environment = self.environment;
        let wrong = || {
            let why = "what is evaluated before the loop would divide by a value that may be 0 there";
            Err(Cause::new(why, Origin::Text(environment.span)))
        };
        let mut facts = self.state.facts.clone();
        for condition in &environment.runs {
            if !divides::is_testable(condition, &facts) {
                return wrong();
            }
            facts.assume(condition);
        }
        // The head of the loop itself divides, too, if the ends of the section do.
        if environment.single {
            return Ok(());
        }
        let sections = environment.mappings.iter().filter_map(|one| one.section.as_ref());
        let mut ends = sections.flat_map(|section| [&section.lower, &section.length]);
        match ends.all(|end| divides::is_computable(end, &facts)) {
            true => Ok(()),
            false => wrong(),
        }
    }

    /// First byte and past the last byte of a mapping, as integers.
    fn ends(&self, mapping: &Mapping, place: &Place<'_>) -> Result<(String, String), Cause> {
        let name = self.base_name(&mapping.base, place)?;
        let Some(section) = &mapping.section else {
            return Ok((format!("(uintptr_t)&{name}"), format!("(uintptr_t)(&{name} + 1)")));
        };
        let low = match section.lower.is_zero() {
            true => String::new(),
            false => format!(" + {}", operand(&self.text(&section.lower, place)?)),
        };
        let length = operand(&self.text(&section.length, place)?);
        let pointer = |offset: &str| match offset {
            "" => format!("(uintptr_t){name}"),
            _ => format!("(uintptr_t)({name}{offset})"),
        };
        Ok((pointer(&low), pointer(&format!("{low} + {length}"))))
    }

    /// Lengths that are not plain and are written more than once get the name of the first array that has them.
    ///
    /// Where a data environment is around the kernels, every bound with a `?:`, `&&` or `||` gets a name, first elements too:
    /// clang 19 dies of such a bound in `target data` ("PHI node entries do not match predecessors").
    fn name_lengths(&self) -> Result<Vec<(String, Expr)>, Cause> {
        let place = self.place();
        let mut names: Vec<(String, Expr)> = Vec::new();
        let symbols = &self.context.facts.values.symbols;
        let is_in_memory = |value: &Expr, text: &str| {
            let is_loaded = |symbol: &Symbol| matches!(symbols.info(*symbol).kind, SymbolKind::Loaded { .. });
            value.symbols().iter().any(is_loaded)
                || place.scope.variables().any(|(name, variable)| {
                    self.state.get(variable).is_none() && ferry_source::mentions(text.as_bytes(), name)
                })
        };
        let mut uses: Vec<(Expr, usize, String, bool)> = Vec::new();
        let in_conditions = |root| {
            let pairs = self.environment.disjoint.iter();
            pairs.filter(|(a, b)| a.root == root || b.root == root).count()
        };
        for mapping in &self.environment.mappings {
            let Some(section) = &mapping.section else { continue };
            let kernels = match (self.environment.single, mapping.named_in_kernels) {
                (false, true) => self.environment.kernels.len(),
                _ => 0,
            };
            let count = 1 + kernels + in_conditions(mapping.root);
            let base = self.base_name(&mapping.base, &place)?;
            for (value, part) in [(&section.lower, "first"), (&section.length, "length")] {
                match uses.iter_mut().find(|(used, ..)| used == value) {
                    Some((_, known, _, repeated)) => {
                        *known += count;
                        *repeated |= kernels > 0;
                    }
                    None => uses.push((
                        value.clone(),
                        count,
                        format!("{}_{part}", word(&base)),
                        kernels > 0,
                    )),
                }
            }
        }
        for (value, count, wanted, repeated) in uses {
            let text = place.expression(&value)?;
            let plain = !text.contains(['?', '*', '/']) || wanted.ends_with("_first");
            let branches =
                ["?", "&&", "||"].iter().any(|mark| text.contains(mark)) && !self.environment.single;
            // The kernels write it again, where its variables may have changed.
            let changes = || {
                let mut changed = self.changed.iter();
                changed.any(|name| ferry_source::mentions(text.as_bytes(), name))
                    || repeated && is_in_memory(&value, &text)
            };
            if !branches && (plain || count < 2) && !changes() {
                continue;
            }
            let name = self.unused_name(&wanted);
            names.push((name, value));
        }
        Ok(names)
    }

    /// The name, with a number behind it if the file has that word already.
    fn unused_name(&self, wanted: &str) -> String {
        self.unused_name_but(wanted, &|_| false)
    }

    /// The same, where more names are known.
    fn unused_name_but(&self, wanted: &str, known: &dyn Fn(&str) -> bool) -> String {
        let taken = &self.environment.taken;
        let file = self.environment.span.file;
        unused_name(self.sources, file, wanted, &|name| {
            known(name) || taken.contains(name)
        })
    }

    fn base_name(&self, base: &Base, place: &Place<'_>) -> Result<String, Cause> {
        match place.scope.name(base.variable) {
            Some(name) => Ok(format!("{name}{}", nested::suffix(self.context, base))),
            None => Err(Cause::new(
                "an array is not visible here",
                Origin::Text(self.environment.span),
            )),
        }
    }

    /// The name by which a clause knows storage.
    fn item_name(&self, base: &Base, place: &Place<'_>) -> Result<String, Cause> {
        let mut first = self
            .stepped
            .values()
            .filter_map(|text| text.walks.get(&base.variable));
        match first.next().filter(|_| base.walks) {
            Some(name) => Ok(name.clone()),
            None => self.base_name(base, place),
        }
    }

    fn item(&self, mapping: &Mapping, place: &Place<'_>) -> Result<ListItem<String>, Cause> {
        // A pointer in memory must be the same one at the entry.
        let info = self.context.facts.values.symbols.info(mapping.root);
        if matches!(info.kind, SymbolKind::Loaded { .. }) && !self.loads.contains(&mapping.root) {
            return Err(Cause::new(
                "a pointer in memory may be another one before the loop",
                info.at,
            ));
        }
        let name = self.item_name(&mapping.base, place)?;
        if let Some(member) = &mapping.base.member
            && !member.arrow
            && self.style.version.language() == Language::OpenAcc
        {
            return Err(Cause::new(
                "its data are nested in a structure variable, which gcc 12 does not accept beside them in OpenACC",
                info.at,
            ));
        }
        let Some(section) = &mapping.section else {
            return Ok(ListItem::whole(name));
        };
        let mut item = ListItem::section(
            name,
            self.text(&section.lower, place)?,
            unwrap(&self.text(&section.length, place)?),
        );
        let name = self.item_name(&mapping.base, place)?;
        let written = self.written_extents(&mapping.base);
        for (number, extent) in mapping.inner.iter().enumerate() {
            let text = match extent.as_constant() {
                None => place.expression(extent)?,
                // A number that a macro may have made: as the declaration writes it, or computed from the type, so
                // that it stays right when the macro changes.
                Some(value) => {
                    let from_end = mapping.inner.len() - number;
                    let own = written.len().checked_sub(from_end).map(|at| written[at].as_str());
                    match own {
                        Some(text) if text.parse::<i64>().is_ok_and(|own| value.to_i64() == Some(own)) => {
                            text.to_owned()
                        }
                        Some(text) if self.is_named(text, &value) => text.to_owned(),
                        _ => {
                            let row = format!("{name}{}", "[0]".repeat(number + 1));
                            format!("sizeof({row}) / sizeof({row}[0])")
                        }
                    }
                }
            };
            item = item.dimension("0".to_owned(), text);
        }
        Ok(item)
    }

    /// The texts in the brackets behind the name of a variable where it is declared.
    fn written_extents(&self, base: &Base) -> Vec<String> {
        if base.member.is_some() {
            return Vec::new();
        }
        let origin = match base.variable {
            VariableRef::Global(id) => self.context.unit.global(id).origin,
            VariableRef::Local(id) => self.context.function.local(id).origin,
        };
        let Some(span) = origin.text() else {
            return Vec::new();
        };
        let rest = &self.sources.bytes(span.file)[span.end as usize..];
        let Ok(rest) = std::str::from_utf8(&rest[..rest.len().min(200)]) else {
            return Vec::new();
        };
        let mut rest = rest.trim_start().trim_start_matches(')').trim_start();
        let mut found = Vec::new();
        while let Some(inner) = rest.strip_prefix('[')
            && let Some((text, behind)) = inner.split_once(']')
        {
            found.push(text.trim().to_owned());
            rest = behind.trim_start();
        }
        found
    }

    /// True for the name of a constant of this value that the function uses.
    fn is_named(&self, text: &str, value: &ferry_symbolic::Integer) -> bool {
        self.context
            .facts
            .values
            .symbols
            .iter()
            .any(|info| match &info.kind {
                SymbolKind::Named { name, value: own } => {
                    name == text && *value == ferry_symbolic::Integer::from(*own)
                }
                _ => false,
            })
    }

    fn data_directive(&self) -> Result<Option<Directive<String>>, Cause> {
        if self.environment.mappings.is_empty() {
            return Ok(None);
        }
        let mut directive = Directive::data_environment(self.style.version);
        directive = self.maps(directive, &self.environment.mappings, None)?;
        Ok(Some(directive))
    }

    /// Adds the mappings, in one direction if it is given.
    fn maps(
        &self,
        mut directive: Directive<String>,
        mappings: &[Mapping],
        direction: Option<Direction>,
    ) -> Result<Directive<String>, Cause> {
        let place = self.place();
        let mut sorted: Vec<&Mapping> = mappings.iter().collect();
        sorted.sort_by_key(|mapping| match mapping.direction {
            Direction::To => 0,
            Direction::ToFrom => 1,
            Direction::From => 2,
            _ => 3,
        });
        structures_first(&mut sorted);
        for mapping in sorted {
            let item = self.item(mapping, &place)?;
            let direction = direction.unwrap_or(mapping.direction);
            directive = directive
                .map(direction, item)
                .map_err(|error| Cause::new(error.to_string(), Origin::Text(self.environment.span)))?;
        }
        Ok(directive)
    }

    fn kernel_directive(&self, kernel: &Kernel, mappings: &[Mapping]) -> Result<Directive<String>, Cause> {
        let place = self.place();
        let mut directive: Directive<String> = Directive::target_loop(self.style.version);
        let collapse = kernel::collapsed(self.context, kernel, self.style.version);
        if collapse > 1 {
            directive = directive.collapse_loops(collapse.to_string());
        }
        directive = self.scalars(directive, kernel, &place)?;
        let alone = self.environment.single;
        let direction = (!alone).then_some(Direction::Alloc);
        directive = self.maps(directive, mappings, direction)?;
        for variable in &kernel.scalars {
            directive = directive
                .map(Direction::To, ListItem::whole(self.variable_name(*variable)))
                .map_err(|error| Cause::new(error.to_string(), Origin::Text(kernel.span)))?;
        }
        let mut reduced = Vec::new();
        for variable in kernel.results.keys() {
            reduced.push(self.variable_name(*variable));
        }
        reduced.extend(self.scalars_of(kernel).map(|scalar| scalar.name.clone()));
        let last = self.last.get(&kernel.index);
        let held = last.into_iter().flat_map(|text| &text.held);
        reduced.extend(held.map(|(_, name)| name.clone()));
        for name in reduced {
            directive = directive
                .map(Direction::ToFrom, ListItem::whole(name))
                .map_err(|error| Cause::new(error.to_string(), Origin::Text(kernel.span)))?;
        }
        Ok(directive)
    }

    fn scalars(
        &self,
        mut directive: Directive<String>,
        kernel: &Kernel,
        place: &Place<'_>,
    ) -> Result<Directive<String>, Cause> {
        let own = kernel::collapsed_variables(self.context, kernel, self.style.version);
        for variable in &kernel.private {
            if own.contains(variable) || kernel::is_temporary(self.context, *variable) {
                continue;
            }
            directive = directive.private(self.variable_name(*variable));
        }
        for (variable, op) in kernel.operations() {
            directive = directive.reduction(op.spelling(), self.variable_name(variable));
        }
        for scalar in self.scalars_of(kernel) {
            directive = directive.reduction(scalar.element.op.spelling(), scalar.name.clone());
        }
        for (root, element) in &kernel.elements {
            directive = directive.reduction_of(
                element.op.spelling(),
                self.element(kernel, *root, element, place)?,
            );
        }
        Ok(directive)
    }

    /// The section of a reduced element, as it is written at its kernel.
    fn element(
        &self,
        kernel: &Kernel,
        root: Symbol,
        element: &Element,
        entry: &Place<'_>,
    ) -> Result<ListItem<String>, Cause> {
        let at = Origin::Text(kernel.span);
        let Some(base) = kernel.bases.get(&root) else {
            return Err(Cause::new("it is not known what element is reduced", at));
        };
        let mapped = |mapping: &Mapping| mapping.root == root && mapping.named_in_kernels;
        if !self.environment.single && self.environment.mappings.iter().any(mapped) {
            let why = "the kernel would have to name two sections of the array that it reduces into";
            return Err(Cause::new(why, at));
        }
        let size = Expr::int(i128::from(element.size));
        let section = region::section(&element.hull(&base.shift), &size, &self.state.facts);
        let mut place = match self.environment.single {
            true => entry.clone(),
            false => self.at_kernel(kernel),
        };
        // Compilers compute a section where it is combined, and find the copies of variables there.
        let counters = kernel::collapsed_variables(self.context, kernel, self.style.version);
        place.stale.extend(kernel.private.iter().copied().chain(counters));
        place
            .stale
            .extend(kernel.operations().map(|(variable, _)| variable));
        let lower = match self.environment.single {
            true => self.text(&section.lower, &place)?,
            false => place.expression(&section.lower)?,
        };
        Ok(ListItem::section(
            self.base_name(base, entry)?,
            unwrap(&lower),
            element.count.to_string(),
        ))
    }

    /// The place just before a kernel's loop.
    fn at_kernel(&self, kernel: &Kernel) -> Place<'_> {
        let facts = &self.context.facts.values.loops[kernel.index.0 as usize];
        Place {
            unit: self.context.unit,
            function: self.context.function,
            symbols: &self.context.facts.values.symbols,
            sources: self.sources,
            scope: Scope::at(self.context.unit, self.context.function, facts.stmt),
            state: &facts.before,
            loads: Default::default(),
            stale: crate::express::stale(self.context, facts.stmt),
            reads_memory: true,
        }
    }

    /// A pragma of a compiler that wants its loop on the next line, before the place of a directive.
    fn pragma_before(&self, span: Span) -> Option<Cause> {
        let function = self.context.function.origin.span();
        let own = function.filter(|own| own.file == span.file && own.start <= span.start);
        let why = before::in_the_way(self.sources, own.map_or(0, |own| own.start), span)?;
        Some(Cause::new(why, Origin::Text(span)))
    }

    fn variable_name(&self, variable: VariableRef) -> String {
        kernel::name_of(self.context, variable)
    }

    fn kernel_edits(&self, kernel: &Kernel, edits: &mut Edits, line_end: &str) -> Result<(), Cause> {
        let file = kernel.span.file;
        if let Some(cause) = self.pragma_before(kernel.span) {
            return Err(cause);
        }
        let indentation = indentation(self.sources, file, kernel.span.start);
        let named: Vec<Mapping> = self
            .environment
            .mappings
            .iter()
            .filter(|mapping| mapping.named_in_kernels && kernel.bases.contains_key(&mapping.root))
            .cloned()
            .collect();
        let directive = self.kernel_directive(kernel, &named)?;
        let mut opening = String::new();
        if !starts_line(self.sources, file, kernel.span.start) {
            opening.push_str(&format!("{line_end}{indentation}"));
        }
        let closing = self.behind(kernel, &indentation, line_end)?;
        let braces = !closing.is_empty() || self.declares(kernel);
        if braces {
            opening.push_str(&format!("{{{line_end}{indentation}"));
        }
        opening.push_str(&self.loads_before(kernel, &format!("{line_end}{indentation}")));
        opening.push_str(&self.pragma(&directive, &indentation));
        opening.push_str(&format!("{line_end}{indentation}"));
        let place = |error: ferry_source::EditError| Cause::new(error.to_string(), Origin::Text(kernel.span));
        edits.insert(file, kernel.span.start, opening).map_err(place)?;
        if braces {
            let end = end_of_line(self.sources, kernel.span);
            edits
                .insert(file, end, format!("{closing}{line_end}{indentation}}}"))
                .map_err(place)?;
        }
        Ok(())
    }

    /// Assignments behind a kernel of variables that are used later.
    fn final_values(&self, kernel: &Kernel, indentation: &str, line_end: &str) -> Result<String, Cause> {
        let mut text = String::new();
        let values = self.stepped.get(&kernel.index).map(|text| &text.last);
        for (variable, _) in &kernel.final_values {
            let name = self.variable_name(*variable);
            let value = values.and_then(|values| values.get(variable));
            let value = value.ok_or_else(|| {
                let why = "a value behind a loop has no text";
                Cause::new(why, Origin::Text(kernel.span))
            })?;
            text.push_str(&format!("{line_end}{indentation}{name} = {value};"));
        }
        Ok(text)
    }

    fn update_edits(&self, edits: &mut Edits, line_end: &str) -> Result<(), Cause> {
        for update in &self.environment.updates {
            let file = update.at.file;
            let indentation = indentation(self.sources, file, update.at.start);
            let text = String::from_utf8_lossy(self.sources.text(update.item)).into_owned();
            let place = |why: String| Cause::new(why, Origin::Text(update.item));
            let effects = text.contains("++") || text.contains("--") || text.contains(['=', '?', '(', ',']);
            let nested = text.split('[').skip(1).any(|part| !part.contains(']'));
            let statement = String::from_utf8_lossy(self.sources.text(update.at)).into_owned();
            let lazy = statement.contains('?') || statement.contains("&&") || statement.contains("||");
            if effects || nested || lazy {
                return Err(place("the element to update cannot be written again".to_owned()));
            }
            let Some(body) = text.strip_suffix(']') else {
                return Err(place(
                    "the element to update is not written with a subscript".to_owned(),
                ));
            };
            let mut directive: Directive<String> = Directive::update(self.style.version);
            let item = ListItem::whole(format!("{body}:1]"));
            directive = directive
                .map(update.direction, item)
                .map_err(|error| place(error.to_string()))?;
            let pragma = self.pragma(&directive, &indentation);
            let result = match update.direction {
                Direction::To => {
                    let end = end_of_line(self.sources, update.at);
                    let bytes = self.sources.bytes(file);
                    // What goes on behind the statement goes on in a line of its own.
                    let goes_on = end as usize != layout::line_end(bytes, end as usize);
                    let next = match goes_on {
                        true => format!("{line_end}{indentation}"),
                        false => String::new(),
                    };
                    edits.insert(file, end, format!("{line_end}{indentation}{pragma}{next}"))
                }
                _ => {
                    if !starts_line(self.sources, file, update.at.start) {
                        return Err(place(
                            "there is no line for an update before the statement".to_owned(),
                        ));
                    }
                    edits.insert(file, update.at.start, format!("{pragma}{line_end}{indentation}"))
                }
            };
            result.map_err(|error| place(error.to_string()))?;
        }
        Ok(())
    }
}

/// The name of storage as one word.
fn word(name: &str) -> String {
    name.replace("->", "_").replace('.', "_")
}

/// As the right operand of `+`.
fn operand(text: &str) -> String {
    let simple = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_*() ".contains(&byte))
        && !text.contains(" - ");
    if simple {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Without parentheses around the whole.
pub(crate) fn unwrap(text: &str) -> String {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text.to_owned();
    };
    let mut depth = 1;
    for byte in inner.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.to_owned();
        }
    }
    inner.to_owned()
}

/// Puts each structure directly before the first of the data behind its members, if it stands later: gcc 12 and clang 19 set
/// the pointer in the device's copy of a structure only if the clauses name the structure first.
fn structures_first(mappings: &mut Vec<&Mapping>) {
    let mut at = 0;
    while let Some(mapping) = mappings.get(at) {
        if let Some(member) = &mapping.base.member
            && let Some(later) = mappings[at..]
                .iter()
                .position(|own| own.root == member.parent && own.base.member.is_none())
        {
            let structure = mappings.remove(at + later);
            mappings.insert(at, structure);
        }
        at += 1;
    }
}

/// The wanted name, or with the first number behind it with which it is not used, and no word of the file.
pub(crate) fn unused_name(
    sources: &Sources,
    file: FileId,
    wanted: &str,
    used: &dyn Fn(&str) -> bool,
) -> String {
    let mut names =
        std::iter::once(wanted.to_owned()).chain((2..).map(|number| format!("{wanted}_{number}")));
    names
        .find(|name| !used(name) && !sources.has_word(file, name))
        .unwrap_or_default()
}

/// Text that can be written once more in another place, on one line.
pub(crate) fn repeatable(sources: &Sources, span: Span) -> Option<&str> {
    let text = std::str::from_utf8(sources.text(span)).ok()?;
    let plain = !text.contains(['\n', '\r', '#', '"', '\'']) && !text.contains("//") && !text.contains("/*");
    plain.then_some(text)
}

/// True if a name can be written in the place of a part of a text: not behind a word (`else*sum += 1;`).
pub(crate) fn is_replaceable(sources: &Sources, whole: Span, part: Span) -> bool {
    let bytes = sources.bytes(part.file);
    let before = (part.start as usize).checked_sub(1).and_then(|at| bytes.get(at));
    part.file == whole.file
        && whole.contains(part)
        && before.is_none_or(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80))
}

/// The blanks before the first other byte of the line that holds an offset.
pub(crate) fn indentation(sources: &Sources, file: FileId, offset: u32) -> String {
    String::from_utf8_lossy(layout::indentation(sources.bytes(file), offset as usize)).into_owned()
}

/// True if only blanks precede the offset in its line.
pub(crate) fn starts_line(sources: &Sources, file: FileId, offset: u32) -> bool {
    layout::is_first_on_line(sources.bytes(file), offset as usize)
}

/// The end of the span, or of its line if only blanks and one comment to the line's end follow.
pub(crate) fn end_of_line(sources: &Sources, span: Span) -> u32 {
    let bytes = sources.bytes(span.file);
    let line = &bytes[span.end as usize..layout::line_end(bytes, span.end as usize)];
    let text = line.trim_ascii_start();
    let comment = text.starts_with(b"//") && !text.ends_with(b"\\");
    let block = text.starts_with(b"/*")
        && text.ends_with(b"*/")
        && text.windows(2).filter(|pair| *pair == b"*/").count() == 1;
    if text.is_empty() || comment || block {
        span.end + line.len() as u32
    } else {
        span.end
    }
}

/// How most lines at the beginning of the file end; a long file is not read again for each directive.
pub(crate) fn line_end(sources: &Sources, file: FileId) -> &'static str {
    let bytes = sources.bytes(file);
    LineEnd::of(&bytes[..bytes.len().min(1 << 14)]).as_str()
}
