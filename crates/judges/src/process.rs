//! Running one program: with a time limit, a clean OpenMP environment, and everything it printed.
//!
//! Output goes to files, not pipes, so that a grandchild that survives its parent cannot hold the judge up. At the time
//! limit the whole process group is killed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Error;

/// Compilers hang on a few inputs; no compilation here takes a tenth of this.
pub const COMPILE_LIMIT: Duration = Duration::from_secs(120);
/// No program that is judged should run a tenth of this.
pub const RUN_LIMIT: Duration = Duration::from_secs(60);
/// Of each output stream this many bytes are kept.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Status(i32),
    /// By this signal.
    Signal(i32),
    /// It was killed at the time limit.
    TimedOut,
}

/// What a run left.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error, as text.
    pub stderr: String,
    /// How it ended.
    pub exit: Exit,
    /// Wall-clock time.
    pub seconds: f64,
}

impl Outcome {
    /// Whether it ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.exit == Exit::Status(0)
    }
}

/// Runs `command` to its end, or kills it and all that it started at `limit`.
///
/// Variables that steer OpenMP, OpenACC and the sanitizers are not inherited, unless `command` sets them.
pub fn run(command: &mut Command, limit: Duration) -> Result<Outcome, Error> {
    let name = Path::new(command.get_program()).to_path_buf();
    let own: Vec<_> = command.get_envs().map(|(key, _)| key.to_os_string()).collect();
    for (key, _) in std::env::vars_os() {
        if steers_a_runtime(&key) && !own.contains(&key) {
            command.env_remove(key);
        }
    }
    // Several judges share the processors: threads that wait for others must not keep them busy.
    if !own.iter().any(|key| key == "OMP_WAIT_POLICY") {
        command.env("OMP_WAIT_POLICY", "passive");
    }
    let failed = |error: std::io::Error| Error::file(&name, error);
    let mut stdout = tempfile::tempfile().map_err(failed)?;
    let mut stderr = tempfile::tempfile().map_err(failed)?;
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(failed)?)
        .stderr(stderr.try_clone().map_err(failed)?)
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    let mut pause = Duration::from_micros(500);
    let exit = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break match (status.code(), status.signal()) {
                (Some(code), _) => Exit::Status(code),
                (None, signal) => Exit::Signal(signal.unwrap_or(0)),
            };
        }
        if start.elapsed() > limit {
            // The group that `process_group(0)` made for exactly this child.
            let _ = Command::new("kill")
                .args(["-9", "--", &format!("-{}", child.id())])
                .status();
            let _ = child.kill();
            let _ = child.wait();
            break Exit::TimedOut;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(8));
    };
    let seconds = start.elapsed().as_secs_f64();
    let stderr = String::from_utf8_lossy(&read_all(&mut stderr).map_err(failed)?).into_owned();
    Ok(Outcome {
        stdout: read_all(&mut stdout).map_err(failed)?,
        stderr,
        exit,
        seconds,
    })
}

/// Runs a compiler; a refusal is an error with the command line and the messages.
pub fn compile(command: &mut Command) -> Result<Outcome, Error> {
    let outcome = run(command, COMPILE_LIMIT)?;
    if outcome.success() {
        return Ok(outcome);
    }
    let mut messages = outcome.stderr;
    if outcome.exit == Exit::TimedOut {
        messages.push_str("\n(killed at the time limit)");
    }
    Err(Error::Compile {
        command: command_line(command),
        messages,
    })
}

/// The command as one would type it.
pub fn command_line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

fn steers_a_runtime(key: &OsStr) -> bool {
    let key = key.to_string_lossy();
    [
        "OMP_",
        "KMP_",
        "GOMP_",
        "ACC_",
        "LIBOMP",
        "TSAN_",
        "ASAN_",
        "UBSAN_",
        "MALLOC_",
        "LD_",
        "FERRY_GUARD",
        "FERRY_TRACE",
    ]
    .iter()
    .any(|prefix| key.starts_with(prefix))
}

fn read_all(file: &mut File) -> std::io::Result<Vec<u8>> {
    use std::io::Seek;
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_status_are_kept() {
        let outcome = run(
            Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]),
            RUN_LIMIT,
        )
        .unwrap();
        assert_eq!(
            (outcome.stdout.as_slice(), outcome.stderr.as_str()),
            (&b"out\n"[..], "err\n")
        );
        assert_eq!(outcome.exit, Exit::Status(3));
    }

    #[test]
    fn a_program_that_does_not_end_is_killed_with_its_children() {
        let start = Instant::now();
        let outcome = run(
            Command::new("sh").args(["-c", "sleep 50 & sleep 50"]),
            Duration::from_millis(200),
        )
        .unwrap();
        assert_eq!(outcome.exit, Exit::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_signal_is_not_a_status() {
        let outcome = run(Command::new("sh").args(["-c", "kill -SEGV $$"]), RUN_LIMIT).unwrap();
        assert_eq!(outcome.exit, Exit::Signal(11));
    }
}
