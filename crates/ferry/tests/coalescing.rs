//! Has Ferry the exact counts of requests for the programs of the IPDA paper (§2.1, §7, §8) and of Juravle's thesis (§4, §5, §8, §9)?
//!
//! The counts were worked out by enumeration of the addresses, for warps of 32 threads, sectors of 32 bytes and lines of 128; the papers count otherwise. The
//! mappings are those of directives, so that they hold still. What every run of every test program shows is judged elsewhere (`coalescing_holds.rs`).

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json};
use serde_json::Value;

/// The kernels of a text, in its order.
fn kernels(text: &str) -> Vec<Value> {
    kernels_with(text, &[])
}

fn kernels_with(text: &str, flags: &[&str]) -> Vec<Value> {
    kernels_of(&report_of(text, flags))
}

fn report_of(text: &str, flags: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    std::fs::write(&path, text).unwrap();
    let mut arguments = vec!["report", "--format", "json"];
    arguments.extend(flags);
    arguments.push(path.to_str().unwrap());
    let output = ferry(arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    valid_json(&stdout(&output))
}

fn kernels_of(report: &Value) -> Vec<Value> {
    let loops = report["loops"].as_array().unwrap().iter();
    loops
        .filter(|one| !one["kernel"].is_null())
        .map(|one| one["kernel"].clone())
        .collect()
}

fn only(text: &str) -> Value {
    let mut found = kernels(text);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

/// `r A[i*NK+k] 32/32`: sectors and lines, for each access.
fn counts(kernel: &Value) -> Vec<String> {
    let accesses = kernel["accesses"].as_array().unwrap().iter();
    let one = |one: &Value| {
        let kind = &one["kind"].as_str().unwrap()[..1];
        let amount = |name: &str| one[name]["usual"].as_str().unwrap().to_owned();
        format!(
            "{kind} {} {}/{}",
            one["text"].as_str().unwrap(),
            amount("sectors"),
            amount("lines")
        )
    };
    accesses.map(one).collect()
}

/// The most of any warp, as `5/2`.
fn worst(kernel: &Value, text: &str) -> String {
    let access = access(kernel, text);
    let amount = |name: &str| access[name]["worst"].as_str().unwrap().to_owned();
    format!("{}/{}", amount("sectors"), amount("lines"))
}

/// Sectors and lines wherever the array begins, as `4..5 / 1..2`.
fn any_base(kernel: &Value, text: &str) -> String {
    any_base_of(access(kernel, text))
}

fn any_base_of(access: &Value) -> String {
    let amount = |name: &str| {
        let ends = &access[name]["any_base"];
        format!(
            "{}..{}",
            ends["best"].as_str().unwrap(),
            ends["worst"].as_str().unwrap()
        )
    };
    format!("{} / {}", amount("sectors"), amount("lines"))
}

fn access<'a>(kernel: &'a Value, text: &str) -> &'a Value {
    let mut found = kernel["accesses"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["text"] == text);
    found
        .next()
        .unwrap_or_else(|| panic!("{text} is not in {kernel}"))
}

fn together(kernel: &Value) -> (String, String) {
    let sum = |name: &str| kernel[name].as_str().unwrap().to_owned();
    (sum("sectors"), sum("lines"))
}

fn pair(sectors: &str, lines: &str) -> (String, String) {
    (sectors.to_owned(), lines.to_owned())
}

fn gemm(directive: &str, ni: u32, nj: u32, nk: u32) -> String {
    format!(
        "#define NI {ni}
         #define NJ {nj}
         #define NK {nk}
         float A[NI * NK], B[NK * NJ], C[NI * NJ];
         void gemm(float alpha, float beta)
         {{
             #pragma omp target teams distribute parallel for {directive}
             for (int i = 0; i < NI; i++)
                 for (int j = 0; j < NJ; j++) {{
                     for (int k = 0; k < NK; k++)
                         C[i*NJ+j] += alpha * A[i*NK+k] * B[k*NJ+j];
                 }}
         }}"
    )
}

/// IPDA figure 8. The paper says that no access coalesces before; B does not depend on i.
#[test]
fn gemm_takes_97_lines_and_4_when_collapsed() {
    let before = only(&gemm("", 1024, 1024, 1024));
    assert_eq!(
        counts(&before),
        [
            "r C[i*NJ+j] 32/32",
            "w C[i*NJ+j] 32/32",
            "r A[i*NK+k] 32/32",
            "r B[k*NJ+j] 1/1"
        ]
    );
    assert_eq!(together(&before), pair("97", "97"));
    assert_eq!(access(&before, "A[i*NK+k]")["stride"], "4096");
    assert_eq!(access(&before, "B[k*NJ+j]")["pattern"], "uniform");
    assert_eq!(
        before["advice"],
        "the loops over i, j together: 1/24 of the requests"
    );
    let after = only(&gemm("collapse(2)", 1024, 1024, 1024));
    assert_eq!(
        counts(&after),
        [
            "r C[i*NJ+j] 4/1",
            "w C[i*NJ+j] 4/1",
            "r A[i*NK+k] 1/1",
            "r B[k*NJ+j] 4/1"
        ]
    );
    assert_eq!(together(&after), pair("13", "4"));
    assert_eq!(after["advice"], Value::Null);
    assert_eq!(worst(&after, "A[i*NK+k]"), "1/1", "no warp runs two rows of 1024");
    // Where C does not begin on a line, it is not one line any more.
    assert_eq!(worst(&after, "C[i*NJ+j]"), "4/1");
    assert_eq!(any_base(&after, "C[i*NJ+j]"), "4..5 / 1..2");
    assert_eq!(any_base(&after, "B[k*NJ+j]"), "4..5 / 1..2");
    assert_eq!(any_base(&after, "A[i*NK+k]"), "1..1 / 1..1");
    assert_eq!(any_base(&before, "C[i*NJ+j]"), "32..32 / 32..32");
    // Bytes from thread to thread, where NI, NJ and NK differ.
    let strides = |text: &str| {
        let kernel = only(text);
        ["C[i*NJ+j]", "A[i*NK+k]", "B[k*NJ+j]"].map(|text| access(&kernel, text)["stride"].clone())
    };
    assert_eq!(strides(&gemm("", 96, 1000, 500)), ["4000", "2000", "0"]);
    assert_eq!(strides(&gemm("", 40, 33, 17)), ["132", "68", "0"]);
    assert_eq!(
        together(&only(&gemm("collapse(2)", 512, 1024, 256))),
        pair("13", "4")
    );
}

