//! How are records, globals, functions and the unit as a whole written?

use super::Printer;
use crate::{
    Function, Global, Linkage, Local, PlaceBase, Projection, Qualifiers, Record, Type, VariableKind,
    VariableRef,
};

impl Printer<'_> {
    pub(super) fn unit(&mut self) {
        let unit = self.unit;
        self.put(&format!("unit {}", unit.file.0));
        for (set, word) in [
            (unit.dialect.wrapping, " wrapping"),
            (unit.dialect.no_strict_aliasing, " no_strict_aliasing"),
            (unit.dialect.complex_header, " complex_header"),
            (unit.dialect.unsigned_char, " unsigned_char"),
        ] {
            self.put(if set { word } else { "" });
        }
        self.put("\n");
        for (number, record) in unit.types.records.iter().enumerate() {
            self.put("\n");
            self.record(number as u32, record);
        }
        for (number, global) in unit.globals.iter().enumerate() {
            self.put("\n");
            self.global(number as u32, global);
        }
        for function in &unit.functions {
            self.put("\n");
            self.function(function);
        }
    }

    fn record(&mut self, number: u32, record: &Record) {
        self.put("record ");
        self.put(if record.union { "union " } else { "struct " });
        self.name(|p| &p.names.records, number);
        self.origin(record.origin);
        if record.complete {
            self.put(&format!(" size {} align {}", record.size, record.align));
        } else {
            self.put(" incomplete");
        }
        self.put(" {");
        let words = super::super::names::field_words(record);
        for (field, word) in record.fields.iter().zip(&words) {
            self.put(&format!("\n    {word}: "));
            self.ty(field.ty);
            self.put(&format!(" at {}", field.offset_bits));
            if let Some(width) = field.width {
                self.put(&format!(" width {width}"));
            }
            self.put(if field.volatile { " volatile;" } else { ";" });
        }
        self.put(if record.fields.is_empty() { "}\n" } else { "\n}\n" });
    }

    fn global(&mut self, number: u32, global: &Global) {
        self.put("global ");
        self.name(|p| &p.names.globals, number);
        self.put(": ");
        self.ty(global.ty);
        self.linkage(global.linkage);
        self.put(if global.defined { "" } else { " undefined" });
        self.put(if global.thread_local { " thread_local" } else { "" });
        self.put(if global.renamed { " renamed" } else { "" });
        self.qualifiers(global.qualifiers);
        self.put(if global.string_literal {
            " string_literal"
        } else {
            ""
        });
        if let Some(function) = global.inside {
            self.put(" inside ");
            self.name(|p| &p.names.functions, function.0);
        }
        self.place_of_declaration(global.origin);
        if let Some(text) = self.characters(global) {
            self.put(" text ");
            self.quoted(&text);
            self.put(";\n");
        } else if !global.initial.is_empty() {
            self.put(" {");
            self.indent += 1;
            for (place, value) in &global.initial {
                self.line();
                self.place(place, 0);
                self.put(" = ");
                self.expression(value, 0);
                self.put(";");
            }
            self.indent -= 1;
            self.put("\n}\n");
        } else {
            self.put(";\n");
        }
    }

    /// The initial value of an array of characters as a text of characters below 256, if that is all there is to say about it.
    fn characters(&self, global: &Global) -> Option<String> {
        let types = &self.unit.types;
        let Type::Array { element, .. } = types.try_get(global.ty)? else {
            return None;
        };
        let character = matches!(types.try_get(*element)?, Type::Int { bits: 8, .. });
        if !character || self.options.origins || global.initial.is_empty() {
            return None;
        }
        let mut text = String::new();
        for (number, (place, value)) in global.initial.iter().enumerate() {
            let [Projection::Index(index)] = &place.path[..] else {
                return None;
            };
            let long = types.try_get(index.ty)
                == Some(&Type::Int {
                    bits: 64,
                    signed: true,
                });
            let plain = place.ty == *element && value.ty == *element && !place.volatile;
            let PlaceBase::Variable(VariableRef::Global(base)) = place.base else {
                return None;
            };
            let own = self
                .unit
                .globals
                .get(base.0 as usize)
                .is_some_and(|base| std::ptr::eq(base, global));
            if !long || !plain || !own || index.as_int() != Some(number as i128) {
                return None;
            }
            // Signed characters are written by their bits.
            text.push(char::from(u8::try_from(value.as_int()? & 0xff).ok()?));
        }
        Some(text)
    }

    fn linkage(&mut self, linkage: Linkage) {
        self.put(match linkage {
            Linkage::External => " external",
            Linkage::Internal => " internal",
        });
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        self.put(if qualifiers.constant { " const" } else { "" });
        self.put(if qualifiers.volatile { " volatile" } else { "" });
        self.put(if qualifiers.restrict { " restrict" } else { "" });
        self.put(if qualifiers.register { " register" } else { "" });
    }

    fn place_of_declaration(&mut self, origin: ferry_source::Origin) {
        if self.options.origins {
            self.put(" ");
            self.origin(origin);
        }
    }

    pub(super) fn function(&mut self, function: &Function) {
        // In a whole unit, locals are named anew for each function.
        let number = self
            .unit
            .functions
            .iter()
            .position(|other| std::ptr::eq(other, function));
        if number.is_some() {
            let unit = self.unit;
            self.function = number.and_then(|number| unit.functions.get(number));
            self.local_names =
                super::super::names::FunctionNames::new(function, self.options.normalise_temporaries);
        }
        self.put("function ");
        match number {
            Some(number) => self.name(|p| &p.names.functions, number as u32),
            None => {
                let word = super::super::names::words(std::iter::once(function.name.as_str())).pop();
                self.put(&word.unwrap_or_default());
            }
        }
        self.put(": ");
        self.ty(function.ty);
        self.linkage(function.linkage);
        self.put(if function.inline { " inline" } else { "" });
        self.put(if function.pure { " pure" } else { "" });
        self.put(if function.noreturn { " noreturn" } else { "" });
        if self.options.statement_ids {
            self.put(&format!(" statements {}", function.statements));
        }
        self.place_of_declaration(function.origin);
        if let (Some(span), true) = (function.name_span, self.options.origins) {
            self.put(" name ");
            self.span(span);
        }
        self.put(" {");
        self.indent += 1;
        for (number, local) in function.locals.iter().enumerate() {
            self.line();
            self.local(number as u32, local);
        }
        for number in 0..function.labels.len() {
            self.line();
            self.put("label ");
            self.name(|p| &p.local_names.labels, number as u32);
            self.put(";");
        }
        if let Some(body) = &function.body {
            self.line();
            self.put("body ");
            self.statement(body, false);
        }
        self.indent -= 1;
        self.put("\n}\n");
    }

    fn local(&mut self, number: u32, local: &Local) {
        self.put(match local.kind {
            VariableKind::Parameter => "parameter ",
            VariableKind::Local => "local ",
            VariableKind::Temporary => "temporary ",
            VariableKind::Extent => "extent ",
        });
        self.name(|p| &p.local_names.locals, number);
        self.put(": ");
        self.ty(local.ty);
        self.qualifiers(local.qualifiers);
        self.put(if local.address_taken { " address_taken" } else { "" });
        self.place_of_declaration(local.origin);
        self.put(";");
    }
}
