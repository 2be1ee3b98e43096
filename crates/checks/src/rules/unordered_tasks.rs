//! `unordered-tasks`: a task that nothing waits for, and another task or the host, touch the same.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unordered-tasks",
    kind: Some(Kind::UnorderedTasks),
    severity: Severity::Error,
    title: "A task that nothing waits for touches what another task, or the host, touches.",
    page: include_str!("../../pages/unordered-tasks.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    let help = match case.is_explicit_task() {
        true => {
            "add `depend` clauses for it to both tasks, or wait before this: with `#pragma omp taskwait` for the tasks that were made here, with a `taskgroup` for theirs, too"
        }
        false => {
            "remove `nowait`, add `depend` clauses for it to both, or wait with `#pragma omp taskwait` before this"
        }
    };
    Words {
        message: format!(
            "`{}` is touched while a task that nothing waits for works on it",
            case.object
        ),
        here: "touched here",
        written: "the task may still do this",
        directive: "is not waited for",
        help: help.to_owned(),
    }
}
