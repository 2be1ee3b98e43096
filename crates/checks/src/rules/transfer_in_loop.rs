//! `transfer-in-loop`: every iteration copies data that only the device touches in the loop.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "transfer-in-loop",
    kind: Some(Kind::TransferInLoop),
    severity: Severity::Note,
    title: "Every iteration of a loop copies data that only the device touches in it.",
    page: include_str!("../../pages/transfer-in-loop.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!("`{}` is copied in every iteration of a loop", case.object),
        here: "copies it each time",
        written: "in this loop only the device touches it",
        help: match case.is_update() {
            true => format!("update `{}` once, before the loop", case.object),
            false => format!("put `{}` around the loop", case.environment()),
        },
        ..Words::default()
    }
}
