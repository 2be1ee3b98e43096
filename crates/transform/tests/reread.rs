//! Texts that say something else than was meant must be found, whatever the mistake; the right ones must pass.

use crate::common;

use common::{OPENACC, PLAIN, Wish, reread};

/// A text is wrong if one part of what was inserted is replaced.
fn wrong_in(wish: Wish, text: &str, from: &str, to: &str, why: &str) {
    assert_eq!(reread(text, from, from, wish), Ok(()), "the intended text");
    let found = reread(text, from, to, wish).expect_err(&format!("`{to}` instead of `{from}`"));
    assert!(found.contains(why), "`{to}` instead of `{from}`: {found}");
}

/// The same with the defaults.
pub fn wrong(text: &str, from: &str, to: &str, why: &str) {
    wrong_in(PLAIN, text, from, to, why);
}

const COPY: &str = "void f(int n, int m, int k, const int *restrict a, int *restrict b) {
    for (int i = 0; i < n; i++)
        b[i] = a[i + 3];
}
";

#[test]
fn sections_are_compared() {
    let map = "map(to: a[3:a_length])";
    for (other, why) in [
        ("map(to: a[3:a_length + 1])", "the length of a section"),
        ("map(to: a[3:n])", "the length of a section"),
        ("map(to: a[3:(m > 0 ? m : 0)])", "the length of a section"),
        ("map(to: a[3:(short)a_length])", "the length of a section"),
        ("map(to: a[3:(n > 1 ? n : 0)])", "the length of a section"),
        ("map(to: a[2:a_length])", "the first element of a section"),
        ("map(to: a[k:a_length])", "the first element of a section"),
        ("map(to: a[6 / (m > 0 ? 2 : 0):a_length])", "it divides by zero"),
        ("map(to: a)", "another shape"),
    ] {
        wrong(COPY, map, other, why);
    }
    // Only its spelling is another.
    for other in [
        "map(to: a[1 + 2:a_length])",
        "map(to: a[3:n < 0 ? 0 : n])",
        "map(to : a [ 3 : (long)a_length ])",
    ] {
        assert_eq!(reread(COPY, map, other, PLAIN), Ok(()));
    }
}

/// Hardly any values fulfil the test at the beginning, so that these are looked for.
#[test]
fn multiples_are_tried_where_sizes_are_divided() {
    let text = "void f(int n, int m, int k, int *restrict a) {
    if (n <= 0 || n % 64 != 0 || m <= 0 || m % 48 || k <= 0 || k % 100 != 0)
        return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                a[(i * m + j) * k + l] = 1;
}
";
    let length = "a[0:(long)n * m * k]";
    assert_eq!(reread(text, length, length, PLAIN), Ok(()));
    wrong(
        text,
        length,
        "a[0:(long)n * m * k / 2]",
        "the length of a section can be",
    );
}

/// Hardly any choice of values has this one among them.
#[test]
fn the_only_value_of_a_size_is_tried() {
    let text = "void f(int n, int m, int *restrict a) {
    if (n != 1009)
        return;
    for (int i = 0; i < m; i++)
        a[i + n] = 1;
}
";
    assert_eq!(reread(text, "a[n:", "a[n:", PLAIN), Ok(()));
    assert_eq!(reread(text, "a[n:", "a[1009:", PLAIN), Ok(()));
    wrong(
        text,
        "a[n:",
        "a[1008:",
        "the first element of a section can be 1008 where 1009 was meant",
    );
}

/// A limit that no address depends on may be the greatest value of its type.
#[test]
fn ends_of_types_are_tried() {
    let upto = |ty: &str| {
        format!(
            "void f({ty} n, {ty} limit, int *restrict a) {{
    for ({ty} i = 0; i < n; i++)
        if (i <= limit)
            a[i] = 1;
}}
"
        )
    };
    for ty in ["unsigned", "unsigned long", "int", "long"] {
        let why = "if a variable is the least or the greatest of its type";
        wrong(
            &upto(ty),
            "limit < n ? limit + 1",
            "limit + 1 < n ? limit + 1",
            why,
        );
    }
    // In 64 bits the sum has a value.
    let wide = "(long)limit + 1 < n ? limit + 1";
    assert_eq!(reread(&upto("int"), "limit < n ? limit + 1", wide, PLAIN), Ok(()));
    let behind = "void f(unsigned long n, unsigned long limit, int *restrict a) {
    for (unsigned long i = 0; i < n; i++)
        if (i > limit)
            a[i] = 1;
}
";
    wrong(behind, "n > limit ?", "n > limit + 1 ?", "can be");
    let between = "void f(int low, int high, int *restrict a) {
    for (long i = low; i <= high; i++)
        a[i - low] = 1;
}
";
    wrong(between, "high - low + 1", "high + 1 - low", "overflows");
}

