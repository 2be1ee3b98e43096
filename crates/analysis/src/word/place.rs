//! Where in a program does a comment stand, and which variables do the names in it mean there?
//!
//! A comment speaks of the statement that follows it directly: between them are blanks, other comments and pragmas only.
//! In front of a function's definition it speaks of the function.
//!
//! What it cannot do: code that was not understood, and code of branches that are not compiled; comments there mean nothing.

use crate::effects::linked;
use ferry_directive::Language;
use ferry_ir::{Function, FunctionRef, LocalId, Stmt, StmtId, StmtKind, Unit, VariableKind};
use ferry_source::{FileId, Preprocessor};
use std::collections::BTreeMap;
use std::ops::Range;

/// Variables by their names.
pub type Names = BTreeMap<String, LocalId>;

/// The place of a comment.
#[derive(Debug)]
pub enum Place<'a> {
    /// Before a function's definition, or before its body.
    Entry(FunctionRef),
    /// Before a statement, where these names mean these variables.
    Before {
        /// The function.
        function: FunctionRef,
        /// The statement.
        stmt: &'a Stmt,
        /// The names.
        names: Names,
    },
    /// Inside a function, but not directly before a statement.
    Nowhere,
    /// In code that is not compiled, or was not understood.
    Skipped,
}

/// A statement behind a comment that is no loop: true if the next loop is in a kernel already, as in text that was annotated before, where
/// tests and declarations stand between.
pub fn is_annotated(unit: &Unit, text: &Text<'_>, comment: &Range<usize>) -> bool {
    let mut first: Option<(u32, bool)> = None;
    for (_, function) in unit.functions() {
        let around = function.origin.span().is_some_and(|span| {
            span.file == text.file && span.start as usize <= comment.start && comment.end <= span.end as usize
        });
        if let Some(body) = function.body.as_ref().filter(|_| around) {
            next_loop(body, false, text.file, comment, &mut first);
        }
    }
    first.is_some_and(|(_, in_kernel)| in_kernel)
}

fn next_loop(
    stmt: &Stmt,
    in_kernel: bool,
    file: FileId,
    comment: &Range<usize>,
    first: &mut Option<(u32, bool)>,
) {
    let mut in_kernel = in_kernel;
    match &stmt.kind {
        StmtKind::Directive { directive, .. } => {
            in_kernel |= directive.language == Language::OpenAcc || directive.name.starts_with("target");
        }
        StmtKind::Loop(_) => {
            let start = stmt
                .origin
                .span()
                .filter(|span| span.file == file)
                .map(|span| span.start);
            if let Some(start) = start.filter(|start| *start as usize >= comment.end)
                && first.is_none_or(|(other, _)| start < other)
            {
                *first = Some((start, in_kernel));
            }
        }
        _ => {}
    }
    for child in stmt.children() {
        next_loop(child, in_kernel, file, comment, first);
    }
}

/// A file as it is searched.
pub struct Text<'a> {
    /// Which.
    pub file: FileId,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its conditional groups.
    pub preprocessor: &'a Preprocessor,
}

/// Finds the place of a comment in a unit; `None` if it is inside no function and before none.
pub fn place<'a>(unit: &'a Unit, text: &Text<'_>, comment: &Range<usize>) -> Option<Place<'a>> {
    let start_of = |function: &Function| {
        let span = function.origin.span().filter(|span| span.file == text.file)?;
        Some((span.start as usize, span.end as usize))
    };
    let defined = || unit.functions().filter(|(_, function)| function.body.is_some());
    for (id, function) in defined() {
        let Some((start, end)) = start_of(function) else {
            continue;
        };
        if start <= comment.start && comment.end <= end {
            return Some(inside(id, function, text, comment));
        }
    }
    let next = defined()
        .filter_map(|(id, function)| Some((start_of(function)?.0, id)))
        .filter(|(start, _)| *start >= comment.end)
        .min()?;
    // A comment in a group that ends before the function may be compiled or not; one in a macro never is.
    let (start, preprocessor) = (comment.start as u32, text.preprocessor);
    let is_in_macro = preprocessor
        .inside(start)
        .is_some_and(|line| line.keyword == "define");
    if is_in_macro || !preprocessor.is_compiled_with(start, next.0 as u32) {
        return Some(Place::Skipped);
    }
    let between = between(text, comment.end..next.0);
    (!between.iter().any(|byte| matches!(byte, b';' | b'{' | b'}'))).then_some(Place::Entry(next.1))
}

