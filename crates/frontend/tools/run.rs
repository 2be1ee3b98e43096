//! Does the interpreter agree with the compiled program? Loads C files, runs them, compiles them with `gcc -O0`, runs
//! that, and compares standard output and exit status.
//!
//! `cargo run -p ferry-frontend --example run [--each] [--only] [--observe] [--zero] FILE… [-- FLAGS]`; with `--each` every
//! file is a program, else all are one; with `--only` nothing is compiled and the output is printed; with `--observe`
//! dependences are recorded meanwhile; with `--zero` memory that was never written is zero.

use ferry_frontend::{Job, Options, load};
use ferry_ir::Unit;
use ferry_ir::interpret::{self, Exit, Silent};
use ferry_source::Sources;
use std::process::{Command, ExitCode};
use std::time::Instant;

struct Program<'a> {
    files: &'a [String],
    flags: &'a [String],
    only: bool,
    observe: bool,
    zero: bool,
}

impl Program<'_> {
    /// What is wrong, or how many operations were run.
    fn judge(&self) -> Result<String, String> {
        let mut sources = Sources::new();
        let jobs: Vec<Job> = self.files.iter().map(|file| Job::new(file, self.flags)).collect();
        let loaded = load(&mut sources, &jobs, &Options::default());
        let mut units: Vec<Unit> = Vec::new();
        for loaded in loaded.units {
            units.push(
                loaded
                    .unit
                    .map_err(|findings| format!("not loaded: {findings:?}"))?,
            );
        }
        let options = interpret::Options {
            step_limit: 5_000_000_000,
            check_uninitialised: !self.zero,
            ..interpret::Options::default()
        };
        let start = Instant::now();
        let outcome = if self.observe {
            interpret::run(&units, &options, &mut interpret::observers::Dependences::new())
        } else {
            interpret::run(&units, &options, &mut Silent)
        };
        let seconds = start.elapsed().as_secs_f64();
        // A unit may be as deep as its program is nested.
        std::mem::forget(units);
        if self.only {
            print!("{}", String::from_utf8_lossy(&outcome.stdout));
            eprint!("{}", String::from_utf8_lossy(&outcome.stderr));
        }
        let status = match &outcome.exit {
            Exit::Code(status) => *status,
            Exit::StepLimit => return Err(format!("step limit after {seconds:.2} s")),
            Exit::Trap(trap) => {
                let place = trap.origin.span().map_or("?".to_owned(), |span| {
                    let (line, column) = sources.line_column(span.file, span.start);
                    format!("{}:{line}:{column}", sources.path(span.file).display())
                });
                return Err(format!("{place}: trap: {}", trap.why));
            }
        };
        let steps = outcome.steps as f64;
        let speed = format!(
            "{:.2} M operations, {:.1} M/s",
            steps / 1e6,
            steps / 1e6 / seconds
        );
        if self.only {
            return Ok(format!("status {status}, {speed}"));
        }
        let (stdout, stderr, real) = self.compiled()?;
        for (mine, real, name) in [
            (&outcome.stdout, &stdout, "output"),
            (&outcome.stderr, &stderr, "error output"),
        ] {
            if mine == real {
                continue;
            }
            let same = real.iter().zip(mine).take_while(|(a, b)| a == b).count();
            let show = |bytes: &[u8]| {
                let start = same.saturating_sub(20).min(bytes.len());
                String::from_utf8_lossy(&bytes[start..bytes.len().min(same + 40)]).into_owned()
            };
            return Err(format!(
                "{name} differs at byte {same}: {:?} instead of {:?}",
                show(mine),
                show(real)
            ));
        }
        if status != real {
            return Err(format!("status {status} instead of {real}"));
        }
        Ok(speed)
    }

    /// Output, error output and status of the compiled program.
    fn compiled(&self) -> Result<(Vec<u8>, Vec<u8>, i32), String> {
        let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
        let binary = folder.path().join("a.out");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O0", "-w", "-o"])
            .arg(&binary)
            .args(self.files)
            .args(self.flags)
            .arg("-lm");
        let built = gcc.output().map_err(|why| why.to_string())?;
        if !built.status.success() {
            return Err(format!("gcc: {}", String::from_utf8_lossy(&built.stderr)));
        }
        let mut run = Command::new("timeout");
        let ran = run
            .args(["--preserve-status", "20"])
            .arg(&binary)
            .output()
            .map_err(|why| why.to_string())?;
        Ok((ran.stdout, ran.stderr, ran.status.code().unwrap_or(134)))
    }
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let flags = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => arguments.split_off(at).split_off(1),
        None => Vec::new(),
    };
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let (each, only, observe, zero) = (has("--each"), has("--only"), has("--observe"), has("--zero"));
    let files: Vec<String> = arguments
        .into_iter()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let mut wrong = 0;
    for files in files.chunks(if each { 1 } else { files.len().max(1) }) {
        let program = Program {
            files,
            flags: &flags,
            only,
            observe,
            zero,
        };
        match program.judge() {
            Ok(note) => println!("ok {}: {note}", files.join(" ")),
            Err(why) => {
                wrong += 1;
                println!("WRONG {}: {why}", files.join(" "));
            }
        }
    }
    println!("{wrong} wrong");
    ExitCode::from(u8::from(wrong > 0))
}
