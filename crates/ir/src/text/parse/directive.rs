//! How are directives read?

use super::{Parser, Result, Token};
use crate::Expr;
use ferry_directive::{
    Arguments, Clause, Directive, Item, IteratorSpecifier, Language, ListItem, Modifier, Subscript,
};

impl Parser {
    /// A directive, behind the keyword.
    pub(super) fn directive(&mut self) -> Result<Directive<Expr>> {
        let language = if self.word("omp") {
            Language::OpenMp
        } else {
            self.expect_word("acc")?;
            Language::OpenAcc
        };
        let name = self.text()?;
        let arguments = self.arguments()?;
        let mut clauses = Vec::new();
        while matches!(self.peek(), Token::Text(_)) {
            let name = self.text()?;
            let mut place = None;
            if let Token::Place(start, end) = *self.peek() {
                self.at += 1;
                place = Some((start, end));
            }
            clauses.push(Clause {
                name,
                arguments: self.arguments()?,
                place,
            });
        }
        Ok(Directive {
            language,
            name,
            arguments,
            clauses,
        })
    }

    fn arguments(&mut self) -> Result<Option<Arguments<Expr>>> {
        if !self.mark("(") {
            return Ok(None);
        }
        // Whether the first list is one of modifiers is known at its end.
        let start = self.at;
        let depth = self.depth;
        if let Ok(modifiers) = self.list(Self::modifier, &[";"])
            && self.mark(";")
        {
            let items = self.list(Self::item, &[";", ")"])?;
            let trailing = if self.mark(";") {
                self.list(Self::modifier, &[")"])?
            } else {
                Vec::new()
            };
            self.expect(")")?;
            return Ok(Some(Arguments {
                modifiers,
                items,
                trailing,
            }));
        }
        self.at = start;
        self.depth = depth;
        let items = self.list(Self::item, &[")"])?;
        self.expect(")")?;
        Ok(Some(Arguments::items(items)))
    }

    /// Elements with commas between, up to (not with) one of `ends`.
    fn list<T>(&mut self, element: impl Fn(&mut Self) -> Result<T>, ends: &[&str]) -> Result<Vec<T>> {
        let mut list = Vec::new();
        while !ends.iter().any(|end| self.is_mark(end)) {
            if !list.is_empty() {
                self.expect(",")?;
            }
            list.push(element(self)?);
        }
        Ok(list)
    }

    fn modifier(&mut self) -> Result<Modifier<Expr>> {
        if matches!(self.peek(), Token::Text(_)) {
            let name = self.text()?;
            return Ok(if self.mark("=") {
                Modifier::Named {
                    name,
                    value: self.expression()?,
                }
            } else {
                Modifier::Word(name)
            });
        }
        Ok(match self.keyword() {
            "mapper" => {
                self.at += 1;
                Modifier::Mapper(self.text()?)
            }
            "raw" => {
                self.at += 1;
                Modifier::Raw(self.text()?)
            }
            "iterator" => {
                self.at += 1;
                self.expect("(")?;
                let iterators = self.list(Self::iterator, &[")"])?;
                self.expect(")")?;
                Modifier::Iterator(iterators)
            }
            _ => Modifier::Value(self.expression()?),
        })
    }

    fn iterator(&mut self) -> Result<IteratorSpecifier<Expr>> {
        let mut name = self.text()?;
        let mut type_name = None;
        if matches!(self.peek(), Token::Text(_)) {
            type_name = Some(std::mem::replace(&mut name, self.text()?));
        }
        self.expect("=")?;
        let begin = self.expression()?;
        self.expect(":")?;
        let end = self.expression()?;
        let step = if self.mark(":") {
            Some(self.expression()?)
        } else {
            None
        };
        Ok(IteratorSpecifier {
            type_name,
            name,
            begin,
            end,
            step,
        })
    }

    fn item(&mut self) -> Result<Item<Expr>> {
        if matches!(self.peek(), Token::Text(_)) {
            let name = self.text()?;
            return Ok(if !self.mark("=") {
                Item::Word(name)
            } else if self.word("none") {
                Item::Named { name, value: None }
            } else {
                Item::Named {
                    name,
                    value: Some(self.expression()?),
                }
            });
        }
        Ok(match self.keyword() {
            "object" => {
                self.at += 1;
                Item::Object(self.object()?)
            }
            "raw" => {
                self.at += 1;
                Item::Raw(self.text()?)
            }
            _ => Item::Value(self.expression()?),
        })
    }

    fn object(&mut self) -> Result<ListItem<Expr>> {
        let mut shape = Vec::new();
        if self.mark("{") {
            shape = self.list(Self::expression, &["}"])?;
            self.expect("}")?;
        }
        let mut object = ListItem {
            shape,
            base: self.postfix_expression()?,
            subscripts: Vec::new(),
        };
        while self.mark("{") {
            let lower = if self.is_mark(":") {
                None
            } else {
                Some(self.expression()?)
            };
            object.subscripts.push(match lower {
                Some(index) if self.is_mark("}") => Subscript::Index(index),
                lower => {
                    self.expect(":")?;
                    let ends = self.is_mark(":") || self.is_mark("}");
                    let length = if ends { None } else { Some(self.expression()?) };
                    let stride = if self.mark(":") {
                        Some(self.expression()?)
                    } else {
                        None
                    };
                    Subscript::Section {
                        lower,
                        length,
                        stride,
                    }
                }
            });
            self.expect("}")?;
        }
        Ok(object)
    }
}
