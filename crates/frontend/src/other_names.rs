//! Which names of a file may lead to something that is also called otherwise: `alias("f")`, `#pragma weak u = w`, `#pragma redefine_extname u w`, and what
//! assembly outside of functions names (`asm(".set g, f")`)?
//!
//! The text is read, as no syntax tree tells all of it; of assembly libclang knows the text. Where a macro may make the name, every name of the file counts ([`OtherNames::All`]).
//! What headers say whose text is not kept is not seen, nor assembly in other files.
#![allow(non_upper_case_globals)] // libclang's names

use crate::clang::TranslationUnit;
use clang_sys::CXCursor_UnexposedDecl;
use ferry_source::{mentions, words};
use std::collections::BTreeSet;

/// The words without which a text gives no other names: attributes whose argument is the name of something else, and those of pragmas.
pub const WORDS: [&str; 8] = [
    "alias",
    "__alias__",
    "weakref",
    "__weakref__",
    "ifunc",
    "__ifunc__",
    WEAK,
    REDEFINE,
];
/// The words without which a text has no assembly.
pub const ASSEMBLY: [&str; 3] = ["asm", "__asm", "__asm__"];

const ATTRIBUTES: usize = 6;
const WEAK: &str = "weak";
const REDEFINE: &str = "redefine_extname";

/// The names of a file that have others, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OtherNames {
    /// These.
    Some(BTreeSet<String>),
    /// Any may be.
    All,
}

impl OtherNames {
    /// Of a text.
    pub fn of(text: &[u8]) -> OtherNames {
        let mut found = BTreeSet::new();
        let mut add = |text: &[u8]| {
            found.extend(words(text).map(|word| String::from_utf8_lossy(word).into_owned()));
        };
        let mut rest = text;
        while let Some(at) = next_attribute(rest) {
            rest = &rest[at..];
            // Of the words that are no attribute's, none is followed by a parenthesis.
            let argument = rest.trim_ascii_start();
            let Some(argument) = argument.strip_prefix(b"(") else {
                continue;
            };
            let literal = argument.trim_ascii_start().strip_prefix(b"\"");
            let name = literal.and_then(|rest| rest.split(|byte| *byte == b'"').next());
            match name {
                Some(name) => add(name),
                // `#name` and the like.
                None => return OtherNames::All,
            }
        }
        // gcc replaces macros in the one; the other may come out of a macro.
        if mentions(text, REDEFINE) || mentions(text, WEAK) && mentions(text, "_Pragma") {
            return OtherNames::All;
        }
        for line in text.split(|byte| *byte == b'\n') {
            if mentions(line, WEAK) && mentions(line, "pragma") {
                add(line);
            }
        }
        OtherNames::Some(found)
    }

    /// In assembly outside of functions.
    pub fn in_assembly(unit: &TranslationUnit) -> OtherNames {
        let mut found = BTreeSet::new();
        for cursor in unit.cursor().children() {
            if cursor.kind() != CXCursor_UnexposedDecl {
                continue;
            }
            let printed = cursor.printed();
            if printed.starts_with("__asm") {
                // `\n` and `\t` are no letters of names.
                let text = printed.replace("\\n", " ").replace("\\t", " ");
                let names = words(text.as_bytes()).map(|word| String::from_utf8_lossy(word).into_owned());
                found.extend(names);
            }
        }
        OtherNames::Some(found)
    }

    /// True if a name may be one of them.
    pub fn has(&self, name: &str) -> bool {
        match self {
            OtherNames::Some(names) => names.contains(name),
            OtherNames::All => true,
        }
    }
}

/// The place behind the next word that may be one of the attributes.
fn next_attribute(text: &[u8]) -> Option<usize> {
    let start = text.as_ptr() as usize;
    words(text)
        .find(|word| WORDS[..ATTRIBUTES].iter().any(|own| own.as_bytes() == *word))
        .map(|word| word.as_ptr() as usize - start + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_other_names_are_found() {
        let some = |names: &[&str]| OtherNames::Some(names.iter().map(|one| (*one).to_owned()).collect());
        for (text, found) in [
            ("void g(void) __attribute__((alias(\"f\")));", some(&["f"])),
            (
                "static int a __attribute__ ((__weakref__ ( \"b\" ))), c;\nint alias;",
                some(&["b"]),
            ),
            ("int f(int alias) { return alias * (alias + 1); }", some(&[])),
            (
                "#define OTHER(x) __attribute__((alias(#x)))\nvoid g(void) OTHER(f);",
                OtherNames::All,
            ),
            (
                "#pragma weak u = w\nint weak;",
                some(&["pragma", "u", "w", "weak"]),
            ),
            ("#pragma redefine_extname U W", OtherNames::All),
            (
                "#define WEAK(a, b) _Pragma(TEXT(weak a = b))\nWEAK(u, w)",
                OtherNames::All,
            ),
            ("int f __attribute__((weak));", some(&[])),
        ] {
            assert_eq!(OtherNames::of(text.as_bytes()), found, "{text}");
        }
    }
}
