//! What is to be reported about one unit?

use super::fitness;
use super::interned::Interned;
use super::kernel;
use super::model::{
    AccessReport, AtomicReport, CauseReport, DependenceReport, InductionReport, LoopReport, Place,
    ReductionReport, SectionReductionReport, Story, TestsReport,
};
use super::parameters;
use super::remedy;
use super::rows;
use super::scan;
use crate::assumptions;
use crate::names::Names;
use crate::paths;
use crate::planned::{self, Wishes};
use crate::sections;
use ferry_analysis::access::Access;
use ferry_analysis::dependence::{Counters, Direction, Outcome, Rung};
use ferry_analysis::effects::{Effects, linked::Outside};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::regions::Regions;
use ferry_analysis::rows::Other;
use ferry_analysis::symbols::Cause;
use ferry_analysis::verdict::{self, Dependence, FunctionFacts, Kind, Verdict};
use ferry_frontend::LoadedUnit;
use ferry_gpu::Gpu;
use ferry_ir::visit::Statements;
use ferry_ir::{LoopKind, StmtId, StmtKind, Unit, VariableRef};
use ferry_source::{FileId, Origin, Sources, Span};
use ferry_symbolic::Symbol;
use ferry_transform::plan::Plan;
use ferry_transform::reshape::{self, Mapped};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// The loops and accesses of one unit.
#[derive(Default)]
pub struct UnitReport {
    /// The loops.
    pub loops: Vec<LoopReport>,
    /// The accesses.
    pub accesses: Vec<AccessReport>,
}

/// Collects everything about one unit.
pub fn collect(
    loaded: &LoadedUnit,
    outside: &Outside,
    sources: &Sources,
    wishes: &Wishes,
    stories: bool,
    gpu: &Gpu,
) -> UnitReport {
    let mut report = UnitReport::default();
    let Ok(unit) = &loaded.unit else { return report };
    let effects = Effects::of_linked(unit, outside);
    let mut seen: BTreeSet<(FileId, u32)> = BTreeSet::new();
    let users = |file: FileId| is_users(unit, sources, file);
    planned::each(
        loaded,
        unit,
        &effects,
        sources,
        wishes,
        &|function| planned::is_in(function, &users),
        &mut |_, names, plan| {
            let facts = names.facts;
            let copies = ferry_transform::reread::fallbacks(unit, names.function);
            let context = names.context();
            let collector = Collector {
                names,
                plan: &plan,
                statements: Statements::of(names.function),
                copies,
                effects: &effects,
                regions: OnceCell::new(),
                stories,
                mapped: reshape::mapped(context),
                on_device: reshape::on_device(names.function),
                gpu,
            };
            for number in 0..facts.values.loops.len() {
                let index = LoopIndex(number as u32);
                let offloaded = match plan.offloaded.get(&index) {
                    Some(Ok(())) => Ok(()),
                    Some(Err(cause)) => Err(cause.why.clone()),
                    None => Err("it was not looked at".to_owned()),
                };
                let of = &facts.values.loops[number];
                if let Some(keyword) = of.keyword.filter(|_| of.is_own()) {
                    seen.insert((keyword.file, keyword.start));
                    report.loops.push(collector.one_loop(index, keyword, offloaded));
                }
            }
            for access in facts
                .values
                .accesses
                .iter()
                .filter(|access| !access.loops.is_empty() && access.called.is_none())
            {
                report.accesses.extend(collector.access(access));
            }
        },
    );
    unseen(unit, sources, &seen, &mut report);
    report
}

/// True for files that are not the system's.
fn is_users(unit: &Unit, sources: &Sources, file: FileId) -> bool {
    let path = sources.path(file);
    file == unit.file || !(path.starts_with("/usr") || path.starts_with("/opt"))
}

