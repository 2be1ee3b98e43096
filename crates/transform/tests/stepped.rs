//! Which further counters does a kernel compute from the number of its iteration, how is that written, and what is found when it is read again?

use crate::common;

use common::{OPENACC, PLAIN, added, annotated, reasons, reread};

/// The text is annotated, and holds all of these.
fn holds(text: &str, wanted: &[&str]) {
    let new = annotated(text);
    for one in wanted {
        assert!(new.contains(one), "`{one}` is not in\n{new}");
    }
}

/// No loop is a kernel, and this is among the reasons.
fn stays(text: &str, why: &str) {
    let new = annotated(text);
    assert!(!new.contains("#pragma omp target"), "{new}");
    let all = reasons(text, PLAIN);
    assert!(all.contains(why), "{all}");
}

const WALK: &str = "int f(int n, int m, int k, double *restrict a)
{
    for (int i = m; i < n; i++) {
        a[k] = i;
        k += 2;
    }
    return k;
}
";

#[test]
fn counters_are_set_first() {
    holds(
        WALK,
        &[
            "    {
    const int k_first = k;
    #pragma omp target teams distribute parallel for private(k) map(",
            "    for (int i = m; i < n; i++) {
        k = k_first + 2 * (long)((long)i - m);
        a[k] = i;
        k += 2;
    }
    k = k_first + 2 * (long)((long)n > (long)m ? (long)n - (long)m : 0);
    }
    return k;
",
        ],
    );
    assert!(added(WALK, OPENACC).contains(&"k = k_first + 2 * (long)((long)i - m);".to_owned()));
}

#[test]
fn first_values_are_written_as_simply_as_they_can_be() {
    // Numbers, and variables that the loop leaves alone, need no name. What is not used later is not set.
    let text = "void f(int n, int off, double *restrict a, const double *restrict b)
{
    int k = off, l = 0;
    for (int i = 0; i < n; i++) {
        a[k] = b[l];
        k++;
        l += 3;
    }
}
";
    let lines = added(text, PLAIN);
    let own: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|line| !line.contains("pragma") && !line.contains("map("))
        .collect();
    assert_eq!(own, ["k = off + i;", "l = 3 * (long)i;"]);
}

/// A variable that the loop's own one hides is not what its name says in the iterations.
#[test]
fn hidden_variables_are_not_named() {
    holds(
        "void f(int m, int k, int step, double *restrict a)
{
    int way = step;
    for (int step = 0; step < m; step++) {
        a[step] = k;
        k += way;
    }
}
",
        &["k = (long)way * step + k_first;"],
    );
}

#[test]
fn bodies_without_braces_get_them() {
    let on_one_line = "void f(int n, double *restrict a)\n{\n    int k = 0;\n    for (int i = n; i > 0; i--) a[k++] = i; // down\n}\n";
    holds(
        on_one_line,
        &["    for (int i = n; i > 0; i--) {
        k = n - i;
        a[k++] = i; // down
    }
}
"],
    );
    let on_two = "void f(int n, double *restrict a)\n{\n    int k = 0;\n    for (int i = 0; i < n; i += 3) // up\n        a[k++] = i;\n}\n";
    holds(
        on_two,
        &["    for (int i = 0; i < n; i += 3) // up
    {
        k = i / 3;
        a[k++] = i;
    }
}
"],
    );
}

/// The value behind a loop must not be made of one that was set there just before.
#[test]
fn values_behind_a_loop_do_not_meet() {
    let text = "int f(int n, int k, double *restrict a)
{
    int l = k, i;
    for (i = 0; i < n; i++) {
        a[k] = l;
        k += 2;
        l += 3;
    }
    return k + l + i;
}
";
    holds(
        text,
        &["    k = k_first + 2 * (long)(n > 0 ? n : 0);\n    l = l_first + 3 * (long)(n > 0 ? n : 0);\n"],
    );
    // The number of iterations is written with a variable that keeps its value.
    holds(
        "int f(int z, double *restrict a)
{
    int k = z, l = z;
    for (int i = 0; i < z; i++) {
        a[k] = l;
        k += 2;
        l += 3;
    }
    return k + l;
}
",
        &["    k = z + 2 * (long)(z > 0 ? z : 0);\n    l = z + 3 * (long)(z > 0 ? z : 0);\n"],
    );
    let swapped =
        reread(text, "l = l_first + 3 * (long)(n", "l = k + 3 * (long)(n", PLAIN).expect_err("another value");
    assert_eq!(
        swapped,
        "a value behind a loop is made of one that was set there already"
    );
    let counts_down = "int f(int n, const int *restrict a, int *restrict b)
{
    int left = n, i;
    for (i = 0; i < n; i++) {
        b[i] = a[i];
        if (a[i] > 5)
            left--;
    }
    return left + i;
}
";
    holds(counts_down, &["    i = (n > 0 ? n : 0);\n"]);
    let changed = reread(counts_down, "i = (n > 0", "i = (left > 0", PLAIN).expect_err("another value");
    assert_eq!(
        changed,
        "a value behind a loop is made of one that the loop changes"
    );
}

