//! `device-write-overwritten`: values that the device wrote are overwritten by older ones of the host that are moved there.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "device-write-overwritten",
    kind: Some(Kind::DeviceWriteOverwritten),
    severity: Severity::Error,
    title: "Values that the device wrote are overwritten by older ones of the host that are moved there.",
    page: include_str!("../../pages/device-write-overwritten.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    let (item, back) = (case.item(), case.fetch());
    Words {
        message: format!(
            "newer values of `{}` on the device were overwritten by older ones from the host",
            case.object
        ),
        here: "reads the old value",
        written: "the device writes it here",
        directive: "moves older values over it",
        help: match case.is_update() {
            true => format!("leave out the update of `{item}`, or add `{back}` before it"),
            false => format!("add `{back}` before the values of the host are moved"),
        },
    }
}
