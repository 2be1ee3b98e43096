//! Does the interpreter agree with gcc? Every program of `tests/interpret` and of the
//! repository's `tests/programs` is loaded, run by the interpreter, compiled with `gcc -O0`, run, and compared:
//! standard output byte for byte and exit status (DESIGN.md, judge 7).

use ferry_frontend::{Job, Options, load};
use ferry_ir::Unit;
use ferry_ir::interpret::{self, Exit, Outcome, Silent, observers::Dependences};
use ferry_source::Sources;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The C files below a folder that are programs.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            // Programs that are wrong on purpose are input for `ferry check` only.
            if !path.ends_with("wrong") {
                programs(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "c")
            && !read(&path).starts_with("// part of:")
        {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

/// The words after `// key:` at the top of a program.
fn header(text: &str, key: &str) -> Vec<String> {
    let prefix = format!("// {key}:");
    let line = text.lines().find_map(|line| line.strip_prefix(&prefix));
    line.into_iter()
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

fn interpreted(files: &[PathBuf], flags: &[String], observe: bool) -> Result<Outcome, String> {
    let mut sources = Sources::new();
    let jobs: Vec<Job> = files.iter().map(|file| Job::new(file, flags)).collect();
    let mut units: Vec<Unit> = Vec::new();
    for loaded in load(&mut sources, &jobs, &Options::default()).units {
        units.push(
            loaded
                .unit
                .map_err(|findings| format!("not loaded: {findings:?}"))?,
        );
    }
    let options = interpret::Options {
        step_limit: 2_000_000_000,
        ..interpret::Options::default()
    };
    let outcome = match observe {
        true => interpret::run(&units, &options, &mut Dependences::new()),
        false => interpret::run(&units, &options, &mut Silent),
    };
    if let Exit::Trap(trap) = &outcome.exit {
        let line = trap
            .origin
            .span()
            .map(|span| sources.line_column(span.file, span.start));
        return Err(format!("trap at {line:?}: {}", trap.why));
    }
    Ok(outcome)
}

/// What is wrong with a program, if something is.
fn judge(path: &Path, observe: bool) -> Result<(), String> {
    let text = read(path);
    let mut files: Vec<PathBuf> = header(&text, "files")
        .iter()
        .map(|name| path.with_file_name(name))
        .collect();
    if files.is_empty() {
        files.push(path.to_owned());
    }
    let flags = header(&text, "flags");
    let outcome = interpreted(&files, &flags, false)?;
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let binary = folder.path().join("a.out");
    let mut gcc = Command::new("gcc");
    let built = gcc
        .args(["-O0", "-w", "-o"])
        .arg(&binary)
        .args(&files)
        .args(&flags)
        .arg("-lm")
        .output();
    let built = built.map_err(|why| why.to_string())?;
    if !built.status.success() {
        return Err(format!("gcc: {}", String::from_utf8_lossy(&built.stderr)));
    }
    let real = Command::new(&binary).output().map_err(|why| why.to_string())?;
    if real.stdout != outcome.stdout {
        let same = real
            .stdout
            .iter()
            .zip(&outcome.stdout)
            .take_while(|(a, b)| a == b)
            .count();
        return Err(format!("output differs at byte {same}"));
    }
    // A shell says 134 of a process that aborted.
    let status = real.status.code().unwrap_or(134);
    if outcome.exit != Exit::Code(status) {
        return Err(format!("{:?} instead of status {status}", outcome.exit));
    }
    // With an observer all variables are in memory: a different code with the same meaning.
    if observe && interpreted(&files, &flags, true)?.stdout != outcome.stdout {
        return Err("an observer changes the output".into());
    }
    Ok(())
}

fn judge_all(folder: &str, observe: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    programs(&folder, &mut found);
    assert!(found.len() >= 5, "no programs in {}", folder.display());
    let wrong: Vec<String> = found
        .iter()
        .filter_map(|path| {
            judge(path, observe)
                .err()
                .map(|why| format!("{}: {why}", path.display()))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        found.len(),
        wrong.join("\n")
    );
}

#[test]
fn library_and_language_agree() {
    judge_all("tests/interpret", true);
}

#[test]
fn the_test_programs_agree() {
    judge_all("../../tests/programs", false);
}
