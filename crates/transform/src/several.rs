//! How is the head of a kernel's loop written that sets several variables?
//!
//! Directives want `for (i = lower; i < bound; i += step)`, so that
//! ```c
//! for (i = 0, k = 3; i < n; i++, k += 2)
//!     a[i] = b[k];
//! ```
//! becomes
//! ```c
//! for (i = 0; i < n; i++) {
//!     k = 3 + 2 * i;
//!     a[i] = b[k];
//! }
//! ```
//! where `k` is computed from the number of the iteration ([`crate::stepped`]), as are counters that the body moves. Here is decided which text of the head stays.
//! When the result is read again, the old loop is compared without the same parts.
//!
//! What it cannot do: other variables than counters, pointers that the first part sets, heads in macros, and heads in which something else stands
//! between the parts (comments, parentheses).

use crate::kernel::{self, Context, Kernel};
use crate::stepped;
use ferry_analysis::canonical::Several;
use ferry_analysis::loops::Induction;
use ferry_analysis::scalar::Variables;
use ferry_analysis::symbols::Cause;
use ferry_ir::visit::{assigned_variables, directive_expressions, expression_variables, mentioned_variables};
use ferry_ir::{Stmt, StmtKind, Type, VariableKind, VariableRef};
use ferry_source::{Edits, Origin, Sources, Span};
use std::collections::BTreeSet;

/// What is taken out of the head of a loop.
#[derive(Clone, Debug)]
pub struct Head {
    /// The variables that it sets no more.
    pub others: Variables,
    /// Of these, the ones that it declared, which each iteration does instead.
    pub declared: Variables,
    /// Of these, the ones that nothing else in the loop names: they have a value behind it at most.
    pub left_out: Vec<Induction>,
    /// From the keyword to the closing parenthesis.
    whole: Span,
    /// The parts that change.
    parts: Vec<Part>,
}

/// The first or last part of a head, with the text that stays.
#[derive(Clone, Debug)]
struct Part {
    /// From its first statement to its last one.
    whole: Span,
    /// What comes before what stays: `i = `, where only the value can stay, or all that is written.
    before: String,
    /// What stays.
    kept: Option<Span>,
    /// It is the last part.
    is_last: bool,
    /// It declares its variables.
    declares: bool,
}

/// Takes the variables out of those that iterations compute of which only the head of the loop says something.
pub fn of_head_alone(stmt: &Stmt, several: Option<&Several>, stepped: &mut Vec<Induction>) -> Vec<Induction> {
    let (StmtKind::Loop(inner), Some(several)) = (&stmt.kind, several) else {
        return Vec::new();
    };
    let named = mentioned_variables(&inner.body);
    let is_used = |one: &Induction| !several.others.contains(&one.variable) || named.contains(&one.variable);
    let (used, left_out) = std::mem::take(stepped).into_iter().partition(is_used);
    *stepped = used;
    left_out
}

