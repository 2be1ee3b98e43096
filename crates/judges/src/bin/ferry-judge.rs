//! `ferry-judge ORIGINAL ANNOTATED [--openacc] [--no-races] [-- FLAGS…]`: runs both programs, compares, says the result.
//! `ferry-judge --report REPORT.json SOURCE… [-- FLAGS…]`: traces the program, and says which loops that the report calls
//! parallel carried a dependence, and which sections do not hold what was touched. (Conditions of `parallel_if` are not assumed to hold.)
//!
//! Exit status: 0 when no judge complains, 1 when one does, 2 when the judging itself could not be done.

use std::process::ExitCode;

use ferry_judges::compilers::Language;
use ferry_judges::second_memory::{DataKind, Observed};
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::trace::verdicts::{Circumstances, against_report};
use ferry_judges::{Error, Expectations, Program, judge};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut files, mut flags) = (Vec::new(), Vec::new());
    let mut expectations = Expectations::default();
    let mut report_file = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => flags.extend(words.by_ref()),
            "--report" => report_file = words.next(),
            "--openacc" => expectations.language = Language::OpenAcc,
            "--no-races" => expectations.races = false,
            _ if word.starts_with("--") => return usage(),
            _ => files.push(word),
        }
    }
    if let Some(report_file) = report_file {
        let mut program = Program::default().with_flags(flags);
        program.sources.extend(files.into_iter().map(Into::into));
        return said(trace_report(&report_file, &program));
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

fn trace_report(file: &str, program: &Program) -> Result<bool, Error> {
    let unreadable = |why: String| Error::File {
        path: file.into(),
        why,
    };
    let text = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let report = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    let judged = against_report(
        program,
        &[],
        &report,
        Circumstances {
            conditions_hold: false,
        },
    )?;
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

fn usage() -> ExitCode {
    eprintln!("usage: ferry-judge ORIGINAL.c ANNOTATED.c [--openacc] [--no-races] [-- COMPILER FLAGS…]");
    eprintln!("       ferry-judge --report REPORT.json SOURCE.c… [-- COMPILER FLAGS…]");
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
