//! What does a report say of a loop that is not parallel: which accesses, how their iterations lie to each other, and what would help? And is what it says
//! would help true: written into the program, does it?

use crate::common;

use common::{ferry, ferry_in, status, stderr, stdout, valid_json};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with one file, `a.c`.
fn with(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// The text of a report on `a.c`, with more arguments.
fn text_of(text: &str, arguments: &[&str]) -> String {
    let (folder, _path) = with(text);
    let output = ferry_in(folder.path(), ["report", "a.c"].iter().chain(arguments));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

/// The JSON of a report on one text.
fn json_of(text: &str) -> Value {
    let (_folder, path) = with(text);
    let output = ferry(["report", "--format", "json", &path.display().to_string()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    valid_json(&stdout(&output))
}

/// The loop that begins on a line.
fn loop_at(report: &Value, line: u64) -> &Value {
    let mut loops = report["loops"].as_array().unwrap().iter();
    loops
        .find(|one| one["line"] == line)
        .unwrap_or_else(|| panic!("no loop in line {line}: {report}"))
}

/// `flow 3:5 to 3:12 (1, 0)` for each dependence of each obstacle.
fn dependences(of: &Value) -> Vec<String> {
    let causes = of["causes"].as_array().unwrap().iter();
    let all = causes.flat_map(|cause| cause["dependences"].as_array().unwrap());
    let mut found: Vec<String> = all
        .map(|one| {
            let place = |end: &str| format!("{}:{}", one[end]["line"], one[end]["column"]);
            let vector: Vec<&str> = one["vector"]
                .as_array()
                .unwrap()
                .iter()
                .map(|direction| direction.as_str().unwrap())
                .collect();
            format!(
                "{} {} to {} ({})",
                one["kind"].as_str().unwrap(),
                place("source"),
                place("sink"),
                vector.join(", ")
            )
        })
        .collect();
    found.sort();
    found
}

/// What would remove the obstacles of the first loop.
fn remedies(text: &str) -> Vec<String> {
    let report = json_of(text);
    let causes = report["loops"][0]["causes"].as_array().unwrap().iter();
    causes
        .filter_map(|cause| Some(cause["remedy"].as_str()?.to_owned()))
        .collect()
}

/// The verdicts of all loops.
fn verdicts(text: &str) -> Vec<String> {
    let report = json_of(text);
    let loops = report["loops"].as_array().unwrap().iter();
    loops
        .map(|one| one["verdict"].as_str().unwrap().to_owned())
        .collect()
}

const RECURRENCE: &str = "\
void f(int n, double *restrict x, const double *restrict a)
{
    for (int i = 1; i < n; i++)
        x[i] = a[i] * x[i - 1];
}
";

/// What is not understood may set the loop variable for all that is known: that iterations depend on one another is no proof.
#[test]
fn what_is_not_understood_makes_nothing_sequential() {
    let text = "typedef float four __attribute__((vector_size(16)));\n\nvoid f(int n, four *restrict z, const four *restrict y)\n{\n    for (int i = 0; i < n; i++)\n        z[i] = y[i] * 2;\n}\n";
    let report = json_of(text);
    assert_eq!(loop_at(&report, 5)["verdict"], "unknown", "{report}");
}

/// What is certain only if loops inside run says so; of those that are known to run, nothing.
#[test]
fn what_is_certain_names_the_loops_that_must_run() {
    let of = |head: &str| {
        let text = format!(
            "void f(int n, int m, double *restrict a, const double *restrict b)\n{{\n    for (int i = 0; i < n; i++)\n        {head}\n            a[j] = b[i];\n}}\n"
        );
        let report = json_of(&text);
        let of = loop_at(&report, 3);
        assert_eq!(of["verdict"], "sequential", "{head}");
        let causes = of["causes"].as_array().unwrap();
        let lines = causes
            .iter()
            .flat_map(|cause| cause["where_runs"].as_array().unwrap());
        let lines: Vec<u64> = lines.map(|at| at["line"].as_u64().unwrap()).collect();
        (
            lines,
            text_of(&text, &[]).contains("only where the loop in line 4 runs"),
        )
    };
    assert_eq!(of("for (int j = n; j < m; j++)"), (vec![4], true));
    assert_eq!(of("for (int j = 0; j < m; j++)"), (vec![4], true));
    assert_eq!(of("for (int j = 0; j < 8; j++)"), (Vec::new(), false));
    // It runs wherever the loop around it does.
    assert_eq!(of("for (int j = 0; j < n; j++)"), (Vec::new(), false));
}

/// Two accesses that meet in the same iteration of the loop inside, or in another one that it certainly has, certainly do; where its length changes, that is not known.
#[test]
fn distances_through_loops_inside_are_certain() {
    let of = |inner: &str, element: &str| {
        let text = format!(
            "void f(int n, int m, double a[restrict n][m + 9])\n{{\n    for (int i = 2; i < n - 2; i++)\n        {inner}\n            a[i][j] = {element};\n}}\n"
        );
        let report = json_of(&text);
        let of = loop_at(&report, 3);
        let cause = &of["causes"][0];
        let lines = cause["where_runs"].as_array().map_or(0, Vec::len);
        let message = cause["message"].as_str().unwrap_or_default().to_owned();
        (of["verdict"].as_str().unwrap().to_owned(), message, lines)
    };
    let certain = |message: &str, lines: usize| ("sequential".to_owned(), message.to_owned(), lines);
    let far = |distance: u32| format!("an iteration reads what another one, {distance} away, writes");
    assert_eq!(
        of("for (int j = 0; j < m; j++)", "a[i - 2][j]"),
        certain(&far(2), 1)
    );
    assert_eq!(
        of("for (int j = 0; j < 50; j++)", "a[i - 2][j]"),
        certain(&far(2), 0)
    );
    assert_eq!(
        of("for (int j = 0; j < m; j++)", "a[i + 1][j]"),
        certain(&far(1), 1)
    );
    assert_eq!(
        of("for (int j = 0; j < 9; j++)", "a[i - 1][j + 8]"),
        certain(&far(1), 0)
    );
    let open = |inner: &str, element: &str| {
        assert_ne!(of(inner, element).0, "sequential", "{inner} {element}");
    };
    // It may have one iteration.
    open("for (int j = 1; j < m; j++)", "a[i - 1][j - 1]");
    open("for (int j = i; j < m; j++)", "a[i - 1][j - 1]");
    open("for (int j = 0; j < m; j++) if (a[0][j] > 0)", "a[i - 1][j]");
}

#[test]
fn an_obstacle_has_its_places_its_vector_and_what_would_remove_it() {
    let expected = "\
a.c: function f
  line 3: for loop: sequential
      n > 1 ? n - 1 : 0 iterations
      note: an iteration reads what another one, 1 away, writes
       --> a.c:4:9
        |
      4 |         x[i] = a[i] * x[i - 1];
        |         ^             - read here
        |         |
        |         written here
        |
        = note: dependences: flow (1)
        = help: this is a linear recurrence: a scan over pairs of factor and summand computes it in parallel (floating-point results are rounded differently)
    line 4: writes x[1:n - 1]
    line 4: reads a[1:n - 1]
    line 4: reads x[0:n - 1]
";
    assert_eq!(text_of(RECURRENCE, &[]), expected);
}

#[test]
fn the_whole_story_of_a_loop() {
    let text = "\
void f(int n, int m, double a[n][m])
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] = a[i - 1][j] + a[i][j - 1];
}
";
    let expected = "\
a.c: function f
  line 3: for loop: sequential
    iterations: n > 1 ? n - 1 : 0
    obstacle, certain:
      note: an iteration reads what another one, 1 away, writes
       --> a.c:5:13
        |
      5 |             a[i][j] = a[i - 1][j] + a[i][j - 1];
        |             ^         - read here
        |             |
        |             written here
        |
        = note: only where the loop in line 4 runs
        = note: dependences: flow (1, 0)
    pairs of accesses that were compared: 3; 2 apart in different iterations, 1 certainly dependent
    questions whether two meet in different iterations: 5; 4 by subscripts: no, 1 not decided
    stays on the host: it is not parallel
    accesses, seen from before the loop:
      line 5: writes a[1:n - 1][1:m - 1]
      line 5: reads a[0:n - 1][1:m - 1]
      line 5: reads a[1:n - 1][0:m - 1]
    loops in it:
      line 4: for loop: sequential
";
    assert_eq!(text_of(text, &["--loop", "a.c:3"]), expected);
    let inner = text_of(text, &["--loop", "a.c:5"]);
    for line in [
        "  line 4: for loop: sequential\n",
        "        = note: dependences: flow (1)\n",
        "    loops around it:\n      line 3: for loop: sequential\n",
    ] {
        assert!(inner.contains(line), "{line} in\n{inner}");
    }
    assert!(
        !inner.contains("line 3: for loop: sequential\n    iterations"),
        "{inner}"
    );
}

#[test]
fn vectors_say_what_is_proved() {
    let report = json_of(
        "\
void f(int n, int m, double *a)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m - 1; j++)
            a[i * m + j] = a[(i - 1) * m + j + 1];
}
void g(int n, double *a, int *idx)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[idx[i]] += a[j];
}
void h(int n, double a[100][100])
{
    for (int t = 0; t < n; t++)
        for (int i = 1; i < 100; i++)
            a[i][7] = a[i - 1][7];
}
void k(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i + j] = i;
}
",
    );
    assert_eq!(dependences(loop_at(&report, 3)), ["flow 5:13 to 5:28 (1, -1)"]);
    let indirect = dependences(loop_at(&report, 9));
    assert!(
        indirect.contains(&"output 11:13 to 11:13 (<, *)".to_owned()),
        "{indirect:?}"
    );
    assert_eq!(
        dependences(loop_at(&report, 15)),
        [
            "anti 17:23 to 17:13 (<, -1)",
            "flow 17:13 to 17:23 (<, 1)",
            "output 17:13 to 17:13 (<, 0)"
        ]
    );
    assert_eq!(
        dependences(loop_at(&report, 21)),
        ["output 23:13 to 23:13 (<, >)"]
    );
}

