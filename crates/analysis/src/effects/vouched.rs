//! What does the user say of functions that cannot be seen?
//!
//! A comment on a line of its own before a declaration: `// ferry: pure`, `// ferry: const`, or `// ferry: reads(a, b)
//! writes(c)` with names of parameters that are pointers, and of variables of the file. It is the user's word: whatever
//! rests on it says so, and nothing else is assumed of the function. A definition that is seen is believed instead; one in
//! another file that does more than the comment says is an error.
//!
//! What it cannot do: parts of what a pointer points to; parameters that are functions; comments behind a declaration.

use super::linked::{Outside, files};
use super::{Effect, Touch};
use crate::word::{allows_findings, is_ours};
use ferry_ir::{GlobalId, Unit};
use ferry_source::{FileId, Finding, Severity, Sources, Span};
use std::collections::BTreeMap;

/// What is said of one function.
#[derive(Clone, PartialEq, Debug)]
struct Said {
    /// The comment.
    at: Span,
    what: Word,
    /// The names of the parameters; empty where there is none.
    parameters: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
enum Word {
    /// No effects; it may read anything.
    Pure,
    /// No effects; it reads nothing.
    Const,
    /// It reads and writes what these names lead to.
    Touches { reads: Vec<String>, writes: Vec<String> },
}

/// Tells each unit what comments say of functions that it only declares. Comments that are wrong are findings.
pub fn tell(units: &[Option<&Unit>], sources: &Sources, outside: &mut [Outside]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut all: BTreeMap<String, Said> = BTreeMap::new();
    for file in files(sources).filter(|file| sources.has_word(*file, "ferry")) {
        let said = comments(file, sources.bytes(file)).into_iter();
        // Assumptions and what is allowed are read elsewhere.
        for (at, words) in said.filter(|(_, words)| !is_ours(words) && !allows_findings(words)) {
            let said = read(words).and_then(|what| {
                let (name, parameters) = declaration(&sources.bytes(file)[at.end as usize..])
                    .ok_or("no declaration of a function follows")?;
                Ok((name, Said { at, what, parameters }))
            });
            match said {
                Ok((name, said)) => match all.get(&name) {
                    Some(other) if other.what != said.what => {
                        let finding = wrong(at, &format!("{name} was said to do something else"));
                        findings.push(finding.related(other.at, "here"));
                    }
                    Some(_) => {}
                    None => drop(all.insert(name, said)),
                },
                Err(why) => findings.push(wrong(at, why)),
            }
        }
    }
    for (unit, outside) in units.iter().zip(outside) {
        let Some(unit) = unit else { continue };
        for (id, function) in unit.functions() {
            let Some(said) = all.get(&function.name) else {
                continue;
            };
            if function.body.is_some() {
                continue;
            }
            let effect = match effect(unit, sources, &function.name, said) {
                Ok(effect) => effect,
                Err(why) => {
                    findings.push(wrong(said.at, &why));
                    continue;
                }
            };
            match outside.functions.get(&id) {
                // What its definition in another file does is seen, as a whole.
                Some(seen) if seen.elsewhere.is_some() && !seen.reads.anything && !seen.writes.anything => {
                    if let Some(more) = exceeds(seen, &effect) {
                        let why = format!("its definition {more}");
                        findings.push(wrong(said.at, &why));
                    }
                }
                _ => drop(outside.functions.insert(id, effect)),
            }
        }
    }
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    findings.dedup();
    findings
}

fn wrong(at: Span, why: &str) -> Finding {
    let help = "`pure`, `const`, or `reads(…)` and `writes(…)` with parameters that are pointers and variables of the file";
    Finding::new(
        Severity::Error,
        "effects-comment",
        "a comment that says what a function does is wrong",
    )
    .at(at, why)
    .help(help)
}

/// The comments of a file, each with what stands behind `ferry:`.
fn comments(file: FileId, text: &[u8]) -> Vec<(Span, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let words = std::str::from_utf8(line).ok().and_then(|line| {
            let comment = line.trim().strip_prefix("//")?;
            Some(comment.trim_start().strip_prefix("ferry:")?.trim())
        });
        if let Some(words) = words {
            let indent = line.len() - line.trim_ascii_start().len();
            let end = start + line.trim_ascii_end().len();
            found.push((Span::new(file, (start + indent) as u32, end as u32), words));
        }
        start += line.len();
    }
    found
}

