//! How many requests does an access cost a warp, for a mapping of iterations to threads?
//!
//! Sources: IPDA §6 and Juravle §5.1, neither of whose counts is used: `requests` says what is counted instead. An access is followed in its own address,
//! in bytes, with its own size; it shares requests with no other access (IPDA pools all accesses of a body). Where the address of some threads depends
//! on what is loaded, the answer is an interval; where a condition decides between addresses, threads that part need both, so that their sum counts, and
//! warps that go one way need the greater (Juravle takes the greater always). Where conditions are functions of the thread, `taking` counts the threads that make
//! the access.
//!
//! What it cannot do: caches between requests, replays of atomic updates, threads that are not in step any more, accesses of large called functions one
//! by one.

mod alike;
mod cost;
pub mod figure_7;
mod lanes;
mod mapping;
mod numbers;
mod prepared;
mod requests;
mod rows;
mod strides;
mod taking;

use crate::access::Access;
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
pub use alike::Answers;
pub use cost::{AccessCost, Cost, SIZE, Total, assumed, assumed_iterations, assumed_trip};
use ferry_gpu::{Blocks, Gpu};
use ferry_ir::Types;
use ferry_symbolic::{Condition, Expr, Integer};
pub use lanes::{Base, LaneAddress, Start, parts_threads};
pub use mapping::{Mapping, trip};
pub use numbers::{known, number};
pub use prepared::{Common, Prepared};
pub use requests::{Amount, Requests};
use strides::Tables;

/// Warps whose distances are taken one by one where they differ from warp to warp.
const WARPS: u64 = 256;

/// How the threads of a warp lie to each other.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// All touch the same bytes.
    Uniform,
    /// Each touches the bytes next to those of its neighbour.
    Unit,
    /// Each touches the same member of the next structure of an array.
    Structures,
    /// Each touches bytes that lie one stride further on.
    Strided,
    /// The addresses are known thread by thread, and are no straight line.
    Scattered,
    /// A condition decides between addresses.
    Conditional,
    /// Where some threads touch is not known.
    Irregular(Cause),
}

/// What one access costs a warp.
#[derive(Clone, PartialEq, Debug)]
pub struct Coalescing {
    /// How the threads lie to each other.
    pub pattern: Pattern,
    /// Bytes from one thread to the next, where it is the same for all in a row.
    pub stride: Option<Expr>,
    /// What it costs.
    pub requests: Requests,
    /// Not all threads of each warp take part: a condition or the end of an inner loop depends on the thread.
    pub in_part: bool,
    /// The warp of the usual figures, where it is not the first one with all its threads: the number of its first iteration, and of the first byte that is
    /// touched what is known of it, as that of a [`Start`].
    pub usual_warp: Option<(u64, i128)>,
    /// Some warps run iterations of two rows, which lie apart: counted in the worst case.
    pub straddles: bool,
    /// What was not proved and is taken to hold: that sizes in a stride are positive.
    pub assumed: Vec<Condition>,
}

/// What an access costs the warps of a mapping on a GPU.
pub fn of_access(
    values: &Values,
    types: &Types,
    mapping: &Mapping,
    prepared: &Prepared<'_>,
    gpu: &Gpu,
) -> Coalescing {
    let lanes = mapping.threads_of_a_warp(values, gpu);
    of_lanes(values, types, mapping, prepared, gpu, (lanes, Base::Line))
}

/// The same where storage may begin at any place that its elements allow: the least and the most count, the usual figures are those of [`of_access`].
pub fn of_any_base(
    values: &Values,
    types: &Types,
    mapping: &Mapping,
    prepared: &Prepared<'_>,
    gpu: &Gpu,
) -> Coalescing {
    let lanes = mapping.threads_of_a_warp(values, gpu);
    let base = Base::MultipleOf(types.align(prepared.access.ty));
    of_lanes(values, types, mapping, prepared, gpu, (lanes, base))
}

/// What an access costs with the threads of a warp that have an iteration, which are those of all accesses of a mapping, and storage that begins at `base`.
fn of_lanes<'a>(
    values: &'a Values,
    types: &'a Types,
    mapping: &'a Mapping,
    prepared: &'a Prepared<'a>,
    gpu: &'a Gpu,
    (lanes, base): (u32, Base),
) -> Coalescing {
    let question = Question {
        values,
        types,
        mapping,
        access: prepared.access,
        prepared,
        gpu,
        lanes,
        base,
    };
    question.answer()
}

