//! Buffers whose pointers a loop exchanges: what is said of them, what `check` says of the directives, and what stays on the device.

use crate::common;

use common::{ferry_in, status, stderr, stdout};
use std::fs;

const STEPS: &str = "    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            next[i] = now[i - 1] + now[i + 1];
        int *swap = now;
        now = next;
        next = swap;
    }
";

/// The annotated text of a program, and what is said about it.
fn annotated(text: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "a.c", "--in-place"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let checked = ferry_in(folder.path(), ["check", "a.c", "--pedantic"]);
    assert!(
        stdout(&checked).contains("0 errors, 0 warnings"),
        "{}",
        stdout(&checked)
    );
    let new = fs::read_to_string(folder.path().join("a.c")).unwrap();
    (new, stdout(&output) + &stderr(&output))
}

/// With one step, the second buffer is touched in its own place only: that it has the others' elements is an assumption, but where its size is known.
#[test]
fn buffers_of_unknown_sizes_are_assumed_to_be_alike() {
    let (text, said) = annotated(&format!(
        "enum {{ N = 900 }};\nvoid f(int *restrict now, int *restrict next, int steps) {{\n{STEPS}}}\nint main(void) {{ return 0; }}\n"
    ));
    assert!(
        text.contains("#pragma omp target data map(tofrom: now[0:"),
        "{text}"
    );
    assert!(
        said.contains("assuming that all elements of the sections of now, next exist"),
        "{said}"
    );
    let steps = STEPS.replace("N", "900");
    let (text, said) = annotated(&format!(
        "#include <stdio.h>\nint a[900], b[900];\nvoid f(int steps) {{\n    int *now = a, *next = b;\n{steps}}}\nint main(void) {{ f(5); printf(\"%d\\n\", a[4]); return 0; }}\n"
    ));
    assert!(
        text.contains("#pragma omp target data map(tofrom: now[0:"),
        "{text}"
    );
    assert!(!said.contains("exist"), "{said}");
}
