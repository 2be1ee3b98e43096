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
    let mut command = Command::new("python3");
    command.arg(common::folder("tests/on_gpu.py")).args(arguments);
    command.env("FERRY_CLANG", clang).output().unwrap()
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
