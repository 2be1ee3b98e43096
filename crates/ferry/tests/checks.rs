//! Does `ferry check` find every defect of the programs in `tests/checks` and of the rules' pages, at its line and by its object, and nothing else? And
//! nothing in what `ferry annotate` writes?
//!
//! The markers are true: `crates/judges/tests/checks_run.rs` runs every program. What is not found is listed here with the reason, and has to be missed:
//! who makes it found takes it off the list.

use crate::common;

use common::{check_programs, ferry_in, flag, folder, status, stderr, stdout, valid_json};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A finding: line, rule, object.
type Finding = (u64, String, String);

/// What is not found: program, rule, why.
const MISSED: &[(&str, &str, &str)] = &[(
    "not-on-the-device/linked_list",
    "not-on-the-device",
    "pointers that move on in a loop are not followed",
)];

/// The rules whose findings are advice, which `--performance` asks for.
const PERFORMANCE: [&str; 5] = [
    "dead-copy-back",
    "dead-copy-in",
    "redundant-transfer",
    "section-longer-than-used",
    "transfer-in-loop",
];

/// What the markers of a text say, with advice or without. Races have no object.
fn expected(text: &str, with_advice: bool) -> BTreeSet<Finding> {
    let mut found = BTreeSet::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((_, marker)) = line.split_once("// finds:") else {
            continue;
        };
        for one in marker.split(';') {
            let (rule, object) = one.trim().split_once(' ').unwrap_or((one.trim(), ""));
            let object = match rule {
                "directive-contradicts-dependence" => "",
                _ => object.trim(),
            };
            if with_advice || !PERFORMANCE.contains(&rule) {
                found.insert((number, rule.to_owned(), object.to_owned()));
            }
        }
    }
    found
}

/// What `ferry check` says of a file, with the whole report.
fn found(file: &Path, text: &str, with_advice: bool) -> (BTreeSet<Finding>, Value) {
    let name = file.file_name().unwrap().to_str().unwrap();
    let mut arguments = vec!["check", "--threads", "1", "--format", "json", name];
    if with_advice {
        arguments.push("--performance");
    }
    arguments.extend(["--", flag(text)]);
    let output = ferry_in(file.parent().unwrap(), arguments);
    assert!(status(&output) < 2, "{}: {}", file.display(), stderr(&output));
    let report = valid_json(&stdout(&output));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(status(&output) == 1, !findings.is_empty(), "{}", file.display());
    let text = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
    let found = findings.iter().map(|one| {
        (
            one["line"].as_u64().unwrap(),
            text(one, "rule"),
            text(one, "object"),
        )
    });
    (found.collect(), report)
}

/// Says what is wrong with the answer to one text, if something is; `missed` are the rules whose findings have to be missing.
fn compare(name: &str, file: &Path, text: &str, with_advice: bool, missed: &[&str], wrong: &mut Vec<String>) {
    let expected = expected(text, with_advice);
    let (found, _) = found(file, text, with_advice);
    for one in found.difference(&expected) {
        wrong.push(format!("{name}: said, and not so: {one:?}"));
    }
    for one in expected.difference(&found) {
        if !missed.contains(&one.1.as_str()) {
            wrong.push(format!("{name}: not said: {one:?}"));
        }
    }
    for rule in missed {
        if !expected.difference(&found).any(|one| one.1 == *rule) {
            wrong.push(format!("{name}: {rule} is found now; take it off the list"));
        }
    }
}

/// The rules whose findings are known to be missing.
fn missed(name: &str) -> Vec<&'static str> {
    let of_program = MISSED.iter().filter(|one| one.0 == name);
    of_program.map(|one| one.1).collect()
}

#[test]
fn every_defect_is_found_and_nothing_else() {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    let files = check_programs();
    assert!(files.len() > 250, "{} programs", files.len());
    for (name, file) in files {
        let text = fs::read_to_string(&file).unwrap();
        compare(&name, &file, &text, false, &missed(&name), &mut wrong);
        seen.insert(name);
    }
    for (name, ..) in MISSED.iter().filter(|one| !one.0.starts_with("page ")) {
        assert!(seen.contains(*name), "there is no {name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_stores_one_value_is_a_warning() {
    let all = [
        ("one_value_by_all", "warning"),
        ("reset_and_filled", "error"),
        ("set_and_looked_at", "error"),
        ("shared_temporary", "error"),
    ];
    for (name, severity) in all {
        let rule = "directive-contradicts-dependence";
        let file = folder(&format!("tests/checks/{rule}")).join(format!("{name}.c"));
        let text = fs::read_to_string(&file).unwrap();
        let (_, report) = found(&file, &text, false);
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{report}");
        assert_eq!(findings[0]["rule"], rule);
        assert_eq!(findings[0]["severity"], severity, "{name}");
    }
}

#[test]
fn all_advice_is_given_and_no_other() {
    let (mut wrong, mut with, mut without) = (Vec::new(), 0, 0);
    // With programs in which every transfer is needed, though it may not look so.
    let is_meant = |name: &str| {
        let rule = name.split('/').next().unwrap_or_default();
        PERFORMANCE.contains(&rule) || name.starts_with("clean/needed_")
    };
    for (name, file) in check_programs().into_iter().filter(|(name, _)| is_meant(name)) {
        let text = fs::read_to_string(&file).unwrap();
        match expected(&text, true).is_empty() {
            true => without += 1,
            false => with += 1,
        }
        compare(&name, &file, &text, true, &[], &mut wrong);
    }
    assert!(
        with >= 25 && without >= 50,
        "{with} with advice, {without} without"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_programs_of_the_pages_are_what_they_say() {
    let scratch = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in fs::read_dir(folder("crates/checks/pages")).unwrap() {
        let page = page.unwrap().path();
        let name = page.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&page).unwrap();
        for (number, block) in text.split("```c\n").skip(1).enumerate() {
            let block = block.split("```").next().unwrap();
            let file = scratch.path().join(format!("{name}_{number}.c"));
            fs::write(&file, block).unwrap();
            let name = format!("page {name}, program {number}");
            let with_advice = PERFORMANCE.contains(&page.file_stem().unwrap().to_str().unwrap());
            compare(&name, &file, block, with_advice, &missed(&name), &mut wrong);
            count += 1;
        }
    }
    assert!(count >= 36, "{count} programs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