impl Head {
    /// What is taken out of the head of a loop whose iterations compute the other variables.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn of(
        context: Context<'_>,
        kernel: &Kernel,
        left_out: Vec<Induction>,
        stmt: &Stmt,
        several: &Several,
    ) -> Result<Head, Cause> {
        let wrong = |why: String| Cause::new(why, stmt.origin);
        let StmtKind::Loop(inner) = &stmt.kind else {
            return Err(wrong("not a loop".to_owned()));
        };
        for variable in &several.others {
            let name = kernel::name_of(context, *variable);
            let is_left_out = left_out.iter().any(|one| one.variable == *variable);
            if !kernel.steps(*variable) && !is_left_out {
                let moves = context.facts.scalars.get(&stmt.id);
                let moves = moves.is_none_or(|scalars| scalars.assigned.contains(variable));
                return Err(wrong(match moves {
                    true => {
                        format!("its head sets {name}, too, which is no counter that moves by fixed steps")
                    }
                    false => format!(
                        "its head sets {name}, too, which the loop does not change: it could be set before the loop"
                    ),
                }));
            }
            let ty = context.unit.types.get(kernel::type_of(context, *variable));
            if several.set_first.contains(variable) && matches!(ty, Type::Pointer(_)) {
                return Err(wrong(format!("its head sets the pointer {name}, too")));
            }
        }
        let spelled =
            || wrong("its head sets several variables in a way that cannot be taken apart".to_owned());
        let whole = inner.spans.map(|spans| spans.head).ok_or_else(spelled)?;
        let own = several.canonical.variable;
        let parts = [(&inner.init, false), (&inner.step, true)];
        let mut changed = Vec::new();
        for (stmts, is_last) in parts {
            let sets_other = |stmt: &Stmt| {
                let set = assigned_variables(stmt);
                several.others.iter().any(|other| set.contains(other))
            };
            if stmts.iter().any(sets_other) {
                let mut name = kernel::name_of(context, own);
                if several.canonical.declared_inside && !is_last {
                    name = format!(
                        "{} {name}",
                        stepped::declared_as(context, own).ok_or_else(spelled)?
                    );
                }
                let named = (name.as_str(), several.canonical.declared_inside);
                changed.push(Part::of(stmts, own, named, is_last).ok_or_else(spelled)?);
            }
        }
        let hides = |variable: &VariableRef| hides(context, &inner.body, *variable);
        if let Some(variable) = several.declared.iter().find(|variable| hides(variable)) {
            let name = kernel::name_of(context, *variable);
            return Err(wrong(format!(
                "its head declares {name}, and its body another one"
            )));
        }
        if let Some(variable) = unused_then(context, kernel, &left_out, stmt, several) {
            let name = kernel::name_of(context, variable);
            let why = format!(
                "nothing would use {name} without what its head says of other variables, of which compilers warn"
            );
            return Err(wrong(why));
        }
        match changed.iter().all(|part| whole.contains(part.whole)) {
            true => Ok(Head {
                others: several.others.clone(),
                declared: several.declared.clone(),
                left_out,
                whole,
                parts: changed,
            }),
            false => Err(spelled()),
        }
    }

    /// Takes the other variables out of the text.
    ///
    /// # Errors
    /// If something that is not known stands in the head.
    pub fn edit(&self, sources: &Sources, edits: &mut Edits) -> Result<(), Cause> {
        let wrong = |why: &str| Cause::new(why, Origin::Text(self.whole));
        for part in &self.parts {
            let between = |start: u32, end: u32| {
                let bytes = sources.bytes(self.whole.file).get(start as usize..end as usize);
                String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
            };
            let mut whole = part.whole;
            // A declaration has its semicolon.
            if sources.text(whole).ends_with(b";") {
                whole.end -= 1;
            }
            let begins = between(self.whole.start, whole.start);
            let ends = between(whole.end, self.whole.end);
            let fine = match (part.is_last, begins.split_once('(')) {
                (true, _) => begins.trim_end().ends_with(';') && ends.trim() == ")",
                (false, Some(("for" | "for ", words))) => {
                    // The words of a type belong to the part.
                    whole.start -= words.trim_start().len() as u32;
                    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_ \t\r\n".contains(&byte);
                    let known = words.trim().is_empty() || part.declares;
                    known && words.bytes().all(is_word) && ends.trim_start().starts_with(';')
                }
                (false, _) => false,
            };
            if !fine {
                return Err(wrong(
                    "its head sets several variables, and something else stands beside them",
                ));
            }
            let kept = std::str::from_utf8(part.kept.map_or(&[], |kept| sources.text(kept)));
            let kept = kept.map_err(|_| wrong("text that is not UTF-8 would have to be copied"))?;
            if kept.starts_with('(') {
                return Err(wrong(
                    "compilers take no parentheses around a part of its head, which sets several variables",
                ));
            }
            edits
                .replace(whole, format!("{}{kept}", part.before))
                .map_err(|error| wrong(&error.to_string()))?;
        }
        Ok(())
    }
}

