//! How is what libclang says told to the user? One finding per file, at the first error, with the next ones beside it.

use crate::clang::{Diagnostic, Severity};
use ferry_source::{Finding, Severity as Level, Span};
use std::path::Path;

/// The rule of findings about text that is not C, as far as libclang can tell.
pub const RULE: &str = "not-c";

/// How many errors are shown with their places.
const SHOWN: usize = 5;

/// An error with its place in the physical file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The place, if it is in a file that is known.
    pub at: Option<Span>,
    /// What libclang says.
    pub message: String,
    /// The compiler gave up here: a header is missing, for one.
    pub fatal: bool,
}

/// The errors among the diagnostics. `place` maps libclang's places to physical ones.
pub fn errors(diagnostics: &[Diagnostic], mut place: impl FnMut(&Path, u32) -> Option<Span>) -> Vec<Error> {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity >= Severity::Error)
        .map(|diagnostic| Error {
            at: diagnostic
                .place
                .as_ref()
                .and_then(|(file, offset)| place(file, *offset)),
            message: diagnostic.message.clone(),
            fatal: is_fatal(diagnostic),
        })
        .collect()
}

/// True for what makes all that follows doubtful. libclang is told to keep going, and calls fatal errors just errors.
pub fn is_fatal(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Fatal
        || (diagnostic.severity == Severity::Error && diagnostic.message.ends_with("file not found"))
}

/// One finding for all errors of a file; `None` without errors.
pub fn finding(path: &Path, errors: &[Error]) -> Option<Finding> {
    // A missing header explains what comes after it; it is never the other way round.
    let first = errors.iter().find(|error| error.fatal).or(errors.first())?;
    let mut finding = Finding::new(
        Level::Error,
        RULE,
        format!("{}: {}", path.display(), first.message),
    );
    if let Some(at) = first.at {
        finding = finding.at(at, "");
    }
    let others: Vec<&Error> = errors
        .iter()
        .filter(|error| !std::ptr::eq(*error, first))
        .collect();
    for error in others.iter().take(SHOWN - 1) {
        finding = match error.at {
            Some(at) => finding.related(at, error.message.clone()),
            None => finding.note(error.message.clone()),
        };
    }
    if others.len() >= SHOWN {
        finding = finding.note(format!("{} more errors", others.len() - (SHOWN - 1)));
    }
    Some(finding)
}

/// The flags that libclang does not know, from its messages without a place.
pub fn unknown_flags(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .filter(|d| d.severity >= Severity::Error && d.place.is_none())
        .filter(|d| !d.message.ends_with("file not found"))
        .map(|d| d.message.clone())
        .collect()
}
