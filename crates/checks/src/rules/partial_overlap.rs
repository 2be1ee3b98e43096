//! `partial-overlap`: a section overlaps one that is on the device, and is not inside it.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "partial-overlap",
    kind: Some(Kind::PartialOverlap),
    severity: Severity::Error,
    title: "A section overlaps one that is on the device, and is not inside it.",
    page: include_str!("../../pages/partial-overlap.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "this section of `{}` overlaps one that is mapped already, and is not inside it",
            case.object
        ),
        here: "overlaps in part",
        written: "",
        directive: "",
        help: "map the whole range at once, where it is mapped first".to_owned(),
    }
}
