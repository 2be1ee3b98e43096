//! `scalar-change-lost`: a variable is changed in a target region that has a copy of it; the change is lost.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "scalar-change-lost",
    kind: Some(Kind::ChangeLost),
    severity: Severity::Error,
    title: "A variable is changed in a target region that has a copy of it; the change is lost.",
    page: include_str!("../../pages/scalar-change-lost.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "the change of `{}` in the target region is lost: the region has a copy of its own",
            case.object
        ),
        here: "reads the value from before the region",
        written: "changed in the region here",
        directive: "the region has a copy (`firstprivate`)",
        help: case.either(
            &format!("add `map(tofrom: {})` to the target construct", case.object),
            &format!("add `copy({})` to the construct", case.object),
        ),
    }
}
