//! Which loops become kernels, and what their clauses hold.

use crate::common;

use common::{OPENACC, PLAIN, added, annotated, reasons};

fn first(text: &str, wish: common::Wish) -> String {
    let lines = added(text, wish);
    let line = lines.iter().find(|line| line.starts_with("#pragma"));
    line.cloned()
        .unwrap_or_else(|| format!("nothing is written: {}", reasons(text, wish)))
}

fn stays(text: &str, why: &str) {
    assert_eq!(annotated(text), text);
    let said = reasons(text, PLAIN);
    assert!(said.contains(why), "{said}");
}

/// A nest of two loops around a body.
fn nest(outer: &str, inner: &str, body: &str) -> String {
    format!(
        "void f(int n, int m, int (*restrict a)[60], int (*restrict b)[60]) {{
    for ({outer})
        for ({inner})
            {body}
}}
"
    )
}

#[test]
fn perfect_rectangular_nests_collapse() {
    let rectangular = nest(
        "int i = 0; i < n; i++",
        "int j = 0; j < m; j++",
        "a[i][j] = b[i][j];",
    );
    assert!(first(&rectangular, PLAIN).contains("collapse(2)"));
    let triangular = nest(
        "int i = 0; i < n; i++",
        "int j = i; j < m; j++",
        "a[i][j] = b[i][j];",
    );
    assert!(!first(&triangular, PLAIN).contains("collapse"));
    // As many iterations each time, and a head that compilers refuse to collapse all the same.
    for inner in [
        "int j = n; j < i; j++",
        "int j = 0; j < m + i * 0; j++",
        "int j = i - i; j < m; j++",
    ] {
        let named = nest("int i = 0; i < n; i++", inner, "a[i][j] = b[i][j];");
        for wish in [PLAIN, OPENACC] {
            let directive = first(&named, wish);
            assert!(directive.starts_with("#pragma"), "{inner}: {directive}");
            assert!(!directive.contains("collapse"), "{inner}: {directive}");
        }
    }
    let more = nest(
        "int i = 0; i < n; i++",
        "int j = 0; j < m; j++",
        "a[i][j] = b[i][j];",
    )
    .replace("        for (int j", "    { a[i][0] = 1;\n        for (int j")
    .replace("b[i][j];\n}", "b[i][j]; }\n}");
    assert!(!first(&more, PLAIN).contains("collapse"), "{more}");
    let reduced = "double f(int n, int m, double (*restrict a)[60]) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}
";
    assert!(first(reduced, PLAIN).contains("reduction(+: s)"));
}

#[test]
fn a_loop_that_is_not_parallel_does_not_collapse() {
    let text = nest(
        "int i = 0; i < n; i++",
        "int j = 1; j < m; j++",
        "a[i][j] = a[i][j - 1];",
    );
    let line = first(&text, PLAIN);
    assert!(
        line.starts_with("#pragma omp target teams") && !line.contains("collapse"),
        "{line}"
    );
}

/// The directive in front of a loop, if there is one.
fn before_loop(text: &str, head: &str) -> Option<String> {
    let annotated = annotated(text);
    let lines: Vec<&str> = annotated.lines().collect();
    let at = lines.iter().position(|line| line.contains(head)).unwrap();
    let before = at.checked_sub(1).map(|before| lines[before].trim().to_owned());
    before.filter(|line| line.starts_with("#pragma omp target teams"))
}

#[test]
fn a_loop_that_updates_a_section_leaves_the_device_to_the_loop_inside() {
    let text = "void f(int n, int m, double (*restrict a)[60], double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += a[i][j];
}
";
    assert_eq!(before_loop(text, "int i = 0"), None);
    assert!(before_loop(text, "int j = 0").is_some());
    assert!(reasons(text, PLAIN).contains("copies of a section"));
}

/// A loop over `i` that updates elements of `y` in every iteration.
fn sums(types: &str, inner: &str, update: &str) -> String {
    format!(
        "void f(int n, {types}) {{
    for (int i = 0; i < n; i++)
        for ({inner})
            {update}
}}
"
    )
}

