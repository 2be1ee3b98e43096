//! How do several units become one, in which calls from file to file lead to bodies? And how is the body of one function put in terms of another unit?
//!
//! The first unit keeps its numbers; what the others have is added behind. Functions and variables with external linkage are the same by their names, types by
//! what they are, records by where they are defined.
//!
//! What it cannot do: tell which of two definitions of one name the linker takes; the caller has to know that there is one.

use crate::{
    Callee, Declared, Expr, ExprKind, Field, Function, FunctionRef, Global, GlobalId, Length, Linkage, Loop,
    Place, PlaceBase, Projection, Record, RecordId, Stmt, StmtKind, Type, TypeId, Unit, VariableRef,
};
use std::collections::{BTreeMap, HashMap};

/// Several units as one.
pub struct Joined {
    /// The unit.
    pub unit: Unit,
    /// The numbers that the functions of each unit behind the first have in it.
    pub functions: Vec<Vec<FunctionRef>>,
    /// The numbers that their variables have.
    pub globals: Vec<Vec<GlobalId>>,
}

/// Joins units to a first one. `is_bound` says of a name whether its definition in these units is the one that the linker takes.
pub fn join(first: &Unit, others: &[&Unit], is_bound: &dyn Fn(&str) -> bool) -> Joined {
    let mut unit = first.clone();
    let (mut functions, mut globals) = (Vec::new(), Vec::new());
    for other in others {
        let mut import = Import {
            from: other,
            known: Known::default(),
            unit: &mut unit,
            numbers_for_constants: false,
        };
        import.all(is_bound);
        import.spoken_of();
        let known = import.known;
        functions.push(known.functions.into_values().collect());
        globals.push(known.globals.into_values().collect());
    }
    Joined {
        unit,
        functions,
        globals,
    }
}

/// The numbers that what one unit has got in another.
#[derive(Default)]
pub struct Known {
    types: HashMap<TypeId, TypeId>,
    records: HashMap<RecordId, RecordId>,
    functions: BTreeMap<FunctionRef, FunctionRef>,
    globals: BTreeMap<GlobalId, GlobalId>,
}

impl Known {
    /// The number that a variable has got.
    pub fn global(&self, id: GlobalId) -> Option<GlobalId> {
        self.globals.get(&id).copied()
    }
}

/// The constant that an expression reads, and what it is defined as: nobody may change it (C11 6.7.3).
pub fn constant<'a>(unit: &'a Unit, expr: &Expr) -> Option<(&'a Global, &'a Expr)> {
    let ExprKind::Load(place) = &expr.kind else {
        return None;
    };
    let global = unit.global(place.as_variable()?.as_global()?);
    let is_fixed = global.qualifiers.constant && !global.qualifiers.volatile && !global.thread_local;
    match global.initial.as_slice() {
        [(first, value)] if is_fixed && global.defined && first.path.is_empty() => Some((global, value)),
        _ => None,
    }
}

/// The number that an expression reads from a constant of its file alone (`static const int width = 8;`).
pub fn constant_number<'a>(unit: &'a Unit, expr: &Expr) -> Option<&'a Expr> {
    let (global, value) = constant(unit, expr)?;
    let ExprKind::Load(place) = &expr.kind else {
        return None;
    };
    let is_number = global.linkage == Linkage::Internal
        && [value.ty, place.ty, expr.ty].iter().all(|ty| *ty == global.ty)
        && matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_));
    is_number.then_some(value)
}

/// A function of `from` in terms of `unit`, with its body, and the number that it has there. The unit gets types, variables and declarations of functions that
/// the body names; it does not get the body. Constants of its own file that hold a number are that number.
pub fn in_terms_of(
    unit: &mut Unit,
    from: &Unit,
    id: FunctionRef,
    known: &mut Known,
) -> (FunctionRef, Function) {
    let mut import = Import {
        from,
        known: std::mem::take(known),
        unit,
        numbers_for_constants: true,
    };
    let own = import.function(id);
    let function = from.function(id);
    let body = function.body.as_ref().map(|body| import.stmt(body));
    let brought = import.with_body(function, body);
    *known = import.known;
    (own, brought)
}

