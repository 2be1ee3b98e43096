//! Which arrays may a clause make private, and what is said of the others?

use crate::common;

use common::{ferry, status, stderr, stdout};
use std::fs;

/// The annotated text and the summary of a source.
fn annotated(text: &str, more: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    fs::write(&path, text).unwrap();
    let arguments = ["annotate", &path.display().to_string(), "--all"].map(str::to_owned);
    let output = ferry(
        arguments
            .into_iter()
            .chain(more.iter().map(|&more| more.to_owned())),
    );
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// A loop over `n` rows that fills `row` and uses it; `declaration` says what that is.
fn rows(declaration: &str, length: &str) -> String {
    format!(
        "void f(int n, int m, const double *restrict in, double *restrict out)
{{
    {declaration};
    for (int i = 0; i < n; i++) {{
        for (int j = 0; j < {length}; j++)
            row[j] = in[i * {length} + j];
        for (int j = 0; j < {length}; j++)
            out[i * {length} + j] = row[{length} - 1 - j];
    }}
}}
"
    )
}

#[test]
fn an_array_of_a_constant_length_is_private() {
    let (text, _) = annotated(&rows("double row[8]", "8"), &[]);
    assert!(text.contains("distribute parallel for private(row)"), "{text}");
    // The copies of the threads are all that there is of it on the device.
    assert!(!text.contains("map(alloc: row"), "{text}");
    let (text, _) = annotated(&rows("double row[8]", "8"), &["--openacc"]);
    assert!(text.contains("#pragma acc parallel loop private(row)"), "{text}");
}

#[test]
fn last_values_of_an_array_leave_the_loop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    let text = rows("static double row[8]; out[0] = row[m]", "8");
    fs::write(&path, text).unwrap();
    let output = ferry(["report".to_owned(), path.display().to_string()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = stdout(&output);
    assert!(
        report.contains("line 4: for loop: parallel, lastprivate(row)"),
        "{report}"
    );
    assert!(report.contains("out: row[0:8], bytes [0, 64)"), "{report}");
    assert!(!report.contains("out, by value"), "{report}");
    assert!(!report.contains("in: row"), "{report}");
}

#[test]
fn a_thread_has_little_room() {
    let (_, summary) = annotated(&rows("double row[2048]", "2048"), &[]);
    assert!(!summary.contains("little room"), "{summary}");
    let (text, summary) = annotated(&rows("double row[2049]", "2049"), &[]);
    assert!(!text.contains("private(row)"), "{text}");
    assert!(
        summary.contains("each iteration needs 16392 bytes for itself (row among them), and a thread of a GPU has little room"),
        "{summary}"
    );
}

#[test]
fn an_array_of_a_variable_length_is_not() {
    let (text, summary) = annotated(&rows("double row[m]", "m"), &[]);
    assert!(!text.contains("private(row)"), "{text}");
    assert!(
        summary.contains(
            "each iteration needs its own row, of which no clause makes copies that all compilers understand"
        ),
        "{summary}"
    );
}

#[test]
fn an_array_of_pointers_is_not() {
    let (text, summary) = annotated(
        "void f(int n, double *restrict a)
{
    double *ends[2];
    for (int i = 0; i < n; i++) {
        ends[0] = a + 2 * i;
        ends[1] = a + 2 * i + 1;
        *ends[0] = i;
        *ends[1] = -i;
    }
}
",
        &[],
    );
    assert!(!text.contains("#pragma omp"), "{text}");
    assert!(
        summary.contains("not offloaded") || summary.contains("0 kernels"),
        "{summary}"
    );
}

#[test]
fn a_static_array_may_be_declared_before_the_loop() {
    let rows = |before: &str, inside: &str| {
        format!(
            "void f(int n, const double *restrict in, double *restrict out)
{{
    {before}
    for (int i = 0; i < n; i++) {{
        {inside}
        for (int j = 0; j < 4; j++)
            row[j] = in[4 * i + j];
        out[i] = row[0] + row[3];
    }}
}}
"
        )
    };
    let (text, _) = annotated(&rows("static double row[4];", ""), &[]);
    assert!(text.contains("distribute parallel for private(row)"), "{text}");
    let (text, summary) = annotated(&rows("", "static double row[4];"), &[]);
    assert!(!text.contains("private(row)"), "{text}");
    assert!(
        summary.contains("each iteration needs its own row, which is static, and declared in the loop"),
        "{summary}"
    );
}

#[test]
fn a_clause_does_not_reach_into_functions() {
    let (text, summary) = annotated(
        "static double row[4];
static void fill(const double *in, int i)
{
    for (int j = 0; j < 4; j++)
        row[j] = in[4 * i + j];
}
void f(int n, const double *restrict in, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        fill(in, i);
        out[i] = row[0] + row[3];
    }
}
",
        &[],
    );
    assert!(!text.contains("private(row)"), "{text}");
    assert!(summary.contains("not offloaded"), "{summary}");
}
