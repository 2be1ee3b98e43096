//! Do warps touch as many sectors and lines as the analysis says? An observer that takes every loop nest of a program as if its outer loops ran in
//! parallel, puts the addresses of a run together warp by warp, and counts.
//!
//! Whether the loops may run in any order does not matter here: what thread touches what follows from the numbers of the iterations alone.

use super::Analysed;
use super::assigned_first;
use super::bindings::{Bindings, Moment};
use super::watching::{Complaints, Places, counts, follows_by_name, kind_of, places};
use ferry_analysis::access::Access;
use ferry_analysis::coalescing::{
    self, Amount, Answers, Coalescing, Common, LaneAddress, Mapping, Prepared, Start,
};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::value::Values;
use ferry_analysis::verdict::FunctionFacts;
use ferry_gpu::{Blocks, Bytes, Gpu};
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Observer, Site, View};
use ferry_ir::{FunctionRef, StmtId, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Executions of a nest that are followed.
const EXECUTIONS: u32 = 2;
/// Touches of one access that are kept in each of them.
const TOUCHES: usize = 2_000;

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Warps with all their threads.
        pub full: u64,
        /// Of these, with a count that was said exactly.
        pub exact: u64,
        /// Of these, with a count that is an interval.
        pub interval: u64,
        /// Warps some of whose threads took no part.
        pub in_part: u64,
        /// Of the intervals, those that are one number once it is known where the warp begins, which is then the right one.
        pub from_start: u64,
        /// First warps that take what is called usual.
        pub usual: u64,
        /// Of these, first warps that take less than what is called a bound.
        pub below: u64,
        /// Warps of which some threads took part, or at one of several objects, that take what is called usual.
        pub thinned: u64,
        /// Warps whose threads touch just the bytes that the slopes of a straight address say, counted from the first thread.
        pub followed: u64,
        /// Of these, warps that run iterations of two rows.
        pub crossing: u64,
        /// Of these, warps with fewer threads than fit.
        pub partial: u64,
        /// Of these, accesses in called functions.
        pub called: u64,
        /// Distances from thread to thread that are as the stride says.
        pub strides: u64,
        /// Warps whose count, with the storage moved elsewhere, lies in what is said of any beginning.
        pub moved: u64,
        /// Of these, those with more or less than is said of storage that begins on a line.
        pub beyond: u64,
        /// Warps that take the least and the most that is said, if their storage is moved everywhere.
        pub attained: u64,
        /// Warps that were left out because sizes are other than was assumed, or have no known value.
        pub skipped: u64,
    }
}

/// What is said of one access for one mapping and one GPU.
struct Claim {
    access: usize,
    /// How many threads a full warp has.
    threads: u64,
    found: Coalescing,
    /// The same wherever storage begins.
    any_base: Coalescing,
    /// Storage begins at multiples of these bytes.
    align: u64,
    /// Where the first warp is taken to begin.
    first: Option<Start>,
    /// The address is a straight line in the counters of all loops, so that nothing but where storage begins may leave the count open.
    affine: bool,
    /// Bytes from one iteration to the next of each loop that runs in parallel, outermost first, of such an address.
    slopes: Option<Vec<Expr>>,
    /// It happens in a called function.
    called: bool,
}

/// A nest whose outer loops run in parallel.
struct Nest<'a> {
    facts: &'a FunctionFacts,
    mapping: Mapping,
    /// For each GPU.
    claims: Vec<Vec<Claim>>,
    entered: u32,
}

/// Which threads meet: one access in the same iterations of all loops inside, for the so-many-th time there.
type Key = (usize, Vec<u64>, u32);

/// One execution of a nest.
struct Running {
    nest: usize,
    bindings: Bindings,
    touches: BTreeMap<Key, Vec<(Vec<u64>, i128, u64)>>,
    /// How often an access was made in the present iterations.
    repeated: HashMap<(usize, Vec<u64>), u32>,
    kept: HashMap<usize, usize>,
    /// Some touches were left out.
    cut: BTreeSet<usize>,
}

