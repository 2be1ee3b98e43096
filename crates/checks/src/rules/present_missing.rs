//! `present-missing`: data must be on the device, and are not.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "present-missing",
    kind: Some(Kind::PresentMissing),
    severity: Severity::Error,
    title: "Data must be on the device, and are not.",
    page: include_str!("../../pages/present-missing.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!("`{}` must be on the device here, and is not", case.object),
        here: "says that it is there",
        written: "",
        directive: "",
        help: "map it before, or copy it here".to_owned(),
    }
}
