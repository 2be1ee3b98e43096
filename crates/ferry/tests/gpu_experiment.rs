//! Does the experiment of the IPDA paper run from end to end, on the second memory where there is no GPU?

use crate::common;

use std::process::Command;

#[test]
fn every_kernel_is_reshaped_and_prints_the_same() {
    let script = common::folder("tests/gpu_experiment.py");
    let output = Command::new("python3")
        .arg(script)
        .args([env!("CARGO_BIN_EXE_ferry"), "memory", "34"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The script stops where a program prints something else; requests are those of the report.
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(2)
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let requests = |name: &str| -> f64 {
        let row = rows
            .iter()
            .find(|row| row[1] == name)
            .unwrap_or_else(|| panic!("{name} is not in {text}"));
        row[2].parse().unwrap()
    };
    for name in ["gemm", "conv2d", "conv3d", "elimination"] {
        assert!(requests(name) > 5.0, "{text}");
    }
}
