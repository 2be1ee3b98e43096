//! Are regions of nests that are affine in everything exact where that takes many pieces? Generated nests whose IN regions once were
//! only bounds: differences of unions of a dozen pieces and more, counters with floors, guards that punch holes.
//!
//! What it does not say: that all such nests are ([nests.md](../../../docs/nests.md) has the share).

use crate::common;

use common::in_parallel;
use common::nests::judge;
use ferry_judges::generate::nest;

/// Seeds, each of which had regions that were not exact.
const SEEDS: [u64; 12] = [
    100004, 100060, 100083, 100131, 100163, 100225, 100264, 100637, 100657, 100713, 100723, 101390,
];

#[test]
fn regions_of_affine_nests_are_exact() {
    let wrong: Vec<String> = in_parallel(&SEEDS, |seed| {
        let nest = nest(*seed);
        if !nest.affine {
            return vec![format!("seed {seed} is no affine nest any more")];
        }
        match judge(&[nest], true) {
            Ok((figures, violations)) => {
                let mut found = figures.inexact_regions;
                found.extend(violations.into_iter().map(|one| one.what));
                if figures.regions_of_affine.exact == 0 {
                    found.push(format!("seed {seed} has no regions"));
                }
                found
            }
            Err(why) => vec![why],
        }
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