/// Loops of the text that are not in the program: the code around them was not understood, or can never run.
fn unseen(unit: &Unit, sources: &Sources, seen: &BTreeSet<(FileId, u32)>, report: &mut UnitReport) {
    let file = unit.file;
    let bytes = sources.bytes(file);
    let preprocessor = sources.preprocessor(file);
    for function in unit.functions.iter().filter(|function| function.body.is_some()) {
        let Some(span) = function.origin.span().filter(|span| span.file == file) else {
            continue;
        };
        let mut branches = BTreeSet::from([preprocessor.branch(span.start)]);
        let mut opaque: Vec<(Span, &str)> = Vec::new();
        if let Some(body) = &function.body {
            body.walk(&mut |stmt| {
                let Some(at) = stmt.origin.span().filter(|at| at.file == file) else {
                    return;
                };
                branches.insert(preprocessor.branch(at.start));
                if let StmtKind::Opaque { why, .. } = &stmt.kind {
                    opaque.push((at, why));
                }
            });
        }
        for keyword in scan::keywords(bytes, span.start..span.end, preprocessor, &branches) {
            if seen.contains(&(file, keyword.start)) {
                continue;
            }
            let at = Span {
                file,
                start: keyword.start,
                end: keyword.start + keyword.word.len() as u32,
            };
            let around = opaque
                .iter()
                .filter(|(span, _)| span.contains(at))
                .min_by_key(|(span, _)| span.end - span.start);
            let why = around.map_or("this code was not analysed", |(_, why)| why);
            let place = place_of(sources, at);
            report.loops.push(LoopReport {
                place: place.clone(),
                function: function.name.clone(),
                keyword: keyword.word,
                verdict: "unknown",
                condition: None,
                assumptions: Vec::new(),
                causes: vec![CauseReport {
                    message: why.to_owned(),
                    place,
                    other: None,
                    also: Vec::new(),
                    proved: false,
                    where_runs: Vec::new(),
                    dependences: Vec::new(),
                    remedy: None,
                }],
                trip_count: None,
                private: Vec::new(),
                lastprivate: Vec::new(),
                reductions: Vec::new(),
                atomics: Vec::new(),
                sections: Vec::new(),
                inductions: Vec::new(),
                parameters: None,
                fitness: None,
                kernel: None,
                remedy: None,
                tests: TestsReport::default(),
                whole: Some(at),
                story: None,
                inner: false,
                on_device: false,
                offloaded: false,
                reason: Some(why.to_owned()),
            });
        }
    }
}

/// The place of a span's first byte.
pub fn place_of(sources: &Sources, at: Span) -> Place {
    let (line, column) = sources.line_column(at.file, at.start);
    Place {
        file: sources.path(at.file).display().to_string(),
        line,
        column,
    }
}

/// How the accesses of a loop were tested.
fn tests(counters: &Counters) -> TestsReport {
    let mut report = TestsReport {
        asked: counters.asked(),
        undecided: counters.unknown,
        ..TestsReport::default()
    };
    for outcome in Outcome::ALL {
        report.pairs += counters.pairs(outcome);
        report.count(outcome_name(outcome), counters.pairs(outcome));
    }
    for rung in Rung::ALL {
        let (independent, dependent) = counters.decided(rung);
        report.count_questions(rung_name(rung), independent, dependent);
    }
    report
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Reduction => "reduction",
        Outcome::OtherStorage => "other_storage",
        Outcome::OverlapTest => "overlap_test",
        Outcome::Tests => "tests",
        Outcome::Rows => "rows",
        Outcome::Copies => "copies",
        Outcome::Atomic => "atomic",
        Outcome::Section => "section",
        Outcome::Condition => "condition",
        Outcome::Carried => "carried",
        Outcome::Open => "open",
    }
}

fn rung_name(rung: Rung) -> &'static str {
    match rung {
        Rung::Constant => "constant",
        Rung::Gcd => "common_divisor",
        Rung::StrongSiv => "single_variable",
        Rung::SymbolicSiv => "symbolic_coefficient",
        Rung::Subscript => "subscripts",
        Rung::Range => "ranges",
        Rung::Delinearised => "strides",
        Rung::Cases => "cases",
        Rung::Exact => "integer_sets",
    }
}

struct Collector<'a> {
    names: Names<'a>,
    plan: &'a Plan,
    statements: Statements<'a>,
    copies: Vec<Span>,
    effects: &'a Effects,
    /// Computed where rows of tables are asked for.
    regions: OnceCell<Regions<'a>>,
    /// Everything about each loop is told.
    stories: bool,
    /// The nests that run on a device by directives that are there.
    mapped: Vec<Mapped<'a>>,
    /// The loops that do, whether their iterations are shared or not.
    on_device: BTreeSet<StmtId>,
    gpu: &'a Gpu,
}

