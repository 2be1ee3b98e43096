//! `ferry reshape`: exchanges and collapses the loops of kernels, so that their threads take fewer requests, and proves that the program stays the same.
//!
//! A kernel is one that `annotate` would write, or one that directives write. The loops of a kernel that directives write get another `collapse`, too; for
//! others that is the business of `annotate`. The new text is read again and must be the program whose loops were exchanged; a change that is not is left
//! out, with a warning.

use crate::annotate::draft::Draft;
use crate::annotate::text::Text;
use crate::annotate::{Outcome, output};
use crate::arguments::{Annotate, Format, Input, Reshape};
use crate::input::{self, Files};
use crate::names::Names;
use crate::report;
use crate::{Status, terminal, units};
use ferry_analysis::effects::Effects;
use ferry_analysis::verdict::Detail;
use ferry_frontend::{Job, LoadedUnit, load};
use ferry_gpu::Gpu;
use ferry_ir::visit::Statements;
use ferry_ir::{StmtKind, Unit};
use ferry_source::{Edits, Finding, Severity, Sources};
use ferry_transform::emit::Style;
use ferry_transform::existing::{Existing, callers_first};
use ferry_transform::plan::{Goals, best};
use ferry_transform::reshape::{self, Exchange, Nest, alternatives, mapped};
use std::path::PathBuf;

/// Bytes of a line, past which directives are continued.
const WIDTH: usize = 100;

/// A change to one nest.
struct Change {
    exchange: Exchange,
    /// What is done, and what it gains.
    message: String,
    /// What it rests on.
    assumptions: Vec<String>,
}

/// What came of one file.
pub struct Reshaped {
    path: PathBuf,
    /// The new text, if it differs.
    new: Option<Vec<u8>>,
    /// What was done, a line each.
    done: Vec<String>,
    findings: Vec<Finding>,
    failed: bool,
}

/// How kernels are chosen.
struct Settings<'a> {
    input: &'a Input,
    style: Style,
    goals: Goals,
    gpu: &'a Gpu,
}

