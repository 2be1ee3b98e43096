//! How are expressions and places read? As in C, with the types put back that the printer left out.

use super::super::spell::{BINARY, level};
use super::{Parser, Result, Token, signed_value};
use crate::typing::{Implied, expression_type, project, variable_type};
use crate::{
    BinaryOp, Expr, ExprKind, GlobalId, LocalId, LogicalOp, Place, PlaceBase, Projection, Type, TypeId,
    UnaryOp, VariableRef,
};
use ferry_source::Origin;

/// What was read so far: a place may still become an lvalue, a longer path, or a value.
enum Parsed {
    /// A place; true if its origin is known, so that the next one is that of its value.
    Place(Place, bool),
    /// A value.
    Expr(Expr),
}

impl Parser {
    /// A value.
    pub(super) fn expression(&mut self) -> Result<Expr> {
        let parsed = self.at_level(level::SELECT)?;
        Ok(value(parsed))
    }

    /// A value that binds as tightly as a name.
    pub(super) fn postfix_expression(&mut self) -> Result<Expr> {
        let parsed = self.postfix()?;
        Ok(value(parsed))
    }

    /// The left side of an assignment.
    pub(super) fn place(&mut self) -> Result<Place> {
        match self.unary()? {
            Parsed::Place(place, _) => Ok(place),
            Parsed::Expr(_) => self.error("something that can be assigned to was expected"),
        }
    }

    /// An expression of this kind with the type that follows from its parts.
    fn typed(&mut self, kind: ExprKind) -> Result<Expr> {
        let mut expr = Expr {
            kind,
            ty: TypeId(0),
            origin: Origin::New,
        };
        expr.ty = match expression_type(&self.unit, &expr) {
            Implied::Exactly(ty) => ty,
            Implied::PointerTo(ty) => self.intern(Type::Pointer(ty)),
            Implied::Int { bits, signed } => self.intern(Type::Int { bits, signed }),
            Implied::Free | Implied::Broken => return self.error("the type of this cannot be known"),
        };
        Ok(expr)
    }

    fn at_level(&mut self, wanted: u8) -> Result<Parsed> {
        self.deeper(|parser| parser.infix(wanted))
    }

    fn infix(&mut self, wanted: u8) -> Result<Parsed> {
        let mut left = self.unary()?;
        loop {
            let Token::Mark(mark) = *self.peek() else {
                return Ok(left);
            };
            if mark == "?" && wanted <= level::SELECT {
                self.at += 1;
                let condition = value(left);
                let yes = self.expression()?;
                self.expect(":")?;
                let no = value(self.at_level(level::SELECT)?);
                let kind = ExprKind::Select(Box::new(condition), Box::new(yes), Box::new(no));
                left = Parsed::Expr(self.typed(kind)?);
                continue;
            }
            let logical = match mark {
                "&&" => Some((LogicalOp::And, level::LOGICAL_AND)),
                "||" => Some((LogicalOp::Or, level::LOGICAL_OR)),
                _ => None,
            };
            let binary = BINARY.iter().find(|row| row.1 == mark);
            let Some(own) = logical
                .map(|row| row.1)
                .or(binary.map(|row| row.2))
                .filter(|own| *own >= wanted)
            else {
                return Ok(left);
            };
            self.at += 1;
            let a = Box::new(value(left));
            let b = Box::new(value(self.at_level(own + 1)?));
            let kind = match (logical, binary) {
                (Some((op, _)), _) => ExprKind::Logical(op, a, b),
                (_, Some((BinaryOp::Add, ..))) if self.is_pointer(a.ty) => ExprKind::Offset(a, b),
                (_, Some((BinaryOp::Sub, ..))) if self.is_pointer(a.ty) => ExprKind::Difference(a, b),
                (_, Some((op, ..))) => ExprKind::Binary(*op, a, b),
                (None, None) => return self.error("an operator was expected"),
            };
            left = Parsed::Expr(self.typed(kind)?);
        }
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        self.unit.types.pointee_checked(ty).is_some()
    }

    fn unary(&mut self) -> Result<Parsed> {
        self.deeper(Self::unary_inside)
    }

