//! How often must a file be parsed until its directives are understood? Once without directives, once with ordinary ones;
//! again for headers with directives, for expressions that libclang cannot type, and for directives that macros make.
//!
//! Each round parses in-memory copies ([`crate::directives::copy`]), looks at what libclang says about them, and goes on
//! until nothing new is learned. The number of rounds is limited; what is not understood then stays an error.
#![allow(non_upper_case_globals)] // libclang's names

use crate::clang::{self, Cursor, Diagnostic, Severity, TranslationUnit};
use crate::directives::copy::{DEFINED, Form, GUARD, STRING_MACROS, UNDECLARED};
use crate::directives::find;
use crate::directives::read::{self, FileDirectives, Learned, read};
use clang_sys::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Rounds that are made at most: a header, its header, an error, an expansion, its errors.
const ROUNDS: usize = 12;

/// With this, each `_Pragma` that a macro makes is a cursor with its text.
const OPERATOR: &str = "-D_Pragma(x)=_Static_assert(1,x);";

/// The same where only a statement can stand (`if (c) PRAGMA for …`), for one round from which only texts are learned.
const OPERATOR_IN_BLOCK: &str = "-D_Pragma(x)=if(0){_Static_assert(1,x);}else";

/// What is parsed.
pub struct Input<'a> {
    /// The main file, as libclang gets it.
    pub path: &'a Path,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Arguments for libclang.
    pub arguments: &'a [String],
    /// Files whose text differs from the disk.
    pub overlays: &'a [(PathBuf, Vec<u8>)],
    /// Directives are blanked.
    pub ignore_directives: bool,
    /// System headers without their variants, for all files that are parsed.
    pub system: &'a SystemHeaders,
}

/// System headers whose declared variants are blanked: clang's `omp.h` defines one function twice between
/// `begin declare variant` lines, which libclang, without OpenMP, takes for two definitions.
#[derive(Default)]
pub struct SystemHeaders(Mutex<BTreeMap<PathBuf, Vec<u8>>>);

impl SystemHeaders {
    fn all(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if the header has variants.
    fn learn(&self, path: &Path, bytes: &[u8]) -> bool {
        let Some(text) = without_variants(bytes) else {
            return false;
        };
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(path.to_owned(), text);
        true
    }
}

/// The text with everything between `begin declare variant` and `end declare variant` lines blanked; lines stay.
fn without_variants(bytes: &[u8]) -> Option<Vec<u8>> {
    let find = |from: usize, what: &[u8]| {
        let rest = bytes.get(from..)?;
        Some(from + rest.windows(what.len()).position(|window| window == what)?)
    };
    let mut text = bytes.to_owned();
    let mut at = find(0, b"begin declare variant")?;
    loop {
        let start = at
            + bytes[at..]
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(bytes.len() - at);
        let end = find(start, b"end declare variant")?;
        let end = start
            + bytes[start..end]
                .iter()
                .rposition(|byte| *byte == b'\n')
                .unwrap_or(0);
        text[start..end]
            .iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
        match find(end, b"begin declare variant") {
            Some(next) => at = next,
            None => return Some(text),
        }
    }
}

/// A parsed file whose directives are as well understood as they can be.
pub struct Parsed {
    /// The translation unit of the last round.
    pub unit: TranslationUnit,
    /// What libclang says about it.
    pub diagnostics: Vec<Diagnostic>,
    /// The files with pragmas.
    pub files: BTreeMap<PathBuf, FileDirectives>,
}

struct Rounds<'a> {
    input: &'a Input<'a>,
    /// Headers with pragmas and their bytes.
    headers: BTreeMap<PathBuf, Vec<u8>>,
    learned: BTreeMap<PathBuf, BTreeMap<u32, Learned>>,
    operator: bool,
    /// Whether this round uses [`OPERATOR_IN_BLOCK`]; `None` if no round did.
    in_block: Option<bool>,
    expanding: bool,
    /// How many errors there were before pragmas in macro definitions were replaced.
    errors_before: Option<usize>,
    /// Replaced in their definitions they are no C where a macro is used: they stay what they are.
    leave_definitions: bool,
    system: BTreeMap<PathBuf, Vec<u8>>,
}

