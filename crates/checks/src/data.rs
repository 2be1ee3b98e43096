//! What does a directive do to the data of the device? The map of OmpSan §6.2, in words.
//!
//! For each section that the directive maps or moves, named by a clause or not: whether it was there, what is allocated and copied, how often it is mapped
//! then; at the beginning and at the end. A directive that is reached on several ways, or again in a loop, has a sentence for each that differs.

use crate::case::Names;
use crate::{Surroundings, shares_memory};
use ferry_analysis::coherence::{self, Act, Reading, Step, There};
use ferry_analysis::declared;
use ferry_analysis::effects::OfProgram;
use ferry_ir::{GlobalId, StmtKind, Unit};
use ferry_source::{FileId, Sources, Span};
use std::collections::BTreeSet;

/// What a directive does, followed from one function.
#[derive(Clone, PartialEq, Debug)]
pub struct DataMap {
    /// The directive with the statement that it governs.
    pub at: Span,
    /// Its words: `omp target data`.
    pub directive: String,
    /// From which function it was followed.
    pub function: String,
    /// The sections, in the order of the clauses; those that no clause names last.
    pub rows: Vec<Row>,
    /// The variables of which it has copies of its own, which do not come back.
    pub copies: Vec<String>,
}

/// What happens to one section.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// As the program names it.
    pub section: String,
    /// No clause names it.
    pub implicit: bool,
    /// What happens at the beginning, or now; on each way.
    pub enter: Vec<String>,
    /// What happens at the end.
    pub exit: Vec<String>,
}

/// Explains the directives that begin on a line.
///
/// # Errors
/// If there is none that moves data.
pub fn explain(
    unit: &Unit,
    with: Surroundings<'_>,
    sources: &Sources,
    file: FileId,
    line: u32,
) -> Result<Vec<DataMap>, String> {
    let name = sources.path(file).display();
    let mut wanted: Vec<(Span, String)> = Vec::new();
    let mut other = None;
    for (_, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        body.walk(&mut |stmt| {
            if let (StmtKind::Directive { directive, .. }, Some(at)) = (&stmt.kind, stmt.origin.span())
                && at.file == file
                && sources.line_column(file, at.start).0 == line
            {
                let words = format!("{} {}", directive.language.sentinel(), directive.name);
                match coherence::is_data_directive(directive) {
                    true => wanted.push((at, words)),
                    false => other = Some(words),
                }
            }
        });
    }
    if wanted.is_empty() {
        return Err(match other {
            Some(words) => format!("`{words}` at {name}:{line} moves no data"),
            None => format!("there is no directive at {name}:{line} in what is compiled"),
        });
    }
    if shares_memory(with.declarations, sources).is_some() {
        return Err("host and device have one memory (`requires`): nothing is moved".to_owned());
    }
    let declared = declared::all(unit, with.declarations, sources);
    let always: BTreeSet<GlobalId> = declared.into_iter().flat_map(|one| one.always).collect();
    let reading = Reading {
        language: with.language,
        openmp: with.openmp,
    };
    let mut maps = Vec::new();
    let effects = OfProgram::new(unit, with.outside);
    for (at, words) in wanted {
        let before = maps.len();
        for found in &coherence::follow(unit, &effects, &always, reading, Some(at)) {
            let names = Names { unit, found, sources };
            let map = DataMap {
                at,
                directive: words.clone(),
                function: unit.function(found.function).name.clone(),
                rows: rows(names),
                copies: copies(names),
            };
            if !map.rows.is_empty() || !map.copies.is_empty() {
                maps.push(map);
            }
        }
        if maps.len() == before {
            return Err(format!(
                "`{words}` at {name}:{line} was not reached, or moves nothing"
            ));
        }
    }
    Ok(maps)
}

fn copies(names: Names<'_>) -> Vec<String> {
    let all = &names.found.history.copies;
    let mut copies: Vec<String> = all.iter().filter_map(|(_, root)| names.plain(*root)).collect();
    copies.sort();
    copies.dedup();
    copies
}

fn rows(names: Names<'_>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for step in &names.found.history.steps {
        let section = match step.implicit {
            true => names.plain(step.root).unwrap_or_default(),
            false => names.section(step.root, step.named, step.bytes.as_ref()),
        };
        let said = said(names, step);
        let row = match rows.iter_mut().position(|row| row.section == section) {
            Some(known) => &mut rows[known],
            None => {
                rows.push(Row {
                    section,
                    implicit: step.implicit,
                    enter: Vec::new(),
                    exit: Vec::new(),
                });
                let last = rows.len() - 1;
                &mut rows[last]
            }
        };
        let list = match step.act {
            Act::Enter | Act::Update => &mut row.enter,
            Act::Exit => &mut row.exit,
        };
        if !list.contains(&said) {
            list.push(said);
        }
    }
    rows.sort_by_key(|row| row.implicit);
    rows
}

/// One sentence.
fn said(names: Names<'_>, step: &Step) -> String {
    let there = |bytes: &Option<(ferry_symbolic::Expr, ferry_symbolic::Expr)>| match bytes {
        Some(bytes) => format!(
            "only {} is there",
            names.section(step.root, step.named, Some(bytes))
        ),
        None => "a part of it is there".to_owned(),
    };
    let was = match &step.before {
        There::Present => "is on the device already".to_owned(),
        There::Perhaps => "may be on the device, put there by a caller or by what is not known".to_owned(),
        There::Partly(bytes) => there(bytes),
        There::Absent if step.act == Act::Enter => "is allocated".to_owned(),
        There::Absent => "is not on the device".to_owned(),
        There::Always => "lives on both sides".to_owned(),
    };
    let copied = match (step.to_device, step.to_host) {
        (Some(true), _) => "copied to the device",
        (_, Some(true)) => "copied back to the host",
        (Some(false), Some(false)) => "nothing is copied",
        (None, _) => "copied to the device if it is not there",
        (_, None) if step.act == Act::Update => "copied to the host if it is there",
        (_, None) => "copied back if this is its last mapping",
    };
    let many = |count: Option<u32>| count.map_or("an unknown number of times".to_owned(), times);
    let count = match (step.act, step.counts) {
        (Act::Update, _) => String::new(),
        _ if step.before == There::Always => String::new(),
        (Act::Exit, (_, Some(0))) if step.before == There::Absent => String::new(),
        (Act::Exit, (_, Some(0))) => ", and released".to_owned(),
        (Act::Exit, (_, count)) => format!(", and stays: mapped {}", many(count)),
        (Act::Enter, (_, count)) => format!("; then mapped {}", many(count)),
    };
    match step.act {
        Act::Exit if step.before == There::Present => format!("{copied}{count}"),
        _ => format!("{was}, {copied}{count}"),
    }
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}
