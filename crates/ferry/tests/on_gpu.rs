//! Does the script that runs programs on a GPU see what it should? On the second memory, which stands for a GPU here.

use crate::common;

use std::path::Path;
use std::process::{Command, Output};

fn script(arguments: &[&str]) -> Output {
    let library = Command::new("llvm-config-19").arg("--libdir").output().unwrap();
    let library = String::from_utf8(library.stdout).unwrap();
    let clang = format!(
        "clang-19 -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,{}",
        library.trim()
    );
    let mut command = common::script("tests/on_gpu.py");
    command
        .args(arguments)
        .env("FERRY_CLANG", clang)
        .output()
        .unwrap()
}

fn run(folder: &Path) -> (Option<i32>, String) {
    let output = script(&["run", folder.to_str().unwrap()]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (
        output.status.code(),
        format!("{text}{}", String::from_utf8_lossy(&output.stderr)),
    )
}

#[test]
fn programs_are_compared_with_what_they_should_print() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let built = script(&[
        "build",
        env!("CARGO_BIN_EXE_ferry"),
        path,
        "--sets",
        "openmp,checks",
        "--compilers",
        "clang",
        "--only",
        "dawncc/corr",
        "never-copied-in/alloc_then_read",
    ]);
    let said = String::from_utf8_lossy(&built.stdout);
    assert_eq!(
        said,
        "3 of 3 programs linked\n",
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let (status, said) = run(folder.path());
    assert_eq!(status, Some(0), "{said}");
    for row in [
        "| openmp | clang | same | 1 | 1 | 0 | 0 | 0 |",
        "| checks | clang | other | 1 | 1 | 0 | 0 | 0 |",
        "| checks | clang | same | 1 | 1 | 0 | 0 | 0 |",
    ] {
        assert!(said.contains(row), "{said}");
    }

    // Another output is seen, and a program whose kernels are not started.
    let jobs = folder.path().join("jobs.json");
    let old = std::fs::read_to_string(&jobs).unwrap();
    let mut other: serde_json::Value = serde_json::from_str(&old).unwrap();
    for job in other.as_array_mut().unwrap() {
        if job["set"] == "openmp" {
            job["printed"] = "something else\n".into();
        }
    }
    std::fs::write(&jobs, other.to_string()).unwrap();
    let (status, said) = run(folder.path());
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("openmp clang dawncc/corr: other, expected same"),
        "{said}"
    );
    let binary = other[0]["binary"].as_str().unwrap();
    std::fs::write(folder.path().join(binary), "#!/bin/sh\n").unwrap();
    other[0]["printed"] = "".into();
    std::fs::write(&jobs, other.to_string()).unwrap();
    let (status, said) = run(folder.path());
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("openmp clang dawncc/corr: same, nothing launched, expected same"),
        "{said}"
    );
}

/// A checkout as PolyBench is laid out, with one program of our own.
fn suite(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "utilities/benchmark_list",
        "./sums/prefix/halves.c\n./sums/prefix/nothing.c\n",
    );
    write("utilities/polybench.c", "int polybench_is_here;\n");
    write(
        "sums/prefix/halves.c",
        r#"#include <stdio.h>
static double a[3000];
int main(void)
{
    double sum = 0;
    for (int i = 0; i < 3000; i++)
        a[i] = 0.5 * i + 1;
    for (int i = 0; i < 3000; i++)
        sum += a[i] / 3;
    fprintf(stderr, "==BEGIN DUMP_ARRAYS==\n%.3f %d\n==END\n", sum, 7);
    printf("time %p\n", (void *)a);
    return 3;
}
"#,
    );
    write("sums/prefix/nothing.c", "int main(void) { return 0; }\n");
}

#[test]
fn programs_of_suites_print_the_same_but_for_rounding() {
    let folder = tempfile::tempdir().unwrap();
    let (checkout, built) = (folder.path().join("checkout"), folder.path().join("built"));
    suite(&checkout);
    std::fs::create_dir(&built).unwrap();
    let output = script(&[
        "build",
        env!("CARGO_BIN_EXE_ferry"),
        built.to_str().unwrap(),
        "--sets",
        "suites,times",
        "--compilers",
        "clang",
        "--suite",
        &format!("polybench={}", checkout.display()),
    ]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        said,
        "suites polybench/nothing: no kernel is written\ntimes polybench/nothing: no kernel is written\n2 of 2 programs linked\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    let jobs = built.join("jobs.json");
    let old = std::fs::read_to_string(&jobs).unwrap();
    let seen_with = |printed: &str, status: i64| {
        let mut all: serde_json::Value = serde_json::from_str(&old).unwrap();
        let job = &mut all.as_array_mut().unwrap()[0];
        let text = job["printed"].as_str().unwrap().replace("750750.", printed);
        job["printed"] = text.into();
        job["status"] = status.into();
        std::fs::write(&jobs, all.to_string()).unwrap();
        let output = script(&["run", built.to_str().unwrap(), "--sets", "suites"]);
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let row = "| suites | clang | same | 1 | 1 | 0 | 0 | 0 |";
    let (status, said) = seen_with("750750.", 3);
    assert!(status == Some(0) && said.contains(row), "{said}");
    // What rounding may do, and what it may not.
    let (status, said) = seen_with("750751.", 3);
    assert!(status == Some(0) && said.contains("numbers differ by"), "{said}");
    let (status, said) = seen_with("751750.", 3);
    assert!(
        status == Some(1) && said.contains("polybench/halves: other"),
        "{said}"
    );
    let (status, said) = seen_with("750750.", 0);
    assert!(
        status == Some(1) && said.contains("polybench/halves: status 3"),
        "{said}"
    );
}