#[test]
fn of_many_obstacles_a_screen_shows_some_and_says_where_the_others_are() {
    let text = "\
void f(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d, int *restrict e)
{
    for (int i = 9; i < n; i++) {
        a[i] = a[i - 1];
        b[i] = b[i - 2];
        c[i] = c[i - 3];
        d[i] = d[i - 4];
        e[i] = e[i - 5];
    }
}
";
    let report = text_of(text, &[]);
    assert_eq!(report.matches("note: an iteration").count(), 4, "{report}");
    assert!(
        report.contains("      and 1 more: ferry report --loop a.c:3\n"),
        "{report}"
    );
    let story = text_of(text, &["--loop", "a.c:3"]);
    assert_eq!(story.matches("note: an iteration").count(), 5, "{story}");
    let json = json_of(text);
    assert_eq!(loop_at(&json, 3)["causes"].as_array().unwrap().len(), 5);
}

#[test]
fn pairs_about_one_object_are_one_obstacle() {
    let report = json_of(
        "\
void f(int n, double *restrict t, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 9; j++)
            t[j] = x[9 * i + j];
        for (int j = 0; j < 9; j++)
            y[9 * i + j] = t[8 - j] + t[j];
    }
}
",
    );
    let causes = loop_at(&report, 3)["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 1, "{causes:?}");
    // The pair that is certain is the one that is named.
    assert_eq!(causes[0]["proved"], true);
    assert_eq!(
        causes[0]["message"],
        "every iteration writes the same elements again"
    );
    assert_eq!(
        dependences(loop_at(&report, 3)),
        [
            "anti 7:28 to 5:13 (<)",
            "anti 7:39 to 5:13 (<)",
            "flow 5:13 to 7:28 (<)",
            "flow 5:13 to 7:39 (<)",
            "output 5:13 to 5:13 (<, 0)"
        ]
    );
}

