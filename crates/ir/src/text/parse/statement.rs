//! How are statements read?

use super::{Parser, Result, Token};
use crate::{Callee, HeadPart, LabelId, LocalId, Loop, LoopKind, LoopSpans, Place, Stmt, StmtId, StmtKind};
use ferry_source::{Origin, Span};

impl Parser {
    /// A statement; `ended` says whether one without structure has a `;` at its end.
    pub(super) fn statement(&mut self, ended: bool) -> Result<Stmt> {
        self.deeper(|parser| parser.statement_inside(ended))
    }

    fn statement_inside(&mut self, ended: bool) -> Result<Stmt> {
        let (mut id, mut origin) = (self.next_statement, Origin::New);
        if self.mark("[") {
            if matches!(self.peek(), Token::Int(..)) {
                id = self.unsigned()?;
            }
            origin = self.origin().unwrap_or(Origin::New);
            self.expect("]")?;
        }
        self.next_statement = self.next_statement.max(id.saturating_add(1));
        let kind = match self.structured()? {
            Some(kind) => kind,
            None => {
                let kind = self.simple()?;
                if ended {
                    self.expect(";")?;
                }
                kind
            }
        };
        Ok(Stmt {
            id: StmtId(id),
            kind,
            origin,
        })
    }

    /// Statements up to a `}`.
    fn statements(&mut self) -> Result<Vec<Stmt>> {
        let mut body = Vec::new();
        while !self.mark("}") {
            body.push(self.statement(true)?);
        }
        Ok(body)
    }

    fn boxed(&mut self, ended: bool) -> Result<Box<Stmt>> {
        self.statement(ended).map(Box::new)
    }

    /// A statement that brings its own end; `None` if another one comes.
    fn structured(&mut self) -> Result<Option<StmtKind>> {
        if self.mark("{") {
            return Ok(Some(StmtKind::Block {
                body: self.statements()?,
                scope: true,
            }));
        }
        let keyword = self.keyword().to_owned();
        let start = self.at;
        self.at += 1;
        let kind = match keyword.as_str() {
            "sequence" => {
                self.expect("{")?;
                StmtKind::Block {
                    body: self.statements()?,
                    scope: false,
                }
            }
            "if" => {
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                let then = self.boxed(true)?;
                let mut otherwise = None;
                if self.word("else") && !self.word("none") {
                    otherwise = Some(self.boxed(true)?);
                }
                StmtKind::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            "for" => self.loop_(LoopKind::For)?,
            "while" => self.loop_(LoopKind::While)?,
            "do" => self.loop_(LoopKind::Do)?,
            "switch" => {
                self.expect("(")?;
                let value = self.expression()?;
                self.expect(")")?;
                StmtKind::Switch {
                    value,
                    body: self.boxed(true)?,
                }
            }
            "case" => {
                let low = self.signed()?;
                let high = if self.mark("...") { self.signed()? } else { low };
                self.expect(":")?;
                StmtKind::Case { low, high }
            }
            "default" => {
                self.expect(":")?;
                StmtKind::Default
            }
            "directive" => {
                let directive = Box::new(self.directive()?);
                let body = if self.mark(":") {
                    Some(self.boxed(true)?)
                } else {
                    self.expect(";")?;
                    None
                };
                StmtKind::Directive { directive, body }
            }
            _ => {
                self.at = start;
                return Ok(None);
            }
        };
        Ok(Some(kind))
    }

    fn simple(&mut self) -> Result<StmtKind> {
        let keyword = self.keyword().to_owned();
        let start = self.at;
        self.at += 1;
        Ok(match keyword.as_str() {
            "zero" => StmtKind::Zero { place: self.place()? },
            "call" => self.call(None)?,
            "declare" => StmtKind::Declare {
                local: LocalId(self.named("variable", |p| &p.locals)?),
            },
            "break" => StmtKind::Break,
            "continue" => StmtKind::Continue,
            "return" if self.is_mark(";") || self.is_mark(",") || self.is_mark(")") => StmtKind::Return(None),
            "return" => StmtKind::Return(Some(self.expression()?)),
            "goto" => StmtKind::Goto(self.label()?),
            "label" => StmtKind::Label(self.label()?),
            "empty" => StmtKind::Empty,
            "opaque" if matches!(self.peek(), Token::Text(_)) => {
                let why = self.text()?;
                self.expect("(")?;
                let mut mentions = Vec::new();
                while !self.mark(")") {
                    if !mentions.is_empty() {
                        self.expect(",")?;
                    }
                    mentions.push(self.expression()?);
                }
                let escapes = self.word("escapes");
                let jumps = self.word("jumps");
                StmtKind::Opaque {
                    why,
                    mentions,
                    escapes,
                    jumps,
                }
            }
            _ => {
                self.at = start;
                let place = self.place()?;
                self.expect("=")?;
                if self.word("call") {
                    self.call(Some(place))?
                } else {
                    StmtKind::Assign {
                        place,
                        value: self.expression()?,
                    }
                }
            }
        })
    }

    fn label(&mut self) -> Result<LabelId> {
        self.named("label", |p| &p.labels).map(LabelId)
    }

    fn call(&mut self, result: Option<Place>) -> Result<StmtKind> {
        let callee = if self.mark("*") {
            self.expect("(")?;
            let pointer = self.expression()?;
            self.expect(")")?;
            Callee::Pointer(pointer)
        } else {
            Callee::Function(self.function_ref()?)
        };
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.mark(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression()?);
        }
        Ok(StmtKind::Call {
            result,
            callee,
            arguments,
        })
    }

