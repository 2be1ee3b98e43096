//! Which updates of one location may be reordered because their operation is associative and commutative?
//!
//! Recognised: `x = x op e` and `x = e op x` with `+ * & | ^ && ||`, `x = x - e` (a sum), the same under a condition (`x = c ? x op e : x`), `x |= e` and `x &= e`
//! of a truth value, and minimum and maximum as
//! `if (e > x) x = e;` (also the other way round, with `else`, and where `e` is a call without effects), `x = e > x ? e : x;` and `fmax`/`fmin`, and `x = f(x, e)` with a function of the file that only returns its two parameters put together by
//! such an operation, where `x` is a scalar variable or a place in memory that does not move, `e` does not mention `x`, and `x` occurs nowhere else in the loop. Conversions of the result to the
//! type of `x` are looked through: a floating-point reduction is reordered anyway, an assumption that is listed.

mod through;

use crate::value::type_range;
use ferry_ir::{
    BinaryOp, Callee, Expr, ExprKind, FunctionRef, LogicalOp, Place, Stmt, StmtId, StmtKind, Type, TypeId,
    UnaryOp, Unit, VariableRef,
};
use ferry_symbolic::Integer;
pub use through::{updates, updates_in, updates_of_body};

/// The operation of a reduction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ReductionOp {
    /// `+`, and `-` of what is added
    Sum,
    /// `*`
    Product,
    /// least value
    Minimum,
    /// greatest value
    Maximum,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl ReductionOp {
    /// As OpenMP and OpenACC spell it.
    pub fn spelling(self) -> &'static str {
        match self {
            ReductionOp::Sum => "+",
            ReductionOp::Product => "*",
            ReductionOp::Minimum => "min",
            ReductionOp::Maximum => "max",
            ReductionOp::BitAnd => "&",
            ReductionOp::BitOr => "|",
            ReductionOp::BitXor => "^",
            ReductionOp::And => "&&",
            ReductionOp::Or => "||",
        }
    }
}

/// One statement that reduces into a place.
#[derive(Clone, Debug)]
pub struct Update<'a> {
    /// The statement (the `if` for a guarded minimum or maximum).
    pub stmt: StmtId,
    /// Every statement that belongs to it.
    pub parts: Vec<StmtId>,
    /// The operation.
    pub op: ReductionOp,
    /// The place.
    pub place: &'a Place,
    /// How often it reads the place at most: `m = m > x ? m : x` reads it in the condition, too. More reads are of an operand.
    pub reads: usize,
    /// Variables that hold the value in between: it is only an update if nothing else reads them.
    pub through: Vec<VariableRef>,
}

/// The update that a statement is, if it is one.
pub fn update<'a>(unit: &Unit, stmt: &'a Stmt) -> Option<Update<'a>> {
    match &stmt.kind {
        StmtKind::Assign { place, value } => {
            let op = operation(unit, place, value)?;
            Some(Update {
                stmt: stmt.id,
                parts: vec![stmt.id],
                op,
                place,
                reads: loads_of(value, place),
                through: Vec::new(),
            })
        }
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => match otherwise {
            None => guarded(unit, stmt.id, (condition, true), then),
            Some(otherwise) if is_nothing(then) => guarded(unit, stmt.id, (condition, false), otherwise),
            Some(otherwise) if is_nothing(otherwise) => guarded(unit, stmt.id, (condition, true), then),
            Some(_) => None,
        },
        StmtKind::Call {
            result: Some(place),
            callee: Callee::Function(id),
            arguments,
        } => Some(Update {
            stmt: stmt.id,
            parts: vec![stmt.id],
            op: call_operation(unit, *id, arguments, place)?,
            place,
            reads: 1,
            through: Vec::new(),
        }),
        _ => None,
    }
}

/// The operation of a call of which one argument is the place's value.
fn call_operation(unit: &Unit, id: FunctionRef, arguments: &[Expr], place: &Place) -> Option<ReductionOp> {
    let op = match unit.function(id).name.as_str() {
        "fmax" | "fmaxf" | "fmaxl" => ReductionOp::Maximum,
        "fmin" | "fminf" | "fminl" => ReductionOp::Minimum,
        _ => combined(unit, id, place.ty)?,
    };
    let [a, b] = arguments else { return None };
    let exact = Conversions {
        unit,
        place: place.ty,
        exact: true,
    };
    let one_is_place = is_load_of(a, place, exact) && !mentions(b, place)
        || is_load_of(b, place, exact) && !mentions(a, place);
    one_is_place.then_some(op)
}

