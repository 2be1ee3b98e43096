//! Which variables does a loop only set to one value, so that it does not matter which of its iterations do?
//!
//! `if (a[i] != b[i]) changed = 1;`, of which nothing else in the loop reads `changed`: behind the loop it has its old value, or 1. That is a reduction: the greater one of
//! both, if the old value is not greater than the number, and the lesser one, if it is not less. Between 0 and 1 these are `||` and `&&`. What the old value can be is
//! known from the values before the loop, or else from the text: it is one of the numbers that the function gives the variable. Where that is not known, or the value is no
//! number, each assignment has to be carried out as a whole.
//!
//! What it cannot do: values that are read from memory. Variables of the file and what pointers lead to are objects in memory ([`super::atomic`]).

use super::{Atomic, Judge, Object, Reduction, Verdict, Whole, base_is, for_each_part, mentions};
use crate::reduction::{ReductionOp, same_but_origin};
use crate::scalar::{LoopScalars, expr_mentions};
use crate::state::State;
use crate::value::type_range;
use ferry_ir::{
    Expr as Code, ExprKind, Function, Loop, Place, Stmt, StmtId, StmtKind, Type, TypeId, Types, UnaryOp,
    Unit, VariableRef,
};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Facts, Integer};
use std::collections::BTreeSet;

/// A variable that a loop only sets to one value.
pub(super) struct OneValue {
    variable: VariableRef,
    /// The reduction that this is, if it is known to be one.
    op: Option<ReductionOp>,
    /// The place that is set first.
    at: Origin,
    /// The statements that set it.
    statements: BTreeSet<StmtId>,
}

impl OneValue {
    /// What the loop does with the variable, if that is all.
    pub fn of(
        judge: &Judge<'_>,
        inner: &Loop,
        scalars: &LoopScalars,
        variable: VariableRef,
    ) -> Option<OneValue> {
        let found = numbers(judge, inner, variable).or_else(|| values(judge, inner, scalars, variable))?;
        judge
            .unit
            .types
            .is_scalar(judge.values.type_of(judge.unit, variable))
            .then_some(found)
    }

    /// Puts it into a verdict.
    pub fn note(self, judge: &Judge<'_>, verdict: &mut Verdict) {
        match self.op {
            Some(op) => verdict.reductions.push(Reduction {
                updates: self.statements,
                ..judge.reduction_of(self.variable, op, self.at)
            }),
            None => verdict.atomics.push(Atomic {
                how: Whole::Write,
                object: Object::Variable(self.variable),
                at: self.at,
                updates: self.statements,
                floating: false,
            }),
        }
    }
}

/// A variable that a loop only sets to one number.
fn numbers(judge: &Judge<'_>, inner: &Loop, variable: VariableRef) -> Option<OneValue> {
    let types = &judge.unit.types;
    let (number, at, statements) = only_number(types, inner, variable)?;
    let old = OldValue::of(judge.unit, judge.function, &judge.facts.before, variable);
    Some(OneValue {
        variable,
        op: Some(old.reduction_to(&number)?),
        at,
        statements,
    })
}

/// A variable that a loop only sets to a value that it does not change.
fn values(judge: &Judge<'_>, inner: &Loop, scalars: &LoopScalars, variable: VariableRef) -> Option<OneValue> {
    let tests = inner.condition.as_ref();
    let mut only = tests.is_none_or(|test| !expr_mentions(test, variable));
    let mut first: Option<(&Place, &Code)> = None;
    let mut statements = BTreeSet::new();
    for_each_part(inner, &mut |stmt| match &stmt.kind {
        StmtKind::Assign { place, value } if place.as_variable() == Some(variable) => {
            let (_, known) = first.get_or_insert((place, value));
            only &= judge.is_fixed(value, scalars) && same_but_origin(value, known);
            statements.insert(stmt.id);
        }
        StmtKind::Declare { .. } => {}
        _ => only &= !mentions(stmt, variable),
    });
    let at = first?.0.origin;
    only.then_some(OneValue {
        variable,
        op: None,
        at,
        statements,
    })
}