struct Frame {
    unit: u32,
    function: FunctionRef,
    /// The statement that called it.
    called_from: StmtId,
    /// The loops that run, with the number of the iteration.
    loops: Vec<(LoopKey, u64)>,
    running: Vec<Running>,
}

/// Judges one run.
pub struct Judge<'a> {
    program: &'a Analysed,
    gpus: &'a [Gpu],
    nests: Vec<Nest<'a>>,
    /// The nests that begin with a loop.
    by_loop: HashMap<LoopKey, Vec<usize>>,
    facts: HashMap<LoopKey, (&'a FunctionFacts, LoopIndex)>,
    places: Places,
    frames: Vec<Frame>,
    /// All accesses of a program, on all GPUs, share them.
    common: Rc<Common>,
    pub counts: Counts,
    pub complaints: Complaints,
}

impl<'a> Judge<'a> {
    /// All that is said of a program's nests on these GPUs.
    pub fn new(program: &'a Analysed, gpus: &'a [Gpu]) -> Judge<'a> {
        let mut judge = Judge {
            program,
            gpus,
            nests: Vec::new(),
            by_loop: HashMap::new(),
            facts: program.loops().into_iter().collect(),
            places: places(program),
            frames: Vec::new(),
            common: Rc::default(),
            counts: Counts::default(),
            complaints: Complaints::default(),
        };
        let all: Vec<_> = program.loops().into_iter().collect();
        for (key, (facts, index)) in all {
            let mut chains = vec![vec![index]];
            // Each inner loop whose number of iterations is the same in all of those around it, up to three together.
            for depth in 0..2 {
                let longer: Vec<Vec<LoopIndex>> = chains
                    .iter()
                    .filter(|chain| chain.len() == depth + 1)
                    .flat_map(|chain| inner(facts, chain))
                    .collect();
                chains.extend(longer);
            }
            for lanes in chains {
                judge.nest(key, facts, lanes);
            }
        }
        judge
    }

    fn nest(&mut self, key: LoopKey, facts: &'a FunctionFacts, lanes: Vec<LoopIndex>) {
        let innermost = *lanes.last().unwrap();
        let mapping = Mapping::of(lanes).unwrap();
        let types = &self.program.units[key.unit as usize].types;
        let claims = self.gpus.iter().map(|gpu| {
            let own = facts.values.accesses.iter().enumerate();
            let own = own.filter(|(_, access)| access.loops.contains(&innermost));
            // The first of several alternatives stands for all.
            let own = own.filter(|(_, access)| access.alternative() == 0);
            let answers = Answers::new(&facts.values, types, &mapping, gpu);
            let anywhere = Answers::of_any_base(&facts.values, types, &mapping, gpu);
            own.map(|(number, access)| {
                let counters = access
                    .loops
                    .iter()
                    .map(|index| facts.values.loops[index.0 as usize].counter);
                let straight = |address: &Expr| {
                    counters
                        .clone()
                        .all(|counter| address.linear_in(counter).is_some())
                };
                let address = LaneAddress::of(&facts.values, types, &mapping, access);
                let several = access.choice.as_ref().is_some_and(|choice| choice.of > 1);
                let known = address.is_ok() && !several;
                let affine = known
                    && access
                        .address
                        .as_ref()
                        .is_some_and(|address| straight(&facts.values.defined(address)));
                let slopes = address
                    .as_ref()
                    .ok()
                    .filter(|address| affine && !address.moves_between_rows());
                let slopes = slopes.and_then(|address| {
                    let loops = mapping.loops(&facts.values);
                    loops.map(|of| address.slope(of.counter)).collect()
                });
                let iterations = mapping.iterations(&facts.values);
                let prepared = Prepared::new(&facts.values, access, self.common.clone());
                // What accesses that are alike have in common is what each is told by itself.
                let (found, any_base) = (answers.of(&prepared), anywhere.of(&prepared));
                let alone = coalescing::of_access(&facts.values, types, &mapping, &prepared, gpu);
                assert_eq!(*found, alone, "{:?}", access.origin);
                let alone = coalescing::of_any_base(&facts.values, types, &mapping, &prepared, gpu);
                assert_eq!(*any_base, alone, "{:?}", access.origin);
                Claim {
                    threads: iterations.unwrap_or(u64::MAX).min(u64::from(gpu.warp)),
                    access: number,
                    first: address
                        .ok()
                        .filter(|_| !several)
                        .map(|address| address.start(Some(0), gpu.warp)),
                    found: Coalescing::clone(&found),
                    any_base: Coalescing::clone(&any_base),
                    align: types.align(access.ty),
                    affine,
                    slopes,
                    called: access.called.is_some(),
                }
            })
            .collect()
        });
        let nest = Nest {
            facts,
            claims: claims.collect(),
            mapping,
            entered: 0,
        };
        self.by_loop.entry(key).or_default().push(self.nests.len());
        self.nests.push(nest);
    }

    /// An access that happens in a statement of a function that runs, or in one that this statement calls.
    fn touch(&mut self, depth: usize, statement: StmtId, called: &[u64], access: &interpret::Access<'_>) {
        let frame = &mut self.frames[depth];
        if frame.running.is_empty() {
            return;
        }
        let key = (
            frame.unit,
            frame.function,
            statement,
            access.at.origin,
            kind_of(access),
        );
        let Some(numbers) = self.places.get(&key) else {
            return;
        };
        let number = numbers[0];
        for running in &mut frame.running {
            let nest = &self.nests[running.nest];
            let values = &nest.facts.values;
            let own = &values.accesses[number];
            let innermost = *nest.mapping.lanes.last().unwrap();
            if !own.loops.contains(&innermost) || own.summary.is_some() {
                continue;
            }
            let kept = running.kept.entry(number).or_default();
            if *kept >= TOUCHES {
                running.cut.insert(number);
                continue;
            }
            let alternatives: Vec<_> = numbers.iter().map(|number| &values.accesses[*number]).collect();
            let several = own
                .choice
                .as_ref()
                .is_some_and(|choice| choice.of == numbers.len());
            if !several && numbers.len() > 1 {
                continue;
            }
            let found = match several && numbers.len() > 1 {
                true => start_at_one_of(values, &running.bindings, &alternatives, access),
                false => start_at(values, &running.bindings, own, access),
            };
            let Some(start) = found else { continue };
            let is_lane = |key: &LoopKey| nest.mapping.loops(values).any(|of| of.stmt == key.statement);
            let digits: Vec<u64> = frame
                .loops
                .iter()
                .filter(|(key, _)| is_lane(key))
                .map(|(_, number)| *number)
                .collect();
            let outer = nest.mapping.loops(values).next().unwrap().stmt;
            let inside = frame.loops.iter().skip_while(|(key, _)| key.statement != outer);
            let inside: Vec<u64> = inside
                .filter(|(key, _)| !is_lane(key))
                .map(|(_, number)| *number)
                .chain(called.iter().copied())
                .collect();
            let mut exactly = digits.clone();
            exactly.extend(&inside);
            let times = running.repeated.entry((number, exactly)).or_default();
            *times += 1;
            *kept += 1;
            let group = running.touches.entry((number, inside, *times)).or_default();
            group.push((digits, start, access.size));
        }
    }

    fn enter(&mut self, key: LoopKey, view: &View<'_>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.loops.push((key, 0));
        let running: Vec<_> = frame.loops.iter().map(|(key, _)| key.statement).collect();
        let Some(numbers) = self.by_loop.get(&key) else {
            return;
        };
        for number in numbers {
            let nest = &mut self.nests[*number];
            nest.entered += 1;
            if nest.entered > EXECUTIONS {
                continue;
            }
            let outer = &nest.facts.values.loops[nest.mapping.lanes[0].0 as usize];
            let statements = self.program.loop_statements(key.unit, key.function);
            let changed: BTreeSet<VariableRef> = statements
                .get(&key.statement)
                .map(|inner| assigned_first(inner))
                .unwrap_or_default();
            let mut bindings = Bindings::default();
            for (around, iteration) in &frame.loops {
                if let Some((facts, index)) = self.facts.get(around)
                    && *around != key
                {
                    bindings.set(
                        facts.values.loops[index.0 as usize].counter,
                        i128::from(*iteration),
                    );
                }
            }
            bindings.bind(&Moment {
                unit: &self.program.units[key.unit as usize],
                facts: nest.facts,
                of: outer,
                running: &running,
                changed: &changed,
                view,
            });
            frame.running.push(Running {
                nest: *number,
                bindings,
                touches: BTreeMap::new(),
                repeated: HashMap::new(),
                kept: HashMap::new(),
                cut: BTreeSet::new(),
            });
        }
    }

    fn exit(&mut self, key: LoopKey) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.loops.pop();
        let own: Vec<usize> = self.by_loop.get(&key).cloned().unwrap_or_default();
        let (done, rest) = std::mem::take(&mut frame.running)
            .into_iter()
            .partition(|running: &Running| own.contains(&running.nest));
        frame.running = rest;
        let done: Vec<Running> = done;
        for running in done {
            self.judge(&running);
        }
    }

    fn judge(&mut self, running: &Running) {
        let nest = &self.nests[running.nest];
        // How many iterations each of the loops has: where that is not the same everywhere, the numbers are no mapping.
        let counts: Option<Vec<u64>> = nest
            .mapping
            .loops(&nest.facts.values)
            .map(|of| u64::try_from(running.bindings.evaluate(of.trip.as_ref().ok()?)?).ok())
            .collect();
        let mut wrong = Vec::new();
        let mut all = Counts::default();
        for (number, gpu) in self.gpus.iter().enumerate() {
            for claim in &nest.claims[number] {
                let groups = running
                    .touches
                    .iter()
                    .filter(|((access, _, _), _)| *access == claim.access);
                for (_, touched) in groups {
                    let Some(counts) = &counts else {
                        all.skipped += 1;
                        continue;
                    };
                    let mut warps: BTreeMap<u64, Vec<(u64, Bytes)>> = BTreeMap::new();
                    for (digits, start, size) in touched {
                        let thread = digits
                            .iter()
                            .zip(counts)
                            .fold(0, |all, (digit, count)| all * count + digit);
                        let bytes = Bytes {
                            start: *start,
                            size: *size,
                        };
                        warps
                            .entry(thread / u64::from(gpu.warp))
                            .or_default()
                            .push((thread, bytes));
                    }
                    if running.cut.contains(&claim.access) {
                        warps.pop_last();
                    }
                    for touched in warps.values() {
                        check(gpu, claim, running, counts, touched, &mut all, &mut |detail| {
                            wrong.push((claim.access, detail))
                        });
                    }
                }
            }
        }
        self.counts += all;
        for (access, detail) in wrong {
            let nest = &self.nests[running.nest];
            let at = nest.facts.values.accesses[access].origin;
            let place = self.program.place(at);
            let depth = nest.mapping.lanes.len();
            self.complaints.add(
                format!("{place} {depth}"),
                format!("{place}: {depth} loops: {detail}"),
            );
        }
    }
}

