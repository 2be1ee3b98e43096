//! `exit-without-enter`: data are taken off the device that are not on it; nothing is copied back.

use super::{Rule, Words};
use crate::case::Case;
use ferry_analysis::coherence::Kind;
use ferry_source::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    name: "exit-without-enter",
    kind: Some(Kind::ExitWithoutEnter),
    severity: Severity::Error,
    title: "Data are taken off the device that are not on it; nothing is copied back.",
    page: include_str!("../../pages/exit-without-enter.md"),
    say,
};

fn say(case: &Case<'_>) -> Words {
    Words {
        message: format!(
            "`{}` is not on the device here: nothing is copied or released",
            case.object
        ),
        here: "nothing is mapped",
        written: "",
        directive: "",
        help: match case.is_bare_pointer() {
            true => format!(
                "the pointer itself is named; what it points to is a section: `{}[…]`",
                case.object
            ),
            false => case.either(
                "map it with `target enter data` before",
                "put it on the device with `enter data` before",
            ),
        },
    }
}
