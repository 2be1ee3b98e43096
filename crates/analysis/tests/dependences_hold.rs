//! Judge 3: does a loop that is called parallel carry dependences in a run?
//!
//! Each test program runs in the interpreter with both its sizes, its variants with the first. In every execution of a
//! loop that is called parallel there must be no dependence between iterations but those that the verdict excuses,
//! and each excuse must be true: what is private is written before it is read, what is reduced is touched only by its
//! updates, a last value is that of the last iteration. Where a condition is needed, this must hold in the executions in
//! which the listed pairs of objects did not overlap, and the rows of tables were apart as the test before the loop would see it.

use crate::common;

use common::dependences::{Counts, Judge};
use common::sections;
use common::{
    Analysed, Program, Setting, folder, in_parallel, in_two_files, judged, programs, programs_below,
    with_sizes,
};
use ferry_analysis::verdict::Kind;
use ferry_ir::interpret::{Exit, Options, run};
use std::collections::BTreeMap;
use std::process::Command;

fn judge(analysed: &Analysed) -> (Counts, Vec<String>) {
    let mut judge = Judge::new(analysed);
    let outcome = run(&analysed.units, &Options::default(), &mut judge);
    judge.finish();
    let mut complaints = judge.complaints.list;
    if outcome.exit != Exit::Code(0) {
        complaints.push(format!("it does not run: {:?}", outcome.exit));
    }
    (judge.counts, complaints)
}

#[test]
fn parallel_loops_carry_no_dependence() {
    let counts = judged(&with_sizes(programs()), |analysed, setting| {
        let (counts, mut complaints) = judge(analysed);
        // Markers speak of the default sizes: a loop that runs once carries nothing.
        if setting.flags.is_empty() {
            complaints.extend(exceeded(&verdicts(analysed)));
        }
        (counts, complaints)
    });
    if std::env::var("FERRY_PROGRAMS").is_err() {
        // The judge must not be empty.
        assert!(counts.loops > 500 && counts.executions > 5_000, "{counts:?}");
        assert!(
            counts.held > 20
                && counts.rows > 20
                && counts.sorted > 20
                && counts.failed > 10
                && counts.excused > 1_000,
            "{counts:?}"
        );
    }
}

/// Where functions are called that are in another file. Markers do not speak of that: a subscript that such a function computes may be anything, so that
/// updates of elements are atomic where they would need a condition.
#[test]
fn parallel_loops_that_call_another_file_carry_no_dependence() {
    let counts = judged(&in_two_files(programs()), |analysed, _| judge(analysed));
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(counts.loops > 100 && counts.executions > 1_000, "{counts:?}");
    }
}

/// The verdict that the marker on a line gives.
fn marker(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("// loop:")?;
    rest.trim().split([',', ' ']).next()
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Parallel => "parallel",
        Kind::ParallelIf => "parallel_if",
        Kind::Sequential => "sequential",
        Kind::Unknown => "unknown",
    }
}

/// True if a loop that is marked so must not be called what it is called. A condition is never too much to say: in
/// executions in which it holds, dependences are looked for.
fn exceeds(kind: Kind, marked: &str) -> bool {
    kind == Kind::Parallel && marked != "parallel"
}

/// How much a verdict allows.
fn strength(kind: Kind) -> u32 {
    match kind {
        Kind::Parallel => 2,
        Kind::ParallelIf => 1,
        Kind::Sequential | Kind::Unknown => 0,
    }
}

/// Loops that are called more than their markers allow.
fn exceeded(verdicts: &Verdicts) -> Vec<String> {
    let exceeded = verdicts
        .iter()
        .filter_map(|((function, number), (kind, marked))| {
            let marked = marked.as_deref().filter(|marked| exceeds(*kind, marked))?;
            Some(format!(
                "{function}, loop {number}: {}, marked {marked}",
                word(*kind)
            ))
        });
    exceeded.collect()
}

/// What each loop is called and marked, by function and number of the loop in it.
type Verdicts = BTreeMap<(String, usize), (Kind, Option<String>)>;

/// Verdicts by function and number of the loop in it, with the markers.
fn verdicts(analysed: &Analysed) -> Verdicts {
    let mut found = BTreeMap::new();
    for ((unit, function), facts) in &analysed.facts {
        let name = &analysed.units[*unit as usize].function(*function).name;
        let loops = facts.values.loops.iter().zip(&facts.verdicts);
        let own = loops.filter(|(of, _)| of.is_own());
        for (number, (of, verdict)) in own.enumerate() {
            let line = of.keyword.map(|span| analysed.line(span)).unwrap_or_default();
            found.insert(
                (name.clone(), number),
                (verdict.kind, marker(&line).map(str::to_owned)),
            );
        }
    }
    found
}

/// Of loops that read the rows of a table.
const FILLED_FROM_ITS_END: &str =
    "a table that is filled from its end on is not known to have rows that are apart";

