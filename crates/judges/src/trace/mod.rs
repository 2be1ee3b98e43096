//! Which dependences did each loop really carry, which values entered and left it, which bytes did it touch?
//!
//! Judge 3 and 4: the original is compiled by clang without optimisation with every load and store traced, from a copy
//! whose loops announce their iterations ([`instrument`]); the analysis runs inside the program (`runtime/trace`) and
//! reports at its end. This is the second oracle of dependence analysis and shares nothing with the front end: loops
//! are found by a token scanner ([`scan`]), names come from debug information.
//!
//! [`trace`] runs a program; [`claims`] compares what was seen with what a verdict says, [`verdicts`] with a whole report.
//!
//! It sees one run: a dependence that was not observed may still exist. Not seen at all: `long double`, accesses inside
//! library functions (but memcpy and its family are), loops that come out of macros. Several threads are not supported:
//! the program is compiled without directives.

mod between;
mod build;
pub mod claims;
mod conditions;
pub mod instrument;
mod report;
pub mod scan;
pub mod sections;
mod symbols;
pub mod verdicts;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{COMPILE_LIMIT, Outcome, RUN_LIMIT, run};
use crate::{Error, Program, Toolchain};

pub use report::{Claimed, Dependence, DependenceKind, Instance, Live, Object, Place, Touched, TracedLoop};

/// What is said of one object of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// A C lvalue that is valid before the loop: `sum`, `C[i * n + j]`, `table`.
    pub object: String,
    /// What it is to the loop.
    pub role: Role,
}

/// The part that an object plays in a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Every iteration writes it before reading it; its value is not used after the loop.
    Private,
    /// The same, but iterations may read the value from before the loop.
    FirstPrivate,
    /// Every iteration writes it before reading it; after the loop the last iteration's value is used.
    LastPrivate,
    /// It is only changed by this operator.
    Reduction(String),
    /// It is the loop's own induction variable.
    Induction,
}

/// Statements that update the elements of one object, by one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Updates {
    /// The object, for people.
    pub object: String,
    /// By this operator.
    pub operator: String,
    /// The lines in which the statements begin, in the file of the loop.
    pub lines: Vec<u32>,
}

/// Contiguous bytes that a loop is said to touch, evaluated before the loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionClaim {
    /// A C expression for the first address: `&a[lo]`.
    pub start: String,
    /// A C expression for the number of bytes.
    pub bytes: String,
    /// Written bytes if true, else read bytes.
    pub writes: bool,
    /// How the claim relates to what is touched.
    pub bound: Bound,
}

/// How a claimed set relates to the touched set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The touched bytes lie inside.
    May,
    /// All of it is touched.
    Must,
    /// Nothing outside is touched, and its first and last byte are.
    Hull,
    /// Exactly these bytes are touched.
    Exact,
}

/// What is asked about one loop, which is named by its place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopRequest {
    /// Index of the file in the program's sources.
    pub file: usize,
    /// Line of the loop's keyword.
    pub line: u32,
    /// Column of the keyword in bytes; any loop on the line if absent.
    pub column: Option<u32>,
    /// What is said of objects.
    pub claims: Vec<Claim>,
    /// Statements that may meet in an element.
    pub updates: Vec<Updates>,
    /// What is said of touched bytes.
    pub sections: Vec<SectionClaim>,
    /// C expressions whose values at each entry of the loop are wanted.
    pub values: Vec<String>,
    /// What is said of the loop holds under a condition.
    pub conditional: bool,
    /// A C expression: executions of the loop at whose entry it is 0 are not followed.
    pub condition: Option<String>,
}

impl LoopRequest {
    /// The values of the sections (two each), then those wanted.
    fn all_values(&self) -> Vec<String> {
        let sections = self
            .sections
            .iter()
            .flat_map(|section| [section.start.clone(), section.bytes.clone()]);
        sections.chain(self.values.iter().cloned()).collect()
    }
}