/// The inner loops by which a chain of loops can be made longer.
fn inner(facts: &FunctionFacts, chain: &[LoopIndex]) -> Vec<Vec<LoopIndex>> {
    let last = *chain.last().unwrap();
    let all = facts.values.loops.iter().enumerate();
    let inner = all.filter(|(_, of)| of.is_own() && of.parent == Some(last));
    let fixed = inner.filter(|(_, of)| {
        let around = chain
            .iter()
            .map(|index| facts.values.loops[index.0 as usize].stmt);
        let trip = of.trip.as_ref();
        trip.is_ok_and(|trip| {
            around
                .into_iter()
                .all(|stmt| facts.values.symbols.invariant_in(trip, stmt))
        })
    });
    fixed
        .map(|(number, _)| chain.iter().copied().chain([LoopIndex(number as u32)]).collect())
        .collect()
}

/// The first byte that is touched, counted from the root.
fn start_at(
    values: &Values,
    bindings: &Bindings,
    own: &Access,
    access: &interpret::Access<'_>,
) -> Option<i128> {
    let root = own.root?;
    match &values.symbols.info(root).kind {
        SymbolKind::Address(_) | SymbolKind::Allocated(_) => Some(i128::from(access.offset)),
        _ => Some(i128::from(access.address) - bindings.get(root)?.to_i128()?),
    }
}

