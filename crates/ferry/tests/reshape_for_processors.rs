//! Does `ferry reshape --target cpu` take out a `collapse` that hurts on a processor, and no other?
//!
//! What is written runs beside the original, sequentially, on the second memory and under race detection.

use crate::common;

use common::{done, ferry, status, stderr, stdout, with};
use ferry_judges::compare::difference;
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::{Expectations, Program, judge};
use std::path::Path;

#[test]
fn the_program_does_what_it_did() {
    let path = common::folder("tests/reshape/cpu/collapsed.c");
    let text = std::fs::read_to_string(&path).unwrap();
    let wanted: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("// done: "))
        .collect();
    assert!(wanted.len() >= 6);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = ferry(["reshape", "--target", "cpu", "-o", to, path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(done(&stderr(&output)), wanted);
    let new = folder.path().join("collapsed.c");
    let run = |path: &Path| {
        let built = Sequential::build(&Program::new(path), Compiler::Gcc).unwrap();
        built.run(&[]).unwrap()
    };
    let (before, after) = (run(&path), run(&new));
    assert!(before.success() && !before.stdout.is_empty());
    assert_eq!(difference(&before, &after), None);
    let expectations = Expectations {
        compilers: false,
        ..Expectations::default()
    };
    let verdict = judge(&Program::new(&path), &Program::new(&new), &expectations).unwrap();
    assert!(verdict.passed(), "{verdict}");
    let again = ferry(["reshape", "--target", "cpu", "--diff", new.to_str().unwrap()]);
    assert_eq!((status(&again), stdout(&again)), (0, String::new()));
}

fn reshaped(text: &str, options: &[&str]) -> (String, String) {
    let folder = with(text);
    let path = folder.path().join("a.c");
    let mut arguments = vec!["reshape", "--target", "cpu"];
    arguments.extend(options);
    arguments.push(path.to_str().unwrap());
    let output = ferry(arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

fn nest(clauses: &str, heads: &str, body: &str) -> String {
    format!(
        "float a[80][80][80];
int n, m;
void f(float *restrict p)
{{
    float last;
#pragma omp parallel for{clauses}
    {heads}
        {body}
}}
"
    )
}

const THREE: &str = "for (int k = 0; k < 80; k++) for (int j = 0; j < 80; j++) for (int i = 0; i < 80; i++)";
const UNKNOWN: &str = "for (int j = 0; j < n; j++) for (int i = 0; i < m; i++)";

/// The fewest loops that have enough iterations, whatever the cores.
#[test]
fn so_many_loops_as_cores_need() {
    let text = nest(" collapse(3)", THREE, "a[k][j][i] += 1;");
    let depth = |cores: &str| {
        let (new, _) = reshaped(&text, &["--cores", cores]);
        let pragma = new.lines().find(|line| line.starts_with("#pragma")).unwrap();
        pragma.to_owned()
    };
    assert_eq!(depth("80"), "#pragma omp parallel for");
    assert_eq!(depth("81"), "#pragma omp parallel for collapse(2)");
    assert_eq!(depth("6400"), "#pragma omp parallel for collapse(2)");
    assert_eq!(depth("6401"), "#pragma omp parallel for collapse(3)");
}

/// Two loops of these three would have enough iterations, but still write one line.
#[test]
fn a_depth_that_shares_lines_too_is_no_better() {
    let heads = "for (int k = 0; k < 80; k++) for (int j = 0; j < 80; j++) for (int i = 0; i < 4; i++)";
    let text = nest(" collapse(3)", heads, "short_rows[k][j][i] = i;")
        .replace("int n", "float short_rows[80][80][4];\nint n");
    assert_eq!(
        reshaped(&text, &["--cores", "6400"]),
        (text.clone(), String::new())
    );
    let (new, _) = reshaped(&text, &["--cores", "80"]);
    assert!(new.contains("parallel for\n"), "{new}");
}

#[test]
fn what_is_taken_to_hold_is_listed() {
    let text = nest(" collapse(2)", UNKNOWN, "p[j * m + i] = 1;");
    let (new, said) = reshaped(&text, &[]);
    assert!(new.contains("parallel for\n"), "{new}");
    assert!(
        said.contains("write p[j * m + i] 4*m bytes apart instead of 4"),
        "{said}"
    );
    assert!(
        said.contains("assuming that 4*m bytes are at least a line of 64"),
        "{said}"
    );
    assert!(said.contains("iterations are enough for 64 cores"), "{said}");
    let text = nest(" collapse(3)", THREE, "a[k][j][i] += 1;");
    assert!(!reshaped(&text, &[]).1.contains("assuming"));
}

/// What would be another program, or is no better, each with the reason.
#[test]
fn what_must_stay_stays() {
    let cases = [
        (
            "it reads only",
            nest(" collapse(2)", UNKNOWN, "if (p[j * m + i] > 2) n = n;").replace("n = n", ";"),
        ),
        (
            "the order of iterations matters",
            nest(" collapse(3) ordered", THREE, "a[k][j][i] += 1;"),
        ),
        (
            "it names a loop variable",
            nest(" collapse(3) lastprivate(i)", THREE, "a[k][j][i] += 1;")
                .replace("int i = 0", "i = 0")
                .replace("float last;", "float last; int i;"),
        ),
        (
            "a prefix sum is of the innermost loop",
            nest(
                " collapse(3) reduction(inscan, +: last)",
                THREE,
                "{\nlast += 1;\n#pragma omp scan inclusive(last)\na[k][j][i] = last;\n}",
            ),
        ),
        (
            "columns are apart already",
            nest(" collapse(2)", UNKNOWN, "a[i][j][0] = 1;"),
        ),
        (
            "where it writes is not known",
            nest(" collapse(2)", UNKNOWN, "p[(int)a[j][i][0]] = 1;"),
        ),
        (
            "a vector wants its loop",
            nest(" collapse(2) linear(last)", UNKNOWN, "p[j * m + i] = 1;"),
        ),
    ];
    for (why, text) in cases {
        let (new, said) = reshaped(&text, &[]);
        assert_eq!((new, said.as_str()), (text, ""), "{why}");
    }
}

#[test]
fn wrong_options_are_refused() {
    let folder = with("void f(void) {}\n");
    let path = folder.path().join("a.c");
    for options in [
        ["--target", "cpu", "--gpu", "v100"].as_slice(),
        &["--cores", "8"],
        &["--target", "cpu", "--cores", "0"],
        &["--target", "phone"],
    ] {
        let mut arguments = vec!["reshape"];
        arguments.extend(options);
        arguments.push(path.to_str().unwrap());
        let output = ferry(arguments);
        assert_eq!(status(&output), 2, "{options:?}");
        assert!(
            stdout(&output).is_empty() && stderr(&output).contains("error"),
            "{options:?}"
        );
    }
}
