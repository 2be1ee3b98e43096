//! Which compiler command reads each file?

use crate::arguments::Input;
use ferry_analysis::declared;
use ferry_analysis::effects::linked::{self, Outside};
use ferry_analysis::effects::{Effects, brought, vouched};
use ferry_analysis::expansion::Bodies;
use ferry_analysis::word;
use ferry_frontend::compilation_database::{CompilationDatabase, DatabaseError};
use ferry_frontend::{Job, Loaded, LoadedUnit, Options, load};
use ferry_ir::{GlobalId, Linkage, Unit};
use ferry_source::{Edits, FileId, Finding, Severity, Sources, Span};
use ferry_transform::existing;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What was loaded, and what is to be said besides.
pub struct Files {
    /// The files' bytes.
    pub sources: Sources,
    /// One job for each file that could be looked up.
    pub jobs: Vec<Job>,
    /// One unit for each job.
    pub loaded: Loaded,
    /// About files for which there is no job, and about jobs that had to be chosen.
    pub findings: Vec<Finding>,
    /// What each of these units is told of the rest of the program.
    outside: Vec<Outside>,
    /// What is told where nothing is known.
    nothing: Outside,
    /// The bytes on disk of files that are read without their directives.
    originals: BTreeMap<FileId, Vec<u8>>,
    /// Directives were taken out of the texts.
    stripped: bool,
    /// The bytes on disk of files whose loops were put into another order since.
    before: BTreeMap<FileId, Vec<u8>>,
}

impl Files {
    /// The bytes of a file on disk, as they were read.
    pub fn original(&self, file: FileId) -> &[u8] {
        let known = self.originals.get(&file).or_else(|| self.before.get(&file));
        known.map_or_else(|| self.sources.bytes(file), Vec::as_slice)
    }

    /// What a unit is told of the rest of the program, by its number.
    pub fn outside(&self, number: usize) -> &Outside {
        self.outside.get(number).unwrap_or(&self.nothing)
    }

    /// True if the file is read without its directives.
    pub fn is_stripped(&self, file: FileId) -> bool {
        self.originals.contains_key(&file)
    }
}

/// The front end's options for this input.
pub fn options(input: &Input) -> Options {
    Options {
        ignore_directives: input.ignore_directives,
        written_in: input.written_in,
        threads: input.threads,
        ..Options::default()
    }
}

/// Loads everything. Files come in the order of the command line, each once.
pub fn load_files(input: &Input) -> Files {
    load_with(input, false, Sources::new())
}

/// Loads everything as if a file had this text.
pub fn load_as_if(input: &Input, path: &Path, text: Vec<u8>) -> Files {
    let mut sources = Sources::new();
    sources.insert(path, text);
    load_with(input, false, sources)
}

/// Reads one file again with edits: its new text, and the program that it is, with its texts.
///
/// # Errors
/// Why it is no program any more.
pub fn read_edited(
    input: &Input,
    files: &Files,
    job: &Job,
    file: FileId,
    edits: &Edits,
) -> Result<Reread, String> {
    let new = edits
        .apply(file, files.sources.bytes(file))
        .map_err(|error| error.to_string())?;
    let (sources, loaded) = read_with(input, files, job, file, new.clone())?;
    Ok(Reread {
        text: new,
        sources,
        loaded,
    })
}

/// An edited file that was read again.
pub struct Reread {
    /// Its text.
    pub text: Vec<u8>,
    /// All texts.
    pub sources: Sources,
    /// What was read.
    pub loaded: LoadedUnit,
}

impl Reread {
    /// The program that it is.
    ///
    /// # Errors
    /// If it is none.
    pub fn unit(&self) -> Result<&Unit, String> {
        let unit = self.loaded.unit.as_ref();
        unit.map_err(|_| "the written text could not be read again".to_owned())
    }
}

/// Reads one file again as if it had this text, with the texts; directives count as they do for the others, unless they were taken out of the text before.
///
/// # Errors
/// Why it is no program any more.
pub fn read_with(
    input: &Input,
    files: &Files,
    job: &Job,
    file: FileId,
    new: Vec<u8>,
) -> Result<(Sources, LoadedUnit), String> {
    let mut overlay = files.sources.clone();
    overlay.insert(files.sources.path(file), new);
    let options = Options {
        threads: 1,
        ignore_directives: input.ignore_directives && !files.stripped,
        ..options(input)
    };
    let again = load(&mut overlay, std::slice::from_ref(job), &options)
        .units
        .pop();
    let again = again.ok_or("the written text could not be read again")?;
    let error = again
        .all_findings()
        .find(|finding| finding.severity == Severity::Error);
    match error {
        Some(error) => Err(format!("the written text has an error: {}", error.message)),
        None => Ok((overlay, again)),
    }
}