/// Parses a file.
///
/// # Errors
/// As [`TranslationUnit::parse`].
pub fn parse(input: &Input) -> Result<Parsed, clang::Error> {
    let mut rounds = Rounds {
        input,
        headers: BTreeMap::new(),
        learned: BTreeMap::new(),
        operator: find::has_pragma_operator(input.bytes),
        in_block: None,
        expanding: false,
        errors_before: None,
        leave_definitions: false,
        system: input.system.all(),
    };
    let mut round = 1;
    loop {
        let parsed = rounds.parse()?;
        if round == ROUNDS || !rounds.learn(&parsed) {
            return Ok(parsed);
        }
        round += 1;
    }
}

impl Parsed {
    /// False if the preprocessor skipped this physical offset.
    pub fn is_active(&self, skipped: &[(PathBuf, u32, u32)], path: &Path, offset: u32) -> bool {
        !skipped
            .iter()
            .any(|(file, start, end)| file == path && (*start..*end).contains(&offset))
    }

    /// The ranges that the preprocessor skipped, in physical offsets, of files with pragmas.
    pub fn skipped(&self) -> Vec<(PathBuf, u32, u32)> {
        let mut all = Vec::new();
        if self.files.is_empty() {
            return all;
        }
        for (file, start, end) in self.unit.skipped_ranges() {
            let path = self.unit.file_name(file);
            if let Some(directives) = self.files.get(&path) {
                let (start, end) = (directives.copy.physical(start), directives.copy.physical(end));
                all.push((path, start, end));
            }
        }
        all
    }
}

