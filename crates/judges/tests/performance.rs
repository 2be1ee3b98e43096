//! Is the advice of `ferry check --performance` worth following, and safe?
//!
//! In each folder of a performance rule in `tests/checks`, `NAME_clean.c` is `NAME.c` with the advice followed. Both run on the second memory, and have to print
//! what the program prints without directives; the second has to move strictly fewer bytes. With `FERRY_SAY` set, the bytes of each pair are
//! printed.

use std::fs;
use std::path::{Path, PathBuf};

use ferry_judges::compare::difference;
use ferry_judges::second_memory::{DataKind, SecondMemory, Settings};
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::{Error, Program, on_two_threads};

const RULES: [&str; 5] = [
    "dead-copy-back",
    "dead-copy-in",
    "redundant-transfer",
    "section-longer-than-used",
    "transfer-in-loop",
];

/// Bytes that a program moves in both directions, after it has printed what it should.
fn moved(path: &Path) -> Result<Result<u64, String>, Error> {
    let program = Program::new(path);
    let observed = SecondMemory::build(&program)?.run(&[], &Settings::default())?;
    let sequential = Sequential::build(&program, Compiler::Gcc)?.run(&[])?;
    if let Some(difference) = difference(&sequential, &observed.outcome) {
        return Ok(Err(difference));
    }
    if let Some(violation) = observed.violations.first() {
        return Ok(Err(violation.clone()));
    }
    Ok(Ok(
        observed.moved(DataKind::ToDevice).bytes + observed.moved(DataKind::FromDevice).bytes
    ))
}

/// What is wrong with a pair, or the bytes of both.
fn judge(name: &str, before: &Path, after: &Path) -> Result<Result<(u64, u64), String>, Error> {
    let (before, after) = (moved(before)?, moved(after)?);
    Ok(match (before, after) {
        (Err(why), _) => Err(format!("{name}: {why}")),
        (_, Err(why)) => Err(format!("{name}, with the advice followed: {why}")),
        (Ok(before), Ok(after)) if after < before => Ok((before, after)),
        (Ok(before), Ok(after)) => Err(format!("{name}: {before} bytes before, {after} after")),
    })
}

#[test]
fn who_follows_advice_moves_fewer_bytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/checks");
    let mut pairs: Vec<(String, PathBuf, PathBuf)> = Vec::new();
    for rule in RULES {
        for file in fs::read_dir(root.join(rule)).unwrap() {
            let after = file.unwrap().path();
            let name = after.file_stem().unwrap().to_str().unwrap().to_owned();
            let Some(name) = name.strip_suffix("_clean") else {
                continue;
            };
            let before = after.with_file_name(format!("{name}.c"));
            // gcc's second memory does not count bytes.
            if fs::read_to_string(&before).unwrap().contains("#pragma omp") {
                pairs.push((format!("{rule}/{name}"), before, after));
            }
        }
    }
    pairs.sort();
    assert!(pairs.len() >= 20, "{} pairs", pairs.len());
    let jobs = pairs.iter().map(|(name, before, after)| {
        Box::new(move || (name.clone(), judge(name, before, after)))
            as Box<dyn FnOnce() -> (String, Result<Result<(u64, u64), String>, Error>) + Send>
    });
    let mut wrong = Vec::new();
    for (name, result) in on_two_threads(jobs.collect()) {
        match result {
            Ok(Ok((before, after))) if std::env::var("FERRY_SAY").is_ok() => {
                println!("{name}: {before} bytes before, {after} after");
            }
            Ok(Ok(_)) => {}
            Ok(Err(why)) => wrong.push(why),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
