//! From files and compiler flags to units: the front end's entry.
//!
//! Each job is one file as one compiler command reads it. Jobs are parsed on all cores; their units, findings and file
//! numbers are the same for any number of threads. Nothing is written and no program is run. A unit may be as deep as its
//! program is nested: drop and walk it on a thread with a large stack ([`crate::clang::on_large_stack`]).

use crate::clang;
use crate::compilation_database::CompileCommand;
use crate::directives::{Declaration, Directives};
use crate::flags::{self, FlagNote, Flags};
use crate::other_names::{self, OtherNames};
use crate::{declared, input, messages, rounds};
use ferry_directive::Language;
use ferry_ir::{GlobalId, Undeclared, Unit};
use ferry_source::{FileId, Finding, Severity, Sources, Span};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One file, as one compiler command reads it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Job {
    /// The file, relative to where Ferry runs, or absolute. Its text may be an overlay in the [`Sources`].
    pub path: PathBuf,
    /// Where relative paths among the arguments start; empty for where Ferry runs.
    pub directory: PathBuf,
    /// The compiler's arguments, without its name.
    pub arguments: Vec<String>,
}

impl Job {
    /// A file with flags as they are given on Ferry's own command line.
    pub fn new(path: impl Into<PathBuf>, arguments: &[String]) -> Job {
        Job {
            path: path.into(),
            directory: PathBuf::new(),
            arguments: arguments.to_vec(),
        }
    }

    /// A file with an entry of a compilation database; `path` as the user named the file.
    pub fn from_command(path: impl Into<PathBuf>, command: &CompileCommand) -> Job {
        Job {
            path: path.into(),
            directory: command.directory.clone(),
            arguments: command.arguments.clone(),
        }
    }
}

/// What all jobs have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// As if the source had no directives.
    pub ignore_directives: bool,
    /// The value of `_OPENMP` where the flags turn OpenMP on without a version.
    pub openmp_macro: u32,
    /// The text is one into which directives of this language are written, so it will be compiled with its macro defined, whether or not the flags say so.
    pub written_in: Option<Language>,
    /// How many files are parsed at a time; 0: as many as there are cores.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            ignore_directives: false,
            openmp_macro: 201_811,
            written_in: None,
            threads: 0,
        }
    }
}

/// What came of the jobs, in their order.
#[derive(Debug, Default)]
pub struct Loaded {
    /// One for each job.
    pub units: Vec<LoadedUnit>,
}

/// What came of one job.
#[derive(Debug)]
pub struct LoadedUnit {
    /// The job's path.
    pub path: PathBuf,
    /// Its number, if it could be read.
    pub file: Option<FileId>,
    /// The program, or why there is none.
    pub unit: Result<Unit, Vec<Finding>>,
    /// What is to be said about a unit that is there: errors in some of its functions, directives that are not
    /// understood, flags that were dropped.
    pub findings: Vec<Finding>,
    /// Directives that are at no statement's place.
    pub declarations: Vec<Declaration>,
}

impl LoadedUnit {
    /// The places and names of the directives that are at no statement's place.
    pub fn declared(&self) -> Vec<(ferry_source::Span, &str)> {
        self.declarations
            .iter()
            .map(|declaration| (declaration.span, declaration.directive.name.as_str()))
            .collect()
    }

    /// True if the file must not be edited: something in it is not C, or a directive is broken.
    pub fn has_errors(&self) -> bool {
        self.unit.is_err()
            || self
                .findings
                .iter()
                .any(|finding| finding.severity == Severity::Error)
    }

    /// All that is to be said.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        self.unit
            .as_ref()
            .err()
            .into_iter()
            .flatten()
            .chain(&self.findings)
    }

    fn failed(job: &Job, file: Option<FileId>, finding: Finding) -> LoadedUnit {
        LoadedUnit {
            path: job.path.clone(),
            file,
            unit: Err(vec![finding]),
            findings: Vec::new(),
            declarations: Vec::new(),
        }
    }
}

