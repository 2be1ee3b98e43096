//! Heads of loops that set several variables: what is taken out of them, and which stay as they are.

use crate::common;
use common::{OPENACC, PLAIN, annotated, annotated_as, reasons};

fn with(head: &str, body: &str) -> String {
    format!(
        "#define MORE(x, y) ((x) > (y) ? (x) : (y))
int all;
void f(int n, int m, int *restrict a, const int *restrict b) {{
    int i, k;
    for ({head})
    {{
        {body}
    }}
}}
"
    )
}

#[test]
fn other_variables_are_taken_out_of_the_head() {
    for (old, new, first) in [
        (
            "i = 0, k = 1; i < n; i++, k += 2",
            "i = 0; i < n; i++",
            "k = 2 * (long)i + 1;",
        ),
        ("k = m, i = 0; i < n; k--, ++i", "i = 0; i < n; ++i", "k = m - i;"),
        ("i = k = 0; i < n; i++, k++", "i = 0; i < n; i++", "k = i;"),
        (
            "k = i = 3; i < n; k++, i++",
            "i = 3; i < n; i++",
            "k = (i - 3) + 3;",
        ),
        (
            "i = MORE(0, m) , k = 0 ; i < n ; i += 2 , k++",
            "i = MORE(0, m) ; i < n ; i += 2",
            "k = (i - i_first) / 2;",
        ),
        (
            "i = n - 1, k = 0; i >= 0; k++, i--",
            "i = n - 1; i >= 0; i--",
            "k = i_first - i;",
        ),
        (
            "int j = 0, l = m; j < n; l++, j++",
            "int j = 0; j < n; j++",
            "int l = m + j;",
        ),
        (
            "long l = 1, j = 2; j < n; l++, j++",
            "long j = 2; j < n; j++",
            "long l = (j - 2) + 1;",
        ),
        (
            "register int j = 0, l = 0; j < n; j++, l++",
            "register int j = 0; j < n; j++",
            "register int l = j;",
        ),
    ] {
        let (own, other) = if old.contains(" j ") {
            ("j", "l")
        } else {
            ("i", "k")
        };
        let text = with(old, &format!("a[{own}] = b[{other}];"));
        for wish in [PLAIN, OPENACC] {
            let found = annotated_as(&text, wish);
            assert!(found.contains(&format!("for ({new})")), "{old}: {found}");
            assert!(found.contains(first), "{old}: {found}");
        }
    }
}

/// What no variable holds has a name, which is declared with what the head sets.
#[test]
fn first_values_are_those_of_the_head() {
    let found = annotated(&with("i = 0, k = n * m; i < n; i++, k++", "a[i] = b[k];"));
    assert!(found.contains("const int k_first = (long)n * m;"), "{found}");
    assert!(found.contains("k = k_first + i;"), "{found}");
}

/// Clauses would go by the value that the pointer had before.
#[test]
fn a_pointer_that_the_head_sets_keeps_it() {
    for before in ["", " = b + 2"] {
        let text = with("i = 0, p = b; i < n; i++, p++", "a[i] = *p;");
        let text = text.replace("int i, k;", &format!("int i; const int *p{before};"));
        assert!(!annotated(&text).contains("#pragma"), "{}", annotated(&text));
        let why = reasons(&text, PLAIN);
        assert!(why.contains("its head sets the pointer p"), "{why}");
    }
}

/// A name that the head hides means another variable in the body.
#[test]
fn hidden_names_are_not_written() {
    let text = "void f(int n, int m, int *restrict a) {
    int k = m, w = k;
    for (int i = 0, k = 1; i < n; i++, k += w)
        a[i] = k + w;
}
";
    assert!(
        annotated(text).contains("int k = (long)m * i + 1;"),
        "{}",
        annotated(text)
    );
}

