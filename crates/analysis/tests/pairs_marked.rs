//! Judge 3 for explanations: do the two places that Ferry names of a loop that is not parallel really touch the same storage in different iterations, and does the
//! loop's marker name such a pair?
//!
//! Each test program runs in the interpreter. A marker must be a pair that Ferry names and that the run shows; where the run shows one, there must be a marker
//! (`tests/programs/mark_pairs.py` writes those that are missing). Where it shows none, there is none: that is counted, not complained of.

use crate::common;

use common::pairs::{Marked, marked};
use common::watching::counts;
use common::{judged, programs, scalars, vectors, with_sizes};
use ferry_ir::interpret::{Options, run};

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Loops that are marked sequential or unknown.
        pub loops: u64,
        /// Of these, those with a pair that is named.
        pub named: u64,
        /// Of these, those of which the run shows one.
        pub met: u64,
    }
}

/// What is wrong with a marker.
fn complaint(one: &Marked) -> Option<String> {
    let place = &one.place;
    let met = one.named.iter().find(|(_, met)| *met);
    match &one.pair {
        Some(pair) => match one.named.iter().find(|(text, _)| text == pair) {
            None => {
                let named: Vec<&str> = one.named.iter().map(|(text, _)| text.as_str()).collect();
                Some(format!("{place}: {pair} is not named, but {named:?}"))
            }
            Some(_) if !one.named.iter().any(|(text, met)| text == pair && *met) => {
                Some(format!("{place}: {pair} never meets"))
            }
            Some(_) => None,
        },
        None => met.map(|(text, _)| format!("missing: {place}: {text}")),
    }
}

#[test]
fn pairs_that_are_named_are_marked_and_meet() {
    let mut work = with_sizes(programs());
    work.retain(|(_, setting)| setting.names && setting.flags.is_empty());
    let counts = judged(&work, |analysed, _| {
        let mut memory = vectors::Judge::new(analysed);
        run(&analysed.units, &Options::default(), &mut memory);
        let mut variables = scalars::Judge::of_all(analysed);
        run(&analysed.units, &Options::default(), &mut variables);
        let mut named = memory.named();
        named.extend(variables.named());
        let all = marked(analysed, &named);
        for one in all.iter().filter(|one| one.named.iter().all(|(_, met)| !met)) {
            println!("not shown: {}: {:?}", one.place, one.named);
        }
        let counts = Counts {
            loops: all.len() as u64,
            named: all.iter().filter(|one| !one.named.is_empty()).count() as u64,
            met: all
                .iter()
                .filter(|one| one.named.iter().any(|(_, met)| *met))
                .count() as u64,
        };
        (counts, all.iter().filter_map(complaint).collect())
    });
    if std::env::var("FERRY_PROGRAMS").is_err() {
        // Of the others nothing is named (a call, a way out of the loop), or what is named cannot come up: docs/state.md lists these thirteen.
        assert!(counts.met > 320 && counts.named - counts.met <= 13, "{counts:?}");
    }
}
