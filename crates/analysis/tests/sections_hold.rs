//! Judge 4: does every run of every test program do what the analysis says of values, trip counts and sections?
//!
//! Each program runs in the interpreter with both its sizes. At every loop that is entered (of those that are entered
//! very often, a part), the hull of each access is evaluated with the values of its symbols at that moment: every byte
//! that is touched then must lie inside; of an unconditional access that is called exact, the first and the last byte
//! must be touched; every byte of a box of certain elements must be. Beside that, every known value, condition,
//! induction variable and trip count is compared with the real one. What cannot be evaluated is counted.

use crate::common;

use common::sections::{Counts, Judge};
use common::{Analysed, Program, Setting, in_parallel, in_two_files, programs, with_sizes};
use ferry_analysis::region;
use ferry_ir::interpret::{Exit, Options, run};

/// What one run showed.
struct Shown {
    counts: Counts,
    complaints: Vec<String>,
}

fn judge(program: &Program, setting: &Setting) -> Shown {
    let analysed = match Analysed::new(program, setting) {
        Ok(analysed) => analysed,
        Err(why) => {
            return Shown {
                counts: Counts::default(),
                complaints: vec![why],
            };
        }
    };
    let mut judge = Judge::new(&analysed);
    let outcome = run(&analysed.units, &Options::default(), &mut judge);
    let mut complaints = judge.complaints.list;
    if outcome.exit != Exit::Code(0) {
        complaints.push(format!("it does not run: {:?}", outcome.exit));
    }
    Shown {
        counts: judge.counts,
        complaints,
    }
}

/// Judges all; gives the counts, and the complaints with the programs' names.
fn judge_all(work: &[(Program, Setting)]) -> (Counts, Vec<String>) {
    let shown = in_parallel(work, |(program, setting)| judge(program, setting));
    let mut counts = Counts::default();
    let mut complaints = Vec::new();
    for ((program, setting), shown) in work.iter().zip(shown) {
        counts += shown.counts;
        if !shown.complaints.is_empty() {
            complaints.push(format!(
                "== {} {setting}\n{}",
                program.name,
                shown.complaints.join("\n")
            ));
        }
    }
    (counts, complaints)
}

/// Where `main` is in one file and all that it calls in another.
#[test]
fn what_functions_of_another_file_touch_is_inside_their_sections() {
    let (counts, complaints) = judge_all(&in_two_files(programs()));
    println!("{counts:#?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(counts.hulls > 1_000, "{counts:?}");
    }
}

#[test]
fn what_is_touched_is_inside_the_sections() {
    let (counts, complaints) = judge_all(&with_sizes(programs()));
    println!("{counts:#?}");
    assert!(
        complaints.is_empty(),
        "{} programs:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    if std::env::var("FERRY_PROGRAMS").is_err() {
        // The judge must not be empty: most of what is said can be evaluated.
        assert!(
            counts.hulls > 20_000 && counts.exact > counts.hulls / 2,
            "{counts:?}"
        );
        assert!(counts.paths > 300, "{counts:?}");
        assert!(
            counts.skipped < counts.hulls / 4 && counts.trips_skipped < counts.trips / 4,
            "{counts:?}"
        );
        assert!(
            counts.boxes > 0 && counts.values > 0 && counts.conditions > 0,
            "{counts:?}"
        );
    }
}

#[test]
fn every_access_of_the_linearised_kernels_is_bounded() {
    let mut work = programs();
    work.retain(|program| program.name.starts_with("linearised/"));
    if work.is_empty() {
        return;
    }
    println!(
        "{:<24} {:>8} {:>8} {:>8}",
        "program", "accesses", "bounded", "exact"
    );
    let mut unbounded = Vec::new();
    for program in &work {
        let analysed = Analysed::new(program, &Setting::plain()).unwrap();
        let (mut accesses, mut bounded, mut exact) = (0, 0, 0);
        for ((unit, function), facts) in &analysed.facts {
            if !analysed.units[*unit as usize]
                .function(*function)
                .name
                .starts_with("kernel_")
            {
                continue;
            }
            for access in &facts.values.accesses {
                let Some(outermost) = access.loops.first() else {
                    continue;
                };
                accesses += 1;
                match region::hull(access, &facts.values.varying(&[*outermost])) {
                    Ok(hull) => {
                        bounded += 1;
                        exact += usize::from(hull.exact);
                    }
                    Err(cause) => unbounded.push(format!("{}: {}", analysed.place(access.origin), cause.why)),
                }
            }
        }
        println!("{:<24} {accesses:>8} {bounded:>8} {exact:>8}", program.name);
        assert!(accesses > 0, "{}: no accesses", program.name);
    }
    assert!(unbounded.is_empty(), "{}", unbounded.join("\n"));
}
