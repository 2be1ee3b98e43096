//! Does the report say rightly what speaks for and against running a loop on a GPU (Juravle §4.1, and what it leaves out)?

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json};
use serde_json::Value;
use std::fs;

/// The report's JSON of a text.
fn report(text: &str, arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    fs::write(&path, text).unwrap();
    let mut all = vec!["report", "--format", "json"];
    all.extend(arguments);
    let path = path.display().to_string();
    all.push(&path);
    let output = ferry(all);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    valid_json(&stdout(&output))
}

/// How the loop of a line suits, and `subject@line suits: message` of its reasons.
fn fitness(report: &Value, line: u64) -> (String, Vec<String>) {
    let mut loops = report["loops"].as_array().unwrap().iter();
    let one = loops.find(|one| one["line"] == line).unwrap();
    let found = &one["fitness"];
    assert!(found.is_object(), "line {line} is not parallel: {one}");
    let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
    let reasons = found["reasons"].as_array().unwrap().iter().map(|reason| {
        format!(
            "{}@{} {}: {}",
            text(reason, "subject"),
            reason["line"],
            text(reason, "suits"),
            text(reason, "message")
        )
    });
    (text(found, "suits"), reasons.collect())
}

/// The reasons about one subject.
fn about<'a>(reasons: &'a [String], subject: &str) -> Vec<&'a str> {
    let start = format!("{subject}@");
    let found = reasons.iter().filter(|one| one.starts_with(&start));
    found.map(String::as_str).collect()
}

#[test]
fn loops_that_run_together_make_threads() {
    let text = "void f(int n, int m, double a[restrict n][m], double b[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 2 * b[i][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 7; j++)
            a[i][j] = 2 * b[i][j];
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            a[i][j] = 2 * b[i][j];
}
";
    let all = report(text, &[]);
    let (_, reasons) = fitness(&all, 3);
    assert_eq!(
        about(&reasons, "threads"),
        ["threads@3 well: n * m iterations may run at a time, those of 2 loops together"]
    );
    let (suits, reasons) = fitness(&all, 6);
    assert_eq!(suits, "poorly");
    assert!(
        reasons[0].starts_with("threads@6 poorly: 21 iterations may run"),
        "{reasons:?}"
    );
    let (suits, reasons) = fitness(&all, 9);
    assert_eq!(suits, "depends");
    assert!(
        reasons[0].starts_with("threads@9 depends: 4096 iterations may run"),
        "{reasons:?}"
    );
}

#[test]
fn what_is_done_once_is_not_moved_into_a_loop() {
    let nest = |between: &str, behind: &str| {
        format!(
            "void f(int n, int m, double factor, double a[restrict n][m], double mean[restrict n])
{{
    double t;
    for (int i = 0; i < n; i++) {{
        {between}
        for (int j = 0; j < m; j++)
            a[i][j] = factor * a[i][j] + i;
        {behind}
    }}
}}
"
        )
    };
    let reason = |between: &str, behind: &str| {
        let (_, reasons) = fitness(&report(&nest(between, behind), &[]), 4);
        about(&reasons, "nest").join("; ")
    };
    // Not idempotent: Juravle's example of what is moved, ANSWERS' of what must not be.
    assert!(reason("mean[i] /= n;", "").contains("line 5 must be done once for each iteration"));
    assert!(reason("", "mean[i] = a[i][0];").contains("line 8 must be done once for each iteration"));
    // Private, but not from nothing that the nest changes, and not a value that stays.
    assert!(reason("t = a[i][0]; mean[i] = t;", "").contains("must be done once"));
    // Pure, private and idempotent.
    let movable = nest("t = factor * i;", "").replace("+ i;", "+ t;");
    let (_, reasons) = fitness(&report(&movable, &[]), 4);
    assert_eq!(
        about(&reasons, "nest"),
        [
            "nest@6 depends: each thread runs the loop in line 6 alone, though it is parallel: both would run together if what stands in \
             line 5 were computed inside it"
        ]
    );
    // Together, there is nothing to say.
    assert_eq!(reason("", ""), "");
}

