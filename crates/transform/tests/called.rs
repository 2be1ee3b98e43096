//! Kernels that call functions: which may run on the device, and what of their storage moves.

use crate::common;

use common::{PLAIN, added, annotated, reasons};

fn pragma(text: &str) -> String {
    let lines = added(text, PLAIN);
    let line = lines.iter().find(|line| line.starts_with("#pragma"));
    line.cloned()
        .unwrap_or_else(|| format!("nothing is written: {}", reasons(text, PLAIN)))
}

fn stays(text: &str, why: &str) {
    assert_eq!(annotated(text), text);
    let said = reasons(text, PLAIN);
    assert!(said.contains(why), "{said}");
}

/// A helper function, and a loop that calls it.
fn with(helper: &str, call: &str) -> String {
    format!(
        "{helper}
void f(int n, int *restrict a, const int *restrict b, int **restrict slots) {{
    for (int i = 0; i < n; i++)
        {call};
}}
"
    )
}

#[test]
fn what_a_function_touches_is_mapped() {
    let text = with(
        "static void set(int *to, const int *from, int i) { to[i + 1] = from[2 * i]; }",
        "set(a, b, i)",
    );
    let line = pragma(&text);
    assert!(
        line.contains("map(from: a[1:") && line.contains("map(to: b[0:"),
        "{line}"
    );
}

#[test]
fn what_a_function_may_leave_out_keeps_its_value() {
    let early = with(
        "static void put(int *to, int i, int v) { if (v < 0) return; to[i] = v; }",
        "put(a, i, b[i])",
    );
    assert!(pragma(&early).contains("map(tofrom: a["), "{}", pragma(&early));
    let always = with(
        "static void put(int *to, int i, int v) { if (v < 0) v = 0; to[i] = v; }",
        "put(a, i, b[i])",
    );
    assert!(pragma(&always).contains("map(from: a["), "{}", pragma(&always));
    // A return in a loop may come before what is written behind the loop.
    let from_a_loop = with(
        "static void put(int *to, const int *v, int i) {
    for (int j = 0; j < 3; j++)
        if (v[j] < i)
            return;
    to[i] = 1;
}",
        "put(a, b, i)",
    );
    let line = added(&from_a_loop, PLAIN).join("\n");
    assert!(line.contains("map(tofrom: a["), "{line}");
}

#[test]
fn branches_are_decided_by_what_is_given() {
    let text = with(
        "static int at(int row, int column) { if (row < 0) return 0; return row * 8 + column; }",
        "a[at(i, 3)] = i",
    );
    assert!(pragma(&text).contains("map("), "{}", pragma(&text));
    // Rows -1 and 0 are the same.
    let text = with(
        "static int at(int row, int column) { if (row < 0) return 0; return row * 8 + column; }",
        "a[at(i - 1, 0)] = i",
    );
    assert_eq!(annotated(&text), text);
}

#[test]
fn sections_end_where_values_are_clamped() {
    let in_a_function = with(
        "static int inside(int x, int low, int high) {
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}",
        "a[i] = b[inside(i - 1, 0, n - 1)] + b[inside(i + 1, 0, n - 1)]",
    );
    let said = added(&in_a_function, PLAIN).join("\n");
    assert!(
        said.contains("map(to: b[0:a_length])") && said.contains("map(from: a[0:a_length])"),
        "{said}"
    );
    let by_a_branch = "void f(int n, int *restrict a, const int *restrict b) {
    for (int i = 0; i < n; i++) {
        int j = i - 2;
        if (j < 0)
            j = 0;
        a[i] = b[j];
    }
}
";
    let said = added(by_a_branch, PLAIN).join("\n");
    assert!(said.contains("map(to: b[0:"), "{said}");
}

