//! How is a unit read? In three rounds, because everything may be named before it is said: names; types of all variables
//! and functions; initial values and bodies.

use super::{Key, Parser, Result, Token};
use crate::{
    Expr, Field, Function, Global, GlobalId, Linkage, Local, Place, Projection, Qualifiers, Record, Type,
    VariableKind, VariableRef,
};
use ferry_source::{FileId, Origin};
use std::collections::HashMap;

/// What remains to be read of an item: where its body begins.
enum Rest {
    Global(usize),
    Function(usize),
}

impl Parser {
    pub(super) fn unit(&mut self) -> Result<()> {
        self.expect_word("unit")?;
        self.unit.file = FileId(self.unsigned()?);
        self.unit.dialect.wrapping = self.word("wrapping");
        self.unit.dialect.no_strict_aliasing = self.word("no_strict_aliasing");
        self.unit.dialect.complex_header = self.word("complex_header");
        self.unit.dialect.unsigned_char = self.word("unsigned_char");
        let items = self.at;
        self.names()?;
        self.at = items;
        let rest = self.headers()?;
        let (mut globals, mut functions) = (0, 0);
        for rest in rest {
            match rest {
                Rest::Global(at) => {
                    self.at = at;
                    self.initial(globals)?;
                    globals += 1;
                }
                Rest::Function(at) => {
                    self.at = at;
                    self.function_body(functions)?;
                    functions += 1;
                }
            }
        }
        Ok(())
    }

    fn at_end(&self) -> bool {
        *self.peek() == Token::End
    }

    /// Goes behind the bracket that closes the one that is next.
    fn skip_braces(&mut self) -> Result<()> {
        let mut depth = 0u32;
        loop {
            match self.next() {
                Token::Mark("{") => depth += 1,
                Token::Mark("}") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Token::End => {
                    self.at -= 1;
                    return self.error("`}` was expected");
                }
                _ => {}
            }
        }
    }

    /// Goes to the next `{` or `;`.
    fn skip_header(&mut self) -> Result<()> {
        while !self.is_mark("{") && !self.is_mark(";") {
            if self.at_end() {
                return self.error("`{` or `;` was expected");
            }
            self.at += 1;
        }
        Ok(())
    }

    fn skip_item(&mut self) -> Result<()> {
        self.skip_header()?;
        if self.mark(";") {
            Ok(())
        } else {
            self.skip_braces()
        }
    }

    fn names(&mut self) -> Result<()> {
        while !self.at_end() {
            let kind = self.keyword().to_owned();
            self.at += 1;
            if kind == "record" {
                self.at += 1; // struct or union
            }
            let table = |p: &mut Self| match kind.as_str() {
                "record" => Some(std::mem::take(&mut p.records)),
                "global" => Some(std::mem::take(&mut p.globals)),
                "function" => Some(std::mem::take(&mut p.functions)),
                _ => None,
            };
            let Some(mut names) = table(self) else {
                self.at -= 1;
                return self.error("`record`, `global` or `function` was expected");
            };
            self.new_name(&mut names)?;
            match kind.as_str() {
                "record" => self.records = names,
                "global" => self.globals = names,
                _ => self.functions = names,
            }
            self.skip_item()?;
        }
        Ok(())
    }

    fn new_name(&mut self, names: &mut HashMap<Key, u32>) -> Result<()> {
        let key = self.key()?;
        let number = names.len() as u32;
        if names.insert(key, number).is_some() {
            self.at -= 1;
            return self.error("this name is there twice");
        }
        Ok(())
    }

    fn headers(&mut self) -> Result<Vec<Rest>> {
        let mut rest = Vec::new();
        while !self.at_end() {
            if self.word("record") {
                self.record()?;
            } else if self.word("global") {
                self.global()?;
                rest.push(Rest::Global(self.at));
                self.skip_item()?;
            } else {
                self.expect_word("function")?;
                rest.push(Rest::Function(self.function_header()?));
            }
        }
        Ok(rest)
    }

    fn record(&mut self) -> Result<()> {
        let union = self.word("union");
        if !union {
            self.expect_word("struct")?;
        }
        let (name, _) = self.key()?;
        let origin = self.origin().unwrap_or(Origin::New);
        let complete = !self.word("incomplete");
        let (mut size, mut align) = (0, 0);
        if complete {
            self.expect_word("size")?;
            size = self.unsigned()?;
            self.expect_word("align")?;
            align = self.unsigned()?;
        }
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.mark("}") {
            let (name, _) = self.key()?;
            self.expect(":")?;
            let ty = self.ty()?;
            self.expect_word("at")?;
            let offset_bits = self.unsigned()?;
            let width = if self.word("width") {
                Some(self.unsigned()?)
            } else {
                None
            };
            let volatile = self.word("volatile");
            self.expect(";")?;
            fields.push(Field {
                name,
                ty,
                offset_bits,
                width,
                volatile,
            });
        }
        self.unit.types.records.push(Record {
            name,
            union,
            size,
            align,
            fields,
            complete,
            origin,
        });
        Ok(())
    }

    fn linkage(&mut self) -> Result<Linkage> {
        if self.word("internal") {
            return Ok(Linkage::Internal);
        }
        self.expect_word("external")?;
        Ok(Linkage::External)
    }

    fn qualifiers(&mut self) -> Qualifiers {
        Qualifiers {
            constant: self.word("const"),
            volatile: self.word("volatile"),
            restrict: self.word("restrict"),
            register: self.word("register"),
        }
    }

