//! Are the labels of the programs of `tests/checks`, and of the programs on the rules' pages, true?
//!
//! A program without `// finds:` has to print the same without directives and on the second memory; one with a marker
//! has to print something else, crash, or be stopped by the run time or the guard. So a label is not an opinion. What
//! a run cannot show is said in the program's first lines, and then holds the other way round:
//!
//! | line | what has to hold |
//! |---|---|
//! | `// judge: same (REASON)` | there is a marker, and yet the runs are the same |
//! | `// judge: race` | there is a marker, and ThreadSanitizer sees a race in one of the shapes |
//! | `// judge: no race` | there is no marker, the runs are the same, and no shape has a race |
//! | `// compiler: clang` | gcc 12 does not know the syntax, and is not asked for warnings |
//!
//! Programs with OpenACC directives run on gcc's second memory. One run says nothing about other data or other sizes:
//! that a program without a marker is right for all of them has to be seen in its text.
//!
//! `FERRY_PROGRAMS` takes words; only programs whose names contain one of them are run. With `FERRY_SAY` set, what was
//! seen of each defect is printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ferry_judges::compare::difference;
use ferry_judges::compilers::Language;
use ferry_judges::gcc_memory::{DeviceCode, GccMemory};
use ferry_judges::process::{COMPILE_LIMIT, run};
use ferry_judges::races::{Races, SHAPES};
use ferry_judges::second_memory::{Observed, Settings};
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::together::Together;
use ferry_judges::{Error, Program, Toolchain, on_two_threads};

/// Marks the line where the wrong value is observed.
const MARKER: &str = "// finds:";
/// So many programs are linked together; more would let one of two threads wait at the end.
const GROUP: usize = 12;
/// How often a program with a race is run in each shape before it counts as one without.
const ROUNDS_FOR_A_RACE: usize = 12;

/// What a run can show of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shows {
    /// The runs differ exactly if there is a marker.
    Difference,
    /// The runs are the same although there is a marker, for this reason.
    Nothing(String),
    /// There is a race exactly if there is a marker.
    Race,
}

/// A program with its label.
struct Labelled {
    name: String,
    path: PathBuf,
    /// The rules and objects of its markers; none if it is right.
    found: Vec<(String, String)>,
    shows: Shows,
    openacc: bool,
    only_clang: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_below(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// Reads the markers and the header of one program.
fn read(name: &str, path: &Path, text: &str) -> Result<Labelled, String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some((_, marker)) = line.split_once(MARKER) else {
            continue;
        };
        for part in marker.split(';') {
            match part.split_whitespace().collect::<Vec<_>>().as_slice() {
                [rule, object] => found.push(((*rule).to_owned(), (*object).to_owned())),
                _ => return Err(format!("`{}` is not a rule and an object", part.trim())),
            }
        }
    }
    let header: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
    if header.is_empty() {
        return Err("the first line does not say what the program shows".to_owned());
    }
    let value = |key: &str| {
        header
            .iter()
            .find_map(|line| line.strip_prefix(key))
            .map(str::trim)
    };
    let shows = match (value("// judge:"), found.is_empty()) {
        (None, _) => Shows::Difference,
        (Some("race"), false) | (Some("no race"), true) => Shows::Race,
        (Some(words), false) => match words
            .strip_prefix("same (")
            .and_then(|rest| rest.strip_suffix(')'))
        {
            Some(reason) => Shows::Nothing(reason.to_owned()),
            None => return Err(format!("`judge: {words}` is none of the known lines")),
        },
        (Some(words), true) => return Err(format!("`judge: {words}` in a program without a marker")),
    };
    Ok(Labelled {
        name: name.to_owned(),
        path: path.to_path_buf(),
        found,
        shows,
        openacc: text.contains("#pragma acc"),
        only_clang: value("// compiler:") == Some("clang"),
    })
}

/// The one block of C below a heading of a page.
fn block<'a>(page: &'a str, heading: &str) -> Result<&'a str, String> {
    let section = page
        .split_once(&format!("\n## {heading}\n"))
        .ok_or(format!("there is no section `## {heading}`"))?
        .1;
    let section = section.split("\n## ").next().unwrap_or(section);
    let mut blocks = section.split("```c\n").skip(1);
    match (
        blocks.next().and_then(|rest| rest.split_once("```")),
        blocks.next(),
    ) {
        (Some((code, _)), None) => Ok(code),
        _ => Err(format!("`## {heading}` does not have exactly one block of C")),
    }
}

