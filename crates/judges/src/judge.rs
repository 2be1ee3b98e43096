//! All judges that need nothing but two programs: the original and the annotated one.
//!
//! ```no_run
//! use ferry_judges::{Expectations, Program, judge};
//! let verdict = judge(&Program::new("saxpy.c"), &Program::new("out/saxpy.c"), &Expectations::kernels(1)).unwrap();
//! assert!(verdict.passed(), "{verdict}");
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::compare::difference;
use crate::compilers::{Language, Silent, Undefined, complaints};
use crate::gcc_memory::{DeviceCode, GccMemory};
use crate::process::Outcome;
use crate::races::{Races, SHAPES};
use crate::second_memory::{DataKind, Moved, Observed, SecondMemory, Settings};
use crate::sequential::{Compiler, Sequential};
use crate::{Error, Program, on_two_threads, openacc};

/// What is expected of the annotated program beyond doing what the original does.
#[derive(Debug, Clone)]
pub struct Expectations {
    /// The calls that are judged; each is compared with the original's same call. Never empty in the constructors.
    pub runs: Vec<ExpectedRun>,
    /// The language of the annotated program's directives. OpenACC is judged by compilers and the host run only.
    pub language: Language,
    /// Look for races (three more runs of each call).
    pub races: bool,
    /// Look for undefined behaviour in what was written.
    pub undefined: bool,
    /// Compare what the compilers say of both texts, and (for OpenMP) what both compilers make of the original.
    pub compilers: bool,
    /// Run on gcc's second memory.
    pub gcc: bool,
    /// Whether gcc has to take the kernels for a device, too, if it is asked.
    pub device_code: DeviceCode,
    /// Compile with optimisation for clang's second memory.
    pub optimized: bool,
}

/// One call of the program.
#[derive(Debug, Clone, Default)]
pub struct ExpectedRun {
    /// The arguments of the call.
    pub arguments: Vec<String>,
    /// How many kernels it submits, if predicted.
    pub kernels: Option<u64>,
    /// All transfers host to device and device to host, if predicted.
    pub transfers: Option<(Moved, Moved)>,
}

impl Default for Expectations {
    fn default() -> Expectations {
        Expectations {
            runs: vec![ExpectedRun::default()],
            language: Language::OpenMp,
            races: true,
            undefined: true,
            compilers: true,
            gcc: true,
            device_code: DeviceCode::Made,
            optimized: true,
        }
    }
}

impl Expectations {
    /// One call without arguments that submits `count` kernels.
    pub fn kernels(count: u64) -> Expectations {
        Expectations {
            runs: vec![ExpectedRun {
                kernels: Some(count),
                ..ExpectedRun::default()
            }],
            ..Expectations::default()
        }
    }

    /// The same with one more call.
    pub fn with_run<S: Into<String>>(
        mut self,
        arguments: impl IntoIterator<Item = S>,
        kernels: Option<u64>,
    ) -> Expectations {
        let arguments = arguments.into_iter().map(Into::into).collect();
        self.runs.push(ExpectedRun {
            arguments,
            kernels,
            transfers: None,
        });
        self
    }

    /// The same for another language.
    pub fn in_language(mut self, language: Language) -> Expectations {
        self.language = language;
        self
    }
}

/// Who complains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judge {
    /// The original program itself is not usable: the two compilers' programs disagree.
    Original,
    /// Second memory: another result, or a forbidden access.
    SecondMemory,
    /// Second memory: other kernels or transfers than predicted.
    Movement,
    /// Race detection.
    Races,
    /// Compilers' warnings and errors.
    Compilers,
    /// Undefined behaviour.
    Undefined,
    /// The OpenACC host run.
    OpenAcc,
    /// gcc's second memory: another result, or a forbidden access.
    GccMemory,
}

/// One complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Who complains.
    pub judge: Judge,
    /// About what.
    pub message: String,
}

/// What the judges found.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// The complaints; none means passed.
    pub findings: Vec<Finding>,
    /// For each call, what it did on the second memory (OpenMP only, and only if it compiled).
    pub observed: Vec<Observed>,
}

