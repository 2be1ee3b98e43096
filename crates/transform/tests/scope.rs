//! Names and jumps: what stands inside the braces of a data environment.

use crate::common;

use common::{PLAIN, added, annotated};

fn has_data(text: &str) -> bool {
    added(text, PLAIN).iter().any(|line| line.contains("target data"))
}

/// Two loops that would share their data, with something between them and behind.
fn two(between: &str, behind: &str) -> String {
    format!(
        "#include <stdint.h>
int g(void);
void f(int n, int k, int *restrict a, int *restrict b, int *restrict c) {{
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    {between}
    for (int i = 0; i < n; i++)
        c[i] = b[i] + k;
    {behind}
}}
"
    )
}

#[test]
fn nothing_between() {
    assert!(has_data(&two("", "")));
    assert!(has_data(&two("k = 3;", "")));
    assert!(has_data(&two("int m = n + 1; k += m;", "")));
}

#[test]
fn declarations_that_are_used_later_stay_visible() {
    assert!(!has_data(&two("int m = n + 1;", "c[0] = m;")));
    assert!(!has_data(&two("int m[3] = {1, 2, 3};", "k = m[1]; c[0] = k;")));
}

#[test]
fn jumps_do_not_cross_a_border() {
    for (between, behind) in [
        ("if (k) goto out;", "out: ;"),
        ("inside: ;", "if (g()) goto inside;"),
        ("if (k) return;", ""),
    ] {
        assert!(!has_data(&two(between, behind)), "{between} {behind}");
    }
    let text = two("inside: ;", "").replace(
        "    for (int i = 0; i < n; i++)\n        b",
        "    if (k) goto inside;\n    for (int i = 0; i < n; i++)\n        b",
    );
    assert!(!has_data(&text));
}

#[test]
fn cases_do_not_cross_a_border() {
    let text = "void f(int n, int k, int *restrict a, int *restrict b, int *restrict c) {
    switch (k) {
    case 1:
        for (int i = 0; i < n; i++)
            b[i] = a[i];
    case 2:
        for (int i = 0; i < n; i++)
            c[i] = b[i];
    }
}
";
    assert!(!has_data(text));
    assert!(
        added(text, PLAIN)
            .iter()
            .any(|line| line.contains("target teams"))
    );
}

#[test]
fn a_name_that_is_hidden_is_not_written() {
    let text = "int n;
void f(int *restrict a) {
    int count = n;
    n = 5;
    {
        int count = 3, n = 2;
        for (int i = 0; i < 40; i++)
            a[i] = count + n;
    }
    for (int i = 0; i < count; i++)
        a[i] = i;
}
";
    let lines = added(text, PLAIN);
    assert!(lines.iter().any(|line| line.contains("a[0:40]")), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.contains("count > 0 ? count : 0")),
        "{lines:?}"
    );
}

#[test]
fn a_bound_that_no_visible_name_holds_is_not_written() {
    let text = "void f(int n, int *restrict a) {
    int m = n;
    n = 7;
    {
        int m2 = m;
        m = 9;
        {
            int m = 1;
            for (int i = 0; i < m2; i++)
                a[i] = m;
        }
    }
}
";
    let lines = added(text, PLAIN);
    assert!(
        lines.iter().any(|line| line.contains("m2 > 0 ? m2 : 0")),
        "{lines:?}"
    );
    let gone = text
        .replace("int m = 1;", "int m2 = 4; int m = m2;")
        .replace("i < m2", "i < 40 + m");
    assert_ne!(annotated(&gone), gone);
}

/// Static variables of a function are visible behind their declarations, in their blocks, if nothing else has their names.
#[test]
fn static_variables_are_seen_in_their_blocks() {
    let mapped = |text: &str| added(text, PLAIN).iter().any(|line| line.contains("a[0:9]"));
    let with = |before: &str, behind: &str| {
        format!(
            "void f(int *restrict x) {{
    {before}
    for (int i = 0; i < 9; i++)
        a[i] = x[i];
    {behind}
}}
"
        )
    };
    assert!(mapped(&with("static int a[9];", "")));
    assert!(mapped(&with(
        "static int a[9]; { static int b[9]; b[0] = 1;",
        "}"
    )));
    assert!(!mapped(&with("static int a[9];", "{ int a = 3; x[0] = a; }")));
    assert!(!mapped(&with(
        "static int a[9];",
        "{ static int a = 3; x[0] = a++; }"
    )));
    // What lies in another block, or comes later, does not hide the variable of the file.
    let global = |text: String| format!("int a[9];\n{text}");
    assert!(mapped(&global(with("{ static int a[9]; a[0] = 1; }", ""))));
    assert!(mapped(&global(with("", "static int c[9]; c[0] = x[0];"))));
}
