//! `report --verify-existing`: is every directive found that contradicts a proved dependence, with the places and the distance, and is none
//! blamed that a clause, a directive inside, or the way in which variables are shared excuses?

use crate::common;

use common::{ferry_in, status, stderr, stdout, valid_json};
use serde_json::Value;
use std::fs;

/// The verification of a text, and the exit status.
fn verified(text: &str) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let output = ferry_in(
        folder.path(),
        [
            "report",
            "--verify-existing",
            "--format",
            "json",
            "a.c",
            "--",
            "-fopenmp",
        ],
    );
    let report = valid_json(&stdout(&output));
    assert!(status(&output) < 2, "{}", stderr(&output));
    (report["verification"].clone(), status(&output))
}

/// A function around some lines.
fn function(body: &str) -> String {
    format!(
        "int other(int);
double table[64], grid[9][9], per[64], once;
#pragma omp threadprivate(per)
void f(int n, int m, double *restrict a, double *restrict b, const int *restrict c)
{{
    int i, j = 0;
    double t = 0, s = 0, work[64];
{body}
    a[0] += t + s + j + work[0];
}}
"
    )
}

fn found(body: &str) -> Vec<String> {
    let (verification, status) = verified(&function(body));
    let findings = verification["findings"].as_array().unwrap();
    assert_eq!(status, i32::from(!findings.is_empty()), "{body}");
    assert_eq!(
        verification["contradicted"],
        u64::from(!findings.is_empty()),
        "{body}"
    );
    findings
        .iter()
        .map(|one| one["message"].as_str().unwrap().to_owned())
        .collect()
}

#[track_caller]
fn blamed(body: &str, words: &str) {
    let found = found(body);
    assert!(found.iter().any(|one| one.contains(words)), "{body}: {found:?}");
}

#[track_caller]
fn excused(body: &str) {
    assert_eq!(found(body), [""; 0], "{body}");
}

#[test]
fn dependences_are_found_with_both_places_and_the_distance() {
    let (verification, status) = verified(&function(
        "    #pragma omp parallel for
    for (i = 3; i < n; i++)
        a[i] = a[i - 3];",
    ));
    assert_eq!(status, 1);
    assert_eq!(verification["directives"], 1);
    let one = &verification["findings"][0];
    assert_eq!(
        one["message"],
        "`omp parallel for` runs iterations at a time that depend on one another: an iteration reads what another one wrote, 3 before it"
    );
    assert_eq!((&one["line"], &one["column"]), (&Value::from(8), &Value::from(5)));
    let places: Vec<(u64, u64)> = one["related"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| (place["line"].as_u64().unwrap(), place["column"].as_u64().unwrap()))
        .collect();
    assert_eq!(places, [(10, 9), (10, 16)]);
    blamed(
        "#pragma omp parallel for\nfor (i = 0; i < n; i++) a[i] = a[i + 2];",
        "writes what another one read, 2 before it",
    );
    blamed(
        "#pragma omp parallel for\nfor (i = 0; i < n; i++) a[5] = b[i];",
        "every iteration writes",
    );
    blamed(
        "#pragma acc parallel loop\nfor (i = 1; i < n; i++) a[i] = a[i - 1];",
        "`acc parallel loop`",
    );
    blamed(
        "#pragma acc kernels loop independent\nfor (i = 1; i < n; i++) a[i] = a[i - 1];",
        "1 before it",
    );
    excused("#pragma acc parallel loop\nfor (i = 0; i < n; i++) { once = b[i]; a[i] = once; }");
    blamed(
        "#pragma omp parallel for\nfor (i = 0; i < n; i++) { once = b[i]; a[i] = once; }",
        "every iteration",
    );
    // In `kernels` the compiler decides, and `seq` and `auto` say nothing.
    excused("#pragma acc kernels loop\nfor (i = 1; i < n; i++) a[i] = a[i - 1];");
    excused("#pragma acc parallel loop seq\nfor (i = 1; i < n; i++) a[i] = a[i - 1];");
    excused("#pragma acc parallel loop auto\nfor (i = 1; i < n; i++) a[i] = a[i - 1];");
}

