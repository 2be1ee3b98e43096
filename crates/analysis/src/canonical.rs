//! Is a loop in the form that OpenMP and OpenACC demand?
//!
//! OpenMP 5.0 §2.9.1: `for (i = lower; i < bound; i += step)` with one integer or pointer variable, a comparison with a
//! bound and a step that the loop does not change, and the variable not assigned in the body. Compilers accept a loop
//! that breaks these rules without a word, so they are checked here.
//!
//! A loop whose first and last parts set several variables (`for (i = 0, k = 3; i < n; i++, k += 2)`) is in that form once
//! all but its own are taken out ([`several`]).

use crate::scalar::{Variables, expr_mentions};
use crate::symbols::Cause;
use ferry_ir::{
    BinaryOp, Expr, ExprKind, Function, HeadPart, Loop, LoopKind, Stmt, StmtKind, Type, UnaryOp, Unit,
    VariableKind, VariableRef,
};
use ferry_source::Origin;

/// A loop in canonical form.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The loop variable.
    pub variable: VariableRef,
    /// It is declared in the loop's first part, and so private by itself.
    pub declared_inside: bool,
    /// First value.
    pub lower: Expr,
    /// What the variable is compared with.
    pub bound: Expr,
    /// How, with the variable on the left.
    pub comparison: BinaryOp,
    /// The constant step, if it is one, in units of the variable (elements for a pointer).
    pub step: Option<i128>,
}

/// A loop whose head sets other variables beside its own.
#[derive(Clone, Debug)]
pub struct Several {
    /// The form that it has without them.
    pub canonical: Canonical,
    /// The other variables.
    pub others: Variables,
    /// Of these, the ones that the first part sets.
    pub set_first: Variables,
    /// Of these, the ones that it declares.
    pub declared: Variables,
}

/// Checks a loop; gives the first rule that it breaks.
pub fn canonical(unit: &Unit, function: &Function, stmt: &Stmt, inner: &Loop) -> Result<Canonical, Cause> {
    let (mut first, mut last) = (Vec::new(), Vec::new());
    flatten(&inner.init, &mut first);
    flatten(&inner.step, &mut last);
    of_parts(unit, function, stmt, inner, (&first, &last), inner.refused)
}

/// The form of a loop without what its head says of other variables, if there are some.
///
/// # Errors
/// What the rest of the loop lacks, or that it reads one of them.
pub fn several(
    unit: &Unit,
    function: &Function,
    stmt: &Stmt,
    inner: &Loop,
) -> Option<Result<Several, Cause>> {
    let (mut first, mut last) = (Vec::new(), Vec::new());
    flatten(&inner.init, &mut first);
    flatten(&inner.step, &mut last);
    let condition = inner.condition.as_ref()?;
    let is_list = |part: &[&Stmt]| part.iter().filter(|stmt| declared(stmt).is_none()).count() > 1;
    if !is_list(&first) && !is_list(&last) {
        return None;
    }
    let mut stepped = last.iter().filter_map(|stmt| assigned(stmt));
    let Some(own) = stepped.find(|variable| test_part(condition, *variable).is_some()) else {
        let why = "its head sets several variables, and its condition does not compare one that it steps with a bound";
        return Some(Err(Cause::new(why, condition.origin)));
    };
    let is_own = |stmt: &&Stmt| assigned(stmt).or_else(|| declared(stmt)) == Some(own);
    let (own_first, other_first): (Vec<&Stmt>, Vec<&Stmt>) = first.into_iter().partition(is_own);
    let (own_last, other_last): (Vec<&Stmt>, Vec<&Stmt>) = last.into_iter().partition(is_own);
    let (declares, set_first): (Vec<&Stmt>, Vec<&Stmt>) =
        other_first.iter().partition(|stmt| declared(stmt).is_some());
    let declared: Variables = declares.into_iter().filter_map(declared).collect();
    let set = set_first.iter().chain(&other_last).map(|stmt| assigned(stmt));
    let Some(others) = set.collect::<Option<Variables>>() else {
        let why = "its head does something else beside setting variables";
        return Some(Err(Cause::new(why, stmt.origin)));
    };
    let set_first = set_first.into_iter().filter_map(assigned).collect::<Variables>();
    if others.is_empty() || !declared.is_subset(&set_first) {
        return None;
    }
    // What is taken away does nothing else, and nothing of what is left is found through it.
    let mut fine = true;
    for stmt in other_first.iter().chain(&other_last) {
        stmt.for_each_expression(&mut |expr| fine &= has_no_effect(expr));
    }
    if !fine {
        return None;
    }
    let mut reads = None;
    let mut look =
        |expr: &Expr| reads = reads.or_else(|| others.iter().find(|other| expr_mentions(expr, **other)));
    look(condition);
    for stmt in own_first.iter().chain(&own_last) {
        stmt.for_each_expression(&mut look);
    }
    if let Some(other) = reads {
        let name = unit.name_of(function, *other);
        let why = format!("its head sets {name}, too, and reads it for the loop's own variable");
        return Some(Err(Cause::new(why, stmt.origin)));
    }
    let refused = inner
        .refused
        .filter(|part| !matches!(part, HeadPart::First | HeadPart::Last));
    let parts = (own_first.as_slice(), own_last.as_slice());
    let canonical = of_parts(unit, function, stmt, inner, parts, refused);
    Some(canonical.map(|canonical| Several {
        canonical,
        others,
        set_first,
        declared,
    }))
}

