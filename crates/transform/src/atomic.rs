//! Which statements of a kernel are atomic updates or writes, and can the directive be written in front of each?
//!
//! A directive governs a statement of the user's text, and both languages take few forms of it: `x++`, `x op= e`, `x = x op e`, `x = e op x`, where
//! `x` is written alike in both places. What the loop means allows more (`x = x + a + b`), which compilers refuse. Of writes the form is `x = e`.
//!
//! Elements of one or two bytes stay on the host: gcc 12 has no atomic updates of them on NVIDIA's devices (the program does not link). It has atomic writes.
//!
//! What it cannot do: statements that call functions or have other effects, which are several statements once they are read.

use crate::kernel::Context;
use ferry_analysis::reduction::{Update, mentions, same_place, update};
use ferry_analysis::symbols::Cause;
use ferry_analysis::verdict::{Whole, is_atomic};
use ferry_ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Projection, Stmt, StmtId, StmtKind, Type, Types};
use ferry_source::{Origin, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

const FORM: &str = "an update that would have to be atomic is not written in a form that directives take";
const LARGER: &str = "an update that would have to be atomic is a part of a larger statement";

/// A statement that is an atomic update or write, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AtomicStatement {
    /// The whole statement.
    pub span: Span,
    /// The place that is updated or set.
    place: Span,
    /// Where an update reads the old value; the place itself in `x++` and `x op= e`. A write reads none.
    read: Option<Span>,
}

impl AtomicStatement {
    /// True for one that does not read the old value.
    pub fn is_write(&self) -> bool {
        self.read.is_none()
    }
}

/// The atomic updates, or writes, that these statements of a loop are.
///
/// # Errors
/// Why one of them cannot be one.
pub fn statements(
    context: Context<'_>,
    inside: &Stmt,
    how: Whole,
    wanted: &BTreeSet<StmtId>,
) -> Result<Vec<AtomicStatement>, Cause> {
    let mut found = Vec::new();
    let mut refused = None;
    let mut seen = BTreeSet::new();
    // `a++, b++;` is two statements at one place.
    let mut at: BTreeMap<Span, usize> = BTreeMap::new();
    inside.walk(&mut |stmt| {
        if let Some(span) = stmt.origin.text() {
            *at.entry(span).or_default() += 1;
        }
    });
    let alone = |span: &Span| at.get(span) == Some(&1);
    inside.walk(&mut |stmt| {
        if wanted.contains(&stmt.id) && seen.insert(stmt.id) {
            match one(context, how, stmt) {
                Ok(update) if alone(&update.span) => found.push(update),
                Ok(_) => drop(refused.get_or_insert(Cause::new(LARGER, stmt.origin))),
                Err(why) => drop(refused.get_or_insert(Cause::new(why, stmt.origin))),
            }
        }
    });
    match refused {
        Some(cause) => Err(cause),
        None if seen.len() == wanted.len() => Ok(found),
        None => Err(Cause::new(
            "an atomic update is not in the loop's own text",
            inside.origin,
        )),
    }
}

