//! What is the value of an expression, as mathematics?

use super::Walker;
use crate::access::{AccessKind, Guard, Subscript};
use crate::state::State;
use crate::symbols::{Cause, MAY_CHANGE, SymbolKind};
use ferry_ir::{BinaryOp, Expr as Code, ExprKind, LogicalOp, Place, Type, TypeId, Types, UnaryOp};
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Integer};

/// An array whose element an address is taken of is an element of the arrays around it: `&a[i][j]` is defined only inside the rows of `a`. Nothing is said of the last
/// subscript, with which programs walk over several rows.
fn assume_inside(subscripts: &[Subscript], state: &mut State) {
    let Some((_, around)) = subscripts.split_last() else {
        return;
    };
    for subscript in around {
        if let (Some(index), Some(extent)) = (&subscript.index, &subscript.extent)
            && index.as_constant().is_none()
        {
            state.facts.assume_nonnegative(index.clone());
            state.facts.assume_nonnegative(&(extent - index) - &Expr::one());
        }
    }
}

/// The least and the greatest value of a type; `None` for what is no integer.
pub fn type_range(types: &Types, ty: TypeId) -> Option<(Integer, Integer)> {
    let (zero, one) = (Integer::from(0), Integer::from(1));
    match *types.get(ty) {
        Type::Bool => Some((zero, one)),
        Type::Int { bits, signed: false } => Some((zero, Integer::power_of_two(u32::from(bits)) - one)),
        Type::Int { bits, signed: true } => {
            let half = Integer::power_of_two(u32::from(bits).saturating_sub(1));
            Some((-half.clone(), half - one))
        }
        _ => None,
    }
}

