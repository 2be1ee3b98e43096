//! Is what `ferry report` says of every loop and access true in a run of the program, as the compiler's trace sees it?
//!
//! Judges 3 and 4: no dependence in a loop that is called parallel, but on the objects that the report lists; what was
//! touched lies inside the sections, and spans exactly those that are called exact. Each program runs with its default
//! sizes and with its second set.
//!
//! And are the markers beside the loops true? What they say is what the report says (`verdicts.rs`), but for loops of which it says less: these are judged by the marker, in
//! the same run. `parallel_if` says nothing about a run that also takes the condition's other way, and loops that come out of macros have no keyword: those are judged by the
//! interpreter alone (`crates/analysis/tests/dependences_hold.rs`).

use crate::common;

use common::{Program, ferry, programs, status, stderr, stdout, valid_json};
use ferry_judges::trace::claims::markers;
use ferry_judges::trace::sections::Compared;
use ferry_judges::trace::verdicts::{self, Circumstances, against_report_and};
use ferry_judges::trace::{LoopRequest, scan};
use ferry_judges::{Program as Judged, on_two_threads};

/// Why the trace speaks against a loop whose start is written with a variable that each iteration has for itself.
const READ_BY_HEAD: &str = "the start is evaluated once, before the first iteration; the trace takes all of the head for the loop. As a clause the fact \
                            would be wrong for that reason, and the loop stays on the host";

/// Why the trace sees dependences of a reduced element that is none of what it takes for it.
const NAMED_BY_WHAT_MOVES: &str = "each iteration has other values of the variables that name the element; the trace takes the name in front of the loop";

/// What the trace and a report are known not to agree on: the program, a part of what is said, and why.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "atomic/forms",
        "on `c` from line 62",
        "the update is the expansion of a macro, and the judge reads the text of the line",
    ),
    (
        "hostile/stale_bounds",
        "(among v on line 67)",
        "the section's first element is a parameter that another variable hides at the loop; the trace takes the name there",
    ),
    (
        "hostile/packed_members",
        "reads of `packed`",
        "a write of a bit-field reads the byte that it shares, which the report does not call a read of the program",
    ),
    (
        "scratch/padded",
        "`t` is private, but its value from before the loop is read",
        "a copy of a structure reads what lies between its members, which holds no value",
    ),
    (
        "calls/copied",
        "on unnamed stack memory of `kernel_own_copy`",
        "the caller copies what it passes by value into the same stack memory for each call, which is no store that the trace sees",
    ),
    (
        "inductions/behind",
        "dependence on `main.b` from line 123",
        NAMED_BY_WHAT_MOVES,
    ),
    (
        "inductions/behind",
        "dependence on `main.b` from line 130",
        NAMED_BY_WHAT_MOVES,
    ),
    (
        "hostile/copied_bounds",
        "copied_bounds.c:23: `n` is private",
        READ_BY_HEAD,
    ),
    (
        "hostile/copied_bounds",
        "copied_bounds.c:31: `n` is lastprivate",
        READ_BY_HEAD,
    ),
    (
        "hostile/copied_bounds",
        "copied_bounds.c:40: `first` is a reduction",
        READ_BY_HEAD,
    ),
    (
        "hostile/copied_bounds",
        "copied_bounds.c:48: `ends` is private",
        READ_BY_HEAD,
    ),
];

/// Programs that write loops with a macro: only these may have marked loops without a keyword in their line.
const MACRO_LOOPS: &[&str] = &[
    "pairs/macro_loop",
    "pairs/macro_loop_twin",
    "polybench/floyd-warshall",
    "polybench/gemm",
    "polybench/gemver",
];

/// Loops on paths that no run takes, on purpose.
const NEVER_RUN: &[(&str, u32)] = &[
    ("hostile/never_runs", 27),
    ("hostile/never_runs", 29),
    ("hostile/never_runs", 40),
];

/// The loops of a program that are marked parallel, with the facts beside them; and how many have no keyword in their line.
fn marked(program: &Program) -> (Vec<LoopRequest>, usize) {
    let (mut found, mut unseen) = (Vec::new(), 0);
    for (number, file) in program.files.iter().enumerate() {
        let text = std::fs::read_to_string(file).unwrap();
        let loops = scan::loops(text.as_bytes());
        let parallel = markers(&text, number).into_iter();
        for mut request in parallel
            .filter(|one| one.verdict == "parallel")
            .map(|one| one.request)
        {
            let Some(here) = loops.iter().find(|one| one.line == request.line) else {
                unseen += 1;
                continue;
            };
            // Secondary induction variables need no remark.
            scan::claim_secondary_inductions(text.as_bytes(), here, &mut request.claims);
            found.push(request);
        }
    }
    (found, unseen)
}