/// Rows of 1000: warp 31 ends one and begins the next. Rows of 33: nearly every warp does.
#[test]
fn warps_may_run_two_rows() {
    let thousand = only(&gemm("collapse(2)", 96, 1000, 1000));
    assert_eq!(
        together(&thousand),
        pair("13", "4"),
        "the first warp is in one row"
    );
    assert_eq!(worst(&thousand, "A[i*NK+k]"), "2/2");
    assert_eq!(
        worst(&thousand, "C[i*NJ+j]"),
        "4/1",
        "C goes on from row to row, and 4000 bytes are whole sectors"
    );
    // One row of B ends with 8 elements, and the next warp's 24 lie at its beginning: two lines where the row begins on one (k = 0), and one more
    // where it begins late in a line. Warps begin at every eighth column, so that all of that are whole sectors.
    assert_eq!(worst(&thousand, "B[k*NJ+j]"), "4/3");
    assert_eq!(access(&thousand, "A[i*NK+k]")["straddles"], true);
    assert_eq!(access(&thousand, "C[i*NJ+j]")["straddles"], false);
    let odd = only(&gemm("collapse(2)", 40, 33, 17));
    assert_eq!(worst(&odd, "C[i*NJ+j]"), "4/1");
    assert_eq!(worst(&odd, "A[i*NK+k]"), "2/2");
}

/// SYRK: 97 lines before, 35 after; worth it, and not perfect. SYR2K: 130 and 68.
#[test]
fn syrk_and_syr2k() {
    let syrk = |directive: &str| {
        format!(
            "#define N 1024
             #define M 1024
             float A[N * M], C[N * N];
             void syrk(float alpha)
             {{
                 #pragma omp target teams distribute parallel for {directive}
                 for (int i = 0; i < N; i++)
                     for (int j = 0; j < N; j++) {{
                         for (int k = 0; k < M; k++)
                             C[i*N+j] += alpha * A[i*M+k] * A[j*M+k];
                     }}
             }}"
        )
    };
    let before = only(&syrk(""));
    assert_eq!(
        counts(&before),
        [
            "r C[i*N+j] 32/32",
            "w C[i*N+j] 32/32",
            "r A[i*M+k] 32/32",
            "r A[j*M+k] 1/1"
        ]
    );
    let after = only(&syrk("collapse(2)"));
    assert_eq!(
        counts(&after),
        [
            "r C[i*N+j] 4/1",
            "w C[i*N+j] 4/1",
            "r A[i*M+k] 1/1",
            "r A[j*M+k] 32/32"
        ]
    );
    assert_eq!(
        (together(&before), together(&after)),
        (pair("97", "97"), pair("41", "35"))
    );
    assert_eq!(
        before["advice"],
        "the loops over i, j together: 1/3 of the requests"
    );
    let syr2k = |directive: &str| {
        syrk(directive)
            .replace("float A[N * M],", "float A[N * M], B[N * M],")
            .replace(
                "alpha * A[i*M+k] * A[j*M+k]",
                "alpha * A[i*M+k] * B[j*M+k] + alpha * B[i*M+k] * A[j*M+k]",
            )
    };
    let before = only(&syr2k(""));
    let after = only(&syr2k("collapse(2)"));
    assert_eq!(
        (together(&before), together(&after)),
        (pair("130", "130"), pair("74", "68"))
    );
}

/// 2DCONV, the first warp of row 1: 320 lines and 17 (47 sectors).
#[test]
fn convolutions_of_two_and_three_dimensions() {
    let text = |directive: &str| {
        format!(
            "#define NI 4096
             #define NJ 4096
             float A[NI * NJ], B[NI * NJ];
             void conv(void)
             {{
                 #pragma omp target teams distribute parallel for {directive}
                 for (int i = 1; i < NI - 1; i++)
                     for (int j = 1; j < NJ - 1; j++)
                         B[i*NJ+j] = A[(i-1)*NJ+(j-1)] + A[i*NJ+(j-1)] + A[(i+1)*NJ+(j-1)]
                                   + A[(i-1)*NJ+j] + A[i*NJ+j] + A[(i+1)*NJ+j]
                                   + A[(i-1)*NJ+(j+1)] + A[i*NJ+(j+1)] + A[(i+1)*NJ+(j+1)];
             }}"
        )
    };
    assert_eq!(together(&only(&text(""))), pair("320", "320"));
    let after = only(&text("collapse(2)"));
    assert_eq!(together(&after), pair("47", "17"));
    let own = counts(&after);
    assert!(
        own.contains(&"r A[i*NJ+(j-1)] 4/1".to_owned()) && own.contains(&"r A[i*NJ+j] 5/2".to_owned()),
        "{own:?}"
    );
    assert!(own.contains(&"w B[i*NJ+j] 5/2".to_owned()), "{own:?}");
    // 3DCONV, loops j, i, k as in IPDA figure 6: only all three together pay.
    let text = |directive: &str| {
        format!(
            "#define N 64
             float A[N * N * N], B[N * N * N];
             void conv(void)
             {{
                 #pragma omp target teams distribute parallel for {directive}
                 for (int j = 1; j < N - 1; j++)
                     for (int i = 1; i < N - 1; i++)
                         for (int k = 1; k < N - 1; k++)
                             B[i*(N*N)+j*N+k] = A[i*(N*N)+j*N+k];
             }}"
        )
    };
    let store = |directive: &str| counts(&only(&text(directive)))[0].clone();
    assert_eq!(store(""), "w B[i*(N*N)+j*N+k] 32/32");
    assert_eq!(store("collapse(2)"), "w B[i*(N*N)+j*N+k] 32/32");
    assert_eq!(store("collapse(3)"), "w B[i*(N*N)+j*N+k] 5/2");
    assert!(
        only(&text(""))["advice"]
            .as_str()
            .unwrap()
            .starts_with("the loops over j, i, k together: 1/17 ")
    );
}

