//! Does `ferry reshape` write the program that it means, where it may, and leave alone what it must?
//!
//! What is written is compiled and run beside the original; `annotate --reshape` is judged on the second memory and for races.

use crate::common;

use common::{done, ferry, left, status, stderr, stdout, with};
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

/// For a GPU that a file describes.
fn reshaped_for(text: &str, gpu: &Path) -> (String, String) {
    let folder = with(text);
    let path = folder.path().join("a.c");
    let output = ferry(["reshape", "--gpu", gpu.to_str().unwrap(), path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// A description of a GPU that differs from an H200 in some lines.
fn h200_with(changes: &[(&str, &str)]) -> tempfile::NamedTempFile {
    let mut text = std::fs::read_to_string(common::folder("crates/gpu/devices").join("h200.toml")).unwrap();
    for (from, to) in [("name = \"h200\"", "name = \"small\"")].iter().chain(changes) {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let mut file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    file
}

/// A program of `tests/reshape`, with what its header says is done.
struct Case {
    name: String,
    path: std::path::PathBuf,
    done: Vec<String>,
    /// What is left as it is though it would be cheaper otherwise, with the reason.
    left: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut found: Vec<Case> = std::fs::read_dir(common::folder("tests/reshape"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let header = |name: &str| {
                let lines = text.lines().filter_map(|line| line.strip_prefix("// "));
                let lines = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                lines.map(str::to_owned).collect()
            };
            Case {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                done: header("done"),
                left: header("left"),
                path,
            }
        })
        .collect();
    found.sort_by(|one, two| one.name.cmp(&two.name));
    assert!(found.len() >= 5);
    found
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
        assert_eq!(left(&stderr(&output)), case.left, "{}", case.name);
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
        let expectations = Expectations::default();
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
            // The components lie side by side: their loop runs together with the three.
            kernel(
                4,
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
        let (new, said) = reshaped(&of_table_1(&body));
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

/// Kernels as in IPDA's Table 1 with these statements.
fn of_table_1(body: &str) -> String {
    format!(
        "#define N 66
double a2[N][N], b2[N][N], c2[N][N], mean[N], a3[N][N][N], b3[N][N][N], c3[N][N][N];
double u[N][N][N][5], rhs[N][N][N][5], v[5][N][N][N];
void f(void)
{{
{body}}}
"
    )
}

/// Those of Table 1 that change no request, which the paper misses: both a sweep's outer loops touch a line for each thread, alone and together. What is
/// gained is threads, and that is the reason that is given.
#[test]
fn the_collapses_of_table_1_for_the_threads_are_found() {
    let outer = "for (int k = 1; k <= 64; k++) for (int j = 1; j <= 64; j++)";
    let sweep = |body: &str| format!("{outer} for (int i = 1; i < N; i++) {body}");
    let kernels = [
        // Block tridiagonal: backwards, forwards, and a right-hand side with fluxes along i.
        sweep(
            "{ double t = rhs[k][j][i-1][0]; rhs[k][j][i][0] -= u[k][j][i][0] * t; rhs[k][j][i][1] -= u[k][j][i][1] * t; }",
        ),
        format!(
            "{outer} for (int i = N - 2; i >= 0; i--) rhs[k][j][i][0] -= u[k][j][i][0] * rhs[k][j][i+1][0];"
        ),
        sweep("{ a3[k][j][i] = b3[k][j][i] - a3[k][j][i-1]; c3[k][j][i] += a3[k][j][i] * c3[k][j][i-1]; }"),
        // Pentadiagonal: the ends of lines, and elimination two cells back.
        format!(
            "{outer} {{ for (int m = 0; m < 5; m++) {{ u[k][j][0][m] = 0; u[k][j][N-1][m] = 0; }} u[k][j][0][2] = 1; u[k][j][N-1][2] = 1; }}"
        ),
        format!(
            "{outer} for (int i = 2; i < N; i++) rhs[k][j][i][3] -= u[k][j][i][0] * rhs[k][j][i-2][3] + u[k][j][i][1] * rhs[k][j][i-1][3];"
        ),
        // Seismic: what was swallowed so far along i.
        sweep(
            "{ c3[k][j][i] = c3[k][j][i-1] * mean[i] + (a3[k][j][i] - a3[k][j][i-1]) / 4; b3[k][j][i] += c3[k][j][i]; }",
        ),
        // Shallow water in layers, its edges: what leaves on one side comes back on the other.
        format!("{outer} {{ a3[k][j][N-1] = a3[k][j][1]; b3[k][j][N-1] = b3[k][j][1]; }}"),
        format!("{outer} {{ a3[k][j][0] = a3[k][j][N-2]; c3[k][j][0] = c3[k][j][N-2] * mean[1]; }}"),
        // A stencil across the lines, with what came before along them.
        sweep("b3[k][j][i] = a3[k-1][j][i] + a3[k+1][j][i] + a3[k][j-1][i] + a3[k][j+1][i] - b3[k][j][i-1];"),
    ];
    let directive = "    #pragma omp target teams distribute parallel for";
    let text = of_table_1(
        &kernels
            .iter()
            .map(|kernel| format!("{directive}\n    {kernel}\n"))
            .collect::<String>(),
    );
    let (new, said) = reshaped(&text);
    let with_collapse = text.replace(directive, &format!("{directive} collapse(2)"));
    assert_eq!(new, with_collapse, "{said}");
    let reason = ": the loops over k, j together: 64 times the threads, of which h200 holds 270336";
    assert_eq!(
        said.lines().filter(|line| line.ends_with(reason)).count(),
        kernels.len(),
        "{said}"
    );
    assert_eq!(said.lines().count(), kernels.len(), "{said}");
    // A GPU that 64 threads fill gains nothing, which is said.
    let small = h200_with(&[
        ("multiprocessors = 132", "multiprocessors = 1"),
        (
            "threads-per-multiprocessor = 2048",
            "threads-per-multiprocessor = 64",
        ),
    ]);
    let (new, said) = reshaped_for(&text, small.path());
    assert_eq!(new, text, "{said}");
    let reason = ": left as it is, though the loops over k, j together would have more threads: small holds 64, and there are 64";
    assert_eq!(
        said.lines().filter(|line| line.ends_with(reason)).count(),
        kernels.len(),
        "{said}"
    );
    // One more, and they are too few.
    let larger = h200_with(&[
        ("multiprocessors = 132", "multiprocessors = 1"),
        (
            "threads-per-multiprocessor = 2048",
            "threads-per-multiprocessor = 65",
        ),
    ]);
    assert_eq!(reshaped_for(&text, larger.path()).0, with_collapse);
}

/// The program of such kernels: each is done for its threads, and left alone, with the reason, for a GPU that they fill as they are.
#[test]
fn what_is_done_for_threads_is_left_where_they_find_no_room() {
    let text = std::fs::read_to_string(common::folder("tests/reshape").join("more_threads.c")).unwrap();
    let (_, said) = reshaped(&text);
    let ends = |said: &str, end: &str| said.lines().filter(|line| line.ends_with(end)).count();
    assert_eq!(
        ends(&said, ": 32 times the threads, of which h200 holds 270336"),
        4,
        "{said}"
    );
    // Of six orders that cost the same, one that moves two loops, not three.
    let other = ": the loops over j, k, i together, in the order j, k, i: 1156 times the threads, of which h200 holds 270336";
    assert_eq!(ends(&said, other), 1, "{said}");
    let small = h200_with(&[
        ("multiprocessors = 132", "multiprocessors = 1"),
        (
            "threads-per-multiprocessor = 2048",
            "threads-per-multiprocessor = 32",
        ),
    ]);
    let (new, said) = reshaped_for(&text, small.path());
    assert_eq!(new, text);
    assert_eq!(
        ends(
            &said,
            " would have more threads: small holds 32, and there are 32"
        ),
        5,
        "{said}"
    );
}

/// An outer loop that fills the GPU alone stays alone, and why is said.
#[test]
fn threads_that_find_no_room_are_not_made() {
    let text = |count: u32| {
        format!(
            "float a[{count}][8][64];
void f(void)
{{
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int k = 0; k < {count}; k++)
        for (int j = 0; j < 8; j++)
            for (int i = 1; i < 64; i++)
                a[k][j][i] += a[k][j][i - 1];
}}
"
        )
    };
    let (new, said) = reshaped(&text(270_336));
    assert_eq!(new, text(270_336));
    let reason = "a.c: line 5: left as it is, though the loops over k, j together would have more threads: h200 holds 270336, and there are 270336\n";
    assert!(said.ends_with(reason), "{said}");
    let (new, said) = reshaped(&text(270_304));
    assert!(new.contains(" collapse(2)"), "{said}");
    assert!(
        said.contains(": 8 times the threads, of which h200 holds 270336"),
        "{said}"
    );
}

/// What would have more threads and cannot be written does not count as cheaper.
#[test]
fn what_is_refused_says_what_it_would_gain() {
    let text = "#define KERNEL _Pragma(\"omp target teams distribute parallel for map(tofrom: a)\")
float a[64][8][64];
void f(void)
{
    KERNEL
    for (int k = 0; k < 64; k++)
        for (int j = 0; j < 8; j++)
            for (int i = 1; i < 64; i++)
                a[k][j][i] += a[k][j][i - 1];
}
";
    let (new, said) = reshaped(text);
    assert_eq!(new, text);
    let reason = "a.c: line 6: left as it is, though more threads would have the loops over k, j together: 8 times the threads, of which h200 holds 270336: \
                  the text of its directive comes out of a macro\n";
    assert!(said.ends_with(reason), "{said}");
}

/// Four loops run together where all of them are needed.
#[test]
fn any_number_of_loops_run_together() {
    let text = "float a[6][7][8][64];
void f(void)
{
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int l = 0; l < 6; l++)
        for (int k = 0; k < 7; k++)
            for (int j = 0; j < 8; j++)
                for (int i = 0; i < 64; i++)
                    a[l][k][j][i] *= 2;
}
";
    let (new, said) = reshaped(text);
    assert!(new.contains(" collapse(4)"), "{said}{new}");
}

/// A gain of a few requests in a hundred, which comes of warps that are not full, is not what a change is made for.
#[test]
fn a_small_gain_is_none() {
    let text = "double a[62][62][64];
void f(void)
{
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int k = 0; k < 62; k++)
        for (int j = 0; j < 62; j++) {
            a[k][j][0] = a[k][j][62];
            a[k][j][63] = a[k][j][1];
        }
}
";
    // Two warps for each j are 124 in all, and 121 where all iterations are numbered through.
    let (new, said) = reshaped(text);
    assert!(new.contains(" collapse(2)"), "{new}");
    assert!(
        said.contains(": the loops over k, j together: 62 times the threads"),
        "{said}"
    );
    let small = h200_with(&[
        ("multiprocessors = 132", "multiprocessors = 1"),
        (
            "threads-per-multiprocessor = 2048",
            "threads-per-multiprocessor = 62",
        ),
    ]);
    let (new, said) = reshaped_for(text, small.path());
    assert_eq!(new, text, "{said}");
}

/// More threads that take more requests are no gain: neighbours along i are neighbours in memory, those along k are not, and k cannot come first, where it would
/// begin without an iteration of i, and may have no end.
#[test]
fn threads_are_not_had_for_more_requests() {
    let text = |comparison: &str| {
        format!(
            "double a[66][64];
void f(int n, int m)
{{
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < n; i++)
        for (int k = 0; k {comparison} m; k++)
            a[k][i] += i;
}}
"
        )
    };
    let (new, said) = reshaped(&text("<="));
    assert_eq!((new, said.as_str()), (text("<="), ""));
    // With an end, it can, and then threads cost nothing.
    let (new, said) = reshaped(&text("<"));
    assert!(new.contains(" collapse(2)\n    for (int k"), "{new}");
    assert!(
        said.contains(": the loops over k, i together, in the order k, i: 1024 times the threads"),
        "{said}"
    );
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
    // What a schedule leaves open is said; where threads take several iterations in a row, costs are not compared.
    assert!(
        reshaped(&text(" schedule(static)", three))
            .1
            .contains("as many threads as iterations")
    );
    let in_rows = text(" schedule(static, 4)", three);
    assert_eq!(reshaped(&in_rows).0, in_rows);
    let right = text(" collapse(3)", three);
    assert_eq!(reshaped(&right).0, right);
}

/// Where directives are there already, `annotate --reshape` may have nothing to write but loops in another order: it
/// writes them, and says so to programs too.
#[test]
fn loops_alone_are_written() {
    let text = "int a[64][64];
void f(void)
{
#pragma omp target teams distribute parallel for map(from: a)
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            a[i][j] = i + j;
}
";
    let folder = with(text);
    let path = folder.path().join("a.c");
    let path = path.to_str().unwrap();
    let output = ferry(["annotate", "--reshape", path]);
    assert_eq!(stdout(&output), reshaped(text).0);
    assert_eq!(status(&ferry(["annotate", "--check", path])), 0);
    assert_eq!(status(&ferry(["annotate", "--reshape", "--check", path])), 1);
    let output = ferry(["annotate", "--reshape", "--diff", "--format", "json", path]);
    let summary = common::valid_json(&stdout(&output));
    let file = &summary["files"][0];
    assert_eq!((&file["changed"], &file["kernels"]), (&true.into(), &0.into()));
    assert!(file["diff"].as_str().unwrap().contains("\n+"), "{file}");
    let said = file["reshaped"][0].as_str().unwrap();
    assert!(said.starts_with("line 5: "), "{said}");
}

/// Trying has an end, which is said.
#[test]
fn an_end_of_trying_is_said() {
    let nests = |count: usize| {
        let nest = "    for (int i = 1; i < n; i++) {\n        p[i] += p[i - 1];\n        q[i] += q[i - 1];\n    }\n";
        format!(
            "void f(int n, double *restrict p, double *restrict q)\n{{\n{}}}\n",
            nest.repeat(count)
        )
    };
    assert_eq!(reshaped(&nests(48)).1, "");
    let said = reshaped(&nests(49)).1;
    assert!(said.contains("48 ways to split nests were tried"), "{said}");
    let folder = with(&nests(49));
    let output = ferry([
        "annotate",
        "--reshape",
        folder.path().join("a.c").to_str().unwrap(),
    ]);
    assert!(stderr(&output).contains("48 ways to split nests were tried"));
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

/// Nests that would coalesce in another order or with a collapse, and must stay: each with what is wrong with the change.
#[test]
fn what_would_be_another_program_stays() {
    let swap = "for (int j = 0; j < 64; j++)\n for (int i = 0; i < 64; i++)\n";
    let target = "#pragma omp target teams distribute parallel for";
    let body = "a[i][j] = i + j;\n";
    let nest = |before: &str, heads: &str| {
        format!("int a[64][64], n, m;\nlong wide;\nvoid f(void)\n{{\n{before}{heads}{body}}}\n")
    };
    // As it is, it changes: the others differ from it in one thing.
    for text in [nest("", swap), nest(&format!("{target} map(from: a)\n"), swap)] {
        assert_ne!(reshaped(&text).0, text);
    }
    let of_heads = |heads: &str| nest("", heads);
    let of_clause = |clause: &str| {
        nest(
            &format!("{target} map(from: a) {clause}\n"),
            &swap.replace("int ", ""),
        )
    };
    let cases = [
        ("i never passes the greatest number", of_heads("for (int j = 0; j < n; j++)\n for (int i = 0; i <= m; i++)\n")),
        ("i steps over its bound", of_heads("for (int j = 0; j < n; j++)\n for (int i = 0; i < m; i += 2)\n")),
        ("i passes its bound if that is negative", of_heads("for (int j = 0; j < n; j++)\n for (int i = 0; i != m; i++)\n")),
        ("i cannot reach a wide bound", of_heads("for (int j = 0; j < n; j++)\n for (int i = 0; i < wide; i++)\n")),
        ("the bound may overflow", of_heads("for (int j = 0; j < n; j++)\n for (int i = 0; i < n * m; i++)\n")),
        ("the pragma is about i", of_heads("for (int j = 0; j < 64; j++)\n#pragma GCC unroll 4\n for (int i = 0; i < 64; i++)\n")),
        ("an assertion stands between", of_heads("for (int j = 0; j < 64; j++) {\n _Static_assert(sizeof a > 1, \"\");\n for (int i = 0; i < 64; i++)\n").replace("i + j;\n", "i + j;\n}")),
        ("the pragma is about j", nest("#pragma GCC unroll 4\n", swap)),
        ("x counts iterations", nest("int x = 0;\n#pragma omp target parallel for map(from: a) linear(x: 2)\n", swap)),
        ("iterations are ordered", nest("#pragma omp target parallel for map(from: a) ordered(1)\n", swap)),
        ("j is copied", of_clause("firstprivate(i)").replace("void f(void)\n{\n", "void f(void)\n{\nint i, j;\n")),
        ("tiles are two loops already", nest("#pragma acc parallel loop copyout(a) tile(4, 4)\n", swap)),
        ("one thread runs it", nest("#pragma acc serial loop copyout(a)\n", swap)),
        (
            "the bound lies on the device",
            "void f(int n, int *restrict p, int (*restrict a)[64])\n{\n#pragma omp target teams distribute parallel for is_device_ptr(p, a)\nfor (int i = 0; i < n; i++)\n for (int j = 0; j < *p; j++)\na[i][j] = 1;\n}\n".to_owned(),
        ),
        (
            "rows of one array may be those of the other",
            "void f(int n, int m, int ld, int *a, int *b)\n{\n#pragma omp target teams distribute parallel for map(tofrom: a[0:n*ld]) map(to: b[0:n*ld])\nfor (int i = 0; i < n; i++)\n for (int j = 1; j < m; j++)\na[i*ld+j] = b[i*ld+j-1];\n}\n".to_owned(),
        ),
        (
            "the distance is (0, 1, -1)",
            "int x[64][66][66];\nvoid f(void)\n{\nfor (int k = 0; k < 64; k++)\n for (int j = 1; j < 64; j++)\n for (int i = 1; i < 64; i++)\nx[i][j][k] = x[i + 1][j - 1][k];\n}\n".to_owned(),
        ),
        (
            "all layers write one row",
            "int a[64], b[64][64];\nvoid f(int n)\n{\n#pragma omp target teams distribute parallel for\nfor (int k = 0; k < n; k++)\n for (int i = 0; i < 64; i++)\na[k] = b[k][i];\n}\n".to_owned(),
        ),
    ];
    for (why, text) in cases {
        let (new, said) = reshaped(&text);
        assert_eq!(new, text, "{why}\n{said}");
    }
}

/// Where the best order cannot be written (`a` would be shared, were it not the first variable), the next one is, and the first one is still `a`.
#[test]
fn the_best_order_that_can_be_written_is() {
    let text = "int x[8][64][64][64];\nvoid f(int n)\n{\nint a, b, c, d;\n#pragma omp target teams distribute parallel for private(b, c, d)\nfor (a = 0; a < 8; a++)\n for (b = 0; b < n; b++)\n for (c = 0; c < n; c++)\n for (d = 0; d < n; d++)\nx[a][b][d][c] = a;\n}\n";
    let (new, said) = reshaped(text);
    assert!(said.contains("in the order a, b, d, c"), "{said}");
    assert!(new.contains("private(b, c, d) collapse(4)\nfor (a = 0"), "{new}");
    // gcc multiplies two negative spans of collapsed loops in OpenACC: they change places instead.
    let text = "int a[64][64], n, m;\nvoid f(void)\n{\n#pragma acc parallel loop copyout(a)\nfor (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\na[i][j] = i + j;\n}\n";
    let (new, said) = reshaped(text);
    assert!(
        said.contains("the loop over j in parallel, in the order j, i"),
        "{said}"
    );
    assert!(new.contains("copyout(a)\nfor (int j"), "{new}");
}

/// A sum in a bound is computed where it was not before, if the first loop has no iteration: that is listed, and so are arrays that a directive maps.
#[test]
fn what_a_change_rests_on_is_listed() {
    let (new, said) = reshaped(
        "int a[64][64];\nvoid f(int n, int m)\n{\nfor (int j = 0; j < n; j++)\n for (int i = 1; i <= m - 2; i++)\na[i][j] = i;\n}\n",
    );
    assert!(
        new.contains("for (int i = 1; i <= m - 2; i++)\n for (int j"),
        "{new}"
    );
    assert!(
        said.contains(
            "assuming that the bounds of its loops do not overflow where a loop around them has no iteration"
        ),
        "{said}"
    );
    let (new, said) = reshaped(
        "void f(int n, int m, int *a, int *b)\n{\n#pragma omp target teams distribute parallel for map(tofrom: a[0:n*m]) map(to: b[0:n*m])\nfor (int i = 0; i < n; i++)\n for (int j = 0; j < m; j++)\na[i*m+j] = b[i*m+j];\n}\n",
    );
    assert!(new.contains("collapse(2)"), "{new}\n{said}");
    assert!(
        said.contains("assuming that a and b do not overlap in part: what the directive maps must not"),
        "{said}"
    );
}
