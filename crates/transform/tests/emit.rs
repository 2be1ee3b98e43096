//! The text that is written: nothing moves but what is inserted, in the file's own manner.

use crate::common;

use common::{OPENACC, PLAIN, Wish, added, annotated, annotated_bytes, reasons};

const FOR: &str = "#pragma omp target teams distribute parallel for";

fn same_bytes(text: &str, wish: Wish, expected: &str) {
    let new = annotated_bytes(text.as_bytes(), wish);
    assert_eq!(String::from_utf8_lossy(&new), expected);
}

#[test]
fn line_ends_are_those_of_the_file() {
    let text = "void f(int n, int *restrict a) {\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n}\n";
    let expected = format!(
        "void f(int n, int *restrict a) {{\n    {FOR} map(from: a[0:n > 0 ? n : 0])\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n}}\n"
    );
    same_bytes(text, PLAIN, &expected);
    same_bytes(
        &text.replace('\n', "\r\n"),
        PLAIN,
        &expected.replace('\n', "\r\n"),
    );
    // None at the end of the file.
    same_bytes(text.trim_end(), PLAIN, expected.trim_end());
    same_bytes(
        text.trim_end().replace('\n', "\r\n").as_str(),
        PLAIN,
        &expected.trim_end().replace('\n', "\r\n"),
    );
}

#[test]
fn most_lines_decide_about_line_ends() {
    let text =
        "int k;\r\nvoid f(int n, int *restrict a) {\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n}\n";
    assert!(added(text, PLAIN)[0].starts_with(FOR));
    let new = annotated_bytes(text.as_bytes(), PLAIN);
    assert_eq!(new.windows(2).filter(|pair| pair == b"\r\n").count(), 1);
}

#[test]
fn continued_directives_keep_line_ends_and_indentation() {
    let wish = Wish { width: 70, ..PLAIN };
    let text = "void f(int n, int *restrict a, int *restrict b)\r\n{\r\n\tfor (int i = 0; i < n; i++)\r\n\t\ta[i] = b[i];\r\n}\r\n";
    let expected = format!(
        "void f(int n, int *restrict a, int *restrict b)\r\n{{\r\n\tconst long a_length = n > 0 ? n : 0;\r\n\t{FOR} \\\r\n\t    map(to: b[0:a_length]) map(from: a[0:a_length])\r\n\tfor (int i = 0; i < n; i++)\r\n\t\ta[i] = b[i];\r\n}}\r\n"
    );
    same_bytes(text, wish, &expected);
}

#[test]
fn a_byte_order_mark_stays_first() {
    let text = "\u{feff}void f(int *restrict a) {\n\tfor (int i = 0; i < 99; i++) a[i] = i;\n}\n";
    same_bytes(
        text,
        PLAIN,
        &format!(
            "\u{feff}void f(int *restrict a) {{\n\t{FOR} map(from: a[0:99])\n\tfor (int i = 0; i < 99; i++) a[i] = i;\n}}\n"
        ),
    );
}

#[test]
fn branches_without_braces() {
    let text = "void f(int n, int k, int *restrict a) {
    if (k)
        for (int i = 0; i < n; i++)
            a[i] = i;
    else
        for (int i = 0; i < n; i++)
            a[i] = 2 * i;
}
";
    let expected = format!(
        "void f(int n, int k, int *restrict a) {{
    if (k)
        {FOR} map(from: a[0:n > 0 ? n : 0])
        for (int i = 0; i < n; i++)
            a[i] = i;
    else
        {FOR} map(from: a[0:n > 0 ? n : 0])
        for (int i = 0; i < n; i++)
            a[i] = 2 * i;
}}
"
    );
    assert_eq!(annotated(text), expected);
}

#[test]
fn an_else_behind_a_condition_stays_with_its_if() {
    let text = "#include <stdint.h>
void f(int n, int k, int *a, int *b) {
    if (k)
        for (int i = 0; i < n; i++)
            a[i] = b[i];
    else
        a[0] = 1;
}
";
    let expected = format!(
        "#include <stdint.h>
void f(int n, int k, int *a, int *b) {{
    if (k)
        {{
        const long a_length = n > 0 ? n : 0;
        if ((uintptr_t)(a + a_length) <= (uintptr_t)b || (uintptr_t)(b + a_length) <= (uintptr_t)a) {{
        {FOR} map(to: b[0:a_length]) map(from: a[0:a_length])
        for (int i = 0; i < n; i++)
            a[i] = b[i];
        }} else {{
        for (int i = 0; i < n; i++)
            a[i] = b[i];
        }}
        }}
    else
        a[0] = 1;
}}
"
    );
    assert_eq!(annotated(text), expected);
}