/// MVT: the first kernel cannot be changed, as its inner loop sums up; the second is fine. COVAR's second nest.
#[test]
fn mvt_and_covar() {
    let found = kernels(
        "#define N 4096
         float a[N * N], x1[N], x2[N], y1[N], y2[N];
         void mvt(void)
         {
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < N; i++)
                 for (int j = 0; j < N; j++)
                     x1[i] = x1[i] + a[i*N+j] * y1[j];
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < N; i++)
                 for (int j = 0; j < N; j++)
                     x2[i] = x2[i] + a[j*N+i] * y2[j];
         }",
    );
    assert_eq!(
        counts(&found[0]),
        ["w x1[i] 4/1", "r x1[i] 4/1", "r a[i*N+j] 32/32", "r y1[j] 1/1"]
    );
    assert_eq!(found[0]["advice"], Value::Null);
    let refused = found[0]["mappings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["legal"] == false)
        .unwrap();
    assert!(refused["reason"].as_str().unwrap().contains("sum"), "{refused}");
    assert_eq!(
        counts(&found[1]),
        ["w x2[i] 4/1", "r x2[i] 4/1", "r a[j*N+i] 4/1", "r y2[j] 1/1"]
    );
    assert_eq!(found[1]["advice"], Value::Null);
    let covar = |directive: &str| {
        only(&format!(
            "#define M 2048
             #define N 2048
             float data[(M + 1) * (N + 1)], mean[M + 1];
             void centre(void)
             {{
                 #pragma omp target teams distribute parallel for {directive}
                 for (int i = 1; i < N + 1; i++)
                     for (int j = 1; j < M + 1; j++)
                         data[i*(M+1)+j] -= mean[j];
             }}"
        ))
    };
    assert_eq!(
        counts(&covar("")),
        [
            "r data[i*(M+1)+j] 32/32",
            "w data[i*(M+1)+j] 32/32",
            "r mean[j] 1/1"
        ]
    );
    let after = covar("collapse(2)");
    assert_eq!(access(&after, "mean[j]")["sectors"]["usual"], "5");
    assert_eq!(access(&after, "mean[j]")["lines"]["usual"], "2");
    // Rows of 2049 elements begin anywhere: five sectors and two lines where they do not begin on one.
    assert_eq!(worst(&after, "data[i*(M+1)+j]"), "5/2");
}

/// An array of structures of 12 bytes, of which one member is read, and the same as an array of its own.
#[test]
fn members_of_structures() {
    let found = kernels(
        "struct point { float x, y, z; };
         struct point p[4096];
         float x[4096], out[4096];
         void f(void)
         {
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < 4096; i++)
                 out[i] = p[i].x;
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < 4096; i++)
                 out[i] = x[i];
         }",
    );
    assert_eq!(counts(&found[0]), ["w out[i] 4/1", "r p[i].x 12/3"]);
    // 376 bytes of structures from the first member to the last.
    assert_eq!(any_base(&found[0], "p[i].x"), "12..13 / 3..4");
    assert_eq!(access(&found[0], "p[i].x")["pattern"], "array_of_structures");
    assert_eq!(counts(&found[1]), ["w out[i] 4/1", "r x[i] 4/1"]);
}

/// IPDA figure 1: the index depends on a condition, and the addresses of each warp are still known thread by thread.
#[test]
fn figure_1_is_counted_thread_by_thread() {
    let text = "void f(double *b)
         {
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < 128; i++) {
                 int at = 0;
                 if (i < 32)
                     at = 64 + i;
                 else
                     at = i;
                 b[at] = 1;
             }
         }";
    let kernel = only(text);
    assert_eq!(counts(&kernel), ["w b[at] 8/2"]);
    assert_eq!(worst(&kernel, "b[at]"), "8/2", "in all four warps");
    assert_eq!(access(&kernel, "b[at]")["lines"]["best"], "2");
    assert_eq!(any_base(&kernel, "b[at]"), "8..9 / 2..3");
    // One request of 256 bytes by the paper's count.
    assert_eq!(
        access(&kernel, "b[at]")["ipda_figure_7"],
        serde_json::json!([1, 1])
    );
}

