//! Does an iteration really read a variable that an earlier one wrote, at the two places that an obstacle names? An observer that remembers what depends on what in each
//! loop that has such an obstacle.
//!
//! Of the places where an iteration may write the variable one is named, the first in the text: that its value is the one that is read is asked only where it is the only one.

use super::Analysed;
use super::pairs::Named;
use super::watching::counts;
use ferry_analysis::verdict::Obstacle;
use ferry_ir::interpret::observers::{DependenceKind, Dependences, End, ObjectReport};
use ferry_ir::interpret::{self, LoopEvent, LoopKey, Object, Observer, Site, View};
use ferry_ir::{FunctionRef, Local, Place, Stmt, VariableKind, VariableRef};
use ferry_source::Origin;
use std::collections::HashMap;

counts! {
    /// How much was judged.
    pub struct Counts {
        /// Obstacles that name a variable, of loops that are marked sequential and ran.
        pub named: u64,
        /// Of these, those of which a run shows an earlier iteration's value at the place that is named.
        pub read: u64,
        /// Of these, those of which the value came from the other place that is named.
        pub both: u64,
        /// Those that are read by the loop's test, which the run counts to the iteration before: only that the loop reads and writes the variable is seen.
        pub tested: u64,
    }
}

struct Carried<'a> {
    variable: String,
    /// It is read by the loop's test.
    tested: bool,
    obstacle: &'a Obstacle,
}

/// Judges one run.
pub struct Judge<'a> {
    program: &'a Analysed,
    plans: HashMap<LoopKey, Vec<Carried<'a>>>,
    dependences: Dependences,
    pub counts: Counts,
}

/// The variable that an iteration reads and an earlier one wrote, if that is what the obstacle says.
fn variable(obstacle: &Obstacle) -> Option<&str> {
    let named = obstacle.cause.why.strip_prefix("an iteration reads ")?;
    let named = named.split_once(", which an earlier one wrote")?;
    Some(named.0)
}

/// What the front end made has no name that anyone knows.
fn is_called(local: &Local, name: &str) -> bool {
    match local.kind {
        VariableKind::Temporary => name == "a part of this expression",
        _ => local.name == name,
    }
}

fn inside(origin: Origin, of: Origin) -> bool {
    match (origin.span(), of.span()) {
        (Some(one), Some(two)) => one.file == two.file && two.start <= one.start && one.end <= two.end,
        _ => false,
    }
}