/// The same through a pointer that is one of several: counted from the one that lies in the object that is touched, with objects far from each other.
fn start_at_one_of(
    values: &Values,
    bindings: &Bindings,
    alternatives: &[&Access],
    access: &interpret::Access<'_>,
) -> Option<i128> {
    let object = i128::from(access.allocation) << 40;
    let is_it = |own: &&&Access| match own.root.map(|root| &values.symbols.info(root).kind) {
        Some(SymbolKind::Address(_)) => {
            matches!(
                access.object,
                interpret::Object::Global(..) | interpret::Object::Local(..)
            )
        }
        Some(SymbolKind::Allocated(stmt)) => {
            matches!(access.object, interpret::Object::Heap(_, _, at) if at == *stmt)
        }
        _ => false,
    };
    if alternatives.iter().any(|own| is_it(&own)) {
        return Some(object + i128::from(access.offset));
    }
    // The first pointer behind where the object begins.
    let begin = i128::from(access.address) - i128::from(access.offset);
    let all: Option<Vec<i128>> = alternatives
        .iter()
        .filter(|own| {
            let root = own.root.map(|root| &values.symbols.info(root).kind);
            !matches!(root, Some(SymbolKind::Address(_) | SymbolKind::Allocated(_)))
        })
        .map(|own| bindings.get(own.root?)?.to_i128())
        .collect();
    let root = all?.into_iter().filter(|root| *root >= begin).min()?;
    Some(object + i128::from(access.address) - root)
}

