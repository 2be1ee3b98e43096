//! What is a program here? One unit is one translation unit: its types, globals and functions.

use crate::{Expr, Place, Stmt, Type, TypeId, Types};
use ferry_source::{FileId, Origin, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A global or static variable of one unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GlobalId(pub u32);

/// A function of one unit, defined in it or only declared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionRef(pub u32);

/// A parameter, local variable or temporary of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalId(pub u32);

/// Any variable, seen from inside one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VariableRef {
    /// Of the unit.
    Global(GlobalId),
    /// Of the function.
    Local(LocalId),
}

impl VariableRef {
    /// The variable of the unit, if it is one.
    pub fn as_global(self) -> Option<GlobalId> {
        match self {
            VariableRef::Global(id) => Some(id),
            VariableRef::Local(_) => None,
        }
    }
}

/// Who else sees a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Other units, by its name.
    External,
    /// This unit only.
    Internal,
}

/// A variable that lives as long as the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Name as in the source.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Who sees it.
    pub linkage: Linkage,
    /// The function in which it is declared, for `static` locals (whose linkage is internal).
    pub inside: Option<FunctionRef>,
    /// False for `extern` without a definition in this unit.
    pub defined: bool,
    /// `_Thread_local`.
    pub thread_local: bool,
    /// Declared as another name for what the linker finds (`__asm__("a")`, `alias`): its storage may be that of another variable.
    pub renamed: bool,
    /// Qualifiers of the declaration.
    pub qualifiers: Qualifiers,
    /// String literals become globals of kind `char[]`.
    pub string_literal: bool,
    /// Constant stores that follow an all-zero start, in order.
    pub initial: Vec<(Place, Expr)>,
    /// Where its name is declared: where it is first defined, if it is.
    pub origin: Origin,
}

/// Qualifiers of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Qualifiers {
    /// The object itself is const.
    pub constant: bool,
    /// The object itself is volatile.
    pub volatile: bool,
    /// A `restrict` pointer.
    pub restrict: bool,
    /// Declared `register`: nothing may take its address.
    pub register: bool,
}

/// What a local variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// A parameter.
    Parameter,
    /// Declared in the text.
    Local,
    /// Made by the front end to hold a value between effects of one C statement. Assigned once where it is made.
    Temporary,
    /// Length of a variable-length array, in elements, signed 64 bits; assigned once, at the declaration.
    Extent,
}

impl VariableKind {
    /// True for what the front end made and no text declares.
    pub fn is_made(self) -> bool {
        matches!(self, VariableKind::Temporary | VariableKind::Extent)
    }
}

/// A parameter, local variable or temporary.
#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// Name as in the source; temporaries have names that no C program can have.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// What it is for.
    pub kind: VariableKind,
    /// Qualifiers of the declaration.
    pub qualifiers: Qualifiers,
    /// Its address is taken other than for subscripting it or reading a member.
    pub address_taken: bool,
    /// Where its name is declared.
    pub origin: Origin,
}

/// A function, defined or only declared.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Its [`crate::Type::Function`].
    pub ty: TypeId,
    /// Who sees it.
    pub linkage: Linkage,
    /// Declared `inline`.
    pub inline: bool,
    /// GNU `const` or `pure` attribute: no effects.
    pub pure: bool,
    /// `noreturn`.
    pub noreturn: bool,
    /// The first of these are the parameters, in order.
    pub locals: Vec<Local>,
    /// How many parameters.
    pub parameters: u32,
    /// Names of the labels.
    pub labels: Vec<String>,
    /// One past the largest statement number.
    pub statements: u32,
    /// The body; `None` if only declared. A body that was not understood as a whole is one `Opaque` statement.
    pub body: Option<Stmt>,
    /// From the first specifier to the closing brace.
    pub origin: Origin,
    /// Where its name is written.
    pub name_span: Option<Span>,
}

/// What a directive of OpenMP that declares something says of a name of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Declaring {
    /// `declare target`: it lives on the device from the beginning, or is a function for the device.
    Device,
    /// `declare target link`: it is on the device while it is mapped.
    Linked,
    /// `threadprivate`: every thread has its own.
    Private,
    /// `declare variant`: which function a call calls goes by the context.
    Variant,
    /// `declare mapper`, of a type: its maps move what the mapper says.
    Mapper,
}

/// Of what such a directive speaks, as the compiler understands it: regions, included files, macros and attributes are taken account of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The variable, if it is one.
    pub variable: Option<GlobalId>,
    /// The function, if it is one.
    pub function: Option<FunctionRef>,
    /// What is said of it.
    pub how: Declaring,
    /// In the directive, or where it begins; none in a file whose text is not kept.
    pub at: Option<Span>,
}

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The main file.
    pub file: FileId,
    /// Its types.
    pub types: Types,
    /// Its globals.
    pub globals: Vec<Global>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// What signed overflow and the like mean, from the compiler's flags.
    pub dialect: Dialect,
    /// Macro uses out of which a number came that is the number of one of their lines, as `__LINE__` gives it, and the line in which each begins.
    pub lines: BTreeMap<Span, u32>,
    /// Uses of members that clang 19 refuses in a kernel's own text, because of what they are members of (`(&s)->n`, `f(x).n`).
    pub refused_members: BTreeSet<Span>,
    /// Functions that something of another name may be (`alias("f")`): calls of them are not all that call them.
    pub also_named: BTreeSet<FunctionRef>,
    /// What OpenMP's directives declare, of variables and functions at file scope; or why the compiler could not tell.
    pub declared: Result<Vec<Declared>, Undeclared>,
}

/// The compiler could not tell what directives declare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undeclared {
    /// What it said.
    pub why: String,
    /// Where; none in a file whose text is not kept.
    pub at: Option<Span>,
}

/// What the compiler's flags change about the language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dialect {
    /// `-fwrapv`: signed arithmetic wraps.
    pub wrapping: bool,
    /// `-fno-strict-aliasing`: pointers of different types may point to the same object.
    pub no_strict_aliasing: bool,
    /// The unit includes `complex.h`: not a flag, but compilers for devices multiply complex numbers with what it brings.
    pub complex_header: bool,
    /// `-funsigned-char`: already in the types, kept for printing.
    pub unsigned_char: bool,
}

impl Unit {
    /// The global with this number.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The function with this number.
    pub fn function(&self, id: FunctionRef) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The name of a variable of a function, or of the file.
    pub fn name_of<'u>(&'u self, function: &'u Function, variable: VariableRef) -> &'u str {
        match variable {
            VariableRef::Global(id) => &self.global(id).name,
            VariableRef::Local(id) => &function.local(id).name,
        }
    }

    /// The function in whose body a place is.
    pub fn function_at(&self, at: Span) -> Option<(FunctionRef, &Function)> {
        self.functions().find(|(_, function)| {
            let body = function.body.as_ref().and_then(|body| body.origin.span());
            body.is_some_and(|body| body.contains(at))
        })
    }

    /// True if a store of this type changes no pointer, by C's effective types (C11 6.5p7). Characters may, and so may every type where the
    /// flags say that types tell nothing.
    pub fn leaves_pointers(&self, stored: TypeId) -> bool {
        let other = matches!(
            self.types.get(stored),
            Type::Int { bits: 16.., .. } | Type::Float { .. } | Type::Complex { .. } | Type::Bool
        );
        other && !self.dialect.no_strict_aliasing
    }

    /// All functions with their numbers.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionRef, &Function)> {
        self.functions
            .iter()
            .enumerate()
            .map(|(number, function)| (FunctionRef(number as u32), function))
    }
}

impl Function {
    /// The local with this number.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}