#[test]
fn a_few_elements_are_combined_where_no_loop_inside_is_a_kernel() {
    const TYPES: &str = "double *restrict a, double *restrict y";
    const WORTH: common::Wish = common::Wish { all: false, ..PLAIN };
    let few = sums(TYPES, "int c = 0; c < 3; c++", "y[c] += a[3 * i + c];");
    let directive = first(&few, WORTH);
    assert!(directive.contains("reduction(+: y[0:3])"), "{directive}");
    // With all loops asked for, too: the one inside would be started again and again for three iterations.
    assert!(before_loop(&few, "int i = 0").is_some());
    assert_eq!(before_loop(&few, "int c = 0"), None);
    // OpenACC has no copies of sections.
    let directive = first(&few, OPENACC);
    assert!(directive.starts_with("#pragma acc"), "{directive}");
    let refused = |text: &str, wish: common::Wish, why: &str| {
        assert!(added(text, wish).is_empty(), "{text}");
        let said = reasons(text, wish);
        assert!(said.contains(why), "{said}");
    };
    let least = "if (a[3 * i + c] < y[c]) y[c] = a[3 * i + c];";
    let some = "if (a[i] > c) y[c] += a[3 * i + c];";
    for update in [least, some, "y[2 * c] += a[3 * i + c];"] {
        let text = sums(TYPES, "int c = 0; c < 3; c++", update);
        refused(&text, WORTH, "perhaps not all of it");
    }
    let own = sums(
        "double *restrict a",
        "int c = 0; c < 3; c++",
        "y[c] += a[3 * i + c];",
    );
    let own = format!("double y[3];\n{own}");
    refused(&own, WORTH, "not reached through a pointer variable");
    let openacc = common::Wish {
        all: false,
        ..OPENACC
    };
    refused(&few, openacc, "which OpenACC does not do");
}

#[test]
fn a_loop_that_updates_a_section_does_not_collapse() {
    let text = "void f(int n, double (*restrict a)[60], double (*restrict c)[60]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 60; k++)
            for (int j = 0; j < 60; j++)
                c[i][j] += a[i][k];
}
";
    let directive = before_loop(text, "int i = 0").unwrap();
    assert!(!directive.contains("collapse"), "{directive}");
}

#[test]
fn a_variable_that_is_used_later_is_not_collapsed() {
    let text = "int f(int n, int m, int (*restrict a)[60]) {
    int j = 0;
    for (int i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] = i;
    return j;
}
";
    assert!(!first(text, PLAIN).contains("collapse"));
}

/// gcc 12 multiplies the spans of OpenACC loops, negative or not.
#[test]
fn openacc_collapses_at_most_one_unknown_span() {
    let unknown = nest(
        "int i = 0; i < n; i++",
        "int j = 0; j < m; j++",
        "a[i][j] = b[i][j];",
    );
    assert!(!first(&unknown, OPENACC).contains("collapse"));
    let constant = nest(
        "int i = 0; i < n; i++",
        "int j = 0; j < 60; j++",
        "a[i][j] = b[i][j];",
    );
    assert!(first(&constant, OPENACC).contains("collapse(2)"));
    let both = nest(
        "int i = 0; i < 50; i++",
        "int j = 0; j < 60; j++",
        "a[i][j] = b[i][j];",
    );
    assert!(first(&both, OPENACC).contains("collapse(2)"));
    // The variable of a loop that is not collapsed there needs a clause.
    let outside = "void f(int n, int m, int (*restrict a)[60]) {
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i][j] = i;
}
";
    assert!(first(outside, OPENACC).contains("private(j)"));
    assert!(!first(outside, PLAIN).contains("private"));
}

