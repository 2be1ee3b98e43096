//! Do two threads, or two teams, touch the same memory without order, one of them writing?
//!
//! ThreadSanitizer, with Archer to know OpenMP's ordering, on the host version of every region: `target` regions run on
//! the host, with one memory, so that the ordering of threads is all that is judged. Three and seven threads, because
//! four hide what `p[i/2] = i` does; then three teams, because races across teams show with no number of threads. The
//! join of teams is told to ThreadSanitizer by `runtime/races`.
//!
//! libomp gives the memory of a task that ended to the next task without telling ThreadSanitizer: filling a task's copies
//! then looks like a race with what an earlier task read of its own. Such reports are left out (`refills_a_task`).
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
                format!("ignore_noninstrumented_modules=1 exitcode={FOUND} halt_on_error=0"),
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
        let mut reports = reports(&outcome.stderr).peekable();
        let said = reports.peek().is_some();
        if let Some(report) = reports.find(|report| !refills_a_task(report)) {
            return Ok(Some(format!("with {name}: {}", summary(report))));
        }
        Ok(match outcome.exit {
            Exit::Status(FOUND) if !said => Some(format!("with {name}: ThreadSanitizer reports an error")),
            Exit::Status(_) => None,
            exit => Some(format!(
                "with {name}: the program was ended by {}",
                crate::compare::say(exit)
            )),
        })
    }
}

/// What ThreadSanitizer reports, one text for each.
fn reports(said: &str) -> impl Iterator<Item = &str> {
    said.split("==================")
        .filter(|part| part.contains("WARNING: ThreadSanitizer"))
}

/// The kind of each access that `report` names, and the place of its first frame.
fn accesses(report: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut access: Option<&str> = None;
    for line in report.lines().map(str::trim) {
        if line.contains(" of size ") {
            access = line.split(" at 0x").next();
        } else if let (Some(what), true) = (access, line.starts_with("#0 ")) {
            let frame = line.split(" (").next().unwrap_or(line);
            found.push((what, frame.rsplit(' ').next().unwrap_or(frame)));
            access = None;
        }
    }
    found
}

/// Whether `report` is about memory of libomp's that one of the two accesses fills with a new task's copies, at the
/// directive of that task. Nothing else writes there, so that no race of the program's own is left out: those with
/// memory that libomp allocated and with a task's copies are between other places.
fn refills_a_task(report: &str) -> bool {
    let of_libomp = report
        .split_once("Location is heap block")
        .and_then(|(_, behind)| behind.lines().find(|line| line.trim().starts_with("#1 ")))
        .is_some_and(|frame| frame.contains("libomp.so"));
    let fills = |&(what, place): &(&str, &str)| {
        what.to_lowercase().contains("write") && line_of(place).is_some_and(|line| is_of_a_task(&line))
    };
    of_libomp && accesses(report).iter().any(fills)
}

/// The source line of a place, which is written `file:line:column`.
fn line_of(place: &str) -> Option<String> {
    let mut parts = place.rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    let text = std::fs::read_to_string(file).ok()?;
    text.lines()
        .nth(line.parse::<usize>().ok()?.checked_sub(1)?)
        .map(str::to_owned)
}

fn is_of_a_task(line: &str) -> bool {
    let words: Vec<&str> = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.starts_with(&["pragma", "omp"]) && words.iter().any(|word| matches!(*word, "task" | "taskloop"))
}

/// The kind of conflict and the first frame of its two accesses.
fn summary(report: &str) -> String {
    let mut parts = accesses(report);
    parts.truncate(2);
    if parts.is_empty() {
        return "a data race".to_owned();
    }
    let parts: Vec<String> = parts
        .iter()
        .map(|(what, place)| format!("{what} at {place}"))
        .collect();
    format!("data race: {}", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::{refills_a_task, reports, summary};

    #[test]
    fn both_places_of_a_race_are_named() {
        let report = "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x7b by thread T1:\n    #0 f.omp_outlined /t/b.c:8:49 (bt+0xe4870)\n    #1 g /t/b.c:7:1\n\n  Previous write of size 4 at 0x7b by main thread:\n    #0 f.omp_outlined /t/b.c:9:2 (bt+0x1)\n";
        assert_eq!(
            summary(report),
            "data race: Write of size 4 at /t/b.c:8:49; Previous write of size 4 at /t/b.c:9:2"
        );
    }

    /// What ThreadSanitizer says of a task's copies that lie where those of an earlier task lay, of the same access to
    /// memory that the program allocated, and of a line that is no directive.
    #[test]
    fn a_task_that_takes_the_memory_of_another_is_no_race() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.c");
        std::fs::write(
            &file,
            "void f(void) {\n    #pragma omp task firstprivate(i)\n    g(i);\n}\n",
        )
        .unwrap();
        let said = |write: u32, allocator: &str| {
            let file = file.display();
            format!(
                "==================\nWARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 8 at 0x7f by thread \
                 T3:\n    #0 f {file}:{write}:5 (p+0xe4)\n\n  Previous read of size 8 at 0x7f by thread T2:\n    #0 \
                 .omp_outlined. {file}:3:7 (p+0xe5)\n    #1 .omp_task_entry. {file}:2:5 (p+0xe5)\n\n  Location is heap \
                 block of size 1048576 at 0x7f allocated by thread T3:\n    #0 malloc <null> (p+0x60)\n    #1 <null> \
                 <null> ({allocator}+0x1e)\n\n==================\n"
            )
        };
        let refills = |write, allocator| {
            let said = said(write, allocator);
            let found: Vec<bool> = reports(&said).map(refills_a_task).collect();
            assert_eq!(found.len(), 1, "{said}");
            found.first().copied()
        };
        assert_eq!(refills(2, "libomp.so.5"), Some(true));
        assert_eq!(refills(2, "p"), Some(false));
        assert_eq!(refills(3, "libomp.so.5"), Some(false));
    }
}
