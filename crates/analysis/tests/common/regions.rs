//! Do the regions of loops hold in a run? An observer that notes every byte that an execution of a loop reads, writes,
//! reads before it writes it, and leaves to those who read later, and compares that with the sets, evaluated with the values of the symbols before the
//! loop.
//!
//! An upper bound is asked for every touched element; a lower bound, and an exact one, for all points in a box a
//! little larger than what was touched (of large boxes, a part).

use super::behind::{Pointers, around, explanations, pointers, table_of};
use super::bindings::{Bindings, Moment};
use super::left::Dead;
use super::watching::{Complaints, Places, Stack, counts, follows_by_name, kind_of, places};
use super::{Analysed, assigned_first};
use ferry_analysis::regions::{Family, Part, RegionSet, Regions, Touch, View};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::value::Values;
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Observer, Site, View as Now};
use ferry_ir::{FunctionRef, StmtId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::set::Set;
use ferry_symbolic::{Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Executions of one loop that are followed: the first ones, and then fewer and fewer.
const FIRST: u64 = 2;

/// Most points of a box that are asked for.
const POINTS: usize = 400;

/// Most touched elements of one object and execution that are looked for.
const TOUCHED: usize = 400;

/// Accesses of one execution of a loop that are followed; of longer ones nothing is said.
const ACCESSES: usize = 20_000;

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Executions of loops.
        pub executions: u64,
        /// Regions of one object in one execution.
        pub regions: u64,
        /// Of these, exact ones.
        pub exact: u64,
        /// Regions that mention symbols without a known value, or of objects without a known place.
        pub skipped: u64,
        /// Touched elements that were looked for in upper bounds.
        pub touched: u64,
        /// Points of lower bounds that were looked for in what was touched.
        pub certain: u64,
        /// Bytes that were written and are said to be read by nobody.
        pub dead: u64,
    }
}

/// A quick hash of addresses.
#[derive(Clone, Default)]
struct Quick(u64);

impl std::hash::BuildHasher for Quick {
    type Hasher = Quick;
    fn build_hasher(&self) -> Quick {
        Quick(0)
    }
}

impl std::hash::Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(26);
    }
}

/// What was touched through one root: offsets of first bytes, with sizes.
#[derive(Default)]
struct ByRoot {
    read: BTreeSet<(i128, u64)>,
    write: BTreeSet<(i128, u64)>,
    exposed: BTreeSet<(i128, u64)>,
}

impl ByRoot {
    /// What the region with this number is about.
    fn of(&self, which: usize) -> &BTreeSet<(i128, u64)> {
        match which {
            0 => &self.read,
            1 => &self.write,
            _ => &self.exposed,
        }
    }
}

struct Running {
    key: LoopKey,
    iterations: u64,
    bindings: Option<Bindings>,
    objects: BTreeMap<Symbol, ByRoot>,
    /// What was touched through pointers that have no value before the loop: addresses of first bytes, with sizes.
    through: BTreeMap<Symbol, ByRoot>,
    /// What is in the tables before the loop in which such pointers are found.
    tables: BTreeMap<Symbol, Pointers>,
    /// Bytes that were written in a way that belongs to no one root (a library function).
    unnamed: HashSet<u64, Quick>,
    read: HashSet<u64, Quick>,
    written: HashSet<u64, Quick>,
    exposed: HashSet<u64, Quick>,
    accesses: usize,
}

impl Running {
    /// Addresses of the bytes that the region with this number is about.
    fn bytes(&self, which: usize) -> &HashSet<u64, Quick> {
        match which {
            0 => &self.read,
            1 => &self.written,
            _ => &self.exposed,
        }
    }
}

struct Frame {
    unit: u32,
    function: FunctionRef,
    loops: Vec<Running>,
    bindings: Bindings,
}