impl<'a> Judge<'a> {
    /// All loops that are marked sequential, and have an obstacle that is a variable.
    pub fn new(program: &'a Analysed) -> Judge<'a> {
        Judge::of(program, |marked| marked.starts_with("sequential"), true)
    }

    /// The same of all marked loops, and also what is not certain.
    pub fn of_all(program: &'a Analysed) -> Judge<'a> {
        Judge::of(program, |_| true, false)
    }

    fn of(program: &'a Analysed, wanted: impl Fn(&str) -> bool, only_proved: bool) -> Judge<'a> {
        let mut plans = HashMap::new();
        for (key, (facts, index)) in program.loops() {
            let keyword = facts.values.loops[index.0 as usize].keyword;
            let line = keyword.map(|span| program.line(span)).unwrap_or_default();
            let marked = line.split_once("// loop:").map(|(_, said)| said.trim());
            if !marked.is_some_and(&wanted) {
                continue;
            }
            let statements = program.loop_statements(key.unit, key.function);
            let of = statements.get(&key.statement);
            let test = of.and_then(|of| of.condition.as_ref().map(|test| test.origin));
            let obstacles = facts.verdicts[index.0 as usize].obstacles.iter();
            let carried: Vec<Carried<'a>> = obstacles
                .filter(|obstacle| obstacle.proved || !only_proved)
                .filter_map(|obstacle| {
                    let other = obstacle.other;
                    Some(Carried {
                        variable: variable(obstacle)?.to_owned(),
                        tested: test.zip(other).is_some_and(|(test, other)| inside(other, test)),
                        obstacle,
                    })
                })
                .collect();
            if !carried.is_empty() {
                plans.insert(key, carried);
            }
        }
        Judge {
            program,
            plans,
            dependences: Dependences::new(),
            counts: Counts::default(),
        }
    }

    /// The obstacles that the run does not show, with their places.
    pub fn finish(&mut self) -> Vec<String> {
        let mut wrong = Vec::new();
        for (key, carried) in &self.plans {
            if !self.dependences.loops.contains_key(key) {
                continue;
            }
            for one in carried {
                self.counts.named += 1;
                if one.tested
                    && self
                        .reports(*key, one)
                        .any(|report| report.read && report.written)
                {
                    self.counts.tested += 1;
                    continue;
                }
                let (read, both) = self.shown(*key, one);
                self.counts.read += u64::from(read);
                self.counts.both += u64::from(both);
                if !read || !both && self.writes(*key, &one.variable) == 1 {
                    wrong.push(format!(
                        "{}: {}",
                        self.program.place(one.obstacle.cause.at),
                        one.obstacle.cause.why
                    ));
                }
            }
        }
        wrong
    }

    /// The places where a variable is written and where it is read, of loops that ran.
    pub fn named(&self) -> Vec<Named> {
        let ran = self
            .plans
            .iter()
            .filter(|(key, _)| self.dependences.loops.contains_key(key));
        let all = ran.flat_map(|(key, carried)| carried.iter().map(move |one| (*key, one)));
        let pairs = all.filter_map(|(key, one)| {
            Some(Named {
                of: key,
                places: [one.obstacle.cause.at, one.obstacle.other?],
                // The test comes behind what the iteration has written: it is the next one's.
                met: match one.tested {
                    true => self.reports(key, one).any(|report| report.read && report.written),
                    false => self.shown(key, one).1,
                },
            })
        });
        pairs.collect()
    }

    /// What the run says of the objects that are the variable, in a loop.
    fn reports(&self, key: LoopKey, one: &Carried<'a>) -> impl Iterator<Item = &ObjectReport> {
        let function = self.program.units[key.unit as usize].function(key.function);
        let of_variable = move |object: &Object| match object {
            Object::Local(unit, of, local) => {
                (*unit, *of) == (key.unit, key.function) && is_called(function.local(*local), &one.variable)
            }
            _ => false,
        };
        let report = self.dependences.loops.get(&key).into_iter();
        let objects = report.flat_map(|report| &report.objects);
        objects
            .filter(move |(object, _)| of_variable(object))
            .map(|(_, report)| report)
    }

    /// Whether an iteration read the variable at the place that is named when an earlier one had written it, and whether that one had written it at the other place.
    fn shown(&self, key: LoopKey, one: &Carried<'a>) -> (bool, bool) {
        let flows: Vec<(End, End)> = self
            .reports(key, one)
            .flat_map(|report| report.dependences.keys())
            .filter(|(kind, ..)| *kind == DependenceKind::Flow)
            .map(|(_, from, to)| (*from, *to))
            .collect();
        let origin = |end: &End| self.dependences.sites.get(&end.site).map(|site| site.origin);
        let is_read_there = |to: &End| match one.obstacle.other {
            Some(other) => origin(to).is_some_and(|origin| origin.span() == other.span()),
            None => true,
        };
        let is_written_there =
            |from: &End| origin(from).is_some_and(|from| inside(from, one.obstacle.cause.at));
        let mut read = flows.iter().filter(|(_, to)| is_read_there(to)).peekable();
        (
            read.peek().is_some(),
            read.any(|(from, _)| is_written_there(from)),
        )
    }

    /// How many statements of a loop write a variable.
    fn writes(&self, key: LoopKey, name: &str) -> usize {
        let function = self.program.units[key.unit as usize].function(key.function);
        let mut found = 0;
        self.program
            .statements(key.unit, key.function, &mut |stmt: &Stmt| {
                if stmt.id == key.statement {
                    stmt.walk(&mut |inner| {
                        let written = inner.written_place().and_then(Place::as_variable);
                        let is_it = |variable| match variable {
                            VariableRef::Local(local) => is_called(function.local(local), name),
                            VariableRef::Global(_) => false,
                        };
                        found += usize::from(written.is_some_and(is_it));
                    });
                }
            });
        found
    }
}

impl Observer for Judge<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        self.dependences.access(access);
    }

    fn allocated(&mut self, allocation: u64, object: Object, size: u64) {
        self.dependences.allocated(allocation, object, size);
    }

    fn released(&mut self, allocation: u64) {
        self.dependences.released(allocation);
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        if self.plans.contains_key(&key) {
            self.dependences.loop_event(key, event, view);
        }
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.dependences.call(unit, function, site);
    }

    fn leave(&mut self, unit: u32, function: FunctionRef) {
        self.dependences.leave(unit, function);
    }
}
