//! The markers of `tests/programs` are true: the trace of each program carries no dependence in a loop that is marked
//! parallel, except on the objects that its facts list, which behave as the facts say.
//!
//! `parallel_if` says nothing about a run that also takes the condition's other way, so those loops are not judged here.
//! Loops that come out of macros are not judged either, because the trace finds loops by their keyword; the interpreter
//! judges those (`crates/analysis/tests/dependences_hold.rs`).

use std::path::Path;

use ferry_judges::corpus::{self, TestProgram};
use ferry_judges::on_two_threads;
use ferry_judges::trace::claims::{against_parallel, markers};
use ferry_judges::trace::{Claim, Role, scan, trace};

/// Programs that write loops with a macro: only these may have marked loops that the trace does not see.
const MACRO_LOOPS: &[&str] = &[
    "pairs/macro_loop",
    "pairs/macro_loop_twin",
    "polybench/floyd-warshall",
    "polybench/gemm",
    "polybench/gemver",
];

/// What the trace is known to say wrongly of a loop: program, line, how many complaints, and why.
const KNOWN: &[(&str, u32, usize, &str)] = &[
    (
        "atomic/forms",
        61,
        2,
        "the update is the expansion of a macro, and the judge reads the text of the line",
    ),
    ("hostile/copied_bounds", 23, 1, READ_BY_HEAD),
    ("hostile/copied_bounds", 31, 1, READ_BY_HEAD),
    ("hostile/copied_bounds", 40, 1, READ_BY_HEAD),
    ("hostile/copied_bounds", 48, 1, READ_BY_HEAD),
    (
        "hostile/tables_of_pointers",
        49,
        2,
        "the update is written by the name of a row, and the judge reads the text of the line",
    ),
    ("scratch/padded", 30, 1, READ_BETWEEN_MEMBERS),
    ("scratch/padded", 43, 1, READ_BETWEEN_MEMBERS),
];

/// Loops on paths that no run takes, on purpose.
const NEVER_RUN: &[(&str, u32)] = &[
    ("hostile/never_runs", 27),
    ("hostile/never_runs", 29),
    ("hostile/never_runs", 40),
];

/// (As clauses, the facts of such a loop would be wrong for that very reason; Ferry leaves it on the host.)
const READ_BY_HEAD: &str = "the head reads, before the first iteration, a variable that each iteration has for itself, and the trace takes all of the head for the loop";

const READ_BETWEEN_MEMBERS: &str = "a copy of a structure reads what lies between its members, which holds no value, and the trace counts bytes";

fn check(test: &TestProgram) -> Vec<String> {
    let (program, name) = (&test.program, &test.name);
    let mut requests = Vec::new();
    let mut unseen = 0;
    for (index, source) in program.sources.iter().enumerate() {
        let text = std::fs::read_to_string(source).unwrap();
        let loops = scan::loops(text.as_bytes());
        for marker in markers(&text, index)
            .into_iter()
            .filter(|marker| marker.verdict == "parallel")
        {
            let mut request = marker.request;
            // Secondary induction variables are not listed.
            let Some(here) = loops.iter().find(|found| found.line == request.line) else {
                unseen += 1;
                continue;
            };
            for object in scan::secondary_inductions(text.as_bytes(), here) {
                if !request.claims.iter().any(|claim| claim.object == object) {
                    request.claims.push(Claim {
                        object,
                        role: Role::Induction,
                    });
                }
            }
            requests.push(request);
        }
    }
    if (unseen > 0) != MACRO_LOOPS.contains(&name.as_str()) {
        return vec![format!(
            "{name}: {unseen} marked loops have no keyword in their line"
        )];
    }
    let trace = match trace(program, &[], &requests) {
        Ok(trace) => trace,
        Err(error) => return vec![format!("{name}: {error}")],
    };
    let mut against: Vec<String> = trace
        .incomplete
        .iter()
        .map(|why| format!("{name}: {why}"))
        .collect();
    for request in &requests {
        let Some(source) = program.sources.get(request.file) else {
            continue;
        };
        let found = trace.loop_at(source, request.line);
        if NEVER_RUN.contains(&(name.as_str(), request.line)) {
            if found.is_some() {
                against.push(format!("{name}:{}: the loop runs", request.line));
            }
            continue;
        }
        let Some(found) = found else {
            against.push(format!(
                "{name}:{}: the loop is marked but did not run",
                request.line
            ));
            continue;
        };
        let complaints = against_parallel(found);
        let known = KNOWN
            .iter()
            .find(|(program, line, ..)| program == name && *line == request.line);
        if let Some((_, _, count, why)) = known {
            if complaints.len() == *count {
                continue;
            }
            against.push(format!("{name}:{}: not {count} complaints ({why})", request.line));
        }
        let complaints = complaints.into_iter();
        against.extend(complaints.map(|why| format!("{name}:{}: {why}", request.line)));
    }
    against
}

#[test]
fn no_loop_that_is_marked_parallel_carries_a_dependence() {
    let all = corpus::programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")).unwrap();
    assert!(!all.is_empty(), "no programs");
    let jobs = all
        .iter()
        .map(|test| Box::new(move || check(test)) as Box<dyn FnOnce() -> Vec<String> + Send>);
    let against: Vec<String> = on_two_threads(jobs.collect()).into_iter().flatten().collect();
    assert!(against.is_empty(), "{}", against.join("\n"));
}