/// A type of `from` in terms of `unit`, which has it from now on.
pub fn type_in_terms_of(unit: &mut Unit, from: &Unit, ty: TypeId, known: &mut Known) -> TypeId {
    let mut import = Import {
        from,
        known: std::mem::take(known),
        unit,
        numbers_for_constants: false,
    };
    let own = import.ty(ty);
    *known = import.known;
    own
}

struct Import<'a> {
    unit: &'a mut Unit,
    from: &'a Unit,
    known: Known,
    numbers_for_constants: bool,
}

impl Import<'_> {
    fn all(&mut self, is_bound: &dyn Fn(&str) -> bool) {
        let from = self.from;
        // Numbers first: bodies name functions and variables that come later.
        let known = self.unit.functions.len();
        for (id, _) in from.functions() {
            self.function(id);
        }
        let new = |number: usize| number >= known;
        let mut taken = Vec::new();
        for (number, global) in from.globals.iter().enumerate() {
            let id = GlobalId(number as u32);
            let (own, is_new) = self.number_of(id);
            if is_new || global.defined && !self.unit.global(own).defined {
                taken.push(id);
            }
        }
        for id in taken {
            self.define(id);
        }
        for (id, function) in from.functions() {
            let own = self.function(id).0 as usize;
            let internal = function.linkage == Linkage::Internal;
            let body = function
                .body
                .as_ref()
                .filter(|_| internal || is_bound(&function.name));
            let body = body.map(|body| self.stmt(body));
            // What has a body already keeps it.
            if self.unit.functions[own].body.is_some() || body.is_none() && !new(own) {
                continue;
            }
            self.unit.functions[own] = self.with_body(function, body);
        }
    }

    /// A function with the types of its variables in terms of the unit, and a body that is.
    fn with_body(&mut self, function: &Function, body: Option<Stmt>) -> Function {
        let mut locals = function.locals.clone();
        for local in &mut locals {
            local.ty = self.ty(local.ty);
        }
        Function {
            ty: self.ty(function.ty),
            locals,
            body,
            ..function.clone()
        }
    }

    /// The number of a function in the unit, which declares it from now on.
    fn function(&mut self, id: FunctionRef) -> FunctionRef {
        if let Some(known) = self.known.functions.get(&id) {
            return *known;
        }
        let function = self.from.function(id);
        let same = |one: &Function| one.linkage == Linkage::External && one.name == function.name;
        let number = match function.linkage {
            Linkage::External => self.unit.functions.iter().position(same),
            Linkage::Internal => None,
        };
        let number = number.unwrap_or_else(|| {
            let declared = Function {
                ty: self.ty(function.ty),
                locals: Vec::new(),
                parameters: 0,
                body: None,
                ..function.clone()
            };
            self.unit.functions.push(declared);
            self.unit.functions.len() - 1
        });
        let own = FunctionRef(number as u32);
        self.known.functions.insert(id, own);
        own
    }

    /// The number of a variable in the unit, which has it from now on.
    fn global(&mut self, id: GlobalId) -> GlobalId {
        let (own, is_new) = self.number_of(id);
        if is_new {
            self.define(id);
        }
        own
    }

    /// The number of a variable in the unit, and whether the unit has got it now, still in terms of the other one.
    fn number_of(&mut self, id: GlobalId) -> (GlobalId, bool) {
        if let Some(known) = self.known.globals.get(&id) {
            return (*known, false);
        }
        let global = self.from.global(id);
        let same = |one: &Global| one.linkage == Linkage::External && one.name == global.name;
        let number = match global.linkage {
            Linkage::External => self.unit.globals.iter().position(same),
            Linkage::Internal => None,
        };
        let is_new = number.is_none();
        let number = number.unwrap_or_else(|| {
            self.unit.globals.push(global.clone());
            self.unit.globals.len() - 1
        });
        let own = GlobalId(number as u32);
        self.known.globals.insert(id, own);
        (own, is_new)
    }

    /// Puts what is said of a variable into the unit.
    fn define(&mut self, id: GlobalId) {
        let global = self.from.global(id);
        let own = self.global(id).0 as usize;
        let initial = global.initial.iter();
        let initial = initial
            .map(|(place, value)| (self.place(place), self.expr(value)))
            .collect();
        self.unit.globals[own] = Global {
            ty: self.ty(global.ty),
            inside: global.inside.map(|id| self.function(id)),
            initial,
            ..global.clone()
        };
    }

    /// What directives and other names say of the unit's variables and functions.
    fn spoken_of(&mut self) {
        let function = |id: &FunctionRef| self.known.functions[id];
        self.unit
            .also_named
            .extend(self.from.also_named.iter().map(function));
        match (&mut self.unit.declared, &self.from.declared) {
            (Ok(all), Ok(more)) => all.extend(more.iter().map(|one| Declared {
                variable: one.variable.map(|id| self.known.globals[&id]),
                function: one.function.as_ref().map(function),
                ..one.clone()
            })),
            (Ok(_), Err(why)) => self.unit.declared = Err(why.clone()),
            (Err(_), _) => {}
        }
    }

    fn ty(&mut self, id: TypeId) -> TypeId {
        if let Some(known) = self.known.types.get(&id) {
            return *known;
        }
        let ty = match self.from.types.get(id).clone() {
            Type::Pointer(to) => Type::Pointer(self.ty(to)),
            Type::Array { element, length } => Type::Array {
                element: self.ty(element),
                length: match length {
                    Length::Constant(_) | Length::Variable(_) | Length::Unknown => length,
                },
            },
            Type::Record(record) => Type::Record(self.record(record)),
            Type::Function {
                result,
                parameters,
                variadic,
            } => Type::Function {
                result: self.ty(result),
                parameters: parameters.into_iter().map(|one| self.ty(one)).collect(),
                variadic,
            },
            simple => simple,
        };
        let own = self.unit.types.intern(ty);
        self.known.types.insert(id, own);
        own
    }

    fn record(&mut self, id: RecordId) -> RecordId {
        if let Some(known) = self.known.records.get(&id) {
            return *known;
        }
        let record = self.from.types.record(id).clone();
        if let Some(known) = self.alike(id, &record) {
            return known;
        }
        let own = RecordId(self.unit.types.records.len() as u32);
        self.known.records.insert(id, own);
        self.unit.types.records.push(Record {
            fields: Vec::new(),
            ..record.clone()
        });
        let mut fields: Vec<Field> = record.fields;
        for field in &mut fields {
            field.ty = self.ty(field.ty);
        }
        self.unit.types.records[own.0 as usize].fields = fields;
        own
    }

    /// The unit's record that is declared at the same place, or has the same tag (C11 6.2.7), with the same members: one header may declare others in each file, by
    /// its macros.
    fn alike(&mut self, id: RecordId, record: &Record) -> Option<RecordId> {
        let looks_the_same = |one: &Record| {
            let fields = one.fields.iter().zip(&record.fields);
            let at_one_place = one.origin == record.origin && record.origin.span().is_some();
            (at_one_place || !record.name.is_empty() && record.complete)
                && (&one.name, one.union, one.size, one.complete)
                    == (&record.name, record.union, record.size, record.complete)
                && one.fields.len() == record.fields.len()
                && fields.into_iter().all(|(one, other)| {
                    (&one.name, one.offset_bits, one.width, one.volatile)
                        == (&other.name, other.offset_bits, other.width, other.volatile)
                })
        };
        let number = self.unit.types.records.iter().position(looks_the_same)?;
        let own = RecordId(number as u32);
        // Members may lead to the record itself: it is taken to be the same while they are compared.
        let before = (self.known.types.clone(), self.known.records.clone());
        self.known.records.insert(id, own);
        let same = record.fields.iter().enumerate().all(|(place, field)| {
            let ty = self.ty(field.ty);
            self.unit.types.records[number].fields[place].ty == ty
        });
        if !same {
            (self.known.types, self.known.records) = before;
            return None;
        }
        Some(own)
    }

    fn statements(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        body.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn boxed(&mut self, stmt: &Stmt) -> Box<Stmt> {
        Box::new(self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let kind = match &stmt.kind {
            StmtKind::Assign { place, value } => StmtKind::Assign {
                place: self.place(place),
                value: self.expr(value),
            },
            StmtKind::Zero { place } => StmtKind::Zero {
                place: self.place(place),
            },
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => StmtKind::Call {
                result: result.as_ref().map(|place| self.place(place)),
                callee: match callee {
                    Callee::Function(id) => Callee::Function(self.function(*id)),
                    Callee::Pointer(pointer) => Callee::Pointer(self.expr(pointer)),
                },
                arguments: arguments.iter().map(|one| self.expr(one)).collect(),
            },
            StmtKind::Block { body, scope } => StmtKind::Block {
                body: self.statements(body),
                scope: *scope,
            },
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => StmtKind::If {
                condition: self.expr(condition),
                then: self.boxed(then),
                otherwise: otherwise.as_ref().map(|otherwise| self.boxed(otherwise)),
            },
            StmtKind::Loop(of) => StmtKind::Loop(Box::new(Loop {
                kind: of.kind,
                init: self.statements(&of.init),
                before_test: self.statements(&of.before_test),
                condition: of.condition.as_ref().map(|condition| self.expr(condition)),
                step: self.statements(&of.step),
                refused: of.refused,
                body: self.stmt(&of.body),
                spans: of.spans,
                keyword: of.keyword,
            })),
            StmtKind::Switch { value, body } => StmtKind::Switch {
                value: self.expr(value),
                body: self.boxed(body),
            },
            StmtKind::Return(value) => StmtKind::Return(value.as_ref().map(|value| self.expr(value))),
            StmtKind::Directive { directive, body } => StmtKind::Directive {
                directive: Box::new(directive.map_expressions(|expr, _| self.expr(expr))),
                body: body.as_ref().map(|body| self.boxed(body)),
            },
            StmtKind::Opaque {
                why,
                mentions,
                escapes,
                jumps,
            } => StmtKind::Opaque {
                why: why.clone(),
                mentions: mentions.iter().map(|one| self.expr(one)).collect(),
                escapes: *escapes,
                jumps: *jumps,
            },
            StmtKind::Declare { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Empty => stmt.kind.clone(),
        };
        Stmt {
            id: stmt.id,
            kind,
            origin: stmt.origin,
        }
    }

    fn place(&mut self, place: &Place) -> Place {
        let base = match &place.base {
            PlaceBase::Variable(VariableRef::Global(id)) => {
                PlaceBase::Variable(VariableRef::Global(self.global(*id)))
            }
            PlaceBase::Variable(local) => PlaceBase::Variable(*local),
            PlaceBase::Deref(pointer) => PlaceBase::Deref(Box::new(self.expr(pointer))),
        };
        let path = place.path.iter().map(|projection| match projection {
            Projection::Field(number) => Projection::Field(*number),
            Projection::Index(index) => Projection::Index(self.expr(index)),
        });
        let path = path.collect();
        Place {
            base,
            path,
            ty: self.ty(place.ty),
            ..*place
        }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let number = constant_number(self.from, expr).filter(|_| self.numbers_for_constants);
        if let Some(number) = number {
            return Expr {
                kind: number.kind.clone(),
                ty: self.ty(expr.ty),
                origin: expr.origin,
            };
        }
        let mut all = |expr: &Expr| Box::new(self.expr(expr));
        let kind = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => expr.kind.clone(),
            ExprKind::Function(id) => ExprKind::Function(self.function(*id)),
            ExprKind::Load(place) => ExprKind::Load(Box::new(self.place(place))),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(Box::new(self.place(place))),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, all(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, all(a), all(b)),
            ExprKind::Logical(op, a, b) => ExprKind::Logical(*op, all(a), all(b)),
            ExprKind::Select(a, b, c) => ExprKind::Select(all(a), all(b), all(c)),
            ExprKind::Cast(a) => ExprKind::Cast(all(a)),
            ExprKind::Offset(a, b) => ExprKind::Offset(all(a), all(b)),
            ExprKind::Difference(a, b) => ExprKind::Difference(all(a), all(b)),
            ExprKind::Opaque { why, mentions } => ExprKind::Opaque {
                why: why.clone(),
                mentions: mentions.iter().map(|mention| self.expr(mention)).collect(),
            },
        };
        Expr {
            kind,
            ty: self.ty(expr.ty),
            origin: expr.origin,
        }
    }
}