impl Verdict {
    /// Whether no judge complains.
    pub fn passed(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether this judge complains.
    pub fn complains(&self, judge: Judge) -> bool {
        self.findings.iter().any(|finding| finding.judge == judge)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.findings.is_empty() {
            return write!(formatter, "no judge complains");
        }
        for (index, finding) in self.findings.iter().enumerate() {
            let separator = if index > 0 { "\n" } else { "" };
            write!(formatter, "{separator}{:?}: {}", finding.judge, finding.message)?;
        }
        Ok(())
    }
}

/// What one step brings.
#[derive(Default)]
struct Part {
    findings: Vec<Finding>,
    reference: Option<Vec<Outcome>>,
    observed: Vec<Observed>,
    openacc: Vec<Outcome>,
    gcc: Vec<Observed>,
    silent: Silent,
}

impl Part {
    fn say(&mut self, judge: Judge, message: impl Into<String>) {
        self.findings.push(Finding {
            judge,
            message: message.into(),
        });
    }
}

/// Asks every judge about `annotated`, which must do what `original` does. The independent steps run on two threads.
///
/// # Errors
/// When a judge could not work: a tool is missing, or the original does not compile. An annotated program that does not
/// compile is a finding.
pub fn judge(original: &Program, annotated: &Program, expectations: &Expectations) -> Result<Verdict, Error> {
    let runs = &expectations.runs;
    let mut steps: Vec<Box<dyn FnOnce() -> Result<Part, Error> + Send + '_>> = Vec::new();
    match expectations.language {
        Language::OpenMp => {
            steps.push(Box::new(|| {
                second_memory(annotated, runs, expectations.optimized)
            }));
            if expectations.races {
                steps.push(Box::new(|| races(annotated, runs)));
            }
            if expectations.undefined {
                steps.push(Box::new(|| undefined(annotated, runs)));
            }
        }
        // gcc's second memory has built a program that runs on the host, too.
        Language::OpenAcc if expectations.gcc => {}
        Language::OpenAcc => steps.push(Box::new(|| host(annotated, runs))),
    }
    if expectations.gcc {
        steps.push(Box::new(|| gcc_memory(annotated, expectations)));
    }
    // The original is the same in both languages: it is asked about once.
    let twice = expectations.compilers && expectations.language == Language::OpenMp;
    steps.push(Box::new(move || reference(original, runs, twice)));

    let mut verdict = Verdict::default();
    let mut reference = Vec::new();
    let (mut openacc, mut gcc) = (Vec::new(), Vec::new());
    let mut silent = Silent::default();
    for part in on_two_threads(steps) {
        let part = part?;
        verdict.findings.extend(part.findings);
        verdict.observed.extend(part.observed);
        openacc.extend(part.openacc);
        gcc.extend(part.gcc);
        silent.gcc |= part.silent.gcc;
        silent.clang |= part.silent.clang;
        if let Some(outcomes) = part.reference {
            reference = outcomes;
        }
    }
    if expectations.compilers {
        // What said nothing while it built the program is not asked again.
        for message in complaints(original, annotated, expectations.language, silent)? {
            verdict.findings.push(Finding {
                judge: Judge::Compilers,
                message,
            });
        }
    }
    let mut add = |judge, run: &ExpectedRun, message: String| {
        verdict.findings.push(Finding {
            judge,
            message: format!("{}{message}", call(run)),
        });
    };
    for ((run, expected), observed) in runs.iter().zip(&reference).zip(&verdict.observed) {
        if let Some(text) = difference(expected, &observed.outcome) {
            add(Judge::SecondMemory, run, text);
        }
        for violation in &observed.violations {
            add(Judge::SecondMemory, run, violation.clone());
        }
        let submitted = observed.kernels.len() as u64;
        if let Some(predicted) = run.kernels.filter(|&predicted| predicted != submitted) {
            add(
                Judge::Movement,
                run,
                format!("{submitted} kernels were submitted, {predicted} predicted"),
            );
        }
        if let Some((to, from)) = run.transfers {
            for (kind, predicted) in [(DataKind::ToDevice, to), (DataKind::FromDevice, from)] {
                let moved = observed.moved(kind);
                if moved != predicted {
                    add(
                        Judge::Movement,
                        run,
                        format!("{kind:?}: moved {moved:?}, predicted {predicted:?}"),
                    );
                }
            }
        }
    }
    for ((run, expected), observed) in runs.iter().zip(&reference).zip(&openacc) {
        if let Some(text) = difference(expected, observed) {
            add(Judge::OpenAcc, run, text);
        }
    }
    for ((run, expected), observed) in runs.iter().zip(&reference).zip(&gcc) {
        if let Some(text) = difference(expected, &observed.outcome) {
            add(Judge::GccMemory, run, text);
        }
        for violation in &observed.violations {
            add(Judge::GccMemory, run, violation.clone());
        }
    }
    verdict.findings.sort_by_key(|finding| finding.judge);
    Ok(verdict)
}

fn call(run: &ExpectedRun) -> String {
    if run.arguments.is_empty() {
        String::new()
    } else {
        format!("called with {}: ", run.arguments.join(" "))
    }
}

/// Turns a refusal of the annotated program into a finding.
fn refusal<T>(part: &mut Part, judge: Judge, result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ Error::Compile { .. }) => {
            part.say(judge, error.to_string());
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// What the original does, compiled by gcc. Several annotated programs have one original: it is built once in a process.
fn by_gcc(original: &Program, runs: &[ExpectedRun]) -> Result<Vec<Outcome>, Error> {
    type Key = (String, Vec<Vec<u8>>);
    static KNOWN: Mutex<BTreeMap<Key, Vec<Outcome>>> = Mutex::new(BTreeMap::new());
    let texts = original
        .sources
        .iter()
        .map(|source| std::fs::read(source).map_err(|error| Error::file(source, error)));
    let calls: Vec<_> = runs.iter().map(|run| &run.arguments).collect();
    let key = (
        format!("{original:?} {calls:?}"),
        texts.collect::<Result<_, _>>()?,
    );
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(outcomes) = known().get(&key) {
        return Ok(outcomes.clone());
    }
    let gcc = Sequential::build(original, Compiler::Gcc)?;
    let outcomes: Vec<Outcome> = runs
        .iter()
        .map(|run| gcc.run(&run.arguments))
        .collect::<Result<_, _>>()?;
    known().insert(key, outcomes.clone());
    Ok(outcomes)
}

fn reference(original: &Program, runs: &[ExpectedRun], twice: bool) -> Result<Part, Error> {
    let mut part = Part::default();
    let gcc = by_gcc(original, runs)?;
    let clang = twice
        .then(|| Sequential::build(original, Compiler::Clang))
        .transpose()?;
    let mut outcomes = Vec::new();
    for (run, outcome) in runs.iter().zip(gcc) {
        let other = clang
            .as_ref()
            .map(|clang| clang.run(&run.arguments))
            .transpose()?;
        if let Some(text) = other.and_then(|other| difference(&outcome, &other)) {
            part.say(
                Judge::Original,
                format!("{}compiled by clang instead of gcc, {text}", call(run)),
            );
        }
        outcomes.push(outcome);
    }
    part.reference = Some(outcomes);
    Ok(part)
}

fn second_memory(annotated: &Program, runs: &[ExpectedRun], optimized: bool) -> Result<Part, Error> {
    let mut part = Part::default();
    let built = match optimized {
        true => SecondMemory::build(annotated),
        false => SecondMemory::build_unoptimized(annotated),
    };
    if let Some(program) = refusal(&mut part, Judge::SecondMemory, built)? {
        part.silent.clang = program.messages.is_empty();
        for run in runs {
            part.observed
                .push(program.run(&run.arguments, &Settings::default())?);
        }
    }
    Ok(part)
}

fn gcc_memory(annotated: &Program, expectations: &Expectations) -> Result<Part, Error> {
    let (runs, language) = (&expectations.runs, expectations.language);
    let mut part = Part::default();
    let built = GccMemory::build(annotated, language, expectations.device_code);
    // The device's own code is linked too, though it is never run, and its libraries lack some functions.
    if matches!(&built, Err(error @ Error::Compile { .. }) if error.to_string().contains("unresolved symbol"))
    {
        return match language {
            Language::OpenMp => Ok(part),
            Language::OpenAcc => host(annotated, runs),
        };
    }
    if let Some(program) = refusal(&mut part, Judge::GccMemory, built)? {
        part.silent.gcc = program.messages.is_empty();
        for run in runs {
            part.gcc.push(program.run(&run.arguments)?);
            if language == Language::OpenAcc {
                part.openacc.push(program.run_on_host(&run.arguments)?);
            }
        }
    }
    Ok(part)
}

fn races(annotated: &Program, runs: &[ExpectedRun]) -> Result<Part, Error> {
    let mut part = Part::default();
    if let Some(program) = refusal(&mut part, Judge::Races, Races::build(annotated))? {
        for run in runs {
            for shape in SHAPES {
                if let Some(race) = program.run(&run.arguments, shape)? {
                    part.say(Judge::Races, format!("{}{race}", call(run)));
                }
            }
        }
    }
    Ok(part)
}

fn undefined(annotated: &Program, runs: &[ExpectedRun]) -> Result<Part, Error> {
    let mut part = Part::default();
    if let Some(program) = refusal(&mut part, Judge::Undefined, Undefined::build(annotated))? {
        for run in runs {
            if let (_, Some(found)) = program.run(&run.arguments)? {
                part.say(Judge::Undefined, format!("{}{found}", call(run)));
            }
        }
    }
    Ok(part)
}

fn host(annotated: &Program, runs: &[ExpectedRun]) -> Result<Part, Error> {
    let mut part = Part::default();
    for run in runs {
        let result = openacc::host_run(annotated, &run.arguments);
        if let Some(outcome) = refusal(&mut part, Judge::OpenAcc, result)? {
            part.openacc.push(outcome);
        }
    }
    Ok(part)
}