#[test]
fn a_sum_is_run_alone_by_choice() {
    let text = "void f(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
";
    let (suits, reasons) = fitness(&report(text, &[]), 3);
    assert_eq!(suits, "well", "{reasons:?}");
    assert_eq!(
        about(&reasons, "nest"),
        ["nest@6 well: each thread runs the loop in line 6 alone: it sums up"]
    );
    // n³ products of n² elements.
    assert!(about(&reasons, "work").is_empty(), "{reasons:?}");
}

#[test]
fn threads_part_where_conditions_differ() {
    let text =
        "void f(int n, int mode, const int *restrict kind, const int *restrict length, double *restrict a)
{
    for (int i = 0; i < n; i++) {
        double t = a[i], u = 0, v = 1;
        if (mode > 2) {
            t += 1; u += t; v *= u; t -= v; u = v * t;
        }
        if (kind[i] > 2) {
            t += 1; u += t; v *= u; t -= v; u = v * t;
        }
        if (i > 2) {
            t += 1; u += t; v *= u; t -= v; u = v * t;
        }
        if (kind[i] == 3)
            t = 0;
        int last = mode + 3;
        for (int k = 0; k < last; k++)
            t += u * k;
        last = length[i];
        for (int k = 0; k < last; k++)
            t += v * k;
        for (int k = 0; k < i; k++)
            t += v * k;
        a[i] = t + u + v;
    }
}
";
    let (_, reasons) = fitness(&report(text, &[]), 3);
    let found: Vec<String> = about(&reasons, "divergence")
        .iter()
        .map(|one| {
            let (place, rest) = one.split_once(' ').unwrap();
            let on = if rest.ends_with("on data") {
                "data"
            } else {
                "iteration"
            };
            format!("{place} {on}")
        })
        .collect();
    // `last` holds data somewhere, so line 17 counts as well: values are by variable, not by place. Line 14 is predicated.
    assert_eq!(
        found,
        [
            "divergence@8 data",
            "divergence@11 iteration",
            "divergence@17 data",
            "divergence@20 data",
            "divergence@22 iteration"
        ]
    );
}

#[test]
fn what_is_used_once_is_hardly_worth_its_way() {
    let text =
        "void f(int n, double factor, double *restrict y, const double *restrict x, const double *restrict a)
{
    for (int i = 0; i < n; i++)
        y[i] += factor * x[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += a[j] * x[i];
    for (int i = 0; i < 20000; i++)
        for (int j = 0; j < 16; j++)
            y[i] += a[j] * x[i];
    for (int i = 0; i < 20000; i++)
        for (int j = 0; j < 4; j++)
            y[i] += a[j] * x[i];
}
";
    let all = report(text, &[]);
    let little = |line: u64| !about(&fitness(&all, line).1, "work").is_empty();
    assert!(little(3));
    assert!(!little(5));
    assert!(!little(8));
    assert!(little(11));
}

#[test]
fn launches_are_counted() {
    let text = "void f(int n, int steps, double *restrict a, double *restrict b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}
";
    let (_, reasons) = fitness(&report(text, &[]), 4);
    assert_eq!(
        about(&reasons, "launches"),
        [
            "launches@4 depends: it is started in each iteration of the loop in line 3 (steps iterations); its data stay on the device all \
             the time"
        ]
    );
    // What the host does between the kernels keeps the data from staying.
    let text = "int decide(const double *a);
void f(int n, int steps, double *restrict a)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = 2 * a[i] + t;
        if (decide(a))
            break;
    }
}
";
    let (suits, reasons) = fitness(&report(text, &["--all"]), 5);
    assert_eq!(suits, "poorly");
    assert_eq!(
        about(&reasons, "launches"),
        [
            "launches@5 poorly: it is started in each iteration of the loop in line 4 (at most steps iterations); 2 copies of arrays are \
             made in each iteration of the loop in line 4"
        ]
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    fs::write(&path, text).unwrap();
    let output = ferry([
        "annotate".to_owned(),
        "--all".to_owned(),
        path.display().to_string(),
    ]);
    assert_eq!(status(&output), 0);
    let said = stderr(&output);
    assert!(
        said.contains(":5:9: kernel: it is started in each iteration of the loop in line 4"),
        "{said}"
    );
    // Without `--all` it stays where it is.
    let all = report(text, &[]);
    let one = &all["loops"].as_array().unwrap()[1];
    assert_eq!(one["offloaded"], false, "{one}");
}

