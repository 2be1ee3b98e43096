//! The figures of the DawnCC paper, with the sections and conditions that are right (the paper's are partly wrong).

use std::path::Path;
use std::process::Command;

/// The annotated text of a test program, continued pragmas on one line.
fn annotated(program: &str, options: &[&str]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/programs")
        .join(program);
    let output = Command::new(env!("CARGO_BIN_EXE_ferry"))
        .arg("annotate")
        .arg(&path)
        .args(options)
        .output()
        .expect("ferry runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut joined = String::new();
    for line in text.lines() {
        match line.strip_suffix('\\') {
            Some(head) => joined.push_str(&format!("{} ", head.trim_end())),
            None if joined.ends_with(' ') => joined.push_str(&format!("{}\n", line.trim_start())),
            None => joined.push_str(&format!("{line}\n")),
        }
    }
    joined
}

fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "missing: {part}\n{text}");
    }
}

/// Figure 2: the last element is mapped too, and the condition covers all of both arrays.
#[test]
fn saxpy() {
    let text = annotated("dawncc/saxpy.c", &[]);
    assert_has(
        &text,
        &[
            "const long x_length = n > 0 ? n : 0;",
            "if ((uintptr_t)(x + x_length) <= (uintptr_t)y || (uintptr_t)(y + x_length) <= (uintptr_t)x) {",
            "#pragma omp target teams distribute parallel for map(to: x[0:x_length]) map(tofrom: y[0:x_length])",
        ],
    );
}

/// Figure 5: nothing is mapped for an empty loop, and x goes one way only.
#[test]
fn saxpy_with_offsets() {
    let text = annotated("dawncc/saxpy_offsets.c", &[]);
    assert_has(
        &text,
        &[
            "const long x_length = n > 3 ? n - 3 : 0;",
            "map(to: x[3:x_length]) map(tofrom: y[0:x_length])",
            "(uintptr_t)(x + 3 + x_length) <= (uintptr_t)y || (uintptr_t)(y + x_length) <= (uintptr_t)(x + 3)",
        ],
    );
}

/// Figure 8: one environment, five copies.
#[test]
fn corr() {
    let text = annotated("dawncc/corr.c", &[]);
    assert_has(
        &text,
        &[
            "const long A_length = m > 0 && n > 0 ? (long)m * n : 0;",
            "#pragma omp target data map(to: A[0:A_length]) map(tofrom: MEAN[0:MEAN_length], STDEV[0:MEAN_length])",
        ],
    );
    assert_eq!(text.matches("#pragma omp target data").count(), 1);
}

/// Figure 10: with a call that may do anything, each inner loop moves its own rows, and only on demand; X begins at column 1, and
/// H is not mapped for a single column.
#[test]
fn fdtd_2d_with_an_unknown_call() {
    let alone = annotated("dawncc/fdtd_2d_unknown.c", &[]);
    let kernel = alone
        .split("kernel_fdtd_2d")
        .nth(1)
        .and_then(|rest| rest.split("\n}\n").next());
    assert!(
        kernel.is_some_and(|text| !text.contains("#pragma omp")),
        "{alone}"
    );
    let text = annotated("dawncc/fdtd_2d_unknown.c", &["--all"]);
    let kernel = text
        .split("kernel_fdtd_2d")
        .nth(1)
        .and_then(|rest| rest.split("\n}\n").next())
        .unwrap_or("");
    assert_eq!(kernel.matches("#pragma omp target teams").count(), 2, "{kernel}");
    assert!(!kernel.contains("target data"), "{kernel}");
    assert_has(
        kernel,
        &[
            "const long X_length = n > 1 ? n - 1 : 0;",
            "n >= 2 ? n : 0;",
            "X[(long)n * i + 1:X_length]",
        ],
    );
}

/// LUD: the paper's tool adds 63 lines.
#[test]
fn lud_needs_few_lines() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/dawncc/lud.c");
    let before = std::fs::read_to_string(path).expect("the program");
    let function = |text: &str| {
        let rest = text
            .split("void kernel_lud")
            .nth(1)
            .expect("the kernel")
            .to_owned();
        rest.split("\n}\n").next().map_or(0, |body| body.lines().count())
    };
    let text = annotated("dawncc/lud.c", &[]);
    assert!(
        text.contains("#pragma omp target data map(tofrom: a[0:a_length])"),
        "{text}"
    );
    let added = function(&text) - function(&before);
    assert!(added <= 12, "{added} lines\n{text}");
}
