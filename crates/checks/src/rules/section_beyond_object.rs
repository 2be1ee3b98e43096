//! `section-beyond-object`: the section of a clause reaches outside of its object.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "section-beyond-object",
    kind: Some(Kind::SectionBeyondObject),
    severity: Severity::Error,
    title: "The section of a clause reaches outside of its object.",
    page: include_str!("../../pages/section-beyond-object.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "the section reaches beyond the end of `{}`{}",
            case.object,
            case.outside()
        ),
        here: "reaches outside of the object",
        written: "",
        directive: "",
        help: format!("shorten the section to the object{}", case.object_section()),
    }
}