#[test]
fn addresses_stay_on_the_host() {
    let kernel = |parameters: &str, body: &str| {
        format!(
            "#include <stdint.h>
struct node {{ int value; struct node *next; }};
void f(int n, {parameters}) {{
    for (int i = 0; i < n; i++)
        {body}
}}
"
        )
    };
    let why = "it uses addresses as values";
    for (parameters, body) in [
        ("struct node *restrict x", "x[i].next = &x[i + 1];"),
        ("int **restrict p, int *restrict v", "p[i] = v + i;"),
        (
            "int **restrict p, int *restrict v",
            "{ int *q = &v[i]; p[i] = q; }",
        ),
        ("long *restrict p, int *restrict v", "p[i] = (long)(v + i);"),
        (
            "int *restrict r, int **restrict p, int *restrict v",
            "r[i] = p[i] == v + i;",
        ),
        (
            "int *restrict r, int **restrict p, int *restrict v",
            "r[i] = (int)(p[i] - v);",
        ),
        (
            "int *restrict r, int **restrict p, int *restrict v",
            "{ int *q = p[i]; if (i > 3) q = v; r[i] = q == v; }",
        ),
    ] {
        stays(&kernel(parameters, body), why);
    }
    for (parameters, body) in [
        // Found in memory and put there again.
        ("int **restrict p, int **restrict q", "p[i] = q[i];"),
        ("struct node *restrict x", "x[i].next = 0;"),
        ("int *restrict r, int **restrict p", "r[i] = p[i] == 0;"),
        (
            "int *restrict r, int **restrict p, int **restrict q",
            "r[i] = p[i] == q[i];",
        ),
        // Both are of the device.
        (
            "int *restrict r, int *restrict v",
            "{ int *q = v + i / 2; r[i] = *q + (int)(v + i - q); }",
        ),
        (
            "int *restrict r, int *restrict v",
            "{ int s = 0; for (int *q = v + i; q < v + i + 4; q++) s += *q; r[i] = s; }",
        ),
    ] {
        let line = first(&kernel(parameters, body), PLAIN);
        assert!(line.starts_with("#pragma omp target"), "{body}: {line}");
    }
}

/// Compilers for devices call a function for them, which comes with a header.
#[test]
fn products_of_complex_numbers_need_their_header() {
    let text = |header: &str, operation: &str| {
        format!(
            "{header}void f(int n, double _Complex *restrict a, double x) {{
    for (int i = 0; i < n; i++)
        a[i] = {operation};
}}
"
        )
    };
    let why = "it multiplies or divides complex numbers which clang 19 links for a GPU only where `complex.h` is included";
    for operation in ["a[i] * a[i]", "a[i] / 2.0i", "x / a[i]"] {
        stays(&text("", operation), why);
        let line = first(&text("#include <complex.h>\n", operation), PLAIN);
        assert!(line.starts_with("#pragma omp target"), "{operation}: {line}");
    }
    for operation in ["a[i] * x", "2 * a[i]", "a[i] / x", "a[i] + 1.0i", "-a[i]"] {
        let line = first(&text("", operation), PLAIN);
        assert!(line.starts_with("#pragma omp target"), "{operation}: {line}");
    }
}

#[test]
fn what_a_device_cannot_reduce_stays() {
    stays(
        "long double f(int n, double *a) {
    long double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
",
        "it uses `long double` which no GPU has",
    );
    stays(
        "double _Complex f(int n, double *a) {
    double _Complex s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
",
        "it reduces a complex number, whose copies clang 19 combines with functions that only libatomic has",
    );
    stays(
        "struct sum { double _Complex all; };
void f(int n, struct sum *s, const double *restrict a) {
    for (int i = 0; i < n; i++)
        s->all += a[i];
}
",
        "it updates a type that a device cannot update atomically",
    );
    stays(
        "__int128 f(int n, double *a) {
    __int128 s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] > 0;
    return s;
}
",
        "it reduces a type that a device cannot reduce",
    );
}

/// Each form was given to clang 19: it refuses the first ones in a kernel, and takes the others.
#[test]
fn members_of_nameless_structures_stay() {
    let uses = |member: &str| {
        format!(
            "struct s {{ int n; double a[9]; }};
static struct s table[4], one;
static struct s made(int i) {{ struct s r = {{ i, {{ 1 }} }}; return r; }}
void f(int n, struct s *p, double *restrict a) {{
    for (int i = 0; i < n; i++)
        a[i] = {member};
}}
"
        )
    };
    let refused = [
        "(&one)->n",
        "(&one)[0].n",
        "(&table[1])->n",
        "(&p[i])->n",
        "(table + 1)->n",
        "(*(table + 1)).n",
        "made(i).n",
        "(i > 3 ? p : p + 1)->n",
        "(&p->a)[0][2] + (*&p)->n",
    ];
    for member in refused {
        stays(&uses(member), "which clang 19 refuses in a kernel");
    }
    let taken = [
        "one.n",
        "table[i % 4].a[2]",
        "table->n",
        "(*table).n",
        "p->n",
        "(p + i)->n",
        "(i + p)->a[3]",
        "(*(p + i)).n",
        "((struct s *)p)->n",
        "p[i].n",
        "(&p->a)[0][2]",
    ];
    for member in taken {
        let said = reasons(&uses(member), PLAIN);
        assert!(!said.contains("clang 19 refuses"), "{member}: {said}");
        assert_ne!(annotated(&uses(member)), uses(member), "{member}: {said}");
    }
}