/// The programs of `tests/checks`, and those on the pages, which are written to `folder`; and what is wrong with their
/// labels as they stand there.
fn labelled(folder: &Path) -> (Vec<Labelled>, BTreeSet<String>, Vec<String>) {
    let (mut programs, mut rules, mut wrong) = (Vec::new(), BTreeSet::new(), Vec::new());
    let mut take = |name: &str, path: &Path, text: &str, wrong: &mut Vec<String>| match read(name, path, text)
    {
        Ok(program) => programs.push(program),
        Err(why) => wrong.push(format!("{name}: {why}")),
    };
    let mut paths = Vec::new();
    files_below(&root().join("crates/checks/pages"), "md", &mut paths);
    for path in paths {
        let rule = path.file_stem().unwrap().to_string_lossy().into_owned();
        let page = fs::read_to_string(&path).unwrap();
        if page.lines().next() != Some(&format!("# {rule}")) {
            wrong.push(format!("{rule}.md: the title is not the rule's name"));
        }
        for heading in ["How sure", "Fix and its safety"] {
            if !page.contains(&format!("\n## {heading}\n")) {
                wrong.push(format!("{rule}.md: there is no section `## {heading}`"));
            }
        }
        for heading in ["Wrong", "Right"] {
            let name = format!("pages/{rule} {}", heading.to_lowercase());
            match block(&page, heading) {
                Ok(code) => {
                    if code.contains(&format!("{MARKER} {rule} ")) != (heading == "Wrong") {
                        wrong.push(format!(
                            "{name}: only the wrong program has a marker, and it is of this rule"
                        ));
                    }
                    let file = folder.join(format!("{rule}-{}.c", heading.to_lowercase()));
                    fs::write(&file, code).unwrap();
                    take(&name, &file, code, &mut wrong);
                }
                Err(why) => wrong.push(format!("{rule}.md: {why}")),
            }
        }
        rules.insert(rule);
    }
    let checks = root().join("tests/checks");
    let mut paths = Vec::new();
    files_below(&checks, "c", &mut paths);
    for path in paths {
        let name = path
            .strip_prefix(&checks)
            .unwrap()
            .with_extension("")
            .display()
            .to_string();
        let text = fs::read_to_string(&path).unwrap();
        if name.ends_with("_clean") == text.contains(MARKER) && name.split('/').next() != Some("paper") {
            let clean = name.split('/').next() == Some("clean");
            if !clean || text.contains(MARKER) {
                wrong.push(format!("{name}: the name says the opposite of the markers"));
            }
        }
        take(&name, &path, &text, &mut wrong);
    }
    for program in &programs {
        for (rule, _) in &program.found {
            if !rules.contains(rule) {
                wrong.push(format!("{}: the rule {rule} has no page", program.name));
            }
        }
    }
    (programs, rules, wrong)
}

/// What gcc and clang say of the program with its directives; a test program has to compile without warnings.
fn warnings(labelled: &Labelled, of_clang: &str) -> Result<Option<String>, Error> {
    if !of_clang.trim().is_empty() {
        return Ok(Some(format!("clang warns: {}", of_clang.trim())));
    }
    if labelled.only_clang {
        return Ok(None);
    }
    let mut command = Command::new(&Toolchain::find()?.gcc);
    let flag = if labelled.openacc { "-fopenacc" } else { "-fopenmp" };
    command.args(["-Wall", "-fsyntax-only", flag]).arg(&labelled.path);
    let said = run(&mut command, COMPILE_LIMIT)?.stderr;
    Ok((!said.trim().is_empty()).then(|| format!("gcc warns: {}", said.trim())))
}

/// The race that one of so many rounds shows. Which thread comes when is chance, so that a round may miss one.
fn race(program: &Program, rounds: usize) -> Result<Option<String>, Error> {
    let races = Races::build(program)?;
    for shape in SHAPES.into_iter().cycle().take(rounds * SHAPES.len()) {
        if let Some(race) = races.run(&[], shape)? {
            return Ok(Some(race));
        }
    }
    Ok(None)
}

/// Runs the programs of one group; what contradicts each one's label.
fn judge_group(group: &[&Labelled]) -> Vec<Result<Vec<String>, Error>> {
    let sources: Vec<Program> = group
        .iter()
        .map(|one| Program::new(&one.path).with_flags(["-Wall"]))
        .collect();
    if group.first().is_some_and(|one| one.openacc) {
        let run =
            |program: &Program| GccMemory::build(program, Language::OpenAcc, DeviceCode::LeftOut)?.run(&[]);
        let judged = group
            .iter()
            .zip(&sources)
            .map(|(one, program)| judge(one, &run(program)?, ""));
        return judged.collect();
    }
    let together = match Together::build(&sources) {
        Ok(together) => together,
        Err(error) => return vec![Err(error)],
    };
    let run = |(index, one): (usize, &&Labelled)| {
        judge(
            one,
            &together.run(index, &Settings::default())?,
            together.messages(index),
        )
    };
    group.iter().enumerate().map(run).collect()
}