fn read(words: &str) -> Result<Word, &'static str> {
    const UNKNOWN: &str = "these words are not known";
    match words {
        "pure" => return Ok(Word::Pure),
        "const" => return Ok(Word::Const),
        _ => {}
    }
    let (mut reads, mut writes) = (None, None);
    let mut rest = words;
    while !rest.is_empty() {
        let (word, behind) = rest.split_once('(').ok_or(UNKNOWN)?;
        let (list, behind) = behind.split_once(')').ok_or("a `)` is missing")?;
        let names = match list.trim() {
            "" => Vec::new(),
            list => list.split(',').map(|name| name.trim().to_owned()).collect(),
        };
        let place = match word.trim() {
            "reads" => &mut reads,
            "writes" => &mut writes,
            _ => return Err(UNKNOWN),
        };
        if place.replace(names).is_some() {
            return Err("a list is there twice");
        }
        rest = behind.trim_start();
    }
    match (reads, writes) {
        (None, None) => Err(UNKNOWN),
        (reads, writes) => Ok(Word::Touches {
            reads: reads.unwrap_or_default(),
            writes: writes.unwrap_or_default(),
        }),
    }
}

/// The name and the parameters of the function that the text declares first.
fn declaration(text: &[u8]) -> Option<(String, Vec<String>)> {
    let text = String::from_utf8_lossy(&super::linked::code(text)).into_owned();
    let end = text.find([';', '{', '}', '#', '='])?;
    let head = text.get(..end)?;
    let (front, behind) = head.split_once('(')?;
    let name = last_word(front)?;
    let mut depth = 1;
    let mut part = String::new();
    let mut parameters = Vec::new();
    for character in behind.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && character == ',' {
            parameters.push(parameter(&part).unwrap_or_default());
            part.clear();
        } else {
            part.push(character);
        }
        if depth == 0 {
            return Some((name, parameters));
        }
    }
    None
}

/// The name of one parameter: `int *const p`, `int p[3]`, `int (*p)[3]`.
fn parameter(part: &str) -> Option<String> {
    let inner = part
        .split_once("(*")
        .and_then(|(_, behind)| behind.split(')').next());
    last_word(inner.unwrap_or(part).split('[').next()?)
}

fn last_word(text: &str) -> Option<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let word = text.trim_end().rsplit(|character| !is_part(character)).next()?;
    let begins = word.chars().next().is_some_and(|first| !first.is_ascii_digit());
    begins.then(|| word.to_owned())
}

fn effect(unit: &Unit, sources: &Sources, name: &str, said: &Said) -> Result<Effect, String> {
    let (reads, writes, what) = match &said.what {
        Word::Pure => {
            let anything = Touch {
                anything: true,
                ..Touch::default()
            };
            (anything, Touch::default(), "has no effects".to_owned())
        }
        Word::Const => {
            let what = "has no effects and depends on its arguments alone";
            (Touch::default(), Touch::default(), what.to_owned())
        }
        Word::Touches { reads, writes } => {
            let names = |list: &[String]| match list {
                [] => "nothing".to_owned(),
                list => list.join(", "),
            };
            let what = format!(
                "reads {} and writes {}, and does nothing else",
                names(reads),
                names(writes)
            );
            (
                touch(unit, name, said, reads)?,
                touch(unit, name, said, writes)?,
                what,
            )
        }
    };
    let (line, _) = sources.line_column(said.at.file, said.at.start);
    let path = sources.path(said.at.file);
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let rests = format!("{name} {what}, as the comment in line {line} of {file} says");
    Ok(Effect {
        reads,
        writes,
        rests: [rests].into(),
        ..Effect::default()
    })
}

/// What a function does more than is said of it.
fn exceeds(seen: &Effect, said: &Effect) -> Option<&'static str> {
    let more = |seen: &Touch, said: &Touch| {
        !said.anything
            && (seen.all_arguments
                || !seen.hidden.is_empty()
                || !seen.arguments.is_subset(&said.arguments)
                || !seen.globals.is_subset(&said.globals))
    };
    if seen.external.is_some() {
        Some("does more than reading and writing memory")
    } else if more(&seen.writes, &said.writes) {
        Some("writes something else, too")
    } else if more(&seen.reads, &said.reads) {
        Some("reads something else, too")
    } else {
        None
    }
}

/// What these names lead to.
fn touch(unit: &Unit, function: &str, said: &Said, names: &[String]) -> Result<Touch, String> {
    let mut found = Touch::default();
    for name in names {
        let parameter = said.parameters.iter().position(|parameter| parameter == name);
        let global = unit
            .globals
            .iter()
            .position(|global| global.inside.is_none() && !global.string_literal && global.name == *name);
        match (parameter, global) {
            (Some(number), _) => drop(found.arguments.insert(number)),
            (None, Some(number)) => drop(found.globals.insert(GlobalId(number as u32))),
            (None, None) => {
                return Err(format!(
                    "{name} is no parameter of {function}, and no variable of the file"
                ));
            }
        }
    }
    Ok(found)
}
