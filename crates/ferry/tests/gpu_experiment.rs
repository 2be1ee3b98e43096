//! Does the experiment of the IPDA paper run from end to end, on the second memory where there is no GPU?

use crate::common;

/// The cells of a table's rows, those of its head left out; the first cell is before the first bar.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let cells = |line| str::split(line, '|').map(str::trim).collect();
    text.lines().skip(2).map(cells).collect()
}

#[test]
fn every_kernel_is_reshaped_and_prints_the_same() {
    let mut script = common::script("tests/gpu_experiment.py");
    let text = common::succeeds(script.args([env!("CARGO_BIN_EXE_ferry"), "memory", "34"]));
    // The script stops where a program prints something else; requests are those of the report.
    let rows = rows(&text);
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

/// A profiler's stand-in: it runs the program, and says of each of two launches of a kernel that so many sectors were loaded and stored.
const PROFILER: &str = r#"#!/bin/sh
log=
while [ $# -gt 1 ]; do
    [ "$1" = --log-file ] && log=$2
    shift
done
{
    echo '==PROF== Connected to process 7'
    echo '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
    for launch in 0 1; do
        echo "\"$launch\",\"main\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"sector\",\"1,000\""
        echo "\"$launch\",\"main\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\",\"sector\",\"34\""
    done
} > "$log"
exec "$1"
"#;

/// With counters of a profiler: figures of all launches are added up and divided among them, and stand beside the prediction.
#[test]
fn counts_of_the_hardware_stand_beside_the_prediction() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let profiler = folder.path().join("profiler");
    std::fs::write(&profiler, PROFILER).unwrap();
    std::fs::set_permissions(&profiler, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut script = common::script("tests/gpu_experiment.py");
    script.args([env!("CARGO_BIN_EXE_ferry"), "counters", "34"]);
    let text = common::succeeds(script.env("FERRY_COUNTERS", &profiler));
    let rows = rows(&text);
    assert_eq!(rows.len(), 4, "{text}");
    for row in rows {
        // What was counted is the same before and after: 1000 and 34 for each launch.
        assert_eq!((row[3], row[5], row[7]), ("1034", "1034", "1.00"), "{text}");
        let before: f64 = row[2].parse().unwrap();
        let after: f64 = row[4].parse().unwrap();
        assert!(before > 2.0 * after, "{text}");
    }
}