/// Where a loop outside may run in parallel, no kernel is started in each iteration of a loop that runs in order; else how often it is, and what it copies, is said.
#[test]
fn kernels_begin_as_far_outside_as_they_may() {
    let nest = |before: &str, row: &str| {
        format!(
            "void f(int n, int m, int steps, int *restrict k, double (*restrict b)[m])
{{
    for (int i = 0; i < n; i++) {{
        {before}
        for (int t = 1; t < steps; t++)
            for (int j = 0; j < m; j++)
                b[{row}][j] = b[{row}][j] * 2 + t;
    }}
}}
"
        )
    };
    let kernels = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        fs::write(&path, text).unwrap();
        let output = ferry(["annotate".to_owned(), path.display().to_string()]);
        assert_eq!(status(&output), 0);
        let new = stdout(&output);
        let mut lines = new.lines().peekable();
        let mut heads = Vec::new();
        while let Some(line) = lines.next() {
            if line.contains("#pragma omp target teams") {
                let mut next = lines.by_ref().skip_while(|line| !line.contains("for ("));
                heads.push(next.next().unwrap().trim().to_owned());
            }
        }
        (heads, stderr(&output))
    };
    let outermost = "for (int i = 0; i < n; i++) {";
    for (before, row) in [
        ("", "i"),
        ("double first = b[i][0]; b[i][1] = first;", "i"),
        ("if (k[i] > 3) continue;", "i"),
    ] {
        let (heads, said) = kernels(&nest(before, row));
        assert_eq!(heads, [outermost], "{before}: {said}");
        assert!(!said.contains("it is started in each iteration"), "{said}");
    }
    // Rows may come twice: only the innermost loop is left.
    let (heads, said) = kernels(&nest("k[i] = i;", "k[i] & 1023"));
    assert_eq!(heads, ["for (int j = 0; j < m; j++)"], "{said}");
    assert!(
        said.contains("a.c:6:13: kernel: it is started in each iteration of the loop in line 3 (n iterations), in the loop in line 5 (steps - 1 iterations)"),
        "{said}"
    );
}

/// A start takes as long as many accesses of the host: one for each element of a matrix is not worth a line of it.
#[test]
fn little_kernels_below_nests_stay_on_the_host() {
    // The innermost loop of a nest, and whether it runs on the device.
    let offloaded = |body: &str, arguments: &[&str]| {
        let text = format!(
            "#define N 700\nvoid f(int n, int steps, double a[restrict n][n], double (*restrict s)[n], double *restrict x, double (*restrict c)[n][n])\n{{\n{body}\n}}\n"
        );
        let report = report(&text, arguments);
        let loops = report["loops"].as_array().unwrap();
        let last = loops.last().unwrap();
        let why = last["reason"].as_str().unwrap_or_default();
        (last["offloaded"].as_bool().unwrap(), why.to_owned())
    };
    let factor = "for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
        double sum = a[i][j];
        for (int k = 0; k < j; k++)
            sum -= a[i][k] * a[j][k];
        a[i][j] = sum;
    }";
    let (runs, why) = offloaded(factor, &[]);
    assert!(!runs);
    assert_eq!(
        why,
        "it would be started in each iteration of the loops over i and j, and do little each time: a start takes longer"
    );
    assert!(offloaded(factor, &["--all"]).0);
    // Steps in time are few, and a line may be long.
    let steps = "for (int t = 0; t < steps; t++)
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = a[i - 1][j] + t;";
    assert_eq!(offloaded(steps, &[]), (true, String::new()));
    // A kernel that is worth its starts needs the other one, so that the data stay.
    let beside = "for (int r = 0; r < n; r++)
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < n; p++) {
            x[p] = 0.0;
            for (int k = 0; k < n; k++)
                x[p] += c[r][q][k] * s[k][p];
        }
        for (int p = 0; p < n; p++)
            c[r][q][p] = x[p];
    }";
    assert_eq!(offloaded(beside, &[]), (true, String::new()));
    // Numbers are what they are.
    let sized = |count: &str| {
        let text = "for (int i = 1; i < 100; i++)
    for (int j = 1; j < 50; j++)
        for (int k = 0; k < COUNT; k++)
            x[(i * 50 + j) * COUNT + k] = x[(i * 50 + j - 1) * COUNT + k] + x[(i * 50 + j - 50) * COUNT + k];";
        offloaded(&text.replace("COUNT", count), &[]).0
    };
    assert!(!sized("2000"));
    assert!(sized("20000"));
}

