//! Small helpers that build programs by hand.

use crate::*;
use ferry_source::{FileId, Origin};

/// A unit with its common types, and one function under construction at a time.
pub struct Build {
    pub unit: Unit,
    pub int: TypeId,
    pub long: TypeId,
    pub char: TypeId,
    pub double: TypeId,
    pub void: TypeId,
    locals: Vec<Local>,
    parameters: u32,
    labels: Vec<String>,
    next: u32,
}

impl Build {
    pub fn new() -> Build {
        let mut types = Types::default();
        let int = types.intern(Type::Int {
            bits: 32,
            signed: true,
        });
        let long = types.intern(Type::Int {
            bits: 64,
            signed: true,
        });
        let char = types.intern(Type::Int {
            bits: 8,
            signed: true,
        });
        let double = types.intern(Type::Float { bits: 64 });
        let void = types.intern(Type::Void);
        let unit = Unit {
            file: FileId(0),
            types,
            globals: Vec::new(),
            functions: Vec::new(),
            dialect: Dialect::default(),
            lines: Default::default(),
            refused_members: Default::default(),
            also_named: Default::default(),
            declared: Ok(Vec::new()),
        };
        let (locals, labels) = (Vec::new(), Vec::new());
        Build {
            unit,
            int,

            long,
            char,
            double,
            void,
            locals,
            parameters: 0,
            labels,
            next: 0,
        }
    }

    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.unit.types.intern(Type::Pointer(to))
    }

    pub fn array(&mut self, element: TypeId, length: u64) -> TypeId {
        self.unit.types.intern(Type::Array {
            element,
            length: Length::Constant(length),
        })
    }

    pub fn parameter(&mut self, ty: TypeId) -> LocalId {
        self.parameters += 1;
        self.any_local(ty, VariableKind::Parameter)
    }

    pub fn local(&mut self, ty: TypeId) -> LocalId {
        self.any_local(ty, VariableKind::Local)
    }

    pub fn any_local(&mut self, ty: TypeId, kind: VariableKind) -> LocalId {
        self.locals.push(Local {
            name: format!("v{}", self.locals.len()),
            ty,
            kind,
            qualifiers: Qualifiers::default(),
            address_taken: false,
            origin: Origin::New,
        });
        LocalId(self.locals.len() as u32 - 1)
    }

    pub fn label(&mut self) -> LabelId {
        self.labels.push(format!("l{}", self.labels.len()));
        LabelId(self.labels.len() as u32 - 1)
    }

    /// Ends the function under construction; a declaration if there is no body.
    pub fn function(
        &mut self,
        name: &str,
        result: TypeId,
        variadic: bool,
        body: Option<Vec<Stmt>>,
    ) -> FunctionRef {
        let locals = std::mem::take(&mut self.locals);
        let parameters = locals
            .iter()
            .take(self.parameters as usize)
            .map(|local| local.ty)
            .collect();
        let ty = self.unit.types.intern(Type::Function {
            result,
            parameters,
            variadic,
        });
        let body = body.map(|body| self.s(StmtKind::Block { body, scope: true }));
        self.unit.functions.push(Function {
            name: name.into(),
            ty,
            linkage: Linkage::External,
            inline: false,
            pure: false,
            noreturn: false,
            locals,
            parameters: std::mem::take(&mut self.parameters),
            labels: std::mem::take(&mut self.labels),
            statements: self.next,
            body,
            origin: Origin::New,
            name_span: None,
        });
        FunctionRef(self.unit.functions.len() as u32 - 1)
    }

    /// A string literal.
    pub fn text(&mut self, text: &str) -> Expr {
        let ty = self.array(self.char, text.len() as u64 + 1);
        let global = GlobalId(self.unit.globals.len() as u32);
        let place = |index: usize, char| Place {
            base: PlaceBase::Variable(VariableRef::Global(global)),
            path: vec![Projection::Index(Expr::int(index as i128, self.long))],
            ty: char,
            volatile: false,
            origin: Origin::New,
        };
        let bytes = text.bytes().enumerate();
        let initial = bytes
            .map(|(at, byte)| (place(at, self.char), Expr::int(i128::from(byte as i8), self.char)))
            .collect();
        let first = place(0, self.char);
        self.unit.globals.push(Global {
            name: String::new(),
            ty,
            linkage: Linkage::Internal,
            inside: None,
            defined: true,
            thread_local: false,
            renamed: false,
            qualifiers: Qualifiers::default(),
            string_literal: true,
            initial,
            origin: Origin::New,
        });
        let ty = self.pointer(self.char);
        Expr {
            kind: ExprKind::AddressOf(Box::new(first)),
            ty,
            origin: Origin::New,
        }
    }

    pub fn s(&mut self, kind: StmtKind) -> Stmt {
        self.next += 1;
        Stmt {
            id: StmtId(self.next - 1),
            kind,
            origin: Origin::New,
        }
    }

    pub fn i(&self, value: i128) -> Expr {
        Expr::int(value, self.int)
    }

    pub fn f(&self, value: f64) -> Expr {
        Expr {
            kind: ExprKind::Float(value.to_bits()),
            ty: self.double,
            origin: Origin::New,
        }
    }

    pub fn v(&self, local: LocalId) -> Expr {
        Expr::variable(
            VariableRef::Local(local),
            self.locals[local.0 as usize].ty,
            Origin::New,
        )
    }

    pub fn bin(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = if op.is_comparison() { self.int } else { a.ty };
        Expr {
            kind: ExprKind::Binary(op, Box::new(a), Box::new(b)),
            ty,
            origin: Origin::New,
        }
    }

    pub fn cast(&self, a: Expr, ty: TypeId) -> Expr {
        Expr {
            kind: ExprKind::Cast(Box::new(a)),
            ty,
            origin: Origin::New,
        }
    }

    /// The place of a local, then `[index]` for each index.
    pub fn at(&self, local: LocalId, indices: Vec<Expr>) -> Place {
        let mut ty = self.locals[local.0 as usize].ty;
        for _ in &indices {
            if let Type::Array { element, .. } = self.unit.types.get(ty) {
                ty = *element;
            }
        }
        Place {
            base: PlaceBase::Variable(VariableRef::Local(local)),
            path: indices.into_iter().map(Projection::Index).collect(),
            ty,
            volatile: false,
            origin: Origin::New,
        }
    }

    /// `pointer[index]`
    pub fn element(&self, pointer: Expr, index: Expr) -> Place {
        let ty = self.unit.types.pointee(pointer.ty).unwrap_or(self.int);
        let sum = Expr {
            ty: pointer.ty,
            kind: ExprKind::Offset(Box::new(pointer), Box::new(index)),
            origin: Origin::New,
        };
        Place {
            base: PlaceBase::Deref(Box::new(sum)),
            path: Vec::new(),
            ty,
            volatile: false,
            origin: Origin::New,
        }
    }

    pub fn load(&self, place: Place) -> Expr {
        Expr {
            ty: place.ty,
            kind: ExprKind::Load(Box::new(place)),
            origin: Origin::New,
        }
    }

    pub fn address(&mut self, place: Place) -> Expr {
        let ty = self.pointer(place.ty);
        Expr {
            ty,
            kind: ExprKind::AddressOf(Box::new(place)),
            origin: Origin::New,
        }
    }

    pub fn set(&mut self, place: Place, value: Expr) -> Stmt {
        self.s(StmtKind::Assign { place, value })
    }

    pub fn let_(&mut self, local: LocalId, value: Expr) -> Stmt {
        let place = self.at(local, Vec::new());
        self.set(place, value)
    }

    pub fn call(&mut self, result: Option<LocalId>, function: FunctionRef, arguments: Vec<Expr>) -> Stmt {
        let result = result.map(|local| self.at(local, Vec::new()));
        self.s(StmtKind::Call {
            result,
            callee: Callee::Function(function),
            arguments,
        })
    }

    pub fn if_(&mut self, condition: Expr, then: Vec<Stmt>) -> Stmt {
        let then = Box::new(self.s(StmtKind::Block {
            body: then,
            scope: true,
        }));
        self.s(StmtKind::If {
            condition,
            then,
            otherwise: None,
        })
    }

    /// `for (local = from; local < to; local = local + 1)`
    pub fn for_(&mut self, local: LocalId, from: Expr, to: Expr, body: Vec<Stmt>) -> Stmt {
        let init = vec![self.let_(local, from)];
        let next = self.bin(BinaryOp::Add, self.v(local), self.i(1));
        let step = vec![self.let_(local, next)];
        let body = self.s(StmtKind::Block { body, scope: true });
        let condition = Some(self.bin(BinaryOp::Lt, self.v(local), to));
        self.s(StmtKind::Loop(Box::new(Loop {
            kind: LoopKind::For,
            init,
            before_test: Vec::new(),
            condition,
            step,
            refused: None,
            body,
            spans: None,
            keyword: None,
        })))
    }

    pub fn return_(&mut self, value: Expr) -> Stmt {
        self.s(StmtKind::Return(Some(value)))
    }
}
