//! Are the statements what their parts say: assignments of equal types, calls that fit the callee, loops of their kind?

use super::{Rule, Verifier};
use crate::visit::directive_expressions;
use crate::{Callee, Expr, Function, Loop, LoopKind, Place, Stmt, StmtKind, Type, TypeId, VariableKind};
use std::collections::HashSet;

impl<'a> Verifier<'a> {
    pub(super) fn body(&mut self, function: &'a Function, body: &'a Stmt) {
        let mut numbers = HashSet::new();
        let mut declared = HashSet::new();
        body.walk(&mut |statement| {
            self.statement = Some(statement);
            if statement.id.0 >= function.statements {
                let message = format!("number {} of {}", statement.id.0, function.statements);
                self.wrong(Rule::Number, statement.origin, message);
            }
            if !numbers.insert(statement.id) {
                self.wrong(
                    Rule::Number,
                    statement.origin,
                    format!("number {} is taken", statement.id.0),
                );
            }
            if let StmtKind::Declare { local } = statement.kind
                && !declared.insert(local)
            {
                self.wrong(
                    Rule::Declaration,
                    statement.origin,
                    format!("variable {} again", local.0),
                );
            }
            self.kind(function, statement);
        });
        self.statement = None;
        self.used_are_declared(function, body, &declared);
    }

    /// A local variable that is used begins somewhere. Not asked of functions with parts that were not understood, which
    /// may hold the declaration.
    fn used_are_declared(&mut self, function: &Function, body: &Stmt, declared: &HashSet<crate::LocalId>) {
        let mut understood = true;
        body.walk(&mut |inner| understood &= !matches!(inner.kind, StmtKind::Opaque { .. }));
        if !understood {
            return;
        }
        for variable in crate::visit::mentioned_variables(body) {
            if let crate::VariableRef::Local(id) = variable
                && let Some(local) = function.locals.get(id.0 as usize)
                && local.kind == VariableKind::Local
                && !declared.contains(&id)
            {
                self.wrong(
                    Rule::Declaration,
                    local.origin,
                    format!("`{}` is declared nowhere", local.name),
                );
            }
        }
    }

    fn kind(&mut self, function: &Function, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign { place, value } => {
                self.store_place(place);
                self.whole_value(value);
                if place.ty != value.ty {
                    let message = format!("{} into {}", self.name_of(value.ty), self.name_of(place.ty));
                    self.wrong(Rule::Assignment, statement.origin, message);
                }
            }
            StmtKind::Zero { place } => self.place(place),
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => self.call(result.as_ref(), callee, arguments, statement),
            StmtKind::Declare { local } => {
                if self
                    .local(*local)
                    .is_none_or(|local| local.kind != VariableKind::Local)
                {
                    let message = format!("variable {} is not a local variable", local.0);
                    self.wrong(Rule::Declaration, statement.origin, message);
                }
            }
            StmtKind::If { condition, .. } => self.condition(condition),
            StmtKind::Loop(l) => self.loop_(l, statement),
            StmtKind::Switch { value, .. } => {
                self.expression(value);
                if !self.is_integer(value.ty) {
                    self.wrong(
                        Rule::Condition,
                        value.origin,
                        format!("switch of {}", self.name_of(value.ty)),
                    );
                }
            }
            StmtKind::Return(value) => self.returned(function, value.as_ref(), statement),
            StmtKind::Directive { directive, .. } => {
                directive_expressions(directive, &mut |expr| self.clause(expr));
            }
            StmtKind::Opaque { mentions, .. } => mentions.iter().for_each(|mention| self.mention(mention)),
            // Of these, `labels` knows what is right.
            StmtKind::Block { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Empty => {}
        }
    }

