//! `pointer-without-section`: the pointer itself is mapped, not what it points to.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "pointer-without-section",
    kind: Some(Kind::PointerWithoutSection),
    severity: Severity::Error,
    title: "The pointer itself is mapped, not what it points to.",
    page: include_str!("../../pages/pointer-without-section.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "only the pointer `{}` is mapped, not what it points to",
            case.object
        ),
        here: "maps the pointer, 8 bytes",
        written: "follows the address of the host",
        directive: "",
        help: format!("map a section{}", case.touched_section()),
    }
}
