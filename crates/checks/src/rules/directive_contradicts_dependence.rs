//! `directive-contradicts-dependence`: iterations run at a time that depend on one another, or share a variable that each of them sets.
//!
//! What is found and said is the business of [`ferry_analysis::verify`].

use super::{Rule, Words};
use crate::case::Case;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "directive-contradicts-dependence",
    kind: None,
    severity: Severity::Error,
    title: "Iterations run at a time that depend on one another.",
    page: include_str!("../../pages/directive-contradicts-dependence.md"),
    say,
};

fn say(_: &Case<'_>) -> Words {
    Words::default()
}
