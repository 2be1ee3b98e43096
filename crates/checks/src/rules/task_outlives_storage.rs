//! `task-outlives-storage`: a variable ends, or memory is freed, while a task that nothing has waited for works on it.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "task-outlives-storage",
    kind: Some(Kind::TaskOutlivesStorage),
    severity: Severity::Error,
    title: "A variable ends, or memory is freed, while a task may still work on it.",
    page: include_str!("../../pages/task-outlives-storage.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "the storage of `{}` ends while a task that nothing waits for works on it",
            case.object
        ),
        here: "ends here",
        written: "the task may do this later",
        directive: "is not waited for",
        help: "wait before it ends (`#pragma omp taskwait` for tasks that were made here), or give the task what it needs: a copy of a variable that it only reads (`firstprivate`), memory to free itself"
            .to_owned(),
    }
}