    fn global(&mut self) -> Result<()> {
        let (name, _) = self.key()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let global = Global {
            name,
            ty,
            linkage: self.linkage()?,
            defined: !self.word("undefined"),
            thread_local: self.word("thread_local"),
            renamed: self.word("renamed"),
            qualifiers: self.qualifiers(),
            string_literal: self.word("string_literal"),
            inside: if self.word("inside") {
                Some(self.function_ref()?)
            } else {
                None
            },
            origin: self.origin().unwrap_or(Origin::New),
            initial: Vec::new(),
        };
        self.unit.globals.push(global);
        Ok(())
    }

    fn initial(&mut self, number: usize) -> Result<()> {
        if self.mark(";") {
            return Ok(());
        }
        if self.word("text") {
            let text = self.text()?;
            self.expect(";")?;
            return self.characters(number, &text);
        }
        self.expect("{")?;
        let mut initial = Vec::new();
        while !self.mark("}") {
            let place = self.place()?;
            self.expect("=")?;
            initial.push((place, self.expression()?));
            self.expect(";")?;
        }
        if let Some(global) = self.unit.globals.get_mut(number) {
            global.initial = initial;
        }
        Ok(())
    }

    /// An array of characters that starts as `text`, whose characters stand for bytes.
    fn characters(&mut self, number: usize, text: &str) -> Result<()> {
        let long = self.intern(Type::Int {
            bits: 64,
            signed: true,
        });
        let Some(global) = self.unit.globals.get(number) else {
            return Ok(());
        };
        let (element, signed) = match self.unit.types.try_get(global.ty) {
            Some(Type::Array { element, .. }) => match self.unit.types.try_get(*element) {
                Some(Type::Int { bits: 8, signed }) => (*element, *signed),
                _ => return self.error("an array of other things than characters"),
            },
            _ => return self.error("something else than an array of characters"),
        };
        let mut whole = Place::variable(VariableRef::Global(GlobalId(number as u32)), element, Origin::New);
        let mut initial = Vec::new();
        for (at, c) in text.chars().enumerate() {
            let Ok(byte) = u8::try_from(c) else {
                return self.error("a character above 255");
            };
            let value = if signed {
                i128::from(byte.cast_signed())
            } else {
                i128::from(byte)
            };
            whole.path = vec![Projection::Index(Expr::int(at as i128, long))];
            initial.push((whole.clone(), Expr::int(value, element)));
        }
        if let Some(global) = self.unit.globals.get_mut(number) {
            global.initial = initial;
        }
        Ok(())
    }

    /// Names of the variables and labels of the function whose header begins here.
    fn local_names(&mut self) -> Result<()> {
        let start = self.at;
        self.skip_header()?;
        self.expect("{")?;
        let (mut locals, mut labels) = (HashMap::new(), HashMap::new());
        loop {
            let keyword = self.keyword().to_owned();
            match keyword.as_str() {
                "parameter" | "local" | "temporary" | "extent" => {
                    self.at += 1;
                    self.new_name(&mut locals)?;
                }
                "label" => {
                    self.at += 1;
                    self.new_name(&mut labels)?;
                }
                _ => break,
            }
            while !self.mark(";") {
                if self.at_end() {
                    return self.error("`;` was expected");
                }
                self.at += 1;
            }
        }
        (self.locals, self.labels) = (locals, labels);
        self.at = start;
        Ok(())
    }

    /// Reads up to the body, whose position it returns, and goes behind it.
    fn function_header(&mut self) -> Result<usize> {
        self.local_names()?;
        let (name, _) = self.key()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let mut function = Function {
            name,
            ty,
            linkage: self.linkage()?,
            inline: self.word("inline"),
            pure: self.word("pure"),
            noreturn: self.word("noreturn"),
            locals: Vec::new(),
            parameters: 0,
            labels: Vec::new(),
            statements: if self.word("statements") {
                self.unsigned()?
            } else {
                0
            },
            body: None,
            origin: self.origin().unwrap_or(Origin::New),
            name_span: None,
        };
        if self.word("name") {
            function.name_span = self.span();
        }
        let start = self.at;
        self.expect("{")?;
        loop {
            let kind = match self.keyword() {
                "parameter" => VariableKind::Parameter,
                "local" => VariableKind::Local,
                "temporary" => VariableKind::Temporary,
                "extent" => VariableKind::Extent,
                "label" => {
                    self.at += 1;
                    function.labels.push(self.key()?.0);
                    self.expect(";")?;
                    continue;
                }
                _ => break,
            };
            self.at += 1;
            let (name, _) = self.key()?;
            self.expect(":")?;
            let ty = self.ty()?;
            function.parameters += u32::from(kind == VariableKind::Parameter);
            function.locals.push(Local {
                name,
                ty,
                kind,
                qualifiers: self.qualifiers(),
                address_taken: self.word("address_taken"),
                origin: self.origin().unwrap_or(Origin::New),
            });
            self.expect(";")?;
        }
        self.unit.functions.push(function);
        self.at = start;
        self.skip_braces()?;
        Ok(start)
    }

    fn function_body(&mut self, number: usize) -> Result<()> {
        let Some(mut function) = self.unit.functions.get(number).cloned() else {
            return Ok(());
        };
        self.local_names()?;
        self.next_statement = 0;
        // Behind the variables, which were read with the header.
        self.expect("{")?;
        while matches!(
            self.keyword(),
            "parameter" | "local" | "temporary" | "extent" | "label"
        ) {
            while !self.mark(";") {
                self.at += 1;
            }
        }
        if self.word("body") {
            self.function = Some(function.clone());
            function.body = Some(self.statement(true)?);
            self.function = None;
        }
        self.expect("}")?;
        function.statements = function.statements.max(self.next_statement);
        if let Some(slot) = self.unit.functions.get_mut(number) {
            *slot = function;
        }
        Ok(())
    }
}
