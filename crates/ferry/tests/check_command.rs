//! `ferry check` and `ferry explain`: outputs by their schemas, places, exit statuses, what comments and a baseline silence, and the pages.

use crate::common;

use common::{ferry, ferry_in, status, stderr, stdout, valid_json, with};
use ferry_judges::Program;
use ferry_judges::second_memory::{DataKind, SecondMemory, Settings};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The change of `last` is lost, which shows in line 9.
const LOST: &str = "\
int f(int n, const int *v)
{
    int last = -1;
    #pragma omp target map(to: v[0:n])
    for (int i = 0; i < n; i++)
        last = v[i];
    int first = -1;
    first++;
    return last + first;
}
";

/// Its twin, in which nothing is lost.
fn mended() -> String {
    LOST.replace("map(to: v[0:n])", "map(to: v[0:n]) map(tofrom: last)")
}

/// A run of `ferry check`, with directives of both languages.
fn check_in(folder: &Path, arguments: &[&str]) -> Output {
    let after = ["--", "-fopenmp", "-fopenacc"];
    ferry_in(folder, [&["check"][..], arguments, &after[..]].concat())
}

/// The JSON of a text, and the exit status.
fn checked(text: &str, arguments: &[&str]) -> (Value, i32) {
    let folder = with(text);
    let output = check_in(
        folder.path(),
        &[&["a.c", "--format", "json"][..], arguments].concat(),
    );
    (valid_json(&stdout(&output)), status(&output))
}

fn findings(report: &Value) -> &Vec<Value> {
    report["findings"].as_array().unwrap()
}

/// Rule and line of each finding.
fn said(report: &Value) -> Vec<(String, u64)> {
    findings(report)
        .iter()
        .map(|one| {
            let rule = one["rule"].as_str().unwrap().to_owned();
            (rule, one["line"].as_u64().unwrap())
        })
        .collect()
}

fn lost_in(line: u64) -> Vec<(String, u64)> {
    vec![("scalar-change-lost".to_owned(), line)]
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The programs of `tests/checks`, by their paths in it.
fn programs() -> Vec<String> {
    let folder = root().join("tests/checks");
    let mut found = Vec::new();
    for rule in fs::read_dir(&folder).unwrap() {
        let rule = rule.unwrap().path();
        for file in fs::read_dir(&rule).into_iter().flatten() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|end| end == "c") {
                found.push(file.strip_prefix(&folder).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    assert!(found.len() > 200, "{}", found.len());
    found
}

/// The names of all rules, as the command itself lists them.
fn rules() -> BTreeSet<String> {
    let output = ferry(["explain", "no-such-rule"]);
    assert_eq!(status(&output), 2);
    let text = stderr(&output);
    let known = text.trim().split_once("known are ").expect(&text).1;
    known.split(", ").map(str::to_owned).collect()
}

/// The lines of the table of rules in the manual.
fn table() -> Vec<(String, String)> {
    let manual = fs::read_to_string(root().join("docs/check.md")).unwrap();
    let rows = manual
        .lines()
        .filter_map(|line| line.strip_prefix("| [")?.strip_suffix(" |")?.split_once(" | "));
    rows.map(|(link, rest)| {
        let name = link.split_once(']').unwrap().0;
        let target = format!("(../crates/checks/pages/{name}.md)");
        assert!(link.ends_with(&target), "{link}");
        (name.to_owned(), rest.to_owned())
    })
    .collect()
}

#[test]
fn the_json_of_all_programs_is_valid_and_complete() {
    let programs = programs();
    let mut arguments = vec!["--format", "json", "--pedantic", "--performance"];
    arguments.extend(programs.iter().map(String::as_str));
    let folder = root().join("tests/checks");
    let output = check_in(&folder, &arguments);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    let files: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, programs);
    // The kinds of things that a finding can hold all occur.
    let values = |field: &str| -> BTreeSet<String> {
        let all = findings(&report).iter();
        all.map(|one| one[field].as_str().unwrap_or("").to_owned())
            .collect()
    };
    assert_eq!(values("rule"), rules());
    assert_eq!(values("severity").len(), 3);
    assert_eq!(values("confidence").len(), 3);
    for one in findings(&report) {
        // Every finding has a place in one of the files, and each of its places is a line of that file.
        let places = one["related"].as_array().unwrap().iter().chain([one]);
        for place in places {
            let file = place["file"].as_str().unwrap();
            let text = fs::read_to_string(folder.join(file)).unwrap();
            let line = place["line"].as_u64().unwrap() as usize;
            let column = place["column"].as_u64().unwrap() as usize;
            let line = text.lines().nth(line - 1).unwrap();
            assert!(column <= line.len(), "{place}");
            assert!(line.as_bytes()[column - 1] != b' ', "{place}: {line}");
        }
        let possible = one["confidence"] == "possible";
        let advice = one["performance"] == true;
        assert_eq!(one["severity"] == "note", possible || advice, "{one}");
        assert!(!advice || one["confidence"] == "proven", "{one}");
    }
}

/// A transfer that could be left out is said to who asks for it, and to nobody else.
#[test]
fn advice_is_given_where_it_is_asked_for() {
    let text = "\
int f(int n, const int *v)
{
    int sum = 0;
    #pragma omp target map(tofrom: v[0:n], sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}
";
    let (report, status) = checked(text, &[]);
    assert_eq!((findings(&report).len(), status), (0, 0));
    let (report, status) = checked(text, &["--performance"]);
    assert_eq!(said(&report), [("dead-copy-back".to_owned(), 4)]);
    assert_eq!(status, 1);
    let one = &findings(&report)[0];
    assert_eq!(one["severity"], "note");
    assert_eq!(one["performance"], true);
    // Without the section the pointer would be mapped.
    assert_eq!(one["help"], "`map(to: v[0:n])` would do");
    let folder = with(text);
    let output = stdout(&check_in(folder.path(), &["a.c", "--performance"]));
    assert!(
        output.ends_with("0 errors, 0 warnings, 1 on performance\n"),
        "{output}"
    );
}

#[test]
fn the_schema_knows_the_rules() {
    let schema = fs::read_to_string(root().join("docs/check.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let listed = schema["$defs"]["rule"]["enum"].as_array().unwrap();
    let listed: BTreeSet<String> = listed
        .iter()
        .map(|one| one.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, rules());
}

/// The schema of SARIF 2.1.0, which the crate that writes it ships.
fn sarif_schema() -> Value {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--filter-platform",
        ])
        .arg(platform)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|one| one["name"] == "serde-sarif").unwrap();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    let text = fs::read_to_string(manifest.with_file_name("src/schema.json")).unwrap();
    // One of its patterns has a bracket that not every engine takes for itself.
    serde_json::from_str(&text.replace("{2}]?$", "{2}\\\\]?$")).unwrap()
}

#[test]
fn the_sarif_of_all_programs_is_valid() {
    let schema = sarif_schema();
    assert!(schema["title"].as_str().unwrap().contains("2.1.0"));
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(!validator.is_valid(&serde_json::json!({"version": "2.1.0"})));
    let programs = programs();
    let mut arguments = vec!["--format", "sarif", "--pedantic"];
    arguments.extend(programs.iter().map(String::as_str));
    let folder = root().join("tests/checks");
    let text = stdout(&check_in(&folder, &arguments));
    let log: Value = serde_json::from_str(&text).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&log)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert_eq!(log["version"], "2.1.0");

    // It says what the JSON says.
    arguments[1] = "json";
    let report = valid_json(&stdout(&check_in(&folder, &arguments)));
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), findings(&report).len());
    for (result, one) in results.iter().zip(findings(&report)) {
        assert_eq!(result["ruleId"], one["rule"]);
        let number = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][number]["id"], one["rule"]);
        assert_eq!(result["level"], one["severity"]);
        assert_eq!(result["message"]["text"], one["message"]);
        assert_eq!(result["properties"]["confidence"], one["confidence"]);
        assert_eq!(result["properties"]["object"], one["object"]);
        assert_eq!(result["partialFingerprints"]["ferry/v1"], one["fingerprint"]);
        let place = |location: &Value, one: &Value| {
            let physical = &location["physicalLocation"];
            assert_eq!(physical["artifactLocation"]["uri"], one["file"]);
            assert_eq!(physical["region"]["startLine"], one["line"]);
            assert_eq!(physical["region"]["startColumn"], one["column"]);
        };
        place(&result["locations"][0], one);
        let related = one["related"].as_array().unwrap();
        let locations = result["relatedLocations"].as_array().unwrap();
        assert_eq!(locations.len(), related.len());
        for (location, one) in locations.iter().zip(related) {
            place(location, one);
            assert_eq!(location["message"]["text"], one["message"]);
        }
    }
}

#[test]
fn a_finding_has_its_places_its_object_and_what_would_help() {
    let (report, status) = checked(LOST, &[]);
    assert_eq!(status, 1);
    assert_eq!(findings(&report).len(), 1, "{report}");
    let one = &findings(&report)[0];
    let fields = ["rule", "severity", "confidence", "file", "object", "function"].map(|field| &one[field]);
    assert_eq!(
        fields,
        ["scalar-change-lost", "error", "proven", "a.c", "last", "f"]
    );
    assert_eq!(
        (&one["line"], &one["column"]),
        (&Value::from(9), &Value::from(12))
    );
    assert!(one["message"].as_str().unwrap().contains("`last`"), "{one}");
    assert!(
        one["help"].as_str().unwrap().contains("map(tofrom: last)"),
        "{one}"
    );
    let related: Vec<(u64, u64)> = one["related"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| (place["line"].as_u64().unwrap(), place["column"].as_u64().unwrap()))
        .collect();
    assert_eq!(related, [(6, 9), (4, 5)]);
    assert_eq!(report["not_said"]["possible"], 0);
}

/// The region of line 6 loses what it writes; that of line 9 brings old values again, as does the update of line 10.
#[test]
fn what_ended_the_mapping_is_named_not_what_copies_later() {
    let text = "\
double a[40];
int main(void)
{
    for (int i = 0; i < 40; i++)
        a[i] = 1;
    #pragma omp target map(to: a)
    for (int i = 0; i < 40; i++)
        a[i] = 2;
    #pragma omp target enter data map(to: a)
    #pragma omp target update from(a)
    return a[3] > 1;
}
";
    let (report, _) = checked(text, &[]);
    let lost = |one: &&Value| one["rule"] == "never-copied-back" && one["line"] == 11;
    let lost = findings(&report).iter().find(lost).unwrap();
    let places = lost["related"].as_array().unwrap();
    let lines: Vec<u64> = places.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert!(lines.contains(&6) && !lines.contains(&10), "{places:?}");
}

/// `sums` is only given to functions, and `marks` has calls in its subscripts: neither is called by the statement that it comes from, or by the function.
#[test]
fn objects_have_names_where_no_text_names_them_alone() {
    let text = "\
#include <stdlib.h>
#include <string.h>
static int place(int i, int n) { return n - 1 - i; }
static void fill(int n, double *a)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] = 2 * i;
}
int main(void)
{
    int n = 40;
    double out[40];
    double *sums = (double *)malloc(n * sizeof *sums);
    int *marks = (int *)malloc(n * sizeof *marks);
    if (!sums || !marks)
        return 1;
    memset (sums, 0, n * sizeof *sums);
    #pragma omp target data map(to: sums[0:n])
    {
        fill(n, sums);
    }
    memcpy (out, sums, n * sizeof *sums);
    #pragma omp target teams distribute parallel for map(to: marks[0:n])
    for (int i = 0; i < n; i++)
        marks[place(i, n)] = i;
    return marks[place(3, n)] > 3 && out[3] > 4;
}
";
    let (report, _) = checked(text, &[]);
    let objects: Vec<&str> = findings(&report)
        .iter()
        .map(|one| one["object"].as_str().unwrap())
        .collect();
    assert_eq!(objects, ["sums", "marks"], "{report}");
}

