//! Which bodies of nests are split, so that more of them runs on a GPU, or in a better order?
//!
//! Each split that is legal is tried: the new text is read again, must be the program that is meant, and is planned like any other. A split is kept if something
//! becomes a kernel of a nest in which nothing was one, or if kernels are started less often, take fewer requests (each in its best order), or have more threads. Of each nest the
//! best split is taken, inner nests first, then all is looked at again.

use super::Settings;
use super::change::{self, Changes, Target};
use crate::input::{self, Files};
use crate::names::Names;
use crate::{planned, report};
use ferry_analysis::coalescing::{SIZE, assumed_trip, trip};
use ferry_analysis::effects::Effects;
use ferry_analysis::verdict::Kind;
use ferry_frontend::{Job, LoadedUnit};
use ferry_gpu::Gpu;
use ferry_ir::visit::Statements;
use ferry_ir::{Function, FunctionRef, Stmt, StmtKind, Unit};
use ferry_source::{Edits, Finding, Severity, Sources, Span};
use ferry_transform::plan::Plan;
use ferry_transform::reshape::{self, Nest, Split, alternatives, shared_accesses};
use std::collections::BTreeSet;
use std::iter::successors;

/// Most splits that are tried in one file.
const MOST_TRIED: usize = 48;

/// By how much requests may grow for more threads.
const AS_MANY: f64 = 1.05;

/// What came of one file.
#[derive(Default)]
pub struct Distributed {
    /// The new text, if it differs.
    pub new: Option<Vec<u8>>,
    /// What was done, a line each.
    pub done: Vec<String>,
    /// What was not done, because the text would be wrong or there is too much of it.
    pub warnings: Vec<Finding>,
    /// Without a new text: what would be done to the nests as they are.
    pub changes: Option<Changes>,
    /// Of each line of the new text, the line of the old one that it comes from; empty without a new text.
    lines: Vec<usize>,
}

impl Distributed {
    /// Where a line of the new text was before, both from 1 on.
    pub fn line_before(&self, line: usize) -> usize {
        self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(line)
    }

    /// Follows the lines through insertions into a text.
    fn follow(&mut self, bytes: &[u8], edits: &Edits) {
        let lines_in = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        if self.lines.is_empty() {
            self.lines = (1..=lines_in(bytes) + 1).collect();
        }
        let mut inserted: Vec<(usize, usize)> = edits
            .iter()
            .map(|edit| {
                (
                    lines_in(&bytes[..(edit.at.start as usize).min(bytes.len())]),
                    lines_in(&edit.text),
                )
            })
            .collect();
        inserted.sort();
        for (line, more) in inserted.into_iter().rev() {
            if let Some(own) = self.lines.get(line).copied() {
                self.lines.splice(line..line, std::iter::repeat_n(own, more));
            }
        }
    }
}

/// A split that is legal.
struct Candidate {
    split: Split,
    /// Of the function.
    name: String,
    /// Loops around the nest.
    level: usize,
    before: Measure,
    /// Where the nest and its second part begin.
    lines: (usize, usize),
}

/// What the kernels of a nest cost.
#[derive(Clone, Default)]
struct Measure {
    kernels: usize,
    /// How often one is started while the nest runs once.
    starts: f64,
    lines: f64,
    /// Of the kernel with the most.
    threads: f64,
    /// Lines, more for kernels with fewer threads than the GPU holds.
    effort: f64,
    /// What was taken for sizes that are not known.
    sizes: BTreeSet<String>,
}

