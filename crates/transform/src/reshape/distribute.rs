//! May the body of a nest be split in two, so that all iterations of its first part run before those of its second?
//!
//! That is loop distribution (Allen and Kennedy): it leaves perfect nests behind, and takes a part that carries a dependence away from one that does not. It is legal
//! if no iteration of the first part needs what an earlier one of the second part did, and no scalar goes from one part to the other. The text gets the heads
//! once more, between the parts; the program that is meant is made of the old one, with new variables for those that the repeated heads declare.
//!
//! What it cannot do: give a scalar that goes from one part to the other an array (scalar expansion), reorder parts, split bodies with jumps or directives.

use super::apply::{each_child, pragma_before};
use super::heads;
use super::legal::{known, rests_on_nothing_else};
use super::nest::Nest;
use crate::kernel::{Context, name_of, type_of};
use ferry_analysis::symbols::Cause;
use ferry_ir::compare::{Comparison, Difference, equal_units_modulo_origins};
use ferry_ir::visit::{Statements, assigned_variables, mentioned_variables, rename};
use ferry_ir::{Expr, FunctionRef, LocalId, Stmt, StmtId, StmtKind, Type, Unit, VariableRef};
use ferry_source::{Edits, Origin, Preprocessor, Sources, Span};
use std::collections::BTreeSet;

/// A nest whose body is split.
#[derive(Clone, Debug)]
pub struct Split {
    /// The function.
    function: FunctionRef,
    /// The outermost loop statement.
    root: StmtId,
    /// How many loops the nest has.
    depth: usize,
    /// The statements of the innermost body that are the first part.
    first: usize,
    /// The variables that the repeated heads declare.
    declared: Vec<LocalId>,
    /// Braces are put around both nests.
    braces: bool,
    /// What is written.
    pub edits: Edits,
    /// The whole nest.
    pub whole: Span,
    /// Where the second part begins.
    pub second: Span,
}

/// The statements of the innermost body of a nest, if it has braces.
pub fn parts<'a>(nest: &Nest<'a>) -> &'a [Stmt] {
    match nest.loops.last().map(|of| &of.parts.body.kind) {
        Some(StmtKind::Block { body, scope: true }) => body,
        _ => &[],
    }
}

/// That a nest may be split behind so many statements.
///
/// # Errors
/// What stands in the way.
pub fn may_split(context: Context<'_>, nest: &Nest<'_>, first: usize) -> Result<(), Cause> {
    let at = nest.loops.first().map_or(Origin::New, |root| root.stmt.origin);
    let refused = |why: String| Err(Cause::new(why, at));
    let Some((one, two)) = parts(nest)
        .split_at_checked(first)
        .filter(|(one, two)| !one.is_empty() && !two.is_empty())
    else {
        return refused("there are no two parts".to_owned());
    };
    for of in &nest.loops {
        // Bounds that are read once more must be what they were.
        heads::mean_the_same(context, &Nest { loops: vec![*of] })?;
        rests_on_nothing_else(context, of)?;
        known(context, of)?;
        let verdict = &context.facts.verdicts[of.index.0 as usize];
        let values = &context.facts.values;
        let in_memory = |variable: &VariableRef| {
            matches!(variable, VariableRef::Global(_)) || values.addresses.contains_key(variable)
        };
        let scalars = verdict.private.iter().chain(&verdict.last_private);
        if let Some(variable) = scalars.copied().find(|variable| in_memory(variable)) {
            return refused(format!(
                "{} may be touched in other ways",
                name_of(context, variable)
            ));
        }
        if !verdict.reductions.is_empty() || !verdict.inductions.is_empty() {
            return refused("it sums up, or counts".to_owned());
        }
    }
    let Some(root) = nest.loops.first() else {
        return refused("there is no loop".to_owned());
    };
    if context
        .facts
        .values
        .accesses
        .iter()
        .any(|access| access.volatile && access.loops.contains(&root.index))
    {
        return refused("it touches something volatile".to_owned());
    }
    if one.iter().chain(two).any(|stmt| leaves(stmt, false)) {
        return refused("its body jumps, or holds directives".to_owned());
    }
    // No dependence from the second part back to the first.
    let statements = Statements::of(context.function);
    let is_in = |part: &[Stmt], id: StmtId| {
        part.iter()
            .any(|stmt| stmt.id == id || statements.contains(stmt.id, id))
    };
    for of in &nest.loops {
        let obstacles = context.facts.verdicts[of.index.0 as usize].uncombined();
        for dependence in obstacles.flat_map(|obstacle| &obstacle.dependences) {
            let (source, sink) = (dependence.source.0, dependence.sink.0);
            let inside = |id: StmtId| is_in(one, id) || is_in(two, id);
            if !inside(source) || !inside(sink) || (is_in(two, source) && is_in(one, sink)) {
                return Err(Cause::new(
                    "its first part needs what its second part did in an earlier iteration",
                    dependence.sink.1,
                ));
            }
        }
    }
    match crossing(context, nest, one, two) {
        Some(variable) => refused(format!(
            "{} goes from one part to the other",
            name_of(context, variable)
        )),
        None => Ok(()),
    }
}

