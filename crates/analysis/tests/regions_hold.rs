//! Judge 4 for regions: does every run of every test program touch what the sets say?
//!
//! Each program runs in the interpreter with its sizes. Of each loop execution that is followed, every element that is
//! touched must be in the upper bound of its object; every element of the lower bound must be touched; where a region
//! is exact, every element of it. READ, WRITE and IN. What a loop has written and OUT does not contain, nobody reads before it is written again.

use crate::common;

use common::regions::{Counts, Judge};
use common::{Analysed, Program, Setting, in_parallel, in_two_files, programs, with_sizes};
use ferry_ir::interpret::{Exit, Options, run};

fn judge(program: &Program, setting: &Setting) -> (Counts, Vec<String>) {
    let analysed = match Analysed::new(program, setting) {
        Ok(analysed) => analysed,
        Err(why) => return (Counts::default(), vec![why]),
    };
    let mut judge = Judge::new(&analysed, |_| true);
    let outcome = run(&analysed.units, &Options::default(), &mut judge);
    let mut complaints = judge.complaints.list;
    if outcome.exit != Exit::Code(0) {
        complaints.push(format!("it does not run: {:?}", outcome.exit));
    }
    (judge.counts, complaints)
}

#[test]
fn what_is_touched_is_in_the_regions() {
    // Names of constants change no set.
    let mut work = with_sizes(programs());
    work.retain(|(_, setting)| setting.names);
    let (counts, complaints) = judge_all(&work);
    if std::env::var("FERRY_PROGRAMS").is_err() {
        // The judge must not be empty: most of what is said can be evaluated.
        assert!(counts.executions > 2_000, "{counts:?}");
        assert!(counts.exact > counts.regions / 2, "{counts:?}");
        assert!(counts.skipped < counts.regions / 4, "{counts:?}");
        assert!(counts.certain > 10_000, "{counts:?}");
        assert!(counts.dead > 10_000, "{counts:?}");
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Where `main` is in one file and all that it calls in another.
#[test]
fn what_functions_of_another_file_touch_is_in_the_regions() {
    let (counts, complaints) = judge_all(&in_two_files(programs()));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(counts.exact > counts.regions / 2, "{counts:?}");
    }
}

fn judge_all(work: &[(Program, Setting)]) -> (Counts, Vec<String>) {
    let shown = in_parallel(work, |(program, setting)| judge(program, setting));
    let mut counts = Counts::default();
    let mut complaints = Vec::new();
    for ((program, setting), (own, wrong)) in work.iter().zip(shown) {
        counts += own;
        if !wrong.is_empty() {
            complaints.push(format!("== {} {setting}\n{}", program.name, wrong.join("\n")));
        }
    }
    println!("{counts:#?}");
    (counts, complaints)
}
