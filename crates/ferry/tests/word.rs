//! What the user says (`// ferry: assume(…)`, `// ferry: independent`, `--assume`): does it decide what nothing else
//! decides, is it always listed, and is it refused where it is wrong or not understood?

use crate::common;

use common::{ferry, ferry_in, status, stderr, stdout, valid_json};
use ferry_judges::compilers::Language;
use ferry_judges::{Expectations, ExpectedRun, Program, judge};
use serde_json::Value;
use std::fs;
use std::process::Output;

fn run(text: &str, before: &[&str], after: &[&str]) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let arguments = before.iter().chain(&["a.c"]).chain(after);
    let output = ferry_in(folder.path(), arguments);
    let left = fs::read_to_string(folder.path().join("a.c")).unwrap();
    (output, left)
}

/// The loops of a text, by the report.
fn loops(text: &str, more: &[&str]) -> Vec<Value> {
    let (output, _) = run(text, &["report", "--format", "json"], more);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    valid_json(&stdout(&output))["loops"].as_array().unwrap().clone()
}

fn verdicts(text: &str, more: &[&str]) -> Vec<String> {
    let found = loops(text, more);
    found
        .iter()
        .map(|one| one["verdict"].as_str().unwrap().to_owned())
        .collect()
}

fn assumptions(one: &Value) -> Vec<String> {
    let list = one["assumptions"].as_array().unwrap();
    list.iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// `report` and `annotate` end with status 2 and this message at this place; nothing is written.
fn refused(text: &str, place: &str, message: &str) {
    let (output, _) = run(text, &["report"], &[]);
    assert_eq!(status(&output), 2);
    let said = stderr(&output);
    assert!(said.contains(message) && said.contains(place), "{said}");
    let (output, left) = run(text, &["annotate", "--all", "--in-place"], &[]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert_eq!(left, text);
}

fn rows(comment: &str) -> String {
    format!(
        "void rows(int n, int m, int ld, double *restrict a)
{{
    int lead = ld + 1;
    {comment}
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * lead + j] = i + j;
}}
"
    )
}

#[test]
fn an_assumption_takes_a_condition_away_and_is_listed() {
    let plain = loops(&rows(""), &[]);
    assert_eq!(plain[0]["verdict"], "parallel_if");
    assert_eq!(assumptions(&plain[0]), [""; 0]);
    let said = loops(&rows("// ferry: assume(lead >= m)"), &[]);
    assert_eq!(said[0]["verdict"], "parallel_assuming");
    assert_eq!(said[0]["condition"], Value::Null);
    let listed = "lead >= m, as the comment in line 4 of a.c says";
    assert_eq!(assumptions(&said[0]), [listed]);
    // The inner loop is parallel in any case; its sections are of the same function.
    assert_eq!(said[1]["verdict"], "parallel");
    assert_eq!(assumptions(&said[1]), [listed]);
    let (output, _) = run(&rows("/* ferry: assume(lead >= m) */"), &["annotate"], &[]);
    assert_eq!(status(&output), 0);
    assert!(!stdout(&output).contains("if ("), "{}", stdout(&output));
    let said = stderr(&output);
    assert!(said.contains(&format!("assuming that {listed}")), "{said}");
}

#[test]
fn the_summary_for_programs_lists_it() {
    let (output, _) = run(
        &rows("// ferry: assume(lead >= m)"),
        &["annotate", "--check", "--format", "json"],
        &[],
    );
    let summary = valid_json(&stdout(&output));
    let listed = summary["files"][0]["assumptions"].as_array().unwrap();
    assert!(
        listed
            .iter()
            .any(|one| one == "lead >= m, as the comment in line 4 of a.c says"),
        "{summary}"
    );
}

#[test]
fn an_assumption_holds_from_its_place_on() {
    let text = |first: &str, second: &str| {
        format!(
            "void f(int n, int m, double *a)
{{
    m = m + 7;
    {first}
    m = m + 1;
    {second}
    for (int i = 0; i < n; i++)
        a[i] = a[i + m];
}}
"
        )
    };
    let assume = "// ferry: assume(m >= n)";
    assert_eq!(verdicts(&text(assume, ""), &[]), ["parallel_assuming"]);
    assert_eq!(verdicts(&text("", assume), &[]), ["parallel_assuming"]);
    // The old value is one less: that is not enough.
    let less = "// ferry: assume(m + 1 >= n)";
    assert_eq!(verdicts(&text(less, ""), &[]), ["parallel_assuming"]);
    let too_little = "// ferry: assume(m + 2 >= n)";
    assert_eq!(verdicts(&text(too_little, ""), &[]), ["parallel_if"]);
    assert_eq!(verdicts(&text("", less), &[]), ["parallel_if"]);
}

#[test]
fn a_name_means_the_variable_of_its_place() {
    let text = "void f(int n, int m, double *a)
{
    {
        int m = n;
        // ferry: assume(m > 0)
        a[0] = m;
    }
    for (int i = 0; i < n; i++)
        a[i] = a[i + m];
}
";
    // Of the inner `m`, which is `n`; of the outer one nothing is said.
    let said = &loops(text, &[])[0];
    assert_eq!(said["verdict"], "parallel_if");
    assert_eq!(said["trip_count"], "n");
}

#[test]
fn functions_are_assumed_of_in_front_of_them_and_at_their_beginning() {
    let body = "for (int i = 0; i < n; i++) a[i] = a[i + m]; }\n";
    for text in [
        format!("// ferry: assume(m >= n)\nstatic inline void f(int n, int m, double *a) {{ {body}"),
        format!("void f(int n, int m, double *a)\n// ferry: assume(m >= n)\n{{ {body}"),
        format!("void f(int n, int m, double *a)\n{{\n/* ferry: assume(m >= n) */\n{body}"),
    ] {
        assert_eq!(verdicts(&text, &[]), ["parallel_assuming"], "{text}");
    }
}

#[test]
fn the_command_line_assumes_of_every_function_with_such_parameters() {
    let text = "void f(int n, int m, double *a) { for (int i = 0; i < n; i++) a[i] = a[i + m]; }
void g(int m, long n, double *a) { for (int i = 0; i < n; i++) a[i] = a[i + m]; }
void h(int n, int k, double *a) { for (int i = 0; i < n; i++) a[i] = a[i + k]; }
";
    assert_eq!(verdicts(text, &[]), ["parallel_if"; 3]);
    let said = loops(text, &["--assume", "m >= n", "--assume", "n > 0"]);
    let found: Vec<&Value> = said.iter().map(|one| &one["verdict"]).collect();
    assert_eq!(found, ["parallel_assuming", "parallel_assuming", "parallel_if"]);
    assert_eq!(
        assumptions(&said[0]),
        ["m >= n, as --assume says", "n > 0, as --assume says"]
    );
    assert_eq!(assumptions(&said[2]), ["n > 0, as --assume says"]);
    let (output, left) = run(text, &["annotate", "--in-place"], &["--assume", "q > 0"]);
    assert_eq!(status(&output), 2);
    assert_eq!(left, text);
    let message = stderr(&output);
    assert_eq!(
        message,
        "error: --assume q > 0 fits no function: no function has parameters of these names\n"
    );
    let output = ferry(["report", "--assume", "n ! 0", "a.c"]);
    assert_eq!(status(&output), 2);
    let output = run(text, &["report"], &["--assume", "n > 0", "--assume", "n < 0"]).0;
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("n < 0, as --assume says"),
        "{}",
        stderr(&output)
    );
}

