//! Is a node spelled in the file, or does it come out of a macro? Gives every node its [`Origin`].
//!
//! libclang tells for the first token of a node where it is expanded and where it is spelled; the end of a node that ends
//! inside a macro is only known as the end of the expansion. So a node that begins or ends with a macro's use is `Text`
//! only if that use is shown to be wholly inside the node: the leaf or parenthesis there is the whole replacement list.

use super::node::{Node, Unexposed};
use super::{Lower, lex};
use crate::clang::{Cursor, File};
use clang_sys::*;
use ferry_source::{Origin, Span};

/// Where a node is, in offsets of the parsed text.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// File; `None` for a node that is in none.
    pub file: Option<File>,
    /// First byte, of the outermost macro use if it begins in one.
    pub start: u32,
    /// Past the last byte, of the outermost macro use if it ends in one.
    pub end: u32,
    /// The node begins at `start` exactly: not inside a macro use of which it has a part only.
    pub starts: bool,
    /// The node ends at `end` exactly.
    pub ends: bool,
    /// Where the letters of its first token are.
    spelled: Option<(File, u32)>,
}

impl At {
    /// Nowhere.
    pub const NOWHERE: At = At {
        file: None,
        start: 0,
        end: 0,
        starts: false,
        ends: false,
        spelled: None,
    };

    /// Where the letters of its first token are; `None` also for what the preprocessor makes up.
    pub fn spelled(&self) -> Option<(File, u32)> {
        self.spelled
    }

    /// True if both are the same range of the same file.
    pub fn same_place(&self, other: &At) -> bool {
        self.file == other.file
            && self.start == other.start
            && self.end == other.end
            && self.spelled == other.spelled
    }
}

/// The macro uses of one translation unit: in which file and where they begin, and where they end.
#[derive(Default)]
pub struct MacroUses {
    by_start: std::collections::HashMap<(File, u32), u32>,
    by_end: std::collections::HashMap<(File, u32), u32>,
}

impl MacroUses {
    /// Adds one use.
    pub fn add(&mut self, file: File, start: u32, end: u32) {
        let longest = self.by_start.entry((file, start)).or_insert(end);
        *longest = end.max(*longest);
        let outermost = self.by_end.entry((file, end)).or_insert(start);
        *outermost = start.min(*outermost);
    }

    /// The end of the use that begins here.
    pub fn end_of(&self, file: File, start: u32) -> Option<u32> {
        self.by_start.get(&(file, start)).copied()
    }

    /// The start of the (longest) use that ends here.
    pub fn ending_at(&self, file: File, end: u32) -> Option<u32> {
        self.by_end.get(&(file, end)).copied()
    }
}

fn begins_with_child(kind: CXCursorKind, cursor: Cursor<'_>) -> bool {
    match kind {
        CXCursor_UnaryOperator => {
            matches!(
                cursor.unary_operator(),
                CXUnaryOperator_PostInc | CXUnaryOperator_PostDec
            )
        }
        CXCursor_BinaryOperator
        | CXCursor_CompoundAssignOperator
        | CXCursor_ConditionalOperator
        | CXCursor_ArraySubscriptExpr
        | CXCursor_MemberRefExpr
        | CXCursor_CallExpr => true,
        _ => false,
    }
}

fn ends_with_child(kind: CXCursorKind, cursor: Cursor<'_>) -> bool {
    match kind {
        CXCursor_UnaryOperator => !matches!(
            cursor.unary_operator(),
            CXUnaryOperator_PostInc | CXUnaryOperator_PostDec
        ),
        CXCursor_BinaryOperator
        | CXCursor_CompoundAssignOperator
        | CXCursor_ConditionalOperator
        | CXCursor_CStyleCastExpr => true,
        _ => false,
    }
}

