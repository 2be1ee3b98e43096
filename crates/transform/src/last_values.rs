//! How does what the last iteration leaves in a variable come back from a device?
//!
//! ```c
//! double t_last = 0;
//! const int i_last = n - 1;
//! #pragma omp target teams distribute parallel for private(t) map(tofrom: t_last) …
//! for (i = 0; i < n; i++) {
//!     t = a[i] * 2;
//!     b[i] = t;
//!     if (i == i_last)
//!         t_last = t;
//! }
//! t = t_last;
//! ```
//! The clause for it, `lastprivate`, is not used: seen on an H200 with clang 19, whatever the construct, it leaves 0 or the value of another iteration in the variable, but for loops of one iteration. gcc 12 is
//! right, and OpenACC has no such clause. The text above is right for whoever ignores the directives, too.
//!
//! The kernel must have an iteration, which is tested before it where it is not known: with none, the variable keeps its value.
//!
//! What it cannot do: arrays, structures and pointers; loops with `continue`, whose last iteration may not come to the end of the body; loops that run together with the one inside (`collapse`).

use crate::kernel::{self, Context, Kernel};
use crate::promoted;
use crate::several;
use crate::stepped;
use ferry_analysis::canonical::Canonical;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::scalar::may_miss_the_end;
use ferry_analysis::symbols::Cause;
use ferry_ir::{Stmt, StmtKind, Type, VariableRef};
use ferry_symbolic::Expr;
use std::collections::BTreeSet;

/// What the last iteration of a kernel leaves.
#[derive(Clone, Debug)]
pub struct LastValues {
    /// The scalar variables.
    pub variables: BTreeSet<VariableRef>,
    /// The loop's own variable.
    pub counter: VariableRef,
    /// What that is in the last iteration.
    pub number: Expr,
}

/// The text of it.
#[derive(Default)]
pub struct Text {
    /// Names that are declared in front of the kernel, with the whole declarations.
    pub declarations: Vec<(String, String)>,
    /// The last lines of each iteration, each with the blanks by which it is farther to the right than its statements.
    pub lines: Vec<String>,
    /// The names of the variables with those that hold their values behind the kernel.
    pub held: Vec<(String, String)>,
}

/// The last values that are used behind a loop, if there are any.
///
/// # Errors
/// Why one of them cannot come back.
pub fn of(
    context: Context<'_>,
    stmt: &Stmt,
    index: LoopIndex,
    canonical: &Canonical,
) -> Result<Option<LastValues>, Cause> {
    let facts = &context.facts.values.loops[index.0 as usize];
    let variables = &context.facts.verdicts[index.0 as usize].last_private;
    let Some(first) = variables.first() else {
        return Ok(None);
    };
    let wrong = |variable: VariableRef, why: &str| {
        let name = kernel::name_of(context, variable);
        let why = format!("the last value of {name} is used after the loop, {why}");
        Cause::new(why, facts.origin)
    };
    let StmtKind::Loop(inner) = &stmt.kind else {
        return Err(wrong(*first, "which is none"));
    };
    for variable in variables {
        if kernel::is_temporary(context, *variable) {
            let why =
                "a value that its last iteration computes is used after the loop, and no variable holds it";
            return Err(Cause::new(why, facts.origin));
        }
        let ty = kernel::type_of(context, *variable);
        if let Type::Pointer(_) = context.unit.types.get(ty) {
            return Err(wrong(
                *variable,
                "and an address of the device's is none of the host's",
            ));
        }
        if !kernel::is_plain(context, ty) {
            return Err(wrong(
                *variable,
                "and is more than one number, which would have to be copied element by element",
            ));
        }
    }
    let hidden = variables.iter().chain([&canonical.variable]);
    let mut hidden = hidden.filter(|variable| several::hides(context, &inner.body, **variable));
    if let Some(hidden) = hidden.next() {
        let name = kernel::name_of(context, *hidden);
        return Err(wrong(*first, &format!("and the body declares another {name}")));
    }
    if stepped::body_of(stmt).is_none() {
        return Err(wrong(
            *first,
            "for which the body of the loop has no place, as it comes out of a macro",
        ));
    }
    if may_miss_the_end(&inner.body) {
        return Err(wrong(
            *first,
            "and with `continue` the last iteration may not come to the end of the body, where it would be kept",
        ));
    }
    let unknown = || wrong(*first, "and it is not known which iteration is the last one");
    let trip = facts.trip.as_ref().map_err(|_| unknown())?;
    let mut inductions = facts.inductions.iter();
    let own = inductions.find(|one| one.variable == canonical.variable);
    let is_number = matches!(
        context
            .unit
            .types
            .get(kernel::type_of(context, canonical.variable)),
        Type::Int { bits: 8..=64, .. }
    );
    let own = own.filter(|_| is_number).ok_or_else(unknown)?;
    let mut runs = facts.before.facts.clone();
    runs.assume(&at_least_one(trip));
    if runs.infeasible() {
        return Err(Cause::new("it never runs", facts.origin));
    }
    Ok(Some(LastValues {
        variables: variables.iter().copied().collect(),
        counter: canonical.variable,
        number: runs.simplify(&own.after(&(trip - &Expr::int(1)))),
    }))
}

/// What is written for a kernel; `place` is in front of it, and `unused` gives a name that the file does not have, from the one that is wanted and those that were given.
///
/// # Errors
/// What of it cannot be written.
pub fn text(
    context: Context<'_>,
    kernel: &Kernel,
    place: &crate::express::Place<'_>,
    unused: &dyn Fn(&str, &BTreeSet<String>) -> String,
) -> Result<Text, Cause> {
    let mut text = Text::default();
    let Some(last) = &kernel.last else {
        return Ok(text);
    };
    let at = context.facts.values.loops[kernel.index.0 as usize].origin;
    let unnamed = || Cause::new("a last value has a type without a name", at);
    let mut given = BTreeSet::new();
    let mut declare = |wanted: String| {
        let name = unused(&format!("{wanted}_last"), &given);
        given.insert(name.clone());
        name
    };
    let counter = kernel::name_of(context, last.counter);
    let spelled = |variable| promoted::spelled(context, kernel::type_of(context, variable));
    let number = stepped::written(place, &last.number)?;
    let number = crate::emit::unwrap(&number);
    let number = match number.bytes().all(|byte| byte.is_ascii_digit()) {
        true => number,
        false => {
            let name = declare(counter.clone());
            let ty = spelled(last.counter).ok_or_else(unnamed)?;
            let line = format!("const {ty} {name} = {number};");
            text.declarations.push((name.clone(), line));
            name
        }
    };
    for variable in &last.variables {
        let own = kernel::name_of(context, *variable);
        let name = declare(own.clone());
        let ty = spelled(*variable).ok_or_else(unnamed)?;
        text.declarations
            .push((name.clone(), format!("{ty} {name} = 0;")));
        text.held.push((own, name));
    }
    let several = text.held.len() > 1;
    let brace = if several { " {" } else { "" };
    text.lines.push(format!("if ({counter} == {number}){brace}"));
    let kept = text.held.iter();
    text.lines
        .extend(kept.map(|(own, name)| format!("    {name} = {own};")));
    text.lines.extend(several.then(|| "}".to_owned()));
    Ok(text)
}