    fn unary_inside(&mut self) -> Result<Parsed> {
        let number_follows = matches!(self.peek_at(1), Token::Int(..) | Token::Real(..));
        let op = match self.peek() {
            Token::Mark("-") if number_follows => return self.postfix(),
            Token::Mark("-") => UnaryOp::Negate,
            Token::Mark("~") => UnaryOp::Complement,
            Token::Mark("!") => UnaryOp::Not,
            Token::Mark("*") => {
                self.at += 1;
                let pointer = value(self.unary()?);
                return self.deref(pointer).map(|place| Parsed::Place(place, false));
            }
            Token::Mark("&") => {
                self.at += 1;
                if self.word("fn") {
                    let function = self.function_ref()?;
                    return self.typed(ExprKind::Function(function)).map(Parsed::Expr);
                }
                return match self.unary()? {
                    Parsed::Place(place, _) => {
                        self.typed(ExprKind::AddressOf(Box::new(place))).map(Parsed::Expr)
                    }
                    Parsed::Expr(_) => self.error("a place was expected behind `&`"),
                };
            }
            Token::Mark("(") => {
                self.at += 1;
                if self.is_type() {
                    let ty = self.ty()?;
                    self.expect(")")?;
                    let operand = value(self.unary()?);
                    return Ok(Parsed::Expr(Expr {
                        kind: ExprKind::Cast(Box::new(operand)),
                        ty,
                        origin: Origin::New,
                    }));
                }
                self.at -= 1;
                return self.postfix();
            }
            _ => return self.postfix(),
        };
        self.at += 1;
        let operand = value(self.unary()?);
        self.typed(ExprKind::Unary(op, Box::new(operand)))
            .map(Parsed::Expr)
    }

    fn deref(&mut self, pointer: Expr) -> Result<Place> {
        match self.unit.types.pointee_checked(pointer.ty) {
            Some(ty) => Ok(Place {
                base: PlaceBase::Deref(Box::new(pointer)),
                path: Vec::new(),
                ty,
                volatile: false,
                origin: Origin::New,
            }),
            None => self.error("this is no pointer"),
        }
    }

    fn postfix(&mut self) -> Result<Parsed> {
        let mut parsed = self.primary()?;
        loop {
            if let Some(origin) = self.origin() {
                parsed = match parsed {
                    Parsed::Place(place, false) => Parsed::Place(Place { origin, ..place }, true),
                    other => Parsed::Expr(Expr {
                        origin,
                        ..value(other)
                    }),
                };
            } else if self.mark("[") {
                let index = self.expression()?;
                self.expect("]")?;
                parsed = Parsed::Place(self.element(parsed, index)?, false);
            } else if self.mark(".") {
                let Parsed::Place(place, _) = parsed else {
                    return self.error("`.` of something that is no place");
                };
                let field = self.field(place.ty)?;
                parsed = Parsed::Place(self.step(place, field)?, false);
            } else if self.mark("->") {
                let place = self.deref(value(parsed))?;
                let field = self.field(place.ty)?;
                parsed = Parsed::Place(self.step(place, field)?, false);
            } else if self.is_mark("!") {
                let Parsed::Place(mut place, origin) = parsed else {
                    return Ok(parsed);
                };
                self.at += 1;
                place.ty = self.ty()?;
                parsed = Parsed::Place(place, origin);
            } else {
                return Ok(parsed);
            }
        }
    }

    /// `parsed[index]`: an element of an array, or of what a pointer points to.
    fn element(&mut self, parsed: Parsed, index: Expr) -> Result<Place> {
        match parsed {
            Parsed::Place(place, _)
                if matches!(self.unit.types.try_get(place.ty), Some(Type::Array { .. })) =>
            {
                self.step(place, Projection::Index(index))
            }
            other => {
                let sum = self.typed(ExprKind::Offset(Box::new(value(other)), Box::new(index)))?;
                self.deref(sum)
            }
        }
    }

    fn step(&mut self, mut place: Place, projection: Projection) -> Result<Place> {
        match project(&self.unit.types, place.ty, &projection) {
            Some(ty) => {
                place.ty = ty;
                place.path.push(projection);
                Ok(place)
            }
            None => self.error("there is no such part"),
        }
    }

    fn field(&mut self, record: TypeId) -> Result<Projection> {
        let Some(Type::Record(id)) = self.unit.types.try_get(record) else {
            return self.error("a member of something that is no record");
        };
        let key = self.tokens.get(self.at).map(|token| &token.0);
        let Some(Token::Word { name, number, .. }) = key else {
            return self.error("a member was expected");
        };
        let fields = self
            .unit
            .types
            .try_record(*id)
            .map_or(&[][..], |record| &record.fields);
        let found = match number {
            Some(number) => Some(*number),
            None => fields
                .iter()
                .position(|field| field.name == *name)
                .map(|number| number as u32),
        };
        match found.filter(|found| (*found as usize) < fields.len()) {
            Some(found) => {
                self.at += 1;
                Ok(Projection::Field(found))
            }
            None => self.error("there is no member of this name"),
        }
    }

