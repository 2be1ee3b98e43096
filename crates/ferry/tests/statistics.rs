//! Are pairs of accesses counted by what came of them, and answers by the test that gave them?
//!
//! The numbers are counted by hand: a pair is a write and another access of one loop, or the write itself; it is asked about in both orders, with itself
//! in one.

use crate::common;

use common::{ferry_in, status, stderr, stdout, valid_json};
use serde_json::{Value, json};

fn report(text: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.c"), text).unwrap();
    let output = ferry_in(folder.path(), ["report", "a.c"].iter().chain(arguments));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

fn tests(text: &str) -> Vec<Value> {
    let report = valid_json(&report(text, &["--format", "json"]));
    let loops = report["loops"].as_array().unwrap().iter();
    loops.map(|one| one["tests"].clone()).collect()
}

/// Of one loop: questions, those answered by no and by yes by each test, and those that are not decided.
type Expected = (u64, Value, Value, u64);

/// What each test of the ladder decides: a text, and for each loop how many questions were asked, answered by no and by yes, and not.
#[test]
fn every_test_of_the_ladder_decides_a_known_number_of_pairs() {
    let none = json!({});
    // Both elements with themselves, one with the other, and the read of the first with both.
    let constant = "void f(int n, int *a) { for (int i = 0; i < n; i++) { a[0] = i; a[1] = a[0] + 1; } }";
    let decided: [(&str, Vec<Expected>); 11] = [
        (
            constant,
            vec![(8, json!({"constant": 4}), json!({"constant": 4}), 0)],
        ),
        (
            "void f(int n, int *a)
             {
                 for (int i = 0; i < n; i++)
                     for (int j = 0; j < n; j++)
                         a[2 * i] = a[4 * j + 1];
             }",
            vec![
                (
                    3,
                    json!({"common_divisor": 2, "single_variable": 1}),
                    none.clone(),
                    0,
                ),
                (3, json!({"common_divisor": 2}), json!({"constant": 1}), 0),
            ],
        ),
        (
            "void f(int n, int *a) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }",
            vec![(3, json!({"single_variable": 2}), json!({"single_variable": 1}), 0)],
        ),
        (
            "void f(int n, int *a) { if (n > 0) for (int i = 0; i < 9; i++) a[(i + 8) * n] = a[i * n]; }",
            vec![(
                3,
                json!({"symbolic_coefficient": 2}),
                json!({"symbolic_coefficient": 1}),
                0,
            )],
        ),
        (
            "void f(int n, int m, int a[n][m])
             {
                 for (int i = 0; i < n; i++)
                     for (int j = 0; j < m; j++)
                         a[i][j] = a[i][j] + 1;
             }",
            vec![
                (3, json!({"subscripts": 3}), none.clone(), 0),
                (3, json!({"single_variable": 3}), none.clone(), 0),
            ],
        ),
        (
            // Bytes below n, and integers from the n-th on.
            "void f(int n, int *a) { char *c = (char *)a; for (int i = 0; i < n; i++) c[i] = a[n + i]; }",
            vec![(3, json!({"ranges": 2, "single_variable": 1}), none.clone(), 0)],
        ),
        (
            "void f(int l, int m, int n, int *a)
             {
                 for (int j = 0; j < m; j++)
                     for (int i = 0; i < l; i++)
                         for (int k = 0; k < n; k++)
                             a[i * (m * n) + j * n + k] = 1;
             }",
            vec![
                (1, json!({"strides": 1}), none.clone(), 0),
                (1, json!({"strides": 1}), none.clone(), 0),
                (1, json!({"single_variable": 1}), none.clone(), 0),
            ],
        ),
        (
            "void f(int n, int m, int *a)
             {
                 for (int i = 0; i < n; i++) {
                     int at = -1 - i;
                     if (i < m)
                         at = 3 * i;
                     a[at] = i;
                 }
             }",
            vec![(1, json!({"cases": 1}), none.clone(), 0)],
        ),
        (
            "void f(int n, int *a) { for (int i = 0; i < n; i++) if (i % 2 == 0) a[i] = a[i + 1]; }",
            vec![(
                3,
                json!({"integer_sets": 1, "single_variable": 2}),
                none.clone(),
                0,
            )],
        ),
        (
            "void f(int *a) { for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) a[2 * i + 3 * j] = i; }",
            vec![
                (1, none.clone(), json!({"integer_sets": 1}), 0),
                (1, json!({"single_variable": 1}), none.clone(), 0),
            ],
        ),
        (
            "void f(int n, const int *k, int *restrict a) { for (int i = 0; i < n; i++) a[k[i]] = a[i]; }",
            vec![(3, none.clone(), none.clone(), 3)],
        ),
    ];
    for (text, expected) in decided {
        let found = tests(text);
        assert_eq!(found.len(), expected.len(), "{text}");
        for (one, (asked, independent, dependent, undecided)) in found.iter().zip(&expected) {
            assert_eq!(one["asked"], *asked, "{text}: {one}");
            assert_eq!(one["independent"], *independent, "{text}: {one}");
            assert_eq!(one["dependent"], *dependent, "{text}: {one}");
            assert_eq!(one["undecided"], *undecided, "{text}: {one}");
        }
    }
}

/// The tests of textbooks that have no name here: one coefficient that is nothing, two with opposite signs, and Banerjee's bounds. What the read of another element and
/// the write are asked about, in both orders.
#[test]
fn weak_subscripts_and_bounds_are_decided() {
    let both_no = |test: &str| (json!({test: 2, "single_variable": 1}), json!({}));
    let both_yes = || (json!({"single_variable": 1}), json!({"integer_sets": 2}));
    for (body, (independent, dependent)) in [
        // Weak-zero: outside of the loop's range, and inside.
        ("for (int i = 0; i < 9; i++) a[i] = a[9] + 1;", both_no("ranges")),
        ("for (int i = 0; i < 9; i++) a[i] = a[4] + 1;", both_yes()),
        // Weak-crossing: behind the last iteration, between two, and in one of them.
        ("for (int i = 0; i < 9; i++) a[i] = a[19 - i];", both_no("ranges")),
        (
            "for (int i = 0; i < n; i++) a[2 * i] = a[9 - 2 * i];",
            both_no("common_divisor"),
        ),
        ("for (int i = 0; i < 9; i++) a[i] = a[9 - i];", both_yes()),
        // Banerjee: the sums of two loops end before the next ones begin.
        (
            "for (int i = 0; i < 10; i++) for (int j = 0; j < 10; j++) a[i + 10 * j] = a[i + 10 * j + 100];",
            (json!({"strides": 3}), json!({})),
        ),
    ] {
        let found = tests(&format!("void f(int n, int *a) {{ {body} }}"));
        assert_eq!(found[0]["asked"], 3, "{body}");
        assert_eq!(found[0]["independent"], independent, "{body}");
        assert_eq!(found[0]["dependent"], dependent, "{body}");
        assert_eq!(found[0]["undecided"], 0, "{body}");
    }
}

/// What comes of pairs, all in one loop or one each.
#[test]
fn every_pair_is_counted_once_by_what_came_of_it() {
    let of = |text: &str| tests(text)[0].clone();
    for (text, outcomes) in [
        // The element read and written, with itself and with the write: one operation.
        (
            "void f(int n, int *restrict s, const int *restrict a) { for (int i = 0; i < n; i++) s[0] += a[i]; }",
            json!({"reduction": 2, "other_storage": 1}),
        ),
        (
            "void f(int n, int *a, const int *b) { for (int i = 0; i < n; i++) a[i] = b[i]; }",
            json!({"tests": 1, "overlap_test": 1}),
        ),
        (
            "void f(int n, int m, int **a) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 0; }",
            json!({"rows": 2}),
        ),
        // The write of the work array with itself and with the read; the two writes; a with itself; a and what is read.
        (
            "void f(int n, int *restrict a) { int w[2]; for (int i = 0; i < n; i++) { w[0] = i; a[i] = w[0]; } }",
            json!({"copies": 2, "tests": 1, "other_storage": 2}),
        ),
        (
            "void f(int n, int k, int *a) { for (int i = 0; i < n; i++) a[i * k] = i; }",
            json!({"condition": 1}),
        ),
        (
            "void f(int n, int *a) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }",
            json!({"tests": 1, "carried": 1}),
        ),
        (
            "void f(int n, const int *k, int *restrict a) { for (int i = 0; i < n; i++) a[k[i]] = i; }",
            json!({"condition": 1, "other_storage": 1}),
        ),
        (
            "void f(int n, const int *k, int *restrict a) { for (int i = 0; i < n; i++) a[k[2 * i]] = i; }",
            json!({"open": 1, "other_storage": 1}),
        ),
    ] {
        let found = of(text);
        assert_eq!(found["outcomes"], outcomes, "{text}");
        let all = outcomes.as_object().unwrap().values();
        assert_eq!(
            found["pairs"],
            all.map(|count| count.as_u64().unwrap()).sum::<u64>()
        );
    }
}

#[test]
fn all_loops_are_added_up() {
    let text = "void f(int n, int *a) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }
        void g(int n, int *a) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; for (int i = 0; i < n; i++) a[i] = i; }";
    let json = valid_json(&report(text, &["--format", "json"]));
    assert_eq!(
        json["tests"],
        json!({
            "pairs": 5,
            "outcomes": {"carried": 2, "tests": 3},
            "asked": 7,
            "independent": {"single_variable": 5},
            "dependent": {"single_variable": 2},
            "undecided": 0
        })
    );
    let without = report(text, &[]);
    let with = report(text, &["--statistics"]);
    let added = with
        .strip_prefix(&*without)
        .unwrap_or_else(|| panic!("{without}\n{with}"));
    let numbers: Vec<Vec<&str>> = added
        .lines()
        .map(|line| {
            line.split_whitespace()
                .filter(|word| word.parse::<u64>().is_ok())
                .collect()
        })
        .filter(|numbers: &Vec<&str>| numbers.iter().any(|number| *number != "0"))
        .collect();
    assert_eq!(
        numbers,
        [vec!["3", "5"], vec!["3"], vec!["2"], vec!["7"], vec!["5", "2"]],
        "{added}"
    );
    for threads in ["1", "2", "7"] {
        assert_eq!(report(text, &["--statistics", "--threads", threads]), with);
    }
}