#[test]
fn a_defect_in_a_called_function_is_followed_from_main() {
    let text = "\
#include <stdio.h>
static void set(int n, int *a)
{
    #pragma omp target map(to: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}
int main(void)
{
    int a[10] = {0};
    set(10, a);
    printf(\"%d\\n\", a[3]);
    return 0;
}
";
    let (report, status) = checked(text, &[]);
    assert_eq!(status, 1);
    let one = &findings(&report)[0];
    assert_eq!(said(&report), [("never-copied-back".to_owned(), 12)], "{report}");
    assert_eq!((&one["object"], &one["function"]), (&"a".into(), &"main".into()));
    assert_eq!(one["confidence"], "proven");
    let lines: Vec<u64> = one["related"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [6, 4]);
}

#[test]
fn the_text_shows_the_lines_and_counts() {
    let folder = with(LOST);
    let output = check_in(folder.path(), &["a.c"]);
    let text = stdout(&output);
    assert_eq!(status(&output), 1);
    assert!(text.starts_with("error[scalar-change-lost]: "), "{text}");
    for part in [
        "--> a.c:9:12",
        "4 |     #pragma omp target",
        "6 |         last = v[i];",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("proven, followed from f"), "{text}");
    assert!(text.ends_with("\n1 error, 0 warnings\n"), "{text}");
    assert_eq!(stderr(&output), "");
    let folder = with(&mended());
    let output = check_in(folder.path(), &["a.c"]);
    assert_eq!(
        (status(&output), stdout(&output)),
        (0, "0 errors, 0 warnings\n".to_owned())
    );
}

#[test]
fn one_finding_in_a_header_of_two_files_is_one_finding() {
    let folder = tempfile::tempdir().unwrap();
    let header = format!("static inline {LOST}");
    fs::write(folder.path().join("lost.h"), header).unwrap();
    fs::write(folder.path().join("a.c"), "#include \"lost.h\"\n").unwrap();
    fs::write(folder.path().join("b.c"), "#include \"lost.h\"\n").unwrap();
    for files in [&["a.c"][..], &["a.c", "b.c"]] {
        let output = check_in(folder.path(), &[&["--format", "json"][..], files].concat());
        let report = valid_json(&stdout(&output));
        assert_eq!(said(&report), lost_in(9), "{report}");
        assert!(findings(&report)[0]["file"].as_str().unwrap().ends_with("lost.h"));
    }
}

#[test]
fn directives_of_another_file_matter_where_they_can_be_reached() {
    let main = "\
#include <stdio.h>
void init(int *a, int n);
int main(void)
{
    int a[10];
    init(a, 10);
    #pragma omp target map(alloc: a)
    a[2]++;
    printf(\"%d\\n\", a[2]);
    return 0;
}
";
    let other = |linkage: &str| {
        format!(
            "\
{linkage}void init(int *a, int n)
{{
    #pragma omp target teams distribute parallel for map(from: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}}
int first(void)
{{
    int a[10];
    init(a, 10);
    return a[0];
}}
"
        )
    };
    // Its name is not that of the function which `main` calls, of which nothing is known.
    for (linkage, sure) in [("static ", vec![]), ("", vec![("never-copied-in".to_owned(), 8)])] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.c"), main).unwrap();
        fs::write(folder.path().join("b.c"), other(linkage)).unwrap();
        let found = check_in(
            folder.path(),
            &["--format", "json", "a.c", "b.c", "--", "-fopenmp"],
        );
        let report: Value = serde_json::from_slice(&found.stdout).unwrap();
        let whys: Vec<&Value> = report["unknown"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["why"])
            .collect();
        assert!(
            !whys
                .iter()
                .any(|why| why.as_str().unwrap().contains("functions of other files")),
            "{linkage}: {report}"
        );
        let said = said(&report);
        for one in sure {
            assert!(said.contains(&one), "{linkage}: {report}");
        }
    }
}

/// A function that is called may have another name for what a clause of its caller names: the help is for the clause's place.
#[test]
fn help_for_a_clause_names_what_the_clause_names() {
    let text = "\
static void add(int *data, int n)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        data[i] += 1;
}
int main(void)
{
    int n = 90, host[90] = {0};
    #pragma omp target data map(tofrom: host[0:n])
    {
        add(host, n);
        #pragma omp target update to(host[0:n])
        add(host, n);
    }
    return host[3];
}
";
    let (report, _) = checked(text, &[]);
    assert_eq!(
        said(&report),
        [("device-write-overwritten".to_owned(), 5)],
        "{report}"
    );
    let help = findings(&report)[0]["help"].as_str().unwrap();
    assert!(help.contains("the update of `host[0:n]`"), "{help}");
    assert!(help.contains("update from(host[0:n])"), "{help}");
}

#[test]
fn sections_of_rows_count_rows() {
    // A column is in all rows: whole ones have to be moved. `m` is a pointer to rows, whose storage is `grid`.
    let text = "\
#include <stdio.h>
static double column(double (*m)[16], int rows)
{
    double s = 0;
    #pragma omp target teams distribute parallel for reduction(+: s) map(tofrom: s)
    for (int i = 0; i < rows; i++)
        s += m[i][3];
    return s;
}
int main(void)
{
    static double grid[8][16];
    #pragma omp target data map(to: grid)
    {
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 16; j++)
                grid[i][j] = i + j;
        printf(\"%g\\n\", column(grid, 8));
    }
    return 0;
}
";
    let (report, _) = checked(text, &[]);
    assert_eq!(said(&report), [("stale-device-read".to_owned(), 7)], "{report}");
    let help = findings(&report)[0]["help"].as_str().unwrap();
    assert!(help.contains("update to(m[0:8])"), "{help}");

    let beyond = "\
static void twice(int c[19][21], int d[19][21])
{
    #pragma omp target teams distribute parallel for map(to: c[0:19 * 21]) map(from: d[0:19])
    for (int k = 0; k < 19; k++)
        for (int j = 0; j < 21; j++)
            d[k][j] = 2 * c[k][j];
}
int main(void)
{
    static int a[19][21], b[19][21];
    twice(a, b);
    return b[1][1];
}
";
    let (report, _) = checked(beyond, &[]);
    assert_eq!(
        said(&report),
        [("section-beyond-object".to_owned(), 3)],
        "{report}"
    );
    let one = &findings(&report)[0];
    assert!(
        one["message"].as_str().unwrap().contains("[0:399] of [0:19]"),
        "{one}"
    );
    assert!(one["help"].as_str().unwrap().contains("`c[0:19]`"), "{one}");
}

#[test]
fn the_status_is_0_for_clean_1_for_findings_and_2_for_what_could_not_be_done() {
    assert_eq!(checked(&mended(), &[]).1, 0);
    assert_eq!(checked(LOST, &[]).1, 1);
    // A file that is not there; what can be done is done.
    let folder = with(LOST);
    let output = check_in(folder.path(), &["--format", "json", "a.c", "nowhere.c"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).starts_with("error"), "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    assert_eq!(said(&report), lost_in(9));
    assert_eq!(report["files"][0]["read"], true);
    assert_eq!(report["files"][1]["read"], false);
    assert_eq!(report["files"][1]["findings"][0]["severity"], "error", "{report}");
    // A file with an error: the JSON says which and where.
    let (report, status_of_error) = checked("int x = ;\n", &[]);
    assert_eq!(status_of_error, 2);
    let said = &report["files"][0]["findings"][0];
    assert_eq!(
        (&said["severity"], &said["line"]),
        (&"error".into(), &1.into()),
        "{report}"
    );
    // What the command line does not allow.
    for arguments in [
        &["a.c", "--format", "xml"][..],
        &["--pedantic"],
        &["a.c", "--no-such-option"],
    ] {
        let output = ferry_in(folder.path(), [&["check"][..], arguments].concat());
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stdout(&output).is_empty());
        assert!(stderr(&output).starts_with("error"), "{}", stderr(&output));
    }
}

#[test]
fn only_possible_findings_are_said_when_asked_for() {
    // A program that asks where it runs may mean what it does.
    let asks = LOST.replace("first = -1", "first = omp_is_initial_device()");
    let text = &format!("int omp_is_initial_device(void);\n{asks}");
    let (report, status) = checked(text, &[]);
    assert_eq!((status, findings(&report).len()), (0, 0), "{report}");
    assert_eq!(report["not_said"]["possible"], 1, "{report}");
    let (report, status) = checked(text, &["--pedantic"]);
    assert_eq!((status, findings(&report).len()), (1, 1), "{report}");
    assert_eq!(report["not_said"]["possible"], 0);
    let one = &findings(&report)[0];
    assert_eq!(
        (&one["confidence"], &one["severity"]),
        (&"possible".into(), &"note".into())
    );
    assert_eq!(said(&report), lost_in(10));
    let folder = with(text);
    let output = check_in(folder.path(), &["a.c"]);
    assert_eq!(
        stdout(&output),
        "0 errors, 0 warnings; not said: 1 only possible (--pedantic says them)\n"
    );
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let programs: Vec<String> = programs().into_iter().step_by(4).collect();
    let folder = root().join("tests/checks");
    let run = |format: &str, threads: &str| {
        let mut arguments = vec!["--format", format, "--threads", threads, "--pedantic"];
        arguments.extend(programs.iter().map(String::as_str));
        let output = check_in(&folder, &arguments);
        (status(&output), stdout(&output), stderr(&output))
    };
    for format in ["text", "json", "sarif"] {
        let one = run(format, "1");
        assert_eq!(one.0, 1);
        assert!(one.1.len() > 1000);
        assert_eq!(one, run(format, "2"), "{format}");
    }
}

/// The program with a comment behind one of its lines, or before it.
fn with_comment(line: usize, comment: &str, before: bool) -> String {
    let mut lines: Vec<String> = LOST.lines().map(str::to_owned).collect();
    if before {
        lines.insert(line - 1, format!("    {comment}"));
    } else {
        lines[line - 1].push(' ');
        lines[line - 1].push_str(comment);
    }
    lines.join("\n") + "\n"
}

/// How many findings there are, how many are allowed, and the status.
fn allowed(text: &str) -> (usize, u64, i32) {
    let (report, status) = checked(text, &[]);
    let allowed = report["not_said"]["allowed"].as_u64().unwrap();
    (findings(&report).len(), allowed, status)
}

#[test]
fn comments_allow_findings_on_a_line_of_theirs_or_the_one_before() {
    let comment = "// ferry: allow(scalar-change-lost) the last one is not needed";
    // The line of the finding, and those of its other places: the write and the directive.
    for line in [9, 6] {
        assert_eq!(
            allowed(&with_comment(line, comment, false)),
            (0, 1, 0),
            "line {line}"
        );
    }
    for line in [9, 6, 4] {
        assert_eq!(
            allowed(&with_comment(line, comment, true)),
            (0, 1, 0),
            "before line {line}"
        );
    }
    assert_eq!(
        allowed(&with_comment(9, "/* ferry: allow(scalar-change-lost) */", false)),
        (0, 1, 0)
    );
    // Elsewhere it allows nothing.
    assert_eq!(allowed(&with_comment(8, comment, false)), (1, 0, 1));
    assert_eq!(allowed(&with_comment(8, comment, true)), (1, 0, 1));
    assert_eq!(allowed(&with_comment(1, comment, true)), (1, 0, 1));
}

#[test]
fn comments_allow_the_rules_that_they_name_and_no_others() {
    let behind = |rules: &str| {
        allowed(&with_comment(
            9,
            &format!("// ferry: allow({rules}) because"),
            false,
        ))
    };
    assert_eq!(behind("stale-host-read"), (1, 0, 1));
    // The name of no rule allows nothing, and is an error.
    assert_eq!(behind("scalar-change"), (1, 0, 2));
    assert_eq!(behind("stale-host-read, scalar-change-lost"), (0, 1, 0));
    assert_eq!(behind("scalar-change-lost,never-copied-back"), (0, 1, 0));
    assert_eq!(behind("stale-host-read, never-copied-back"), (1, 0, 1));
    // One line, two findings of different rules: each needs its own word.
    let two = LOST
        .replace(
            "last = -1;",
            "last = -1, b[9] = {0};\n    #pragma omp target map(to: b)\n    b[1] = 4;",
        )
        .replace("last + first;", "last + first + b[1];");
    let (report, _) = checked(&two, &[]);
    assert_eq!(findings(&report).len(), 2, "{two}: {report}");
    let line = |rules: &str| {
        let text = two.replace(
            "first + b[1];",
            &format!("first + b[1]; // ferry: allow({rules})"),
        );
        allowed(&text)
    };
    assert_eq!(line("scalar-change-lost"), (1, 1, 1));
    assert_eq!(line("never-copied-back"), (1, 1, 1));
    assert_eq!(line("never-copied-back, scalar-change-lost"), (0, 2, 0));
}

#[test]
fn what_is_allowed_is_said_in_the_text_and_kept_by_the_other_commands() {
    let folder = with(&with_comment(
        9,
        "// ferry: allow(scalar-change-lost) known",
        false,
    ));
    let output = check_in(folder.path(), &["a.c"]);
    assert_eq!(
        stdout(&output),
        "0 errors, 0 warnings; not said: 1 allowed in the text\n"
    );
    for command in ["report", "annotate"] {
        let output = ferry_in(folder.path(), [command, "a.c", "--", "-fopenmp"]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
    }
}

#[test]
fn findings_of_a_baseline_are_silent_and_new_ones_are_not() {
    let folder = with(LOST);
    let old = check_in(folder.path(), &["a.c", "--format", "json"]);
    fs::write(folder.path().join("old.json"), &old.stdout).unwrap();
    let with_baseline = |text: &str| {
        fs::write(folder.path().join("a.c"), text).unwrap();
        let output = check_in(
            folder.path(),
            &["a.c", "--format", "json", "--baseline", "old.json"],
        );
        let report = valid_json(&stdout(&output));
        let silent = report["not_said"]["in_baseline"].as_u64().unwrap();
        (said(&report), silent, status(&output))
    };
    assert_eq!(with_baseline(LOST), (Vec::new(), 1, 0));
    // Moved, and with other white space.
    let moved = format!("/* one\n   two */\n\nint g(void);\n{LOST}");
    assert_eq!(with_baseline(&moved), (Vec::new(), 1, 0));
    let spaced = LOST.replace("    return last + first;", "\treturn  last +\tfirst;");
    assert_eq!(with_baseline(&spaced), (Vec::new(), 1, 0));
    // The same in another function, of another variable, and in another line is new.
    let other = format!("{LOST}{}", LOST.replace("int f(", "int g("));
    assert_eq!(with_baseline(&other), (lost_in(19), 1, 1));
    assert_eq!(with_baseline(&LOST.replace("last", "latest")), (lost_in(9), 0, 1));
    assert_eq!(
        with_baseline(&LOST.replace("last + first", "first + last")),
        (lost_in(9), 0, 1)
    );
    assert_eq!(with_baseline(&mended()), (Vec::new(), 0, 0));
}

#[test]
fn fingerprints_do_not_depend_on_the_lines_above() {
    let print = |text: &str| {
        let (report, _) = checked(text, &[]);
        findings(&report)[0]["fingerprint"].as_str().unwrap().to_owned()
    };
    let plain = print(LOST);
    assert_eq!(plain, print(&format!("\n\n// more\nint g(void);\n{LOST}")));
    assert_ne!(plain, print(&LOST.replace("int f(", "int g(")));
    assert_ne!(plain, print(&LOST.replace("last", "latest")));
}

#[test]
fn a_baseline_that_cannot_be_read_is_one_clear_message() {
    let folder = with(LOST);
    fs::write(folder.path().join("text"), "no JSON").unwrap();
    fs::write(folder.path().join("other.json"), "{\"loops\": []}").unwrap();
    for (file, words) in [
        ("nowhere.json", "No such file"),
        ("text", "this is no JSON"),
        (
            "other.json",
            "this is not what `ferry check --format json` writes",
        ),
    ] {
        let output = check_in(folder.path(), &["a.c", "--baseline", file]);
        assert_eq!(status(&output), 2, "{file}");
        assert!(stdout(&output).is_empty());
        let text = stderr(&output);
        assert!(text.contains(words) && text.contains(file), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("error")).count(), 1);
    }
}

#[test]
fn every_rule_has_a_page_with_its_sections() {
    let rules = rules();
    assert!(rules.len() >= 26, "{rules:?}");
    for rule in &rules {
        let output = ferry(["explain", rule]);
        assert_eq!(status(&output), 0, "{rule}");
        let page = stdout(&output);
        let file = root().join(format!("crates/checks/pages/{rule}.md"));
        assert_eq!(page, fs::read_to_string(file).unwrap());
        assert!(page.starts_with(&format!("# {rule}\n")), "{page}");
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(
            headings,
            ["## Wrong", "## Right", "## How sure", "## Fix and its safety"],
            "{rule}"
        );
        // Both examples are there, and only the first has something to find.
        let (wrong, right) = page.split_once("## Right").unwrap();
        let (wrong, right) = (
            wrong.split_once("```c").unwrap().1,
            right.split_once("```c").unwrap().1,
        );
        assert!(wrong.contains(&format!("// finds: {rule}")), "{rule}");
        assert!(!right.contains("// finds:"), "{rule}");
    }
}

#[test]
fn a_rule_that_does_not_exist_has_no_page() {
    let output = ferry(["explain", "stale-host-reads"]);
    assert_eq!(status(&output), 2);
    assert!(stdout(&output).is_empty());
    let text = stderr(&output);
    assert!(
        text.starts_with("error: there is no rule stale-host-reads;"),
        "{text}"
    );
    assert!(text.trim_end().ends_with(", unprotected-update"), "{text}");
    assert_eq!(status(&ferry(["explain"])), 2);
}

#[test]
fn the_manual_lists_the_rules_with_their_titles() {
    let table = table();
    let names: BTreeSet<String> = table.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names, rules());
    assert_eq!(table.len(), names.len());
    let folder = with(LOST);
    let log = stdout(&check_in(folder.path(), &["a.c", "--format", "sarif"]));
    let log: Value = serde_json::from_str(&log).unwrap();
    let driver = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for (name, rest) in table {
        let rule = driver.iter().find(|one| one["id"] == name.as_str()).unwrap();
        let title = rule["shortDescription"]["text"].as_str().unwrap();
        assert!(rest.ends_with(title), "{name}: {rest}; its title is {title}");
    }
}

/// Every way in which data come to the device and leave it, each directive once.
const JOURNEY: &str = "\
#include <stdio.h>
static double a[40], b[40], c[40];
static void twice(double *v)
{
    #pragma omp target map(tofrom: v[0:40])
    for (int i = 0; i < 40; i++)
        v[i] *= 2;
}
int main(void)
{
    for (int i = 0; i < 40; i++)
        a[i] = b[i] = c[i] = i;
    #pragma omp target enter data map(to: a) map(alloc: b)
    #pragma omp target update to(b[10:20])
    #pragma omp target map(to: a) map(tofrom: b, c)
    for (int i = 10; i < 30; i++)
        c[i] = b[i] = a[i] + b[i];
    #pragma omp target data map(always, from: b[10:20])
    {
        twice(b + 10 - 10);
        #pragma omp target update from(b[12:4])
    }
    #pragma omp target exit data map(delete: a) map(from: b[10:20])
    for (int i = 10; i < 30; i++)
        printf(\"%g %g\\n\", b[i], c[i]);
    return 0;
}
";

/// The lines of JOURNEY's directives.
const STATIONS: [u64; 7] = [5, 13, 14, 15, 18, 21, 23];

fn explained(folder: &Path, line: u64) -> String {
    let place = format!("a.c:{line}");
    let output = ferry_in(
        folder,
        ["check", "--explain-data", &place, "a.c", "--", "-fopenmp"],
    );
    assert_eq!(status(&output), 0, "{line}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn what_directives_are_said_to_copy_is_what_a_run_copies() {
    let folder = with(JOURNEY);
    let said: Vec<String> = STATIONS
        .iter()
        .map(|line| explained(folder.path(), *line))
        .collect();
    let all = said.concat();
    let count = |what: &str| all.matches(what).count() as u64;
    let program = Program::new(folder.path().join("a.c"));
    let run = SecondMemory::build(&program)
        .unwrap()
        .run(&[], &Settings::default())
        .unwrap();
    assert_eq!(
        run.moved(DataKind::ToDevice).count,
        count("copied to the device"),
        "{all}"
    );
    assert_eq!(
        run.moved(DataKind::FromDevice).count,
        count("copied back to the host"),
        "{all}"
    );
    // Each is what the specification says of it, too.
    let expected = [
        (
            0,
            "v[0:40]\n    at the beginning: is on the device already, nothing is copied; then mapped 3 times\n    \
             at the end: nothing is copied, and stays: mapped twice\n",
        ),
        (
            1,
            "a[0:40]\n    is allocated, copied to the device; then mapped once\n",
        ),
        (
            1,
            "b[0:40]\n    is allocated, nothing is copied; then mapped once\n",
        ),
        (
            2,
            "b[10:20]\n    is on the device already, copied to the device\n",
        ),
        (
            3,
            "c[0:40]\n    at the beginning: is allocated, copied to the device; then mapped once\n    \
             at the end: copied back to the host, and released\n",
        ),
        (
            4,
            "b[10:20]\n    at the beginning: is on the device already, nothing is copied; then mapped twice\n    \
             at the end: copied back to the host, and stays: mapped once\n",
        ),
        (
            5,
            "b[12:4]\n    is on the device already, copied back to the host\n",
        ),
        (6, "a[0:40]\n    nothing is copied, and released\n"),
        (6, "b[10:20]\n    copied back to the host, and released\n"),
    ];
    for (number, text) in expected {
        assert!(said[number].contains(text), "{text}\nin\n{}", said[number]);
    }
}

#[test]
fn data_of_a_loop_and_of_a_caller_are_told_apart() {
    let text = "\
static int v[9];
void f(int *p, int n)
{
    #pragma omp target data map(to: p[0:n])
    for (int k = 0; k < 3; k++) {
        #pragma omp target enter data map(to: v)
    }
}
";
    let folder = with(text);
    let said = explained(folder.path(), 4);
    assert!(
        said.contains("may be on the device, put there by a caller"),
        "{said}"
    );
    assert!(said.contains("copied to the device if it is not there"), "{said}");
    let said = explained(folder.path(), 6);
    assert!(said.contains("    or: "), "{said}");
    for (place, why) in [
        ("a.c:5", "there is no directive at a.c:5"),
        ("b.c:4", "b.c is not one of the files"),
        ("a.c", "FILE:LINE"),
    ] {
        let output = ferry_in(folder.path(), ["check", "--explain-data", place, "a.c"]);
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn a_reduction_is_lost_before_openmp_5() {
    let text = "\
int f(int n, const int *v)
{
    int sum = 0;
    #pragma omp target teams distribute parallel for map(to: v[0:n]) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}
";
    assert_eq!(said(&checked(text, &[]).0), []);
    assert_eq!(said(&checked(text, &["--openmp", "5.2"]).0), []);
    let lost = ("scalar-change-lost".to_owned(), 7);
    assert_eq!(said(&checked(text, &["--openmp", "4.5"]).0), [lost]);
    let mapped = text.replace("map(to: v[0:n])", "map(to: v[0:n]) map(tofrom: sum)");
    assert_eq!(said(&checked(&mapped, &["--openmp", "4.5"]).0), []);
    let folder = with(text);
    assert_eq!(status(&check_in(folder.path(), &["a.c", "--openmp", "4.0"])), 2);
}

/// OpenMP 5.0 §2.19.7: what a combined construct has in `linear` comes back, too. clang 19 does not do that, so that no run of it shows it.
#[test]
fn a_linear_variable_of_a_combined_construct_comes_back() {
    let text = "\
int f(int n, int *v)
{
    int k = 0;
    #pragma omp target parallel for simd linear(k: 1) map(tofrom: v[0:n])
    for (int i = 0; i < n; i++) {
        v[k] = i;
        k++;
    }
    return k;
}
";
    assert_eq!(said(&checked(text, &[]).0), []);
    let lost = ("scalar-change-lost".to_owned(), 9);
    let copied = text.replace("linear(k: 1)", "firstprivate(k)");
    assert_eq!(said(&checked(&copied, &[]).0), [lost]);
}

#[test]
fn a_comment_that_allows_no_rule_is_an_error() {
    let text = LOST.replace(
        "    return last",
        "    // ferry: allow(scalar-change-lots) meant\n    return last",
    );
    let folder = with(&text);
    let output = check_in(folder.path(), &["a.c"]);
    assert_eq!(status(&output), 2);
    let said = stderr(&output);
    assert!(said.contains("there is no rule \"scalar-change-lots\""), "{said}");
    assert!(said.contains("a.c:9:5"), "{said}");
}

/// What is said of a text with `--pedantic`: rule, line and how sure.
fn pedantic(text: &str) -> Vec<(String, u64, String)> {
    let (report, status) = checked(text, &["--pedantic"]);
    assert!(status < 2, "{report:#}");
    let word = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
    findings(&report)
        .iter()
        .map(|one| {
            (
                word(one, "rule"),
                one["line"].as_u64().unwrap(),
                word(one, "confidence"),
            )
        })
        .collect()
}

/// gcc takes the pointer itself for what is to be there, nvc what it leads to, so that no run here shows what is meant.
#[test]
fn pointers_in_a_data_construct_are_followed_by_the_kernels_in_it() {
    for clause in ["present(a)", "no_create(a)", "attach(a)", "deviceptr(a)"] {
        for kernel in ["parallel loop", "kernels", "serial"] {
            let text = format!(
                "\
static void step(int n, double *a)
{{
    #pragma acc data {clause}
    {{
        #pragma acc {kernel}
        for (int i = 0; i < n; i++)
            a[i] += 1;
    }}
}}
int main(void)
{{
    double b[100] = {{0}};
    #pragma acc enter data copyin(b)
    step(100, b);
    #pragma acc exit data copyout(b)
    return b[3] > 1;
}}
"
            );
            assert_eq!(said(&checked(&text, &[]).0), [], "{clause}, {kernel}");
        }
    }
}

#[test]
fn what_a_declaration_does_not_name_is_on_the_host_alone() {
    let text = |before: &str| {
        format!(
            "\
{before}
static int n;
#pragma omp declare target
static int other;
#pragma omp end declare target
int main(void)
{{
    int sum = 0;
    n = 5;
    #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 10; i++)
        sum += a[i] * n;
    return sum > 9;
}}
"
        )
    };
    for before in [
        "static int a[10];\n#pragma omp declare target to(a) /* n of them */",
        "static int a[10];\n#pragma omp declare target to(a) // n of them",
        "static int a[10];\n#pragma omp declare target(a)",
    ] {
        assert_eq!(said(&checked(&text(before), &[]).0), [], "{before}");
    }
    // A variable that is declared in the region is older there.
    let stale = text("static int a[10];").replace(
        "static int n;\n#pragma omp declare target",
        "#pragma omp declare target\nstatic int n;",
    );
    assert_eq!(
        said(&checked(&stale, &[]).0),
        [("stale-device-read".to_owned(), 12)]
    );
}

#[test]
fn directives_that_are_not_read_are_said() {
    let text = "\
int main(void)
{
    int a[10] = {0};
    [[omp::directive(target map(to: a))]]
    a[3] = 1;
    return a[3];
}
";
    let (report, _) = checked(text, &["--", "-std=c2x"]);
    let why = report["unknown"][0]["why"].as_str().unwrap();
    assert!(why.contains("written as attributes"), "{report:#}");
}

#[test]
fn what_an_undecided_if_of_a_directive_does_is_likely() {
    let text = "\
int main(int argc, char **argv)
{
    int a[10] = {0};
    #pragma acc update device(a)
    return a[3];
}
";
    let missing = |sure: &str| [("present-missing".to_owned(), 4, sure.to_owned())];
    assert_eq!(pedantic(text), missing("proven"));
    let with = |condition: &str| text.replace("device(a)", &format!("device(a) if({condition})"));
    assert_eq!(pedantic(&with("1")), missing("proven"));
    assert_eq!(pedantic(&with("argc > 3")), missing("likely"));
    assert_eq!(pedantic(&with("0")), []);
}

/// A variable that is declared for the device may be any.
#[test]
fn where_declarations_are_not_understood_all_is_only_possible() {
    let text = |declared: &str| {
        format!(
            "int v;\n#pragma omp declare target to({declared})\nint main(void)\n{{\n    int n = 0;\n    #pragma omp target\n    n = 1;\n    return n;\n}}\n"
        )
    };
    let lost = |sure: &str| [("scalar-change-lost".to_owned(), 8, sure.to_owned())];
    assert_eq!(pedantic(&text("v")), lost("proven"));
    assert_eq!(pedantic(&text("unheard_of")), lost("possible"));
    let (report, _) = checked(&text("unheard_of"), &[]);
    let why = report["unknown"][0]["why"].as_str().unwrap();
    assert!(
        why.contains("what directives declare could not be read"),
        "{report:#}"
    );
    assert_eq!(report["unknown"][0]["line"], 2, "{report:#}");
}

/// With one thread nothing runs at a time; where it is not decided whether there are more, it is not proven.
#[test]
fn what_threads_under_an_undecided_if_do_is_likely() {
    let text = |clause: &str| {
        format!(
            "int main(int argc, char **argv)\n{{\n    int sum = 0, none = 0;\n    #pragma omp parallel for{clause}\n    for (int i = 0; i < 100; i++)\n        sum = sum + i;\n    #pragma omp parallel{clause}\n    sum = sum + 1;\n    return sum == none;\n}}\n"
        )
    };
    let both = |sure: &str| {
        [
            ("directive-contradicts-dependence".to_owned(), 4, sure.to_owned()),
            ("unprotected-update".to_owned(), 8, sure.to_owned()),
        ]
    };
    for (clause, found) in [
        ("", &both("proven")[..]),
        (" if(1)", &both("proven")),
        (" if(argc > 3)", &both("likely")),
        (" if(none)", &[]),
        (" if(parallel: none > 0)", &[]),
    ] {
        assert_eq!(pedantic(&text(clause)), found, "{clause}");
    }
}

/// The threads of a loop are those of the region around it, also in a caller.
#[test]
fn threads_are_those_of_the_region_around() {
    let text = |clause: &str| {
        format!(
            "static int sum;\nstatic void add(void)\n{{\n    #pragma omp for\n    for (int i = 0; i < 100; i++)\n        sum = sum + i;\n}}\nint main(int argc, char **argv)\n{{\n    int none = 0, one = 1, many = 4;\n    #pragma omp parallel{clause}\n    {{\n        add();\n        #pragma omp for\n        for (int i = 0; i < 100; i++)\n            sum = sum + i;\n    }}\n    return sum == none + one + many;\n}}\n"
        )
    };
    let both = |sure: &str| {
        let rule = "directive-contradicts-dependence";
        [4, 14].map(|line| (rule.to_owned(), line, sure.to_owned()))
    };
    for (clause, found) in [
        ("", &both("proven")[..]),
        (" num_threads(many)", &both("proven")),
        (" num_threads(argc)", &both("likely")),
        (" if(argc > 3)", &both("likely")),
        (" num_threads(one)", &[]),
        (" num_threads(1)", &[]),
        (" if(none)", &[]),
        (" if(0)", &[]),
    ] {
        assert_eq!(pedantic(&text(clause)), found, "{clause}");
    }
    let teams = |clauses: &str| {
        format!(
            "int main(void)\n{{\n    int sum = 0, one = 1;\n    #pragma omp target teams distribute parallel for map(tofrom: sum){clauses}\n    for (int i = 0; i < 100; i++)\n        sum = sum + i;\n    return sum == one;\n}}\n"
        )
    };
    assert!(!pedantic(&teams("")).is_empty());
    assert!(!pedantic(&teams(" num_teams(one)")).is_empty());
    assert!(!pedantic(&teams(" thread_limit(one)")).is_empty());
    assert_eq!(pedantic(&teams(" num_teams(one) thread_limit(1)")), []);
}

/// What the program asks for holds for the regions that the same task begins later and that do not say it themselves.
#[test]
fn threads_are_as_many_as_were_asked_for() {
    let text = |before: &str, clause: &str| {
        format!(
            "void omp_set_num_threads(int);\nvoid elsewhere(void);\nstatic void ask(int n) {{ omp_set_num_threads(n); }}\nstatic void (*how)(int);\nint main(int argc, char **argv)\n{{\n    int sum = 0, one = 1, many = 4;\n    {before}\n    #pragma omp {clause}\n    for (int i = 0; i < 100; i++)\n        sum = sum + i;\n    return sum == one + many;\n}}\n"
        )
    };
    let sure = |before: &str, clause: &str| {
        let program = text(before, clause);
        let at = program
            .rsplit("#pragma")
            .next()
            .map(|behind| behind.lines().count());
        let line = program.lines().count() + 1 - at.unwrap_or(0);
        let said = pedantic(&program);
        let [(rule, found, sure)] = &said[..] else {
            assert_eq!(said, [], "{before} {clause}");
            return "nothing".to_owned();
        };
        assert_eq!(
            (&rule[..], *found),
            ("directive-contradicts-dependence", line as u64),
            "{before}"
        );
        sure.clone()
    };
    let host = "parallel for";
    let table = [
        ("", host, "proven"),
        ("elsewhere();", host, "proven"),
        ("omp_set_num_threads(1);", host, "nothing"),
        ("omp_set_num_threads(one);", host, "nothing"),
        ("omp_set_num_threads(many);", host, "proven"),
        ("omp_set_num_threads(argc);", host, "likely"),
        ("omp_set_num_threads(1);", "parallel for num_threads(2)", "proven"),
        (
            "omp_set_num_threads(2);",
            "parallel for num_threads(1)",
            "nothing",
        ),
        ("omp_set_num_threads(1); omp_set_num_threads(4);", host, "proven"),
        ("omp_set_num_threads(4); omp_set_num_threads(1);", host, "nothing"),
        ("ask(1);", host, "nothing"),
        ("ask(1); ask(3);", host, "proven"),
        ("if (argc > 2) omp_set_num_threads(1);", host, "likely"),
        ("if (argc > 2) ask(1); else ask(one);", host, "nothing"),
        ("for (int k = 0; k < argc; k++) ask(k + 2);", host, "likely"),
        ("for (int k = 0; k < argc; k++) elsewhere();", host, "proven"),
        (
            "ask(1); for (int k = 0; k < argc; k++) elsewhere();",
            host,
            "nothing",
        ),
        ("how = ask; how(1);", host, "likely"),
        // What a task asks for is its own.
        ("\n#pragma omp parallel\nomp_set_num_threads(1);", host, "proven"),
        ("\n#pragma omp single\nomp_set_num_threads(1);", host, "nothing"),
        // A device has been asked for nothing.
        (
            "omp_set_num_threads(1);",
            "target parallel for map(tofrom: sum)",
            "proven",
        ),
    ];
    let said = table.map(|(before, clause, _)| (before, clause, sure(before, clause)));
    assert_eq!(
        said,
        table.map(|(before, clause, sure)| (before, clause, sure.to_owned()))
    );
    // One of several threads asks, and not the others.
    let inside = |construct: &str| {
        let text = format!(
            "void omp_set_num_threads(int);\nint main(void)\n{{\n    int sum = 0;\n    #pragma omp parallel\n    {{\n        {construct}\n        omp_set_num_threads(1);\n        #pragma omp parallel for\n        for (int i = 0; i < 100; i++)\n            sum = sum + i;\n    }}\n    return sum;\n}}\n"
        );
        pedantic(&text).len()
    };
    assert_eq!([inside("#pragma omp single"), inside("")], [2, 1]);
    // Who calls the function is not known, but that somebody asks for one thread.
    let alone = |asked: &str| {
        let text = format!(
            "void omp_set_num_threads(int);\nint sum;\nvoid begin(void) {{ omp_set_num_threads({asked}); }}\nvoid add(void)\n{{\n    #pragma omp parallel for\n    for (int i = 0; i < 100; i++)\n        sum = sum + i;\n}}\n"
        );
        pedantic(&text).into_iter().map(|one| one.2).collect::<Vec<_>>()
    };
    assert_eq!(alone("1"), ["likely"]);
    assert_eq!(alone("4"), ["proven"]);
}

/// Of variables from outside of a region: what all threads set and read again, where nothing orders them.
#[test]
fn scratch_that_all_threads_share_is_found() {
    let said = |body: &str| {
        let program = format!(
            "#include <omp.h>\nvoid seen(double); void unseen(void); extern void (*take)(void); extern volatile int turn;\nvoid f(int n, double *a, int *b, int once, omp_lock_t *lock)\n{{\n    int i, k; double t, mine = 0;\n    #pragma omp parallel private(mine)\n    {{\n        int me = omp_get_thread_num();\n        {body}\n    }}\n}}\n"
        );
        let said = pedantic(&program);
        assert!(
            said.iter().all(|(rule, ..)| rule == "unprotected-update"),
            "{body}: {said:?}"
        );
        said.into_iter()
            .map(|(.., sure)| sure)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let table = [
        ("t = me; a[me] = t;", "proven"),
        ("t = me * 2.0; mine = t; a[me] = mine;", "proven"),
        ("for (i = b[me]; i < b[me + 1]; i++) a[i] = 0;", "proven"),
        ("for (i = 0; i < n; i++) mine += a[i];", "likely"),
        (
            "for (int j = b[me]; j < b[me + 1]; j++) { t = a[j]; mine += t; }",
            "likely",
        ),
        (
            "for (int j = me; j < n; j += 3 * n) { t = a[j]; mine += t; }",
            "likely",
        ),
        (
            "for (int j = 0; j < 3; j++) { t = a[j + me]; mine += t; }",
            "likely",
        ),
        // What all set to one value, what nobody reads, and what is not read again.
        ("t = n; a[me] = t;", ""),
        ("t = me;", ""),
        ("mine = t; t = me;", ""),
        (
            "for (int s = 0; s < n; s++) {\nk = s % 2; a[me] = k;\n#pragma omp barrier\n}",
            "",
        ),
        ("t = me;\n#pragma omp barrier\nt = n; a[me] = t;", ""),
        // Who comes there, and when, others decide.
        ("if (me == 0) { t = me; a[me] = t; }", ""),
        ("if (once) { t = me; a[me] = t; }", ""),
        ("if (once) t = me; a[me] = t;", ""),
        ("for (int j = 0; j < n; j++) t = j; a[me] = t;", ""),
        (
            "for (int first = me == 0; first; first = 0) { t = first + me; a[0] = t; }",
            "",
        ),
        ("for (int j = me; j < 1; j++) { t = a[j]; mine += t; }", ""),
        ("for (int j = me; j < 1; j += n) { t = a[j]; mine += t; }", ""),
        ("for (int j = 0; j < b[me]; j++) { t = a[j]; mine += t; }", ""),
        ("for (int j = 0; j < 0; j++) { t = a[j]; mine += t; }", ""),
        ("while (me == 0) { t = a[me]; mine += t; me--; }", ""),
        (
            "for (int j = b[me]; j == me; j += n) { t = a[j]; mine += t; }",
            "",
        ),
        (
            "while (__atomic_exchange_n(&k, 1, 2)) ; t = me; a[me] = t; __atomic_store_n(&k, 0, 3);",
            "",
        ),
        ("while (turn != me) ; t = me; a[me] = t; turn = turn + 1;", ""),
        ("if (me > 2) { t = me; a[me] = t; } else unseen();", ""),
        (
            "for (int j = me; j < n; j++) { if (b[j]) break; t = a[j]; mine += t; }",
            "",
        ),
        ("unseen(); t = me; a[me] = t; unseen();", ""),
        ("take(); t = me; a[me] = t; take();", ""),
        ("omp_set_lock(lock); t = me; a[me] = t; omp_unset_lock(lock);", ""),
        ("while (n > 0) { unseen(); t = me; a[me] = t; n--; }", ""),
        ("\n#pragma omp critical\n{ t = me; a[me] = t; }", ""),
        ("\n#pragma omp single\n{ t = me; a[me] = t; }", ""),
        ("\n#pragma omp task\n{ t = me; a[me] = t; }", ""),
        (
            "}\n#pragma omp parallel master taskloop\nfor (i = 0; i < n; i++) {\na[i] = i;",
            "",
        ),
        // Under no lock: what comes before the first call that may take one, and what comes behind the last one that may let it go.
        ("t = me; a[me] = t; unseen();", "proven"),
        ("unseen(); t = me; a[me] = t;", "proven"),
        ("t = me; seen(t);", "proven"),
        ("t = me; unseen(); a[me] = t;", ""),
    ];
    every_row_says(&table, said);
}

/// Each text with what is said of it; all that differ are shown.
#[track_caller]
fn every_row_says<T: AsRef<str>>(table: &[(T, &str)], said: impl Fn(&str) -> String) {
    let rows = table
        .iter()
        .map(|(text, wanted)| (text.as_ref(), said(text.as_ref()), *wanted));
    let differ: Vec<_> = rows.filter(|(_, said, wanted)| said != wanted).collect();
    assert!(differ.is_empty(), "text, said, wanted: {differ:#?}");
}

/// Explicit tasks: what runs beside what. Each text stands in a region that one thread runs.
#[test]
fn explicit_tasks_are_ordered() {
    let said = |body: &str| {
        let program = format!(
            "#include <omp.h>\nint unseen(int); int g, h; int v[100]; omp_lock_t lock;\nstatic int waits(int x) {{\n#pragma omp taskwait\nreturn x; }}\nvoid f(int n, int *p, int cond)\n{{\n    int x = 0, y = 0;\n    #pragma omp parallel shared(x, y)\n    #pragma omp single\n    {{\n        int own = 0;\n        {body}\n    }}\n    unseen(x + y);\n}}\n"
        );
        let said = pedantic(&program);
        let rule = "unordered-tasks";
        assert!(said.iter().all(|(one, ..)| one == rule), "{body}: {said:?}");
        let all = said.into_iter().map(|(.., sure)| sure);
        all.collect::<Vec<_>>().join(" ")
    };
    const TASK: &str = "\n#pragma omp task";
    const WAIT: &str = "\n#pragma omp taskwait\n";
    let table = [
        // Who makes it, and a task.
        (format!("{TASK}\nx = 1;\ny = x;"), "proven"),
        (format!("{TASK}\nx = 1;\nx = 2;"), "proven"),
        (format!("{TASK}\nx = 1;\nx = 1;"), ""),
        (format!("y = x;{TASK}\nx = 1;"), ""),
        (format!("{TASK}\ny = x;\nown = x;"), ""),
        (format!("{TASK}\nx = 1;{WAIT}y = x;"), ""),
        (format!("{TASK} if(0)\nx = 1;\ny = x;"), ""),
        (format!("{TASK} if(cond)\nx = 1;\ny = x;"), "likely"),
        (format!("{TASK} final(1)\nx = 1;\ny = x;"), "proven"),
        (format!("{TASK} final(1)\n{{{TASK}\nx = 1;\ny = x; }}"), ""),
        (
            format!("{TASK} final(1)\n{{{TASK}\n{{{TASK}\nx = 1;\ny = x; }} }}"),
            "",
        ),
        (
            format!("{TASK} final(cond)\n{{{TASK}\nx = 1;\ny = x; }}"),
            "likely",
        ),
        // Functions that wait, or may.
        (format!("{TASK}\nx = 1;\nwaits(0); y = x;"), ""),
        (format!("{TASK}\nx = 1;\nx = waits(2);"), ""),
        (format!("{TASK}\nx = 1;\nx = waits(x);"), "proven"),
        (format!("{TASK}\nx = 1;\nunseen(0); y = x;"), ""),
        (format!("{TASK}\n{{ x = unseen(0); }}\ny = x;"), ""),
        // Conditions.
        (format!("if (cond) {{{TASK}\nx = 1; }} y = x;"), "likely"),
        (format!("if (cond) {{{TASK}\nx = 1; }} else y = x;"), ""),
        (format!("if (cond) {{{TASK}\nx = 1; }} if (!cond) y = x;"), ""),
        (format!("{TASK}\nx = 1;\nif (cond) {{{WAIT}}} y = x;"), ""),
        (format!("{TASK}\nif (cond) x = 1;\ny = x;"), "likely"),
        (format!("{TASK}\nx = n > 3 && v[n] ? 1 : 0;\nx = 3;"), "proven"),
        // What a task has for itself.
        (format!("{TASK}\nown = 1;\ny = own;"), ""),
        (format!("{TASK} shared(own)\nown = 1;\ny = own;"), "proven"),
        (format!("{TASK} default(shared)\nown = 1;\ny = own;"), "proven"),
        (
            format!("{TASK} default(none) shared(own)\nown = 1;\ny = own;"),
            "proven",
        ),
        (
            format!("{TASK} default(none) private(own)\nown = 1;\ny = own;"),
            "",
        ),
        (format!("{TASK} firstprivate(x)\nx = 1;\ny = x;"), ""),
        (
            format!("{TASK} shared(own)\n{{{TASK}\nown = 1;\nown = 2; }}{WAIT}"),
            "",
        ),
        (
            format!("{TASK} shared(own)\n{{{TASK} shared(own)\nown = 1;\nown = 2; }}{WAIT}"),
            "proven",
        ),
        (format!("{TASK}\n{{ static int kept; kept += 1; }}\nx = 3;"), ""),
        // Making a copy reads.
        (
            format!("{TASK} shared(own) depend(out: own)\nown = 1;{TASK} depend(in: own)\nx = own;{WAIT}"),
            "proven",
        ),
        (
            format!("{TASK} shared(own) depend(out: own)\nown = 1;{TASK} depend(in: own)\nown = 2;{WAIT}"),
            "",
        ),
        (
            format!("{TASK} shared(own)\nown = 1;{TASK} private(own)\n{{ own = 2; x = own; }}{WAIT}"),
            "",
        ),
        // Tasks of tasks.
        (format!("{TASK}\n{{{TASK}\nx = 1;\n}}{WAIT}y = x;"), "proven"),
        (format!("{TASK}\n{{{TASK}\nx = 1;{WAIT}}}{WAIT}y = x;"), ""),
        (format!("{TASK}\n{{{TASK}\nx = 1;{WAIT}}}\ny = x;"), "proven"),
        (
            format!("\n#pragma omp taskgroup\n{{{TASK}\n{{{TASK}\nx = 1;\n}} }}\ny = x;"),
            "",
        ),
        // Dependences.
        (
            format!("{TASK} depend(out: x)\nx = 1;{TASK} depend(in: x)\ny = x;"),
            "",
        ),
        (
            format!("{TASK} depend(in: x)\nx = 1;{TASK} depend(in: x)\ny = x;"),
            "proven",
        ),
        (
            format!("{TASK} depend(inoutset: x)\nx = 1;{TASK} depend(inoutset: x)\nx = 2;"),
            "proven",
        ),
        (
            format!("{TASK} depend(mutexinoutset: x)\nx += 1;{TASK} depend(mutexinoutset: x)\nx += 2;"),
            "",
        ),
        (
            format!(
                "{TASK} depend(out: x)\nx = 1;{TASK} depend(in: x) depend(out: y)\n;{TASK} depend(in: y)\nx = 2;"
            ),
            "",
        ),
        (
            format!("{TASK} depend(out: g)\nx = 1;{TASK} depend(in: h)\ny = x;"),
            "proven",
        ),
        (
            format!("{TASK} depend(out: x)\nx = 1;\n#pragma omp taskwait depend(in: x)\ny = x;"),
            "",
        ),
        (
            format!("{TASK} depend(out: x)\nx = 1;{TASK} depend(in: x) if(0)\n;\ny = x;"),
            "",
        ),
        (
            format!("{TASK} depend(out: x)\n{{{TASK} depend(out: x)\nx = 1; }}{TASK} depend(in: x)\ny = x;"),
            "proven",
        ),
        (
            format!(
                "{TASK} depend(out: x)\nx = 1;\n#pragma omp target nowait depend(in: x) depend(out: g)\n;{TASK} depend(in: g)\nx = 2;"
            ),
            "",
        ),
        (
            format!(
                "{TASK} depend(out: x)\nx = 1;\n#pragma omp taskgroup\n{{{TASK} depend(in: x)\n; }}\ny = x;"
            ),
            "",
        ),
        // Loops.
        (
            format!("for (int i = 0; i < 9; i++) {{{TASK}\nx += i; }}"),
            "proven",
        ),
        (format!("for (int i = 0; i < 9; i++) {{{TASK}\nv[i] += i; }}"), ""),
        (
            format!("for (int i = 1; i < 9; i++) {{{TASK}\nv[i] = v[i - 1]; }}"),
            "proven",
        ),
        (
            format!(
                "for (int i = 1; i < 9; i++) {{{TASK} depend(in: v[i - 1]) depend(out: v[i])\nv[i] = v[i - 1]; }}"
            ),
            "",
        ),
        (
            format!("for (int i = 0; i < 9; i++) {{{TASK}\nx += i;{WAIT}}}"),
            "",
        ),
        (format!("for (int i = 0; i < 1; i++) {{{TASK}\nx += i; }}"), ""),
        (
            format!("for (int i = 0; i < 9; i++) {{ if (v[i]) continue;{TASK}\nx += i; }}"),
            "",
        ),
        (
            format!("for (y = 0; y < 9; y++) {{{TASK}\nv[y] += 1; }}"),
            "proven",
        ),
        (
            format!("while (p[y]) {{{TASK} firstprivate(y)\np[y] = 0;\ny++; }}"),
            "",
        ),
        // What keeps them apart.
        (
            format!("{TASK}\n{{\n#pragma omp critical\nx = 1;\n}}\n#pragma omp critical\ny = x;"),
            "",
        ),
        (
            format!("{TASK}\n{{\n#pragma omp critical (a)\nx = 1;\n}}\n#pragma omp critical (b)\ny = x;"),
            "proven",
        ),
        (
            format!("{TASK}\n{{\n#pragma omp atomic\nx += 1;\n}}\n#pragma omp atomic\nx += 2;"),
            "",
        ),
        (
            format!("{TASK}\n{{\n#pragma omp atomic\nx += 1;\n}}\ny = x;"),
            "proven",
        ),
        (
            format!(
                "{TASK}\n{{ omp_set_lock(&lock); x = 1; omp_unset_lock(&lock); }}\nomp_set_lock(&lock); y = x; omp_unset_lock(&lock);"
            ),
            "",
        ),
        (format!("{TASK}\nx = 1;\n#pragma omp flush\ny = x;"), ""),
        (
            format!("{TASK} detach(e)\nx = 1;\ny = x;").replace("detach(e)", "untied"),
            "proven",
        ),
    ];
    every_row_says(&table, said);
}

/// Explicit tasks that threads make in other ways than one of them all.
#[test]
fn tasks_are_made_by_who_makes_them() {
    let said = |body: &str| {
        let program = format!(
            "#include <omp.h>\nint unseen(int); int x, y, v[100]; static const int never = 0;\nstatic void leaf(void) {{\n#pragma omp task\nx++;\n#pragma omp taskwait\n}}\nstatic void deep(int n) {{ if (n) deep(n - 1); else leaf(); }}\nstatic void some(int n, int par) {{ if (n > 1000) return;\n#pragma omp task if(par && n > 1000)\nx = 1;\nx = 2; }}\nstatic int count(int n) {{ int a, b; if (n < 2) return n;\n#pragma omp task shared(a)\na = count(n - 1);\ny = a; b = count(n - 2);\n#pragma omp taskwait\nreturn a + b; }}\nint main(int argc, char **argv)\n{{\n    int n = 0;\n{body}\n    return x + y + n;\n}}\n"
        );
        let all = pedantic(&program).into_iter();
        // `count` is made for a team, but nothing here need call it in one. A variable of an iteration that ends too early is another matter.
        let all = all.filter(|(rule, _, sure)| sure != "possible" && rule != "task-outlives-storage");
        all.map(|(.., sure)| sure).collect::<Vec<_>>().join(" ")
    };
    let table = [
        // By all of them, each one of its own.
        ("#pragma omp parallel\n{\n#pragma omp task\nx++;\n}", "proven"),
        ("#pragma omp parallel\n{\n#pragma omp task\nv[0]++;\n}", "proven"),
        (
            "#pragma omp parallel num_threads(1)\n{\n#pragma omp task\nx++;\n}",
            "",
        ),
        ("#pragma omp parallel\n{\n#pragma omp task\nx = 1;\n}", ""),
        (
            "#pragma omp parallel\n{\n#pragma omp task\nv[omp_get_thread_num()]++;\n}",
            "",
        ),
        (
            "#pragma omp parallel\n{ int k = 0;\n#pragma omp single\nk = 1;\n#pragma omp task\nv[k]++;\n}",
            "",
        ),
        (
            "#pragma omp parallel\n{ int k = 0;\n#pragma omp master\nk = 1;\nif (k) {\n#pragma omp task\nx++;\n} }",
            "",
        ),
        (
            "#pragma omp parallel\n{ int k;\n#pragma omp atomic capture\nk = n++;\nif (k == 0) {\n#pragma omp task\nx++;\n} }",
            "",
        ),
        (
            "#pragma omp parallel\n{ int k;\n#pragma omp critical\n{ k = n; n++; }\n#pragma omp task\nv[k]++;\n}",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp critical\n{\n#pragma omp task\nx++;\n#pragma omp taskwait\n}",
            "",
        ),
        (
            "#pragma omp parallel\nif (omp_get_num_threads() == 1) {\n#pragma omp task\nx++;\nx++;\n}",
            "",
        ),
        // By one of them, while the others go on.
        (
            "#pragma omp parallel\n{\n#pragma omp single nowait\n{\n#pragma omp task\nx = 1;\n}\n#pragma omp single\nx += 2;\n}",
            "proven",
        ),
        (
            "#pragma omp parallel\n{\n#pragma omp single\n{\n#pragma omp task\nx = 1;\n}\n#pragma omp single\nx += 2;\n}",
            "",
        ),
        (
            "#pragma omp parallel\n{\n#pragma omp master\n{\n#pragma omp task\nx = 1;\n}\n#pragma omp for\nfor (int i = 0; i < 9; i++) v[i] = x;\n}",
            "proven",
        ),
        (
            "#pragma omp parallel\n{\n#pragma omp master\n{\n#pragma omp task\nx = 1;\n}\n#pragma omp barrier\n#pragma omp for\nfor (int i = 0; i < 9; i++) v[i] = x;\n}",
            "",
        ),
        (
            "#pragma omp parallel\n{ int own = 0;\n#pragma omp master\n{\n#pragma omp task shared(own)\nown = 1;\n}\nown = 2;\n}",
            "",
        ),
        // Missed: what another section does beside it.
        (
            "#pragma omp parallel sections\n{\n#pragma omp section\n{\n#pragma omp task\nx = 1;\n}\n#pragma omp section\nx = 2;\n}",
            "",
        ),
        (
            "#pragma omp parallel\n{\n#pragma omp for nowait\nfor (int i = 0; i < 9; i++) {\n#pragma omp task\nv[i] = i;\n}\n#pragma omp for\nfor (int i = 0; i < 9; i++) v[8 - i] += 1;\n}",
            "proven",
        ),
        // Which way one thread goes.
        (
            "#pragma omp parallel\n#pragma omp single\nswitch (argc) { case 1: {\n#pragma omp task\nx = 1;\n} break; default: x = 2; }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{ int f;\n#pragma omp task\n{ x = 1;\n#pragma omp atomic write seq_cst\nn = 1;\n}\n#pragma omp atomic read seq_cst\nf = n;\nif (!f) {\n#pragma omp taskwait\n} x = 2; }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task if(never)\nx = 1;\nx = 2; }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{ int go = 1; while (go) {\n#pragma omp task\nx++;\ngo = 0; } }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{ int go = 1; while (go) {\n#pragma omp task\nx++;\nx = 3;\ngo = 0; } }",
            "proven",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{ int at = 0; while (v[at]) {\n#pragma omp task shared(at)\nv[at] = 0;\nat++; } }",
            "proven",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{ int at = 0; while (v[at]) {\n#pragma omp task\nv[at] = 0;\nat++; } }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp parallel num_threads(1)\n{\n#pragma omp task\nx = 1;\nx = 2; } }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\nfor (int i = 0; i < 5; i++) { int t = i;\n#pragma omp task shared(t)\nt++;\n}",
            "",
        ),
        // In functions.
        ("#pragma omp parallel\n#pragma omp single\ndeep(3);", ""),
        ("#pragma omp parallel\n#pragma omp single\nsome(argc, 0);", ""),
        ("#pragma omp parallel\n#pragma omp single\nsome(argc, 1);", ""),
        ("count(9);", ""),
        ("#pragma omp parallel\n#pragma omp single\ncount(9);", "likely"),
        // `taskloop`.
        (
            "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp taskloop\nfor (int i = 0; i < 64; i++) x += i; }",
            "proven",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp taskloop num_tasks(1)\nfor (int i = 0; i < 64; i++) x += i; }",
            "",
        ),
        (
            "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task final(1)\n{\n#pragma omp taskloop\nfor (int i = 0; i < 64; i++) x += i; } }",
            "",
        ),
        ("#pragma omp taskloop\nfor (int i = 0; i < 64; i++) x += i;", ""),
        (
            "#pragma omp parallel num_threads(1)\n{\n#pragma omp taskloop\nfor (int i = 0; i < 64; i++) x += i; }",
            "",
        ),
    ];
    every_row_says(&table, said);
}

/// Storage that ends while a task may work on it. Each text is the end of a function that makes tasks for the one thread of a region that calls it.
#[test]
fn storage_outlives_the_tasks_that_share_it() {
    let said = |body: &str| {
        let program = format!(
            "#include <stdlib.h>\nint unseen(int); static int total;\nstatic void die(int s) {{ total = s; exit(s); }}\nstatic void perhaps(int s) {{ if (s) return; exit(s); }}\nstatic void into(int *place) {{\n#pragma omp task\n*place = 1;\n}}\nstatic int f(int n, int *p, int cond)\n{{\n    int x = 0, y = 0, row[8];\n    {body}\n    return n;\n}}\nvoid g(int n, int *p, int cond)\n{{\n    #pragma omp parallel\n    #pragma omp single\n    total = f(n, p, cond) + f(n, p, cond);\n}}\n"
        );
        let said = pedantic(&program);
        let rule = "task-outlives-storage";
        assert!(said.iter().all(|(one, ..)| one == rule), "{body}: {said:?}");
        let all = said.into_iter().map(|(.., sure)| sure);
        all.collect::<Vec<_>>().join(" ")
    };
    const TASK: &str = "\n#pragma omp task shared(x, y, row, n)";
    const WAIT: &str = "\n#pragma omp taskwait\n";
    let table = [
        (format!("{TASK}\nx = 1;"), "proven"),
        (format!("{TASK}\ny = x + row[n & 7];"), "proven"),
        (format!("{TASK}\nrow[3] = 1;"), "proven"),
        ("\n#pragma omp task shared(cond)\ncond++;".to_owned(), "proven"),
        (format!("{TASK}\nx = 1;{WAIT}"), ""),
        ("\n#pragma omp task\nx = 1;".to_owned(), ""),
        ("\n#pragma omp task firstprivate(row)\nrow[3] = 1;".to_owned(), ""),
        (format!("{TASK} if(0)\nx = 1;"), ""),
        (format!("{TASK} if(cond)\nx = 1;"), "likely"),
        (format!("{TASK} final(1)\nx = 1;"), "proven"),
        // By its address.
        ("into(&x);".to_owned(), "proven"),
        ("into(row + 2);".to_owned(), "proven"),
        (format!("into(&x);{WAIT}"), ""),
        ("into(p);".to_owned(), ""),
        // On one path.
        (format!("if (cond) {{{TASK}\nx = 1;\n}}"), "likely"),
        (format!("{TASK}\nx = 1;\nif (cond) return 0;{WAIT}"), "likely"),
        (
            format!("{TASK}\nx = 1;\nif (cond) {{{WAIT}return 0; }}{WAIT}"),
            "",
        ),
        (format!("if (cond) return 0;{TASK}\nx = 1;{WAIT}"), ""),
        (format!("{TASK}\nx = 1;\nunseen(n);"), ""),
        // Blocks.
        (
            format!("{{ int own = 0;{TASK} shared(own)\nown++;\n}}{WAIT}"),
            "proven",
        ),
        (format!("{{ int own = 0;{TASK} shared(own)\nown++;{WAIT}}}"), ""),
        (
            format!("for (int k = 0; k < 4; k++) {{ int own = k;{TASK} shared(own)\nown++;\n}}{WAIT}"),
            "proven",
        ),
        (
            format!("for (int k = 0; k < n; k++) {{ int own = k;{TASK} shared(own)\nown++;\n}}{WAIT}"),
            "proven",
        ),
        (
            format!("{{ int own = 0;\n#pragma omp taskgroup\n{{{TASK} shared(own)\nown++;\n}} }}"),
            "",
        ),
        (
            format!(
                "{{ int own = 0;{TASK} shared(own) depend(out: own)\nown++;\n#pragma omp taskwait depend(in: own)\n}}"
            ),
            "",
        ),
        (
            format!("{{ static int own;{TASK} shared(own)\nown++;\n}}{WAIT}"),
            "",
        ),
        (
            format!("{{ static int own; int *q = &own;{TASK}\n*q = 1;\n}}{WAIT}"),
            "",
        ),
        // Tasks of tasks.
        (format!("{TASK}\n{{{TASK}\nx = 1;\n}}{WAIT}"), "proven"),
        (
            format!("\n#pragma omp task\n{{ int own = 1;\n#pragma omp task shared(own)\nown++;\n}}{WAIT}"),
            "proven",
        ),
        (
            format!("\n#pragma omp task\n{{\n#pragma omp task shared(x)\nx++;\n}}{WAIT}"),
            "proven",
        ),
        (
            format!(
                "\n#pragma omp task\n{{ int own = 1;\n#pragma omp task firstprivate(own)\nown++;\n}}{WAIT}"
            ),
            "",
        ),
        (
            format!(
                "\n#pragma omp task\n{{ int own = 1;\n#pragma omp task shared(own)\nown++;{WAIT}}}{WAIT}"
            ),
            "",
        ),
        // Memory.
        (
            format!("int *m = malloc(40); if (!m) abort();{TASK}\nm[0] = 1;\nfree(m);{WAIT}"),
            "proven",
        ),
        (
            format!("int *m = malloc(40); if (!m) abort();{TASK}\nm[0] = 1;{WAIT}free(m);"),
            "",
        ),
        (
            format!(
                "int *m = malloc(40); if (!m || !p) abort();{TASK}\nm[0] = 1;\nfree(cond ? m : p);{WAIT}"
            ),
            "",
        ),
        (
            format!("int *m = malloc(40); if (!m) abort();{TASK}\n{{ m[0] = 1;\nfree(m); }}"),
            "",
        ),
        (
            format!("int *m = malloc(40); if (!m) abort();{TASK}\nm[0] = 1;\np = m;"),
            "",
        ),
    ];
    every_row_says(&table, said);
    // Control does not come to the end, or only where there are no tasks.
    let never_ends = [
        format!("{TASK}\nx = 1;\nexit(3);"),
        format!("{TASK}\nx = 1;\nif (cond) exit(1); else abort();"),
        format!("{TASK}\nx = 1;\ndie(2);"),
        format!("{TASK}\nx = 1;\ndo {{ unseen(1); exit(3); }} while (0);"),
        format!("{TASK}\nx = 1;\nfor (;;) n++;"),
        format!("{TASK}\nx = 1;\nwhile (1) {{ switch (n) {{ case 1: n++; break; default: n--; }} }}"),
        format!("if (n > 100) {{ int own = 0;{TASK} shared(own)\nown = 1;\nexit(1); }}"),
        format!("\n#pragma omp task\n{{ int own;\n#pragma omp task shared(own)\nown = 1;\nexit(2); }}{WAIT}"),
        format!("if (cond) {{{TASK}\nx = 1;\nexit(3); }}"),
        format!(
            "for (int k = 0; k < n; k++) {{{TASK} firstprivate(k)\nrow[k & 1] = 1;\n}} if (n == 0) return 0;{WAIT}"
        ),
        format!("for (int k = 0; k < n; k++) {{{TASK}\nx = 1;{WAIT}\n}} if (n == 0) return 0;"),
        format!(
            "int k = 0; for (; k < n; k++) {{\n#pragma omp task shared(row)\nrow[1] = 1;\n}} if (!k) return 0;{WAIT}"
        ),
        format!(
            "\n#pragma omp task shared(row)\n{{ for (int k = 0; k < n; k++) row[k] = 1; }} if (n <= 0) return 0;{WAIT}"
        ),
    ];
    every_row_says(&never_ends.map(|text| (text, "")), said);
    let ends = [
        (format!("{TASK}\nx = 1;\nif (cond) exit(3);"), "proven"),
        (
            format!("{TASK}\nx = 1;\nif (cond) exit(3); else unseen2(); return 0;")
                .replace("unseen2()", "n++"),
            "proven",
        ),
        (format!("{TASK}\nx = 1;\nfor (;;) if (n++ > 4) break;"), "proven"),
        // Missed: a loop of which it is not known whether it runs, and a condition in it.
        (format!("{TASK}\nx = 1;\nfor (;;) if (n++ > 4) return 2;"), ""),
        (format!("{TASK}\nx = 1;\nperhaps(cond);"), "proven"),
        (
            format!("for (int k = 0; k < n; k++) {{{TASK}\nrow[1] = 1;\n}}"),
            "proven",
        ),
        (
            format!("int *m = malloc(40); if (!m) abort();{TASK}\nm[0] = 1;\nm = realloc(m, 80);{WAIT}"),
            "proven",
        ),
    ];
    every_row_says(&ends, said);
    // A parameter, at the end of a function without `return`.
    let program = "static int total;\nstatic void f(int x)\n{\n#pragma omp task shared(x)\n    total = x;\n}\nvoid g(void)\n{\n    #pragma omp parallel\n    #pragma omp single\n    f(1);\n}\n";
    let said = pedantic(program);
    assert_eq!(
        said,
        [("task-outlives-storage".to_owned(), 6, "proven".to_owned())],
        "{program}"
    );
}

/// Tasks of generated programs against the graph of what comes before what.
#[test]
fn tasks_of_generated_programs_are_ordered() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "60",
        "--seed",
        "40",
        "--ferry",
        env!("CARGO_BIN_EXE_ferry"),
        "--keep",
    ];
    let mut script = common::script("tests/task_graphs.py");
    let text = common::succeeds(script.args(arguments).arg(folder.path()));
    let last = text.lines().last().unwrap();
    let words: Vec<&str> = last
        .split([' ', ',', ':', ';'])
        .filter(|word| !word.is_empty())
        .collect();
    let number = |after: &str| -> usize {
        let place = words.iter().position(|word| *word == after).unwrap();
        words[place + 1].parse().unwrap()
    };
    // Nearly all of them are found.
    assert!(
        number("early") > 20 && number("found") * 10 >= number("early") * 9,
        "{text}"
    );
}

/// Of variables that iterations share: what they set and read again where data let them, or before they call what is not seen.
#[test]
fn scratch_that_iterations_share_is_found() {
    let said = |body: &str| {
        let program = format!(
            "#include <omp.h>\nvoid unseen(double); int is_mine(int) __attribute__((const)); extern volatile int turn;\nvoid f(int n, double *a, int *b, int once, const int *size)\n{{\n    int k; double t;\n    #pragma omp parallel for\n    for (int i = 0; i < n; i++) {{\n        {body}\n    }}\n}}\n"
        );
        let said = pedantic(&program);
        let rule = "directive-contradicts-dependence";
        assert!(said.iter().all(|(one, ..)| one == rule), "{body}: {said:?}");
        said.into_iter()
            .map(|(.., sure)| sure)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let table = [
        ("if (b[i]) { t = a[i]; a[i] = t * t; }", "likely"),
        ("if (b[i]) { t = a[i]; }", ""),
        ("if (b[i]) { t = 3; a[i] = t; }", ""),
        ("if (b[i]) for (k = b[i]; k < 9; k++) a[i] += k;", "likely"),
        // The condition must be able to hold twice.
        ("if (i == once) { t = a[i]; a[i] = t * t; }", ""),
        ("if (once || b[i]) { t = a[i]; a[i] = t * t; }", "likely"),
        ("if (once && b[i]) { t = a[i]; a[i] = t * t; }", ""),
        ("if (!(once && b[i])) { t = a[i]; a[i] = t * t; }", "likely"),
        ("if (!(once || b[i])) { t = a[i]; a[i] = t * t; }", ""),
        ("if (once && b[i]) ; else { t = a[i]; a[i] = t * t; }", "likely"),
        ("if (once || b[i]) ; else { t = a[i]; a[i] = t * t; }", ""),
        ("if (once || b[i]) continue; t = a[i]; a[i] = t * t;", ""),
        (
            "if (is_mine(omp_get_thread_num())) { t = a[i]; a[i] = t * t; }",
            "",
        ),
        // Iterations may wait for one another.
        (
            "while (turn != i) ; if (b[i]) { t = a[i]; a[i] = t * t; } turn = i + 1;",
            "",
        ),
        (
            "while (__atomic_exchange_n(&k, 1, 2)) ; if (b[i]) { t = a[i]; a[i] = t * t; } __atomic_store_n(&k, 0, 3);",
            "",
        ),
        (
            "int at; do {\n#pragma omp atomic read\nat = once;\n} while (at != i); if (b[i]) { t = a[i]; a[i] = t * t; }",
            "",
        ),
        (
            "for (;;) {\nint at;\n#pragma omp atomic read\nat = once;\nif (at == i) break;\n} if (b[i]) { t = a[i]; a[i] = t * t; }",
            "",
        ),
        // The loop inside must run in two iterations.
        ("for (int j = i; j < 1; j++) { t = a[i]; a[i] = t * t; }", ""),
        (
            "for (int j = i; j < 2; j++) { t = a[i]; a[i] = t * t; }",
            "proven",
        ),
        ("for (int j = n - 1; j <= i; j++) { t = a[i]; a[i] = t * t; }", ""),
        (
            "for (int j = n - 2; j <= i; j++) { t = a[i]; a[i] = t * t; }",
            "proven",
        ),
        (
            "for (int j = 0; j < i; j++) { t = a[i]; a[i] = t * t; }",
            "proven",
        ),
        (
            "for (int j = 0; j < 2; j++) for (int l = i; l < 1; l++) { t = a[i]; a[i] = t * t; }",
            "",
        ),
        (
            "for (int j = 0; j < once; j++) { t = a[i]; a[i] = t * t; }",
            "proven",
        ),
        // Before, between and behind calls of what may take a lock.
        ("t = a[i]; a[i] = t * t; unseen(a[i]);", "proven"),
        ("t = a[i]; unseen(t);", "proven"),
        ("for (k = 0; k < b[i]; k++) a[i] += k; unseen(2);", "proven"),
        ("unseen(1); t = a[i]; a[i] = t * t; unseen(2);", ""),
        ("t = a[i]; unseen(1); a[i] = t * t;", ""),
        ("t = a[i]; if (b[i]) unseen(t);", ""),
    ];
    every_row_says(&table, said);
}

/// What iterations write may be the bound, for all that is known: a loop with such a directive has one that does not change.
#[test]
fn bounds_of_loops_with_directives_do_not_change() {
    let said = |head: &str, behind: &str| {
        let program = format!(
            "void unseen(void);\nvoid f(int n, int *size, int *a, const int *b)\n{{\n    int t, one = 1;\n    #pragma omp parallel for\n    for (int i = 0; {head}) {{\n        t = b[i];\n        a[i] = t;{behind}\n    }}\n}}\n"
        );
        pedantic(&program)
            .into_iter()
            .map(|one| one.2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let table = [
        ("i < n; i++", "", "proven"),
        ("i < *size; i++", "", "likely"),
        ("i < *size; i++", " unseen();", "likely"),
        ("i < n; i++", " unseen();", "proven"),
        // There may be one iteration only.
        ("i < *size; i += n", "", ""),
        ("i < one; i++", "", ""),
        ("i < one; i++", " unseen();", ""),
    ];
    assert_eq!(
        table.map(|(head, behind, _)| (head, behind, said(head, behind))),
        table.map(|(head, behind, sure)| (head, behind, sure.to_owned()))
    );
}

/// The usual form of `declare target`: a function reads a table of the file.
#[test]
fn tables_that_functions_on_the_device_read_are_followed() {
    let text = |behind: &str| {
        format!(
            "#pragma omp declare target\nstatic double w[100];\nstatic double get(int i) {{ return w[i]; }}\nstatic void set(int i) {{ w[i] = 2 * i; }}\n#pragma omp end declare target\nint main(void)\n{{\n    double s = 0;\n    for (int i = 0; i < 100; i++)\n        w[i] = i;\n    #pragma omp target update to(w)\n    w[4] = 100;\n    {behind}\n    #pragma omp target map(tofrom: s)\n    for (int i = 0; i < 100; i++)\n        s += get(i);\n    #pragma omp target\n    for (int i = 0; i < 100; i++)\n        set(i);\n    return s > w[3];\n}}\n"
        )
    };
    let of = |rule: &str, line| (rule.to_owned(), line, "proven".to_owned());
    let lost = of("stale-host-read", 20);
    assert_eq!(pedantic(&text("")), [of("stale-device-read", 3), lost.clone()]);
    assert_eq!(pedantic(&text("#pragma omp target update to(w[4:1])")), [lost]);
}

/// What it becomes may move data, which nobody sees.
#[test]
fn what_a_metadirective_may_do_makes_all_only_possible() {
    let text = |becomes: &str| {
        format!(
            "static double a[50];\nstatic void fill(double *p)\n{{\n    #pragma omp target\n    for (int i = 0; i < 50; i++)\n        p[i] = i;\n}}\nint main(void)\n{{\n    #pragma omp metadirective when(user={{condition(1)}}: {becomes}) default(nothing)\n    fill(a);\n    return a[3] > 9;\n}}\n"
        )
    };
    let sure =
        |becomes: &str| -> Vec<String> { pedantic(&text(becomes)).into_iter().map(|one| one.2).collect() };
    assert_eq!(sure("barrier"), ["proven"]);
    let possible = sure("target enter data map(to: a[0:50])");
    assert_eq!(possible, ["possible"]);
    let (report, _) = checked(&text("target enter data map(to: a[0:50])"), &[]);
    assert_eq!(
        report["unknown"][0]["why"],
        "what a `metadirective` becomes is not followed"
    );
}

/// gcc takes no sections in `declare`, so that no run shows it.
#[test]
fn what_follows_a_declaration_in_a_function_is_only_possible() {
    let text = "\
static double a[50];
static void fill(int n)
{
    #pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}
int main(void)
{
    #pragma acc declare copy(a[0:50])
    fill(50);
    return a[3] > 9;
}
";
    let said = pedantic(text);
    let possible = |rule: &str, line| (rule.to_owned(), line, "possible".to_owned());
    assert_eq!(
        said,
        [possible("present-missing", 4), possible("never-copied-back", 12)]
    );
    let (report, _) = checked(text, &[]);
    assert_eq!(
        report["unknown"][0]["why"],
        "`declare` inside of a function is not followed"
    );
    let without = text.replace("    #pragma acc declare copy(a[0:50])\n", "");
    assert!(pedantic(&without).iter().any(|one| one.2 == "proven"));
}

/// The usual form of courses: one function has brought the arrays to the device, another one names them again.
#[test]
fn what_a_caller_that_is_not_seen_may_have_brought_is_only_possible() {
    let text = "\
void swap(double *a, double *b, int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: a[:n]) map(from: b[:n])
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}
";
    let acc = text.replace(
        "omp target teams distribute parallel for map(tofrom: a[:n]) map(from: b[:n])",
        "acc parallel loop copy(a[:n]) present_or_copyout(b[:n])",
    );
    let never = |sure: &str| [("never-copied-in".to_owned(), 5, sure.to_owned())];
    for text in [text, &acc] {
        assert_eq!(pedantic(text), never("possible"));
        // In `main` nobody was there before.
        let seen = format!(
            "{text}int main(void)\n{{\n    double a[9] = {{1}}, b[9] = {{2}};\n    swap(a, b, 9);\n    return a[0] > b[0];\n}}\n"
        );
        assert!(
            pedantic(&seen).contains(&never("proven")[0]),
            "{:?}",
            pedantic(&seen)
        );
        let brought = seen
            .replace(
                "    swap(",
                "    #pragma omp target enter data map(to: a, b)\n    swap(",
            )
            .replace(
                "    return a",
                "    #pragma omp target exit data map(from: a, b)\n    return a",
            );
        let brought = match text.contains("acc") {
            false => brought,
            true => brought
                .replace(
                    "omp target enter data map(to: a, b)",
                    "acc enter data copyin(a, b)",
                )
                .replace(
                    "omp target exit data map(from: a, b)",
                    "acc exit data copyout(a, b)",
                ),
        };
        assert_eq!(pedantic(&brought), []);
    }
}

/// No compiler here knows the directives of these texts, so that no run can show what they do.
#[test]
fn what_a_variant_does_is_only_possible() {
    let text = "\
void fill_there(int n, int *v)
{
    #pragma omp target map(alloc: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] = i;
}
#pragma omp declare variant(fill_there) match(construct = {dispatch})
void fill(int n, int *v)
{
    for (int i = 0; i < n; i++)
        v[i] = i;
}
int main(void)
{
    int v[100] = {0};
    #pragma omp target enter data map(alloc: v)
    #pragma omp dispatch
    fill(100, v);
    #pragma omp target exit data map(from: v)
    return v[99] != 99;
}
";
    let said = pedantic(text);
    assert!(said.iter().all(|one| one.2 == "possible"), "{said:?}");
    let (report, _) = checked(text, &[]);
    assert_eq!(report["unknown"][0]["why"], "declared variants are not followed");
    let without = text.replacen("#pragma omp declare variant", "// ", 1);
    assert!(pedantic(&without).iter().any(|one| one.2 == "proven"));
}

/// Nothing has to be moved there; what is not looked at is said.
#[test]
fn a_file_for_one_memory_is_not_checked_and_says_so() {
    for clause in ["unified_shared_memory", "self_maps"] {
        let text = format!("#pragma omp requires {clause}\n{LOST}");
        let (report, _) = checked(&text, &[]);
        assert_eq!(said(&report), []);
        assert_eq!(report["unknown"][0]["why"], "host and device have one memory");
        let folder = with(&text);
        let output = stdout(&check_in(folder.path(), &["a.c"]));
        assert!(output.contains("note: the file is not checked"), "{output}");
    }
    let (report, _) = checked(LOST, &[]);
    assert!(!said(&report).is_empty() && report["unknown"][0].is_null());
}

#[test]
fn what_a_region_writes_on_the_host_again_is_only_possible() {
    let text = "\
#pragma omp requires reverse_offload // no unified_shared_memory
int main(void)
{
    int v[100] = {0};
    #pragma omp target map(to: v)
    {
        #pragma omp target device(ancestor: 1) map(always, to: v)
        for (int i = 0; i < 100; i++)
            v[i] = i;
    }
    return v[99] != 99;
}
";
    let said = pedantic(text);
    assert!(said.iter().all(|one| one.2 == "possible"), "{said:?}");
    assert!(
        pedantic(&text.replacen("ancestor: 1", "0", 1))
            .iter()
            .any(|one| one.2 == "proven")
    );
}

#[test]
fn an_induction_variable_has_a_value_for_each_iteration() {
    let text = "\
int main(void)
{
    int power = 1, v[8];
    #pragma omp target parallel for induction(step(2), *: power) map(from: v)
    for (int i = 0; i < 8; i++) {
        v[i] = power;
        power *= 2;
    }
    return v[7] != 128 || power != 256;
}
";
    assert_eq!(pedantic(text), []);
    let shared = text.replacen("induction(step(2), *: power)", "map(tofrom: power)", 1);
    let said = pedantic(&shared);
    assert!(said.iter().any(|one| one.0 == "directive-contradicts-dependence"));
}

#[test]
fn a_region_is_waited_for_unless_nowait_holds() {
    let text = "\
int wait(int later)
{
    int a = 1;
    #pragma omp target nowait(CONDITION) map(tofrom: a)
    a = 2;
    if (!later)
        a++;
    #pragma omp taskwait
    return a;
}
";
    let with = |condition: &str| pedantic(&text.replacen("CONDITION", condition, 1));
    assert_eq!(with("later"), []);
    assert_eq!(with("0"), []);
    assert_eq!(with("1")[0].0, "unordered-tasks");
    assert_eq!(pedantic(&text.replacen("(CONDITION)", "", 1)).len(), 1);
}

#[test]
fn target_data_waits_for_its_tasks_since_openmp_6() {
    let text = "\
int main(void)
{
    int a = 1;
    #pragma omp target data map(tofrom: a)
    {
        #pragma omp target map(tofrom: a) nowait
        a = 2;
    }
    #pragma omp target map(tofrom: a)
    a++;
    return a;
}
";
    let has = |text: &str, arguments: &[&str]| {
        let (report, _) = checked(text, arguments);
        said(&report).iter().any(|one| one.0 == "unordered-tasks")
    };
    assert!(has(text, &[]));
    assert!(!has(text, &["--openmp", "6.0"]));
    let nogroup = text.replacen("data map(tofrom: a)", "data map(tofrom: a) nogroup", 1);
    assert!(has(&nogroup, &["--openmp", "6.0"]));
    // A name that only OpenMP 6.0 knows.
    let joined = text.replacen("target data", "target_data", 1);
    assert!(!has(&joined, &[]));
    assert!(has(&nogroup.replacen("target data", "target_data", 1), &[]));
}

/// A program that puts data on the device, updates them there inside of so many loops, and takes them off again.
fn deep(loops: usize) -> String {
    let heads: Vec<String> = (0..loops)
        .map(|level| format!("for (int i{level} = 0; i{level} < n; i{level}++)"))
        .collect();
    format!(
        "void *malloc(unsigned long);
         void free(void *);
         int main(int n, char **arguments)
         {{
             double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
             for (int i = 0; i < n; i++)
                 a[i] = b[i] = i;
             #pragma omp target enter data map(to: a[0:n])
             {}
             {{
                 #pragma omp target
                 for (int k = 0; k < n; k++)
                     a[k] += 1;
             }}
             #pragma omp target exit data map(from: a[0:n])
             #pragma omp target enter data map(to: b[0:n])
             #pragma omp target
             for (int k = 0; k < n; k++)
                 b[k] += 1;
             double sum = b[0];
             #pragma omp target exit data map(release: b[0:n])
             free(a);
             free(b);
             return sum > 0;
         }}",
        heads.join(" ")
    )
}

#[test]
fn a_program_that_takes_too_many_steps_is_said_to_be_unknown_behind_them() {
    let (few, _) = checked(&deep(4), &["--pedantic"]);
    assert_eq!(said(&few), [("stale-host-read".to_owned(), 20)], "{few}");
    assert_eq!(few["unknown"], serde_json::json!([]), "{few}");
    // What is wrong behind the loops is not found, and said to be open; that the data are taken off there is not missed.
    let (many, status) = checked(&deep(16), &["--pedantic"]);
    assert_eq!(said(&many), [], "{many}");
    let unknown = many["unknown"].as_array().unwrap();
    assert_eq!(unknown.len(), 1, "{many}");
    assert_eq!(
        unknown[0]["why"],
        "following the program any further takes too many steps"
    );
    assert_eq!(status, 0);
}

/// The device writes through a pointer out of a table, or calls what is not known: any object that this may be is followed, though nothing on the device names it.
#[test]
fn what_the_device_may_write_under_another_name_is_followed() {
    let possible = |line: u64| vec![("stale-host-read".to_owned(), line, "possible".to_owned())];
    let through_a_table = "\
static int one[4], two[4];
int main(int argc, char **argv)
{
    int *rows[2] = {one, two};
    one[0] = argc;
    for (int r = 0; r < argc; r++) {
        int *p = rows[r % 2];
        #pragma omp target is_device_ptr(p)
        p[0] = 5;
    }
    return one[0];
}
";
    assert_eq!(pedantic(through_a_table), possible(11));
    let by_a_call = "\
void fill(int *p);
int *lead(void);
static int seen[4];
int main(void)
{
    int *p = lead();
    seen[0] = 1;
    #pragma omp target is_device_ptr(p)
    fill(p);
    return seen[0];
}
";
    assert_eq!(pedantic(by_a_call), possible(10));
}

/// A section sets the pointer through which it is named; whether the members that one clause maps go together is not followed.
#[test]
fn what_else_of_a_structure_is_there_is_not_said() {
    let program = |enter: &str, exit: &str| {
        format!(
            "\
#include <stdio.h>
struct series {{ int n; double *v; double shift; int m; }};
int main(void)
{{
    static double data[30];
    struct series s = {{30, data, 2, 1}};
    #pragma omp target enter data map(to: {enter})
    #pragma omp target
    s.n += s.m;
    {exit}
    s.m = 5;
    #pragma omp target map(tofrom: data)
    data[0] += s.m;
    printf(\"%g\\n\", data[0]);
    return 0;
}}
"
        )
    };
    let found = |enter: &str, exit: &str| -> Vec<String> {
        let found = pedantic(&program(enter, exit));
        let sure = found.into_iter().filter(|one| one.2 != "possible");
        sure.map(|one| one.0).collect()
    };
    let exit = |of: &str| format!("#pragma omp target exit data map(from: {of})");
    assert_eq!(
        found("s.n, s.m", ""),
        ["enter-without-exit", "enter-without-exit", "stale-device-read"]
    );
    // As compilers do it, all of the structure goes with one of the members.
    assert_eq!(found("s.n, s.m", &exit("s.n")), [""; 0]);
    assert_eq!(found("s.n, s.m", &exit("s.n, s.m")), [""; 0]);

    let behind = program("s.n, s.m, s.v[0:s.n]", &exit("s.n, s.m, s.v[0:s.n]"));
    let behind = behind.replace(
        "    s.n += s.m;",
        "    for (int i = 0; i < s.n; i++) s.v[i] += s.m;",
    );
    let sure = pedantic(&behind).into_iter().filter(|one| one.2 != "possible");
    assert_eq!(sure.count(), 0);
    // Compilers make room for all from the first member to the last one.
    let between =
        program("s.n, s.m", &exit("s.n, s.m")).replace("s.n += s.m;", "{ s.shift = s.m; s.n += s.shift; }");
    let sure = pedantic(&between).into_iter().filter(|one| one.2 != "possible");
    assert_eq!(sure.count(), 0);
}

/// Sections of a member count from it.
#[test]
fn a_member_is_called_by_its_elements() {
    let text = "\
struct s { int n; double w[4]; };
int main(void)
{
    struct s x = {1, {1, 2, 3, 4}};
    #pragma omp target enter data map(to: x.w)
    x.w[2] = 100;
    #pragma omp target map(tofrom: x.n)
    x.n += x.w[2];
    #pragma omp target exit data map(release: x.w)
    return x.n;
}
";
    let (report, _) = checked(text, &[]);
    let help = findings(&report)[0]["help"].clone();
    assert_eq!(
        help,
        "add `#pragma omp target update to(x.w[2:1])` before the region"
    );
}