/// Judges one run.
pub struct Judge<'a> {
    program: &'a Analysed,
    regions: BTreeMap<(u32, FunctionRef), Regions<'a>>,
    places: Places,
    /// Variables that the first part of a loop assigns, and whether it touches memory.
    first_parts: HashMap<LoopKey, (BTreeSet<VariableRef>, bool)>,
    entered: HashMap<LoopKey, (u64, u64)>,
    /// The regions of the loops that were judged.
    found: HashMap<LoopKey, Option<RegionSet>>,
    /// Their OUT regions.
    left: HashMap<LoopKey, Option<Touch>>,
    /// What is in none of these, and who says so: the loop, and the object by which it was written.
    dead: Dead<(LoopKey, Symbol), Quick>,
    frames: Vec<Frame>,
    stack: Stack,
    pub counts: Counts,
    pub complaints: Complaints,
}

impl<'a> Judge<'a> {
    /// Computes all regions of the functions whose names are wanted; the loops of others are not judged.
    pub fn new(program: &'a Analysed, wanted: fn(&str) -> bool) -> Judge<'a> {
        let mut regions = BTreeMap::new();
        for ((unit, function), facts) in &program.facts {
            let own = &program.units[*unit as usize];
            if !wanted(&own.function(*function).name) {
                continue;
            }
            let all = Regions::of_function(own, *function, &program.effects[*unit as usize], &facts.values);
            regions.insert((*unit, *function), all);
        }
        let mut first_parts = HashMap::new();
        for (key, (facts, _)) in program.loops() {
            let statements = program.loop_statements(key.unit, key.function);
            let Some(inner) = statements.get(&key.statement) else {
                continue;
            };
            let mut inside = BTreeSet::new();
            for stmt in &inner.init {
                stmt.walk(&mut |stmt| {
                    inside.insert(stmt.id);
                });
            }
            let accesses = &facts.values.accesses;
            let touches = accesses.iter().any(|access| inside.contains(&access.stmt));
            first_parts.insert(key, (assigned_first(inner), touches));
        }
        Judge {
            program,
            regions,
            places: places(program),
            first_parts,
            entered: HashMap::new(),
            found: HashMap::new(),
            left: HashMap::new(),
            dead: Dead::default(),
            frames: Vec::new(),
            stack: Stack::default(),
            counts: Counts::default(),
            complaints: Complaints::default(),
        }
    }

    /// The regions of a function.
    pub fn regions(&self, unit: u32, function: FunctionRef) -> Option<&Regions<'a>> {
        self.regions.get(&(unit, function))
    }

    fn complain(&mut self, what: &str, at: Origin, detail: String) {
        let place = self.program.place(at);
        self.complaints
            .add(format!("{what} {place}"), format!("{what}: {place}: {detail}"));
    }