impl Walker<'_> {
    /// Value of an integer (as it is) or pointer (its address in bytes); `None` for other types. All loads inside are
    /// recorded as accesses.
    pub fn value(&mut self, code: &Code, state: &mut State) -> Option<Expr> {
        let ty = code.ty;
        match &code.kind {
            ExprKind::Int(value) => Some(self.constant(*value, code, state)),
            ExprKind::Float(_) | ExprKind::Function(_) => None,
            ExprKind::Load(place) => self.load(place, state),
            ExprKind::AddressOf(place) => {
                let target = self.place(place, state);
                assume_inside(&target.subscripts, state);
                Some(
                    target
                        .address
                        .unwrap_or_else(|| self.unknown(state, ty, "the address is not known", code.origin)),
                )
            }
            ExprKind::Unary(op, operand) => {
                let value = self.value(operand, state);
                if !self.followed(ty) {
                    return None;
                }
                let Some(value) = value else {
                    return self.truth_of_float(*op, state, code);
                };
                match op {
                    UnaryOp::Negate => Some(self.fit(-&value, ty, state, code)),
                    UnaryOp::Complement => Some(self.fit(&-&value - &Expr::one(), ty, state, code)),
                    UnaryOp::Imaginary | UnaryOp::TimesUnit => None,
                    UnaryOp::Not => Some(Expr::select(
                        &Condition::zero(&value),
                        &Expr::one(),
                        &Expr::zero(),
                    )),
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, state, code),
            ExprKind::Logical(op, left, right) => {
                let condition = self.condition(left, state);
                let mut branch = state.clone();
                match op {
                    LogicalOp::And => condition.assume_in(&mut branch, true),
                    LogicalOp::Or => condition.assume_in(&mut branch, false),
                }
                let taken = condition.guard(*op == LogicalOp::And, self.frames.len());
                let second = self.guarded(taken, |walker| walker.condition(right, &mut branch));
                let both = match op {
                    LogicalOp::And => condition.and(second),
                    LogicalOp::Or => condition.or(second),
                };
                Some(self.truth(both.exact(), state, code))
            }
            ExprKind::Select(condition, then, otherwise) => {
                let known = self.condition(condition, state);
                let (mut yes, mut no) = (state.clone(), state.clone());
                known.assume_in(&mut yes, true);
                known.assume_in(&mut no, false);
                let loops = self.frames.len();
                let a = self.guarded(known.guard(true, loops), |walker| walker.value(then, &mut yes));
                let b = self.guarded(known.guard(false, loops), |walker| {
                    walker.value(otherwise, &mut no)
                });
                if !self.followed(ty) {
                    return None;
                }
                let (a, b) = (a?, b?);
                let exact = known.exact();
                match exact {
                    _ if a == b => Some(a),
                    _ if self.unit.types.pointee(ty).is_some() && !self.with_directives => {
                        Some(self.one_of(exact.as_ref(), [&a, &b], ty, state, code.origin))
                    }
                    Some(condition) => Some(Expr::select(&condition, &a, &b)),
                    None => Some(self.either(&a, &b, ty, state, code.origin)),
                }
            }
            ExprKind::Cast(operand) => {
                let value = self.value(operand, state);
                if !self.followed(ty) {
                    return None;
                }
                let Some(value) = value else {
                    let why = "a floating-point value becomes an integer";
                    return Some(self.unknown(state, ty, why, code.origin));
                };
                if self.unit.types.pointee(ty).is_some() {
                    return Some(value);
                }
                if matches!(self.unit.types.get(ty), Type::Bool) {
                    let truth = Expr::select(&Condition::zero(&value), &Expr::zero(), &Expr::one());
                    return Some(truth);
                }
                // An address as a number: programs compare them to see whether sections overlap.
                let is_address = self.unit.types.pointee(operand.ty).is_some()
                    && matches!(self.unit.types.get(ty), Type::Int { bits: 64, .. });
                if self.with_directives && is_address {
                    return Some(value);
                }
                // A value is in the range of its type.
                if self.is_within(operand.ty, ty) {
                    return Some(value);
                }
                Some(self.convert(value, ty, state, code.origin))
            }
            ExprKind::Offset(pointer, index) => {
                let base = self.value(pointer, state);
                let index = self.value(index, state);
                let element = self.unit.types.pointee(ty).and_then(|to| self.size_of(to, state));
                match (base, index, element) {
                    (Some(base), Some(index), Some(element)) => Some(&base + &(&index * &element)),
                    _ => {
                        Some(self.unknown(state, ty, "pointer arithmetic that is not followed", code.origin))
                    }
                }
            }
            ExprKind::Difference(left, right) => {
                let element = self
                    .unit
                    .types
                    .pointee(left.ty)
                    .and_then(|to| self.size_of(to, state));
                let (left, right) = (self.value(left, state), self.value(right, state));
                match (left, right, element) {
                    (Some(left), Some(right), Some(element)) => {
                        Some(Expr::trunc_div(&(&left - &right), &element))
                    }
                    _ => Some(self.unknown(state, ty, "a difference of pointers", code.origin)),
                }
            }
            ExprKind::Opaque { why, mentions } => {
                for mention in mentions {
                    self.value(mention, state);
                }
                self.followed(ty)
                    .then(|| self.unknown(state, ty, why, code.origin))
            }
        }
    }

    /// A constant, by its name if it has one and names are kept.
    fn constant(&mut self, value: i128, code: &Code, state: &mut State) -> Expr {
        let Some(name) = self.name_of_constant(value, code) else {
            return Expr::int(value);
        };
        let key = (name.clone(), value);
        let symbol = match self.named.get(&key) {
            Some(symbol) => *symbol,
            None => {
                let kind = SymbolKind::Named { name, value };
                let info = crate::symbols::SymbolInfo {
                    kind,
                    ty: Some(code.ty),
                    loops: Vec::new(),
                    at: code.origin,
                    order: self.order,
                };
                let symbol = self.symbols.make(info);
                self.named.insert(key, symbol);
                symbol
            }
        };
        state
            .facts
            .assume_nonnegative(&Expr::symbol(symbol) - &Expr::one());
        Expr::symbol(symbol)
    }

    /// The identifier that the text has for a positive constant. Small values are more often modes than sizes.
    fn name_of_constant(&self, value: i128, code: &Code) -> Option<String> {
        let sources = self.names?;
        // A name of another file may mean something else here, or nothing.
        let expansions = self.effects.expansions();
        if self
            .inside
            .iter()
            .any(|inside| expansions.is_brought(inside.function))
        {
            return None;
        }
        let span = code
            .origin
            .text()
            .filter(|_| value > 1 && self.followed(code.ty))?;
        let text = std::str::from_utf8(sources.text(span)).ok()?;
        let mut bytes = text.bytes();
        let first = bytes.next()?;
        let identifier = (first.is_ascii_alphabetic() || first == b'_')
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        identifier.then(|| text.to_owned())
    }

    /// Runs `f` where it is evaluated only under a condition.
    pub fn guarded<T>(&mut self, guard: Guard, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.conditional_depth;
        let guards = self.guards.len();
        self.conditional_depth = self.frames.len();
        self.open_guard(guard);
        let result = f(self);
        self.guards.truncate(guards);
        self.conditional_depth = before;
        result
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Code,
        right: &Code,
        state: &mut State,
        code: &Code,
    ) -> Option<Expr> {
        let ty = code.ty;
        let a = self.value(left, state);
        let b = self.value(right, state);
        if op.is_comparison() {
            let condition = match (a, b) {
                (Some(a), Some(b)) => Some(super::condition::comparison(op, &a, &b)),
                _ => None,
            };
            return Some(self.truth(condition, state, code));
        }
        if !self.followed(ty) {
            return None;
        }
        let (Some(a), Some(b)) = (a, b) else {
            return Some(self.unknown(state, ty, "an operand is not followed", code.origin));
        };
        let value = match op {
            BinaryOp::Add => &a + &b,
            BinaryOp::Sub => &a - &b,
            BinaryOp::Mul => &a * &b,
            BinaryOp::Div => Expr::trunc_div(&a, &b),
            BinaryOp::Rem => Expr::trunc_rem(&a, &b),
            BinaryOp::Shl => Expr::shl(&a, &b),
            BinaryOp::Shr => Expr::shr(&a, &b),
            BinaryOp::And => Expr::bit_and(&a, &b),
            BinaryOp::Or => Expr::bit_or(&a, &b),
            BinaryOp::Xor => Expr::bit_xor(&a, &b),
            _ => return None,
        };
        let value = value.simplify(&state.facts);
        Some(self.fit(value, ty, state, code))
    }

    /// The result of an operation of type `ty`: itself where it fits, or where not fitting is undefined.
    fn fit(&mut self, value: Expr, ty: TypeId, state: &mut State, code: &Code) -> Expr {
        match *self.unit.types.get(ty) {
            Type::Int { signed: true, .. } if !self.unit.dialect.wrapping => value,
            Type::Pointer(_) => value,
            Type::Int { signed: false, .. } => self.converted(
                value,
                ty,
                state,
                code.origin,
                "an unsigned value that may wrap around",
            ),
            _ => self.convert(value, ty, state, code.origin),
        }
    }

    /// Conversion to an integer type of what the text at a place computes in another one.
    pub fn convert(&mut self, value: Expr, ty: TypeId, state: &mut State, at: Origin) -> Expr {
        self.converted(value, ty, state, at, MAY_CHANGE)
    }

    fn converted(
        &mut self,
        value: Expr,
        ty: TypeId,
        state: &mut State,
        at: Origin,
        why: &'static str,
    ) -> Expr {
        if self.fits(&value, ty, state) {
            return value;
        }
        if let Type::Int { bits, signed: false } = *self.unit.types.get(ty)
            && let Some(constant) = value.as_constant()
        {
            return Expr::floor_mod(&Expr::constant(constant), &power_of_two(u32::from(bits)));
        }
        let key = (value.clone(), ty);
        if let Some(symbol) = self.conversions.get(&key) {
            return Expr::symbol(*symbol);
        }
        let loops: Vec<_> = {
            let symbols = value.symbols();
            let mut loops: Vec<_> = self.frames.iter().map(|frame| frame.stmt).collect();
            loops.retain(|of| symbols.iter().any(|symbol| self.symbols.varies_in(*symbol, *of)));
            loops
        };
        let symbol = self.symbols.make(crate::symbols::SymbolInfo {
            kind: SymbolKind::Unknown(Cause::new(why, at)),
            ty: Some(ty),
            loops,
            at,
            order: self.order,
        });
        self.assume_type_range(state, symbol, ty);
        self.conversions.insert(key, symbol);
        Expr::symbol(symbol)
    }

    /// True if the value is proved to lie in the range of an integer type.
    pub fn fits(&self, value: &Expr, ty: TypeId, state: &State) -> bool {
        let Some((low, high)) = self.type_range(ty) else {
            return false;
        };
        if value.as_constant().is_some() {
            return self.lies_between(value, low, high, state);
        }
        // A lone symbol of a type that is not wider fits by its own type.
        if let Some(symbol) = value.as_symbol()
            && self
                .symbols
                .info(symbol)
                .ty
                .is_some_and(|own| self.is_within(own, ty))
        {
            return true;
        }
        self.lies_between(value, low, high, state)
    }

    /// True if the value is proved to lie between two numbers, which are among them.
    pub fn lies_between(&self, value: &Expr, low: Integer, high: Integer, state: &State) -> bool {
        if let Some(constant) = value.as_constant() {
            return low <= constant && constant <= high;
        }
        let (low, high) = (Expr::constant(low), Expr::constant(high));
        let mut facts = state.facts.clone();
        let own = value.symbols();
        for symbol in &own {
            self.assume_full_range(&mut facts, *symbol);
        }
        if !facts.prove_nonnegative(&(value - &low)) {
            return false;
        }
        if facts.prove_nonnegative(&(&high - value)) {
            return true;
        }
        // The bound may come from another variable: i < n, and n fits.
        for symbol in state.facts.linked(&own).difference(&own) {
            self.assume_full_range(&mut facts, *symbol);
        }
        facts.prove_nonnegative(&(&high - value))
    }

    fn assume_full_range(&self, facts: &mut ferry_symbolic::Facts, symbol: ferry_symbolic::Symbol) {
        let info = self.symbols.info(symbol);
        if let Some((low, high)) = info.ty.and_then(|ty| self.type_range(ty)) {
            facts.assume_nonnegative(&Expr::symbol(symbol) - &Expr::constant(low));
            facts.assume_nonnegative(&Expr::constant(high) - &Expr::symbol(symbol));
        }
    }

    /// True if every value of one integer type is one of the other too.
    pub(super) fn is_within(&self, inner: TypeId, outer: TypeId) -> bool {
        match (self.type_range(inner), self.type_range(outer)) {
            (Some((low, high)), Some((least, greatest))) => least <= low && high <= greatest,
            _ => false,
        }
    }

    /// Least and greatest value of an integer type.
    pub fn type_range(&self, ty: TypeId) -> Option<(Integer, Integer)> {
        type_range(&self.unit.types, ty)
    }

    /// 0 or 1.
    fn truth(&mut self, condition: Option<Condition>, state: &mut State, code: &Code) -> Expr {
        match condition {
            Some(condition) => Expr::select(&condition, &Expr::one(), &Expr::zero()),
            None => {
                let value = self.unknown(state, code.ty, "a condition that is not followed", code.origin);
                state.facts.assume_nonnegative(value.clone());
                state.facts.assume_nonnegative(&Expr::one() - &value);
                value
            }
        }
    }

    fn truth_of_float(&mut self, op: UnaryOp, state: &mut State, code: &Code) -> Option<Expr> {
        match op {
            UnaryOp::Not => Some(self.truth(None, state, code)),
            _ => Some(self.unknown(state, code.ty, "an operand is not followed", code.origin)),
        }
    }

    /// A value that is one of two.
    pub fn either(
        &mut self,
        a: &Expr,
        b: &Expr,
        ty: TypeId,
        state: &mut State,
        at: ferry_source::Origin,
    ) -> Expr {
        let value = self.unknown(state, ty, "it depends on a condition", at);
        state.facts.assume_nonnegative(&value - &Expr::min(a, b));
        state.facts.assume_nonnegative(&Expr::max(a, b) - &value);
        value
    }

    /// Size in bytes of a type, variable-length arrays included.
    pub fn size_of(&mut self, ty: TypeId, state: &mut State) -> Option<Expr> {
        if let Some(size) = self.unit.types.size(ty) {
            return Some(Expr::int(i128::from(size)));
        }
        match self.unit.types.get(ty).clone() {
            Type::Array { element, length } => {
                let element = self.size_of(element, state)?;
                Some(&self.length(&length, state)? * &element)
            }
            _ => None,
        }
    }

    /// Number of elements of an array type.
    pub fn length(&mut self, length: &ferry_ir::Length, state: &mut State) -> Option<Expr> {
        match length {
            ferry_ir::Length::Constant(length) => Some(Expr::int(i128::from(*length))),
            ferry_ir::Length::Variable(local) => {
                let local = ferry_ir::LocalId(local.0 + self.inside.last().map_or(0, |inside| inside.base));
                state.get(ferry_ir::VariableRef::Local(local)).cloned()
            }
            ferry_ir::Length::Unknown => None,
        }
    }

    fn load(&mut self, place: &Place, state: &mut State) -> Option<Expr> {
        if let Some(variable) = place.as_variable()
            && self.tracked(variable)
        {
            self.note_variable(AccessKind::Read, place, state);
            if !self.followed(place.ty) {
                return None;
            }
            if let Some(value) = state.get(variable) {
                return Some(value.clone());
            }
            let value = self.unknown(state, place.ty, "read before a value is known", place.origin);
            state.set(variable, value.clone());
            return Some(value);
        }
        self.read(place, state)
    }
}

fn power_of_two(exponent: u32) -> Expr {
    Expr::constant(Integer::power_of_two(exponent))
}