/// The distance is that in the loop of the directive, wherever the iterations of loops inside lie.
#[test]
fn distances_are_found_through_loops_inside() {
    let nest = |element: &str| {
        format!(
            "#pragma omp parallel for private(j)\nfor (i = 2; i < n; i++)\nfor (j = 1; j < m - 1; j++) a[i * m + j] = {element};"
        )
    };
    for (element, words) in [
        ("a[(i - 2) * m + j]", "reads what another one wrote, 2 before it"),
        (
            "a[(i - 1) * m + j + 1]",
            "reads what another one wrote, 1 before it",
        ),
        (
            "a[(i + 1) * m + j - 1]",
            "writes what another one read, 1 before it",
        ),
    ] {
        blamed(&nest(element), words);
    }
    // The row itself is the iteration's own.
    excused(&nest("a[i * m + j - 1]"));
    blamed(
        "#pragma omp parallel for private(j)\nfor (i = 1; i < 9; i++) for (j = 0; j < i; j++) grid[i][j] = grid[i - 1][j + 1];",
        "reads what another one writes",
    );
    let long = "static double wide[300][300][300];
for (int q = 2; q < 300; q++)
for (int r = 2; r < 298; r++)
for (int s = 2; s < 298; s++) wide[q][r][s] = wide[q - 1][r + 2][s - 1];";
    let long = long.replacen("\nfor", "\n#pragma omp parallel for\nfor", 1);
    blamed(&long, "reads what another one wrote, 1 before it");
    // Lanes go through a loop inside together: what is behind in it comes later.
    let lanes = |element: &str| {
        format!(
            "#pragma omp simd private(j)\nfor (i = 1; i < n; i++)\nfor (j = 1; j < 8; j++) a[i * 8 + j] = {element};"
        )
    };
    excused(&lanes("a[(i - 1) * 8 + j - 1]"));
}

#[test]
fn the_text_shows_the_places_and_the_counts() {
    let folder = tempfile::tempdir().unwrap();
    let body = "    #pragma omp parallel for\n    for (i = 1; i < n; i++)\n        a[i] = a[i - 1];";
    fs::write(folder.path().join("a.c"), function(body)).unwrap();
    let output = ferry_in(
        folder.path(),
        ["report", "--verify-existing", "a.c", "--", "-fopenmp"],
    );
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    assert!(
        text.contains("a.c:8:5") && text.contains("written here") && text.contains("and read here"),
        "{text}"
    );
    assert!(
        text.ends_with("loop directives: 1; contradicting a proved dependence: 1; not decided: 0\n"),
        "{text}"
    );
    let output = ferry_in(folder.path(), ["report", "a.c", "--", "-fopenmp"]);
    assert_eq!(status(&output), 0);
    assert!(!stdout(&output).contains("loop directives"));
    let output = ferry_in(
        folder.path(),
        ["report", "--verify-existing", "--ignore-directives", "a.c"],
    );
    assert_eq!(status(&output), 2);
}

#[test]
fn what_is_right_is_neither_found_nor_undecided() {
    let (verification, status) = verified(&function(
        "    #pragma omp parallel for private(t) reduction(+: s)
    for (i = 0; i < n; i++) {
        t = b[i];
        a[i] = t;
        s += t;
    }",
    ));
    assert_eq!(status, 0);
    assert_eq!(verification["not_decided"], 0, "{verification}");
    // Subscripts from memory are not decided.
    let (verification, _) = verified(&function(
        "#pragma omp parallel for\nfor (i = 0; i < n; i++) a[c[i]] = b[i];",
    ));
    assert_eq!(verification["not_decided"], 1, "{verification}");
}