    fn enter(&mut self, key: LoopKey, view: &Now<'_>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let mut result = Running {
            key,
            iterations: 0,
            bindings: None,
            objects: BTreeMap::new(),
            through: BTreeMap::new(),
            tables: BTreeMap::new(),
            unnamed: HashSet::default(),
            read: HashSet::default(),
            written: HashSet::default(),
            exposed: HashSet::default(),
            accesses: 0,
        };
        let (number, next) = self.entered.entry(key).or_default();
        *number += 1;
        let wanted = *number <= FIRST || *number > *next;
        let facts = self.program.facts.get(&(key.unit, key.function));
        let of = facts.and_then(|facts| facts.values.loops.iter().find(|of| of.stmt == key.statement));
        let (Some(facts), Some(of), true) = (facts, of, wanted) else {
            frame.loops.push(result);
            return;
        };
        *next = *number + *number / 2;
        let mut running: Vec<StmtId> = frame.loops.iter().map(|one| one.key.statement).collect();
        running.push(key.statement);
        let outer = frame.loops.last().and_then(|outer| outer.bindings.clone());
        let mut bindings = outer.unwrap_or_else(|| frame.bindings.clone());
        for outer in &frame.loops {
            let of = facts
                .values
                .loops
                .iter()
                .find(|of| of.stmt == outer.key.statement);
            if let Some(of) = of {
                bindings.next_iteration(facts, of.stmt);
            }
        }
        for outer in &frame.loops {
            let of = facts
                .values
                .loops
                .iter()
                .find(|of| of.stmt == outer.key.statement);
            if let Some(of) = of {
                bindings.set(of.counter, i128::from(outer.iterations) - 1);
            }
        }
        let nothing = BTreeSet::new();
        let changed = self
            .first_parts
            .get(&key)
            .map_or(&nothing, |(changed, _)| changed);
        let unit = &self.program.units[key.unit as usize];
        bindings.bind(&Moment {
            unit,
            facts,
            of,
            running: &running,
            changed,
            view,
        });
        let jumps = !unit.function(key.function).labels.is_empty();
        if frame.loops.is_empty() && !jumps {
            frame.bindings = bindings.clone();
            frame.bindings.next_iteration(facts, of.stmt);
        }
        let regions = self.regions.get(&(key.unit, key.function));
        let own = self
            .found
            .entry(key)
            .or_insert_with(|| regions.and_then(|regions| regions.of(key.statement)));
        for touch in own.iter().flat_map(|own| [&own.read, &own.write, &own.in_]) {
            for family in touch.rows.keys() {
                if let Some(base) = bindings.get(family.table).and_then(|base| base.to_i128()) {
                    let now = || pointers(base, view);
                    if let std::collections::btree_map::Entry::Vacant(entry) =
                        result.tables.entry(family.table)
                        && let Some(now) = now()
                    {
                        entry.insert(now);
                    }
                }
            }
        }
        result.bindings = Some(bindings);
        frame.loops.push(result);
        self.counts.executions += 1;
    }

    fn exit(&mut self, key: LoopKey, view: &Now<'_>) {
        let Some(running) = self.frames.last_mut().and_then(|frame| frame.loops.pop()) else {
            return;
        };
        if running.bindings.is_none() || running.accesses > ACCESSES {
            return;
        }
        let program = self.program;
        let Some(facts) = program.facts.get(&(key.unit, key.function)) else {
            return;
        };
        let mut wrong: Vec<(String, Origin, String)> = Vec::new();
        let mut counts = Counts::default();
        self.bury(key, &running, view);
        {
            let Some(regions) = self.regions.get(&(key.unit, key.function)) else {
                return;
            };
            let Some(Some(own)) = self.found.get(&key) else {
                return;
            };
            let of = facts.values.loops.iter().find(|of| of.stmt == key.statement);
            let Some(at) = of.map(|of| of.origin) else { return };
            let names = ["READ", "WRITE", "IN"];
            for (which, touch) in [&own.read, &own.write, &own.in_].into_iter().enumerate() {
                let check = Check {
                    facts: &facts.values.symbols,
                    regions,
                    running: &running,
                    which,
                    first_part: self.first_parts.get(&key).is_some_and(|(_, touches)| *touches),
                };
                let mut say = |what: &str, detail: String| {
                    wrong.push((format!("{} {what}", names[which]), at, detail));
                };
                check.touch(touch, &mut counts, &mut say);
                check.rows(touch, &facts.values, &mut counts, &mut say);
            }
        }
        self.counts += counts;
        for (what, at, detail) in wrong {
            self.complain(&what, at, detail);
        }
    }
}

