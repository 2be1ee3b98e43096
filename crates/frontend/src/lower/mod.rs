//! From libclang's syntax tree to the structured program.
//!
//! A white list: a cursor whose kind, children and types are not exactly the expected ones makes its statement
//! `Opaque`, with the cause and with the variables that it mentions. A function with an error diagnostic inside is opaque as a
//! whole, as libclang drops erroneous statements without a trace.
//!
//! Order of evaluation: effects inside expressions are hoisted into statements, from left to right, and reads that C
//! leaves unsequenced with calls are made after them; both are among the orders that C allows. Unsequenced
//! effects on one object (`a[i] = i++`) are opaque.

#![allow(non_upper_case_globals)] // libclang's own names, in patterns

mod calls;
mod complex;
mod conversions;
mod declarations;
mod effects;
mod expressions;
mod finish;
mod functions;
mod generic;
mod heads;
mod initializers;
mod lex;
mod literals;
mod loops;
mod members;
mod node;
mod origins;
mod places;
pub mod probe;
mod replacements;
mod sequencing;
mod statements;
mod types;

use crate::clang::{Cursor, File, Severity, TranslationUnit};
use clang_sys::*;
use ferry_ir::*;
use ferry_source::{FileId, Origin, Sources, Span};
use origins::{At, MacroUses};
use probe::Pragmas;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Why something was not understood.
pub(crate) type Cause = String;

/// Result of lowering a piece of the program.
pub(crate) type Lowered<T> = Result<T, Cause>;

/// Lowers a parsed file. `main` is its number in `sources`; headers whose text nodes come from are added there.
/// Functions and globals that only system headers declare are left out unless something refers to them.
///
/// Call it on the thread of `tu`, which should be one of [`crate::clang::on_large_stack`]: recursion is as deep as the
/// program is nested. What the flags say about the dialect is for the caller to set in the result.
pub fn unit(tu: &TranslationUnit, sources: &mut Sources, main: FileId, pragmas: &dyn Pragmas) -> Unit {
    let mut lower = Lower::new(tu, sources, main, pragmas);
    let top = tu.cursor().children();
    lower.collect_macro_uses(&top);
    lower.collect_errors();
    lower.declare_all(&top);
    lower.finish()
}

/// The state of lowering one unit.
pub(crate) struct Lower<'tu, 's> {
    tu: &'tu TranslationUnit,
    sources: &'s mut Sources,
    main: FileId,
    pragmas: &'s dyn Pragmas,
    files: HashMap<File, Option<FileId>>,
    macros: MacroUses,
    /// All `#define`s by name, once they are needed.
    macro_definitions: Option<HashMap<Vec<u8>, Vec<Cursor<'tu>>>>,
    /// Places and messages of error diagnostics.
    errors: Vec<(FileId, u32, String)>,
    types: Types,
    type_cache: HashMap<usize, types::Cached>,
    records: HashMap<usize, RecordId>,
    /// Of a member's declaration: its record and number.
    fields: HashMap<usize, (RecordId, u32)>,
    globals: Vec<Global>,
    global_keys: HashMap<usize, GlobalId>,
    global_names: HashMap<String, GlobalId>,
    /// Macro uses with the number of one of their lines in them.
    lines: BTreeMap<Span, u32>,
    /// Members that clang refuses in a kernel.
    refused_members: BTreeSet<Span>,
    functions: Vec<Function>,
    function_keys: HashMap<usize, FunctionRef>,
    function_names: HashMap<String, FunctionRef>,
    /// Definitions whose bodies wait to be lowered.
    waiting: Vec<(FunctionRef, Cursor<'tu>)>,
    /// Functions whose bodies were lowered or wait for it.
    entered: HashSet<FunctionRef>,
    statement_places: HashMap<usize, At>,
    /// The body of the function that is being lowered, and the first `for` out of each macro use in it, once needed.
    function_body: Option<Cursor<'tu>>,
    first_loops: Option<HashMap<(File, u32), usize>>,
    /// The function that is being lowered (at file scope: none).
    inside: Option<FunctionRef>,
    /// An initializer of a variable that lives as long as the program is being lowered.
    constant: bool,
    body: Body,
}

/// The state of lowering one function.
#[derive(Default)]
struct Body {
    locals: Vec<Local>,
    local_keys: HashMap<usize, LocalId>,
    labels: Vec<String>,
    /// Types of the values of the switches around.
    switches: Vec<TypeId>,
    /// Types of typedefs with variable length.
    typedefs: HashMap<usize, TypeId>,
    /// Statements made so far, where the next goes.
    sink: Vec<Stmt>,
    /// The C statement that is being lowered.
    origin: Option<Origin>,
    /// Sizes of parameters: the same expression has the same extent.
    parameter_extents: Vec<(Expr, LocalId)>,
    entering: bool,
}

impl<'tu, 's> Lower<'tu, 's> {
    fn new(
        tu: &'tu TranslationUnit,
        sources: &'s mut Sources,
        main: FileId,
        pragmas: &'s dyn Pragmas,
    ) -> Lower<'tu, 's> {
        let mut files = HashMap::new();
        if let Some(file) = tu.file(sources.path(main)) {
            files.insert(file, Some(main));
        }
        Lower {
            tu,
            sources,
            main,
            pragmas,
            files,
            macros: MacroUses::default(),
            macro_definitions: None,
            errors: Vec::new(),
            types: Types::default(),
            type_cache: HashMap::new(),
            records: HashMap::new(),
            fields: HashMap::new(),
            globals: Vec::new(),
            global_keys: HashMap::new(),
            global_names: HashMap::new(),
            lines: BTreeMap::new(),
            refused_members: BTreeSet::new(),
            functions: Vec::new(),
            function_keys: HashMap::new(),
            function_names: HashMap::new(),
            waiting: Vec::new(),
            entered: HashSet::new(),
            statement_places: HashMap::new(),
            function_body: None,
            first_loops: None,
            inside: None,
            constant: false,
            body: Body::default(),
        }
    }