/// Leaves out what the head of a loop says of these variables.
pub fn leave_out(inner: &mut Loop, others: &Variables) {
    for part in [&mut inner.init, &mut inner.step] {
        let mut flat = Vec::new();
        flatten(part, &mut flat);
        let kept = |stmt: &&Stmt| {
            let about = assigned(stmt).or_else(|| declared(stmt));
            about.is_none_or(|variable| !others.contains(&variable))
        };
        *part = flat.into_iter().filter(kept).cloned().collect();
    }
}

/// The variable that a statement assigns as a whole.
fn assigned(stmt: &Stmt) -> Option<VariableRef> {
    match &stmt.kind {
        StmtKind::Assign { place, .. } if !place.volatile => place.as_variable(),
        _ => None,
    }
}

/// The variable that a statement declares.
fn declared(stmt: &Stmt) -> Option<VariableRef> {
    match &stmt.kind {
        StmtKind::Declare { local } => Some(VariableRef::Local(*local)),
        _ => None,
    }
}

/// An expression that may be left out.
fn has_no_effect(expr: &Expr) -> bool {
    let mut fine = true;
    expr.walk(&mut |part| {
        fine &= match &part.kind {
            ExprKind::Load(place) => !place.volatile,
            ExprKind::Opaque { .. } => false,
            _ => true,
        };
    });
    fine
}

/// Checks a loop with this first and last part.
fn of_parts(
    unit: &Unit,
    function: &Function,
    stmt: &Stmt,
    inner: &Loop,
    (first, last): (&[&Stmt], &[&Stmt]),
    refused: Option<HeadPart>,
) -> Result<Canonical, Cause> {
    let no = |why: &str, at: Origin| Err(Cause::new(why, at));
    if inner.kind != LoopKind::For {
        return no("only a for loop can be offloaded", stmt.origin);
    }
    if !inner.before_test.is_empty() {
        return no("the condition has effects", stmt.origin);
    }
    let Some((variable, lower, declared_inside)) = first_part(first) else {
        return no(
            "the first part is not one assignment to a loop variable",
            stmt.origin,
        );
    };
    let Some((step_variable, step)) = step_part(last) else {
        return no("the last part is not one step of the loop variable", stmt.origin);
    };
    if step_variable != variable {
        return no(
            "the last part steps another variable than the first part sets",
            stmt.origin,
        );
    }
    let Some(condition) = &inner.condition else {
        return no("the loop has no condition", stmt.origin);
    };
    let Some((comparison, bound)) = test_part(condition, variable) else {
        return no(
            "the condition does not compare the loop variable with a bound",
            condition.origin,
        );
    };
    if comparison == BinaryOp::Ne && !matches!(step, Some(1 | -1)) {
        return no("a loop that ends at != must step by one", condition.origin);
    }
    if expr_mentions(lower, variable) {
        return no("the first part reads the loop variable itself", lower.origin);
    }
    let VariableRef::Local(local) = variable else {
        return no("the loop variable is not local", stmt.origin);
    };
    let local = function.local(local);
    if local.address_taken || local.qualifiers.volatile || local.kind == VariableKind::Temporary {
        return no("the address of the loop variable is taken", stmt.origin);
    }
    if !matches!(unit.types.get(local.ty), Type::Int { .. } | Type::Pointer(_)) {
        return no(
            "the loop variable is neither an integer nor a pointer",
            stmt.origin,
        );
    }
    if matches!(unit.types.get(local.ty), Type::Int { bits, .. } if *bits > 64) {
        return no(
            "the loop variable has more than 64 bits, of which compilers take 64",
            stmt.origin,
        );
    }
    if let Some(part) = refused {
        return no(
            match part {
                HeadPart::First => {
                    "compilers refuse the first part as it is spelled: it must be `i = …`, without parentheses and commas"
                }
                HeadPart::Condition => {
                    "compilers refuse the condition as it is spelled: it must be `i < …`, without parentheses around it and casts of i"
                }
                HeadPart::Last => {
                    "compilers refuse the last part as it is spelled: it must be one step of the loop variable, without commas and casts"
                }
                HeadPart::Variable => {
                    "compilers refuse a loop variable of an enumerated type: it must be an integer or a pointer"
                }
            },
            stmt.origin,
        );
    }
    let mut assigned = Default::default();
    crate::scalar::assigned_variables(&inner.body, &mut assigned);
    if assigned.contains(&variable) {
        return no("the loop variable is assigned in the body", inner.body.origin);
    }
    Ok(Canonical {
        variable,
        declared_inside,
        lower: lower.clone(),
        bound: bound.clone(),
        comparison,
        step,
    })
}