/// Every loop that is marked parallel is judged, as it runs; but those that never do, on purpose.
fn not_judged(program: &Program, marked: &[LoopRequest], judged: &verdicts::Judged) -> Vec<String> {
    let is_wrong = |request: &&LoopRequest| {
        let is_it =
            |one: &&verdicts::JudgedLoop| one.file == program.files[request.file] && one.line == request.line;
        let ran = judged
            .loops
            .iter()
            .find(is_it)
            .is_some_and(|one| one.executions > 0);
        let never = NEVER_RUN.contains(&(&program.name, request.line));
        ran == never
    };
    let wrong = marked.iter().filter(is_wrong);
    wrong
        .map(|request| {
            format!(
                "line {}: the marked loop does not run, or is said to never run and does",
                request.line
            )
        })
        .collect()
}

/// What speaks against the report of one program with some sizes, and how much was compared. With its default sizes also what speaks against its markers.
fn check(program: &Program, sizes: &[String]) -> (Vec<String>, usize, Compared) {
    let name = format!("{} {}", program.name, sizes.join(" "));
    let flags: Vec<String> = program.flags.iter().chain(sizes).cloned().collect();
    let mut arguments: Vec<String> = ["report", "--format", "json"].map(str::to_owned).to_vec();
    arguments.extend(program.files.iter().map(|file| file.display().to_string()));
    arguments.push("--".into());
    arguments.extend(flags.iter().cloned());
    let output = ferry(&arguments);
    if status(&output) != 0 {
        return (
            vec![format!("{name}: {}", stderr(&output))],
            0,
            Compared::default(),
        );
    }
    let report = valid_json(&stdout(&output));
    let judged = Judged {
        sources: program.files.clone(),
        flags,
        libraries: program.libraries.clone(),
    };
    // Programs with conditions also take their other way, where those loops do carry dependences.
    let circumstances = Circumstances::Unconditional;
    let (marked, unseen) = match sizes {
        [] => marked(program),
        _ => (Vec::new(), 0),
    };
    let mut more = Vec::new();
    if sizes.is_empty() && (unseen > 0) != MACRO_LOOPS.contains(&&*program.name) {
        more.push(format!("{unseen} marked loops have no keyword in their line"));
    }
    match against_report_and(&judged, &[], &report, circumstances, &marked) {
        Ok(judged) => {
            more.extend(not_judged(program, &marked, &judged));
            let against = judged.against.into_iter().chain(more);
            let against = against.map(|why| format!("{name}: {why}")).collect();
            (against, judged.parallel, judged.sections)
        }
        Err(error) => (vec![format!("{name}: {error}")], 0, Compared::default()),
    }
}

#[test]
fn reports_are_true_in_every_run() {
    let programs = programs();
    type Work<'a> = Box<dyn FnOnce() -> (Vec<String>, usize, Compared) + Send + 'a>;
    let mut jobs: Vec<Work<'_>> = Vec::new();
    for program in &programs {
        jobs.push(Box::new(move || check(program, &[])));
        if let Some(sizes) = &program.sizes {
            jobs.push(Box::new(move || check(program, sizes)));
        }
    }
    let runs = jobs.len();
    let results = on_two_threads(jobs);
    let parallel: usize = results.iter().map(|result| result.1).sum();
    let sets: usize = results.iter().map(|result| result.2.sets).sum();
    let exact: usize = results.iter().map(|result| result.2.exact).sum();
    println!(
        "{runs} runs: {parallel} parallel loops, {sets} sets of touched bytes, {exact} of them as exact"
    );
    let mut used = vec![false; KNOWN.len()];
    let mut against: Vec<String> = Vec::new();
    for line in results.into_iter().flat_map(|result| result.0) {
        let known = KNOWN
            .iter()
            .position(|(program, part, _)| line.starts_with(program) && line.contains(part));
        match known {
            Some(number) => used[number] = true,
            None => against.push(line),
        }
    }
    if std::env::var("FERRY_PROGRAMS").is_err() {
        let unused = KNOWN.iter().zip(used).filter(|(_, used)| !used);
        against.extend(unused.map(|((program, part, _), _)| format!("{program}: no `{part}` any more")));
    }
    assert!(against.is_empty(), "{}", against.join("\n"));
    // A judge that compares nothing finds nothing.
    assert!(
        parallel >= runs && sets >= runs && exact >= runs,
        "{parallel} loops, {sets} sets, {exact} exact"
    );
}