/// The operation by which a function of the file combines its two parameters, if that is all that it does, on values of the type.
fn combined(unit: &Unit, id: FunctionRef, ty: TypeId) -> Option<ReductionOp> {
    let function = unit.function(id);
    let body = function.body.as_ref()?;
    let Type::Function {
        result,
        variadic: false,
        ..
    } = unit.types.get(function.ty)
    else {
        return None;
    };
    let parameters = function.locals.get(..2)?;
    if *result != ty
        || function.parameters != 2
        || parameters
            .iter()
            .any(|one| one.ty != ty || one.qualifiers.volatile)
    {
        return None;
    }
    let sums = Conversions {
        unit,
        place: ty,
        exact: false,
    };
    let exact = Conversions { exact: true, ..sums };
    let number = |expr: &Expr, conversions| match strip(expr, conversions).as_variable()? {
        VariableRef::Local(local) if local.0 < 2 => Some(local.0),
        _ => None,
    };
    let both = |a: &Expr, b: &Expr, conversions| {
        let pair = (number(a, conversions)?, number(b, conversions)?);
        (pair.0 != pair.1).then_some(pair)
    };
    let chosen = |condition: &Expr, yes: &Expr, no: &Expr| {
        let ExprKind::Binary(op, a, b) = &condition.kind else {
            return None;
        };
        let greater = match op {
            BinaryOp::Gt | BinaryOp::Ge => true,
            BinaryOp::Lt | BinaryOp::Le => false,
            _ => return None,
        };
        let first = both(a, b, exact)? == both(yes, no, exact)?;
        Some(match first == greater {
            true => ReductionOp::Maximum,
            false => ReductionOp::Minimum,
        })
    };
    match statements(body).as_slice() {
        [only] => match &only.kind {
            StmtKind::Return(Some(value)) => {
                let value = strip(value, sums);
                match &value.kind {
                    ExprKind::Binary(op, a, b) => {
                        let op = match op {
                            BinaryOp::Add => ReductionOp::Sum,
                            BinaryOp::Mul => ReductionOp::Product,
                            BinaryOp::And => ReductionOp::BitAnd,
                            BinaryOp::Or => ReductionOp::BitOr,
                            BinaryOp::Xor => ReductionOp::BitXor,
                            _ => return None,
                        };
                        let fine = !matches!(unit.types.get(ty), Type::Bool);
                        both(a, b, sums).filter(|_| fine).map(|_| op)
                    }
                    ExprKind::Select(condition, yes, no) => chosen(condition, yes, no),
                    _ => None,
                }
            }
            StmtKind::If {
                condition,
                then,
                otherwise: Some(otherwise),
            } => chosen(condition, returned(then)?, returned(otherwise)?),
            _ => None,
        },
        [first, last] => match &first.kind {
            StmtKind::If {
                condition,
                then,
                otherwise: None,
            } => chosen(condition, returned(then)?, returned(last)?),
            _ => None,
        },
        _ => None,
    }
}

/// The statements of a body, without blocks around all of them, and empty ones.
fn statements(body: &Stmt) -> Vec<&Stmt> {
    match &body.kind {
        StmtKind::Block { body, .. } => {
            let parts: Vec<&Stmt> = body
                .iter()
                .filter(|part| !matches!(part.kind, StmtKind::Empty))
                .collect();
            match parts.as_slice() {
                [one] => statements(one),
                _ => parts,
            }
        }
        _ => vec![body],
    }
}

/// True if a statement does nothing.
fn is_nothing(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Empty) || statements(stmt).is_empty()
}

/// The value, if all that a statement does is to return one.
fn returned(stmt: &Stmt) -> Option<&Expr> {
    match &only_statement(stmt)?.kind {
        StmtKind::Return(value) => value.as_ref(),
        _ => None,
    }
}

