//! Is each file with tests a part of the program that runs them? `tests/all.rs` of a crate names its files; one that it
//! forgets would never run.

use crate::common;
use std::fs;

#[test]
fn no_file_with_tests_is_forgotten() {
    let mut seen = 0;
    for folder in fs::read_dir(common::folder("crates")).unwrap() {
        let tests = folder.unwrap().path().join("tests");
        let Ok(all) = fs::read_to_string(tests.join("all.rs")) else {
            continue;
        };
        for file in fs::read_dir(&tests).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            if name != "all" && file.extension().is_some_and(|extension| extension == "rs") {
                seen += 1;
                assert!(all.contains(&format!("mod {name};\n")), "{}", file.display());
            }
        }
    }
    assert!(seen > 60, "{seen} files");
}