impl Rounds<'_> {
    fn parse(&self) -> Result<Parsed, clang::Error> {
        let input = self.input;
        let mut files = BTreeMap::new();
        let mut unsaved: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let nothing = BTreeMap::new();
        let main = (input.path, input.bytes);
        let headers = self
            .headers
            .iter()
            .map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
        for (tag, (path, bytes)) in std::iter::once(main).chain(headers).enumerate() {
            let learned = self.learned.get(path).unwrap_or(&nothing);
            let text = match read(bytes, learned, input.ignore_directives, tag) {
                Some(directives) => {
                    let text = directives.copy.text.clone();
                    files.insert(path.to_owned(), directives);
                    text
                }
                None => bytes.to_owned(),
            };
            unsaved.push((path.to_owned(), text));
        }
        unsaved.extend(self.system.clone());
        for (path, bytes) in input.overlays {
            if unsaved.iter().all(|(known, _)| known != path) {
                unsaved.push((path.clone(), bytes.clone()));
            }
        }
        let mut arguments = input.arguments.to_vec();
        if self.operator && !input.ignore_directives {
            let operator = if self.in_block == Some(true) {
                OPERATOR_IN_BLOCK
            } else {
                OPERATOR
            };
            arguments.push(operator.to_owned());
        }
        if self.expanding {
            arguments.extend(STRING_MACROS.map(str::to_owned));
        }
        let unit = TranslationUnit::parse(input.path, &arguments, &unsaved)?;
        let diagnostics = unit.diagnostics();
        Ok(Parsed {
            unit,
            diagnostics,
            files,
        })
    }

    /// True if something was learned that changes what is to be parsed.
    fn learn(&mut self, parsed: &Parsed) -> bool {
        let mut news = self.learn_headers(parsed);
        if self.input.ignore_directives {
            return news;
        }
        // With a missing header every message may be a consequence; with new headers to read, too.
        if news || parsed.diagnostics.iter().any(crate::messages::is_fatal) {
            return news;
        }
        if self.errors_before.is_some_and(|before| errors(parsed) > before) {
            self.errors_before = None;
            self.leave_definitions = true;
            for known in self.learned.values_mut() {
                known.retain(|_, learned| *learned != Learned::Defined);
            }
            return true;
        }
        if self.in_block == Some(true) {
            self.in_block = Some(false);
            self.learn_macros(parsed);
            return true;
        }
        news |= self.learn_errors(parsed);
        news |= self.learn_macros(parsed);
        if !news && errors(parsed) > 0 && self.operator && self.in_block.is_none() {
            self.in_block = Some(true);
            return true;
        }
        news
    }

    fn learn_headers(&mut self, parsed: &Parsed) -> bool {
        let mut news = false;
        for (file, system) in parsed.unit.files() {
            let path = parsed.unit.file_name(file);
            if system && path.ends_with("omp.h") && !self.system.contains_key(&path) {
                news |= self.input.system.learn(&path, parsed.unit.contents(file));
                self.system = self.input.system.all();
            }
            if system || path == self.input.path || self.headers.contains_key(&path) {
                continue;
            }
            let bytes = parsed.unit.contents(file);
            if !self.operator && find::has_pragma_operator(bytes) && !self.input.ignore_directives {
                self.operator = true;
                news = true;
            }
            if !find::find(bytes).is_empty() {
                self.headers.insert(path, bytes.to_owned());
                news = true;
            }
        }
        news
    }

    fn note(&mut self, path: &Path, at: u32, what: Learned) -> bool {
        let known = self.learned.entry(path.to_owned()).or_default();
        if known.get(&at) == Some(&what) {
            return false;
        }
        known.insert(at, what);
        true
    }

    /// Errors inside probes: the expressions cannot be typed, or the probe cannot stand there.
    fn learn_errors(&mut self, parsed: &Parsed) -> bool {
        let mut news = false;
        let mut seen = HashSet::new();
        for diagnostic in parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity >= Severity::Error)
        {
            let Some((path, offset)) = &diagnostic.place else {
                continue;
            };
            let Some(directives) = parsed.files.get(path) else {
                continue;
            };
            if diagnostic.message.starts_with("redefinition of") {
                let is_variant = |pragma: &&read::ReadPragma| {
                    let directive = pragma.directive.as_ref();
                    directive.is_ok_and(|directive| directive.name == "begin declare variant")
                };
                let variants: Vec<u32> = directives
                    .pragmas
                    .iter()
                    .filter(is_variant)
                    .map(|pragma| pragma.span.start)
                    .collect();
                for start in variants {
                    news |= self.note(path, start, Learned::Variants);
                }
                continue;
            }
            let Some(number) = directives.copy.probe_around(*offset) else {
                continue;
            };
            let Some(pragma) = directives.pragmas.get(number) else {
                continue;
            };
            if !seen.insert((path.clone(), number)) {
                continue; // the first message counts
            }
            let why = diagnostic.message.clone();
            let learned = match (pragma.form, &pragma.directive) {
                (Form::Invalid | Form::Blank, _) => continue,
                (Form::Expand, Err(broken)) => Learned::Invalid(broken.message.clone()),
                (_, Ok(_)) if pragma.expressions > 0 => Learned::Untyped(why),
                _ => Learned::Invalid(format!("a directive cannot stand here: {why}")),
            };
            // A pragma that a macro made, or whose macros were expanded, has no second way.
            let before = self
                .learned
                .get(path)
                .and_then(|known| known.get(&pragma.span.start));
            let learned = match before {
                Some(Learned::Made(..) | Learned::Expanded(_)) => {
                    Learned::Invalid(diagnostic.message.clone())
                }
                _ => learned,
            };
            news |= self.note(path, pragma.span.start, learned);
        }
        news
    }

    /// Directives whose text has macros, and directives that macros make.
    fn learn_macros(&mut self, parsed: &Parsed) -> bool {
        let mut news = false;
        let skipped = parsed.skipped();
        let mut macros: Option<BTreeSet<String>> = None;
        let mut wanted = Vec::new();
        for (path, directives) in &parsed.files {
            let bytes = self.bytes(path);
            for pragma in directives
                .pragmas
                .iter()
                .filter(|p| p.directive.is_err() && p.form == Form::Invalid)
            {
                let start = pragma.span.start;
                let first_time = self
                    .learned
                    .get(path)
                    .is_none_or(|known| !known.contains_key(&start));
                if !first_time || !parsed.is_active(&skipped, path, start) {
                    continue;
                }
                let text = bytes
                    .get(start as usize..pragma.span.end as usize)
                    .unwrap_or_default();
                let macros = macros.get_or_insert_with(|| macro_names(&parsed.unit));
                if bytes.get(start as usize) != Some(&b'_') && words(text).any(|word| macros.contains(&word))
                {
                    wanted.push((path.clone(), start));
                }
            }
        }
        for (path, start) in wanted {
            self.expanding = true;
            news |= self.note(&path, start, Learned::Expand);
        }
        if self.operator || self.expanding {
            let mut asserts = Asserts::default();
            asserts.visit(parsed, parsed.unit.cursor());
            news |= self.learn_asserts(parsed, asserts);
        }
        news
    }

    fn bytes(&self, path: &Path) -> &[u8] {
        if path == self.input.path {
            return self.input.bytes;
        }
        self.headers.get(path).map_or(&[], Vec::as_slice)
    }

    fn learn_asserts(&mut self, parsed: &Parsed, asserts: Asserts) -> bool {
        let mut news = self.learn_definitions(parsed, &asserts);
        for (place @ (path, offset), texts) in &asserts.texts {
            let [text] = texts.as_slice() else { continue };
            let directives = parsed.files.get(path);
            let probe = directives.and_then(|d| d.pragmas.get(d.copy.probe_around(*offset)?));
            if let Some(pragma) = probe {
                if pragma.form == Form::Expand {
                    news |= self.note(path, pragma.span.start, Learned::Expanded(text.clone()));
                }
                continue;
            }
            let user_file = path == self.input.path
                || self.headers.contains_key(path)
                || parsed
                    .unit
                    .files()
                    .iter()
                    .any(|(file, system)| !system && parsed.unit.file_name(*file) == *path);
            let Some(end) = asserts.uses.get(place) else {
                continue;
            };
            if !user_file || asserts.others.contains(place) || find::language_of(text).is_none() {
                continue;
            }
            if path != self.input.path
                && let Some(file) = parsed.unit.file(path)
            {
                let bytes = parsed.unit.contents(file).to_owned();
                self.headers.entry(path.clone()).or_insert(bytes);
            }
            let physical = |at: u32| directives.map_or(at, |d| d.copy.physical(at));
            let span = physical(*offset)..physical(*end);
            news |= self.note(path, span.start, Learned::Made(span.clone(), text.clone()));
        }
        news
    }
}