impl Judge<'_> {
    /// What an execution of a loop has written and its OUT region does not contain is dead.
    fn bury(&mut self, key: LoopKey, running: &Running, view: &Now<'_>) {
        let Some(regions) = self.regions.get(&(key.unit, key.function)) else {
            return;
        };
        let facts = &self.program.facts[&(key.unit, key.function)].values.symbols;
        let out = self.left.entry(key).or_insert_with(|| regions.out(key.statement));
        let Some(out) = out.as_ref().filter(|out| out.elsewhere.is_none()) else {
            return;
        };
        let check = Check {
            facts,
            regions,
            running,
            which: 1,
            first_part: false,
        };
        // Written through two pointers, it is enough that one of them keeps it.
        let mut kept: HashSet<u64, Quick> = running.unnamed.clone();
        let mut gone: Vec<(u64, u64, Symbol)> = Vec::new();
        let written_elsewhere = running.through.values().flat_map(|through| &through.write);
        for (first, size) in written_elsewhere {
            let first = u64::try_from(*first).unwrap_or(0);
            kept.extend(first..first + size);
        }
        for (root, object) in &running.objects {
            let (Some(own), Some(base)) = (regions.view(*root), check.number(*root)) else {
                continue;
            };
            for (offset, size) in &object.write {
                let Ok(first) = u64::try_from(base + offset) else {
                    continue;
                };
                let is_in = |part: &Part| match check.points(own, *offset, *size) {
                    Some(points) => points.iter().any(|point| {
                        let point: Vec<Integer> = point.iter().copied().map(Integer::from).collect();
                        part.may.contains(&point, &|symbol| check.value(symbol)) != Some(false)
                    }),
                    None => true,
                };
                if out.objects.get(root).is_some_and(is_in) {
                    kept.extend(first..first + size);
                } else if let Some((allocation, _)) = view.object_at(first) {
                    gone.extend((first..first + size).map(|byte| (byte, allocation, *root)));
                }
            }
        }
        for (byte, allocation, root) in gone {
            if !kept.contains(&byte) {
                self.counts.dead += 1;
                self.dead.claim(byte, allocation, (key, root));
            }
        }
    }
}

struct Check<'a> {
    facts: &'a ferry_analysis::symbols::Symbols,
    regions: &'a Regions<'a>,
    running: &'a Running,
    which: usize,
    first_part: bool,
}