/// Splits what is worth it in one unit.
pub fn of_unit(settings: &Settings<'_>, files: &Files, number: usize, loaded: &LoadedUnit) -> Distributed {
    let mut found = Distributed::default();
    let (Target::Gpu(gpu), Ok(unit), Some(job)) = (&settings.target, &loaded.unit, files.jobs.get(number))
    else {
        return found;
    };
    if loaded.has_errors() {
        return found;
    }
    let search = Search {
        settings,
        files,
        number,
        job,
        gpu,
    };
    let effects = Effects::of_linked(unit, files.outside(number));
    let given = Text {
        sources: &files.sources,
        loaded,
        unit,
        effects: &effects,
    };
    let (functions, changes) = search.functions(&given);
    let mut tried = 0;
    let mut latest: Option<Step> = None;
    for function in functions {
        let name = &function.name;
        let mut next = match &latest {
            None => function.candidates,
            Some(step) => step
                .text()
                .map_or_else(Vec::new, |text| search.candidates(&text, name)),
        };
        let mut split = false;
        loop {
            let text = latest.as_ref().and_then(Step::text).unwrap_or(given);
            let Some(mut step) = search.best(&text, &next, &mut tried, &mut found.warnings) else {
                break;
            };
            // A function that runs in a caller's kernel starts none, whatever becomes of it.
            if !split && search.kernels_alone(&given, name) != function.kernels {
                break;
            }
            split = true;
            let (one, two) = (found.line_before(step.lines.0), found.line_before(step.lines.1));
            found
                .done
                .push(format!("line {one}: split before line {two}: {}", step.gain));
            let sizes = step.sizes.iter().map(|one| format!("  assuming that {one}"));
            found.done.extend(sizes);
            found.follow(text.sources.bytes(text.unit.file), &step.edits);
            next = std::mem::take(&mut step.next);
            latest = Some(step);
        }
    }
    if tried > MOST_TRIED {
        let message = format!(
            "{}: {MOST_TRIED} ways to split nests were tried; other nests may be worth it, too",
            loaded.path.display()
        );
        found
            .warnings
            .push(Finding::new(Severity::Note, "limit", message));
    }
    match latest {
        Some(step) => found.new = Some(step.bytes),
        None => found.changes = Some(changes),
    }
    found
}

/// A text that was read.
#[derive(Clone, Copy)]
struct Text<'a> {
    sources: &'a Sources,
    loaded: &'a LoadedUnit,
    unit: &'a Unit,
    /// What its functions do.
    effects: &'a Effects,
}

/// A function in which something may be split.
struct Splittable {
    name: String,
    /// Where it begins.
    begin: u32,
    /// How many kernels it has in a plan of all functions.
    kernels: usize,
    candidates: Vec<Candidate>,
}

/// A text after one more split.
struct Step {
    /// What may be split next in the same function.
    next: Vec<Candidate>,
    sources: Sources,
    loaded: LoadedUnit,
    effects: Effects,
    bytes: Vec<u8>,
    edits: Edits,
    /// Where the nest and its second part begin in the text before.
    lines: (usize, usize),
    gain: String,
    sizes: BTreeSet<String>,
    /// Of the kernels of the nest then.
    effort: f64,
}

impl Step {
    fn text(&self) -> Option<Text<'_>> {
        Some(Text {
            effects: &self.effects,
            sources: &self.sources,
            loaded: &self.loaded,
            unit: self.loaded.unit.as_ref().ok()?,
        })
    }
}

struct Search<'a> {
    settings: &'a Settings<'a>,
    files: &'a Files,
    number: usize,
    job: &'a Job,
    gpu: &'a Gpu,
}

