//! What do the pragmas of one file say, and what is parsed in their place? Each becomes a directive with its expressions
//! as text, or an error with its place.
//!
//! Whether a pragma is in an active branch is not known here: an error counts only if libclang does not skip its place.

use super::copy::{Copy, DEFINED, Expression, Form, Replacement};
use super::fill;
use super::find::{self, Content, Pragma};
use ferry_directive::{Association, Dialect, Directive, Text};
use std::collections::BTreeMap;
use std::ops::Range;

/// A file whose pragmas were read.
#[derive(Clone, PartialEq, Debug)]
pub struct FileDirectives {
    /// What tells the file from others of its translation unit, in probes that stand in macro definitions.
    pub tag: usize,
    /// The text for libclang, and its map.
    pub copy: Copy,
    /// One for each replacement in the copy.
    pub pragmas: Vec<ReadPragma>,
}

/// One pragma of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadPragma {
    /// From the `#` to its last byte.
    pub span: Range<u32>,
    /// How it was replaced.
    pub form: Form,
    /// The expressions that its probe holds.
    pub expressions: usize,
    /// What it says, or why that is not known.
    pub directive: Result<Directive<Text>, Broken>,
    /// Why its expressions are not typed, if that is so.
    pub untyped: Option<String>,
}

/// What is wrong with a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Where.
    pub at: Range<u32>,
    /// What, as one sentence.
    pub message: String,
}

/// What is known about a pragma from parsing the file before, by the offset of its first byte.
#[derive(Clone, PartialEq, Debug)]
pub enum Learned {
    /// libclang could not type its expressions, for this reason.
    Untyped(String),
    /// It cannot stand where it stands, or is not C, for this reason.
    Invalid(String),
    /// Its text has macros; their expansion is wanted.
    Expand,
    /// Its text with macros expanded.
    Expanded(String),
    /// A macro's use makes it: the span of the use, and the pragma's text.
    Made(Range<u32>, String),
    /// It begins variants of functions that are defined besides, which C takes for second definitions; they are left out.
    Variants,
    /// It stands in the definition of a macro that makes other text besides; it is replaced there.
    Defined,
}

/// True if a pragma can be replaced in a macro's definition: it is a directive at a statement's place.
pub fn can_be_replaced_in_a_definition(pragma: &Pragma) -> bool {
    parse(&[], pragma)
        .is_ok_and(|directive| matches!(form(&directive, &[], 0), Form::Governs | Form::StandAlone))
}

/// Reads the pragmas of a text. With `ignore`, all pragmas of OpenMP and OpenACC are blanked. `None` if there are none.
pub fn read(
    bytes: &[u8],
    learned: &BTreeMap<u32, Learned>,
    ignore: bool,
    tag: usize,
) -> Option<FileDirectives> {
    let mut found = find::find(bytes);
    let is_defined = |at: u32| learned.get(&at) == Some(&Learned::Defined);
    if learned.values().any(|one| *one == Learned::Defined) {
        found.extend(
            find::in_definitions(bytes)
                .into_iter()
                .filter(|pragma| is_defined(pragma.span.start)),
        );
    }
    for learned in learned.values() {
        if let Learned::Made(span, text) = learned
            && let Some(language) = find::language_of(text)
        {
            found.push(Pragma {
                span: span.clone(),
                language,
                content: Content::Detached(text.clone()),
            });
        }
    }
    if found.is_empty() {
        return None;
    }
    found.sort_by_key(|pragma| pragma.span.start);
    if learned.values().any(|one| *one == Learned::Variants) {
        found = without_variants(bytes, found);
    }
    let mut pragmas = Vec::with_capacity(found.len());
    let mut replacements = Vec::with_capacity(found.len());
    for (number, pragma) in found.into_iter().enumerate() {
        let (read, mut replacement) = one(bytes, pragma, learned, ignore);
        if is_defined(replacement.span.start) {
            replacement.name = Some(format!("{DEFINED}{tag} {number}"));
        }
        pragmas.push(read);
        replacements.push(replacement);
    }
    Some(FileDirectives {
        tag,
        copy: Copy::new(bytes, &replacements),
        pragmas,
    })
}

/// What is between `begin declare variant` and its end goes with the first line.
fn without_variants(bytes: &[u8], found: Vec<Pragma>) -> Vec<Pragma> {
    let mut kept: Vec<Pragma> = Vec::new();
    let mut inside = false;
    for pragma in found {
        let name = parse(bytes, &pragma).map_or(String::new(), |directive| directive.name);
        match (inside, name.as_str(), kept.last_mut()) {
            (true, "end declare variant", Some(begin)) => {
                begin.span.end = pragma.span.end;
                inside = false;
            }
            (true, ..) => {}
            (false, ..) => {
                inside = name == "begin declare variant";
                kept.push(pragma);
            }
        }
    }
    kept
}