fn check(
    gpu: &Gpu,
    claim: &Claim,
    running: &Running,
    counts: &[u64],
    touched: &[(u64, Bytes)],
    all: &mut Counts,
    say: &mut dyn FnMut(String),
) {
    let found = &claim.found;
    let holds = |condition: &ferry_symbolic::Condition| {
        condition.evaluate(&|symbol: Symbol| running.bindings.get(symbol))
    };
    if found
        .assumed
        .iter()
        .any(|condition| holds(condition) != Some(true))
    {
        all.skipped += 1;
        return;
    }
    let bytes: Vec<Bytes> = touched.iter().map(|(_, bytes)| *bytes).collect();
    let real = Blocks::of(gpu, &bytes);
    let value = |amount: &Expr| running.bindings.evaluate(amount);
    let ends = |amount: &Amount| Some((value(&amount.best)?, value(&amount.worst)?));
    let (Some(sectors), Some(lines)) = (ends(&found.requests.sectors), ends(&found.requests.lines)) else {
        all.skipped += 1;
        return;
    };
    let full = touched.len() as u64 == claim.threads;
    let said = format!(
        "{} .. {} sectors and {} .. {} lines",
        sectors.0, sectors.1, lines.0, lines.1
    );
    let inside =
        |(low, high): (i128, i128), real: u64| (!full || low <= i128::from(real)) && i128::from(real) <= high;
    if !inside(sectors, real.sectors) || !inside(lines, real.lines) {
        say(format!(
            "{said}, really {} and {} of {} threads ({:?}, {})",
            real.sectors,
            real.lines,
            touched.len(),
            found.pattern,
            touched[0].0
        ));
    }
    elsewhere(gpu, claim, running, touched, all, say);
    follow(gpu, claim, running, counts, touched, all, say);
    match full {
        true => {
            all.full += 1;
            match sectors.0 == sectors.1 && lines.0 == lines.1 {
                true => all.exact += 1,
                false => all.interval += 1,
            }
        }
        false => all.in_part += 1,
    }
    let usual = |amount: &Amount| value(&amount.usual);
    let said = (usual(&found.requests.sectors), usual(&found.requests.lines));
    let counted = (Some(i128::from(real.sectors)), Some(i128::from(real.lines)));
    // The warp that is told, if it begins where it is taken to begin.
    if let Some((first, byte)) = found.usual_warp {
        let warp = u64::from(gpu.warp);
        let begins = (touched[0].1.start - byte).rem_euclid(i128::from(gpu.line)) == 0;
        // All its threads have an iteration.
        let iterations: u64 = counts.iter().product();
        let goes_on = iterations >= first + claim.threads;
        if begins && goes_on && touched[0].0 / warp == first / warp {
            match said == counted {
                true => all.thinned += 1,
                false if !found.requests.exact && said.0 >= counted.0 && said.1 >= counted.1 => {
                    all.below += 1
                }
                false => say(format!(
                    "usual {said:?}, really {counted:?} of {} threads ({:?})",
                    touched.len(),
                    found.pattern
                )),
            }
        }
    }
    // The first warp, if it begins where it is taken to begin.
    let begins = claim.first.is_none_or(|first| {
        let line = i128::from(gpu.line);
        (touched[0].1.start - first.constant).rem_euclid(line) == 0
    });
    if full && begins && touched[0].0 == 0 && found.usual_warp.is_none() {
        match said == counted {
            true => all.usual += 1,
            false if !found.requests.exact && said.0 >= counted.0 && said.1 >= counted.1 => all.below += 1,
            false => say(format!(
                "usual {said:?}, really {counted:?} ({:?})",
                found.pattern
            )),
        }
    }
    // Neighbours in one row.
    let stride = found.stride.as_ref().and_then(value);
    let row = counts.last().copied().unwrap_or(1).max(1);
    let (first, start) = touched[0];
    if let Some(stride) = stride.filter(|_| full && first / row == touched[touched.len() - 1].0 / row) {
        let lanes = u32::try_from(touched.len()).unwrap();
        let counted = Blocks::strided(gpu, lanes, start.start, stride, start.size);
        match counted == real {
            true => all.from_start += 1,
            false => say(format!("{counted:?} from byte {}, really {real:?}", start.start)),
        }
    }
    if let Some(stride) = stride {
        for two in touched.windows(2) {
            let [(one, first), (two, second)] = two else {
                continue;
            };
            if two - one == 1 && two / row == one / row {
                all.strides += 1;
                if second.start - first.start != stride {
                    say(format!("stride {stride}, really {}", second.start - first.start));
                }
            }
        }
    } else if claim.affine {
        say(format!("no stride of a straight line: {:?}", found.pattern));
    }
}

