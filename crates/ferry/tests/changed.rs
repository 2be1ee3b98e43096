//! What if a file changes between reading and writing? It is not replaced.
//!
//! The file is a named pipe's twin: the test waits until Ferry has read it, then changes it while Ferry still works on a second, large file.

use crate::common;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn a_file_that_changed_meanwhile_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small.c");
    let text = "void f(int n, float *restrict x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] = 1;\n}\n";
    fs::write(&small, text).unwrap();
    // Reading the second file waits until somebody writes to the pipe: the first has been read by then.
    let slow = folder.path().join("slow.c");
    assert!(Command::new("mkfifo").arg(&slow).status().unwrap().success());
    let mut ferry = Command::new(env!("CARGO_BIN_EXE_ferry"))
        .args(["annotate", "--in-place", "small.c", "slow.c"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let pipe = slow.clone();
    let changed = small.clone();
    std::thread::spawn(move || {
        // Opening blocks until Ferry reads the pipe.
        let mut pipe = fs::OpenOptions::new().write(true).open(pipe).unwrap();
        fs::write(&changed, format!("{text}// new\n")).unwrap();
        std::io::Write::write_all(&mut pipe, b"int a;\n").unwrap();
        drop(pipe);
        sender.send(()).unwrap();
    });
    receiver.recv_timeout(Duration::from_secs(120)).unwrap();
    // libclang may read the pipe again.
    let pipe = slow.clone();
    std::thread::spawn(move || {
        while let Ok(mut pipe) = fs::OpenOptions::new().write(true).open(&pipe) {
            let _ = std::io::Write::write_all(&mut pipe, b"int a;\n");
        }
    });
    let mut waited = 0;
    while ferry.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(50));
        waited += 1;
        assert!(waited < 2400, "ferry does not end");
    }
    let output = ferry.wait_with_output().unwrap();
    assert_eq!(common::status(&output), 2);
    let error = common::stderr(&output);
    assert!(
        error.contains("small.c changed since it was read; nothing was written"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&small).unwrap(), format!("{text}// new\n"));
}
