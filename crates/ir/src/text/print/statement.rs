//! How are statements written? One to a line; the parts of a loop's head on the line of the loop.

use super::Printer;
use crate::{Callee, Expr, HeadPart, LabelId, Loop, LoopKind, Place, Stmt, StmtKind};

impl Printer<'_> {
    /// A statement. With `closed`, an `if` at its end that has no `else` says so (`else none`), because an
    /// `else` of something around it follows.
    pub(super) fn statement(&mut self, statement: &Stmt, closed: bool) {
        self.marked(statement);
        match &statement.kind {
            StmtKind::Block { body, scope } => {
                self.put(if *scope { "{" } else { "sequence {" });
                self.lines(body);
                self.put("}");
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.put("if (");
                self.expression(condition, 0);
                self.put(")");
                self.sub_statement(then, closed || otherwise.is_some());
                match otherwise {
                    Some(otherwise) => {
                        if is_braces(then) {
                            self.put(" ");
                        } else {
                            self.line();
                        }
                        self.put("else");
                        if matches!(otherwise.kind, StmtKind::If { .. }) {
                            self.put(" ");
                            self.statement(otherwise, closed);
                        } else {
                            self.sub_statement(otherwise, closed);
                        }
                    }
                    None if closed => {
                        if is_braces(then) {
                            self.put(" ");
                        } else {
                            self.line();
                        }
                        self.put("else none");
                    }
                    None => {}
                }
            }
            StmtKind::Loop(l) => self.loop_(l, closed),
            StmtKind::Switch { value, body } => {
                self.put("switch (");
                self.expression(value, 0);
                self.put(")");
                self.sub_statement(body, closed);
            }
            StmtKind::Directive { directive, body } => {
                self.directive(directive);
                match body {
                    Some(body) => {
                        self.put(" :");
                        self.sub_statement(body, closed);
                    }
                    None => self.put(";"),
                }
            }
            StmtKind::Case { low, high } if low == high => self.put(&format!("case {low}:")),
            StmtKind::Case { low, high } => self.put(&format!("case {low} ... {high}:")),
            StmtKind::Default => self.put("default:"),
            simple => {
                self.simple(simple);
                self.put(";");
            }
        }
    }

    /// The number and the origin, in brackets, if wanted.
    fn marked(&mut self, statement: &Stmt) {
        let options = self.options;
        if options.statement_ids || options.origins {
            self.put("[");
            if options.statement_ids {
                self.put(&statement.id.0.to_string());
            }
            self.origin(statement.origin);
            self.put("] ");
        }
    }

    /// Statements on lines of their own, one level deeper.
    pub(super) fn lines(&mut self, statements: &[Stmt]) {
        self.indent += 1;
        for statement in statements {
            self.line();
            self.statement(statement, false);
        }
        self.indent -= 1;
        if !statements.is_empty() {
            self.line();
        }
    }

    /// The statement under an `if` or loop: on the same line if it is in braces.
    fn sub_statement(&mut self, statement: &Stmt, closed: bool) {
        if is_braces(statement) {
            self.put(" ");
            self.statement(statement, closed);
        } else {
            self.indent += 1;
            self.line();
            self.statement(statement, closed);
            self.indent -= 1;
        }
    }

    /// Statements without structure, without the `;`.
    fn simple(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Assign { place, value } => {
                self.place(place, 0);
                self.put(" = ");
                self.expression(value, 0);
            }
            StmtKind::Zero { place } => {
                self.put("zero ");
                self.place(place, 0);
            }
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => self.call(result.as_ref(), callee, arguments),
            StmtKind::Declare { local } => {
                self.put("declare ");
                self.name(|p| &p.local_names.locals, local.0);
            }
            StmtKind::Break => self.put("break"),
            StmtKind::Continue => self.put("continue"),
            StmtKind::Return(None) => self.put("return"),
            StmtKind::Return(Some(value)) => {
                self.put("return ");
                self.expression(value, 0);
            }
            StmtKind::Goto(label) => {
                self.put("goto ");
                self.label(*label);
            }
            StmtKind::Label(label) => {
                self.put("label ");
                self.label(*label);
            }
            StmtKind::Opaque {
                why,
                mentions,
                escapes,
                jumps,
            } => {
                self.put("opaque ");
                self.quoted(why);
                self.put(" (");
                self.list(mentions, ", ", |p, mention| p.expression(mention, 0));
                self.put(")");
                self.put(if *escapes { " escapes" } else { "" });
                self.put(if *jumps { " jumps" } else { "" });
            }
            StmtKind::Empty => self.put("empty"),
            StmtKind::Block { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Directive { .. } => {} // `statement` writes these
        }
    }

    fn label(&mut self, label: LabelId) {
        self.name(|p| &p.local_names.labels, label.0);
    }

    fn call(&mut self, result: Option<&Place>, callee: &Callee, arguments: &[Expr]) {
        if let Some(place) = result {
            self.place(place, 0);
            self.put(" = ");
        }
        self.put("call ");
        match callee {
            Callee::Function(function) => self.name(|p| &p.names.functions, function.0),
            Callee::Pointer(pointer) => {
                self.put("*(");
                self.expression(pointer, 0);
                self.put(")");
            }
        }
        self.put("(");
        self.list(arguments, ", ", |p, argument| p.expression(argument, 0));
        self.put(")");
    }

    fn loop_(&mut self, l: &Loop, closed: bool) {
        match l.kind {
            LoopKind::For => self.put("for"),
            LoopKind::While => self.put("while"),
            LoopKind::Do => self.put("do"),
        }
        if self.options.origins {
            if let Some(keyword) = l.keyword {
                self.put(" ");
                self.span(keyword);
            }
            if let Some(spans) = l.spans {
                self.put(" parts");
                for span in [spans.keyword, spans.head, spans.body] {
                    self.put(" ");
                    self.span(span);
                }
            }
        }
        if let Some(part) = l.refused {
            self.put(match part {
                HeadPart::First => " refused first",
                HeadPart::Condition => " refused condition",
                HeadPart::Last => " refused last",
                HeadPart::Variable => " refused variable",
            });
        }
        if l.kind == LoopKind::Do {
            self.sub_statement(&l.body, false);
            if is_braces(&l.body) {
                self.put(" ");
            } else {
                self.line();
            }
            self.put("while");
        }
        self.put(" (");
        // Only a `for` has a first and a last part; a broken loop shows them all the same.
        let three = l.kind == LoopKind::For || !l.init.is_empty() || !l.step.is_empty();
        if three {
            self.inline(&l.init);
            self.put(";");
        }
        if !l.before_test.is_empty() {
            if three {
                self.put(" ");
            }
            self.put("{");
            for statement in &l.before_test {
                self.put(" ");
                self.statement(statement, false);
            }
            self.put(" }");
        }
        if let Some(condition) = &l.condition {
            if three || !l.before_test.is_empty() {
                self.put(" ");
            }
            self.expression(condition, 0);
        }
        if three {
            self.put(";");
            if !l.step.is_empty() {
                self.put(" ");
            }
            self.inline(&l.step);
        }
        self.put(")");
        if l.kind == LoopKind::Do {
            self.put(";");
        } else {
            self.sub_statement(&l.body, closed);
        }
    }

    /// Statements with commas between, without the `;` of the simple ones.
    fn inline(&mut self, statements: &[Stmt]) {
        self.list(statements, ", ", |p, statement| {
            let before = p.out.len();
            p.statement(statement, true);
            if !has_structure(&statement.kind) && p.out[before..].ends_with(';') {
                p.out.pop();
            }
        });
    }
}

/// True for a block, whose brace stays on the line.
fn is_braces(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Block { .. })
}

/// True for the statements that [`Printer::simple`] does not write.
fn has_structure(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Block { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Directive { .. }
    )
}
