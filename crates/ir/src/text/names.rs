//! By which words are variables, functions, labels, records and fields called in the text form?
//! By their own name where it is unambiguous, else by `name#number`. Names that are no identifiers of the
//! text form, or are one of its keywords, stand in backquotes.

use crate::{Function, Record, Unit};
use std::collections::HashMap;

/// Words with a meaning of their own in the text form.
const KEYWORDS: &[&str] = &[
    "void",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "f32",
    "f64",
    "f80",
    "f128",
    "int",
    "real",
    "complex",
    "imaginary",
    "times_unit",
    "struct",
    "union",
    "fn",
    "foreign",
    "const",
    "null",
    "float",
    "volatile",
    "opaque",
    "if",
    "else",
    "none",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "label",
    "zero",
    "call",
    "declare",
    "sequence",
    "directive",
    "empty",
    "escapes",
    "jumps",
    "raw",
    "object",
    "iterator",
    "mapper",
];

/// True if `word` is a keyword of the text form.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// True if `name` can stand without quotes. Names may begin with `%`, as those of temporaries do.
pub(super) fn is_plain(name: &str) -> bool {
    let rest = name.strip_prefix('%').unwrap_or(name);
    let start =
        |c: char| c.is_ascii_alphabetic() || c == '_' || (name.len() > rest.len() && c.is_ascii_digit());
    rest.starts_with(start)
        && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_keyword(name)
}

/// `name`, in backquotes if it has to be, with `#number` if it is not `unique` or empty.
fn word(name: &str, number: usize, unique: bool) -> String {
    let mut text = String::new();
    if is_plain(name) {
        text.push_str(name);
    } else if !name.is_empty() {
        super::spell::quote(&mut text, name, '`');
    }
    if name.is_empty() || !unique {
        text.push_str(&format!("#{number}"));
    }
    text
}

/// Words for a list of names, in which a name may occur more than once.
pub(super) fn words<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut count: HashMap<&str, u32> = HashMap::new();
    for name in names.clone() {
        *count.entry(name).or_insert(0) += 1;
    }
    names
        .enumerate()
        .map(|(number, name)| word(name, number, count.get(name) == Some(&1)))
        .collect()
}

/// Words for everything that has a name in a unit.
pub(super) struct UnitNames {
    /// By number of the record, without `struct` or `union`.
    pub(super) records: Vec<String>,
    /// By number of the global, without `@`.
    pub(super) globals: Vec<String>,
    /// By number of the function.
    pub(super) functions: Vec<String>,
    /// By number of the record: the words of its fields.
    pub(super) fields: Vec<Vec<String>>,
}

impl UnitNames {
    pub(super) fn new(unit: &Unit) -> UnitNames {
        UnitNames {
            records: words(unit.types.records.iter().map(|record| record.name.as_str())),
            globals: words(unit.globals.iter().map(|global| global.name.as_str())),
            functions: words(unit.functions.iter().map(|function| function.name.as_str())),
            fields: unit.types.records.iter().map(field_words).collect(),
        }
    }
}

/// The words of a record's fields.
pub(super) fn field_words(record: &Record) -> Vec<String> {
    words(record.fields.iter().map(|field| field.name.as_str()))
}

/// Words for everything that has a name in a function.
#[derive(Default)]
pub(super) struct FunctionNames {
    /// By number of the local.
    pub(super) locals: Vec<String>,
    /// By number of the label.
    pub(super) labels: Vec<String>,
}

impl FunctionNames {
    /// With `normalise`, temporaries and extents are called `%0`, `%1`, … in the order in which they are listed.
    pub(super) fn new(function: &Function, normalise: bool) -> FunctionNames {
        let mut made = 0;
        let names: Vec<String> = function
            .locals
            .iter()
            .map(|local| {
                if normalise && local.kind.is_made() {
                    made += 1;
                    format!("%{}", made - 1)
                } else {
                    local.name.clone()
                }
            })
            .collect();
        FunctionNames {
            locals: words(names.iter().map(String::as_str)),
            labels: words(function.labels.iter().map(String::as_str)),
        }
    }
}