    fn loop_(&mut self, l: &Loop, statement: &Stmt) {
        if let Some(condition) = &l.condition {
            self.condition(condition);
        }
        if l.kind != LoopKind::For && !(l.init.is_empty() && l.step.is_empty()) {
            self.wrong(
                Rule::LoopForm,
                statement.origin,
                "only a `for` has a first and a last part",
            );
        }
        for part in l.init.iter().chain(&l.before_test).chain(&l.step) {
            part.walk(&mut |inner| {
                let jumps = matches!(
                    inner.kind,
                    StmtKind::Break
                        | StmtKind::Continue
                        | StmtKind::Return(_)
                        | StmtKind::Goto(_)
                        | StmtKind::Label(_)
                        | StmtKind::Case { .. }
                        | StmtKind::Default
                );
                if jumps {
                    self.wrong(Rule::Jump, inner.origin, "a jump or label in the head of a loop");
                }
            });
        }
    }

    fn returned(&mut self, function: &Function, value: Option<&Expr>, statement: &Stmt) {
        let Some(value) = value else { return }; // old C returns without a value from any function
        self.whole_value(value);
        if let Some(Type::Function { result, .. }) = self.get(function.ty)
            && *result != value.ty
        {
            let message = format!(
                "{} from a function of {}",
                self.name_of(value.ty),
                self.name_of(*result)
            );
            self.wrong(Rule::Return, statement.origin, message);
        }
    }

    fn call(&mut self, result: Option<&Place>, callee: &Callee, arguments: &[Expr], statement: &Stmt) {
        arguments.iter().for_each(|argument| self.whole_value(argument));
        let ty = match callee {
            Callee::Function(function) => match self.unit.functions.get(function.0 as usize) {
                Some(function) => Some(function.ty),
                None => {
                    self.wrong(
                        Rule::Reference,
                        statement.origin,
                        format!("there is no function {}", function.0),
                    );
                    None
                }
            },
            Callee::Pointer(pointer) => {
                self.expression(pointer);
                let ty = self.unit.types.pointee_checked(pointer.ty);
                if ty.is_none() {
                    self.wrong(
                        Rule::Call,
                        statement.origin,
                        format!("of a {}", self.name_of(pointer.ty)),
                    );
                }
                ty
            }
        };
        if let Some(place) = result {
            self.store_place(place);
        }
        let Some(ty) = ty else { return };
        let Some(Type::Function {
            result: returned,
            parameters,
            variadic,
        }) = self.get(ty)
        else {
            return self.wrong(Rule::Call, statement.origin, format!("of a {}", self.name_of(ty)));
        };
        if let Some(place) = result.filter(|place| place.ty != *returned) {
            let message = format!(
                "a result of {} in a {}",
                self.name_of(*returned),
                self.name_of(place.ty)
            );
            self.wrong(Rule::Call, statement.origin, message);
        }
        if arguments.len() < parameters.len() || (arguments.len() > parameters.len() && !variadic) {
            let message = format!(
                "{} arguments for {} parameters",
                arguments.len(),
                parameters.len()
            );
            self.wrong(Rule::Call, statement.origin, message);
        }
        for (argument, parameter) in arguments.iter().zip(parameters) {
            // Parameters of variable-length array types mean the lengths of each call.
            if argument.ty != *parameter && !self.both_pointers(argument.ty, *parameter) {
                let message = format!(
                    "an argument of {} for {}",
                    self.name_of(argument.ty),
                    self.name_of(*parameter)
                );
                self.wrong(Rule::Call, argument.origin, message);
            }
        }
        for argument in arguments.iter().skip(parameters.len()) {
            let promoted = match self.get(argument.ty) {
                Some(Type::Int { bits, .. }) => *bits >= 32,
                Some(Type::Float { bits }) => *bits >= 64,
                Some(Type::Bool) => false,
                _ => true,
            };
            if !promoted {
                let message = format!("an argument of {} is not promoted", self.name_of(argument.ty));
                self.wrong(Rule::Call, argument.origin, message);
            }
        }
    }

    /// Compatible pointer types need not be equal: `double (*)[n]` for `double (*)[]`.
    fn both_pointers(&self, a: TypeId, b: TypeId) -> bool {
        let points_to_array = |ty| {
            matches!(
                self.unit.types.pointee_checked(ty).and_then(|to| self.get(to)),
                Some(Type::Array { .. })
            )
        };
        points_to_array(a) && points_to_array(b)
    }
}
