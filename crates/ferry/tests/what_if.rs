//! Has Ferry the exact cost of every order of a nest's loops, in terms of its sizes and in numbers?
//!
//! Every formula was worked out by hand (elements of four bytes, warps of 32 threads, lines of 128 bytes), and is compared with what is counted for sizes that
//! are numbers.

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json, with};
use serde_json::Value;

const ADDITION: &str = "
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i * N + j] = a[i * N + j] + b[i * N + j];
";

/// The sum goes through memory, so that the nest is no perfect one of three loops.
const MULTIPLICATION: &str = "
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i * N + j] *= 2;
            for (int k = 0; k < N; k++)
                c[i * N + j] += a[i * N + k] * b[k * N + j];
        }
";

/// With a parameter for the size, or with a number.
fn kernel(body: &str, size: Option<u64>) -> String {
    let heading = match size {
        None => {
            "#define N n\nvoid f(int n, float *restrict a, float *restrict b, float *restrict c)".to_owned()
        }
        Some(size) => {
            format!("#define N {size}\nvoid f(float *restrict a, float *restrict b, float *restrict c)")
        }
    };
    format!("{heading}\n{{{body}}}\n")
}

fn mappings(text: &str) -> Vec<Value> {
    let folder = with(text);
    let path = folder.path().join("a.c");
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    let kernels = report["loops"].as_array().unwrap().iter();
    let mut kernels = kernels.filter(|one| one["kernel"]["by_directive"] == true);
    let found = kernels.next().unwrap()["kernel"]["mappings"]
        .as_array()
        .unwrap()
        .clone();
    assert!(kernels.next().is_none());
    found
}

/// The mapping in which these loops run together, in this order.
fn of(mappings: &[Value], order: &[&str], together: u64) -> Value {
    let wanted = |one: &&Value| one["order"] == serde_json::json!(order) && one["together"] == together;
    let found = mappings.iter().find(wanted);
    found
        .unwrap_or_else(|| panic!("{order:?} {together}: {mappings:?}"))
        .clone()
}

/// What is known of one order: loops, how many together, lines and sectors of a warp, and the lines of all warps.
struct Order {
    loops: [&'static str; 2],
    together: u64,
    warp: [&'static str; 2],
    formula: &'static str,
    lines: fn(u64) -> u64,
}

fn check(body: &str, orders: &[Order]) {
    let symbolic = mappings(&kernel(body, None));
    for order in orders {
        let found = of(&symbolic, &order.loops, order.together);
        let text = |name: &str| found[name].as_str().unwrap_or("none").to_owned();
        assert_eq!([text("warp_lines"), text("warp_sectors")], order.warp, "{found}");
        assert_eq!(text("lines_formula"), order.formula, "{found}");
        // Sizes that are not known count 1024.
        assert_eq!(found["lines"], (order.lines)(1024) as f64, "{found}");
    }
    for size in [32, 100, 1000] {
        let counted = mappings(&kernel(body, Some(size)));
        for order in orders {
            let found = of(&counted, &order.loops, order.together);
            assert_eq!(found["lines"], (order.lines)(size) as f64, "{size}: {found}");
            let formula: u64 = found["lines_formula"].as_str().unwrap().parse().unwrap();
            assert_eq!(formula, (order.lines)(size), "{size}: {found}");
        }
    }
}

#[test]
fn matrix_addition() {
    check(
        ADDITION,
        &[
            Order {
                loops: ["i", "j"],
                together: 1,
                warp: ["3*min(n, 32)", "3*min(4*n, 32)"],
                formula: "ceil(n/32)*n*3*min(n, 32)",
                lines: |n| n.div_ceil(32) * n * 96,
            },
            Order {
                loops: ["i", "j"],
                together: 2,
                warp: ["3", "12"],
                formula: "ceil(n*n/32)*3",
                lines: |n| (n * n).div_ceil(32) * 3,
            },
            Order {
                loops: ["j", "i"],
                together: 1,
                warp: ["3", "12"],
                formula: "ceil(n/32)*n*3",
                lines: |n| n.div_ceil(32) * n * 3,
            },
        ],
    );
}

#[test]
fn multiplication() {
    check(
        MULTIPLICATION,
        &[
            Order {
                loops: ["i", "j"],
                together: 1,
                warp: ["3*min(n, 32) + 1", "3*min(4*n, 32) + 1"],
                formula: "ceil(n/32)*(n*2*min(n, 32) + n*n*(3*min(n, 32) + 1))",
                lines: |n| n.div_ceil(32) * n * (64 + n * 97),
            },
            Order {
                loops: ["i", "j"],
                together: 2,
                warp: ["4", "13"],
                formula: "ceil(n*n/32)*(2 + n*4)",
                lines: |n| (n * n).div_ceil(32) * (2 + n * 4),
            },
        ],
    );
}

/// What is in the JSON is in the text of one loop and on the page.
#[test]
fn people_read_the_formulas() {
    let folder = with(&kernel(ADDITION, None));
    let path = folder.path().join("a.c");
    let path = path.to_str().unwrap();
    let place = format!("{path}:5");
    let text = stdout(&ferry(["report", "--loop", &place, path]));
    let line = "      i in the order i, j (as it is): a warp takes 3*min(n, 32) lines, 3*min(4*n, 32) sectors; all take ceil(n/32)*n*3*min(n, 32) lines\n";
    assert!(text.contains(line), "{text}");
    let page = stdout(&ferry(["report", "--format", "html", path]));
    for formula in ["ceil(n/32)*n*3*min(n, 32)", "ceil(n*n/32)*3", "ceil(n/32)*n*3"] {
        assert!(
            page.contains(&format!("<td class=\"code\">{formula}</td>")),
            "{formula}"
        );
    }
}

/// A loop that does not run equally often for all threads, by what it loads or by their iteration, leaves the total without a formula.
#[test]
fn what_differs_from_thread_to_thread_has_no_formula() {
    let text = |bound: &str| {
        format!(
            "void f(int n, const int *restrict end, float *restrict a)
{{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < {bound}; j++)
            a[i] += j;
}}
"
        )
    };
    for (bound, formula) in [
        ("end[i]", Value::Null),
        ("i", Value::Null),
        ("n - 3", "ceil(n/32)*(n - 3)*2".into()),
        ("end[3]", "ceil(n/32)*end[3]*3".into()),
    ] {
        let present = mappings(&text(bound)).remove(0);
        assert_eq!(present["present"], true);
        assert_eq!(present["lines_formula"], formula, "{present}");
        assert_eq!(present["threads_formula"], "n", "{present}");
    }
}
