//! `unprotected-update`: every thread updates the same without a lock, or only some of the statements that touch it are under one.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unprotected-update",
    kind: Some(Kind::UnprotectedUpdate),
    severity: Severity::Error,
    title: "Threads update the same storage at a time, and nothing, or a lock at one place only, keeps them apart.",
    page: include_str!("../../pages/unprotected-update.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    if case.defect.kind == Kind::OneLock {
        return Words {
            message: format!(
                "`{}` is touched under a lock at one place, and without it at another",
                case.object
            ),
            here: "another thread may be here",
            written: "while one is here",
            directive: "runs both at a time",
            help: "put both into critical regions of one name, or take the lock around both".to_owned(),
        };
    }
    if case.defect.kind == Kind::SharedScratch {
        return Words {
            message: format!(
                "all threads set `{}` and read it again, and it is shared",
                case.object
            ),
            here: "what another thread has set may be read here",
            written: "all threads set it here",
            directive: "runs it in all threads",
            help: "make it `private`, or declare it inside of the region".to_owned(),
        };
    }
    Words {
        message: format!("all threads update `{}` at a time", case.object),
        here: "an update here may be lost",
        written: "since another thread reads the same old value",
        directive: "runs it in all threads",
        help: "make it `atomic`, or sum up in a `reduction`".to_owned(),
    }
}