/// How a program is run.
#[derive(Debug, Clone)]
pub struct Running {
    /// The words of its command line.
    pub arguments: Vec<String>,
    /// Where it runs; here, if absent.
    pub folder: Option<PathBuf>,
    /// It is killed after this time, and leaves no report then.
    pub limit: Duration,
    /// Of each loop so many executions are followed, and later ones whose number is a power of two. All, if absent.
    pub executions: Option<u32>,
    /// It is ended, with a report, after so many accesses.
    pub accesses: Option<u64>,
}

impl Default for Running {
    fn default() -> Running {
        Running {
            arguments: Vec::new(),
            folder: None,
            limit: RUN_LIMIT,
            executions: None,
            accesses: None,
        }
    }
}

/// What a run did.
#[derive(Debug, Clone)]
pub struct Trace {
    /// What it printed and how it ended.
    pub outcome: Outcome,
    /// The loops that ran, in the order of the text.
    pub loops: Vec<TracedLoop>,
    /// Why the trace may lack something, if it may.
    pub incomplete: Option<String>,
    /// Requests that could not be made, because they name what is not visible before their loop.
    pub dropped: Vec<String>,
    /// Loads and stores that were seen.
    pub accesses: u64,
    /// It was ended after the number of accesses that was allowed.
    pub stopped: bool,
}

impl Trace {
    /// The loop whose keyword stands on this line of this file, if it ran. The first one, if there are several.
    pub fn loop_at(&self, file: &Path, line: u32) -> Option<&TracedLoop> {
        self.loops
            .iter()
            .find(|found| found.file == file && found.line == line)
    }
}

/// Compiles an instrumented copy of `program` and runs it.
///
/// A claim, section or value whose expression names something that is not visible before its loop is dropped and listed
/// in [`Trace::dropped`]; without a claim the trace only judges more strictly.
///
/// # Errors
/// When a tool is missing, when the copy does not compile (another mistake in an expression, or the scanner misread the
/// text), or when the run left no report.
pub fn trace(program: &Program, arguments: &[String], requests: &[LoopRequest]) -> Result<Trace, Error> {
    let running = Running {
        arguments: arguments.to_vec(),
        ..Running::default()
    };
    trace_run(program, &running, requests)
}

/// The same for a run with limits.
///
/// # Errors
/// As [`trace`].
pub fn trace_run(program: &Program, running: &Running, requests: &[LoopRequest]) -> Result<Trace, Error> {
    let tools = Toolchain::find()?;
    let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
    let executable = folder.path().join("program");
    let mut requests = requests.to_vec();
    let mut dropped = Vec::new();
    let copies = build::build(program, folder.path(), &mut requests, &mut dropped)?;
    let report_file = folder.path().join("report");
    let mut command = Command::new(&executable);
    command
        .args(&running.arguments)
        .env("FERRY_TRACE_REPORT", &report_file);
    if let Some(folder) = &running.folder {
        command.current_dir(folder);
    }
    if let Some(limit) = running.executions {
        command.env("FERRY_TRACE_EXECUTIONS", limit.to_string());
    }
    if let Some(limit) = running.accesses {
        command.env("FERRY_TRACE_ACCESSES", limit.to_string());
    }
    let outcome = run(&mut command, running.limit)?;
    let text = std::fs::read_to_string(&report_file).map_err(|_| Error::Log {
        why: format!(
            "the traced program left no report: it was ended by {}",
            crate::compare::say(outcome.exit)
        ),
    })?;
    let raw: report::Raw = serde_json::from_str(&text).map_err(|error| Error::Log {
        why: format!("the trace's report cannot be read: {error}"),
    })?;
    if raw.accesses == 0 {
        return Err(Error::Log {
            why: "the trace saw no access at all: the program is not instrumented".to_owned(),
        });
    }
    let symbols = symbols::Symbols::look_up(&tools.symbolizer, &executable, &raw, COMPILE_LIMIT)?;
    let incomplete = raw.incomplete.clone();
    let (accesses, stopped) = (raw.accesses, raw.stopped);
    let loops = report::assemble(raw, &program.sources, &copies, &symbols);
    Ok(Trace {
        outcome,
        loops,
        incomplete,
        dropped,
        accesses,
        stopped,
    })
}
