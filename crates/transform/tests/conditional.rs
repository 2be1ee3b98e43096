//! Data environments around loops with kernels under conditions.

use crate::common;

use common::{OPENACC, PLAIN, Wish, added, annotated, reasons};

/// What is worth it only.
const WORTH: Wish = Wish { all: false, ..PLAIN };

const TWO: &str = "void f(double *restrict a, double *restrict b, int n, int steps, int use) {
    for (int t = 0; t < steps; t++) {
        if (CONDITION) {
            for (int i = 0; i < n; i++)
                a[i] = b[i] - a[i];
        }
        for (int i = 0; i < n; i++)
            a[i] = t - a[i];
    }
}
";

#[test]
fn a_section_is_empty_where_its_kernel_never_runs() {
    let expected = [
        "const long a_length = n > 0 && steps > 0 ? n : 0;",
        "const long b_length = n > 0 && steps > 0 && use != 0 ? n : 0;",
        "#pragma omp target data map(to: b[0:b_length]) map(tofrom: a[0:a_length])",
        "{",
        "#pragma omp target teams distribute parallel for",
        "#pragma omp target teams distribute parallel for",
        "}",
    ];
    assert_eq!(added(&TWO.replace("CONDITION", "use"), WORTH), expected);
    let lines = added(
        &TWO.replace("CONDITION", "use"),
        Wish {
            all: false,
            ..OPENACC
        },
    );
    assert!(
        lines.contains(&"#pragma acc data copyin(b[0:b_length]) copy(a[0:a_length])".to_owned()),
        "{lines:?}"
    );
}

/// What `b` leads to needs to be there in the step `use` only.
#[test]
fn what_may_not_be_there_is_not_mapped_around_the_loop() {
    for condition in ["t == use", "t >= use", "t % 2", "use && t > 1"] {
        let text = TWO.replace("CONDITION", condition);
        assert!(added(&text, WORTH).is_empty(), "{condition}");
        let why = reasons(&text, WORTH);
        assert!(
            why.contains("it is not known that all of the storage that it needs is there"),
            "{condition}: {why}"
        );
    }
}

/// The other kernel touches all of `a` in every step.
#[test]
fn what_other_kernels_touch_is_there() {
    let text = TWO
        .replace("CONDITION", "t % 2")
        .replace("b[i] - a[i]", "2 * a[i]");
    let expected = [
        "const long a_length = n > 0 && steps > 0 ? n : 0;",
        "#pragma omp target data map(tofrom: a[0:a_length])",
        "{",
        "#pragma omp target teams distribute parallel for",
        "#pragma omp target teams distribute parallel for",
        "}",
    ];
    let lines = added(&text, WORTH);
    assert_eq!(lines, expected);
}

#[test]
fn what_the_host_does_in_the_other_branch_is_left_to_it() {
    let text = "void f(double *restrict a, int n, int steps, int use) {
    for (int t = 0; t < steps; t++) {
        if (use) {
            for (int i = 0; i < n; i++)
                a[i] = t - a[i];
        } else {
            for (int i = 1; i < n; i++)
                a[i] = t - a[i - 1];
        }
    }
}
";
    let expected = "void f(double *restrict a, int n, int steps, int use) {
    const long a_length = (steps > 0) && (use != 0) ? (n > 0 ? n : 0) : 0;
    if ((steps > 0)
        && (use != 0)) {
    #pragma omp target data map(tofrom: a[0:a_length])
    {
    for (int t = 0; t < steps; t++) {
        if (use) {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++)
                a[i] = t - a[i];
        } else {
            for (int i = 1; i < n; i++)
                a[i] = t - a[i - 1];
        }
    }
    }
    } else {
";
    let new = annotated(text);
    assert!(new.starts_with(expected), "{new}");
    // A variable of the file that the loop changes, or may change, is no such condition.
    let in_file = |text: &str| format!("int use;\nvoid other(void);\n{}", text.replace(", int use", ""));
    assert!(added(&in_file(text), WORTH).contains(&"&& (use != 0)) {".to_owned()));
    for statement in ["use = !use;", "other();", "*(int *)p = t;"] {
        let text = text.replace("int use", "int use, int *p");
        let text = in_file(&text).replace(
            "    for (int t = 0; t < steps; t++) {\n",
            &format!("    for (int t = 0; t < steps; t++) {{\n        {statement}\n"),
        );
        assert!(added(&text, WORTH).is_empty(), "{statement}");
    }
}

#[test]
fn nothing_divides_by_zero_before_the_loop() {
    let text = |condition: &str| {
        format!(
            "void f(double *restrict a, int n, int d, int steps) {{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            if ({condition})
                a[n / d + i] = t - a[n / d + i];
}}
"
        )
    };
    let lines = added(&text("d != 0"), WORTH);
    assert_eq!(
        lines[..2],
        [
            "const long a_first = n > 0 && steps > 0 && d != 0 ? (n / d) : 0;",
            "const long a_length = n > 0 && steps > 0 && d != 0 ? n : 0;"
        ]
    );
    // The loop divides by itself, if it runs.
    assert!(
        added(&text("i > 5"), WORTH)
            .iter()
            .all(|line| !line.contains("a[n / d"))
    );
    let quotient = "void f(double *restrict a, int n, int d, int steps) {
    for (int t = 0; t < steps; t++) {
        if (n / d > 3) {
            for (int i = 0; i < n; i++)
                a[i] = t - a[i];
        } else
            for (int i = 1; i < n; i++)
                a[i] = t - a[i - 1];
    }
}
";
    assert!(added(quotient, WORTH).is_empty());
}

