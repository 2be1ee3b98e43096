//! Does `ferry reshape` write the program that it means, where it may, and leave alone what it must?
//!
//! What is written is compiled and run beside the original; `annotate --reshape` is judged on the second memory and for races.

mod common;

use common::{ferry, status, stderr, stdout, with};
use ferry_judges::compare::difference;
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::{Expectations, Program, judge};
use std::path::Path;

fn reshaped(text: &str) -> (String, String) {
    let folder = with(text);
    let output = ferry(["reshape", folder.path().join("a.c").to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// A program of `tests/reshape`, with what its header says is done.
struct Case {
    name: String,
    path: std::path::PathBuf,
    done: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut found: Vec<Case> = std::fs::read_dir(common::folder("tests/reshape"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let done = text.lines().filter_map(|line| line.strip_prefix("// done: "));
            Case {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                done: done.map(str::to_owned).collect(),
                path,
            }
        })
        .collect();
    found.sort_by(|one, two| one.name.cmp(&two.name));
    assert!(found.len() >= 5);
    found
}

/// What was done, without what it gains and rests on.
fn done(said: &str) -> Vec<String> {
    let lines = said.lines().filter_map(|line| line.split_once(".c: line "));
    lines
        .map(|(_, rest)| rest.rsplit_once(": ").unwrap().0.to_owned())
        .collect()
}

/// The new text does what the old one does, with and without directives, on the second memory, without races or warnings.
#[test]
fn programs_do_what_they_did() {
    for case in cases() {
        let folder = tempfile::tempdir().unwrap();
        let path = case.path.to_str().unwrap();
        let output = ferry(["reshape", "-o", folder.path().to_str().unwrap(), path]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(done(&stderr(&output)), case.done, "{}", case.name);
        let new = folder.path().join(case.path.file_name().unwrap());
        let (old_text, new_text) = (std::fs::read(&case.path).unwrap(), std::fs::read(&new).unwrap());
        assert_eq!(old_text != new_text, !case.done.is_empty(), "{}", case.name);
        let run = |path: &Path| {
            Sequential::build(&Program::new(path), Compiler::Gcc)
                .unwrap()
                .run(&[])
                .unwrap()
        };
        let (before, after) = (run(&case.path), run(&new));
        assert!(before.success() && !before.stdout.is_empty(), "{}", case.name);
        assert_eq!(difference(&before, &after), None, "{}", case.name);
        // Once more there is nothing to do.
        let again = ferry(["reshape", "--diff", new.to_str().unwrap()]);
        assert_eq!(
            (status(&again), stdout(&again)),
            (0, String::new()),
            "{}",
            case.name
        );
        let annotated = tempfile::tempdir().unwrap();
        let output = ferry([
            "annotate",
            "--reshape",
            "-o",
            annotated.path().to_str().unwrap(),
            path,
        ]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(done(&stderr(&output)), case.done, "{}", case.name);
        let written = annotated.path().join(case.path.file_name().unwrap());
        let expectations = Expectations {
            // Directives that are there are the user's: of them compilers say what they said.
            compilers: !String::from_utf8_lossy(&old_text).contains("#pragma"),
            ..Expectations::default()
        };
        let verdict = judge(&Program::new(&case.path), &Program::new(&written), &expectations).unwrap();
        assert!(verdict.passed(), "{}: {verdict}", case.name);
    }
}

/// IPDA §7.2.1 would exchange these loops: the inner one carries nothing. The vector is (1, -1).
#[test]
fn the_trap_of_section_7_2_1() {
    let text = "int a[66][66];
void f(void)
{
    for (int j = 1; j < 64; j++)
        for (int i = 1; i < 64; i++)
            a[i][j] = a[i + 1][j - 1];
}
";
    let (new, said) = reshaped(text);
    assert_eq!(new, text);
    assert_eq!(said, "");
    // Turned round, it may be exchanged, but then nothing runs in parallel.
    let (new, _) = reshaped(&text.replace("a[i + 1][j - 1]", "a[i - 1][j - 1]"));
    assert_eq!(new, text.replace("a[i + 1][j - 1]", "a[i - 1][j - 1]"));
}

/// The collapses that the authors of IPDA's Table 1 wrote, taken away and found again: kernels of the same shapes.
#[test]
fn the_collapses_of_table_1_are_found() {
    let kernel = |depth: usize, heads: &str, body: &str| {
        format!(
            "    // wants {depth}\n    #pragma omp target teams distribute parallel for\n    {heads}\n        {body}\n"
        )
    };
    let two = "for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)";
    let three =
        "for (int k = 1; k < N - 1; k++) for (int j = 1; j < N - 1; j++) for (int i = 1; i < N - 1; i++)";
    let sum = "{ double t = 0; for (int k = 0; k < N; k++) t += a2[i][k] * b2[k][j]; c2[i][j] = t; }";
    let shapes = [
        ("3mm", 3, kernel(2, two, sum).repeat(3)),
        ("covar", 1, kernel(2, two, "c2[i][j] -= mean[j];")),
        (
            "syr2k",
            1,
            kernel(
                2,
                two,
                "{ for (int k = 0; k < N; k++) c2[i][j] += a2[i][k] * b2[j][k] + b2[i][k] * a2[j][k]; }",
            ),
        ),
        (
            "syrk",
            2,
            kernel(2, two, "c2[i][j] *= 3;")
                + &kernel(
                    2,
                    two,
                    "{ for (int k = 0; k < N; k++) c2[i][j] += a2[i][k] * a2[j][k]; }",
                ),
        ),
        (
            "stencil",
            1,
            kernel(
                3,
                three,
                "b3[k][j][i] = a3[k][j][i-1] + a3[k][j][i+1] + a3[k][j-1][i] + a3[k][j+1][i] + a3[k-1][j][i] + a3[k+1][j][i] - 6 * a3[k][j][i];",
            ),
        ),
        (
            "seismic",
            2,
            kernel(
                3,
                three,
                "c3[k][j][i] = c3[k][j][i] * mean[i] + (a3[k][j][i+1] - a3[k][j][i]) / 4; ",
            ) + &kernel(
                3,
                three,
                "{ double d = (a3[k][j+1][i] - a3[k][j][i]) / 2; b3[k][j][i] = d * mean[j] + b3[k][j][i]; }",
            ),
        ),
        (
            "shallow water",
            2,
            kernel(2, two, "c2[i][j] = (a2[i][j+1] + a2[i][j]) * b2[i][j] / 2;")
                + &kernel(
                    2,
                    two,
                    "{ a2[i][j] = b2[i][j] + (c2[i+1][j] - c2[i][j]) * 3 - (c2[i][j+1] - c2[i][j]); }",
                ),
        ),
        (
            "block tridiagonal",
            1,
            kernel(
                3,
                three,
                "for (int m = 0; m < 5; m++) u[k][j][i][m] = u[k][j][i][m] + rhs[k][j][i][m];",
            ),
        ),
        (
            "pentadiagonal",
            1,
            kernel(
                3,
                three,
                "{ double r1 = v[0][k][j][i], r2 = v[1][k][j][i]; v[0][k][j][i] = r1 + r2; v[1][k][j][i] = r1 - r2; }",
            ),
        ),
    ];
    for (name, count, body) in shapes {
        let text = format!(
            "#define N 66
double a2[N][N], b2[N][N], c2[N][N], mean[N], a3[N][N][N], b3[N][N][N], c3[N][N][N];
double u[N][N][N][5], rhs[N][N][N][5], v[5][N][N][N];
void f(void)
{{
{body}}}
"
        );
        let (new, said) = reshaped(&text);
        let wanted: Vec<&str> = new.lines().filter(|line| line.contains("// wants")).collect();
        let found: Vec<&str> = new.lines().filter(|line| line.contains("#pragma")).collect();
        assert_eq!((wanted.len(), found.len()), (count, count), "{name}");
        for (wanted, found) in wanted.iter().zip(found) {
            let depth = wanted.trim().strip_prefix("// wants ").unwrap();
            assert!(
                found.ends_with(&format!(" collapse({depth})")),
                "{name}: {found}\n{said}"
            );
        }
    }
}

/// A clause that is there is changed in its place, and one that is too deep taken away.
#[test]
fn a_collapse_that_is_there_is_changed() {
    let text = |clause: &str, heads: &str| {
        format!(
            "float a[64][64][64];
void f(void)
{{
#pragma omp target teams distribute parallel for{clause} map(tofrom: a) // mine
    {heads}
        a[k][j][i] += 1;
}}
"
        )
    };
    let three = "for (int k = 0; k < 64; k++) for (int j = 0; j < 64; j++) for (int i = 0; i < 64; i++)";
    let pragma = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("#pragma"))
            .unwrap()
            .to_owned()
    };
    let (new, _) = reshaped(&text(" collapse(2)", three));
    assert_eq!(
        pragma(&new),
        "#pragma omp target teams distribute parallel for collapse(3) map(tofrom: a) // mine"
    );
    let (new, _) = reshaped(&text("", three));
    assert_eq!(
        pragma(&new),
        "#pragma omp target teams distribute parallel for map(tofrom: a) collapse(3) // mine"
    );
    let (new, _) = reshaped(&text("", three).replace(" map(tofrom: a)", ""));
    assert_eq!(
        pragma(&new),
        "#pragma omp target teams distribute parallel for collapse(3) // mine"
    );
    let right = text(" collapse(3)", three);
    assert_eq!(reshaped(&right).0, right);
}

/// What cannot be done is said, with exit status 2, and nothing is written.
#[test]
fn wrong_input_is_refused() {
    let folder = with("int f( {");
    let path = folder.path().join("a.c");
    let output = ferry(["reshape", "--in-place", path.to_str().unwrap()]);
    assert_eq!(status(&output), 2);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "int f( {");
    let output = ferry(["reshape", "missing.c"]);
    assert_eq!(status(&output), 2);
    let output = ferry([
        "annotate",
        "--reshape",
        "--ignore-directives",
        path.to_str().unwrap(),
    ]);
    assert_eq!(status(&output), 2, "both change the text before it is read");
}