/// A body in which nothing is understood: products of counters and of values from memory.
fn not_understood(statements: u32) -> String {
    let body: Vec<String> = (1..=statements)
        .map(|number| format!("a[i * i * q[{number}] + j * q[i]] = a[j * j * q[{number}] + i * q[j]] + 1;"))
        .collect();
    format!(
        "void f(int n, const int *restrict q, int *restrict a, int *restrict b)
         {{
             for (int i = 0; i < n; i++)
                 for (int j = 0; j < n; j++) {{
                     {}
                     b[i] = j;
                 }}
         }}",
        body.join("\n")
    )
}

#[test]
fn work_is_limited_in_questions() {
    let of = |text: &str| tests(text)[0].clone();
    // Few questions are all asked by all tests.
    let few = of(&not_understood(3));
    assert_eq!(few["undecided"], 3 * 3 + 2 * 3 * 3, "{few}");
    // Of many, the later ones by the cheap tests; so what is independent by them stays so, and the loop is unknown for the right reason.
    let many = of(&not_understood(30));
    assert_eq!(many["undecided"], 30 * 30 + 2 * 30 * 30, "{many}");
    assert_eq!(many["independent"], json!({"single_variable": 1}), "{many}");
    // What only a dear test decides is not decided behind them: here the second half of an array, as bytes.
    let behind = |statements| not_understood(statements).replace("b[i] = j;", "((char *)b)[i] = b[n + i];");
    assert_eq!(
        of(&behind(3))["independent"],
        json!({"ranges": 2, "single_variable": 1})
    );
    assert_eq!(of(&behind(30))["independent"], json!({"single_variable": 1}));
}