/// Compilers warn of a variable that nothing reads any more.
#[test]
fn what_only_a_head_reads_keeps_it() {
    let why = "of which compilers warn";
    for (before, head, body) in [
        (
            "int start = 3;",
            "int j = 0, l = start; j < n; j++, l++",
            "a[j] = b[l];",
        ),
        (
            "int step = 3;",
            "int j = 0, l = m; j < n; j++, l += step",
            "a[j] = b[l];",
        ),
        (
            "k = m; int same = k;",
            "int j = 0, l = same; j < n; j++, l++",
            "a[j] = b[l + k];",
        ),
        (
            "int only = m + 3;",
            "i = 0, k = 1; i < n; i++, k += only",
            "a[i] = 1;",
        ),
        ("", "i = 0, k = m; i < n; i++, k += 2", "a[i] = 1;"),
    ] {
        let text = with(head, body).replace("    for (", &format!("    {before}\n    for ("));
        assert!(
            !annotated(&text).contains("#pragma"),
            "{head}: {}",
            annotated(&text)
        );
        assert!(
            reasons(&text, PLAIN).contains(why),
            "{head}: {}",
            reasons(&text, PLAIN)
        );
    }
    // What is read elsewhere, too, is no reason.
    let read = with("int j = 0, l = start; j < n; j++, l++", "a[j] = b[l] + start;");
    let read = read.replace("int i, k;", "int start = 3;");
    assert!(
        annotated(&read).contains("int l = j + 3;"),
        "{}",
        reasons(&read, PLAIN)
    );
    let fine = with("i = 0, k = start; i < n; i++, k += 2", "a[i] = b[k];");
    let fine = fine.replace("int i, k;", "int i, k, start = m + 3;");
    assert!(
        annotated(&fine).contains("k = start + 2 * (long)i;"),
        "{}",
        annotated(&fine)
    );
}

/// Of what only the head names nothing is left but its value behind the loop.
#[test]
fn what_only_the_head_names_has_a_last_value() {
    let text = "int f(int n, int *restrict a) {
    int i, k;
    for (i = 0, k = 1; i < n; i++, k += 2)
        a[i] = 1;
    for (int j = 0, l = n; j < n; j++, l--)
        a[j]++;
    return k;
}
";
    let found = annotated(text);
    assert!(
        found.contains("for (i = 0; i < n; i++)\n        a[i] = 1;\n"),
        "{found}"
    );
    assert!(found.contains("k = 2 * (long)(n > 0 ? n : 0) + 1;"), "{found}");
    assert!(
        found.contains("for (int j = 0; j < n; j++)\n        a[j]++;\n"),
        "{found}"
    );
    assert!(!found.contains("private") && !found.contains(" l "), "{found}");
}

#[test]
fn heads_that_cannot_be_taken_apart_stay() {
    let reads = "and reads it for the loop's own";
    let beside = "something else stands beside them";
    for (head, body, why) in [
        ("k = m, i = k; i < n; i++, k++", "a[i] = b[k];", reads),
        ("i = 0, k = n; i < k; i++, k--", "a[i] = b[k];", reads),
        ("i = 0, k = 1; i < n; i += k, k = 1", "a[i] = 2;", "not parallel"),
        (
            "i = 0, k = 7; i < n; i++",
            "a[i] = b[k];",
            "could be set before the loop",
        ),
        ("i = 0; i < n; i++, all = i", "a[i] = 2;", ""),
        (
            "i = 0, k = 0; i < n && k < m; i++, k++",
            "a[i] = b[k];",
            "does not compare one that it steps",
        ),
        (
            "i = 0, a[m] = 1; i < n; i++",
            "a[i] = 2;",
            "something else beside setting",
        ),
        (
            "i = 0, all = 0; i < n; i++, all++",
            "a[i] = 2;",
            "which is no counter",
        ),
        (
            "(i = 0), (k = 1); i < n; (i++), (k++)",
            "a[i] = b[k];",
            "take no parentheses",
        ),
        (
            "i = 0, k = 1; (i < n); i++, k++",
            "a[i] = b[k];",
            "refuse the condition",
        ),
        (
            "i = 0, k = 1; (long)i < n; i++, k++",
            "a[i] = b[k];",
            "refuse the condition",
        ),
        ("/* both */ i = 0, k = 1; i < n; i++, k++", "a[i] = b[k];", beside),
        ("i = 0, k = 1; i < n; i++, k++ /* both */", "a[i] = b[k];", beside),
        (
            "int j = 0, l = 0; j < n; j++, l++",
            "int l = j; a[j] = b[l];",
            "its body another one",
        ),
        (
            "const int *p = b, *q = (i = 0, b); i < n; i++, p++",
            "a[i] = *p + *q;",
            "",
        ),
    ] {
        let text = with(head, body);
        let found = annotated(&text);
        assert!(!found.contains("#pragma"), "{head}: {found}");
        assert!(
            reasons(&text, PLAIN).contains(why),
            "{head}: {}",
            reasons(&text, PLAIN)
        );
    }
}