/// Programs with one obstacle, the beginning of what would remove it, and the program with that; then how many of its loops are not parallel.
const HELPED: &[(&str, &str, &str, usize)] = &[
    (
        "double weigh(double);\nvoid f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = weigh(i); }",
        "a comment before the declaration of weigh can say what it does",
        "// ferry: const\ndouble weigh(double);\nvoid f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = weigh(i); }",
        0,
    ),
    (
        "int f(int n, const int *x) { int at = -1; for (int i = 0; i < n; i++) if (x[i] == 7) { at = i; break; } return at; }",
        "if the iterations behind the exit may run, too",
        "int f(int n, const int *x) { int at = n; for (int i = 0; i < n; i++) if (x[i] == 7) { if (i < at) at = i; } return at; }",
        0,
    ),
    (
        "void f(int n, int k, double *x) { for (int i = 0; i < n; i++) { k = k + 1; x[i] = k; k = k - 1; } }",
        "let each iteration change a copy of k that it declares itself",
        "void f(int n, int k, double *x) { for (int i = 0; i < n; i++) { int c = k; c = c + 1; x[i] = c; c = c - 1; } }",
        0,
    ),
    (
        "int f(int n, const int *x) { int at = -1; for (int i = 0; i < n; i++) if (x[i] == 7) at = i; return at; }",
        "find the last iteration that sets at",
        "int f(int n, const int *x) { int last = -1; for (int i = 0; i < n; i++) if (x[i] == 7) { if (i > last) last = i; } return last; }",
        0,
    ),
    (
        "int f(int n, const int *x) { int m = x[0], p = 0; for (int i = 1; i < n; i++) if (x[i] > m) { m = x[i]; p = i; } return p; }",
        "two loops: one that finds the value that m has in the end",
        "int f(int n, const int *x) { int m = x[0], p = n; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i];\nfor (int i = 0; i < n; i++) if (x[i] == m) { if (i < p) p = i; } return p; }",
        0,
    ),
    (
        "void f(int n, double *restrict a, const double *restrict b) { for (int i = 0; i < n - 1; i++) a[i] = a[i + 1] + b[i]; }",
        "the values that are read there are those from before the loop",
        "void f(int n, double *restrict a, const double *restrict b, double *restrict c) { for (int i = 0; i < n; i++) c[i] = a[i];\nfor (int i = 0; i < n - 1; i++) a[i] = c[i + 1] + b[i]; }",
        0,
    ),
    (
        "void f(int n, double *x) { for (int i = 4; i < n; i++) x[i] = x[i - 4] + 1; }",
        "as far as this goes, groups of 4 iterations in a row may each run at once",
        "void f(int n, double *x) { for (int g = 4; g < n - 3; g += 4)\nfor (int i = g; i < g + 4; i++) x[i] = x[i - 4] + 1; }",
        1,
    ),
    (
        "struct s { int n; };\nvoid f(struct s *p, int *a) { for (int i = 0; i < p->n; i++) a[i] = i; }",
        "if the loop does not change p->n, copy it to a local variable before the loop",
        "struct s { int n; };\nvoid f(struct s *p, int *a) { int n = p->n; for (int i = 0; i < n; i++) a[i] = i; }",
        0,
    ),
];