/// Whichever iterations set it, and whether any does: from 0 to 1 leads `max` as well as `||`.
#[test]
fn what_is_set_to_one_value_has_many_operators() {
    for operator in ["||", "max", "|"] {
        excused(&format!(
            "int k = 0;\n#pragma omp parallel for reduction({operator}: k)\nfor (i = 0; i < n; i++) if (b[i] == 7) k = 1;\na[0] = k;"
        ));
    }
}

#[test]
fn scalars_that_are_shared() {
    let body = "for (i = 0; i < n; i++) { t = b[i]; a[i] = t; }";
    blamed(
        &format!("#pragma omp parallel for\n{body}"),
        "every iteration sets t, which is shared",
    );
    for clause in ["private(t)", "firstprivate(t)", "lastprivate(t)"] {
        excused(&format!("#pragma omp parallel for {clause}\n{body}"));
    }
    let sum = "for (i = 0; i < n; i++) s += b[i];";
    blamed(
        &format!("#pragma omp parallel for\n{sum}"),
        "every iteration reads and sets s, which is shared",
    );
    excused(&format!("#pragma omp parallel for reduction(+: s)\n{sum}"));
    blamed(&format!("#pragma omp simd\n{sum}"), "s");
    excused(&format!("#pragma omp simd reduction(+: s)\n{sum}"));
    blamed(
        &format!("#pragma omp parallel for private(s)\n{sum}"),
        "each has a copy of its own",
    );
    let walk = "for (i = 0; i < n; i++) { a[i] = j; j += 2; }";
    blamed(&format!("#pragma omp simd\n{walk}"), "j");
    excused(&format!("#pragma omp simd linear(j: 2)\n{walk}"));
    let inner = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) a[i * m + j] = 0;";
    blamed(
        &format!("#pragma omp parallel for\n{inner}"),
        "every iteration sets j",
    );
    excused(&format!("#pragma omp parallel for collapse(2)\n{inner}"));
    excused(&format!("#pragma omp parallel for private(j)\n{inner}"));
    excused("#pragma omp parallel for\nfor (i = 0; i < n; i++) if (c[i]) t = b[i];");
    excused("#pragma omp parallel for\nfor (int k = 0; k < n; k++) { double t = b[k]; a[k] = t; }");
}

#[test]
fn the_region_around_says_what_is_shared() {
    let body = "for (i = 0; i < n; i++) { t = b[i]; a[i] = t; }";
    blamed(
        &format!("#pragma omp parallel\n{{\n#pragma omp for\n{body}\n}}"),
        "sets t",
    );
    excused(&format!(
        "#pragma omp parallel private(t)\n{{\n#pragma omp for\n{body}\n}}"
    ));
    excused(&format!(
        "#pragma omp parallel\n{{\ndouble t;\n#pragma omp for\n{body}\n}}"
    ));
    let array = "for (i = 0; i < n; i++) { for (int k = 0; k < 64; k++) work[k] = b[k]; a[i] = work[m]; }";
    blamed(
        &format!("#pragma omp parallel\n{{\n#pragma omp for\n{array}\n}}"),
        "every iteration writes",
    );
    excused(&format!(
        "#pragma omp parallel private(work)\n{{\n#pragma omp for\n{array}\n}}"
    ));
    excused(&format!(
        "#pragma omp parallel\n{{\ndouble work[64];\n#pragma omp for\n{array}\n}}"
    ));
    blamed(
        "#pragma omp parallel for\nfor (i = 1; i < 64; i++) table[i] = table[i - 1];",
        "1 before it",
    );
    excused("#pragma omp parallel for\nfor (i = 1; i < 64; i++) per[i] = per[i - 1];");
    // Each thread has its own part, by its number.
    excused(
        "#pragma omp parallel private(j)\n{\nextern int omp_get_thread_num(void);\nj = omp_get_thread_num();
#pragma omp for\nfor (i = 0; i < n; i++) a[j] += b[i];\n}",
    );
}

