//! What does the program print when gcc compiled it, and its kernels have a memory of their own?
//!
//! gcc's offloading without a device: libgomp finds our plug-in (`runtime/gcc_memory`) in the place of the one for NVIDIA,
//! and runs the host's version of each kernel on copies of what was mapped. Judges what gcc 12 makes of data clauses,
//! OpenMP and OpenACC. It cannot judge how work is divided, nor stack memory that was not mapped.

use std::process::Command;

use crate::compilers::Language;
use crate::process::{Outcome, RUN_LIMIT, compile, run};
use crate::second_memory::{Observed, read_log};
use crate::{Error, Program, Toolchain, runtime};

/// A program that gcc compiled for its second memory.
#[derive(Debug)]
pub struct GccMemory {
    folder: tempfile::TempDir,
    /// What gcc said while compiling, with `-Wall`.
    pub messages: String,
}

/// Whether gcc makes code for NVIDIA's devices, too, which is never run: it may refuse what it takes for the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceCode {
    /// It does.
    #[default]
    Made,
    /// It does not, which takes a third of the time.
    LeftOut,
}

impl GccMemory {
    /// Compiles `program` with its directives.
    ///
    /// # Errors
    /// If a tool is missing, or gcc refuses the program.
    pub fn build(program: &Program, language: Language, code: DeviceCode) -> Result<GccMemory, Error> {
        let tools = Toolchain::find()?;
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let flag = match language {
            Language::OpenMp => "-fopenmp",
            Language::OpenAcc => "-fopenacc",
        };
        let mut command = Command::new(&tools.gcc);
        command
            .args(["-Wall", "-g", "-O2", flag, "-no-pie", "-foffload=nvptx-none"])
            .args(program.words());
        match code {
            DeviceCode::Made => command.arg("-foffload-options=nvptx-none=-lm"),
            DeviceCode::LeftOut => command.arg("-B").arg(runtime::without_device_code()?),
        };
        let file = folder.path().join("program");
        let outcome = compile(command.arg("-o").arg(file).args(program.link(tools)))?;
        Ok(GccMemory {
            folder,
            messages: outcome.stderr,
        })
    }

    /// Runs it. A program that launches nothing leaves no log.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn run(&self, arguments: &[String]) -> Result<Observed, Error> {
        let plugin = runtime::gcc_memory()?;
        let log = self.folder.path().join("log");
        let mut command = Command::new(self.folder.path().join("program"));
        command
            .args(arguments)
            .env("LD_PRELOAD", &plugin)
            .env("LD_LIBRARY_PATH", plugin.parent().unwrap_or(&plugin))
            .env("OMP_TARGET_OFFLOAD", "MANDATORY")
            .env("ACC_DEVICE_TYPE", "nvidia")
            .env("MALLOC_PERTURB_", "128")
            .env("FERRY_GUARD_LOG", &log);
        // Each run writes its own.
        drop(std::fs::remove_file(&log));
        let outcome = run(&mut command, RUN_LIMIT)?;
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        read_log(&text, outcome, false)
    }

    /// Runs it without a second memory, where OpenACC's directives are honoured all the same.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn run_on_host(&self, arguments: &[String]) -> Result<Outcome, Error> {
        let mut command = Command::new(self.folder.path().join("program"));
        command.args(arguments).env("ACC_DEVICE_TYPE", "host");
        run(&mut command, RUN_LIMIT)
    }
}