fn one(context: Context<'_>, how: Whole, stmt: &Stmt) -> Result<AtomicStatement, &'static str> {
    let types = &context.unit.types;
    let StmtKind::Assign { place, value } = &stmt.kind else {
        return Err(FORM);
    };
    if let Whole::Update(op) = how {
        let is_it = |update: &Update<'_>| update.op == op && is_atomic(op);
        if update(context.unit, stmt).filter(is_it).is_none() {
            return Err("no directive makes an update by this operation atomic");
        }
    }
    match types.get(place.ty) {
        Type::Int { bits: 32 | 64, .. } | Type::Float { bits: 32 | 64 } => {}
        Type::Int { bits: 8 | 16, .. } | Type::Bool if how == Whole::Write => {}
        Type::Int { bits: 8 | 16, .. } => {
            return Err(
                "its elements have one or two bytes, which gcc 12 cannot update atomically on a device",
            );
        }
        _ if how == Whole::Write => return Err("it sets a type that a device cannot set atomically"),
        _ => return Err("it updates a type that a device cannot update atomically"),
    }
    if !is_aligned(context, place) {
        return Err("an element that would have to be updated atomically may not be aligned");
    }
    if how == Whole::Write {
        if mentions(value, place) {
            return Err(FORM);
        }
        return match (stmt.origin.text(), place.origin.text()) {
            (Some(span), Some(place)) if span.contains(place) => Ok(AtomicStatement {
                span,
                place,
                read: None,
            }),
            _ => Err("a write that would have to be atomic is no plain statement of the text"),
        };
    }
    let mut value = value;
    while let ExprKind::Cast(inner) = &value.kind {
        value = inner;
    }
    let ExprKind::Binary(operation, a, b) = &value.kind else {
        return Err(FORM);
    };
    let own = match operation {
        BinaryOp::Sub => [Some(a), None],
        _ => [Some(a), Some(b)],
    };
    let read = own
        .into_iter()
        .flatten()
        .find_map(|operand| loaded(operand, place));
    let spans = (
        stmt.origin.text(),
        place.origin.text(),
        read.and_then(Origin::text),
    );
    match spans {
        (Some(span), Some(place), Some(read)) if span.contains(place) && span.contains(read) => {
            Ok(AtomicStatement {
                span,
                place,
                read: Some(read),
            })
        }
        (None, ..) => Err("an update that would have to be atomic is no plain statement of the text"),
        _ => Err(FORM),
    }
}

/// Where an operand reads the place, if that is all that it is.
fn loaded(operand: &Expr, place: &Place) -> Option<Origin> {
    match &operand.kind {
        ExprKind::Cast(inner) => loaded(inner, place),
        ExprKind::Load(from) if same_place(from, place) => Some(from.origin),
        _ => None,
    }
}

/// True if the members on the way to the place lie in structures that are aligned like it.
fn is_aligned(context: Context<'_>, place: &Place) -> bool {
    let types: &Types = &context.unit.types;
    let Some(size) = types.size(place.ty) else {
        return false;
    };
    let mut ty = match &place.base {
        PlaceBase::Variable(variable) => crate::kernel::type_of(context, *variable),
        PlaceBase::Deref(pointer) => match types.pointee(pointer.ty) {
            Some(to) => to,
            None => return false,
        },
    };
    for step in &place.path {
        ty = match (step, types.get(ty)) {
            (Projection::Index(_), Type::Array { element, .. }) => *element,
            (Projection::Field(number), Type::Record(record)) => {
                let record = types.record(*record);
                match record.fields.get(*number as usize) {
                    Some(field) if record.align >= size => field.ty,
                    _ => return false,
                }
            }
            _ => return false,
        };
    }
    true
}

/// Why no directive can stand in front of an update in the text of its kernel, if so.
pub fn refused(sources: &Sources, kernel: Span, update: &AtomicStatement) -> Option<Cause> {
    let cause = |why: &str| Some(Cause::new(why, Origin::Text(update.span)));
    if update.span.file != kernel.file || !kernel.contains(update.span) {
        return cause("an atomic update is not in the loop's own text");
    }
    if !is_statement(sources, kernel, update.span) {
        return cause(LARGER);
    }
    if !is_form(sources, update) {
        return cause(FORM);
    }
    None
}

/// True if the text is `x = e` of a write; `x++`, `++x`, `x op= e`, `x = x op e` or `x = e op x` of an update, with the same text of `x` in both places.
fn is_form(sources: &Sources, update: &AtomicStatement) -> bool {
    let AtomicStatement { span, place, read } = *update;
    let bytes = sources.bytes(span.file);
    let text = |start: u32, end: u32| {
        let part = bytes.get(start as usize..end as usize).unwrap_or_default();
        part.trim_ascii()
    };
    let without = |rest: &[u8]| {
        let rest = rest.strip_suffix(b";")?.trim_ascii();
        (!has_comma(rest)).then(|| rest.to_vec())
    };
    let before = text(span.start, place.start);
    let Some(read) = read else {
        let behind = without(text(place.end, span.end));
        // Not `x = y = e`, which sets two places.
        let is_one = |value: &[u8]| !value.windows(2).any(|two| two[0] == b'=' || two[1] == b'=');
        return before.is_empty()
            && behind.is_some_and(|behind| behind.strip_prefix(b"=").is_some_and(is_one));
    };
    if read == place {
        let Some(behind) = without(text(place.end, span.end)) else {
            return false;
        };
        let steps = |text: &[u8]| matches!(text, b"++" | b"--");
        let behind = match (before, behind.strip_prefix(b")")) {
            (b"(", Some(behind)) => behind.trim_ascii(),
            (b"", _) => &behind,
            (before, _) => return steps(before) && behind.is_empty(),
        };
        return steps(behind)
            || matches!(behind, [operator, b'=', rest @ ..] if is_operator(operator) && rest.first() != Some(&b'='));
    }
    let between = text(place.end, read.start);
    let Some(behind) = without(text(read.end, span.end)) else {
        return false;
    };
    let first = between == b"=" && behind.first().is_some_and(is_operator);
    let last = behind.is_empty()
        && matches!(between, [b'=', middle @ .., operator] if is_operator(operator) && is_operand(middle))
        && !has_comma(between);
    before.is_empty() && sources.text(place) == sources.text(read) && (first || last)
}

fn is_operator(byte: &u8) -> bool {
    b"+-*&|^".contains(byte)
}

/// True if a value may end here, so that an operator behind it has two sides: in `x = e & +x` the `+` has one, which no compiler takes for an update.
fn is_operand(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let ends = |last: &u8| last.is_ascii_alphanumeric() || b"_)]'".contains(last);
    text.first() != Some(&b'=') && text.last().is_some_and(ends)
}

/// True if there is a comma outside of parentheses and brackets: `x += e, 0` is an update for the program, and no form of one for compilers. A comma in a
/// literal counts, too.
fn has_comma(text: &[u8]) -> bool {
    let mut depth = 0i32;
    text.iter().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        *byte == b',' && depth <= 0
    })
}