impl Coalescing {
    /// Of a condition between two addresses: threads part there, or warps only.
    fn or(self, other: Coalescing, parted: bool) -> Coalescing {
        let stride = self.stride.filter(|stride| other.stride.as_ref() == Some(stride));
        Coalescing {
            pattern: Pattern::Conditional,
            stride: stride.filter(|_| !parted),
            requests: match parted {
                true => self.requests.of_either_thread(&other.requests),
                false => self.requests.of_either_warp(&other.requests),
            },
            in_part: self.in_part || other.in_part,
            usual_warp: None,
            straddles: self.straddles || other.straddles,
            assumed: [self.assumed, other.assumed].concat(),
        }
    }

    /// The same, if perhaps not all threads take part.
    fn in_part_if(self, in_part: bool) -> Coalescing {
        match in_part {
            true => Coalescing {
                requests: self.requests.in_part(),
                in_part: true,
                usual_warp: None,
                ..self
            },
            false => self,
        }
    }
}

/// True if threads of one warp may differ in whether they make an access: a condition on its path, or how long a loop around it runs, depends on the
/// thread.
fn is_in_part(values: &Values, mapping: &Mapping, prepared: &Prepared<'_>) -> bool {
    let depth = values.loops[mapping.root.0 as usize].depth;
    let parts = |condition: &Condition| parts_threads(values, mapping, condition);
    let mut guards = prepared.guards.iter().filter(|(loops, _)| *loops > depth);
    let mut inner = mapping.alone(values, prepared.access).map(|of| match &of.trip {
        Ok(trip) => parts(&Condition::zero(trip)),
        Err(_) => true,
    });
    guards.any(|(_, condition)| condition.as_ref().is_none_or(parts)) || inner.any(|parts| parts)
}

/// What is asked of one access.
#[derive(Clone, Copy)]
struct Question<'a> {
    values: &'a Values,
    types: &'a Types,
    mapping: &'a Mapping,
    access: &'a Access,
    prepared: &'a Prepared<'a>,
    gpu: &'a Gpu,
    /// The threads of a warp that have an iteration.
    lanes: u32,
    /// Where storage begins.
    base: Base,
}

impl<'a> Question<'a> {
    /// What the access costs.
    fn answer(self) -> Coalescing {
        let (values, mapping, prepared) = (self.values, self.mapping, self.prepared);
        if self.access.summary.is_some() {
            let cause = Cause::new(
                "it happens in a called function that is known as a whole only",
                self.access.origin,
            );
            return self
                .irregular(cause)
                .in_part_if(is_in_part(values, mapping, prepared));
        }
        if !prepared.alternatives.is_empty() {
            return self.one_of_several();
        }
        let address = self.address();
        let whole = self.whole(&address);
        match is_in_part(values, mapping, prepared) {
            true => {
                let parts = [taking::Part::new(self, address, None)];
                taking::thinned(&parts, &whole).unwrap_or_else(|| whole.in_part_if(true))
            }
            false => whole,
        }
    }

