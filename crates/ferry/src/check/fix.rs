//! Which of the edits that may mend a finding do so?
//!
//! Each candidate is put into the text, the text is read and checked again, and it is taken if the finding is gone, fewer findings are left, and nothing is there
//! that was not there before, not even as a possibility or as a place of which nothing is known. So a fix rests on the same analysis as the finding. One file at a time, as it is with the text of the
//! others as they are.
//!
//! What it cannot do: edit headers.

use super::{Outcome, checked};
use crate::arguments::Check;
use crate::input::{self, Files};
use crate::output::relative;
use crate::terminal;
use ferry_checks::{Checked, Confidence, Fix};
use ferry_source::{Edit, Edits, FileId, Preprocessor, Replacement, Severity, Span, unified_diff, write_all};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Most fixes in one file: what goes on longer does not come to an end.
const MOST: usize = 200;

/// A file with what was mended in it.
pub struct Mended {
    /// Its number among the units.
    unit: usize,
    file: FileId,
    new: Vec<u8>,
    /// For each fix the rule, the line as it was then, and what was done.
    done: Vec<(String, u32, String)>,
    /// How many findings are gone.
    gone: usize,
    /// What is left of what was said.
    left: Vec<Key>,
}

/// What a file's text is found to be.
struct Examined {
    files: Files,
    findings: Vec<Checked>,
    /// How many places nothing is known of.
    unknown: usize,
}

/// What a finding is known by while the text changes.
type Key = (String, String, String);

fn key(one: &Checked) -> Key {
    (one.finding.rule.clone(), one.object.clone(), one.function.clone())
}

fn is_sure(one: &Checked) -> bool {
    one.confidence != Confidence::Possible && !one.performance
}

/// Checks one file by itself; `None` if it cannot be read without an error, or is not checked.
fn examine(arguments: &Check, path: &Path, text: Option<Vec<u8>>) -> Option<Examined> {
    let mut alone = arguments.clone();
    alone.input.files = vec![path.to_owned()];
    alone.input.threads = 1;
    // Advice is no defect: a fix may make it apply.
    alone.performance = false;
    let files = match text {
        Some(text) => input::load_as_if(&alone.input, path, text),
        None => input::load_files(&alone.input),
    };
    let wrong = files
        .findings
        .iter()
        .chain(files.loaded.units.iter().flat_map(|unit| unit.all_findings()))
        .any(|finding| finding.severity == Severity::Error);
    if wrong {
        return None;
    }
    let made: Option<Vec<_>> = checked(&alone, &files).into_iter().collect();
    let mut findings = Vec::new();
    let mut unknown = 0;
    for one in made? {
        findings.extend(one.findings);
        unknown += one.unknown.len() + one.unsure;
    }
    Some(Examined {
        files,
        findings,
        unknown,
    })
}

impl Examined {
    fn file(&self) -> Option<FileId> {
        self.files.loaded.units.first()?.file
    }

    fn counted(&self) -> BTreeMap<Key, usize> {
        let mut counted = BTreeMap::new();
        for one in &self.findings {
            *counted.entry(key(one)).or_insert(0) += 1;
        }
        counted
    }

    /// True if a finding of `before` is gone, and nothing has come.
    fn mends(&self, before: &Examined, target: &Checked) -> bool {
        let sure = |of: &Examined| of.findings.iter().filter(|one| is_sure(one)).count();
        let (old, new) = (before.counted(), self.counted());
        let gone = new.get(&key(target)).copied().unwrap_or(0) < old.get(&key(target)).copied().unwrap_or(0);
        let nothing_new = new
            .iter()
            .all(|(key, count)| old.get(key).is_some_and(|known| count <= known));
        gone && nothing_new && sure(self) < sure(before) && self.unknown <= before.unknown
    }

    /// The text with the edits of a candidate, if they are all in the file and none is where nothing can be written.
    fn edited(&self, fix: &Fix) -> Option<Vec<u8>> {
        let file = self.file()?;
        let bytes = self.files.sources.bytes(file);
        let mut edits = Edits::new();
        for edit in &fix.edits {
            if edit.at.file != file {
                return None;
            }
            edits.add(edit.clone()).ok()?;
        }
        // Directives are changed in their lines; what is inside a macro is not.
        let preprocessor = Preprocessor::new(bytes);
        let in_macro = fix.edits.iter().any(|edit| {
            preprocessor
                .inside(edit.at.start)
                .is_some_and(|line| line.keyword != "pragma" && line.hash < edit.at.start)
        });
        if in_macro {
            return None;
        }
        edits.apply(file, bytes).ok()
    }
}

/// The first candidate that mends a finding, with the text that it makes.
fn first_that_mends<'a>(
    arguments: &Check,
    path: &Path,
    before: &Examined,
    target: &'a Checked,
) -> Option<(&'a Fix, Vec<u8>, Examined)> {
    target.candidates.iter().find_map(|fix| {
        let text = before.edited(fix)?;
        let after = examine(arguments, path, Some(text.clone()))?;
        after.mends(before, target).then_some((fix, text, after))
    })
}

/// The finding of a file by itself that is the same as one of all files.
fn twin<'a>(of: &Checked, alone: &'a Examined, files: &Files) -> Option<&'a Checked> {
    let place = |one: &Checked, files: &Files| {
        let at = one.finding.primary.as_ref()?.at;
        Some((files.sources.path(at.file).to_owned(), at.start))
    };
    alone
        .findings
        .iter()
        .find(|one| key(one) == key(of) && place(one, &alone.files) == place(of, files))
}