/// Loads all jobs. Files that are in `sources` already are read from there, others are added.
pub fn load(sources: &mut Sources, jobs: &[Job], options: &Options) -> Loaded {
    // Before any thread: loading libclang changes the environment.
    let library = clang::library_path();
    let last_headers = gcc_headers();
    let mut overlays = overlays(sources);
    overlays.extend(
        last_headers
            .as_ref()
            .map(|path| (path.join("stdatomic.h"), ATOMIC.into())),
    );
    // In the order of the jobs, so that file numbers do not depend on threads.
    let files: Vec<Result<FileId, Box<Finding>>> =
        jobs.iter().map(|job| input::read(sources, &job.path)).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if options.threads == 0 {
        cores
    } else {
        options.threads
    }
    .min(jobs.len())
    .max(1);
    let work = Work {
        jobs,
        options,
        files: &files,
        overlays: &overlays,
        system: rounds::SystemHeaders::default(),
        last_headers: last_headers.map_or(Vec::new(), |path| {
            vec!["-idirafter".to_owned(), path.to_string_lossy().into_owned()]
        }),
        sources: Mutex::new(sources),
        next: Mutex::new(0),
        turn: Mutex::new(0),
        turned: Condvar::new(),
        done: Mutex::new(jobs.iter().map(|_| None).collect()),
    };
    let started = match &library {
        Err(_) => Ok(()),
        Ok(_) if threads == 1 => clang::on_large_stack(|| work.run()),
        Ok(_) => std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|_| scope.spawn(|| clang::on_large_stack(|| work.run())))
                .collect();
            workers.into_iter().try_for_each(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| Err(clang::Error::NotParsed("a thread failed".into())))
            })
        }),
    };
    let failure = library.err().or(started.err());
    let done = work.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let units = done.into_iter().zip(jobs).zip(&files).map(|((unit, job), file)| {
        let message = || {
            failure
                .as_ref()
                .map_or_else(|| "the front end failed".to_owned(), ToString::to_string)
        };
        unit.unwrap_or_else(|| {
            let finding = match file {
                Err(finding) => (**finding).clone(),
                Ok(_) => Finding::new(Severity::Error, input::RULE, message()),
            };
            LoadedUnit::failed(job, file.as_ref().ok().copied(), finding)
        })
    });
    Loaded {
        units: units.collect(),
    }
}

/// `openacc.h` comes with gcc and not with clang: gcc's own headers are looked into after all others.
fn gcc_headers() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/gcc/x86_64-linux-gnu")
        .into_iter()
        .flatten()
        .flatten();
    let newest = versions
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse::<u32>().ok()?,
                entry.path().join("include"),
            ))
        })
        .filter(|(_, include)| include.join("openacc.h").exists())
        .max();
    newest.map(|(_, include)| include)
}

/// What stands in the place of gcc's `stdatomic.h`: clang's own leaves its definitions to a header of the system, which on other machines is none. gcc's are of functions that clang does not take.
const ATOMIC: &str = r#"#undef __CLANG_STDATOMIC_H
#pragma push_macro("__STDC_HOSTED__")
#undef __STDC_HOSTED__
#define __STDC_HOSTED__ 0
#include <stdatomic.h>
#pragma pop_macro("__STDC_HOSTED__")
"#;

/// The files whose bytes are not those on disk.
fn overlays(sources: &Sources) -> Vec<(PathBuf, Vec<u8>)> {
    let differs =
        |file: &FileId| std::fs::read(sources.path(*file)).map_or(true, |disk| disk != sources.bytes(*file));
    let with_bytes = |file: FileId| (sources.path(file).to_owned(), sources.bytes(file).to_vec());
    sources.files().filter(differs).map(with_bytes).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Work<'a> {
    jobs: &'a [Job],
    options: &'a Options,
    files: &'a [Result<FileId, Box<Finding>>],
    overlays: &'a [(PathBuf, Vec<u8>)],
    system: rounds::SystemHeaders,
    /// Flags for headers that only another compiler has.
    last_headers: Vec<String>,
    sources: Mutex<&'a mut Sources>,
    /// The next job that nobody has.
    next: Mutex<usize>,
    /// The job that may add files to the sources.
    turn: Mutex<usize>,
    turned: Condvar,
    done: Mutex<Vec<Option<LoadedUnit>>>,
}