fn gather(before: &str, inside: &str) -> String {
    format!(
        "{before}
void gather(int n, int m, const int *restrict k, const double *restrict x, double *restrict y)
{{
    {inside}
    for (int i = 0; i < n; i++)
        y[i] = x[k[i]];
}}
"
    )
}

/// The sections of `object` in a report, and the parallel loops that stay on the host.
fn sections(text: &str, object: &str, more: &[&str]) -> (Vec<String>, usize) {
    let (output, _) = run(text, &["report", "--all", "--format", "json"], more);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    let of_object = |one: &&Value| one["object"] == object && one["text"] != object;
    let accesses = report["accesses"].as_array().unwrap().iter().filter(of_object);
    let section = |one: &Value| one["section"].as_str().unwrap_or("unknown").to_owned();
    let stays = |one: &&Value| one["offloaded"] == false;
    let on_host = report["loops"].as_array().unwrap().iter().filter(stays).count();
    (accesses.map(section).collect(), on_host)
}

#[test]
fn what_pointers_lead_to_has_the_extent_that_is_said() {
    let unknown = || (vec!["unknown".to_owned()], 1);
    let whole = |text: &str| (vec![text.to_owned()], 0);
    assert_eq!(sections(&gather("", ""), "x", &[]), unknown());
    for text in [
        gather("// ferry: assume(extent(x[0:m]))", ""),
        gather("// ferry: extent(x[0:m])", ""),
        gather("", "// ferry: assume(n > 3) extent (x[0:m], k[0:n]) independent"),
        gather("", "// ferry: assume(m > 3 && extent(k[0:n], x[0:m]))"),
        gather("", "/* ferry: assume(extent(x[0 : m]) && m < 10000) */"),
    ] {
        let found = sections(&text, "x", &[]);
        assert!(
            found == whole("x[0:m > 0 ? m : 0]") || found == whole("x[0:m]"),
            "{found:?}"
        );
        let listed = &assumptions(&loops(&text, &[])[0])[0];
        assert!(
            listed.contains("extent") && listed.contains("as the comment in line"),
            "{listed}"
        );
    }
    let by_command = ["--assume", "extent(x[0:2 * m + 1])"];
    let found = sections(&gather("", ""), "x", &by_command);
    assert_eq!(found, whole("x[0:2 * m + 1 > 0 ? 2 * m + 1 : 0]"));
    // Only of functions that have both.
    let found = sections(&gather("", "").replace("m,", "q,"), "x", &[]);
    assert_eq!(found, unknown());
    // What is read eight bytes at a time ends before the last ones of twelve.
    let bytes = "// ferry: extent(c[0:n])
void f(int n, int m, const int *restrict k, const char *restrict c, double *restrict y)
{
    const double *x = (const double *)c;
    for (int i = 0; i < m; i++)
        y[i] = x[k[i]];
}
";
    let found = sections(bytes, "c", &[]);
    assert!(found.0[0].contains("n / 8") && found.1 == 0, "{found:?}");
    // Who does not know of it is told.
    let help = "help: `// ferry: extent(x[0:n])` in front of the function says that x leads to n elements";
    let said = |text: &str| stderr(&run(text, &["annotate", "--all", "--check"], &[]).0);
    assert!(said(&gather("", "")).contains(help));
    assert!(!said(&gather("// ferry: extent(x[0:m])", "")).contains(help));
    // A bound that is known is not made wider.
    let text = gather("// ferry: assume(extent(y[0:m]))", "");
    assert_eq!(sections(&text, "y", &[]).0, ["y[0:n]"]);
}

