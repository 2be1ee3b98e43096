//! `stale-device-read`: the device reads a copy that is older than what the host wrote.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "stale-device-read",
    kind: Some(Kind::StaleDeviceRead),
    severity: Severity::Error,
    title: "The device reads a copy that is older than what the host wrote.",
    page: include_str!("../../pages/stale-device-read.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is read on the device, where it is older than on the host",
            case.object
        ),
        here: "reads the old value",
        written: "the host writes it here, after it was copied",
        directive: "moves the old value",
        help: match case.is_pointer() {
            // The address of the host means nothing there.
            true => format!(
                "map a section of `{0}` through it (`{0}[0:…]`): that sets it on the device",
                case.object
            ),
            false => format!("add `{}` before the region", case.update(true)),
        },
    }
}