    pub(super) fn span(&mut self) -> Option<Span> {
        match self.origin() {
            Some(Origin::Text(span)) => Some(span),
            Some(_) => {
                self.at -= 1;
                None
            }
            None => None,
        }
    }

    fn expect_span(&mut self) -> Result<Span> {
        match self.span() {
            Some(span) => Ok(span),
            None => self.error("a place in a file was expected"),
        }
    }

    fn loop_(&mut self, kind: LoopKind) -> Result<StmtKind> {
        let keyword = self.span();
        let spans = if self.word("parts") {
            Some(LoopSpans {
                keyword: self.expect_span()?,
                head: self.expect_span()?,
                body: self.expect_span()?,
            })
        } else {
            None
        };
        let refused = match self.word("refused") {
            true if self.word("first") => Some(HeadPart::First),
            true if self.word("condition") => Some(HeadPart::Condition),
            true if self.word("variable") => Some(HeadPart::Variable),
            true => {
                self.expect_word("last")?;
                Some(HeadPart::Last)
            }
            false => None,
        };
        let first = if kind == LoopKind::Do {
            let body = self.statement(true)?;
            self.expect_word("while")?;
            Some(body)
        } else {
            None
        };
        self.expect("(")?;
        let mut init = Vec::new();
        if kind == LoopKind::For {
            init = self.inline(";")?;
            self.expect(";")?;
        }
        let before_test = if self.mark("{") {
            self.statements()?
        } else {
            Vec::new()
        };
        let end = if kind == LoopKind::For { ";" } else { ")" };
        let condition = if self.is_mark(end) {
            None
        } else {
            Some(self.expression()?)
        };
        let mut step = Vec::new();
        if kind == LoopKind::For {
            self.expect(";")?;
            step = self.inline(")")?;
        }
        self.expect(")")?;
        let body = match first {
            Some(body) => {
                self.expect(";")?;
                body
            }
            None => self.statement(true)?,
        };
        Ok(StmtKind::Loop(Box::new(Loop {
            kind,
            init,
            before_test,
            condition,
            step,
            refused,
            body,
            spans,
            keyword,
        })))
    }

    /// Statements with commas between, up to (not with) `end`.
    fn inline(&mut self, end: &str) -> Result<Vec<Stmt>> {
        let mut list = Vec::new();
        while !self.is_mark(end) {
            if !list.is_empty() {
                self.expect(",")?;
            }
            list.push(self.statement(false)?);
        }
        Ok(list)
    }
}
