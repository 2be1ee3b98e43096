//! How are types read?

use super::{Parser, Result};
use crate::{Length, LocalId, RecordId, Type, TypeId};

impl Parser {
    /// The basic type that a keyword or suffix names.
    pub(super) fn basic(word: &str) -> Option<Type> {
        let int = |bits, signed| Some(Type::Int { bits, signed });
        match word {
            "void" => Some(Type::Void),
            "bool" => Some(Type::Bool),
            "i8" => int(8, true),
            "i16" => int(16, true),
            "i32" => int(32, true),
            "i64" => int(64, true),
            "i128" => int(128, true),
            "u8" => int(8, false),
            "u16" => int(16, false),
            "u32" => int(32, false),
            "u64" => int(64, false),
            "u128" => int(128, false),
            "f32" => Some(Type::Float { bits: 32 }),
            "f64" => Some(Type::Float { bits: 64 }),
            "f80" => Some(Type::Float { bits: 80 }),
            "f128" => Some(Type::Float { bits: 128 }),
            "c32" => Some(Type::Complex { bits: 32 }),
            "c64" => Some(Type::Complex { bits: 64 }),
            "c80" => Some(Type::Complex { bits: 80 }),
            "c128" => Some(Type::Complex { bits: 128 }),
            _ => None,
        }
    }

    /// True if a type begins here.
    pub(super) fn is_type(&self) -> bool {
        let word = self.keyword();
        Self::basic(word).is_some()
            || matches!(
                word,
                "int" | "real" | "complex" | "struct" | "union" | "fn" | "foreign"
            )
    }

    pub(super) fn ty(&mut self) -> Result<TypeId> {
        self.deeper(Self::ty_inside)
    }

    fn ty_inside(&mut self) -> Result<TypeId> {
        let word = self.keyword().to_owned();
        if !self.is_type() {
            return self.error("a type was expected");
        }
        self.at += 1;
        let base = match word.as_str() {
            "int" => {
                self.expect("(")?;
                let bits = self.unsigned()?;
                self.expect(",")?;
                let signed = self.unsigned::<u8>()? != 0;
                self.expect(")")?;
                Type::Int { bits, signed }
            }
            "real" => {
                self.expect("(")?;
                let bits = self.unsigned()?;
                self.expect(")")?;
                Type::Float { bits }
            }
            "complex" => {
                self.expect("(")?;
                let bits = self.unsigned()?;
                self.expect(")")?;
                Type::Complex { bits }
            }
            "struct" | "union" => Type::Record(RecordId(self.named("record", |p| &p.records)?)),
            "foreign" => {
                self.expect("(")?;
                let spelling = self.text()?;
                self.expect(",")?;
                let size = self.unsigned()?;
                self.expect(")")?;
                Type::Opaque { spelling, size }
            }
            "fn" => self.function_type()?,
            word => Self::basic(word).unwrap_or(Type::Void),
        };
        let mut ty = self.intern(base);
        loop {
            if self.mark("*") {
                ty = self.intern(Type::Pointer(ty));
            } else if self.is_mark("[") {
                let mut lengths = Vec::new();
                while self.mark("[") {
                    lengths.push(self.length()?);
                    self.expect("]")?;
                }
                for length in lengths.into_iter().rev() {
                    ty = self.intern(Type::Array { element: ty, length });
                }
            } else {
                return Ok(ty);
            }
        }
    }

    fn length(&mut self) -> Result<Length> {
        if self.is_mark("]") {
            return Ok(Length::Unknown);
        }
        if let super::Token::Word { name, number, .. } = self.peek() {
            let key = (name.clone(), *number);
            let local = match (self.locals.get(&key), &key) {
                (Some(local), _) => *local,
                (None, (name, Some(number))) if name.is_empty() => *number,
                _ => return self.error("there is no variable of this name"),
            };
            self.at += 1;
            return Ok(Length::Variable(LocalId(local)));
        }
        self.unsigned().map(Length::Constant)
    }

    fn function_type(&mut self) -> Result<Type> {
        self.expect("<")?;
        let result = self.ty()?;
        self.expect("(")?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        while !self.mark(")") {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            if self.mark("...") {
                variadic = true;
                self.expect(")")?;
                break;
            }
            parameters.push(self.ty()?);
        }
        // Two types that end together make one `>>`.
        if let super::Token::Mark(">>") = self.peek() {
            if let Some(token) = self.tokens.get_mut(self.at) {
                token.0 = super::Token::Mark(">");
            }
        } else {
            self.expect(">")?;
        }
        Ok(Type::Function {
            result,
            parameters,
            variadic,
        })
    }
}
