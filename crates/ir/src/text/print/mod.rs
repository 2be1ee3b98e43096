//! How is the program written as text? Deterministically and completely: two programs with the same text are the same
//! program, but for what the options leave out.

mod directive;
mod expression;
mod statement;
mod unit;

use super::names::{FunctionNames, UnitNames};
use crate::{Expr, Function, Place, Stmt, TypeId, Unit};
use ferry_source::{Origin, Span};

/// What the text shows besides the program itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Where everything is written, as `@file:start-end` (`@!…` for macro expansions, `@-` for nodes in no text)
    /// behind every expression and place. Shorthands such as `p[i]` are then written out.
    pub origins: bool,
    /// `[number]` before every statement.
    pub statement_ids: bool,
    /// Temporaries and extents are called `%0`, `%1`, … whatever their names are.
    pub normalise_temporaries: bool,
}

/// The whole unit.
pub fn print_unit(unit: &Unit, options: PrintOptions) -> String {
    let mut printer = Printer::new(unit, None, options);
    printer.unit();
    printer.out
}

/// One function of the unit, with its variables.
pub fn print_function(unit: &Unit, function: &Function, options: PrintOptions) -> String {
    let mut printer = Printer::new(unit, Some(function), options);
    printer.function(function);
    printer.out
}

/// One statement of a function of the unit.
pub fn print_statement(unit: &Unit, function: &Function, statement: &Stmt, options: PrintOptions) -> String {
    let mut printer = Printer::new(unit, Some(function), options);
    printer.statement(statement, false);
    printer.out
}

/// One expression; `function` is the one whose locals are meant.
pub fn print_expression(
    unit: &Unit,
    function: Option<&Function>,
    expr: &Expr,
    options: PrintOptions,
) -> String {
    let mut printer = Printer::new(unit, function, options);
    printer.expression(expr, 0);
    printer.out
}

/// One place; `function` is the one whose locals are meant.
pub fn print_place(unit: &Unit, function: Option<&Function>, place: &Place, options: PrintOptions) -> String {
    let mut printer = Printer::new(unit, function, options);
    printer.place(place, 0);
    printer.out
}

/// One type; `function` is the one whose locals variable lengths name.
pub fn print_type(unit: &Unit, function: Option<&Function>, ty: TypeId) -> String {
    let mut printer = Printer::new(unit, function, PrintOptions::default());
    printer.ty(ty);
    printer.out
}

/// A text under construction.
struct Printer<'a> {
    unit: &'a Unit,
    function: Option<&'a Function>,
    names: UnitNames,
    local_names: FunctionNames,
    options: PrintOptions,
    out: String,
    indent: usize,
}

impl<'a> Printer<'a> {
    fn new(unit: &'a Unit, function: Option<&'a Function>, options: PrintOptions) -> Printer<'a> {
        Printer {
            unit,
            function,
            names: UnitNames::new(unit),
            local_names: function
                .map(|function| FunctionNames::new(function, options.normalise_temporaries))
                .unwrap_or_default(),
            options,
            out: String::new(),
            indent: 0,
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// Calls `item` on each element, with `separator` between.
    fn list<T>(&mut self, items: &[T], separator: &str, mut item: impl FnMut(&mut Self, &T)) {
        for (number, element) in items.iter().enumerate() {
            if number > 0 {
                self.put(separator);
            }
            item(self, element);
        }
    }

    /// `name`, or `#number` where there is no such thing (in a broken program).
    fn name(&mut self, pick: impl Fn(&Self) -> &Vec<String>, number: u32) {
        match pick(self).get(number as usize) {
            Some(name) => {
                let name = name.clone();
                self.put(&name);
            }
            None => self.put(&format!("#{number}")),
        }
    }

    fn quoted(&mut self, text: &str) {
        super::spell::quote(&mut self.out, text, '"');
    }

    fn span(&mut self, span: Span) {
        self.put(&format!("@{}:{}-{}", span.file.0, span.start, span.end));
    }

    /// The origin, if origins are wanted.
    fn origin(&mut self, origin: Origin) {
        if !self.options.origins {
            return;
        }
        match origin {
            Origin::Text(span) => self.span(span),
            Origin::Expanded(span) => self.put(&format!("@!{}:{}-{}", span.file.0, span.start, span.end)),
            Origin::New => self.put("@-"),
        }
    }
}
