//! How are types, places and expressions written?

use super::super::spell::{binary, level, logical};
use super::Printer;
use crate::typing::{expression_type, place_type, project, variable_type};
use crate::{Expr, ExprKind, Length, Place, PlaceBase, Projection, Type, TypeId, UnaryOp, VariableRef};

/// No sane type nests deeper; what does is circular, in a broken unit.
const MAX_TYPE_DEPTH: u32 = 1000;

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: TypeId) {
        self.ty_at(ty, 0);
    }

    fn ty_at(&mut self, ty: TypeId, depth: u32) {
        let unit = self.unit;
        let Some(known) = unit.types.try_get(ty).filter(|_| depth < MAX_TYPE_DEPTH) else {
            return self.put(&format!("#{}", ty.0));
        };
        match known {
            Type::Void => self.put("void"),
            Type::Bool => self.put("bool"),
            Type::Int {
                bits: bits @ (8 | 16 | 32 | 64 | 128),
                signed,
            } => {
                self.put(if *signed { "i" } else { "u" });
                self.put(&bits.to_string());
            }
            Type::Int { bits, signed } => self.put(&format!("int({bits}, {})", u8::from(*signed))),
            Type::Float {
                bits: bits @ (32 | 64 | 80 | 128),
            } => self.put(&format!("f{bits}")),
            Type::Float { bits } => self.put(&format!("real({bits})")),
            Type::Complex {
                bits: bits @ (32 | 64 | 80 | 128),
            } => self.put(&format!("c{bits}")),
            Type::Complex { bits } => self.put(&format!("complex({bits})")),
            Type::Pointer(to) => {
                self.ty_at(*to, depth + 1);
                self.put("*");
            }
            Type::Array { element, length } => {
                // Like C: a run of brackets has the outermost dimension first.
                let mut lengths = vec![length];
                let mut inner = *element;
                while let (Some(Type::Array { element, length }), true) =
                    (unit.types.try_get(inner), lengths.len() < MAX_TYPE_DEPTH as usize)
                {
                    lengths.push(length);
                    inner = *element;
                }
                self.ty_at(inner, depth + 1);
                for length in lengths {
                    match length {
                        Length::Constant(length) => self.put(&format!("[{length}]")),
                        Length::Unknown => self.put("[]"),
                        Length::Variable(local) => {
                            self.put("[");
                            match self.local_names.locals.get(local.0 as usize) {
                                Some(_) => self.name(|p| &p.local_names.locals, local.0),
                                None => self.put(&format!("#{}", local.0)),
                            }
                            self.put("]");
                        }
                    }
                }
            }
            Type::Record(id) => {
                let union = unit.types.try_record(*id).is_some_and(|record| record.union);
                self.put(if union { "union " } else { "struct " });
                self.name(|p| &p.names.records, id.0);
            }
            Type::Function {
                result,
                parameters,
                variadic,
            } => {
                self.put("fn<");
                self.ty_at(*result, depth + 1);
                self.put("(");
                self.list(parameters, ", ", |p, parameter| p.ty_at(*parameter, depth + 1));
                if *variadic {
                    self.put(if parameters.is_empty() { "..." } else { ", ..." });
                }
                self.put(")>");
            }
            Type::Opaque { spelling, size } => {
                self.put("foreign(");
                self.quoted(spelling);
                self.put(&format!(", {size})"));
            }
        }
    }

    /// Writes `body`, in parentheses if it binds less tightly (`own`) than what is around it demands.
    fn at_level(&mut self, own: u8, wanted: u8, body: impl FnOnce(&mut Self)) {
        if own < wanted {
            self.put("(");
            body(self);
            self.put(")");
        } else {
            body(self);
        }
    }

    /// A place, in parentheses unless it binds at least as tightly as `wanted`.
    pub(super) fn place(&mut self, place: &Place, wanted: u8) {
        if place.volatile {
            self.put("volatile(");
            self.place_inside(place, 0);
            self.put(")");
        } else {
            self.place_inside(place, wanted);
        }
    }

    fn place_inside(&mut self, place: &Place, wanted: u8) {
        let unit = self.unit;
        let ascribe = place_type(unit, self.function, place) != Some(place.ty);
        let shorthand = !self.options.origins;
        let mut path = place.path.iter();
        // The type so far: it says which record a field belongs to.
        let mut ty;
        match &place.base {
            PlaceBase::Variable(variable) => {
                ty = variable_type(unit, self.function, *variable);
                match variable {
                    VariableRef::Global(id) => {
                        self.put("@");
                        self.name(|p| &p.names.globals, id.0);
                    }
                    VariableRef::Local(id) => self.name(|p| &p.local_names.locals, id.0),
                }
            }
            PlaceBase::Deref(pointer) => {
                ty = unit.types.pointee_checked(pointer.ty);
                match (&pointer.kind, place.path.first()) {
                    // Not where a type has to be ascribed to the sum.
                    (ExprKind::Offset(base, index), _) if shorthand && pointer.ty == base.ty => {
                        self.expression(base, level::POSTFIX);
                        self.put("[");
                        self.expression(index, 0);
                        self.put("]");
                    }
                    (_, Some(projection @ Projection::Field(number))) if shorthand => {
                        path.next();
                        self.expression(pointer, level::POSTFIX);
                        self.put("->");
                        self.field(ty, *number);
                        ty = ty.and_then(|ty| project(&unit.types, ty, projection));
                    }
                    _ => {
                        let own = if place.path.is_empty() && !ascribe && shorthand {
                            level::UNARY
                        } else {
                            0
                        };
                        self.at_level(own, wanted.max(1), |p| {
                            p.put("*");
                            p.expression(pointer, level::UNARY);
                        });
                    }
                }
            }
        }
        for projection in path {
            match projection {
                Projection::Index(index) => {
                    self.put("[");
                    self.expression(index, 0);
                    self.put("]");
                }
                Projection::Field(field) => {
                    self.put(".");
                    self.field(ty, *field);
                }
            }
            ty = ty.and_then(|ty| project(&unit.types, ty, projection));
        }
        if ascribe {
            self.put("!");
            self.ty(place.ty);
        }
        self.origin(place.origin);
    }

    fn field(&mut self, record: Option<TypeId>, number: u32) {
        let record = record.and_then(|ty| self.unit.types.try_get(ty));
        let name = match record {
            Some(Type::Record(id)) => self
                .names
                .fields
                .get(id.0 as usize)
                .and_then(|names| names.get(number as usize)),
            _ => None,
        };
        match name {
            Some(name) => {
                let name = name.clone();
                self.put(&name);
            }
            None => self.put(&format!("#{number}")),
        }
    }

    /// An expression, in parentheses unless it binds at least as tightly as `wanted`.
    pub(super) fn expression(&mut self, expr: &Expr, wanted: u8) {
        if !expression_type(self.unit, expr).fits(&self.unit.types, expr.ty) {
            self.put("(");
            self.expression_inside(expr, 0);
            self.put(" : ");
            self.ty(expr.ty);
            self.put(")");
        } else if self.options.origins {
            // Everything but a name or number in parentheses, so that it is clear what the origin behind it belongs to.
            self.expression_inside(expr, u8::MAX);
        } else {
            self.expression_inside(expr, wanted);
        }
        self.origin(expr.origin);
    }

    fn expression_inside(&mut self, expr: &Expr, wanted: u8) {
        match &expr.kind {
            ExprKind::Int(value) => self.integer(*value, expr.ty),
            ExprKind::Float(bits) => self.float(*bits, expr.ty),
            ExprKind::Load(place) => self.place(place, wanted),
            ExprKind::AddressOf(place) => self.at_level(level::UNARY, wanted, |p| {
                p.put("&");
                p.place(place, level::UNARY);
            }),
            ExprKind::Function(function) => self.at_level(level::UNARY, wanted, |p| {
                p.put("&fn ");
                p.name(|p| &p.names.functions, function.0);
            }),
            ExprKind::Unary(op @ (UnaryOp::Imaginary | UnaryOp::TimesUnit), a) => {
                self.put(match op {
                    UnaryOp::Imaginary => "imaginary(",
                    _ => "times_unit(",
                });
                self.ty(expr.ty);
                self.put(", ");
                self.expression(a, 0);
                self.put(")");
            }
            ExprKind::Unary(op, a) => self.at_level(level::UNARY, wanted, |p| {
                p.put(match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Complement => "~",
                    _ => "!",
                });
                // `-5` is a constant; the negation of 5 is `-(5)`.
                let bare = !matches!(
                    a.kind,
                    ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unary(..)
                );
                p.at_level(if bare { level::UNARY } else { 0 }, level::UNARY, |p| {
                    p.expression(a, if bare { level::UNARY } else { 0 });
                });
            }),
            ExprKind::Cast(a) => self.at_level(level::UNARY, wanted, |p| {
                p.put("(");
                p.ty(expr.ty);
                p.put(")");
                p.expression(a, level::UNARY);
            }),
            ExprKind::Binary(op, a, b) => {
                let (spelling, own) = binary(*op);
                self.infix(a, spelling, b, own, wanted);
            }
            ExprKind::Logical(op, a, b) => {
                let (spelling, own) = logical(*op);
                self.infix(a, spelling, b, own, wanted);
            }
            ExprKind::Offset(a, b) => self.infix(a, "+", b, binary(crate::BinaryOp::Add).1, wanted),
            ExprKind::Difference(a, b) => self.infix(a, "-", b, binary(crate::BinaryOp::Sub).1, wanted),
            ExprKind::Select(c, a, b) => self.at_level(level::SELECT, wanted, |p| {
                p.expression(c, level::LOGICAL_OR);
                p.put(" ? ");
                p.expression(a, 0);
                p.put(" : ");
                p.expression(b, level::SELECT);
            }),
            ExprKind::Opaque { why, mentions } => {
                self.put("opaque<");
                self.ty(expr.ty);
                self.put(">(");
                self.quoted(why);
                for mention in mentions {
                    self.put(", ");
                    self.expression(mention, 0);
                }
                self.put(")");
            }
        }
    }

    /// All operators associate to the left.
    fn infix(&mut self, a: &Expr, operator: &str, b: &Expr, own: u8, wanted: u8) {
        self.at_level(own, wanted, |p| {
            p.expression(a, own);
            p.put(" ");
            p.put(operator);
            p.put(" ");
            p.expression(b, own + 1);
        });
    }

    fn integer(&mut self, value: i128, ty: TypeId) {
        match self.unit.types.try_get(ty) {
            Some(Type::Int {
                bits: 32,
                signed: true,
            }) => self.put(&value.to_string()),
            Some(
                Type::Bool
                | Type::Int {
                    bits: 8 | 16 | 32 | 64 | 128,
                    ..
                },
            ) => {
                self.put(&value.to_string());
                self.ty(ty);
            }
            Some(Type::Pointer(_)) if value == 0 => {
                self.put("null(");
                self.ty(ty);
                self.put(")");
            }
            _ => {
                self.put("const(");
                self.ty(ty);
                self.put(&format!(", {value})"));
            }
        }
    }

    fn float(&mut self, bits: u64, ty: TypeId) {
        let value = f64::from_bits(bits);
        match self.unit.types.try_get(ty) {
            Some(Type::Float {
                bits: width @ (32 | 64 | 80 | 128),
            }) if value.is_finite() => {
                self.put(&format!("{value:?}"));
                if *width != 64 {
                    self.ty(ty);
                }
            }
            _ => {
                self.put("float(");
                self.ty(ty);
                self.put(&format!(", 0x{bits:016x})"));
            }
        }
    }
}
