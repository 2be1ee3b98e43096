//! What does a loop become? Its parts by role, and their places in the text.
//!
//! libclang lists the parts of a `for` that are there without saying which is which; the text of its head, read where
//! the keyword's letters are (in a `#define`, if the loop comes out of a macro), says which are empty.

use super::node::Node;
use super::{Lower, Lowered, heads, lex};
use crate::clang::Cursor;
use clang_sys::*;
use ferry_ir::*;

/// The expressions of a list without parentheses.
fn between_commas<'n, 'tu>(node: &'n Node<'tu>, list: &mut Vec<&'n Node<'tu>>) {
    let is_comma =
        node.kind == CXCursor_BinaryOperator && node.cursor.binary_operator() == CXBinaryOperator_Comma;
    match node.children.as_slice() {
        [a, b] if is_comma => {
            between_commas(a, list);
            between_commas(b, list);
        }
        _ => list.push(node),
    }
}

impl<'tu> Lower<'tu, '_> {
    pub(super) fn loop_statement(
        &mut self,
        cursor: Cursor<'tu>,
        kind: CXCursorKind,
        children: &[Cursor<'tu>],
    ) -> Lowered<()> {
        let (kind, init, condition, step, body) = match (kind, children) {
            (CXCursor_WhileStmt, [condition, body]) => (LoopKind::While, None, Some(*condition), None, *body),
            (CXCursor_DoStmt, [body, condition]) => (LoopKind::Do, None, Some(*condition), None, *body),
            (CXCursor_ForStmt, [init, condition, step, body]) => {
                (LoopKind::For, Some(*init), Some(*condition), Some(*step), *body)
            }
            (CXCursor_ForStmt, [parts @ .., body]) => {
                let (file, at) = cursor.location().spelling().ok_or("a loop out of nowhere")?;
                let head = lex::for_head(self.tu.contents(file), at as usize)
                    .ok_or("a for whose head is spelled in several macros")?;
                if head.parts.iter().filter(|part| **part).count() != parts.len() {
                    return Err("a for whose parts libclang does not tell apart".into());
                }
                let mut parts = parts.iter().copied();
                let mut part = |there: bool| if there { parts.next() } else { None };
                let [init, condition, step] = head.parts;
                (LoopKind::For, part(init), part(condition), part(step), *body)
            }
            _ => return Err("a loop of an unknown shape".into()),
        };
        let refused = match kind {
            LoopKind::For => heads::refused(self, init, condition, step),
            LoopKind::While | LoopKind::Do => None,
        };
        let init = match init {
            Some(init) => self.part(init),
            None => Vec::new(),
        };
        let (condition, before_test) =
            self.capture(|lower| condition.map(|condition| lower.condition(condition)));
        let step = match step {
            Some(step) => self.part(step),
            None => Vec::new(),
        };
        if init.iter().chain(&before_test).chain(&step).any(jumps) {
            return Err("a jump in the head of a loop".into());
        }
        let body_statement = self.single(body);
        let keyword = self.keyword(cursor, kind);
        let spans = self.loop_spans(cursor, kind, body);
        self.emit(StmtKind::Loop(Box::new(Loop {
            kind,
            init,
            before_test,
            condition,
            step,
            refused,
            body: body_statement,
            spans,
            keyword,
        })));
        Ok(())
    }

    /// The first or last part of a `for`: an expression or declarations.
    fn part(&mut self, part: Cursor<'tu>) -> Vec<Stmt> {
        let ((), made) = self.capture(|lower| {
            if part.kind() == CXCursor_DeclStmt {
                lower.statement(part);
                return;
            }
            let node = lower.node(part);
            let outer = lower.body.origin;
            // Each of several expressions behind commas has its own place: some may have to be taken out.
            let mut list = Vec::new();
            between_commas(&node, &mut list);
            lower.attempt(part, |lower| {
                list.iter().try_for_each(|one| {
                    lower.body.origin = Some(lower.origin(one.at));
                    lower.full_effect(one)
                })
            });
            lower.body.origin = outer;
        });
        made.into_iter()
            .flat_map(|made| match made.kind {
                StmtKind::Block { body, scope: false } => body,
                StmtKind::Empty => Vec::new(),
                kind => vec![Stmt { kind, ..made }],
            })
            .collect()
    }

    fn keyword(&mut self, cursor: Cursor<'tu>, kind: LoopKind) -> Option<ferry_source::Span> {
        let start = cursor.location();
        let (file, at) = start.expansion()?;
        let length = if start.in_macro() {
            lex::word(self.tu.contents(file), at as usize).len()
        } else {
            word(kind).len()
        };
        self.span(Some(file), at, at + length as u32)
    }

    /// The places of `FOR(i, n) body`, where a macro stands for the head and nothing else: keyword and head are the use.
    fn macro_head_spans(&mut self, cursor: Cursor<'tu>, body: Cursor<'tu>) -> Option<LoopSpans> {
        let (file, start, end) = self.loop_head_use(cursor)?;
        let whole = self.statement_at(cursor);
        let body = self.statement_at(body);
        if !whole.ends || !body.starts || !body.ends || body.file != Some(file) {
            return None;
        }
        let text = self.tu.contents(file);
        if lex::skip_blanks(text, end as usize) != body.start as usize {
            return None;
        }
        let name = lex::word(text, start as usize).len() as u32;
        Some(LoopSpans {
            keyword: self.span(Some(file), start, start + name)?,
            head: self.span(Some(file), start, end)?,
            body: self.span(Some(file), body.start, body.end)?,
        })
    }

    fn loop_spans(&mut self, cursor: Cursor<'tu>, kind: LoopKind, body: Cursor<'tu>) -> Option<LoopSpans> {
        let start = cursor.location();
        if start.in_macro() {
            return self.macro_head_spans(cursor, body);
        }
        let (file, at) = start.expansion()?;
        let text = self.tu.contents(file);
        if lex::word(text, at as usize) != word(kind) {
            return None;
        }
        let whole = self.statement_at(cursor);
        let body = self.statement_at(body);
        if !whole.starts || !whole.ends || !body.starts || !body.ends || body.file != Some(file) {
            return None;
        }
        let keyword_end = at as usize + word(kind).len();
        let head_end = match kind {
            LoopKind::Do => keyword_end,
            LoopKind::For | LoopKind::While => {
                let open = lex::skip_blanks(text, keyword_end);
                if text.get(open) != Some(&b'(') {
                    return None;
                }
                lex::closing(text, open)?
            }
        };
        // The parenthesis that was found must be the head's: the body follows it.
        if lex::skip_blanks(text, head_end) != body.start as usize {
            return None;
        }
        Some(LoopSpans {
            keyword: self.span(Some(file), at, keyword_end as u32)?,
            head: self.span(Some(file), at, head_end as u32)?,
            body: self.span(Some(file), body.start, body.end)?,
        })
    }
}

/// True if a statement has a jump or its target in it: statement expressions may.
fn jumps(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block { body, .. } => body.iter().any(jumps),
        StmtKind::If { then, otherwise, .. } => jumps(then) || otherwise.as_deref().is_some_and(jumps),
        StmtKind::Loop(_) | StmtKind::Switch { .. } => true, // rare there, and their own jumps are not told apart
        StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::Label(_)
        | StmtKind::Case { .. }
        | StmtKind::Default
        | StmtKind::Directive { .. } => true,
        _ => false,
    }
}

fn word(kind: LoopKind) -> &'static [u8] {
    match kind {
        LoopKind::For => b"for",
        LoopKind::While => b"while",
        LoopKind::Do => b"do",
    }
}
