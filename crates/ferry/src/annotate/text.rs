//! What will be the text of one file? The edits of all environments that are proved, and of none that are not.

use super::draft::{Draft, Proposal};
use super::headers;
use super::routines::{self, Linked};
use crate::arguments::Annotate;
use crate::input::{self, Files};
use ferry_frontend::Job;
use ferry_ir::Unit;
use ferry_source::{Edits, Finding, Severity};
use ferry_transform::reread::{Intended, Mismatch, verify};

/// The new text of one file.
#[derive(Default)]
pub struct Text {
    /// The bytes, if they differ from the old ones.
    pub new: Option<Vec<u8>>,
    /// For each proposal, whether it is in the text.
    pub written: Vec<bool>,
}

/// The rule of findings about text that is not what was meant.
const RULE: &str = "internal";

/// Puts the proposals into the text, reads it again, and leaves out what is not proved.
pub fn verified(
    unit: &Unit,
    job: &Job,
    files: &Files,
    draft: &Draft,
    arguments: &Annotate,
    findings: &mut Vec<Finding>,
) -> Text {
    let try_text = |written: &[Option<&Intended>]| -> Result<Option<Vec<u8>>, Mismatch> {
        let all = draft.proposals.iter().zip(written);
        let chosen: Vec<(&Proposal, &Intended)> = all
            .filter_map(|(one, intended)| Some((one, (*intended)?)))
            .collect();
        if chosen.is_empty() {
            return Ok(None);
        }
        attempt(unit, job, files, &chosen, arguments).map(Some)
    };
    let text = |new: Option<Vec<u8>>, written: &[Option<&Intended>]| Text {
        new,
        written: written.iter().map(Option::is_some).collect(),
    };
    let mut written: Vec<Option<&Intended>> = draft.proposals.iter().map(|one| Some(&one.intended)).collect();
    let first = match try_text(&written) {
        Ok(new) => return text(new, &written),
        Err(mismatch) => mismatch,
    };
    // Which ones are to blame? Those that are wrong together with the ones before them that are right.
    written.fill(None);
    let mut best = None;
    let mut all_as_they_were = true;
    for (number, proposal) in draft.proposals.iter().enumerate() {
        written[number] = Some(&proposal.intended);
        let mismatch = match try_text(&written) {
            Ok(new) => {
                best = new;
                continue;
            }
            Err(mismatch) => mismatch,
        };
        all_as_they_were = false;
        written[number] = proposal.guarded.as_ref();
        if proposal.guarded.is_some()
            && let Ok(new) = try_text(&written)
        {
            best = new;
            continue;
        }
        written[number] = None;
        findings.push(
            Finding::new(
                Severity::Warning,
                RULE,
                "the written text is not the intended program; it is left out",
            )
            .at(proposal.span, "")
            .note(mismatch.why),
        );
    }
    if all_as_they_were {
        // Each is right alone and all of them, but they were not at first: do nothing rather than guess.
        findings.push(Finding::new(Severity::Warning, RULE, first.why));
        written.fill(None);
        best = None;
    }
    text(best, &written)
}

/// The new text, if it is the intended program.
fn attempt(
    unit: &Unit,
    job: &Job,
    files: &Files,
    chosen: &[(&Proposal, &Intended)],
    arguments: &Annotate,
) -> Result<Vec<u8>, Mismatch> {
    let wrong = |why: String| Mismatch {
        environment: None,
        function: None,
        why,
    };
    let intended: Vec<Intended> = chosen.iter().map(|(_, intended)| (*intended).clone()).collect();
    let chosen: Vec<&Proposal> = chosen.iter().map(|(one, _)| *one).collect();
    let links = routines::links(&chosen);
    let edits = joined(unit, files, (&chosen, &intended), &links, arguments).map_err(wrong)?;
    let again = input::read_edited(&arguments.input, files, job, unit.file, &edits).map_err(wrong)?;
    let reread = again.unit().map_err(wrong)?;
    routines::are_linked(&again.loaded, reread, &again.sources, &links).map_err(wrong)?;
    verify(unit, reread, &edits, &intended)?;
    Ok(again.text)
}

/// All edits of one file.
fn joined(
    unit: &Unit,
    files: &Files,
    (chosen, intended): (&[&Proposal], &[Intended]),
    links: &Linked,
    arguments: &Annotate,
) -> Result<Edits, String> {
    let mut edits = Edits::new();
    for one in intended {
        edits
            .extend(one.edits.clone())
            .map_err(|error| error.to_string())?;
    }
    // Variables come before the functions that use them.
    for (at, text) in routines::link_lines(&files.sources, unit.file, links, arguments.spelling.style()) {
        edits
            .insert(unit.file, at, text)
            .map_err(|error| error.to_string())?;
    }
    // A function that several kernels call is declared once.
    let mut declared = Vec::new();
    for edit in chosen.iter().flat_map(|proposal| &proposal.declarations) {
        if !declared.contains(edit) {
            declared.push(edit.clone());
        }
    }
    declared.sort_by_key(|edit| (edit.at.start, !routines::names_its_function(edit)));
    for edit in declared {
        edits.add(edit).map_err(|error| error.to_string())?;
    }
    if chosen.iter().any(|proposal| proposal.uintptr) {
        let bytes = files.sources.bytes(unit.file);
        let first = edits.iter().map(|edit| edit.at.start).min().unwrap_or(0);
        if let Some((at, line)) = headers::stdint(bytes, files.sources.preprocessor(unit.file), first) {
            edits
                .insert(unit.file, at, line)
                .map_err(|error| error.to_string())?;
        }
    }
    // Directives that are ignored go with the first one that is written.
    if files.is_stripped(unit.file) {
        for line in input::empty_lines(files.original(unit.file), unit.file) {
            edits.replace(line, "").map_err(|error| error.to_string())?;
        }
    }
    Ok(edits)
}
