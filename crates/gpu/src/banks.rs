//! How often do the threads of a warp wait for a bank of the shared memory?
//!
//! Words that lie one after the other are in one bank each, in turn. A bank gives one word at a time, to all threads that want it; threads that want
//! different words of one bank wait for each other (Juravle §5, figure 5.2).

use crate::{Bytes, Gpu};
use std::collections::{BTreeMap, BTreeSet};

/// How many turns the shared memory takes for one access of a warp; 1 if nobody waits. Addresses count from the start of the shared memory.
pub fn turns(gpu: &Gpu, touched: &[Bytes]) -> u64 {
    let (word, banks) = (i128::from(gpu.bank_bytes), i128::from(gpu.banks));
    let mut words: BTreeMap<i128, BTreeSet<i128>> = BTreeMap::new();
    for bytes in touched.iter().filter(|bytes| bytes.size > 0) {
        let last = bytes.start + i128::from(bytes.size) - 1;
        for number in bytes.start.div_euclid(word)..=last.div_euclid(word) {
            words.entry(number.rem_euclid(banks)).or_default().insert(number);
        }
    }
    words
        .values()
        .map(|wanted| wanted.len() as u64)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn strided(stride: i128) -> u64 {
        let touched: Vec<Bytes> = (0..32)
            .map(|lane| Bytes {
                start: lane * stride,
                size: 4,
            })
            .collect();
        turns(builtin(), &touched)
    }

    #[test]
    fn strides_that_share_a_factor_with_the_banks_wait() {
        assert_eq!(strided(4), 1);
        assert_eq!(strided(0), 1, "one word is given to all");
        assert_eq!(strided(8), 2);
        assert_eq!(strided(128), 32);
        // A row that is one word longer: the usual remedy.
        assert_eq!(strided(132), 1);
        assert_eq!(turns(builtin(), &[]), 0);
    }

    /// Elements of eight bytes are two words each: 64 words in 32 banks.
    #[test]
    fn elements_of_two_words_take_two_turns() {
        let touched: Vec<Bytes> = (0..32)
            .map(|lane| Bytes {
                start: lane * 4,
                size: 8,
            })
            .collect();
        // Each shares a word with the next one; the last word lies in the bank of the first.
        assert_eq!(turns(builtin(), &touched), 2);
        assert_eq!(turns(builtin(), &touched[..31]), 1);
    }
}
