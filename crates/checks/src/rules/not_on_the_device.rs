//! `not-on-the-device`: a pointer is followed on the device, and nothing of what it points to is there.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "not-on-the-device",
    kind: Some(Kind::NotOnTheDevice),
    severity: Severity::Error,
    title: "A pointer is followed on the device, and nothing of what it points to is there.",
    page: include_str!("../../pages/not-on-the-device.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is followed on the device, but what it points to is not mapped",
            case.object
        ),
        here: "there is nothing on the device at this address",
        written: "",
        directive: "maps nothing of it",
        help: format!("map what is touched{}", case.touched_section()),
    }
}
