//! What does a C statement become? Trees of statements, with the effects of its expressions before it.

use super::node::Node;
use super::{Lower, Lowered, lex};
use crate::clang::{Constant, Cursor};
use clang_sys::*;
use ferry_ir::*;
use ferry_source::{Origin, Span};
use std::collections::HashSet;

pub fn is_expression(kind: CXCursorKind) -> bool {
    (100..200).contains(&kind)
}

impl<'tu> Lower<'tu, '_> {
    /// Adds what a statement becomes: one statement, or for labels the position and what follows.
    pub(super) fn statement(&mut self, cursor: Cursor<'tu>) {
        let kind = cursor.kind();
        if matches!(kind, CXCursor_IfStmt | CXCursor_CompoundStmt) && self.probe(cursor) {
            return;
        }
        if kind == CXCursor_DeclStmt && crate::rounds::is_guard(cursor) {
            return;
        }
        let origin = self.statement_origin(cursor);
        let outer = self.body.origin.replace(origin);
        let ((), mut made) = self.capture(|lower| lower.statement_inside(cursor, kind, origin));
        self.body.origin = outer;
        if matches!(
            kind,
            CXCursor_LabelStmt | CXCursor_CaseStmt | CXCursor_DefaultStmt
        ) {
            self.body.sink.append(&mut made);
        } else {
            let made = self.block(made, origin);
            self.body.sink.push(made);
        }
    }

    /// A statement as one statement.
    pub(super) fn single(&mut self, cursor: Cursor<'tu>) -> Stmt {
        let ((), made) = self.capture(|lower| lower.statement(cursor));
        let origin = match made.as_slice() {
            [only] => only.origin,
            _ => self.statement_origin(cursor),
        };
        self.block(made, origin)
    }

    fn statement_inside(&mut self, cursor: Cursor<'tu>, kind: CXCursorKind, origin: Origin) {
        let children = match kind {
            CXCursor_DeclStmt | CXCursor_GotoStmt | CXCursor_AsmStmt => Vec::new(),
            kind if is_expression(kind) => Vec::new(),
            _ => cursor.children(),
        };
        let is_part = |cursor: &Cursor<'tu>| (100..300).contains(&cursor.kind());
        match (kind, children.as_slice()) {
            (CXCursor_CompoundStmt, statements) => {
                let ((), body) = self.capture(|lower| {
                    for statement in statements {
                        lower.statement(*statement);
                    }
                });
                self.body.sink.push(Stmt {
                    id: StmtId(0),
                    kind: StmtKind::Block { body, scope: true },
                    origin,
                });
            }
            (CXCursor_DeclStmt, _) => {
                let declared = cursor.children();
                for declaration in &declared {
                    self.attempt(cursor, |lower| lower.local_declaration(*declaration));
                }
                // What leaves no trace in the program (types, assertions) still stands between two heads of loops, which no directive takes together then.
                if !declared.iter().all(|one| one.kind() == CXCursor_VarDecl) || declared.is_empty() {
                    self.emit(StmtKind::Empty);
                }
            }
            (CXCursor_NullStmt, []) => self.emit(StmtKind::Empty),
            (CXCursor_IfStmt, [condition, then]) if is_part(condition) => {
                let condition = self.condition(*condition);
                let then = Box::new(self.single(*then));
                self.emit(StmtKind::If {
                    condition,
                    then,
                    otherwise: None,
                });
            }
            (CXCursor_IfStmt, [condition, then, otherwise]) if is_part(condition) => {
                let condition = self.condition(*condition);
                let then = Box::new(self.single(*then));
                let otherwise = Some(Box::new(self.single(*otherwise)));
                self.emit(StmtKind::If {
                    condition,
                    then,
                    otherwise,
                });
            }
            (CXCursor_ForStmt | CXCursor_WhileStmt | CXCursor_DoStmt, _) => {
                self.attempt(cursor, |lower| lower.loop_statement(cursor, kind, &children));
            }
            (CXCursor_SwitchStmt, [value, body]) => {
                let value = self.condition(*value);
                self.body.switches.push(value.ty);
                let body = Box::new(self.single(*body));
                self.body.switches.pop();
                self.emit(StmtKind::Switch { value, body });
            }
            (CXCursor_CaseStmt, [low, statement]) => self.case(cursor, *low, *low, *statement),
            (CXCursor_CaseStmt, [low, high, statement]) => self.case(cursor, *low, *high, *statement),
            (CXCursor_DefaultStmt, [statement]) => {
                self.emit(StmtKind::Default);
                self.statement(*statement);
            }
            (CXCursor_LabelStmt, [statement]) => {
                let label = self.label(cursor.spelling());
                self.emit(StmtKind::Label(label));
                self.statement(*statement);
            }
            (CXCursor_GotoStmt, _) => match cursor.children().as_slice() {
                [target] if target.kind() == CXCursor_LabelRef => {
                    let label = self.label(target.spelling());
                    self.emit(StmtKind::Goto(label));
                }
                _ => self.opaque(cursor, "a goto without label".into()),
            },
            (CXCursor_BreakStmt, _) => self.emit(StmtKind::Break),
            (CXCursor_ContinueStmt, _) => self.emit(StmtKind::Continue),
            (CXCursor_ReturnStmt, []) => self.emit(StmtKind::Return(None)),
            (CXCursor_ReturnStmt, [value]) => self.attempt(cursor, |lower| lower.return_value(*value)),
            (CXCursor_AsmStmt, _) => self.opaque(cursor, "inline assembly".into()),
            (CXCursor_IndirectGotoStmt, _) => self.opaque(cursor, "a computed goto".into()),
            (CXCursor_UnexposedStmt, parts) => {
                match parts.iter().filter(|part| is_part(part)).collect::<Vec<_>>()[..] {
                    [only] => self.statement(*only), // a statement with an attribute
                    _ => self.opaque(cursor, "a statement that libclang does not expose".into()),
                }
            }
            (kind, _) if is_expression(kind) => {
                let node = self.node(cursor);
                self.attempt(cursor, |lower| lower.full_effect(&node));
            }
            (kind, _) => {
                self.opaque(
                    cursor,
                    format!("a statement of a form that is not modelled (libclang's kind {kind})"),
                );
            }
        }
    }

    /// A full expression for its effects.
    pub(super) fn full_effect(&mut self, node: &Node<'tu>) -> Lowered<()> {
        if self.is_unsequenced(node) {
            return Err("unsequenced effects".into());
        }
        self.effect(node)
    }

    /// Runs `work`; if it fails, takes back what it emitted and leaves an opaque statement.
    pub(super) fn attempt(&mut self, cursor: Cursor<'tu>, work: impl FnOnce(&mut Self) -> Lowered<()>) {
        let (done, mut made) = self.capture(work);
        match done {
            Ok(()) => self.body.sink.append(&mut made),
            Err(why) => {
                // A variable whose declaration failed half-way still has to begin its life, and its lengths are known.
                made.retain(|made| match &made.kind {
                    StmtKind::Declare { .. } => true,
                    StmtKind::Assign { place, .. } => self.is_extent(place),
                    _ => false,
                });
                self.body.sink.append(&mut made);
                self.opaque(cursor, why);
            }
        }
    }

    fn is_extent(&self, place: &Place) -> bool {
        match place.as_variable() {
            Some(VariableRef::Local(local)) => self
                .body
                .locals
                .get(local.0 as usize)
                .is_some_and(|local| local.kind == VariableKind::Extent),
            _ => false,
        }
    }

    /// An opaque statement in place of `cursor`.
    pub(super) fn opaque(&mut self, cursor: Cursor<'tu>, why: String) {
        let (mentions, jumps) = self.mentions(cursor);
        let jumps = jumps || why == MAY_RETURN_TWICE;
        self.emit(StmtKind::Opaque {
            why,
            mentions,
            escapes: true,
            jumps,
        });
    }

    /// The variables that are named below a cursor, and whether there is a jump.
    fn mentions(&mut self, cursor: Cursor<'tu>) -> (Vec<Expr>, bool) {
        let mut seen = HashSet::new();
        let mut mentions = Vec::new();
        let mut jumps = false;
        let mut waiting = vec![cursor];
        while let Some(cursor) = waiting.pop() {
            match cursor.kind() {
                CXCursor_DeclRefExpr => {
                    if let Some(declaration) = cursor.referenced()
                        && matches!(declaration.kind(), CXCursor_VarDecl | CXCursor_ParmDecl)
                        && seen.insert(declaration.key())
                    {
                        let node = self.node(cursor);
                        if let Ok(value) = self.place(&node).and_then(|place| self.value_of(place)) {
                            mentions.push(value);
                        }
                    }
                }
                CXCursor_GotoStmt
                | CXCursor_IndirectGotoStmt
                | CXCursor_ReturnStmt
                | CXCursor_BreakStmt
                | CXCursor_ContinueStmt => jumps = true,
                CXCursor_AsmStmt => jumps |= self.has_word(cursor, &[b"goto"]).unwrap_or(true),
                _ => {}
            }
            let mut children = cursor.children();
            children.reverse();
            waiting.append(&mut children);
        }
        (mentions, jumps)
    }

    /// Does a word occur in the text of a cursor? `None` if the text is not in one piece.
    pub(super) fn has_word(&self, cursor: Cursor<'tu>, words: &[&[u8]]) -> Option<bool> {
        let (start, end) = cursor.extent();
        let ((file, start), (end_file, end)) = (start.spelling()?, end.spelling()?);
        if file != end_file || start >= end {
            return None;
        }
        let text = self.tu.contents(file).get(start as usize..end as usize)?;
        let mut at = lex::skip_blanks(text, 0);
        while at < text.len() {
            let end = lex::token_end(text, at).max(at + 1);
            if words.contains(&text.get(at..end)?) {
                return Some(true);
            }
            at = lex::skip_blanks(text, end);
        }
        Some(false)
    }

    /// A condition or switch value: scalar, its effects emitted before. What is not understood is an opaque value.
    pub(super) fn condition(&mut self, cursor: Cursor<'tu>) -> Expr {
        let node = self.node(cursor);
        let (value, mut made) = self.capture(|lower| {
            if lower.is_unsequenced(&node) {
                return Err("unsequenced effects".to_owned());
            }
            lower.scalar(&node)
        });
        match value {
            Ok(value) => {
                self.body.sink.append(&mut made);
                value
            }
            Err(why) => {
                if node.effects > 0 {
                    self.opaque(cursor, why.clone());
                }
                let (mentions, _) = self.mentions(cursor);
                let origin = self.origin_of(&node);
                let ty = self.int();
                Expr {
                    kind: ExprKind::Opaque { why, mentions },
                    ty,
                    origin,
                }
            }
        }
    }

    fn case(&mut self, cursor: Cursor<'tu>, low: Cursor<'tu>, high: Cursor<'tu>, statement: Cursor<'tu>) {
        let (Some(Constant::Int(low)), Some(Constant::Int(high))) = (low.evaluate(), high.evaluate()) else {
            self.opaque(cursor, "a case whose value the compiler does not tell".into());
            return;
        };
        let (low, high) = match self.body.switches.last() {
            Some(&ty) => (self.wrap(low, ty), self.wrap(high, ty)),
            None => (low, high),
        };
        self.emit(StmtKind::Case { low, high });
        self.statement(statement);
    }

    fn label(&mut self, name: String) -> LabelId {
        let number = match self.body.labels.iter().position(|known| *known == name) {
            Some(number) => number,
            None => {
                self.body.labels.push(name);
                self.body.labels.len() - 1
            }
        };
        LabelId(number as u32)
    }

    fn return_value(&mut self, value: Cursor<'tu>) -> Lowered<()> {
        let node = self.node(value);
        if node.cursor.ty().canonical().kind() == CXType_Void {
            self.full_effect(&node)?;
            self.emit(StmtKind::Return(None));
            return Ok(());
        }
        if self.is_unsequenced(&node) {
            return Err("unsequenced effects".into());
        }
        let value = self.rvalue(&node)?;
        let function = self.inside.ok_or("a return outside of a function")?;
        let Type::Function { result, .. } = *self.types.get(self.functions[function.0 as usize].ty) else {
            return Err("a return outside of a function".into());
        };
        let value = self.convert(value, result)?;
        self.emit(StmtKind::Return(Some(value)));
        Ok(())
    }

    /// If the statement is the probe of a directive, lowers the directive and what it governs.
    fn probe(&mut self, cursor: Cursor<'tu>) -> bool {
        let in_macro = cursor.location().in_macro();
        let probe = if in_macro {
            crate::rounds::defined_probe(cursor)
                .and_then(|(tag, number)| self.pragmas.defined(tag, number).cloned())
        } else {
            cursor.location().expansion().and_then(|(file, start)| {
                let file = self.file_id(file)?;
                self.pragmas.probe(file, start).cloned()
            })
        };
        let Some(probe) = probe else {
            return false;
        };
        let children = cursor.children();
        let mut operands = Vec::new();
        for child in children
            .iter()
            .take(if probe.governs { 1 } else { children.len() })
        {
            let node = self.node(*child);
            self.probe_operands(&node, &mut operands);
        }
        let body = match children.as_slice() {
            [_, _, governed] if probe.governs => Some(Box::new(self.single(*governed))),
            _ => None,
        };
        if in_macro && !operands.is_empty() {
            operands.remove(0);
        }
        let Some(directive) = self.pragmas.directive(probe.number, operands) else {
            if let Some(body) = body {
                self.body.sink.push(*body);
            }
            return true;
        };
        // In a macro the text is that of the use, as of all that comes out of it.
        let in_text = || match body.as_ref().and_then(|body| body.origin.span()) {
            Some(body) => probe.span.join(Span {
                start: body.start.max(probe.span.end),
                ..body
            }),
            None => Some(probe.span),
        };
        let origin = if in_macro {
            self.statement_origin(cursor)
        } else {
            in_text().map_or(Origin::New, Origin::Text)
        };
        let kind = StmtKind::Directive {
            directive: Box::new(directive),
            body,
        };
        self.body.sink.push(Stmt {
            id: StmtId(0),
            kind,
            origin,
        });
        true
    }

    /// The operands of the casts to `void` in a probe.
    fn probe_operands(&mut self, node: &Node<'tu>, operands: &mut Vec<Expr>) {
        if node.kind == CXCursor_CStyleCastExpr
            && node.cursor.ty().canonical().kind() == CXType_Void
            && let Some(operand) = node.children.last()
        {
            let operand = self.probe_operand(operand);
            operands.push(operand);
            return;
        }
        for child in &node.children {
            self.probe_operands(child, operands);
        }
    }

    fn probe_operand(&mut self, node: &Node<'tu>) -> Expr {
        // In C even the operand of `(void)` is converted: an array decays, an object becomes its value.
        let inner = node.stripped();
        let locals = self.body.locals.len();
        let (value, made) = self.capture(|lower| {
            if lower.is_lvalue(inner) && !lower.is_function_name(inner) {
                let place = lower.place(inner)?;
                return Ok(super::load(place));
            }
            lower.rvalue(node.without_parentheses())
        });
        match value {
            Ok(value) if made.is_empty() => value,
            other => {
                // Its temporaries are gone with its statements.
                self.body.locals.truncate(locals);
                let why = other
                    .err()
                    .unwrap_or_else(|| "an expression with effects in a directive".into());
                let (mentions, _) = self.mentions(node.cursor);
                let origin = self.origin_of(node);
                let ty = self.int();
                Expr {
                    kind: ExprKind::Opaque { why, mentions },
                    ty,
                    origin,
                }
            }
        }
    }

    fn is_function_name(&self, node: &Node<'tu>) -> bool {
        node.kind == CXCursor_DeclRefExpr
            && node
                .cursor
                .referenced()
                .is_none_or(|declaration| !matches!(declaration.kind(), CXCursor_VarDecl | CXCursor_ParmDecl))
    }
}