/// clang 19 refuses such an array in a kernel, and the assembler the ones of functions.
#[test]
fn arrays_of_variable_length_stay() {
    let why = "an array of variable length";
    let declares = |declaration: &str, value: &str| {
        format!(
            "void f(int n, int m, double *restrict a) {{
    const int width = 8;
    for (int i = 0; i < n; i++) {{
        {declaration}
        a[i] = {value};
    }}
}}
"
        )
    };
    stays(&declares("double b[width]; b[i % 8] = i;", "b[i % 8]"), why);
    stays(
        &declares("double (*b)[m] = (double (*)[m])a;", "b[0][i] + 1"),
        why,
    );
    stays(
        "static double g(int m, int i) {
    double b[m];
    for (int k = 0; k < m; k++)
        b[k] = k > 0 ? b[k - 1] * i : 1;
    return b[i % m];
}
void f(int n, double *restrict a) {
    for (int i = 0; i < n; i++)
        a[i] = g(n, i);
}
",
        "it declares an array of variable length in g, which it calls, which clang 19 compiles for no GPU",
    );
}

#[test]
fn variables_of_a_thread_stay() {
    stays(
        "_Thread_local int total;
void f(int n, int *a) {
    for (int i = 0; i < n; i++)
        total += a[i];
}
",
        "it uses a variable that every thread has for itself",
    );
}

#[test]
fn loops_that_never_run_stay() {
    for (condition, head) in [
        ("n <= 0", "int i = 0; i < n; i++"),
        ("n > m", "int i = n; i <= m; i++"),
        ("n < 8", "int i = n; i > 7; i -= 2"),
    ] {
        let text = format!(
            "void f(int n, int m, double *a) {{
    if ({condition})
        for ({head})
            a[i] = m;
}}
"
        );
        stays(&text, "it never runs");
        // The other way round there is a kernel.
        let runs = text.replace(condition, &format!("!({condition})"));
        assert!(first(&runs, PLAIN).starts_with("#pragma"), "{runs}");
    }
}

#[test]
fn loops_under_directives_stay() {
    let text = "void f(int n, int *restrict a) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
}
";
    stays(text, "it is under a directive already");
}

/// Compilers find other pointers to mapped storage late, or not at all.
#[test]
fn storage_has_one_name() {
    let with = |before: &str, body: &str| {
        format!(
            "void f(int n, int *restrict a, const int *restrict b) {{\n    int x = 3;\n    {before}\n    for (int i = 20; i < n; i++)\n        {body}\n}}\n"
        )
    };
    let why = "reached by different names";
    stays(&with("const int *p = &x;", "a[i] = *p;"), why);
    stays(&with("const int *p = b;", "a[i] = p[i] + b[i - 1];"), why);
    let table = "static int t[100];\n".to_owned() + &with("const int *p = t;", "a[i] = p[i] + t[0];");
    stays(&table, why);
    // The only name is the pointer.
    let table = "static int t[100];\n".to_owned() + &with("const int *p = t;", "a[i] = p[i];");
    let line = first(&table, PLAIN);
    assert!(line.contains("map(to: p[20:"), "{line}");
}

fn kernels(text: &str) -> usize {
    let lines = added(text, PLAIN);
    lines
        .iter()
        .filter(|line| line.starts_with("#pragma omp target"))
        .count()
}

/// A structure without addresses is a value like others; one with an address holds one of the host.
#[test]
fn structures_are_copied_whole_where_no_address_is_in_them() {
    let text = |member: &str, value: &str| {
        format!(
            "typedef struct {{ double x; struct {{ int n; {member}; }} inner[2]; }} vector;
static const vector zero;
void f(int n, vector *restrict a, vector v) {{
    for (int i = 0; i < n; i++)
        a[i] = {value};
}}
"
        )
    };
    for value in ["v", "zero", "i & 1 ? zero : v"] {
        let plain = text("float z", value);
        assert_eq!(kernels(&plain), 1, "{value}: {}", reasons(&plain, PLAIN));
    }
    let leading = text("float *z", "v");
    assert_eq!(kernels(&leading), 0);
    assert!(reasons(&leading, PLAIN).contains("addresses as values"));
}