#[test]
fn loops_that_no_iteration_can_begin_alone_stay() {
    stays(
        "long f(int n, long k, double *restrict a)
{
    for (int i = 0; i < n; i++) {
        a[i] = k;
        k += 5000000000;
    }
    return k;
}
",
        "which may be more than an integer of 64 bits holds",
    );
    stays(
        "void f(int n, int step, int s, double *restrict a)
{
    int k = 0;
    if (step <= 0)
        return;
    for (int i = 0; i < n; i += step) {
        a[i] = k;
        k += 2;
    }
}
",
        "the loop's step is no number",
    );
    stays(
        "#define EACH for (int i = 0; i < n; i++) { a[i] = k; k += 2; }
void f(int n, double *restrict a)
{
    int k = 0;
    EACH
}
",
        "macro",
    );
    stays(
        "#define BODY { a[k] = i; k += 2; }
void f(int n, double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        BODY
}
",
        "macro",
    );
    // The pragma wants its loop on the next line.
    stays(
        "void f(int n, double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        #pragma GCC ivdep
        for (int j = 0; j < 8; j++)
            a[k++] = i;
}
",
        "a pragma of a compiler stands before the loop",
    );
    // In another build it moves otherwise.
    stays(
        "void f(int n, double *restrict a)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        a[k] = i;
#ifdef WIDE
        k += 2;
#else
        k += 3;
#endif
    }
}
",
        "hangs on an #if",
    );
    // It ends at what moves.
    stays(
        "void f(int n, int k, double *restrict a)
{
    for (int i = k; i < n; i++) {
        a[i] = k;
        k += 2;
    }
}
",
        "its bounds are written with a variable of which every thread gets a copy",
    );
}

const POINTER: &str = "double *f(int n, int m, double *restrict p, const double *restrict q)
{
    for (int i = 0; i < n; i++) {
        *p++ = *q;
        q += m;
    }
    return p;
}
";

/// Clauses go by the value from before, as the pointer itself is another one in each iteration.
#[test]
fn pointers_walk() {
    let text = POINTER.replace("q += m", "q += 3");
    holds(
        &text,
        &[
            "    __typeof__(*p) *p_first = p;
    __typeof__(*q) *q_first = q;
    #pragma omp target teams distribute parallel for private(p, q)",
            "map(to: q_first[0:3 * (long)n > 2 ? 3 * (long)n - 2 : 0])",
            "map(from: p_first[0:n > 0 ? n : 0])",
            "        p = p_first + i;
        q = q_first + 3 * (long)i;
        *p++ = *q;
        q += 3;
    }
    p = p_first + (n > 0 ? n : 0);
    }
",
        ],
    );
    holds(POINTER, &["        q = (long)m * i + q_first;\n"]);
    // Downwards, and from behind the last element.
    holds(
        "void f(int n, double *p)\n{\n    for (int i = 0; i < n; i++)\n        *--p = i;\n}\n",
        &["map(from: p_first[-n:n > 0 ? n : 0])", "p = p_first - i;"],
    );
}

#[test]
fn pointers_that_lead_elsewhere_stay() {
    stays(
        "void f(int n, double *restrict a)
{
    double *p = a;
    for (int i = 0; i < n; i++)
        *p++ = a[i] + 1;
}
",
        "the same storage is reached by different names",
    );
    // Its value alone is used.
    stays(
        "double *f(int n, double *restrict a, double *restrict p)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        p++;
    }
    return p;
}
",
        "p walks, and leads to nothing that the kernel could name by it",
    );
    stays(
        "struct s { double *data; };
void f(int n, struct s *restrict p)
{
    for (int i = 0; i < n; i++) {
        p->data[0] = i;
        p++;
    }
}
",
        "",
    );
}