/// Lets the next job have its turn, however this one ends.
struct Turn<'a, 'b>(&'a Work<'b>, usize);

impl Drop for Turn<'_, '_> {
    fn drop(&mut self) {
        self.0.wait_for_turn(self.1);
        *lock(&self.0.turn) = self.1 + 1;
        self.0.turned.notify_all();
    }
}

impl Work<'_> {
    fn run(&self) {
        loop {
            let number = {
                let mut next = lock(&self.next);
                *next += 1;
                *next - 1
            };
            let (Some(job), Some(file)) = (self.jobs.get(number), self.files.get(number)) else {
                return;
            };
            let turn = Turn(self, number);
            let result = match file {
                Err(finding) => LoadedUnit::failed(job, None, (**finding).clone()),
                Ok(file) => {
                    let work = std::panic::AssertUnwindSafe(|| self.job(job, *file, number));
                    std::panic::catch_unwind(work).unwrap_or_else(|_| {
                        let message = format!("the front end failed on {}", job.path.display());
                        let finding = Finding::new(Severity::Error, input::RULE, message);
                        LoadedUnit::failed(job, Some(*file), finding)
                    })
                }
            };
            drop(turn);
            if let Some(place) = lock(&self.done).get_mut(number) {
                *place = Some(result);
            }
        }
    }

    fn wait_for_turn(&self, number: usize) {
        let mut turn = lock(&self.turn);
        while *turn < number {
            turn = self.turned.wait(turn).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn job(&self, job: &Job, file: FileId, number: usize) -> LoadedUnit {
        let fail = |finding: Finding| LoadedUnit::failed(job, Some(file), finding);
        let here = if job.directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &job.directory
        };
        let flags = match flags::translate(&job.arguments, here, self.options.openmp_macro) {
            Ok(flags) => flags,
            Err(note) => return fail(refused_flag(&job.path, &note)),
        };
        if let Some(language) = flags.language.as_deref().filter(|language| *language != "c") {
            let message = format!(
                "cannot read {} as `-x {language}`: Ferry reads C",
                job.path.display()
            );
            return fail(Finding::new(Severity::Error, input::RULE, message));
        }
        let mut arguments = vec!["-x".to_owned(), "c".to_owned()];
        // What the flags define comes later, and holds.
        let written_in = self.options.written_in;
        arguments.extend(written_in.map(|language| flags::macro_of(language, self.options.openmp_macro)));
        arguments.extend(absolute_paths(&flags.arguments, &job.directory));
        arguments.extend(self.last_headers.iter().cloned());
        let bytes = lock(&self.sources).bytes(file).to_vec();
        let input = rounds::Input {
            path: &job.path,
            bytes: &bytes,
            arguments: &arguments,
            overlays: self.overlays,
            ignore_directives: self.options.ignore_directives,
            system: &self.system,
        };
        let parsed = match rounds::parse(&input) {
            Ok(parsed) => parsed,
            Err(why) => return fail(not_parsed(&input, &why)),
        };
        let unknown = messages::unknown_flags(&parsed.diagnostics);
        if !unknown.is_empty() {
            let message = format!("{}: {}", job.path.display(), unknown.join("; "));
            return fail(Finding::new(Severity::Error, FLAG_RULE, message));
        }
        let spoken = declared::of(&input, &parsed);
        self.wait_for_turn(number);
        let mut sources = lock(&self.sources);
        let mut loaded = lower(
            job,
            file,
            flags,
            parsed,
            &mut sources,
            self.options.ignore_directives,
        );
        if let Ok(unit) = &mut loaded.unit {
            unit.declared = match spoken {
                Ok(all) => Ok(numbered(all, unit, &mut sources)),
                Err(refused) => Err(Undeclared {
                    why: refused.why,
                    at: span(refused.at, &mut sources),
                }),
            };
        }
        loaded
    }
}