#[test]
fn clauses_are_compared() {
    wrong(COPY, "map(to: a[", "map(from: a[", "another direction");
    wrong(COPY, "map(from: b[", "map(tofrom: b[", "another direction");
    wrong(COPY, "map(to: a[", "map(always, to: a[", "another direction");
    wrong(
        COPY,
        "map(to: a[3:a_length])",
        "",
        "another number of mapped objects",
    );
    wrong(
        COPY,
        "map(to: a[",
        "map(to: n) map(to: a[",
        "another number of mapped objects",
    );
    wrong(COPY, "map(to: a[", "private(k) map(to: a[", "private");
    wrong(
        COPY,
        "map(to: a[",
        "num_threads(4) map(to: a[",
        "a clause `num_threads`",
    );
    wrong(
        COPY,
        "map(to: a[",
        "schedule(static) map(to: a[",
        "a clause `schedule`",
    );
    wrong(
        COPY,
        "target teams distribute parallel for",
        "target parallel for",
        "another directive",
    );
    wrong(COPY, "map(to: a[3:", "map(to: b[3:", "not mapped as it was meant");
}

const SUM: &str = "double g(int n, int m, double *x) {
    double s = 0, t;
    int unused = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            t = x[i * 10 + j];
            s += t;
        }
    return s + unused;
}
";

#[test]
fn scalars_are_compared() {
    wrong(SUM, "private(t)", "", "other private variables");
    wrong(SUM, "private(t)", "private(unused)", "other private variables");
    wrong(SUM, "private(t)", "firstprivate(t)", "a clause `firstprivate`");
    wrong(SUM, "reduction(+: s)", "reduction(max: s)", "other reductions");
    wrong(SUM, "reduction(+: s)", "reduction(+: t)", "");
    wrong(SUM, "map(tofrom: s)", "map(to: s)", "another direction");
    wrong(SUM, "map(tofrom: s)", "", "another number of mapped objects");
}

#[test]
fn loops_that_run_together_are_counted() {
    let text = "void f(int n, int (*restrict a)[50], int (*restrict b)[50]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 50; j++)
            a[i][j] = b[i][j];
}
";
    wrong(text, "collapse(2) ", "", "another number of loops together");
    wrong(text, "[0:50]", "[0:49]", "the length of a section");
    wrong(text, "[0:50]", "[1:50]", "the first element of a section");
    wrong(text, "[0:50]", "", "another shape");
    wrong_in(
        OPENACC,
        text,
        "collapse(2) ",
        "",
        "another number of loops together",
    );
    wrong_in(OPENACC, text, "copyin(", "copy(", "another direction");
}

#[test]
fn a_macro_without_parentheses_is_another_value() {
    let text = "#define N 5 + 1
void f(int *restrict a, int *restrict b) {
    int k = 2;
    for (int i = 0; i < (N); i++)
        a[i] = b[i * k];
}
";
    // Whatever is written for it, it is not this.
    wrong(text, "map(from: a[0:", "map(from: a[0:N * 0 + ", "");
    wrong(
        text,
        "map(to: b[0:",
        "map(to: b[0:N * 2 + ",
        "the length of a section",
    );
}

#[test]
fn a_macro_that_changes_between_two_places_is_another_value() {
    let text = "#define N 40
int a[100];
void before(void) {
    for (int i = 0; i < N; i++)
        a[i] = i;
}
#undef N
#define N 50
void behind(void) {
    for (int i = 0; i < N; i++)
        a[i] = 2 * i;
}
";
    assert_eq!(reread(text, "a[0:N]", "a[0:N]", PLAIN), Ok(()));
    wrong(text, "a[0:N]", "a[0:50]", "the length of a section");
}

