//! Where is a pass over values in memory written, over which values, and where would it be too dear?

use crate::common::{ferry_in, status, stderr, stdout, with};

fn annotated(text: &str, words: &[&str]) -> String {
    let folder = with(text);
    let output = ferry_in(folder.path(), [&["annotate"], words, &["a.c"]].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

/// The lines between the declaration of what a pass finds and the question for it.
fn passes(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    let inside = lines.skip_while(|line| !line.contains("_increases = "));
    inside.take_while(|line| !line.starts_with("if (")).collect()
}

fn function(parameters: &str, body: &str) -> String {
    format!("double a[4000];\nvoid f(int n, int m, {parameters})\n{{\n    {body}\n}}\n")
}

#[test]
fn values_are_compared_as_strictly_as_is_needed() {
    let rises = function(
        "const int *restrict x",
        "for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) a[x[i]] = a[x[i]] / 2 + j;",
    );
    assert_eq!(
        passes(&annotated(&rises, &[])),
        [
            "int x_increases = 1;",
            "for (long x_at = 1, x_end = n > 0 ? n : 0; x_increases && x_at < x_end; x_at++)",
            "x_increases = x[x_at - 1] < x[x_at];",
        ]
    );
    let rows = function(
        "const unsigned short *restrict x",
        "for (int i = m; i < n; i++) for (int k = x[i]; k < x[i + 1]; k++) a[k] = a[k] / 2 + i;",
    );
    assert_eq!(
        passes(&annotated(&rows, &[])),
        [
            "int x_increases = 1;",
            "for (long x_at = 1, x_end = n > m ? n - m + 1 : 0; x_increases && x_at < x_end; x_at++)",
            "x_increases = x[m + x_at - 1] <= x[m + x_at];",
        ]
    );
    // Both at once.
    let both = function(
        "const int *restrict x, const int *restrict y",
        "for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) a[x[i] + y[i]] = a[x[i] + y[i]] / 2 + j;",
    );
    let both = annotated(&both, &[]);
    assert_eq!(passes(&both).len(), 5, "{both}");
}

#[test]
fn names_that_are_taken_are_not_declared() {
    let text = function(
        "const int *restrict x",
        "int x_at = m, x_increases = m; for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) a[x[i]] = a[x[i]] / 2 + j * x_at + x_increases;",
    );
    let written = annotated(&text, &[]);
    for line in [
        "int x_increases_2 = 1;",
        "for (long x_at_2 = 1, x_end = n > 0 ? n : 0; x_increases_2 && x_at_2 < x_end; x_at_2++)",
        "x_increases_2 = x[x_at_2 - 1] < x[x_at_2];",
        "if (x_increases_2) {",
    ] {
        assert!(written.contains(line), "{line}\n{written}");
    }
}

#[test]
fn one_pass_is_enough_for_all_steps_and_too_much_for_one_store() {
    let once = function(
        "const int *restrict x",
        "for (int i = 0; i < n; i++) a[x[i]] = i;",
    );
    assert!(!annotated(&once, &[]).contains("#pragma"));
    assert!(annotated(&once, &["--all"]).contains("x_increases"));
    let steps = function(
        "const int *restrict x",
        "for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) a[x[i]] = a[x[i]] / 2 + t;",
    );
    let text = annotated(&steps, &[]);
    let (pass, data) = (text.find("for (long x_at"), text.find("target data"));
    assert!(pass.is_some() && pass < data, "{text}");
    assert!(text.contains("x_length = n > 0 && m > 0 ? n : 0;"), "{text}");
    assert!(text.contains("x_end = x_length;"), "{text}");
    // Where the steps change the values, each would need a pass of its own.
    let changed = function(
        "int *restrict x",
        "for (int t = 0; t < n; t++) {\n        for (int i = 0; i < n; i++)\n            a[x[i]] = a[x[i]] / 2 + t;\n        x[t] = t;\n    }",
    );
    assert!(!annotated(&changed, &[]).contains("#pragma"));
}

/// Of few values it is compared less when the text is read again.
#[test]
fn a_pass_may_have_two_values() {
    for count in 2..8 {
        let text = function(
            "const int *restrict x",
            &format!(
                "for (int i = 0; i < {count}; i++) for (int j = 0; j < 900; j++) a[x[i]] = a[x[i]] / 2 + j;"
            ),
        );
        let text = annotated(&text, &["--all"]);
        assert!(text.contains(&format!("x_end = {count};")), "{text}");
    }
}

/// Where a loop's head reads from memory that the loop does not touch.
#[test]
fn what_a_head_reads_is_mapped_or_the_loop_stays() {
    let text = function(
        "const int *restrict x, const int *restrict y",
        "for (int i = 0; i < n; i++) for (int k = x[i]; k < y[i]; k++) a[k] = a[k] / 2 + i;",
    );
    let text = annotated(&text, &["--all"]);
    assert!(!text.contains("#pragma"), "{text}");
}