/// How many subscripts, members and argument lists follow the name, literal or parenthesis with which a node begins.
fn postfix_steps(kind: CXCursorKind, children: &[Node<'_>]) -> Option<usize> {
    let (mut kind, mut children) = (kind, children);
    let mut steps = 0;
    loop {
        match kind {
            CXCursor_ParenExpr
            | CXCursor_DeclRefExpr
            | CXCursor_IntegerLiteral
            | CXCursor_FloatingLiteral
            | CXCursor_CharacterLiteral => return Some(steps),
            CXCursor_ArraySubscriptExpr | CXCursor_MemberRefExpr | CXCursor_CallExpr => steps += 1,
            CXCursor_UnexposedExpr => {}
            _ => return None,
        }
        let first = children.first()?;
        (kind, children) = (first.kind, &first.children);
    }
}

impl<'tu> Lower<'tu, '_> {
    /// Where an expression is; its children are known already.
    pub(super) fn at(&mut self, cursor: Cursor<'tu>, kind: CXCursorKind, children: &[Node<'tu>]) -> At {
        if let (
            CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator | CXCursor_ConditionalOperator,
            [a, .., b],
        ) = (kind, children)
            && a.at.file.is_some()
            && a.at.file == b.at.file
            && a.at.start <= b.at.end
        {
            // From the operands: libclang would walk down to both ends again, at each level of a long sum.
            return At {
                end: b.at.end,
                ends: b.at.ends,
                ..a.at
            };
        }
        let (first, last) = cursor.extent();
        let (Some((file, start)), Some((end_file, mut end))) = (first.expansion(), last.expansion()) else {
            return At::NOWHERE;
        };
        let spelled = first.spelling();
        let starts_in_macro = spelled != Some((file, start));
        let ends_in_argument = last.in_macro();
        if ends_in_argument {
            end = self.macros.end_of(end_file, end).unwrap_or(end);
        }
        if file != end_file {
            return At {
                file: Some(file),
                start,
                end: start,
                starts: false,
                ends: false,
                spelled,
            };
        }
        let ending_use = if ends_in_argument {
            Some(start)
        } else {
            self.macros.ending_at(file, end)
        };
        let (mut starts, mut ends) = (!starts_in_macro, ending_use.is_none());
        let mut at = At {
            file: Some(file),
            start,
            end,
            starts,
            ends,
            spelled,
        };
        if starts && ends {
            return at;
        }
        if let [child] = children
            && kind == CXCursor_UnexposedExpr
            && child.at.same_place(&at)
        {
            return child.at;
        }
        if !starts && begins_with_child(kind, cursor) {
            starts = children
                .first()
                .is_some_and(|child| child.at.starts && child.at.start == start);
        }
        if !ends && ends_with_child(kind, cursor) {
            ends = children
                .last()
                .is_some_and(|child| child.at.ends && child.at.end == end);
        }
        let whole_use = starts_in_macro && self.macros.end_of(file, start) == Some(end);
        if whole_use
            && !(starts && ends)
            && (self.is_whole_replacement(cursor, kind, children, file, start)
                || self.is_one_token_or_argument(cursor, kind, file, start))
        {
            starts = true;
            ends = true;
        }
        at.starts = starts;
        at.ends = ends;
        at
    }

    /// Is this node the whole replacement list of the macro that is used at `start`? Told for a name, literal or
    /// parenthesis, with subscripts, members and argument lists behind it.
    fn is_whole_replacement(
        &mut self,
        cursor: Cursor<'tu>,
        kind: CXCursorKind,
        children: &[Node<'tu>],
        file: File,
        start: u32,
    ) -> bool {
        let Some((spelled, at)) = cursor.extent().0.spelling() else {
            return false;
        };
        let text = self.tu.contents(spelled);
        let Some(steps) = postfix_steps(kind, children) else {
            return false;
        };
        let end = lex::postfix_end(text, at as usize, steps);
        end.is_some_and(|end| self.is_replacement(text, at as usize, end, file, start))
            || self.use_is_postfix((file, start as usize), (spelled, at as usize), steps)
    }

    /// Is this node a macro's one token, or the argument that the macro stands for?
    fn is_one_token_or_argument(
        &mut self,
        cursor: Cursor<'tu>,
        kind: CXCursorKind,
        file: File,
        start: u32,
    ) -> bool {
        let leaf = matches!(
            kind,
            CXCursor_DeclRefExpr
                | CXCursor_IntegerLiteral
                | CXCursor_FloatingLiteral
                | CXCursor_CharacterLiteral
        );
        if leaf && self.use_is_one_token(file, start) {
            return true;
        }
        let (first, last) = cursor.extent();
        match (first.spelling(), last.spelling()) {
            (Some((a, first)), Some((b, last))) if a == file && b == file => {
                self.use_is_argument(file, start, first, last)
            }
            _ => false,
        }
    }

    /// Are these bytes of a `#define` all that the macro used at `start` stands for?
    fn is_replacement(&self, text: &[u8], at: usize, end: usize, file: File, start: u32) -> bool {
        let Some(name) = lex::defined_name(text, at) else {
            return false;
        };
        lex::ends_line(text, end) && lex::word(self.tu.contents(file), start as usize) == name
    }

    /// The origin of an expression.
    pub(super) fn origin(&mut self, at: At) -> Origin {
        match self.span(at.file, at.start, at.end) {
            Some(span) if at.starts && at.ends => Origin::Text(span),
            Some(span) => Origin::Expanded(span),
            None => Origin::New,
        }
    }

    /// A range of the parsed text as a span of the physical file.
    pub(super) fn span(&mut self, file: Option<File>, start: u32, end: u32) -> Option<Span> {
        let file = self.file_id(file?)?;
        let start = self.pragmas.physical(file, start);
        let end = self.pragmas.physical(file, end);
        Some(Span {
            file,
            start,
            end: end.max(start),
        })
    }

    /// Where a statement is, its `;` included. Only the range: [`Lower::statement_origin`] makes the origin.
    /// Remembered, as the end of a chain of `else if` is the end of each of its links.
    pub(super) fn statement_at(&mut self, cursor: Cursor<'tu>) -> At {
        if let Some(&at) = self.statement_places.get(&cursor.key()) {
            return at;
        }
        let at = self.find_statement(cursor);
        self.statement_places.insert(cursor.key(), at);
        at
    }

    fn find_statement(&mut self, cursor: Cursor<'tu>) -> At {
        let kind = cursor.kind();
        let closed_by_child = matches!(
            kind,
            CXCursor_IfStmt
                | CXCursor_ForStmt
                | CXCursor_WhileStmt
                | CXCursor_SwitchStmt
                | CXCursor_CaseStmt
                | CXCursor_DefaultStmt
                | CXCursor_LabelStmt
        );
        if closed_by_child {
            // The first token is the statement's own; the end is that of the last statement inside. (Its extent would
            // make libclang walk to the end of a chain of `else if` at each link.)
            let first = cursor.location();
            let Some((file, start)) = first.expansion() else {
                return At::NOWHERE;
            };
            let spelled = first.spelling();
            let mut at = At {
                file: Some(file),
                start,
                end: start,
                starts: spelled == Some((file, start)),
                ends: false,
                spelled,
            };
            if !at.starts && (self.loop_head_use(cursor).is_some() || self.begins_use(cursor)) {
                at.starts = true;
            }
            if let Some(last) = cursor.children().last() {
                let inner = self.statement_at(*last);
                if inner.file == at.file && inner.end >= start {
                    at.end = inner.end;
                    at.ends = inner.ends;
                }
                if at.starts && !at.ends && kind == CXCursor_ForStmt && spelled != Some((file, start)) {
                    self.end_with_use(&mut at, file);
                }
            }
            return at;
        }
        let (first, last) = cursor.extent();
        let (Some((file, start)), Some((end_file, end))) = (first.expansion(), last.expansion()) else {
            return At::NOWHERE;
        };
        let spelled = first.spelling();
        let starts = spelled == Some((file, start));
        if file != end_file {
            return At {
                file: Some(file),
                start,
                end: start,
                starts: false,
                ends: false,
                spelled,
            };
        }
        let mut at = At {
            file: Some(file),
            start,
            end,
            starts,
            ends: !last.in_macro(),
            spelled,
        };
        if last.in_macro() {
            at.end = self.macros.end_of(file, end).unwrap_or(end);
        }
        if matches!(
            kind,
            CXCursor_CompoundStmt | CXCursor_DeclStmt | CXCursor_NullStmt
        ) {
            if let Some(use_start) = self.macros.ending_at(file, at.end) {
                // `}` out of a macro of its own: the last token of a block is its brace.
                at.ends = at.ends && kind == CXCursor_CompoundStmt && self.use_is_one_token(file, use_start);
            }
            if kind == CXCursor_CompoundStmt
                && !at.starts
                && let Some((defined, letters)) = spelled
                && self.macros.end_of(file, start) == Some(at.end)
            {
                let text = self.tu.contents(defined);
                let whole = lex::closing(text, letters as usize)
                    .is_some_and(|end| self.is_replacement(text, letters as usize, end, file, start));
                at.starts |= whole;
                at.ends |= whole;
            }
            return at;
        }
        // The `;` follows, in the file. If the last token before it comes out of the middle of a macro, the
        // statement is not spelled here; whole uses are shown by the expression's own place.
        let is_expression = (100..200).contains(&kind) || kind == CXCursor_UnexposedStmt;
        let ends_in_macro = !at.ends || self.macros.ending_at(file, at.end).is_some();
        if is_expression && (!at.starts || ends_in_macro) {
            let node = self.node(cursor);
            at.starts = node.at.starts;
            at.ends = node.at.ends;
        } else if ends_in_macro {
            // `return N;`: the value is the last child.
            let children = cursor.children();
            let value = children.last().filter(|child| (100..200).contains(&child.kind()));
            at.ends = value.is_some_and(|value| self.node(*value).at.ends);
        }
        if !at.ends
            && (is_expression || kind == CXCursor_ReturnStmt)
            && let Some(use_start) = self.macros.ending_at(file, at.end)
            && use_start >= start
        {
            // Such a statement ends at the first `;`, and none comes out of the use.
            at.ends = self.use_ends_no_statement(file, use_start, at.end);
        }
        if kind == CXCursor_DoStmt
            && let Some((defined, letters)) = spelled
            && self.macros.end_of(file, start) == Some(at.end)
        {
            // `SWAP(a, b);`
            let text = self.tu.contents(defined);
            let whole = lex::do_end(text, letters as usize)
                .is_some_and(|end| self.is_replacement(text, letters as usize, end, file, start));
            at.starts |= whole;
            at.ends |= whole;
        }
        let text = self.tu.contents(file);
        let semicolon = lex::skip_blanks(text, at.end as usize);
        if text.get(semicolon) == Some(&b';') {
            at.end = semicolon as u32 + 1;
        } else {
            at.ends = false;
        }
        at
    }

    /// If the head of a `for` or `while` is all that a macro stands for (`FOR(i, n) body`): the macro's use.
    pub(super) fn loop_head_use(&self, cursor: Cursor<'tu>) -> Option<(File, u32, u32)> {
        let first = cursor.location();
        let (file, start) = first.expansion()?;
        let (defined, letters) = first.spelling()?;
        if (defined, letters) == (file, start) {
            return None;
        }
        let end = self.macros.end_of(file, start)?;
        let text = self.tu.contents(defined);
        let letters = letters as usize;
        let head_end = match cursor.kind() {
            CXCursor_ForStmt => lex::for_head(text, letters)?.end,
            CXCursor_WhileStmt if lex::word(text, letters) == b"while" => {
                let open = lex::skip_blanks(text, letters + 5);
                if text.get(open) != Some(&b'(') {
                    return None;
                }
                lex::closing(text, open)?
            }
            _ => return None,
        };
        self.is_replacement(text, letters, head_end, file, start)
            .then_some((file, start, end))
    }

    /// True for a `for` whose keyword is the first token of what the macro used at its place stands for.
    fn begins_use(&mut self, cursor: Cursor<'tu>) -> bool {
        let first = cursor.location();
        let (Some((file, start)), Some((defined, letters))) = (first.expansion(), first.spelling()) else {
            return false;
        };
        cursor.kind() == CXCursor_ForStmt
            && (defined, letters) != (file, start)
            && self.macros.end_of(file, start).is_some()
            && self.use_begins_at(file, start, defined, letters)
            && self.is_first_loop(cursor, file, start)
    }

    /// True for the first `for` in the function that comes out of the macro use at `start`: the same letters of a
    /// definition may make several.
    fn is_first_loop(&mut self, cursor: Cursor<'tu>, file: File, start: u32) -> bool {
        if self.first_loops.is_none() {
            let mut first = std::collections::HashMap::new();
            let mut open: Vec<Cursor<'tu>> = self.function_body.into_iter().collect();
            while let Some(next) = open.pop() {
                if next.kind() == CXCursor_ForStmt
                    && let location = next.location()
                    && location.in_macro()
                    && let Some(place) = location.expansion()
                {
                    first.entry(place).or_insert(next.key());
                }
                open.extend(next.children().into_iter().rev());
            }
            self.first_loops = Some(first);
        }
        let first = self
            .first_loops
            .as_ref()
            .and_then(|first| first.get(&(file, start)));
        first == Some(&cursor.key())
    }

    /// Ends a loop that begins with a macro's use where that use ends, if it is the one statement that the macro stands
    /// for.
    fn end_with_use(&mut self, at: &mut At, file: File) {
        let (Some(end), Some(statement)) = (
            self.macros.end_of(file, at.start),
            self.use_is_statement(file, at.start),
        ) else {
            return;
        };
        at.end = end;
        at.ends = statement.complete;
        if !statement.complete {
            let text = self.tu.contents(file);
            let semicolon = lex::skip_blanks(text, end as usize);
            if text.get(semicolon) == Some(&b';') {
                at.end = semicolon as u32 + 1;
                at.ends = true;
            }
        }
    }

    /// The origin of a statement.
    pub(super) fn statement_origin(&mut self, cursor: Cursor<'tu>) -> Origin {
        let at = self.statement_at(cursor);
        self.origin(at)
    }
}

impl Node<'_> {
    /// True for an implicit conversion.
    pub fn is_conversion(&self) -> bool {
        self.kind == CXCursor_UnexposedExpr && self.unexposed() == Unexposed::Conversion
    }
}