/// Runs the command.
pub fn run(arguments: &Reshape) -> Status {
    let to = &arguments.output;
    if arguments.input.files.len() > 1 && !(to.diff || to.in_place || to.check || to.folder.is_some()) {
        terminal::complain(
            "error: with several files, say what to write: --diff, --in-place, -o DIR or --check",
        );
        return Status::Failed;
    }
    let files = input::load_files(&arguments.input);
    let settings = Settings {
        input: &arguments.input,
        style: Style {
            version: arguments.spelling.version(),
            width: WIDTH,
        },
        goals: Goals {
            all: arguments.spelling.all,
        },
        gpu: &arguments.gpu,
    };
    let reshaped = all(&settings, &files);
    let mut status = Status::Done;
    if reshaped.iter().any(|one| one.failed)
        || files.findings.iter().any(|one| one.severity == Severity::Error)
    {
        status = Status::Failed;
    }
    for finding in files
        .findings
        .iter()
        .chain(reshaped.iter().flat_map(|one| &one.findings))
    {
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    say(&reshaped);
    let outcomes: Vec<Outcome> = reshaped
        .into_iter()
        .map(|one| Outcome {
            draft: Draft::default(),
            text: Text {
                new: one.new,
                written: Vec::new(),
            },
            findings: one.findings,
            failed: one.failed,
        })
        .collect();
    let written = output::write(to, Format::Text, &files, &outcomes);
    for error in &written.errors {
        terminal::complain(&format!("error: {error}"));
    }
    status.max(written.status)
}

/// Puts loops into order before they are annotated: the files as they are then, and what was done.
pub fn before(arguments: &Annotate, files: Files) -> (Files, Vec<Reshaped>) {
    let settings = Settings {
        input: &arguments.input,
        style: Style {
            version: arguments.spelling.version(),
            width: WIDTH,
        },
        goals: Goals {
            all: arguments.spelling.all,
        },
        gpu: &arguments.gpu,
    };
    let mut reshaped = all(&settings, &files);
    let mut texts = Vec::new();
    for one in &mut reshaped {
        if let Some(new) = one.new.take() {
            texts.push((one.path.clone(), new));
        }
    }
    match texts.is_empty() {
        true => (files, reshaped),
        false => (input::load_with_texts(&arguments.input, texts), reshaped),
    }
}

/// Says what was done.
pub fn say(reshaped: &[Reshaped]) {
    for one in reshaped {
        for line in &one.done {
            terminal::complain(&format!("{}: {line}", one.path.display()));
        }
    }
}

fn all(settings: &Settings<'_>, files: &Files) -> Vec<Reshaped> {
    let loaded = &files.loaded.units;
    let made = units::map(loaded, settings.input.threads, |number, unit| {
        one_unit(settings, files, number, unit)
    });
    let replace = |(one, unit): (Option<Reshaped>, &LoadedUnit)| {
        one.unwrap_or_else(|| {
            let message = format!("{}: the analysis failed; please report this", unit.path.display());
            Reshaped {
                path: unit.path.clone(),
                new: None,
                done: Vec::new(),
                findings: vec![Finding::new(Severity::Error, "internal", message)],
                failed: true,
            }
        })
    };
    made.into_iter().zip(loaded).map(replace).collect()
}

fn one_unit(settings: &Settings<'_>, files: &Files, number: usize, loaded: &LoadedUnit) -> Reshaped {
    let mut found = Reshaped {
        path: loaded.path.clone(),
        new: None,
        done: Vec::new(),
        findings: loaded.all_findings().cloned().collect(),
        failed: loaded.has_errors(),
    };
    let (Ok(unit), Some(job)) = (&loaded.unit, files.jobs.get(number)) else {
        return found;
    };
    if found.failed {
        return found;
    }
    let mut kept: Vec<Change> = Vec::new();
    for change in changes(settings, files, number, loaded, unit) {
        kept.push(change);
        match attempt(settings, files, unit, job, &kept) {
            Ok(new) => found.new = Some(new),
            Err(why) => {
                if let Some(refused) = kept.pop() {
                    let message =
                        "the loops are left in their order: the new text would not be the intended program";
                    let finding = Finding::new(Severity::Warning, "internal", message);
                    found
                        .findings
                        .push(finding.at(refused.exchange.keyword, "").note(why));
                }
            }
        }
    }
    for change in kept {
        let (line, _) = files
            .sources
            .line_column(change.exchange.keyword.file, change.exchange.keyword.start);
        found.done.push(format!("line {line}: {}", change.message));
        found.done.extend(
            change
                .assumptions
                .iter()
                .map(|one| format!("  assuming that {one}")),
        );
    }
    found
}

/// What would be done to a unit, in text order.
fn changes(
    settings: &Settings<'_>,
    files: &Files,
    number: usize,
    loaded: &LoadedUnit,
    unit: &Unit,
) -> Vec<Change> {
    let mut found = Vec::new();
    let sources = &files.sources;
    let effects = Effects::of_linked(unit, files.outside(number));
    let mut existing = Existing::of(unit, &loaded.declared(), sources);
    for id in callers_first(unit) {
        let function = unit.function(id);
        let here = function.origin.span().is_some_and(|span| span.file == unit.file);
        if function.body.is_none() || !here {
            continue;
        }
        let (facts, mut plan) = best(
            unit,
            id,
            &effects,
            sources,
            settings.goals,
            &settings.style,
            Detail::Every,
        );
        existing.withhold(unit, id, &facts, &mut plan);
        let names = Names {
            unit,
            function,
            facts: &facts,
            sources,
        };
        let context = names.context();
        let statements = Statements::of(function);
        let planned = plan.environments.iter().flat_map(|one| &one.kernels);
        let mut nests: Vec<(Nest<'_>, usize, Option<&ferry_ir::Stmt>)> = planned
            .filter_map(|kernel| {
                let stmt = statements.get(facts.values.loops[kernel.index.0 as usize].stmt)?;
                Some((Nest::of(context, stmt), kernel.collapse, None))
            })
            .collect();
        let written = mapped(context).into_iter();
        nests.extend(written.map(|one| (one.nest, one.mapping.lanes.len(), Some(one.directive))));
        for (nest, together, directive) in nests {
            found.extend(change(settings, names, id, &nest, together, directive));
        }
    }
    found.sort_by_key(|change| change.exchange.keyword.start);
    found
}

fn change(
    settings: &Settings<'_>,
    names: Names<'_>,
    id: ferry_ir::FunctionRef,
    nest: &Nest<'_>,
    together: usize,
    directive: Option<&ferry_ir::Stmt>,
) -> Option<Change> {
    let context = names.context();
    let choices = {
        let accesses = reshape::shared_accesses(context, nest.loops.first()?.index);
        alternatives(context, nest, together, &accesses, settings.gpu)?
    };
    let (chosen, profit) = choices.best(settings.gpu)?;
    // Without a directive, how many loops run together is decided when one is written.
    if chosen.as_written && directive.is_none() {
        return None;
    }
    let mut exchange = reshape::exchange(names.unit, id, nest, &chosen.order, names.sources).ok()?;
    if let Some(stmt) = directive
        && let StmtKind::Directive { directive: own, .. } = &stmt.kind
    {
        let order = exchange.order.clone();
        reshape::fits(context, own, nest, together, &order, chosen.together).ok()?;
        if chosen.together != together {
            exchange
                .edits
                .add(reshape::with_collapse(stmt, chosen.together, names.sources)?)
                .ok()?;
            exchange.collapse = Some((stmt.id, chosen.together));
        }
    }
    let message = report::advice(names, settings.gpu, chosen, profit, &choices.present);
    let mut assumptions = report::compared_with(names, &choices.present.cost);
    if !chosen.as_written && reshape::have_sums(context, nest) {
        assumptions.push(
            "the bounds of its loops do not overflow where a loop around them has no iteration".to_owned(),
        );
    }
    if directive.is_some() {
        let overlapping = nest
            .loops
            .iter()
            .flat_map(|of| &context.facts.verdicts[of.index.0 as usize].disjoint);
        let mut told: Vec<String> = overlapping
            .map(|(one, two)| {
                let (one, two) = (names.symbol(*one), names.symbol(*two));
                format!("{one} and {two} do not overlap in part: what the directive maps must not")
            })
            .collect();
        told.sort();
        told.dedup();
        assumptions.extend(told);
    }
    Some(Change {
        exchange,
        message,
        assumptions,
    })
}

/// The text with these changes, if it is the program that is meant.
fn attempt(
    settings: &Settings<'_>,
    files: &Files,
    unit: &Unit,
    job: &Job,
    changes: &[Change],
) -> Result<Vec<u8>, String> {
    let mut edits = Edits::new();
    for change in changes {
        edits
            .extend(change.exchange.edits.clone())
            .map_err(|error| error.to_string())?;
    }
    let bytes = files.sources.bytes(unit.file);
    let new = edits.apply(unit.file, bytes).map_err(|error| error.to_string())?;
    let reread = read(settings.input, &files.sources, unit, job, new.clone())?;
    let exchanges: Vec<Exchange> = changes.iter().map(|change| change.exchange.clone()).collect();
    reshape::is_intended(unit, &reread, &exchanges).map_err(|difference| difference.to_string())?;
    Ok(new)
}

fn read(input: &Input, sources: &Sources, unit: &Unit, job: &Job, new: Vec<u8>) -> Result<Unit, String> {
    let mut overlay = sources.clone();
    overlay.insert(sources.path(unit.file), new);
    let mut options = input::options(input);
    options.threads = 1;
    let again = load(&mut overlay, std::slice::from_ref(job), &options)
        .units
        .pop();
    let again = again.ok_or("the new text could not be read again")?;
    if let Some(error) = again
        .all_findings()
        .find(|finding| finding.severity == Severity::Error)
    {
        return Err(format!("the new text has an error: {}", error.message));
    }
    again
        .unit
        .map_err(|_| "the new text could not be read again".to_owned())
}
