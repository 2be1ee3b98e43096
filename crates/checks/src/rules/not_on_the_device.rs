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
    if let Some(clause) = case.takes_an_address() {
        return Words {
            message: format!(
                "`{}` is followed on the device, but it leads to memory of the host",
                case.object
            ),
            here: "there is nothing on the device at this address",
            written: "",
            directive: "takes it for an address of the device",
            help: format!(
                "map what is touched{}, without `{clause}`, or hand over its address on the device",
                case.touched_section()
            ),
        };
    }
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