fn operation(unit: &Unit, place: &Place, value: &Expr) -> Option<ReductionOp> {
    let sums = Conversions {
        unit,
        place: place.ty,
        exact: false,
    };
    let exact = Conversions {
        unit,
        place: place.ty,
        exact: true,
    };
    let boolean = matches!(unit.types.get(place.ty), Type::Bool);
    let value = match &value.kind {
        // The result of && and || is 0 or 1 in any type.
        ExprKind::Cast(inner) if matches!(inner.kind, ExprKind::Logical(..)) => inner,
        ExprKind::Cast(inner) if boolean => return truth(unit, place, inner, exact),
        _ if boolean => return None,
        _ => strip(value, sums),
    };
    match &value.kind {
        ExprKind::Binary(op, a, b) => {
            let op = match op {
                BinaryOp::Add => ReductionOp::Sum,
                BinaryOp::Sub => {
                    return (operand(a, place, ReductionOp::Sum, sums) && !mentions(b, place))
                        .then_some(ReductionOp::Sum);
                }
                BinaryOp::Mul => ReductionOp::Product,
                BinaryOp::And => ReductionOp::BitAnd,
                BinaryOp::Or => ReductionOp::BitOr,
                BinaryOp::Xor => ReductionOp::BitXor,
                _ => return None,
            };
            one_side(place, a, b, op, sums)
        }
        ExprKind::Logical(op, a, b) => {
            let op = match op {
                LogicalOp::And => ReductionOp::And,
                LogicalOp::Or => ReductionOp::Or,
            };
            // The second operand is not evaluated where the first decides: only the form with `x` first keeps what runs.
            (truth_of(a, place, exact) && !mentions(b, place)).then_some(op)
        }
        ExprKind::Select(condition, a, b) => {
            if !mentions(condition, place) {
                return sometimes(unit, place, (a, b), exact);
            }
            let (op, other) = chosen(condition, place, exact)?;
            let (other, a, b) = (strip(other, exact), strip(a, exact), strip(b, exact));
            // Where the place cannot hold what was compared, it gets another value than the greatest one.
            if !exact.holds(other) {
                return None;
            }
            if same_but_origin(other, a) && is_load_of(b, place, exact) {
                Some(op)
            } else if same_but_origin(other, b) && is_load_of(a, place, exact) {
                Some(opposite(op))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The operation that is done in one of two cases, or in both, where nothing is done in the other.
fn sometimes(
    unit: &Unit,
    place: &Place,
    (a, b): (&Expr, &Expr),
    exact: Conversions<'_>,
) -> Option<ReductionOp> {
    let stays = |value: &Expr| is_load_of(value, place, exact);
    match (stays(a), stays(b)) {
        (false, true) => operation(unit, place, a),
        (true, false) => operation(unit, place, b),
        (false, false) => operation(unit, place, a).filter(|op| operation(unit, place, b) == Some(*op)),
        (true, true) => None,
    }
}

/// `x | e` and `x & e`, converted to the type of `x`, which is a truth value: of `&` only with another truth value, as 2 has a bit that 1 has not.
fn truth(unit: &Unit, place: &Place, value: &Expr, exact: Conversions<'_>) -> Option<ReductionOp> {
    let ExprKind::Binary(op, a, b) = &value.kind else {
        return None;
    };
    let one = |x: &Expr, e: &Expr| is_load_of(x, place, exact) && !mentions(e, place);
    let other = match (one(a, b), one(b, a)) {
        (true, _) => b,
        (_, true) => a,
        _ => return None,
    };
    match op {
        BinaryOp::Or => Some(ReductionOp::Or),
        BinaryOp::And if is_truth(unit, other) => Some(ReductionOp::And),
        _ => None,
    }
}

/// True if a value is 0 or 1.
fn is_truth(unit: &Unit, expr: &Expr) -> bool {
    matches!(unit.types.get(expr.ty), Type::Bool)
        || match &expr.kind {
            ExprKind::Cast(inner) => is_truth(unit, inner),
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => true,
            _ => false,
        }
}

/// How often an expression reads the place.
fn loads_of(expr: &Expr, place: &Place) -> usize {
    let mut found = 0;
    expr.walk(&mut |inner| {
        found += usize::from(matches!(&inner.kind, ExprKind::Load(loaded) if same_place(loaded, place)));
    });
    found
}

fn truth_of(expr: &Expr, place: &Place, exact: Conversions<'_>) -> bool {
    match &strip(expr, exact).kind {
        ExprKind::Binary(BinaryOp::Ne, a, zero) => is_load_of(a, place, exact) && zero.as_int() == Some(0),
        _ => is_load_of(expr, place, exact),
    }
}

fn one_side(
    place: &Place,
    a: &Expr,
    b: &Expr,
    op: ReductionOp,
    sums: Conversions<'_>,
) -> Option<ReductionOp> {
    (operand(a, place, op, sums) && !mentions(b, place) || operand(b, place, op, sums) && !mentions(a, place))
        .then_some(op)
}

/// True if the expression is the place, or the place combined with more by the same operation: `x + a + b`.
fn operand(expr: &Expr, place: &Place, op: ReductionOp, sums: Conversions<'_>) -> bool {
    if is_load_of(expr, place, sums) {
        return true;
    }
    match &strip(expr, sums).kind {
        ExprKind::Binary(BinaryOp::Add, a, b) if op == ReductionOp::Sum => {
            one_side(place, a, b, op, sums).is_some()
        }
        ExprKind::Binary(BinaryOp::Sub, a, b) if op == ReductionOp::Sum => {
            operand(a, place, op, sums) && !mentions(b, place)
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) if op == ReductionOp::Product => {
            one_side(place, a, b, op, sums).is_some()
        }
        _ => false,
    }
}

/// `if (e > x) x = e;` and its variants; also with what is done where the condition does not hold.
fn guarded<'a>(
    unit: &Unit,
    id: StmtId,
    (condition, holds): (&Expr, bool),
    then: &'a Stmt,
) -> Option<Update<'a>> {
    let inner = only_statement(then)?;
    let StmtKind::Assign { place, value } = &inner.kind else {
        return None;
    };
    let exact = Conversions {
        unit,
        place: place.ty,
        exact: true,
    };
    let (op, other) = chosen(condition, place, exact)?;
    let op = if holds { op } else { opposite(op) };
    let same = same_but_origin(strip(other, exact), strip(value, exact));
    (same && !mentions(value, place)).then(|| Update {
        stmt: id,
        parts: vec![id, inner.id],
        op,
        place,
        reads: 1,
        through: Vec::new(),
    })
}

fn only_statement(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::Block { body, .. } => match body.as_slice() {
            [one] => only_statement(one),
            _ => None,
        },
        _ => Some(stmt),
    }
}

/// For a comparison of the place with something else: what the place becomes if it takes the other's value where the
/// comparison holds.
fn chosen<'e>(condition: &'e Expr, place: &Place, exact: Conversions<'_>) -> Option<(ReductionOp, &'e Expr)> {
    if let ExprKind::Unary(UnaryOp::Not, inner) = &condition.kind {
        let (op, other) = chosen(inner, place, exact)?;
        return Some((opposite(op), other));
    }
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    let (other, greater) = match op {
        BinaryOp::Gt | BinaryOp::Ge if is_load_of(b, place, exact) => (a, true),
        BinaryOp::Lt | BinaryOp::Le if is_load_of(a, place, exact) => (b, true),
        BinaryOp::Lt | BinaryOp::Le if is_load_of(b, place, exact) => (a, false),
        BinaryOp::Gt | BinaryOp::Ge if is_load_of(a, place, exact) => (b, false),
        _ => return None,
    };
    if mentions(other, place) {
        return None;
    }
    Some((
        if greater {
            ReductionOp::Maximum
        } else {
            ReductionOp::Minimum
        },
        other,
    ))
}

