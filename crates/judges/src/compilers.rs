//! Do the compilers take the annotated text, without a warning that the original did not have, and is every
//! expression in it well defined?
//!
//! gcc 12 and clang 19 compile both texts with `-Wall`; every warning of the annotated text must be one of the
//! original's (compared by text, not by line, and as often at most). Neither compiler checks that a loop has OpenMP's
//! canonical form. [`Undefined`] runs the program under gcc's UndefinedBehaviorSanitizer, which also sees an overflow
//! inside a map clause (clang does not evaluate those without an offload target).

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::process::{COMPILE_LIMIT, Exit, Outcome, RUN_LIMIT, compile, run};
use crate::{Error, Program, Toolchain};

/// The directive language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// OpenMP.
    #[default]
    OpenMp,
    /// OpenACC.
    OpenAcc,
}

/// Compilers of which it is known that they have nothing to say about the annotated text, with `-Wall` and as much optimisation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent {
    /// gcc 12, in the annotated text's language.
    pub gcc: bool,
    /// clang 19, in OpenMP.
    pub clang: bool,
}

/// What the compilers say about `annotated` that they do not say about `original`: one line each.
pub fn complaints(
    original: &Program,
    annotated: &Program,
    language: Language,
    silent: Silent,
) -> Result<Vec<String>, Error> {
    let tools = Toolchain::find()?;
    let mut checks: Vec<(&Path, &str, Vec<&str>)> = match language {
        Language::OpenMp => vec![
            (
                &tools.gcc,
                "gcc",
                vec!["-O2", "-S", "-o", "/dev/null", "-fopenmp", "-foffload=disable"],
            ),
            (&tools.clang, "clang", vec!["-fsyntax-only", "-fopenmp"]),
        ],
        Language::OpenAcc => {
            vec![(
                &tools.gcc,
                "gcc",
                vec!["-O2", "-S", "-o", "/dev/null", "-fopenacc", "-foffload=disable"],
            )]
        }
    };
    if let (Language::OpenAcc, Some(clang)) = (language, &tools.clang_openacc) {
        checks.push((clang, "clang 22", vec!["-fsyntax-only", "-fopenacc"]));
    }
    checks.retain(|(_, name, _)| !(silent.gcc && *name == "gcc" || silent.clang && *name == "clang"));
    let mut found = Vec::new();
    for (path, name, flags) in checks {
        let after = messages(path, &flags, annotated)?;
        // What nothing is said of needs no comparison.
        if after.is_empty() {
            continue;
        }
        let before = messages(path, &flags, original)?;
        for (message, count) in after {
            if count > before.get(&message).copied().unwrap_or(0) {
                found.push(format!("{name}: {message}"));
            }
        }
    }
    Ok(found)
}

/// Warnings and errors of one compiler on each file, with how often each occurs.
fn messages(path: &Path, flags: &[&str], program: &Program) -> Result<BTreeMap<String, usize>, Error> {
    let mut all = BTreeMap::new();
    for source in &program.sources {
        let mut command = Command::new(path);
        command.arg("-Wall").args(flags).args(&program.flags).arg(source);
        let outcome = run(&mut command, COMPILE_LIMIT)?;
        let mut failed = !outcome.success();
        for line in outcome.stderr.lines() {
            let kind = ["fatal error: ", "error: ", "warning: "]
                .into_iter()
                .find_map(|kind| line.split_once(kind).map(|(_, rest)| (kind, rest)));
            if let Some((kind, rest)) = kind {
                failed &= kind == "warning: ";
                *all.entry(format!("{kind}{rest}")).or_insert(0) += 1;
            }
        }
        if failed && !outcome.success() {
            *all.entry(format!(
                "error: the compiler was ended by {}",
                crate::compare::say(outcome.exit)
            ))
            .or_insert(0) += 1;
        }
    }
    Ok(all)
}

/// A program compiled under UndefinedBehaviorSanitizer, its `target` regions on the host.
#[derive(Debug)]
pub struct Undefined {
    folder: tempfile::TempDir,
}

impl Undefined {
    /// Compiles `program`.
    pub fn build(program: &Program) -> Result<Undefined, Error> {
        let tools = Toolchain::find()?;
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let mut command = Command::new(&tools.gcc);
        command
            .args([
                "-w",
                "-O0",
                "-fopenmp",
                "-foffload=disable",
                "-fsanitize=undefined",
            ])
            .args(program.words())
            .arg("-o")
            .arg(folder.path().join("program"))
            .args(program.link(tools));
        compile(&mut command)?;
        Ok(Undefined { folder })
    }

    /// Runs it; returns the run and the first undefined behaviour, if any.
    pub fn run(&self, arguments: &[String]) -> Result<(Outcome, Option<String>), Error> {
        let mut command = Command::new(self.folder.path().join("program"));
        command.args(arguments).env("OMP_NUM_THREADS", "3");
        let outcome = run(&mut command, RUN_LIMIT)?;
        let found = outcome
            .stderr
            .lines()
            .find(|line| line.contains("runtime error: "))
            .map(str::to_owned);
        let found = found.or_else(|| match outcome.exit {
            Exit::Status(_) => None,
            exit => Some(format!("the program was ended by {}", crate::compare::say(exit))),
        });
        Ok((outcome, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(folder: &Path, name: &str, text: &str) -> Program {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        Program::new(path)
    }

    #[test]
    fn only_new_complaints_count() {
        let folder = tempfile::tempdir().unwrap();
        let before = program(folder.path(), "a.c", "int main(void) { int unused; return 0; }\n");
        let same = program(
            folder.path(),
            "b.c",
            "\n\nint main(void) { int unused; return 0; }\n",
        );
        let worse = program(
            folder.path(),
            "c.c",
            "int main(void) { int unused; int other; return 0; }\n",
        );
        assert_eq!(
            complaints(&before, &same, Language::OpenMp, Silent::default()).unwrap(),
            Vec::<String>::new()
        );
        let found = complaints(&before, &worse, Language::OpenMp, Silent::default()).unwrap();
        assert!(found.len() == 2 && found[0].contains("other"), "{found:?}");
    }

    #[test]
    fn a_directive_that_a_compiler_rejects_is_a_complaint() {
        let folder = tempfile::tempdir().unwrap();
        let loop_text = "for (int i = 0; i < 9; i++) a[i] = i;\nreturn a[8]; }\n";
        let text = format!("int a[9]; int main(void) {{\n{loop_text}");
        let before = program(folder.path(), "a.c", &text);
        let omp = format!("int a[9]; int main(void) {{\n#pragma omp target map(nowhere:a)\n{loop_text}");
        let found = complaints(
            &before,
            &program(folder.path(), "b.c", &omp),
            Language::OpenMp,
            Silent::default(),
        )
        .unwrap();
        assert!(found.iter().any(|line| line.starts_with("gcc: ")), "{found:?}");
        assert!(found.iter().any(|line| line.starts_with("clang: ")), "{found:?}");
        let acc = format!("int a[9]; int main(void) {{\n#pragma acc parallel loop copy(b)\n{loop_text}");
        assert!(
            !complaints(
                &before,
                &program(folder.path(), "c.c", &acc),
                Language::OpenAcc,
                Silent::default()
            )
            .unwrap()
            .is_empty()
        );
    }
}
