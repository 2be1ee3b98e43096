//! `stale-host-read`: the host reads what the device wrote, while the newest values are on the device only.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "stale-host-read",
    kind: Some(Kind::StaleHostRead),
    severity: Severity::Error,
    title: "The host reads what the device wrote, while the newest values are on the device only.",
    page: include_str!("../../pages/stale-host-read.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is read on the host before what the device wrote is copied back",
            case.object
        ),
        here: "reads the old value",
        written: "the device writes it here",
        directive: "does not bring it back",
        help: format!("add `{}` before this", case.update(false)),
    }
}
