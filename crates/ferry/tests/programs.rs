//! Does every test program, annotated, do what it did? Each is annotated, compiled and run under all judges.
//!
//! This takes minutes: it is a test binary of its own. `FERRY_PROGRAMS="lud pairs/dist"` runs those whose name contains one of the words.
//! All programs are judged before the test fails, and each failure is listed by its name.

use crate::common;

use common::{Program, annotate, ferry, programs, status, stderr};
use ferry_judges::compilers::Language;
use ferry_judges::{Expectations, ExpectedRun, Program as Judged, judge};
use std::sync::Mutex;

fn judged(program: &Program, files: Vec<std::path::PathBuf>, sizes: &[String]) -> Judged {
    Judged {
        sources: files,
        flags: program.flags.iter().chain(sizes).cloned().collect(),
        libraries: program.libraries.clone(),
    }
}

/// Everything that is wrong with one program.
fn check(program: &Program, language: Language) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let words: &[&str] = if language == Language::OpenAcc {
        &["--openacc"]
    } else {
        &[]
    };
    let said = match annotate(program, folder.path(), words, &[]) {
        Ok(said) => said,
        Err(why) => return vec![why],
    };
    let new: Vec<_> = program
        .files
        .iter()
        .map(|file| folder.path().join(file.file_name().unwrap()))
        .collect();
    let mut complaints = again(program, &new, words);
    let mut sizes = vec![Vec::new()];
    // What is written must be right for other sizes, too.
    if language == Language::OpenMp {
        sizes.extend(program.sizes.clone());
    }
    for (number, sizes) in sizes.iter().enumerate() {
        let mut expectations = Expectations {
            runs: vec![ExpectedRun::default()],
            ..Expectations::default()
        }
        .in_language(language);
        // Unless it says that it rests on the values of macros.
        let written_anew = number > 0 && said.contains("of this build");
        if written_anew && let Err(why) = annotate(program, folder.path(), words, sizes) {
            complaints.push(why);
        }
        // Other sizes are other data for the same text: what depends on the text alone was asked.
        expectations.races = number == 0;
        expectations.undefined = number == 0;
        expectations.compilers = number == 0 || written_anew;
        expectations.gcc = number == 0 || written_anew;
        let original = judged(program, program.files.clone(), sizes);
        match judge(&original, &judged(program, new.clone(), sizes), &expectations) {
            Ok(verdict) if verdict.passed() => {}
            Ok(verdict) => complaints.push(format!("{}{verdict}", sizes.join(" "))),
            Err(error) => complaints.push(format!("the judges could not work: {error}")),
        }
    }
    complaints
}

/// Annotated again, there is nothing to do.
fn again(program: &Program, files: &[std::path::PathBuf], words: &[&str]) -> Vec<String> {
    let mut arguments: Vec<String> = vec!["annotate".into(), "--diff".into()];
    arguments.extend(words.iter().map(|word| (*word).to_owned()));
    arguments.extend(files.iter().map(|file| file.display().to_string()));
    arguments.push("--".into());
    arguments.extend(program.flags.iter().cloned());
    let output = ferry(&arguments);
    if status(&output) == 0 && output.stdout.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "annotated again, there is more to do:\n{}\n{}",
        common::stdout(&output),
        stderr(&output)
    )]
}

fn judge_all(programs: &[Program], language: Language) {
    let failures = Mutex::new(Vec::new());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(program) = programs.get(number) else {
                return;
            };
            let complaints = check(program, language);
            if !complaints.is_empty() {
                // Seen at once with `--nocapture`.
                eprintln!("{} failed", program.name);
                failures
                    .lock()
                    .unwrap()
                    .push((number, format!("== {}\n{}", program.name, complaints.join("\n"))));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let text: Vec<String> = failures.into_iter().map(|(_, text)| text).collect();
    assert!(
        text.is_empty(),
        "{} of {} programs failed:\n{}",
        text.len(),
        programs.len(),
        text.join("\n\n")
    );
}

#[test]
fn every_program_does_the_same_with_openmp() {
    judge_all(&programs(), Language::OpenMp);
}

#[test]
fn every_program_does_the_same_with_openacc() {
    judge_all(&programs(), Language::OpenAcc);
}