fn opposite(op: ReductionOp) -> ReductionOp {
    match op {
        ReductionOp::Maximum => ReductionOp::Minimum,
        _ => ReductionOp::Maximum,
    }
}

/// What a conversion may do to the reduced value and still commute with the operation.
#[derive(Clone, Copy)]
struct Conversions<'a> {
    unit: &'a Unit,
    /// Type of the reduced place.
    place: TypeId,
    /// Values must stay as they are (minimum, maximum, truth); else only their low bits (sums) or rounded value counts.
    exact: bool,
}

impl Conversions<'_> {
    fn allows(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.unit.types;
        match (types.get(self.place), types.get(from), types.get(to)) {
            (Type::Float { bits: place }, Type::Float { bits: from }, Type::Float { bits: to }) => {
                match self.exact {
                    true => to >= from,
                    // What the place keeps is rounded in any case; to less than that it is not.
                    false => to >= place || to >= from,
                }
            }
            // A conversion to a real type would lose what the next step needs.
            (Type::Complex { bits: place }, Type::Complex { bits: from }, Type::Complex { bits: to }) => {
                !self.exact && (to >= place || to >= from)
            }
            (
                Type::Int { bits: place, .. },
                Type::Int {
                    bits: from,
                    signed: from_signed,
                },
                Type::Int {
                    bits: to,
                    signed: to_signed,
                },
            ) => {
                if self.exact {
                    from == to && from_signed == to_signed || to > from && (*to_signed || !from_signed)
                } else {
                    to >= place
                }
            }
            (Type::Bool, Type::Bool, Type::Int { .. }) => true,
            _ => false,
        }
    }

    /// True if the place holds any value that the expression may have.
    fn holds(&self, expr: &Expr) -> bool {
        let in_range = |value: i128| {
            let value = Integer::from(value);
            type_range(&self.unit.types, self.place).is_some_and(|(low, high)| low <= value && value <= high)
        };
        self.allows(expr.ty, self.place) || expr.ty == self.place || expr.as_int().is_some_and(in_range)
    }
}

