//! Is this a program? Checks every invariant of `SPECIFICATION.md` and says which are broken where. Never panics: it is what
//! stands between a mistake in the front end or a transformation and analyses that rely on the invariants.
//!
//! Inside opaque nodes and clauses of directives, expressions only name things: there, also whole arrays and functions are values.

mod assigned;
mod expression;
mod labels;
mod statement;
mod types;

use crate::{Expr, Function, LocalId, Stmt, StmtId, Type, TypeId, Unit};
use ferry_source::Origin;

/// Which invariant is broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// A number of a type, record, variable, function, label or field that does not exist.
    Reference,
    /// A type that is impossible: circular, of impossible width, an array of functions.
    TypeForm,
    /// A record whose members do not lie in it as they must.
    RecordLayout,
    /// A length that is no extent variable of the function.
    ExtentLength,
    /// A function whose parameters do not fit its type, or whose type is not a function type.
    Signature,
    /// A variable of a type that no variable can have.
    VariableType,
    /// A place whose path does not fit the types, or whose type is not the one at the end of its path.
    PlaceType,
    /// An access to volatile memory that does not say so.
    Volatile,
    /// The address of a variable that is not marked, of a temporary, or of a bit-field.
    Address,
    /// An expression whose type is not the one that follows from its parts.
    ExpressionType,
    /// A constant out of the range of its type.
    Constant,
    /// An operand of a type that the operator does not take.
    Operand,
    /// Operands of different types.
    OperandsDiffer,
    /// A conversion that does not exist.
    Cast,
    /// A value of an array, function or `void` type, or of a record in the middle of an expression.
    Value,
    /// A condition that is not scalar.
    Condition,
    /// An assignment of a value of another type.
    Assignment,
    /// A call whose arguments or result do not fit the callee.
    Call,
    /// A `return` that does not fit the function.
    Return,
    /// Two statements with one number, or a number that is not below [`Function::statements`].
    Number,
    /// A label that is twice or, though a `goto` goes there, nowhere.
    Label,
    /// A `case` or `default` outside of a `switch`, twice, out of range, or with the ends the wrong way round.
    Case,
    /// A `break` or `continue` outside of what it leaves, or a jump in the head of a loop.
    Jump,
    /// A `while` or `do` with a first or last part.
    LoopForm,
    /// A variable that is declared twice, is no local variable, or is used but declared nowhere.
    Declaration,
    /// A temporary or extent that is read where it may have no value yet, or gets one twice.
    Temporary,
    /// An initial value that is not a constant, or goes into another variable.
    InitialValue,
}

/// A broken invariant.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// Which.
    pub rule: Rule,
    /// In which function, by its name; empty for the unit.
    pub function: String,
    /// In which statement.
    pub statement: Option<StmtId>,
    /// Where in the text.
    pub origin: Origin,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.message)?;
        if !self.function.is_empty() {
            write!(f, " (in {})", self.function)?;
        }
        if let Some(statement) = self.statement {
            write!(f, " [statement {}]", statement.0)?;
        }
        if let Some(span) = self.origin.span() {
            write!(f, " at {}:{}-{}", span.file.0, span.start, span.end)?;
        }
        Ok(())
    }
}

/// Everything that is wrong in the unit: types, globals and all functions. Empty if it is a program.
pub fn verify_unit(unit: &Unit) -> Vec<Violation> {
    let mut verifier = Verifier::new(unit, None);
    verifier.types();
    verifier.globals();
    let mut violations = verifier.violations;
    for function in &unit.functions {
        violations.extend(verify_function(unit, function));
    }
    violations
}

/// Everything that is wrong in the function, given that the types of its unit are right.
pub fn verify_function(unit: &Unit, function: &Function) -> Vec<Violation> {
    let mut verifier = Verifier::new(unit, Some(function));
    verifier.signature(function);
    if let Some(body) = &function.body {
        verifier.body(function, body);
        verifier.labels(function, body);
        verifier.assigned(function, body);
    }
    verifier.violations
}

/// What is looked at, and what was found.
struct Verifier<'a> {
    unit: &'a Unit,
    function: Option<&'a Function>,
    violations: Vec<Violation>,
    /// The statement that is looked at.
    statement: Option<&'a Stmt>,
}

impl<'a> Verifier<'a> {
    fn new(unit: &'a Unit, function: Option<&'a Function>) -> Verifier<'a> {
        Verifier {
            unit,
            function,
            violations: Vec::new(),
            statement: None,
        }
    }

    fn wrong(&mut self, rule: Rule, origin: Origin, message: impl Into<String>) {
        // A node in no text is shown at its statement.
        let at_statement = self.statement.map_or(Origin::New, |statement| statement.origin);
        self.violations.push(Violation {
            rule,
            function: self
                .function
                .map(|function| function.name.clone())
                .unwrap_or_default(),
            statement: self.statement.map(|statement| statement.id),
            origin: if origin == Origin::New {
                at_statement
            } else {
                origin
            },
            message: message.into(),
        });
    }

    fn get(&self, ty: TypeId) -> Option<&'a Type> {
        self.unit.types.try_get(ty)
    }

    fn local(&self, id: LocalId) -> Option<&'a crate::Local> {
        self.function?.locals.get(id.0 as usize)
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Some(Type::Int { .. } | Type::Bool))
    }

    fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_floating(ty) || self.is_pointer(ty)
    }

    /// Real and complex floating types.
    fn is_floating(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Some(Type::Float { .. } | Type::Complex { .. }))
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Some(Type::Pointer(_)))
    }

    /// Types that arithmetic is done in: after C's promotions nothing is narrower than `int`.
    fn is_promoted(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Some(Type::Int { bits, .. }) => *bits >= 32,
            Some(Type::Float { .. } | Type::Complex { .. }) => true,
            _ => false,
        }
    }

    fn name_of(&self, ty: TypeId) -> String {
        crate::text::print_type(self.unit, self.function, ty)
    }

    fn text_of(&self, expr: &Expr) -> String {
        let text = crate::text::print_expression(self.unit, self.function, expr, Default::default());
        if text.chars().count() > 120 {
            text.chars().take(117).chain("...".chars()).collect()
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests;