impl Check<'_> {
    fn value(&self, symbol: Symbol) -> Option<Integer> {
        self.running.bindings.as_ref()?.get(symbol)
    }

    fn number(&self, symbol: Symbol) -> Option<i128> {
        self.value(symbol)?.to_i128()
    }

    fn touch(&self, touch: &Touch, counts: &mut Counts, say: &mut dyn FnMut(&str, String)) {
        let nothing = BTreeSet::new();
        let mut roots: BTreeSet<Symbol> = touch.objects.keys().copied().collect();
        roots.extend(self.running.objects.keys().copied());
        for root in roots {
            let Some(view) = self.regions.view(root) else {
                say("view", format!("{root:?} has none"));
                continue;
            };
            let own = self.running.objects.get(&root);
            let touched = own.map_or(&nothing, |own| own.of(self.which));
            let mut points: BTreeSet<Vec<i128>> = BTreeSet::new();
            let mut complete = true;
            for (offset, size) in touched {
                match self.points(view, *offset, *size) {
                    Some(own) => points.extend(own),
                    None => complete = false,
                }
            }
            let Some(part) = touch.objects.get(&root) else {
                if !points.is_empty() && touch.elsewhere.is_none() {
                    let kind = &self.facts.info(root).kind;
                    let own = matches!(kind, SymbolKind::Address(VariableRef::Local(_)));
                    // What an iteration allocates was not there before the loop.
                    let fresh = matches!(kind, SymbolKind::Allocated(_))
                        && self.facts.info(root).loops.contains(&self.running.key.statement);
                    let own = own || fresh;
                    if !own {
                        say(
                            "may",
                            format!("{kind:?} is not there, but {points:?} was touched"),
                        );
                    }
                }
                continue;
            };
            counts.regions += 1;
            if !complete {
                counts.skipped += 1;
                continue;
            }
            self.part(part, root, view, &points, counts, say);
        }
    }

    /// What was touched through pointers of tables.
    fn rows(&self, touch: &Touch, values: &Values, counts: &mut Counts, say: &mut dyn FnMut(&str, String)) {
        let of_root = |root: &Symbol| Some(self.running.through.get(root)?.of(self.which));
        for root in self.running.through.keys() {
            let family = table_of(values, *root).map(|table| Family { table, pointers: 1 });
            let known = family.is_some_and(|family| self.running.tables.contains_key(&family.table));
            if let (Some(family), true, Some(touched)) = (family, known, of_root(root))
                && !touched.is_empty()
                && touch.elsewhere.is_none()
                && !touch.objects.contains_key(root)
                && !touch.rows.contains_key(&family)
            {
                say(
                    "may",
                    format!("rows of {:?} are not there", self.facts.info(family.table).kind),
                );
            }
        }
        for (family, rows) in &touch.rows {
            counts.regions += 1;
            counts.exact += u64::from(rows.part.exact);
            let pointers = self
                .running
                .tables
                .get(&family.table)
                .filter(|_| family.pointers == 1);
            let Some(pointers) = pointers else {
                counts.skipped += 1;
                continue;
            };
            // What one pointer of the table points to for the whole loop is an object.
            let of_family = |root: &&Symbol| {
                !touch.objects.contains_key(root)
                    && table_of(values, **root) == Some(family.table)
                    && self.regions.view(**root) == Some(&rows.view)
            };
            let roots = self.running.through.keys().filter(of_family);
            let touched: BTreeSet<(i128, u64)> = roots.filter_map(of_root).flatten().copied().collect();
            let points = |offset: i128, size: u64| self.points(&rows.view, offset, size);
            let contains = |set: &Set, point: &[i128]| {
                let point: Vec<Integer> = point.iter().copied().map(Integer::from).collect();
                set.contains(&point, &|symbol| self.value(symbol))
            };
            for one in touched.iter().take(TOUCHED) {
                let may = &rows.part.may;
                let all = explanations(pointers, *one, &points);
                let mut unknown = false;
                let explained = all.iter().any(|all| {
                    all.iter().all(|point| {
                        let inside = contains(may, point);
                        unknown |= inside.is_none();
                        inside == Some(true)
                    })
                });
                if explained {
                    counts.touched += 1;
                } else if unknown || all.is_empty() || touch.elsewhere.is_some() {
                    // What is touched elsewhere may be a row, too.
                    counts.skipped += 1;
                } else {
                    say(
                        "may",
                        format!("rows: {one:?}, as any of {all:?}, is not in {may}"),
                    );
                    break;
                }
            }
            if self.first_part || !rows.part.apart.is_empty() || rows.part.must.is_plainly_empty() {
                continue;
            }
            let seen = self.running.bytes(self.which);
            let must = &rows.part.must;
            for point in around(pointers, &touched, &points, &rows.view) {
                if contains(must, &point) != Some(true) {
                    continue;
                }
                let number = |symbol| self.number(symbol);
                let (Some(pointer), Some((first, size))) =
                    (pointers.get(&point[0]), rows.view.bytes_of(&point[1..], &number))
                else {
                    continue;
                };
                counts.certain += 1;
                let all = (0..size).all(|byte| {
                    u64::try_from(pointer + first + i128::from(byte)).is_ok_and(|byte| seen.contains(&byte))
                });
                if !all {
                    say(
                        "must",
                        format!("rows: {point:?} was not touched, but is in {must}"),
                    );
                    break;
                }
            }
        }
    }

    fn part(
        &self,
        part: &Part,
        root: Symbol,
        view: &View,
        points: &BTreeSet<Vec<i128>>,
        counts: &mut Counts,
        say: &mut dyn FnMut(&str, String),
    ) {
        let value = |symbol| self.value(symbol);
        let integers =
            |point: &[i128]| -> Vec<Integer> { point.iter().copied().map(Integer::from).collect() };
        let kind = &self.facts.info(root).kind;
        let mut known = true;
        // Of very many a part.
        let every = points.len() / TOUCHED + 1;
        for point in points.iter().step_by(every).chain(points.last()) {
            match part.may.contains(&integers(point), &value) {
                Some(true) => counts.touched += 1,
                Some(false) => {
                    say("may", format!("{point:?} of {kind:?} is not in {}", part.may));
                    return;
                }
                None => known = false,
            }
        }
        if !known {
            counts.skipped += 1;
        }
        if part.exact {
            counts.exact += 1;
        }
        if self.first_part || self.overlaps(part) {
            return;
        }
        let Some(base) = self.number(root) else {
            counts.skipped += 1;
            return;
        };
        let seen = self.running.bytes(self.which);
        let mut sets = vec![("must", &part.must)];
        if part.exact {
            sets.push(("exact", &part.may));
        }
        for (name, set) in sets {
            if set.is_plainly_empty() {
                continue;
            }
            for point in box_around(points, view.dimensions()) {
                match set.contains(&integers(&point), &value) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => {
                        counts.skipped += 1;
                        break;
                    }
                }
                let Some((first, size)) = view.bytes_of(&point, &|symbol| self.number(symbol)) else {
                    continue;
                };
                counts.certain += 1;
                let all = (0..size).all(|byte| {
                    u64::try_from(base + first + i128::from(byte)).is_ok_and(|byte| seen.contains(&byte))
                });
                if !all {
                    say(
                        name,
                        format!("{point:?} of {kind:?} was not touched, but is in {set}"),
                    );
                    return;
                }
            }
        }
    }

    /// True if a root that was taken to be other storage is not.
    fn overlaps(&self, part: &Part) -> bool {
        let unnamed = || {
            self.running
                .unnamed
                .iter()
                .any(|byte| self.running.read.contains(byte))
        };
        if !part.apart.is_empty() && unnamed() {
            return true;
        }
        part.apart.iter().any(|other| {
            // A pointer that is loaded inside the loop has no value here: where it led is not known.
            let Some(base) = self.number(*other) else {
                return true;
            };
            let Some(own) = self.running.objects.get(other) else {
                return false;
            };
            own.write.iter().any(|(offset, size)| {
                (0..*size).any(|byte| {
                    let at = base + offset + i128::from(byte);
                    u64::try_from(at).is_ok_and(|at| self.running.read.contains(&at))
                })
            })
        })
    }

    /// The points of the bytes from an offset on.
    fn points(&self, view: &View, offset: i128, size: u64) -> Option<Vec<Vec<i128>>> {
        let mut found = Vec::new();
        let origin = view.origin.evaluate(&|symbol| self.value(symbol))?.to_i128()?;
        let mut at = offset - origin;
        let end = at + i128::from(size);
        while at < end {
            let mut rest = at;
            let mut point = Vec::new();
            for stride in &view.strides {
                let stride = stride.evaluate(&|symbol| self.value(symbol))?.to_i128()?;
                if stride <= 0 {
                    return None;
                }
                point.push(rest.div_euclid(stride));
                rest = rest.rem_euclid(stride);
            }
            if view.bytes {
                point.push(rest);
                at += 1;
            } else {
                at += i128::from(view.element.max(1)) - if view.strides.is_empty() { 0 } else { rest };
            }
            found.push(point);
            if found.len() > POINTS {
                return None;
            }
        }
        Some(found)
    }
}

