//! `dead-copy-back`: data are copied back that the device has not changed, or that the host never reads.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dead-copy-back",
    kind: Some(Kind::DeadCopyBack),
    severity: Severity::Note,
    title: "Data are copied back that the device has not changed, or that the host never reads.",
    page: include_str!("../../pages/dead-copy-back.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    let why = match case.defect.kind {
        Kind::UnchangedCopyBack => "the device has not changed it",
        _ => "nothing reads what is copied",
    };
    Words {
        message: format!("`{}` is copied back, and {why}", case.object),
        here: "copies it to the host",
        written: "all of it is written here first",
        help: case.without_copy(false),
        ..Words::default()
    }
}
