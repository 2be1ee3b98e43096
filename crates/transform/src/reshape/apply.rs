//! How are the loops of a nest exchanged in the user's text?
//!
//! Each head takes the text of another one; everything between and behind the heads stays where it is. What is meant is made of the old program by
//! exchanging the parts of the loops, and the text that was written, read again, must be that program, node by node.

use super::nest::Nest;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::Cause;
use ferry_directive::{Clause, Item};
use ferry_ir::compare::{Comparison, Difference, equal_units_modulo_origins};
use ferry_ir::{Expr, FunctionRef, Loop, LoopKind, Stmt, StmtId, StmtKind, Type, TypeId, Unit};
use ferry_source::{Edits, Origin, Preprocessor, Sources, Span};

/// Loops of one nest that change places, and run together in another number.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The function.
    pub function: FunctionRef,
    /// The outermost loop statement.
    pub root: StmtId,
    /// Which loop comes to each place, outermost place first.
    pub order: Vec<usize>,
    /// What is written.
    pub edits: Edits,
    /// Where the nest begins.
    pub keyword: Span,
    /// The directive before the nest that collapses another number of loops now, and how many.
    pub collapse: Option<(StmtId, usize)>,
}

/// The edits that put the loops of a nest into an order.
///
/// # Errors
/// Why the text cannot be changed so.
pub fn exchange(
    unit: &Unit,
    function: FunctionRef,
    nest: &Nest<'_>,
    order: &[LoopIndex],
    sources: &Sources,
) -> Result<Exchange, Cause> {
    let root = nest
        .loops
        .first()
        .ok_or_else(|| Cause::new("there is no loop", Origin::New))?;
    let places: Option<Vec<usize>> = order
        .iter()
        .map(|index| nest.loops.iter().position(|of| of.index == *index))
        .collect();
    let refused = |why: &str| Cause::new(why, root.stmt.origin);
    let order = places
        .filter(|places| places.len() == nest.loops.len())
        .ok_or_else(|| refused("the loops are not those of one nest"))?;
    let mut heads = Vec::new();
    for of in &nest.loops {
        let spans = of.parts.spans.filter(|spans| spans.head.file == unit.file);
        let head = spans
            .ok_or_else(|| refused("the head of a loop comes out of a macro, or lies in a header"))?
            .head;
        heads.push(head);
    }
    nothing_between(nest, unit, sources)?;
    let mut edits = Edits::new();
    for (to, from) in order.iter().enumerate().filter(|(to, from)| to != *from) {
        let text = sources.text(heads[*from]).to_vec();
        if text.contains(&b'#') || text.windows(2).any(|two| two == b"//" || two == b"\\\n") {
            return Err(refused(
                "the head of a loop holds a comment or a directive to the end of its line",
            ));
        }
        edits
            .replace(heads[to], text)
            .map_err(|error| refused(&error.to_string()))?;
    }
    let preprocessor = Preprocessor::new(sources.bytes(unit.file));
    edits
        .check(unit.file, &preprocessor)
        .map_err(|error| refused(&error.to_string()))?;
    if let Some(whole) = root.stmt.origin.span()
        && preprocessor.crosses(whole.start, whole.end)
    {
        return Err(refused("it begins and ends in different branches of an #if"));
    }
    Ok(Exchange {
        function,
        root: root.stmt.id,
        order,
        edits,
        keyword: nest.loops[0].parts.spans.map_or(heads[0], |spans| spans.keyword),
        collapse: None,
    })
}

/// That nothing stands between the heads of a nest, nor in front of the first one, that would speak of another loop then: other pragmas, assertions.
fn nothing_between(nest: &Nest<'_>, unit: &Unit, sources: &Sources) -> Result<(), Cause> {
    let bytes = sources.bytes(unit.file);
    for two in nest.loops.windows(2) {
        let refused = |why: &str| Err(Cause::new(why, two[1].stmt.origin));
        let (Some(outer), Some(inner)) = (two[0].parts.spans, two[1].parts.spans) else {
            return refused("the head of a loop comes out of a macro");
        };
        let between = bytes
            .get(outer.head.end as usize..inner.keyword.start as usize)
            .unwrap_or(b"?");
        if !is_blank(between) {
            return refused("something stands between the heads of its loops");
        }
    }
    let Some(first) = nest.loops.first() else {
        return Ok(());
    };
    match first.parts.spans {
        Some(spans) => pragma_before(spans.keyword, bytes, first.stmt.origin, |rest| {
            ferry_directive::language_of(rest).is_none()
        }),
        None => Ok(()),
    }
}

/// That no pragma stands on the line before a loop that is of a kind that counts, by its text.
pub(super) fn pragma_before(
    keyword: Span,
    bytes: &[u8],
    at: Origin,
    counts: impl Fn(&[u8]) -> bool,
) -> Result<(), Cause> {
    let before = bytes
        .get(..keyword.start as usize)
        .unwrap_or_default()
        .trim_ascii_end();
    let line = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(before, |at| &before[at + 1..])
        .trim_ascii_start();
    let other = line
        .strip_prefix(b"#")
        .map(<[u8]>::trim_ascii_start)
        .and_then(|line| line.strip_prefix(b"pragma"));
    match other.is_some_and(counts) || line.starts_with(b"_Pragma") {
        true => Err(Cause::new(
            "a pragma stands before it that is about this loop",
            at,
        )),
        false => Ok(()),
    }
}

