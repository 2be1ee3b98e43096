//! Which updates take several statements: through variables that hold the new value in between, by `continue`, or with functions whose results are compared?
//!
//! `t = x + a[i]; x = t;` is what `x = x + a[i];` is, if nothing else reads `t`: it holds a sum of which the order shows. `if (a[i] <= m) continue; m = a[i];` at
//! the end of a body is what `if (!(a[i] <= m)) m = a[i];` is. `if (fabs(x) + fabs(y) > m) m = fabs(x) + fabs(y);` computes both values twice, in variables of the
//! front end: they are compared by what was put into these. All statements between the first and the last one give values to local variables of which nobody has the
//! address, so nothing in memory changes in between.
//!
//! What it cannot do: more than so many statements, values that are given under a condition, and other statements between these.

use super::{
    Conversions, ReductionOp, Update, call_operation, chosen, is_nothing, loads_of, mentions, operation,
    opposite, same_place, strip, update,
};
use crate::scalar::Variables;
use ferry_ir::{
    Callee, Expr, ExprKind, FunctionRef, Local, LocalId, Loop, Place, PlaceBase, Stmt, StmtId, StmtKind,
    TypeId, Unit, VariableRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many statements before an update are looked at. Each may double the value that is looked at.
const STEPS: usize = 10;

/// What a variable is given.
#[derive(Clone, Copy)]
enum Given<'a> {
    Value(&'a Expr),
    Call(FunctionRef, &'a [Expr]),
}

impl<'a> Given<'a> {
    fn expressions(self) -> &'a [Expr] {
        match self {
            Given::Value(value) => std::slice::from_ref(value),
            Given::Call(_, arguments) => arguments,
        }
    }

    fn mentions(self, place: &Place) -> bool {
        self.expressions().iter().any(|part| mentions(part, place))
    }
}

/// A statement that gives a local variable a value, and does nothing else.
#[derive(Clone, Copy)]
struct Step<'a> {
    stmt: StmtId,
    variable: VariableRef,
    ty: TypeId,
    given: Given<'a>,
}

/// What is known of the variables of a function.
pub type Locals<'l> = &'l dyn Fn(LocalId) -> Option<&'l Local>;

/// The updates of a loop's iterations: those of one statement, and those of several whose variables nothing else reads, in the loop or behind it.
pub fn updates_in<'a>(
    unit: &Unit,
    locals: Locals<'_>,
    inner: &'a Loop,
    live_after: &Variables,
) -> Vec<Update<'a>> {
    let head = inner.before_test.iter().chain(&inner.step);
    let parts: Vec<&Stmt> = head.chain(std::iter::once(&inner.body)).collect();
    let mut found = at_the_end(unit, locals, inner);
    found.extend(all(unit, locals, &parts));
    only_free(found, &parts, inner.condition.as_ref(), live_after)
}

/// The updates of a function's body.
pub fn updates_of_body<'a>(unit: &Unit, locals: Locals<'_>, body: &'a Stmt) -> Vec<Update<'a>> {
    let found = all(unit, locals, &[body]);
    only_free(found, &[body], None, &Variables::new())
}

