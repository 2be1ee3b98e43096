//! `directive-contradicts-dependence`: iterations run at a time that depend on one another, or share a variable that each of them sets.
//!
//! What is found in a function by itself, and said of it, is the business of [`ferry_analysis::verify`]; here is what is said where a call's values show it.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "directive-contradicts-dependence",
    kind: Some(Kind::IterationsDepend),
    severity: Severity::Error,
    title: "Iterations run at a time that depend on one another.",
    page: include_str!("../../pages/directive-contradicts-dependence.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    let name = case.directive.map_or("", |directive| directive.name.as_str());
    Words {
        message: format!(
            "`omp {name}` runs iterations at a time that depend on one another: an iteration reads what another one writes to `{}`",
            case.object
        ),
        here: "this directive",
        written: "touched here",
        directive: "",
        help: String::new(),
    }
}
