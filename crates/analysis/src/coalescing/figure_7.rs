//! What would figure 7 of the IPDA paper count? Only to compare with that paper.
//!
//! "Iteration Point Difference Analysis" (Chikin et al. 2019), section 6. It fits the distances of the threads of a warp from the first one into requests that
//! grow to 264 bytes, each access of 8 bytes whatever its type, wherever the array begins; distances that are no numbers count one request each. The paper puts
//! the distances of all accesses of a body into one list, so that `a[i]` and `b[i]` count once; here each access is counted alone.

use super::lanes::LaneAddress;
use super::mapping::Mapping;
use crate::access::Access;
use crate::value::Values;
use ferry_ir::Types;

/// Bytes that the paper takes for a request, and for an access.
const REQUEST: i128 = 256;
const ACCESS: i128 = 8;

/// Requests of a warp with so many threads: the least and the most.
pub fn requests(
    values: &Values,
    types: &Types,
    mapping: &Mapping,
    access: &Access,
    lanes: u32,
) -> (usize, usize) {
    let distances: Vec<Option<i128>> = match LaneAddress::of(values, types, mapping, access) {
        Ok(address) => address.distances(lanes),
        Err(_) => (0..lanes).map(|lane| (lane == 0).then_some(0)).collect(),
    };
    let unknown = distances.iter().filter(|distance| distance.is_none()).count();
    let known = fitted(distances.into_iter().flatten());
    (known, known + unknown)
}

/// How many requests known distances are fitted into.
fn fitted(distances: impl Iterator<Item = i128>) -> usize {
    let mut requests: Vec<(i128, i128)> = Vec::new();
    for distance in distances {
        let mut fits = false;
        for (low, high) in &mut requests {
            let inside = *low..=*high;
            let before = *high - REQUEST..=*high;
            let behind = *low..=*low + REQUEST;
            if inside.contains(&distance) {
                fits = true;
            } else if before.contains(&distance) {
                *low = distance;
                fits = true;
            } else if behind.contains(&distance) {
                *high = distance + ACCESS;
                fits = true;
            }
        }
        if !fits {
            requests.push((distance, distance + ACCESS));
        }
    }
    requests.len()
}

#[cfg(test)]
mod tests {
    use super::fitted;

    fn strided(stride: i128) -> usize {
        fitted((0..32).map(|lane| lane * stride))
    }

    #[test]
    fn strides_of_a_warp() {
        assert_eq!([0, 4, 8].map(strided), [1, 1, 1]);
        // Up to 256 past the low end may join: 17 threads 16 bytes apart, 9 threads 32 bytes apart.
        assert_eq!([16, 32, 64, 4096].map(strided), [2, 4, 7, 32]);
        // A request grows downwards, too.
        assert_eq!([-8, -16, -4096].map(strided), [1, 2, 32]);
    }

    /// Figure 1 of the paper: the second half of the warp lies elsewhere.
    #[test]
    fn two_halves() {
        let address = |lane: i128| if lane < 16 { lane * 8 } else { 4096 + lane * 8 };
        assert_eq!(fitted((0..32).map(address)), 2);
    }
}
