//! How are directives written? By their structure, not in pragma syntax: words quoted, expressions as everywhere in the
//! text form, so that every directive of the model can be read back, also those that no pragma could spell.
//!
//! ```text
//! directive omp "target teams" "map"("tofrom"; object a {0 : n}) "if"("target"; n > 9) :
//! ```

use super::Printer;
use crate::Expr;
use crate::text::spell::level;
use ferry_directive::{Arguments, Directive, Item, ListItem, Modifier, Subscript};

impl Printer<'_> {
    pub(super) fn directive(&mut self, directive: &Directive<Expr>) {
        self.put("directive ");
        self.put(directive.language.sentinel());
        self.put(" ");
        self.quoted(&directive.name);
        self.arguments(directive.arguments.as_ref());
        for clause in &directive.clauses {
            self.put(" ");
            self.quoted(&clause.name);
            if let (Some((start, end)), true) = (clause.place, self.options.origins) {
                self.put(&format!(" @{start}-{end}"));
            }
            self.arguments(clause.arguments.as_ref());
        }
    }

    /// `(items)` or `(modifiers; items; trailing modifiers)`.
    fn arguments(&mut self, arguments: Option<&Arguments<Expr>>) {
        let Some(arguments) = arguments else { return };
        self.put("(");
        if !arguments.modifiers.is_empty() || !arguments.trailing.is_empty() {
            self.list(&arguments.modifiers, ", ", |p, modifier| p.modifier(modifier));
            self.put("; ");
        }
        self.list(&arguments.items, ", ", |p, item| p.item(item));
        if !arguments.trailing.is_empty() {
            self.put("; ");
            self.list(&arguments.trailing, ", ", |p, modifier| p.modifier(modifier));
        }
        self.put(")");
    }

    fn modifier(&mut self, modifier: &Modifier<Expr>) {
        match modifier {
            Modifier::Word(word) => self.quoted(word),
            Modifier::Named { name, value } => {
                self.quoted(name);
                self.put(" = ");
                self.expression(value, 0);
            }
            Modifier::Mapper(name) => {
                self.put("mapper ");
                self.quoted(name);
            }
            Modifier::Iterator(iterators) => {
                self.put("iterator (");
                self.list(iterators, ", ", |p, iterator| {
                    if let Some(type_name) = &iterator.type_name {
                        p.quoted(type_name);
                        p.put(" ");
                    }
                    p.quoted(&iterator.name);
                    p.put(" = ");
                    p.expression(&iterator.begin, 0);
                    p.put(" : ");
                    p.expression(&iterator.end, 0);
                    if let Some(step) = &iterator.step {
                        p.put(" : ");
                        p.expression(step, 0);
                    }
                });
                self.put(")");
            }
            Modifier::Value(value) => self.expression(value, 0),
            Modifier::Raw(text) => {
                self.put("raw ");
                self.quoted(text);
            }
        }
    }

    fn item(&mut self, item: &Item<Expr>) {
        match item {
            Item::Object(object) => self.object(object),
            Item::Value(value) => self.expression(value, 0),
            Item::Named { name, value } => {
                self.quoted(name);
                self.put(" = ");
                match value {
                    Some(value) => self.expression(value, 0),
                    None => self.put("none"),
                }
            }
            Item::Word(word) => self.quoted(word),
            Item::Raw(text) => {
                self.put("raw ");
                self.quoted(text);
            }
        }
    }

    fn object(&mut self, object: &ListItem<Expr>) {
        self.put("object ");
        if !object.shape.is_empty() {
            self.put("{");
            self.list(&object.shape, ", ", |p, length| p.expression(length, 0));
            self.put("} ");
        }
        self.expression(&object.base, level::POSTFIX);
        for subscript in &object.subscripts {
            self.put(" {");
            match subscript {
                Subscript::Index(index) => self.expression(index, 0),
                Subscript::Section {
                    lower,
                    length,
                    stride,
                } => {
                    if let Some(lower) = lower {
                        self.expression(lower, 0);
                        self.put(" ");
                    }
                    self.put(":");
                    if let Some(length) = length {
                        self.put(" ");
                        self.expression(length, 0);
                    }
                    if let Some(stride) = stride {
                        self.put(" : ");
                        self.expression(stride, 0);
                    }
                }
            }
            self.put("}");
        }
    }
}