/// Without conversions that commute with the operation.
fn strip<'e>(expr: &'e Expr, conversions: Conversions<'_>) -> &'e Expr {
    match &expr.kind {
        ExprKind::Cast(inner) if conversions.allows(inner.ty, expr.ty) => strip(inner, conversions),
        _ => expr,
    }
}

fn is_load_of(expr: &Expr, place: &Place, conversions: Conversions<'_>) -> bool {
    match &strip(expr, conversions).kind {
        ExprKind::Load(loaded) => same_place(loaded, place),
        _ => false,
    }
}

/// True if the expression reads the place, or might: any read through the same base counts.
pub fn mentions(expr: &Expr, place: &Place) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        if let ExprKind::Load(loaded) = &inner.kind {
            found |= same_place(loaded, place) || place.as_variable().is_some_and(|v| reads(loaded, v));
        }
    });
    found
}

fn reads(place: &Place, variable: VariableRef) -> bool {
    place.base == ferry_ir::PlaceBase::Variable(variable)
}

/// True if two places are written alike.
pub fn same_place(a: &Place, b: &Place) -> bool {
    use ferry_ir::{PlaceBase, Projection};
    let base = match (&a.base, &b.base) {
        (PlaceBase::Variable(a), PlaceBase::Variable(b)) => a == b,
        (PlaceBase::Deref(a), PlaceBase::Deref(b)) => same_but_origin(a, b),
        _ => false,
    };
    base && a.path.len() == b.path.len()
        && a.path.iter().zip(&b.path).all(|(a, b)| match (a, b) {
            (Projection::Field(a), Projection::Field(b)) => a == b,
            (Projection::Index(a), Projection::Index(b)) => same_but_origin(a, b),
            _ => false,
        })
}

/// True if two expressions are the same but for where they are written.
pub fn same_but_origin(a: &Expr, b: &Expr) -> bool {
    use ExprKind::*;
    if a.ty != b.ty {
        return false;
    }
    match (&a.kind, &b.kind) {
        (Int(x), Int(y)) => x == y,
        (Float(x), Float(y)) => x == y,
        (Load(x), Load(y)) | (AddressOf(x), AddressOf(y)) => same_place(x, y),
        (Function(x), Function(y)) => x == y,
        (Unary(o, x), Unary(p, y)) => o == p && same_but_origin(x, y),
        (Binary(o, x, u), Binary(p, y, v)) => o == p && same_but_origin(x, y) && same_but_origin(u, v),
        (Logical(o, x, u), Logical(p, y, v)) => o == p && same_but_origin(x, y) && same_but_origin(u, v),
        (Select(c, x, u), Select(d, y, v)) => {
            same_but_origin(c, d) && same_but_origin(x, y) && same_but_origin(u, v)
        }
        (Cast(x), Cast(y)) => same_but_origin(x, y),
        (Offset(x, u), Offset(y, v)) | (Difference(x, u), Difference(y, v)) => {
            same_but_origin(x, y) && same_but_origin(u, v)
        }
        _ => false,
    }
}
