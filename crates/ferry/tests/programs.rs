//! Does every test program, annotated, do what it did? Each is annotated, compiled and run under all judges, and `ferry check` finds nothing in it.
//!
//! This takes minutes: it is a test binary of its own. `FERRY_PROGRAMS="lud pairs/dist"` runs those whose name contains one of the words.
//! All programs are judged before the test fails, and each failure is listed by its name.

use crate::common;

use common::{Program, annotate, ferry, programs, status, stderr};
use ferry_judges::compilers::Language;
use ferry_judges::gcc_memory::DeviceCode;
use ferry_judges::{Expectations, ExpectedRun, Program as Judged, judge};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn judged(program: &Program, files: Vec<PathBuf>, sizes: &[String]) -> Judged {
    Judged {
        sources: files,
        flags: program.flags.iter().chain(sizes).cloned().collect(),
        libraries: program.libraries.clone(),
    }
}

/// Where the files of a program are written in a folder.
fn written(program: &Program, folder: &Path) -> Vec<PathBuf> {
    let names = program.files.iter().map(|file| file.file_name().unwrap());
    names.map(|name| folder.join(name)).collect()
}

/// Everything that is wrong with one program, annotated with these words.
fn check(program: &Program, language: Language, words: &[&str], with_kernels: &AtomicUsize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    match annotate(program, folder.path(), words, &[]) {
        Ok(said) => {
            // Before it is written anew for other sizes.
            let mut complaints = match language {
                Language::OpenMp => unclean(program, folder.path(), with_kernels),
                Language::OpenAcc => Vec::new(),
            };
            complaints.extend(check_written(program, language, words, folder.path(), &said));
            complaints
        }
        Err(why) => vec![why],
    }
}

/// What is wrong in annotated programs: directives that were there before, wrong on purpose.
const WRONG_BEFORE: &[&str] = &["wrong/saxpy_host_loop", "wrong/saxpy_short_section"];

/// What `ferry check` finds in the written files that have kernels, which are counted.
fn unclean(program: &Program, folder: &Path, with_kernels: &AtomicUsize) -> Vec<String> {
    let is_mapped = |file: &PathBuf| {
        let text = std::fs::read(file).unwrap_or_default();
        String::from_utf8_lossy(&text).contains("#pragma omp target")
    };
    let mut complaints = Vec::new();
    for file in written(program, folder).into_iter().filter(is_mapped) {
        with_kernels.fetch_add(1, Ordering::Relaxed);
        let words = ["check", "--threads", "1", "--format", "json"].map(str::to_owned);
        let mut arguments = words.to_vec();
        arguments.extend([file.display().to_string(), "--".to_owned(), "-fopenmp".to_owned()]);
        arguments.extend(program.flags.iter().cloned());
        let output = ferry(&arguments);
        if status(&output) > 1 {
            complaints.push(format!("it could not be checked: {}", stderr(&output)));
            continue;
        }
        let report = common::valid_json(&common::stdout(&output));
        let findings = report["findings"].as_array().unwrap();
        if WRONG_BEFORE.contains(&program.name.as_str()) == findings.is_empty() {
            complaints.push(format!("`ferry check` says: {findings:?}"));
        }
    }
    complaints
}

/// Everything that is wrong with what was written to a folder.
fn check_written(
    program: &Program,
    language: Language,
    words: &[&str],
    folder: &Path,
    said: &str,
) -> Vec<String> {
    let new = written(program, folder);
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
        if written_anew && let Err(why) = annotate(program, folder, words, sizes) {
            complaints.push(why);
        }
        // Other sizes are other data for the same text: what depends on the text alone was asked.
        expectations.races = number == 0;
        expectations.undefined = number == 0;
        expectations.optimized = number == 0;
        expectations.compilers = number == 0 || written_anew;
        expectations.gcc = number == 0 || written_anew;
        // What gcc makes of a kernel for NVIDIA's devices takes most of its time, and is much the same in all variants.
        if language != Language::OpenMp || !words.is_empty() {
            expectations.device_code = DeviceCode::LeftOut;
        }
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
fn again(program: &Program, files: &[PathBuf], words: &[&str]) -> Vec<String> {
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

fn judge_all(programs: &[Program], check: impl Fn(&Program) -> Vec<String> + Sync) {
    let failures = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(number) else {
                return;
            };
            let complaints = check(program);
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
    let with_kernels = AtomicUsize::new(0);
    judge_all(&programs(), |program| {
        check(program, Language::OpenMp, &[], &with_kernels)
    });
    let with_kernels = with_kernels.into_inner();
    assert!(
        std::env::var_os("FERRY_PROGRAMS").is_some() || with_kernels > 150,
        "{with_kernels}"
    );
}

#[test]
fn every_program_does_the_same_with_openacc() {
    judge_all(&programs(), |program| {
        check(program, Language::OpenAcc, &["--openacc"], &AtomicUsize::new(0))
    });
}

/// Of all programs, those are judged whose loops are put into another order: the text of the others is the one that is judged above.
#[test]
fn every_program_with_other_loops_does_the_same() {
    judge_changed("--reshape", 8, &|said| !common::done(said).is_empty());
}

/// The same for those of which something is loaded before a loop.
#[test]
fn every_program_with_loads_before_its_loops_does_the_same() {
    judge_changed("--hoist", 4, &|said| said.contains(": loaded before the loop: "));
}

/// Judges the programs whose text is another one with an option, of which `is_said` sees whether it was said. There are at least so many.
fn judge_changed(option: &str, at_least: usize, is_said: &(dyn Fn(&str) -> bool + Sync)) {
    let judged = Mutex::new(BTreeSet::new());
    judge_all(&programs(), |program| {
        let (other, plain) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let said = match annotate(program, other.path(), &[option], &[]) {
            Ok(said) => said,
            Err(why) => return vec![why],
        };
        if !is_said(&said) {
            return Vec::new();
        }
        if let Err(why) = annotate(program, plain.path(), &[], &[]) {
            return vec![why];
        }
        let texts = |folder: &Path| {
            written(program, folder)
                .iter()
                .map(std::fs::read)
                .map(Result::unwrap)
                .collect::<Vec<_>>()
        };
        let changed = texts(other.path()) != texts(plain.path());
        if changed != is_said(&said) {
            return vec![format!(
                "the text is another one: {changed}, and it was said:\n{said}"
            )];
        }
        if !changed {
            return Vec::new();
        }
        judged.lock().unwrap().insert(program.name.clone());
        check_written(program, Language::OpenMp, &[option], other.path(), &said)
    });
    let judged = judged.into_inner().unwrap();
    if std::env::var_os("FERRY_PROGRAMS").is_none() {
        assert!(judged.len() >= at_least, "only {judged:?}");
    }
}