    fn primary(&mut self) -> Result<Parsed> {
        if self.mark("-") {
            return self.literal(true).map(Parsed::Expr);
        }
        match self.peek() {
            Token::Int(..) | Token::Real(..) => return self.literal(false).map(Parsed::Expr),
            Token::Mark("(") => {
                self.at += 1;
                let inner = self.at_level(level::SELECT)?;
                if self.mark(":") {
                    let ty = self.ty()?;
                    self.expect(")")?;
                    return Ok(Parsed::Expr(Expr { ty, ..value(inner) }));
                }
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Mark("@") => {
                self.at += 1;
                let global = self.named("global", |p| &p.globals)?;
                return self.variable(VariableRef::Global(GlobalId(global)));
            }
            _ => {}
        }
        match self.keyword() {
            "volatile" => {
                self.at += 1;
                self.expect("(")?;
                let Parsed::Place(place, origin) = self.unary()? else {
                    return self.error("a place was expected");
                };
                self.expect(")")?;
                Ok(Parsed::Place(
                    Place {
                        volatile: true,
                        ..place
                    },
                    origin,
                ))
            }
            "null" => {
                self.at += 1;
                self.expect("(")?;
                let ty = self.ty()?;
                self.expect(")")?;
                Ok(Parsed::Expr(Expr::int(0, ty)))
            }
            "const" => {
                self.at += 1;
                self.expect("(")?;
                let ty = self.ty()?;
                self.expect(",")?;
                let value = self.signed()?;
                self.expect(")")?;
                Ok(Parsed::Expr(Expr::int(value, ty)))
            }
            word @ ("imaginary" | "times_unit") => {
                let op = if word == "imaginary" {
                    UnaryOp::Imaginary
                } else {
                    UnaryOp::TimesUnit
                };
                self.at += 1;
                self.expect("(")?;
                let ty = self.ty()?;
                self.expect(",")?;
                let operand = self.expression()?;
                self.expect(")")?;
                Ok(Parsed::Expr(Expr {
                    kind: ExprKind::Unary(op, Box::new(operand)),
                    ty,
                    origin: Origin::New,
                }))
            }
            "float" => {
                self.at += 1;
                self.expect("(")?;
                let ty = self.ty()?;
                self.expect(",")?;
                let bits = self.unsigned()?;
                self.expect(")")?;
                Ok(Parsed::Expr(Expr {
                    kind: ExprKind::Float(bits),
                    ty,
                    origin: Origin::New,
                }))
            }
            "opaque" => {
                self.at += 1;
                self.expect("<")?;
                let ty = self.ty()?;
                self.expect(">")?;
                self.expect("(")?;
                let why = self.text()?;
                let mut mentions = Vec::new();
                while self.mark(",") {
                    mentions.push(self.expression()?);
                }
                self.expect(")")?;
                Ok(Parsed::Expr(Expr {
                    kind: ExprKind::Opaque { why, mentions },
                    ty,
                    origin: Origin::New,
                }))
            }
            word if super::super::names::is_keyword(word) => self.error("an expression was expected"),
            _ => {
                let local = self.named("variable", |p| &p.locals)?;
                self.variable(VariableRef::Local(LocalId(local)))
            }
        }
    }

    fn variable(&mut self, variable: VariableRef) -> Result<Parsed> {
        match variable_type(&self.unit, self.function.as_ref(), variable) {
            Some(ty) => Ok(Parsed::Place(Place::variable(variable, ty, Origin::New), false)),
            None => self.error("there is no variable of this name"),
        }
    }

    /// A number, with the type that its suffix says.
    fn literal(&mut self, negative: bool) -> Result<Expr> {
        let (kind, suffix, usual) = match self.peek() {
            Token::Int(magnitude, suffix) => match signed_value(*magnitude, negative) {
                Some(value) => (ExprKind::Int(value), suffix.clone(), "i32"),
                None => return self.error("the number is too big"),
            },
            Token::Real(value, suffix) => {
                let value = if negative { -*value } else { *value };
                (ExprKind::Float(value.to_bits()), suffix.clone(), "f64")
            }
            _ => return self.error("a number was expected"),
        };
        let name = if suffix.is_empty() { usual } else { &suffix };
        let Some(ty) = Self::basic(name) else {
            return self.error("no type has this name");
        };
        self.at += 1;
        let ty = self.intern(ty);
        Ok(Expr {
            kind,
            ty,
            origin: Origin::New,
        })
    }
}

/// The value of what was read.
fn value(parsed: Parsed) -> Expr {
    match parsed {
        Parsed::Expr(expr) => expr,
        Parsed::Place(place, _) => Expr {
            ty: place.ty,
            kind: ExprKind::Load(Box::new(place)),
            origin: Origin::New,
        },
    }
}