impl<'a> Collector<'a> {
    fn regions(&self) -> &Regions<'a> {
        self.regions.get_or_init(|| {
            let facts = self.names.facts;
            Regions::asked_for(self.names.unit, facts.function, self.effects, &facts.values)
        })
    }

    fn place(&self, at: Origin) -> Option<Place> {
        at.span().map(|span| place_of(self.names.sources, span))
    }

    fn facts(&self) -> &FunctionFacts {
        self.names.facts
    }

    fn one_loop(&self, index: LoopIndex, keyword: Span, offloaded: Result<(), String>) -> LoopReport {
        let of = &self.facts().values.loops[index.0 as usize];
        let stmt = self.statements.get(of.stmt);
        let verdict = &self.facts().verdicts[index.0 as usize];
        let place = place_of(self.names.sources, keyword);
        let names = |list: &ferry_analysis::scalar::Variables| -> Vec<String> {
            list.iter()
                .map(|variable| self.names.variable(*variable))
                .collect()
        };
        // What the front end made has no name, and last values have a list of their own.
        let is_private = |variable: &&VariableRef| {
            !self.names.is_made(**variable) && !verdict.last_private.contains(variable)
        };
        let private = verdict.private.iter().filter(is_private).copied().collect();
        let causes = verdict.obstacles.iter().map(|obstacle| CauseReport {
            message: obstacle.cause.why.clone(),
            place: self.place(obstacle.cause.at).unwrap_or_else(|| place.clone()),
            other: obstacle.other.and_then(|at| self.place(at)),
            also: obstacle.also.iter().filter_map(|at| self.place(*at)).collect(),
            proved: obstacle.proved,
            where_runs: obstacle.runs.iter().filter_map(|at| self.place(*at)).collect(),
            dependences: self.dependences(&obstacle.dependences, &place),
            remedy: obstacle
                .remedy
                .as_ref()
                .and_then(|one| remedy::of_obstacle(self.names, one)),
        });
        let mut offloaded = offloaded;
        if self.copies.iter().any(|copy| copy.contains(keyword)) {
            offloaded = Err("it runs where a condition that was written before does not hold".to_owned());
        }
        LoopReport {
            function: self.names.function.name.clone(),
            keyword: match stmt.map(|stmt| &stmt.kind) {
                Some(StmtKind::Loop(inner)) if inner.kind == LoopKind::While => "while",
                Some(StmtKind::Loop(inner)) if inner.kind == LoopKind::Do => "do",
                _ => "for",
            },
            verdict: match verdict.kind {
                Kind::Parallel | Kind::ParallelIf if !verdict.assuming.is_empty() => "parallel_assuming",
                Kind::Parallel => "parallel",
                Kind::ParallelIf => "parallel_if",
                Kind::Sequential => "sequential",
                Kind::Unknown => "unknown",
            },
            condition: (verdict.kind == Kind::ParallelIf).then(|| self.condition(index, verdict)),
            assumptions: match verdict.kind {
                Kind::Parallel | Kind::ParallelIf => assumptions::of_loop(self.names, index),
                _ => assumptions::of_other_loop(self.names),
            },
            causes: causes.collect(),
            trip_count: of
                .trip
                .as_ref()
                .ok()
                .map(|trip| self.names.value(trip, &of.before.facts)),
            private: names(&private),
            lastprivate: names(&verdict.last_private),
            reductions: verdict
                .reductions
                .iter()
                .map(|reduction| self.reduction(reduction))
                .collect(),
            atomics: verdict.atomics.iter().map(|object| self.atomic(object)).collect(),
            sections: verdict
                .sections
                .iter()
                .map(|section| self.section(index, section))
                .collect(),
            inductions: verdict
                .inductions
                .iter()
                .filter(|induction| !self.names.is_made(induction.variable))
                .map(|induction| InductionReport {
                    variable: self.names.variable(induction.variable),
                    start: self.names.value(&induction.start, &of.before.facts),
                    step: self.names.value(&induction.first_step, &of.before.facts),
                    growth: (induction.step().is_none())
                        .then(|| self.names.value(&induction.growth, &of.before.facts)),
                })
                .collect(),
            parameters: verdict.is_parallel().then(|| {
                let of_rows = || rows::of_loop(self.names, self.regions(), index);
                parameters::of_loop(self.names, &of_rows, index)
            }),
            fitness: stmt
                .filter(|_| verdict.is_free())
                .and_then(|stmt| fitness::of_loop(self.names, self.plan, stmt, index, &place)),
            kernel: stmt.and_then(|stmt| {
                let outermost =
                    verdict.is_free() && !self.is_inner(index) && !self.on_device.contains(&of.stmt);
                kernel::of_loop(
                    self.names,
                    self.plan,
                    &self.mapped,
                    stmt,
                    index,
                    outermost,
                    self.gpu,
                )
            }),
            remedy: remedy::of_condition(self.names, verdict)
                .or_else(|| remedy::of_atomics(self.names, verdict)),
            tests: tests(&verdict.counters),
            whole: of.origin.span().or(Some(keyword)),
            story: self.stories.then(|| self.story(index)),
            inner: self.is_inner(index),
            on_device: self.on_device.contains(&of.stmt),
            offloaded: offloaded.is_ok(),
            reason: offloaded.err(),
            place,
        }
    }

    /// The dependences of an obstacle, each once: several accesses may stand at one place.
    fn dependences(&self, all: &[Dependence], of: &Place) -> Vec<DependenceReport> {
        let mut found: Vec<DependenceReport> = Vec::new();
        let mut places: Interned<Origin, Place> = Interned::default();
        let mut vectors: Interned<&[Direction], Vec<String>> = Interned::default();
        let mut said = FxHashSet::default();
        for one in all {
            let mut place = |at: Origin| places.of(at, || self.place(at).unwrap_or_else(|| of.clone()));
            let (source, sink) = (place(one.source.1), place(one.sink.1));
            let text = || one.vector.iter().map(ToString::to_string).collect();
            let vector = vectors.of(&one.vector, text);
            if said.insert((one.kind, source.0, sink.0, vector.0)) {
                found.push(DependenceReport {
                    kind: one.kind.name(),
                    source: source.1,
                    sink: sink.1,
                    vector: vector.1,
                });
            }
        }
        found
    }

    /// What only the whole story of a loop tells.
    fn story(&self, index: LoopIndex) -> Story {
        let accesses = self.facts().values.accesses.iter();
        let own = accesses.filter(|access| access.loops.contains(&index) && access.called.is_none());
        Story {
            accesses: own
                .filter_map(|access| self.access_seen_from(access, index))
                .collect(),
        }
    }

    /// True for a loop inside of a parallel one that could be a kernel.
    fn is_inner(&self, index: LoopIndex) -> bool {
        let mut around = self.facts().values.enclosing(index).skip(1);
        around.any(|one| self.facts().verdicts[one.0 as usize].is_free())
    }

    fn reduction(&self, reduction: &verdict::Reduction) -> ReductionReport {
        let text = || self.names.text(reduction.at);
        let variable = reduction
            .variable
            .map(|variable| self.names.variable(variable))
            .or_else(text);
        ReductionReport {
            operator: reduction.op.spelling().to_owned(),
            variable: variable
                .or_else(|| reduction.root.map(|root| self.names.symbol(root)))
                .unwrap_or_else(|| "an element".to_owned()),
        }
    }

    fn atomic(&self, object: &verdict::Atomic) -> AtomicReport {
        AtomicReport {
            operator: object.how.spelling().to_owned(),
            object: match object.object {
                verdict::Object::Root(root) => self.names.object_of(object.at, root),
                verdict::Object::Variable(variable) => self.names.variable(variable),
            },
            updates: self.updates(&object.updates),
        }
    }

    fn section(&self, index: LoopIndex, section: &verdict::SectionReduction) -> SectionReductionReport {
        let accesses = self.facts().values.accesses.iter();
        let own =
            accesses.filter(|access| access.root == Some(section.root) && access.loops.contains(&index));
        let described = sections::of_object(self.names, own, section.root, index);
        SectionReductionReport {
            operator: section.op.spelling().to_owned(),
            object: self.names.object_of(section.at, section.root),
            section: described.ok().map(|described| described.text),
            updates: self.updates(&section.updates),
        }
    }

    /// Where updates are written, in their order.
    fn updates(&self, updates: &BTreeSet<StmtId>) -> Vec<Place> {
        let updates = updates.iter().filter_map(|id| self.statements.get(*id));
        let mut updates: Vec<Place> = updates.filter_map(|stmt| self.place(stmt.origin)).collect();
        updates.sort();
        updates
    }

    /// `x[0:n] and y[0:n] do not overlap`
    fn condition(&self, index: LoopIndex, verdict: &Verdict) -> String {
        let parts = verdict.disjoint.iter().map(|pair| {
            let (a, b) = pair;
            let (mut a, mut b) = (self.touched(index, *a), self.touched(index, *b));
            if b < a {
                std::mem::swap(&mut a, &mut b);
            }
            let equal = match verdict.equal.contains(pair) {
                true => {
                    let mut names = [self.names.symbol(pair.0), self.names.symbol(pair.1)];
                    names.sort();
                    format!(", or {} and {} are the same pointer", names[0], names[1])
                }
                false => String::new(),
            };
            format!("{a} and {b} do not overlap{equal}")
        });
        let mut parts: Vec<String> = parts.collect();
        let before = &self.facts().values.loops[index.0 as usize].before.facts;
        parts.extend(
            verdict
                .conditions
                .iter()
                .map(|condition| self.names.condition(condition, before)),
        );
        parts.extend(self.conditions_on_rows(index, verdict));
        parts.extend(verdict.sorted.iter().map(|sorted| {
            let values = sections::of_sorted(self.names, sorted, index);
            match sorted.strictly {
                true => format!("each value of {values} is greater than the one before it"),
                false => format!("no value of {values} is less than the one before it"),
            }
        }));
        parts.sort();
        parts.join(", ")
    }

    /// `the rows w[0:n][0:m] do not overlap each other`
    fn conditions_on_rows(&self, index: LoopIndex, verdict: &Verdict) -> Vec<String> {
        let rows = |table: &Symbol| match verdict.rows.tables.get(table) {
            Some(rows) => sections::of_rows(self.names, rows, index),
            None => self.names.symbol(*table),
        };
        let each = verdict.rows.each.iter();
        let each = each.map(|table| format!("the rows {} do not overlap each other", rows(table)));
        let others = verdict.rows.others.iter().map(|(table, other)| {
            let other = match other {
                Other::Rows(second) => rows(second),
                Other::Object(root) => self.touched(index, *root),
            };
            format!("the rows {} and {other} do not overlap", rows(table))
        });
        each.chain(others).collect()
    }

    /// The section of a root that a loop touches, or just its name.
    fn touched(&self, index: LoopIndex, root: Symbol) -> String {
        let accesses = self.facts().values.accesses.iter();
        let own = accesses.filter(|access| access.root == Some(root) && access.loops.contains(&index));
        sections::of_object(self.names, own, root, index)
            .map_or_else(|_| self.names.symbol(root), |described| described.text)
    }

    /// What all that is said of the function rests on, if that is tested before its kernels.
    fn taken(&self) -> Option<String> {
        let mut parts = self.names.taken();
        parts.sort();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn access(&self, access: &Access) -> Option<AccessReport> {
        self.access_seen_from(access, *access.loops.first()?)
    }

    /// An access with its section while one of the loops around it runs.
    fn access_seen_from(&self, access: &Access, around: LoopIndex) -> Option<AccessReport> {
        let place = self.place(access.origin)?;
        let depth = self.facts().values.loops[around.0 as usize].depth;
        let described = match access.root {
            // Found anew in each iteration: it has a path instead of one root.
            Some(root) if self.facts().values.varying(&[around]).contains(&root) => {
                paths::of_access(self.names, access, around)
            }
            Some(_) => sections::of_access(self.names, access, around),
            None => Err(Cause::new(
                "it is not known what the pointer points to",
                access.origin,
            )),
        };
        let (section, bytes, exact, cause) = match described {
            Ok(described) => (Some(described.text), Some(described.bytes), described.exact, None),
            Err(cause) => (None, None, false, Some(cause.why)),
        };
        Some(AccessReport {
            place,
            function: self.names.function.name.clone(),
            object: access.root.map(|root| self.names.symbol(root)),
            kind: if access.is_write() { "write" } else { "read" },
            text: self.names.text(access.origin),
            bounded: section.is_some(),
            exact: exact && access.conditional_depth <= depth,
            holds_if: self.taken().filter(|_| section.is_some()),
            section,
            bytes,
            cause,
        })
    }
}