#[test]
fn a_whole_function_in_a_line() {
    let text = "void f(int *restrict a) { for (int i = 0; i < 99; i++) a[i] = i; }\n";
    let expected = format!(
        "void f(int *restrict a) {{ \n{FOR} map(from: a[0:99])\nfor (int i = 0; i < 99; i++) a[i] = i; }}\n"
    );
    assert_eq!(annotated(text), expected);
}

#[test]
fn loops_that_share_a_line() {
    let text = "void f(int *restrict a, int *restrict b) {
    for (int i = 0; i < 99; i++) a[i] = i; for (int i = 0; i < 99; i++) b[i] = 2 * i; a[0] = 1;
}
";
    let expected = format!(
        "void f(int *restrict a, int *restrict b) {{
    {FOR} map(from: a[0:99])
    for (int i = 0; i < 99; i++) a[i] = i; 
    {FOR} map(from: b[0:99])
    for (int i = 0; i < 99; i++) b[i] = 2 * i; a[0] = 1;
}}
"
    );
    assert_eq!(annotated(text), expected);
}

#[test]
fn comments_stay_with_their_lines() {
    let text = "void f(int n, int *restrict a, int *restrict b) {
    /* before */ for (int i = 0; i < n; i++) /* head */
        a[i] = b[i]; // tail
    for (int i = 0; i < n; i++)
        b[i] += a[i]; /* tail */ n++;
}
";
    let expected = format!(
        "void f(int n, int *restrict a, int *restrict b) {{
    /* before */ 
    const long a_length = n > 0 ? n : 0;
    #pragma omp target data map(tofrom: b[0:a_length]) map(from: a[0:a_length])
    {{
    {FOR}
    for (int i = 0; i < n; i++) /* head */
        a[i] = b[i]; // tail
    {FOR}
    for (int i = 0; i < n; i++)
        b[i] += a[i];
    }} /* tail */ n++;
}}
"
    );
    // The kernel begins on a line of its own, whatever was before it in its old line.
    let new = annotated(text);
    assert_eq!(new.replace("    \n", ""), expected.replace("    \n", ""));
}

#[test]
fn what_is_closed_behind_a_comment_is_not_in_it() {
    let tails = [
        "// to the end",
        "/* short */",
        "/* one */ /* two */",
        "// continued \\\n here",
    ];
    for tail in tails {
        let text = format!(
            "int f(int n, int *restrict a) {{
    int i;
    for (i = 0; i < n; i++)
        a[i] = i; {tail}
    return i;
}}
"
        );
        // The re-read would find a comment that swallows something.
        let new = annotated(&text);
        assert!(new.contains("i = (n > 0 ? n : 0);"), "{new}");
        assert!(new.contains(tail), "{new}");
    }
}

#[test]
fn behind_a_label() {
    let text = "void f(int n, int k, int *restrict a, int *restrict b) {
    switch (k) {
    case 1:
        for (int i = 0; i < n; i++)
            a[i] = b[i];
        break;
    default:
        b[0] = 1;
        for (int i = 0; i < n; i++)
            b[i] = a[i];
    }
}
";
    let expected = format!(
        "void f(int n, int k, int *restrict a, int *restrict b) {{
    switch (k) {{
    case 1:
        {{
        const long a_length = n > 0 ? n : 0;
        {FOR} map(to: b[0:a_length]) map(from: a[0:a_length])
        for (int i = 0; i < n; i++)
            a[i] = b[i];
        }}
        break;
    default:
        b[0] = 1;
        const long a_length_2 = n > 0 ? n : 0;
        {FOR} map(to: a[0:a_length_2]) map(from: b[0:a_length_2])
        for (int i = 0; i < n; i++)
            b[i] = a[i];
    }}
}}
"
    );
    assert_eq!(annotated(text), expected);
}

#[test]
fn values_behind_loops() {
    let text = "int f(int n, int *restrict a) {
    int i;
    for (i = 2; i < n; i++)
        a[i] = i;
    return i;
}
";
    let expected = format!(
        "int f(int n, int *restrict a) {{
    int i;
    {{
    {FOR} map(from: a[2:n > 2 ? n - 2 : 0])
    for (i = 2; i < n; i++)
        a[i] = i;
    i = (n > 2 ? n : 2);
    }}
    return i;
}}
"
    );
    assert_eq!(annotated(text), expected);
    // Where it is not used later, nothing is set.
    let unused = text.replace("return i", "return n");
    assert_eq!(added(&unused, PLAIN).len(), 1);
    let down = text.replace("i = 2; i < n; i++", "i = n; i > 3; i--");
    let set = "i = (n < 3 ? n : 3);".to_owned();
    assert!(added(&down, PLAIN).contains(&set), "{:?}", added(&down, PLAIN));
}

