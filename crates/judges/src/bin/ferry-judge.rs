//! `ferry-judge ORIGINAL ANNOTATED [--openacc] [--no-races] [-- FLAGS…]`: runs both programs, compares, says the result.
//! `ferry-judge --report REPORT.json SOURCE… [-- FLAGS…]`: traces the program, and says which loops that the report calls
//! parallel carried a dependence, and which sections do not hold what was touched. Of a loop with a condition the executions
//! in which it holds are judged, or all, if it cannot be asked. `--argument WORD` (for each word of the command line), `--in FOLDER`,
//! `--library NAME` and `--seconds N` say how the program is run, `--executions N` and `--accesses N` how much of it is followed;
//! `--no-sections` leaves sections out, `--json` says it for programs.
//!
//! Exit status: 0 when no judge complains, 1 when one does, 2 when the judging itself could not be done.

use std::process::ExitCode;
use std::time::Duration;

use ferry_judges::compilers::Language;
use ferry_judges::process::Exit;
use ferry_judges::second_memory::{DataKind, Observed};
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::trace::Running;
use ferry_judges::trace::verdicts::{Circumstances, Judged, against_report_of};
use ferry_judges::{Error, Expectations, Program, judge};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut files, mut flags) = (Vec::new(), Vec::new());
    let mut expectations = Expectations::default();
    let mut report_file = None;
    let mut tracing = Tracing::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => flags.extend(words.by_ref()),
            "--report" => report_file = words.next(),
            "--json" => tracing.json = true,
            "--no-sections" => tracing.without_sections = true,
            "--argument" | "--in" | "--library" | "--seconds" | "--executions" | "--accesses" => {
                if words
                    .next()
                    .and_then(|value| tracing.take(&word, value))
                    .is_none()
                {
                    return usage();
                }
            }
            "--openacc" => expectations.language = Language::OpenAcc,
            "--no-races" => expectations.races = false,
            _ if word.starts_with("--") => return usage(),
            _ => files.push(word),
        }
    }
    if let Some(report_file) = report_file {
        let mut program = Program::default().with_flags(flags);
        program.sources.extend(files.into_iter().map(Into::into));
        program.libraries.append(&mut tracing.libraries);
        return said(trace_report(&report_file, &program, &tracing));
    }
    let [original, annotated] = files.as_slice() else {
        return usage();
    };
    let original = Program::new(original).with_flags(flags.clone());
    let annotated = Program::new(annotated).with_flags(flags);
    said(report(&original, &annotated, &expectations))
}

fn said(result: Result<bool, Error>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("ferry-judge: {error}");
            ExitCode::from(2)
        }
    }
}

/// How a report is compared with a run.
#[derive(Default)]
struct Tracing {
    running: Running,
    libraries: Vec<String>,
    without_sections: bool,
    json: bool,
}

impl Tracing {
    /// Takes an option with its value; none if the value is not one.
    fn take(&mut self, option: &str, value: String) -> Option<()> {
        match option {
            "--argument" => self.running.arguments.push(value),
            "--in" => self.running.folder = Some(value.into()),
            "--library" => self.libraries.push(value),
            "--seconds" => self.running.limit = Duration::from_secs(value.parse().ok()?),
            "--executions" => self.running.executions = Some(value.parse().ok()?),
            "--accesses" => self.running.accesses = Some(value.parse().ok()?),
            _ => return None,
        }
        Some(())
    }
}

fn trace_report(file: &str, program: &Program, tracing: &Tracing) -> Result<bool, Error> {
    let unreadable = |why: String| Error::File {
        path: file.into(),
        why,
    };
    let text = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let report = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    let judged = against_report_of(
        program,
        &tracing.running,
        &report,
        Circumstances::ConditionsAskedOrHold,
        !tracing.without_sections,
    )?;
    if tracing.json {
        println!("{}", as_json(&judged));
        return Ok(judged.against.is_empty());
    }
    for line in &judged.against {
        println!("{line}");
    }
    let (sets, exact) = (judged.sections.sets, judged.sections.exact);
    println!("{} loops called parallel ran", judged.parallel);
    println!("{sets} sets of touched bytes compared, {exact} of them as exact");
    println!(
        "result: the trace shows {} things against the report",
        judged.against.len()
    );
    Ok(judged.against.is_empty())
}

fn as_json(judged: &Judged) -> serde_json::Value {
    let loops = judged.loops.iter().map(|one| {
        serde_json::json!({
            "file": one.file, "line": one.line, "conditional": one.conditional, "asked": one.asked,
            "executions": one.executions, "iterations": one.iterations, "refused": one.refused, "passed": one.passed,
            "against": one.against,
        })
    });
    let exit = match judged.exit {
        Some(Exit::Status(status)) => format!("status {status}"),
        Some(Exit::Signal(signal)) => format!("signal {signal}"),
        Some(Exit::TimedOut) => "timed out".to_owned(),
        None => "stopped".to_owned(),
    };
    serde_json::json!({
        "exit": exit, "accesses": judged.accesses, "loops": loops.collect::<Vec<_>>(), "against": judged.against,
        "sets": judged.sections.sets, "exact": judged.sections.exact, "dropped": judged.dropped,
    })
}

fn usage() -> ExitCode {
    eprintln!("usage: ferry-judge ORIGINAL.c ANNOTATED.c [--openacc] [--no-races] [-- COMPILER FLAGS…]");
    eprintln!("       ferry-judge --report REPORT.json SOURCE.c… [TRACING] [-- COMPILER FLAGS…]");
    eprintln!(
        "  TRACING: --argument WORD, --in FOLDER, --library NAME, --seconds N, --executions N, --accesses N, --no-sections, --json"
    );
    ExitCode::from(2)
}

fn report(original: &Program, annotated: &Program, expectations: &Expectations) -> Result<bool, Error> {
    let reference = Sequential::build(original, Compiler::Gcc)?.run(&[])?;
    println!("the original, sequentially, prints:");
    let text = String::from_utf8_lossy(&reference.stdout);
    for line in text.lines().take(8) {
        println!("    {line}");
    }
    let more = text.lines().count().saturating_sub(8);
    if more > 0 {
        println!("    ({more} more lines)");
    }
    let verdict = judge(original, annotated, expectations)?;
    if let Some(observed) = verdict.observed.first() {
        println!("the annotated program, with kernels in a memory of their own:");
        println!("    {}", movement(observed));
    }
    if verdict.passed() {
        let races = match expectations.language {
            Language::OpenMp if expectations.races => ", no race with 3 or 7 threads or 3 teams",
            _ => "",
        };
        println!("result: the same output, bit for bit{races}, no new compiler warning");
    } else {
        println!("result: NOT the same program\n{verdict}");
    }
    Ok(verdict.passed())
}

fn movement(observed: &Observed) -> String {
    let to = observed.moved(DataKind::ToDevice);
    let from = observed.moved(DataKind::FromDevice);
    format!(
        "{} kernels ran; {} transfers to the device ({} bytes), {} back ({} bytes)",
        observed.kernels.len(),
        to.count,
        to.bytes,
        from.count,
        from.bytes
    )
}
