//! Which elements are reduced through scalars beside their loops, and what is written instead where that would be wrong?

use crate::common;

use common::{OPENACC, PLAIN, annotated, reasons, reread, reread_but};

const S: &str =
    "#include <stdint.h>\nstruct s { double sum; float low; int n, other; double scale; struct s *next; };\n";

fn text(body: &str) -> String {
    format!("{S}{body}")
}

/// The text is annotated, and holds all of these.
fn holds(body: &str, wanted: &[&str]) {
    let new = annotated(&text(body));
    for one in wanted {
        assert!(new.contains(one), "`{one}` is not in\n{new}");
    }
}

/// No scalar stands for anything.
fn stays(body: &str) {
    let new = annotated(&text(body));
    for one in ["s_sum", "q_k", "q_t", "q_0", "_value", "h_n"] {
        assert!(!new.contains(one), "`{one}` is in\n{new}");
    }
}

#[test]
fn members_are_reduced_through_scalars() {
    holds(
        "void f(int n, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++)
        s->sum += x[i];
}
",
        &["    if (n > 0) {
    double s_sum = s->sum;
    #pragma omp target teams distribute parallel for reduction(+: s_sum) map(to: x[0:n]) map(tofrom: s_sum)
    for (int i = 0; i < n; i++)
        s_sum += x[i];
    s->sum = s_sum;
    } else {
    for (int i = 0; i < n; i++)
        s->sum += x[i];
    }"],
    );
}

#[test]
fn names_are_new_ones() {
    holds(
        "static double q_k, q_k_2;
double f(int n, int k, double *restrict q, double *restrict p, const double *restrict x) {
    for (int i = 0; i < n; i++) {
        q[k] += x[i];
        *p = *p > x[i] ? *p : x[i];
    }
    return q_k + q_k_2;
}
",
        &[
            "double q_k_3 = q[k];",
            "double p_value = *p;",
            "p_value = p_value > x[i] ? p_value : x[i];",
            "q[k] = q_k_3;",
            "*p = p_value;",
        ],
    );
}

#[test]
fn storage_that_may_overlap_is_kept_apart() {
    holds(
        "void f(int n, struct s *s, const double *x) {
    for (int i = 0; i < n; i++)
        s->sum += x[i];
}
",
        &[
            "if ((n > 0)\n        && ((uintptr_t)(x + n) <= (uintptr_t)s || (uintptr_t)(s + 1) <= (uintptr_t)x)) {",
        ],
    );
}

/// A loop runs, but what it touches under a condition need not be there: what is there in any case is a part of a variable.
#[test]
fn what_may_not_be_there_is_not_read() {
    stays(
        "void f(int n, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            s->sum += x[i];
}
",
    );
    stays(
        "void f(int n, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            s->sum += x[j];
}
",
    );
    holds(
        "void f(int n, int m, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->sum += x[j];
}
",
        &["(n > 0)", "(m > 0)", "double s_sum = s->sum;"],
    );
    holds(
        "static struct s h;
void f(int n, const double *restrict x) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            h.n++;
}
",
        &["int h_n = h.n;", "h_n++;", "h.n = h_n;"],
    );
    stays(
        "static double q[10];
void f(int n, int k, const double *restrict x) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            q[k] += x[i];
}
",
    );
}

/// What the lvalue is found through must be the same before the loop.
#[test]
fn lvalues_mean_the_same_beside_the_loop() {
    stays(
        "void f(int n, int m, double *restrict q, const double *restrict x) {
    for (int i = 0; i < n; i++) {
        int k = m + i * 0;
        q[k] += x[i];
    }
}
",
    );
    stays(
        "void f(int n, struct s *restrict t, const double *restrict x) {
    for (int i = 0; i < n; i++)
        t->next->sum += x[i];
}
",
    );
    // By two lvalues: what stands in front of the loop is one of them.
    stays(
        "void f(int n, int k, int m, double *restrict q, const double *restrict x) {
    if (k == m)
        for (int i = 0; i < n; i++) {
            q[k] += x[i];
            q[m] += x[i];
        }
}
",
    );
    // Before the first iteration the subscript holds nothing.
    stays(
        "void f(int n, int m, double *restrict q, const double *restrict x) {
    int k;
    for (int i = 0; i < n; i++) {
        k = m;
        q[k] += x[i];
    }
}
",
    );
    // A part of the use of a macro has no text of its own; the whole of one has.
    stays(
        "#define ADD(v) q[k] += v
void f(int n, int k, double *restrict q, const double *restrict x) {
    for (int i = 0; i < n; i++)
        ADD(x[i]);
}
",
    );
    holds(
        "#define TOTAL q[0]
void f(int n, double *restrict q, const double *restrict x) {
    for (int i = 0; i < n; i++)
        TOTAL += x[i];
}
",
        &[
            "double TOTAL_value = TOTAL;",
            "TOTAL_value += x[i];",
            "TOTAL = TOTAL_value;",
        ],
    );
}