#[test]
fn a_name_must_mean_the_intended_variable() {
    let text = "int n, length;
int *restrict p;
void f(int *restrict a) {
    int count = length;
    {
        int length = 7;
        for (int i = 0; i < count; i++)
            a[i] = length;
    }
}
";
    let wish = Wish { all: true, ..PLAIN };
    wrong_in(
        wish,
        text,
        "count > 0 ? count : 0",
        "length > 0 ? length : 0",
        "the length of a section",
    );
    wrong(
        text,
        "count > 0 ? count : 0",
        "count > 0 ? n : 0",
        "the length of a section",
    );
    wrong(text, "map(from: a[", "map(from: p[", "not mapped as it was meant");
}

#[test]
fn an_inserted_name_must_hold_its_value() {
    let text = "#include <stdint.h>
void f(int n, int m, float *x, float *y) {
    for (long i = 0; i < (long)n * m; i++)
        y[i] = 2 * x[i];
}
";
    wrong(
        text,
        "(long)n * m : 0",
        "(long)n * n : 0",
        "the length of a section",
    );
    wrong(text, "(long)n * m : 0", "n * m : 0", "overflows");
    wrong(text, "(long)n * m : 0", "(long)(n * m) : 0", "overflows");
    wrong(
        text,
        "(long)n * m : 0",
        "(unsigned)n * m : 0",
        "the length of a section",
    );
    wrong(text, "const long", "const int", "");
    wrong(text, "const long", "const unsigned char", "");
}

/// What a loop computes in `int` may be computed so before it.
#[test]
fn a_product_of_the_loop_may_be_as_narrow() {
    let text = "void f(int n, int m, float *restrict x, const float *restrict y) {
    for (int i = 0; i < n * m; i++)
        x[i] = y[i];
}
";
    assert_eq!(reread(text, "(long)n * m : 0", "n * m : 0", PLAIN), Ok(()));
    wrong(text, "(long)n * m : 0", "n * m * 1000 / 1000 : 0", "overflows");
}

#[test]
fn the_condition_is_compared() {
    let text = "#include <stdint.h>
void f(int n, float *x, float *y) {
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i + 1];
}
";
    let low = "(uintptr_t)(x + 1 + ";
    wrong(text, " || ", " && ", "a condition of other parts");
    for (from, to) in [
        (low, "(uintptr_t)(x + "),
        (low, "(uintptr_t)(y + 1 + "),
        (" <= ", " < "),
        (" <= ", " >= "),
        ("if (", "if (1 || "),
    ] {
        wrong(text, from, to, "the condition can be");
    }
}

#[test]
fn data_environments_and_their_kernels_are_compared() {
    let text = "void f(int n, int *restrict a, int *restrict b, int *restrict c) {
    for (int i = 0; i < n; i++)
        b[i] = a[i + 1];
    for (int i = 0; i < n; i++)
        c[i] = b[i];
}
";
    wrong(text, "target data", "target", "");
    wrong(text, "map(to: a[1:", "map(alloc: a[1:", "another direction");
    // A section that does not begin where its pointer points must be named in the kernel too.
    wrong(
        text,
        " map(alloc: a[1:a_length])",
        "",
        "another number of mapped objects",
    );
}

#[test]
fn values_behind_a_loop_are_compared() {
    let text = "int f(int n, int *restrict a) {
    int i, k = 5;
    for (i = 0; i < n; i++)
        a[i] = i;
    return i + k;
}
";
    wrong(text, "i = (n > 0 ? n : 0);", "i = n;", "a value behind a loop");
    wrong(
        text,
        "i = (n > 0 ? n : 0);",
        "k = (n > 0 ? n : 0);",
        "another variable is set",
    );
    wrong(
        text,
        "i = (n > 0 ? n : 0);",
        "i = (n > 0 ? n : 0); k = 5;",
        "another number of values",
    );
    wrong(text, "i = (n > 0 ? n : 0);", "", "another number of values");
}

#[test]
fn updates_are_compared() {
    let text = "void f(double *restrict r, double *restrict q) {
    for (int k = 0; k < 100; k++) {
        r[k] = 3;
        for (int i = 0; i < 100; i++)
            r[i] = q[i] * r[i] + k;
    }
}
";
    for (from, to) in [
        ("r[k:1]", "r[k + 1:1]"),
        ("r[k:1]", "r[k:2]"),
        ("r[k:1]", "q[k:1]"),
        ("r[k:1]", "r[k]"),
        ("update to", "update from"),
    ] {
        wrong(text, from, to, "an update is not the one that was meant");
    }
    wrong(text, "#pragma omp target update to(r[k:1])", "", "");
}