/// What contradicts a program's label, after it ran with its directives.
fn judge(labelled: &Labelled, observed: &Observed, messages: &str) -> Result<Vec<String>, Error> {
    let program = Program::new(&labelled.path);
    let sequential = Sequential::build(&program, Compiler::Gcc)?.run(&[])?;
    let mut wrong = Vec::new();
    if !sequential.success() || sequential.stdout.is_empty() {
        wrong.push("without directives it does not end well, or prints nothing".to_owned());
    }
    let defect = !labelled.found.is_empty();
    let seen = difference(&sequential, &observed.outcome).or_else(|| observed.violations.first().cloned());
    wrong.extend(warnings(labelled, messages)?);
    match (&labelled.shows, defect, &seen) {
        (Shows::Difference, true, None) => {
            wrong.push("it has a marker, but runs as without directives".to_owned())
        }
        (Shows::Nothing(reason), _, Some(seen)) => {
            wrong.push(format!("nothing should be seen ({reason}), but: {seen}"));
        }
        (_, false, Some(seen)) => wrong.push(format!("it has no marker, but: {seen}")),
        _ => {}
    }
    if labelled.shows == Shows::Race {
        let rounds = if defect { ROUNDS_FOR_A_RACE } else { 1 };
        match (defect, race(&program, rounds)?) {
            (true, None) => wrong.push("it has a marker, but no race was seen".to_owned()),
            (false, Some(race)) => wrong.push(format!("it has no marker, but {race}")),
            _ => {}
        }
    }
    if let (true, Ok(_)) = (defect, std::env::var("FERRY_SAY")) {
        println!(
            "{}: {}",
            labelled.name,
            seen.as_deref().unwrap_or("no difference")
        );
    }
    Ok(wrong
        .into_iter()
        .map(|why| format!("{}: {why}", labelled.name))
        .collect())
}

/// Groups for two threads. Neighbours are in different ones, as twins may define the same names.
fn groups(programs: &[Labelled]) -> Vec<Vec<&Labelled>> {
    let (openacc, openmp): (Vec<&Labelled>, Vec<&Labelled>) =
        programs.iter().partition(|program| program.openacc);
    let mut groups = vec![openacc];
    let count = openmp.len().div_ceil(GROUP);
    groups.extend((0..count).map(|first| openmp.iter().skip(first).step_by(count).copied().collect()));
    groups
}

/// How many programs each rule has: with a defect, and in its folder without.
fn table(programs: &[Labelled]) -> String {
    let mut rows: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for program in programs {
        let folder = program.name.split('/').next().unwrap_or_default();
        let row = rows.entry(folder).or_default();
        if program.found.is_empty() {
            row.1 += 1
        } else {
            row.0 += 1
        }
    }
    let lines = rows
        .iter()
        .map(|(folder, (defects, clean))| format!("{folder}: {defects} with a defect, {clean} without"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn labels_are_what_runs_show() {
    let folder = tempfile::tempdir().unwrap();
    let (mut programs, rules, mut wrong) = labelled(folder.path());
    let only = std::env::var("FERRY_PROGRAMS").ok();
    if let Some(words) = &only {
        programs.retain(|program| words.split_whitespace().any(|word| program.name.contains(word)));
    } else {
        for rule in &rules {
            let of_rule = |defect: bool| {
                let own = programs
                    .iter()
                    .filter(|program| program.name.starts_with(&format!("{rule}/")));
                own.filter(|program| program.found.is_empty() != defect).count()
            };
            if of_rule(true) < 2 || of_rule(false) < 1 {
                wrong.push(format!(
                    "{rule}: at least two programs with the defect and one without are asked for"
                ));
            }
        }
    }
    println!("{}", table(&programs));
    let groups = groups(&programs);
    let jobs = groups.iter().map(|group| {
        Box::new(move || judge_group(group)) as Box<dyn FnOnce() -> Vec<Result<Vec<String>, Error>> + Send>
    });
    for result in on_two_threads(jobs.collect()).into_iter().flatten() {
        match result {
            Ok(found) => wrong.extend(found),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} labels or programs are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn labels_are_read() {
    let text = "// Shows: a leak.\n// judge: same (nothing is read)\nint main(void)\n{\n    f(); // finds: enter-without-exit a; stale-host-read s.b\n}\n";
    let program = read("a", Path::new("a.c"), text).unwrap();
    assert_eq!(program.shows, Shows::Nothing("nothing is read".to_owned()));
    assert_eq!(program.found[1], ("stale-host-read".to_owned(), "s.b".to_owned()));
    assert!(
        read(
            "a",
            Path::new("a.c"),
            "// x\n// judge: same\nf(); // finds: a b\n"
        )
        .is_err()
    );
    assert!(read("a", Path::new("a.c"), "// x\n// judge: race\nf();\n").is_err());
    assert!(read("a", Path::new("a.c"), "// x\nf(); // finds: a\n").is_err());
    assert!(read("a", Path::new("a.c"), "int main(void) { return 0; }\n").is_err());
}