fn one(
    bytes: &[u8],
    mut pragma: Pragma,
    learned: &BTreeMap<u32, Learned>,
    ignore: bool,
) -> (ReadPragma, Replacement) {
    let known = learned.get(&pragma.span.start);
    if let Some(Learned::Expanded(text)) = known {
        pragma.content = Content::Detached(text.clone());
    }
    let mut directive = parse(bytes, &pragma);
    if let Some(Learned::Invalid(message)) = known {
        directive = Err(Broken {
            at: pragma.span.clone(),
            message: message.clone(),
        });
    }
    let form = match &directive {
        _ if ignore => Form::Blank,
        Err(_) if known == Some(&Learned::Expand) => Form::Expand,
        Err(_) => Form::Invalid,
        Ok(directive) => form(directive, bytes, pragma.span.end as usize),
    };
    let untyped = match known {
        Some(Learned::Untyped(why)) => Some(why.clone()),
        _ => None,
    };
    let expressions = match (&directive, &pragma.content) {
        (Err(_), Content::Bytes(range)) if form == Form::Expand => {
            let text = bytes
                .get(range.start as usize..range.end as usize)
                .unwrap_or_default();
            vec![Expression::Detached(find::plain(text))]
        }
        (Ok(directive), content) if untyped.is_none() && matches!(form, Form::Governs | Form::StandAlone) => {
            let expression = |text: Text| match content {
                Content::Bytes(_) => Expression::Bytes(text.start..text.end),
                Content::Detached(_) => Expression::Detached(text.text),
            };
            fill::expressions(directive).into_iter().map(expression).collect()
        }
        _ => Vec::new(),
    };
    let count = expressions.len();
    let span = pragma.span.clone();
    let read = ReadPragma {
        span: pragma.span,
        form,
        expressions: count,
        directive,
        untyped,
    };
    (
        read,
        Replacement {
            span,
            form,
            expressions,
            name: None,
        },
    )
}

fn parse(bytes: &[u8], pragma: &Pragma) -> Result<Directive<Text>, Broken> {
    let parsed = match &pragma.content {
        Content::Bytes(range) => {
            let text = bytes
                .get(range.start as usize..range.end as usize)
                .unwrap_or_default();
            ferry_directive::parse(text, range.start, Dialect::C)
        }
        Content::Detached(text) => ferry_directive::parse(text.as_bytes(), 0, Dialect::C),
    };
    parsed.map_err(|errors| {
        let first = errors.first();
        let at = match (&pragma.content, first) {
            (Content::Bytes(_), Some(error)) => error.start..error.end.max(error.start),
            _ => pragma.span.clone(),
        };
        Broken {
            at,
            message: first.map_or_else(|| "not understood".to_owned(), ToString::to_string),
        }
    })
}

/// What stands in the place of a directive, by what it is written before.
fn form(directive: &Directive<Text>, bytes: &[u8], after: usize) -> Form {
    // `ordered` with dependences is a stand-alone directive (OpenMP 5.2 §15.10.1).
    if directive.name == "ordered" && (directive.has_clause("depend") || directive.has_clause("doacross")) {
        return Form::StandAlone;
    }
    // It has no effect, and may stand where no statement can, between the loops of a nest.
    if directive.name == "nothing" {
        return Form::Blank;
    }
    let specification = ferry_directive::specification(directive.language, &directive.name);
    match specification.map(|specification| specification.association) {
        Some(Association::Block | Association::Loops) => Form::Governs,
        Some(Association::StandAlone | Association::Separating) => Form::StandAlone,
        Some(Association::Varies) if governs_by_its_looks(bytes, after) => Form::Governs,
        Some(Association::Varies) => Form::StandAlone,
        Some(
            Association::Declarative | Association::Delimited | Association::End | Association::Informational,
        )
        | None => Form::Blank,
    }
}

/// A metadirective governs what is after it if that is a loop, a block or another directive.
fn governs_by_its_looks(bytes: &[u8], after: usize) -> bool {
    let rest = bytes.get(after..).unwrap_or_default().trim_ascii_start();
    rest.starts_with(b"{") || rest.starts_with(b"for") || rest.starts_with(b"#")
}