impl Rounds<'_> {
    /// Pragmas of macros that make other text besides are replaced where the macros are defined.
    fn learn_definitions(&mut self, parsed: &Parsed, asserts: &Asserts) -> bool {
        if self.leave_definitions {
            return false;
        }
        let among_others = |place: &(PathBuf, u32), texts: &[String]| {
            asserts.uses.contains_key(place) && (texts.len() > 1 || asserts.others.contains(place))
        };
        let wanted: BTreeSet<&str> = asserts
            .texts
            .iter()
            .filter(|(place, texts)| among_others(place, texts))
            .flat_map(|(_, texts)| texts.iter().map(String::as_str))
            .filter(|text| find::language_of(text).is_some())
            .collect();
        if wanted.is_empty() {
            return false;
        }
        let mut found = Vec::new();
        for (file, system) in parsed.unit.files() {
            let path = parsed.unit.file_name(file);
            // What is parsed may be a copy; the text of the file itself is looked at.
            let bytes = match self.bytes(&path) {
                [] => parsed.unit.contents(file),
                bytes => bytes,
            };
            if system {
                continue;
            }
            for pragma in find::in_definitions(bytes) {
                let find::Content::Detached(text) = &pragma.content else {
                    continue;
                };
                if wanted.contains(text.as_str()) && read::can_be_replaced_in_a_definition(&pragma) {
                    found.push((path.clone(), bytes.to_owned(), pragma.span.start));
                }
            }
        }
        let mut news = false;
        for (path, bytes, start) in found {
            if path != self.input.path {
                self.headers.entry(path.clone()).or_insert(bytes);
            }
            news |= self.note(&path, start, Learned::Defined);
        }
        if news {
            self.errors_before = Some(errors(parsed));
        }
        news
    }
}

/// How many errors libclang sees.
fn errors(parsed: &Parsed) -> usize {
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity >= Severity::Error;
    parsed.diagnostics.iter().filter(is_error).count()
}

/// The static assertions that stand for pragmas, by the place of the macro's use.
#[derive(Default)]
struct Asserts {
    texts: BTreeMap<(PathBuf, u32), Vec<String>>,
    /// Where something else comes out of the same macro use.
    others: BTreeSet<(PathBuf, u32)>,
    /// The ends of macro uses.
    uses: BTreeMap<(PathBuf, u32), u32>,
}

