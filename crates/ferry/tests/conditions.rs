//! Do the run-time conditions that `annotate` writes come out true and false, and true on the ordinary call?
//!
//! Every condition in the annotated text of a program is made to report its outcome, and the program runs on the host.
//! A condition that is never true would keep a loop from the device for ever and no other judge would mind; one that is
//! never false would be a needless test. Of conditions on values only the first is asked, of any
//! call: most say that there are elements at all, and first calls are not all ordinary.

use crate::common;

use common::{Program, annotate, programs, stderr};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

/// A structure against the storage that its members lead to, and that against other arrays.
const NOT_TO_ITSELF: &str =
    "no call of the program lets a member lead to its own structure, or to another array of the kernel";
const NOT_IN_PART: &str = "arrays that are only read, among others: that two of them overlap in part is what no call of the program does";
const NOT_ALL: &str = "no call of the program lets two of these arrays overlap";

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
        "exchanged/buffers 8",
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
    ("calls/strips 1", "first true yes true no false", NOT_TO_ITSELF),
    ("calls/strips 2", "first true yes true no false", NOT_TO_ITSELF),
    ("calls/strips 3", "first true yes true no false", NOT_TO_ITSELF),
    ("hoisted/boxes 1", "first true yes true no false", NOT_TO_ITSELF),
    (
        "nested/convolution 3",
        "first true yes true no false",
        NOT_TO_ITSELF,
    ),
    (
        "nested/convolution 4",
        "first true yes true no false",
        NOT_TO_ITSELF,
    ),
    (
        "nested/grid_macros 2",
        "first true yes true no false",
        NOT_TO_ITSELF,
    ),
    ("nested/members 7", "first true yes true no false", NOT_TO_ITSELF),
    ("nested/unsaid 1", "first true yes true no false", NOT_TO_ITSELF),
    (
        "reductions/members 1",
        "first true yes true no false",
        NOT_TO_ITSELF,
    ),
    ("linearised/3mm 1", "first true yes true no false", NOT_IN_PART),
    ("polybench/bicg 1", "first true yes true no false", NOT_IN_PART),
    ("polybench/gesummv 1", "first true yes true no false", NOT_IN_PART),
    (
        "ipda/collapsed_product 2",
        "first true yes true no false",
        NOT_IN_PART,
    ),
    ("globals/pointers 1", "first true yes true no false", NOT_ALL),
    (
        "regions/chosen_pointers 2",
        "first true yes true no false",
        NOT_ALL,
    ),
    ("sparse/rows 3", "first true yes true no false", NOT_ALL),
    (
        "pairs/member_pointers 1",
        "first false yes false no true",
        "the members lead to one array: that is what it is about",
    ),
    (
        "pairs/member_pointers_twin 1",
        "first true yes true no false",
        "the twin's members lead to two arrays, in its only call",
    ),
    (
        "nested/members 6",
        "first false yes true no true",
        "the member is NULL in the first call",
    ),
    (
        "pairs/sign_of_bytes value 1",
        "first false yes false no true",
        "the only call moves by minus one: that is what it is about",
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

/// True for a condition that compares addresses, or asks what a pass over values has found: it has to come out both ways.
/// The others, of values, are mostly what must hold for sections to be there (`n > 0`), which ordinary calls always fulfil.
fn is_doubt(condition: &str) -> bool {
    condition.contains("(uintptr_t)") || condition.ends_with("_increases")
}

/// Puts a counter into each condition that was inserted into a text, and gives the conditions. Those that ask in a kernel which
/// iteration it is (`i == i_last`) are left alone. Lines stay lines: some are directives of the preprocessor.
fn instrument(old: &str, text: &str, places: &mut Vec<String>) -> String {
    let old: BTreeSet<&str> = old.lines().map(str::trim).collect();
    let mut result = String::from("extern int ferry_seen(int, int);\n#line 1\n");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let begin = line.trim().strip_prefix("if (");
        let Some(begin) = begin.filter(|_| !old.contains(line.trim())) else {
            result.push_str(line);
            result.push('\n');
            continue;
        };
        // What is added has its brace at the end of the condition.
        let mut whole = vec![begin];
        let mut rest = lines.clone();
        while !whole.last().unwrap().ends_with('{') {
            let Some(more) = rest.next().filter(|more| !more.trim().starts_with('#')) else {
                break;
            };
            whole.push(more.trim());
        }
        let condition = whole.join("\n");
        match condition
            .strip_suffix(") {")
            .filter(|condition| !condition.contains("_last"))
        {
            Some(condition) => {
                lines = rest;
                result.push_str(&format!(
                    "if (ferry_seen({}, ({condition}) != 0)) {{\n",
                    places.len()
                ));
                places.push(condition.replace('\n', " "));
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
        let old = std::fs::read_to_string(file).unwrap();
        std::fs::write(&new, instrument(&old, &text, &mut places)).unwrap();
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
    let (mut doubts, mut values, mut both) = (0, 0, 0);
    for program in &programs {
        let found = match outcomes(program) {
            Ok(found) => found,
            Err(why) => {
                failures.push(format!("{}: {why}", program.name));
                continue;
            }
        };
        let (mut doubt, mut value) = (0, 0);
        for (text, seen) in &found {
            let comes_both_ways = seen.first && seen.yes > 0 && seen.no > 0;
            let (key, good) = match is_doubt(text) {
                true => {
                    doubts += 1;
                    doubt += 1;
                    (format!("{} {doubt}", program.name), comes_both_ways)
                }
                false => {
                    values += 1;
                    value += 1;
                    both += usize::from(comes_both_ways);
                    let is_reached = seen.yes + seen.no > 0;
                    (
                        format!("{} value {value}", program.name),
                        seen.yes > 0 || !is_reached,
                    )
                }
            };
            let known = KNOWN.iter().find(|(place, _, _)| *place == key);
            let short = format!("first {} yes {} no {}", seen.first, seen.yes > 0, seen.no > 0);
            match known {
                None if !good => failures.push(format!("{key}: {short}: {text}")),
                Some(_) if good => failures.push(format!("{key}: listed, and is as it should be")),
                Some((_, outcomes, _)) if *outcomes != short => {
                    failures.push(format!("{key}: {short}, listed as {outcomes}: {text}"));
                }
                _ => {}
            }
        }
    }
    assert!(
        failures.is_empty(),
        "of {doubts} conditions on addresses and orders and {values} on values ({both} both ways):\n{}",
        failures.join("\n")
    );
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(doubts > 100, "only {doubts} conditions on addresses and orders");
        assert!(
            both > 60,
            "only {both} of {values} conditions on values come out both ways"
        );
    }
}

#[test]
fn a_condition_is_found_in_the_text() {
    let mut places = Vec::new();
    let text = "    if ((uintptr_t)x <= (uintptr_t)y) {\n    if (n) {\n    if (m > 0\n        && x_increases) {\n    if (i == i_last) {\n";
    let new = instrument("if (n) {\n", text, &mut places);
    assert_eq!(places, ["(uintptr_t)x <= (uintptr_t)y", "m > 0 && x_increases"]);
    let written = "if (ferry_seen(0, ((uintptr_t)x <= (uintptr_t)y) != 0)) {\n    if (n) {\nif (ferry_seen(1, (m > 0\n&& x_increases) != 0)) {\n    if (i == i_last) {\n";
    assert!(new.ends_with(written), "{new}");
}
