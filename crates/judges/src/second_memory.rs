//! What does the program print when its kernels have a memory of their own, and what was moved?
//!
//! `target` regions run on clang's x86-64 offload plugin: a second memory in the same process, filled with a pattern
//! when it is allocated. The guard (`runtime/second_memory`) poisons all of the program's host memory while a kernel
//! runs, so that a pointer that was not mapped reads garbage, and reports kernels that write host memory or around a
//! mapped section; it also logs every kernel and every transfer, as the OpenMP tools interface tells them.
//!
//! Needs the folder of libomp in `LD_LIBRARY_PATH`: without it libomptarget does not find the tools interface, and the
//! guard would silently see nothing. Therefore a run whose log does not say that the guard heard of the device's work
//! while transfers or kernels were expected is caught by the expected numbers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::process::{Outcome, RUN_LIMIT, compile, run};
use crate::{Error, Program, Toolchain, runtime};

/// What every compilation and link for the second memory has.
pub(crate) const FLAGS: [&str; 3] = [
    "-gline-tables-only",
    "-fopenmp",
    "-fopenmp-targets=x86_64-pc-linux-gnu",
];

/// A program compiled for the second memory.
#[derive(Debug)]
pub struct SecondMemory {
    folder: tempfile::TempDir,
    /// What clang said while compiling, with `-Wall`.
    pub messages: String,
}

/// One movement or allocation of mapped data.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DataOperation {
    /// What was done.
    pub kind: DataKind,
    /// Size; 0 for a deletion.
    pub bytes: u64,
    /// `global NAME`, `heap block K` (in order of allocation), `stack` or `other`.
    pub object: String,
    /// Byte offset in the object, for globals and heap blocks.
    pub offset: i64,
    /// Line of the directive in its file; 0 if not known.
    #[serde(default)]
    pub line: u32,
}

/// Kinds of data operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataKind {
    /// Device memory was allocated.
    Alloc,
    /// Host to device.
    ToDevice,
    /// Device to host.
    FromDevice,
    /// Device memory was released.
    Delete,
}

/// A kernel that ran on the second memory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Kernel {
    /// From 1, in order of submission.
    pub number: u64,
    /// Whether the host's stack could be hidden from it too.
    pub stack_hidden: bool,
    /// Line of the directive; 0 if not known.
    #[serde(default)]
    pub line: u32,
}

/// Number and bytes of transfers in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// How many transfers.
    pub count: u64,
    /// How many bytes in all.
    pub bytes: u64,
}

/// What a run on the second memory did.
#[derive(Debug, Clone)]
pub struct Observed {
    /// What it printed and how it ended.
    pub outcome: Outcome,
    /// The kernels, in order.
    pub kernels: Vec<Kernel>,
    /// The data operations, in order.
    pub data: Vec<DataOperation>,
    /// What kernels did that they must not: wrote host memory, or touched memory that does not exist.
    pub violations: Vec<String>,
}

impl Observed {
    /// All transfers in one direction, scalars and attached pointers included.
    pub fn moved(&self, kind: DataKind) -> Moved {
        self.moved_at_least(kind, 0)
    }

    /// The transfers in one direction of at least `bytes` bytes: with a limit above 8, those of arrays.
    pub fn moved_at_least(&self, kind: DataKind, bytes: u64) -> Moved {
        let of_kind = self
            .data
            .iter()
            .filter(|operation| operation.kind == kind && operation.bytes >= bytes);
        of_kind.fold(Moved::default(), |sum, operation| Moved {
            count: sum.count + 1,
            bytes: sum.bytes.saturating_add(operation.bytes),
        })
    }

    /// How many kernels each line submitted.
    pub fn kernels_by_line(&self) -> BTreeMap<u32, u64> {
        let mut lines = BTreeMap::new();
        for kernel in &self.kernels {
            *lines.entry(kernel.line).or_insert(0) += 1;
        }
        lines
    }
}

/// How a run is set up beyond the usual.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `OMP_NUM_TEAMS`; the run-time system's choice (one) if absent.
    pub teams: Option<u32>,
    /// `OMP_NUM_THREADS`; as many as there are cores if absent.
    pub threads: Option<u32>,
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Start,
    End,
    Kernel(Kernel),
    Data(DataOperation),
    HostWrite {
        kernel: u64,
        bytes: u64,
        object: String,
        #[serde(default)]
        line: u32,
    },
    Fault {
        kernel: u64,
        signal: i32,
        #[serde(default)]
        line: u32,
    },
    Outside {
        kernel: u64,
        size: u64,
        distance: i64,
        #[serde(default)]
        line: u32,
    },
    Failure {
        why: String,
    },
}

