//! Which bytes did each place of the program touch? As sets of offsets in each object, for the whole run and for
//! each time that a loop was entered. This judges sections (DESIGN.md, judge 4).

use crate::VariableRef;
use crate::interpret::{Access, AccessKind, LoopEvent, LoopKey, Object, Observer, Site, View};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A set of byte offsets in one object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByteSet {
    words: Vec<u64>,
}

impl ByteSet {
    /// Adds `start..start + length`.
    pub fn insert(&mut self, start: u64, length: u64) {
        let end = start.saturating_add(length) as usize;
        if self.words.len() * 64 < end {
            self.words.resize(end.div_ceil(64), 0);
        }
        for offset in start as usize..end {
            self.words[offset / 64] |= 1 << (offset % 64);
        }
    }

    /// True if the byte is in the set.
    pub fn contains(&self, offset: u64) -> bool {
        self.words
            .get(offset as usize / 64)
            .is_some_and(|word| word >> (offset % 64) & 1 != 0)
    }

    /// How many bytes.
    pub fn len(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The offsets, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let bits = self.words.iter().enumerate();
        bits.flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| index as u64 * 64 + bit)
        })
    }

    /// Maximal runs `start..end` of bytes that are in the set, ascending.
    pub fn runs(&self) -> Vec<(u64, u64)> {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for offset in self.iter() {
            match runs.last_mut() {
                Some((_, end)) if *end == offset => *end += 1,
                _ => runs.push((offset, offset + 1)),
            }
        }
        runs
    }

    /// Adds all of `other`.
    pub fn union(&mut self, other: &ByteSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words
            .iter_mut()
            .zip(&other.words)
            .for_each(|(word, other)| *word |= other);
    }
}

/// The value of a variable when a loop was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its bytes as a little-endian unsigned number (at most 8 bytes, the rest 0).
    pub bits: u64,
    /// If these bits are the address of a byte in an object: its allocation and the offset.
    pub points_to: Option<(u64, u64)>,
}

/// One execution of a loop, or the whole run.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// The loop; `None` for the whole run.
    pub key: Option<LoopKey>,
    /// The instance around it, by its number in [`Touched::instances`].
    pub parent: Option<usize>,
    /// How often the body ran.
    pub iterations: u64,
    /// Scalar variables of at most 8 bytes when the loop was entered: the function's and the unit's globals.
    pub variables: BTreeMap<VariableRef, Variable>,
    /// Bytes touched, by site, kind and allocation.
    pub sets: BTreeMap<(u32, AccessKind, u64), ByteSet>,
}

/// Records what is touched. Instance 0 is the whole run.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// The whole run, then the executions of loops in the order of their entries.
    pub instances: Vec<Instance>,
    /// What each site is.
    pub sites: HashMap<u32, Site>,
    /// What each allocation is, and its size in bytes.
    pub allocations: HashMap<u64, (Object, u64)>,
    loops: Option<BTreeSet<LoopKey>>,
    limit: usize,
    open: Vec<Option<usize>>,
}

impl Touched {
    /// Only the whole run.
    pub fn whole_run() -> Touched {
        Touched {
            instances: vec![Instance::default()],
            loops: Some(BTreeSet::new()),
            ..Touched::default()
        }
    }

    /// The whole run and every execution of these loops (of all loops if there are none), up to `limit` executions
    /// of loops; later ones count for the instances around them only.
    pub fn of_loops(loops: impl IntoIterator<Item = LoopKey>, limit: usize) -> Touched {
        let loops: BTreeSet<LoopKey> = loops.into_iter().collect();
        let loops = (!loops.is_empty()).then_some(loops);
        Touched {
            loops,
            limit,
            ..Touched::whole_run()
        }
    }
}

impl Observer for Touched {
    fn access(&mut self, access: &Access<'_>) {
        self.sites.entry(access.site).or_insert(*access.at);
        let whole = std::iter::once(0);
        for index in whole.chain(self.open.iter().flatten().copied()) {
            if let Some(instance) = self.instances.get_mut(index) {
                let set = instance
                    .sets
                    .entry((access.site, access.kind, access.allocation))
                    .or_default();
                set.insert(access.offset, access.size);
            }
        }
        self.allocations
            .entry(access.allocation)
            .or_insert((access.object, 0));
    }

    fn allocated(&mut self, allocation: u64, object: Object, size: u64) {
        self.allocations.insert(allocation, (object, size));
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        match event {
            LoopEvent::Enter => {
                let wanted = self.loops.as_ref().is_none_or(|loops| loops.contains(&key));
                if !wanted || self.instances.len() > self.limit {
                    return self.open.push(None);
                }
                let parent = self.open.iter().rev().flatten().next().copied().unwrap_or(0);
                let mut variables = BTreeMap::new();
                for variable in view.variables() {
                    if let Some(bits) = view.scalar(variable) {
                        variables.insert(
                            variable,
                            Variable {
                                bits,
                                points_to: view.object_at(bits),
                            },
                        );
                    }
                }
                self.open.push(Some(self.instances.len()));
                self.instances.push(Instance {
                    key: Some(key),
                    parent: Some(parent),
                    variables,
                    ..Instance::default()
                });
            }
            LoopEvent::Body(_) => {
                if let Some(Some(index)) = self.open.last().copied()
                    && let Some(instance) = self.instances.get_mut(index)
                {
                    instance.iterations += 1;
                }
            }
            LoopEvent::Exit => {
                self.open.pop();
            }
            LoopEvent::Test | LoopEvent::Step => {}
        }
    }
}
