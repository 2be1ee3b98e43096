//! `redundant-transfer`: data are copied although both copies are the same.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "redundant-transfer",
    kind: Some(Kind::RedundantTransfer),
    severity: Severity::Note,
    title: "Data are copied although both copies are the same.",
    page: include_str!("../../pages/redundant-transfer.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!("`{}` is copied although both copies are the same", case.object),
        here: "changes nothing",
        help: match case.is_update() {
            true => format!("leave out the update of `{}`", case.object),
            false => "leave out `always`".to_owned(),
        },
        ..Words::default()
    }
}