/// Where that is, in a file whose text is kept.
fn span(at: Option<(PathBuf, u32)>, sources: &mut Sources) -> Option<Span> {
    let (path, offset) = at?;
    let file = input::file_id(sources, &path)?;
    Some(Span::new(file, offset, offset))
}

/// With numbers for names and spans for places. A name that nothing in the unit has is nobody's; functions of one name are all meant.
fn numbered(all: Vec<declared::Spoken>, unit: &Unit, sources: &mut Sources) -> Vec<ferry_ir::Declared> {
    let mut found = Vec::new();
    for one in all {
        let at = span(one.at, sources);
        let what = |variable, function| ferry_ir::Declared {
            variable,
            function,
            how: one.how,
            at,
        };
        let before = found.len();
        let variables = unit.globals.iter().zip(0u32..);
        let variables = variables.filter(|(global, _)| global.name == one.name && global.inside.is_none());
        found.extend(variables.map(|(_, number)| what(Some(GlobalId(number)), None)));
        let functions = unit.functions().filter(|(_, function)| function.name == one.name);
        found.extend(functions.map(|(id, _)| what(None, Some(id))));
        if found.len() == before {
            found.push(what(None, None));
        }
    }
    found
}

/// The rule of findings about flags.
pub const FLAG_RULE: &str = "compiler-flag";

/// The rule of findings about directives that are not understood.
pub const DIRECTIVE_RULE: &str = "directive";

fn refused_flag(path: &Path, note: &FlagNote) -> Finding {
    Finding::new(
        Severity::Error,
        FLAG_RULE,
        format!(
            "{}: the flag `{}` cannot be used: {}",
            path.display(),
            note.flag,
            note.text
        ),
    )
}

/// The last part of a job: places become spans, the tree becomes a unit.
fn lower(
    job: &Job,
    file: FileId,
    flags: Flags,
    parsed: rounds::Parsed,
    sources: &mut Sources,
    ignore_directives: bool,
) -> LoadedUnit {
    let mut findings = Vec::new();
    let mut declarations = Vec::new();
    let mut directives = Directives::default();
    let skipped = parsed.skipped();
    for (path, read) in &parsed.files {
        let Some(id) = input::file_id(sources, path) else {
            continue;
        };
        for pragma in &read.pragmas {
            let span = Span::new(id, pragma.span.start, pragma.span.end);
            if !parsed.is_active(&skipped, path, span.start) {
                continue;
            }
            match (&pragma.directive, &pragma.untyped) {
                (Err(broken), _) if pragma.form != crate::directives::copy::Form::Blank => {
                    let at = Span::new(id, broken.at.start, broken.at.end.max(broken.at.start));
                    let finding = Finding::new(Severity::Error, DIRECTIVE_RULE, broken.message.clone());
                    findings.push(finding.at(at, ""));
                }
                (Ok(_), Some(why)) => {
                    let message = format!("the expressions of this directive are unknown: {why}");
                    findings.push(Finding::new(Severity::Warning, DIRECTIVE_RULE, message).at(span, ""));
                }
                _ => {}
            }
        }
        directives.add(id, read.clone());
        // Those of a header stay in it, whatever is ignored.
        if !ignore_directives || id != file {
            declarations.extend(directives.declarations(id, |at| parsed.is_active(&skipped, path, at)));
        }
    }
    let own: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|d| !rounds::is_about_probe(d))
        .cloned()
        .collect();
    let errors = messages::errors(&own, |path, offset| {
        let id = input::file_id(sources, path)?;
        let physical = crate::lower::probe::Pragmas::physical(&directives, id, offset);
        Some(Span::new(id, physical, physical))
    });
    let about_text = messages::finding(&job.path, &errors);
    if errors.iter().any(|error| error.fatal) {
        return LoadedUnit {
            path: job.path.clone(),
            file: Some(file),
            unit: Err(about_text.into_iter().collect()),
            findings,
            declarations,
        };
    }
    findings.extend(about_text);
    findings.extend(flags.notes.iter().map(|note| {
        let message = format!("the flag `{}` is not used: {}", note.flag, note.text);
        Finding::new(Severity::Note, FLAG_RULE, message)
    }));
    let mut unit = crate::lower::unit(&parsed.unit, sources, file, &directives);
    unit.dialect = flags.dialect;
    note_other_names(&mut unit, &parsed.unit, sources);
    let is_complex = |(_, ty): (_, &ferry_ir::Type)| matches!(ty, ferry_ir::Type::Complex { .. });
    unit.dialect.complex_header = unit.types.iter().any(is_complex)
        && parsed.unit.files().into_iter().any(|(file, system)| {
            system && parsed.unit.file_name(file).file_name() == Some("complex.h".as_ref())
        });
    LoadedUnit {
        path: job.path.clone(),
        file: Some(file),
        unit: Ok(unit),
        findings,
        declarations,
    }
}

