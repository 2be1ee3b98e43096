//! Of which pointer would it help to know how much storage it leads to?
//!
//! A loop stays on the host because a subscript has no bounds: the pointer of that access, as the text of `// ferry: extent(…)` names it, which a user can paste.

use crate::names::Names;
use ferry_analysis::symbols::{Cause, SymbolKind};

/// The pointer, if the reason goes away where that is known, and a comment could name it.
pub fn pointer(names: Names<'_>, cause: &Cause) -> Option<String> {
    if !needs_extent(&cause.why) {
        return None;
    }
    let values = &names.facts.values;
    let mut accesses = values.accesses.iter();
    let root = accesses.find(|access| access.origin == cause.at)?.root?;
    let is_found = matches!(
        values.symbols.info(root).kind,
        SymbolKind::Entry(_) | SymbolKind::Loaded { .. } | SymbolKind::Result(_)
    );
    let text = names.symbol(root);
    (is_found && is_path(&text)).then_some(text)
}

/// True for the reasons that go away where it is known how much storage a pointer leads to.
fn needs_extent(why: &str) -> bool {
    [
        "its subscript has no lower bound",
        "its subscript has no upper bound",
    ]
    .contains(&why)
}

/// True for a variable, and steps by `->`, `.` and numbers behind it.
fn is_path(text: &str) -> bool {
    let steps = text.replace("->", ".").replace('[', ".").replace(']', "");
    let mut words = steps.split('.');
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let first = words.next().unwrap_or_default();
    is_word(first)
        && !first.starts_with(|first: char| first.is_ascii_digit())
        && words.all(is_word)
        // A subscript that is a variable is no step that can be said.
        && text.split('[').skip(1).all(|part| {
            let subscript = part.split(']').next().unwrap_or_default();
            subscript.bytes().all(|byte| byte.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn what_a_comment_can_name_is_a_path() {
        for text in ["p", "s->atoms->r", "s.data", "s->two[1].data"] {
            assert!(is_path(text), "{text}");
        }
        for text in [
            "",
            "a value in memory",
            "s[k].r",
            "(*s).r",
            "f(x)",
            "3",
            "s->",
            "*p",
        ] {
            assert!(!is_path(text), "{text}");
        }
    }
}