/// The points around these, a part of them if there are many.
pub fn box_around(points: &BTreeSet<Vec<i128>>, dimensions: usize) -> Vec<Vec<i128>> {
    let mut all: Vec<Vec<i128>> = vec![Vec::new()];
    for at in 0..dimensions {
        let low = points.iter().map(|point| point[at]).min().unwrap_or(0) - 3;
        let high = points.iter().map(|point| point[at]).max().unwrap_or(4) + 3;
        let width = (POINTS as f64).powf(1.0 / dimensions as f64) as i128;
        let step = ((high - low) / width.max(1)).max(1);
        let values: BTreeSet<i128> = (low..=high)
            .filter(|value| (value - low) % step == 0 || value - low < 6 || high - value < 6)
            .collect();
        all = all
            .iter()
            .flat_map(|point| {
                values.iter().map(move |value| {
                    let mut point = point.clone();
                    point.push(*value);
                    point
                })
            })
            .collect();
    }
    all
}

impl Observer for Judge<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        if follows_by_name(self.program, access.object) {
            return;
        }
        if let Some((key, root)) = self.dead.access(access) {
            let facts = &self.program.facts[&(key.unit, key.function)].values;
            let of = facts.loops.iter().find(|of| of.stmt == key.statement);
            let kind = format!("{:?}", facts.symbols.info(root).kind);
            let place = self.program.place(access.at.origin);
            if let Some(at) = of.map(|of| of.origin) {
                self.complain("OUT may", at, format!("{kind} is read at {place}, and not in it"));
            }
        }
        let write = access.kind == interpret::AccessKind::Write;
        // In the functions around it happens at the call.
        let calls: Vec<StmtId> = self.stack.callers().map(|(_, _, _, call)| call).collect();
        for (number, frame) in self.frames.iter_mut().enumerate() {
            let followed = |running: &Running| running.bindings.is_some() && running.accesses <= ACCESSES;
            if !frame.loops.iter().any(followed) {
                continue;
            }
            let at = calls.get(number).copied().unwrap_or(access.at.statement);
            let key = (frame.unit, frame.function, at, access.at.origin, kind_of(access));
            let mut roots: Vec<Symbol> = Vec::new();
            if let Some(numbers) = self.places.get(&key) {
                let accesses = &self.program.facts[&(frame.unit, frame.function)].values.accesses;
                roots.extend(numbers.iter().filter_map(|number| accesses[*number].root));
                roots.sort_unstable();
                roots.dedup();
            }
            for running in &mut frame.loops {
                let Some(bindings) = &running.bindings else {
                    continue;
                };
                running.accesses += 1;
                if running.accesses > ACCESSES {
                    continue;
                }
                let bytes = access.address..access.address + access.size;
                let mut exposed = Vec::new();
                for byte in bytes {
                    if write {
                        running.written.insert(byte);
                    } else {
                        running.read.insert(byte);
                        if !running.written.contains(&byte) {
                            running.exposed.insert(byte);
                            exposed.push(byte - access.address);
                        }
                    }
                }
                // Which of several it is cannot be said.
                let [root] = roots.as_slice() else {
                    if write {
                        running
                            .unnamed
                            .extend(access.address..access.address + access.size);
                    }
                    continue;
                };
                let facts = &self.program.facts[&(frame.unit, frame.function)];
                let (objects, low) = match &facts.values.symbols.info(*root).kind {
                    SymbolKind::Address(_) | SymbolKind::Allocated(_) => {
                        (&mut running.objects, i128::from(access.offset))
                    }
                    _ => match bindings.get(*root).and_then(|root| root.to_i128()) {
                        Some(root) => (&mut running.objects, i128::from(access.address) - root),
                        None => (&mut running.through, i128::from(access.address)),
                    },
                };
                let object = objects.entry(*root).or_default();
                let touched = (low, access.size);
                if write {
                    object.write.insert(touched);
                } else {
                    object.read.insert(touched);
                    let regions = self.regions.get(&(frame.unit, frame.function));
                    let view = regions.and_then(|regions| regions.view(*root));
                    // Of a structure that is copied as a whole only some bytes may come from before: members, or what is between them.
                    if view.is_some_and(|view| view.bytes || view.element == 1) {
                        let bytes = exposed.iter().map(|byte| (low + i128::from(*byte), 1));
                        object.exposed.extend(bytes);
                    } else if !exposed.is_empty() {
                        object.exposed.insert(touched);
                    }
                }
            }
        }
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &Now<'_>) {
        match event {
            LoopEvent::Enter => self.enter(key, view),
            LoopEvent::Body(number) => {
                let frame = self.frames.last_mut();
                if let Some(running) = frame.and_then(|frame| frame.loops.last_mut()) {
                    running.iterations = number + 1;
                }
            }
            LoopEvent::Exit => self.exit(key, view),
            _ => {}
        }
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.stack.call(unit, function, site);
        self.frames.push(Frame {
            unit,
            function,
            loops: Vec::new(),
            bindings: Bindings::default(),
        });
    }

    fn leave(&mut self, _unit: u32, _function: FunctionRef) {
        self.stack.leave();
        self.frames.pop();
    }
}
