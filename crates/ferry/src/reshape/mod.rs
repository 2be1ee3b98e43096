//! `ferry reshape`: exchanges and collapses the loops of kernels, so that their threads take fewer requests, and proves that the program stays the same.
//!
//! A kernel is one that `annotate` would write, or one that directives write. The loops of a kernel that directives write get another `collapse`, too; for
//! others that is the business of `annotate`. The new text is read again and must be the program whose loops were exchanged; a change that is not is left
//! out, with a warning. For a processor, a `collapse` that hurts there becomes shallower, and nothing else is done.

mod change;
mod distribution;
mod processor;

use crate::arguments::{self, Annotate, Format, Input, Reshape, Spelling};
use crate::input::{self, Files};
use crate::output::{self, NewText};
use crate::planned::Wishes;
use crate::{Status, terminal, units};
use change::{Change, Target};
use distribution::Distributed;
use ferry_analysis::verdict::Detail;
use ferry_frontend::{Job, LoadedUnit};
use ferry_ir::Unit;
use ferry_source::{Edits, Finding, Severity, Span};
use ferry_transform::plan::Goals;
use ferry_transform::reshape::{self, Exchange, Processor};
use std::path::{Path, PathBuf};

/// Cores of a processor of which nothing is said: those of a node of a cluster, about.
const CORES: u64 = 64;

/// Bytes of a line of the caches of x86-64 and of most other processors.
const LINE: u64 = 64;

/// What came of one file.
pub struct Reshaped {
    /// The file.
    pub path: PathBuf,
    /// The new text, if it differs.
    new: Option<Vec<u8>>,
    /// What was done, a line each.
    done: Vec<String>,
    /// What was left though it could be better, with the reason, a line each.
    left: Vec<String>,
    /// What reading it brought.
    findings: Vec<Finding>,
    /// What was not done, without places: the text that they are in may be gone.
    warnings: Vec<Finding>,
    failed: bool,
}

impl Reshaped {
    /// What was done, a line each; nothing if the text is the same.
    pub fn done(&self) -> &[String] {
        &self.done
    }

    /// What was left though it could be better, with the reason, a line each.
    pub fn left(&self) -> &[String] {
        &self.left
    }

    /// What was not done, because the text would be wrong or there is too much of it.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }
}

/// How kernels are chosen.
struct Settings<'a> {
    input: &'a Input,
    wishes: Wishes,
    target: Target,
}