#[test]
fn pointers_that_walk_are_compared() {
    let text = POINTER.replace("q += m", "q += 3");
    let wrong = |from: &str, to: &str, why: &str| {
        assert_eq!(reread(&text, from, from, PLAIN), Ok(()));
        let said = reread(&text, from, to, PLAIN).expect_err(to);
        assert!(said.contains(why), "{to}: {said}");
    };
    wrong(
        "p = p_first + i;",
        "p = p_first + i + 1;",
        "a variable of an iteration",
    );
    wrong(
        "q = q_first + 3 * (long)i;",
        "q = q_first + i;",
        "a variable of an iteration",
    );
    wrong("p_first[0:n", "p[0:n", "an object is not mapped as it was meant");
    wrong(
        "p_first[0:n",
        "q_first[0:n",
        "an object is not mapped as it was meant",
    );
    wrong(
        "*p_first = p;",
        "*p_first = p + 1;",
        "an object is not mapped as it was meant",
    );
    wrong(
        "p = p_first + (n > 0 ? n : 0);",
        "p = p_first + n;",
        "a value behind a loop",
    );
}

fn wrong(from: &str, to: &str, why: &str) {
    assert_eq!(reread(WALK, from, from, PLAIN), Ok(()));
    let said = reread(WALK, from, to, PLAIN).expect_err(to);
    assert!(said.contains(why), "{to}: {said}");
}

#[test]
fn what_is_set_first_is_compared() {
    let value = "k = k_first + 2 * (long)((long)i - m);";
    let another = "a variable of an iteration";
    wrong(value, "k = k_first + (long)((long)i - m);", another);
    wrong(value, "k = k_first + 2 * (long)i;", another);
    wrong(value, "k = k_first + 2 * (long)((long)i - m) + 2;", another);
    wrong(value, "k = k + 2 * (long)((long)i - m);", another);
    wrong(value, "", "another number of variables is set");
    wrong(
        value,
        "m = k_first + 2 * (long)((long)i - m);",
        "another variable is set",
    );
    wrong(
        value,
        "k = k_first + 2 * (long)((long)i - m); k = 0;",
        "another number of variables is set",
    );
    wrong("const int k_first = k;", "const int k_first = n;", another);
    wrong("const int k_first = k;", "const int k_first = k + 1;", another);
    wrong("private(k)", "", "other private variables");
    wrong(
        "k = k_first + 2 * (long)((long)n > (long)m ? (long)n - (long)m : 0);",
        "k = k_first + 2 * (long)((long)n > (long)m ? (long)n - (long)m : 0) - 2;",
        "a value behind a loop",
    );
    wrong(
        "k = k_first + 2 * (long)((long)n > (long)m ? (long)n - (long)m : 0);",
        "",
        "another number of values behind a loop",
    );
}

/// A value is taken directly in front of its loop: elsewhere the variable may hold another one.
#[test]
fn first_values_are_taken_in_front_of_their_loop() {
    let text = "int f(int n, double *restrict a, double *restrict b, int k)
{
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + k;
        k += 2;
    }
    for (int i = 0; i < n; i++) {
        b[i] = a[i] + k;
        k += 3;
    }
    return k;
}
";
    let value = "k = k_first_2 + 3 * (long)i;";
    assert_eq!(reread(text, value, value, PLAIN), Ok(()));
    let said = reread(text, value, "k = a_length + 3 * (long)i;", PLAIN).expect_err("a length");
    assert_eq!(
        said,
        "a value is not taken in front of the loop that it was meant for"
    );
}

/// A clause that named `p_first[0:n]` would be a section of nothing: compilers refuse it.
#[test]
fn pointers_to_void_stay() {
    let text = "void f(int n, void *p)
{
    for (int i = 0; i < n; i++) {
        *(int *)p = i;
        p = (int *)p + 1;
    }
}
";
    stays(text, "which is not done for its type");
}

/// A clause that combines copies of an element is computed where its counters have copies, too.
#[test]
fn reduced_elements_are_not_named_by_what_moves() {
    for text in [
        "void f(int n, int q, int *restrict a, const int *restrict b) {
    for (int w = 1; w < n; w++, q--)
        a[q + w] += b[w];
}
",
        "void f(int n, int q, int *restrict a, const int *restrict b) {
    for (int w = 1; w < n; w++) {
        a[q + w] += b[w];
        q--;
    }
}
",
    ] {
        let found = annotated(text);
        assert!(!found.contains("reduction(+: a[q"), "{found}");
    }
    // Another variable holds what it was.
    let text = "void f(int n, int first, int *restrict a, const int *restrict b) {
    int q = first;
    for (int w = 1; w < n; w++) {
        a[q + w] += b[w];
        q--;
    }
}
";
    assert!(
        annotated(text).contains("reduction(+: a[first + 1:1])"),
        "{}",
        annotated(text)
    );
    // Nor by what is reduced itself.
    let text = "int f(int n, int *restrict a, const int *restrict b) {
    int left = n;
    for (int w = 0; w < n; w++) {
        a[n] += b[w];
        left -= b[w] > 2;
    }
    return left;
}
";
    let found = annotated(text);
    assert!(!found.contains("a[left"), "{found}");
}
