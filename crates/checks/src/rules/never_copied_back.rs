//! `never-copied-back`: the host reads what the device wrote, after the device copy was given up without copying it back.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "never-copied-back",
    kind: Some(Kind::NeverCopiedBack),
    severity: Severity::Error,
    title: "The host reads what the device wrote, after the device copy was given up without copying it back.",
    page: include_str!("../../pages/never-copied-back.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!("what the device wrote to `{}` was never copied back", case.object),
        here: "reads the old value",
        written: "the device writes it here",
        directive: "ends the mapping without a copy to the host",
        help: case.either(
            "map it with `from` or `tofrom` where the mapping ends",
            "use `copyout` or `copy` where the mapping ends",
        ),
    }
}