/// A local variable that nothing reads but what is taken out of a head, and the text that comes in its place may not.
fn unused_then(
    context: Context<'_>,
    kernel: &Kernel,
    left_out: &[Induction],
    stmt: &Stmt,
    several: &Several,
) -> Option<VariableRef> {
    let (StmtKind::Loop(inner), Some(body)) = (&stmt.kind, &context.function.body) else {
        return None;
    };
    let mut taken: Vec<&Stmt> = Vec::new();
    for part in inner.init.iter().chain(&inner.step) {
        part.walk(&mut |one| {
            let set = one.written_place().and_then(|place| place.as_variable());
            taken.extend(
                set.is_some_and(|set| several.others.contains(&set))
                    .then_some(one),
            );
        });
    }
    let mut elsewhere = BTreeSet::new();
    body.walk(&mut |one| {
        if !taken.iter().any(|own| own.id == one.id) {
            one.for_each_expression(&mut |expr| expression_variables(expr, &mut elsewhere));
        }
        if let StmtKind::Directive { directive, .. } = &one.kind {
            directive_expressions(directive, &mut |expr| expression_variables(expr, &mut elsewhere));
        }
    });
    let facts = &context.facts.values.loops[kernel.index.0 as usize];
    let is_used_later = |variable: VariableRef| kernel::is_used_after(context, facts.stmt, variable);
    // A variable that only the head names has a value behind the loop, or is gone.
    let is_gone = |one: &&Induction| {
        !is_used_later(one.variable)
            && !several.declared.contains(&one.variable)
            && !elsewhere.contains(&one.variable)
    };
    if let Some(one) = left_out.iter().find(is_gone) {
        return Some(one.variable);
    }
    taken.iter().find_map(|own| {
        let set = own.written_place().and_then(|place| place.as_variable())?;
        let mut read = BTreeSet::new();
        own.for_each_expression(&mut |expr| expression_variables(expr, &mut read));
        let is_computed = kernel.steps(set) || is_used_later(set);
        read.into_iter().find(|variable| {
            let VariableRef::Local(id) = variable else {
                return false;
            };
            // Values that are known are written as numbers, others by any variable that holds them.
            let held = facts.before.get(*variable);
            let others = || {
                let mut all = facts.before.variables.iter();
                all.any(|(other, value)| other != variable && Some(value) == held)
            };
            let is_number = held.is_none_or(|value| value.as_constant().is_some()) || others();
            let is_parameter = context.function.local(*id).kind == VariableKind::Parameter;
            !several.others.contains(variable)
                && !elsewhere.contains(variable)
                && !is_parameter
                && (is_number || !is_computed)
        })
    })
}

/// True if the outermost block of a body declares another variable of the same name.
pub(crate) fn hides(context: Context<'_>, body: &Stmt, variable: VariableRef) -> bool {
    let name = kernel::name_of(context, variable);
    let StmtKind::Block { body, .. } = &body.kind else {
        return false;
    };
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Declare { local } => kernel::name_of(context, VariableRef::Local(*local)) == name,
        StmtKind::Block { scope: false, .. } => hides(context, stmt, variable),
        _ => false,
    })
}

impl Part {
    /// The part that these statements are, of which what they say of one variable stays. It is written with the name and the value alone where the part declares it.
    fn of(stmts: &[Stmt], own: VariableRef, (name, declares): (&str, bool), is_last: bool) -> Option<Part> {
        let mut whole: Option<Span> = None;
        let mut others = Vec::new();
        let mut kept = None;
        let mut all = Vec::new();
        stmts
            .iter()
            .for_each(|stmt| stmt.walk(&mut |inner| all.push(inner)));
        for stmt in all {
            if matches!(stmt.kind, StmtKind::Block { .. }) {
                continue;
            }
            let span = stmt.origin.text()?;
            whole = Some(whole.map_or(Some(span), |whole| whole.join(span))?);
            let StmtKind::Assign { place, value } = &stmt.kind else {
                continue;
            };
            match place.as_variable() == Some(own) {
                true => kept = Some((span, value)),
                false => others.push(span),
            }
        }
        let (span, value) = kept?;
        let sets_no_other = |span: &Span| !others.iter().any(|other| span.contains(*other));
        let (before, kept) = match value.as_int() {
            _ if sets_no_other(&span) && (is_last || !declares) => (String::new(), Some(span)),
            // `i = k = 0`.
            Some(number) => (format!("{name} = {number}"), None),
            None => (
                format!("{name} = "),
                Some(value.origin.text().filter(sets_no_other)?),
            ),
        };
        Some(Part {
            whole: whole?,
            before,
            kept,
            is_last,
            declares,
        })
    }
}
