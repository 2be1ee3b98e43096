//! Functions that ask for the number of a line (`assert`): are they annotated, though lines are inserted above, and is it said?

use crate::common::{ferry, ferry_in, programs_folder, status, stderr, stdout};
use std::fs;

const SAID: &str = "assuming that numbers of lines (`__LINE__`, as in `assert`), which change where lines are inserted, do not matter";

#[test]
fn what_asserts_is_annotated() {
    let path = programs_folder().join("calls/asserted.c");
    let output = ferry(["annotate", "--all", &path.display().to_string()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        !said.contains("not the intended program") && said.contains(SAID),
        "{said}"
    );
    let kernel = stdout(&output);
    let kernel = kernel.split("void kernel_checked").nth(1).unwrap();
    assert!(kernel.matches("#pragma omp target").count() >= 2, "{kernel}");
}

#[test]
fn numbers_that_are_no_lines_are_none() {
    let folder = tempfile::tempdir().unwrap();
    // In line 4, written.
    let text = "#define SHIFT(i) ((i) + 4)\nvoid f(double *restrict x, double *restrict y, int n) {\n    for (int i = 0; i < n; i++)\n        y[i] = x[SHIFT(i)];\n}\n";
    fs::write(folder.path().join("a.c"), text).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "--all", "a.c"]);
    assert!(stdout(&output).contains("#pragma") && !stderr(&output).contains(SAID));
    // A number of a line that decides what the program is.
    let text = text.replace(
        "int n) {",
        "int n) { double t[__LINE__]; t[0] = 1; y += (int)t[0];",
    );
    fs::write(folder.path().join("a.c"), "\nint k;\n".to_owned() + &text).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "--all", "a.c"]);
    assert_eq!(status(&output), 0);
}