fn inside<'a>(id: FunctionRef, function: &'a Function, text: &Text<'_>, comment: &Range<usize>) -> Place<'a> {
    let Some(body) = &function.body else {
        return Place::Nowhere;
    };
    let mut search = Search {
        function,
        text,
        comment,
        best: None,
        skipped: false,
        compiled: false,
    };
    search.visit(body, &parameters(function));
    if !search.compiled || search.skipped {
        return Place::Skipped;
    }
    match search.best {
        Some((start, stmt, names)) if is_clear(&between(text, comment.end..start)) => {
            if stmt.id == body.id {
                return Place::Entry(id);
            }
            Place::Before {
                function: id,
                stmt,
                names,
            }
        }
        _ => Place::Nowhere,
    }
}

/// The parameters by their names.
pub fn parameters(function: &Function) -> Names {
    let own = function
        .locals
        .iter()
        .zip(0u32..)
        .take(function.parameters as usize);
    own.map(|(local, number)| (local.name.clone(), LocalId(number)))
        .collect()
}

/// What stands between a comment and what follows, without comments and lines of pragmas.
fn between(text: &Text<'_>, range: Range<usize>) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut at = range.start;
    for line in text
        .preprocessor
        .lines_within(range.start as u32, range.end as u32)
    {
        if line.keyword == "pragma" && (line.start as usize) >= at {
            kept.extend_from_slice(text.bytes.get(at..line.start as usize).unwrap_or_default());
            at = (line.end as usize).min(range.end);
        }
    }
    kept.extend_from_slice(text.bytes.get(at..range.end).unwrap_or_default());
    linked::code(&kept)
}

fn is_clear(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

/// The loop that a comment is in front of: directives may stand between.
pub fn loop_of(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::Loop(_) => Some(stmt),
        StmtKind::Directive { body: Some(body), .. } => loop_of(body),
        StmtKind::Block { body, scope: false } => match body.as_slice() {
            [only] => loop_of(only),
            _ => None,
        },
        _ => None,
    }
}

/// Its number.
pub fn loop_id(stmt: &Stmt) -> Option<StmtId> {
    loop_of(stmt).map(|stmt| stmt.id)
}

struct Search<'a, 't> {
    function: &'a Function,
    text: &'t Text<'t>,
    comment: &'t Range<usize>,
    /// The first statement behind the comment: its first byte, and the names there.
    best: Option<(usize, &'a Stmt, Names)>,
    /// The comment is in code that was not understood.
    skipped: bool,
    /// Statements of the comment's branch are in the program.
    compiled: bool,
}

impl<'a> Search<'a, '_> {
    fn visit(&mut self, stmt: &'a Stmt, names: &Names) {
        if let Some(span) = stmt.origin.span().filter(|span| span.file == self.text.file) {
            let (start, end) = (span.start as usize, span.end as usize);
            let branch = |at: usize| self.text.preprocessor.branch(at as u32);
            self.compiled |= branch(start) == branch(self.comment.start);
            if start >= self.comment.end && self.best.as_ref().is_none_or(|best| start < best.0) {
                self.best = Some((start, stmt, names.clone()));
            }
            let around = start <= self.comment.start && self.comment.end <= end;
            self.skipped |= around && matches!(stmt.kind, StmtKind::Opaque { .. });
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => {
                let mut names = names.clone();
                for stmt in body {
                    self.visit(stmt, &names);
                    self.declared(stmt, &mut names);
                }
            }
            StmtKind::Loop(inner) => {
                let mut names = names.clone();
                for stmt in &inner.init {
                    self.visit(stmt, &names);
                    self.declared(stmt, &mut names);
                }
                self.visit(&inner.body, &names);
            }
            _ => {
                for child in stmt.children() {
                    self.visit(child, names);
                }
            }
        }
    }

    /// What a statement declares for those behind it; one C statement may have become several.
    fn declared(&self, stmt: &Stmt, names: &mut Names) {
        match &stmt.kind {
            StmtKind::Declare { local } => {
                let variable = self.function.local(*local);
                if variable.kind == VariableKind::Local {
                    names.insert(variable.name.clone(), *local);
                }
            }
            StmtKind::Block { body, scope: false } => {
                for stmt in body {
                    self.declared(stmt, names);
                }
            }
            _ => {}
        }
    }
}