fn all<'a>(unit: &Unit, locals: Locals<'_>, parts: &[&'a Stmt]) -> Vec<Update<'a>> {
    let mut found: Vec<Update<'a>> = Vec::new();
    for part in parts {
        part.walk(&mut |stmt| {
            for one in updates(unit, locals, stmt) {
                // Seen from a block and from one around it.
                let same = |known: &Update<'_>| known.stmt == one.stmt && known.parts == one.parts;
                if one.parts.len() == 1 || !found.iter().any(same) {
                    found.push(one);
                }
            }
        });
    }
    found
}

/// Without those whose variables something else reads. What is none then may be what reads those of another one.
fn only_free<'a>(
    mut found: Vec<Update<'a>>,
    parts: &[&Stmt],
    condition: Option<&Expr>,
    live_after: &Variables,
) -> Vec<Update<'a>> {
    while found.iter().any(|one| !one.through.is_empty()) {
        let mut own: BTreeMap<VariableRef, BTreeSet<StmtId>> = BTreeMap::new();
        for one in &found {
            for variable in &one.through {
                own.entry(*variable).or_default().extend(&one.parts);
            }
        }
        let mut elsewhere: BTreeSet<VariableRef> = BTreeSet::new();
        let mut look = |expr: &Expr, stmt: Option<StmtId>| {
            expr.walk(&mut |part| {
                let (ExprKind::Load(place) | ExprKind::AddressOf(place)) = &part.kind else {
                    return;
                };
                if let PlaceBase::Variable(variable) = place.base
                    && let Some(parts) = own.get(&variable)
                    && stmt.is_none_or(|stmt| !parts.contains(&stmt))
                {
                    elsewhere.insert(variable);
                }
            });
        };
        condition.iter().for_each(|test| look(test, None));
        for part in parts {
            part.walk(&mut |stmt| stmt.for_each_expression(&mut |expr| look(expr, Some(stmt.id))));
        }
        let before = found.len();
        let is_free =
            |variable: &VariableRef| !live_after.contains(variable) && !elsewhere.contains(variable);
        found.retain(|one| one.through.iter().all(is_free));
        if found.len() == before {
            break;
        }
    }
    found
}

/// The updates that a statement of a loop is, or ends in, whether or not something else reads the variables between.
pub fn updates<'a>(unit: &Unit, locals: Locals<'_>, stmt: &'a Stmt) -> Vec<Update<'a>> {
    let mut found: Vec<Update<'a>> = update(unit, stmt).into_iter().collect();
    match &stmt.kind {
        StmtKind::Block { .. } => {
            let list = flat(stmt);
            for (place, last) in list.iter().enumerate() {
                found.extend(summed(unit, locals, &list[..place], last));
                if let StmtKind::If {
                    condition,
                    then,
                    otherwise: None,
                } = &last.kind
                {
                    let whole = (last.id, condition, true);
                    found.extend(compared(unit, locals, &list[..place], whole, &flat(then)));
                }
            }
        }
        StmtKind::Loop(inner) => found.extend(at_the_end(unit, locals, inner)),
        _ => {}
    }
    found
}

/// `if (e <= x) continue; x = e;` as the last statements of a loop's body.
fn at_the_end<'a>(unit: &Unit, locals: Locals<'_>, inner: &'a Loop) -> Vec<Update<'a>> {
    let list = flat(&inner.body);
    let mut found = Vec::new();
    for (place, stmt) in list.iter().enumerate() {
        if let StmtKind::If {
            condition,
            then,
            otherwise,
        } = &stmt.kind
            && otherwise.as_deref().is_none_or(is_nothing)
            && matches!(
                flat(then).as_slice(),
                [Stmt {
                    kind: StmtKind::Continue,
                    ..
                }]
            )
        {
            let whole = (stmt.id, condition, false);
            found.extend(compared(unit, locals, &list[..place], whole, &list[place + 1..]));
        }
    }
    found
}

/// The statements of a body in the order in which they run, without blocks around some of them.
fn flat(stmt: &Stmt) -> Vec<&Stmt> {
    fn add<'a>(stmt: &'a Stmt, list: &mut Vec<&'a Stmt>) {
        match &stmt.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(|part| add(part, list)),
            StmtKind::Empty | StmtKind::Declare { .. } => {}
            _ => list.push(stmt),
        }
    }
    let mut list = Vec::new();
    add(stmt, &mut list);
    list
}

