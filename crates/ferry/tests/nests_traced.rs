//! Is what `ferry report` says of generated nests true when clang compiles them and every access is traced? Judges 3 and 4 of `nests_hold` (crates/analysis) stand on the interpreter;
//! this one shares nothing with the front end. Many nests are one file, so that compiling is cheap.

use crate::common;
#[path = "../../analysis/tests/common/defined.rs"]
mod defined;

use common::{ferry, status, stderr, stdout, valid_json};
use defined::defined_calls;
use ferry_frontend::{Job, Options, load};
use ferry_judges::generate::{Nest, nest, program};
use ferry_judges::trace::sections::Compared;
use ferry_judges::trace::verdicts::{Circumstances, against_report};
use ferry_judges::{Program, on_two_threads};
use ferry_source::Sources;

/// Nests in one file.
const TOGETHER: u64 = 50;
/// Files.
const FILES: u64 = 6;

/// What the trace and a report are known not to agree on: the nest, a part of what is said, and why.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "seed 96:",
        "dependence on `g2`",
        "a reduction into `g2[3][(m + 4*i) & 1]`, which is one element: the report names it by the counter, which is not visible before the loop",
    ),
    (
        "seed 286:",
        "`n` is lastprivate",
        "only the first part of the loop reads it (`i4 = n - 1`), which is before the loop",
    ),
];

/// What speaks against the report of these nests, and how much was compared.
fn check(first: u64) -> Result<(Vec<String>, usize, Compared), String> {
    let nests: Vec<Nest> = (first..first + TOGETHER).map(nest).collect();
    let made = program(&nests);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("nests.c");
    std::fs::write(&path, &made.text).map_err(|error| error.to_string())?;
    let mut sources = Sources::new();
    let loaded = load(&mut sources, &[Job::new(&path, &[])], &Options::default());
    let mut units = Vec::new();
    for unit in loaded.units {
        units.push(unit.unit.map_err(|findings| format!("{findings:?}"))?);
    }
    let (go, _) = ferry_frontend::clang::on_large_stack(|| defined_calls(&units, made.calls.len()))
        .map_err(|error| format!("{error:?}"))??;
    let output = ferry(["report", "--format", "json", &path.display().to_string()].map(str::to_owned));
    if status(&output) != 0 {
        return Err(stderr(&output));
    }
    let report = valid_json(&stdout(&output));
    let judged = Program::new(&path);
    let circumstances = Circumstances::Unconditional;
    let found = against_report(&judged, &[go], &report, circumstances).map_err(|error| error.to_string())?;
    let against = found.against.into_iter().filter_map(|why| {
        let line = why.split(':').nth(1).and_then(|line| line.parse::<u32>().ok());
        let own = line.and_then(|line| {
            made.lines
                .iter()
                .position(|(from, to)| (*from..=*to).contains(&line))
        });
        let nest = own.and_then(|own| nests.get(own))?;
        Some(format!("seed {}: {why}", nest.seed))
    });
    Ok((against.collect(), found.parallel, found.sections))
}

#[test]
fn reports_of_generated_nests_are_true_in_compiled_runs() {
    type Work = Box<dyn FnOnce() -> Result<(Vec<String>, usize, Compared), String> + Send>;
    let jobs: Vec<Work> = (0..FILES)
        .map(|number| Box::new(move || check(1 + number * TOGETHER)) as Work)
        .collect();
    let mut against = Vec::new();
    let (mut parallel, mut sets, mut exact) = (0, 0, 0);
    for result in on_two_threads(jobs) {
        match result {
            Ok((lines, loops, compared)) => {
                against.extend(lines);
                parallel += loops;
                sets += compared.sets;
                exact += compared.exact;
            }
            Err(why) => against.push(why),
        }
    }
    against.retain(|line: &String| {
        let known = |(seed, part, _): &(&str, &str, &str)| line.starts_with(seed) && line.contains(part);
        !KNOWN.iter().any(known)
    });
    println!("{parallel} parallel loops, {sets} sets of touched bytes, {exact} of them as exact");
    assert!(against.is_empty(), "{}", against.join("\n"));
    // A judge that compares nothing finds nothing.
    assert!(
        parallel > 100 && sets > 1_000 && exact > 300,
        "{parallel} {sets} {exact}"
    );
}
