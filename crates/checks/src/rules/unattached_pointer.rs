//! `unattached-pointer`: a pointer is followed on the device that holds an address of the host there, though what it leads to is on the device.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unattached-pointer",
    kind: Some(Kind::UnattachedPointer),
    severity: Severity::Error,
    title: "A pointer is followed on the device that holds an address of the host there, though its target is on the device.",
    page: include_str!("../../pages/unattached-pointer.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is followed on the device, where the pointer still holds an address of the host",
            case.object
        ),
        here: "follows the address of the host",
        written: "",
        directive: "copies the pointer as it is; nothing is mapped through it",
        help: format!(
            "map what it leads to by this name, with the pointer or behind it{}",
            case.touched_section()
        ),
    }
}
