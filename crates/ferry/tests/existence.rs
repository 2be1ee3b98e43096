//! Of which sections is it assumed that all of them exist?

use crate::common;

use common::{ferry_in, status, stderr};
use std::fs;

/// What is assumed to exist in a function that is annotated.
fn assumed(body: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "void f(double *restrict a, double *restrict b, int n, int m, int k, int use) {{\n{body}}}\nint main(void) {{ return 0; }}\n"
    );
    fs::write(folder.path().join("a.c"), text).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "a.c", "--in-place"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(!said.contains("0 kernels"), "{said}");
    let (_, rest) = said.split_once("all elements of the sections of ")?;
    Some(rest.split_once(" exist").unwrap().0.to_owned())
}

/// No end of `j` says whether some `i` is not less than `m`.
#[test]
fn a_test_of_another_counter_says_whether_anything_is_touched() {
    let body = |test: &str| {
        assumed(&format!(
            "    for (int i = 0; i < n; i++) {{
        if ({test})
            for (int j = 0; j < k; j++)
                a[i * k + j] = b[j];
    }}
"
        ))
    };
    assert_eq!(body("i >= m").as_deref(), Some("b"));
    assert_eq!(body("m >= 3"), None);
}

/// With one step nothing is touched.
#[test]
fn a_loop_that_runs_as_often_as_the_one_around_it_has_run_may_never_run() {
    let body = |inner: &str| {
        assumed(&format!(
            "    for (int t = 0; t < m; t++) {{
        for (int r = 0; r < {inner}; r++) {{
            for (int i = 0; i < n; i++)
                a[i] = r - a[i];
        }}
    }}
"
        ))
    };
    assert_eq!(body("t").as_deref(), Some("a"));
    assert_eq!(body("k"), None);
}

/// Where the program ends, or the loop is left, behind the kernel, the elements of later steps need not exist.
#[test]
fn steps_behind_the_end_of_the_program_need_not_exist() {
    let body = |kernel: &str, end: &str| {
        assumed(&format!(
            "    for (int t = 0; t < m; t++) {{
        for (int i = 0; i < n; i++)
            {kernel}
        if (t == k)
            {end};
    }}
"
        ))
    };
    let moving = "a[i] += b[t * n + i];";
    let end = "__builtin_exit(0)";
    assert_eq!(body(moving, end).as_deref(), Some("b"));
    assert_eq!(body("a[i] += b[i];", end), None);
    assert_eq!(body(moving, "k++"), None);
}

#[test]
fn a_triangle_is_touched_to_its_ends() {
    let body = "    for (int t = 0; t < m; t += 2) {
        for (int i = 1; i < n; i++)
            a[i] = t - a[i];
    }
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int j = 0; j < i; j++)
            a[i] += b[j];
    }
";
    assert_eq!(assumed(body), None);
}

/// One that is certain where its condition holds does not stand for another one.
#[test]
fn each_access_stands_for_its_own_condition() {
    let body = |other: &str| {
        assumed(&format!(
            "    for (int t = 0; t < m; t++) {{
        if (use) {{
            for (int i = 0; i < n; i++)
                a[i] = t - a[i];
        }} else {{
            for (int i = 0; i < n; i++)
                if ({other})
                    a[i] = b[i];
        }}
    }}
"
        ))
    };
    assert_eq!(body("b[i] > 3").as_deref(), Some("a"));
    assert_eq!(body("k > 3"), None);
}
