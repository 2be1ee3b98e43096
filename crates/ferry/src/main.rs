//! The command: arguments, files, reports.
//!
//! The only part of Ferry that prints and writes files. Exit status: 0 done; 1 `annotate --check` would change
//! something, or `check` or `report --verify-existing` found a wrong directive; 2 something could not be done, with everything else done and said.

mod annotate;
mod arguments;
mod assumptions;
mod check;
mod input;
mod json;
mod names;
mod output;
mod paths;
mod planned;
mod report;
mod reshape;
mod sections;
mod show;
mod show_regions;
mod terminal;
mod units;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// Symbolic expressions are many small pieces of memory, made and given back all the time on a thread of their own.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What `main` gives back to the shell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Everything was done.
    Done,
    /// `annotate --check`: something would change; `check`, `--verify-existing`: a directive is wrong.
    Found,
    /// Something could not be done.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    arguments.command.tell_language();
    // Programs may be nested deeply: everything that holds one, its end of life too, happens on a large stack.
    let run = || match &arguments.command {
        Command::Annotate(annotate) => annotate::run(annotate),
        Command::Check(check) => check::run(check),
        Command::Explain { rule } => check::explain(rule),
        Command::Report(report) => report::run(report),
        Command::Reshape(reshape) => reshape::run(reshape),
        Command::Show(show) => show::run(show),
    };
    match ferry_frontend::clang::on_large_stack(run) {
        Ok(status) => status.into(),
        Err(why) => {
            terminal::complain(&format!("error: {why}"));
            Status::Failed.into()
        }
    }
}