/// IPDA figure 12, with an array of this size: 32/32 for each access, and 9/3 with k and i together and j inside.
#[test]
fn figure_12_puts_i_between_k_and_j() {
    let text = |heads: &str, directive: &str| {
        format!(
            "double lhs[3][64][64][64];
             void eliminate(void)
             {{
                 #pragma omp target teams distribute parallel for {directive}
                 {heads} {{
                     lhs[1][k][j][i] = lhs[0][k][j][i] * lhs[1][k][j][i];
                     lhs[2][k][j+1][i] = lhs[2][k][j+1][i] - lhs[2][k][j][i] * lhs[1][k][j][i];
                 }}
             }}"
        )
    };
    let k = "for (int k = 1; k <= 62; k++)";
    let j = "for (int j = 0; j <= 61; j++)";
    let i = "for (int i = 1; i <= 62; i++)";
    let before = only(&text(&format!("{k} {j} {i}"), ""));
    assert!(
        counts(&before).iter().all(|one| one.ends_with(" 32/32")),
        "{:?}",
        counts(&before)
    );
    assert!(
        before["advice"]
            .as_str()
            .unwrap()
            .starts_with("the loops over k, i together, in the order k, i, j: 1/11 "),
        "{before}"
    );
    let refused = before["mappings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["legal"] == false)
        .unwrap();
    assert_eq!(
        refused["reason"],
        "iterations of the loop over j depend on one another"
    );
    let after = only(&text(&format!("{k} {i} {j}"), "collapse(2)"));
    assert!(
        counts(&after).iter().all(|one| one.ends_with(" 9/3")),
        "{:?}",
        counts(&after)
    );
    assert_eq!(after["advice"], Value::Null);
    // 8/2 is what rows would take that began at i = 0, or an array that begins 8 bytes before a line. The most is that of warps of two rows: two elements across
    // the end of a line and the 30 first ones of the next row.
    for text in ["lhs[1][k][j][i]", "lhs[0][k][j][i]", "lhs[2][k][j+1][i]"] {
        assert_eq!(any_base(&after, text), "8..11 / 2..5");
    }
}

/// Juravle §5.1: matrix addition. The thesis says N/4 and 1; the first is min(32, N).
#[test]
fn matrix_addition_of_any_size() {
    let text = |directive: &str| {
        format!(
            "void add(int n, int *a, int *b, int *c)
             {{
                 #pragma omp target teams distribute parallel for {directive}
                 for (int i = 0; i < n; i++)
                     for (int j = 0; j < n; j++)
                         c[i*n+j] = a[i*n+j] + b[i*n+j];
             }}"
        )
    };
    let before = only(&text(""));
    assert_eq!(access(&before, "a[i*n+j]")["lines"]["usual"], "min(n, 32)");
    assert_eq!(access(&before, "a[i*n+j]")["stride"], "4*n");
    let after = only(&text("collapse(2)"));
    assert_eq!(
        counts(&after),
        ["w c[i*n+j] 4/1", "r a[i*n+j] 4/1", "r b[i*n+j] 4/1"]
    );
    // Threads are numbered on from row to row, and so are the elements.
    assert_eq!(worst(&after, "a[i*n+j]"), "4/1");
    for text in ["a[i*n+j]", "b[i*n+j]", "c[i*n+j]"] {
        assert_eq!(any_base(&after, text), "4..5 / 1..2");
    }
    // Without elements nothing is touched.
    let regions = regions_of(&text(""));
    let empty = "reads a (in steps of 4 * n, 4 bytes) exactly { [x, y] : 0 <= x < n and 0 <= y < n }";
    assert!(regions.contains(empty), "{regions}");
    // The formula is what 32 threads take at the sizes of the answers; n iterations have n threads, which may be fewer.
    for (n, of_warp, of_threads) in [
        (1u32, 1, 1),
        (16, 16, 8),
        (31, 31, 30),
        (32, 32, 32),
        (33, 32, 32),
        (1024, 32, 32),
    ] {
        let counted = ferry_gpu::Blocks::strided(ferry_gpu::builtin(), 32, 0, 4 * i128::from(n), 4);
        assert_eq!((n.min(32), counted.lines), (of_warp, u64::from(of_warp)), "{n}");
        let sized = text("")
            .replace("int n, ", "")
            .replace("void add", &format!("enum {{ n = {n} }}; void add"));
        let kernel = only(&sized);
        let said = access(&kernel, "a[i*n+j]")["lines"]["usual"].clone();
        assert_eq!(said, of_threads.to_string(), "{n}");
        assert_eq!(access(&kernel, "a[i*n+j]")["lines"]["exact"], true, "{n}");
    }
    // What was not proved is listed: that n is positive, so that rows lie apart.
    let listed = |kernel: &Value| {
        let all = kernel["assumptions"].as_array().unwrap().iter();
        all.map(|one| one.as_str().unwrap().to_owned())
            .filter(|one| !one.starts_with("arrays begin") && !one.starts_with("for the comparison"))
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(&before), [""; 0], "the loop does not run otherwise");
    let any_pitch = only(
        "void f(int n, int m, const int *restrict a, int *restrict c)
         {
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < n; i++)
                 c[i] = a[i * m];
         }",
    );
    assert_eq!(access(&any_pitch, "a[i * m]")["lines"]["usual"], "min(m, 32)");
    assert_eq!(listed(&any_pitch), ["m > 0"]);
    let apart = only(
        "void f(int n, int m, int k, const int *restrict a, int *restrict c)
         {
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < n; i++)
                 c[i] = a[i * (m - k)] + a[i * m];
         }",
    );
    assert_eq!(listed(&apart), ["m > k", "m > 0"]);
}

/// Juravle §8.7.1, `getIndex`: what it returns is known for each call by itself.
#[test]
fn the_stride_of_a_called_function() {
    let text = |n: u32| {
        format!(
            "static int getIndex(int x) {{ return 2 * x + 4; }}
             void f(int n, const int *restrict a, const int *restrict b, const int *restrict c, int *restrict out)
             {{
                 #pragma omp target teams distribute parallel for
                 for (int i = 0; i < n; i++) {{
                     int sum = a[getIndex(i)] + b[getIndex(i * {n})];
                     for (int k = 0; k < 10; k++)
                         sum += c[getIndex(k)];
                     out[i] = sum;
                 }}
             }}"
        )
    };
    let of = |kernel: &Value, object: &str| {
        let mut all = kernel["accesses"].as_array().unwrap().iter();
        all.find(|one| one["object"] == object).unwrap().clone()
    };
    let counted = |access: &Value| {
        let amount = |name: &str| access[name]["usual"].as_str().unwrap().to_owned();
        format!("{}/{}", amount("sectors"), amount("lines"))
    };
    let one = only(&text(1));
    // 16 bytes on from a line; the thesis divides the elements of a warp by those of a line: 0.5.
    let a = of(&one, "a");
    assert_eq!((counted(&a).as_str(), &a["stride"]), ("9/3", &"8".into()));
    assert_eq!(all_counts(&a), "9 9..9 / 3 3..3");
    assert_eq!(any_base_of(&a), "8..9 / 2..3");
    for (n, wanted) in [
        (1, "9/3"),
        (2, "17/5"),
        (4, "32/8"),
        (8, "32/16"),
        (16, "32/32"),
        (17, "32/32"),
        (64, "32/32"),
    ] {
        assert_eq!(counted(&of(&only(&text(n)), "b")), wanted, "{n}");
    }
    // The same c for all threads: every other element of 19 from the fifth one on.
    let report = report_of(&text(1), &[]);
    let c = of(&one, "c");
    assert_eq!((counted(&c).as_str(), &c["pattern"]), ("1/1", &"uniform".into()));
    assert_eq!(
        (any_base_of(&c).as_str(), &c["times"]),
        ("1..1 / 1..1", &"10".into())
    );
    let accesses = report["accesses"].as_array().unwrap().iter();
    let section = accesses.clone().find(|one| one["object"] == "c").unwrap();
    assert_eq!(section["section"], "c[4:19]");
    assert_eq!(section["bytes"], serde_json::json!(["16", "92"]));
    // 4, 6, …, 22: ten of the 19 that are copied.
    assert!(
        regions_of(&text(1)).contains("reads c exactly { [x] : x mod 2 = 0 and 4 <= x <= 22 and 1 <= n }"),
        "{}",
        regions_of(&text(1))
    );
    let shared = one["sharing"].as_array().unwrap().iter();
    let c = shared.clone().find(|one| one["object"] == "c").unwrap();
    assert_eq!((&c["uniform"], c["bytes"].as_str()), (&true.into(), Some("76")));
}

fn regions_of(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    std::fs::write(&path, text).unwrap();
    stdout(&ferry(["show", "regions", path.to_str().unwrap()]))
}

