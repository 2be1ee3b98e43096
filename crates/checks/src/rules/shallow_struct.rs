//! `shallow-struct`: a pointer in a structure is followed on the device, and what it points to is not there.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "shallow-struct",
    kind: Some(Kind::ShallowStruct),
    severity: Severity::Error,
    title: "A pointer in a structure is followed on the device, and what it points to is not there.",
    page: include_str!("../../pages/shallow-struct.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is followed on the device, but what it points to is not mapped",
            case.object
        ),
        here: "follows the address of the host",
        written: "",
        directive: "maps the structure, not what its pointers point to",
        help: format!("map the member with its section{}", case.touched_section()),
    }
}