#[test]
fn functions_that_call_themselves_stay_on_the_host() {
    let why = "calls itself: a device's stack is small";
    stays(
        &with(
            "static int g(int i) { return i < 2 ? 1 : g(i - 1) + g(i - 2); }",
            "a[i] = g(i)",
        ),
        why,
    );
    let mutual = "static int odd(int i);
static int even(int i) { return i == 0 ? 1 : odd(i - 1); }
static int odd(int i) { return i == 0 ? 0 : even(i - 1); }";
    stays(&with(mutual, "a[i] = even(i)"), why);
    // One that does not call itself leads to one that does.
    let below = format!("{mutual}\nstatic int both(int i) {{ return even(i) + 2; }}");
    stays(&with(&below, "a[i] = both(i)"), why);
    // Two that call the same one are no circle.
    let twice = "static int one(int i) { return i + 1; }
static int two(int i) { return one(one(i)); }";
    assert!(pragma(&with(twice, "a[i] = one(two(i))")).contains("map("));
}

#[test]
fn functions_with_any_number_of_arguments_stay_on_the_host() {
    stays(
        &with("static int g(int i, ...) { return i + 1; }", "a[i] = g(i, 2)"),
        "takes any number of arguments",
    );
}

#[test]
fn functions_with_directives_stay_on_the_host() {
    // A target region in a target region; iterations that the kernel's threads would share out; a function further down.
    for directive in ["target map(tofrom: to[0:3])", "for", "parallel for", "simd"] {
        let inner = format!(
            "static void put(int *to) {{\n    #pragma omp {directive}\n    for (int j = 0; j < 3; j++)\n        to[j] = j;\n}}"
        );
        let text = with(&inner, "put(a + 3 * i)");
        assert!(
            !added(&text, PLAIN)
                .iter()
                .any(|line| line.contains("target teams")),
            "{directive}"
        );
        let said = reasons(&text, PLAIN);
        assert!(
            said.contains("put, which it calls, has directives already"),
            "{said}"
        );
        let further = with(
            &format!("{inner}\nstatic void give(int *to) {{ put(to); }}"),
            "give(a + 3 * i)",
        );
        let said = reasons(&further, PLAIN);
        assert!(
            said.contains("put, which it calls, has directives already"),
            "{said}"
        );
    }
}

#[test]
fn functions_with_static_variables_stay_on_the_host() {
    stays(
        &with(
            "static int g(int i) { static const int t[4] = {1, 2, 3, 4}; return t[i & 3]; }",
            "a[i] = g(i)",
        ),
        "uses the static variable t",
    );
}

#[test]
fn functions_that_name_variables_of_the_file_stay_on_the_host() {
    let why = "uses the variable";
    stays(
        &with(
            "static int s; static int g(int i) { return i * s; }",
            "a[i] = g(i)",
        ),
        why,
    );
    stays(
        &with(
            "static const int t[4] = {1, 2, 3, 4}; static int g(int i) { return t[i & 3]; }",
            "a[i] = g(i)",
        ),
        why,
    );
    stays(
        &with(
            "static int s; static int h(int i) { return i * s; } static int g(int i) { return h(i) + 1; }",
            "a[i] = g(i)",
        ),
        why,
    );
    // Only its address.
    stays(
        &with(
            "static int s[9]; static int g(const int *p) { return p == s; }",
            "a[i] = g(b + i)",
        ),
        why,
    );
}

#[test]
fn functions_that_keep_or_compare_addresses_stay_on_the_host() {
    let why = "addresses as values";
    stays(
        &with(
            "static void keep(int **slot, int *p) { *slot = p; }",
            "keep(&slots[i], &a[i])",
        ),
        why,
    );
    stays(
        &with(
            "static int same(const int *p, const int *q) { return p == q; }",
            "a[i] = same(a + i, b + i)",
        ),
        why,
    );
    let null = with(
        "static int there(const int *p) { return p != 0; }",
        "a[i] = there(b)",
    );
    assert!(pragma(&null).contains("map("), "{}", pragma(&null));
}

#[test]
fn state_is_kept_from_call_to_call() {
    stays(
        &with(
            "static int g(int i) { static int before; int r = before + i; before = i; return r; }",
            "a[i] = g(i)",
        ),
        "not parallel",
    );
}