/// Juravle §5.2 and §9, the convolution: rows of 3*w bytes, min(32, 3w/4) lines before, 3 sectors with the loops reversed.
#[test]
fn rows_of_pixels() {
    let text = |order: &str| {
        format!(
            "void f(int w, int h, unsigned char *restrict out, const unsigned char *restrict in)
             {{
                 #pragma omp target teams distribute parallel for collapse(2)
                 {order}
                         out[y*w*3+x*3] = in[y*w*3+x*3];
             }}"
        )
    };
    let y = "for (int y = 0; y < h; y++)";
    let x = "for (int x = 0; x < w; x++)";
    let before = only(&text(&format!("{x} {y}")));
    assert_eq!(
        access(&before, "in[y*w*3+x*3]")["lines"]["usual"],
        "min(floor((93*w)/128), 31) + 1",
        "3*w/4, rounded up, for most w: 12 for 16, 24 for 32, but 31 for 42"
    );
    // The formula is the count, for every width.
    let formula = |w: u64| (93 * w / 128).min(31) + 1;
    for w in 1..2000 {
        let rows = ferry_gpu::Blocks::strided(ferry_gpu::builtin(), 32, 0, 3 * i128::from(w), 1);
        assert_eq!(formula(w), rows.lines, "{w}");
    }
    assert_eq!([16, 32, 42, 43, 44, 2000].map(formula), [12, 24, 31, 32, 32, 32]);
    let after = only(&text(&format!("{y} {x}")));
    assert_eq!(counts(&after), ["w out[y*w*3+x*3] 3/1", "r in[y*w*3+x*3] 3/1"]);
    // 96 bytes each: one line for the first of four warps and the last, two for those between.
    assert_eq!(worst(&after, "in[y*w*3+x*3]"), "3/2");
    // Each of the first eight warps of a row, as the first one of a loop that begins there.
    let row: Vec<String> = (0..8)
        .map(|warp| {
            let kernel = only(&format!(
                "void f(int w, unsigned char *restrict out, const unsigned char *restrict in)
                 {{
                     #pragma omp target teams distribute parallel for
                     for (int x = {}; x < w; x++)
                         out[x] = in[x*3];
                 }}",
                32 * warp
            ));
            counts(&kernel).pop().unwrap()
        })
        .collect();
    let wanted = [1, 2, 2, 1, 1, 2, 2, 1].map(|lines| format!("r in[x*3] 3/{lines}"));
    assert_eq!(row, wanted);
}

/// What is loaded decides where the threads are: from one line to one for each.
#[test]
fn gathers_are_intervals_with_the_reason() {
    let kernel = only(
        "void f(int n, float *restrict out, const float *restrict x, const int *restrict at)
         {
             #pragma omp target teams distribute parallel for
             for (int i = 0; i < n; i++)
                 out[i] = x[at[i]];
         }",
    );
    let gather = access(&kernel, "x[at[i]]");
    assert_eq!(gather["pattern"], "irregular");
    assert_eq!(
        (
            gather["lines"]["best"].as_str(),
            gather["sectors"]["best"].as_str()
        ),
        (Some("1"), Some("1"))
    );
    assert_eq!(gather["advice"], "it depends on a value that each thread loads");
    assert_eq!(access(&kernel, "at[i]")["pattern"], "unit_stride");
}

/// Threads that part need what both addresses take; warps that go one way need one of them.
#[test]
fn conditions_between_pointers() {
    let text = |condition: &str| {
        format!(
            "void f(int n, int k, float *restrict out, float *a, float *b, int *restrict flag)
             {{
                 #pragma omp target teams distribute parallel for
                 for (int i = 0; i < 1024; i++) {{
                     float *p = a;
                     int at = i;
                     if ({condition}) {{ p = b; at = 2 * i; }}
                     out[i] = p[at];
                 }}
             }}"
        )
    };
    let whole = only(&text("k > 0"));
    assert_eq!(
        access(&whole, "p[at]")["lines"]["usual"],
        "2",
        "a warp goes one way: 1 line or 2"
    );
    let parted = only(&text("flag[i] > 0"));
    let lines = &access(&parted, "p[at]")["lines"];
    assert!(
        lines["worst"].as_str().unwrap().parse::<u32>().unwrap() >= 3,
        "{lines}"
    );
}