#[test]
fn an_extent_is_of_the_paths_on_which_it_is_said() {
    let text = "void f(int n, int m, const int *restrict k, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[k[i]];
    if (m > 3) {
        // ferry: assume(extent(x[0:m]))
        for (int i = 0; i < n; i++)
            y[i] += x[k[i]];
    }
    for (int i = 0; i < n; i++)
        y[i] -= x[k[i]];
}
";
    let found = sections(text, "x", &[]).0;
    assert_eq!(found, ["unknown", "x[0:m]", "unknown"]);
    // Both paths say it; a jump forgets it; so does the end of the storage.
    let both = text.replace(
        "    }\n    for",
        "    } else {\n        // ferry: assume(extent(x[0:m]))\n        y[0] = 1;\n    }\n    for",
    );
    assert_eq!(sections(&both, "x", &[]).0[2], "x[0:m > 0 ? m : 0]");
    let jump = both.replace("    }\n    for", "    }\nagain:\n    for").replace(
        "x[k[i]];\n}\n",
        "x[k[i]];\n    if (y[0] > 9)\n        goto again;\n}\n",
    );
    assert_eq!(sections(&jump, "x", &[]).0[2], "unknown");
    let gone = "#include <stdlib.h>
// ferry: assume(extent(x[0:m]))
void f(int n, int m, const int *restrict k, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += x[k[i]];
    free(x);
    for (int i = 0; i < n; i++)
        y[i] -= x[k[i]];
}
";
    assert_eq!(sections(gone, "x", &[]).0, ["x[0:m > 0 ? m : 0]", "unknown"]);
    // Also by another pointer, which may be the same one.
    let gone = gone
        .replace("restrict x", "x, double *q")
        .replace("free(x)", "free(q)");
    assert_eq!(sections(&gone, "x", &[]).0[1], "unknown");
    // Where the comment need not be reached, that the elements exist is an assumption of its own.
    let exist = "assuming that all elements of the sections of x exist";
    let said = |text: &str| stderr(&run(text, &["annotate", "--all", "--check"], &[]).0);
    assert!(said(text).contains(exist));
    assert!(!said(&gather("// ferry: assume(extent(x[0:m]))", "")).contains(exist));
}

