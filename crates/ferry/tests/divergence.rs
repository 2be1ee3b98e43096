//! Does the report say rightly where threads of a warp part, on what that depends, and which other order of the loops avoids it?
//!
//! What is said of each condition is compared with what warps do that are counted through here, thread by thread.

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json, with};
use serde_json::Value;

const WARP: u64 = 32;

fn kernel(text: &str) -> Value {
    let folder = with(text);
    let output = ferry([
        "report",
        "--format",
        "json",
        folder.path().join("a.c").to_str().unwrap(),
    ]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    report["loops"][0]["kernel"].clone()
}

const LONG: &str = "{ t += 1; u += t; t *= u; u -= t; t = u * t; u += 3; }";

fn nest(rows: u64, columns: u64, body: &str) -> String {
    format!(
        "void f(int n, const int *restrict kind, double (*restrict a)[{columns}])
{{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:{rows}]) map(to: kind[0:512])
    for (int i = 0; i < {rows}; i++)
        for (int j = 0; j < {columns}; j++) {{
            double t = a[i][j], u = 1;
            {body}
            a[i][j] = t + u;
        }}
}}
"
    )
}

/// What a kind of an element is, for those who count.
fn kind(of: u64) -> u64 {
    of * 7 % 5
}

/// True if in some warp two threads, of the same row or of any, choose differently.
fn parts(trips: [u64; 2], same_row: bool, choose: &dyn Fn(u64, u64) -> bool) -> bool {
    let at = |thread: u64| (thread / trips[1], thread % trips[1]);
    (0..trips[0] * trips[1] / WARP).any(|warp| {
        let threads = || (warp * WARP..(warp + 1) * WARP).map(at);
        threads().any(|one| {
            threads().any(|two| (!same_row || one.0 == two.0) && choose(one.0, one.1) != choose(two.0, two.1))
        })
    })
}

#[test]
fn what_is_said_is_what_warps_do() {
    type Choice = fn(u64, u64) -> bool;
    // The condition in C, and the same here, for row `i` and column `j`.
    let conditions: [(&str, Choice); 7] = [
        ("j % 2", |_, j| j % 2 != 0),
        ("i % 2", |i, _| i % 2 != 0),
        ("kind[i] > 2", |i, _| kind(i) > 2),
        ("kind[j] > 2", |_, j| kind(j) > 2),
        ("kind[i + j] > 2", |i, j| kind(i + j) > 2),
        ("(i ^ j) & 1", |i, j| (i ^ j) & 1 != 0),
        ("n > 3", |_, _| true),
    ];
    let mut said = Vec::new();
    for (rows, columns) in [(100, 128), (128, 100), (256, 16)] {
        for (condition, choose) in conditions {
            let found = kernel(&nest(rows, columns, &format!("if ({condition}) {LONG}")));
            let found = found["divergence"].as_array().unwrap();
            assert!(found.len() < 2, "{found:?}");
            let one = found.first();
            let depends = one.map_or("nothing", |one| one["depends_on"].as_str().unwrap());
            let avoided = one.and_then(|one| one["avoided_by"].as_str());
            let (any, in_row) = (
                parts([rows, columns], false, &choose),
                parts([rows, columns], true, &choose),
            );
            let what = format!("{condition} in {rows} rows of {columns}");
            match depends {
                "nothing" => assert!(!any, "{what}"),
                "rows" => assert!(any && !in_row, "{what}"),
                // Rows of 16 are shorter than a warp.
                _ => assert!(in_row || (columns < WARP && any), "{what}"),
            }
            if let Some(other) = avoided {
                assert!(
                    other.starts_with("the loops over j, i together, in the order j, i: "),
                    "{other}"
                );
                let turned = |j: u64, i: u64| choose(i, j);
                assert!(!parts([columns, rows], true, &turned), "{what}");
            }
            said.push(format!("{what}: {depends}, {}", avoided.is_some()));
        }
    }
    assert_eq!(
        said,
        [
            "j % 2 in 100 rows of 128: iteration, true",
            "i % 2 in 100 rows of 128: nothing, false",
            "kind[i] > 2 in 100 rows of 128: nothing, false",
            "kind[j] > 2 in 100 rows of 128: data, true",
            "kind[i + j] > 2 in 100 rows of 128: data, false",
            "(i ^ j) & 1 in 100 rows of 128: iteration, false",
            "n > 3 in 100 rows of 128: nothing, false",
            "j % 2 in 128 rows of 100: iteration, true",
            "i % 2 in 128 rows of 100: rows, false",
            "kind[i] > 2 in 128 rows of 100: rows, false",
            "kind[j] > 2 in 128 rows of 100: data, true",
            "kind[i + j] > 2 in 128 rows of 100: data, false",
            "(i ^ j) & 1 in 128 rows of 100: iteration, false",
            "n > 3 in 128 rows of 100: nothing, false",
            "j % 2 in 256 rows of 16: iteration, true",
            "i % 2 in 256 rows of 16: iteration, false",
            "kind[i] > 2 in 256 rows of 16: data, false",
            "kind[j] > 2 in 256 rows of 16: data, true",
            "kind[i + j] > 2 in 256 rows of 16: data, false",
            "(i ^ j) & 1 in 256 rows of 16: iteration, false",
            "n > 3 in 256 rows of 16: nothing, false",
        ]
    );
}

/// An order that is another program avoids nothing.
#[test]
fn only_what_is_legal_avoids_it() {
    let text = |read: &str| {
        format!(
            "void f(double (*restrict a)[128])
{{
    for (int i = 1; i < 99; i++)
        for (int j = 1; j < 127; j++) {{
            double t = {read}, u = 1;
            if (i % 2) {LONG}
            a[i][j] = t + u;
        }}
}}
"
        )
    };
    let avoided = |text: &str| {
        let found = kernel(text);
        found["divergence"][0]["avoided_by"].clone()
    };
    // The loop over `i` runs in parallel, that over `j` carries a dependence: all threads would have to run it in step.
    assert!(avoided(&text("a[i][j - 1]")).is_null());
    let free = text("a[i][j]").replace(
        "    for (int i",
        "#pragma omp target teams distribute parallel for map(tofrom: a[0:100])\n    for (int i",
    );
    let found = avoided(&free);
    assert!(
        found
            .as_str()
            .unwrap()
            .starts_with("the loops over i, j together"),
        "{found}"
    );
}

/// A loop that some threads run longer, seen in text and on the page.
#[test]
fn loops_part_threads_too() {
    let text = nest(100, 128, "for (int k = 0; k < kind[j]; k++) t += k;");
    let found = kernel(&text);
    assert_eq!(found["divergence"][0]["what"], "loop");
    let folder = with(&text);
    let path = folder.path().join("a.c");
    let output = ferry(["report", path.to_str().unwrap()]);
    let said = stdout(&output);
    assert!(
        said.contains("line 7: threads part at this loop, which depends on data; they would not with the loops over j, i together"),
        "{said}"
    );
    let output = ferry(["report", "--format", "html", path.to_str().unwrap()]);
    assert!(stdout(&output).contains("Where threads of a warp part"));
}
