//! A scalar whose last value is used after its loop keeps the loop on the host: seen on an H200, clang 19 loses what `lastprivate` should bring back.

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

#[test]
fn a_loop_with_a_last_value_stays_on_the_host() {
    for language in ["--openmp=5.0", "--openacc"] {
        let folder = with(LAST);
        let output = ferry_in(folder.path(), ["annotate", language, "a.c"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(stdout(&output), LAST);
        let reason = "a.c:3:5: parallel, not offloaded: the last value of t is used after the loop, and clang 19 loses it on NVIDIA's devices (`lastprivate`)\n";
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
}

/// What has a closed form is set behind the loop, and what nobody uses later is private.
#[test]
fn closed_forms_and_what_nobody_uses_do_not_keep_it_there() {
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
        assert!(new.contains("private(t)"), "{new}");
    }
}
