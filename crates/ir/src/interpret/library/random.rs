//! What comes out of `rand`? glibc's additive generator of type 3 and the `drand48` family, exactly.

use super::{LibraryFunction, arg, read, write};

/// State of `rand` and of `drand48`.
#[derive(Clone, Debug, Default)]
pub(in crate::interpret) struct Random {
    /// The last 31 words, `None` before the first use.
    words: Option<Vec<u32>>,
    next: usize,
    small: Option<u64>,
}

impl Random {
    fn seed(&mut self, seed: u32) {
        let mut words = [0u32; 34];
        words[0] = seed.max(1);
        for index in 1..31 {
            // 16807 * word mod (2^31 - 1) by Schrage's method, as glibc computes it.
            let word = i64::from(words[index - 1] as i32);
            let (high, low) = (word / 127_773, word % 127_773);
            let mut value = 16_807 * low - 2_836 * high;
            if value < 0 {
                value += 2_147_483_647;
            }
            words[index] = value as u32;
        }
        for index in 31..34 {
            words[index] = words[index - 31];
        }
        let mut ring = words[3..34].to_vec();
        // ring[i] is word i + 3; the next word is the sum of the ones 3 and 31 before.
        self.next = 0;
        for _ in 34..344 {
            Random::step(&mut ring, &mut self.next);
        }
        self.words = Some(ring);
    }

    fn step(ring: &mut [u32], next: &mut usize) -> u32 {
        let length = ring.len();
        let value = ring[*next].wrapping_add(ring[(*next + length - 3) % length]);
        ring[*next] = value;
        *next = (*next + 1) % length;
        value
    }

    fn rand(&mut self) -> u32 {
        if self.words.is_none() {
            self.seed(1);
        }
        match &mut self.words {
            Some(ring) => Random::step(ring, &mut self.next) >> 1,
            None => 0,
        }
    }

    fn next48(state: u64) -> u64 {
        state.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & ((1 << 48) - 1)
    }

    fn drand(&mut self) -> u64 {
        let state = Random::next48(self.small.unwrap_or(0));
        self.small = Some(state);
        state
    }
}

fn unit_interval(state: u64) -> u64 {
    (state as f64 / (1u64 << 48) as f64).to_bits()
}

pub(super) fn find(name: &str) -> Option<LibraryFunction> {
    Some(match name {
        "rand" | "random" => |host, _| Ok(u64::from(host.state().random.rand())),
        "srand" | "srandom" => |host, a| {
            host.state().random.seed(arg(a, 0) as u32);
            Ok(0)
        },
        "rand_r" => |host, a| {
            let bytes = read(host, arg(a, 0), 4)?;
            let mut next = bytes
                .iter()
                .rev()
                .fold(0u32, |value, &byte| value << 8 | u32::from(byte));
            let step = |next: &mut u32| {
                *next = next.wrapping_mul(1_103_515_245).wrapping_add(12345);
                *next / 65536
            };
            let mut result = step(&mut next) % 2048;
            result = (result << 10) ^ (step(&mut next) % 1024);
            result = (result << 10) ^ (step(&mut next) % 1024);
            write(host, arg(a, 0), &next.to_le_bytes())?;
            Ok(u64::from(result))
        },
        "srand48" => |host, a| {
            host.state().random.small = Some((arg(a, 0) & 0xffff_ffff) << 16 | 0x330e);
            Ok(0)
        },
        "drand48" => |host, _| Ok(unit_interval(host.state().random.drand())),
        "lrand48" => |host, _| Ok(host.state().random.drand() >> 17),
        "mrand48" => |host, _| Ok(((host.state().random.drand() >> 16) as i32) as u64),
        "erand48" | "nrand48" | "jrand48" => return find48(name),
        _ => return None,
    })
}

fn find48(name: &str) -> Option<LibraryFunction> {
    fn advance(host: &mut dyn super::Host, address: u64) -> Result<u64, super::Stop> {
        let bytes = read(host, address, 6)?;
        let state = bytes
            .iter()
            .rev()
            .fold(0u64, |value, &byte| value << 8 | u64::from(byte));
        let state = Random::next48(state);
        write(host, address, &state.to_le_bytes()[..6])?;
        Ok(state)
    }
    Some(match name {
        "erand48" => |host, a| Ok(unit_interval(advance(host, arg(a, 0))?)),
        "nrand48" => |host, a| Ok(advance(host, arg(a, 0))? >> 17),
        _ => |host, a| Ok(((advance(host, arg(a, 0))? >> 16) as i32) as u64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_glibcs() {
        let mut random = Random::default();
        assert_eq!(
            [random.rand(), random.rand(), random.rand()],
            [1804289383, 846930886, 1681692777]
        );
        random.seed(42);
        assert_eq!([random.rand(), random.rand()], [71876166, 708592740]);
    }
}