impl Search<'_> {
    /// The best split of the first nest of which one gains.
    fn best(
        &self,
        text: &Text<'_>,
        candidates: &[Candidate],
        tried: &mut usize,
        warnings: &mut Vec<Finding>,
    ) -> Option<Step> {
        let same_nest = |one: &Candidate, two: &Candidate| one.split.whole == two.split.whole;
        for nest in candidates.chunk_by(same_nest) {
            let mut best: Option<Step> = None;
            for candidate in nest {
                *tried += 1;
                if *tried > MOST_TRIED {
                    return best;
                }
                match self.attempt(text, candidate) {
                    Ok(Some(step)) => {
                        if best.as_ref().is_none_or(|best| step.effort < best.effort) {
                            best = Some(step);
                        }
                    }
                    Ok(None) => {}
                    Err(why) => {
                        // Of a text that is not kept no place can be shown.
                        let message = format!(
                            "{}: a nest of {} is not split: the new text would not be the intended program",
                            self.job.path.display(),
                            candidate.name
                        );
                        warnings.push(Finding::new(Severity::Warning, "internal", message).note(why));
                    }
                }
            }
            if best.is_some() {
                return best;
            }
        }
        None
    }

    fn attempt(&self, text: &Text<'_>, candidate: &Candidate) -> Result<Option<Step>, String> {
        let split = &candidate.split;
        let file = text.unit.file;
        let old = text.sources.bytes(file);
        let bytes = split.edits.apply(file, old).map_err(|error| error.to_string())?;
        let (sources, loaded) =
            input::read_with(self.settings.input, self.files, self.job, file, bytes.clone())?;
        let Ok(unit) = &loaded.unit else {
            return Err("the written text could not be read again".to_owned());
        };
        reshape::is_split(text.unit, unit, split).map_err(|difference| difference.to_string())?;
        let longer = bytes.len().saturating_sub(old.len()) as u32;
        let whole = Span::new(unit.file, split.whole.start, split.whole.end + longer);
        let effects = Effects::of_linked(unit, self.files.outside(self.number));
        let new = Text {
            sources: &sources,
            loaded: &loaded,
            unit,
            effects: &effects,
        };
        let (mut after, mut next) = (Measure::default(), Vec::new());
        self.each(&new, &is_called(&new, &candidate.name), &mut |id, names, plan| {
            after = measure(names, &plan, whole, self.gpu);
            next = legal_splits(names, id, &plan, self.gpu);
        });
        let Some(gain) = self.gain(&candidate.before, &after) else {
            return Ok(None);
        };
        Ok(Some(Step {
            next,
            sources,
            loaded,
            effects,
            bytes,
            edits: split.edits.clone(),
            lines: candidate.lines,
            gain,
            sizes: candidate.before.sizes.clone(),
            effort: after.effort,
        }))
    }

    fn gain(&self, before: &Measure, after: &Measure) -> Option<String> {
        let resident = self.gpu.resident_threads() as f64;
        match (before.kernels, after.kernels) {
            (_, 0) => None,
            (0, _) => Some("a part of it becomes a kernel".to_owned()),
            _ if after.threads < before.threads.min(resident) => None,
            _ if after.starts < before.starts / 2.0 => Some(format!(
                "1/{} of the starts of kernels",
                (before.starts / after.starts).round()
            )),
            _ if after.lines < before.lines * reshape::LESS => {
                let share = after.lines / before.lines;
                Some(format!("{} of the requests", report::share(share)))
            }
            _ if before.threads < resident
                && after.threads > before.threads
                && after.lines <= before.lines * AS_MANY =>
            {
                let times = (after.threads / before.threads).round();
                Some(format!("{times} times the threads"))
            }
            _ => None,
        }
    }

    /// The functions with splits that are legal, in text order, and what would be done to all nests as they are.
    fn functions(&self, text: &Text<'_>) -> (Vec<Splittable>, Changes) {
        let (mut found, mut changes) = (Vec::new(), Changes::default());
        let own = |function: &Function| planned::is_in(function, &|file| file == text.unit.file);
        self.each(text, &own, &mut |id, names, plan| {
            let candidates = legal_splits(names, id, &plan, self.gpu);
            if !candidates.is_empty() {
                found.push(Splittable {
                    name: names.function.name.clone(),
                    begin: names.function.origin.span().map_or(0, |span| span.start),
                    kernels: plan.environments.iter().map(|one| one.kernels.len()).sum(),
                    candidates,
                });
            }
            changes.extend(change::for_gpu(self.gpu, names, id, &plan));
        });
        found.sort_by_key(|function| function.begin);
        changes.sort();
        (found, changes)
    }

    /// The splits of one function that are legal.
    fn candidates(&self, text: &Text<'_>, name: &str) -> Vec<Candidate> {
        let mut found = Vec::new();
        self.each(text, &is_called(text, name), &mut |id, names, plan| {
            found = legal_splits(names, id, &plan, self.gpu);
        });
        found
    }

    /// How many kernels a function would have that nobody calls.
    fn kernels_alone(&self, text: &Text<'_>, name: &str) -> usize {
        let mut found = 0;
        self.each(text, &is_called(text, name), &mut |_, _, plan| {
            found = plan.environments.iter().map(|one| one.kernels.len()).sum();
        });
        found
    }

    fn each(
        &self,
        text: &Text<'_>,
        wanted: &dyn Fn(&Function) -> bool,
        visit: &mut dyn FnMut(FunctionRef, Names<'_>, Plan),
    ) {
        planned::each(
            text.loaded,
            text.unit,
            text.effects,
            text.sources,
            &self.settings.wishes,
            wanted,
            visit,
        );
    }
}

fn is_called<'a>(text: &Text<'a>, name: &'a str) -> impl Fn(&Function) -> bool + 'a {
    let file = text.unit.file;
    move |function: &Function| function.name == name && planned::is_in(function, &|own| own == file)
}

