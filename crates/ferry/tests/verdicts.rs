//! Has every loop of the test programs the verdict that is written beside it?
//!
//! A loop that is called parallel and is not is always a failure. What is weaker than it could be is one too, unless it
//! is in the table of known gaps; and a gap that is none any more must leave the table.

use crate::common;

use std::collections::BTreeMap;

/// Loops whose verdict is weaker than the marker, as `folder/file:line`, with the reason. All of these answers are sound.
const GAPS: &[(&str, &str)] = &[
    (
        "pairs/bound_in_memory.c:27",
        "a bound in memory that the loop might overwrite has no run-time test",
    ),
    (
        "hostile/values_behind.c:65",
        "how often a loop runs that ends for two reasons, one of them `!=`, is not known",
    ),
    (
        "pairs/function_pointer_twin.c:42",
        "function pointers are not followed",
    ),
    (
        "pairs/goto_out_twin.c:32",
        "a loop with a goto is not followed, even if the goto stays inside",
    ),
    (
        "pairs/hidden_alias.c:30",
        "pointers in memory are not followed: the run-time test finds the overlap",
    ),
    (
        "pairs/hidden_alias_twin.c:30",
        "pointers in memory are not followed: the run-time test finds no overlap",
    ),
    (
        "pairs/member_pointers.c:34",
        "pointers in memory are not followed: the run-time test finds the overlap",
    ),
    (
        "pairs/member_pointers_twin.c:34",
        "pointers in memory are not followed: the run-time test finds no overlap",
    ),
    (
        "exchanged/buffers.c:150",
        "that the buffers are apart is known before the loop that exchanges their pointers; its data environment goes by that, the verdict of a loop inside does not",
    ),
];

/// Loops whose verdict is right but whose list of facts is not complete, with the reason.
const FACT_GAPS: &[(&str, &str)] = &[];

/// The verdict of a loop marker, and the rest of the line.
fn marker(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once("// loop:")?;
    let rest = rest.split(" // ").next().unwrap_or(rest).trim();
    let (word, facts) = rest.split_once(',').unwrap_or((rest, ""));
    Some((word.trim(), facts.trim()))
}

/// The facts of one kind: `reduction(+:sum)` gives `+:sum`.
fn facts(text: &str, kind: &str) -> Vec<String> {
    let text = text.split("because").next().unwrap_or("");
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(&format!("{kind}(")) {
        let preceded = rest[..at]
            .chars()
            .next_back()
            .is_some_and(|letter| letter.is_alphanumeric());
        rest = &rest[at + kind.len() + 1..];
        let mut depth = 1;
        let end = rest.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        });
        let Some(end) = end else { break };
        if !preceded {
            found.extend(
                rest[..end]
                    .split(if kind == "reduction" { '\0' } else { ',' })
                    .map(|one| one.replace(' ', "")),
            );
        }
        rest = &rest[end..];
    }
    found.sort();
    found
}

