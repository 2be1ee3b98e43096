//! `freed-while-mapped`: storage is released while it is mapped.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "freed-while-mapped",
    kind: Some(Kind::FreedWhileMapped),
    severity: Severity::Warning,
    title: "Storage is released while it is mapped.",
    page: include_str!("../../pages/freed-while-mapped.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!("`{}` is released while it is mapped", case.object),
        here: "released here",
        written: "",
        directive: "mapped here, and not taken off the device",
        help: case.either(
            "end the mapping before: `target exit data map(release: …)`",
            "end the mapping before: `exit data delete(…)`",
        ),
    }
}
