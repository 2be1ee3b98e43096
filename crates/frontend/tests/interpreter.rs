//! Does the structured program do what the compiled one does? Every program in `programs` is compiled with gcc and run,
//! lowered and interpreted; output and exit status must agree. Nothing in them may be opaque.

use ferry_frontend::clang::{TranslationUnit, on_large_stack};
use ferry_frontend::lower::{self, probe::NoPragmas};
use ferry_ir::interpret::{Exit, Options, Silent, run};
use ferry_ir::{PrintOptions, parse_unit, print_unit, verify};
use ferry_source::Sources;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is wrong with one program; empty if nothing.
fn judge(path: &Path, directory: &Path) -> String {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let binary = directory.join(&name);
    let compiled = Command::new("gcc")
        .args(["-w", "-O1", "-o"])
        .args([&binary, path])
        .arg("-lm")
        .status()
        .unwrap();
    assert!(compiled.success(), "gcc refuses {name}");
    let expected = Command::new(&binary).output().unwrap();
    let (text, outcome, violations, printed_again) = on_large_stack(|| {
        let tu = TranslationUnit::parse(path, &[], &[]).unwrap();
        let mut sources = Sources::new();
        let main = sources.load(path).unwrap();
        let unit = lower::unit(&tu, &mut sources, main, &NoPragmas);
        let text = print_unit(&unit, PrintOptions::default());
        let printed_again = parse_unit(&text).map(|unit| print_unit(&unit, PrintOptions::default()));
        let violations = verify::verify_unit(&unit);
        (
            text,
            run(&[unit], &Options::default(), &mut Silent),
            violations,
            printed_again,
        )
    })
    .unwrap();
    let mut wrong = String::new();
    for line in text.lines().filter(|line| line.contains("opaque \"")) {
        wrong += &format!("{name}: not understood: {}\n", line.trim());
    }
    for violation in violations {
        wrong += &format!("{name}: {violation}\n");
    }
    if printed_again.as_ref() != Ok(&text) {
        wrong += &format!(
            "{name}: the printed text does not read back: {:?}\n",
            printed_again.err()
        );
    }
    if outcome.exit != Exit::Code(expected.status.code().unwrap()) {
        wrong += &format!("{name}: ended with {:?}, not {}\n", outcome.exit, expected.status);
    }
    let (got, expected) = (
        String::from_utf8_lossy(&outcome.stdout),
        String::from_utf8_lossy(&expected.stdout),
    );
    for (number, (got, expected)) in got.lines().zip(expected.lines()).enumerate() {
        if got != expected {
            wrong += &format!("{name}: line {} is {got:?}, not {expected:?}\n", number + 1);
        }
    }
    if got.lines().count() != expected.lines().count() {
        wrong += &format!(
            "{name}: {} lines, not {}\n",
            got.lines().count(),
            expected.lines().count()
        );
    }
    wrong
}

#[test]
fn interpreted_programs_do_what_compiled_ones_do() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(programs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    assert!(paths.len() >= 16);
    let directory = tempfile::tempdir().unwrap();
    let wrong: String = paths.iter().map(|path| judge(path, directory.path())).collect();
    assert!(wrong.is_empty(), "{wrong}");
}
