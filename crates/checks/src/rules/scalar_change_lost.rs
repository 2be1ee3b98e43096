//! `scalar-change-lost`: a variable is changed in a target region that has a copy of it; the change is lost.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_directive::Association;
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
    let object = &case.object;
    // Iterations run at a time: one variable for all of them is a race.
    let in_loop = case
        .directive
        .is_some_and(|directive| directive.association() == Some(Association::Loops));
    let brought_back = case.either(&format!("`map(tofrom: {object})`"), &format!("`copy({object})`"));
    Words {
        message: format!(
            "the change of `{object}` in the target region is lost: the region has a copy of its own"
        ),
        here: "reads the value from before the region",
        written: "changed in the region here",
        directive: "the region has a copy (`firstprivate`)",
        help: match in_loop {
            true => format!(
                "add a `reduction` with `{object}` if the iterations combine their values in it; with {brought_back} alone all of them share it, which is a race"
            ),
            false => case.either(
                &format!("add {brought_back} to the target construct"),
                &format!("add {brought_back} to the construct"),
            ),
        },
    }
}