impl SecondMemory {
    /// Compiles `program` with its `target` regions for the second memory.
    pub fn build(program: &Program) -> Result<SecondMemory, Error> {
        SecondMemory::build_at(program, "-O1")
    }

    /// The same in half the time, without optimisation: for other data of a text that was judged with it.
    pub fn build_unoptimized(program: &Program) -> Result<SecondMemory, Error> {
        SecondMemory::build_at(program, "-O0")
    }

    fn build_at(program: &Program, level: &str) -> Result<SecondMemory, Error> {
        let tools = Toolchain::find()?;
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let mut command = Command::new(&tools.clang);
        command.args(FLAGS).args(["-Wall", level]).args(program.words());
        let outcome = compile(
            command
                .arg("-o")
                .arg(folder.path().join("program"))
                .args(program.link(tools)),
        )?;
        Ok(SecondMemory {
            folder,
            messages: outcome.stderr,
        })
    }

    /// The executable `program` in a folder, however it was built.
    pub(crate) fn in_folder(folder: tempfile::TempDir) -> SecondMemory {
        SecondMemory {
            folder,
            messages: String::new(),
        }
    }

    /// Runs it under the guard. A kernel that cannot run on the second memory ends the program.
    pub fn run(&self, arguments: &[String], settings: &Settings) -> Result<Observed, Error> {
        let tools = Toolchain::find()?;
        let guard = runtime::guard()?;
        let log = self.log_file()?;
        let mut command = Command::new(self.folder.path().join("program"));
        command
            .args(arguments)
            .env("LD_LIBRARY_PATH", &tools.library_folder)
            .env("LD_PRELOAD", &guard)
            .env("OMP_TOOL_LIBRARIES", &guard)
            .env("OMP_TARGET_OFFLOAD", "MANDATORY")
            // Deferred target tasks would let the host run on while its memory is hidden.
            .env("LIBOMP_USE_HIDDEN_HELPER_TASK", "0")
            // A cached block would hold the old section's data, which may happen to be right.
            .env("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0")
            .env("MALLOC_PERTURB_", "128")
            .env("FERRY_GUARD_LOG", &log);
        if let Some(teams) = settings.teams {
            command
                .env("OMP_NUM_TEAMS", teams.to_string())
                .env("KMP_TEAMS_THREAD_LIMIT", "16");
        }
        if let Some(threads) = settings.threads {
            command.env("OMP_NUM_THREADS", threads.to_string());
        }
        let outcome = run(&mut command, RUN_LIMIT)?;
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        read_log(&text, outcome, true)
    }

    fn log_file(&self) -> Result<PathBuf, Error> {
        let file = tempfile::Builder::new()
            .prefix("log")
            .tempfile_in(self.folder.path());
        let file = file.map_err(|error| Error::file(self.folder.path(), error))?;
        file.into_temp_path()
            .keep()
            .map_err(|error| Error::file(self.folder.path(), error))
    }
}

/// What a guard wrote; `always`: it writes something even if nothing runs on the device.
pub(crate) fn read_log(text: &str, outcome: Outcome, always: bool) -> Result<Observed, Error> {
    let mut observed = Observed {
        outcome,
        kernels: Vec::new(),
        data: Vec::new(),
        violations: Vec::new(),
    };
    let mut started = false;
    for line in text.lines() {
        let event = serde_json::from_str(line).map_err(|error| Error::Log {
            why: format!("the guard's log has a line `{line}`: {error}"),
        })?;
        match event {
            Event::Start => started = true,
            Event::End => {}
            Event::Kernel(kernel) => observed.kernels.push(kernel),
            Event::Data(operation) => observed.data.push(operation),
            Event::HostWrite { kernel, bytes, object, line } => observed.violations.push(format!(
                "kernel {kernel} (line {line}) wrote {bytes} bytes of host memory, in {object}: a pointer that was not mapped"
            )),
            Event::Fault { kernel, signal, line } => observed.violations.push(format!(
                "kernel {kernel} (line {line}) ended the program by signal {signal}: a pointer that was not mapped, or an index out of bounds"
            )),
            Event::Outside { kernel, size, distance, line } => observed.violations.push(format!(
                "kernel {kernel} (line {line}) wrote outside a mapped section of {size} bytes, {} bytes {}",
                distance.unsigned_abs(),
                if distance < 0 { "before its start" } else { "past its end" },
            )),
            Event::Failure { why } => return Err(Error::Log { why }),
        }
    }
    if always && !started && observed.outcome.success() {
        return Err(Error::Log {
            why: "the OpenMP run time did not start the guard".to_owned(),
        });
    }
    Ok(observed)
}