    /// The address, thread by thread.
    fn address(&self) -> Result<LaneAddress<'a>, Cause> {
        let (values, address) = (self.values, self.prepared.address.clone());
        match self.mapping.uneven(values) {
            Some(cause) => Err(cause),
            None => LaneAddress::at(values, self.types, self.mapping, self.access, address, self.base),
        }
    }

    /// What an access costs whose pointer is one of several. Where each warp goes one way, that is what one of them costs; where threads part, it is what they
    /// take together.
    fn one_of_several(&self) -> Coalescing {
        let (values, mapping, prepared) = (self.values, self.mapping, self.prepared);
        let line = i128::from(self.gpu.line);
        let parts_here = |condition: &Option<Condition>| {
            condition
                .as_ref()
                .is_none_or(|condition| parts_threads(values, mapping, condition))
        };
        let parted = prepared
            .alternatives
            .iter()
            .any(|(_, condition)| parts_here(condition));
        let mut joined: Option<Coalescing> = None;
        let mut begins = Vec::new();
        let mut parts = Vec::new();
        for (one, condition) in &prepared.alternatives {
            let question = Question {
                access: one.access,
                prepared: one,
                ..*self
            };
            let address = question.address();
            let next = question.whole(&address);
            joined = Some(match joined {
                Some(known) => known.or(next, parted),
                None => next,
            });
            let first = address.as_ref().ok();
            begins.push(first.map(|address| address.start(Some(0), self.lanes).constant.rem_euclid(line)));
            // Where warps go one way it is not known which.
            let own = condition.clone().filter(|_| parted).ok_or(());
            parts.push(taking::Part::new(question, address, Some(own)));
        }
        let Some(mut whole) = joined else {
            return self.irregular(Cause::new("the address is not known", self.access.origin));
        };
        let most = requests::most(self.gpu, self.lanes, self.access.size);
        whole.requests = whole.requests.at_most(most);
        match begins.first().copied().flatten() {
            Some(byte) if begins.iter().all(|other| *other == Some(byte)) => {
                whole.usual_warp = Some((0, byte));
            }
            _ => whole.requests = whole.requests.bounded(),
        }
        let in_part = is_in_part(values, mapping, prepared);
        if !in_part && !parted {
            return whole;
        }
        let thinned = taking::thinned(&parts, &whole).map(|found| Coalescing { in_part, ..found });
        thinned.unwrap_or_else(|| whole.in_part_if(in_part))
    }

    /// What the access costs warps all of whose threads make it.
    fn whole(&self, address: &Result<LaneAddress<'_>, Cause>) -> Coalescing {
        match address {
            Ok(address) => self.of_address(address, 4),
            Err(cause) => self.irregular(cause.clone()),
        }
    }

    fn of_address(&self, address: &LaneAddress<'_>, depth: usize) -> Coalescing {
        if let Some(stride) = address.stride() {
            return self.of_line(address, stride);
        }
        if let Some(found) = self.by_thread(address) {
            return found;
        }
        let cases = address.cases().filter(|_| depth > 0);
        let Some(cases) = cases else {
            return self.irregular(Cause::new(
                "the address is no straight line in the iteration's number",
                self.access.origin,
            ));
        };
        let parts = cases
            .iter()
            .any(|(condition, _)| parts_threads(self.values, self.mapping, condition));
        let addresses: Vec<LaneAddress<'_>> = cases.iter().map(|(_, case)| case.clone()).collect();
        let alike = LaneAddress::begin_alike(&addresses, self.gpu.line);
        let found = addresses.iter().map(|case| {
            let found = self.of_address(case, depth - 1);
            match alike {
                true => found,
                // Only one of them begins where it is taken to begin.
                false => Coalescing {
                    requests: found.requests.anywhere(),
                    ..found
                },
            }
        });
        let joined = found.reduce(|one, two| one.or(two, parts));
        let unknown = || self.irregular(Cause::new("the address is not known", self.access.origin));
        let mut found = joined.unwrap_or_else(unknown);
        found.requests = found
            .requests
            .at_most(requests::most(self.gpu, self.lanes, self.access.size))
            .bounded();
        found
    }

    /// An address that is a straight line in the counter of the innermost loop that runs in parallel.
    fn of_line(&self, address: &LaneAddress<'_>, stride: Expr) -> Coalescing {
        let straddles = !address.is_straight() && !self.mapping.rows_are_whole(self.values, self.gpu.warp);
        // Where rows end within warps, each kind of warp counts by itself.
        if straddles {
            let row = self
                .mapping
                .loops(self.values)
                .next_back()
                .and_then(|of| trip(self.values, of));
            let by_thread = || {
                let found = row.and_then(|_| self.by_thread(address))?;
                Some((found.requests, found.assumed))
            };
            let in_rows = self.in_rows(address).map(|requests| (requests, Vec::new()));
            if let Some((requests, assumed)) = in_rows.or_else(by_thread) {
                return Coalescing {
                    pattern: self.pattern(&stride),
                    stride: Some(stride),
                    requests,
                    in_part: false,
                    usual_warp: None,
                    straddles: true,
                    assumed,
                };
            }
        }
        let any = address.start(None, self.lanes);
        let first = self.first(address);
        // The threads that go along one row.
        let along = match straddles {
            true => self.threads_of_a_row(),
            false => self.lanes,
        };
        let (requests, mut assumed) = match number(&stride) {
            Some(factor) => {
                let asked = strides::Strided {
                    lanes: along,
                    factor,
                    size: self.access.size,
                    first,
                    any,
                };
                let found = self.prepared.common.tables.counted(self.gpu, asked);
                (found, Vec::new())
            }
            None => self.of_symbolic(&stride, along, first, any),
        };
        let requests = match straddles {
            true if along < self.lanes => self.in_several_rows(&requests, self.lanes.div_ceil(along)),
            true => {
                assumed.extend(self.shorter_rows());
                self.in_two_rows(&requests)
            }
            false => requests,
        };
        Coalescing {
            pattern: self.pattern(&stride),
            stride: Some(stride),
            requests,
            in_part: false,
            usual_warp: None,
            straddles,
            assumed,
        }
    }

    /// Where the first warp begins; symbols without a value count as multiples of a line.
    fn first(&self, address: &LaneAddress<'_>) -> Start {
        Start {
            multiple: 0,
            ..address.start(Some(0), self.lanes)
        }
    }

    /// A stride with sizes that are not known, taken to be positive where that is not proved.
    fn of_symbolic(&self, stride: &Expr, lanes: u32, first: Start, any: Start) -> (Requests, Vec<Condition>) {
        let factor = stride.content().to_i128().unwrap_or(1).max(1);
        let times = stride
            .divide_exactly(&Integer::from(factor))
            .unwrap_or_else(|| stride.clone());
        let (factor, times, assumed) = match self.prepared.is_positive(&times) {
            true => (factor, times, Vec::new()),
            false if self.prepared.is_positive(&times.scale(&Integer::from(-1))) => {
                (-factor, times.scale(&Integer::from(-1)), Vec::new())
            }
            false => {
                let assumed = vec![Condition::positive(&times)];
                (factor, times, assumed)
            }
        };
        let question = strides::Strided {
            lanes,
            factor,
            size: self.access.size,
            first,
            any,
        };
        let found = self.prepared.common.tables.requests(self.gpu, question, &times);
        (found, assumed)
    }

    /// The distances of all threads as numbers, warp by warp where there may be more than one kind of warp.
    fn by_thread(&self, address: &LaneAddress<'_>) -> Option<Coalescing> {
        let (size, any) = (self.access.size, address.start(None, self.lanes));
        let per_warp = u64::from(self.lanes) * u64::from(self.mapping.chunk);
        let iterations = self.mapping.iterations(self.values);
        let warps = iterations.map(|all| all.div_ceil(per_warp).max(1));
        let of_warp = |warp: u64| {
            // The last warp has what is left.
            let left = iterations.map_or(per_warp, |all| all.saturating_sub(warp * per_warp));
            let lanes = left
                .div_ceil(u64::from(self.mapping.chunk))
                .clamp(1, u64::from(self.lanes));
            let offsets = address.offsets(warp * per_warp, u32::try_from(lanes).unwrap_or(self.lanes))?;
            let own = address.start(Some(warp * per_warp), self.lanes);
            let first = Start { multiple: 0, ..own };
            let any = if warps.is_some() { own } else { any };
            let found = requests::of_offsets(self.gpu, &offsets, size, first, any);
            Some((offsets, found))
        };
        let (offsets, first) = of_warp(0)?;
        let uniform = offsets.iter().all(|offset| *offset == 0);
        let mut requests = first;
        let counted = warps.unwrap_or(WARPS).min(WARPS);
        let mut known = warps.is_some_and(|warps| warps <= WARPS);
        for warp in 1..counted {
            match of_warp(warp) {
                Some((offsets, next)) if offsets.len() < self.lanes as usize => {
                    requests = requests.at_worst(&next);
                }
                Some((_, next)) => requests = requests.widened(&next),
                None => {
                    known = false;
                    break;
                }
            }
        }
        if !known {
            // Of the warps that were not looked at nothing is said but what no warp exceeds.
            let (least, most) = (requests::LEAST, requests::most(self.gpu, self.lanes, size));
            requests = requests.widened(&Requests::numbers(most, least, most));
        }
        Some(Coalescing {
            pattern: if uniform {
                Pattern::Uniform
            } else {
                Pattern::Scattered
            },
            stride: None,
            requests,
            in_part: false,
            usual_warp: None,
            straddles: false,
            assumed: self.shorter_rows(),
        })
    }

    /// That a loop takes what is left of the first warp's iterations where it is not known how many it has, as [`Mapping::counters`] has it: of the
    /// innermost that a row has those of a warp. What is proved is left out.
    fn shorter_rows(&self) -> Vec<Condition> {
        let mut left = u64::from(self.gpu.warp) * u64::from(self.mapping.chunk);
        let mut assumed = Vec::new();
        let loops: Vec<_> = self.mapping.loops(self.values).collect();
        for of in loops.into_iter().skip(1).rev() {
            match (trip(self.values, of), &of.trip) {
                (Some(count), _) => left = left.div_ceil(count.max(1)),
                (None, Ok(count)) => {
                    let enough = Condition::less_equal(&Expr::int(i128::from(left)), count);
                    if !self.access.facts.prove(&enough) {
                        assumed.push(enough);
                    }
                    break;
                }
                (None, Err(_)) => break,
            }
        }
        assumed
    }

    /// The threads of a warp that begins with a row and go along it: not all where it is known to be too short.
    fn threads_of_a_row(&self) -> u32 {
        let innermost = self.mapping.loops(self.values).next_back();
        let row = innermost.and_then(|of| trip(self.values, of));
        let threads = row.map(|row| row.max(1).div_ceil(u64::from(self.mapping.chunk)));
        threads
            .and_then(|threads| u32::try_from(threads).ok())
            .map_or(self.lanes, |threads| threads.min(self.lanes))
    }

    /// So many rows in the first warp, and one more where a warp begins inside of one: not more than each by itself.
    fn in_several_rows(&self, one: &Requests, rows: u32) -> Requests {
        let most = requests::most(self.gpu, self.lanes, self.access.size);
        let all = |amount: &Amount, most: u64| {
            let times = |rows: u32| {
                let sum = amount.worst.scale(&Integer::from(i128::from(rows)));
                Expr::min(&Expr::int(i128::from(most)), &sum)
            };
            Amount {
                usual: times(rows),
                best: Expr::min(&amount.best, &Expr::one()),
                worst: times(rows + 1),
            }
        };
        Requests {
            sectors: all(&one.sectors, most.sectors),
            lines: all(&one.lines, most.lines),
            exact: false,
        }
    }

    /// The worst case with some threads in one row and the others in the next.
    fn in_two_rows(&self, one: &Requests) -> Requests {
        let most = requests::most(self.gpu, self.lanes, self.access.size);
        let tables = &self.prepared.common.tables;
        let both = |amount: &Amount, most: u64| Amount {
            worst: tables.at_most(most, &(&amount.worst + &amount.worst)),
            // Rows may lie over one another.
            best: tables.at_most(1, &amount.best),
            usual: amount.usual.clone(),
        };
        Requests {
            sectors: both(&one.sectors, most.sectors),
            lines: both(&one.lines, most.lines),
            // Of rows that are long enough, which is assumed, the first warp lies in one.
            exact: one.exact,
        }
    }

    fn pattern(&self, stride: &Expr) -> Pattern {
        if stride.is_zero() {
            return Pattern::Uniform;
        }
        let Some(bytes) = number(stride).map(i128::unsigned_abs) else {
            return Pattern::Strided;
        };
        if bytes == u128::from(self.access.size) {
            return Pattern::Unit;
        }
        let element = self
            .access
            .subscripts
            .last()
            .and_then(|last| number(last.stride.as_ref()?));
        let of_structure =
            bytes > u128::from(self.access.size) && element.map(i128::unsigned_abs) == Some(bytes);
        match of_structure {
            true => Pattern::Structures,
            false => Pattern::Strided,
        }
    }

    /// Where some threads touch is not known: from all at one place to each at its own, but not more than the object has.
    fn irregular(&self, cause: Cause) -> Coalescing {
        let most = requests::most(self.gpu, self.lanes, self.access.size);
        let extent = self.access.root.and_then(|root| {
            let extent = self.values.extents.get(&root)?;
            let fixed = matches!(
                self.values.symbols.info(root).kind,
                SymbolKind::Address(_) | SymbolKind::Allocated(_)
            );
            number(&known(self.values, &self.access.facts, extent)).filter(|_| fixed)
        });
        let most = match extent.and_then(|extent| u64::try_from(extent).ok()) {
            Some(extent) => most.min(Blocks {
                sectors: self.base.pieces(extent, self.gpu.sector),
                lines: self.base.pieces(extent, self.gpu.line),
            }),
            None => most,
        };
        Coalescing {
            pattern: Pattern::Irregular(cause),
            stride: None,
            requests: Requests::numbers(most, requests::LEAST, most).bounded(),
            in_part: false,
            usual_warp: None,
            straddles: false,
            assumed: Vec::new(),
        }
    }
}