/// Loads everything with other texts for some files; what is on disk counts as their original text.
pub fn load_with_texts(input: &Input, texts: Vec<(PathBuf, Vec<u8>)>) -> Files {
    let mut sources = Sources::new();
    let mut before = BTreeMap::new();
    for (path, text) in texts {
        // What cannot be read is said by the front end.
        if let Ok(file) = sources.load(&path) {
            before.insert(file, sources.bytes(file).to_vec());
            sources.insert(&path, text);
        }
    }
    let mut files = load_with(input, false, sources);
    files.before = before;
    files
}

/// Loads everything to be edited: where directives are ignored they are taken out of the text, their lines left empty.
pub fn load_to_edit(input: &Input) -> Files {
    load_with(input, input.ignore_directives, Sources::new())
}

fn load_with(input: &Input, strip: bool, mut sources: Sources) -> Files {
    let mut findings = Vec::new();
    let mut jobs = jobs(input, &mut findings);
    let mut originals = BTreeMap::new();
    for job in jobs.iter().filter(|_| strip) {
        // What cannot be read is said by the front end.
        let Ok(file) = sources.load(&job.path) else {
            continue;
        };
        let bytes = sources.bytes(file).to_vec();
        let lines = ferry_directive::lines(&bytes);
        if !lines.is_empty() {
            sources.insert(&job.path, without(&bytes, &lines));
            originals.insert(file, bytes);
        }
    }
    // Where those of a file are taken out of its text, the ones of its headers stay in the program that is written.
    let options = Options {
        ignore_directives: input.ignore_directives && !strip,
        ..options(input)
    };
    let mut loaded = load(&mut sources, &jobs, &options);
    let (mut others, unread) = others(input, &jobs, &loaded, &mut sources);
    let bodies = bring(loaded.units.iter_mut().chain(&mut others.units), &sources);
    let all: Vec<Option<&Unit>> = loaded
        .units
        .iter()
        .chain(&others.units)
        .map(|unit| unit.unit.as_ref().ok())
        .collect();
    let mut outside = linked::link(&all, bodies, &sources, &unread);
    let mut wrong = vouched::tell(&all, &sources, &mut outside);
    wrong.extend(word::tell(&all, &sources, &mut outside));
    declared_elsewhere(loaded.units.iter().chain(&others.units), &sources, &mut outside);
    outside.truncate(loaded.units.len());
    let fits = assume(input, &loaded, &mut outside, &mut findings);
    wrong.extend(contradictions(&loaded, &outside));
    refuse(&mut loaded, wrong);
    if !fits {
        // Nothing is said or written without what was asked to be assumed.
        loaded.units.clear();
        outside.clear();
        jobs.clear();
    }
    Files {
        sources,
        jobs,
        loaded,
        outside,
        nothing: Outside::default(),
        findings,
        originals,
        stripped: strip,
        before: BTreeMap::new(),
    }
}

/// Gives each unit the bodies of functions of the others that are walked into where they are called.
fn bring<'a>(units: impl Iterator<Item = &'a mut LoadedUnit>, sources: &Sources) -> Vec<Bodies> {
    let mut loaded: Vec<&mut LoadedUnit> = units.collect();
    if loaded.len() < 2 {
        return Vec::new();
    }
    let take = |one: &mut &mut LoadedUnit| match std::mem::replace(&mut one.unit, Err(Vec::new())) {
        Ok(unit) => Some(unit),
        Err(findings) => {
            one.unit = Err(findings);
            None
        }
    };
    let mut all: Vec<Option<Unit>> = loaded.iter_mut().map(take).collect();
    let bodies = brought::bring(&mut all, sources);
    for (one, unit) in loaded.into_iter().zip(all) {
        if let Some(unit) = unit {
            one.unit = Ok(unit);
        }
    }
    bodies
}

