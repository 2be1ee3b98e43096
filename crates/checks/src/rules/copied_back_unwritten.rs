//! `copied-back-unwritten`: device memory that was never written is copied over values of the host.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "copied-back-unwritten",
    kind: Some(Kind::CopiedBackUnwritten),
    severity: Severity::Error,
    title: "Device memory that was never written is copied over values of the host.",
    page: include_str!("../../pages/copied-back-unwritten.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "parts of `{}` that the device never wrote are copied over the values of the host",
            case.object
        ),
        here: "reads what was in the device memory",
        written: "the host wrote it here",
        directive: "copies all of the section back",
        help: case.either(
            "map it with `tofrom`, or shorten the section to what the device writes",
            "use `copy`, or shorten the section to what the device writes",
        ),
    }
}