#[test]
fn every_loop_has_the_verdict_that_is_written_beside_it() {
    let gaps: BTreeMap<&str, &str> = GAPS.iter().copied().collect();
    let mut failures = Vec::new();
    let mut used = Vec::new();
    let mut loops = 0;
    for program in common::programs() {
        let report = common::report(&program);
        let mut reported: BTreeMap<(String, u64), &serde_json::Value> = BTreeMap::new();
        for one in report["loops"].as_array().unwrap() {
            let key = (
                one["file"].as_str().unwrap().to_owned(),
                one["line"].as_u64().unwrap(),
            );
            assert!(
                reported.insert(key, one).is_none(),
                "{}: two loops in line {}",
                program.name,
                one["line"]
            );
        }
        for file in &program.files {
            let text = std::fs::read_to_string(file).unwrap();
            for (number, line) in text.lines().enumerate() {
                let Some((expected, said)) = marker(line) else {
                    continue;
                };
                loops += 1;
                let key = (file.display().to_string(), number as u64 + 1);
                let name = file.file_name().unwrap().to_string_lossy();
                let place = format!(
                    "{}/{name}:{}",
                    program.name.split('/').next().unwrap(),
                    number + 1
                );
                let Some(one) = reported.remove(&key) else {
                    failures.push(format!("{place}: the loop is not in the report"));
                    continue;
                };
                let verdict = one["verdict"].as_str().unwrap();
                let causes: Vec<&str> = one["causes"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|cause| cause["message"].as_str().unwrap())
                    .collect();
                let causes = causes.join("; ");
                if verdict == expected || (expected == "sequential" && verdict == "unknown") {
                    let known = FACT_GAPS.iter().any(|(gap, _)| *gap == place);
                    if verdict == expected && verdict.starts_with("parallel") && !known {
                        check_facts(&place, said, one, &mut failures);
                    }
                    continue;
                }
                let claims = verdict == "parallel";
                let text = line.trim();
                match gaps.get(&*place).filter(|_| !claims) {
                    Some(_) => used.push(place),
                    None => failures.push(format!(
                        "{place}: {verdict}, not {expected} ({causes})\n    {text}"
                    )),
                }
            }
        }
        for ((file, line), _) in reported {
            failures.push(format!("{file}:{line}: a loop without a marker"));
        }
    }
    for (place, _) in GAPS {
        if std::env::var("FERRY_PROGRAMS").is_err() && !used.iter().any(|one| one == place) {
            failures.push(format!("{place}: no gap any more"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {loops} loops:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Reductions and last values must be the expected ones. (A private variable may also be declared inside.)
fn check_facts(place: &str, said: &str, one: &serde_json::Value, failures: &mut Vec<String>) {
    let reductions = one["reductions"].as_array().unwrap().iter();
    let mut found: Vec<String> = reductions
        .map(|one| {
            format!(
                "{}:{}",
                one["operator"].as_str().unwrap(),
                one["variable"].as_str().unwrap()
            )
            .replace(' ', "")
        })
        .collect();
    found.sort();
    let expected = facts(said, "reduction");
    if found != expected {
        failures.push(format!("{place}: reductions {found:?}, not {expected:?}"));
    }
    let atomics = one["atomics"].as_array().unwrap().iter();
    let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
    let mut found: Vec<String> = atomics
        .map(|one| format!("{}:{}", text(one, "operator"), text(one, "object")).replace(' ', ""))
        .collect();
    found.sort();
    let expected = facts(said, "atomic");
    if found != expected {
        failures.push(format!("{place}: atomic updates {found:?}, not {expected:?}"));
    }
    let sections = one["sections"].as_array().unwrap().iter();
    let mut found: Vec<String> = sections
        .map(|one| format!("{}:{}", text(one, "operator"), text(one, "object")).replace(' ', ""))
        .collect();
    found.sort();
    let expected = facts(said, "section");
    if found != expected {
        failures.push(format!("{place}: reduced sections {found:?}, not {expected:?}"));
    }
    let names = |key: &str| -> Vec<String> {
        let mut names: Vec<String> = one[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let last = facts(said, "lastprivate");
    if names("lastprivate") != last {
        failures.push(format!(
            "{place}: last values {:?}, not {last:?}",
            names("lastprivate")
        ));
    }
    let private = facts(said, "private");
    if let Some(missing) = private.iter().find(|name| !names("private").contains(name)) {
        failures.push(format!(
            "{place}: {missing} is not private, only {:?}",
            names("private")
        ));
    }
}

#[test]
fn markers_are_read() {
    let line =
        "for (;;) { // loop: parallel, reduction(+:a[i * (n)]), private(x, y), lastprivate(z) // stronger: b";
    let (verdict, said) = marker(line).unwrap();
    assert_eq!(verdict, "parallel");
    assert_eq!(facts(said, "reduction"), ["+:a[i*(n)]"]);
    assert_eq!(facts(said, "private"), ["x", "y"]);
    assert_eq!(facts(said, "lastprivate"), ["z"]);
}
