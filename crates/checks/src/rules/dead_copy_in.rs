//! `dead-copy-in`: data are copied to the device that it overwrites before it reads any of them, or never touches.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dead-copy-in",
    kind: Some(Kind::DeadCopyIn),
    severity: Severity::Note,
    title: "Data are copied to the device that it overwrites before it reads any of them, or never touches.",
    page: include_str!("../../pages/dead-copy-in.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is copied to the device, and nothing there reads what is copied",
            case.object
        ),
        here: "copies it to the device",
        written: "all of it is written here first",
        help: case.without_copy(true),
        ..Words::default()
    }
}
