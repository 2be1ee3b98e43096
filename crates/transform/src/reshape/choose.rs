//! Which order of a nest's loops, and how many of them together, costs the warps of a GPU the fewest requests?
//!
//! Every choice of loops that run together, in every order (of more than three in some), with the others inside in the order they have. Requests are lines, as IPDA §7.1.2 counts
//! them, over the whole kernel; of choices with equally many the one that moves fewer sectors, then the one with more threads, then the one that changes
//! less. Threads must not become fewer than a GPU holds, or than there were. More threads are a profit of their own while they are fewer than a GPU holds
//! (IPDA §7.1 names both; its Table 1 misses what the second finds).

use super::legal::Legality;
use super::nest::Nest;
use crate::kernel::{Context, collapse};
use ferry_analysis::access::Access;
use ferry_analysis::coalescing::{Common, Cost, Mapping, Prepared, Total};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::Cause;
use ferry_gpu::Gpu;
use std::rc::Rc;

/// Loops of a nest that are looked at: the outermost ones.
const DEEPEST: usize = 5;

/// Loops that run together in every order at most.
const IN_EVERY_ORDER: usize = 3;

/// By how much requests must shrink to be worth a change: by a twentieth.
pub const LESS: f64 = 0.95;

/// One way to run a nest.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The loops, in the order in which they would stand.
    pub order: Vec<LoopIndex>,
    /// How many of them, the outermost, run together.
    pub together: usize,
    /// They stand in that order already.
    pub as_written: bool,
    /// What it costs.
    pub cost: Cost,
    /// The same in numbers.
    pub total: Total,
    /// Why it would be another program, if it would.
    pub legal: Result<(), Cause>,
}

/// What a change gains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profit {
    /// Fewer requests.
    Requests,
    /// More threads, of which the GPU could hold more.
    Threads,
}

/// All ways to run a nest.
#[derive(Clone, Debug)]
pub struct Alternatives {
    /// The way that is written (or that `annotate` would write).
    pub present: Alternative,
    /// The others, the cheapest first; those that are not legal behind the legal ones.
    pub others: Vec<Alternative>,
}

impl Alternatives {
    /// The legal ones with as many threads as there are now, or as many as the GPU holds: fewer requests are no gain where it stands idle for them.
    pub fn worthwhile(&self, gpu: &Gpu) -> impl Iterator<Item = &Alternative> {
        let enough = self.present.total.threads.min(gpu.resident_threads() as f64);
        let others = self.others.iter();
        others.filter(move |one| one.legal.is_ok() && one.total.threads >= enough)
    }

    /// The best legal way, with what it gains over the present one; `None` if nothing is better.
    pub fn best(&self, gpu: &Gpu) -> Option<(&Alternative, Profit)> {
        self.better(gpu).next()
    }

    /// The legal ways that gain something over the present one, the best first: those with fewer requests, then those with more threads.
    pub fn better(&self, gpu: &Gpu) -> impl Iterator<Item = (&Alternative, Profit)> {
        let present = &self.present.total;
        let resident = gpu.resident_threads() as f64;
        let cheaper = self.worthwhile(gpu).filter(|one| self.is_cheaper(one));
        let wider = self
            .worthwhile(gpu)
            .filter(move |one| present.threads < resident && !self.is_cheaper(one) && self.is_wider(one));
        let cheaper = cheaper.map(|one| (one, Profit::Requests));
        cheaper.chain(wider.map(|one| (one, Profit::Threads)))
    }

    /// The legal way with the most threads at no more requests, if it has more than the present one, and the present one has all that the GPU holds.
    pub fn needless(&self, gpu: &Gpu) -> Option<&Alternative> {
        let present = &self.present.total;
        let filled = present.threads >= gpu.resident_threads() as f64;
        let wider = self.worthwhile(gpu).filter(|one| filled && self.is_wider(one));
        wider.reduce(|best, one| {
            if one.total.threads > best.total.threads {
                one
            } else {
                best
            }
        })
    }

    /// The cheapest way that would be another program, with the reason, if it is cheaper than the present one.
    pub fn forbidden(&self) -> Option<(&Alternative, &Cause)> {
        self.others.iter().find_map(|one| {
            let cause = one.legal.as_ref().err()?;
            self.is_cheaper(one).then_some((one, cause))
        })
    }

    /// It has more threads and takes no more requests.
    fn is_wider(&self, one: &Alternative) -> bool {
        one.total.threads > self.present.total.threads && one.total.lines <= self.present.total.lines
    }

    fn is_cheaper(&self, one: &Alternative) -> bool {
        one.total.lines < self.present.total.lines * LESS
    }
}

