//! `enter-without-exit`: data that are put on the device are never taken off it.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "enter-without-exit",
    kind: Some(Kind::EnterWithoutExit),
    severity: Severity::Warning,
    title: "Data that are put on the device are never taken off it.",
    page: include_str!("../../pages/enter-without-exit.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` stays on the device: no `exit data` ends this mapping",
            case.object
        ),
        here: "is mapped here, and never released",
        written: "",
        directive: "",
        help: case.either(
            "add `target exit data map(release: …)`, or `map(from: …)`, at the end of its use",
            "add `exit data delete(…)`, or `copyout(…)`, at the end of its use",
        ),
    }
}
