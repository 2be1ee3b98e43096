//! Does the OpenACC text print what the original prints?
//!
//! gcc's host fallback: the directives are honoured, but there is one memory, so this judges loops, reductions and
//! private copies, and cannot judge data movement. (The OpenMP spelling of the same model is judged for that.)

use std::process::Command;

use crate::process::{Outcome, RUN_LIMIT, compile, run};
use crate::{Error, Program, Toolchain};

/// Compiles and runs `program` with `gcc -fopenacc`.
pub fn host_run(program: &Program, arguments: &[String]) -> Result<Outcome, Error> {
    let tools = Toolchain::find()?;
    let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
    let file = folder.path().join("program");
    let mut command = Command::new(&tools.gcc);
    command
        .args(["-w", "-O0", "-fopenacc", "-foffload=disable"])
        .args(program.words());
    compile(command.arg("-o").arg(&file).args(program.link(tools)))?;
    run(
        Command::new(&file).args(arguments).env("ACC_DEVICE_TYPE", "host"),
        RUN_LIMIT,
    )
}
