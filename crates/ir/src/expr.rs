//! What is an expression? A pure value: it reads memory and computes, and never writes, calls or jumps.
//! Every conversion is explicit, so operands of a binary operation have one type (but for shifts and pointers).

use crate::{FunctionRef, LocalId, TypeId, VariableRef};
use ferry_source::Origin;

/// A pure, typed expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it is written.
    pub origin: Origin,
}

/// The forms of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer constant; its value lies in the range of the type. Pointer type: a constant address (0 is the null pointer).
    Int(i128),
    /// A floating constant, by the bits of its `f64` value (`long double` constants are rounded to it).
    Float(u64),
    /// The value of a scalar (or record, only as the whole right side of an assignment or an argument) in memory.
    Load(Box<Place>),
    /// `&place`; the decay of an array `a` is `&a[0]`.
    AddressOf(Box<Place>),
    /// The address of a function.
    Function(FunctionRef),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands, both evaluated.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a && b`, `a || b`: the second is evaluated only where the first does not decide. Value 0 or 1 of type `int`.
    Logical(LogicalOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`: only one of `a` and `b` is evaluated. The condition is scalar, true if not 0.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to the type of this expression: between arithmetic types, pointers, and both.
    Cast(Box<Expr>),
    /// `pointer + index`, the index (any integer type) counted in elements of the pointee. The result has the pointer's type.
    /// Subtraction is addition of a `Negate`d index of signed 64-bit type.
    Offset(Box<Expr>, Box<Expr>),
    /// `pointer - pointer` in elements of the pointee, signed 64 bits.
    Difference(Box<Expr>, Box<Expr>),
    /// Not understood. `mentions` are the expressions and variables that it may read.
    Opaque {
        /// Why.
        why: String,
        /// What is inside and was understood.
        mentions: Vec<Expr>,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-x`
    Negate,
    /// `~x`; of a complex number its conjugate (GNU C).
    Complement,
    /// `!x`: 1 if x is 0, else 0, of type `int`.
    Not,
    /// `__imag__ z`: the imaginary part of a complex number. (The real part is its conversion to the type of a part.)
    Imaginary,
    /// The number times the imaginary unit: a complex number whose real part is 0 and whose imaginary part it is.
    TimesUnit,
}

/// Operators with two operands that are both evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`: truncates for integers.
    Div,
    /// `%`: sign of the dividend.
    Rem,
    /// `<<`
    Shl,
    /// `>>`: arithmetic for signed operands.
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

impl BinaryOp {
    /// True for the six comparisons, whose value is 0 or 1 of type `int`.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }

    /// The comparison that says the same of exchanged operands: `a < b` is `b > a`. Other operators stay as they are.
    pub fn swapped(self) -> BinaryOp {
        match self {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Ge => BinaryOp::Le,
            other => other,
        }
    }
}

/// Short-circuit operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogicalOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A piece of memory: a variable or what a pointer points to, then a path into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Where it starts.
    pub base: PlaceBase,
    /// How it goes on, outermost first.
    pub path: Vec<Projection>,
    /// Type of the designated object.
    pub ty: TypeId,
    /// `volatile`-qualified access.
    pub volatile: bool,
    /// Where it is written: the whole lvalue, `a[i][j]`.
    pub origin: Origin,
}

/// Where a place starts.
#[derive(Clone, PartialEq, Debug)]
pub enum PlaceBase {
    /// A variable.
    Variable(VariableRef),
    /// `*pointer`; `p[i]` is `*(p + i)` with [`ExprKind::Offset`].
    Deref(Box<Expr>),
}

/// One step of a path.
#[derive(Clone, PartialEq, Debug)]
pub enum Projection {
    /// A member of a struct or union, by its number in [`crate::Record::fields`].
    Field(u32),
    /// An element of an array (an array type, not a pointer), by an index of any integer type.
    Index(Expr),
}

impl Expr {
    /// A constant that is in no text.
    pub fn int(value: i128, ty: TypeId) -> Expr {
        Expr {
            kind: ExprKind::Int(value),
            ty,
            origin: Origin::New,
        }
    }

    /// The value of a whole variable.
    pub fn variable(variable: VariableRef, ty: TypeId, origin: Origin) -> Expr {
        Expr {
            kind: ExprKind::Load(Box::new(Place::variable(variable, ty, origin))),
            ty,
            origin,
        }
    }

    /// The variable, if this is the value of a whole variable.
    pub fn as_variable(&self) -> Option<VariableRef> {
        match &self.kind {
            ExprKind::Load(place) => place.as_variable(),
            _ => None,
        }
    }

    /// The constant, if this is an integer constant.
    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Calls `f` on the direct sub-expressions, those inside places too, in order of evaluation.
    pub fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => place.for_each_child(f),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => f(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Logical(_, a, b)
            | ExprKind::Offset(a, b)
            | ExprKind::Difference(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::Select(c, a, b) => {
                f(c);
                f(a);
                f(b);
            }
            ExprKind::Opaque { mentions, .. } => mentions.iter().for_each(f),
        }
    }

    /// Calls `f` on this expression and everything below it, parents first.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        self.for_each_child(&mut |child| child.walk(f));
    }
}

impl Place {
    /// A whole variable.
    pub fn variable(variable: VariableRef, ty: TypeId, origin: Origin) -> Place {
        Place {
            base: PlaceBase::Variable(variable),
            path: Vec::new(),
            ty,
            volatile: false,
            origin,
        }
    }

    /// A whole local variable.
    pub fn local(local: LocalId, ty: TypeId, origin: Origin) -> Place {
        Place::variable(VariableRef::Local(local), ty, origin)
    }

    /// The variable, if this is a whole variable.
    pub fn as_variable(&self) -> Option<VariableRef> {
        match self.base {
            PlaceBase::Variable(variable) if self.path.is_empty() => Some(variable),
            _ => None,
        }
    }

    /// Calls `f` on the expressions of the place: the pointer, then the indices.
    pub fn for_each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        if let PlaceBase::Deref(pointer) = &self.base {
            f(pointer);
        }
        for projection in &self.path {
            if let Projection::Index(index) = projection {
                f(index);
            }
        }
    }
}
