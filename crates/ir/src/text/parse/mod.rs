//! Which program does a text stand for? The inverse of the printer: what it prints of a program that the verifier accepts
//! reads back as the same program (with other numbers of types).

mod directive;
mod expression;
mod statement;
mod types;
mod unit;

use super::lex::{ParseError, Token, lex};
use crate::{Dialect, Function, FunctionRef, Type, TypeId, Types, Unit};
use ferry_source::{FileId, Origin};
use std::collections::HashMap;

/// How deeply brackets and statements may nest: little enough that whoever walks over the program needs no large stack.
const MAX_DEPTH: u32 = 500;

/// Stack of the thread that reads; only what is used of it costs memory.
const STACK: usize = 256 << 20;

/// Reads a whole unit, as [`super::print_unit`] writes it.
///
/// # Errors
/// Where the text is not in the text form, names something that is not in it, or nests too deeply.
pub fn parse_unit(text: &str) -> Result<Unit> {
    let read = || {
        let mut parser = Parser::new(text)?;
        parser.unit()?;
        Ok(parser.unit)
    };
    let failed = ParseError {
        offset: 0,
        message: "no thread to read it".to_owned(),
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, read);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) => Err(failed),
        }
    })
}

/// The name of something, and the number that tells it from others.
type Key = (String, Option<u32>);

struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    unit: Unit,
    /// The function that is read.
    function: Option<Function>,
    records: HashMap<Key, u32>,
    globals: HashMap<Key, u32>,
    functions: HashMap<Key, u32>,
    locals: HashMap<Key, u32>,
    labels: HashMap<Key, u32>,
    next_statement: u32,
    depth: u32,
}

type Result<T> = std::result::Result<T, ParseError>;

impl Parser {
    fn new(text: &str) -> Result<Parser> {
        Ok(Parser {
            tokens: lex(text)?,
            at: 0,
            unit: Unit {
                file: FileId(0),
                types: Types::default(),
                globals: Vec::new(),
                functions: Vec::new(),
                dialect: Dialect::default(),
                lines: Default::default(),
                refused_members: Default::default(),
                also_named: Default::default(),
                declared: Ok(Vec::new()),
            },
            function: None,
            records: HashMap::new(),
            globals: HashMap::new(),
            functions: HashMap::new(),
            locals: HashMap::new(),
            labels: HashMap::new(),
            next_statement: 0,
            depth: 0,
        })
    }

    fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens
            .get(self.at + ahead)
            .map_or(&Token::End, |(token, _)| token)
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let offset = self
            .tokens
            .get(self.at)
            .or(self.tokens.last())
            .map_or(0, |(_, offset)| *offset);
        Err(ParseError {
            offset,
            message: message.into(),
        })
    }

    fn is_mark(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(next) if *next == mark)
    }

    fn mark(&mut self, mark: &str) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: &str) -> Result<()> {
        if self.mark(mark) {
            Ok(())
        } else {
            self.error(format!("`{mark}` was expected"))
        }
    }

    /// The word that comes next, if it may be a keyword.
    fn keyword(&self) -> &str {
        match self.peek() {
            Token::Word {
                name,
                quoted: false,
                number: None,
            } => name,
            _ => "",
        }
    }

    fn word(&mut self, keyword: &str) -> bool {
        let found = self.keyword() == keyword;
        self.at += usize::from(found);
        found
    }

    fn expect_word(&mut self, keyword: &str) -> Result<()> {
        if self.word(keyword) {
            Ok(())
        } else {
            self.error(format!("`{keyword}` was expected"))
        }
    }

    fn key(&mut self) -> Result<Key> {
        match self.peek() {
            Token::Word { name, number, .. } => {
                let key = (name.clone(), *number);
                self.at += 1;
                Ok(key)
            }
            _ => self.error("a name was expected"),
        }
    }

    /// The number of what is named next.
    fn named(&mut self, what: &str, among: impl Fn(&Self) -> &HashMap<Key, u32>) -> Result<u32> {
        let key = self.key()?;
        match among(self).get(&key) {
            Some(number) => Ok(*number),
            None => {
                self.at -= 1;
                self.error(format!("there is no {what} of this name"))
            }
        }
    }

    fn function_ref(&mut self) -> Result<FunctionRef> {
        self.named("function", |p| &p.functions).map(FunctionRef)
    }

    fn text(&mut self) -> Result<String> {
        match self.next() {
            Token::Text(text) => Ok(text),
            _ => {
                self.at -= 1;
                self.error("a text in quotes was expected")
            }
        }
    }

    fn unsigned<T: TryFrom<u128>>(&mut self) -> Result<T> {
        match self.peek() {
            Token::Int(value, suffix) if suffix.is_empty() => match T::try_from(*value) {
                Ok(value) => {
                    self.at += 1;
                    Ok(value)
                }
                Err(_) => self.error("the number is too big"),
            },
            _ => self.error("a number was expected"),
        }
    }

    /// An integer with sign and no suffix.
    fn signed(&mut self) -> Result<i128> {
        let negative = self.mark("-");
        let magnitude: u128 = self.unsigned()?;
        match signed_value(magnitude, negative) {
            Some(value) => Ok(value),
            None => self.error("the number is too big"),
        }
    }

    fn origin(&mut self) -> Option<Origin> {
        match self.peek() {
            Token::Origin(origin) => {
                let origin = *origin;
                self.at += 1;
                Some(origin)
            }
            _ => None,
        }
    }

    fn intern(&mut self, ty: Type) -> TypeId {
        self.unit.types.intern(ty)
    }

    /// Counts how deep it is while `work` runs.
    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return self.error("nested too deeply");
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }
}

/// `magnitude` with its sign.
fn signed_value(magnitude: u128, negative: bool) -> Option<i128> {
    if negative {
        0i128.checked_sub_unsigned(magnitude)
    } else {
        i128::try_from(magnitude).ok()
    }
}
