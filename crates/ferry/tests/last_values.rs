//! What the last iteration leaves in a scalar is kept by that iteration, and set behind the loop: seen on an H200, clang 19 loses what `lastprivate` should bring back.

use crate::common;

use common::{ferry_in, status, stderr, stdout, with};

const LAST: &str = "int f(int n, const int *restrict a, int *restrict b) {
    int t = 7;
    for (int i = 0; i < n; i++) {
        t = a[i] * 3;
        b[i] = t + t;
    }
    return t;
}
";

const BELOW: &str = "int f(int n, int *restrict a, const int *restrict b) {
    int t = 5;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < n; i++) {
            t = b[i];
            a[i] = t + r;
        }
    }
    for (int i = 0; i < 40; i++)
        a[i]++;
    return t;
}
";

#[test]
fn a_last_value_comes_back_without_its_clause() {
    for language in ["--openmp=5.0", "--openacc"] {
        let folder = with(LAST);
        let output = ferry_in(folder.path(), ["annotate", language, "--fp", "strict", "a.c"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let new = stdout(&output);
        for part in [
            "if (i == i_last)\n            t_last = t;",
            "    t = t_last;",
            "private(t)",
        ] {
            assert!(new.contains(part), "{new}");
        }
        assert!(!new.contains("lastprivate"), "{new}");
    }
}

/// Once annotated, a text stays as it is, and what was written is what `check` takes for right.
#[test]
fn what_is_written_is_left_alone_and_clean() {
    let folder = with(LAST);
    let new = stdout(&ferry_in(folder.path(), ["annotate", "a.c"]));
    let folder = with(&new);
    assert_eq!(stdout(&ferry_in(folder.path(), ["annotate", "a.c"])), new);
    let output = ferry_in(folder.path(), ["check", "--pedantic", "a.c"]);
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    // Below a loop on the host, with another kernel in one environment.
    let folder = with(BELOW);
    let new = stdout(&ferry_in(folder.path(), ["annotate", "--all", "a.c"]));
    assert!(
        new.contains("t = t_last;") && new.contains("target data") && new.contains("} else {"),
        "{new}"
    );
    let folder = with(&new);
    assert_eq!(
        stdout(&ferry_in(folder.path(), ["annotate", "--all", "a.c"])),
        new
    );
}

/// An address of a device's copy would mean nothing to the host.
#[test]
fn a_pointer_keeps_its_loop_on_the_host() {
    let text = LAST.replace("int t = 7;", "const int *t = a;");
    let text = text.replace("t = a[i] * 3;", "t = a + i;");
    let text = text.replace("b[i] = t + t;", "b[i] = *t;");
    let text = text.replace("return t;", "return *t;");
    let folder = with(&text);
    let output = ferry_in(folder.path(), ["annotate", "a.c"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), text);
    let reason = "a.c:3:5: parallel, not offloaded: the last value of t is used after the loop, and an address of the device's is none of the host's\n";
    assert!(stderr(&output).contains(reason), "{}", stderr(&output));
}

/// What has a closed form is set behind the loop, and what nobody uses later is private.
#[test]
fn closed_forms_and_what_nobody_uses_are_not_kept() {
    let counter = LAST
        .replace("int t = 7;", "int t = 7, i;")
        .replace("(int i = 0", "(i = 0");
    for text in [
        counter.replace("return t;", "return i;"),
        LAST.replace("return t;", "return 0;"),
    ] {
        let folder = with(&text);
        let output = ferry_in(folder.path(), ["annotate", "a.c"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let new = stdout(&output);
        assert!(
            new.contains("#pragma omp target teams distribute parallel for"),
            "{}",
            stderr(&output)
        );
        assert!(new.contains("private(t)") && !new.contains("t_last"), "{new}");
    }
}