/// Which bytes the threads touch where the address is a straight line in all counters: also in warps of two rows, and in the last one.
fn follow(
    gpu: &Gpu,
    claim: &Claim,
    running: &Running,
    counts: &[u64],
    touched: &[(u64, Bytes)],
    all: &mut Counts,
    say: &mut dyn FnMut(String),
) {
    let (first, start) = touched[0];
    let slopes = claim.slopes.as_ref().and_then(|slopes| {
        let slopes = slopes.iter().map(|slope| running.bindings.evaluate(slope));
        slopes.collect::<Option<Vec<i128>>>()
    });
    let Some(slopes) = slopes else { return };
    // The iterations of all loops, and how far they lead from the storage's first byte.
    let reached = |thread: u64| {
        let mut rest = thread;
        let levels = slopes.iter().zip(counts).rev();
        levels.fold(0, |all, (slope, count)| {
            let digit = rest % count.max(&1);
            rest /= count.max(&1);
            all + slope * i128::from(digit)
        })
    };
    let said: Vec<Bytes> = touched
        .iter()
        .map(|(thread, bytes)| Bytes {
            start: start.start + reached(*thread) - reached(first),
            size: bytes.size,
        })
        .collect();
    let real: Vec<Bytes> = touched.iter().map(|(_, bytes)| *bytes).collect();
    if Blocks::of(gpu, &said) != Blocks::of(gpu, &real) || said != real {
        say(format!("the slopes {slopes:?} say {said:?}, really {real:?}"));
        return;
    }
    let row = counts.last().copied().unwrap_or(1).max(1);
    all.followed += 1;
    all.crossing += u64::from(first / row != touched[touched.len() - 1].0 / row);
    all.partial += u64::from((touched.len() as u64) < claim.threads);
    all.called += u64::from(claim.called);
}

