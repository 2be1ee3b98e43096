//! Where unsigned arithmetic may wrap around, or rows may lie one before the other: is it tested that they do not, said what rests on that, and left alone what cannot test it?
//!
//! That the tests are right is judged by `programs` (`conditions/unsigned_sizes.c`, `conditions/rows_forward.c`) and by `./dev fuzz --type unsigned`.

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json, with};
use serde_json::Value;

fn run(command: &[&str], text: &str) -> String {
    let folder = with(text);
    let path = folder.path().join("a.c");
    let output = ferry(command.iter().copied().chain([path.to_str().unwrap()]));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

fn report(text: &str) -> Value {
    valid_json(&run(&["report", "--format", "json"], text))
}

fn function(parameters: &str, body: &str) -> String {
    format!("#include <stddef.h>\nvoid f({parameters})\n{{\n{body}\n}}\n")
}

const ROWS: &str =
    "for (size_t i = 0; i < n; i++)\n for (size_t j = 0; j < m; j++)\n a[i * m + j] = b[i * m + j];";

/// The test comes first, and the old text is what runs where it fails.
#[test]
fn what_rests_on_a_range_is_tested() {
    let arrays = "double *restrict a, const double *restrict b";
    for (sizes, body, test) in [
        (
            "size_t n, size_t m",
            ROWS,
            "(n <= 2147483648L)\n    && (m <= 2147483648L)",
        ),
        ("unsigned n, unsigned m", ROWS, "if ((n <= "),
        ("int n, int m", ROWS, "(n >= 0)\n    && (m >= 0)"),
        (
            "size_t n",
            "for (size_t i = 1; i < n - 1; i++)\n a[i] = b[i - 1] + b[i + 1];",
            "(n > 0)\n    && (n <= 1099511627776L)",
        ),
    ] {
        let sizes = match sizes {
            // The bounds of 32 bits are those of the loops.
            "unsigned n, unsigned m" => {
                function(&format!("{sizes}, {arrays}"), &body.replace("size_t", "unsigned"))
            }
            _ => function(&format!("{sizes}, {arrays}"), body),
        };
        let new = run(&["annotate", "--all"], &sizes);
        assert!(new.contains(test), "{test}: {new}");
        assert_eq!(new.matches("} else {").count(), 1, "{new}");
        assert_eq!(new.matches("#pragma omp target").count(), 1, "{new}");
    }
    // Nothing can wrap around here.
    let new = run(
        &["annotate", "--all"],
        &function(
            &format!("size_t n, {arrays}"),
            "for (size_t i = 0; i < n; i++)\n a[i] = b[i];",
        ),
    );
    assert!(
        new.contains("#pragma omp target") && !new.contains("if ("),
        "{new}"
    );
}

/// A kernel that needs no test gets none for the sake of a loop that stays on the host all the same.
#[test]
fn a_test_is_not_written_for_nothing() {
    let text = function(
        "unsigned n, double *restrict a, const unsigned *restrict k, unsigned *restrict h",
        "for (unsigned i = 0; i < n; i++)\n a[i] = 1;\nunsigned s = 7;\nfor (unsigned i = 0; i < n; i++)\n s = s * 33 + k[2 * i];\n*h = s;",
    );
    let new = run(&["annotate", "--all"], &text);
    assert!(
        new.contains("#pragma omp target") && !new.contains("if ("),
        "{new}"
    );
}

/// Lengths of rows that may be negative are tested where nothing runs on the device without that, and nowhere else.
#[test]
fn rows_lie_one_behind_the_other_where_that_is_tested() {
    let parameters =
        "int planes, int n, int from, int ld, int rows, double *restrict out, const double *restrict in";
    let gather = |subscript: &str| {
        let body = "for (int p = 0; p < planes; p++)\n for (int i = 0; i < n; i++)\n out[p * n + i] = in[";
        function(parameters, &format!("{body}{subscript}];"))
    };
    for (subscript, test) in [
        ("i + ld * (from + rows * p)", "if ((ld > 0)\n    && (rows > 0)) {"),
        (
            "i + (ld + 2) * (from - rows * p)",
            "if ((ld > 0)\n    && (rows > 0)) {",
        ),
        ("i + (ld - 2) * p", "if (ld >= 3) {"),
    ] {
        let new = run(&["annotate", "--all"], &gather(subscript));
        assert!(new.contains(test), "{test}: {new}");
        assert!(new.contains("collapse(2)") && new.contains("} else {"), "{new}");
    }
    for subscript in [
        "i + (rows - ld) * (from + ld * p)",
        "i + (ld - 2) * (rows - 2) * p",
        "i + ld * from",
    ] {
        let new = run(&["annotate", "--all"], &gather(subscript));
        assert!(
            new.contains("#pragma omp target") && !new.contains("if ("),
            "{new}"
        );
    }
}

/// Rows need to be as long as what is touched of them, wherever in them that begins.
#[test]
fn columns_count_from_the_first_that_is_touched() {
    for (stored, condition) in [
        ("a[(high + 5) * (k + 2) + j - low + 2]", "low + 4 >= 0"),
        ("a[ld * (k + 1) + j - low + 3]", "low + ld > high"),
        ("a[(k + 1) * ld + high - j + 7]", "low + ld > high"),
    ] {
        let body = format!("for (int k = 0; k < n; k++)\n for (int j = low; j <= high; j++)\n {stored} = j;");
        let found = report(&function(
            "int low, int high, int ld, int n, int *restrict a",
            &body,
        ));
        let conditions = found["loops"][0]["condition"].as_str().unwrap_or_default();
        assert!(conditions.contains(condition), "{condition}: {conditions}");
    }
}

/// The report says of verdicts, of other loops and of sections what they rest on.
#[test]
fn what_rests_on_a_range_says_so() {
    let arrays = "double *restrict a, const double *restrict b";
    let found = report(&function(&format!("size_t n, size_t m, {arrays}"), ROWS));
    let range = "m <= 2147483648, n <= 2147483648";
    for of in found["loops"].as_array().unwrap() {
        assert_eq!(
            (&of["verdict"], &of["condition"]),
            (&"parallel_if".into(), &range.into())
        );
    }
    for access in found["accesses"].as_array().unwrap() {
        assert_eq!(access["holds_if"], range, "{access}");
    }
    let body = format!("for (size_t i = 0; i < n; i++)\n a[i] = 0;\n{ROWS}");
    let found = report(&function(&format!("size_t n, size_t m, {arrays}"), &body));
    let first = &found["loops"][0];
    assert_eq!(first["verdict"], "parallel");
    let assumed = first["assumptions"].as_array().unwrap();
    let tested = "n <= 2147483648, which is tested before the kernels of its function";
    assert!(assumed.contains(&tested.into()), "{first}");
}

/// Loops change places in all runs, and no test says in which nothing wraps around.
#[test]
fn reshape_does_without() {
    let nest = |ty: &str| {
        function(
            &format!("{ty} n, {ty} m, double *restrict a"),
            &format!("for ({ty} j = 0; j < m; j++)\n for ({ty} i = 0; i < n; i++)\n a[i * m + j] = 1;"),
        )
    };
    assert_ne!(run(&["reshape"], &nest("int")), nest("int"));
    assert_eq!(run(&["reshape"], &nest("unsigned")), nest("unsigned"));
}

/// Sizes that are members, globals and results of calls are tested as what holds them in any case.
#[test]
fn sizes_need_not_be_parameters() {
    for (parameters, before, body, test) in [
        ("const struct s *restrict s", "", "s->n", "s->n <= "),
        ("struct s s", "", "s.n", "s.n <= "),
        ("int unused", "", "size", "size <= "),
        (
            "const char *text",
            "size_t n = strtoul(text, NULL, 10);\n",
            "n",
            "n <= ",
        ),
        (
            "const char *text",
            "int k = atoi(text);\nsize_t n = (size_t)k;\n",
            "n",
            "k >= 0",
        ),
        ("const size_t *restrict p", "size_t n = p[3];\n", "n", "n <= "),
    ] {
        let text = format!(
            "#include <stdlib.h>\nstruct s {{ size_t n; }};\nextern size_t size;\n\
             void f({parameters}, double *restrict a)\n{{\n{before}\
             for (size_t i = 0; i < {body}; i++)\n a[2 * i] = 1;\n}}\n"
        );
        let new = run(&["annotate", "--all"], &text);
        assert!(
            new.contains(&format!("if ({test}")) || new.contains(&format!("if (({test}")),
            "{new}"
        );
    }
}

/// A branch without braces gets some, or compilers ask whose `else` it is.
#[test]
fn a_branch_has_braces() {
    let text = function(
        "unsigned n, double *restrict a",
        "if (a)\n for (unsigned i = 0; i < n; i++)\n a[2 * i] = 1;\nelse\n n = 3;",
    );
    let new = run(&["annotate", "--all"], &text);
    let words: Vec<&str> = new.split_whitespace().collect();
    assert!(
        words.join(" ").contains("if (a) { if (n <= 1431655765) {"),
        "{new}"
    );
    assert!(words.join(" ").contains("} } else n = 3;"), "{new}");
}

/// Two loads out of one use of a macro have one place in the text, and need not find the same.
#[test]
fn sizes_out_of_a_macro_are_not_tested() {
    let text = |bound: &str| {
        format!(
            "#include <stddef.h>\nstruct s {{ size_t n; }};\n#define BOTH (s->n + t->n)\n\
             void f(const struct s *restrict s, const struct s *restrict t, double *restrict a)\n{{\n\
             for (size_t i = 0; i < {bound}; i++)\n a[i] = 1;\n}}\n"
        )
    };
    let new = run(&["annotate", "--all"], &text("s->n + t->n"));
    assert!(new.contains("s->n <= ") && new.contains("t->n <= "), "{new}");
    assert_eq!(run(&["annotate", "--all"], &text("BOTH")), text("BOTH"));
}

/// What holds a size only because that lies in its range cannot be asked whether it does: `k` is `n` modulo 2³², and `n` may be more.
#[test]
fn a_range_does_not_prove_itself() {
    for (size, before, bound) in [
        ("size_t n", "unsigned k = n;\nn = k;", "k"),
        ("int n", "size_t k = n;\nn = 3;", "k"),
        ("const char *text", "size_t k = (size_t)atoi(text);", "k"),
        ("unsigned n", "int k = (int)n;\nn = 0;", "(size_t)k"),
    ] {
        let text = format!(
            "#include <stdlib.h>\nvoid f({size}, size_t m, double *restrict a)\n{{\n{before}\n\
             for (size_t i = 0; i < {bound}; i++)\n for (size_t j = 0; j < m; j++)\n a[i * m + j] = 1;\n}}\n"
        );
        let new = run(&["annotate", "--all"], &text);
        assert_eq!(new, text);
    }
}
