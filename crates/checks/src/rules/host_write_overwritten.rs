//! `host-write-overwritten`: values that the host wrote while the data were mapped are overwritten by older ones when these are copied back.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "host-write-overwritten",
    kind: Some(Kind::HostWriteOverwritten),
    severity: Severity::Error,
    title: "Values that the host wrote while the data were mapped are overwritten by older ones when these are copied back.",
    page: include_str!("../../pages/host-write-overwritten.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "newer values of `{}` on the host were overwritten by older ones from the device",
            case.object
        ),
        here: "reads the old value",
        written: "the host writes it here",
        directive: "copies older values over it",
        help: format!(
            "run the loop on the device, or add `{}` after the host has written",
            case.update(true)
        ),
    }
}
