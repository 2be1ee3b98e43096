//! What does the program print as the language says, one statement after the other?
//!
//! Compiled without OpenMP by both compilers: if they disagree, the program itself is not well defined and nothing can
//! be judged by it.

use std::process::Command;

use crate::process::{Outcome, RUN_LIMIT, compile, run};
use crate::{Error, Program, Toolchain};

/// A program compiled without directives.
#[derive(Debug)]
pub struct Sequential {
    folder: tempfile::TempDir,
}

/// Which compiler makes the sequential program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// gcc 12 with `-O2`.
    Gcc,
    /// clang 19 with `-O1`.
    Clang,
}

impl Sequential {
    /// Compiles `program`, whose directives are ignored.
    pub fn build(program: &Program, compiler: Compiler) -> Result<Sequential, Error> {
        let tools = Toolchain::find()?;
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let (path, level) = match compiler {
            Compiler::Gcc => (&tools.gcc, "-O2"),
            Compiler::Clang => (&tools.clang, "-O1"),
        };
        let mut command = Command::new(path);
        command.args(["-w", level]).args(program.words());
        compile(
            command
                .arg("-o")
                .arg(folder.path().join("program"))
                .args(program.link(tools)),
        )?;
        Ok(Sequential { folder })
    }

    /// Runs it.
    pub fn run(&self, arguments: &[String]) -> Result<Outcome, Error> {
        run(
            Command::new(self.folder.path().join("program")).args(arguments),
            RUN_LIMIT,
        )
    }
}