/// Marks what has another name, too.
fn note_other_names(unit: &mut Unit, parsed: &clang::TranslationUnit, sources: &Sources) {
    let has = |file, all: &[&str]| all.iter().any(|word| sources.has_word(file, word));
    let by_text = sources
        .files()
        .filter(|file| has(*file, &other_names::WORDS))
        .map(|file| OtherNames::of(sources.bytes(file)));
    let assembly = sources.files().any(|file| has(file, &other_names::ASSEMBLY));
    let by_assembly = assembly.then(|| OtherNames::in_assembly(parsed));
    for names in by_text.chain(by_assembly) {
        for global in &mut unit.globals {
            global.renamed |= names.has(&global.name);
        }
        let functions = unit.functions().filter(|(_, function)| names.has(&function.name));
        let functions: Vec<_> = functions.map(|(id, _)| id).collect();
        unit.also_named.extend(functions);
    }
}

/// Which argument does libclang refuse altogether? Found by leaving out one after the other.
fn not_parsed(input: &rounds::Input, why: &clang::Error) -> Finding {
    let name = Path::new("ferry-flags.c");
    let accepts = |arguments: &[String]| {
        clang::TranslationUnit::parse(name, arguments, &[(name.to_owned(), Vec::new())]).is_ok()
    };
    if !accepts(input.arguments) {
        for number in 0..input.arguments.len() {
            let mut fewer = input.arguments.to_vec();
            let flag = fewer.remove(number);
            if accepts(&fewer) {
                let message = format!("{}: libclang refuses the flag `{flag}`", input.path.display());
                return Finding::new(Severity::Error, FLAG_RULE, message);
            }
        }
    }
    Finding::new(Severity::Error, input::RULE, why.to_string())
}

/// Paths among the arguments, from where the compiler would have run.
fn absolute_paths(arguments: &[String], directory: &Path) -> Vec<String> {
    let here = std::env::current_dir().ok();
    if directory.as_os_str().is_empty() || here.as_deref() == Some(directory) {
        return arguments.to_vec();
    }
    let join = |path: &str| directory.join(path).to_string_lossy().into_owned();
    const NAMES: [&str; 10] = [
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-imacros",
        "-isysroot",
        "-iprefix",
        "--sysroot=",
        "--sysroot",
        "-I",
    ];
    let mut out = Vec::with_capacity(arguments.len());
    let mut pending: Option<&str> = None;
    for argument in arguments {
        let name = pending.take();
        if name.is_none() && NAMES.contains(&argument.as_str()) {
            pending = Some(argument);
            out.push(argument.clone());
            continue;
        }
        let (prefix, path) = match name {
            Some(_) => ("", argument.as_str()),
            None => match NAMES.iter().find_map(|n| Some((*n, argument.strip_prefix(n)?))) {
                Some(split) => split,
                None => {
                    out.push(argument.clone());
                    continue;
                }
            },
        };
        // A file that is to be included is looked for along the include path, too.
        let included = matches!(name.unwrap_or(prefix), "-include" | "-imacros");
        let found = !included || directory.join(path).exists();
        out.push(format!(
            "{prefix}{}",
            if found { join(path) } else { path.to_owned() }
        ));
    }
    out
}

#[cfg(test)]
mod tests;
