//! `ferry check` of several files: data that one file puts on the device, and another one uses there or takes off.

use crate::common;

use common::{ferry_in, status, stdout, valid_json};
use serde_json::Value;
use std::fs;

const HEADER: &str = "\
struct grid {
    int n;
    double *cells;
};
extern struct grid grid;
extern double table[64];
void begin(struct grid *g, int n);
void step(struct grid *g);
void finish(struct grid *g);
void fill(int n);
void scale(int n, double by);
";

/// The file with the kernels and the mappings, with which `main` is given together.
const DEVICE: &str = "\
#include <stdlib.h>
#include \"grid.h\"
static int steps;
static void count(void) { steps++; }
void begin(struct grid *g, int n)
{
    g->n = n;
    g->cells = malloc(n * sizeof *g->cells);
    for (int i = 0; i < n; i++)
        g->cells[i] = i;
    double *cells = g->cells;
    #pragma omp target enter data map(to: cells[0:n])
}
void step(struct grid *g)
{
    int n = g->n;
    double *cells = g->cells;
    count();
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        cells[i] = cells[i] + 1;
}
void finish(struct grid *g)
{
    int n = g->n;
    double *cells = g->cells;
    #pragma omp target exit data map(from: cells[0:n])
}
";

const TABLE: &str = "\
#include \"grid.h\"
double table[64];
static void count(int n) { table[0] += n; }
void fill(int n)
{
    for (int i = 0; i < n; i++)
        table[i] = i;
    count(n);
    #pragma omp target enter data map(to: table[0:64])
}
void scale(int n, double by)
{
    #pragma omp target teams distribute parallel for map(present, tofrom: table[0:64])
    for (int i = 0; i < n; i++)
        table[i] *= by;
}
";

/// The main file that uses the table; ends with what `end` says.
fn table_main(end: &str) -> String {
    format!(
        "#include <stdio.h>
#include \"grid.h\"
int main(void)
{{
    fill(64);
    scale(64, 2);
{end}
    return 0;
}}
"
    )
}

/// File, line, rule and confidence of each finding, of files that are given together in this order.
fn said(files: &[(&str, &str)]) -> Vec<(String, u64, String, String)> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("grid.h"), HEADER).unwrap();
    let mut arguments = vec!["check", "--pedantic", "--format", "json"];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
        arguments.push(name);
    }
    arguments.extend(["--", "-fopenmp"]);
    let output = ferry_in(folder.path(), arguments);
    assert!(status(&output) < 2, "{}", common::stderr(&output));
    let report = valid_json(&stdout(&output));
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|one| {
            (
                text(one, "file"),
                one["line"].as_u64().unwrap(),
                text(one, "rule"),
                text(one, "confidence"),
            )
        })
        .collect()
}

fn finding(file: &str, line: u64, rule: &str) -> (String, u64, String, String) {
    (file.to_owned(), line, rule.to_owned(), "proven".to_owned())
}

const UPDATE: &str = "    #pragma omp target update from(table[0:64])";
const PRINT: &str = "    printf(\"%g\\n\", table[63]);";
const EXIT: &str = "    #pragma omp target exit data map(release: table[0:64])";

#[test]
fn what_another_file_puts_on_the_device_is_there() {
    let main = table_main(&format!("{UPDATE}\n{PRINT}\n{EXIT}"));
    assert_eq!(said(&[("main.c", &main), ("table.c", TABLE)]), []);
}

#[test]
fn a_value_that_a_kernel_of_another_file_wrote_is_missed() {
    let main = table_main(&format!("{PRINT}\n{EXIT}"));
    let found = [finding("main.c", 7, "stale-host-read")];
    assert_eq!(said(&[("main.c", &main), ("table.c", TABLE)]), found);
    // The order of the files says nothing.
    assert_eq!(said(&[("table.c", TABLE), ("main.c", &main)]), found);
}

#[test]
fn an_exit_in_one_file_ends_what_began_in_another() {
    let main = table_main(&format!("{EXIT}\n    scale(64, 3);"));
    let found = said(&[("main.c", &main), ("table.c", TABLE)]);
    // What is wrong stands in the file of the kernel.
    assert_eq!(found, [finding("table.c", 13, "present-missing")]);
    let main = table_main(&format!("{EXIT}\n{PRINT}"));
    let found = said(&[("main.c", &main), ("table.c", TABLE)]);
    assert_eq!(found, [finding("main.c", 8, "never-copied-back")]);
    let main = table_main("");
    let found = said(&[("main.c", &main), ("table.c", TABLE)]);
    assert_eq!(found, [finding("table.c", 9, "enter-without-exit")]);
}

#[test]
fn structures_of_a_header_are_the_same_in_all_files() {
    let main = |end: &str| {
        format!(
            "#include <stdio.h>
#include \"grid.h\"
static void count(double *sum) {{ *sum = *sum + 1; }}
int main(void)
{{
    struct grid g;
    double sum = 0;
    begin(&g, 50);
    for (int i = 0; i < 3; i++)
        step(&g);
{end}
    count(&sum);
    printf(\"%g %g\\n\", g.cells[49], sum);
    return 0;
}}
"
        )
    };
    let clean = main("    finish(&g);");
    assert_eq!(said(&[("device.c", DEVICE), ("main.c", &clean)]), []);
    let found = said(&[("device.c", DEVICE), ("main.c", &main(""))]);
    assert!(
        found
            .iter()
            .any(|one| (one.0.as_str(), one.1) == ("main.c", 13) && one.2 == "stale-host-read"),
        "{found:?}"
    );
}

#[test]
fn a_file_in_between_is_followed_from_main() {
    let main = "void run(void);\nint main(void)\n{\n    run();\n    return 0;\n}\n";
    let run = table_main(&format!("{PRINT}\n{EXIT}"));
    let run = run
        .replace("int main(void)", "void run(void)")
        .replace("    return 0;\n", "");
    let found = said(&[("run.c", &run), ("main.c", main), ("table.c", TABLE)]);
    assert_eq!(found, [finding("run.c", 7, "stale-host-read")]);
}

#[test]
fn where_two_files_define_a_function_nothing_is_sure() {
    let main = table_main(&format!("{PRINT}\n{EXIT}"));
    let other = "void scale(int n, double by)\n{\n}\n";
    let found = said(&[("main.c", &main), ("table.c", TABLE), ("other.c", other)]);
    assert!(found.iter().all(|one| one.3 == "possible"), "{found:?}");
}

/// A declaration of one file may be of a variable of another one.
#[test]
fn what_is_not_understood_in_one_file_makes_the_others_unsure() {
    let folder = tempfile::tempdir().unwrap();
    let first = "void next(void);\nint main(void)\n{\n    int n = 0;\n    #pragma omp target\n    n = 1;\n    next();\n    return n;\n}\n";
    fs::write(folder.path().join("a.c"), first).unwrap();
    let errors = |declared: &str| {
        let second = format!(
            "int v;\n#pragma omp declare target to({declared})\nvoid next(void)\n{{\n    #pragma omp target update to(v)\n}}\n"
        );
        fs::write(folder.path().join("b.c"), second).unwrap();
        status(&ferry_in(
            folder.path(),
            ["check", "a.c", "b.c", "--", "-fopenmp"],
        ))
    };
    assert_eq!(errors("v"), 1);
    assert_eq!(errors("unheard_of"), 0);
}