/// Other GPUs, and a file that describes one.
#[test]
fn the_gpu_is_a_file() {
    let text = "void f(float *a) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 4096; i++) a[i] = 1;
    }";
    let of = |gpu: &str| {
        let kernel = kernels_with(text, &["--gpu", gpu]).remove(0);
        (kernel["warp"].clone(), counts(&kernel).remove(0))
    };
    assert_eq!(of("p100"), (32.into(), "w a[i] 4/1".to_owned()));
    assert_eq!(of("mi250x"), (64.into(), "w a[i] 4/2".to_owned()));
    assert_eq!(of("integrated"), (16.into(), "w a[i] 1/1".to_owned()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let mine = include_str!("../../gpu/devices/h200.toml").replace("warp = 32", "warp = 8");
    std::fs::write(&path, mine).unwrap();
    assert_eq!(of(path.to_str().unwrap()), (8.into(), "w a[i] 1/1".to_owned()));
    let wrong = |gpu: &str| {
        let output = ferry(["report", "--gpu", gpu, "a.c"]);
        assert_eq!(status(&output), 2);
        stderr(&output)
    };
    assert!(wrong("h300").contains("no GPU of that name is known (h200, h100"));
    std::fs::write(&path, "warp = 3").unwrap();
    assert!(wrong(path.to_str().unwrap()).contains("missing field"));
}

/// Juravle §9, Table 9.1, or better: what goes in and out exactly, the reads of three colours in one tile without the two rows and three bytes too many.
#[test]
fn the_report_of_table_9_1() {
    let text = |heads: &str| {
        format!(
            "void convolve(int w, int h, int fw, int fh, const unsigned char *restrict in, const int *restrict filter, unsigned char *restrict out)
             {{
                 {heads} {{
                         int red = 0, green = 0, blue = 0;
                         for (int fy = 0; fy < fh; fy++)
                             for (int fx = 0; fx < fw; fx++) {{
                                 int py = y + fy - fh / 2, px = x + fx - fw / 2;
                                 int coeff = filter[fx + fy * fw];
                                 int off = px < 0 || px >= w || py < 0 || py >= h;
                                 red += off ? 0 : in[(py * w + px) * 3 + 0] * coeff;
                                 green += off ? 0 : in[(py * w + px) * 3 + 1] * coeff;
                                 blue += off ? 0 : in[(py * w + px) * 3 + 2] * coeff;
                             }}
                         out[(y * w + x) * 3 + 0] = red;
                         out[(y * w + x) * 3 + 1] = green;
                         out[(y * w + x) * 3 + 2] = blue;
                 }}
             }}"
        )
    };
    let rows = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)";
    let columns = "for (int x = 0; x < w; x++) for (int y = 0; y < h; y++)";
    let report = report_of(&text(rows), &[]);
    let kernel = &kernels_of(&report)[0];
    let red = access(kernel, "in[(py * w + px) * 3 + 0]");
    assert_eq!(
        (red["sectors"]["usual"].as_str(), red["lines"]["usual"].as_str()),
        (Some("3"), Some("1"))
    );
    assert_eq!(access(kernel, "filter[fx + fy * fw]")["pattern"], "uniform");
    // All of the picture and nothing around it, whatever the filter.
    let read = |text: &str| {
        let all = report["accesses"].as_array().unwrap().iter();
        let bytes = all.clone().find(|one| one["text"] == text).unwrap()["bytes"].clone();
        (
            bytes[0].as_str().unwrap().to_owned(),
            bytes[1].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(read("in[(py * w + px) * 3 + 0]"), pair("0", "3 * w * h - 2"));
    assert_eq!(read("in[(py * w + px) * 3 + 2]"), pair("2", "3 * w * h"));
    assert_eq!(read("filter[fx + fy * fw]"), pair("0", "4 * fw * fh"));
    let sharing = kernel["sharing"].as_array().unwrap();
    let of = |object: &str| sharing.iter().find(|one| one["object"] == object).unwrap();
    let image = of("in");
    assert_eq!(
        image["reads"].as_array().unwrap().len(),
        3,
        "three colours are one tile"
    );
    assert_eq!(
        image["tile"],
        serde_json::json!(["fh + BY - 1", "3*fw + 3*BX - 3"])
    );
    assert_eq!(image["block"], serde_json::json!([16, 16]));
    assert_eq!(
        image["overlaps"],
        serde_json::json!(["3*(fw - 1)*fh", "3*(fh - 1)*fw"])
    );
    let filter = of("filter");
    assert_eq!(
        (filter["uniform"].as_bool(), filter["bytes"].as_str()),
        (Some(true), Some("4*fw*fh"))
    );
    // With numbers: 54 x 18 bytes.
    let sized = text(rows)
        .replace("int fw, int fh, ", "")
        .replace("void convolve", "enum { fw = 3, fh = 3 }; void convolve");
    let kernel = &kernels(&sized)[0];
    let image = kernel["sharing"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["object"] == "in")
        .unwrap();
    assert_eq!(image["bytes"], "972");
    // Column by column: min(32, 3w/4) lines for each colour, and the advice to turn the loops round.
    let found = kernels(&text(columns));
    let red = access(&found[0], "in[(py * w + px) * 3 + 0]");
    assert_eq!(
        red["lines"]["usual"], "min(floor((93*w)/128), 31) + 1",
        "3*w/4, rounded up, for most w: 12 for 16, 24 for 32, but 31 for 42"
    );
    assert!(
        found[0]["advice"]
            .as_str()
            .unwrap()
            .starts_with("the loops over y, x together, in the order y, x: 1/"),
        "{}",
        found[0]["advice"]
    );
}

/// What figure 7 of the paper counts stands beside the counts, for comparison: 256 bytes, wherever they begin, and 8 bytes for each access.
#[test]
fn figure_7_for_comparison() {
    let text = "void f(int n, const double *restrict a, const float *restrict b, const int *restrict x, double *restrict c)
{
#pragma omp target teams distribute parallel for map(to: a[0:n*n], b[0:32*n], x[0:n]) map(from: c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = a[i * n] + b[4 * i] + a[x[i]] + a[0];
}
";
    let kernel = only(text);
    let accesses = kernel["accesses"].as_array().unwrap().iter();
    let found: Vec<String> = accesses
        .map(|one| {
            let counted = one["ipda_figure_7"].as_array().unwrap();
            format!(
                "{}: {} to {}",
                one["text"].as_str().unwrap(),
                counted[0],
                counted[1]
            )
        })
        .collect();
    let wanted = [
        "c[i]: 1 to 1",
        "a[i * n]: 1 to 32",
        // 512 bytes: four lines, sixteen sectors.
        "b[4 * i]: 2 to 2",
        "a[x[i]]: 1 to 32",
        "x[i]: 1 to 1",
        "a[0]: 1 to 1",
    ];
    assert_eq!(found, wanted);
}

/// What a schedule leaves open is listed; one that says which thread runs what rests on nothing.
#[test]
fn what_schedules_leave_open() {
    let assumed = |schedule: &str| {
        let text = format!(
            "void f(int n, int c, double *restrict a)
{{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) {schedule}
    for (int i = 0; i < n; i++)
        a[i] += 1;
}}
"
        );
        let kernel = only(&text);
        let all = kernel["assumptions"].as_array().unwrap().iter();
        all.map(|one| one.as_str().unwrap().to_owned())
            .filter(|one| !one.starts_with("arrays begin") && !one.starts_with("for the comparison"))
            .collect::<Vec<_>>()
    };
    assert_eq!(assumed(""), [""; 0]);
    assert_eq!(assumed("schedule(static, 1)"), [""; 0]);
    assert_eq!(assumed("schedule(static, 4)"), [""; 0]);
    assert_eq!(assumed("schedule(static, c)"), ["the chunk of the schedule is 1"]);
    assert!(assumed("schedule(static)")[0].starts_with("there are as many threads as iterations"));
    assert!(assumed("schedule(monotonic: dynamic)")[0].ends_with("which schedule(dynamic) leaves open"));
    assert!(assumed("schedule(guided, 4)")[0].ends_with("which schedule(guided) leaves open"));
}

/// `distribute` or `gang` alone: each thread has its warp for itself, and that is the advice, not another order.
#[test]
fn iterations_of_teams_have_a_warp_each() {
    let body = "for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i*m+j] += 1;";
    let kernel = |directive: &str| {
        only(&format!(
            "void f(int n, int m, double *restrict a) {{
             #pragma {directive}
             {body} }}"
        ))
    };
    for directive in [
        "omp target teams distribute map(tofrom: a[0:n*m])",
        "acc parallel loop gang copy(a[0:n*m])",
        "acc parallel loop gang worker copy(a[0:n*m])",
    ] {
        let found = kernel(directive);
        assert_eq!(
            (&found["alone"], &found["warp"]),
            (&true.into(), &1.into()),
            "{directive}"
        );
        assert_eq!(
            counts(&found),
            ["r a[i*m+j] 1/1", "w a[i*m+j] 1/1"],
            "{directive}"
        );
        let advice = found["advice"].as_str().unwrap();
        assert!(advice.contains("one thread of a warp works"), "{advice}");
    }
    for directive in [
        "omp target teams distribute parallel for map(tofrom: a[0:n*m])",
        "acc parallel loop gang vector copy(a[0:n*m])",
        "acc parallel loop copy(a[0:n*m])",
    ] {
        let found = kernel(directive);
        assert_eq!(
            (&found["alone"], &found["warp"]),
            (&false.into(), &32.into()),
            "{directive}"
        );
        assert_eq!(
            access(&found, "a[i*m+j]")["lines"]["usual"],
            "min(2*m, 32)",
            "{directive}"
        );
    }
}