#[test]
fn an_extent_that_cannot_be_used_or_cannot_be_is_an_error() {
    let cannot = "an assumption cannot hold where it is made";
    let of = |declared: &str, said: &str| {
        format!(
            "#include <stdlib.h>
void f(int n, int m, int *k, double *p, double *q, double *y)
{{
    {declared}
    // ferry: assume({said})
    for (int i = 0; i < n; i++)
        y[i] = x[k[i]];
}}
"
        )
    };
    for (declared, said, why) in [
        ("double *x = malloc(8 * 10);", "extent(x[0:11])", "contradicts it"),
        (
            "double array[10]; double *x = array + 4;",
            "extent(x[0:7])",
            "contradicts it",
        ),
        ("double *x = p;", "extent(x[0:-1])", "contradicts it"),
        ("double *x = n > 3 ? p : q;", "extent(x[0:m])", "one of several"),
        (
            "double *x = p + 4;",
            "extent(x[0:m])",
            "to the middle of its storage",
        ),
        (
            "double *x = p - 4;",
            "extent(x[0:m])",
            "to the middle of its storage",
        ),
        (
            "double *x = (double *)(long)y[0];",
            "extent(x[0:m])",
            "not known here",
        ),
    ] {
        let text = of(declared, said);
        refused(&text, "a.c:5:5", cannot);
        let message = stderr(&run(&text, &["report"], &[]).0);
        assert!(message.contains(why), "{message}");
    }
    for (declared, said) in [
        ("double *x = malloc(8 * 10);", "extent(x[0:10])"),
        ("double array[10]; double *x = array + 4;", "extent(x[0:6])"),
    ] {
        assert_eq!(
            status(&run(&of(declared, said), &["report"], &[]).0),
            0,
            "{declared}"
        );
    }
    let volatile = "double *volatile x;\n// ferry: assume(extent(x[0:n]))\nvoid f(int n) { (void)n; }\n";
    refused(volatile, "a.c:2:1", "x is volatile");
    let of_nothing = "// ferry: assume(extent(x[0:n]))\nvoid f(int n, void *x) { (void)n; (void)x; }\n";
    refused(of_nothing, "a.c:1:1", "the size of what x points to is not known");
}

/// Runs where nothing proves that the elements of `order` differ.
const SCATTER: &str = r#"// Independent iterations: elements by a permutation that comes from the command line's count.
#include <stdio.h>
#define N 997
static double a[N];
static int order[N];
void kernel_scatter(void)
{
    // ferry: independent
    for (int i = 0; i < N; i++)
        a[order[i]] = i - a[order[i]];
}
int main(int count, char **words)
{
    (void)words;
    for (int i = 0; i < N; i++) {
        a[i] = i % 7;
        order[i] = (int)((i * 10L + count) % N);
    }
    kernel_scatter();
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += (2 * i + 1) * a[i];
    printf("%.0f %.0f\n", sum, a[13]);
    return 0;
}
"#;