/// Buffers that change roles do so in every step, or their data do not stay.
#[test]
fn pointers_are_not_exchanged_around_kernels_under_conditions() {
    let text = "void f(double *restrict now, double *restrict next, int n, int steps, int use) {
    for (int t = 0; t < steps; t++) {
        if (use)
            for (int i = 1; i < n - 1; i++)
                next[i] = now[i - 1] + now[i + 1];
        double *swap = now;
        now = next;
        next = swap;
    }
}
";
    assert!(added(text, WORTH).is_empty());
    assert!(!added(&text.replace("if (use)", ""), WORTH).is_empty());
}

/// Whether a kernel runs is asked where the condition is, and what is asked before may have been another value.
#[test]
fn a_condition_that_may_have_changed_is_not_asked_before() {
    let text = |between: &str| {
        format!(
            "int use;
void f(double *restrict a, double *restrict b, int *p, int n, int steps) {{
    for (int i = 0; i < n; i++)
        a[i] = 1 - a[i];
    {between}
    for (int t = 0; t < steps; t++) {{
        if (use) {{
            for (int i = 0; i < n; i++)
                b[i] = a[i] - b[i];
        }}
    }}
}}
"
        )
    };
    let first = |between: &str| added(&text(between), WORTH).remove(1);
    assert_eq!(
        first("p[0] > 5;"),
        "const long b_length = n > 0 && steps > 0 && use != 0 ? n : 0;"
    );
    let alone = "#pragma omp target teams distribute parallel for map(tofrom: a[0:n > 0 ? n : 0])";
    assert_eq!(added(&text("*p = 5;"), WORTH)[0], alone);
}

/// What is left out is what the same condition leaves out.
#[test]
fn branches_of_other_conditions_stay() {
    let text = "void f(double *restrict b, int n, int steps, int use, int other) {
    for (int t = 0; t < steps; t++) {
        if (use) {
            for (int i = 0; i < n; i++)
                b[i] = 1 - b[i];
        }
        if (other) {
        } else {
            for (int i = 1; i < n; i++)
                b[i] = 1 - b[i - 1];
        }
    }
}
";
    assert!(added(text, WORTH).is_empty());
    assert!(!added(&text.replace("(other)", "(use)"), WORTH).is_empty());
}

/// What is there under one condition need not be there under another one that changes: it is tested before the loop.
#[test]
fn what_is_there_under_one_condition_is_tested_for_the_other() {
    let text = "void f(double *restrict b, int n, int steps, int use) {
    for (int t = 0; t < steps; t++) {
        if (use)
            for (int i = 0; i < n; i++)
                b[i] = 1 - b[i];
        if (t % 2)
            for (int i = 0; i < n; i++)
                b[i] = 2 - b[i];
    }
}
";
    let lines = added(text, WORTH);
    assert_eq!(lines[1..3], ["if ((steps > 0)", "&& (use != 0)) {"], "{lines:?}");
}

#[test]
fn an_object_that_is_too_short_if_the_kernel_ran_is_not_mapped() {
    let text = "static double nine[9], fifty[50];
void f(int m, int steps, int from) {
    for (int t = 0; t < steps; t++) {
        if (t >= from)
            for (int i = 0; i < m; i++)
                OBJECT[i] = 2 - OBJECT[i];
        for (int i = 0; i < 50; i++)
            fifty[i] = t - fifty[i];
    }
}
";
    let lines = added(&text.replace("OBJECT", "nine"), WORTH);
    assert!(lines.iter().all(|line| !line.contains("nine")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("fifty")), "{lines:?}");
    let lines = added(&text.replace("OBJECT", "fifty").replace("i < m", "i < 45"), WORTH);
    let kernels = lines.iter().filter(|line| line.contains("teams"));
    assert_eq!(kernels.count(), 2, "{lines:?}");
}

/// Copies are combined into them also where nothing was added.
#[test]
fn reduced_elements_are_there() {
    let text = "void f(double *restrict sum, const double *restrict a, int n, int steps, int use) {
    for (int t = 0; t < steps; t++) {
        if (use) {
            for (int i = 0; i < n; i++)
                sum[0] += a[i];
        }
    }
}
";
    let lines = added(text, WORTH);
    let at = lines.iter().position(|line| line.starts_with("#pragma"));
    let tests = lines[..at.expect("a directive")].join(" ");
    assert!(
        tests.contains("(use != 0)") && tests.contains("(n > 0)"),
        "{lines:?}"
    );
}

/// The program asks for it only there, and it may be nothing else.
#[test]
fn a_condition_is_tested_where_the_loops_around_it_run() {
    let text = "void f(double *restrict a, int n, int steps, int inner, int u, int v) {
    for (int t = 0; t < steps; t++)
        for (int r = 0; r < inner; r++)
            if (u + v > 9) {
                for (int i = 0; i < n; i++)
                    a[i] = t - a[i];
            } else
                for (int i = 1; i < n; i++)
                    a[i] = r - a[i - 1];
}
";
    let lines = added(text, WORTH).join(" ");
    assert!(lines.contains("if ((steps > 0) && (inner > 0) && "), "{lines}");
    // Nobody knows whether a loop runs that nobody can count.
    let text = text.replace(
        "for (int t = 0; t < steps; t++)",
        "for (int t = 9; t > 0; t = t / 2 - steps)",
    );
    let plain = |text: &str| text.replace("u + v > 9", "u > v");
    let sized = format!(
        "static double a[500];\n{}",
        text.replace("double *restrict a, ", "")
            .replace("i < n", "i < 500")
    );
    assert!(added(&sized, WORTH).is_empty());
    assert!(!added(&plain(&sized), WORTH).is_empty());
    // Nor whether what a pointer leads to is there, then.
    assert!(added(&plain(&text), WORTH).is_empty());
}
