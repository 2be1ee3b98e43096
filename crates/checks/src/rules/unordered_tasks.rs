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
    let defect = case.defect;
    // Where every thread makes the task, it is beside itself.
    let by_all = case.is_explicit_task() && defect.written == Some(defect.at) && !defect.around;
    let help = match case.is_explicit_task() {
        true if by_all => {
            "every thread makes this task: let one of them do so (`#pragma omp single`), or keep the accesses apart (`atomic`, `critical`)"
        }
        true => {
            "if one task makes both, add `depend` clauses for it to them, or wait before this: with `#pragma omp taskwait` for the tasks that were made here, with a `taskgroup` for theirs, too"
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
        written: match by_all {
            true => "the task of another thread may do this at the same time",
            false => "the task may still do this",
        },
        directive: "is not waited for",
        help: help.to_owned(),
    }
}
