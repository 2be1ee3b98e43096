//! `missing-barrier`: two phases of a region touch the same, and no barrier is between them.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-barrier",
    kind: Some(Kind::MissingBarrier),
    severity: Severity::Error,
    title: "Two phases of a parallel region touch the same, and no barrier keeps them apart.",
    page: include_str!("../../pages/missing-barrier.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    if case
        .directive
        .is_some_and(|directive| directive.has_leaf("sections"))
    {
        return Words {
            message: format!("two sections that may run at a time touch `{}`", case.object),
            here: "one section touches it here",
            written: "and another one here",
            directive: "runs its sections in any order, or at a time",
            help: "touch it in one section, or behind the construct".to_owned(),
        };
    }
    Words {
        message: format!(
            "no barrier is between two phases of a region that touch `{}`",
            case.object
        ),
        here: "another thread may be here",
        written: "while one is still here",
        directive: "does not wait at its end",
        help: match case.directive {
            Some(directive) if directive.has_clause("nowait") => {
                "remove `nowait`, or add `#pragma omp barrier`"
            }
            Some(directive) if directive.has_leaf("distribute") || directive.has_leaf("teams") => {
                "teams cannot wait for one another: end the region between the phases"
            }
            _ => "add `#pragma omp barrier` between them",
        }
        .to_owned(),
    }
}
