//! `different-locks`: two statements that touch the same are in critical regions of different names, or hold different locks.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "different-locks",
    kind: Some(Kind::DifferentLocks),
    severity: Severity::Error,
    title: "Accesses to the same storage are protected by different locks or critical regions.",
    page: include_str!("../../pages/different-locks.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is protected by one lock here and by another one there; they do not keep each other out",
            case.object
        ),
        here: "touched under one lock or critical region",
        written: "touched under another one",
        directive: "runs both at a time",
        help: "use one lock, or critical regions of one name, for everything that touches it".to_owned(),
    }
}