/// True if a statement may leave the loop around it, or holds what must stay where it is.
fn leaves(stmt: &Stmt, inside: bool) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => !inside,
        StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Switch { .. }
        | StmtKind::Opaque { .. }
        | StmtKind::Directive { .. } => true,
        StmtKind::Loop(of) => {
            let mut found = leaves(&of.body, true);
            let parts = of.init.iter().chain(&of.before_test).chain(&of.step);
            parts.for_each(|part| found |= leaves(part, false));
            found
        }
        _ => {
            let mut found = false;
            stmt.for_each_child(&mut |child| found |= leaves(child, inside));
            found
        }
    }
}

/// A variable that one part writes and the other one names, arrays aside: those are accesses, whose dependences are known.
fn crossing(context: Context<'_>, nest: &Nest<'_>, one: &[Stmt], two: &[Stmt]) -> Option<VariableRef> {
    let all = |part: &[Stmt], of: fn(&Stmt) -> BTreeSet<VariableRef>| -> BTreeSet<VariableRef> {
        part.iter().flat_map(of).collect()
    };
    let written = [all(one, assigned_variables), all(two, assigned_variables)];
    let named = [all(one, mentioned_variables), all(two, mentioned_variables)];
    let live: BTreeSet<VariableRef> = nest
        .loops
        .first()
        .and_then(|root| context.facts.scalars.get(&root.stmt.id))
        .map(|scalars| scalars.live_after.iter().copied().collect())
        .unwrap_or_default();
    let heads: BTreeSet<VariableRef> = nest
        .loops
        .iter()
        .flat_map(|of| heads::mentioned(of.parts))
        .collect();
    let declared = |variable: &VariableRef| {
        let mut found = false;
        for stmt in one.iter().chain(two) {
            stmt.walk(&mut |inner| {
                found |= matches!(inner.kind, StmtKind::Declare { local } if VariableRef::Local(local) == *variable);
            });
        }
        found
    };
    let is_array = |variable: &VariableRef| {
        matches!(
            context.unit.types.get(type_of(context, *variable)),
            Type::Array { .. }
        )
    };
    let meets = |variable: &&VariableRef| {
        if heads.contains(*variable) {
            return true;
        }
        if !named.iter().all(|named| named.contains(*variable)) {
            return false;
        }
        // An array that is declared outside is memory.
        if is_array(variable) && !declared(variable) {
            return false;
        }
        let counts = |part: &[Stmt]| part.iter().all(|stmt| only_counts(stmt, **variable));
        !(counts(one) && counts(two) && !live.contains(*variable))
    };
    written.iter().flatten().find(meets).copied()
}

/// True if a variable is named in loops only that set it first: what it held before does not matter.
fn only_counts(stmt: &Stmt, variable: VariableRef) -> bool {
    if !mentioned_variables(stmt).contains(&variable) {
        return true;
    }
    if let StmtKind::Loop(of) = &stmt.kind
        && let [init, ..] = of.init.as_slice()
        && let StmtKind::Assign { place, value } = &init.kind
        && place.as_variable() == Some(variable)
    {
        let mut named = BTreeSet::new();
        ferry_ir::visit::expression_variables(value, &mut named);
        return !named.contains(&variable);
    }
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().all(|one| only_counts(one, variable)),
        _ => false,
    }
}

