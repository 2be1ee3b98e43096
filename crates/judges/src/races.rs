//! Do two threads, or two teams, touch the same memory without order, one of them writing?
//!
//! ThreadSanitizer, with Archer to know OpenMP's ordering, on the host version of every region: `target` regions run on
//! the host, with one memory, so that the ordering of threads is all that is judged. Three and seven threads, because
//! four hide what `p[i/2] = i` does; then three teams, because races across teams show with no number of threads. The
//! join of teams is told to ThreadSanitizer by `runtime/races`.
//!
//! Sees only conflicts of the run's own data; says nothing about loops that are not parallel regions.

use std::process::Command;

use crate::process::{Exit, RUN_LIMIT, compile, run};
use crate::{Error, Program, Toolchain, runtime};

/// A program compiled for race detection.
#[derive(Debug)]
pub struct Races {
    folder: tempfile::TempDir,
}

/// The shapes in which a program is run.
pub const SHAPES: [Shape; 3] = [Shape::Threads(3), Shape::Threads(7), Shape::Teams(3)];

/// How many threads or teams run a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `OMP_NUM_THREADS`.
    Threads(u32),
    /// `OMP_NUM_TEAMS`, with at most sixteen threads in all.
    Teams(u32),
}

const FOUND: i32 = 66;

impl Races {
    /// Compiles `program` with ThreadSanitizer.
    pub fn build(program: &Program) -> Result<Races, Error> {
        let tools = Toolchain::find()?;
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let mut command = Command::new(&tools.clang);
        command
            // Every access is looked at, and it takes half the time: nothing is optimised away.
            .args(["-w", "-gline-tables-only", "-O0", "-fopenmp", "-fsanitize=thread"])
            .args(program.words());
        let join = runtime::teams_join()?;
        compile(
            command
                .arg(join)
                .arg("-o")
                .arg(folder.path().join("program"))
                .args(program.link(tools)),
        )?;
        Ok(Races { folder })
    }

    /// Runs it in one shape; a race is said in one line with its two places.
    pub fn run(&self, arguments: &[String], shape: Shape) -> Result<Option<String>, Error> {
        let tools = Toolchain::find()?;
        let mut command = Command::new(self.folder.path().join("program"));
        command
            .args(arguments)
            .env("LD_LIBRARY_PATH", &tools.library_folder)
            .env("OMP_TARGET_OFFLOAD", "DISABLED")
            .env(
                "TSAN_OPTIONS",
                format!("ignore_noninstrumented_modules=1 exitcode={FOUND} halt_on_error=1"),
            );
        let name = match shape {
            Shape::Threads(count) => {
                command.env("OMP_NUM_THREADS", count.to_string());
                format!("{count} threads")
            }
            Shape::Teams(count) => {
                command
                    .env("OMP_NUM_TEAMS", count.to_string())
                    .env("KMP_TEAMS_THREAD_LIMIT", "16");
                format!("{count} teams")
            }
        };
        let outcome = run(&mut command, RUN_LIMIT)?;
        if outcome.stderr.contains("WARNING: ThreadSanitizer") {
            return Ok(Some(format!("with {name}: {}", summary(&outcome.stderr))));
        }
        Ok(match outcome.exit {
            Exit::Status(FOUND) => Some(format!("with {name}: ThreadSanitizer reports an error")),
            Exit::Status(_) => None,
            exit => Some(format!(
                "with {name}: the program was ended by {}",
                crate::compare::say(exit)
            )),
        })
    }
}

/// The kind of conflict and the first frame of its two accesses.
fn summary(report: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut access: Option<&str> = None;
    for line in report.lines().map(str::trim) {
        if line.contains(" of size ") {
            access = line.split(" at 0x").next();
        } else if let (Some(what), true) = (access, line.starts_with("#0 ")) {
            let place = line
                .split(" (")
                .next()
                .unwrap_or(line)
                .rsplit(' ')
                .next()
                .unwrap_or(line);
            parts.push(format!("{what} at {place}"));
            access = None;
            if parts.len() == 2 {
                break;
            }
        }
    }
    if parts.is_empty() {
        "a data race".to_owned()
    } else {
        format!("data race: {}", parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn both_places_of_a_race_are_named() {
        let report = "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x7b by thread T1:\n    #0 f.omp_outlined /t/b.c:8:49 (bt+0xe4870)\n    #1 g /t/b.c:7:1\n\n  Previous write of size 4 at 0x7b by main thread:\n    #0 f.omp_outlined /t/b.c:9:2 (bt+0x1)\n";
        assert_eq!(
            summary(report),
            "data race: Write of size 4 at /t/b.c:8:49; Previous write of size 4 at /t/b.c:9:2"
        );
    }
}
