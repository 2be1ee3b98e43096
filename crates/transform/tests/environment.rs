//! Sections, directions and updates of data environments.

use crate::common;

use common::{PLAIN, added, annotated, reasons};

fn directives(text: &str) -> Vec<String> {
    let mut lines = added(text, PLAIN);
    lines.retain(|line| line.starts_with("#pragma"));
    lines
}

#[test]
fn lengths_are_zero_where_nothing_runs() {
    let text = "void f(int n, int m, int *restrict a, int *restrict b) {
    for (int i = 0; i < n - 3; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += b[j];
}
";
    // Two negative counts would multiply to something positive.
    let all = directives(text).join("\n");
    assert!(all.contains("b[0:n >= 4 && m > 0 ? m : 0]"), "{all}");
    assert!(
        all.contains("a[0:n >= 4 && m > 0 ? (long)n * m - 3 * (long)m : 0]"),
        "{all}"
    );
}

#[test]
fn an_array_that_may_be_left_alone_is_empty_then() {
    let text = "void f(int n, int k, int *restrict a, int *restrict b) {
    for (int i = 0; i < n; i++)
        a[i] = b[k];
}
";
    let all = directives(text).join("\n");
    assert!(
        all.contains("b[k:n > 0 ? 1 : 0]") || all.contains("b[k:n > 0]"),
        "{all}"
    );
}

/// clang 19 dies of `?:` and `||` in sections of `target data`.
#[test]
fn branches_have_names_in_data_environments() {
    let text = "void f(int n, int *restrict a, int *restrict b, int *restrict c) {
    for (int i = 0; i < n; i++)
        b[i] = a[i + (n > 5 ? 2 : 1)];
    for (int i = 1; i < n; i++)
        c[i] = b[i];
}
";
    let lines = added(text, PLAIN);
    let expected = [
        "const long a_first = n >= 6 ? 2 : 1;",
        "const long a_length = n > 0 ? n : 0;",
        "const long c_length = n > 1 ? n - 1 : 0;",
        "#pragma omp target data map(to: a[a_first:a_length]) map(from: b[0:a_length], c[1:c_length])",
        "{",
        "#pragma omp target teams distribute parallel for map(alloc: a[a_first:a_length])",
        "#pragma omp target teams distribute parallel for map(alloc: c[1:c_length])",
        "}",
    ];
    assert_eq!(lines, expected);
    for directive in directives(text) {
        assert!(!directive.contains(['?', '|']), "{directive}");
    }
}

#[test]
fn updates_stand_beside_the_statement() {
    let text = "void f(double *restrict r, double *restrict q) {
    double s = 0;
    for (int k = 0; k < 100; k++) {
        r[k] = 3; // written by the host
        for (int i = 0; i < 100; i++)
            r[i] = q[i] * r[i] + k;
        s += r[k];
    }
    q[0] = s;
}
";
    let expected = "void f(double *restrict r, double *restrict q) {
    double s = 0;
    #pragma omp target data map(to: q[0:100]) map(tofrom: r[0:100])
    {
    for (int k = 0; k < 100; k++) {
        r[k] = 3; // written by the host
        #pragma omp target update to(r[k:1])
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; i++)
            r[i] = q[i] * r[i] + k;
        #pragma omp target update from(r[k:1])
        s += r[k];
    }
    }
    q[0] = s;
}
";
    assert_eq!(annotated(text), expected);
}

#[test]
fn an_update_is_not_written_where_it_may_not_run() {
    for statement in [
        "if (k > 3) r[k] = 3;",
        "k > 3 && (r[k] = 3);",
        "r[k++] = 3;",
        "r[(int)q[k]] = 3;",
    ] {
        let text = format!(
            "void f(double *restrict r, double *restrict q) {{
    for (int k = 0; k < 100; k++) {{
        {statement}
        for (int i = 0; i < 100; i++)
            r[i] = q[i] * r[i] + k;
    }}
}}
"
        );
        let lines = directives(&text);
        assert!(lines.iter().all(|line| !line.contains("update")), "{lines:?}");
    }
}

/// What stands behind the statement in its line goes on in another one.
#[test]
fn an_update_has_a_line_of_its_own() {
    let text = "void f(double *restrict r, double *restrict q, int *restrict seen) {
    for (int k = 0; k < 100; k++) {
        for (int i = 0; i < 100; i++)
            r[i] = q[i] + k;
        r[3] = 0.5 * k; *seen = k;
        for (int i = 0; i < 100; i++)
            q[i] = r[99 - i] + 1;
    }
}
";
    let expected = "        r[3] = 0.5 * k;
        #pragma omp target update to(r[3:1])
         *seen = k;
";
    let written = annotated(text);
    assert!(written.contains(expected), "{written}");
}