/// The edits that split a nest behind so many statements of its body.
///
/// # Errors
/// Why the text cannot be changed so.
pub fn split(
    context: Context<'_>,
    function: FunctionRef,
    nest: &Nest<'_>,
    first: usize,
    sources: &Sources,
) -> Result<Split, Cause> {
    let at = nest.loops.first().map_or(Origin::New, |root| root.stmt.origin);
    let refused = |why: &str| Cause::new(why, at);
    let unit = context.unit;
    let in_macro = || refused("it comes out of a macro, or lies in a header");
    let (Some(root), Some(last)) = (nest.loops.first(), nest.loops.last()) else {
        return Err(refused("there is no loop"));
    };
    let text_of = |stmt: &Stmt| stmt.origin.text().filter(|span| span.file == unit.file);
    let spans = |of: &super::NestLoop<'_>| of.parts.spans.filter(|spans| spans.head.file == unit.file);
    if nest.loops.iter().any(|of| spans(of).is_none()) {
        return Err(in_macro());
    }
    let whole = text_of(root.stmt).ok_or_else(in_macro)?;
    let keyword = spans(root).ok_or_else(in_macro)?.keyword;
    let body = spans(last).ok_or_else(in_macro)?.body;
    let [before, second] = match parts(nest).get(first.wrapping_sub(1)..=first) {
        Some([before, second]) => [
            text_of(before).ok_or_else(in_macro)?,
            text_of(second).ok_or_else(in_macro)?,
        ],
        _ => return Err(refused("there are no two parts")),
    };
    let bytes = sources.bytes(unit.file);
    let text = |from: u32, to: u32| bytes.get(from as usize..to as usize).unwrap_or(b"#");
    if whole.start != keyword.start || text(body.start, body.start + 1) != b"{" || before.end > second.start {
        return Err(in_macro());
    }
    if text(whole.start, whole.end).contains(&b'#')
        || text(whole.start, whole.end)
            .windows(7)
            .any(|seven| seven == b"_Pragma")
    {
        return Err(refused("it holds lines for the preprocessor"));
    }
    pragma_before(keyword, bytes, at, |_| true)?;
    let statements = Statements::of(context.function);
    let parent = statements.parent(root.stmt.id).and_then(|id| statements.get(id));
    let braces = match parent.map(|parent| &parent.kind) {
        Some(StmtKind::Directive { .. }) => return Err(refused("a directive stands before it")),
        Some(StmtKind::Block { scope: true, .. }) => false,
        _ => true,
    };
    let (heads, closing) = repeated(nest, bytes).ok_or_else(in_macro)?;
    if heads.windows(2).any(|two| two == b"//" || two == b"\\\n") {
        return Err(refused(
            "the head of a loop holds a comment to the end of its line",
        ));
    }
    let between = text(before.end, second.start);
    let rest = between
        .iter()
        .position(|byte| *byte == b'\n')
        .map(|at| &between[..=at]);
    // Comments before the second part go with it; one that ends the line stays with the first.
    let cut = rest.filter(|rest| !rest.windows(2).any(|two| two == b"/*"));
    let (place, inserted) = match cut {
        Some(rest) => (
            before.end + rest.len() as u32,
            [&closing[..], indent(bytes, whole.start), &heads, b"\n"].concat(),
        ),
        None => (
            second.start,
            [
                b"\n".as_slice(),
                &closing,
                indent(bytes, whole.start),
                &heads,
                b" ",
            ]
            .concat(),
        ),
    };
    let mut edits = Edits::new();
    let mut insert = |place: u32, what: Vec<u8>| {
        edits
            .insert(unit.file, place, what)
            .map_err(|error| refused(&error.to_string()))
    };
    if braces {
        insert(whole.start, b"{ ".to_vec())?;
    }
    insert(place, inserted)?;
    if braces {
        insert(whole.end, b" }".to_vec())?;
    }
    let preprocessor = Preprocessor::new(bytes);
    edits
        .check(unit.file, &preprocessor)
        .map_err(|error| refused(&error.to_string()))?;
    if preprocessor.crosses(whole.start, whole.end) {
        return Err(refused("it begins and ends in different branches of an #if"));
    }
    let mut declared = Vec::new();
    for of in &nest.loops {
        for part in &of.parts.init {
            part.walk(&mut |stmt| {
                if let StmtKind::Declare { local } = stmt.kind {
                    declared.push(local);
                }
            });
        }
    }
    Ok(Split {
        function,
        root: root.stmt.id,
        depth: nest.loops.len(),
        first,
        declared,
        braces,
        edits,
        whole,
        second,
    })
}