#[test]
fn nothing_else_may_be_written() {
    wrong(COPY, "#pragma omp", "b[0] = 1;\n    #pragma omp", "");
    wrong(COPY, "#pragma omp", "n = 3;\n    #pragma omp", "");
    wrong(COPY, "#pragma omp", "#pragma omp barrier\n    #pragma omp", "");
    wrong(COPY, "#pragma omp", "if (n > 5)\n    #pragma omp", "");
    wrong(
        COPY,
        "#pragma omp",
        "#pragma omp target update to(n)\n    #pragma omp",
        "",
    );
}

#[test]
fn conditions_to_run_are_compared() {
    let text = "void f(int n, int other, const int *restrict a, int *restrict sum) {
    for (int i = 0; i < n; i++)
        sum[other] += a[i];
}
";
    // It must run at least once.
    wrong(text, "if (n > 0) {", "if (n >= 0) {", "the condition can be");
    wrong(
        text,
        "if (n > 0) {",
        "if (n > 0 || n < 0) {",
        "the condition can be",
    );
    wrong(
        text,
        "if (n > 0) {",
        "if (n > 0 && other) {",
        "a condition of other parts",
    );
    assert_eq!(reread(text, "if (n > 0) {", "if (0 < n) {", PLAIN), Ok(()));
}

#[test]
fn reduced_elements_are_compared() {
    let text = "void f(int n, int k, int m, int *restrict s, int *restrict x) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            s[k] += x[i];
}
";
    let clause = "reduction(+: s[k:1])";
    wrong(
        text,
        clause,
        "reduction(+: s[m:1])",
        "the subscript of a reduced element",
    );
    wrong(
        text,
        clause,
        "reduction(+: s[k + 1:1])",
        "the subscript of a reduced element",
    );
    wrong(
        text,
        clause,
        "reduction(+: s[k:2])",
        "the number of reduced elements",
    );
    wrong(text, clause, "reduction(*: s[k:1])", "another element");
    wrong(text, clause, "reduction(+: x[k:1])", "another element");
    wrong(text, clause, "", "another number of reduced elements");
    wrong(
        text,
        "map(tofrom: s[k:1])",
        "map(to: s[k:1])",
        "another direction",
    );
}

#[test]
fn pointers_that_may_be_equal_are_compared() {
    let text = "#include <stdint.h>
int f(int n, const int *v, const int *w) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * w[i];
    return sum;
}
";
    wrong(text, " == ", " != ", "the condition can be");
    wrong(
        text,
        "(uintptr_t)v == (uintptr_t)w",
        "(uintptr_t)v == (uintptr_t)(w + 1)",
        "the condition can be",
    );
}

const NESTED: &str = "#include <stdint.h>
typedef struct { double *data; int n; double *aux; } series;
void f(series *c, series *d, const double *restrict a, int n, int m) {
    for (int i = 0; i < n; i++)
        c->data[i] = a[i] + d->n;
}
";

/// The member, its structure, and the way between them.
#[test]
fn nested_data_are_compared() {
    let map = "map(from: c->data[0:n])";
    for (other, why) in [
        (
            "map(from: c->aux[0:n])",
            "an object is not mapped as it was meant",
        ),
        (
            "map(from: d->data[0:n])",
            "an object is not mapped as it was meant",
        ),
        ("map(from: c->data[0:m])", "the length of a section"),
        ("map(from: c->data[1:n])", "the first element of a section"),
        ("map(tofrom: c->data[0:n])", "another direction"),
        ("", "another number of mapped objects"),
    ] {
        wrong(NESTED, map, other, why);
    }
    wrong(NESTED, "c[0:1]", "c[0:2]", "the length of a section");
    wrong(NESTED, "c[0:1], ", "", "another number of mapped objects");
    let range = "(uintptr_t)(c->data + n) <= (uintptr_t)a";
    for other in [
        "(uintptr_t)(c->aux + n) <= (uintptr_t)a",
        "(uintptr_t)(d->data + n) <= (uintptr_t)a",
        "(uintptr_t)(c->data + m) <= (uintptr_t)a",
    ] {
        let found = reread(NESTED, range, other, PLAIN).expect_err(other);
        assert!(found.contains("the condition"), "{found}");
    }
    wrong(NESTED, "if ((n > 0)", "if ((m > 0)", "the condition");
}