#[test]
fn what_is_said_to_help_helps() {
    for (before, help, after, left) in HELPED {
        let said = remedies(before);
        assert!(said.iter().any(|one| one.starts_with(help)), "{before}\n{said:?}");
        let found = verdicts(after);
        let not = found
            .iter()
            .filter(|verdict| !verdict.starts_with("parallel"))
            .count();
        assert_eq!(not, *left, "{after}\n{found:?}");
    }
}

/// `restrict` on the fewest parameters that do, and on no fewer: with it there is no test, without any one of them there is.
#[test]
fn restrict_makes_a_test_needless() {
    for (text, wanted) in [
        (
            "void f(int n, double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }",
            vec!["y"],
        ),
        (
            "void f(int n, double *y, double *x) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }",
            vec!["y"],
        ),
        (
            "void f(int n, double *a, double *b, double *c, double *o) { for (int i = 0; i < n; i++) o[i] = a[i] + b[i] * c[i]; }",
            vec!["o"],
        ),
        // Both are written, and what is read is apart from neither.
        (
            "void f(int n, double *a, double *b, double *o, double *p) { for (int i = 0; i < n; i++) { o[i] = a[i] + b[i]; p[i] = a[i] - b[i]; } }",
            vec!["o", "p"],
        ),
        (
            "double t[100];\nvoid f(int n, double *a, double *b) { for (int i = 0; i < n; i++) t[i] = a[i] + b[i]; }",
            vec!["a", "b"],
        ),
    ] {
        let report = json_of(text);
        let line = text.lines().count() as u64;
        let names = wanted.join(" and ");
        assert_eq!(
            loop_at(&report, line)["remedy"],
            format!("if they never overlap, `restrict` on {names} says so, and no test is needed"),
            "{text}"
        );
        let with = |names: &[&str]| {
            let of =
                |text: String, name: &&str| text.replace(&format!("*{name},"), &format!("*restrict {name},"));
            let text = text.replace(") {", ",) {");
            names.iter().fold(text, of).replace(",) {", ") {")
        };
        assert_eq!(verdicts(text), ["parallel_if"], "{text}");
        assert_eq!(verdicts(&with(&wanted)), ["parallel"], "{text}");
        for left_out in &wanted {
            let fewer: Vec<&str> = wanted.iter().copied().filter(|name| name != left_out).collect();
            assert_eq!(
                verdicts(&with(&fewer)),
                ["parallel_if"],
                "{text}, without {left_out}"
            );
        }
    }
    // A pointer from memory may have been computed from the parameter.
    let nested = "struct s { double *v; };\nvoid f(int n, struct s *p, double *y) { for (int i = 0; i < n; i++) y[i] = p->v[i]; }";
    assert_eq!(loop_at(&json_of(nested), 2)["remedy"], Value::Null);
}

/// What each obstacle says, at which lines it is said to stand as well, and of how many dependences.
fn obstacles(text: &str, line: u64) -> Vec<(String, Vec<u64>, usize)> {
    let report = json_of(text);
    let causes = loop_at(&report, line)["causes"].as_array().unwrap().iter();
    causes
        .map(|cause| {
            let also = cause["also"].as_array().unwrap().iter();
            (
                cause["message"].as_str().unwrap().to_owned(),
                also.map(|at| at["line"].as_u64().unwrap()).collect(),
                cause["dependences"].as_array().unwrap().len(),
            )
        })
        .collect()
}