/// True if a statement can begin where the span does: behind the end of another one, or the head of a loop or condition.
fn is_statement(sources: &Sources, around: Span, span: Span) -> bool {
    let bytes = sources.bytes(around.file);
    let before = bytes.get(around.start as usize..span.start as usize);
    before.is_some_and(|before| begins(Tokens::of(before)))
}

/// True if a statement can begin behind these tokens.
fn begins(tokens: Tokens<'_>) -> bool {
    // The words in front of parentheses that are open.
    let mut open: Vec<&[u8]> = Vec::new();
    let mut word: &[u8] = b"";
    let (mut begins, mut choices) = (false, 0u32);
    for token in tokens {
        begins = match token {
            Token::Word(found) => {
                word = found;
                matches!(found, b"else" | b"do")
            }
            Token::Mark(b'(') => {
                open.push(std::mem::take(&mut word));
                false
            }
            Token::Mark(b')') => matches!(open.pop(), Some(b"if" | b"for" | b"while" | b"switch")),
            Token::Mark(mark @ (b';' | b'{' | b'}')) => {
                choices = 0;
                // The head of a `for` has semicolons too.
                open.is_empty() || mark == b'{'
            }
            Token::Mark(b'?') => {
                choices += 1;
                false
            }
            // Of a label, unless there is a choice.
            Token::Mark(b':') => {
                let label = choices == 0;
                choices = choices.saturating_sub(1);
                label
            }
            Token::Mark(_) => false,
        };
        if !matches!(token, Token::Word(_)) {
            word = b"";
        }
    }
    begins && open.is_empty()
}

enum Token<'a> {
    Word(&'a [u8]),
    Mark(u8),
}

/// Words and marks of C text, without comments, literals and lines of the preprocessor.
struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    fn of(rest: &'a [u8]) -> Tokens<'a> {
        Tokens { rest }
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Past the end of the line, where a backslash goes on to the next one.
    fn skip_line(&mut self) {
        let mut escaped = false;
        let end = self.rest.iter().position(|byte| {
            let ends = *byte == b'\n' && !escaped;
            escaped = *byte == b'\\' || (escaped && *byte == b'\r');
            ends
        });
        self.skip(end.unwrap_or(self.rest.len()));
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let (first, second) = (*self.rest.first()?, self.rest.get(1).copied());
            match first {
                byte if byte.is_ascii_whitespace() || byte == b'\\' => self.skip(1),
                b'/' if second == Some(b'/') => self.skip_line(),
                b'/' if second == Some(b'*') => {
                    let end = self.rest.windows(2).skip(2).position(|two| two == b"*/");
                    self.skip(end.map_or(self.rest.len(), |end| end + 4));
                }
                b'#' => self.skip_line(),
                quote @ (b'"' | b'\'') => {
                    let mut escaped = false;
                    let end = self.rest.iter().skip(1).position(|byte| {
                        let ends = *byte == quote && !escaped;
                        escaped = *byte == b'\\' && !escaped;
                        ends
                    });
                    self.skip(end.map_or(self.rest.len(), |end| end + 2));
                    return Some(Token::Mark(quote));
                }
                byte if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => {
                    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
                    let end = self.rest.iter().position(|byte| !is_in(byte));
                    let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                    self.rest = rest;
                    return Some(Token::Word(word));
                }
                mark => {
                    self.skip(1);
                    return Some(Token::Mark(mark));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tokens, begins};

    #[test]
    fn a_statement_begins_behind_a_whole_one() {
        let yes = [
            "for (i = 0; i < n; i++) { ",
            "for (i = 0; i < (n); i++) ",
            "for (;;) { a[i] = 1; // x(\n",
            "for (;;) { if (f(x)) ",
            "for (;;) { if (x) y(); else /* ; */",
            "for (;;) { \"(\"; ",
            "for (;;) { switch (x) { case 1 ? 2 : 3: ",
            "for (;;) {\n#if (X\n",
        ];
        let no = [
            "for (i = 0; i < n; ",
            "for (;;) { a = ",
            "for (;;) { (void)",
            "for (;;) { b(); a(), ",
            "for (;;) { x ? a : ",
            "for (;;) { x ? ",
            "for (;;) { f(",
            "for (;;) { (",
        ];
        for text in yes {
            assert!(begins(Tokens::of(text.as_bytes())), "{text}");
        }
        for text in no {
            assert!(!begins(Tokens::of(text.as_bytes())), "{text}");
        }
    }
}