/// The same warp with the objects that it touches moved: they begin at any place that is aligned for their elements.
fn elsewhere(
    gpu: &Gpu,
    claim: &Claim,
    running: &Running,
    touched: &[(u64, Bytes)],
    all: &mut Counts,
    say: &mut dyn FnMut(String),
) {
    let full = touched.len() as u64 == claim.threads;
    let value = |amount: &Expr| running.bindings.evaluate(amount);
    let ends = |found: &Coalescing| {
        let pair = |amount: &Amount| Some((value(&amount.best)?, value(&amount.worst)?));
        Some([pair(&found.requests.sectors)?, pair(&found.requests.lines)?])
    };
    let (Some(said), Some(from_line)) = (ends(&claim.any_base), ends(&claim.found)) else {
        return;
    };
    let align = i128::from(claim.align);
    let moved_by = |places: &dyn Fn(i128) -> i128| {
        let moved: Vec<Bytes> = touched
            .iter()
            .map(|(_, bytes)| Bytes {
                start: bytes.start + places(bytes.start) * align,
                ..*bytes
            })
            .collect();
        let real = Blocks::of(gpu, &moved);
        [real.sectors, real.lines].map(i128::from)
    };
    let inside = |ends: [(i128, i128); 2], real: [i128; 2]| {
        let mut both = ends.into_iter().zip(real);
        both.all(|((low, high), real)| (!full || low <= real) && real <= high)
    };
    // Each of several objects is moved by itself; what is only bytes away from an object is not another one.
    let place = |start: i128| {
        let object = (start + (1 << 39)) >> 40;
        let mixed = (object as u64 ^ touched[0].0 ^ (claim.access as u64) << 32)
            .wrapping_add(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        i128::from(mixed >> 40)
    };
    let real = moved_by(&place);
    match inside(said, real) {
        true => all.moved += 1,
        false => say(format!(
            "wherever storage begins {said:?}, really {real:?} of {} threads ({:?})",
            touched.len(),
            claim.found.pattern
        )),
    }
    if !inside(from_line, real) {
        all.beyond += 1;
    }
    // Of neighbours in one row at a distance that is a number, both ends are what some beginning takes.
    let found = &claim.any_base;
    let is_number = found.stride.as_ref().and_then(coalescing::number).is_some();
    if !is_number
        || !full
        || found.in_part
        || found.straddles
        || found.usual_warp.is_some()
        || touched[0].0 != 0
    {
        return;
    }
    let line = i128::from(gpu.line);
    let everywhere: Vec<[i128; 2]> = (0..line).map(|places| moved_by(&|_| places)).collect();
    let least_and_most = |number: usize| {
        let figures = everywhere.iter().map(|real| real[number]);
        (figures.clone().min(), figures.max())
    };
    let really = [0, 1].map(least_and_most);
    match said.map(|(low, high)| (Some(low), Some(high))) == really {
        true => all.attained += 1,
        false => say(format!(
            "wherever storage begins {said:?}, really {really:?} ({:?})",
            found.pattern
        )),
    }
}

impl Observer for Judge<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        if follows_by_name(self.program, access.object) {
            return;
        }
        let Some(frame) = self.frames.last() else {
            return;
        };
        if (access.at.unit, access.at.function) != (frame.unit, Some(frame.function)) {
            return;
        }
        let mut statement = access.at.statement;
        // The iterations of loops in functions that are called.
        let mut called: Vec<u64> = Vec::new();
        for depth in (0..self.frames.len()).rev() {
            self.touch(depth, statement, &called, access);
            let frame = &self.frames[depth];
            statement = frame.called_from;
            called.splice(0..0, frame.loops.iter().map(|(_, number)| *number));
        }
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        match event {
            LoopEvent::Enter => self.enter(key, view),
            LoopEvent::Body(number) => {
                if let Some(frame) = self.frames.last_mut()
                    && let Some(last) = frame.loops.last_mut().filter(|(own, _)| *own == key)
                {
                    last.1 = number;
                }
            }
            LoopEvent::Test | LoopEvent::Step => {}
            LoopEvent::Exit => self.exit(key),
        }
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.frames.push(Frame {
            unit,
            function,
            called_from: site.statement,
            loops: Vec::new(),
            running: Vec::new(),
        });
    }

    fn leave(&mut self, _unit: u32, _function: FunctionRef) {
        self.frames.pop();
    }
}
