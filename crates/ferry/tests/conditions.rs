//! Do the run-time conditions that `annotate` writes come out true and false, and true on the ordinary call?
//!
//! Every condition in the annotated text of a program is made to report its outcome, and the program runs on the host.
//! A condition that is never true would keep a loop from the device for ever and no other judge would mind; one that is
//! never false would be a needless test.

use crate::common;

use common::{Program, annotate, programs, stderr};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// Conditions with one outcome in their program, or whose first call is not the ordinary one: the program and the number of
/// the condition in it, its outcomes, and why.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "atomic/histogram 1",
        "first true yes true no false",
        "no program may let an int and a double overlap; the sections might",
    ),
    (
        "dawncc/mri_q 1",
        "first true yes true no false",
        "no program may let members of these two types overlap; the sections might",
    ),
    (
        "dawncc/saxpy_offsets 1",
        "first true yes true no false",
        "no program may let an int and a float overlap; the sections might",
    ),
    (
        "rows/matrices 1",
        "first true yes true no false",
        "two arrays of pointers of `main`, one copied into the other: no run lets them overlap",
    ),
    (
        "rows/matrices 2",
        "first true yes true no false",
        "two arrays of pointers of `main`, one copied into the other: no run lets them overlap",
    ),
    (
        "polybench/syr2k 1",
        "first true yes true no false",
        "two arrays that are only read: their sections must not overlap in part, which no call of the program does",
    ),
    (
        "hostile/nested_continue 1",
        "first true yes true no false",
        "two arrays that are only read: their sections must not overlap in part, which no call of the program does",
    ),
    (
        "nested/convolution 1",
        "first true yes true no false",
        "no call of the program lets a pointer in a structure point to the structure",
    ),
    (
        "exchanged/buffers 2",
        "first true yes true no false",
        "storage that the function allocates, by pointers that a loop has exchanged: no call can let it overlap",
    ),
    (
        "pairs/hidden_alias 1",
        "first false yes false no true",
        "the global pointer leads to the array: that is what it is about",
    ),
    (
        "pairs/hidden_alias_twin 1",
        "first true yes true no false",
        "the twin's global pointer leads to another array, in its only call",
    ),
    (
        "pairs/overlapping_pointers 1",
        "first false yes false no true",
        "the only call of the program overlaps: that is what it is about",
    ),
];

/// Reports, at the end, for each place: the first outcome, and how often it was true and false.
const COUNTER: &str = r#"
#include <stdio.h>
static struct { int first, yes, no; } seen[1000];
int ferry_seen(int place, int yes)
{
    if (seen[place].yes + seen[place].no == 0)
        seen[place].first = yes;
    yes ? seen[place].yes++ : seen[place].no++;
    return yes;
}
__attribute__((destructor)) static void ferry_tell(void)
{
    for (int place = 0; place < 1000; place++)
        if (seen[place].yes + seen[place].no > 0)
            fprintf(stderr, "ferry_seen %d: %d %d %d\n", place, seen[place].first, seen[place].yes, seen[place].no);
}
"#;

/// What a condition did in one run.
#[derive(Clone, Copy, Default, Debug)]
struct Outcomes {
    first: bool,
    yes: u64,
    no: u64,
}

/// True for the condition of an annotated text: one that compares addresses, or asks what a pass over values has found.
fn is_inserted(condition: &&str) -> bool {
    condition.contains("(uintptr_t)") || condition.ends_with("_increases")
}

/// Puts a counter into each condition that was inserted; gives the line of each in the annotated text.
fn instrument(text: &str, places: &mut Vec<String>) -> String {
    let mut result = String::from("extern int ferry_seen(int, int);\n#line 1\n");
    for line in text.lines() {
        let trimmed = line.trim_start();
        let condition = trimmed
            .strip_prefix("if (")
            .and_then(|rest| rest.strip_suffix(") {"))
            .filter(is_inserted);
        match condition {
            Some(condition) => {
                result.push_str(&format!("if (ferry_seen({}, {condition})) {{\n", places.len()));
                places.push(condition.to_owned());
            }
            None => {
                result.push_str(line);
                result.push('\n');
            }
        }
    }
    result
}

fn outcomes(program: &Program) -> Result<Vec<(String, Outcomes)>, String> {
    let folder = tempfile::tempdir().unwrap();
    annotate(program, folder.path(), &[], &[])?;
    let mut places = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    for file in &program.files {
        let new = folder.path().join(file.file_name().unwrap());
        let text = std::fs::read_to_string(&new).unwrap();
        std::fs::write(&new, instrument(&text, &mut places)).unwrap();
        files.push(new);
    }
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let counter = folder.path().join("ferry_counter.c");
    std::fs::write(&counter, COUNTER).unwrap();
    files.push(counter);
    let binary = folder.path().join("counted");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-fopenmp", "-foffload=disable", "-w", "-o"])
        .arg(&binary)
        .args(&files)
        .args(&program.flags)
        .args(program.libraries.iter().map(|library| format!("-l{library}")))
        .output()
        .unwrap();
    if !compiled.status.success() {
        return Err(stderr(&compiled));
    }
    let run = Command::new(&binary)
        .current_dir(folder.path())
        .env("OMP_WAIT_POLICY", "passive")
        .output()
        .unwrap();
    let mut found: BTreeMap<usize, Outcomes> = BTreeMap::new();
    for line in stderr(&run).lines() {
        let Some((place, counts)) = line
            .strip_prefix("ferry_seen ")
            .and_then(|rest| rest.split_once(": "))
        else {
            continue;
        };
        let counts: Vec<u64> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
        let seen = Outcomes {
            first: counts[0] == 1,
            yes: counts[1],
            no: counts[2],
        };
        found.insert(place.parse().unwrap(), seen);
    }
    let seen = |number: usize| found.get(&number).copied().unwrap_or_default();
    Ok(places
        .into_iter()
        .enumerate()
        .map(|(number, text)| (text, seen(number)))
        .collect())
}

#[test]
fn conditions_come_out_both_ways() {
    let programs = programs();
    let mut failures = Vec::new();
    let mut conditions = 0;
    for program in &programs {
        let found = match outcomes(program) {
            Ok(found) => found,
            Err(why) => {
                failures.push(format!("{}: {why}", program.name));
                continue;
            }
        };
        for (number, (text, seen)) in found.iter().enumerate() {
            conditions += 1;
            let key = format!("{} {}", program.name, number + 1);
            let good = seen.first && seen.yes > 0 && seen.no > 0;
            let known = KNOWN.iter().find(|(place, _, _)| *place == key);
            let short = format!("first {} yes {} no {}", seen.first, seen.yes > 0, seen.no > 0);
            match known {
                None if !good => failures.push(format!("{key}: {short}: {text}")),
                Some((_, outcomes, _)) if *outcomes != short => {
                    failures.push(format!("{key}: {short}, listed as {outcomes}: {text}"));
                }
                _ => {}
            }
        }
    }
    assert!(
        failures.is_empty(),
        "of {conditions} conditions:\n{}",
        failures.join("\n")
    );
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(conditions > 12, "only {conditions} conditions");
    }
}

#[test]
fn a_condition_is_found_in_the_text() {
    let mut places = Vec::new();
    let text = "    if ((uintptr_t)x <= (uintptr_t)y) {\n    if (n) {\n    if (x_increases) {\n";
    let new = instrument(text, &mut places);
    assert_eq!(places, ["(uintptr_t)x <= (uintptr_t)y", "x_increases"]);
    assert!(new.contains("if (ferry_seen(0, (uintptr_t)x <= (uintptr_t)y)) {\n    if (n) {\n"));
}