/// Fills in what mends each finding, each by itself in the files as they are.
pub fn each(arguments: &Check, files: &Files, outcome: &mut Outcome) {
    let mut alone: BTreeMap<FileId, Option<Examined>> = BTreeMap::new();
    outcome.fixes = outcome
        .findings
        .iter()
        .map(|one| {
            let Some(at) = one.finding.primary.as_ref().map(|label| label.at) else {
                return Vec::new();
            };
            if !is_sure(one) || one.candidates.is_empty() {
                return Vec::new();
            }
            let path = files.sources.path(at.file).to_owned();
            let before = alone
                .entry(at.file)
                .or_insert_with(|| examine(arguments, &path, None));
            let found = before.as_ref().and_then(|before| {
                let target = twin(one, before, files)?;
                first_that_mends(arguments, &path, before, target)
            });
            let edits = found.map(|(fix, ..)| fix.edits.clone()).unwrap_or_default();
            let here = |edit: Edit| Edit {
                at: Span {
                    file: at.file,
                    ..edit.at
                },
                ..edit
            };
            edits.into_iter().map(here).collect()
        })
        .collect();
}

/// Mends each file until nothing changes.
pub fn mend_files(arguments: &Check, files: &Files, outcome: &Outcome) -> Vec<Mended> {
    let mut all = Vec::new();
    for (number, unit) in files.loaded.units.iter().enumerate() {
        let Some(file) = unit.file else { continue };
        let said: Vec<Key> = outcome
            .findings
            .iter()
            .filter(|one| {
                is_sure(one)
                    && one
                        .finding
                        .primary
                        .as_ref()
                        .is_some_and(|label| label.at.file == file)
            })
            .map(key)
            .collect();
        if said.is_empty() || unit.has_errors() {
            continue;
        }
        if let Some(mended) = mend(arguments, &unit.path, number, file, &said) {
            all.push(mended);
        }
    }
    all
}

/// Mends findings of one file, of those that are said.
fn mend(arguments: &Check, path: &Path, unit: usize, file: FileId, said: &[Key]) -> Option<Mended> {
    let mut now = examine(arguments, path, None)?;
    let mut mended: Option<Mended> = None;
    for _ in 0..MOST {
        let wanted = now
            .findings
            .iter()
            .filter(|one| is_sure(one) && said.contains(&key(one)));
        let found = wanted
            .filter_map(|one| Some((one, first_that_mends(arguments, path, &now, one)?)))
            .next();
        let Some((one, (fix, text, after))) = found else {
            break;
        };
        let line = one.finding.primary.as_ref().map_or(0, |label| {
            now.files.sources.line_column(label.at.file, label.at.start).0
        });
        let step = (one.finding.rule.clone(), line, fix.says.clone());
        let mut done = mended.map(|mended| mended.done).unwrap_or_default();
        done.push(step);
        now = after;
        let wanted = now.findings.iter().filter(|one| is_sure(one)).map(key);
        let left: Vec<Key> = wanted.filter(|key| said.contains(key)).collect();
        mended = Some(Mended {
            unit,
            file,
            new: text,
            done,
            gone: said.len().saturating_sub(left.len()),
            left,
        });
    }
    mended
}

/// Says on standard error what was mended; with `all`, what of it is left.
pub fn say(mended: &[Mended], files: &Files, all: Option<&Outcome>) {
    let mut text = String::new();
    // One directive may mend several.
    let count: usize = mended.iter().map(|one| one.gone).sum();
    for one in mended {
        let path = files.loaded.units[one.unit].path.display();
        for (rule, line, says) in &one.done {
            let _ = writeln!(text, "fixed {path}:{line}: {rule}: {says}");
        }
    }
    if let Some(outcome) = all {
        let mut left: Vec<(String, &Key)> = Vec::new();
        for one in mended {
            let path = files.sources.path(one.file).display().to_string();
            left.extend(one.left.iter().map(|key| (path.clone(), key)));
        }
        let others: Vec<(String, Key)> = outcome
            .findings
            .iter()
            .filter_map(|one| {
                let file = one.finding.primary.as_ref()?.at.file;
                let is_mended = mended.iter().any(|mended| mended.file == file);
                (!is_mended).then(|| (files.sources.path(file).display().to_string(), key(one)))
            })
            .collect();
        left.extend(others.iter().map(|(path, key)| (path.clone(), key)));
        for (path, (rule, object, _)) in left {
            let _ = match object.is_empty() {
                true => writeln!(text, "not fixed {path}: {rule}"),
                false => writeln!(text, "not fixed {path}: {rule}: `{object}`"),
            };
        }
        let _ = writeln!(text, "{count} of {} fixed", outcome.findings.len());
    }
    if !text.is_empty() {
        terminal::complain(text.trim_end());
    }
}

/// The patch of all files.
pub fn patch(mended: &[Mended], files: &Files) -> Vec<u8> {
    let one = |one: &Mended| {
        let path = relative(&files.loaded.units[one.unit].path);
        unified_diff(&path, files.sources.bytes(one.file), &one.new)
    };
    mended.iter().map(one).collect::<Vec<_>>().concat()
}

/// Replaces the files.
///
/// # Errors
/// If one cannot be written, or has changed meanwhile; then none is.
pub fn write(mended: &[Mended], files: &Files) -> Result<(), String> {
    let replacements: Vec<Replacement> = mended
        .iter()
        .map(|one| Replacement {
            path: files.loaded.units[one.unit].path.clone(),
            old: files.sources.bytes(one.file).to_vec(),
            new: one.new.clone(),
        })
        .collect();
    write_all(&replacements).map_err(|error| error.to_string())
}
