//! Which copies of variables would compilers call uninitialised, and what is written for them?
//!
//! Each iteration of `for (i …) { for (j = 0; j < m; j++) t = …; b[i] = t; }` has its own `t`, where the loop inside is known to run. gcc, which does not see that, warns of the copy
//! (`-Wmaybe-uninitialized`), so that each iteration sets it first:
//! ```c
//! #pragma omp target teams distribute parallel for private(t) …
//! for (i = 0; i < n; i++) {
//!     t = 0;
//!     for (j = 0; j < m; j++) t = …;
//!     b[i] = t;
//! }
//! ```
//!
//! What it cannot do: variables in memory, and loops whose bodies come out of macros.

use crate::kernel::{self, Context};
use crate::stepped;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::Cause;
use ferry_ir::{Expr as Code, ExprKind, Stmt, VariableRef};

/// The variables of which each iteration of a loop has its own copy, and for all that a compiler sees it may read one that it has not set.
///
/// # Errors
/// Which one cannot be set first.
pub fn variables(context: Context<'_>, index: LoopIndex, stmt: &Stmt) -> Result<Vec<VariableRef>, Cause> {
    let facts = &context.facts.values.loops[index.0 as usize];
    let Some(scalars) = context.facts.scalars.get(&facts.stmt) else {
        return Ok(Vec::new());
    };
    let verdict = &context.facts.verdicts[index.0 as usize];
    let mut found = Vec::new();
    for variable in &verdict.private {
        // The last iteration reads it once more, at its end.
        let is_kept = verdict.last_private.contains(variable);
        let is_unset = is_kept && !scalars.written_for_compilers.contains(variable);
        if !is_unset && !scalars.exposed_to_compilers.contains(variable) {
            continue;
        }
        let is_plain = matches!(variable, VariableRef::Local(id) if {
            let local = context.function.local(*id);
            !local.address_taken && context.unit.types.is_scalar(local.ty)
        });
        if is_plain && stepped::body_of(stmt).is_some() {
            found.push(*variable);
        } else if !scalars.exposed.contains(variable) {
            let why = format!(
                "{} is set by a loop inside, and gcc, which does not see that it runs, would warn that a copy for each iteration is not initialised",
                kernel::name_of(context, *variable)
            );
            return Err(Cause::new(why, facts.origin));
        }
    }
    Ok(found)
}

/// What is written for one.
pub fn statement(name: &str) -> String {
    format!("{name} = 0;")
}

/// True for the value that it gets.
pub fn is_zero(code: &Code) -> bool {
    match &code.kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Float(bits) => *bits == 0f64.to_bits(),
        ExprKind::Cast(inner) => is_zero(inner),
        _ => false,
    }
}
