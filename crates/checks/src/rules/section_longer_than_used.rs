//! `section-longer-than-used`: a section is copied of which the device touches a part only.

use super::{Rule, Words};
use crate::case::Case;
use crate::shorter;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "section-longer-than-used",
    kind: Some(Kind::SectionLongerThanUsed),
    severity: Severity::Note,
    title: "A section is copied of which the device touches a part only.",
    page: include_str!("../../pages/section-longer-than-used.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    let (copied, sufficient) = (
        shorter::copied(case),
        shorter::sufficient(case).unwrap_or_default(),
    );
    Words {
        message: format!("`{copied}` is copied, of which the device touches `{sufficient}` only"),
        here: "copies all of it",
        help: help(case, &sufficient),
        ..Words::default()
    }
}

fn help(case: &Case<'_>, sufficient: &str) -> String {
    let both = case
        .directive
        .is_some_and(|directive| directive.is_enter_data() || directive.is_exit_data());
    match case.defect.kind {
        Kind::SectionsLongerThanUsed => {
            format!("`{sufficient}` would do in this call, and as much less in the others")
        }
        _ if case.is_implicit() => format!(
            "no clause names it, so that all of it is copied: add `{}`",
            case.mapped_both_ways(sufficient)
        ),
        _ if both => {
            format!("`{sufficient}` would do, here and where the data are put on the device or taken off it")
        }
        _ => format!("`{sufficient}` would do"),
    }
}