/// The splits of a function that are legal, inner nests first, those of one nest side by side.
fn legal_splits(names: Names<'_>, id: FunctionRef, plan: &Plan, gpu: &Gpu) -> Vec<Candidate> {
    let mut found = Vec::new();
    let statements = Statements::of(names.function);
    let Some(body) = &names.function.body else {
        return found;
    };
    let mut roots = Vec::new();
    body.walk(&mut |stmt| {
        if matches!(stmt.kind, StmtKind::Loop(_)) {
            roots.push(stmt);
        }
    });
    let context = names.context();
    let nests: Vec<Nest<'_>> = roots.iter().map(|root| Nest::of(context, root)).collect();
    // A loop that is the whole body of another one is looked at with that.
    let inner: BTreeSet<_> = nests
        .iter()
        .flat_map(|nest| nest.loops.iter().skip(1).map(|of| of.stmt.id))
        .collect();
    for nest in &nests {
        let Some(root) = nest.loops.first().filter(|root| !inner.contains(&root.stmt.id)) else {
            continue;
        };
        for first in 1..reshape::parts(nest).len() {
            if !is_promising(names, nest, first) || reshape::may_split(context, nest, first).is_err() {
                continue;
            }
            let Ok(split) = reshape::split(context, id, nest, first, names.sources) else {
                continue;
            };
            let line = |span: Span| names.sources.line_column(span.file, span.start).0 as usize;
            found.push(Candidate {
                name: names.function.name.clone(),
                level: statements.loops_around(root.stmt.id).count(),
                before: measure(names, plan, split.whole, gpu),
                lines: (line(split.whole), line(split.second)),
                split,
            });
        }
    }
    found.sort_by_key(|candidate| (std::cmp::Reverse(candidate.level), candidate.split.second.start));
    found
}

/// Only what leaves a perfect nest, or takes something away from a loop that is not parallel.
fn is_promising(names: Names<'_>, nest: &Nest<'_>, first: usize) -> bool {
    let (one, two) = reshape::parts(nest).split_at(first);
    // Declarations and assertions alone are no part.
    let does = |part: &[Stmt]| {
        !part
            .iter()
            .all(|stmt| matches!(stmt.kind, StmtKind::Declare { .. } | StmtKind::Empty))
    };
    if !does(one) || !does(two) {
        return false;
    }
    let is_nest = |part: &[Stmt]| matches!(part, [only] if matches!(only.kind, StmtKind::Loop(_)));
    let parallel = nest.loops.iter().all(|of| {
        let verdict = &names.facts.verdicts[of.index.0 as usize];
        verdict.kind == Kind::Parallel && verdict.is_free()
    });
    is_nest(one) || is_nest(two) || !parallel
}

fn measure(names: Names<'_>, plan: &Plan, whole: Span, gpu: &Gpu) -> Measure {
    let context = names.context();
    let values = &names.facts.values;
    let statements = Statements::of(names.function);
    let mut found = Measure::default();
    for kernel in plan.environments.iter().flat_map(|one| &one.kernels) {
        let of = &values.loops[kernel.index.0 as usize];
        let inside = of.keyword.is_some_and(|keyword| whole.contains(keyword));
        let Some(stmt) = statements.get(of.stmt).filter(|_| inside) else {
            continue;
        };
        let nest = Nest::of(context, stmt);
        let accesses = shared_accesses(context, kernel.index);
        let Some(choices) = alternatives(context, &nest, kernel.collapse, &accesses, gpu) else {
            continue;
        };
        let total = choices
            .best(gpu)
            .map_or(choices.present.total, |(best, _)| best.total);
        found
            .sizes
            .extend(report::compared_with(names, &choices.present.cost));
        let mut starts = 1.0;
        for index in successors(of.parent, |index| values.loops[index.0 as usize].parent) {
            let outer = &values.loops[index.0 as usize];
            if !outer.keyword.is_some_and(|keyword| whole.contains(keyword)) {
                continue;
            }
            starts *= assumed_trip(values, outer);
            if trip(values, outer).is_none() {
                let over = match &names.facts.verdicts[index.0 as usize].canonical {
                    Ok(canonical) => format!("the loop over {}", names.variable(canonical.variable)),
                    Err(_) => "a loop around it".to_owned(),
                };
                found
                    .sizes
                    .insert(format!("for the comparison, {over} has {SIZE} iterations"));
            }
        }
        found.kernels += 1;
        found.starts += starts;
        found.lines += total.lines * starts;
        found.effort +=
            total.lines * starts * (gpu.resident_threads() as f64 / total.threads.max(1.0)).max(1.0);
        found.threads = found.threads.max(total.threads);
    }
    found
}
