//! What does a declaration of a variable become? Locals with their life and value, statics and globals.

use super::statements::is_expression;
use super::{Lower, Lowered};
use crate::clang::{ClangType, Cursor};
use clang_sys::*;
use ferry_ir::*;

impl<'tu> Lower<'tu, '_> {
    /// A declaration inside a function.
    pub(super) fn local_declaration(&mut self, cursor: Cursor<'tu>) -> Lowered<()> {
        match cursor.kind() {
            CXCursor_VarDecl => match cursor.storage_class() {
                CX_SC_Static => {
                    if let Err(why) = self.global(cursor) {
                        self.unknown_global(cursor, why);
                    }
                    Ok(())
                }
                CX_SC_Extern => self.global_reference(cursor).map(|_| ()),
                _ => self.local(cursor),
            },
            CXCursor_TypedefDecl => {
                let ty = cursor.typedef_underlying();
                if self.is_variably_modified(ty) {
                    let ty = self.declared_type(ty, &self.sizes(cursor))?;
                    self.body.typedefs.insert(cursor.canonical().key(), ty);
                }
                Ok(())
            }
            CXCursor_StructDecl | CXCursor_UnionDecl | CXCursor_EnumDecl | CXCursor_FunctionDecl => Ok(()),
            CXCursor_StaticAssert => match crate::rounds::made_directive(cursor) {
                Some(text) => Err(format!("a macro makes a directive among other text: `{text}`")),
                None => Ok(()),
            },
            CXCursor_UnexposedDecl => Ok(()), // an empty declaration
            kind => Err(format!(
                "a declaration of a form that is not modelled (libclang's kind {kind})"
            )),
        }
    }

    /// The array lengths of a declaration, in libclang's order, without its initializer.
    fn sizes(&self, cursor: Cursor<'tu>) -> Vec<Cursor<'tu>> {
        let initializer = if cursor.kind() == CXCursor_VarDecl {
            cursor.initializer()
        } else {
            None
        };
        cursor
            .children()
            .into_iter()
            .filter(|child| is_expression(child.kind()))
            .filter(|child| initializer.is_none_or(|initializer| initializer.key() != child.key()))
            .collect()
    }

    pub(super) fn qualifiers(&self, ty: ClangType<'tu>) -> Qualifiers {
        let mut ty = ty.canonical();
        let mut qualifiers = Qualifiers {
            restrict: ty.is_restrict(),
            ..Qualifiers::default()
        };
        loop {
            qualifiers.constant |= ty.is_const();
            qualifiers.volatile |= ty.is_volatile();
            if !super::places::is_array(ty.kind()) {
                return qualifiers;
            }
            ty = ty.element().canonical();
        }
    }

    fn local(&mut self, cursor: Cursor<'tu>) -> Lowered<()> {
        // Known before its type, so that a failure below leaves a variable and not an unknown name.
        let name = cursor.spelling();
        let int = self.int();
        let qualifiers = Qualifiers {
            register: cursor.storage_class() == CX_SC_Register,
            ..self.qualifiers(cursor.ty())
        };
        let origin = self.name_origin(cursor, &name);
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name,
            ty: int,
            kind: VariableKind::Local,
            qualifiers,
            address_taken: false,
            origin,
        });
        let sizes = self.sizes(cursor);
        let ty = match self.declared_type(cursor.ty(), &sizes) {
            Ok(ty) => ty,
            Err(why) => {
                let spelling = cursor.ty().spelling();
                let ty = self.types.intern(Type::Opaque { spelling, size: 0 });
                self.body.locals[id.0 as usize].ty = ty;
                self.body.local_keys.insert(cursor.key(), id);
                self.emit(StmtKind::Declare { local: id });
                return Err(why);
            }
        };
        self.body.locals[id.0 as usize].ty = ty;
        self.body.local_keys.insert(cursor.key(), id);
        self.emit(StmtKind::Declare { local: id });
        let cleans_up = cursor.children().into_iter().any(|child| {
            child.kind() == CXCursor_UnexposedAttr
                && self
                    .has_word(child, &[b"cleanup", b"__cleanup__"])
                    .unwrap_or(true)
        });
        if cleans_up {
            return Err("a variable whose end calls a function".into());
        }
        if let Some(initializer) = cursor.initializer() {
            let node = self.node(initializer);
            let mut place = Place::local(id, ty, origin);
            place.volatile = qualifiers.volatile;
            if self.is_unsequenced(&node) {
                return Err("unsequenced effects".into());
            }
            self.initialize(place, &node)?;
        }
        Ok(())
    }

    pub(super) fn name_origin(&mut self, cursor: Cursor<'tu>, name: &str) -> ferry_source::Origin {
        let location = cursor.location();
        let Some((file, at)) = location.expansion() else {
            return ferry_source::Origin::New;
        };
        let in_macro = location.in_macro();
        let end = match self.macros.end_of(file, at) {
            Some(end) if in_macro => end,
            _ => at + name.len() as u32,
        };
        match self.span(Some(file), at, end) {
            Some(span) if !in_macro => ferry_source::Origin::Text(span),
            Some(span) => ferry_source::Origin::Expanded(span),
            None => ferry_source::Origin::New,
        }
    }

    /// A global or static variable, as far as the unit declares it.
    pub(super) fn global_reference(&mut self, cursor: Cursor<'tu>) -> Lowered<GlobalId> {
        let canonical = cursor.canonical().key();
        if let Some(&id) = self
            .global_keys
            .get(&canonical)
            .or_else(|| self.global_keys.get(&cursor.key()))
        {
            return Ok(id);
        }
        let name = cursor.spelling();
        let external = cursor.linkage() == CXLinkage_External;
        if external && let Some(&id) = self.global_names.get(&name) {
            self.global_keys.insert(canonical, id);
            return Ok(id);
        }
        let declaration = cursor.definition().unwrap_or(cursor);
        let ty = self.ty(declaration.ty())?;
        let qualifiers = self.qualifiers(declaration.ty());
        let origin = self.name_origin(declaration, &name);
        let local = matches!(
            cursor.semantic_parent().map(Cursor::kind),
            Some(CXCursor_FunctionDecl)
        );
        let renamed = self.is_renamed(cursor) || self.is_renamed(declaration);
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: name.clone(),
            ty,
            linkage: if external {
                Linkage::External
            } else {
                Linkage::Internal
            },
            inside: if local && !external { self.inside } else { None },
            defined: false,
            thread_local: cursor.is_thread_local(),
            renamed,
            qualifiers,
            string_literal: false,
            initial: Vec::new(),
            origin,
        });
        self.global_keys.insert(canonical, id);
        if external {
            self.global_names.insert(name, id);
        }
        Ok(id)
    }

    /// True for a declaration that gives another name to what the linker finds. An attribute that cannot be read may do that.
    fn is_renamed(&self, cursor: Cursor<'tu>) -> bool {
        let names = [&b"alias"[..], b"__alias__", b"weakref", b"__weakref__"];
        cursor.children().into_iter().any(|child| match child.kind() {
            CXCursor_AsmLabelAttr => true,
            CXCursor_UnexposedAttr => self.has_word(child, &names).unwrap_or(true),
            _ => false,
        })
    }

    /// One declaration of a global or static variable, with its initializer if it has one.
    pub(super) fn global(&mut self, cursor: Cursor<'tu>) -> Lowered<()> {
        let id = self.global_reference(cursor)?;
        if self.is_renamed(cursor) {
            self.globals[id.0 as usize].renamed = true;
        }
        let ty = self.globals[id.0 as usize].ty;
        if cursor.storage_class() != CX_SC_Extern || cursor.initializer().is_some() {
            if !self.globals[id.0 as usize].defined {
                let name = cursor.spelling();
                self.globals[id.0 as usize].origin = self.name_origin(cursor, &name);
            }
            self.globals[id.0 as usize].defined = true;
        }
        let declared = self.ty(cursor.ty())?;
        if self.types.size(ty).is_none() && self.types.size(declared).is_some() {
            self.globals[id.0 as usize].ty = declared;
        }
        let Some(initializer) = cursor.initializer() else {
            return Ok(());
        };
        let node = self.node(initializer);
        let ty = self.globals[id.0 as usize].ty;
        let mut place = Place::variable(VariableRef::Global(id), ty, ferry_source::Origin::New);
        place.volatile = self.globals[id.0 as usize].qualifiers.volatile;
        let initial = self.constant_stores(place, &node)?;
        self.globals[id.0 as usize].initial = initial;
        Ok(())
    }

    /// A global whose initializer was not understood holds an unknown value, not zeros.
    pub(super) fn unknown_global(&mut self, cursor: Cursor<'tu>, why: String) {
        let Ok(id) = self.global_reference(cursor) else {
            return;
        };
        let global = &mut self.globals[id.0 as usize];
        let mut place = Place::variable(VariableRef::Global(id), global.ty, ferry_source::Origin::New);
        place.volatile = global.qualifiers.volatile;
        let value = Expr {
            kind: ExprKind::Opaque {
                why,
                mentions: Vec::new(),
            },
            ty: global.ty,
            origin: ferry_source::Origin::New,
        };
        global.initial = vec![(place, value)];
    }
}