/// True for white space, comments and opening braces.
fn is_blank(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        rest = match rest {
            [] => return true,
            [b'{', behind @ ..] => behind,
            [b'/', b'*', behind @ ..] => match behind.windows(2).position(|two| two == b"*/") {
                Some(end) => &behind[end + 2..],
                None => return false,
            },
            [b'/', b'/', behind @ ..] => match behind.iter().position(|byte| *byte == b'\n') {
                Some(end) if !behind[..end].ends_with(b"\\") => &behind[end..],
                _ => return false,
            },
            _ => return false,
        };
    }
}

/// That a program is another one with the loops of these nests exchanged, and nothing else.
///
/// # Errors
/// The first difference.
pub fn is_intended(old: &Unit, new: &Unit, exchanges: &[Exchange]) -> Result<(), Difference> {
    let mut intended = old.clone();
    let int = intended.types.intern(Type::Int {
        bits: 32,
        signed: true,
    });
    for exchange in exchanges {
        let function = intended.functions.get_mut(exchange.function.0 as usize);
        if let Some(body) = function.and_then(|function| function.body.as_mut()) {
            exchange_in(body, exchange);
            if let Some((directive, count)) = exchange.collapse {
                collapse_in(body, directive, count, int);
            }
        }
    }
    let mut read = new.clone();
    for function in intended.functions.iter_mut().chain(&mut read.functions) {
        function.body.iter_mut().for_each(sort_collapse);
    }
    let new = &read;
    let mut clause = |comparison: &mut Comparison<'_>, a: &Expr, b: &Expr| comparison.expression(a, b);
    equal_units_modulo_origins(&intended, new, &mut clause)
}

/// Where a `collapse` stands among the clauses does not count.
fn sort_collapse(stmt: &mut Stmt) {
    if let StmtKind::Directive { directive, .. } = &mut stmt.kind {
        directive.clauses.sort_by_key(|clause| clause.name == "collapse");
    }
    each_child(stmt, &mut sort_collapse);
}

fn collapse_in(stmt: &mut Stmt, of: StmtId, count: usize, int: TypeId) {
    if let StmtKind::Directive { directive, .. } = &mut stmt.kind
        && stmt.id == of
    {
        directive.clauses.retain(|clause| clause.name != "collapse");
        if count > 1 {
            let value = Expr::int(count as i128, int);
            directive
                .clauses
                .push(Clause::with("collapse", vec![Item::Value(value)]));
        }
        return;
    }
    each_child(stmt, &mut |child| collapse_in(child, of, count, int));
}

/// What the head of a loop says.
type Head = (LoopKind, Vec<Stmt>, Vec<Stmt>, Option<Expr>, Vec<Stmt>);

fn exchange_in(stmt: &mut Stmt, exchange: &Exchange) {
    if stmt.id == exchange.root {
        let mut heads = Vec::new();
        each_loop(stmt, exchange.order.len(), &mut |of| heads.push(head(of)));
        let mut next = exchange.order.iter();
        each_loop(stmt, exchange.order.len(), &mut |of| {
            if let Some(head) = next.next().and_then(|from| heads.get(*from)).cloned() {
                (of.kind, of.init, of.before_test, of.condition, of.step) = head;
            }
        });
        return;
    }
    each_child(stmt, &mut |child| exchange_in(child, exchange));
}

/// The statements directly inside; loops and directives stand in bodies, heads hold none.
pub(super) fn each_child(stmt: &mut Stmt, visit: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.kind {
        StmtKind::Block { body, .. } => body.iter_mut().for_each(visit),
        StmtKind::If { then, otherwise, .. } => {
            visit(then);
            if let Some(otherwise) = otherwise {
                visit(otherwise);
            }
        }
        StmtKind::Loop(of) => visit(&mut of.body),
        StmtKind::Switch { body, .. } | StmtKind::Directive { body: Some(body), .. } => visit(body),
        _ => {}
    }
}

fn head(of: &Loop) -> Head {
    (
        of.kind,
        of.init.clone(),
        of.before_test.clone(),
        of.condition.clone(),
        of.step.clone(),
    )
}

/// The loops of a nest, from the outermost.
fn each_loop(stmt: &mut Stmt, count: usize, visit: &mut dyn FnMut(&mut Loop)) {
    if count == 0 {
        return;
    }
    match &mut stmt.kind {
        StmtKind::Loop(of) => {
            visit(of);
            each_loop(&mut of.body, count - 1, visit);
        }
        StmtKind::Block { body, .. } => {
            if let [one] = body.as_mut_slice() {
                each_loop(one, count, visit);
            }
        }
        _ => {}
    }
}