/// Which loop neighbouring threads share where two directives are nested: the innermost of those that share, unless no threads are left for it.
#[test]
fn nested_directives_share_the_innermost_loop_that_has_threads() {
    let of = |outer: &str, inner: &str| {
        let inner = match inner {
            "" => String::new(),
            inner => format!("#pragma {inner}\n"),
        };
        let report = report_of(
            &format!(
                "void f(int n, int m, double *restrict a)
{{
#pragma {outer}
for (int i = 0; i < n; i++)
{inner}for (int j = 0; j < m; j++)
    a[i*m+j] += 1;
}}
"
            ),
            &[],
        );
        let found = kernels_of(&report);
        let one = |kernel: &Value| {
            assert_eq!(kernel["by_directive"], true);
            let lanes = kernel["lanes"].as_array().unwrap().iter();
            let lanes: Vec<&str> = lanes.map(|lane| lane["variable"].as_str().unwrap()).collect();
            let alone = if kernel["alone"] == true { ", alone" } else { "" };
            let team = if kernel["in_team"] == true {
                " of a team"
            } else {
                ""
            };
            let open: Vec<&str> = kernel["assumptions"].as_array().unwrap()[1..]
                .iter()
                .map(|one| one.as_str().unwrap())
                .filter(|one| !one.starts_with("for the comparison"))
                .collect();
            let open = if open.is_empty() {
                String::new()
            } else {
                format!("; {}", open.join("; "))
            };
            format!(
                "{}{team}{alone}: {}{open}",
                lanes.join(", "),
                access(kernel, "a[i*m+j]")["lines"]["usual"].as_str().unwrap()
            )
        };
        let text: Vec<String> = found.iter().map(one).collect();
        let loops = report["loops"].as_array().unwrap();
        assert!(loops.iter().all(|one| one["on_device"] == true), "{report}");
        text.join(" | ")
    };
    // Rows of doubles: two lines for 32 neighbours, which take a line each where they are rows apart.
    let (row, column) = ("j of a team: 2", "i: min(2*m, 32)");
    let alone = "i, alone: 1";
    let by_loop = "the compiler shares the iterations of `loop` among the threads of each team";
    let auto = "each thread runs the loops under `auto` inside by itself";
    for (outer, inner, wanted) in [
        ("omp target teams distribute", "omp parallel for", row.to_owned()),
        (
            "omp target teams distribute",
            "omp parallel for simd",
            row.to_owned(),
        ),
        ("omp target teams distribute", "omp simd", alone.to_owned()),
        ("omp target teams distribute", "", alone.to_owned()),
        (
            "omp target teams distribute parallel for",
            "omp simd",
            column.to_owned(),
        ),
        (
            "omp target teams distribute parallel for simd",
            "",
            column.to_owned(),
        ),
        // A parallel region in a parallel region has one thread.
        (
            "omp target teams distribute parallel for",
            "omp parallel for",
            column.to_owned(),
        ),
        (
            "omp target teams distribute parallel for",
            "omp loop bind(thread)",
            column.to_owned(),
        ),
        ("omp target parallel for", "", column.to_owned()),
        ("omp target teams loop", "", format!("{column}; {by_loop}")),
        (
            "omp target teams loop",
            "omp loop bind(parallel)",
            format!("{row}; {by_loop}"),
        ),
        (
            "omp target teams loop",
            "omp loop bind(thread)",
            format!("{column}; {by_loop}"),
        ),
        ("omp target simd", "", String::new()),
        ("acc parallel loop gang", "acc loop vector", row.to_owned()),
        ("acc parallel loop gang", "acc loop worker vector", row.to_owned()),
        ("acc parallel loop", "acc loop", row.to_owned()),
        ("acc parallel loop gang", "acc loop seq", alone.to_owned()),
        (
            "acc parallel loop gang",
            "acc loop auto",
            format!("{alone}; {auto}"),
        ),
        (
            "acc parallel loop gang",
            "acc loop worker",
            "j of a team, alone: 1".to_owned(),
        ),
        ("acc parallel loop gang vector", "acc loop seq", column.to_owned()),
        ("acc parallel loop gang vector", "acc loop", column.to_owned()),
        ("acc kernels loop gang", "acc loop vector", row.to_owned()),
        ("acc serial loop", "acc loop vector", String::new()),
    ] {
        let map = match outer.starts_with("acc") {
            true => "copy(a[0:n*m])",
            false => "map(tofrom: a[0:n*m])",
        };
        assert_eq!(of(&format!("{outer} {map}"), inner), wanted, "{outer} / {inner}");
    }
}

/// What runs under a directive of a device does not stay on the host.
#[test]
fn loops_in_a_region_of_a_device_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    let text = "void f(int n, double *restrict a) {
        #pragma acc kernels copy(a[0:n])
        {
            for (int i = 0; i < n; i++)
                a[i] += 1;
        }
        #pragma omp target simd map(tofrom: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += 2;
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] += 3;
        #pragma omp target data map(tofrom: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += 4;
    }";
    std::fs::write(&path, text).unwrap();
    let said = stdout(&ferry(["report", path.to_str().unwrap()]));
    let there = said
        .matches("runs on the device, in a region of directives that are there")
        .count();
    let not = said
        .matches("stays on the host: it is under a directive already")
        .count();
    assert_eq!((there, not), (2, 2), "{said}");
}