/// Calls of one function are one obstacle, which one comment removes; so are ways out of the loop, and what several of a library's calls do.
#[test]
fn what_is_the_same_at_several_places_is_one_obstacle() {
    let text = "\
int step(int x);
int other(int x);
void f(int n, int *restrict a)
{
    for (int i = 0; i < n; i++) {
        a[i] = step(i);
        a[i] += step(a[i]);
        a[i] += other(a[i]);
        a[i] += step(a[i]);
    }
}
";
    assert_eq!(
        obstacles(text, 5),
        [
            ("nothing is known of step".to_owned(), vec![7, 9], 0),
            ("nothing is known of other".to_owned(), vec![], 0)
        ]
    );
    assert!(text_of(text, &[]).contains("= note: the same in lines 7 and 9"));
    let known = format!(
        "// ferry: const\n{}",
        text.replace("int other", "// ferry: const\nint other")
    );
    assert_eq!(verdicts(&known), ["parallel"]);

    let text = "void f(int n, int *restrict a) { for (int i = 0; i < n; i++) { if (a[i] < 0) break; if (a[i] > n) break; a[i] = 1; } }";
    assert_eq!(
        obstacles(text, 1),
        [("break leaves the loop early".to_owned(), vec![1], 0)]
    );
    assert!(text_of(text, &[]).contains("= note: the same at 1 more place\n"));
}

/// What is written through one pointer may be what many changing ones lead to: one obstacle, not one for each of them. What is written through two is two.
#[test]
fn pairs_of_pointers_belong_to_the_fewest() {
    let of = |stores: &str| {
        let text = format!(
            "struct cell {{ double *x, *y, *z; }};
void f(int n, struct cell **c, double *o, double *q)
{{
    for (int i = 0; i < n; i++) {{
        {stores}
    }}
}}
"
        );
        let why = "a pointer that changes in the loop may point to the same storage";
        let found = obstacles(&text, 4).into_iter();
        found.filter(|(message, ..)| message == why).count()
    };
    let one = "o[i] = c[i]->x[0] + c[i]->y[0] + c[i]->z[0];";
    assert_eq!(of(one), 1);
    assert_eq!(
        of(&format!("{one} q[i] = c[i]->x[1] + c[i]->y[1] + c[i]->z[1];")),
        2
    );
}

#[test]
fn values_in_order_are_a_condition_and_what_makes_it_needless_is_said() {
    let text = "void f(int n, double *restrict h, const int *restrict idx) { for (int i = 2; i < n; i++) h[idx[i - 1]] = i; }";
    let report = json_of(text);
    let of = loop_at(&report, 1);
    assert_eq!(of["verdict"], "parallel_if");
    assert_eq!(
        of["condition"],
        "each value of idx[1:n - 2] is greater than the one before it"
    );
    assert_eq!(
        of["remedy"],
        "the order of idx is tested by a pass over these values before the loop; where it is known that the iterations do not meet, `// ferry: independent` says so, and no pass is needed"
    );
    assert_eq!(of["offloaded"], false);
    let rows = "void f(int n, double *restrict h, const int *restrict at) { for (int i = 0; i < n; i++) for (int k = at[i]; k < at[i + 1]; k++) h[k] = i; }";
    let report = json_of(rows);
    assert_eq!(
        loop_at(&report, 1)["condition"],
        "no value of at[0:n + 1] is less than the one before it"
    );
}

/// What is read only now and then, at other distances, or changed in the loop.
#[test]
fn values_that_cannot_be_tested_are_no_condition() {
    for body in [
        "if (i % 3) h[idx[i]] = i;",
        "h[idx[2 * i]] = i;",
        "h[idx[i * m]] = i;",
        "h[idx[i] / 2] = i;",
        "h[idx[i]] = h[idx[i] + 1];",
        "h[idx[i]] = h[idx[i + 2]];",
        "{ ((char *)idx)[4 * i] = 1; h[idx[i]] = i; }",
        "for (int j = 0; j < idx[n + i]; j++) h[idx[i]] = j;",
        "{ h[idx[i]] = i; h[other[i]] = m; }",
        "{ h[idx[i]] = i; step(); }",
    ] {
        let text = format!(
            "void step(void);\nvoid f(int n, int m, double *restrict h, int *restrict idx, const int *restrict other) {{ for (int i = 0; i < n; i++) {body} }}"
        );
        let report = json_of(&text);
        let verdict = loop_at(&report, 2)["verdict"].clone();
        assert!(
            verdict == "unknown" || verdict == "sequential",
            "{text}\n{verdict}"
        );
    }
}