impl Asserts {
    fn visit(&mut self, parsed: &Parsed, cursor: Cursor<'_>) {
        for child in cursor.children() {
            let (start, end) = child.extent();
            let in_macro = start.in_macro();
            let kind = child.kind();
            match kind {
                CXCursor_MacroExpansion => {
                    if let (Some((file, start)), Some((_, end))) = (start.expansion(), end.expansion()) {
                        let place = (parsed.unit.file_name(file), start);
                        let known = self.uses.entry(place).or_insert(end);
                        *known = end.max(*known);
                    }
                    continue;
                }
                CXCursor_MacroDefinition | CXCursor_InclusionDirective => continue,
                _ if start.in_system_header() => continue,
                CXCursor_StaticAssert => {
                    let text = child.children().iter().find_map(|c| string_value(*c));
                    if let (Some((file, offset)), Some(text)) = (start.expansion(), text) {
                        self.texts
                            .entry((parsed.unit.file_name(file), offset))
                            .or_default()
                            .push(text);
                    }
                    continue;
                }
                // The statements around an assertion that are ours.
                CXCursor_DeclStmt | CXCursor_CompoundStmt if in_macro && is_assertion(child) => {}
                CXCursor_IntegerLiteral if in_macro && probes(cursor) => {}
                CXCursor_IfStmt if in_macro && probes(child) => {}
                _ if in_macro => {
                    if let Some((file, offset)) = start.expansion() {
                        self.others.insert((parsed.unit.file_name(file), offset));
                    }
                }
                _ => {}
            }
            self.visit(parsed, child);
        }
    }
}

/// True for the declaration before a stand-alone probe.
pub(crate) fn is_guard(statement: Cursor<'_>) -> bool {
    let [assertion] = statement.children()[..] else {
        return false;
    };
    assertion.kind() == CXCursor_StaticAssert
        && assertion
            .children()
            .iter()
            .find_map(|child| string_value(*child))
            .is_some_and(|text| text == GUARD)
}

/// What the probe of a pragma in a macro definition says of itself: the file's tag, and its number there.
pub(crate) fn defined_probe(statement: Cursor<'_>) -> Option<(usize, usize)> {
    let name = string_value(*statement.children().first()?)?;
    let (tag, number) = name.strip_prefix(DEFINED)?.split_once(' ')?;
    Some((tag.parse().ok()?, number.parse().ok()?))
}

/// True for the `if` of [`OPERATOR_IN_BLOCK`].
fn probes(statement: Cursor<'_>) -> bool {
    statement.kind() == CXCursor_IfStmt
        && matches!(statement.children().as_slice(), [_, then, _] if is_assertion(*then))
}

/// True for a statement that holds nothing but static assertions.
fn is_assertion(statement: Cursor<'_>) -> bool {
    let children = statement.children();
    !children.is_empty()
        && children.iter().all(|child| match child.kind() {
            CXCursor_StaticAssert => true,
            CXCursor_DeclStmt => is_assertion(*child),
            _ => false,
        })
}

/// The directive of OpenMP or OpenACC that a static assertion stands for ([`OPERATOR`]).
pub(crate) fn made_directive(assertion: Cursor<'_>) -> Option<String> {
    let text = assertion
        .children()
        .iter()
        .find_map(|child| string_value(*child))?;
    find::language_of(&text).map(|_| text)
}

/// The value of a string literal, from its spelling.
fn string_value(cursor: Cursor<'_>) -> Option<String> {
    if cursor.kind() != CXCursor_StringLiteral {
        return cursor.children().iter().find_map(|c| string_value(*c));
    }
    let spelling = cursor.spelling();
    let inside = spelling.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        value.push(if c == '\\' { characters.next()? } else { c });
    }
    Some(value)
}

fn macro_names(unit: &TranslationUnit) -> BTreeSet<String> {
    let definition = |cursor: &Cursor<'_>| cursor.kind() == CXCursor_MacroDefinition;
    unit.cursor()
        .children()
        .iter()
        .filter(|c| definition(c))
        .map(|c| c.spelling())
        .collect()
}

fn words(text: &[u8]) -> impl Iterator<Item = String> + '_ {
    text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8_lossy(word).into_owned())
}

/// True if a message is about our own text, which the user never wrote.
pub fn is_about_probe(diagnostic: &Diagnostic) -> bool {
    diagnostic.message.contains(UNDECLARED)
}

#[cfg(test)]
mod tests;