/// The white space at the beginning of the line of a place.
fn indent(bytes: &[u8], at: u32) -> &[u8] {
    let before = &bytes[..at as usize];
    let line = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(before, |at| &before[at + 1..]);
    let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    &line[..blank]
}

/// The heads of a nest as they are, each on a line of its own if it has one, with the braces that they open; and the lines that close these.
fn repeated(nest: &Nest<'_>, bytes: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut heads, mut closing) = (Vec::new(), Vec::new());
    let mut behind = None;
    for of in &nest.loops {
        let spans = of.parts.spans?;
        let keyword = spans.keyword.start;
        if let Some(behind) = behind {
            match bytes.get(behind as usize..keyword as usize)?.contains(&b'\n') {
                true => heads.extend([b"\n", indent(bytes, keyword)].concat()),
                false => heads.push(b' '),
            }
        }
        heads.extend(bytes.get(spans.head.start as usize..spans.head.end as usize)?);
        if matches!(of.parts.body.kind, StmtKind::Block { scope: true, .. }) {
            heads.extend(b" {");
            closing.splice(0..0, [indent(bytes, keyword), b"}\n"].concat());
        }
        behind = Some(spans.head.end);
    }
    Some((heads, closing))
}

/// That a program is another one with this nest split, and nothing else.
///
/// # Errors
/// The first difference.
pub fn is_split(old: &Unit, new: &Unit, split: &Split) -> Result<(), Difference> {
    let mut intended = old.clone();
    if let Some(function) = intended.functions.get_mut(split.function.0 as usize) {
        let mut renamed = Vec::new();
        for local in &split.declared {
            let again = LocalId(function.locals.len() as u32);
            if let Some(own) = function.locals.get(local.0 as usize).cloned() {
                function.locals.push(own);
                renamed.push((*local, again));
            }
        }
        if let Some(body) = function.body.as_mut() {
            split_in(body, split, &renamed);
        }
    }
    let mut clause = |comparison: &mut Comparison<'_>, a: &Expr, b: &Expr| comparison.expression(a, b);
    equal_units_modulo_origins(&intended, new, &mut clause)
}

fn split_in(stmt: &mut Stmt, split: &Split, renamed: &[(LocalId, LocalId)]) {
    if stmt.id != split.root {
        each_child(stmt, &mut |child| split_in(child, split, renamed));
        return;
    }
    let mut first = stmt.clone();
    let mut second = stmt.clone();
    innermost(&mut first, split.depth, &mut |body| body.truncate(split.first));
    innermost(&mut second, split.depth, &mut |body| {
        body.drain(..split.first.min(body.len()));
    });
    for (old, new) in renamed {
        rename(&mut second, *old, *new);
    }
    stmt.kind = StmtKind::Block {
        body: vec![first, second],
        scope: split.braces,
    };
}

/// The statements of the innermost body of a nest.
fn innermost(stmt: &mut Stmt, depth: usize, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    match &mut stmt.kind {
        StmtKind::Loop(of) => innermost(&mut of.body, depth.saturating_sub(1), visit),
        StmtKind::Block { body, .. } if depth == 0 => visit(body),
        StmtKind::Block { body, .. } => {
            if let [one] = body.as_mut_slice() {
                innermost(one, depth, visit);
            }
        }
        _ => {}
    }
}
