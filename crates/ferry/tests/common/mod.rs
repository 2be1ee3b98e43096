//! What the tests share: the programs in `tests/programs`, and running the command.

use ferry_judges::corpus;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder with the test programs.
pub fn programs_folder() -> PathBuf {
    folder("tests/programs")
}

/// A folder of the project.
pub fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
        .canonicalize()
        .unwrap()
}

/// The flag that turns on the language of a text's directives.
pub fn flag(text: &str) -> &'static str {
    match text.contains("#pragma acc") {
        true => "-fopenacc",
        false => "-fopenmp",
    }
}

/// The programs of `tests/checks`: name and path, in order.
pub fn check_programs() -> Vec<(String, PathBuf)> {
    let root = folder("tests/checks");
    let entries = |folder: &Path| {
        std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let folders = entries(&root).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| entries(&folder).collect::<Vec<_>>());
    let mut found: Vec<(String, PathBuf)> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "c"))
        .map(|file| {
            let name = file.strip_prefix(&root).unwrap().with_extension("");
            (name.to_str().unwrap().to_owned(), file)
        })
        .collect();
    found.sort();
    found
}

/// A folder with one file, `a.c`.
pub fn with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    folder
}

/// One program: its files, and what its header says.
#[derive(Clone, Debug)]
pub struct Program {
    /// `pairs/distance`
    pub name: String,
    /// Absolute; the first one has the header.
    pub files: Vec<PathBuf>,
    /// What it needs to be compiled with.
    pub flags: Vec<String>,
    /// A second set of sizes.
    pub sizes: Option<Vec<String>>,
    /// What to link with.
    pub libraries: Vec<String>,
}

/// Every program, in order; those whose name contains the words of `FERRY_PROGRAMS`, if that is set.
pub fn programs() -> Vec<Program> {
    let found = corpus::wanted(&programs_folder()).unwrap();
    assert!(!found.is_empty(), "there are no programs");
    let one = |one: corpus::TestProgram| {
        let first = &one.program.sources[0];
        let mut flags = one.program.flags;
        flags.push(format!("-I{}", first.parent().unwrap().display()));
        Program {
            name: one.name,
            flags,
            sizes: Some(one.sizes).filter(|sizes| !sizes.is_empty()),
            libraries: one.program.libraries,
            files: one.program.sources,
        }
    };
    found.into_iter().map(one).collect()
}

/// A run of `ferry`, in a folder.
pub fn ferry_in<S: AsRef<std::ffi::OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ferry"));
    command.current_dir(folder).args(arguments);
    command.output().unwrap()
}

/// A run of `ferry` where the tests run.
pub fn ferry<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    ferry_in(Path::new("."), arguments)
}

/// Exit status; a signal or a panic fails the test.
pub fn status(output: &Output) -> i32 {
    let error = stderr(output);
    assert!(!error.contains("panicked"), "{error}");
    output
        .status
        .code()
        .unwrap_or_else(|| panic!("ended by a signal: {error}"))
}

/// Annotates a program into a folder; the error says why it was not.
pub fn annotate(
    program: &Program,
    folder: &Path,
    language: &[&str],
    sizes: &[String],
) -> Result<String, String> {
    let mut arguments: Vec<String> = vec!["annotate".into(), "-o".into(), folder.display().to_string()];
    arguments.extend(language.iter().map(|word| (*word).to_owned()));
    arguments.extend(program.files.iter().map(|file| file.display().to_string()));
    arguments.push("--".into());
    arguments.extend(program.flags.iter().chain(sizes).cloned());
    let output = ferry(&arguments);
    let text = stderr(&output);
    match status(&output) {
        0 if text.contains("not the intended program") => {
            Err(format!("the text is not the intended one:\n{text}"))
        }
        0 => Ok(text),
        other => Err(format!("ferry ended with status {other}:\n{text}")),
    }
}

/// A script of the project, by its path from the root.
pub fn script(path: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(folder(path));
    command
}

/// What a command prints, which has to end well.
#[track_caller]
pub fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    text
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Reads JSON that the command printed and checks it against the schema that it names.
pub fn valid_json(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let schema = value["schema"].as_str().expect("the JSON names its schema");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(schema);
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}: {}", path.display(), errors.join("\n"));
    value
}

/// The report of a program, checked against the schema.
pub fn report(program: &Program) -> Value {
    let mut arguments: Vec<String> = vec!["report".into(), "--format".into(), "json".into()];
    arguments.extend(program.files.iter().map(|file| file.display().to_string()));
    arguments.push("--".into());
    arguments.extend(program.flags.iter().cloned());
    let output = ferry(&arguments);
    assert_eq!(status(&output), 0, "{}: {}", program.name, stderr(&output));
    valid_json(&stdout(&output))
}

/// What reshape says was done, without what it gains and rests on.
pub fn done(said: &str) -> Vec<String> {
    let lines = said.lines().filter_map(|line| line.split_once(".c: line "));
    lines
        .filter(|(_, rest)| !rest.contains(": left as it is, though "))
        .map(|(_, rest)| rest.rsplit_once(": ").unwrap().0.to_owned())
        .collect()
}

/// What reshape says of a nest that it leaves though another order would be cheaper.
const LEFT: &str = ": left as it is, though cheaper would be ";

/// What reshape says was left, with the reason, without what it would gain.
pub fn left(said: &str) -> Vec<String> {
    let lines = said.lines().filter_map(|line| line.split_once(".c: line "));
    let one = |(_, rest): (&str, &str)| {
        let (line, rest) = rest.split_once(LEFT)?;
        let (before, why) = rest.split_once(" of the requests: ").unwrap();
        Some(format!("{line}: {}: {why}", before.rsplit_once(": ").unwrap().0))
    };
    lines.filter_map(one).collect()
}