#[test]
fn a_loop_called_independent_runs_on_the_device() {
    let without = SCATTER.replace("// ferry: independent", "");
    assert_eq!(verdicts(&without, &[])[0], "parallel_if");
    let said = &loops(SCATTER, &["--all"])[0];
    assert_eq!(said["verdict"], "parallel_assuming");
    assert_eq!(said["causes"], serde_json::json!([]));
    assert_eq!(said["offloaded"], true, "{said}");
    let listed = "the iterations of the loop in line 9 are independent, as the comment in line 8 of a.c says";
    assert!(assumptions(said).iter().any(|one| one == listed), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let (original, new) = (folder.path().join("a.c"), folder.path().join("new"));
    fs::write(&original, SCATTER).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "--all", "-o", "new", "a.c"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(
        stderr(&output).contains(&format!("assuming that {listed}")),
        "{}",
        stderr(&output)
    );
    let program = |source: std::path::PathBuf| Program {
        sources: vec![source],
        flags: Vec::new(),
        libraries: Vec::new(),
    };
    let expectations = Expectations {
        runs: vec![ExpectedRun::default()],
        races: true,
        ..Expectations::default()
    };
    let judged = judge(
        &program(original),
        &program(new.join("a.c")),
        &expectations.in_language(Language::OpenMp),
    );
    let judged = judged.unwrap();
    assert!(judged.passed(), "{judged}");
    // Annotated again, there is nothing to do.
    let again = ferry_in(folder.path(), ["annotate", "--all", "--diff", "new/a.c"]);
    assert_eq!(
        (status(&again), stdout(&again)),
        (0, String::new()),
        "{}",
        stderr(&again)
    );
}

#[test]
fn text_with_tests_and_declarations_can_be_read_again() {
    let text = "void f(int n, double *x, double *y, const int *k)
{
    // ferry: independent
    for (int i = 0; i < n; i++)
        y[i] = x[i] + y[i + k[0]];
}
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), text).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "--all", "--in-place", "a.c"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let output = ferry_in(folder.path(), ["annotate", "--all", "--diff", "a.c"]);
    assert_eq!(
        (status(&output), stdout(&output)),
        (0, String::new()),
        "{}",
        stderr(&output)
    );
}

#[test]
fn independence_hides_nothing_but_memory_that_could_not_be_decided() {
    let text = |body: &str| {
        format!(
            "#include <stdio.h>
int other(int);
int f(int n, double *restrict a, const int *restrict k)
{{
    int last = 0;
    // ferry: independent
    for (int i = 0; i < n; i++) {{
        a[k[i]] += 1;
        {body}
    }}
    return last;
}}
"
        )
    };
    assert_eq!(verdicts(&text(""), &[]), ["parallel_assuming"]);
    for (body, verdict, cause) in [
        ("if (k[i] < 0) break;", "sequential", "leaves"),
        ("puts(\"\");", "sequential", "output"),
        ("other(i);", "unknown", "nothing is known of other"),
        (
            "if (k[i] > 3) last = i;",
            "unknown",
            "last is used after the loop",
        ),
    ] {
        let said = &loops(&text(body), &[])[0];
        assert_eq!(said["verdict"], verdict, "{body}");
        let causes = said["causes"].to_string();
        assert!(causes.contains(cause), "{body}: {causes}");
        assert!(!causes.contains("an iteration may"), "{body}: {causes}");
    }
}

#[test]
fn pointers_are_tested_all_the_same() {
    let text = "void f(int n, double *x, double *y)
{
    // ferry: independent
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}
";
    assert_eq!(verdicts(text, &[]), ["parallel_if"]);
}

#[test]
fn what_is_proved_contradicts() {
    let said = "a loop is called independent, and its iterations certainly are not";
    let text = "void f(int n, double *a)
{
    // ferry: independent
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1];
}
";
    refused(text, "a.c:3:5", said);
    let (output, _) = run(text, &["report"], &[]);
    assert!(stderr(&output).contains("an iteration reads what another one, 1 away, writes"));
    let text = "void f(int n, double *a)
{
    double t = 0;
    // ferry: independent
    for (int i = 1; i < n; i++) {
        a[i] = t;
        t = a[i] + 1;
    }
}
";
    refused(text, "a.c:4:5", said);
    let text = "void f(int n, double *a)
{
    if (n < 3) {
        // ferry: assume(n > 5)
        a[0] = 1;
    }
}
";
    refused(text, "a.c:4:9", "an assumption cannot hold where it is made");
    // In a branch that can never run, anything may be said.
    let text = text.replace("n < 3", "n < 3 && n > 3").replace("n > 5", "n > 7");
    assert_eq!(status(&run(&text, &["report"], &[]).0), 0);
}