/// A triangle whose loops run together: which iteration a thread has is not said by their numbers.
#[test]
fn triangles_that_run_together_are_irregular() {
    let found = only(
        "void f(int n, double *restrict a) {
         #pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n*n])
         for (int i = 0; i < n; i++)
             for (int j = 0; j < i; j++)
                 a[i*n+j] += 1; }",
    );
    let read = access(&found, "a[i*n+j]");
    assert_eq!(
        (&read["pattern"], &read["lines"]["exact"]),
        (&"irregular".into(), &false.into())
    );
    assert!(
        read["advice"]
            .as_str()
            .unwrap()
            .contains("depends on the loops that it runs together with"),
        "{read}"
    );
}

/// A condition thins the first warp, too: what is usual without it is no more than a bound.
#[test]
fn what_a_condition_leaves_out_is_a_bound() {
    let text = |condition: &str| {
        format!(
            "void f(int n, int m, double *restrict a) {{
             #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
             for (int i = 0; i < n; i++)
                 if ({condition})
                     a[i] = 1; }}"
        )
    };
    for (condition, exact) in [("m > 3", true), ("i < n / 2", false), ("a[i] > 0", false)] {
        let found = only(&text(condition));
        let accesses = found["accesses"].as_array().unwrap();
        let write = accesses.iter().find(|one| one["kind"] == "write").unwrap();
        assert_eq!(write["sectors"]["exact"], exact, "{condition}");
        assert_eq!(write["sectors"]["usual"], "8", "{condition}");
    }
}

/// `usual best..worst` of sectors and of lines, with `at most` where they are bounds.
fn all_counts(access: &Value) -> String {
    let amount = |name: &str| {
        let one = |what: &str| access[name][what].as_str().unwrap().to_owned();
        format!("{} {}..{}", one("usual"), one("best"), one("worst"))
    };
    let bound = match access["lines"]["exact"].as_bool().unwrap() {
        true => "",
        false => "at most ",
    };
    format!("{bound}{} / {}", amount("sectors"), amount("lines"))
}

/// Where the condition is a function of the thread, the threads that pass are counted: in the first warp that has one, and in all kinds of warps. Elements of 8 bytes:
/// four to a sector, sixteen to a line.
#[test]
fn threads_that_stay_out_are_not_counted() {
    let counts = |bound: &str, condition: &str, element: &str| {
        let found = only(&format!(
            "void f(int n, int stride, double *restrict a) {{
             #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
             for (int i = 0; i < {bound}; i++)
                 if ({condition})
                     a[{element}] = 1; }}"
        ));
        all_counts(&found["accesses"][0])
    };
    let of = |condition: &str| counts("n", condition, "i");
    // Every other one: all sectors all the same.
    assert_eq!(of("i % 2"), "8 8..8 / 2 2..2");
    assert_eq!(of("(i & 1) == 0"), "8 8..8 / 2 2..2");
    // Two of eight: half of the sectors.
    assert_eq!(of("i % 8 < 2"), "4 4..4 / 2 2..2");
    // Two of 32: the same in each warp.
    assert_eq!(of("i % 32 < 2"), "1 1..1 / 1 1..1");
    // One of 48 in the first warp and in others, none in every third.
    assert_eq!(of("i % 48 == 47"), "1 1..1 / 1 1..1");
    // Twelve of 24 lie differently in each of three kinds of warps.
    assert_eq!(of("i % 24 < 12"), "5 3..5 / 2 2..2");
    // How many pass in later warps is not known.
    assert_eq!(of("i < 5"), "2 1..8 / 1 1..2");
    // Of a number of iterations it is.
    assert_eq!(counts("1000", "i < 5", "i"), "2 2..2 / 1 1..1");
    // The first warp in which a thread passes.
    assert_eq!(counts("1000", "i >= 90", "i"), "2 2..8 / 1 1..2");
    // Eight threads, 32 strides apart.
    assert_eq!(
        counts("n", "i % 4 == 0", "i * stride"),
        "8 1..min(8*stride, 32) / min(2*stride, 8) 1..min(2*stride, 32)"
    );
}

/// Threads that part need what lies in both objects; which threads these are is counted, too.
#[test]
fn pointers_that_are_one_of_several() {
    let found = |condition: &str| {
        let kernel = only(&format!(
            "float a[4096], b[4096];
             void f(int n, int m, float *restrict x, float *restrict out) {{
             #pragma omp target teams distribute parallel for map(from: out[0:1024]) map(to: x[0:1024])
             for (int i = 0; i < 1024; i++) {{
                 const float *p;
                 if ({condition}) p = a; else p = b;
                 out[i] = p[i];
             }} }}"
        ));
        let one = access(&kernel, "p[i]").clone();
        assert_eq!(one["pattern"], "conditional", "{condition}");
        assert!(
            one["object"] == "a or b" || one["object"] == "b or a",
            "{}",
            one["object"]
        );
        all_counts(&one)
    };
    // Each warp goes one way.
    assert_eq!(found("m > 3"), "4 4..4 / 1 1..1");
    // Half of the threads in every sector of each.
    assert_eq!(found("i % 2"), "8 8..8 / 2 2..2");
    // Halves of the sectors of each.
    assert_eq!(found("i % 16 < 8"), "4 4..4 / 2 2..2");
    // The second warp is the only one that parts.
    assert_eq!(found("i < 40"), "4 4..4 / 1 1..2");
    assert_eq!(found("i < 36"), "4 4..5 / 1 1..2");
    // It is not known where it parts: one of them at least, both at most.
    assert_eq!(found("i < m"), "at most 8 4..8 / 2 1..2");
    assert_eq!(found("x[i] > 0.5f"), "at most 8 4..8 / 2 1..2");
    // Parameters may lead to one object.
    let kernel = only(
        "void f(int n, const float *restrict a, const float *restrict b, float *restrict out) {
         #pragma omp target teams distribute parallel for map(from: out[0:n]) map(to: a[0:n], b[0:n])
         for (int i = 0; i < n; i++) {
             const float *p = i % 2 ? a : b;
             out[i] = p[i];
         } }",
    );
    assert_eq!(all_counts(access(&kernel, "p[i]")), "at most 8 4..8 / 2 1..2");
    assert_eq!(together(&kernel), pair("12", "3"));
}
