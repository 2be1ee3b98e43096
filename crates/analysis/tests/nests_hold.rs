//! Judges 3 and 4 on programs that nobody wrote: 300 generated nests of fixed seeds (`./dev nests N` judges more), of
//! some of them the regions too.

mod common;

use common::in_parallel;
use common::nests::{Figures, judge};
use ferry_judges::generate::{Nest, nest};

/// Nests in one file.
const TOGETHER: u64 = 30;

#[test]
fn what_is_said_of_generated_nests_is_true() {
    let starts: Vec<u64> = (0..10).map(|number| 1 + number * TOGETHER).collect();
    let results = in_parallel(&starts, |first| {
        let nests: Vec<Nest> = (*first..first + TOGETHER).map(nest).collect();
        (judge(&nests, false), nests)
    });
    let mut figures = Figures::default();
    let mut wrong = Vec::new();
    for (result, nests) in results {
        match result {
            Ok((own, violations)) => {
                figures += &own;
                wrong.extend(
                    violations
                        .iter()
                        .map(|one| format!("seed {}: {}", nests[one.nest].seed, one.what)),
                );
            }
            Err(why) => wrong.push(why),
        }
    }
    println!("{figures:#?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // The judge must not be empty, and the generator must not become tame.
    assert!(
        figures.calls > 1_500 && figures.left_out < figures.calls / 8,
        "{figures:?}"
    );
    assert!(figures.features.len() > 35, "{:?}", figures.features);
    let counts = figures.sections;
    assert!(
        counts.hulls > 8_000 && counts.exact > counts.hulls / 3 && counts.skipped < counts.hulls / 10,
        "{counts:?}"
    );
    assert!(
        figures.dependences.executions > 1_000,
        "{:?}",
        figures.dependences
    );
}

#[test]
fn regions_of_generated_nests_are_true() {
    let starts: Vec<u64> = (0..4).map(|number| 5_001 + 5 * number).collect();
    let results = in_parallel(&starts, |first| {
        let nests: Vec<Nest> = (*first..first + 5).map(nest).collect();
        judge(&nests, true)
    });
    let mut figures = Figures::default();
    let mut wrong = Vec::new();
    for result in results {
        match result {
            Ok((own, violations)) => {
                figures += &own;
                wrong.extend(violations.into_iter().map(|one| one.what));
            }
            Err(why) => wrong.push(why),
        }
    }
    println!("{:#?}", figures.regions);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let counts = figures.regions;
    assert!(
        counts.regions > 300 && counts.exact > counts.regions / 5 && counts.certain > 1_000,
        "{counts:?}"
    );
}
