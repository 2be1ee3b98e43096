//! `section-too-short`: the device touches elements outside of the section that is mapped.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "section-too-short",
    kind: Some(Kind::SectionTooShort),
    severity: Severity::Error,
    title: "The device touches elements outside of the section that is mapped.",
    page: include_str!("../../pages/section-too-short.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is touched on the device outside of the section that is mapped{}",
            case.object,
            case.outside()
        ),
        here: "touches elements that are not on the device",
        written: "",
        directive: "maps only this section",
        help: format!("map all that is touched{}", case.touched_section()),
    }
}