fn step<'a>(unit: &Unit, locals: Locals<'_>, stmt: &'a Stmt) -> Option<Step<'a>> {
    let place = stmt.written_place()?;
    let variable = place.as_variable()?;
    let VariableRef::Local(id) = variable else {
        return None;
    };
    let local = locals(id)?;
    if local.address_taken || local.qualifiers.volatile || !unit.types.is_scalar(local.ty) {
        return None;
    }
    let given = match &stmt.kind {
        StmtKind::Assign { value, .. } if value.ty == place.ty => Given::Value(value),
        StmtKind::Call {
            callee: Callee::Function(id),
            arguments,
            ..
        } if unit.function(*id).pure => Given::Call(*id, arguments),
        _ => return None,
    };
    Some(Step {
        stmt: stmt.id,
        variable,
        ty: local.ty,
        given,
    })
}

/// The statements at the end of a list that only give values to variables, as far as they neither change the place nor where it is.
fn steps_before<'a>(unit: &Unit, locals: Locals<'_>, list: &[&'a Stmt], place: &Place) -> Vec<Step<'a>> {
    let steps = list.iter().rev().map_while(|stmt| step(unit, locals, stmt));
    let mut found: Vec<Step<'a>> = steps
        .take_while(|step| !moves(place, step.variable))
        .take(STEPS)
        .collect();
    found.reverse();
    found
}

/// True if a place is another one, or has another value, once a variable has.
fn moves(place: &Place, variable: VariableRef) -> bool {
    let mut found = place.base == PlaceBase::Variable(variable);
    place.for_each_child(&mut |child| found |= crate::scalar::expr_mentions(child, variable));
    found
}

/// What is known of a variable.
enum Known {
    /// Its value.
    Is(Expr),
    /// The place's value, or another one, whichever is greater, or less.
    Extreme(ReductionOp),
}

/// `t = x + a; x = t;`
fn summed<'a>(unit: &Unit, locals: Locals<'_>, before: &[&'a Stmt], last: &'a Stmt) -> Option<Update<'a>> {
    let StmtKind::Assign { place, value } = &last.kind else {
        return None;
    };
    // Most assignments stand behind nothing of the kind, and are not looked at any further.
    let newest = step(unit, locals, before.last()?)?;
    let mut steps = Vec::new();
    if !moves(place, newest.variable) {
        steps = steps_before(unit, locals, before, place);
    }
    let first = steps.iter().position(|step| step.given.mentions(place))?;
    let exact = Conversions {
        unit,
        place: place.ty,
        exact: true,
    };
    let mut known: BTreeMap<VariableRef, Known> = BTreeMap::new();
    let mut carrying: BTreeSet<VariableRef> = BTreeSet::new();
    let mut through: BTreeSet<VariableRef> = BTreeSet::new();
    let mut parts = Vec::new();
    let mut reads = 0;
    for (number, step) in steps.iter().enumerate() {
        let carries = step.given.mentions(place) || reads_any(step.given, &carrying);
        let now = match step.given {
            Given::Value(value) => Some(Known::Is(substitute(value, &known)?)),
            Given::Call(id, arguments) if carries => {
                let op = call_operation(unit, id, arguments, place).filter(|_| step.ty == place.ty)?;
                Some(Known::Extreme(op))
            }
            Given::Call(..) => None,
        };
        match now {
            Some(now) => known.insert(step.variable, now),
            None => known.remove(&step.variable),
        };
        match carries {
            true => carrying.insert(step.variable),
            false => carrying.remove(&step.variable),
        };
        if carries {
            through.insert(step.variable);
        }
        if number >= first {
            parts.push(*step);
            let expressions = step.given.expressions().iter();
            reads += expressions.map(|part| loads_of(part, place)).sum::<usize>();
        }
    }
    if !reads_any(Given::Value(value), &carrying) || mentions(value, place) {
        return None;
    }
    let op = match strip(value, exact).as_variable().and_then(|one| known.get(&one)) {
        Some(Known::Extreme(op)) => *op,
        _ => {
            let whole = substitute(value, &known)?;
            // What a variable held before is another iteration's.
            if through
                .iter()
                .any(|variable| crate::scalar::expr_mentions(&whole, *variable))
            {
                return None;
            }
            operation(unit, place, &whole)?
        }
    };
    // Of the others some may be read elsewhere: they have no part in it.
    let own = |step: &&Step<'a>| through.contains(&step.variable);
    let mut parts: Vec<StmtId> = parts.iter().filter(own).map(|step| step.stmt).collect();
    parts.extend(steps[..first].iter().filter(own).map(|step| step.stmt));
    parts.push(last.id);
    parts.sort();
    Some(Update {
        stmt: last.id,
        parts,
        op,
        place,
        reads,
        through: through.into_iter().collect(),
    })
}

