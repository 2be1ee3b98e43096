//! Which are the fewest things that between them have a part in every pair?
//!
//! A smallest vertex cover: the pairs are edges. It is what a reader has to deal with where each pair of accesses, or of pointers, could be
//! dealt with at either end.
//!
//! The search branches on the thing with the most pairs: either it is chosen, or all that it is paired with are. What it cannot do: be sure to find
//! the fewest of very many; past a limit of work the first choice stands, which still covers every pair.

use std::collections::BTreeMap;

/// Most choices that are tried.
const MOST_CHOICES: usize = 4_000;

/// The fewest things that have a part in all pairs, in the order in which they first come up. A thing that is paired with itself is one of them; of the two of
/// a pair that nothing else decides it is the first.
pub fn fewest<T: Ord + Copy>(pairs: &[(T, T)]) -> Vec<T> {
    let mut things: Vec<T> = Vec::new();
    for thing in pairs.iter().flat_map(|(one, two)| [*one, *two]) {
        if !things.contains(&thing) {
            things.push(thing);
        }
    }
    let place = |of: T| things.iter().position(|thing| *thing == of);
    let edges = pairs
        .iter()
        .filter_map(|(one, two)| Some((place(*one)?, place(*two)?)));
    let edges: Vec<(usize, usize)> = edges.collect();
    let forced = edges.iter().filter(|(one, two)| one == two);
    let mut forced: Vec<usize> = forced.map(|(one, _)| *one).collect();
    forced.sort_unstable();
    forced.dedup();
    let mut search = Search {
        best: None,
        choices: 0,
    };
    search.cover(without(&edges, &forced), forced);
    let mut best = search.best.unwrap_or_default();
    best.sort_unstable();
    best.into_iter()
        .filter_map(|place| things.get(place).copied())
        .collect()
}

struct Search {
    best: Option<Vec<usize>>,
    choices: usize,
}

impl Search {
    fn cover(&mut self, edges: Vec<(usize, usize)>, chosen: Vec<usize>) {
        let least = chosen.len() + apart(&edges);
        if self.best.as_ref().is_some_and(|best| best.len() <= least) {
            return;
        }
        let mut degrees: BTreeMap<usize, usize> = BTreeMap::new();
        for end in edges.iter().flat_map(|(one, two)| [*one, *two]) {
            *degrees.entry(end).or_default() += 1;
        }
        let most = degrees
            .iter()
            .max_by_key(|(place, degree)| (**degree, std::cmp::Reverse(**place)));
        let Some((widest, degree)) = most.map(|(place, degree)| (*place, *degree)) else {
            self.best = Some(chosen);
            return;
        };
        let with = |more: &[usize]| [&chosen, more].concat();
        if degree == 1 {
            let firsts: Vec<usize> = edges.iter().map(|(one, _)| *one).collect();
            return self.cover(Vec::new(), with(&firsts));
        }
        self.cover(without(&edges, &[widest]), with(&[widest]));
        self.choices += 1;
        if self.choices < MOST_CHOICES {
            let mut partners: Vec<usize> = edges
                .iter()
                .filter_map(|(one, two)| match (*one == widest, *two == widest) {
                    (true, _) => Some(*two),
                    (_, true) => Some(*one),
                    _ => None,
                })
                .collect();
            partners.sort_unstable();
            partners.dedup();
            self.cover(without(&edges, &partners), with(&partners));
        }
    }
}

/// The pairs in which none of these has a part, each once.
fn without(edges: &[(usize, usize)], chosen: &[usize]) -> Vec<(usize, usize)> {
    let mut left: Vec<(usize, usize)> = Vec::new();
    for (one, two) in edges.iter().copied() {
        let covered = chosen.contains(&one) || chosen.contains(&two);
        if !covered && !left.contains(&(one, two)) && !left.contains(&(two, one)) {
            left.push((one, two));
        }
    }
    left
}

/// So many pairs, at least, have no thing in common: each needs one of its own.
fn apart(edges: &[(usize, usize)]) -> usize {
    let mut taken: Vec<usize> = Vec::new();
    for (one, two) in edges {
        if !taken.contains(one) && !taken.contains(two) {
            taken.extend([*one, *two]);
        }
    }
    taken.len() / 2
}

#[cfg(test)]
mod tests {
    use super::fewest;

    #[test]
    fn what_is_in_all_pairs_is_enough() {
        assert_eq!(fewest(&[(1, 9), (2, 9), (9, 3)]), [9]);
        assert_eq!(fewest::<u32>(&[]), []);
    }

    #[test]
    fn of_a_pair_alone_it_is_the_first() {
        assert_eq!(fewest(&[(7, 1), (1, 7)]), [7]);
    }

    #[test]
    fn what_is_paired_with_itself_is_needed() {
        assert_eq!(fewest(&[(1, 9), (2, 9), (1, 1), (2, 2)]), [1, 2]);
    }

    /// Greedily the one with four pairs would be first, and five in all.
    #[test]
    fn the_widest_is_not_always_among_them() {
        let pairs = [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (1, 11),
            (1, 12),
            (2, 21),
            (2, 22),
            (3, 31),
            (3, 32),
            (4, 41),
            (4, 42),
        ];
        assert_eq!(fewest(&pairs), [1, 2, 3, 4]);
    }

    /// Every cover of every graph of five things, tried one by one, has no fewer.
    #[test]
    fn no_cover_has_fewer() {
        let all: Vec<(u32, u32)> = (0..5)
            .flat_map(|one| (one..5).map(move |two| (one, two)))
            .collect();
        for graph in 0_u32..1 << all.len() {
            let pairs: Vec<(u32, u32)> = all
                .iter()
                .enumerate()
                .filter(|(number, _)| graph >> number & 1 == 1)
                .map(|(_, pair)| *pair)
                .collect();
            let covers = |chosen: u32| {
                pairs
                    .iter()
                    .all(|(one, two)| chosen >> one & 1 == 1 || chosen >> two & 1 == 1)
            };
            let least = (0_u32..32)
                .filter(|chosen| covers(*chosen))
                .map(u32::count_ones)
                .min();
            let found = fewest(&pairs);
            assert!(
                covers(found.iter().map(|one| 1 << one).sum()),
                "{pairs:?}: {found:?}"
            );
            assert_eq!(Some(found.len() as u32), least, "{pairs:?}");
        }
    }

    /// Past the limit of work every pair is covered all the same.
    #[test]
    fn very_many_are_covered() {
        let pairs: Vec<(u32, u32)> = (0..400)
            .map(|one| (one % 97, (one * 31 + 5) % 89 + 100))
            .collect();
        let found = fewest(&pairs);
        assert!(
            pairs
                .iter()
                .all(|(one, two)| found.contains(one) || found.contains(two))
        );
    }
}