impl<'a> Settings<'a> {
    fn new(input: &'a Input, spelling: &Spelling, target: Target) -> Settings<'a> {
        let wishes = Wishes {
            style: spelling.style(),
            // Loops are put into another order for all runs, not only where a test says so.
            goals: Goals {
                bounded: false,
                ..spelling.goals()
            },
            detail: Detail::Every,
        };
        Settings {
            input,
            wishes,
            target,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Reshape) -> Status {
    let to = &arguments.output;
    if !output::is_clear(&arguments.input, to) {
        return Status::Failed;
    }
    let target = match target(arguments) {
        Ok(target) => target,
        Err(why) => {
            terminal::complain(&format!("error: {why}"));
            return Status::Failed;
        }
    };
    let files = input::load_files(&arguments.input);
    let settings = Settings::new(&arguments.input, &arguments.spelling, target);
    let (files, reshaped) = all(&settings, files);
    let mut status = Status::Done;
    if reshaped.iter().any(|one| one.failed)
        || files.findings.iter().any(|one| one.severity == Severity::Error)
    {
        status = Status::Failed;
    }
    for finding in files.findings.iter().chain(
        reshaped
            .iter()
            .flat_map(|one| one.findings.iter().chain(&one.warnings)),
    ) {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    for one in &reshaped {
        say(&one.path, &one.done);
        say(&one.path, &one.left);
    }
    let texts: Vec<NewText<'_>> = reshaped
        .iter()
        .map(|one| NewText {
            new: one.new.as_deref(),
            failed: one.failed,
        })
        .collect();
    let written = output::write(to, Format::Text, &files, &texts);
    for error in &written.errors {
        terminal::complain(&format!("error: {error}"));
    }
    status.max(written.status)
}

/// What is wished for.
fn target(arguments: &Reshape) -> Result<Target, &'static str> {
    match (arguments.target, &arguments.gpu, arguments.cores) {
        (arguments::Target::Gpu, _, Some(_)) => Err("--cores is for --target cpu"),
        (arguments::Target::Cpu, Some(_), _) => Err("--gpu is not for --target cpu"),
        (arguments::Target::Gpu, gpu, None) => {
            Ok(Target::Gpu(gpu.as_ref().unwrap_or(ferry_gpu::builtin()).clone()))
        }
        (arguments::Target::Cpu, None, cores) => Ok(Target::Processor(Processor {
            cores: cores.unwrap_or(CORES),
            line: LINE,
        })),
    }
}

/// Puts loops into order before they are annotated: the files as they are then, and what was done.
pub fn before(arguments: &Annotate, files: Files) -> (Files, Vec<Reshaped>) {
    let settings = Settings::new(
        &arguments.input,
        &arguments.spelling,
        Target::Gpu(arguments.gpu.clone()),
    );
    let (files, mut reshaped) = all(&settings, files);
    let mut texts = Vec::new();
    for one in &mut reshaped {
        if let Some(new) = one.new.take() {
            texts.push((one.path.clone(), new));
        }
    }
    match texts.is_empty() {
        true => (files, reshaped),
        false => (input::load_with_texts(&arguments.input, texts), reshaped),
    }
}

/// Says what was done to one file, or left.
pub fn say(path: &Path, done: &[String]) {
    for line in done {
        terminal::complain(&format!("{}: {line}", path.display()));
    }
}

/// Splits nests, and then puts the loops of what is left into order. The files are as they are between the two.
fn all(settings: &Settings<'_>, files: Files) -> (Files, Vec<Reshaped>) {
    let distributed = units::map(&files.loaded.units, settings.input.threads, |number, unit| {
        distribution::of_unit(settings, &files, number, unit)
    });
    // Where that failed, so will what comes next, and that says so.
    let mut distributed: Vec<Distributed> = distributed.into_iter().map(Option::unwrap_or_default).collect();
    let units = files.loaded.units.iter().zip(&distributed);
    let texts: Vec<_> = units
        .filter_map(|(unit, one)| Some((unit.path.clone(), one.new.clone()?)))
        .collect();
    let files = match texts.is_empty() {
        true => files,
        false => {
            // All files are read anew, and places in them are others.
            distributed.iter_mut().for_each(|one| one.changes = None);
            input::load_with_texts(settings.input, texts)
        }
    };
    let mut reshaped = exchanged(settings, &files, &distributed);
    for (one, split) in reshaped.iter_mut().zip(&mut distributed) {
        one.new = one.new.take().or(split.new.take());
        one.done.splice(0..0, split.done.drain(..));
        one.warnings.splice(0..0, split.warnings.drain(..));
    }
    (files, reshaped)
}

fn exchanged(settings: &Settings<'_>, files: &Files, distributed: &[Distributed]) -> Vec<Reshaped> {
    let loaded = &files.loaded.units;
    let made = units::map(loaded, settings.input.threads, |number, unit| {
        one_unit(settings, files, number, unit, distributed.get(number))
    });
    let replace = |(one, unit): (Option<Reshaped>, &LoadedUnit)| {
        one.unwrap_or_else(|| Reshaped {
            path: unit.path.clone(),
            new: None,
            done: Vec::new(),
            left: Vec::new(),
            findings: vec![units::failed(unit)],
            warnings: Vec::new(),
            failed: true,
        })
    };
    made.into_iter().zip(loaded).map(replace).collect()
}

fn one_unit(
    settings: &Settings<'_>,
    files: &Files,
    number: usize,
    loaded: &LoadedUnit,
    distributed: Option<&Distributed>,
) -> Reshaped {
    let mut found = Reshaped {
        path: loaded.path.clone(),
        new: None,
        done: Vec::new(),
        left: Vec::new(),
        findings: loaded.all_findings().cloned().collect(),
        warnings: Vec::new(),
        failed: loaded.has_errors(),
    };
    let (Ok(unit), Some(job)) = (&loaded.unit, files.jobs.get(number)) else {
        return found;
    };
    if found.failed {
        return found;
    }
    let known = distributed.and_then(|one| one.changes.clone());
    let changes = known
        .unwrap_or_else(|| change::changes(&settings.wishes, &settings.target, files, number, loaded, unit));
    let line_of = |keyword: Span| {
        let (line, _) = files.sources.line_column(keyword.file, keyword.start);
        distributed.map_or(line as usize, |one| one.line_before(line as usize))
    };
    let line = |change: &Change| line_of(change.exchange.keyword);
    let left: Vec<(usize, String)> = changes
        .left
        .into_iter()
        .map(|one| (line_of(one.keyword), one.message))
        .collect();
    let kept = match attempt(settings, files, unit, job, &changes.made) {
        Ok(new) => {
            found.new = new;
            changes.made
        }
        Err(_) => one_by_one(settings, files, unit, job, changes.made, &line, &mut found),
    };
    for change in kept {
        found
            .done
            .push(format!("line {}: {}", line(&change), change.message));
        found.done.extend(
            change
                .assumptions
                .iter()
                .map(|one| format!("  assuming that {one}")),
        );
    }
    found.left = left
        .into_iter()
        .map(|(line, message)| format!("line {line}: {message}"))
        .collect();
    found
}

/// The changes that can be made together, each tried with those before it; what is wrong is said.
fn one_by_one(
    settings: &Settings<'_>,
    files: &Files,
    unit: &Unit,
    job: &Job,
    changes: Vec<Change>,
    line: &dyn Fn(&Change) -> usize,
    found: &mut Reshaped,
) -> Vec<Change> {
    let mut kept: Vec<Change> = Vec::new();
    for change in changes {
        kept.push(change);
        let why = match attempt(settings, files, unit, job, &kept) {
            Ok(new) => {
                found.new = new;
                continue;
            }
            Err(why) => why,
        };
        if let Some(refused) = kept.pop() {
            let message = format!(
                "{}: line {}: the loops are left in their order: the new text would not be the intended program",
                found.path.display(),
                line(&refused)
            );
            let finding = Finding::new(Severity::Warning, "internal", message);
            found.warnings.push(finding.note(why));
        }
    }
    kept
}

/// The text with these changes, if it is the program that is meant; `None` without a change.
fn attempt(
    settings: &Settings<'_>,
    files: &Files,
    unit: &Unit,
    job: &Job,
    changes: &[Change],
) -> Result<Option<Vec<u8>>, String> {
    if changes.is_empty() {
        return Ok(None);
    }
    let mut edits = Edits::new();
    for change in changes {
        edits
            .extend(change.exchange.edits.clone())
            .map_err(|error| error.to_string())?;
    }
    let again = input::read_edited(settings.input, files, job, unit.file, &edits)?;
    let exchanges: Vec<Exchange> = changes.iter().map(|change| change.exchange.clone()).collect();
    reshape::is_intended(unit, again.unit()?, &exchanges).map_err(|difference| difference.to_string())?;
    Ok(Some(again.text))
}