/// Compilers for NVIDIA devices refuse `long double`, or lay it out in another way than the host.
#[test]
fn long_double_stays_on_the_host() {
    let text = "struct wide { long double x; int count; };
static long double twice(long double x) { return 2 * x; }
void f(int n, const long double *restrict in, double *restrict out, struct wide *restrict all)
{
    for (int i = 0; i < n; i++)
        out[i] = (double)in[i];
    for (int i = 0; i < n; i++)
        out[i] = (double)(out[i] * 3.0L);
    for (int i = 0; i < n; i++)
        out[i] = (double)twice(out[i]);
    for (int i = 0; i < n; i++)
        all[i].count = i;
    for (int i = 0; i < n; i++)
        out[i] = 3 * out[i];
}
";
    let all = report(text, &[]);
    let outcomes: Vec<(u64, bool, &str)> = all["loops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let reason = one["reason"].as_str().unwrap_or("");
            (
                one["line"].as_u64().unwrap(),
                one["offloaded"].as_bool().unwrap(),
                reason,
            )
        })
        .collect();
    let why = "it uses `long double` which no GPU has";
    assert_eq!(
        outcomes,
        [
            (5, false, why),
            (7, false, why),
            (9, false, why),
            (11, false, why),
            (13, true, ""),
        ]
    );
}

/// Builtins that count bits are functions of a value, on every device.
#[test]
fn bits_are_counted_on_the_device() {
    let text = "void f(int n, const unsigned *restrict in, int *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = __builtin_popcount(in[i]) + __builtin_ffsll(in[i]) + __builtin_parity(in[i]);
}
";
    let all = report(text, &[]);
    assert_eq!(all["loops"][0]["offloaded"], true, "{}", all["loops"][0]);
}

/// A loop that adds to a few elements in every iteration, where the loop inside is nothing for a device.
#[test]
fn loops_that_combine_sections_say_why_they_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    let said = |parameter: &str, declared: &str, flags: &[&str]| {
        let text = format!(
            "double f(int n, const double *restrict a{parameter})
{{
    {declared};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            s[j] += a[i * 8 + j];
    return s[3];
}}
"
        );
        fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        let mut all = vec!["annotate"];
        all.extend(flags);
        all.push(&path);
        let output = ferry(all);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        (stdout(&output), stderr(&output))
    };
    for flags in [&[][..], &["--all"]] {
        let (text, summary) = said(", double *restrict s", "", flags);
        assert!(text.contains("collapse(2) reduction(+: s[0:8])"), "{text}");
        assert!(!summary.contains("not offloaded"), "{summary}");
        // Of an array that no pointer leads to no clause makes copies.
        let (text, summary) = said("", "double s[8] = {0}", flags);
        assert!(!text.contains("reduction"), "{text}");
        let outer = "a.c:4:5: parallel, not offloaded: it updates a section of an array that is not reached through a pointer variable";
        assert!(summary.contains(outer), "{summary}");
    }
}