/// The one number that a loop sets a variable to, if it does nothing else with it.
fn only_number(
    types: &Types,
    inner: &Loop,
    variable: VariableRef,
) -> Option<(Integer, Origin, BTreeSet<StmtId>)> {
    let tests = inner.condition.as_ref();
    let mut only = tests.is_none_or(|test| !expr_mentions(test, variable));
    let (mut numbers, mut statements) = (BTreeSet::new(), BTreeSet::new());
    let mut first = None;
    for_each_part(inner, &mut |stmt| match given(types, stmt, variable) {
        Given::Numbers(found) => {
            numbers.extend(found);
            statements.insert(stmt.id);
            first = first.or(stmt.written_place().map(|place| place.origin));
        }
        Given::Nothing => {}
        Given::Other => only = false,
    });
    let mut numbers = numbers.into_iter();
    match (numbers.next(), numbers.next()) {
        (Some(number), None) if only => Some((number, first?, statements)),
        _ => None,
    }
}

/// What a statement does with a variable.
enum Given {
    Nothing,
    /// It sets the variable to one of these, or leaves it.
    Numbers(BTreeSet<Integer>),
    Other,
}

fn given(types: &Types, stmt: &Stmt, variable: VariableRef) -> Given {
    let is_it = |place: &Place| place.as_variable() == Some(variable);
    match &stmt.kind {
        StmtKind::Assign { place, value } if is_it(place) => {
            let mut numbers = BTreeSet::new();
            match chosen(types, value, place, &mut numbers) {
                true => Given::Numbers(numbers),
                false => Given::Other,
            }
        }
        StmtKind::Zero { place } if is_it(place) => Given::Numbers(BTreeSet::from([Integer::from(0)])),
        StmtKind::Declare { .. } => Given::Nothing,
        _ => match mentions(stmt, variable) {
            true => Given::Other,
            false => Given::Nothing,
        },
    }
}

/// Collects the numbers that a value may be; false if it may be anything else but what the place has now.
fn chosen(types: &Types, value: &Code, place: &Place, numbers: &mut BTreeSet<Integer>) -> bool {
    if let Some(number) = number(types, value) {
        let fits = type_range(types, place.ty).is_some_and(|(low, high)| low <= number && number <= high);
        numbers.insert(number);
        return fits;
    }
    match &value.kind {
        ExprKind::Cast(inner) => match &inner.kind {
            ExprKind::Select(..) => chosen(types, inner, place, numbers),
            ExprKind::Load(from) => is_kept(types, from, place, inner.ty, value.ty),
            _ => false,
        },
        ExprKind::Load(from) => is_kept(types, from, place, place.ty, value.ty),
        ExprKind::Select(condition, yes, no) => {
            let variable = place.as_variable();
            variable.is_some_and(|variable| !expr_mentions(condition, variable))
                && chosen(types, yes, place, numbers)
                && chosen(types, no, place, numbers)
        }
        _ => false,
    }
}

/// True if what is read is the place, in a type that holds all its values.
fn is_kept(types: &Types, from: &Place, place: &Place, own: TypeId, to: TypeId) -> bool {
    let holds = || {
        let (own, to) = (type_range(types, own)?, type_range(types, to)?);
        Some(to.0 <= own.0 && own.1 <= to.1)
    };
    from.as_variable() == place.as_variable() && from.ty == own && holds() == Some(true)
}

/// The number that a constant is, through conversions that change nothing but to a truth value.
fn number(types: &Types, value: &Code) -> Option<Integer> {
    let found = match &value.kind {
        ExprKind::Int(number) => Integer::from(*number),
        ExprKind::Unary(UnaryOp::Negate, inner) => -number(types, inner)?,
        ExprKind::Cast(inner) => {
            let inner = number(types, inner)?;
            match types.get(value.ty) {
                Type::Bool => Integer::from(i128::from(!inner.is_zero())),
                _ => inner,
            }
        }
        _ => return None,
    };
    let (low, high) = type_range(types, value.ty)?;
    (low <= found && found <= high).then_some(found)
}

/// What is known of a variable before a loop.
pub struct OldValue<'a> {
    /// Its value there, in symbols, with what is known of them.
    value: Option<(&'a Expr, &'a Facts)>,
    /// The least and the greatest number that it may be, whatever ran before, if it was given one.
    range: Option<(Integer, Integer)>,
    /// It was given one.
    is_set: bool,
}