#[test]
fn what_is_not_understood_is_one_clear_error() {
    let text = |comment: &str| {
        format!(
            "int g;
void f(int n, unsigned u, long *p, double x)
{{
    static int s;
    int q = n;
    p = &p[q];
    {comment}
    for (int i = 0; i < n; i++)
        p[i] = i + s + u + x;
}}
"
        )
    };
    for (comment, why) in [
        ("// ferry: assume(k > 0)", "k is no variable of f here"),
        ("// ferry: assume(i > 0)", "i is no variable of f here"),
        ("// ferry: assume(g > 0)", "g is a variable of the file"),
        ("// ferry: assume(s > 0)", "s is a static variable"),
        ("// ferry: assume(u - 1 > 0)", "u is unsigned"),
        ("// ferry: assume(u > n)", "u is unsigned and n is not"),
        ("// ferry: assume(x > 0)", "x is not an integer"),
        ("// ferry: assume(p > 0)", "p is not an integer"),
        ("// ferry: assume n > 0", "a condition in parentheses is missing"),
        ("// ferry: assume(n > 0", "a `)` is missing"),
        ("// ferry: assume(n > 0 || q > 0)", "`||` is not expected"),
        ("// ferry: assume(n > 0) quickly", "these words are not known"),
        ("/* ferry: pure */", "not on a line of its own"),
        ("// ferry: assume(extent(n[0:4]))", "n is not a pointer"),
        ("// ferry: assume(extent(p[0:x]))", "x is not an integer"),
        ("// ferry: assume(extent(p[0:u + 1]))", "u is unsigned"),
        ("// ferry: assume(extent(p[0:k]))", "k is no variable of f here"),
        ("// ferry: assume(extent(p[0:s]))", "s is a static variable"),
        ("// ferry: assume(extent(p))", "like a section that begins at 0"),
        (
            "// ferry: assume(extent(p[1:n]))",
            "like a section that begins at 0",
        ),
        (
            "// ferry: assume(extent(p[0:n]) || n > 0)",
            "`||` is not expected",
        ),
        (
            "// ferry: assume(p[0:n])",
            "only variables and numbers are understood",
        ),
        ("// ferry: extent(p)", "like a section that begins at 0"),
        ("// ferry: extent", "a condition in parentheses is missing"),
        ("// ferry: extents(p[0:n])", "these words are not known"),
        ("// ferry: independent\n    n++;", "no loop follows directly"),
        (
            "f(n, /* ferry: assume(n > 0) */ u, p, x);",
            "no statement follows directly",
        ),
    ] {
        let text = text(comment);
        refused(&text, "a.c:7:", why);
        let (output, _) = run(&text, &["report"], &[]);
        assert_eq!(stderr(&output).matches("error").count(), 1, "{}", stderr(&output));
    }
    refused(
        "int g;\n// ferry: assume(g > 0)\nint h;\n",
        "a.c:2:1",
        "no statement and no definition",
    );
    let wrapping = run(
        "// ferry: assume(n + 1 > 3)\nvoid f(int n) { (void)n; }\n",
        &["report"],
        &["--", "-fwrapv"],
    );
    assert!(
        stderr(&wrapping.0).contains("with -fwrapv"),
        "{}",
        stderr(&wrapping.0)
    );
    // Code that is not compiled, and strings, say nothing.
    let quiet =
        text("#if 0\n// ferry: assume(k > 0)\n#endif\nconst char *t = \"// ferry: assume(k > 0)\"; (void)t;");
    assert_eq!(status(&run(&quiet, &["report"], &[]).0), 0);
}

#[test]
fn what_is_not_compiled_says_nothing_of_the_function_behind_it() {
    let function = "void f(double *a, int n, int m)\n{\n    for (int i = 0; i < n; i++)\n        a[i + m] = a[i] + 1;\n}\n";
    let word = "// ferry: assume(m >= n)\n";
    let assumed = |before: &str| {
        let found = loops(&format!("{before}{function}"), &[]);
        assumptions(&found[0]).iter().any(|text| text.contains("m >= n"))
    };
    assert!(assumed(word));
    assert!(!assumed(&format!("#if 0\n{word}#endif\n")));
    assert!(!assumed(&format!("#ifdef BIG\n{word}#else\n#endif\n")));
    assert!(!assumed("#define X /* ferry: assume(m >= n) */ 3\n"));
    // The group goes on behind the comment, and ends behind the function.
    let around = format!("#ifndef GUARD\n{word}#if 1\n#endif\n{function}#endif\n");
    assert!(
        assumptions(&loops(&around, &[])[0])
            .iter()
            .any(|text| text.contains("m >= n"))
    );
    // Of two functions of which one is compiled, the comment in front of the other one is no error.
    let either = format!("#ifdef OLD\n{word}{function}#else\n{word}{function}#endif\n");
    let found = loops(&either, &[]);
    assert_eq!(found.len(), 1);
    assert!(assumptions(&found[0]).iter().any(|text| text.contains("line 9")));
}
