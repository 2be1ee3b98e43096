//! Judge 3 for what obstacles say: does every dependence between the accesses that an obstacle names fit one of its direction vectors, do the accesses
//! that are called certain really meet, and of a loop that is marked sequential, where nothing is called certain, one of the pairs that are named?
//!
//! Each test program runs in the interpreter with both its sizes.

use crate::common;

use common::scalars;
use common::vectors::Judge;
use common::{judged, programs, with_sizes};
use ferry_ir::interpret::{Options, run};

/// Pairs that are called certain, or are all that is named of a sequential loop, and do not meet in these programs, with the reason.
const UNMET: &[(&str, &str)] = &[];

#[test]
fn dependences_fit_the_vectors_of_obstacles() {
    // Vectors are about subscripts, which names and values say alike.
    let mut work = with_sizes(programs());
    work.retain(|(_, setting)| setting.names);
    let counts = judged(&work, |analysed, setting| {
        let mut judge = Judge::new(analysed);
        run(&analysed.units, &Options::default(), &mut judge);
        let unmet = judge.finish();
        let mut complaints = std::mem::take(&mut judge.complaints.list);
        // Other sizes may make a loop too short for its distance.
        if setting.flags.is_empty() {
            let is_known = |one: &String| UNMET.iter().any(|(known, _)| one.starts_with(known));
            let unknown = unmet.into_iter().filter(|one| !is_known(one));
            complaints.extend(unknown.map(|one| format!("never met: {one}")));
        }
        (judge.counts, complaints)
    });
    if std::env::var("FERRY_PROGRAMS").is_err() {
        // The judge must not be empty.
        assert!(counts.loops > 100 && counts.sharp > 100, "{counts:?}");
        assert!(counts.compared > 10_000 && counts.met > 50, "{counts:?}");
        // Of loops of which nobody knows better some are in order in these runs, and some are not.
        assert!(counts.open > 30 && counts.open_met > 15, "{counts:?}");
    }
}

/// Variables that are said to carry a value, and do not in these programs, with the reason.
const UNREAD: &[(&str, &str)] = &[(
    "narrowing_reductions.c:49",
    "without a sign no element is greater than what it begins with",
)];

#[test]
fn variables_carry_values_where_that_is_said() {
    let mut work = with_sizes(programs());
    work.retain(|(_, setting)| setting.names && setting.flags.is_empty());
    let counts = judged(&work, |analysed, _| {
        let mut judge = scalars::Judge::new(analysed);
        run(&analysed.units, &Options::default(), &mut judge);
        let is_known = |one: &String| UNREAD.iter().any(|(known, _)| one.starts_with(known));
        let unread = judge.finish().into_iter().filter(|one| !is_known(one));
        let complaints = unread.map(|one| format!("not read: {one}")).collect();
        (judge.counts, complaints)
    });
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(counts.named > 80 && counts.both > 50, "{counts:?}");
    }
}
