//! Is what `ferry report` says of every loop and access true in a run of the program, as the compiler's trace sees it?
//!
//! Judges 3 and 4: no dependence in a loop that is called parallel, but on the objects that the report lists; what was
//! touched lies inside the sections, and spans exactly those that are called exact. Each program runs with its default
//! sizes and with its second set.

use crate::common;

use common::{Program, ferry, programs, status, stderr, stdout, valid_json};
use ferry_judges::trace::sections::Compared;
use ferry_judges::trace::verdicts::{Circumstances, against_report};
use ferry_judges::{Program as Judged, on_two_threads};

/// Why the trace speaks against a loop whose start is written with a variable that each iteration has for itself.
const READ_BY_HEAD: &str = "the start is evaluated once, before the first iteration; the trace takes all of the head for the loop. As a clause the fact \
                            would be wrong for that reason, and the loop stays on the host";

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

/// What speaks against the report of one program with some sizes, and how much was compared.
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
    match against_report(&judged, &[], &report, circumstances) {
        Ok(judged) => {
            let against = judged
                .against
                .into_iter()
                .map(|why| format!("{name}: {why}"))
                .collect();
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
