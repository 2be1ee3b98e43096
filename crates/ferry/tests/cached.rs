//! Is the `cache` directive that a report names one that OpenACC has, where it has one, and none where it has not?

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json, with};
use serde_json::Value;
use std::process::Command;

/// The directives for the kernels of a text, each with the line of its loop, in the order of what they save.
fn directives(text: &str) -> Vec<(String, u64)> {
    let folder = with(text);
    let path = folder.path().join("a.c");
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    let loops = report["loops"].as_array().unwrap().iter();
    let kernels = loops.filter(|one| !one["kernel"].is_null());
    let shared = kernels.flat_map(|one| one["kernel"]["sharing"].as_array().unwrap());
    let cached = shared.filter(|one| !one["cache"].is_null()).map(|one| {
        let (directive, line) = (&one["cache"]["directive"], &one["cache"]["place"]["line"]);
        (
            directive.as_str().unwrap().to_owned(),
            Value::as_u64(line).unwrap(),
        )
    });
    cached.collect()
}

/// Written where it belongs, gcc takes it without a warning.
fn is_taken(text: &str, directives: &[(String, u64)]) {
    let mut lines: Vec<&str> = text.lines().collect();
    for (directive, line) in directives {
        assert!(lines[*line as usize - 1].ends_with('{'), "{text}");
        lines.insert(*line as usize, directive);
    }
    let folder = with(&(lines.join("\n") + "\n"));
    let gcc = &ferry_judges::Toolchain::find().unwrap().gcc;
    let output = Command::new(gcc)
        .args([
            "-Wall",
            "-Wextra",
            "-Werror",
            "-O2",
            "-fopenacc",
            "-foffload=disable",
            "-S",
            "-o",
            "/dev/null",
        ])
        .arg(folder.path().join("a.c"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A kernel with the directive of a parallel loop.
fn kernel(parameters: &str, loops: &str) -> String {
    format!("void f({parameters})\n{{\n#pragma acc parallel loop{loops}\n}}\n")
}

#[test]
fn where_openacc_has_words() {
    let two = " collapse(2) copyin(a[0:n][0:m]) copyout(b[0:n][0:m])";
    let shaped = "int n, int m, const float a[restrict n][m], float b[restrict n][m]";
    let line = "int n, const double *restrict p, double *restrict q";
    let clauses = " copyin(p[0:n]) copyout(q[0:n])";
    let cases = [
        (
            kernel(
                shaped,
                &format!(
                    "{two}
for (int y = 1; y < n - 1; y++)
for (int x = 1; x < m - 1; x++) {{
b[y][x] = a[y][x] + a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x];
}}"
                ),
            ),
            ("a[y - 1:3][x - 1:3]", 5),
        ),
        // A variable that is declared outside, and an inner loop.
        (
            kernel(
                line,
                &format!(
                    "{clauses}
for (int i = 0; i < n - 4; i++) {{
double s = 0;
for (int k = 0; k < 5; k++)
s += p[i + k];
q[i] = s;
}}"
                ),
            ),
            ("p[i:5]", 4),
        ),
        // Steps of two, backwards.
        (
            kernel(
                line,
                &format!(
                    "{clauses}
for (int i = n - 2; i >= 1; i -= 1) {{
q[i] = p[i + 1] - p[i - 1];
}}"
                ),
            ),
            ("p[i - 1:3]", 4),
        ),
        // A table, all of which every iteration reads.
        (
            kernel(
                "int n, const float table[9], float *restrict q",
                " copyin(table[0:9]) copyout(q[0:n])
for (int i = 0; i < n; i++) {
float s = 0;
for (int k = 0; k < 9; k++)
s += table[k] * (float)(i - k);
q[i] = s;
}",
            ),
            ("table[0:9]", 4),
        ),
    ];
    for (text, (section, line)) in cases {
        let found = directives(&text);
        let wanted = (format!("#pragma acc cache({section})"), line);
        assert_eq!(found, [wanted], "{text}");
        is_taken(&text, &found);
    }
}

#[test]
fn where_openacc_has_none() {
    let parameters = "int n, int m, const double *restrict p, double *restrict q";
    let body = |before: &str, body: &str| {
        kernel(parameters, "\nLOOP").replace(
            "#pragma acc parallel loop\nLOOP",
            &format!("{before}\n#pragma acc parallel loop copyin(p[0:n]) copyout(q[0:n])\nfor (int i = 1; i < n - 1; i++) {{\n{body}\n}}"),
        )
    };
    // The others differ from it in one thing.
    assert_eq!(directives(&body("", "q[i] = p[i] + p[i - 1];")).len(), 1);
    let cases = [
        (
            "another element is read too",
            body("", "q[i] = p[i] + p[i - 1] + p[0];"),
        ),
        (
            "the section would begin at a multiple of i",
            body("", "q[i] = p[2 * i] + p[2 * i - 1];"),
        ),
        (
            "how long it is depends on m",
            body(
                "",
                "double s = 0; for (int k = 0; k < m; k++) s += p[i + k]; q[i] = s;",
            ),
        ),
        (
            "at the ends it would lie outside",
            body("", "q[i] = p[i] + (i > 1 ? p[i - 2] : 0);"),
        ),
        (
            "the pointer is no more what subscripts count from",
            body("p += 3;", "q[i] = p[i] + p[i - 1];"),
        ),
        (
            "rows of a linearised array are no section",
            body("", "q[i] = p[i] + p[i - m];"),
        ),
    ];
    for (why, text) in cases {
        assert_eq!(directives(&text), [], "{why}");
    }
}