/// Compilers put the address of a variable of the file into a kernel where a constant pointer is read that begins with it.
#[test]
fn constant_pointers_to_variables_of_the_file_keep_kernels_away() {
    let text = |declaration: &str| {
        format!(
            "static double x[100];
static const int four = 4;
void f(int n, double *restrict y) {{
    {declaration};
    for (int i = 0; i < n; i++)
        y[i] += q[i];
}}
"
        )
    };
    for constant in [
        "double *const q = x",
        "double *const q = &x[2] + four",
        "static double b[100]; const double *const q = b",
        "double *const first = x; double *const q = first + 1",
        "static const double *const q = x",
    ] {
        assert_eq!(kernels(&text(constant)), 0, "{constant}");
        for wish in [PLAIN, OPENACC] {
            let why = reasons(&text(constant), wish);
            assert!(
                why.contains("q is a constant pointer to a variable of the file"),
                "{constant}: {why}"
            );
        }
    }
    for read in [
        "double *q = x",
        "double b[100] = {0}; double *const q = b",
        "double *const q = x + n",
    ] {
        assert_eq!(kernels(&text(read)), 1, "{read}: {}", reasons(&text(read), PLAIN));
    }
}

/// gcc 12 takes a range without iterations in an unsigned type narrower than `int` for one that wraps around.
#[test]
fn narrow_unsigned_counters_need_ranges_in_order() {
    // Whether OpenMP and OpenACC have a kernel.
    for (parameters, head, written) in [
        ("unsigned char n", "i = 0; i < n", [true, true]),
        (
            "unsigned char lo, unsigned char n",
            "i = lo; i < n",
            [true, false],
        ),
        ("int n", "i = 3; i < 90", [true, true]),
    ] {
        let text = format!(
            "void f({parameters}, int *restrict a) {{
    unsigned char i;
    for ({head}; i++)
        a[i] = 7;
}}
"
        );
        for (wish, written) in [PLAIN, OPENACC].into_iter().zip(written) {
            let found = reasons(&text, wish);
            assert_eq!(
                found.contains("range that wraps around"),
                !written,
                "{head}: {found}"
            );
        }
    }
}

/// What one scalar needs to be each iteration's own may be what another one excludes: no condition is offered that never holds.
#[test]
fn conditions_of_two_scalars_may_exclude_each_other() {
    let text = "void f(int n, int l, const int *p, double *restrict b)
{
    int y = 2, z = 3;
    for (int i = 0; i < n; i++) {
        if (l > 0)
            y = p[i];
        if (l < 1)
            z = p[i] + 1;
        b[i] += y * z;
    }
}
";
    let why = reasons(text, PLAIN);
    assert_eq!(kernels(text), 0, "{why}");
    assert!(why.contains("it is not parallel"), "{why}");
}

/// A loop without braces ends at the `;` behind the use of a macro that has none itself.
#[test]
fn loops_may_end_in_a_macro() {
    let text = |last: &str| {
        format!(
            "#define TWO 2
#define THREE (TWO + 1)
#define FOUR THREE + 1
#define NEXT(x) ((x) + 1)
#define TWICE(x) NEXT(x) * TWO
#define AND_THEN 5; n = 4
#define SAME(x) x
void f(int n, int *restrict a) {{
    for (int i = 0; i < n; i++)
        a[i] = {last}
}}
"
        )
    };
    for whole in ["FOUR;", "i * THREE;", "-TWICE(i);", "SAME(NEXT(i));"] {
        assert_eq!(
            kernels(&text(whole)),
            1,
            "{whole}: {}",
            reasons(&text(whole), PLAIN)
        );
    }
    for part in ["AND_THEN;", "SAME(3; n = 2);"] {
        assert_eq!(kernels(&text(part)), 0, "{part}");
    }
}

#[test]
fn a_switch_may_be_in_a_kernel() {
    let text = |place: (&str, &str)| {
        format!(
            "void f(int n, int m, int *restrict a) {{
    for (int i = 0; i < n; i++) {{
        {}
        a[i] += i;
        {}
    }}
}}
",
            place.0, place.1
        )
    };
    let inside = (
        "switch (i & 1) { case 0: a[i] = 4; break; default: continue; }",
        "",
    );
    assert_eq!(kernels(&text(inside)), 1, "{}", reasons(&text(inside), PLAIN));
    let jumps = ("if (a[i] > m) goto next; a[i] = 3;", "next:;");
    assert_eq!(kernels(&text(jumps)), 0);
}
