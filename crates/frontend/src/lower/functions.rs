//! What does a function become? Its type, parameters and body; only declared ones have a type.

use super::statements::is_expression;
use super::{Lower, Lowered};
use crate::clang::Cursor;
use clang_sys::*;
use ferry_ir::*;
use ferry_source::Origin;

/// Functions that never return, whatever their declaration says.
const NEVER: &[&str] = &[
    "_Exit",
    "_exit",
    "abort",
    "exit",
    "longjmp",
    "quick_exit",
    "__assert_fail",
    "__builtin_unreachable",
    "__builtin_trap",
];

impl<'tu> Lower<'tu, '_> {
    /// The function that a declaration declares.
    pub(super) fn function_reference(&mut self, cursor: Cursor<'tu>) -> Lowered<FunctionRef> {
        let key = cursor.canonical().key();
        if let Some(&id) = self.function_keys.get(&key) {
            return Ok(id);
        }
        let name = super::calls::library_name(&cursor.spelling()).to_owned();
        let external = cursor.linkage() != CXLinkage_Internal;
        let definition = cursor.definition();
        let declaration = definition.unwrap_or(cursor);
        let known = self.function_names.get(&name).copied().filter(|_| external);
        if let (Some(id), None) = (known, definition) {
            self.function_keys.insert(key, id);
            return Ok(id);
        }
        let ty = self.function_type(declaration)?;
        // Clang's `overloadable`: several functions of one name, which are told apart by their parameters.
        if let Some(id) = known.filter(|id| self.functions[id.0 as usize].ty == ty) {
            self.function_keys.insert(key, id);
            return Ok(id);
        }
        let spelling = declaration.ty().spelling();
        let attributes = |wanted: &[CXCursorKind]| {
            [declaration, cursor, cursor.canonical()].iter().any(|cursor| {
                cursor
                    .children()
                    .iter()
                    .any(|child| wanted.contains(&child.kind()))
            })
        };
        let (function_name, origin) = (name.clone(), {
            let at = self.at(declaration, declaration.kind(), &[]);
            self.origin(at)
        });
        let name_span = match self.name_origin(declaration, &name) {
            ferry_source::Origin::Text(span) => Some(span),
            _ => None,
        };
        let id = FunctionRef(self.functions.len() as u32);
        self.functions.push(Function {
            noreturn: spelling.ends_with("__attribute__((noreturn))") || NEVER.contains(&name.as_str()),
            name: function_name,
            ty,
            linkage: if external {
                Linkage::External
            } else {
                Linkage::Internal
            },
            inline: declaration.is_inline(),
            pure: attributes(&[CXCursor_PureAttr, CXCursor_ConstAttr]),
            locals: Vec::new(),
            parameters: 0,
            labels: Vec::new(),
            statements: 0,
            body: None,
            origin,
            name_span,
        });
        self.function_keys.insert(key, id);
        if external {
            self.function_names.insert(name, id);
        }
        if let Some(definition) = definition
            && definition.location().in_system_header()
        {
            self.enter(id, definition);
        }
        Ok(id)
    }

    /// The type, with the parameters of the definition where there is no prototype.
    fn function_type(&mut self, cursor: Cursor<'tu>) -> Lowered<TypeId> {
        let written = cursor.ty().canonical();
        if self.is_variably_modified(written) {
            // Pointers to variable-length arrays: what they point to is known inside only.
            return self.variable_function_type(cursor);
        }
        if cursor.is_definition() && !cursor.arguments().is_empty() {
            // An old-style definition has parameters of other types than its callers' promoted arguments.
            return self.variable_function_type(cursor);
        }
        self.ty(written)
    }

    fn variable_function_type(&mut self, cursor: Cursor<'tu>) -> Lowered<TypeId> {
        let written = cursor.ty().canonical();
        let result = self.ty(written.result())?;
        let mut parameters = Vec::new();
        for parameter in cursor.arguments() {
            parameters.push(self.erased(parameter.ty().canonical(), true)?);
        }
        let variadic = written.is_variadic() || written.kind() == CXType_FunctionNoProto;
        Ok(self.types.intern(Type::Function {
            result,
            parameters,
            variadic,
        }))
    }

    /// A parameter's type for callers: variable lengths are unknown lengths there.
    fn erased(&mut self, ty: crate::clang::ClangType<'tu>, outermost: bool) -> Lowered<TypeId> {
        if !self.is_variably_modified(ty) && !outermost {
            return self.ty(ty);
        }
        match ty.kind() {
            kind if super::places::is_array(kind) => {
                let element = self.erased(ty.element().canonical(), false)?;
                if outermost {
                    return Ok(self.pointer_to(element));
                }
                let length = ty.array_length().filter(|_| kind == CXType_ConstantArray);
                let length = length.map_or(Length::Unknown, Length::Constant);
                Ok(self.types.intern(Type::Array { element, length }))
            }
            CXType_Pointer => {
                let to = self.erased(ty.pointee().canonical(), false)?;
                Ok(self.pointer_to(to))
            }
            CXType_FunctionProto | CXType_FunctionNoProto => {
                let ty = self.ty(ty)?;
                Ok(if outermost { self.pointer_to(ty) } else { ty })
            }
            _ => self.ty(ty),
        }
    }

    /// A definition: its body waits to be lowered.
    pub(super) fn function(&mut self, cursor: Cursor<'tu>) {
        if let Ok(id) = self.function_reference(cursor) {
            self.enter(id, cursor);
        }
    }

    fn enter(&mut self, id: FunctionRef, definition: Cursor<'tu>) {
        if self.entered.insert(id) {
            self.waiting.push((id, definition));
        }
    }

    pub(super) fn lower_waiting(&mut self) {
        while let Some((id, definition)) = self.waiting.pop() {
            let outer = std::mem::take(&mut self.body);
            self.inside = Some(id);
            let body = self.definition(definition);
            self.inside = None;
            let state = std::mem::replace(&mut self.body, outer);
            if let Some(body) = body {
                let function = &mut self.functions[id.0 as usize];
                function.locals = state.locals;
                function.labels = state.labels;
                function.parameters = definition.arguments().len() as u32;
                function.body = Some(body);
                super::finish::function(function);
            }
        }
    }

    fn definition(&mut self, cursor: Cursor<'tu>) -> Option<Stmt> {
        let body = cursor
            .children()
            .into_iter()
            .rev()
            .find(|child| child.kind() == CXCursor_CompoundStmt)?;
        self.function_body = Some(body);
        self.first_loops = None;
        let origin = self.statement_origin(body);
        self.body.origin = Some(Origin::New);
        self.body.entering = true;
        let parameters = cursor.arguments();
        let int = self.int();
        for parameter in &parameters {
            let name = parameter.spelling();
            let origin = self.name_origin(*parameter, &name);
            let qualifiers = self.parameter_qualifiers(*parameter);
            self.body.locals.push(Local {
                name,
                ty: int,
                kind: VariableKind::Parameter,
                qualifiers,
                address_taken: false,
                origin,
            });
        }
        let mut failure = None;
        for (number, parameter) in parameters.iter().enumerate() {
            let ty = match self.parameter_type(*parameter) {
                Ok(ty) => ty,
                Err(why) => {
                    failure = Some(format!("parameter {}: {why}", parameter.spelling()));
                    self.types.intern(Type::Opaque {
                        spelling: parameter.ty().spelling(),
                        size: 0,
                    })
                }
            };
            self.body.locals[number].ty = ty;
            self.body
                .local_keys
                .insert(parameter.key(), LocalId(number as u32));
        }
        self.body.entering = false;
        let mut prelude = std::mem::take(&mut self.body.sink);
        let failure = failure.or_else(|| self.error_inside(cursor));
        if let Some(why) = failure {
            let kind = StmtKind::Opaque {
                why,
                mentions: Vec::new(),
                escapes: true,
                jumps: false,
            };
            return Some(Stmt {
                id: StmtId(0),
                kind,
                origin,
            });
        }
        let mut lowered = self.single(body);
        if let StmtKind::Block { body, .. } = &mut lowered.kind {
            prelude.append(body);
            *body = prelude;
        }
        Some(lowered)
    }

    /// The first error that the compiler reports inside a function.
    fn error_inside(&mut self, cursor: Cursor<'tu>) -> Option<String> {
        if self.errors.is_empty() {
            return None;
        }
        let at = self.at(cursor, cursor.kind(), &[]);
        let file = self.file_id(at.file?)?;
        self.errors
            .iter()
            .find(|(place, offset, _)| *place == file && (at.start..=at.end).contains(offset))
            .map(|(_, _, message)| format!("the compiler reports an error inside: {message}"))
    }

    fn parameter_qualifiers(&mut self, cursor: Cursor<'tu>) -> Qualifiers {
        let ty = cursor.ty().canonical();
        let register = cursor.storage_class() == CX_SC_Register;
        if super::places::is_array(ty.kind()) {
            // The qualifiers of the pointer are written in the brackets.
            let restrict = outermost_brackets_say_restrict(&cursor.ty().spelling());
            return Qualifiers {
                restrict,
                register,
                ..Qualifiers::default()
            };
        }
        Qualifiers {
            constant: ty.is_const(),
            volatile: ty.is_volatile(),
            restrict: ty.is_restrict(),
            register,
        }
    }

    fn parameter_type(&mut self, cursor: Cursor<'tu>) -> Lowered<TypeId> {
        let written = cursor.ty();
        let canonical = written.canonical();
        if !self.is_variably_modified(written) {
            let ty = self.ty(canonical)?;
            return Ok(match *self.types.get(ty) {
                Type::Array { element, .. } => self.pointer_to(element),
                Type::Function { .. } => self.pointer_to(ty),
                _ => ty,
            });
        }
        let sizes: Vec<Cursor<'tu>> = cursor
            .children()
            .into_iter()
            .filter(|child| is_expression(child.kind()))
            .collect();
        if !super::places::is_array(canonical.kind()) {
            return self.declared_type(written, &sizes);
        }
        // The outermost length has no meaning.
        let sizes = match written.kind() {
            CXType_VariableArray | CXType_ConstantArray => &sizes[..sizes.len().saturating_sub(1)],
            _ => &sizes[..],
        };
        let element = self.declared_type(written.element(), sizes)?;
        Ok(self.pointer_to(element))
    }
}

/// Is `restrict` in the brackets of an array parameter's type, as the compiler writes that type? Its text in the source
/// may come from macros. Only a parameter's outermost brackets may hold qualifiers (C17 6.7.6.2), and the compiler
/// writes them first. In C90 `restrict` is a name, which an operator may follow: `a[restrict + 1]`.
fn outermost_brackets_say_restrict(spelling: &str) -> bool {
    spelling.split('[').skip(1).any(|inside| {
        let is_qualifier = |word: &&str| matches!(*word, "const" | "volatile" | "restrict" | "__restrict");
        let mut words = inside.split(' ').skip_while(|word| is_qualifier(word));
        let is_length = words
            .next()
            .is_some_and(|word| word.contains(char::is_alphanumeric));
        is_length
            && inside
                .split(' ')
                .take_while(is_qualifier)
                .any(|word| word.ends_with("restrict"))
    })
}