/// gcc 12 refuses a section of an array that is longer than the array, though the loop compiles.
#[test]
fn loops_past_the_end_of_an_array_stay_on_the_host() {
    let text = |last: u32| {
        format!(
            "static const int table[8] = {{1, 2, 3}};
void f(int *restrict x) {{
    for (int i = 0; i < {last}; i++)
        x[i] = table[i];
}}
"
        )
    };
    assert_eq!(directives(&text(9)), Vec::<String>::new());
    let fits = directives(&text(8));
    assert!(fits[0].contains("table"), "{fits:?}");
}

/// A transfer for each element takes longer than all that the kernels save, but of a few (the sums of `ludcmp` ran for minutes on a GPU).
#[test]
fn no_update_is_made_of_each_element_of_a_loop() {
    let text = |head: &str| {
        format!(
            "void f(double *restrict r, double *restrict q) {{
    for (int k = 0; k < 100; k++) {{
        double s = 0;
        for ({head}) {{
            s = s * 0.5 + r[j];
        }}
        for (int i = 0; i < 100; i++)
            r[i] = q[i] * r[i] + s;
    }}
}}
"
        )
    };
    for head in [
        "int j = 0; j < k; j++",
        "int m = 0; m < 9; m++) for (int j = 0; j < 4; j++",
    ] {
        let many = directives(&text(head));
        assert!(many.iter().all(|line| !line.contains("update")), "{many:?}");
    }
    let few = directives(&text("int j = 0; j < 4; j++"));
    assert!(
        few.contains(&"#pragma omp target update from(r[j:1])".to_owned()),
        "{few:?}"
    );
}

#[test]
fn parts_of_bytes_are_not_certain() {
    let text = |member: &str| {
        format!(
            "struct flags {{ unsigned char low : 3, high : 5; }};
struct number {{ int value; }};
void f(struct flags *restrict x, struct number *restrict y) {{
    for (int i = 0; i < 99; i++)
        {member} = 5;
}}
"
        )
    };
    let whole = directives(&text("y[i].value"));
    assert!(whole[0].contains("map(from: y[0:99])"), "{whole:?}");
    let bits = directives(&text("x[i].low"));
    assert!(bits[0].contains("map(tofrom: x[0:99])"), "{bits:?}");
}

/// Two negative sizes have a positive product: where the loops do not run, the section is empty all the same, so that nothing comes in for it.
/// The regions do not say so here: what reads one element makes the rows unknown to them.
#[test]
fn what_is_written_whole_does_not_come_in_though_it_is_read_later() {
    let text = |guard: &str| {
        format!(
            "int f(int n, int m, int *restrict a) {{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            {guard}a[i * m + j] = i + j;
    return a[0];
}}
"
        )
    };
    let whole = directives(&text(""));
    assert!(
        whole[0].contains("map(from: a[0:n > 0 && m > 0 ? (long)n * m : 0])"),
        "{whole:?}"
    );
    let part = directives(&text("if (i != 3) "));
    assert!(part[0].contains("map(tofrom: a[0:"), "{part:?}");
}

#[test]
fn what_is_written_under_a_condition_comes_in_too() {
    let text = "void f(int n, int *restrict a, int *restrict b) {
    for (int i = 0; i < n; i++)
        if (b[i])
            a[i] = 1;
}
";
    assert!(directives(text)[0].contains("map(tofrom: a["));
}

#[test]
fn bounds_behind_pointers_are_read_only_where_the_program_reads_them() {
    let text = "struct window { int offset; };
void f(int n, struct window *w, int *restrict a, int *restrict b) {
    for (int i = 0; i < n; i++)
        a[i] = b[w->offset + i];
}
";
    assert_eq!(annotated(text), text);
    let said = reasons(text, PLAIN);
    assert!(
        said.contains("may be another one, or not be there, before the loop"),
        "{said}"
    );
}

#[test]
fn a_pointer_that_changes_between_kernels_ends_the_environment() {
    let text = "void f(int n, int *restrict a, int *restrict b, int *restrict q) {
    int *p = a;
    for (int i = 0; i < n; i++)
        p[i] = q[i] + 1;
    p = b;
    for (int i = 0; i < n; i++)
        q[i] = p[i] + 2;
}
";
    let lines = directives(text);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines.iter().all(|line| !line.contains("target data")),
        "{lines:?}"
    );
}

#[test]
fn host_reads_between_kernels_end_the_environment() {
    let text = "int g(int);
void f(int n, int k, int *restrict a, int *restrict b) {
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    k = g(b[0] + b[n / 2]);
    for (int i = 0; i < n; i++)
        b[i] += k;
}
";
    assert!(directives(text).iter().all(|line| !line.contains("target data")));
}