#[test]
fn recurrences_that_scans_compute_are_recognised() {
    for (text, expected) in [
        (
            "void f(int n, double *restrict y, const double *restrict x) { double s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }",
            "the values of s are a prefix sum, which can be computed in parallel before the rest (in OpenMP: `scan`)",
        ),
        (
            "int f(int n, int *restrict a, const int *restrict x) { int k = 0; for (int i = 0; i < n; i++) if (x[i] > 0) a[k++] = x[i]; return k; }",
            "the values of k are a prefix sum, which can be computed in parallel before the rest (in OpenMP: `scan`)",
        ),
        (
            "double f(int n, const double *a, double z) { double s = 0; for (int i = 0; i < n; i++) s = s * z + a[i]; return s; }",
            "this is a linear recurrence: a scan over pairs of factor and summand computes it in parallel (floating-point results are rounded differently)",
        ),
        (
            "void f(int n, int *restrict h, const int *restrict idx) { for (int i = 0; i < n; i++) h[idx[2 * i]] = h[idx[2 * i]] < 9 ? 9 : h[idx[2 * i]]; }",
            "the iterations do not meet if idx[2 * i] has another value in each, which only you can know",
        ),
        (
            "void f(int n, int *restrict h, const int *restrict idx) { for (int i = 0; i < n; i++) h[idx[3 * i]] = i; }",
            "the iterations do not meet if idx[3 * i] has another value in each, which only you can know",
        ),
    ] {
        assert!(
            remedies(text).contains(&expected.to_owned()),
            "{text}\n{:?}",
            remedies(text)
        );
    }
}

#[test]
fn what_would_not_help_is_not_said() {
    for text in [
        // The condition depends on the sum.
        "void f(int n, double *restrict y, const double *restrict x) { double s = 0; for (int i = 0; i < n; i++) { if (s < 10) s += x[i]; y[i] = s; } }",
        // The factor depends on what the loop computes.
        "void f(int n, double *restrict x, const double *restrict b) { double t; for (int i = 1; i < n; i++) { t = x[i - 1]; x[i] = x[i - 1] * t + b[i]; } }",
        "void f(int n, double *restrict x) { for (int i = 1; i < n; i++) x[i] = x[i - 1] * x[i - 1]; }",
        "double f(int n, const double *x) { double s = 0, t; for (int i = 0; i < n; i++) { t = s; s = s * t + x[i]; } return s; }",
        // Of integers, a conversion in between is not linear.
        "void f(int n, int *restrict x) { for (int i = 1; i < n; i++) x[i] = x[i - 1] * 0.5; }",
        // What is stored at the place is read.
        "void f(int n, int *restrict a, const int *restrict x) { int k = 0; for (int i = 0; i < n; i++) if (a[i] > 0) a[k++] = x[i]; }",
        // The greatest value so far is used.
        "int f(int n, const double *x, double *restrict y) { double m = x[0]; int p = 0; for (int i = 1; i < n; i++) { if (x[i] > m) { m = x[i]; p = i; } y[i] = m; } return p; }",
        // How many iterations there are is found out in the loop.
        "int f(const int *x) { int i = 0; while (1) { if (x[i] == 7) break; i++; } return i; }",
        // The values of one subscript do not tell where the other one goes.
        "void f(int n, int *restrict h, const int *restrict a, const int *restrict b) { for (int i = 0; i < n; i++) h[a[i]] = h[b[i]]; }",
        // The function is not declared for anyone to comment.
        "#include <stdio.h>\nvoid f(FILE *g, int n, int *x) { for (int i = 0; i < n; i++) x[i] = getw(g); }",
    ] {
        assert_eq!(remedies(text), Vec::<String>::new(), "{text}");
    }
}

