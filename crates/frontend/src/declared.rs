//! Of which variables and functions do OpenMP's declarations speak: `declare target`, `threadprivate`, `declare variant`, `declare mapper`?
//!
//! libclang is asked, with OpenMP turned on and the text as it is. It knows where regions end, what is included in them and how, lists and directives that macros
//! make, attributes, and that a name is declared twice. It does not say which attribute a declaration has, but writes it before the declaration.
//!
//! Only files are asked about in whose text, headers or flags a word of such a directive occurs: others are not parsed a second time. What a directive says of a
//! variable inside of a function is not found here.
#![allow(non_upper_case_globals)] // libclang's names

use crate::clang::{Cursor, File, Severity, TranslationUnit};
use crate::rounds::{Input, Parsed};
use clang_sys::*;
use ferry_ir::Declaring;
use ferry_source::mentions;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A name and what is said of it.
pub struct Spoken {
    /// The variable, function or mapper.
    pub name: String,
    /// What.
    pub how: Declaring,
    /// The file and the offset of the directive, or of a name in its list.
    pub at: Option<(PathBuf, u32)>,
}

/// What libclang has against the text with OpenMP turned on.
pub struct Refused {
    /// Its message.
    pub why: String,
    /// The file and the offset.
    pub at: Option<(PathBuf, u32)>,
}

/// All of a file that was parsed without OpenMP.
///
/// # Errors
/// If libclang could not read it with OpenMP: what it said.
pub fn of(input: &Input, parsed: &Parsed) -> Result<Vec<Spoken>, Refused> {
    let makes_one = |flag: &&String| {
        let has = |word| mentions(flag.as_bytes(), word);
        has("_Pragma") && has("acc") && (has("declare") || has("routine"))
    };
    // Of OpenACC's declarations the text is read, where what a flag makes is not.
    if let Some(flag) = input.arguments.iter().find(makes_one) {
        return Err(Refused {
            why: format!("the flag `{flag}` makes a directive of OpenACC"),
            at: None,
        });
    }
    if !may_declare(input, parsed) {
        return Ok(Vec::new());
    }
    // What is called `enter` since 5.2 is called `to` before, and clang knows one of them at a time.
    let unit = parse(input, parsed, "51")?;
    let Some(first) = refused(&unit, parsed) else {
        return Ok(spoken(&unit));
    };
    let unit = parse(input, parsed, "52")?;
    match refused(&unit, parsed) {
        None => Ok(spoken(&unit)),
        Some(_) => Err(first),
    }
}

/// True if a word of such a directive occurs in what is read, outside of system headers.
fn may_declare(input: &Input, parsed: &Parsed) -> bool {
    let files = parsed.unit.files().into_iter().filter(|(_, system)| !system);
    let copies = files.map(|(file, _)| parsed.unit.contents(file));
    let directives = parsed.files.values().flat_map(|file| &file.pragmas);
    let flags = input.arguments.iter().map(String::as_bytes);
    // In the copies directives may be replaced.
    let mut names = directives.filter_map(|pragma| pragma.directive.as_ref().ok());
    let has = |text: &[u8]| mentions(text, "declare") || mentions(text, "threadprivate");
    names.any(|directive| has(directive.name.as_bytes())) || has(input.bytes) || copies.chain(flags).any(has)
}

fn parse(input: &Input, parsed: &Parsed, version: &str) -> Result<TranslationUnit, Refused> {
    let mut arguments = input.arguments.to_vec();
    arguments.push("-fopenmp=libomp".to_owned());
    arguments.push(format!("-fopenmp-version={version}"));
    let is_defined = input.arguments.iter().any(|word| word.starts_with("-D_OPENMP"));
    if !is_defined {
        arguments.push("-U_OPENMP".to_owned());
    }
    let mut unsaved = input.overlays.to_vec();
    unsaved.retain(|(path, _)| path != input.path);
    let own = match (input.ignore_directives, parsed.files.get(input.path)) {
        (true, Some(blanked)) => blanked.copy.text.clone(),
        _ => input.bytes.to_vec(),
    };
    unsaved.push((input.path.to_owned(), own));
    TranslationUnit::parse_declarations(input.path, &arguments, &unsaved).map_err(|why| Refused {
        why: why.to_string(),
        at: None,
    })
}