/// In a data environment around several kernels the element is the host's: no other kernel may use it.
#[test]
fn elements_on_the_device_stay_there() {
    let used = "void f(int n, int m, int k, double *restrict q, double *restrict x) {
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++)
            q[k] += x[i];
        for (int i = 0; i < n; i++)
            x[i] += q[USED];
    }
}
";
    // Where the device needs it, it is not a scalar of the host in one environment with what needs it.
    let first = used.replace("q[k]", "q[0]");
    stays(&first.replace("USED", "0"));
    holds(
        &first.replace("USED", "0"),
        &["target data", "reduction(+: q[0:1])"],
    );
    for element in ["k", "0", "n"] {
        let new = annotated(&text(&used.replace("USED", element)));
        assert!(!new.contains("target data"), "{new}");
    }
    holds(
        &used.replace("USED", "k + 1"),
        &["double q_k = q[k];", "q[k] = q_k;", "map(to: q["],
    );
    // It moves from step to step: what was another element becomes this one.
    let moving = used.replace("USED", "t").replace("q[k]", "q[t + 1]");
    stays(&moving);
    holds(&moving, &["target data", "reduction(+: q[t + 1:1])"]);
}

#[test]
fn openacc_has_them_too() {
    let new = common::added(
        &text(
            "void f(int n, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++)
        if (x[i] > s->sum)
            s->sum = x[i];
}
",
        ),
        OPENACC,
    );
    assert!(new.contains(&"double s_sum = s->sum;".to_owned()), "{new:?}");
    assert!(
        new.iter().any(|line| line.contains("reduction(max: s_sum)")),
        "{new:?}"
    );
}

#[test]
fn functions_that_reduce_are_called_with_the_copy() {
    holds(
        "static void add(double *to, double v) { *to += v; }
double f(int n, const double *restrict x) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        add(&sum, x[i]);
    return sum;
}
",
        &["reduction(+: sum)", "map(tofrom: sum)"],
    );
    let held = "static void add(double *to, double v) { *to += v; }
double f(int n, const double *restrict x) {
    double sum = 0, *to = &sum;
    for (int i = 0; i < n; i++)
        add(to, x[i]);
    return sum;
}
";
    assert_eq!(
        reasons(held, PLAIN),
        "f:4: the same storage is reached by different names\n"
    );
}

fn wrong(from: &str, to: &str, why: &str) {
    let text = text(
        "void f(int n, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++) {
        s->sum += x[i];
        s->sum -= s->scale;
    }
}
",
    );
    let said = reread(&text, from, to, PLAIN).expect_err(to);
    assert!(said.contains(why), "{to}: {said}");
}

#[test]
fn scalars_are_compared() {
    wrong("double s_sum = s->sum;", "double s_sum = s->scale;", "");
    wrong("double s_sum = s->sum;", "double s_sum = 0;", "");
    wrong("double s_sum = s->sum;", "float s_sum = s->sum;", "");
    wrong(
        "double s_sum = s->sum;",
        "double s_sum = s->sum; s->n = s->other;",
        "",
    );
    wrong(
        "s->sum = s_sum;",
        "s->scale = s_sum;",
        "a scalar is not stored where it was loaded from",
    );
    wrong("    s->sum = s_sum;", "", "another number of scalars");
    wrong(
        "    s->sum = s_sum;",
        "    s->sum = s_sum; s->sum = s_sum;",
        "another number of scalars",
    );
    wrong("    s->sum = s_sum;", "    if (n > 1) s->sum = s_sum;", "");
    wrong("reduction(+: s_sum)", "", "other reductions");
    wrong("reduction(+: s_sum)", "reduction(*: s_sum)", "other reductions");
    wrong(
        "map(tofrom: s_sum)",
        "map(to: s_sum)",
        "a scalar is mapped in another direction",
    );
    wrong("map(tofrom: s_sum)", "", "another number of mapped objects");
}

/// Each place that names the element is the scalar's, and no other.
#[test]
fn places_of_scalars_are_compared() {
    let text = text(
        "void f(int n, struct s *restrict s, const double *restrict x) {
    for (int i = 0; i < n; i++) {
        s->sum += x[i];
        s->sum -= s->scale;
    }
}
",
    );
    let same = ("s_sum", "s_sum");
    assert_eq!(reread_but(&text, same, &[], PLAIN), Ok(()));
    for left in [0, 1] {
        let said = reread_but(&text, same, &[left], PLAIN).expect_err("one place is left");
        assert_eq!(said, "a scalar does not stand where it was meant to");
    }
    assert!(reread_but(&text, same, &[0, 1], PLAIN).is_err());
}