/// What a device can call goes there; of everything else the reason is said, in the verdict or where the loop stays on the host.
#[test]
fn calls_that_no_device_can_make_have_a_reason() {
    let loop_with = |function: &str, call: &str| {
        format!(
            "#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
{function}
void f(int n, double *restrict a, double (*given)(double)) {{ (void)given; for (int i = 0; i < n; i++) a[i] = {call}; }}
"
        )
    };
    for (function, call, reason) in [
        ("", "printf(\"%d\", i)", "printf does output"),
        ("", "*(double *)malloc(8)", "malloc allocates storage"),
        ("", "(exit(i), 1)", "exit ends the program"),
        (
            "",
            "given(i)",
            "nothing is known of a function that is called through a pointer",
        ),
        (
            "static double (*const table[2])(double) = {sin, cos};",
            "table[i & 1](i)",
            "nothing is known of a function that is called through a pointer",
        ),
        (
            "static double g(int k) { return k < 2 ? 1 : k * g(k - 1); }",
            "g(i & 7)",
            "g, which it calls, calls itself: a device's stack is small, and how deep it goes is not known",
        ),
        (
            "static double g(int k, ...) { return 2 * k; }",
            "g(i, 1)",
            "g, which it calls, takes any number of arguments",
        ),
        (
            "static double g(int k, ...) { va_list all; va_start(all, k); double x = va_arg(all, double); va_end(all); return x; }",
            "g(i, 1.0)",
            "nothing is known of g: variable arguments",
        ),
        (
            "static double g(int k) { static const double t[2] = {3, 4}; return t[k & 1]; }",
            "g(i)",
            "g, which it calls, uses the static variable t of the file, which has no copy on the device",
        ),
        (
            "static double g(int k) { static int before; before += k; return before; }",
            "g(i)",
            "every iteration reads what others write",
        ),
    ] {
        let report = json_of(&loop_with(function, call));
        let loops = report["loops"].as_array().unwrap();
        let one = loops.iter().find(|one| one["function"] == "f").unwrap();
        assert_eq!(one["offloaded"], false, "{function} {call}");
        let causes = one["causes"].as_array().unwrap().iter();
        let mut said: Vec<&str> = causes.filter_map(|cause| cause["message"].as_str()).collect();
        said.extend(one["reason"].as_str());
        assert!(said.contains(&reason), "{function} {call}: {said:?}");
    }
    for (function, call) in [
        ("", "sin(i) + pow(a[i], 2) + fabs(a[i])"),
        (
            "static double g(int k) { return k * 0.5; }",
            "g(i) + sqrt(g(i + 1))",
        ),
    ] {
        let (folder, _path) = with(&loop_with(function, call));
        for language in [None, Some("--openacc")] {
            let asked = ["report", "a.c", "--format", "json"].into_iter().chain(language);
            let report = valid_json(&stdout(&ferry_in(folder.path(), asked)));
            assert_eq!(report["loops"][0]["offloaded"], true, "{call} {language:?}");
        }
    }
}

/// Functions of the table that stay on the host, and how they are called.
const ON_THE_HOST: [(&str, &str); 9] = [
    ("abort", "(abort(), 1)"),
    ("exit", "(exit(i), 1)"),
    ("isalpha", "isalpha(i)"),
    ("malloc", "*(char *)malloc(8)"),
    ("nextafter", "nextafter(x, 2)"),
    ("printf", "printf(\"%d\", i)"),
    ("rand", "rand()"),
    ("strlen", "strlen(\"text\")"),
    ("toupper", "toupper(i)"),
];

/// How a function of the table in `docs/device-calls.md` is called in a loop.
fn call_of(name: &str) -> String {
    const TWO: [&str; 9] = [
        "atan2",
        "copysign",
        "fdim",
        "fmax",
        "fmin",
        "fmod",
        "hypot",
        "pow",
        "remainder",
    ];
    if let Some((_, call)) = ON_THE_HOST.iter().find(|(of, _)| *of == name) {
        return (*call).to_owned();
    }
    let double = name.strip_suffix('f').unwrap_or(name);
    let given = match double {
        "fma" => "x, x, 2",
        "ldexp" => "x, 2",
        "isascii" => "i",
        _ if TWO.contains(&double) || TWO.contains(&name) => "x, 2",
        _ => "x",
    };
    format!("{name}({given})")
}

/// Of the functions on numbers, and some others: they run where the table says, in both languages.
#[test]
fn the_table_of_calls_says_what_is_done() {
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/device-calls.md");
    let page = fs::read_to_string(page).unwrap();
    let others = ON_THE_HOST.map(|(name, _)| name);
    let mut expected = Vec::new();
    let mut text = "#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"
    .to_owned();
    let is_row = |line: &&str| line.starts_with("| the device ") || line.starts_with("| the host: ");
    for row in page.lines().filter(is_row) {
        let columns: Vec<&str> = row.split(" | ").collect();
        let on_device = columns[0] == "| the device";
        let names = columns.last().unwrap().split('`').skip(1).step_by(2);
        for name in names.filter(|name| !name.starts_with("__") && (on_device || others.contains(name))) {
            let call = call_of(name);
            text += &format!(
                "void f_{name}(int n, const double *restrict in, double *restrict out) {{ for (int i = 0; i < n; i++) {{ double x = in[i]; out[i] = x + {call}; }} }}\n"
            );
            expected.push((format!("f_{name}"), on_device));
        }
    }
    let host = expected.iter().filter(|(_, on_device)| !on_device).count();
    assert!(expected.len() > 90 && host == others.len(), "{expected:?}");
    let (folder, _path) = with(&text);
    for language in [None, Some("--openacc")] {
        let asked = ["report", "a.c", "--format", "json"].into_iter().chain(language);
        let report = valid_json(&stdout(&ferry_in(folder.path(), asked)));
        let loops = report["loops"].as_array().unwrap();
        let found: Vec<(String, bool)> = loops
            .iter()
            .map(|one| {
                let function = one["function"].as_str().unwrap().to_owned();
                (function, one["offloaded"].as_bool().unwrap())
            })
            .collect();
        assert_eq!(found, expected, "{language:?}");
    }
}