fn reads_any(given: Given<'_>, variables: &BTreeSet<VariableRef>) -> bool {
    given.expressions().iter().any(|part| {
        variables
            .iter()
            .any(|variable| crate::scalar::expr_mentions(part, *variable))
    })
}

/// An expression with what is known in the place of variables; `None` where a variable says which element is read, or is not known by a value.
fn substitute(expr: &Expr, known: &BTreeMap<VariableRef, Known>) -> Option<Expr> {
    let inside = |part: &Expr| Some(Box::new(substitute(part, known)?));
    let kind = match &expr.kind {
        ExprKind::Load(place) => match place.as_variable().and_then(|variable| known.get(&variable)) {
            Some(Known::Is(value)) => return Some(value.clone()),
            Some(Known::Extreme(_)) => return None,
            None => {
                let mut fine = true;
                place.for_each_child(&mut |child| {
                    fine &= !known
                        .keys()
                        .any(|variable| crate::scalar::expr_mentions(child, *variable));
                });
                return fine.then(|| expr.clone());
            }
        },
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, inside(a)?),
        ExprKind::Cast(a) => ExprKind::Cast(inside(a)?),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inside(a)?, inside(b)?),
        ExprKind::Logical(op, a, b) => ExprKind::Logical(*op, inside(a)?, inside(b)?),
        ExprKind::Select(c, a, b) => ExprKind::Select(inside(c)?, inside(a)?, inside(b)?),
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => return Some(expr.clone()),
        ExprKind::AddressOf(_)
        | ExprKind::Offset(..)
        | ExprKind::Difference(..)
        | ExprKind::Opaque { .. } => {
            let is_free = known
                .keys()
                .all(|variable| !crate::scalar::expr_mentions(expr, *variable));
            return is_free.then(|| expr.clone());
        }
    };
    Some(Expr {
        kind,
        ty: expr.ty,
        origin: expr.origin,
    })
}

/// `t = f(e); if (t > x) { u = f(e); x = u; }`: the value that is compared is the one that is kept. `rest` is what runs where the condition is as told.
fn compared<'a>(
    unit: &Unit,
    locals: Locals<'_>,
    before: &[&'a Stmt],
    (id, condition, holds): (StmtId, &'a Expr, bool),
    rest: &[&'a Stmt],
) -> Option<Update<'a>> {
    let (last, inside) = rest.split_last()?;
    let place = last.written_place()?;
    let inside: Vec<Step<'a>> = inside
        .iter()
        .map(|stmt| step(unit, locals, stmt))
        .collect::<Option<_>>()?;
    let given = match &last.kind {
        StmtKind::Assign { value, .. } => Given::Value(value),
        StmtKind::Call {
            callee: Callee::Function(id),
            arguments,
            ..
        } if unit.function(*id).pure => Given::Call(*id, arguments),
        _ => return None,
    };
    let exact = Conversions {
        unit,
        place: place.ty,
        exact: true,
    };
    let (op, other) = chosen(condition, place, exact)?;
    let op = if holds { op } else { opposite(op) };
    if inside.len() > STEPS
        || given.mentions(place)
        || inside
            .iter()
            .any(|step| moves(place, step.variable) || step.given.mentions(place))
    {
        return None;
    }
    let through: BTreeSet<VariableRef> = inside.iter().map(|step| step.variable).collect();
    let mut parts: Vec<StmtId> = std::iter::once(id)
        .chain(inside.iter().map(|step| step.stmt))
        .collect();
    parts.push(last.id);
    let mut steps = steps_before(unit, locals, before, place);
    let at_condition = steps.len();
    steps.extend(inside);
    let steps = Steps { exact, steps };
    let kept = match given {
        Given::Value(value) => Given::Value(strip(value, exact)),
        call => call,
    };
    let other = Given::Value(strip(other, exact));
    let all = steps.steps.len();
    steps
        .same_given((other, at_condition), (kept, all))
        .then(|| Update {
            stmt: id,
            parts,
            op,
            place,
            reads: 1,
            through: through.into_iter().collect(),
        })
}

/// Values by the statements that gave them: each is asked for as it is before the statement of some number.
struct Steps<'a> {
    exact: Conversions<'a>,
    steps: Vec<Step<'a>>,
}