/// The first error at file scope that is not there without OpenMP. One in a function says nothing of what stands outside.
fn refused(unit: &TranslationUnit, parsed: &Parsed) -> Option<Refused> {
    let known: BTreeSet<&str> = parsed
        .diagnostics
        .iter()
        .map(|one| one.message.as_str())
        .collect();
    let is_error = |severity: Severity| severity >= Severity::Error;
    let mut errors = unit
        .diagnostics()
        .into_iter()
        .filter(|one| is_error(one.severity) && !known.contains(one.message.as_str()))
        .peekable();
    errors.peek()?;
    let bodies: Vec<(PathBuf, u32, u32)> = unit
        .cursor()
        .children()
        .into_iter()
        .filter(|cursor| cursor.kind() == CXCursor_FunctionDecl && cursor.is_definition())
        .filter_map(|cursor| {
            let (start, end) = cursor.extent();
            let (file, start) = start.expansion()?;
            Some((unit.file_name(file), start, end.expansion()?.1))
        })
        .collect();
    let is_outside = |place: &Option<(PathBuf, u32)>| {
        place.as_ref().is_none_or(|(path, offset)| {
            !bodies
                .iter()
                .any(|(file, start, end)| file == path && (*start..=*end).contains(offset))
        })
    };
    let one = errors.find(|one| is_outside(&one.place))?;
    Some(Refused {
        why: one.message,
        at: one.place,
    })
}

fn spoken(unit: &TranslationUnit) -> Vec<Spoken> {
    let place = |(file, offset): (File, u32)| (unit.file_name(file), offset);
    let mut found = Vec::new();
    for cursor in unit.cursor().children() {
        if cursor.location().in_system_header() {
            continue;
        }
        match cursor.kind() {
            CXCursor_VarDecl | CXCursor_FunctionDecl => {
                // Most declarations have none: nothing is printed for them.
                let children = cursor.children();
                let attribute = |child: &&Cursor<'_>| child.kind() == CXCursor_UnexposedAttr;
                let Some(attribute) = children.iter().find(attribute) else {
                    continue;
                };
                let at = attribute.location().expansion().map(place);
                for how in cursor.printed().lines().filter_map(of_line) {
                    let name = cursor.spelling();
                    found.push(Spoken {
                        name,
                        how,
                        at: at.clone(),
                    });
                }
            }
            // Of these the place is known, and the text.
            CXCursor_UnexposedDecl => {
                let printed = cursor.printed();
                let at = || cursor.location().expansion().map(place);
                if let Some(names) = printed.strip_prefix("#pragma omp threadprivate(") {
                    let names = names.trim_end().trim_end_matches([';', ')']).split(',');
                    found.extend(names.map(|name| Spoken {
                        name: name.trim().to_owned(),
                        how: Declaring::Private,
                        at: at(),
                    }));
                } else if printed.starts_with("#pragma omp declare mapper") {
                    let name = cursor.spelling();
                    found.push(Spoken {
                        name,
                        how: Declaring::Mapper,
                        at: at(),
                    });
                }
            }
            _ => {}
        }
    }
    found
}

/// What a line before a declaration says.
fn of_line(line: &str) -> Option<Declaring> {
    let words = line.trim().strip_prefix("#pragma omp declare ")?;
    match words.split_once(' ').unwrap_or((words, "")) {
        ("target", rest) if mentions(rest.as_bytes(), "link") => Some(Declaring::Linked),
        ("target", _) => Some(Declaring::Device),
        (words, _) if words.starts_with("variant") => Some(Declaring::Variant),
        _ => None,
    }
}
