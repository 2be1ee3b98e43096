//! `never-copied-in`: the device reads what the host wrote; the data were allocated there and never copied in.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "never-copied-in",
    kind: Some(Kind::NeverCopiedIn),
    severity: Severity::Error,
    title: "The device reads what the host wrote; the data were allocated there and never copied in.",
    page: include_str!("../../pages/never-copied-in.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is read on the device, but was never copied there",
            case.object
        ),
        here: "reads device memory to which nothing was copied",
        written: "the host wrote it here",
        directive: "allocates without copying",
        help: case.either(
            "map it with `to` or `tofrom`: the device then begins with the values of the host",
            "use `copyin` or `copy`: the device then begins with the values of the host",
        ),
    }
}