const COUNTS: &str = "int h[64];
void f(int n, const int *restrict k, double *restrict x) {
    for (int i = 0; i < n; i++) {
        x[i] += 1;
        h[k[i] & 63] += k[i];
        h[k[i] & 31]++;
    }
}
";

#[test]
fn atomic_updates_are_compared() {
    let one = "#pragma omp atomic update";
    wrong(COUNTS, one, "", "not every directive was read as one");
    // Another statement than was meant.
    let other = "#pragma omp atomic update\n        h[0] += 0;\n";
    wrong(COUNTS, one, other, "");
    wrong(COUNTS, one, "#pragma omp atomic write", "");
    wrong(
        COUNTS,
        one,
        "#pragma omp atomic update seq_cst",
        "an atomic directive that was not meant",
    );
    wrong(
        COUNTS,
        one,
        "#pragma omp critical",
        "a directive that was not meant",
    );
    wrong_in(
        OPENACC,
        COUNTS,
        "#pragma acc atomic update",
        "#pragma acc atomic write",
        "",
    );
}

const FLAGS: &str = "_Bool f(int n, int code, const int *restrict k, int *restrict bad) {
    _Bool any = 0;
    for (int i = 0; i < n; i++) {
        if (k[i] > 5) any = 1;
        if (k[i] < 0) code = n;
        if (k[i] < 2) *bad = code > 0;
    }
    return any || code;
}
";

#[test]
fn atomic_writes_are_compared() {
    let flags = FLAGS.replace("code > 0", "7");
    let one = "#pragma omp atomic write";
    wrong(&flags, one, "", "");
    wrong(&flags, one, "#pragma omp atomic update", "");
    wrong(&flags, one, "#pragma omp atomic write seq_cst", "");
    wrong(&flags, ", code, any)", ") map(to: code, any)", "");
    wrong(&flags, ", code, any)", ", any)", "");
    // A statement that reads the old value is no write.
    let chosen = flags.replace("if (k[i] > 5) any = 1;", "any = k[i] > 5 ? 1 : any;");
    wrong(&chosen, "reduction(||: any)", "reduction(&&: any)", "");
    // Of few bytes OpenACC takes a reduction; OpenMP does not.
    let alone = flags
        .replace("if (k[i] < 0) code = n;", "")
        .replace("if (k[i] < 2) *bad = 7;", "");
    wrong(&alone, one, "", "");
    wrong_in(OPENACC, &flags, "reduction(||: any)", "reduction(&&: any)", "");
}

const ORDER: &str = "double x[4000];
void f(int n, int m, int c, const int *restrict k, const int *restrict other) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[k[i + c]] = x[k[i + c]] / 2 + j;
}
";

#[test]
fn passes_over_values_are_compared() {
    for (from, to, why) in [
        ("] < k[", "] <= k[", "another order"),
        ("] < k[", "] > k[", "another form"),
        ("k_at = 1,", "k_at = 2,", "another form"),
        ("k_at < k_end", "k_at <= k_end", "another form"),
        ("k_at++", "k_at += 2", "another form"),
        ("k_increases && k_at", "k_at", "another form"),
        ("k_increases = k[", "k_increases |= k[", "another form"),
        ("k[c + k_at - 1] < k[c + k_at];", "1;", "another form"),
        ("k_end = ", "k_end = -1 + ", "the number of values"),
        ("k_at];", "k_at + 1];", "the place of a value"),
        ("c + k_at];", "n + k_at];", "the place of a value"),
        ("< k[c", "< other[c", "the place of a value"),
        ("k_at - 1]", "k_at]", "the place of a value"),
        ("if (k_increases)", "if (1)", "does not ask"),
        ("if (k_increases)", "if (k_increases && m)", "does not ask"),
        (
            "int k_increases = m > 0",
            "int k_increases = m > 1",
            "the condition can be",
        ),
        (
            "int k_increases = m > 0",
            "int k_increases = 1",
            "another number of conditions",
        ),
    ] {
        wrong(ORDER, from, to, why);
    }
}

