//! `atomic-and-plain`: an atomic operation and a plain access touch the same at the same time.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "atomic-and-plain",
    kind: Some(Kind::AtomicAndPlain),
    severity: Severity::Error,
    title: "What is updated atomically is touched by a plain access at the same time.",
    page: include_str!("../../pages/atomic-and-plain.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is touched atomically at one place and plainly at another, at the same time",
            case.object
        ),
        here: "this access",
        written: "runs at the same time as this one, and only one of them is atomic",
        directive: "runs both at a time",
        help:
            "make both atomic: `atomic read`, `atomic write`, or `atomic capture` where the old value is used"
                .to_owned(),
    }
}
