//! In how many pieces of memory do the bytes lie that the threads of a warp touch together?
//!
//! Memory is cut into pieces of one size that begin at multiples of it: sectors, in which it is moved, and lines, in which caches look it up. Each piece
//! counts once, whatever the number of threads that want bytes of it, and in whatever order (both papers count otherwise: Juravle divides the span by the
//! size of a line, IPDA's figure 7 lets a request grow from where it began).

use crate::Gpu;

/// What one thread touches: the first byte, and how many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bytes {
    /// Address of the first byte.
    pub start: i128,
    /// How many; 0 touches nothing.
    pub size: u64,
}

/// How many pieces of memory one access of a warp takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Blocks {
    /// What is moved.
    pub sectors: u64,
    /// What is looked up.
    pub lines: u64,
}

impl Blocks {
    /// Those that these bytes lie in.
    pub fn of(gpu: &Gpu, touched: &[Bytes]) -> Blocks {
        Blocks {
            sectors: pieces(touched, gpu.sector),
            lines: pieces(touched, gpu.line),
        }
    }

    /// Those of `lanes` threads that touch `size` bytes each, every thread `stride` bytes behind the one before, the first at byte `start`.
    pub fn strided(gpu: &Gpu, lanes: u32, start: i128, stride: i128, size: u64) -> Blocks {
        let touched: Vec<Bytes> = (0..i128::from(lanes))
            .map(|lane| Bytes {
                start: start + lane * stride,
                size,
            })
            .collect();
        Blocks::of(gpu, &touched)
    }

    /// The greater of each.
    pub fn max(self, other: Blocks) -> Blocks {
        Blocks {
            sectors: self.sectors.max(other.sectors),
            lines: self.lines.max(other.lines),
        }
    }

    /// The smaller of each.
    pub fn min(self, other: Blocks) -> Blocks {
        Blocks {
            sectors: self.sectors.min(other.sectors),
            lines: self.lines.min(other.lines),
        }
    }
}

impl std::ops::Add for Blocks {
    type Output = Blocks;

    fn add(self, other: Blocks) -> Blocks {
        Blocks {
            sectors: self.sectors + other.sectors,
            lines: self.lines + other.lines,
        }
    }
}

/// The number of different pieces of `unit` bytes.
fn pieces(touched: &[Bytes], unit: u64) -> u64 {
    let unit = unit.max(1);
    // Divisions of this width are dear, and units are powers of two but for a user's own.
    let piece = |byte: i128| match unit.is_power_of_two() {
        true => byte >> unit.trailing_zeros(),
        false => byte.div_euclid(i128::from(unit)),
    };
    let mut found: Vec<(i128, i128)> = touched
        .iter()
        .filter(|bytes| bytes.size > 0)
        .map(|bytes| {
            (
                piece(bytes.start),
                piece(bytes.start + i128::from(bytes.size) - 1),
            )
        })
        .collect();
    if !found.is_sorted() {
        found.sort_unstable();
    }
    let (mut count, mut next) = (0i128, i128::MIN);
    for (first, last) in found {
        let first = first.max(next);
        if last >= first {
            count += last - first + 1;
            next = last + 1;
        }
    }
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn strided(start: i128, stride: i128, size: u64) -> (u64, u64) {
        let found = Blocks::strided(builtin(), 32, start, stride, size);
        (found.sectors, found.lines)
    }

    #[test]
    fn neighbours_share_pieces() {
        assert_eq!(strided(0, 4, 4), (4, 1));
        assert_eq!(strided(4, 4, 4), (5, 2));
        assert_eq!(strided(0, 0, 4), (1, 1));
        assert_eq!(strided(0, 8, 8), (8, 2));
        // Figure 12 of IPDA: rows that begin with one element that is left out.
        assert_eq!(strided(8, 8, 8), (9, 3));
        assert_eq!(strided(0, 12, 4), (12, 3));
        assert_eq!(strided(0, 4096, 4), (32, 32));
        assert_eq!(strided(0, -4, 4), (5, 2));
        assert_eq!(strided(124, -4, 4), (4, 1));
    }

    #[test]
    fn an_access_may_lie_in_two_pieces() {
        assert_eq!(strided(28, 0, 8), (2, 1));
        assert_eq!(strided(124, 256, 8), (64, 64));
    }

    #[test]
    fn order_does_not_count() {
        let shuffled: Vec<Bytes> = (0..32)
            .map(|lane| Bytes {
                start: lane * 7 % 32 * 4,
                size: 4,
            })
            .collect();
        assert_eq!(Blocks::of(builtin(), &shuffled), Blocks { sectors: 4, lines: 1 });
        assert_eq!(Blocks::of(builtin(), &[]), Blocks::default());
    }

    /// The pieces, gathered one byte at a time.
    #[test]
    fn it_is_the_number_of_different_pieces() {
        let mut state = 7u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2_000 {
            let lanes = 1 + random(33);
            let touched: Vec<Bytes> = (0..lanes)
                .map(|_| Bytes {
                    start: i128::from(random(2_000)) - 1_000,
                    size: random(20),
                })
                .collect();
            let by_byte = |unit: i128| {
                let bytes = touched
                    .iter()
                    .flat_map(|one| one.start..one.start + i128::from(one.size));
                bytes
                    .map(|byte| byte.div_euclid(unit))
                    .collect::<std::collections::BTreeSet<_>>()
                    .len() as u64
            };
            let found = Blocks::of(builtin(), &touched);
            assert_eq!(
                (found.sectors, found.lines),
                (by_byte(32), by_byte(128)),
                "{touched:?}"
            );
        }
    }
}