#[test]
fn a_loop_is_found_by_the_end_of_its_path_and_by_a_line_in_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("a.c"), RECURRENCE).unwrap();
    }
    let asked = |place: &str| ferry_in(folder.path(), ["report", "one/a.c", "two/a.c", "--loop", place]);
    for place in ["one/a.c:3", "./one/a.c:4", "one/../one/a.c:3"] {
        let output = asked(place);
        assert_eq!(status(&output), 0, "{place}: {}", stderr(&output));
        assert!(stdout(&output).starts_with("one/a.c: function f\n  line 3: for loop: sequential\n"));
        assert_eq!(stdout(&output).matches("function f").count(), 1);
    }
    for (place, message) in [
        (
            "a.c:3",
            "error: a.c: that may be one/a.c or two/a.c; give more of the path\n",
        ),
        ("b.c:3", "error: b.c: no file of this report ends so\n"),
        ("two/a.c:1", "error: two/a.c has no loop at or around line 1\n"),
        (
            "two/a.c:999",
            "error: two/a.c has no loop at or around line 999\n",
        ),
    ] {
        let output = asked(place);
        assert_eq!(
            (status(&output), stdout(&output), stderr(&output)),
            (2, String::new(), message.to_owned())
        );
    }
    for place in ["a.c", "a.c:0", "3", ""] {
        let output = asked(place);
        assert_eq!(status(&output), 2);
        assert_eq!(stderr(&output).matches("error").count(), 1, "{}", stderr(&output));
    }
}

#[test]
fn the_json_of_one_loop_has_nothing_else() {
    let text = "\
void f(int n, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) y[i] = 0; for (int j = 1; j < n; j++) x[j] = x[j - 1];
    for (int i = 0; i < n; i++)
        y[i] = 1;
}
";
    let (folder, _path) = with(text);
    let asked = ["report", "a.c", "--loop", "a.c:3", "--format", "json"];
    let output = ferry_in(folder.path(), asked);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    let loops = report["loops"].as_array().unwrap();
    assert_eq!(loops.len(), 2);
    assert!(loops.iter().all(|one| one["line"] == 3));
    let accesses = report["accesses"].as_array().unwrap();
    assert_eq!(accesses.len(), 3);
    assert!(accesses.iter().all(|one| one["line"] == 3));
    let tests = &loops[1]["tests"];
    assert_eq!((&tests["pairs"], &tests["asked"]), (&2.into(), &3.into()));
    assert_eq!(tests["independent"]["single_variable"], 2);
    assert_eq!(tests["dependent"]["single_variable"], 1);
}

#[test]
fn last_values_are_claimed_where_the_last_iteration_sets_them() {
    let loops = [
        ("if (c[i]) t = a[i];", false),
        ("if (i < n - 1) t = a[i];", false),
        ("if (c[i]) continue; t = a[i];", false),
        ("for (int j = 0; j < c[i]; j++) t = a[j];", false),
        ("switch (c[i]) { case 1: t = a[i]; break; case 2: t = 3; }", false),
        ("if (c[i]) { t = a[i]; b[i] = t; }", false),
        ("if (c[i]) t = a[i]; else t = 3;", true),
        ("t = c[i] ? a[i] : 5;", true),
    ];
    for (body, sets) in loops {
        let text = format!(
            "int f(int n, const int *restrict c, const int *restrict a, int *restrict b)
{{
    int t = 7;
    for (int i = 0; i < n; i++) {{
        b[i] = i;
        {body}
    }}
    return t;
}}
"
        );
        let report = json_of(&text);
        let own = loop_at(&report, 4);
        let claimed: &[&str] = if sets { &["t"] } else { &[] };
        assert_eq!(own["lastprivate"], Value::from(claimed.to_vec()), "{body}: {own}");
        assert_eq!(own["private"], Value::from(Vec::<&str>::new()), "{body}: {own}");
        let verdict = if sets { "parallel" } else { "unknown" };
        assert_eq!(own["verdict"], verdict, "{body}: {own}");
        let why = own["causes"][0]["message"].as_str().unwrap_or_default();
        assert_eq!(
            why.contains("not every iteration sets it"),
            !sets,
            "{body}: {own}"
        );
    }
}