#[test]
fn a_loop_in_a_macro_argument_stays() {
    let text = "#define TWICE(x) x x
#define ONCE(x) x
void f(int *restrict a) {
    TWICE(for (int i = 0; i < 99; i++) a[i] = i;)
    ONCE(for (int i = 0; i < 99; i++) a[i] = 2 * i;)
}
";
    assert_eq!(annotated(text), text);
    let why = reasons(text, PLAIN);
    assert!(why.contains("macro"), "{why}");
}

#[test]
fn a_loop_beside_macros_is_written() {
    let text = "#define SIZE 99
#define EACH(i) int i = 0; i < SIZE; i++
void f(int *restrict a) {
    for (EACH(i))
        a[i] = SIZE;
}
";
    assert_eq!(added(text, PLAIN), [format!("{FOR} map(from: a[0:99])")]);
}

/// Where `n + m` leaves its type, the loop has no meaning either: a section may compute it as the loop does. Not where the loop computes something else.
#[test]
fn sums_that_loops_compute_are_written() {
    for (parameters, bound, length) in [
        ("int n, int m", "n + m", "n + m > 0 ? n + m : 0"),
        ("long n, long m", "n + m", "n + m > 0 ? n + m : 0"),
        ("int n, int m", "n + m - 1", "n + m > 1 ? n + m - 1 : 0"),
        (
            "int n, int m, int k",
            "n + m - k",
            "(long)n + m > k ? (long)n + m - k : 0",
        ),
    ] {
        let text = format!(
            "void f({parameters}, double *a) {{
    for (long i = 0; i < {bound}; i++)
        a[i] = 0;
}}
"
        );
        assert_eq!(added(&text, PLAIN), [format!("{FOR} map(from: a[0:{length}])")]);
    }
    // The second loop follows the first one, whatever that does; not behind a call.
    let two = |between: &str| {
        format!(
            "void g(void);
void f(long n, long m, double *restrict a, double *restrict b) {{
    for (long i = 0; i < 99; i++)
        a[i] = b[i];
    {between}
    for (long i = 0; i < n + m; i++)
        b[i] = a[i] + 1;
}}
"
        )
    };
    let kernels = |text: &str| {
        added(text, PLAIN)
            .iter()
            .filter(|line| line.starts_with(FOR))
            .count()
    };
    assert_eq!(kernels(&two("")), 2);
    assert_eq!(kernels(&two("g();")), 2, "each has its own environment");
}

#[test]
fn names_that_are_taken_get_a_number() {
    let text = "int a_length;
void f(int n, int *restrict a, int *restrict b) {
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}
";
    let lines = added(text, PLAIN);
    assert_eq!(lines[0], "const long a_length_2 = n > 0 ? n : 0;");
}

#[test]
fn what_is_no_statement_of_c_changes_nothing() {
    // Nothing crashes, and nothing is written, where a loop holds what is not followed.
    let text = "__extension__ typedef __int128 wide;
int f1(int n, int *a) { wide s = 0; for (int i = 0; i < n; i++) s += a[i]; return (int)s; }
int f2(int n, int *b) { for (int i = 0; i < n; i++) { int t = ({ int z = b[i]; z + 1; }); b[i] = t; } return 0; }
int f3(int n, int *a) { _Complex double z = 0; for (int i = 0; i < n; i++) z += a[i]; return (int)__real__ z; }
int f4(int n, int *a) { for (int i = 0; i < n; i++) __asm__ volatile(\"\" ::: \"memory\"); return a[0]; }
int f5(int n, int *a) { for (int i = 0; i < n; i++) { for (int j = 0; j < 3; j++) __asm__(\"\"); a[i] = i; } return 0; }
";
    let lines = added(text, PLAIN);
    assert!(lines.iter().all(|line| !line.contains("reduction")), "{lines:?}");
    assert!(reasons(text, PLAIN).contains("f4"));
}

#[test]
fn openacc_is_written_like_openmp() {
    let text = "double f(int n, double *restrict a, double *restrict b) {
    double s = 0;
    for (int i = 0; i < n; i++)
        a[i] = b[i];
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
";
    let lines = added(text, OPENACC);
    let expected = [
        "const long a_length = n > 0 ? n : 0;",
        "#pragma acc data copyin(b[0:a_length]) copyout(a[0:a_length])",
        "{",
        "#pragma acc parallel loop",
        "#pragma acc parallel loop reduction(+: s) copy(s)",
        "}",
    ];
    assert_eq!(lines, expected);
}