    /// The number of a file among the sources; it is read when it is first needed.
    fn file_id(&mut self, file: File) -> Option<FileId> {
        if let Some(&known) = self.files.get(&file) {
            return known;
        }
        let path = self.tu.file_name(file);
        let id = crate::input::file_id(self.sources, &path);
        self.files.insert(file, id);
        id
    }

    fn collect_macro_uses(&mut self, top: &[Cursor<'tu>]) {
        for cursor in top
            .iter()
            .filter(|cursor| cursor.kind() == CXCursor_MacroExpansion)
        {
            let (start, end) = cursor.extent();
            if start.in_macro() || end.in_macro() {
                continue;
            }
            if let (Some((file, start)), Some((_, end))) = (start.expansion(), end.expansion()) {
                self.macros.add(file, start, end);
            }
        }
    }

    fn collect_errors(&mut self) {
        for diagnostic in self.tu.diagnostics() {
            if diagnostic.severity < Severity::Error {
                continue;
            }
            if let Some((path, offset)) = diagnostic.place
                && let Some(file) = self.tu.file(&path)
                && let Some(file) = self.file_id(file)
            {
                self.errors.push((file, offset, diagnostic.message));
            }
        }
    }

    /// Lowers everything that this file and its own headers define, then what that refers to.
    fn declare_all(&mut self, top: &[Cursor<'tu>]) {
        for &cursor in top {
            let kind = cursor.kind();
            if !matches!(kind, CXCursor_FunctionDecl | CXCursor_VarDecl)
                || cursor.location().in_system_header()
            {
                continue;
            }
            if kind == CXCursor_VarDecl {
                // What fails here stays undefined, or defined without its value being known.
                if let Err(why) = self.global(cursor) {
                    self.unknown_global(cursor, why);
                }
            } else if cursor.is_definition() {
                self.function(cursor);
            }
            self.lower_waiting();
        }
        self.lower_waiting();
    }

    fn finish(self) -> Unit {
        Unit {
            file: self.main,
            types: self.types,
            globals: self.globals,
            functions: self.functions,
            dialect: Dialect::default(),
            lines: self.lines,
            refused_members: self.refused_members,
            also_named: BTreeSet::new(),
            declared: Ok(Vec::new()),
        }
    }

    /// Adds a statement of the present C statement.
    fn emit(&mut self, kind: StmtKind) {
        let origin = self.body.origin.unwrap_or(Origin::New);
        // Numbers are given in text order when the function is complete.
        self.body.sink.push(Stmt {
            id: StmtId(0),
            kind,
            origin,
        });
    }

    /// The statements that `work` makes, and its result.
    fn capture<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Vec<Stmt>) {
        let outer = std::mem::take(&mut self.body.sink);
        let result = work(self);
        (result, std::mem::replace(&mut self.body.sink, outer))
    }

    /// Several statements as one.
    fn block(&self, mut body: Vec<Stmt>, origin: Origin) -> Stmt {
        match body.len() {
            0 => Stmt {
                id: StmtId(0),
                kind: StmtKind::Empty,
                origin,
            },
            1 => body.remove(0),
            _ => Stmt {
                id: StmtId(0),
                kind: StmtKind::Block { body, scope: false },
                origin,
            },
        }
    }

    /// A fresh temporary.
    fn temporary(&mut self, ty: TypeId) -> Place {
        self.fresh(ty, VariableKind::Temporary, "t")
    }

    fn fresh(&mut self, ty: TypeId, kind: VariableKind, prefix: &str) -> Place {
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name: format!("%{prefix}{}", id.0),
            ty,
            kind,
            qualifiers: Qualifiers::default(),
            address_taken: false,
            origin: Origin::New,
        });
        Place::local(id, ty, Origin::New)
    }
}

/// The value of a place.
fn load(place: Place) -> Expr {
    Expr {
        ty: place.ty,
        origin: place.origin,
        kind: ExprKind::Load(Box::new(place)),
    }
}
