//! How does the command behave? Outputs, exit statuses, and bad input: one clear message, nothing half written, no panic.

use crate::common;

use common::{ferry, ferry_in, status, stderr, stdout, valid_json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const SAXPY: &str = "\
void saxpy(int n, float a, float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}
";

/// A folder with one file.
fn with(name: &str, text: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

fn annotated(arguments: &[&str], path: &Path) -> std::process::Output {
    let mut all = vec!["annotate".to_owned(), path.display().to_string()];
    all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    ferry(&all)
}

/// The names in a folder.
fn entries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// How many messages that begin with `error` there are.
fn errors(output: &std::process::Output) -> usize {
    stderr(output)
        .lines()
        .filter(|line| line.starts_with("error"))
        .count()
}

#[test]
fn the_annotated_text_goes_to_standard_output() {
    let (folder, path) = with("a.c", SAXPY);
    let output = annotated(&[], &path);
    assert_eq!(status(&output), 0);
    let text = stdout(&output);
    assert!(
        text.contains("#pragma omp target teams distribute parallel for"),
        "{text}"
    );
    assert!(text.ends_with(SAXPY.split_once("for").unwrap().1), "{text}");
    assert_eq!(fs::read_to_string(&path).unwrap(), SAXPY);
    assert_eq!(entries(folder.path()), ["a.c"]);
}

#[test]
fn a_diff_applies_and_gives_the_same_text() {
    let (folder, path) = with("a.c", SAXPY);
    let expected = stdout(&annotated(&[], &path));
    let output = ferry_in(folder.path(), ["annotate", "a.c", "--diff"]);
    assert_eq!(status(&output), 0);
    assert!(
        stdout(&output).starts_with("--- a/a.c\n+++ b/a.c\n"),
        "{}",
        stdout(&output)
    );
    fs::write(folder.path().join("patch"), &output.stdout).unwrap();
    let patch = Command::new("patch")
        .args(["-p1", "-i", "patch"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(patch.status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn in_place_and_then_there_is_nothing_to_do() {
    let (folder, path) = with("a.c", SAXPY);
    let expected = stdout(&annotated(&[], &path));
    assert_eq!(status(&annotated(&["--check"], &path)), 1);
    assert_eq!(status(&annotated(&["--in-place"], &path)), 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    assert_eq!(entries(folder.path()), ["a.c"]);
    let again = annotated(&["--check"], &path);
    assert_eq!(status(&again), 0, "{}", stderr(&again));
    assert!(annotated(&["--diff"], &path).stdout.is_empty());
}

#[test]
fn a_folder_gets_every_file() {
    let (folder, path) = with("a.c", SAXPY);
    fs::write(folder.path().join("b.c"), "int b;\n").unwrap();
    let output = ferry_in(folder.path(), ["annotate", "a.c", "b.c", "-o", "out/deep"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let out = folder.path().join("out/deep");
    assert_eq!(entries(&out), ["a.c", "b.c"]);
    assert_eq!(
        fs::read_to_string(out.join("a.c")).unwrap(),
        stdout(&annotated(&[], &path))
    );
    assert_eq!(fs::read_to_string(out.join("b.c")).unwrap(), "int b;\n");
    // Once more: the files there are replaced.
    fs::write(out.join("b.c"), "old").unwrap();
    assert_eq!(
        status(&ferry_in(
            folder.path(),
            ["annotate", "a.c", "b.c", "-o", "out/deep"]
        )),
        0
    );
    assert_eq!(fs::read_to_string(out.join("b.c")).unwrap(), "int b;\n");
}

#[test]
fn two_files_of_one_name_do_not_fit_into_one_folder() {
    let (folder, _) = with("a.c", SAXPY);
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/a.c"), SAXPY).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "a.c", "sub/a.c", "-o", "out"]);
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("would both be out/a.c; nothing was written"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.path().join("out/a.c").exists());
}

#[test]
fn several_files_need_an_output() {
    let (folder, _) = with("a.c", SAXPY);
    fs::write(folder.path().join("b.c"), SAXPY).unwrap();
    let output = ferry_in(folder.path(), ["annotate", "a.c", "b.c"]);
    assert_eq!((status(&output), errors(&output)), (2, 1));
    assert!(output.stdout.is_empty());
}

#[test]
fn openacc_and_other_editions_are_written() {
    let (_folder, path) = with("a.c", SAXPY);
    assert!(stdout(&annotated(&["--openacc"], &path)).contains("#pragma acc parallel loop"));
    for version in ["4.5", "5.0", "5.1", "5.2", "6.0"] {
        assert!(
            stdout(&annotated(&["--openmp", version], &path)).contains("#pragma omp target"),
            "{version}"
        );
    }
    let output = annotated(&["--openmp", "3.1"], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1));
}

#[test]
fn the_summary_is_valid_json() {
    let (folder, path) = with("a.c", SAXPY);
    let output = annotated(&["--format", "json", "--diff"], &path);
    assert_eq!(status(&output), 0);
    let value = valid_json(&stdout(&output));
    assert_eq!(value["files"][0]["kernels"], 1);
    assert!(
        value["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+    #pragma omp")
    );
    fs::write(folder.path().join("b.c"), "int x = ;\n").unwrap();
    let output = ferry_in(
        folder.path(),
        ["annotate", "a.c", "b.c", "--format", "json", "--check"],
    );
    assert_eq!(status(&output), 2);
    let value = valid_json(&stdout(&output));
    assert_eq!(value["files"][1]["failed"], true);
    assert_eq!(value["files"][1]["findings"][0]["line"], 1);
}

#[test]
fn existing_directives_are_kept_or_ignored() {
    let text = SAXPY.replace("    for", "    #pragma omp parallel for\n    for");
    let (_folder, path) = with("a.c", &text);
    let kept = annotated(&["--diff"], &path);
    assert_eq!(status(&kept), 0);
    assert!(kept.stdout.is_empty(), "{}", stdout(&kept));
    let ignored = annotated(&["--ignore-directives"], &path);
    assert_eq!(status(&ignored), 0, "{}", stderr(&ignored));
    assert!(
        stdout(&ignored).contains("#pragma omp target"),
        "{}",
        stdout(&ignored)
    );
    let (_plain, without) = with("a.c", SAXPY);
    assert_eq!(stdout(&ignored), stdout(&annotated(&[], &without)));
}

#[test]
fn directives_of_headers_and_macros_stay_where_others_are_ignored() {
    let text = format!(
        "#include \"a.h\"\n#define PARALLEL _Pragma(\"omp parallel for\")\n{}\
         void twice(int n, int *x)\n{{\n    PARALLEL\n    for (int i = 0; i < n; i++)\n        x[i] *= 2;\n}}\n\
         void each(int n, int *x)\n{{\n    for (int i = 0; i < n; i++)\n        once(x + i);\n}}\n",
        SAXPY.replace("    for", "    #pragma omp parallel for\n    for")
    );
    let (folder, path) = with("a.c", &text);
    let header = "static inline void once(int *x)\n{\n    #pragma omp target map(tofrom: x[0:1])\n    for (int i = 0; i < 1; i++)\n        x[i] += 1;\n}\n";
    fs::write(folder.path().join("a.h"), header).unwrap();
    let output = annotated(&["--ignore-directives", "--all"], &path);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(!stderr(&output).contains("warning"), "{}", stderr(&output));
    let written = stdout(&output);
    // Of `saxpy` alone: the other loops are under a directive, or call what has one.
    assert_eq!(written.matches("#pragma omp target").count(), 1, "{written}");
    assert_eq!(
        written.matches("#pragma omp parallel for").count(),
        0,
        "{written}"
    );
}

#[test]
fn line_ends_and_bytes_are_kept() {
    let text = format!("\u{FEFF}// {}\r\n", "\u{1}").into_bytes();
    let mut bytes = text;
    bytes.extend(b"// caf\xE9\r\n");
    bytes.extend(SAXPY.replace('\n', "\r\n").bytes());
    let (_folder, path) = with("a.c", &bytes);
    let output = annotated(&[], &path);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(output.stdout.windows(7).any(|window| window == b"#pragma"));
    assert!(output.stdout.starts_with(&bytes[..20]));
    let bare = output
        .stdout
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte == b'\n' && output.stdout[at - 1] != b'\r');
    assert_eq!(bare.count(), 0);
}

#[test]
fn regions_are_shown_with_their_bounds() {
    let text = "\
void f(int n, int *a, int *b)
{
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        if (a[i] > 0)
            b[i] = 1;
    }
}
";
    let (_folder, path) = with("a.c", text);
    let output = ferry(["show", "regions", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let own: Vec<String> = stdout(&output)
        .lines()
        .filter(|line| line.starts_with("    "))
        .map(|line| line.trim().to_owned())
        .collect();
    let elements = "{ [x] : 0 <= x <= 2 and x < n or 4 <= x < n }";
    assert_eq!(
        own,
        [
            format!("reads a exactly {elements}"),
            format!("writes b at most {elements}: it depends on a value in memory"),
            format!("needs a exactly {elements} (if b is other storage)"),
            format!("leaves b at most {elements}: it depends on a value in memory"),
        ]
    );
}

/// What a function of another file reads of a structure of which the loop has set another member is needed from before the loop: the two are other bytes of one element.
#[test]
fn members_that_functions_of_other_files_read_are_needed() {
    let structure = "struct box { int n; int m; double w[4]; };\n";
    let loops = format!(
        "{structure}int weigh(const struct box *b);
void f(int n, struct box *s, int *restrict out) {{
    for (int i = 0; i < n; i++) {{
        s->n = i;
        out[i] = weigh(s);
    }}
}}
"
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.c"), loops).unwrap();
    let needs = |before: &str, body: &str| {
        let text = format!("{structure}{before}int weigh(const struct box *b) {{ return {body}; }}\n");
        fs::write(folder.path().join("b.c"), text).unwrap();
        let output = ferry_in(folder.path(), ["show", "regions", "a.c", "b.c"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        let mut own = text.lines().skip_while(|line| !line.starts_with("  line 4"));
        own.find_map(|line| line.trim().strip_prefix("needs s ").map(str::to_owned))
    };
    // Where the other function is walked into, and where only its sections are known: it names a variable that this file does not declare.
    let walked = |body: &str| needs("", body);
    let summarized = |body: &str| needs("int one = 1;\n", &format!("one * ({body})"));
    let one = "(the last coordinate counts bytes) exactly { [x, y] : x = -1 and 0 <= y <= 3 and 1 <= n }";
    let other = "(bytes 0 to 4 of each element) exactly { [x] : x = -1 and 1 <= n }";
    type Needs<'a> = &'a dyn Fn(&str) -> Option<String>;
    for (needs, beside) in [(&walked as Needs<'_>, other), (&summarized, one)] {
        let first = needs("b->n + b->m + (int)b->w[0]").unwrap();
        assert!(first.contains(" exactly ") && first.contains("4 <= "), "{first}");
        assert!(first.contains(" <= 15 and 1 <= n }"), "{first}");
        let second = needs("b->m").unwrap();
        assert!(
            second.contains(" exactly ") && second.contains("4 <= "),
            "{second}"
        );
        assert!(second.contains(" <= 7 and 1 <= n }"), "{second}");
        assert_eq!(needs("2 * b->n"), None);
        // In the structure that lies beside it.
        assert_eq!(needs("b[-1].n").unwrap(), beside);
    }
}

/// A macro of another file may stand for something else here.
#[test]
fn names_of_other_files_are_not_used() {
    let a = "#define LEN 100
int length(void);
int v[LEN * 20];
void f(void) { int n = length(); for (int i = 0; i < n; i++) v[i] = i + LEN; }
";
    let b = "#define LEN 1000\nint length(void) { return LEN; }\n";
    let (folder, _) = with("a.c", a);
    fs::write(folder.path().join("b.c"), b).unwrap();
    let output = ferry_in(folder.path(), ["report", "a.c", "b.c"]);
    assert!(stdout(&output).contains("1000 iterations"), "{}", stdout(&output));
    let output = ferry_in(folder.path(), ["annotate", "a.c", "b.c", "--diff"]);
    assert!(stdout(&output).contains("v[0:1000]"), "{}", stdout(&output));
}

// Bad input.

#[test]
fn a_missing_file_is_said_and_the_others_are_done() {
    let (folder, _) = with("a.c", SAXPY);
    let output = ferry_in(folder.path(), ["annotate", "none.c", "a.c", "--diff"]);
    assert_eq!((status(&output), errors(&output)), (2, 1));
    assert!(
        stderr(&output).contains("cannot read none.c: there is no such file"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("#pragma"));
    for command in ["report", "show"] {
        let mut arguments = vec![command];
        arguments.extend((command == "show").then_some("ir"));
        arguments.push("none.c");
        let output = ferry_in(folder.path(), arguments);
        assert_eq!((status(&output), errors(&output)), (2, 1), "{command}");
    }
}

#[test]
fn a_file_that_does_not_parse_is_not_edited() {
    let text = SAXPY.replace("y[i];", "y[i;");
    let (folder, path) = with("a.c", &text);
    let output = annotated(&["--in-place"], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1), "{}", stderr(&output));
    assert!(stderr(&output).contains("a.c:4:"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(entries(folder.path()), ["a.c"]);
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(status(&output), 2);
    let value = valid_json(&stdout(&output));
    assert!(
        value["loops"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["verdict"] == "unknown")
    );
    assert_eq!(value["loops"].as_array().unwrap().len(), 1);
}

#[test]
fn an_unknown_flag_is_one_clear_error() {
    let (_folder, path) = with("a.c", SAXPY);
    let own = annotated(&["--no-such-flag"], &path);
    assert_eq!((status(&own), errors(&own)), (2, 1));
    assert!(stderr(&own).contains("--no-such-flag"));
    let compilers = annotated(&["--diff", "--", "-fno-such-flag-at-all"], &path);
    assert!(
        stderr(&compilers).contains("-fno-such-flag-at-all"),
        "{}",
        stderr(&compilers)
    );
    assert!(errors(&compilers) <= 1);
}

#[test]
fn a_database_of_a_foreign_compiler_is_read() {
    let (folder, path) = with("a.c", format!("#ifdef WANTED\n{SAXPY}#endif\n"));
    let database = serde_json::json!([{
        "directory": folder.path(), "file": "a.c",
        "arguments": ["nvc", "-c", "-DWANTED", "-acc", "-mp=gpu", "-gpu=cc80", "-Minfo=all", "-foffload=nvptx-none", "-fopt-info", "-qopenmp", "-O3", "-o", "a.o", "a.c"]
    }]);
    fs::write(folder.path().join("compile_commands.json"), database.to_string()).unwrap();
    let output = annotated(&["--diff", "-p", folder.path().to_str().unwrap()], &path);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("#pragma"), "{}", stdout(&output));
    let other = folder.path().join("b.c");
    fs::write(&other, SAXPY).unwrap();
    let output = annotated(&["--diff", "-p", folder.path().to_str().unwrap()], &other);
    assert_eq!((status(&output), errors(&output)), (2, 1), "{}", stderr(&output));
    fs::write(folder.path().join("compile_commands.json"), "[{").unwrap();
    let output = annotated(&["--diff", "-p", folder.path().to_str().unwrap()], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("compile_commands.json:1:"),
        "{}",
        stderr(&output)
    );
}

/// A project of several files with a database; gives what `report` says of `a.c`.
fn reported(files: &[(&str, &str)], arguments: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let mut entries = Vec::new();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
        entries.push(serde_json::json!({
            "directory": folder.path(), "file": name, "arguments": ["cc", "-c", "-DTRIPLE=3", name]
        }));
    }
    let database = serde_json::Value::Array(entries);
    fs::write(folder.path().join("compile_commands.json"), database.to_string()).unwrap();
    let mut all = vec!["report", "--format", "json"];
    all.extend(arguments);
    let output = ferry_in(folder.path(), all);
    valid_json(&stdout(&output))
}

#[test]
fn functions_of_other_files_of_the_project_are_known() {
    let kernel = "int weigh(int x);
void kernel(int n, int *restrict a, const int *restrict b) { for (int i = 0; i < n; i++) a[i] = weigh(b[i]); }";
    let weigh = "int weigh(int x) { return TRIPLE * x; }";
    let first = |files: &[(&str, &str)], arguments: &[&str]| reported(files, arguments)["loops"][0].clone();
    let files = [
        ("a.c", kernel),
        ("b.c", weigh),
        ("broken.c", "int f(void { weigh"),
    ];
    assert_eq!(first(&files, &["a.c"])["verdict"], "unknown");
    let linked = first(&files, &["a.c", "-p", "."]);
    assert_eq!(linked["verdict"], "parallel", "{linked}");
    let assumption = linked["assumptions"][0].as_str().unwrap();
    assert!(
        assumption.starts_with("weigh is what ") && assumption.ends_with("b.c defines"),
        "{assumption}"
    );
    // It would have to be declared in the other file.
    assert_eq!(linked["offloaded"], false);
    let reason = linked["reason"].as_str().unwrap();
    assert_eq!(
        reason,
        "weigh would have to be declared for the device in its own file, too"
    );
    // Files that are named together need no database.
    let together = first(
        &[("a.c", kernel), ("b.c", "int weigh(int x) { return 3 * x; }")],
        &["a.c", "b.c"],
    );
    assert_eq!(together["verdict"], "parallel", "{together}");
    // Each definition of a file that is compiled in two ways may be another.
    let twice = [
        ("a.c", kernel),
        ("b.c", weigh),
        ("c.c", "int weigh(int x) { return x; }"),
    ];
    let refused = first(&twice, &["a.c", "-p", "."]);
    assert_eq!(
        refused["causes"][0]["message"],
        "nothing is known of weigh: several files define it"
    );
    let missing = first(
        &[("a.c", kernel), ("b.c", "#include \"none.h\"\nint weigh(int x);")],
        &["a.c", "-p", "."],
    );
    assert_eq!(missing["verdict"], "unknown", "{missing}");
}

#[test]
fn minima_of_floating_values_rest_on_the_absence_of_nan() {
    let text = "double least(int n, const double *v) { double m = v[0]; for (int i = 0; i < n; i++) m = m < v[i] ? m : v[i]; return m; }
int most(int n, const int *v) { int m = v[0]; for (int i = 0; i < n; i++) m = m > v[i] ? m : v[i]; return m; }
";
    let (_folder, path) = with("a.c", text);
    let report = valid_json(&stdout(&ferry([
        "report",
        "--format",
        "json",
        &path.display().to_string(),
    ])));
    let assumptions = |number: usize| report["loops"][number]["assumptions"].as_array().cloned();
    assert_eq!(
        assumptions(0),
        Some(vec![
            "no value that m is compared with is NaN, nor m before the loop, and the sign of a zero in m does not matter".into()
        ])
    );
    assert!(assumptions(1).is_none_or(|list| list.is_empty()));
}

#[test]
fn a_comment_on_a_function_is_listed_and_a_wrong_one_stops_the_file() {
    let text = |words: &str| {
        format!(
            "// ferry: {words}
int weigh(int x);
void scale(int n, int *restrict a) {{ for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }}
void kernel(int n, int *restrict a) {{ for (int i = 0; i < n; i++) a[i] = weigh(a[i]); }}
"
        )
    };
    let (_folder, good) = with("a.c", text("const"));
    let report = valid_json(&stdout(&ferry([
        "report",
        "--format",
        "json",
        &good.display().to_string(),
    ])));
    assert_eq!(report["loops"][1]["verdict"], "parallel");
    assert_eq!(
        report["loops"][1]["assumptions"][0],
        "weigh has no effects and depends on its arguments alone, as the comment in line 1 of a.c says"
    );
    let (_folder, wrong) = with("a.c", text("harmless"));
    let output = ferry(["annotate", "--in-place", &wrong.display().to_string()]);
    assert_eq!(status(&output), 2);
    let message = stderr(&output);
    assert!(message.contains("a.c:1:1"), "{message}");
    assert!(message.contains("these words are not known"), "{message}");
    assert_eq!(fs::read_to_string(&wrong).unwrap(), text("harmless"));
}

#[test]
fn dependency_files_stay_as_they_were() {
    let (folder, path) = with("a.c", SAXPY);
    fs::write(folder.path().join("a.d"), "as it was").unwrap();
    let output = ferry_in(
        folder.path(),
        [
            "annotate",
            path.to_str().unwrap(),
            "--diff",
            "--",
            "-MD",
            "-MF",
            "a.d",
            "-o",
            "a.o",
            "-c",
        ],
    );
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(
        fs::read_to_string(folder.path().join("a.d")).unwrap(),
        "as it was"
    );
    assert_eq!(entries(folder.path()), ["a.c", "a.d"]);
}

#[test]
fn a_broken_directive_has_its_place_and_the_file_is_left_alone() {
    let text = SAXPY.replace("    for", "    #pragma omp parallel for private(\n    for");
    let (_folder, path) = with("a.c", &text);
    let output = annotated(&["--in-place"], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1), "{}", stderr(&output));
    assert!(stderr(&output).contains("a.c:3:"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn an_empty_file_has_nothing_to_do() {
    let (_folder, path) = with("a.c", "");
    let output = annotated(&["--diff"], &path);
    assert_eq!(
        (status(&output), output.stdout.len()),
        (0, 0),
        "{}",
        stderr(&output)
    );
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0);
    assert_eq!(valid_json(&stdout(&output))["loops"].as_array().unwrap().len(), 0);
}

#[test]
fn a_binary_file_is_no_c() {
    let (_folder, path) = with("a.c", b"\x7fELF\x02\x01\x01\0\0\0");
    let output = annotated(&["--diff"], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1));
    assert!(
        stderr(&output).contains("is a binary file, not C"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_file_that_cannot_be_written_stays() {
    let (folder, path) = with("a.c", SAXPY);
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let output = annotated(&["--in-place"], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("is read-only; nothing was written"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), SAXPY);
    assert_eq!(entries(folder.path()), ["a.c"]);
    // A folder in which no one can make files.
    let output = annotated(&["-o", "/proc/self/no"], &path);
    assert_eq!((status(&output), errors(&output)), (2, 1), "{}", stderr(&output));
}

#[test]
fn without_libclang_there_is_one_message() {
    let (_folder, path) = with("a.c", SAXPY);
    for arguments in [&["annotate", "--diff"][..], &["report"], &["show", "ir"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ferry"));
        let output = command
            .args(arguments)
            .arg(&path)
            .env("LIBCLANG_PATH", "/no/such/folder")
            .output()
            .unwrap();
        assert_eq!(
            (status(&output), errors(&output)),
            (2, 1),
            "{arguments:?}: {}",
            stderr(&output)
        );
        assert!(stderr(&output).contains("libclang"), "{}", stderr(&output));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let (_folder, path) = with(
        "a.c",
        SAXPY.replace("saxpy", "f") + &"// much text\n".repeat(20_000),
    );
    let binary = env!("CARGO_BIN_EXE_ferry");
    let shell = format!(
        "set -o pipefail; {binary} annotate {} 2>/dev/null | head -n 1",
        path.display()
    );
    let output = Command::new("bash").args(["-c", &shell]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}

// Very large input.

#[test]
fn a_function_of_many_lines_is_done() {
    let mut text = String::from("int f(int x)\n{\n");
    for number in 0..100_000 {
        text.push_str(&format!("    x = x * 3 + {number};\n"));
    }
    text.push_str("    return x;\n}\n");
    text.push_str(SAXPY);
    let (_folder, path) = with("a.c", text);
    let output = annotated(&["--diff"], &path);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("#pragma"));
}

#[test]
fn many_else_ifs_are_done() {
    let mut text = String::from("int f(int x)\n{\n    if (x == 0) return 1;\n");
    // Where an `if` ends libclang finds by going through all that are in its `else`: twice as many take four times as long.
    for number in 1..5_000 {
        text.push_str(&format!("    else if (x == {number}) x = {number};\n"));
    }
    text.push_str("    return x;\n}\n");
    text.push_str(SAXPY);
    let (_folder, path) = with("a.c", text);
    let output = annotated(&["--diff"], &path);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("#pragma"));
}

#[test]
fn many_terms_are_done() {
    let sum = "x + ".repeat(100_000);
    let text = format!("int f(int x)\n{{\n    return {sum}x;\n}}\n{SAXPY}");
    let (_folder, path) = with("a.c", text);
    for command in ["annotate", "report"] {
        let output = ferry([command, path.to_str().unwrap()]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    }
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let programs: Vec<String> = common::programs()
        .iter()
        .filter(|program| program.name.starts_with("pairs/") && program.flags.len() == 1)
        .take(12)
        .map(|program| program.files[0].display().to_string())
        .collect();
    for command in [&["annotate", "--diff"][..], &["report", "--format", "json"]] {
        let run = |threads: &str| {
            let mut arguments: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
            arguments.extend(["--threads".to_owned(), threads.to_owned()]);
            arguments.extend(programs.iter().cloned());
            let output = ferry(&arguments);
            (status(&output), stdout(&output), stderr(&output))
        };
        let one = run("1");
        assert_eq!(one, run("3"));
        assert_eq!(one, run("8"));
    }
}

#[test]
fn functions_that_kernels_call_are_declared_where_the_language_wants_it() {
    let text = "static int twice(int x)\n{\n    return 2 * x;\n}\n\nvoid f(int n, int *restrict x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] = twice(x[i]);\n}\n";
    let (_folder, path) = with("a.c", text);
    let acc = stdout(&annotated(&["--openacc"], &path));
    assert!(
        acc.starts_with("#pragma acc routine seq\nstatic int twice"),
        "{acc}"
    );
    // A function above that names it comes before: gcc takes only a directive that names it too.
    let above = "int twice(int);\n\nint first(int x)\n{\n    return twice(x);\n}\n\n";
    let (_other, used) = with("b.c", format!("{above}{}", text.replace("static ", "")));
    let named = stdout(&annotated(&["--openacc"], &used));
    assert!(
        named.contains("\n#pragma acc routine(twice) seq\nint first") && !named.contains("routine seq"),
        "{named}"
    );
    let value = text.replace(
        "static int twice(int x)",
        "int twice(int);\nint (*p)(int) = twice;\nint twice(int x)",
    );
    let (_third, held) = with("c.c", &value);
    let output = annotated(&["--openacc"], &held);
    assert!(!stdout(&output).contains("#pragma"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("before a variable gets its address"),
        "{}",
        stderr(&output)
    );
    let old = stdout(&annotated(&["--openmp", "4.5"], &path));
    assert!(
        old.starts_with("#pragma omp declare target\nstatic int twice"),
        "{old}"
    );
    assert!(old.contains("}\n#pragma omp end declare target\n"), "{old}");
    assert!(stdout(&annotated(&[], &path)).starts_with("static int twice"));
    // Annotated once, there is nothing more to do.
    fs::write(&path, &acc).unwrap();
    let again = annotated(&["--openacc", "--diff"], &path);
    assert!(again.stdout.is_empty(), "{}", stdout(&again));
}

/// What leaves no trace in the program still stands between the heads: no compiler collapses the loops.
#[test]
fn assertions_and_types_between_heads_are_seen() {
    for between in [
        "_Static_assert(sizeof(int) == 4, \"\");",
        "typedef int whole;",
        "struct later { int x; };",
    ] {
        let text = |between: &str| {
            format!(
                "int a[64][64];\nvoid f(int n)\n{{\nfor (int i = 0; i < n; i++) {{\n{between}\nfor (int j = 0; j < n; j++)\na[i][j] = i + j;\n}}\n}}\n"
            )
        };
        let annotated = |text: &str| {
            let folder = common::with(text);
            let output = ferry(["annotate", "--all", folder.path().join("a.c").to_str().unwrap()]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            stdout(&output)
        };
        assert!(annotated(&text("")).contains("collapse(2)"));
        assert!(!annotated(&text(between)).contains("collapse"), "{between}");
    }
}

#[test]
fn strict_floating_point_leaves_sums_on_the_host() {
    let (_folder, path) = with(
        "a.c",
        "double total(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
double greatest(int n, const double *a)
{
    double most = a[0];
    for (int i = 0; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}
long count(int n, const int *k)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += k[i];
    return sum;
}
void weights(int n, const int *k, const float *x, float h[64])
{
    for (int i = 0; i < n; i++)
        h[k[i] & 63] += x[i];
}
void rows(int n, int m, const double *restrict a, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        y[i] = sum;
    }
}
",
    );
    let kernels = |arguments: &[&str]| {
        let output = annotated(arguments, &path);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output).matches("parallel for").count()
    };
    // What each thread sums up alone stays in its order.
    assert_eq!(
        (
            kernels(&[]),
            kernels(&["--fp", "reorder"]),
            kernels(&["--fp", "strict"])
        ),
        (5, 5, 2)
    );
    let path = path.display().to_string();
    let output = ferry(["report", "--fp", "strict", "--format", "json", &path]);
    let report = valid_json(&stdout(&output));
    let mut loops = report["loops"].as_array().unwrap().iter();
    let total = loops.find(|one| one["function"] == "total").unwrap();
    let reason = total["reason"].as_str().unwrap();
    assert!(reason.contains("--fp strict"), "{reason}");
    assert_eq!(
        (&total["verdict"], &total["offloaded"]),
        (&"parallel".into(), &false.into())
    );
}