/// What is left of a copied text are pragmas of compilers, too: no directives.
#[test]
fn pragmas_of_compilers_are_no_directives() {
    for pragma in ["#pragma unroll", "#pragma GCC unroll 4", "#  pragma  unroll(4)"] {
        let text = format!(
            "#include <stdint.h>
void f(int n, float *x, const float *y) {{
    for (int i = 0; i < n; i++) {{
        float sum = 0;
        {pragma}
        for (int j = 0; j < 4; j++)
            sum += y[i + j];
        x[i] = sum;
    }}
}}
"
        );
        let lines = common::added(&text, common::PLAIN);
        let kernels = lines
            .iter()
            .filter(|line| line.contains("pragma omp target"))
            .count();
        assert_eq!(kernels, 1, "{pragma}: {lines:?}");
    }
}

/// Functions of one name are compared with each other, in any order.
#[test]
fn functions_of_one_name_do_not_keep_kernels_away() {
    let text = "static float __attribute__((overloadable)) g(float x) { return x * 3; }
static double __attribute__((overloadable)) g(double x) { return x + 1; }
double h(float a, double b) { return g(b) + g(a); }
void f(int n, double *restrict x) {
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
";
    let lines = common::added(text, common::PLAIN);
    assert!(
        lines.iter().any(|line| line.contains("pragma omp target")),
        "{lines:?}"
    );
}

/// A counter that is taken out of a loop's head is set by each iteration, and nothing else of the head changes.
#[test]
fn what_is_taken_out_of_a_head_is_set_in_iterations() {
    let text = "int f(int n, int m, int *restrict a, const int *restrict b) {
    int i, k;
    for (i = 0, k = m; i < n; i++, k += 2)
        a[i] = b[k];
    return k;
}
";
    let (first, last) = ("k = m + 2 * (long)i;", "k = m + 2 * (long)(");
    assert_eq!(reread(text, first, first, PLAIN), Ok(()));
    for (from, to, why) in [
        ("i = 0", "i = 0, k = m", "not in the form"),
        ("i++", "i++, k += 2", "not in the form"),
        ("i++", "k++", ""),
        ("i = 0", "k = 0", ""),
        ("i = 0", "i = 1", "different"),
        ("i = 0", "i = m", "different"),
        ("i++", "i += 2", "different"),
        ("i++", "i--", "different"),
        (first, "", "another number of variables"),
        (first, "k = m + 2 * (long)i + 1;", "a variable of an iteration"),
        (first, "k = n + 2 * (long)i;", "a variable of an iteration"),
        (last, "k = m + 3 * (long)(", "a value behind a loop"),
    ] {
        wrong(text, from, to, why);
    }
    // Where a condition chooses the user's text, its head is the old one; where there is none, it is the new one.
    let two = "#include <stdint.h>
void f(int n, int *restrict a, const int *restrict b, int *c, const int *d) {
    int i, k;
    for (i = 0, k = 1; i < n; i++, k += 2)
        a[i] = b[k];
    for (int j = 0, l = n; j < n; j++, l--)
        c[j] = d[l];
}
";
    let old = "for (int j = 0, l = n; j < n; j++, l--)";
    assert_eq!(reread(two, old, old, PLAIN), Ok(()));
    for (from, to, why) in [
        (old, "for (int j = 0, l = n; j < n; j++)", "a statement more"),
        (old, "for (int j = 0, l = 1; j < n; j++, l--)", "different"),
    ] {
        wrong(two, from, to, why);
    }
    let declared = "void f(int n, int *restrict c, const int *restrict d) {
    for (int j = 0, l = n; j < n; j++, l--)
        c[j] = d[l];
}
";
    let first = "int l = n - j;";
    assert_eq!(reread(declared, first, first, PLAIN), Ok(()));
    for (from, to, why) in [
        ("int j = 0", "long j = 0", "types i32 and i64"),
        ("int j = 0", "int j = 0, l = n", "not in the form"),
        (first, "int l = n;", "a variable of an iteration"),
        (first, "long l = n - j;", "types i32 and i64"),
        (first, "int o = n - j; int l = o;", "another number of variables"),
    ] {
        wrong(declared, from, to, why);
    }
}