impl<'a> Steps<'a> {
    /// Which statement before the `end`th one gave the variable its value.
    fn last(&self, variable: VariableRef, end: usize) -> Option<usize> {
        self.steps[..end]
            .iter()
            .rposition(|step| step.variable == variable)
    }

    /// What a value is that is read from a variable.
    fn resolve<'e>(&self, (given, end): (Given<'e>, usize)) -> (Given<'e>, usize)
    where
        'a: 'e,
    {
        if let Given::Value(value) = given
            && let Some(variable) = strip(value, self.exact).as_variable()
            && let Some(number) = self.last(variable, end)
        {
            return self.resolve((self.steps[number].given, number));
        }
        (given, end)
    }

    fn same_given(&self, one: (Given<'_>, usize), two: (Given<'_>, usize)) -> bool {
        let ((one, first), (two, second)) = (self.resolve(one), self.resolve(two));
        match (one, two) {
            (Given::Call(f, a), Given::Call(g, b)) => {
                let mut pairs = a.iter().zip(b);
                f == g && a.len() == b.len() && pairs.all(|(a, b)| self.same((a, first), (b, second)))
            }
            (Given::Value(a), Given::Value(b)) => {
                self.same((strip(a, self.exact), first), (strip(b, self.exact), second))
            }
            _ => false,
        }
    }

    fn same(&self, (a, first): (&Expr, usize), (b, second): (&Expr, usize)) -> bool {
        use ExprKind::*;
        let same = |a: &Expr, b: &Expr| self.same((a, first), (b, second));
        let is_given = |expr: &Expr, end| {
            expr.as_variable()
                .is_some_and(|variable| self.last(variable, end).is_some())
        };
        if is_given(a, first) || is_given(b, second) {
            let number = |expr: &Expr, end| expr.as_variable().and_then(|variable| self.last(variable, end));
            let at = (number(a, first), number(b, second));
            return a.ty == b.ty
                && (at.0 == at.1 || self.same_given((Given::Value(a), first), (Given::Value(b), second)));
        }
        if a.ty != b.ty {
            return false;
        }
        match (&a.kind, &b.kind) {
            (Int(x), Int(y)) => x == y,
            (Float(x), Float(y)) => x == y,
            (Load(x), Load(y)) | (AddressOf(x), AddressOf(y)) => {
                let mut stays = true;
                x.for_each_child(&mut |child| {
                    child.walk(&mut |part| {
                        if let Some(variable) = part.as_variable() {
                            stays &= self.last(variable, first) == self.last(variable, second);
                        }
                    });
                });
                stays && same_place(x, y)
            }
            (Function(x), Function(y)) => x == y,
            (Unary(o, x), Unary(p, y)) => o == p && same(x, y),
            (Binary(o, x, u), Binary(p, y, v)) => o == p && same(x, y) && same(u, v),
            (Logical(o, x, u), Logical(p, y, v)) => o == p && same(x, y) && same(u, v),
            (Select(c, x, u), Select(d, y, v)) => same(c, d) && same(x, y) && same(u, v),
            (Cast(x), Cast(y)) => same(x, y),
            (Offset(x, u), Offset(y, v)) | (Difference(x, u), Difference(y, v)) => same(x, y) && same(u, v),
            _ => false,
        }
    }
}