/// Two writes that cover an object together: by the regions of the kernels, not by one strided box.
#[test]
fn what_several_writes_cover_does_not_move_in() {
    let of = |body: &str| {
        let text = format!("void f(int n, int *restrict a, int *restrict b) {{\n{body}}}\n");
        directives(&text).join("\n")
    };
    let branches = of("for (int i = 0; i < n; i++) { if (i < 5) a[i] = b[i]; else a[i] = 1; }\n");
    assert!(branches.contains("map(from: a[0:n > 0 ? n : 0])"), "{branches}");
    // With a test on data one branch may be all there is, but then the other writes.
    let data = of("for (int i = 0; i < n; i++) { if (b[i] > 5) a[i] = b[i]; else a[i] = 1; }\n");
    assert!(data.contains("map(from: a["), "{data}");
    let stripes =
        of("for (int i = 0; i < n; i++) a[2 * i] = 1;\nfor (int i = 0; i < n; i++) a[2 * i + 1] = 2;\n");
    assert!(stripes.contains("map(from: a[0:a_length])"), "{stripes}");
    let gap =
        of("for (int i = 0; i < n; i++) a[3 * i] = 1;\nfor (int i = 0; i < n; i++) a[3 * i + 2] = 2;\n");
    assert!(gap.contains("map(tofrom: a["), "{gap}");
    let one_branch = of("for (int i = 0; i < n; i++) { if (i != 5) a[i] = b[i]; }\n");
    assert!(one_branch.contains("map(tofrom: a["), "{one_branch}");
    let read_first = of("for (int i = 0; i < n; i++) { if (i < 5) a[i] = a[i] + 1; else a[i] = 1; }\n");
    assert!(read_first.contains("map(tofrom: a["), "{read_first}");
    let one_more = of(
        "for (int i = 0; i < n; i++) { if (i < 5) a[i] = 0; else a[i] = 1; }\nfor (int i = 0; i <= n; i++) b[i] = a[i];\n",
    );
    assert!(one_more.contains("map(tofrom: a["), "{one_more}");
    // The inner loop does not run for even numbers.
    let inner = of(
        "for (int i = 0; i < n; i++) { for (int j = 0; j < i % 2; j++) a[i] = j + 9; b[i] = a[i]; a[i] = 4; }\n",
    );
    assert!(inner.contains("map(tofrom: a["), "{inner}");
    let needed = of(
        "for (int i = 0; i < n; i++) { if (i < 5) a[i] = 0; b[i] = a[i]; }\nfor (int i = 0; i < n; i++) a[i] = 1;\n",
    );
    assert!(needed.contains("map(tofrom: a["), "{needed}");
}

/// A subscript from memory stays inside its object; C lets a remainder be negative, but not a subscript.
#[test]
fn sections_end_where_their_object_ends() {
    let text = "int table[40], which[100];
#define M 33
int other[M];
void f(int n, int *restrict r) {
    for (int i = 0; i < 100; i++)
        r[i] = table[which[i]] + other[which[i] % M];
}
";
    let all = directives(text).join("\n");
    // By their names alone: what M is does not matter.
    assert!(all.contains("map(to: table, which[0:100], other)"), "{all}");
    let allocated = "#include <stdlib.h>
int f(unsigned n, const int *restrict at) {
    int *p = malloc(n * sizeof *p), sum = 0;
    for (unsigned i = 0; i < n; i++) p[i] = 1;
    for (unsigned i = 0; i < n; i++) sum += p[at[i]];
    free(p);
    return sum;
}
";
    let all = directives(allocated).join("\n");
    assert!(all.contains("p[0:n]"), "{all}");
}

/// Storage that is gone before a loop that does not touch it cannot be named.
#[test]
fn released_storage_has_no_size() {
    let text = "#include <stdlib.h>
int f(unsigned n, const int *restrict at) {
    int *p = malloc(n * sizeof *p), sum = 0;
    free(p);
    for (unsigned i = 0; i < n; i++) { if (at[i] < 0) sum += p[at[i] + 9]; }
    return sum;
}
";
    assert_eq!(added(text, PLAIN), [""; 0]);
    let reasons = reasons(text, PLAIN);
    assert!(reasons.contains("lower bound"), "{reasons}");
}

/// What is before the pointer need not exist, if nothing is certainly touched there.
#[test]
fn a_section_that_may_begin_before_its_pointer_is_refused() {
    let remainder = "void f(int n, const int *restrict w, int *restrict p, int *restrict q) {
    for (int i = 0; i < n; i++)
        q[i] = p[w[i] % 33];
}
";
    assert_eq!(added(remainder, PLAIN), [""; 0]);
    let reasons = reasons(remainder, PLAIN);
    assert!(reasons.contains("before what the pointer points to"), "{reasons}");
    let certain = "void f(int n, int *restrict p, int *restrict q) {
    for (int i = 0; i < n; i++)
        q[i] = p[i - 1];
}
";
    let all = directives(certain).join("\n");
    assert!(all.contains("p[-1:"), "{all}");
}