/// Tells each unit which variables of the others directives declare there, and whether one of them moves data to the device.
fn declared_elsewhere<'a>(
    units: impl Iterator<Item = &'a LoadedUnit> + Clone,
    sources: &Sources,
    outside: &mut [Outside],
) {
    if outside.len() < 2 {
        return;
    }
    let moving: Vec<usize> = units
        .clone()
        .enumerate()
        .filter(|(_, loaded)| {
            loaded
                .unit
                .as_ref()
                .is_ok_and(|unit| existing::moves_data(unit).is_some())
        })
        .map(|(number, _)| number)
        .collect();
    // A file that was not read has its number, and declares nothing.
    let declared: Vec<Option<(&Unit, BTreeSet<GlobalId>)>> = units
        .map(|loaded| {
            let unit = loaded.unit.as_ref().ok()?;
            let all = declared::all(unit, &loaded.declared(), sources).into_iter();
            Some((unit, all.flat_map(|one| one.globals).collect()))
        })
        .collect();
    let shared = |unit: &Unit, id: GlobalId| {
        let global = unit.global(id);
        (global.linkage == Linkage::External).then(|| global.name.clone())
    };
    let names_of = |(unit, own): &(&Unit, BTreeSet<GlobalId>)| -> BTreeSet<String> {
        own.iter().filter_map(|id| shared(unit, *id)).collect()
    };
    let names: Vec<BTreeSet<String>> = declared
        .iter()
        .map(|one| one.as_ref().map(names_of).unwrap_or_default())
        .collect();
    // Of a variable of its own, or one that another file declares.
    let points = |(unit, own): &(&Unit, BTreeSet<GlobalId>)| {
        let is_named = |name: String| names.iter().any(|names| names.contains(&name));
        let is_one = |id: GlobalId| own.contains(&id) || shared(unit, id).is_some_and(is_named);
        existing::address_taken(unit, &is_one).is_some()
    };
    let pointing: Vec<bool> = declared
        .iter()
        .map(|one| one.as_ref().is_some_and(points))
        .collect();
    for (number, one) in outside.iter_mut().enumerate() {
        one.points = pointing
            .iter()
            .enumerate()
            .any(|(other, points)| *points && other != number);
        let others = names.iter().enumerate().filter(|(other, _)| *other != number);
        one.moves = moving.iter().any(|other| *other != number);
        one.declared = others.flat_map(|(_, names)| names.iter().cloned()).collect();
    }
}

/// Assumes what the command line says; false if some of it fits nothing.
fn assume(input: &Input, loaded: &Loaded, outside: &mut [Outside], findings: &mut Vec<Finding>) -> bool {
    let units: Vec<Option<&Unit>> = loaded.units.iter().map(|unit| unit.unit.as_ref().ok()).collect();
    // A file that was not read may have the functions that are meant; that it was not is said.
    let complete = units.iter().all(Option::is_some);
    let mut fits = true;
    for spoken in &input.assume {
        if let Err(why) = word::everywhere(&units, spoken, outside)
            && complete
        {
            let message = format!("--assume {} fits no function: {why}", spoken.text);
            findings.push(Finding::new(Severity::Error, "assume", message));
            fits = false;
        }
    }
    fits
}

/// What the user says, and is proved to be false.
fn contradictions(loaded: &Loaded, outside: &[Outside]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (unit, outside) in loaded.units.iter().zip(outside) {
        if let Some(unit) = unit.unit.as_ref().ok().filter(|_| !outside.words.is_empty()) {
            let effects = Effects::of_linked(unit, outside);
            found.extend(word::check::contradictions(unit, &effects));
        }
    }
    found.sort_by(|a, b| a.order().cmp(&b.order()));
    found.dedup();
    found
}

/// Comments that are wrong are errors of the file in which they are; those in headers of all files.
fn refuse(loaded: &mut Loaded, wrong: Vec<Finding>) {
    let own: Vec<Option<FileId>> = loaded
        .units
        .iter()
        .map(|unit| unit.unit.as_ref().ok().map(|unit| unit.file))
        .collect();
    for (unit, file) in loaded.units.iter_mut().zip(&own) {
        let concerns = |finding: &&Finding| {
            let at = finding.primary.as_ref().map(|label| Some(label.at.file));
            at.is_none_or(|at| at == *file || !own.contains(&at))
        };
        let of_unit: Vec<Finding> = wrong.iter().filter(concerns).cloned().collect();
        if !of_unit.is_empty() && unit.unit.is_ok() {
            unit.unit = Err(of_unit);
        }
    }
}