/// All ways to run the nest that begins with a loop, of which `together` loops run together now.
pub fn alternatives(
    context: Context<'_>,
    nest: &Nest<'_>,
    together: usize,
    accesses: &[(usize, Prepared<'_>)],
    gpu: &Gpu,
) -> Option<Alternatives> {
    let first = nest.loops.first()?;
    let depth = nest.loops.len().min(DEEPEST);
    let legality = Legality::of(context, nest);
    // In the order in which they stand, what is known of kernels decides.
    let collapsed = collapse(context, first.stmt, first.index).len();
    let mut all = Vec::new();
    for chosen in choices(depth) {
        let rest = (0..nest.loops.len()).filter(|place| !chosen.contains(place));
        let order: Vec<usize> = chosen.iter().copied().chain(rest).collect();
        let as_written = order.windows(2).all(|two| two[0] < two[1]);
        let legal = match (as_written, chosen.len() <= collapsed) {
            (true, true) => Ok(()),
            (true, false) => Err(legality.against_collapsing(context, nest, chosen.len())),
            (false, _) => legality.prove(context, nest, &order, chosen.len()),
        };
        // What is not legal is of interest where it would be cheaper; in deep nests there are too many of them.
        if legal.is_err() && depth > 3 && !as_written {
            continue;
        }
        let lanes = chosen.iter().map(|place| nest.loops[*place].index).collect();
        let cost = cost(context, &Mapping::within(first.index, lanes), accesses, gpu);
        all.push(Alternative {
            order: order.iter().map(|place| nest.loops[*place].index).collect(),
            together: chosen.len(),
            as_written,
            total: cost.total(&context.facts.values, gpu),
            cost,
            legal,
        });
    }
    let present = all
        .iter()
        .position(|one| one.as_written && one.together == together)?;
    let present = all.remove(present);
    let written = nest.indices();
    all.sort_by(|one, two| {
        let moved = |of: &Alternative| of.order.iter().zip(&written).filter(|(a, b)| a != b).count();
        one.legal
            .is_err()
            .cmp(&two.legal.is_err())
            .then(one.total.lines.total_cmp(&two.total.lines))
            .then(one.total.sectors.total_cmp(&two.total.sectors))
            .then(two.total.threads.total_cmp(&one.total.threads))
            .then(moved(one).cmp(&moved(two)))
    });
    Some(Alternatives { present, others: all })
}

/// The accesses of a kernel that begins with a loop, to memory that its threads share, each with its number: the others are registers, or memory of each thread.
pub fn shared_accesses(context: Context<'_>, root: LoopIndex) -> Vec<(usize, Prepared<'_>)> {
    let values = &context.facts.values;
    let is_shared = |access: &Access| match access.root {
        Some(storage) => !context.is_inside(storage, root) && context.is_scalar_object(storage).is_none(),
        None => true,
    };
    let all = values.accesses.iter().enumerate();
    let own = all.filter(|(_, access)| access.size > 0 && access.loops.contains(&root) && is_shared(access));
    let common: Rc<Common> = Rc::default();
    own.map(|(number, access)| (number, Prepared::new(values, access, common.clone())))
        .collect()
}

/// What a mapping costs.
pub fn cost(context: Context<'_>, mapping: &Mapping, accesses: &[(usize, Prepared<'_>)], gpu: &Gpu) -> Cost {
    Cost::of(&context.facts.values, &context.unit.types, mapping, gpu, accesses)
}

/// Every choice of loops to run together; places in the nest. Up to three are there in every order. Of more, each is the innermost once, and the others keep
/// their order: what neighbouring threads touch depends on the innermost loops.
fn choices(depth: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..IN_EVERY_ORDER.min(depth) {
        last = last
            .iter()
            .flat_map(|chosen| {
                let free = (0..depth).filter(|place| !chosen.contains(place));
                free.map(|place| [chosen.as_slice(), &[place]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
        found.extend(last.iter().cloned());
    }
    let mut more: Vec<Vec<usize>> = (0_u32..1 << depth)
        .map(|bits| (0..depth).filter(|place| bits >> place & 1 == 1).collect())
        .filter(|chosen: &Vec<usize>| chosen.len() > IN_EVERY_ORDER)
        .collect();
    more.sort_by_key(Vec::len);
    for chosen in more {
        found.extend(chosen.iter().rev().map(|innermost| {
            let others = chosen.iter().filter(|place| *place != innermost);
            others.chain([innermost]).copied().collect()
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_comes_up_once() {
        assert_eq!(choices(2), [vec![0], vec![1], vec![0, 1], vec![1, 0]]);
        assert_eq!(choices(3).len(), 3 + 6 + 6);
        assert_eq!(
            choices(4)[4 + 12 + 24..],
            [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]]
        );
        assert_eq!(choices(5).len(), 5 + 20 + 60 + 5 * 4 + 5);
    }
}