fn first_part<'a>(init: &[&'a Stmt]) -> Option<(VariableRef, &'a Expr, bool)> {
    match init {
        [one] => match &one.kind {
            StmtKind::Assign { place, value } => Some((place.as_variable()?, value, false)),
            _ => None,
        },
        [declare, one] => match (&declare.kind, &one.kind) {
            (StmtKind::Declare { local }, StmtKind::Assign { place, value }) => {
                let variable = place.as_variable()?;
                (variable == VariableRef::Local(*local)).then_some((variable, value, true))
            }
            _ => None,
        },
        _ => None,
    }
}

fn flatten<'a>(stmts: &'a [Stmt], flat: &mut Vec<&'a Stmt>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Block { body, .. } => flatten(body, flat),
            StmtKind::Empty => {}
            _ => flat.push(stmt),
        }
    }
}

/// The variable that the last part steps, and by how much if that is a constant.
fn step_part(step: &[&Stmt]) -> Option<(VariableRef, Option<i128>)> {
    let [one] = step else { return None };
    let StmtKind::Assign { place, value } = &one.kind else {
        return None;
    };
    let variable = place.as_variable()?;
    let is_variable = |expr: &Expr| strip(expr).as_variable() == Some(variable);
    let amount = match &strip(value).kind {
        ExprKind::Binary(BinaryOp::Add, a, b) if is_variable(a) => (b, 1),
        ExprKind::Binary(BinaryOp::Add, a, b) if is_variable(b) => (a, 1),
        ExprKind::Binary(BinaryOp::Sub, a, b) if is_variable(a) => (b, -1),
        ExprKind::Offset(a, b) if is_variable(a) => (b, 1),
        _ => return None,
    };
    let (amount, sign) = amount;
    if expr_mentions(amount, variable) {
        return None;
    }
    Some((variable, constant(amount).map(|value| sign * value)))
}

fn constant(expr: &Expr) -> Option<i128> {
    match &strip(expr).kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Negate, inner) => constant(inner).map(|value| -value),
        _ => None,
    }
}

fn test_part(condition: &Expr, variable: VariableRef) -> Option<(BinaryOp, &Expr)> {
    let ExprKind::Binary(op, a, b) = &condition.kind else {
        return None;
    };
    if !op.is_comparison() || *op == BinaryOp::Eq {
        return None;
    }
    if strip(a).as_variable() == Some(variable) && !expr_mentions(b, variable) {
        return Some((*op, b));
    }
    if strip(b).as_variable() == Some(variable) && !expr_mentions(a, variable) {
        return Some((op.swapped(), a));
    }
    None
}

fn strip(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => strip(inner),
        _ => expr,
    }
}