#[test]
fn a_region_in_the_caller_shares_variables_of_the_file_only() {
    let orphan = |line: &str| {
        format!(
            "double table[64], per[64];
#pragma omp threadprivate(per)
void f(int n, double *a)
{{
    double t;
    #pragma omp for
    for (int i = 1; i < 64; i++)
        {line}
}}
"
        )
    };
    assert_eq!(verified(&orphan("table[i] = table[i - 1];")).1, 1);
    assert_eq!(verified(&orphan("per[i] = per[i - 1];")).1, 0);
    assert_eq!(verified(&orphan("a[i] = a[i - 1];")).1, 0);
    assert_eq!(verified(&orphan("t = i;")).1, 0);
}

#[test]
fn simd_allows_distances() {
    let far = "for (i = 4; i < n; i++) a[i] = a[i - 4];";
    excused(&format!("#pragma omp simd safelen(4)\n{far}"));
    blamed(&format!("#pragma omp simd safelen(5)\n{far}"), "4 before it");
    blamed(&format!("#pragma omp simd\n{far}"), "4 before it");
    // Threads do not go together.
    blamed(
        &format!("#pragma omp parallel for simd safelen(4)\n{far}"),
        "4 before it",
    );
    // What lanes read before they write stays right.
    excused("#pragma omp simd\nfor (i = 0; i < n; i++) a[i] = a[i + 1];");
    blamed(
        "#pragma omp parallel for\nfor (i = 0; i < n; i++) a[i] = a[i + 1];",
        "1 before it",
    );
}

#[test]
fn what_is_kept_apart_is_not_blamed() {
    let with = |directive: &str| {
        format!("#pragma omp parallel for\nfor (i = 0; i < n; i++) {{\n{directive}\na[5] += b[i];\n}}")
    };
    blamed(&with(""), "every iteration");
    excused(&with("#pragma omp atomic"));
    excused(&with("#pragma omp critical"));
    excused(
        "#pragma omp parallel for ordered\nfor (i = 1; i < n; i++) {\n#pragma omp ordered\na[i] = a[i - 1];\n}",
    );
    excused(
        "#pragma omp parallel for ordered(1)\nfor (i = 1; i < n; i++) {\n#pragma omp ordered depend(sink: i - 1)
a[i] = a[i - 1];\n#pragma omp ordered depend(source)\n}",
    );
    excused("#pragma omp parallel for\nfor (i = 0; i < n; i++) { other(1); s += b[i]; other(2); }");
    excused("#pragma omp parallel for\nfor (i = 0; i < n; i++) if (c[i]) a[5] = 1;");
    excused("#pragma omp parallel for num_threads(1)\nfor (i = 1; i < n; i++) a[i] = a[i - 1];");
    excused("#pragma omp parallel for\nfor (i = 1; i < 2; i++) s += b[i];");
}

#[test]
fn all_loops_that_are_collapsed_are_looked_at() {
    let body = "for (i = 1; i < n; i++)\nfor (j = 1; j < 9; j++)\n";
    let rows = format!("{body}a[i * 9 + j] = a[i * 9 + j - 1];");
    blamed(
        &format!("#pragma omp parallel for collapse(2)\n{rows}"),
        "1 before it",
    );
    excused(&format!("#pragma omp parallel for private(j)\n{rows}"));
    // No row reaches into the next one, though addresses would allow it.
    excused(
        "#pragma omp parallel for private(j)\nfor (i = 0; i < n; i++) { grid[0][i] = 1; grid[1][i] = 2; }",
    );
    blamed(
        "#pragma omp parallel for private(j)\nfor (i = 1; i < 9; i++) for (j = 0; j < 9; j++) grid[i][3] = grid[i - 1][3];",
        "1 before it",
    );
}

#[test]
fn sections_of_reductions_are_copies() {
    let body = "for (i = 0; i < n; i++) a[2] += b[i];";
    blamed(&format!("#pragma omp parallel for\n{body}"), "every iteration");
    excused(&format!("#pragma omp parallel for reduction(+: a[0:4])\n{body}"));
}
