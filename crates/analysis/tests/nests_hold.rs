//! Judges 3 and 4 on programs that nobody wrote: 300 generated nests of fixed seeds with their regions (`./dev nests N` judges more).
//! `crates/ferry/tests/nests_traced.rs` compiles the same nests.

use crate::common;

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
        (judge(&nests, true), nests)
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
    let counts = figures.regions;
    assert!(
        counts.regions > 15_000 && counts.exact > counts.regions / 3 && counts.certain > 50_000,
        "{counts:?}"
    );
    let affine = figures.regions_of_affine;
    assert!(
        affine.exact > 900 && affine.may == 0 && affine.unknown == 0,
        "{affine:?}: {:#?}",
        figures.inexact_regions
    );
    assert!(
        figures.dependences.executions > 1_000,
        "{:?}",
        figures.dependences
    );
}