impl<'a> OldValue<'a> {
    /// What is known of a local variable that only its own name changes, in the state before a loop.
    pub fn of(unit: &Unit, function: &Function, before: &'a State, variable: VariableRef) -> OldValue<'a> {
        OldValue {
            value: before.get(variable).map(|value| (value, &before.facts)),
            range: numbers_of(unit, function, variable),
            is_set: function
                .body
                .as_ref()
                .is_some_and(|body| is_set_where_declared(body, variable)),
        }
    }

    /// True if it is not greater than the number, by its value, or by what it is ever given.
    fn is_at_most(&self, number: &Integer, range: Option<&(Integer, Integer)>) -> bool {
        let of = Expr::from(number.clone());
        range.is_some_and(|(_, high)| high <= number)
            || self
                .value
                .is_some_and(|(value, facts)| facts.prove_nonnegative(&(&of - value)))
    }

    /// True if it is not less than the number, likewise.
    fn is_at_least(&self, number: &Integer, range: Option<&(Integer, Integer)>) -> bool {
        let of = Expr::from(number.clone());
        range.is_some_and(|(low, _)| low >= number)
            || self
                .value
                .is_some_and(|(value, facts)| facts.prove_nonnegative(&(value - &of)))
    }

    /// True if it is 0 or 1, or was never set: nothing reads it then, and `||` and `&&` with anything are right where an iteration sets it.
    pub fn is_truth_value(&self) -> bool {
        let range = self.range.as_ref();
        self.is_at_least(&Integer::from(0), range) && self.is_at_most(&Integer::from(1), range)
    }

    /// The operation that gives the number where some iteration does, and what was there before where none does.
    fn reduction_to(&self, number: &Integer) -> Option<ReductionOp> {
        let (zero, one) = (Integer::from(0), Integer::from(1));
        // What was never set may be greater than anything, and less.
        let range = self.range.as_ref().filter(|_| self.is_set);
        match self.is_truth_value() {
            true if *number == one => Some(ReductionOp::Or),
            true if *number == zero => Some(ReductionOp::And),
            _ if self.is_at_most(number, range) => Some(ReductionOp::Maximum),
            _ if self.is_at_least(number, range) => Some(ReductionOp::Minimum),
            _ => None,
        }
    }
}

/// True if the first thing that happens to a local variable behind its declaration is that it is set, before anything else than assignments runs.
fn is_set_where_declared(body: &Stmt, variable: VariableRef) -> bool {
    let mut found = false;
    body.walk(&mut |stmt| {
        let StmtKind::Block { body, .. } = &stmt.kind else { return };
        let declares = |part: &Stmt| {
            matches!(&part.kind, StmtKind::Declare { local } if VariableRef::Local(*local) == variable)
        };
        let behind = body.iter().skip_while(|part| !declares(part)).skip(1);
        let mut plain = behind.take_while(|part| {
            matches!(part.kind, StmtKind::Declare { .. } | StmtKind::Assign { .. } | StmtKind::Zero { .. })
        });
        found |= plain.any(|part| part.written_place().and_then(Place::as_variable) == Some(variable));
    });
    found
}

/// The least and the greatest of the numbers that a function gives a local variable. What it holds before the first one nobody knows, and nothing may read.
fn numbers_of(unit: &Unit, function: &Function, variable: VariableRef) -> Option<(Integer, Integer)> {
    let types = &unit.types;
    let (ty, is_followed) = match variable {
        VariableRef::Global(id) => (unit.global(id).ty, false),
        VariableRef::Local(id) => {
            let local = function.locals.get(id.0 as usize)?;
            let is_followed =
                id.0 >= function.parameters && !local.address_taken && !local.qualifiers.volatile;
            (local.ty, is_followed)
        }
    };
    if matches!(types.get(ty), Type::Bool) {
        return type_range(types, ty);
    }
    if !is_followed {
        return None;
    }
    let body = function.body.as_ref()?;
    let (mut numbers, mut only) = (BTreeSet::new(), true);
    body.walk(&mut |stmt| match given(types, stmt, variable) {
        // A clause may combine copies, or bring another value from a device.
        _ if matches!(stmt.kind, StmtKind::Directive { .. }) => only = false,
        Given::Numbers(found) => numbers.extend(found),
        Given::Nothing => {}
        // Reading it changes nothing.
        Given::Other => {
            let place = stmt.written_place();
            only &= !place.is_some_and(|place| base_is(place, variable))
                && !matches!(stmt.kind, StmtKind::Opaque { .. });
        }
    });
    let (first, last) = (numbers.first()?.clone(), numbers.last()?.clone());
    only.then_some((first, last))
}