/// Loops whose verdict is weaker in a variant: form, program, function, and why.
const WEAKER: &[(&str, &str, &str, &str)] = &[
    (
        "reversed",
        "pairs/triangle_twin",
        "kernel_triangle",
        "the range test compares the rows of a triangle only in ascending order",
    ),
    (
        "long",
        "linearised/fdtd2d",
        "kernel_fdtd2d",
        "the rows of ex are NY + 1 long, an int that becomes a long; they are not told apart then",
    ),
    (
        "unsigned",
        "pairs/distance_twin",
        "kernel_distance",
        "i + N is unsigned and may wrap, N being known by its sign only",
    ),
    (
        "unsigned",
        "pairs/greatest_divisor_twin",
        "kernel_even",
        "2 * i + 1 is unsigned and may wrap, N being known by its sign only",
    ),
    (
        "expanded",
        "scratch/enough",
        "kernel_row",
        "that used is at most 9, the length of the row, is not among the values that are tried for being ordinary",
    ),
    ("reversed", "rows/made", "kernel_block", FILLED_FROM_ITS_END),
    ("reversed", "rows/made", "kernel_by_function", FILLED_FROM_ITS_END),
    ("reversed", "rows/made", "kernel_local", FILLED_FROM_ITS_END),
    ("reversed", "rows/made", "kernel_overlapping", FILLED_FROM_ITS_END),
];

/// Writes the variants without compiling them: that is what `variants.py` itself is for.
const WRITE: &str = "
import sys
sys.path.insert(0, sys.argv[1])
import programs, variants
for program in programs.all_programs():
    for form in variants.forms_of(program):
        variants.make(program, form, sys.argv[2])
";

const FORMS: [&str; 5] = ["expanded", "reversed", "long", "unsigned", "split"];

#[test]
fn variants_keep_their_verdicts() {
    let out = std::env::temp_dir().join(format!("ferry-variants-{}", std::process::id()));
    let python = Command::new("python3")
        .args(["-c", WRITE])
        .arg(folder())
        .arg(&out)
        .status()
        .unwrap();
    assert!(python.success(), "the variants could not be written");
    let originals: BTreeMap<String, Program> = programs()
        .into_iter()
        .map(|program| (program.name.clone(), program))
        .collect();
    let mut work: Vec<(&str, Program)> = Vec::new();
    for form in FORMS {
        if out.join(form).is_dir() {
            let found = programs_below(&out.join(form)).into_iter();
            work.extend(
                found
                    .filter(|one| originals.contains_key(&one.name))
                    .map(|one| (form, one)),
            );
        }
    }
    let names: Vec<&Program> = originals.values().collect();
    let known = in_parallel(&names, |program| {
        (
            program.name.clone(),
            Analysed::new(program, &Setting::plain()).map(|analysed| verdicts(&analysed)),
        )
    });
    let known: BTreeMap<_, _> = known.into_iter().collect();
    let failures = in_parallel(&work, |(form, program)| {
        let complaints = match (&known[&program.name], Analysed::new(program, &Setting::plain())) {
            (Ok(original), Ok(analysed)) => {
                let mut complaints = compare(form, program, original, &verdicts(&analysed));
                // Without its macros a program does what it did.
                if *form != "expanded" {
                    complaints.extend(judge(&analysed).1);
                    let mut sections = sections::Judge::new(&analysed);
                    run(&analysed.units, &Options::default(), &mut sections);
                    complaints.extend(sections.complaints.list);
                }
                complaints
            }
            (Err(why), _) => vec![why.clone()],
            (_, Err(why)) => vec![why],
        };
        match complaints.is_empty() {
            true => None,
            false => Some(format!("== {form}/{}\n{}", program.name, complaints.join("\n"))),
        }
    });
    let _ = std::fs::remove_dir_all(&out);
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    println!("{} variants", work.len());
    assert!(
        failures.is_empty(),
        "{} of {} variants:\n{}",
        failures.len(),
        work.len(),
        failures.join("\n")
    );
}

fn compare(form: &str, program: &Program, original: &Verdicts, variant: &Verdicts) -> Vec<String> {
    let mut complaints = Vec::new();
    if original.keys().ne(variant.keys()) {
        complaints.push("the loops are not the same".to_owned());
    }
    complaints.extend(exceeded(variant));
    for ((function, number), (kind, _)) in variant {
        let Some((before, _)) = original.get(&(function.clone(), *number)) else {
            continue;
        };
        let place = format!("{function}, loop {number}");
        let listed = WEAKER.iter().any(|(forms, name, functions, _)| {
            *forms == form && *name == program.name && functions == function
        });
        if strength(*kind) < strength(*before) && !listed {
            complaints.push(format!(
                "{place}: {}, and {} in the original",
                word(*kind),
                word(*before)
            ));
        }
    }
    complaints
}