/// Loads the files of the project that may define what these call, and what they call in turn. Gives also those that
/// could not be read, with their texts.
fn others(
    input: &Input,
    jobs: &[Job],
    loaded: &Loaded,
    sources: &mut Sources,
) -> (Loaded, Vec<(String, Vec<u8>)>) {
    let mut others = Loaded { units: Vec::new() };
    let mut unread = Vec::new();
    let note = |path: &Path, unread: &mut Vec<(String, Vec<u8>)>| {
        // It is blamed for the words of its text.
        let text = std::fs::read(path).unwrap_or_default();
        unread.push((path.display().to_string(), text));
    };
    for unit in loaded.units.iter().filter(|unit| unit.unit.is_err()) {
        note(&unit.path, &mut unread);
    }
    // What the database has wrong was said when the files were looked up in it.
    let database = input
        .database
        .as_ref()
        .and_then(|path| CompilationDatabase::read(path).ok());
    let Some(database) = database else {
        return (others, unread);
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut seen: BTreeSet<PathBuf> = jobs.iter().map(|job| real(&job.path)).collect();
    let mut texts: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    loop {
        let units = loaded.units.iter().chain(&others.units);
        let all: Vec<Option<&Unit>> = units.map(|unit| unit.unit.as_ref().ok()).collect();
        let missing = linked::missing(&all);
        if missing.is_empty() {
            break;
        }
        let mut more = Vec::new();
        for command in &database.commands {
            let path = real(&command.file);
            if seen.contains(&path) {
                continue;
            }
            let text = texts
                .entry(path.clone())
                .or_insert_with(|| std::fs::read(&path).unwrap_or_default());
            if !missing.iter().any(|name| ferry_source::mentions(text, name)) {
                continue;
            }
            seen.insert(path.clone());
            if database.commands_for(&command.file).len() > 1 {
                // It stands for several units, which may define different things.
                unread.push((command.file.display().to_string(), text.clone()));
                continue;
            }
            let mut job = Job::from_command(command.file.clone(), command);
            job.arguments.extend(input.flags.iter().cloned());
            more.push(job);
        }
        if more.is_empty() {
            break;
        }
        let new = load(sources, &more, &options(input)).units;
        for unit in new.iter().filter(|unit| unit.unit.is_err()) {
            note(&unit.path, &mut unread);
        }
        others.units.extend(new);
    }
    (others, unread)
}

/// The text with these lines empty; it has as many lines as before.
fn without(bytes: &[u8], lines: &[std::ops::Range<usize>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for line in lines {
        out.extend(&bytes[done..line.start]);
        // A continued directive leaves its line ends.
        let ends = bytes[line.clone()]
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        for (at, _) in ends {
            let carriage = at > 0 && bytes[line.start + at - 1] == b'\r';
            out.extend(if carriage { &b"\r\n"[..] } else { &b"\n"[..] });
        }
        done = line.end;
    }
    out.extend(&bytes[done..]);
    out
}

/// The edits that take the empty lines out again: where directives were, in the text without them.
pub fn empty_lines(original: &[u8], file: FileId) -> Vec<Span> {
    let mut removed = 0;
    let mut spans = Vec::new();
    for line in ferry_directive::lines(original) {
        let ends = original[line.clone()]
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n');
        let kept: usize = ends
            .map(|(at, _)| {
                if at > 0 && original[line.start + at - 1] == b'\r' {
                    2
                } else {
                    1
                }
            })
            .sum();
        let start = line.start - removed;
        removed += line.len() - kept;
        let behind = &original[line.end..];
        let last = if behind.starts_with(b"\r\n") {
            2
        } else {
            usize::from(behind.starts_with(b"\n"))
        };
        spans.push(Span::new(file, start as u32, (start + kept + last) as u32));
    }
    spans
}

fn jobs(input: &Input, findings: &mut Vec<Finding>) -> Vec<Job> {
    let mut files = input.files.clone();
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    let Some(database) = &input.database else {
        return files
            .into_iter()
            .map(|file| Job::new(file, &input.flags))
            .collect();
    };
    let database = match CompilationDatabase::read(database) {
        Ok(read) => read,
        Err(error) => {
            findings.push(Finding::new(
                Severity::Error,
                "compilation-database",
                described(&error),
            ));
            return Vec::new();
        }
    };
    let mut jobs = Vec::new();
    for file in files {
        let commands = database.commands_for(&file);
        let Some(first) = commands.first() else {
            let message = if file.exists() {
                format!("{} is not in the compilation database", file.display())
            } else {
                format!("cannot read {}: there is no such file", file.display())
            };
            findings.push(Finding::new(Severity::Error, "compilation-database", message));
            continue;
        };
        if commands.iter().any(|other| other != first) {
            let message = format!(
                "{} is compiled in {} ways; it is read as in the first",
                file.display(),
                commands.len()
            );
            findings.push(Finding::new(Severity::Warning, "compilation-database", message));
        }
        let mut job = Job::from_command(file, first);
        job.arguments.extend(input.flags.iter().cloned());
        jobs.push(job);
    }
    jobs
}

fn described(error: &DatabaseError) -> String {
    match error.place {
        Some((line, column)) => format!("{}:{line}:{column}: {}", error.path.display(), error.message),
        None => format!("{}: {}", error.path.display(), error.message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_taken_out_and_their_lines_too() {
        let text = b"a\n  #pragma omp x \\\r\n  y\n#pragma once\nb\n# pragma acc z\r\nc\n#pragma omp end";
        let lines = ferry_directive::lines(text);
        let empty = without(text, &lines);
        assert_eq!(empty, b"a\n\r\n\n#pragma once\nb\n\r\nc\n");
        let file = FileId(0);
        let mut edits = ferry_source::Edits::new();
        for span in empty_lines(text, file) {
            edits.replace(span, "").unwrap();
        }
        assert_eq!(edits.apply(file, &empty).unwrap(), b"a\n#pragma once\nb\nc\n");
    }
}
